"""The application of one worker.

A worker is a process that imports `application` and builds its own ledger from the environment:

    DATABASE_URL            the database, migrated; of the owner's URL, only the service's own login is used
    MABLIGOP_CONNECTIONS    how many connections to it one worker may open (20)
    MABLIGOP_STATEMENT_TIMEOUT   how many seconds one statement may take in the database (15)
    MABLIGOP_LOCK_TIMEOUT   how many seconds a statement may wait there for a lock (5)
    MABLIGOP_CREATION_KEY   the key needed to create a game; without one, anybody may
    MABLIGOP_CORS_ORIGINS   the origins whose pages may call, separated by commas
    MABLIGOP_HOSTS          the names under which the service answers, separated by commas; without any, every name
    MABLIGOP_PUBLIC_URL     the address that links of invitations have; by default the one that the banker calls
    MABLIGOP_DEMO           any value: the service has a demo, whose seats it gives to everybody; `serve` sets it
    MABLIGOP_NETWORK_URL    the same for a banker who calls the service by a name of its own machine
    MABLIGOP_AUTHORITY      a file with the certificate of the authority that vouches for the service, for /ca.crt
    MABLIGOP_TRUSTED_PROXIES   the addresses and networks whose X-Forwarded-For and -Proto are believed
    MABLIGOP_REQUESTS_PER_MINUTE   how many requests one token may make of one worker in a minute (60,000)
    MABLIGOP_LOG_LEVEL      debug, info, warning or error (info; on a terminal, warning)
    MABLIGOP_CREATIONS_PER_MINUTE   how many games one address may ask of one worker in a minute (600)
    MABLIGOP_UNKNOWN_TOKENS_PER_MINUTE   how many tokens not in force one address may send (600)
    MABLIGOP_WRONG_CODES_PER_MINUTE   how many wrong codes of invitations one address may try (10)
    MABLIGOP_REQUESTS_AT_ONCE   how many requests one address may have in progress in one worker (64)
    MABLIGOP_BODY_SECONDS   the time in which the body of a request must have come (10)
    MABLIGOP_SEND_SECONDS   how long an answer waits for a client that reads nothing of it (30)
    MABLIGOP_STREAMS        how many streams one worker sends (4096); one address may have three quarters of them
    MABLIGOP_SIGNING_KEYS   the file of the keys that sign the games' logs; without one, a key is derived from the
                            secret in the database
    PROMETHEUS_MULTIPROC_DIR   an empty folder through which the workers share their metrics

`mabligop serve` sets what is missing and starts the workers with granian (`supervisor.py`). Any other server for
ASGI works too: ``uvicorn --factory api.server:front``. So does one for WSGI, ``gunicorn --threads 32
'api.server:application()'``: then the bounds on bodies, on requests in progress and on proxies are those of that
server.
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
from api.rest.application import create_app
from api.rest.running import logs
from api.rest.running.metrics import Metrics
from ledger import rulebooks
from ledger.service import Ledger
from ledger.store.database.connection import connect
from ledger.store.store import Store
from ledger.trust.keys import Keys

THREADS = 32
"""How many requests one worker answers at a time. Those that still come or are still read take no thread."""
_ORPHAN_SECONDS = 1.0
_SIGNING_SECONDS = 1.0


def application() -> Flask:
    """Build the WSGI application of one worker, with a ledger of its own, from the environment.

    Raises KeyError without DATABASE_URL, and ValueError for a setting that cannot be read.
    """
    logs.tell_failed_threads()
    _leave_with_parent()
    size = settings.connections()
    kept = (size + 1) // 2
    engine = connect(os.environ["DATABASE_URL"], pool_size=kept, overflow=size - kept)
    metrics = Metrics()
    ledger = Ledger(Store(engine, metrics), rulebooks.known(), keys=keys())
    _sign_what_is_played(ledger)
    app = create_app(ledger, settings.configured(), metrics)
    # What is loaded by now stays until the end. Without this, the garbage collector would look through all of it
    # again and again, which holds up everybody for some 50 ms each time. The few things among it that are garbage
    # by now, less than a twentieth, stay too: to find them would take a tenth of the start.
    gc.freeze()
    return app


def keys() -> Callable[[], Keys] | None:
    """The keys with which logs are signed; None for one that is derived from the secret of the installation.

    Raises ValueError when the file cannot be used.
    """
    named = os.environ.get(settings.KEYS_VARIABLE)
    if not named:
        return None
    read = Keys.read(Path(named))
    return lambda: read


def _sign_what_is_played(ledger: Ledger) -> None:
    """Sign the heads of the games that are played here, about once a second."""

    def sign() -> None:
        while True:
            time.sleep(_SIGNING_SECONDS)
            ledger.logs.sign_played(ledger.games)

    threading.Thread(target=sign, name="signing", daemon=True).start()


def front() -> Application:
    """Build the ASGI application of one worker: the front, which serves what `application` builds.

    Raises the same as `application`.
    """
    served = _ending_streams(Front(application(), THREADS))
    proxies = settings.trusted_proxies()
    return wrap_asgi_with_proxy_headers(served, proxies) if proxies else served


def _ending_streams(front: Front) -> Application:
    """The front, whose streams end when the worker is told to end.

    Granian waits until every answer has ended, and a stream would never end. It ends on SIGINT as on SIGTERM, so
    this takes SIGTERM, ends the streams, and passes the other one on.
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
