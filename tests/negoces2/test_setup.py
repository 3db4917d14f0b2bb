"""Set-up: the pieces, the deal, and the opener of the auction."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from ledger.kernel.facts.refusals import Malformed, NeedsDraw
from ledger.kernel.facts.state import Seat
from ledger.kernel.rules.opening import Opening
from ledger.rulebooks.negoces2 import RULEBOOK
from ledger.rulebooks.negoces2.cards import CARDS, COIN, GOODS
from tests.tables.negoces2 import SEATS, SERIES, Table, say


def opening(*seats: str, **settings: object) -> Opening:
    return Opening(
        players=tuple(Seat(seat, seat.capitalize()) for seat in seats),
        settings=msgspec.convert(settings, RULEBOOK.settings),
        dice="table",
    )


# The pieces -----------------------------------------------------------------------------------------


@pytest.mark.rule("negoces2:setup.1")
@pytest.mark.parametrize("seats", [(), ("ana", "bob", "cid"), ("ana", "bob", "cid", "dan", "eva")])
def test_it_takes_four_merchants(seats: tuple[str, ...]) -> None:
    """Three players, or five, are refused; four get a fixed seat each."""
    with pytest.raises(Malformed, match=f"exactly 4 players, not {len(seats)}"):
        RULEBOOK.play.opening_action(opening(*seats))
    assert Table("laid").state.order == ("ana", "bob", "cid", "dan")


@pytest.mark.rule("negoces2:setup.2", "negoces2:setup.3")
def test_the_box_holds_32_goods_and_one_contraband() -> None:
    """Eight goods of four copies each, and one card without a number."""
    table = Table("auction")
    held = Counter(dict.fromkeys(CARDS, 0))
    for account, amounts in table.state.holdings.items():
        if account != "box":
            held.update({card: amount for card, amount in amounts.items() if card != COIN})
    assert held == {**{f"good:{number}": 4 for number in range(1, 9)}, "contraband": 1}
    assert sum(held.values()) == 33
    assert CARDS["contraband"].number is None
    assert [CARDS[card].en for card in GOODS.values()] == [
        "Wine", "Spices", "Tea", "Silk", "Coffee", "Jewels", "Perfume", "Jade",
    ]  # fmt: skip


@pytest.mark.rule("negoces2:setup.4", "negoces2:setup.5")
def test_each_player_starts_with_15_of_the_60_coins_where_all_see_them() -> None:
    """4 x 15 = 60: nothing is left in a bank."""
    table = Table("laid")
    assert {seat: table.coins(seat) for seat in SEATS} == dict.fromkeys(SEATS, (15, 0))
    assert table.holds("box", COIN) == -60
    for seat in SEATS:
        assert table.account(f"coins_visible:{seat}", None) == {"coin": 15}


@pytest.mark.rule("negoces2:setup.9", "negoces2:setup.10")
def test_contraband_alone_lies_on_the_market_and_everybody_knows_it() -> None:
    """It belongs to nobody until the auction is settled."""
    table = Table("laid")
    on_the_market = {
        account: dict(held)
        for account, held in table.state.holdings.items()
        if account.startswith(("market:", "offer_"))
    }
    assert on_the_market == {"market:sale_card": {"contraband": 1}}
    for seat in (None, *SEATS):
        assert table.account("market:sale_card", seat) == {"contraband": 1}
    table = Table()
    assert table.account("market:sale_card", None) == {}
    assert table.hand("ana")["contraband"] == 1


@pytest.mark.rule("negoces2:setup.18")
def test_a_table_may_play_with_other_cards_and_counters() -> None:
    """A 32-card pack: the goods are called otherwise, and sentences, views and announcements follow."""
    settings = {
        "labels": {
            "good:1": {"en": "Sevens", "fr": "Sept"},
            "contraband": {"en": "Joker", "fr": "Joker"},
            "coin": {"en": "go stone", "fr": "pierre de go"},
        }
    }
    table = Table("auction", settings=settings)
    assert table.view(None)["names"]["good:1"] == {"en": "Sevens", "fr": "Sept"}
    assert table.view(None)["names"]["good:2"] == {"en": "Spices", "fr": "Épices"}
    (bid,) = table.play("ana", "bid", amount=1)
    speakers = RULEBOOK.language.speakers(table.state)
    assert say(bid, "en", speakers) == "Ana bids 1 × go stone."
    assert say(bid, "fr", speakers) == "Ana annonce 1 × pierre de go."
    for seat in ("bob", "cid", "dan"):
        table.play(seat, "withdraw")
    (laid,) = table.sells("ana", "contraband")
    assert say(laid, "en", speakers) == "Ana puts a card (Joker) up for sale, face up."


def test_two_goods_cannot_be_called_alike() -> None:
    """Otherwise there would not be eight series."""
    for labels in ({"good:1": {"en": "Tea", "fr": "X"}}, {"contraband": {"en": "X", "fr": "jade"}}):
        with pytest.raises(Malformed, match="same name"):
            RULEBOOK.play.opening_action(opening(*SEATS, labels=labels))


# The deal -------------------------------------------------------------------------------------------


@pytest.mark.rule("negoces2:setup.6")
def test_each_player_gets_two_whole_series() -> None:
    """As the table dealt them: eight cards each."""
    table = Table("auction")
    for seat, goods in SERIES.items():
        assert table.hand(seat) == {f"good:{good}": 4 for good in goods}


@pytest.mark.rule("negoces2:setup.6")
def test_a_deal_that_splits_a_series_is_refused() -> None:
    table = Table("laid")
    refusal = table.refused("banker", "deal_goods", "negoces2:setup.6", series={**SERIES, "bob": [2, 4]})
    assert "1, 2, 2, 4, 5, 6, 7, 8" in refusal.en
    three = {seat: SERIES[seat] for seat in SEATS[:3]}
    table.refused("banker", "deal_goods", "negoces2:setup.6", series=three)
    table.refused("banker", "deal_goods", "negoces2:setup.6", series={**SERIES, "eva": [1, 2]})
    table.malformed("banker", "deal_goods", series={**SERIES, "bob": [3, 9]})


@pytest.mark.rule("negoces2:setup.6")
def test_goods_are_dealt_once() -> None:
    table = Table("laid")
    table.banker("deal_goods", series=SERIES)
    table.refused("banker", "deal_goods", "negoces2:setup.6", series=SERIES)
    table.banker("draw_starter", method="roll", dice=[1])
    table.refused("banker", "deal_goods", "negoces2:setup.6", series=SERIES)


@pytest.mark.rule("negoces2:setup.7", "negoces2:setup.8")
def test_starting_cards_are_shown_to_all_and_hidden_from_the_first_bid_on() -> None:
    """The deal stays readable for ever; from the first bid on another player's hand is only a number of cards."""
    table = Table("laid")
    table.banker("deal_goods", series=SERIES)
    (dealt,) = table.seen_by(None)
    assert dealt.series == {seat: tuple(goods) for seat, goods in SERIES.items()}
    assert len(dealt.postings) == 8
    table.banker("draw_starter", method="roll", dice=[1])
    for viewer in (None, *SEATS):
        assert table.account("hand:dan", viewer) == {"good:7": 4, "good:8": 4}
    table.play("ana", "bid", amount=1)
    for viewer in (None, "ana", "bob", "cid"):
        assert table.account("hand:dan", viewer) == {"card": 8}
    assert table.account("hand:dan", "dan") == {"good:7": 4, "good:8": 4}
    assert dealt.audience().everyone


