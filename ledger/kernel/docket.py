"""The docket: a seat contests actions, the parties speak, and the banker rules.

A rulebook that has one registers `EVENTS` and declares subclasses of the actions with the rules they stand on; its
`Rule` narrows `remedies` to the union of those it knows. A dispute suspends nothing. What it cites decides who may
know of it: the seats that know every action cited, its opener, and the parties of a private deal.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import and_, or_
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from ledger.kernel.accounts import BANK, Posting
from ledger.kernel.actions import Action, Cascade, Choice, Mending
from ledger.kernel.audience import BANKER_ONLY, EVERYONE, Audience, Viewer, only
from ledger.kernel.citing import Cited
from ledger.kernel.corrections import Drop, Edit, Number, Replace
from ledger.kernel.decision import Draft
from ledger.kernel.events import Event, snake_case
from ledger.kernel.refusals import INT64_MAX, Impossible, Malformed, RuleBroken
from ledger.kernel.state import Dispute, Said, State

DisputeId = Annotated[str, Meta(min_length=1, max_length=40, description="id of the dispute")]
RuleId = Annotated[str, Meta(min_length=1, max_length=40, description="id of a rule of the register")]
Words = Annotated[str, Meta(min_length=1, max_length=4000)]
Seat = Annotated[str, Meta(min_length=1, max_length=40)]
Whole = Annotated[int, Meta(ge=1, le=INT64_MAX)]
Account = Annotated[str, Meta(min_length=1, max_length=80)]
Actions = Annotated[tuple[Number, ...], Meta(max_length=100, description="numbers of actions of the journal")]
Rules = Annotated[tuple[RuleId, ...], Meta(max_length=50)]

MOST_STATEMENTS = 200
"""How many statements a dispute takes."""

PRIVATE = "private"
"""What a ruling calls a remedy that not everybody who reads the ruling may know."""

BY_RULING = "ruling / décision"
"""Why the history is corrected, when the ruling gives no reason for all to read."""


# ----------------------------------------------------------------------------------------------
# What happens to a dispute
# ----------------------------------------------------------------------------------------------


class DisputeOpened(Event, frozen=True, kw_only=True):
    """A seat contests something; nothing is suspended by it."""

    en: ClassVar[str] = "{dispute.opener:seat} opens dispute {dispute.id}{about[0]}: {dispute.claim}"
    fr: ClassVar[str] = "{dispute.opener:seat} ouvre le litige {dispute.id}{about[1]} : {dispute.claim}"

    dispute: Dispute

    @property
    def about(self) -> tuple[str, str]:
        """The actions cited, in English and French; nothing when there are none."""
        if not self.dispute.actions:
            return "", ""
        numbers = ", ".join(map(str, self.dispute.actions))
        return f" on {numbers}", f" sur {numbers}"

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
        return EVERYONE if self.parties is None else only(*self.parties)

    def disputed(self, state: State) -> Dispute:
        """The open dispute. Raises Impossible when there is none (any more)."""
        found = state.disputes.get(self.dispute)
        if found is None:
            raise _no_dispute(self.rule, self.dispute)
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


# ----------------------------------------------------------------------------------------------
# What a ruling does
# ----------------------------------------------------------------------------------------------


class RulingGiven(Event, frozen=True, kw_only=True):
    """The banker rules: this version prevails from here on. What it orders stands in events of its own."""

    en: ClassVar[str] = "The banker rules{on[0]}: {finding}"
    fr: ClassVar[str] = "Le banquier tranche{on[1]} : {finding}"

    ruling: str
    """Its id: the number of its action."""
    dispute: str | None
    finding: str
    actions: tuple[int, ...]
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
            raise _no_dispute(self.rule, self.dispute)
        state.settled.keep(replace(found, status="ruled", ruling=self.ruling))

    def audience(self) -> Audience:
        """Who may know of the dispute; on the banker's own motion, those whom it concerns."""
        return EVERYONE if self.parties is None else only(*self.parties)


