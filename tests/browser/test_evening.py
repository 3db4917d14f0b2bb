"""A whole evening of Negopoly in the console: a banker with a keyboard, three telephones, the wall."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.table import DESK, PHONE, WALL, Table, act_at_once, enter_line, touch, wait_until
from tests.command.service import Service

pytestmark = pytest.mark.xdist_group("console")


class House:
    """A service that can be killed and started again on the same port and database."""

    def __init__(self, database: str) -> None:
        self._database = database
        self.service = Service("--no-demo", DATABASE_URL=database)

    def kill(self) -> None:
        self.service.kill()

    def start_again(self) -> None:
        port = self.service.url.rpartition(":")[2]
        self.service = Service("--no-demo", "--port", port, DATABASE_URL=self._database)


@pytest.fixture
def house(new_database: Callable[..., str]) -> Iterator[House]:
    found = House(new_database())
    yield found
    found.service.stop()


def device(browser: Browser, table: Table, size: tuple[int, int]) -> Page:
    """A device that has never been here."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        has_touch=size == PHONE,
        locale="en-GB",
        reduced_motion="reduce",
    )
    page = context.new_page()
    table.adopt(context)
    table.watch(page)
    return page


def do(phone: Page, label: str) -> None:
    """Touch a move on a telephone, read what it would do, and confirm it on its sheet, if it has one."""
    if act_at_once(phone.get_by_role("button", name=label, exact=True)):
        return
    sheet = phone.get_by_role("dialog")
    confirm = sheet.get_by_role("button", name=label, exact=True)
    touch(confirm)
    expect(sheet).to_be_hidden()


def enter(desk: Page, line: str, effect: str) -> None:
    """Type a line, read what it would do, and press Enter."""
    field = desk.get_by_role("combobox", name="Entry line")
    expect(field).to_be_editable()
    field.press_sequentially(line)
    expect(desk.locator("#entry .effect")).to_contain_text(effect)
    enter_line(field)


