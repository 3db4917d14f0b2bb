"""Migrations: the tables that they make, and their behaviour on databases of every kind."""

import multiprocessing
import re
import secrets
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
import sqlalchemy
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from psycopg import sql

import migrations
from ledger.store.database.connection import connect
from ledger.store.database.database_url import driver_parameters
from ledger.store.database.errors import MigrationRefused, NotMigrated
from ledger.store.database.login import service_url
from ledger.store.database.migration import migrate
from ledger.store.database.revisions import FOLDER, known_revisions, newest_revision
from ledger.store.database.schema import metadata
from ledger.store.records import Appended, Selection
from ledger.store.store import Store
from tests.store.journals import action, event, new_game
from tests.store.roles import logging_in, make_owner

DEFINITIONS = """
SELECT conrelid::regclass::text, conname::text, pg_get_constraintdef(oid) FROM pg_constraint
 WHERE connamespace = 'public'::regnamespace AND conrelid <> coalesce(to_regclass('alembic_version'), 0)
UNION
SELECT tablename, indexname, indexdef FROM pg_indexes
 WHERE schemaname = 'public' AND tablename <> 'alembic_version'
UNION
SELECT table_name, column_name, concat_ws(' ', ordinal_position, udt_name, is_nullable, column_default)
  FROM information_schema.columns
 WHERE table_schema = 'public' AND table_name <> 'alembic_version'
"""

REVISIONS = ["0001", "0002", "0003", "0004", "0005", "0006", "0007"]


def owner_engine(url: str) -> sqlalchemy.Engine:
    return sqlalchemy.create_engine(url.replace("postgresql://", "postgresql+psycopg://", 1))


@contextmanager
def migrating(url: str) -> Iterator[Config]:
    """A configuration for Alembic's own commands on this database, in one transaction."""
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    engine = owner_engine(url)
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        yield config
    engine.dispose()


@pytest.fixture
def empty_database(new_database: Callable[..., str]) -> str:
    return new_database(migrated=False)


