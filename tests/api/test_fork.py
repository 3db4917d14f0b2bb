"""Forks: a game that continues from a moment of another game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from api.rest.application import create_app
from api.rest.running.config import Config
from ledger.games.history import SNAPSHOT_EVERY
from ledger.games.snapshots import fingerprint
from ledger.kernel.journal.entry import read
from ledger.kernel.journal.stored import leaf, parts_fit
from ledger.service import Command, Ledger
from ledger.store.records import Selection
from ledger.store.store import Store
from tests.replays import shelf
from tests.tables.keys import key_of
from tests.tables.ledgers import ANA, BOB, Clock
from tests.tables.over_http import BASE, HttpTable, problem


def fork(
    table: HttpTable, action: int, *, token: str | None = None, title: str | None = None, **headers: str
) -> Any:
    """Request a game that continues a table, with the banker's token by default."""
    content: dict[str, Any] = {
        "from": {"game": table.game, "action": action, "token": token or table.tokens["banker"]}
    }
    if title is not None:
        content["title"] = title
    return table.stranger.post(f"{BASE}/games", content, **headers)


def forked(table: HttpTable, action: int, **how: str) -> HttpTable:
    answer = fork(table, action, **how)
    assert answer.status_code == 201, answer.text
    return HttpTable(table.client, answer.json["game"], answer.json["tokens"])


def entries(store: Store, game: str) -> list[bytes]:
    return [stored for _, stored in store.journal.entries(game, Selection(limit=10_000))]


# What a fork copies ---------------------------------------------------------------------------------


def test_it_goes_on_from_there(gifts: HttpTable) -> None:
    """Ana gave Bob all her money at 7. In the fork he gives nothing back."""
    other = forked(gifts, 7)
    assert other.game != gifts.game
    before = gifts.banker.get("state?at=7").json
    now = other.banker.get("state").json
    assert now["accounts"] == before["accounts"] == {**before["accounts"], "player:bob": {"NGD": 3300}}
    assert now["table"]["positions"] == before["table"]["positions"]
    other.bob.play("transfer_money", to="ana", amount=5)
    assert other.banker.get("accounts/player:ana").json["holdings"] == {"NGD": 5}
    assert gifts.banker.get("accounts/player:ana").json["holdings"] == {"NGD": 40}
    assert gifts.version == 9


def test_its_journal_is_the_other_s_under_its_own_name(gifts: HttpTable, store: Store) -> None:
    """The copied entries differ only in the game and the salt, so the fork has receipts of its own."""
    other = forked(gifts, 7)
    pairs = list(zip(entries(store, gifts.game), entries(store, other.game), strict=False))[:7]
    for mine, theirs in pairs:
        one, two = json.loads(mine), json.loads(theirs)
        assert (one.pop("game"), two.pop("game")) == (gifts.game, other.game)
        one.pop("withheld", None), two.pop("withheld", None)
        assert parts_fit(theirs)
        assert one.pop("salt") != two.pop("salt")
        assert one == two
        assert leaf(mine) != leaf(theirs)
    said = [
        [entry["kind"] for entry in table.banker.get("actions?at=7").json["actions"]] for table in (gifts, other)
    ]
    assert said[0] == said[1]
    assert len(pairs) == len(said[0]) == 7


def test_it_tells_where_it_comes_from(gifts: HttpTable, client: FlaskClient) -> None:
    """Everybody at its table sees the origin; the other game does not show the fork."""
    other = forked(gifts, 7)
    origin = {"game": gifts.game, "action": 7}
    for caller in (other.banker, other.ana, other.spectator):
        assert caller.get().json["origin"] == origin
        assert caller.get("state").json["origin"] == origin
    assert gifts.banker.get().json["origin"] is None
    assert "origin" not in gifts.banker.get("state").json
    listed = {game["game"]: game["origin"] for game in client.get(f"{BASE}/games?limit=200").json["games"]}
    assert (listed[other.game], listed[gifts.game]) == (origin, None)
    again = forked(other, 5)
    assert again.banker.get().json["origin"] == {"game": other.game, "action": 5}


def test_title_seats_and_settings_are_the_other_s(gifts: HttpTable) -> None:
    mine, theirs = gifts.banker.get().json, forked(gifts, 7).banker.get().json
    for member in ("rulebook", "title", "dice", "seats", "round", "turn"):
        assert mine[member] == theirs[member]
    assert forked(gifts, 7, title="If she had not").banker.get().json["title"] == "If she had not"


