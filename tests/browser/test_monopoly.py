"""A Monopoly in the console: an auction, a trade, mortgages for a debt, and a bankruptcy, by touches and keys.

The game is the recorded one of Naruto. What lies between the scenes is played as it was recorded.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import replays
from replays.recordings import resolved
from tests.browser.table import Table, act_at_once, touch
from tests.browser.test_evening import enter

pytestmark = pytest.mark.xdist_group("browser")

GAME = Path(replays.__file__).parent / "games" / "naruto.jsonl"


class Recorded:
    """The accepted actions of the recorded game, which are played one after the other."""

    def __init__(self, table: Table) -> None:
        self._table = table
        lines = [json.loads(line) for line in GAME.read_text().splitlines() if line.strip()]
        self._left = [line for line in lines if "kind" in line and "refused" not in line]
        self._numbers: dict[str, int] = {}

    def play(self, by: str, kind: str, **params: Any) -> None:
        """Play on as recorded, up to this action, which is left to the pages."""
        while self._left:
            line = self._left.pop(0)
            given = line.get("params") or {}
            if (line["by"], line["kind"]) == (by, kind) and params.items() <= given.items():
                return
            done = self._table.act(line["by"], line["kind"], resolved(given, self._numbers))
            if "name" in line:
                self._numbers[line["name"]] = done["action"]
        raise AssertionError(f"{by} never did {kind} in the recorded game")

    def skip(self, *kinds: str) -> None:
        """Leave out the next actions, which the pages have done."""
        for kind in kinds:
            assert self._left.pop(0)["kind"] == kind


def do(phone: Page, label: str, **filled: str) -> None:
    """Touch a move; fill what its sheet asks for, if it has one; read what it would do, and confirm it."""
    if act_at_once(phone.get_by_role("button", name=label, exact=True)):
        return
    sheet = phone.get_by_role("dialog")
    for name, value in filled.items():
        sheet.get_by_role("textbox", name=name).fill(value)
    confirm = sheet.get_by_role("button", name=label, exact=True)
    touch(confirm)
    expect(sheet).to_be_hidden()


def see(sentence: str, *pages: Page) -> None:
    """The sentence is read on every page."""
    for page in pages:
        expect(page.get_by_text(sentence).first).to_be_visible()


def sums(desk: Page, wall: Page, **cash: str) -> None:
    """What everybody has, in the banker's list of seats and on the wall."""
    for seat, sum_of in cash.items():
        for page in (desk, wall):
            row = page.get_by_role("listitem").filter(has=page.get_by_text(seat.capitalize(), exact=True))
            expect(row.locator("[data-figure$='/cash']")).to_have_text(sum_of)


