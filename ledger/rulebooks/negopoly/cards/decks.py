"""II.B.7, II.B.9, VI.B.3. The three decks: Chance, Kamtar and Météo. Laid out, drawn from, rebuilt.

Every card is a holding: in `deck:<name>` until it is drawn, then in a player's hand (their inventory), in
`weather` while active, in `drawn:<seat>` while one of several is being chosen, in `discard:<name>` in the end.
A deck has no order that anybody could look up: which card comes next is decided when it is drawn, by the table or
by the service, and kept with the action.

    decks.draw(draft, "chance")                     one card, or () when there is none left anywhere
    decks.keep(draft, seat, card, rule=...)         into the hand, seen by its holder alone
    decks.draw_several(draft, seat, "chance", 3)    to choose from; then decks.choose(draft, seat, card, to=...)
"""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec.structs import replace

from ledger.kernel.accounts import BOX, Posting
from ledger.kernel.audience import BANKER_ONLY, EVERYONE, Audience, Viewer, only
from ledger.kernel.chapter import Chapter
from ledger.kernel.events import Event
from ledger.kernel.refusals import Impossible, NeedsDraw
from ledger.kernel.sentences import Speaker
from ledger.rulebooks.negopoly.cards.vocabulary import DECKS, Card, Deck, Timing, commodity
from ledger.rulebooks.negopoly.table.pieces import CARDS
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, change_turn
from ledger.rulebooks.negopoly.table.terms import player
from ledger.rulebooks.parts import decks as piles
from ledger.rulebooks.parts.decks import discards as discards
from ledger.rulebooks.parts.decks import is_drawable as is_drawable
from ledger.rulebooks.parts.decks import pile as pile

chapter = Chapter("II.B. Decks")

WEATHER = "weather"
"""The account of the active Météo cards."""

_BY_ID: dict[str, Card] = {card.id: card for card in CARDS}


def drawn(seat: str) -> str:
    """The account of the cards among which a player is choosing."""
    return f"drawn:{seat}"


def cards_of(state: Negopoly) -> tuple[Card, ...]:
    """The cards of this table: its own, or the rulebook's."""
    return CARDS if state.cards is None else state.cards


def card_named(state: Negopoly, card_id: str) -> Card:
    """The card of this id. Raises Impossible for an unknown one."""
    if state.cards is None:
        found = _BY_ID.get(card_id)
    else:
        found = next((card for card in state.cards if card.id == card_id), None)
    if found is None:
        raise Impossible(
            "II.B.9",
            "there is no card {card!r} at this table",
            "il n'y a pas de carte {card!r} à cette table",
            card=card_id,
        )
    return found


def held_in(state: Negopoly, account: str) -> list[Card]:
    """The cards in an account, by their ids."""
    return [card_named(state, card) for card in piles.held_in(state, account)]


def may_answer(state: Negopoly, timing: Timing) -> bool:
    """Whether, as far as everybody knows, somebody may hold a card that answers what is happening now.

    Some cards are in hands, and one that answers has not been seen since. So being asked tells nobody what is in a
    hand (I.C.6).
    """
    hidden: dict[str, int] = {}
    answering: set[str] = set()
    for card in cards_of(state):
        held = state.holdings.of
        if not held(BOX, card.commodity) or held(discards(card.deck), card.commodity):
            continue
        hidden[card.deck] = hidden.get(card.deck, 0) + 1
        if card.timing == timing:
            answering.add(card.deck)
    return any(hidden[deck] > len(state.holdings.account(pile(deck))) for deck in answering)


# ----------------------------------------------------------------------------------------------
# What happens to cards
# ----------------------------------------------------------------------------------------------


@chapter.event
class DecksLaidOut(Event, frozen=True, kw_only=True):
    """The decks lie on the table, every card in its own."""

    en: ClassVar[str] = "The decks are laid out: {counts:list}."
    fr: ClassVar[str] = "Les pioches sont installées : {counts:list}."

    rule: str = "II.B.9"

    @property
    def counts(self) -> list[str]:
        """How many cards each deck has, by its name."""
        names = [posting.target.removeprefix("deck:") for posting in self.postings]
        return [f"{name.capitalize()} {names.count(name)}" for name in dict.fromkeys(names)]


@chapter.event
class DeckRebuilt(Event, frozen=True, kw_only=True):
    """A deck that has run out takes its discards back (VI.B.3, VI.A.8)."""

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
        """How many cards go back."""
        return len(self.postings)


