"""The desk as seen: the board fills its room, nothing is cut, and the counter folds where nobody needs it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.table import DESK, WALL, Table

pytestmark = pytest.mark.xdist_group("console")

SEATS = ("ana", "bob", "cleo", "dan", "eve", "fay", "gus", "hal")
SIZES = ((1024, 700), DESK, WALL)

_CUT = """() => [...document.querySelectorAll(".square .body, .middle :is(h2, .worth, .cash, .when)")]
  .filter((part) => part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1)
  .map((part) => part.textContent)"""
_COVERED = """() => {
  const names = [...document.querySelectorAll(".square .name, .square .figure, .middle .name")];
  const meet = (a, b) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  return [...document.querySelectorAll(".stand")].flatMap((token) => names
    .filter((name) => meet(token.getBoundingClientRect(), name.getBoundingClientRect()))
    .map((name) => `${token.textContent} on ${name.textContent}`));
}"""
_SHARE = """() => {
  const { width, height } = document.querySelector(".ring").getBoundingClientRect();
  return width * height / innerWidth / innerHeight;
}"""
_PLACES = """() => [...document.querySelectorAll(".middle section, .middle .due, .square, .journal, #entry")]
  .map((part) => part.getBoundingClientRect())
  .map(({ x, y, width, height }) => [x, y, width, height].join()).join(";")"""


def board(page: Page) -> None:
    """Wait for the names on the squares."""
    expect(page.locator(".square .name").first).to_be_visible()
    expect(page.locator(".stand")).not_to_have_count(0)


def test_the_board_fills_its_room(tables: Callable[..., Table]) -> None:
    """Eight tokens on a square cover no name on any screen, and nothing moves for a typed line."""
    table = tables("negopoly", *SEATS)
    page = table.page("banker", "desk", size=DESK)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        board(page)
        assert page.evaluate(_CUT) == [], (width, height)
        assert page.evaluate(_COVERED) == [], (width, height)
        assert page.evaluate(_SHARE) > 0.42, (width, height)
    page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    board(page)
    before = page.evaluate(_PLACES)
    page.get_by_role("combobox", name="Entry line").press_sequentially("ana pays bob 30")
    expect(page.locator("#entry .effect")).not_to_be_empty()
    assert page.evaluate(_PLACES) == before


def test_the_counter_folds_on_other_pages(tables: Callable[..., Table]) -> None:
    """The prompt and what is awaited stay; F2 opens the counter, and it folds again when the line is left."""
    page = tables("negopoly", "ana", "bob").page("banker", "accounts", size=DESK)
    counter, line = page.locator("#entry"), page.get_by_role("combobox", name="Entry line")
    expect(counter).to_have_css("height", "49px")
    expect(counter.locator(".awaited")).not_to_be_empty()
    page.keyboard.press("F2")
    expect(line).to_be_focused()
    expect(counter).to_have_css("height", "117px")
    line.blur()
    expect(counter).to_have_css("height", "49px")
