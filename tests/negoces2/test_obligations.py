"""What players owe: the highest bid, the card and coins for sale, the offers of buyers."""

from __future__ import annotations

from ledger.kernel.facts.audience import BANKER, EVERYONE, SPECTATOR, Viewer, only
from ledger.kernel.facts.obligations import Obligation
from ledger.reading.money.obligations import AllObligations
from tests.negoces2.test_ends import decline, eight_each, window
from tests.tables.negoces2 import Table


def owed(table: Table) -> list[Obligation]:
    """The obligations of the table."""
    return [*table.rulebook.agreements.obligations(table.state)]


def test_the_highest_bidder_owes_the_bid_to_the_box() -> None:
    table = Table("auction")
    assert owed(table) == []
    table.play("ana", "bid", amount=1)
    table.play("bob", "bid", amount=3)
    (bid,) = owed(table)
    assert (bid.kind, bid.debtor, bid.creditor, bid.amount, bid.laid) == ("bid", "bob", "box", 3, False)
    assert (bid.rule, bid.commodity) == ("negoces2:auction.9", "coin")
    for seat in ("cid", "dan", "ana"):
        table.play(seat, "withdraw")
    assert owed(table) == []


def test_what_lies_on_the_market_is_owed_until_the_sale_is_over() -> None:
    """The owners alone may know the cards that lie face down."""
    table = Table()
    table.sells("ana", "good:1", "down")
    table.play("ana", "add_coins_to_sale", coins=2)
    table.offering("bob", "good:3", "down", coins=4)
    since = table.requested
    table.offering("cid", "good:5", "up")
    assert [
        (one.kind, one.debtor, one.creditor, one.commodity, one.amount, one.audience) for one in owed(table)
    ] == [
        ("sale", "ana", None, "good:1", 1, only("ana")),
        ("sale", "ana", None, "coin", 2, EVERYONE),
        ("offer", "bob", "hand:ana", "good:3", 1, only("bob")),
        ("offer", "bob", "coins_visible:ana", "coin", 4, EVERYONE),
        ("offer", "cid", "hand:ana", "good:5", 1, EVERYONE),
    ]
    assert [one.since for one in owed(table)] == [None, None, since, since, table.requested]
    assert all(one.laid for one in owed(table))
    table.accepts("ana", "bob")
    assert owed(table) == []


def test_a_preview_names_a_card_to_its_owner_and_the_bank_alone() -> None:
    """Even a card that lies face up by a correction not yet made: a banker who plays sees no more."""
    table = Table()
    table.sells("ana", "good:1")
    table.offering("bob", "good:3", "up", coins=4)
    written = AllObligations(table.rulebook, table.state, "en")

    def offered(viewer: Viewer) -> list[object]:
        return [row.commodity for row in written.seen_by(viewer, foreseen=True) if row.kind == "offer"]

    for viewer in (BANKER, Viewer("player", "bob"), Viewer("player", "ana")):
        assert offered(viewer) == ["good:3", "coin"]
    for viewer in (SPECTATOR, Viewer("player", "cid"), Viewer("banker", "cid", covered=True)):
        assert offered(viewer) == ["card", "coin"]
        assert [row.commodity for row in written.seen_by(viewer)] == ["good:1", "good:3", "coin"]


def test_a_forced_sale_keeps_the_two_cards_of_the_seller_alone() -> None:
    table = Table()
    table.sells("ana", "good:1")
    table.offering("bob", coins=4)
    table.play("ana", "force_sale", card="good:2")
    assert [(one.kind, one.commodity, one.audience) for one in owed(table)][:2] == [
        ("sale", "good:1", EVERYONE),
        ("sale", "good:2", only("ana")),
    ]


def test_in_a_forced_sale_the_seller_owes_a_name_and_a_choice_and_each_buyer_a_card() -> None:
    """All copies of the good lie before their owners until the seller has taken one."""
    table = Table()
    table.sells("ana", "good:1")
    table.play("ana", "force_sale", card="good:2")
    assert [(one.kind, one.debtor, one.rule) for one in owed(table)][2:] == [
        ("announce", "ana", "negoces2:forced.4")
    ]
    table.play("ana", "announce_good", good=3)
    choice, *laid_out = owed(table)[2:]
    assert (choice.kind, choice.debtor, choice.rule) == ("choose", "ana", "negoces2:forced.8")
    assert [(one.kind, one.creditor, one.commodity, one.laid, one.audience) for one in laid_out] == [
        ("forced", "hand:ana", "good:3", True, EVERYONE)
    ] * len(laid_out)
    assert sum(one.amount or 0 for one in laid_out) == 4
    table.play("ana", "choose_card", owner=str(laid_out[0].debtor))
    assert owed(table) == []


def test_after_a_claim_of_victory_each_of_the_others_owes_an_answer() -> None:
    table = window(eight_each())
    table.play("bob", "declare_victory", way="cards")
    assert [(one.kind, one.debtor, one.rule) for one in owed(table)] == [
        ("claim", seat, "negoces2:end.8") for seat in ("ana", "cid", "dan")
    ]
    decline(table, "cid", "ana")
    assert [one.debtor for one in owed(table)] == ["dan"]
