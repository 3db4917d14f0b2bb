"""Rulings: the banker decides, citing actions and rules. The remedies are carried out in order as one action."""

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
    open_disputes,
    require_open_dispute,
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
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.actions import Action, Choice, Correct
from ledger.kernel.rules.draft import Draft

PRIVATE = "private"
"""The name in a ruling for a remedy hidden from some readers of the ruling."""


BY_RULING = "ruling / décision"
"""The reason for a correction, if the ruling gives no public reason."""


class RulingGiven(Event, frozen=True, kw_only=True):
    """The banker rules: this version prevails from here on. What it orders stands in events of its own."""

    en: ClassVar[str] = "The banker rules{on.en}: {finding}"
    fr: ClassVar[str] = "Le banquier tranche{on.fr} : {finding}"

    ruling: str
    """The id of the ruling: the number of the action."""
    dispute: str | None
    finding: str
    actions: tuple[Name, ...]
    """The actions of the ruling."""
    rules: tuple[str, ...]
    """The applied rules, preferred to the waived rules."""
    waives: tuple[str, ...]
    """The waived rules."""
    ops: tuple[str, ...]
    """The remedies in order; "private" for a remedy hidden from some readers of the ruling."""
    parties: tuple[str, ...] | None
    """The seats allowed to know of the ruling; None for everybody."""

    @property
    def on(self) -> Phrase:
        """The dispute, in English and French; empty for a ruling on the banker's own motion."""
        if self.dispute is None:
            return Phrase("", "")
        return Phrase(f" on dispute {self.dispute}", f" le litige {self.dispute}")

    def apply(self, state: State) -> None:
        """Move the dispute to the settled disputes."""
        if self.dispute is None:
            return
        dispute = state.disputes.pop(self.dispute, None)
        if dispute is None:
            raise no_dispute(self.rule, self.dispute)
        state.settled.keep(replace(dispute, status="ruled", ruling=self.ruling))

    def audience(self) -> Audience:
        """Return the audience of the dispute; on the banker's own motion, the seats concerned."""
        return told_to(self.parties)


class RulingsPublished(Event, frozen=True, kw_only=True):
    """The banker opens the table's rulings to other tables as precedents, or closes them again."""

    en: ClassVar[str] = "The rulings of this table are {now.en}."
    fr: ClassVar[str] = "Les décisions de cette table sont {now.fr}."

    published: bool

    @property
    def now(self) -> Phrase:
        """The new status, in English and French."""
        return (
            Phrase("published", "publiées")
            if self.published
            else Phrase("no longer published", "retirées du public")
        )

    def apply(self, state: State) -> None:
        """Set the flag. Other tables only ever see rulings readable by everybody at the table."""
        state.rulings_published = self.published


EVENTS: tuple[type[Event], ...] = (
    DisputeOpened,
    StatementAdded,
    DisputeWithdrawn,
    RulingGiven,
    RulingsPublished,
)
"""The events registered by a rulebook with a docket, besides HistoryCorrected."""


