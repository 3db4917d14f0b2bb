"""Writing a file that is there only when all of it is, however the writing ends."""

from __future__ import annotations

import errno
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from api.command.failures import BadInput

STANDARD_OUTPUT = "-"
_DESCRIPTORS = Path("/proc/self/fd")


@contextmanager
def output_file(target: str) -> Iterator[IO[bytes]]:
    """The file to write, which takes its name only when the block has ended well.

    Standard output, a pipe or a device is written to as the bytes come. Raises BadInput when it cannot be written.
    """
    path = Path(target)
    try:
        if target == STANDARD_OUTPUT:
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        elif path.exists() and not path.is_file():
            with path.open("wb") as file:
                yield file
        else:
            # The file that a link leads to is replaced, not the link.
            with _unseen(path.resolve()) as file:
                yield file
    except BrokenPipeError:
        raise
    except OSError as fault:
        name = "standard output" if target == STANDARD_OUTPUT else str(path)
        raise BadInput(f"{name} cannot be written: {fault.strerror}") from fault


@contextmanager
def _unseen(path: Path) -> Iterator[IO[bytes]]:
    """A file that nobody sees before the block has ended well; then it is there, or replaces the one that was."""
    part = path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
    nameless = _nameless(path.parent)
    try:
        with part.open("xb") if nameless is None else open(nameless, "wb") as file:  # noqa: PTH123 - it has no path
            yield file
            file.flush()
            if nameless is not None:
                # Only where a folder is given, whichever, is the link to the file followed.
                os.link(f"{_DESCRIPTORS}/{nameless}", part, src_dir_fd=nameless, follow_symlinks=True)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _nameless(folder: Path) -> int | None:
    """A file without a name, which is gone however the process ends; None where there is no such thing."""
    if not hasattr(os, "O_TMPFILE") or not _DESCRIPTORS.exists():
        return None
    try:
        return os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o666)
    except OSError as fault:
        if fault.errno in {errno.EOPNOTSUPP, errno.EISDIR}:
            return None
        raise