class HoldingsAdjusted(Event, frozen=True, kw_only=True):
    """A ruling moves something between accounts."""

    en: ClassVar[str] = "By ruling {ruling}, {postings:moves}: {reason}"
    fr: ClassVar[str] = "Par la décision {ruling}, {postings:moves} : {reason}"

    ruling: str
    reason: str
    parties: tuple[str, ...] | None

    def audience(self) -> Audience:
        """Who may know of the ruling, and whose accounts they are."""
        return EVERYONE if self.parties is None else only(*self.parties)


class Fined(Event, frozen=True, kw_only=True):
    """A ruling makes a seat pay the bank, into debt if need be."""

    en: ClassVar[str] = "{seat:seat} is fined {amount:money}{because}."
    fr: ClassVar[str] = "{seat:seat} reçoit une amende de {amount:money}{because}."

    ruling: str
    seat: str
    amount: int
    reason: str | None
    parties: tuple[str, ...] | None

    @property
    def because(self) -> str:
        """The reason in brackets, if one was given."""
        return f" ({self.reason})" if self.reason else ""

    def audience(self) -> Audience:
        """Who may know of the ruling, and who pays."""
        return EVERYONE if self.parties is None else only(*self.parties, self.seat)


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
    HoldingsAdjusted,
    Fined,
    RulingsPublished,
)
"""What a rulebook with a docket registers, besides HistoryCorrected."""


# ----------------------------------------------------------------------------------------------
# Remedies
# ----------------------------------------------------------------------------------------------


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling under way, for the remedies that carry it out."""

    id: str
    rule: str
    """The rule by which the banker rules."""
    finding: str
    parties: tuple[str, ...] | None
    """Who may know of it; None for everybody."""


class Remedy(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="op", tag=snake_case, forbid_unknown_fields=True
):
    """One thing that a ruling orders. Its `op` is its class name in snake case."""

    after_end: ClassVar[bool] = False
    """It leaves holdings and winners alone, so it may be ordered in a game that has ended."""

    def carry_out(self, draft: Draft[Any], ruling: Ruling) -> None:
        """Record the events that follow, or raise a refusal: then nothing of the ruling happens."""
        raise TypeError(f"{type(self).__name__} orders nothing")


class Dismiss(Remedy, frozen=True, kw_only=True):
    """The dispute is dismissed: everything stays as it is. It comes alone."""

    after_end: ClassVar[bool] = True

    def carry_out(self, draft: Draft[Any], ruling: Ruling) -> None:
        """Nothing besides the ruling."""


class CorrectHistory(Remedy, frozen=True, kw_only=True, tag="correct"):
    """The history is corrected, before everything else that the ruling orders; once a ruling at most.

    `reason` is read by the whole table, also when the dispute is private.
    """

    after_end: ClassVar[bool] = True

    edits: Annotated[tuple[Edit, ...], Meta(min_length=1, max_length=1000)]
    cascade: Cascade = "refuse"
    reason: Annotated[str, Meta(min_length=1, max_length=2000)] | None = None

    def carry_out(self, draft: Draft[Any], ruling: Ruling) -> None:
        """It has been worked out already."""


class Transfer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An amount (whole) of a commodity, `from` one account `to` another."""

    source: Account = msgspec.field(name="from")
    target: Account = msgspec.field(name="to")
    commodity: Account
    amount: Whole


