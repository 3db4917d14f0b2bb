"""A backup in an empty database: all of it or nothing, whatever version of the tables it was made of."""

import json
import os
import signal
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import psycopg
import pytest
import sqlalchemy
from alembic import command

from ledger.store.backups import restoring
from ledger.store.backups.archive import Backup, BadBackup
from ledger.store.backups.restoring import DatabaseNotEmpty, FindingsError, restore
from ledger.store.backups.writing import write_backup
from ledger.store.database.connection import connect
from ledger.store.database.errors import MigrationRefused, NotMigrated
from ledger.store.database.migration import migrate
from ledger.store.database.revisions import newest_revision
from ledger.store.records import Selection
from ledger.store.store import Store
from tests.store import test_migration
from tests.store.backups.conftest import Backed, Rows, fill, rows_of, tables_in
from tests.store.journals import action, event

NOTHING: set[str] = set()


def no_findings(engine: sqlalchemy.Engine) -> Sequence[str]:
    return []


def restored(url: str, file: Path, check: restoring.Check = no_findings) -> Rows:
    """The rows of a database after the backup was restored into it."""
    with Backup(file) as backup:
        restore(url, backup, check)
    return rows_of(url)


class TestTheRestoredDatabase:
    def test_has_every_row_byte_for_byte(self, backed: Backed, empty: str) -> None:
        assert restored(empty, backed.file) == backed.rows

    def test_goes_on_as_the_service(self, backed: Backed, empty: str) -> None:
        """The role of the service has its rights, and the journal refuses to be changed."""
        restored(empty, backed.file)
        assert migrate(empty) == []
        engine = connect(empty)
        store = Store(engine)
        store.ready()
        store.journal.append("odd", action(301, event(601)))
        assert store.journal.head("odd") == 301
        assert len(store.journal.entries("odd", Selection(account="player:o'brien, {x}", limit=1000))) == 300
        assert store.snapshots.latest("odd", "a format") is None  # The cache is not in the backup.
        engine.dispose()
        with psycopg.connect(empty) as owner, pytest.raises(psycopg.errors.RestrictViolation):
            owner.execute("UPDATE actions SET seat = 'bob'")

    def test_has_the_secret_of_the_first_installation(self, backed: Backed, empty: str) -> None:
        restored(empty, backed.file)
        secrets = []
        for url in (backed.url, empty):
            engine = connect(url)
            secrets.append(Store(engine).installation.secret("a purpose"))
            engine.dispose()
        assert secrets[0] == secrets[1]

    def test_has_nothing_besides_the_tables_of_a_migrated_one(
        self, backed: Backed, empty: str, new_database: Callable[..., str]
    ) -> None:
        restored(empty, backed.file)
        assert tables_in(empty) == tables_in(new_database())

    def test_may_have_been_migrated_before(self, backed: Backed, new_database: Callable[..., str]) -> None:
        """As after a first start of the service on the new machine, before anybody created a game."""
        assert restored(new_database(), backed.file) == backed.rows

    def test_is_the_one_that_the_url_names_among_its_schemas(self, backed: Backed, empty: str) -> None:
        with psycopg.connect(empty, autocommit=True) as owner:
            owner.execute("CREATE SCHEMA theirs; CREATE TABLE theirs.games (game_id text)")
        restored(empty, backed.file)
        assert {"public.games", "theirs.games"} <= tables_in(empty)


class TestOfAnEarlierVersion:
    @pytest.mark.parametrize("revision", ["0001", "0002"])
    def test_a_backup_gets_todays_tables(
        self, revision: str, tmp_path: Path, new_database: Callable[..., str], empty: str
    ) -> None:
        """Made by that version, or by this one before it migrated. What is restored is as if it were migrated."""
        earlier, file = new_database(migrated=False), tmp_path / "earlier.zip"
        with test_migration.migrating(earlier) as config:
            command.upgrade(config, revision)
        with psycopg.connect(earlier) as owner:
            owner.execute(test_migration.TestTouches.EARLIER)
            if revision >= "0002":
                owner.execute("INSERT INTO touches VALUES ('evening', 'bank', 1)")
        with file.open("wb") as output:
            assert write_backup(earlier, output, made_by="0.1").revision == revision
        found = restored(empty, file)
        migrate(earlier)
        with psycopg.connect(empty) as owner:
            assert owner.execute("SELECT version_num FROM alembic_version").fetchall() == [(newest_revision(),)]
        secrets = found.pop("installation"), rows_of(earlier).pop("installation")
        assert len(secrets[0]) == len(secrets[1]) == 1
        assert found == {name: rows for name, rows in rows_of(earlier).items() if name != "installation"}
        assert len(found["touches"]) == (5 if revision == "0001" else 1)

    def test_a_backup_may_go_into_a_home_of_this_version(
        self, tmp_path: Path, new_database: Callable[..., str]
    ) -> None:
        """The tables that are there hold nothing, and make room."""
        earlier, file, url = new_database(migrated=False), tmp_path / "earlier.zip", new_database()
        with test_migration.migrating(earlier) as config:
            command.upgrade(config, "0001")
        with file.open("wb") as output:
            write_backup(earlier, output, made_by="0.1")
        assert restored(url, file)["games"] == []

    def test_of_a_later_version_it_is_refused(self, backed: Backed, empty: str, tmp_path: Path) -> None:
        file = other_manifest(backed.file, tmp_path, revision="9999")
        with pytest.raises(BadBackup, match="of revision 9999, which this version does not know"):
            restored(empty, file)
        assert tables_in(empty) == NOTHING


