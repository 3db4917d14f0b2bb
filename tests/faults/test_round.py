"""One round of `make faults`, as the command plays it: a fault of a real service, and then a planted loss."""

from __future__ import annotations

import subprocess
import sys


def test_a_round_on_a_healthy_service_passes_and_a_loss_that_is_planted_after_it_is_found() -> None:
    """Postgres ends all its connections and recovers from its log, while eight players act.

    Players repeat what was not answered, streams come back, and both workers show the same game.
    """
    arguments = ["--seconds", "0", "--only", "a connection of Postgres killed", "--plant", "a lost end"]
    ended = subprocess.run(
        [sys.executable, "-m", "tests.faults", *arguments], capture_output=True, text=True, check=False
    )

    lines = ended.stdout.splitlines()
    planted = lines.index("planted: a lost end")
    assert lines[planted - 1].startswith("round   1  a connection of Postgres killed")
    assert lines[planted - 1].endswith("  ok"), ended.stdout
    assert "was acknowledged and is lost" in lines[planted + 1]
    assert lines[-1].endswith(" 1 failed")
    assert ended.returncode == 1, ended.stderr
