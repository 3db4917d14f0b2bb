"""VI.A.7–8. The weather: the active Météo cards, with effects on everybody.

Each use of the weather takes one line:
    rent = weather.modified(state, "rent", rent, collects="player")
    weather.switched_off(state, "vehicle")
"""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec
from msgspec import UNSET

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.cards import decks, playing
from ledger.rulebooks.negopoly.cards.playing import Use, carries_out
from ledger.rulebooks.negopoly.cards.vocabulary import Card, Modifier, Standing, commodity
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly

chapter = Chapter("VI.A. Weather")

MOST = 6
"""Maximum number of active Météo cards (VI.A.8)."""


@chapter.event
class WeatherDiscarded(Event, frozen=True, kw_only=True):
    """The oldest active Météo card is discarded when a seventh is drawn (VI.A.8)."""

    en: ClassVar[str] = "The weather of {card:card} is over."
    fr: ClassVar[str] = "C'en est fini de la météo {card:card}."

    rule: str = "VI.A.8"
    card: str

    def apply(self, state: Negopoly) -> None:
        """Remove the card from the active cards."""
        state.weather = tuple(card_id for card_id in state.weather if card_id != self.card)


@chapter.event
class WeatherDrawn(Event, frozen=True, kw_only=True):
    """A passage by Spawn draws a Météo card; it applies to everybody from now on (VI.A.7)."""

    en: ClassVar[str] = "{seat:seat} draws the weather: {card:card}."
    fr: ClassVar[str] = "{seat:seat} tire la météo : {card:card}."

    rule: str = "VI.A.7"
    seat: str
    card: str

    def apply(self, state: Negopoly) -> None:
        """Add the card as the newest active card."""
        state.weather = (*state.weather, self.card)


@chapter.event
class WeatherSet(Event, frozen=True, kw_only=True):
    """A ruling says which Météo cards are active, in which order; what a card does when drawn is not repeated."""

    en: ClassVar[str] = "By a ruling, the weather is, oldest first: {cards:weather}."
    fr: ClassVar[str] = "Par une décision, la météo est, de la plus ancienne à la plus récente : {cards:weather}."

    rule: str = "VI.A.8"
    cards: tuple[str, ...]
    """The active cards, oldest first."""

    def apply(self, state: Negopoly) -> None:
        """Store the order."""
        state.weather = self.cards


def set_weather(draft: Draft, cards: tuple[str, ...]) -> None:
    """Set by ruling the active Météo cards, oldest first. The former cards go to the discards.

    Refuses, unless waived, more cards than the maximum of active cards (VI.A.8). Raises Impossible for a card
    named twice, an unknown card, a card of another deck, a card in a player's hand, and an unchanged weather.
    """
    state = draft.state
    active_ids = tuple(card.id for card in active(state))
    chosen = tuple(decks.card_named(state, card_id) for card_id in cards)
    twice = next((card for index, card in enumerate(chosen) if card in chosen[:index]), None)
    if twice is not None:
        raise Impossible(
            "VI.A.8",
            "{card} is named twice",
            "{carte} est nommée deux fois",
            card=twice.title.in_language("en"),
            carte=twice.title.in_language("fr"),
        )
    draft.require_now(
        cards != active_ids, "VI.A.8", "the weather is so already", "la météo est déjà celle-là", card="", carte=""
    )
    for card in chosen:
        if card.id not in active_ids:
            _require_at_hand(draft, card)
    draft.require(
        len(chosen) <= MOST,
        "VI.A.8",
        "{count} Météo cards would be active, and {most} may be",
        "{count} cartes Météo seraient actives, et il y en a {most} au plus",
        count=len(chosen),
        most=MOST,
    )
    gone = (decks.card_named(state, card_id) for card_id in active_ids if card_id not in cards)
    come = (card for card in chosen if card.id not in active_ids)
    draft.record(
        WeatherSet(
            cards=cards,
            postings=(
                *(Posting(card.commodity, 1, decks.WEATHER, decks.discards(card.deck)) for card in gone),
                *(Posting(card.commodity, 1, _source_account(state, card), decks.WEATHER) for card in come),
            ),
        )
    )


def _require_at_hand(draft: Draft, card: Card) -> None:
    """Refuse a card of another deck (VI.A.7), and a card outside the deck and the discards (VI.A.8)."""
    if card.deck != "meteo":
        raise Impossible(
            "VI.A.7",
            "{card} is a card of the {deck} deck, and no weather",
            "{carte} est une carte de la pioche {deck}, et pas de la météo",
            card=card.title.in_language("en"),
            carte=card.title.in_language("fr"),
            deck=card.deck.capitalize(),
        )
    if not draft.state.holdings.of(_source_account(draft.state, card), card.commodity):
        raise Impossible(
            "VI.A.8",
            "{card} is neither in its deck nor among the discards",
            "{carte} n'est ni dans sa pioche ni dans la défausse",
            card=card.title.in_language("en"),
            carte=card.title.in_language("fr"),
        )


