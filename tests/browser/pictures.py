"""The pictures in the README, taken of the demo's evening under way: `make pictures`."""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.table import PHONE, Table
from tests.command.service import Service

FOLDER = Path(__file__).parents[2] / "api" / "console" / "pictures"


def desk(table: Table) -> Page:
    """Open the banker's desk, with a line that is typed and what it would do."""
    page = table.page("banker", "desk")
    page.get_by_role("combobox", name="Entry line").press_sequentially("53")
    page.locator("#entry .effect").get_by_text("₦22").first.wait_for()
    return page


def phone(table: Table) -> Page:
    """Open a player's telephone, with the move that is due and what it would do."""
    page = table.page("driss", "play", size=PHONE)
    page.get_by_label("What it would do").get_by_text("₦").first.wait_for()
    return page


def evening(chromium: Browser, service: Service) -> Table:
    """Open the evening under way as its banker and as Driss."""
    with service.client() as client:

        def take_seat(role: str, **seat: str) -> dict[str, Any]:
            taken = client.post("/api/v1/demo/seats", json={"name": "evening", "role": role, **seat})
            joined: dict[str, Any] = taken.raise_for_status().json()
            return joined

        banker, driss = take_seat("banker"), take_seat("player", seat="driss")
    tokens = {"banker": banker["token"], "players": {"driss": driss["token"]}}
    return Table(chromium, service.url, banker["game"], tokens, banker["rulebook"], banker["title"])


PAGES: dict[str, Callable[[Table], Page]] = {"desk": desk, "phone": phone}


def take(folder: Path, pages: Collection[str] = PAGES) -> None:
    """Take the pictures of these pages into a folder: `<page>.png`."""
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        service = Service("--home", home)
        chromium = playwright.chromium.launch(executable_path=shutil.which(CHROMIUM), args=FLAGS)
        try:
            service.wait_for(r"`(mabligop demo --tokens)`")
            table = evening(chromium, service)
            folder.mkdir(exist_ok=True)
            for page in pages:
                PAGES[page](table).screenshot(path=folder / f"{page}.png")
            table.clear()
        finally:
            chromium.close()
            service.stop()


def main(arguments: Sequence[str] | None = None) -> None:
    """Take the pictures, all of them and into the console's folder unless the arguments say otherwise."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.pictures")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--page", action="append", choices=PAGES, help="only this page")
    asked = parser.parse_args(arguments)
    take(asked.folder, asked.page or PAGES)


if __name__ == "__main__":
    main()
