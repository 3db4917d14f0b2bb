"""Who is bound takes nothing back over HTTP, and a player's undo does not escape what the time has made due."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from flask.testing import FlaskClient

from api.rest.application import Config, create_app
from ledger import rulebooks
from ledger.service import Ledger
from ledger.store.store import Store
from tests.api.test_own_board import TOWN, created
from tests.tables.ledgers import Clock
from tests.tables.over_http import HttpTable, problem

MONEY = "COIN"
OOPS = {"reason": "a slip"}


@pytest.fixture
def client(store: Store, clock: Clock) -> Iterator[FlaskClient]:
    """A client of a service that knows all games."""
    with create_app(Ledger(store, rulebooks.rulebooks_by_id(), clock=clock), Config()).test_client() as calling:
        yield calling


def begin(table: HttpTable) -> None:
    """The banker shuffles the decks, and the game starts."""
    for deck in ("letters", "tides"):
        table.banker.play("shuffle_deck", deck=deck)
    table.banker.play("start_game")


@pytest.fixture
def auction(client: FlaskClient, clock: Clock) -> HttpTable:
    """Ana has declined a title, which is auctioned for a minute; Bob has bid all but one of his 900."""
    table = created(client, {**TOWN, "options": {**TOWN["options"], "auction_seconds": 60}})
    begin(table)
    table.ana.play("roll_and_move", dice=[1, 2])
    table.ana.play("decline_property")
    table.bob.play("bid", amount=899)
    return table


def cash(table: HttpTable, seat: str) -> int:
    """What the seat has in hand."""
    account: Any = table.banker.get(f"accounts/player:{seat}").json
    held: int = account["holdings"][MONEY]
    return held


def test_a_bid_is_not_taken_back_before_the_end_and_only_the_banker_may(auction: HttpTable) -> None:
    refused = problem(auction.bob.post("undo", OOPS), 409, "rule-broken")
    assert refused["rule"] == "own:auction.4"
    assert cash(auction, "bob") == 1
    assert auction.banker.post("undo", OOPS).status_code == 201
    assert cash(auction, "bob") == 900


@pytest.mark.parametrize("dry_run", [True, False])
def test_once_the_time_is_over_the_highest_bid_pays(auction: HttpTable, clock: Clock, dry_run: bool) -> None:
    before = auction.version
    clock.now += timedelta(seconds=61)
    problem(auction.bob.post("undo", {**OOPS, "dry_run": dry_run}), 403, "not-yours")
    assert auction.version == before + (not dry_run)
    auction.ana.play("end_turn")
    assert cash(auction, "bob") == 1
    found: Any = auction.banker.get("actions?kind=close_auction").json
    assert "Bob" in found["actions"][0]["events"][0]["text"]
    assert auction.version == before + 2


def test_the_banker_may_still_undo_what_the_time_would_close(auction: HttpTable, clock: Clock) -> None:
    clock.now += timedelta(seconds=61)
    assert auction.banker.post("undo", OOPS).status_code == 201
    assert cash(auction, "bob") == 900


def test_neither_party_alone_takes_a_trade_back(client: FlaskClient, clock: Clock) -> None:
    table = created(client, TOWN)
    begin(table)
    for proposer, other in ((table.ana, "bob"), (table.bob, "ana")):
        deal = proposer.play("propose_trade", to=other, give=[{"commodity": MONEY, "amount": 10}])["number"]
        table.players[other].play("accept_trade", trade=str(deal))
        assert problem(table.players[other].post("undo", OOPS), 409, "rule-broken")["rule"] == "own:trade.1"
        problem(proposer.post("undo", {**OOPS, "action": deal}), 403, "not-yours")
    assert (cash(table, "ana"), cash(table, "bob")) == (900, 900)
