"""Joining: the banker invites a seat or a screen, and whoever has the code gets a token, once."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from api.rest.application import Config, create_app
from ledger.access.invitations import LETTERS
from ledger.service import Ledger
from tests.tables.keys import key_of
from tests.tables.ledgers import Clock
from tests.tables.over_http import BASE, Caller, HttpTable, problem

HOUR = 60 * 60
DAY = 24 * HOUR


@pytest.fixture(scope="module")
def app(ledger: Ledger) -> Flask:
    """A service where one address may try any number of codes: the scenarios share an address."""
    return create_app(ledger, Config(wrong_codes_per_minute=None))


def invited(table: HttpTable, **wanted: Any) -> dict[str, Any]:
    answer = table.banker.post("invitations", wanted)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json
    return found


def join(client: FlaskClient, code: str, game: str | None = None, **headers: str) -> TestResponse:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.post(f"{BASE}/join", json={"code": code} | ({"game": game} if game else {}), headers=sent)


def another(code: str, place: int = -1) -> str:
    """The code with another letter at this place."""
    letters = list(code)
    letters[place] = LETTERS[(LETTERS.index(letters[place]) + 1) % len(LETTERS)]
    return "".join(letters)


def test_ana_joins_with_a_code(table: HttpTable) -> None:
    """She types it by hand, in small letters and with a space."""
    answer = table.banker.post("invitations", {"seat": "ana"})
    assert answer.headers["Cache-Control"] == "no-store"
    invitation = answer.json
    assert re.fullmatch(f"[{LETTERS}]{{4}}-[{LETTERS}]{{4}}", invitation["code"])
    assert invitation["link"] == f"http://localhost/join#{invitation['code']}"
    assert (invitation["role"], invitation["seat"], invitation["name"]) == ("player", "ana", "Ana")
    assert (invitation["created_at"], invitation["expires_at"]) == ("2026-11-20T20:00:00Z", "2026-11-20T21:00:00Z")
    answer = join(table.client, invitation["code"].lower().replace("-", " "))
    assert answer.status_code == 201
    assert answer.headers["Cache-Control"] == "no-store"
    token = answer.json.pop("token")
    joined = {"game": table.game, "rulebook": "negopoly", "role": "player", "seat": "ana", "name": "Ana"}
    assert {name: answer.json[name] for name in joined} == joined
    ana = Caller(table.client, table.game, token)
    assert ana.play("join_game", persona="Don")["seat"] == "ana"


def test_a_lost_phone_is_invited_again(table: HttpTable) -> None:
    """The code that the new phone sends revokes what the lost one had. Other seats keep theirs."""
    lost = Caller(table.client, table.game, join(table.client, invited(table, seat="ana")["code"]).json["token"])
    problem(table.ana.get(), 401, "token-unknown")  # The first one, from the game's creation.
    invitation = invited(table, seat="ana")
    assert lost.get().status_code == 200
    found = Caller(table.client, table.game, join(table.client, invitation["code"]).json["token"])
    problem(lost.get(), 401, "token-unknown")
    assert found.get().status_code == table.bob.get().status_code == table.banker.get().status_code == 200


def test_a_wall_and_a_second_desk_join_beside_the_others(table: HttpTable) -> None:
    for role, may_invite in (("spectator", False), ("banker", True)):
        invitation = invited(table, role=role)
        assert invitation.keys().isdisjoint({"seat", "name", "replaces"})
        answer = join(table.client, invitation["code"])
        assert answer.json["role"] == role
        assert answer.json.keys().isdisjoint({"seat", "name"})
        screen = Caller(table.client, table.game, answer.json["token"])
        assert ("invite" in screen.get(f"{BASE}/me").json["may"]) is may_invite
    assert table.spectator.get().status_code == table.banker.get().status_code == 200


def test_a_wall_is_replaced(table: HttpTable) -> None:
    rows = table.banker.get("tokens").json["tokens"]
    (wall,) = (row["id"] for row in rows if row["role"] == "spectator")
    invitation = invited(table, role="spectator", replaces=wall)
    assert invitation["replaces"] == wall
    assert table.spectator.get().status_code == 200
    assert join(table.client, invitation["code"]).status_code == 201
    problem(table.spectator.get(), 401, "token-unknown")
    for wanted in ({"role": "spectator", "replaces": wall}, {"seat": "ana", "replaces": "none"}):
        refused = problem(table.banker.post("invitations", wanted), 422, "invalid-request")
        assert refused["errors"][0]["pointer"] == "/replaces"


def test_every_code_that_opens_nothing_gets_the_same_answer(table: HttpTable, clock: Clock) -> None:
    used, expired, withdrawn = (invited(table, seat=seat) for seat in ("ana", "bob", "bob"))
    assert join(table.client, used["code"]).status_code == 201
    assert table.banker.delete(f"invitations/{withdrawn['id']}").status_code == 204
    clock.pass_by(HOUR - 1)
    assert [one["id"] for one in table.banker.get("invitations").json["invitations"]] == [expired["id"]]
    clock.pass_by(1)
    other = HttpTable.created(table.client)
    foreign = invited(other, seat="ana")
    answers = [
        join(table.client, used["code"]),
        join(table.client, expired["code"]),
        join(table.client, withdrawn["code"]),
        join(table.client, another(foreign["code"], 0)),
        join(table.client, "what is this?"),
        join(table.client, foreign["code"], table.game),
        join(table.client, foreign["code"], "nowhere"),
    ]
    for answer in answers:
        problem(answer, 410, "code-refused")
    assert len({answer.text for answer in answers}) == 1
    assert join(table.client, foreign["code"], other.game).status_code == 201


def test_the_banker_sees_the_open_ones_without_their_codes(table: HttpTable, clock: Clock) -> None:
    ana = invited(table, seat="ana")
    clock.pass_by(1)
    wall = invited(table, role="spectator")
    answer = table.banker.get("invitations")
    for one in (ana, wall):
        del one["link"]
        assert one.pop("code") not in answer.text
    assert answer.json == {"invitations": [ana, wall]}
    problem(table.banker.delete("invitations/unknown"), 404, "not-found")
    assert table.banker.delete(f"invitations/{ana['id']}").status_code == 204
    problem(table.banker.delete(f"invitations/{ana['id']}"), 404, "not-found")
    assert table.banker.get("invitations").json == {"invitations": [wall]}


def test_only_the_banker_invites(table: HttpTable) -> None:
    one = invited(table, seat="ana")
    for caller in (table.ana, table.spectator):
        problem(caller.post("invitations", {"seat": "ana"}), 403, "not-yours")
        problem(caller.get("invitations"), 403, "not-yours")
        problem(caller.delete(f"invitations/{one['id']}"), 403, "not-yours")
    for wanted in ({"seat": "zoe"}, {}, {"seat": "ana", "role": "spectator"}, {"role": "player"}):
        problem(table.banker.post("invitations", wanted), 422, "invalid-request")


def test_two_phones_with_one_code(table: HttpTable, app: Flask) -> None:
    code = invited(table, seat="ana")["code"]
    with ThreadPoolExecutor(4) as phones:
        answers = list(phones.map(lambda _: join(app.test_client(), code), range(4)))
    assert sorted(answer.status_code for answer in answers) == [201, 410, 410, 410]
    (token,) = (answer.json["token"] for answer in answers if answer.status_code == 201)
    assert Caller(table.client, table.game, token).get().status_code == 200


def test_two_codes_for_one_seat_leave_one_token(table: HttpTable, app: Flask, clock: Clock) -> None:
    """An older code ends with the use of a newer one; used at once, one of the two tokens is revoked."""
    older = invited(table, seat="ana")["code"]
    clock.pass_by(1)
    newer = invited(table, seat="ana")["code"]
    with ThreadPoolExecutor(2) as phones:
        answers = list(phones.map(lambda code: join(app.test_client(), code), (older, newer)))
    assert answers[1].status_code == 201
    in_force = [
        row for row in table.banker.get("tokens").json["tokens"] if row["seat"] == "ana" and not row["revoked_at"]
    ]
    assert len(in_force) == 1
    problem(join(table.client, older), 410, "code-refused")


def test_a_code_says_which_table_it_opens(table: HttpTable) -> None:
    """Bob reads who sits where before he joins, as often as he likes; nothing else leaves the service."""
    ana, bob = invited(table, seat="ana")["code"], invited(table, seat="bob")["code"]
    assert join(table.client, ana).status_code == 201
    for _ in range(2):
        answer = table.client.post(f"{BASE}/join/table", json={"code": bob.lower()})
        assert answer.status_code == 200
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.json["seats"][:2] == [
            {"name": "Ana", "letter": "A", "colour": 0, "occupied": True},
            {"name": "Bob", "letter": "B", "colour": 1, "occupied": False},
        ]
        assert (answer.json["role"], answer.json["letter"]) == ("player", "B")
        assert set(answer.json) == {"title", "rulebook", "rulebook_title", "role", "letter", "seats"}
    assert join(table.client, bob).status_code == 201
    problem(table.client.post(f"{BASE}/join/table", json={"code": bob}), 410, "code-refused")


def test_a_code_of_an_earlier_version_opens_its_hour(table: HttpTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such a code has six characters."""
    with monkeypatch.context() as earlier:
        earlier.setattr("ledger.access.invitations._HALF", 3)
        code = invited(table, seat="ana")["code"]
    assert re.fullmatch(f"[{LETTERS}]{{3}}-[{LETTERS}]{{3}}", code)
    assert join(table.client, code).status_code == 201


