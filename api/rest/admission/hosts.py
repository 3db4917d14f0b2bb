"""The names under which the service answers, compared with the Host header.

A page of another site can let its own name point to the address of this service (DNS rebinding), and the browser
then takes the service for that site. The Host header still has the page's name.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from flask import Flask, request

from api.rest.admission.hostnames import NAMED
from api.rest.problems.problems import Problem

HEALTH = "/healthz"
"""This path answers whatever the name: load balancers call a worker by its address."""

_SHOWN = 100


@lru_cache(maxsize=1024)
def accepted(host: str, names: Sequence[str]) -> bool:
    """Whether a Host header has one of these names. Without names every host is accepted."""
    if not names:
        return True
    matched = NAMED.fullmatch(host)
    if matched is None:
        return False
    name = matched["name"].lower().removesuffix(".")
    return any(name.endswith(one[1:]) if one.startswith("*.") else name == one for one in names)


def require(app: Flask, names: tuple[str, ...]) -> None:
    """Answer with 421 (RFC 9110, 15.5.20) when a request is for a name that is not one of these."""
    if names:
        app.before_request(lambda: check(names))


def check(names: tuple[str, ...]) -> None:
    """Check the name that the current request is for. Raises a Problem (421)."""
    host = request.environ.get("HTTP_HOST", "")
    if request.path != HEALTH and not accepted(host, names):
        raise Problem(
            "wrong-host",
            f"this service does not answer for the host {host[:_SHOWN]!r}",
            f"ce service ne répond pas pour l'hôte {host[:_SHOWN]!r}",
        )
