"""Rulings: the banker decides, citing actions and rules, with remedies carried out in order as one action."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from ledger.kernel.arbitration.docket import (
    ActionNames,
    DisputeOpened,
    DisputeWithdrawn,
    RuleIds,
    StatementAdded,
    looked_up,
    no_dispute,
    open_dispute_named,
    open_disputes,
    require_rules,
)
from ledger.kernel.arbitration.remedies import CorrectHistory, Dismiss, Remedy, Ruling
from ledger.kernel.facts.audience import Audience, told_to
from ledger.kernel.facts.dispute import Dispute
from ledger.kernel.facts.edits import Drop, Replace
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.labels import Name
from ledger.kernel.facts.refusals import Impossible, Malformed
from ledger.kernel.facts.state import State
from ledger.kernel.facts.values import DisputeId, LongText, of_kind
from ledger.kernel.journal.citing import Cited
from ledger.kernel.rules.actions import Action, Choice, Mending
from ledger.kernel.rules.draft import Draft

PRIVATE = "private"
"""What a ruling calls a remedy that not everybody who reads the ruling may know."""


BY_RULING = "ruling / décision"
"""Why the history is corrected, when the ruling gives no reason for all to read."""


class RulingGiven(Event, frozen=True, kw_only=True):
    """The banker rules: this version prevails from here on. What it orders stands in events of its own."""

    en: ClassVar[str] = "The banker rules{on[0]}: {finding}"
    fr: ClassVar[str] = "Le banquier tranche{on[1]} : {finding}"

    ruling: str
    """Its id: the number of its action."""
    dispute: str | None
    finding: str
    actions: tuple[Name, ...]
    """The actions it is about."""
    rules: tuple[str, ...]
    """The rules it applies, preferred to those it sets aside."""
    waives: tuple[str, ...]
    """The rules it sets aside."""
    ops: tuple[str, ...]
    """The remedies in order; "private" for one that not everybody who reads this may know."""
    parties: tuple[str, ...] | None
    """Who may know of it; None for everybody."""

    @property
    def on(self) -> tuple[str, str]:
        """The dispute, in English and French; nothing on the banker's own motion."""
        if self.dispute is None:
            return "", ""
        return f" on dispute {self.dispute}", f" le litige {self.dispute}"

    def apply(self, state: State) -> None:
        """The dispute is over."""
        if self.dispute is None:
            return
        found = state.disputes.pop(self.dispute, None)
        if found is None:
            raise no_dispute(self.rule, self.dispute)
        state.settled.keep(replace(found, status="ruled", ruling=self.ruling))

    def audience(self) -> Audience:
        """Who may know of the dispute; on the banker's own motion, those whom it concerns."""
        return told_to(self.parties)


class RulingsPublished(Event, frozen=True, kw_only=True):
    """The banker opens the table's rulings to other tables as precedents, or closes them again."""

    en: ClassVar[str] = "The rulings of this table are {now[0]}."
    fr: ClassVar[str] = "Les décisions de cette table sont {now[1]}."

    published: bool

    @property
    def now(self) -> tuple[str, str]:
        """Open or not, in English and French."""
        return ("published", "publiées") if self.published else ("no longer published", "retirées du public")

    def apply(self, state: State) -> None:
        """Only what everybody at the table may read is ever shown elsewhere."""
        state.rulings_published = self.published


EVENTS: tuple[type[Event], ...] = (
    DisputeOpened,
    StatementAdded,
    DisputeWithdrawn,
    RulingGiven,
    RulingsPublished,
)
"""What a rulebook with a docket registers, besides HistoryCorrected."""


