"""Two games that differ only in what somebody may not see: their page cannot tell one from the other."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.coupled import Observed, Onlookers, assert_alike, found_out
from tests.browser.table import Table
from tests.browser.test_negoces2 import lay
from tests.tables.negoces2 import SEATS, SERIES
from tests.tables.negopoly import starting

pytestmark = pytest.mark.xdist_group("browser")

Lay = Callable[..., Table]
EVERYTHING = {"answers", "stream", "document", "tree", "picture"}
"""What tells somebody the secret who may know it."""


def visit(onlookers: Onlookers, *more: str) -> None:
    """Read the pages that all may read. The address of the replay names its moment, as the page writes it."""
    version = onlookers.table.ask("banker", "state")["version"]
    replay = f"replay?at={version}&as=corrected"
    onlookers.visit("journal", "accounts", "docket", "agreements", "rules", replay, *more, but="bob")


def contest(onlookers: Onlookers, who: str, line: int, answer: str) -> None:
    """The phone tries out a dispute about a line; the answer is a preview or a refusal. Nothing is recorded."""
    phone = onlookers.seen[who].page
    phone.get_by_role("button", name=f"Contest line {line}").tap()
    sheet = phone.get_by_role("dialog")
    sheet.get_by_label("What is wrong?").fill("I want to know what that was")
    expect(sheet).to_contain_text(answer)
    onlookers.hear("a dispute that is tried out")
    sheet.get_by_role("button", name="Close").tap()
    expect(sheet).to_be_hidden()


def sale(tables: Lay, sold: str, offered: str) -> Onlookers:
    """Ana's card and Bob's lie face down, Dan offers coins on his phone, and Ana takes Bob's."""
    table = tables("negoces2", *SEATS)
    table.act("banker", "draw_starter", {"method": "roll", "dice": [1]})
    table.act("banker", "deal_goods", {"series": SERIES})
    table.act("ana", "bid", {"amount": 1})
    for seat in ("bob", "cid", "dan"):
        table.act(seat, "withdraw")
    onlookers = Onlookers(table, dan="play", spectator="wall", bob="play")
    table.act("ana", "offer_for_sale", {"card": sold, "face": "down"})
    onlookers.hear("a card for sale")
    offer = table.act("bob", "make_offer", {"card": offered, "face": "down"})
    onlookers.hear("an offer")
    lay(onlookers.seen["dan"].page, None, coins=4)
    onlookers.hear("an offer of their own")
    table.act("ana", "accept_offer", {"buyer": "bob", "revision": str(offer["number"])})
    onlookers.hear("the sale")
    visit(onlookers, "statistics")
    return onlookers


def cards_that_lie_face_down(tables: Lay) -> None:
    """Dan and the wall learn neither Ana's card nor Bob's; Bob, who knows both, is found out to know them."""
    one, other = sale(tables, "good:1", "good:3"), sale(tables, "good:2", "good:4")
    assert_alike(one.seen["dan"], other.seen["dan"])
    assert_alike(one.seen["spectator"], other.seen["spectator"])
    assert found_out(one.seen["bob"], other.seen["bob"]) >= EVERYTHING


def proposal(tables: Lay, price: int, promise: str) -> Onlookers:
    """Ana proposes a deal to Bob, who refuses it. Cid may not contest what he was not told."""
    table = tables("negopoly", "ana", "bob", "cid")
    for seat, kind, params in starting("ana", "bob", "cid"):
        table.act(seat or "banker", kind, params)
    onlookers = Onlookers(table, cid="play", spectator="wall", bob="play")
    leg = {"giver": "ana", "taker": "bob", "commodity": "NGD", "amount": price}
    deal = table.act("ana", "propose_deal", {"legs": [leg], "clauses": [promise]})
    onlookers.hear("a proposal")
    contest(onlookers, "cid", deal["number"], "is for its parties to dispute")
    table.act("bob", "withdraw_deal", {"deal": str(deal["number"])})
    onlookers.hear("a refusal")
    # Its statistics tell how long each turn took, which is never the same twice.
    visit(onlookers)
    return onlookers


