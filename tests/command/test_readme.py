"""The README's tour, run as a reader would run it: documentation that cannot rot."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.command.service import Service

README = Path(__file__).parents[2] / "README.md"

pytestmark = pytest.mark.xdist_group("command")


def test_the_tour_does_what_it_says(tmp_path: Path) -> None:
    """Every line of the tour is pasted into a shell; the last answers are the ones the README describes."""
    found = re.search(r"<!-- tour -->\n```sh\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    service = Service("--no-demo", "--home", tmp_path / "home")
    try:
        tour = found.group(1).replace("http://127.0.0.1:8000", service.url)
        ran = subprocess.run(
            ["bash", "-eu", "-c", tour], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True
        )
    finally:
        service.stop()
    rolled, refused, bought, statement = (json.loads(line) for line in ran.stdout.splitlines() if line)
    assert rolled["kind"] == "roll_dice"
    assert (refused["status"], refused["rule"]) == (409, "II.D.4")
    assert bought["balances"]["player:ana"] == {"NGD": 1590, "title:black_arretxea": 1}
    assert [line["balance"] for line in statement["lines"] if line["commodity"] == "NGD"] == [1500, 1650, 1590]
