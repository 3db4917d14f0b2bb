"""The wall: everything on one screen, in whole lines, whatever the screen, the names and the sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.table import WALL, Table, wait_until
from tests.tables.negopoly import starting

pytestmark = pytest.mark.xdist_group("console")

SCREENS = (WALL, (1280, 720), (1024, 768), (3840, 2160), (1080, 1920), (390, 844))
AT_THREE_METRES = (WALL, (1280, 720), (1080, 1920))
LONG = [
    "Ana",
    "Maximilienne-Alexandrine de la Tour d'Auvergne",
    "Владислав Константинопольский-Задунайский",
    "عبد الرحمن بن محمد الفارسي",
    "Zoë 🐉🔥",
    "Wilhelmina Featherstonehaugh-Cholmondeley",
    "Bob",
    "Dan",
]
ANGLES = """([metres, inches]) => {
  const millimetres = (inches * 25.4) / Math.hypot(innerWidth, innerHeight);
  const faults = [];
  let seen = 0;
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const part = texts.currentNode.parentElement;
    const box = part.getBoundingClientRect();
    const { fontSize, visibility } = getComputedStyle(part);
    if (!texts.currentNode.textContent.trim() || !box.width || visibility === 'hidden') continue;
    // Letters in tokens and strips are marks.
    if (part.closest('.hidden-visually, .token, .strip, [role="img"] svg')) continue;
    const capital = parseFloat(fontSize) * 0.716 * millimetres;
    const angle = (Math.atan(capital / (metres * 1000)) * 180 * 60) / Math.PI;
    const least = part.closest('.square') ? 6 : part.closest('small, .quiet, .more, b[data-figure]') ? 16 : 20;
    seen += 1;
    if (angle < least - 0.05)
      faults.push(`${part.textContent.slice(0, 30)}: ${angle.toFixed(1)} minutes, less than ${least}`);
  }
  return seen < 8 ? [...faults, `only ${seen} texts`] : faults;
}"""
FAULTS = """() => {
  const faults = [];
  const isOutside = ({ top, left, bottom, right }) =>
    Math.min(top, left) < -0.5 || bottom > innerHeight + 0.5 || right > innerWidth + 0.5;
  for (const part of [document.documentElement, ...document.querySelectorAll('main *')]) {
    if (part.closest('svg') || part.closest('.hidden-visually') || !part.clientWidth) continue;
    const [wide, high] = [part.scrollWidth - part.clientWidth, part.scrollHeight - part.clientHeight];
    // Long names, and sentences of more than three rows, end in dots with the whole in the title.
    const shortened = part.title === part.textContent.trim() && part.title.length > 20;
    // A letter may hang a little below its line: that is no line too many.
    if (shortened) continue;
    if (wide > 1 || high > parseFloat(getComputedStyle(part).fontSize) / 4)
      faults.push(`${part.tagName} ${part.textContent.slice(0, 40)}: ${wide} too wide, ${high} too high`);
  }
  for (const part of document.querySelectorAll('main > *, main li')) {
    if (part.closest('.hidden-visually') || !part.clientWidth) continue;
    if (!isOutside(part.getBoundingClientRect())) continue;
    faults.push(`outside: ${part.textContent.slice(0, 40)}`);
  }
  // Without a shortened name, nothing scrolls: not by a wheel, not by a script.
  const whole = document.querySelectorAll('main, main *:not([title], .hidden-visually)');
  for (const part of [document.scrollingElement, ...whole]) {
    part.scrollTop = part.scrollLeft = 99;
    if (part.scrollTop || part.scrollLeft) faults.push(`${part.tagName} scrolls`);
  }
  return faults;
}"""


def busy(tables: Callable[..., Table], names: list[str]) -> Table:
    """A table with these names on which much has happened."""
    seats = [f"seat{number}" for number in range(len(names))]
    players: list[dict[str, Any]] = [{"seat": seat, "name": name} for seat, name in zip(seats, names, strict=True)]
    table = tables("negopoly", *seats, players=players)
    for seat, kind, params in starting(*seats, perks={}):
        table.act(seat or "banker", kind, params)
    line = table.act(seats[0], "transfer_money", {"to": seats[1], "amount": 10})["action"]
    for claim in ("She gave it back.", "She never gave me that, and the dice fell from the table. " * 6):
        table.post(seats[1], "disputes", actions=[line], claim=claim)
        table.act(seats[0], "transfer_money", {"to": seats[1], "amount": 10})
    return table


def faults_of(wall: Page, metres: int | None = None) -> list[str]:
    """Return the faults that stay: lines and letters are fitted in the frames after a change of size or language.

    With a distance, letters too small for a screen of 40 inches are faults, too.
    """
    faults: list[str] = []
    for _ in range(100):
        faults = wall.evaluate(FAULTS) or (wall.evaluate(ANGLES, [metres, 40]) if metres else [])
        if not faults:
            break
        wall.wait_for_timeout(50)
    return faults


def newest_is_first(wall: Page, table: Table) -> None:
    newest = table.ask("spectator", "actions", order="newest", limit=1)["actions"][0]["sentence"]
    expect(wall.locator("[data-newest] li").first).to_contain_text(newest)


@pytest.mark.parametrize("names", [LONG[:2], LONG], ids=["two", "eight"])
def test_a_wall_shows_what_fits_in_whole_lines_and_never_scrolls(
    tables: Callable[..., Table], names: list[str]
) -> None:
    table = busy(tables, names)
    wall = table.page("spectator", "wall")
    newest_is_first(wall, table)
    for language in ("en", "fr"):
        for width, height in SCREENS:
            wall.set_viewport_size({"width": width, "height": height})
            wait_until(wall, f"innerWidth === {width} && innerHeight === {height}")
            metres = 3 if (width, height) in AT_THREE_METRES else None
            assert faults_of(wall, metres) == [], (language, width, height)
        wall.get_by_role("button", name="This wall" if language == "en" else "Ce mur").click()
        wall.get_by_role("button", name="Langu").click()
        wall.keyboard.press("Escape")
        expect(wall.locator("html")).to_have_attribute("lang", "fr" if language == "en" else "en")
        expect(wall.get_by_text("en titres" if language == "en" else "in titles").first).to_be_visible()
    # From further away letters are larger, and still nothing is cut.
    wall.set_viewport_size({"width": WALL[0], "height": WALL[1]})
    wall.get_by_role("button", name="This wall").click()
    wall.get_by_label("Seen from").select_option("4")
    wall.keyboard.press("Escape")
    assert faults_of(wall, 4) == []
    # Money in hand is secret in this game: the figure says what it counts.
    expect(wall.locator("[data-figure='standings/seat0/shown']")).to_have_text("₦0")
    assert "cash" not in wall.inner_text("main")


def test_sounds_are_chosen_for_each_screen(tables: Callable[..., Table]) -> None:
    """Nothing of them is loaded before the choice; the wall's choice is not that of the desk."""
    table = tables("negopoly", "ana", "bob")
    wall = table.page("spectator", "wall")
    loaded: list[str] = []
    wall.on("request", lambda request: loaded.append(request.url))
    tools = wall.get_by_role("button", name="This wall")
    tools.click()
    chosen = wall.get_by_role("checkbox", name="Sounds")
    expect(chosen).not_to_be_checked()
    assert not any("/Signals-" in url for url in loaded)
    with wall.expect_request("**/Signals-*.js"):
        chosen.check()
    wall.reload()
    tools.click()
    expect(chosen).to_be_checked()
    assert wall.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('mabligop-sounds'))") == [
        "mabligop-sounds:spectator"
    ]
