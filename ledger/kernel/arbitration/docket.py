"""The docket: a seat contests actions, the parties speak, and the banker rules.

A rulebook includes the docket as a chapter (`arbitration`). A dispute suspends nothing. The audience follows
from the citations: the seats that know every cited action, the opener, and the parties of a private deal.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import and_
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from ledger.kernel.facts.agreements import Agreement
from ledger.kernel.facts.audience import BANKER, EVERYONE, Audience, Viewer, told_to
from ledger.kernel.facts.dispute import Dispute, DisputeStatement
from ledger.kernel.facts.edits import Amend, Drop, Edit, Insert, Replace, Rewind
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.labels import ActionName, Name, label_of
from ledger.kernel.facts.refusals import GameOver, Impossible, Malformed
from ledger.kernel.facts.state import State
from ledger.kernel.facts.values import DisputeId, LongText, RuleId, of_kind
from ledger.kernel.journal.citing import Cited
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.draft import Draft

ActionNames = Annotated[tuple[ActionName, ...], Meta(max_length=100, description="actions of the game")]


RuleIds = Annotated[tuple[RuleId, ...], Meta(max_length=50)]


MOST_STATEMENTS = 200
"""The maximum number of statements in a dispute."""
MOST_OF_A_SEAT = 50
"""The maximum number of statements of a seat in a dispute: no seat takes the places of all others."""
MOST_OPEN = 20
"""The maximum number of open disputes of a seat."""
MOST_OPENED = 500
"""The maximum number of disputes of a seat in a game, closed disputes included."""


class DisputeOpened(Event, frozen=True, kw_only=True):
    """A seat contests something; nothing is suspended by it."""

    en: ClassVar[str] = "{dispute.opener:seat} opens dispute {dispute.id}{about.en}: {dispute.claim}"
    fr: ClassVar[str] = "{dispute.opener:seat} ouvre le litige {dispute.id}{about.fr} : {dispute.claim}"

    dispute: Dispute

    @property
    def about(self) -> Phrase:
        """The cited actions, and the request for a correction if any, in English and French."""
        names = ", ".join(map(str, self.dispute.actions))
        on = Phrase(f" on {names}", f" sur {names}") if names else Phrase("", "")
        if not self.dispute.edits:
            return on
        return Phrase(f"{on.en}, with a correction to be made", f"{on.fr}, avec une correction à faire")

    def apply(self, state: State) -> None:
        """Add the dispute to the disputes waiting for a ruling."""
        state.disputes[self.dispute.id] = self.dispute

    def audience(self) -> Audience:
        """Return the audience of the dispute."""
        return self.dispute.audience


class _OnDispute(Event, frozen=True, kw_only=True):
    """A fact about an open dispute."""

    dispute: str
    parties: tuple[str, ...] | None
    """The seats allowed to know of the dispute; None for everybody."""

    def audience(self) -> Audience:
        """Return the audience of the dispute."""
        return told_to(self.parties)

    def disputed(self, state: State) -> Dispute:
        """Return the open dispute. Raises Impossible if the dispute does not exist or is closed."""
        dispute = state.disputes.get(self.dispute)
        if dispute is None:
            raise no_dispute(self.rule, self.dispute)
        return dispute


class StatementAdded(_OnDispute, frozen=True, kw_only=True):
    """A party, or the banker, says something in a dispute."""

    en: ClassVar[str] = "{statement.by:seat} states in dispute {dispute}: {statement.text}"
    fr: ClassVar[str] = "{statement.by:seat} déclare dans le litige {dispute} : {statement.text}"

    statement: DisputeStatement

    def apply(self, state: State) -> None:
        """Add the statement to the dispute."""
        dispute = self.disputed(state)
        state.disputes[self.dispute] = replace(dispute, statements=(*dispute.statements, self.statement))


class DisputeWithdrawn(_OnDispute, frozen=True, kw_only=True):
    """The opener lets the matter rest."""

    en: ClassVar[str] = "{seat:seat} withdraws dispute {dispute}."
    fr: ClassVar[str] = "{seat:seat} retire le litige {dispute}."

    seat: str

    def apply(self, state: State) -> None:
        """Move the dispute to the settled disputes."""
        state.settled.keep(replace(self.disputed(state), status="withdrawn"))
        del state.disputes[self.dispute]


class OpenDispute(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Contest past actions: the cited actions, the claim, the rules behind the claim, and a requested
    correction.

    The banker can accept the correction unchanged. Actions dropped or replaced by the correction are contested,
    too. Raises Malformed for an action or a rule that does not exist, and RuleBroken (the rulebook's
    `privacy_rule`) for an action unknown to the seat, or a private deal of other seats. Raises GameOver after
    the end, by the rulebook's `end_rule`: a dispute opened before the end is still argued and ruled on. Raises
    Impossible for a seat with `MOST_OPEN` open disputes, or `MOST_OPENED` disputes in all.
    """

    docket: ClassVar[bool] = True

    claim: LongText
    actions: ActionNames = ()
    relies_on: RuleIds = msgspec.field(default=(), name="rules")
    edits: Annotated[
        tuple[Edit, ...], Meta(max_length=20, description="the correction asked for"), of_kind("edits")
    ] = ()

    def cites(self) -> tuple[Name, ...]:
        """Return the contested actions, and the actions after which the correction inserts."""
        return (*self._contested(), *(edit.after for edit in self.edits if isinstance(edit, Insert)))

    def _contested(self) -> tuple[Name, ...]:
        dropped = [edit.action for edit in self.edits if isinstance(edit, Drop | Replace | Amend)]
        return (*self.actions, *dropped, *(edit.to for edit in self.edits if isinstance(edit, Rewind)))

    def decide(self, draft: Draft[Any]) -> None:
        """Record the dispute, and nothing else."""
        if draft.state.ended:
            raise GameOver(draft.rulebook.governance.end_rule)
        seat = draft.seat
        _require_place(draft, seat)
        require_rules(draft, self.relies_on)
        citations = looked_up(draft, self.cites())
        contested = {name: citations[name] for name in self._contested()}
        for name, citation in contested.items():
            require_known(draft, seat, name, citation)
        dispute = Dispute(
            id=draft.new_id(),
            opener=seat,
            actions=tuple(contested),
            claim=self.claim,
            rules=tuple(dict.fromkeys(self.relies_on)),
            edits=self.edits,
            opened_at=draft.at,
            parties=parties_of(seat, contested.values()),
            matters=tuple(sorted({matter for citation in contested.values() for matter in citation.matters})),
        )
        draft.record(DisputeOpened(rule=draft.rulebook.governance.dispute_rule, dispute=dispute))

    @classmethod
    def choices(cls, state: Any, seat: str) -> Iterable[Choice]:
        """Offer a dispute until the end of the game, with a claim and actions to be filled in."""
        return () if state.ended else (Choice({"claim": "…"}, free=("claim", "actions", "rules", "edits")),)


