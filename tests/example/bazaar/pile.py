"""The pile: draws, the discards shuffled back, and undone draws on top (pile)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.audience import BANKER_ONLY, Audience, Viewer, only
from ledger.kernel.facts.events import Event, UndoneDraw
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks
from tests.example.bazaar.cards import CARDS
from tests.example.bazaar.table import DECK, Bazaar, Draft, Drawn, TurnAction, hand, in_turn, moved, veiled

chapter = Chapter("The pile")

_WHOLE = decks.Whole(tuple(CARDS), "bazaar:deal.5")


@chapter.event
class PileReshuffled(Event, frozen=True, kw_only=True):
    """Too few cards are left: the discards are shuffled into the pile (pile.4)."""

    en: ClassVar[str] = "The discards are shuffled into the pile."
    fr: ClassVar[str] = "La défausse est mélangée à la pioche."

    rule: str = "bazaar:pile.4"

    def apply(self, state: Bazaar) -> None:
        """No card has a known place any more."""
        state.on_top = ()


@chapter.event
class DrawsPutBack(Event, frozen=True, kw_only=True):
    """A correction has undone draws: the cards lie on top again (pile.6)."""

    en: ClassVar[str] = "Cards of undone draws go back on top of the pile."
    fr: ClassVar[str] = "Les cartes des pioches annulées reviennent sur la pioche."

    rule: str = "bazaar:pile.6"
    cards: tuple[str, ...]

    def apply(self, state: Bazaar) -> None:
        """Put the cards above the known cards."""
        state.on_top = (*self.cards, *(card for card in state.on_top if card not in self.cards))

    def audience(self) -> Audience:
        """Return the banker; whoever drew a card knows the card."""
        return BANKER_ONLY


@chapter.event
class CardsDrawn(Event, frozen=True, kw_only=True):
    """A player draws a hand (deal.1), or the card of the turn (pile.1)."""

    en: ClassVar[str] = "{seat:seat} draws {cards:cards}."
    fr: ClassVar[str] = "{seat:seat} pioche {cards:cards}."

    seat: str
    cards: tuple[str, ...] | None

    def apply(self, state: Bazaar) -> None:
        """A player has a single hand (deal.2), and one draw a turn (pile.1)."""
        state.handed.add(self.seat)
        state.drew = True

    def audience(self) -> Audience:
        """Return the player: nobody else sees the cards (pile.2)."""
        return only(self.seat)

    def redacted(self, viewer: Viewer) -> Event:
        """Show the number of cards only (hand.2)."""
        return replace(self, cards=None, postings=veiled(self.postings))

    def reveals(self) -> Audience:
        """Return the player, who learns the cards."""
        return only(self.seat)


@chapter.action(summary=("draw a card", "piocher une carte"), when=("in your turn, once", "à son tour, une fois"))
class DrawCard(TurnAction, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The player in turn draws one card (pile.1)."""

    drawn: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Refuse a second draw, and a draw without any card left (pile.5)."""
        seat, state = in_turn(draft), draft.state
        draft.require(
            not state.drew, "bazaar:pile.1", "{seat:seat} has drawn", "{seat:seat} a déjà pioché", seat=seat
        )
        if not decks.is_drawable(state, DECK):
            raise Impossible("bazaar:pile.5", "no card is left to draw", "il ne reste aucune carte à piocher")
        take(draft, "card", 1, self.drawn, "bazaar:pile.1")

    @classmethod
    def choices(cls, state: Bazaar, seat: str) -> tuple[Choice, ...]:
        """Offer the draw to the player in turn."""
        return (Choice({}),) if state.turn == seat else ()


def draw(draft: Draft, name: str, count: int, drawn: Drawn) -> tuple[str, ...]:
    """Return the next cards, drawn by the table (deal.4) or by the service; perhaps fewer are left."""
    draft.draws.offer(drawn)
    back = decks.discards_back(draft.state, DECK)
    if back and decks.left_in(draft.state, DECK) < count:
        draft.record(PileReshuffled(postings=back))
    return tuple(decks.draw(draft, name, DECK, count, top=draft.state.on_top, whole=_WHOLE))


def take(draft: Draft, name: str, count: int, drawn: Drawn, rule: str) -> None:
    """Draw cards into the hand of the acting seat, by the rule."""
    cards = draw(draft, name, count, drawn)
    postings = moved(cards, decks.pile(DECK), hand(draft.seat))
    draft.record(CardsDrawn(rule=rule, seat=draft.seat, cards=cards, postings=postings))


def put_back(draft: Draft, undone: Sequence[UndoneDraw]) -> None:
    """Record the cards of undone draws on top of the pile (pile.6)."""
    if cards := decks.back_on_top(draft.state, DECK, undone):
        draft.record(DrawsPutBack(cards=cards))
