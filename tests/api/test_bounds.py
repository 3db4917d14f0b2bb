"""What a caller may compute and store: nobody takes the places or the time of the table."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, Response, request
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

import api
from api.front.front import Front
from api.front.lanes import Lanes
from api.rest.admission import bounds
from api.rest.admission.limits import Window
from ledger.trust import logs
from ledger.trust.notes import WITNESS, Note, Signer
from tests.api.asgi import Call
from tests.harness.attempts import GAME
from tests.harness.secrecy import Chair, Words, operations_on_a_game
from tests.tables.over_http import BASE, Caller, HttpTable, problem

AT = datetime(2026, 11, 20, tzinfo=UTC)
BAKERY = {"REMOTE_ADDR": "192.0.2.7"}


class Hands:
    """The hands of two clocks: the minutes of the windows, and the seconds of the processor."""

    def __init__(self) -> None:
        self.minute = 1.0
        self.spent = 0.0

    def next_minute(self) -> None:
        self.minute += 60.0


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> Hands:
    """Minutes pass only when a scenario lets them pass."""
    hands = Hands()
    monkeypatch.setattr(
        Window.__init__, "__defaults__", (lambda: hands.minute, *(Window.__init__.__defaults__ or ())[1:])
    )
    return hands


@pytest.fixture
def costly(new_app: Callable[..., Flask], hands: Hands) -> Callable[..., FlaskClient]:
    """A client of a service on which each answer takes a quarter of a second of the processor."""

    def create(seconds: float = 0.25, **settings: Any) -> FlaskClient:
        app = new_app(**settings)
        bounds.of(app).meter = lambda: hands.spent

        @app.before_request
        def work() -> None:
            hands.spent += seconds

        return app.test_client()

    return create


def at(client: FlaskClient, table: HttpTable) -> HttpTable:
    """The same table, called through another client."""
    return HttpTable(client, table.game, table.tokens)


def told(answer: TestResponse, name: str) -> tuple[int, int]:
    """What an answer says of a policy: the amount in a minute, and how much is left."""
    policy = re.search(rf'"{name}";q=(\d+);w=60', answer.headers["RateLimit-Policy"])
    left = re.search(rf'"{name}";r=(\d+);t=\d+', answer.headers["RateLimit"])
    assert policy, answer.headers
    assert left, answer.headers
    return int(policy[1]), int(left[1])


def until_refused(ask: Callable[[], TestResponse], most: int = 100) -> tuple[int, TestResponse]:
    """Ask until the answer is 429. Returns how many requests were answered before."""
    for count in range(most):
        answer = ask()
        if answer.status_code == 429:
            return count, answer
    raise AssertionError(f"{most} requests, and none was refused")


# Computing ------------------------------------------------------------------------------------------


def test_a_banker_may_compute_most_and_a_spectator_least(
    costly: Callable[..., FlaskClient], started: HttpTable
) -> None:
    """Of ten seconds a banker has ten, a seat five, and a spectator one."""
    table = at(costly(compute_seconds_per_minute=10), started)
    for caller, share in ((table.banker, 10), (table.ana, 5), (table.spectator, 1)):
        # The first request of a token counts for the token, too: the service knows the token by then.
        assert told(caller.get("state"), "compute") == (share, share)
        answered, refused = until_refused(lambda caller=caller: caller.get("state"))
        assert answered + 1 == share / 0.25
        assert told(refused, "compute") == (share, 0)
        detail = problem(refused, 429, "too-many-requests")["detail"]
        assert detail.startswith(f"your requests may take {share} seconds of computing a minute; wait ")
        assert 1 <= int(refused.headers["Retry-After"]) <= 60
    french = table.spectator.get("state", Accept_Language="fr")
    assert french.json["detail"].startswith("vos requêtes peuvent prendre 1 secondes de calcul par minute")


def test_the_computing_comes_back_with_the_next_minute(
    costly: Callable[..., FlaskClient], started: HttpTable, hands: Hands
) -> None:
    table = at(costly(compute_seconds_per_minute=10), started)
    until_refused(lambda: table.spectator.get("state"))
    hands.next_minute()
    assert told(table.spectator.get("state"), "compute") == (1, 1)


def test_one_costly_answer_uses_up_many(costly: Callable[..., FlaskClient], started: HttpTable) -> None:
    """The time is measured: three seconds at once are as much as three seconds bit by bit."""
    table = at(costly(seconds=3.0, compute_seconds_per_minute=10), started)
    assert until_refused(lambda: table.spectator.get("state"))[0] == 1
    assert until_refused(lambda: table.ana.get("state"))[0] == 2


def test_a_stranger_at_the_address_takes_nothing_from_a_token(
    costly: Callable[..., FlaskClient], started: HttpTable
) -> None:
    """A stranger behind the table's address uses up the address. Phones that wake up then are let in."""
    client = costly(compute_seconds_per_minute=10, unknown_tokens_per_minute=5)
    table = at(client, started)
    answered, refused = until_refused(lambda: client.get(f"{BASE}/rulebooks"))
    assert (answered, told(refused, "compute")) == (4, (1, 0))
    assert table.ana.get("state").status_code == 200
    for path in ("state", f"{BASE}/rulebooks"):
        invented = Caller(client, started.game, f"{started.game}.invented")
        assert until_refused(lambda path=path, caller=invented: caller.get(path))[0] == 0
    assert client.get(f"{BASE}/rulebooks", environ_base=BAKERY).status_code == 200


