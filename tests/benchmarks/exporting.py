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
from ledger.kernel.deciding.decision import decide
from ledger.kernel.deciding.steps import entry_of, salt_of
from ledger.kernel.facts.state import Seat
from ledger.kernel.journal.sealing import seal
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.draft import Request
from ledger.kernel.rules.opening import Opening
from ledger.moving.exporting import Export
from ledger.moving.importing import record_of
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.service import Ledger
from ledger.store.database.connection import connect
from ledger.store.database.database_url import driver_parameters
from ledger.store.records import ActionRecord, GameRecord
from ledger.store.store import Store
from replays import exports
from replays.journal_file import JournalFile
from tests.benchmarks import marathon
from tests.benchmarks.bench import Bench, progress, say

EVENTS = 1_000_000
FEWER = 100_000
ROUNDS = 3
BEGUN = datetime(2026, 1, 1, 20, 0, tzinfo=UTC)

_ROWS = (
    "COPY (SELECT * FROM actions WHERE game_id = '{game}' ORDER BY number) TO STDOUT (FORMAT csv)",
    "COPY (SELECT * FROM events WHERE game_id = '{game}' ORDER BY seq) TO STDOUT (FORMAT csv)",
)


def measured(bench: Bench) -> None:
    """Generate a long game and a very long one, and export them."""
    events, fewer = bench.size(EVENTS, 400), bench.size(FEWER, 200)
    ledger = bench.ledger
    for name, size in (("fewer", fewer), ("million", events)):
        progress(f"generating {size:,} events")
        generate(bench.store, name, size)
        # With snapshots, as a service has that played the game.
        game = ledger.games.open(name)
        game.history.save(game.state)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "export"
        _tables(bench, events, file)
        progress("exporting to the other forms")
        for form in ("jsonl", "beancount", "hledger"):
            seconds = _seconds(partial(_export, ledger, "fewer", form, file))
            say(f"export of {fewer:,} events to {form}", f"{fewer / seconds:,.0f} events/s", "-", "reported")
        _export(ledger, "fewer", "jsonl", file)
        exported = JournalFile(file).header.exported_game
        seconds = _seconds(partial(_read_whole, file, exported.actions))
        say(
            f"verifying a journal file of {exported.events:,} events",
            f"{exported.events / seconds:,.0f} events/s",
            "-",
            "reported",
        )
    progress("the memory that exports take")
    for form in ("jsonl", "csv", "parquet"):
        small, large = (_memory(bench.url, name, form) for name in ("fewer", "million"))
        say(
            f"memory of an export of {events:,} events to {form}",
            f"{large[1] - large[0]:,} MB more at most",
            f"{fewer:,}: {small[1] - small[0]:,} MB more",
            "the same",
        )


def _read_whole(file: Path, actions: int) -> None:
    """Read and verify a journal file. Raises RuntimeError when it has not so many actions."""
    entries = sum(1 for _ in JournalFile(file).entries())
    if entries != actions:
        raise RuntimeError(f"the file has {entries} actions of {actions}")


def _tables(bench: Bench, events: int, file: Path) -> None:
    """Export as CSV, as Parquet and by the bare COPY in turn."""
    taken: dict[str, list[float]] = {"csv": [], "parquet": [], "floor": []}
    rounds = bench.rounds(ROUNDS)
    for turn in range(rounds):
        progress(f"exporting {events:,} events as tables, round {turn + 1} of {rounds}")
        for form in ("csv", "parquet"):
            taken[form].append(_seconds(partial(_export, bench.ledger, "million", form, file)))
        taken["floor"].append(_seconds(lambda: _copy(bench.url, "million", file)))
    floor = statistics.median(taken["floor"])
    for form in ("csv", "parquet"):
        ratio = statistics.median(bare / ours for bare, ours in zip(taken["floor"], taken[form], strict=True))
        say(
            f"export of {events:,} events to {form}",
            f"{events / statistics.median(taken[form]):,.0f} events/s = {ratio:.2f}",
            f"bare COPY {events / floor:,.0f}/s",
            ">= 100,000/s",
        )


def generate(store: Store, game: str, events: int) -> None:
    """Write a game of at least this many events directly into the database. It is always the same game."""
    players = tuple(Seat(seat, seat.capitalize()) for seat in marathon.SEATS)
    settings = msgspec.convert(marathon.SETTINGS, RULEBOOK.settings)
    setup = Setup(players=players, settings=msgspec.to_builtins(settings), dice="table")
    record = GameRecord(game, RULEBOOK.id, "A very long game", BEGUN, msgspec.json.encode(setup))
    opening = Opening(players=players, settings=settings, dice="table")
    if not store.copies.write(record, [], _played(game, opening, events)):
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
        return record_of(seal(RULEBOOK.codec, state, entry, decision.events, list), entry, decision.events)

    yield act(RULEBOOK.play.opening_action(opening), None, "system")
    for seat in marathon.SEATS:
        yield act(RULEBOOK.codec.action("join_game", msgspec.json.encode({"persona": seat})), seat, seat)
        yield act(RULEBOOK.codec.action("choose_starter_perk", b'{"perk":"money"}'), seat, seat)
    yield act(RULEBOOK.codec.action("start_game", b"{}"), None, "banker")
    for seat, kind, params in marathon.commands(chance, lambda: state, deals=False):
        yield act(RULEBOOK.codec.action(kind, msgspec.json.encode(params)), seat, seat)
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


def _seconds(work: Callable[[], object]) -> float:
    """The seconds that a call takes."""
    began = time.perf_counter()
    work()
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
