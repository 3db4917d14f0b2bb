"""The server of a home starts again after any of its processes was killed."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from ledger.store.postgres.embedded import EmbeddedPostgres, PostgresUnavailable
from tests.store.postgres.services import (
    Service,
    descendants,
    lines,
    postmaster,
    server_gone,
    until,
    watchdog,
    write,
)


def kill(*processes: int) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def parent(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def answers(url: str) -> bool:
    try:
        return lines(url) == ["Ana pays 40"]
    except psycopg.OperationalError:
        return False


def serves_again(service: Service, before: int) -> bool:
    """Whether another postmaster than `before` answers at the URL of the service."""
    return answers(service.url) and postmaster(service.home) != before


def is_busy(url: str) -> bool:
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%generate_series(1,%'"
            " AND pid <> pg_backend_pid()"
        )
        return found.fetchone() is not None


def prevent_starts(home: Path) -> Callable[[], object]:
    """Let the server refuse to start. Returns the function that lets it start again."""
    configuration = home / "postgres/data/postgresql.conf"
    before = configuration.read_text()
    configuration.write_text(before + "\nno_such_setting = on\n")
    return lambda: configuration.write_text(before)


def failed_starts(home: Path) -> int:
    return (home / "postgres/log").read_text().count('parameter "no_such_setting"')


class TestAfterAKill:
    def test_of_the_service_the_server_goes_too(self, home: Path, serve: Callable[..., Service]) -> None:
        service = serve(home)
        write(service.url, "Ana pays 40")
        with psycopg.connect(service.url):  # a client that stays connected holds nothing up
            service.kill()
            until(lambda: server_gone(home))
        with EmbeddedPostgres(home) as server:
            assert lines(server.url) == ["Ana pays 40"]

    def test_of_the_service_the_next_starts_at_once(self, home: Path, serve: Callable[..., Service]) -> None:
        for number in range(4):
            service = serve(home)
            write(service.url, f"payment {number}")
            service.kill()
        with EmbeddedPostgres(home) as server:
            assert lines(server.url) == [f"payment {number}" for number in range(4)]

    def test_of_the_watchdog_the_server_does_not_stay_alone(
        self, home: Path, serve: Callable[..., Service]
    ) -> None:
        service = serve(home)
        write(service.url, "Ana pays 40")
        service.kill(descendants(service.process.pid)[0])
        until(lambda: server_gone(home))
        with EmbeddedPostgres(home) as server:
            assert lines(server.url) == ["Ana pays 40"]

    def test_of_everything_the_next_starts_at_once(self, home: Path, serve: Callable[..., Service]) -> None:
        service = serve(home)
        write(service.url, "Ana pays 40")
        service.kill(*descendants(service.process.pid))
        with EmbeddedPostgres(home) as server:
            assert lines(server.url) == ["Ana pays 40"]

    def test_of_watchdog_and_postmaster_orphans_are_waited_for(
        self, home: Path, serve: Callable[..., Service]
    ) -> None:
        service = serve(home)
        write(service.url, "Ana pays 40")
        service.kill(*descendants(service.process.pid)[:2])
        with EmbeddedPostgres(home) as server:
            assert lines(server.url) == ["Ana pays 40"]

    @pytest.mark.parametrize(
        "victims",
        [slice(0, 1), slice(1, 2), slice(0, 2), slice(1, None), slice(0, None)],
        ids=[
            "watchdog",
            "postmaster",
            "watchdog and postmaster",
            "all of Postgres",
            "watchdog and all of Postgres",
        ],
    )
    @pytest.mark.soak
    def test_of_all_but_the_service_the_server_comes_back_to_the_same_url(
        self, home: Path, serve: Callable[..., Service], victims: slice
    ) -> None:
        service = serve(home)
        write(service.url, "Ana pays 40")
        before = postmaster(home)
        kill(*descendants(service.process.pid)[victims])
        until(lambda: serves_again(service, before))
        assert service.close() == 0
        assert server_gone(home)

    def test_of_a_postmaster_whose_watchdog_was_stopped_the_server_comes_back(
        self, home: Path, serve: Callable[..., Service]
    ) -> None:
        service = serve(home)
        write(service.url, "Ana pays 40")
        before = postmaster(home)
        stopped = descendants(service.process.pid)[0]
        os.kill(stopped, signal.SIGSTOP)
        kill(before)
        until(lambda: serves_again(service, before))
        assert descendants(service.process.pid)[0] == stopped

    @pytest.mark.soak
    def test_a_server_that_was_stopped_or_asked_to_end_lets_clients_in_again(
        self, home: Path, serve: Callable[..., Service]
    ) -> None:
        service = serve(home)
        write(service.url, "Ana pays 40")
        before = postmaster(home)
        os.kill(before, signal.SIGSTOP)
        assert lines(service.url) == ["Ana pays 40"]
        with psycopg.connect(service.url):  # a client who stays: a server that is asked to end waits for it
            os.kill(before, signal.SIGTERM)
            until(lambda: serves_again(service, before))

    @pytest.mark.soak
    def test_of_a_postmaster_a_process_busy_with_a_long_statement_goes_too(
        self, home: Path, serve: Callable[..., Service]
    ) -> None:
        service = serve(home)
        write(service.url, "Ana pays 40")
        before = postmaster(home)
        with psycopg.connect(service.url) as client, ThreadPoolExecutor(1) as threads:
            busy = threads.submit(client.execute, "SELECT count(*) FROM generate_series(1, 1000000000000)")
            until(lambda: is_busy(service.url))
            kill(*descendants(service.process.pid)[:2])
            with pytest.raises(psycopg.OperationalError):
                busy.result(timeout=300)
        until(lambda: serves_again(service, before))

    @pytest.mark.soak
    def test_of_every_watchdog_that_starts_the_server_the_next_one_goes_on(
        self, home: Path, serve: Callable[..., Service]
    ) -> None:
        service = serve(home)
        write(service.url, "Ana pays 40")
        before = postmaster(home)
        killed: set[int] = set()

        def another_is_killed() -> bool:
            found = watchdog(service.process.pid)
            if found is None or found in killed:
                return False
            kill(found)
            killed.add(found)
            return True

        for _ in range(4):
            until(another_is_killed)
        until(lambda: serves_again(service, before))

    def test_of_the_first_watchdog_the_start_goes_on_with_another(
        self, tmp_path: Path, serve: Callable[..., Service]
    ) -> None:
        service = serve(tmp_path / "home")
        until(lambda: watchdog(service.process.pid) is not None)
        kill(*descendants(service.process.pid)[:1])
        write(service.url, "Ana pays 40")
        assert lines(service.url) == ["Ana pays 40"]

    def test_a_server_that_cannot_start_is_tried_again_until_it_can(
        self, home: Path, serve: Callable[..., Service]
    ) -> None:
        """As with a full disk that has room again."""
        service = serve(home)
        write(service.url, "Ana pays 40")
        before = postmaster(home)
        mended = prevent_starts(home)
        kill(*descendants(service.process.pid)[:2])
        until(lambda: failed_starts(home) >= 2)
        mended()
        until(lambda: serves_again(service, before))

    def test_a_long_log_is_cut_even_when_there_is_no_room_to_keep_it(
        self, home: Path, serve: Callable[..., Service]
    ) -> None:
        service = serve(home)
        write(service.url, "Ana pays 40")
        before = postmaster(home)
        (home / "postgres/log.1").mkdir()  # so that the log cannot be copied
        with (home / "postgres/log").open("a") as log:
            log.write("a long line\n" * 500_000)
        until(lambda: (home / "postgres/log").stat().st_size < 100_000)
        assert answers(service.url)
        assert postmaster(home) == before

    @pytest.mark.parametrize("end", [Service.close, Service.kill])
    def test_the_service_may_end_while_the_server_cannot_start(
        self, home: Path, serve: Callable[..., Service], end: Callable[[Service], object]
    ) -> None:
        service = serve(home)
        write(service.url, "Ana pays 40")
        mended = prevent_starts(home)
        kill(*descendants(service.process.pid)[:2])
        until(lambda: failed_starts(home) >= 1)
        end(service)
        mended()
        until(lambda: server_gone(home))
        with EmbeddedPostgres(home) as server:
            assert lines(server.url) == ["Ana pays 40"]

    @pytest.mark.parametrize("end", [Service.close, Service.kill])
    @pytest.mark.soak
    def test_the_service_may_end_while_the_server_starts_again(
        self, home: Path, serve: Callable[..., Service], end: Callable[[Service], object]
    ) -> None:
        service = serve(home)
        write(service.url, "Ana pays 40")
        kill(*descendants(service.process.pid)[:1])
        until(lambda: watchdog(service.process.pid) is not None)
        after = watchdog(service.process.pid)
        end(service)
        until(lambda: server_gone(home) and not Path(f"/proc/{after}/cwd").exists())
        with EmbeddedPostgres(home) as server:
            assert lines(server.url) == ["Ana pays 40"]

    def test_a_forked_worker_does_not_keep_the_restarted_server(self, home: Path) -> None:
        server = EmbeddedPostgres(home)
        write(server.start(), "Ana pays 40")
        before = postmaster(home)
        kill(parent(before))
        release, wait = os.pipe()
        workers = []
        for _ in range(20):
            workers.append(os.fork())
            if workers[-1] == 0:
                os.close(wait)
                os.read(release, 1)  # until the service lets it go
                os._exit(0)
            time.sleep(0.02)
        until(lambda: answers(server.url) and postmaster(home) != before)
        server.stop()
        assert server_gone(home)
        os.close(wait)
        for worker in workers:
            os.waitpid(worker, 0)
        os.close(release)

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
        self, home: Path, serve: Callable[..., Service], bystander: subprocess.Popen[bytes]
    ) -> None:
        service = serve(home)
        write(service.url, "Ana pays 40")
        pid_file = home / "postgres/data/postmaster.pid"
        stale = pid_file.read_text().splitlines()  # A server that has the time to end takes it away.
        service.kill(*descendants(service.process.pid))
        pid_file.write_text("\n".join([str(bystander.pid), *stale[1:]]) + "\n")
        with EmbeddedPostgres(home) as server:
            assert lines(server.url) == ["Ana pays 40"]
        assert bystander.poll() is None

    @pytest.mark.soak
    def test_now_of_another_homes_server_leaves_that_one_running(
        self, tmp_path: Path, home: Path, serve: Callable[..., Service]
    ) -> None:
        other = serve(tmp_path / "other")
        write(other.url, "Bob pays 7")
        with EmbeddedPostgres(home) as server:
            write(server.url, "Ana pays 40")
        (home / "postgres/data/postmaster.pid").write_text(f"{postmaster(tmp_path / 'other')}\n")
        with EmbeddedPostgres(home) as server:
            assert lines(server.url) == ["Ana pays 40"]
            assert lines(other.url) == ["Bob pays 7"]

    def test_in_a_damaged_file_does_not_stop_the_start(self, home: Path) -> None:
        with EmbeddedPostgres(home) as server:
            write(server.url, "Ana pays 40")
        (home / "postgres/data/postmaster.pid").write_text("")
        with EmbeddedPostgres(home) as server:
            assert lines(server.url) == ["Ana pays 40"]
