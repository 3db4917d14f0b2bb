"""Play: the opening of a game, and the consequences of its actions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

from ledger.kernel.facts.consistency import Inconsistency
from ledger.kernel.facts.events import UndoneDraw
from ledger.kernel.facts.state import State
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.draft import Draft
from ledger.kernel.rules.opening import End, Opening

S = TypeVar("S", bound=State)


class Play(ABC, Generic[S]):
    """The opening of a game, and the consequences of its actions."""

    @abstractmethod
    def opening_action(self, opening: Opening) -> Action:
        """Return the first action of a game, performed by the banker. Raises a Refusal for an illegal opening."""

    def settle(self, draft: Draft[S]) -> None:
        """Record the automatic consequences of an action after the decision (a victory, an elimination)."""

    def restore_draws(self, draft: Draft[S], undone: Sequence[UndoneDraw]) -> None:
        """Record the new positions of the cards of draws undone by a correction (`parts.decks.back_on_top`).

        Called right after the recording of a correction with undone draws, on the corrected state; and again,
        with the same draws, when the correction itself is decided again. Does nothing by default: a card of an
        undone draw is an ordinary card of the pile.
        """

    @property
    def puts_back(self) -> bool:
        """True if the game puts undone draws back."""
        return type(self).restore_draws is not Play.restore_draws

    def inconsistencies(self, state: S) -> Iterable[Inconsistency]:
        """Return the inconsistencies of the state, which normal actions never produce.

        A correction with the cascade `keep` may produce some, because later actions stay as recorded. So may
        `adjust`.
        """
        return ()

    def exchanged(self, here: End[S], there: End[S]) -> Opening | None:
        """Return the opening of a game that continues `here`, with a seat of `there` in exchange for a seat of
        `here`. None in a game without exchanges.

        Raises a Refusal of the rules of the exchange.
        """
        return None
