"""A wrong request gets a problem that names the values, and the journal does not change."""

import gzip
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient

from ledger.rulebooks.negopoly import RULEBOOK
from ledger.service import Ledger
from tests.tables.over_http import ANA_AND_BOB, BASE, HttpTable, problem

TOO_LARGE_FOR_64_BITS = 2**63


@pytest.fixture(autouse=True)
def journal_unchanged(started: HttpTable, ledger: Ledger) -> Iterator[None]:
    """Nothing in this file writes anything to the started game."""
    before = ledger.store.journal.head(started.game)
    yield
    assert ledger.store.journal.head(started.game) == before == 6


def send(table: HttpTable, raw: bytes, content_type: str | None = "application/json", **headers: str) -> Any:
    return table.client.post(
        f"{BASE}/games/{table.game}/actions",
        data=raw,
        content_type=content_type,
        headers={"Authorization": f"Bearer {table.ana.token}"} | headers,
    )


@pytest.mark.parametrize("raw", [b"", b"{", b"not json", b'{"kind": "roll_dice",}', b'"\xff"', b"[" * 20_000])
def test_malformed_json(started: HttpTable, raw: bytes) -> None:
    problem(send(started, raw), 400, "malformed-json")


@pytest.mark.parametrize("depth", [99, 400, 900, 990, 2000])
def test_a_body_nested_too_deeply(started: HttpTable, depth: int) -> None:
    raw = b'{"kind": "transfer_money", "params": {"amount": 1, "to": %b%b}}' % (b"[" * depth, b"]" * depth)
    assert "nested too deeply" in problem(send(started, raw), 400, "malformed-json")["detail"]


def test_brackets_in_a_text_are_not_nested(started: HttpTable) -> None:
    """A text may hold a thousand brackets: the only fault of this body is its seat."""
    answer = started.ana.act("transfer_money", params={"to": '[{"' * 10, "amount": 1, "tip": "[" * 1000})
    problem(answer, 422, "invalid-parameters")


@pytest.mark.parametrize("content_type", [None, "text/plain", "application/x-www-form-urlencoded"])
def test_a_body_of_another_type(started: HttpTable, content_type: str | None) -> None:
    problem(send(started, b'{"kind": "end_turn"}', content_type), 415, "unsupported-media-type")


def test_a_body_of_a_megabyte(started: HttpTable) -> None:
    body = json.dumps({"kind": "transfer_money", "params": {"to": "x" * 1_000_000}}).encode()
    refused = problem(send(started, body), 413, "too-large")
    assert refused["limit"] == 256 * 1024
    assert str(256 * 1024) in refused["detail"]


@pytest.mark.parametrize(
    ("body", "pointer", "said"),
    [
        ([], "", "an object is needed, not a list"),
        ({}, "/kind", "`kind` is missing"),
        ({"kind": 5}, "/kind", "got 5"),
        ({"kind": "end_turn", "params": []}, "/params", "an object is needed, not a list"),
        ({"kind": "end_turn", "colour": "red"}, "/colour", '"red"'),
        ({"kind": "end_turn", "override": {"reason": ""}}, "/override/reason", "at least 1 character"),
        ({"kind": "end_turn", "override": "because"}, "/override", '"because"'),
        ({"kind": "end_turn", "dry_run": "yes"}, "/dry_run", '"yes"'),
    ],
)
def test_a_request_of_the_wrong_shape(started: HttpTable, body: Any, pointer: str, said: str) -> None:
    refused = problem(started.ana.post("actions", body), 422, "invalid-request")
    assert refused["errors"][0]["pointer"] == refused["pointer"] == pointer
    assert said in refused["detail"]


