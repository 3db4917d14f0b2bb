"""The service's login to its database."""

from __future__ import annotations

from typing import Any

import psycopg

from ledger.store.database.database_url import driver_parameters, url_of
from ledger.store.database.driver_errors import translated_driver
from ledger.store.database.errors import NotMigrated
from ledger.store.database.limits import LimitedConnection, Limits
from ledger.store.database.service_role import (
    OWNER_VARIABLE,
    has_own_login,
    is_powerful,
    service_login,
    service_role,
)

# A connection plans each statement once and keeps the plan. A plan made while a table fits on one page would read
# the whole table, even later when the table has a million rows. So plans must use the keys from the start.
_PLANS = "SET enable_seqscan = off; SET jit = off"
# Whatever libpq's environment, a role or a database may set otherwise, and the store relies on.
_RELIED_ON = (
    "SET TIME ZONE 'UTC'; SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'postgres'; SET bytea_output = 'hex';"
    " SET client_encoding = 'UTF8'; SET standard_conforming_strings = on;"
    " SET default_transaction_isolation = 'read committed'"
)
_ENCODING = "UTF8"


class ServiceLogin:
    """A factory of connections that cannot change the journal.

    The URL may be the owner's: the first connection finds out. The owner's connection only reads the secret,
    from which the service's own login is derived. Any number of threads may use an object.
    """

    def __init__(self, url: str, role: str, limits: Limits) -> None:
        self._configured = driver_parameters(url)
        self._role = role
        self._limits = limits
        self._service: dict[str, Any] | None = None

    @property
    def url(self) -> str:
        """The URL of the service's own login. Known only after the first connection."""
        return url_of(self._service or self._configured)

    def open(self) -> LimitedConnection:
        """Open a connection for the store's statements, with a commit after each statement.

        Raises `NotMigrated` if the service has no login, or if its login is refused; psycopg's errors.
        """
        if self._service is not None:
            try:
                return self._connected(self._service)
            except psycopg.OperationalError:
                if self._service is self._configured:
                    raise
                # The database may have got another secret, by a restoration.
        connection = self._connected(self._configured)
        try:
            if not is_powerful(connection):
                self._service = self._configured
                return connection
            service = self._derived(connection)
        except BaseException:
            connection.close()
            raise
        connection.close()
        try:
            connection = self._connected(service)
        except psycopg.OperationalError as refusal:
            raise NotMigrated(
                f"the service cannot log in as {service['user']!r} ({str(refusal).strip()}): "
                "run `mabligop migrate`."
                " If this role still cannot log in, let it (pg_hba.conf, or the pooler's list of users), or make a"
                f" login for the service, and name that in DATABASE_URL and the owner's in {OWNER_VARIABLE}"
            ) from refusal
        self._service = service
        return connection

    def _derived(self, owner: psycopg.Connection[Any]) -> dict[str, Any]:
        if has_own_login():
            raise NotMigrated(
                f"the login of DATABASE_URL could change the journal: with {OWNER_VARIABLE} set, it must have the"
                " service's rights only"
            )
        return self._configured | service_login(owner, self._role)._asdict()

    def _connected(self, parameters: dict[str, Any]) -> LimitedConnection:
        connection = LimitedConnection.connect(**parameters, autocommit=True)
        try:
            connection.limit(self._limits)
            connection.execute(f"{_PLANS}; {_RELIED_ON}")
            encoding = connection.info.parameter_status("server_encoding")
            if encoding != _ENCODING:
                raise NotMigrated(
                    f"the database stores texts in {encoding}, which cannot hold every name: create it in"
                    f" {_ENCODING} (CREATE DATABASE … ENCODING '{_ENCODING}' TEMPLATE template0)"
                )
        except BaseException:
            connection.close()
            raise
        return connection


def service_url(url: str, *, role: str | None = None) -> str:
    """Return the URL of the service's own login to the database at `url`. The URL may contain a password.

    Raises `NotMigrated` if the service has no login, or if its login is refused; `StoreUnavailable`;
    `ValueError` if the URL cannot be read.
    """
    login = ServiceLogin(url, role or service_role(), Limits.configured())
    with translated_driver():
        login.open().close()
    return login.url
