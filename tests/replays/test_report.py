"""The report: one page that needs nothing besides itself, in two languages, for every game and every reader."""

from __future__ import annotations

import re
import tomllib
from html.parser import HTMLParser
from importlib.resources import files
from itertools import pairwise
from string import Formatter
from typing import Any

import pytest

from ledger.kernel.audience import BANKER, SPECTATOR, Viewer
from ledger.kernel.state import Seat
from ledger.rulebooks import known
from ledger.service import Command, Ledger
from replays.report import charts
from replays.report.words import Speech
from replays.statistics import statistics_of
from tests.replays import shelf
from tests.replays.shelf import ANA

pytestmark = pytest.mark.xdist_group("report")

LANGUAGES = ("en", "fr")
NOTHING_ELSE = re.compile(r"(?:https?:)?//[\w.-]+|@import|url\(|\b(?:src|href)=\"(?!#)", re.IGNORECASE)
"""What would ask for something from elsewhere."""


class Elements(HTMLParser):
    """The elements of a page, with what is said in them. Raises AssertionError for one that is not closed."""

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
    return shelf.taken(ledger, game, "html", viewer, language=language).decode()


@pytest.fixture(scope="module")
def ended(ledger: Ledger) -> str:
    """A recorded game that was played to its end."""
    return shelf.play(ledger, shelf.RECORDED[-1])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", sorted(known()))
def test_every_rulebook_has_one(ledger: Ledger, name: str, language: str) -> None:
    """Well formed, in its language, with a section for every player, and nothing from elsewhere."""
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
    numbers = statistics_of(ledger.export(game, BANKER, language))
    for seat in numbers.seats:
        assert f"player-{seat.seat}" in ids
        assert seat.name in found.text
    for point in numbers.turning_points[:8]:
        assert point.sentences[0] in found.text
    for tally in numbers.counts:
        assert tally.name[1:] in found.text
    assert "None" not in found.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_game_gives_the_same_page(ledger: Ledger, ended: str, language: str) -> None:
    page = report(ledger, ended, language=language)
    assert report(ledger, ended, language=language) == page
    assert report(ledger, ended, ANA, language=language) == page
    assert page.endswith("</html>\n")


def test_who_won_and_how(ledger: Ledger, ended: str) -> None:
    numbers = statistics_of(ledger.export(ended, BANKER))
    text = Elements(report(ledger, ended)).text
    (winner,) = [seat.name for seat in numbers.seats if seat.won]
    assert f"{winner} wins" in text
    assert numbers.ending[-1] in text
    assert f"{winner} gagne" in Elements(report(ledger, ended, language="fr")).text


def test_corrections_are_told_with_their_effect(ledger: Ledger, mended: str) -> None:
    """What `test_statistics` works out by hand, as a reader finds it."""
    found = Elements(report(ledger, mended)).text
    assert "1 undone · 1 became impossible" in found or "1 restated · 1 undone · 1 became impossible" in found
    assert "−₦1,765" in found
    assert "The game is not over" not in found
    assert "Bob leads" in found


def test_a_view_says_that_it_is_one(ledger: Ledger, mended: str) -> None:
    """Ana reads what she is worth, and nothing of what Bob is."""
    for viewer, who, mine in ((ANA, "Ana", True), (SPECTATOR, "a spectator", False)):
        page = report(ledger, mended, viewer)
        text = Elements(page).text
        assert f"it tells what {who} may see" in text
        assert "The game is not over" in text
        assert ("1,513" in text) == mine
        assert "1,787" not in text
        assert "1787" not in page


def test_what_players_say_stays_text(ledger: Ledger) -> None:
    """A title, a name and a reason that look like markup are shown as they are, and can do nothing."""
    nasty = "</title></script><script>alert('x')</script><img src=//evil.example/x onerror=alert(1)>"
    players = [Seat("ana", f"A&na{nasty}"), Seat("bob", "{{ 7 * 7 }} {0.__class__}")]
    game = ledger.create("negopoly", title=nasty, players=players, settings={}, dice="table").game
    for viewer in (ANA, shelf.BOB):
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
    state = known()["negopoly"].blank()
    speech = Speech(language, known()["negopoly"].speakers(state)["money"])
    assert speech.money(amount) == said.replace(" ₦", "\u00a0₦").replace("1 234 567", "1\u202f234\u202f567")


@pytest.mark.parametrize(
    ("seconds", "said"), [(59, "59 s"), (163, "2 min 43 s"), (600, "10 min"), (4000, "1 h 6 min"), (180, "3 min")]
)
def test_times_are_said_as_exactly_as_one_says_them(seconds: int, said: str) -> None:
    assert Speech("en", None).duration(seconds) == said


# Shapes ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("values", [[0], [7], [-3, 4], [0, 1_000_000], [-999, -1], [12, 15, 19], [2149, -500]])
def test_a_scale_holds_all_values_and_nothing(values: list[int]) -> None:
    """Its lines are round numbers, and nothing is one of them."""
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
    """Two moments: 3 of the one and 2 of the other, then 1 and 4, with a debt of 5 at first."""
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
