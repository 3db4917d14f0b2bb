"""The short form of `make operations`: an evening in other servers, and the folders written by the service."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command.service import MABLIGOP, Service, here
from tests.operations import __main__ as operations
from tests.operations import servers
from tests.operations.containers import DEPLOY, writable
from tests.operations.evening import Evening
from tests.targets.test_short_forms import module_of

pytestmark = pytest.mark.xdist_group("command")

RECORDER = """
import os, sys

def record(event, arguments):
    if event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        paths = arguments[:1]
    elif event in {"os.mkdir", "os.rename", "os.symlink", "os.link", "os.truncate"}:
        paths = arguments[:2]
    else:
        return
    for path in paths:
        if isinstance(path, (str, bytes)) and path != log:
            os.write(file, os.fsencode(os.path.abspath(os.fsdecode(path))) + b"\\n")

log = os.environ["WRITTEN"]
file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
sys.addaudithook(record)
"""
"""A `sitecustomize` of all Python processes: an audit hook (PEP 578) writes down every path to be written.
What is removed was written before, and its path may be relative to an open folder."""


def test_the_target_runs_the_command() -> None:
    assert module_of("operations") == "tests.operations"


def test_a_line_for_each_combination_and_the_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: Path) -> str:
        raise AssertionError("the stream stopped")

    def lack(_: Path) -> str:
        raise servers.NotHere("no pgbouncer")

    runs = {"Postgres 18": lambda _: "Postgres 18.4", "PgBouncer": lack, "gunicorn": fail}
    monkeypatch.setattr(operations, "combinations", runs.items)
    assert operations.main(["--only", "P"]) == 0
    assert operations.main([]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [re.sub(r", \d+ s$", "", line) for line in lines[2:]] == [
        "Postgres 18: ok, Postgres 18.4",
        "PgBouncer: not run, no pgbouncer",
        "gunicorn: FAILED, AssertionError: the stream stopped",
    ]


def test_an_evening_in_uvicorn_goes_on_in_a_restored_backup(
    new_database: Callable[..., str], tmp_path: Path
) -> None:
    database, restored = (new_database(migrated=False) for _ in range(2))
    operations.play([database, restored], tmp_path / "home", servers.uvicorn)


def test_an_evening_in_gunicorn_by_wsgi_has_no_streams(new_database: Callable[..., str], tmp_path: Path) -> None:
    with servers.gunicorn(tmp_path / "home", DATABASE_URL=new_database()) as url:
        Evening(url).play(url, streams=False)


def test_the_service_writes_only_where_the_container_lets_it(
    new_database: Callable[..., str], tmp_path: Path
) -> None:
    """With the folders of the image below a root of its own, all written paths are volumes or in memory."""
    image = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ")
    settings = dict(re.findall(r"(\w+)=(\S+)", " ".join(re.findall(r"^ENV (.+)$", image, re.MULTILINE))))
    home, user = settings["MABLIGOP_HOME"], re.findall(r"^USER (\w+)$", image, re.MULTILINE)[-1]
    made = shlex.split(image.partition("&& install ")[2].partition("\n")[0])
    assert {f"--owner={user}", f"--group={user}", "$MABLIGOP_HOME"} <= set(made), "the volume takes this owner"

    root, hook = tmp_path / "root", tmp_path / "hook"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text(RECORDER)
    for folder in writable() | {home}:
        (root / folder.lstrip("/")).mkdir(parents=True)
    written = tmp_path / "written"
    variables = {
        "PYTHONPATH": f"{hook}:{Path(__file__).parents[2]}",
        "WRITTEN": str(written),
        "HOME": f"{root}{home}",
        "TMPDIR": str(root / "tmp"),
        "MABLIGOP_HOME": f"{root}{home}",
        "PYTHONDONTWRITEBYTECODE": "1",  # pip has compiled the modules of the image.
    }
    running = Service("--no-demo", "--workers", "2", program=MABLIGOP, DATABASE_URL=new_database(), **variables)
    try:
        Evening(running.url).play(running.url)
    finally:
        assert running.stop() == 0
    paths = {path.removeprefix(str(root)) for path in written.read_text().splitlines()}
    assert f"{home}/signing-keys" in paths
    allowed = [Path(folder) for folder in (*writable(), "/dev/null")]
    assert sorted(path for path in paths if not any(map(Path(path).is_relative_to, allowed))) == []


def test_a_data_folder_that_cannot_be_made_is_named_with_the_remedy(
    new_database: Callable[..., str], tmp_path: Path
) -> None:
    """As in a container without a volume for the keys."""
    (tmp_path / "file").touch()
    home = tmp_path / "file" / "home"
    refused = here("serve", "--port", "0", "--no-demo", MABLIGOP_HOME=str(home), DATABASE_URL=new_database())
    assert refused.returncode == 2
    assert f"the data folder {home} cannot be made (Not a directory): name a folder" in refused.stderr
