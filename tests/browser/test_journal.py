"""The journal on the desk, a line's own page, and a statement, as people read them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.table import PHONE, Table, wait_until
from tests.tables.negopoly import starting

pytestmark = pytest.mark.xdist_group("console")


@pytest.fixture
def paid(tables: Callable[..., Table]) -> Table:
    """A game that began, in which Ana has given Bob ₦100."""
    table = tables("negopoly", "ana", "bob")
    for seat, kind, params in starting("ana", "bob", perks={}):
        table.act(seat or "banker", kind, params)
    table.act("ana", "transfer_money", {"to": "bob", "amount": 100})
    return table


def test_a_corrected_line_says_what_it_was_on_every_page(paid: Table) -> None:
    """The amount was misheard: the desk marks the line, its page tells before and after, the statement the sum."""
    desk = paid.page("banker", "desk")
    rows = desk.get_by_role("list", name="Journal").get_by_role("link")
    expect(rows.last).to_contain_text("Ana gives ₦100 to Bob.")
    line = paid.ask("banker", "actions", order="newest", limit=1)["actions"][0]["action"]

    edit = {"op": "replace", "action": line, "params": {"to": "bob", "amount": 10}}
    paid.post("banker", "corrections", edits=[edit], reason="misheard", cascade="restate")
    row = rows.filter(has_text="played again")
    expect(row).to_contain_text("₦10 to Bob.")
    expect(row.locator("s")).to_contain_text("₦100")

    row.focus()
    desk.keyboard.press("Enter")
    dialog = desk.get_by_role("dialog", name=f"Line {line}")
    expect(dialog.get_by_text("played again by correction")).to_be_visible()
    expect(dialog.get_by_text("Ana gives ₦100 to Bob.")).to_be_visible()
    desk.keyboard.press("ArrowRight")
    expect(desk.get_by_role("dialog", name=f"Line {line + 1}")).to_contain_text("misheard")
    desk.keyboard.press("Escape")
    expect(desk.get_by_role("dialog")).to_have_count(0)

    statement = paid.page("banker", "accounts/player:ana")
    newest = statement.get_by_role("row").nth(1)
    expect(newest).to_contain_text("−₦10")
    expect(newest).to_contain_text("Bob")
    owed = statement.get_by_role("region", name="Cash and debts")
    expect(owed).to_contain_text("Owes nothing.")
    paid.act("ana", "take_loan", {"amount": 200})
    expect(owed.get_by_role("listitem").first).to_contain_text("the bank ₦200 collected")


def test_pages_and_lists_keep_their_place(paid: Table) -> None:
    """Nothing moves under a reader: each page begins at its top, back returns, a list waits while it is read."""
    page = paid.page("banker", "rules")
    place = "document.querySelector('#main').scrollTop"
    expect(page.locator("#main[data-more]")).to_be_visible()
    page.evaluate("document.querySelector('#main').scrollTo(0, 900)")
    page.get_by_role("link", name="Seats").click()
    expect(page.get_by_role("heading", level=1, name="Seats")).to_be_focused()
    assert page.evaluate(place) == 0
    page.go_back()
    wait_until(page, f"{place} === 900")

    page.get_by_role("link", name="Table", exact=True).click()
    for _ in range(20):
        paid.act("ana", "transfer_money", {"to": "bob", "amount": 1})
    rows = page.get_by_role("list", name="Journal").get_by_role("link")
    expect(rows.last).to_contain_text("₦1 to Bob.")
    rows.last.hover(position={"x": 60, "y": 10})
    rows.last.hover(position={"x": 80, "y": 10})
    paid.act("ana", "transfer_money", {"to": "bob", "amount": 2})
    new = page.get_by_role("button", name="1 new line")
    expect(new).to_be_visible()
    page.get_by_role("region", name="Seats").hover()
    expect(rows.last).to_contain_text("₦2 to Bob.")
    expect(new).to_have_count(0)


def test_the_filters_of_the_journal_stand_in_its_address(paid: Table) -> None:
    page = paid.page("banker", "journal")
    page.get_by_label("Words").fill("gives bob")
    page.get_by_label("Words").press("Enter")
    expect(page.get_by_role("listitem").filter(has_text="Ana gives ₦100 to Bob.")).to_be_visible()
    expect(page.get_by_text("1 line", exact=True)).to_be_visible()
    page.get_by_role("button", name="Only: I.B.6").click()
    page.wait_for_url("**/journal?q=gives+bob&rule=I.B.6")
    page.get_by_role("button", name="Remove the filter: gives bob").click()
    page.wait_for_url("**/journal?rule=I.B.6")


def test_a_player_contests_a_line(paid: Table) -> None:
    """What is sent is shown before; then the dispute is open, and the line says so to everybody."""
    line = paid.ask("banker", "actions", order="newest", limit=1)["actions"][0]["action"]
    phone = paid.page("bob", f"journal#{line}", size=PHONE)
    dialog = phone.get_by_role("dialog", name=f"Line {line}")
    dialog.get_by_role("button", name="Contest").click()
    dialog.get_by_role("button", name="This did not happen.").click()
    expect(dialog.get_by_label("This line did not happen")).to_be_checked()
    expect(dialog.get_by_text("Bob opens dispute")).to_be_visible()
    assert paid.ask("banker", "disputes")["disputes"] == []
    dialog.get_by_role("button", name="Open the dispute").click()
    expect(dialog.get_by_text("is open.")).to_be_visible()
    desk = paid.page("banker", f"desk#{line}")
    expect(desk.get_by_role("dialog").get_by_text("This did not happen.").first).to_be_visible()
