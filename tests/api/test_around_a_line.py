"""Reading around a line of the journal: its page, certain lines at once, the totals, and what touches it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.api.mending import MISTAKE, drop
from tests.tables.over_http import Caller, HttpTable, problem

GIFTS = 23
LINK = re.compile(r'<([^>]*)>; rel="([a-z]+)"')


@pytest.fixture
def long(started: HttpTable) -> HttpTable:
    """A journal of 29 actions: Ana gives Bob 1, 2, … 23 ₦ from action 7 on."""
    for amount in range(1, GIFTS + 1):
        started.ana.play("transfer_money", to="bob", amount=amount)
    return started


def read(caller: Caller, query: str) -> dict[str, Any]:
    answer = caller.get(f"actions?{query}")
    assert answer.status_code == 200, answer.text
    page: dict[str, Any] = answer.json
    return page


def numbers(page: dict[str, Any]) -> list[Any]:
    return [entry["action"] for entry in page["actions"]]


# The page around a line -------------------------------------------------------------------------------


def test_a_page_has_the_line_in_its_middle_and_goes_on_both_ways(long: HttpTable) -> None:
    page = read(long.ana, "around=15&limit=5")
    assert numbers(page) == [13, 14, 15, 16, 17]
    assert numbers(read(long.ana, f"around=15&limit=5&cursor={page['next']}")) == [18, 19, 20, 21, 22]
    assert numbers(read(long.ana, f"limit=5&cursor={page['previous']}")) == [8, 9, 10, 11, 12]
    newest = read(long.ana, "around=15&limit=5&order=newest")
    assert numbers(newest) == [17, 16, 15, 14, 13]
    assert numbers(read(long.ana, f"order=newest&limit=5&cursor={newest['next']}")) == [12, 11, 10, 9, 8]


def test_near_an_end_the_page_has_more_of_the_other_side(long: HttpTable) -> None:
    first, last = read(long.ana, "around=2&limit=5"), read(long.ana, "around=29&limit=5")
    assert numbers(first) == [1, 2, 3, 4, 5]
    assert (first["previous"], numbers(last), last["next"]) == (None, [25, 26, 27, 28, 29], None)
    alone = read(long.ana, "around=15&limit=1")
    assert numbers(alone) == [15]
    assert numbers(read(long.ana, f"limit=1&cursor={alone['previous']}")) == [14]
    problem(long.ana.get("actions?around=30"), 422, "invalid-request")


def test_the_page_around_a_line_is_filtered_too(long: HttpTable) -> None:
    """Of the lines of Bob two come before line 9, and none after it."""
    assert numbers(read(long.banker, "around=9&limit=3&seat=bob")) == [4, 5]


# Certain lines ----------------------------------------------------------------------------------------


def test_rewritten_lines_are_fetched_at_once_in_the_order_asked_for(gifts: HttpTable) -> None:
    forgotten = {"kind": "transfer_money", "params": {"to": "ana", "amount": 40}, "seat": "bob"}
    edits = [*drop(9), {"op": "insert", "after": 8, "action": forgotten}]
    assert gifts.banker.post("corrections", {"edits": edits, "reason": MISTAKE}).status_code == 201
    page = read(gifts.ana, "numbers=10.1,9,7,9,999,10.2")
    assert numbers(page) == ["10.1", 9, 7]
    assert [entry["status"] for entry in page["actions"]] == ["effective", "undone", "effective"]
    assert page["actions"] == [gifts.ana.get(f"actions/{name}").json for name in ("10.1", 9, 7)]
    problem(gifts.ana.get("actions?numbers=" + ",".join(["7"] * 201)), 422, "invalid-request")
    problem(gifts.ana.get("actions?numbers=7,x"), 422, "invalid-request")


# The totals of a filter -------------------------------------------------------------------------------


def test_totals_count_all_pages_of_a_filter(long: HttpTable) -> None:
    page = read(long.banker, "kind=transfer_money&account=player:bob&limit=2&totals=true")
    assert len(page["actions"]) == 2
    total = sum(range(1, GIFTS + 1))
    money = {"commodity": "NGD", "name": "₦", "postings": GIFTS, "amount": total, "received": total, "given": 0}
    assert page["totals"] == {"count": GIFTS, "commodities": [money]}
    assert "totals" not in read(long.banker, "kind=transfer_money")


def test_totals_leave_out_what_no_longer_counts(gifts: HttpTable) -> None:
    before = read(gifts.ana, "kind=transfer_money&totals=true")["totals"]
    assert (before["count"], before["commodities"][0]["amount"]) == (3, 1650 + 100 + 60)
    gifts.banker.post("corrections", {"edits": drop(9), "reason": MISTAKE})
    after = read(gifts.ana, "kind=transfer_money&totals=true")["totals"]
    assert (after["count"], after["commodities"][0]["amount"]) == (3, 1650 + 100)


def test_totals_tell_only_what_the_caller_sees(long: HttpTable) -> None:
    """To a spectator the gifts are private lines without postings."""
    seen = read(long.spectator, "kind=private&totals=true")["totals"]
    assert seen == {"count": len(read(long.spectator, "kind=private")["actions"]), "commodities": []}
    assert read(long.spectator, "account=player:bob&kind=transfer_money&totals=true")["totals"]["count"] == 0
