"""A game that bots have played so far, stored in the database of the running service."""

from __future__ import annotations

import msgspec
from playwright.sync_api import Browser

from ledger import rulebooks
from ledger.games.setups import Setup
from ledger.moving.importing import ExportedGame
from ledger.service import Ledger
from ledger.store.database.connection import connect
from ledger.store.store import Store
from replays.keeping import sealed_journal
from replays.simulation import Played
from tests.browser.table import Table
from tests.command.service import Service


def stored_table(browser: Browser, service: Service, database: str, played: Played, title: str) -> Table:
    """Store the game in the database that the service serves; the table has everybody's tokens."""
    game = played.game
    opening = game.opening
    setup = Setup(players=opening.players, settings=msgspec.to_builtins(opening.settings), dice=opening.dice)
    exported = ExportedGame(
        game=game.name,
        rulebook=game.rulebook.id,
        title=title,
        created_at=game.journal[0].recorded_at,
        setup=msgspec.Raw(msgspec.json.encode(setup)),
        actions=game.state.version,
        events=game.journal[-1].first_seq + len(game.journal[-1].events) - 1,
    )
    engine = connect(database)
    try:
        ledger = Ledger(Store(engine), rulebooks.rulebooks_by_id())
        imported = ledger.importing.import_game(
            exported, lambda: sealed_journal(game.rulebook, game.journal), decide=False
        )
    finally:
        engine.dispose()
    given = imported.tokens
    tokens = {"banker": given.banker, "spectator": given.spectator, "players": dict(given.players)}
    return Table(browser, service.url, game.name, tokens, game.rulebook.id, title)
