"""A start: the workers import the application while the database is prepared, and end when it cannot be."""

import os
import pickle
import signal
import subprocess
import sys

import pytest

from api.supervisor import Variables
from tests.command.service import environment

_STARTING = """
import multiprocessing, os, select, signal, sys
from api import supervisor
from api.command.running.signals import leave

def wait():
    select.select([woken], [], [])

def prepare():
    print(len(multiprocessing.active_children()), "workers start", flush=True)
    {prepare}

signal.signal(signal.SIGTERM, leave)
# A signal that comes right before the wait ends it as well.
woken, wakes = os.pipe()
os.set_blocking(wakes, False)
signal.set_wakeup_fd(wakes)
_, port = supervisor.free_address("127.0.0.1", 0)
supervisor.serve("127.0.0.1", port, 2, prepare, lambda: print("started"))
"""


def start(prepare: str) -> subprocess.Popen[str]:
    """Start a service with two workers and this preparation. Returns it when it prepares."""
    service = subprocess.Popen(
        [sys.executable, "-c", _STARTING.format(prepare=prepare)],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # A shell that runs the tests in the background ignores this signal, and that is inherited.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert service.stdout is not None
    assert service.stdout.readline() == "2 workers start\n"
    return service


def end_of(service: subprocess.Popen[str]) -> str:
    """Wait until the service and all its workers have ended, and return the rest of their output.

    All of them share the output, so its end means that the last one is gone.
    """
    assert service.stdout is not None
    with service.stdout as output:
        said = output.read()
    service.wait()
    return said


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGTERM, 128 + signal.SIGTERM), (signal.SIGINT, -signal.SIGINT), (signal.SIGKILL, -signal.SIGKILL)],
)
def test_a_signal_ends_a_start_with_all_its_workers(number: signal.Signals, code: int) -> None:
    service = start("wait()")
    service.send_signal(number)
    said = end_of(service)
    assert service.returncode == code
    # Of the workers, none complains.
    assert said.count("Traceback") == (1 if number == signal.SIGINT else 0)


def test_a_database_that_does_not_start_ends_the_workers() -> None:
    service = start("raise SystemExit('Postgres did not start')")
    assert end_of(service) == "Postgres did not start\n"
    assert service.returncode == 1


def test_a_worker_that_is_started_later_waits_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """It inherits what the first workers were told."""
    monkeypatch.setenv("DATABASE_URL", "postgresql://before")
    variables = Variables()
    variables.tell({"DATABASE_URL": "postgresql://now"})
    missing = pickle.loads(pickle.dumps(variables))  # noqa: S301 - written here
    assert missing() == {}
    assert os.environ["DATABASE_URL"] == "postgresql://now"


def test_the_workers_do_not_wait_for_the_imports_of_the_preparation() -> None:
    """Before the workers start, nothing is imported that only the database, the keys or the welcome need."""
    imported = subprocess.run(
        [sys.executable, "-c", "import sys, api.command.running.serving; print(*sorted(sys.modules))"],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert "api.supervisor" in imported
    assert {"psycopg", "cryptography", "httpx", "api.command.running.preparing"} & {*imported} == set()
