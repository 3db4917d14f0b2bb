"""Putting another cluster in the place of a home's own, so that a kill leaves one of the two.

A folder cannot be replaced by another one in one step everywhere. So the new cluster first gets a name of its own
beside the old one, `READY`. Who finds it without the old one finishes the exchange; who finds both undoes it.
"""

import os
import shutil
from pathlib import Path

READY = "data.upgraded"
"""A complete cluster that is about to become the home's."""


def exchange(base: Path, fresh: Path, major: int) -> Path:
    """Put the cluster `fresh` in the place of the one in ``base/data``, and keep that one. No server may run.

    Returns the folder that keeps it, named after its version `major`.
    """
    kept = _free(base / f"data-{major}")
    fresh.rename(base / READY)
    _write_names(base)
    (base / "data").rename(kept)
    _write_names(base)
    (base / READY).rename(base / "data")
    _write_names(base)
    return kept


def settle(base: Path) -> None:
    """Finish or undo an exchange that was interrupted. Only the process that holds the home's lock may do this."""
    ready = base / READY
    if not ready.exists():
        return
    if (base / "data").exists():
        shutil.rmtree(ready)
    else:
        ready.rename(base / "data")
    _write_names(base)


def _free(folder: Path) -> Path:
    """The folder's name, or one with a number after it when it is taken."""
    number, free = 1, folder
    while free.exists():
        number += 1
        free = folder.with_name(f"{folder.name}-{number}")
    return free


def _write_names(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
