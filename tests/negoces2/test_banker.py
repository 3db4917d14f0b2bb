"""The banker: advice binds nobody; a ruling may change anything except the number of cards and coins."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.refusals import NotYours, RuleBroken
from ledger.rulebooks.negoces2 import RULEBOOK
from ledger.rulebooks.negoces2.cards import COIN
from tests.tables.negoces2 import SEATS, Table


def adjust(*postings: tuple[str, str, str, int]) -> dict[str, object]:
    """A remedy that moves (commodity, from, to, amount)."""
    moved = [
        {"commodity": commodity, "from": source, "to": target, "amount": amount}
        for commodity, source, target, amount in postings
    ]
    return {"op": "adjust", "reason": "a mistake at the table", "postings": moved}


def rule(table: Table, *remedies: dict[str, object], **more: object) -> list[object]:
    return list(table.banker("rule", finding="so it is", remedies=list(remedies), **more))


# Advice ---------------------------------------------------------------------------------------------


@pytest.mark.rule("negoces2:banker.1")
def test_advice_binds_nobody() -> None:
    """Contraband for 15 coins, first offers face up, and a buyer who hands the seller the eighth good."""
    table = Table("auction")
    table.auction("ana", 15)
    hands = {"ana": [1, 2, 3, 4, 5, 6, 7, 7, "contraband"], "bob": [8, 8, 8, 8, 1, 1, 1, 2]}
    rest = [2, 2, 3, 3, 3, 4, 4, 4], [5, 5, 5, 6, 6, 6, 7, 7]
    table.deal_hands({**hands, "cid": rest[0], "dan": rest[1]})
    table.swaps("ana", "bob", "contraband", "good:8")
    assert len(table.hand("ana")) == 8


# Undoing --------------------------------------------------------------------------------------------


@pytest.mark.rule("negoces2:banker.2")
def test_the_banker_undoes_what_no_player_may() -> None:
    """Ana laid the wrong card: what had followed is voided with it, and all of it stays in the journal."""
    table = Table()
    table.sells("ana", "good:1", "down")
    laid = table.number
    table.offering("bob", coins=3)
    table.accepts("ana", "bob")
    edits = [{"op": "replace", "action": laid, "params": {"card": "good:2", "face": "down"}}]
    table.banker("correct", edits=edits, cascade="restate", reason="the other card was meant")
    assert table.hand("bob")["good:2"] == 1
    assert [table.standing(number).status for number in (laid, laid + 1, laid + 2)] == [
        "restated", "effective", "restated",
    ]  # fmt: skip
    edits = [{"op": "drop", "action": laid}]
    table.banker("correct", edits=edits, cascade="restate", reason="no card was meant")
    assert [table.standing(number).status for number in (laid, laid + 1, laid + 2)] == [
        "undone", "voided", "voided",
    ]  # fmt: skip
    assert (table.cards()["ana"], table.coins("bob")) == (9, (15, 0))
    assert len(table.journal) == table.number
    last, (corrected,) = table.journal[-1], table.last.events
    assert (last.by, last.recorded_at, corrected.reason) == ("banker", table.now, "no card was meant")


@pytest.mark.rule("negoces2:banker.2")
def test_players_take_back_their_own_last_action_unless_it_is_final_or_told_something() -> None:
    """A player may undo a bid, hidden coins and a face-down offer; other actions are final."""
    table = Table("auction")
    table.play("ana", "bid", amount=1)
    table.undo("ana")
    assert (table.state.bid, table.turn) == (0, "ana")
    table.play("ana", "bid", amount=1)
    table.play("bob", "withdraw")
    with pytest.raises(RuleBroken) as refused:
        table.undo("bob")
    assert refused.value.rule == "negoces2:auction.5"
    with pytest.raises(NotYours):
        table.undo("cid")
    table.play("cid", "withdraw")
    table.play("dan", "withdraw")
    table.sells("ana", "good:1", "down")
    table.offering("bob", coins=1)
    table.accepts("ana", "bob")
    with pytest.raises(RuleBroken) as refused:
        table.undo("ana")
    assert refused.value.rule == "negoces2:sale.16"


# Rulings --------------------------------------------------------------------------------------------


@pytest.mark.rule("negoces2:banker.2", "negoces2:setup.4")
def test_a_ruling_moves_coins_and_they_still_add_up_to_60() -> None:
    """Between players, visible or hidden, and into the box; from there what went in, setting auction.9 aside."""
    table = Table("auction")
    table.auction("bob", 5)
    table.play("bob", "hide_coins", coins=10)
    rule(
        table,
        adjust(
            ("coin", "coins_hidden:bob", "coins_visible:cid", 2),
            ("coin", "coins_visible:dan", "box", 1),
        ),
    )
    assert {seat: table.coins(seat) for seat in SEATS} == {
        "ana": (15, 0), "bob": (0, 8), "cid": (17, 0), "dan": (14, 0),
    }  # fmt: skip
    back = adjust(("coin", "box", "coins_visible:dan", 1))
    table.refused("banker", "rule", "negoces2:auction.9", finding="so it is", remedies=[back])
    rule(table, back, waives=["negoces2:auction.9"])
    assert table.holds("box", COIN) == -55
    much = adjust(("coin", "box", "coins_visible:dan", 6))
    table.refused(
        "banker", "rule", "negoces2:setup.4", finding="so it is", remedies=[much], waives=["negoces2:auction.9"]
    )


@pytest.mark.rule("negoces2:banker.2", "negoces2:coins.1")
def test_a_ruling_over_hidden_coins_is_for_those_whose_they_are() -> None:
    """Only Bob and Cid see that 2 coins move hidden; everybody sees them once they are visible."""
    table = Table()
    table.play("bob", "hide_coins", coins=8)
    told = {}
    for target in ("coins_hidden:cid", "coins_visible:cid", "box"):
        rule(table, adjust(("coin", "coins_hidden:bob", target, 2)))
        told[target] = {seat for seat in (None, *SEATS) if any(event.postings for event in table.seen_by(seat))}
    assert told == {
        "coins_hidden:cid": {"bob", "cid"},
        "coins_visible:cid": {None, *SEATS},
        "box": {None, *SEATS},
    }
    assert (table.coins("bob"), table.coins("cid")) == ((7, 2), (17, 2))


@pytest.mark.rule("negoces2:banker.2", "negoces2:seller.2")
def test_a_ruling_moves_cards_and_leaves_one_seller() -> None:
    """Bob and Cid picked up each other's cards: a swap is ordered; half of it would leave ten cards somewhere."""
    table = Table()
    half = adjust(("good:3", "hand:bob", "hand:cid", 1))
    table.refused("banker", "rule", "negoces2:seller.2", finding="so it is", remedies=[half])
    rule(table, adjust(("good:3", "hand:bob", "hand:cid", 1), ("good:5", "hand:cid", "hand:bob", 1)))
    assert table.hand("bob") == {"good:3": 3, "good:4": 4, "good:5": 1}
    moved = [posting for event in table.seen_by("dan") for posting in event.postings]
    assert [(one.commodity, one.source, one.target) for one in moved] == [
        ("card", "hand:bob", "hand:cid"),
        ("card", "hand:cid", "hand:bob"),
    ]