class Adjust(Remedy, frozen=True, kw_only=True):
    """Something moves between any two accounts; who gives must hold it, or be allowed to owe it."""

    postings: Annotated[tuple[Transfer, ...], Meta(min_length=1, max_length=100)]
    reason: Words

    def carry_out(self, draft: Draft[Any], ruling: Ruling) -> None:
        """All of it or nothing, between accounts and of things that exist."""
        rulebook, state = draft.rulebook, draft.state
        for one in self.postings:
            for account in (one.source, one.target):
                if not rulebook.knows_account(state, account):
                    raise Impossible(
                        ruling.rule,
                        "there is no account {account!r}",
                        "il n'y a pas de compte {account!r}",
                        account=account,
                    )
            if not rulebook.knows_commodity(state, one.commodity):
                raise Impossible(
                    ruling.rule,
                    "there is no {commodity!r} to be moved",
                    "il n'y a pas de {commodity!r} à déplacer",
                    commodity=one.commodity,
                )
        for one in self.postings:
            # One fact each, so that nobody learns of what moves between others.
            draft.record(
                HoldingsAdjusted(
                    rule=ruling.rule,
                    ruling=ruling.id,
                    reason=self.reason,
                    parties=_adjusted_for(draft, ruling, one),
                    postings=(Posting(one.commodity, one.amount, one.source, one.target),),
                )
            )


def _adjusted_for(draft: Draft[Any], ruling: Ruling, moved: Transfer) -> tuple[str, ...] | None:
    """Who may know of an adjustment, None for everybody.

    Money is told to whoever may know of the ruling, what else an account hides only to who sees either account.
    """
    sides = [
        draft.rulebook.holding_audience(draft.state, account, moved.commodity)
        for account in (moved.source, moved.target)
    ]
    hidden = [side for side in sides if not side.everyone]
    concerned = reduce(or_, hidden, BANKER_ONLY)
    if hidden and moved.commodity != draft.rulebook.currency:
        audience = concerned
    else:
        audience = EVERYONE if ruling.parties is None else only(*ruling.parties) | concerned
    return None if audience.everyone else tuple(sorted(audience.seats))


class Fine(Remedy, frozen=True, kw_only=True):
    """A seat pays the bank: a mandatory debit, into debt if need be."""

    seat: Seat
    amount: Whole
    reason: Words | None = None

    def carry_out(self, draft: Draft[Any], ruling: Ruling) -> None:
        """The whole amount, at once."""
        if self.seat not in draft.state.seats:
            raise Impossible(
                ruling.rule,
                "there is no seat {seat!r} in this game; its seats are: {seats}",
                "il n'y a pas de siège {seat!r} dans cette partie ; ses sièges sont : {seats}",
                seat=self.seat,
                seats=", ".join(draft.state.seats),
            )
        debit = Posting(draft.rulebook.currency, self.amount, f"player:{self.seat}", BANK)
        draft.record(
            Fined(
                rule=ruling.rule,
                ruling=ruling.id,
                seat=self.seat,
                amount=self.amount,
                reason=self.reason,
                parties=ruling.parties,
                postings=(debit,),
            )
        )


# ----------------------------------------------------------------------------------------------
# What may be asked for
# ----------------------------------------------------------------------------------------------


