"""The host names of a service, as written in settings and Host headers."""

from __future__ import annotations

import re

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
"""The names of a service reachable only from its own machine."""

NAMED = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?", re.IGNORECASE)
"""A name or an address, with or without a port. The group `name` has no port."""


def read(names: str) -> tuple[str, ...]:
    """Read names separated by commas: `table.example`, `*.example` (every name below `example`),
    `[2001:db8::1]`.

    A port is allowed and ignored. Raises ValueError for anything else.
    """
    hosts: list[str] = []
    for name in filter(None, (part.strip().lower() for part in names.split(","))):
        matched = NAMED.fullmatch(name.removeprefix("*."))
        if matched is None:
            raise ValueError(f"a host is a name such as table.example or *.example, not {name!r}")
        hosts.append(("*." if name.startswith("*.") else "") + matched["name"])
    return tuple(hosts)