@chapter.event
class DrawMissed(Event, frozen=True, kw_only=True):
    """The time of the turn is over and the table has not drawn the card that was due (II.B.13)."""

    en: ClassVar[str] = "Nobody has drawn the {deck} card in time."
    fr: ClassVar[str] = "Personne n'a tiré la carte {deck} à temps."

    rule: str = "II.B.13"
    deck: str


@chapter.event
class CardDrawn(Event, frozen=True, kw_only=True):
    """A card is drawn and read out; it is applied at once (II.B.7)."""

    en: ClassVar[str] = "{seat:seat} draws {card:card}."
    fr: ClassVar[str] = "{seat:seat} tire {card:card}."

    rule: str = "II.B.7"
    seat: str
    card: str


class _Hidden(Event, frozen=True, kw_only=True):
    """Something about cards that only one player may see."""

    seat: str

    def audience(self) -> Audience:
        """Whoever holds the cards."""
        return only(self.seat)

    def reveals(self) -> Audience:
        """Nobody knew which cards would come."""
        return only(self.seat)


@chapter.event
class CardKept(_Hidden, frozen=True, kw_only=True):
    """A card goes into a player's hand, which is theirs alone to know (II.B.9, I.C.6)."""

    en: ClassVar[str] = "{seat:seat} keeps {card:card}."
    fr: ClassVar[str] = "{seat:seat} conserve {card:card}."

    rule: str = "II.B.9"
    deck: str
    card: str | None
    """None for those who may not know it."""

    def redacted(self, viewer: Viewer) -> Event:
        """That it is a card of this deck."""
        return replace(self, card=None, postings=())


@chapter.event
class CardsShown(_Hidden, frozen=True, kw_only=True):
    """A player draws several cards, to choose one of them (V.E.9)."""

    en: ClassVar[str] = "{seat:seat} draws {count} cards to choose from ({cards:cards})."
    fr: ClassVar[str] = "{seat:seat} tire {count} cartes au choix ({cards:cards})."

    rule: str
    deck: str
    count: int
    cards: tuple[str, ...] = ()
    """Empty for those who may not know them."""

    def redacted(self, viewer: Viewer) -> Event:
        """How many there are."""
        return replace(self, cards=(), postings=())


@chapter.event
class CardsRejected(Event, frozen=True, kw_only=True):
    """Of the cards drawn to choose from, those that were not chosen are discarded (V.E.9)."""

    en: ClassVar[str] = "{seat:seat} discards {cards:cards}."
    fr: ClassVar[str] = "{seat:seat} défausse {cards:cards}."

    rule: str
    seat: str
    cards: tuple[str, ...]


@chapter.event
class CardChosen(Event, frozen=True, kw_only=True):
    """One of several cards is chosen, for oneself or for another player (V.E.9, V.E.10).

    One that is kept stays between the two of them.
    """

    en: ClassVar[str] = "{seat:seat} chooses {card:card} for {to:seat}."
    fr: ClassVar[str] = "{seat:seat} choisit {card:card} pour {to:seat}."

    rule: str
    seat: str
    to: str
    card: str | None
    """None for those who may not know it."""
    kept: bool

    def audience(self) -> Audience:
        """A card that is applied is read out."""
        return only(self.seat, self.to) if self.kept else EVERYONE

    def reveals(self) -> Audience:
        """Whoever is given a card to keep did not know it; the chooser did."""
        return only(self.to) if self.kept and self.to != self.seat else BANKER_ONLY

    def redacted(self, viewer: Viewer) -> Event:
        """That one is kept."""
        return replace(self, card=None, postings=())


@chapter.event
class CardPlayed(Event, frozen=True, kw_only=True):
    """A card is played from the hand: everybody sees it now, and it is discarded (II.B.9)."""

    en: ClassVar[str] = "{seat:seat} plays {card:card}{named:named}."
    fr: ClassVar[str] = "{seat:seat} joue {card:card}{named:named}."

    rule: str
    seat: str
    card: str
    player: str | None = None
    """Whom it is for, if it takes that."""
    title: str | None = None
    """Which title it is for, if it takes that."""
    counts: bool = False
    """It is the one card of the turn (II.B.9)."""

    @property
    def named(self) -> tuple[str | None, str | None]:
        """The player and the title that it is for."""
        return self.player, self.title

    def apply(self, state: Negopoly) -> None:
        """No second one in this turn."""
        if self.counts and state.turn is not None:
            change_turn(state, cards_played=state.turn.cards_played + 1)


# ----------------------------------------------------------------------------------------------
# Drawing
# ----------------------------------------------------------------------------------------------


def lay_out(draft: Draft) -> None:
    """Put every card of the table into its deck, at the opening of a game; nothing without cards."""
    postings = piles.laid_out((card.id, card.deck) for card in cards_of(draft.state))
    if postings:
        draft.record(DecksLaidOut(postings=postings))


