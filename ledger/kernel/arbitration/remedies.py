"""Remedies: what a ruling may order, and the facts that carry it out. A rulebook adds remedies of its own."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.audience import BANKER_ONLY, Audience, Viewer, only, seats_of, told_to
from ledger.kernel.facts.edits import Cascade, Edit
from ledger.kernel.facts.events import Event, snake_case
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import AccountId, LongText, Money, Quantity, SeatId, of_kind
from ledger.kernel.rules.draft import Draft


class HoldingsAdjusted(Event, frozen=True, kw_only=True, omit_defaults=True):
    """A ruling moves something between accounts."""

    en: ClassVar[str] = "By ruling {ruling}, {postings:moves}{because[0]}"
    fr: ClassVar[str] = "Par la décision {ruling}, {postings:moves}{because[1]}"

    ruling: str
    reason: str
    parties: tuple[str, ...] | None
    veiled: tuple[Posting, ...] = ()
    """What it is to those who may know that something moves, and not what."""

    @property
    def because(self) -> tuple[str, str]:
        """The reason, in English and French; nothing for whom it is not."""
        return (f": {self.reason}", f" : {self.reason}") if self.reason else (".", ".")

    def redacted(self, viewer: Viewer) -> Event | None:
        """That something moves, where that is no secret."""
        return replace(self, postings=self.veiled, veiled=(), reason="", parties=()) if self.veiled else None

    def audience(self) -> Audience:
        """Who may know of the ruling, and whose accounts they are."""
        return told_to(self.parties)


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
        return told_to(self.parties) | only(self.seat)


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
    records: ClassVar[tuple[type[Event], ...]] = ()
    """The events of its own that carry it out, for rulebooks that let the banker order it."""

    reason: LongText | None = None
    """Why this is ordered, where the finding does not say it already."""

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

    edits: Annotated[tuple[Edit, ...], Meta(min_length=1, max_length=1000), of_kind("edits")]
    cascade: Cascade = "refuse"

    def carry_out(self, draft: Draft[Any], ruling: Ruling) -> None:
        """It has been worked out already."""


class Transfer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An amount (whole) of a commodity, `from` one account `to` another."""

    source: AccountId = msgspec.field(name="from")
    target: AccountId = msgspec.field(name="to")
    commodity: Annotated[str, Meta(min_length=1, max_length=80), of_kind("commodity")]
    amount: Quantity


class Adjust(Remedy, frozen=True, kw_only=True):
    """Something moves between any two accounts; who gives must hold it, or be allowed to owe it."""

    records: ClassVar[tuple[type[Event], ...]] = (HoldingsAdjusted,)

    postings: Annotated[tuple[Transfer, ...], Meta(min_length=1, max_length=100), of_kind("postings")]

    def carry_out(self, draft: Draft[Any], ruling: Ruling) -> None:
        """All of it or nothing, between accounts and of things that exist."""
        require_known(draft, ruling, self.postings)
        for one in self.postings:
            parties = _adjusted_for(draft, ruling, one)
            veil = None if parties is None or ruling.parties is not None else draft.rulebook.veil(one.commodity)
            # One fact each, so that nobody learns of what moves between others.
            draft.record(
                HoldingsAdjusted(
                    rule=ruling.rule,
                    ruling=ruling.id,
                    reason=self.reason or "",
                    parties=parties,
                    postings=(Posting(one.commodity, one.amount, one.source, one.target),),
                    veiled=() if veil is None else (Posting(veil, one.amount, one.source, one.target),),
                )
            )


def require_known(draft: Draft[Any], ruling: Ruling, moved: Iterable[Transfer]) -> None:
    """Refuse accounts that do not exist, and commodities that do not."""
    rulebook, state = draft.rulebook, draft.state
    for one in moved:
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


def _adjusted_for(draft: Draft[Any], ruling: Ruling, moved: Transfer) -> tuple[str, ...] | None:
    """Who may know of an adjustment, None for everybody.

    Money is told to whoever may know of the ruling, unless the rulebook keeps money secret and both purses are
    hidden; what else an account hides is told only to who sees either account.
    """
    sides = [
        draft.rulebook.holding_audience(draft.state, account, moved.commodity)
        for account in (moved.source, moved.target)
    ]
    hidden = [side for side in sides if not side.everyone]
    concerned = reduce(or_, hidden, BANKER_ONLY)
    rulebook = draft.rulebook
    is_said = moved.commodity == rulebook.currency and (rulebook.money_is_told or len(hidden) < len(sides))
    return seats_of(concerned if hidden and not is_said else told_to(ruling.parties) | concerned)


class Fine(Remedy, frozen=True, kw_only=True):
    """A seat pays the bank: a mandatory debit, into debt if need be."""

    records: ClassVar[tuple[type[Event], ...]] = (Fined,)

    seat: SeatId
    amount: Money

    def carry_out(self, draft: Draft[Any], ruling: Ruling) -> None:
        """The whole amount, at once."""
        if self.seat not in draft.state.seats:
            raise Impossible(
                ruling.rule,
                "there is no seat {seat!r} in this game; its seats are: {seats:seats}",
                "il n'y a pas de siège {seat!r} dans cette partie ; ses sièges sont : {seats:seats}",
                seat=self.seat,
                seats=tuple(draft.state.seats),
            )
        debit = Posting(draft.rulebook.currency, self.amount, draft.rulebook.purse(self.seat), BANK)
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
