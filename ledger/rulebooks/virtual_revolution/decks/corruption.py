"""Corruption cards: drawn unseen, held in a hidden hand, discarded face down, given and exchanged.

Opponents see the number of cards in each hand, and the number of cards in a move (vr:secrecy.4).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import Audience, Viewer, only
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible, NeedsDraw
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.readers import Learnt, Private
from ledger.rulebooks.virtual_revolution.decks import piles
from ledger.rulebooks.virtual_revolution.table.state import Draft, VirtualRevolution, hand_size, pieces
from ledger.rulebooks.virtual_revolution.table.terms import CORRUPTION, Demand, hand
from ledger.rulebooks.virtual_revolution.table.veils import VEIL, veiled

chapter = Chapter("Corruption cards")

# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


class _Moved(Private, frozen=True, kw_only=True):
    """A move of a seat's Corruption cards. Only the seat knows the faces."""

    cards: tuple[str | None, ...]
    """The ids of the cards; None for each hidden card."""

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the cards; the number is public."""
        return replace(self, cards=(None,) * len(self.cards), postings=veiled(self.postings))


@chapter.event
class CorruptionDrawn(_Moved, Learnt, frozen=True, kw_only=True):  # the player sees the cards drawn
    """A player draws Corruption cards into the hand (vr:corruption.1)."""

    en: ClassVar[str] = "{seat:seat} draws Corruption: {cards:cards}."
    fr: ClassVar[str] = "{seat:seat} pioche de la Corruption : {cards:cards}."

    def apply(self, state: VirtualRevolution) -> None:
        """Remove the cards from the known tops of the deck."""
        piles.leave(state, CORRUPTION, self.cards)


@chapter.event
class CorruptionMissed(Event, frozen=True, kw_only=True):
    """Nobody has drawn Corruption cards that were due; the game goes on without them."""

    en: ClassVar[str] = "Nobody has drawn the Corruption cards due to {seat:seat}: {count}."
    fr: ClassVar[str] = "Personne n'a pioché les cartes Corruption qui revenaient à {seat:seat} : {count}."

    seat: str
    count: int


@chapter.event
class CorruptionReshuffled(Event, frozen=True, kw_only=True):
    """The discards are shuffled into a new deck (vr:corruption.3)."""

    en: ClassVar[str] = "The Corruption discards ({count}) are shuffled into a new deck."
    fr: ClassVar[str] = "La défausse de Corruption ({count}) est mélangée en une nouvelle pioche."

    rule: str = "vr:corruption.3"
    count: int

    def apply(self, state: VirtualRevolution) -> None:
        """Forget the known cards on top of the deck."""
        state.on_top.pop(CORRUPTION, None)

    def audience(self) -> Audience:
        """Return nobody at the table: discards lie face down."""
        return only()

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the cards; the number is public."""
        return replace(
            self, postings=(Posting(VEIL, self.count, decks.discards(CORRUPTION), decks.pile(CORRUPTION)),)
        )


@chapter.event
class CorruptionDiscarded(_Moved, frozen=True, kw_only=True):
    """A player discards Corruption cards of their choice, face down (vr:secrecy.4)."""

    en: ClassVar[str] = "{seat:seat} discards Corruption: {cards:cards}."
    fr: ClassVar[str] = "{seat:seat} défausse de la Corruption : {cards:cards}."

    answers: bool = False
    """True if the discard answers a demand on the seat."""

    def apply(self, state: VirtualRevolution) -> None:
        """Remove the answered demand."""
        if self.answers:
            state.demands = state.demands[1:]


@chapter.event
class CorruptionLost(_Moved, Learnt, frozen=True, kw_only=True):  # the player sees the card lost
    """A player discards a Corruption card at random, face down (vr:corruption.4)."""

    en: ClassVar[str] = "{seat:seat} discards Corruption at random: {cards:cards}."
    fr: ClassVar[str] = "{seat:seat} défausse de la Corruption au hasard : {cards:cards}."


@chapter.event
class CorruptionGiven(_Moved, frozen=True, kw_only=True):
    """A player gives Corruption cards to another one (vr:secrecy.4)."""

    en: ClassVar[str] = "{seat:seat} gives {to:seat} Corruption: {cards:cards}."
    fr: ClassVar[str] = "{seat:seat} donne à {to:seat} de la Corruption : {cards:cards}."

    to: str

    def audience(self) -> Audience:
        """Return the two players."""
        return only(self.seat, self.to)

    def reveals(self) -> Audience:
        """Return the receiver, who sees the cards."""
        return only(self.to)


