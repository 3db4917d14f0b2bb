"""A new game resumed from an earlier game: the auction under way gets the full time again."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action
from ledger.rulebooks.monopoly.rulings import defaults
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cite

chapter = defaults.chapter


@chapter.event
class AuctionTakenUp(Event, frozen=True, kw_only=True):
    """The clock of an auction starts again."""

    en: ClassVar[str] = "The auction goes on, and has its full time again."
    fr: ClassVar[str] = "La vente aux enchères continue, et a de nouveau tout son temps."

    closes_at: datetime

    def apply(self, state: Monopoly) -> None:
        """Postpone the close."""
        if state.auction is not None:
            state.auction = replace(state.auction, closes_at=self.closes_at)


@chapter.action(
    by=("system",),
    summary=("take up an auction", "reprendre une vente aux enchères"),
    when=(
        "when a game goes on from an earlier one in which an auction was open",
        "quand une partie en reprend une autre où une vente était ouverte",
    ),
)
class TakeUpAuction(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The service gives the auction under way its full time again, because its time is long over."""

    docket: ClassVar[bool] = True

    def decide(self, draft: Draft) -> None:
        """Refuse without an auction with a clock."""
        state, rule = draft.state, cite(draft.state, "bid_won")
        if not is_timed(state):
            raise Impossible(
                rule, "no auction has a clock that runs", "aucune vente aux enchères n'a d'horloge en marche"
            )
        closes_at = draft.at + timedelta(seconds=state.settings.auction_seconds)
        draft.record(AuctionTakenUp(rule=rule, closes_at=closes_at))


def is_timed(state: Monopoly) -> bool:
    """Return True if the auction under way has a deadline."""
    return not state.ended and state.auction is not None and state.auction.closes_at is not None
