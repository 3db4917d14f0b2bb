"""The URL of a database, as people write it and as the driver takes it."""

from typing import Any
from urllib.parse import quote

import psycopg
from psycopg.conninfo import conninfo_to_dict

# A machine that vanished says nothing. Without these, a connection to it would last for hours.
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
    """The driver's connection parameters for a `postgresql://` or `postgres://` URL.

    The URL may hold everything that libpq understands: several hosts, a socket folder, `sslmode`. Raises
    `ValueError` for anything else.
    """
    scheme, separator, rest = url.partition("://")
    if not separator or scheme.partition("+")[0] not in ("postgresql", "postgres"):
        raise ValueError("a database URL starts with postgresql:// or postgres://")
    try:
        parameters: dict[str, Any] = conninfo_to_dict(f"postgresql://{rest}")
    except psycopg.ProgrammingError:
        # The driver's message quotes a part of the URL, which may be the password.
        raise ValueError("the database URL is not a connection URI as PostgreSQL reads it") from None
    return _USUAL | parameters


def url_of(parameters: dict[str, Any]) -> str:
    """The `postgresql://` URL for connection parameters, without what `driver_parameters` adds to every URL."""
    given = {name: value for name, value in parameters.items() if _USUAL.get(name) != value}
    return "postgresql:///?" + "&".join(f"{name}={quote(str(value), safe='')}" for name, value in given.items())
