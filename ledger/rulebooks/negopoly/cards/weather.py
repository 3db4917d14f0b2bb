"""VI.A.7–8. The weather: the active Météo cards, and their effects on everybody.

rent = weather.modified(state, "rent", rent, collects="player")     one line wherever the weather has an effect
weather.switched_off(state, "vehicle")
"""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec
from msgspec import UNSET

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.cards import decks, playing
from ledger.rulebooks.negopoly.cards.playing import Use, carries_out
from ledger.rulebooks.negopoly.cards.vocabulary import Card, Modifier, Standing, commodity
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly

chapter = Chapter("VI.A. Weather")

MOST = 6
"""How many Météo cards are active together (VI.A.8)."""


@chapter.event
class WeatherDiscarded(Event, frozen=True, kw_only=True):
    """The oldest active Météo card is discarded when a seventh is drawn (VI.A.8)."""

    en: ClassVar[str] = "The weather of {card:card} is over."
    fr: ClassVar[str] = "C'en est fini de la météo {card:card}."

    rule: str = "VI.A.8"
    card: str

    def apply(self, state: Negopoly) -> None:
        """Remove the card from the active ones."""
        state.weather = tuple(one for one in state.weather if one != self.card)


@chapter.event
class WeatherDrawn(Event, frozen=True, kw_only=True):
    """A passage by Spawn draws a Météo card; it applies to everybody from now on (VI.A.7)."""

    en: ClassVar[str] = "{seat:seat} draws the weather: {card:card}."
    fr: ClassVar[str] = "{seat:seat} tire la météo : {card:card}."

    rule: str = "VI.A.7"
    seat: str
    card: str

    def apply(self, state: Negopoly) -> None:
        """Add the card as the newest active one."""
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
    """Set by ruling the active Météo cards, oldest first; the others go to the discards.

    Refuses, unless waived, more cards than are active together (VI.A.8). Raises Impossible for a card named twice,
    an unknown card or one of another deck, a card that a player has, and when nothing would change.
    """
    state = draft.state
    now = tuple(card.id for card in active(state))
    wanted = tuple(decks.card_named(state, one) for one in cards)
    twice = next((card for place, card in enumerate(wanted) if card in wanted[:place]), None)
    if (cards == now and not draft.again) or twice is not None:
        raise Impossible(
            "VI.A.8",
            "the weather is so already" if twice is None else "{card} is named twice",
            "la météo est déjà celle-là" if twice is None else "{carte} est nommée deux fois",
            card="" if twice is None else twice.title.said("en"),
            carte="" if twice is None else twice.title.said("fr"),
        )
    for card in wanted:
        if card.id not in now:
            _require_at_hand(draft, card)
    draft.require(
        len(wanted) <= MOST,
        "VI.A.8",
        "{count} Météo cards would be active, and {most} may be",
        "{count} cartes Météo seraient actives, et il y en a {most} au plus",
        count=len(wanted),
        most=MOST,
    )
    gone = (decks.card_named(state, one) for one in now if one not in cards)
    come = (card for card in wanted if card.id not in now)
    draft.record(
        WeatherSet(
            cards=cards,
            postings=(
                *(Posting(card.commodity, 1, decks.WEATHER, decks.discards(card.deck)) for card in gone),
                *(Posting(card.commodity, 1, _place(state, card), decks.WEATHER) for card in come),
            ),
        )
    )


def _require_at_hand(draft: Draft, card: Card) -> None:
    """Refuse a card that is no Météo card (VI.A.7), or is neither in the deck nor among the discards (VI.A.8)."""
    if card.deck != "meteo":
        raise Impossible(
            "VI.A.7",
            "{card} is a card of the {deck} deck, and no weather",
            "{carte} est une carte de la pioche {deck}, et pas de la météo",
            card=card.title.said("en"),
            carte=card.title.said("fr"),
            deck=card.deck.capitalize(),
        )
    if not draft.state.holdings.of(_place(draft.state, card), card.commodity):
        raise Impossible(
            "VI.A.8",
            "{card} is neither in its deck nor among the discards",
            "{carte} n'est ni dans sa pioche ni dans la défausse",
            card=card.title.said("en"),
            carte=card.title.said("fr"),
        )


def _place(state: Negopoly, card: Card) -> str:
    """Where a card that is not active lies: among the discards, or else in its deck."""
    thrown = state.holdings.of(decks.discards(card.deck), card.commodity)
    return decks.discards(card.deck) if thrown else decks.pile(card.deck)


def active(state: Negopoly) -> tuple[Card, ...]:
    """The active Météo cards, oldest first."""
    held = state.holdings.account(decks.WEATHER)
    if not held:
        return ()
    known = [one for one in state.weather if commodity(one) in held]
    moved = [card.id for card in decks.held_in(state, decks.WEATHER) if card.id not in known]  # by a ruling
    return tuple(decks.card_named(state, one) for one in (*moved, *known))


def modified(state: Negopoly, what: Standing, amount: int, *, collects: Literal["bank", "player"] = "bank") -> int:
    """The amount after the weather, never below 0; unchanged without weather.

    The newest card that sets a value replaces the amount. Then percentages are multiplied, then additions are
    made, then the result is rounded once: up when the bank collects, down when a player does (I.B.1).
    """
    percent, hundreds, added = 1, 1, 0
    for effect in _standing(state, what):
        if effect.set is not UNSET:
            amount = effect.set
        if effect.percent is not UNSET:
            percent *= effect.percent
            hundreds *= 100
        if effect.add is not UNSET:
            added += effect.add
    total = amount * percent + added * hundreds
    return max(0, -(-total // hundreds) if collects == "bank" else total // hundreds)


def switched_off(state: Negopoly, what: Standing) -> bool:
    """Whether an active Météo card switches this off: checkpoints, building, vehicles…"""
    return any(effect.off is True for effect in _standing(state, what))


_FORBIDDEN: dict[str, tuple[str, str]] = {
    "build": ("no house is built", "aucune maison ne se construit"),
    "vehicle": ("no vehicle is used", "aucun véhicule ne s'utilise"),
}
"""The reason of a refusal, in English and French, for what the weather has switched off."""


def require(draft: Draft, what: Literal["build", "vehicle"]) -> None:
    """Refuse an activity that the weather has switched off."""
    to_blame = [card for card in active(draft.state) if any(one.off is True for one in _effects(card, what))]
    draft.require(
        not to_blame,
        "VI.A.7",
        "{not_now} in this weather: {cards}",
        "{pas_alors} par cette météo : {cartes}",
        not_now=_FORBIDDEN[what][0],
        pas_alors=_FORBIDDEN[what][1],
        cards=", ".join(card.title.said("en") for card in to_blame),
        cartes=", ".join(card.title.said("fr") for card in to_blame),
    )


def _effects(card: Card, what: Standing) -> list[Modifier]:
    return [one for one in card.effects if isinstance(one, Modifier) and one.what == what]


def _standing(state: Negopoly, what: Standing) -> list[Modifier]:
    return [effect for card in active(state) for effect in _effects(card, what)]


def draw(draft: Draft, seat: str) -> None:
    """Draw a Météo card for a passage by Spawn; do nothing when no card is left (VI.A.7, VI.A.8).

    Effects left to the banker are put before the banker now (P.1).
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
    """The active Météo cards as everybody sees them, oldest first."""
    return [
        {"card": card.id, "title": msgspec.to_builtins(card.title), "text": msgspec.to_builtins(card.text)}
        for card in active(state)
    ]
