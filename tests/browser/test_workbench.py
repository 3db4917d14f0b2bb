"""A mistyped throw is corrected on the workbench: what would change is read first, then it is so everywhere."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.settled import Settling
from tests.browser.table import Table, enter_line
from tests.tables.negopoly import NO_DECKS

pytestmark = pytest.mark.xdist_group("console")


def test_a_throw_is_replaced(tables: Callable[..., Table]) -> None:
    table = tables("negopoly", "ana", "bob", settings={"decks": NO_DECKS})
    for seat in ("ana", "bob"):
        table.act(seat, "join_game", {"persona": "Don"})
    for seat in ("ana", "bob"):
        table.act(seat, "choose_starter_perk", {"perk": "money"})
    table.act("banker", "start_game")
    table.act("ana", "roll_dice", {"dice": [1, 2]})
    table.act("ana", "buy_property")
    table.act("ana", "build_house", {"title": "black_arretxea"})
    desk, phone = table.page("banker", "desk"), table.page("ana", "play")
    Settling(desk).wait()  # The entry line takes the focus once, and would take the key, too.
    row = desk.get_by_role("listitem").filter(has_text="Ana rolls 1, 2.")
    row.click()
    desk.keyboard.press("e")
    edits = desk.get_by_role("region", name="Edits")
    # The line is a sentence with its values as blanks.
    for number, die in (("1", "3"), ("2", "5")):
        edits.get_by_role("group", name=f"Dice, {number}").get_by_role("button", name=die, exact=True).click()
    expect(edits.get_by_role("listitem").first).to_contain_text(re.compile(r"Ana rolls\s+1 2 3"))
    change = desk.get_by_role("region", name="What would change")
    for told in ("1 falls, 2 change", "would be refused", "Ana buys 69 rue des patates for ₦100."):
        expect(change).to_contain_text(told)
    falls = change.get_by_role("listitem").filter(has_text="Ana builds a house")
    expect(falls.locator("s")).to_contain_text("Ana builds a house")
    expect(falls).to_contain_text("V.C.1")
    expect(change.get_by_role("listitem").filter(has_text="round 1")).to_contain_text("Ana")

    # Before and after, seat by seat; nothing is written without a reason.
    after = desk.get_by_role("region", name="Before and after")
    plate = after.get_by_role("list", name="Before and after").get_by_role("listitem").filter(has_text="Ana")
    expect(plate).to_contain_text("₦1,540 → after ₦1,550 +₦10")
    assert table.ask("banker", "accounts/player:ana")["holdings"]["NGD"] == 1540
    # The game goes on meanwhile: the bench looks again by itself, and stays ready.
    table.act("ana", "transfer_money", {"to": "bob", "amount": 10})
    expect(plate).to_contain_text("₦1,530 → after ₦1,540 +₦10")
    expect(after.get_by_label("Reason")).to_have_value("It was written down wrongly.")
    after.get_by_label("Reason").fill("")
    expect(after.get_by_role("button", name="Apply: give a reason")).to_be_disabled()
    after.get_by_label("Reason").fill("it was 3 and 5")
    after.get_by_role("button", name="Apply", exact=True).click()

    # What was foretold is what became of it, and every page says which lines changed.
    expect(phone.get_by_text("Ana rolls 3, 5.").first).to_be_visible()
    # Her telephone says what she has more, and why, until she puts it away.
    notice = phone.get_by_role("region", name="What you have was put right")
    phone.reload()
    expect(notice).to_contain_text("+₦10")
    expect(notice).to_contain_text("it was 3 and 5")
    notice.get_by_role("button", name="Understood").tap()
    expect(notice).to_have_count(0)
    assert table.ask("banker", "accounts/player:ana")["holdings"]["NGD"] == 1540
    desk.get_by_role("link", name="Table", exact=True).click()
    journal = desk.get_by_role("region", name="Journal")
    expect(journal.get_by_role("listitem").filter(has_text="Ana buys 69 rue des patates")).to_contain_text(
        "played again"
    )
    expect(journal.get_by_role("listitem").filter(has_text="Ana builds a house")).to_contain_text(
        "no longer possible"
    )
    expect(desk.get_by_role("listitem").filter(has_text="worth").first).to_contain_text("₦1,540")

    # Ctrl+Shift+Z takes the correction back, Ctrl+Z the newest action; each is read before Enter.
    field = desk.get_by_role("combobox", name="Entry line")
    for keys, cash in (("Control+Shift+z", 1530), ("Control+z", 1540)):
        field.press(keys)
        expect(desk.locator("#entry .effect")).to_contain_text("Ana")
        enter_line(field)
        expect(desk.get_by_role("listitem").filter(has_text="worth").first).to_contain_text(f"₦{cash:,}")
