"""Ten windows of one browser follow one game, although a browser has six connections for an address."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.table import Table, enter_line

pytestmark = pytest.mark.xdist_group("console")

SEATS = ("ana", "bob", "cyr", "dan")

AWAY = 'document.dispatchEvent(new Event("freeze"))'
BACK = 'document.dispatchEvent(new Event("resume"))'
"""A browser without a window shows every page: that it sleeps has to be said to it."""


def windows(table: Table) -> list[Page]:
    """The desk, the wall, and the pages of the seats, twice: one device holds all keys, as after `make run`."""
    context = table.browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    table.adopt(context)
    keys = json.dumps([table.credential(who) for who in ("banker", "spectator", *SEATS)])
    context.add_init_script(f"localStorage.setItem('mabligop:{table.game}', {json.dumps(keys)})")
    found = []
    for name in ("desk", "wall", *SEATS, *SEATS):
        page = context.new_page()
        table.watch(page)
        page.add_init_script(f"sessionStorage.setItem('mabligop-as:{table.game}', 'player:{name}')")
        page.goto(f"{table.url}/g/{table.game}/" + ("play" if name in SEATS else name))
        found.append(page)
    return found


def test_ten_windows_of_one_browser(tables: Callable[..., Table]) -> None:
    """All ten show what happens, each can ask, and the desk is not held up."""
    table = tables("negopoly", *SEATS)
    for seat in SEATS:
        table.act(seat, "join_game", {"persona": seat.capitalize()})
        table.act(seat, "choose_starter_perk", {"perk": "money"})
    table.act("banker", "set_turn_order", {"order": list(SEATS)})
    table.act("banker", "start_game")
    desk, *others = windows(table)
    for page in others:
        expect(page.locator("body")).to_contain_text("Ana's turn")

    # A device with the keys of banker and players opens its desk covered.
    desk.keyboard.press("F8")
    line = desk.get_by_role("combobox", name="Entry line")
    line.fill("31")
    expect(desk.locator(".effect")).to_contain_text("Ana rolls 3, 1.")
    enter_line(line)
    expect(desk.get_by_text("● live")).to_be_visible()
    for page in others:
        expect(page.locator("body")).to_contain_text("Ana rolls 3, 1.")
    # A window that only looks from time to time reads and writes as the others do.
    others[-1].get_by_role("link", name="Table").click()
    others[-1].get_by_role("link", name="Journal").click()
    expect(others[-1].locator("main")).to_contain_text("Ana rolls 3, 1.")


def test_a_hidden_page_looks_away(tables: Callable[..., Table]) -> None:
    """A phone in a pocket is not called disconnected; taken out, it knows at once what it missed."""
    table = tables("negopoly", "ana", "bob")
    desk = table.page("banker", "seats")
    phone = table.page("ana", "play")
    expect(desk.get_by_text("● connected")).to_have_count(1)
    expect(desk.get_by_text("○ not connected")).to_have_count(1)
    phone.evaluate(AWAY)
    expect(desk.get_by_text("◐ looked away at ")).to_have_count(1)
    table.act("banker", "join_game", {"persona": "Ana of the bank"}, seat="ana")
    phone.evaluate(BACK)
    expect(phone.locator("body")).to_contain_text("Ana of the bank")
    expect(desk.get_by_text("● connected")).to_have_count(1)
