"""Put the console's pages into the wheel and into the source distribution.

The pages are built first, when they are older than their source. With the pages of a checkout or of a source
distribution, nothing is built, and no Node.js is needed.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# hatchling runs this file by its path, so the file beside it is no package's.
_SPEC = importlib.util.spec_from_file_location("pages", Path(__file__).with_name("pages.py"))
if _SPEC is None or _SPEC.loader is None:
    raise ImportError("pages.py is missing")
pages = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(pages)

_SERVED = ("index.html", "worker.js", "*.webmanifest", "assets/**", "docs/**", "icons/**")


class Pages(BuildHookInterface):  # type: ignore[type-arg]
    """Packs the built pages. An editable installation serves those of the checkout."""

    def dependencies(self) -> list[str]:
        """The package with Node.js, when pages are to be built."""
        return [] if pages.current() else [f"{pages.NODE}>=24"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the pages before they are packed. Raises NodeMissing and CalledProcessError."""
        if version == "editable":
            return
        pages.build()
        # The folder is not under version control, so what is packed of it is named here. With their fingerprint,
        # the pages of a source distribution are packed into its wheel as they are.
        fingerprint = (".vite/source.sha256",) if self.target_name == "sdist" else ()
        build_data["artifacts"] += [f"api/console/built/{name}" for name in (*_SERVED, *fingerprint)]
