"""`mabligop serve` with requests whose body is damaged, cut off, or of a length that nobody can tell."""

from __future__ import annotations

import json
from contextlib import suppress
from http.client import RemoteDisconnected
from random import Random

import pytest

from tests.command.service import Service, create_game
from tests.command.test_slow_clients import Raw

pytestmark = pytest.mark.xdist_group("command")

GIFT = b'{"kind": "transfer_money", "params": {"to": "bob", "amount": 1}}'
SIZE = f"{len(GIFT):x}".encode()
END = b"\r\n0\r\n\r\n"
CHUNKED = "Transfer-Encoding: chunked"

DAMAGED = {
    "a size that is no number": b"zz\r\n" + GIFT + END,
    "a negative size": b"-5\r\n" + GIFT + END,
    "a size beyond 64 bits": b"fffffffffffffffff\r\n" + GIFT + END,
    "a size that is too small": b"5\r\n" + GIFT + END,
    "no size": b"\r\n" + GIFT + END,
    "a second chunk without a size": b"5\r\n" + GIFT[:5] + b"\r\nxyz\r\n" + GIFT[5:] + END,
    "an extension without end": SIZE + b";a=" + b"x" * 20_000 + b"\r\n" + GIFT + END,
    "a trailer that is no header": SIZE + b"\r\n" + GIFT + b"\r\n0\r\nnonsense\x00\r\n\r\n",
    "too many trailers": SIZE + b"\r\n" + GIFT + b"\r\n0\r\n" + b"X-A: b\r\n" * 3_000 + b"\r\n",
    "nothing between chunks": SIZE + b"\r\n" + GIFT + b"0\r\n\r\n",
}
"""Chunked bodies (RFC 9112, 7.1) that mean nothing."""

CUT = {
    "within a chunk": (CHUNKED, SIZE + b"\r\n" + GIFT[:9]),
    "before the last chunk": (CHUNKED, SIZE + b"\r\n" + GIFT + b"\r\n"),
    "before its announced end": ("Content-Length: 500", GIFT),
}
"""Bodies after which a client says that nothing more comes."""

WHOLE = {
    "with an extension": (SIZE + b";a=b\r\n" + GIFT + END),
    "with a trailer": (SIZE + b"\r\n" + GIFT + b"\r\n0\r\nX-A: b\r\n\r\n"),
    "in two chunks": (b"5\r\n" + GIFT[:5] + f"\r\n{len(GIFT) - 5:x}\r\n".encode() + GIFT[5:] + END),
}
"""Chunked bodies as they may be."""

LENGTHS = {
    "negative": ("Content-Length: -4",),
    "with a sign": ("Content-Length: +4",),
    "a word": ("Content-Length: many",),
    "empty": ("Content-Length: ",),
    "beyond 64 bits": ("Content-Length: 99999999999999999999999",),
    "two lengths": (f"Content-Length: {len(GIFT)}", "Content-Length: 4"),
    "a coding that is not known": ("Transfer-Encoding: gzip",),
    "a coding besides": ("Transfer-Encoding: gzip, chunked",),
    "chunked, and then another coding": ("Transfer-Encoding: chunked, gzip",),
    "chunked twice": ("Transfer-Encoding: chunked, chunked",),
    "a coding without a name": ("Transfer-Encoding: ",),
}
"""Headers that do not say where a body ends, or in which form it comes."""


@pytest.fixture
def gifts(service: Service) -> tuple[str, str, str]:
    """A new game: the start of a request for a gift of Ana's, and her token in a header; and the game's path."""
    with service.client() as client:
        game, tokens = create_game(client)
    path = f"/api/v1/games/{game}"
    return f"POST {path}/actions", f"Authorization: Bearer {tokens['ana']}", path


def version(service: Service, path: str, bearer: str) -> int:
    """The number of actions in the game."""
    with service.client() as client:
        found: int = client.get(path, headers=dict([bearer.split(": ")])).json()["version"]
    return found


def test_a_damaged_body_is_refused_and_nothing_is_done(service: Service, gifts: tuple[str, str, str]) -> None:
    """Given chunks that mean nothing, then the answer is a problem, and the connection is closed."""
    start, bearer, path = gifts
    before = version(service, path, bearer)
    for name, body in DAMAGED.items():
        with Raw(service) as ana:
            ana.send(start, "Content-Type: application/json", bearer, CHUNKED, body=body)
            status, content = ana.answer()
            assert (status, json.loads(content)["type"]) == (400, "/problems/bad-request"), name
            assert ana.closed(), name
    assert version(service, path, bearer) == before


def test_no_damage_is_a_failure_of_the_service(service: Service, gifts: tuple[str, str, str]) -> None:
    """Given bytes changed, left out or added anywhere in a chunked body, then no answer is a 5xx.

    Where the body happens to be whole, the server takes the end of the client's side for its leaving.
    """
    start, bearer, _ = gifts
    whole, random = WHOLE["in two chunks"], Random(7)
    for turn in range(40):
        damaged = bytearray(whole)
        for _ in range(random.randint(1, 3)):
            at = random.randrange(len(damaged))
            damaged[at : at + random.randint(0, 2)] = random.randbytes(random.randint(0, 3))
        with Raw(service) as ana:
            target = start if turn % 4 else "POST /api/v1/join"
            ana.send(target, "Content-Type: application/json", bearer, CHUNKED, body=bytes(damaged))
            ana.end()
            with suppress(RemoteDisconnected):
                assert ana.answer()[0] < 500, bytes(damaged)


def test_a_body_that_is_cut_off_is_refused(service: Service, gifts: tuple[str, str, str]) -> None:
    """Given a client that closes its side before the end of the body and still reads, then it reads why."""
    start, bearer, path = gifts
    before = version(service, path, bearer)
    for name, (length, body) in CUT.items():
        with Raw(service) as ana:
            ana.send(start, "Content-Type: application/json", bearer, length, body=body)
            ana.end()
            status, content = ana.answer()
            assert (status, json.loads(content)["type"]) == (400, "/problems/bad-request"), name
            assert ana.closed(), name
    assert version(service, path, bearer) == before


def test_a_body_of_unknown_length_or_coding_is_refused(service: Service, gifts: tuple[str, str, str]) -> None:
    start, bearer, path = gifts
    before = version(service, path, bearer)
    for name, headers in LENGTHS.items():
        with Raw(service) as ana:
            ana.send(start, "Content-Type: application/json", bearer, *headers, body=SIZE + b"\r\n" + GIFT + END)
            assert ana.answer()[0] == 400, name
    assert version(service, path, bearer) == before


def test_a_chunked_body_may_have_extensions_and_trailers(service: Service, gifts: tuple[str, str, str]) -> None:
    start, bearer, path = gifts
    before = version(service, path, bearer)
    for name, body in WHOLE.items():
        with Raw(service) as ana:
            ana.send(start, "Content-Type: application/json", bearer, CHUNKED, body=body)
            assert ana.answer()[0] == 201, name
    assert version(service, path, bearer) == before + len(WHOLE)


def test_with_a_length_and_chunks_the_chunks_count(service: Service, gifts: tuple[str, str, str]) -> None:
    """Given both, then the length means nothing, and the connection ends (RFC 9112, 6.3)."""
    start, bearer, path = gifts
    before = version(service, path, bearer)
    with Raw(service) as ana:
        both = ("Content-Length: 4", CHUNKED)
        ana.send(start, "Content-Type: application/json", bearer, *both, body=SIZE + b"\r\n" + GIFT + END)
        assert ana.answer()[0] == 201
        assert ana.closed()
    assert version(service, path, bearer) == before + 1
