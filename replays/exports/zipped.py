"""ZIP files, written piece by piece."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator


class _Sink:
    """A file that buffers the written bytes in memory for `flushed`."""

    def __init__(self) -> None:
        self._written: list[bytes] = []

    def write(self, piece: bytes) -> int:
        self._written.append(bytes(piece))
        return len(piece)

    def flush(self) -> None:
        """Do nothing: `flushed` empties the buffer."""

    def flushed(self) -> bytes:
        """Return the bytes written since the last call."""
        written = b"".join(self._written)
        self._written.clear()
        return written


def zipped(files: Iterable[tuple[str, Iterable[bytes]]]) -> Iterator[bytes]:
    """Write a ZIP file of named files, uncompressed: Parquet is the format for small files."""
    sink = _Sink()
    with zipfile.ZipFile(sink, "w") as archive:  # type: ignore[call-overload]
        for name, pieces in files:
            with archive.open(zipfile.ZipInfo(name), "w", force_zip64=True) as member:
                for piece in pieces:
                    member.write(piece)
                    yield sink.flushed()
    yield sink.flushed()
