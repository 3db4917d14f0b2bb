"""An edited history: the actions of a game in order, with every edit in force applied."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from ledger.kernel.history.corrections import Drop, Edit, HistoryCorrected, Insert, NewAction, Replace, Rewind
from ledger.kernel.history.timeline import Label, Standing, Timeline
from ledger.kernel.refusals import Impossible, Malformed, NotYours
from ledger.kernel.rulebook import Rulebook


class Planned(msgspec.Struct, frozen=True):
    """One action to be decided again, or a new one to be inserted."""

    place: tuple[int, int, int]
    standing: Standing | None
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
        self.rule = rulebook.correction_rule
        self.seats = seats
        self._corrections = {
            standing.entry.number: event
            for standing in timeline.standings()
            for event in standing.recorded
            if isinstance(event, HistoryCorrected)
        }
        self.dropped: set[int] = set()
        self.replaced: dict[int, dict[str, Any]] = {}
        self.renewed: set[Label] = {(edit.action, 0) for edit in edits if isinstance(edit, Replace)}
        """The actions that the new edits replace. The whole correction is refused when one of them is."""
        self.inactive: set[int] = set()
        self._rewinds: list[tuple[int, int]] = []
        self._check()
        self._apply()
        self.named = self._named(number, edits)

    def _check(self) -> None:
        if not self.edits:
            raise Malformed("a correction needs an edit", "une correction demande une modification")
        for edit in self.edits:
            match edit:
                case Drop() | Replace():
                    standing = self._standing(edit.action)
                    if isinstance(edit, Replace):
                        if edit.action in self._corrections:
                            raise Malformed(
                                "action {number} is a correction: drop it instead of replacing it",
                                "l'action {number} est une correction : retirez-la au lieu de la remplacer",
                                number=edit.action,
                            )
                        self._require_plain(standing.entry.kind, edit.params)
                    if standing.status == "undone":
                        raise Impossible(
                            self.rule,
                            "action {number} is undone already (by correction {by})",
                            "l'action {number} est déjà annulée (par la correction {by})",
                            number=edit.action,
                            by=standing.by,
                        )
                case Rewind():
                    self._standing(edit.to)
                case Insert():
                    self._standing(edit.after, also_first=True)
                    self._require_plain(edit.action.kind, edit.action.params)
                    self._require_bankers(edit.action)
        named = [edit.action for edit in self.edits if isinstance(edit, Drop | Replace)]
        for number in named:
            if named.count(number) > 1:
                raise Malformed(
                    "action {number} is dropped or replaced twice in one correction",
                    "l'action {number} est retirée ou remplacée deux fois dans une même correction",
                    number=number,
                )

    def _require_bankers(self, new: NewAction) -> None:
        """Raise a Refusal for what the banker could not have performed, or for a seat that is not there."""
        action = self.rulebook.action_type(new.kind)
        if action.by == ("system",):
            raise NotYours("{kind} happens by itself", "{kind} se produit de lui-même", kind=new.kind)
        if new.seat is not None and new.seat not in self.seats:
            raise Malformed(
                "there is no seat {seat!r} in this game; its seats are: {seats}",
                "il n'y a pas de siège {seat!r} dans cette partie ; ses sièges sont : {seats}",
                seat=new.seat,
                seats=", ".join(sorted(self.seats)),
            )

    def _require_plain(self, kind: str, params: dict[str, Any]) -> None:
        """Raise a Refusal for parameters that are not right, or that would correct the history within this."""
        if self.rulebook.action(kind, msgspec.json.encode(params)).mends() is not None:
            raise Malformed(
                "{kind} corrects the history itself: perform it instead of inserting it",
                "{kind} corrige elle-même l'histoire : effectuez-la au lieu de l'insérer",
                kind=kind,
            )

    def _standing(self, number: int, *, also_first: bool = False) -> Standing:
        standing = self.timeline.standing(number)
        if standing is None:
            raise Malformed(
                "there is no action {number}; the last one is {last}",
                "il n'y a pas d'action {number} ; la dernière est la {last}",
                number=number,
                last=self.number - 1,
            )
        if number == 1 and not also_first:
            raise Impossible(
                self.rule,
                "action 1 laid out the game: it cannot be corrected",
                "l'action 1 a installé la partie : elle ne se corrige pas",
            )
        return standing

    def _apply(self) -> None:
        """Find the edits in force: those of this correction, and of earlier corrections that are not dropped."""
        in_force: list[tuple[int, tuple[Edit, ...]]] = [(self.number, self.edits)]
        in_force += [(number, event.edits) for number, event in sorted(self._corrections.items(), reverse=True)]
        applied: list[tuple[int, Edit]] = []
        for number, edits in in_force:
            if number in self.inactive:
                continue
            for edit in edits:
                self.inactive.update(one for one in self._drops(number, edit) if one in self._corrections)
            applied = [(number, edit) for edit in edits] + applied
        for number, edit in applied:
            self.dropped.update(one for one in self._drops(number, edit) if one not in self._corrections)
            if isinstance(edit, Replace):
                self.replaced[edit.action] = edit.params
            elif isinstance(edit, Rewind):
                self._rewinds.append((edit.to, number))

    def _drops(self, number: int, edit: Edit) -> Iterable[int]:
        """The action numbers that an edit of correction `number` takes out."""
        if isinstance(edit, Drop):
            return (edit.action,)
        if isinstance(edit, Rewind):
            # What is said about the game (disputes, rulings) is not part of what is played over.
            return (
                one
                for one in range(max(edit.to, 2), number)
                if (found := self.timeline.standing(one)) is not None and not self._on_the_docket(found)
            )
        return ()

    def _on_the_docket(self, standing: Standing) -> bool:
        action = self.rulebook.actions.get(standing.entry.kind)
        return action is not None and action.docket

    def earliest(self) -> int:
        """The number of the first action that the new edits touch."""
        touched: list[int] = []
        for edit in self.edits:
            match edit:
                case Insert():
                    touched.append(edit.after)
                case Replace():
                    touched.append(edit.action)
                case Rewind():
                    touched.append(edit.to)
                case Drop():
                    correction = self._corrections.get(edit.action)
                    touched.append(edit.action if correction is None else min(edit.action, correction.earliest))
        return min(touched, default=self.number)

    def gone(self, standing: Standing) -> bool:
        """Whether the edits in force take an action out."""
        number = standing.entry.number
        if standing.insert:
            return number in self.inactive or any(_rewound(standing, to, by) for to, by in self._rewinds)
        return number in self.dropped or number in self.inactive

    def _named(self, number: int, edits: Iterable[Edit]) -> set[Label]:
        """The actions that edits of correction `number` name, or that a correction they drop had named."""
        labels: set[Label] = set()
        for edit in edits:
            if isinstance(edit, Replace):
                labels.add((edit.action, 0))
            if isinstance(edit, Rewind):
                standings = self.timeline.standings()
                labels |= {one.label for one in standings if one.insert and _rewound(one, edit.to, number)}
            for one in self._drops(number, edit):
                labels.add((one, 0))
                correction = self._corrections.get(one)
                if correction is not None:
                    labels |= {(amended.number, amended.insert) for amended in correction.amendments}
                    labels |= {(one, index) for index in range(1, len(correction.insertions) + 1)}
                    # What another correction had taken out as well is not among what this one changed.
                    labels |= self._named(one, correction.edits)
        return labels

    def planned(self, earliest: int) -> list[Planned]:
        """The actions from `earliest` on and those to be inserted, in the order of the history."""
        planned = [
            Planned(standing.place, standing)
            for standing in self.timeline.standings()
            if standing.place >= (earliest, 0, 0)
        ]
        inserted = [edit for edit in self.edits if isinstance(edit, Insert)]
        planned += [
            Planned((edit.after, self.number, index), None, edit.action)
            for index, edit in enumerate(inserted, start=1)
        ]
        return sorted(planned, key=lambda one: one.place)


def _rewound(inserted: Standing, to: int, by: int) -> bool:
    """Whether going back to action `to`, as correction `by` does, takes out what an earlier one inserted."""
    return inserted.entry.number < by and inserted.place[0] >= to