@pytest.mark.parametrize(
    ("params", "pointer", "said"),
    [
        ({"to": "bob", "amount": -5}, "/params/amount", ["amount", "-5"]),
        ({"to": "bob", "amount": 0}, "/params/amount", ["amount", "got 0"]),
        ({"to": "bob", "amount": 1.5}, "/params/amount", ["amount", "1.5"]),
        ({"to": "bob", "amount": 5e30}, "/params/amount", ["amount"]),
        ({"to": "bob", "amount": TOO_LARGE_FOR_64_BITS}, "/params/amount", ["amount", str(TOO_LARGE_FOR_64_BITS)]),
        ({"to": "bob", "amount": -TOO_LARGE_FOR_64_BITS}, "/params/amount", ["amount"]),
        ({"to": "bob", "amount": 10**40}, "/params/amount", ["amount", str(10**40)]),
        ({"to": "bob", "amount": "5"}, "/params/amount", ["amount", '"5"']),
        ({"to": "bob", "amount": None}, "/params/amount", ["amount", "null"]),
        ({"to": "bob", "amount": True}, "/params/amount", ["amount", "true"]),
        ({"to": 7, "amount": 5}, "/params/to", ["to", "7"]),
        ({"to": "", "amount": 5}, "/params/to", ["to", "at least 1 character"]),
        ({"amount": 5}, "/params/to", ["missing", "`to`"]),
        ({}, "/params/to", ["missing", "`to`"]),
        (
            {"to": "bob", "amount": 5, "tip": 1},
            "/params/tip",
            ["there is no `tip`", "got 1", "are: to, amount"],
        ),
    ],
)
def test_parameters_that_are_not_right(
    started: HttpTable, params: dict[str, Any], pointer: str, said: list[str]
) -> None:
    answer = started.ana.act("transfer_money", params=params)
    refused = problem(answer, 422, "invalid-parameters")
    assert refused["kind"] == "transfer_money"
    assert refused["errors"][0]["pointer"] == refused["pointer"] == pointer
    for words in said:
        assert words in refused["detail"]


def test_a_number_beyond_every_limit(started: HttpTable) -> None:
    answer = send(started, b'{"kind": "transfer_money", "params": {"to": "bob", "amount": 1e999}}')
    assert "range" in problem(answer, 422, "invalid-request")["detail"]


def test_an_unknown_kind(started: HttpTable) -> None:
    refused = problem(started.ana.act("fly", params={}), 422, "unknown-kind")
    assert "fly" in refused["detail"]
    assert refused["pointer"] == "/kind"


def test_an_unknown_seat_among_the_parameters(started: HttpTable) -> None:
    refused = problem(started.ana.act("transfer_money", params={"to": "zoe", "amount": 1}), 409, "rule-broken")
    assert "zoe" in refused["detail"]


def test_an_unknown_seat_to_act_for(started: HttpTable) -> None:
    answer = started.banker.act("transfer_money", seat="zoe", params={"to": "bob", "amount": 1})
    refused = problem(answer, 422, "invalid-parameters")
    assert (refused["kind"], refused["rules"]) == ("transfer_money", [])
    assert refused["pointer"] == "/seat"
    assert "zoe" in refused["detail"]
    assert "Ana and Bob" in refused["detail"]


def test_an_unknown_title(started: HttpTable) -> None:
    refused = problem(started.ana.act("mortgage_property", params={"title": "atlantis"}), 409, "rule-broken")
    assert "atlantis" in refused["detail"]
    assert refused["pointer"] == "/params/title"


def test_out_of_turn(started: HttpTable) -> None:
    refused = problem(started.bob.act("roll_dice", params={"dice": [1, 2]}), 409, "rule-broken")
    assert refused["rule"] == "II.D.4"
    assert refused["kind"] == "roll_dice"
    assert refused["rules"] == ["II.D.4", "II.2"]
    assert "Ana" in refused["detail"]
    assert "pointer" not in refused


def test_a_refusal_explains_its_rule_in_the_callers_language(started: HttpTable) -> None:
    """What a page shows beside the refusal: the title and the text of the rule, as the register has them."""
    for language in ("en", "fr"):
        spoken = {"Accept_Language": language}
        asked = started.bob.act("roll_dice", params={"dice": [1, 2]}, headers=spoken)
        refused = problem(asked, 409, "rule-broken")
        rule = RULEBOOK.register.get("II.D.4", language)
        assert rule is not None
        assert (refused["rule_title"], refused["rule_text"]) == (rule.title, rule.requires)


def test_insufficient_funds_name_the_values(started: HttpTable) -> None:
    refused = problem(started.ana.act("transfer_money", params={"to": "bob", "amount": 9000}), 409, "rule-broken")
    assert refused["rule"] == "I.B.6"
    assert refused["rules"] == ["I.B.6", "I.B.3"]
    assert "1650" in refused["detail"]
    assert "9000" in refused["detail"]
    assert refused["pointer"] == "/params/amount"


