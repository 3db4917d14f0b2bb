"""The guards of the tables: what their owner and the service may do."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest
import sqlalchemy
from psycopg import sql

from ledger.store.database.connection import connect, dedicated_connection
from ledger.store.database.errors import NotMigrated
from ledger.store.database.migration import migrate
from ledger.store.postgres.embedded import EmbeddedPostgres
from ledger.store.store import Store
from tests.store.journals import action, event, new_game
from tests.store.roles import logging_in, make_owner

JOURNAL = ("games", "actions", "events", "touches")
SIGNED = ("checkpoints", "cosignatures", "dice_values")


class TestNothingIsRewritten:
    REWRITINGS = [
        statement.format(table=table)
        for table in (*JOURNAL, *SIGNED)
        for statement in (
            "UPDATE {table} SET game_id = 'other'",
            "UPDATE {table} SET game_id = 'other' WHERE false",
            "DELETE FROM {table}",
            "TRUNCATE {table}",
        )
    ]

    @pytest.mark.parametrize("statement", REWRITINGS)
    def test_the_tables_refuse_even_their_owner(
        self, store: Store, table: str, owner: psycopg.Connection, statement: str
    ):
        store.journal.append(table, action(1, event(1)))
        with pytest.raises(psycopg.errors.RestrictViolation, match="what is written stays"):
            owner.execute(statement)
        assert store.journal.entry(table, 1) == b"entry 1"

    def test_the_guard_stands_where_other_triggers_rest(self, owner: psycopg.Connection):
        guarded = owner.execute(
            "SELECT tgrelid::regclass::text, tgenabled FROM pg_trigger WHERE tgname = 'never_rewritten'"
        ).fetchall()
        assert sorted(guarded) == [(table, "A") for table in sorted((*JOURNAL, *SIGNED))]

    @pytest.mark.parametrize("statement", [*REWRITINGS, "ALTER TABLE actions DISABLE TRIGGER ALL"])
    def test_the_service_has_not_even_the_right_to_try(self, store: Store, statement: str):
        with store.engine.connect() as connection:
            cursor = connection.connection.cursor()
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                cursor.execute(statement)

    def test_the_service_has_these_rights_and_no_other(self, owner: psycopg.Connection):
        granted = owner.execute(
            "SELECT table_name, array_agg(privilege_type::text ORDER BY privilege_type)"
            " FROM information_schema.table_privileges WHERE grantee = 'mabligop_service' GROUP BY 1"
        ).fetchall()
        assert dict(granted) == {
            "games": ["INSERT", "SELECT"],
            "actions": ["INSERT", "SELECT"],
            "events": ["INSERT", "SELECT"],
            "touches": ["INSERT", "SELECT"],
            "credentials": ["INSERT", "SELECT", "UPDATE"],
            "invitations": ["INSERT", "SELECT", "UPDATE"],
            "snapshots": ["DELETE", "INSERT", "SELECT", "UPDATE"],
            "tiles": ["INSERT", "SELECT"],
            "checkpoints": ["INSERT", "SELECT"],
            "cosignatures": ["INSERT", "SELECT"],
            "dice_chains": ["INSERT", "SELECT", "UPDATE"],
            "dice_throws": ["INSERT", "SELECT", "UPDATE"],
            "dice_values": ["INSERT", "SELECT"],
            "installation": ["SELECT"],
            "alembic_version": ["SELECT"],
        }


ESCAPES = [
    "RESET ROLE",
    "SET ROLE NONE",
    "SET ROLE {owner}",
    "SET SESSION AUTHORIZATION DEFAULT",
    "SET SESSION AUTHORIZATION {owner}",
    "RESET SESSION AUTHORIZATION",
    "RESET ALL",
    "DISCARD ALL",
    "SET session_replication_role = replica",
]
FORBIDDEN = [
    "UPDATE actions SET kind = 'other'",
    "DELETE FROM events",
    "TRUNCATE touches",
    "ALTER TABLE actions DISABLE TRIGGER ALL",
    "DROP TABLE actions",
    "ALTER TABLE actions OWNER TO CURRENT_USER",
    "GRANT {owner} TO CURRENT_USER",
    "CREATE ROLE another",
    "CREATE TABLE public.another ()",
    "CREATE SCHEMA another",
    "CREATE FUNCTION public.another() RETURNS int LANGUAGE sql AS 'SELECT 1'",
]


class Deployment(NamedTuple):
    """A migrated database: the URL that the service is given, its role, and the name of the owner."""

    url: str
    role: str
    owner: str


class TestTheServiceCannotBecomeTheOwner:
    @pytest.fixture
    def deployment(
        self,
        request: pytest.FixtureRequest,
        new_database: Callable[..., str],
        new_role: Callable[[], str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> Deployment:
        """A deployment of the kind that the test names."""
        url = new_database(migrated=False)
        role, owner = new_role(), new_role()
        as_owner = logging_in(url, owner, "owner's password")
        with psycopg.connect(url, autocommit=True) as administrator:
            match request.param:
                case "the administrator's own":
                    owner = administrator.info.user
                    migrate(url, role=role)
                    return Deployment(url, role, owner)
                case "of an owner with a password":
                    make_owner(administrator, owner, "owner's password", "CREATEROLE")
                    migrate(as_owner, role=role)
                    return Deployment(as_owner, role, owner)
                case "of the earlier arrangement":
                    # The owner could take the role, which could not log in.
                    make_owner(administrator, owner, "owner's password", "CREATEROLE")
                    with psycopg.connect(as_owner) as earlier:
                        names = sql.Identifier(role), sql.Identifier(owner)
                        earlier.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(names[0]))
                        # Postgres 16 has made the creator a member already, and 15 has not.
                        if earlier.info.server_version < 160000:
                            earlier.execute(sql.SQL("GRANT {} TO {}").format(*names))
                    migrate(as_owner, role=role)
                    return Deployment(as_owner, role, owner)
                case _:
                    make_owner(administrator, owner, "owner's password")
                    administrator.execute(
                        sql.SQL("CREATE ROLE {} LOGIN PASSWORD 'sesame'").format(sql.Identifier(role))
                    )
                    as_service = logging_in(url, role, "sesame")
                    monkeypatch.setenv("DATABASE_URL", as_service)
                    monkeypatch.setenv("MABLIGOP_OWNER_URL", as_owner)
                    migrate(as_owner)
                    return Deployment(as_service, role, owner)

    @pytest.mark.parametrize(
        "deployment",
        [
            "the administrator's own",
            "of an owner with a password",
            "of the earlier arrangement",
            "with a login that the administrator made",
        ],
        indirect=True,
    )
    def test_in_a_database(self, deployment: Deployment) -> None:
        engine = connect(deployment.url, role=deployment.role)
        store = Store(engine)
        store.journal.append(new_game(store), action(1, event(1)))
        owner = sql.Identifier(deployment.owner)
        for escape in ESCAPES:
            connection = dedicated_connection(engine)
            service = connection.info.user
            assert service != deployment.owner
            with suppress(psycopg.errors.InsufficientPrivilege):
                connection.execute(sql.SQL(escape).format(owner=owner))
            assert connection.execute("SELECT session_user, current_user").fetchone() == (service, service)
            for statement in FORBIDDEN:
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    connection.execute(sql.SQL(statement).format(owner=owner))
            connection.close()
        engine.dispose()

    def test_when_everybody_could_create_tables(
        self, new_database: Callable[..., str], new_role: Callable[[], str]
    ) -> None:
        """Until Postgres 15 this was so from the start."""
        url, role = new_database(migrated=False), new_role()
        with psycopg.connect(url, autocommit=True) as owner:
            owner.execute("GRANT CREATE ON SCHEMA public TO PUBLIC")
        migrate(url, role=role)
        engine = connect(url, role=role)
        with engine.connect() as connection, pytest.raises(sqlalchemy.exc.ProgrammingError, match="denied"):
            connection.exec_driver_sql("CREATE TABLE another ()")
        engine.dispose()

    def test_with_the_login_of_an_owner_that_is_named_as_the_services(
        self, new_database: Callable[..., str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        url = new_database()
        monkeypatch.setenv("MABLIGOP_OWNER_URL", url)
        engine = connect(url)
        with pytest.raises(NotMigrated, match="could change the journal"):
            Store(engine).ready()
        engine.dispose()

    def test_in_a_data_folder_of_the_earlier_arrangement(self, tmp_path: Path) -> None:
        with EmbeddedPostgres(tmp_path) as server, psycopg.connect(server.url, autocommit=True) as owner:
            owner.execute("CREATE ROLE mabligop_service NOLOGIN")
            migrate(server.url)
            engine = connect(server.url)
            Store(engine).ready()
            with engine.connect() as connection:
                connection.exec_driver_sql("RESET ROLE")
                with pytest.raises(sqlalchemy.exc.ProgrammingError, match="denied"):
                    connection.exec_driver_sql("UPDATE actions SET kind = 'other'")
            engine.dispose()
