"""The docket: a seat contests actions, the parties speak, and the banker rules.

A rulebook takes it in as a chapter (`arbitration`). A dispute suspends nothing. What it cites decides who may know
of it: the seats that know every action cited, its opener, and the parties of a private deal.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import and_
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from ledger.kernel.facts.audience import BANKER, EVERYONE, Audience, Viewer, told_to
from ledger.kernel.facts.dispute import Dispute, Said
from ledger.kernel.facts.edits import Amend, Drop, Edit, Insert, Replace, Rewind
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.labels import ActionName, Name, label_of
from ledger.kernel.facts.refusals import GameOver, Impossible, Malformed
from ledger.kernel.facts.state import State
from ledger.kernel.facts.values import DisputeId, LongText, RuleId, of_kind
from ledger.kernel.journal.citing import Cited
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.draft import Draft

ActionNames = Annotated[tuple[ActionName, ...], Meta(max_length=100, description="actions of the game")]


RuleIds = Annotated[tuple[RuleId, ...], Meta(max_length=50)]


MOST_STATEMENTS = 200
"""How many statements a dispute takes."""


class DisputeOpened(Event, frozen=True, kw_only=True):
    """A seat contests something; nothing is suspended by it."""

    en: ClassVar[str] = "{dispute.opener:seat} opens dispute {dispute.id}{about[0]}: {dispute.claim}"
    fr: ClassVar[str] = "{dispute.opener:seat} ouvre le litige {dispute.id}{about[1]} : {dispute.claim}"

    dispute: Dispute

    @property
    def about(self) -> tuple[str, str]:
        """The actions cited, and whether a correction is asked for, in English and French."""
        names = ", ".join(map(str, self.dispute.actions))
        on, sur = (f" on {names}", f" sur {names}") if names else ("", "")
        if not self.dispute.edits:
            return on, sur
        return f"{on}, with a correction to be made", f"{sur}, avec une correction à faire"

    def apply(self, state: State) -> None:
        """It waits for a ruling."""
        state.disputes[self.dispute.id] = self.dispute

    def audience(self) -> Audience:
        """Who may know of the dispute."""
        return self.dispute.audience


class _OnDispute(Event, frozen=True, kw_only=True):
    """A fact about an open dispute."""

    dispute: str
    parties: tuple[str, ...] | None
    """Who may know of the dispute; None for everybody."""

    def audience(self) -> Audience:
        """Who may know of the dispute."""
        return told_to(self.parties)

    def disputed(self, state: State) -> Dispute:
        """The open dispute. Raises Impossible when there is none (any more)."""
        found = state.disputes.get(self.dispute)
        if found is None:
            raise no_dispute(self.rule, self.dispute)
        return found


class StatementAdded(_OnDispute, frozen=True, kw_only=True):
    """A party, or the banker, says something in a dispute."""

    en: ClassVar[str] = "{statement.by:seat} states in dispute {dispute}: {statement.text}"
    fr: ClassVar[str] = "{statement.by:seat} déclare dans le litige {dispute} : {statement.text}"

    statement: Said

    def apply(self, state: State) -> None:
        """Kept with the dispute."""
        found = self.disputed(state)
        state.disputes[self.dispute] = replace(found, statements=(*found.statements, self.statement))


class DisputeWithdrawn(_OnDispute, frozen=True, kw_only=True):
    """The opener lets the matter rest."""

    en: ClassVar[str] = "{seat:seat} withdraws dispute {dispute}."
    fr: ClassVar[str] = "{seat:seat} retire le litige {dispute}."

    seat: str

    def apply(self, state: State) -> None:
        """It waits for nothing any more."""
        state.settled.keep(replace(self.disputed(state), status="withdrawn"))
        del state.disputes[self.dispute]


class OpenDispute(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Contest what happened: the actions cited, the claim, the rules it relies on, and a correction asked for.

    The banker can accept the correction as it is. What it drops or replaces is contested, too. Raises Malformed
    for an action or a rule that does not exist, RuleBroken (the rulebook's `privacy_rule`) for an action of which
    the seat knows nothing, or a private deal that it is no party to. Raises GameOver after the end, by
    the rulebook's `end_rule`: a dispute opened before it is still argued and ruled on.
    """

    docket: ClassVar[bool] = True

    claim: LongText
    actions: ActionNames = ()
    relies_on: RuleIds = msgspec.field(default=(), name="rules")
    edits: Annotated[
        tuple[Edit, ...], Meta(max_length=20, description="the correction asked for"), of_kind("edits")
    ] = ()

    def cites(self) -> tuple[Name, ...]:
        """What is contested, and after which actions something is to be inserted."""
        return (*self._contested(), *(edit.after for edit in self.edits if isinstance(edit, Insert)))

    def _contested(self) -> tuple[Name, ...]:
        dropped = [edit.action for edit in self.edits if isinstance(edit, Drop | Replace | Amend)]
        return (*self.actions, *dropped, *(edit.to for edit in self.edits if isinstance(edit, Rewind)))

    def decide(self, draft: Draft[Any]) -> None:
        """It is written down, and that is all."""
        if draft.state.ended:
            raise GameOver(draft.rulebook.end_rule)
        seat = draft.seat
        require_rules(draft, self.relies_on)
        known = looked_up(draft, self.cites())
        found = {name: known[name] for name in self._contested()}
        for name, one in found.items():
            require_known(draft, seat, name, one)
        dispute = Dispute(
            id=draft.new_id(),
            opener=seat,
            actions=tuple(found),
            claim=self.claim,
            rules=tuple(dict.fromkeys(self.relies_on)),
            edits=self.edits,
            opened_at=draft.now,
            parties=parties_of(seat, found.values()),
            matters=tuple(sorted({matter for one in found.values() for matter in one.matters})),
        )
        draft.record(DisputeOpened(rule=draft.rulebook.dispute_rule, dispute=dispute))

    @classmethod
    def choices(cls, state: Any, seat: str) -> Iterable[Choice]:
        """Open until the end, for a claim to be made about actions to be named."""
        return () if state.ended else (Choice({"claim": "…"}, free=("claim", "actions", "rules", "edits")),)


