"""The consequences of a game's corrections: the actions that they touched, and the amounts that changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec

from ledger.games.game import SeenCorrection
from ledger.games.moments import Moment
from ledger.kernel.arbitration.rulings import RulingGiven
from ledger.kernel.deciding.plan import Plan
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import Amendment, Event
from ledger.kernel.facts.labels import Label, Name, Place, name_of
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.sight import Shown, foreseen, sight, viewer_now
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.entries.edits import edits_of_today

Sums = Counter[tuple[str, str]]
"""The total amount that came to each account of each commodity; negative when it went."""

_KEPT = 64
"""How many results of `seen_corrections` are kept in memory for each game."""

INSERTED = "inserted"
"""The status of an action that a correction inserted."""


class Consequence(msgspec.Struct, frozen=True):
    """The consequence of a correction for one action.

    `status` is the action's status since then ("inserted" for an action that the correction inserted). `place` is
    the place of the action. `change` is the change of what it moves.
    """

    label: Label
    place: Place
    status: str
    change: Sums


class Correction(msgspec.Struct, frozen=True):
    """A correction as a viewer sees it: its number, its event, and its consequences for other actions.

    Consequences are left out for actions of which the viewer sees nothing, or nothing that changed. `ruled` is
    whether the viewer sees that a ruling ordered the correction.
    """

    number: int
    event: HistoryCorrected
    consequences: tuple[Consequence, ...]
    ruled: bool

    def seen(self) -> SeenCorrection:
        """The consequences for other actions, by status and in the form of the event, and for holdings."""
        amendments = tuple(
            Amendment(one.label[0], one.status, insert=one.label[1])
            for one in self.consequences
            if one.status != INSERTED
        )
        total: Sums = Counter()
        outcomes: dict[str, list[Name]] = {}
        for one in self.consequences:
            total.update(one.change)
            outcomes.setdefault(one.status, []).append(name_of(one.label))
        return SeenCorrection(
            self.number,
            self.event.reason,
            self.event.edits,
            amendments,
            {status: tuple(names) for status, names in outcomes.items()},
            _by_account(total),
            self.ruled,
        )


def seen_corrections(moment: Moment, numbers: Collection[int]) -> Mapping[int, SeenCorrection]:
    """What the viewer sees of the corrections among these numbers of actions, and of those that touch them."""
    if not moment.corrections or not numbers:
        return {}
    asked, last = set(numbers), max(numbers)
    changed_by = moment.game.history.changed_by
    wanted = [
        number
        for number, first in moment.corrections
        if number in asked or (first <= last and not asked.isdisjoint(changed_by(number)))
    ]
    if not wanted:
        return {}
    kept = moment.game.corrections
    key = moment.viewer, moment.corrections[-1][0]
    seen = kept.get(key)
    if seen is None:
        if len(kept) >= _KEPT:
            kept.clear()
        seen = kept[key] = {}
    missing = [number for number in wanted if number not in seen]
    if missing:
        found = corrections_of(moment, missing)
        seen.update((one.number, one.seen()) for one in found)
    return {number: seen[number] for number in wanted if number in seen}


def corrections_of(moment: Moment, wanted: Collection[int] | None = None) -> list[Correction]:
    """The known corrections, or those of the `wanted` numbers, oldest first.

    Amounts are those of the postings that the viewer may see.
    """
    history, viewer = moment.game.history, moment.viewer
    numbers = [number for number, _ in moment.corrections if wanted is None or number in wanted]
    if not numbers:
        return []
    made: dict[int, list[Consequence]] = {number: [] for number in numbers}
    touched = sorted({one for number in numbers for one in history.changed_by(number)})
    timeline = moment.timeline(history.changed_entries(touched))
    for standing in timeline.standings():
        shown = sight(standing, viewer)
        if standing.insert and shown.recorded and standing.entry.number in made:
            made[standing.entry.number].append(
                Consequence(standing.label, standing.place, INSERTED, _sums(shown.recorded))
            )
        for touch in shown.steps:
            if touch.by not in made:
                continue
            change = _difference(_sums(touch.after), _sums(touch.before))
            made[touch.by].append(Consequence(standing.label, standing.place, touch.status, change))
    found: list[Correction] = []
    for number in numbers:
        standing_now = timeline.standing(number)
        if standing_now is None:
            continue
        recorded = [event for _, event in sight(standing_now, viewer).recorded]
        ruled = any(isinstance(event, RulingGiven) for event in recorded)
        found += [
            Correction(number, _of_today(moment, event), tuple(made[number]), ruled)
            for event in recorded
            if isinstance(event, HistoryCorrected)
        ]
    return found


def _of_today(moment: Moment, event: HistoryCorrected) -> HistoryCorrected:
    return msgspec.structs.replace(event, edits=edits_of_today(moment, event.edits))


def foreseen_changes(rulebook: Rulebook[Any], found: Plan, viewer: Viewer) -> dict[str, dict[str, int]]:
    """By how much a planned correction would change holdings, by account and commodity, as a dry run may tell."""
    viewer = viewer_now(found.before, viewer)
    total: Sums = Counter()

    def count(events: Iterable[Event], sign: int) -> None:
        visible = ((place, foreseen(event, viewer)) for place, event in enumerate(events))
        for key, amount in _sums(tuple((place, one) for place, one in visible if one is not None)).items():
            total[key] += sign * amount

    for standing in (*found.undone, *found.restored, *(fallen.standing for fallen in found.voided)):
        count(standing.events, -1)
    for standing in found.restored:
        count(standing.recorded, 1)
    for one in found.restated:
        count(one.before, -1)
        count(one.after, 1)
    for insertion in found.event.insertions:
        count(map(rulebook.event, insertion.action.events), 1)
    return _by_account(total)


def _by_account(total: Sums) -> dict[str, dict[str, int]]:
    """Changes of holdings by account and commodity, sorted."""
    changes: dict[str, dict[str, int]] = {}
    for (account, commodity), change in sorted(total.items()):
        if change:
            changes.setdefault(account, {})[commodity] = change
    return changes


def _sums(shown: Shown) -> Sums:
    """The amounts that the visible events moved."""
    sums: Sums = Counter()
    for _, event in shown:
        for posting in event.postings:
            sums[posting.source, posting.commodity] -= posting.amount
            sums[posting.target, posting.commodity] += posting.amount
    return sums


def _difference(after: Sums, before: Sums) -> Sums:
    return Counter({key: change for key in {**before, **after} if (change := after[key] - before[key])})
