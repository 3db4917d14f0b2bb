"""X.A. Contracts registered at the bank: proposal, consent, breach and end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import Money, SeatId, Text, of_kind
from ledger.kernel.rules.actions import Action, Bounds, Choice
from ledger.kernel.rules.chapter import Chapter, renamed
from ledger.rulebooks.negopoly.agreements.contract_facts import (
    BreachReported,
    BreachSanctioned,
    ContractAgreed,
    ContractEnded,
    ContractLapsed,
    ContractProposed,
    ContractRegistered,
    ContractWithdrawn,
    EscrowDeposited,
    EscrowReleased,
    EscrowReturned,
)
from ledger.rulebooks.negopoly.table.pieces import ITEMS
from ledger.rulebooks.negopoly.table.state import (
    Draft,
    Negopoly,
    agreement,
    in_play,
    latest_of,
    open_agreements,
    others_in_play,
    own_agreement,
    pay,
    seat_named,
    still_in,
)
from ledger.rulebooks.negopoly.table.terms import (
    MONEY,
    STATUS_FR,
    Breach,
    Contract,
    ContractId,
    player,
)
from ledger.rulebooks.parts.agreements import among

chapter = Chapter("X.A. Contracts")

ROUND_PRICE = ITEMS["contract_round"].price
"""Price of one round of validity, in whole ₦ (X.A.3)."""

_IN_FORCE_ONCE = frozenset({"open", "lapsed", "ended"})
"""Statuses of a contract after registration."""


# ----------------------------------------------------------------------------------------------
# Actions of the parties
# ----------------------------------------------------------------------------------------------


@chapter.action(
    summary=("propose a contract to be registered at the bank", "proposer un contrat à enregistrer à la banque"),
    when=("at any moment", "à tout moment"),
)
class RegisterContract(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player proposes a contract for some rounds; the last party's consent registers it (X.A.1, X.A.2).

    The acting seat is always a party. `payers` divides the price of ₦30 a round (X.A.4); by default the acting
    seat pays it all. `escrow` is what parties deposit at the bank for the contract's payments (X.A.6). The banker
    pays it out; the rest goes back at the end.
    """

    clauses: Annotated[tuple[Text, ...], Meta(min_length=1, max_length=50)]
    rounds: Annotated[int, Meta(ge=1, le=1_000_000, description="rounds of validity"), of_kind("quantity")]
    parties: Annotated[tuple[SeatId, ...], Meta(max_length=8)] = ()
    payers: Annotated[dict[SeatId, Money], Meta(max_length=8)] | None = None
    escrow: Annotated[dict[SeatId, Money], Meta(max_length=8)] = {}

    def decide(self, draft: Draft) -> None:
        """Accept any clause (X.A.6). Only parties can be payers, and the shares must add up to the price."""
        seat = still_in(draft)
        parties = tuple(dict.fromkeys((seat, *self.parties)))
        for party in parties:
            seat_named(draft.state, party, "X.A.1")
        price = ROUND_PRICE * self.rounds
        payers = {seat: price} if self.payers is None else self.payers
        strangers = [payer for payer in (*payers, *self.escrow) if payer not in parties]
        if strangers:
            raise Impossible(
                "X.A.4",
                "{strangers:seats} cannot pay for a contract without being a party to it",
                "{strangers:seats} ne peut pas payer un contrat sans y être partie",
                strangers=strangers,
            )
        offered = sum(payers.values())
        draft.require(
            offered == price,
            "X.A.3",
            "{rounds} rounds cost {price:money}, not the {offered:money} that the payers make up",
            "{rounds} rounds coûtent {price:money}, pas les {offered:money} que réunissent les payeurs",
            rounds=self.rounds,
            price=price,
            offered=offered,
        )
        contract = Contract(
            id=draft.new_id(),
            status="proposed",
            parties=parties,
            clauses=self.clauses,
            rounds=self.rounds,
            payers=payers,
            agreed=(seat,),
            escrow=self.escrow,
        )
        draft.record(ContractProposed(seat=seat, contract=contract))
        _register(draft, contract)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Suggest a promise for one round with each player. Every parameter may be changed.

        A contract of one player exists (X.A.1), but is never suggested: it promises nothing to anybody.
        """
        free = ("clauses", "rounds", "parties", "payers", "escrow")
        for partner in others_in_play(state, seat):
            params = {"clauses": ["…"], "rounds": 1, "parties": [seat, partner], "payers": {seat: ROUND_PRICE}}
            yield Choice(params, free)


@chapter.action(
    summary=("consent to a contract", "consentir à un contrat"),
    when=("at any moment, as a party to the proposal", "à tout moment, si on est partie à la proposition"),
)
class AgreeContract(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A party consents to a contract; the last consent pays for it and puts it in force (X.A.2, X.A.3)."""

    contract: ContractId

    def decide(self, draft: Draft) -> None:
        """Refuse a second consent of one party, and a contract with an eliminated party."""
        seat = still_in(draft)
        contract = _proposal(draft, self.contract)
        for party in contract.parties:
            seat_named(draft.state, party, "X.A.2")
        if seat in contract.agreed:
            raise Impossible(
                "X.A.2",
                "{seat:seat} has already consented to contract {id}",
                "{seat:seat} a déjà consenti au contrat {id}",
                seat=seat,
                id=contract.id,
            )
        agreed = replace(contract, agreed=(*contract.agreed, seat))
        draft.record(ContractAgreed(seat=seat, contract=agreed))
        _register(draft, agreed)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each proposal without the seat's consent."""
        waiting = [contract for contract in _contracts(state, seat, "proposed") if seat not in contract.agreed]
        return among(waiting, "contract")


