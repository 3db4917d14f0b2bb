"""What the faults are made of, looked at without a service: how bytes are held up, and what is said in the end."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from tests.faults import clocks, outboxes, steps
from tests.faults.checking import Acknowledged, losses
from tests.faults.host import small_disk_missing
from tests.faults.kinds import FAULTS
from tests.faults.players import Sent, Table
from tests.faults.relay import Relay
from tests.faults.site import Kill, readiness


@pytest.fixture
def behind() -> Iterator[socket.socket]:
    """A server of TCP that waits for a connection."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def connected(relay: Relay, behind: socket.socket) -> tuple[socket.socket, socket.socket]:
    client = socket.create_connection(("127.0.0.1", relay.port))
    server, _ = behind.accept()
    return client, server


def test_a_cut_holds_bytes_up_in_one_direction_and_loses_none(behind: socket.socket) -> None:
    with closing(Relay(behind.getsockname()[1])) as relay:
        client, server = connected(relay, behind)
        with client, server:
            client.sendall(b"before")
            assert server.recv(100) == b"before"
            relay.there.clear()
            client.sendall(b"held up")
            server.sendall(b"the way back")
            assert client.recv(100) == b"the way back"
            server.setblocking(False)
            with pytest.raises(BlockingIOError):
                server.recv(100)
            relay.mend()
            server.setblocking(True)
            assert server.recv(100) == b"held up"


def test_no_connection_comes_about_while_the_network_is_cut(behind: socket.socket) -> None:
    with closing(Relay(behind.getsockname()[1])) as relay:
        relay.there.clear()
        with socket.create_connection(("127.0.0.1", relay.port)) as client:
            client.sendall(b"hello")
            behind.setblocking(False)
            with pytest.raises(BlockingIOError):
                behind.accept()
            relay.mend()
            behind.setblocking(True)
            server, _ = behind.accept()
            with server:
                assert server.recv(100) == b"hello"


def test_bytes_of_lost_packets_come_late_and_in_order(behind: socket.socket) -> None:
    with closing(Relay(behind.getsockname()[1])) as relay:
        client, server = connected(relay, behind)
        relay.loss = 1.0
        with client, server:
            client.sendall(b"one and two")
            assert server.recv(100) in {b"one and two", b""}  # A few connections break.


def test_the_readiness_of_each_kind_of_kill_is_told_and_what_came_late() -> None:
    kills = [Kill("Postgres", 1.0), Kill("Postgres", 3.0), Kill("Postgres", 9.0), Kill("a worker", None)]

    lines = [line.split() for line in readiness(kills, 5.0)]
    assert lines[0][-1] == "5.0" or lines[0][-2:] == ["5.0", "s"]
    assert lines[1] == ["Postgres", "3", "3.0", "s", "9.0", "s", "1"]
    assert lines[2] == ["a", "worker", "1", "never", "never", "1"]
    assert lines[3] == ["all", "kills", "4", "3.0", "s", "9.0", "s", "2"]
    assert readiness([], 5.0) == []


def test_a_quick_look_finds_a_lost_action_and_minds_no_other() -> None:
    answer = Acknowledged("a key", 7, "transfer_money", "ana", {}, "00")
    assert list(losses([], [answer])) == ["action 7 (transfer_money, a key) was acknowledged and is lost"]
    assert list(losses([], [])) == []


def test_an_answer_is_looked_at_once_and_a_part_of_the_requests_is_kept() -> None:
    table = Table("a seed", "negopoly", ("ana", "bob"))
    table.acknowledged["g"] = []
    answers = [Acknowledged(f"key {n}", n, "roll_dice", "ana", {}, "00") for n in range(1, 11)]
    for answer in answers:
        table.keep(Sent("g", "ana", answer.key, {}), answer)
    assert table.unseen("g") == answers
    assert table.unseen("g") == []
    assert [sent.key for sent in table.sent] == ["key 5", "key 10"]


@pytest.mark.parametrize(
    ("status", "headers", "finding"),
    [
        (200, {"Idempotent-Replayed": "true"}, None),
        (201, {}, "was answered with 201"),
        (200, {}, "was not answered as a repeated request"),
        (409, {}, "was answered with 409"),
    ],
)
def test_a_request_that_comes_again_must_get_the_first_answer(
    status: int, headers: dict[str, str], finding: str | None
) -> None:
    entry = {"number": 3, "kind": "roll_dice", "seat": "ana", "params": {}, "receipt": {"leaf": "00"}}
    answer = httpx.Response(status, headers=headers, json=entry)
    found = list(outboxes.wrong_again("a request", answer))
    assert len(found) == (finding is not None)
    assert finding is None or finding in found[0]


def test_the_clock_of_a_process_jumps_while_it_runs_and_its_sleeps_do_not(tmp_path: Path) -> None:
    """Where there is no compiler, the faults of clocks are named as missing."""
    clock = tmp_path / "clock"
    clocks.set_clock(clock, 0)
    if clocks.missing() is not None:
        return
    code = (
        "import sys, time\n"
        "for line in sys.stdin:\n"
        "    began = time.monotonic(); time.sleep(0.01); time.monotonic() - began < 1000 or sys.exit(1)\n"
        "    print(time.time(), flush=True)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        env=os.environ | clocks.variables_of(clock, clocks.compiled(tmp_path)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None

    def read(seconds: int) -> float:
        clocks.set_clock(clock, seconds)
        print(file=process.stdin, flush=True)
        return float(process.stdout.readline())  # type: ignore[union-attr]

    right = time.time()
    assert read(0) >= right
    assert right + clocks.HOUR <= read(clocks.HOUR) <= time.time() + clocks.HOUR
    assert read(clocks.YEAR) >= right + clocks.YEAR
    assert read(0) < right + clocks.YEAR
    process.communicate()
    assert process.returncode == 0


def test_what_cannot_be_made_here_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    told = {fault.name: fault.missing() for fault in FAULTS if fault.missing not in (small_disk_missing,)}
    assert "strace" in str(told["commands killed at a step"])
    assert "strace" in str(told["requests killed at a statement"])
    assert "compiler" in str(told["a clock that jumps"])
    assert told["the network cut"] is None


def test_a_command_is_killed_at_its_call_or_finds_the_disk_full() -> None:
    """The words for strace: any call whose name begins so, in any process, the n-th time."""
    words = steps.strace(steps.NAMES, "signal=KILL", 3)
    assert words[:2] == ["strace", "-f"]
    assert words[-1] == "inject=/^(rename|link|unlink):signal=KILL:when=3"
