"""Corrected histories: bids and sales count in the turn in which the table played them (seller.2)."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.audience import Viewer
from ledger.rulebooks.negoces2.auction import BidderWithdrew
from ledger.rulebooks.negoces2.sales import SaleBrokenOff
from tests.tables.negoces2 import Table


def drop(table: Table, number: int) -> None:
    edits = [{"op": "drop", "action": number}]
    table.banker("correct", edits=edits, cascade="restate", reason="it was never said")


def forced() -> tuple[Table, int]:
    """Ana forces the sale of two hidden cards; Dan gets both, and sells to Bob."""
    table = Table()
    table.sells("ana", "good:1", "down")
    table.play("ana", "force_sale", card="contraband")
    table.play("ana", "announce_good", good=8)
    table.play("ana", "choose_card", owner="dan")
    chosen = table.number
    table.passes("dan", "bob", "good:7")
    return table, chosen


@pytest.mark.rule("negoces2:seller.2", "negoces2:banker.2")
def test_a_sale_without_an_end_comes_to_nothing_and_the_next_one_counts() -> None:
    """Ana never chose: her cards go back, Dan's are taken back, and he sells as the table played it."""
    table, chosen = forced()
    drop(table, chosen)
    assert [table.standing(chosen + past).status for past in (1, 2, 3)] == ["restated", "effective", "effective"]
    assert table.standing(chosen + 3).events[-1].next_seller == "bob"
    assert table.cards() == {"ana": 9, "bob": 9, "cid": 8, "dan": 7}
    assert (table.hand("ana")["good:1"], table.hand("dan")["good:8"]) == (4, 4)
    (event,) = table.last.events
    assert [warned.en for warned in event.warnings] == [
        "the numbers of cards in the hands do not fit: Ana 9, Bob 9, Cid 8, Dan 7"
    ]


@pytest.mark.rule("negoces2:seller.2")
def test_the_banker_sets_the_hands_right() -> None:
    table, chosen = forced()
    drop(table, chosen)
    refusal = table.refused("bob", "offer_for_sale", "negoces2:seller.2", card="good:7")
    assert refusal.en.endswith("sets the hands right: Ana 9, Bob 9, Cid 8, Dan 7")

    def moved(source: str, target: str) -> dict[str, object]:
        posting = {"from": f"hand:{source}", "to": f"hand:{target}", "commodity": "good:1", "amount": 1}
        return {"finding": "so it lies", "remedies": [{"op": "adjust", "reason": "so", "postings": [posting]}]}

    table.refused("banker", "rule", "negoces2:seller.2", **moved("ana", "bob"))
    table.banker("rule", **moved("ana", "dan"))
    table.sells("bob", "good:7")


@pytest.mark.rule("negoces2:secrecy.1")
def test_cards_that_lay_face_down_go_back_unseen() -> None:
    table, chosen = forced()
    drop(table, chosen)
    event = table.standing(chosen + 1).events[0]
    assert isinstance(event, SaleBrokenOff)
    seen = event.redacted(Viewer("player", "dan"))
    assert [posting.commodity for posting in seen.postings] == ["card", "card", "good:8"]
    assert event.audience().admits(Viewer("player", "ana"))
    assert not event.audience().admits(Viewer("player", "dan"))


@pytest.mark.rule("negoces2:seller.2")
def test_offers_and_coins_of_a_sale_without_an_end_go_back() -> None:
    """Nothing was accepted: Bob has his card and Ana her coins again when she sells the next card."""
    table = Table()
    table.sells("ana", "good:1")
    table.play("ana", "add_coins_to_sale", coins=2)
    table.offering("bob", "good:3")
    table.accepts("ana", "bob")
    accepted = table.number
    table.sells("ana", "good:2")
    drop(table, accepted)
    assert [type(event).__name__ for event in table.standing(accepted + 1).events] == [
        "OfferReturned",
        "SaleBrokenOff",
        "CardLaid",
    ]
    assert (table.coins("ana"), table.hand("bob")["good:3"], table.view(None)["seller"]) == ((14, 0), 4, "ana")
    assert table.last.events[0].warnings == ()


@pytest.mark.rule("negoces2:auction.3", "negoces2:seller.2")
def test_an_auction_without_an_end_is_over_by_the_first_sale() -> None:
    """Bob's raise and his withdrawal are dropped: Cid's raise by three stands, and Bob has withdrawn by then."""
    table = Table("auction")
    table.play("ana", "bid", amount=1)
    table.play("bob", "bid", amount=2)
    raised = table.number
    table.play("cid", "bid", amount=4)
    for seat in ("dan", "ana", "bob"):
        table.play(seat, "withdraw")
    table.sells("cid", "contraband")
    drop(table, raised)
    assert table.standing(raised + 1).status == "effective"
    drop(table, table.number - 2)
    assert table.standing(table.number - 2).events[0] == BidderWithdrew(seat="bob", turn="cid")
    assert (table.state.bid, table.state.withdrawn) == (4, {"ana", "bob", "dan"})
    assert table.view(None)["sale"]["seller"] == "cid"


def test_an_inserted_sale_is_judged_by_the_hands() -> None:
    """The table has not played it: a correction that makes a buyer sell is refused."""
    table = Table()
    table.passes("ana", "bob", "good:1")
    sale = {"kind": "offer_for_sale", "seat": "cid", "params": {"card": "good:5"}}
    edits = [{"op": "insert", "after": table.number, "action": sale}]
    table.refused("banker", "correct", "negoces2:seller.3", edits=edits, cascade="restate", reason="late")
