"""The names under which the service answers, compared with the Host header.

A page of another site can let its own name point to the address of this service (DNS rebinding), and the browser
then takes the service for that site. The Host header still has the page's name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from flask import Flask, request

from api.rest.problems import Problem

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
"""The names of a service that only its own machine can reach."""

HEALTH = "/healthz"
"""This path answers whatever the name: load balancers call a worker by its address."""

_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?", re.IGNORECASE)
_SHOWN = 100


def read(names: str) -> tuple[str, ...]:
    """Read names separated by commas: `table.example`, `*.example` (every name below it), `[2001:db8::1]`.

    A port is allowed and makes no difference. Raises ValueError for anything else.
    """
    found: list[str] = []
    for name in filter(None, (one.strip().lower() for one in names.split(","))):
        matched = _HOST.fullmatch(name.removeprefix("*."))
        if matched is None:
            raise ValueError(f"a host is a name such as table.example or *.example, not {name!r}")
        found.append(("*." if name.startswith("*.") else "") + matched["name"])
    return tuple(found)


@lru_cache(maxsize=1024)
def accepted(host: str, names: Sequence[str]) -> bool:
    """Whether a Host header has one of these names. Without names every host is accepted."""
    if not names:
        return True
    matched = _HOST.fullmatch(host)
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
