"""A game that goes on under a preview: a clock that runs out, entries by others, throws by the service."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.table import Table, enter_line, press_enter

pytestmark = pytest.mark.xdist_group("console")


def begun(tables: Callable[..., Table], **asked: Any) -> tuple[Table, Page, Locator]:
    """Begin a game of Ana and Bob, and open the banker's desk."""
    table = tables("negopoly", "ana", "bob", **asked)
    for seat in ("ana", "bob"):
        table.act(seat, "join_game", {"persona": "Don"})
        table.act(seat, "choose_starter_perk", {"perk": "money"})
    table.act("banker", "set_turn_order", {"order": ["ana", "bob"]})
    table.act("banker", "start_game")
    page = table.page("banker", "desk")
    line = page.get_by_role("combobox", name="Entry line")
    expect(line).to_be_focused()
    return table, page, line


def test_a_clock_runs_out_under_a_preview(tables: Callable[..., Table]) -> None:
    """What would be written is another thing now: it is shown and marked before Enter writes it."""
    table, page, line = begun(tables, settings={"turn_seconds": 1, "clock_waits": True})
    effect = page.locator("#entry .effect")
    page.keyboard.type("31")
    expect(effect.locator(".sentence")).to_contain_text("Ana rolls 3, 1.")
    table.act("banker", "resume_clock")
    expect(effect).to_contain_text("First, because time is over")
    expect(effect).to_contain_text("The game went on")
    expect(effect.locator("s")).to_have_text("Ana rolls 3, 1. Ana moves to Point de contrôle.")
    expect(effect.locator(".sentence.new")).to_contain_text("Bob rolls 3, 1.")
    assert not [sentence for sentence in table.sentences() if "rolls" in sentence]
    enter_line(line)
    assert table.sentences()[-1] == "Bob rolls 3, 1. Bob moves to Point de contrôle."

    # Others enter something: of the line that stands there, only the changed amounts are marked.
    page.keyboard.type("bob pay 20 ana")
    expect(effect).to_contain_text("₦1,650 → ₦1,630")
    table.act("ana", "transfer_money", {"to": "bob", "amount": 5})
    expect(effect.locator(".money.new")).to_have_text(["₦1,655 → ₦1,635", "₦1,645 → ₦1,665"])
    expect(effect.locator(".sentence.new")).to_have_count(0)
    enter_line(line)
    assert "Bob gives ₦20 to Ana." in table.sentences()[-1]

    # So it is with an undo, and with a form.
    page.keyboard.press("Control+z")
    expect(effect.locator("s")).to_have_text("Bob gives ₦20 to Ana.")
    table.act("ana", "transfer_money", {"to": "bob", "amount": 7})
    expect(effect.locator("s")).to_have_text("Ana gives ₦7 to Bob.")
    expect(effect).to_contain_text("The game went on")
    page.keyboard.press("Escape")
    page.keyboard.type("bob pay 20 ana…")
    form = page.get_by_role("dialog")
    expect(form).to_contain_text("Bob gives ₦20 to Ana.")
    table.act("ana", "transfer_money", {"to": "bob", "amount": 8})
    expect(form).to_contain_text("The game went on")
    press_enter(form.get_by_role("button", name="Enter"))
    expect(form).to_have_count(0)
    assert "Bob gives ₦20 to Ana." in table.sentences()[-1]


def test_the_service_throws(tables: Callable[..., Table]) -> None:
    """Where the service throws, the line says so, and Enter throws."""
    table, page, line = begun(tables, dice="service")
    effect = page.locator("#entry .effect")
    page.keyboard.type("roll")
    expect(effect).to_contain_text("The service throws")
    enter_line(line)
    assert "Ana rolls" in table.sentences()[-1]
