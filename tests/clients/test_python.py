"""Those who write in Python generate their client from the description, with the defaults of the generator.

With MABLIGOP_SOAK (`make soak`) from that of all games: then mypy checks 200,000 lines. Else from that of a
service with Negopoly alone, with every operation and a part of its kinds.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.properties.commands import SOAK

pytestmark = pytest.mark.xdist_group("python-client")

HERE = Path(__file__).parent
# What mypy knows of Python and of httpx, from one run to the next.
CACHE = HERE.parents[1] / ".mypy_cache" / "clients"


def run(*command: str | Path, cwd: Path, **variables: str) -> str:
    """Run a module of Python, which must succeed; return what it says."""
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=cwd,
        env=os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"} | variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_a_generated_client_is_typed_and_plays(document: Path, address: str, tmp_path: Path) -> None:
    """The generator warns of nothing, and mypy finds no mistake in what it wrote nor in `table.py`."""
    said = run("openapi_python_client", "generate", "--path", document, "--output-path", "client", cwd=tmp_path)
    assert said.split() == ["Generating", "client"], said
    (tmp_path / "client" / "table.py").write_text((HERE / "table.py").read_text())
    # A short run checks `table.py` against the client, and a soak every module of the client as well.
    checked = ["mabligop_client"] if SOAK else ["--follow-imports=silent"]
    run(
        "mypy",
        "--strict",
        "--config-file=",
        f"--cache-dir={CACHE}",
        *checked,
        "table.py",
        cwd=tmp_path / "client",
    )
    told = run("table", address, cwd=tmp_path / "client")
    assert told.splitlines() == [
        "black_arretxea",
        "/problems/rule-broken: Ana has ₦1585 and cannot spend ₦5000 without ₦3415 more",
        "9",
        "-60: Ana buys Black Arretxea for ₦60.",
        "-5: Ana gives ₦5 to Bob.",
        "150: Ana chooses a starting perk: ₦150.",
        "1500: Ana joins as Don ana.",
    ], told
