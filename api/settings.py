"""The settings of the service, read from the environment (listed in `server.py`).

The parent process of the workers reads them too, so nothing of the application is imported here.
"""

from __future__ import annotations

import ipaddress
import os
from pathlib import Path

from api.rest.admission import hostnames
from api.rest.running.config import (
    BODY_SECONDS,
    COMPUTE_SECONDS_PER_MINUTE,
    CREATIONS_PER_MINUTE,
    REQUESTS_AT_ONCE,
    REQUESTS_PER_MINUTE,
    ROWS_PER_MINUTE,
    SEND_SECONDS,
    STREAMS,
    UNKNOWN_TOKENS_PER_MINUTE,
    WRONG_CODES_PER_MINUTE,
    Config,
)

CONNECTIONS = 20
"""The default number of database connections of a worker."""

IDLE_CONNECTIONS = 256
"""The default number of connections of an address to a worker that may do nothing."""

DEMO_VARIABLE = "MABLIGOP_DEMO"
"""The variable for a service with a demo, set by the command."""

KEYS_VARIABLE = "MABLIGOP_SIGNING_KEYS"
"""The variable with the file of the keys that sign logs."""


def configured() -> Config:
    """Read the settings of the API from the environment. Raises ValueError for a wrong setting."""
    try:
        names = hostnames.read(os.environ.get("MABLIGOP_HOSTS", ""))
    except ValueError as fault:
        raise ValueError(f"MABLIGOP_HOSTS: {fault}") from fault
    try:
        named = os.environ.get("MABLIGOP_AUTHORITY")
        authority = Path(named).read_bytes() if named else None
    except OSError as fault:
        raise ValueError(f"MABLIGOP_AUTHORITY: {named} cannot be read: {fault.strerror}") from fault
    return Config(
        creation_key=os.environ.get("MABLIGOP_CREATION_KEY") or None,
        cors_origins=tuple(_listed("MABLIGOP_CORS_ORIGINS")),
        hosts=names,
        demo=DEMO_VARIABLE in os.environ,
        public_url=os.environ.get("MABLIGOP_PUBLIC_URL", "").rstrip("/") or None,
        network_url=os.environ.get("MABLIGOP_NETWORK_URL") or None,
        authority=authority,
        requests_per_minute=_at_least_one("MABLIGOP_REQUESTS_PER_MINUTE", REQUESTS_PER_MINUTE, "requests"),
        creations_per_minute=_at_least_one("MABLIGOP_CREATIONS_PER_MINUTE", CREATIONS_PER_MINUTE, "requests"),
        unknown_tokens_per_minute=_at_least_one(
            "MABLIGOP_UNKNOWN_TOKENS_PER_MINUTE", UNKNOWN_TOKENS_PER_MINUTE, "tokens"
        ),
        wrong_codes_per_minute=_at_least_one("MABLIGOP_WRONG_CODES_PER_MINUTE", WRONG_CODES_PER_MINUTE, "codes"),
        compute_seconds_per_minute=_at_least_one(
            "MABLIGOP_COMPUTE_SECONDS_PER_MINUTE", COMPUTE_SECONDS_PER_MINUTE, "seconds"
        ),
        rows_per_minute=_at_least_one("MABLIGOP_ROWS_PER_MINUTE", ROWS_PER_MINUTE, "rows"),
        requests_at_once=_at_least_one("MABLIGOP_REQUESTS_AT_ONCE", REQUESTS_AT_ONCE, "requests"),
        body_seconds=_at_least_one("MABLIGOP_BODY_SECONDS", BODY_SECONDS, "seconds"),
        send_seconds=_at_least_one("MABLIGOP_SEND_SECONDS", SEND_SECONDS, "seconds"),
        streams=_at_least_one("MABLIGOP_STREAMS", STREAMS, "streams"),
    )


def names_at(address: str, configured: tuple[str, ...], public: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the host names of a service listening on this numeric address; none for every name.

    Without configured names, a service reachable only from its own machine answers under the machine's own
    names. With configured names, the own names and the address remain valid: no page of another site has them.
    `public` are the names in links of invitations.
    """
    listening = ipaddress.ip_address(address)
    if not configured and not listening.is_loopback:
        return ()
    literal = [] if listening.is_unspecified else [f"[{address}]" if listening.version == 6 else address]
    return tuple(dict.fromkeys((*configured, *public, *hostnames.LOOPBACK, *literal)))


def connections() -> int:
    """Return the number of database connections of a worker. Raises ValueError for a wrong setting."""
    return _at_least_one("MABLIGOP_CONNECTIONS", CONNECTIONS, "connections")


def idle_connections() -> int:
    """Return the number of connections of an address that may do nothing. Raises ValueError for a wrong
    setting.
    """
    return _at_least_one("MABLIGOP_IDLE_CONNECTIONS", IDLE_CONNECTIONS, "connections")


def trusted_proxies() -> list[str]:
    """Return the addresses and networks of the proxies in front of the service. Raises ValueError for a wrong
    setting.
    """
    proxies = _listed("MABLIGOP_TRUSTED_PROXIES")
    for proxy in proxies:
        try:
            ipaddress.ip_network(proxy)
        except ValueError as fault:
            raise ValueError(f"MABLIGOP_TRUSTED_PROXIES are addresses and networks: {fault}") from fault
    return proxies


def _listed(variable: str) -> list[str]:
    return [part.strip() for part in os.environ.get(variable, "").split(",") if part.strip()]


def _at_least_one(variable: str, default: int, noun: str) -> int:
    configured = os.environ.get(variable, str(default))
    if not configured.isdecimal() or int(configured) < 1:
        raise ValueError(f"{variable} is a number of {noun}, at least 1, not {configured!r}")
    return int(configured)
