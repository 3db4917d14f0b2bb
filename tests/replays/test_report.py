"""The report: one self-contained page, in two languages, for every game and every viewer."""

from __future__ import annotations

import re
import tomllib
from datetime import UTC, datetime
from html.parser import HTMLParser
from importlib.resources import files
from itertools import pairwise
from string import Formatter
from typing import Any

import pytest

from ledger.kernel.facts.audience import BANKER, SPECTATOR, Viewer
from ledger.kernel.facts.state import Seat
from ledger.moving.exporting import Export
from ledger.reading.words.seating import seat_views
from ledger.rulebooks import rulebooks_by_id
from ledger.rulebooks.parts.boards import places_of, positions_of
from ledger.service import Command, Ledger
from replays.report import charts
from replays.report.page import page_of
from replays.report.setting import from_the_start, short_name
from replays.report.words import Speech
from replays.statistics import statistics_of
from replays.statistics.shapes import SeatCurve, Wealth
from tests.harness.figures import figures
from tests.replays import shelf
from tests.tables.ledgers import ANA, BOB, CID, started

pytestmark = pytest.mark.xdist_group("report")

LANGUAGES = ("en", "fr")
NOTHING_ELSE = re.compile(r"(?:https?:)?//[\w.-]+|@import|url\(|\b(?:src|href)=\"(?!#)", re.IGNORECASE)
"""What would ask for something from elsewhere."""


class Elements(HTMLParser):
    """The elements of a page with their texts. Raises AssertionError for an element that is not closed."""

    VOID = frozenset({"meta", "input", "path", "i", "br"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.said: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in {"meta", "input"}:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in {"style", "script"}:
            self.said.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.said).split())

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


def report(ledger: Ledger, game: str, viewer: Viewer = BANKER, language: str = "en") -> str:
    return shelf.exported(ledger, game, "html", viewer, language=language).decode()


@pytest.fixture(scope="module")
def ended(ledger: Ledger) -> str:
    """A recorded game that was played to its end."""
    return shelf.play(ledger, shelf.RECORDED[-1])


