"""What people do in an evening: each act is one step, and is chosen by the chance of that step alone."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.crossing.hands import Hand
from tests.crossing.mending import Mending
from tests.crossing.playing import Playing
from tests.crossing.troubling import Troubling


class Acts:
    """The acts of one table, each with its weight."""

    def __init__(self, hand: Hand) -> None:
        playing, mending, troubling = Playing(hand), Mending(hand), Troubling(hand)
        self._weights: dict[Callable[[Random], None], int] = {
            playing.move: 60,
            playing.act_for_a_seat: 10,
            playing.settle: 4,
            playing.guess: 6,
            mending.correct: 7,
            mending.undo: 4,
            mending.redo: 2,
            mending.undo_and_redo: 3,
            mending.amend: 1,
            mending.dispute: 3,
            mending.argue: 2,
            mending.decide_a_dispute: 3,
            mending.rule: 4,
            troubling.write_stale: 1,
            troubling.repeat_a_key: 2,
            troubling.replace_a_token: 1,
            troubling.invite: 1,
            troubling.cut_a_stream: 2,
            troubling.let_time_pass: 2,
            troubling.pause: 1,
        }

    def step(self, chance: Random) -> str:
        """Do one thing. Returns what it was."""
        act = chance.choices([*self._weights], [*self._weights.values()])[0]
        act(chance)
        return act.__name__
