"""The effect of each card at a glance, for a list of cards to pick from."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import UNSET

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.commodities import CardEffect
from ledger.rulebooks.monopoly.table.effects import (
    GoBack,
    GoTo,
    GoToPrison,
    Keep,
    Move,
    Pay,
    PayPerBuilding,
    PayToEach,
    Receive,
    ReceiveFromEach,
)
from ledger.rulebooks.monopoly.table.pieces import Card, Pieces

_NOTHING = Phrase("", "")
_EACH = Phrase("each", "chacun")


def effect_of(card: Card, pieces: Pieces, money: Callable[[int], str]) -> CardEffect:
    """Return the first effect of a card at a glance. `money` writes an amount."""

    def sum_of(sign: str, amount: int, unit: Phrase = _NOTHING) -> Phrase:
        return Phrase(f"{sign}{money(amount)} {unit.en}".rstrip(), f"{sign}{money(amount)} {unit.fr}".rstrip())

    first = card.effects[0]
    if first.who is not UNSET or first.when is not UNSET:
        return CardEffect("other", _NOTHING, "card")
    match first:
        case Keep():
            return CardEffect("keep", Phrase("keep", "à garder"), "hand")
        case Receive(amount=int(amount)):
            return CardEffect("receive", sum_of("+", amount), "coin")
        case ReceiveFromEach(amount=amount):
            return CardEffect("receive", sum_of("+", amount, _EACH), "coin")
        case Pay(amount=int(amount)):
            return CardEffect("pay", sum_of("−", amount), "coin")
        case PayToEach(amount=amount):
            return CardEffect("pay", sum_of("−", amount, _EACH), "coin")
        case PayPerBuilding(house=house):
            named = pieces.named.house
            return CardEffect("pay", sum_of("−", house, Phrase(f"per {named.en}", f"par {named.fr}")), "coin")
        case GoTo(square=square):
            name = next((place.name for place in pieces.squares if place.id == square), "")
            return CardEffect("move", Phrase(f"→ {name}", f"→ {name}") if name else _NOTHING, "start")
        case GoBack(steps=steps):
            return CardEffect("move", Phrase(f"→ −{steps}", f"→ −{steps}"), "start")
        case Move(by=int(steps)):
            sign = "+" if first.direction == "forward" else "−"
            return CardEffect("move", Phrase(f"→ {sign}{steps}", f"→ {sign}{steps}"), "start")
        case Move(to=str(square)):
            name = next((place.name for place in pieces.squares if place.id == square), "")
            return CardEffect("move", Phrase(f"→ {name}", f"→ {name}") if name else _NOTHING, "start")
        case GoToPrison():
            name = pieces.squares[pieces.jail].name
            return CardEffect("move", Phrase(f"→ {name}", f"→ {name}"), "prison")
        case _:
            return CardEffect("other", _NOTHING, "card")
