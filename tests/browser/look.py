"""Measures of a screen: sizes of texts, cut texts, covered names, and the largest empty part.

A measure returns a line for each fault; a screen without faults has an empty list.
"""

from __future__ import annotations

import base64
from typing import Any, Literal

from playwright.sync_api import Browser, Page

from tests.browser.screens import SCREENS
from tests.browser.table import DESK, PHONE, WALL

Room = Literal["desk", "phone", "wall"]
ROOMS: dict[tuple[int, int], Room] = {DESK: "desk", PHONE: "phone", WALL: "wall"}

LARGEST = {"desk": 12.0, "home": 12.0, "wall": 12.0, "phone": 20.0, "form": 30.0, "paper": 30.0}
"""The part of a screen, in percent, that its largest rectangle without ink may have."""
FORMS = ("pay", "deal", "correct", "docket", "seats")
PAPERS = ("certificate",)
"""What is printed: paper has margins and room for signatures, as a form has room for answers; it is no desk."""

# A capital has 0.716 of the size of its text. A point of a desk's screen has 0.27 mm, 60 cm before the eyes.
# Letters in cubes, pins and marks are free; at a table cards are what squares are on a board.
_SMALL = """([room]) => {
  const faults = new Set();
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const marks = ".token, .strip, .piece, .die, .presence, .mark, .letter, .pin";
  const exempt = `${marks}, .hidden-visually, [hidden], title, svg.small`;
  const squares = "[data-place], .hand .card";
  const read = "h1, h2, h3, .name, .cash, .money, .steps li, .long, .sentence, .act, #entry-line, .journal li, p";
  const notes = ".quiet, .caps, small, kbd, .keys, .number, .rules, .phases, .notice, svg";
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const box = texts.currentNode.parentElement;
    const text = texts.currentNode.textContent.trim();
    if (!/[\\p{L}\\p{N}]/u.test(text) || box.closest(exempt)) continue;
    if (!box.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const size = parseFloat(getComputedStyle(box).fontSize) * (box.getScreenCTM?.().a ?? 1);
    const angle = Math.atan(size * 0.716 * 0.27 / 600) * 60 * 180 / Math.PI;
    const least = box.closest(squares) ? 12 : box.closest(read) && !box.closest(notes) ? 14 : 13;
    const short = text.slice(0, 40);
    if (room === "desk" && angle < least) faults.add(`${angle.toFixed(1)}' of ${least}': ${short}`);
    if (room === "phone" && size < 0.8125 * rem - 0.01) faults.add(`${(size / rem).toFixed(3)} rem: ${short}`);
  }
  if (room === "phone")
    for (const target of document.querySelectorAll("a[href], button, input, select, textarea, summary")) {
      if (!target.checkVisibility({ visibilityProperty: true }) || target.matches(".skip")) continue;
      if (target.matches("a") && getComputedStyle(target).display === "inline") continue;
      const place = target.matches("[type=radio], [type=checkbox]") && target.labels[0] || target;
      const { width, height } = place.getBoundingClientRect();
      if (width > 0 && Math.min(width, height) < 3 * rem - 0.5)
        faults.add(`${width.toFixed()} x ${height.toFixed()}: ${target.textContent.trim().slice(0, 40)}`);
    }
  return [...faults].map((fault) => `small: ${fault}`);
}"""

# What scrolls may be longer than its room, except in entry and middle. Lines of the ledger may end in dots,
# and titles whose whole is a touch away; never amounts, names of seats, and what the game waits for.
_CUT = """() => {
  const faults = [];
  for (const box of document.querySelectorAll("body *:not(svg *)")) {
    if (!box.clientWidth || !box.textContent.trim() || box.closest(".hidden-visually")) continue;
    const { overflowX, overflowY, webkitLineClamp, textOverflow } = getComputedStyle(box);
    const scrolls = [overflowX, overflowY].some((overflow) => overflow === "auto" || overflow === "scroll");
    if (scrolls && !box.closest("#entry, .middle")) continue;
    if (webkitLineClamp !== "none" && box.closest(".journal")) continue;
    const whole = box.closest("[title]")?.title ?? "";
    const isShort = textOverflow === "ellipsis" || webkitLineClamp !== "none";
    const text = box.textContent.trim();
    const isWhole = whole !== "" && (whole.includes(text) || text.includes(whole));
    if (isShort && isWhole && !box.closest(".plates, .money, [data-figure], .awaited")) continue;
    const wide = overflowX === "visible" ? 0 : box.scrollWidth - box.clientWidth;
    const high = overflowY === "visible" ? 0 : box.scrollHeight - box.clientHeight;
    if (wide > 1 || high > 1)
      faults.push(`cut: ${box.tagName}.${box.className} ${wide} x ${high}: ${text.slice(0, 40)}`);
  }
  const wide = document.documentElement.scrollWidth - innerWidth;
  return wide > 0 ? [...faults, `cut: the page is ${wide} too wide`] : faults;
}"""

