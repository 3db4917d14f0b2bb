"""The words for the pieces of the game: money, tokens, influence, Servers, Directors, Titles and cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import AccountName
from ledger.kernel.rules.commodities import CommodityWords, Glossary, Symbol
from ledger.kernel.rules.icons import Icon
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.caching import cached_by_identity
from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.showing.choosing import TYPES
from ledger.rulebooks.virtual_revolution.start.dealing import dealt
from ledger.rulebooks.virtual_revolution.table.pieces import Amounts, Pieces
from ledger.rulebooks.virtual_revolution.table.state import VirtualRevolution, pieces
from ledger.rulebooks.virtual_revolution.table.terms import (
    EUROCREDIT,
    IMMUNITY,
    REVENUE,
    VICTORY_POINT,
    VP2,
    boosts,
    director,
    hand,
    influence,
    objectives,
    raided,
    retired,
    server,
    service,
    title,
    verses,
)
from ledger.rulebooks.virtual_revolution.table.veils import VEIL

ACCOUNT_NAMES: Mapping[str, AccountName] = {
    "bank": AccountName("the supply", "la réserve générale"),
    "box": AccountName("the box", "la boîte"),
    "recycling": AccountName("the recycling zone", "la zone de Recyclage"),
    "display": AccountName("the Verses on display", "les Verses disponibles"),
    "boost_cards": AccountName("the Boost cards", "les cartes Boost"),
    "boosts": AccountName("{name} (Boosts)", "{name} (Boosts)", of="seat"),
    "titles": AccountName("the Titles beside the map", "les Titres à côté du plateau"),
    "aside": AccountName("the Agents set aside", "les Agents écartés"),
    "necro": AccountName("the Necro cards turned up", "les cartes Nécro révélées"),
    "gone": AccountName("the Location cards out of the game", "les cartes Localisation hors du jeu"),
    "arrondissement": AccountName("arrondissement {name}", "l'arrondissement {name}"),
    "slot": AccountName("Agent slot {name}", "l'emplacement d'Agent {name}"),
    "player": AccountName("{name}", "{name}", of="seat"),
    "hand": AccountName("{name} (Corruption cards)", "{name} (cartes Corruption)", of="seat"),
    "raid": AccountName("{name} (cards of the raid)", "{name} (cartes de la perquisition)", of="seat"),
    "objectives": AccountName("{name} (Objectives)", "{name} (Objectifs)", of="seat"),
    "service": AccountName("{name} (Agents in service)", "{name} (Agents en service)", of="seat"),
    "retired": AccountName("{name} (retired Agents)", "{name} (Agents à la retraite)", of="seat"),
    "verses": AccountName("{name} (Verses)", "{name} (Verses)", of="seat"),
    "locations": AccountName("{name} (Location cards)", "{name} (cartes Localisation)", of="seat"),
    "deck:agents_1": AccountName("the Agents of level 1", "les Agents de niveau 1"),
    "deck:agents_2": AccountName("the Agents of level 2", "les Agents de niveau 2"),
    "deck:corruption": AccountName("the Corruption deck", "la pioche Corruption"),
    "deck:verses": AccountName("the Verse deck", "la pioche Verse"),
    "deck:locations": AccountName("the Location deck", "la pioche Localisation"),
    "deck:necro": AccountName("the Necro deck", "la pioche Nécro"),
    "deck:necro_end": AccountName("the last Necro card", "la dernière carte Nécro"),
    "deck:unused": AccountName("the Necro cards put aside", "les cartes Nécro écartées"),
    "deck:objectives": AccountName("the Objectives left", "les Objectifs restants"),
    "discard:agents": AccountName("the Agent discard", "la défausse des Agents"),
    "discard:corruption": AccountName("the Corruption discard", "la défausse Corruption"),
}
"""The names of the accounts; for a seat's account, by the word before the colon."""


def accounts_of(seat: str) -> tuple[str, ...]:
    """Return the accounts of a seat."""
    return (
        player(seat),
        hand(seat),
        raided(seat),
        objectives(seat),
        service(seat),
        boosts(seat),
        retired(seat),
        verses(seat),
        dealt(seat),
    )


GROUPS: Mapping[str, Phrase] = {
    "agents": Phrase("Agents", "Agents"),
    "verses": Phrase("Verses", "Verses"),
    "boosts": Phrase("Boosts", "Boosts"),
    "corruption": Phrase("Corruption", "Corruption"),
    "necro": Phrase("Necro", "Nécro"),
    "objectives": Phrase("Objectives", "Objectifs"),
}
"""The groups of cards."""


def commodities(state: VirtualRevolution) -> Glossary:
    """Return the words of all commodities; the contents of the box are public."""
    catalogue = pieces(state)
    immunity = {IMMUNITY: replace(_TOKENS[IMMUNITY], price=catalogue.amounts.donation_immunity)}
    return {**_TOKENS, **immunity, **dict(_pieces_of_seats(state, catalogue.amounts)), **_words_of(catalogue)}


