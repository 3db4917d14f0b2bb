"""Monopolys: the best merchant of a division changes places with the worst one of the division above.

Two games have closed a season each; the banker of both opens the next season of each as a new game.
"""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from ledger.rulebooks.monopoly import RULEBOOKS
from ledger.rulebooks.negopoly import RULEBOOK as NEGOPOLY
from ledger.service import Ledger
from ledger.store.store import Store
from tests.tables.keys import key_of
from tests.tables.ledgers import Clock, chance_of_a_test
from tests.tables.over_http import BASE, HttpTable, problem


@pytest.fixture(scope="module")
def ledger(store: Store, _time: Clock) -> Ledger:
    """A ledger of Monopolys, and of a game without divisions."""
    return Ledger(store, {one.id: one for one in (*RULEBOOKS, NEGOPOLY)}, clock=_time, chance=chance_of_a_test())


def season(client: FlaskClient, division: str, seats: tuple[str, ...], *, best: str, **changes: Any) -> HttpTable:
    """A season of these merchants that the banker has closed: the best one had been given 10 000 Y$ by each."""
    table = HttpTable.created(
        client,
        *seats,
        rulebook="monopolys",
        dice="service",
        settings={"division": division, "throw_for_order": False},
    )
    table.banker.play("start_game")
    for seat in seats:
        if seat != best:
            gift = [{"commodity": "YRIS", "amount": 10_000 + 1_000 * seats.index(seat)}]
            number = table.players[seat].play("propose_trade", to=best, give=gift, ask=[])["number"]
            table.players[best].play("accept_trade", trade=str(number))
    closed = table.banker.act("close_season", override={"reason": "the forum closes"})
    assert closed.status_code == 201, closed.text
    return table


@pytest.fixture
def upper(client: FlaskClient) -> HttpTable:
    """The first division: Ana is best, and Cid worst."""
    return season(client, "epyces", ("ana", "bob", "cid"), best="ana")


@pytest.fixture
def lower(client: FlaskClient) -> HttpTable:
    """The second division: Cid, who is another one, is best, and has asked to move up; Eve is worst."""
    table = season(client, "absynthe", ("dan", "cid", "eve"), best="cid")
    table.cid.play("swap_division")
    return table


def exchanged(client: FlaskClient, here: HttpTable, there: HttpTable, **changes: Any) -> Any:
    """Ask for the game that goes on from here, with a merchant of there."""
    content = {
        "from": {
            "game": here.game,
            "token": changes.get("token", here.tokens["banker"]),
            "exchange": {"game": there.game, "token": changes.get("other", there.tokens["banker"])},
        }
    }
    return client.post(f"{BASE}/games", json=content, headers=changes.get("headers", {}))


def holdings(table: HttpTable) -> dict[str, int]:
    """The treasuries of a game."""
    rows = table.banker.get("accounts").json["accounts"]
    return {
        row["account"]: row["holdings"]["YRIS"]
        for row in rows
        if row["account"].startswith("treasury:") and row["holdings"]
    }


def arrivals(table: HttpTable) -> dict[str, dict[str, Any]]:
    """Where each seat of a game comes from, as its first action tells, with the rule."""
    (first,) = table.banker.get("actions").json["actions"]
    told = [one for one in first["events"] if one["kind"] == "merchant_arrived"]
    return {one["data"]["seat"]: {**one["data"], "rule": one["rule"]} for one in told}


