"""ZIP files, written piece by piece."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator


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


def zipped(files: Iterable[tuple[str, Iterable[bytes]]]) -> Iterator[bytes]:
    """Write a ZIP file of these files, each with its name, uncompressed: Parquet is the format for small files."""
    sink = _Sink()
    with zipfile.ZipFile(sink, "w") as archive:  # type: ignore[call-overload]
        for name, pieces in files:
            with archive.open(zipfile.ZipInfo(name), "w", force_zip64=True) as member:
                for piece in pieces:
                    member.write(piece)
                    yield sink.flushed()
    yield sink.flushed()
