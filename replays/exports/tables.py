"""`csv` and `parquet`: games as tables.

The history of a game has a row for each action, event, posting or balance; other tables have a row for each
game, seat or title. The history is read in stretches, and DuckDB converts each stretch into rows while the next
is fetched. Memory holds only a stretch and the holdings of all accounts. The rows stay in a temporary folder
until complete, so a file once begun can be finished. The files depend only on the version of the game.
"""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from threading import BoundedSemaphore
from typing import Any

import msgspec

from ledger.kernel.journal.entry import body
from ledger.kernel.journal.timeline import TimelineEntry
from ledger.moving.exporting import Export, ShownAction
from ledger.reading.entries.views import EventView
from ledger.store.database.errors import StoreUnavailable
from replays.exports.columns import ABOUT, HISTORY, STANDING, TABLES
from replays.exports.rows import Kind, Lines, Staging, TablesFailed
from replays.exports.standing import Row, rows_of
from replays.exports.telling import Narration, Narrator, told_of
from replays.exports.zipped import zipped

_BATCH = 8000
_SCRATCH = "mabligop-export-"
_LOCK = "lock"
_turns = BoundedSemaphore(2)
"""At most two exports make tables at a time, to limit the memory with many callers."""


def write(
    export: Export, table: str | None, progress: Callable[[int, int], None], *, kind: Kind
) -> Generator[bytes, None, None]:
    """Write one table, the description of all tables, or all tables in a ZIP file."""
    return _write((export,), kind, table, progress, _about(export), whole=export.whole)


def write_all(
    games: Iterable[Export],
    table: str | None,
    progress: Callable[[int], None],
    leave_out: Callable[[str, Exception], None],
    *,
    kind: Kind,
) -> Generator[bytes, None, None]:
    """Write one table of all the games, the description of all tables, or all tables in a ZIP file.

    `progress` takes the number of finished games. An unreadable game is left out, and passed to `leave_out`.
    Raises ValueError for a game not exported whole.
    """

    def counted() -> Iterator[Export]:
        for done, export in enumerate(games, start=1):
            if not export.whole:
                raise ValueError(f"the game {export.record.game_id} is not exported whole")
            yield export
            progress(done)

    return _write(counted(), kind, table, _ignored, _described(), leave_out, whole=True)


def _ignored(done: int, total: int) -> None:
    """Ignore the progress within a game."""


def _write(
    games: Iterable[Export],
    kind: Kind,
    table: str | None,
    progress: Callable[[int, int], None],
    about: bytes,
    leave_out: Callable[[str, Exception], None] | None = None,
    *,
    whole: bool,
) -> Generator[bytes, None, None]:
    """Write the tables of the games. `about` is the content of about.json."""
    if table == ABOUT:
        yield about
        return
    selected = tuple(TABLES) if table is None else (table,)
    rows: dict[str, list[Row]] = {name: [] for name in STANDING}
    with _scratch() as folder:
        with _turns, Staging(folder, kind, selected, whole=whole) as staging:
            for export in games:
                mark = staging.mark()
                try:
                    _take(staging, export, selected, progress)
                    game_rows = rows_of(export)
                except StoreUnavailable:
                    raise
                except Exception as fault:
                    if leave_out is None:
                        raise
                    staging.go_back(mark)
                    leave_out(export.record.game_id, fault)
                    continue
                for name, extra in game_rows.items():
                    rows[name] += extra
            staging.standing(rows)
            staging.finish()
        if table is not None:
            yield from staging.content(table)
            return
        contents = {f"{name}.{kind}": staging.content(name) for name in selected}
        yield from zipped({"about.json": (about,), **contents}.items())


def _take(
    staging: Staging, export: Export, selected: tuple[str, ...], progress: Callable[[int, int], None]
) -> None:
    """Pass a game's history to the staging, if a table of the history is selected."""
    if not set(HISTORY) & set(selected):
        return
    staging.begin(export.record.game_id)
    for part in _prefetched(_lines(export, narrated="actions" in selected)):
        staging.take(part)
        progress(part.last, export.version)


@contextmanager
def _scratch() -> Iterator[Path]:
    """Create a temporary folder, and remove the folder afterwards. Raises TablesFailed if the creation fails.

    Folders of killed processes are removed first: their locks are free.
    """
    for lock in Path(gettempdir()).glob(f"{_SCRATCH}*/{_LOCK}"):
        with suppress(OSError), lock.open("rb") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(lock.parent, ignore_errors=True)
    with ExitStack() as stack:
        try:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix=_SCRATCH)))
            lock_file = stack.enter_context((folder / "lock to be").open("wb"))
            fcntl.flock(lock_file, fcntl.LOCK_EX)
            Path(lock_file.name).rename(folder / _LOCK)
        except OSError as fault:
            raise TablesFailed(f"{gettempdir()} cannot be written: {fault.strerror}") from fault
        yield folder


# The game as lines ----------------------------------------------------------------------------