@chapter.action(
    summary=("take back or refuse a proposal of a contract", "retirer ou refuser une proposition de contrat"),
    when=(
        "at any moment before it is registered, as a party",
        "à tout moment avant l'enregistrement, si on y est partie",
    ),
)
class WithdrawContract(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A party ends a proposal: nobody is forced into a contract (X.1)."""

    contract: ContractId

    def decide(self, draft: Draft) -> None:
        """Refuse a registered contract: a contract in force stays until the lapse."""
        seat = still_in(draft)
        contract = _proposal(draft, self.contract)
        draft.record(ContractWithdrawn(seat=seat, contract=replace(contract, status="withdrawn")))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each proposal with the seat as a party."""
        return among(_contracts(state, seat, "proposed"), "contract", alike="any")


@chapter.action(
    summary=("report a breach of a contract to the banker", "signaler au banquier la rupture d'un contrat"),
    when=(
        "at any moment once it is registered, as a party",
        "à tout moment une fois enregistré, si on y est partie",
    ),
)
class ReportBreach(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A party reports a breach of a registered contract, in force or lapsed (X.1, X.A.7)."""

    contract: ContractId
    statement: Text

    def decide(self, draft: Draft) -> None:
        """Store the report with the contract, without effect until the banker decides."""
        seat = still_in(draft)
        contract: Contract = own_agreement(draft, Contract, self.contract, "X.1", or_ended=True)
        _require_registered(contract)
        reported = replace(contract, breaches=(*contract.breaches, Breach(seat, self.statement)))
        draft.record(BreachReported(seat=seat, account=self.statement, contract=reported))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each registered contract of the seat."""
        return among(_registered(state, seat), "contract", {"statement": "…"}, free=("statement",), alike="any")


chapter.upcast_action("report_breach", renamed(account="statement"))


@chapter.action(
    by=("banker",),
    summary=("sanction the breach of a contract", "sanctionner la rupture d'un contrat"),
    when=(
        "at any moment once it is registered, at a report or of the banker's own motion",
        "à tout moment une fois enregistré, sur signalement ou de la propre initiative du banquier",
    ),
)
class SanctionBreach(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The banker establishes a breach and its price, from a party to the bank or a player (X.A.7, X.A.8)."""

    contract: ContractId
    party: SeatId
    amount: Money
    reason: Text
    to: SeatId | Literal["bank"] = BANK

    def decide(self, draft: Draft) -> None:
        """Refuse a player outside the contract (X.1). The whole amount is posted, even into debt (I.B.3)."""
        sanction(draft, self.contract, self.party, self.amount, to=self.to, reason=self.reason)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each party in play of each registered contract."""
        for party in in_play(state):
            params = {"party": party, "amount": 1, "reason": "…"}
            free = ("amount", "to", "reason")
            yield from among(_registered(state, party), "contract", params, free=free, alike=party)


@chapter.action(
    by=("banker",),
    summary=("pay out of what the bank holds for a contract", "verser ce qui est séquestré pour un contrat"),
    when=("while the contract is in force", "tant que le contrat est en vigueur"),
)
class ReleaseEscrow(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The banker pays a party from another party's deposit, when a clause requires it (X.A.6)."""

    contract: ContractId
    depositor: SeatId
    to: SeatId
    amount: Money
    reason: Text

    def decide(self, draft: Draft) -> None:
        """Refuse a payee outside the contract, and an amount above the deposit."""
        contract: Contract = agreement(draft.state, Contract, self.contract, "X.A.6")
        if seat_named(draft.state, self.to, "X.A.6") not in contract.parties:
            raise Impossible(
                "X.1",
                "{seat:seat} has not consented to contract {id}: its parties are {parties:seats}",
                "{seat:seat} n'a pas consenti au contrat {id} : ses parties sont {parties:seats}",
                seat=self.to,
                id=contract.id,
                parties=contract.parties,
            )
        deposit = contract.escrow.get(self.depositor, 0) if contract.status == "open" else 0
        if deposit < self.amount:
            raise Impossible(
                "X.A.6",
                "the bank holds {held:money} of {seat:seat} for contract {id}, not {amount:money}",
                "la banque détient {held:money} {seat:de|seat} pour le contrat {id}, pas {amount:money}",
                held=deposit,
                seat=self.depositor,
                id=contract.id,
                amount=self.amount,
            )
        deposits = {**contract.escrow, self.depositor: deposit - self.amount}
        remaining = {depositor: amount for depositor, amount in deposits.items() if amount}
        draft.record(
            EscrowReleased(
                contract=replace(contract, escrow=remaining),
                depositor=self.depositor,
                to=self.to,
                amount=self.amount,
                reason=self.reason,
                postings=draft.move(MONEY, self.amount, escrow(contract.id), player(self.to)),
            )
        )

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer the whole deposit of each depositor of each contract in force, as a refund."""
        for contract in open_agreements(state, Contract):
            for depositor, amount in contract.escrow.items() if contract.status == "open" else ():
                params = {"contract": contract.id, "depositor": depositor, "to": depositor, "amount": amount}
                free = {"to": Bounds(), "amount": Bounds(1, amount), "reason": Bounds()}
                yield Choice({**params, "reason": "…"}, free)


# ----------------------------------------------------------------------------------------------
# Start and end of a contract
# ----------------------------------------------------------------------------------------------


def sanction(draft: Draft, contract_id: str, party: str, amount: int, *, to: str, reason: str) -> None:
    """Post the price of a breach, from a party of a registered contract to the bank or a player (X.A.7, X.A.8).

    Raises Impossible for a contract never in force, for a player outside the contract, and for a payment of a
    party to itself.
    """
    state = draft.state
    contract = _contract_by_id(state, contract_id)
    _require_registered(contract)
    if seat_named(state, party, "X.A.8") not in contract.parties:
        raise Impossible(
            "X.1",
            "{seat:seat} has not consented to contract {id}: its parties are {parties:seats}",
            "{seat:seat} n'a pas consenti au contrat {id} : ses parties sont {parties:seats}",
            seat=party,
            id=contract.id,
            parties=contract.parties,
        )
    if to == party:
        raise Impossible(
            "X.A.8",
            "{seat:seat} cannot be sanctioned to their own benefit",
            "{seat:seat} ne peut pas être sanctionné à son propre profit",
            seat=party,
        )
    creditor = BANK if to == BANK else player(seat_named(state, to, "X.A.8"))
    draft.record(
        BreachSanctioned(
            seat=party,
            amount=amount,
            to=to,
            reason=reason,
            contract=contract.id,
            parties=contract.parties,
            postings=draft.move(MONEY, amount, player(party), creditor),
        )
    )


def end(draft: Draft, contract_id: str) -> None:
    """End a contract in force, by ruling. Raises Impossible for any other contract."""
    contract = _contract_by_id(draft.state, contract_id)
    _require_registered(contract)
    if contract.status != "open":
        raise Impossible(
            "X.A.5",
            "contract {id} has ended already ({status})",
            "le contrat {id} est déjà terminé ({etat})",
            id=contract.id,
            status=contract.status,
            etat=STATUS_FR[contract.status],
        )
    draft.record(ContractEnded(contract=settled(contract, "ended"), postings=handed_back(contract)))


def lapse(draft: Draft, seat: str) -> None:
    """End the contracts due to lapse at the start of the seat's turn in the current round (X.A.5)."""
    state = draft.state
    for contract in open_agreements(state, Contract):
        last = contract.ends_round
        if contract.ends_seat == seat and last is not None and last <= state.round:
            draft.record(ContractLapsed(contract=settled(contract, "lapsed"), postings=handed_back(contract)))


def close_at_end(draft: Draft) -> None:
    """Return the escrow of all contracts at the end of the game (X.A.6)."""
    for contract in open_agreements(draft.state, Contract):
        if contract.status == "open" and contract.escrow:
            back = handed_back(contract)
            draft.record(EscrowReturned(contract=replace(contract, escrow={}), postings=back))


def escrow(contract_id: str) -> str:
    """Return the escrow account of a contract."""
    return f"escrow:contract:{contract_id}"


def handed_back(contract: Contract) -> tuple[Posting, ...]:
    """Return the postings of the escrow of a contract in force back to the depositors."""
    if contract.status != "open":
        return ()
    return tuple(
        Posting(MONEY, amount, escrow(contract.id), player(depositor))
        for depositor, amount in sorted(contract.escrow.items())
    )


def settled(contract: Contract, status: str) -> Contract:
    """Return the contract with the final status and an empty escrow."""
    return replace(contract, status=status, escrow={})


def _register(draft: Draft, contract: Contract) -> None:
    """Put the contract in force after the last consent: pay the bank (X.A.3) and start the rounds (X.A.5)."""
    if set(contract.agreed) != set(contract.parties):
        return
    state = draft.state
    paid = tuple(
        posting
        for payer, share in sorted(contract.payers.items())
        for posting in pay(draft, payer, share, "X.A.3")
    )
    registered = replace(
        contract,
        status="open",
        ends_round=state.round + contract.rounds,
        ends_seat=state.order[0] if state.turn is None else state.turn.seat,
    )
    draft.record(ContractRegistered(contract=registered, price=sum(contract.payers.values()), postings=paid))
    if contract.escrow:
        # The price is already posted, so the second check sees the reduced balance of a payer with a deposit.
        deposits = tuple(
            posting
            for depositor, amount in sorted(contract.escrow.items())
            for posting in pay(draft, depositor, amount, "X.A.6", target=escrow(contract.id))
        )
        draft.record(EscrowDeposited(contract=registered, postings=deposits))


def _proposal(draft: Draft, contract_id: str) -> Contract:
    """Return the acting seat's contract by id after checking for the status "proposed"."""
    contract: Contract = own_agreement(draft, Contract, contract_id, "X.A.2")
    if contract.status != "proposed":
        raise Impossible(
            "X.A.2",
            "contract {id} is registered already",
            "le contrat {id} est déjà enregistré",
            id=contract.id,
        )
    return contract


def _contract_by_id(state: Negopoly, contract_id: str) -> Contract:
    """Return a contract by id, in force or not. Raises Impossible for an unknown id."""
    contract = state.open.get(contract_id) or state.past.get(contract_id)
    if isinstance(contract, Contract):
        return contract
    raise Impossible(
        "X.A.1",
        "there is no contract {id!r}",
        "il n'y a pas de contrat {id!r}",
        id=contract_id,
    )


def _require_registered(contract: Contract) -> None:
    """Raise Impossible for a contract never in force."""
    if contract.status not in _IN_FORCE_ONCE:
        raise Impossible(
            "X.A.2",
            "contract {id} is {status}: it was never registered and cannot be invoked",
            "le contrat {id} ({etat}) n'a jamais été enregistré et ne peut pas être invoqué",
            id=contract.id,
            status=contract.status,
            etat=STATUS_FR[contract.status],
        )


def _contracts(state: Negopoly, seat: str, status: str) -> list[Contract]:
    return [
        contract
        for contract in open_agreements(state, Contract)
        if contract.status == status and seat in contract.parties
    ]


def _registered(state: Negopoly, seat: str) -> list[Contract]:
    """Return the latest contracts of a seat that are or were in force."""
    return latest_of(state, Contract, seat, lambda contract: contract.status in _IN_FORCE_ONCE)
