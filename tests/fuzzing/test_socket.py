"""Mutated requests over a real connection: the head, multipart and chunked bodies, against `mabligop serve`."""

from __future__ import annotations

import http.client
import socket
from contextlib import closing
from urllib.parse import urlsplit

import pytest
from hypothesis import given

from tests.command.service import Service, create_game
from tests.fuzzing.mutations import mutated
from tests.properties.commands import profile

pytestmark = pytest.mark.xdist_group("command")

GIFT = b'{"kind": "transfer_money", "params": {"to": "bob", "amount": 1}}'
MULTIPART = (
    b'--edge\r\nContent-Disposition: form-data; name="kind"; filename="a.json"\r\n'
    b"Content-Type: application/json\r\n\r\n" + GIFT + b"\r\n--edge--\r\n"
)
CHUNKS = b'%x;a="b"\r\n%b\r\n0\r\nX-Trailer: c\r\n\r\n' % (len(GIFT), GIFT)


def requests(game: str, token: str) -> tuple[bytes, ...]:
    """A plain, a multipart, a chunked and a reading request."""
    path, common = f"/api/v1/games/{game}", f"HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"

    def post(kind: str, length: str, body: bytes) -> bytes:
        return f"POST {path}/actions {common}Content-Type: {kind}\r\n{length}\r\n\r\n".encode() + body

    return (
        post("application/json", f"Content-Length: {len(GIFT)}", GIFT),
        post("multipart/form-data; boundary=edge", f"Content-Length: {len(MULTIPART)}", MULTIPART),
        post("application/json", "Transfer-Encoding: chunked", CHUNKS),
        f"GET {path}/state?at=3 {common}\r\n".encode(),
    )


def status_of(service: Service, request: bytes, *, ends: bool) -> int | None:
    """Send the bytes, and perhaps the sender's end. Returns the status of an answer; None for a closing.

    A whole request comes without an end: the server takes the end for the leaving of the client.
    """
    address = urlsplit(service.url)
    with closing(socket.create_connection((address.hostname, address.port), timeout=300)) as connection:
        try:
            connection.sendall(request)
            if ends:
                connection.shutdown(socket.SHUT_WR)
            answer = http.client.HTTPResponse(connection)
            answer.begin()
        except (http.client.HTTPException, ConnectionError, OSError) as fault:
            assert not isinstance(fault, TimeoutError), request
            return None
        return answer.status


def test_mutated_requests_are_no_failure_of_the_service(service: Service) -> None:
    with service.client() as client:
        game, tokens = create_game(client)
    seeds = requests(game, tokens["ana"])
    assert [status_of(service, seed, ends=False) for seed in seeds] == [201, 415, 201, 200]

    @profile(20, 1)
    @given(mutated(seeds))
    def send(request: bytes) -> None:
        status = status_of(service, request[:60_000], ends=True)
        assert status is None or status < 500 or status == 503, request

    send()
    with service.client() as client:
        assert client.get("/healthz").status_code == 200
