"""A mistaken correction is amended by one correction: its edits, changed, take the place of the first ones."""

from __future__ import annotations

import pytest

from ledger.kernel.deciding.plan import CorrectionSpreads
from ledger.kernel.facts.edits import Amend, Drop, Insert, NewAction, Replace
from ledger.kernel.facts.refusals import Impossible, Malformed
from tests.kernel.deciding.borrowed import GIFT, HEAD, LOAN, PAID_BACK, ROLL, sound, statuses
from tests.tables.chronicle import Chronicle

FIRST = HEAD + 1


def gave(amount: int) -> Replace:
    return Replace(GIFT, {"to": "bob", "amount": amount})


def forgotten(amount: int) -> Insert:
    return Insert(ROLL, NewAction(kind="transfer_money", seat="ana", params={"to": "bob", "amount": amount}))


def test_the_same_edit_with_another_amount(game: Chronicle) -> None:
    """The plan compares with the state as it is known, in which the first correction counts."""
    ana = game.money("ana")
    game.correct(gave(400))
    found = game.correct(Amend(FIRST), gave(30))
    assert (
        found.old_state.holdings.of("player:ana", "NGD"),
        found.new_state.holdings.of("player:ana", "NGD"),
    ) == (
        ana + 40 - 400,
        ana + 40 - 30,
    )
    assert statuses(game) == {str(GIFT): "restated", str(FIRST): "undone"}
    sound(game)


def test_what_the_first_one_dropped_is_there_to_be_replaced(game: Chronicle) -> None:
    game.correct(Drop(GIFT))
    found = game.correct(Amend(FIRST), gave(30))
    assert [one.timeline_entry.entry.number for one in found.restated] == [GIFT]
    assert statuses(game) == {str(GIFT): "restated", str(FIRST): "undone"}
    sound(game)


def test_another_action_was_meant(game: Chronicle) -> None:
    """Dropping the loan by mistake voided its repayment. The gift was meant; both come back, and only it goes."""
    game.correct(Drop(LOAN), cascade="restate")
    assert statuses(game) == {str(LOAN): "undone", str(PAID_BACK): "voided"}
    game.correct(Amend(FIRST), Drop(GIFT))
    assert statuses(game) == {str(GIFT): "undone", str(FIRST): "undone"}
    sound(game)


def test_what_the_first_one_inserted_gives_way(game: Chronicle) -> None:
    bob = game.money("bob")
    game.correct(forgotten(500))
    found = game.correct(Amend(FIRST), forgotten(5))
    assert [one.name for one in found.undone] == [f"{FIRST}.1", str(FIRST)]
    assert game.money("bob") == bob + 5
    sound(game)


def test_an_amendment_is_amended_and_the_first_mistake_stays_away(game: Chronicle) -> None:
    bob = game.money("bob")
    game.correct(forgotten(500))
    game.correct(Amend(FIRST), forgotten(50))
    game.correct(Amend(FIRST + 1), forgotten(5))
    assert game.money("bob") == bob + 5
    # Without the last one the one before it counts again, and the first one still does not.
    game.correct(Drop(FIRST + 2), cascade="restate")
    assert game.money("bob") == bob + 50
    sound(game)


def test_nothing_else_may_change_unless_the_cascade_says_so(game: Chronicle) -> None:
    game.correct(gave(30))
    with pytest.raises(CorrectionSpreads, match=str(PAID_BACK)):
        game.correct(Amend(FIRST), Drop(LOAN))
    assert game.head == FIRST


def test_only_a_correction_in_force_is_amended_and_by_other_edits(game: Chronicle) -> None:
    with pytest.raises(Malformed, match=f"action {GIFT} is no correction: drop it or replace it"):
        game.correct(Amend(GIFT), gave(30))
    game.correct(gave(30))
    with pytest.raises(Malformed, match="needs an edit"):
        game.correct(Amend(FIRST))
    with pytest.raises(Malformed, match="twice"):
        game.correct(Amend(FIRST), Drop(FIRST), gave(20))
    game.correct(Drop(FIRST))
    with pytest.raises(Impossible, match=f"action {FIRST} is undone already"):
        game.correct(Amend(FIRST), gave(20))


def test_what_goes_with_the_first_one_is_inserted_anew_and_not_replaced(game: Chronicle) -> None:
    """Silence would leave the banker with neither the old payment nor the new one."""
    game.correct(forgotten(500))
    renewed = Replace(f"{FIRST}.1", {"to": "bob", "amount": 5})
    with pytest.raises(Impossible, match=f"action {FIRST}.1 goes with correction {FIRST}: insert it anew"):
        game.correct(Amend(FIRST), renewed)
    game.correct(renewed)
    assert game.standing(FIRST, 1).status == "restated"
    sound(game)