def test_dice_that_nobody_threw(started: HttpTable) -> None:
    assert "dice" in problem(started.ana.act("roll_dice"), 422, "draw-needed")["detail"]


def test_a_dry_run_of_a_throw_that_the_service_makes(client: FlaskClient) -> None:
    """The service throws when the action is performed, and not for a look ahead: nobody is asked for dice."""
    table = HttpTable.created(client, "ana", "bob", dice="service").start()
    ahead = problem(table.ana.act("roll_dice", dry_run=True), 422, "chance-ahead")
    assert ahead["kind"] == "roll_dice"
    assert "dice" not in ahead["detail"]
    assert [(draw["kind"], draw["count"], draw["sides"]) for draw in ahead["draws"]] == [("die", 2, 6)]
    roll = next(move for move in table.ana.get("moves").json["moves"] if move["kind"] == "roll_dice")
    assert roll["chance"] is True
    assert "draws" not in roll
    assert table.version == 6


def test_a_stale_version(started: HttpTable) -> None:
    answer = started.ana.act("transfer_money", params={"to": "bob", "amount": 1}, headers={"If_Match": '"3"'})
    refused = problem(answer, 412, "stale-version")
    assert "6" in refused["detail"]
    assert '"3"' in refused["detail"]
    assert answer.headers["ETag"] == 'W/"6"'


@pytest.mark.parametrize("header", ["6", "banana", '"6', '"6" "7"', "W/6"])
def test_an_if_match_that_is_no_list_of_entity_tags(started: HttpTable, header: str) -> None:
    answer = started.ana.act("transfer_money", params={"to": "bob", "amount": 1}, headers={"If_Match": header})
    assert header in problem(answer, 400, "bad-request")["detail"]


@pytest.mark.parametrize("key", [" ", "", "é", "x" * 256])
def test_an_idempotency_key_that_is_none(started: HttpTable, key: str) -> None:
    answer = started.ana.act("transfer_money", params={"to": "bob", "amount": 1}, headers={"Idempotency_Key": key})
    problem(answer, 400, "bad-request")


@pytest.mark.parametrize("authorization", [None, "", "Basic YW5hOmFuYQ==", "Bearer", "Bearer "])
def test_no_token(started: HttpTable, authorization: str | None) -> None:
    headers = {} if authorization is None else {"Authorization": authorization}
    answer = started.client.get(f"{BASE}/games/{started.game}", headers=headers)
    problem(answer, 401, "token-missing")
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="mabligop"'


def test_an_unknown_token(started: HttpTable) -> None:
    answer = started.client.get(
        f"{BASE}/games/{started.game}", headers={"Authorization": f"Bearer {started.game}.guess"}
    )
    refused = problem(answer, 401, "token-unknown")
    assert "guess" not in str(refused)
    assert 'error="invalid_token"' in answer.headers["WWW-Authenticate"]


def test_a_token_of_another_game(started: HttpTable, client: FlaskClient) -> None:
    other = HttpTable.created(client)
    answer = other.ana.post(
        f"{BASE}/games/{started.game}/actions", {"kind": "transfer_money", "params": {"to": "bob", "amount": 1}}
    )
    problem(answer, 403, "foreign-token")
    problem(other.banker.get(f"{BASE}/games/{started.game}/state"), 403, "foreign-token")


def test_an_unknown_game(started: HttpTable) -> None:
    refused = problem(started.ana.get(f"{BASE}/games/nowhere"), 404, "unknown-game")
    assert "nowhere" in refused["detail"]
    problem(started.ana.get(f"{BASE}/games/\x00"), 404, "unknown-game")
    # Without a valid token a caller does not even learn that.
    problem(started.stranger.get(f"{BASE}/games/nowhere"), 401, "token-missing")


def test_what_a_role_may_not_do(started: HttpTable) -> None:
    spectating = problem(
        started.spectator.act("transfer_money", params={"to": "bob", "amount": 1}), 403, "not-yours"
    )
    assert spectating["kind"] == "transfer_money"
    for_another = started.ana.act("transfer_money", seat="bob", params={"to": "ana", "amount": 1})
    refused = problem(for_another, 403, "not-yours")
    assert "Ana" in refused["detail"]
    assert "Bob" in refused["detail"]
    problem(started.ana.act("set_turn_order", params={"order": ["bob", "ana"]}), 403, "not-yours")
    problem(started.ana.act("end_turn", params={}, override={"reason": "because I want to"}), 403, "not-yours")
    for caller in (started.ana, started.spectator):
        problem(caller.get("tokens"), 403, "not-yours")


