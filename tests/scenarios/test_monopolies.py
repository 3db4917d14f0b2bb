"""Recorded games of the Monopoly engine, one for each edition, played over HTTP line by line.

The purses below were worked out by hand from the files; every line must come out as it says.
"""

from __future__ import annotations

from collections import Counter
from importlib.resources import files
from typing import Any, NamedTuple

import pytest

from ledger.rulebooks import rulebooks_by_id
from tests.command.service import Service
from tests.harness.recorded import play
from tests.scenarios.evening import Evening

pytestmark = pytest.mark.xdist_group("command")


class Expected(NamedTuple):
    """A recorded game, and how it ends."""

    rulebook: str
    actions: int
    refusals: int
    winners: list[str]
    purses: dict[str, int]
    mistyped: tuple[list[tuple[str, int]], list[tuple[str, int]]]
    """The titles and amounts of the rents that a correction moves, before and after it."""


GAMES = {
    "naruto": Expected(
        rulebook="monopoly_naruto",
        actions=225,
        refusals=40,
        winners=["ana"],
        purses={"player:ana": 1212},
        mistyped=([("rose_2", 50)], [("rose_3", 60)]),
    ),
    "monopolys": Expected(
        rulebook="monopolys",
        actions=193,
        refusals=27,
        winners=["chloe"],
        purses={"player:ana": 140_000, "player:chloe": 145_000, "treasury:ana": 20_550, "treasury:chloe": 25_700},
        mistyped=([("ysmir", 600)], [("yaltabys", 600)]),
    ),
    "own_board": Expected(
        rulebook="monopoly",
        actions=103,
        refusals=10,
        winners=["ana"],
        purses={"player:ana": 410, "player:chloe": 170, "pot": 15},
        mistyped=([("sink", 75)], [("oven", 100)]),
    ),
}


@pytest.fixture(scope="module", params=GAMES)
def name(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture(scope="module")
def expected(name: str) -> Expected:
    return GAMES[name]


@pytest.fixture(scope="module")
def evening(service: Service, name: str) -> Evening:
    """The game, played as recorded. A line that comes out differently fails here, with its number."""
    lines = (files("replays") / "games" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    with service.client() as client:
        return Evening(service, play(lines, client))


def test_it_is_a_whole_game(evening: Evening, expected: Expected) -> None:
    assert (evening.played.actions, evening.played.refusals) == (expected.actions, expected.refusals)
    summary = evening.get()
    assert (summary["rulebook"], summary["status"]) == (expected.rulebook, "ended")
    assert evening.get("/state")["table"]["winners"] == expected.winners


def test_every_purse_is_as_worked_out(evening: Evening, expected: Expected) -> None:
    """And all that the players have came from the bank or out of the box."""
    accounts = evening.get("/state")["accounts"]
    currency = rulebooks_by_id()[expected.rulebook].accounts.currency
    held = {account: things.get(currency, 0) for account, things in accounts.items()}
    assert {account: money for account, money in held.items() if money and account != "bank"} == expected.purses
    totals: Counter[str] = Counter()
    for things in accounts.values():
        totals.update(things)
    assert {commodity for commodity, total in totals.items() if total} == set()


def test_a_mistyped_roll_moves_the_rent(journal: list[dict[str, Any]], expected: Expected) -> None:
    """The rent is that of the square where the token stopped by the dice as they were."""
    paid = {
        when: [
            (event["data"]["title"], event["data"]["amount"])
            for entry in journal
            if entry["status"] == "restated"
            for event in entry[when]
            if event["kind"] == "rent_paid"
        ]
        for when in ("events", "restated")
    }
    assert (paid["events"], paid["restated"]) == expected.mistyped


def test_it_goes_through_everything(journal: list[dict[str, Any]]) -> None:
    """An auction, a trade, buildings, mortgages, the prison, cards or a chance die, bankruptcies, a dispute."""
    kinds = Counter(entry["kind"] for entry in journal)
    assert kinds.keys() >= {
        "decline_property", "bid", "pass_bid", "close_auction", "propose_trade", "accept_trade", "reject_trade",
        "build", "sell_building", "mortgage", "pay_jail_fine", "roll_for_jail", "use_jail_card", "pay_tax",
        "declare_bankruptcy", "correct", "open_dispute", "add_statement", "rule",
    }  # fmt: skip
    assert kinds["draw_card"] + kinds["roll_chance_die"] > 1
