"""P.1. Cards without operations: the banker reads the card and records the effect."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar

from msgspec import Meta

from ledger.kernel.arbitration.remedies import Ruling
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import Text, of_kind
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.banker.remedies import Order
from ledger.rulebooks.negopoly.banker.settling import OLDER_RACKETS
from ledger.rulebooks.negopoly.cards.playing import Use, carries_out
from ledger.rulebooks.negopoly.cards.vocabulary import Banker, Unread
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly

UnreadId = Annotated[str, Meta(min_length=1, max_length=40, description="id of the drawn card"), of_kind("card")]

chapter = Chapter("P. Cards that the banker reads")


@chapter.event
class CardLeftToBanker(Event, frozen=True, kw_only=True):
    """A card's effect is left to the banker (P.1)."""

    en: ClassVar[str] = "{unread.card:card} of {unread.seat:seat}: the banker says what it does."
    fr: ClassVar[str] = "{unread.card:card} {unread.seat:de|seat} : au banquier de dire ce qu'elle fait."

    rule: str = "P.1"
    unread: Unread

    def apply(self, state: Negopoly) -> None:
        """Add the card to the unread cards; the game goes on meanwhile."""
        state.unread = (*state.unread, self.unread)


@chapter.event
class CardResolved(Event, frozen=True, kw_only=True):
    """The banker has decided a card's effect; the following events hold its postings (P.1)."""

    label: ClassVar[Phrase] = Phrase("A card takes effect", "Une carte fait effet")
    en: ClassVar[str] = "{unread.card:card} of {unread.seat:seat}: {reason}"
    fr: ClassVar[str] = "{unread.card:card} {unread.seat:de|seat} : {reason}"

    rule: str = "P.1"
    unread: Unread
    reason: str

    def apply(self, state: Negopoly) -> None:
        """Remove the card from the unread cards."""
        state.unread = tuple(unread_card for unread_card in state.unread if unread_card.id != self.unread.id)


@carries_out(Banker)
def leave_to_banker(draft: Draft, use: Use, effect: Banker) -> None:
    """Leave the card to the banker, with the player named by the holder."""
    unread = Unread(id=draft.new_id(), seat=use.seat, card=use.card.id, player=use.player)
    draft.record(CardLeftToBanker(unread=unread))


@chapter.action(
    by=("banker",),
    summary=("say what a card does", "dire ce que fait une carte"),
    when=("while a card waits for the banker", "tant qu'une carte attend le banquier"),
)
class ResolveCard(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The banker records the effect of an unread card by remedies of a ruling, or records that it has none.

    Everybody can read the reason.
    """

    card: UnreadId
    """The id of the unread card."""
    reason: Text
    remedies: Annotated[tuple[Order, ...], Meta(max_length=50), of_kind("remedies")] = ()

    def decide(self, draft: Draft) -> None:
        """Carry out all remedies or none."""
        unread = next((unread_card for unread_card in draft.state.unread if unread_card.id == self.card), None)
        if unread is None:
            raise Impossible(
                "P.1",
                "no card waits for the banker as {id!r}; waiting: {waiting}",
                "aucune carte n'attend le banquier sous {id!r} ; en attente : {waiting}",
                id=self.card,
                waiting=", ".join(unread_card.id for unread_card in draft.state.unread) or "-",
            )
        draft.record(CardResolved(unread=unread, reason=self.reason))
        ruling = Ruling(id=unread.id, rule="P.1", finding=self.reason, parties=None)
        for remedy in self.remedies:
            remedy.carry_out(draft, ruling)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each unread card; the banker adds the reason and the remedies."""
        for unread_card in state.unread:
            yield Choice({"card": unread_card.id, "reason": "no effect"}, free=("reason", "remedies"))


chapter.upcast_action("resolve_card", OLDER_RACKETS)
