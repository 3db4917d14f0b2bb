"""X.B. Bounties: a deposit at the bank for the first player to meet the conditions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import Money, SeatId, Text
from ledger.kernel.rules.actions import Action, Bounds, Choice
from ledger.kernel.rules.chapter import Chapter, renamed
from ledger.rulebooks.negopoly.table.state import (
    Draft,
    Negopoly,
    agreement,
    in_play,
    keep,
    open_agreements,
    pay,
    seat_named,
    still_in,
)
from ledger.rulebooks.negopoly.table.terms import MONEY, Bounty, BountyId, player

chapter = Chapter("X.B. Bounties")


def escrow(bounty_id: str) -> str:
    """Return the escrow account of a bounty."""
    return f"escrow:bounty:{bounty_id}"


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


class _BountyEvent(Event, frozen=True, kw_only=True):
    """A public fact about a bounty. `bounty` is the new version."""

    bounty: Bounty

    def apply(self, state: Negopoly) -> None:
        """Store the bounty. A bounty is open while the deposit is in escrow."""
        keep(state, self.bounty, ended=self.bounty.status not in {"posted", "open"})


@chapter.event
class BountyPosted(_BountyEvent, frozen=True, kw_only=True):
    """A player posts a bounty: the deposit is in escrow, the bank has not accepted it yet (X.B.2)."""

    en: ClassVar[str] = "{bounty.poster:seat} deposits {bounty.amount:money} as a bounty: {bounty.conditions}"
    fr: ClassVar[str] = "{bounty.poster:seat} dépose une prime de {bounty.amount:money} : {bounty.conditions}"

    rule: str = "X.B.2"


@chapter.event
class BountyOpened(_BountyEvent, frozen=True, kw_only=True):
    """The bank accepts the conditions: players may claim the bounty from now on (X.B.3)."""

    en: ClassVar[str] = "Bounty {bounty.id} of {bounty.amount:money} is open: {bounty.conditions}"
    fr: ClassVar[str] = "La prime {bounty.id} de {bounty.amount:money} est ouverte : {bounty.conditions}"

    rule: str = "X.B.3"


@chapter.event
class BountyRefused(_BountyEvent, frozen=True, kw_only=True):
    """The bank refuses the conditions and returns the whole deposit (X.B.3)."""

    en: ClassVar[str] = "The bank refuses bounty {bounty.id} and returns {bounty.amount:money}{because}."
    fr: ClassVar[str] = "La banque refuse la prime {bounty.id} et rend {bounty.amount:money}{because}."

    rule: str = "X.B.3"
    reason: str | None = None

    @property
    def because(self) -> str:
        """The reason in brackets, or an empty text."""
        return f" ({self.reason})" if self.reason else ""


@chapter.event
class BountyClaimed(_BountyEvent, frozen=True, kw_only=True):
    """A player claims that they have met the conditions; claims are kept in order (X.B.4)."""

    en: ClassVar[str] = "{seat:seat} claims bounty {bounty.id}: {account}"
    fr: ClassVar[str] = "{seat:seat} réclame la prime {bounty.id} : {account}"

    rule: str = "X.B.4"
    seat: str
    account: str


@chapter.event
class ClaimRejected(_BountyEvent, frozen=True, kw_only=True):
    """The banker rejects a claim; the next claim comes first (X.B.4)."""

    en: ClassVar[str] = "{seat:seat}'s claim on bounty {bounty.id} is not confirmed: {reason}"
    fr: ClassVar[str] = "La réclamation {seat:de|seat} sur la prime {bounty.id} n'est pas confirmée : {reason}"

    rule: str = "X.B.4"
    seat: str
    reason: str


@chapter.event
class BountyAwarded(_BountyEvent, frozen=True, kw_only=True):
    """The first player to meet the conditions gets the whole deposit (X.B.4)."""

    en: ClassVar[str] = "{bounty.winner:seat} wins bounty {bounty.id}: {bounty.amount:money}."
    fr: ClassVar[str] = "{bounty.winner:seat} remporte la prime {bounty.id} : {bounty.amount:money}."

    rule: str = "X.B.4"


@chapter.event
class BountyRefunded(_BountyEvent, frozen=True, kw_only=True):
    """The deposit of an unearned bounty goes back to its poster, or to the bank if the poster is out (X.B.5)."""

    en: ClassVar[str] = "Bounty {bounty.id} is closed and its deposit of {bounty.amount:money} goes back{because}."
    fr: ClassVar[str] = "La prime {bounty.id} est close et son dépôt de {bounty.amount:money} est rendu{because}."

    rule: str = "X.B.5"
    reason: str | None = None
    """The banker's reason; None at the end of the game."""

    @property
    def because(self) -> str:
        """The reason in brackets, or an empty text."""
        return f" ({self.reason})" if self.reason else ""


# ----------------------------------------------------------------------------------------------
# Actions of players
# ----------------------------------------------------------------------------------------------


