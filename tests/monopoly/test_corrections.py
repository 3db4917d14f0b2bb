"""Mistyped throws put right, and rulings: what decides itself, what stands, and what falls."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.kernel.arbitration import docket
from ledger.kernel.deciding import steps as game
from ledger.kernel.deciding.replanning import Plan
from ledger.kernel.facts.refusals import NeedsDraw, RuleBroken
from ledger.kernel.rules.draft import Request
from ledger.rulebooks.monopoly.table.settings import Settings
from ledger.rulebooks.parts.opening import stored_settings
from tests.monopoly.table import Table, monopolys, naruto


def thrown(table: Table, *dice: int) -> int:
    """Ana throws. Give the number of the action."""
    table.roll("ana", *dice)
    return table.number


def mistyped(table: Table, number: int, *dice: int) -> Plan:
    """The banker replaces the dice of a throw; later actions are decided again. Give what was planned."""
    edits = [{"op": "replace", "action": number, "params": {"dice": list(dice)}}]
    found = table.what_if(*edits)
    table.banker("correct", edits=edits, cascade="restate", reason="a mistyped throw")
    return found


def fallen(found: Plan) -> list[str]:
    """The kinds of the actions that fall."""
    return [one.timeline_entry.entry.kind for one in found.voided]


def by_itself(table: Table) -> list[str]:
    """The kinds of the steps that corrections have inserted, and that still do something."""
    return [one.entry.kind for one in table.timeline().effective() if one.is_default_step and one.events]


def wanted(found: Plan) -> list[tuple[str, str | None]]:
    """The actions for which nobody has thrown or drawn, and who would."""
    return [(type(one.action).kind, one.seat) for one in found.needs]


# ----------------------------------------------------------------------------------------------
# Rents
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("naruto:rent.1")
@pytest.mark.rule("naruto:banker.2")
@pytest.mark.parametrize("claim", [{}, {"title": "bleu_clair_1"}])
def test_a_claim_stands_where_the_corrected_stop_is_still_the_owners(claim: dict[str, str]) -> None:
    """Ana threw 9 and not 6. Both stops are Bob's, who gets the rent of the other one."""
    table = naruto()
    table.give("bob", "bleu_clair_1", "bleu_clair_3")
    throw = thrown(table, 2, 4)
    table.play("bob", "claim_rent", **claim)
    table.play("ana", "pay_debt")
    table.play("ana", "end_turn")
    table.roll("bob", 4, 6)
    assert table.cash("ana") == 1494
    found = mistyped(table, throw, 4, 5)
    assert fallen(found) == []
    assert (table.cash("ana"), table.cash("bob")) == (1492, 1508)
    assert table.state.positions == {"ana": 9, "bob": 10, "cid": 0}


@pytest.mark.rule("naruto:rent.1")
def test_a_claim_falls_where_the_corrected_stop_is_nobodys() -> None:
    """Ana threw 8 and not 6. Bob's claim and her payment fall; the title that she has not bought is declined."""
    table = naruto()
    table.give("bob", "bleu_clair_1")
    throw = thrown(table, 2, 4)
    table.play("bob", "claim_rent")
    table.play("ana", "pay_debt")
    table.play("ana", "end_turn")
    table.roll("bob", 4, 6)
    found = mistyped(table, throw, 3, 5)
    assert fallen(found) == ["claim_rent", "pay_debt"]
    assert by_itself(table) == ["decline_property", "pass_bid", "pass_bid", "pass_bid", "close_auction"]
    assert (table.cash("ana"), table.cash("bob")) == (1500, 1500)
    assert table.owner("bleu_clair_2") is None
    assert (table.state.turn, table.state.positions["bob"]) == ("bob", 10)


