"""Score: the winners of a game, and the worth of its seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from ledger.kernel.facts.state import State
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.wealth import Asset, Progress

S = TypeVar("S", bound=State)


class Score(Generic[S]):
    """The winners of a game, and the worth of its seats. By default, there are none."""

    unit: str | None = None
    """The commodity that counts worth; None for the game's money."""
    shown_label = Phrase("in sight", "visible de tous")
    """The words beside the public part of a seat's worth (`shown_wealth`)."""

    def winners(self, state: S) -> Sequence[str]:
        """Return the winners; empty while the game goes on. By default, the state's `winners`, if any."""
        winners: Sequence[str] = getattr(state, "winners", ())
        return winners

    def wealth(self, state: S, seat: str) -> Sequence[Asset]:
        """Return the worth of a seat, line by line, in the `unit`; empty for a game without worth."""
        return ()

    def shown_wealth(self, state: S, seat: str) -> Sequence[Asset] | None:
        """Return the public part of a seat's wealth, line by line; None for a game without such a part.

        The lines are shown to every viewer, so each line consists of holdings with a public audience.
        """
        return None

    def progress(self, state: S, seat: str) -> Sequence[Progress]:
        """Return the counts of a seat on the way to a victory; empty for a game without such counts."""
        return ()
