"""Screens are large enough to read, whole, and full; every measure finds a planted fault.

A short run looks at a few screens. A long one looks at every screen, in both themes and languages, with text of
16, 20 and 24 points.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.look import covering, cut, empty, faults_of, kind_of, scrolled, small
from tests.browser.pictures import LANGUAGES, THEMES
from tests.browser.screens import SCREENS, Evenings, Language, Theme, cover
from tests.browser.settled import Settling
from tests.browser.table import PHONE, Table, wait_until
from tests.tables.negopoly import NO_DECKS, starting

pytestmark = pytest.mark.xdist_group("console")

SHORT = ("pay", "end", "naruto", "wall-map")
"""The screens of a short run."""

# A style like those of the pages: the policy refuses others.
_STYLE = """(rules) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets = [sheet];
}"""
_SCROLLING = ".frame { overflow: auto !important; grid-template-rows: auto auto 200vh auto auto !important; }"
_TWICE = """async () => {
  const due = document.querySelector("#entry button.due");
  const { x, y, width, height } = due.getBoundingClientRect();
  due.click();
  await new Promise((done) => setTimeout(done, 80));
  document.elementFromPoint(x + width / 2, y + height / 2).click();
}"""
_STAYS = """() => document.querySelector("main")
  .append(Object.assign(document.createElement("b"), { className: "note", textContent: "956" }))"""
_DIGITS = """() => [...document.querySelectorAll("[data-figure], .money, .note")]
  .flatMap((figure) => /\\d/.test(figure.textContent) ? [figure.textContent.trim()] : [])"""
_VERSION = "Number(document.body.dataset.version)"


@pytest.fixture(scope="module")
def opened(evenings: Evenings) -> Callable[[str], Page]:
    """A function for the page of a screen: opened once, and free of planted faults."""
    pages: dict[str, Page] = {}

    def open_once(name: str) -> Page:
        if name not in pages:
            pages[name] = evenings.open(SCREENS[name])
        pages[name].evaluate(_STYLE, "")
        return pages[name]

    return open_once


@pytest.mark.parametrize("name", SHORT)
def test_a_screen(chromium: Browser, opened: Callable[[str], Page], name: str) -> None:
    page = opened(name)
    assert faults_of(chromium, page, name) == []
    page.evaluate(_STYLE, ":root { font-size: 24px; }")
    Settling(page).redraw()
    assert faults_of(chromium, page, name) == []


@pytest.mark.soak
@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_in_every_look(chromium: Browser, evenings: Evenings, name: str) -> None:
    faults: list[str] = []
    looks: product[tuple[Theme, Language]] = product(THEMES, LANGUAGES)
    for theme, language in looks:
        page = evenings.open(SCREENS[name], theme=theme, language=language)
        settling = Settling(page)
        for size in (16, 20, 24):
            page.evaluate(_STYLE, f":root {{ font-size: {size}px; }}")
            settling.wait()
            faults += [f"{theme} {language} {size}: {fault}" for fault in faults_of(chromium, page, name)]
        page.context.close()
    assert not faults, "\n".join(faults)


PLANTED = {
    "a small name": ("naruto", ".square .name { font-size: 9px !important; }", "small: 10.0' of 12'"),
    "a small sum": ("naruto", ".plates .cash .note { font-size: 0.7rem; }", "small: 12.4' of 14'"),
    "a small text on a telephone": ("pay", "h1 { font-size: 0.75rem; }", "small: 0.750 rem: Pay"),
    "a small target": (
        "pay",
        "main button { min-height: 0 !important; height: 40px !important; }",
        "x 40",
    ),
    "a name of a seat with dots": ("naruto", ".plates .name { max-width: 1.2rem !important; }", "cut: A.name"),
    "a cut sentence": (
        "naruto",
        ".middle .due .text { max-height: 0.5rem; align-self: start !important; overflow: hidden; }",
        "cut: DIV.text",
    ),
    "a page that is too wide": ("pay", "body { min-width: 120vw; }", "cut: the page is 78 too wide"),
    "tokens on names": ("naruto", ".stand { translate: 0 3rem; }", "covers: A lies on"),
    "a plate on a name": ("naruto", ".plates { translate: 0 16rem; }", "lies on"),
    "an empty board": ("naruto", "section.board { visibility: hidden; }", "empty: "),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_fault_is_found(chromium: Browser, opened: Callable[[str], Page], planted: str) -> None:
    name, rules, fault = PLANTED[planted]
    page = opened(name)
    page.evaluate(_STYLE, rules)
    faults = (
        empty(chromium, page, kind_of(name))
        if fault.startswith("empty")
        else small(page, "phone" if name == "pay" else "desk") + cut(page) + covering(page)
    )
    assert any(fault in noted for noted in faults), faults


def test_the_frame_never_scrolls(opened: Callable[[str], Page]) -> None:
    """Head and counter stay under 40 presses of Tab; a scrolling frame is found."""
    page = opened("naruto")
    assert scrolled(page) == []
    page.evaluate(_STYLE, _SCROLLING)
    page.locator("#entry-line").focus()
    assert any("frame" in fault for fault in scrolled(page, 1))


def test_two_clicks_write_once(tables: Callable[..., Table]) -> None:
    """80 ms after a click on the due move another move lies there: a second click does nothing, a third acts."""
    table = tables("negopoly", "ana", "bob", dice="service", settings={"decks": NO_DECKS})
    for seat, kind, params in starting("ana", "bob"):
        table.act(seat or "banker", kind, params)
    page = table.page("banker", "desk")
    due, begun = page.locator("#entry button.due"), len(table.journal())
    expect(due).to_contain_text("Roll the dice")
    page.evaluate(_TWICE)
    wait_until(page, f"{_VERSION} > {begun}")
    expect(due).not_to_contain_text("Roll the dice")
    assert len(table.journal()) == begun + 1
    # By then a second one would be written, too.
    page.wait_for_timeout(260)
    due.click()
    wait_until(page, f"{_VERSION} > {begun + 1}")
    assert len(table.journal()) == begun + 2


def test_a_covered_page_has_no_amount(evenings: Evenings) -> None:
    """The page of a telephone has sums of the owner; a covered page has none; a planted sum is found."""
    page = evenings.open(SCREENS["phone"])
    assert page.evaluate(_DIGITS)
    cover(page)
    assert page.evaluate(_DIGITS) == []
    assert "956" not in page.content()
    page.evaluate(_STAYS)
    assert page.evaluate(_DIGITS) == ["956"]
    page.context.close()


def test_a_covered_telephone_acts_in_a_sheet(tables: Callable[..., Table]) -> None:
    """The due place says what the wall says; a sheet with the effect leaves nothing, closed or written."""
    table = tables("negopoly", "ana", "bob", dice="table", settings={"decks": NO_DECKS})
    for seat, kind, params in starting("ana", "bob"):
        table.act(seat or "banker", kind, params)
    page, begun = table.page("ana", "play", size=PHONE), len(table.journal())
    cover(page)
    awaited = table.ask("spectator", "state")["awaited"][0]["label"]
    due, sheet = (
        page.get_by_role("button", name=re.compile(f"^{awaited}", re.IGNORECASE)),
        page.get_by_role("dialog"),
    )

    def throw() -> Locator:
        due.tap()
        for face in ("1", "2"):
            sheet.get_by_role("button", name=face, exact=True).tap()
        roll = sheet.get_by_role("button", name="Roll the dice", exact=True)
        expect(roll).to_contain_text("Ana rolls 1, 2.")
        return roll

    throw()
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    assert "Ana rolls" not in page.content()
    assert len(table.journal()) == begun
    throw().tap()
    expect(sheet).to_have_count(0)
    expect(page.get_by_role("heading", name="Covered")).to_be_visible()
    assert len(table.journal()) == begun + 1
