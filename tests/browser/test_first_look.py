"""The console is served and opens: at the desk, on a phone, on the wall, and without any key."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.table import Table

pytestmark = pytest.mark.xdist_group("console")


def test_each_role_opens_its_page(tables: Callable[..., Table]) -> None:
    """The game's own address leads a banker to the desk, a player to the phone, and a spectator to the wall."""
    table = tables("negopoly", "ana", "bob")
    for who, begins in (("banker", "desk"), ("ana", "play"), ("spectator", "wall")):
        page = table.page(who)
        page.wait_for_url(f"**/g/{table.game}/{begins}")
        expect(page.get_by_role("heading", level=1)).to_be_attached()


def test_a_device_without_a_key_is_told_so(tables: Callable[..., Table]) -> None:
    table = tables("negopoly", "ana", "bob")
    page = table.page(None, "desk")
    expect(page.get_by_role("heading", name="This device has no key for this page")).to_be_visible()
    player = table.page("ana", "desk")
    expect(player.get_by_text("This page is for: the banker.")).to_be_visible()
