"""Two servers of Postgres on the loopback address: a primary, and a standby that confirms every commit.

The programs are those of the service's own Postgres. The standby is a base backup of the primary, and follows it
by streaming. A commit is answered only when both have it (`synchronous_standby_names`), so the standby can take
over at any moment. Between the services and each server is a relay.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import psutil
import psycopg

from ledger.store.postgres.binaries import find_binaries
from ledger.store.postgres.server_identity import become, identities, obstacle
from tests.faults.fault import Wrong
from tests.faults.host import free_port
from tests.faults.relay import Relay

if TYPE_CHECKING:
    from tests.faults.site import Site

_PASSWORD = "faults"
_SETTINGS = {
    "max_connections": "100",
    "shared_buffers": "64MB",
    "min_wal_size": "32MB",
    "max_wal_size": "64MB",
    "wal_keep_size": "32MB",
    "wal_receiver_timeout": "5s",
    "wal_retrieve_retry_interval": "200ms",
    "wal_sender_timeout": "5s",
    "jit": "off",
    "timezone": "UTC",
    "unix_socket_directories": "",
    "synchronous_commit": "on",
}
_PATIENCE_SECONDS = 120.0
_LOOK_SECONDS = 0.05


class _Server:
    """A server of Postgres in a folder, and the relay in front of it."""

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"
        self._folder = folder
        self._binaries = find_binaries().folder
        self._identity = next(one for one in identities() if obstacle(one, folder.parent, self._binaries) is None)
        self.port = free_port()
        self.relay = Relay(self.port)
        folder.mkdir(mode=0o700)
        self._own(folder)
        self._process: subprocess.Popen[bytes] | None = None

    def make(self) -> None:
        """Make an empty cluster."""
        secret = self._folder / "password"
        secret.write_text(_PASSWORD)
        self._own(secret)
        self.run(
            "initdb",
            f"--pgdata={self.data}",
            "--username=mabligop",
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale=C",
            f"--pwfile={secret}",
            "--no-sync",
        )
        with (self.data / "pg_hba.conf").open("w") as rules:
            rules.write("host all,replication all 127.0.0.1/32 scram-sha-256\n")

    def copy(self, primary: _Server) -> None:
        """Make a standby of the primary, in place of whatever is here."""
        shutil.rmtree(self.data, ignore_errors=True)
        self.run(
            "pg_basebackup",
            f"--pgdata={self.data}",
            f"--dbname={primary.url('postgres')}",
            "--write-recovery-conf",
            "--checkpoint=fast",
            "--no-sync",
        )
        with (self.data / "postgresql.auto.conf").open("a") as settings:
            # A standby that takes over must not wait for a standby of its own.
            settings.write("synchronous_standby_names = ''\n")

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        settings = [part for name, value in _SETTINGS.items() for part in ("-c", f"{name}={value}")]
        command: list[str | Path] = [
            self._binaries / "postgres",
            "-D",
            self.data,
            "-p",
            str(self.port),
            "-h",
            "127.0.0.1",
            *settings,
        ]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, preexec_fn=self._become
            )
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while True:
            with suppress(psycopg.Error):
                self.execute("SELECT 1")
                return
            if time.monotonic() > deadline or self._process.poll() is not None:
                raise RuntimeError(f"Postgres did not start: {(self._folder / 'log').read_text()[-1000:]}")
            time.sleep(_LOOK_SECONDS)

    def run(self, program: str, *arguments: str) -> None:
        """Run a program of Postgres. Raises RuntimeError."""
        ran = subprocess.run(
            [self._binaries / program, *arguments],
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=self._become,
        )
        if ran.returncode:
            raise RuntimeError(f"{program} failed: {ran.stderr[-500:]}")

    def execute(self, statement: str) -> object:
        """The value of a statement, on the server itself."""
        with psycopg.connect(self.url("postgres"), autocommit=True, connect_timeout=5) as connection:
            cursor = connection.execute(statement.encode())
            row = cursor.fetchone() if cursor.description else None
            return None if row is None else row[0]

    def url(self, database: str) -> str:
        """The URL of a database of this server, not by the relay."""
        return f"postgresql://mabligop:{_PASSWORD}@127.0.0.1:{self.port}/{database}"

    def kill(self) -> None:
        """Kill all processes of the server."""
        if self._process is None:
            return
        with suppress(psutil.NoSuchProcess):
            parent = psutil.Process(self._process.pid)
            for process in (parent, *parent.children()):
                with suppress(psutil.NoSuchProcess):
                    process.kill()
        self._process.wait()

    def close(self) -> None:
        """End the server and the relay."""
        self.relay.close()
        self.kill()

    def _become(self) -> None:
        # The parent of the server is this process; its thread that starts servers lives as long.
        become(self._identity, signal.SIGINT, os.getppid())

    def _own(self, path: Path) -> None:
        os.chown(path, self._identity.uid, self._identity.gid)


class Servers:
    """A primary and its standby. `url` names both by their relays, and leads to whichever takes writes."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o711)
        self.primary, self.standby = _Server(folder / "one"), _Server(folder / "two")
        self._pair = (self.primary, self.standby)
        ports = ",".join(str(server.relay.port) for server in self._pair)
        self.url = (
            f"postgresql://mabligop:{_PASSWORD}@/mabligop?host=127.0.0.1,127.0.0.1&port={ports}"
            "&target_session_attrs=read-write"
        )

    def start(self) -> None:
        """Make both, and wait until the standby confirms commits."""
        self.primary.make()
        self.primary.start()
        self.primary.execute("CREATE DATABASE mabligop")
        self._follow()

    @property
    def relays(self) -> list[Relay]:
        """The relays in front of both."""
        return [server.relay for server in self._pair]

    def promote(self) -> None:
        """Kill the primary, and let the standby take over."""
        self.primary.kill()
        self.standby.execute("SELECT pg_promote(true, 60)")
        self.primary, self.standby = self.standby, self.primary

    def renew(self) -> None:
        """Make a standby again of the server that was the primary."""
        self._follow()

    def close(self) -> None:
        """End both."""
        for server in self._pair:
            server.close()

    def _follow(self) -> None:
        self.standby.copy(self.primary)
        self.standby.start()
        self.primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.primary.execute("SELECT pg_reload_conf()")
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while self.primary.execute("SELECT sync_state FROM pg_stat_replication") != "sync":
            if time.monotonic() > deadline:
                raise RuntimeError("the standby does not confirm commits")
            time.sleep(_LOOK_SECONDS)


