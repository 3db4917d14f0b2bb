"""Standard output and errors that outlast whoever reads them.

A terminal is closed, the reader of a pipe ends, the disk of a file is full: what a service has to say is lost
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
"""The errors of a pipe without a reader, and of a terminal that is closed."""


class _Lasting(io.RawIOBase):
    """Writes to a descriptor, without ever failing."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def fileno(self) -> int:
        """The descriptor."""
        return self._descriptor

    def isatty(self) -> bool:
        """Whether the descriptor is a terminal."""
        return os.isatty(self._descriptor)

    def writable(self) -> bool:
        """True."""
        return True

    def write(self, content: bytes) -> int:  # type: ignore[override]
        """Write the content, or drop it. What nobody can read any more goes to the null device from then on."""
        try:
            return os.write(self._descriptor, content)
        except OSError as fault:
            if fault.errno in _GONE:
                null = os.open(os.devnull, os.O_WRONLY)
                os.dup2(null, self._descriptor)
                os.close(null)
            return len(content)


def lasting(stream: TextIO) -> TextIO:
    """Make a stream to the same descriptor, which never fails to write. It writes line by line."""
    try:
        descriptor = stream.fileno()
    except (OSError, ValueError):
        return stream  # It is not of the system: a test reads it.
    buffer = io.BufferedWriter(_Lasting(descriptor))  # type: ignore[type-var]  # typeshed wants more than a RawIOBase
    return io.TextIOWrapper(buffer, encoding=stream.encoding, errors="backslashreplace", line_buffering=True)


def outlast_readers() -> None:
    """Let this process go on when its terminal is closed, or when nobody reads its output.

    Processes that it starts go on without the terminal, too.
    """
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    sys.stdout, sys.stderr = lasting(sys.stdout), lasting(sys.stderr)
