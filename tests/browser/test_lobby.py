"""An evening begins: a new game, invitations, phones that join, one that is lost; a banker who also plays."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.table import PHONE, Table, paper
from tests.monopoly.own import TOWN, row

pytestmark = pytest.mark.xdist_group("console")

Lay = Callable[..., Table]


def test_an_evening_begins(tables: Lay) -> None:
    """Nobody holds a key but those who joined. A new phone shuts the lost one out, which forgets everything."""
    # The table's own game is another one: the banker makes this one on an empty device.
    table = tables("negopoly", "zoe", "yan")
    desk = table.page(None, "/")
    desk.get_by_role("link", name="Lay a new table").click()
    desk.get_by_label("Negopoly").check()
    desk.get_by_label("Name of the game").fill("Friday in the kitchen")
    desk.get_by_label("Name of player 1", exact=True).fill("Ana")
    desk.get_by_label("Name of player 2", exact=True).fill("Bob")
    desk.get_by_text("House rules").click()
    desk.get_by_label("Opening balance").fill("2*600")
    desk.get_by_role("button", name="Lay the table").click()
    expect(desk.get_by_role("heading", name="Seats and invitations")).to_be_visible()
    assert desk.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('mabligop:')).length") == 1
    assert desk.evaluate(_ROLES) == ["banker"]

    desk.get_by_role("button", name="Invite everybody who is not in").click()
    expect(desk.get_by_label("Code")).to_have_count(2)
    # The invitations on paper: squares and codes, and nothing to press.
    desk.emulate_media(media="print")
    expect(desk.get_by_label("Code").last).to_be_visible()
    expect(desk.get_by_role("img", name="Square to scan for Bob")).to_be_visible()
    expect(desk.get_by_role("navigation")).to_be_hidden()
    expect(desk.get_by_role("button", name=re.compile("Print|Take back|Invite"))).to_have_count(0)
    assert paper(desk) == [(210, 297)]
    desk.emulate_media(media="screen")
    link, (_, code) = desk.get_by_text("/join#").first.inner_text(), desk.get_by_label("Code").all_inner_texts()
    first = _phone(table, f"/join#{link.split('#')[1]}")
    expect(first.get_by_label("Code")).not_to_have_value("")
    assert first.url == f"{table.url}/join"
    expect(first.get_by_role("region", name="The table")).to_contain_text("You are Ana.")
    first.get_by_role("button", name="Take this seat").click()
    expect(first).to_have_url(f"{desk.url.removesuffix('/seats')}/play")
    bob = _phone(table, "/join")
    bob.get_by_label("Code").fill(code.lower().replace("-", " "))
    expect(bob.get_by_role("listitem").first).to_contain_text("Ana is in")
    bob.get_by_role("button", name="Take this seat").click()
    expect(bob).to_have_url(first.url)
    expect(desk.get_by_text("● connected")).to_have_count(2)

    # The codes that were used go before the new one comes.
    links = desk.get_by_text("/join#")
    expect(links).to_have_count(0)
    desk.get_by_role("button", name="Replace a lost phone: Ana").click()
    expect(links).to_have_count(1)
    second = _phone(table, f"/join#{links.inner_text().split('#')[1]}")
    table.shuts_out(first)
    expect(second.get_by_text("that phone is shut out")).to_be_visible()
    second.get_by_role("button", name="Take this seat").click()
    expect(second).to_have_url(first.url)
    expect(first.get_by_text("This device was replaced")).to_be_visible()
    assert first.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('mabligop:'))") == []
    assert second.evaluate(_ROLES) == ["player"]
    desk.goto(f"{table.url}/")
    expect(desk.get_by_role("heading", name="Friday in the kitchen")).to_be_visible()


def test_a_table_is_told_what_its_own_board_forgets(tables: Lay, tmp_path: Path) -> None:
    """The file of a board lacks a mortgage: the table is laid, the page says so, and goes on to the seats."""
    town = copy.deepcopy(TOWN)
    del row(town, "squares", "tansy_row")["mortgage"]
    file = tmp_path / "town.json"
    file.write_text(json.dumps(town), encoding="utf-8")
    desk = tables("negopoly", "zoe", "yan").page(None, "/new")
    desk.get_by_label("Own board").check()
    for number, name in ((1, "Ana"), (2, "Bob")):
        desk.get_by_label(f"Name of player {number}", exact=True).fill(name)
    desk.get_by_text("House rules").filter(has_text="Dice, board").click()
    desk.locator("input[type=file]").set_input_files(file)
    desk.get_by_role("button", name="Lay the table").click()
    expect(desk.get_by_role("status")).to_contain_text("`mortgage` is missing: a mortgage brings nothing.")
    desk.get_by_role("link", name="To the seats").click()
    expect(desk.get_by_role("heading", name="Seats and invitations")).to_be_visible()


def test_the_table_plays_again(tables: Lay) -> None:
    """The banker prints the deeds, saves a copy, and begins a new game with the same players and house rules."""
    table = tables("negopoly", "ana", "bob", settings={"turn_seconds": 77})
    desk = table.page("banker", "keep")
    desk.evaluate("window.print = () => undefined")
    desk.get_by_role("button", name="Print the deeds").click()
    expect(desk.locator(".deed-sheets article")).to_have_count(22)
    assert paper(desk) == [(210, 297)] * 3
    with desk.expect_download() as saved:
        desk.get_by_role("button", name="Save the copy").click()
    assert saved.value.path().read_text().splitlines()[-1].startswith('{"end":')
    desk.get_by_role("button", name="Begin the new game").click()
    expect(desk.get_by_role("heading", name="Seats and invitations")).to_be_visible()
    expect(desk).not_to_have_url(re.compile(table.game))
    expect(desk.get_by_role("button", name="Invite: Bob")).to_be_visible()
    token, game = desk.evaluate(_NEWEST), urlsplit(desk.url).path.split("/")[2]
    copy = Table(table.browser, table.url, game, {"banker": token}, table.rulebook, table.title)
    assert copy.ask("banker", "actions/1")["params"] == table.ask("banker", "actions/1")["params"]


def test_a_banker_also_plays(tables: Lay) -> None:
    """The desk then begins covered, and no key of a seat is anywhere but in the storage."""
    table = tables("negopoly", "ana", "bob")
    desk = table.page("banker", "seats")
    expect(desk.get_by_role("button", name="Cover", exact=True)).to_have_attribute("aria-pressed", "false")
    desk.get_by_role("button", name="Play Ana's seat on this device, too").click()
    expect(desk.get_by_role("link", name="Open Ana's page")).to_be_visible()
    assert sorted(desk.evaluate(_ROLES)) == ["banker", "player"]
    desk.reload()
    expect(desk.get_by_role("banner").get_by_role("button", name="Uncover")).to_have_attribute(
        "aria-pressed", "true"
    )
    keys = desk.evaluate(f"JSON.parse(localStorage.getItem('mabligop:{table.game}')).map((one) => one.token)")
    assert not any(key in desk.content() for key in keys)


def _phone(table: Table, path: str) -> Page:
    return table.page(None, path, size=PHONE, has_touch=True)


_ROLES = """Object.keys(localStorage).filter((key) => key.startsWith('mabligop:'))
  .flatMap((key) => JSON.parse(localStorage.getItem(key)).map((one) => one.role))"""

_NEWEST = "JSON.parse(localStorage.getItem('mabligop:' + location.pathname.split('/')[2]))[0].token"
"""The token of the game whose page is open."""
