"""The private Postgres of a home folder keeps committed data."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from ledger.store.postgres.embedded import EmbeddedPostgres, HomeBusy, PostgresUnavailable, url_of_running
from tests.store.postgres.services import Service, lines, server_gone, write


class TestAHome:
    def test_what_was_written_is_there_after_a_stop(self, tmp_path: Path) -> None:
        server = EmbeddedPostgres(tmp_path / "home")
        write(server.start(), "Ana pays 40")
        server.stop()
        assert server_gone(tmp_path / "home")
        assert lines(server.start()) == ["Ana pays 40"]
        server.stop()
        server.stop()
        with pytest.raises(RuntimeError, match="not started"):
            _ = server.url

    def test_the_server_is_durable_utf8_and_reached_by_its_socket_alone(self, tmp_path: Path) -> None:
        with EmbeddedPostgres(tmp_path / "home") as server, psycopg.connect(server.url) as connection:
            settings = dict(
                connection.execute(
                    "SELECT name, setting FROM pg_settings WHERE name IN "
                    "('fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'server_encoding')"
                ).fetchall()
            )
            folder = Path(connection.info.host)
            database = connection.execute("SELECT current_database()").fetchone()
        assert settings == {
            "fsync": "on",
            "synchronous_commit": "on",
            "full_page_writes": "on",
            "listen_addresses": "",
            "server_encoding": "UTF8",
        }
        assert database == ("mabligop",)
        assert stat.S_IMODE((tmp_path / "home").stat().st_mode) == 0o700
        assert not folder.exists()

    def test_what_the_environment_says_of_other_servers_does_not_lead_astray(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        others = {
            "PGHOSTADDR": "192.0.2.1",
            "PGSERVICE": "elsewhere",
            "PGREQUIREAUTH": "scram-sha-256",
            "PGSSLMODE": "verify-full",
            "PGOPTIONS": "-c search_path=elsewhere",
        }
        for name, value in others.items():
            monkeypatch.setenv(name, value)
        with EmbeddedPostgres(tmp_path / "home") as server:
            write(server.url, "Ana pays 40")
            assert lines(server.url) == ["Ana pays 40"]
            for name, value in others.items():
                monkeypatch.setenv(name, value)
            assert lines(url_of_running(tmp_path / "home") or "") == ["Ana pays 40"]

    def test_its_socket_folder_is_closed_to_others(self, tmp_path: Path) -> None:
        with EmbeddedPostgres(tmp_path / "home") as server, psycopg.connect(server.url) as connection:
            assert stat.S_IMODE(Path(connection.info.host).stat().st_mode) == 0o700

    @pytest.mark.parametrize(
        "name",
        [
            "the bank's home",
            'le dîner d\'été – ₦ "$HOME" 100%',
            "/".join(["a very long name that repeats itself"] * 8),
        ],
        ids=["spaces", "not ASCII", "long"],
    )
    def test_may_have_any_path(self, tmp_path: Path, name: str) -> None:
        with EmbeddedPostgres(tmp_path / name) as server:
            write(server.url, "Ana pays 40")
            assert lines(server.url) == ["Ana pays 40"]

    def test_is_served_by_one_process_at_a_time(self, tmp_path: Path, serve: Callable[..., Service]) -> None:
        first = serve(tmp_path / "home")
        write(first.url, "Ana pays 40")
        with pytest.raises(HomeBusy) as refusal:
            EmbeddedPostgres(tmp_path / "home").start()
        assert str(tmp_path / "home") in str(refusal.value)
        assert f"process {first.process.pid}:" in str(refusal.value)
        assert lines(first.url) == ["Ana pays 40"]
        assert first.close() == 0
        with EmbeddedPostgres(tmp_path / "home") as second:
            assert lines(second.url) == ["Ana pays 40"]

    def test_stays_with_the_process_that_started_it(self, tmp_path: Path) -> None:
        """A forked worker may end, or stop its inherited server: the service's server goes on."""
        with EmbeddedPostgres(tmp_path / "home") as server:
            worker = os.fork()
            if worker == 0:
                server.stop()
                os._exit(0)
            os.waitpid(worker, 0)
            write(server.url, "Ana pays 40")
            assert lines(server.url) == ["Ana pays 40"]

    def test_that_is_no_folder_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "home").write_text("a file")
        with pytest.raises(PostgresUnavailable) as refusal:
            EmbeddedPostgres(tmp_path / "home").start()
        home = tmp_path / "home"
        assert str(refusal.value) == f"the home {home} cannot be used: {home}: it is no folder"

    @pytest.mark.parametrize(
        ("in_the_way", "because"),
        [
            ("postgres", "postgres: it is no folder"),
            ("postgres/data", "postgres/data/PG_VERSION: Not a directory"),
        ],
    )
    def test_with_a_file_where_a_folder_belongs_is_refused_and_left_free(
        self, tmp_path: Path, in_the_way: str, because: str
    ) -> None:
        home = tmp_path / "home"
        letter = home / in_the_way
        letter.parent.mkdir(parents=True)
        letter.write_text("Dear Ana")
        server = EmbeddedPostgres(home)
        with pytest.raises(PostgresUnavailable) as refusal:
            server.start()
        assert str(refusal.value) == f"the home {home} cannot be used: {home}/{because}"
        assert letter.read_text() == "Dear Ana"
        letter.unlink()
        with EmbeddedPostgres(home) as another:
            write(another.url, "Ana pays 40")

    def test_with_a_folder_where_the_log_belongs_is_refused(self, tmp_path: Path) -> None:
        log = tmp_path / "home/postgres/log"
        log.mkdir(parents=True)
        with pytest.raises(PostgresUnavailable, match=f"{log}: Is a directory"):
            EmbeddedPostgres(tmp_path / "home").start()