def test_an_evening(chromium: Browser, house: House) -> None:
    table = Table(
        chromium,
        house.service.url,
        "",
        {"banker": "", "spectator": "", "players": {}},
        "negopoly",
        "Friday evening",
    )
    desk = device(chromium, table, DESK)

    # The banker lays the table.
    desk.goto(f"{house.service.url}/new")
    desk.get_by_role("radio", name="Negopoly").check()
    desk.get_by_label("Name of the game").fill("Friday evening")
    desk.get_by_role("button", name="+ Add a player").click()
    for number, name in enumerate(("Ana", "Bob", "Cleo"), 1):
        desk.get_by_role("textbox", name=f"Name of player {number}").fill(name)
    desk.get_by_role("button", name="Lay the table").click()
    desk.wait_for_url("**/seats")
    desk.get_by_role("button", name="Invite everybody who is not in").click()
    desk.get_by_role("button", name="Invite: the wall").click()
    links = desk.get_by_text("/join#")
    expect(links).to_have_count(4)
    invited = links.all_inner_texts()

    # Three telephones and the wall come in by their links; the code leaves the address.
    phones: dict[str, Page] = {}
    for name, link in zip(("ana", "bob", "cleo", "wall"), invited, strict=True):
        page = device(chromium, table, WALL if name == "wall" else PHONE)
        page.goto(link)
        expect(page.get_by_role("button", name="Take this seat")).to_be_visible()
        assert "#" not in page.url
        page.get_by_role("button", name="Take this seat").click()
        page.wait_for_url("**/wall" if name == "wall" else "**/play")
        phones[name] = page
    ana, bob, cleo, wall = (phones[name] for name in ("ana", "bob", "cleo", "wall"))
    expect(desk.get_by_text("connected", exact=True).first).to_be_attached()

    # Everybody enters the game on their own telephone.
    for page in (ana, bob, cleo):
        page.get_by_role("button", name="Enter the game").click()
        sheet = page.get_by_role("dialog")
        sheet.get_by_role("textbox").first.fill("Don")
        sheet.get_by_role("button", name="Enter the game").click()
        expect(sheet).to_be_hidden()
    for page in (ana, bob, cleo):
        page.get_by_role("button", name="Choose a starting perk").click()
        sheet = page.get_by_role("dialog")
        sheet.get_by_role("radio", name="money").check()
        sheet.get_by_role("button", name="Choose a starting perk").click()
        expect(sheet).to_be_hidden()

    # The banker starts with Enter alone, and types Ana's throw with two keys and Enter.
    desk.get_by_role("link", name="Table", exact=True).click()
    field = desk.get_by_role("combobox", name="Entry line")
    effect = desk.locator(".effect")
    expect(effect).not_to_be_empty()
    field.press("Enter")
    expect(wall.get_by_text("Ana's turn").first).to_be_visible()
    enter(desk, "12", "Black Arretxea")
    for page in (desk, ana, bob, cleo, wall):
        expect(page.get_by_text("Ana rolls 1, 2.").first).to_be_visible()
    for line, sentence in (("buy", "Ana buys Black Arretxea for ₦60."), ("end", "Ana's turn ends.")):
        enter(desk, line, sentence)

    # Bob throws on his telephone by touching the faces, and buys where he stops.
    for face in ("2", "4"):
        bob.get_by_role("button", name=face, exact=True).tap()
    expect(bob.get_by_label("What it would do")).to_contain_text("17 rue des patates")
    bob.get_by_role("button", name="Roll the dice").tap()
    do(bob, "Buy 17 rue des patates for ₦100")
    expect(bob.get_by_label("What it would do")).to_contain_text("Bob's turn ends.")
    touch(bob.get_by_role("button", name="End the turn"))
    for page in (desk, ana, cleo, wall):
        expect(page.get_by_text("Bob buys 17 rue des patates for ₦100.").first).to_be_visible()

    # The banker hears 1+1 for Cleo, types it, and mends it: it was 3+5. Every page says so.
    enter(desk, "33", "Cleo rolls 3, 3.")
    expect(ana.get_by_text("Cleo rolls 3, 3.").first).to_be_visible()
    enter(desk, "=35", "69 rue des patates")
    for page in (desk, ana, bob, cleo):
        expect(page.get_by_text("Cleo rolls 3, 5.").first).to_be_visible()
    do(cleo, "Leave 69 rue des patates with the bank")

    # Cleo pays Ana.
    cleo.get_by_role("link", name="Pay", exact=True).tap()
    cleo.get_by_role("button", name="Ana").tap()
    for digit in "50":
        cleo.get_by_role("button", name=digit, exact=True).tap()
    expect(cleo.get_by_label("What it would do")).to_contain_text("Cleo gives ₦50 to Ana")
    cleo.get_by_role("button", name="Pay Ana ₦50").tap()
    expect(desk.get_by_text("Cleo gives ₦50 to Ana.").first).to_be_visible()

    # Ana offers Bob her title for ₦100 and a promise; he agrees on his telephone.
    ana.get_by_role("link", name="Pay", exact=True).tap()
    ana.get_by_role("link", name="Propose a deal").tap()
    ana.get_by_role("button", name="Bob").tap()
    ana.get_by_role("button", name="You give: Black Arretxea").tap()
    ana.get_by_role("button", name="You get: NegoDollars").tap()
    for digits in ("1", "00"):
        ana.get_by_role("button", name=digits, exact=True).tap()
    expect(ana.get_by_text("You would get ₦40 more, at list price.")).to_be_visible()
    ana.get_by_label("Promises (one in each line)").fill("Bob lets Ana stay there once")
    expect(ana.get_by_text("Only Bob and you can read this.")).to_be_visible()
    propose = ana.get_by_role("button", name="Propose")
    expect(propose).to_be_enabled()
    propose.tap()
    expect(bob.get_by_text("“Bob lets Ana stay there once”")).to_be_visible()
    do(bob, "Agree to deal 19 (Ana, Bob)")
    for page in (desk, ana, bob):
        expect(page.get_by_text("Bob agrees to deal 19").first).to_be_visible()
    # Who is no party is told that something happened, and no more.
    expect(cleo.get_by_text("Something private happened.").first).to_be_visible()
    assert "deal 19" not in cleo.content()

    # Bob contests a line on his telephone; the banker rules at the docket, and the ruling is on every page.
    bob.get_by_role("link", name="Turn", exact=True).tap()
    bob.get_by_role("button", name="Contest line 17").tap()
    sheet = bob.get_by_role("dialog")
    sheet.get_by_label("What is wrong?").fill("She had said that she buys it")
    expect(sheet).to_contain_text("Bob opens dispute 21 on 17: She had said that she buys it.")
    sheet.get_by_role("button", name="Open the dispute").tap()
    desk.get_by_role("link", name="Disputes").click()
    desk.get_by_role("main").get_by_role("link", name="21").first.click()
    desk.get_by_label("Finding").fill("She had not paid: it is the bank's")
    desk.get_by_role("button", name="Dismiss", exact=True).click()
    for page in (ana, bob, wall):
        expect(page.get_by_text("She had not paid: it is the bank's").first).to_be_visible()
    desk.get_by_role("link", name="Table", exact=True).click()

    # Cleo's telephone loses the connection while she pays: it waits, and goes once when it is back.
    cleo.get_by_role("link", name="Pay", exact=True).tap()
    cleo.get_by_role("button", name="Bob").tap()
    with table.away():
        cleo.context.set_offline(True)
        for digit in "20":
            cleo.get_by_role("button", name=digit, exact=True).tap()
        cleo.get_by_role("button", name="Pay Bob ₦20").tap()
        expect(cleo.get_by_text("waits for the service")).to_be_visible()
        cleo.context.set_offline(False)
        expect(cleo.get_by_text("Cleo gives ₦20 to Bob.").first).to_be_visible()
    expect(cleo.get_by_text("waits for the service")).to_be_hidden()

    # The service is killed in the middle of the game, and comes back; the pages go on where they were.
    with table.away():
        house.kill()
        expect(desk.get_by_text("not connected").first).to_be_visible()
        house.start_again()
        enter(desk, "end", "Cleo's turn ends.")
        for page in (desk, ana, bob, cleo, wall):
            expect(page.get_by_text("Cleo's turn ends.").first).to_be_visible()

    # Bob's telephone is lost: the banker invites his seat again, and the old one forgets everything.
    desk.get_by_role("link", name="Seats").click()
    desk.get_by_role("button", name="Replace a lost phone: Bob").click()
    link = desk.get_by_text("/join#")
    expect(link).to_have_count(1)
    found = device(chromium, table, PHONE)
    found.goto(link.inner_text())
    found.get_by_role("button", name="Take this seat").click()
    found.wait_for_url("**/play")
    expect(bob.get_by_role("heading", name="This device was replaced")).to_be_visible()
    game = bob.url.split("/")[4]
    kept = f"Object.keys({{...localStorage, ...sessionStorage}}).filter((key) => key.includes('{game}'))"
    wait_until(bob, f"({kept}).length === 0")
    expect(found.get_by_role("main")).to_contain_text("₦1,470")
    table.clear()
