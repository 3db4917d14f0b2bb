"""Requests with mutated headers, queries and cursors: an answer in JSON, no failure, no token."""

from __future__ import annotations

import base64
import json
import re
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

import msgspec
import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from api.rest.application import Config, create_app
from api.rest.exchange.paging import write_cursor
from ledger.store.store import Store
from tests.fuzzing.mutations import mutated
from tests.properties.commands import profile
from tests.tables.ledgers import a_ledger
from tests.tables.over_http import BASE, HttpTable

HEADERS: dict[str, tuple[bytes, ...]] = {
    "ACCEPT": (b"application/json, text/csv;q=0.5",),
    "ACCEPT_ENCODING": (b"gzip, identity;q=0.5",),
    "ACCEPT_LANGUAGE": (b"fr-CH, fr;q=0.9, en;q=0.8, *;q=0.5",),
    "AUTHORIZATION": (b"Bearer mbl_0123456789", b"Basic YTpi"),
    "CONTENT_ENCODING": (b"identity", b"gzip"),
    "COOKIE": (b'a=b; mabligop=1; c="d"',),
    "FORWARDED": (b'for="[2001:db8::1]:4711";proto=https;host=ledger.example',),
    "HOST": (b"localhost", b"[::1]:8000"),
    "IDEMPOTENCY_KEY": (b"4f1c9d0be27a4ce0a7d3a1f5e8b6c402", b"7d444840-9dc0-41d1-b245-5ffdce74fad2"),
    "IF_MATCH": (b'W/"6-9f86d081884c-60303ae2", "6"', b"*"),
    "IF_NONE_MATCH": (b'W/"6-9f86d081884c-60303ae2", "6"',),
    "LAST_EVENT_ID": (b"6", b"6-9f86d081884c-60303ae2"),
    "ORIGIN": (b"https://ledger.example", b"null"),
    "TRACEPARENT": (b"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",),
    "TRACESTATE": (b"a=b,c=d",),
    "VIEW_AS": (b"spectator",),
    "X_FORWARDED_FOR": (b"203.0.113.7, 2001:db8::1",),
    "X_REQUEST_ID": (b"7d444840-9dc0-41d1-b245-5ffdce74fad2",),
}
READINGS = ("", "/state", "/actions", "/audit", "/replay", "/agreements", "/accounts/bank/statement", "/stream")
QUERIES: tuple[tuple[str, bytes], ...] = (
    ("/actions", b"at=3&known_at=6&order=newest&limit=2&kind=roll_dice&seat=ana"),
    ("/audit", b"at=3&account=player:ana&commodity=NGD&rule=I.B.6&action=3.1&limit=200"),
    ("/moves", b'given=/amount=150&given=/to="bob"&given=/picks/-=1&act=transfer_money'),
    ("/replay", b"from=1&to=6&language=fr&limit=10"),
    ("/state", b"at=3&known_at=5"),
    ("/why", b"account=player:ana&commodity=NGD&at=6"),
    ("/agreements", b"status=open&party=ana&limit=1"),
    ("/statistics", b"at=6&known_at=6"),
)
LISTS = (
    "actions?limit=1",
    "audit?limit=1",
    "replay?limit=1",
    "replay/index?limit=1",
    "why?account=bank&commodity=NGD&limit=1",
    "accounts/bank/statement?limit=1",
    "agreements?limit=1",
)
_NEXT = re.compile(r"<([^>]*[?&]cursor=([^&>]+)[^>]*)>")


class Table(NamedTuple):
    """A started table, its client, and cursors of its lists with their addresses."""

    table: HttpTable
    client: FlaskClient
    cursors: list[tuple[str, bytes]]

    def ask(self, path: str, *, query: str = "", content: Any = None, **environ: str) -> None:
        """Send a request. A failure of the service, an answer without JSON, or a token in an answer is a fault."""
        url = path if path.startswith("/api") else f"{BASE}/games/{self.table.game}{path}"
        environ.setdefault("HTTP_AUTHORIZATION", f"Bearer {self.table.banker.token}")
        answer = self.client.open(
            url,
            method="GET" if content is None else "POST",
            query_string=query,
            json=content,
            environ_overrides=environ,
        )
        # Only the front of a worker answers with streams.
        assert answer.status_code < 500 or (path == "/stream" and answer.status_code == 503), answer.text
        if answer.status_code >= 400:
            assert answer.content_type == "application/problem+json"
            assert json.loads(answer.data)["detail"]
        assert not [token for token in self.tokens() if token in answer.text]

    def tokens(self) -> list[str]:
        return [
            self.table.tokens["banker"],
            self.table.tokens["spectator"],
            *self.table.tokens["players"].values(),
        ]