def draw(draft: Draft, deck: Deck, count: int = 1) -> tuple[Card, ...]:
    """Say which cards come next: `count` of them, or as many as there are.

    A deck that has too few takes its discards back first (VI.B.3). The cards are still in the deck: whoever draws
    them records where they go. Raises Malformed when those that the table gives cannot be drawn, NeedsDraw when it
    gives none, unless time has run out.
    """
    state = draft.state
    if len(state.holdings.account(pile(deck))) < count and (back := piles.discards_back(state, deck)):
        draft.record(DeckRebuilt(rule="VI.A.8" if deck == "meteo" else "VI.B.3", deck=deck, postings=back))
    try:
        ids = piles.draw(draft, f"{deck} card", deck, count)
    except NeedsDraw:
        # Where the table draws, time may run out before it has: nothing can wait for a card then (II.B.13).
        if draft.by != "system":
            raise
        draft.record(DrawMissed(deck=deck))
        return ()
    return tuple(card_named(state, card_id) for card_id in ids)


def keep(draft: Draft, seat: str, card: Card, *, rule: str = "II.B.9") -> None:
    """Put a card that has just been drawn into a player's hand (II.B.9)."""
    handed = Posting(card.commodity, 1, pile(card.deck), player(seat))
    draft.record(CardKept(rule=rule, seat=seat, deck=card.deck, card=card.id, postings=(handed,)))


def read_out(draft: Draft, seat: str, card: Card, *, rule: str = "II.B.7") -> None:
    """Discard a card that has just been drawn, to be applied at once (II.B.7)."""
    thrown = Posting(card.commodity, 1, pile(card.deck), discards(card.deck))
    draft.record(CardDrawn(rule=rule, seat=seat, card=card.id, postings=(thrown,)))


def draw_several(draft: Draft, seat: str, deck: Deck, count: int, *, rule: str) -> tuple[Card, ...]:
    """Let a player draw several cards to choose from (V.E.9); they lie aside until `choose` is called.

    With fewer than `count` left the discards are shuffled in first. Gives the cards, () when there is none.
    """
    cards = draw(draft, deck, count)
    if cards:
        aside = tuple(Posting(card.commodity, 1, pile(deck), drawn(seat)) for card in cards)
        ids = tuple(card.id for card in cards)
        draft.record(CardsShown(rule=rule, seat=seat, deck=deck, count=len(ids), cards=ids, postings=aside))
    return cards


def choose(draft: Draft, seat: str, card_id: str, *, to: str, rule: str) -> Card:
    """Take one of the cards drawn to choose from, for `to`, and discard the others (V.E.9, V.E.10).

    A card to keep goes into the hand of `to`; any other is discarded, and it is for the caller to apply it
    (`cards.apply`). Gives the card. Raises Impossible when it is none of those drawn.
    """
    state = draft.state
    aside = drawn(seat)
    cards = held_in(state, aside)
    chosen = next((card for card in cards if card.id == card_id), None)
    if chosen is None:
        raise Impossible(
            rule,
            "{seat} has not drawn {card!r}; to choose from: {cards}",
            "{seat} n'a pas tiré {card!r} ; au choix : {cards}",
            seat=seat,
            card=card_id,
            cards=", ".join(card.id for card in cards),
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
    """The posting of a card that its holder plays."""
    return Posting(commodity(card.id), 1, player(seat), discards(card.deck))


# ----------------------------------------------------------------------------------------------
# The view
# ----------------------------------------------------------------------------------------------


def shown(state: Negopoly) -> dict[str, dict[str, object]]:
    """Each deck as everybody sees it: how many cards are left to draw, and which are discarded."""
    return {
        deck: {
            "left": len(state.holdings.account(pile(deck))),
            "discarded": [card.id for card in held_in(state, discards(deck))],
        }
        for deck in DECKS
    }


def speak_of(state: Negopoly) -> Speaker:
    """How sentences name a card, by its id or as a holding; one that is hidden is but a card."""

    def name(value: Any, language: str) -> str:
        if value is None:
            return "une carte" if language == "fr" else "a card"
        card_id = piles.card_of(str(value))
        found = next((card for card in cards_of(state) if card.id == card_id), None)
        return str(value) if found is None else found.title.said(language)

    return name


def speak_of_several(state: Negopoly) -> Speaker:
    """How sentences name cards, by their ids; hidden ones are but a secret."""
    name = speak_of(state)

    def names(value: Any, language: str) -> str:
        if not value:
            return "un secret" if language == "fr" else "a secret"
        return ", ".join(name(one, language) for one in value)

    return names
