"""Tokens: the banker lists, replaces and revokes them, and cannot lose their own access."""

from tests.tables.keys import key_of
from tests.tables.ledgers import Clock
from tests.tables.over_http import Caller, HttpTable, problem

DAY = 24 * 60 * 60


def ids(table: HttpTable) -> dict[str, str]:
    """The tokens in force: the id of each, by seat or role."""
    listed = table.banker.get("tokens").json["tokens"]
    return {row["seat"] or row["role"]: row["id"] for row in listed if row["revoked_at"] is None}


def test_the_list_holds_no_secret(table: HttpTable) -> None:
    answer = table.banker.get("tokens")
    assert answer.headers["Cache-Control"] == "no-store"
    rows = answer.json["tokens"]
    assert sorted((row["role"], row["seat"]) for row in rows if row["seat"]) == [
        ("player", "ana"),
        ("player", "bob"),
    ]
    assert [row["role"] for row in rows if row["yours"]] == ["banker"]
    for token in (table.banker.token, table.ana.token, table.spectator.token):
        assert str(token).partition(".")[2] not in answer.text


def test_a_revoked_token_opens_nothing(table: HttpTable) -> None:
    assert table.ana.get().status_code == 200
    answer = table.banker.delete(f"tokens/{ids(table)['ana']}")
    assert answer.status_code == 204
    assert answer.data == b""
    problem(table.ana.get(), 401, "token-unknown")
    problem(table.ana.act("join_game", params={"persona": "Don"}), 401, "token-unknown")
    assert table.bob.get().status_code == 200
    assert "ana" not in ids(table)


def test_a_replaced_token_gives_way_to_the_new_one(table: HttpTable) -> None:
    answer = table.banker.post(f"tokens/{ids(table)['ana']}/replacement")
    assert answer.status_code == 201
    assert answer.headers["Cache-Control"] == "no-store"
    assert (answer.json["role"], answer.json["seat"]) == ("player", "ana")
    problem(table.ana.get(), 401, "token-unknown")
    ana = Caller(table.client, table.game, answer.json["token"])
    assert ana.play("join_game", persona="Don")["seat"] == "ana"


def test_the_banker_cannot_lock_themself_out(table: HttpTable) -> None:
    own = ids(table)["banker"]
    refused = problem(table.banker.delete(f"tokens/{own}"), 409, "own-token")
    assert own in refused["detail"]
    assert table.banker.get().status_code == 200
    replacement = table.banker.post(f"tokens/{own}/replacement").json["token"]
    problem(table.banker.get(), 401, "token-unknown")
    banker = Caller(table.client, table.game, replacement)
    assert banker.get("tokens").status_code == 200


def test_tokens_that_are_not_in_force(table: HttpTable) -> None:
    ana = ids(table)["ana"]
    assert table.banker.delete(f"tokens/{ana}").status_code == 204
    for token in (ana, "unknown"):
        assert token in problem(table.banker.delete(f"tokens/{token}"), 404, "not-found")["detail"]
        problem(table.banker.post(f"tokens/{token}/replacement"), 404, "not-found")


def test_only_the_banker_deals_with_tokens(table: HttpTable) -> None:
    ana = ids(table)["ana"]
    for caller in (table.ana, table.spectator):
        problem(caller.get("tokens"), 403, "not-yours")
        problem(caller.delete(f"tokens/{ana}"), 403, "not-yours")
        problem(caller.post(f"tokens/{ana}/replacement"), 403, "not-yours")


def test_a_banker_has_no_say_in_another_game(table: HttpTable) -> None:
    other = HttpTable.created(table.client)
    problem(other.banker.get(f"/api/v1/games/{table.game}/tokens"), 403, "foreign-token")
    problem(other.banker.delete(f"tokens/{ids(table)['ana']}"), 404, "not-found")
    assert table.ana.get().status_code == 200