class AddStatement(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Make a statement in a visible open dispute; the banker speaks without naming a seat."""

    docket: ClassVar[bool] = True

    dispute: DisputeId
    text: LongText

    def decide(self, draft: Draft[Any]) -> None:
        """Add the statement to the dispute."""
        dispute = require_open_dispute(draft, self.dispute)
        spoken = sum(statement.by == draft.speaker for statement in dispute.statements)
        draft.require_now(
            draft.speaker == "banker" or spoken < MOST_OF_A_SEAT,
            draft.rulebook.governance.dispute_rule,
            "{seat:seat} has made {count} statements in dispute {id}, and can make no more",
            "{seat:seat} a fait {count} déclarations dans le litige {id} et ne peut plus en faire",
            seat=draft.speaker,
            id=dispute.id,
            count=spoken,
        )
        if len(dispute.statements) >= MOST_STATEMENTS:
            raise Impossible(
                draft.rulebook.governance.dispute_rule,
                "dispute {id} has {count} statements, and takes no more",
                "le litige {id} compte {count} déclarations et n'en reçoit plus",
                id=dispute.id,
                count=len(dispute.statements),
            )
        statement = DisputeStatement(by=draft.speaker, text=self.text, at=draft.at)
        draft.record(
            StatementAdded(
                rule=draft.rulebook.governance.dispute_rule,
                dispute=dispute.id,
                parties=dispute.parties,
                statement=statement,
            )
        )

    @classmethod
    def choices(cls, state: Any, seat: str) -> Iterable[Choice]:
        """Offer a statement in each open dispute visible to the seat."""
        speaker = Viewer("player", seat) if seat else BANKER
        for dispute in open_disputes(state):
            if sees_dispute(state, dispute, speaker):
                yield Choice({"dispute": dispute.id, "text": "…"}, free=("text",), alike="any")


class WithdrawDispute(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Withdraw one's own dispute."""

    docket: ClassVar[bool] = True

    dispute: DisputeId

    def decide(self, draft: Draft[Any]) -> None:
        """Refuse everybody but the opener."""
        seat = draft.seat
        dispute = require_open_dispute(draft, self.dispute)
        if dispute.opener != seat:
            raise Impossible(
                draft.rulebook.governance.dispute_rule,
                "dispute {id} is {opener:seat}'s: {seat:seat} cannot withdraw it",
                "le litige {id} est celui {opener:de|seat} : {seat:seat} ne peut pas le retirer",
                id=dispute.id,
                opener=dispute.opener,
                seat=seat,
            )
        draft.record(
            DisputeWithdrawn(
                rule=draft.rulebook.governance.dispute_rule, dispute=dispute.id, parties=dispute.parties, seat=seat
            )
        )

    @classmethod
    def choices(cls, state: Any, seat: str) -> Iterable[Choice]:
        """Offer the seat's own open disputes."""
        return [Choice({"dispute": dispute.id}) for dispute in open_disputes(state) if dispute.opener == seat]


def open_disputes(state: State) -> list[Dispute]:
    """Return the banker's queue: the disputes waiting for a ruling, oldest first."""
    return sorted(state.disputes.values(), key=lambda dispute: dispute.opened)


def disputes(state: State, viewer: Viewer) -> list[Dispute]:
    """Return every dispute visible to the viewer, closed disputes included, in order of opening."""
    ended = [dispute for dispute in state.settled if isinstance(dispute, Dispute)]
    visible = [dispute for dispute in (*state.disputes.values(), *ended) if sees_dispute(state, dispute, viewer)]
    return sorted(visible, key=lambda dispute: dispute.opened)


def dispute(state: State, dispute_id: str, viewer: Viewer) -> Dispute | None:
    """Return the dispute with the given id, open or closed; None without a dispute visible to the viewer."""
    candidate = state.disputes.get(dispute_id) or state.settled.get(dispute_id)
    return candidate if isinstance(candidate, Dispute) and sees_dispute(state, candidate, viewer) else None


def sees_dispute(newest: State, dispute: Dispute, viewer: Viewer) -> bool:
    """Return True if the viewer may know of a dispute in the newest state: any viewer, if the game is revealed.

    The banker always may, even a banker who plays: every dispute is addressed to the banker.
    """
    return newest.is_revealed or viewer.role == "banker" or dispute.audience.admits(viewer)


def require_open_dispute(draft: Draft[Any], dispute_id: str) -> Dispute:
    """Return the open dispute with the given id, if visible to the acting seat. Raises Impossible."""
    speaker = draft.speaker
    viewer = draft.viewer if speaker == "banker" else Viewer("player", speaker)
    result = dispute(draft.state, dispute_id, viewer)
    if result is None:
        raise no_dispute(draft.rulebook.governance.dispute_rule, dispute_id)
    if result.status != "open":
        raise Impossible(
            draft.rulebook.governance.dispute_rule,
            "dispute {id} is closed ({status:case}{by})",
            "le litige {id} est clos ({status:case}{by})",
            id=result.id,
            status=result.status,
            by="" if result.ruling is None else f", {result.ruling}",
        )
    return result


def no_dispute(rule: str, dispute_id: str) -> Impossible:
    """Return the refusal for a dispute that does not exist, or is hidden from the seat."""
    return Impossible(rule, "there is no dispute {id!r}", "il n'y a pas de litige {id!r}", id=dispute_id)


def _require_place(draft: Draft[Any], seat: str) -> None:
    """Refuse a dispute now if the seat has opened as many as a seat may. Disputes of older games stand."""
    rule = draft.rulebook.governance.dispute_rule
    still_open = sum(dispute.opener == seat for dispute in draft.state.disputes.values())
    draft.require_now(
        still_open < MOST_OPEN,
        rule,
        "{seat:seat} has {count} open disputes: one must be closed before the next",
        "{seat:seat} a {count} litiges ouverts : il faut en clore un avant le suivant",
        seat=seat,
        count=still_open,
    )
    opened = still_open + len(draft.state.settled.group(_by_opener, seat))
    draft.require_now(
        opened < MOST_OPENED,
        rule,
        "{seat:seat} has opened {count} disputes, and can open no more in this game",
        "{seat:seat} a ouvert {count} litiges et ne peut plus en ouvrir dans cette partie",
        seat=seat,
        count=opened,
    )


def _by_opener(agreement: Agreement) -> Iterable[str]:
    """Return the opener of an ended dispute."""
    return (agreement.opener,) if isinstance(agreement, Dispute) else ()


def looked_up(draft: Draft[Any], names: Iterable[Name]) -> dict[Name, Cited]:
    """Return the citation of each cited action. Raises Malformed with the number of the last existing action."""
    citations: dict[Name, Cited] = {}
    for name in names:
        citation = draft.cited.get(name) if label_of(name)[0] < draft.number else None
        if citation is None:
            raise Malformed(
                "there is no action {number}; the last one is {last}",
                "il n'y a pas d'action {number} ; la dernière est la {last}",
                number=name,
                last=draft.number - 1,
            )
        citations[name] = citation
    return citations


def require_known(draft: Draft[Any], seat: str, name: Name, citation: Cited) -> None:
    """Raise RuleBroken if the seat knows nothing of the action, or is not a party to a private deal of the
    action.
    """
    is_known = draft.state.is_revealed or citation.part.admits(Viewer("player", seat))
    if not is_known or any(seat not in parties for parties in citation.matters.values()):
        raise Impossible(
            draft.rulebook.governance.privacy_rule,
            "action {number} is for its parties to dispute, and {seat:seat} is none",
            "l'action {number} ne peut être contestée que par ses parties, et {seat:seat} n'en est pas une",
            number=name,
            seat=seat,
        )


def require_rules(draft: Draft[Any], rules: Iterable[str]) -> None:
    """Raise Malformed for a rule outside the register."""
    for rule in rules:
        if rule not in draft.rulebook.register:
            raise Malformed(
                "{rulebook} has no rule {rule!r}",
                "{rulebook} n'a pas de règle {rule!r}",
                rulebook=draft.rulebook.id,
                rule=rule,
            )


def parties_of(opener: str, citations: Iterable[Cited]) -> tuple[str, ...] | None:
    """Return the audience of a dispute: the seats that know all citations, the opener and the parties; None for
    everybody. An opener who knows a part knows only the acting seats: they stand for those that know all.
    """
    cited = tuple(citations)
    audience = reduce(and_, (citation.whole for citation in cited), EVERYONE)
    if audience.everyone:
        return None
    bound = {seat for citation in cited for parties in citation.matters.values() for seat in parties}
    acting = {citation.seat for citation in cited if citation.seat is not None}
    knowing = audience.seats if audience.admits(Viewer("player", opener)) else acting
    return tuple(sorted(knowing | bound | {opener}))