@pytest.mark.rule("negoces2:banker.3", "negoces2:setup.6")
def test_the_service_shuffles_the_series_and_keeps_what_came_out() -> None:
    """Eight numbers in the order of the seats; the same seed deals the same, another one otherwise."""
    deals = []
    for seed in (1, 2, 3, 3):
        table = Table("laid", dice="service", seed=seed)
        (dealt,) = table.banker("deal_goods")
        drawn = table.journal[-1].draws["series"]
        assert sorted(drawn) == [str(good) for good in range(1, 9)]
        assert [str(good) for seat in SEATS for good in dealt.series[seat]] == drawn
        deals.append(tuple(drawn))
    assert deals[2] == deals[3]
    assert len(set(deals)) == 3


def test_at_a_table_that_deals_itself_the_series_must_be_told() -> None:
    with pytest.raises(NeedsDraw):
        Table("laid").banker("deal_goods")


@pytest.mark.rule("negoces2:setup.12")
def test_numbers_decide_nothing_but_the_lot() -> None:
    """A player with goods 7 and 8 may bid, sell and win like a player with 1 and 2."""
    table = Table("auction")
    moves = {seat: {kind for kind in ("bid", "withdraw") if table.offers(seat, kind)} for seat in SEATS}
    assert moves == {"ana": {"bid"}, "bob": set(), "cid": set(), "dan": set()}
    other = Table("laid")
    other.banker("draw_starter", method="roll", dice=[1])
    other.banker("deal_goods", series={"ana": [7, 8], "bob": [5, 6], "cid": [3, 4], "dan": [1, 2]})
    for one, sold, received in ((table, "good:1", "good:8"), (other, "good:8", "good:1")):
        one.auction("ana", 1)
        one.swaps("ana", "dan", sold, received)
    assert table.cards() == other.cards()
    assert {seat: table.coins(seat) for seat in SEATS} == {seat: other.coins(seat) for seat in SEATS}


