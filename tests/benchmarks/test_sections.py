"""`make bench` in its shortest form: the sections run, and none of them hides another when it fails."""

from __future__ import annotations

import re
import socket
import subprocess
import sys

import pytest

from tests.benchmarks.__main__ import SECTIONS, main
from tests.benchmarks.bench import Bench
from tests.benchmarks.load import Script, answered

SHORTEST = ["--smallest", "--rounds", "1"]
WITHOUT_A_SERVICE = ("appending", "correcting", "long", "monopoly", "virtual_revolution", "trust")
"""The sections that start no process of their own: each takes less than a second."""


def crashing(bench: Bench) -> None:
    """A section that fails."""
    raise RuntimeError("the dog ate the banknotes")


def test_a_section_that_fails_is_named_and_the_others_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    sections = {"crashing": crashing} | {name: SECTIONS[name] for name in WITHOUT_A_SERVICE}

    code = main(SHORTEST, sections)

    table = capsys.readouterr().out
    assert table.splitlines()[-1] == "failed sections: crashing", table
    assert "crashing failed:\nTraceback (most recent call last):\n" in table
    assert "RuntimeError: the dog ate the banknotes\n" in table
    for line in (
        "append of an action with 3 events, one connection",
        "a statement from the start, after that correction",
        "50 frames of a replay anywhere in",
        "monopolys: moves of a seat in mid-game, CPU",
        "virtual_revolution: decide and record",
        "a proof in a log of 300",
    ):
        assert f"\n{line} " in table
    assert code == 1


def test_a_section_on_a_service_is_measured_by_the_command() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks", *SHORTEST, "reading"],
        capture_output=True,
        text=True,
        check=False,
    )

    # The last entry of a game of at least 120 may bring another with it.
    assert re.search(r"\n50 frames of a replay, game of 12[0-3]: ", ended.stdout), ended.stderr
    assert ended.stdout.splitlines()[-1] == "failed sections: none", ended.stdout
    assert ended.returncode == 0


def test_a_client_that_fails_ends_the_measurement() -> None:
    """Nobody waits for an answer that cannot come: one of two clients has a request that cannot be written."""
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        address = nobody.getsockname()
        unwritable: Script = [("/", {}, {"a set": {1}})]
        with pytest.raises(RuntimeError, match="a client failed"):
            answered(address, [unwritable, [("/", {}, {})]])


@pytest.mark.soak
def test_every_section_runs() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks", *SHORTEST], capture_output=True, text=True, check=False
    )

    assert ended.stdout.splitlines()[-1] == "failed sections: none", ended.stdout
    assert ended.returncode == 0


def test_the_help_lists_every_section_with_its_subject(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=r"^0$"):
        main(["--help"])

    lines = capsys.readouterr().out.splitlines()
    listed = lines[lines.index("sections:") + 1 :]
    assert [line.split()[0] for line in listed] == list(SECTIONS)
    assert all(len(line.split()) > 3 for line in listed)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [(["faster"], "no section faster; there are: appending, "), (["--rounds", "0"], "0 rounds measure nothing")],
)
def test_what_cannot_be_measured_is_refused(
    arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match=r"^2$"):
        main(arguments)

    assert reason in capsys.readouterr().err
