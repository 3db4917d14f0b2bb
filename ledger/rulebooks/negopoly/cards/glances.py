"""The effect of each card at a glance, for a list of cards to pick from."""

from __future__ import annotations

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.commodities import CardEffect
from ledger.rulebooks.negopoly.cards.vocabulary import Arrest, Card, Gain, Hospital, Move, Pay, PayPer, Teleport
from ledger.rulebooks.negopoly.table.pieces import ITEMS
from ledger.rulebooks.negopoly.table.terms import money_words

_NOTHING = Phrase("", "")
_PER = {
    "house": Phrase("per house", "par maison"),
    "title": Phrase("per title", "par titre"),
    "dose": Phrase("per dose", "par dose"),
    "weapon": Phrase("per weapon", "par arme"),
}
_SQUARES = {
    "spawn": "Spawn",
    "prison": "Prison",
    "hopital": "Hôpital",
    "comico": "Comico",
    "bar": "Bar",
    "nc_custom": "NC Custom",
    "kamtar": "Kamtar",
    "chance": "Chance",
}


def effect_of(card: Card) -> CardEffect:
    """Return the first effect of a card at a glance. A kept card has the effect to be kept."""
    if card.keep:
        return CardEffect("keep", Phrase("keep", "à garder"), "hand")
    for effect in card.effects:
        match effect:
            case Pay(source="each_other", to="drawer", amount=int(amount)):
                return CardEffect("receive", _money("+", amount, Phrase("each", "chacun")), "coin")
            case Pay(source="drawer", to="each_other", amount=int(amount)):
                return CardEffect("pay", _money("−", amount, Phrase("each", "chacun")), "coin")
            case Pay(to="drawer", amount=int(amount)):
                return CardEffect("receive", _money("+", amount), "coin")
            case Pay(source="drawer", amount=int(amount)):
                return CardEffect("pay", _money("−", amount), "coin")
            case PayPer(per=per, amount=int(amount)):
                return CardEffect("pay", _money("−", amount, _PER[per]), "coin")
            case Gain(item=item, qty=int(quantity)) if item in ITEMS:
                return CardEffect("receive", _both(f"+{quantity} × {ITEMS[item].name}"), "coin")
            case Move(steps=steps):
                return CardEffect("move", _both(f"→ {steps:+}".replace("-", "−")), "start")
            case Arrest(target="drawer"):
                return CardEffect("move", _both("→ Prison"), "prison")
            case Hospital(target="drawer"):
                return CardEffect("move", _both("→ Hôpital"), "hospital")
            case Teleport(to=to):
                square = _SQUARES.get(to)
                return CardEffect("move", _NOTHING if square is None else _both(f"→ {square}"), "start")
    return CardEffect("other", _NOTHING, "card")


def _money(sign: str, amount: int, unit: Phrase = _NOTHING) -> Phrase:
    price = money_words(amount)
    return Phrase(f"{sign}{price.en} {unit.en}".rstrip(), f"{sign}{price.fr} {unit.fr}".rstrip())


def _both(text: str) -> Phrase:
    return Phrase(text, text)
