"""Put the console's pages into the wheel and into the source distribution, and a bill of materials into the wheel.

Pages older than their source are built first. With current pages, from a checkout or a source distribution,
nothing is built, and no Node.js is needed.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def _module(path: Path) -> ModuleType:
    """Import a module by its path: hatchling runs this file by path, so no module is in a package."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is missing")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


pages = _module(Path(__file__).with_name("pages.py"))
sbom = _module(Path(__file__).parents[2] / "migrations" / "sbom.py")

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
        fingerprint = (".vite/source.sha256", ".vite/packages.json") if self.target_name == "sdist" else ()
        build_data["artifacts"] += [f"api/console/built/{name}" for name in (*_SERVED, *fingerprint)]
        if self.target_name == "wheel":
            root = Path(self.root)
            bill = root / sbom.PACKED.with_name("mabligop.cdx.json")
            bill.write_bytes(sbom.bill(root))
            # The wheel has the bill in the folder `sboms` of its metadata (PEP 770).
            build_data["sbom_files"].append(str(bill.relative_to(root)))
