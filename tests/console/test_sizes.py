"""How much a page loads before it shows: gzipped kilobytes of the built files, held below limits."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

BUILT = Path(__file__).parents[2] / "api" / "console" / "built"
SHELL = ("index.html", "src/frame/GamePage.svelte")
FIRST = {
    "desk": ("src/frame/BankerFrame.svelte", "src/frame/Desk.svelte"),
    "phone": ("src/phone/PhoneFrame.svelte", "src/phone/Play.svelte", "src/phone/Now.svelte"),
    "wall": ("src/wall/Wall.svelte",),
}
LIMITS = {"desk": 90, "phone": 60, "wall": 57}
"""In thousands of bytes of JavaScript: of the desk and the wall without their boards, which follow."""
FURTHER = 25
STYLES = 14


@cache
def manifest() -> dict[str, Any]:
    found = BUILT / ".vite" / "manifest.json"
    assert found.exists(), "the pages are not built: `make console`"
    return json.loads(found.read_text())


def reached(entries: Iterable[str]) -> set[str]:
    """The chunks that these load before they show."""
    seen: set[str] = set()
    waiting = list(entries)
    while waiting:
        chunk = waiting.pop()
        if chunk not in seen:
            seen.add(chunk)
            waiting += manifest()[chunk].get("imports", [])
    return seen


def kilobytes(files: Iterable[str]) -> float:
    return sum(len(gzip.compress((BUILT / name).read_bytes(), 9)) for name in set(files)) / 1000


def scripts(chunks: Iterable[str]) -> float:
    return kilobytes(manifest()[chunk]["file"] for chunk in chunks)


def styles(chunks: Iterable[str]) -> float:
    return kilobytes(style for chunk in chunks for style in manifest()[chunk].get("css", []))


@pytest.mark.parametrize("page", FIRST)
def test_the_first_page_is_small(page: str) -> None:
    loaded = reached((*SHELL, *FIRST[page]))
    assert 20 < scripts(loaded) <= LIMITS[page]
    assert 1 < styles(loaded) <= STYLES


def test_only_the_desk_loads_the_entry_line() -> None:
    """A chunk that the desk shares with other pages may not bring them its entry line, however late."""
    (entry,) = (chunk for chunk in manifest() if chunk.startswith("_bank-") and chunk.endswith(".js"))
    assert entry in reached(FIRST["desk"])
    rooms = ("src/phone/", "src/wall/", "src/board/", "src/journal/Hearing", "src/trust/Watching")
    shown = [chunk for chunk in manifest() if chunk.startswith(rooms)]
    assert len(shown) > 20
    assert [chunk for chunk in shown if entry in reached((chunk,))] == []


def test_a_further_page_is_small() -> None:
    """What a banker loads beyond the desk when another page is first shown."""
    desk = reached((*SHELL, *FIRST["desk"]))
    pages = {
        chunk
        for shared in reached(SHELL)
        for chunk in manifest()[shared].get("dynamicImports", [])
        if chunk.startswith("src/")
    }
    assert {"src/correct/Workbench.svelte", "src/docket/Docket.svelte", "src/replay/Replay.svelte"} <= pages
    too_large = {page: size for page in pages if (size := scripts(reached((page,)) - desk)) > FURTHER}
    assert too_large == {}
