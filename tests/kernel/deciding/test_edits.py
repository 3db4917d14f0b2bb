"""Each edit of the history of a game (`borrowed`), with every cascade."""

from __future__ import annotations

import pytest

from ledger.kernel.deciding.plan import CannotKeep, CorrectionSpreads
from ledger.kernel.facts.edits import Cascade, Drop, Insert, NewAction, Replace, Rewind
from ledger.kernel.facts.refusals import Impossible, Malformed, NotYours, RuleBroken, UnknownKind
from ledger.rulebooks.negopoly.table.terms import player
from tests.kernel.deciding.borrowed import GIFT, HEAD, LOAN, PAID_BACK, ROLL, sound, statuses
from tests.tables.chronicle import Chronicle, inserting, without_counters

cascades = pytest.mark.parametrize("cascade", ["restate", "keep", "refuse"])


# ----------------------------------------------------------------------------------------------
# Drop
# ----------------------------------------------------------------------------------------------


@cascades
def test_an_action_that_nothing_depends_on_is_dropped_alone(game: Chronicle, cascade: Cascade) -> None:
    found = game.correct(Drop(GIFT), cascade=cascade)
    assert [one.entry.number for one in found.undone] == [GIFT]
    assert (found.restated, found.voided, found.restored, found.event.insertions) == ((), (), (), ())
    assert found.unchanged == 2
    assert (game.money("ana"), game.money("bob")) == (1700, 1650)
    assert statuses(game) == {"8": "undone"}
    assert game.standing(GIFT).by == HEAD + 1
    sound(game)


def test_what_can_no_longer_be_is_voided_with_the_rule_and_the_reason(game: Chronicle) -> None:
    found = game.correct(Drop(LOAN), cascade="restate")
    (fallen,) = found.voided
    assert (fallen.timeline_entry.entry.number, fallen.why.rule) == (PAID_BACK, "X.C.4")
    assert statuses(game) == {"7": "undone", "10": "voided"}
    why = game.standing(PAID_BACK).why
    assert why is not None
    assert (why.rule, why.en) == ("X.C.4", "Ana has no loan '7'")
    assert game.money("ana") == 1610
    sound(game)


def test_nothing_is_written_when_something_later_would_change(game: Chronicle) -> None:
    """The refusal carries the plan, so that the banker can choose."""
    with pytest.raises(CorrectionSpreads, match="10") as refusal:
        game.correct(Drop(LOAN), cascade="refuse")
    assert [one.timeline_entry.entry.number for one in refusal.value.plan.voided] == [PAID_BACK]
    assert refusal.value.plan.new_state.holdings.of(player("ana"), "NGD") == 1610
    assert game.head == HEAD
    sound(game)


def test_later_facts_can_be_kept_as_they_were(game: Chronicle) -> None:
    """The bank keeps the 50 that Ana paid on a loan she never took."""
    found = game.correct(Drop(LOAN), cascade="keep")
    assert (found.voided, found.restated) == ((), ())
    assert statuses(game) == {"7": "undone"}
    assert game.money("ana") == 1650 - 40 - 50
    sound(game)


def test_what_was_never_bought_cannot_be_kept_sold() -> None:
    """Ana buys a title and sells it back to the bank: without the purchase the sale is impossible."""
    game = Chronicle("ana", "bob")
    bought = bought_property(game)
    title = game.state.board[game.state.positions["ana"]].property
    assert title is not None
    sold = game.play("ana", "sell_property", title=title)
    with pytest.raises(CannotKeep, match=f"action {sold} ") as refusal:
        game.correct(Drop(bought), cascade="keep")
    assert refusal.value.timeline_entry.entry.number == sold
    assert isinstance(refusal.value.refusal, Impossible)
    assert game.head == sold


def bought_property(game: Chronicle) -> int:
    """Ana buys the first title that she stops on. Returns the number of the purchase."""
    for total in range(2, 13):
        if game.state.board[total].property is not None:
            break
    first = min(6, total - 1)
    game.play("ana", "roll_dice", dice=[first, total - first])
    return game.play("ana", "buy_property")


def test_an_action_undone_already_is_not_undone_again(game: Chronicle) -> None:
    game.correct(Drop(GIFT))
    with pytest.raises(Impossible, match="undone already"):
        game.correct(Drop(GIFT))
    with pytest.raises(Impossible, match="undone already"):
        game.correct(Replace(GIFT, {"to": "bob", "amount": 1}))
    assert game.head == HEAD + 1


