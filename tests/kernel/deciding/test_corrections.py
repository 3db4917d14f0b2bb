"""Corrections: several edits at once, corrections of corrections, and earlier beliefs."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.edits import Drop, Edit, Replace, Rewind
from ledger.kernel.facts.refusals import Malformed, Refusal
from ledger.rulebooks.negopoly.table.terms import Loan, player
from tests.kernel.deciding.borrowed import GIFT, HEAD, LOAN, PAID_BACK, ROLL, sound, statuses
from tests.tables.chronicle import Chronicle, frozen, inserting, without_counters

# ----------------------------------------------------------------------------------------------
# Several edits at once
# ----------------------------------------------------------------------------------------------


def test_several_edits_are_one_whole(game: Chronicle) -> None:
    """The loan was larger, the gift did not happen, and Bob gave something instead."""
    found = game.correct(
        Replace(LOAN, {"amount": 200}),
        Drop(GIFT),
        inserting(LOAN, "bob", "transfer_money", to="ana", amount=5),
        cascade="restate",
    )
    assert (len(found.undone), len(found.restated), len(found.event.insertions)) == (1, 2, 1)
    assert statuses(game) == {"7": "restated", "8": "undone", "10": "restated"}
    assert (game.money("ana"), game.money("bob")) == (1650 + 200 + 5 - 50, 1645)
    game.correct(Drop(game.head), cascade="refuse")
    assert statuses(game) == {"11": "undone", "11.1": "undone"}
    assert game.money("ana") == 1660
    sound(game)


def test_one_impossible_edit_refuses_them_all(game: Chronicle) -> None:
    for bad in (Drop(99), Drop(1), Replace(GIFT, {"to": "bob", "amount": 9_999})):
        with pytest.raises(Refusal):
            game.correct(Drop(ROLL), bad, cascade="restate")
    assert game.head == HEAD
    assert statuses(game) == {}


def test_an_action_is_edited_once_in_a_correction(game: Chronicle) -> None:
    with pytest.raises(Malformed, match="twice"):
        game.correct(Drop(GIFT), Replace(GIFT, {"to": "bob", "amount": 1}), cascade="restate")


def test_numbers_beyond_the_head_name_nothing(game: Chronicle) -> None:
    for edit in (Drop(HEAD + 1), Replace(HEAD + 1, {}), Rewind(99), inserting(HEAD + 1, "ana", "end_turn")):
        with pytest.raises(Malformed, match="there is no action"):
            game.correct(edit)


def test_a_correction_without_edits_is_none(game: Chronicle) -> None:
    with pytest.raises(Malformed):
        game.correct()


# ----------------------------------------------------------------------------------------------
# Redo
# ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "edits",
    [
        (Drop(GIFT),),
        (Drop(LOAN),),
        (Replace(ROLL, {"dice": [5, 5]}),),
        (Rewind(LOAN),),
        (inserting(LOAN, "ana", "take_loan", amount=10), Drop(ROLL)),
    ],
    ids=["one", "with a fall", "dice", "rewind", "several"],
)
def test_dropping_a_correction_is_its_redo_and_so_on(game: Chronicle, edits: tuple[Edit, ...]) -> None:
    """Undo, redo, redo of the redo, and so on: there are only two histories."""
    first = without_counters(game.state)
    game.correct(*edits, cascade="restate")
    second = without_counters(game.state)
    assert second != first
    undone = statuses(game)
    for expected in (first, second, first, second):
        game.correct(Drop(game.head), cascade="restate")
        assert without_counters(game.state) == expected
        sound(game)
    corrections = {str(number) for number in range(HEAD + 1, game.head + 1)}
    assert {name: status for name, status in statuses(game).items() if name not in corrections} == undone
    assert [game.status(number) for number in range(HEAD + 1, game.head + 1)] == [
        "effective",
        "undone",
        "effective",
        "undone",
        "effective",
    ]


def test_an_action_that_two_corrections_took_out_needs_both_dropped(game: Chronicle) -> None:
    game.correct(Drop(GIFT))
    game.correct(Rewind(GIFT))
    game.correct(Drop(HEAD + 1))
    assert game.status(GIFT) == "undone"
    for cascade in ("refuse", "keep", "restate"):
        assert game.plan(Drop(HEAD + 2), cascade=cascade).new_state.holdings.of(player("bob"), "NGD") == 1690
    game.correct(Drop(HEAD + 2), cascade="refuse")
    assert game.status(GIFT) == "effective"
    assert game.money("ana") == 1660
    sound(game)


def test_what_was_voided_comes_back_with_its_cause(game: Chronicle) -> None:
    game.correct(Drop(LOAN), cascade="restate")
    assert game.status(PAID_BACK) == "voided"
    found = game.correct(Drop(HEAD + 1))
    assert [one.entry.number for one in found.restored] == [LOAN, PAID_BACK]
    assert statuses(game) == {"11": "undone"}
    assert game.standing(PAID_BACK).why is None
    sound(game)


# ----------------------------------------------------------------------------------------------
# Actions that are decided again
# ----------------------------------------------------------------------------------------------


def test_agreements_keep_their_ids(game: Chronicle) -> None:
    """The loan of action 7 stays loan 7 after any correction before it; an inserted loan has an id of its own."""
    game.correct(inserting(3, None, "set_turn_order", order=["ana", "bob"]))
    game.correct(Drop(game.head))
    number = game.head + 1
    game.correct(
        inserting(GIFT, "ana", "take_loan", amount=10),
        inserting(LOAN, "bob", "take_loan", amount=20),
    )
    loans = {key: one.borrower for key, one in game.state.open.items() if isinstance(one, Loan)}
    assert loans == {"7": "ana", f"{number}-1": "ana", f"{number}-2": "bob"}
    repaid = game.play("bob", "repay_loan", loan=f"{number}-2")
    game.correct(Drop(GIFT))
    assert game.status(repaid) == "effective"
    sound(game)


def test_a_waiver_recorded_waives_those_rules_and_no_others() -> None:
    """The turn was waived, but not the price: without the money the purchase is voided."""
    game = Chronicle("ana", "bob")
    lent = game.play("bob", "transfer_money", to="ana", amount=1_600)
    spent = game.banker("transfer_money", seat="ana", to="bob", amount=1_700, override="a gift on credit")
    waived = game.banker("end_turn", seat="ana", override="she had to leave")
    assert game.standing(spent).entry.warnings == ()
    assert [warned.rule for warned in game.standing(waived).entry.warnings] == ["II.B.12"]
    found = game.correct(Drop(lent), cascade="restate")
    (fallen,) = found.voided
    assert (fallen.timeline_entry.entry.number, fallen.why.rule) == (spent, "I.B.6")
    assert game.status(waived) == "effective"
    sound(game)


# ----------------------------------------------------------------------------------------------
# Bitemporal reading
# ----------------------------------------------------------------------------------------------


def test_what_was_believed_before_a_correction_can_still_be_read(game: Chronicle) -> None:
    beliefs = [frozen(game.at(number)) for number in range(1, HEAD + 1)]
    game.correct(Drop(LOAN), cascade="restate")
    game.correct(Replace(GIFT, {"to": "bob", "amount": 1}), cascade="restate")
    game.correct(Drop(HEAD + 1), cascade="restate")
    for number in range(1, HEAD + 1):
        assert frozen(game.at(number, known_at=HEAD)) == beliefs[number - 1]
        assert frozen(game.at(number, known_at=number)) == beliefs[number - 1]
    assert game.at(GIFT).holdings.of(player("bob"), "NGD") == 1651
    assert game.at(GIFT, known_at=HEAD + 1).holdings.of(player("ana"), "NGD") == 1610


def test_a_game_that_ended_by_mistake_goes_on() -> None:
    """Everything after the mistake was refused, so only the end itself is undone."""
    game = Chronicle("ana", "bob", settings={"max_rounds": 1})
    for seat in ("ana", "bob"):
        game.play(seat, "roll_dice", dice=[1, 2])
        ended = game.banker("end_turn", seat=seat, override="quickly")
    assert game.state.ended
    game.correct(Drop(ended))
    assert not game.state.ended
    game.play("bob", "take_loan", amount=10)
    game.correct(Drop(game.head - 1), cascade="restate")
    assert game.state.ended
    assert game.status(game.head - 1) == "voided"
    sound(game)
