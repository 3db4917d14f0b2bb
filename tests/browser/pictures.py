"""The pictures in the README, taken from a real evening: `make pictures`.

The recorded game of Negopoly is continued from its middle; the desk and a telephone are photographed there.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.table import PHONE, Table
from tests.command.service import Service, create_from

FOLDER = Path(__file__).parents[2] / "api" / "console" / "pictures"
MIDDLE = 189
"""An action after which a seat is to resolve its stop."""


def desk(table: Table) -> Page:
    """Open the banker's desk, with a line that is typed and what it would do."""
    page = table.page("banker", "desk")
    page.get_by_role("combobox", name="Entry line").press_sequentially("driss pays chloé 120")
    page.locator("#entry .effect").get_by_text("₦120").first.wait_for()
    return page


def phone(table: Table) -> Page:
    """Open a player's telephone, with the move that is due and what it would do."""
    page = table.page("driss", "play", size=PHONE)
    page.get_by_label("What it would do").get_by_text("₦").first.wait_for()
    return page


PAGES: dict[str, Callable[[Table], Page]] = {"desk": desk, "phone": phone}


def take(folder: Path, pages: Collection[str] = PAGES) -> None:
    """Take the pictures of these pages into a folder: `<page>.png`."""
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        service = Service("--home", home)
        chromium = playwright.chromium.launch(executable_path=shutil.which(CHROMIUM), args=FLAGS)
        try:
            game = service.wait_for(r"^  game +(\S+)")
            token = service.wait_for(r"^  banker +(\S+)")
            made = create_from(service, game, MIDDLE, token, title="Friday evening")
            table = Table(chromium, service.url, made["game"], made["tokens"], "negopoly", "Friday evening")
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
