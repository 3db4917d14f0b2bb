"""The house of an evening: a database, the service on it, and the commands that people run beside it."""

from __future__ import annotations

import signal
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import httpx

from tests.command.service import Service, here, run

API = "/api/v1"


class House:
    """A service on a database of its own, at an address that stays the same over restarts.

    `new_database(migrated=True)` gives the URL of another database on the same server.
    """

    def __init__(self, new_database: Callable[..., str], folder: Path, *, workers: int = 1) -> None:
        self.new_database = new_database
        self.folder = folder
        self.workers = workers
        self.database = new_database()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = int(free.getsockname()[1])
        self._service = self.serve(self.database, self._port)
        self._mirror: tuple[Service, str] | None = None

    @property
    def url(self) -> str:
        """The address of the service."""
        return self._service.url

    def serve(self, database: str, port: int = 0, workers: int | None = None) -> Service:
        """Start a service on a database. It is the caller's to stop."""
        options = ("--no-demo", "--port", str(port), "--workers", str(workers or self.workers))
        return Service(
            *options,
            DATABASE_URL=database,
            MABLIGOP_REQUESTS_PER_MINUTE="1000000",
            MABLIGOP_CREATIONS_PER_MINUTE="100000",
            MABLIGOP_COMPUTE_SECONDS_PER_MINUTE="100000",
            MABLIGOP_ROWS_PER_MINUTE="100000000",
        )

    def restart(self, number: int = signal.SIGTERM) -> None:
        """End the service by a signal, and start it again at the same address."""
        self._service.stop(number)
        self._service = self.serve(self.database, self._port)

    def mirror(self) -> tuple[Service, str]:
        """Give an empty service with its database, into which games are imported. It is started once."""
        if self._mirror is None:
            database = self.new_database()
            self._mirror = self.serve(database, workers=1), database
        return self._mirror

    def command(self, *arguments: str | Path, database: str | None = None) -> subprocess.CompletedProcess[str]:
        """Run `mabligop` on the database, in this process."""
        return here(*arguments, DATABASE_URL=database or self.database)

    def process(self, *arguments: str | Path, database: str | None = None) -> subprocess.CompletedProcess[str]:
        """Run `mabligop` on the database, in a process of its own."""
        return run(*arguments, DATABASE_URL=database or self.database)

    def client(self) -> httpx.Client:
        """Give a client without a token."""
        return self._service.client()

    def close(self) -> None:
        """Stop everything that was started."""
        self._service.stop()
        if self._mirror is not None:
            self._mirror[0].stop()
