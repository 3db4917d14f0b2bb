"""A card whose draw a correction undoes lies on top of the deck. Later draws keep their cards."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.facts.edits import Drop
from ledger.kernel.facts.events import UndoneDraw
from ledger.kernel.facts.refusals import NeedsDraw
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.rules.draws import Draws, undone_draws
from tests.harness.playing import Playing
from tests.kernel.deciding.borrowed import PAID_BACK
from tests.kernel.patience import RULES, Patience
from tests.tables.chronicle import Chronicle


@pytest.fixture
def table() -> Playing[Patience]:
    return Playing(RULES, ("ana", "bob"), dice="service", seed=4)


def draws(table: Playing[Patience], seat: str, count: int = 1) -> list[str]:
    """A seat draws. Returns the cards, in the order drawn."""
    (event,) = table.play(seat, "draw_card", count=count)
    return [*event.cards]  # type: ignore[attr-defined]


def correct(table: Playing[Patience], *edits: dict[str, Any], cascade: str = "restate") -> HistoryCorrected:
    done = table.banker("correct", edits=list(edits), cascade=cascade, reason="a slip")[0]
    assert isinstance(done, HistoryCorrected)
    return done


def drop(number: int) -> dict[str, Any]:
    return {"op": "drop", "action": number}


def test_the_next_one_to_draw_gets_the_cards_back_in_their_order(table: Playing[Patience]) -> None:
    first, second = draws(table, "ana", 2)
    kept = draws(table, "bob")
    done = correct(table, drop(2))
    assert done.undrawn == (UndoneDraw("2", "card", (first, second)),)
    assert table.state.top == (first, second)
    assert draws(table, "bob") == [first]
    assert table.state.top == (second,)
    assert table.state.holdings.of("hand:bob", f"card:{kept[0]}") == 1
    three = draws(table, "ana", 3)
    assert (three[0], len({*three, first, *kept})) == (second, 5)


def test_of_several_draws_the_first_card_drawn_lies_on_top(table: Playing[Patience]) -> None:
    (ace,), (king,), (ten,) = draws(table, "ana"), draws(table, "bob"), draws(table, "ana")
    correct(table, drop(4))
    assert table.state.top == (ten,)
    correct(table, drop(2), drop(3))
    assert table.state.top == (ace, king, ten)


def test_a_redo_gives_back_the_same_state(table: Playing[Patience]) -> None:
    draws(table, "ana", 2)
    before = table.state.copy()
    correct(table, drop(2), cascade="refuse")
    correct(table, drop(3), cascade="refuse")
    assert (table.state.top, table.state.holdings) == (before.top, before.holdings)
    correct(table, drop(4), cascade="refuse")
    assert table.state.top != ()


def test_a_card_from_the_top_is_a_recorded_draw_like_any_other(table: Playing[Patience]) -> None:
    """Bob has taken Ana's card from the top. It goes back there when his draw is undone, too."""
    (card,) = draws(table, "ana")
    correct(table, drop(2))
    assert draws(table, "bob") == [card]
    assert table.journal[-1].draws == {"card": [card]}
    correct(table, drop(4))
    assert table.state.top == (card,)


def test_who_drew_later_keeps_the_card_when_it_is_not_on_top_any_more(table: Playing[Patience]) -> None:
    """Ana's draw is redone: the card is hers again, and Bob lacks one, which is asked for."""
    (card,) = draws(table, "ana")
    correct(table, drop(2))
    draws(table, "bob")
    correct(table, drop(3))
    assert table.state.holdings.holder(f"card:{card}") == "hand:ana"
    assert table.standing(4).status == "voided"


def test_a_later_correction_decides_an_earlier_one_again(table: Playing[Patience]) -> None:
    draws(table, "bob")
    (card,) = draws(table, "ana")
    correct(table, drop(3))
    correct(table, drop(2))
    assert table.standing(4).status == "effective"
    assert table.state.top[-1] == card
    assert len(table.state.top) == 2


def test_the_draws_of_a_restated_action_are_known_to_the_next_correction(table: Playing[Patience]) -> None:
    first, second = draws(table, "ana", 2)
    correct(table, {"op": "replace", "action": 2, "params": {"count": 1}})
    assert table.standing(2).draws == {"card": [first]}
    assert table.state.top == (second,)
    done = correct(table, drop(2))
    assert done.undrawn == (UndoneDraw("2", "card", (first,)),)
    assert table.state.top == (first, second)


def test_a_ruling_that_corrects_puts_back_as_well(table: Playing[Patience]) -> None:
    (card,) = draws(table, "ana")
    remedy = {"op": "correct", "edits": [drop(2)], "cascade": "restate"}
    table.banker("rule", finding="It was not her turn.", remedies=[remedy])
    assert table.state.top == (card,)


def test_what_the_service_turned_up_goes_back_as_well(table: Playing[Patience]) -> None:
    table.play("ana", "pass")
    table.play("bob", "pass")
    (card,) = table.journal[3].draws["card"]
    correct(table, drop(3), cascade="refuse")
    assert table.state.top == (card,)
    table.play("bob", "pass")
    assert table.journal[-2].draws == {"card": [card]}


def test_a_dry_run_and_a_table_do_not_look_at_the_top() -> None:
    with pytest.raises(NeedsDraw):
        Draws().cards("card", ["ace", "king"], top=["king"])
    table = Draws()
    table.offer(["ace"])
    assert table.cards("card", ["ace", "king"], top=["king"]) == ("ace",)


def test_games_that_put_nothing_back_store_nothing_more(game: Chronicle) -> None:
    game.correct(Drop(PAID_BACK))
    assert b"undrawn" not in bytes(game.journal[-1].events[0])
    assert b'"draws":' not in bytes(game.journal[-1].events[0])


def test_undrawn_values_are_told_by_the_name_of_their_draw() -> None:
    was: dict[str, list[int | str]] = {"dice": [3, 3], "card": ["a", "b", "c"], "more": [1]}
    now: dict[str, list[int | str]] = {"dice": [3], "card": ["b"], "more": [1, 2]}
    assert list(undone_draws("7", was, now)) == [
        UndoneDraw("7", "dice", (3,)),
        UndoneDraw("7", "card", ("a", "c")),
    ]