def _source_account(state: Negopoly, card: Card) -> str:
    """Return the account of an inactive card: the discards, or else the deck."""
    thrown = state.holdings.of(decks.discards(card.deck), card.commodity)
    return decks.discards(card.deck) if thrown else decks.pile(card.deck)


def active(state: Negopoly) -> tuple[Card, ...]:
    """Return the active Météo cards, oldest first."""
    balances = state.holdings.account(decks.WEATHER)
    if not balances:
        return ()
    ordered = [card_id for card_id in state.weather if commodity(card_id) in balances]
    moved = [card.id for card in decks.held_in(state, decks.WEATHER) if card.id not in ordered]  # by a ruling
    return tuple(decks.card_named(state, card_id) for card_id in (*moved, *ordered))


def modified(
    state: Negopoly, aspect: Standing, amount: int, *, collects: Literal["bank", "player"] = "bank"
) -> int:
    """Return the amount after the weather, never below 0; unchanged without weather.

    The newest card with a fixed value replaces the amount. Then percentages are multiplied, then additions are
    made, then the result is rounded once: up if the bank collects, down if a player collects (I.B.1).
    """
    percent, hundreds, added = 1, 1, 0
    for effect in _standing(state, aspect):
        if effect.set is not UNSET:
            amount = effect.set
        if effect.percent is not UNSET:
            percent *= effect.percent
            hundreds *= 100
        if effect.add is not UNSET:
            added += effect.add
    total = amount * percent + added * hundreds
    return max(0, -(-total // hundreds) if collects == "bank" else total // hundreds)


def switched_off(state: Negopoly, aspect: Standing) -> bool:
    """Return True if an active Météo card switches an aspect off: checkpoints, building, vehicles…"""
    return any(effect.off is True for effect in _standing(state, aspect))


_FORBIDDEN: dict[str, Phrase] = {
    "build": Phrase("no house is built", "aucune maison ne se construit"),
    "vehicle": Phrase("no vehicle is used", "aucun véhicule ne s'utilise"),
}
"""The reason of a refusal, in English and French, by activity switched off."""


def require(draft: Draft, activity: Literal["build", "vehicle"]) -> None:
    """Refuse an activity switched off by the weather."""
    to_blame = [
        card for card in active(draft.state) if any(effect.off is True for effect in _effects(card, activity))
    ]
    draft.require(
        not to_blame,
        "VI.A.7",
        "{closed.en} in this weather: {cards}",
        "{closed.fr} par cette météo : {cartes}",
        closed=_FORBIDDEN[activity],
        cards=", ".join(card.title.in_language("en") for card in to_blame),
        cartes=", ".join(card.title.in_language("fr") for card in to_blame),
    )


def _effects(card: Card, aspect: Standing) -> list[Modifier]:
    return [effect for effect in card.effects if isinstance(effect, Modifier) and effect.what == aspect]


def _standing(state: Negopoly, aspect: Standing) -> list[Modifier]:
    return [effect for card in active(state) for effect in _effects(card, aspect)]


def draw(draft: Draft, seat: str) -> None:
    """Draw a Météo card for a passage by Spawn; do nothing when no card is left (VI.A.7, VI.A.8).

    Effects left to the banker are put to the banker now (P.1).
    """
    for card in decks.draw(draft, "meteo"):
        for oldest in active(draft.state)[: 1 - MOST]:
            thrown = Posting(oldest.commodity, 1, decks.WEATHER, decks.discards(oldest.deck))
            draft.record(WeatherDiscarded(card=oldest.id, postings=(thrown,)))
        come = Posting(card.commodity, 1, decks.pile(card.deck), decks.WEATHER)
        draft.record(WeatherDrawn(seat=seat, card=card.id, postings=(come,)))
        playing.happen(draft, Use(card=card, seat=seat))


@carries_out(Modifier)
def _stand(draft: Draft, use: Use, effect: Modifier) -> None:
    """Do nothing at once: the effect lasts while the card is active."""


def public_view(state: Negopoly) -> list[dict[str, object]]:
    """Return the public facts of the active Météo cards, oldest first."""
    return [
        {"card": card.id, "title": msgspec.to_builtins(card.title), "text": msgspec.to_builtins(card.text)}
        for card in active(state)
    ]
