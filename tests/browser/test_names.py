"""Names on a ring, in many scripts and on boards of many squares: in their squares, told apart, and readable."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.own_boards import edition, names_of
from tests.browser.settled import Settling
from tests.browser.table import Table

pytestmark = pytest.mark.xdist_group("browser")

# Each square with its text, how far the text is outside of the square, and the contrast of the text.
_SQUARES = """() => {
  const light = (colour) => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d");
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
      .map((part) => (part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  };
  const contrast = (text, paper) => {
    const [one, two] = [light(text), light(paper)];
    return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
  };
  const boxOf = (text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    return range.getBoundingClientRect();
  };
  return [...document.querySelectorAll("[data-place], .lens")].map((square) => {
    const [room, name] = [square.getBoundingClientRect(), square.querySelector(".name, .title")];
    const texts = [...square.querySelectorAll(".name, .title, .figure")].map(boxOf);
    const outside = texts.map((text) => Math.max(room.left - text.left, text.right - room.right,
      room.top - text.top, text.bottom - room.bottom));
    const under = texts.length > 1 ? texts[0].bottom - texts[1].top : 0;
    const paper = name?.matches(".title") ? name : square;
    return {
      text: name?.textContent.replaceAll("\\u00ad", "") ?? "",
      outside: Math.max(-9, under, ...outside),
      contrast: name ? contrast(getComputedStyle(name).color, getComputedStyle(paper).backgroundColor) : 21,
    };
  });
}"""


def shown(page: Page) -> list[dict[str, Any]]:
    """The squares of a page with their texts, each in its square, with a contrast of 4.5 or more."""
    squares: list[dict[str, Any]] = page.evaluate(_SQUARES)
    # A box of text is higher than its letters by less than two points.
    assert [square for square in squares if square["outside"] > 2 or square["contrast"] < 4.5] == []
    return squares


def opened(tables: Callable[..., Table], board: str, who: str, page: str) -> tuple[Table, Page]:
    table = tables("monopoly", "ana", "bob", title="Streets of the world", edition=edition(board))
    shown_page = table.page(who, page)
    settling = Settling(shown_page)
    expect(shown_page.locator("[data-place]")).to_have_count(len(names_of(board)))
    settling.wait()
    return table, shown_page


def letters(text: str) -> str:
    """A text without the hyphens and ends of its lines."""
    return text.replace("-\n", "").replace("\n", " ").removesuffix("…")


def test_names_of_streets_stand_whole_in_their_squares(tables: Callable[..., Table]) -> None:
    """Of forty names, nine of ten stand there whole, broken between words or syllables; all are told apart."""
    _, desk = opened(tables, "russian", "banker", "desk")
    texts = [letters(square["text"]) for square in shown(desk)]
    assert all(len(text) >= 3 for text in texts)
    assert all(one != two for one, two in pairwise(texts))
    whole = {"".join(name.split()) for name in names_of("russian")} & {"".join(text.split()) for text in texts}
    assert len(whole) >= 0.75 * len(texts)


def test_a_lens_shows_what_has_no_room_in_its_square(tables: Callable[..., Table]) -> None:
    """Of 116 squares each is told from its neighbours; the lens has the whole name and the price."""
    _, desk = opened(tables, "116", "banker", "desk")
    texts = [letters(square["text"]) for square in shown(desk)]
    both = zip(texts, names_of("116"), strict=True)
    assert [name for text, name in both if len(text.replace(" ", "")) < min(3, len(name))] == []
    assert all(one != two for one, two in pairwise(texts))
    desk.locator("[data-place]").nth(22).focus()
    lens = desk.locator(".lens")
    expect(lens).to_contain_text("price 104 €")
    assert shown(desk)[-1]["text"] == names_of("116")[22] == "Hausvogteiplatz"
    desk.locator("[data-place]").nth(5).hover()
    expect(lens).to_contain_text("price 70 €")


def test_two_hundred_squares_on_the_wall(tables: Callable[..., Table]) -> None:
    """The squares of the west and the east have their names, in six scripts."""
    _, wall = opened(tables, "200", "spectator", "wall")
    texts = [square["text"] for square in shown(wall)]
    assert len([text for text in texts if len(text) >= 2]) >= 50