def test_the_past_is_as_it_was_known_then(gifts: HttpTable) -> None:
    """Gift 8 is dropped by 10. Forked at 9 it counts; forked at 10 it is undone, and can be redone there."""
    edits = [{"op": "drop", "action": 8}]
    content = {"edits": edits, "cascade": "restate", "reason": "misheard"}
    assert gifts.banker.post("corrections", content).status_code == 201
    assert money(forked(gifts, 9)) == money(gifts, "?at=9&known_at=9") == (40, 3260)
    later = forked(gifts, 10)
    assert money(later) == money(gifts) == (0, 3300)
    statuses = {entry["number"]: entry["status"] for entry in later.banker.get("actions").json["actions"]}
    assert (statuses[8], statuses[9], statuses[10]) == ("undone", "voided", "effective")
    assert later.banker.post("redo", {"reason": "it was right", "cascade": "restate"}).status_code == 201
    assert money(later) == (40, 3260)
    assert money(later, "?at=9&known_at=9") == (40, 3260)
    assert money(gifts) == (0, 3300)


def money(table: HttpTable, query: str = "") -> tuple[int, int]:
    """The balances of Ana and Bob, in ₦."""
    accounts = {row["account"]: row["holdings"] for row in table.banker.get(f"accounts{query}").json["accounts"]}
    ana, bob = (accounts.get(f"player:{seat}", {}).get("NGD", 0) for seat in ("ana", "bob"))
    return ana, bob


def test_from_the_first_action_and_from_the_last(gifts: HttpTable) -> None:
    """At 1 nobody has joined; at 9 the whole game is copied."""
    first = forked(gifts, 1)
    assert (first.version, first.banker.get().json["status"]) == (1, "setup")
    first.start()
    assert first.banker.get().json["round"] == 1
    assert money(forked(gifts, 9)) == money(gifts)


# The clock ------------------------------------------------------------------------------------------


def test_a_turn_under_way_waits_for_its_players(gifts: HttpTable, clock: Clock) -> None:
    """A week later Ana's five minutes are over; in the fork her clock is stopped."""
    clock.pass_by(7 * 86_400)
    other = forked(gifts, 7)
    (taken_up,) = other.banker.get("actions?order=newest&limit=1").json["actions"]
    assert (taken_up["number"], taken_up["kind"], taken_up["by"]) == (8, "take_up_turn", "system")
    assert [event["kind"] for event in taken_up["events"]] == ["turn_extended", "clock_paused"]
    clock.pass_by(3600)
    turn = other.banker.get("state").json["table"]["turn"]
    assert (turn["seat"], turn["paused_at"] is None) == ("ana", False)
    other.ana.play("roll_dice", dice=[1, 2])
    other.ana.play("resolve_square")
    clock.pass_by(3600)
    other.ana.play("end_turn")
    # From the next turn on, the clock runs as usual.
    clock.pass_by(301)
    assert problem(other.bob.act("roll_dice", params={"dice": [1, 2]}), 409, "rule-broken")["rule"] == "II.D.4"


def test_the_banker_lets_the_clock_run_again(gifts: HttpTable, clock: Clock) -> None:
    """The banker starts the clock: the turn has its full five minutes, then it runs out."""
    clock.pass_by(86_400)
    other = forked(gifts, 7)
    clock.pass_by(86_400)
    ruled = other.banker.post("rulings", {"finding": "Go on.", "remedies": [{"op": "resume_turn"}]})
    assert ruled.status_code == 201, ruled.text
    clock.pass_by(300)
    other.ana.play("roll_dice", dice=[1, 2])
    clock.pass_by(1)
    # One second too late: the turn has ended by itself, and it is Bob's.
    assert problem(other.ana.act("end_turn"), 409, "rule-broken")["rule"] == "II.2"


def test_an_undo_takes_back_what_was_played_and_not_that_the_clock_stands(gifts: HttpTable, clock: Clock) -> None:
    """The service added the fork's last action: an undo drops the last action that was played."""
    clock.pass_by(86_400)
    other = forked(gifts, 8)
    assert other.banker.post("undo", {"reason": "a slip", "cascade": "restate"}).status_code == 201
    statuses = {entry["number"]: entry["status"] for entry in other.banker.get("actions").json["actions"]}
    assert (statuses[7], statuses[8], statuses[9]) == ("effective", "undone", "effective")
    other.ana.play("roll_dice", dice=[1, 2])


def test_where_no_clock_runs_nothing_is_added(gifts: HttpTable) -> None:
    """During the set-up there is no turn."""
    assert [forked(gifts, number).version - number for number in (1, 4, 5, 6, 9)] == [0, 0, 0, 1, 1]


# Who may ask ----------------------------------------------------------------------------------------


