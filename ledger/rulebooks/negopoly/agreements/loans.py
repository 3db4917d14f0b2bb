"""X.C. Loans of the bank."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.accounts import BANK, Posting
from ledger.kernel.actions import Action, Choice
from ledger.kernel.audience import Audience, only
from ledger.kernel.chapter import Chapter
from ledger.kernel.events import Event
from ledger.kernel.refusals import Impossible
from ledger.rulebooks.negopoly.table.state import (
    Draft,
    Negopoly,
    keep,
    open_agreements,
    own_agreement,
    pay,
    still_in,
)
from ledger.rulebooks.negopoly.table.terms import MONEY, AgreementId, Amount, Loan, player

chapter = Chapter("X.C. Loans")

DEADLINE = 2
"""A loan is due at this passage by Spawn, counted from when it was taken (X.C.3)."""


# ----------------------------------------------------------------------------------------------
# What happens to a loan
# ----------------------------------------------------------------------------------------------


class _LoanEvent(Event, frozen=True, kw_only=True):
    """A fact about a loan, which is the borrower's secret (I.C.6). `loan` is as it stands afterwards."""

    loan: Loan

    def apply(self, state: Negopoly) -> None:
        """A loan is open until it is paid back or collected."""
        keep(state, self.loan, ended=self.loan.status != "open")

    def audience(self) -> Audience:
        """The borrower."""
        return only(self.loan.borrower)


@chapter.event
class LoanTaken(_LoanEvent, frozen=True, kw_only=True):
    """The bank credits the amount at once (X.C.1)."""

    en: ClassVar[str] = "{loan.borrower:seat} borrows {loan.principal:money}."
    fr: ClassVar[str] = "{loan.borrower:seat} emprunte {loan.principal:money}."

    rule: str = "X.C.1"


@chapter.event
class LoanRepaid(_LoanEvent, frozen=True, kw_only=True):
    """All or a part is paid back (X.C.4)."""

    en: ClassVar[str] = "{loan.borrower:seat} pays back {amount:money}; {loan.outstanding:money} remain."
    fr: ClassVar[str] = "{loan.borrower:seat} rembourse {amount:money} ; il reste {loan.outstanding:money}."

    rule: str = "X.C.4"
    amount: int


@chapter.event
class LoanPassageCounted(_LoanEvent, frozen=True, kw_only=True):
    """The borrower has passed by Spawn once since borrowing (X.C.3)."""

    en: ClassVar[str] = "{loan.borrower:seat}'s loan {loan.id} is due {deadline[0]} by Spawn."
    fr: ClassVar[str] = "Le prêt {loan.id} de {loan.borrower:seat} est dû {deadline[1]} par le Spawn."

    rule: str = "X.C.3"

    @property
    def deadline(self) -> tuple[str, str]:
        """When it is due, in English and French."""
        return _deadline(self.loan)


@chapter.event
class LoanExtended(_LoanEvent, frozen=True, kw_only=True):
    """A ruling grants the borrower further passages by Spawn (P.1)."""

    en: ClassVar[str] = "{loan.borrower:seat}'s loan {loan.id} is extended: it is due {deadline[0]} by Spawn."
    fr: ClassVar[str] = (
        "Le prêt {loan.id} de {loan.borrower:seat} est prolongé : il est dû {deadline[1]} par le Spawn."
    )

    rule: str = "P.1"
    passages: int

    @property
    def deadline(self) -> tuple[str, str]:
        """When it is due, in English and French."""
        return _deadline(self.loan)


@chapter.event
class LoanForgiven(_LoanEvent, frozen=True, kw_only=True):
    """A ruling writes off what is still to be paid back (P.1)."""

    en: ClassVar[str] = "The bank writes off {amount:money} of {loan.borrower:seat}'s loan {loan.id}."
    fr: ClassVar[str] = "La banque renonce à {amount:money} sur le prêt {loan.id} de {loan.borrower:seat}."

    rule: str = "P.1"
    amount: int


@chapter.event
class LoanCollected(_LoanEvent, frozen=True, kw_only=True):
    """At the second passage by Spawn, or by ruling, the bank takes what remains (X.C.4, I.B.3)."""

    en: ClassVar[str] = "The bank collects {amount:money} of {loan.borrower:seat}'s loan {loan.id}."
    fr: ClassVar[str] = "La banque recouvre {amount:money} sur le prêt {loan.id} de {loan.borrower:seat}."

    rule: str = "X.C.4"
    amount: int


# ----------------------------------------------------------------------------------------------
# What the borrower does
# ----------------------------------------------------------------------------------------------


