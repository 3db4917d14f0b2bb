"""Tokens on the board (II.B.6, III.C): the events for every change of a position."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.events import Event, TokenPath
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, change_turn, forget_passages
from ledger.rulebooks.negopoly.table.terms import Passage, Stretch, player
from ledger.rulebooks.parts.boards import place_id

chapter = Chapter("Tokens")


def _way(seat: str, *squares: int) -> TokenPath:
    return TokenPath(seat, tuple(map(place_id, squares)))


@chapter.event
class TokenMoved(Event, frozen=True, kw_only=True):
    """The token of the player whose turn it is moves along `path` and passes each square of it."""

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
        """The new position of the token."""
        return self.path[-1]

    def token_paths(self) -> tuple[TokenPath, ...]:
        """Return the squares passed."""
        return (_way(self.seat, *self.path),)

    def apply(self, state: Negopoly) -> None:
        """Store the passages of the path; the last square is a stop if the movement ends there.

        After a resolved stop, earlier passages of the turn no longer count (II.B.8).
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
        earlier = turn.passages if turn.stop is None or turn.unresolved else ()
        if not earlier:
            forget_passages(state)
        state.turn = replace(
            turn,
            passages=earlier + passages,
            stop=self.square if self.stop else None,
            unresolved=self.stop,
            rent_free=None,
            completed=(),
            ahead=(),
        )


@chapter.event
class StopLeft(Event, frozen=True, kw_only=True):
    """A vehicle moves the token on before its stop is resolved; the square counts as crossed (VIII.C.1)."""

    en: ClassVar[str] = "{seat:seat} moves on from {square:square}, which is only crossed."
    fr: ClassVar[str] = "{seat:seat} repart {square:de|square}, qui n'est que traversée."

    rule: str = "VIII.C.1"
    seat: str
    square: int

    def apply(self, state: Negopoly) -> None:
        """Turn the stop into a crossing."""
        if state.turn is not None:
            passages = tuple(replace(passage, stop=False) for passage in state.turn.passages)
            change_turn(state, passages=passages, stop=None, unresolved=False)


@chapter.event
class MovementHeld(Event, frozen=True, kw_only=True):
    """A movement waits on a square until a question there is answered (II.B.6)."""

    en: ClassVar[str] = "{seat:seat} waits on {square:square} before moving on."
    fr: ClassVar[str] = "{seat:seat} attend sur {square:square} avant de repartir."

    rule: str = "II.B.6"
    seat: str
    square: int
    ahead: tuple[Stretch, ...]
    """The rest of the movement."""

    def apply(self, state: Negopoly) -> None:
        """Store the rest of the movement."""
        change_turn(state, ahead=self.ahead)


def _arrive(state: Negopoly, seat: str, square: int) -> None:
    """Put a token on a square. In the player's own turn the arrival is a stop, and replaces a roll still due."""
    state.positions[seat] = square
    turn = state.turn
    if turn is None or turn.seat != seat:
        return
    forget_passages(state)
    state.turn = replace(
        turn,
        passages=(Passage(square, stop=True, doses=state.holdings.of(player(seat), "dose")),),
        stop=square,
        unresolved=True,
        roll="gone" if turn.roll == "due" else turn.roll,
        rent_free=None,
        completed=(),
        ahead=(),
    )


@chapter.event
class TokenTeleported(Event, frozen=True, kw_only=True):
    """A player moves their own token to a square without crossing others (III.C).

    In the player's own turn the arrival is a stop, and it replaces a roll that is still due.
    """

    en: ClassVar[str] = "{seat:seat} teleports to {square:square}."
    fr: ClassVar[str] = "{seat:seat} se téléporte sur {square:square}."

    rule: str = "III.C.1"
    seat: str
    square: int

    def token_paths(self) -> tuple[TokenPath, ...]:
        """Return the square reached. No square is crossed."""
        return (_way(self.seat, self.square),)

    def apply(self, state: Negopoly) -> None:
        """Change the position. In the player's own turn, make the square the only passage and an unresolved
        stop.
        """
        _arrive(state, self.seat, self.square)


@chapter.event
class TokenSent(Event, frozen=True, kw_only=True):
    """An effect sends a token to a square: it crosses nothing, and no service of the square opens (III.C.2).

    `cause` is the effect: "arrest", "overdose", "ruling"…
    """

    en: ClassVar[str] = "{seat:seat} is sent to {square:square}."
    fr: ClassVar[str] = "{seat:seat} est envoyé sur {square:square}."

    rule: str = "III.C.2"
    seat: str
    square: int
    cause: str

    def token_paths(self) -> tuple[TokenPath, ...]:
        """Return the square reached. No square is crossed."""
        return (_way(self.seat, self.square),)

    def apply(self, state: Negopoly) -> None:
        """Change the position; in the player's own turn, end the movement."""
        state.positions[self.seat] = self.square
        turn = state.turn
        if turn is not None and turn.seat == self.seat:
            halted = turn.halted or turn.roll != "due"
            forget_passages(state)
            change_turn(state, passages=(), stop=None, unresolved=False, ahead=(), halted=halted)


@chapter.event
class TokenPlaced(Event, frozen=True, kw_only=True):
    """A ruling decides where the player whose turn it is has stopped; the token crosses nothing (P.1).

    The services of the square open, its mandatory effects become due, and it replaces a roll that is still due.
    """

    en: ClassVar[str] = "{seat:seat} is placed on {square:square}, and has stopped there."
    fr: ClassVar[str] = "{seat:seat} est placé sur {square:square}, et s'y est arrêté."

    rule: str = "P.1"
    seat: str
    square: int

    def token_paths(self) -> tuple[TokenPath, ...]:
        """Return the square reached. No square is crossed."""
        return (_way(self.seat, self.square),)

    def apply(self, state: Negopoly) -> None:
        """Change the position. In the player's own turn, make the square the only passage and an unresolved
        stop.
        """
        _arrive(state, self.seat, self.square)


@chapter.event
class TurnsForfeited(Event, frozen=True, kw_only=True):
    """A player must miss this many turns, by a setting of the table (VI.C.1, VI.D.1)."""

    en: ClassVar[str] = "{seat:seat} will miss {turns} {turns:plural|turn|turns}."
    fr: ClassVar[str] = "{seat:seat} passera {turns} {turns:plural|tour|tours}."

    rule: str
    seat: str
    turns: int

    def apply(self, state: Negopoly) -> None:
        """Add turns to those still to miss."""
        state.missed[self.seat] = state.missed.get(self.seat, 0) + self.turns


def send(draft: Draft, seat: str, square: int, *, cause: str, rule: str) -> None:
    """Send a token to a square, citing the rule."""
    draft.record(TokenSent(rule=rule, seat=seat, square=square, cause=cause))


def place_by_ruling(draft: Draft, seat: str, square: int) -> None:
    """Place the current player's token on a square as a stop, by ruling."""
    draft.record(TokenPlaced(seat=seat, square=square))


def detain(draft: Draft, seat: str, turns: int, *, rule: str) -> None:
    """Make a player miss a number of turns. Does nothing for 0, the default of the settings."""
    if turns:
        draft.record(TurnsForfeited(rule=rule, seat=seat, turns=turns))
