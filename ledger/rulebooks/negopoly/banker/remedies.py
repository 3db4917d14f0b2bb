"""P. The remedies of a ruling. The chapter of the cited rule carries out each remedy (P.1)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from ledger.kernel.arbitration import remedies
from ledger.kernel.arbitration.remedies import Ruling
from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import Money, PlaceNumber, SeatId, TitleId, of_kind
from ledger.rulebooks.negopoly.agreements import bounties, contracts, loans
from ledger.rulebooks.negopoly.banker.adjusting import Adjust
from ledger.rulebooks.negopoly.banker.settling import (
    GrantService,
    Mortgage,
    SetCharges,
    SetK9,
    SetRackets,
    SetTurn,
    SetWeather,
    Unmortgage,
    WithdrawService,
    playing,
    require_started,
)
from ledger.rulebooks.negopoly.board import tokens
from ledger.rulebooks.negopoly.estate import real_estate, titles
from ledger.rulebooks.negopoly.goods import deliveries
from ledger.rulebooks.negopoly.squares import checkpoints
from ledger.rulebooks.negopoly.table.state import Draft, agreement, in_play, seat_named, title_named
from ledger.rulebooks.negopoly.table.terms import BountyId, ContractId, Delivery, DeliveryId, Loan, LoanId
from ledger.rulebooks.negopoly.turns import clock, victory

# ----------------------------------------------------------------------------------------------
# Holdings
# ----------------------------------------------------------------------------------------------


class Fine(remedies.Fine, frozen=True, kw_only=True):
    """A player in play pays a fine to the bank, into debt if needed (I.B.3)."""

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Refuse an eliminated player (I.B.5)."""
        seat_named(draft.state, self.seat, "P.1")
        super().carry_out(draft, ruling)


# ----------------------------------------------------------------------------------------------
# Tokens and turns
# ----------------------------------------------------------------------------------------------


class MoveSeat(remedies.Remedy, frozen=True, kw_only=True):
    """Put a token on a square (0 to 39 from Spawn); it crosses nothing (III.C.2).

    With `stop`, in the player's own turn, it counts as a stop: services open, and mandatory effects become due.
    """

    seat: SeatId
    square: PlaceNumber
    stop: bool = False

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Place the token. Without `stop` no service opens."""
        seat = playing(draft, self.seat)
        squares = len(draft.state.board)
        if self.square >= squares:
            raise Impossible(
                "P.1",
                "there is no square {square}; the last one is {last}",
                "il n'y a pas de case {square} ; la dernière est la {last}",
                square=self.square,
                last=squares - 1,
            )
        if not self.stop:
            tokens.send(draft, seat, self.square, cause="ruling", rule="P.1")
            return
        turn = draft.state.turn
        if turn is None or turn.seat != seat:
            raise Impossible(
                "II.B.6",
                "it is not {seat:seat}'s turn: a token that is put on a square now does not stop there",
                "ce n'est pas le tour {seat:de|seat} : un pion posé maintenant sur une case ne s'y arrête pas",
                seat=seat,
            )
        tokens.place_by_ruling(draft, seat, self.square)


class ExtendTurn(remedies.Remedy, frozen=True, kw_only=True):
    """Give the turn under way more time (II.B.13)."""

    seconds: Annotated[int, Meta(ge=1, le=86_400), of_kind("quantity")]

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Add the time to the rest of the turn."""
        clock.extend(draft, self.seconds)


class RestartTurn(remedies.Remedy, frozen=True, kw_only=True):
    """Restart the clock of the turn under way with its full time, from now (II.B.13)."""

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Restart the clock."""
        clock.restart_clock(draft)


class PauseTurn(remedies.Remedy, frozen=True, kw_only=True):
    """Stop the clock of the turn under way (IV.A.3)."""

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Stop the clock until a ruling restarts it."""
        clock.pause_clock(draft)


class ResumeTurn(remedies.Remedy, frozen=True, kw_only=True):
    """Restart a stopped clock (IV.A.3)."""

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Restart the clock with the remaining time."""
        clock.resume_clock(draft)


# ----------------------------------------------------------------------------------------------
# Agreements
# ----------------------------------------------------------------------------------------------


class EndContract(remedies.Remedy, frozen=True, kw_only=True):
    """End a contract in force; its price stays with the bank."""

    contract: ContractId

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """End the contract before the end of the agreed rounds."""
        contracts.end(draft, self.contract)


class EnforceContract(remedies.Remedy, frozen=True, kw_only=True):
    """Establish a breach and its price, from a party to the bank or to a player (X.A.7, X.A.8)."""

    contract: ContractId
    party: SeatId
    amount: Money
    to: SeatId | Literal["bank"] = BANK

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Post a mandatory payment (I.B.3)."""
        reason = self.reason or _default_reason(ruling)
        contracts.sanction(draft, self.contract, self.party, self.amount, to=self.to, reason=reason)


class AwardBounty(remedies.Remedy, frozen=True, kw_only=True):
    """Pay the deposit of a bounty to its winner (X.B.4)."""

    bounty: BountyId
    winner: SeatId

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Refuse a player other than the first claimant, unless the ruling waives X.B.4."""
        bounties.award(draft, self.bounty, self.winner)


class RefundBounty(remedies.Remedy, frozen=True, kw_only=True):
    """Close a bounty and return its deposit (X.B.5)."""

    bounty: BountyId

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Return the whole deposit."""
        bounties.close(draft, self.bounty, reason=self.reason or _default_reason(ruling))


