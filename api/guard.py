"""What every answer carries for the sake of browsers: secure headers, and CORS for the configured origins only."""

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
_SENT = "Authorization, Content-Type, Accept-Language, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID"
_READ = "ETag, Link, Location, Content-Language, Idempotent-Replayed, Retry-After, WWW-Authenticate"
_REMEMBERED_SECONDS = "600"

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]


class Guard:
    """WSGI middleware around the application. Takes the origins whose pages may call it."""

    def __init__(self, application: Application, origins: Iterable[str]) -> None:
        self._application = application
        self._origins = frozenset(origins)

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a preflight of a configured origin; add the headers to everything else."""
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

    def _cross(self, origin: str | None) -> list[tuple[str, str]]:
        if not self._origins:
            return []
        # The answer depends on the origin even where it has none.
        if origin is None or origin not in self._origins:
            return [("Vary", "Origin")]
        return [
            ("Access-Control-Allow-Origin", origin),
            ("Access-Control-Expose-Headers", _READ),
            ("Vary", "Origin"),
        ]