@pytest.mark.rule("naruto:rent.4")
def test_a_rent_that_only_the_corrected_stop_opens_lapses_with_the_next_throw() -> None:
    table = naruto()
    table.give("bob", "bleu_clair_1")
    throw = thrown(table, 4, 6)
    table.play("ana", "end_turn")
    table.roll("bob", 1, 2)
    found = mistyped(table, throw, 2, 4)
    assert (fallen(found), by_itself(table)) == ([], [])
    assert table.cash("ana") == 1500
    assert table.state.rents == []


# ----------------------------------------------------------------------------------------------
# Purchases and auctions
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("naruto:recruit.2")
def test_a_purchase_is_of_the_title_where_the_corrected_throw_leads() -> None:
    table = naruto()
    throw = thrown(table, 2, 4)
    table.play("ana", "buy_property")
    table.play("ana", "end_turn")
    found = mistyped(table, throw, 4, 5)
    assert fallen(found) == []
    assert (table.owner("bleu_clair_1"), table.owner("bleu_clair_3"), table.cash("ana")) == (None, "ana", 1380)


@pytest.mark.rule("naruto:auction.1")
@pytest.mark.rule("naruto:auction.5")
def test_bids_stand_for_the_title_where_the_corrected_throw_leads() -> None:
    """The table has auctioned the title on which Ana stood, whatever was typed."""
    table = naruto()
    throw = thrown(table, 2, 4)
    table.play("ana", "decline_property")
    table.play("bob", "bid", amount=70)
    table.play("ana", "pass_bid")
    table.play("cid", "pass_bid")
    table.banker("close_auction")
    table.play("ana", "end_turn")
    found = mistyped(table, throw, 4, 5)
    assert fallen(found) == []
    assert (table.owner("bleu_clair_1"), table.owner("bleu_clair_3"), table.cash("bob")) == (None, "bob", 1430)
    assert table.escrow() == 0


@pytest.mark.rule("naruto:auction.1")
def test_an_auction_falls_where_the_corrected_throw_leads_to_a_visit() -> None:
    table = naruto()
    throw = thrown(table, 2, 4)
    table.play("ana", "decline_property")
    table.play("bob", "bid", amount=70)
    table.play("ana", "pass_bid")
    table.play("cid", "pass_bid")
    table.banker("close_auction")
    table.play("ana", "end_turn")
    found = mistyped(table, throw, 4, 6)
    assert fallen(found) == ["decline_property", "bid", "pass_bid", "pass_bid", "close_auction"]
    assert (table.owner("bleu_clair_1"), table.cash("bob"), table.state.turn) == (None, 1500, "bob")


@pytest.mark.rule("naruto:auction.1")
def test_a_title_that_only_the_corrected_throw_offers_is_declined_and_stays_with_the_bank() -> None:
    """Ana threw 6 and not 10: she has not bought what she stood on, and nobody has bid."""
    table = naruto()
    throw = thrown(table, 4, 6)
    table.play("ana", "end_turn")
    table.roll("bob", 4, 6)
    found = mistyped(table, throw, 2, 4)
    assert fallen(found) == []
    assert by_itself(table) == ["decline_property", "pass_bid", "pass_bid", "pass_bid", "close_auction"]
    assert (table.owner("bleu_clair_1"), table.state.turn, table.state.positions["bob"]) == (None, "bob", 10)


# ----------------------------------------------------------------------------------------------
# Taxes and debts
# ----------------------------------------------------------------------------------------------


def test_a_tax_that_only_the_corrected_throw_asks_is_paid() -> None:
    table = naruto()
    throw = thrown(table, 4, 6)
    table.play("ana", "end_turn")
    found = mistyped(table, throw, 1, 3)
    assert (fallen(found), by_itself(table), table.cash("ana")) == ([], ["pay_tax"], 1300)


