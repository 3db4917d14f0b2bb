"""The screens of the pictures and of the measures: a person, a game, a page, and steps there.

The games are the demo's two, a part of each recorded game, and boards with names in many languages.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any, Literal

import msgspec
from playwright.sync_api import Browser, Page

import replays
from ledger.rulebooks import rulebooks_by_id
from replays.recorded import play_in_memory
from replays.recordings import read
from replays.simulation import EVENING, Played, Series, game_of
from tests.browser.own_boards import NAMES, edition
from tests.browser.settled import Settling
from tests.browser.stored import stored_table
from tests.browser.table import DESK, PHONE, WALL, Table
from tests.command.service import Service

GAMES = Path(replays.__file__).parent / "games"
PARTS = {
    "naruto": 0.6,
    "monopolys": 0.5,
    "virtual_revolution": 0.7,
    "negoces2": 0.6,
    "own_board": 0.6,
}
"""The recorded games with boards of their own, and the part of each that is played."""
EIGHT = Series(rulebook="negopoly", games=1, players=8, seed=3, strategies=("plain",), actions=240)
"""A game of bots with the most seats of all games."""
AUCTION = ("naruto", 0.14)
"""A recorded game up to an auction with two bids."""

Theme = Literal["light", "dark"]
Language = Literal["en", "fr"]


def type_line(line: str) -> Callable[[Page], None]:
    """Type into the entry line of the desk."""

    def type_it(page: Page) -> None:
        page.locator("#entry-line").press_sequentially(line)

    return type_it


def cover(page: Page) -> None:
    """Cover the page of a telephone."""
    page.locator("button.cover").tap()
    page.locator("button.cover[aria-pressed=true]").wait_for()


def print_certificate(page: Page) -> None:
    """Show the certificate of a game as on paper."""
    page.evaluate("window.print = () => undefined")
    page.get_by_role("button", name=re.compile("certificat|diplôme")).click()
    page.emulate_media(media="print")
    page.locator(".certificate").wait_for()


@dataclass(frozen=True)
class Screen:
    """A page of somebody in a game: "awaited" is the first seat awaited, None has no key."""

    who: str | None
    path: str
    size: tuple[int, int] = DESK
    game: str = "evening"
    steps: Callable[[Page], None] | None = None


SCREENS: dict[str, Screen] = {
    "desk": Screen("banker", "desk", steps=type_line("c60")),
    "phone": Screen("driss", "play", PHONE),
    "due": Screen("banker", "desk"),
    "half": Screen("banker", "desk", steps=type_line("mo")),
    "refused": Screen("banker", "desk", steps=type_line("c9000")),
    **{name: Screen("banker", "desk", game=name) for name in PARTS},
    "wall": Screen("spectator", "wall", WALL),
    "wall-map": Screen("spectator", "wall", WALL, "virtual_revolution"),
    "wall-cards": Screen("spectator", "wall", WALL, "negoces2"),
    "wall-eight": Screen("spectator", "wall", WALL, "eight"),
    "wall-auction": Screen("spectator", "wall", WALL, "auction"),
    "eight": Screen("banker", "desk", game="eight"),
    "wall-end": Screen("spectator", "wall", WALL, "finished"),
    "covered": Screen("driss", "play", PHONE, steps=cover),
    **{page: Screen("driss", f"play/{page}", PHONE) for page in ("pay", "goods", "mine", "table", "deal")},
    "phone-map": Screen("awaited", "play", PHONE, "virtual_revolution"),
    "phone-cards": Screen("awaited", "play", PHONE, "negoces2"),
    "accounts": Screen("banker", "accounts/player:driss"),
    "receipt": Screen("banker", "journal#180"),
    **{
        page: Screen("banker", page)
        for page in ("journal", "docket", "correct", "agreements", "replay", "statistics", "rules", "seats")
    },
    "end": Screen("banker", "result", game="finished"),
    "certificate": Screen("banker", "result", game="finished", steps=print_certificate),
    "home": Screen(None, "/"),
    "home-banker": Screen("banker", "/"),
}


NAMED: dict[str, Screen] = {
    **{f"names-{board}": Screen("banker", "desk", game=f"names-{board}") for board in (*NAMES, "51", "116")},
    "names-wall": Screen("spectator", "wall", WALL, "names-200"),
}
"""Boards with names in many languages, before the first turn: only for pictures, since nothing else is on them."""


@dataclass
class Evenings:
    """The games on a running service and the database of the service. A game is laid on first use."""

    chromium: Browser
    service: Service
    database: str
    tables: dict[str, Table] = field(default_factory=dict)

    def table(self, name: str) -> Table:
        """Return the table of a game of the demo, of a recorded game, or of a board with names in a language."""
        if name not in self.tables:
            if name in ("evening", "finished"):
                self.tables[name] = self._demo(name)
            elif name == "eight":
                self.tables[name] = self._stored(game_of(EIGHT, 0), "Eight at a table")
            elif name.startswith("names-"):
                board = edition(name.removeprefix("names-"))
                self.tables[name] = Table.laid(
                    self.chromium, self.service.url, "monopoly", ("ana", "bob"), title="Our streets", edition=board
                )
            else:
                self.tables[name] = self._recorded(*(AUCTION if name == "auction" else (name, PARTS[name])))
        return self.tables[name]

    def _demo(self, name: str) -> Table:
        with self.service.client() as client:
            games = client.get("/api/v1/demo").raise_for_status().json()["games"]
            seats = [seat["seat"] for game in games if game["name"] == name for seat in game["seats"]]

            def sit(role: str, **seat: str) -> dict[str, Any]:
                asked = {"name": name, "role": role, **seat}
                joined: dict[str, Any] = client.post("/api/v1/demo/seats", json=asked).raise_for_status().json()
                return joined

            banker = sit("banker")
            tokens = {
                "banker": banker["token"],
                "spectator": sit("spectator")["token"],
                "players": {seat: sit("player", seat=seat)["token"] for seat in seats},
            }
        return Table(self.chromium, self.service.url, banker["game"], tokens, banker["rulebook"], banker["title"])

    def _recorded(self, name: str, part: float) -> Table:
        recording = read((GAMES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())
        lines = recording.lines[: round(len(recording.lines) * part)]
        recording = msgspec.structs.replace(recording, lines=lines)
        book, pace = rulebooks_by_id()[recording.setup.rulebook], timedelta(seconds=5)
        name = f"shown-{name}-{len(lines)}"
        game = play_in_memory(recording, book, name=name, at=EVENING, pace=pace, chance=Random(1))
        played = Played(seed=1, game=game, ended=False)
        title = recording.setup.title or "An evening"
        return self._stored(played, title)

    def _stored(self, played: Played, title: str) -> Table:
        return stored_table(self.chromium, self.service, self.database, played, title)

    def open(
        self,
        screen: Screen,
        *,
        theme: Theme = "light",
        language: Language = "en",
        size: tuple[int, int] | None = None,
    ) -> Page:
        """Open a screen, do its steps, and wait until all is drawn."""
        table = self.table(screen.game)
        who = screen.who
        if who == "awaited":
            who = next(
                seat["seat"]
                for seat in table.ask("banker", "state")["awaited"]
                if seat["seat"] in table.tokens["players"]
            )
        page = table.page(who, "/join", size=size or screen.size, theme=theme, language=language)
        settling = Settling(page)
        path = screen.path if screen.path.startswith("/") else f"/g/{table.game}/{screen.path}"
        page.goto(table.url + path)
        page.get_by_role("heading", level=1).first.wait_for(state="attached")
        settling.wait()
        if screen.steps:
            screen.steps(page)
            settling.wait()
        return page

    def clear(self) -> None:
        """Close all pages. Fails after a forbidden act of a page, as `Table.clear`."""
        for table in self.tables.values():
            table.clear()
