"""Random games with random corrections of their past, and redos of those.

After any actions and corrections: the fold from the first action gives the current state and the state of any
snapshot; dropping a correction undoes it; the state believed before a correction can still be read; nothing is
made or lost; and everything agrees with an oracle that knows no timelines. The oracle applies the edits to the
list of requests and plays the list again from the first action.

`make soak` runs these with many more and longer games.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from ledger.kernel.facts.edits import Cascade, Drop, Edit, Insert, NewAction, Replace, Rewind
from ledger.kernel.facts.labels import Place
from ledger.kernel.facts.refusals import Refusal
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.table.state import Negopoly
from tests.properties.commands import (
    SEATS,
    choices,
    commands,
    faces,
    insertions,
    other_parameters,
    places,
    profile,
    seats,
    small,
)
from tests.properties.oracle import Oracle, assert_conserved
from tests.tables.chronicle import Chronicle, frozen, without_counters


class Histories(RuleBasedStateMachine):
    """A game whose later actions are decided again at every correction."""

    cascades: ClassVar[tuple[Cascade, ...]] = ("restate", "restate", "refuse")

    @initialize(
        seed=st.integers(0, 2**32),
        turns=st.integers(2, 12),
        throws=st.booleans(),
        lasting=st.sampled_from([{}, {"turn_seconds": 86_400}, {"max_rounds": 4}]),
    )
    def sit_down(self, seed: int, turns: int, throws: bool, lasting: dict[str, int]) -> None:
        """A game with some turns, so that there is a past to correct."""
        self.random = random.Random(seed)
        self.game = Chronicle(*SEATS, chance=self.random if throws else None, settings=lasting)
        self.first = self.game.head
        self.believed: dict[int, bytes] = {}
        for _ in range(turns):
            self.whole_turn([self.random.randint(1, 6) for _ in range(2)], self.random.random() < 0.7)
            self.play(self.random.randrange(2**16), "turn", self.random.randint(1, 120), [1, 2])

    # Playing

    @rule(pick=choices, whose=st.sampled_from(["turn", "turn", "turn", *SEATS]), amount=small, dice=faces)
    def play(self, pick: int, whose: str, amount: int, dice: list[int]) -> None:
        """Play a legal action of a seat."""
        state = self.game.state
        now = "ana" if state.turn is None else state.turn.seat
        seat = now if whose == "turn" else whose
        possible = self.game.moves(seat)
        if not possible:
            return
        move = possible[pick % len(possible)]
        params = {**move.params}
        if "amount" in move.free:
            params["amount"] = amount
        if move.kind == "roll_dice" and self.game.chance is None:
            params["dice"] = dice
        self._try(lambda: self.game.play(seat, move.kind, **params))

    @rule(dice=faces, buys=st.booleans())
    def whole_turn(self, dice: list[int], buys: bool) -> None:
        """Play one of the usual actions of a turn."""
        turn = self.game.state.turn
        if turn is None:
            return
        seat = turn.seat
        rolled = {} if self.game.chance is not None else {"dice": dice}
        self._try(lambda: self.game.play(seat, "roll_dice", **rolled))
        self._try(lambda: self.game.play(seat, "resolve_square"))
        if buys:
            self._try(lambda: self.game.play(seat, "buy_property"))
        self._try(lambda: self.game.play(seat, "end_turn"))

    @rule(command=commands, seat=seats)
    def waive(self, command: tuple[str, dict[str, Any]], seat: str) -> None:
        """The banker waives the rules for an action of a seat."""
        kind, params = command
        self._try(lambda: self.game.banker(kind, seat=seat, override="the table agrees", **params))

    @rule(pick=choices)
    def bank(self, pick: int) -> None:
        """Play an action of the banker."""
        possible = [move for move in self.game.bankers_moves() if move.kind not in {"end_game", "set_turn_order"}]
        if possible:
            move = possible[pick % len(possible)]
            self._try(lambda: self.game.banker(move.kind, **move.params))

    @precondition(lambda self: self.game.head > self.first + 12)
    @rule(seat=seats)
    def give_up(self, seat: str) -> None:
        """A seat leaves the game, which may end the game."""
        self._try(lambda: self.game.banker("declare_bankruptcy", seat=seat, override="the table agrees"))

    @rule(seconds=st.sampled_from([1, 30, 301]))
    def wait(self, seconds: int) -> None:
        self.game.wait(seconds)

    # Correcting

    @rule(where=st.lists(places, min_size=1, max_size=3), cascade=st.integers(0, 2))
    def drop(self, where: list[int], cascade: int) -> None:
        self._correct([Drop(self._number(one)) for one in dict.fromkeys(where)], cascade)

    @rule(where=places, amount=small, dice=faces, cascade=st.integers(0, 2))
    def replace(self, where: int, amount: int, dice: list[int], cascade: int) -> None:
        number = self._number(where)
        params = other_parameters(self.game.journal[number - 1], amount, dice)
        self._correct([Replace(number, params)], cascade)

    @rule(new=insertions, cascade=st.integers(0, 2))
    def insert(self, new: tuple[Any, ...], cascade: int) -> None:
        self._correct([self._insertion(*new)], cascade)

    @rule(back=st.sampled_from([0, 1, 2, 5, 20]), cascade=st.integers(0, 2))
    def rewind(self, back: int, cascade: int) -> None:
        self._correct([Rewind(max(2, self.game.head - back))], cascade)

    @rule(
        where=places,
        other=places,
        new=st.lists(insertions, min_size=1, max_size=2),
        amount=small,
        dice=faces,
        cascade=st.integers(0, 2),
    )
    def several(
        self, where: int, other: int, new: list[tuple[Any, ...]], amount: int, dice: list[int], cascade: int
    ) -> None:
        number = self._number(where)
        params = other_parameters(self.game.journal[number - 1], amount, dice)
        added = [self._insertion(*one) for one in new]
        self._correct([Drop(self._number(other)), *added, Replace(number, params)], cascade)

    @rule(pick=choices, cascade=st.integers(0, 2))
    def take_back_a_correction(self, pick: int, cascade: int) -> None:
        """A redo, or a redo of a redo."""
        corrections = [entry.number for entry in self.game.journal if entry.kind == "correct"]
        if corrections:
            self._correct([Drop(corrections[pick % len(corrections)])], cascade)

    @rule(where=places, rewinds=st.booleans())
    def correct_and_redo(self, where: int, rewinds: bool) -> None:
        """Dropping a correction restores the state, unless facts were kept against the rules."""
        number = self._number(where)
        before = self.game.state
        corrections = [bytes(entry.params) for entry in self.game.journal if entry.kind == "correct"]
        decided = not any(b'"cascade":"keep"' in params for params in corrections)
        if not self._correct([Rewind(number) if rewinds else Drop(number)], 0):
            return
        if self._correct([Drop(self.game.head)], 0) and decided:
            assert self.game.state.holdings == before.holdings
            assert without_counters(self.game.state) == without_counters(before)
        else:
            assert not decided

    # Invariants

    @invariant()
    def the_fold_from_scratch_is_the_state_at_hand(self) -> None:
        folded = self.game.at(self.game.head)
        assert frozen(folded) == frozen(self.game.state)
        assert frozen(RULEBOOK.codec.from_snapshot(frozen(folded))) == frozen(folded)

    @invariant()
    def nothing_is_made_or_lost(self) -> None:
        assert_conserved(self.game.state)

    def teardown(self) -> None:
        if not hasattr(self, "game"):
            return
        for version, belief in self.believed.items():
            assert frozen(self.game.at(version, known_at=version)) == belief
        for number in range(1, self.game.head + 1):
            assert_conserved(self.game.at(number))

    # Inside

    def _number(self, where: int) -> int:
        """Any action, but rarely one of the set-up, because without it nothing remains."""
        first = self.first if where % 16 else 0
        return first + where % (self.game.head - first) + 1

    def _insertion(
        self, where: int, seat: str, command: tuple[str, dict[str, Any]], override: str | None
    ) -> Insert:
        kind, params = command
        return Insert(self._number(where), NewAction(kind=kind, params=params, seat=seat, override=override))

    def _try(self, attempt: Any) -> bool:
        before = frozen(self.game.state), self.game.head
        try:
            attempt()
        except Refusal:
            assert (frozen(self.game.state), self.game.head) == before
            return False
        return True

    def _correct(self, edits: Iterable[Edit], cascade: int) -> bool:
        """Correct the history, if it is legal. Returns whether it was."""
        chosen = self.cascades[cascade]
        belief = frozen(self.game.state)
        version = self.game.head
        if not self._try(lambda: self.game.correct(*edits, cascade=chosen)):
            return False
        self.believed[version] = belief
        self.check_the_correction()
        return True

    def _oracle(self) -> Oracle:
        return Oracle(self.game.journal, lambda number: self.game.at(number, known_at=number), self._was)

    def _was(self, place: Place) -> Negopoly | None:
        """The state right before a default step as known before the last correction, if it did something."""
        state: Negopoly = RULEBOOK.blank()
        for standing in self.game.timeline(known_at=self.game.head - 1).effective():
            if standing.position >= place:
                return state if standing.position == place and standing.events else None
            state.fold(standing.events)
        return None

    def check_the_correction(self) -> None:
        """The state agrees with the oracle."""
        oracle = self._oracle()
        timeline = self.game.timeline()
        assert {one.label: one.status for one in timeline.entries()} == oracle.statuses
        assert without_counters(self.game.state) == without_counters(oracle.state)


class KeptHistories(Histories):
    """A game in which corrections sometimes keep later facts, whether or not the rules allow them."""

    cascades: ClassVar[tuple[Cascade, ...]] = ("keep", "restate", "keep")

    def check_the_correction(self) -> None:
        """Kept facts follow no rules: the oracle only says which actions are dropped."""
        undone = {label for label, status in self._oracle().statuses.items() if status == "undone"}
        assert {one.label for one in self.game.timeline().entries() if one.status == "undone"} == undone


def test_histories_that_are_decided_again() -> None:
    run_state_machine_as_test(Histories, settings=profile(8, 25))


def test_histories_in_which_later_facts_are_kept() -> None:
    run_state_machine_as_test(KeptHistories, settings=profile(8, 25))
