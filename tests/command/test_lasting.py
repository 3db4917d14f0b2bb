"""A service that nobody listens to: its terminal is closed, or the reader of its output is gone. It goes on."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import subprocess
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from tests.command.service import MABLIGOP, Service, create_game, environment, holdings, sender
from tests.command.test_serve import postgres_is_gone, workers_of

pytestmark = pytest.mark.xdist_group("command")

_SECONDS = 60
Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def start(lay_home: Callable[[Path], Path], tmp_path: Path) -> Iterator[Start]:
    """A function that starts the service on a data folder of its own, in a session of its own."""
    lay_home(tmp_path / "home")
    started: list[subprocess.Popen[bytes]] = []

    def begin(output: int, *options: str, terminal: bool = False) -> subprocess.Popen[bytes]:
        def prepare() -> None:
            # The caller of the tests may ignore this signal, and that is inherited.
            signal.signal(signal.SIGHUP, signal.SIG_DFL)
            if terminal:
                fcntl.ioctl(output, termios.TIOCSCTTY, 0)

        process = subprocess.Popen(
            [MABLIGOP, "serve", "--no-demo", "--home", tmp_path / "home", *options],
            stdin=output if terminal else subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=environment(),
            start_new_session=True,
            preexec_fn=prepare,
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        if process.poll() is None:
            process.kill()
            process.wait()


def read_until(descriptor: int, pattern: str) -> str:
    """Read until the output has this pattern, and give its first group."""
    output = ""
    while (found := re.search(pattern, output)) is None:
        assert select.select([descriptor], [], [], _SECONDS)[0], f"no {pattern!r} in {output!r}"
        more = os.read(descriptor, 4096)
        assert more, f"no {pattern!r} in {output!r}"
        output += more.decode(errors="replace")
    return found[1]


def until_it_answers(url: str) -> None:
    """Wait until the service at the address is ready."""
    for _ in range(10 * _SECONDS):
        with suppress(httpx.TransportError):
            if httpx.get(f"{url}/readyz", trust_env=False).is_success:
                return
        time.sleep(0.1)
    raise AssertionError(f"{url} never answers")


def play(url: str) -> None:
    """Play a little: whatever the service logs of it, the money moves."""
    with httpx.Client(base_url=url, timeout=30, trust_env=False) as client:
        game, tokens = create_game(client)
        for amount in (1, 2, 3):
            sender(client, game)(tokens["ana"], "transfer_money", {"to": "bob", "amount": amount})
        # A request that fails has a line in the log whatever its level.
        assert client.get("/api/v1/games/nothing").status_code in (401, 404)
        assert holdings(client, game, tokens["banker"])["player:bob"]["NGD"] == 1656


def end(process: subprocess.Popen[bytes], home: Path) -> None:
    """End the service as an administrator does: it leaves in good order, with its Postgres."""
    process.send_signal(signal.SIGTERM)
    assert process.wait(_SECONDS) == 0
    assert postgres_is_gone(home)


def test_a_closed_terminal_does_not_end_the_service(start: Start, tmp_path: Path) -> None:
    """The banker closes the window: the system hangs up, and nothing can be written there any more."""
    window, terminal = pty.openpty()
    process = start(terminal, "--port", "0", terminal=True)
    os.close(terminal)
    url = read_until(window, r"serves at (http://\S+)")
    os.close(window)
    play(url)
    end(process, tmp_path / "home")


def test_neither_a_hangup_nor_a_reader_that_ends_ends_the_service(start: Start, tmp_path: Path) -> None:
    """As with `mabligop serve | head -1`: the reader has its line, and is gone."""
    reader, output = os.pipe()
    process = start(output, "--port", "0")
    os.close(output)
    url = read_until(reader, r"serves at (http://\S+)")
    os.killpg(process.pid, signal.SIGHUP)  # as a shell does when it ends
    play(url)
    os.close(reader)
    play(url)
    end(process, tmp_path / "home")


def test_a_reader_that_was_never_there_does_not_keep_the_service_from_starting(
    start: Start, tmp_path: Path
) -> None:
    from api.supervisor import free_address

    _, port = free_address("127.0.0.1", 0)
    reader, output = os.pipe()
    os.close(reader)
    process = start(output, "--port", str(port))
    os.close(output)
    url = f"http://127.0.0.1:{port}"
    until_it_answers(url)
    play(url)
    end(process, tmp_path / "home")


@pytest.fixture(scope="module")
def ended(
    lay_home: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Service, str, set[str]]:
    """A service that ended, what its processes had loaded after tables were made, and the first one's modules."""
    folder = tmp_path_factory.mktemp("ended")
    listed = folder / "modules"
    (folder / "sitecustomize.py").write_text(
        "import atexit, multiprocessing, pathlib, sys\n"
        f"place = pathlib.Path({str(listed)!r})\n"
        "def write():\n"
        "    if 'api.supervisor' in sys.modules and multiprocessing.parent_process() is None:\n"
        "        place.write_text('\\n'.join(sys.modules))\n"
        "atexit.register(write)\n"
    )
    found = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))
    service = Service("--no-demo", "--home", lay_home(folder / "home"), PYTHONPATH=found)
    try:
        with service.client() as client:
            game, tokens = create_game(client)
            client.headers["Authorization"] = f"Bearer {tokens['banker']}"
            for kind, beginning in (("parquet", b"PAR1"), ("csv", b"game,")):
                table = client.get(f"/api/v1/games/{game}/export", params={"format": kind, "table": "postings"})
                assert table.raise_for_status().content.startswith(beginning)
        loaded = "".join(Path(f"/proc/{one}/maps").read_text() for one in (service.pid, *workers_of(service)))
    finally:
        assert service.stop() == 0
    return service, loaded, set(listed.read_text().splitlines())


def test_tables_leave_nothing_behind(ended: tuple[Service, str, set[str]]) -> None:
    """The library that makes tables is loaded for an export, and is in no process of the service after it."""
    service, loaded, _ = ended
    assert "duckdb" not in loaded
    assert service.said[-1] == "Stopping …\n"
    assert not any("leaked" in line for line in service.said)


def test_the_process_that_starts_the_workers_holds_nothing_of_the_application(
    ended: tuple[Service, str, set[str]],
) -> None:
    """It waits for signals as long as the service runs. What it never needs, it does not import.

    The first start migrates, and needs more. This is every other start.
    """
    _, _, modules = ended
    assert {"granian", "psycopg", "api.supervisor"} <= modules
    application = {
        "api.server",
        "api.rest.application",
        "ledger.service",
        "ledger.rulebooks",
        "ledger.store.store",
    }
    libraries = {"flask", "flask_smorest", "marshmallow", "sqlalchemy", "alembic", "duckdb", "jinja2", "textual"}
    assert modules & (application | libraries) == set()