def test_errors_are_found_in_the_fixed_order(started: HttpTable, client: FlaskClient) -> None:
    """The order of checks: shape, token, shape of the parameters, seat, stale version, rule."""
    path = f"{BASE}/games/{started.game}/actions"
    wrong_token = {"Authorization": "Bearer nobody"}
    stale = {"If_Match": '"1"'}
    problem(
        client.post(path, data=b"{", content_type="application/json", headers=wrong_token), 400, "malformed-json"
    )
    problem(client.post(path, json={"kind": 1}, headers=wrong_token), 422, "invalid-request")
    problem(client.post(path, json={"kind": "end_turn"}, headers=wrong_token), 401, "token-unknown")
    problem(started.spectator.act("end_turn", params={"x": 1}, headers=stale), 422, "invalid-parameters")
    problem(started.spectator.act("end_turn", headers=stale), 403, "not-yours")
    problem(started.bob.act("end_turn", headers=stale), 412, "stale-version")
    problem(started.bob.act("end_turn", headers={"If_Match": '"6"'}), 409, "rule-broken")
    query = client.get(f"{path}?limit=0", headers=wrong_token)
    problem(query, 422, "invalid-request")


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("limit=0", "limit"),
        ("limit=5000", "5000"),
        ("limit=many", "many"),
        ("order=random", "random"),
        ("status=lost", "lost"),
        ("since=yesterday", "yesterday"),
        ("since=2026-11-20T20:00:00", "since"),
        ("colour=red", "colour"),
    ],
)
def test_a_query_that_is_not_right(started: HttpTable, query: str, named: str) -> None:
    refused = problem(started.ana.get(f"actions?{query}"), 422, "invalid-request")
    assert named in refused["detail"]
    assert refused["errors"][0]["parameter"] == query.partition("=")[0]


@pytest.mark.parametrize("cursor", ["x", "banana", "====", "é", "bnVsbA", "WyJnYW1lcyIsMV0"])
@pytest.mark.parametrize("path", ["actions", "accounts/player:ana/statement", "/api/v1/games"])
def test_a_bad_cursor(started: HttpTable, path: str, cursor: str) -> None:
    refused = problem(started.ana.get(f"{path}?cursor={cursor}"), 422, "bad-cursor")
    assert cursor in refused["detail"]


def test_a_cursor_of_another_list_or_order(started: HttpTable) -> None:
    cursor = started.ana.get("actions?limit=1").json["next"]
    problem(started.ana.get(f"actions?order=newest&cursor={cursor}"), 422, "bad-cursor")
    problem(started.ana.get(f"accounts/player:ana/statement?cursor={cursor}"), 422, "bad-cursor")
    mine = started.ana.get("accounts/player:ana/statement?limit=1").json["next"]
    problem(started.ana.get(f"accounts/bank/statement?cursor={mine}"), 422, "bad-cursor")


def test_actions_that_are_not_there(started: HttpTable) -> None:
    assert "900" in problem(started.ana.get("actions/900"), 404, "not-found")["detail"]
    for number in ("0", "9" * 19, "9" * 5000, "-1", "one"):
        problem(started.ana.get(f"actions/{number}"), 404, "not-found")


def test_collections_that_the_rulebook_does_not_have(started: HttpTable) -> None:
    refused = problem(started.ana.get("tournaments"), 404, "not-found")
    assert "tournaments" in refused["detail"]
    assert "bounties" in refused["detail"]


def test_moves_of_a_seat_or_a_kind_that_is_not_there(started: HttpTable) -> None:
    assert "zoe" in problem(started.banker.get("moves?seat=zoe"), 422, "invalid-request")["detail"]
    assert "fly" in problem(started.ana.get("moves?explain=fly"), 422, "invalid-request")["detail"]
    problem(started.ana.get("moves?seat=bob"), 403, "not-yours")