def test_a_lost_answer_is_asked_for_again(table: HttpTable, clock: Clock) -> None:
    code = invited(table, seat="ana")["code"]
    first = join(table.client, code, Idempotency_Key=key_of("ana's phone"))
    assert first.status_code == 201
    for key in ({}, {"Idempotency_Key": key_of("guessed")}):
        problem(join(table.client, code, **key), 410, "code-refused")
    clock.pass_by(DAY)
    again = join(table.client, code, Idempotency_Key=key_of("ana's phone"))
    assert (again.status_code, again.json) == (200, first.json)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.headers["Cache-Control"] == "no-store"
    clock.pass_by(1)
    problem(join(table.client, code, Idempotency_Key=key_of("ana's phone")), 409, "key-expired")
    other = join(table.client, invited(table, seat="bob")["code"], Idempotency_Key=key_of("ana's phone"))
    problem(other, 422, "key-reused")
    assert table.bob.get().status_code == 200


def test_one_phone_that_asks_twice_at_once_gets_one_token(table: HttpTable, app: Flask) -> None:
    code = invited(table, seat="ana")["code"]
    with ThreadPoolExecutor(4) as sending:
        answers = list(sending.map(lambda _: join(app.test_client(), code, Idempotency_Key=key_of("k")), range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 200, 200, 201]
    assert len({answer.json["token"] for answer in answers}) == 1


def test_a_repeated_invitation_gives_the_same_code(table: HttpTable, clock: Clock) -> None:
    wanted = {"seat": "ana"}
    first = table.banker.post("invitations", wanted, Idempotency_Key=key_of("for-ana"))
    again = table.banker.post("invitations", wanted, Idempotency_Key=key_of("for-ana"))
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json == first.json
    assert again.headers["Idempotent-Replayed"] == "true"
    assert len(table.banker.get("invitations").json["invitations"]) == 1
    for other in ({"seat": "bob"}, {"role": "spectator"}):
        problem(table.banker.post("invitations", other, Idempotency_Key=key_of("for-ana")), 422, "key-reused")
    clock.pass_by(DAY + 1)
    problem(table.banker.post("invitations", wanted, Idempotency_Key=key_of("for-ana")), 409, "key-expired")


def test_no_code_is_stored(table: HttpTable, ledger: Ledger) -> None:
    code = invited(table, seat="ana")["code"]
    (row,) = ledger.store.invitations.open_at(table.game, ledger.clock.current_time())
    stored = repr(row).encode() + row.code_hash + row.half_hash
    assert code.encode() not in stored
    assert code.replace("-", "").encode() not in stored


@pytest.mark.parametrize(
    ("settings", "called", "link"),
    [
        ({}, "table.example", "http://table.example"),
        ({"network_url": "http://192.168.1.20:8000"}, "localhost:8000", "http://192.168.1.20:8000"),
        ({"network_url": "http://172.17.0.2:8000"}, "table.example", "http://table.example"),
        (
            {"public_url": "https://table.example", "network_url": "http://10.0.0.7"},
            "10.0.0.7",
            "https://table.example",
        ),
    ],
)
def test_links_lead_others_to_the_service(
    new_app: Callable[..., Flask], table: HttpTable, settings: dict[str, str], called: str, link: str
) -> None:
    """A banker on the machine of the service calls it localhost, which leads no phone here."""
    with new_app(**settings).test_client() as client:
        invitation = Caller(client, table.game, table.banker.token).post(
            "invitations", {"seat": "ana"}, Host=called
        )
    assert invitation.json["link"] == f"{link}/join#{invitation.json['code']}"


def in_force(table: HttpTable) -> dict[str, tuple[str, str | None]]:
    """The tokens in force: the role and the seat of each, by its id."""
    rows = table.banker.get("tokens").json["tokens"]
    return {row["id"]: (row["role"], row["seat"]) for row in rows if row["revoked_at"] is None}


@pytest.mark.parametrize("wanted", [{"seat": "ana"}, {"seat": "bob"}, {"role": "spectator"}, {"role": "banker"}])
def test_an_invitation_touches_its_own_place_alone(table: HttpTable, wanted: dict[str, str]) -> None:
    """Whatever token it is to replace: of the same seat or role one is revoked, of any other none.

    Beside the banker and the spectator there is a second of each.
    """
    for role in ("banker", "spectator"):
        assert join(table.client, invited(table, role=role)["code"]).status_code == 201
    place = wanted.get("role", "player"), wanted.get("seat")
    own = in_force(table).keys() & {row["id"] for row in table.banker.get("tokens").json["tokens"] if row["yours"]}
    elsewhere = in_force(HttpTable.created(table.client))
    before = in_force(table)
    for replaced, place_of_it in {**elsewhere, **before}.items():
        answer = table.banker.post("invitations", {**wanted, "replaces": replaced})
        if replaced in elsewhere or place_of_it != place:
            problem(answer, 422, "invalid-request")
            assert in_force(table) == before
    kept_seats = {one: held for one, held in before.items() if held != place}
    for replaced in [None, *(one for one, held in before.items() if held == place and one not in own)]:
        standing = in_force(table)
        gone = {one for one, held in standing.items() if held == place and (held[1] or one == replaced)}
        naming = {} if replaced is None or replaced not in standing else {"replaces": replaced}
        assert join(table.client, invited(table, **wanted, **naming)["code"]).status_code == 201
        now = in_force(table)
        assert standing.keys() - now.keys() == gone
        assert [now[one] for one in now.keys() - standing.keys()] == [place]
        assert kept_seats.items() <= now.items()
