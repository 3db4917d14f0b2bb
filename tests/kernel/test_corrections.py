"""What each edit of the past makes of a game, with every cascade, and how all of it is taken back.

The game of most tests (Negopoly, ana and bob): 1 to 6 lay it out and start it; 7 Ana borrows 100; 8 she gives Bob
40; 9 she throws 1 and 2; 10 she pays 50 of her loan back.
"""

from __future__ import annotations

from typing import ClassVar

import pytest

from ledger.kernel.accounts import BANK
from ledger.kernel.actions import Action, Cascade
from ledger.kernel.chapter import Chapter
from ledger.kernel.events import Event
from ledger.kernel.history.corrections import (
    CannotKeep,
    Correct,
    Drop,
    Edit,
    HistoryCorrected,
    Insert,
    NewAction,
    Replace,
    Rewind,
    WouldSpread,
)
from ledger.kernel.history.timeline import Timeline
from ledger.kernel.refusals import Impossible, Malformed, NeedsDraw, NotYours, Refusal, RuleBroken, UnknownKind
from ledger.rulebooks.negopoly.table.terms import Loan, player
from tests.kernel import toy
from tests.negopoly.chronicle import Chronicle, frozen, inserting, without_counters

LOAN, GIFT, ROLL, PAID_BACK = 7, 8, 9, 10
HEAD = PAID_BACK

cascades = pytest.mark.parametrize("cascade", ["restate", "keep", "refuse"])


@pytest.fixture
def game() -> Chronicle:
    game = Chronicle("ana", "bob")
    assert game.play("ana", "take_loan", amount=100) == LOAN
    assert game.play("ana", "transfer_money", to="bob", amount=40) == GIFT
    assert game.play("ana", "roll_dice", dice=[1, 2]) == ROLL
    assert game.play("ana", "repay_loan", loan=str(LOAN), amount=50) == PAID_BACK
    return game


def statuses(game: Chronicle) -> dict[str, str]:
    """Every action that does not simply count, by name."""
    return {one.name: one.status for one in game.timeline().standings() if one.status != "effective"}


def sound(game: Chronicle) -> None:
    """The state at hand is what the stored journal folds to."""
    assert frozen(game.at(game.head)) == frozen(game.state)


# ----------------------------------------------------------------------------------------------
# Drop
# ----------------------------------------------------------------------------------------------


@cascades
def test_an_action_that_nothing_depends_on_is_dropped_alone(game: Chronicle, cascade: Cascade) -> None:
    found = game.correct(Drop(GIFT), cascade=cascade)
    assert [one.entry.number for one in found.undone] == [GIFT]
    assert (found.restated, found.voided, found.restored, found.inserted) == ((), (), (), 0)
    assert found.unchanged == 2
    assert (game.money("ana"), game.money("bob")) == (1700, 1650)
    assert statuses(game) == {"8": "undone"}
    assert game.standing(GIFT).by == HEAD + 1
    sound(game)


def test_what_can_no_longer_be_is_voided_with_the_rule_and_the_reason(game: Chronicle) -> None:
    found = game.correct(Drop(LOAN), cascade="restate")
    (fallen,) = found.voided
    assert (fallen.standing.entry.number, fallen.why.rule) == (PAID_BACK, "X.C.4")
    assert statuses(game) == {"7": "undone", "10": "voided"}
    why = game.standing(PAID_BACK).why
    assert why is not None
    assert (why.rule, why.en) == ("X.C.4", "ana has no loan '7'")
    assert game.money("ana") == 1610
    sound(game)


def test_nothing_is_written_when_something_later_would_change(game: Chronicle) -> None:
    """The refusal carries the plan, so that the banker can choose."""
    with pytest.raises(WouldSpread, match="10") as refusal:
        game.correct(Drop(LOAN), cascade="refuse")
    assert [one.standing.entry.number for one in refusal.value.plan.voided] == [PAID_BACK]
    assert refusal.value.plan.after.holdings.of(player("ana"), "NGD") == 1610
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
    """Ana buys a title and sells it back to the bank: the sale cannot stand without the purchase."""
    game = Chronicle("ana", "bob")
    bought = bought_property(game)
    title = game.state.board[game.state.positions["ana"]].property
    assert title is not None
    sold = game.play("ana", "sell_property", title=title)
    with pytest.raises(CannotKeep, match=f"action {sold} ") as refusal:
        game.correct(Drop(bought), cascade="keep")
    assert refusal.value.standing.entry.number == sold
    assert isinstance(refusal.value.refusal, Impossible)
    assert game.head == sold


def bought_property(game: Chronicle) -> int:
    """Ana buys the first title she can stop on; gives the number of the purchase."""
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
    """It does not come back when the cause of its fall is taken back."""
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
    assert restated.standing.entry.number == ROLL
    assert restated.before != restated.after
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
    """Nothing is voided by a slip of the pen: the whole correction is refused."""
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
    assert found.inserted == 1
    assert [one.name for one in game.timeline().standings()][6:9] == ["7", f"{number}.1", "8"]
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
    assert game.state.order == ("bob", "ana")
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
    """What was inserted before it stays, and taking the step back brings the rest back."""
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


