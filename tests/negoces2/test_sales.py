"""Sales: the seller puts a card on the market, negotiates, and sells to the buyer of their choice."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.refusals import RuleBroken, UnknownKind
from ledger.rulebooks.negoces2 import RULEBOOK
from ledger.rulebooks.negoces2.cards import COIN
from tests.tables.negoces2 import SEATS, Table, say

# The card -------------------------------------------------------------------------------------------


@pytest.mark.rule("negoces2:sale.1")
def test_the_seller_lays_one_card_of_their_hand() -> None:
    """Not one that they do not hold, and no second one; Contraband is a card like any other."""
    table = Table()
    table.refused("ana", "offer_for_sale", "negoces2:sale.1", card="good:3", face="up")
    table.malformed("ana", "offer_for_sale", card="good:9", face="up")
    table.malformed("ana", "offer_for_sale", card="coin", face="up")
    table.sells("ana", "contraband")
    assert table.holds("market:sale_card", "contraband") == 1
    assert sum(table.hand("ana").values()) == 8
    table.refused("ana", "offer_for_sale", "negoces2:sale.1", card="good:1", face="up")


@pytest.mark.rule("negoces2:sale.2")
def test_a_card_lies_face_up_for_all_or_face_down_for_its_seller() -> None:
    """Face up everybody sees the card; face down they see only its presence. Unsaid, it lies face up."""
    for face, seen in (("up", {"good:1": 1}), ("down", {"card": 1})):
        table = Table()
        (laid,) = table.sells("ana", "good:1", face)
        assert laid.face == face
        for viewer in (None, "bob", "cid", "dan"):
            assert table.account("market:sale_card", viewer) == seen
            assert table.view(viewer)["sale"].get("card") == ("good:1" if face == "up" else None)
            assert table.view(viewer)["sale"]["face"] == face
        assert table.account("market:sale_card", "ana") == {"good:1": 1}
        assert table.view("ana")["sale"]["card"] == "good:1"
    (laid,) = Table().play("ana", "offer_for_sale", card="good:1")
    assert laid.face == "up"


@pytest.mark.rule("negoces2:sale.3", "negoces2:sale.4")
def test_a_card_on_the_market_is_neither_turned_nor_taken_back() -> None:
    """No player has such a move, and the seller cannot undo the action."""
    table = Table()
    table.sells("ana", "good:1", "down")
    for seat in SEATS:
        assert table.kinds(seat) <= {"make_offer", "force_sale", "add_coins_to_sale", "hide_coins"}
    with pytest.raises(RuleBroken, match="for good") as refused:
        table.undo("ana")
    assert refused.value.rule == "negoces2:sale.4"


@pytest.mark.rule("negoces2:sale.5")
def test_a_sale_ends_with_a_buyer_or_by_force_only() -> None:
    """No cancelling, no passing, no closing; without an offer all that is left is to force the sale."""
    table = Table()
    table.sells("ana", "good:1")
    for kind in ("cancel_sale", "pass", "close_sale", "take_back_card"):
        with pytest.raises(UnknownKind):
            table.play("ana", kind)
    table.refused("ana", "accept_offer", "negoces2:sale.15", buyer="bob", revision="1")
    table.refused("ana", "declare_victory", "negoces2:end.1", way="coins")
    assert table.offers("ana", "accept_offer") == []
    assert len(table.offers("ana", "force_sale")) == 3
    table.play("ana", "force_sale", card="contraband")
    table.play("ana", "announce_good", good=3)
    *_, ended = table.play("ana", "choose_card", owner="bob")
    assert (ended.seller, ended.next_seller) == ("ana", "bob")


# The seller's coins ---------------------------------------------------------------------------------


@pytest.mark.rule("negoces2:sale.14")
def test_the_seller_lays_coins_on_the_card_and_takes_them_off_again() -> None:
    """As often as she likes, where all see them, and no more than she has."""
    table = Table()
    table.refused("ana", "add_coins_to_sale", "negoces2:sale.14", coins=1)
    table.sells("ana", "good:1", "down")
    table.refused("ana", "add_coins_to_sale", "negoces2:sale.14", coins=15)
    table.play("ana", "add_coins_to_sale", coins=4)
    table.play("ana", "add_coins_to_sale", coins=2)
    table.play("ana", "remove_coins_from_sale", coins=5)
    assert (table.coins("ana"), table.holds("market:sale_coins", COIN)) == ((13, 0), 1)
    assert table.account("market:sale_coins", None) == {"coin": 1}
    refusal = table.refused("ana", "remove_coins_from_sale", "negoces2:sale.14", coins=2)
    assert refusal.en == "coins on the card: 1; 2 cannot be taken off"
    table.play("ana", "force_sale", card="good:2")
    table.refused("ana", "add_coins_to_sale", "negoces2:sale.14", coins=1)


@pytest.mark.rule("negoces2:sale.14", "negoces2:coins.2")
def test_the_seller_may_lay_hidden_coins_and_gets_those_back_where_they_were() -> None:
    """Ana has 4 visible and 10 hidden coins and lays 3 and 2; of 4 taken off, the 3 visible ones come first."""
    table = Table()
    table.play("ana", "hide_coins", coins=10)
    table.sells("ana", "good:1")
    table.play("ana", "add_coins_to_sale", coins=5, hidden=2)
    assert table.coins("ana") == (1, 8)
    table.play("ana", "remove_coins_from_sale", coins=4)
    assert table.coins("ana") == (4, 9)
    table.play("ana", "remove_coins_from_sale", coins=1)
    assert table.coins("ana") == (4, 10)
    refusal = table.refused("ana", "add_coins_to_sale", "negoces2:sale.14", coins=5, hidden=0)
    assert refusal.en == "Ana has 4 visible and 10 hidden coins and cannot lay 5, 0 of them hidden ones"
    table.malformed("ana", "add_coins_to_sale", coins=2, hidden=3)


# Accepting ------------------------------------------------------------------------------------------


@pytest.mark.rule("negoces2:sale.15")
def test_the_seller_takes_whichever_offer_she_likes() -> None:
    """She takes the last and lowest of three: no rule prefers the first or the highest."""
    table = Table()
    table.sells("ana", "good:1")
    table.offering("bob", "good:3", coins=9)
    table.offering("cid", coins=5)
    table.offering("dan", coins=1)
    assert [offer["buyer"] for offer in table.offers("ana", "accept_offer")] == ["bob", "cid", "dan"]
    table.accepts("ana", "dan")
    assert table.hand("dan")["good:1"] == 1
    assert table.coins("ana") == (15, 0)


@pytest.mark.rule("negoces2:sale.16", "negoces2:sale.17")
def test_what_lies_there_is_exchanged_in_one_go() -> None:
    """Ana's Wine and 2 coins against Bob's Tea and 5: cards into hands, coins in front of who gets them."""
    table = Table()
    table.play("bob", "hide_coins", coins=15)
    table.sells("ana", "good:1")
    table.play("ana", "add_coins_to_sale", coins=2)
    table.offering("bob", "good:3", coins=5)
    accepted, ended = table.accepts("ana", "bob")
    assert {(one.commodity, one.amount, one.source, one.target) for one in accepted.postings} == {
        ("good:1", 1, "market:sale_card", "hand:bob"),
        ("coin", 2, "market:sale_coins", "coins_visible:bob"),
        ("good:3", 1, "offer_card:bob", "hand:ana"),
        ("coin", 5, "offer_coins:bob", "coins_visible:ana"),
    }
    assert ended.rule == "negoces2:sale.19"
    assert table.coins("ana") == (17, 0)
    assert table.coins("bob") == (2, 10)
    assert table.hand("bob") == {"good:1": 1, "good:3": 3, "good:4": 4}
    assert table.account("hand:bob", "ana") == {"card": 8}


@pytest.mark.rule("negoces2:sale.16")
def test_an_acceptance_is_of_the_offer_as_it_stands() -> None:
    """Ana reads "5 coins", Bob makes it 2, and her acceptance of the 5 is refused."""
    table = Table()
    table.sells("ana", "good:1")
    read = table.offering("bob", coins=5)
    table.play("bob", "change_offer", coins=2)
    refusal = table.refused("ana", "accept_offer", "negoces2:sale.16", buyer="bob", revision=read)
    assert table.state.offers["bob"].revision in refusal.en
    table.refused("ana", "accept_offer", "negoces2:sale.15", buyer="cid", revision=read)
    table.refused("ana", "accept_offer", "negoces2:sale.15", buyer="eva", revision=read)
    assert read == str(table.number - 1)
    table.accepts("ana", "bob")


@pytest.mark.rule("negoces2:sale.16")
def test_an_offer_made_for_more_coins_must_be_laid_anew() -> None:
    """Bob offers Tea for Wine and 3 coins; Ana takes a coin off; Bob lays the same again, and she may take it."""
    table = Table()
    table.sells("ana", "good:1")
    table.play("ana", "add_coins_to_sale", coins=3)
    revision = table.offering("bob", "good:3")
    table.refused("bob", "change_offer", "negoces2:sale.9", card="good:3", face="up")
    table.play("ana", "remove_coins_from_sale", coins=1)
    assert table.view("bob")["offers"][0]["stale"]
    table.refused("ana", "accept_offer", "negoces2:sale.16", buyer="bob", revision=revision)
    assert table.offers("ana", "accept_offer") == []
    table.play("bob", "change_offer", card="good:3", face="up")
    table.play("ana", "add_coins_to_sale", coins=1)
    assert not table.view("bob")["offers"][0]["stale"]
    table.accepts("ana", "bob")


@pytest.mark.rule("negoces2:sale.16")
def test_the_banker_may_hold_a_buyer_to_the_offer_all_the_same() -> None:
    table = Table()
    table.sells("ana", "good:1")
    table.play("ana", "add_coins_to_sale", coins=3)
    revision = table.offering("bob", "good:3")
    table.play("ana", "remove_coins_from_sale", coins=1)
    table.play("ana", "accept_offer", buyer="bob", revision=revision, override="Bob nodded")
    assert table.coins("bob") == (17, 0)
    assert [warned.rule for warned in table.journal[-1].warnings] == ["negoces2:sale.16"]


@pytest.mark.rule("negoces2:sale.18")
def test_all_other_offers_return_unseen() -> None:
    """Cid's face-down card goes back to his hand; no other player learns which one it was."""
    table = Table()
    table.sells("ana", "good:1")
    table.offering("bob", coins=2)
    table.play("cid", "hide_coins", coins=15)
    table.offering("cid", "good:5", "down", 4)
    table.offering("dan", "good:7")
    table.accepts("ana", "bob")
    assert (table.hand("cid"), table.coins("cid")) == ({"good:5": 4, "good:6": 4}, (0, 15))
    assert table.hand("dan") == {"good:7": 4, "good:8": 4}
    assert table.state.offers == {}
    returned = [event for event in table.seen_by("dan") if type(event).__name__ == "OfferReturned"]
    assert [(event.seat, event.face, event.card) for event in returned] == [
        ("cid", "down", None),
        ("dan", "up", "good:7"),
    ]
    assert [event.rule for event in returned] == ["negoces2:sale.18"] * 2