@chapter.action(
    summary=("borrow from the bank", "emprunter à la banque"),
    when=("at any moment", "à tout moment"),
)
class TakeLoan(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Borrow, up to 500 ₦ of principal in all (X.C.1, X.C.2).

    Interest, if the table sets one, is fixed now on the whole principal, rounded up once (I.B.1), and paid last.
    """

    amount: Amount

    def decide(self, draft: Draft) -> None:
        """Whatever the balance is."""
        seat = still_in(draft)
        settings = draft.state.settings
        owed = principal_owed(draft.state, seat)
        draft.require(
            owed + self.amount <= settings.loan_cap_total,
            "X.C.2",
            "{seat} owes {owed} NGD of principal and cannot borrow {amount} more: the bank lends {cap} in all",
            "{seat} doit {owed} NGD de capital et ne peut pas emprunter {amount} de plus : la banque prête {cap} "
            "en tout",
            seat=seat,
            owed=owed,
            amount=self.amount,
            cap=settings.loan_cap_total,
        )
        interest = -(-self.amount * settings.loan_interest_percent // 100)
        loan = Loan(
            id=draft.new_id(),
            borrower=seat,
            principal=self.amount,
            interest=interest,
            outstanding=self.amount + interest,
        )
        credited = Posting(MONEY, self.amount, BANK, player(seat))
        draft.record(LoanTaken(loan=loan, postings=(credited,)))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """As much as the bank still lends."""
        left = state.settings.loan_cap_total - principal_owed(state, seat)
        if left > 0:
            yield Choice({"amount": left}, free=("amount",))


@chapter.action(
    summary=("pay back a loan, in part or in full", "rembourser un prêt, en partie ou en totalité"),
    when=("at any moment", "à tout moment"),
)
class RepayLoan(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Pay back a loan to the bank, all that remains unless an amount is named (X.C.4)."""

    loan: AgreementId
    amount: Amount | None = None

    def decide(self, draft: Draft) -> None:
        """Voluntary, so it needs the funds (I.B.3); never more than what remains."""
        seat = still_in(draft)
        loan: Loan = own_agreement(draft, Loan, self.loan, "X.C.4")
        amount = loan.outstanding if self.amount is None else self.amount
        if amount > loan.outstanding:
            raise Impossible(
                "X.C.4",
                "loan {id} has {outstanding} NGD left to pay back, less than {amount}",
                "il reste {outstanding} NGD à rembourser sur le prêt {id}, moins que {amount}",
                id=loan.id,
                outstanding=loan.outstanding,
                amount=amount,
            )
        paid = pay(draft, seat, amount, "X.C.4")
        left = loan.outstanding - amount
        repaid = replace(loan, outstanding=left, status="open" if left else "repaid")
        draft.record(LoanRepaid(loan=repaid, amount=amount, postings=paid))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Each loan, in full or as far as one's money goes; or another amount."""
        money = state.holdings.of(player(seat), MONEY)
        for loan in loans_of(state, seat):
            yield Choice({"loan": loan.id, "amount": max(1, min(loan.outstanding, money))}, free=("amount",))


# ----------------------------------------------------------------------------------------------
# Deadlines
# ----------------------------------------------------------------------------------------------


def spawn_passage(draft: Draft, seat: str) -> None:
    """Count a passage by Spawn for each of the seat's loans, and collect those that are due (X.C.3, X.C.4)."""
    for loan in loans_of(draft.state, seat):
        counted = replace(loan, passages=loan.passages + 1)
        if counted.passages < DEADLINE + counted.extension:
            draft.record(LoanPassageCounted(loan=counted))
        else:
            collect(draft, counted)


def collect(draft: Draft, loan: Loan) -> None:
    """Take what remains of an open loan, whatever the borrower has (X.C.4)."""
    debit = Posting(MONEY, loan.outstanding, player(loan.borrower), BANK)
    collected = replace(loan, outstanding=0, status="collected")
    draft.record(LoanCollected(loan=collected, amount=loan.outstanding, postings=(debit,)))


def extend(draft: Draft, loan: Loan, passages: int) -> None:
    """Grant so many passages by Spawn more, by ruling."""
    draft.record(LoanExtended(loan=replace(loan, extension=loan.extension + passages), passages=passages))


def forgive(draft: Draft, loan: Loan) -> None:
    """Write off what remains of an open loan, by ruling."""
    forgiven = replace(loan, outstanding=0, status="forgiven")
    draft.record(LoanForgiven(loan=forgiven, amount=loan.outstanding))


def _deadline(loan: Loan) -> tuple[str, str]:
    """When a loan is due, counted in passages to come, in English and French."""
    left = DEADLINE + loan.extension - loan.passages
    if left == 1:
        return "at the next passage", "au prochain passage"
    return f"in {left} passages", f"dans {left} passages"


def loans_of(state: Negopoly, seat: str) -> list[Loan]:
    """The open loans of a seat, oldest first."""
    return [loan for loan in open_agreements(state, Loan) if loan.borrower == seat]


def principal_owed(state: Negopoly, seat: str) -> int:
    """The principal that a seat still has to pay back over all its loans, in whole ₦; interest is paid last."""
    return sum(max(0, loan.outstanding - loan.interest) for loan in loans_of(state, seat))
