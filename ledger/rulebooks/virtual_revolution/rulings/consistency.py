"""Consistency of a table, beyond the guarantees of holdings.

Actions of the game always leave a consistent table. A correction that keeps later actions may not, and reports
the inconsistencies; `adjust` refuses an inconsistent move by the rule. All inconsistencies are public.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ledger.kernel.facts.consistency import Inconsistency
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.table.state import (
    VirtualRevolution,
    amounts,
    controls,
    in_service,
    pieces,
)
from ledger.rulebooks.virtual_revolution.table.terms import (
    DISPLAY,
    director,
    influence,
    server,
    slot,
    spot,
    title,
    verses,
)


def inconsistencies(state: VirtualRevolution) -> Iterator[Inconsistency]:
    """Yield broken limits of the map and the boards, and pieces out of step with the rest of the state."""
    if not state.seating:
        return
    for area in pieces(state).places:
        yield from _arrondissement(state, area)
    for district in pieces(state).titles:
        yield from _title(state, district)
    for seat in state.seating:
        yield from _board(state, seat)
    yield from _turn(state)
    yield from _offers(state)


def _arrondissement(state: VirtualRevolution, area: int) -> Iterator[Inconsistency]:
    """Check an arrondissement: influence of at most one player, and at most one Server."""
    holding = state.holdings.account(spot(area))
    if not holding:
        return
    if sum(holding.get(influence(seat), 0) > 0 for seat in state.seating) > 1:
        yield _inconsistency(
            "vr:influence.9",
            f"influence:{area}",
            "arrondissement {place} holds influence of several players",
            "l'arrondissement {place} contient de l'influence de plusieurs joueurs",
            place=area,
        )
    if sum(holding.get(server(seat), 0) for seat in state.seating) > 1:
        yield _inconsistency(
            "vr:server.2",
            f"servers:{area}",
            "arrondissement {place} holds more than one Server",
            "l'arrondissement {place} contient plus d'un Serveur",
            place=area,
        )


def _title(state: VirtualRevolution, district: str) -> Iterator[Inconsistency]:
    """Check a Title: the holder has not lost the Title, and nobody controls the district of a free Title."""
    catalogue = pieces(state)
    name, members = catalogue.districts[district].name, catalogue.members[district]
    holders = [seat for seat in state.seating if state.holdings.of(player(seat), title(district))]
    for seat in holders:
        lost = sum(not controls(state, seat, area) for area in members)
        if lost >= catalogue.amounts.title_loss_at:
            yield _inconsistency(
                "vr:title.4",
                f"title:{district}:{seat}",
                "{name} holds the Title {title}, and does not control {lost} arrondissements of the district",
                "{name} possède le Titre {title}, et ne contrôle pas {lost} arrondissements du district",
                name=state.seats[seat].name,
                title=name,
                lost=lost,
            )
    if holders:
        return
    for seat in state.seating:
        if all(controls(state, seat, area) for area in members):
            yield _inconsistency(
                "vr:title.3",
                f"title:{district}",
                "{name} controls all of {title}, and does not hold its Title",
                "{name} contrôle tout {title}, et n'en possède pas le Titre",
                name=state.seats[seat].name,
                title=name,
            )


def _board(state: VirtualRevolution, seat: str) -> Iterator[Inconsistency]:
    """Check a player's limits: at most three Agents in service, and one Server in each district."""
    name, catalogue = state.seats[seat].name, pieces(state)
    count, limit = len(in_service(state, seat)), catalogue.amounts.agents_in_service
    if count > limit:
        yield _inconsistency(
            "vr:agents.2",
            f"service:{seat}",
            "{name} has {count} Agents in service, and may have {most}",
            "{name} a {count} Agents en service, et peut en avoir {most}",
            name=name,
            count=count,
            most=limit,
        )
    for district, members in catalogue.members.items():
        if sum(state.holdings.of(spot(area), server(seat)) for area in members) > 1:
            yield _inconsistency(
                "vr:server.4",
                f"servers:{seat}:{district}",
                "{name} has several Servers in {district}",
                "{name} a plusieurs Serveurs dans {district}",
                name=name,
                district=catalogue.districts[district].name,
            )


def _turn(state: VirtualRevolution) -> Iterator[Inconsistency]:
    """Check the Director of the turn and the turn order: every seat has exactly one position."""
    turn = state.turn
    if turn is not None and turn.director is not None:
        present = state.holdings.of(spot(turn.director), director(turn.seat))
        if not present:
            yield _inconsistency(
                "vr:director.4",
                "director",
                "{name} acts in arrondissement {place}, and has no Director there",
                "{name} agit dans l'arrondissement {place}, sans y avoir de Directeur",
                name=state.seats[turn.seat].name,
                place=turn.director,
            )
    if state.order and sorted(state.order) != sorted(state.seating):
        yield _inconsistency(
            "vr:order.4",
            "order",
            "the turn order does not have every player once",
            "l'ordre du tour n'a pas chaque joueur une fois",
        )


def _offers(state: VirtualRevolution) -> Iterator[Inconsistency]:
    """Check the Agents on offer against the slots, the Verses against the display, and the owners of Verses
    online.
    """
    many = amounts(state)
    on_slots = {
        (card, number) for number in range(1, many.agent_slots + 1) for card in decks.held_in(state, slot(number))
    }
    if on_slots != {(item.agent, item.slot) for item in state.offers.values()}:
        yield _inconsistency(
            "vr:agents.1",
            "offers",
            "the Agents on offer are not those on the slots",
            "les Agents disponibles ne sont pas ceux des emplacements",
        )
    displayed = [item for item in state.display if item]
    if sorted(displayed) != decks.held_in(state, DISPLAY) or len(state.display) > many.verse_slots:
        yield _inconsistency(
            "vr:setup.24",
            "display",
            "the Verses on display are not those on the slots",
            "les Verses disponibles ne sont pas ceux des emplacements",
        )
    owned = {card for seat in state.seating for card in decks.held_in(state, verses(seat))}
    for card in sorted(state.online - owned):
        yield _inconsistency(
            "vr:verse.15",
            f"online:{card}",
            "{card} is online, and belongs to no player",
            "{card} est Online, et n'appartient à aucun joueur",
            card=pieces(state).verses[card].name,
        )


def _inconsistency(rule: str, about: str, en: str, fr: str, **values: Any) -> Inconsistency:
    return Inconsistency(rule, about, en.format(**values), fr.format(**values))
