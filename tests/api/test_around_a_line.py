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


def test_certain_lines_are_filtered_too(gifts: HttpTable) -> None:
    """Of the lines asked for, those of Bob, and those of gifts."""
    of_bob = numbers(read(gifts.banker, "seat=bob"))
    assert numbers(read(gifts.banker, "numbers=9,8,7,6&seat=bob")) == [
        one for one in (9, 8, 7, 6) if one in of_bob
    ]
    assert numbers(read(gifts.banker, "numbers=9,8,7,6&kind=transfer_money")) == [9, 8, 7]
    assert numbers(read(gifts.banker, "numbers=7&kind=roll_dice")) == []


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


# What touches a line ----------------------------------------------------------------------------------


def touching(caller: Caller, line: Any, query: str = "") -> dict[str, Any]:
    answer = caller.get(f"actions/{line}/touches{query}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json
    return found


def rests(found: dict[str, Any]) -> list[tuple[Any, str, str | None]]:
    """The later lines that rest on a line, each with the reason and what it is about."""
    return [(one["action"], one["because"], one.get("about")) for one in found["later"]]


@pytest.fixture
def housed(started: HttpTable) -> HttpTable:
    """Ana throws (7), buys Black Arretxea (8), mortgages it (9), lifts the mortgage (10) and sells it (11)."""
    started.ana.play("roll_dice", dice=[1, 2])
    for kind in ("buy_property", "mortgage_property", "unmortgage_property", "sell_property"):
        started.ana.play(kind, title="black_arretxea")
    started.ana.play("end_turn")
    return started


def test_what_was_done_in_a_turn_rests_on_its_dice(housed: HttpTable) -> None:
    housed.bob.play("roll_dice", dice=[1, 1])
    later = touching(housed.spectator, 7)["later"]
    assert [(one["action"], one["because"]) for one in later] == [(line, "turn") for line in range(8, 13)]
    assert later[0]["sentence"] == "Ana buys Black Arretxea for ₦60."


def test_what_lies_on_a_title_rests_on_its_purchase_until_it_is_passed_on(housed: HttpTable) -> None:
    title = "title:black_arretxea"
    found = touching(housed.ana, 8)
    assert rests(found) == [(9, "piece", title), (10, "piece", title), (11, "piece", title)]
    assert {one["about_name"] for one in found["later"]} == {"Black Arretxea"}
    assert rests(touching(housed.ana, 11)) == []
    limited = touching(housed.ana, 8, "?limit=2")
    assert ([one["action"] for one in limited["later"]], limited["more"]) == ([9, 10], True)


def test_a_payment_rests_on_the_gift_without_which_it_could_not_be_made(gifts: HttpTable) -> None:
    """Ana gave all she had (7): her 60 ₦ (9) are of the 100 that Bob gave her (8)."""
    assert rests(touching(gifts.banker, 8)) == [(9, "amount", "NGD")]
    assert rests(touching(gifts.ana, 8)) == [(9, "amount", "NGD")]
    assert rests(touching(gifts.spectator, 8)) == []
    assert rests(touching(gifts.banker, 7)) == [], "Bob had 100 before"


def test_a_loan_is_touched_by_what_is_paid_back(gifts: HttpTable) -> None:
    gifts.ana.play("take_loan", amount=200)
    gifts.ana.play("repay_loan", loan="10", amount=50)
    gifts.ana.play("repay_loan", loan="10")
    opened, ended = touching(gifts.ana, 10), touching(gifts.ana, 12)
    (loan,) = opened["agreements"]
    assert (loan["id"], loan["change"], loan["title"], loan["status_text"]) == (
        *("10", "opened", "The bank lends Ana ₦200"),
        "paid back",
    )
    assert [one for one in rests(opened) if one[1] == "agreement"] == [
        (11, "agreement", "10"),
        (12, "agreement", "10"),
    ]
    assert [one["change"] for one in ended["agreements"]] == ["ended"]
    assert touching(gifts.bob, 10)["agreements"] == []


def test_disputes_rulings_and_corrections_of_a_line_are_found(gifts: HttpTable) -> None:
    gifts.bob.post("disputes", {"claim": "It was less.", "actions": [9]})
    gifts.banker.post("disputes/10/rulings", {"finding": "It was.", "remedies": [{"op": "dismiss"}]})
    gifts.banker.post("corrections", {"edits": drop(9), "reason": MISTAKE})
    found = touching(gifts.ana, 9)
    assert [(one["dispute"], one["status"], one["ruling"]) for one in found["disputes"]] == [("10", "ruled", "11")]
    assert found["corrections"] == [{"correction": 12, "status": "undone", "reason": MISTAKE}]
    assert found["later"] == []
    outside = touching(gifts.spectator, 9)
    assert (outside["disputes"], outside["corrections"]) == ([], [])
    problem(gifts.ana.get("actions/99/touches"), 404, "not-found")
