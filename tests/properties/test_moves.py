"""Moves are quick because not everything is tried again. Each saving is compared here with trying everything."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from ledger.kernel.deciding.decision import decide
from ledger.kernel.deciding.due import due
from ledger.kernel.deciding.moves import Drawing, Move, moves, open_to
from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.refusals import NeedsDraw, Refusal
from ledger.kernel.facts.state import State
from ledger.kernel.journal.sight import redact_for_dry_run
from ledger.kernel.rules.actions import Choice
from ledger.kernel.rules.draft import Request
from ledger.kernel.rules.rulebook import Rulebook
from tests.properties.watching import RULEBOOKS, watch

MOMENT = timedelta(microseconds=1)


def everything_tried(rulebook: Rulebook[Any], state: State, seat: str, viewer: Viewer, at: datetime) -> list[Move]:
    """The moves of a seat, each choice decided on a state that nobody has touched."""
    legal: list[Move] = []
    for kind, action in rulebook.actions.items():
        for choice in action.choices(state, seat) if open_to(action, viewer) else ():
            try:
                cost, goods, drawing = price(rulebook, state.copy(), seat, viewer, at, kind, choice)
            except Refusal:
                continue
            rules = rulebook.register.rules_of(kind)
            legal.append(
                Move(
                    kind=kind,
                    params=choice.params,
                    free=choice.free,
                    drawing=drawing,
                    cost=cost,
                    goods=goods,
                    rules=rules,
                )
            )
    return legal


def price(
    rulebook: Rulebook[Any], state: State, seat: str, viewer: Viewer, at: datetime, kind: str, choice: Choice
) -> tuple[int | None, tuple[tuple[str, int], ...], Drawing | None]:
    """What a choice costs the seat, as far as the viewer is told, and what it needs drawn. Raises a Refusal."""
    action = rulebook.codec.action(kind, msgspec.json.encode(choice.params))
    if action.correction_request() is not None:
        if viewer.role == "banker":
            return None, (), None
        raise Refusal("a dry run tells", "un essai le dit")
    request = Request(action=action, seat=seat or None, by=viewer.seat or "banker", at=at)
    try:
        events = decide(rulebook, state, request, chance=None).events
    except NeedsDraw as needed:
        drawing = Drawing(needed.draw_name, needed.draw, needed.count, needed.sides, needed.deck, needed.cards)
        return None, (), drawing
    own = {rulebook.accounts.purse(seat), *rulebook.accounts.accounts_of(seat)}

    def spent(event: Any) -> Counter[str]:
        postings = () if event is None else event.postings
        away = [one for one in postings if one.source in own and one.target not in own]
        return sum((Counter({one.commodity: one.amount}) for one in away if ":" not in one.commodity), Counter())

    total: Counter[str] = Counter()
    for event in events:
        learns = not viewer.sees_all and event.reveals().admits(viewer)
        if learns and spent(redact_for_dry_run(event, viewer)) != spent(event):
            return None, (), None
        total += spent(redact_for_dry_run(event, viewer))
        if learns:
            break
    money = total.pop(rulebook.accounts.currency, 0)
    return money, tuple(sorted(total.items())), None


def found(rulebook: Rulebook[Any], state: State, seat: str, viewer: Viewer, at: datetime) -> list[Move]:
    """The moves of a seat as the service finds them."""
    return moves(rulebook, state, seat, rulebook.accounts.purse(seat), viewer, at)


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
        before = rulebook.codec.to_snapshot(state)
        assert state.last_at is not None
        at = state.last_at + timedelta(seconds=chance.choice((0, 1, 100, 1_000)))
        for seat, viewer in viewers(state, chance):
            told = found(rulebook, state, seat, viewer, at)
            tried = everything_tried(rulebook, state, seat, viewer, at)
            if not viewer.sees_all:  # a player is not told of each draw
                silent = (move.drawing is None for move in told)
                tried = [replace(one, drawing=None) if no else one for one, no in zip(tried, silent, strict=True)]
            assert told == tried
            assert set(rulebook.progress.closed_kinds(state, seat)) <= rulebook.actions.keys()
        assert rulebook.codec.to_snapshot(state) == before

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
        deadlines = rulebook.progress.deadlines(state)
        if deadlines is None or state.last_at is None:
            return
        looked += 1
        start = state.last_at
        before = [start, min(deadlines, default=start + timedelta(days=900)) - MOMENT]
        after = [max(deadlines, default=start) + MOMENT, max(deadlines, default=start) + timedelta(days=900)]
        for seat, viewer in viewers(state, chance):
            assert same(found(rulebook, at_time(rulebook, state, at), seat, viewer, at) for at in before)
            assert same(found(rulebook, at_time(rulebook, state, at), seat, viewer, at) for at in after)
        assert all(rulebook.progress.due(state, at) is None for at in before)

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
