"""`make operations`: a short evening on every Postgres, behind PgBouncer, in other servers, and in containers.

Each line is a combination, with versions and the result. The exit code is 1 after a failure. A combination
without its programs on this machine is not run, and the line says so.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from importlib.metadata import version
from pathlib import Path

from tests.operations import containers, servers
from tests.operations.evening import Evening, moved
from tests.operations.servers import NotHere, new_database, postgres

Server = Callable[..., AbstractContextManager[str]]
SERVERS: dict[str, Server] = {
    "uvicorn, by ASGI": servers.uvicorn,
    "gunicorn, by ASGI": servers.gunicorn_asgi,
    "gunicorn, by WSGI": servers.gunicorn,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the combinations, and print a line for each. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.operations", description=__doc__)
    parser.add_argument("--only", action="append", help="only combinations with this word (can be repeated)")
    asked = parser.parse_args(arguments)
    failed = 0
    for name, run in combinations():
        if asked.only and not any(word in name for word in asked.only):
            continue
        begun = time.monotonic()
        try:
            with tempfile.TemporaryDirectory(prefix="mabligop-operations-") as folder:
                told = run(Path(folder))
        except NotHere as missing:
            say(f"{name}: not run, {missing}")
        except Exception as failure:
            failed += 1
            say(f"{name}: FAILED, {type(failure).__name__}: {failure}")
        else:
            say(f"{name}: ok, {told}, {time.monotonic() - begun:.0f} s")
    return int(failed > 0)


def combinations() -> Iterator[tuple[str, Callable[[Path], str]]]:
    """The combinations, and how each is run in a folder. A run gives the versions."""
    for number in servers.VERSIONS:
        yield f"Postgres {number}", partial(evening, number, servers.mabligop)
    for number in (servers.VERSIONS[0], servers.VERSIONS[-1]):
        yield f"PgBouncer and Postgres {number}", partial(pooled, number)
    for name, server in SERVERS.items():
        yield name, partial(evening, servers.VERSIONS[-1], server)
    yield "compose.yaml", containers.compose
    yield "mabligop.service", containers.unit


def evening(number: int, server: Server, folder: Path) -> str:
    """An evening in a server, on a version of Postgres."""
    with postgres(number, folder / "postgres") as (url, full):
        play([new_database(url), new_database(url)], folder / "home", server)
    name = server.__name__.partition("_")[0]
    return f"Postgres {full}" + ("" if name == "mabligop" else f", {name} {version(name)}")


def pooled(number: int, folder: Path) -> str:
    """An evening with PgBouncer between the service and Postgres. The owner goes to Postgres itself."""
    with postgres(number, folder / "postgres") as (url, full), servers.pgbouncer(url) as variables:
        play([new_database(url), new_database(url)], folder / "home", servers.mabligop, variables)
    return f"Postgres {full}"


def play(
    owners: Sequence[str],
    home: Path,
    server: Server,
    variables: Callable[[str], dict[str, str]] = lambda owner: {"DATABASE_URL": owner},
) -> None:
    """Play an evening in a server, restore a backup into another database, and look there, in another server.

    `owners` are the owners' URLs of two empty databases; `variables` gives the variables of the service for each.
    """
    database, restored = map(variables, owners)
    with server(home, **database) as url:
        table = Evening(url)
        table.play(url, streams=server is not servers.gunicorn)
    moved(database, restored, home)
    with server(home, **restored) as url:
        table.still(url)


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
