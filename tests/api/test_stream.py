"""The stream of a game: one action, seen by the whole table at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient

from api.front.front import Front
from tests.api.asgi import get
from tests.api.following import Following, aside, following
from tests.api.test_the_end import bankruptcy
from tests.harness.figures import figures
from tests.harness.patches import apply_patch
from tests.store.test_connections import hang_up
from tests.tables.ledgers import Clock
from tests.tables.over_http import BASE, Caller, HttpTable, problem


def played(scenario: Coroutine[Any, Any, None]) -> None:
    """Play a scenario in an event loop. Nothing in it waits longer than a machine under load needs."""
    asyncio.run(asyncio.wait_for(scenario, 300))


@pytest.fixture
def client(app: Flask, clock: Clock) -> FlaskClient:
    """A client that several threads may use: it keeps no context of its requests."""
    return app.test_client()


@pytest.fixture
def new_front(new_app: Callable[..., Flask]) -> Callable[..., Front]:
    """A front with one thread, so that a thread that is held is noticed, and these settings."""
    return lambda **settings: Front(new_app(**settings), 1)


def pay(payer: Caller, to: str, amount: int = 1) -> dict[str, Any]:
    return payer.play("transfer_money", to=to, amount=amount)


class TestWhatIsTold:
    def test_an_action_reaches_the_whole_table(self, started: HttpTable, new_front: Callable[..., Front]) -> None:
        """Bob pays Ana 100. Everybody reads the entry that they would read from the journal."""

        async def scenario() -> None:
            callers = (started.ana, started.bob, started.banker, started.spectator)
            streams = [Following(one) for one in callers]
            async with following(new_front(), *streams):
                await aside(pay, started.bob, "ana", 100)
                for caller, one in zip(callers, streams, strict=True):
                    entry = await one.heard("entry")
                    assert (entry.id, entry.data) == (7, (await aside(caller.get, "actions/7")).json)
                    assert one.headers["content-type"] == "text/event-stream"
                    assert one.headers["x-accel-buffering"] == "no"
                    assert "content-length" not in one.headers
                    assert one.content.startswith(b"retry: ")

        played(scenario())

    def test_a_state_is_told_whole_and_then_by_patches(
        self, started: HttpTable, new_front: Callable[..., Front]
    ) -> None:
        """Whoever applies every patch has the state that the service would give them."""

        async def scenario() -> None:
            front = new_front()
            callers = (started.ana, started.bob, started.banker, started.spectator)
            streams = [Following(one, "?with=state") for one in callers]
            async with following(front, *streams):
                started_at = streams[0].of("state")[0]
                assert started_at.data == {"version": 6, "state": (await aside(started.ana.get, "state")).json}
                await aside(pay, started.ana, "bob", 100)
                await aside(started.ana.play, "roll_dice", dice=[1, 2])
                await aside(started.ana.play, "resolve_square")
                for caller, one in zip(callers, streams, strict=True):
                    await one.until(lambda it: it.of("state")[-1].id == 9)
                    held: Any = None
                    for message in one.of("state"):
                        whole = "state" in message.data
                        assert whole or message.data["since"] == held["version"]
                        held = message.data["state"] if whole else apply_patch(held, message.data["patch"])
                        assert message.id == held["version"] == message.data["version"]
                    assert held == (await aside(caller.get, "state")).json
                    assert any("patch" in message.data for message in one.of("state"))

        played(scenario())

    def test_a_covered_page_hears_what_a_spectator_hears(
        self, started: HttpTable, new_front: Callable[..., Front]
    ) -> None:
        """Ana and the banker follow with a spectator's eyes while she pays Bob in private and throws the dice."""

        async def scenario() -> None:
            covered = [
                Following(one, "?with=state,moves", view_as="spectator") for one in (started.ana, started.banker)
            ]
            own, public = (Following(one, "?with=state,moves") for one in (started.ana, started.spectator))
            async with following(new_front(), *covered, own, public):
                await aside(pay, started.ana, "bob", 100)
                await aside(started.ana.play, "roll_dice", dice=[1, 2])
                told = []
                for one in (*covered, public, own):
                    await one.until(lambda it: it.of("state")[-1].id == 8)
                    told.append([(message.kind, message.data) for message in one.of("entry", "state", "moves")])
                assert told[0] == told[1] == told[2] != told[3]
                assert not public.of("moves")

        played(scenario())

    def test_moves_are_told_when_they_change(self, started: HttpTable, new_front: Callable[..., Front]) -> None:
        async def scenario() -> None:
            ana, watching = (
                Following(started.ana, "?with=moves"),
                Following(started.spectator, "?with=state,moves"),
            )
            async with following(new_front(), ana, watching):
                first = ana.of("moves")[0].data
                assert first | {"obstacles": []} == (await aside(started.ana.get, "moves")).json
                assert "roll_dice" in {move["kind"] for move in first["moves"]}
                await aside(started.ana.play, "roll_dice", dice=[1, 2])
                then = await ana.heard("moves", 2)
                assert then.data | {"obstacles": []} == (await aside(started.ana.get, "moves")).json
                assert "roll_dice" not in {move["kind"] for move in then.data["moves"]}

        played(scenario())

    def test_the_language_is_the_callers(self, started: HttpTable, new_front: Callable[..., Front]) -> None:
        async def scenario() -> None:
            english, french = Following(started.ana), Following(started.ana, "?language=fr")
            async with following(new_front(), english, french):
                await aside(pay, started.bob, "ana")
                texts = [(await one.heard("entry")).data["events"][0]["text"] for one in (english, french)]
                assert texts[0] != texts[1]
                assert french.headers["content-language"] == "fr"

        played(scenario())

    def test_a_private_deal_is_told_to_its_parties_alone(
        self, new_front: Callable[..., Front], client: Any
    ) -> None:
        """Ana offers Bob a deal. Cid learns that something private happened, as from the journal."""
        table = HttpTable.created(client, "ana", "bob", "cid").start()

        async def scenario() -> None:
            streams = {who: Following(table.players[who], "?with=state") for who in ("bob", "cid")}
            async with following(new_front(), *streams.values()):
                await aside(table.ana.play, "propose_deal", parties=["bob"], clauses=["137 words"])
                assert (await streams["bob"].heard("entry")).data["kind"] == "propose_deal"
                hidden = (await streams["cid"].heard("entry")).data
                assert (hidden["kind"], hidden["params"], hidden["events"]) == ("private", {}, [])
                await streams["cid"].heard("state", 2)
                assert 137 not in figures(streams["cid"].content.decode())

        played(scenario())