@pytest.mark.rule("negoces2:banker.2", "negoces2:seller.2")
def test_the_nine_cards_pass_to_another_between_two_sales_only() -> None:
    """Ana gave Bob a card too many: he is the seller.

    Once she has put a card on the market, she stays the seller.
    """
    table = Table()
    passed = adjust(("good:2", "hand:ana", "hand:bob", 1))
    rule(table, passed)
    assert table.view(None)["seller"] == "bob"
    table.sells("bob", "good:2")
    assert table.view(None)["seats"]["bob"]["been_seller"]
    table = Table()
    table.sells("ana", "good:1")
    refusal = table.refused("banker", "rule", "negoces2:seller.2", finding="so it is", remedies=[passed])
    assert "Ana 8, Bob 9, Cid 8, Dan 8 cards instead of Ana 9, Bob 8" in refusal.en


@pytest.mark.rule("negoces2:banker.2", "negoces2:setup.8")
def test_a_bid_undone_does_not_turn_the_hands_up_again_that_a_ruling_has_changed() -> None:
    """Ana's bid was a mistake: before she opens again, Dan sees her dealt cards, but not Bob's and Cid's."""
    table = Table("auction")
    table.play("ana", "bid", amount=1)
    bid = table.number
    rule(table, adjust(("good:3", "hand:bob", "hand:cid", 1), ("good:5", "hand:cid", "hand:bob", 1)))
    table.banker("correct", edits=[{"op": "drop", "action": bid}], cascade="restate", reason="she misspoke")
    assert (table.state.bid, table.turn) == (0, "ana")
    assert table.account("hand:ana", "dan") == {"good:1": 4, "good:2": 4}
    for seat in ("bob", "cid"):
        assert table.account(f"hand:{seat}", "dan") == {"card": 8}


