"""II.B.7, II.B.9, VI.B.3. The three decks, Chance, Kamtar and Météo: laid out, drawn from, rebuilt.

Every card is a holding. The account is `deck:<name>` until the draw, then a player's inventory (the hand),
`weather` while active, `drawn:<seat>` while a player chooses among several, and `discard:<name>` at the end.

A deck has no stored order: the table or the service decides the next card at the draw, and the draw is
stored with the action.
    decks.draw(draft, "chance")  # one card, or () from an empty deck
    decks.keep(draft, seat, card, rule=...)  # into the hand; only the holder sees the card
    decks.draw_several(draft, seat, "chance", 3)  # to choose from; then decks.choose(draft, seat, card, to=...)
"""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.accounts import BOX, Posting
from ledger.kernel.facts.audience import BANKER_ONLY, EVERYONE, Audience, Viewer, only
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible, NeedsDraw
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import Speaker
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.cards.vocabulary import DECKS, Card, Deck, Timing, commodity
from ledger.rulebooks.negopoly.table.pieces import CARDS
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, change_turn
from ledger.rulebooks.negopoly.table.terms import player
from ledger.rulebooks.parts import decks as piles
from ledger.rulebooks.parts.decks import discards as discards
from ledger.rulebooks.parts.decks import is_drawable as is_drawable
from ledger.rulebooks.parts.decks import left_in as left_in
from ledger.rulebooks.parts.decks import pile as pile
from ledger.rulebooks.parts.readers import Learnt

chapter = Chapter("II.B. Decks")

WEATHER = "weather"
"""The account of the active Météo cards."""

_BY_ID: dict[str, Card] = {card.id: card for card in CARDS}


def drawn(seat: str) -> str:
    """Return the account of the cards offered to a player for a choice."""
    return f"drawn:{seat}"


def cards_of(state: Negopoly) -> tuple[Card, ...]:
    """Return the cards of the table: custom cards, or the cards of the rulebook."""
    return CARDS if state.cards is None else state.cards


def card_named(state: Negopoly, card_id: str) -> Card:
    """Return a card by id. Raises Impossible for an unknown id."""
    if state.cards is None:
        result = _BY_ID.get(card_id)
    else:
        result = next((card for card in state.cards if card.id == card_id), None)
    if result is None:
        raise Impossible(
            "II.B.9",
            "there is no card {card!r} at this table",
            "il n'y a pas de carte {card!r} à cette table",
            card=card_id,
        )
    return result


def held_in(state: Negopoly, account: str) -> list[Card]:
    """Return the cards in an account."""
    return [card_named(state, card) for card in piles.held_in(state, account)]


def may_answer(state: Negopoly, timing: Timing) -> bool:
    """Return True if, by public knowledge, a player may hold a card with the timing.

    The check counts cards of a deck hidden in hands, and unseen cards with the timing. So the question reveals
    nothing (I.C.6).
    """
    hidden: dict[str, int] = {}
    answering: set[str] = set()
    for card in cards_of(state):
        balance = state.holdings.of
        if not balance(BOX, card.commodity) or balance(discards(card.deck), card.commodity):
            continue
        hidden[card.deck] = hidden.get(card.deck, 0) + 1
        if card.timing == timing:
            answering.add(card.deck)
    return any(hidden[deck] > left_in(state, deck) for deck in answering)


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class DecksLaidOut(Event, frozen=True, kw_only=True):
    """The decks are laid out with all their cards."""

    en: ClassVar[str] = "The decks are laid out: {counts:list}."
    fr: ClassVar[str] = "Les pioches sont installées : {counts:list}."

    rule: str = "II.B.9"

    @property
    def counts(self) -> list[str]:
        """The name of each deck with the number of cards."""
        names = [posting.target.removeprefix("deck:") for posting in self.postings]
        return [f"{name.capitalize()} {names.count(name)}" for name in dict.fromkeys(names)]


@chapter.event
class DeckRebuilt(Event, frozen=True, kw_only=True):
    """An empty deck takes its discards back (VI.B.3, VI.A.8)."""

    en: ClassVar[str] = "The {name} deck is rebuilt from its discards ({count} {count:plural|card|cards})."
    fr: ClassVar[str] = "La pioche {name} est reformée avec sa défausse ({count} {count:plural|carte|cartes})."

    rule: str = "VI.B.3"
    deck: str

    @property
    def name(self) -> str:
        """The deck's name."""
        return self.deck.capitalize()

    @property
    def count(self) -> int:
        """The number of cards returned to the deck."""
        return sum(posting.amount for posting in self.postings)


@chapter.event
class DrawMissed(Event, frozen=True, kw_only=True):
    """The turn's time is over and the table has not drawn a card that was due (II.B.13)."""

    en: ClassVar[str] = "Nobody has drawn the {deck} card in time."
    fr: ClassVar[str] = "Personne n'a tiré la carte {deck} à temps."

    rule: str = "II.B.13"
    deck: str


