"""The pictures in the README, taken from a real evening: `make pictures`.

The recorded game of Negopoly is continued from its middle; the desk and a telephone are photographed there.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.table import PHONE, Table
from tests.command.service import Service, create_from

FOLDER = Path(__file__).parents[2] / "api" / "console" / "pictures"
MIDDLE = 189
"""An action after which a seat is to resolve its stop."""


def take(folder: Path) -> None:
    """Take the pictures into this folder."""
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        service = Service("--home", home)
        chromium = playwright.chromium.launch(executable_path=shutil.which(CHROMIUM), args=FLAGS)
        try:
            game = service.wait_for(r"^  game +(\S+)")
            token = service.wait_for(r"^  banker +(\S+)")
            made = create_from(service, game, MIDDLE, token, title="Friday evening")
            table = Table(chromium, service.url, made["game"], made["tokens"], "negopoly", "Friday evening")
            desk = table.page("banker", "desk")
            desk.get_by_role("combobox", name="Entry line").press_sequentially("driss pays chloé 120")
            desk.locator("#entry .effect").get_by_text("₦120").first.wait_for()
            phone = table.page("driss", "play", size=PHONE)
            phone.get_by_label("What it would do").get_by_text("₦").first.wait_for()
            folder.mkdir(exist_ok=True)
            desk.screenshot(path=folder / "desk.png")
            phone.screenshot(path=folder / "phone.png")
            table.clear()
        finally:
            chromium.close()
            service.stop()


if __name__ == "__main__":
    take(FOLDER)