@pytest.fixture(scope="module")
def table(store: Store) -> Table:
    client = create_app(a_ledger(store), Config(requests_per_minute=None)).test_client()
    started = HttpTable.created(client).start()
    started.ana.play("transfer_money", to="bob", amount=10)
    cursors = []
    for listed in LISTS:
        answer = started.banker.get(listed)
        assert answer.status_code == 200, answer.text
        following = _NEXT.search(answer.headers.get("Link", ""))
        if following is not None:
            cursors.append((listed.partition("?")[0], unquote(following[2]).encode()))
    assert len(cursors) >= 4
    return Table(started, client, cursors)


def test_mutated_headers(table: Table) -> None:
    @profile(40, 1)
    @given(name=st.sampled_from(sorted(HEADERS)), path=st.sampled_from(READINGS), data=st.data())
    def ask(name: str, path: str, data: st.DataObject) -> None:
        value = data.draw(mutated(HEADERS[name]))[:8000].decode("latin-1")
        table.ask(path, **{f"HTTP_{name}": value})
        if name in {"IDEMPOTENCY_KEY", "IF_MATCH", "TRACEPARENT"}:
            table.ask("/actions", content={"kind": "transfer_money", "params": {}}, **{f"HTTP_{name}": value})

    ask()
    assert table.table.version == 7


def test_mutated_queries(table: Table) -> None:
    @profile(30, 1)
    @given(query=st.sampled_from(QUERIES), data=st.data())
    def ask(query: tuple[str, bytes], data: st.DataObject) -> None:
        path, seed = query
        value = data.draw(mutated((seed, *(other for _, other in QUERIES))))[:6000]
        table.ask(path, query=quote(value, safe="=&"))
        table.ask(path, query=value.decode("latin-1"))

    ask()
    assert table.table.version == 7


def test_mutated_cursors(table: Table) -> None:
    """The text of a cursor, and its contents written anew."""

    @profile(30, 1)
    @given(st.sampled_from(table.cursors), st.booleans(), st.data())
    def ask(cursor: tuple[str, bytes], inside: bool, data: st.DataObject) -> None:
        path, text = cursor
        if inside:
            seeds = tuple(_contents(other) for _, other in table.cursors)
            changed = data.draw(mutated((_contents(text), *seeds)))
            value = write_cursor(msgspec.Raw(changed[:375]))
        else:
            value = data.draw(mutated((text,)))[:500].decode("latin-1")
        account = "&account=bank&commodity=NGD" if path == "why" else ""
        table.ask(f"/{path}", query=f"limit=1{account}&cursor={quote(value)}")

    ask()
    assert table.table.version == 7


def _contents(cursor: bytes) -> bytes:
    return base64.urlsafe_b64decode(cursor + b"=" * (-len(cursor) % 4))


def test_a_planted_failure_is_found(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader of If-Match fails for every header, and the answer is a failure of the service."""

    def failing() -> None:
        raise LookupError("planted")

    monkeypatch.setattr("api.rest.actions.actions.heads_expected", failing)
    with pytest.raises(AssertionError, match="internal"):
        table.ask("/actions", content={"kind": "transfer_money", "params": {}}, HTTP_IF_MATCH='"6"')


def test_a_planted_token_is_found(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A problem quotes the token of the request."""
    monkeypatch.setattr("api.rest.exchange.conditions.quoted", lambda key: key)
    with pytest.raises(AssertionError):
        table.ask(
            "/actions",
            content={"kind": "transfer_money", "params": {}},
            HTTP_IDEMPOTENCY_KEY=f"{table.table.banker.token}\xe9",
        )
