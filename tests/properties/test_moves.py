"""Moves are quick because not everything is tried again. Each saving is compared here with trying everything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any

import msgspec
import pytest

from ledger import rulebooks
from ledger.kernel.actions import Choice
from ledger.kernel.audience import BANKER, Viewer
from ledger.kernel.bots import Bot
from ledger.kernel.decision import decide
from ledger.kernel.draft import Request
from ledger.kernel.game import due
from ledger.kernel.moves import Move, moves, open_to
from ledger.kernel.opening import Opening
from ledger.kernel.refusals import NeedsDraw, Refusal
from ledger.kernel.rulebook import Rulebook
from ledger.kernel.seeing import foreseen
from ledger.kernel.state import Seat, State
from replays.simulation import Series, opening_of, play
from tests.example.town import RULEBOOKS as TOWNS
from tests.properties.commands import SOAK

KNOWN = [*rulebooks.known().values()]
RULEBOOKS: list[Rulebook[Any]] = [*KNOWN, TOWNS[1]]
GAMES = 40 if SOAK else 2
ACTIONS = 1_500 if SOAK else 260
"""The most actions of a simulated game."""
LOOKS = 400 if SOAK else 30
"""About how many moments of each game are looked at."""
MOMENT = timedelta(microseconds=1)


class Watching:
    """A bot that plays like another one, and has some of the states that it sees looked at."""

    def __init__(self, bot: Bot, look: Callable[[Any], None], chance: Random) -> None:
        self._bot, self._look, self._chance = bot, look, chance
        self._seen = 0

    def kinds(self, state: Any, seat: str, by: str, open_kinds: Sequence[str], chance: Random) -> Sequence[str]:
        if state.version != self._seen and self._chance.random() < LOOKS / ACTIONS:
            self._seen = state.version
            self._look(state)
        return self._bot.kinds(state, seat, by, open_kinds, chance)

    def choices(
        self, state: Any, seat: str, kind: str, offered: Sequence[Choice], chance: Random
    ) -> Sequence[Choice]:
        return self._bot.choices(state, seat, kind, offered, chance)


def watch(rulebook: Rulebook[Any], look: Callable[[Any], None]) -> None:
    """Let bots play games of a rulebook, at its simulated tables, and look at states on the way."""
    for seed in range(1, GAMES + 1):
        chance = Random(seed)
        bots = {name: Watching(bot, look, chance) for name, bot in rulebook.strategies.items()}
        names = [name for name in rulebook.strategies if name != "banker"]
        minds = {seat: names[place % len(names)] for place, seat in enumerate(("ana", "bob", "cleo", "dan"))}
        play(
            rulebook,
            opening(rulebook, seed),
            seed=seed,
            bots=lambda by, bots=bots, minds=minds: bots[minds.get(by, "banker")],  # type: ignore[misc]
            actions=ACTIONS,
        )


def opening(rulebook: Rulebook[Any], seed: int) -> Opening:
    """A table of four; of the simulated tables of a rulebook, those that suit the seed."""
    if rulebook in KNOWN:
        series = Series(
            rulebook=rulebook.id, games=1, players=4, seed=seed, strategies=("random",), tables="varied"
        )
        return opening_of(series, seed)
    seats = tuple(Seat(name, name.capitalize()) for name in ("ana", "bob", "cleo", "dan"))
    return Opening(players=seats, settings=rulebook.settings(), dice="service")


def everything_tried(rulebook: Rulebook[Any], state: State, seat: str, viewer: Viewer, at: datetime) -> list[Move]:
    """The moves of a seat, each choice decided on a state that nobody has touched."""
    legal: list[Move] = []
    for kind, action in rulebook.actions.items():
        for choice in action.choices(state, seat) if open_to(action, viewer) else ():
            try:
                cost = price(rulebook, state.copy(), seat, viewer, at, kind, choice)
            except Refusal:
                continue
            rules = rulebook.register.rules_of(kind)
            legal.append(Move(kind=kind, params=choice.params, free=choice.free, cost=cost, rules=rules))
    return legal


def price(
    rulebook: Rulebook[Any], state: State, seat: str, viewer: Viewer, at: datetime, kind: str, choice: Choice
) -> int | None:
    """What a choice costs the seat, as far as the viewer is told. Raises a Refusal."""
    action = rulebook.action(kind, msgspec.json.encode(choice.params))
    if action.mends() is not None:
        if viewer.role == "banker":
            return None
        raise Refusal("a dry run tells", "un essai le dit")
    request = Request(action=action, seat=seat or None, by=viewer.seat or "banker", at=at)
    try:
        events = decide(rulebook, state, request, chance=None).events
    except NeedsDraw:
        return None
    own = {rulebook.purse(seat), *rulebook.accounts_of(seat)}

    def spent(event: Any) -> int:
        return sum(
            one.amount
            for one in (() if event is None else event.postings)
            if one.commodity == rulebook.currency and one.source in own and one.target not in own
        )

    total = 0
    for event in events:
        learns = not viewer.sees_all and event.reveals().admits(viewer)
        if learns and spent(foreseen(event, viewer)) != spent(event):
            return None
        total += spent(foreseen(event, viewer))
        if learns:
            break
    return total


def found(rulebook: Rulebook[Any], state: State, seat: str, viewer: Viewer, at: datetime) -> list[Move]:
    """The moves of a seat as the service finds them."""
    return moves(rulebook, state, seat, rulebook.purse(seat), viewer, at)


def viewers(state: State, chance: Random) -> list[tuple[str, Viewer]]:
    """One of the seats, or none, as the banker asks for it; and one of them as its player."""
    seat = chance.choice([*state.seats])
    return [(chance.choice([seat, seat, seat, ""]), BANKER), (seat, Viewer("player", seat))]


@pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.id)
def test_moves_are_those_that_trying_every_choice_finds(rulebook: Rulebook[Any]) -> None:
    """Given games that bots play, when a seat or the banker asks for moves, then none is missing, added or dearer.

    One choice is tried for all that are alike, closed kinds are not tried, and refused choices share a copy of the
    state.
    """
    chance, looked = Random(5), 0

    def look(state: State) -> None:
        nonlocal looked
        looked += 1
        before = rulebook.freeze(state)
        assert state.last_at is not None
        at = state.last_at + timedelta(seconds=chance.choice((0, 1, 100, 1_000)))
        for seat, viewer in viewers(state, chance):
            assert found(rulebook, state, seat, viewer, at) == everything_tried(rulebook, state, seat, viewer, at)
            assert set(rulebook.closed_kinds(state, seat)) <= rulebook.actions.keys()
        assert rulebook.freeze(state) == before

    watch(rulebook, look)
    assert looked >= 10


@pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.id)
def test_time_changes_moves_only_at_a_deadline(rulebook: Rulebook[Any]) -> None:
    """Given moments before all deadlines of a game, or after them, then moves are the same at all of them.

    So an answer may be kept until a deadline passes. What has become due by then is counted in.
    """
    chance, looked = Random(6), 0

    def look(state: State) -> None:
        nonlocal looked
        deadlines = rulebook.deadlines(state)
        if deadlines is None or state.last_at is None:
            return
        looked += 1
        start = state.last_at
        before = [start, min(deadlines, default=start + timedelta(days=900)) - MOMENT]
        after = [max(deadlines, default=start) + MOMENT, max(deadlines, default=start) + timedelta(days=900)]
        for seat, viewer in viewers(state, chance):
            assert same(found(rulebook, at_time(rulebook, state, at), seat, viewer, at) for at in before)
            assert same(found(rulebook, at_time(rulebook, state, at), seat, viewer, at) for at in after)
        assert all(rulebook.due(state, at) is None for at in before)

    watch(rulebook, look)
    assert looked >= 10


def same(answers: Any) -> bool:
    first, *others = answers
    return all(one == first for one in others)


def at_time(rulebook: Rulebook[Any], state: State, at: datetime) -> State:
    """The state with what is due at a time."""
    for _, decision in due(rulebook, state, at, None):
        state = decision.state
    return state
