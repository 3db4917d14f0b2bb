"""The names of things in sentences, in English and French, with the edition's names for pieces."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from importlib.resources import files
from typing import Any

from ledger.kernel.facts.accounts import BANK, BOX
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import AccountName, Speaker
from ledger.kernel.rules.faces.language import Language
from ledger.rulebooks.monopoly.debts import promises
from ledger.rulebooks.monopoly.showing import changes, choosing, glossary
from ledger.rulebooks.monopoly.showing.glossary import money_text
from ledger.rulebooks.monopoly.table.pieces import Pieces
from ledger.rulebooks.monopoly.table.state import Monopoly, pieces
from ledger.rulebooks.monopoly.table.terms import (
    DEBT,
    ESCROW,
    HOTEL,
    HOUSE,
    MORTGAGE,
    NOTE,
    PASS,
    POT,
    STOCK,
    TOWER,
    Debt,
    Trade,
)
from ledger.rulebooks.parts import decks, reading
from ledger.rulebooks.parts.speaking import account_speaker, listed, name_speaker, phrase_speaker, seat_speaker

_NO_PLAYERS = {"banker": Phrase("The banker", "Le banquier"), BANK: Phrase("the bank", "la banque")}

ACCOUNT_NAMES: Mapping[str, AccountName] = {
    STOCK: AccountName("the stock of buildings", "la réserve de bâtiments"),
    POT: AccountName("the pot", "la cagnotte"),
    ESCROW: AccountName("the highest bid", "la plus haute enchère"),
    "deck": AccountName("the {name} deck", "le paquet {name}", of="deck"),
    "property": AccountName("{name} (what is on it)", "{name} (ce qui s'y trouve)", of="title"),
    "treasury": AccountName("{name} (profits)", "{name} (profits)", of="seat"),
}
"""The names of the accounts; for an account of a family, by the word before the colon."""

_PURSES: Mapping[str, AccountName] = {
    BANK: AccountName("the bank", "la banque"),
    BOX: AccountName("the box", "la boîte"),
    "player": AccountName("{name}", "{name}", of="seat"),
}
_ASKED: Mapping[str, Phrase] = {
    "buy": Phrase("it is to be bought or declined", "à acheter ou à refuser"),
    "card": Phrase("a card is to be drawn", "une carte à tirer"),
    "die": Phrase("the die of the square is to be thrown", "le dé de la case à lancer"),
    "tax": Phrase("a tax is to be paid", "une taxe à payer"),
    "throw": Phrase("the dice are to be thrown for the rent", "les dés à lancer pour le loyer"),
    "go": Phrase("the dice are to be thrown to go on", "les dés à lancer pour aller plus loin"),
}
"""The demands of squares, in English and French."""
_CAUSES: Mapping[str, Phrase] = {
    "rent": Phrase("rent", "loyer"),
    "tax": Phrase("tax", "taxe"),
    "card": Phrase("card", "carte"),
    "fine": Phrase("fine", "amende"),
    "interest": Phrase("interest", "intérêt"),
    "award": Phrase("ruling", "décision"),
    "square": Phrase("square", "case"),
    "promise": Phrase("promise", "promesse"),
}
"""The causes of debts, in English and French."""
_MISSING: Mapping[str, Phrase] = {
    "card": Phrase("the card", "la carte"),
    "die": Phrase("the die of the square", "le dé de la case"),
    "rent": Phrase("the throw for the rent", "le jet pour le loyer"),
    "move": Phrase("the throw", "le jet"),
    "go": Phrase("the throw to go on", "le jet pour aller plus loin"),
}
"""The missing draws and throws, in English and French."""
_DRAWS: Mapping[str, Phrase] = {
    "dice": Phrase("the dice", "les dés"),
    "die": Phrase("the die of the square", "le dé de la case"),
    "card": Phrase("a card", "une carte"),
    "titles": Phrase("the titles dealt", "les titres distribués"),
    "tie": Phrase("the throws of those who tie", "les jets des ex æquo"),
}
"""The draws and throws, in English and French."""


def speakers_of(state: Monopoly) -> Mapping[str, Speaker]:
    """Build the formatters of sentences: seats by player name, money with the sign, pieces by name."""
    board = pieces(state)
    seat = seat_speaker(state, _NO_PLAYERS)
    title = name_speaker({item.id: item.name for item in board.squares})
    deck = name_speaker({item.id: item.name for item in board.decks})
    goods = _goods(board, state.edition.currency, seat)

    def money(value: Any, language: str) -> str:
        return money_text(board, value)

    def square(value: Any, language: str) -> str:
        on_board = isinstance(value, int) and 0 <= value < len(board.squares)
        return board.squares[value].name if on_board else str(value)

    def card(value: Any, language: str) -> str:
        definition = board.card.get(decks.card_of(str(value)))
        return goods(value, language) if definition is None else definition.words.in_language(language)

    def things(value: Any, language: str) -> str:
        commodity, amount = value if isinstance(value, tuple) else (value.commodity, value.amount)
        if commodity == state.edition.currency:
            return money_text(board, amount)
        if commodity.startswith(NOTE):
            return f"{money_text(board, amount)}{goods(commodity, language).removeprefix(board.named.symbol)}"
        return goods(commodity, language) if amount == 1 else f"{amount} × {goods(commodity, language)}"

    def agreement(value: Any, language: str) -> str:
        trade = state.open.get(value) or state.past.get(value)
        if not isinstance(trade, Trade):
            return str(value)
        return f"{value} ({listed([seat(trade.by, language), seat(trade.to, language)], language)})"

    def owed_as(value: Any) -> Debt | None:
        return next((item for item in state.debts if item.id == value), None)

    def matter(value: Any, language: str) -> str:
        owed = owed_as(value)
        if owed is None:
            return str(value)
        cause, name = _CAUSES[owed.cause], title(owed.title, language)
        words = Phrase(f"{cause.en}: {name}", f"{cause.fr} : {name}") if owed.title else cause
        return words.in_language(language)

    def debt(value: Any, language: str) -> str:
        owed = owed_as(value)
        return (
            str(value)
            if owed is None
            else f"{money_text(board, owed.amount)} ({_CAUSES[owed.cause].in_language(language)})"
        )

    def answer(value: Any, language: str) -> str:
        return choosing.answer_words(state, str(value), seat, language)

    def ask(value: Any, language: str) -> str:
        return choosing.subject_of(state, value, seat).in_language(language)

    return {
        "seat": seat,
        "answer": answer,
        "ask": ask,
        "account": _account(board, {"seat": seat, "title": title, "deck": deck}),
        "money": money,
        "title": title,
        "square": square,
        "deck": deck,
        "group": name_speaker({item.id: item.name for item in board.groups}),
        "division": name_speaker({item.id: item.name for item in board.divisions}),
        "goods": goods,
        "pieces": things,
        "card": card,
        "agreement": agreement,
        "debt": debt,
        "matter": matter,
        "todo": phrase_speaker(_ASKED),
        "cause": phrase_speaker(_CAUSES),
        "missing": phrase_speaker(_MISSING),
        "draw": phrase_speaker(_DRAWS),
    }


def _account(board: Pieces, owners: Mapping[str, Speaker]) -> Speaker:
    """Build a formatter for accounts, with the edition's name for the pot."""
    pot = board.named.pot
    return account_speaker({**_PURSES, **ACCOUNT_NAMES, POT: AccountName(pot.en, pot.fr)}, owners)


