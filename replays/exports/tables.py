"""`csv` and `parquet`: a game as tidy tables, one row for an action, an event, a posting, a balance.

The game goes by in stretches, and each is turned into rows by DuckDB while the next one is fetched: what lies in
memory is a stretch, and what every account holds. The rows wait in a temporary folder until all of them are there,
so a file that is begun can be finished. The files depend on nothing but the version of the game.
"""

from __future__ import annotations

import fcntl
import shutil
import zipfile
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from threading import BoundedSemaphore
from typing import Any

import msgspec

from ledger.kernel.history.timeline import Standing
from ledger.kernel.journal import body
from ledger.moving.exporting import Export, ShownAction
from ledger.reading.entries import EventView
from replays.exports.columns import TABLES
from replays.exports.rows import Kind, Lines, Staging, TablesFailed

_BATCH = 8000
_SCRATCH = "mabligop-export-"
_LOCK = "lock"
_turns = BoundedSemaphore(2)
"""How many tables are made at a time, so that many who ask do not need many times the memory."""


def write_csv(
    export: Export, table: str | None, progress: Callable[[int, int], None]
) -> Generator[bytes, None, None]:
    """One table as CSV, or all of them in a ZIP file."""
    return _write(export, "csv", table, progress)


def write_parquet(
    export: Export, table: str | None, progress: Callable[[int, int], None]
) -> Generator[bytes, None, None]:
    """One table as Parquet, or all of them in a ZIP file."""
    return _write(export, "parquet", table, progress)


def _write(
    export: Export, kind: Kind, table: str | None, progress: Callable[[int, int], None]
) -> Generator[bytes, None, None]:
    wanted = tuple(TABLES) if table is None else (table,)
    with _scratch() as folder:
        with _turns, Staging(folder, kind, wanted, whole=export.whole) as staging:
            for found in _ahead(_lines(export)):
                staging.take(found)
                progress(found.last, export.version)
            staging.finish()
        if table is not None:
            yield from staging.content(table)
            return
        about = _about(export)
        contents = {f"{name}.{kind}": staging.content(name) for name in wanted}
        yield from _zipped({"about.json": iter((about,)), **contents})


@contextmanager
def _scratch() -> Iterator[Path]:
    """A temporary folder, which is gone afterwards. Raises TablesFailed when there cannot be one.

    What is left of processes that were killed over an export is cleared away: nobody holds its lock any more.
    """
    for lock in Path(gettempdir()).glob(f"{_SCRATCH}*/{_LOCK}"):
        with suppress(OSError), lock.open("rb") as left:
            fcntl.flock(left, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(lock.parent, ignore_errors=True)
    with ExitStack() as stack:
        try:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix=_SCRATCH)))
            held = stack.enter_context((folder / "lock to be").open("wb"))
            fcntl.flock(held, fcntl.LOCK_EX)
            Path(held.name).rename(folder / _LOCK)
        except OSError as fault:
            raise TablesFailed(f"{gettempdir()} cannot be written: {fault.strerror}") from fault
        yield folder


# The game, in lines ---------------------------------------------------------------------------------


def _ahead(stretches: Iterator[Lines]) -> Iterator[Lines]:
    """The same, each fetched while the one before it is worked on."""
    with ThreadPoolExecutor(1, thread_name_prefix="export") as fetching:
        coming = fetching.submit(next, stretches, None)
        while (found := coming.result()) is not None:
            coming = fetching.submit(next, stretches, None)
            yield found


def _lines(export: Export) -> Iterator[Lines]:
    """The history in stretches."""
    if not export.whole:
        yield from _seen(export)
        return
    reshaped = export.reshaped()
    passed = 0
    for stretch in export.stretches(_BATCH):
        if reshaped or export.corrected(stretch.after, stretch.last):
            leaves = dict(enumerate(stretch.leaves(), start=stretch.after + 1))
            standings = enumerate(export.standings(stretch.after, stretch.last), start=passed + 1)
            lines = [
                _standing(
                    position, one, leaves.get(one.entry.number) or export.leaf(one.entry.number), export.language
                )
                for position, one in standings
            ]
            found = _told(lines, stretch.last)
        else:
            shift = passed - stretch.after
            found = Lines(stretch.lines, stretch.entries, stretch.longest, stretch.last, shift)
        passed += found.actions
        yield found


