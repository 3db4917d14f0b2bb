"""VI.B: the Kamtar. A passing player buys a card and stops; the money; the rebuilt deck."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.refusals import NeedsDraw
from ledger.rulebooks.negopoly.table.pieces import CARDS
from tests.tables.negopoly import KAMTAR, ROSE, Table

CARD_IDS = [card.id for card in CARDS if card.deck == "kamtar"]


def passing(*dice: int, start: int = KAMTAR - 3, **options: Any) -> Table:
    """Ana comes by the Kamtar from three squares before it."""
    table = Table("ana", "bob", decks=True, **options)
    table.place("ana", start)
    table.play("ana", "roll_dice", dice=list(dice))
    return table


def buy(table: Table, card: str = "kamtar_03") -> None:
    """Ana, asked in passing, buys and draws this card."""
    table.play("ana", "answer", question=table.state.questions[0].id, answer="buy", draws=[card])


@pytest.mark.rule("VI.B.1", "VI.B.2")
def test_whoever_passes_over_it_may_buy_and_goes_no_further() -> None:
    """A roll of 8 from 32 waits on 35; Ana buys for 70 ₦ and stays: five squares, and Spawn's pay, are lost.

    Bob is there already, and is left alone: she is no Tank.
    """
    table = passing(4, 4)
    table.place("bob", KAMTAR)
    assert table.state.positions["ana"] == KAMTAR
    buy(table)
    assert table.state.positions["bob"] == KAMTAR
    assert table.holds("ana") == 1650 - 70
    assert table.holds("ana", "card:kamtar_03") == 1
    assert table.state.positions["ana"] == KAMTAR
    table.play("ana", "end_turn")


@pytest.mark.rule("VI.B.1")
def test_whoever_does_not_buy_goes_on() -> None:
    """The same roll ends on square 0, with the pay of 250 ₦."""
    table = passing(4, 4)
    table.play("ana", "answer", question=table.state.questions[0].id, answer="no", draws=["meteo_02"])
    assert table.state.positions["ana"] == 0
    assert table.holds("ana") == 1650 + 250


@pytest.mark.rule("VI.B.1", "II.B.13")
def test_silence_goes_on_when_time_is_over() -> None:
    """The turn closes where the roll ends, and the rent of that square is posted."""
    table = passing(1, 4)
    table.own("bob", "negoplaza")
    table.wait(301)
    table.banker("expire_turn")
    assert table.state.positions["ana"] == 37
    assert table.holds("ana") == 1650 - 35


@pytest.mark.rule("VI.B.1", "VI.B.2")
def test_a_stop_there_also_allows_it_once() -> None:
    """After an exact roll: one card, and no vehicle takes the buyer further."""
    table = passing(1, 2)
    assert table.state.questions == []
    table.give("ana", "automobile", source="shop:nc_custom")
    assert table.offers("ana", "buy_kamtar_card") == [{}]
    table.play("ana", "buy_kamtar_card", draws=["kamtar_05"])
    table.refused("ana", "buy_kamtar_card", "VI.B.1", draws=["kamtar_06"])
    table.refused("ana", "use_vehicle", "VIII.C.3", commodity="automobile")


@pytest.mark.rule("VI.B.1")
def test_elsewhere_or_without_money_no_card_is_sold() -> None:
    """Not before the move, not from another square, not for 69 ₦."""
    table = Table("ana", "bob", decks=True)
    table.place("ana", KAMTAR)
    table.refused("ana", "buy_kamtar_card", "II.B.3", draws=["kamtar_01"])
    table.play("ana", "roll_dice", dice=[1, 1])
    table.refused("ana", "buy_kamtar_card", "VI.B.1", draws=["kamtar_01"])
    poor = passing(4, 4)
    poor.take("ana", "NGD", 1581)
    poor.refused("ana", "answer", "VI.B.1", question=poor.state.questions[0].id, answer="buy", draws=["kamtar_01"])


@pytest.mark.rule("VI.B.1", "VI.B.2", "V.A.7")
def test_a_card_waived_to_another_seat_stops_nobody_else() -> None:
    """Ana has gone on to Bob's Négoplaza when he, on the Kamtar, buys by a waiver: she owes him 35 ₦."""
    table = passing(4, 1)
    table.own("bob", "negoplaza")
    table.place("bob", KAMTAR)
    table.play("ana", "answer", question=table.state.questions[0].id, answer="no")
    table.play("bob", "buy_kamtar_card", override="promised to him", draws=["kamtar_03"])
    assert (table.holds("bob"), table.holds("bob", "card:kamtar_03")) == (1650 - 70, 1)
    table.refused("ana", "end_turn", "II.B.7")
    table.play("ana", "resolve_square")
    assert table.holds("ana") == 1650 - 35