def test_a_repeated_replacement_gives_the_same_token(table: HttpTable) -> None:
    ana = ids(table)["ana"]
    path = f"tokens/{ana}/replacement"
    first = table.banker.post(path, Idempotency_Key=key_of("replace-1"))
    again = table.banker.post(path, Idempotency_Key=key_of("replace-1"))
    assert (first.status_code, again.status_code) == (201, 200)
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.headers["Cache-Control"] == "no-store"
    assert again.json == first.json
    assert Caller(table.client, table.game, again.json["token"]).get().status_code == 200
    problem(table.banker.post(path), 404, "not-found")
    other = table.banker.post(f"tokens/{ids(table)['bob']}/replacement", Idempotency_Key=key_of("replace-1"))
    problem(other, 422, "key-reused")
    assert table.bob.get().status_code == 200


def test_a_banker_who_lost_the_answer_asks_again(table: HttpTable) -> None:
    """The old token is revoked; with the key it gets its replacement, and nothing else."""
    own = ids(table)["banker"]
    path = f"tokens/{own}/replacement"
    first = table.banker.post(path, Idempotency_Key=key_of("replace-own"))
    assert first.status_code == 201
    problem(table.banker.get("tokens"), 401, "token-unknown")
    again = table.banker.post(path, Idempotency_Key=key_of("replace-own"))
    assert again.status_code == 200
    assert again.json == first.json
    problem(table.banker.post(path), 401, "token-unknown")
    problem(table.banker.post(path, Idempotency_Key=key_of("guessed")), 401, "token-unknown")
    banker = Caller(table.client, table.game, again.json["token"])
    other = ids(HttpTable(table.client, table.game, {**table.tokens, "banker": again.json["token"]}))["ana"]
    problem(
        table.banker.post(f"tokens/{other}/replacement", Idempotency_Key=key_of("replace-own")),
        401,
        "token-unknown",
    )
    assert banker.get("tokens").status_code == 200


def test_a_day_later_the_new_token_is_not_shown_again(table: HttpTable, clock: Clock) -> None:
    ana = ids(table)["ana"]
    path = f"tokens/{ana}/replacement"
    first = table.banker.post(path, Idempotency_Key=key_of("replace-1"))
    clock.pass_by(DAY)
    assert table.banker.post(path, Idempotency_Key=key_of("replace-1")).json == first.json
    clock.pass_by(1)
    refused = table.banker.post(path, Idempotency_Key=key_of("replace-1"))
    assert "more than a day ago" in problem(refused, 409, "key-expired")["detail"]
    assert table.game not in refused.text
    other = table.banker.post(f"tokens/{ids(table)['bob']}/replacement", Idempotency_Key=key_of("replace-1"))
    problem(other, 422, "key-reused")
    assert (
        table.banker.post(
            f"tokens/{ids(table)['ana']}/replacement", Idempotency_Key=key_of("replace-2")
        ).status_code
        == 201
    )


def test_a_day_later_the_bankers_lost_token_gets_nothing(table: HttpTable, clock: Clock) -> None:
    path = f"tokens/{ids(table)['banker']}/replacement"
    assert table.banker.post(path, Idempotency_Key=key_of("replace-own")).status_code == 201
    clock.pass_by(DAY + 1)
    problem(table.banker.post(path, Idempotency_Key=key_of("replace-own")), 401, "token-unknown")


def test_nobody_else_is_told_the_new_token(table: HttpTable) -> None:
    own = ids(table)["banker"]
    path = f"tokens/{own}/replacement"
    assert table.banker.post(path, Idempotency_Key=key_of("replace-own")).status_code == 201
    for caller in (table.ana, table.spectator):
        problem(caller.post(path, Idempotency_Key=key_of("replace-own")), 403, "not-yours")
    problem(table.stranger.post(path, Idempotency_Key=key_of("replace-own")), 401, "token-missing")


def test_a_players_lost_token_asks_for_nothing(table: HttpTable) -> None:
    path = f"tokens/{ids(table)['ana']}/replacement"
    assert table.banker.post(path, Idempotency_Key=key_of("for-ana")).status_code == 201
    problem(table.ana.post(path, Idempotency_Key=key_of("for-ana")), 401, "token-unknown")
