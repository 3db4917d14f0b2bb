"""Wrong codes slow the address that sends them down. No stranger keeps a table from filling."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from api.rest.admission.guesses import Guesses
from api.rest.application import Config, create_app
from ledger.access.invitations import LETTERS
from ledger.service import Ledger
from tests.tables.over_http import BASE, HttpTable, problem

ANAS_PHONE, GUESSER = "192.0.2.7", "198.51.100.1"
MINUTE = 60


class Time:
    """A clock that the scenarios move by hand."""

    seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def client(ledger: Ledger, time: Time, monkeypatch: pytest.MonkeyPatch) -> Iterator[FlaskClient]:
    """A client of a service with the limits of an installation."""
    monkeypatch.setattr(Guesses.__init__, "__defaults__", (time, *(Guesses.__init__.__defaults__ or ())[1:]))
    with create_app(ledger, Config()).test_client() as calling:
        yield calling


def code_for_ana(table: HttpTable) -> str:
    code: str = table.banker.post("invitations", {"seat": "ana"}).json["code"]
    return code


def tried(client: FlaskClient, code: str, address: str, path: str = "join", **body: str) -> TestResponse:
    return client.post(f"{BASE}/{path}", json={"code": code, **body}, environ_base={"REMOTE_ADDR": address})


def guesses(right: str, count: int) -> list[str]:
    """Wrong codes; half of them begin like the right code."""
    chance = Random(3)
    drawn = ["".join(chance.choices(LETTERS, k=8)) for _ in range(count)]
    return [f"{right[:4]}{code[4:]}" if number % 2 else code for number, code in enumerate(drawn)]


@pytest.mark.parametrize(("addresses", "sent", "found"), [(1, 100, 10), (200, 1000, 200 + 59)])
def test_a_thousand_wrong_codes_for_a_game_keep_nobody_out(
    client: FlaskClient, table: HttpTable, addresses: int, sent: int, found: int
) -> None:
    """A stranger knows the id of the game, and half of a code. The invited phone never waits.

    The first sixty wrong codes of a minute show a crowd of guessers: then an address waits after each.
    """
    code = code_for_ana(table)
    answers = [
        tried(client, guess, f"198.51.100.{number % addresses}", game=table.game)
        for number, guess in enumerate(guesses(code, sent))
    ]
    assert {answer.status_code for answer in answers} == {410, 429}
    assert [answer.status_code for answer in answers].count(410) == found
    for path, status in (("join/table", 200), ("join", 201)):
        answer = tried(client, code, ANAS_PHONE, path)
        assert answer.status_code == status, answer.text


def test_the_right_code_of_a_guesser_comes_later_and_is_not_lost(
    client: FlaskClient, table: HttpTable, time: Time
) -> None:
    code = code_for_ana(table)
    for remaining, guess in zip(range(9, -1, -1), guesses(code, 10), strict=True):
        wrong = tried(client, guess, GUESSER)
        problem(wrong, 410, "code-refused")
        assert f'"codes";r={remaining};' in wrong.headers["RateLimit"]
    for path in ("join", "join/table"):
        refused = tried(client, code, GUESSER, path)
        assert "wait 15 seconds" in problem(refused, 429, "too-many-requests")["detail"]
        assert refused.headers["Retry-After"] == "15"
        assert '"codes";q=10;w=60' in refused.headers["RateLimit-Policy"]
        assert '"codes";r=0;t=15' in refused.headers["RateLimit"]
    time.seconds += 15
    # A right code makes nobody wait.
    answers = [tried(client, code, GUESSER, path) for path in ("join/table", "join/table", "join")]
    assert [answer.status_code for answer in answers] == [200, 200, 201]


def test_looking_at_a_table_counts_like_joining(client: FlaskClient, table: HttpTable) -> None:
    code = code_for_ana(table)
    answers = [tried(client, guess, GUESSER, "join/table") for guess in guesses(code, 11)]
    assert [answer.status_code for answer in answers] == [410] * 10 + [429]


def test_right_codes_and_failures_of_the_service_do_not_count(
    client: FlaskClient, table: HttpTable, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = code_for_ana(table)

    def failing(*_: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(ledger.invitations, "read", failing)
        assert {tried(client, code, ANAS_PHONE, "join/table").status_code for _ in range(20)} == {500}
    assert {tried(client, code, ANAS_PHONE, "join/table").status_code for _ in range(20)} == {200}
    assert tried(client, code, ANAS_PHONE).status_code == 201


def test_without_a_limit_every_code_is_looked_up(new_app: Callable[..., Flask], table: HttpTable) -> None:
    with new_app(wrong_codes_per_minute=None).test_client() as client:
        answers = [tried(client, guess, GUESSER) for guess in guesses(code_for_ana(table), 20)]
    assert {answer.status_code for answer in answers} == {410}
    assert '"codes"' not in answers[-1].headers["RateLimit-Policy"]


class TestTheWait:
    """One address is 1. An attempt waits as long as it is told, and is wrong."""

    def wait(self, counted: Guesses, time: Time, address: int = 1) -> int:
        """Try a wrong code, after the wait if there is one. Returns the seconds waited."""
        waited = 0
        while seconds := counted.begin(address):
            waited += seconds
            time.seconds += seconds
        counted.end(address, wrong=True)
        return waited

    def test_it_doubles_after_each_wrong_code(self, time: Time) -> None:
        """Meanwhile each minute forgets one."""
        counted = Guesses(3, time)
        assert [self.wait(counted, time) for _ in range(6)] == [0, 0, 0, 15, 30, 60]

    def test_it_ends_after_an_hour_at_most(self, time: Time) -> None:
        counted = Guesses(1, time)
        attempts = [counted.begin(1)]
        for _ in range(100):
            counted.end(1, wrong=True)
        attempts.append(counted.begin(1))
        assert attempts == [0, 3600]

    def test_wrong_codes_are_forgotten_one_a_minute(self, time: Time) -> None:
        counted = Guesses(3, time)
        assert [self.wait(counted, time) for _ in range(3)] == [0, 0, 0]
        time.seconds += 2 * MINUTE
        assert [self.wait(counted, time) for _ in range(3)] == [0, 0, 15]

    def test_a_refused_attempt_lengthens_nothing(self, time: Time) -> None:
        counted = Guesses(1, time)
        self.wait(counted, time)
        assert [counted.begin(1) for _ in range(50)] == [15] * 50
        time.seconds += 14.5
        assert counted.begin(1) == 1
        time.seconds += 0.5
        assert counted.begin(1) == 0

    def test_attempts_at_once_are_as_many_as_wrong_codes_allowed(self, time: Time) -> None:
        counted = Guesses(3, time)
        assert [counted.begin(1) for _ in range(5)] == [0, 0, 0, 1, 1]
        counted.end(1, wrong=False)
        assert [counted.begin(1) for _ in range(2)] == [0, 1]

    def test_in_a_crowd_one_wrong_code_is_enough(self, time: Time) -> None:
        """Wrong codes come from sixty addresses: an address without any goes on, the others wait."""
        counted = Guesses(10, time)
        self.wait(counted, time, 1)
        for stranger in range(100, 160):
            self.wait(counted, time, stranger)
        assert [counted.begin(2), counted.end(2, wrong=False)] == [0, 1]
        assert [self.wait(counted, time, 3) for _ in range(3)] == [0, 15, 30]
        assert self.wait(counted, time, 1) == 0
        time.seconds += 59 * MINUTE
        assert [self.wait(counted, time, 4) for _ in range(2)] == [0, 15]
        # An hour after the crowd everything is as before.
        time.seconds += 60 * MINUTE
        assert [self.wait(counted, time, 4) for _ in range(3)] == [0, 0, 0]

    def test_an_address_that_guesses_in_a_crowd_gets_a_dozen_guesses_an_hour(self, time: Time) -> None:
        counted = Guesses(10, time)
        alone, in_crowd = 0, 0
        for crowded in (False, True):
            found = 0
            for second in range(3600):
                time.seconds += 1
                if crowded and second % 1800 == 0:
                    for stranger in range(60):
                        counted.begin(10**6 * (second + 1) + stranger)
                        counted.end(10**6 * (second + 1) + stranger, wrong=True)
                while counted.begin(int(crowded)) == 0:
                    counted.end(int(crowded), wrong=True)
                    found += 1
            alone, in_crowd = (found, 0) if not crowded else (alone, found)
        assert (alone, in_crowd) == (71, 11)

    def test_addresses_beyond_the_room_are_forgotten_oldest_first(self, time: Time) -> None:
        counted = Guesses(1, time, most_addresses=2)
        for address in (1, 2, 3):
            counted.begin(address)
            counted.end(address, wrong=True)
        assert [counted.begin(address) for address in (2, 3, 1)] == [15, 15, 0]
