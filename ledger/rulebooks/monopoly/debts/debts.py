"""Debts. An unpaid debt blocks throws until the money is raised, or the debtor is bankrupt."""

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
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cash, cite, currency, fees_to, player_in_play
from ledger.rulebooks.monopoly.table.terms import Debt, DebtId
from ledger.rulebooks.parts.seats import payment
from ledger.rulebooks.parts.seats import player as purse

chapter = Chapter("Debts")
of_squares = Chapter("What squares cost")
of_promises = Chapter("Promised payments")

Cause = Literal["rent", "tax", "card", "fine", "interest", "award", "square", "promise"]


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
        """The amount owed."""
        return self.debt.amount

    @property
    def cause(self) -> str:
        """The cause of the debt."""
        return self.debt.cause

    def apply(self, state: Monopoly) -> None:
        """Keep the debt until the payment."""
        state.debts.append(self.debt)


class Settled(Event, frozen=True, kw_only=True):
    """A player pays an amount due."""

    seat: str
    creditor: str
    amount: int
    title: str = ""
    debt: str = ""
    """The id of the debt paid; empty for a payment at once."""

    def apply(self, state: Monopoly) -> None:
        """Remove the debt."""
        state.debts = [debt for debt in state.debts if debt.id != self.debt]


@chapter.event
class RentPaid(Settled, frozen=True, kw_only=True):
    """A rent is paid to the owner."""

    en: ClassVar[str] = "{seat:seat} pays {creditor:account} {amount:money} of rent for {title:title}."
    fr: ClassVar[str] = "{seat:seat} paie à {creditor:account} {amount:money} de loyer pour {title:title}."

    @property
    def owner(self) -> str:
        """The seat of the owner paid."""
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


@of_squares.event
class SquarePaid(Settled, frozen=True, kw_only=True):
    """The price of a square with effects is paid."""

    en: ClassVar[str] = "{seat:seat} pays {amount:money} to {creditor:account}, as {title:title} says."
    fr: ClassVar[str] = "{seat:seat} paie {amount:money} à {creditor:account}, comme le dit {title:title}."


@of_promises.event
class PromisePaid(Settled, frozen=True, kw_only=True):
    """A promised payment is made."""

    en: ClassVar[str] = "{seat:seat} pays {amount:money} to {creditor:account}, as promised."
    fr: ClassVar[str] = "{seat:seat} paie {amount:money} à {creditor:account}, comme promis."


_PAID: dict[Cause, type[Settled]] = {
    "rent": RentPaid,
    "tax": TaxPaid,
    "card": CardPaid,
    "fine": FinePaid,
    "interest": InterestPaid,
    "award": AwardPaid,
    "square": SquarePaid,
    "promise": PromisePaid,
}


@chapter.event
class DebtForgiven(Event, frozen=True, kw_only=True):
    """A debt is released: by a ruling, by a trade that names it, or because it can no longer be paid."""

    en: ClassVar[str] = "{seat:seat} no longer owes {amount:money} to {creditor:account}."
    fr: ClassVar[str] = "{seat:seat} ne doit plus {amount:money} à {creditor:account}."

    seat: str
    creditor: str
    amount: int
    debt: str

    def apply(self, state: Monopoly) -> None:
        """Remove the debt."""
        state.debts = [debt for debt in state.debts if debt.id != self.debt]


# ----------------------------------------------------------------------------------------------
# Amounts owed
# ----------------------------------------------------------------------------------------------


def debts_of(state: Monopoly, seat: str) -> list[Debt]:
    """Return a player's debts, the oldest first."""
    return [debt for debt in state.debts if debt.debtor == seat]


def owed_by(state: Monopoly, seat: str) -> int:
    """Return the total debt of a player."""
    return sum(debt.amount for debt in state.debts if debt.debtor == seat)


def spare(state: Monopoly, seat: str) -> int:
    """Return the money a player may spend; if debts come first, the total debt is set aside."""
    return cash(state, seat) - (owed_by(state, seat) if state.settings.debts_first else 0)