@pytest.mark.rule("naruto:debt.1")
def test_a_tax_above_a_players_money_is_paid_by_buildings_and_mortgages() -> None:
    table = naruto()
    table.give("ana", "brown", "deidara")
    table.build(brun_1=1, brun_2=1)
    table.purse("ana", 50)
    throw = thrown(table, 4, 6)
    table.play("ana", "end_turn")
    found = mistyped(table, throw, 1, 3)
    assert fallen(found) == []
    steps = by_itself(table)
    assert steps == ["pay_tax", "sell_building", "sell_building", "mortgage", "mortgage", "mortgage", "pay_debt"]
    assert (table.houses("brun_1", "brun_2"), table.cash("ana")) == ([0, 0], 50 + 50 + 30 + 30 + 100 - 200)
    assert (table.state.debts, table.state.turn) == ([], "bob")


def test_a_tax_that_a_player_can_never_pay_ends_in_bankruptcy() -> None:
    table = naruto()
    table.purse("ana", 50)
    throw = thrown(table, 4, 6)
    table.play("ana", "end_turn")
    table.roll("bob", 4, 6)
    found = mistyped(table, throw, 1, 3)
    assert fallen(found) == []
    assert by_itself(table) == ["pay_tax", "declare_bankruptcy"]
    assert (table.state.out, table.state.turn, table.state.positions["bob"]) == (("ana",), "bob", 10)


def test_lots_that_open_by_themselves_are_sold_by_themselves_in_a_corrected_history() -> None:
    """Ana's corrected throw ruins her: both auctions open without a banker, and close without bids."""
    table = monopolys()
    table.give("ana", "iumee", "avarys")
    table.mortgaged("iumee", "avarys")
    table.purse("ana", 50)
    table.stand("ana", "douane_2", before=4)
    throw = thrown(table, 3, 4)
    table.play("ana", "end_turn")
    table.roll("bob", 4, 6)
    found = mistyped(table, throw, 1, 3)
    assert fallen(found) == []
    assert by_itself(table)[:2] == ["pay_tax", "declare_bankruptcy"]
    assert by_itself(table)[2:] == 2 * ["pass_bid", "pass_bid", "close_auction"]
    assert (table.state.out, table.state.turn, table.state.auction) == (("ana",), "bob", None)


@pytest.mark.rule("monopolys:rent.1")
def test_a_rent_that_is_taken_at_once_moves_with_the_corrected_stop() -> None:
    """In Monopolys nobody claims: the rent goes to the owner of the title where the throw leads."""
    table = monopolys()
    table.give("bob", "ysmir")
    table.give("cid", "yaltabys")
    throw = thrown(table, 2, 4)
    table.play("ana", "end_turn")
    before = (table.cash("bob"), table.cash("cid"))
    found = mistyped(table, throw, 3, 5)
    assert fallen(found) == []
    assert (table.cash("bob"), table.cash("cid")) == (before[0] - 600, before[1] + 600)


# ----------------------------------------------------------------------------------------------
# Throws and cards that nobody has made
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("naruto:turn.4")
def test_a_throw_that_a_corrected_double_would_give_is_asked_for_and_the_history_goes_on() -> None:
    """Ana threw a double. The throw after it is missing; it may be supplied, and the turn ends all the same."""
    table = naruto()
    throw = thrown(table, 4, 6)
    table.play("ana", "end_turn")
    table.roll("bob", 4, 6)
    found = mistyped(table, throw, 5, 5)
    assert (fallen(found), by_itself(table)) == ([], ["forgo"])
    assert wanted(found) == [("roll_and_move", "ana")]
    assert (table.state.turn, table.state.positions["bob"]) == ("bob", 10)


@pytest.mark.rule("monopolys:venys.2")
@pytest.mark.parametrize(("settings", "cash"), [({}, 150_000), ({"stay_by_throw": False}, 170_000)])
def test_who_has_not_thrown_is_paid_nothing_for_staying_on_venys(settings: dict[str, bool], cash: int) -> None:
    """Ana's first throw never was, and her turn ends where her token was placed. Older games paid for that."""
    table = monopolys(**settings)
    throw = thrown(table, 4, 6)
    table.play("ana", "end_turn")
    table.roll("bob", 4, 6)
    table.banker("correct", edits=[{"op": "drop", "action": throw}], cascade="restate", reason="never thrown")
    assert (table.state.positions["ana"], table.state.turn) == (0, "bob")
    assert table.cash("ana") == cash
    assert stored_settings(Settings, {}).stay_by_throw is False