@pytest.mark.rule("negoces2:sale.19")
def test_coins_alone_pass_the_lead_and_a_card_keeps_it() -> None:
    table = Table()
    table.swaps("ana", "bob", "good:1", "good:3")
    assert (table.cards()["ana"], table.view(None)["seller"]) == (9, "ana")
    table.passes("ana", "bob", "good:1")
    assert (table.cards()["ana"], table.cards()["bob"], table.view(None)["seller"]) == (8, 9, "bob")


@pytest.mark.rule("negoces2:sale.12", "negoces2:sale.13")
def test_nothing_but_the_card_on_the_market_changes_hands() -> None:
    """Buyers cannot give each other cards or coins; an offer or an acceptance has no room for promises."""
    table = Table()
    table.sells("ana", "good:1")
    table.offering("bob", coins=2)
    for kind in ("give_coins", "transfer_money", "propose_deal", "swap_cards"):
        with pytest.raises(UnknownKind):
            table.play("bob", kind, to="cid", amount=1)
    table.malformed("cid", "make_offer", coins=1, promise="my next sale is yours")
    table.malformed("ana", "accept_offer", buyer="bob", revision="1", note="and a drink")
    with pytest.raises(RuleBroken):
        table.play("cid", "accept_offer", buyer="bob", revision=table.state.offers["bob"].revision)
    accepted, _ = table.accepts("ana", "bob")
    assert {posting.commodity for posting in accepted.postings} == {"good:1", "coin"}


