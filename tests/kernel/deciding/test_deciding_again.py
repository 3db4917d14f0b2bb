"""Deciding again after a correction: draws kept or missing, other ends of the game, facts that cannot stay.

The toy has a throw that depends on the previous throw, and promises that are made and kept.
"""

from __future__ import annotations

from typing import ClassVar

import pytest

from ledger.kernel.deciding.plan import CannotKeep, CorrectionSpreads
from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.edits import Cascade, Drop, Edit, Insert, NewAction, Replace
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible, Malformed, NeedsDraw
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.timeline import Timeline
from ledger.kernel.rules.actions import Action, Correct
from ledger.kernel.rules.chapter import Chapter
from tests.harness.rulebooks import changed
from tests.kernel import toy

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
        state.require_part(self.promise in state.promises)
        del state.promises[self.promise]


@chapter.action(summary=("promise", "promettre"), when=("always", "toujours"))
class MakePromise(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    def decide(self, draft: toy.Draft) -> None:
        draft.record(PromiseMade(seat=draft.seat, promise=draft.new_id()))


@chapter.action(summary=("promise once", "promettre une fois"), when=("always", "toujours"))
class PromiseOnce(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    def decide(self, draft: toy.Draft) -> None:
        draft.require_now(not draft.state.promises, "5.1", "promised already", "c'est déjà promis")
        draft.record(PromiseMade(seat=draft.seat, promise=draft.new_id()))


@chapter.action(summary=("keep a promise", "tenir"), when=("always", "toujours"))
class KeepPromise(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    promise: str

    def decide(self, draft: toy.Draft) -> None:
        draft.require(self.promise in draft.state.promises, "5.2", "no such promise", "aucune promesse")
        draft.record(PromiseKept(seat=draft.seat, promise=self.promise))


@chapter.action(summary=("follow", "suivre"), when=("always", "toujours"))
class Follow(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Throw a die, or two dice after a throw of 5 or more."""

    faces: tuple[int, ...] | None = None

    def decide(self, draft: toy.Draft) -> None:
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
    return [one.status for one in Timeline(game.journal, RULES.codec.event).entries()]


def a_throw_and_its_follower() -> toy.Game:
    """1 opens, 2 Ana throws a 2, 3 Bob follows with a 3: the service threw both."""
    game = toy.Game(dice="service", chance=Falling(2, 3), rulebook=RULES)
    game.play("ana", toy.Throw())
    game.play("bob", Follow())
    return game


class Falling:
    """Dice with given values."""

    def __init__(self, *faces: int) -> None:
        self.faces = iter(faces)

    def randint(self, a: int, b: int, /) -> int:
        return next(self.faces)

    def shuffle(self, x: list[str], /) -> None:
        x.reverse()


def test_what_the_service_threw_is_what_counts_when_it_is_decided_again() -> None:
    game = a_throw_and_its_follower()
    mend(game, Insert(1, NewAction(kind="buy_beans", params={"amount": 1}, seat="ana")))
    assert standings(game) == ["effective"] * 5
    assert game.state.thrown == [2, 3]


def test_an_action_that_needs_a_die_nobody_threw_is_voided() -> None:
    """Ana's throw was a 5, so Bob should have thrown two dice."""
    game = a_throw_and_its_follower()
    with pytest.raises(CorrectionSpreads, match="3"):
        mend(game, Replace(2, {"face": 5}))
    mend(game, Replace(2, {"face": 5}), cascade="restate")
    assert standings(game) == ["effective", "restated", "voided", "effective"]
    standing = Timeline(game.journal, RULES.codec.event).entry(3)
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


def test_an_action_refused_when_requested_counts_in_a_corrected_history() -> None:
    game = toy.Game(rulebook=RULES)
    game.play("ana", PromiseOnce())
    with pytest.raises(Impossible, match="promised already"):
        game.play("bob", PromiseOnce(), override="not even then")
    mend(game, Insert(1, NewAction(kind="make_promise", seat="bob")))
    assert standings(game) == ["effective"] * 4
    assert list(game.state.promises) == ["3-1", "2"]


class Settling(toy.ToyPlay):
    """The toy, which ends as soon as Bob is three coins ahead."""

    def settle(self, draft: toy.Draft) -> None:
        ana, bob = (draft.state.holdings.of(f"player:{seat}", "coin") for seat in ("ana", "bob"))
        if bob >= ana + 3 and not draft.state.ended:
            draft.record(toy.Ended())


def test_a_correction_that_decided_the_game_stays_in_force_when_it_no_longer_does() -> None:
    """Without Ana's throw Bob had won; but his own throw was misread as well."""
    game = toy.Game(rulebook=changed(RULES, play=Settling()))
    game.play("ana", toy.Throw(face=2))
    game.play("bob", toy.Throw(face=4))
    mend(game, Drop(2), cascade="keep")
    assert game.state.ended
    mend(game, Replace(3, {"face": 1}), cascade="restate")
    assert not game.state.ended
    assert standings(game) == ["effective", "undone", "restated", "restated", "effective"]
    # When it is decided again, Bob's own throw wins; before, it was kept as recorded.
    mend(game, Drop(5), cascade="restate")
    assert game.state.ended
    assert standings(game) == ["effective", "undone", "restated", "restated", "undone", "effective"]


def test_what_was_ended_but_never_begun_cannot_be_kept() -> None:
    """The conflict shows in no posting, only in an event that finds nothing to change."""
    game = toy.Game(rulebook=RULES)
    game.play("ana", MakePromise())
    game.play("ana", KeepPromise(promise="2"))
    with pytest.raises(CannotKeep, match=r'action 3 \("keep a promise"\)'):
        mend(game, Drop(2), cascade="keep")
    mend(game, Drop(2), cascade="restate")
    assert standings(game) == ["effective", "undone", "voided", "effective"]


@pytest.mark.parametrize("fault", [AttributeError, KeyError, TypeError, ValueError])
def test_an_error_of_the_program_is_no_conflict(monkeypatch: pytest.MonkeyPatch, fault: type[Exception]) -> None:
    game = toy.Game(rulebook=RULES)
    game.play("ana", MakePromise())
    game.play("ana", KeepPromise(promise="2"))

    def broken(event: PromiseKept, state: toy.Toy) -> None:
        raise fault("a slip")

    monkeypatch.setattr(PromiseKept, "apply", broken)
    with pytest.raises(fault, match="a slip"):
        mend(game, Drop(2), cascade="keep")