def test_both_divisions_go_on_with_the_two_merchants_exchanged(
    client: FlaskClient, ledger: Ledger, upper: HttpTable, lower: HttpTable
) -> None:
    """Bob gave 11 000 and Cid 12 000, so Ana gained 23 000. The other Cid gained 22 000, half of it taxed."""
    above = exchanged(client, upper, lower)
    assert above.status_code == 201, above.text
    new = HttpTable(client, above.json["game"], above.json["tokens"])
    assert list(new.tokens["players"]) == ["ana", "bob", "cid"]
    assert new.banker.get().json["status"] == "setup"
    assert new.banker.get("state").json["table"]["seasons"]["season"] == 2
    assert holdings(new) == {"treasury:ana": 23_000, "treasury:cid": 11_000}
    came = arrivals(new)
    assert (came["cid"]["game"], came["cid"]["was"], came["cid"]["action"]) == (lower.game, "cid", lower.version)
    assert (came["ana"]["game"], came["ana"]["was"], came["ana"]["action"]) == (upper.game, "ana", upper.version)
    assert {seat: one["rule"] for seat, one in came.items()} == {
        "ana": "monopolys:season.3",
        "bob": "monopolys:season.3",
        "cid": "monopolys:division.5",
    }

    afresh = Ledger(ledger.store, ledger.rulebooks, clock=ledger.clock.current_time, chance=chance_of_a_test())
    assert afresh.games.moment(new.game).state == ledger.games.moment(new.game).state

    below = exchanged(client, lower, upper)
    assert below.status_code == 201, below.text
    other = HttpTable(client, below.json["game"], below.json["tokens"])
    assert set(other.tokens["players"]) == {"dan", "cid", "eve"}
    assert arrivals(other)["cid"]["game"] == upper.game
    assert holdings(other) == {}
    for table in (new, other):
        table.banker.play("start_game")
    assert new.banker.get("accounts/player:cid").json["holdings"] == {"YRIS": 150_000}


def test_only_the_banker_of_both_exchanges_seats(client: FlaskClient, upper: HttpTable, lower: HttpTable) -> None:
    for changes in ({"token": upper.tokens["players"]["ana"]}, {"other": lower.tokens["players"]["cid"]}):
        problem(exchanged(client, upper, lower, **changes), 403, "not-yours")
    problem(exchanged(client, upper, lower, other=upper.tokens["banker"]), 403, "foreign-token")
    lower.banker.play("end_game")
    problem(exchanged(client, upper, lower, other=lower.tokens["players"]["cid"]), 403, "not-yours")


def test_the_rules_say_when_seats_change_places(client: FlaskClient, upper: HttpTable, lower: HttpTable) -> None:
    refused = problem(exchanged(client, upper, upper), 409, "rule-broken")
    assert refused["rule"] == "monopolys:division.4"
    silent = season(client, "absynthe", ("fay", "guy"), best="fay")
    refused = problem(exchanged(client, upper, silent), 409, "rule-broken")
    assert refused["rule"] == "monopolys:division.4"
    assert "has not asked" in refused["detail"]
    third = season(client, "opium", ("hal", "ida"), best="hal")
    third.players["hal"].play("swap_division")
    assert problem(exchanged(client, upper, third), 409, "rule-broken")["rule"] == "monopolys:division.4"
    assert exchanged(client, lower, third).status_code == 201
    lower.banker.play("end_game")
    assert problem(exchanged(client, upper, lower), 409, "rule-broken")["rule"] == "monopolys:season.3"
    town = HttpTable.created(client, rulebook="negopoly")
    problem(exchanged(client, town, upper), 422, "invalid-request")
    problem(exchanged(client, town, town), 422, "invalid-request")


def test_a_repeated_request_gets_the_same_game(client: FlaskClient, upper: HttpTable, lower: HttpTable) -> None:
    key = {"Idempotency-Key": key_of(upper.game)}
    first = exchanged(client, upper, lower, headers=key)
    again = exchanged(client, upper, lower, headers=key)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json == again.json
    assert again.headers["Idempotent-Replayed"] == "true"


def test_a_wrong_request_says_where(client: FlaskClient, upper: HttpTable) -> None:
    content = {"from": {"game": upper.game, "token": upper.tokens["banker"], "exchange": {"game": upper.game}}}
    wrong = problem(client.post(f"{BASE}/games", json=content), 422, "invalid-request")
    assert wrong["errors"][0]["pointer"] == "/from/exchange/token"
