"""VI.A.7–8. The weather: the active Météo cards, and what they change for everybody.

rent = weather.modified(state, "rent", rent, collects="player")     one line wherever the weather has a say
weather.switched_off(state, "vehicle")
"""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec
from msgspec import UNSET

from ledger.kernel.accounts import Posting
from ledger.kernel.chapter import Chapter
from ledger.kernel.events import Event
from ledger.rulebooks.negopoly.cards import decks, playing
from ledger.rulebooks.negopoly.cards.playing import Use, carries_out
from ledger.rulebooks.negopoly.cards.vocabulary import Card, Modifier, Standing, commodity
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly

chapter = Chapter("VI.A. Weather")

MOST = 6
"""How many Météo cards are active together (VI.A.8)."""


@chapter.event
class WeatherDiscarded(Event, frozen=True, kw_only=True):
    """The Météo card that has been active for longest makes room for a seventh (VI.A.8)."""

    en: ClassVar[str] = "The weather of {card:card} is over."
    fr: ClassVar[str] = "C'en est fini de la météo {card:card}."

    rule: str = "VI.A.8"
    card: str

    def apply(self, state: Negopoly) -> None:
        """It changes nothing any more."""
        state.weather = tuple(one for one in state.weather if one != self.card)


@chapter.event
class WeatherDrawn(Event, frozen=True, kw_only=True):
    """A passage by Spawn draws a Météo card, which applies to everybody from here on (VI.A.7)."""

    en: ClassVar[str] = "{seat:seat} draws the weather: {card:card}."
    fr: ClassVar[str] = "{seat:seat} tire la météo : {card:card}."

    rule: str = "VI.A.7"
    seat: str
    card: str

    def apply(self, state: Negopoly) -> None:
        """The newest of the active ones."""
        state.weather = (*state.weather, self.card)


def active(state: Negopoly) -> tuple[Card, ...]:
    """The active Météo cards, the one active for longest first."""
    held = state.holdings.account(decks.WEATHER)
    if not held:
        return ()
    known = [one for one in state.weather if commodity(one) in held]
    moved = [card.id for card in decks.held_in(state, decks.WEATHER) if card.id not in known]  # by a ruling
    return tuple(decks.card_named(state, one) for one in (*moved, *known))


def modified(state: Negopoly, what: Standing, amount: int, *, collects: Literal["bank", "player"] = "bank") -> int:
    """The amount as the weather makes it, never below 0; the same without weather.

    What one card sets replaces it (the newest such card's word counts), then percents are multiplied, then what is
    added, then it is rounded once: up when the bank collects, down when a player does (I.B.1).
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
    """Whether an active Météo card switches it off: checkpoints, building, vehicles…"""
    return any(effect.off is True for effect in _standing(state, what))


_FORBIDDEN: dict[str, tuple[str, str]] = {
    "build": ("no house is built", "aucune maison ne se construit"),
    "vehicle": ("no vehicle is used", "aucun véhicule ne s'utilise"),
}
"""What is refused where the weather switches it off, in English and French."""


def require(draft: Draft, what: Literal["build", "vehicle"]) -> None:
    """Refuse what the weather switches off."""
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
    """A passage by Spawn draws the weather; nothing where no card is left to draw (VI.A.7, VI.A.8).

    What a card leaves to the banker is put before them now (P.1).
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
    """Nothing at once: it holds for as long as the card is active."""


def shown(state: Negopoly) -> list[dict[str, object]]:
    """The active Météo cards as everybody sees them, the one active for longest first."""
    return [
        {"card": card.id, "title": msgspec.to_builtins(card.title), "text": msgspec.to_builtins(card.text)}
        for card in active(state)
    ]
