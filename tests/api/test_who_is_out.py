"""Who is out of a game: nobody waits for them, and whether their page is open is no matter."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from api.front.front import Front
from ledger.kernel.dice.chains import Chain
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger
from ledger.store.store import Store
from tests.api.following import Following, aside, following
from tests.tables.ledgers import Clock
from tests.tables.over_http import HttpTable

QUICK = {"throw_for_order": False, "tokens_chosen": False, "elected_banker": False}
WAITED: list[float] = []
"""For how long the service has waited for values of shared throws."""


@pytest.fixture(scope="module")
def ledger(store: Store, _time: Clock) -> Ledger:
    """A ledger of all games, in which waiting takes no time."""
    return Ledger(store, rulebooks_by_id(), clock=_time, sleep=WAITED.append)


@pytest.fixture
def client(app: Flask, clock: Clock) -> FlaskClient:
    """A client that several threads may use."""
    WAITED.clear()
    return app.test_client()


def started(client: FlaskClient, rulebook: str, **wanted: Any) -> HttpTable:
    """Ana, Bob and Cid play; Bob alone takes part in the throws."""
    if rulebook == "negopoly":
        table = HttpTable.created(client, "ana", "bob", "cid", **wanted).start()
    else:
        table = HttpTable.created(client, "ana", "bob", "cid", rulebook=rulebook, settings=QUICK, **wanted)
        for deck in rulebooks_by_id()[rulebook].screen.components()["decks"]:
            if not deck["faces"]:
                table.banker.play("shuffle_deck", deck=deck["id"])
        table.banker.play("start_game")
    return table


def ruined(table: HttpTable) -> None:
    """Bob is fined more than he can raise, and goes bankrupt; the others play on."""
    fined = [{"op": "fine", "seat": "bob", "amount": 10_000_000}]
    ruling = table.banker.post("rulings", {"finding": "He has burned the board", "remedies": fined})
    assert ruling.status_code == 201, ruling.text
    table.bob.play("declare_bankruptcy")


def standing(table: HttpTable, seat: str) -> str:
    """How a seat stands, for whoever looks on."""
    standings = table.spectator.get("state").json["standings"]
    found: str = next(one["status"] for one in standings if one["seat"] == seat)
    return found


@pytest.mark.parametrize("rulebook", ["negopoly", "monopoly", "monopoly_naruto", "monopolys"])
def test_who_is_out_is_neither_awaited_nor_missed(
    client: FlaskClient, new_app: Callable[..., Flask], rulebook: str
) -> None:
    """Bob is bankrupt, or eliminated from the season, and closes the page. The others are told nothing of it."""
    table = started(client, rulebook)

    async def scenario() -> None:
        front = Front(new_app(), 1)
        ana, bob = Following(table.ana), Following(table.bob)
        async with following(front, ana):
            async with following(front, bob):
                await ana.until(lambda it: it.of("presence")[-1].data["seats"]["bob"] is True)
                await aside(ruined, table)
                await ana.heard("entry", 2)
                # He looks on, and that is told.
                assert ana.of("presence")[-1].data["seats"]["bob"] is True
            await ana.until(lambda it: "bob" not in it.of("presence")[-1].data["seats"])
            assert ana.of("presence")[-1].data["left"] == {}
            later = Following(table.spectator)
            async with following(front, later):
                told = later.of("presence")[-1].data
                assert (told["seats"], told["left"]) == ({"ana": True, "cid": False}, {})

    asyncio.run(asyncio.wait_for(scenario(), 300))
    assert (standing(table, "bob"), standing(table, "cid")) == ("out", "in_play")
    for caller in (table.ana, table.banker, table.spectator):
        assert "bob" not in {one["seat"] for one in caller.get("state").json["awaited"]}
    assert {one["kind"] for one in table.bob.get("moves").json["moves"]} == {"open_dispute"}


@pytest.mark.parametrize("rulebook", ["negopoly", "monopoly", "monopoly_naruto", "monopolys"])
def test_who_has_left_before_is_missed_until_they_are_out(
    client: FlaskClient, new_app: Callable[..., Flask], rulebook: str
) -> None:
    """Bob closes the page and is away; then he goes bankrupt. The undo of it brings him back, away."""
    table = started(client, rulebook)

    async def scenario() -> None:
        front = Front(new_app(), 1)
        ana = Following(table.ana)
        async with following(front, ana):
            async with following(front, Following(table.bob)):
                await ana.until(lambda it: it.of("presence")[-1].data["seats"]["bob"] is True)
            await ana.until(lambda it: it.of("presence")[-1].data["seats"]["bob"] is False)
            assert ana.of("presence")[-1].data["left"].keys() == {"bob"}
            await aside(ruined, table)
            await ana.until(lambda it: "bob" not in it.of("presence")[-1].data["seats"])
            assert ana.of("presence")[-1].data["left"] == {}
            undone = await aside(table.banker.post, "undo", {"action": table.version, "reason": "a slip"})
            assert undone.status_code == 201, undone.text
            await ana.until(lambda it: it.of("presence")[-1].data["seats"].get("bob") is False)
            assert ana.of("presence")[-1].data["left"].keys() == {"bob"}

    asyncio.run(asyncio.wait_for(scenario(), 300))


@pytest.mark.parametrize("rulebook", ["negopoly", "monopoly", "monopoly_naruto", "monopolys"])
def test_no_throw_waits_for_who_is_out(client: FlaskClient, rulebook: str) -> None:
    """Bob alone has committed to a chain. Once he is out, Ana throws at once, and nobody is named as absent."""
    table = started(client, rulebook, dice="shared")
    chain = {"end": Chain(b"b" * 32, 100).end.hex(), "length": 100}
    assert table.bob.post("dice/commitments", chain).status_code == 201
    ruined(table)
    assert table.ana.get("dice").json["chains"].keys() == {"bob"}
    roll = "roll_dice" if rulebook == "negopoly" else "roll_and_move"
    thrown = table.ana.play(roll)
    assert WAITED == []
    assert thrown["chance"]["throw"].get("values", {}) == {}
    assert table.ana.get("dice").json["absent"] == []


@pytest.mark.parametrize("rulebook", ["negopoly", "monopoly", "monopoly_naruto", "monopolys"])
def test_nothing_asks_for_the_seat_of_who_is_out_again(client: FlaskClient, rulebook: str) -> None:
    """The token of Bob's page stays in force, and no invitation is open: he may look on where he likes."""
    table = started(client, rulebook)
    ruined(table)
    assert table.banker.get("invitations").json["invitations"] == []
    assert [one["seat"] for one in table.banker.get("tokens").json["tokens"] if one.get("seat")].count("bob") == 1
    assert table.bob.get("state").status_code == 200
    assert table.bob.act("end_turn").status_code == 409
