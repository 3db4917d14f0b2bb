"""`log`: the visible part of a game's log, for verification by third parties (see `ledger.trust.shown`).

A ZIP file with the lines of the entries (`log.jsonl`), the signed checkpoint over them, the key of the
signature, and the tiles of the tree (C2SP tlog-tiles).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator

from ledger.moving.exporting import Export
from ledger.trust.shown import CHECKPOINT, KEYS, LINES, Header, end_of, first_line, last_line
from ledger.trust.tiles import joined, tiles_of
from replays.exports.zipped import zipped

_AT_ONCE = 64 * 1024


def write(export: Export, table: str | None, progress: Callable[[int, int], None]) -> Generator[bytes, None, None]:
    """Write the log of a game for the viewer of the export."""
    yield from zipped(_files(export, progress))


def _files(export: Export, progress: Callable[[int, int], None]) -> Iterator[tuple[str, Iterable[bytes]]]:
    game, size, logs = export.record.game_id, export.version, export.logs
    # The checkpoint comes first: a journal unlike the signed one is refused before anything is sent.
    signed = str(logs.checkpoint(game, size))
    yield LINES, _lines(export, progress)
    yield CHECKPOINT, [signed.encode()]
    lines = (*logs.keys.verifiers(game), *logs.keys.successions)
    yield KEYS, ["".join(f"{line}\n" for line in lines).encode()]
    log = logs.log_up_to(game, size)
    for tile in tiles_of(size):
        yield tile.path, [joined(log.tile(tile))]


def _lines(export: Export, progress: Callable[[int, int], None]) -> Iterator[bytes]:
    record, logs = export.record, export.logs
    waiting = [
        first_line(
            Header(
                origin=logs.keys.origin(record.game_id),
                game=record.game_id,
                rulebook=record.rulebook,
                title=record.title,
                role="all" if export.whole else export.viewer.role,
                seat=export.viewer.seat,
                size=export.version,
            )
        )
    ]
    length = 0
    has_hidden = False
    for number, line in enumerate(export.attested(), start=1):
        waiting.append(line)
        length += len(line)
        has_hidden = has_hidden or line.startswith(b'{"hash":')
        if length > _AT_ONCE:
            yield b"\n".join(waiting) + b"\n"
            waiting, length = [], 0
            progress(number, export.version)
    history = export.timeline_entries(0, export.version)
    end = end_of(export.rulebook, export.state, export.viewer, history)
    # Older entries with hidden parts have only a hash, so the shown entries do not add up to the whole game.
    waiting.append(last_line(end.unshown_whole() if has_hidden else end))
    yield b"\n".join(waiting) + b"\n"
    progress(export.version, export.version)
