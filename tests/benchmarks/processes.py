"""The CPU time of other processes."""

from __future__ import annotations

import time
from collections import defaultdict
from pathlib import Path

import psycopg


def postmaster_of(url: str) -> int:
    """The root process of a local Postgres."""
    with psycopg.connect(url) as connection:
        return _parents()[connection.info.backend_pid]


def cpu_seconds(*roots: int) -> dict[int, float]:
    """The CPU time (user and system) of these processes and all their descendants so far, by process.

    The kernel counts it in nanoseconds, where /proc/…/stat counts in hundredths of a second.
    """
    children: defaultdict[int, list[int]] = defaultdict(list)
    for process, parent in _parents().items():
        children[parent].append(process)
    found: dict[int, float] = {}
    waiting = list(roots)
    while waiting:
        process = waiting.pop()
        waiting += children[process]
        try:
            found[process] = time.clock_gettime(_clock_of(process))
        except OSError:  # The process has ended.
            continue
    return found


def used_between(before: dict[int, float], after: dict[int, float]) -> float:
    """The CPU time between two readings. The time of processes that ended is unknown."""
    return sum(seconds - before.get(process, 0.0) for process, seconds in after.items())


def _clock_of(process: int) -> int:
    """The id of a process's CPU clock on Linux, as in clock_getcpuclockid(3)."""
    return (~process << 3) | 2


def _parents() -> dict[int, int]:
    """Every process with its parent."""
    found: dict[int, int] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                # The name may have spaces and brackets; state and parent come after it.
                _, _, rest = (folder / "stat").read_text().rpartition(")")
            except OSError:
                continue
            found[int(folder.name)] = int(rest.split()[1])
    return found
