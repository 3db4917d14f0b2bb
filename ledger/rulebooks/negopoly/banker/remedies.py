"""P. What a ruling of the banker may order: remedies, each carried out by the chapter that it belongs to (P.1)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from ledger.kernel.accounts import BANK
from ledger.kernel.arbitration import remedies
from ledger.kernel.arbitration.remedies import Ruling
from ledger.kernel.refusals import Impossible
from ledger.rulebooks.negopoly.agreements import bounties, contracts, loans
from ledger.rulebooks.negopoly.board import tokens
from ledger.rulebooks.negopoly.estate import real_estate, titles
from ledger.rulebooks.negopoly.goods import deliveries
from ledger.rulebooks.negopoly.squares import checkpoints
from ledger.rulebooks.negopoly.table.state import Draft, agreement, in_play, seat_named, title_named
from ledger.rulebooks.negopoly.table.terms import AgreementId, Amount, Delivery, Loan, SeatId, Text
from ledger.rulebooks.negopoly.turns import clock, victory

_BOUND = ("escrow:", "transit:")
"""Accounts that belong to an agreement: what they hold moves with it."""


def _playing(draft: Draft, seat: str) -> str:
    """The seat, checked to be in a game that has started."""
    _require_started(draft)
    return seat_named(draft.state, seat, "P.1")


def _require_started(draft: Draft) -> None:
    if draft.state.phase != "play":
        raise Impossible("II.1", "the game has not started yet", "la partie n'a pas encore commencé")


# ----------------------------------------------------------------------------------------------
# Holdings
# ----------------------------------------------------------------------------------------------


class Adjust(remedies.Adjust, frozen=True, kw_only=True):
    """Move anything but titles between the accounts of the bank, of players still in play, and of the board."""

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """A title, and what an agreement keeps, have remedies of their own."""
        for one in self.postings:
            if one.commodity.startswith("title:"):
                raise Impossible(
                    "P.1",
                    "{title} is not moved by adjust: order forced_sale or reset_property",
                    "{title} ne se déplace pas par adjust : ordonnez forced_sale ou reset_property",
                    title=one.commodity,
                )
            for account in (one.source, one.target):
                if account.startswith(_BOUND):
                    raise Impossible(
                        "P.1",
                        "what {account} keeps moves with its agreement: order a remedy for that",
                        "ce que garde {account} suit son accord : ordonnez un remède pour celui-ci",
                        account=account,
                    )
                if account.removeprefix("player:") in draft.state.eliminated:
                    seat_named(draft.state, account.removeprefix("player:"), "P.1")
        super().carry_out(draft, ruling)


class Fine(remedies.Fine, frozen=True, kw_only=True):
    """A player still in play pays the bank, into debt if need be (I.B.3)."""

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Nobody who is out can be fined (I.B.5)."""
        seat_named(draft.state, self.seat, "P.1")
        super().carry_out(draft, ruling)


# ----------------------------------------------------------------------------------------------
# Tokens and turns
# ----------------------------------------------------------------------------------------------


class MoveSeat(remedies.Remedy, frozen=True, kw_only=True):
    """Put a token on a square (0 to 39 from Spawn), crossing nothing (III.C.2).

    With `stop`, in the player's own turn, they have stopped there: services open, and mandatory effects are due.
    """

    seat: SeatId
    square: Annotated[int, Meta(ge=0, le=1000)]
    stop: bool = False

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """An arrival without a stop opens nothing."""
        seat = _playing(draft, self.seat)
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
                "it is not {seat}'s turn: a token that is put on a square now does not stop there",
                "ce n'est pas le tour de {seat} : un pion posé maintenant sur une case ne s'y arrête pas",
                seat=seat,
            )
        tokens.place(draft, seat, self.square)


class ExtendTurn(remedies.Remedy, frozen=True, kw_only=True):
    """Give the turn under way more time (II.B.13)."""

    seconds: Annotated[int, Meta(ge=1, le=86_400)]

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """On top of what is left."""
        clock.extend(draft, self.seconds)


class RestartTurn(remedies.Remedy, frozen=True, kw_only=True):
    """Start the clock of the turn under way again, from now (II.B.13)."""

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """For a whole turn's time."""
        clock.restart_clock(draft)


class PauseTurn(remedies.Remedy, frozen=True, kw_only=True):
    """Stop the clock of the turn under way (IV.A.3)."""

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Until a ruling lets it run again."""
        clock.pause_clock(draft)


class ResumeTurn(remedies.Remedy, frozen=True, kw_only=True):
    """Let a stopped clock run again (IV.A.3)."""

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """With the time that was left."""
        clock.resume_clock(draft)


# ----------------------------------------------------------------------------------------------
# Agreements
# ----------------------------------------------------------------------------------------------


class EndContract(remedies.Remedy, frozen=True, kw_only=True):
    """End a contract in force; its price stays with the bank."""

    contract: AgreementId

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Before its rounds have elapsed."""
        contracts.end(draft, self.contract)


class EnforceContract(remedies.Remedy, frozen=True, kw_only=True):
    """Establish a breach and post its price, from a party to the bank or to a player (X.A.7, X.A.8)."""

    contract: AgreementId
    party: SeatId
    amount: Amount
    to: SeatId | Literal["bank"] = BANK
    reason: Text | None = None

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """A mandatory debit (I.B.3)."""
        reason = self.reason or _named(ruling)
        contracts.sanction(draft, self.contract, self.party, self.amount, to=self.to, reason=reason)