# ----------------------------------------------------------------------------------------------
# Several edits at once
# ----------------------------------------------------------------------------------------------


def test_several_edits_are_one_whole(game: Chronicle) -> None:
    """The loan was larger, the gift never was, and Bob gave something instead."""
    found = game.correct(
        Replace(LOAN, {"amount": 200}),
        Drop(GIFT),
        inserting(LOAN, "bob", "transfer_money", to="ana", amount=5),
        cascade="restate",
    )
    assert (len(found.undone), len(found.restated), found.inserted) == (1, 2, 1)
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
    """Undo, redo, redo of the redo, and once more: there are only two pasts."""
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
        assert game.plan(Drop(HEAD + 2), cascade=cascade).after.holdings.of(player("bob"), "NGD") == 1690
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
# What is decided again
# ----------------------------------------------------------------------------------------------


def test_agreements_keep_their_ids(game: Chronicle) -> None:
    """The loan of action 7 is loan 7 whatever is dropped or inserted before it; an inserted one has its own id."""
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
    """Out of turn was waived; being without funds was not, so it voids the purchase when the money is gone."""
    game = Chronicle("ana", "bob")
    lent = game.play("bob", "transfer_money", to="ana", amount=1_600)
    spent = game.banker("transfer_money", seat="ana", to="bob", amount=1_700, override="a gift on credit")
    waived = game.banker("end_turn", seat="ana", override="she had to leave")
    assert game.standing(spent).entry.warnings == ()
    assert [warned.rule for warned in game.standing(waived).entry.warnings] == ["II.B.12"]
    found = game.correct(Drop(lent), cascade="restate")
    (fallen,) = found.voided
    assert (fallen.standing.entry.number, fallen.why.rule) == (spent, "I.B.6")
    assert game.status(waived) == "effective"
    sound(game)


# ----------------------------------------------------------------------------------------------
# A toy in which one throw depends on another
# ----------------------------------------------------------------------------------------------

chapter = Chapter("Mending")
chapter.event(HistoryCorrected)


@chapter.event
class PromiseMade(Event, frozen=True, kw_only=True):
    en: ClassVar[str] = "{seat} promises."
    fr: ClassVar[str] = "{seat} promet."

    rule: str = "5.1"
    seat: str
    promise: str

    def apply(self, state: toy.Toy) -> None:
        state.promises[self.promise] = toy.Promise(id=self.promise, by=self.seat)


@chapter.event
class PromiseKept(Event, frozen=True, kw_only=True):
    en: ClassVar[str] = "{seat} keeps a promise."
    fr: ClassVar[str] = "{seat} tient une promesse."

    rule: str = "5.2"
    seat: str
    promise: str

    def apply(self, state: toy.Toy) -> None:
        del state.promises[self.promise]


