"""What the corrections of a game made of it: which actions they touched, and how much each of them moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from ledger.kernel.audience import Viewer
from ledger.kernel.corrections import HistoryCorrected
from ledger.kernel.events import Event
from ledger.kernel.rulings import RulingGiven
from ledger.kernel.seeing import seen
from ledger.kernel.state import State
from ledger.kernel.timeline import Label
from ledger.reading import Reading
from ledger.states import Game

Sums = Counter[tuple[str, str]]
"""By account and commodity, the whole amount that came (or, less than nothing, went)."""


class Made(msgspec.Struct, frozen=True):
    """What a correction made of one action.

    `status` is what it is since then ("inserted" for an action the correction added), `moment` the action number
    at or right after which it stands, `change` how much more than before it moves.
    """

    label: Label
    moment: int
    status: str
    change: Sums


class Correction(msgspec.Struct, frozen=True):
    """A correction as a viewer sees it: its number, its event, and what it made of every action it touched.

    `ruled` is whether they see a ruling order it.
    """

    number: int
    event: HistoryCorrected
    made: tuple[Made, ...]
    ruled: bool


class Consequences(Reading):
    """Reading what corrections did."""

    def consequences(self, game: Game, now: State, viewer: Viewer, known_at: int | None) -> list[Correction]:
        """Every correction known, oldest first; amounts are those of the events that the viewer may see whole.

        Takes the state `now`, which says whether the game is over and everything is revealed.
        """
        corrections = [
            (number, self._events(game, self._correction(game, number).events))
            for number, _ in self.known_corrections(game, known_at)
        ]
        own = self._recorded(game, now, viewer, [events for _, events in corrections])
        counting = dict(own)
        moments = {label: label[0] for label in own}
        found: list[Correction] = []
        for number, events in corrections:
            made: list[Made] = []
            for event in events:
                for index, insertion in enumerate(event.inserts(), start=1):
                    label = (number, index)
                    sums = _sums(self._events(game, insertion.action.events), now, viewer)
                    own[label] = counting[label] = sums
                    moments[label] = insertion.after
                    made.append(Made(label, insertion.after, "inserted", sums))
                for amendment in event.amends():
                    label = (amendment.number, amendment.insert)
                    # As in the timeline: with its own events, or with those the correction gives, or not at all.
                    after = (
                        own[label]
                        if amendment.status == "effective"
                        else _sums(self._events(game, amendment.events), now, viewer)
                    )
                    made.append(Made(label, moments[label], amendment.status, _difference(after, counting[label])))
                    counting[label] = after
            shown = [visible for event in events if (visible := seen(now, event, viewer)) is not None]
            ruled = any(isinstance(event, RulingGiven) for event in shown)
            found += [
                Correction(number, event, tuple(made), ruled)
                for event in shown
                if isinstance(event, HistoryCorrected)
            ]
        return found

    def _recorded(
        self, game: Game, now: State, viewer: Viewer, corrections: Iterable[Iterable[Event]]
    ) -> dict[Label, Sums]:
        """What each entry of the journal that a correction touches moved when it was recorded."""
        numbers = {
            amendment.number
            for events in corrections
            for event in events
            for amendment in event.amends()
            if not amendment.insert
        }
        if not numbers:
            return {}
        return {
            (entry.number, 0): _sums(self._events(game, entry.events), now, viewer)
            for entry in self.entries_between(game, min(numbers), max(numbers))
            if entry.number in numbers
        }

    def _events(self, game: Game, stored: Iterable[msgspec.Raw]) -> list[Event]:
        return [game.rulebook.event(one) for one in stored]


def _sums(events: Iterable[Event], now: State, viewer: Viewer) -> Sums:
    """What the events that the viewer may see whole moved."""
    sums: Sums = Counter()
    for event in events:
        if seen(now, event, viewer) is event:
            for posting in event.postings:
                sums[posting.source, posting.commodity] -= posting.amount
                sums[posting.target, posting.commodity] += posting.amount
    return sums


def _difference(after: Sums, before: Sums) -> Sums:
    return Counter({key: change for key in {**before, **after} if (change := after[key] - before[key])})
