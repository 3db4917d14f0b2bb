"""`log`: the log of a game with what its viewer may see of it, which others verify (see `ledger.trust.shown`).

It is a ZIP file: the lines of the entries (`log.jsonl`), the signed checkpoint over them, the key that signed it,
and the tiles of the tree (C2SP tlog-tiles).
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
    # The checkpoint comes first: a journal that is not as it was signed is refused before anything is sent.
    signed = str(logs.checkpoint(game, size))
    yield LINES, _lines(export, progress)
    yield CHECKPOINT, [signed.encode()]
    yield KEYS, ["".join(f"{key}\n" for key in logs.keys.verifiers(game)).encode()]
    log = logs.reached(game, size)
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
    untold = False
    for number, line in enumerate(export.attested(), start=1):
        waiting.append(line)
        length += len(line)
        untold = untold or line.startswith(b'{"hash":')
        if length > _AT_ONCE:
            yield b"\n".join(waiting) + b"\n"
            waiting, length = [], 0
            progress(number, export.version)
    history = export.standings(0, export.version)
    end = end_of(export.rulebook, export.state, export.viewer, history)
    # Of older entries that hide something there is the hash alone: what is shown comes to nothing that is told.
    waiting.append(last_line(end.unshown_whole() if untold else end))
    yield b"\n".join(waiting) + b"\n"
    progress(export.version, export.version)