def require_spare(draft: Draft, seat: str, amount: int, rule: str) -> None:
    """Refuse an expense beyond a player's money; if debts come first, also an expense of money owed."""
    state = draft.state
    draft.require_funds(purse(seat), currency(state), amount, rule)
    owed = owed_by(state, seat)
    if not owed or not state.settings.debts_first:
        return
    draft.require(
        amount <= spare(state, seat),
        cite(state, "debts_first"),
        "{seat:seat} owes {owed:money} and has {held:money}: debts come first, so of {amount:money} only "
        "{most:money} can be spent",
        "{seat:seat} doit {owed:money} et a {held:money} : les dettes passent d'abord, et sur {amount:money} "
        "seuls {most:money} peuvent être dépensés",
        seat=seat,
        owed=owed,
        held=cash(state, seat),
        amount=amount,
        most=max(0, spare(state, seat)),
    )


def spend(draft: Draft, seat: str, amount: int, rule: str) -> tuple[Posting, ...]:
    """Return the posting of an expense chosen by a player, to the bank. Refuses like `require_spare`."""
    require_spare(draft, seat, amount, rule)
    return draft.move(currency(draft.state), amount, purse(seat), BANK)


def short_of_cash(state: Monopoly, seat: str) -> bool:
    """Return True if a player's money is too little for the debts."""
    return owed_by(state, seat) > cash(state, seat)


def blocking(state: Monopoly, seat: str) -> Debt | None:
    """Return the first debt that blocks a player's throw: the player's own, or any debt of play; None without
    such a debt.

    Interest on titles received keeps back only the debtor.
    """
    return next((debt for debt in state.debts if debt.debtor == seat or debt.cause != "interest"), None)


def require_unblocked(draft: Draft, seat: str) -> None:
    """Refuse while a debt keeps the player from throwing."""
    _require_none(draft, blocking(draft.state, seat))


def require_paid(draft: Draft, seat: str) -> None:
    """Refuse while the player owes anything. Debts of others are no reason."""
    _require_none(draft, next(iter(debts_of(draft.state, seat)), None))


def _require_none(draft: Draft, debt: Debt | None) -> None:
    if debt is None:
        return
    role: Role = "rent_paid" if debt.cause == "rent" else "debt"
    draft.require(
        False,
        cite(draft.state, role),
        "{debtor:seat} has to pay {creditor:account} {amount:money} first",
        "{debtor:seat} doit d'abord payer {amount:money} à {creditor:account}",
        debtor=debt.debtor,
        amount=debt.amount,
        creditor=debt.creditor,
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
    """Charge a player an amount: paid at once if the money suffices, otherwise a debt."""
    if amount <= 0:
        return
    if creditor == BANK and cause == "card":
        creditor = fees_to(draft.state, "card")
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
    """Record a debt as no longer owed."""
    draft.record(
        DebtForgiven(rule=rule, seat=debt.debtor, creditor=debt.creditor, amount=debt.amount, debt=debt.id)
    )


def pay_part(draft: Draft, debt: Debt, amount: int) -> None:
    """Record a payment on a debt; the remaining amount stays a debt."""
    remaining = debt.amount - amount
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
    if remaining:
        draft.record(DebtIncurred(rule=debt.rule, debt=replace(debt, amount=remaining)))


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
        """Refuse without a debt, and a part payment."""
        seat = player_in_play(draft)
        owed = debts_of(draft.state, seat)
        debt = next((candidate for candidate in owed if self.debt in (None, candidate.id)), None)
        if debt is None:
            raise Impossible(
                cite(draft.state, "debt"),
                "{seat:seat} has no such debt",
                "{seat:seat} n'a pas de telle dette",
                seat=seat,
            )
        paid = payment(draft, seat, debt.amount, debt.rule, debt.creditor, solvency=cite(draft.state, "debt"))
        draft.record(
            _PAID[debt.cause](
                rule=debt.rule,
                seat=seat,
                creditor=debt.creditor,
                amount=debt.amount,
                title=debt.title,
                debt=debt.id,
                postings=paid,
            )
        )

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer each debt; a single debt goes unnamed, so a corrected history may put another debt in its
        place.
        """
        owed = debts_of(state, seat)
        if len(owed) == 1:
            yield Choice({})
        else:
            yield from (Choice({"debt": debt.id}) for debt in owed)
