"""The console's files over HTTP: one document for every page, a strict policy, nothing outside the folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from api.rest.application import Config, create_app
from api.rest.service import console
from ledger.service import Ledger
from tests.tables.over_http import HttpTable

DOCUMENT = b'<!doctype html><meta name="api" content="/api/v1"><script src="/assets/index-1a2b.js"></script>'


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "built"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_bytes(DOCUMENT)
    (folder / "assets" / "index-1a2b.js").write_bytes(b"let table = 'of four';\n" * 1000)
    (folder / "worker.js").write_bytes(b"// worker")
    (folder / "manifest.webmanifest").write_bytes(b"{}")
    (tmp_path / "secret.txt").write_text("not for anybody")
    monkeypatch.setattr(console, "BUILT", folder)
    return folder


@pytest.fixture
def client(ledger: Ledger, built: Path) -> FlaskClient:
    return create_app(ledger, Config()).test_client()


HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize(
    "path", ["/", "/new", "/join", "/pieces", "/g/anything", "/g/anything/accounts/player:ana"]
)
def test_every_page_is_the_same_document(client: FlaskClient, path: str) -> None:
    """It is the same whether there is such a game or not, so it needs no token and tells nothing."""
    answer = client.get(path, headers=HTML)
    assert (answer.status_code, answer.data) == (200, DOCUMENT)
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "require-trusted-types-for 'script'" in policy
    assert "unsafe" not in policy
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cache-Control"] == "no-cache"
    again = client.get(path, headers={**HTML, "If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize("path", ["/g/anything", "/worker.js"])
def test_a_page_that_is_loaded_again_keeps_its_policy(client: FlaskClient, path: str) -> None:
    """A browser takes the headers of a 304 for those of the page: with another policy nothing in it would run."""
    first = client.get(path, headers=HTML)
    again = client.get(path, headers={**HTML, "If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    for name in ("Content-Security-Policy", "Cache-Control", "ETag"):
        assert again.headers.getlist(name) == first.headers.getlist(name)


def test_programs_get_the_addresses_and_browsers_the_page(client: FlaskClient) -> None:
    assert client.get("/").json["api"] == "/api/v1"
    assert client.get("/", headers={"Accept": "application/json"}).json["service"] == "mabligop"
    page = client.get("/", headers=HTML)
    assert page.content_type == "text/html; charset=utf-8"
    assert "Accept" in page.headers["Vary"]


def test_the_api_keeps_its_own_policy(client: FlaskClient) -> None:
    table = HttpTable.created(client)
    answer = table.banker.get("state")
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'; frame-ancestors 'none'")
    assert "script-src" not in answer.headers["Content-Security-Policy"]


def test_built_files_are_kept_for_good_and_compressed(client: FlaskClient) -> None:
    answer = client.get("/assets/index-1a2b.js", headers={"Accept-Encoding": "gzip"})
    assert answer.content_type == "text/javascript; charset=utf-8"
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer.content_encoding == "gzip"
    assert len(answer.data) < 1000
    assert client.get("/manifest.webmanifest").content_type == "application/manifest+json"
    assert client.get("/worker.js").headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../../secret.txt",
        "/assets/%2e%2e/%2e%2e/secret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "/icons/../../secret.txt",
        "/assets//etc/passwd",
        "/assets/missing.js",
        "/secret.txt",
        "/elsewhere",
    ],
)
def test_nothing_else_is_served(client: FlaskClient, path: str) -> None:
    answer = client.get(path, headers=HTML)
    assert answer.status_code in (404, 308)
    assert b"not for anybody" not in answer.data


def test_a_service_behind_another_path_tells_its_pages(ledger: Ledger, built: Path) -> None:
    client = create_app(ledger, Config(base_path="/bank/api/v1")).test_client()
    assert b'content="/bank/api/v1"' in client.get("/join", headers=HTML).data


def test_pages_that_are_not_built_say_how(ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "BUILT", tmp_path / "nothing")
    answer = create_app(ledger, Config()).test_client().get("/", headers=HTML)
    assert answer.status_code == 200
    assert "make console" in answer.text
