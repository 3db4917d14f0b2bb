"""`csv` and `parquet`: a game as tables, with one row for each action, event, posting or balance.

The game is read in stretches, and DuckDB converts each into rows while the next one is fetched. Memory holds only
a stretch and the holdings of all accounts. The rows stay in a temporary folder until all of them are there, so
that a file that is begun can be finished. The files depend only on the version of the game.
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
"""At most two exports make tables at a time, which limits the memory for many callers."""


def write_csv(
    export: Export, table: str | None, progress: Callable[[int, int], None]
) -> Generator[bytes, None, None]:
    """Write one table as CSV, or all tables in a ZIP file."""
    return _write(export, "csv", table, progress)


def write_parquet(
    export: Export, table: str | None, progress: Callable[[int, int], None]
) -> Generator[bytes, None, None]:
    """Write one table as Parquet, or all tables in a ZIP file."""
    return _write(export, "parquet", table, progress)


def _write(
    export: Export, kind: Kind, table: str | None, progress: Callable[[int, int], None]
) -> Generator[bytes, None, None]:
    wanted = tuple(TABLES) if table is None else (table,)
    with _scratch() as folder:
        with _turns, Staging(folder, kind, wanted, whole=export.whole) as staging:
            for found in _prefetched(_lines(export)):
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
    """A temporary folder, which is removed afterwards. Raises TablesFailed when it cannot be created.

    Folders of killed processes are removed first: nobody holds their locks any more.
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


# The game as lines ----------------------------------------------------------------------------------


def _prefetched(stretches: Iterator[Lines]) -> Iterator[Lines]:
    """The same stretches, each fetched while the caller works on the one before."""
    with ThreadPoolExecutor(1, thread_name_prefix="export") as fetching:
        coming = fetching.submit(next, stretches, None)
        while (found := coming.result()) is not None:
            coming = fetching.submit(next, stretches, None)
            yield found


def _lines(export: Export) -> Iterator[Lines]:
    """The history in stretches."""
    if not export.whole:
        yield from _view_lines(export)
        return
    reshaped = export.reshaped()
    passed = 0
    for stretch in export.stretches(_BATCH):
        if reshaped or export.corrected(stretch.after, stretch.last):
            leaves = dict(enumerate(stretch.leaves(), start=stretch.after + 1))
            standings = enumerate(export.standings(stretch.after, stretch.last), start=passed + 1)
            lines = [
                _whole_line(
                    position, one, leaves.get(one.entry.number) or export.leaf(one.entry.number), export.language
                )
                for position, one in standings
            ]
            found = _lines_of(lines, stretch.last)
        else:
            shift = passed - stretch.after
            found = Lines(stretch.lines, stretch.entries, stretch.longest, stretch.last, shift)
        passed += found.actions
        yield found


def _lines_of(lines: list[bytes], last: int) -> Lines:
    return Lines(b"".join(lines), len(lines), max(map(len, lines), default=0), last)


def _whole_line(position: int, standing: Standing, hashed: bytes, language: str) -> bytes:
    """The line of an action as corrections left it, with events in their current shapes."""
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


def _view_lines(export: Export) -> Iterator[Lines]:
    """The history as the viewer may see it, in stretches."""
    waiting: list[bytes] = []
    last = 0
    for position, shown in enumerate(export.actions(), start=1):
        last = shown.moment
        waiting.append(_view_line(position, shown))
        if len(waiting) == _BATCH:
            yield _lines_of(waiting, last)
            waiting = []
    yield _lines_of(waiting, last)


def _view_line(position: int, shown: ShownAction) -> bytes:
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
    """The file `about.json`: the game, and a description of every column."""
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
    """A file that keeps the written bytes in memory until they are flushed."""

    def __init__(self) -> None:
        self._written: list[bytes] = []

    def write(self, piece: bytes) -> int:
        self._written.append(bytes(piece))
        return len(piece)

    def flush(self) -> None:
        """Do nothing: nothing is buffered elsewhere."""

    def flushed(self) -> bytes:
        """The bytes written since the last call."""
        written = b"".join(self._written)
        self._written.clear()
        return written


def _zipped(files: Mapping[str, Iterator[bytes]]) -> Iterator[bytes]:
    """Write a ZIP file of these files, uncompressed: Parquet is the format for small files."""
    sink = _Sink()
    with zipfile.ZipFile(sink, "w") as archive:  # type: ignore[call-overload]
        for name, pieces in files.items():
            with archive.open(zipfile.ZipInfo(name), "w", force_zip64=True) as member:
                for piece in pieces:
                    member.write(piece)
                    yield sink.flushed()
    yield sink.flushed()
