"""`jsonl`: the journal as an importable file, or a view of the game (see `replays.journal_file`)."""

from __future__ import annotations

from collections.abc import Callable, Generator
from datetime import datetime

import msgspec
from msgspec import UNSET

from ledger.games.setups import Origin
from ledger.moving.exporting import Export, ShownAction
from replays.journal_file import VERSION, Closing, Header, first_line

_BATCH = 2000
_AT_ONCE = 64 * 1024

VIEW = (
    "One JSON object a line: this header; the history of the game as this seat or role saw it, in the order in"
    " which it counts; the end. It is no journal: it cannot be verified or imported."
)

_encode = msgspec.json.Encoder().encode


def write(export: Export, table: str | None, progress: Callable[[int, int], None]) -> Generator[bytes, None, None]:
    """Write the journal for a viewer of the whole game, and a view for all others."""
    return _journal(export, progress) if export.whole else _view(export, progress)


def _journal(export: Export, progress: Callable[[int, int], None]) -> Generator[bytes, None, None]:
    record = export.record
    first = first_line(
        Header(
            game=record.game_id,
            rulebook=record.rulebook,
            title=record.title,
            created_at=record.created_at,
            setup=msgspec.Raw(record.setup),
            entries=export.version,
            events=export.state.seq,
            checkpoint=str(export.logs.checkpoint(record.game_id, export.version)) if export.has_logs else UNSET,
        )
    )
    closing = Closing(first)
    # The first line waits for the database's first answer, so an early failure leaves nothing behind.
    waiting = first + b"\n"
    for stretch in export.stretches(_BATCH):
        for hashed in stretch.leaves():
            closing.entry(hashed)
        yield waiting + stretch.lines
        waiting = b""
        progress(stretch.last, export.version)
    yield waiting + closing.last_line() + b"\n"


class _Header(msgspec.Struct, frozen=True, kw_only=True):
    version: int = VERSION
    about: str = VIEW
    role: str
    seat: str | None
    language: str
    game: str
    rulebook: str
    title: str
    created_at: datetime
    origin: Origin | None
    actions: int


def _view(export: Export, progress: Callable[[int, int], None]) -> Generator[bytes, None, None]:
    record = export.record
    header = _Header(
        role=export.viewer.role,
        seat=export.viewer.seat,
        language=export.language,
        game=record.game_id,
        rulebook=record.rulebook,
        title=record.title,
        created_at=record.created_at,
        origin=export.origin,
        actions=export.version,
    )
    waiting = [_encode({"view": header})]
    size = 0
    for action in export.actions():
        waiting.append(_line(action))
        size += len(waiting[-1])
        if size > _AT_ONCE:
            yield b"\n".join(waiting) + b"\n"
            waiting, size = [], 0
            progress(action.moment, export.version)
    waiting.append(_encode({"end": {"actions": export.version}}))
    yield b"\n".join(waiting) + b"\n"
    progress(export.version, export.version)


def _line(action: ShownAction) -> bytes:
    position = {} if action.after is None else {"after": action.after}
    return _encode({"action": action.name, **position, "entry": action.view})
