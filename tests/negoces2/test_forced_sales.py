"""Forced sales: two cards of the market for one card of a good that the seller names."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.refusals import RuleBroken
from ledger.rulebooks.negoces2 import RULEBOOK
from ledger.rulebooks.negoces2.cards import COIN
from tests.tables.negoces2 import SEATS, Table, say


def forced(face: str = "down", card: str = "good:1", second: str = "contraband") -> Table:
    """Ana has laid a card and forced the sale with another."""
    table = Table()
    table.sells("ana", card, face)
    table.play("ana", "force_sale", card=second)
    return table


@pytest.mark.rule("negoces2:forced.1")
def test_the_seller_may_force_at_any_time_of_a_negotiation() -> None:
    """Not before a card is on the market and not after its sale; despite good offers, and in every sale."""
    table = Table()
    table.refused("ana", "force_sale", "negoces2:forced.1", card="good:1")
    table.sells("ana", "good:1")
    table.offering("bob", "good:3", coins=15)
    table.refused("bob", "force_sale", "negoces2:seller.3", card="good:3")
    table.play("ana", "force_sale", card="good:2")
    table.refused("ana", "force_sale", "negoces2:forced.1", card="good:2")
    table.play("ana", "announce_good", good=3)
    table.play("ana", "choose_card", owner="bob")
    table.sells("bob", "good:1")
    table.play("bob", "force_sale", card="good:2")
    assert table.state.phase == "announcing"


@pytest.mark.rule("negoces2:forced.2")
def test_the_second_card_lies_face_down_and_the_first_keeps_its_face() -> None:
    """The second card comes from the hand, never face up; then the sale cannot be called off."""
    table = Table()
    table.sells("ana", "good:1", "up")
    table.refused("ana", "force_sale", "negoces2:forced.2", card="good:2", face="up")
    table.refused("ana", "force_sale", "negoces2:forced.2", card="good:3")
    table.play("ana", "force_sale", card="good:2", face="down")
    assert table.view(None)["sale"]["face"] == "up"
    for seat in (None, "bob", "cid", "dan"):
        assert table.account("market:second_card", seat) == {"card": 1}
        assert table.account("market:sale_card", seat) == {"good:1": 1}
    assert table.account("market:second_card", "ana") == {"good:2": 1}
    with pytest.raises(RuleBroken) as refused:
        table.undo("ana")
    assert refused.value.rule == "negoces2:forced.2"
    assert table.kinds("ana") == {"announce_good", "hide_coins"}


@pytest.mark.rule("negoces2:forced.3")
def test_all_offers_and_the_seller_s_coins_go_back_at_once() -> None:
    """Nothing more is offered until the sale ends."""
    table = Table()
    table.play("ana", "hide_coins", coins=13)
    table.sells("ana", "good:1")
    table.play("ana", "add_coins_to_sale", coins=3)
    table.offering("bob", "good:3", "down", 2)
    table.offering("dan", coins=4)
    forced_now, first, second, coins = table.play("ana", "force_sale", card="good:2")
    assert (forced_now.rule, first.rule, second.rule, coins.rule) == (
        "negoces2:forced.2",
        *["negoces2:forced.3"] * 3,
    )
    assert (first.seat, second.seat, coins.coins) == ("bob", "dan", 3)
    assert {seat: table.coins(seat) for seat in SEATS} == {
        "ana": (1, 13), "bob": (15, 0), "cid": (15, 0), "dan": (15, 0),
    }  # fmt: skip
    assert table.holds("market:sale_coins", COIN) == 0
    table.refused("bob", "make_offer", "negoces2:forced.3", coins=1)
    table.refused("bob", "change_offer", "negoces2:forced.3", coins=1)
    table.refused("bob", "withdraw_offer", "negoces2:forced.3")
    table.refused("ana", "accept_offer", "negoces2:forced.3", buyer="bob", revision="1")
    table.play("ana", "announce_good", good=8)
    table.refused("bob", "make_offer", "negoces2:forced.3", coins=1)


@pytest.mark.rule("negoces2:forced.4", "negoces2:setup.11")
@pytest.mark.parametrize("named", [3, "3", "good:3", "Tea", "thé"])
def test_the_seller_names_a_good_by_number_or_by_name(named: int | str) -> None:
    table = forced()
    table.refused("bob", "announce_good", "negoces2:seller.3", good=3)
    announced, _ = table.play("ana", "announce_good", good=named)
    assert announced.good == 3
    assert announced.audience().everyone
    assert table.view(None)["sale"]["good"] == 3


@pytest.mark.rule("negoces2:forced.4")
@pytest.mark.parametrize("named", [0, 9, -1, "contraband", "Contrebande", "Gold"])
def test_contraband_and_what_is_no_good_cannot_be_asked_for(named: int | str) -> None:
    refusal = forced().refused("ana", "announce_good", "negoces2:forced.4", good=named)
    assert "8 Jade" in refusal.en
    assert str(named) in refusal.fr


@pytest.mark.rule("negoces2:forced.5")
def test_a_good_in_one_s_own_hand_cannot_be_asked_for() -> None:
    """Ana has Wine and Spices in hand; a good of which her only copy lies on the market may be asked for."""
    table = Table()
    table.swaps("ana", "bob", "good:1", "good:3")
    table.sells("ana", "good:3")
    table.play("ana", "force_sale", card="contraband")
    for good in (1, 2):
        refusal = table.refused("ana", "announce_good", "negoces2:forced.5", good=good)
        assert "cannot ask" in refusal.en
    assert [move["good"] for move in table.offers("ana", "announce_good")] == [3, 4, 5, 6, 7, 8]
    table.play("ana", "announce_good", good=3)


@pytest.mark.rule("negoces2:forced.6", "negoces2:forced.7")
def test_every_copy_is_laid_out_face_up_from_the_true_hands() -> None:
    """Tea is with Bob (2), Cid (1) and Dan (1): all four lie open, and nobody could have kept one."""
    table = Table()
    for buyer, card in (("cid", "good:5"), ("dan", "good:7")):
        table.swaps("ana", "bob", "good:1", "good:3")
        table.swaps("ana", buyer, "good:3", card, face="down", other_face="down")
    table.sells("ana", "good:1")
    table.play("ana", "force_sale", card="contraband")
    _, laid_out = table.play("ana", "announce_good", good="tea")
    assert laid_out.copies == {"bob": 2, "cid": 1, "dan": 1}
    for seat in (None, *SEATS):
        for owner, copies in laid_out.copies.items():
            assert table.account(f"layout:{owner}", seat) == {"good:3": copies}
    assert sum(table.holds(f"hand:{seat}", "good:3") for seat in SEATS) == 0
    speakers = RULEBOOK.language.speakers(table.state)
    assert say(laid_out, "en", speakers) == "Cards laid out: Bob 2, Cid 1, Dan 1."


@pytest.mark.rule("negoces2:forced.7")
def test_fewer_than_four_lie_there_only_when_the_seller_laid_one() -> None:
    """Ana asks for Tea while a Tea of hers lies face down on the market: three copies are laid out."""
    table = Table()
    table.swaps("ana", "bob", "good:1", "good:3")
    table.sells("ana", "good:3", "down")
    table.play("ana", "force_sale", card="contraband")
    _, laid_out = table.play("ana", "announce_good", good=3)
    assert laid_out.copies == {"bob": 3}


@pytest.mark.rule("negoces2:forced.8", "negoces2:forced.10")
def test_the_seller_takes_one_card_from_whom_she_likes() -> None:
    """Free of charge, and nobody refuses; the other copies go back into the hands."""
    table = Table()
    table.swaps("ana", "bob", "good:1", "good:3")
    table.swaps("ana", "cid", "good:3", "good:5")
    table.sells("ana", "good:1")
    table.play("ana", "force_sale", card="good:2")
    table.play("ana", "announce_good", good=3)
    assert [move["owner"] for move in table.offers("ana", "choose_card")] == ["bob", "cid"]
    refusal = table.refused("ana", "choose_card", "negoces2:forced.8", owner="dan")
    assert "Dan has laid out no card" in refusal.en
    table.refused("ana", "choose_card", "negoces2:forced.8", owner="eva")
    table.refused("bob", "choose_card", "negoces2:seller.3", owner="cid")
    before = {seat: table.coins(seat) for seat in SEATS}
    _, back, _ = table.play("ana", "choose_card", owner="cid")
    assert table.hand("ana")["good:3"] == 1
    assert (back.rule, back.copies) == ("negoces2:forced.10", {"bob": 3})
    assert table.hand("bob")["good:3"] == 3
    assert {seat: table.coins(seat) for seat in SEATS} == before
    assert not [
        account for account, _ in table.state.holdings.items() if account.startswith(("layout:", "market:"))
    ]


@pytest.mark.rule("negoces2:forced.8")
def test_who_owns_the_only_cards_laid_out_gets_rid_of_one() -> None:
    """Only Dan has Jade: one of his four is taken, three return."""
    table = forced()
    table.play("ana", "announce_good", good=8)
    table.play("ana", "choose_card", owner="dan")
    assert table.hand("dan") == {"good:1": 1, "good:7": 4, "good:8": 3, "contraband": 1}


@pytest.mark.rule("negoces2:forced.9")
@pytest.mark.parametrize("face", ["up", "down"])
def test_the_owner_gets_both_market_cards_and_alone_learns_what_lay_face_down(face: str) -> None:
    table = forced(face)
    table.play("ana", "announce_good", good=8)
    table.play("ana", "choose_card", owner="dan")
    for seat in ("ana", "dan"):
        chosen = table.seen_by(seat)[0]
        assert (chosen.card, chosen.second) == ("good:1", "contraband")
    for seat in (None, "bob", "cid"):
        chosen = table.seen_by(seat)[0]
        assert (chosen.card, chosen.second) == ("good:1" if face == "up" else None, None)
        moved = [(posting.commodity, posting.source) for posting in chosen.postings]
        assert moved == [
            ("good:8", "layout:dan"),
            ("good:1" if face == "up" else "card", "market:sale_card"),
            ("card", "market:second_card"),
        ]


@pytest.mark.rule("negoces2:forced.11")
def test_a_forced_sale_always_passes_the_lead() -> None:
    table = forced()
    table.play("ana", "announce_good", good=5)
    *_, ended = table.play("ana", "choose_card", owner="cid")
    assert (ended.rule, ended.next_seller) == ("negoces2:forced.11", "cid")
    assert table.cards() == {"ana": 8, "bob": 8, "cid": 9, "dan": 8}
    assert "cid" in table.state.sellers
