"""Answers are kept until a game moves on: made once for all who ask, and never too many of them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from ledger.games.kept import AnswerCache
from ledger.kernel.facts.accounts import Holdings
from ledger.kernel.facts.state import State


def a_state(version: int) -> State:
    return State(holdings=Holdings(lambda *_: True), version=version)


def test_an_answer_is_made_once_for_each_state_and_key() -> None:
    kept, first, second = AnswerCache(), a_state(1), a_state(2)
    assert kept.answer("a", first, "moves of ana", lambda: [1]) == [1]
    assert kept.answer("a", first, "moves of ana", lambda: [2]) == [1]
    assert kept.answer("a", first, "moves of bob", lambda: [3]) == [3]
    assert kept.answer("b", first, "moves of ana", lambda: [4]) == [4]
    assert kept.answer("a", second, "moves of ana", lambda: [5]) == [5]
    assert len(kept) == 2


def test_a_reader_who_is_late_gets_the_answer_of_their_own_version() -> None:
    """Given action 2 is known, when a request that began at action 1 asks, then it disturbs no newer answer."""
    kept, old, new = AnswerCache(), a_state(1), a_state(2)
    kept.answer("a", new, "state", lambda: "new")
    assert kept.answer("a", old, "state", lambda: "old") == "old"
    assert kept.answer("a", new, "state", lambda: "again") == "new"


def test_no_more_answers_are_kept_than_there_is_room_for() -> None:
    kept = AnswerCache(limit=20, most_of_a_game=6)
    for number in range(100):
        for key in range(8):
            kept.answer(f"game {number}", a_state(1), key, lambda: "made")
    assert len(kept) <= 20
    for key in range(100):
        kept.answer("long", a_state(1), key, lambda: "made")
        assert len(kept) <= 20


def test_an_answer_that_cannot_be_made_is_tried_again() -> None:
    kept, state = AnswerCache(), a_state(1)

    def fail() -> str:
        raise LookupError("not now")

    with pytest.raises(LookupError):
        kept.answer("a", state, "moves", fail)
    assert kept.answer("a", state, "moves", lambda: "made") == "made"


def test_readers_who_ask_at_the_same_time_share_one_answer() -> None:
    kept, state, together, made = AnswerCache(), a_state(1), Barrier(8), []

    def ask(_: int) -> str:
        together.wait()
        return kept.answer("a", state, "moves", lambda: made.append(1) or "made")  # type: ignore[func-returns-value]

    with ThreadPoolExecutor(8) as readers:
        assert set(readers.map(ask, range(8))) == {"made"}
    assert made == [1]
