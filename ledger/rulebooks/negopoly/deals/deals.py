"""I.A and I.C. Deals: players may agree on anything; a deal binds only the consenting players."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from ledger.kernel.facts.audience import Audience
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import SeatId, Text, of_kind
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter, renamed
from ledger.rulebooks.negopoly.deals.principles import warn_of_debts
from ledger.rulebooks.negopoly.estate.real_estate import spare_owner
from ledger.rulebooks.negopoly.goods import deliveries
from ledger.rulebooks.negopoly.table.pieces import DELIVERABLE, ITEMS, TITLES, travels
from ledger.rulebooks.negopoly.table.state import (
    Draft,
    Negopoly,
    agreement,
    keep,
    latest_of,
    nothing_strikes,
    open_agreements,
    others_in_play,
    own_agreement,
    parties_only,
    pay,
    seat_named,
    still_in,
    title_named,
    titles_of,
)
from ledger.rulebooks.negopoly.table.terms import (
    MONEY,
    STATUS_FR,
    Deal,
    DealId,
    Leg,
    deed,
    player,
)
from ledger.rulebooks.parts.agreements import among
from ledger.rulebooks.parts.trades import moved, require_between

chapter = Chapter("I.A, I.C. Deals")

Form = Annotated[
    str,
    Meta(min_length=1, max_length=80, description="how consent was given: spoken, written, a gesture…"),
    of_kind("text"),
]


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


class _DealEvent(Event, frozen=True, kw_only=True):
    """A fact about a deal, visible to the parties only (I.C.6). `deal` is the new version."""

    deal: Deal

    def apply(self, state: Negopoly) -> None:
        """Store the deal. A deal is open while proposed, or while goods of the deal are due."""
        keep(state, self.deal, ended=self.deal.status != "proposed" and not self.deal.due)

    def audience(self) -> Audience:
        """Return the parties."""
        return parties_only(self.deal.parties)


@chapter.event
class DealProposed(_DealEvent, frozen=True, kw_only=True):
    """A player proposes a deal; nothing moves yet (I.A.1.2)."""

    en: ClassVar[str] = "{seat:seat} proposes deal {deal.id} between {deal.parties:seats}: {deal:content}."
    fr: ClassVar[str] = "{seat:seat} propose l'accord {deal.id} entre {deal.parties:seats} : {deal:content}."

    rule: str = "I.A.1.2"
    seat: str
    form: str | None = None


@chapter.event
class DealAgreed(_DealEvent, frozen=True, kw_only=True):
    """A party consents (I.A.1.2)."""

    en: ClassVar[str] = "{seat:seat} agrees to deal {deal.id}."
    fr: ClassVar[str] = "{seat:seat} consent à l'accord {deal.id}."

    rule: str = "I.A.1.2"
    seat: str
    form: str | None = None


@chapter.event
class DealConcluded(_DealEvent, frozen=True, kw_only=True):
    """All parties have consented: the deal takes effect (I.A.1.2)."""

    en: ClassVar[str] = "Deal {deal.id} between {deal.parties:seats} is concluded."
    fr: ClassVar[str] = "L'accord {deal.id} entre {deal.parties:seats} est conclu."

    rule: str = "I.A.1.2"


@chapter.event
class DealWithdrawn(_DealEvent, frozen=True, kw_only=True):
    """The proposer withdraws a proposal, or a party refuses it (I.A.1.2)."""

    en: ClassVar[str] = "{seat:seat} wants none of deal {deal.id}: the proposal is withdrawn."
    fr: ClassVar[str] = "{seat:seat} ne veut pas de l'accord {deal.id} : la proposition est retirée."

    rule: str = "I.A.1.2"
    seat: str


@chapter.event
class DealBroken(_DealEvent, frozen=True, kw_only=True):
    """A party records a deal as broken; this has no effect (I.C.3), and its truth is not checked (I.C.1)."""

    en: ClassVar[str] = "{seat:seat} records deal {deal.id} as broken."
    fr: ClassVar[str] = "{seat:seat} déclare rompu l'accord {deal.id}."

    rule: str = "I.C.3"
    seat: str
    account: str | None = None


@chapter.event
class DealPaid(Event, frozen=True, kw_only=True):
    """The money leg of a concluded deal is paid: any price, a voluntary payment (I.A.1.3, I.B.3)."""

    en: ClassVar[str] = "{giver:seat} pays {amount:money} to {taker:seat} for deal {deal}."
    fr: ClassVar[str] = "{giver:seat} paie {amount:money} à {taker:seat} pour l'accord {deal}."

    rule: str = "I.A.1.3"
    deal: str
    parties: tuple[str, ...]
    giver: str
    taker: str
    amount: int

    def audience(self) -> Audience:
        """Return the parties, who know the price."""
        return parties_only(self.parties)


@chapter.event
class TitleTransferred(Event, frozen=True, kw_only=True):
    """A title moves between players, with everything attached to it (V.D.3); the price is private."""

    en: ClassVar[str] = "{title:title} passes from {giver:seat} to {taker:seat}."
    fr: ClassVar[str] = "{title:title} passe {giver:de|seat} à {taker:seat}."

    rule: str = "V.D.3"
    title: str
    giver: str
    taker: str

    def apply(self, state: Negopoly) -> None:
        """End the giver's delegations."""
        state.delegations = {delegation for delegation in state.delegations if delegation[0] != self.title}
        spare_owner(state, self.title, self.giver, self.taker)


