"""The pieces look as they were accepted, can be read by everybody, and keep their signs in forced colours.

The accepted pictures are in `pieces/`, at half the size. They have the boxes of two named fonts and no letters:
machines draw letters differently, so the words are compared as text. To renew them after a look at the page
`/pieces`: `RENEW=1 pytest tests/browser/test_pieces.py`; look at the pictures before they are committed.
"""

from __future__ import annotations

import base64
import os
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page

from tests.browser.settled import Settling
from tests.command.service import Service

pytestmark = pytest.mark.xdist_group("console")

FOLDER = Path(__file__).parent / "pieces"
RENEWS = bool(os.environ.get("RENEW"))
LARGEST = 0.001
"""The part of the points of a picture that may differ."""

_PLAIN = """async () => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`:root { --sans: "DejaVu Sans"; --serif: "DejaVu Serif"; }
    * { -webkit-text-fill-color: transparent !important; }
    svg text { fill: transparent !important; }
    .cloth > svg { background: none !important; }`);
  document.adoptedStyleSheets = [sheet];
  await document.fonts.ready;
}"""
_DIFFERENT = """async ([left, right]) => {
  const points = async (picture) => {
    const image = new Image();
    image.src = `data:image/png;base64,${picture}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    return canvas.getImageData(0, 0, image.width, image.height);
  };
  const [first, second] = [await points(left), await points(right)];
  if (first.width !== second.width || first.height !== second.height) return 1;
  let different = 0;
  for (let at = 0; at < first.data.length; at += 4) {
    different += [0, 1, 2].some((part) => Math.abs(first.data[at + part] - second.data[at + part]) > 24);
  }
  return different / (first.data.length / 4);
}"""
_WORDS = """(parts) => parts.map((part) => part.innerText.replace(/\\s+/g, " ").trim()).join("\\n") + "\\n" """
_FAULTS = """async () => (await axe.run({ resultTypes: ["violations"] })).violations.flatMap((fault) => fault.nodes
  .map((node) => `${fault.id}: ${node.html.slice(0, 120)}: ${node.any[0]?.message ?? ""}`))"""
_SIGNS = """() => [...document.querySelectorAll(".token, .pattern, article > header, .deck, span.mortgaged")]
  .filter((sign) => getComputedStyle(sign).forcedColorAdjust !== "none")
  .map((sign) => sign.outerHTML.slice(0, 80))"""
_DISCS = """(discs) => discs.map((disc) => [disc.innerText, getComputedStyle(disc)])
  .map(([letter, style]) => [letter, style.backgroundColor, parseFloat(style.borderTopWidth) >= 1])"""


def open_pieces(
    chromium: Browser, service: Service, theme: Literal["light", "dark"], forced: Literal["active"] | None = None
) -> Page:
    page = chromium.new_page(
        viewport={"width": 1000, "height": 800},
        color_scheme=theme,
        forced_colors=forced,
        locale="en-GB",
        device_scale_factor=0.5,
    )
    settling = Settling(page)
    page.goto(f"{service.url}/pieces")
    page.get_by_role("heading", level=1).wait_for()
    settling.wait()
    return page


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_pieces_look_as_accepted(chromium: Browser, service: Service, theme: Literal["light", "dark"]) -> None:
    page = open_pieces(chromium, service, theme)
    page.evaluate(AXE_SCRIPT)
    assert page.evaluate(_FAULTS) == []
    words = page.locator("section").evaluate_all(_WORDS)
    page.evaluate(_PLAIN)
    picture = page.locator("main").screenshot(animations="disabled")
    accepted, texts = FOLDER / f"{theme}.png", FOLDER / "words.txt"
    if RENEWS:
        accepted.write_bytes(picture)
        texts.write_text(words)
    assert words == texts.read_text()
    page.goto("about:blank")
    pair = [base64.b64encode(content).decode() for content in (accepted.read_bytes(), picture)]
    assert page.evaluate(_DIFFERENT, pair) <= LARGEST
    page.close()


def test_forced_colours_keep_edges_letters_and_patterns(chromium: Browser, service: Service) -> None:
    """What means something by its colour keeps it; edges and letters are there in any case."""
    page = open_pieces(chromium, service, "dark", forced="active")
    assert page.evaluate("matchMedia('(forced-colors: active)').matches")
    assert page.evaluate(_SIGNS) == []
    discs = page.locator(".token").evaluate_all(_DISCS)
    assert ["A", "rgb(23, 62, 118)", True] in discs
    assert len({colour for _, colour, _ in discs}) == len({letter for letter, _, _ in discs}) == 8
    assert all(edged for _, _, edged in discs)
    page.close()