def a_deal_between_two(tables: Lay) -> None:
    """Cid and the wall do not learn what Ana offered Bob."""
    one, other = proposal(tables, 90, "no rent"), proposal(tables, 110, "half the rent")
    assert_alike(one.seen["cid"], other.seen["cid"])
    assert_alike(one.seen["spectator"], other.seen["spectator"])
    assert found_out(one.seen["bob"], other.seen["bob"]) >= EVERYTHING


def objectives(tables: Lay, *cards: str) -> Onlookers:
    """Bob records the Objectives that he was dealt. The banker plays as Ana; Cid contests Bob's line."""
    table = tables("virtual_revolution", "ana", "bob", "cid", settings={"banker_plays": "ana"})
    onlookers = Onlookers(table, banker="desk", cid="play", spectator="wall", bob="play")
    line = table.act("bob", "record_objectives", {"objectives": list(cards)})
    onlookers.hear("secret Objectives")
    contest(onlookers, "cid", line["number"], "Cid opens dispute")
    visit(onlookers, "statistics")
    return onlookers


def secret_objectives_and_a_banker_who_plays(tables: Lay) -> None:
    """The desk of a banker who plays as Ana, Cid's phone and the wall do not learn Bob's Objectives."""
    one, other = objectives(tables, "servers", "verses"), objectives(tables, "titles", "revenue")
    for who in ("banker", "cid", "spectator"):
        assert_alike(one.seen[who], other.seen[who])
    assert found_out(one.seen["bob"], other.seen["bob"]) >= EVERYTHING


STORIES = (cards_that_lie_face_down, a_deal_between_two, secret_objectives_and_a_banker_who_plays)


@pytest.mark.soak
@pytest.mark.parametrize("story", STORIES)
def test_two_games(tables: Lay, story: Callable[[Lay], None]) -> None:
    story(tables)


PHONE = ("play", "play/pay", "play/goods", "play/mine", "play/deal", "play/table")
SHARED = ("journal", "docket", "accounts", "accounts/hand:ana", "agreements", "replay", "statistics")
DESK = ("correct", "seats", "rules", "desk")
VISIBLE = {"document", "tree", "picture"}


def covered(tables: Lay, card: str, word: str) -> list[Observed]:
    """Ana's phone and the desk, with her card on them and its name typed: covered, on every page."""
    table = tables("negoces2", *SEATS)
    table.act("banker", "draw_starter", {"method": "roll", "dice": [1]})
    table.act("banker", "deal_goods", {"series": SERIES})
    table.act("ana", "bid", {"amount": 1})
    for seat in ("bob", "cid", "dan"):
        table.act(seat, "withdraw")
    table.act("ana", "offer_for_sale", {"card": card, "face": "down"})
    phone, desk = Observed(table, "ana", "play/goods"), Observed(table, "banker", "desk")
    for seen in (phone, desk):
        seen.watches()
    desk.page.get_by_role("combobox").fill(word)
    desk.page.keyboard.press("F8")
    phone.page.get_by_role("button", name="Cover", exact=True).tap()
    for seen in (phone, desk):
        expect(seen.page.get_by_role("button", name="Uncover").first).to_be_visible()
        assert word not in seen.page.content()
    for path in (*PHONE, *SHARED):
        phone.go(path)
    for path in (*SHARED, *DESK):
        desk.go(path)
    return [phone, desk]


@pytest.mark.soak
def test_a_covered_page_shows_what_the_wall_shows(tables: Lay) -> None:
    for seen in zip(covered(tables, "good:1", "wine"), covered(tables, "good:2", "spice"), strict=True):
        for one in seen:
            one.traces[:] = [trace for trace in one.traces if trace.what in VISIBLE]
        assert_alike(*seen)