@pytest.mark.parametrize(
    ("changes", "kind", "named"),
    [
        ({"rulebook": "chess"}, "invalid-request", ["chess", "negopoly"]),
        ({"players": []}, "invalid-request", ["players"]),
        ({"players": [{"seat": "ana", "name": "Ana"}]}, "invalid-request", ["1"]),
        ({"players": [{"seat": "Ana", "name": "Ana"}]}, "invalid-request", ["Ana"]),
        ({"players": [{"seat": "ana\n", "name": "Ana"}]}, "invalid-request", ["seat"]),
        (
            {"players": [{"seat": "banker", "name": "B"}, {"seat": "b", "name": "B"}]},
            "invalid-request",
            ["banker"],
        ),
        ({"players": [{"seat": "ana", "name": " "}, {"seat": "b", "name": "B"}]}, "invalid-request", ["ana"]),
        ({"players": [{"seat": "ana", "name": "x" * 81}]}, "invalid-request", ["80"]),
        ({"players": [{"seat": "a", "name": "A"}, {"seat": "a", "name": "B"}]}, "invalid-request", ["'a'"]),
        ({"dice": "loaded"}, "invalid-request", ["loaded"]),
        ({"title": "\x00"}, "invalid-request", ["title", "U+0000"]),
        ({"settings": {"starting_balance": -1}}, "invalid-parameters", ["starting_balance", "-1"]),
        ({"settings": {"starting_balance": 1.5}}, "invalid-parameters", ["starting_balance", "1.5"]),
        ({"settings": {"colour": "red"}}, "invalid-parameters", ["colour", "red"]),
        (
            {"settings": {"decks": {"chance": [{"id": "toll", "title": "T", "timing": "never"}]}}},
            "invalid-parameters",
            ["settings/decks/chance/0/timing", "never"],
        ),
        (
            {"settings": {"decks": {"chance": [{"id": "toll", "title": "T", "effects": [{"op": "fly"}]}]}}},
            "invalid-request",
            ["'toll'", "fly", "teleport"],
        ),
        (
            {"settings": {"board": [{"kind": "spawn", "name": "S"}, {"kind": "lake", "name": "L"}]}},
            "invalid-parameters",
            ["settings/board/1/kind", "lake"],
        ),
        ({"settings": {"board": [{"kind": "spawn", "name": "S"}] * 2}}, "invalid-request", ["spawn", "0, 1"]),
    ],
)
def test_a_game_that_cannot_be_created(
    client: FlaskClient, changes: dict[str, Any], kind: str, named: list[str]
) -> None:
    refused = problem(client.post(f"{BASE}/games", json=ANA_AND_BOB | changes), 422, kind)
    for words in named:
        assert words in refused["detail"]


def test_what_is_wrong_with_a_tables_own_cards_and_squares_is_pointed_at(client: FlaskClient) -> None:
    """An operation's amount, and a title that lies on a second square."""
    pay = {"op": "pay", "from": "drawer", "to": "bank", "amount": 0}
    decks = {"chance": [{"id": "toll", "title": "Toll", "effects": [pay]}]}
    refused = problem(
        client.post(f"{BASE}/games", json=ANA_AND_BOB | {"settings": {"decks": decks}}), 422, "invalid-request"
    )
    assert [row["pointer"] for row in refused["errors"]] == ["/settings/decks/chance/0/effects/0/amount"]
    corners = [{"kind": kind, "name": kind} for kind in ("spawn", "prison", "hopital", "comico")]
    twice = [{"kind": "property", "name": "N", "property": "negotown"}] * 2
    board = {"board": [*corners, *twice]}
    refused = problem(client.post(f"{BASE}/games", json=ANA_AND_BOB | {"settings": board}), 422, "invalid-request")
    assert [row["pointer"] for row in refused["errors"]] == ["/settings/board/5/property"]


def test_rulebooks_and_rules_that_are_not_there(client: FlaskClient) -> None:
    assert "chess" in problem(client.get(f"{BASE}/rulebooks/chess"), 404, "unknown-rulebook")["detail"]
    assert "fly" in problem(client.get(f"{BASE}/rulebooks/negopoly/actions/fly"), 404, "not-found")["detail"]
    assert "Z.9" in problem(client.get(f"{BASE}/rulebooks/negopoly/rules/Z.9"), 404, "not-found")["detail"]


