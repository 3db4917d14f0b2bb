"""What the corrections of a game made of it: which actions they touched, and how much each of them moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

import msgspec

from ledger.games.moments import Moment
from ledger.kernel.arbitration.rulings import RulingGiven
from ledger.kernel.events import Amendment
from ledger.kernel.history.corrections import HistoryCorrected
from ledger.kernel.history.timeline import Label
from ledger.kernel.seeing import Shown, sight

Sums = Counter[tuple[str, str]]
"""By account and commodity, the whole amount that came (or, less than nothing, went)."""

_TOLD = 64
"""How many times what a viewer can tell of the corrections of a game is kept in memory."""

INSERTED = "inserted"
"""What a correction made of an action that it added."""


class Consequence(msgspec.Struct, frozen=True):
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

    Of an action of which they see nothing, or nothing that became different, it made nothing that they can tell.
    `ruled` is whether they see a ruling order it.
    """

    number: int
    event: HistoryCorrected
    consequences: tuple[Consequence, ...]
    ruled: bool

    def amendments(self) -> tuple[Amendment, ...]:
        """What it made of actions that were there before, as its event tells."""
        return tuple(
            Amendment(one.label[0], one.status, insert=one.label[1])
            for one in self.consequences
            if one.status != INSERTED
        )


def visible_amendments(moment: Moment, numbers: Collection[int]) -> Mapping[int, tuple[Amendment, ...]]:
    """For the corrections among these numbers, what a viewer who does not see all can tell that they made."""
    known = [number for number, _ in moment.corrections]
    if moment.viewer.sees_all or not any(number in numbers for number in known):
        return {}
    kept = moment.game.amendments
    key = moment.viewer, known[-1]
    told = kept.get(key)
    if told is None:
        if len(kept) >= _TOLD:
            kept.clear()
        told = {one.number: one.amendments() for one in corrections_of(moment)}
        kept[key] = told
    return told


def corrections_of(moment: Moment) -> list[Correction]:
    """Every correction known, oldest first; amounts are those of the postings that the viewer may see."""
    history, viewer = moment.game.history, moment.viewer
    numbers = [number for number, _ in moment.corrections]
    if not numbers:
        return []
    made: dict[int, list[Consequence]] = {number: [] for number in numbers}
    touched = sorted({one for number in numbers for one in history.changed_by(number)})
    timeline = moment.timeline(history.changed_entries(touched))
    for standing in timeline.standings():
        shown = sight(standing, viewer)
        place = standing.place[0]
        if standing.insert and shown.recorded:
            made[standing.entry.number].append(Consequence(standing.label, place, INSERTED, _sums(shown.recorded)))
        for touch in shown.steps:
            change = _difference(_sums(touch.after), _sums(touch.before))
            made[touch.by].append(Consequence(standing.label, place, touch.status, change))
    found: list[Correction] = []
    for number in numbers:
        standing_now = timeline.standing(number)
        if standing_now is None:
            continue
        recorded = [event for _, event in sight(standing_now, viewer).recorded]
        ruled = any(isinstance(event, RulingGiven) for event in recorded)
        found += [
            Correction(number, event, tuple(made[number]), ruled)
            for event in recorded
            if isinstance(event, HistoryCorrected)
        ]
    return found


def _sums(shown: Shown) -> Sums:
    """What the events moved, as far as the viewer sees it."""
    sums: Sums = Counter()
    for _, event in shown:
        for posting in event.postings:
            sums[posting.source, posting.commodity] -= posting.amount
            sums[posting.target, posting.commodity] += posting.amount
    return sums


def _difference(after: Sums, before: Sums) -> Sums:
    return Counter({key: change for key in {**before, **after} if (change := after[key] - before[key])})