@pytest.mark.rule("negoces2:banker.2")
def test_what_lies_on_the_market_moves_with_its_sale() -> None:
    table = Table()
    table.sells("ana", "good:1")
    table.offering("bob", "good:3", coins=2)
    for moved in (
        ("good:1", "market:sale_card", "hand:cid", 1),
        ("good:3", "offer_card:bob", "hand:cid", 1),
        ("coin", "offer_coins:bob", "coins_visible:cid", 1),
        ("coin", "hand:bob", "hand:cid", 1),
        ("good:3", "hand:bob", "coins_visible:cid", 1),
        ("good:3", "hand:bob", "box", 1),
        ("coin", "coins_visible:eva", "coins_visible:cid", 1),
    ):
        table.refused("banker", "rule", "negoces2:banker.2", finding="so it is", remedies=[adjust(moved)])


@pytest.mark.rule("negoces2:banker.2")
def test_a_standing_bid_stays_covered() -> None:
    """Ana has bid 1 of her 15 coins: no ruling leaves her without it while it stands."""
    table = Table("auction")
    table.play("ana", "bid", amount=1)
    taken = adjust(("coin", "coins_visible:ana", "coins_visible:bob", 15))
    table.refused("banker", "rule", "negoces2:auction.6", finding="so it is", remedies=[taken])
    rule(table, adjust(("coin", "coins_visible:ana", "coins_visible:bob", 14)))


@pytest.mark.rule("negoces2:banker.2")
def test_a_dispute_over_a_sale_is_ruled_on() -> None:
    """Dan disputes a sale that he saw in part; the banker dismisses, or declares a winner."""
    table = Table()
    table.swaps("ana", "bob", "good:1", "good:3", face="down", other_face="down")
    sale = table.number
    table.play("dan", "open_dispute", claim="Bob peeked", actions=[sale])
    dispute = str(table.number)
    table.play("bob", "add_statement", dispute=dispute, text="I did not")
    table.banker("rule", dispute=dispute, finding="nobody saw it", remedies=[{"op": "dismiss"}])
    rule(table, {"op": "declare_victory", "winners": ["cid", "cid"]}, actions=[sale])
    assert table.state.winners == ("cid",)
    assert table.state.ended


@pytest.mark.rule("negoces2:banker.2")
def test_a_winner_is_a_player_of_a_game_that_has_begun() -> None:
    table = Table("laid")
    order = {"op": "declare_victory", "winners": ["cid"]}
    table.refused("banker", "rule", "negoces2:end.1", finding="so it is", remedies=[order])
    order = {"op": "declare_victory", "winners": ["eva"]}
    Table().refused("banker", "rule", "negoces2:banker.2", finding="so it is", remedies=[order])


@pytest.mark.rule("negoces2:banker.2")
def test_an_end_is_taken_back_by_a_correction() -> None:
    """Dropping the last answer opens the game again."""
    table = Table()
    table.everybody_was_seller()
    table.purses(ana=31, bob=10, cid=9, dan=9)
    table.play("ana", "declare_victory", way="coins")
    for seat in ("bob", "cid", "dan"):
        table.play(seat, "decline_victory")
    edits = [{"op": "drop", "action": table.number}]
    table.banker("correct", edits=edits, cascade="restate", reason="Dan had not finished")
    assert (table.state.ended, table.state.winners, table.state.declined) == (False, (), {"bob", "cid"})
    table.play("dan", "decline_victory")
    assert table.state.winners == ("ana",)


@pytest.mark.rule("negoces2:auction.3", "negoces2:auction.4", "negoces2:auction.5", "negoces2:auction.1")
def test_the_banker_says_whose_turn_it_is_in_the_auction() -> None:
    """Dan is next, but Ana had been passed over: the banker lets her bid first, as nobody who is out could."""
    table = Table("auction")
    table.play("ana", "bid", amount=1)
    table.play("bob", "bid", amount=2)
    table.play("cid", "withdraw")

    def refused(seat: str, rule: str) -> None:
        remedy = {"op": "set_turn", "seat": seat}
        table.refused("banker", "rule", rule, finding="so it is", remedies=[remedy])

    refused("bob", "negoces2:auction.4")
    refused("cid", "negoces2:auction.5")
    refused("dan", "negoces2:auction.3")
    rule(table, {"op": "set_turn", "seat": "ana"})
    table.play("ana", "bid", amount=3)
    table.play("bob", "withdraw")
    table.play("dan", "withdraw")
    refused("bob", "negoces2:auction.1")


def test_what_a_ruling_may_move_is_known_to_everybody() -> None:
    """Cards lie in hands, coins with players and in the box; the list tells nothing of who has what."""
    table = Table()
    table.play("bob", "hide_coins", coins=4)
    movable = RULEBOOK.accounts.movable(table.state)
    assert movable == RULEBOOK.accounts.movable(Table("laid").state)
    assert movable["contraband"] == tuple(f"hand:{seat}" for seat in SEATS)
    assert {"coins_visible:ana", "coins_hidden:ana", "box"} <= {*movable[COIN]}
