"""The limit of requests per minute, and the headers that say how many are left."""

from collections.abc import Callable

from flask import Flask

from api.rest.limits import Use, Window
from tests.tables.over_http import problem


def test_too_many_requests(new_app: Callable[..., Flask]) -> None:
    with new_app(requests_per_minute=3).test_client() as client:
        hurried = {"Authorization": "Bearer hurried"}
        for _ in range(3):
            assert client.get("/healthz", headers=hurried).status_code == 200
        answer = client.get("/healthz", headers=hurried)
        refused = problem(answer, 429, "too-many-requests")
        assert 1 <= int(answer.headers["Retry-After"]) <= 60
        assert answer.headers["Retry-After"] in refused["detail"]
        assert client.get("/healthz", headers={"Authorization": "Bearer patient"}).status_code == 200


def test_every_answer_says_how_many_requests_are_left(new_app: Callable[..., Flask]) -> None:
    """Errors have the headers, too. Requests to paths that do not exist are counted."""
    with new_app(requests_per_minute=3).test_client() as client:
        answers = [client.get(path) for path in ("/healthz", "/nothing/here", "/healthz", "/healthz")]
    assert [answer.status_code for answer in answers] == [200, 404, 200, 429]
    assert {answer.headers["RateLimit-Policy"] for answer in answers} == {'"caller";q=3;w=60'}
    told = [answer.headers["RateLimit"].split(";t=") for answer in answers]
    assert [left for left, _ in told] == ['"caller";r=2', '"caller";r=1', '"caller";r=0', '"caller";r=0']
    assert all(1 <= int(seconds) <= 60 for _, seconds in told)


def test_without_a_limit_nothing_is_said(new_app: Callable[..., Flask]) -> None:
    with new_app(requests_per_minute=None).test_client() as client:
        assert "RateLimit" not in client.get("/healthz").headers


def test_the_count_starts_anew_every_minute() -> None:
    now = 1000.0
    window = Window(2, clock=lambda: now)
    ana, bob = 1, 2
    assert [window.take(ana), window.take(ana), window.take(ana)] == [Use(1, 60), Use(0, 60), Use(-1, 60)]
    now += 45
    assert (window.take(ana), window.take(bob)) == (Use(-1, 15), Use(1, 15))
    now += 15
    assert window.take(ana) == Use(1, 60)
