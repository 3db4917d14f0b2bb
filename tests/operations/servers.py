"""The programs around the service: Postgres of every version, PgBouncer, uvicorn and gunicorn."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from unittest.mock import patch

import httpx
import psycopg
from psycopg import sql

from ledger.store.database.database_url import driver_parameters, url_of
from ledger.store.database.service_role import DEFAULT_NAME, OWNER_VARIABLE
from ledger.store.postgres.binaries import BINARIES_VARIABLE
from ledger.store.postgres.embedded import EmbeddedPostgres
from tests.command.service import MABLIGOP, Service, environment, here

HERE = Path(__file__).parent
VERSIONS = (14, 15, 16, 17, 18)
"""The versions of Postgres in `package.json`."""
_ANSWER_SECONDS = _END_SECONDS = 120
_AGAIN_SECONDS = 0.05
_LOCAL = "127.0.0.1"


class NotHere(Exception):  # noqa: N818 - it names a condition
    """A program is missing on this machine. The message names the program."""


def programs(version: int) -> Path:
    """The folder of the programs of a version of Postgres, out of a package of npm.

    The package has a list of its links, because npm packs no links. Raises NotHere.
    """
    package = HERE / "node_modules" / f"postgres-{version}"
    if not package.exists():
        raise NotHere(f"no programs of Postgres {version} for this kind of machine")
    for link in json.loads((package / "native" / "pg-symlinks.json").read_text()):
        target = package / link["target"]
        if not target.is_symlink():
            target.symlink_to(Path(link["source"]).name)
    return package / "native" / "bin"


@contextmanager
def postgres(version: int, folder: Path) -> Iterator[tuple[str, str]]:
    """A server of a version of Postgres. Gives the owner's URL and the full version."""
    with patch.dict(os.environ, {BINARIES_VARIABLE: str(programs(version))}), EmbeddedPostgres(folder) as server:
        with psycopg.connect(server.url) as connection:
            full = str(connection.info.parameter_status("server_version"))
        assert full.startswith(f"{version}."), full
        yield server.url, full


def new_database(server: str) -> str:
    """Create an empty database on a server, and give its URL."""
    name = f"evening_{secrets.token_hex(6)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(
            sql.SQL("CREATE DATABASE {} ENCODING 'UTF8' TEMPLATE template0").format(sql.Identifier(name))
        )
    return url_of(driver_parameters(server) | {"dbname": name})


@contextmanager
def pgbouncer(server: str) -> Iterator[Callable[[str], dict[str, str]]]:
    """PgBouncer in session mode before a server. Gives a function: the variables of the service for a database.

    The service's own login goes through PgBouncer, the owner to the server. Raises NotHere.
    """
    program = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
    if program is None:
        raise NotHere("no pgbouncer")
    password, port = secrets.token_hex(16), free_port()
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(
            sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(sql.Identifier(DEFAULT_NAME), sql.Literal(password))
        )
    behind = driver_parameters(server)
    with tempfile.TemporaryDirectory(prefix="mabligop-pgbouncer-") as folder:
        users, configuration = Path(folder, "users"), Path(folder, "pgbouncer.ini")
        users.write_text(f'"{DEFAULT_NAME}" "{password}"\n')
        configuration.write_text(
            f"[databases]\n* = host={behind['host']} port={behind['port']}\n"
            f"[pgbouncer]\nlisten_addr = {_LOCAL}\nlisten_port = {port}\nunix_socket_dir =\n"
            f"pool_mode = session\ndefault_pool_size = 60\nauth_type = scram-sha-256\nauth_file = {users}\n"
        )
        # PgBouncer refuses root: in a namespace root has another number, and still may read the files.
        guise = ("unshare", "--user", "--map-user=65534") if os.geteuid() == 0 else ()
        with process([*guise, program, str(configuration)], folder=Path(folder)) as pooler:
            _wait(pooler, lambda: socket.create_connection((_LOCAL, port), _ANSWER_SECONDS).close())
            login = {"host": _LOCAL, "port": port, "user": DEFAULT_NAME, "password": password}
            yield lambda owner: {
                "DATABASE_URL": url_of(driver_parameters(owner) | login),
                OWNER_VARIABLE: owner,
            }