@chapter.event
class HandShown(Event, frozen=True, kw_only=True):
    """A player looks at all Corruption cards of another one (vr:promotion.27)."""

    en: ClassVar[str] = "{seat:seat} looks at the Corruption cards that {of:seat} holds: {cards:cards}."
    fr: ClassVar[str] = "{seat:seat} regarde les cartes Corruption {of:de|seat} : {cards:cards}."

    seat: str
    of: str
    cards: tuple[str | None, ...]

    def audience(self) -> Audience:
        """Return the two players."""
        return only(self.seat, self.of)

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the cards; the size of a hand is public."""
        return replace(self, cards=(None,) * len(self.cards))

    def reveals(self) -> Audience:
        """Return the player looking at the hand."""
        return only(self.seat)


@chapter.event
class CorruptionExchanged(Event, frozen=True, kw_only=True):
    """A player takes a Corruption card of another one and gives one back (vr:promotion.27)."""

    en: ClassVar[str] = "{seat:seat} takes {taken:card} from {of:seat} and gives back {given:card}."
    fr: ClassVar[str] = "{seat:seat} prend {taken:card} {of:de|seat} et rend {given:card}."

    seat: str
    of: str
    taken: str | None
    given: str | None

    def apply(self, state: VirtualRevolution) -> None:
        """Remove the answered demand."""
        state.demands = state.demands[1:]

    def audience(self) -> Audience:
        """Return the two players."""
        return only(self.seat, self.of)

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the two cards; the exchange itself is public."""
        moved = (
            Posting(VEIL, 1, hand(self.of), hand(self.seat)),
            Posting(VEIL, 1, hand(self.seat), hand(self.of)),
        )
        return replace(self, taken=None, given=None, postings=moved)

    def reveals(self) -> Audience:
        """Return the opponent, who learns the card received."""
        return only(self.of)


@chapter.event
class AnswerDemanded(Event, frozen=True, kw_only=True):
    """A seat has to answer before the turn goes on."""

    en: ClassVar[str] = "{seat:seat} has to choose."
    fr: ClassVar[str] = "{seat:seat} doit choisir."

    demand: Demand

    @property
    def seat(self) -> str:
        """The seat of the demand."""
        return self.demand.seat

    def apply(self, state: VirtualRevolution) -> None:
        """Queue the demand behind earlier demands."""
        state.demands = (*state.demands, self.demand)


# ----------------------------------------------------------------------------------------------
# Drawing, discarding, giving
# ----------------------------------------------------------------------------------------------


def draw_corruption(draft: Draft, seat: str, count: int, *, rule: str) -> None:
    """Draw Corruption cards into a hand; fewer if both piles run out (vr:corruption.3).

    Raises NeedsDraw at a drawing table without a named card, unless the action goes on without the draw.
    """
    missing = count
    while missing > 0 and (decks.left_in(draft.state, CORRUPTION) > 0 or _reshuffle(draft)):
        try:
            drawn = piles.draw(draft, CORRUPTION, missing, seat=seat, whole=_whole(draft.state))
        except NeedsDraw:
            # A corrected history goes on without an undrawn card, and records the gap.
            if not draft.undrawn:
                raise
            draft.record(CorruptionMissed(rule=rule, seat=seat, count=missing))
            return
        moved = tuple(Posting(decks.commodity(card), 1, decks.pile(CORRUPTION), hand(seat)) for card in drawn)
        draft.record(CorruptionDrawn(rule=rule, seat=seat, cards=tuple(drawn), postings=moved))
        missing -= len(drawn)


def _whole(state: VirtualRevolution) -> decks.Whole:
    """Return all Corruption cards: a player may name any card, even a card recorded in a hidden spot."""
    return decks.Whole(tuple(pieces(state).corruptions), rule=piles.SECRECY)


def _reshuffle(draft: Draft) -> bool:
    """Shuffle the discards into a new deck. Return False without discards."""
    back = decks.discards_back(draft.state, CORRUPTION)
    if back:
        draft.record(CorruptionReshuffled(count=sum(posting.amount for posting in back), postings=back))
    return bool(back)