@pytest.mark.rule("monopolys:venys.2")
def test_venys_never_pays_a_third_time() -> None:
    """Ana comes to Venys and stays: 40 000. Her next throw never was, and staying on pays nothing."""
    table = monopolys(seats=("ana", "bob"))
    table.arrive("ana", "venys")
    table.play("ana", "end_turn")
    table.roll("bob", 4, 6)
    table.play("bob", "end_turn")
    throw = thrown(table, 4, 6)
    table.play("ana", "end_turn")
    table.roll("bob", 4, 6)
    table.banker("correct", edits=[{"op": "drop", "action": throw}], cascade="restate", reason="never thrown")
    assert (table.state.positions["ana"], table.cash("ana")) == (0, 190_000)


@pytest.mark.rule("naruto:turn.4")
def test_a_second_throw_falls_where_the_first_one_was_no_double() -> None:
    table = naruto()
    throw = thrown(table, 5, 5)
    table.roll("ana", 4, 6)
    table.play("ana", "end_turn")
    table.roll("bob", 4, 6)
    found = mistyped(table, throw, 4, 6)
    assert fallen(found) == ["roll_and_move"]
    assert table.state.positions == {"ana": 10, "bob": 10, "cid": 0}


@pytest.mark.rule("naruto:card.1")
def test_a_card_that_nobody_drew_is_asked_for_and_the_history_goes_on() -> None:
    table = naruto()
    throw = thrown(table, 4, 6)
    table.play("ana", "end_turn")
    found = mistyped(table, throw, 3, 4)
    assert (fallen(found), by_itself(table)) == ([], ["forgo"])
    assert wanted(found) == [("draw_card", "ana")]
    assert table.state.turn == "bob"
    told = table.told(
        [event for one in table.timeline().effective() if one.is_default_step for event in one.events]
    )
    assert told == ["The game goes on without the card of Ana."]


@pytest.mark.rule("naruto:card.1")
def test_the_card_may_be_told_in_the_same_correction() -> None:
    table = naruto()
    throw = thrown(table, 4, 6)
    table.play("ana", "end_turn")
    card = next(table.rulebook.blank().edition.pieces.cards_of("mission")).id
    drawn = {"kind": "draw_card", "seat": "ana", "params": {"card": card}}
    edits = [
        {"op": "replace", "action": throw, "params": {"dice": [3, 4]}},
        {"op": "insert", "after": throw, "action": drawn},
    ]
    assert wanted(table.what_if(*edits)) == []


def test_what_a_correction_has_settled_goes_with_it() -> None:
    """Ana threw 10 after all, as it was typed first: no tax is paid, and nothing declined."""
    table = naruto()
    throw = thrown(table, 4, 6)
    table.play("ana", "end_turn")
    table.roll("bob", 4, 6)
    mistyped(table, throw, 1, 3)
    assert by_itself(table) == ["pay_tax"]
    mistyped(table, throw, 2, 4)
    assert by_itself(table)[0] == "decline_property"
    mistyped(table, throw, 4, 6)
    assert (by_itself(table), table.cash("ana"), table.state.turn) == ([], 1500, "bob")


@pytest.mark.rule("naruto:gotojail.3")
def test_a_turn_that_the_corrected_throw_ends_in_prison_needs_no_other_end() -> None:
    table = naruto()
    table.stand("ana", "parc_gratuit")
    throw = thrown(table, 4, 5)
    table.play("ana", "decline_property")
    for seat in table.seats:
        table.play(seat, "pass_bid")
    table.banker("close_auction")
    table.play("ana", "end_turn")
    table.roll("bob", 4, 6)
    found = mistyped(table, throw, 4, 6)
    assert table.state.jailed == {"ana": 0}
    assert fallen(found) == ["decline_property", *["pass_bid"] * 3, "close_auction"]
    assert (table.state.turn, table.state.positions["bob"]) == ("bob", 10)


