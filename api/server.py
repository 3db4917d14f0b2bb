"""The server: the application of one worker, and the process that starts and ends the workers.

A worker is a process that imports `application` and builds its own ledger from the environment:

    DATABASE_URL            the database, migrated; of the owner's URL, only the service's own login is used
    MABLIGOP_CONNECTIONS    how many connections to it one worker may open (20)
    MABLIGOP_STATEMENT_TIMEOUT   how many seconds one statement may take in the database (15)
    MABLIGOP_LOCK_TIMEOUT   how many seconds a statement may wait there for a lock (5)
    MABLIGOP_CREATION_KEY   the key needed to create a game; without one, anybody may
    MABLIGOP_CORS_ORIGINS   the origins whose pages may call, separated by commas
    MABLIGOP_HOSTS          the names under which the service answers, separated by commas; without any, every name
    MABLIGOP_PUBLIC_URL     the address that links of invitations have; by default the one that the banker calls
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

`mabligop serve` sets what is missing and starts the workers with granian. Any other server for ASGI works too:
``uvicorn --factory api.server:front``. So does one for WSGI, ``gunicorn --threads 32 'api.server:application()'``:
then the bounds on bodies, on requests in progress and on proxies are those of that server.
"""

from __future__ import annotations

import asyncio
import errno
import gc
import ipaddress
import multiprocessing
import os
import resource
import signal
import socket
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from flask import Flask
from granian import Granian
from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.utils.proxies import wrap_asgi_with_proxy_headers

from api.front.asgi import Application, Receive, Scope, Send
from api.front.front import Front
from api.rest import hosts, logs
from api.rest.application import Config, create_app
from api.rest.config import (
    BODY_SECONDS,
    CREATIONS_PER_MINUTE,
    REQUESTS_AT_ONCE,
    REQUESTS_PER_MINUTE,
    SEND_SECONDS,
    STREAMS,
    UNKNOWN_TOKENS_PER_MINUTE,
    WRONG_CODES_PER_MINUTE,
)
from api.rest.metrics import Metrics
from ledger import rulebooks
from ledger.service import Ledger
from ledger.store.connection import connect
from ledger.store.store import Store
from ledger.trust.keys import Keys

THREADS = 32
"""How many requests one worker answers at a time. Those that still come or are still read take no thread."""
CONNECTIONS = 20
"""How many database connections one worker may open by default."""

_GRACE_SECONDS = 10
_HEADER_SECONDS = 75
"""How long a connection may be idle, and how long the head of a request may take.

The server does not tell the two apart. A player thinks for a minute; an idle connection holds no thread.
"""

_MOST_CLIENTS = 8192
"""How many connections one worker accepts, if the system gives a process so many files."""

_OTHER_FILES = 256
_ORPHAN_SECONDS = 1.0
_SIGNING_SECONDS = 1.0
_STARTS = 4
_STARTS_SECONDS = 30.0
_PORT_PATIENCE_SECONDS = 2.0


KEYS_VARIABLE = "MABLIGOP_SIGNING_KEYS"
"""The variable that names the file of the keys with which logs are signed."""


class AddressRefused(Exception):  # noqa: N818 - it names a condition
    """The service cannot listen on the address. The message says why."""


def application() -> Flask:
    """Build the WSGI application of one worker, with a ledger of its own, from the environment.

    Raises KeyError without DATABASE_URL, and ValueError for a setting that cannot be read.
    """
    logs.tell_failed_threads()
    _leave_with_parent()
    size = connections()
    kept = (size + 1) // 2
    engine = connect(os.environ["DATABASE_URL"], pool_size=kept, overflow=size - kept)
    metrics = Metrics()
    ledger = Ledger(Store(engine, metrics), rulebooks.known(), keys=keys())
    _sign_what_is_played(ledger)
    app = create_app(ledger, settings(), metrics)
    # What is loaded by now stays until the end. Without this, the garbage collector would look through all of it
    # again and again, which holds up everybody for some 50 ms each time.
    gc.collect()
    gc.freeze()
    return app


def keys() -> Callable[[], Keys] | None:
    """The keys with which logs are signed; None for one that is derived from the secret of the installation.

    Raises ValueError when the file cannot be used.
    """
    named = os.environ.get(KEYS_VARIABLE)
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
    proxies = trusted_proxies()
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


def settings() -> Config:
    """Read the settings of the API from the environment. Raises ValueError for a wrong setting."""
    try:
        names = hosts.read(os.environ.get("MABLIGOP_HOSTS", ""))
    except ValueError as fault:
        raise ValueError(f"MABLIGOP_HOSTS: {fault}") from fault
    try:
        named = os.environ.get("MABLIGOP_AUTHORITY")
        authority = Path(named).read_bytes() if named else None
    except OSError as fault:
        raise ValueError(f"MABLIGOP_AUTHORITY: {named} cannot be read: {fault.strerror}") from fault
    return Config(
        creation_key=os.environ.get("MABLIGOP_CREATION_KEY") or None,
        cors_origins=tuple(_listed("MABLIGOP_CORS_ORIGINS")),
        hosts=names,
        public_url=os.environ.get("MABLIGOP_PUBLIC_URL", "").rstrip("/") or None,
        network_url=os.environ.get("MABLIGOP_NETWORK_URL") or None,
        authority=authority,
        requests_per_minute=_at_least_one("MABLIGOP_REQUESTS_PER_MINUTE", REQUESTS_PER_MINUTE, "requests"),
        creations_per_minute=_at_least_one("MABLIGOP_CREATIONS_PER_MINUTE", CREATIONS_PER_MINUTE, "requests"),
        unknown_tokens_per_minute=_at_least_one(
            "MABLIGOP_UNKNOWN_TOKENS_PER_MINUTE", UNKNOWN_TOKENS_PER_MINUTE, "tokens"
        ),
        wrong_codes_per_minute=_at_least_one("MABLIGOP_WRONG_CODES_PER_MINUTE", WRONG_CODES_PER_MINUTE, "codes"),
        requests_at_once=_at_least_one("MABLIGOP_REQUESTS_AT_ONCE", REQUESTS_AT_ONCE, "requests"),
        body_seconds=_at_least_one("MABLIGOP_BODY_SECONDS", BODY_SECONDS, "seconds"),
        send_seconds=_at_least_one("MABLIGOP_SEND_SECONDS", SEND_SECONDS, "seconds"),
        streams=_at_least_one("MABLIGOP_STREAMS", STREAMS, "streams"),
    )


