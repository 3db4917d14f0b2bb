"""Offers: a card, coins or both, made and changed in any order."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.refusals import Refusal
from tests.tables.negoces2 import Table


def selling() -> Table:
    """Ana has put Wine up for sale, face up."""
    table = Table()
    table.sells("ana", "good:1")
    return table


@pytest.mark.rule("negoces2:sale.6")
def test_buyers_act_in_any_order_and_at_any_time() -> None:
    """Dan first, then Bob twice, then Cid, hours apart; only an open negotiation is needed."""
    table = selling()
    for seat, kind, params in (
        ("dan", "make_offer", {"coins": 1}),
        ("bob", "make_offer", {"coins": 2}),
        ("bob", "change_offer", {"coins": 3}),
        ("cid", "make_offer", {"coins": 4}),
        ("dan", "withdraw_offer", {}),
        ("dan", "make_offer", {"coins": 5}),
    ):
        table.wait(7200)
        table.play(seat, kind, **params)
    assert {seat: offer.coins for seat, offer in table.state.offers.items()} == {"bob": 3, "cid": 4, "dan": 5}
    table.accepts("ana", "dan")
    table.refused("bob", "make_offer", "negoces2:sale.6", coins=1)


@pytest.mark.rule("negoces2:sale.7")
@pytest.mark.parametrize(
    ("content", "lies"),
    [
        ({"card": "good:3"}, ("up", 0)),
        ({"card": "good:3", "coins": 4}, ("up", 4)),
        ({"card": "good:3", "face": "up"}, ("up", 0)),
        ({"card": "good:3", "face": "down"}, ("down", 0)),
        ({"coins": 4}, (None, 4)),
        ({"card": "good:3", "face": "up", "coins": 4}, ("up", 4)),
        ({"card": "good:3", "face": "down", "coins": 1}, ("down", 1)),
    ],
)
def test_an_offer_is_a_card_or_coins_or_both(content: dict[str, object], lies: tuple[str | None, int]) -> None:
    table = selling()
    (made,) = table.play("bob", "make_offer", **content)
    assert made.rule == "negoces2:sale.7"
    offer = table.state.offers["bob"]
    assert (offer.face, offer.coins) == lies
    assert table.holds("offer_card:bob", "good:3") == (1 if "card" in content else 0)


@pytest.mark.rule("negoces2:sale.7")
def test_nothing_is_no_offer_and_two_cards_are_too_many() -> None:
    """Only a card has a face; an offer never has two cards, and no card is in two offers."""
    table = selling()
    table.refused("bob", "make_offer", "negoces2:sale.7")
    table.malformed("bob", "make_offer", coins=0)
    table.malformed("bob", "make_offer", face="up", coins=1)
    table.malformed("bob", "make_offer", card=["good:3", "good:4"], face="up")
    table.malformed("bob", "make_offer", cards=["good:3", "good:4"])
    table.offering("bob", "good:3")
    table.refused("bob", "make_offer", "negoces2:sale.8", card="good:4", face="up")
    table.refused("bob", "change_offer", "negoces2:sale.7")


@pytest.mark.rule("negoces2:sale.8")
def test_offers_are_covered() -> None:
    """The card is from the buyer's own hand, the coins are their own; both cannot be used elsewhere."""
    table = selling()
    refusal = table.refused("bob", "make_offer", "negoces2:sale.8", card="good:1", face="down")
    assert (refusal.en, refusal.fr) == ("Bob has no Wine in hand", "Bob n'a pas en main de carte Vin")
    refusal = table.refused("bob", "make_offer", "negoces2:sale.8", coins=16)
    assert "15 visible and 0 hidden" in refusal.en
    table.offering("bob", "good:3", "down", 9)
    assert (table.hand("bob")["good:3"], table.coins("bob")) == (3, (6, 0))
    table.refused("bob", "hide_coins", "negoces2:coins.1", coins=7)
    table.refused("bob", "make_offer", "negoces2:sale.8", coins=1)
    assert table.view(None)["offers"] == [
        {"seat": "bob", "revision": str(table.number), "face": "down", "coins": 9, "stale": False}
    ]