def test_addresses_and_methods_that_do_not_exist(client: FlaskClient, started: HttpTable) -> None:
    problem(client.get("/nothing/here"), 404, "not-found")
    problem(client.get(f"{BASE}/nothing"), 404, "not-found")
    answer = client.delete(f"{BASE}/games/{started.game}")
    problem(answer, 405, "method-not-allowed")
    assert set(answer.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}
    problem(client.patch("/healthz"), 405, "method-not-allowed")


def test_every_type_of_problem_has_its_page(client: FlaskClient) -> None:
    refused = problem(client.get("/nothing"), 404, "not-found")
    page = client.get(refused["type"])
    assert page.status_code == 200
    assert page.content_type == "text/html; charset=utf-8"
    assert refused["title"] in page.text
    problem(client.get("/problems/boredom"), 404, "not-found")


def test_older_names_of_parameters_are_understood_but_not_mixed_with_those_of_today(started: HttpTable) -> None:
    """It is not for Ana to buy doses now, whatever she calls their number."""
    for params in ({"amount": 1}, {"quantity": 1}):
        refused = problem(started.ana.act("buy_doses", params=params), 409, "rule-broken")
        assert refused["rule"] == "II.B.3"
    mixed = problem(started.ana.act("buy_doses", params={"quantity": 1, "amount": 1}), 422, "invalid-parameters")
    assert [row["pointer"] for row in mixed["errors"]] == ["/params/quantity"]
    wrong = problem(started.ana.act("buy_doses", params={"quantity": 0}), 422, "invalid-parameters")
    assert [row["pointer"] for row in wrong["errors"]] == ["/params/amount"]


def test_a_throw_that_no_die_can_show_is_refused_in_plain_words(started: HttpTable) -> None:
    refused = started.ana.act("roll_dice", params={"dice": [6, 7]})
    told = problem(refused, 422, "invalid-parameters")
    assert told["pointer"] == "/params/dice/1"
    assert told["detail"].endswith("params/dice/1: at most 6 (got 7)")
    french = started.ana.act("roll_dice", params={"dice": [6, 7]}, headers={"Accept-Language": "fr"}).json
    assert french["detail"].endswith("dice/1\u00a0: au plus 6 (reçu\u00a0: 7)")


@pytest.mark.parametrize(
    ("kind", "params", "pointer"),
    [
        ("transfer_money", {"to": "zed", "amount": 5}, "/params/to"),
        ("propose_deal", {"parties": ["bob", "zed"], "clauses": ["peace"]}, "/params/parties/1"),
    ],
)
def test_a_problem_points_at_the_seat_that_does_not_exist(
    started: HttpTable, kind: str, params: dict[str, Any], pointer: str
) -> None:
    refused = started.ana.act(kind, params=params).json
    assert "there is no seat 'zed'" in refused["detail"]
    assert refused["pointer"] == pointer


@pytest.mark.parametrize("query", ["seat=ana&seat=bob", "limit=3&limit=3", "at=3&at=4"])
@pytest.mark.parametrize("path", ["actions", "state", "audit"])
def test_a_parameter_is_given_once(started: HttpTable, path: str, query: str) -> None:
    """Which of two values would count?"""
    refused = problem(started.ana.get(f"{path}?{query}"), 422, "invalid-request")
    assert "2 times" in refused["detail"]


@pytest.mark.parametrize("number", ["1_0", "1.0", "+1", "\u0663", "1e1", "0x1", ""])
def test_a_number_has_ascii_digits_alone(started: HttpTable, number: str) -> None:
    problem(started.ana.get(f"actions?limit={quote(number)}"), 422, "invalid-request")
    if number != "":
        assert started.ana.get(f"proofs/{quote(number)}").status_code == 404
    assert started.ana.get("actions?limit=1").status_code == started.ana.get("proofs/1").status_code == 200


@pytest.mark.parametrize("coding", ["gzip", "br", "x-other"])
def test_a_body_with_a_coding(started: HttpTable, coding: str) -> None:
    raw = b'{"kind": "transfer_money", "params": {"to": "bob", "amount": 1}}'
    headers = {"Authorization": f"Bearer {started.ana.token}", "Content-Encoding": coding}
    for body in (raw, gzip.compress(raw)):
        path = f"{BASE}/games/{started.game}/actions"
        answer = started.client.post(path, data=body, content_type="application/json", headers=headers)
        problem(answer, 415, "unsupported-media-type")
    assert started.version == 6