def test_it_has_the_colours_and_letters_of_every_screen(ledger: Ledger, ended: str) -> None:
    """The page holds the colours of the console, and each seat has the colour and letter of its screens."""
    page = report(ledger, ended)
    tokens = (files("api.console") / "src" / "theme" / "tokens.css").read_text(encoding="utf-8")
    colours = re.compile(r"--[\w-]+: #[0-9a-f]{6}\b")
    assert len(set(re.findall(r"--(?:on-)?seat-\d: #", tokens))) == 16
    assert colours.findall(page.partition("@media print")[0]) == colours.findall(tokens)
    players = ledger.moment(ended).game.setup.players
    badges = seat_views(players, [player.seat for player in players])
    discs = re.findall(r'class="avatar party-(\d)[ \w]*" aria-hidden="true">(\w+)<', page)
    assert {(str(1 + badge.colour), badge.letter) for badge in badges} == {
        disc for disc in discs if disc[0] != "0"
    }


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", sorted(rulebooks_by_id()))
def test_every_rulebook_has_one(ledger: Ledger, name: str, language: str) -> None:
    """The page is well formed, in its language, has a section for every player, and loads nothing."""
    number = LANGUAGES.index(language)
    game = shelf.simulate(ledger, name, seed=40 + number, actions=400)
    page = report(ledger, game, language=language)
    found = Elements(page)
    assert found.all("html") == [{"lang": language}]
    assert NOTHING_ELSE.findall(page) == []
    ids = [attributes["id"] for _, attributes in found.found if "id" in attributes]
    assert len(ids) == len(set(ids))
    for attributes in found.all("a"):
        href = attributes["href"]
        assert href is not None
        assert href.removeprefix("#") in ids
    for attributes in found.all("svg"):
        assert attributes.get("aria-hidden") == "true" or attributes["aria-label"]
    numbers = statistics_of(Export(ledger.moment(game), language))
    for seat in numbers.seats:
        assert f"player-{seat.seat}" in ids
        assert seat.name in found.text
    say = Speech(language, None)
    for point in numbers.turning_points[:8]:
        assert " ".join(say.sentence(point.sentences[0]).split()) in found.text
    for tally in numbers.counts:
        assert say.set(tally.name)[1:] in found.text
    assert "None" not in found.text
    assert re.findall(r"₦\d{4}|\d{4}.₦", found.text) == []
    if language == "fr":
        assert [line for line in found.said if re.search(r" [;:!?»%₦]|« ", line)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_game_gives_the_same_page(ledger: Ledger, ended: str, language: str) -> None:
    page = report(ledger, ended, language=language)
    assert report(ledger, ended, language=language) == page
    assert report(ledger, ended, ANA, language=language) == page
    assert page.endswith("</html>\n")


def test_who_won_and_how(ledger: Ledger, ended: str) -> None:
    """The headline has the sentence that ended the game, the margin, and since when the winner led."""
    numbers = statistics_of(Export(ledger.moment(ended)))
    text = Elements(report(ledger, ended)).text
    (first, second) = sorted(numbers.seats, key=lambda one: -(one.worth or 0))
    assert first.won
    assert f"{first.name} wins The game ends (the greatest wealth): {first.name} wins." in text
    ahead = (first.worth or 0) - (second.worth or 0)
    assert f"{first.name} is worth ₦{first.worth:,}, ₦{ahead:,} more than {second.name}." in text
    totals = {curve.seat: curve.total or () for curve in numbers.wealth.seats}
    leads = [one > other for one, other in zip(totals[first.seat], totals[second.seat], strict=True)]
    since = numbers.wealth.moments[len(leads) - leads[::-1].index(False)]
    assert f"Ahead without a break since action {since}." in text
    french = Elements(report(ledger, ended, language="fr")).text
    assert f"{first.name} gagne" in french
    assert f"La partie se termine (la plus grande fortune) : victoire de {first.name}." in french


def test_a_victory_that_money_did_not_decide(ledger: Ledger) -> None:
    """Ana claims with one card of each good, and Driss has 19 coins to her 8."""
    game = shelf.play(ledger, files("replays") / "games" / "negoces2.jsonl")
    text = Elements(report(ledger, game)).text
    assert "Ana claims victory with one card of each good. Ana is proclaimed Grand négociateur." in text
    assert "Ana is worth 8 coins, 11 coins less than Driss: it was not money that decided." in text
    assert "Ahead without a break" not in text


def test_corrections_are_told_with_their_effect(ledger: Ledger, mended: str) -> None:
    """The numbers that `test_statistics` works out by hand."""
    found = Elements(report(ledger, mended)).text
    assert "It was misheard. Other actions: 1 restated, 1 undone, 1 became impossible." in found
    assert "−₦1,765" in found
    assert "The game is not over" not in found
    # Ana has given Bob 142, and he her 5.
    assert "Bob leads Bob is worth ₦1,787, ₦274 more than Ana. Ahead without a break since action 7." in found
    # Bob has made 137 by gifts and Ana has lost as much: the average of the table is nothing.
    assert "Above the table’s average: gifts (₦137)." in found


def test_rulings_are_told_with_what_they_answer(ledger: Ledger) -> None:
    """The claim, the finding, the rules and the effect of a public ruling, also for a spectator."""
    game = shelf.mended(ledger)
    claim = {"claim": "I never had the 100", "actions": [7], "rules": []}
    dispute = ledger.perform(game, BOB, Command(kind="open_dispute", params=claim)).entry.number
    fine = [{"op": "fine", "seat": "bob", "amount": 1200}]
    ruling = {"dispute": str(dispute), "finding": "he did", "rules": ["I.B.5"], "remedies": fine}
    ledger.perform(game, BANKER, Command(kind="rule", params=ruling))
    title = rulebooks_by_id()["negopoly"].register.get("I.B.5", "en")
    assert title is not None
    for viewer in (BANKER, BOB):
        text = Elements(report(ledger, game, viewer)).text
        told = f"Ruling · action {dispute + 1} He did. Dispute {dispute} of Bob: “I never had the 100”"
        assert f"{told} By I.B.5 ({title.title})." in text
        assert "Bob −₦1,200" in text.replace("B Bob", "Bob")
    french = Elements(report(ledger, game, language="fr")).text
    assert f"Litige {dispute}, Bob : « I never had the 100 »" in french


def test_a_dispute_of_two_stays_theirs(ledger: Ledger) -> None:
    """Ana and Bob have a private dispute; Cid's report has neither the claim nor the ruling."""
    game = _whispers(ledger, 300)
    claim = {"claim": "It was 350", "actions": [9], "rules": []}
    dispute = ledger.perform(game, BOB, Command(kind="open_dispute", params=claim)).entry.number
    finding = {"dispute": str(dispute), "finding": "It was not", "rules": [], "remedies": []}
    ledger.perform(game, BANKER, Command(kind="rule", params=finding))
    for viewer, knows in ((BANKER, True), (ANA, True), (CID, False), (SPECTATOR, False)):
        page = report(ledger, game, viewer)
        assert ("It was 350" in page) == knows
        assert ("It was not" in page) == knows


def test_a_running_game_keeps_its_secrets(ledger: Ledger) -> None:
    """Ana gives Bob 300 or 700 in private: Cid and a spectator have the same page in both cases."""
    games = [_whispers(ledger, amount) for amount in (300, 700)]
    for viewer, knows in ((CID, False), (SPECTATOR, False), (ANA, True), (BOB, True), (BANKER, True)):
        for language in LANGUAGES:
            one, other = (
                Elements(report(ledger, game, viewer, language)).text.replace(game, "") for game in games
            )
            assert (one != other) == knows, viewer


def _whispers(ledger: Ledger, amount: int) -> str:
    """A game in which Ana has given Bob this amount in private."""
    game = started(ledger, "ana", "bob", "cid", title="Whispers", settings={})
    gift = Command(kind="transfer_money", params={"to": "bob", "amount": amount})
    assert ledger.perform(game, ANA, gift).entry.number == 9
    return game


def test_the_board_as_it_ended(ledger: Ledger) -> None:
    """The owner of every title, the houses, and the tokens, as in the state."""
    game = shelf.simulate(ledger, "negopoly", seed=3, actions=300)
    export = Export(ledger.moment(game))
    assert export.state.ended
    page = page_of(export, statistics_of(export))
    assert page.board is not None
    places = places_of(export.rulebook, export.state)
    assert len(page.board.squares) == len(places) == 40
    for square, place in zip(page.board.squares, places, strict=True):
        assert (square.owner.id if square.owner else None) == place.owner
        assert (square.name, square.built, square.marked) == (place.name, place.built, bool(place.marks))
    for person, owned in page.board.owned:
        mine = [place for place in places if place.owner == person.id]
        assert (f"titles:\u00a0{len(mine)}" in owned) == bool(mine)
    stand = {person.id: at for at, square in enumerate(page.board.squares) for person in square.tokens}
    assert stand == positions_of(export.rulebook, export.state)
    assert "The board as it ended" in Elements(report(ledger, game)).text


def test_a_view_says_that_it_is_one(ledger: Ledger, mended: str) -> None:
    """Ana's report has her own wealth, and nothing of Bob's."""
    for viewer, who, mine in ((ANA, "Ana", True), (SPECTATOR, "a spectator", False)):
        page = report(ledger, mended, viewer)
        text = Elements(page).text
        assert f"it tells what {who} may see" in text
        assert "The game is not over" in text
        assert ("1,513" in text) == mine
        assert "1,787" not in text
        assert 1787 not in figures(page)


def test_what_players_say_stays_text(ledger: Ledger) -> None:
    """A title, a name and a reason that look like markup are shown as text."""
    nasty = "</title></script><script>alert('x')</script><img src=//evil.example/x onerror=alert(1)>"
    players = [Seat("ana", f"A&na{nasty}"), Seat("bob", "{{ 7 * 7 }} {0.__class__}")]
    game = ledger.create("negopoly", title=nasty, players=players, settings={}, dice="table").game
    for viewer in (ANA, BOB):
        ledger.perform(game, viewer, Command(kind="join_game", params={"persona": nasty[:80]}))
        ledger.perform(game, viewer, Command(kind="choose_starter_perk", params={"perk": "money"}))
    ledger.perform(game, BANKER, Command(kind="start_game", params={}))
    ledger.perform(game, ANA, Command(kind="transfer_money", params={"to": "bob", "amount": 1}))
    edits: list[dict[str, Any]] = [{"op": "drop", "action": 7}]
    correction = {"edits": edits, "cascade": "restate", "reason": nasty}
    ledger.perform(game, BANKER, Command(kind="correct", params=correction))
    page = report(ledger, game)
    found = Elements(page)
    assert len(found.all("script")) == 2
    assert found.all("img") == []
    assert "alert('x')" in found.text
    assert "{{ 7 * 7 }} {0.__class__}" in found.text
    policy = found.all("meta")[1]["content"]
    assert policy is not None
    assert "default-src 'none'" in policy
    assert "unsafe-inline" not in policy.partition("script-src")[2].partition(";")[0]


# Words ----------------------------------------------------------------------------------------------


def test_both_languages_say_everything_with_the_same_blanks() -> None:
    words = tomllib.loads((files("replays.report") / "words.toml").read_text(encoding="utf-8"))
    assert words["en"].keys() == words["fr"].keys()
    for name, said in words["en"].items():
        blanks = [
            {field for _, field, _, _ in Formatter().parse(one) if field} for one in (said, words["fr"][name])
        ]
        if not name.startswith("swing"):
            assert blanks[0] == blanks[1], name


def _blanks(said: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(said) if field}


@pytest.mark.parametrize(
    ("language", "amount", "said"),
    [("en", 1234567, "₦1,234,567"), ("en", -40, "−₦40"), ("fr", 1234567, "1 234 567 ₦"), ("fr", -40, "−40 ₦")],
)
def test_money_is_said_as_one_says_it(language: str, amount: int, said: str) -> None:
    state = rulebooks_by_id()["negopoly"].blank()
    speech = Speech(language, rulebooks_by_id()["negopoly"].language.speakers(state)["money"])
    assert speech.money(amount) == said.replace(" ₦", "\u00a0₦").replace("1 234 567", "1\u202f234\u202f567")


@pytest.mark.parametrize(
    ("seconds", "said"), [(59, "59 s"), (163, "2 min 43 s"), (600, "10 min"), (4000, "1 h 6 min"), (180, "3 min")]
)
def test_times_are_said_as_exactly_as_one_says_them(seconds: int, said: str) -> None:
    assert Speech("en", None).duration(seconds) == said


def test_a_french_line_is_broken_only_where_it_may_be() -> None:
    """Narrow spaces before ; ! ?, full ones before : % ₦ and inside « », thousands apart, curved apostrophes."""
    french = Speech("fr", None)
    assert french.set("l'été : 1275 ₦ ; « oui » !") == (
        "l’été\u00a0: 1\u202f275\u00a0₦\u202f; «\u00a0oui\u00a0»\u202f!"
    )
    assert french.set("action 1275 à 12:30") == "action 1275 à 12:30"
    assert Speech("en", None).set("it's ₦1275 : so ; be it !") == "it’s ₦1,275 : so ; be it !"
    assert french.sentence("la paix") == "La paix."
    assert french.sentence("quoi ?") == "Quoi\u202f?"


def test_long_names_are_cut_where_there_is_little_room() -> None:
    """The first name, with a letter of the second name when the first one is taken."""
    taken: set[str] = set()
    for name, short in (
        ("Ana", "Ana"),
        ("Jean-Sébastien Bach", "Jean"),
        ("Jean-Philippe Rameau", "Jean P."),
        ("Donaudampfschifffahrt", "Donaudampfs…"),
    ):
        assert short_name(name, taken) == short
        taken.add(short)


# Shapes ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("values", [[0], [7], [-3, 4], [0, 1_000_000], [-999, -1], [12, 15, 19], [2149, -500]])
def test_a_scale_holds_all_values_and_nothing(values: list[int]) -> None:
    """The lines are at round numbers, and 0 is one of them."""
    scale = charts.Scale(values)
    for value in (*values, 0):
        assert 0 <= scale.percent(value) <= 100
    axis = scale.axis(str)
    numbers = [int(tick.label) for tick in axis.ticks]
    assert 0 in numbers
    assert 2 <= len(numbers) <= 8
    assert len({after - before for before, after in pairwise(numbers)}) == 1


def test_names_at_the_right_do_not_touch() -> None:
    wanted = [98.0, 97.5, 3.0, 99.9, 2.0]
    found = charts.apart(wanted, 7)
    assert all(0 <= place <= 100 for place in found)
    order = sorted(found)
    assert all(after - before >= 6.99 for before, after in pairwise(order))
    assert sorted(range(5), key=lambda one: found[one]) == sorted(range(5), key=lambda one: wanted[one])


def test_parts_lie_on_each_other_and_debts_below_nothing() -> None:
    """Two moments of two parts: 3 and 2, then 1 and 4, with a debt of 5 at first."""
    scale = charts.Scale([5, -5], lines=2)
    first, second, debts = charts.stacked(
        {"first": [3, 1], "second": [2, 4], "debts": [-5, 0]}, scale, {"first": 1, "second": 2, "debts": 0}
    )
    level = {value: charts._number(round(scale.y(value), 1)) for value in (-5, 0, 1, 3, 5)}
    assert first.path == f"M0 {level[3]}H1000V{level[1]}H1000V{level[0]}H0Z"
    assert second.path == f"M0 {level[5]}H1000V{level[1]}H1000V{level[3]}H0Z"
    assert debts.path == f"M0 {level[-5]}H1000V{level[0]}H1000V{level[0]}H0Z"
    assert [area.colour for area in (first, second, debts)] == [1, 2, 0]


def test_a_circle_gives_everybody_as_much_as_they_moved() -> None:
    arcs, ribbons = charts.circle({(0, 1): 30, (1, 0): 10, (2, 0): 0}, 3)
    assert [arc.party for arc in arcs] == [0, 1]
    assert [(ribbon.source, ribbon.target) for ribbon in ribbons] == [(0, 1), (1, 0)]
    assert charts.circle({}, 3) == ([], [])


def test_moments_are_round_numbers_where_they_stand() -> None:
    """Moments are every second action from 7 on, and the last: 10 is half way between 9 and 11."""
    moments = [*range(7, 48, 2), 48]
    ticks = charts.moments_across(moments, str).ticks
    assert [tick.label for tick in ticks] == ["20", "40"]
    assert [tick.at for tick in ticks] == [round(100 * 6.5 / 21, 1), round(100 * 16.5 / 21, 1)]
    assert [tick.label for tick in charts.moments_across([1], str).ticks] == ["1"]


def test_curves_begin_when_everybody_has_something() -> None:
    """Ana owns something from 2 on, Bob from 3; a seat without anything for a quarter of the game stays."""

    def wealth(*lines: tuple[int, ...]) -> Wealth:
        count = len(lines[0])
        seats = tuple(SeatCurve(str(seat), line, {"cash": line}) for seat, line in enumerate(lines))
        return Wealth(
            moments=tuple(range(1, count + 1)),
            at=(datetime(2026, 1, 1, tzinfo=UTC),) * count,
            parts=(),
            seats=seats,
            gini=(None,) * count,
        )

    ana, bob = (0, 5, *[5] * 8), (0, 0, *[7] * 8)
    cut = from_the_start(wealth(ana, bob))
    assert cut.moments == tuple(range(3, 11))
    assert [curve.total for curve in cut.seats] == [(5,) * 8, (7,) * 8]
    assert [curve.parts["cash"] for curve in cut.seats] == [(5,) * 8, (7,) * 8]
    whole = wealth(ana, (*[0] * 5, *[7] * 5))
    assert from_the_start(whole) == whole
