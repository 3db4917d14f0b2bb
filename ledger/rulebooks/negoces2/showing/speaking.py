"""The names of things in sentences of Négoces 2, in English and French."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.language.sentences import AccountName, Speaker
from ledger.kernel.language.wording import Phrase
from ledger.kernel.rules.commodities import CommodityWords, Glossary
from ledger.rulebooks.negoces2.cards import CARDS, COIN, GOODS
from ledger.rulebooks.negoces2.ends import TITLE
from ledger.rulebooks.negoces2.table import Negoces2, label
from ledger.rulebooks.negoces2.terms import VEIL
from ledger.rulebooks.parts.speaking import account_speaker, in_language, listed, phrase_speaker, seat_speaker

_NO_PLAYERS = {"banker": ("The banker", "Le banquier")}

ACCOUNT_NAMES = {
    "market:sale_card": AccountName("the card for sale", "la carte en vente"),
    "market:sale_coins": AccountName("the coins on the card for sale", "les pièces sur la carte en vente"),
    "market:second_card": AccountName("the second card", "la deuxième carte"),
    "box": AccountName("the box", "la boîte"),
    "hand": AccountName("{name} (hand)", "{name} (main)", of="seat"),
    "coins_visible": AccountName("{name} (visible coins)", "{name} (pièces visibles)", of="seat"),
    "coins_hidden": AccountName("{name} (hidden coins)", "{name} (pièces cachées)", of="seat"),
    "offer_card": AccountName("{name} (card on offer)", "{name} (carte proposée)", of="seat"),
    "offer_coins": AccountName("{name} (coins on offer)", "{name} (pièces proposées)", of="seat"),
    "layout": AccountName("{name} (cards laid out)", "{name} (cartes étalées)", of="seat"),
}
"""The names of the accounts; for a seat's account, by the word before the colon."""
_DRAWS = {
    "series": ("the series of goods", "les séries de marchandises"),
    "roll": ("the roll for the lot", "le jet du tirage au sort"),
    "cards": ("the cards of the lot", "les cartes du tirage au sort"),
    "deck": ("the deck of the lot", "la pioche du tirage au sort"),
}
"""The draws and throws, in English and French."""
_FACES = {"up": ("face up", "face visible"), "down": ("face down", "face cachée")}


_VEILED = CommodityWords(
    sort="card",
    name=Phrase("Card", "Carte"),
    plural=Phrase("Cards", "Cartes"),
    icon="card",
)


def commodities_of(state: Negoces2) -> Glossary:
    """Return the words of the cards and of the coin at the table (setup.18), and of a veiled card."""
    cards = {card: CommodityWords(sort="card", icon="card", card=card) for card in CARDS}
    if COIN in state.settings.labels:
        coin = CommodityWords(sort="money", icon="coin")
    else:
        single, several = Phrase("Coin", "Pièce"), Phrase("Coins", "Pièces")
        coin = CommodityWords(sort="money", name=single, plural=several, icon="coin")
    return {COIN: coin, **cards, VEIL: _VEILED}


def speakers_of(state: Negoces2) -> Mapping[str, Speaker]:
    """Return the formatters of sentences: seats by player's name, cards and coins by the table's names."""

    seat = seat_speaker(state, _NO_PLAYERS)
    account = account_speaker({BANK: AccountName("the bank", "la banque"), **ACCOUNT_NAMES}, {"seat": seat})

    def goods(value: Any, language: str) -> str:
        if value == COIN and COIN not in state.settings.labels:
            return "coins" if language == "en" else "pièces"
        if value == VEIL:
            return "card" if language == "en" else "carte"
        return label(state, str(value), language)

    def card(value: Any, language: str) -> str:
        a_card = "a card" if language == "en" else "une carte"
        return a_card if value is None else f"{a_card} ({label(state, value, language)})"

    def good(value: Any, language: str) -> str:
        return f"{label(state, GOODS[value], language)} ({value})"

    def coins(value: Any, language: str) -> str:
        if COIN in state.settings.labels:
            return f"{value} × {label(state, COIN, language)}"
        if language == "fr":
            return f"{value} pièce" if value in (0, 1) else f"{value} pièces"
        return f"{value} coin" if value == 1 else f"{value} coins"

    def face(value: Any, language: str) -> str:
        return in_language(_FACES[value], language)

    def lot(value: Any, language: str) -> str:
        how, which, amount = value
        parts = [] if how is None else [f"{card(which, language)} {face(how, language)}"]
        parts += [coins(amount, language)] if amount else []
        return listed(parts, language)

    def series(value: Any, language: str) -> str:
        return ", ".join(
            f"{listed([good(number, language) for number in value[owner]], language)} → {seat(owner, language)}"
            for owner in state.order
            if owner in value
        )

    def lots_drawn(value: Any, language: str) -> str:
        rounds = [
            ", ".join(f"{seat(drawn.seat, language)} {drawn.number}" for drawn in drawing) for drawing in value
        ]
        return f" ({' / '.join(rounds)})" if rounds else ""

    def copies(value: Any, language: str) -> str:
        if value is None:
            return "what the buyers hold" if language == "en" else "ce que détiennent les acheteurs"
        counts = [f"{seat(owner, language)} {value[owner]}" for owner in state.order if owner in value]
        return ", ".join(counts) or ("none" if language == "en" else "aucune")

    def tally(value: Any, language: str) -> str:
        return ", ".join(f"{seat(owner, language)} {amount}" for owner, amount in value.items())

    def proof(value: Any, language: str) -> str:
        by, amount = value
        if by == "cards":
            return " with one card of each good" if language == "en" else " avec une carte de chaque marchandise"
        if amount is None:
            return " by coins" if language == "en" else " par les pièces"
        return f" with {coins(amount, language)}" if language == "en" else f" avec {coins(amount, language)}"

    def purses(value: Any, language: str) -> str:
        if value is None:
            return "every claimant's coins" if language == "en" else "les pièces de chacun"
        return ", ".join(
            f"{seat(claimant, language)} {value[claimant]}" for claimant in state.order if claimant in value
        )

    def winners(value: Any, language: str) -> str:
        if not value:
            return "The game ends" if language == "en" else "La partie se termine"
        named = listed([seat(winner, language) for winner in value], language)
        if language == "en":
            return f"{named} is proclaimed {TITLE}" if len(value) == 1 else f"{named} share the title of {TITLE}"
        return f"{named} est proclamé {TITLE}" if len(value) == 1 else f"{named} partagent le titre de {TITLE}"

    return {
        "seat": seat,
        "account": account,
        "goods": goods,
        "money": coins,
        "coins": coins,
        "card": card,
        "good": good,
        "face": face,
        "lot": lot,
        "series": series,
        "lot_drawn": lots_drawn,
        "copies": copies,
        "tally": tally,
        "draw": phrase_speaker(_DRAWS),
        "proof": proof,
        "purses": purses,
        "winners": winners,
    }
