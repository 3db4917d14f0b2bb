"""`make bench`: speeds, each next to a floor that is measured in the same run.

`python -m tests.benchmarks reading` measures one section alone; `main` names them all.
Everything runs on a private Postgres in a temporary folder, with default durability.
"""

from __future__ import annotations

import gc
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import httpx

from ledger.kernel.audience import BANKER, Viewer
from ledger.kernel.decision import decide
from ledger.kernel.draft import Request
from ledger.kernel.journal import read
from ledger.kernel.state import collector_paused
from ledger.reading.journal import page_of_journal, read_entry
from ledger.reading.moves import open_moves
from ledger.reading.statements import statement
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.service import Command, Ledger
from ledger.store.connection import connect
from ledger.store.journal import _APPEND, _append_parameters
from ledger.store.migration import migrate
from ledger.store.postgres.embedded import EmbeddedPostgres
from ledger.store.records import GameRecord, Selection
from ledger.store.store import Store
from ledger.trust.verifying import verify
from tests.benchmarks import (
    console,
    crowded,
    exporting,
    listing,
    live,
    marathon,
    monopoly,
    reading,
    replaying,
    simulating,
    trust,
    virtual_revolution,
)
from tests.benchmarks.bare import an_action, bare_cursor
from tests.benchmarks.load import requests_per_second
from tests.benchmarks.serving import serving

ROUNDS = 5
GAMES = 8


def say(what: str, reached: str, floor: str, goal: str) -> None:
    """One line of the table."""
    sys.stdout.write(f"{what:<58} {reached:>22} {floor:>26} {goal:>14}\n")
    sys.stdout.flush()


def progress(what: str) -> None:
    """Print what is measured now, on standard error."""
    sys.stderr.write(f"… {what}\n")
    sys.stderr.flush()


def new_game(store: Store, name: str) -> str:
    """An empty game to append to."""
    store.create_game(GameRecord(name, "negopoly", name, datetime.now(UTC), b"{}"), [])
    return name


def appending(store: Store, url: str) -> None:
    """Append actions with three events, by the store and by the bare statement in turn, one connection each."""
    count = 1500
    cursor = bare_cursor(url)
    through: list[float] = []
    bare: list[float] = []
    for turn in range(ROUNDS):
        game = new_game(store, f"store{turn}")
        actions = [an_action(number) for number in range(1, count + 1)]
        began = time.perf_counter()
        for action in actions:
            store.append(game, action)
        through.append(count / (time.perf_counter() - began))
        game = new_game(store, f"bare{turn}")
        parameters = [_append_parameters(game, action) for action in actions]
        began = time.perf_counter()
        for values in parameters:
            cursor.execute(_APPEND, values)
            cursor.fetchone()
        bare.append(count / (time.perf_counter() - began))
    cursor.connection.close()
    ratio = statistics.median(one / other for one, other in zip(through, bare, strict=True))
    say(
        "append of an action with 3 events, one connection",
        f"{statistics.median(through):,.0f}/s = {ratio:.2f}",
        f"bare {statistics.median(bare):,.0f}/s",
        ">= 0.70",
    )


def over_http(store: Store, url: str) -> None:
    """Call `POST …/actions` and the bare view in turn, with eight games and eight clients each."""
    count = 400
    bare: list[float] = []
    ours: list[float] = []
    with serving("tests.benchmarks.bare:create", url) as floor, serving("api.server:front", url) as worker:
        address = worker.address
        for turn in range(ROUNDS):
            games = [new_game(store, f"view{turn}-{index}") for index in range(GAMES)]
            scripts: list[Any] = [[("/act", {}, {"game": game})] * count for game in games]
            bare.append(requests_per_second(floor.address, scripts))
            ours.append(requests_per_second(address, [_transfers(address, count) for _ in range(GAMES)]))
    ratio = statistics.median(one / other for one, other in zip(ours, bare, strict=True))
    say(
        "POST …/actions, 8 games, 8 clients, one worker",
        f"{statistics.median(ours):,.0f}/s = {ratio:.2f}",
        f"bare view {statistics.median(bare):,.0f}/s",
        ">= 0.40",
    )


def _transfers(address: tuple[str, int], count: int) -> list[tuple[str, dict[str, str], dict[str, Any]]]:
    """A started game of two with a script of transfers in both directions."""
    base = f"http://{address[0]}:{address[1]}/api/v1"
    players = [{"seat": "ana", "name": "Ana"}, {"seat": "bob", "name": "Bob"}]
    with httpx.Client() as client:
        body = {"rulebook": "negopoly", "players": players, "dice": "table"}
        created = client.post(f"{base}/games", json=body).raise_for_status().json()
        path = f"/api/v1/games/{created['game']}/actions"
        tokens = created["tokens"]["players"] | {"banker": created["tokens"]["banker"]}

        def act(who: str, kind: str, **params: Any) -> None:
            client.post(
                f"{base[:-7]}{path}",
                json={"kind": kind, "params": params},
                headers={"Authorization": f"Bearer {tokens[who]}"},
            ).raise_for_status()

        for seat in ("ana", "bob"):
            act(seat, "join_game", persona=seat)
            act(seat, "choose_starter_perk", perk="money")
        act("banker", "start_game")
    sides = ("ana", "bob"), ("bob", "ana")
    return [
        (
            path,
            {"Authorization": f"Bearer {tokens[payer]}"},
            {"kind": "transfer_money", "params": {"to": payee, "amount": 1}},
        )
        for payer, payee in (sides[turn % 2] for turn in range(count))
    ]


