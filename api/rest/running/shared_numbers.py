"""The folder through which the workers of a service share their metrics."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable with the path of the folder."""

_PREFIX = "mabligop-metrics-"
_MEMORY = Path("/dev/shm")  # noqa: S108 - the folder made there is the user's own
_MEMORY_BYTES = 16 * 1024 * 1024


@contextmanager
def shared() -> Iterator[None]:
    """Let the workers started in the block share their numbers, in a new folder removed at the end.

    Also removes the folders left by killed services.
    """
    parent = _parent_folder()
    for abandoned in parent.glob(f"{_PREFIX}*"):
        service = abandoned.name.removeprefix(_PREFIX).partition("-")[0]
        if service.isdecimal() and not lives(int(service)) and abandoned.stat().st_uid == os.getuid():
            shutil.rmtree(abandoned, ignore_errors=True)
    folder = tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=parent)
    os.environ[FOLDER] = folder
    try:
        yield
    finally:
        del os.environ[FOLDER]
        shutil.rmtree(folder, ignore_errors=True)


def _parent_folder() -> Path:
    """Return the parent of the folder: in memory, if there is room.

    The numbers are written through memory maps. On a full disk, a write would kill the worker.
    """
    try:
        if os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free >= _MEMORY_BYTES:
            return _MEMORY
    except OSError:
        pass
    return Path(tempfile.gettempdir())


def lives(process: int) -> bool:
    """Return True if there is a process with this number."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
