"""The consequences of a game's corrections: the touched actions, and the changed amounts."""

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
from ledger.kernel.journal.sight import Shown, current_viewer, redact_for_dry_run, visible_entry
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.entries.edits import edits_of_today

Sums = Counter[tuple[str, str]]
"""The total amount received, by account and commodity. Negative amounts are losses."""

_KEPT = 64
"""Number of results of `seen_corrections` cached in memory for each game."""

INSERTED = "inserted"
"""The status of an action inserted by a correction."""


class Consequence(msgspec.Struct, frozen=True):
    """The consequence of a correction for an action.

    `status` is the action's status since the correction ("inserted" for an action inserted by the correction).
    `place` is the place of the action. `change` is the change of the amounts moved by the action.
    """

    label: Label
    place: Place
    status: str
    change: Sums


class Correction(msgspec.Struct, frozen=True):
    """A correction as visible to a viewer: number, event, and consequences for further actions.

    Consequences are left out for actions invisible to the viewer, or without a visible change. `ruled` is true
    if a ruling visible to the viewer ordered the correction.
    """

    number: int
    event: HistoryCorrected
    consequences: tuple[Consequence, ...]
    ruled: bool

    def summarize(self) -> SeenCorrection:
        """Sum up the consequences: for other actions by status and as amendments, and for holdings."""
        amendments = tuple(
            Amendment(consequence.label[0], consequence.status, insert=consequence.label[1])
            for consequence in self.consequences
            if consequence.status != INSERTED
        )
        total: Sums = Counter()
        outcomes: dict[str, list[Name]] = {}
        for consequence in self.consequences:
            total.update(consequence.change)
            outcomes.setdefault(consequence.status, []).append(name_of(consequence.label))
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
    """Return the visible part of the corrections among or of the actions `numbers`, by number."""
    if not moment.corrections or not numbers:
        return {}
    requested, last = set(numbers), max(numbers)
    changed_by = moment.game.history.changed_by
    selected = [
        number
        for number, first in moment.corrections
        if number in requested or (first <= last and not requested.isdisjoint(changed_by(number)))
    ]
    if not selected:
        return {}
    cache = moment.game.corrections
    key = moment.viewer, moment.corrections[-1][0]
    summaries = cache.get(key)
    if summaries is None:
        if len(cache) >= _KEPT:
            cache.clear()
        summaries = cache[key] = {}
    missing = [number for number in selected if number not in summaries]
    if missing:
        corrections = corrections_of(moment, missing)
        summaries.update((correction.number, correction.summarize()) for correction in corrections)
    return {number: summaries[number] for number in selected if number in summaries}


def corrections_of(moment: Moment, selected: Collection[int] | None = None) -> list[Correction]:
    """Return the known corrections, or only the corrections in `selected`, oldest first.

    Amounts are the sums of the postings visible to the viewer.
    """
    history, viewer = moment.game.history, moment.viewer
    numbers = [number for number, _ in moment.corrections if selected is None or number in selected]
    if not numbers:
        return []
    consequences: dict[int, list[Consequence]] = {number: [] for number in numbers}
    touched = sorted({changed for number in numbers for changed in history.changed_by(number)})
    timeline = moment.timeline(history.changed_entries(touched))
    for timeline_entry in timeline.entries():
        visible = visible_entry(timeline_entry, viewer)
        if timeline_entry.insert and visible.recorded and timeline_entry.entry.number in consequences:
            consequences[timeline_entry.entry.number].append(
                Consequence(timeline_entry.label, timeline_entry.position, INSERTED, _sums(visible.recorded))
            )
        for touch in visible.steps:
            if touch.by not in consequences:
                continue
            change = _difference(_sums(touch.new_events), _sums(touch.old_events))
            consequences[touch.by].append(
                Consequence(timeline_entry.label, timeline_entry.position, touch.status, change)
            )
    corrections: list[Correction] = []
    for number in numbers:
        standing_now = timeline.entry(number)
        if standing_now is None:
            continue
        recorded = [event for _, event in visible_entry(standing_now, viewer).recorded]
        ruled = any(isinstance(event, RulingGiven) for event in recorded)
        corrections += [
            Correction(number, _of_today(moment, event), tuple(consequences[number]), ruled)
            for event in recorded
            if isinstance(event, HistoryCorrected)
        ]
    return corrections


def _of_today(moment: Moment, event: HistoryCorrected) -> HistoryCorrected:
    return msgspec.structs.replace(event, edits=edits_of_today(moment, event.edits))


def foreseen_changes(rulebook: Rulebook[Any], plan: Plan, viewer: Viewer) -> dict[str, dict[str, int]]:
    """Return the changes of holdings by a planned correction, as far as a dry run may tell."""
    viewer = current_viewer(plan.old_state, viewer)
    total: Sums = Counter()

    def count(events: Iterable[Event], sign: int) -> None:
        visible = ((place, redact_for_dry_run(event, viewer)) for place, event in enumerate(events))
        for key, amount in _sums(tuple((place, item) for place, item in visible if item is not None)).items():
            total[key] += sign * amount

    for _, old_events, new_events in plan.changes(rulebook.codec.event):
        count(old_events, -1)
        count(new_events, 1)
    return _by_account(total)


def _by_account(total: Sums) -> dict[str, dict[str, int]]:
    """Return the changes of holdings by account and commodity, sorted."""
    changes: dict[str, dict[str, int]] = {}
    for (account, commodity), change in sorted(total.items()):
        if change:
            changes.setdefault(account, {})[commodity] = change
    return changes


def _sums(visible: Shown) -> Sums:
    """Sum up the amounts moved by the visible events."""
    sums: Sums = Counter()
    for _, event in visible:
        for posting in event.postings:
            sums[posting.source, posting.commodity] -= posting.amount
            sums[posting.target, posting.commodity] += posting.amount
    return sums


def _difference(current: Sums, previous: Sums) -> Sums:
    return Counter({key: change for key in {**previous, **current} if (change := current[key] - previous[key])})
