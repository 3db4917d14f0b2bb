"""The words of the game: names in sentences, and the differences of two views."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

from ledger.kernel.language.phrase import Phrase, is_singular
from ledger.kernel.language.sentences import Speaker, listed
from ledger.kernel.rules.faces.language import Language
from ledger.rulebooks.parts import decks, differing, reading, speaking
from ledger.rulebooks.parts.differing import Says, Telling, changed
from tests.example.bazaar.banker import BazaarAccounts
from tests.example.bazaar.cards import CARDS, GOODS
from tests.example.bazaar.table import COIN, DECK, PHASES, VEIL, Bazaar
from tests.example.bazaar.trades import STATUSES

_A_CARD, _COIN, _COINS = Phrase("a card", "une carte"), Phrase("coin", "pièce"), Phrase("coins", "pièces")
_PEOPLE = {"banker": Phrase("the banker", "le banquier")}
_DRAWS = {
    "hand": Phrase("the hand", "la main"),
    "card": Phrase("the card", "la carte"),
    "lot": Phrase("the lot", "le lot"),
    DECK: Phrase("the pile", "la pioche"),
}
_GOODS = {**{decks.commodity(name): card for name, card in CARDS.items()}, **GOODS, COIN: _COINS, VEIL: _A_CARD}
"""The names of cards by commodity, of goods, of money and of a hidden card."""


def speakers_of(state: Bazaar) -> dict[str, Speaker]:
    """Return the speakers: seats, accounts, coins, cards, goods, terms and tallies."""
    seat = speaking.seat_speaker(state, _PEOPLE)
    goods = speaking.phrase_speaker(_GOODS)

    def card(value: Any, language: str) -> str:
        return _A_CARD.in_language(language) if value is None else goods(decks.commodity(value), language)

    def cards(value: Any, language: str) -> str:
        if value is None:
            return Phrase("cards", "des cartes").in_language(language)
        named = [card(one, language) for one in value]
        return listed(named, language) or Phrase("no card", "aucune carte").in_language(language)

    def money(value: Any, language: str) -> str:
        return f"{value} {(_COIN if is_singular(value, language) else _COINS).in_language(language)}"

    def bid(value: Any, language: str) -> str:
        return "" if value is None else Phrase(" of ", " de ").in_language(language) + money(value, language)

    def terms(value: Any, language: str) -> str:
        price, thing = value
        parts = [money(price, language)] if price else []
        if thing is not None:
            parts.append(goods(thing, language) if thing in _GOODS else card(thing, language))
        if price is None:
            return ""
        words = Phrase(" for ", " contre ") if parts else Phrase(" as a gift", " en cadeau")
        return words.in_language(language) + listed(parts, language)

    def tally(value: Any, language: str) -> str:
        named = [f"{seat(one, language)} {value[one]}" for one in state.order if one in (value or {})]
        return ", ".join(named) or Phrase("not shown yet", "pas encore montrés").in_language(language)

    def prices(value: Any, language: str) -> str:
        return ", ".join(f"{goods(good, language)} {value[good]}" for good in GOODS)

    def winners(value: Any, language: str) -> str:
        named = [seat(one, language) for one in value or ()]
        return listed(named, language) or Phrase("nobody yet", "pas encore connue").in_language(language)

    return {
        "seat": seat,
        "account": speaking.account_speaker(BazaarAccounts.account_names, {"seat": seat}),
        "money": money,
        "goods": goods,
        "good": goods,
        "card": card,
        "cards": cards,
        "bid": bid,
        "terms": terms,
        "tally": tally,
        "prices": prices,
        "winners": winners,
        "status": speaking.phrase_speaker(STATUSES),
        "phase": speaking.phrase_speaker(PHASES),
        "draw": speaking.phrase_speaker(_DRAWS),
    }


# ----------------------------------------------------------------------------------------------
# Differences of two views
# ----------------------------------------------------------------------------------------------


def _phase(earlier: str, later: str, says: Says) -> Iterator[Phrase]:
    current, former = says("phase", later), says("phase", earlier)
    yield Phrase(
        f"The game is at {current.en}, not at {former.en}.",
        f"La partie en est à : {current.fr} (et non : {former.fr}).",
    )


def _round(earlier: int, later: int, says: Says) -> Iterator[Phrase]:
    yield Phrase(
        f"It is round {later}, not round {earlier}.",
        f"On en est au tour de table {later}, et non au tour {earlier}.",
    )


def _turn(earlier: str | None, later: str | None, says: Says) -> Iterator[Phrase]:
    who, former = says("seat", later), says("seat", earlier)
    yield Phrase(
        f"It is the turn of {who.en}, not of {former.en}.", f"C'est à {who.fr} de jouer, et non à {former.fr}."
    )


def _prices(earlier: Mapping[str, int], later: Mapping[str, int], says: Says) -> Iterator[Phrase]:
    for good in changed(earlier, later):
        name, price, former = says("good", good), says("money", later[good]), says("money", earlier[good])
        yield Phrase(
            f"{name.en} costs {price.en}, not {former.en}.", f"{name.fr} coûte {price.fr}, et non {former.fr}."
        )


def _lot(earlier: Sequence[str], later: Sequence[str], says: Says) -> Iterator[Phrase]:
    lot, former = says("cards", later), says("cards", earlier)
    yield Phrase(f"The lot is {lot.en}, not {former.en}.", f"Le lot est : {lot.fr} (et non : {former.fr}).")


def _seats(earlier: Mapping[str, Any], later: Mapping[str, Any], says: Says) -> Iterator[Phrase]:
    for seat in changed(earlier, later):
        who, cards, coins = says("seat", seat), later[seat]["cards"], says("money", later[seat]["coins"])
        yield Phrase(f"{who.en} has {cards} cards and {coins.en}.", f"{who.fr} a {cards} cartes et {coins.fr}.")


def _winners(earlier: Sequence[str], later: Sequence[str], says: Says) -> Iterator[Phrase]:
    winner, former = says.all("seat", later), says.all("seat", earlier)
    yield Phrase(f"The winner is {winner.en}, not {former.en}.", f"Victoire : {winner.fr} (et non : {former.fr}).")


TELLINGS: Mapping[str, Telling] = {
    "phase": _phase,
    "round": _round,
    "turn": _turn,
    "lot": _lot,
    "prices": _prices,
    "seats": _seats,
    "winners": _winners,
}
UNEXPLAINED: Mapping[str, Phrase] = {
    "order": Phrase("the order of the seats", "l'ordre des sièges"),
    "sealed": Phrase("the sealed bids", "les mises scellées"),
    "pile": Phrase("the pile", "la pioche"),
    "discards": Phrase("the discards", "la défausse"),
    "trades": Phrase("the open trades", "les échanges ouverts"),
    "scores": Phrase("the points", "les points"),
    "you": Phrase("your own cards and bid", "vos cartes et votre mise"),
    "settings": Phrase("the settings", "les réglages"),
}


class BazaarLanguage(Language[Bazaar]):
    """The words of the game."""

    wording, parameter_wording, settings_wording = reading.words(files(__package__))
    agreement_names: Mapping[str, Phrase] = {"trades": Phrase("Trades", "Échanges")}

    def speakers(self, state: Bazaar) -> Mapping[str, Speaker]:
        """Return the speakers of the table."""
        return speakers_of(state)

    def describe_changes(
        self, state: Bazaar, before: Mapping[str, Any], after: Mapping[str, Any], language: str
    ) -> Iterator[str]:
        """Return the differences of two views, in sentences."""
        return differing.differences(
            before, after, self.speakers(state), language, tellings=TELLINGS, unexplained=UNEXPLAINED
        )
