"""The names of things in sentences, in English and French: by the edition's own names for its pieces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.kernel.facts.accounts import BANK, BOX
from ledger.kernel.language.sentences import AccountName, Speaker
from ledger.rulebooks.monopoly.showing.glossary import money_said
from ledger.rulebooks.monopoly.table.pieces import Pieces
from ledger.rulebooks.monopoly.table.state import Monopoly, pieces
from ledger.rulebooks.monopoly.table.terms import ESCROW, HOTEL, HOUSE, MORTGAGE, PASS, POT, STOCK, Trade
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.speaking import (
    Both,
    account_speaker,
    listed,
    name_speaker,
    phrase_speaker,
    said,
    seat_speaker,
)

_NO_PLAYERS = {"banker": ("The banker", "Le banquier"), BANK: ("the bank", "la banque")}

ACCOUNT_NAMES: Mapping[str, AccountName] = {
    STOCK: AccountName("the stock of buildings", "la réserve de bâtiments"),
    POT: AccountName("the pot", "la cagnotte"),
    ESCROW: AccountName("the highest bid", "la plus haute enchère"),
    "deck": AccountName("the {name} deck", "le paquet {name}", of="deck"),
    "property": AccountName("{name} (what is on it)", "{name} (ce qui s'y trouve)", of="title"),
    "treasury": AccountName("{name} (profits)", "{name} (profits)", of="seat"),
}
"""The names of the accounts; for one of several, by the word before the colon."""

_PURSES: Mapping[str, AccountName] = {
    BANK: AccountName("the bank", "la banque"),
    BOX: AccountName("the box", "la boîte"),
    "player": AccountName("{name}", "{name}", of="seat"),
}
_ASKED: Mapping[str, Both] = {
    "buy": ("it is to be bought or declined", "à acheter ou à refuser"),
    "card": ("a card is to be drawn", "une carte à tirer"),
    "die": ("the die of the square is to be thrown", "le dé de la case à lancer"),
    "tax": ("a tax is to be paid", "une taxe à payer"),
    "throw": ("the dice are to be thrown for the rent", "les dés à lancer pour le loyer"),
}
"""What a square asks for, in English and French."""
_CAUSES: Mapping[str, Both] = {
    "rent": ("rent", "loyer"),
    "tax": ("tax", "taxe"),
    "card": ("card", "carte"),
    "fine": ("fine", "amende"),
    "interest": ("interest", "intérêt"),
    "award": ("ruling", "décision"),
}
"""What is owed, in English and French."""
_MISSING: Mapping[str, Both] = {
    "card": ("the card", "la carte"),
    "die": ("the die of the square", "le dé de la case"),
    "rent": ("the throw for the rent", "le jet pour le loyer"),
    "move": ("the throw", "le jet"),
}
"""What nobody has drawn or thrown, in English and French."""
_DRAWS: Mapping[str, Both] = {
    "dice": ("the dice", "les dés"),
    "die": ("the die of the square", "le dé de la case"),
    "card": ("a card", "une carte"),
    "titles": ("the titles dealt", "les titres distribués"),
    "tie": ("the throws of those who tie", "les jets des ex æquo"),
}
"""What is thrown or drawn, in English and French."""


def speakers_of(state: Monopoly) -> Mapping[str, Speaker]:
    """The formatters of sentences: seats by player's name, money with its sign, pieces by their names."""
    found = pieces(state)
    seat = seat_speaker(state, _NO_PLAYERS)
    title = name_speaker({one.id: one.name for one in found.squares})
    deck = name_speaker({one.id: one.name for one in found.decks})
    goods = _goods(found, state.edition.currency)

    def money(value: Any, language: str) -> str:
        return money_said(found, value)

    def square(value: Any, language: str) -> str:
        known = isinstance(value, int) and 0 <= value < len(found.squares)
        return found.squares[value].name if known else str(value)

    def card(value: Any, language: str) -> str:
        known = found.card.get(decks.card_of(str(value)))
        return goods(value, language) if known is None else known.words.said(language)

    def things(value: Any, language: str) -> str:
        commodity, amount = value if isinstance(value, tuple) else (value.commodity, value.amount)
        if commodity == state.edition.currency:
            return money_said(found, amount)
        return goods(commodity, language) if amount == 1 else f"{amount} × {goods(commodity, language)}"

    def agreement(value: Any, language: str) -> str:
        trade = state.open.get(value) or state.past.get(value)
        if not isinstance(trade, Trade):
            return str(value)
        return f"{value} ({listed([seat(trade.by, language), seat(trade.to, language)], language)})"

    def debt(value: Any, language: str) -> str:
        owed = next((one for one in state.debts if one.id == value), None)
        return (
            str(value)
            if owed is None
            else f"{money_said(found, owed.amount)} ({said(_CAUSES[owed.cause], language)})"
        )

    return {
        "seat": seat,
        "account": _account(found, {"seat": seat, "title": title, "deck": deck}),
        "money": money,
        "title": title,
        "square": square,
        "deck": deck,
        "group": name_speaker({one.id: one.name for one in found.groups}),
        "division": name_speaker({one.id: one.name for one in found.divisions}),
        "goods": goods,
        "pieces": things,
        "card": card,
        "agreement": agreement,
        "debt": debt,
        "todo": phrase_speaker(_ASKED),
        "cause": phrase_speaker(_CAUSES),
        "missing": phrase_speaker(_MISSING),
        "draw": phrase_speaker(_DRAWS),
    }


def _account(found: Pieces, owners: Mapping[str, Speaker]) -> Speaker:
    """A formatter for accounts, with the edition's name for its pot."""
    pot = found.named.pot
    return account_speaker({**_PURSES, **ACCOUNT_NAMES, POT: AccountName(pot.en, pot.fr)}, owners)


def _goods(found: Pieces, currency: str) -> Speaker:
    """A formatter for commodities: money, titles, buildings, cards, mortgages."""
    named = found.named
    things: Mapping[str, Both] = {
        currency: (named.symbol, named.symbol),
        HOUSE: (named.house.en, named.house.fr),
        HOTEL: (named.hotel.en, named.hotel.fr),
        MORTGAGE: ("mortgage", "hypothèque"),
        PASS: (named.jail_pass.en, named.jail_pass.fr),
    }

    def goods(value: Any, language: str) -> str:
        thing = str(value)
        if thing in things:
            return said(things[thing], language)
        title = found.titles.get(thing.removeprefix("title:"))
        if title is not None:
            return title.name
        card = found.card.get(decks.card_of(thing)) if decks.is_card(thing) else None
        if card is None:
            return thing
        if card.is_kept:
            return f"{said(things[PASS], language)} ({found.deck[card.deck].name})"
        return card.words.said(language)

    return goods