@pytest.mark.rule("negoces2:sale.9")
def test_an_offer_is_raised_lowered_and_taken_back() -> None:
    """From 2 coins to Tea and 6, then to a Silk face down, then to nothing: everything returns."""
    table = selling()
    table.refused("bob", "change_offer", "negoces2:sale.9", coins=1)
    table.refused("bob", "withdraw_offer", "negoces2:sale.9")
    revisions = [table.offering("bob", coins=2)]
    for content in ({"card": "good:3", "face": "up", "coins": 6}, {"card": "good:4", "face": "down"}):
        taken, changed = table.play("bob", "change_offer", **content)
        revisions.append(changed.revision)
        assert table.coins("bob")[0] == 15 - (changed.coins or 0)
    assert len(set(revisions)) == 3
    assert (taken.card, taken.coins, changed.card) == ("good:3", 6, "good:4")
    table.refused("bob", "change_offer", "negoces2:sale.9", card="good:4", face="down")
    table.play("bob", "withdraw_offer")
    assert (table.hand("bob"), table.coins("bob")) == ({"good:3": 4, "good:4": 4}, (15, 0))
    assert table.state.offers == {}


@pytest.mark.rule("negoces2:sale.9", "negoces2:coins.2")
def test_coins_taken_out_return_to_where_they_came_from() -> None:
    """Bob offers 3 visible and 4 hidden coins; the offer shows all seven, and the four become hidden again."""
    table = selling()
    table.play("bob", "hide_coins", coins=12)
    table.play("bob", "make_offer", coins=7)
    assert (table.coins("bob"), table.account("offer_coins:bob", None)) == ((0, 8), {"coin": 7})
    table.play("bob", "change_offer", coins=2, hidden=2)
    assert table.coins("bob") == (3, 10)
    table.play("bob", "change_offer", coins=2, hidden=0)
    assert table.coins("bob") == (1, 12)
    table.play("bob", "withdraw_offer")
    assert table.coins("bob") == (3, 12)


@pytest.mark.rule("negoces2:sale.10")
def test_a_card_on_offer_is_not_turned_where_it_lies() -> None:
    """Cid's only Wine lies face down: he takes it back and offers it anew. Bob, with more copies, lays another."""
    table = Table()
    table.swaps("ana", "cid", "good:1", "good:5")
    table.sells("ana", "good:2")
    table.offering("cid", "good:1", "down")
    refusal = table.refused("cid", "change_offer", "negoces2:sale.10", card="good:1", face="up")
    assert "not turned over" in refusal.en
    assert {"card": "good:1", "face": "up"} not in table.offers("cid", "change_offer")
    for seat in (None, "ana", "bob", "dan"):
        assert table.account("offer_card:cid", seat) == {"card": 1}
    table.play("cid", "withdraw_offer")
    table.offering("cid", "good:1", "up")
    assert table.account("offer_card:cid", None) == {"good:1": 1}
    table.refused("cid", "change_offer", "negoces2:sale.10", card="good:1", face="down")
    table.offering("bob", "good:3", "down")
    table.play("bob", "change_offer", card="good:3", face="up")


@pytest.mark.rule("negoces2:sale.10")
def test_a_table_may_allow_turning() -> None:
    table = Table(settings={"offers_may_be_turned": True})
    table.swaps("ana", "cid", "good:1", "good:5")
    table.sells("ana", "good:2")
    table.offering("cid", "good:1", "down")
    table.play("cid", "change_offer", card="good:1", face="up")
    assert table.view(None)["offers"][0]["card"] == "good:1"


def test_a_buyer_may_take_back_a_step_by_themself_while_nobody_has_acted() -> None:
    """A face-down offer reveals nothing, so it may be undone; a face-up one was seen by all."""
    table = selling()
    table.offering("bob", "good:3", "down", 2)
    table.undo("bob")
    assert table.state.offers == {}
    table.offering("bob", "good:3", "up")
    with pytest.raises(Refusal, match="revealed something"):
        table.undo("bob")


def test_moves_offer_every_composition() -> None:
    """Each card either way up, alone or with coins, and coins alone; any number of coins may be put in."""
    table = selling()
    found = table.offers("bob", "make_offer")
    assert {(one.get("card"), one.get("face"), one.get("coins")) for one in found} == {
        *((card, face, coins) for card in ("good:3", "good:4") for face in ("up", "down") for coins in (None, 1)),
        (None, None, 1),
    }
    table.offering("bob", "good:3", "down")
    found = table.offers("bob", "change_offer")
    assert {(one.get("card"), one.get("face"), one.get("coins")) for one in found} == {
        *((card, face, coins) for card in ("good:3", "good:4") for face in ("up", "down") for coins in (None, 1)),
        (None, None, 1),
    } - {("good:3", "down", None)}
    assert table.offers("bob", "withdraw_offer") == [{}]
    assert table.offers("bob", "make_offer") == []
