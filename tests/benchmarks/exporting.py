"""Exports of very long games: their speed next to a bare COPY of the same rows, and their memory.

    python -m tests.benchmarks.exporting DATABASE_URL GAME FORM

exports a game to nowhere in a process of its own, and prints its memory in MB: before, and at most.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import msgspec
import psycopg

from ledger.games.setups import Setup
from ledger.kernel.actions import Action
from ledger.kernel.decision import decide
from ledger.kernel.draft import Request
from ledger.kernel.game import entry_of, salt_of
from ledger.kernel.journal import canonical
from ledger.kernel.opening import Opening
from ledger.kernel.state import Seat
from ledger.moving.exporting import Export
from ledger.moving.importing import record_of
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.service import Ledger
from ledger.store.connection import connect
from ledger.store.database_url import driver_parameters
from ledger.store.records import ActionRecord, GameRecord
from ledger.store.store import Store
from replays import exports
from replays.journal_file import JournalFile
from tests.benchmarks import marathon

EVENTS = 1_000_000
FEWER = 100_000
ROUNDS = 3
BEGUN = datetime(2026, 1, 1, 20, 0, tzinfo=UTC)

Say = Callable[[str, str, str, str], None]

_ROWS = (
    "COPY (SELECT * FROM actions WHERE game_id = '{game}' ORDER BY number) TO STDOUT (FORMAT csv)",
    "COPY (SELECT * FROM events WHERE game_id = '{game}' ORDER BY seq) TO STDOUT (FORMAT csv)",
)


def measured(store: Store, url: str, say: Say, progress: Callable[[str], None]) -> None:
    """Generate a game of 1,000,000 events, and one of 100,000, and export them."""
    ledger = Ledger(store, {RULEBOOK.id: RULEBOOK})
    for name, events in (("fewer", FEWER), ("million", EVENTS)):
        progress(f"generating {events:,} events")
        generate(store, name, events)
        # With snapshots, as a service has that played the game.
        game = ledger.games.open(name)
        game.history.save(game.state)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "export"
        _tables(ledger, url, file, say, progress)
        progress("exporting to the other forms")
        for form in ("jsonl", "beancount", "hledger"):
            rate = _rate(partial(_export, ledger, "fewer", form, file))
            say(f"export of {FEWER:,} events to {form}", f"{FEWER / rate:,.0f} events/s", "-", "reported")
        _export(ledger, "fewer", "jsonl", file)
        journal = JournalFile(file)
        again = msgspec.structs.replace(journal.header.exported_game, game="fewer")
        rate = _rate(lambda: sum(1 for _ in journal.entries()))
        say(
            f"verifying a journal file of {again.events:,} events",
            f"{FEWER / rate:,.0f} events/s",
            "-",
            "reported",
        )
    progress("the memory that exports take")
    for form in ("jsonl", "csv", "parquet"):
        small, large = (_memory(url, name, form) for name in ("fewer", "million"))
        say(
            f"memory of an export of {EVENTS:,} events to {form}",
            f"{large[1] - large[0]:,} MB more at most",
            f"{FEWER:,}: {small[1] - small[0]:,} MB more",
            "the same",
        )


def _tables(ledger: Ledger, url: str, file: Path, say: Say, progress: Callable[[str], None]) -> None:
    """Export as CSV, as Parquet and by the bare COPY in turn."""
    taken: dict[str, list[float]] = {"csv": [], "parquet": [], "floor": []}
    for turn in range(ROUNDS):
        progress(f"exporting {EVENTS:,} events as tables, round {turn + 1} of {ROUNDS}")
        for form in ("csv", "parquet"):
            taken[form].append(_rate(partial(_export, ledger, "million", form, file)))
        taken["floor"].append(_rate(lambda: _copy(url, "million", file)))
    floor = statistics.median(taken["floor"])
    for form in ("csv", "parquet"):
        ratio = statistics.median(one / other for one, other in zip(taken["floor"], taken[form], strict=True))
        say(
            f"export of {EVENTS:,} events to {form}",
            f"{EVENTS / statistics.median(taken[form]):,.0f} events/s = {ratio:.2f}",
            f"bare COPY {EVENTS / floor:,.0f}/s",
            ">= 100,000/s",
        )


def generate(store: Store, game: str, events: int) -> None:
    """Write a game of at least this many events directly into the database. It is always the same game."""
    players = tuple(Seat(seat, seat.capitalize()) for seat in marathon.SEATS)
    settings = msgspec.convert(marathon.SETTINGS, RULEBOOK.settings)
    setup = Setup(players=players, settings=msgspec.to_builtins(settings), dice="table")
    record = GameRecord(game, RULEBOOK.id, "A very long game", BEGUN, msgspec.json.encode(setup))
    opening = Opening(players=players, settings=settings, dice="table")
    if not store.write_game(record, [], _played(game, opening, events)):
        raise RuntimeError(f"there is a game {game} already")


def _played(game: str, opening: Opening, events: int) -> Iterator[ActionRecord]:
    chance = random.Random(events)
    at = BEGUN
    state = RULEBOOK.blank()

    def act(action: Action, seat: str | None, by: str) -> ActionRecord:
        nonlocal state, at
        at += timedelta(seconds=1)
        request = Request(action=action, seat=seat, by=by, at=at)
        decision = decide(RULEBOOK, state, request, chance=None)
        state = decision.state
        entry = entry_of(game, request, decision, salt_of(chance))
        return record_of(canonical(entry), entry, decision.events)

    yield act(RULEBOOK.opening_action(opening), None, "system")
    for seat in marathon.SEATS:
        yield act(RULEBOOK.action("join_game", msgspec.json.encode({"persona": seat})), seat, seat)
        yield act(RULEBOOK.action("choose_starter_perk", b'{"perk":"money"}'), seat, seat)
    yield act(RULEBOOK.action("start_game", b"{}"), None, "banker")
    for seat, kind, params in marathon.commands(chance, lambda: state, deals=False):
        yield act(RULEBOOK.action(kind, msgspec.json.encode(params)), seat, seat)
        if state.seq >= events:
            return


def _export(ledger: Ledger, game: str, form: str, file: Path) -> None:
    with file.open("wb") as written:
        for piece in exports.pieces(exports.FORMATS[form], Export(ledger.moment(game), logs=ledger.logs)):
            written.write(piece)


def _copy(url: str, game: str, file: Path) -> None:
    """The floor: the same rows, copied by the driver alone."""
    with (
        psycopg.connect(**driver_parameters(url), autocommit=True) as connection,
        connection.cursor() as cursor,
        file.open("wb") as written,
    ):
        for statement in _ROWS:
            with cursor.copy(statement.format(game=game).encode()) as copy:
                for piece in copy:
                    written.write(piece)


def _rate(measure: Callable[[], object]) -> float:
    """The seconds that a call takes."""
    began = time.perf_counter()
    measure()
    return time.perf_counter() - began


def _memory(url: str, game: str, form: str) -> tuple[int, int]:
    """The memory of an exporting process in MB: before the export, and at most."""
    command = [sys.executable, "-m", "tests.benchmarks.exporting", url, game, form]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return int(found[0]), int(found[1])


def _peak() -> int:
    """The largest memory of this process so far. `getrusage` would include its parent's."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) // 1024


def main(url: str, game: str, form: str) -> None:
    """Export a game to nowhere and print the memory that it took."""
    engine = connect(url)
    ledger = Ledger(Store(engine), {RULEBOOK.id: RULEBOOK})
    export = Export(ledger.moment(game), logs=ledger.logs)
    before = _peak()
    with Path(os.devnull).open("wb") as nowhere:
        for piece in exports.pieces(exports.FORMATS[form], export):
            nowhere.write(piece)
    sys.stdout.write(f"{before} {_peak()}\n")
    engine.dispose()


if __name__ == "__main__":
    main(*sys.argv[1:])