def test_while_it_lasts_only_its_banker_may_take_a_game_elsewhere(gifts: HttpTable) -> None:
    for token in (gifts.tokens["players"]["ana"], gifts.tokens["spectator"]):
        problem(fork(gifts, 7, token=token), 403, "not-yours")
    problem(fork(gifts, 7, token="no.such"), 401, "token-unknown")
    assert fork(gifts, 7).status_code == 201


def test_after_the_end_everybody_may(gifts: HttpTable) -> None:
    """The caller gets the banker's token of the fork, where the hands are hidden again."""
    end(gifts)
    other = forked(gifts, 7, token=gifts.tokens["players"]["bob"])
    assert other.banker.get().json["status"] == "play"
    assert "player:ana" not in other.spectator.get("state").json["accounts"]
    assert forked(gifts, 7, token=gifts.tokens["spectator"]).banker.get().json["status"] == "play"


def end(table: HttpTable) -> None:
    """The banker ends the game in its first round."""
    table.banker.play("end_game", reason="It is late.")
    for seat, dice in ((table.ana, [1, 2]), (table.bob, [2, 2])):
        seat.play("roll_dice", dice=dice)
        seat.play("resolve_square")
        seat.play("end_turn")
    assert table.banker.get().json["status"] == "ended"


def test_a_token_of_another_game_does_not_do(client: FlaskClient, gifts: HttpTable) -> None:
    other = HttpTable.created(client)
    problem(fork(gifts, 7, token=other.tokens["banker"]), 403, "foreign-token")
    nowhere = {"from": {"game": "nowhere", "action": 1, "token": other.tokens["banker"]}}
    problem(client.post(f"{BASE}/games", json=nowhere), 404, "unknown-game")


def test_the_tokens_are_new(client: FlaskClient, gifts: HttpTable) -> None:
    """The tokens of one game do not open the other."""
    other = forked(gifts, 7)
    problem(other.stranger.get("", Authorization=f"Bearer {gifts.tokens['banker']}"), 403, "foreign-token")
    problem(gifts.stranger.get("", Authorization=f"Bearer {other.tokens['banker']}"), 403, "foreign-token")


def test_the_service_s_key_is_asked_for_besides(new_app: Any, gifts: HttpTable) -> None:
    app: Flask = new_app(creation_key="the key")
    content = {"from": {"game": gifts.game, "action": 7, "token": gifts.tokens["banker"]}}
    with app.test_client() as client:
        problem(client.post(f"{BASE}/games", json=content), 401, "token-missing")
        wrong = {"Authorization": f"Bearer {gifts.tokens['banker']}"}
        problem(client.post(f"{BASE}/games", json=content, headers=wrong), 401, "token-unknown")
        right = {"Authorization": "Bearer the key"}
        assert client.post(f"{BASE}/games", json=content, headers=right).status_code == 201


@pytest.mark.parametrize("action", [0, 10, "7", None])
def test_there_has_to_be_such_an_action(gifts: HttpTable, action: Any) -> None:
    answer = problem(fork(gifts, action), 422, "invalid-request")
    assert [row["pointer"] for row in answer["errors"]] == ["/from/action"]


def test_what_is_the_other_s_cannot_be_chosen(gifts: HttpTable) -> None:
    content = {"from": {"game": gifts.game, "action": 7, "token": gifts.tokens["banker"]}, "dice": "table"}
    answer = problem(gifts.stranger.post(f"{BASE}/games", content), 422, "invalid-request")
    assert [row["pointer"] for row in answer["errors"]] == ["/dice"]


# Repeated requests and exports ----------------------------------------------------------------------


def test_a_repeated_request_gives_the_same_game(gifts: HttpTable) -> None:
    first = fork(gifts, 7, Idempotency_Key=key_of("what if"))
    again = fork(gifts, 7, Idempotency_Key=key_of("what if"))
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json == first.json
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.headers["Location"] == first.headers["Location"] == f"{BASE}/games/{first.json['game']}"
    problem(fork(gifts, 8, Idempotency_Key=key_of("what if")), 422, "key-reused")
    problem(fork(gifts, 7, title="Other", Idempotency_Key=key_of("what if")), 422, "key-reused")
    problem(fork(gifts, 7, token="no.such", Idempotency_Key=key_of("what if")), 401, "token-unknown")
    other = gifts.stranger.post(
        f"{BASE}/games",
        {
            "rulebook": "negopoly",
            "players": [{"seat": "ana", "name": "A"}, {"seat": "bob", "name": "B"}],
            "dice": "table",
        },
        Idempotency_Key=key_of("what if"),
    )
    problem(other, 422, "key-reused")