@chapter.action(summary=("promise", "promettre"), when=("always", "toujours"))
class MakePromise(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    def decide(self, draft: toy.Table) -> None:
        draft.record(PromiseMade(seat=draft.seat, promise=draft.new_id()))


@chapter.action(summary=("keep a promise", "tenir"), when=("always", "toujours"))
class KeepPromise(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    promise: str

    def decide(self, draft: toy.Table) -> None:
        draft.require(self.promise in draft.state.promises, "5.2", "no such promise", "aucune promesse")
        draft.record(PromiseKept(seat=draft.seat, promise=self.promise))


@chapter.action(summary=("follow", "suivre"), when=("always", "toujours"))
class Follow(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A die; two of them behind a throw of 5 or more."""

    faces: tuple[int, ...] | None = None

    def decide(self, draft: toy.Table) -> None:
        count = 2 if draft.state.thrown and draft.state.thrown[-1] >= 5 else 1
        faces = draft.draws.dice("die", self.faces, count=count, sides=6)
        won = draft.move("coin", sum(faces), BANK, f"player:{draft.seat}")
        draft.record(toy.Thrown(seat=draft.seat, faces=faces, postings=won))


@chapter.action(by=("banker",), summary=("mend", "corriger"), when=("always", "toujours"))
class Mend(Correct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The correction of the toy."""


RULES = toy.rules(chapter)


def mend(game: toy.Game, *edits: Edit, cascade: Cascade = "refuse") -> None:
    game.play(None, Mend(edits=edits, cascade=cascade, reason="a mistake"))


def standings(game: toy.Game) -> list[str]:
    """The status of every action, in order."""
    return [one.status for one in Timeline(game.journal, RULES.event).standings()]


def a_throw_and_its_follower() -> toy.Game:
    """1 opens, 2 Ana throws a 2, 3 Bob follows with a 3: the service threw both."""
    game = toy.Game(dice="service", chance=Falling(2, 3), rulebook=RULES)
    game.play("ana", toy.Throw())
    game.play("bob", Follow())
    return game


class Falling:
    """Dice that fall as one wants."""

    def __init__(self, *faces: int) -> None:
        self.faces = iter(faces)

    def randint(self, a: int, b: int, /) -> int:
        return next(self.faces)

    def shuffle(self, x: list[str], /) -> None:
        x.reverse()


def test_what_the_service_threw_is_what_counts_when_it_is_decided_again() -> None:
    game = a_throw_and_its_follower()
    mend(game, Insert(1, NewAction(kind="buy_beans", params={"quantity": 1}, seat="ana")))
    assert standings(game) == ["effective"] * 5
    assert game.state.thrown == [2, 3]


def test_an_action_that_needs_a_die_nobody_threw_is_voided() -> None:
    """Ana's throw was a 5, so Bob should have thrown two dice."""
    game = a_throw_and_its_follower()
    with pytest.raises(WouldSpread, match="3"):
        mend(game, Replace(2, {"face": 5}))
    mend(game, Replace(2, {"face": 5}), cascade="restate")
    assert standings(game) == ["effective", "restated", "voided", "effective"]
    standing = Timeline(game.journal, RULES.event).standing(3)
    assert standing is not None
    assert standing.why is not None
    assert standing.why.rule == "needs input"
    assert game.holds("player:bob", "coin") == 10


@pytest.mark.parametrize("cascade", ["restate", "keep", "refuse"])
def test_the_same_correction_supplies_the_die_that_is_needed(cascade: Cascade) -> None:
    game = a_throw_and_its_follower()
    mend(game, Replace(2, {"face": 5}), Replace(3, {"faces": [1, 6]}), cascade=cascade)
    assert standings(game) == ["effective", "restated", "restated", "effective"]
    assert game.state.thrown == [5, 1, 6]
    assert (game.holds("player:ana", "coin"), game.holds("player:bob", "coin")) == (15, 17)


def test_a_later_correction_supplies_it_as_well() -> None:
    game = a_throw_and_its_follower()
    mend(game, Replace(2, {"face": 5}), cascade="restate")
    mend(game, Replace(3, {"faces": [4, 4]}))
    assert standings(game)[2] == "restated"
    assert game.state.thrown == [5, 4, 4]
    mend(game, Drop(4), Drop(5))
    assert standings(game) == ["effective", "effective", "effective", "undone", "undone", "effective"]
    assert game.state.thrown == [2, 3]


def test_a_replacement_that_still_lacks_a_die_is_refused() -> None:
    game = a_throw_and_its_follower()
    with pytest.raises(NeedsDraw):
        mend(game, Replace(2, {"face": 6}), cascade="restate")
    with pytest.raises(Malformed):
        mend(game, Replace(2, {"face": 5}), Replace(3, {"faces": [4]}), cascade="restate")
    with pytest.raises(NeedsDraw):
        mend(game, Insert(2, NewAction(kind="follow", seat="ana")), cascade="restate")
    assert len(game.journal) == 3


class Settling(toy.ToyRules):
    """The toy, over as soon as Bob is three coins ahead."""

    def settle(self, draft: toy.Table) -> None:
        ana, bob = (draft.state.holdings.of(f"player:{seat}", "coin") for seat in ("ana", "bob"))
        if bob >= ana + 3 and not draft.state.ended:
            draft.record(toy.Ended())


def test_a_correction_that_decided_the_game_stays_in_force_when_it_no_longer_does() -> None:
    """Without Ana's throw Bob had won; but his own throw was misread as well."""
    game = toy.Game(rulebook=Settling(RULES.register, RULES.chapters))
    game.play("ana", toy.Throw(face=2))
    game.play("bob", toy.Throw(face=4))
    mend(game, Drop(2), cascade="keep")
    assert game.state.ended
    mend(game, Replace(3, {"face": 1}), cascade="restate")
    assert not game.state.ended
    assert standings(game) == ["effective", "undone", "restated", "restated", "effective"]
    # Decided again, it is Bob's own throw that wins, where it had been kept as it was.
    mend(game, Drop(5), cascade="restate")
    assert game.state.ended
    assert standings(game) == ["effective", "undone", "restated", "restated", "undone", "effective"]


def test_what_was_ended_but_never_begun_cannot_be_kept() -> None:
    """No posting tells, only the event that finds nothing to change."""
    game = toy.Game(rulebook=RULES)
    game.play("ana", MakePromise())
    game.play("ana", KeepPromise(promise="2"))
    with pytest.raises(CannotKeep, match=r"action 3 \(keep_promise\)"):
        mend(game, Drop(2), cascade="keep")
    mend(game, Drop(2), cascade="restate")
    assert standings(game) == ["effective", "undone", "voided", "effective"]


# ----------------------------------------------------------------------------------------------
# Two times
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
    """Everything after the mistake was refused, so only the end itself is taken back."""
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