class TestCorrections:
    def test_an_undo_tells_what_was_rewritten(self, gifts: HttpTable, new_front: Callable[..., Front]) -> None:
        """The banker undoes Ana's first gift: action 8 falls, because Bob has nothing to give back."""

        async def scenario() -> None:
            banker, ana = Following(gifts.banker), Following(gifts.ana, "?with=state")
            async with following(new_front(), banker, ana):
                done = await aside(gifts.banker.post, "undo", {"action": 7, "reason": "mistyped"})
                assert done.status_code == 201, done.text
                for one in (banker, ana):
                    rewritten = await one.heard("rewritten")
                    assert [message.kind for message in one.messages if message.id == 10][:2] == [
                        "entry",
                        "rewritten",
                    ]
                    assert rewritten.id == 10
                    for number in rewritten.data["numbers"]:
                        assert (await aside(gifts.banker.get, f"actions/{number}")).json["corrected_by"] == 10
                    assert 7 in rewritten.data["numbers"]
                    assert rewritten.data["from"] == 7
                await ana.until(lambda it: it.of("state")[-1].id == 10)

        played(scenario())

    def test_an_end_tells_what_it_reveals_and_its_undo_what_is_hidden_again(
        self, started: HttpTable, new_front: Callable[..., Front]
    ) -> None:
        """A spectator reads Ana's offer to Bob from the end on, until the end is undone."""
        table = started
        table.ana.play("propose_deal", parties=["bob"], clauses=["137 words"])
        start, (kind, _) = table.version, bankruptcy(table)

        def lines() -> dict[int, Any]:
            return {line["number"]: line for line in table.spectator.get("actions?limit=100").json["actions"]}

        async def scenario() -> None:
            front, watching, banker = new_front(), Following(table.spectator), Following(table.banker)
            async with following(front, watching, banker):
                reads = [await aside(lines)]
                end = (await aside(table.ana.play, kind))["number"]
                for turn in (1, 2):
                    revealed = await watching.heard("rewritten", turn)
                    reads.append(await aside(lines))
                    earlier, later = reads[-2:]
                    differ = [
                        number for number in earlier if earlier[number]["sentence"] != later[number]["sentence"]
                    ]
                    assert start in differ
                    assert {*differ} <= {*revealed.data["numbers"]}
                    assert revealed.data["from"] == 1
                    for last in (table.version - 1, table.version):
                        again = Following(table.spectator, last=last)
                        async with following(front, again):
                            assert [told.data for told in again.of("rewritten")] == [revealed.data]
                    if turn == 1:
                        undone = await aside(table.banker.post, "undo", {"action": end, "reason": "not yet"})
                        assert undone.status_code == 201, undone.text
                assert reads[0] == {number: reads[2][number] for number in reads[0]}
                assert [told.id for told in banker.of("rewritten")] == [end + 1]

        played(scenario())