def _prefetched(stretches: Iterator[Lines]) -> Iterator[Lines]:
    """Yield the stretches, fetching the next while the caller works on the current."""
    with ThreadPoolExecutor(1, thread_name_prefix="export") as fetching:
        coming = fetching.submit(next, stretches, None)
        while (stretch := coming.result()) is not None:
            coming = fetching.submit(next, stretches, None)
            yield stretch


def _lines(export: Export, *, narrated: bool) -> Iterator[Lines]:
    """Yield the history in stretches. With `narrated`, add the round, the turn and the sentence of each action."""
    if not export.whole:
        yield from _view_lines(export)
        return
    narrator = Narrator(export) if narrated else None
    narration: Iterable[Narration] = ()
    reshaped = export.reshaped()
    passed = 0
    for stretch in export.stretches(_BATCH):
        if reshaped or export.corrected(stretch.start, stretch.last):
            leaves = dict(enumerate(stretch.leaves(), start=stretch.start + 1))
            timeline_entries = list(export.timeline_entries(stretch.start, stretch.last))
            lines = [
                _whole_line(
                    position,
                    timeline_entry,
                    leaves.get(timeline_entry.entry.number) or export.leaf(timeline_entry.entry.number),
                    export.language,
                )
                for position, timeline_entry in enumerate(timeline_entries, start=passed + 1)
            ]
            if narrator is not None:
                narration = map(narrator.narrate, timeline_entries)
            part = _lines_of(lines, narration, stretch.last)
        else:
            if narrator is not None:
                narration = narrator.untouched(stretch)
            part = Lines(
                stretch.lines,
                stretch.entries,
                stretch.longest,
                stretch.last,
                shift=passed - stretch.start,
                narration=_joined(narration),
            )
        passed += part.actions
        yield part


def _lines_of(lines: list[bytes], narration: Iterable[Narration], last: int) -> Lines:
    return Lines(b"".join(lines), len(lines), max(map(len, lines), default=0), last, narration=_joined(narration))


def _joined(narration: Iterable[Narration]) -> bytes | None:
    return _encoder.encode_lines(narration) or None


def _whole_line(position: int, timeline_entry: TimelineEntry, hashed: bytes, language: str) -> bytes:
    """Write the line of an action as corrected, with events in their current shapes."""
    recorded = tuple(msgspec.Raw(body(event)) for event in timeline_entry.recorded)
    line: dict[str, Any] = {
        "position": position,
        "entry": msgspec.structs.replace(timeline_entry.entry, events=recorded),
        "leaf": hashed.hex(),
        "status": timeline_entry.status,
        "corrected_by": timeline_entry.by,
    }
    if timeline_entry.insert:
        line |= {"action": timeline_entry.name, "after": str(timeline_entry.inserted_after)}
    if timeline_entry.why is not None:
        line["why"] = {"rule": timeline_entry.why.rule, "text": timeline_entry.why.text.in_language(language)}
    if timeline_entry.status == "restated":
        line["restated"] = [msgspec.Raw(body(event)) for event in timeline_entry.events]
    return _encode(line) + b"\n"


def _view_lines(export: Export) -> Iterator[Lines]:
    """Yield the visible history in stretches."""
    waiting: list[bytes] = []
    narration: list[Narration] = []
    last = 0
    for position, action in enumerate(export.actions(), start=1):
        last = action.moment
        waiting.append(_view_line(position, action))
        narration.append(told_of(action))
        if len(waiting) == _BATCH:
            yield _lines_of(waiting, narration, last)
            waiting, narration = [], []
    yield _lines_of(waiting, narration, last)


def _view_line(position: int, action: ShownAction) -> bytes:
    view = action.view
    line = {
        "position": position,
        "action": action.name,
        "after": None if action.after is None else str(action.after),
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
        "balances": [(balance.account, balance.commodity, balance.amount) for balance in action.balances],
    }
    return _encode(line) + b"\n"


def _event(event: EventView) -> dict[str, Any]:
    postings = [(posting.commodity, posting.amount, posting.source, posting.target) for posting in event.postings]
    return {**event.data, "kind": event.kind, "rule": event.rule, "postings": postings}


_encoder = msgspec.json.Encoder()
_encode = _encoder.encode


# The files together ---------------------------------------------------------------------------


def _about(export: Export) -> bytes:
    """Write about.json for one game: the game, and a description of every column."""
    record = export.record
    return _described(
        game=record.game_id,
        rulebook=record.rulebook,
        title=record.title,
        created_at=record.created_at,
        origin=export.origin,
        actions=export.version,
        view=None if export.whole else {"role": export.viewer.role, "seat": export.viewer.seat},
    )


def _described(**about: object) -> bytes:
    """Write about.json: the members in `about`, and a description of every column."""
    tables = {
        name: [{"column": column.name, "type": column.kind, "about": column.about} for column in columns]
        for name, (_, columns) in TABLES.items()
    }
    return msgspec.json.format(_encode({**about, "tables": tables}), indent=2) + b"\n"