@pytest.mark.rule("negoces2:sale.11")
def test_an_alliance_is_talk() -> None:
    """Bob and Cid agree to offer coins only; Cid offers a card anyway, and no rule prevents it."""
    table = Table()
    table.sells("ana", "good:1")
    table.offering("bob", coins=1)
    table.offering("cid", "good:5")
    table.accepts("ana", "cid")
    assert table.view(None)["seller"] == "ana"


@pytest.mark.rule("negoces2:sale.20")
@pytest.mark.parametrize("face", ["up", "down"])
def test_contraband_is_sold_and_offered_like_any_card(face: str) -> None:
    table = Table()
    table.swaps("ana", "bob", "contraband", "good:3", face=face)
    assert table.hand("bob")["contraband"] == 1
    table.swaps("ana", "bob", "good:3", "contraband", other_face=face)
    assert table.hand("ana")["contraband"] == 1


def test_a_sale_reads_well_in_both_languages() -> None:
    table = Table()
    laid = table.sells("ana", "good:1", "down")
    table.offering("bob", "good:3", coins=2)
    speakers = RULEBOOK.language.speakers(table.state)
    (shown,) = [laid[0].redacted(table.viewer("bob"))]
    assert say(shown, "en", speakers) == "Ana puts a card up for sale, face down."
    assert say(shown, "fr", speakers) == "Ana met en vente une carte, face cachée."
    accepted, ended = table.accepts("ana", "bob")
    assert say(accepted, "fr", speakers) == (
        "Ana donne une carte (Vin) face cachée à Bob contre une carte (Thé) face visible et 2 pièces."
    )
    assert say(ended, "en", speakers) == "The sale is over: Ana has nine cards and is the seller."


@pytest.mark.rule("negoces2:sale.16")
def test_coins_laid_in_excess_come_back_by_a_ruling_alone() -> None:
    """Bob lays 4 coins for a card that he was promised for 3. Ana keeps 4 until the banker rules."""
    table = Table()
    table.sells("ana", "good:1")
    table.offering("bob", coins=4)
    table.accepts("ana", "bob")
    ana, bob = table.coins("ana")[0], table.coins("bob")[0]
    back = {"commodity": "coin", "amount": 1, "from": "coins_visible:ana", "to": "coins_visible:bob"}
    table.banker("rule", finding="3 were agreed on", remedies=[{"op": "adjust", "postings": [back]}])
    assert (table.coins("ana")[0], table.coins("bob")[0]) == (ana - 1, bob + 1)
