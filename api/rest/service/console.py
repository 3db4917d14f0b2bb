"""The pages of the console: built files, with a content security policy of their own.

Every page is one document; its script reads the address. The files are built from `api/console` and packed with
the service.
"""

from __future__ import annotations

import hashlib
import mimetypes
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from flask import Blueprint, Response

from api.rest.exchange.compression import compressed
from api.rest.exchange.conditions import NotModified, require_change, unchanged
from api.rest.problems.problems import not_found
from api.rest.running.context import service

pages = Blueprint("console", __name__)

BUILT = Path(__file__).parents[2] / "console" / "built"
"""Folder of the built files: index.html, worker.js, manifest.webmanifest, assets/, docs/, icons/."""

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        # Svelte makes templates under its own policy; ours is for the address of the service worker.
        "trusted-types svelte-trusted-html console-worker",
    )
)
"""The policy of the pages (CSP level 3): nothing from other origins, nothing inline, no markup made from text."""

_A_YEAR = "public, max-age=31536000, immutable"
_API = b'name="api" content="/api/v1"'
_TYPES = {".js": "text/javascript; charset=utf-8", ".webmanifest": "application/manifest+json"}
_UNBUILT = b"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Mabligop</title></head>
<body><h1>Mabligop</h1><p>The pages are not built yet: run <code>make console</code>,
then start the service again.</p>
<p><a href="/docs">The API</a></p></body></html>
"""


@dataclass(frozen=True, slots=True)
class _File:
    content: bytes
    kind: str
    etag: str


@cache
def _files(built: Path, base_path: str) -> dict[str, _File]:
    """Read all built files once, keyed by address. No other files are ever served."""
    return {
        path.relative_to(built).as_posix(): _file(path, base_path) for path in built.rglob("*") if path.is_file()
    }


def _file(path: Path, base_path: str) -> _File:
    content = path.read_bytes()
    if path.name == "index.html":
        content = content.replace(_API, _API.replace(b"/api/v1", base_path.encode()))
    kind = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    if kind == "text/html":
        kind = "text/html; charset=utf-8"
    return _File(content, kind, f'W/"{hashlib.sha256(content).hexdigest()[:16]}"')


@pages.get("/new")
@pages.get("/join")
@pages.get("/pieces")
@pages.get("/g/<game>")
@pages.get("/g/<game>/")
@pages.get("/g/<game>/<path:_page>")
def page(game: str = "", _page: str = "") -> Response:
    """Return the document of every page. The document has no data of a game, so it needs no token."""
    built = _files(BUILT, service().config.base_path).get("index.html")
    document = built or _File(_UNBUILT, "text/html; charset=utf-8", '""')
    return _answer(document, "no-cache", policy=True)


@pages.get("/assets/<path:name>")
def asset(name: str) -> Response:
    """Return a built script or style. The name changes with the content, so clients may cache the file for
    good.
    """
    return _named(f"assets/{name}", _A_YEAR)


@pages.get("/icons/<path:name>")
def icon(name: str) -> Response:
    """Return an icon of the installed console."""
    return _named(f"icons/{name}", "public, max-age=86400")


@pages.get("/docs/<name>")
def documentation(name: str) -> Response:
    """Return a script or style for the page of the API (`documentation.serve`)."""
    return _named(f"docs/{name}", "public, max-age=86400")


@pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """Return the manifest with which a phone installs the console."""
    return _named("manifest.webmanifest", "no-cache")


@pages.get("/worker.js")
def worker() -> Response:
    """Return the service worker, which may answer for all pages."""
    response = _named("worker.js", "no-cache")
    response.headers["Content-Security-Policy"] = POLICY
    return response


def _named(name: str, cache_control: str) -> Response:
    built = _files(BUILT, service().config.base_path).get(name)
    if built is None:
        raise not_found(f"there is no file /{name}", f"il n'y a pas de fichier /{name}")
    return _answer(built, cache_control)


def _answer(built: _File, cache_control: str, *, policy: bool = False) -> Response:
    try:
        require_change(built.etag)
    except NotModified as same:
        response = unchanged(same)
    else:
        response = Response(built.content, content_type=built.kind)
        response.headers["ETag"] = built.etag
        if not built.kind.startswith("image/png"):
            response = compressed(response)
    # A browser applies the headers of a 304 to the cached page, so they must include the policy.
    response.headers["Cache-Control"] = cache_control
    if policy:
        response.headers["Content-Security-Policy"] = POLICY
    return response
