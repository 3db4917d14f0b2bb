"""An edited history: the actions of a game in order, with every edit in force applied."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from ledger.kernel.facts.edits import Amend, Drop, Edit, Insert, NewAction, Replace, Rewind
from ledger.kernel.facts.labels import Label, Name, Place, label_of, name_of
from ledger.kernel.facts.refusals import Impossible, Malformed, NotYours
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.entry import Entry
from ledger.kernel.journal.timeline import Timeline, TimelineEntry, made_at_once
from ledger.kernel.rules.rulebook import Rulebook


class Planned(msgspec.Struct, frozen=True):
    """An action to decide again, or a new action to insert."""

    position: Place
    timeline_entry: TimelineEntry | None
    new: NewAction | None = None


class EditedHistory:
    """The actions of a game in order, with every edit in force applied, before they are decided again."""

    def __init__(
        self,
        rulebook: Rulebook[Any],
        timeline: Timeline,
        number: int,
        edits: tuple[Edit, ...],
        seats: frozenset[str],
    ) -> None:
        self.rulebook = rulebook
        self.timeline = timeline
        self.number = number
        self.edits = edits
        self.rule = rulebook.governance.correction_rule
        self.seats = seats
        self._corrections = {
            timeline_entry.entry.number: event
            for timeline_entry in timeline.entries()
            for event in timeline_entry.recorded
            if isinstance(event, HistoryCorrected)
        }
        self.dropped: set[Label] = set()
        self.replaced: dict[Label, dict[str, Any]] = {}
        self.renewed = {label_of(edit.action) for edit in edits if isinstance(edit, Replace)}
        """The actions replaced by the new edits. If one of them is refused, the whole correction is refused."""
        self.inactive: set[int] = set()
        self._rewinds: list[tuple[Place, int]] = []
        self._check()
        self._apply()
        self.named = self._named(number, edits)
        self._last_played = max(
            (
                timeline_entry.position
                for timeline_entry in timeline.entries()
                if self._needs_earlier(timeline_entry)
            ),
            default=(0, 0, 0),
        )
        """The place of the last action of the game that counts, apart from the actions of the system."""

    def _check(self) -> None:
        if not any(not isinstance(edit, Amend) for edit in self.edits):
            raise Malformed("a correction needs an edit", "une correction demande une modification")
        for edit in self.edits:
            match edit:
                case Drop():
                    self._timeline_entry(edit.action)
                case Replace():
                    timeline_entry = self._timeline_entry(edit.action)
                    if edit.action in self._corrections:
                        raise Malformed(
                            "action {number} is a correction: amend it or drop it instead of replacing it",
                            "l'action {number} est une correction : amendez-la ou retirez-la plutôt que de la "
                            "remplacer",
                            number=edit.action,
                        )
                    self._require_plain(timeline_entry.entry.kind, edit.params)
                case Amend():
                    self._timeline_entry(edit.action)
                    self._require_correction(edit.action)
                case Rewind():
                    self._timeline_entry(edit.to)
                case Insert():
                    self._timeline_entry(edit.after, also_first=True)
                    self._require_plain(edit.action.kind, edit.action.params)
                    self._require_bankers(edit.action)
        named = [edit.action for edit in self.edits if isinstance(edit, Drop | Replace | Amend)]
        for name in named:
            if named.count(name) > 1:
                raise Malformed(
                    "action {number} is dropped or replaced twice in one correction",
                    "l'action {number} est retirée ou remplacée deux fois dans une même correction",
                    number=name,
                )

    def _require_correction(self, number: int) -> None:
        """Raise Malformed if the action does not correct the history."""
        if number not in self._corrections:
            raise Malformed(
                "action {number} is no correction: drop it or replace it instead of amending it",
                "l'action {number} n'est pas une correction : retirez-la ou remplacez-la au lieu de l'amender",
                number=number,
            )

    def _require_there(self, name: Name, dropped: set[int]) -> None:
        """Raise Impossible for an action that an earlier correction in force took out (`dropped` lists dropped
        corrections).

        Insertions disappear with their correction, so edits that drop the correction cannot change its
        insertions.
        """
        timeline_entry = self._timeline_entry(name)
        gone = (
            timeline_entry.entry.number in dropped
            if self._corrects(*timeline_entry.label)
            else self.gone(timeline_entry)
        )
        if gone and timeline_entry.status == "undone":
            raise Impossible(
                self.rule,
                "action {number} is undone already (by correction {by})",
                "l'action {number} est déjà annulée (par la correction {by})",
                number=name,
                by=timeline_entry.by,
            )
        if timeline_entry.insert and timeline_entry.entry.number in self.inactive:
            raise Impossible(
                self.rule,
                "action {number} goes with correction {by}: insert it anew instead",
                "l'action {number} s'en va avec la correction {by} : insérez-la de nouveau",
                number=name,
                by=timeline_entry.entry.number,
            )

    def _require_bankers(self, new: NewAction) -> None:
        """Raise a Refusal for an action not open to the banker, or for a missing seat."""
        action = self.rulebook.codec.action_type(new.kind)
        if action.by == ("system",):
            raise NotYours(
                "{kind:action} happens by itself", "{kind:action} se produit de soi-même", kind=new.kind
            )
        if new.seat is not None and new.seat not in self.seats:
            raise Malformed(
                "there is no seat {seat!r} in this game; its seats are: {seats:seats}",
                "il n'y a pas de siège {seat!r} dans cette partie ; ses sièges sont : {seats:seats}",
                seat=new.seat,
                seats=sorted(self.seats),
            )

    def _require_plain(self, kind: str, params: dict[str, Any]) -> None:
        """Raise a Refusal for wrong parameters, or for a correction nested in this one."""
        if self.rulebook.codec.action(kind, msgspec.json.encode(params)).correction_request() is not None:
            raise Malformed(
                "{kind:action} corrects the history itself: perform it instead of inserting it",
                "{kind:action} corrige déjà l'histoire : effectuez l'action au lieu de l'insérer",
                kind=kind,
            )

    def _timeline_entry(self, name: Name, *, also_first: bool = False) -> TimelineEntry:
        timeline_entry = self.timeline.named(name)
        if timeline_entry is None:
            raise Malformed(
                "there is no action {number}; the last one is {last}",
                "il n'y a pas d'action {number} ; la dernière est la {last}",
                number=name,
                last=self.number - 1,
            )
        if name == 1 and not also_first:
            raise Impossible(
                self.rule,
                "action 1 laid out the game: it cannot be corrected",
                "l'action 1 a installé la partie : elle ne se corrige pas",
            )
        return timeline_entry

    def _position(self, name: Name) -> Place:
        """Return the place of an existing action."""
        return self._timeline_entry(name, also_first=True).position

    def _apply(self) -> None:
        """Find the edits in force: the edits of the correction, and of earlier corrections that are not
        dropped.
        """
        in_force: list[tuple[int, tuple[Edit, ...]]] = [(self.number, self.edits)]
        in_force += [(number, event.edits) for number, event in sorted(self._corrections.items(), reverse=True)]
        earlier: list[tuple[int, Edit]] = []
        already: set[int] = set()
        for number, edits in in_force:
            if number in self.inactive:
                continue
            dropped = {label[0] for edit in edits for label in self._drops(number, edit) if self._corrects(*label)}
            self.inactive |= dropped
            if number != self.number:
                already |= dropped
                earlier = [(number, edit) for edit in edits] + earlier
        for number, edit in earlier:
            self._put_in_force(number, edit)
        for edit in self.edits:
            if isinstance(edit, Drop | Replace | Amend):
                self._require_there(edit.action, already)
        for edit in self.edits:
            self._put_in_force(self.number, edit)

    def _put_in_force(self, number: int, edit: Edit) -> None:
        self.dropped.update(label for label in self._drops(number, edit) if not self._corrects(*label))
        if isinstance(edit, Replace):
            self.replaced[label_of(edit.action)] = edit.params
        elif isinstance(edit, Rewind):
            self._rewinds.append((self._position(edit.to), number))

    def _corrects(self, number: int, insert: int) -> bool:
        return not insert and number in self._corrections

    def _drops(self, number: int, edit: Edit) -> Iterable[Label]:
        """Return the actions taken out by an edit of correction `number`."""
        match edit:
            case Drop():
                return (label_of(edit.action),)
            case Amend():
                # Actions replaced by the amended correction must not return.
                amended = [item for item in self._corrections[edit.action].edits if isinstance(item, Amend)]
                return ((edit.action, 0), *(label for item in amended for label in self._drops(edit.action, item)))
            case Rewind():
                # Actions about the game (disputes, rulings) are not rewound.
                start = self._position(edit.to)
                return [
                    (item, 0)
                    for item in range(max(start[0], 2), number)
                    if (timeline_entry := self.timeline.entry(item)) is not None
                    and timeline_entry.position >= start
                    and not self._on_the_docket(timeline_entry)
                ]
            case _:
                return ()

    def _on_the_docket(self, timeline_entry: TimelineEntry) -> bool:
        action = self.rulebook.actions.get(timeline_entry.entry.kind)
        return action is not None and action.docket

    def earliest(self) -> int:
        """Return the number of the first action touched by the new edits, or right before the first insertion."""
        touched = [self.number]
        for edit in self.edits:
            match edit:
                case Insert():
                    touched.append(self._position(edit.after)[0])
                case Replace():
                    touched.append(self._position(edit.action)[0])
                case Rewind():
                    touched.append(self._position(edit.to)[0])
                case Drop() | Amend():
                    for label in self._drops(self.number, edit):
                        correction = self._corrections.get(label[0]) if not label[1] else None
                        touched.append(self._position(name_of(label))[0])
                        touched += [] if correction is None else [correction.first]
        return min(touched)

    def gone(self, timeline_entry: TimelineEntry) -> bool:
        """Return True if the edits in force take out the action."""
        return (
            timeline_entry.entry.number in self.inactive
            or timeline_entry.label in self.dropped
            or (bool(timeline_entry.insert) and any(_rewound(timeline_entry, to, by) for to, by in self._rewinds))
        )

    def _named(self, number: int, edits: Iterable[Edit]) -> set[Label]:
        """Return the actions named by edits of correction `number`, or by a correction dropped by these edits.

        The actions made due at once by a named action belong to it.
        """
        labels: set[Label] = set()
        for edit in edits:
            if isinstance(edit, Replace):
                labels |= self._with_it(label_of(edit.action))
            if isinstance(edit, Rewind):
                start = self._position(edit.to)
                timeline_entries = self.timeline.entries()
                labels |= {
                    timeline_entry.label
                    for timeline_entry in timeline_entries
                    if timeline_entry.insert and _rewound(timeline_entry, start, number)
                }
            for label in self._drops(number, edit):
                labels |= self._with_it(label)
                correction = self._corrections.get(label[0]) if not label[1] else None
                if correction is not None:
                    labels |= {(amended.number, amended.insert) for amended in correction.amendments}
                    labels |= {(label[0], index) for index in range(1, len(correction.insertions) + 1)}
                    # Actions taken out by a further correction are not changes of this correction.
                    labels |= self._named(label[0], correction.edits)
        return labels

    def _with_it(self, label: Label) -> set[Label]:
        """Return an action with the actions made due at once by it."""
        numbers = () if label[1] else made_at_once(label[0], self._entry)
        return {label, *((number, 0) for number in numbers)}

    def _entry(self, number: int) -> Entry | None:
        """Return the journal entry with the given number, or None."""
        timeline_entry = self.timeline.entry(number)
        return None if timeline_entry is None else timeline_entry.entry

    def falls_due(self, timeline_entry: TimelineEntry) -> bool:
        """Return True for an action of the system that no later action of the game needs.

        Such an action is decided without default steps, and falls where nothing makes it due any more.
        """
        if timeline_entry.insert or timeline_entry.entry.by != "system":
            return False
        return not timeline_entry.counts or timeline_entry.position > self._last_played

    def _needs_earlier(self, timeline_entry: TimelineEntry) -> bool:
        """Return True for an action of the game, requested by a seat or the banker, that counts so far."""
        is_play = timeline_entry.entry.by != "system" and not self._on_the_docket(timeline_entry)
        return is_play and timeline_entry.counts and not self.gone(timeline_entry)

    def named_by(self, edit: Edit) -> set[Label]:
        """Return the actions named by one of the new edits, or by a correction dropped by this edit."""
        return self._named(self.number, (edit,))

    def planned(self, earliest: int) -> list[Planned]:
        """Return the actions from `earliest` on and the insertions, in the order of the history."""
        planned = [
            Planned(timeline_entry.position, timeline_entry)
            for timeline_entry in self.timeline.entries()
            if timeline_entry.position >= (earliest,)
        ]
        inserted = [edit for edit in self.edits if isinstance(edit, Insert)]
        for index, edit in enumerate(inserted, start=1):
            anchor = label_of(edit.after)
            position = self._position(edit.after) if anchor[1] else (anchor[0],)
            planned.append(Planned((*position, self.number, index), None, edit.action))
        return sorted(planned, key=lambda action: action.position)


def _rewound(inserted: TimelineEntry, to: Place, by: int) -> bool:
    """Return True if a rewind to a place, by correction `by`, takes out an insertion of an earlier correction."""
    return inserted.entry.number < by and inserted.position >= to
