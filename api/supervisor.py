"""The parent process of the workers. It imports nothing of the application, which each worker imports.

So the parent starts fast, and takes little memory while the service runs.
"""

from __future__ import annotations

import errno
import gc
import multiprocessing
import os
import signal
import socket
import time
from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from granian import Granian
from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels

from api import settings
from api.front import doorkeeper
from api.rest.running import logs

if TYPE_CHECKING:
    from api.front.asgi import Application

_GRACE_SECONDS = 10
_HEADER_SECONDS = 75
"""Longest idle time of a connection, and longest time for the head of a request.

The server does not distinguish the two. A player may think for a minute; an idle connection holds no thread.
"""

_STARTS = 4
_STARTS_SECONDS = 30.0
_PORT_PATIENCE_SECONDS = 2.0


class AddressRefused(Exception):  # noqa: N818 - it names a condition
    """The service cannot listen on the address. The message has the reason."""


def free_address(host: str, port: int) -> tuple[str, int]:
    """Find the numeric address and the port to listen on. Port 0 chooses a free port.

    Workers share one port, so the system would let a second service share the port too. Therefore this function
    first checks that the port is not in use. Raises AddressRefused.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except socket.gaierror as fault:
        raise AddressRefused(f"{host!r} is no address of this machine ({fault.strerror})") from fault
    # The workers of a killed service need a moment to notice.
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


class Certificate(Protocol):
    """The files for HTTPS: a certificate and its key, in PEM."""

    @property
    def certificate(self) -> Path:
        """The file of the certificate."""

    @property
    def key(self) -> Path:
        """The file of the key."""


class _Respawned(dict[int, float]):
    """The time of each worker's last restart, as read by granian.

    granian ends a service when a worker dies twice within six seconds, because all workers may be failing at
    their start. But two deaths may have other reasons, while all remaining workers are well. So the time is
    reported only for a worker restarted four times within half a minute.
    """

    def __init__(self) -> None:
        super().__init__()
        self._starts: defaultdict[int, deque[float]] = defaultdict(lambda: deque(maxlen=_STARTS))

    def __setitem__(self, worker: int, at: float) -> None:
        self._starts[worker].append(at)
        super().__setitem__(worker, at)

    def get(self, worker: int, default: Any = None) -> Any:
        """Return the time, or the default while the worker is likely to live."""
        starts = self._starts[worker]
        dies_again = len(starts) == _STARTS and starts[-1] - starts[0] <= _STARTS_SECONDS
        return super().get(worker, default) if dies_again else default


class Variables:
    """Environment variables still missing at the start of the first workers.

    A worker gets the variables as a function, which waits for `tell`. Workers started later inherit them.
    """

    def __init__(self) -> None:
        self._pipes: list[tuple[Connection, Connection]] = []
        self._sent = False

    def tell(self, variables: Mapping[str, str]) -> None:
        """Set the variables in the environment of this process, and send them to the waiting workers."""
        os.environ.update(variables)
        self._sent = True
        for receiver, sender in self._pipes:
            with receiver, sender:
                sender.send(dict(variables))
        self._pipes.clear()

    def __reduce__(self) -> tuple[Any, ...]:
        """Give a starting worker its own pipe, because a message reaches only one reader."""
        if self._sent:
            return partial, (dict,)
        receiver, sender = multiprocessing.Pipe(duplex=False)
        # The worker inherits the receiving end at its start, so this process keeps both ends.
        self._pipes.append((receiver, sender))
        return partial, (_receive, receiver)


def _receive(receiver: Connection) -> Mapping[str, str]:
    """Wait for the variables. Raises SystemExit if the supervisor ends before sending them."""
    with receiver:
        try:
            variables: Mapping[str, str] = receiver.recv()
        except EOFError as end:
            raise SystemExit(1) from end
    return variables


def serve(
    address: str,
    port: int,
    workers: int,
    prepare: Callable[[], Mapping[str, str]],
    started: Callable[[], None],
    tls: Certificate | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM.

    Calls `prepare` while the workers import the application, to get the missing variables. Then calls
    `started`, once. If `prepare` raises or is ended by a signal, the workers are ended, and the exception is
    raised again.

    With a certificate only HTTPS is served. Open requests get ten seconds to end. A dead worker is replaced.
    Raises SystemExit(1) if workers die right after their start.
    """
    # A fresh process for every worker, without the threads, locks and connections of this process.
    multiprocessing.set_start_method("spawn", force=True)
    server = Granian(
        "api.server:front",
        address=address,
        port=port,
        interface=Interfaces.ASGINL,
        # uvloop takes less CPU for each hop between the loop and a thread.
        loop=Loops.auto,
        workers=workers,
        # HTTP/1 alone: the time limit for the head also ends connections without any request.
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=_HEADER_SECONDS * 1000),
        ssl_cert=None if tls is None else tls.certificate,
        ssl_key=None if tls is None else tls.key,
        backpressure=doorkeeper.places(),
        websockets=False,
        respawn_failed_workers=True,
        workers_kill_timeout=_GRACE_SECONDS,
        # One of its warnings always appears: more threads than processors.
        log_level=LogLevels.error,
        log_dictconfig=logs.configuration(),
    )

    server.respawned_wrks = _Respawned()

    @server.on_startup
    def on_startup() -> None:
        # Granian would start all workers anew. A closed terminal changes nothing.
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    variables = Variables()
    leaving = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    start = server.startup

    def startup(*workers: Any) -> None:
        start(*workers)  # type: ignore[no-untyped-call]
        if server.interrupt_signal:
            return
        # Until the end of the preparation, a signal ends it like any command.
        serving = {number: signal.signal(number, handler) for number, handler in leaving.items()}
        try:
            variables.tell(prepare())
        except BaseException:
            with suppress(SystemExit):
                server.shutdown()  # type: ignore[no-untyped-call]
            raise
        for number, handler in serving.items():
            signal.signal(number, handler)
        started()

    server.startup = startup  # type: ignore[method-assign]
    # A function, because a name would be looked up in the current folder first.
    waiting = cast("Callable[[], Mapping[str, str]]", variables)  # The form received by a worker.
    server.serve(target_loader=partial(_front, waiting), wrap_loader=False)


def _front(variables: Callable[[], Mapping[str, str]]) -> Application:
    """Build the application in a worker. Slow imports come before waiting for the variables."""
    # Ctrl-C in the terminal reaches only the supervisor, which then ends the workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Nearly all objects created here stay. Scanning them for garbage again and again takes a tenth of the time.
    gc.disable()
    from api.server import front
    from ledger import rulebooks

    rulebooks.rulebooks_by_id()
    os.environ.update(variables())
    application = front()
    doorkeeper.Doorkeeper(
        doorkeeper.places(),
        settings.idle_connections(),
        settings.trusted_proxies(),
        settings.configured().send_seconds,
    ).start()
    gc.enable()
    return application
