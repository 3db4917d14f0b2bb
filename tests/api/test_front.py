"""The front of a worker: slow, greedy and unknown clients, while others go on as if they were not there."""

import asyncio
import json
import threading
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest
from flask import Flask, Response
from granian.utils.proxies import wrap_asgi_with_proxy_headers

from api.front.front import Front
from api.front.proxies import noticing_proxies
from api.rest.running.context import EXTENSION
from tests.api.asgi import Call, get, post
from tests.tables.negopoly import asked_for
from tests.tables.over_http import BASE, HttpTable

GAMES = f"{BASE}/games"
RULEBOOKS = f"{BASE}/rulebooks"
NEW_GAME = json.dumps(asked_for("ana", "bob")).encode()
ELSEWHERE = "192.0.2.8"


def played(scenario: Coroutine[Any, Any, None]) -> None:
    """Play a scenario in an event loop. Nothing in it waits longer than a machine under load needs."""
    asyncio.run(asyncio.wait_for(scenario, 300))


@pytest.fixture
def new_front(new_app: Callable[..., Flask]) -> Callable[..., Front]:
    """A front with this many threads (one, so that a thread that is held is noticed) and these settings."""

    def create(threads: int = 1, **settings: Any) -> Front:
        return Front(new_app(**settings), threads)

    return create


def test_a_body_that_never_comes_holds_up_nobody(new_front: Callable[..., Front]) -> None:
    """Thirty-three requests announce nine bytes and send one. A worker with one thread answers all others."""

    async def scenario() -> None:
        front = new_front(body_seconds=100)
        slow = [post(GAMES, b"{", length=9, complete=False) for _ in range(33)]
        waiting = [asyncio.ensure_future(one.with_(front)) for one in slow]
        while any(one.pieces for one in slow):
            await asyncio.sleep(0)
        assert (await get("/healthz").with_(front)).json == {"status": "ok"}
        assert (await get("/readyz").with_(front)).status == 200
        assert (await post(GAMES, NEW_GAME).with_(front)).status == 201
        assert all(one.status == 0 for one in slow)
        for one in slow:
            one.left.set()
        await asyncio.gather(*waiting)

    played(scenario())


def test_a_body_that_never_comes_is_refused(new_front: Callable[..., Front]) -> None:
    async def scenario() -> None:
        slow = await post(GAMES, b"{", length=9, complete=False).with_(new_front(body_seconds=1))
        assert (slow.status, slow.json["type"], slow.finished) == (408, "/problems/too-slow", True)
        assert slow.headers["content-type"] == "application/problem+json"
        # It is an answer like every other.
        assert {"x-content-type-options", "ratelimit", "content-language"} <= slow.headers.keys()

    played(scenario())


def test_a_body_that_trickles_is_too_slow(new_front: Callable[..., Front]) -> None:
    """A kibibyte a second is the least: a body of many small pieces has no more time than one of none."""

    class Trickling(Call):
        async def _receive(self) -> Any:
            await asyncio.sleep(0.01)
            return {"type": "http.request", "body": b" ", "more_body": True}

    async def scenario() -> None:
        body = {"Content-Type": "application/json", "Content-Length": "200000"}
        answer = await Trickling("POST", GAMES, body, []).with_(new_front(body_seconds=1))
        assert (answer.status, answer.json["type"]) == (408, "/problems/too-slow")

    played(scenario())


