"""The end: hands are shown and counted, and the most points win (score)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.audience import EVERYONE, Audience, Viewer
from ledger.kernel.facts.events import Event
from ledger.kernel.rules.chapter import Chapter
from ledger.kernel.rules.faces.score import Score
from ledger.kernel.rules.wealth import Asset
from tests.example.bazaar.cards import CARDS, GOODS
from tests.example.bazaar.table import COIN, Bazaar, Draft, cards_of, coins_of

chapter = Chapter("The end")

PRIZE, SET = 10, 5
"""The points for the most of a good (score.3), and for a card of every good (score.4)."""


@chapter.event
class HandsCounted(Event, frozen=True, kw_only=True):
    """The points of every player are counted (score.1 to score.4)."""

    at_end: ClassVar[bool] = True
    en: ClassVar[str] = "The hands are counted: {scores:tally}."
    fr: ClassVar[str] = "Les mains sont comptées : {scores:tally}."

    rule: str = "bazaar:score.1"
    scores: dict[str, int] | None
    """The points by seat; None in a dry run, and once the end is undone."""

    def apply(self, state: Bazaar) -> None:
        """Store the points."""
        state.scores = self.scores or {}

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the points."""
        return replace(self, scores=None)

    def reveals(self) -> Audience:
        """Return everybody: the points depend on hidden hands."""
        return EVERYONE


@chapter.event
class BazaarClosed(Event, frozen=True, kw_only=True):
    """The game ends; the most points win (score.5)."""

    at_end: ClassVar[bool] = True
    en: ClassVar[str] = "The Bazaar closes; it is won by {winners:winners}."
    fr: ClassVar[str] = "Le Bazar ferme ; victoire : {winners:winners}."

    rule: str = "bazaar:score.5"
    winners: tuple[str, ...] | None

    def apply(self, state: Bazaar) -> None:
        """End the game."""
        state.winners, state.phase, state.turn, state.ended = self.winners or (), "ended", None, True

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the winners."""
        return replace(self, winners=None)

    def reveals(self) -> Audience:
        """Return everybody."""
        return EVERYONE


def close(draft: Draft) -> None:
    """Count the hands and end the game."""
    scores = points(draft.state)
    draft.record(HandsCounted(scores=scores))
    best = max(scores.values())
    draft.record(BazaarClosed(winners=tuple(seat for seat in draft.state.order if scores[seat] == best)))


def points(state: Bazaar) -> dict[str, int]:
    """Return the points by seat: coins and card values (score.2), prizes (score.3), sets (score.4)."""
    totals = {seat: {good: total_of(state, seat, good) for good in GOODS} for seat in state.order}
    scores = {seat: coins_of(state, seat) + sum(totals[seat].values()) for seat in state.order}
    for good in GOODS:
        most = max(totals[seat][good] for seat in state.order)
        leaders = [seat for seat in state.order if most and totals[seat][good] == most]
        for seat in leaders:
            scores[seat] += PRIZE // len(leaders)
    for seat in state.order:
        scores[seat] += SET * min(len(cards_of(state, seat, good)) for good in GOODS)
    return scores


def total_of(state: Bazaar, seat: str, good: str) -> int:
    """Return the total value of a good in a hand."""
    return sum(CARDS[card].value for card in cards_of(state, seat, good))


class BazaarScore(Score[Bazaar]):
    """The worth of the seats: coins in sight, and the values of the hand."""

    def wealth(self, state: Bazaar, seat: str) -> Sequence[Asset]:
        """Return the coins, and the values of the cards (score.2)."""
        value = sum(total_of(state, seat, good) for good in GOODS)
        return (*self.shown_wealth(state, seat), Asset("cards", "card", len(cards_of(state, seat)), value))

    def shown_wealth(self, state: Bazaar, seat: str) -> tuple[Asset, ...]:
        """Return the coins, which everybody sees (hand.3)."""
        return (Asset("coins", COIN, coins_of(state, seat), coins_of(state, seat)),)