def _pieces_of_seats(state: VirtualRevolution, amounts: Amounts) -> Iterator[tuple[str, CommodityWords]]:
    for seat in state.seats.values():
        name = seat.name
        yield (
            influence(seat.seat),
            _piece(
                "piece",
                Phrase(f"influence token of {name}", f"jeton Influence ({name})"),
                "district",
                plural=Phrase(f"influence tokens of {name}", f"jetons Influence ({name})"),
            ),
        )
        yield (
            server(seat.seat),
            _piece(
                "piece",
                Phrase(f"Server of {name}", f"Serveur ({name})"),
                "station",
                price=amounts.server_price,
                plural=Phrase(f"Servers of {name}", f"Serveurs ({name})"),
            ),
        )
        yield (
            director(seat.seat),
            _piece(
                "piece",
                Phrase(f"Director of {name}", f"Directeur ({name})"),
                "company",
                plural=Phrase(f"Directors of {name}", f"Directeurs ({name})"),
            ),
        )


@cached_by_identity
def _words_of(catalogue: Pieces) -> Glossary:
    return dict(_words(catalogue))


def _words(catalogue: Pieces) -> Iterator[tuple[str, CommodityWords]]:
    districts = {row.id: row.name for row in catalogue.district}
    for row in catalogue.title:
        name = districts[row.district]
        named = Phrase(f"Title of {name}", f"Titre {name}")
        yield (
            title(row.district),
            CommodityWords(
                sort="title", name=named, plural=named, group=row.district, icon="title", text=row.text
            ),
        )
    yield VEIL, _card("", "", Phrase("Card", "Carte"))
    for agent in catalogue.agent:
        sort = TYPES[agent.type]
        level = Phrase(f"{sort.en}, level {agent.level}", f"{sort.fr}, niveau {agent.level}")
        words = _card(agent.id, "agents", Phrase(agent.name, agent.name), level)
        yield decks.commodity(agent.id), replace(words, price=catalogue.amounts.recruit_price)
    for verse in catalogue.verse:
        mission, end = verse.mission_text, verse.end_text
        text = Phrase(
            f"Mission: {mission.en}. At the end: {end.en}.", f"Mission : {mission.fr}. À la fin : {end.fr}."
        )
        words = _card(verse.id, "verses", Phrase(verse.name, verse.name), text)
        yield decks.commodity(verse.id), replace(words, price=catalogue.amounts.verse_price)
    for boost in catalogue.boost:
        yield decks.commodity(boost.id), _card(boost.id, "boosts", boost.name, boost.text)
    for corruption in catalogue.corruption:
        kind = catalogue.kinds[corruption.kind]
        yield decks.commodity(corruption.id), _card(corruption.id, "corruption", kind.name, kind.text)
    for necro in catalogue.necro:
        yield decks.commodity(necro.id), _card(necro.id, "necro", Phrase(necro.name, necro.name), necro.text)
    for objective in catalogue.objective:
        yield decks.commodity(objective.id), _card(objective.id, "objectives", objective.name, objective.text)
    for location in catalogue.locations:
        yield decks.commodity(location), _card(location, "", None)


def _piece(
    sort: str,
    name: Phrase,
    icon: Icon,
    symbol: Symbol | None = None,
    price: int | None = None,
    plural: Phrase | None = None,
) -> CommodityWords:
    return CommodityWords(sort=sort, name=name, plural=plural, icon=icon, symbol=symbol, price=price)


def _card(card: str, group: str, name: Phrase | None, text: Phrase | None = None) -> CommodityWords:
    return CommodityWords(sort="card", name=name, group=group or None, icon="card", card=card or None, text=text)


_TOKENS: Glossary = {
    EUROCREDIT: _piece("money", Phrase("eurocredit", "eurocrédit"), "coin", Symbol("EC", "after", "after")),
    IMMUNITY: _piece(
        "token",
        Phrase("Immunity token", "jeton Immunité"),
        "shield",
        plural=Phrase("Immunity tokens", "jetons Immunité"),
    ),
    REVENUE: _piece(
        "track",
        Phrase("point of Revenue", "point de Revenus"),
        "tax",
        plural=Phrase("points of Revenue", "points de Revenus"),
    ),
    VP2: _piece(
        "token",
        Phrase("token of 2 VP", "jeton de 2 PV"),
        "coin",
        plural=Phrase("tokens of 2 VP", "jetons de 2 PV"),
    ),
    VICTORY_POINT: CommodityWords(
        sort="points",
        name=Phrase("victory point", "point de victoire"),
        plural=Phrase("victory points", "points de victoire"),
    ),
}
