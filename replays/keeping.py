"""Storing a simulated game in a ledger, as if it had been played there, with the strategies that played it."""

from __future__ import annotations

import msgspec

from ledger.games.setups import Setup, Simulated
from ledger.kernel.journal import canonical
from ledger.moving.importing import ExportedGame
from ledger.service import Ledger
from replays.simulation import Played


def keep(ledger: Ledger, played: Played) -> str:
    """Store a simulated game entry by entry, and return its banker's token.

    Raises GameExists when the game is stored already.
    """
    game = played.game
    opening = game.opening
    setup = Setup(
        players=opening.players,
        settings=msgspec.to_builtins(opening.settings),
        dice=opening.dice,
        simulated=Simulated(seed=played.seed, strategies=played.strategies),
    )
    exported = ExportedGame(
        game=game.name,
        rulebook=game.rulebook.id,
        title=f"{game.rulebook.title}, simulated ({played.seed})",
        created_at=game.journal[0].recorded_at,
        setup=msgspec.Raw(msgspec.json.encode(setup)),
        actions=game.state.version,
        events=game.journal[-1].first_seq + len(game.journal[-1].events) - 1,
    )
    # The same program has just decided every action.
    imported = ledger.importing.import_game(
        exported, lambda: (canonical(entry) for entry in game.journal), decide=False
    )
    return str(imported.tokens.banker)
