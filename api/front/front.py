"""The front of a worker: an ASGI application that takes requests in an event loop and answers them in threads.

A request takes a thread only once its body is complete, and gives the thread back with the answer. So slow
clients, whether they send or read slowly, hold no thread. Streams hold no thread either.
"""

from __future__ import annotations

import asyncio
import logging
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http import HTTPStatus
from typing import NamedTuple, TypeVar

from flask import Flask
from werkzeug.exceptions import RequestEntityTooLarge

from api.front.answers import PIECE_BYTES, Answer, Environ, environ_of, with_body
from api.front.asgi import Receive, Scope, Send
from api.front.bodies import BodyTimeoutError, BodyTooLargeError, DisconnectedError, collect, discard
from api.front.lanes import REFUSAL_SECONDS, Lane, LaneFullError, Lanes
from api.front.live import Live
from api.front.places import AddressLimitError, AddressSlot, AddressSlots, WorkerLimitError
from api.rest.actions.stream import FOLLOWER, STREAMS
from api.rest.admission import bounds
from api.rest.admission.admission import Admission, refused
from api.rest.admission.hosts import HEALTH
from api.rest.admission.limits import at_once
from api.rest.problems.problems import Problem
from api.rest.running.context import EXTENSION, Service

log = logging.getLogger("mabligop.front")

T = TypeVar("T")


class Way(NamedTuple):
    """The way of a request to a thread: the slot of the address, and the lane of the caller."""

    slot: AddressSlot
    lane: Lane


_REQUESTS_IN_ALL = 1024
"""Largest number of requests in progress in a worker. Each may hold a body of the largest size."""

_STREAM = "/stream"
"""The end of the path of a stream."""

_RETRY = (("Retry-After", "1"),)


