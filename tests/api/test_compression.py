"""Large public answers are compressed for callers that accept gzip; answers about a game never are."""

import gzip

import pytest
from flask.testing import FlaskClient

from tests.tables.over_http import BASE, HttpTable

GZIP = {"Accept-Encoding": "gzip, deflate, br"}


@pytest.mark.parametrize(
    "path",
    [
        f"{BASE}/rulebooks/negopoly/rules",
        f"{BASE}/rulebooks/negopoly/actions",
        "/openapi.json",
        "/docs/redoc.js",
    ],
)
def test_a_large_public_answer(client: FlaskClient, path: str) -> None:
    """The content is the same in less than a third of the bytes, with the same entity tag."""
    plain, small = client.get(path), client.get(path, headers=GZIP)
    assert "Content-Encoding" not in plain.headers
    assert small.headers["Content-Encoding"] == "gzip"
    assert int(small.headers["Content-Length"]) == len(small.data) < len(plain.data) / 3
    assert gzip.decompress(small.data) == plain.data
    assert small.headers["ETag"] == plain.headers["ETag"]
    for answer in (plain, small):
        assert "Accept-Encoding" in answer.headers["Vary"]
        assert answer.headers["ETag"].startswith("W/")
        same = client.get(path, headers=GZIP | {"If-None-Match": answer.headers["ETag"]})
        assert (same.status_code, same.data) == (304, b"")


@pytest.mark.parametrize("accepted", ["", "identity", "br", "gzip;q=0", "*;q=0"])
def test_a_caller_who_does_not_take_gzip(client: FlaskClient, accepted: str) -> None:
    answer = client.get(f"{BASE}/rulebooks/negopoly/rules", headers={"Accept-Encoding": accepted})
    assert "Content-Encoding" not in answer.headers
    assert answer.json["rules"]


def test_a_short_answer_is_sent_as_it_is(client: FlaskClient) -> None:
    answer = client.get(f"{BASE}/rulebooks/negopoly/rules/VI.F.2", headers=GZIP)
    assert "Content-Encoding" not in answer.headers


def test_nothing_of_a_game(started: HttpTable) -> None:
    """Such answers hold one player's text next to secrets, and a compressed length would reveal something."""
    asked = {"Authorization": f"Bearer {started.banker.token}"} | GZIP
    for path in ("state", "actions", "audit", "replay", "export?format=jsonl", "export?format=html"):
        answer = started.client.get(f"{BASE}/games/{started.game}/{path}", headers=asked)
        assert answer.status_code == 200, answer.text
        assert "Content-Encoding" not in answer.headers, path