@pytest.mark.rule("VI.B.2", "VIII.B.7")
def test_a_tank_that_stops_to_buy_ends_its_move_on_whoever_stands_there() -> None:
    """Three squares by Tank take Ana over the Kamtar and Bob: stopping to buy she sends him to the Hôpital."""
    for said, ana, bob in (
        ({"answer": "buy", "draws": ["kamtar_03"]}, KAMTAR, 20),
        ({"answer": "no"}, 37, KAMTAR),
    ):
        table = Table("ana", "bob", decks=True)
        table.give("ana", "tank")
        table.place("ana", KAMTAR - 3)
        table.place("bob", KAMTAR)
        table.play("ana", "use_vehicle", commodity="tank", steps=3)
        table.play("ana", "roll_dice", dice=[1, 1])
        table.play("ana", "answer", question=table.state.questions[0].id, **said)
        assert table.state.positions == {"ana": ana, "bob": bob}


@pytest.mark.rule("VI.B.2", "III.B.4")
def test_buying_cancels_the_way_back_of_a_dose() -> None:
    """On a drug die of 3 Ana would walk back from the turning point: the purchase stops her on the way out."""
    table = Table("ana", "bob", decks=True, perks={"ana": "doses"})
    table.place("ana", KAMTAR - 3)
    table.play("ana", "consume_dose", dice=[3])
    table.play("ana", "roll_dice", dice=[4, 1])
    buy(table)
    assert table.state.positions["ana"] == KAMTAR


@pytest.mark.rule("VI.B.1")
def test_which_card_it_is_stays_the_buyers_secret() -> None:
    """Bob sees the purchase and its price, and not the card; the draw is kept for the buyer and the banker."""
    table = passing(4, 4)
    buy(table)
    seen = {type(event).__name__: event for event in table.seen_by("bob")}
    assert seen["KamtarPaid"].price == 70  # type: ignore[attr-defined]
    assert (seen["CardKept"].card, seen["CardKept"].postings) == (None, ())  # type: ignore[attr-defined]
    assert table.last is not None
    assert table.last.draws == {"kamtar card": ["kamtar_03"]}


@pytest.mark.rule("VI.B.1")
def test_where_the_table_draws_it_says_which_card_came() -> None:
    table = passing(4, 4)
    question = table.state.questions[0].id
    assert isinstance(table.malformed("ana", "answer", question=question, answer="buy"), NeedsDraw)
    table.malformed("ana", "answer", question=question, answer="buy", draws=["chance_01"])


@pytest.mark.rule("VI.B.3")
def test_an_empty_deck_is_rebuilt_from_its_discards() -> None:
    """Two cards are discarded, ten are in Bob's hand: one of the two comes, the other is the whole deck."""
    table = passing(4, 4)
    with table.arranged() as state:
        for card in CARD_IDS:
            target = "discard:kamtar" if card in {"kamtar_01", "kamtar_02"} else "player:bob"
            state.holdings.post(Posting(f"card:{card}", 1, "deck:kamtar", target))
    events = table.play("ana", "answer", question=table.state.questions[0].id, answer="buy", draws=["kamtar_02"])
    assert "DeckRebuilt" in [type(event).__name__ for event in events]
    assert list(table.state.holdings.account("deck:kamtar")) == ["card:kamtar_01"]
    assert table.holds("ana", "card:kamtar_02") == 1


@pytest.mark.rule("VI.B.1")
def test_without_a_card_left_nothing_is_sold() -> None:
    """All twelve are in Bob's hand: nobody is asked in passing, and a stop sells nothing."""
    table = Table("ana", "bob", decks=True)
    table.hand("bob", *CARD_IDS)
    table.place("ana", KAMTAR - 3)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.refused("ana", "buy_kamtar_card", "VI.B.1")
    table.place("bob", KAMTAR - 1)
    table.play("ana", "end_turn")
    table.play("bob", "roll_dice", dice=[1, 1])
    assert table.state.positions["bob"] == 36


@pytest.mark.rule("VI.B.4", "V.E.7")
def test_payments_go_to_the_bank_unless_rose_redirects_half_of_them() -> None:
    """70 ₦ to the bank; with Bob holding Rose 35 of them are his, be it a stop or a passage."""
    table = passing(1, 2)
    bank = table.holds("bank")
    table.play("ana", "buy_kamtar_card", draws=["kamtar_03"])
    assert table.holds("bank") == bank + 70
    shared = passing(4, 4)
    shared.own("bob", *ROSE)
    bank = shared.holds("bank")
    buy(shared)
    assert (shared.holds("bank"), shared.holds("bob")) == (bank + 35, 1650 + 35)


@pytest.mark.rule("IX.C.24")
def test_under_a_bomb_the_kamtar_is_off() -> None:
    """Nobody is asked in passing."""
    table = Table("ana", "bob", decks=True)
    with table.arranged() as state:
        state.blackouts.add("bob")
    table.place("ana", KAMTAR - 3)
    table.play("ana", "roll_dice", dice=[2, 2])
    assert table.state.positions["ana"] == 36
    table.refused("ana", "buy_kamtar_card", "IX.C.24")
