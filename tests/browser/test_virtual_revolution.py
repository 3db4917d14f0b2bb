"""Virtual Revolution in the console: an attack that three seats answer, the turn order, and a map that changes."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from replays.simulation import Series, game_of
from tests.browser.stored import stored_table
from tests.browser.table import Table, act_at_once, touch
from tests.browser.test_evening import enter
from tests.command.service import Service

pytestmark = pytest.mark.xdist_group("browser")

IMMUNITY = "Say how much Immunity to spend on the attack"
INFLUENCE = "Add influence where your Director is"


@pytest.fixture
def attacked(chromium: Browser, service: Service, served: str) -> Iterator[Table]:
    """The first round has just ended: a Necro card attacks all three, and each has Immunity to spend, or not."""
    series = Series(
        rulebook="virtual_revolution",
        games=1,
        players=3,
        seed=5,
        strategies=("builder", "creator", "random", "recruiter", "schemer"),
        actions=48,
    )
    table = stored_table(chromium, service, served, game_of(series, 0), "An evening in Néo Paris")
    assert {one["seat"] for one in table.ask("banker", "state")["awaited"]} == {"ana", "bob", "cleo"}
    yield table
    table.clear()


def choose(phone: Page, label: str, choice: str) -> None:
    """Touch a move, and its choice on the sheet; read what it would do, and confirm it."""
    phone.get_by_role("button", name=label, exact=True).tap()
    sheet = phone.get_by_role("dialog")
    sheet.get_by_role("radio", name=choice, exact=True).check()
    confirm = sheet.get_by_role("button", name=label, exact=True)
    touch(confirm)
    expect(sheet).to_be_hidden()


def objectives(table: Table, seat: str) -> list[str]:
    """The names of a seat's secret Objectives, the longer ones: short ones are words of other things, too."""
    held = table.ask("banker", "state")["accounts"][f"objectives:{seat}"]
    named = table.ask("banker", "names")["commodities"]
    return [named[one]["name"] for one in held if len(named[one]["name"]) > 10]


def test_an_attack_and_a_turn(attacked: Table) -> None:
    """Ana avoids the attack, Bob does not, and Cleo answers while her telephone has no connection."""
    table = attacked
    ana, bob, cleo = (table.page(seat, "play") for seat in ("ana", "bob", "cleo"))
    desk, wall = table.page("banker", "desk"), table.page("spectator", "wall")
    everybody = (ana, bob, cleo, desk, wall)

    choose(ana, IMMUNITY, "Spend 2 Immunity tokens to avoid GLOBAL")
    for page in everybody:
        expect(page.get_by_text("Ana spends 2 Immunity tokens to avoid GLOBAL.").first).to_be_visible()
    cleo.get_by_role("button", name=IMMUNITY, exact=True).tap()
    sheet = cleo.get_by_role("dialog")
    sheet.get_by_role("radio", name="Spend nothing").check()
    expect(sheet.get_by_text("Cleo spends no Immunity.").first).to_be_visible()
    with table.away():
        cleo.context.set_offline(True)
        sheet.get_by_role("button", name=IMMUNITY, exact=True).tap()
        expect(cleo.get_by_text("waits for the service")).to_be_visible()
        choose(bob, IMMUNITY, "Spend nothing")
        cleo.context.set_offline(False)
        for page in everybody:
            expect(page.get_by_text("Cleo spends no Immunity. GLOBAL hits Cleo and Bob.").first).to_be_visible()
    assert sum(one.startswith("Cleo spends no Immunity.") for one in table.sentences()) == 1

    # The banker types who comes first, and in round 2 where Cleo's Director goes.
    enter(desk, "1", "Cleo chooses place 1 in the turn order.")
    enter(desk, "2", "Ana chooses place 2 in the turn order.")
    for page in everybody:
        expect(page.get_by_text("The turn order is now: Cleo, Ana, Bob.").first).to_be_attached()
    enter(desk, "5", "Cleo places a Director in arrondissement 5.")

    # Cleo adds influence there by a touch; the map says so, as a drawing and as a list.
    if not act_at_once(cleo.get_by_role("button", name=INFLUENCE, exact=True)):
        touch(cleo.get_by_role("dialog").get_by_role("button", name=INFLUENCE, exact=True))
    for page in everybody:
        expect(page.get_by_text("Cleo adds influence in arrondissement 5.").first).to_be_visible()
    for page in (desk, wall):
        place = page.get_by_label(
            re.compile("5th, Quartier Latin, owned by Cleo, 2 influence tokens of Cleo.*; here: Cleo")
        )
        expect(place).to_be_visible()

    # Objectives are on the telephone of their owner, under Goods, and in no other page.
    for page, seat in ((ana, "ana"), (bob, "bob"), (cleo, "cleo")):
        page.get_by_role("link", name="Mine", exact=True).tap()
        for name in objectives(table, seat):
            expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()
            for other in everybody:
                if other not in (page, desk):
                    assert name not in other.content()
        # Covered, their owner's page has them no more.
        page.get_by_role("button", name="Cover", exact=True).tap()
        expect(page.get_by_role("heading", name="Covered")).to_be_visible()
        assert not any(name in page.content() for name in objectives(table, seat))
        page.keyboard.press("F8")
        expect(page.get_by_role("button", name=objectives(table, seat)[0], exact=True)).to_be_visible()