@chapter.event
class CardDrawn(Event, frozen=True, kw_only=True):
    """A player draws a card and reads it out; it is applied at once (II.B.7)."""

    en: ClassVar[str] = "{seat:seat} draws {card:card}."
    fr: ClassVar[str] = "{seat:seat} tire {card:card}."

    rule: str = "II.B.7"
    seat: str
    card: str


@chapter.event
class CardKept(Learnt, frozen=True, kw_only=True):  # the drawn card is new to the player
    """A player takes a card into the hand; only the player knows which (II.B.9, I.C.6)."""

    en: ClassVar[str] = "{seat:seat} keeps {card:card}."
    fr: ClassVar[str] = "{seat:seat} conserve {card:card}."

    rule: str = "II.B.9"
    deck: str
    card: str | None
    """The card; None for viewers without access to the secret."""

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the card. The deck stays public."""
        return replace(self, card=None, postings=())


@chapter.event
class CardsShown(Learnt, frozen=True, kw_only=True):  # the drawn cards are new to the player
    """A player draws several cards to choose from (V.E.9)."""

    en: ClassVar[str] = "{seat:seat} draws {count} cards to choose from ({cards:cards})."
    fr: ClassVar[str] = "{seat:seat} tire {count} cartes au choix ({cards:cards})."

    rule: str
    deck: str
    count: int
    cards: tuple[str, ...] = ()
    """The cards; empty for viewers without access to the secret."""

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the cards. The number of cards stays public."""
        return replace(self, cards=(), postings=())


@chapter.event
class CardsRejected(Event, frozen=True, kw_only=True):
    """The cards that were drawn but not chosen are discarded (V.E.9)."""

    en: ClassVar[str] = "{seat:seat} discards {cards:cards}."
    fr: ClassVar[str] = "{seat:seat} défausse {cards:cards}."

    rule: str
    seat: str
    cards: tuple[str, ...]


@chapter.event
class CardChosen(Event, frozen=True, kw_only=True):
    """A player chooses one of several cards, for themselves or for another player (V.E.9, V.E.10).

    Only these two know a card that is kept.
    """

    en: ClassVar[str] = "{seat:seat} chooses {card:card} for {to:seat}."
    fr: ClassVar[str] = "{seat:seat} choisit {card:card} pour {to:seat}."

    rule: str
    seat: str
    to: str
    card: str | None
    """The card; None for viewers without access to the secret."""
    kept: bool

    def audience(self) -> Audience:
        """Return everybody for an applied card; only the chooser and the receiver for a kept card."""
        return only(self.seat, self.to) if self.kept else EVERYONE

    def reveals(self) -> Audience:
        """Return the receiver of a kept card, for whom the card is new. The chooser knew the card."""
        return only(self.to) if self.kept and self.to != self.seat else BANKER_ONLY

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the card."""
        return replace(self, card=None, postings=())


@chapter.event
class CardPlayed(Event, frozen=True, kw_only=True):
    """A player plays a card from the hand: everybody sees it, and it is discarded (II.B.9)."""

    en: ClassVar[str] = "{seat:seat} plays {card:card}{named:named}."
    fr: ClassVar[str] = "{seat:seat} joue {card:card}{named:named}."

    rule: str
    seat: str
    card: str
    player: str | None = None
    """The player named for the card, if required."""
    title: str | None = None
    """The title named for the card, if required."""
    counts: bool = False
    """True if the card uses up the card of the turn (II.B.9)."""

    @property
    def named(self) -> tuple[str | None, str | None]:
        """The player and the title named for the card."""
        return self.player, self.title

    def apply(self, state: Negopoly) -> None:
        """Count the card in the turn."""
        if self.counts and state.turn is not None:
            change_turn(state, cards_played=state.turn.cards_played + 1)


# ----------------------------------------------------------------------------------------------
# Drawing
# ----------------------------------------------------------------------------------------------


def lay_out(draft: Draft) -> None:
    """Put every card of the table into the deck at the start of a game. Do nothing without cards."""
    postings = piles.laid_out((card.id, card.deck) for card in cards_of(draft.state))
    if postings:
        draft.record(DecksLaidOut(postings=postings))


def draw(draft: Draft, deck: Deck, count: int = 1) -> tuple[Card, ...]:
    """Return the next `count` cards of a deck, or all cards of a smaller deck.

    A deck with too few cards takes the discards back first (VI.B.3). The drawn cards stay in the deck until the
    caller records the new account. A player's word is taken for a card possibly in a hand hidden from the
    player (I.C.6). Raises Malformed if the table names cards unavailable for a draw, and NeedsDraw if the table
    names no card, unless the turn's time is over.
    """
    state = draft.state
    if left_in(state, deck) < count and (back := piles.discards_back(state, deck)):
        draft.record(DeckRebuilt(rule="VI.A.8" if deck == "meteo" else "VI.B.3", deck=deck, postings=back))
    try:
        ids = piles.draw(draft, f"{deck} card", deck, count, whole=_whole(state, deck))
    except NeedsDraw:
        # The time may be over before the table has drawn: then no card can be waited for (II.B.13).
        if not draft.undrawn:
            raise
        draft.record(DrawMissed(deck=deck))
        return ()
    return tuple(card_named(state, card_id) for card_id in ids)


def _whole(state: Negopoly, deck: Deck) -> piles.Whole:
    """Return the full deck, with the cards in every account."""
    return piles.Whole(tuple(card.id for card in cards_of(state) if card.deck == deck), rule="I.C.6")


def keep(draft: Draft, seat: str, card: Card, *, rule: str = "II.B.9") -> None:
    """Put a drawn card into a player's hand (II.B.9)."""
    handed = Posting(card.commodity, 1, pile(card.deck), player(seat))
    draft.record(CardKept(rule=rule, seat=seat, deck=card.deck, card=card.id, postings=(handed,)))


