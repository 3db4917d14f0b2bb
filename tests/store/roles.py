"""Roles of a server of one's own."""

import psycopg
from psycopg import sql

from ledger.store.database.database_url import driver_parameters, url_of


def logging_in(url: str, user: str, password: str) -> str:
    """The URL of the same database for another user."""
    return url_of(driver_parameters(url) | {"user": user, "password": password})


def make_owner(administrator: psycopg.Connection, name: str, password: str, *attributes: str) -> None:
    """Make a role with this password the owner of the administrator's database."""
    words = sql.SQL(" ").join(map(sql.SQL, ("LOGIN", *attributes)))
    statement = sql.SQL("CREATE ROLE {} {} PASSWORD {}").format(sql.Identifier(name), words, sql.Literal(password))
    administrator.execute(statement)
    administrator.execute(
        sql.SQL("ALTER DATABASE {} OWNER TO {}").format(
            sql.Identifier(administrator.info.dbname), sql.Identifier(name)
        )
    )
    administrator.execute(sql.SQL("GRANT CREATE ON SCHEMA public TO {}").format(sql.Identifier(name)))


def logins_of(server: psycopg.Connection, roles: list[str]) -> list[str]:
    """The logins that migrations created for these roles."""
    found = server.execute(
        "SELECT rolname FROM pg_roles WHERE regexp_replace(rolname, '_[0-9a-f]{8}$', '') = ANY(%s)"
        " AND rolname <> ALL(%s)",
        (roles, roles),
    )
    return [name for (name,) in found.fetchall()]