def test_each_piece_of_a_long_answer_counts(costly: Callable[..., FlaskClient], hands: Hands) -> None:
    """An export is made while it is sent, in as many threads as it has pieces."""
    client = costly(seconds=0.0, compute_seconds_per_minute=10)

    def pieces() -> Iterator[bytes]:
        for _ in range(2):
            hands.spent += 0.6
            yield b"piece"

    client.application.add_url_rule(f"{BASE}/pieces", view_func=lambda: Response(pieces()))
    assert client.get(f"{BASE}/pieces").data == b"piecepiece"
    assert until_refused(lambda: client.get(f"{BASE}/pieces"))[0] == 0


def test_a_failure_counts_as_well(costly: Callable[..., FlaskClient], started: HttpTable) -> None:
    table = at(costly(compute_seconds_per_minute=10), started)
    assert until_refused(lambda: table.spectator.get("actions/999"))[0] == 4


def test_health_is_answered_to_everybody(costly: Callable[..., FlaskClient]) -> None:
    client = costly(compute_seconds_per_minute=1)
    until_refused(lambda: client.get("/readyz"))
    assert client.get("/healthz").status_code == 200


def test_the_processor_is_measured(new_app: Callable[..., Flask], started: HttpTable) -> None:
    """Without a clock of the test: each of thirty requests counts with at least a millisecond."""
    app = new_app(compute_seconds_per_minute=1000)
    table = at(app.test_client(), started)
    for _ in range(30):
        assert table.spectator.get("state").status_code == 200
    caller = bounds.of(app)._limits.caller(f"Bearer {table.spectator.token}", "192.0.2.1")[0]
    assert bounds.of(app).compute.window.used(caller)[0] >= 30


def test_a_spectator_computes_one_answer_at_a_time(new_app: Callable[..., Flask], started: HttpTable) -> None:
    """Ten costly requests of a spectator wait for one another, and Ana waits for none of them."""
    app = new_app()
    at_once: list[str] = []
    most: dict[str, int] = {}
    gate = asyncio.Event()

    async def scenario() -> None:
        front = Front(app, 16)
        loop = asyncio.get_running_loop()
        names = {started.spectator.token: "spectator", started.ana.token: "ana"}

        @app.before_request
        def work() -> None:
            token = request.headers["Authorization"].removeprefix("Bearer ")
            name = names[token]
            at_once.append(name)
            most[name] = max(most.get(name, 0), at_once.count(name))
            if request.path.endswith("/state"):
                asyncio.run_coroutine_threadsafe(gate.wait(), loop).result(60)
            at_once.remove(name)

        def asked(caller: Caller, path: str) -> Any:
            headers = {"Host": "table.example", "Authorization": f"Bearer {caller.token}"}
            return Call("GET", f"{BASE}/games/{started.game}/{path}", headers, [b""])

        for caller in (started.spectator, started.ana):  # Now the service knows the tokens.
            assert (await asked(caller, "names").with_(front)).status == 200
        mean = [asyncio.ensure_future(asked(started.spectator, "state").with_(front)) for _ in range(10)]
        while "spectator" not in at_once:
            await asyncio.sleep(0)
        assert (await asked(started.ana, "names").with_(front)).status == 200
        gate.set()
        assert [(await one).status for one in mean] == [200] * 10
        assert most["spectator"] == 1

    asyncio.run(asyncio.wait_for(scenario(), 300))


