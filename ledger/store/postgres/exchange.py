"""Replacing a home's cluster, so that a kill leaves either the old or the new cluster.

No portable single step replaces a folder by another folder. So the new cluster first gets its own name beside
the old cluster, `READY`. If only `READY` is found, the exchange is finished. If both are found, the exchange is
undone.
"""

import os
import shutil
from pathlib import Path

READY = "data.upgraded"
"""A complete cluster about to become the home's."""


def exchange(base: Path, fresh: Path, major: int) -> Path:
    """Replace the cluster in ``base/data`` by `fresh`, and keep the old cluster. No server may run.

    Returns the folder with the old cluster, named after its version `major`.
    """
    old_data = _free(base / f"data-{major}")
    fresh.rename(base / READY)
    _write_names(base)
    (base / "data").rename(old_data)
    _write_names(base)
    (base / READY).rename(base / "data")
    _write_names(base)
    return old_data


def settle(base: Path) -> None:
    """Finish or undo an interrupted exchange. The caller must hold the home's lock."""
    ready = base / READY
    if not ready.exists():
        return
    if (base / "data").exists():
        shutil.rmtree(ready)
    else:
        ready.rename(base / "data")
    _write_names(base)


def _free(folder: Path) -> Path:
    """Return the folder's name, with a number if the name is used already."""
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
