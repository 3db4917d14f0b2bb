"""Two games that differ only in what is hidden from a viewer give this viewer the same statistics and report.

`tests.harness.secrecy` compares every endpoint over HTTP; this file compares many more games.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.games.setups import Setup
from ledger.kernel.deciding.in_memory import GameInMemory
from ledger.kernel.facts.audience import BANKER, SPECTATOR, Viewer
from ledger.kernel.journal.entry import canonical
from ledger.moving.exporting import Export
from ledger.moving.importing import ExportedGame
from ledger.rulebooks.negoces2 import RULEBOOK
from ledger.service import Command, Ledger
from replays.statistics import statistics_of
from tests.negoces2.coupled import Twins
from tests.properties.commands import SOAK
from tests.replays import shelf
from tests.tables.ledgers import started

pytestmark = pytest.mark.xdist_group("statistics secrecy")

GAMES = 12 if SOAK else 5
"""Pairs of games for each viewer; more in a soak."""


def told(ledger: Ledger, game: str, viewer: Viewer) -> tuple[bytes, ...]:
    """The statistics and reports of a viewer in both languages, without the game's id."""
    found: list[bytes] = []
    for language in ("en", "fr"):
        found.append(msgspec.json.encode(statistics_of(Export(ledger.moment(game, viewer), language))))
        found.append(shelf.exported(ledger, game, "html", viewer, language=language))
    return tuple(one.replace(game.encode(), b"<game>") for one in found)


def kept(ledger: Ledger, world: GameInMemory[Any], name: str) -> str:
    """A game of Négoces 2 that was played in memory and stored."""
    opening = world.opening
    setup = Setup(players=opening.players, settings=msgspec.to_builtins(opening.settings), dice="table")
    entries = [msgspec.structs.replace(entry, game=name) for entry in world.journal]
    exported = ExportedGame(
        game=name,
        rulebook=RULEBOOK.id,
        title="Twins",
        created_at=entries[0].recorded_at,
        setup=msgspec.Raw(msgspec.json.encode(setup)),
        actions=len(entries),
        events=world.state.seq,
    )
    ledger.importing.import_game(exported, lambda: map(canonical, entries))
    return name


@pytest.mark.parametrize("seat", [None, "ana", "cid"])
def test_hidden_hands(ledger: Ledger, seat: str | None) -> None:
    """Cards face down and hidden coins, with rulings and corrections; the banker's numbers do differ."""
    viewer = SPECTATOR if seat is None else Viewer("player", seat)
    differing = 0
    for seed in range(GAMES):
        twins = Twins(seat, seed)
        twins.play(45)
        one, other = (
            kept(ledger, world, f"twin-{seat}-{seed}-{place}") for place, world in enumerate(twins.worlds)
        )
        assert told(ledger, one, viewer) == told(ledger, other, viewer), f"seed {seed}"
        differing += told(ledger, one, BANKER) != told(ledger, other, BANKER)
    assert differing > GAMES / 2


def test_private_money(ledger: Ledger) -> None:
    """Bob gives Cid money in private; in one game he gives more, and has more doses."""
    games = []
    for amount, perk in ((100, "money"), (700, "doses")):
        game = started(ledger, "ana", "bob", "cid", title="Whispers", settings={}, perks={"bob": perk})
        gift = Command(kind="transfer_money", params={"to": "cid", "amount": amount})
        ledger.perform(game, Viewer("player", "bob"), gift)
        games.append(game)
    one, other = (
        {
            viewer: statistics_of(Export(ledger.moment(game, viewer)))
            for viewer in (Viewer("player", "ana"), SPECTATOR, Viewer("player", "cid"), BANKER)
        }
        for game in games
    )
    for viewer in one:
        alike = [
            msgspec.structs.replace(
                found,
                game="",
                began=one[viewer].began,
                lasted=0,
                wealth=msgspec.structs.replace(found.wealth, at=()),
                time=(),
            )
            for found in (one[viewer], other[viewer])
        ]
        knows = viewer.role == "banker" or viewer.seat == "cid"
        assert (alike[0] != alike[1]) == knows, viewer
