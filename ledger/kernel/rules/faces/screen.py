"""Screen: the views of a game, the seats and moves that the game waits for, and the pieces on the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.state import State
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.words import PHASES
from ledger.kernel.rules.display import AwaitedView, BoardView, ClockView, Display, PhaseView, TurnView

S = TypeVar("S", bound=State)


class Screen(Generic[S]):
    """The views of a game, the seats and moves that the game waits for, and the pieces on the board."""

    display_is_public: bool = False
    """True if `display` is equal for all viewers."""

    def summary(self, state: S) -> dict[str, Any]:
        """Return a short public summary: `round`, the number of the round; `turn`, the seat to play; `winners`.

        By default, these fields of the state, if any. A game with eliminations lists the remaining seats as
        `in_play`.
        """
        fields = {name: getattr(state, name, None) for name in ("round", "turn", "winners")}
        return {name: value for name, value in fields.items() if value is not None}

    def round_of(self, state: S) -> int | None:
        """Return the round by the summary. None before the first round, and in a game without rounds."""
        return (self.summary(state).get("round") or None) if state.seats else None

    def turn_order(self, state: S) -> Sequence[str]:
        """Return all seats in turn order, eliminated seats included: the state's `order`, if any, or else
        sorted.
        """
        order: Sequence[str] = getattr(state, "order", ())
        return order or sorted(state.seats)

    def out(self, state: S) -> frozenset[str]:
        """Return the eliminated seats: the game waits for none of them."""
        playing = self.summary(state).get("in_play")
        return frozenset(state.seats) - {*playing} if playing else frozenset()

    def in_setup(self, state: S) -> bool:
        """Return True while the table is being prepared; a game without a set-up is in play from the start."""
        return False

    def view(self, state: S, viewer: Viewer) -> dict[str, Any]:
        """Return the visible parts of the state as plain data, without accounts and agreements.

        Combines `public_view` and `own_view`.
        """
        return {**self.public_view(state), **self.own_view(state, viewer)}

    def public_view(self, state: S) -> dict[str, Any]:
        """Return the part of the view common to all viewers, computed once for all; possibly empty.

        Do not change the returned data.
        """
        return {}

    def own_view(self, state: S, viewer: Viewer) -> dict[str, Any]:
        """Return the part of the view that depends on the viewer; by default the summary.

        Revelation and knowledge of the end come from the viewer (`Viewer.sees_all`, `Viewer.knows_the_end`,
        `Audience.admits`) and not from the state: earlier moments are read after the end, and an undone end can
        be read as well.
        """
        return self.summary(state)

    def awaited(self, state: S) -> Sequence[str]:
        """Return the seats that the game waits for, such as the seat to play or to answer.

        By default, the seat of the turn; all seats in a game without turns; none after the end.
        """
        seat = self.summary(state).get("turn")
        return () if state.ended else tuple(state.seats) if seat is None else (seat,)

    def waiting(self, state: S, viewer: Viewer, language: str) -> Sequence[AwaitedView]:
        """Return the events that the game waits for, as far as the viewer may know, with labels in "en" or
        "fr".

        The moves are given by their ids, "kind" or "kind:…" (`ActionWords.per`). All are legal, and of kinds
        with the rank "due". A move is left out unless the legality follows from facts visible to the viewer.
        States are read often, so the answer comes from facts, without trying moves.
        """
        label = Phrase("to play", "à jouer").in_language(language)
        return [AwaitedView(seat=seat, label=label, moves=()) for seat in self.awaited(state)]

    def is_due(self, state: S, seat: str, kind: str, params: Mapping[str, Any]) -> bool:
        """Return True if the game waits for this legal move of a seat, "" for the banker, although `waiting`
        leaves the move out.

        For moves whose legality does not follow from the state alone. Called only for kinds with the rank
        "due".
        """
        return False

    def turn(self, state: S) -> TurnView | None:
        """Return the turn under way; None for a game without turns, or between turns."""
        seat = self.summary(state).get("turn")
        return None if seat is None else TurnView(seat)

    def phase(self, state: S, language: str) -> PhaseView:
        """Return the phase of the game, with the label in "en" or "fr"."""
        name = "ended" if state.ended else "setup" if self.in_setup(state) else "play"
        return PhaseView(name, PHASES[name].in_language(language))

    def clock(self, state: S) -> ClockView | None:
        """Return the clock of the turn under way; None without a running or paused clock."""
        return None

    def board_drawn(self, state: S | None, language: str) -> BoardView | None:
        """Return the drawn board, constant during a game; without a state, the board of a default game.

        None for a game without a board, or with squares that tell everything (`parts.boards.drawn`).
        """
        return None

    def display(self, state: S, viewer: Viewer, language: str) -> Display | None:
        """Return the pieces on the board visible to the viewer; None if the squares tell everything.

        Every holding in the display passes through `sight`, like the holdings of accounts.
        """
        return None

    def components(self) -> dict[str, Any]:
        """Return the pieces and prices of the game, as plain data for a frontend; empty by default."""
        return {}

    def pieces_in_play(self, state: S) -> msgspec.Struct | None:
        """Return the pieces of a game whose table brought its own; None if `components` has the pieces of every
        game.
        """
        return None
