"""The server of a home starts again after any of its processes was killed."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from ledger.store.postgres.embedded import EmbeddedPostgres, PostgresUnavailable
from tests.store.postgres.services import Service, descendants, lines, postmaster, server_gone, until, write


class TestAfterAKill:
    def test_of_the_service_the_server_goes_too(self, tmp_path: Path, serve: Callable[..., Service]) -> None:
        service = serve(tmp_path / "home")
        write(service.url, "Ana pays 40")
        with psycopg.connect(service.url):  # a client that stays connected holds nothing up
            service.kill()
            until(lambda: server_gone(tmp_path / "home"))
        with EmbeddedPostgres(tmp_path / "home") as server:
            assert lines(server.url) == ["Ana pays 40"]

    def test_of_the_service_the_next_starts_at_once(self, tmp_path: Path, serve: Callable[..., Service]) -> None:
        for number in range(4):
            service = serve(tmp_path / "home")
            write(service.url, f"payment {number}")
            service.kill()
        with EmbeddedPostgres(tmp_path / "home") as server:
            assert lines(server.url) == [f"payment {number}" for number in range(4)]

    def test_of_the_watchdog_the_server_does_not_stay_alone(
        self, tmp_path: Path, serve: Callable[..., Service]
    ) -> None:
        service = serve(tmp_path / "home")
        write(service.url, "Ana pays 40")
        service.kill(descendants(service.process.pid)[0])
        until(lambda: server_gone(tmp_path / "home"))
        with EmbeddedPostgres(tmp_path / "home") as server:
            assert lines(server.url) == ["Ana pays 40"]

    def test_of_everything_the_next_starts_at_once(self, tmp_path: Path, serve: Callable[..., Service]) -> None:
        service = serve(tmp_path / "home")
        write(service.url, "Ana pays 40")
        service.kill(*descendants(service.process.pid))
        with EmbeddedPostgres(tmp_path / "home") as server:
            assert lines(server.url) == ["Ana pays 40"]

    def test_of_watchdog_and_postmaster_orphans_are_waited_for(
        self, tmp_path: Path, serve: Callable[..., Service]
    ) -> None:
        service = serve(tmp_path / "home")
        write(service.url, "Ana pays 40")
        service.kill(*descendants(service.process.pid)[:2])
        with EmbeddedPostgres(tmp_path / "home") as server:
            assert lines(server.url) == ["Ana pays 40"]

    @pytest.mark.parametrize("victims", [slice(1, 2), slice(1, None)], ids=["postmaster", "all of Postgres"])
    def test_of_the_server_it_comes_back_to_the_same_url(
        self, tmp_path: Path, serve: Callable[..., Service], victims: slice
    ) -> None:
        service = serve(tmp_path / "home")
        write(service.url, "Ana pays 40")
        before = postmaster(tmp_path / "home")
        for process in descendants(service.process.pid)[victims]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

        def answers() -> bool:
            try:
                return lines(service.url) == ["Ana pays 40"] and postmaster(tmp_path / "home") != before
            except psycopg.OperationalError:
                return False

        until(answers)

    def test_while_the_home_is_being_made(self, tmp_path: Path, serve: Callable[..., Service]) -> None:
        home = tmp_path / "home"
        service = serve(home)
        until((home / "postgres/data.new/base").exists)
        service.kill(*descendants(service.process.pid))
        assert not (home / "postgres/data").exists()
        with EmbeddedPostgres(home) as server:
            write(server.url, "Ana pays 40")
            assert lines(server.url) == ["Ana pays 40"]

    def test_at_any_moment_of_a_start(self, tmp_path: Path, serve: Callable[..., Service]) -> None:
        home = tmp_path / "home"
        for hundredths in (5, 15, 25, 40, 60):
            service = serve(home)
            time.sleep(hundredths / 100)
            service.kill()
        with EmbeddedPostgres(home) as server:
            write(server.url, "Ana pays 40")
            assert lines(server.url) == ["Ana pays 40"]

    def test_leftovers_of_an_interrupted_making_are_cleared(self, tmp_path: Path) -> None:
        half_made = tmp_path / "home/postgres/data.new/base"
        half_made.mkdir(parents=True)
        (half_made / "1").write_bytes(b"half a file")
        (tmp_path / "home/postgres/data").mkdir()
        with EmbeddedPostgres(tmp_path / "home") as server:
            write(server.url, "Ana pays 40")
        assert not (tmp_path / "home/postgres/data.new").exists()

    def test_a_folder_of_somebody_elses_files_is_left_alone(self, tmp_path: Path) -> None:
        theirs = tmp_path / "home/postgres/data/letter.txt"
        theirs.parent.mkdir(parents=True)
        theirs.write_text("Dear Ana")
        with pytest.raises(PostgresUnavailable, match="no Postgres cluster"):
            EmbeddedPostgres(tmp_path / "home").start()
        assert theirs.read_text() == "Dear Ana"


class TestAStaleProcessNumber:
    @pytest.fixture
    def bystander(self) -> Iterator[subprocess.Popen[bytes]]:
        with subprocess.Popen(["sleep", "600"]) as process:
            yield process
            process.kill()

    def test_now_of_another_process_neither_kills_it_nor_stops_the_start(
        self, tmp_path: Path, serve: Callable[..., Service], bystander: subprocess.Popen[bytes]
    ) -> None:
        service = serve(tmp_path / "home")
        write(service.url, "Ana pays 40")
        service.kill(*descendants(service.process.pid))
        pid_file = tmp_path / "home/postgres/data/postmaster.pid"
        stale = pid_file.read_text().splitlines()
        pid_file.write_text("\n".join([str(bystander.pid), *stale[1:]]) + "\n")
        with EmbeddedPostgres(tmp_path / "home") as server:
            assert lines(server.url) == ["Ana pays 40"]
        assert bystander.poll() is None

    def test_now_of_another_homes_server_leaves_that_one_running(
        self, tmp_path: Path, serve: Callable[..., Service]
    ) -> None:
        other = serve(tmp_path / "other")
        write(other.url, "Bob pays 7")
        with EmbeddedPostgres(tmp_path / "home") as server:
            write(server.url, "Ana pays 40")
        (tmp_path / "home/postgres/data/postmaster.pid").write_text(f"{postmaster(tmp_path / 'other')}\n")
        with EmbeddedPostgres(tmp_path / "home") as server:
            assert lines(server.url) == ["Ana pays 40"]
            assert lines(other.url) == ["Bob pays 7"]

    def test_in_a_damaged_file_does_not_stop_the_start(self, tmp_path: Path) -> None:
        with EmbeddedPostgres(tmp_path / "home") as server:
            write(server.url, "Ana pays 40")
        (tmp_path / "home/postgres/data/postmaster.pid").write_text("")
        with EmbeddedPostgres(tmp_path / "home") as server:
            assert lines(server.url) == ["Ana pays 40"]
