"""Differences of two views of a table, in sentences: the effect of a correction, or of an action, on the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import NOTHING, Speaker, elided
from ledger.rulebooks.parts import differing
from ledger.rulebooks.parts.differing import Says, Telling, View, changed, counted

_REST: Mapping[str, Phrase] = {
    "stage": Phrase("what the game has come to", "où en est la partie"),
    "seating": Phrase("the seats", "les sièges"),
    "colours": Phrase("the colours", "les couleurs"),
    "settings": Phrase("the settings", "les réglages"),
    "offers": Phrase("the Agents on offer", "les Agents disponibles"),
    "display": Phrase("the Verses on display", "les Verses disponibles"),
    "verse_top": Phrase("the top of the Verse deck", "le dessus de la pioche Verse"),
    "boosts": Phrase("the Boost cards available", "les cartes Boost disponibles"),
    "necro": Phrase("the Necro cards turned up", "les cartes Nécro révélées"),
    "agent_discard": Phrase("the Agent discard", "la défausse des Agents"),
    "decks": Phrase("the decks", "les pioches"),
    "turn_under_way": Phrase("the turn under way", "le tour en cours"),
    "changed": Phrase("Actions with other figures", "les Actions aux valeurs changées"),
    "demands": Phrase("what is asked of players", "ce qui est demandé aux joueurs"),
    "raids": Phrase("who is still to be raided", "qui subit encore une perquisition"),
    "raid": Phrase("the raid under way", "la perquisition en cours"),
    "attack": Phrase("the Necro attack under way", "l'attaque Nécro en cours"),
    "waiting": Phrase("who may still answer", "qui peut encore répondre"),
    "chosen": Phrase("who has chosen an Objective", "qui a choisi un Objectif"),
    "types": Phrase("the types chosen for Agents", "les types choisis pour des Agents"),
    "first": Phrase("who starts the game", "qui commence la partie"),
    "prepared": Phrase("what has been prepared", "ce qui a été préparé"),
    "scores": Phrase("the scores", "les scores"),
    "aside": Phrase("the Agents set aside", "les Agents écartés"),
    "you": Phrase("your own cards", "vos propres cartes"),
    "hands": Phrase("the hands", "les mains"),
    "all_objectives": Phrase("the Objectives", "les Objectifs"),
}
"""The parts of a view whose differences are named without details."""


def describe_changes(earlier: View, later: View, speakers: Mapping[str, Speaker], language: str) -> Iterator[str]:
    """Yield the differences of two views, the most visible first. `language` is "en" or "fr"."""
    return differing.differences(earlier, later, speakers, language, tellings=_TELLINGS, unexplained=_REST)


def _round(earlier: int, later: int, says: Says) -> Iterator[Phrase]:
    yield Phrase(
        f"It is round {later}, not round {earlier}.", f"On en est à la manche {later}, et non à la {earlier}."
    )


def _turn(earlier: str | None, later: str | None, says: Says) -> Iterator[Phrase]:
    seat, former = says("seat", later), says("seat", earlier)
    yield Phrase(f"The turn is {seat.en}'s, not {former.en}'s.", f"Le tour est à {seat.fr}, et non à {former.fr}.")


def _order(earlier: Sequence[str], later: Sequence[str], says: Says) -> Iterator[Phrase]:
    order, former = (says.all("seat", seats or ()) for seats in (later, earlier))
    yield Phrase(
        f"The turn order is {order.en}, not {former.en}.", f"L'ordre du tour est {order.fr}, et non {former.fr}."
    )


def _places(earlier: Mapping[str, int], later: Mapping[str, int], says: Says) -> Iterator[Phrase]:
    for seat in changed(earlier, later):
        who, ranks = says("seat", seat), [row.get(seat) for row in (later, earlier)]
        rank, former = (Phrase(str(rank or "none"), str(rank or "aucune")) for rank in ranks)
        yield Phrase(
            f"Place of {who.en} in the turn order: {rank.en}, not {former.en}.",
            f"Place {elided('de', who.fr)} dans l'ordre du tour : {rank.fr}, et non {former.fr}.",
        )


def _choosers(earlier: Sequence[str], later: Sequence[str], says: Says) -> Iterator[Phrase]:
    choosers, former = (says.all("seat", seats) for seats in (later, earlier))
    yield Phrase(
        f"Still to choose a place in the turn order: {choosers.en}, not {former.en}.",
        f"Choisissent encore leur place dans l'ordre du tour : {choosers.fr}, et non {former.fr}.",
    )


def _titles(earlier: Mapping[str, str] | None, later: Mapping[str, str] | None, says: Says) -> Iterator[Phrase]:
    was, current = earlier or {}, later or {}
    for district in changed(was, current):
        name = says("district", district)
        owner, former = (says("seat", owners.get(district)) for owners in (current, was))
        yield Phrase(
            f"The Title of {name.en} belongs to {owner.en}, not to {former.en}.",
            f"Le Titre {name.fr} est à {owner.fr}, et non à {former.fr}.",
        )


_FIGURES: Mapping[str, tuple[tuple[str, str], tuple[str, str]]] = {
    "eurocredits": (("eurocredit", "eurocredits"), ("eurocrédit", "eurocrédits")),
    "immunity": (("Immunity token", "Immunity tokens"), ("jeton Immunité", "jetons Immunité")),
    "revenue": (("point of Revenue", "points of Revenue"), ("point de Revenus", "points de Revenus")),
    "vp2_tokens": (("token of 2 VP", "tokens of 2 VP"), ("jeton de 2 PV", "jetons de 2 PV")),
    "corruption": (("Corruption card", "Corruption cards"), ("carte Corruption", "cartes Corruption")),
    "score_so_far": (("point so far", "points so far"), ("point pour l'instant", "points pour l'instant")),
}

_PIECES: Mapping[str, tuple[str, Phrase]] = {
    "agents": ("card", Phrase("Agents", "Agents")),
    "boosts": ("card", Phrase("Boost cards", "Cartes Boost")),
    "verses": ("card", Phrase("Verses", "Verses")),
    "directors": ("place", Phrase("Directors", "Directeurs")),
    "servers": ("place", Phrase("Servers", "Serveurs")),
}
"""The pieces of a seat on the table: the manner of speaking, and the name."""

_ASIDE: Mapping[str, Phrase] = {
    "board": Phrase("the board", "le plateau"),
    "recycling": Phrase("the recycling zone", "la zone de Recyclage"),
}
"""The places of influence besides the map."""


def _seats(earlier: Any, later: Any, says: Says) -> Iterator[Phrase]:
    for seat in changed(earlier or {}, later or {}):
        was, current = (earlier or {}).get(seat, {}), (later or {}).get(seat, {})
        who = says("seat", seat)
        for name, nouns in _FIGURES.items():
            if was.get(name) != current.get(name):
                old, new = was.get(name, 0), counted(current.get(name, 0), *nouns)
                yield Phrase(f"{who.en} has {new.en}, not {old}.", f"{who.fr} a {new.fr}, et non {old}.")
        placed, stood = (_influence(row) for row in (current, was))
        for site in changed(stood, placed):
            spot, count, former = _ASIDE.get(site) or says("place", site), placed.get(site, 0), stood.get(site, 0)
            yield Phrase(
                f"Influence of {who.en} on {spot.en}: {count}, not {former}.",
                f"Influence {elided('de', who.fr)} sur {spot.fr} : {count}, et non {former}.",
            )
        explained = {*_FIGURES, "influence"}
        for name, (manner, noun) in _PIECES.items():
            pieces, previous = (_named(row.get(name, ()), manner, says) for row in (current, was))
            if pieces != previous:
                explained.add(name)
                yield Phrase(
                    f"{noun.en} of {who.en}: {pieces.en}, not {previous.en}.",
                    f"{noun.fr} {elided('de', who.fr)} : {pieces.fr}, et non {previous.fr}.",
                )
        if not explained.issuperset(changed(was, current)):
            yield Phrase(f"{who.en} has other pieces on the table.", f"{who.fr} a d'autres pièces sur la table.")


def _influence(row: View) -> Mapping[str, int]:
    """Return the influence of a seat by place: the map, the board, the recycling zone."""
    influence = row.get("influence", {})
    return {**influence.get("map", {}), **{place: influence.get(place, 0) for place in _ASIDE}}


def _named(pieces: Sequence[Any], manner: str, says: Says) -> Phrase:
    """Name pieces, each a card, a place, or a row that begins with the card."""
    things = [next(iter(piece.values())) if isinstance(piece, Mapping) else piece for piece in pieces]
    return says.all(manner, things) if things else NOTHING


_TELLINGS: Mapping[str, Telling] = {
    "winners": differing.winners,
    "round": _round,
    "turn": _turn,
    "order": _order,
    "places": _places,
    "choosers": _choosers,
    "titles": _titles,
    "seats": _seats,
}