class OpenDispute(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Contest what happened: the actions cited, the claim, and the rules it relies on.

    Raises Malformed for an action or a rule that does not exist, RuleBroken (the rulebook's `privacy_rule`) for an
    action of which the seat knows nothing, or a private deal that it is no party to.
    """

    docket: ClassVar[bool] = True

    claim: Words
    actions: Actions = ()
    relies_on: Rules = msgspec.field(default=(), name="rules")

    def cites(self) -> tuple[int, ...]:
        """What is contested."""
        return self.actions

    def decide(self, draft: Draft[Any]) -> None:
        """It is written down, and that is all."""
        seat = draft.seat
        _require_rules(draft, self.relies_on)
        found = _looked_up(draft, self.actions)
        for number, one in found.items():
            _require_known(draft, seat, number, one)
        dispute = Dispute(
            id=draft.new_id(),
            opener=seat,
            actions=tuple(found),
            claim=self.claim,
            rules=tuple(dict.fromkeys(self.relies_on)),
            opened_at=draft.now,
            parties=_parties(seat, found.values()),
            matters=tuple(sorted({matter for one in found.values() for matter in one.matters})),
        )
        draft.record(DisputeOpened(rule=draft.rulebook.dispute_rule, dispute=dispute))

    @classmethod
    def choices(cls, state: Any, seat: str) -> Iterable[Choice]:
        """Always open, with words that nobody can guess."""
        return ()


class AddStatement(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Say something in an open dispute, as one who may know of it; the banker speaks without naming a seat."""

    docket: ClassVar[bool] = True

    dispute: DisputeId
    text: Words

    def decide(self, draft: Draft[Any]) -> None:
        """Kept with the dispute."""
        dispute = _open(draft, self.dispute)
        if len(dispute.statements) >= MOST_STATEMENTS:
            raise RuleBroken(
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
        """Words that nobody can guess."""
        return ()


class WithdrawDispute(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Withdraw a dispute that one has opened."""

    docket: ClassVar[bool] = True

    dispute: DisputeId

    def decide(self, draft: Draft[Any]) -> None:
        """By its opener only."""
        seat = draft.seat
        dispute = _open(draft, self.dispute)
        if dispute.opener != seat:
            raise RuleBroken(
                draft.rulebook.dispute_rule,
                "dispute {id} is {opener}'s: {seat} cannot withdraw it",
                "le litige {id} est celui de {opener} : {seat} ne peut pas le retirer",
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


class Rule(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rule on a dispute, or on the banker's own motion; a rulebook narrows `remedies` to those it knows.

    Atomic: the remedies are carried out in order (a correction first), or nothing happens. A ruling without any
    states what is so. `rules` (here `applies`) are preferred to those in `waives`, which hinder no remedy.
    Raises Malformed, or RuleBroken by the rulebook's `ruling_rule` (a dispute that is not open), `privacy_rule` (a
    private deal on which no party has opened this dispute) and `end_rule` (a game that has ended).
    """

    docket: ClassVar[bool] = True

    finding: Words
    dispute: DisputeId | None = None
    actions: Actions = ()
    applies: Rules = msgspec.field(default=(), name="rules")
    waives: Rules = ()
    remedies: Annotated[tuple[Remedy, ...], Meta(max_length=50)] = ()

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

    def cites(self) -> tuple[int, ...]:
        """What it is about, and what it corrects."""
        edits = [edit for one in self.remedies if isinstance(one, CorrectHistory) for edit in one.edits]
        named = [edit.action for edit in edits if isinstance(edit, Drop | Replace)]
        return tuple(dict.fromkeys((*self.actions, *named)))

    def decide(self, draft: Draft[Any]) -> None:
        """The remedies, then the ruling as it is told."""
        rulebook = draft.rulebook
        _require_rules(draft, (*self.applies, *self.waives))
        if both := set(self.applies) & set(self.waives):
            raise Malformed(
                "a ruling cannot both apply and set aside: {rules}",
                "une décision ne peut pas à la fois appliquer et écarter : {rules}",
                rules=", ".join(sorted(both)),
            )
        dispute = None if self.dispute is None else _open(draft, self.dispute)
        self._require_remedies(dispute)
        found = _looked_up(draft, self.cites())
        _require_asked_for(draft, dispute, found)
        ruling = Ruling(
            id=draft.new_id(),
            rule=rulebook.ruling_rule,
            finding=self.finding,
            parties=_concerned(found.values()) if dispute is None else dispute.parties,
        )
        draft.set_aside(self.waives, self.finding)
        carried = [(one, self._carry_out(draft, one, ruling)) for one in self.remedies]
        parties = ruling.parties
        if parties is None and dispute is None and not found:
            parties = _concerned_by_remedies([events for _, events in carried])
        audience = EVERYONE if parties is None else only(*parties)
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
            raise RuleBroken(
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
        """A dismissal of each open dispute, for a finding to be given."""
        for one in open_disputes(state):
            params = {"dispute": one.id, "finding": "…", "remedies": [{"op": "dismiss"}]}
            yield Choice(params, free=("finding", "actions", "rules", "waives", "remedies"))


class PublishRulings(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Open this table's rulings to other tables as precedents, or close them again."""

    docket: ClassVar[bool] = True

    published: bool

    def decide(self, draft: Draft[Any]) -> None:
        """Once."""
        if draft.state.rulings_published == self.published:
            raise RuleBroken(
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


# ----------------------------------------------------------------------------------------------
# Questions
# ----------------------------------------------------------------------------------------------


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


def sees_dispute(state: State, found: Dispute, viewer: Viewer) -> bool:
    """Whether the viewer may know of a dispute; after the end of a game everybody may."""
    return state.ended or found.audience.admits(viewer)


def _open(draft: Draft[Any], dispute_id: str) -> Dispute:
    """The open dispute of this id, as far as the acting seat may know of it. Raises Impossible."""
    speaker = draft.speaker
    viewer = draft.viewer if speaker == "banker" else Viewer("player", speaker)
    found = dispute(draft.state, dispute_id, viewer)
    if found is None:
        raise _no_dispute(draft.rulebook.dispute_rule, dispute_id)
    if found.status != "open":
        raise Impossible(
            draft.rulebook.dispute_rule,
            "dispute {id} is closed ({status}{by})",
            "le litige {id} est clos ({status}{by})",
            id=found.id,
            status=found.status,
            by="" if found.ruling is None else f", {found.ruling}",
        )
    return found


def _no_dispute(rule: str, dispute_id: str) -> Impossible:
    return Impossible(rule, "there is no dispute {id!r}", "il n'y a pas de litige {id!r}", id=dispute_id)


def _looked_up(draft: Draft[Any], numbers: Iterable[int]) -> dict[int, Cited]:
    """The actions cited, each once. Raises Malformed naming the last one there is."""
    found: dict[int, Cited] = {}
    for number in numbers:
        one = draft.cited.get(number) if number < draft.number else None
        if one is None:
            raise Malformed(
                "there is no action {number}; the last one is {last}",
                "il n'y a pas d'action {number} ; la dernière est la {last}",
                number=number,
                last=draft.number - 1,
            )
        found[number] = one
    return found


def _require_known(draft: Draft[Any], seat: str, number: int, found: Cited) -> None:
    """Raise RuleBroken unless the seat knows something of the action, and is a party to what is private in it."""
    known = draft.state.ended or found.part.admits(Viewer("player", seat))
    if not known or any(seat not in parties for parties in found.matters.values()):
        raise RuleBroken(
            draft.rulebook.privacy_rule,
            "action {number} is for its parties to dispute, and {seat} is none",
            "l'action {number} ne peut être contestée que par ses parties, et {seat} n'en est pas une",
            number=number,
            seat=seat,
        )


def _require_asked_for(draft: Draft[Any], dispute: Dispute | None, found: dict[int, Cited]) -> None:
    """Raise RuleBroken for a private deal on which no party has opened the dispute that is ruled on."""
    asked = () if dispute is None else dispute.matters
    for number, one in found.items():
        for matter in one.matters:
            if matter not in asked:
                raise RuleBroken(
                    draft.rulebook.privacy_rule,
                    "action {number} is about {matter}, a private deal: the banker rules on it only in a dispute "
                    "that one of its parties has opened on it",
                    "l'action {number} porte sur {matter}, un accord privé : le banquier n'en décide que dans un "
                    "litige ouvert par une de ses parties",
                    number=number,
                    matter=matter,
                )


def _require_rules(draft: Draft[Any], rules: Iterable[str]) -> None:
    for rule in rules:
        if rule not in draft.rulebook.register:
            raise Malformed(
                "{rulebook} has no rule {rule!r}",
                "{rulebook} n'a pas de règle {rule!r}",
                rulebook=draft.rulebook.id,
                rule=rule,
            )


def _parties(opener: str, found: Iterable[Cited]) -> tuple[str, ...] | None:
    """Who may know of a dispute: who knows all that it cites, its opener and the parties; None for everybody."""
    cited = tuple(found)
    audience = reduce(and_, (one.whole for one in cited), EVERYONE)
    if audience.everyone:
        return None
    bound = (seat for one in cited for parties in one.matters.values() for seat in parties)
    return tuple(sorted(audience.seats | {opener, *bound}))


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
