"""The end of a game takes the place of everybody's page: who won and why, all places, and what to do now."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, expect

from ledger.rulebooks import rulebooks_by_id
from replays.recorded import play_in_memory
from replays.recordings import read
from replays.simulation import EVENING, Played
from tests.browser.settled import Settling
from tests.browser.stored import stored_table
from tests.browser.table import PHONE, WALL, Table, wait_until
from tests.browser.test_figures import Answers, compare
from tests.command.service import Service

pytestmark = pytest.mark.xdist_group("console")

GAMES = Path(__file__).parents[2] / "replays" / "games"
SMALLEST = """Math.min(...[...document.querySelectorAll('main p, main h1, main li')]
  .map((part) => parseFloat(getComputedStyle(part).fontSize)))"""
"""The size of the smallest sentence or place of the page, in pixels."""


def finished(chromium: Browser, service: Service, served: str, name: str) -> Table:
    """A recorded game, played to its end."""
    recording = read((GAMES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())
    book, pace = rulebooks_by_id()[recording.setup.rulebook], timedelta(seconds=5)
    game = play_in_memory(recording, book, name=f"ended-{name}", at=EVENING, pace=pace, chance=Random(1))
    played = Played(seed=1, game=game, ended=True)
    return stored_table(chromium, service, served, played, "The last evening")


def test_the_end_of_a_game(chromium: Browser, service: Service, served: str) -> None:
    """Desk, telephone and wall show the end once; it stays in reach, and prints a certificate."""
    table = finished(chromium, service, served, "own_board")
    desk = table.page("banker", "/join")
    answers, settling = Answers(table, "banker", desk), Settling(desk)
    desk.add_init_script("window.print = () => (document.body.dataset.printed = 'yes');")
    desk.goto(f"{table.url}/g/{table.game}/desk")
    expect(desk.get_by_role("heading", level=1, name="Ana wins")).to_be_visible()
    expect(desk.get_by_role("heading", name="How it went")).to_be_visible()
    settling.wait()
    count, faults = compare(desk, answers)
    assert count > 6
    assert not faults, "\n".join(faults)
    places = desk.get_by_role("list", name="Places").get_by_role("listitem")
    expect(places).to_have_count(3)
    expect(places.first).to_contain_text("1. Ana")
    desk.get_by_role("button", name="Print the certificate").click()
    wait_until(desk, "document.body.dataset.printed === 'yes'")
    expect(desk.locator(".certificate")).to_contain_text("This certifies that")

    desk.get_by_role("link", name="To the table").click()
    expect(desk).to_have_url(f"{table.url}/g/{table.game}/desk")
    desk.get_by_role("link", name="Result").click()
    expect(desk.get_by_role("heading", level=1, name="Ana wins")).to_be_visible()

    wall = table.page("spectator", "wall", size=WALL)
    expect(wall.get_by_role("heading", level=1, name="Ana wins")).to_be_visible()
    expect(wall.get_by_role("list", name="Places")).to_contain_text("260 bt")
    assert wall.evaluate(SMALLEST) >= 0.049 * 1080 * 0.95
    assert wall.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone = table.page("bruno", "play", size=PHONE, language="fr")
    expect(phone.get_by_role("heading", level=1, name="Ana gagne")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    table.clear()
