"""`mabligop serve` with clients that are slow, idle, unknown, or sent by another site's page."""

import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest

from tests.command.service import NEW_GAME, Service, create_game

pytestmark = pytest.mark.xdist_group("command")

SLOW_CLIENTS = 48
IDLE_CONNECTIONS = 200


@pytest.fixture(scope="module")
def service(database_url: str) -> Iterator[Service]:
    """A service with one worker, in which a body has six seconds: three for its first kibibyte."""
    running = Service("--no-demo", DATABASE_URL=database_url, MABLIGOP_BODY_SECONDS="6")
    yield running
    assert running.stop() == 0


class Raw:
    """A connection on which a scenario sends what it likes, when it likes."""

    def __init__(self, service: Service) -> None:
        self._address = urlsplit(service.url)
        self._socket = socket.create_connection((self._address.hostname, self._address.port), timeout=300)

    def __enter__(self) -> "Raw":
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def send(self, start: str, *headers: str, body: bytes = b"") -> None:
        """Send a request with these headers, and this much of its body."""
        head = "\r\n".join((f"{start} HTTP/1.1", f"Host: {self._address.netloc}", *headers, "", ""))
        self._socket.sendall(head.encode() + body)

    def end(self) -> None:
        """Say that nothing more comes, and go on reading."""
        self._socket.shutdown(socket.SHUT_WR)

    def answer(self) -> tuple[int, bytes]:
        """The status and the content of the next answer."""
        answer = http.client.HTTPResponse(self._socket)
        answer.begin()
        return answer.status, answer.read()

    def closed(self) -> bool:
        """Wait for the service to send more or to close, and return whether it closed."""
        return self._socket.recv(1) == b""


def test_bodies_that_never_come_stop_nobody(service: Service) -> None:
    """More requests than a worker has threads announce nine bytes and send one."""
    with ExitStack() as opened:
        slow = [opened.enter_context(Raw(service)) for _ in range(SLOW_CLIENTS)]
        for one in slow:
            one.send("POST /api/v1/games", "Content-Type: application/json", "Content-Length: 9", body=b"{")
        with service.client() as client:
            for path in ("/healthz", "/readyz", "/api/v1/rulebooks"):
                assert client.get(path).status_code == 200
            create_game(client)
        for one in slow:
            status, content = one.answer()
            assert (status, json.loads(content)["type"]) == (408, "/problems/too-slow")
            assert one.closed()


def test_idle_connections_stop_nobody(service: Service) -> None:
    """Half of them have asked something before, and the others never have."""
    with ExitStack() as opened:
        idle = [opened.enter_context(Raw(service)) for _ in range(IDLE_CONNECTIONS)]
        for one in idle[::2]:
            one.send("GET /healthz")
            assert one.answer()[0] == 200
        with service.client() as client:
            create_game(client)


def test_a_stranger_is_refused_before_the_body(service: Service) -> None:
    """The body is on its way for ever, and the answer is here. What comes of the body later is discarded."""
    with service.client() as client:
        game, tokens = create_game(client)
    path = f"POST /api/v1/games/{game}/actions"
    kind = "Content-Type: application/json"
    with Raw(service) as stranger:
        stranger.send(path, kind, "Authorization: Bearer guess", "Content-Length: 4", body=b"{")
        status, content = stranger.answer()
        assert (status, json.loads(content)["type"]) == (401, "/problems/token-unknown")
    with Raw(service) as careful:
        careful.send(path, kind, "Content-Length: 4", "Expect: 100-continue")
        assert careful.answer()[0] == 401
    gift = b'{"kind": "transfer_money", "params": {"to": "bob", "amount": 1}}'
    chunks = (
        f"{10:x}\r\n".encode() + gift[:10] + f"\r\n{len(gift) - 10:x}\r\n".encode() + gift[10:] + b"\r\n0\r\n\r\n"
    )
    with Raw(service) as ana:
        bearer = f"Authorization: Bearer {tokens['ana']}"
        ana.send(path, kind, bearer, "Transfer-Encoding: chunked", body=chunks)
        assert ana.answer()[0] == 201
        ana.send("GET /healthz")
        assert ana.answer()[0] == 200


def test_a_page_of_another_site_gets_nothing(service: Service) -> None:
    """The service listens on 127.0.0.1 only, and a page may call that by the page's own name."""
    with service.client() as client:
        refused = client.post("/api/v1/games", json=NEW_GAME, headers={"Host": "evil.example"})
        assert (refused.status_code, refused.json()["type"]) == (421, "/problems/wrong-host")
        port = urlsplit(service.url).port
        assert client.get("/readyz", headers={"Host": f"localhost:{port}"}).status_code == 200
        assert client.get("/healthz", headers={"Host": "10.0.0.1"}).status_code == 200