class AwardBounty(remedies.Remedy, frozen=True, kw_only=True):
    """Pay the deposit of a bounty to its winner (X.B.4)."""

    bounty: AgreementId
    winner: SeatId

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """An earlier claim stands in the way, unless the ruling waives X.B.4."""
        bounties.award(draft, self.bounty, self.winner)


class RefundBounty(remedies.Remedy, frozen=True, kw_only=True):
    """Close a bounty and give its deposit back (X.B.5)."""

    bounty: AgreementId
    reason: Text | None = None

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """In full."""
        bounties.close(draft, self.bounty, reason=self.reason or _named(ruling))


class ExtendLoan(remedies.Remedy, frozen=True, kw_only=True):
    """Grant a borrower further passages by Spawn before the loan is due (X.C.3)."""

    loan: AgreementId
    passages: Annotated[int, Meta(ge=1, le=1000)] = 1

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """On top of those granted before."""
        loans.extend(draft, agreement(draft.state, Loan, self.loan, "X.C.3"), self.passages)


class ForgiveLoan(remedies.Remedy, frozen=True, kw_only=True):
    """Write off what is left of a loan."""

    loan: AgreementId

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """What has been paid back stays paid."""
        loans.forgive(draft, agreement(draft.state, Loan, self.loan, "X.C.4"))


class CollectLoan(remedies.Remedy, frozen=True, kw_only=True):
    """Take what is left of a loan now (X.C.4)."""

    loan: AgreementId

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """A mandatory debit (I.B.3)."""
        loans.collect(draft, agreement(draft.state, Loan, self.loan, "X.C.4"))


class DeliverGoods(remedies.Remedy, frozen=True, kw_only=True):
    """Hand goods on their way to their recipient now (VIII.D.3)."""

    delivery: AgreementId

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Without a fee."""
        deliveries.land(draft, agreement(draft.state, Delivery, self.delivery, "VIII.D.3"))


class ReturnGoods(remedies.Remedy, frozen=True, kw_only=True):
    """Give goods on their way back to their sender (VIII.D.3)."""

    delivery: AgreementId

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """To the bank if the sender is out."""
        deliveries.send_back(draft, agreement(draft.state, Delivery, self.delivery, "VIII.D.3"))


# ----------------------------------------------------------------------------------------------
# Titles
# ----------------------------------------------------------------------------------------------


class ResetProperty(remedies.Remedy, frozen=True, kw_only=True):
    """Return a title to the bank with nothing left on it (V.B.8)."""

    title: AgreementId
    reason: Text | None = None

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """The owner gets nothing for it (V.B.9)."""
        title = title_named(self.title)
        reason = self.reason or _named(ruling)
        real_estate.reset(draft, title.id, cause="ruling", rule="V.B.8", reason=reason)


class ForcedSale(remedies.Remedy, frozen=True, kw_only=True):
    """Sell a title, with what is on it, to a player at a price (0 for none), paid to whoever owned it."""

    title: AgreementId
    buyer: SeatId
    price: titles.Price

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """The buyer needs the funds, unless the ruling waives I.B.3."""
        _require_started(draft)
        titles.force_sale(draft, title_named(self.title), self.buyer, self.price)


# ----------------------------------------------------------------------------------------------
# Players
# ----------------------------------------------------------------------------------------------


class IssueWarrant(remedies.Remedy, frozen=True, kw_only=True):
    """Put a player under an arrest warrant (VI.F.6). The reason is read by everybody."""

    seat: SeatId
    reason: Text | None = None

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """A second warrant adds nothing."""
        checkpoints.issue_warrant(draft, _playing(draft, self.seat), reason=self.reason or _named(ruling))


class LiftWarrant(remedies.Remedy, frozen=True, kw_only=True):
    """Lift the arrest warrant of a player (VI.F.6). The reason is read by everybody."""

    seat: SeatId
    reason: Text | None = None

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """There must be one."""
        checkpoints.lift_warrant(draft, _playing(draft, self.seat), reason=self.reason or _named(ruling))


class Eliminate(remedies.Remedy, frozen=True, kw_only=True):
    """Take a player out of the game, and settle what they leave (I.B.5). The reason is read by everybody."""

    seat: SeatId
    reason: Text | None = None

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """The last player left wins (II.E.3), and is not put out any more."""
        seat = _playing(draft, self.seat)
        if in_play(draft.state) == [seat]:
            raise Impossible(
                "II.E.3",
                "{seat} is the last player left, and has won",
                "{seat} est le dernier joueur en jeu, et a gagné",
                seat=seat,
            )
        victory.eliminate(draft, seat, reason=self.reason or _named(ruling), rule="P.1")


class DeclareVictory(remedies.Remedy, frozen=True, kw_only=True):
    """End the game with these winners; nothing but a correction can follow it."""

    winners: Annotated[tuple[SeatId, ...], Meta(min_length=1, max_length=8)]

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Winners are players still in play."""
        winners = tuple(dict.fromkeys(_playing(draft, seat) for seat in self.winners))
        victory.by_ruling(draft, winners)


def _named(ruling: Ruling) -> str:
    """What stands for a reason where none is given."""
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
)
"""What the banker may order of the game as it stands, by a ruling or where a card leaves it to the banker."""

Remedy = remedies.Dismiss | remedies.CorrectHistory | Order
"""Everything that a ruling may order at a table of Negopoly."""