class TestNoBackupIsMade:
    def test_of_a_database_without_tables(self, empty: str, tmp_path: Path) -> None:
        with (tmp_path / "file").open("wb") as output, pytest.raises(NotMigrated, match="nothing to back up"):
            write_backup(empty, output, made_by="1.0")

    def test_of_one_that_a_newer_version_migrated(self, new_database: Callable[..., str], tmp_path: Path) -> None:
        url = new_database()
        with psycopg.connect(url) as owner:
            owner.execute("UPDATE alembic_version SET version_num = '9999'")
        with (tmp_path / "file").open("wb") as output, pytest.raises(MigrationRefused, match="a newer version"):
            write_backup(url, output, made_by="1.0")


def other_manifest(file: Path, folder: Path, **changes: object) -> Path:
    """A copy of a backup that claims something else."""
    copy = folder / "other.zip"
    with zipfile.ZipFile(file) as original, zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED) as archive:
        for info in original.infolist():
            content = original.read(info)
            if info.filename == "manifest.json":
                content = json.dumps(json.loads(content) | changes).encode()
            archive.writestr(info.filename, content)
    return copy


class TestNothingIsRestored:
    def test_where_a_game_is(self, backed: Backed, new_database: Callable[..., str]) -> None:
        url = new_database()
        engine = connect(url)
        fill(Store(engine), actions=1)
        engine.dispose()
        before = rows_of(url)
        with pytest.raises(DatabaseNotEmpty, match="holds games already"):
            restoring.require_empty(url)
        with pytest.raises(DatabaseNotEmpty, match="holds games already"):
            restored(url, backed.file)
        assert rows_of(url) == before
        assert "mabligop_restoring" not in tables_in(url)

    def test_where_a_service_is_connected(self, backed: Backed, new_database: Callable[..., str]) -> None:
        url = new_database()
        engine = connect(url)
        Store(engine).ready()
        with pytest.raises(DatabaseNotEmpty, match="a service is connected"):
            restored(url, backed.file)
        engine.dispose()

    def test_where_another_program_has_a_table_of_the_same_name(self, backed: Backed, empty: str) -> None:
        with psycopg.connect(empty) as owner:
            owner.execute("CREATE TABLE games (name text)")
        with pytest.raises(DatabaseNotEmpty, match="a table games of another program"):
            restored(empty, backed.file)
        assert tables_in(empty) == {"public.games"}

    def test_where_another_program_migrates(self, backed: Backed, empty: str) -> None:
        with psycopg.connect(empty) as owner:
            owner.execute("CREATE TABLE alembic_version (version_num text)")
            owner.execute("INSERT INTO alembic_version VALUES ('theirs')")
        with pytest.raises(DatabaseNotEmpty, match="of a newer version, or of another program"):
            restored(empty, backed.file)

    def test_that_has_findings(self, backed: Backed, empty: str) -> None:
        def check(engine: sqlalchemy.Engine) -> Sequence[str]:
            assert Store(engine).journal.head("odd") == 300
            return ["odd, action 7: changed"]

        with pytest.raises(FindingsError) as refusal:
            restored(empty, backed.file, check)
        assert refusal.value.findings == ["odd, action 7: changed"]
        assert tables_in(empty) == NOTHING
        with Backup(backed.file) as backup:
            assert restore(empty, backup, check, despite_findings=True) == ["odd, action 7: changed"]
        assert rows_of(empty) == backed.rows

    @pytest.mark.parametrize(
        ("column", "words"),
        [("rows", "has 2 rows, and the backup says 3"), ("columns", "are not those of revision")],
    )
    def test_of_a_file_that_contradicts_itself(
        self, backed: Backed, empty: str, tmp_path: Path, column: str, words: str
    ) -> None:
        with Backup(backed.file) as backup:
            tables = [
                {name: getattr(table, name) for name in table.__struct_fields__}
                for table in backup.manifest.tables
            ]
        tables[0][column] = 3 if column == "rows" else ["game_id"]
        with pytest.raises(BadBackup, match=words):
            restored(empty, other_manifest(backed.file, tmp_path, tables=tables))
        assert tables_in(empty) == NOTHING

    def test_without_the_right_to_create(self, backed: Backed, empty: str) -> None:
        """The role of the service, which every server of the tests has, may create nothing."""
        url = empty + ("&" if "?" in empty else "?") + "options=-crole%3Dmabligop_service"
        with pytest.raises(MigrationRefused, match="restore as its owner"):
            restored(url, backed.file)


class TestAKill:
    @pytest.mark.parametrize("moment", ["filling", "checking", "publishing"])
    def test_leaves_the_database_empty_and_the_next_restoration_succeeds(
        self, backed: Backed, empty: str, moment: str
    ) -> None:
        process = os.fork()
        if process == 0:
            _restore_and_die(empty, backed.file, moment)
        assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == -signal.SIGKILL
        restoring.require_empty(empty)
        assert {name for name in tables_in(empty) if not name.startswith("mabligop_restoring")} == NOTHING
        assert restored(empty, backed.file) == backed.rows
        assert not any(name.startswith("mabligop_restoring") for name in tables_in(empty))


def _restore_and_die(url: str, file: Path, moment: str) -> None:
    """In a forked process: kill it at a moment of the restoration."""

    def die(*_: object) -> Sequence[str]:
        os.kill(os.getpid(), signal.SIGKILL)
        return []

    try:
        if moment == "publishing":
            restoring.ensure_service_role = die  # type: ignore[assignment]
        with Backup(file) as backup:
            restore(
                url,
                backup,
                die if moment == "checking" else no_findings,
                progress=lambda done, total: die() if moment == "filling" and done > total / 2 else None,
            )
    finally:
        os._exit(0)
