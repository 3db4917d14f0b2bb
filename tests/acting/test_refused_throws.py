"""A refusal after a throw tells nothing of what would be thrown."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.refusals import Impossible, Malformed
from ledger.rulebooks.negopoly.board.movement import RollDice
from ledger.rulebooks.negopoly.table.state import Draft
from ledger.service import Command
from ledger.store.store import Store
from tests.tables.ledgers import a_ledger, started

ROLL = Command(kind="roll_dice")


def test_a_refused_throw_is_another_one_than_that_which_comes(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a rule that refuses Ana after her throw and says what it was, then each try says something else."""
    ledger = a_ledger(store)
    game = started(ledger, "ana", "bob", dice="service")
    decide, told = RollDice.decide, []

    def refuse(action: RollDice, draft: Draft) -> None:
        decide(action, draft)
        raise Impossible("II.B.4", "{dice} does not count", "{dice} ne compte pas", dice=draft.draws.drawn)

    with monkeypatch.context() as bent:
        bent.setattr(RollDice, "decide", refuse)
        for _ in range(8):
            with pytest.raises(Impossible) as refused:
                ledger.perform(game, Viewer("player", "ana"), ROLL)
            told.append(str(refused.value))
    assert len(set(told)) > 2


def test_values_that_a_player_gives_are_refused_before_anything_is_thrown(store: Store) -> None:
    ledger = a_ledger(store)
    game = started(ledger, "ana", "bob", dice="service")
    with pytest.raises(Malformed, match="the service draws in this game: leave out chance_01"):
        ledger.perform(game, Viewer("player", "ana"), Command(kind="roll_dice", params={"draws": ["chance_01"]}))
    assert ledger.perform(game, Viewer("player", "ana"), ROLL).entry.draws.keys() == {"movement dice"}
