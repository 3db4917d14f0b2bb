"""The clock of the last turn runs out: the game ends with it, and whoever acts next is told so."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.audience import BANKER
from ledger.kernel.facts.refusals import GameOver
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Command, Ledger
from ledger.store.store import Store
from ledger.trust.dice import check_dice
from ledger.trust.verifying import verify
from tests.tables.ledgers import ANA, BOB, Clock, do, started
from tests.trust.test_dice import entries_of

TURN = 60


@pytest.fixture
def clock() -> Clock:
    return Clock(step=1)


@pytest.fixture
def last_turn(store: Store, clock: Clock) -> tuple[Ledger, str]:
    """The banker ends the game with this round; Ana has played, and Bob has thrown. The service throws."""
    ledger = Ledger(store, rulebooks_by_id(), clock=clock)
    game = started(ledger, "ana", "bob", dice="service", settings={"turn_seconds": TURN})
    ledger.perform(game, BANKER, Command(kind="end_game", params={"reason": "it is late"}))
    do(ledger, game, ANA, "roll_dice")
    ledger.perform(game, BANKER, Command(kind="roll_dice", seat="bob"), settle=True)
    return ledger, game


def test_the_end_is_written_although_the_action_after_it_is_refused(
    last_turn: tuple[Ledger, str], clock: Clock
) -> None:
    ledger, game = last_turn
    clock.pass_by(10 * TURN)
    with pytest.raises(GameOver):
        do(ledger, game, BOB, "end_turn")
    assert ledger.moment(game).newest.ended
    version = ledger.moment(game).version
    with pytest.raises(GameOver):
        do(ledger, game, ANA, "roll_dice")
    assert ledger.moment(game).version == version


def test_the_seed_is_opened_with_the_end(last_turn: tuple[Ledger, str], clock: Clock, store: Store) -> None:
    """So everybody can throw again; the journal is as the service had to write it."""
    ledger, game = last_turn
    clock.pass_by(10 * TURN)
    with pytest.raises(GameOver):
        do(ledger, game, BOB, "end_turn")
    checked = check_dice(rulebooks_by_id()["negopoly"], entries_of(store, game))
    assert (checked.waiting, checked.wrong) == (0, ())
    assert checked.checked
    assert [*verify(ledger.games, game, decide=True)] == []
