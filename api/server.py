"""The server: the application of one worker, and the process that starts and ends the workers.

A worker is a process that imports `application` and builds its own ledger from the environment:

    DATABASE_URL            the database, migrated
    MABLIGOP_CONNECTIONS    how many connections to it one worker may open (20)
    MABLIGOP_STATEMENT_TIMEOUT   how many seconds one statement may take in the database (15)
    MABLIGOP_LOCK_TIMEOUT   how many seconds a statement may wait there for a lock (5)
    MABLIGOP_CREATION_KEY   the key needed to create a game; without one, anybody may
    MABLIGOP_CORS_ORIGINS   the origins whose pages may call, separated by commas
    MABLIGOP_REQUESTS_PER_MINUTE   how many requests one token may make of one worker in a minute (60,000)
    MABLIGOP_LOG_LEVEL      debug, info, warning or error (info; on a terminal, warning)

`mabligop serve` sets what is missing and starts the workers with granian. Any other WSGI server works too:
``gunicorn --threads 32 'api.server:application()'``.
"""

from __future__ import annotations

import errno
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable

from flask import Flask
from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels

from api.rest import logs
from api.rest.application import Config, create_app
from api.rest.config import REQUESTS_PER_MINUTE
from api.rest.metrics import Metrics
from ledger import rulebooks
from ledger.service import Ledger
from ledger.store.connection import connect
from ledger.store.store import Store

THREADS = 32
"""How many requests one worker answers at a time. An open stream is one of them."""
CONNECTIONS = 20
"""How many database connections one worker may open by default."""

_GRACE_SECONDS = 10
_ORPHAN_SECONDS = 1.0
_PORT_PATIENCE_SECONDS = 2.0


class AddressRefused(Exception):  # noqa: N818 - it names a condition
    """The service cannot listen on the address. The message says why."""


def application() -> Flask:
    """Build the WSGI application of one worker, with a ledger of its own, from the environment.

    Raises KeyError without DATABASE_URL, and ValueError for a setting that cannot be read.
    """
    _leave_with_parent()
    size = connections()
    kept = (size + 1) // 2
    engine = connect(os.environ["DATABASE_URL"], pool_size=kept, overflow=size - kept)
    origins = os.environ.get("MABLIGOP_CORS_ORIGINS", "")
    config = Config(
        creation_key=os.environ.get("MABLIGOP_CREATION_KEY") or None,
        cors_origins=tuple(origin.strip() for origin in origins.split(",") if origin.strip()),
        requests_per_minute=requests_per_minute(),
    )
    metrics = Metrics()
    return create_app(Ledger(Store(engine, metrics), rulebooks.known()), config, metrics)


def connections() -> int:
    """The number of database connections that one worker may open. Raises ValueError for a wrong setting."""
    return _at_least_one("MABLIGOP_CONNECTIONS", CONNECTIONS, "connections")


def requests_per_minute() -> int:
    """The number of requests that a token may make in a minute. Raises ValueError for a wrong setting."""
    return _at_least_one("MABLIGOP_REQUESTS_PER_MINUTE", REQUESTS_PER_MINUTE, "requests")


def _at_least_one(variable: str, default: int, what: str) -> int:
    configured = os.environ.get(variable, str(default))
    if not configured.isdecimal() or int(configured) < 1:
        raise ValueError(f"{variable} is a number of {what}, at least 1, not {configured!r}")
    return int(configured)


def _leave_with_parent() -> None:
    """End this worker when the process that started it ends for any reason.

    The worker gets a process group of its own, so that Ctrl-C in the terminal reaches only the parent. The parent
    then ends the workers in order.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    os.setpgrp()

    def wait() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(_ORPHAN_SECONDS)
        os._exit(1)

    threading.Thread(target=wait, name="parent", daemon=True).start()


def free_address(host: str, port: int) -> tuple[str, int]:
    """Find the numeric address and the port to listen on. Port 0 chooses a free port.

    Workers share one port, so the system would let a second service share the port too. Therefore this function
    checks first that nobody listens there. Raises AddressRefused.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except socket.gaierror as fault:
        raise AddressRefused(f"{host!r} is no address of this machine ({fault.strerror})") from fault
    # The workers of a service that was killed need a moment to notice.
    deadline = time.monotonic() + _PORT_PATIENCE_SECONDS
    while True:
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(address)
                probe.listen(1)
            except OSError as fault:
                if fault.errno != errno.EADDRINUSE:
                    raise AddressRefused(f"cannot listen on {host} port {port}: {fault.strerror}") from fault
                if time.monotonic() > deadline:
                    raise AddressRefused(
                        f"port {port} of {host} is in use: stop what listens there, or choose another with --port"
                    ) from fault
            else:
                return str(probe.getsockname()[0]), int(probe.getsockname()[1])
        time.sleep(0.05)


def serve(address: str, port: int, workers: int, started: Callable[[], None]) -> None:
    """Serve until SIGINT, SIGTERM or SIGHUP. Calls `started` once, when the service listens.

    Open requests get ten seconds to end. A worker that dies is replaced. Raises SystemExit(1) when workers die
    right after their start.
    """
    # A fresh process for every worker, without the threads, locks and connections of this one.
    multiprocessing.set_start_method("spawn", force=True)
    hung_up = signal.getsignal(signal.SIGHUP)
    server = Granian(
        "api.server:application",
        address=address,
        port=port,
        interface=Interfaces.WSGI,
        workers=workers,
        blocking_threads=THREADS,
        websockets=False,
        respawn_failed_workers=True,
        workers_kill_timeout=_GRACE_SECONDS,
        # One of its warnings comes every time: there are more threads than processors.
        log_level=LogLevels.error,
        log_dictconfig=logs.configuration(),
    )

    @server.on_startup
    def on_startup() -> None:
        # A closed terminal ends the service, unless it was started with nohup.
        signal.signal(
            signal.SIGHUP,
            signal.SIG_IGN if hung_up is signal.SIG_IGN else server.signal_handler_interrupt,
        )
        started()

    # A function, because a name would be looked up in the current folder first.
    server.serve(target_loader=application, wrap_loader=False)