# The faults ----------------------------------------------------------------------------------


def _servers(site: Site) -> Servers:
    if site.servers is None:
        raise RuntimeError("this site has no servers of Postgres besides the services")
    return site.servers


@contextmanager
def cut(site: Site, chance: Random) -> Iterator[None]:
    """Bytes stay on the way, in one direction or in both. Connections stay open, and no new ones come about."""
    directions = chance.choice((("there", "back"), ("there", "back"), ("there",), ("back",)))
    relays = _servers(site).relays
    for relay in relays:
        for direction in directions:
            getattr(relay, direction).clear()
    try:
        yield
    finally:
        for relay in relays:
            relay.mend()


@contextmanager
def packets_lost(site: Site, chance: Random) -> Iterator[None]:
    """Many pieces come late, and some connections break."""
    relays = _servers(site).relays
    for relay in relays:
        relay.loss = chance.uniform(0.02, 0.3)
    try:
        yield
    finally:
        for relay in relays:
            relay.mend()


@contextmanager
def standby_promoted(site: Site, chance: Random) -> Iterator[None]:
    """The primary is killed and does not come back. After the play a new standby is made for the next time."""
    servers = _servers(site)
    at = time.monotonic()
    servers.promote()
    found = site.killed("the primary of a standby", at)
    yield
    servers.renew()
    if found:
        raise Wrong("\n".join(found))


@contextmanager
def services_killed_in_turn(site: Site, chance: Random) -> Iterator[None]:
    """The players go on with the other service: an action whose answer was lost is asked for again there."""
    found: list[str] = []
    for killed in chance.sample(site.hosts, len(site.hosts)) * 2:
        at = time.monotonic()
        killed.end(signal.SIGKILL)
        time.sleep(chance.uniform(0, 1))
        if not site.wait_for_play(site.counts()["acknowledged"]):
            found.append("nobody was served by the other service")
        again = time.monotonic()
        killed.start()
        found += site.killed("one of two services", max(at, again), killed)
    yield
    if found:
        raise Wrong("\n".join(found))
