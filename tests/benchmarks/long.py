"""A long game: everything that its length might slow down."""

from __future__ import annotations

import gc
import random
import statistics
import time
from collections.abc import Iterable
from itertools import islice

from ledger.kernel.deciding.decision import decide
from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.state import collector_paused
from ledger.kernel.journal.entry import read
from ledger.kernel.rules.draft import Request
from ledger.reading.moves.moves import open_moves
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.table.state import Negopoly
from ledger.service import Command, Ledger
from ledger.store.records import Selection
from ledger.store.store import Store
from ledger.trust.verifying import verify
from replays.frames import page
from tests.benchmarks import marathon
from tests.benchmarks.bench import Bench, progress, say

ACTIONS = 50_000
EARLY = 100
"""The actions at the end are compared with those after so many."""
TIMED = 600
"""How many actions are timed at each of the two places."""
STRETCHES = 10
"""How often the progress is told while the game is played."""
REBUILT = 10_000
"""How many events are rebuilt."""
DECIDED = 2_000
"""How many actions are decided again in memory."""
LISTED = 50
"""How often the moves are listed."""
PAGES = 40
FRAMES = 50
"""The number of frames on a page of the replay."""
BEGINNING = 1_000
"""Pages that begin up to this action are compared with pages anywhere."""
ROUNDS = 5


def measured(bench: Bench) -> None:
    """Play the game, and measure."""
    rounds = bench.rounds(ROUNDS)
    game = _played(bench)
    _rebuilding(bench.store, game, bench.size(REBUILT, 100), rounds)
    _verifying(bench.ledger, game, rounds)
    _deciding(bench.store, game, bench.size(DECIDED, 20), rounds)
    _listing_moves(bench.ledger, game, bench.size(LISTED, 1))
    progress("going through it again")
    _replaying(bench, game)


def _played(bench: Bench) -> str:
    """Play the game, and time actions near its beginning and at its end. Returns its id."""
    actions, early, timed = bench.size(ACTIONS, 150), bench.size(EARLY, 30), bench.size(TIMED, 40)
    game = marathon.create(bench.ledger)
    chance = random.Random(7)
    marathon.run(bench.ledger, game, early, chance)
    first = _cost(bench.ledger, game, chance, timed)
    for stretch in range(1, STRETCHES + 1):
        upto = actions * stretch // STRETCHES
        marathon.run(bench.ledger, game, upto, chance)
        progress(f"a long game: {upto:,} of {actions:,} actions")
    last = _cost(bench.ledger, game, chance, timed)
    say(
        f"one action at number {actions:,} against number {early}",
        f"{last / first:.2f} times",
        f"{first * 1e6:,.0f} µs at number {early}",
        "<= 1.2 times",
    )
    return game


def _cost(ledger: Ledger, game: str, chance: random.Random, actions: int) -> float:
    """The median seconds per action over the next actions, with equal weight for each kind."""
    taken: dict[str, list[float]] = {}
    script = marathon.commands(chance, lambda: ledger.games.open(game).state)
    for seat, kind, params in islice(script, actions):
        began = time.perf_counter()
        ledger.perform(game, Viewer("player", seat), Command(kind=kind, params=params))
        taken.setdefault(kind, []).append(time.perf_counter() - began)
    return statistics.mean(statistics.median(taken[kind]) for kind in ("roll_dice", "transfer_money", "end_turn"))


def _rebuilding(store: Store, game: str, events: int, rounds: int) -> None:
    """Fold the first events of the game from the database, without a snapshot."""
    upto = _action_of_event(store, game, events)
    folds: list[float] = []
    whole: list[float] = []
    for _ in range(rounds):
        gc.collect()
        began = time.perf_counter()
        runs = list(store.journal.runs(game, upto=upto, batch=100_000))
        fetched = time.perf_counter()
        state = RULEBOOK.blank()
        for run in runs:
            with collector_paused():
                for facts in RULEBOOK.codec.read_events([entry.canonical for entry in run]):
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