@chapter.action(
    summary=("place a bounty on an action", "placer une prime sur une action"),
    when=("at any moment", "à tout moment"),
)
class PostBounty(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player deposits an amount for the first who meets the conditions (X.B.1, X.B.2), irrevocably (X.B.5)."""

    amount: Money
    conditions: Text

    def decide(self, draft: Draft) -> None:
        """Put the whole amount in escrow, at once and without a fee."""
        seat = still_in(draft)
        bounty = Bounty(
            id=draft.new_id(), status="posted", poster=seat, amount=self.amount, conditions=self.conditions
        )
        deposit = pay(draft, seat, self.amount, "X.B.2", escrow(bounty.id))
        draft.record(BountyPosted(bounty=bounty, postings=deposit))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Suggest an amount and conditions; both are free."""
        maximum = max(1, state.holdings.of(player(seat), MONEY))
        yield Choice({"amount": 1, "conditions": "…"}, free={"amount": Bounds(1, maximum), "conditions": Bounds()})


@chapter.action(
    summary=("claim a bounty", "réclamer une prime"),
    when=(
        "at any moment while it is open, but not by its poster",
        "à tout moment tant qu'elle est ouverte, sauf par qui l'a placée",
    ),
)
class ClaimBounty(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player claims that they have met the conditions of another player's open bounty (X.B.4)."""

    bounty: BountyId
    statement: Text

    def decide(self, draft: Draft) -> None:
        """Refuse the poster and a second claim of one player. Claims are kept in the order of the journal."""
        seat = still_in(draft)
        bounty = _open(draft.state, self.bounty)
        _require_other(draft, bounty, seat)
        if seat in bounty.claims:
            raise Impossible(
                "X.B.4",
                "{seat:seat} has already claimed bounty {id}",
                "{seat:seat} a déjà réclamé la prime {id}",
                seat=seat,
                id=bounty.id,
            )
        claimed = replace(bounty, claims=(*bounty.claims, seat))
        draft.record(BountyClaimed(seat=seat, account=self.statement, bounty=claimed))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each open bounty of another player."""
        for bounty in _bounties(state, "open"):
            if bounty.poster != seat:
                yield Choice({"bounty": bounty.id, "statement": "…"}, free=("statement",))


chapter.upcast_action("claim_bounty", renamed(account="statement"))


# ----------------------------------------------------------------------------------------------
# Actions of the banker
# ----------------------------------------------------------------------------------------------


@chapter.action(
    by=("banker",),
    summary=("accept or refuse the conditions of a bounty", "accepter ou refuser les conditions d'une prime"),
    when=("once it is posted", "une fois qu'elle est placée"),
)
class ApproveBounty(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The banker opens a bounty with clear and verifiable conditions, or returns it in full (X.B.3)."""

    bounty: BountyId
    accept: bool
    reason: Text | None = None

    def decide(self, draft: Draft) -> None:
        """Refuse a second decision."""
        bounty: Bounty = agreement(draft.state, Bounty, self.bounty, "X.B.3")
        if bounty.status != "posted":
            raise Impossible(
                "X.B.3",
                "bounty {id} is open already",
                "la prime {id} est déjà ouverte",
                id=bounty.id,
            )
        if self.accept:
            draft.record(BountyOpened(bounty=replace(bounty, status="open")))
        else:
            refused = replace(bounty, status="refused")
            draft.record(BountyRefused(bounty=refused, reason=self.reason, postings=_refund(draft, bounty)))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer both answers for each bounty without an answer from the bank."""
        for bounty in _bounties(state, "posted"):
            yield Choice({"bounty": bounty.id, "accept": True}, free=("reason",), alike="accepted")
            yield Choice({"bounty": bounty.id, "accept": False}, free=("reason",), alike="refused")


@chapter.action(
    by=("banker",),
    summary=("reject a claim on a bounty", "rejeter une réclamation de prime"),
    when=("while the bounty is open", "tant que la prime est ouverte"),
)
class RejectClaim(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The banker rejects a player's claim; the player may claim again later (X.B.4)."""

    bounty: BountyId
    claimant: SeatId
    reason: Text

    def decide(self, draft: Draft) -> None:
        """Remove the claim; later claims move up."""
        bounty = _open(draft.state, self.bounty)
        if self.claimant not in bounty.claims:
            raise Impossible(
                "X.B.4",
                "{seat:seat} has not claimed bounty {id}",
                "{seat:seat} n'a pas réclamé la prime {id}",
                seat=self.claimant,
                id=bounty.id,
            )
        remaining = tuple(seat for seat in bounty.claims if seat != self.claimant)
        draft.record(
            ClaimRejected(seat=self.claimant, reason=self.reason, bounty=replace(bounty, claims=remaining))
        )

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each claim."""
        for bounty in _bounties(state, "open"):
            for claimant in bounty.claims:
                params = {"bounty": bounty.id, "claimant": claimant, "reason": "…"}
                yield Choice(params, free=("reason",), alike="any")


@chapter.action(
    by=("banker",),
    summary=("award a bounty to its winner", "attribuer une prime à son gagnant"),
    when=("while the bounty is open", "tant que la prime est ouverte"),
)
class AwardBounty(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The banker pays the deposit to the first player who met the conditions: the first claim, if any (X.B.4)."""

    bounty: BountyId
    winner: SeatId

    def decide(self, draft: Draft) -> None:
        """Refuse the poster as the winner (X.B.1)."""
        award(draft, self.bounty, self.winner)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each open bounty to the possible winners: the first claimant, or any player if nobody has
        claimed.
        """
        for bounty in _bounties(state, "open"):
            standing = [claimant for claimant in bounty.claims if claimant not in state.eliminated]
            for winner in standing[:1] or in_play(state):
                yield Choice({"bounty": bounty.id, "winner": winner}, alike=winner == bounty.poster)


@chapter.action(
    by=("banker",),
    summary=("close a bounty that has become impossible", "clore une prime devenue impossible"),
    when=("while nobody has won it", "tant que personne ne l'a remportée"),
)
class CloseBounty(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The banker closes a bounty that nobody can win; the deposit goes back (X.B.5)."""

    bounty: BountyId
    reason: Text

    def decide(self, draft: Draft) -> None:
        """Return the whole deposit."""
        close(draft, self.bounty, reason=self.reason)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each bounty without a winner."""
        for bounty in open_agreements(state, Bounty):
            yield Choice({"bounty": bounty.id, "reason": "…"}, free=("reason",), alike="any")


def award(draft: Draft, bounty_id: str, seat: str) -> None:
    """Pay the deposit of an open bounty to a seat (X.B.4).

    Refuses the poster (X.B.1), and any player who is not the first claimant.
    """
    bounty = _open(draft.state, bounty_id)
    winner = seat_named(draft.state, seat, "X.B.4")
    _require_other(draft, bounty, winner)
    standing = [claimant for claimant in bounty.claims if claimant not in draft.state.eliminated]
    draft.require(
        not standing or standing[0] == winner,
        "X.B.4",
        "{first:seat} claimed bounty {id} before {winner:seat}: reject that claim first",
        "{first:seat} a réclamé la prime {id} avant {winner:seat} : rejetez d'abord cette réclamation",
        first=standing[0] if standing else None,
        id=bounty.id,
        winner=winner,
    )
    prize = Posting(MONEY, bounty.amount, escrow(bounty.id), player(winner))
    awarded = replace(bounty, status="awarded", winner=winner)
    draft.record(BountyAwarded(bounty=awarded, postings=(prize,)))


def close(draft: Draft, bounty_id: str, *, reason: str) -> None:
    """Return the deposit of a bounty without a winner (X.B.5)."""
    _close(draft, agreement(draft.state, Bounty, bounty_id, "X.B.5"), reason=reason)


def close_at_end(draft: Draft) -> None:
    """Return the deposits of open bounties at the end of the game (X.B.5)."""
    for bounty in open_agreements(draft.state, Bounty):
        _close(draft, bounty, reason=None)


def _close(draft: Draft, bounty: Bounty, *, reason: str | None) -> None:
    refunded = replace(bounty, status="refunded")
    draft.record(BountyRefunded(bounty=refunded, reason=reason, postings=_refund(draft, bounty)))


def _refund(draft: Draft, bounty: Bounty) -> tuple[Posting, ...]:
    """Return the posting of the deposit to the poster, or to the bank if the poster is eliminated (I.B.5)."""
    target = BANK if bounty.poster in draft.state.eliminated else player(bounty.poster)
    return (Posting(MONEY, bounty.amount, escrow(bounty.id), target),)


def _open(state: Negopoly, bounty_id: str) -> Bounty:
    """Return a bounty by id after checking that the bank has accepted the conditions and nobody has won."""
    bounty: Bounty = agreement(state, Bounty, bounty_id, "X.B.4")
    if bounty.status != "open":
        raise Impossible(
            "X.B.3",
            "the bank has not accepted the conditions of bounty {id} yet",
            "la banque n'a pas encore accepté les conditions de la prime {id}",
            id=bounty.id,
        )
    return bounty


def _require_other(draft: Draft, bounty: Bounty, seat: str) -> None:
    """Refuse the poster, who cannot win the bounty (X.B.1)."""
    draft.require(
        seat != bounty.poster,
        "X.B.1",
        "{seat:seat} placed bounty {id} and cannot win it",
        "{seat:seat} a placé la prime {id} et ne peut pas la remporter",
        seat=seat,
        id=bounty.id,
    )


def _bounties(state: Negopoly, status: str) -> list[Bounty]:
    return [bounty for bounty in open_agreements(state, Bounty) if bounty.status == status]
