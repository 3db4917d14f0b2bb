"""The application of a worker.

A worker is a process that imports `application` and builds its own ledger from the environment:
    DATABASE_URL            the database, migrated; of the owner's URL, only the service's own login is used
    MABLIGOP_CONNECTIONS    largest number of connections to the database from a worker (20)
    MABLIGOP_STATEMENT_TIMEOUT   seconds for a statement in the database (15)
    MABLIGOP_LOCK_TIMEOUT   seconds for a statement to wait for a lock in the database (5)
    MABLIGOP_CREATION_KEY   the key needed to create a game, or several, separated by commas; without, anybody may
    MABLIGOP_CORS_ORIGINS   the origins whose pages may call, separated by commas
    MABLIGOP_HOSTS          the host names of the service, separated by commas; without any, every name
    MABLIGOP_PUBLIC_URL     the address in links of invitations; by default the address called by the banker
    MABLIGOP_DEMO           any value: the service has a demo with seats for everybody; `serve` sets it
    MABLIGOP_NETWORK_URL    the address in links for a banker who calls the service by a name of its own machine
    MABLIGOP_AUTHORITY      a file with the certificate of the service's own authority, for /ca.crt
    MABLIGOP_TRUSTED_PROXIES   the addresses and networks whose X-Forwarded-For and -Proto are believed
    MABLIGOP_REQUESTS_PER_MINUTE   requests of a token to a worker in a minute (60,000)
    MABLIGOP_LOG_LEVEL      debug, info, warning or error (info; on a terminal, warning)
    MABLIGOP_CREATIONS_PER_MINUTE   games created by an address in a worker in a minute (600)
    MABLIGOP_UNKNOWN_TOKENS_PER_MINUTE   tokens not in force sent by an address (600)
    MABLIGOP_WRONG_CODES_PER_MINUTE   wrong codes of an address before a wait (10)
    MABLIGOP_COMPUTE_SECONDS_PER_MINUTE   seconds of processor time for a banker's requests to a worker (40); a
                            seat has half, a spectator or an address a tenth
    MABLIGOP_ROWS_PER_MINUTE   rows stored by a banker's requests to a worker (20,000); a seat has half, a
                            spectator or an address a tenth
    MABLIGOP_REQUESTS_AT_ONCE   requests of an address in progress in a worker (64)
    MABLIGOP_BODY_SECONDS   the time for receiving the body of a request (10)
    MABLIGOP_SEND_SECONDS   seconds before an answer without a reading client is given up (30)
    MABLIGOP_STREAMS        streams of a worker (4096); an address may have three quarters of them, a
                            token a quarter, a spectator's token an eighth
    MABLIGOP_IDLE_CONNECTIONS   connections of an address to a worker that may do nothing (256)
    MABLIGOP_SIGNING_KEYS   the file of the keys that sign the games' logs; without a file, a key is derived from
                            the secret in the database
    OTEL_TRACES_EXPORTER, OTEL_EXPORTER_OTLP_ENDPOINT, …   traces for OpenTelemetry (`running/traces.py`)
    PROMETHEUS_MULTIPROC_DIR   an empty folder for sharing the metrics of the workers

`mabligop serve` sets missing variables and starts the workers with granian (`supervisor.py`). Any server for
ASGI works too: ``uvicorn --factory api.server:front``. So does any server for WSGI, ``gunicorn --threads 32
'api.server:application()'``: then that server must limit bodies, requests in progress and proxies, and there are
no streams (503), so pages show news only after a reload.
"""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

from flask import Flask
from granian.utils.proxies import wrap_asgi_with_proxy_headers

from api import settings
from api.front.asgi import Application, Receive, Scope, Send
from api.front.front import Front
from api.front.proxies import noticing_proxies
from api.rest.application import create_app
from api.rest.running import logs, traces
from api.rest.running.context import EXTENSION
from api.rest.running.metrics import Metrics
from ledger import rulebooks
from ledger.service import Ledger
from ledger.store.database.connection import connect
from ledger.store.store import Store
from ledger.trust.keys import Keys, watched

THREADS = 32
"""The number of requests answered by a worker at a time. Requests being received or sent take no thread."""
_ORPHAN_SECONDS = 1.0
_SIGNING_SECONDS = 1.0


def application() -> Flask:
    """Build the WSGI application of a worker, with its own ledger, from the environment.

    Raises KeyError without DATABASE_URL, and ValueError for an unreadable setting.
    """
    logs.tell_failed_threads()
    _leave_with_parent()
    size = settings.connections()
    pool_size = (size + 1) // 2
    engine = connect(os.environ["DATABASE_URL"], pool_size=pool_size, overflow=size - pool_size)
    metrics = Metrics()
    ledger = Ledger(Store(engine, metrics), rulebooks.rulebooks_by_id(), keys=keys())
    _sign_what_is_played(ledger)
    app = create_app(ledger, settings.configured(), metrics)
    if traces.enabled():
        traces.install(app, ledger)
    # All objects loaded so far stay until the end. Without freezing, the garbage collector would scan them
    # again and again, and delay everybody for some 50 ms each time. The little garbage among them, less than a
    # twentieth, stays too: collecting it would take a tenth of the start.
    gc.freeze()
    return app


def keys() -> Callable[[], Keys] | None:
    """Return the keys that sign logs; None for a key derived from the secret of the installation.

    Raises ValueError for an unusable file.
    """
    named = os.environ.get(settings.KEYS_VARIABLE)
    if not named:
        return None
    return watched(Path(named))


def _sign_what_is_played(ledger: Ledger) -> None:
    """Sign the heads of the games played in this worker, about once a second."""

    def sign() -> None:
        while True:
            time.sleep(_SIGNING_SECONDS)
            ledger.logs.sign_played(ledger.games)

    threading.Thread(target=sign, name="signing", daemon=True).start()


def front() -> Application:
    """Build the ASGI application of a worker: the front, serving the result of `application`.

    Raises like `application`.
    """
    app = application()
    served = _ending_streams(Front(app, THREADS))
    proxies = settings.trusted_proxies()
    if proxies:
        named: Application = wrap_asgi_with_proxy_headers(served, proxies)
        return named
    return noticing_proxies(served, app.extensions[EXTENSION].warnings)


def _ending_streams(front: Front) -> Application:
    """Wrap the front, to end its streams when the worker is told to end.

    Granian waits until every answer has ended, and a stream would never end. Granian ends on SIGINT as on
    SIGTERM, so the wrapper takes SIGTERM, ends the streams, and sends SIGINT.
    """
    prepared = False

    def end() -> None:
        front.live.end()
        os.kill(os.getpid(), signal.SIGINT)

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        nonlocal prepared
        if not prepared:
            prepared = True
            if threading.current_thread() is threading.main_thread():
                asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, end)
        await front(scope, receive, send)

    return served


def _leave_with_parent() -> None:
    """End this worker when its parent process ends for any reason.

    The worker gets its own process group, so Ctrl-C in the terminal reaches only the parent. The parent then
    ends the workers in order.
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
