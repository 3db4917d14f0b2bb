"""The names of things in sentences, in English and French."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import Speaker
from ledger.kernel.rules.faces.language import Language
from ledger.rulebooks.parts import reading
from ledger.rulebooks.parts.speaking import account_speaker, listed, phrase_speaker, seat_speaker
from ledger.rulebooks.virtual_revolution.showing import changes, choosing, naming
from ledger.rulebooks.virtual_revolution.showing.glossary import ACCOUNT_NAMES
from ledger.rulebooks.virtual_revolution.table.pieces import Pieces, place_of
from ledger.rulebooks.virtual_revolution.table.state import VirtualRevolution, pieces
from ledger.rulebooks.virtual_revolution.table.terms import EUROCREDIT, IMMUNITY, REVENUE, VICTORY_POINT, VP2
from ledger.rulebooks.virtual_revolution.table.veils import VEIL

_DEEDS = {
    "work": Phrase("Work", "Travailler"),
    "recruit_agent": Phrase("Recruit an Agent", "Recruter un Agent"),
    "build_server": Phrase("Build a Server", "Construire un Serveur"),
    "create_verse": Phrase("Create a Verse", "Créer un Verse"),
    "make_donation": Phrase("Make a Donation", "Faire un Don"),
}


_DRAWS = {
    "agents_1": Phrase("a draw of Agents", "une pioche d'Agents"),
    "agents_2": Phrase("a draw of Agents", "une pioche d'Agents"),
    "locations": Phrase("a draw of Locations", "une pioche de Localisations"),
    "corruption": Phrase("a draw of Corruption", "une pioche de Corruption"),
    "at_random": Phrase("a Corruption card at random", "une carte Corruption au hasard"),
    "verses": Phrase("a draw of Verses", "une pioche de Verses"),
    "necro": Phrase("a Necro card", "une carte Nécro"),
    "necro_end": Phrase("a Necro card", "une carte Nécro"),
    "objectives": Phrase("a draw of Objectives", "une pioche d'Objectifs"),
    "deal": Phrase("the deal of the Locations", "la distribution des Localisations"),
}


_TOKENS = {
    EUROCREDIT: Phrase("eurocredit", "eurocrédit"),
    REVENUE: Phrase("point of Revenue", "point de Revenus"),
    VP2: Phrase("2 VP token", "jeton 2 PV"),
    VICTORY_POINT: Phrase("victory point", "point de victoire"),
    VEIL: Phrase("card", "carte"),
}
"""The words for the commodities of the supply, and for a hidden card."""

_PIECES = {
    "influence": Phrase("influence token of {}", "jeton Influence ({})"),
    "server": Phrase("Server of {}", "Serveur ({})"),
    "director": Phrase("Director of {}", "Directeur ({})"),
}
"""The pieces of a seat, by the word before the colon."""


def _names(catalogue: Pieces) -> Mapping[str, Phrase]:
    """Return the names of all cards, by id."""
    return {
        **{card.id: Phrase(card.name, card.name) for card in catalogue.agent},
        **{card.id: Phrase(card.name, card.name) for card in catalogue.verse},
        **{card.id: Phrase(card.name, card.name) for card in catalogue.necro},
        **{card.id: card.name for card in catalogue.objective},
        **{card.id: card.name for card in catalogue.boost},
        **naming.corruption_names(catalogue, _DEEDS),
    }


def speakers_of(state: VirtualRevolution) -> Mapping[str, Speaker]:
    """Return the formatters of sentences.

    - card, cards: cards by name, Titles by district; None is "a card"
    - place, places: arrondissements
    - district: a district, and its Title
    - location: the statement of a Location card about an Agent
    - deed: one of the five Actions
    - thing: a possible loss or choice: an arrondissement, a card, a seat, a number
    - money: eurocredits
    - seat, account, goods: a seat, an account, a commodity
    """
    catalogue = pieces(state)
    names = _names(catalogue)
    seat, drawn = seat_speaker(state, {"banker": Phrase("the banker", "le banquier")}), phrase_speaker(_DRAWS)

    def card(value: Any, language: str) -> str:
        if value is None:
            return Phrase("a card", "une carte").in_language(language)
        card_id = str(value).removeprefix("card:")
        return names[card_id].in_language(language) if card_id in names else district(card_id, language)

    def cards(value: Any, language: str) -> str:
        hidden = sum(1 for item in value if item is None)
        if hidden and hidden == len(value):
            count = Phrase("1 card", "1 carte") if hidden == 1 else Phrase(f"{hidden} cards", f"{hidden} cartes")
            return count.in_language(language)
        return listed([card(item, language) for item in value], language)

    def arrondissement(value: Any, language: str) -> str:
        return Phrase(f"arrondissement {value}", f"l'arrondissement {value}").in_language(language)

    def location(value: Any, language: str) -> str:
        if value is None:
            return Phrase("a place", "un lieu").in_language(language)
        number = place_of(str(value))
        intercepted = Phrase("intercepted, nobody can recruit it", "intercepté, personne ne peut le recruter")
        return intercepted.in_language(language) if number is None else arrondissement(number, language)

    def district(value: Any, language: str) -> str:
        district_id = str(value).removeprefix("title:")
        return catalogue.districts[district_id].name if district_id in catalogue.districts else district_id

    def money(value: Any, language: str) -> str:
        plural = "" if value in (1, "1") else "s"
        return Phrase(f"{value} eurocredit{plural}", f"{value} eurocrédit{plural}").in_language(language)

    def worth(value: Any, language: str) -> str:
        return Phrase(f"{value} VP", f"{value} PV").in_language(language)

    def raided(value: Any, language: str) -> str:
        nobody = Phrase("nobody", "personne")
        return (
            listed([seat(item, language) for item in value], language) if value else nobody.in_language(language)
        )

    def thing(value: Any, language: str) -> str:
        if isinstance(value, int):
            return arrondissement(value, language)
        text = str(value)
        if text in state.seats:
            return seat(text, language)
        if text == IMMUNITY:
            return Phrase("an Immunity token", "un jeton Immunité").in_language(language)
        kind, _, number = text.partition(":")
        if number.isdigit():
            where = arrondissement(number, language)
            if kind == "server":
                return Phrase(f"the Server in {where}", f"le Serveur dans {where}").in_language(language)
            return Phrase(f"a token in {where}", f"un jeton dans {where}").in_language(language)
        return card(text, language)

    def goods(value: Any, language: str) -> str:
        text = str(value)
        if text in _TOKENS:
            return _TOKENS[text].in_language(language)
        kind, _, owner = text.partition(":")
        if kind in _PIECES and owner in state.seats:
            return _PIECES[kind].in_language(language).format(seat(owner, language))
        if kind == "title" and owner in catalogue.districts:
            return Phrase("Title of {}", "Titre {}").in_language(language).format(district(owner, language))
        if text.removeprefix("card:") in catalogue.locations:
            where = place_of(text.removeprefix("card:"))
            if where is None:
                return Phrase("first player's Location card", "carte Localisation du premier joueur").in_language(
                    language
                )
            return (
                Phrase("Location card of {}", "carte Localisation ({})")
                .in_language(language)
                .format(arrondissement(where, language))
            )
        return thing(value, language)

    return choosing.speakers(
        {
            "seat": seat,
            "account": account_speaker(ACCOUNT_NAMES, {"seat": seat}),
            "card": card,
            "cards": cards,
            "place": arrondissement,
            "places": lambda value, language: listed([arrondissement(area, language) for area in value], language),
            "location": location,
            "district": district,
            "source": card,
            "deed": phrase_speaker(_DEEDS),
            "thing": thing,
            "money": money,
            "worth": worth,
            "raided": raided,
            "goods": goods,
            "draw": lambda value, language: drawn(value.partition(":")[0], language),
        },
        catalogue,
    )


class VirtualRevolutionLanguage(Language[VirtualRevolution]):
    """The words of the game."""

    wording, parameter_wording, settings_wording = reading.words(files("ledger.rulebooks.virtual_revolution"))

    def describe_changes(
        self, state: VirtualRevolution, before: Mapping[str, Any], after: Mapping[str, Any], language: str
    ) -> Iterator[str]:
        """Yield the differences of two views of the table, in sentences."""
        return changes.describe_changes(before, after, self.speakers(state), language)

    def speakers(self, state: VirtualRevolution) -> Mapping[str, Speaker]:
        """Return the formatters of seats, cards, arrondissements and money for sentences."""
        return speakers_of(state)
