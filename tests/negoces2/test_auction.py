"""The auction: one card, one opening bid, and coins that leave the game."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.refusals import Impossible
from ledger.rulebooks.negoces2 import RULEBOOK
from ledger.rulebooks.negoces2.cards import COIN
from tests.tables.negoces2 import SEATS, SERIES, Table


def opened(**options: object) -> Table:
    """Ana has opened the auction with 1; it is Bob's turn."""
    table = Table("auction", **options)  # type: ignore[arg-type]
    table.play("ana", "bid", amount=1)
    return table


@pytest.mark.rule("negoces2:auction.1")
def test_there_is_one_auction_and_it_comes_first() -> None:
    """No card is sold before it is settled, and nobody bids before it is open or after."""
    table = Table("laid")
    table.refused("ana", "bid", "negoces2:auction.1", amount=1)
    table.refused("ana", "offer_for_sale", "negoces2:auction.1", card="good:1", face="up")
    table = Table("auction")
    table.refused("ana", "offer_for_sale", "negoces2:auction.1", card="good:1", face="up")
    table.refused("bob", "make_offer", "negoces2:auction.1", coins=1)
    refusal = table.refused("ana", "accept_offer", "negoces2:seller.1", buyer="bob", revision="1")
    assert "nobody is the seller yet" in refusal.en
    table.auction("ana", 1)
    table.refused("ana", "bid", "negoces2:auction.1", amount=1)
    table.refused("bob", "withdraw", "negoces2:auction.1")
    table.passes("ana", "bob", "contraband")
    table.refused("bob", "bid", "negoces2:auction.1", amount=2)


@pytest.mark.rule("negoces2:auction.2")
def test_the_opener_says_one() -> None:
    """Not 2, and nobody leaves an auction that is not open."""
    table = Table("auction")
    table.refused("ana", "bid", "negoces2:auction.2", amount=2)
    table.refused("ana", "withdraw", "negoces2:auction.2")
    table.malformed("ana", "bid", amount=0)
    assert table.offers("ana", "bid") == [{"amount": 1}]
    assert table.offers("ana", "withdraw") == []
    (bid,) = table.play("ana", "bid", amount=1)
    assert (bid.rule, bid.amount, bid.turn) == ("negoces2:auction.2", 1, "bob")


@pytest.mark.rule("negoces2:auction.2")
def test_the_banker_may_let_the_auction_open_higher() -> None:
    table = Table("auction")
    table.play("ana", "bid", amount=5, override="we want to be quick")
    assert (table.state.bid, table.turn) == (5, "bob")
    assert table.journal[-1].warnings[0].rule == "negoces2:auction.2"


@pytest.mark.rule("negoces2:auction.3")
def test_bids_go_round_clockwise_and_skip_who_has_left() -> None:
    """Bob leaves: after Dan and Ana it is Cid's turn."""
    table = opened()
    table.refused("cid", "bid", "negoces2:auction.3", amount=2)
    table.refused("ana", "withdraw", "negoces2:auction.3")
    table.play("bob", "withdraw")
    turns = []
    for amount in (2, 3, 4, 5):
        turns.append(table.turn)
        table.play(table.turn, "bid", amount=amount)
    assert turns == ["cid", "dan", "ana", "cid"]
    table.refused("ana", "bid", "negoces2:auction.3", amount=6)


@pytest.mark.rule("negoces2:auction.4")
@pytest.mark.parametrize("amount", [1, 2, 5, 6, 10])
def test_a_bid_is_raised_by_one_or_two(amount: int) -> None:
    """On a bid of 2, only 3 and 4 will do."""
    table = opened()
    table.play("bob", "bid", amount=2)
    refusal = table.refused("cid", "bid", "negoces2:auction.4", amount=amount)
    assert "2" in refusal.en
    assert table.offers("cid", "bid") == [{"amount": 3}, {"amount": 4}]
    table.play("cid", "bid", amount=4)
    assert (table.state.bid, table.state.bidder) == (4, "cid")


@pytest.mark.rule("negoces2:auction.4")
def test_the_banker_may_allow_a_longer_step_but_none_backwards() -> None:
    table = opened()
    table.play("bob", "bid", amount=6, override="Bob said six and all heard it")
    for amount in (5, 6):
        with pytest.raises(Impossible, match="does not raise the bid of 6"):
            table.play("cid", "bid", amount=amount, override="the banker was distracted")
    table.play("cid", "bid", amount=7)


@pytest.mark.rule("negoces2:auction.5")
def test_who_has_left_is_out_for_good() -> None:
    """Bob has left and can neither bid nor leave again; no player can just pass."""
    table = opened()
    table.play("bob", "withdraw")
    table.refused("bob", "bid", "negoces2:auction.5", amount=2)
    table.refused("bob", "withdraw", "negoces2:auction.5")
    table.play("cid", "bid", amount=2)
    table.play("dan", "bid", amount=3)
    table.play("ana", "bid", amount=4)
    assert table.turn == "cid"
    table.refused("bob", "bid", "negoces2:auction.5", amount=5)
    assert table.kinds("cid") == {"bid", "withdraw", "hide_coins"}