def read_out(draft: Draft, seat: str, card: Card, *, rule: str = "II.B.7") -> None:
    """Discard a drawn card, to be applied at once (II.B.7)."""
    thrown = Posting(card.commodity, 1, pile(card.deck), discards(card.deck))
    draft.record(CardDrawn(rule=rule, seat=seat, card=card.id, postings=(thrown,)))


def draw_several(draft: Draft, seat: str, deck: Deck, count: int, *, rule: str) -> tuple[Card, ...]:
    """Let a player draw several cards to choose from (V.E.9). The cards stay in `drawn:<seat>` until `choose`.

    A deck with fewer than `count` cards takes the discards back first. Returns the cards, () from an empty
    deck.
    """
    cards = draw(draft, deck, count)
    if cards:
        aside = tuple(Posting(card.commodity, 1, pile(deck), drawn(seat)) for card in cards)
        ids = tuple(card.id for card in cards)
        draft.record(CardsShown(rule=rule, seat=seat, deck=deck, count=len(ids), cards=ids, postings=aside))
    return cards


def choose(draft: Draft, seat: str, card_id: str, *, to: str, rule: str) -> Card:
    """Take a card of the choice for `to`, and discard the rest (V.E.9, V.E.10).

    A card to keep goes into the hand of `to`. Any other card is discarded, and the caller applies the card
    (`playing.apply`). Returns the card. Raises Impossible for a card outside the choice.
    """
    state = draft.state
    aside = drawn(seat)
    cards = held_in(state, aside)
    chosen = next((card for card in cards if card.id == card_id), None)
    if chosen is None:
        raise Impossible(
            rule,
            "{seat:seat} has not drawn {card:card}; to choose from: {cards:cards}",
            "{seat:seat} n'a pas tiré {card:card} ; au choix : {cards:cards}",
            seat=seat,
            card=card_id,
            cards=[card.id for card in cards],
        )
    others = [card for card in cards if card is not chosen]
    if others:
        thrown = tuple(Posting(card.commodity, 1, aside, discards(card.deck)) for card in others)
        draft.record(CardsRejected(rule=rule, seat=seat, cards=tuple(card.id for card in others), postings=thrown))
    target = player(to) if chosen.keep else discards(chosen.deck)
    moved = Posting(chosen.commodity, 1, aside, target)
    draft.record(CardChosen(rule=rule, seat=seat, to=to, card=chosen.id, kept=chosen.keep, postings=(moved,)))
    return chosen


def to_discard(card: Card, seat: str) -> Posting:
    """Return the posting that discards a card played by the holder."""
    return Posting(commodity(card.id), 1, player(seat), discards(card.deck))


# ----------------------------------------------------------------------------------------------
# The view
# ----------------------------------------------------------------------------------------------


def public_view(state: Negopoly) -> dict[str, dict[str, object]]:
    """Return the public facts of each deck: the discarded cards and, for a counted deck, the number of cards
    left.
    """
    view: dict[str, dict[str, object]] = {
        deck: {"discarded": [card.id for card in held_in(state, discards(deck))]} for deck in DECKS
    }
    for deck, cards in view.items():
        remaining = left_in(state, deck)
        if remaining is not None:
            cards["left"] = remaining
    return view


def speak_of(state: Negopoly) -> Speaker:
    """Return a formatter for a card, by id or holding. A hidden card is "a card"."""

    def name(value: Any, language: str) -> str:
        if value is None:
            return Phrase("a card", "une carte").in_language(language)
        card_id = piles.card_of(str(value))
        result = next((card for card in cards_of(state) if card.id == card_id), None)
        return str(value) if result is None else result.title.in_language(language)

    return name


def speak_of_several(state: Negopoly) -> Speaker:
    """Return a formatter for several cards, by id. Hidden cards are "a secret"."""
    name = speak_of(state)

    def names(value: Any, language: str) -> str:
        if not value:
            return Phrase("a secret", "un secret").in_language(language)
        return ", ".join(name(card_id, language) for card_id in value)

    return names
