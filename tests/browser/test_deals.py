"""Deals and debts of the demo's evening under way: an offer and a counter-offer on two phones, and the desk."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.table import Hand, Table
from tests.command.service import Service

pytestmark = pytest.mark.xdist_group("console")

LIMITS = {"answer with a counter-offer": 8, "pay a loan back": 4}
"""The most touches for each act, from the page of one's turn on; for others see `test_touches.py`."""


@pytest.fixture
def evening(chromium: Browser, service: Service) -> Iterator[Table]:
    """The evening under way, begun again: Driss has PCT Studio, a loan and a rent to pay; Chloé has money."""
    with service.client() as client:
        game = client.get("/api/v1/demo").json()["games"][0]["game"]
        assert client.post("/api/v1/demo", json={"again": game}).is_success

        def sit(role: str, **seat: str) -> dict[str, Any]:
            asked = {"name": "evening", "role": role, **seat}
            joined: dict[str, Any] = client.post("/api/v1/demo/seats", json=asked).raise_for_status().json()
            return joined

        banker, driss, chloe = sit("banker"), sit("player", seat="driss"), sit("player", seat="chloe")
    tokens = {"banker": banker["token"], "players": {"driss": driss["token"], "chloe": chloe["token"]}}
    table = Table(chromium, service.url, banker["game"], tokens, banker["rulebook"], banker["title"])
    yield table
    table.clear()


def test_an_offer_a_counter_offer_and_a_debt(evening: Table) -> None:
    """Driss asks 240 for a title, Chloé offers 200, the banker records his consent; then he borrows and pays."""
    table = evening
    driss, chloe = Hand(table.page("driss", "play")), Hand(table.page("chloe", "play", size=(360, 640)))
    desk = table.page("banker", "agreements")

    driss.begin("offer a title for money")
    driss.touch("Propose a deal")
    expect(driss.page.get_by_role("button", name="Driss")).to_have_count(0)
    driss.touch("Chloé")
    driss.touch(re.compile("^You give: PCT Studio, list price ₦240"))
    expect(driss.page.get_by_text("Chloé then has 1 of 3 of the group Red. Lacking: ")).to_be_visible()
    driss.touch(re.compile("^You get: NegoDollars"))
    for digit in "240":
        driss.touch(digit)
    expect(driss.page.get_by_text("Both sides are worth the same, at list price.")).to_be_visible()
    expect(driss.page.get_by_text("Only Chloé and you can read this.")).to_be_visible()
    driss.touch("Propose")

    # She sees the picture from her side; her answer begins with it, and ends his offer.
    chloe.begin("answer with a counter-offer")
    answer = chloe.page.locator(".answer")
    chloe.touch("1/2 ▸")
    expect(answer.get_by_role("group", name="You give")).to_contain_text("₦240")
    expect(answer.get_by_role("group", name="You get")).to_contain_text("PCT Studio")
    chloe.touch("Counter-offer")
    assert chloe.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(chloe.page.get_by_role("region", name="You get")).to_contain_text("PCT Studio")
    chloe.touch("How much: ₦240")
    for digit in "200":
        chloe.touch(digit)
    expect(chloe.page.get_by_text("You would get ₦40 more, at list price.")).to_be_visible()
    chloe.touch("Propose")

    # The desk says whose step it is. The banker records the consent that Driss gives across the table.
    running = desk.get_by_role("article").filter(has_not_text="ended with line")
    offer = running.filter(has_text="₦200")
    expect(offer).to_contain_text(re.compile(r"Now it is the turn of:\s*D\s*Driss"))
    expect(running.filter(has_text="PCT Studio")).to_have_count(1)
    offer.get_by_role("button", name=re.compile("^Agree to a deal: Driss|Agree.*Driss")).click()
    sheet = desk.get_by_role("dialog")
    sheet.get_by_role("button", name=re.compile("^Agree to deal")).click(delay=700)
    expect(sheet).to_be_hidden()
    expect(offer).to_have_count(0)
    cash = {item["seat"]: item["cash"] for item in table.ask("banker", "state")["standings"]}
    assert (cash["driss"], cash["chloe"]) == (956 + 200, 780 - 200)

    # A loan is a debt: it is held, and stands on every page of the phone until it is paid back.
    expect(driss.page.get_by_role("link", name="You owe ₦322 (2 debts)")).to_be_visible()
    driss.begin("borrow")
    driss.touch("Borrow from the bank")
    sheet = driss.page.get_by_role("dialog")
    expect(sheet).to_contain_text("Driss owes the bank ₦200")
    driss.touch("Borrow from the bank", within=sheet, hold=True)
    driss.begin("pay a loan back")
    driss.touch("You owe ₦522 (3 debts)")
    expect(driss.page.get_by_role("list", name="Who owes whom")).to_contain_text("You owe the bank")
    driss.touch("Pay now, all or a part")
    sheet = driss.page.get_by_role("dialog")
    expect(sheet.get_by_label("What it would do")).to_contain_text("₦300")
    driss.touch(re.compile("^Pay back"), within=sheet)
    expect(driss.page.get_by_role("list", name="Who owes whom")).not_to_contain_text("₦300")
    driss.page.get_by_role("link", name="Turn", exact=True).click()
    expect(driss.page.get_by_role("link", name="You owe ₦222 (2 debts)")).to_be_visible()

    counts = driss.counts | chloe.counts
    assert {act: counts[act] for act, limit in LIMITS.items() if counts[act] > limit} == {}


def test_a_loan_between_players_is_promised_in_the_trays(tables: Callable[..., Table]) -> None:
    """Ana gets money now and promises more of it for a later round, with a word of thanks; Bob agrees."""
    table = tables("monopoly", "ana", "bob", settings={"promises": True, "throw_for_order": False})
    for deck in ("letters", "tides"):
        table.act("banker", "shuffle_deck", {"deck": deck})
    for seat, token in (("ana", "Kite"), ("bob", "Snail")):
        table.act(seat, "join_table", {"token": token})
    table.act("banker", "start_game")
    ana = Hand(table.page("ana", "play"))
    ana.begin("borrow from a player")
    ana.touch("Propose a trade")
    ana.touch(re.compile("^You give: Sh in round 3"))
    for digit in "250":
        ana.touch(digit)
    ana.touch(re.compile(r"^You get: 1\D?200\s"))
    for digit in "200":
        ana.touch(digit)
    ana.page.get_by_label("Promises").fill("You have my thanks.")
    ana.touch("Propose")
    expect(ana.page.get_by_label("Promises")).to_have_count(0)
    (trade,) = table.ask("bob", "agreements")["agreements"]
    table.act("bob", "accept_trade", {"trade": trade["id"]})
    assert [(leg["commodity"], leg["amount"]) for leg in trade["gives"]] == [("note:ana:3", 250), ("COIN", 200)]
    assert trade["terms"] == ["You have my thanks."]
