"""Checks of the numbers of pieces, for the rounds of a game and for the number of players."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.faces.editions import Fault
from ledger.rulebooks.parts.looks import repeated
from ledger.rulebooks.virtual_revolution.own_pieces.shape import Places
from ledger.rulebooks.virtual_revolution.table.pieces import Pieces


def faults(pieces: Pieces, places: Places) -> Iterator[Fault]:
    """Yield the shortages for any number of players."""
    many = pieces.amounts
    levels = [sum(item.level == level for item in pieces.agent) for level in (1, 2)]
    for level, (present, aside) in enumerate(
        zip(levels, (many.aside_level_1, many.aside_level_2), strict=True), start=1
    ):
        if present < aside:
            yield _few(places.of("agent"), present, aside, f"Agents of level {level}", f"Agents de niveau {level}")
    deck = sum(levels) - many.aside_level_1 - many.aside_level_2
    offered = many.agent_slots * many.rounds
    # A last round without Agents would offer nothing to recruit.
    least = many.agent_slots * (many.rounds - 1) + 1
    if deck < least:
        yield _few(places.of("agent"), deck, least, "Agents beside those set aside", "Agents hors ceux écartés")
    draws = min(deck, offered)
    if len(pieces.locations) < draws:
        yield _few(
            places.of("arrondissement"),
            len(pieces.locations) - 1,
            draws - 1,
            "arrondissements, because each Agent is offered in another one",
            "arrondissements, car chaque Agent est proposé dans un autre",
        )
    if len(pieces.verse) < many.verse_slots:
        yield _few(places.of("verse"), len(pieces.verse), many.verse_slots, "Verses", "Verses")
    standard = sum(item.kind == "standard" for item in pieces.necro)
    if standard < many.necro_standard:
        yield _few(places.of("necro"), standard, many.necro_standard, "standard Necro cards", "cartes Nécro")
    if standard == len(pieces.necro):
        yield _few(
            places.of("necro"), 0, 1, "Necro cards for the end of the game", "cartes Nécro de fin de partie"
        )
    if many.necro_standard != many.rounds - 1:
        yield Fault(
            places.of("amounts", "necro_standard"),
            f"a Necro card for each round but the last is needed, {many.rounds - 1}, not {many.necro_standard}",
            f"il faut une carte Nécro par manche sauf la dernière, {many.rounds - 1}, pas {many.necro_standard}",
        )
    if not pieces.corruption:
        yield _few(places.of("corruption"), 0, 1, "Corruption cards", "cartes Corruption")
    if many.servers < len(pieces.district):
        yield _few(places.of("amounts", "servers"), many.servers, len(pieces.district), "Servers", "Serveurs")
    if len(pieces.scoring.servers) <= many.servers:
        yield Fault(
            places.of("scoring", "servers"),
            f"the points for 0 to {many.servers} Servers are needed, not {len(pieces.scoring.servers)} of them",
            f"il faut les points de 0 à {many.servers} Serveurs, pas seulement {len(pieces.scoring.servers)}",
        )
    yield from repeated((places.of("colours", row), item) for row, item in enumerate(pieces.colours))
    yield from repeated(
        (places.of("recycling", row, "tokens"), item.tokens) for row, item in enumerate(pieces.recycling)
    )


def for_players(pieces: Pieces, places: Places, players: int) -> Iterator[Fault]:
    """Yield the shortages for the number of players, and unequal deals."""
    many, cards = pieces.amounts, len(pieces.locations)
    if cards % players:
        yield Fault(
            places.of("arrondissement"),
            f"{cards} Location cards (one for each arrondissement, and the first player's) are not dealt equally "
            f"to {players} players",
            f"{cards} cartes Localisation (une par arrondissement, et celle du premier joueur) ne se distribuent "
            f"pas également à {players} joueurs",
        )
    stock = many.influence_on_board.get(str(players))
    where = places.of("amounts", "influence_on_board", str(players))
    if stock is None:
        yield Fault(
            where,
            f"the number of influence tokens for {players} players is missing",
            f"il manque le nombre de jetons Influence à {players} joueurs",
        )
    elif not (least := -(-cards // players)) <= stock <= many.influence:
        yield Fault(
            where,
            f"each of {players} players starts with {least} to {many.influence} influence tokens, not {stock}",
            f"à {players} joueurs, chacun commence avec {least} à {many.influence} jetons Influence, pas {stock}",
        )
    for name, present, needed, things in (
        ("objective", len(pieces.objective), many.objectives_dealt * players, Phrase("Objectives", "Objectifs")),
        ("colours", len(pieces.colours), players, Phrase("colours", "couleurs")),
        (
            "amounts",
            many.immunity_tokens,
            many.start_immunity * players,
            Phrase("Immunity tokens", "jetons Immunité"),
        ),
    ):
        if present < needed:
            steps = ("immunity_tokens",) if name == "amounts" else ()
            yield _few(places.of(name, *steps), present, needed, things.en, things.fr)


def _few(pointer: str, present: int, needed: int, en: str, fr: str) -> Fault:
    return Fault(pointer, f"at least {needed} {en}, not {present}", f"au moins {needed} {fr}, pas {present}")
