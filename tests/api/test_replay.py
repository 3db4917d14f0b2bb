"""The replay over HTTP: pages of frames in both directions, with exactly what the caller may see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from flask.testing import FlaskClient

from api.rest.application import Config, create_app
from api.rest.exchange.conditions import VARY
from ledger.service import Ledger
from ledger.store.store import Store
from tests.api import test_two_games as two_games
from tests.harness.secrecy import Asked, differences
from tests.kernel import hands
from tests.properties.commands import SOAK
from tests.tables.ledgers import Clock, chance_of_a_test
from tests.tables.over_http import BASE, Caller, HttpTable, problem, version_of

LINK = re.compile(r'<([^>]*)>; rel="([a-z]+)"')


@pytest.fixture
def mended(gifts: HttpTable) -> HttpTable:
    """Of the gifts 7, 8 and 9, the banker drops 8 (10): Ana has nothing left for 9, which is voided.

    The banker inserts one of ₦5 by Bob after 7 (11), and Ana throws the dice (12).
    """
    correct(gifts, {"op": "drop", "action": 8})
    five = {"kind": "transfer_money", "seat": "bob", "params": {"to": "ana", "amount": 5}}
    correct(gifts, {"op": "insert", "after": 7, "action": five})
    gifts.ana.play("roll_dice", dice=[1, 2])
    return gifts


def correct(table: HttpTable, *edits: dict[str, Any]) -> None:
    content = {"edits": list(edits), "cascade": "restate", "reason": "misheard"}
    answer = table.banker.post("corrections", content)
    assert answer.status_code == 201, answer.text


def links(answer: Any) -> dict[str, str]:
    return {relation: target for target, relation in LINK.findall(answer.headers["Link"])}


def names(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [frame["action"] for frame in answer.json["frames"]]


# Frames ---------------------------------------------------------------------------------------------


def test_each_side_shows_the_board_as_the_state_does(mended: HttpTable) -> None:
    """Ana threw 1 and 2 (12); the banker corrects the throw to 2 and 4 (13)."""
    correct(mended, {"op": "replace", "action": 12, "params": {"dice": [2, 4]}})
    (frame,) = mended.spectator.get("replay?from=12&to=12").json["frames"]
    recorded, corrected = frame["recorded"]["display"], frame["corrected"]["display"]
    assert recorded == mended.spectator.get("state?at=12&known_at=12").json["display"]
    assert corrected == mended.spectator.get("state?at=12").json["display"]
    assert [token["place"] for token in (recorded["tokens"][0], corrected["tokens"][0])] == [
        "square:3",
        "square:6",
    ]


def test_a_game_is_told_as_recorded_and_as_corrected(mended: HttpTable) -> None:
    answer = mended.banker.get("replay")
    assert names(answer) == [*range(1, 8), "11.1", 8, 9, 10, 11, 12]
    assert (answer.json["version"], answer.json["next"], answer.json["previous"]) == (12, None, None)
    frames = {frame["action"]: frame for frame in answer.json["frames"]}
    told = {
        name: (frame["status"], frame["same"], *(side(frame, way) for way in ("recorded", "corrected")))
        for name, frame in frames.items()
    }
    assert told[7] == ("effective", True, *["Ana gives ₦1650 to Bob."] * 2)
    assert told["11.1"] == ("effective", False, None, "Bob gives ₦5 to Ana.")
    assert told[8] == ("undone", False, "Bob gives ₦100 to Ana.", None)
    assert told[9] == ("voided", False, "Ana gives ₦60 to Bob.", None)
    assert frames[9]["reason"] == {"rule": "I.B.6", "text": "Ana has ₦0 and cannot spend ₦60 without ₦60 more"}
    assert frames[8]["recorded"]["postings"] == [
        {"commodity": "NGD", "amount": 100, "from": "player:bob", "to": "player:ana"}
    ]
    assert frames[8]["account_names"] == {"player:ana": "Ana", "player:bob": "Bob"}
    assert frames[8]["commodity_names"] == {"NGD": "₦"}
    assert frames[8]["recorded"]["balances"] == {"player:ana": {"NGD": 100}, "player:bob": {"NGD": 3200}}
    assert frames[12]["recorded"]["positions"] == {"ana": 3, "bob": 0}
    assert {"what": "table.positions.ana", "before": 0, "after": 3} in frames[12]["recorded"]["changed"]


def side(frame: dict[str, Any], way: str) -> str | None:
    return None if frame[way] is None else " ".join(frame[way]["sentences"])


def test_from_to_and_whom_to_follow(mended: HttpTable) -> None:
    assert names(mended.banker.get("replay?from=7&to=8")) == [7, "11.1", 8]
    assert names(mended.banker.get("replay?from=11&to=99")) == [11, 12]
    assert names(mended.banker.get("replay?from=13")) == []
    assert names(mended.banker.get("replay?follow=bob")) == [1, 4, 5, 7, "11.1", 8, 9]
    assert names(mended.banker.get("replay?follow=ana&from=8")) == [8, 9, 12]
    assert names(mended.banker.get("replay?follow=cid")) == []


@pytest.mark.parametrize("asked", ["", "&from=3&to=9", "&follow=bob"])
@pytest.mark.parametrize("limit", [1, 2, 4, 200])
def test_pages_lead_to_the_end_and_back(mended: HttpTable, asked: str, limit: int) -> None:
    whole = mended.banker.get(f"replay?limit=200{asked}").json["frames"]
    pages = list(walked(mended.banker, f"replay?limit={limit}{asked}", "next"))
    assert [frame for page in pages for frame in page.json["frames"]] == whole
    assert all(len(page.json["frames"]) <= limit for page in pages)
    back = list(walked(mended.banker, links(pages[-1]).get("prev", ""), "prev")) if len(pages) > 1 else []
    assert [page.json["frames"] for page in reversed(back)] == [page.json["frames"] for page in pages[:-1]]
    first = mended.banker.get(links(pages[-1])["first"])
    assert first.json["frames"] == pages[0].json["frames"]


def walked(caller: Caller, target: str, relation: str) -> Iterator[Any]:
    while target:
        answer = caller.get(target)
        assert answer.status_code == 200, answer.text
        following = {"next": "next", "prev": "previous"}[relation]
        assert (relation in links(answer)) == (answer.json[following] is not None)
        yield answer
        target = links(answer).get(relation, "")


def test_the_version_is_the_tag(mended: HttpTable) -> None:
    answer = mended.ana.get("replay?limit=1")
    assert version_of(answer) == 12
    assert answer.headers["Vary"] == VARY
    assert mended.ana.get("replay?limit=1", If_None_Match=answer.headers["ETag"]).status_code == 304
    mended.ana.play("resolve_square")
    assert mended.ana.get("replay?limit=1", If_None_Match=answer.headers["ETag"]).status_code == 200


def test_the_language_is_the_callers(mended: HttpTable) -> None:
    answer = mended.banker.get("replay?from=9&to=9", Accept_Language="fr")
    assert answer.headers["Content-Language"] == "fr"
    (frame,) = answer.json["frames"]
    assert side(frame, "recorded") == "Ana donne 60 ₦ à Bob."
    assert frame["reason"]["text"] == "Ana a 0 ₦ et ne peut pas dépenser 60 ₦ sans 60 ₦ de plus"


@pytest.mark.parametrize(
    ("query", "parameter"),
    [("from=0", "from"), ("to=0", "to"), ("from=5&to=4", "to"), ("follow=", "follow"), ("at=3", "at")],
)
def test_what_cannot_be_asked_for(mended: HttpTable, query: str, parameter: str) -> None:
    answer = problem(mended.banker.get(f"replay?{query}"), 422, "invalid-request")
    assert [row["parameter"] for row in answer["errors"]] == [parameter]


def test_cursors_of_other_lists_are_refused(mended: HttpTable) -> None:
    other = mended.banker.get("audit?limit=1").json["next"]
    for cursor in (other, "nonsense", mended.banker.get("actions?limit=1").json["next"]):
        problem(mended.banker.get(f"replay?cursor={cursor}"), 422, "bad-cursor")


def test_who_may_not_ask(client: FlaskClient, mended: HttpTable) -> None:
    other = HttpTable.created(client)
    problem(mended.stranger.get("replay"), 401, "token-missing")
    problem(mended.stranger.get("replay", Authorization="Bearer no.such"), 401, "token-unknown")
    foreign = {"Authorization": f"Bearer {other.tokens['banker']}"}
    problem(mended.stranger.get("replay", **foreign), 403, "foreign-token")
    problem(mended.banker.get(f"{BASE}/games/nowhere/replay"), 404, "unknown-game")


def test_it_is_described(client: FlaskClient) -> None:
    described = client.get("/openapi.json").json
    operation = described["paths"][f"{BASE}/games/{{game}}/replay"]["get"]
    parameters = {row["name"] for row in operation["parameters"]}
    assert {"from", "to", "follow", "limit", "cursor", "If-None-Match", "Accept-Language"} <= parameters
    schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
    assert schema["$ref"].endswith("/ReplayPage")
    assert {"recorded", "corrected", "same"} <= set(described["components"]["schemas"]["Frame"]["properties"])


# Exactly what the caller may see --------------------------------------------------------------------


def assert_told(caller: Caller, version: int) -> None:
    """The changes of a frame lead from one state to the next, as that caller sees the states."""
    frames = [frame for page in walked(caller, "replay?limit=5", "next") for frame in page.json["frames"]]
    inserted_after = {frame["after"] for frame in frames}
    for frame in frames:
        number = frame["number"]
        if frame["after"] is not None or number == 1:
            continue
        if frame["recorded"] is not None:
            before, after = (seen(caller, f"at={one}&known_at={one}") for one in (number - 1, number))
            assert applied(before, frame["recorded"]["changed"]) == without_nothing(after), frame
        if frame["corrected"] is not None and number not in inserted_after:
            before, after = (seen(caller, f"at={one}&known_at={version}") for one in (number - 1, number))
            assert applied(before, frame["corrected"]["changed"]) == without_nothing(after), frame


def seen(caller: Caller, moment: str) -> dict[str, Any]:
    """The state of a moment as a caller sees it, in the parts that a replay has."""
    state = caller.get(f"state?{moment}").json
    by_id = {name: {one["id"]: one for one in found} for name, found in state["agreements"].items()}
    return {"table": state["table"], "accounts": state["accounts"], "agreements": by_id}


def applied(state: dict[str, Any], changed: list[dict[str, Any]]) -> dict[str, Any]:
    """Apply the changes to the state. Each must find the value that it changes."""
    for change in changed:
        *way, name = change["what"].split(".")
        inside = state
        for one in way:
            inside = inside[one]
        assert inside.get(name) == change["before"], change
        inside[name] = change["after"]
    return without_nothing(state)


def without_nothing(plain: Any) -> Any:
    """The same data without null members."""
    if not isinstance(plain, dict):
        return plain
    return {name: without_nothing(value) for name, value in plain.items() if value is not None}


def test_what_changes_is_what_the_state_shows(mended: HttpTable) -> None:
    mended.ana.play("take_loan", amount=100)
    mended.ana.play("resolve_square")
    for caller in (mended.banker, mended.ana, mended.bob, mended.spectator):
        assert_told(caller, mended.version)


@pytest.fixture(scope="module")
def dealt(store: Store) -> FlaskClient:
    """A client of a service that has the game of hidden hands. It is built and described once for all tests."""
    ledger = Ledger(store, {hands.RULES.id: hands.RULES}, clock=Clock(), chance=chance_of_a_test())
    return create_app(ledger, Config(requests_per_minute=None)).test_client()


PLAYS = (two_games.a_hidden_sale, two_games.a_card_on_the_market, two_games.hidden_corrections, two_games.rulings)


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.__name__)
def test_what_changes_is_what_the_state_shows_of_hidden_hands(dealt: FlaskClient, play: Any) -> None:
    table = two_games.played(dealt, play, two_games.ONE)
    for caller in (table.banker, table.ana, table.bob, table.cid, table.spectator):
        assert_told(caller, table.version)


@pytest.mark.parametrize(
    ("who", "play"),
    [
        *(product(("cid", "spectator"), PLAYS) if SOAK else zip(("cid", "spectator") * 2, PLAYS, strict=True)),
        ("bob", two_games.a_card_on_the_market),
        ("cid", two_games.an_own_card),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_two_games_that_differ_in_what_is_hidden_are_replayed_alike(
    dealt: FlaskClient, who: str, play: Any
) -> None:
    """All pages, in both languages, for every followed seat."""
    one, other = (two_games.played(dealt, play, cards) for cards in (two_games.ONE, two_games.OTHERS[who]))
    queries: list[tuple[tuple[str, Any], ...]] = [
        (("limit", 2),),
        *((("from", number), ("to", number)) for number in range(1, one.version + 2)),
        *((("follow", seat), ("limit", limit)) for seat in ("ana", "bob", "cid") for limit in (1, 200)),
    ]
    asked = [
        Asked("GET", "/api/v1/games/{game}/replay", query, headers=(("Accept_Language", language),))
        for query in queries
        for language in ("en", "fr")
    ]
    seats = (two_games.chair(one, who), two_games.chair(other, who))
    assert differences(*seats, each=0, more=asked) == []
