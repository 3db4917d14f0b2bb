"""Storing a simulated game in a ledger, like a game played there, with the strategies of its players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from ledger.games.setups import Setup, Simulated
from ledger.kernel.journal.entry import Entry
from ledger.kernel.journal.sealing import seal
from ledger.kernel.journal.timeline import Timeline, TimelineEntry
from ledger.kernel.rules.rulebook import Rulebook
from ledger.moving.importing import ExportedGame
from ledger.service import Ledger
from ledger.trust.refolding import Refold
from replays.simulation import Played


def sealed_journal(rulebook: Rulebook[Any], journal: Sequence[Entry]) -> Iterator[bytes]:
    """Encode the entries of a game in memory as the store would encode them."""
    fold = Refold(rulebook, lambda first, last: journal[first - 1 : last])
    for entry in journal:
        events = tuple(map(rulebook.codec.event, entry.events))
        fold.take(entry.number, entry.recorded_at, entry.first_seq + len(events) - 1, events)

        def touched(number: int = entry.number) -> Iterator[TimelineEntry]:
            return Timeline(journal[:number], rulebook.codec.event).entries()

        yield seal(rulebook.codec, fold.state, entry, events, touched)


def keep(ledger: Ledger, played: Played) -> str:
    """Store a simulated game, entry by entry, and return the banker's token.

    Raises GameExists if the game is already stored.
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
    # All actions were just decided by the current program.
    imported = ledger.importing.import_game(
        exported, lambda: sealed_journal(game.rulebook, game.journal), decide=False
    )
    return str(imported.tokens.banker)
