"""Two games that differ only in what somebody may not see: their page cannot tell one from the other."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.coupled import Onlookers, assert_alike, found_out
from tests.browser.table import Table
from tests.browser.test_negoces2 import do
from tests.tables.negoces2 import SEATS, SERIES

pytestmark = pytest.mark.xdist_group("browser")

Lay = Callable[..., Table]
PAGES = ("journal", "accounts", "docket", "agreements", "rules", "replay")
"""The pages that everybody may read. Statistics tell how long people took, which is never the same twice: their
answers are compared with those of all addresses, where time is told."""
EVERYTHING = {"answers", "stream", "document", "tree", "picture"}
"""What tells somebody the secret who may know it."""


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
    do(onlookers.seen["dan"].page, "Offer coins", coins=4)
    onlookers.hear("an offer of their own")
    table.act("ana", "accept_offer", {"buyer": "bob", "revision": str(offer["number"])})
    onlookers.hear("the sale")
    onlookers.visit(*PAGES)
    return onlookers


def test_cards_that_lie_face_down(tables: Lay) -> None:
    """Dan and the wall learn neither Ana's card nor Bob's; Bob, who knows both, is found out to know them."""
    one, other = sale(tables, "good:1", "good:3"), sale(tables, "good:2", "good:4")
    assert_alike(one.seen["dan"], other.seen["dan"])
    assert_alike(one.seen["spectator"], other.seen["spectator"])
    assert found_out(one.seen["bob"], other.seen["bob"]) >= EVERYTHING
