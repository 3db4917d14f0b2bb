"""I.C.6, IV.C.1, VIII.D.7. Cards for viewing an inventory, intercepting a delivery, or forbidding private
meetings.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import Audience, Viewer, only
from ledger.kernel.facts.events import Event
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.cards import playing
from ledger.rulebooks.negopoly.cards.playing import Use, carries_out
from ledger.rulebooks.negopoly.cards.vocabulary import BlockMeetings, Intercept, Reveal
from ledger.rulebooks.negopoly.goods import deliveries
from ledger.rulebooks.negopoly.meetings import talks
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, keep, open_agreements
from ledger.rulebooks.negopoly.table.terms import MONEY, Delivery, player
from ledger.rulebooks.parts.readers import Learnt

chapter = Chapter("I.C. Cards and secrets")


@chapter.event
class InventoryShown(Learnt, frozen=True, kw_only=True):
    """A card shows its holder another player's private inventory (I.C.6)."""

    en: ClassVar[str] = "{seat:seat} looks at the inventory of {target:seat}{inventory:contents}."
    fr: ClassVar[str] = "{seat:seat} regarde l'inventaire {target:de|seat}{inventory:contents}."

    rule: str = "I.C.6"
    target: str
    inventory: dict[str, int] | None
    """Pieces by commodity, without money and titles; None for viewers without access to the secret."""

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the inventory."""
        return replace(self, inventory=None)


@carries_out(Reveal)
def _reveal(draft: Draft, use: Use, effect: Reveal) -> None:
    """Show the whole inventory: goods, services and cards."""
    for target in playing.targets(draft.state, use, effect.target):
        balances = draft.state.holdings.account(player(target))
        inventory = {
            thing: balances[thing]
            for thing in sorted(balances)
            if thing != MONEY and not thing.startswith("title:")
        }
        draft.record(InventoryShown(seat=use.seat, target=target, inventory=inventory))


@chapter.event
class DeliveryIntercepted(Event, frozen=True, kw_only=True):
    """A card intercepts a delivery for its holder (VIII.D.7).

    Only the holder, the sender and the recipient know whether there was a delivery. `delivery` is its new version;
    None for other viewers, and when there was none.
    """

    en: ClassVar[str] = "{seat:seat} waylays the deliveries of {sender:seat}{taken:contents}."
    fr: ClassVar[str] = "{seat:seat} intercepte les livraisons {sender:de|seat}{taken:contents}."

    rule: str = "VIII.D.7"
    seat: str
    sender: str
    delivery: Delivery | None = None

    @property
    def taken(self) -> dict[str, int] | None:
        """The goods, as pieces by commodity; None for no goods or hidden goods."""
        return None if self.delivery is None else {self.delivery.commodity: self.delivery.amount}

    def apply(self, state: Negopoly) -> None:
        """End the delivery."""
        if self.delivery is not None:
            keep(state, self.delivery, ended=True)

    def audience(self) -> Audience:
        """Return the holder of the card, the sender and the recipient."""
        ends = () if self.delivery is None else (self.delivery.sender, self.delivery.recipient)
        return only(self.seat, *ends)

    def reveals(self) -> Audience:
        """Return the holder, for whom the goods in transit are new."""
        return only(self.seat)

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the delivery."""
        return replace(self, delivery=None, postings=())


@carries_out(Intercept)
def _intercept(draft: Draft, use: Use, effect: Intercept) -> None:
    """Intercept the named player's oldest delivery, except deliveries to the holder of the card (VIII.D.7)."""
    for sender in playing.targets(draft.state, use, "chosen"):
        delivery = next(
            (
                candidate
                for candidate in open_agreements(draft.state, Delivery)
                if candidate.sender == sender and candidate.recipient != use.seat
            ),
            None,
        )
        if delivery is None:
            draft.record(DeliveryIntercepted(seat=use.seat, sender=sender))
            continue
        transfer = Posting(delivery.commodity, delivery.amount, deliveries.transit(delivery.id), player(use.seat))
        stopped = replace(delivery, status="intercepted")
        draft.record(DeliveryIntercepted(seat=use.seat, sender=sender, delivery=stopped, postings=(transfer,)))


@carries_out(BlockMeetings)
def _block_meetings(draft: Draft, use: Use, effect: BlockMeetings) -> None:
    """Forbid private meetings until the holder's next turn starts (IV.C.1, IV.C.2)."""
    talks.disrupt(draft, source=use.card.commodity, until=use.seat)