@pytest.mark.rule("negoces2:auction.6", "negoces2:coins.2")
def test_nobody_bids_more_than_their_own_coins() -> None:
    """With 15 coins, 3 of them hidden, Bob may go up to 15; at 15 Cid can only leave."""
    table = Table("auction")
    table.play("bob", "hide_coins", coins=3)
    amounts = [1, 3, 5, 7, 9, 11, 13, 15]
    seats = ["ana", "bob", "cid", "dan", "ana", "bob", "cid", "dan"]
    for seat, amount in zip(seats, amounts, strict=True):
        table.play(seat, "bid", amount=amount)
    refusal = table.refused("ana", "bid", "negoces2:auction.6", amount=16)
    assert "Ana has 15 coins" in refusal.en
    assert table.offers("ana", "bid") == []
    assert table.offers("ana", "withdraw") == [{}]


@pytest.mark.rule("negoces2:auction.6", "negoces2:coins.2")
def test_hidden_coins_cover_a_bid_and_pay_it() -> None:
    """Bob hides 14 of his 15 and wins for 5: his one visible coin goes first, then four of the hidden ones."""
    table = Table("auction")
    table.play("bob", "hide_coins", coins=14)
    table.auction("bob", 5)
    assert table.coins("bob") == (0, 10)


@pytest.mark.rule("negoces2:auction.6")
def test_who_cannot_pay_any_more_does_not_win_and_nobody_learns_what_they_have() -> None:
    """In a set-up state Ana's coins are gone: the banker will have to correct an error."""
    table = opened()
    table.play("bob", "withdraw")
    table.play("cid", "withdraw")
    table.purses(ana=0, bob=20, cid=20, dan=20)
    refusal = table.refused("dan", "withdraw", "negoces2:auction.6")
    assert refusal.en == "Ana can no longer pay the bid of 1"


@pytest.mark.rule("negoces2:auction.7")
def test_the_last_bidder_left_wins_without_raising() -> None:
    """Cid's 4 wins when the others have left; the third withdrawal ends the auction at once."""
    table = opened()
    table.play("bob", "bid", amount=2)
    table.play("cid", "bid", amount=4)
    table.play("dan", "withdraw")
    table.play("ana", "withdraw")
    assert table.state.phase == "auction"
    *_, awarded, paid = table.play("bob", "withdraw")
    assert (awarded.seat, awarded.amount) == ("cid", 4)
    assert (paid.seat, paid.amount) == ("cid", 4)
    assert table.state.phase == "between"


@pytest.mark.rule("negoces2:auction.7")
def test_the_opener_may_win_for_one_coin() -> None:
    table = opened()
    for seat in ("bob", "cid", "dan"):
        table.play(seat, "withdraw")
    assert table.coins("ana") == (14, 0)


@pytest.mark.rule("negoces2:auction.8", "negoces2:seller.1")
def test_the_winner_takes_contraband_and_holds_nine_cards() -> None:
    table = Table("auction")
    table.auction("dan", 9)
    assert table.hand("dan") == {"good:7": 4, "good:8": 4, "contraband": 1}
    assert table.cards() == {"ana": 8, "bob": 8, "cid": 8, "dan": 9}
    assert table.view(None)["seller"] == "dan"


@pytest.mark.rule("negoces2:auction.9", "negoces2:auction.10")
def test_the_winning_bid_leaves_the_game_and_nobody_else_pays() -> None:
    """Dan wins for 9 against Cid's 8: 51 coins stay in play, and the box gives none back."""
    table = Table("auction")
    table.auction("dan", 9)
    assert {seat: table.coins(seat) for seat in SEATS} == {
        "ana": (15, 0), "bob": (15, 0), "cid": (15, 0), "dan": (6, 0),
    }  # fmt: skip
    assert table.holds("box", COIN) == -51
    assert table.view(None)["out_of_the_game"] == 9
    order = [{"op": "adjust", "reason": "change", "postings": [
        {"from": "box", "to": "coins_visible:dan", "commodity": "coin", "amount": 1}]}]  # fmt: skip
    table.refused("banker", "rule", "negoces2:auction.9", finding="change", remedies=order)


@pytest.mark.rule("negoces2:auction.5", "negoces2:auction.7")
def test_an_auction_can_be_replayed_otherwise_by_the_banker() -> None:
    """Cid never left: dropping the withdrawal, Dan's counts as the table played it, and the auction goes on."""
    table = opened()
    table.play("bob", "withdraw")
    table.play("cid", "withdraw")
    left = table.number
    table.play("dan", "withdraw")
    edits = [{"op": "drop", "action": left}]
    table.banker("correct", edits=edits, cascade="restate", reason="Cid only sneezed")
    assert table.standing(left + 1).status == "restated"
    assert table.state.withdrawn == {"bob", "dan"}
    assert (table.state.phase, table.turn, table.state.bid) == ("auction", "cid", 1)
    table.play("cid", "bid", amount=2)


def test_the_lot_and_the_deal_may_come_in_either_order() -> None:
    """The auction opens after the later one of both."""
    table = Table("laid")
    table.banker("deal_goods", series=SERIES)
    assert table.state.phase == "setup"
    *_, opened_now = table.banker("draw_starter", method="roll", dice=[2])
    assert (opened_now.seat, table.turn) == ("bob", "bob")
    assert RULEBOOK.screen.summary(table.state) == {
        "phase": "auction", "round": 1, "turn": "bob", "awaited": ["bob"], "winners": [],
    }  # fmt: skip
