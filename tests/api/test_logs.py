"""The log: one JSON line for each request, which tells the operator what happened and no secret of a table."""

import asyncio
import io
import json
import logging
import threading
import time
from collections.abc import Callable, Iterator
from logging.config import DictConfigurator  # type: ignore[attr-defined]
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from api.front.front import Front
from api.rest.running import logs
from api.rest.running.exchanges import ARRIVED, Exchanges, Storms
from tests.api.asgi import post
from tests.tables.over_http import BASE, HttpTable, problem


class Log:
    """What the service writes to standard error when that is no terminal."""

    def __init__(self) -> None:
        self.stream = io.StringIO()

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.stream.getvalue().splitlines()]


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Iterator[Log]:
    monkeypatch.delenv("MABLIGOP_LOG_LEVEL", raising=False)
    log = Log()
    configured = DictConfigurator(logs.configuration(terminal=False))
    handler = logging.StreamHandler(log.stream)
    handler.setFormatter(configured.configure_formatter(configured.config["formatters"]["json"]))
    handler.addFilter(logs.Told())
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield log
    root.removeHandler(handler)
    root.setLevel(before)


def test_a_payment_is_one_line(started: HttpTable, log: Log) -> None:
    """The banker reads who asked for what, whether it went well and how long it took: no seat, no amount."""
    paid = started.ana.act("transfer_money", params={"to": "bob", "amount": 1234})
    (line,) = log.lines
    assert line.pop("time").endswith("Z")
    assert line.pop("ms") > 0
    assert line == {
        "level": "info",
        "message": f"POST {BASE}/games/<game>/actions 201",
        "request": paid.headers["X-Request-ID"],
        "method": "POST",
        "route": f"{BASE}/games/<game>/actions",
        "status": 201,
        "role": "player",
        "game": started.game,
    }


def test_no_line_has_a_secret(started: HttpTable, client: FlaskClient, log: Log) -> None:
    """Tokens, keys, bodies, queries, paths as they were sent and seats are in no line, whatever the answer is."""
    bearer = {
        "Authorization": "Bearer wrong-token",
        "Idempotency-Key": "secret-key",
        "X-Forwarded-For": "secret-host",
    }
    started.ana.act("transfer_money", params={"to": "bob", "amount": 123_456_789})
    client.post(f"{BASE}/games/{started.game}/actions", headers=bearer, json={"kind": "secret_kind"})
    client.get(f"{BASE}/games/secret-path?token=secret-query", headers=bearer)
    client.get(f"/secret-path/{started.ana.token}", headers=bearer)
    client.open(f"{BASE}/games", method="SECRET-METHOD")
    written = log.stream.getvalue()
    assert [line["status"] for line in log.lines] == [409, 401, 401, 404, 405]
    assert [line["problem"] for line in log.lines][1:] == [
        "token-unknown",
        "token-unknown",
        "not-found",
        "method-not-allowed",
    ]
    assert (log.lines[3]["route"], log.lines[4]["method"]) == ("(none)", "(other)")
    for secret in ("wrong-token", "secret", str(started.ana.token), "123456789", "ana", "transfer_money"):
        assert secret not in written.lower().replace("banana", ""), secret


@pytest.mark.parametrize("name", ["table-7", "Root=1-67891233-abcdef012345678912345678", "a" * 64])
def test_the_callers_name_of_a_request_is_kept(client: FlaskClient, log: Log, name: str) -> None:
    answer = client.get(f"{BASE}/rulebooks", headers={"X-Request-ID": name})
    assert answer.headers["X-Request-ID"] == name
    assert log.lines[-1]["request"] == name


@pytest.mark.parametrize("name", ["", "a" * 65, 'x", "level": "error', "a\tb", "ünï", "{}", "x y"])
def test_any_other_name_of_a_request_is_replaced(client: FlaskClient, log: Log, name: str) -> None:
    answer = client.get(f"{BASE}/rulebooks", headers={"X-Request-ID": name})
    given = answer.headers["X-Request-ID"]
    assert given != name
    assert len(given) == 16
    assert (log.lines[-1]["request"], log.lines[-1]["level"]) == (given, "info")


def test_a_token_is_no_name_of_a_request(started: HttpTable, client: FlaskClient, log: Log) -> None:
    """The caller took the wrong header for it."""
    token = started.tokens["banker"]
    answer = client.get(f"{BASE}/rulebooks", headers={"X-Request-ID": token})
    assert token not in answer.headers["X-Request-ID"]
    assert token not in log.stream.getvalue()


def test_pages_of_other_origins_may_read_the_name_of_a_request(new_app: Callable[..., Flask]) -> None:
    client = new_app(cors_origins=("https://table.example",)).test_client()
    origin = {"Origin": "https://table.example"}
    answer = client.get(f"{BASE}/rulebooks", headers=origin)
    assert "X-Request-ID" in answer.headers["Access-Control-Expose-Headers"]
    asked = {**origin, "Access-Control-Request-Method": "POST"}
    answer = client.open(f"{BASE}/games", method="OPTIONS", headers=asked)
    assert "X-Request-ID" in answer.headers["Access-Control-Allow-Headers"]


