"""A quarrel from the telephone to every page: contested, ruled on with what should have been."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.table import Table, enter_line, paper
from tests.tables.negopoly import NO_DECKS

pytestmark = pytest.mark.xdist_group("console")


@pytest.fixture
def table(tables: Callable[..., Table]) -> Table:
    """Ana has given Bob 100, as line 7."""
    table = tables("negopoly", "ana", "bob", settings={"decks": NO_DECKS})
    for seat in ("ana", "bob"):
        table.act(seat, "join_game", {"persona": "Don"})
    for seat in ("ana", "bob"):
        table.act(seat, "choose_starter_perk", {"perk": "money"})
    table.act("banker", "start_game")
    table.act("ana", "transfer_money", {"to": "bob", "amount": 100})
    return table


def cash(table: Table, seat: str) -> int:
    """The money that a seat has."""
    return int(table.ask("banker", f"accounts/player:{seat}")["holdings"]["NGD"])


def by_keys(desk: Page, keys: str, shows: str) -> None:
    """Press keys of undo or redo, read what they would do, and enter it."""
    line = desk.get_by_role("combobox", name="Entry line")
    line.press(keys)
    expect(desk.locator("#entry .effect")).to_contain_text(shows)
    enter_line(line)


def test_what_should_have_been(table: Table) -> None:
    """Bob asks for 150 instead of 100; the banker reads what that changes, rules so, and takes it back by keys."""
    phone, desk = table.page("bob", "play"), table.page("banker", "docket")
    phone.get_by_role("button", name="Contest line 7").tap()
    sheet = phone.get_by_role("dialog")
    sheet.get_by_label("What is wrong?").fill("It was 150")
    sheet.get_by_role("button", name="+ I.B.6").tap()
    sheet.get_by_label("It should have been").check()
    send = sheet.get_by_role("button", name="Open the dispute")
    wished = sheet.get_by_role("group", name="What should have been")
    wished.get_by_label("Amount", exact=True).fill("")
    expect(send).to_be_disabled()
    wished.get_by_label("Amount", exact=True).fill("150")
    expect(sheet).to_contain_text("Bob opens dispute 8 on 7, with a correction to be made: It was 150.")
    send.tap()

    main = desk.get_by_role("main")
    main.get_by_role("link", name="8 · Bob").click()
    expect(main.get_by_role("heading", name="Prepared by Bob")).to_be_visible()
    plate = main.get_by_role("list", name="Before and after").get_by_role("listitem").filter(has_text="Ana")
    expect(plate.first).to_contain_text("₦1,550 → after ₦1,500")
    desk.get_by_label("Finding").fill("Both remember 150")
    expect(desk.get_by_role("button", name="Dismiss", exact=True)).to_be_enabled()
    desk.get_by_label("With the correction as asked").check()
    expect(main.get_by_role("region", name="It would")).to_contain_text("Both remember 150")
    assert cash(table, "ana") == 1550
    desk.get_by_role("button", name="Rule", exact=True).click()
    expect(desk.get_by_role("heading", name="Dispute 8 · ruled")).to_be_visible()
    assert cash(table, "ana") == 1500

    # On paper the quarrel and its ruling stand alone.
    desk.emulate_media(media="print")
    expect(main.get_by_text("Both remember 150").first).to_be_visible()
    expect(main.get_by_text("“It was 150”").first).to_be_visible()
    expect(desk.get_by_role("navigation")).to_be_hidden()
    expect(desk.get_by_role("combobox", name="Entry line")).to_be_hidden()
    expect(desk.get_by_role("heading", name="Disputes")).to_be_hidden()
    assert paper(desk) == [(210, 297)]
    desk.emulate_media(media="screen")
    # A printed statement hands its sum to the next page, and got one from the page before.
    ledger = table.page("banker", "accounts/player:ana")
    expect(ledger.get_by_role("row", name="Carried forward")).to_be_hidden()
    ledger.emulate_media(media="print")
    expect(ledger.get_by_role("row", name="Carried forward")).to_contain_text("1,500")
    expect(ledger.get_by_role("row", name="Brought forward")).to_contain_text("0")
    expect(ledger.get_by_role("navigation")).to_have_count(0)
    assert paper(ledger) == [(210, 297)]

    # Every page of those who may know says that the line is another one now, and shows what was recorded.
    phone.get_by_role("button", name="Close").or_(phone.get_by_role("button", name="✕")).first.tap()
    expect(phone.get_by_text("Ana gives ₦150 to Bob.").first).to_be_visible()
    desk.get_by_role("link", name="Table", exact=True).click()
    row = desk.get_by_role("region", name="Journal").get_by_role("listitem").filter(has_text="to Bob.")
    expect(row).to_contain_text("Ana gives ₦150 to Bob.")
    expect(row).to_contain_text("played again")

    # Undone by keys and redone, each read before.
    by_keys(desk, "Control+z", "Ana gives ₦150 to Bob.")
    expect(row).to_contain_text("undone")
    by_keys(desk, "Control+Shift+z", "Ana gives ₦150 to Bob.")
    expect(row).to_contain_text("played again")
    assert cash(table, "ana") == 1500


def test_of_the_bankers_own_motion(table: Table) -> None:
    """A ruling without a dispute orders a fine, says where it stands, and is found by its rule."""
    desk = table.page("banker", "docket/new")
    main = desk.get_by_role("main")
    rule = main.get_by_role("button", name="Rule", exact=True)
    main.get_by_label("Finding").fill("Nobody hides money under the board")
    main.get_by_label("Find a rule").fill("I.B.6")
    main.get_by_role("button", name="Take rule I.B.6 Free money transfers").click()
    expect(rule).to_be_disabled()
    main.get_by_role("button", name="Fine a player").click()
    expect(rule).to_be_disabled()
    remedy = main.get_by_role("listitem", name="Order 1")
    remedy.get_by_role("button", name="Bob").click()
    remedy.get_by_label("Amount").fill("20")
    expect(main.get_by_text("Bob is fined ₦20").first).to_be_visible()
    assert cash(table, "bob") == 1750
    rule.click()
    expect(main.get_by_text("Recorded as line 8.")).to_be_visible()
    assert cash(table, "bob") == 1730
    main.get_by_role("link", name="Earlier rulings").last.click()
    main.get_by_label("Rule", exact=True).fill("I.B.6")
    main.get_by_label("Rule", exact=True).press("Enter")
    expect(main.get_by_text("Nobody hides money under the board")).to_be_visible()
    main.get_by_label("Rule", exact=True).fill("V.A.6")
    main.get_by_label("Rule", exact=True).press("Enter")
    expect(main.get_by_text("No ruling fits.")).to_be_visible()
