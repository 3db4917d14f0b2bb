"""Random games with random corrections of their past, and redos of those.

Whatever is played and corrected: the fold from scratch gives the state at hand and the state that any snapshot
restores; what a correction did is taken back by dropping it; what was believed before it can still be read;
nothing is made or lost; and the whole agrees with an oracle that knows nothing of timelines: it applies the edits
to the list of what was asked for and plays the list again from the first action.

`make soak` runs these with many more and longer games.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, ClassVar

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from ledger.kernel.actions import Cascade
from ledger.kernel.audience import BANKER, Viewer
from ledger.kernel.decision import decide
from ledger.kernel.draft import Request
from ledger.kernel.history.corrections import Drop, Edit, HistoryCorrected, Insert, NewAction, Replace, Rewind
from ledger.kernel.history.timeline import Timeline
from ledger.kernel.journal import Entry, read
from ledger.kernel.refusals import Refusal
from ledger.kernel.state import Seat
from ledger.reading.entries import EntryView
from ledger.reading.journal import Line
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.table.state import Negopoly
from ledger.rulebooks.negopoly.table.terms import player
from ledger.service import Command, Ledger
from ledger.store.records import Selection
from ledger.store.store import Store
from tests.negopoly.chronicle import NOON, Chronicle, frozen, without_counters
from tests.tables.negopoly import NO_DECKS

SOAK = bool(os.environ.get("MABLIGOP_SOAK"))
SEATS = ("ana", "bob", "cleo")


def profile(examples: int, steps: int) -> settings:
    """So many games of so many steps; fifteen times as many, and three times as long, in a soak."""
    return settings(
        max_examples=examples * 15 if SOAK else examples,
        stateful_step_count=steps * 3 if SOAK else steps,
        deadline=None,
        print_blob=True,
        suppress_health_check=list(HealthCheck),
    )


# What is asked for ----------------------------------------------------------------------------------

seats = st.sampled_from(SEATS)
small = st.integers(1, 120)
faces = st.lists(st.integers(1, 6), min_size=2, max_size=2)
choices = st.integers(0, 2**16)
"""One of what is possible, whatever there is."""
places = st.integers(0, 2**16)
"""One of the actions of the journal, however many there are."""

commands = st.one_of(
    st.tuples(st.just("take_loan"), st.fixed_dictionaries({"amount": small})),
    st.tuples(st.just("transfer_money"), st.fixed_dictionaries({"to": seats, "amount": small})),
    st.tuples(st.just("roll_dice"), st.fixed_dictionaries({"dice": faces})),
    st.tuples(st.just("resolve_square"), st.just({})),
    st.tuples(st.just("buy_property"), st.just({})),
    st.tuples(st.just("end_turn"), st.just({})),
)
waivers = st.sampled_from([None, None, None, "the table agrees"])
insertions = st.tuples(places, seats, commands, waivers)


def other_parameters(entry: Entry, amount: int, dice: list[int]) -> dict[str, Any]:
    """The parameters of a recorded action, misread or put right."""
    params: dict[str, Any] = msgspec.json.decode(entry.params)
    if entry.kind == "roll_dice":
        return {**params, "dice": dice}
    if "amount" in params:
        return {**params, "amount": amount}
    return params


# The oracle -----------------------------------------------------------------------------------------


class Oracle:
    """What a journal comes to when its edits are applied to what was asked for, and all of it is played again."""

    def __init__(self, journal: list[Entry]) -> None:
        self.journal = journal
        self.corrections = {entry.number: _edits(entry) for entry in journal if entry.kind == "correct"}
        self.statuses: dict[tuple[int, int], str] = {}
        self.state = self._play()

    def _in_force(self, number: int) -> bool:
        """A correction is in force unless a later one that is in force drops it."""
        return not any(
            Drop(number) in edits and self._in_force(later)
            for later, edits in self.corrections.items()
            if later > number
        )

    def _play(self) -> Negopoly:
        gone: set[tuple[int, int]] = set()
        replaced: dict[int, dict[str, Any]] = {}
        asked: list[tuple[tuple[int, int, int], Request, tuple[Any, ...]]] = []
        for entry in self.journal:
            if entry.kind != "correct":
                events = tuple(RULEBOOK.event(raw) for raw in entry.events)
                asked.append(((entry.number, 0, 0), _request(entry, str(entry.number)), events))
            else:
                (corrected,) = [event for event in map(RULEBOOK.event, entry.events) if _corrects(event)]
                for index, one in enumerate(corrected.insertions, start=1):
                    events = tuple(RULEBOOK.event(raw) for raw in one.action.events)
                    request = _request(one.action, f"{entry.number}-{index}")
                    asked.append(((one.after, entry.number, index), request, events))
        asked.sort(key=lambda one: one[0])
        for number, edits in self.corrections.items():
            in_force = self._in_force(number)
            self.statuses[number, 0] = "effective" if in_force else "undone"
            for place, _, _ in asked:
                if place[1] == number and not in_force:
                    gone.add((number, place[2]))
            for edit in edits if in_force else ():
                if isinstance(edit, Drop):
                    gone.add((edit.action, 0))
                elif isinstance(edit, Replace):
                    replaced[edit.action] = edit.params
                elif isinstance(edit, Rewind):
                    gone |= {
                        _label(place)
                        for place, request, _ in asked
                        if place[0] >= edit.to and (place[1] or place[0]) < number and not request.action.docket
                    }
        state = RULEBOOK.blank()
        for place, request, recorded in asked:
            label = _label(place)
            if label in gone:
                self.statuses[label] = "undone"
                continue
            if label[0] in replaced and not label[1]:
                action = RULEBOOK.action(request.action.kind, msgspec.json.encode(replaced[label[0]]))
                request = msgspec.structs.replace(request, action=action)
            state.version = place[0] - (0 if place[1] else 1)
            try:
                decision = decide(RULEBOOK, state, request, chance=None)
            except Refusal:
                self.statuses[label] = "voided"
                continue
            state = decision.state
            self.statuses[label] = "effective" if decision.events == recorded else "restated"
        return state


def _edits(entry: Entry) -> tuple[Edit, ...]:
    (corrected,) = [event for event in map(RULEBOOK.event, entry.events) if _corrects(event)]
    return corrected.edits


def _corrects(event: Any) -> bool:
    return isinstance(event, HistoryCorrected)


def _label(place: tuple[int, int, int]) -> tuple[int, int]:
    return (place[1], place[2]) if place[1] else (place[0], 0)


def _request(recorded: Any, opens_as: str) -> Request:
    return Request(
        action=RULEBOOK.action(recorded.kind, bytes(recorded.params)),
        seat=recorded.seat,
        by=recorded.by,
        at=recorded.recorded_at,
        override=recorded.override,
        draws=recorded.draws,
        waives=frozenset(warned.rule for warned in recorded.warnings),
        opens_as=opens_as,
    )


def assert_conserved(state: Negopoly) -> None:
    """Per commodity the holdings sum to zero, and nobody owes but who may."""
    commodities = {commodity for _, held in state.holdings.items() for commodity in held}
    for commodity in commodities:
        assert state.holdings.total(commodity) == 0, commodity
    for account, held in state.holdings.items():
        for commodity, amount in held.items():
            assert amount > 0 or RULEBOOK.may_owe(account, commodity), (account, commodity, amount)


# In memory ------------------------------------------------------------------------------------------


class Histories(RuleBasedStateMachine):
    """A game whose past is decided again whenever it is corrected."""

    cascades: ClassVar[tuple[Cascade, ...]] = ("restate", "restate", "refuse")

    @initialize(
        seed=st.integers(0, 2**32),
        turns=st.integers(2, 12),
        throws=st.booleans(),
        lasting=st.sampled_from([{}, {"turn_seconds": 86_400}, {"max_rounds": 4}]),
    )
    def sit_down(self, seed: int, turns: int, throws: bool, lasting: dict[str, int]) -> None:
        """A game with some turns behind it, so that there is a past to correct."""
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
        """Something that a seat may do now."""
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
        """What a turn is mostly made of."""
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
        """The banker lets a seat do what the rules may forbid."""
        kind, params = command
        self._try(lambda: self.game.banker(kind, seat=seat, override="the table agrees", **params))

    @rule(pick=choices)
    def bank(self, pick: int) -> None:
        """Something that is the banker's own."""
        possible = [move for move in self.game.bankers_moves() if move.kind not in {"end_game", "set_turn_order"}]
        if possible:
            move = possible[pick % len(possible)]
            self._try(lambda: self.game.banker(move.kind, **move.params))

    @precondition(lambda self: self.game.head > self.first + 12)
    @rule(seat=seats)
    def give_up(self, seat: str) -> None:
        """A seat leaves the game, which may decide it."""
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
        """Dropping a correction gives back what there was, unless that was no consequence of the rules."""
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

    # What always holds

    @invariant()
    def the_fold_from_scratch_is_the_state_at_hand(self) -> None:
        folded = self.game.at(self.game.head)
        assert frozen(folded) == frozen(self.game.state)
        assert frozen(RULEBOOK.thaw(frozen(folded))) == frozen(folded)

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
        """Any action; seldom one of the set-up, without which nothing remains."""
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
        """Correct, if it may be; whether it was."""
        chosen = self.cascades[cascade]
        belief = frozen(self.game.state)
        version = self.game.head
        if not self._try(lambda: self.game.correct(*edits, cascade=chosen)):
            return False
        self.believed[version] = belief
        self.check_the_correction()
        return True

    def check_the_correction(self) -> None:
        """It agrees with the oracle."""
        oracle = Oracle(self.game.journal)
        timeline = self.game.timeline()
        assert {one.label: one.status for one in timeline.standings()} == oracle.statuses
        assert without_counters(self.game.state) == without_counters(oracle.state)