class ExtendLoan(remedies.Remedy, frozen=True, kw_only=True):
    """Give a borrower more passages by Spawn before the loan is due (X.C.3)."""

    loan: LoanId
    passages: Annotated[int, Meta(ge=1, le=1000), of_kind("quantity")] = 1

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Add the passages to earlier extensions."""
        loans.extend(draft, agreement(draft.state, Loan, self.loan, "X.C.3"), self.passages)


class ForgiveLoan(remedies.Remedy, frozen=True, kw_only=True):
    """Write off the rest of a loan."""

    loan: LoanId

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Write off the rest; past payments are not refunded."""
        loans.forgive(draft, agreement(draft.state, Loan, self.loan, "X.C.4"))


class CollectLoan(remedies.Remedy, frozen=True, kw_only=True):
    """Collect the rest of a loan now (X.C.4)."""

    loan: LoanId

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Post a mandatory payment (I.B.3)."""
        loans.collect(draft, agreement(draft.state, Loan, self.loan, "X.C.4"))


class DeliverGoods(remedies.Remedy, frozen=True, kw_only=True):
    """Give goods in transit to their recipient now (VIII.D.3)."""

    delivery: DeliveryId

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Deliver the goods without a fee."""
        deliveries.land(draft, agreement(draft.state, Delivery, self.delivery, "VIII.D.3"))


class ReturnGoods(remedies.Remedy, frozen=True, kw_only=True):
    """Return goods in transit to their sender (VIII.D.3)."""

    delivery: DeliveryId

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Return the goods; to the bank if the sender is out."""
        deliveries.send_back(draft, agreement(draft.state, Delivery, self.delivery, "VIII.D.3"))


# ----------------------------------------------------------------------------------------------
# Titles
# ----------------------------------------------------------------------------------------------


class ResetProperty(remedies.Remedy, frozen=True, kw_only=True):
    """Reset a title to the bank with nothing attached to it (V.B.8)."""

    title: TitleId

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Reset the title. The owner gets nothing (V.B.9)."""
        title = title_named(self.title)
        reason = self.reason or _default_reason(ruling)
        real_estate.reset(draft, title.id, cause="ruling", rule="V.B.8", reason=reason)


class ForcedSale(remedies.Remedy, frozen=True, kw_only=True):
    """Sell a title with everything attached to it to a player; the price (0 for none) goes to the former owner."""

    title: TitleId
    buyer: SeatId
    price: titles.Price

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Refuse a buyer without the funds, unless the ruling waives I.B.3."""
        require_started(draft)
        titles.force_sale(draft, title_named(self.title), self.buyer, self.price)


# ----------------------------------------------------------------------------------------------
# Players
# ----------------------------------------------------------------------------------------------


class IssueWarrant(remedies.Remedy, frozen=True, kw_only=True):
    """Issue an arrest warrant against a player (VI.F.6). Everybody can read the reason."""

    seat: SeatId

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Refuse a second warrant."""
        checkpoints.issue_warrant(draft, playing(draft, self.seat), reason=self.reason or _default_reason(ruling))


class LiftWarrant(remedies.Remedy, frozen=True, kw_only=True):
    """Lift a player's arrest warrant (VI.F.6). Everybody can read the reason."""

    seat: SeatId

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Refuse without a warrant."""
        checkpoints.lift_warrant(draft, playing(draft, self.seat), reason=self.reason or _default_reason(ruling))


class Eliminate(remedies.Remedy, frozen=True, kw_only=True):
    """Eliminate a player and settle their accounts (I.B.5). Everybody can read the reason."""

    seat: SeatId

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Refuse to eliminate the last player in play, the winner (II.E.3)."""
        seat = playing(draft, self.seat)
        if in_play(draft.state) == [seat]:
            raise Impossible(
                "II.E.3",
                "{seat:seat} is the last player left, and has won",
                "{seat:seat} est le dernier joueur en jeu, et a gagné",
                seat=seat,
            )
        victory.eliminate(draft, seat, reason=self.reason or _default_reason(ruling), rule="P.1")


class DeclareVictory(remedies.Remedy, frozen=True, kw_only=True):
    """End the game with these winners; afterwards only a correction is possible."""

    winners: Annotated[tuple[SeatId, ...], Meta(min_length=1, max_length=8)]

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Refuse a winner out of play."""
        winners = tuple(dict.fromkeys(playing(draft, seat) for seat in self.winners))
        victory.by_ruling(draft, winners)


def _default_reason(ruling: Ruling) -> str:
    """Return the default reason."""
    return f"ruling {ruling.id}"


Order = (
    Adjust
    | Fine
    | MoveSeat
    | ExtendTurn
    | RestartTurn
    | PauseTurn
    | ResumeTurn
    | EndContract
    | EnforceContract
    | AwardBounty
    | RefundBounty
    | ExtendLoan
    | ForgiveLoan
    | CollectLoan
    | DeliverGoods
    | ReturnGoods
    | ResetProperty
    | ForcedSale
    | IssueWarrant
    | LiftWarrant
    | Eliminate
    | DeclareVictory
    | Mortgage
    | Unmortgage
    | SetTurn
    | SetRackets
    | SetK9
    | GrantService
    | WithdrawService
    | SetCharges
    | SetWeather
)
"""The remedies without a correction, for rulings and for the reading of a card."""

Remedy = remedies.Dismiss | remedies.CorrectHistory | Order
"""The remedies of rulings in Negopoly."""