class Front:
    """The ASGI application that serves a WSGI application.

    `threads` is the number of threads for answers. An address may use three quarters of the threads at a time.
    `live` has the streams.
    """

    def __init__(self, app: Flask, threads: int) -> None:
        self._app = app
        service: Service = app.extensions[EXTENSION]
        self._config = config = service.config
        self._admission = Admission(app)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="answer")
        self.live = Live(service.ledger, config.streams, config.send_seconds, service.metrics.streams)
        # Streams about to begin: a thousand clients may come back at once, and a few threads admit them.
        self._joining = AddressSlots(config.streams, config.streams, max(1, threads // 4))
        self._places = AddressSlots(config.requests_at_once, _REQUESTS_IN_ALL, max(1, threads * 3 // 4))
        self._lanes = Lanes(bounds.of(app), config.requests_at_once)
        self._joining_lanes = Lanes(bounds.of(app), config.streams)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await _decline(scope, receive, send)
            return
        environ = environ_of(scope)
        declared = int(environ.get("CONTENT_LENGTH") or 0)
        has_body = declared > 0 or "HTTP_TRANSFER_ENCODING" in environ
        # 1. Health needs no thread, no database, and no place.
        if scope["path"] == HEALTH:
            await self._answer_here(environ, send)
            return
        if not _is_framed(environ):
            # Two readers could disagree about the end of this body, and take a part of the body for a request.
            await self._answer_here(refused(environ, _unknown_coding), send)
            return
        environ[STREAMS] = self.live.places
        # 2. An address cannot take all slots.
        begun: Answer | None = None
        try:
            joins = scope["path"].endswith(_STREAM) and not has_body
            places, lanes = (self._joining, self._joining_lanes) if joins else (self._places, self._lanes)
            with places.occupied(environ["REMOTE_ADDR"]) as slot, lanes.entered(environ) as lane:
                way = Way(slot, lane)
                if not has_body:
                    begun = await self._answer(environ, way, receive, send)
                elif scope["method"] != "POST":
                    # For all other methods, a body has no meaning here.
                    begun = await self._answer(with_body(environ, b""), way, None, send)
                    await discard(receive, declared, self._config.body_seconds)
                else:
                    await self._answer_with_body(environ, way, receive, send)
        except LaneFullError as lane_full:
            await asyncio.sleep(REFUSAL_SECONDS)
            await self._answer_here(refused(environ, partial(_lane_full, lane_full.limit)), send)
        except AddressLimitError:
            full = partial(_address_full, self._config.requests_at_once)
            await self._answer_here(refused(environ, full), send)
        except WorkerLimitError:
            await self._answer_here(refused(environ, _worker_full), send)
        # 6. A stream counts against its own limit, not against the requests.
        if begun is not None:
            await self.live.follow(environ[FOLLOWER], begun, receive, send)

    async def _answer_with_body(self, environ: Environ, way: Way, receive: Receive, send: Send) -> None:
        declared, config = int(environ.get("CONTENT_LENGTH") or 0), self._config
        # 3. Refuse a hopeless request before reading the body.
        if not self._admission.certain(environ):
            answer = await self._in_thread(way, lambda: self._refusal(environ))
            if answer is not None:
                await _send_whole(answer, send)
                await discard(receive, declared, config.body_seconds)
                return
        # 4. The body has a deadline.
        refusal: Callable[[], Exception]
        try:
            body = await collect(receive, declared, config.max_body_bytes, config.body_seconds)
        except DisconnectedError:
            # The server reports an unreadable body in the same way, and its client may well wait for an answer.
            refusal, drained = _broken_off, False
        except BodyTimeoutError:
            # The server closes the connection, because the body is unread.
            refusal, drained = partial(_too_slow, config.body_seconds), False
        except BodyTooLargeError:
            refusal, drained = RequestEntityTooLarge, True
        else:
            await self._answer(with_body(environ, body), way, receive, send)
            return
        await self._answer_here(refused(environ, refusal), send)
        if drained:
            await discard(receive, declared, config.body_seconds)

    def _refusal(self, environ: Environ) -> Answer | None:
        """Return the answer that refuses the request, or None if the body should be read. Runs in a thread."""
        refusal = self._admission.refusal(environ)
        return None if refusal is None else self._begin(refused(environ, lambda: refusal))

    async def _answer_here(self, environ: Environ, send: Send) -> None:
        """Answer in the event loop. Only for answers that never wait: health and refusals."""
        await _send_whole(self._begin(environ), send)

    async def _answer(self, environ: Environ, way: Way, receive: Receive | None, send: Send) -> Answer | None:
        """5. Answer in a thread. Returns an answer that begins a stream, without sending the answer."""
        answer = await self._in_thread(way, lambda: self._begin(environ))
        if FOLLOWER in environ:
            return answer
        if answer.complete and len(answer.first) <= PIECE_BYTES:
            await _send_whole(answer, send)
        else:
            await self._send_in_pieces(answer, way, receive, send)
        return None

    def _begin(self, environ: Environ) -> Answer:
        status = 0
        try:
            answer = Answer(self._app.wsgi_app, environ)
            status = answer.status
            if answer.complete:
                answer.close()
            return answer
        finally:
            if status != HTTPStatus.OK and FOLLOWER in environ:
                # The stream was admitted, then the answer failed.
                self.live.places.give_back(environ.pop(FOLLOWER))

    async def _send_in_pieces(self, answer: Answer, way: Way, receive: Receive | None, send: Send) -> None:
        """Send a long answer, and give up if the client has left or reads no piece for too long.

        Holds no thread between two pieces.
        """
        disconnect = asyncio.ensure_future(_until_left(receive))
        streamed = not answer.complete
        try:
            await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
            piece = memoryview(answer.first)
            while piece:
                for start in range(0, len(piece), PIECE_BYTES):
                    async with asyncio.timeout(self._config.send_seconds):
                        await send(
                            {
                                "type": "http.response.body",
                                "body": bytes(piece[start : start + PIECE_BYTES]),
                                "more_body": True,
                            }
                        )
                    if disconnect.done():
                        return
                piece = memoryview(await self._in_thread(way, answer.next) if not answer.complete else b"")
            await send({"type": "http.response.body", "body": b""})
        except TimeoutError:
            # The server closes a connection with an unfinished answer.
            log.info("an answer was given up: its client took nothing of it for too long")
        except Exception as fault:
            # The values in a failure's message are nobody's business.
            frames = "".join(traceback.format_tb(fault.__traceback__))
            log.error("an answer broke off: %s\n%s", type(fault).__name__, frames)
        finally:
            disconnect.cancel()
            if streamed:
                await self._in_thread(way, answer.close)

    async def _in_thread(self, way: Way, work: Callable[[], T]) -> T:
        """Run `work` in a thread, once the caller and the address may use a thread and a thread is free."""
        await way.lane.take()
        pause = 0.0
        try:
            async with way.slot.threads:
                result, seconds = await asyncio.get_running_loop().run_in_executor(self._pool, _timed, work)
            is_refusal = isinstance(result, Answer) and result.status == HTTPStatus.TOO_MANY_REQUESTS
            pause = REFUSAL_SECONDS if is_refusal else way.lane.pause(seconds)
        finally:
            way.lane.give_back(pause)
        return result


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    """Return the result of `work`, and the processor time of the thread in seconds."""
    began = time.thread_time()
    return work(), time.thread_time() - began


def _is_framed(environ: Environ) -> bool:
    """Return True if the end of the body is certain (RFC 9112, 6.3) and the coding is known."""
    coding: str | None = environ.get("HTTP_TRANSFER_ENCODING")
    return coding is None or (coding.strip().lower() == "chunked" and "CONTENT_LENGTH" not in environ)


async def _send_whole(answer: Answer, send: Send) -> None:
    await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
    await send({"type": "http.response.body", "body": answer.first})


async def _until_left(receive: Receive | None) -> None:
    """Wait until the client closes the connection."""
    while receive is not None:
        if (await receive())["type"] == "http.disconnect":
            return
    await asyncio.get_running_loop().create_future()


async def _decline(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer the lifespan messages of the server, and close WebSockets."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1000})
        return
    for _ in ("startup", "shutdown"):
        message = await receive()
        await send({"type": f"{message['type']}.complete"})


def _address_full(limit: int) -> Problem:
    return Problem(
        "too-many-requests",
        "your address has too many requests in progress; wait for answers before you send more",
        "votre adresse a trop de requêtes en cours ; attendez des réponses avant d'en envoyer d'autres",
        headers=_RETRY,
        quota=at_once(limit),
    )


def _lane_full(limit: int) -> Problem:
    return Problem(
        "too-many-requests",
        "you have too many requests in progress; wait for answers before you send more",
        "vous avez trop de requêtes en cours ; attendez des réponses avant d'en envoyer d'autres",
        headers=_RETRY,
        quota=at_once(limit),
    )


def _worker_full() -> Problem:
    return Problem(
        "unavailable",
        "the service is too busy; nothing was done",
        "le service est trop occupé ; rien n'a été fait",
        headers=_RETRY,
    )


def _unknown_coding() -> Problem:
    return Problem(
        "bad-request",
        "a body has Content-Length or Transfer-Encoding: chunked, and neither both nor another coding",
        "un corps vient avec Content-Length ou avec Transfer-Encoding: chunked, sans les deux ni autre codage",
    )


def _broken_off() -> Problem:
    return Problem(
        "bad-request",
        "the body broke off: its chunks are damaged, or the connection was closed before its end",
        "le corps s'est interrompu : ses morceaux sont abîmés, ou la connexion a été fermée avant sa fin",
    )


def _too_slow(seconds: float) -> Problem:
    return Problem(
        "too-slow",
        f"the body did not come within {seconds:g} seconds, or came by less than 1 KiB a second",
        f"le corps n'est pas arrivé en {seconds:g} secondes, ou à moins de 1 Kio par seconde",
    )
