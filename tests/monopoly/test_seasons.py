"""Seasons of Monopolys: how they end, who profits, and what the next one begins with."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import BANKER
from ledger.kernel.facts.refusals import GameOver
from ledger.rulebooks.monopoly.end.season_close import SeasonClosed
from tests.monopoly.table import Table, monopolys

FOUR = ("ana", "bob", "cid", "dan")


def gone(table: Table, *seats: str) -> None:
    """These merchants have gone bankrupt, in this order."""
    with table.arranged() as state:
        state.out = (*state.out, *seats)
        for seat in seats:
            state.positions.pop(seat, None)
    for seat in seats:
        table.purse(seat, 0)


def agreed(*seats: str, out: tuple[str, ...], **settings: Any) -> Table:
    """A season of these merchants of whom some are out; the others have agreed to close it."""
    table = monopolys(seats=seats, **settings)
    gone(table, *out)
    left = [seat for seat in seats if seat not in out]
    for seat in left:
        table.play(seat, "vote_close_season", consent=True)
    table.turn(left[0])
    return table


def ruined(table: Table, seat: str) -> list[Any]:
    """The seat stops at Douane without money, and is bankrupt."""
    table.purse(seat, 0)
    table.arrive(seat, "douane_2", dice=(1, 2))
    table.play(seat, "pay_tax")
    return table.play(seat, "declare_bankruptcy")


# ----------------------------------------------------------------------------------------------
# The end of a season
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("monopolys:victory.1")
def test_the_last_merchant_wins_the_season_at_once() -> None:
    table = monopolys()
    ruined(table, "cid")
    assert table.state.stage == "play"
    events = ruined(table, "ana")
    assert isinstance(events[-1], SeasonClosed)
    assert events[-1].rule == "monopolys:victory.1"
    assert table.state.stage == "between"
    assert table.state.ranking == ("bob", "ana", "cid")
    assert not table.state.ended
    table.refused("bob", "roll_and_move", "monopolys:general.1", dice=[1, 2])


@pytest.mark.rule("monopolys:season.1")
@pytest.mark.parametrize(
    ("merchants", "too_few", "enough"),
    [(("ana", "bob", "cid"), 1, 2), (FOUR, 1, 2), ((*FOUR, "eve"), 2, 3)],
)
def test_half_of_the_merchants_have_to_be_out(merchants: tuple[str, ...], too_few: int, enough: int) -> None:
    """With three merchants the season is over when two are out: the third one has won it."""
    table = monopolys(seats=merchants)
    gone(table, *merchants[:too_few])
    last = merchants[-1]
    table.refused(last, "vote_close_season", "monopolys:season.1", consent=True)
    table.refused(None, "close_season", "monopolys:season.1")
    assert not table.offers(last, "vote_close_season")
    gone(table, *merchants[too_few:enough])
    if enough < len(merchants) - 1:
        assert table.offers(last, "vote_close_season") == [{"consent": True}]
        table.play(last, "vote_close_season", consent=True)
        assert table.offers(last, "vote_close_season") == [{"consent": False}]


@pytest.mark.rule("monopolys:season.1")
def test_all_who_are_left_have_to_agree_and_may_do_so_later() -> None:
    table = monopolys(seats=FOUR)
    gone(table, "cid", "dan")
    table.play("ana", "vote_close_season", consent=True)
    table.refused(None, "close_season", "monopolys:season.1")
    table.refused("ana", "vote_close_season", "monopolys:season.1", consent=True)
    table.refused("bob", "vote_close_season", "monopolys:season.1", consent=False)
    table.refused("cid", "vote_close_season", "monopolys:bankruptcy.2", consent=True)
    table.play("ana", "vote_close_season", consent=False)
    table.play("bob", "vote_close_season", consent=True)
    table.refused(None, "close_season", "monopolys:season.1")
    table.play("ana", "vote_close_season", consent=True)
    assert next(one.moves for one in table.rulebook.screen.waiting(table.state, BANKER, "en")) == ("close_season",)
    table.banker("close_season", dice=[1, 2, 3, 4])
    assert table.state.stage == "between"


@pytest.mark.rule("monopolys:season.1")
def test_the_close_takes_effect_at_the_end_of_a_turn() -> None:
    table = agreed(*FOUR, out=("cid", "dan"))
    table.roll("ana", 4, 6)
    table.refused(None, "close_season", "monopolys:season.1")
    table.play("ana", "end_turn")
    table.purse("bob", 1)
    table.banker("close_season")
    assert table.state.ranking == ("ana", "bob", "dan", "cid")


@pytest.mark.rule("monopolys:season.1")
def test_a_majority_suffices_where_the_table_says_so() -> None:
    table = monopolys(seats=("ana", "bob", "cid", "dan", "eve", "fay"), close_by="majority")
    gone(table, "dan", "eve", "fay")
    table.play("ana", "vote_close_season", consent=True)
    table.refused(None, "close_season", "monopolys:season.1")
    table.play("bob", "vote_close_season", consent=True)
    table.purse("cid", 2)
    table.purse("bob", 1)
    table.banker("close_season")
    assert table.state.ranking == ("ana", "cid", "bob", "fay", "eve", "dan")


def test_what_is_open_lapses_at_the_close() -> None:
    table = agreed(*FOUR, out=("cid", "dan"))
    table.play("ana", "propose_trade", to="bob", give=[{"commodity": "YRIS", "amount": 5}], ask=[])
    table.purse("bob", 9)
    table.banker("close_season")
    assert table.state.open == {}
    assert table.state.turn is None
    assert table.state.consents == frozenset()


# ----------------------------------------------------------------------------------------------
# Profits
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("monopolys:season.2")
def test_those_who_are_left_pocket_what_they_gained() -> None:
    """Ana has 160 000, a port (20 000) and a mortgaged one (10 000): 40 000 above the capital."""
    table = agreed(*FOUR, out=("cid", "dan"))
    table.purse("ana", 160_000)
    ports = [one.id for one in table.state.edition.pieces.squares if one.kind == "station"]
    table.give("ana", *ports[:2])
    table.mortgaged(ports[1])
    table.purse("bob", 20_000)
    table.banker("close_season")
    assert table.held("treasury:ana", "YRIS") == 40_000
    assert table.held("treasury:bob", "YRIS") == 0
    assert table.held("treasury:cid", "YRIS") == 0


@pytest.mark.rule("monopolys:season.2")
def test_profits_may_be_those_in_cash_alone() -> None:
    table = agreed(*FOUR, out=("cid", "dan"), profit_basis="cash")
    table.purse("ana", 160_000)
    table.give("ana", "station")
    table.banker("close_season")
    assert table.held("treasury:ana", "YRIS") == 10_000


@pytest.mark.rule("monopolys:division.2")
@pytest.mark.rule("monopolys:division.3")
@pytest.mark.parametrize(
    ("division", "tax", "rule"),
    [
        ("epyces", 0, None),
        ("absynthe", 5_000, "monopolys:division.2"),
        ("opium", 6_667, "monopolys:division.3"),
    ],
)
def test_the_lower_divisions_tax_profits(division: str, tax: int, rule: str | None) -> None:
    table = agreed(*FOUR, out=("cid", "dan"), division=division)
    table.purse("ana", 160_001)
    bank = table.bank()
    events = table.banker("close_season")
    assert table.held("treasury:ana", "YRIS") == 10_001 - tax
    assert table.bank() == bank - 10_001 + tax
    taxed = {event.rule for event in events if type(event).__name__ == "ProfitTaxed"}
    assert taxed == ({rule} if rule else set())


# ----------------------------------------------------------------------------------------------
# The next season
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("monopolys:season.3")
def test_the_next_season_begins_with_everything_back_at_the_bank() -> None:
    table = agreed(*FOUR, out=("cid", "dan"))
    table.give("ana", "brown", "pass")
    table.build(iumee=2, balnea=1)
    table.purse("ana", 200_000)
    with table.arranged() as state:
        state.holdings.post_all([Posting("YRIS", 700, "bank", "pot")])
    table.refused(None, "open_season", "monopolys:season.3")
    table.refused(None, "end_game", "monopolys:season.3")
    table.banker("close_season")
    assert table.held("pot", "YRIS") == 0
    profits = table.held("treasury:ana", "YRIS")
    table.banker("open_season")
    assert table.state.stage == "setup"
    assert table.state.season == 2
    assert table.stock() == (32, 12)
    assert sum(thing.startswith("title:") for thing in table.state.holdings.account("bank")) == 28
    assert table.held("bank", "pass") == 2
    assert {table.cash(seat) for seat in FOUR} == {0}
    for seat, dice in zip(FOUR, ([1, 2], [6, 5], [2, 2], [3, 3]), strict=True):
        table.refused(None, "start_game", "monopolys:order.1")
        table.banker("roll_for_order", seat=seat, dice=dice)
    table.banker("start_game")
    assert table.state.order == ("bob", "dan", "cid", "ana")
    assert {table.cash(seat) for seat in FOUR} == {150_000}
    assert table.held("treasury:ana", "YRIS") == profits > 0
    table.roll("bob", 4, 6)


@pytest.mark.rule("monopolys:season.3")
def test_the_banker_may_end_the_game_between_two_seasons() -> None:
    table = monopolys(seats=("ana", "bob"))
    ruined(table, "bob")
    table.banker("end_game")
    assert table.state.ended
    assert table.state.winners == ("ana",)
    with pytest.raises(GameOver):
        table.banker("open_season")


def test_a_corrected_history_closes_the_season_anew() -> None:
    """The bankruptcy that ended the season is dropped: the season goes on, and nobody has pocketed anything."""
    table = monopolys(seats=("ana", "bob"))
    ruined(table, "bob")
    assert table.held("treasury:ana", "YRIS") == 0
    assert table.state.stage == "between"
    table.banker(
        "correct",
        edits=[{"op": "drop", "action": table.number}],
        cascade="restate",
        reason="bob had money in another place",
    )
    assert table.state.stage == "play"
    assert table.state.out == ()