# The opener -----------------------------------------------------------------------------------------


@pytest.mark.rule("negoces2:setup.13")
def test_seats_are_clockwise_in_the_order_given() -> None:
    """The auction goes round by it; a roll of 3 is the third seat."""
    table = Table("laid", seats=("dan", "bob", "ana", "cid"))
    table.banker("draw_starter", method="roll", dice=[3])
    table.banker("deal_goods", series=SERIES)
    assert table.state.order == ("dan", "bob", "ana", "cid")
    turns = []
    for amount in range(1, 6):
        turns.append(table.turn)
        table.play(table.turn, "bid", amount=amount)
    assert turns == ["ana", "cid", "dan", "bob", "ana"]


@pytest.mark.rule("negoces2:setup.14")
def test_in_a_first_game_a_roll_may_name_the_opener() -> None:
    table = Table("laid")
    drawn, *_ = table.banker("draw_starter", method="roll", dice=[2])
    assert (drawn.rule, drawn.seat, table.state.starter) == ("negoces2:setup.14", "bob", "bob")
    table.refused("banker", "draw_starter", "negoces2:setup.14", method="roll", dice=[1])
    table.banker("deal_goods", series=SERIES)
    table.refused("banker", "draw_starter", "negoces2:setup.14", method="roll", dice=[1])


@pytest.mark.rule("negoces2:setup.15", "negoces2:setup.12")
def test_the_highest_card_names_the_opener() -> None:
    """One card each, clockwise: 3, 7, 1 and 6; Bob opens."""
    table = Table("laid")
    (drawn,) = table.banker("draw_starter", cards=[3, 7, 1, 6])
    assert (drawn.rule, drawn.seat) == ("negoces2:setup.15", "bob")
    speakers = RULEBOOK.language.speakers(table.state)
    assert say(drawn, "en", speakers) == "Bob is drawn to open the auction (Ana 3, Bob 7, Cid 1, Dan 6)."
    table.banker("deal_goods", series=SERIES)
    assert table.turn == "bob"


@pytest.mark.rule("negoces2:setup.15")
def test_cards_are_drawn_before_the_deal_unless_the_banker_says_so() -> None:
    """Once the goods are dealt, nothing is left to draw from; a lot drawn earlier may be written down late."""
    table = Table("laid")
    table.banker("deal_goods", series=SERIES)
    table.refused("banker", "draw_starter", "negoces2:setup.15", cards=[3, 7, 1, 6])
    table.banker("draw_starter", cards=[3, 7, 1, 6], override="we drew before dealing")
    assert table.turn == "bob"


@pytest.mark.rule("negoces2:setup.16")
def test_only_those_who_share_the_highest_card_draw_again() -> None:
    """Ana and Cid draw 8, then 2 each, then 5 and 4: Ana opens. Bob and Dan drew once."""
    table = Table("laid")
    (drawn,) = table.banker("draw_starter", cards=[8, 5, 8, 1, 2, 2, 5, 4])
    assert (drawn.rule, drawn.seat) == ("negoces2:setup.16", "ana")
    rounds = [[(one.seat, one.number) for one in drawing] for drawing in drawn.rounds]
    assert rounds == [
        [("ana", 8), ("bob", 5), ("cid", 8), ("dan", 1)],
        [("ana", 2), ("cid", 2)],
        [("ana", 5), ("cid", 4)],
    ]


@pytest.mark.rule("negoces2:setup.16")
def test_a_lot_that_is_not_decided_needs_more_cards_and_one_that_is_takes_no_more() -> None:
    table = Table("laid")
    for cards, missing in (([8, 5, 8, 1], 2), ([8, 5], 2), ([8, 5, 8, 1, 3], 1)):
        needed = rf"cards of the lot \({missing}\) beside the values given \({len(cards)}\)"
        with pytest.raises(NeedsDraw, match=needed):
            table.banker("draw_starter", cards=cards)
    assert "5" in table.malformed("banker", "draw_starter", cards=[3, 7, 1, 6, 5]).en
    table.malformed("banker", "draw_starter", cards=[3, 7, 1, 6], dice=[2])
    table.malformed("banker", "draw_starter", cards=[3, 9, 1, 6])
    with pytest.raises(NeedsDraw, match=r"cards of the lot \(4\)"):
        table.banker("draw_starter")
    table.banker("draw_starter", cards=[3, 7, 1, 6])


