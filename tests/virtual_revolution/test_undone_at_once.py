"""The banker takes back the end of a round, after which the service went on with the Necro attack by itself."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.audience import BANKER
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger, Undo
from ledger.store.store import Store
from ledger.trust.verifying import verify
from tests.tables.ledgers import Clock
from tests.trust.impatient import Evening


@pytest.fixture
def attacked(store: Store) -> tuple[Evening, int]:
    """A game in which the last action made the Necro attack due at once; the number of that action."""
    clock = Clock(step=1)
    evening = Evening(
        Ledger(store, rulebooks_by_id(), clock=clock),
        clock,
        "virtual_revolution",
        seats=("ana", "bob", "cid"),
        seed=7,
    )
    while evening.entries[-1].kind != "necro_attack":
        evening.play(1)
    return evening, evening.state.version - 1


def how(evening: Evening, number: int) -> list[str]:
    """How the action and the attack after it stand."""
    moment = evening.ledger.moment(evening.game)
    timeline = moment.game.history.timeline_between(1, moment.version, moment.corrections)
    return [one.status for one in (timeline.entry(number), timeline.entry(number + 1)) if one is not None]


def test_the_attack_goes_with_the_action_that_caused_it(attacked: tuple[Evening, int]) -> None:
    """No default takes the place of what was taken back; the redo brings both back, with the same draws."""
    evening, number = attacked
    correcting, before = evening.ledger.correcting, evening.state.holdings.as_dict()
    correcting.take_back(evening.game, BANKER, Undo(way="undo", action=number, reason="not yet"))
    assert how(evening, number) == ["undone", "voided"]
    assert evening.rulebook.screen.phase(evening.state, "en").id != "attack"
    correcting.take_back(evening.game, BANKER, Undo(way="redo", reason="it was right"))
    assert how(evening, number) == ["effective", "effective"]
    assert evening.state.holdings.as_dict() == before
    correcting.take_back(evening.game, BANKER, Undo(way="undo", action=number, reason="not yet"))
    # Something else is done after it and taken back, too: what is gone stays gone.
    asked = evening.state.version + 1
    while evening.state.version < asked:
        assert evening.next()
    undo = Undo(way="undo", action=asked, reason="a slip", cascade="restate")
    correcting.take_back(evening.game, BANKER, undo)
    assert how(evening, number) == ["undone", "voided"]
    assert [*verify(evening.ledger.games, evening.game, decide=True)] == []
