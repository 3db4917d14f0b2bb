"""What the report shows and leaves out: figures on the bars, rounds, money without the bank, no empty part."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any

import pytest

from ledger.kernel.facts.audience import BANKER, SPECTATOR, Viewer
from ledger.kernel.facts.state import Seat
from ledger.moving.exporting import Export
from ledger.service import Command, Ledger
from replays.report import charts
from replays.report.page import page_of
from replays.report.shapes import Page
from replays.statistics import statistics_of
from tests.replays import shelf
from tests.replays.test_report import Elements, report
from tests.tables.ledgers import ANA, BOB, start, started

pytestmark = pytest.mark.xdist_group("report figures")

CID = Viewer("player", "cid")


def page(ledger: Ledger, game: str, viewer: Viewer = BANKER, language: str = "en") -> Page:
    export = Export(ledger.moment(game, viewer), language)
    return page_of(export, statistics_of(export))


def act(ledger: Ledger, game: str, viewer: Viewer, kind: str, **params: Any) -> None:
    ledger.perform(game, viewer, Command(kind=kind, params=params))


@pytest.fixture(scope="module")
def evening(ledger: Ledger) -> str:
    """A game of several rounds, played by bots."""
    return shelf.simulate(ledger, "negopoly", seed=21, actions=400)


@pytest.fixture(scope="module")
def disputed(ledger: Ledger) -> str:
    """The recorded evening of the disputed rent, whose file works out every balance."""
    return shelf.play(ledger, files("replays") / "games" / "disputed_rent.jsonl")


def test_the_standings_have_figures_and_name_what_is_there(ledger: Ledger, evening: str) -> None:
    """The figures beside a bar are the parts of the seat's wealth, and add up to it."""
    found = statistics_of(Export(ledger.moment(evening)))
    last = {curve.seat: {part: line[-1] for part, line in curve.parts.items()} for curve in found.wealth.seats}
    names = {part.id: part.name for part in found.wealth.parts}
    shown = page(ledger, evening)
    for rank in shown.ranks:
        there = {names[part]: shown.say.money(value) for part, value in last[rank.person.id].items() if value}
        assert {name: amount for _, name, amount in rank.figures} == there
    text = Elements(report(ledger, evening)).text
    assert sum(len(rank.figures) for rank in shown.ranks) > len(shown.ranks)
    for rank in shown.ranks:
        for _, name, amount in rank.figures:
            assert f"{name.capitalize()} {amount}" in text
    for player in shown.players:
        parts = next(one.parts for one in found.wealth.seats if one.seat == player.person.id)
        assert {name for _, name in player.parts} == {names[part] for part in parts}


def test_the_longest_bar_ends_at_the_edge(ledger: Ledger, evening: str, disputed: str) -> None:
    """Debts stand on the left of a common line, so Bruno's loan moves the bars of Ana and Chloé."""
    for game in (evening, disputed):
        ranks = page(ledger, game).ranks
        ends = [rank.offset + sum(width for _, width in rank.segments) for rank in ranks]
        assert max(ends) == pytest.approx(100, abs=0.1)
        assert min(rank.offset for rank in ranks) == 0
    assert [(rank.person.name, rank.offset) for rank in ranks] == [("Ana", 13.05), ("Chloé", 13.05), ("Bruno", 0)]


def test_deeds_and_returns_by_hand(ledger: Ledger, disputed: str) -> None:
    """Bruno pays Ana 450 of rent, and Chloé 22. Each deed names who has most of it."""
    shown = page(ledger, disputed)
    deeds = [
        (one.name, one.times, one.money, [who.name for who in one.most], one.most_said) for one in shown.deeds
    ]
    assert deeds == [
        ("Rents taken", "2", "₦472", ["Ana"], "₦472"),
        ("Rents paid", "2", "₦472", ["Bruno"], "₦450"),
        ("Titles bought", "9", "₦1,480", ["Ana"], "₦760"),
        ("Houses built", "6", "₦300", ["Ana"], "₦200"),
        ("Salaries", "2", "₦440", ["Bruno"], "₦230"),
        ("Loans taken", "1", "₦200", ["Bruno"], "₦200"),
    ]
    titles = {one.estate.id: one for one in shown.titles}
    rent, elysee, unlet = (titles[name] for name in ("420_rue_des_patates", "elysee", "nuketown"))
    assert (rent.cost, rent.income, rent.rents, rent.percent, rent.bar) == ("₦320", "₦450", "1 rent", "141%", 100)
    assert (elysee.percent, elysee.bar) == ("8%", 5.67)
    assert (unlet.rents, unlet.percent, unlet.bar) == ("", "0%", 0)
    assert [one.owner and one.owner.name for one in (rent, elysee, unlet)] == ["Ana", "Ana", "Chloé"]


def test_the_header_the_axis_and_the_turning_points_tell_rounds(ledger: Ledger, evening: str) -> None:
    found = statistics_of(Export(ledger.moment(evening)))
    shown = page(ledger, evening)
    assert found.rounds is not None
    assert found.rounds > 2
    assert f", {found.rounds} rounds, " in shown.subtitle
    assert shown.unit == "round"
    assert shown.wealth is not None
    labels = [int(tick.label) for tick in shown.wealth.across.ticks]
    assert 2 <= len(labels) <= 10
    assert set(labels) <= set(found.wealth.rounds)
    assert [turn.where for turn in shown.turns] == [
        f"round {turn.point.round}, action {turn.point.action}" for turn in shown.turns
    ]