@pytest.mark.parametrize(
    ("role", "used", "rest"),
    [("spectator", 399, 0.0), ("spectator", 400, 1.8), (None, 400, 1.8), ("player", 9000, 0.0)],
)
def test_a_lane_rests_after_dear_answers(
    new_app: Callable[..., Flask], role: str | None, used: int, rest: float
) -> None:
    """Beyond a tenth of its computing a spectator waits nine times as long as each answer took; a seat never."""
    found = bounds.of(new_app(compute_seconds_per_minute=40))
    found.caller = lambda _: (7, role)  # type: ignore[method-assign]
    found.compute.window.add(7, used)
    with Lanes(found, 64).entered({}) as lane:
        assert lane.pause(0.2) == pytest.approx(rest)


def test_a_lane_at_rest_is_the_same_lane_for_the_next_request(new_app: Callable[..., Flask]) -> None:
    """Who asks one request after another has the rest of the last answer before the next."""
    found = bounds.of(new_app())
    found.caller = lambda _: (7, "spectator")  # type: ignore[method-assign]
    lanes = Lanes(found, 64)

    async def scenario() -> None:
        with lanes.entered({}) as first:
            await first.take()
            first.give_back(0.01)
        with lanes.entered({}) as second:
            assert second is first
            await second.take()  # after the rest
            second.give_back(0.0)
        with lanes.entered({}) as third:
            assert third is not first

    asyncio.run(asyncio.wait_for(scenario(), 300))


# Storing --------------------------------------------------------------------------------------------


def test_rows_are_counted_and_dry_runs_are_not(costly: Callable[..., FlaskClient], started: HttpTable) -> None:
    """Of eight rows a seat has four. Reading and trying stay free; beyond, only what may write is refused."""
    table = at(costly(rows_per_minute=8), started)
    pay = {"kind": "transfer_money", "params": {"to": "bob", "amount": 1}}
    for _ in range(6):
        assert told(table.ana.post("actions", {**pay, "dry_run": True}), "stored") == (4, 4)
    left = [told(table.ana.post("actions", pay), "stored")[1] for _ in range(4)]
    assert left == [3, 2, 1, 0]
    refused = table.ana.post("actions", pay)
    assert "your requests may store 4 rows a minute" in problem(refused, 429, "too-many-requests")["detail"]
    assert told(refused, "stored") == (4, 0)
    assert table.ana.get("state").status_code == 200
    assert table.bob.post("actions", {**pay, "params": {"to": "ana", "amount": 1}}).status_code == 201


def test_a_fork_counts_with_its_whole_journal(costly: Callable[..., FlaskClient], started: HttpTable) -> None:
    """A game of six actions is copied twice: that is more than the ten rows of the address."""
    client = costly(rows_per_minute=100)
    fork = {"from": {"game": started.game, "action": started.version, "token": started.tokens["banker"]}}
    answered, refused = until_refused(lambda: client.post(f"{BASE}/games", json=fork))
    assert answered == 2
    assert told(refused, "stored") == (10, 0)


def witness(number: int) -> Signer:
    return Signer(f"witness.example/{number}", bytes([number]) * 32, WITNESS)


def test_a_spectator_takes_only_some_of_the_places_of_witnesses(client: FlaskClient, started: HttpTable) -> None:
    """Spectators come with eight keys each. The seats and the banker find their places all the same."""

    def cosigned(caller: Caller, number: int, language: str = "en") -> TestResponse:
        own = Note.parse(started.banker.get("checkpoint").text)
        signed = Note(own.text, (witness(number).sign(own.text, AT),))
        content = {"key": str(witness(number).verifier), "note": str(signed)}
        return caller.post("checkpoint/cosignatures", content, Accept_Language=language)

    def spectators() -> Iterator[Caller]:
        yield started.spectator
        while True:
            code = started.banker.post("invitations", {"role": "spectator"}).json["code"]
            yield Caller(client, started.game, client.post(f"{BASE}/join", json={"code": code}).json["token"])

    mean = spectators()
    for place in range(logs.PLACES_OF_SPECTATORS):
        caller = next(mean)
        assert cosigned(caller, 10 * place).status_code == 201
        refused = problem(cosigned(caller, 10 * place + 1), 409, "no-place")
        assert (refused["detail"], refused["limit"]) == ("your token brings at most 1 witnesses", 1)
        # A known witness goes on signing.
        assert cosigned(caller, 10 * place).status_code == 201
    refused = problem(cosigned(next(mean), 90), 409, "no-place")
    assert refused["detail"] == "all spectators together bring at most 4 witnesses"
    for number in (101, 102):
        assert cosigned(started.ana, number).status_code == 201
    assert problem(cosigned(started.ana, 103), 409, "no-place")["limit"] == 2
    for number in (104, 105):
        assert cosigned(started.banker, number).status_code == 201
    started.ana.play("transfer_money", to="bob", amount=1)
    assert cosigned(started.ana, 101).status_code == 201
    full = problem(cosigned(started.banker, 106, "fr"), 409, "no-place")
    assert full["detail"] == "une partie a au plus 8 témoins"