_COVERED_NAMES = """() => {
  const boxes = (selector) => [...document.querySelectorAll(selector)]
    .map((box) => [box, box.getBoundingClientRect()]);
  const names = boxes(".square .name, .square .figure, .place .name");
  return boxes(".stand, .pin, .plates li").flatMap(([piece, one]) => names
    .filter(([, two]) => one.left < two.right && two.left < one.right)
    .filter(([, two]) => one.top < two.bottom && two.top < one.bottom)
    .map(([name]) => `covers: ${piece.textContent.trim().slice(0, 20)} lies on ${name.textContent}`));
}"""

_SCROLLED = """() => [document.documentElement, document.body, document.querySelector(".frame")]
  .filter((box) => box?.scrollTop || box?.scrollLeft)
  .map((box) => `scrolls: ${box.tagName}.${box.className} by ${box.scrollLeft}, ${box.scrollTop}`)"""

# The picture in squares of 8 points: one without ink has nearly the same light everywhere.
_EMPTY = """async (picture) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const { data } = canvas.getImageData(0, 0, image.width, image.height);
  const [columns, rows] = [image.width >> 3, image.height >> 3];
  const isEmpty = (column, row) => {
    let [least, most] = [255, 0];
    for (let y = row * 8; y < row * 8 + 8; y += 2)
      for (let x = column * 8; x < column * 8 + 8; x += 2) {
        const at = 4 * (y * image.width + x);
        const light = 0.299 * data[at] + 0.587 * data[at + 1] + 0.114 * data[at + 2];
        [least, most] = [Math.min(least, light), Math.max(most, light)];
      }
    return most - least < 60;
  };
  const heights = Array(columns + 1).fill(0);
  let best = { area: 0 };
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++)
      heights[column] = isEmpty(column, row) ? heights[column] + 1 : 0;
    const open = [];
    for (let column = 0; column <= columns; column++) {
      let start = column;
      while (open.length > 0 && open.at(-1).height >= heights[column]) {
        const { height, from } = open.pop();
        const area = 100 * height * (column - from) / (columns * rows);
        const box = [from, row - height + 1, column - from, height].map((side) => side * 8);
        if (area > best.area) best = { area, box };
        start = from;
      }
      open.push({ height: heights[column], from: start });
    }
  }
  return best;
}"""


def kind_of(name: str) -> str:
    """Return the kind of a screen: a key of `LARGEST`."""
    if name.startswith("home"):
        return "home"
    return "form" if name in FORMS else "paper" if name in PAPERS else ROOMS[SCREENS[name].size]


def small(page: Page, room: Room) -> list[str]:
    """List the texts and targets too small for the distance of the eyes."""
    faults: list[str] = page.evaluate(_SMALL, [room])
    return faults


def cut(page: Page) -> list[str]:
    """List the texts larger than the box around the text; add a page wider than the screen."""
    faults: list[str] = page.evaluate(_CUT)
    return faults


def covering(page: Page) -> list[str]:
    """List the tokens and plates on names of a ring or a map."""
    faults: list[str] = page.evaluate(_COVERED_NAMES)
    return faults


def scrolled(page: Page, times: int = 40) -> list[str]:
    """Press Tab so often, and list the scrolled parts of the frame."""
    for _ in range(times):
        page.keyboard.press("Tab")
    faults: list[str] = page.evaluate(_SCROLLED)
    return faults


def empty(chromium: Browser, page: Page, kind: str) -> list[str]:
    """Return whether the largest rectangle without ink is too large a part of the screen."""
    picture = base64.b64encode(page.screenshot(animations="disabled")).decode()
    # The pages refuse pictures from elsewhere.
    blank = chromium.new_page()
    best: dict[str, Any] = blank.evaluate(_EMPTY, picture)
    blank.close()
    largest = LARGEST[kind]
    return [f"empty: {best['area']:.1f} % of {largest} at {best['box']}"] if best["area"] > largest else []


def faults_of(chromium: Browser, page: Page, name: str) -> list[str]:
    """List all faults of a screen except scrolled parts: Tab moves the focus."""
    room = ROOMS[SCREENS[name].size]
    return small(page, room) + cut(page) + covering(page) + empty(chromium, page, kind_of(name))
