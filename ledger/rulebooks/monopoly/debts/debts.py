"""Debts. What cannot be paid blocks throws until it is raised, or its debtor is bankrupt."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Literal

from msgspec.structs import replace

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.table.roles import Role
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cash, cite, currency, player_in_play
from ledger.rulebooks.monopoly.table.terms import Debt, DebtId
from ledger.rulebooks.parts.payments import payment
from ledger.rulebooks.parts.seats import player as purse

chapter = Chapter("Debts")

Cause = Literal["rent", "tax", "card", "fine", "interest", "award"]


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class DebtIncurred(Event, frozen=True, kw_only=True):
    """A player owes an amount, and has not paid it."""

    en: ClassVar[str] = "{seat:seat} owes {amount:money} to {creditor:account} ({cause:cause})."
    fr: ClassVar[str] = "{seat:seat} doit {amount:money} à {creditor:account} ({cause:cause})."

    debt: Debt

    @property
    def seat(self) -> str:
        """The debtor."""
        return self.debt.debtor

    @property
    def creditor(self) -> str:
        """The account to pay into."""
        return self.debt.creditor

    @property
    def amount(self) -> int:
        """How much."""
        return self.debt.amount

    @property
    def cause(self) -> str:
        """What for."""
        return self.debt.cause

    def apply(self, state: Monopoly) -> None:
        """It stays until it is paid."""
        state.debts.append(self.debt)


class Settled(Event, frozen=True, kw_only=True):
    """A player pays what is due."""

    seat: str
    creditor: str
    amount: int
    title: str = ""
    debt: str = ""
    """The id of the debt that is paid; none when it is paid at once."""

    def apply(self, state: Monopoly) -> None:
        """The debt is gone."""
        state.debts = [one for one in state.debts if one.id != self.debt]


@chapter.event
class RentPaid(Settled, frozen=True, kw_only=True):
    """A rent is paid to the owner."""

    en: ClassVar[str] = "{seat:seat} pays {creditor:account} {amount:money} of rent for {title:title}."
    fr: ClassVar[str] = "{seat:seat} paie à {creditor:account} {amount:money} de loyer pour {title:title}."

    @property
    def owner(self) -> str:
        """The seat that draws the rent."""
        return self.creditor.removeprefix("player:")


@chapter.event
class TaxPaid(Settled, frozen=True, kw_only=True):
    """A tax is paid to the bank."""

    en: ClassVar[str] = "{seat:seat} pays {amount:money} of tax."
    fr: ClassVar[str] = "{seat:seat} paie {amount:money} de taxe."


@chapter.event
class CardPaid(Settled, frozen=True, kw_only=True):
    """What a card asks is paid."""

    en: ClassVar[str] = "{seat:seat} pays {amount:money} to {creditor:account}, as the card says."
    fr: ClassVar[str] = "{seat:seat} paie {amount:money} à {creditor:account}, comme le dit la carte."


@chapter.event
class FinePaid(Settled, frozen=True, kw_only=True):
    """The fine of the prison is paid."""

    en: ClassVar[str] = "{seat:seat} pays a fine of {amount:money}."
    fr: ClassVar[str] = "{seat:seat} paie une amende de {amount:money}."


@chapter.event
class InterestPaid(Settled, frozen=True, kw_only=True):
    """Interest on a mortgage is paid to the bank."""

    en: ClassVar[str] = "{seat:seat} pays {amount:money} of interest on {title:title}."
    fr: ClassVar[str] = "{seat:seat} paie {amount:money} d'intérêt sur {title:title}."


@chapter.event
class AwardPaid(Settled, frozen=True, kw_only=True):
    """What a ruling awards is paid."""

    en: ClassVar[str] = "{seat:seat} pays {amount:money} to {creditor:account}, as ruled."
    fr: ClassVar[str] = "{seat:seat} paie {amount:money} à {creditor:account}, comme décidé."


_PAID: dict[Cause, type[Settled]] = {
    "rent": RentPaid,
    "tax": TaxPaid,
    "card": CardPaid,
    "fine": FinePaid,
    "interest": InterestPaid,
    "award": AwardPaid,
}


@chapter.event
class DebtForgiven(Event, frozen=True, kw_only=True):
    """A debt is forgiven, by a ruling or because it can no longer be paid."""

    en: ClassVar[str] = "{seat:seat} no longer owes {amount:money} to {creditor:account}."
    fr: ClassVar[str] = "{seat:seat} ne doit plus {amount:money} à {creditor:account}."

    seat: str
    creditor: str
    amount: int
    debt: str

    def apply(self, state: Monopoly) -> None:
        """The debt is gone."""
        state.debts = [one for one in state.debts if one.id != self.debt]


# ----------------------------------------------------------------------------------------------
# What is owed
# ----------------------------------------------------------------------------------------------


def debts_of(state: Monopoly, seat: str) -> list[Debt]:
    """A player's debts, the oldest first."""
    return [one for one in state.debts if one.debtor == seat]


def owed_by(state: Monopoly, seat: str) -> int:
    """All that a player owes."""
    return sum(one.amount for one in state.debts if one.debtor == seat)


def spare(state: Monopoly, seat: str) -> int:
    """The money that a player may spend; where debts come first, what is owed is set aside."""
    return cash(state, seat) - (owed_by(state, seat) if state.settings.debts_first else 0)


