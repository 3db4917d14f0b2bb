"""Whole tables in each game and on an own board: every seat at a telephone, a banker at the desk, a wall.

Seats act over the API as in `tests.crossing`, and by touches on their telephones. Meanwhile a clock runs out three
times, two telephones lose the network, and one player joins late. Every page must show the same game afterwards.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, cast

import httpx
import pytest
from playwright.sync_api import Browser, Page

from tests.browser.table import PHONE, Table, touch, wait_until
from tests.command.service import Service
from tests.crossing.hands import Hand
from tests.crossing.house import API
from tests.crossing.laying import lay
from tests.crossing.plans import Plan
from tests.crossing.playing import Playing
from tests.crossing.tables import BANKER, SPECTATOR
from tests.crossing.tables import Table as Laid

if TYPE_CHECKING:
    from tests.crossing.house import House

pytestmark = pytest.mark.xdist_group("console")

SEATS = {"q7": "Zoé", "k5x": "Łukasz", "w2": "Ana Ruiz", "zz9": "Bob", "x_3": "Chloé", "v8k": "Driss"}
MOST = {"negoces2": 4, "virtual_revolution": 4}
"""The most seats of the games for fewer than six."""
CLOCKS = {
    "negopoly": {"turn_seconds": 3},
    "virtual_revolution": {"answer_seconds": 3},
    **{game: {"auction_seconds": 5} for game in ("monopoly", "monopolys", "monopoly_naruto")},
}
"""The shortest clocks that leave time to look at a page."""
TABLES = ("negopoly", "negoces2", "monopoly_naruto", "monopolys", "virtual_revolution", "own")
VERSION = "Number(document.body.dataset.version)"


class Home:
    """The running service, as tables of `tests.crossing` know their house."""

    def __init__(self, service: Service, folder: Path) -> None:
        self.service, self.folder, self.url = service, folder, service.url

    def client(self) -> httpx.Client:
        """Give a client without a token."""
        return self.service.client()


class Evening:
    """A table with its pages: the desk, the wall, and a telephone for each seat but the late one."""

    def __init__(self, chromium: Browser, laid: Laid, rulebook: str) -> None:
        self.laid = laid
        players = {seat: laid.tokens[seat] for seat in laid.seats}
        tokens = {"banker": laid.tokens[BANKER], "spectator": laid.tokens[SPECTATOR], "players": players}
        self.table = Table(chromium, laid.house.url, laid.game, tokens, rulebook, "An evening")
        self.late = laid.seats[-1]
        self.phones: dict[str, Page] = {seat: self.table.page(seat, "play") for seat in laid.seats[:-1]}
        self.away: list[str] = []
        """The seats whose telephones have no network."""
        self.desk = self.table.page("banker", "desk")
        self.wall = self.table.page("spectator", "wall")

    @property
    def pages(self) -> list[Page]:
        """All pages."""
        return [self.desk, self.wall, *self.phones.values()]

    def lose_network(self) -> None:
        """Cut the telephones of two seats off."""
        self.table.watched.away = True
        self.away = self.laid.seats[:2]
        for seat in self.away:
            self.phones[seat].context.set_offline(True)

    def find_network(self) -> None:
        """Let them come back."""
        for seat in self.away:
            self.phones[seat].context.set_offline(False)
        self.away = []
        self.assert_up_to_date()
        self.table.watched.away = False

    def join_late(self) -> None:
        """Let the last seat come in by its invitation, on a telephone that was never here."""
        code = self.table.post("banker", "invitations", seat=self.late)["code"]
        phone = self.table.page(None, f"/join#{code}", size=PHONE, has_touch=True)
        phone.get_by_role("button", name="Take this seat").tap()
        phone.wait_for_url("**/play")
        kept = json.loads(phone.evaluate(f"localStorage.getItem('mabligop:{self.laid.game}')"))
        self.laid.replace(self.late, kept[0]["token"])
        self.table.tokens["players"][self.late] = kept[0]["token"]
        self.phones[self.late] = phone

    def touch(self, seat: str) -> bool:
        """Perform the due move of a seat on its telephone, where one touch does it. Returns whether it did."""
        moves = [move for move in self.laid.get(seat, "moves")["moves"] if move["rank"] == "due"]
        simple = [move for move in moves if not move["free"] and not {"choice", "confirm"} & move.keys()]
        if seat in self.away or not self.up_to_date(seat) or len(moves) != 1 or not simple:
            return False
        phone, head, label = self.phones[seat], self.laid.head, simple[0]["label"][self.laid.languages[seat]]
        # Within 400 ms of a change of the page, a touch does nothing.
        phone.wait_for_timeout(450)
        touch(phone.get_by_role("button", name=label, exact=True).first)
        # What asks for more has a sheet.
        wait_until(phone, f"document.querySelector('dialog[open]') !== null || {VERSION} > {head}")
        sheet = phone.get_by_role("dialog")
        if sheet.is_visible():
            phone.wait_for_timeout(450)
            touch(sheet.get_by_role("button", name=label, exact=True))
            wait_until(phone, f"{VERSION} > {head}")
        return True

    def let_time_run_out(self) -> bool:
        """Let the time of an awaited seat run out. Returns whether the game had such a time."""
        state = self.laid.get(BANKER, "state")
        if not state.get("clock", {"running": True})["running"]:
            self.table.act("banker", "resume_clock")
        elif not any("until" in awaited for awaited in state["awaited"]):
            return False
        for _ in range(1200):
            if self.laid.get(BANKER, "state").get("due"):
                return True
            self.desk.wait_for_timeout(50)
        raise AssertionError("the clock never runs out")

    def pause(self) -> None:
        """Stop the clock of the turn, if one runs."""
        if self.laid.get(BANKER, "state").get("clock", {}).get("running"):
            self.laid.post(BANKER, "actions", {"kind": "pause_clock"}, Idempotency_Key=f"pause {self.laid.head}")

    def up_to_date(self, seat: str) -> bool:
        """Whether the telephone of a seat shows the newest version."""
        return bool(seat in self.phones and self.phones[seat].evaluate(VERSION) == self.laid.head)

    def assert_up_to_date(self) -> None:
        """Check that every page shows the newest version, and whose turn it is."""
        head = self.laid.head
        for page in self.pages:
            wait_until(page, f"{VERSION} >= {head}")


def plan_of(name: str) -> Plan:
    """Plan the evening of a game; "own" is the Monopolys' engine on a board of the table's own."""
    rulebook = "monopoly" if name == "own" else name
    players = tuple(SEATS.items())[: MOST.get(rulebook, len(SEATS))]
    return Plan(
        seed=name,
        rulebook=rulebook,
        dice="service",
        players=players,
        settings=CLOCKS.get(rulebook, {}),
        board="" if name == "own" else None,
        languages=defaultdict(lambda: "en"),
        workers=1,
        steps=0,
    )


def hand_of(laid: Laid, rulebook: str) -> Hand:
    """Give the means of those who act at a table."""
    with laid.house.client() as client:
        actions = client.get(f"{API}/rulebooks/{rulebook}/actions").json()["actions"]
    cards: dict[str, list[str]] = defaultdict(list)
    for commodity, words in sorted(laid.get(BANKER, "names")["commodities"].items()):
        if commodity.startswith("card:"):
            cards[words.get("group", "")].append(commodity.removeprefix("card:"))
    return Hand(laid, {action["kind"]: action for action in actions}, cards)


def play(chromium: Browser, home: Home, name: str, steps: int) -> int:
    """Play an evening of so many steps with all pages open. Returns how often time ran out."""
    plan = plan_of(name)
    laid = lay(cast("House", home), plan)
    playing = Playing(hand_of(laid, plan.rulebook))
    evening = Evening(chromium, laid, plan.rulebook)
    expired = 0
    for step in range(steps):
        chance = Random(f"{name} {step}")
        if step == steps // 4:
            evening.lose_network()
        if step == steps // 2:
            evening.find_network()
            evening.join_late()
        if step % (steps // 4) == steps // 8:
            expired += evening.let_time_run_out()
        awaited = [seat["seat"] for seat in laid.get(BANKER, "state")["awaited"] if seat["seat"] in laid.seats]
        if not (awaited and chance.random() < 0.5 and evening.touch(chance.choice(awaited))):
            playing.move(chance)
        evening.pause()
    evening.assert_up_to_date()
    evening.table.clear()
    laid.leave()
    assert laid.findings == []
    return expired


def test_a_whole_table_of_negopoly(chromium: Browser, service: Service, tmp_path: Path) -> None:
    assert play(chromium, Home(service, tmp_path), "negopoly", 16) >= 1


@pytest.mark.soak
@pytest.mark.parametrize("name", TABLES)
def test_a_whole_table(chromium: Browser, service: Service, tmp_path: Path, name: str) -> None:
    expired = play(chromium, Home(service, tmp_path), name, 40)
    assert expired >= 3 or name != "negopoly"
