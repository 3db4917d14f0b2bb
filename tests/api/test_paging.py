"""Pages of long lists, with Link headers in both directions."""

import re

import pytest

from tests.tables.over_http import Caller, HttpTable

GIFTS = 23
LINK = re.compile(r'<([^>]*)>; rel="([a-z]+)"')


@pytest.fixture
def long(started: HttpTable) -> HttpTable:
    """A journal of 29 actions."""
    for amount in range(1, GIFTS + 1):
        started.ana.play("transfer_money", to="bob", amount=amount)
    return started


def links(answer) -> dict[str, str]:
    return {relation: target for target, relation in LINK.findall(answer.headers["Link"])}


def walk(caller: Caller, target: str, relation: str) -> list[list[int]]:
    """The numbers on all pages from this one on, by following one Link relation."""
    pages = []
    while True:
        answer = caller.get(target)
        assert answer.status_code == 200, answer.text
        pages.append([entry["number"] for entry in answer.json["actions"]])
        if relation not in links(answer):
            return pages
        target = links(answer)[relation]


@pytest.mark.parametrize(("order", "numbers"), [("oldest", range(1, 30)), ("newest", range(29, 0, -1))])
def test_a_journal_is_walked_to_its_end_and_back(long: HttpTable, order: str, numbers: range) -> None:
    start = f"actions?limit=7&order={order}"
    pages = walk(long.ana, start, "next")
    assert [len(page) for page in pages] == [7, 7, 7, 7, 1]
    assert [number for page in pages for number in page] == list(numbers)
    last = start
    while "next" in (around := links(long.ana.get(last))):
        last = around["next"]
    back = walk(long.ana, last, "prev")
    assert back[::-1] == pages
    assert walk(long.ana, links(long.ana.get(last))["first"], "next") == pages


def test_the_answer_holds_the_same_cursors(long: HttpTable) -> None:
    first = long.ana.get("actions?limit=20").json
    assert first["previous"] is None
    second = long.ana.get(f"actions?limit=20&cursor={first['next']}").json
    assert [entry["number"] for entry in second["actions"]] == list(range(21, 30))
    assert second["next"] is None
    assert long.ana.get(f"actions?limit=20&cursor={second['previous']}").json["actions"] == first["actions"]


def test_filters_stay_on_the_way(long: HttpTable) -> None:
    pages = walk(long.ana, "actions?limit=4&kind=join_game", "next")
    assert pages == [[2, 4]]
    pages = walk(long.bob, "actions?limit=10&account=player:bob&kind=transfer_money", "next")
    assert pages == [list(range(7, 17)), list(range(17, 27)), list(range(27, 30))]


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("kind=start_game", [6]),
        ("rule=II.A.1", [2, 4]),
        ("seat=bob", [4, 5]),
        ("commodity=NGD&seat=bob", [4, 5]),
        ("account=player:bob&rule=II.A.1", [4]),
        ("status=undone", []),
        ("status=effective&kind=start_game", [6]),
        ("account=nobody", []),
        ("since=2026-11-20T20:00:01Z", []),
        ("until=2026-11-20T20:00:00Z", []),
        ("kind=start_game&since=2026-11-20T21:00:00%2B01:00", [6]),
    ],
)
def test_filters(started: HttpTable, query: str, numbers: list[int]) -> None:
    found = started.banker.get(f"actions?{query}").json["actions"]
    assert [entry["number"] for entry in found] == numbers


def test_a_statement_is_walked_to_its_end(long: HttpTable) -> None:
    target = "accounts/player:ana/statement?limit=5"
    lines = []
    while True:
        answer = long.ana.get(target)
        lines += answer.json["lines"]
        if "next" not in links(answer):
            break
        target = links(answer)["next"]
    assert [line["amount"] for line in lines] == [1500, 150, *(-amount for amount in range(1, GIFTS + 1))]
    balance = 0
    for line in lines:
        balance += line["amount"]
        assert line["balance"] == balance
