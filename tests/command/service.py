"""Running the command as users do, in a process of its own."""

from __future__ import annotations

import os
import re
import signal
import ssl
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from functools import cache
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from unittest.mock import patch

import httpx
from click.testing import CliRunner

from api.command.main import main
from api.command.terminal import progress
from tests.tables.negopoly import asked_for, starting

MABLIGOP = Path(sys.executable).with_name("mabligop")
SHORT = Path(__file__).parents[1] / "replays" / "short.jsonl"
NEW_GAME = asked_for("ana", "bob", settings={})

_READY_SECONDS = _STOP_SECONDS = _ANSWER_SECONDS = 300
"""Only what hangs takes so long, however busy the machine is."""


def environment(**variables: str) -> dict[str, str]:
    """The current environment with these variables, without the service's own and the terminal's size.

    The command is started many times: it may keep what Python has compiled.
    """
    own = re.compile(
        r"MABLIGOP_(?!POSTGRES_BIN)|DATABASE_URL$|.*_proxy$|LINES$|COLUMNS$|PYTHONDONTWRITEBYTECODE$",
        re.IGNORECASE,
    )
    return {name: value for name, value in os.environ.items() if not own.match(name)} | variables


def run(*arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the command to its end."""
    return subprocess.run(
        [MABLIGOP, *arguments],
        env=environment(**variables),
        capture_output=True,
        text=True,
        timeout=_READY_SECONDS,
        check=False,
    )


def here(*arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the command to its end in this process, which is faster than a process of its own.

    Nothing counts as slow here, so standard error has no progress lines, however busy the machine is. Exceptions
    other than exit codes are raised. SIGTERM is handled as before.
    """
    own = {name: None for name in os.environ if name not in environment()}
    asked = [str(one) for one in arguments]
    before = signal.getsignal(signal.SIGTERM)
    try:
        with patch.object(progress, "SLOW_SECONDS", 3600.0):
            ran = CliRunner().invoke(
                main, asked, env=own | variables, prog_name="mabligop", catch_exceptions=False
            )
    finally:
        if signal.getsignal(signal.SIGTERM) is not before:
            signal.signal(signal.SIGTERM, before)
    return subprocess.CompletedProcess(asked, ran.exit_code, ran.stdout, ran.stderr)


@cache
def trusted() -> ssl.SSLContext:
    """The certificates that clients trust: reading them for every client would take longer than its requests."""
    return ssl.create_default_context()


class Service:
    """`mabligop serve` on a free port, from the moment it answers until it is stopped."""

    def __init__(self, *options: str | Path, program: Path = MABLIGOP, **variables: str) -> None:
        self._process = subprocess.Popen(
            [program, "serve", "--port", "0", *options],
            env=environment(**variables),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            # The caller of the tests may ignore this signal, and that is inherited.
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
        )
        self.said: deque[str] = deque()
        self._lines: Queue[str | None] = Queue()
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()
        try:
            self.url = self.wait_for(r"serves at (https?://\S+)")
        except BaseException:
            self.kill()
            raise

    @property
    def pid(self) -> int:
        """The number of the process that was started."""
        return self._process.pid

    def client(self, token: str | None = None) -> httpx.Client:
        """A client with connections of its own."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return httpx.Client(
            base_url=self.url, headers=headers, timeout=_ANSWER_SECONDS, verify=trusted(), trust_env=False
        )

    def wait_for(self, pattern: str) -> str:
        """The first group of the next line of the service's output that contains this pattern."""
        while True:
            try:
                line = self._lines.get(timeout=_READY_SECONDS)
            except Empty:
                line = None
            if line is None:
                raise AssertionError(f"the service never said {pattern!r}; it said:\n{''.join(self.said)}")
            if (found := re.search(pattern, line)) is not None:
                return found[1]

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send a signal, wait until the service and all its workers are gone, and return the exit code."""
        self._process.send_signal(number)
        return self._end()

    def kill(self) -> int:
        """Kill the service, so that it cannot clean up; otherwise as `stop`."""
        return self.stop(signal.SIGKILL)

    def _end(self) -> int:
        code = self._process.wait(_STOP_SECONDS)
        # All workers share the output, so its end means that the last one is gone.
        self._reader.join(_STOP_SECONDS)
        assert not self._reader.is_alive(), "a worker outlived the service"
        return code

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as output:
            for line in output:
                self.said.append(line)
                self._lines.put(line)
        self._lines.put(None)


def create_game(client: httpx.Client, *seats: str) -> tuple[str, dict[str, str]]:
    """Create a started game of these seats (by default Ana and Bob). Returns its id and its tokens."""
    asked = asked_for(*(seats or ("ana", "bob")), settings={})
    created = client.post("/api/v1/games", json=asked).raise_for_status().json()
    own = {"banker": created["tokens"]["banker"], "spectator": created["tokens"]["spectator"]}
    tokens = {**created["tokens"]["players"], **own}
    send = sender(client, created["game"])
    for seat, kind, params in starting(*created["tokens"]["players"]):
        send(tokens[seat or "banker"], kind, params)
    return created["game"], tokens


def sender(client: httpx.Client, game: str) -> Callable[[str, str, dict[str, object]], dict[str, object]]:
    """A function that performs an action in a game and gives its journal entry."""

    def send(token: str, kind: str, params: dict[str, object]) -> dict[str, object]:
        answer = client.post(
            f"/api/v1/games/{game}/actions",
            json={"kind": kind, "params": params},
            headers={"Authorization": f"Bearer {token}"},
        ).raise_for_status()
        entry: dict[str, object] = answer.json()
        return entry

    return send


def holdings(client: httpx.Client, game: str, token: str) -> dict[str, dict[str, int]]:
    """The accounts of a game as the token's bearer sees them."""
    answer = client.get(f"/api/v1/games/{game}/accounts", headers={"Authorization": f"Bearer {token}"})
    return {held["account"]: held["holdings"] for held in answer.raise_for_status().json()["accounts"]}