def _action_of_event(store: Store, game: str, seq: int) -> int:
    entries = store.journal.entries(game, Selection(limit=seq))
    for number, stored in entries:
        entry = read(stored)
        if entry.first_seq + len(entry.events) > seq:
            return number
    return entries[-1][0]


def _verifying(ledger: Ledger, game: str, rounds: int) -> None:
    """Verify the game, with its rows and snapshots, and once decide all of it again."""
    events = ledger.moment(game).newest.seq
    speeds: list[float] = []
    for _ in range(rounds):
        gc.collect()
        began = time.perf_counter()
        if list(verify(ledger.games, game)):
            raise RuntimeError("the long game has findings")
        speeds.append(events / (time.perf_counter() - began))
    began = time.perf_counter()
    if list(verify(ledger.games, game, decide=True)):
        raise RuntimeError("the long game is decided otherwise")
    deciding = events / (time.perf_counter() - began)
    say(
        f"verifying {events:,} events",
        f"{statistics.median(speeds):,.0f} events/s",
        f"deciding again {deciding:,.0f}/s",
        ">= 50,000/s",
    )


def _deciding(store: Store, game: str, actions: int, rounds: int) -> None:
    """Decide and record the first actions of the game again, in memory."""
    entries = [read(stored) for _, stored in store.journal.entries(game, Selection(limit=actions))]
    requests = [
        Request(
            action=RULEBOOK.codec.action(entry.kind, bytes(entry.params)),
            seat=entry.seat,
            by=entry.by,
            at=entry.recorded_at,
            draws=entry.draws,
        )
        for entry in entries
    ]
    rates: list[float] = []
    for _ in range(rounds):
        state = RULEBOOK.blank()
        began = time.perf_counter()
        for request in requests:
            state = decide(RULEBOOK, state, request, chance=None).state
        rates.append(len(requests) / (time.perf_counter() - began))
    say("decide + record in memory", f"{statistics.median(rates):,.0f} actions/s", "-", "reported")


def _listing_moves(ledger: Ledger, game: str, times: int) -> None:
    """List the moves of the seat whose turn it is."""
    state = ledger.moment(game).newest
    if not isinstance(state, Negopoly) or state.turn is None:
        raise RuntimeError("it is nobody's turn")
    viewer = Viewer("player", state.turn.seat)
    taken: list[float] = []
    for _ in range(times):
        began = time.perf_counter()
        open_moves(ledger.moment(game, viewer), None, ledger.clock.current_time())
        taken.append(time.perf_counter() - began)
    say("moves of the seat whose turn it is", f"{statistics.median(taken) * 1e3:.1f} ms", "-", "reported")


def _replaying(bench: Bench, game: str) -> None:
    """Read pages of frames at several places of the game, for the banker and for a player."""
    head = bench.ledger.moment(game).version
    beginning, pages, frames = bench.size(BEGINNING, 50), bench.size(PAGES, 2), FRAMES
    chance = random.Random(13)
    for who, viewer in (("the banker", BANKER), ("a player", Viewer("player", "ana"))):
        near = _of_pages(bench.ledger, game, viewer, (chance.randint(1, beginning) for _ in range(pages)))
        far = _of_pages(bench.ledger, game, viewer, (chance.randint(1, head - frames) for _ in range(pages)))
        say(
            f"{frames} frames of a replay anywhere in {head:,} actions, {who}",
            f"{far * 1e3:.0f} ms = {far / near:.2f} times",
            f"{near * 1e3:.0f} ms in the first {beginning:,}",
            "<= 1.5 times",
        )


def _of_pages(ledger: Ledger, game: str, viewer: Viewer, starts: Iterable[int]) -> float:
    """The median seconds of the pages that start at these actions. Raises RuntimeError for another page."""
    taken: list[float] = []
    for first in starts:
        began = time.perf_counter()
        moment = ledger.moment(game, viewer)
        read_page = page(moment, limit=FRAMES, within=((first,), moment.through))
        taken.append(time.perf_counter() - began)
        numbers = [frame.place[0] for frame in read_page.frames]
        if numbers != list(range(first, first + FRAMES)):
            raise RuntimeError(f"the page from action {first} has the actions {numbers}")
    return statistics.median(taken)
