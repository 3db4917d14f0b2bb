"""Headers for browsers on every answer: security headers, and CORS for the configured origins only."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

_SECURE = [
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
]
_POLICY = (
    "Content-Security-Policy",
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
)
_METHODS = "GET, HEAD, POST, DELETE, OPTIONS"
_SENT = (
    "Authorization, Content-Type, Accept-Language, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID,"
    " View-As, X-Request-ID"
)
_READ = (
    "ETag, Link, Location, Content-Language, Idempotent-Replayed, RateLimit, RateLimit-Policy, Retry-After,"
    " WWW-Authenticate, X-Request-ID"
)
_REMEMBERED_SECONDS = "600"
_DRAINED_BYTES = 16 * 1024 * 1024
_CHUNK_BYTES = 64 * 1024

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]


class Guard:
    """WSGI middleware that adds headers for browsers to every answer.

    Pages of `origins` may call the API. `max_body_bytes` is the largest body read by the application.
    """

    def __init__(self, application: Application, origins: Iterable[str], max_body_bytes: int) -> None:
        self._application = application
        self._origins = frozenset(origins)
        self._max_body_bytes = max_body_bytes

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a preflight request of a configured origin, and add the headers to all other answers."""
        self._drain(environ)
        cross = self._cross(environ.get("HTTP_ORIGIN"))

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            headers = [*headers, *_SECURE, *cross]
            if all(name.lower() != "content-security-policy" for name, _ in headers):
                headers.append(_POLICY)
            return start_response(status, headers, exc_info)

        if cross and environ["REQUEST_METHOD"] == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in environ:
            allowed = [
                ("Access-Control-Allow-Methods", _METHODS),
                ("Access-Control-Allow-Headers", _SENT),
                ("Access-Control-Max-Age", _REMEMBERED_SECONDS),
            ]
            start("204 No Content", allowed)
            return ()
        return self._application(environ, start)

    def _drain(self, environ: Environ) -> None:
        """Read and discard a body that is too large.

        A client loses the answer if the server closes the connection while the client is still sending. Bodies
        far too large are not read.
        """
        length = environ.get("CONTENT_LENGTH") or "0"
        if not length.isdecimal() or not self._max_body_bytes < int(length) <= _DRAINED_BYTES:
            return
        remaining = int(length)
        while remaining > 0 and (chunk := environ["wsgi.input"].read(min(remaining, _CHUNK_BYTES))):
            remaining -= len(chunk)

    def _cross(self, origin: str | None) -> list[tuple[str, str]]:
        if not self._origins:
            return []
        # The answer depends on the origin, even without CORS headers.
        if origin is None or origin not in self._origins:
            return [("Vary", "Origin")]
        return [
            ("Access-Control-Allow-Origin", origin),
            ("Access-Control-Expose-Headers", _READ),
            ("Vary", "Origin"),
        ]
