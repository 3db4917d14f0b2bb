"""The settings of a table. Each default settles a gap in the rules register."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from ledger.rulebooks.parts.opening import RevealAtEnd
from ledger.rulebooks.virtual_revolution.table.pieces import Pieces


def _described(en: str, fr: str, ge: int | None = None, le: int | None = None) -> Meta:
    return Meta(description=en, ge=ge, le=le, extra_json_schema={"description_fr": fr})


Thing = Literal["eurocredit", "immunity", "revenue"]


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The choices of a table."""

    answer_seconds: Annotated[
        int,
        _described(
            "How many seconds a player has to answer outside their own turn (raids, attacks, order, Objective); "
            "then the default answer is taken. 0: no clock.",
            "Combien de secondes a un joueur pour répondre hors de son tour (perquisitions, attaques, ordre, "
            "Objectif) ; ensuite la réponse par défaut est prise. 0 : pas de chronomètre.",
            0,
            86_400,
        ),
    ] = 0
    banker_plays: Annotated[
        str,
        Meta(max_length=40),
        _described(
            "The seat that the banker plays, who then sees only what this seat sees; empty when the banker does "
            "not play.",
            "Le siège que joue le banquier, qui ne voit alors que ce que voit ce siège ; vide si le banquier ne "
            "joue pas.",
        ),
    ] = ""
    revenue_most: Annotated[
        int,
        _described(
            "The most Revenue that a player can have; 0: no bound.",
            "Le plafond des Revenus ; 0 : aucun.",
            0,
            1_000,
        ),
    ] = 0
    order_tie: Annotated[
        Literal["eurocredit", "immunity"],
        _described(
            "What decides who chooses a place first when influence and Revenue are equal: the fewest of it.",
            "Ce qui décide qui choisit sa place d'abord à égalité d'influence et de Revenus : en avoir le moins.",
        ),
    ] = "eurocredit"
    victory_tie: Annotated[
        Thing,
        _described(
            "What decides between equal scores: the most of it.",
            "Ce qui départage les ex æquo : en avoir le plus.",
        ),
    ] = "eurocredit"
    missions_after_raids: Annotated[
        bool,
        _described(
            "A Verse whose mission is a raid may go online right after it; otherwise in a later own turn.",
            "Un Verse dont la mission est une perquisition peut passer Online juste après ; sinon à un tour "
            "suivant.",
        ),
    ] = True
    raids_by_seating: Annotated[
        bool,
        _described(
            "Raids and attacks go around the table; otherwise they follow the turn order.",
            "Perquisitions et attaques suivent la table ; sinon l'ordre du tour.",
        ),
    ] = False
    under_from_left: Annotated[
        bool,
        _described(
            "Several Verses go under the deck from left to right; otherwise from right to left.",
            "Plusieurs Verses passent sous la pile de gauche à droite ; sinon de droite à gauche.",
        ),
    ] = True
    slots_from_left: Annotated[
        bool,
        _described(
            "Several Verses drawn together fill the free slots from left to right; otherwise from right to left.",
            "Plusieurs Verses piochés ensemble remplissent les emplacements libres de gauche à droite ; sinon de "
            "droite à gauche.",
        ),
    ] = True
    title_stays: Annotated[
        bool,
        _described(
            "Who holds a Title keeps it until they lose it; otherwise it goes at once to another player who "
            "controls the whole district.",
            "Qui possède un Titre le garde jusqu'à ce qu'il le perde ; sinon le Titre va aussitôt à un autre "
            "joueur qui contrôle tout le district.",
        ),
    ] = True
    server_keeps_revenue: Annotated[
        bool,
        _described(
            "Who loses a Server keeps the Revenue that it brought.",
            "Qui perd un Serveur garde les Revenus qu'il a rapportés.",
        ),
    ] = True
    server_keeps_tokens: Annotated[
        bool,
        _described("Who loses a Server keeps its 2 VP token.", "Qui perd un Serveur garde son jeton 2 PV."),
    ] = True
    reveal_at_end: RevealAtEnd = False
    pieces: Annotated[
        Pieces | None,
        _described(
            "The table's own pieces; without them, the rulebook's.",
            "Les pièces de la table ; à défaut, celles du jeu.",
        ),
    ] = None