@pytest.mark.rule("negoces2:banker.3", "negoces2:setup.15")
def test_the_service_draws_from_the_32_cards_and_keeps_the_deck() -> None:
    """Whatever it draws, a single highest card decides; ties come up in some of forty games."""
    openers, ties = Counter[str](), 0
    for seed in range(40):
        table = Table("laid", dice="service", seed=seed)
        (drawn,) = table.banker("draw_starter")
        deck = table.journal[-1].draws["deck"]
        assert Counter(deck) == dict.fromkeys(map(str, range(1, 9)), 4)
        numbers = [one.number for drawing in drawn.rounds for one in drawing]
        assert list(map(int, deck[: len(numbers)])) == numbers
        last = sorted(one.number for one in drawn.rounds[-1])
        assert last[-1] > last[-2]
        openers[drawn.seat] += 1
        ties += len(drawn.rounds) > 1
    assert set(openers) == set(SEATS)
    assert ties > 0


@pytest.mark.rule("negoces2:setup.17")
def test_the_last_winner_opens_and_no_lot_is_drawn() -> None:
    table = Table("laid", settings={"last_winners": ["cid"]})
    refusal = table.refused("banker", "draw_starter", "negoces2:setup.17", method="roll", dice=[1])
    assert "Cid" in refusal.en
    table.refused("banker", "set_starter", "negoces2:setup.17", winner="bob")
    table.refused("banker", "set_starter", "negoces2:setup.17", winner="eva")
    table.banker("set_starter", winner="cid")
    table.banker("deal_goods", series=SERIES)
    assert table.turn == "cid"


@pytest.mark.rule("negoces2:setup.17", "negoces2:setup.14")
@pytest.mark.parametrize("winners", [["ana", "cid"], []])
def test_a_shared_win_or_none_leaves_it_to_the_lot(winners: list[str]) -> None:
    table = Table("laid", settings={"last_winners": winners})
    table.refused("banker", "set_starter", "negoces2:setup.17", winner="ana")
    table.banker("draw_starter", method="roll", dice=[4])
    assert table.state.starter == "dan"


def test_a_last_winner_who_does_not_sit_here_is_refused() -> None:
    with pytest.raises(Malformed, match="no seat 'eva' at this table; its players are: Ana, Bob, Cid, Dan"):
        Table("laid", settings={"last_winners": ["cid", "eva"]})


@pytest.mark.rule("negoces2:setup.15")
def test_no_lot_draws_more_cards_of_a_kind_than_there_are() -> None:
    """All four draw an 8, then Ana draws a fifth. The 32 are shuffled again when too few are left for a round."""
    table = Table("laid")
    refusal = table.refused("banker", "draw_starter", "negoces2:setup.15", cards=[8, 8, 8, 8, 8, 1, 2, 3])
    assert "there are 4 cards of" in refusal.en
    even = [number for number in range(8, 0, -1) for _ in range(4)]
    table.banker("draw_starter", cards=[*even, 8, 1, 2, 3])
    assert table.state.starter == "ana"


@pytest.mark.rule("negoces2:setup.17")
def test_the_table_may_agree_who_opens() -> None:
    """The banker waives the lot, or the last winner's right."""
    table = Table("laid")
    table.banker("set_starter", winner="bob", override="Bob won yesterday, on paper")
    assert table.state.starter == "bob"
    table = Table("laid", settings={"last_winners": ["cid"]})
    table.banker("draw_starter", method="roll", dice=[1], override="Cid wants a lot")
    assert table.state.starter == "ana"


def test_what_the_banker_may_do_during_set_up_is_offered() -> None:
    """Deal and lot in either order, then nothing more of it."""
    table = Table("laid")
    kinds = {kind for kind in ("deal_goods", "draw_starter", "set_starter") if table.bankers_moves(kind)}
    assert kinds == {"deal_goods", "draw_starter"}
    assert Table("laid", settings={"last_winners": ["cid"]}).bankers_moves("set_starter") == [{"winner": "cid"}]
    table = Table("auction")
    assert not any(table.bankers_moves(kind) for kind in ("deal_goods", "draw_starter", "set_starter"))