def test_a_voided_action_can_be_dropped_for_good(game: Chronicle) -> None:
    """It stays undone when the correction that voided it is dropped."""
    game.correct(Drop(LOAN), cascade="restate")
    game.correct(Drop(PAID_BACK))
    game.correct(Drop(HEAD + 1))
    assert statuses(game) == {"10": "undone", "11": "undone"}
    assert game.money("ana") == 1710
    sound(game)


# ----------------------------------------------------------------------------------------------
# Replace
# ----------------------------------------------------------------------------------------------


def test_a_misread_die_is_put_right_and_the_turn_goes_on_elsewhere(game: Chronicle) -> None:
    found = game.correct(Replace(ROLL, {"dice": [2, 2]}), cascade="refuse")
    (restated,) = found.restated
    assert restated.timeline_entry.entry.number == ROLL
    assert restated.old_events != restated.new_events
    assert game.state.positions["ana"] == 4
    assert statuses(game) == {"9": "restated"}
    sound(game)


def test_a_replaced_action_is_replaced_again_and_put_back(game: Chronicle) -> None:
    game.correct(Replace(GIFT, {"to": "bob", "amount": 10}))
    assert game.money("bob") == 1660
    game.correct(Replace(GIFT, {"to": "bob", "amount": 20}))
    assert game.money("bob") == 1670
    game.correct(Drop(HEAD + 2))
    assert game.money("bob") == 1660
    game.correct(Replace(GIFT, {"to": "bob", "amount": 40}))
    assert game.money("bob") == 1690
    assert game.status(GIFT) == "effective"
    sound(game)


def test_what_is_restated_and_restated_back_counts_with_its_own_events(game: Chronicle) -> None:
    game.correct(Replace(GIFT, {"to": "bob", "amount": 10}))
    assert game.status(GIFT) == "restated"
    found = game.correct(Drop(HEAD + 1))
    assert [one.entry.number for one in found.restored] == [GIFT]
    standing = game.standing(GIFT)
    assert (standing.status, standing.events) == ("effective", standing.recorded)


def test_a_replacement_that_the_rules_refuse_is_not_taken(game: Chronicle) -> None:
    """A wrong parameter voids nothing: the whole correction is refused."""
    with pytest.raises(RuleBroken) as refusal:
        game.correct(Replace(GIFT, {"to": "bob", "amount": 10_000}), cascade="restate")
    assert refusal.value.rule == "I.B.6"
    with pytest.raises(Malformed):
        game.correct(Replace(ROLL, {"dice": [7, 1]}), cascade="restate")
    with pytest.raises(Malformed):
        game.correct(Replace(ROLL, {"dicee": [1, 1]}), cascade="restate")
    assert game.head == HEAD


def test_a_correction_is_dropped_not_replaced(game: Chronicle) -> None:
    game.correct(Drop(GIFT))
    with pytest.raises(Malformed, match="drop it instead"):
        game.correct(Replace(HEAD + 1, {"edits": [], "cascade": "refuse", "reason": "x"}))


# ----------------------------------------------------------------------------------------------
# Insert
# ----------------------------------------------------------------------------------------------


def test_an_action_forgotten_is_inserted_where_it_belongs(game: Chronicle) -> None:
    found = game.correct(inserting(LOAN, "bob", "transfer_money", to="ana", amount=5))
    number = game.head
    assert len(found.event.insertions) == 1
    assert [one.name for one in game.timeline().entries()][6:9] == ["7", f"{number}.1", "8"]
    standing = game.standing(number, 1)
    assert (standing.status, standing.entry.by, standing.entry.seat) == ("effective", "banker", "bob")
    assert standing.entry.recorded_at == game.journal[LOAN - 1].recorded_at
    assert game.at(LOAN).holdings.of(player("bob"), "NGD") == 1645
    assert game.at(LOAN, known_at=HEAD).holdings.of(player("bob"), "NGD") == 1650
    assert game.money("bob") == 1685
    sound(game)


@cascades
def test_dropping_the_inserting_correction_takes_the_inserted_action_out(
    game: Chronicle, cascade: Cascade
) -> None:
    before = without_counters(game.state)
    game.correct(inserting(LOAN, "bob", "transfer_money", to="ana", amount=5), cascade=cascade)
    inserting_one = game.head
    after = without_counters(game.state)
    game.correct(Drop(inserting_one), cascade=cascade)
    assert without_counters(game.state) == before
    assert game.status(inserting_one, 1) == "undone"
    game.correct(Drop(game.head), cascade=cascade)
    assert without_counters(game.state) == after
    assert game.status(inserting_one, 1) == "effective"
    sound(game)


