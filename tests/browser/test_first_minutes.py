"""The first minutes with the service: from its address to the desk of the evening under way, and its steps."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.table import DESK, WALL, enter_line, touch
from tests.command.service import Service

pytestmark = pytest.mark.xdist_group("console")

SMALL_PHONE = (360, 740)


class Words(NamedTuple):
    """What one types and touches, in a language, and what is said after the last step."""

    language: str
    banker: str
    docket: str
    why: str
    past: str
    all_done: str


ENGLISH = Words("en", "Be the banker", "/go docket", "/why bruno", "/go 120", "That was all.")
FRENCH = Words("fr", "Être le banquier", "/aller litiges", "/pourquoi bruno", "/aller 120", "C'était tout.")


@pytest.fixture
def address(service: Service) -> str:
    """The address of the service, where the evening under way begins again for each scenario."""
    with service.client() as client:
        evening = client.get("/api/v1/demo").json()["games"][0]["game"]
        assert client.post("/api/v1/demo", json={"again": evening}).is_success
    return service.url


def first_page(chromium: Browser, address: str, language: str = "en", size: tuple[int, int] = DESK) -> Page:
    """Open the address in an empty profile."""
    width, height = size
    context = chromium.new_context(
        viewport={"width": width, "height": height},
        locale=language,
        has_touch=size != DESK,
        service_workers="block",
    )
    page = context.new_page()
    page.goto(address)
    return page


def line_of(page: Page) -> Locator:
    """Reach the entry line by its key."""
    page.keyboard.press("F2")
    return page.locator("#entry input, #entry textarea").first


def type_line(page: Page, typed: str) -> None:
    """Type a line, see what it would do, and write it."""
    line = line_of(page)
    line.fill("")
    page.keyboard.type(typed)
    enter_line(line)


@pytest.mark.parametrize("words", [ENGLISH, FRENCH], ids=lambda words: words.language)
def test_six_steps_by_keys_alone(chromium: Browser, address: str, words: Words) -> None:
    """One touch to the desk. At each step something else is tried first, and the step waits."""
    desk = first_page(chromium, address, words.language)
    desk.get_by_role("button", name=words.banker).click()
    steps = desk.locator("section.steps")
    marks = steps.locator(".marks .on")
    expect(steps).to_be_visible()
    expect(marks).to_have_count(0)

    def step(count: int) -> None:
        expect(marks).to_have_count(count)
        expect(steps.locator(".good")).to_be_visible()

    # The last step may come first.
    type_line(desk, words.past)
    expect(desk.get_by_role("status").filter(has_text=re.compile("(Line|Ligne) 120 "))).to_be_visible()
    desk.keyboard.press("Escape")
    step(1)
    type_line(desk, "53")
    step(2)
    type_line(desk, "b120")
    step(3)
    type_line(desk, "=54")
    step(4)
    type_line(desk, words.docket)
    expect(desk).to_have_url(re.compile(r"/docket/180$"))
    # Nothing is accepted before it was shown.
    expect(desk.locator("article kbd", has_text="a")).to_be_visible()
    desk.keyboard.press("a")
    expect(desk.locator("article .shown")).to_be_visible()
    expect(marks).to_have_count(4)
    desk.keyboard.press("a")
    step(5)
    type_line(desk, words.why)
    step(6)
    expect(steps.get_by_text(words.all_done)).to_be_visible()
    desk.keyboard.press("F4")
    expect(steps).to_have_count(0)
    desk.reload()
    expect(desk.locator("#entry")).to_be_visible()
    expect(steps).to_have_count(0)
    desk.context.close()


def test_a_phone_pays_answers_and_contests(chromium: Browser, address: str) -> None:
    """Chloé's phone is small: Ana's offer is answered, Driss is paid, and a line is contested."""
    phone = first_page(chromium, address, size=SMALL_PHONE)
    phone.get_by_role("button", name="Chloé").click()
    steps = phone.locator("section.steps")
    marks = steps.locator(".marks .on")
    expect(steps.get_by_text("Pay somebody")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.get_by_role("link", name="Pay", exact=True).click()
    phone.get_by_role("button", name="Driss").click()
    for digit in "25":
        phone.get_by_role("button", name=digit, exact=True).click()
    phone.get_by_role("button", name="Pay Driss ₦25").click()
    expect(marks).to_have_count(1)
    expect(steps.get_by_text("Ana offers you the Bar Freak Show for ₦240.")).to_be_visible()
    touch(phone.get_by_role("button", name=re.compile("^Agree to deal")))
    expect(marks).to_have_count(2)
    phone.get_by_role("button", name=re.compile("^Contest line")).first.click()
    contested = phone.get_by_role("dialog")
    contested.get_by_role("textbox").first.fill("I said 15.")
    send = contested.get_by_role("button").last
    expect(send).to_have_text("Open the dispute")
    send.click()
    expect(marks).to_have_count(3)
    expect(steps.get_by_text("That was all.")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.context.close()


def test_the_wall_has_one_sentence(chromium: Browser, address: str) -> None:
    wall = first_page(chromium, address, size=WALL)
    wall.get_by_role("button", name="The wall").click()
    expect(wall.get_by_text("A demo: the whole table sees this screen")).to_be_visible()
    wall.context.close()


def test_later_ones_own_games_come_first(chromium: Browser, address: str) -> None:
    """A table is laid in a row of names; the next one has them already, and the demo stands below."""
    page = first_page(chromium, address)
    # What is begun on the first page goes on to the page of a new table.
    page.get_by_label("Negopoly").check()
    page.get_by_role("link", name="Lay a new table").click()
    expect(page.get_by_role("heading", name="A new table")).to_be_visible()
    expect(page.get_by_label("Negopoly")).to_be_checked()
    page.get_by_label("Name of player 1", exact=True).press_sequentially("Ana, Bruno, Chloé")
    expect(page.get_by_label("Name of player 3", exact=True)).to_have_value("Chloé")
    page.get_by_role("button", name="Lay the table").click()
    expect(page.get_by_role("heading", name="Seats and invitations")).to_be_visible()
    page.goto(f"{address}/")
    expect(page.get_by_role("heading", name="On this device")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="Negopoly")).to_be_visible()
    expect(page.get_by_role("button", name="Be the banker")).to_be_visible()
    page.goto(f"{address}/new")
    expect(page.get_by_label("Negopoly")).to_be_checked()
    expect(page.get_by_label("Name of player 2", exact=True)).to_have_value("Bruno")
    page.context.close()


def test_the_finished_evening_is_replayed(chromium: Browser, address: str) -> None:
    page = first_page(chromium, address, size=DESK)
    page.get_by_role("button", name="Look at a finished evening").click()
    expect(page).to_have_url(re.compile("/replay$"))
    assert page.evaluate(_ROLES) == ["spectator"]
    page.context.close()


_ROLES = """Object.keys(localStorage).filter((key) => key.startsWith('mabligop:'))
  .flatMap((key) => JSON.parse(localStorage.getItem(key)).map((one) => one.role))"""