class GiveRuling(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rule on a dispute, or on the banker's own motion; a rulebook's chapter narrows `remedies` to those it knows.

    To correct the history is bookkeeping: a ruling that only does so needs no dispute on what it corrects.

    Atomic: the remedies are carried out in order (a correction first), or nothing happens. A ruling without any
    states what is so. `rules` (here `applies`) are preferred to those in `waives`, which hinder no remedy.
    Raises Malformed, or RuleBroken by the rulebook's `ruling_rule` (a dispute that is not open), `privacy_rule` (a
    private deal on which no party has opened this dispute; it may be among `waives`) and `end_rule` (a game that
    has ended).
    """

    docket: ClassVar[bool] = True

    finding: LongText
    dispute: DisputeId | None = None
    actions: ActionNames = ()
    applies: RuleIds = msgspec.field(default=(), name="rules")
    waives: RuleIds = ()
    remedies: Annotated[tuple[Remedy, ...], Meta(max_length=50), of_kind("remedies")] = ()

    def mends(self) -> Mending | None:
        """The correction it orders, if it orders one."""
        corrections = [one for one in self.remedies if isinstance(one, CorrectHistory)]
        if not corrections:
            return None
        if len(corrections) > 1:
            raise Malformed(
                "a ruling corrects the history once: put all {count} corrections' edits into one",
                "une décision corrige l'histoire une fois : réunissez en une les {count} corrections",
                count=len(corrections),
            )
        (one,) = corrections
        return Mending(one.edits, one.cascade, one.reason or BY_RULING)

    def cites(self) -> tuple[Name, ...]:
        """What it is about, and what it corrects."""
        return tuple(dict.fromkeys((*self.actions, *self._corrected())))

    def _corrected(self) -> tuple[Name, ...]:
        """The actions that it corrects."""
        edits = [edit for one in self.remedies if isinstance(one, CorrectHistory) for edit in one.edits]
        return tuple(edit.action for edit in edits if isinstance(edit, Drop | Replace))

    def _judged(self, found: Mapping[Name, Cited]) -> dict[Name, Cited]:
        """The cited actions that it decides on, beyond the bookkeeping of a correction."""
        bookkeeping = self._corrected() if all(isinstance(one, CorrectHistory) for one in self.remedies) else ()
        return {name: one for name, one in found.items() if name not in bookkeeping}

    def decide(self, draft: Draft[Any]) -> None:
        """The remedies, then the ruling as it is told."""
        rulebook = draft.rulebook
        require_rules(draft, (*self.applies, *self.waives))
        if both := set(self.applies) & set(self.waives):
            raise Malformed(
                "a ruling cannot both apply and set aside: {rules}",
                "une décision ne peut pas à la fois appliquer et écarter : {rules}",
                rules=", ".join(sorted(both)),
            )
        dispute = None if self.dispute is None else open_dispute_named(draft, self.dispute)
        self._require_remedies(dispute)
        found = looked_up(draft, self.cites())
        draft.set_aside(self.waives, self.finding)
        _require_asked_for(draft, dispute, self._judged(found))
        ruling = Ruling(
            id=draft.new_id(),
            rule=rulebook.ruling_rule,
            finding=self.finding,
            parties=_concerned(found.values()) if dispute is None else dispute.parties,
        )
        carried = [(one, self._carry_out(draft, one, ruling)) for one in self.remedies]
        parties = ruling.parties
        if parties is None and dispute is None and not found:
            parties = _concerned_by_remedies([events for _, events in carried])
        audience = told_to(parties)
        draft.record(
            RulingGiven(
                rule=ruling.rule,
                ruling=ruling.id,
                dispute=self.dispute,
                finding=self.finding,
                actions=self.actions or (() if dispute is None else dispute.actions),
                rules=self.applies or (ruling.rule,),
                waives=self.waives,
                ops=tuple(
                    _op(one) if all(event.audience().covers(audience) for event in events) else PRIVATE
                    for one, events in carried
                ),
                parties=parties,
            )
        )

    def _require_remedies(self, dispute: Dispute | None) -> None:
        """A dismissal is of a dispute, and comes alone."""
        if any(isinstance(one, Dismiss) for one in self.remedies) and (dispute is None or len(self.remedies) > 1):
            raise Malformed(
                "dismiss is for a dispute, and comes alone",
                "dismiss (rejeter) vaut pour un litige, et seul",
            )

    def _carry_out(self, draft: Draft[Any], remedy: Remedy, ruling: Ruling) -> list[Event]:
        """The events of one remedy."""
        if draft.state.ended and not remedy.after_end:
            raise Impossible(
                draft.rulebook.end_rule,
                "the game has ended: {op} would change what its winners won; take back the end by a correction",
                "la partie est terminée : {op} changerait ce qu'ont gagné ses vainqueurs ; annulez d'abord la fin "
                "par une correction",
                op=_op(remedy),
            )
        before = len(draft.events)
        remedy.carry_out(draft, ruling)
        return draft.events[before:]

    @classmethod
    def choices(cls, state: Any, seat: str) -> Iterable[Choice]:
        """Of each open dispute the correction it asks for, and a dismissal; and a ruling of one's own motion."""
        free = ("finding", "actions", "rules", "waives", "remedies")
        for one in open_disputes(state):
            if one.edits:
                edits = msgspec.to_builtins(one.edits)
                granted = {"op": "correct", "edits": edits, "cascade": "restate"}
                yield Choice({"dispute": one.id, "finding": "…", "remedies": [granted]}, free)
            yield Choice({"dispute": one.id, "finding": "…", "remedies": [{"op": "dismiss"}]}, free)
        yield Choice({"finding": "…"}, free)


class PublishRulings(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Open this table's rulings to other tables as precedents, or close them again."""

    docket: ClassVar[bool] = True

    published: bool

    def decide(self, draft: Draft[Any]) -> None:
        """Once."""
        if draft.state.rulings_published == self.published:
            raise Impossible(
                draft.rulebook.ruling_rule,
                "the rulings of this table are {so} already",
                "les décisions de cette table sont déjà {ainsi}",
                so="published" if self.published else "unpublished",
                ainsi="publiées" if self.published else "gardées pour elle",
            )
        draft.record(RulingsPublished(rule=draft.rulebook.ruling_rule, published=self.published))

    @classmethod
    def choices(cls, state: Any, seat: str) -> Iterable[Choice]:
        """The other way round."""
        return (Choice({"published": not state.rulings_published}),)


def _require_asked_for(draft: Draft[Any], dispute: Dispute | None, found: Mapping[Name, Cited]) -> None:
    """Refuse, unless set aside, a private deal on which no party has opened the dispute that is ruled on."""
    asked = () if dispute is None else dispute.matters
    for number, one in found.items():
        for matter in one.matters:
            draft.require(
                matter in asked,
                draft.rulebook.privacy_rule,
                "action {number} is about {matter}, a private deal: the banker rules on it only in a dispute "
                "that one of its parties has opened on it",
                "l'action {number} porte sur {matter}, un accord privé : le banquier n'en décide que dans un "
                "litige ouvert par une de ses parties",
                known_to=one.whole,
                number=number,
                matter=matter,
            )


def _concerned(found: Iterable[Cited]) -> tuple[str, ...] | None:
    """Whom a ruling on the banker's own motion is for: who knows what is private in it; None for everybody."""
    private = [one.whole for one in found if not one.whole.everyone]
    return tuple(sorted(reduce(or_, private).seats)) if private else None


def _concerned_by_remedies(carried: list[list[Event]]) -> tuple[str, ...] | None:
    """Whom a ruling is for that cites nothing, by its remedies; None for everybody."""
    audiences = [event.audience() for events in carried for event in events]
    if not audiences or any(one.everyone for one in audiences):
        return None
    return tuple(sorted(reduce(or_, audiences).seats))


def _op(remedy: Remedy) -> str:
    return str(remedy.__struct_config__.tag)
