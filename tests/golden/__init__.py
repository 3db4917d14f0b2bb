"""Golden journals: stored games that must fold to the same state for ever.

`<rulebook>_v<n>.jsonl` holds the canonical bytes of every entry of a finished game as they were stored, one per
line. `<rulebook>_v<n>.state.json` is the state that they folded to on that day. Neither file is ever changed;
`SHA256SUMS` has their hashes. When events get another shape, current code must still read the old ones (by an
upcast), and a game in the new shape is stored under the next number, and so is one for each revision of the rules
(`revisions.toml`). A golden game is the rulebook's recorded game, one that bots have played (with a
number of players, a seed and a number of actions), or one scripted in `tests.golden.scripted` (with its name):

    python -m tests.golden negopoly_v2 4 17 400
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from ledger.kernel.journal.entry import Entry, read
from ledger.kernel.journal.timeline import Timeline
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks.monopoly import RULEBOOKS as MONOPOLYS
from ledger.rulebooks.monopoly.table.state import Monopoly
from ledger.rulebooks.negoces2 import RULEBOOK as NEGOCES2
from ledger.rulebooks.negoces2.table import Negoces2
from ledger.rulebooks.negopoly import RULEBOOK as NEGOPOLY
from ledger.rulebooks.negopoly.table.pieces import TITLES
from ledger.rulebooks.negopoly.table.state import Negopoly, owner_of
from ledger.rulebooks.virtual_revolution import RULEBOOK as VIRTUAL_REVOLUTION
from ledger.rulebooks.virtual_revolution.table.state import VirtualRevolution

FOLDER = Path(__file__).parent
PINS = FOLDER / "SHA256SUMS"
GAMES = sorted(path.stem for path in FOLDER.glob("*.jsonl"))

_ALL: tuple[Rulebook[Any], ...] = (NEGOPOLY, NEGOCES2, *MONOPOLYS, VIRTUAL_REVOLUTION)
RULEBOOKS: dict[str, Rulebook[Any]] = {one.id: one for one in _ALL}

DECIDED_OTHERWISE: dict[str, dict[int, str]] = {
    "negoces2_v3": {37: 'history_corrected: by null recorded, "dan" decided'},
    "negopoly_v1": {1: "it has 3 events, and not 1"},
    "negopoly_v8": {69: "contract_registered: postings"},
}
"""The actions of golden games that come out otherwise today, because of what was changed since.

An undo did not name its player; a table was laid out by fewer events; the parties of a contract paid its fee in
another order; what the bank receives of a bankrupt's money cited the rule about the titles.
"""


def journal_of(name: str) -> Path:
    """The file with the entries of a golden game."""
    return FOLDER / f"{name}.jsonl"


def state_of(name: str) -> Path:
    """The file with the state that they fold to."""
    return FOLDER / f"{name}.state.json"


def entries_of(name: str) -> list[Entry]:
    """The entries of a golden game, in order."""
    return [read(line) for line in journal_of(name).read_bytes().splitlines()]


def rulebook_of(name: str) -> Rulebook[Any]:
    """The rulebook of a golden game: its name up to the version."""
    return RULEBOOKS[name.rpartition("_v")[0]]


def plain(state: Negopoly | Negoces2 | Monopoly | VirtualRevolution) -> dict[str, Any]:
    """The state of a game as plain sorted data, which does not depend on the format of snapshots."""
    match state:
        case Negoces2():
            return _negoces2(state)
        case Negopoly():
            return _negopoly(state)
        case Monopoly():
            return _monopoly(state)
        case VirtualRevolution():
            return _virtual_revolution(state)


def _virtual_revolution(state: VirtualRevolution) -> dict[str, Any]:
    named = (
        *("version", "seq", "dice", "seats", "stage", "seating", "order", "round", "colours", "first", "offers"),
        *("display", "verse_top", "under", "on_top", "seen_necro", "turn", "demands", "raids", "raid", "waiting"),
        *("attack", "choosers", "places", "changed", "final_hands", "changes", "types", "chosen", "scores"),
        *("winners", "ended"),
    )
    sets = ("done", "tilted", "online", "raided", "promised")
    shown: dict[str, Any] = msgspec.to_builtins(
        {
            "holdings": state.holdings.as_dict(),
            **{name: getattr(state, name) for name in named},
            **{name: sorted(getattr(state, name)) for name in sets},
        },
        order="sorted",
    )
    return shown


def _monopoly(state: Monopoly) -> dict[str, Any]:
    shown: dict[str, Any] = msgspec.to_builtins(
        {
            "version": state.version,
            "seq": state.seq,
            "dice": state.dice,
            "seats": state.seats,
            "stage": state.stage,
            "order": state.order,
            "round": state.round,
            "bankers": state.bankers,
            "tokens": state.tokens,
            "thrown": state.thrown,
            "shuffled": sorted(state.shuffled),
            "dealt": state.dealt,
            "turn": state.turn,
            "throws": state.throws,
            "doubles": state.doubles,
            "must_throw": state.must_throw,
            "landing": state.landing,
            "held": state.held,
            "positions": state.positions,
            "jailed": state.jailed,
            "holdings": state.holdings.as_dict(),
            "rents": state.rents,
            "debts": state.debts,
            "received": state.received,
            "auction": state.auction,
            "lots": state.lots,
            "wishes": state.wishes,
            "costs": state.costs,
            "under": state.under,
            "open": state.open,
            "past": list(state.past),
            "out": state.out,
            "winners": state.winners,
            "season": state.season,
            "starters": state.starters,
            "consents": sorted(state.consents),
            "ranking": state.ranking,
            "moved_up": state.moved_up,
            "ended": state.ended,
        },
        order="sorted",
    )
    return shown


def _negoces2(state: Negoces2) -> dict[str, Any]:
    shown: dict[str, Any] = msgspec.to_builtins(
        {
            "version": state.version,
            "seq": state.seq,
            "dice": state.dice,
            "seats": state.seats,
            "phase": state.phase,
            "order": state.order,
            "starter": state.starter,
            "bid": state.bid,
            "bidder": state.bidder,
            "withdrawn": sorted(state.withdrawn),
            "holdings": state.holdings.as_dict(),
            "sale": state.sale,
            "offers": state.offers,
            "sales": state.sales,
            "sellers": sorted(state.sellers),
            "claims": state.claims,
            "declined": sorted(state.declined),
            "ended": state.ended,
            "winners": state.winners,
        },
        order="sorted",
    )
    return shown


def _negopoly(state: Negopoly) -> dict[str, Any]:
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
            "weather": state.weather,
            "roll_changes": state.roll_changes,
            "unread": state.unread,
            "quarters": state.quarters,
            "police_orders": sorted(state.police_orders),
            "disruptions": state.disruptions,
            "blackouts": sorted(state.blackouts),
            "services": state.services,
            "hacks": state.hacks,
            "strikes": state.strikes,
            "questions": state.questions,
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


def fold(rulebook: Rulebook[Any], entries: list[Entry]) -> Any:
    """The state after the entries, folded event by event from the stored bodies of the effective actions."""
    state = rulebook.blank()
    for standing in Timeline(entries, rulebook.codec.event).effective(len(entries)):
        state.fold(standing.events)
    last = entries[-1]
    state.version, state.seq = last.number, last.first_seq + len(last.events) - 1
    return state