class Clock:
    """The time of an event loop. A jump is what the loop sees after its process was stopped."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self._time = loop.time
        self._jumped = 0.0
        loop.time = lambda: self._time() + self._jumped  # type: ignore[method-assign]

    def jump(self, seconds: float) -> None:
        """Go on so many seconds later."""
        self._jumped += seconds


class Stopped(Call):
    """A request during which the worker is stopped for a minute. Then two seconds pass until more comes."""

    _stopped = False

    async def _receive(self) -> Any:
        if self.body_was_asked_for and not self._stopped:
            self._stopped = True
            clock = Clock()
            for seconds in (60.0, *[0.4] * 5):
                asyncio.get_running_loop().call_later(0.01, clock.jump, seconds)
                await asyncio.sleep(0.02)
        return await super()._receive()


def test_a_stopped_worker_is_no_delay_of_a_client(new_front: Callable[..., Front]) -> None:
    """A body has six seconds. The worker is stopped for a minute, and the rest of a body comes in time."""

    async def scenario() -> None:
        headers = {"Host": "table.example", "Content-Type": "application/json"}
        headers["Content-Length"] = str(len(NEW_GAME))
        whole = await Stopped("POST", GAMES, headers, [NEW_GAME[:9], NEW_GAME[9:]]).with_(
            new_front(body_seconds=6)
        )
        assert whole.status == 201

    played(scenario())


def test_a_stopped_worker_waits_no_longer_for_a_body_that_never_comes(new_front: Callable[..., Front]) -> None:
    async def scenario() -> None:
        headers = {"Host": "table.example", "Content-Type": "application/json", "Content-Length": "9"}
        slow = await Stopped("POST", GAMES, headers, [b"{"], complete=False).with_(new_front(body_seconds=1))
        assert (slow.status, slow.json["type"]) == (408, "/problems/too-slow")

    played(scenario())


def test_a_proxy_that_no_setting_names_is_reported(
    new_app: Callable[..., Flask], caplog: pytest.LogCaptureFixture
) -> None:
    """The operator reads what to do, once in the log and always in /readyz. Nobody reads of the callers."""

    async def scenario() -> None:
        app = new_app()
        front = noticing_proxies(Front(app, 1), app.extensions[EXTENSION].warnings)

        async def readiness(address: str, **headers: str) -> Any:
            call = Call("GET", "/readyz", {"Host": "table.example", **headers}, [b""], address=address)
            return (await call.with_(front)).json

        assert await readiness("127.0.0.1") == {"status": "ok"}
        assert await readiness("203.0.114.9", Forwarded="for=198.51.100.7") == {"status": "ok"}
        for address in ("10.0.0.1", "::ffff:127.0.0.1"):
            answer = await readiness(address, **{"X-Forwarded-For": "198.51.100.7"})
            assert answer["status"] == "ok"
            assert "MABLIGOP_TRUSTED_PROXIES" in answer["warnings"][0]
            assert "198.51" not in str(answer)
        french = await readiness("203.0.114.9", **{"Accept-Language": "fr"})
        assert "adresse du proxy" in french["warnings"][0]
        assert len([line for line in caplog.messages if "through a proxy" in line]) == 1

    played(scenario())


def test_who_has_no_token_is_refused_before_the_body(new_front: Callable[..., Front], started: HttpTable) -> None:
    """The answer is there before the body is asked for. What comes of the body then is discarded."""

    async def scenario() -> None:
        actions = f"{GAMES}/{started.game}/actions"
        open_front, front = new_front(), new_front(creation_key="sesame", hosts=("table.example",))
        for asked, answering, status, kind in (
            (post(actions, length=9, complete=False), open_front, 401, "token-missing"),
            (post(actions, length=9, complete=False, token="x.y"), open_front, 401, "token-unknown"),
            (post(GAMES, length=9, complete=False), front, 401, "token-missing"),
            (post(GAMES, length=9, complete=False, token="guess"), front, 401, "token-unknown"),
            (post("/nowhere", length=9, complete=False), front, 404, "not-found"),
            (post(RULEBOOKS, length=9, complete=False), front, 405, "method-not-allowed"),
            (post(GAMES, length=300_000, complete=False, token="sesame"), front, 413, "too-large"),
        ):
            asked.left.set()
            await asked.with_(answering)
            assert (asked.status, asked.json["type"]) == (status, f"/problems/{kind}"), kind
            assert asked.answered_unread, kind
        whole = await post(actions, b"{", b"}", length=2).with_(front)
        assert (whole.status, whole.answered_unread, whole.pieces) == (401, True, [])

    played(scenario())


def test_a_body_may_come_in_pieces(new_front: Callable[..., Front], started: HttpTable) -> None:
    """Chunked or not, known token or not yet known."""

    async def scenario() -> None:
        front = new_front()
        created = await post(GAMES, *(NEW_GAME[at : at + 7] for at in range(0, len(NEW_GAME), 7))).with_(front)
        assert created.status == 201
        gift = b'{"kind": "transfer_money", "params": {"to": "bob", "amount": 3}}'
        path, token = f"{GAMES}/{started.game}/actions", started.ana.token
        for body in (
            post(path, gift[:20], gift[20:], token=token),
            post(path, gift, token=token, length=len(gift)),
        ):
            await body.with_(front)
            assert (body.status, body.json["kind"]) == (201, "transfer_money")
        large = await post(path, *[b" " * 60_000] * 6, token=token).with_(front)
        assert (large.status, large.json["limit"], large.pieces) == (413, 256 * 1024, [])

    played(scenario())


def test_who_hangs_up_in_the_middle_does_nothing(new_front: Callable[..., Front]) -> None:
    """The whole game is there, and more was announced: no game is created. Who still reads, reads why."""

    async def scenario() -> None:
        half = post(GAMES, NEW_GAME, complete=False)
        half.left.set()
        await half.with_(new_front())
        assert (half.status, half.json["type"]) == (400, "/problems/bad-request")
        assert "broke off" in half.json["detail"]

    played(scenario())


class Long:
    """A resource with a long answer, which tells how much of it was made and whether it was closed."""

    def __init__(self, app: Flask, pieces: int) -> None:
        self.made = 0
        self.closed = threading.Event()
        self._pieces = pieces
        app.add_url_rule("/long", "long", self._answer)

    def _answer(self) -> Response:
        response = Response(self._content(), content_type="text/plain")
        response.call_on_close(self.closed.set)
        return response

    def _content(self) -> Iterator[bytes]:
        for _ in range(self._pieces):
            self.made += 1
            yield b"x" * 40_000


def test_a_long_answer_arrives_whole(new_app: Callable[..., Flask]) -> None:
    async def scenario() -> None:
        app = new_app()
        long = Long(app, pieces=10)
        answer = await get("/long").with_(Front(app, 1))
        assert (answer.status, len(answer.content), answer.finished) == (200, 400_000, True)
        assert long.closed.is_set()

    played(scenario())


def test_an_export_over_the_front_is_the_same_file(new_app: Callable[..., Flask], gifts: HttpTable) -> None:
    path = f"{GAMES}/{gifts.game}/export?format=beancount"
    directly = gifts.banker.get(path)

    async def scenario() -> None:
        answer = await get(path, gifts.banker.token).with_(Front(new_app(), 1))
        assert (answer.status, answer.finished) == (200, True)
        assert answer.content == directly.data

    played(scenario())


def test_a_client_that_does_not_read_is_given_up(new_app: Callable[..., Flask]) -> None:
    """Ten clients ask for something long and read nothing of it. The one thread answers others meanwhile."""

    async def scenario() -> None:
        app = new_app(send_seconds=1)
        long = Long(app, pieces=1_000)
        front = Front(app, 1)
        lazy = [get("/long", reads=False) for _ in range(10)]
        running = [asyncio.ensure_future(one.with_(front)) for one in lazy]
        for one in lazy:
            await one.answered.wait()
        assert (await get("/readyz").with_(front)).status == 200
        await asyncio.gather(*running)
        assert long.closed.is_set()
        # Two pieces of 40,000 bytes are one piece to send, and nobody took it.
        assert (long.made, [one.finished for one in lazy]) == (20, [False] * 10)

    played(scenario())


def test_nothing_more_is_made_for_a_client_that_left(new_app: Callable[..., Flask]) -> None:
    async def scenario() -> None:
        app = new_app()
        long = Long(app, pieces=1_000)
        leaving = get("/long")
        leaving.left.set()
        await leaving.with_(Front(app, 1))
        assert long.closed.is_set()
        assert long.made < 1_000
        assert not leaving.finished

    played(scenario())


def test_one_address_cannot_take_all_places(new_front: Callable[..., Front]) -> None:
    """Two bodies from the bakery are on their way. A third request from there must wait; the market does not."""

    async def scenario() -> None:
        front = new_front(requests_at_once=2)
        slow = [post(GAMES, length=9, complete=False) for _ in range(2)]
        running = [asyncio.ensure_future(one.with_(front)) for one in slow]
        while not all(one.body_was_asked_for for one in slow):
            await asyncio.sleep(0)
        third = await get(RULEBOOKS).with_(front)
        assert (third.status, third.json["type"]) == (429, "/problems/too-many-requests")
        assert third.headers["retry-after"] == "1"
        assert '"at-once";q=2;qu="concurrent-requests"' in third.headers["ratelimit-policy"]
        assert '"at-once";r=0' in third.headers["ratelimit"]
        assert (await get(RULEBOOKS, address=ELSEWHERE).with_(front)).status == 200
        assert (await get("/healthz").with_(front)).status == 200
        for one in slow:
            one.left.set()
        await asyncio.gather(*running)
        assert (await get(RULEBOOKS).with_(front)).status == 200

    played(scenario())


def test_one_address_cannot_take_all_threads(new_app: Callable[..., Flask]) -> None:
    """Four requests of the bakery wait in their threads, but one of the four threads is left for others."""

    async def scenario() -> None:
        app = new_app()
        opened = threading.Event()
        app.add_url_rule("/gate", "gate", lambda: Response(str(opened.wait(300))))
        front = Front(app, 4)
        waiting = [asyncio.ensure_future(get("/gate").with_(front)) for _ in range(4)]
        try:
            assert (await get("/readyz", address=ELSEWHERE).with_(front)).status == 200
        finally:
            opened.set()
        assert [one.content for one in await asyncio.gather(*waiting)] == [b"True"] * 4

    played(scenario())


def test_health_needs_no_thread(new_app: Callable[..., Flask]) -> None:
    async def scenario() -> None:
        app = new_app()
        opened = threading.Event()
        app.add_url_rule("/gate", "gate", lambda: Response(str(opened.wait(300))))
        front = Front(app, 1)
        waiting = asyncio.ensure_future(get("/gate").with_(front))
        try:
            assert (await get("/healthz").with_(front)).json == {"status": "ok"}
        finally:
            opened.set()
        await waiting

    played(scenario())


def test_a_trusted_proxy_names_its_clients(new_front: Callable[..., Front]) -> None:
    """Behind the proxy 192.0.2.7 every client has limits of its own. A client elsewhere names itself in vain."""

    async def scenario() -> None:
        front = wrap_asgi_with_proxy_headers(new_front(requests_per_minute=1), ["192.0.2.0/29"])

        async def status(address: str, forwarded: str) -> int:
            headers = {"Host": "table.example", "X-Forwarded-For": forwarded}
            return (await Call("GET", RULEBOOKS, headers, [b""], address=address).with_(front)).status

        assert [await status("192.0.2.7", client) for client in ("198.51.100.1", "198.51.100.2")] == [200, 200]
        assert await status("192.0.2.7", "198.51.100.1") == 429
        assert await status("192.0.2.7", "203.0.113.5, 198.51.100.1") == 429
        assert [await status("192.0.2.200", client) for client in ("198.51.100.3", "198.51.100.4")] == [200, 429]

    played(scenario())


def test_an_underscore_makes_another_header(new_front: Callable[..., Front], started: HttpTable) -> None:
    async def scenario() -> None:
        asked = get(f"{GAMES}/{started.game}")
        asked.scope["headers"].append((b"http_authorization", f"Bearer {started.ana.token}".encode()))
        asked.scope["headers"].append((b"x_forwarded_for", b"203.0.113.1"))
        assert (await asked.with_(new_front())).status == 401
        asked = get(f"{GAMES}/{started.game}")
        asked.scope["headers"].append((b"http_authorization", b"Bearer nobody"))
        asked.scope["headers"].append((b"authorization", f"Bearer {started.ana.token}".encode()))
        assert (await asked.with_(new_front())).status == 200

    played(scenario())
