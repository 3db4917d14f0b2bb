"""The context of the current request: the ledger, the settings, the caller's language."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from flask import current_app, request
from werkzeug.http import parse_accept_header

from api.rest.running.config import Config
from api.rest.running.exchanges import Exchanges
from api.rest.running.metrics import Metrics
from ledger.kernel.language.phrase import Phrase
from ledger.service import Ledger
from ledger.store.database.readiness import Readiness

Language = Literal["en", "fr"]

EXTENSION = "mabligop"
"""The name of the Flask extension for the `Service`."""


@dataclass(frozen=True, slots=True)
class Service:
    """The ledger served by an application, with settings, metrics, exchanges and readiness.

    `warnings` are for the operator, shown by `/readyz`.
    """

    ledger: Ledger
    config: Config
    metrics: Metrics
    exchanges: Exchanges
    readiness: Readiness
    warnings: list[Phrase] = field(default_factory=list)


def service() -> Service:
    """Return the service of the current application."""
    current: Service = current_app.extensions[EXTENSION]
    return current


def the_ledger() -> Ledger:
    """Return the ledger of the current application."""
    return service().ledger


def language() -> Language:
    """Return the language preferred by the caller; English by default."""
    return preferred(request.environ.get("HTTP_ACCEPT_LANGUAGE", ""))


@lru_cache(maxsize=1024)
def preferred(accepted: str) -> Language:
    """Choose English or French by the value of an Accept-Language header (RFC 9110, 12.5.4)."""
    named: dict[str, float] = {}
    for tag, quality in parse_accept_header(accepted):
        primary = tag.partition("-")[0].lower()
        named[primary] = max(quality, named.get(primary, 0))
    others = named.get("*", 0)
    return "fr" if named.get("fr", others) > named.get("en", others) else "en"
