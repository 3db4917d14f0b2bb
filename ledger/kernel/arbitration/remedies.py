"""Remedies: the orders of a ruling, and the events of their execution. A rulebook may add remedies."""

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
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.draft import Draft


class HoldingsAdjusted(Event, frozen=True, kw_only=True, omit_defaults=True):
    """A ruling moves something between accounts."""

    en: ClassVar[str] = "By ruling {ruling}, {postings:moves}{because.en}"
    fr: ClassVar[str] = "Par la décision {ruling}, {postings:moves}{because.fr}"

    ruling: str
    reason: str
    parties: tuple[str, ...] | None
    veiled: tuple[Posting, ...] = ()
    """The postings shown to viewers who may know of a move but not of the commodity."""

    @property
    def because(self) -> Phrase:
        """The reason, in English and French; a full stop if hidden or empty."""
        return Phrase(f": {self.reason}", f" : {self.reason}") if self.reason else Phrase(".", ".")

    def redacted(self, viewer: Viewer) -> Event | None:
        """Return the event with the veiled postings, if the move is no secret."""
        return replace(self, postings=self.veiled, veiled=(), reason="", parties=()) if self.veiled else None

    def audience(self) -> Audience:
        """Return the audience of the ruling, with the owners of the accounts."""
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
        """The reason in brackets, or an empty text."""
        return f" ({self.reason})" if self.reason else ""

    def audience(self) -> Audience:
        """Return the audience of the ruling, with the paying seat."""
        return told_to(self.parties) | only(self.seat)


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling under way, for the remedies that carry out the ruling."""

    id: str
    rule: str
    """The rule for rulings of the banker."""
    finding: str
    parties: tuple[str, ...] | None
    """The seats allowed to know of the ruling; None for everybody."""


class Remedy(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="op", tag=snake_case, forbid_unknown_fields=True
):
    """An order of a ruling. Its `op` is the class name in snake case."""

    after_end: ClassVar[bool] = False
    """True if the remedy may be ordered after the end of the game: it leaves holdings and winners alone."""
    records: ClassVar[tuple[type[Event], ...]] = ()
    """The events of the remedy, to be registered by rulebooks that include the remedy."""

    reason: LongText | None = None
    """The reason for the order, if the finding gives none."""

    def carry_out(self, draft: Draft[Any], ruling: Ruling) -> None:
        """Record the resulting events, or raise a refusal: then no part of the ruling happens."""
        raise TypeError(f"{type(self).__name__} orders nothing")


class Dismiss(Remedy, frozen=True, kw_only=True):
    """The dispute is dismissed: everything stays as it is. It comes alone."""

    after_end: ClassVar[bool] = True

    def carry_out(self, draft: Draft[Any], ruling: Ruling) -> None:
        """Record nothing besides the ruling."""


class CorrectHistory(Remedy, frozen=True, kw_only=True, tag="correct"):
    """The history is corrected, before everything else that the ruling orders; once a ruling at most.

    `reason` is read by the whole table, also when the dispute is private.
    """

    after_end: ClassVar[bool] = True

    edits: Annotated[tuple[Edit, ...], Meta(min_length=1, max_length=1000), of_kind("edits")]
    cascade: Cascade = "refuse"


class Transfer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An amount (whole) of a commodity, `from` one account `to` another."""

    source: AccountId = msgspec.field(name="from")
    target: AccountId = msgspec.field(name="to")
    commodity: Annotated[str, Meta(min_length=1, max_length=80), of_kind("commodity")]
    amount: Quantity


class Adjust(Remedy, frozen=True, kw_only=True):
    """An amount moves between any two accounts; the source must hold the amount, or be allowed to owe."""

    records: ClassVar[tuple[type[Event], ...]] = (HoldingsAdjusted,)

    postings: Annotated[tuple[Transfer, ...], Meta(min_length=1, max_length=100), of_kind("postings")]

    def carry_out(self, draft: Draft[Any], ruling: Ruling) -> None:
        """Record all transfers or none. Accounts and commodities must exist."""
        require_known(draft, ruling, self.postings)
        for transfer in self.postings:
            parties = _adjusted_for(draft, ruling, transfer)
            veil = (
                None
                if parties is None or ruling.parties is not None
                else draft.rulebook.secrets.veil(transfer.commodity)
            )
            # One event per transfer, so that no seat learns of transfers between others.
            draft.record(
                HoldingsAdjusted(
                    rule=ruling.rule,
                    ruling=ruling.id,
                    reason=self.reason or "",
                    parties=parties,
                    postings=(Posting(transfer.commodity, transfer.amount, transfer.source, transfer.target),),
                    veiled=()
                    if veil is None
                    else (Posting(veil, transfer.amount, transfer.source, transfer.target),),
                )
            )


def require_known(draft: Draft[Any], ruling: Ruling, moved: Iterable[Transfer]) -> None:
    """Refuse accounts and commodities that do not exist."""
    rulebook, state = draft.rulebook, draft.state
    for transfer in moved:
        for account in (transfer.source, transfer.target):
            if not rulebook.accounts.knows_account(state, account):
                raise Impossible(
                    ruling.rule,
                    "there is no account {account!r}",
                    "il n'y a pas de compte {account!r}",
                    account=account,
                )
        if not rulebook.accounts.knows_commodity(state, transfer.commodity):
            raise Impossible(
                ruling.rule,
                "there is no {commodity!r} to be moved",
                "il n'y a pas de {commodity!r} à déplacer",
                commodity=transfer.commodity,
            )


def _adjusted_for(draft: Draft[Any], ruling: Ruling, moved: Transfer) -> tuple[str, ...] | None:
    """Return the audience of an adjustment, None for everybody.

    A move of money is visible to the audience of the ruling, unless the rulebook keeps money secret and both
    purses are hidden. A move of another commodity with a hidden account is visible only to viewers of either
    account.
    """
    sides = [
        draft.rulebook.secrets.move_audience(draft.state, account, moved.commodity)
        for account in (moved.source, moved.target)
    ]
    hidden = [side for side in sides if not side.everyone]
    concerned = reduce(or_, hidden, BANKER_ONLY)
    rulebook = draft.rulebook
    is_said = moved.commodity == rulebook.accounts.currency and (
        rulebook.governance.money_is_told or len(hidden) < len(sides)
    )
    return seats_of(concerned if hidden and not is_said else told_to(ruling.parties) | concerned)


class Fine(Remedy, frozen=True, kw_only=True):
    """A seat pays the bank: a mandatory debit, into debt if necessary."""

    records: ClassVar[tuple[type[Event], ...]] = (Fined,)

    seat: SeatId
    amount: Money

    def carry_out(self, draft: Draft[Any], ruling: Ruling) -> None:
        """Record the whole amount at once."""
        if self.seat not in draft.state.seats:
            raise Impossible(
                ruling.rule,
                "there is no seat {seat!r} in this game; its seats are: {seats:seats}",
                "il n'y a pas de siège {seat!r} dans cette partie ; ses sièges sont : {seats:seats}",
                seat=self.seat,
                seats=tuple(draft.state.seats),
            )
        debit = Posting(
            draft.rulebook.accounts.currency, self.amount, draft.rulebook.accounts.purse(self.seat), BANK
        )
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
