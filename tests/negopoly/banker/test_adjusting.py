"""P.1. What `adjust` refuses: prices that nobody holds, things without effect, places and limits of the rules."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.table.pieces import ITEMS
from ledger.rulebooks.negopoly.table.state import houses_on, is_mortgaged
from ledger.rulebooks.negopoly.table.terms import attached
from ledger.rulebooks.negopoly.turns import victory
from tests.tables.negopoly import STREET, Table, ruled, ruling_refused


def adjust(commodity: str, amount: int, source: str, target: str) -> dict[str, Any]:
    """The remedy that moves so much of a commodity from one account to another."""
    posting = {"from": source, "to": target, "commodity": commodity, "amount": amount}
    return {"op": "adjust", "postings": [posting], "reason": "so"}


def given(commodity: str, amount: int = 1) -> dict[str, Any]:
    """The remedy that gives Ana something of the bank's."""
    return adjust(commodity, amount, "bank", "player:ana")


@pytest.mark.rule("II.E.5")
@pytest.mark.parametrize("price", ["contract_round", "meeting_minute", "express_delivery", "attack", "unmortgage"])
def test_a_row_of_the_price_list_that_nobody_holds_is_no_wealth(price: str) -> None:
    """Ten rounds of a contract would count as 300 ₦ of Ana's net worth, and could not be used."""
    table = Table("ana", "bob")
    before = victory.net_worth(table.state, "ana")
    assert ITEMS[price].name in ruling_refused(table, "II.E.5", given(price, 10))
    assert victory.net_worth(table.state, "ana") == before


@pytest.mark.rule("IX.B.10", "VI.D.3", "VI.E.2")
def test_what_has_no_effect_by_itself_has_a_remedy_of_its_own() -> None:
    """A hack without a target, a racket nobody waits in, a trainer bribed for no round."""
    table = Table("ana", "bob")
    assert "grant_service" in ruling_refused(table, "IX.B.10", given("hack"))
    assert "set_rackets" in ruling_refused(table, "VI.D.3", given("prison_racket"))
    assert "set_k9" in ruling_refused(table, "VI.E.2", given("k9_bribe"))


@pytest.mark.rule("V.C.2")
def test_a_title_takes_five_houses_unless_the_ruling_sets_that_aside() -> None:
    table = Table("ana", "bob")
    table.own("ana", STREET, houses=2)
    eight = adjust("house", 6, "bank", attached(STREET))
    assert "8 houses" in ruling_refused(table, "V.C.2", eight)
    ruled(table, adjust("house", 3, "bank", attached(STREET)))
    assert houses_on(table.state, STREET) == 5
    ruled(table, adjust("house", 3, "bank", attached(STREET)), waives=["V.C.2"])
    ruled(table, adjust("house", 1, attached(STREET), "bank"))
    assert houses_on(table.state, STREET) == 7
    assert not table.last.warnings


@pytest.mark.rule("V.B.1", "V.B.10", "IX.B.7")
def test_a_title_is_mortgaged_and_squatted_once_and_only_while_a_player_owns_it() -> None:
    table = Table("ana", "bob")
    table.own("ana", STREET)
    for thing, rule in (("mortgage", "V.B.1"), ("squat", "IX.B.7")):
        ruling_refused(table, rule, adjust(thing, 2, "bank", attached(STREET)))
        ruled(table, adjust(thing, 1, "bank", attached(STREET)))
        ruling_refused(table, rule, adjust(thing, 1, "bank", attached(STREET)))
        ruling_refused(table, "V.B.10", adjust(thing, 1, "bank", attached("bassland")))
    assert is_mortgaged(table.state, STREET)
    assert "Bassland" in ruling_refused(table, "V.B.10", adjust("house", 1, "bank", attached("bassland")))


@pytest.mark.rule("VI.A.4", "VI.A.8")
def test_a_player_has_one_licence_and_six_cards_make_the_weather() -> None:
    table = Table("ana", "bob", decks=True)
    ruling_refused(table, "VI.A.4", given("licence", 2))
    ruled(table, given("licence"))
    assert "Ana has 2 licences" in ruling_refused(table, "VI.A.4", given("licence"))
    drawn = [f"meteo_0{number}" for number in range(1, 7)]
    ruled(table, *(adjust(f"card:{card}", 1, "deck:meteo", "weather") for card in drawn))
    ruling_refused(table, "VI.A.8", adjust("card:meteo_07", 1, "deck:meteo", "weather"))


@pytest.mark.rule("P.1")
@pytest.mark.parametrize(
    ("commodity", "account"),
    [
        ("NGD", "property:negotown"),
        ("house", "player:ana"),
        ("dose", "deck:chance"),
        ("tank", "shop:bar"),
        ("card:kamtar_02", "discard:chance"),
        ("card:kamtar_02", "weather"),
    ],
)
def test_a_thing_is_moved_only_where_it_has_a_place(commodity: str, account: str) -> None:
    table = Table("ana", "bob", decks=True)
    source = "deck:kamtar" if commodity.startswith("card:") else "bank"
    ruling_refused(table, "P.1", adjust(commodity, 1, source, account))


def test_what_may_be_moved_is_the_same_for_everybody_and_depends_on_nothing_hidden() -> None:
    """A dose in Bob's hands and a hack of his change nothing of the list; what is listed may be moved."""
    table = Table("ana", "bob", decks=True)
    before = RULEBOOK.accounts.movable(table.state)
    table.give("bob", "dose")
    table.hack("bob", "ana")
    assert RULEBOOK.accounts.movable(table.state) == before
    assert "contract_round" not in before
    assert "hack" not in before
    for commodity, accounts in before.items():
        assert RULEBOOK.accounts.knows_commodity(table.state, commodity)
        assert all(RULEBOOK.accounts.knows_account(table.state, account) for account in accounts)
