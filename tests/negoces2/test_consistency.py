"""What does not fit together at a table of Négoces 2: numbers of cards, the bid, the next bidder."""

from __future__ import annotations

from ledger.kernel.facts.accounts import Posting
from ledger.rulebooks.negoces2 import RULEBOOK
from ledger.rulebooks.negoces2.cards import COIN
from ledger.rulebooks.negoces2.terms import hand, hidden, visible
from tests.tables.negoces2 import Table


def found(table: Table) -> list[tuple[str, str, tuple[str, ...] | None]]:
    """The inconsistencies: the rule, the sentence, and who may know of them."""
    return [(one.rule, one.en, one.readers) for one in RULEBOOK.play.inconsistencies(table.state)]


def test_hands_that_make_no_seller_are_found() -> None:
    """Bob has a card of Cid's: two players have nine cards, and Cid has seven."""
    table = Table()
    assert found(table) == []
    with table.arranged() as state:
        state.holdings.post(Posting("good:5", 1, hand("cid"), hand("bob")))
    said = "the numbers of cards in the hands do not fit: Ana 9, Bob 9, Cid 7, Dan 8"
    assert found(table) == [("negoces2:seller.2", said, None)]


def test_a_bid_that_is_not_covered_is_for_its_bidder_alone() -> None:
    """Ana has bid 1, and her coins are gone; Bob, who has withdrawn, would be next."""
    table = Table("auction")
    table.play("ana", "bid", amount=1)
    with table.arranged() as state:
        state.holdings.post(Posting(COIN, 15, visible("ana"), hidden("bob")))
        state.withdrawn.add("bob")
    assert found(table) == [
        ("negoces2:auction.6", "the bid of Ana is 1, more than their coins", ("ana",)),
        ("negoces2:auction.5", "it is the turn of Bob, who has withdrawn from the auction", None),
    ]