def test_a_failure_is_found_by_its_incident(new_app: Callable[..., Flask], log: Log) -> None:
    """The player reads a number out; the operator finds the request and the place in the code by it."""
    app = new_app()

    @app.get("/broken/<hand>")
    def broken(hand: str) -> str:
        raise LookupError(f"the hand is {hand}")

    refused = problem(
        app.test_client().get("/broken/hunter2", headers={"X-Request-ID": "evening-1"}), 500, "internal-error"
    )
    place, line = log.lines
    for told in (place, line):
        assert (told["level"], told["request"], told["incident"]) == ("error", "evening-1", refused["incident"])
        assert told["cause"] == "LookupError"
    assert "in broken" in place["message"]
    assert "hunter2" not in log.stream.getvalue()


def test_probes_are_not_worth_a_line(client: FlaskClient, log: Log) -> None:
    for path in ("/healthz", "/readyz"):
        assert client.get(path).status_code == 200
    assert log.lines == []


class Nothing:
    """Counts nothing."""

    def request(self, method: str, route: str, status: int, seconds: float, cause: str | None = None) -> None: ...


def test_a_storm_of_refused_callers_is_summed_up(log: Log) -> None:
    """The database is away for seven seconds: three lines tell of it, and not one for each of 700 callers."""
    waiting: list[Callable[[], None]] = []
    exchanges = Exchanges(Nothing(), Storms(lambda _, call: waiting.append(call)))

    def refuse(times: int) -> None:
        for _ in range(times):
            exchange = exchanges.begin("GET", None)
            exchange.cause = "StoreUnavailable"
            exchanges.end(exchange, 503)

    refuse(501)
    waiting.pop()()
    refuse(200)
    waiting.pop()()
    waiting.pop()()
    assert waiting == []
    first, *summed = log.lines
    assert (first["status"], first["cause"], "count" in first) == (503, "StoreUnavailable", False)
    assert [line["count"] for line in summed] == [500, 200]
    assert {line["level"] for line in log.lines} == {"warning"}
    assert summed[0]["causes"] == {"StoreUnavailable": 500}
    refuse(1)
    assert "count" not in log.lines[-1], "the next storm begins with a line of its own"


def test_other_answers_are_not_held_back_by_a_storm(log: Log) -> None:
    exchanges = Exchanges(Nothing(), Storms(lambda *_: None))
    for status in (503, 503, 200, 500, 503, 404):
        exchanges.end(exchanges.begin("GET", None), status)
    assert [line["status"] for line in log.lines] == [503, 200, 500, 404]


def test_the_level_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MABLIGOP_LOG_LEVEL", raising=False)
    assert logs.configuration(terminal=False)["root"]["level"] == "INFO"
    assert logs.configuration(terminal=True)["root"]["level"] == "WARNING"
    monkeypatch.setenv("MABLIGOP_LOG_LEVEL", "Error")
    assert logs.configuration(terminal=True)["root"]["level"] == "ERROR"
    monkeypatch.setenv("MABLIGOP_LOG_LEVEL", "loud")
    with pytest.raises(ValueError, match="not 'loud'"):
        logs.configuration()


def test_waiting_for_a_thread_counts(client: FlaskClient, log: Log) -> None:
    """All threads were busy for a minute: the operator sees it, although the answer itself was quick."""
    client.get(f"{BASE}/rulebooks", environ_overrides={ARRIVED: time.perf_counter() - 60})
    assert log.lines[-1]["ms"] >= 60_000


def test_what_the_front_refuses_is_in_the_log(new_app: Callable[..., Flask], log: Log) -> None:
    """A body that never comes leaves a line like every other request."""
    late = post(f"{BASE}/games", b"{", length=9, complete=False)
    asyncio.run(asyncio.wait_for(late.with_(Front(new_app(body_seconds=1), 1)), 300))
    (line,) = log.lines
    assert (line["status"], line["problem"], line["method"]) == (408, "too-slow", "POST")
    assert line["request"] == late.headers["x-request-id"]


def test_what_a_library_tells_of_an_exception_quotes_nothing(log: Log) -> None:
    """The pool of connections logs what it cannot close, and the driver's message may have the password."""
    secret = "hunter2"
    try:
        raise OSError(f"the password {secret} is refused")
    except OSError:
        logging.getLogger("sqlalchemy.pool").exception("closing a connection failed")
    (line,) = log.lines
    assert line["frames"].endswith("OSError")
    assert "test_logs.py" in line["frames"]
    assert "hunter2" not in log.stream.getvalue()


def test_a_thread_that_fails_leaves_a_line(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "hunter2"

    def fail() -> None:
        raise LookupError(f"the hand is {secret}")

    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    logs.tell_failed_threads()
    thread = threading.Thread(target=fail, name="levels")
    thread.start()
    thread.join()
    (line,) = log.lines
    assert (line["level"], line["message"]) == ("error", "the thread levels failed")
    assert line["frames"].endswith("LookupError")
    assert "hunter2" not in log.stream.getvalue()