def _told(lines: list[bytes], last: int) -> Lines:
    return Lines(b"".join(lines), len(lines), max(map(len, lines), default=0), last)


def _standing(position: int, standing: Standing, hashed: bytes, language: str) -> bytes:
    """An action as corrections have left it, in today's shapes."""
    recorded = tuple(msgspec.Raw(body(event)) for event in standing.recorded)
    line: dict[str, Any] = {
        "position": position,
        "entry": msgspec.structs.replace(standing.entry, events=recorded),
        "leaf": hashed.hex(),
        "status": standing.status,
        "corrected_by": standing.by,
    }
    if standing.insert:
        line |= {"action": standing.name, "after": standing.place[0]}
    if standing.why is not None:
        line["why"] = {"rule": standing.why.rule, "text": getattr(standing.why, language)}
    if standing.status == "restated":
        line["restated"] = [msgspec.Raw(body(event)) for event in standing.events]
    return _encode(line) + b"\n"


def _seen(export: Export) -> Iterator[Lines]:
    """The history as the reader may see it."""
    waiting: list[bytes] = []
    last = 0
    for position, shown in enumerate(export.actions(), start=1):
        last = shown.moment
        waiting.append(_shown(position, shown))
        if len(waiting) == _BATCH:
            yield _told(waiting, last)
            waiting = []
    yield _told(waiting, last)


def _shown(position: int, shown: ShownAction) -> bytes:
    view = shown.view
    line = {
        "position": position,
        "action": shown.name,
        "after": shown.after,
        "status": view.status,
        "corrected_by": view.corrected_by,
        "why": None if view.reason is None else {"rule": view.reason.rule, "text": view.reason.text},
        "leaf": view.receipt.leaf,
        "entry": {
            "number": view.number,
            "kind": view.kind,
            "seat": view.seat,
            "by": view.by,
            "recorded_at": view.recorded_at,
            "override": view.override,
            "params": view.params,
            "draws": view.draws,
            "warnings": view.warnings,
            "events": [_event(event) for event in view.events],
        },
        "seqs": [event.seq for event in view.events],
        "restated": [_event(event) for event in view.restated],
        "balances": [(one.account, one.commodity, one.amount) for one in shown.balances],
    }
    return _encode(line) + b"\n"


def _event(event: EventView) -> dict[str, Any]:
    postings = [(one.commodity, one.amount, one.source, one.target) for one in event.postings]
    return {**event.data, "kind": event.kind, "rule": event.rule, "postings": postings}


_encode = msgspec.json.Encoder().encode


# The files together ---------------------------------------------------------------------------------


def _about(export: Export) -> bytes:
    """What the tables are of, and what their columns tell."""
    record = export.record
    about = {
        "game": record.game_id,
        "rulebook": record.rulebook,
        "title": record.title,
        "created_at": record.created_at,
        "origin": export.origin,
        "actions": export.version,
        "view": None if export.whole else {"role": export.viewer.role, "seat": export.viewer.seat},
        "tables": {
            name: [{"column": column.name, "type": column.kind, "about": column.about} for column in columns]
            for name, (_, columns) in TABLES.items()
        },
    }
    return msgspec.json.format(_encode(about), indent=2) + b"\n"


class _Sink:
    """A file that keeps what is written until it is taken."""

    def __init__(self) -> None:
        self._written: list[bytes] = []

    def write(self, piece: bytes) -> int:
        self._written.append(bytes(piece))
        return len(piece)

    def flush(self) -> None:
        """Nothing waits anywhere else."""

    def taken(self) -> bytes:
        """What was written since the last time."""
        written = b"".join(self._written)
        self._written.clear()
        return written


def _zipped(files: Mapping[str, Iterator[bytes]]) -> Iterator[bytes]:
    """A ZIP file of these, stored as they are: whoever wants small files takes Parquet."""
    sink = _Sink()
    with zipfile.ZipFile(sink, "w") as archive:  # type: ignore[call-overload]
        for name, pieces in files.items():
            with archive.open(zipfile.ZipInfo(name), "w", force_zip64=True) as member:
                for piece in pieces:
                    member.write(piece)
                    yield sink.taken()
    yield sink.taken()
