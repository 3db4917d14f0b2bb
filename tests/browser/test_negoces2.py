"""Négoces 2 in the console: hands that differ, offers from three telephones, and the seller's choice."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.table import Table, touch
from tests.tables.negoces2 import SEATS, SERIES

pytestmark = pytest.mark.xdist_group("browser")

OTHERS = ("bob", "cid", "dan")


def do(phone: Page, label: str, *, chosen: str) -> None:
    """Touch a move, make the choice, and confirm it."""
    phone.get_by_role("button", name=label, exact=True).tap()
    sheet = phone.get_by_role("dialog")
    sheet.get_by_role("radio", name=chosen).check()
    confirm = sheet.get_by_role("button", name=label, exact=True)
    touch(confirm)
    expect(sheet).to_be_hidden()


def lay(
    phone: Page, thing: str | None, *, face: str | None = None, coins: int = 0, label: str = "Make an offer"
) -> None:
    """Open the offer, move a card and coins into the tray, turn the card, and confirm."""
    phone.get_by_role("button", name=label, exact=True).tap()
    sheet = phone.get_by_role("dialog")
    # The tray shows what there is to get, and the stock what there is to give.
    expect(sheet.get_by_role("region", name="You get")).to_contain_text(re.compile("1 Card face down"))
    if thing:
        sheet.get_by_role("button", name=re.compile(f"^You give: [0-9] {thing}")).tap()
        expect(sheet.get_by_role("button", name=f"Take back: {thing}")).to_be_visible()
    if face:
        sheet.get_by_role("button", name=face, exact=True).tap()
        expect(sheet.get_by_text("The others see that something lies there, but not what it is.")).to_be_visible()
    if coins:
        sheet.get_by_role("button", name=re.compile("^(You give|How much): [0-9]+ Coins?$")).first.tap()
        sheet.get_by_role("region", name="How much: Coins").get_by_role(
            "button", name=str(coins), exact=True
        ).tap()
    touch(sheet.get_by_role("button", name=label, exact=True))
    expect(sheet).to_be_hidden()


def accounts(table: Table) -> dict[str, dict[str, int]]:
    """What everybody holds, as the banker sees it."""
    found: dict[str, dict[str, int]] = table.ask("banker", "state")["accounts"]
    return found


def test_a_sale_with_three_offers(tables: Callable[..., Table]) -> None:
    """Ana's card and Bob's lie face down, Cid offers coins, and Dan a card for all to see; Ana takes Bob's."""
    table = tables("negoces2", *SEATS)
    table.act("banker", "draw_starter", {"method": "roll", "dice": [1]})
    table.act("banker", "deal_goods", {"series": SERIES})
    table.act("ana", "bid", {"amount": 1})
    for seat in ("bob", "cid", "dan"):
        table.act(seat, "withdraw")
    phones = {seat: table.page(seat, "play") for seat in SEATS}
    ana, bob, cid, dan = (phones[seat] for seat in SEATS)
    desk, wall = table.page("banker", "desk"), table.page("spectator", "wall")
    everybody = (*phones.values(), desk, wall)

    do(ana, "Put a card up for sale, face down", chosen="Wine")
    for page in (bob, cid, dan, wall):
        expect(page.get_by_text("Ana puts a card up for sale, face down.").first).to_be_visible()
    for page in (ana, desk):
        expect(page.get_by_text("Ana puts a card (Wine) up for sale, face down.").first).to_be_visible()

    lay(bob, "Tea", face="face down")
    lay(cid, None, coins=4)
    lay(dan, "Perfume", coins=3)
    for page in (bob, desk):
        expect(page.get_by_text("Bob offers a card (Tea) face down.").first).to_be_visible()
    for page in (ana, cid, dan, wall):
        expect(page.get_by_text("Bob offers a card face down.").first).to_be_visible()
    for page in everybody:
        expect(page.get_by_text("Cid offers 4 coins.").first).to_be_visible()
        expect(page.get_by_text("Dan offers a card (Perfume) face up and 3 coins.").first).to_be_visible()

    # A changed offer begins with the content of the old one.
    lay(dan, None, coins=2, label="Change your offer")

    # Whatever Bob's card is, Ana takes it; Cid and Dan have theirs back, and Ana remains the seller.
    # Whom she accepts, she sees with what lies there: Bob's card under its back.
    ana.get_by_role("button", name="Accept an offer", exact=True).tap()
    sheet = ana.get_by_role("dialog")
    expect(sheet.get_by_role("radio", name=re.compile("^Cid: 4 Coins"))).to_be_visible()
    expect(sheet.get_by_role("radio", name=re.compile("^Dan: Perfume [+] 2 Coins"))).to_be_visible()
    expect(sheet.get_by_role("radio", name=re.compile("^Bob: "))).not_to_have_accessible_name(re.compile("Tea"))
    sheet.get_by_role("button", name="Close").tap()
    do(ana, "Accept an offer", chosen="Bob")
    for page in (ana, bob, desk):
        expect(
            page.get_by_text("Ana gives a card (Wine) face down to Bob for a card (Tea) face down.").first
        ).to_be_visible()
    for page in (cid, dan, wall):
        expect(page.get_by_text("Ana gives a card face down to Bob for a card face down.").first).to_be_visible()
        assert "a card (Wine)" not in page.content()
        assert "a card (Tea)" not in page.content()
    found = accounts(table)
    assert found["hand:ana"] == {"contraband": 1, "good:1": 3, "good:2": 4, "good:3": 1}
    assert found["hand:bob"] == {"good:1": 1, "good:3": 3, "good:4": 4}
    assert (found["coins_visible:cid"], found["coins_visible:dan"]) == ({"coin": 15}, {"coin": 15})