@contextmanager
def mabligop(home: Path, **database: str) -> Iterator[str]:
    """`mabligop serve` with these variables. Gives its address; at the end nothing is left."""
    running = Service("--no-demo", program=MABLIGOP, MABLIGOP_HOME=str(home), **database)
    try:
        yield running.url
    finally:
        code = running.stop()
    assert code == 0, f"the service ended with {code}:\n{''.join(running.said)}"


@contextmanager
def uvicorn(home: Path, **database: str) -> Iterator[str]:
    """The application in uvicorn, by ASGI, with two workers."""
    options = ("--factory", "api.server:front", "--host", _LOCAL, "--port", "{port}", "--workers", "2")
    with _foreign("uvicorn", options, home, database) as url:
        yield url


@contextmanager
def gunicorn(home: Path, **database: str) -> Iterator[str]:
    """The application in gunicorn, by WSGI, with two workers."""
    options = ("--threads", "32", "--workers", "2", "--bind", f"{_LOCAL}:{{port}}", "api.server:application()")
    with _foreign("gunicorn", options, home, database) as url:
        yield url


@contextmanager
def gunicorn_asgi(home: Path, **database: str) -> Iterator[str]:
    """The application in gunicorn, by ASGI, with two workers."""
    options = ("--worker-class", "asgi", "--workers", "2", "--bind", f"{_LOCAL}:{{port}}", "api.server:front()")
    with _foreign("gunicorn", options, home, database) as url:
        yield url


@contextmanager
def _foreign(module: str, options: Sequence[str], home: Path, database: Mapping[str, str]) -> Iterator[str]:
    """The application in a server that is not ours. The database is migrated first. Raises NotHere."""
    if find_spec(module) is None:
        raise NotHere(f"no {module}")
    migrated = here("migrate", **database)
    assert migrated.returncode == 0, migrated.stderr
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="mabligop-numbers-") as numbers:
        words = [sys.executable, "-m", module, *(option.format(port=port) for option in options)]
        home.mkdir(exist_ok=True)
        with process(words, folder=home, **database, PROMETHEUS_MULTIPROC_DIR=numbers) as server:
            url = f"http://{_LOCAL}:{port}"
            answers(url, server)
            yield url


class Process:
    """A process with its output in a file."""

    def __init__(self, words: Sequence[str], log: Path, variables: dict[str, str]) -> None:
        self.log = log
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                words, stdout=output, stderr=output, env=environment(**variables), start_new_session=True
            )

    @property
    def said(self) -> str:
        """The end of the output."""
        return self.log.read_text(errors="replace")[-3000:]


@contextmanager
def process(words: Sequence[str], *, folder: Path, **variables: str) -> Iterator[Process]:
    """Run a program until the end of the block; the program must end by SIGTERM, and leave no process."""
    started = Process(words, folder / f"{Path(words[0]).name}.log", variables)
    try:
        yield started
        started.process.send_signal(signal.SIGTERM)
        started.process.wait(_END_SECONDS)
        deadline = time.monotonic() + _END_SECONDS
        with suppress(ProcessLookupError):
            while time.monotonic() < deadline:
                os.killpg(started.process.pid, 0)
                time.sleep(_AGAIN_SECONDS)
            raise AssertionError(f"{words[0]} left a process:\n{started.said}")
    finally:
        with suppress(ProcessLookupError):
            os.killpg(started.process.pid, signal.SIGKILL)
        started.process.wait()


def free_port() -> int:
    """A port that is free now."""
    with socket.socket() as probe:
        probe.bind((_LOCAL, 0))
        return int(probe.getsockname()[1])


def answers(url: str, server: Process | None = None) -> None:
    """Wait until a service is ready. Raises AssertionError if the process ends first, or never answers."""
    _wait(server, lambda: httpx.get(f"{url}/readyz", trust_env=False, timeout=5).raise_for_status())


def _wait(server: Process | None, look: Callable[[], object]) -> None:
    deadline = time.monotonic() + _ANSWER_SECONDS
    while True:
        try:
            look()
        except (OSError, httpx.HTTPError) as failure:
            ended = server is not None and server.process.poll() is not None
            if ended or time.monotonic() > deadline:
                said = "" if server is None else f":\n{server.said}"
                raise AssertionError(f"no answer ({failure}){said}") from failure
            time.sleep(_AGAIN_SECONDS)
        else:
            return
