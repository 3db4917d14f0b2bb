"""Golden journals: stored games that must fold to the same state for ever.

`<rulebook>_v<n>.jsonl` holds the canonical bytes of every entry of a finished game, one a line, as they were
stored. `<rulebook>_v<n>.state.json` is what they folded to on that day. Neither file is ever changed. When events
take another shape, today's code must still read the old ones (an upcast); a game in the new shape is kept beside
them under the next number:

    python -m tests.golden negopoly_v2
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from ledger.kernel.journal import Entry, read
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.goods import TITLES
from ledger.rulebooks.negopoly.table import Negopoly, owner_of

FOLDER = Path(__file__).parent


def journal_of(name: str) -> Path:
    """The file with the entries of a golden game."""
    return FOLDER / f"{name}.jsonl"


def state_of(name: str) -> Path:
    """The file with the state that they fold to."""
    return FOLDER / f"{name}.state.json"


def entries_of(name: str) -> list[Entry]:
    """The entries of a golden game, in order."""
    return [read(line) for line in journal_of(name).read_bytes().splitlines()]


def plain(state: Negopoly) -> dict[str, Any]:
    """The state of a game of Negopoly as plain sorted data, by names of its own: not the shape of a snapshot."""
    shown: dict[str, Any] = msgspec.to_builtins(
        {
            "version": state.version,
            "seq": state.seq,
            "dice": state.dice,
            "seats": state.seats,
            "personas": state.personas,
            "perks": state.perks,
            "phase": state.phase,
            "round": state.round,
            "order": state.order,
            "next_order": state.next_order,
            "turn": state.turn,
            "positions": state.positions,
            "owners": {title: owner_of(state, title) for title in TITLES},
            "holdings": state.holdings.as_dict(),
            "open": state.open,
            "past": list(state.past),
            "wanted": sorted(state.wanted),
            "k9_rounds": sorted(state.k9_rounds),
            "rackets": state.rackets,
            "missed": state.missed,
            "delegations": sorted(state.delegations),
            "eliminated": state.eliminated,
            "last_round": state.last_round,
            "ended": state.ended,
            "winners": state.winners,
            "statements": state.statements,
        },
        order="sorted",
    )
    return shown


def fold(entries: list[Entry]) -> Negopoly:
    """The state after the entries, folded event by event from their stored bodies."""
    state: Negopoly = RULEBOOK.blank()
    for entry in entries:
        state.fold(RULEBOOK.event(stored) for stored in entry.events)
        state.version = entry.number
    return state
