"""The table plays again: one touch on the desk, one on each phone, none on the wall, without a code."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.table import Table
from tests.tables.negopoly import starting

pytestmark = pytest.mark.xdist_group("console")


def test_everybody_sits_at_the_next_game(tables: Callable[..., Table]) -> None:
    table = tables("negopoly", "ana", "bruno")
    for seat, kind, params in starting("ana", "bruno"):
        table.act(seat or "banker", kind, params)
    desk, phone, wall = table.page("banker"), table.page("ana"), table.page("spectator")
    expect(phone.get_by_role("button", name="Play again")).to_have_count(0)
    fine = {"op": "fine", "seat": "bruno", "amount": 9000}
    table.post("banker", "rulings", finding="Bruno burned the board.", remedies=[fine])
    table.act("bruno", "declare_bankruptcy")
    wall.wait_for_url("**/result/wall")
    desk.get_by_role("button", name="Play again with this table").click()
    phone.get_by_role("button", name="Play again", exact=True).click()
    for page, start in ((desk, "desk"), (phone, "play"), (wall, "wall")):
        page.wait_for_url(lambda url, last=start: url.endswith(f"/{last}") and table.game not in url)
    assert len({page.url.split("/")[-2] for page in (desk, phone, wall)}) == 1
    expect(phone.get_by_text("A game of Negopoly is laid out")).to_be_visible()