def test_a_turn_that_prison_has_ended_goes_on_where_the_corrected_throw_leads_elsewhere() -> None:
    """Ana threw 9 and not 10: no prison. What her stop offers is declined, and Bob's turn comes as it came."""
    table = naruto()
    table.stand("ana", "parc_gratuit")
    throw = thrown(table, 4, 6)
    table.roll("bob", 4, 6)
    found = mistyped(table, throw, 4, 5)
    assert fallen(found) == []
    assert by_itself(table)[-2:] == ["close_auction", "end_turn"]
    assert (table.state.jailed, table.state.turn, table.state.positions["bob"]) == ({}, "bob", 10)


# ----------------------------------------------------------------------------------------------
# In play
# ----------------------------------------------------------------------------------------------


def settled(table: Table, seat: str, kind: str, **params: Any) -> list[str]:
    """The kinds of the steps that are taken before an action, when the banker asks to settle them."""
    action = table.rulebook.codec.action(kind, msgspec.json.encode(params))
    request = Request(action=action, seat=seat, by="banker", at=table.now)
    steps, decision = game.decide_after_steps(table.rulebook, table.state, request, table.past, None)
    assert decision.events
    return [step.action.kind for step, _ in steps]


def test_a_tax_is_paid_and_the_turn_ended_before_the_next_player_throws() -> None:
    table = naruto()
    table.roll("ana", 1, 3)
    assert settled(table, "bob", "roll_and_move", dice=[1, 2]) == ["pay_tax", "end_turn"]


def test_a_purchase_that_nobody_decided_is_declined_and_its_auction_closed() -> None:
    table = naruto()
    table.roll("ana", 1, 2)
    assert settled(table, "ana", "end_turn") == ["decline_property", *["pass_bid"] * 3, "close_auction"]
    table.play("ana", "decline_property")
    table.play("bob", "bid", amount=10)
    assert settled(table, "bob", "roll_and_move", dice=[1, 2]) == [*["pass_bid"] * 2, "close_auction", "end_turn"]


def test_a_claimed_rent_is_paid_by_mortgages_before_the_next_throw() -> None:
    table = naruto()
    table.give("bob", "orange")
    table.give("ana", "brown", "deidara")
    table.purse("ana", 20)
    table.arrive("ana", "orange_3")
    table.play("bob", "claim_rent")
    steps = settled(table, "bob", "roll_and_move", dice=[1, 2])
    assert steps == ["mortgage", "pay_debt", "end_turn"]


def test_nobody_throws_or_draws_for_a_player_of_a_table_with_its_own_dice() -> None:
    table = naruto()
    with pytest.raises(RuleBroken, match="it is Ana's turn"):
        settled(table, "bob", "roll_and_move", dice=[1, 2])
    table.roll("ana", 3, 4)
    with pytest.raises(NeedsDraw) as needed:
        settled(table, "bob", "roll_and_move", dice=[1, 2])
    assert type(needed.value.action).kind == "draw_card"


# ----------------------------------------------------------------------------------------------
# Rulings
# ----------------------------------------------------------------------------------------------


def ruled(table: Table, op: str, **params: Any) -> list[str]:
    """The banker rules with one remedy of their own motion. Give what is told of it."""
    return table.told(table.banker("rule", finding="So it is.", remedies=[{"op": op, **params}]))


