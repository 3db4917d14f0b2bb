"""Dice of the service, and of phones that throw together: each has a part in a throw without being touched."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Response, expect

from tests.browser.settled import Settling
from tests.browser.table import Table, enter_line
from tests.tables.negopoly import starting

pytestmark = pytest.mark.xdist_group("browser")


def opened(table: Table, seat: str) -> Page:
    """The phone of a seat, which has committed to a chain."""
    page = table.page(seat, "/join")
    with page.expect_response(lambda answer: answer.url.endswith("/dice/commitments")) as committed:
        page.goto(f"{table.url}/g/{table.game}/play")
    assert committed.value.status == 201
    return page


def test_the_service_throws_for_a_desk_and_a_phone(tables: Callable[..., Table]) -> None:
    """Nobody asks what comes, so nothing is refused: before each throw stands that the service throws."""
    table = tables("negopoly", "ana", "bob", dice="service")
    for seat, kind, params in starting("ana", "bob"):
        table.act(seat or "banker", kind, params)
    refused: list[str] = []

    def note(answer: Response) -> None:
        if answer.status >= 400:
            refused.append(f"{answer.status} {answer.url}: {answer.text()}")

    desk, bob = table.page("banker", "desk"), table.page("bob", "play")
    settling = Settling(desk)
    for page in (desk, bob):
        page.on("response", note)
    expect(desk.get_by_text("The service throws: the result comes with Enter.")).to_be_visible()
    enter_line(desk.locator("#entry-line"))
    expect(desk.get_by_text(re.compile(r"^Ana rolls \d, \d\.")).first).to_be_visible()
    settling.wait()  # Else the desk may ask what the end of Ana's turn would do when the turn is over.
    table.act("banker", "end_turn", {}, seat="ana", settle=True)
    roll = bob.get_by_role("button", name="Roll the dice")
    expect(bob.get_by_text("The service throws")).to_be_visible()
    roll.tap()
    expect(roll).to_have_count(0)
    assert refused == []


def test_two_phones_have_a_part_in_a_throw(tables: Callable[..., Table]) -> None:
    table = tables("negopoly", "ana", "bob", dice="shared")
    ana, bob = opened(table, "ana"), opened(table, "bob")
    for seat, kind, params in starting("ana", "bob"):
        table.act(seat or "banker", kind, params)
    ana.get_by_role("button", name="Roll the dice").click()
    expect(ana.get_by_role("button", name="Roll the dice")).to_have_count(0)
    rolled = next(one for one in reversed(table.journal()) if one["kind"] == "roll_dice")
    assert rolled["chance"]["throw"]["values"].keys() == {"ana", "bob"}
    ana.goto(ana.url.partition("/play")[0] + f"/journal#{rolled['action']}")
    line = ana.get_by_role("dialog")
    expect(line.get_by_text("Thrown together by Ana, Bob, the service (throw 1)")).to_be_visible()

    bob.close()
    table.act("banker", "end_turn", {}, seat="ana", settle=True)
    missed = table.act("banker", "roll_dice", {}, seat="bob")
    assert missed["chance"]["throw"]["missing"] == ["bob"]
    ana.goto(ana.url.partition("#")[0] + f"#{missed['action']}")
    expect(line.get_by_text("Bob did not take part")).to_be_visible()
