"""A quarrel at the docket: contested on a phone, ruled on with a remedy that was read before it was ordered."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.table import Table
from tests.tables.negopoly import NO_DECKS, starting

pytestmark = pytest.mark.xdist_group("console")


def test_a_fine_is_ordered(tables: Callable[..., Table]) -> None:
    table = tables("negopoly", "ana", "bob", settings={"decks": NO_DECKS})
    for seat in ("ana", "bob"):
        table.act(seat, "join_game", {"persona": "Don"})
    for seat in ("ana", "bob"):
        table.act(seat, "choose_starter_perk", {"perk": "money"})
    table.act("banker", "start_game")
    table.act("ana", "transfer_money", {"to": "bob", "amount": 100})
    table.post("bob", "disputes", claim="It was 150", actions=[7], rules=["I.B.6"])
    desk = table.page("banker", "docket/8")
    main = desk.get_by_role("main")
    # A fine is a sentence with blanks: a touch for the sentence, one for who, the sum, Enter.
    main.get_by_role("button", name="Fine a player").click()
    order = main.get_by_role("listitem", name="Order 1")
    expect(order).to_contain_text("pays the bank a fine of")
    order.get_by_role("button", name="Ana").click()
    desk.keyboard.type("50")
    would = main.get_by_role("region", name="It would")
    expect(would).to_contain_text("Ana is fined ₦50. The banker rules on dispute 8: It was 150.")
    expect(would.get_by_role("row", name="Ana")).to_contain_text("1,5501,500−₦50")
    desk.get_by_label("Finding").fill("She owed him 50 more")
    expect(would).to_contain_text("She owed him 50 more")

    # The game goes on meanwhile: what the ruling would do is read again by itself, and says what changed.
    table.act("ana", "transfer_money", {"to": "bob", "amount": 10})
    expect(would).to_contain_text("The game went on meanwhile.")
    expect(would.get_by_role("row", name="Ana")).to_contain_text("1,5401,490−₦50")
    assert table.ask("banker", "accounts/player:ana")["holdings"]["NGD"] == 1540
    order.get_by_label("Amount").press("Enter")
    expect(desk.get_by_role("heading", name="Dispute 8 · ruled")).to_be_visible()
    assert table.ask("banker", "accounts/player:ana")["holdings"]["NGD"] == 1490

    # How an amount came about is one touch away from it.
    desk.get_by_role("complementary").get_by_role("link", name="₦1,490").click()
    expect(desk.get_by_role("heading", name="Ana: ₦1,490")).to_be_visible()

    # Both parties find it under its rule; who may not know of the payment does not learn of the quarrel either.
    phone = table.page("bob", "precedents?rule=I.B.6")
    expect(phone.get_by_text("She owed him 50 more").first).to_be_visible()
    wall = table.page("spectator", "precedents?rule=I.B.6")
    expect(wall.get_by_text("No ruling fits.")).to_be_visible()
    assert "She owed" not in wall.content()


def test_open_pages_follow_a_ruling_that_corrects(tables: Callable[..., Table]) -> None:
    """The amount was 10 and not 100: figures, replay, statement, origin and the line itself say so at once."""
    table = tables("negopoly", "ana", "bob")
    for seat, kind, params in starting("ana", "bob", perks={}):
        table.act(seat or "banker", kind, params)
    line = table.act("ana", "transfer_money", {"to": "bob", "amount": 100})["action"]
    dispute = table.post("bob", "disputes", claim="It was 10", actions=[line])["action"]
    paths = ("statistics", f"replay?at={line}", "accounts/player:ana", "why?account=player:ana&commodity=NGD")
    pages = [table.page("banker", path) for path in (*paths, f"rules/I.B.6#{line}")]
    for page in pages:
        expect(page.get_by_text("₦100").first).to_be_visible()
    edits = [{"op": "replace", "action": line, "params": {"to": "bob", "amount": 10}}]
    remedy = {"op": "correct", "edits": edits, "cascade": "restate", "reason": "misheard"}
    table.post("banker", f"disputes/{dispute}/rulings", finding="She said ten.", remedies=[remedy])
    figures, replay, statement, origin, opened = pages
    expect(figures.get_by_text("She said ten.")).to_have_count(1)
    expect(figures.get_by_role("button", name="Save the report")).to_be_visible()
    expect(figures.get_by_text("₦100", exact=True)).to_have_count(0)
    expect(replay.get_by_text("Ana gives ₦10 to Bob.")).to_be_visible()
    for page in (statement, origin):
        expect(page.get_by_text("Ana gives ₦10 to Bob.")).to_be_visible()
        expect(page.get_by_text("Ana gives ₦100 to Bob.")).to_have_count(0)
    expect(opened.get_by_role("dialog").get_by_text("Ana gives ₦10 to Bob.")).to_be_visible()