class GiveRuling(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rule on a dispute, or on the banker's own motion; a rulebook's chapter narrows the types of `remedies`.

    A correction alone is bookkeeping: such a ruling needs no dispute on the corrected actions.

    Atomic: the remedies are carried out in order (a correction first), or nothing happens. A ruling without
    remedies is a statement. `rules` (here `applies`) are preferred to the rules in `waives`, which hinder no
    remedy. Raises Malformed, or RuleBroken by the rulebook's `ruling_rule` (a dispute that is not open),
    `privacy_rule` (a private deal without a dispute on it by a party; may be in `waives`) and `end_rule` (a
    game that has ended).
    """

    docket: ClassVar[bool] = True

    finding: LongText
    dispute: DisputeId | None = None
    actions: ActionNames = ()
    applies: RuleIds = msgspec.field(default=(), name="rules")
    waives: RuleIds = ()
    remedies: Annotated[tuple[Remedy, ...], Meta(max_length=50), of_kind("remedies")] = ()

    def correction_request(self) -> Correct | None:
        """Return the ordered correction, or None. Raises Malformed for more than one."""
        corrections = [correction for correction in self.remedies if isinstance(correction, CorrectHistory)]
        if not corrections:
            return None
        if len(corrections) > 1:
            raise Malformed(
                "a ruling corrects the history once: put all {count} corrections' edits into one",
                "une décision corrige l'histoire une fois : réunissez en une les {count} corrections",
                count=len(corrections),
            )
        (correction,) = corrections
        reason = correction.reason or BY_RULING
        return Correct(edits=correction.edits, cascade=correction.cascade, reason=reason)

    def cites(self) -> tuple[Name, ...]:
        """Return the actions of the ruling, and the corrected actions."""
        return tuple(dict.fromkeys((*self.actions, *self._corrected())))

    def _corrected(self) -> tuple[Name, ...]:
        """Return the corrected actions."""
        edits = [edit for remedy in self.remedies if isinstance(remedy, CorrectHistory) for edit in remedy.edits]
        return tuple(edit.action for edit in edits if isinstance(edit, Drop | Replace))

    def _judged(self, citations: Mapping[Name, Cited]) -> dict[Name, Cited]:
        """Return the cited actions to decide on, without actions only corrected as bookkeeping."""
        bookkeeping = self._corrected() if all(isinstance(item, CorrectHistory) for item in self.remedies) else ()
        return {name: item for name, item in citations.items() if name not in bookkeeping}

    def decide(self, draft: Draft[Any]) -> None:
        """Record the remedies, then the ruling."""
        rulebook = draft.rulebook
        require_rules(draft, (*self.applies, *self.waives))
        if both := set(self.applies) & set(self.waives):
            raise Malformed(
                "a ruling cannot both apply and set aside: {rules}",
                "une décision ne peut pas à la fois appliquer et écarter : {rules}",
                rules=", ".join(sorted(both)),
            )
        dispute = None if self.dispute is None else require_open_dispute(draft, self.dispute)
        self._require_remedies(dispute)
        citations = looked_up(draft, self.cites())
        draft.set_aside(self.waives, self.finding)
        _require_asked_for(draft, dispute, self._judged(citations))
        ruling = Ruling(
            id=draft.new_id(),
            rule=rulebook.governance.ruling_rule,
            finding=self.finding,
            parties=_concerned(citations.values()) if dispute is None else dispute.parties,
        )
        carried = [(remedy, self._carry_out(draft, remedy, ruling)) for remedy in self.remedies]
        parties = ruling.parties
        if parties is None and dispute is None and not citations:
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
                    _op(remedy) if all(event.audience().covers(audience) for event in events) else PRIVATE
                    for remedy, events in carried
                ),
                parties=parties,
            )
        )

    def _require_remedies(self, dispute: Dispute | None) -> None:
        """Refuse a dismissal without a dispute, or combined with another remedy."""
        if any(isinstance(remedy, Dismiss) for remedy in self.remedies) and (
            dispute is None or len(self.remedies) > 1
        ):
            raise Malformed(
                "dismiss is for a dispute, and comes alone",
                "dismiss (rejeter) vaut pour un litige, et seul",
            )

    def _carry_out(self, draft: Draft[Any], remedy: Remedy, ruling: Ruling) -> list[Event]:
        """Carry out a remedy and return the events."""
        if draft.state.ended and not remedy.after_end:
            raise Impossible(
                draft.rulebook.governance.end_rule,
                "the game has ended: {op} would change what its winners won; take back the end by a correction",
                "la partie est terminée : {op} changerait ce qu'ont gagné ses vainqueurs ; annulez d'abord la fin "
                "par une correction",
                op=_op(remedy),
            )
        start = len(draft.events)
        if not isinstance(remedy, CorrectHistory):  # a correction is planned and recorded before the decision
            remedy.carry_out(draft, ruling)
        return draft.events[start:]

    @classmethod
    def choices(cls, state: Any, seat: str) -> Iterable[Choice]:
        """Offer, for each open dispute, the requested correction and a dismissal; and a ruling on the banker's
        own motion.
        """
        free = ("finding", "actions", "rules", "waives", "remedies")
        for dispute in open_disputes(state):
            if dispute.edits:
                edits = msgspec.to_builtins(dispute.edits)
                granted = {"op": "correct", "edits": edits, "cascade": "restate"}
                yield Choice({"dispute": dispute.id, "finding": "…", "remedies": [granted]}, free)
            yield Choice({"dispute": dispute.id, "finding": "…", "remedies": [{"op": "dismiss"}]}, free)
        yield Choice({"finding": "…"}, free)


class PublishRulings(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Open this table's rulings to other tables as precedents, or close them again."""

    docket: ClassVar[bool] = True

    published: bool

    def decide(self, draft: Draft[Any]) -> None:
        """Refuse a change to the current status."""
        if draft.state.rulings_published == self.published:
            raise Impossible(
                draft.rulebook.governance.ruling_rule,
                "the rulings of this table are {so} already",
                "les décisions de cette table sont déjà {ainsi}",
                so="published" if self.published else "unpublished",
                ainsi="publiées" if self.published else "gardées pour elle",
            )
        draft.record(RulingsPublished(rule=draft.rulebook.governance.ruling_rule, published=self.published))

    @classmethod
    def choices(cls, state: Any, seat: str) -> Iterable[Choice]:
        """Offer the opposite of the current status."""
        return (Choice({"published": not state.rulings_published}),)


def _require_asked_for(draft: Draft[Any], dispute: Dispute | None, citations: Mapping[Name, Cited]) -> None:
    """Refuse, unless waived, a private deal without a dispute on the deal opened by a party."""
    matters = () if dispute is None else dispute.matters
    for number, citation in citations.items():
        for matter in citation.matters:
            draft.require(
                matter in matters,
                draft.rulebook.governance.privacy_rule,
                "action {number} is about {matter}, a private deal: the banker rules on it only in a dispute "
                "that one of its parties has opened on it",
                "l'action {number} porte sur {matter}, un accord privé : le banquier n'en décide que dans un "
                "litige ouvert par une de ses parties",
                known_to=citation.whole,
                number=number,
                matter=matter,
            )


def _concerned(citations: Iterable[Cited]) -> tuple[str, ...] | None:
    """Return the audience of a ruling on the banker's own motion: the seats that know its private actions. None
    for everybody.
    """
    private = [citation.whole for citation in citations if not citation.whole.everyone]
    return tuple(sorted(reduce(or_, private).seats)) if private else None


def _concerned_by_remedies(carried: list[list[Event]]) -> tuple[str, ...] | None:
    """Return the audience of a ruling without citations, from the audiences of the remedies; None for
    everybody.
    """
    audiences = [event.audience() for events in carried for event in events]
    if not audiences or any(audience.everyone for audience in audiences):
        return None
    return tuple(sorted(reduce(or_, audiences).seats))


def _op(remedy: Remedy) -> str:
    return str(remedy.__struct_config__.tag)
