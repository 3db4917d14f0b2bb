"""What every resource needs from the application it serves: the ledger, the settings, the language asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from flask import current_app, request
from werkzeug.http import parse_accept_header

from api.rest.config import Config
from api.rest.metrics import Metrics
from ledger.service import Ledger

Language = Literal["en", "fr"]

EXTENSION = "mabligop"
"""Where the application keeps its `Service`."""


@dataclass(frozen=True, slots=True)
class Service:
    """What one application serves: a ledger, with settings, counted by its own metrics."""

    ledger: Ledger
    config: Config
    metrics: Metrics


def service() -> Service:
    """The service of the application at work."""
    found: Service = current_app.extensions[EXTENSION]
    return found


def the_ledger() -> Ledger:
    """The ledger of the application at work."""
    return service().ledger


def language() -> Language:
    """The language the caller prefers, English when they say nothing."""
    return preferred(request.environ.get("HTTP_ACCEPT_LANGUAGE", ""))


@lru_cache(maxsize=1024)
def preferred(accepted: str) -> Language:
    """English or French, by the value of an Accept-Language header (RFC 9110, 12.5.4)."""
    named: dict[str, float] = {}
    for tag, quality in parse_accept_header(accepted):
        primary = tag.partition("-")[0].lower()
        named[primary] = max(quality, named.get(primary, 0))
    others = named.get("*", 0)
    return "fr" if named.get("fr", others) > named.get("en", others) else "en"