def wait_until_blocked(url: str) -> None:
    """Return as soon as a connection to this database waits for another's transaction."""
    with psycopg.connect(url, autocommit=True) as observer:
        for _ in range(6000):
            blocked = observer.execute(
                "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            if blocked.fetchone() is not None:
                return
            observer.execute("SELECT pg_sleep(0.01)")
    raise AssertionError("nothing ever waited")


class TestWhatTheyProduce:
    def test_they_produce_the_tables_the_store_knows(self, database_url: str):
        engine = owner_engine(database_url)
        with engine.connect() as connection:
            assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        engine.dispose()

    def test_down_to_every_column_key_check_and_index(self, database_url: str, empty_database: str):
        engine = owner_engine(empty_database)
        metadata.create_all(engine)
        engine.dispose()
        with psycopg.connect(empty_database) as declared, psycopg.connect(database_url) as migrated:
            expected = set(declared.execute(DEFINITIONS).fetchall())
            assert set(migrated.execute(DEFINITIONS).fetchall()) == expected
        assert len(expected) > 50

    def test_every_unique_key_starts_with_the_game(self):
        of_games = [table for table in metadata.tables.values() if table.name != "installation"]
        for table in of_games:
            keys = [list(table.primary_key.columns)]
            keys += [list(index.columns) for index in table.indexes if index.unique]
            keys += [
                list(constraint.columns)
                for constraint in table.constraints
                if isinstance(constraint, sqlalchemy.UniqueConstraint)
            ]
            assert all(key[0].name == "game_id" for key in keys), table.name

    def test_there_is_no_way_back(self, empty_database: str):
        migrate(empty_database)
        with migrating(empty_database) as config, pytest.raises(RuntimeError, match="restore a backup"):
            command.downgrade(config, "base")


class TestTouches:
    """Migration 0002: the actions that touch an account."""

    EARLIER = """
    INSERT INTO games (game_id, rulebook, title, created_at, setup)
    VALUES ('evening', 'negopoly', 'An evening', now(), '{}');
    INSERT INTO actions (game_id, number, kind, by, recorded_at, first_seq, event_count, canonical, leaf)
    SELECT 'evening', number, 'kind', 'player', now(), first, count, convert_to('entry ' || number, 'UTF8'),
           sha256(decode('00', 'hex') || convert_to('entry ' || number, 'UTF8'))
      FROM (VALUES (1, 1, 2), (2, 3, 0), (3, 3, 1)) AS played (number, first, count);
    INSERT INTO events (game_id, seq, number, kind, version, rule, accounts, commodities, body)
    VALUES ('evening', 1, 1, 'paid', 1, 'I.1', '{bank,player:ana}', '{NGD}', '{}'),
           ('evening', 2, 1, 'paid', 1, 'I.1', '{bank,player:ben}', '{NGD}', '{}'),
           ('evening', 3, 3, 'paid', 1, 'I.1', '{player:ana,"player:o''brien, {x}"}', '{NGD}', '{}');
    """

    def test_a_journal_of_the_earlier_tables_is_gone_through(self, empty_database: str):
        with migrating(empty_database) as config:
            command.upgrade(config, "0001")
        with psycopg.connect(empty_database, autocommit=True) as owner:
            owner.execute(self.EARLIER)
        assert migrate(empty_database) == REVISIONS[1:]
        with psycopg.connect(empty_database) as owner:
            found = owner.execute("SELECT game_id, account, number FROM touches ORDER BY 2, 3").fetchall()
        assert found == [
            ("evening", "bank", 1),
            ("evening", "player:ana", 1),
            ("evening", "player:ana", 3),
            ("evening", "player:ben", 1),
            ("evening", "player:o'brien, {x}", 3),
        ]
        engine = connect(empty_database)
        store = Store(engine)
        assert store.journal.entries("evening", Selection(account="player:ana")) == [
            (1, b"entry 1"),
            (3, b"entry 3"),
        ]
        assert store.journal.append("evening", action(4, event(4, accounts=["player:ana"]))) == Appended(4)
        assert [number for number, _ in store.journal.entries("evening", Selection(account="player:ana"))] == [
            1,
            3,
            4,
        ]
        engine.dispose()

    def test_what_an_older_version_appended_since_is_added_as_the_readme_says(self, empty_database: str):
        migrate(empty_database)
        readme = (Path(migrations.__file__).parent / "README.md").read_text(encoding="utf-8")
        (missing,) = re.findall(r"<!-- missing touches -->\n```sql\n(.*?)```", readme, re.DOTALL)
        with psycopg.connect(empty_database, autocommit=True) as owner:
            owner.execute(self.EARLIER)
            counted = []
            for _ in range(2):
                owner.execute(missing)
                counted.append(owner.execute("SELECT count(*) FROM touches").fetchone())
        assert counted == [(5,), (5,)]


class TestMigrate:
    def test_it_applies_what_is_missing_and_then_nothing(self, empty_database: str):
        told: list[str] = []
        assert migrate(empty_database, told.append) == REVISIONS
        assert told == [f"applying migration {revision}" for revision in REVISIONS]
        assert migrate(empty_database, told.append) == []
        assert len(told) == len(REVISIONS)

    def test_any_number_of_processes_may_do_it_at_once(self, empty_database: str):
        with multiprocessing.get_context("spawn").Pool(3) as processes:
            applied = processes.map(migrate, [empty_database] * 3, chunksize=1)
        assert sorted(applied) == [[], [], REVISIONS]

    def test_another_database_of_the_server_may_be_creating_the_role_at_this_moment(
        self, empty_database: str, database_url: str, new_role: Callable[[], str]
    ):
        role = new_role()
        with psycopg.connect(database_url) as other, ThreadPoolExecutor(1) as threads:
            other.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(sql.Identifier(role)))
            migrating = threads.submit(migrate, empty_database, role=role)
            wait_until_blocked(empty_database)
            other.commit()
            assert migrating.result(timeout=60) == REVISIONS

    @pytest.mark.parametrize("scheme", ["postgres://", "postgresql+psycopg://"])
    def test_every_usual_spelling_of_the_url_is_read(self, database_url: str, scheme: str):
        url = database_url.replace("postgresql://", scheme, 1)
        assert migrate(url) == []
        engine = connect(url)
        Store(engine).ready()
        engine.dispose()

    @pytest.mark.parametrize("url", ["", "ledger", "mysql://host/ledger", "postgresql://host?nonsense=1"])
    def test_any_other_url_is_refused(self, url: str):
        for use in (migrate, connect):
            with pytest.raises(ValueError, match="database URL"):
                use(url)

    def test_a_password_in_a_wrong_url_is_not_repeated(self):
        with pytest.raises(ValueError, match="database URL") as refusal:
            connect("postgresql://ana:se%zzcret@host/ledger")
        assert "cret" not in str(refusal.value)

    def test_a_database_that_a_newer_version_migrated_is_left_alone(self, empty_database: str):
        migrate(empty_database)
        with psycopg.connect(empty_database, autocommit=True) as owner:
            owner.execute("UPDATE alembic_version SET version_num = '9999'")
        with pytest.raises(MigrationRefused, match=r"9999.*newer version"):
            migrate(empty_database)
        engine = connect(empty_database)
        with pytest.raises(NotMigrated, match="revision 9999"):
            Store(engine).ready()
        engine.dispose()

    def test_the_tables_of_another_program_are_left_alone(self, empty_database: str):
        """A table of somebody else is called "games": it is said what is there, and nothing is changed."""
        with psycopg.connect(empty_database) as connection:
            connection.execute("CREATE TABLE games (title text)")
        with pytest.raises(MigrationRefused, match=r'another program \(relation "games" already exists\)'):
            migrate(empty_database)
        with psycopg.connect(empty_database) as connection:
            assert connection.execute("SELECT title FROM games").fetchall() == []

    def test_a_database_that_cannot_hold_every_letter_is_refused(self, empty_database: str, postgres: str):
        latin = f"mabligop_test_{secrets.token_hex(6)}"
        named = sql.Identifier(latin)
        with psycopg.connect(postgres, autocommit=True) as server:
            server.execute(
                sql.SQL(
                    "CREATE DATABASE {} ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
                ).format(named)
            )
            url = sqlalchemy.make_url(empty_database).set(database=latin)
            with pytest.raises(MigrationRefused, match="encoding is LATIN1"):
                migrate(url.render_as_string(hide_password=False))
            server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(named))


