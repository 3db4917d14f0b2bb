"""Writing a file that appears only when complete, even if the process is killed."""

from __future__ import annotations

import errno
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from api.command.terminal.failures import BadInput

STANDARD_OUTPUT = "-"
_DESCRIPTORS = Path("/proc/self/fd")


@contextmanager
def output_file(target: str, *, replace: bool = False, private: bool = False) -> Iterator[IO[bytes]]:
    """Open a file for writing, named only when the block ends without an exception.

    Standard output, pipes and devices get the bytes at once. Raises BadInput if the target cannot be written;
    also if the file exists, unless `replace` is true. A `private` file is readable only by its owner. At the
    end of the block, the file is on the disk.
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
            # Replace the target of a link, not the link.
            with _unseen(path.resolve(), replace=replace, mode=0o600 if private else 0o666) as file:
                yield file
    except BrokenPipeError:
        raise
    except FileExistsError as fault:
        raise BadInput(f"{path} is there already: name another file, or add --force") from fault
    except OSError as fault:
        name = "standard output" if target == STANDARD_OUTPUT else str(path)
        raise BadInput(f"{name} cannot be written: {fault.strerror}") from fault


@contextmanager
def _unseen(path: Path, *, replace: bool, mode: int) -> Iterator[IO[bytes]]:
    """Open a file that is invisible until the block ends without an exception, and then replaces an older file.

    Without `replace`, raises FileExistsError for an older file, at the beginning and at the end.
    """
    if path.exists() and not replace:
        raise FileExistsError(path)
    part = path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
    nameless = _nameless(path.parent, mode)
    opened = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode) if nameless is None else nameless
    try:
        with open(opened, "wb") as file:  # noqa: PTH123 - it may have no path
            yield file
            file.flush()
            os.fsync(file.fileno())
            if nameless is not None:
                # The link to the file is followed only if some folder is given.
                os.link(f"{_DESCRIPTORS}/{nameless}", part, src_dir_fd=nameless, follow_symlinks=True)
        if replace:
            part.replace(path)
        else:
            _named(part, path)
        _keep_names(path.parent)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _named(part: Path, path: Path) -> None:
    """Give a file its name. Raises FileExistsError if the name has been taken in the meantime."""
    try:
        path.hardlink_to(part)
    except OSError as fault:
        if fault.errno not in {errno.EPERM, errno.EOPNOTSUPP}:
            raise
        if path.exists():  # A file system without links: nothing prevents a race.
            raise FileExistsError(path) from fault
        part.replace(path)
    else:
        part.unlink()


def _keep_names(folder: Path) -> None:
    """Write the names of a folder's files to the disk, if supported by the file system."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _nameless(folder: Path, mode: int) -> int | None:
    """Open a file without a name, which disappears with the process; None if unsupported by the system."""
    if not hasattr(os, "O_TMPFILE") or not _DESCRIPTORS.exists():
        return None
    try:
        return os.open(folder, os.O_TMPFILE | os.O_WRONLY, mode)
    except OSError as fault:
        if fault.errno in {errno.EOPNOTSUPP, errno.EISDIR}:
            return None
        raise
