"""The URL of a database, for people and for the driver."""

from typing import Any
from urllib.parse import quote

import psycopg
from psycopg.conninfo import conninfo_to_dict

# A vanished machine says nothing. Without these settings, a connection to the machine would last for hours.
_USUAL = {
    "application_name": "mabligop",
    "client_encoding": "UTF8",
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}


def driver_parameters(url: str) -> dict[str, Any]:
    """Return the driver's connection parameters for a `postgresql://` or `postgres://` URL.

    The URL may use all features of libpq: several hosts, a socket folder, `sslmode`. Raises `ValueError` for
    anything else.
    """
    scheme, separator, address = url.partition("://")
    if not separator or scheme.partition("+")[0] not in ("postgresql", "postgres"):
        raise ValueError("a database URL starts with postgresql:// or postgres://")
    try:
        parameters: dict[str, Any] = conninfo_to_dict(f"postgresql://{address}")
    except psycopg.ProgrammingError:
        # The driver's message quotes a part of the URL, possibly the password.
        raise ValueError("the database URL is not a connection URI as PostgreSQL reads it") from None
    return _USUAL | parameters


def url_of(parameters: dict[str, Any]) -> str:
    """Return the `postgresql://` URL for connection parameters, without the usual defaults.

    `driver_parameters` adds the defaults to every URL.
    """
    explicit = {name: value for name, value in parameters.items() if _USUAL.get(name) != value}
    return "postgresql:///?" + "&".join(f"{name}={quote(str(value), safe='')}" for name, value in explicit.items())
