"""The limits of requests per minute, and the headers that say how many are left."""

from collections.abc import Callable

import pytest
from flask import Flask

from api.rest.admission.limits import Limits, Recognised, Use, Window
from api.rest.problems.problems import Problem
from api.rest.running.config import Config
from tests.tables.negopoly import asked_for
from tests.tables.over_http import BASE, HttpTable, problem

RULEBOOKS = f"{BASE}/rulebooks"


@pytest.fixture(autouse=True)
def _one_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """All requests of a scenario fall into one minute, however busy the machine is."""
    monkeypatch.setattr(Window.__init__, "__defaults__", (lambda: 1.0, *(Window.__init__.__defaults__ or ())[1:]))


BAKERY, MARKET = ({"REMOTE_ADDR": address} for address in ("192.0.2.7", "192.0.2.8"))


def bearing(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_too_many_requests(new_app: Callable[..., Flask]) -> None:
    with new_app(requests_per_minute=3).test_client() as client:
        for _ in range(3):
            assert client.get(RULEBOOKS, environ_base=BAKERY).status_code == 200
        answer = client.get(RULEBOOKS, environ_base=BAKERY)
        refused = problem(answer, 429, "too-many-requests")
        assert 1 <= int(answer.headers["Retry-After"]) <= 60
        assert answer.headers["Retry-After"] in refused["detail"]
        assert client.get(RULEBOOKS, environ_base=MARKET).status_code == 200


def test_other_tokens_gain_nothing(new_app: Callable[..., Flask]) -> None:
    """Whoever invents a token for every request is counted as one caller, by the address."""
    with new_app(requests_per_minute=3).test_client() as client:
        answers = [client.get(RULEBOOKS, headers=bearing(f"invented{number}")) for number in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]


def test_a_token_in_force_has_a_count_of_its_own(new_app: Callable[..., Flask], started: HttpTable) -> None:
    """Ana and Bob sit at one table, behind one address. A stranger there uses up what the address has."""
    with new_app(requests_per_minute=8).test_client() as client:
        path = f"{BASE}/games/{started.game}"
        ana, bob = (bearing(str(seat.token)) for seat in (started.ana, started.bob))
        # Each token's first request counts for the address: only then the service knows the token.
        assert [client.get(path, headers=seat).status_code for seat in (ana, bob)] == [200, 200]
        stranger = [client.get(RULEBOOKS).status_code for _ in range(7)]
        assert stranger == [200] * 6 + [429]
        for seat in (ana, bob):
            assert [client.get(path, headers=seat).status_code for _ in range(9)] == [200] * 8 + [429]


def test_tokens_cannot_be_guessed_for_ever(new_app: Callable[..., Flask], started: HttpTable) -> None:
    """After two wrong tokens the address may try no third one, not even a right one; Ana's is known by then."""
    with new_app(unknown_tokens_per_minute=2).test_client() as client:
        path = f"{BASE}/games/{started.game}"
        ana, bob = (bearing(str(seat.token)) for seat in (started.ana, started.bob))
        assert client.get(path, headers=ana, environ_base=BAKERY).status_code == 200
        for guess in ("one", "two"):
            wrong = client.get(path, headers=bearing(f"{started.game}.{guess}"), environ_base=BAKERY)
            problem(wrong, 401, "token-unknown")
        for guess in (bearing(f"{started.game}.three"), bob):
            refused = client.get(path, headers=guess, environ_base=BAKERY)
            problem(refused, 429, "too-many-requests")
            assert 1 <= int(refused.headers["Retry-After"]) <= 60
            assert '"unknown";q=2;w=60' in refused.headers["RateLimit-Policy"]
            assert '"unknown";r=0;' in refused.headers["RateLimit"]
        assert client.get(path, headers=ana, environ_base=BAKERY).status_code == 200
        assert client.get(path, headers=bob, environ_base=MARKET).status_code == 200


def test_the_key_for_new_games_cannot_be_guessed_for_ever(new_app: Callable[..., Flask]) -> None:
    wanted = asked_for("ana", "bob")
    with new_app(unknown_tokens_per_minute=2, creation_key="sesame").test_client() as client:
        guesses = ["open", "please", "sesame"]
        answers = [client.post(f"{BASE}/games", json=wanted, headers=bearing(guess)) for guess in guesses]
    assert [answer.status_code for answer in answers] == [401, 401, 429]


def test_new_games_are_counted_by_address(new_app: Callable[..., Flask]) -> None:
    """Every request for a game is one more journal in the database, so it has a smaller limit."""
    wanted = asked_for("ana", "bob")
    with new_app(creations_per_minute=2).test_client() as client:
        sent = [
            client.post(f"{BASE}/games", json=wanted, headers=bearing(f"any{number}"), environ_base=BAKERY)
            for number in range(3)
        ]
        assert [answer.status_code for answer in sent] == [201, 201, 429]
        assert '"creation";q=2;w=60' in sent[0].headers["RateLimit-Policy"]
        assert '"creation";r=1;' in sent[0].headers["RateLimit"]
        refused = problem(sent[2], 429, "too-many-requests")
        assert "one address may create 2 games a minute" in refused["detail"]
        assert client.get(RULEBOOKS, environ_base=BAKERY).status_code == 200
        assert client.post(f"{BASE}/games", json=wanted, environ_base=MARKET).status_code == 201


def test_a_customer_with_many_addresses_is_one_caller(new_app: Callable[..., Flask]) -> None:
    """A provider gives each customer a whole /64 network of IPv6."""
    with new_app(requests_per_minute=2).test_client() as client:

        def asked_from(address: str) -> int:
            return client.get(RULEBOOKS, environ_base={"REMOTE_ADDR": address}).status_code

        assert [asked_from(f"2001:db8:1:2::{number}") for number in (1, 2, 3)] == [200, 200, 429]
        assert asked_from("2001:db8:1:3::1") == 200
        assert [asked_from(address) for address in ("192.0.2.9", "::ffff:192.0.2.9", "192.0.2.9")] == [
            200,
            200,
            429,
        ]


def test_health_is_not_counted(new_app: Callable[..., Flask]) -> None:
    with new_app(requests_per_minute=1).test_client() as client:
        answers = [client.get("/healthz") for _ in range(3)]
        assert [answer.status_code for answer in answers] == [200] * 3
        assert "RateLimit" not in answers[0].headers
        assert client.get(RULEBOOKS).status_code == 200


def test_every_answer_says_how_many_requests_are_left(new_app: Callable[..., Flask]) -> None:
    """Errors have the headers, too. Requests to paths that do not exist are counted."""
    with new_app(requests_per_minute=3).test_client() as client:
        answers = [client.get(path) for path in (RULEBOOKS, "/nothing/here", RULEBOOKS, RULEBOOKS)]
    assert [answer.status_code for answer in answers] == [200, 404, 200, 429]
    assert {answer.headers["RateLimit-Policy"] for answer in answers} == {'"caller";q=3;w=60'}
    told = [answer.headers["RateLimit"].split(";t=") for answer in answers]
    assert [left for left, _ in told] == ['"caller";r=2', '"caller";r=1', '"caller";r=0', '"caller";r=0']
    assert all(1 <= int(seconds) <= 60 for _, seconds in told)


def test_without_a_limit_nothing_is_said(new_app: Callable[..., Flask]) -> None:
    with new_app(requests_per_minute=None).test_client() as client:
        assert "RateLimit" not in client.get(RULEBOOKS).headers


def test_the_count_starts_anew_every_minute() -> None:
    now = 1000.0
    window = Window(2, clock=lambda: now)
    ana, bob = 1, 2
    assert [window.take(ana), window.take(ana), window.take(ana)] == [Use(1, 60), Use(0, 60), Use(-1, 60)]
    now += 45
    assert (window.take(ana), window.take(bob)) == (Use(-1, 15), Use(1, 15))
    now += 15
    assert window.take(ana) == Use(1, 60)


def test_a_token_that_was_found_stays_recognised_after_a_long_pause() -> None:
    """Players share the address of a guesser, and think for minutes."""
    limits = Limits(Config(unknown_tokens_per_minute=2))
    limits.recognise("ana's token")
    for guess in ("a", "b", "c"):
        limits.count_unknown(guess, "192.0.2.1")
    limits.check("ana's token", "192.0.2.1")
    with pytest.raises(Problem):
        limits.check("d", "192.0.2.1")
    limits.count_unknown("ana's token", "192.0.2.1")  # It was replaced meanwhile.
    with pytest.raises(Problem):
        limits.check("ana's token", "192.0.2.1")


def test_the_tokens_in_use_longest_ago_are_forgotten_first() -> None:
    recognised = Recognised(capacity=2)
    for token in (1, 2, 1, 3):
        recognised.add(token)
    assert [token for token in (1, 2, 3) if token in recognised] == [1, 3]


def test_callers_beyond_the_room_for_them_are_counted_together() -> None:
    window = Window(5, most_callers=2)
    for caller in (1, 2):
        assert window.take(caller).remaining == 4
    assert [window.take(caller).remaining for caller in (3, 4, 5)] == [4, 3, 2]
    assert window.take(1).remaining == 3
