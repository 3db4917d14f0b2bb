"""The names of things in sentences: seats, money, titles, squares, cards and goods."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from typing import Any

from ledger.kernel.facts.accounts import BANK, BOX
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import NOTHING, AccountName, Speaker, elided
from ledger.kernel.rules.faces.language import Language
from ledger.rulebooks.negopoly.agreements import telling
from ledger.rulebooks.negopoly.arsenal import charges
from ledger.rulebooks.negopoly.cards import decks
from ledger.rulebooks.negopoly.cards.vocabulary import is_card
from ledger.rulebooks.negopoly.estate import quarters
from ledger.rulebooks.negopoly.goods import shops
from ledger.rulebooks.negopoly.meetings import talks
from ledger.rulebooks.negopoly.mercenaries import reactions, services
from ledger.rulebooks.negopoly.table import changes, glossary
from ledger.rulebooks.negopoly.table.pieces import ITEMS, TITLES
from ledger.rulebooks.negopoly.table.state import Negopoly
from ledger.rulebooks.negopoly.table.terms import (
    MONEY,
    POLICE,
    USED,
    Bounty,
    Contract,
    Deal,
    Loan,
    Meeting,
    money_words,
)
from ledger.rulebooks.parts import reading
from ledger.rulebooks.parts.speaking import account_speaker, listed, name_speaker, phrase_speaker, seat_speaker

_NO_PLAYERS = {
    "banker": Phrase("The banker", "Le banquier"),
    BANK: Phrase("the bank", "la banque"),
    talks.EVERYBODY: Phrase("everybody", "tout le monde"),
}
_QUESTIONS = {
    "card": Phrase("what the card is for", "à quoi sert la carte"),
    "chance_choice": Phrase("which Chance card", "quelle carte Chance"),
    "kamtar": Phrase("a Kamtar card", "une carte Kamtar"),
    "on_arrest": Phrase("a card against the arrest", "une carte contre l'arrestation"),
    "on_drug_die": Phrase("a card against the drug die", "une carte contre le dé Drogue"),
    "on_failed_sale": Phrase("a card for the failed sale", "une carte pour la vente manquée"),
    "on_police_check": Phrase("a card against the check", "une carte contre le contrôle"),
}
"""The subjects of questions without goods, in English and French."""
_ON_TITLES = {
    "mortgage": Phrase("mortgage", "hypothèque"),
    "house": Phrase("house", "maison"),
    "squat": Phrase("squat", "squat"),
}
"""The pieces on titles, in English and French."""
_CAUSES = {
    "owner": Phrase("its owner", "son propriétaire"),
    "ruling": Phrase("a ruling", "une décision"),
    "sale": Phrase("a sale", "une vente"),
    "elimination": Phrase("an elimination", "une élimination"),
}
"""The causes of an event on a title without goods, in English and French."""
_ENDINGS = {
    "wealth": Phrase("the greatest wealth", "la plus grande fortune"),
    "elimination": Phrase("only one player is left", "il ne reste qu'un joueur"),
    "ruling": Phrase("a ruling of the banker", "une décision du banquier"),
}
"""The kinds of victory without a Game Ender, in English and French."""

_DRAWS = {
    "movement dice": Phrase("the dice of the move", "les dés du déplacement"),
    "drug die": Phrase("the drug die", "le dé Drogue"),
    "sale die": Phrase("the die of the sale", "le dé de la vente"),
    "vehicle die": Phrase("the die of the vehicle", "le dé du véhicule"),
    "glock die": Phrase("the die of the Glock", "le dé du Glock"),
    "rpg die": Phrase("the die of the RPG-7", "le dé du RPG-7"),
    "chance card": Phrase("a Chance card", "une carte Chance"),
    "kamtar card": Phrase("a Kamtar card", "une carte Kamtar"),
    "meteo card": Phrase("a Météo card", "une carte Météo"),
}
"""The draws and throws, in English and French."""
_REASONS = {"bankruptcy": Phrase("bankruptcy", "faillite")}
"""The standard reasons of eliminations, in English and French."""

ACCOUNT_NAMES: Mapping[str, AccountName] = {
    POLICE: AccountName("the police", "la police"),
    USED: AccountName("used up", "épuisé"),
    "property": AccountName("{name} (what is on it)", "{name} (ce qui s'y trouve)", of="title"),
    "transit": AccountName("delivery {name} (on its way)", "livraison {name} (en route)"),
    "shop": AccountName("{name} (stock)", "{name} (stock)", of="shop"),
    "deck": AccountName("the {name} deck", "la pioche {name}", of="deck"),
    "discard": AccountName("the {name} discards", "la défausse {name}", of="deck"),
    "drawn": AccountName("cards drawn by {name}", "cartes tirées par {name}", of="seat"),
    decks.WEATHER: AccountName("the weather", "la météo"),
    "square": AccountName("square {name}", "case {name}"),
    "escrow:bounty": AccountName("bounty {name} (escrow)", "prime {name} (séquestre)"),
    "escrow:contract": AccountName("contract {name} (escrow)", "contrat {name} (séquestre)"),
    "escrow:deal": AccountName("deal {name} (escrow)", "accord {name} (séquestre)"),
}


_PURSES: Mapping[str, AccountName] = {
    BANK: AccountName("the bank", "la banque"),
    BOX: AccountName("the box", "la boîte"),
    "player": AccountName("{name}", "{name}", of="seat"),
}


def speakers_of(state: Negopoly) -> Mapping[str, Speaker]:
    """Return the formatters of sentences: seats by player, money with its sign, everything else by name."""

    seat = seat_speaker(state, _NO_PLAYERS)

    def money(value: Any, language: str) -> str:
        return money_words(value).in_language(language)

    def remainder(value: Any, language: str) -> str:
        if not value:
            return Phrase("nothing remains", "il ne reste rien").in_language(language)
        return Phrase(f"{money(value, language)} remain", f"il reste {money(value, language)}").in_language(
            language
        )

    goods = _goods(state)

    def pieces(value: Any, language: str) -> str:
        commodity, amount = value
        if commodity == MONEY:
            return money(amount, language)
        return f"{amount} {goods(commodity, language)}"

    deck = phrase_speaker(glossary.DECKS)
    shop = name_speaker(shops.NAMES)
    owners = {"seat": seat, "title": _title, "deck": deck, "shop": shop}

    def source(value: Any, language: str) -> str:
        return seat(value, language) if value == talks.BANKER else goods(value, language)

    def cause(value: Any, language: str) -> str:
        return _CAUSES[value].in_language(language) if value in _CAUSES else goods(value, language)

    def corner(value: Any, language: str) -> str:
        return next((square.name for square in state.board if square.kind == value), str(value))

    def ending(value: Any, language: str) -> str:
        return _ENDINGS[value].in_language(language) if value in _ENDINGS else goods(value, language)

    def victory(value: Any, language: str) -> str:
        if not value:
            return ""
        named = listed([seat(winner, language) for winner in value], language)
        wins = "wins" if len(value) == 1 else "win"
        return Phrase(f": {named} {wins}", f" : victoire {elided('de', named)}").in_language(language)

    speakers: dict[str, Speaker] = {
        "seat": seat,
        "source": source,
        "cause": cause,
        "ending": ending,
        "victory": victory,
        "account": account_speaker({**_PURSES, **ACCOUNT_NAMES}, owners),
        "deck": deck,
        "shop": shop,
        "money": money,
        "rest": remainder,
        "pieces": pieces,
        "title": _title,
        "quarter": name_speaker(quarters.NAMES),
        "square": _square(state),
        "goods": goods,
        "card": decks.speak_of(state),
        "cards": decks.speak_of_several(state),
        "weather": _weather(decks.speak_of_several(state)),
        "named": _target(seat),
        "contents": _contents(goods),
        "answer": _answer(seat, decks.speak_of(state), goods),
        "corner": corner,
        "draw": phrase_speaker(_DRAWS),
        "reason": phrase_speaker(_REASONS),
        "service": services.speak_of(seat, money),
        "agreement": _agreement(state, seat, money),
        "question": _question(state, goods),
        "unread": _unread(state, decks.speak_of(state)),
        "payer": phrase_speaker(_PAYERS),
        "content": lambda deal, language: telling.content_of(deal, language, speakers),
    }
    return speakers


def _answer(*names: Speaker) -> Speaker:
    """Return a formatter for answers to questions: a word, or the card, player or title chosen ("card:seat")."""

    def chosen(value: str, language: str) -> str:
        texts = (name(value, language) for name in (_title, *names))
        return next((text for text in texts if text != value), value)

    def answer(value: Any, language: str) -> str:
        word = reactions.speak_answer(value, language)
        if word != value:
            return word
        first, *others = (chosen(part, language) for part in str(value).split(":"))
        return f"{first} ({', '.join(others)})" if others else first

    return answer


def _agreement(state: Negopoly, seat: Speaker, money: Speaker) -> Speaker:
    """Return a formatter for an agreement by id: "57 (Ana, Bob)", or with the amount for a loan or a bounty."""

    def agreement(value: Any, language: str) -> str:
        match state.open.get(value) or state.past.get(value):
            case Deal(parties=named) | Contract(parties=named) | Meeting(present=named):
                about = ", ".join(seat(party, language) for party in named)
            case Bounty(amount=amount) | Loan(outstanding=amount):
                about = money(amount, language)
            case _:
                return str(value)
        return f"{value} ({about})"

    return agreement


def _question(state: Negopoly, goods: Speaker) -> Speaker:
    """Return a formatter for an open question by id: the subject of the question."""

    def question(value: Any, language: str) -> str:
        return next(
            (goods(candidate.kind, language) for candidate in state.questions if candidate.id == value), str(value)
        )

    return question


def _unread(state: Negopoly, card: Speaker) -> Speaker:
    """Return a formatter for a card with an effect to be recorded by the banker, by the id of the waiting draw."""

    def unread(value: Any, language: str) -> str:
        return next(
            (card(candidate.card, language) for candidate in state.unread if candidate.id == value), str(value)
        )

    return unread


_PAYERS = {True: Phrase(", at the owner's expense", ", aux frais du propriétaire"), False: Phrase("", "")}
"""The payer when another player lifts a mortgage, in English and French."""


_title = name_speaker({title.id: title.name for title in TITLES.values()})


def _weather(cards: Speaker) -> Speaker:
    """Return a formatter for the active Météo cards, if any."""
    return lambda value, language: (
        cards(value, language) if value else Phrase("no card", "aucune carte").in_language(language)
    )


def _target(seat: Speaker) -> Speaker:
    """Return a formatter for the target of a card: (seat, title) in brackets; either may be None."""

    def named(value: Any, language: str) -> str:
        player, title = value
        words = [seat(player, language)] if player is not None else []
        words += [_title(title, language)] if title is not None else []
        return f" ({', '.join(words)})" if words else ""

    return named


def _contents(goods: Speaker) -> Speaker:
    """Return a formatter for goods at the end of a sentence: pieces by commodity; empty for None (hidden)."""

    def contents(value: Any, language: str) -> str:
        if value is None:
            return ""
        listed = ", ".join(f"{count} × {goods(thing, language)}" for thing, count in value.items())
        return f"{Phrase(':', ' :').in_language(language)} {listed or NOTHING.in_language(language)}"

    return contents


def _square(state: Negopoly) -> Callable[[Any, str], str]:
    def name(value: Any, language: str) -> str:
        return str(state.board[value].name)

    return name


def _goods(state: Negopoly) -> Callable[[Any, str], str]:
    card = decks.speak_of(state)

    def name(value: Any, language: str) -> str:
        if value == MONEY:
            return "₦"
        if str(value).startswith("title:"):
            return _title(str(value).removeprefix("title:"), language)
        if is_card(str(value)):
            return card(value, language)
        if (charge := charges.placed(value)) is not None:
            return f"C4 ({state.seats[charge.seat].name}, {charge.round})"
        if value in _ON_TITLES:
            return _ON_TITLES[value].in_language(language)
        if value in _QUESTIONS:
            return _QUESTIONS[value].in_language(language)
        return ITEMS[value].name if value in ITEMS else str(value)

    return name


_FOLDER = files("ledger.rulebooks.negopoly")
"""The folder of the words of the game."""


class NegopolyLanguage(Language[Negopoly]):
    """The words of the game."""

    parameter_wording = reading.parameter_wording(_FOLDER)
    wording = reading.wording(_FOLDER)
    settings_wording = reading.settings_wording(files(__package__))
    agreement_names = glossary.AGREEMENTS

    def describe_changes(
        self, state: Negopoly, before: Mapping[str, Any], after: Mapping[str, Any], language: str
    ) -> Iterator[str]:
        """Return the differences between two views of the table, in sentences."""
        return changes.differences(before, after, self.speakers(state), language)

    def speakers(self, state: Negopoly) -> Mapping[str, Speaker]:
        """Return the formatters of sentences: seats by player, money with its sign, everything else by name."""
        return speakers_of(state)
