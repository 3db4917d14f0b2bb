"""The folder through which the workers of one service share their metrics."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that names the folder."""

_PREFIX = "mabligop-metrics-"
_MEMORY = Path("/dev/shm")  # noqa: S108 - the folder made there is the user's own
_MEMORY_BYTES = 16 * 1024 * 1024


@contextmanager
def shared() -> Iterator[None]:
    """Let the workers started in the block share their numbers, in a new folder that is removed at the end.

    Removes folders that killed services left, too.
    """
    place = _place()
    for left in place.glob(f"{_PREFIX}*"):
        service = left.name.removeprefix(_PREFIX).partition("-")[0]
        if service.isdecimal() and not lives(int(service)) and left.stat().st_uid == os.getuid():
            shutil.rmtree(left, ignore_errors=True)
    folder = tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=place)
    os.environ[FOLDER] = folder
    try:
        yield
    finally:
        del os.environ[FOLDER]
        shutil.rmtree(folder, ignore_errors=True)


def _place() -> Path:
    """Where the folder is made: in memory, where there is room.

    The numbers are written through memory maps. On a disk that is full, such a write would kill the worker.
    """
    try:
        if os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free >= _MEMORY_BYTES:
            return _MEMORY
    except OSError:
        pass
    return Path(tempfile.gettempdir())


def lives(process: int) -> bool:
    """Say whether there is a process of this number."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