class TestComingBack:
    def test_nothing_is_missed_or_repeated_wherever_the_stream_broke(
        self, gifts: HttpTable, new_front: Callable[..., Front]
    ) -> None:
        """Ana's phone loses its connection after any message, and comes back with the last id."""

        async def scenario() -> None:
            front = new_front()
            whole = Following(gifts.ana, "?after=0")
            async with following(front, whole):
                assert whole.numbers == list(range(1, 10))
            for number in range(10):
                again = Following(gifts.ana, "?after=0", last=number)
                async with following(front, again):
                    assert again.numbers == list(range(number + 1, 10))
                    assert again.of("entry") == whole.of("entry")[number:]

        played(scenario())

    def test_who_left_between_a_correction_and_what_it_rewrote_is_told_what_it_rewrote(
        self, gifts: HttpTable, new_front: Callable[..., Front]
    ) -> None:
        """Both messages have the correction's number. Whoever has seen the earlier one comes back with it."""
        assert gifts.banker.post("undo", {"action": 7, "reason": "mistyped"}).status_code == 201

        async def scenario() -> None:
            front = new_front()
            for last in (9, 10):
                again = Following(gifts.ana, last=last)
                async with following(front, again):
                    (rewritten,) = again.of("rewritten")
                    assert (rewritten.id, rewritten.data["from"]) == (10, 7)
                    assert 7 in rewritten.data["numbers"]
                    assert again.numbers == list(range(last + 1, 11))

        played(scenario())

    def test_who_comes_back_to_another_journal_is_told_so(
        self, started: HttpTable, new_front: Callable[..., Front]
    ) -> None:
        """Given an older backup that is played on, then the same number is of another entry: read it again."""

        async def scenario() -> None:
            front = new_front()
            leaf = started.ana.get("actions/5").json["receipt"]["leaf"][:12]
            same = Following(started.ana, "?with=state", last=f"5-{leaf}")
            async with following(front, same):
                await same.heard("state")
                assert (same.numbers, same.of("gap")) == ([6], [])
            other = Following(started.ana, "?with=state", last="5-0123456789ab")
            async with following(front, other):
                await other.heard("state")
                assert [one.data for one in other.of("gap")] == [{"after": 5, "version": 6}]
                assert other.numbers == []

        played(scenario())

    def test_who_missed_too_much_is_told_so(
        self, started: HttpTable, new_front: Callable[..., Front], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """More entries than are sent at once were missed, or the journal is another one: read it again."""
        monkeypatch.setattr("ledger.reading.table.following.MOST_MISSED", 3)

        async def scenario() -> None:
            front = new_front()
            for last in (2, 7):
                late = Following(started.ana, "?with=state", last=last)
                async with following(front, late):
                    gap = late.of("gap")[0]
                    assert (gap.id, gap.data, late.numbers) == (6, {"after": last, "version": 6}, [])
                    assert late.of("state")[0].data["state"]["version"] == 6
            in_time = Following(started.ana, last=3)
            async with following(front, in_time):
                assert (in_time.numbers, in_time.of("gap")) == ([4, 5, 6], [])

        played(scenario())

    def test_a_database_that_hangs_up_costs_a_pause_and_no_message(
        self, started: HttpTable, new_front: Callable[..., Front], database_url: str
    ) -> None:
        """All connections to the database break while Ana follows, the listening one included."""

        async def scenario() -> None:
            ana = Following(started.ana)
            async with following(new_front(), ana):
                with psycopg.connect(database_url, autocommit=True) as owner:
                    await aside(hang_up, owner)
                # A payment may be refused once, by a connection that is found broken.
                await aside(started.bob.act, "transfer_money", params={"to": "ana", "amount": 1})
                await aside(pay, started.bob, "ana")
                last = started.version
                await ana.until(lambda it: it.numbers[-1:] == [last])
                assert ana.numbers == list(range(7, last + 1))

        played(scenario())

    def test_many_actions_at_once_all_arrive_in_order(
        self, started: HttpTable, new_front: Callable[..., Front]
    ) -> None:
        async def scenario() -> None:
            ana, late = Following(started.ana), Following(started.bob, "?after=5")
            front = new_front()
            async with following(front, ana):
                first = asyncio.gather(
                    *(aside(pay, who, to) for who, to in [(started.ana, "bob"), (started.bob, "ana")] * 6)
                )
                async with following(front, late):
                    await first
                    await late.until(lambda it: len(it.numbers) == 13)
                await ana.until(lambda it: len(it.numbers) == 12)
                assert ana.numbers == list(range(7, 19))
                assert late.numbers == list(range(6, 19))

        played(scenario())


class TestTime:
    def test_the_end_of_a_turn_is_told_when_it_comes(
        self, started: HttpTable, new_front: Callable[..., Front], clock: Clock
    ) -> None:
        """Ana's time runs out while nobody acts. The table sees it, and the state says what is due."""

        async def scenario() -> None:
            ends = started.ana.get("state").json
            assert ends["version"] == 6
            clock.now += timedelta(seconds=300) - timedelta(milliseconds=50)
            bob = Following(started.bob, "?with=state")
            async with following(new_front(), bob):
                assert bob.of("due") == []
                clock.now += timedelta(seconds=1)
                due = await bob.heard("due")
                assert (due.id, due.data["due"]["actions"][0]["kind"]) == (6, "expire_turn")
                state = await bob.heard("state", 2)
                assert state.data["patch"]["due"] == due.data["due"]
                assert (await aside(started.bob.get, "state")).json["due"] == due.data["due"]

        played(scenario())

    def test_the_end_of_the_game_is_told(self, started: HttpTable, new_front: Callable[..., Front]) -> None:
        async def scenario() -> None:
            bob = Following(started.bob)
            front = new_front()
            async with following(front, bob):
                fined = [{"op": "fine", "seat": "ana", "amount": 2000}]
                await aside(started.banker.post, "rulings", {"finding": "She burned the board", "remedies": fined})
                await aside(started.ana.play, "declare_bankruptcy")
                assert (await bob.heard("ended")).id == (await bob.heard("entry", 2)).id == 8
                # Whoever comes later is told, and those who were there are not told again.
                later = Following(started.spectator)
                async with following(front, later):
                    assert [one.kind for one in later.messages] == ["ended", "presence"]
                    await bob.until(lambda it: it.of("presence")[-1].data["spectators"] == 1)
                    assert len(bob.of("ended")) == 1

        played(scenario())

    def test_silence_is_broken_by_the_time(
        self, started: HttpTable, new_front: Callable[..., Front], monkeypatch: pytest.MonkeyPatch, clock: Clock
    ) -> None:
        monkeypatch.setattr("api.front.live.HEARTBEAT_SECONDS", 0.6)

        async def scenario() -> None:
            bob = Following(started.bob)
            async with following(new_front(), bob):
                beat = await bob.heard("heartbeat", 2)
                assert beat.id == 6
                assert beat.data == {"version": 6, "at": clock.now.isoformat().replace("+00:00", "Z")}

        played(scenario())


class TestWhoIsThere:
    @pytest.fixture(autouse=True)
    def often(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Look often at who is there."""
        monkeypatch.setattr("api.front.live._TICK_SECONDS", 0.05)

    def test_those_who_come_and_go_are_told(
        self, started: HttpTable, new_front: Callable[..., Front], clock: Clock
    ) -> None:
        """Two workers: Ana follows through one, Bob and two spectators through the other."""

        async def scenario() -> None:
            one, other = new_front(), new_front()
            ana = Following(started.ana)
            async with following(one, ana):
                alone: dict[str, Any] = {"version": 6, "seats": {"ana": True, "bob": False}}
                alone |= {"banker": False, "spectators": 0, "left": {}}
                assert ana.of("presence")[0].data == alone
                guests = [Following(started.bob), Following(started.spectator), Following(started.spectator)]
                async with following(other, *guests):
                    full = alone | {"seats": {"ana": True, "bob": True}, "spectators": 2}
                    for stream in (ana, *guests):
                        await stream.until(lambda it: it.of("presence")[-1].data == full)
                away = alone | {"left": {"bob": clock.now.isoformat().replace("+00:00", "Z")}}
                await ana.until(lambda it: it.of("presence")[-1].data == away)
                # Whoever comes later by the other worker knows it, too; and who is back is not away.
                later = Following(started.spectator)
                async with following(other, later):
                    await later.until(lambda it: it.of("presence")[-1].data == away | {"spectators": 1})
                    async with following(one, Following(started.bob)):
                        here = full | {"spectators": 1}
                        for stream in (ana, later):
                            await stream.until(lambda it: it.of("presence")[-1].data == here)

        played(scenario())

    @pytest.mark.parametrize("who", ["bob", "banker", "spectator"])
    def test_another_worker_is_told_when_its_last_stream_ends(
        self, started: HttpTable, new_front: Callable[..., Front], who: str
    ) -> None:
        async def scenario() -> None:
            ana, guest = Following(started.ana), Following(getattr(started, who))
            async with following(new_front(), ana):
                alone = ana.of("presence")[0].data
                async with following(new_front(), guest):
                    await ana.heard("presence", 2)
                gone = (await ana.heard("presence", 3)).data
                assert {**gone, "left": {}} == alone
                assert set(gone["left"]) == ({"bob"} if who == "bob" else set())

        played(scenario())

    def test_who_stays_hears_what_happens_after_others_left(
        self, started: HttpTable, client: FlaskClient, new_front: Callable[..., Front]
    ) -> None:
        """Of two spectators who follow alike one leaves, and then the last one of another game."""

        async def scenario() -> None:
            front, stays, another = new_front(), Following(started.spectator), HttpTable.created(client).start()
            async with following(front, stays):
                for leaves in (started.spectator, another.bob):
                    async with following(front, Following(leaves)):
                        pass
                await aside(started.ana.play, "roll_dice", dice=[1, 2])
                assert (await stays.heard("entry")).data["kind"] == "roll_dice"
            assert front.live.places.used == 0

        played(scenario())

    def test_a_revoked_token_ends_its_streams_in_every_worker(
        self, started: HttpTable, new_front: Callable[..., Front]
    ) -> None:
        """Ana's phone is lost. The banker revokes its token; Bob's stream goes on."""

        async def scenario() -> None:
            ana, bob = Following(started.ana, "?with=state"), Following(started.bob)
            async with following(new_front(), ana, bob):
                tokens = started.banker.get("tokens").json["tokens"]
                lost = next(one["id"] for one in tokens if one["seat"] == "ana")
                assert (await aside(started.banker.delete, f"tokens/{lost}")).status_code == 204
                assert (await ana.heard("closed")).data == {"reason": "token-revoked"}
                await ana.until(lambda it: it.finished)
                await aside(pay, started.bob, "ana")
                await bob.heard("entry")
                assert ana.of("entry") == []

        played(scenario())


class TestLimits:
    def test_streams_hold_no_thread_and_are_bounded(
        self, started: HttpTable, new_front: Callable[..., Front]
    ) -> None:
        """A worker with one thread sends four streams, of which three may go to one address."""

        async def scenario() -> None:
            front = new_front(streams=4)
            callers = (started.ana, started.bob, started.banker)
            elsewhere = Following(started.spectator, address="192.0.2.8")
            async with following(front, *map(Following, callers), elsewhere):
                assert (await get(f"{BASE}/rulebooks").with_(front)).status == 200
                refused = await Following(started.spectator, address="192.0.2.9").with_(front)
                assert (refused.status, refused.json["type"]) == (503, "/problems/unavailable")
                assert refused.headers["retry-after"] == "5"
            async with following(front, *map(Following, callers)):
                too_many = await Following(started.spectator).with_(front)
                assert (too_many.status, too_many.json["type"]) == (429, "/problems/too-many-requests")
                assert '"streams";q=3;qu="concurrent-requests"' in too_many.headers["ratelimit-policy"]
                # Of four streams a token may have one, wherever its holder is.
                again = await Following(started.ana, address="192.0.2.9").with_(front)
                assert (again.status, again.json["detail"]) == (429, "your token may have 1 streams")
            assert front.live.places.used == 0

        played(scenario())

    def test_a_crowd_comes_back_at_once(self, started: HttpTable, new_front: Callable[..., Front]) -> None:
        """Eighty phones behind one address reconnect at once: more than may have requests in progress."""

        async def scenario() -> None:
            crowd = [Following(started.spectator, last=3) for _ in range(80)]
            async with following(new_front(requests_at_once=2), *crowd):
                assert all(one.numbers == [4, 5, 6] for one in crowd)

        played(scenario())

    def test_a_client_that_reads_nothing_is_given_up(
        self, started: HttpTable, new_front: Callable[..., Front]
    ) -> None:
        async def scenario() -> None:
            front = new_front(send_seconds=0.2)
            deaf = Following(started.ana, reads=False)
            await deaf.with_(front)
            assert not deaf.finished
            assert front.live.places.used == 0

        played(scenario())

    def test_a_worker_that_ends_lets_its_streams_end(
        self, started: HttpTable, new_front: Callable[..., Front]
    ) -> None:
        async def scenario() -> None:
            front, ana = new_front(), Following(started.ana)
            async with following(front, ana):
                front.live.end()
                await ana.until(lambda it: it.finished)
                assert (await Following(started.ana).with_(front)).status == 503

        played(scenario())

    def test_what_is_refused_takes_no_place(
        self, started: HttpTable, new_front: Callable[..., Front], client: Any
    ) -> None:
        async def scenario() -> None:
            front = new_front()
            for query, last, status in (("?with=hands", None, 422), ("?after=-1", None, 422)):
                assert (await Following(started.ana, query, last=last).with_(front)).status == status
            odd = Following(started.ana)
            odd.scope["headers"] = [*odd.scope["headers"], (b"last-event-id", b"six")]
            assert (await odd.with_(front)).json["type"] == "/problems/bad-request"
            assert (await Following(started.stranger).with_(front)).status == 401
            head = Following(started.ana)
            head.scope["method"] = "HEAD"
            assert (await head.with_(front)).status == 200
            assert (head.content, front.live.places.used) == (b"", 0)

        played(scenario())
        problem(started.ana.get("stream"), 503, "unavailable")
