"""Statistics of corrected games: each figure is worked out again from the events that count now."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import Any

import pytest

from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.refusals import Refusal
from ledger.rulebooks.negopoly.board.movement import DiceThrown
from ledger.service import Command, Ledger
from replays.statistics.several import SeveralGames
from replays.statistics.shapes import Statistics
from tests.replays import shelf
from tests.replays.test_statistics import told
from tests.tables.ledgers import ANA, BOB, started

pytestmark = pytest.mark.xdist_group("statistics corrected")


@pytest.fixture
def table(ledger: Ledger) -> str:
    """A new game in which Ana has rolled 1 and 3 (action 7)."""
    game = started(ledger, "ana", "bob", title="A mistyped roll")
    act(ledger, game, ANA, "roll_dice", dice=[1, 3])
    return game


def act(ledger: Ledger, game: str, viewer: Viewer, kind: str, **params: Any) -> int:
    """Perform an action. Returns its number."""
    return ledger.perform(game, viewer, Command(kind=kind, params=params)).entry.number


def correct(ledger: Ledger, game: str, *edits: dict[str, Any]) -> None:
    """Let the banker correct the history."""
    act(ledger, game, BANKER, "correct", edits=list(edits), cascade="restate", reason="it was misheard")


def faces(found: Statistics) -> dict[str, tuple[int, ...]]:
    """How often each face of the movement dice came, by seat."""
    return {one.seat: one.faces for dice in found.dice if dice.id == "movement dice" for one in dice.seats}


def test_a_corrected_roll_counts_as_corrected(ledger: Ledger, table: str) -> None:
    """Ana rolled 3 and 4. The banker had typed 1 and 3."""
    assert faces(told(ledger, table)) == {"ana": (1, 0, 1, 0, 0, 0)}
    correct(ledger, table, {"op": "replace", "action": 7, "params": {"dice": [3, 4]}})
    for viewer in (BANKER, ANA, BOB):
        assert faces(told(ledger, table, viewer)) == {"ana": (0, 0, 1, 1, 0, 0)}
    (dice,) = told(ledger, table).dice
    assert [(one.dice, one.total, one.expected) for one in dice.seats] == [(2, 7, 7.0)]


def test_the_report_shows_the_corrected_roll(ledger: Ledger, table: str) -> None:
    correct(ledger, table, {"op": "replace", "action": 7, "params": {"dice": [3, 4]}})
    assert "2 dice, 7 in all; fair dice give 7." in shelf.exported(ledger, table, "html").decode()


def test_a_roll_that_is_dropped_and_inserted_again_counts_once(ledger: Ledger, table: str) -> None:
    """The correction of the correction, a redo, counts the first roll again."""
    again = {"kind": "roll_dice", "seat": "ana", "params": {"dice": [6, 5]}}
    correct(ledger, table, {"op": "drop", "action": 7}, {"op": "insert", "after": 7, "action": again})
    assert faces(told(ledger, table)) == {"ana": (0, 0, 0, 0, 1, 1)}
    correct(ledger, table, {"op": "drop", "action": 8})
    assert faces(told(ledger, table)) == {"ana": (1, 0, 1, 0, 0, 0)}


def test_mistyped_rolls_of_a_game_count_as_corrected(ledger: Ledger) -> None:
    """Every roll that can be is replaced by another. The faces are those of the events that count now."""
    game = shelf.simulate(ledger, "negopoly", seed=106, actions=160)
    rolls = [
        one.entry.number for one in shelf.timeline_of(ledger, game).effective() if one.entry.kind == "roll_dice"
    ]
    corrected = 0
    for number in reversed(rolls):
        # A move that would need a card which nobody drew is refused.
        with suppress(Refusal):
            correct(ledger, game, {"op": "replace", "action": number, "params": {"dice": [6, 6]}})
            corrected += 1
    assert corrected >= 3
    thrown: Counter[tuple[str, int]] = Counter()
    for standing in shelf.timeline_of(ledger, game).effective():
        thrown.update(
            (one.seat, face) for one in standing.events if isinstance(one, DiceThrown) for face in one.dice
        )
    counted = {
        (seat, face): times
        for seat, found in faces(told(ledger, game)).items()
        for face, times in enumerate(found, start=1)
        if times
    }
    assert counted == thrown
    assert any(face == 6 for _, face in counted)


def test_a_deal_counts_for_both_parties_and_once_in_all(ledger: Ledger) -> None:
    """Ana gives Bob ₦10 for his word, twice. The second deal is then undone."""
    game = started(ledger, "ana", "bob", title="Deals")
    for _ in range(2):
        leg = {"giver": "ana", "taker": "bob", "commodity": "NGD", "amount": 10}
        number = act(ledger, game, ANA, "propose_deal", legs=[leg], clauses=["Bob looks away"])
        act(ledger, game, BOB, "agree_deal", deal=str(number))
    assert _concluded(told(ledger, game)) == (2, {"ana": 2, "bob": 2})
    correct(ledger, game, {"op": "drop", "action": ledger.moment(game).version})
    assert _concluded(told(ledger, game)) == (1, {"ana": 1, "bob": 1})
    assert '<h3>Deals concluded</h3><p class="said">1</p>' in shelf.exported(ledger, game, "html").decode()
    several = SeveralGames()
    several.take(told(ledger, game))
    assert [one.quantity for one in several.totals().counts if one.id == "deals_concluded"] == [1]


def _concluded(found: Statistics) -> tuple[int, dict[str, int]]:
    """The number of concluded deals at the table, and for each party."""
    (tally,) = [one for one in found.counts if one.id == "deals_concluded"]
    return tally.quantity, {one.seat: one.quantity for one in tally.seats}