def test_a_day_later_its_tokens_are_not_shown_again(gifts: HttpTable, clock: Clock) -> None:
    first = fork(gifts, 7, Idempotency_Key=key_of("what if, once more"))
    clock.pass_by(24 * 60 * 60)
    assert fork(gifts, 7, Idempotency_Key=key_of("what if, once more")).json == first.json
    clock.pass_by(1)
    refused = fork(gifts, 7, Idempotency_Key=key_of("what if, once more"))
    problem(refused, 409, "key-expired")
    assert first.json["game"] not in refused.text


def test_a_repeated_request_does_not_mind_that_the_game_went_on(gifts: HttpTable) -> None:
    first = fork(gifts, 9, Idempotency_Key=key_of("on and on"))
    gifts.ana.play("transfer_money", to="bob", amount=1)
    assert fork(gifts, 9, Idempotency_Key=key_of("on and on")).json == first.json


def test_another_process_reads_it_the_same(gifts: HttpTable, store: Store, ledger: Ledger) -> None:
    other = forked(gifts, 8)
    fresh = Ledger(store, ledger.rulebooks)
    rulebook = ledger.games.open(other.game).rulebook
    assert rulebook.codec.to_snapshot(fresh.moment(other.game).newest) == rulebook.codec.to_snapshot(
        ledger.moment(other.game).newest
    )
    assert rulebook.codec.to_snapshot(fresh.moment(other.game, at=8).state) == rulebook.codec.to_snapshot(
        ledger.moment(gifts.game, at=8, known_at=8).state
    )
    first = read(entries(store, other.game)[0])
    assert (first.game, first.number) == (other.game, 1)


def test_it_is_taken_away_and_put_in_with_its_origin(
    gifts: HttpTable, ledger: Ledger, new_database: Any, tmp_path: Path
) -> None:
    """Every format with a header names the origin, and an imported fork keeps it."""
    other = forked(gifts, 7)
    origin = {"game": gifts.game, "action": 7}
    file = tmp_path / "game.jsonl"
    file.write_bytes(other.banker.get("export?format=jsonl").data)
    assert json.loads(file.read_text().splitlines()[0])["journal"]["setup"]["origin"] == origin
    view = other.ana.get("export?format=jsonl").text.splitlines()[0]
    assert json.loads(view)["view"]["origin"] == origin
    about = shelf.unpacked(other.banker.get("export?format=csv").data)["about.json"]
    assert json.loads(about)["origin"] == origin
    with shelf.ledger_on(new_database()) as elsewhere:
        imported = shelf.put_in(elsewhere, file)
        client = create_app(elsewhere, Config()).test_client()
        answer = client.get(
            f"{BASE}/games/{other.game}", headers={"Authorization": f"Bearer {imported.tokens.banker}"}
        )
        assert answer.json["origin"] == origin


@pytest.mark.parametrize("form", ["beancount", "hledger"])
def test_its_books_are_in_order(gifts: HttpTable, clock: Clock, tmp_path: Path, form: str) -> None:
    """Its first actions were recorded long before it was created."""
    clock.pass_by(30 * 86_400)
    other = forked(gifts, 7)
    book = other.banker.get(f"export?format={form}").data
    assert f"; It goes on from action 7 of the game {gifts.game}".encode() in book
    assert b"2026-11-20" in book
    file = tmp_path / f"book.{form}"
    file.write_bytes(book)
    if form == "beancount":
        assert shelf.bean_check(file) == ""
    else:
        shelf.hledger(file, "check", "accounts", "commodities", "balanced", "ordereddates")


# Long games -----------------------------------------------------------------------------------------


def test_a_long_game_is_taken_over_whole(gifts: HttpTable, store: Store, ledger: Ledger) -> None:
    """The journal is longer than one page of reading, and the fork gets a snapshot."""
    last = 2 * SNAPSHOT_EVERY + 100
    for number in range(gifts.version, last):
        viewer, to = (ANA, "bob") if number % 2 else (BOB, "ana")
        ledger.perform(gifts.game, viewer, Command(kind="transfer_money", params={"to": to, "amount": 1}))
    other = ledger.forking.fork(gifts.game, last - 3).game
    fresh = Ledger(store, ledger.rulebooks)
    rulebook = ledger.games.open(other).rulebook
    for number in (1, SNAPSHOT_EVERY - 50, SNAPSHOT_EVERY + 50, last - 3):
        mine, theirs = (
            ledger.moment(gifts.game, at=number, known_at=number).state,
            fresh.moment(other, at=number, known_at=number).state,
        )
        assert rulebook.codec.to_snapshot(theirs) == rulebook.codec.to_snapshot(mine)
    found = store.snapshots.latest(other, fingerprint(rulebook), SNAPSHOT_EVERY + 100)
    assert found is not None
    assert found[0] == SNAPSHOT_EVERY + 50
