"""VIII.D. Deliveries between players. Purchases for another player are in `gifts`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.audience import Audience, only
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible, Malformed
from ledger.kernel.facts.values import CommodityId, Quantity, SeatId, of_kind
from ledger.kernel.rules.actions import Action, Bounds, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.arsenal import disruption
from ledger.rulebooks.negopoly.board import squares
from ledger.rulebooks.negopoly.cards import weather
from ledger.rulebooks.negopoly.table.pieces import DELIVERABLE, ITEMS, travels
from ledger.rulebooks.negopoly.table.state import (
    Draft,
    Negopoly,
    in_play,
    keep,
    open_agreements,
    own_agreement,
    own_turn,
    pay,
    seat_named,
)
from ledger.rulebooks.negopoly.table.terms import Deal, DealId, Delivery, Leg, player

chapter = Chapter("VIII.D. Deliveries")

EXPRESS_FEE = ITEMS["express_delivery"].price
"""The fee of an express delivery, in whole ₦ (VIII.D.5)."""


def transit(delivery_id: str) -> str:
    """Return the account of goods in transit."""
    return f"transit:{delivery_id}"


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


class _DeliveryEvent(Event, frozen=True, kw_only=True):
    """A fact about a delivery, for the sender and the recipient alone (I.C.6). `delivery` is the new version."""

    delivery: Delivery

    def apply(self, state: Negopoly) -> None:
        """Store the delivery. A delivery is open while in transit."""
        keep(state, self.delivery, ended=self.delivery.status != "open")

    def audience(self) -> Audience:
        """Return the sender and the recipient."""
        return only(self.delivery.sender, self.delivery.recipient)


class _Sending(_DeliveryEvent, frozen=True, kw_only=True):
    """The departure of goods. `deal` is the new version of the deal behind the delivery, if any."""

    deal: Deal | None = None

    def apply(self, state: Negopoly) -> None:
        """Store the deal. A leg is no longer due once sent."""
        super().apply(state)
        if self.deal is not None:
            keep(state, self.deal, ended=not self.deal.due)


@chapter.event
class DeliverySent(_Sending, frozen=True, kw_only=True):
    """A player sends goods: they move from the inventory to transit (VIII.D.3)."""

    en: ClassVar[str] = (
        "{delivery.sender:seat} sends {delivery.amount} × {delivery.commodity:goods} to {delivery.recipient:seat}."
    )
    fr: ClassVar[str] = (
        "{delivery.sender:seat} envoie {delivery.amount} × {delivery.commodity:goods} à {delivery.recipient:seat}."
    )

    rule: str = "VIII.D.3"


@chapter.event
class ExpressDelivered(_Sending, frozen=True, kw_only=True):
    """A player sends goods express: the recipient has them at once, for a fee to the bank (VIII.D.5)."""

    en: ClassVar[str] = (
        "{delivery.sender:seat} delivers {delivery.amount} × {delivery.commodity:goods} to "
        "{delivery.recipient:seat} at once; {payer:seat} pays {fee:money}."
    )
    fr: ClassVar[str] = (
        "{delivery.sender:seat} livre aussitôt {delivery.amount} × {delivery.commodity:goods} à "
        "{delivery.recipient:seat} ; {payer:seat} paie {fee:money}."
    )

    rule: str = "VIII.D.5"
    payer: str
    fee: int


@chapter.event
class DeliveryArrived(_DeliveryEvent, frozen=True, kw_only=True):
    """The recipient gets the goods: the sender's next turn starts, or a ruling decides so (VIII.D.3)."""

    en: ClassVar[str] = (
        "{delivery.amount} × {delivery.commodity:goods} from {delivery.sender:seat} "
        "reach {delivery.recipient:seat}."
    )
    fr: ClassVar[str] = (
        "{delivery.amount} × {delivery.commodity:goods} {delivery.sender:de|seat} : "
        "livrés à {delivery.recipient:seat}."
    )

    rule: str = "VIII.D.3"


@chapter.event
class DeliveryReturned(_DeliveryEvent, frozen=True, kw_only=True):
    """The goods go back to the sender or the bank: the recipient is out, or a ruling decides so (VIII.D.3)."""

    en: ClassVar[str] = "{delivery.amount} × {delivery.commodity:goods} for {delivery.recipient:seat} come back."
    fr: ClassVar[str] = (
        "{delivery.amount} × {delivery.commodity:goods} pour {delivery.recipient:seat} : retour à l'envoyeur."
    )

    rule: str = "VIII.D.3"


# ----------------------------------------------------------------------------------------------
# Sending
# ----------------------------------------------------------------------------------------------


