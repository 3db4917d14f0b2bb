"""A clock that jumps: set back by an hour, and a year ahead.

A small library, compiled here and loaded before any other, adds seconds to the clock of a process: those of a file
that is mapped into memory, so that the clock of all processes changes at once. The Postgres of the service has the
same clock, as on one machine. Monotonic clocks and sleeps are not changed, as they are not by anybody who sets the
clock of a machine. (libfaketime 0.9.10 breaks the sleeps of Python 3.11, which are absolute and monotonic.)
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import httpx

from tests.faults.fault import Wrong
from tests.faults.players import API

if TYPE_CHECKING:
    from tests.faults.site import Site

HOUR, YEAR = -3600, 365 * 24 * 3600
_SOURCE = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile long none = 0, *ahead = &none;

__attribute__((constructor)) static void map_clock(void) {
    const char *path = getenv("FAULTS_CLOCK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *mapped = mmap(0, sizeof *ahead, PROT_READ, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) ahead = mapped;
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *at) {
    int failed = syscall(SYS_clock_gettime, clock, at);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) at->tv_sec += *ahead;
    return failed;
}

int gettimeofday(struct timeval *at, void *zone) {
    struct timespec now;
    int failed = clock_gettime(CLOCK_REALTIME, &now);
    if (at) at->tv_sec = now.tv_sec, at->tv_usec = now.tv_nsec / 1000;
    return failed;
}

time_t time(time_t *at) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return at ? *at = now.tv_sec : now.tv_sec;
}
"""


def missing() -> str | None:
    """Why no clock can be changed here."""
    return (
        None
        if shutil.which("cc")
        else "it needs a C compiler (on Debian and Ubuntu: apt-get install gcc libc6-dev)"
    )


def compiled(folder: Path) -> Path:
    """The library, compiled in this folder. Raises RuntimeError."""
    library, source = folder / "clock.so", folder / "clock.c"
    source.write_text(_SOURCE)
    command = ["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(source)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise RuntimeError(f"the clock cannot be compiled: {ran.stderr[-300:]}")
    return library


@contextmanager
def changed(site: Site, seconds: int) -> Iterator[Path]:
    """Restart the service with a clock that is off by so many seconds; yields the file to set the clock.

    In the end the service has the machine's clock again.
    """
    host = site.host
    clock = host.folder / "clock"
    set_clock(clock, seconds)
    before = dict(host.variables)
    host.variables |= variables_of(clock, compiled(host.folder))
    host.end(signal.SIGTERM)
    host.start()
    try:
        if host.ready(host.patience) is None:
            raise Wrong(f"the service did not start with a clock that is off by {seconds} s")
        yield clock
    finally:
        host.end(signal.SIGTERM)
        host.variables = before
        host.start()


def variables_of(clock: Path, library: Path) -> dict[str, str]:
    """The environment of a process with the clock of this file."""
    return {"LD_PRELOAD": str(library), "FAULTS_CLOCK": str(clock)}


def set_clock(clock: Path, seconds: int) -> None:
    """Set the clock of a file, for all processes that have it."""
    with clock.open("r+b" if clock.exists() else "xb") as file:
        file.write(seconds.to_bytes(8, sys.byteorder, signed=True))


@contextmanager
def jumps(site: Site, chance: Random) -> Iterator[None]:
    """Back an hour, a year ahead, and to the right time again: at each time people play and join."""
    found: list[str] = []
    with changed(site, 0) as clock:
        early, late = _invitation(site), _invitation(site)
        found += _played(site, "with the right clock")
        set_clock(clock, HOUR)
        found += _played(site, "with the clock set back by an hour")
        found += _joined(site, early, {201}, "with the clock set back by an hour")
        set_clock(clock, YEAR)
        found += _played(site, "with the clock a year ahead")
        # An invitation lasts for an hour.
        found += _joined(site, late, {410}, "a year after an invitation")
        found += _joined(site, _invitation(site), {201}, "with the clock a year ahead")
        set_clock(clock, 0)
        found += _played(site, "with the clock set back by a year")
        yield
    if found:
        raise Wrong("\n".join(found))


def _played(site: Site, when: str) -> list[str]:
    """Wait for actions of both tables that were asked for now."""
    games = {table.game: len(table.acknowledged[table.game]) for table in site.tables}
    before = site.counts()["acknowledged"]
    if not site.wait_for_play(before + 10):
        return [f"{when} nobody could play"]
    return [
        f"{when} nothing was accepted in {table.game}"
        for table in site.tables
        if table.game in games and len(table.acknowledged[table.game]) == games[table.game]
    ]


def _invitation(site: Site) -> dict[str, Any]:
    """The code of an invitation for a spectator of the first table, and the game."""
    table = site.tables[0]
    game = table.game
    answer = httpx.post(
        f"{site.host.url}{API}/games/{game}/invitations",
        json={"role": "spectator"},
        headers={"Authorization": f"Bearer {table.tokens[game]['banker']}"},
        trust_env=False,
        timeout=site.patience,
    )
    return {"code": answer.raise_for_status().json()["code"], "game": game}


def _joined(site: Site, invitation: dict[str, Any], expected: set[int], when: str) -> list[str]:
    """Change a code for a token."""
    answer = httpx.post(f"{site.host.url}{API}/join", json=invitation, trust_env=False, timeout=site.patience)
    return [] if answer.status_code in expected else [f"{when} a code was answered with {answer.status_code}"]
