"""The names of things in sentences of Négoces 2, in English and French."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.language.phrase import Phrase, is_singular
from ledger.kernel.language.sentences import AccountName, Speaker
from ledger.kernel.rules.commodities import CommodityWords, Glossary
from ledger.kernel.rules.faces.language import Language
from ledger.rulebooks.negoces2.cards import CARDS, COIN, GOODS
from ledger.rulebooks.negoces2.ends import TITLE
from ledger.rulebooks.negoces2.showing import changes
from ledger.rulebooks.negoces2.table import Negoces2, label
from ledger.rulebooks.negoces2.terms import VEIL
from ledger.rulebooks.parts import reading
from ledger.rulebooks.parts.speaking import account_speaker, listed, phrase_speaker, seat_speaker

_NO_PLAYERS = {"banker": Phrase("The banker", "Le banquier")}

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
    "series": Phrase("the series of goods", "les séries de marchandises"),
    "roll": Phrase("the roll for the lot", "le jet du tirage au sort"),
    "cards": Phrase("the cards of the lot", "les cartes du tirage au sort"),
    "deck": Phrase("the deck of the lot", "la pioche du tirage au sort"),
}
"""The draws and throws, in English and French."""
_ONE_COIN, _COINS = Phrase("coin", "pièce"), Phrase("coins", "pièces")
_CARD, _A_CARD = Phrase("card", "carte"), Phrase("a card", "une carte")
_FACES = {"up": Phrase("face up", "face visible"), "down": Phrase("face down", "face cachée")}


_VEILED = CommodityWords(
    sort="card",
    name=Phrase("Card", "Carte"),
    plural=Phrase("Cards", "Cartes"),
    icon="card",
)


_CARD_WORDS = {card: CommodityWords(sort="card", icon="card", card=card) for card in CARDS}
_COIN = CommodityWords(
    sort="money",
    name=Phrase("Coin", "Pièce"),
    plural=Phrase("Coins", "Pièces"),
    icon="coin",
)
_UNLABELLED: Glossary = {COIN: _COIN, **_CARD_WORDS, VEIL: _VEILED}
_LABELLED: Glossary = {COIN: CommodityWords(sort="money", icon="coin"), **_CARD_WORDS, VEIL: _VEILED}
"""The words of the commodities at a table with a label of its own for the coin."""


def commodities_of(state: Negoces2) -> Glossary:
    """Return the words of the cards and of the coin at the table (setup.18), and of a veiled card."""
    return _LABELLED if COIN in state.settings.labels else _UNLABELLED


def speakers_of(state: Negoces2) -> Mapping[str, Speaker]:
    """Return the formatters of sentences: seats by player's name, cards and coins by the table's names."""

    seat = seat_speaker(state, _NO_PLAYERS)
    account = account_speaker({BANK: AccountName("the bank", "la banque"), **ACCOUNT_NAMES}, {"seat": seat})

    def goods(value: Any, language: str) -> str:
        if value == COIN and COIN not in state.settings.labels:
            return _COINS.in_language(language)
        if value == VEIL:
            return _CARD.in_language(language)
        return label(state, str(value), language)

    def card(value: Any, language: str) -> str:
        a_card = _A_CARD.in_language(language)
        return a_card if value is None else f"{a_card} ({label(state, value, language)})"

    def good(value: Any, language: str) -> str:
        return f"{label(state, GOODS[value], language)} ({value})"

    def coins(value: Any, language: str) -> str:
        if COIN in state.settings.labels:
            return f"{value} × {label(state, COIN, language)}"
        unit = _ONE_COIN if is_singular(value, language) else _COINS
        return f"{value} {unit.in_language(language)}"

    def face(value: Any, language: str) -> str:
        return _FACES[value].in_language(language)

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
            return Phrase("what the buyers hold", "ce que détiennent les acheteurs").in_language(language)
        counts = [f"{seat(owner, language)} {value[owner]}" for owner in state.order if owner in value]
        return ", ".join(counts) or Phrase("none", "aucune").in_language(language)

    def tally(value: Any, language: str) -> str:
        return ", ".join(f"{seat(owner, language)} {amount}" for owner, amount in value.items())

    def proof(value: Any, language: str) -> str:
        by, amount = value
        if by == "cards":
            words = Phrase(" with one card of each good", " avec une carte de chaque marchandise")
        elif amount is None:
            words = Phrase(" by coins", " par les pièces")
        else:
            paid = coins(amount, language)
            words = Phrase(f" with {paid}", f" avec {paid}")
        return words.in_language(language)

    def purses(value: Any, language: str) -> str:
        if value is None:
            return Phrase("every claimant's coins", "les pièces de chacun").in_language(language)
        return ", ".join(
            f"{seat(claimant, language)} {value[claimant]}" for claimant in state.order if claimant in value
        )

    def winners(value: Any, language: str) -> str:
        if not value:
            return Phrase("The game ends", "La partie se termine").in_language(language)
        named = listed([seat(winner, language) for winner in value], language)
        if len(value) == 1:
            words = Phrase(f"{named} is proclaimed {TITLE}", f"{named} est proclamé {TITLE}")
        else:
            words = Phrase(f"{named} share the title of {TITLE}", f"{named} partagent le titre de {TITLE}")
        return words.in_language(language)

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


class Negoces2Language(Language[Negoces2]):
    """The words of the game."""

    wording, parameter_wording, settings_wording = reading.words(files("ledger.rulebooks.negoces2"))

    def describe_changes(
        self, state: Negoces2, before: Mapping[str, Any], after: Mapping[str, Any], language: str
    ) -> Iterator[str]:
        """Return the differences between two views of the table, in sentences."""
        return changes.differences(before, after, self.speakers(state), language)

    def speakers(self, state: Negoces2) -> Mapping[str, Speaker]:
        """Return the formatters of sentences: seats, cards and coins by the table's names (setup.18)."""
        return speakers_of(state)