class KeptHistories(Histories):
    """A game in which later facts are sometimes kept, whatever the rules would make of them."""

    cascades: ClassVar[tuple[Cascade, ...]] = ("keep", "restate", "keep")

    def check_the_correction(self) -> None:
        """Kept facts are no matter of rules: the oracle only says which actions are taken out."""
        undone = {label for label, status in Oracle(self.game.journal).statuses.items() if status == "undone"}
        assert {one.label for one in self.game.timeline().standings() if one.status == "undone"} == undone


# In Postgres ----------------------------------------------------------------------------------------


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now: datetime = NOON

    def __call__(self) -> datetime:
        return self.now


class StoredHistories(RuleBasedStateMachine):
    """A game in the database, played and corrected through two ledgers, each with its own memory."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self.store = store
        self.clock = Clock()
        self.ledgers = [self._ledger(), self._ledger()]

    @initialize(seed=st.integers(0, 2**32), turns=st.integers(2, 5))
    def sit_down(self, seed: int, turns: int) -> None:
        chance = random.Random(seed)
        players = [Seat(seat, seat.capitalize()) for seat in SEATS]
        created = self.ledgers[0].create(
            "negopoly", title=None, players=players, settings={"decks": NO_DECKS}, dice="table"
        )
        self.id = created.game
        self.believed: dict[int, dict[str, dict[str, int]]] = {}
        for seat in SEATS:
            self._do(0, seat, "join_game", persona=seat)
            self._do(0, seat, "choose_starter_perk", perk="money")
        self._do(0, None, "start_game")
        self.first = self.head
        for _ in range(turns):
            self.turn(0, [chance.randint(1, 6), chance.randint(1, 6)], chance.randint(1, 120))

    # Playing and correcting

    @rule(who=st.integers(0, 1), dice=faces, amount=small)
    def turn(self, who: int, dice: list[int], amount: int) -> None:
        turn = self.state.turn
        if turn is None:
            return
        other = SEATS[(SEATS.index(turn.seat) + 1) % len(SEATS)]
        self._do(who, turn.seat, "roll_dice", dice=dice)
        self._do(who, turn.seat, "resolve_square")
        self._do(1 - who, turn.seat, "buy_property")
        self._do(who, turn.seat, "transfer_money", to=other, amount=amount)
        self._do(who, turn.seat, "take_loan", amount=amount)
        self._do(1 - who, turn.seat, "end_turn")

    @rule(seconds=st.sampled_from([1, 301]))
    def wait(self, seconds: int) -> None:
        self.clock.now += timedelta(seconds=seconds)

    @rule(who=st.integers(0, 1), where=places, cascade=st.sampled_from(["restate", "refuse", "keep"]))
    def drop(self, who: int, where: int, cascade: Cascade) -> None:
        self._correct(who, [Drop(self._number(where))], cascade)

    @rule(
        who=st.integers(0, 1),
        where=places,
        other=places,
        new=insertions,
        amount=small,
        dice=faces,
        cascade=st.sampled_from(["restate", "keep"]),
    )
    def several(
        self,
        who: int,
        where: int,
        other: int,
        new: tuple[Any, ...],
        amount: int,
        dice: list[int],
        cascade: Cascade,
    ) -> None:
        after, seat, (kind, params), override = new
        number = self._number(where)
        added = NewAction(kind=kind, params=params, seat=seat, override=override)
        replaced = Replace(number, other_parameters(self._entries()[number - 1], amount, dice))
        self._correct(who, [Drop(self._number(other)), Insert(self._number(after), added), replaced], cascade)

    @rule(who=st.integers(0, 1), back=st.integers(0, 6))
    def rewind(self, who: int, back: int) -> None:
        self._correct(who, [Rewind(max(2, self.head - back))], "restate")

    @rule(who=st.integers(0, 1), pick=choices)
    def take_back_a_correction(self, who: int, pick: int) -> None:
        corrections = [number for number, _ in self.state.corrections]
        if corrections:
            self._correct(who, [Drop(corrections[pick % len(corrections)])], "restate")

    # What is kept beside the journal

    @rule(who=st.integers(0, 1))
    def snapshot(self, who: int) -> None:
        game = self.ledgers[who].opened_game(self.id)
        self.ledgers[who].catch_up(game)
        self.ledgers[who].keep_snapshot(game)

    @rule()
    def forget_the_snapshots(self) -> None:
        self.store.drop_snapshots(self.id)

    # What always holds

    @invariant()
    def every_ledger_has_the_same_state(self) -> None:
        if not hasattr(self, "id"):
            return
        states = [frozen(one.state(self.id)) for one in (*self.ledgers, self._ledger())]
        assert states[0] == states[1] == states[2]

    @rule(at=places, known_at=places)
    def read_any_moment_as_known_at_any_other(self, at: int, known_at: int) -> None:
        number, known = at % self.head + 1, known_at % self.head + 1
        found = self.ledgers[0].state(self.id, at=number, known_at=known)
        assert frozen(found) == frozen(self._ledger().state(self.id, at=number, known_at=known))
        timeline = Timeline(self._entries(), RULEBOOK.event, known)
        folded = RULEBOOK.blank()
        for standing in timeline.effective(min(number, known)):
            folded.fold(standing.events)
        assert without_counters(found) == without_counters(folded)
        assert_conserved(found)

    @rule(known_at=places, limit=st.integers(1, 7))
    def statements_end_at_what_is_held(self, known_at: int, limit: int) -> None:
        ledger = self._ledger()
        for known in (None, known_at % self.head + 1):
            state = ledger.state(self.id, known_at=known)
            for seat in SEATS:
                lines = self._statement(ledger, player(seat), limit, known)
                assert lines == ledger.statement(self.id, player(seat), BANKER, limit=10_000, known_at=known)[0]
                ends: dict[str, int | None] = {}
                for line in lines:
                    assert line.balance == (ends.get(line.commodity) or 0) + line.amount
                    ends[line.commodity] = line.balance
                held = state.holdings.account(player(seat))
                assert {commodity: amount for commodity, amount in ends.items() if amount} == held

    @rule(known_at=places, newest_first=st.booleans(), limit=st.integers(1, 9))
    def the_journal_tells_how_everything_stands(self, known_at: int, newest_first: bool, limit: int) -> None:
        ledger = self._ledger()
        known = known_at % self.head + 1
        timeline = Timeline(self._entries(), RULEBOOK.event, known)
        found: list[EntryView] = []
        after: int | None = None
        while True:
            page, after = ledger.journal(
                self.id, BANKER, after=after, limit=limit, newest_first=newest_first, known_at=known
            )
            found += page
            if after is None:
                break
        numbers = list(range(1, known + 1))
        assert [view.number for view in found] == (numbers[::-1] if newest_first else numbers)
        for view in found:
            standing = timeline.standing(view.number)
            assert standing is not None
            assert (view.status, view.corrected_by) == (standing.status, standing.by)
            after_it = ledger.state(self.id, at=view.number, known_at=known).holdings
            for account, held in view.balances.items():
                assert held == after_it.account(account)

    def teardown(self) -> None:
        if not hasattr(self, "id"):
            return
        ledger = self._ledger()
        for version, holdings in self.believed.items():
            assert ledger.state(self.id, at=version, known_at=version).holdings.as_dict() == holdings
            assert ledger.state(self.id, known_at=version).holdings.as_dict() == holdings

    # Inside

    @property
    def head(self) -> int:
        return self.store.head(self.id)

    @property
    def state(self) -> Negopoly:
        found = self.ledgers[0].state(self.id)
        assert isinstance(found, Negopoly)
        return found

    def _ledger(self) -> Ledger:
        return Ledger(self.store, {"negopoly": RULEBOOK}, clock=self.clock)

    def _entries(self) -> list[Entry]:
        return [read(stored) for _, stored in self.store.entries(self.id, Selection(limit=10_000))]

    def _number(self, where: int) -> int:
        return self.first + where % (self.head - self.first) + 1

    def _do(self, who: int, seat: str | None, kind: str, **params: Any) -> None:
        viewer = BANKER if seat is None else Viewer("player", seat)
        with suppress(Refusal):
            self.ledgers[who].perform(self.id, viewer, Command(kind=kind, params=params))

    def _correct(self, who: int, edits: list[Edit], cascade: Cascade) -> None:
        """Correct, if it may be; what the preview said is what comes of it."""
        given = {"edits": msgspec.to_builtins(edits), "cascade": cascade, "reason": "a mistake"}
        command = Command(kind="correct", params=given)
        version, before = self.head, self.state.holdings.as_dict()
        try:
            seen = self.ledgers[1 - who].preview(self.id, BANKER, command)
        except Refusal as refusal:
            with pytest.raises(type(refusal)):
                self.ledgers[who].perform(self.id, BANKER, command)
            assert self.head == version
            return
        assert self.head == version
        done = self.ledgers[who].perform(self.id, BANKER, command)
        assert msgspec.structs.replace(done.entry, receipt=seen.entry.receipt) == seen.entry
        assert seen.preview is not None
        assert _changes(before, self.state.holdings.as_dict()) == {
            (account, commodity): (amounts.before, amounts.after)
            for account, held in seen.preview.holdings.items()
            for commodity, amounts in held.items()
        }
        self.believed[version] = before

    def _statement(self, ledger: Ledger, account: str, limit: int, known: int | None) -> list[Line]:
        """A whole statement, page by page."""
        lines: list[Line] = []
        after: int | None = None
        while True:
            page, after = ledger.statement(self.id, account, BANKER, after=after, limit=limit, known_at=known)
            lines += page
            if after is None:
                return lines


def _changes(
    before: dict[str, dict[str, int]], after: dict[str, dict[str, int]]
) -> dict[tuple[str, str], tuple[int, int]]:
    """What every account holds otherwise, before and after."""
    changed: dict[tuple[str, str], tuple[int, int]] = {}
    for account in before.keys() | after.keys():
        had, has = before.get(account, {}), after.get(account, {})
        for commodity in had.keys() | has.keys():
            amounts = had.get(commodity, 0), has.get(commodity, 0)
            if amounts[0] != amounts[1]:
                changed[account, commodity] = amounts
    return changed


def test_histories_that_are_decided_again() -> None:
    run_state_machine_as_test(Histories, settings=profile(80, 25))


def test_histories_in_which_later_facts_are_kept() -> None:
    run_state_machine_as_test(KeptHistories, settings=profile(60, 25))


def test_histories_in_the_database(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """With snapshots every few actions, so that short games meet what long ones do."""
    monkeypatch.setattr("ledger.acting.performing.SNAPSHOT_EVERY", 12)
    monkeypatch.setattr("ledger.games.states.CORRECTED_EVERY", 5)
    run_state_machine_as_test(lambda: StoredHistories(store), settings=profile(20, 20))