def names_at(address: str, configured: tuple[str, ...], public: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The names under which a service that listens on this numeric address answers; none for every name.

    Without configured names a service that only its own machine can reach answers under that machine's own names.
    With configured names, those and the address itself remain valid: no page of another site has them. `public`
    are those that links of invitations have.
    """
    listening = ipaddress.ip_address(address)
    if not configured and not listening.is_loopback:
        return ()
    own = [] if listening.is_unspecified else [f"[{address}]" if listening.version == 6 else address]
    return tuple(dict.fromkeys((*configured, *public, *hosts.LOOPBACK, *own)))


def connections() -> int:
    """The number of database connections that one worker may open. Raises ValueError for a wrong setting."""
    return _at_least_one("MABLIGOP_CONNECTIONS", CONNECTIONS, "connections")


def trusted_proxies() -> list[str]:
    """The addresses and networks of the proxies in front of the service. Raises ValueError for a wrong setting."""
    proxies = _listed("MABLIGOP_TRUSTED_PROXIES")
    for proxy in proxies:
        try:
            ipaddress.ip_network(proxy)
        except ValueError as fault:
            raise ValueError(f"MABLIGOP_TRUSTED_PROXIES are addresses and networks: {fault}") from fault
    return proxies


def _listed(variable: str) -> list[str]:
    return [one.strip() for one in os.environ.get(variable, "").split(",") if one.strip()]


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


def _clients() -> int:
    """How many connections a worker may accept. The limit of open files is raised as far as that needs."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_CLIENTS + _OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return _MOST_CLIENTS if soft == resource.RLIM_INFINITY else max(128, min(_MOST_CLIENTS, soft - _OTHER_FILES))


class Certificate(Protocol):
    """What HTTPS needs: the files of a certificate and of its key, in PEM."""

    @property
    def certificate(self) -> Path:
        """The file of the certificate."""

    @property
    def key(self) -> Path:
        """The file of the key."""


class _Respawned(dict[int, float]):
    """When each worker was last started anew, as granian asks for it.

    granian ends a service when a worker dies twice within six seconds, because its workers may all die at their
    start. But two deaths may have other reasons, and the other workers are well. So the time is told only of a
    worker that was started anew four times within half a minute.
    """

    def __init__(self) -> None:
        super().__init__()
        self._starts: defaultdict[int, deque[float]] = defaultdict(lambda: deque(maxlen=_STARTS))

    def __setitem__(self, worker: int, at: float) -> None:
        self._starts[worker].append(at)
        super().__setitem__(worker, at)

    def get(self, worker: int, default: Any = None) -> Any:
        """The time, or the default as long as the worker may well live."""
        starts = self._starts[worker]
        dies_again = len(starts) == _STARTS and starts[-1] - starts[0] <= _STARTS_SECONDS
        return super().get(worker, default) if dies_again else default


def serve(
    address: str, port: int, workers: int, started: Callable[[], None], tls: Certificate | None = None
) -> None:
    """Serve until SIGINT, SIGTERM or SIGHUP. Calls `started` once, when the service listens.

    With a certificate it serves HTTPS and nothing else. Open requests get ten seconds to end. A worker that dies
    is replaced. Raises SystemExit(1) when workers die right after their start.
    """
    # A fresh process for every worker, without the threads, locks and connections of this one.
    multiprocessing.set_start_method("spawn", force=True)
    hung_up = signal.getsignal(signal.SIGHUP)
    server = Granian(
        "api.server:front",
        address=address,
        port=port,
        interface=Interfaces.ASGINL,
        # uvloop, which takes less CPU for each hop between the loop and a thread.
        loop=Loops.auto,
        workers=workers,
        # HTTP/1 alone: the time for the head of a request also ends connections that never send one.
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=_HEADER_SECONDS * 1000),
        ssl_cert=None if tls is None else tls.certificate,
        ssl_key=None if tls is None else tls.key,
        backpressure=_clients(),
        websockets=False,
        respawn_failed_workers=True,
        workers_kill_timeout=_GRACE_SECONDS,
        # One of its warnings comes every time: there are more threads than processors.
        log_level=LogLevels.error,
        log_dictconfig=logs.configuration(),
    )

    server.respawned_wrks = _Respawned()

    @server.on_startup
    def on_startup() -> None:
        # A closed terminal ends the service, unless it was started with nohup.
        signal.signal(
            signal.SIGHUP,
            signal.SIG_IGN if hung_up is signal.SIG_IGN else server.signal_handler_interrupt,
        )
        started()

    # A function, because a name would be looked up in the current folder first.
    server.serve(target_loader=front, wrap_loader=False)