class AddStatement(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Say something in an open dispute, as one who may know of it; the banker speaks without naming a seat."""

    docket: ClassVar[bool] = True

    dispute: DisputeId
    text: LongText

    def decide(self, draft: Draft[Any]) -> None:
        """Kept with the dispute."""
        dispute = open_dispute_named(draft, self.dispute)
        if len(dispute.statements) >= MOST_STATEMENTS:
            raise Impossible(
                draft.rulebook.dispute_rule,
                "dispute {id} has {count} statements, and takes no more",
                "le litige {id} compte {count} déclarations et n'en reçoit plus",
                id=dispute.id,
                count=len(dispute.statements),
            )
        statement = Said(by=draft.speaker, text=self.text, at=draft.now)
        draft.record(
            StatementAdded(
                rule=draft.rulebook.dispute_rule, dispute=dispute.id, parties=dispute.parties, statement=statement
            )
        )

    @classmethod
    def choices(cls, state: Any, seat: str) -> Iterable[Choice]:
        """In each open dispute that the seat may know of, for words to be said."""
        speaker = Viewer("player", seat) if seat else BANKER
        for one in open_disputes(state):
            if sees_dispute(state, one, speaker):
                yield Choice({"dispute": one.id, "text": "…"}, free=("text",), alike="any")


class WithdrawDispute(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Withdraw a dispute that one has opened."""

    docket: ClassVar[bool] = True

    dispute: DisputeId

    def decide(self, draft: Draft[Any]) -> None:
        """By its opener only."""
        seat = draft.seat
        dispute = open_dispute_named(draft, self.dispute)
        if dispute.opener != seat:
            raise Impossible(
                draft.rulebook.dispute_rule,
                "dispute {id} is {opener:seat}'s: {seat:seat} cannot withdraw it",
                "le litige {id} est celui {opener:de|seat} : {seat:seat} ne peut pas le retirer",
                id=dispute.id,
                opener=dispute.opener,
                seat=seat,
            )
        draft.record(
            DisputeWithdrawn(
                rule=draft.rulebook.dispute_rule, dispute=dispute.id, parties=dispute.parties, seat=seat
            )
        )

    @classmethod
    def choices(cls, state: Any, seat: str) -> Iterable[Choice]:
        """One's own open disputes."""
        return [Choice({"dispute": one.id}) for one in open_disputes(state) if one.opener == seat]


def open_disputes(state: State) -> list[Dispute]:
    """The banker's queue: the disputes that wait for a ruling, oldest first."""
    return sorted(state.disputes.values(), key=lambda one: one.opened)


def disputes(state: State, viewer: Viewer) -> list[Dispute]:
    """Every dispute that the viewer may know of, ended ones included, in the order of their opening."""
    ended = [one for one in state.settled if isinstance(one, Dispute)]
    known = [one for one in (*state.disputes.values(), *ended) if sees_dispute(state, one, viewer)]
    return sorted(known, key=lambda one: one.opened)


def dispute(state: State, dispute_id: str, viewer: Viewer) -> Dispute | None:
    """The dispute of this id, open or ended; None when there is none that the viewer may know of."""
    found = state.disputes.get(dispute_id) or state.settled.get(dispute_id)
    return found if isinstance(found, Dispute) and sees_dispute(state, found, viewer) else None


def sees_dispute(now: State, found: Dispute, viewer: Viewer) -> bool:
    """Whether the viewer may know of a dispute of a game that stands like this now: all may of a revealed one.

    The banker always may, also one who plays: whoever opens a dispute speaks to the banker.
    """
    return now.is_revealed or viewer.role == "banker" or found.audience.admits(viewer)


def open_dispute_named(draft: Draft[Any], dispute_id: str) -> Dispute:
    """The open dispute of this id, as far as the acting seat may know of it. Raises Impossible."""
    speaker = draft.speaker
    viewer = draft.viewer if speaker == "banker" else Viewer("player", speaker)
    found = dispute(draft.state, dispute_id, viewer)
    if found is None:
        raise no_dispute(draft.rulebook.dispute_rule, dispute_id)
    if found.status != "open":
        raise Impossible(
            draft.rulebook.dispute_rule,
            "dispute {id} is closed ({status:case}{by})",
            "le litige {id} est clos ({status:case}{by})",
            id=found.id,
            status=found.status,
            by="" if found.ruling is None else f", {found.ruling}",
        )
    return found


def no_dispute(rule: str, dispute_id: str) -> Impossible:
    """The refusal of a dispute that there is not, or that the seat may not know of."""
    return Impossible(rule, "there is no dispute {id!r}", "il n'y a pas de litige {id!r}", id=dispute_id)


def looked_up(draft: Draft[Any], names: Iterable[Name]) -> dict[Name, Cited]:
    """The actions cited, each once. Raises Malformed naming the last one there is."""
    found: dict[Name, Cited] = {}
    for name in names:
        one = draft.cited.get(name) if label_of(name)[0] < draft.number else None
        if one is None:
            raise Malformed(
                "there is no action {number}; the last one is {last}",
                "il n'y a pas d'action {number} ; la dernière est la {last}",
                number=name,
                last=draft.number - 1,
            )
        found[name] = one
    return found


def require_known(draft: Draft[Any], seat: str, name: Name, found: Cited) -> None:
    """Raise RuleBroken unless the seat knows something of the action, and is a party to what is private in it."""
    known = draft.state.is_revealed or found.part.admits(Viewer("player", seat))
    if not known or any(seat not in parties for parties in found.matters.values()):
        raise Impossible(
            draft.rulebook.privacy_rule,
            "action {number} is for its parties to dispute, and {seat:seat} is none",
            "l'action {number} ne peut être contestée que par ses parties, et {seat:seat} n'en est pas une",
            number=name,
            seat=seat,
        )


def require_rules(draft: Draft[Any], rules: Iterable[str]) -> None:
    """Raise Malformed unless each is a rule of the register."""
    for rule in rules:
        if rule not in draft.rulebook.register:
            raise Malformed(
                "{rulebook} has no rule {rule!r}",
                "{rulebook} n'a pas de règle {rule!r}",
                rulebook=draft.rulebook.id,
                rule=rule,
            )


def parties_of(opener: str, found: Iterable[Cited]) -> tuple[str, ...] | None:
    """Who may know of a dispute: who knows all that it cites, its opener and the parties; None for everybody."""
    cited = tuple(found)
    audience = reduce(and_, (one.whole for one in cited), EVERYONE)
    if audience.everyone:
        return None
    bound = (seat for one in cited for parties in one.matters.values() for seat in parties)
    return tuple(sorted(audience.seats | {opener, *bound}))