@chapter.action(
    summary=("send goods to another player", "envoyer des objets à un autre joueur"),
    when=("in your own turn, before or after the roll", "pendant son tour, avant ou après le lancer"),
)
class SendDelivery(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player sends goods of one kind: a gift (`to`, `commodity`, `amount`), or due under a deal (`deal`, `leg`).

    `leg` counts from 0 (VIII.D). With `express` the goods arrive at once for ₦50, paid by the sender. With
    `recipient_pays` the recipient pays; this needs the recipient's agreement in the deal ("express": "taker").
    """

    to: SeatId | None = None
    commodity: CommodityId | None = None
    amount: Quantity | None = None
    express: bool = False
    recipient_pays: bool = False
    deal: DealId | None = None
    leg: Annotated[int, Meta(ge=0, le=99), of_kind("quantity")] | None = None

    def decide(self, draft: Draft) -> None:
        """Refuse outside the sender's turn (VIII.D.2), and while an effect of the square is due (II.B.7)."""
        own_turn(draft, "VIII.D.2")
        position = draft.state.positions[draft.seat]
        draft.require(
            not squares.is_pending(draft.state, draft.seat),
            "II.B.7",
            "the effect of {square} comes before a delivery: resolve the square first",
            "l'effet de {square} passe avant une livraison : résolvez d'abord la case",
            square=draft.state.board[position].name,
        )
        if self.recipient_pays and not self.express:
            raise Malformed(
                "recipient_pays goes with express: an ordinary delivery costs nothing",
                "recipient_pays va avec express : une livraison ordinaire ne coûte rien",
            )
        if self.deal is not None and self.leg is not None:
            self._fulfil(draft, self.deal, self.leg)
            return
        if self.to is None or self.commodity is None or self.deal is not None or self.leg is not None:
            raise Malformed(
                "a delivery is either {free} or {due}",
                "une livraison est soit {free}, soit {due}",
                free="to + commodity (+ amount)",
                due="deal + leg",
            )
        seat = draft.seat
        to = seat_named(draft.state, self.to, "VIII.D.1")
        if to == seat:
            raise Impossible(
                "VIII.D.1",
                "{seat:seat} cannot send anything to themselves",
                "{seat:seat} ne peut rien s'envoyer",
                seat=seat,
            )
        if not draft.rulebook.accounts.knows_commodity(draft.state, self.commodity):
            raise Impossible(
                "VIII.D.1",
                "there is no {commodity!r} in this game to be sent",
                "il n'y a pas de {commodity!r} à envoyer dans cette partie",
                commodity=self.commodity,
            )
        if not travels(self.commodity):
            raise Impossible(
                "VIII.D.1",
                "{commodity:goods} does not travel by delivery; cards do, and: {goods:each|goods}",
                "{commodity:goods} ne voyage pas en livraison ; les cartes, si, et : {goods:each|goods}",
                commodity=self.commodity,
                goods=sorted(DELIVERABLE),
            )
        payer = self._payer(draft, seat, to, agreed=False)
        _send(
            draft,
            Leg(giver=seat, taker=to, commodity=self.commodity, amount=1 if self.amount is None else self.amount),
            fee_payer=payer if self.express else None,
        )

    def _fulfil(self, draft: Draft, deal_id: str, index: int) -> None:
        """Send the goods of a leg due under a concluded deal (II.D.1)."""
        seat = draft.seat
        deal: Deal = own_agreement(draft, Deal, deal_id, "II.D.1")
        leg = deal.legs[index] if index in deal.due else None
        if leg is None or leg.giver != seat:
            raise Impossible(
                "II.D.1",
                "{seat:seat} has nothing to send for leg {leg} of deal {id}",
                "{seat:seat} n'a rien à envoyer pour le mouvement {leg} de l'accord {id}",
                seat=seat,
                leg=index,
                id=deal_id,
            )
        requested = (self.to, self.commodity, self.amount)
        agreed = (leg.taker, leg.commodity, leg.amount)
        if any(wish is not None and wish != term for wish, term in zip(requested, agreed, strict=True)):
            raise Impossible(
                "II.D.1",
                "leg {leg} of deal {id} is {amount} × {commodity:goods} for {taker:seat}, nothing else",
                "le mouvement {leg} de l'accord {id} est de {amount} × {commodity:goods} pour "
                "{taker:seat}, rien d'autre",
                leg=index,
                id=deal_id,
                amount=leg.amount,
                commodity=leg.commodity,
                taker=leg.taker,
            )
        seat_named(draft.state, leg.taker, "VIII.D.1")
        payer = self._payer(draft, seat, leg.taker, agreed=leg.express == "taker")
        fulfil(draft, deal, index, fee_payer=payer if self.express else None)

    def _payer(self, draft: Draft, sender: str, recipient: str, *, agreed: bool) -> str:
        """Return the payer of an express delivery: the sender, or a recipient who agreed to pay (VIII.D.5)."""
        if not self.recipient_pays:
            return sender
        draft.require(
            agreed,
            "VIII.D.5",
            "{recipient:seat} has not agreed to pay for this express delivery",
            "{recipient:seat} n'a pas accepté de payer cette livraison express",
            recipient=recipient,
        )
        return recipient

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer the goods due under deals, then each kind of goods in the inventory to each other player."""
        if state.turn is None or state.turn.seat != seat:
            return
        for deal in open_agreements(state, Deal):
            for index in deal.due:
                if deal.legs[index].giver == seat:
                    payer = deal.legs[index].express == "taker"
                    bare_parameters = ("express", "recipient_pays") if payer else ("express",)
                    yield Choice({"deal": deal.id, "leg": index}, bare_parameters)
        for commodity, amount in state.holdings.account(player(seat)).items():
            if travels(commodity):
                free = {"amount": Bounds(1, amount), "express": Bounds()}
                for recipient in in_play(state):
                    if recipient != seat:
                        params = {"to": recipient, "commodity": commodity, "amount": 1}
                        # a Bombe IEM leaves only the players on the square in reach (IX.C.25)
                        alike = None if state.blackouts else commodity
                        yield Choice(params, free, alike=alike)


def may_travel(state: Negopoly, leg: Leg) -> bool:
    """Return True if neither a Bombe IEM (IX.C.25) nor a mandatory effect (II.B.7) prevents sending a leg now."""
    reached = disruption.in_reach(state, leg.giver, state.positions[leg.taker])
    return reached and not squares.is_pending(state, leg.giver)


def fulfil(draft: Draft, deal: Deal, index: int, *, fee_payer: str | None) -> None:
    """Send the goods of leg `index` of an open deal (in the new version) from the giver's inventory.

    With a `fee_payer`, the goods go express at the cost of that seat. Raises RuleBroken if goods or funds are
    missing.
    """
    settled = replace(deal, due=tuple(due for due in deal.due if due != index))
    _send(draft, deal.legs[index], fee_payer=fee_payer, deal=settled)


def _send(draft: Draft, leg: Leg, *, fee_payer: str | None, deal: Deal | None = None) -> None:
    """Take the goods from the sender: into transit, or with a fee straight to the recipient."""
    state = draft.state
    sender = player(leg.giver)
    disruption.require_reach(draft, state.positions[leg.taker], seat=leg.giver)
    draft.require_funds(sender, leg.commodity, leg.amount, "VIII.D.4")
    delivery = Delivery(
        id=draft.new_id(),
        sender=leg.giver,
        recipient=leg.taker,
        commodity=leg.commodity,
        amount=leg.amount,
        sent_round=state.round,
        rounds=max(1, weather.modified(state, "delivery_rounds", 1, collects="bank")),
    )
    if fee_payer is None:
        leaving = Posting(leg.commodity, leg.amount, sender, transit(delivery.id))
        draft.record(DeliverySent(delivery=delivery, deal=deal, postings=(leaving,)))
        return
    fee = pay(draft, fee_payer, EXPRESS_FEE, "VIII.D.5")
    straight = Posting(leg.commodity, leg.amount, sender, player(leg.taker))
    draft.record(
        ExpressDelivered(
            delivery=replace(delivery, status="arrived"),
            deal=deal,
            payer=fee_payer,
            fee=EXPRESS_FEE,
            postings=(*fee, straight),
        )
    )


def arrive(draft: Draft, sender: str) -> None:
    """Deliver the seat's sent goods that are due at the start of the seat's turn (VIII.D.3, VI.A.7)."""
    state = draft.state
    for delivery in open_agreements(state, Delivery):
        late = delivery.rounds > 1 and state.round < delivery.sent_round + delivery.rounds
        if delivery.sender != sender or late:
            continue
        if delivery.recipient not in state.eliminated:
            land(draft, delivery)
        else:
            send_back(draft, delivery)


def land(draft: Draft, delivery: Delivery) -> None:
    """Give the goods of an open delivery to the recipient (VIII.D.3)."""
    landed = Posting(delivery.commodity, delivery.amount, transit(delivery.id), player(delivery.recipient))
    draft.record(DeliveryArrived(delivery=replace(delivery, status="arrived"), postings=(landed,)))


def send_back(draft: Draft, delivery: Delivery) -> None:
    """Return the goods of an open delivery to the sender, or to the bank if the sender is out (VIII.D.3)."""
    home = BANK if delivery.sender in draft.state.eliminated else player(delivery.sender)
    back = Posting(delivery.commodity, delivery.amount, transit(delivery.id), home)
    draft.record(DeliveryReturned(delivery=replace(delivery, status="returned"), postings=(back,)))
