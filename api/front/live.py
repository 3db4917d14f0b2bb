"""The streams of a worker: the followers of each game, and the messages sent to them.

When the database reports a new entry in a followed game, a thread reads the game once for all its streams. The
event loop then sends the messages, so a stream holds no thread.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any

import msgspec

from api.front.answers import Answer
from api.front.asgi import Receive, Send
from api.front.channels import Channel
from api.front.ears import Ears
from api.front.presence import NOBODY, Present
from api.front.streams import Stream, StreamSlots
from api.rest.actions.stream import Follower
from ledger.games.queues import GameBusy
from ledger.reading.table.following import GameFeed, Joining, Listening, Message, News
from ledger.service import Ledger
from ledger.store.database.errors import JournalDamaged, StoreError
from ledger.store.notices import Heard
from ledger.store.records import Notice, Saying, TokensChanged

log = logging.getLogger("mabligop.live")

HEARTBEAT_SECONDS = 15.0
_TICK_SECONDS = 0.5
_AGAIN_SECONDS = 1.0
"""Delay before reading a game again after a failure of the database."""
_LATE_SECONDS = 0.01
"""Delay before checking a deadline, because clocks round to whole milliseconds."""
_MOST_SECONDS = 3600.0
_RETRY = b"retry: 2000\n"
"""Milliseconds before an EventSource of a browser reconnects. Sent together with the first message, because
some clients take a block without data for a message.
"""
_PAUSE_SECONDS = 20e-6
"""Pause after sending a game's news, for each stream. Streams of a busy game get several entries at a time, so
that actions are not delayed.
"""
_MOST_PAUSE_SECONDS = 0.5
_THREADS = 2

_encode = msgspec.json.Encoder(order="deterministic").encode


class Live:
    """The streams of a worker.

    `limit` is the largest number of streams; an address may have three quarters of them. A client that reads
    nothing for `send_seconds` loses its stream. `on_stream_count` is called with each new number of streams.
    Everything but `places` belongs to one event loop.
    """

    def __init__(
        self, ledger: Ledger, limit: int, send_seconds: float, on_stream_count: Callable[[int], None]
    ) -> None:
        self.places = StreamSlots(limit, on_stream_count)
        self._ledger = ledger
        self._send_seconds = send_seconds
        self._channels: dict[str, Channel] = {}
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="follow")
        self._name = secrets.token_hex(4)
        self._ears: Ears | None = None
        self._ticking: asyncio.Task[None] | None = None
        self._background: set[asyncio.Task[None]] = set()

    # A single stream --------------------------------------------------------------------------

    async def follow(self, follower: Follower, answer: Answer, receive: Receive, send: Send) -> None:
        """Send a stream until the client leaves, its token is revoked, or the worker ends.

        The follower has already taken a slot; `follow` gives the slot back at the end.
        """
        stream = Stream(follower)
        gone = asyncio.ensure_future(_left(receive, stream))
        try:
            with self._joined(stream):
                await self._send(stream, answer, send)
        except asyncio.CancelledError:
            if not stream.given_up:
                raise
            # The server closes a connection with an unfinished answer.
            log.info("a stream was given up: its client took nothing of it for too long")
        finally:
            gone.cancel()

    async def _send(self, stream: Stream, answer: Answer, send: Send) -> None:
        headers = [header for header in answer.headers if header[0] != b"content-length"]
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        stream.waiting.appendleft(_RETRY)
        async for piece in stream.pieces():
            stream.sent_at = time.monotonic()
            stream.sending = True
            await send({"type": "http.response.body", "body": piece, "more_body": True})
            stream.sending = False
        await send({"type": "http.response.body", "body": b""})

    @contextmanager
    def _joined(self, stream: Stream) -> Iterator[None]:
        """Add a stream to its game for the time of the context."""
        follower = stream.follower
        game = follower.game
        channel = self._channels.get(game)
        if channel is None:
            following = GameFeed(self._ledger.games, self._ledger.clock, game)
            channel = self._channels[game] = Channel(game, following, time.monotonic() + HEARTBEAT_SECONDS)
        channel.joining.append(stream)
        if self._ears is None:
            self._ears = Ears(self._ledger, self._heard, self._listens)
        if self._ticking is None:
            self._ticking = asyncio.ensure_future(self._tick())
        self._stir(channel)
        try:
            yield
        finally:
            self._leave(channel, stream)
            self.places.give_back(follower)

    def _leave(self, channel: Channel, stream: Stream) -> None:
        with suppress(ValueError):
            channel.joining.remove(stream)
        listening = stream.follower.joining.listening
        others = channel.listening.get(listening)
        if others is not None:
            others.discard(stream)
            if not others:
                del channel.listening[listening]
            if listening.viewer.seat is not None:
                channel.leave({listening.viewer.seat: self._ledger.clock.current_time()})
        if channel.listening or channel.joining:
            return
        # The game has no more followers in this worker.
        if self._channels.get(channel.game) is channel:
            del self._channels[channel.game]
        if channel.timer is not None:
            channel.timer.cancel()
        if channel.announced.seats or channel.announced.banker or channel.announced.spectators:
            self._say(channel, channel.local_presence())
        if not self._channels:
            self._stop_listening()

    def _stop_listening(self) -> None:
        """Stop listening and ticking, because no game is followed."""
        if self._ears is not None:
            self._ears.close()
            self._ears = None
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None

    def end(self) -> None:
        """End every stream and admit no more. Clients reconnect to another worker."""
        self.places.closed = True
        for channel in list(self._channels.values()):
            for stream in [*channel.streams(), *channel.joining]:
                stream.end()

    # Notices ----------------------------------------------------------------------------------

    def _listens(self) -> None:
        """Check every game: notices from before the listening began may be missing."""
        for channel in self._channels.values():
            self._stir(channel)
            self._say(channel, channel.local_presence(), asks=True)

    def _heard(self, heard: Iterable[Heard]) -> None:
        for notice in heard:
            match notice:
                case Notice():
                    channel = self._channels.get(notice.game_id)
                    if channel is not None and notice.number > channel.version:
                        self._stir(channel)
                case TokensChanged():
                    self._ledger.tokens.forget(notice.game_id)
                    channel = self._channels.get(notice.game_id)
                    if channel is not None:
                        channel.tokens_changed = True
                        self._stir(channel)
                case Saying():
                    self._overhear(notice.words)

    def _stir(self, channel: Channel) -> None:
        """Check the game soon. Several calls lead to one check."""
        channel.stirred = True
        if channel.task is None and self._ears is not None and self._ears.listening:
            channel.task = asyncio.ensure_future(self._look(channel))

    async def _look(self, channel: Channel) -> None:
        """Check a game while it has news, and send the news to its streams."""
        try:
            while channel.stirred and self._channels.get(channel.game) is channel:
                channel.stirred = False
                await asyncio.sleep(await self._tell(channel))
        except Exception as fault:
            # The values in a failure's message are nobody's business.
            frames = "".join(traceback.format_tb(fault.__traceback__))
            log.error("the streams of a game broke off: %s\n%s", type(fault).__name__, frames)
            for stream in [*channel.streams(), *channel.joining]:
                stream.end()
        finally:
            channel.task = None

    async def _tell(self, channel: Channel) -> float:
        """Check a game once and send the news to its streams. Returns the pause in seconds before the next
        check.
        """
        joining, tokens_changed = list(channel.joining), channel.tokens_changed
        channel.tokens_changed = False
        listening = tuple(channel.listening)
        requests = [stream.follower.joining for stream in joining]
        bills = [stream.follower.computed for stream in joining]
        try:
            news, in_force = await asyncio.get_running_loop().run_in_executor(
                self._pool, self._read, channel, listening, requests, bool(joining) or tokens_changed, bills
            )
        except JournalDamaged:
            raise
        except (StoreError, GameBusy):
            channel.stirred = True
            channel.tokens_changed |= tokens_changed
            return _AGAIN_SECONDS
        behind = news.version - channel.version
        channel.version, channel.seats, channel.out = news.version, news.seats, news.out
        reached = 0
        for group, messages in news.changes.items():
            streams = channel.listening.get(group, set())
            reached += len(streams)
            if messages:
                piece = b"".join(map(_encode_message, messages))
                for stream in streams:
                    stream.push(piece)
                    stream.version = news.version
        pieces: dict[int, bytes] = {}
        for stream, messages in zip(joining, news.joined, strict=True):
            if stream not in channel.joining:
                continue  # has left meanwhile
            channel.joining.remove(stream)
            channel.listening.setdefault(stream.follower.joining.listening, set()).add(stream)
            # Streams that begin alike get the same bytes.
            piece = pieces.get(id(messages)) or pieces.setdefault(
                id(messages), b"".join(map(_encode_message, messages))
            )
            stream.push(piece)
            stream.version = news.version
        if joining:
            self._show_presence(channel, joining)
        if in_force is not None:
            self._close_revoked(channel, in_force)
        self._set_timer(channel, news)
        return min(_MOST_PAUSE_SECONDS, _PAUSE_SECONDS * reached * max(1, behind))

    def _read(
        self,
        channel: Channel,
        listening: tuple[Listening, ...],
        requests: list[Joining],
        tokens: bool,
        bills: list[Callable[[float], None]],
    ) -> tuple[News, frozenset[bytes] | None]:
        """Read the news and the tokens of the game. Runs in a thread. Streams that begin share the time."""
        began = time.thread_time()
        in_force = self._ledger.tokens.in_force(channel.game) if tokens else None
        news = channel.following.poll(listening, requests)
        for bill in bills:
            bill((time.thread_time() - began) / len(bills))
        return news, in_force

    def _close_revoked(self, channel: Channel, in_force: frozenset[bytes]) -> None:
        """End the streams with revoked tokens."""
        for stream in list(channel.streams()):
            if stream.follower.token not in in_force:
                stream.waiting.clear()
                stream.push(_encode_message(_message("closed", stream.version, {"reason": "token-revoked"})))
                stream.end()

    def _set_timer(self, channel: Channel, news: News) -> None:
        """Check again at the next deadline of the game."""
        if channel.timer is not None:
            channel.timer.cancel()
            channel.timer = None
        if news.wake is not None:
            seconds = news.wake.total_seconds() + _LATE_SECONDS
            channel.timer = asyncio.get_running_loop().call_later(min(seconds, _MOST_SECONDS), self._stir, channel)

    # Presence and heartbeats ------------------------------------------------------------------

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(_TICK_SECONDS)
            moment = time.monotonic()
            for channel in list(self._channels.values()):
                present = channel.local_presence()
                if moment >= channel.check_at:
                    channel.check_at = moment + HEARTBEAT_SECONDS
                    # A notice may be lost.
                    channel.tokens_changed = True
                    self._stir(channel)
                    self._say(channel, present)
                elif present != channel.announced:
                    self._say(channel, present)
                self._show_presence(channel, channel.streams())
                self._beat(channel, moment)

    def _beat(self, channel: Channel, moment: float) -> None:
        """Send a heartbeat to streams without recent messages, and give up streams whose clients read nothing."""
        at = self._ledger.clock.current_time()
        for stream in channel.joining:
            # The stream has no version yet, and a heartbeat would give its client a false id to resume from.
            if stream.sending and moment - stream.sent_at > self._send_seconds:
                stream.give_up()
        for stream in channel.streams():
            if stream.sending:
                if moment - stream.sent_at > self._send_seconds:
                    stream.give_up()
            elif moment - stream.sent_at > HEARTBEAT_SECONDS - _TICK_SECONDS:
                stream.sent_at = moment
                content = {"version": stream.version, "at": at}
                stream.push(_encode_message(_message("heartbeat", stream.version, content)))

    def _show_presence(self, channel: Channel, streams: Iterable[Stream]) -> None:
        """Send the connected viewers to the streams without this news."""
        presence = channel.present().summary(channel.seats, channel.out)
        for stream in streams:
            if stream.presence != presence:
                stream.presence = presence
                content = {"version": stream.version, **presence}
                stream.push(_encode_message(_message("presence", stream.version, content)))

    def _say(self, channel: Channel, present: Present, *, asks: bool = False) -> None:
        """Tell the other workers the viewers connected through this worker. With `asks`, ask for theirs."""
        channel.announced = present
        words = json.dumps({"worker": self._name, "game": channel.game, "asks": asks, **present.plain()})

        async def say() -> None:
            with suppress(StoreError):
                await asyncio.get_running_loop().run_in_executor(self._pool, self._ledger.store.notices.say, words)

        task = asyncio.ensure_future(say())
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    def _overhear(self, words: str) -> None:
        """Read a message of another worker: its connected viewers, the values of a throw to be made, or that the
        table plays again.
        """
        message = json.loads(words)
        channel = self._channels.get(message["game"])
        if channel is None:
            return
        if "throw" in message:
            for stream in channel.streams():
                stream.push(_encode_message(_message("throw", stream.version, message["throw"])))
            return
        if "continued" in message:
            self._stir(channel)
            return
        if message["worker"] == self._name:
            return
        channel.leave({seat: datetime.fromisoformat(at) for seat, at in message.get("left", {}).items()})
        present = Present(frozenset(message["seats"]), message["banker"], message["spectators"], {})
        if present == NOBODY:
            channel.others.pop(message["worker"], None)
        else:
            channel.others[message["worker"]] = time.monotonic() + 2.5 * HEARTBEAT_SECONDS, present
        if message["asks"]:
            self._say(channel, channel.local_presence())


async def _left(receive: Receive, stream: Stream) -> None:
    """Wait until the client closes the connection, and end its stream."""
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.waiting.clear()
    stream.end()


def _message(kind: str, version: int, content: Any) -> Message:
    return Message(kind, version, _encode(content))


def _encode_message(message: Message) -> bytes:
    """Encode a message for a stream of the HTML standard (Server-sent events, 9.2.6). JSON has no line breaks."""
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (message.version, message.kind.encode(), message.content)