def long_game(ledger: Ledger, store: Store) -> str:
    """Play 50,000 actions, and time those around number 100 and those at the end."""
    game = marathon.create(ledger)
    chance = random.Random(7)
    marathon.run(ledger, game, 100, chance)
    early = _cost(ledger, game, chance)
    for upto in range(5_000, 50_001, 5_000):
        marathon.run(ledger, game, upto, chance)
        progress(f"a long game: {upto:,} of 50,000 actions")
    late = _cost(ledger, game, chance)
    say(
        "one action at number 50,000 against number 100",
        f"{late / early:.2f} times",
        f"{early * 1e6:,.0f} µs at number 100",
        "<= 1.2 times",
    )
    return game


def _cost(ledger: Ledger, game: str, chance: random.Random) -> float:
    """The median seconds per action over the next 600, with equal weight for each kind."""
    taken: dict[str, list[float]] = {}
    script = marathon.commands(chance, lambda: ledger.games.open(game).state)
    for seat, kind, params in islice(script, 600):
        began = time.perf_counter()
        ledger.perform(game, Viewer("player", seat), Command(kind=kind, params=params))
        taken.setdefault(kind, []).append(time.perf_counter() - began)
    return statistics.mean(statistics.median(taken[kind]) for kind in ("roll_dice", "transfer_money", "end_turn"))


def rebuilding(store: Store, game: str) -> None:
    """Fold the first 10,000 events of the long game from the database, without a snapshot."""
    upto = _action_of_event(store, game, 10_000)
    folds: list[float] = []
    whole: list[float] = []
    for _ in range(ROUNDS):
        gc.collect()
        began = time.perf_counter()
        runs = list(store.runs(game, upto=upto, batch=100_000))
        fetched = time.perf_counter()
        state = RULEBOOK.blank()
        for run in runs:
            with collector_paused():
                for facts in RULEBOOK.facts([entry.canonical for entry in run]):
                    state.fold(facts.events)
        ended = time.perf_counter()
        folds.append(state.seq / (ended - fetched))
        whole.append(state.seq / (ended - began))
    say(
        f"rebuilding {state.seq:,} events: decode and fold",
        f"{statistics.median(folds):,.0f} events/s",
        f"with fetching {statistics.median(whole):,.0f}/s",
        ">= 200,000/s",
    )


def verifying(ledger: Ledger, game: str) -> None:
    """Verify the long game, with its rows and snapshots, and once decide all of it again."""
    events = ledger.moment(game).now.seq
    speeds: list[float] = []
    for _ in range(ROUNDS):
        gc.collect()
        began = time.perf_counter()
        if list(verify(ledger.games, game)):
            raise SystemExit("the long game has findings")
        speeds.append(events / (time.perf_counter() - began))
    began = time.perf_counter()
    if list(verify(ledger.games, game, decide=True)):
        raise SystemExit("the long game is decided otherwise")
    deciding = events / (time.perf_counter() - began)
    say(
        f"verifying {events:,} events",
        f"{statistics.median(speeds):,.0f} events/s",
        f"deciding again {deciding:,.0f}/s",
        ">= 50,000/s",
    )


def _action_of_event(store: Store, game: str, seq: int) -> int:
    found = store.entries(game, Selection(limit=seq))
    for number, stored in found:
        entry = read(stored)
        if entry.first_seq + len(entry.events) > seq:
            return number
    return found[-1][0]


def deciding(store: Store, game: str) -> None:
    """Decide and record the first 2,000 actions of the long game again, in memory."""
    entries = [read(stored) for _, stored in store.entries(game, Selection(limit=2_000))]
    requests = [
        Request(
            action=RULEBOOK.action(entry.kind, bytes(entry.params)),
            seat=entry.seat,
            by=entry.by,
            at=entry.recorded_at,
            draws=entry.draws,
        )
        for entry in entries
    ]
    rates: list[float] = []
    for _ in range(ROUNDS):
        state = RULEBOOK.blank()
        began = time.perf_counter()
        for request in requests:
            state = decide(RULEBOOK, state, request, chance=None).state
        rates.append(len(requests) / (time.perf_counter() - began))
    say("decide + record in memory", f"{statistics.median(rates):,.0f} actions/s", "-", "reported")


