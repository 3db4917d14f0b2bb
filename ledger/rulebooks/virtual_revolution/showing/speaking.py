"""The names of things in sentences, in English and French."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.kernel.language.sentences import Speaker
from ledger.rulebooks.parts.speaking import account_speaker, in_language, listed, phrase_speaker, seat_speaker
from ledger.rulebooks.virtual_revolution.showing import choosing, naming
from ledger.rulebooks.virtual_revolution.showing.glossary import ACCOUNT_NAMES
from ledger.rulebooks.virtual_revolution.table.pieces import Pieces, place_of
from ledger.rulebooks.virtual_revolution.table.state import VirtualRevolution, pieces
from ledger.rulebooks.virtual_revolution.table.terms import EUROCREDIT, IMMUNITY, REVENUE, VP2
from ledger.rulebooks.virtual_revolution.table.veils import VEIL

_DEEDS = {
    "work": ("Work", "Travailler"),
    "recruit_agent": ("Recruit an Agent", "Recruter un Agent"),
    "build_server": ("Build a Server", "Construire un Serveur"),
    "create_verse": ("Create a Verse", "Créer un Verse"),
    "make_donation": ("Make a Donation", "Faire un Don"),
}


_DRAWS = {
    "agents_1": ("a draw of Agents", "une pioche d'Agents"),
    "agents_2": ("a draw of Agents", "une pioche d'Agents"),
    "locations": ("a draw of Locations", "une pioche de Localisations"),
    "corruption": ("a draw of Corruption", "une pioche de Corruption"),
    "at_random": ("a Corruption card at random", "une carte Corruption au hasard"),
    "verses": ("a draw of Verses", "une pioche de Verses"),
    "necro": ("a Necro card", "une carte Nécro"),
    "necro_end": ("a Necro card", "une carte Nécro"),
    "objectives": ("a draw of Objectives", "une pioche d'Objectifs"),
    "deal": ("the deal of the Locations", "la distribution des Localisations"),
}


_TOKENS = {
    EUROCREDIT: ("eurocredit", "eurocrédit"),
    REVENUE: ("point of Revenue", "point de Revenus"),
    VP2: ("2 VP token", "jeton 2 PV"),
    VEIL: ("card", "carte"),
}
"""The words for the commodities of the supply, and for a hidden card."""

_PIECES = {
    "influence": ("influence of {}", "influence ({})"),
    "server": ("Server of {}", "Serveur ({})"),
    "director": ("Director of {}", "Directeur ({})"),
}
"""The pieces of a seat, by the word before the colon."""


def _names(catalogue: Pieces) -> Mapping[str, tuple[str, str]]:
    """Return the names of all cards, by id."""
    return {
        **{card.id: (card.name, card.name) for card in catalogue.agent},
        **{card.id: (card.name, card.name) for card in catalogue.verse},
        **{card.id: (card.name, card.name) for card in catalogue.necro},
        **{card.id: (card.name.en, card.name.fr) for card in catalogue.objective},
        **{card.id: (card.name.en, card.name.fr) for card in catalogue.boost},
        **naming.corruption_names(catalogue, _DEEDS),
    }


def speakers_of(state: VirtualRevolution) -> Mapping[str, Speaker]:
    """Return the formatters of sentences.

    - card, cards: cards by name; None is "a card"
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
    seat, drawn = seat_speaker(state, {"banker": ("the banker", "le banquier")}), phrase_speaker(_DRAWS)

    def card(value: Any, language: str) -> str:
        if value is None:
            return in_language(("a card", "une carte"), language)
        card_id = str(value).removeprefix("card:")
        return in_language(names[card_id], language) if card_id in names else card_id

    def cards(value: Any, language: str) -> str:
        hidden = sum(1 for item in value if item is None)
        if hidden and hidden == len(value):
            return in_language(
                ("1 card", "1 carte") if hidden == 1 else (f"{hidden} cards", f"{hidden} cartes"), language
            )
        return listed([card(item, language) for item in value], language)

    def arrondissement(value: Any, language: str) -> str:
        return in_language((f"arrondissement {value}", f"l'arrondissement {value}"), language)

    def location(value: Any, language: str) -> str:
        if value is None:
            return in_language(("a place", "un lieu"), language)
        number = place_of(str(value))
        intercepted = ("intercepted, nobody can recruit it", "intercepté, personne ne peut le recruter")
        return in_language(intercepted, language) if number is None else arrondissement(number, language)

    def district(value: Any, language: str) -> str:
        district_id = str(value).removeprefix("title:")
        return catalogue.districts[district_id].name if district_id in catalogue.districts else district_id

    def source(value: Any, language: str) -> str:
        return district(value, language) if str(value) in catalogue.districts else card(value, language)

    def money(value: Any, language: str) -> str:
        is_single = value in (1, "1")
        return in_language(
            (f"{value} eurocredit{'' if is_single else 's'}", f"{value} eurocrédit{'' if is_single else 's'}"),
            language,
        )

    def worth(value: Any, language: str) -> str:
        return in_language((f"{value} VP", f"{value} PV"), language)

    def raided(value: Any, language: str) -> str:
        nobody = ("nobody", "personne")
        return (
            listed([seat(item, language) for item in value], language) if value else in_language(nobody, language)
        )

    def thing(value: Any, language: str) -> str:
        if isinstance(value, int):
            return arrondissement(value, language)
        text = str(value)
        if text in state.seats:
            return seat(text, language)
        if text == IMMUNITY:
            return in_language(("an Immunity token", "un jeton Immunité"), language)
        kind, _, number = text.partition(":")
        if number.isdigit():
            where = arrondissement(number, language)
            if kind == "server":
                return in_language((f"the Server in {where}", f"le Serveur dans {where}"), language)
            return in_language((f"a token in {where}", f"un jeton dans {where}"), language)
        return card(text, language)

    def goods(value: Any, language: str) -> str:
        text = str(value)
        if text in _TOKENS:
            return in_language(_TOKENS[text], language)
        kind, _, owner = text.partition(":")
        if kind in _PIECES and owner in state.seats:
            return in_language(_PIECES[kind], language).format(seat(owner, language))
        if kind == "title" and owner in catalogue.districts:
            return in_language(("Title of {}", "Titre {}"), language).format(district(owner, language))
        if text.removeprefix("card:") in catalogue.locations:
            where = place_of(text.removeprefix("card:"))
            if where is None:
                return in_language(
                    ("first player's Location card", "carte Localisation du premier joueur"), language
                )
            return in_language(("Location card of {}", "carte Localisation ({})"), language).format(
                arrondissement(where, language)
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
            "source": source,
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
