"""The names under which a service answers, as settings and Host headers write them."""

from __future__ import annotations

import re

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
"""The names of a service that only its own machine can reach."""

NAMED = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?", re.IGNORECASE)
"""A name or an address, with or without a port. Its group `name` has no port."""


def read(names: str) -> tuple[str, ...]:
    """Read names separated by commas: `table.example`, `*.example` (every name below it), `[2001:db8::1]`.

    A port is allowed and makes no difference. Raises ValueError for anything else.
    """
    found: list[str] = []
    for name in filter(None, (one.strip().lower() for one in names.split(","))):
        matched = NAMED.fullmatch(name.removeprefix("*."))
        if matched is None:
            raise ValueError(f"a host is a name such as table.example or *.example, not {name!r}")
        found.append(("*." if name.startswith("*.") else "") + matched["name"])
    return tuple(found)