class TestServiceRole:
    def test_its_name_is_configurable(
        self, empty_database: str, new_role: Callable[[], str], monkeypatch: pytest.MonkeyPatch
    ):
        role = new_role()
        monkeypatch.setenv("MABLIGOP_SERVICE_ROLE", role)
        migrate(empty_database)
        engine = connect(empty_database)
        with engine.connect() as connection:
            assert connection.scalar(sqlalchemy.text("SELECT pg_has_role(:role, 'USAGE')"), {"role": role})
        store = Store(engine)
        store.ready()
        assert store.journal.append(new_game(store), action(1, event(1))) == Appended(1)
        engine.dispose()

    def test_rights_that_changed_are_set_right_again(self, empty_database: str, new_role: Callable[[], str]):
        role = new_role()
        migrate(empty_database, role=role)
        with psycopg.connect(empty_database, autocommit=True) as owner:
            owner.execute(sql.SQL("GRANT DELETE ON actions TO {}").format(sql.Identifier(role)))
            owner.execute(sql.SQL("REVOKE ALL ON games FROM {}").format(sql.Identifier(role)))
            migrate(empty_database, role=role)
            rights = owner.execute(
                "SELECT table_name, array_agg(privilege_type::text ORDER BY privilege_type)"
                " FROM information_schema.table_privileges"
                " WHERE grantee = %s AND table_name IN ('actions', 'games') GROUP BY 1 ORDER BY 1",
                (role,),
            ).fetchall()
        assert rights == [("actions", ["INSERT", "SELECT"]), ("games", ["INSERT", "SELECT"])]

    def test_an_owner_who_may_not_create_it_is_told_what_to_ask_for(
        self, empty_database: str, new_role: Callable[[], str], monkeypatch: pytest.MonkeyPatch
    ):
        """The administrator makes the service's login, which `DATABASE_URL` then names."""
        owner, role = new_role(), new_role()
        as_owner = logging_in(empty_database, owner, "owner's password")
        with psycopg.connect(empty_database, autocommit=True) as administrator:
            make_owner(administrator, owner, "owner's password")
            with pytest.raises(MigrationRefused, match="An administrator should run this once") as refusal:
                migrate(as_owner, role=role)
            assert administrator.execute("SELECT to_regclass('games')").fetchone() == (None,)
            (advice,) = re.findall(r"CREATE ROLE .* LOGIN PASSWORD '…';", str(refusal.value))
            administrator.execute(advice.replace("…", "sesame"))
        as_service = logging_in(empty_database, role, "sesame")
        monkeypatch.setenv("DATABASE_URL", as_service)
        monkeypatch.setenv("MABLIGOP_OWNER_URL", as_owner)
        assert migrate(as_owner) == REVISIONS
        engine = connect(as_service)
        Store(engine).ready()
        engine.dispose()

    def test_a_login_of_its_own_migrates_nothing_and_needs_not(
        self, empty_database: str, new_role: Callable[[], str]
    ):
        role = new_role()
        migrate(empty_database, role=role)
        as_service = service_url(empty_database, role=role)
        assert migrate(as_service) == []
        with psycopg.connect(empty_database, autocommit=True) as owner:
            owner.execute("UPDATE alembic_version SET version_num = '0002'")
        with pytest.raises(MigrationRefused, match=r"0007.*MABLIGOP_OWNER_URL"):
            migrate(as_service)

    def test_a_password_that_was_changed_is_set_right_again(
        self, empty_database: str, new_role: Callable[[], str]
    ):
        role = new_role()
        migrate(empty_database, role=role)
        login = driver_parameters(service_url(empty_database, role=role))["user"]
        with psycopg.connect(empty_database, autocommit=True) as owner:
            owner.execute(sql.SQL("ALTER ROLE {} PASSWORD 'another'").format(sql.Identifier(login)))
        engine = connect(empty_database, role=role)
        with pytest.raises(NotMigrated, match=f"cannot log in as '{login}'.*mabligop migrate.*pg_hba.conf"):
            Store(engine).ready()
        assert migrate(empty_database, role=role) == []
        Store(engine).ready()
        engine.dispose()

    def test_the_owner_is_no_login_for_the_service(
        self, empty_database: str, new_role: Callable[[], str], monkeypatch: pytest.MonkeyPatch
    ):
        owner = new_role()
        as_owner = logging_in(empty_database, owner, "password")
        with psycopg.connect(empty_database, autocommit=True) as administrator:
            make_owner(administrator, owner, "password")
        monkeypatch.setenv("DATABASE_URL", as_owner)
        monkeypatch.setenv("MABLIGOP_OWNER_URL", as_owner)
        with pytest.raises(MigrationRefused, match=f"login '{owner}' is that of the owner"):
            migrate(as_owner)

    def test_its_password_is_neither_sent_nor_told(
        self,
        empty_database: str,
        new_role: Callable[[], str],
        caplog: pytest.LogCaptureFixture,
        monkeypatch: pytest.MonkeyPatch,
    ):
        """A server may log every statement. So the statement has a hash of the password."""
        role = new_role()
        told: list[str] = []
        execute = psycopg.Cursor.execute

        def recorded(cursor: psycopg.Cursor, query: object, *arguments: object, **options: object) -> object:
            told.append(query.as_string(cursor) if isinstance(query, sql.Composable) else str(query))
            return execute(cursor, query, *arguments, **options)  # type: ignore[call-overload]

        monkeypatch.setattr(psycopg.Cursor, "execute", recorded)
        migrate(empty_database, told.append, role=role)
        password = driver_parameters(service_url(empty_database, role=role))["password"]
        assert len(password) == 64
        everything = "\n".join(told) + caplog.text
        assert "PASSWORD 'SCRAM-SHA-256$" in everything
        assert password not in everything


class TestRevisions:
    def test_the_names_of_the_files_tell_what_alembic_reads_in_them(self):
        scripts = ScriptDirectory(str(FOLDER))
        assert known_revisions() == {script.revision for script in scripts.walk_revisions()}
        assert newest_revision() == scripts.get_current_head()


class TestReady:
    def test_a_migrated_database_is_ready(self, store: Store):
        assert newest_revision() == REVISIONS[-1]
        store.ready()

    def test_a_database_without_tables_is_not(self, empty_database: str, store: Store):
        engine = connect(empty_database)  # the role exists: it belongs to the server, not to the database
        empty = Store(engine)
        for ask in (empty.ready, lambda: empty.journal.head("g"), lambda: empty.games.get("g")):
            with pytest.raises(NotMigrated, match="mabligop migrate"):
                ask()
        engine.dispose()

    def test_a_server_without_the_role_is_not(self, database_url: str):
        engine = connect(database_url, role="mabligop_absent")
        with pytest.raises(NotMigrated, match=r"mabligop_absent.*mabligop migrate"):
            Store(engine).ready()
        engine.dispose()
