"""Queues: writers of one process that wait for their turn in a game."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from ledger.games.queues import MOST_IN_A_TURN, Queue
from ledger.store.database.errors import StoreUnavailable


class Turns:
    """Turns that are given when the test says so, and counted."""

    def __init__(self) -> None:
        self.given = threading.Event()
        self.count = 0
        self.failure: Exception | None = None

    @contextmanager
    def turn(self) -> Iterator[None]:
        assert self.given.wait(30)
        self.count += 1
        if self.failure is not None:
            raise self.failure
        yield


def waiting(queue: Queue, turns: Turns, many: int, pool: ThreadPoolExecutor) -> list[threading.Event]:
    """Let many writers ask for a turn, one after the other; each event says that its writer's work was done."""
    done = [threading.Event() for _ in range(many)]
    for number, one in enumerate(done, 1):
        pool.submit(queue.run, one.set, turns.turn)
        while len(queue._waiting) < number:
            pass
    return done


def test_one_turn_serves_those_who_wait_in_their_order() -> None:
    queue, turns, order = Queue(), Turns(), list[int]()
    with ThreadPoolExecutor(20) as pool:
        for number in range(5):
            pool.submit(queue.run, lambda number=number: order.append(number), turns.turn)
            while len(queue._waiting) <= number:
                pass
        turns.given.set()
    assert order == [0, 1, 2, 3, 4]
    assert turns.count == 1


def test_a_long_queue_leaves_turns_to_other_processes() -> None:
    queue, turns = Queue(), Turns()
    with ThreadPoolExecutor(20) as pool:
        done = waiting(queue, turns, MOST_IN_A_TURN + 3, pool)
        turns.given.set()
    assert all(one.is_set() for one in done)
    assert turns.count == 2


def test_what_one_writer_may_not_do_is_told_to_that_writer_only() -> None:
    queue, turns = Queue(), Turns()

    def refused() -> None:
        raise ValueError("not your turn to play")

    with ThreadPoolExecutor(3) as pool:
        turns.given.set()
        wrong = pool.submit(queue.run, refused, turns.turn)
        right = pool.submit(queue.run, lambda: "done", turns.turn)
    with pytest.raises(ValueError, match="not your turn"):
        wrong.result()
    assert right.result() == "done"


def test_without_a_turn_nobody_waits_for_a_second_one() -> None:
    """The others of this game hold its turn for too long: everybody who waited is told so at once."""
    queue, turns = Queue(), Turns()
    turns.failure = StoreUnavailable("the turn did not come")
    with ThreadPoolExecutor(4) as pool:
        found = [pool.submit(queue.run, lambda: "done", turns.turn) for _ in range(3)]
        while len(queue._waiting) < 3:
            pass
        turns.given.set()
    assert {str(one.exception()) for one in found} == {"the turn did not come"}
    assert turns.count == 1
    turns.failure = None
    assert queue.run(lambda: "done", turns.turn) == "done"


def test_what_is_done_in_a_turn_may_ask_for_one() -> None:
    queue, turns = Queue(), Turns()
    turns.given.set()
    assert queue.run(lambda: queue.run(lambda: "done", turns.turn), turns.turn) == "done"
    assert turns.count == 1


@pytest.mark.parametrize("fault", [RuntimeError("a damaged journal"), ValueError("a damaged entry")])
def test_work_whose_writer_was_told_of_a_fault_is_not_done_later(fault: Exception) -> None:
    """Otherwise an action would be played after the answer that it was not. Nobody waits for it either."""
    queue, turns, done = Queue(), Turns(), list[str]()
    turns.given.set()
    turns.failure = fault
    with pytest.raises(type(fault), match="damaged"):
        queue.run(lambda: done.append("the first"), turns.turn)
    turns.failure = None
    queue.run(lambda: done.append("the second"), turns.turn)
    assert done == ["the second"]
