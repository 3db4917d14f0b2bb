"""Undos and redos in any order: the state depends only on what is undone at the moment.

So when everything is redone, the game is as it was played. A redo without a name is of the latest undo.

`make soak` tries many more orders, of more undos.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.acting.correcting import correction
from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.edits import Replace
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.facts.state import Seat, State
from ledger.kernel.journal.entry import read
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.service import Ledger, Undo
from ledger.store.store import Store
from tests.harness.playing import NOON
from tests.kernel.undoing import RULES
from tests.properties.commands import SEATS, SOAK, other_parameters, profile
from tests.tables.chronicle import without_counters
from tests.tables.ledgers import chance_of_a_test, do, started

UNDOS = 6 if SOAK else 3
"""So many actions are undone in a game at the most."""


def toy(ledger: Ledger, chance: Random) -> str:
    """Ana and Bob buy beans, of the bank and of each other, throw a die and hide a card."""
    players = [Seat("ana", "Ana"), Seat("bob", "Bob")]
    game = ledger.create(RULES.id, title=None, players=players, settings={}, dice="table").game
    for _ in range(chance.randint(4, 10)):
        seat, other = chance.sample(["ana", "bob"], 2)
        kind, params = chance.choice(
            [
                ("buy_beans", {"amount": chance.randint(1, 3)}),
                ("buy_beans", {"amount": 1, "of": other}),
                ("throw", {"face": chance.randint(1, 5)}),
                ("hide", {"card": chance.choice(["ace", "king"])}),
            ]
        )
        with suppress(Refusal):
            do(ledger, game, Viewer("player", seat), kind, **params)
    return game


def negopoly(ledger: Ledger, chance: Random) -> str:
    """Some turns, in which money is given, and the stops are resolved, bought, or left to the game."""
    game = started(ledger, *SEATS)
    for _ in range(chance.randint(2, 5)):
        turn = RULEBOOK.progress.whose_turn(ledger.moment(game).newest)
        assert turn is not None
        seat = turn[1]
        gift = {"to": chance.choice([one for one in SEATS if one != seat]), "amount": chance.randint(1, 900)}
        for kind, params in (
            ("transfer_money", gift),
            ("roll_dice", {"dice": [chance.randint(1, 6), chance.randint(1, 6)]}),
            ("resolve_square", {}),
            ("buy_property", {}),
            ("end_turn", {}),
        ):
            if kind in {"roll_dice", "end_turn"} or chance.random() < 0.7:
                with suppress(Refusal):
                    do(ledger, game, Viewer("player", seat), kind, **params)
    return game


def bare(ledger: Ledger, game: str) -> State:
    """The state without the numbers of entries and events."""
    return without_counters(ledger.moment(game).newest)


def mistakes(ledger: Ledger, game: str, first: int, chance: Random) -> list[int]:
    """Some actions to undo, among them corrections of others, in any order."""
    rulebook = ledger.games.open(game).rulebook
    entries = [read(stored) for run in ledger.games.store.journal.runs(game) for _, stored, _ in run][first:]
    chosen = chance.sample(entries, min(len(entries), UNDOS))
    numbers = [entry.number for entry in chosen]
    for entry in chance.sample(chosen, chance.randint(0, 2)) if len(chosen) > 1 else ():
        params = other_parameters(entry, chance.randint(1, 3), [chance.randint(1, 6), chance.randint(1, 6)])
        edits = [Replace(entry.number, params)]
        with suppress(Refusal):
            corrected = ledger.perform(game, BANKER, correction(rulebook, edits, "misheard", "restate"))
            numbers.append(corrected.entry.number)
    chance.shuffle(numbers)
    return numbers


@pytest.mark.parametrize("play", [toy, negopoly])
def test_what_counts_depends_only_on_what_is_undone(store: Store, play: Callable[[Ledger, Random], str]) -> None:
    @given(seed=st.integers(0, 2**32))
    @profile(10, 1)
    def in_any_order(seed: int) -> None:
        chance = Random(seed)
        rulebooks = {RULES.id: RULES, RULEBOOK.id: RULEBOOK}
        ledger = Ledger(store, rulebooks, clock=lambda: NOON, chance=chance_of_a_test())
        game = play(ledger, chance)
        to_undo = mistakes(ledger, game, 1 if play is toy else 9, chance)
        plain = bare(ledger, game)
        states = {frozenset[int](): plain}
        undone: list[tuple[int, int]] = []
        while to_undo or undone:
            if to_undo and (not undone or chance.random() < 0.6):
                action = to_undo.pop()
                asked = Undo(way="undo", action=action, reason="a slip", cascade="restate")
                undone.append((action, ledger.correcting.take_back(game, BANKER, asked).entry.number))
            else:
                at = chance.randrange(len(undone))
                names = [*undone[at], *([None] if at == len(undone) - 1 else [])]
                del undone[at]
                asked = Undo(way="redo", action=chance.choice(names), reason="it was right", cascade="restate")
                ledger.correcting.take_back(game, BANKER, asked)
            state = bare(ledger, game)
            assert states.setdefault(frozenset(action for action, _ in undone), state) == state
        assert bare(ledger, game) == plain

    in_any_order()
