"""X.C. Loans of the bank."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.audience import Audience, only
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import Money
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.actions import Action, Bounds, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.table.state import (
    Draft,
    Negopoly,
    keep,
    open_agreements,
    own_agreement,
    pay,
    still_in,
)
from ledger.rulebooks.negopoly.table.terms import MONEY, Loan, LoanId, player

chapter = Chapter("X.C. Loans")

DEADLINE = 2
"""Number of passages by Spawn from the start of a loan to the due date (X.C.3)."""


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


class _LoanEvent(Event, frozen=True, kw_only=True):
    """A fact about a loan, secret to everybody except the borrower (I.C.6). `loan` is the new version."""

    loan: Loan

    def apply(self, state: Negopoly) -> None:
        """Store the loan. A loan is open until repaid, collected or forgiven."""
        keep(state, self.loan, ended=self.loan.status != "open")

    def audience(self) -> Audience:
        """Return the borrower."""
        return only(self.loan.borrower)


@chapter.event
class LoanTaken(_LoanEvent, frozen=True, kw_only=True):
    """The bank pays a loan to a player at once (X.C.1)."""

    en: ClassVar[str] = "{loan.borrower:seat} borrows {loan.principal:money}."
    fr: ClassVar[str] = "{loan.borrower:seat} emprunte {loan.principal:money}."

    rule: str = "X.C.1"


@chapter.event
class LoanRepaid(_LoanEvent, frozen=True, kw_only=True):
    """The borrower repays a loan, fully or in part (X.C.4)."""

    en: ClassVar[str] = "{loan.borrower:seat} pays back {amount:money}; {loan.outstanding:rest}."
    fr: ClassVar[str] = "{loan.borrower:seat} rembourse {amount:money} ; {loan.outstanding:rest}."

    rule: str = "X.C.4"
    amount: int


@chapter.event
class LoanPassageCounted(_LoanEvent, frozen=True, kw_only=True):
    """The borrower passes Spawn once more with this loan (X.C.3)."""

    en: ClassVar[str] = "{loan.borrower:seat}'s loan {loan.id} is due {deadline.en} by Spawn."
    fr: ClassVar[str] = "Le prêt {loan.id} {loan.borrower:de|seat} est dû {deadline.fr} par le Spawn."

    rule: str = "X.C.3"

    @property
    def deadline(self) -> Phrase:
        """The deadline, in English and French."""
        return deadline_of(self.loan)


@chapter.event
class LoanExtended(_LoanEvent, frozen=True, kw_only=True):
    """A ruling gives the borrower more passages by Spawn (P.1)."""

    en: ClassVar[str] = "{loan.borrower:seat}'s loan {loan.id} is extended: it is due {deadline.en} by Spawn."
    fr: ClassVar[str] = (
        "Le prêt {loan.id} {loan.borrower:de|seat} est prolongé : il est dû {deadline.fr} par le Spawn."
    )

    rule: str = "P.1"
    passages: int

    @property
    def deadline(self) -> Phrase:
        """The deadline, in English and French."""
        return deadline_of(self.loan)


@chapter.event
class LoanForgiven(_LoanEvent, frozen=True, kw_only=True):
    """A ruling writes off the rest of a loan (P.1)."""

    en: ClassVar[str] = "The bank writes off {amount:money} of {loan.borrower:seat}'s loan {loan.id}."
    fr: ClassVar[str] = "La banque renonce à {amount:money} sur le prêt {loan.id} {loan.borrower:de|seat}."

    rule: str = "P.1"
    amount: int


@chapter.event
class LoanCollected(_LoanEvent, frozen=True, kw_only=True):
    """The bank collects the rest of a loan: at the second passage by Spawn, or by ruling (X.C.4, I.B.3)."""

    en: ClassVar[str] = "The bank collects {amount:money} of {loan.borrower:seat}'s loan {loan.id}."
    fr: ClassVar[str] = "La banque recouvre {amount:money} sur le prêt {loan.id} {loan.borrower:de|seat}."

    rule: str = "X.C.4"
    amount: int


# ----------------------------------------------------------------------------------------------
# Actions of the borrower
# ----------------------------------------------------------------------------------------------


@chapter.action(
    summary=("borrow from the bank", "emprunter à la banque"),
    when=("at any moment", "à tout moment"),
)
class TakeLoan(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player borrows money from the bank, up to ₦500 of principal in all (X.C.1, X.C.2).

    The table may set interest. It is computed now on the whole principal, rounded up once (I.B.1), and paid last.
    """

    amount: Money

    def decide(self, draft: Draft) -> None:
        """Refuse more principal than the limit. The balance does not matter."""
        seat = still_in(draft)
        settings = draft.state.settings
        owed = principal_owed(draft.state, seat)
        draft.require(
            owed + self.amount <= settings.loan_cap_total,
            "X.C.2",
            "{seat:seat} owes {owed:money} of principal and cannot borrow {amount:money} more: the "
            "bank lends {cap:money} in all",
            "{seat:seat} doit {owed:money} de capital et ne peut pas emprunter {amount:money} de plus : "
            "la banque prête {cap:money} en tout",
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
        """Offer the largest loan still available to the seat."""
        maximum = state.settings.loan_cap_total - principal_owed(state, seat)
        if maximum > 0:
            yield Choice({"amount": maximum}, free={"amount": Bounds(1, maximum)})


@chapter.action(
    summary=("pay back a loan, in part or in full", "rembourser un prêt, en partie ou en totalité"),
    when=("at any moment", "à tout moment"),
)
class RepayLoan(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The borrower repays a loan: the rest of it, or `amount` (X.C.4)."""

    loan: LoanId
    amount: Money | None = None

    def decide(self, draft: Draft) -> None:
        """Refuse without the funds, since the payment is voluntary (I.B.3), and more than the rest."""
        seat = still_in(draft)
        loan: Loan = own_agreement(draft, Loan, self.loan, "X.C.4")
        amount = loan.outstanding if self.amount is None else self.amount
        if amount > loan.outstanding:
            raise Impossible(
                "X.C.4",
                "loan {id} has {outstanding:money} left to pay back, less than {amount:money}",
                "il reste {outstanding:money} à rembourser sur le prêt {id}, moins que {amount:money}",
                id=loan.id,
                outstanding=loan.outstanding,
                amount=amount,
            )
        paid = pay(draft, seat, amount, "X.C.4")
        outstanding = loan.outstanding - amount
        repaid = replace(loan, outstanding=outstanding, status="open" if outstanding else "repaid")
        draft.record(LoanRepaid(loan=repaid, amount=amount, postings=paid))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each loan, in full or as far as the player's money goes; the amount may be changed."""
        money = state.holdings.of(player(seat), MONEY)
        for loan in loans_of(state, seat):
            maximum = max(1, min(loan.outstanding, money))
            yield Choice({"loan": loan.id, "amount": maximum}, free={"amount": Bounds(1, maximum)})


# ----------------------------------------------------------------------------------------------
# Deadlines
# ----------------------------------------------------------------------------------------------


def spawn_passage(draft: Draft, seat: str) -> None:
    """Count a passage by Spawn for each of the seat's loans, and collect the loans due (X.C.3, X.C.4)."""
    for loan in loans_of(draft.state, seat):
        counted = replace(loan, passages=loan.passages + 1)
        if counted.passages < DEADLINE + counted.extension:
            draft.record(LoanPassageCounted(loan=counted))
        else:
            collect(draft, counted)


def collect(draft: Draft, loan: Loan) -> None:
    """Collect the rest of an open loan, whatever the borrower's balance is (X.C.4)."""
    debit = Posting(MONEY, loan.outstanding, player(loan.borrower), BANK)
    collected = replace(loan, outstanding=0, status="collected")
    draft.record(LoanCollected(loan=collected, amount=loan.outstanding, postings=(debit,)))


def extend(draft: Draft, loan: Loan, passages: int) -> None:
    """Give the borrower more passages by Spawn, by ruling."""
    draft.record(LoanExtended(loan=replace(loan, extension=loan.extension + passages), passages=passages))


def forgive(draft: Draft, loan: Loan) -> None:
    """Write off the rest of an open loan, by ruling."""
    forgiven = replace(loan, outstanding=0, status="forgiven")
    draft.record(LoanForgiven(loan=forgiven, amount=loan.outstanding))


def deadline_of(loan: Loan) -> Phrase:
    """Return the deadline of a loan in passages to come."""
    passages = DEADLINE + loan.extension - loan.passages
    if passages == 1:
        return Phrase("at the next passage", "au prochain passage")
    return Phrase(f"in {passages} passages", f"dans {passages} passages")


def loans_of(state: Negopoly, seat: str) -> list[Loan]:
    """Return the open loans of a seat, oldest first."""
    return [loan for loan in open_agreements(state, Loan) if loan.borrower == seat]


def principal_owed(state: Negopoly, seat: str) -> int:
    """Return the principal still due over all loans of a seat, in whole ₦. Interest is paid last."""
    return sum(max(0, loan.outstanding - loan.interest) for loan in loans_of(state, seat))
