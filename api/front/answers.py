"""Call the WSGI application (PEP 3333) with a complete body, and send the answer."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from urllib.parse import unquote_to_bytes

from api.front.asgi import Scope
from api.rest.running.exchanges import ARRIVED

PIECE_BYTES = 64 * 1024
"""Size of the pieces in which an answer is handed to the connection."""

Environ = dict[str, Any]
WSGI = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]


def environ_of(scope: Scope) -> Environ:
    """Build the WSGI environment of a request, with an empty body."""
    client = scope.get("client") or ("", 0)
    server = scope.get("server") or ("localhost", 80)
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1] or 0),
        "REMOTE_ADDR": client[0],
        "REMOTE_PORT": str(client[1]),
        ARRIVED: time.perf_counter(),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for raw, value in scope["headers"]:
        # "x_host" and "x-host" would become the same variable.
        if b"_" in raw:
            continue
        name = raw.decode("latin-1").upper().replace("-", "_")
        if name not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            name = f"HTTP_{name}"
        text = value.decode("latin-1")
        environ[name] = f"{environ[name]},{text}" if name in environ else text
    return environ


def with_body(environ: Environ, body: bytes) -> Environ:
    """Put a body into the environment, also a chunked one. Returns the environment."""
    environ["wsgi.input"] = io.BytesIO(body)
    environ["CONTENT_LENGTH"] = str(len(body))
    environ[ARRIVED] = time.perf_counter()
    environ.pop("HTTP_TRANSFER_ENCODING", None)
    return environ


class Answer:
    """An answer of the application: a status, headers, and the content piece by piece.

    The caller closes the answer. An answer of known length has its whole content in the first piece.
    """

    __slots__ = ("_iterable", "_iterator", "first", "headers", "status")

    def __init__(self, application: WSGI, environ: Environ) -> None:
        self.status = 0
        self.headers: list[tuple[bytes, bytes]] = []
        self._iterable = application(environ, self._start)
        self._iterator: Iterator[bytes] | None = iter(self._iterable)
        try:
            if self._known_length(environ["REQUEST_METHOD"]):
                self.first = b"".join(self._iterator)
                self._iterator = None
            else:
                self.first = self.next()
        except BaseException:
            self.close()
            raise

    @property
    def complete(self) -> bool:
        """True if the first piece is the whole content."""
        return self._iterator is None

    def next(self) -> bytes:
        """Return the next piece, or empty bytes at the end."""
        if self._iterator is None:
            return b""
        chunks: list[bytes] = []
        size = 0
        for chunk in self._iterator:
            chunks.append(chunk)
            size += len(chunk)
            if size >= PIECE_BYTES:
                break
        else:
            self._iterator = None
        return b"".join(chunks)

    def close(self) -> None:
        """Close the iterable of the application, if it has a `close` method."""
        close = getattr(self._iterable, "close", None)
        if close is not None:
            close()

    def _start(self, status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Callable[[bytes], None]:
        if exc_info is not None and self.status:
            raise exc_info[1].with_traceback(exc_info[2])
        self.status = int(status[:3])
        self.headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        return _write

    def _known_length(self, method: str) -> bool:
        return (
            method == "HEAD"
            or self.status in (204, 304)
            or any(name == b"content-length" for name, _ in self.headers)
        )


def _write(_: bytes) -> None:
    raise NotImplementedError("the application returns its content")