def _goods(board: Pieces, currency: str, seat: Speaker) -> Speaker:
    """Build a formatter for commodities: money, titles, buildings, cards, mortgages, promises."""
    named = board.named
    things: Mapping[str, Phrase] = {
        currency: Phrase(named.symbol, named.symbol),
        HOUSE: named.house,
        HOTEL: named.hotel,
        TOWER: named.tower_words[0],
        MORTGAGE: Phrase("mortgage", "hypothèque"),
        PASS: named.jail_pass,
    }
    release = Phrase("release from debt {}", "quittance de la dette {}")

    def goods(value: Any, language: str) -> str:
        thing = str(value)
        if thing in things:
            return things[thing].in_language(language)
        if thing.startswith(DEBT):
            return release.in_language(language).format(thing.removeprefix(DEBT))
        title = board.titles.get(thing.removeprefix("title:"))
        if title is not None:
            return title.name
        promise = _promise(board, thing, seat)
        if promise is not None:
            return promise.in_language(language)
        card = board.card.get(decks.card_of(thing)) if decks.is_card(thing) else None
        if card is None:
            return thing
        if card.is_kept and card.use == "leave_prison":
            return f"{things[PASS].in_language(language)} ({board.deck[card.deck].name})"
        return card.words.in_language(language)

    return goods


def _promise(board: Pieces, thing: str, seat: Speaker) -> Phrase | None:
    """Return the words of a promise, money with its sign; None for any other thing."""
    sign = board.named.symbol
    title, payment = board.titles.get(promises.stay_of(thing) or ""), promises.note_of(thing)
    if title is not None:
        return Phrase(f"free stay: {title.name}", f"séjour gratuit : {title.name}")
    if payment is not None:
        debtor, round_ = payment
        by = Phrase(seat(debtor, "en"), seat(debtor, "fr"))
        return Phrase(f"{sign} by {by.en} in round {round_}", f"{sign} par {by.fr} au tour de table {round_}")
    round_text = thing.removeprefix(NOTE)
    if thing.startswith(NOTE) and round_text.isdigit():
        return Phrase(f"{sign} in round {round_text}", f"{sign} au tour de table {round_text}")
    return None


_WORDS = reading.words(files("ledger.rulebooks.monopoly"))
"""The words of all editions."""
_CUSTOMS = reading.settings_wording(files("ledger.rulebooks.monopoly") / "editions" / "own")
"""The words for the commonest house rules of own boards."""


class MonopolyLanguage(Language[Monopoly]):
    """The words of the game."""

    agreement_names = glossary.AGREEMENTS
    wording, parameter_wording, settings_wording = _WORDS

    def __init__(self, actions: Collection[str], settings: Collection[str], *, customs: bool) -> None:
        self.wording = _WORDS[0].only(actions)
        self.settings_wording = _WORDS[2].within(settings, _CUSTOMS if customs else None)

    def speakers(self, state: Monopoly) -> Mapping[str, Speaker]:
        """Return the formatters for seats, titles, buildings, cards and money, in the words of the edition."""
        return speakers_of(state)

    def describe_changes(
        self, state: Monopoly, before: Mapping[str, Any], after: Mapping[str, Any], language: str
    ) -> Iterator[str]:
        """Yield the differences of two views of the table, in sentences."""
        return changes.differences(before, after, self.speakers(state), language)