def require_spare(draft: Draft, seat: str, amount: int, rule: str) -> None:
    """Refuse an expense beyond a player's money; where debts come first, also one of what is owed."""
    state = draft.state
    draft.require_funds(purse(seat), currency(state), amount, rule)
    owed = owed_by(state, seat)
    if not owed or not state.settings.debts_first:
        return
    draft.require(
        amount <= spare(state, seat),
        cite(state, "debts_first"),
        "{seat:seat} owes {owed:money} and has {held:money}: debts come first, so {amount:money} cannot be spent",
        "{seat:seat} doit {owed:money} et a {held:money} : les dettes passent d'abord, {amount:money} ne peuvent "
        "donc pas être dépensés",
        seat=seat,
        owed=owed,
        held=cash(state, seat),
        amount=amount,
    )


def spend(draft: Draft, seat: str, amount: int, rule: str) -> tuple[Posting, ...]:
    """The posting of an expense that a player chooses, to the bank. Refuses as `require_spare` does."""
    require_spare(draft, seat, amount, rule)
    return draft.move(currency(draft.state), amount, purse(seat), BANK)


def short_of_cash(state: Monopoly, seat: str) -> bool:
    """Whether a player's money is not enough for what is due."""
    return owed_by(state, seat) > cash(state, seat)


def blocking(state: Monopoly, seat: str) -> Debt | None:
    """The first debt that keeps a player from throwing: their own, or one of play; None when there is none.

    Interest on titles received keeps back only who owes it.
    """
    return next((one for one in state.debts if one.debtor == seat or one.cause != "interest"), None)


def require_unblocked(draft: Draft, seat: str) -> None:
    """Refuse while a debt keeps the player from throwing."""
    _require_none(draft, blocking(draft.state, seat))


def require_paid(draft: Draft, seat: str) -> None:
    """Refuse while the player owes anything. What others owe is no reason."""
    _require_none(draft, next(iter(debts_of(draft.state, seat)), None))


def _require_none(draft: Draft, found: Debt | None) -> None:
    if found is None:
        return
    role: Role = "rent_paid" if found.cause == "rent" else "debt"
    draft.require(
        False,
        cite(draft.state, role),
        "{debtor:seat} has to pay {creditor:account} {amount:money} first",
        "{debtor:seat} doit d'abord payer {amount:money} à {creditor:account}",
        debtor=found.debtor,
        amount=found.amount,
        creditor=found.creditor,
    )


def charge(
    draft: Draft,
    debtor: str,
    creditor: str,
    amount: int,
    *,
    rule: str,
    cause: Cause,
    title: str = "",
    at_once: bool = True,
) -> None:
    """A player owes an account an amount: paid at once where the money suffices, otherwise a debt."""
    if amount <= 0:
        return
    if at_once and cash(draft.state, debtor) >= amount:
        paid = draft.move(currency(draft.state), amount, purse(debtor), creditor)
        settled = _PAID[cause]
        draft.record(settled(rule=rule, seat=debtor, creditor=creditor, amount=amount, title=title, postings=paid))
        return
    debt = Debt(
        id=draft.new_id(), debtor=debtor, creditor=creditor, amount=amount, rule=rule, cause=cause, title=title
    )
    draft.record(DebtIncurred(rule=rule, debt=debt))


def forgive(draft: Draft, debt: Debt, *, rule: str) -> None:
    """Record that a debt is no longer owed."""
    draft.record(
        DebtForgiven(rule=rule, seat=debt.debtor, creditor=debt.creditor, amount=debt.amount, debt=debt.id)
    )


def pay_part(draft: Draft, debt: Debt, amount: int) -> None:
    """Record that a debtor pays an amount of a debt; it stays with what is left of it."""
    left = debt.amount - amount
    draft.record(
        _PAID[debt.cause](
            rule=debt.rule,
            seat=debt.debtor,
            creditor=debt.creditor,
            amount=amount,
            title=debt.title,
            debt=debt.id,
            postings=draft.move(currency(draft.state), amount, purse(debt.debtor), debt.creditor),
        )
    )
    if left:
        draft.record(DebtIncurred(rule=debt.rule, debt=replace(debt, amount=left)))


# ----------------------------------------------------------------------------------------------
# Paying
# ----------------------------------------------------------------------------------------------


@chapter.action(
    summary=("pay a debt", "régler une dette"),
    when=("while one owes something", "tant qu'on doit quelque chose"),
)
class PayDebt(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Pay a debt in money: the oldest one, unless it is named."""

    debt: DebtId | None = None

    def decide(self, draft: Draft) -> None:
        """Refuse without a debt, and a part of one."""
        seat = player_in_play(draft)
        owed = debts_of(draft.state, seat)
        found = next((one for one in owed if self.debt in (None, one.id)), None)
        if found is None:
            raise Impossible(
                cite(draft.state, "debt"),
                "{seat:seat} has no such debt",
                "{seat:seat} n'a pas de telle dette",
                seat=seat,
            )
        paid = payment(draft, seat, found.amount, found.rule, found.creditor, solvency=cite(draft.state, "debt"))
        draft.record(
            _PAID[found.cause](
                rule=found.rule,
                seat=seat,
                creditor=found.creditor,
                amount=found.amount,
                title=found.title,
                debt=found.id,
                postings=paid,
            )
        )

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Each debt; one alone needs no name, so that a corrected history finds another one in its place."""
        owed = debts_of(state, seat)
        if len(owed) == 1:
            yield Choice({})
        else:
            yield from (Choice({"debt": one.id}) for one in owed)
