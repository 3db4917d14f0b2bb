"""Put the console's pages into the wheel and into the source distribution.

Pages older than their source are built first. With current pages, from a checkout or a source distribution,
nothing is built, and no Node.js is needed.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# hatchling runs this file by path, so the neighbouring module is not in a package.
_SPEC = importlib.util.spec_from_file_location("pages", Path(__file__).with_name("pages.py"))
if _SPEC is None or _SPEC.loader is None:
    raise ImportError("pages.py is missing")
pages = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(pages)

_SERVED = ("index.html", "worker.js", "*.webmanifest", "assets/**", "docs/**", "icons/**")


class Pages(BuildHookInterface):  # type: ignore[type-arg]
    """Packs the built pages. An editable installation serves the pages of the checkout."""

    def dependencies(self) -> list[str]:
        """Return the package with Node.js, if the pages must be built."""
        return [] if pages.current() else [f"{pages.NODE}>=24"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the pages before packing. Raises NodeMissing and CalledProcessError."""
        if version == "editable":
            return
        pages.build()
        # The folder is not under version control, so the files to pack are listed here. With their fingerprint,
        # the pages of a source distribution are packed into its wheel unchanged.
        fingerprint = (".vite/source.sha256",) if self.target_name == "sdist" else ()
        build_data["artifacts"] += [f"api/console/built/{name}" for name in (*_SERVED, *fingerprint)]