def test_an_inserted_action_that_the_rules_refuse_refuses_the_whole(game: Chronicle) -> None:
    with pytest.raises(RuleBroken) as refusal:
        game.correct(inserting(LOAN, "bob", "transfer_money", to="ana", amount=10_000), cascade="restate")
    assert refusal.value.rule == "I.B.6"
    with pytest.raises(RuleBroken):
        game.correct(inserting(ROLL, "ana", "roll_dice", dice=[1, 2]), cascade="restate")
    assert game.head == HEAD


def test_what_nobody_could_have_performed_is_not_inserted(game: Chronicle) -> None:
    with pytest.raises(UnknownKind):
        game.correct(inserting(LOAN, "ana", "fly"))
    with pytest.raises(Malformed, match="no seat"):
        game.correct(inserting(LOAN, "zoe", "transfer_money", to="ana", amount=5))
    with pytest.raises(Malformed, match="name it"):
        game.correct(inserting(LOAN, None, "transfer_money", to="ana", amount=5))
    with pytest.raises(Malformed):
        game.correct(inserting(LOAN, "ana", "take_loan", amount=-5))
    with pytest.raises(NotYours, match="by itself"):
        game.correct(inserting(LOAN, None, "create_game", players=[], settings={}, dice="table"))
    edits = [{"op": "drop", "action": LOAN}]
    with pytest.raises(Malformed, match="corrects the history"):
        game.correct(inserting(LOAN, None, "correct", edits=edits, reason="twice"))
    assert game.head == HEAD


def test_an_inserted_action_may_be_recorded_with_a_waiver(game: Chronicle) -> None:
    """Bob gives what he does not have, and the journal says that the banker let him."""
    new = NewAction(
        kind="transfer_money", params={"to": "ana", "amount": 1_660}, seat="bob", override="we all saw it"
    )
    game.correct(Insert(LOAN, new))
    standing = game.standing(game.head, 1)
    assert [warned.rule for warned in standing.entry.warnings] == ["I.B.6"]
    assert game.money("bob") == 30
    sound(game)


def test_the_first_action_takes_insertions_but_no_other_edit(game: Chronicle) -> None:
    for edit in (Drop(1), Replace(1, {}), Rewind(1)):
        with pytest.raises(Impossible, match="action 1"):
            game.correct(edit, cascade="restate")
    game.correct(inserting(1, None, "set_turn_order", order=["bob", "ana"]), cascade="restate")
    # The first round was played by Ana first, and stays so. The next one has the inserted order.
    assert (game.state.order, game.state.next_order) == (("ana", "bob"), ("bob", "ana"))
    sound(game)


# ----------------------------------------------------------------------------------------------
# Rewind
# ----------------------------------------------------------------------------------------------


@cascades
def test_going_back_takes_out_everything_from_there_on(game: Chronicle, cascade: Cascade) -> None:
    then = without_counters(game.at(LOAN))
    before = without_counters(game.state)
    game.correct(Rewind(GIFT), cascade=cascade)
    assert without_counters(game.state) == then
    assert statuses(game) == {"8": "undone", "9": "undone", "10": "undone"}
    game.play("ana", "roll_dice", dice=[3, 3])
    assert game.state.positions["ana"] == 6
    with pytest.raises(Impossible, match="undone already"):
        game.correct(Drop(ROLL))
    sound(game)
    game.correct(Rewind(game.head), cascade=cascade)
    game.correct(Drop(HEAD + 1), cascade=cascade)
    assert without_counters(game.state) == before
    sound(game)


def test_going_back_takes_out_what_was_inserted_there_too(game: Chronicle) -> None:
    """Actions inserted before the rewind stay, and undoing the rewind restores the rest."""
    game.correct(
        inserting(GIFT, "bob", "transfer_money", to="ana", amount=5),
        inserting(LOAN, "bob", "transfer_money", to="ana", amount=3),
    )
    inserting_one = game.head
    before = without_counters(game.state)
    game.correct(Rewind(GIFT))
    assert (game.status(inserting_one, 1), game.status(inserting_one, 2)) == ("undone", "effective")
    assert game.money("bob") == 1647
    game.correct(Drop(game.head))
    assert game.status(inserting_one, 1) == "effective"
    assert without_counters(game.state) == before
    sound(game)


def test_going_back_leaves_earlier_corrections_in_force(game: Chronicle) -> None:
    game.correct(Replace(LOAN, {"amount": 300}), cascade="restate")
    game.correct(Rewind(GIFT))
    assert game.money("ana") == 1950
    assert game.status(HEAD + 1) == "effective"
    sound(game)
