"""The tables with a row for each game, seat, title or obligation: the state at the exported version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from ledger.kernel.facts.state import State
from ledger.kernel.rules.rulebook import Rulebook
from ledger.moving.exporting import Export, turn_in
from ledger.rulebooks.parts.boards import places_of
from replays.standings import standings_of

Row = dict[str, Any]


def rows_of(export: Export) -> Mapping[str, list[Row]]:
    """Return the rows of a game by table."""
    game: dict[str, Any] = {"game": export.record.game_id}
    return {
        "games": [game | _game(export)],
        "seats": [game | seat for seat in _seats(export)],
        "titles": [game | title for title in _titles(export.rulebook, export.state)],
        "obligations": [game | msgspec.to_builtins(owed) for owed in export.obligations()],
    }


def _game(export: Export) -> Row:
    record, state, origin, setup = export.record, export.state, export.origin, export.setup
    return {
        "rulebook": record.rulebook,
        "title": record.title,
        "created_at": record.created_at,
        "last_at": state.last_at,
        "origin": None if origin is None else origin.game,
        "origin_action": None if origin is None else origin.action,
        "players": len(state.seats),
        "dice": setup.dice,
        "settings": setup.settings,
        "currency": export.rulebook.accounts.currency,
        "actions": export.version,
        "round": turn_in(export.rulebook, state)[0],
        "ended": state.ended,
        "winners": list(export.rulebook.score.winners(state)),
        "seen_by": None if export.whole else export.viewer.seat or export.viewer.role,
    }


def _seats(export: Export) -> Iterator[Row]:
    rulebook, state = export.rulebook, export.state
    winners = rulebook.score.winners(state)
    simulated = export.setup.simulated
    for number, standing in enumerate(standings_of(rulebook, state, export.viewer), start=1):
        yield {
            "seat": standing.seat,
            "name": standing.name,
            "number": number,
            "strategy": None if simulated is None else simulated.strategies.get(standing.seat),
            "playing": standing.playing,
            "won": standing.seat in winners,
            "worth": standing.worth,
            "money": standing.money,
        }


def _titles(rulebook: Rulebook[Any], state: State) -> Iterator[Row]:
    for square, spot in enumerate(places_of(rulebook, state)):
        if spot.asset is not None:
            yield {
                "title": spot.asset,
                "name": spot.name,
                "square": square,
                "kind": spot.kind,
                "colour": spot.colour,
                "owner": spot.owner,
                "built": spot.built,
                "marks": list(spot.marks),
            }
