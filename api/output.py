"""Standard output and errors that outlast their readers.

A terminal may be closed, the reader of a pipe may end, a disk may be full. The output of a service is lost
then, and the service goes on.
"""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
from typing import TextIO

_GONE = (errno.EPIPE, errno.EIO)
"""The errors of a pipe without a reader, and of a closed terminal."""


class _Lasting(io.RawIOBase):
    """Writes to a descriptor, without ever failing."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def fileno(self) -> int:
        """Return the descriptor."""
        return self._descriptor

    def isatty(self) -> bool:
        """Return True if the descriptor is a terminal."""
        return os.isatty(self._descriptor)

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, content: bytes) -> int:  # type: ignore[override]
        """Write the content, or drop it. Once the reader is gone, the descriptor becomes the null device."""
        try:
            return os.write(self._descriptor, content)
        except OSError as fault:
            if fault.errno in _GONE:
                null = os.open(os.devnull, os.O_WRONLY)
                os.dup2(null, self._descriptor)
                os.close(null)
            return len(content)


def lasting(stream: TextIO) -> TextIO:
    """Open a stream on the descriptor of `stream` that never fails to write. It writes line by line."""
    try:
        descriptor = stream.fileno()
    except (OSError, ValueError):
        return stream  # Not a system stream, as in tests.
    buffer = io.BufferedWriter(_Lasting(descriptor))  # type: ignore[type-var]  # typeshed wants more than a RawIOBase
    return io.TextIOWrapper(buffer, encoding=stream.encoding, errors="backslashreplace", line_buffering=True)


def outlast_readers() -> None:
    """Let this process go on after its terminal is closed or its output has no reader.

    Child processes go on without the terminal, too.
    """
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    sys.stdout, sys.stderr = lasting(sys.stdout), lasting(sys.stderr)
