"""Tokens on the board (II.B.6, III.C): every change of a position is one of these facts."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.chapter import Chapter
from ledger.kernel.events import Event
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, change_turn
from ledger.rulebooks.negopoly.table.terms import Passage, Stretch, player

chapter = Chapter("Tokens")


@chapter.event
class TokenMoved(Event, frozen=True, kw_only=True):
    """The token of the player whose turn it is goes along `path`; each square on it is passed by."""

    en: ClassVar[str] = "{seat:seat} moves to {square:square}."
    fr: ClassVar[str] = "{seat:seat} va jusqu'à {square:square}."

    rule: str = "II.B.6"
    seat: str
    path: tuple[int, ...]
    forward: bool = True
    stop: bool = False
    """The last square of the path is the end of the player's own movement."""

    @property
    def square(self) -> int:
        """Where the token is now."""
        return self.path[-1]

    def apply(self, state: Negopoly) -> None:
        """The squares of the path are passed, and on the last one the player stops if the movement is over.

        From a stop that was resolved nothing is opened again: what it and the way to it allowed is over (II.B.8).
        """
        state.positions[self.seat] = self.square
        turn = state.turn
        if turn is None or turn.seat != self.seat:
            return
        doses = state.holdings.of(player(self.seat), "dose")
        last = len(self.path) - 1
        passages = tuple(
            Passage(square, stop=self.stop and index == last, forward=self.forward, doses=doses)
            for index, square in enumerate(self.path)
        )
        before = turn.passages if turn.stop is None or turn.unresolved else ()
        state.turn = replace(
            turn,
            passages=before + passages,
            stop=self.square if self.stop else None,
            unresolved=self.stop,
            rent_free=None,
            completed=(),
            ahead=(),
        )


@chapter.event
class StopLeft(Event, frozen=True, kw_only=True):
    """A vehicle takes the token on before the square where it had stopped is resolved (VIII.C.1)."""

    en: ClassVar[str] = "{seat:seat} moves on from {square:square}, which is only crossed."
    fr: ClassVar[str] = "{seat:seat} repart de {square:square}, qui n'est que traversée."

    rule: str = "VIII.C.1"
    seat: str
    square: int

    def apply(self, state: Negopoly) -> None:
        """It is one of the squares on the way."""
        if state.turn is not None:
            passages = tuple(replace(one, stop=False) for one in state.turn.passages)
            change_turn(state, passages=passages, stop=None, unresolved=False)


@chapter.event
class MovementHeld(Event, frozen=True, kw_only=True):
    """A movement waits on a square of its way until something there is decided; then it goes on (II.B.6)."""

    en: ClassVar[str] = "{seat:seat} waits on {square:square} before moving on."
    fr: ClassVar[str] = "{seat:seat} attend sur {square:square} avant de repartir."

    rule: str = "II.B.6"
    seat: str
    square: int
    ahead: tuple[Stretch, ...]
    """What is left of the movement."""

    def apply(self, state: Negopoly) -> None:
        """It is kept for later."""
        change_turn(state, ahead=self.ahead)


@chapter.event
class TokenTeleported(Event, frozen=True, kw_only=True):
    """A player displaces their own token without crossing anything (III.C).

    In their own turn the arrival is a stop and the roll, if still due, is gone.
    """

    en: ClassVar[str] = "{seat:seat} teleports to {square:square}."
    fr: ClassVar[str] = "{seat:seat} se téléporte sur {square:square}."

    rule: str = "III.C.1"
    seat: str
    square: int

    def apply(self, state: Negopoly) -> None:
        """The position changes; nothing between is passed."""
        state.positions[self.seat] = self.square
        turn = state.turn
        if turn is None or turn.seat != self.seat:
            return
        arrival = Passage(self.square, stop=True, doses=state.holdings.of(player(self.seat), "dose"))
        roll = "gone" if turn.roll == "due" else turn.roll
        state.turn = replace(
            turn,
            passages=(arrival,),
            stop=self.square,
            unresolved=True,
            roll=roll,
            rent_free=None,
            completed=(),
            ahead=(),
        )


@chapter.event
class TokenSent(Event, frozen=True, kw_only=True):
    """A token is placed by force: nothing is crossed, and no service of the square opens (III.C.2).

    `cause` is what sent it: "arrest", "overdose", "ruling"…
    """

    en: ClassVar[str] = "{seat:seat} is sent to {square:square}."
    fr: ClassVar[str] = "{seat:seat} est envoyé sur {square:square}."

    rule: str = "III.C.2"
    seat: str
    square: int
    cause: str

    def apply(self, state: Negopoly) -> None:
        """The position changes; in the player's own turn the movement under way is over."""
        state.positions[self.seat] = self.square
        turn = state.turn
        if turn is not None and turn.seat == self.seat:
            halted = turn.halted or turn.roll != "due"
            change_turn(state, passages=(), stop=None, unresolved=False, ahead=(), halted=halted)


@chapter.event
class TokenPlaced(Event, frozen=True, kw_only=True):
    """A ruling says on which square the player whose turn it is has stopped; nothing is crossed (P.1).

    The services of the square open, its mandatory effects become due, and the roll, if still due, is gone.
    """

    en: ClassVar[str] = "{seat:seat} is placed on {square:square}, and has stopped there."
    fr: ClassVar[str] = "{seat:seat} est placé sur {square:square}, et s'y est arrêté."

    rule: str = "P.1"
    seat: str
    square: int

    def apply(self, state: Negopoly) -> None:
        """A stop like any other."""
        state.positions[self.seat] = self.square
        turn = state.turn
        if turn is None or turn.seat != self.seat:
            return
        arrival = Passage(self.square, stop=True, doses=state.holdings.of(player(self.seat), "dose"))
        roll = "gone" if turn.roll == "due" else turn.roll
        state.turn = replace(
            turn,
            passages=(arrival,),
            stop=self.square,
            unresolved=True,
            roll=roll,
            rent_free=None,
            completed=(),
            ahead=(),
        )


@chapter.event
class TurnsForfeited(Event, frozen=True, kw_only=True):
    """A stay that the table has set: the player will miss this many turns (VI.C.1, VI.D.1)."""

    en: ClassVar[str] = "{seat:seat} will miss {turns} {turns:plural|turn|turns}."
    fr: ClassVar[str] = "{seat:seat} passera {turns} {turns:plural|tour|tours}."

    rule: str
    seat: str
    turns: int

    def apply(self, state: Negopoly) -> None:
        """On top of those still to be missed."""
        state.missed[self.seat] = state.missed.get(self.seat, 0) + self.turns


def send(draft: Draft, seat: str, square: int, *, cause: str, rule: str) -> None:
    """Place a token on a square by force, by the rule that says so."""
    draft.record(TokenSent(rule=rule, seat=seat, square=square, cause=cause))


def place(draft: Draft, seat: str, square: int) -> None:
    """Make the square the one that the player whose turn it is has stopped on, by ruling."""
    draft.record(TokenPlaced(seat=seat, square=square))


def detain(draft: Draft, seat: str, turns: int, *, rule: str) -> None:
    """Make a player miss this many of the turns to come; none when the table has set no stay."""
    if turns:
        draft.record(TurnsForfeited(rule=rule, seat=seat, turns=turns))