# Every operation ------------------------------------------------------------------------------------

DEAR: dict[str, str] = {
    "readJournal": "limit=200&totals=true&q=a",
    "readAudit": "format=csv&q=a",
    "readReplay": "limit=200",
    "exportGame": "format=html",
    "readWhy": "account=bank&commodity=NGD&limit=200",
    "readStatement": "limit=200",
    "listMoves": "kind=transfer_money",
    "readConsistency": "from=1",
}
"""The dearest legal query of an operation."""


def everything(client: FlaskClient, table: HttpTable) -> dict[str, tuple[str, str, Any]]:
    """A request to every operation: its method, its address, its content."""
    description = client.get("/openapi.json").json
    words = Words()
    words.learn(Chair(client, table.game, table.tokens["spectator"], table.tokens["banker"]))
    found: dict[str, tuple[str, str, Any]] = {}
    for name, asked in operations_on_a_game(description, words).items():
        query = DEAR.get(name) or "&".join(f"{key}={value}" for key, value in asked.query)
        path = asked.path.replace(GAME, table.game)
        found[name] = asked.method, path + (f"?{query}" if query else ""), asked.content
    for path, item in description["paths"].items():
        for method in ("get", "post"):
            name = item.get(method, {}).get("operationId")
            if name and name not in found:
                address = path.format(rulebook="negopoly", kind="roll_dice", rule="II.B.1")
                found[name] = method.upper(), address, {} if method == "post" else None
    return found


def test_a_mean_spectator_walks_through_every_operation(
    costly: Callable[..., FlaskClient], unlimited: FlaskClient, gifts: HttpTable, hands: Hands
) -> None:
    """Each operation is asked for over and over. After a second of computing a spectator is refused everywhere,
    and the seats and the banker never.
    """
    client = costly(seconds=0.5, compute_seconds_per_minute=10, rows_per_minute=1000)
    table = at(client, gifts)
    walked = everything(unlimited, gifts)
    for name, (method, address, content) in walked.items():
        if name == "liveness":
            continue
        hands.next_minute()
        headers = {"Authorization": f"Bearer {table.spectator.token}"}
        if not address.startswith(f"{BASE}/games/{gifts.game}") and name not in {"readMe", "listRulings"}:
            headers = {}  # Nobody needs a token there.
        sent = {} if content is None else {"json": content}

        def ask(method: str = method, address: str = address, headers: Any = headers, sent: Any = sent) -> Any:
            return client.open(address, method=method, headers=headers, **sent)

        answered, refused = until_refused(ask, most=3)
        assert answered <= 2, name
        assert told(refused, "compute") == (1, 0), name
        assert told(refused, "stored")[0] == 100, name
        assert 1 <= int(refused.headers["Retry-After"]) <= 60, name
        pay = {"kind": "transfer_money", "params": {"to": "ana", "amount": 1}, "dry_run": True}
        seats = [table.ana.get("state"), table.bob.post("actions", pay), table.banker.get("moves?seat=all")]
        assert [answer.status_code for answer in seats] == [200, 200, 200], name
    assert walked.keys() == {name for names, _, _ in rows() for name in names}


# The table of the README ----------------------------------------------------------------------------

ROW = re.compile(r"^\| (?P<operations>`[^|]*`) \| (?P<stores>[^|]*) \| (?P<bound>[^|]*) \|$", re.MULTILINE)


def rows() -> list[tuple[list[str], str, str]]:
    """The operations, what they store, and the bound, of each row of the table."""
    readme = (Path(api.__file__).parent / "README.md").read_text()
    section = readme.split("\n## Bounds\n")[1].split("\n## ")[0]
    return [
        (re.findall(r"`(\w+)`", row["operations"]), row["stores"].strip(), row["bound"].strip())
        for row in ROW.finditer(section)
    ]


def test_every_operation_has_its_bound_in_the_readme(client: FlaskClient) -> None:
    description = client.get("/openapi.json").json
    methods = {
        one["operationId"]: method
        for item in description["paths"].values()
        for method, one in item.items()
        if method in {"get", "post", "delete"}
    }
    listed = [name for operations, _, _ in rows() for name in operations]
    assert sorted(listed) == sorted(methods)
    for operations, stores, bound in rows():
        assert bound, operations
        if any(methods[name] != "get" for name in operations):
            assert stores != "nothing", operations
