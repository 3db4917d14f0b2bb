"""The accepted host names of the service, compared with the Host header.

A page of another site can point its own name to the address of this service (DNS rebinding), and the browser
then takes the service for the other site. The Host header still has the page's name.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from flask import Flask, request

from api.rest.admission.hostnames import NAMED
from api.rest.problems.problems import Problem

HEALTH = "/healthz"
"""A path that answers under any name: load balancers call a worker by its address."""

_SHOWN = 100


@lru_cache(maxsize=1024)
def accepted(host: str, names: Sequence[str]) -> bool:
    """Return True if a Host header matches one of these names. Without names every host is accepted."""
    if not names:
        return True
    matched = NAMED.fullmatch(host)
    if matched is None:
        return False
    name = matched["name"].lower().removesuffix(".")
    return any(name.endswith(pattern[1:]) if pattern.startswith("*.") else name == pattern for pattern in names)


def require(app: Flask, names: tuple[str, ...]) -> None:
    """Answer with 421 (RFC 9110, 15.5.20) to a request for any other name."""
    if names:
        app.before_request(lambda: check(names))


def check(names: tuple[str, ...]) -> None:
    """Check the host name of the current request. Raises Problem (421)."""
    host = request.environ.get("HTTP_HOST", "")
    if request.path != HEALTH and not accepted(host, names):
        raise Problem(
            "wrong-host",
            f"this service does not answer for the host {host[:_SHOWN]!r}",
            f"ce service ne répond pas pour l'hôte {host[:_SHOWN]!r}",
        )