def looking(ledger: Ledger, game: str) -> None:
    """Measure the moves of a seat."""
    state: Any = ledger.moment(game).now
    seat = state.turn.seat
    taken: list[float] = []
    for _ in range(50):
        began = time.perf_counter()
        open_moves(ledger.moment(game, Viewer("player", seat)), None, ledger.clock.now())
        taken.append(time.perf_counter() - began)
    say("moves of the seat whose turn it is", f"{statistics.median(taken) * 1e3:.1f} ms", "-", "reported")


def correcting(ledger: Ledger) -> None:
    """Correct the first throw of a game of 1,200 actions: the preview, and every reading before and after."""
    game = marathon.create(ledger)
    marathon.run(ledger, game, 1_200, random.Random(11))
    entries = (read_entry(ledger.moment(game), number) for number in range(10, 1_200))
    throw = next(entry for entry in entries if entry is not None and entry.kind == "roll_dice")
    other = [7 - die for die in throw.params["dice"]]
    edits = [{"op": "replace", "action": throw.number, "params": {"dice": other}}]
    command = Command(kind="correct", params={"edits": edits, "cascade": "restate", "reason": "misread"})
    previews = [_seconds(lambda: ledger.preview(game, BANKER, command), 1) for _ in range(ROUNDS)]
    found = ledger.preview(game, BANKER, command).preview
    counts = "" if found is None else f"{found.counts.restated} restated, {found.counts.voided} voided"
    say(
        f"preview of a correction at action {throw.number} of 1,200, restate",
        f"{statistics.median(previews) * 1e3:,.0f} ms",
        counts,
        "< 300 ms",
    )
    reads: dict[str, Callable[[], object]] = {
        "the state": lambda: ledger.moment(game).now,
        "the state at action 1,150": lambda: ledger.moment(game, at=1_150).state,
        "the last 50 entries of the journal": lambda: page_of_journal(ledger.moment(game), newest_first=True),
        "50 entries behind action 1,100": lambda: page_of_journal(ledger.moment(game), after=1_100),
        "a statement from the start": lambda: statement(ledger.moment(game), "player:ana"),
        "a statement behind action 1,100": lambda: statement(ledger.moment(game), "player:ana", after=1_100),
    }
    before = {name: _seconds(read_it, 30) for name, read_it in reads.items()}
    ledger.perform(game, BANKER, command)
    for name, read_it in reads.items():
        after = _seconds(read_it, 30)
        say(
            f"{name}, after that correction",
            f"{after * 1e3:.2f} ms = {after / before[name]:.2f}",
            f"before {before[name] * 1e3:.2f} ms",
            "not slower",
        )


def _seconds(measured: Callable[[], object], times: int) -> float:
    """The median seconds of a number of calls."""
    taken: list[float] = []
    for _ in range(times):
        began = time.perf_counter()
        measured()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def in_a_long_game(ledger: Ledger, store: Store) -> None:
    """Play a long game, and measure everything that its length might slow down."""
    game = long_game(ledger, store)
    rebuilding(store, game)
    verifying(ledger, game)
    deciding(store, game)
    looking(ledger, game)
    progress("going through it again")
    replaying.measured(ledger, game, say)


def main(asked: Sequence[str]) -> None:
    """Measure the named sections, or all, and print the table."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedPostgres(Path(folder) / "bench") as server:
        migrate(server.url)
        engine = connect(server.url)
        store = Store(engine)
        ledger = Ledger(store, {RULEBOOK.id: RULEBOOK})
        sections: dict[str, Callable[[], None]] = {
            "appending": lambda: appending(store, server.url),
            "acting": lambda: over_http(store, server.url),
            "crowded": lambda: crowded.measured(server.url, _transfers, say, progress),
            "reading": lambda: reading.measured(ledger, server.url, serving, say, progress),
            "live": lambda: live.measured(ledger, server.url, serving, say, progress),
            "listing": lambda: listing.measured(server.url, serving, say, progress),
            "correcting": lambda: correcting(ledger),
            "long": lambda: in_a_long_game(ledger, store),
            "simulating": lambda: simulating.measured(ledger, server.url, serving, say, progress),
            "monopoly": lambda: monopoly.measured(say, progress),
            "virtual_revolution": lambda: virtual_revolution.measured(say, progress),
            "console": lambda: console.measured(ledger, server.url, say, progress),
            "trust": lambda: trust.measured(server.url, say, progress),
            "exporting": lambda: exporting.measured(store, server.url, say, progress),
        }
        if unknown := set(asked) - sections.keys():
            raise SystemExit(f"no section {', '.join(sorted(unknown))}; there are: {', '.join(sections)}")
        say("what", "reached", "floor", "at least")
        for name in asked or sections:
            progress(name)
            sections[name]()
        engine.dispose()


if __name__ == "__main__":
    main(sys.argv[1:])