def test_from_an_auction_to_a_bankruptcy(tables: Callable[..., Table]) -> None:
    """Chloe does not buy, and Bruno has it for 120; he buys another from her; much later he is ruined by Ana."""
    table = tables("monopoly_naruto", "ana", "bruno", "chloe", title="An evening in the ninja world")
    recorded = Recorded(table)
    recorded.play("chloe", "decline_property")
    ana, bruno, chloe = (table.page(seat, "play") for seat in ("ana", "bruno", "chloe"))
    desk, wall = table.page("banker", "desk"), table.page("spectator", "wall")
    everybody = (ana, bruno, chloe, desk, wall)

    # An auction: bids from telephones, and Chloe's, who calls it across the table, from the desk.
    do(chloe, "Do not buy the title")
    do(ana, "Bid", Bid="60")
    see("Ana bids 60 M", *everybody)
    see("auction of Shinobi rose 1: 60 M (Ana)", *everybody)
    do(bruno, "Bid", Bid="100")
    do(ana, "Pass in the auction")
    enter(desk, "c110", "Chloe bids 110 M (Shinobi rose 1).")
    see("Chloe bids 110 M", *everybody)
    do(bruno, "Bid", Bid="120")
    do(chloe, "Pass in the auction")
    desk.get_by_role("button", name="Close the auction").click()
    see("Bruno wins the auction for 120 M: Shinobi rose 1.", *everybody)
    for page in (desk, wall):
        expect(page.get_by_label("Shinobi rose 1, Groupe rose, owned by Bruno")).to_be_visible()
    sums(desk, wall, ana="1,280 M", bruno="1,230 M", chloe="1,400 M")
    expect(bruno.get_by_text("1,230 M", exact=True)).to_be_visible()
    recorded.skip("bid", "bid", "pass_bid", "bid", "bid", "pass_bid", "close_auction")

    # A trade, proposed on one telephone and accepted on another.
    recorded.play("bruno", "propose_trade")
    bruno.get_by_role("button", name="Propose a trade").tap()
    # A second touch at the same place would be one too many: a key has no place.
    bruno.get_by_role("button", name="Chloe").press("Enter")
    bruno.get_by_role("button", name="You get: Shinobi rose 3").tap()
    bruno.get_by_role("button", name=re.compile(r"^You give: [\d,]+ M$")).tap()
    for digit in "260":
        bruno.get_by_role("button", name=digit, exact=True).tap()
    expect(bruno.get_by_text("gives 260 M, asks for Shinobi rose 3.")).to_be_visible()
    bruno.get_by_role("button", name="Propose", exact=True).tap()
    expect(chloe.get_by_role("group", name="You get")).to_contain_text("260 M")
    expect(chloe.get_by_role("group", name="You give")).to_contain_text("Shinobi rose 3")
    expect(chloe.get_by_role("button", name="Refuse trade")).to_be_visible()
    touch(chloe.get_by_role("button", name="Accept trade"))
    see("receives 260 M, gives Bruno Shinobi rose 3.", *everybody)
    for page in (desk, wall):
        expect(page.get_by_label("Shinobi rose 3, Groupe rose, owned by Bruno")).to_be_visible()
    sums(desk, wall, bruno="830 M", chloe="1,500 M")
    expect(bruno.get_by_text("830 M", exact=True)).to_be_visible()
    recorded.skip("accept_trade")

    # Bruno cannot pay what he owes, and mortgages a title.
    recorded.play("bruno", "mortgage", title="itachi")
    bruno.get_by_role("button", name="Mortgage a title").tap()
    sheet = bruno.get_by_role("dialog")
    sheet.get_by_role("radio", name="Itachi").check()
    confirm = sheet.get_by_role("button", name="Mortgage a title")
    expect(confirm).to_be_enabled()
    confirm.tap()
    see("Bruno mortgages Itachi", *everybody)
    bruno.get_by_role("button", name="Pay a debt").tap()
    see("Bruno pays", *everybody)
    sums(desk, wall, ana="860 M", bruno="74 M", chloe="196 M")
    recorded.skip("pay_debt")

    # Ana claims a rent that ruins him, and he leaves everything to her.
    recorded.play("ana", "claim_rent")
    do(ana, "Claim a rent")
    see("Bruno owes 600 M to Ana (rent).", *everybody)
    # In a trade with him, she may give the release from it: in words, and worth what he owes.
    ana.goto(f"{table.url}/g/{table.game}/play/deal")
    ana.get_by_role("button", name="Bruno").press("Enter")
    ana.get_by_role("button", name="You give: release from a debt of 600 M (rent: ").tap()
    ana.get_by_role("button", name=re.compile(r"^You get: [\d,]+ M$")).tap()
    expect(ana.get_by_role("button", name="Even: 600 M")).to_have_count(0)
    expect(ana.get_by_text("Bruno would get 600 M more, at list price.")).to_be_visible()
    # His telephone says why he has nothing but this to do.
    expect(bruno.get_by_text("Bruno owes 600 M to Ana", exact=True)).to_be_visible()
    touch(bruno.get_by_role("button", name="Declare bankruptcy", exact=True))
    see("Bruno is bankrupt", *everybody)
    for page in (desk, wall):
        expect(page.get_by_label("Shinobi rose 1, Groupe rose, owned by Ana")).to_be_visible()
    sums(desk, wall, ana="1,306 M", bruno="0 M")
    assert "player:bruno" not in {
        a for a, held in table.ask("banker", "state")["accounts"].items() if held.get("M")
    }
