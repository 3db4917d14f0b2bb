"""The checks of the cards of a table's own decks: each flaw with its sentence."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec import UNSET

from ledger.kernel.facts.names import look
from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.language.phrase import Phrase
from ledger.rulebooks.negopoly.cards.vocabulary import (
    Banker,
    Cancel,
    Card,
    Gain,
    Modifier,
    Move,
    Pay,
    Retry,
    RollModifier,
    Teleport,
    Timing,
)
from ledger.rulebooks.negopoly.table.pieces import DELIVERABLE

_SWITCHES = frozenset({"checkpoint", "build", "vehicle"})
"""The subjects that weather can only switch off."""

_ANSWERS: dict[Timing, tuple[type, str]] = {
    "on_arrest": (Cancel, "arrest"),
    "on_police_check": (Cancel, "police_check"),
    "on_failed_sale": (Retry, "drug_sale"),
    "on_drug_die": (Cancel, "drug_result"),
}
"""The only effect of a card played in answer to an event, by timing."""


_KEPT = {"arrest": "confiscation", "police_check": "movement", "drug_result": "turn"}
"""The consequence that a cancelling card must leave in force, by the subject cancelled."""


def _untitled(card: Card) -> bool:
    return not look(card.title.in_language("en"))


def _kept_at_the_wrong_time(card: Card) -> bool:
    return card.keep == (card.timing == "on_draw")


def _kept_weather(card: Card) -> bool:
    return card.deck == "meteo" and card.keep


def _passing_weather(card: Card) -> bool:
    return card.deck == "meteo" and not all(isinstance(effect, Modifier | Banker) for effect in card.effects)


def _standing_elsewhere(card: Card) -> bool:
    return card.deck != "meteo" and any(isinstance(effect, Modifier) for effect in card.effects)


def _unclear_modifier(card: Card) -> bool:
    for effect in card.effects:
        if isinstance(effect, Modifier):
            changes = [name for name in ("add", "percent", "set", "off") if getattr(effect, name) is not UNSET]
            if len(changes) != 1 or effect.off is False or (changes == ["off"]) != (effect.what in _SWITCHES):
                return True
    return False


def _out_of_place_answer(card: Card) -> bool:
    if card.timing not in _ANSWERS:
        return any(isinstance(effect, Cancel | Retry) for effect in card.effects)
    kind, subject = _ANSWERS[card.timing]
    return [(type(effect), getattr(effect, "what", None)) for effect in card.effects] != [(kind, subject)]


def _keeps_something_else(card: Card) -> bool:
    return any(
        isinstance(effect, Cancel) and effect.keeps not in {None, _KEPT[effect.what]} for effect in card.effects
    )


def _changes_nothing(card: Card) -> bool:
    return any(
        (isinstance(effect, Move) and not effect.steps) or (isinstance(effect, RollModifier) and not effect.add)
        for effect in card.effects
    )


def _nobody_pays(card: Card) -> bool:
    sides = [{effect.source, effect.to} for effect in card.effects if isinstance(effect, Pay)]
    return any(len(side) == 1 or side == {"each_other", "chosen"} for side in sides)


def _gives_what_it_has_not(card: Card) -> bool:
    return any(isinstance(effect, Gain) and effect.item not in DELIVERABLE for effect in card.effects)


def _moves_out_of_time(card: Card) -> bool:
    return card.timing not in {"on_draw", "own_turn"} and any(isinstance(effect, Move) for effect in card.effects)


def _replaces_no_roll(card: Card) -> bool:
    return card.timing != "before_own_roll" and any(
        isinstance(effect, Teleport) and effect.replaces_roll for effect in card.effects
    )


def _without_target(card: Card) -> bool:
    return card.timing == "before_target_roll" and "player" not in card.choices()


def _two_titles(card: Card) -> bool:
    return {"own_title", "other_title"} <= card.choices()


_GOODS = ", ".join(sorted(DELIVERABLE))
_FLAWS: tuple[tuple[Callable[[Card], bool], Phrase], ...] = (
    (_untitled, Phrase("it has no title", "elle n'a pas de titre")),
    (
        _kept_at_the_wrong_time,
        Phrase(
            "a card that is kept is played later, any other one on_draw, not {timing}",
            "une carte conservée se joue plus tard, toute autre au tirage (on_draw), pas {timing}",
        ),
    ),
    (_kept_weather, Phrase("the weather is not kept in a hand", "la météo ne se conserve pas en main")),
    (
        _passing_weather,
        Phrase(
            "the weather has standing effects only (modifier), not {effects}",
            "la météo n'a que des effets durables (modifier), pas {effects}",
        ),
    ),
    (
        _standing_elsewhere,
        Phrase(
            "standing effects (modifier) belong to the weather, not {effects}",
            "les effets durables (modifier) sont ceux de la météo, pas {effects}",
        ),
    ),
    (
        _unclear_modifier,
        Phrase(
            "a modifier says one of add, percent, set, or off = true for checkpoint, build, vehicle, "
            "not {effects}",
            "un modifier dit l'un de add, percent, set, ou off = true pour checkpoint, build, vehicle, "
            "pas {effects}",
        ),
    ),
    (
        _out_of_place_answer,
        Phrase(
            "cancel and retry are the one effect of a card that answers just that, not at {timing} of {effects}",
            "cancel et retry sont l'unique effet d'une carte qui répond à cela même, pas à {timing} de {effects}",
        ),
    ),
    (
        _keeps_something_else,
        Phrase(
            "a cancelled arrest keeps confiscation, a police_check movement, a drug_result turn, "
            "not as in {effects}",
            "annulés, arrest garde confiscation, police_check movement, drug_result turn, "
            "pas comme dans {effects}",
        ),
    ),
    (
        _changes_nothing,
        Phrase(
            "a move of 0 steps and a roll_modifier of 0 change nothing: {effects}",
            "un move de 0 case et un roll_modifier de 0 ne changent rien : {effects}",
        ),
    ),
    (
        _nobody_pays,
        Phrase(
            "a payment has two sides, one of them the bank or the drawer, not {effects}",
            "un paiement a deux côtés, dont la banque ou le tireur, pas {effects}",
        ),
    ),
    (
        _gives_what_it_has_not,
        Phrase(
            f"the bank gives one of {_GOODS}, not {{effects}}",
            f"la banque donne l'un de {_GOODS}, pas {{effects}}",
        ),
    ),
    (
        _moves_out_of_time,
        Phrase(
            "a token moves on_draw or in its own_turn, not {timing}",
            "un pion se déplace au tirage (on_draw) ou pendant son tour (own_turn), pas {timing}",
        ),
    ),
    (
        _replaces_no_roll,
        Phrase(
            "what replaces the roll is played before_own_roll, not {timing}",
            "ce qui remplace le lancer se joue before_own_roll, pas {timing}",
        ),
    ),
    (
        _without_target,
        Phrase(
            "before_target_roll needs a chosen player, and {effects} names none",
            "before_target_roll demande un joueur désigné (chosen), et {effects} n'en désigne aucun",
        ),
    ),
    (
        _two_titles,
        Phrase(
            "one title is chosen at most, not two as in {effects}",
            "un seul titre se choisit, pas deux comme dans {effects}",
        ),
    ),
)
"""The reasons for an unplayable card, in English and French."""


def check_card(card: Card, pointer: str) -> None:
    """Refuse an unplayable card. `pointer` is the JSON Pointer of the card in the settings. Raises Malformed."""
    for wrong, flaw in _FLAWS:
        if wrong(card):
            raise Malformed(
                "card {card!r} ({deck}): " + flaw.en,
                "carte {card!r} ({deck}) : " + flaw.fr,
                card=card.id,
                deck=card.deck,
                timing=card.timing,
                effects=", ".join(msgspec.json.encode(effect).decode() for effect in card.effects),
                place=pointer,
            )