@pytest.mark.rule("naruto:banker.2")
def test_a_ruling_has_a_rent_paid_that_was_forgotten() -> None:
    table = naruto()
    table.give("bob", "orange_1")
    ruled(table, "award_debt", seat="ana", to="bob", amount=14, title="orange_1")
    assert (table.cash("ana"), table.cash("bob")) == (1486, 1514)
    told = ruled(table, "award_debt", seat="ana", to="bob", amount=36)
    assert told[0] == "Ana pays 36 M to Bob, as ruled."


def test_a_ruling_waives_a_rent_and_forgives_a_debt() -> None:
    table = naruto()
    table.give("bob", "orange_1")
    table.arrive("ana", "orange_1")
    ruled(table, "waive_rent", title="orange_1")
    table.refused("bob", "claim_rent", "naruto:rent.4")
    table.purse("ana", 10)
    ruled(table, "award_debt", seat="ana", to="bank", amount=100)
    assert [(one.debtor, one.amount) for one in table.state.debts] == [("ana", 100)]
    told = ruled(table, "forgive_debt", seat="ana")
    assert told[0] == "Ana no longer owes 100 M to the bank."
    assert table.state.debts == []


def test_a_ruling_fines_moves_and_imprisons() -> None:
    table = naruto()
    ruled(table, "fine", seat="ana", amount=30)
    assert table.cash("ana") == 1470
    assert ruled(table, "move_seat", seat="bob", square=20)[0].startswith("Bob is put on Parc gratuit")
    assert table.state.positions["bob"] == 20
    ruled(table, "imprison", seat="ana")
    assert (table.state.jailed, table.state.turn) == ({"ana": 0}, "bob")
    ruled(table, "set_turn", seat="cid")
    assert table.state.turn == "cid"


def test_a_ruling_moves_a_title_and_no_building_without_its_group() -> None:
    table = naruto()
    deed = {"from": "bank", "to": "player:ana", "commodity": "title:orange_1", "amount": 1}
    ruled(table, "adjust", postings=[deed], reason="bought at the table")
    assert table.owner("orange_1") == "ana"
    house = {"from": "stock", "to": "property:orange_1", "commodity": "house", "amount": 1}
    table.refused(
        None,
        "rule",
        "naruto:food.1",
        finding="So it is.",
        remedies=[{"op": "adjust", "postings": [house], "reason": "built at the table"}],
    )
    table.refused(
        None,
        "rule",
        "naruto:banker.2",
        finding="So it is.",
        remedies=[{"op": "adjust", "postings": [{**house, "to": "player:ana"}], "reason": "no"}],
    )


def test_a_correction_that_keeps_what_followed_says_what_no_longer_fits() -> None:
    """Without the purchase of its last title, the group with houses is no longer whole."""
    table = naruto()
    table.give("ana", "orange_1", "orange_2")
    table.arrive("ana", "orange_3")
    table.play("ana", "buy_property")
    bought = table.number
    for title in ("orange_1", "orange_2"):
        table.play("ana", "build", title=title)
    table.banker("correct", edits=[{"op": "drop", "action": bought}], cascade="keep", reason="never bought")
    assert [(one.rule, one.about) for one in table.rulebook.play.inconsistencies(table.state)] == [
        ("naruto:food.1", "split:orange")
    ]


def test_disputes_beyond_a_later_bound_stand_in_a_corrected_history(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bob opened three disputes when nothing bounded them. A correction before them leaves all three."""
    table = naruto()
    table.roll("ana", 1, 3)
    thrown = table.number
    for claim in ("One.", "Two.", "Three."):
        table.play("bob", "open_dispute", actions=[thrown], claim=claim)
    opened = sorted(table.state.disputes)
    monkeypatch.setattr(docket, "MOST_OPEN", 2)
    edits = [{"op": "replace", "action": thrown, "params": {"dice": [1, 2]}}]
    table.banker("correct", edits=edits, cascade="restate", reason="a mistyped throw")
    assert sorted(table.state.disputes) == opened
    table.refused("bob", "open_dispute", "naruto:banker.2", actions=[thrown], claim="Four.")
