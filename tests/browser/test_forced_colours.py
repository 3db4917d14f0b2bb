"""Forced colours: what is chosen keeps an edge, and no text has the colour of its background."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.table import Table
from tests.tables.negopoly import starting

pytestmark = pytest.mark.xdist_group("console")

EDGE = (
    "one => { const s = getComputedStyle(one); return [s.outlineStyle, s.outlineWidth, s.borderWidth].join(' '); }"
)
UNREADABLE = """() => [...document.querySelectorAll("body *")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== ""))
  .filter((one) => {
    const isClear = (box) => /, 0\\)$|transparent/.test(getComputedStyle(box).backgroundColor);
    let ground = one;
    while (ground && isClear(ground)) ground = ground.parentElement;
    return ground && getComputedStyle(one).color === getComputedStyle(ground).backgroundColor;
  })
  .map((one) => `${one.tagName}.${one.className}: ${one.textContent.trim().slice(0, 40)}`)"""


def require_told_apart(page: Page) -> None:
    """Check the page: a pressed button has another edge than its neighbours, and every text is visible."""
    pressed = page.locator("[aria-pressed=true]:visible").first
    plain = page.locator("[aria-pressed=false]:visible").first
    expect(pressed).to_be_visible()
    assert pressed.evaluate(EDGE) != plain.evaluate(EDGE)
    assert page.evaluate(UNREADABLE) == []


def test_choices_keep_an_edge(tables: Callable[..., Table]) -> None:
    """On the desk the filter of the journal, on a phone the payee."""
    table = tables("negopoly", "ana", "bruno", "chloe")
    for seat, kind, params in starting("ana", "bruno", "chloe"):
        table.act(seat or "banker", kind, params)
    require_told_apart(table.page("banker", "desk", forced_colors="active"))
    phone = table.page("ana", "play/pay", forced_colors="active")
    phone.get_by_role("button", name="Bruno").click()
    require_told_apart(phone)