def discard(draft: Draft, seat: str, cards: Sequence[str], *, rule: str, answers: bool = False) -> None:
    """Discard Corruption cards of a hand, face down. Raises Impossible by the rule for a card outside the hand."""
    _discard(draft, seat, require_in_hand(draft, seat, cards, rule), rule, answers=answers)


def discard_all(draft: Draft, seat: str, *, rule: str) -> None:
    """Discard all Corruption cards of a hand, face down."""
    _discard(draft, seat, decks.held_in(draft.state, hand(seat)), rule)


def _discard(draft: Draft, seat: str, cards: Sequence[str], rule: str, *, answers: bool = False) -> None:
    thrown = _thrown(seat, cards)
    draft.record(CorruptionDiscarded(rule=rule, seat=seat, cards=tuple(cards), answers=answers, postings=thrown))


def discard_at_random(draft: Draft, seat: str, *, rule: str) -> None:
    """Discard one card of a hand at random; nothing with an empty hand (vr:corruption.4).

    Raises NeedsDraw at a drawing table without a named card, and Impossible for a card named by a playing banker
    without sight of the hand.
    """
    hand_cards = decks.held_in(draft.state, hand(seat))
    if hand_cards:
        if draft.draws.unused:
            piles.require_sight(draft, seat)
        with piles.may_lack(draft):
            drawn = draft.draws.cards("at_random", hand_cards, secret=True)
            draft.record(CorruptionLost(rule=rule, seat=seat, cards=drawn, postings=_thrown(seat, drawn)))


def _thrown(seat: str, cards: Iterable[str]) -> tuple[Posting, ...]:
    """Return the postings of cards from a hand to the discards."""
    return tuple(Posting(decks.commodity(card), 1, hand(seat), decks.discards(CORRUPTION)) for card in cards)


def give(draft: Draft, seat: str, to: str, card: str, *, rule: str) -> None:
    """Give a Corruption card to an opponent. Raises Impossible for a card outside the hand."""
    (card_id,) = require_in_hand(draft, seat, (card,), rule)
    moved = (Posting(decks.commodity(card_id), 1, hand(seat), hand(to)),)
    draft.record(CorruptionGiven(rule=rule, seat=seat, to=to, cards=(card_id,), postings=moved))


def require_in_hand(
    draft: Draft, seat: str, cards: Sequence[str], rule: str, *, shown_to: str | None = None
) -> tuple[str, ...]:
    """Return the ids of cards of a hand. Raises Impossible by the rule for a card outside the hand or named
    twice.

    A playing banker without sight of the hand may name no card: the answer would betray the card. `shown_to` is
    another seat with sight of the hand.
    """
    piles.require_sight(draft, seat, shown_to or seat)
    card_ids = tuple(card.removeprefix("card:") for card in cards)
    holding = draft.state.holdings.account(hand(seat))
    for card in card_ids:
        if holding.get(decks.commodity(card), 0) <= 0 or card_ids.count(card) > 1:
            raise Impossible(
                rule,
                "{card:card} ({id}) is not in {seat:seat}'s hand, or is named twice",
                "{card:card} ({id}) n'est pas dans la main {seat:de|seat}, ou est indiquée deux fois",
                card=card,
                id=card,
                seat=seat,
            )
    return card_ids


def demand(draft: Draft, question: Demand) -> None:
    """Ask a seat a question before the turn goes on."""
    draft.record(AnswerDemanded(rule=question.rule, demand=question))


def discard_of_choice(draft: Draft, seat: str, amount: int, *, rule: str) -> None:
    """Ask a player to discard `amount` cards of their choice; discard a hand of at most `amount` cards at once."""
    size = hand_size(draft.state, seat)
    if size > amount:
        demand(draft, Demand(kind="discard", seat=seat, by=seat, rule=rule, amount=amount))
    elif size:
        discard_all(draft, seat, rule=rule)


def exchange(draft: Draft, seat: str, of: str, *, rule: str) -> None:
    """Show a player the hand of an opponent, and ask for the card to take and the card to give back."""
    cards = tuple(decks.held_in(draft.state, hand(of)))
    draft.record(HandShown(rule=rule, seat=seat, of=of, cards=cards))
    demand(draft, Demand(kind="exchange", seat=seat, by=seat, rule=rule, of=of))
