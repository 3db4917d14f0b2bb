"""X.A. The events of contracts."""

from __future__ import annotations

from typing import ClassVar

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.audience import Audience, only
from ledger.kernel.facts.events import Event
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.table.state import Negopoly, keep, parties_only
from ledger.rulebooks.negopoly.table.terms import Contract

chapter = Chapter("X.A. Contracts: facts")


class ContractEvent(Event, frozen=True, kw_only=True):
    """A fact about a contract, visible to the parties only (I.C.6). `contract` is the new version."""

    contract: Contract

    def apply(self, state: Negopoly) -> None:
        """Store the contract. A contract is open while proposed or in force."""
        keep(state, self.contract, ended=self.contract.status not in {"proposed", "open"})

    def audience(self) -> Audience:
        """Return the parties."""
        return parties_only(self.contract.parties)


@chapter.event
class ContractProposed(ContractEvent, frozen=True, kw_only=True):
    """A player proposes a contract; it is not in force yet (X.A.2)."""

    en: ClassVar[str] = "{seat:seat} proposes contract {contract.id} between {contract.parties:seats}."
    fr: ClassVar[str] = "{seat:seat} propose le contrat {contract.id} entre {contract.parties:seats}."

    rule: str = "X.A.2"
    seat: str


@chapter.event
class ContractAgreed(ContractEvent, frozen=True, kw_only=True):
    """A party consents (X.A.2)."""

    en: ClassVar[str] = "{seat:seat} consents to contract {contract.id}."
    fr: ClassVar[str] = "{seat:seat} consent au contrat {contract.id}."

    rule: str = "X.A.2"
    seat: str


@chapter.event
class ContractRegistered(ContractEvent, frozen=True, kw_only=True):
    """All parties have consented and paid: the contract is in force (X.A.1, X.A.3)."""

    en: ClassVar[str] = "Contract {contract.id} between {contract.parties:seats} is registered for {price:money}."
    fr: ClassVar[str] = (
        "Le contrat {contract.id} entre {contract.parties:seats} est enregistré pour {price:money}."
    )

    rule: str = "X.A.3"
    price: int


@chapter.event
class ContractWithdrawn(ContractEvent, frozen=True, kw_only=True):
    """The proposer withdraws a proposal, or a party refuses it (X.1)."""

    en: ClassVar[str] = "{seat:seat} wants none of contract {contract.id}: the proposal is withdrawn."
    fr: ClassVar[str] = "{seat:seat} ne veut pas du contrat {contract.id} : la proposition est retirée."

    rule: str = "X.1"
    seat: str


@chapter.event
class ContractLapsed(ContractEvent, frozen=True, kw_only=True):
    """A contract lapses, because its rounds are over (X.A.5)."""

    en: ClassVar[str] = "Contract {contract.id} between {contract.parties:seats} lapses."
    fr: ClassVar[str] = "Le contrat {contract.id} entre {contract.parties:seats} prend fin."

    rule: str = "X.A.5"


@chapter.event
class ContractEnded(ContractEvent, frozen=True, kw_only=True):
    """A ruling ends a contract early; its price is not refunded (P.1)."""

    en: ClassVar[str] = "Contract {contract.id} between {contract.parties:seats} is ended by a ruling."
    fr: ClassVar[str] = "Le contrat {contract.id} entre {contract.parties:seats} prend fin par une décision."

    rule: str = "P.1"


@chapter.event
class EscrowDeposited(ContractEvent, frozen=True, kw_only=True):
    """Parties deposit at the bank the escrow of a contract (X.A.6)."""

    en: ClassVar[str] = "The bank holds {held:money} for contract {contract.id}."
    fr: ClassVar[str] = "La banque détient {held:money} pour le contrat {contract.id}."

    rule: str = "X.A.6"

    @property
    def held(self) -> int:
        """The sum of all deposits, in whole ₦."""
        return sum(self.contract.escrow.values())


@chapter.event
class EscrowReleased(ContractEvent, frozen=True, kw_only=True):
    """The banker pays out of a contract's escrow (X.A.6)."""

    en: ClassVar[str] = "{to:seat} receives {amount:money} held for contract {contract.id}: {reason}"
    fr: ClassVar[str] = "{to:seat} reçoit {amount:money} séquestrés pour le contrat {contract.id} : {reason}"

    rule: str = "X.A.6"
    depositor: str
    to: str
    amount: int
    reason: str


@chapter.event
class EscrowReturned(ContractEvent, frozen=True, kw_only=True):
    """The game is over: the bank returns a contract's escrow to its depositors (X.A.6)."""

    en: ClassVar[str] = "What was held for contract {contract.id} goes back to its depositors."
    fr: ClassVar[str] = "Ce qui était séquestré pour le contrat {contract.id} revient à ses déposants."

    rule: str = "X.A.6"


@chapter.event
class BreachReported(ContractEvent, frozen=True, kw_only=True):
    """A party reports a breach of the contract; it has no effect until the banker decides (X.A.7)."""

    en: ClassVar[str] = "{seat:seat} reports a breach of contract {contract.id}: {account}"
    fr: ClassVar[str] = "{seat:seat} signale une rupture du contrat {contract.id} : {account}"

    rule: str = "X.A.7"
    seat: str
    account: str


@chapter.event
class BreachSanctioned(Event, frozen=True, kw_only=True):
    """The banker establishes a breach and its price: a mandatory payment (X.A.7, X.A.8)."""

    en: ClassVar[str] = "{seat:seat} pays {amount:money} for breaking contract {contract}: {reason}"
    fr: ClassVar[str] = "{seat:seat} paie {amount:money} pour rupture du contrat {contract} : {reason}"

    rule: str = "X.A.8"
    contract: str
    parties: tuple[str, ...]
    seat: str
    amount: int
    to: str
    """A seat, or "bank"."""
    reason: str

    def audience(self) -> Audience:
        """Return the parties and the payee. The payee learns nothing else about the contract."""
        return only(*self.parties, None if self.to == BANK else self.to)