def test_rounds_stand_where_they_begin() -> None:
    """Eleven moments: the set-up, round 1 from the second one on, round 2 from the fifth, round 3 at the last."""
    rounds = [None, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3]
    ticks = charts.rounds_across(rounds, str).ticks
    assert [(tick.label, tick.at) for tick in ticks] == [("1", 10), ("2", 40), ("3", 100)]
    long = [one for number in range(1, 48) for one in (number, number)]
    assert [tick.label for tick in charts.rounds_across(long, str).ticks] == [
        str(one) for one in range(10, 48, 10)
    ]


def test_money_flows_between_players_first(ledger: Ledger) -> None:
    """Ana gives Bob 40. The bank, which gave both their starting money, is in a part that is closed at first."""
    game = started(ledger, "ana", "bob", title="Gifts")
    act(ledger, game, ANA, "transfer_money", to="bob", amount=40)
    shown = page(ledger, game)
    assert shown.flows is not None
    assert [person.id for person in shown.flows.payments.columns] == ["ana", "bob"]
    assert [cells for _, cells in shown.flows.payments.rows] == [("·", "40", "40"), ("·", "·", "·")]
    assert [bar.said for bar in shown.flows.purposes] == ["₦40"]
    assert shown.flows_with_bank is not None
    assert [person.id for person in shown.flows_with_bank.payments.columns] == ["ana", "bob", "bank"]
    html = report(ledger, game)
    assert re.search(r"<details>\s*<summary>With the bank</summary>", html)
    assert html.index("Payments between players") < html.index("With the bank") < html.index("All payments")


def test_without_payments_between_players_the_bank_is_there_at_once(ledger: Ledger) -> None:
    shown = page(ledger, started(ledger, "ana", "bob", title="No gifts"))
    assert shown.flows is not None
    assert [person.id for person in shown.flows.payments.columns] == ["ana", "bob", "bank"]
    assert shown.flows_with_bank is None


def test_the_cards_of_players_are_closed(ledger: Ledger, evening: str) -> None:
    html = report(ledger, evening)
    cards = html.split('<article id="player-')[1:]
    assert len(cards) == len(ledger.moment(evening).newest.seats)
    for card in cards:
        assert re.search(r"<details>\s*<summary class=\"head\">", card)
    assert "<details open" not in html


@pytest.mark.parametrize("viewer", [BANKER, SPECTATOR])
def test_no_section_and_no_list_is_empty(ledger: Ledger, viewer: Viewer) -> None:
    """A game without rulings has no section of rulings, and what a spectator cannot know has no heading."""
    html = report(ledger, started(ledger, "ana", "bob", title="Quiet"), viewer)
    assert "Rulings and corrections" not in html
    assert re.findall(r"<ul[^>]*>\s*</ul>|<dl>\s*</dl>|<ol[^>]*>\s*</ol>|<p class=\"holds\">\s*</p>", html) == []
    for section in re.findall(r"<section.*?</section>", html, re.DOTALL):
        assert len(re.sub(r"<h2.*?</h2>", "", section)) > 120
    assert ("Holds" in html) == (viewer == BANKER)


def test_who_is_out_of_the_game_is_said_to_be(ledger: Ledger) -> None:
    game = started(ledger, "ana", "bob", "cid", title="A bankruptcy")
    fine = [{"op": "fine", "seat": "cid", "amount": 5000}]
    act(ledger, game, BANKER, "rule", finding="Cid cheated", remedies=fine)
    act(ledger, game, CID, "declare_bankruptcy")
    found = statistics_of(Export(ledger.moment(game)))
    assert {one.seat: one.out for one in found.seats} == {"ana": False, "bob": False, "cid": True}
    assert [rank.person.id for rank in page(ledger, game).ranks if rank.out] == ["cid"]
    for language, said in (("en", "out of the game"), ("fr", "hors jeu")):
        assert report(ledger, game, language=language).count(f'<span class="crown gone">{said}</span>') == 2


def test_two_players_of_one_name_have_a_bar_each(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two Annas of an older game pay Bob; he sees who paid what. Everywhere they are told apart."""
    monkeypatch.setattr("ledger.acting.creating.numbered", tuple)
    players = [Seat("ana", "Anna"), Seat("cid", "Anna"), Seat("bob", "Bob")]
    game = ledger.create("negopoly", title="Namesakes", players=players, settings={}, dice="table").game
    start(ledger, game, "ana", "cid", "bob")
    for viewer, amount in ((ANA, 30), (CID, 70)):
        act(ledger, game, viewer, "transfer_money", to="bob", amount=amount)
    shown = page(ledger, game)
    bob = next(one for one in shown.players if one.person.id == "bob")
    bars = [(bar.label, bar.said, bar.colour) for bar in bob.received if bar.label.startswith("Anna")]
    assert bars == [("Anna (cid)", "₦70", 2), ("Anna (ana)", "₦30", 1)]
    assert {rank.person.name for rank in shown.ranks} == {"Anna (ana)", "Anna (cid)", "Bob"}
    act(ledger, game, BOB, "transfer_money", to="ana", amount=90)
    assert page(ledger, game).headline == "Anna (ana) leads"


def test_headings(ledger: Ledger, evening: str) -> None:
    text = Elements(report(ledger, evening)).text
    assert "Activity How often things were done at this table" in text
    assert "said to be broken" not in text
    french = Elements(report(ledger, evening, language="fr")).text
    assert "Activité Ce qui s’est fait à cette table" in french