def private_deals(events: Iterable[Event]) -> dict[str, frozenset[str]]:
    """Return the deals in the events, as "deal:<id>", each with the parties (I.C.5)."""
    parties_by_deal: dict[str, frozenset[str]] = {}
    for event in events:
        match event:
            case _DealEvent(deal=deal) | deliveries.DeliverySent(deal=Deal() as deal):
                parties_by_deal[f"deal:{deal.id}"] = frozenset(deal.parties)
            case deliveries.ExpressDelivered(deal=Deal() as deal):
                parties_by_deal[f"deal:{deal.id}"] = frozenset(deal.parties)
            case DealPaid(deal=deal_id, parties=parties):
                parties_by_deal[f"deal:{deal_id}"] = frozenset(parties)
    return parties_by_deal


# ----------------------------------------------------------------------------------------------
# Actions
# ----------------------------------------------------------------------------------------------


@chapter.action(
    summary=("propose a deal", "proposer un accord"),
    when=("at any moment", "à tout moment"),
)
class ProposeDeal(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player proposes a deal: transfers of money, titles and items (`legs`, settled in order), and free clauses.

    Without `parties`, the parties are the proposer and the players of the legs. The proposer is always a party.
    """

    legs: Annotated[tuple[Leg, ...], Meta(max_length=100), of_kind("legs")] = ()
    clauses: Annotated[tuple[Text, ...], Meta(max_length=50)] = ()
    parties: Annotated[tuple[SeatId, ...], Meta(max_length=8)] | None = None
    form: Form | None = None

    def decide(self, draft: Draft) -> None:
        """Record the proposal and the proposer's consent. The remaining parties still have to consent
        (I.A.1.2).
        """
        named = self.parties
        if named is None:
            named = tuple(seat for leg in self.legs for seat in (leg.giver, leg.taker))
        propose(draft, named, self.legs, self.clauses, rule="I.A.1.2", form=self.form)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Suggest for each player a gift of ₦1, and each title of the player at the list price. Everything may
        be changed.
        """
        free = ("legs", "clauses", "parties", "form")
        for partner in others_in_play(state, seat):
            paid = {"giver": seat, "taker": partner, "commodity": MONEY}
            yield Choice({"legs": [{**paid, "amount": 1}], "clauses": []}, free, alike="any")
            for title in titles_of(state, partner):
                handed = {"giver": partner, "taker": seat, "commodity": deed(title), "amount": 1}
                yield Choice(
                    {"legs": [handed, {**paid, "amount": TITLES[title].price}], "clauses": []}, free, alike="any"
                )


@chapter.action(
    summary=("agree to a deal", "consentir à un accord"),
    when=("at any moment, as a party to the proposal", "à tout moment, si on est partie à la proposition"),
)
class AgreeDeal(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A party consents to a proposed deal; the last consent concludes it (I.A.1.2)."""

    deal: DealId
    form: Form | None = None

    def decide(self, draft: Draft) -> None:
        """Record the consent. The last consent moves all money and titles, or nothing; items become deliveries
        (II.D.1).
        """
        seat = still_in(draft)
        deal = _proposal(draft, self.deal)
        for party in deal.parties:
            seat_named(draft.state, party, "I.A.1.2")
        if seat in deal.agreed:
            raise Impossible(
                "I.A.1.2",
                "{seat:seat} has already agreed to deal {id}",
                "{seat:seat} a déjà consenti à l'accord {id}",
                seat=seat,
                id=deal.id,
            )
        agreed = replace(deal, agreed=(*deal.agreed, seat))
        draft.record(DealAgreed(seat=seat, deal=agreed, form=self.form))
        if set(agreed.agreed) == set(agreed.parties):
            _conclude(draft, agreed)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each proposal without the seat's consent."""
        waiting = [deal for deal in _deals(state, seat, "proposed") if seat not in deal.agreed]
        return among(waiting, "deal", free=("form",))


@chapter.action(
    summary=("take back or refuse a proposal of a deal", "retirer ou refuser une proposition d'accord"),
    when=(
        "at any moment before it is concluded, as a party",
        "à tout moment avant sa conclusion, si on y est partie",
    ),
)
class WithdrawDeal(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A party ends a proposal: its proposer withdraws it, or another party refuses it (I.A.1.2)."""

    deal: DealId

    def decide(self, draft: Draft) -> None:
        """Refuse a concluded deal. A concluded deal can only be broken."""
        seat = still_in(draft)
        deal = _proposal(draft, self.deal)
        draft.record(DealWithdrawn(seat=seat, deal=replace(deal, status="withdrawn")))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each proposal with the seat as a party."""
        return among(_deals(state, seat, "proposed"), "deal", alike="any")


@chapter.action(
    summary=("record a deal as broken", "déclarer un accord rompu"),
    when=("at any moment once it is concluded, as a party", "à tout moment une fois conclu, si on y est partie"),
)
class BreakDeal(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A party records a concluded deal as broken, with a free text; each party once (I.C.3)."""

    deal: DealId
    statement: Text | None = None

    def decide(self, draft: Draft) -> None:
        """Record the text only: nothing is moved, fined or reversed, and goods due may still be sent."""
        seat = still_in(draft)
        deal: Deal = own_agreement(draft, Deal, self.deal, "I.C.3", or_ended=True)
        if deal.status not in {"concluded", "broken"}:
            raise Impossible(
                "I.A.1.2",
                "deal {id} is {status}: it binds nobody and cannot be broken",
                "l'accord {id} ({etat}) ne lie personne et ne peut pas être rompu",
                id=deal.id,
                status=deal.status,
                etat=STATUS_FR[deal.status],
            )
        if seat in deal.broken_by:
            raise Impossible(
                "I.C.3",
                "{seat:seat} has already recorded deal {id} as broken",
                "{seat:seat} a déjà déclaré rompu l'accord {id}",
                seat=seat,
                id=deal.id,
            )
        broken = replace(deal, status="broken", broken_by=(*deal.broken_by, seat))
        draft.record(DealBroken(seat=seat, deal=broken, account=self.statement))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each concluded deal not yet recorded as broken by the seat."""
        concluded = latest_of(
            state, Deal, seat, lambda deal: deal.status in {"concluded", "broken"} and seat not in deal.broken_by
        )
        return among(concluded, "deal", free=("statement",), alike="any")


chapter.upcast_action("break_deal", renamed(account="statement"))


# ----------------------------------------------------------------------------------------------
# Proposal and conclusion
# ----------------------------------------------------------------------------------------------


def propose(
    draft: Draft,
    parties: tuple[str, ...],
    legs: tuple[Leg, ...],
    clauses: tuple[str, ...],
    *,
    rule: str,
    form: str | None = None,
) -> Deal:
    """Record a proposal of a deal by the acting seat, with the seat's consent.

    The acting seat is always a party, even if missing from `parties`. Returns the deal. Raises Impossible for
    an unknown or eliminated party, for a leg with a stranger or with a commodity excluded from deals (I.A.1.1,
    I.C.2), and for a deal without a second party or without content.
    """
    seat = still_in(draft)
    everyone = tuple(dict.fromkeys((seat, *parties)))
    for party in everyone:
        seat_named(draft.state, party, "I.C.2")
    if len(everyone) < 2:
        raise Impossible(
            "I.A.1.2",
            "a deal needs somebody else's consent: {seat:seat} is its only party",
            "un accord demande le consentement de quelqu'un d'autre : {seat:seat} y est seul",
            seat=seat,
        )
    if not legs and not clauses:
        raise Impossible(
            "I.A.1.1",
            "a deal without a leg or a clause is about nothing",
            "un accord sans mouvement ni clause ne porte sur rien",
        )
    for leg in legs:
        _check(leg, everyone)
    deal = Deal(id=draft.new_id(), status="proposed", parties=everyone, legs=legs, clauses=clauses, agreed=(seat,))
    draft.record(DealProposed(rule=rule, seat=seat, deal=deal, form=form))
    return deal


def _check(leg: Leg, parties: tuple[str, ...]) -> None:
    """Raise RuleBroken unless the leg moves a transferable commodity between two parties."""
    require_between(leg, parties, stranger="I.C.2", oneself="I.A.1.1")
    title = _title_in(leg)
    if title is not None:
        title_named(title)
    elif leg.commodity != MONEY and not travels(leg.commodity):
        is_listed = leg.commodity in ITEMS
        raise Impossible(
            "VIII.D.1" if is_listed else "I.A.1.1",
            "{commodity:goods} cannot pass from one player to another: money, titles, cards and these can: "
            "{goods:each|goods}",
            "{commodity:goods} ne peut pas passer d'un joueur à un autre : seuls l'argent, les "
            "titres, les cartes et "
            "ceci le peuvent : {goods:each|goods}",
            commodity=leg.commodity,
            goods=sorted(DELIVERABLE),
        )
    if leg.commodity != MONEY and (leg.amount != 1 if title is not None else leg.amount < 1):
        raise Impossible(
            "I.A.1.1",
            "a deal cannot move {amount} × {commodity:goods}",
            "un accord ne peut pas déplacer {amount} × {commodity:goods}",
            amount=leg.amount,
            commodity=leg.commodity,
        )
    if leg.express is not None and not travels(leg.commodity):
        raise Impossible(
            "VIII.D.5",
            "only goods travel by express delivery, not {commodity:goods}",
            "seuls des objets voyagent en livraison express, pas {commodity:goods}",
            commodity=leg.commodity,
        )


def _conclude(draft: Draft, deal: Deal) -> None:
    """Carry out a deal, leg by leg in order. If one leg is impossible, nothing happens (I.A.1.2).

    Goods of the current player are sent at once, unless a Bombe IEM (IX.C.25) or a mandatory effect of the
    square (II.B.7) prevents the delivery. All other goods stay due until the giver's own turn (II.D.1).
    """
    goods = tuple(index for index, leg in enumerate(deal.legs) if travels(leg.commodity))
    concluded = replace(deal, status="concluded", due=goods)
    draft.record(DealConcluded(deal=concluded))
    turn = draft.state.turn
    for index, leg in enumerate(deal.legs):
        title = _title_in(leg)
        if title is not None:
            _hand_over(draft, leg, title)
        elif leg.commodity == MONEY:
            _pay_leg(draft, deal, leg)
        elif turn is not None and leg.giver == turn.seat and deliveries.may_travel(draft.state, leg):
            payer = leg.taker if leg.express == "taker" else leg.giver
            standing = agreement(draft.state, Deal, deal.id, "I.A.1.2")
            deliveries.fulfil(draft, standing, index, fee_payer=payer if leg.express else None)
    warn_of_debts(draft, deal.legs)


def _hand_over(draft: Draft, leg: Leg, title: str) -> None:
    nothing_strikes(draft, title)
    if not draft.state.holdings.of(player(leg.giver), leg.commodity):
        raise Impossible(
            "I.A.1.1",
            "{title} is not {giver:seat}'s to give",
            "{title} n'est pas à {giver:seat}, qui ne peut pas la céder",
            title=TITLES[title].name,
            giver=leg.giver,
        )
    draft.record(TitleTransferred(title=title, giver=leg.giver, taker=leg.taker, postings=(moved(leg),)))


def _pay_leg(draft: Draft, deal: Deal, leg: Leg) -> None:
    postings = pay(draft, leg.giver, leg.amount, "I.B.3", player(leg.taker))
    if postings:
        draft.record(
            DealPaid(
                deal=deal.id,
                parties=deal.parties,
                giver=leg.giver,
                taker=leg.taker,
                amount=leg.amount,
                postings=postings,
            )
        )


def _proposal(draft: Draft, deal_id: str) -> Deal:
    """Return the acting seat's deal by id after checking for the status "proposed"."""
    deal: Deal = own_agreement(draft, Deal, deal_id, "I.A.1.2")
    if deal.status != "proposed":
        raise Impossible(
            "I.A.1.2",
            "deal {id} is already {status}",
            "l'accord {id} n'est plus une proposition ({etat})",
            id=deal.id,
            status=deal.status,
            etat=STATUS_FR[deal.status],
        )
    return deal


def _title_in(leg: Leg) -> str | None:
    """Return the id of the title moved by the leg, or None for any other commodity."""
    return leg.commodity.removeprefix("title:") if leg.commodity.startswith("title:") else None


def _deals(state: Negopoly, seat: str, status: str) -> list[Deal]:
    return [deal for deal in open_agreements(state, Deal) if deal.status == status and seat in deal.parties]
