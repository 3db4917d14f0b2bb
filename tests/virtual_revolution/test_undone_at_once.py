"""The banker takes back what came before a step of the service: the Necro attack, or the upkeep."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.audience import BANKER
from ledger.reading.history.previews import preview_of
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger, Undo
from ledger.store.store import Store
from ledger.trust.verifying import verify
from tests.tables.ledgers import Clock
from tests.trust.impatient import Evening
from tests.virtual_revolution.ending import end_round
from tests.virtual_revolution.table import Table


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


@pytest.fixture
def begun() -> tuple[Table, int]:
    """Three have places in the turn order, and the service has begun round 2; the number of the first choice."""
    table = Table(dice="service", seed=2)
    for seat in table.seats:
        table.give(seat, immunity=0)
    end_round(table)
    for place in (2, 1):
        table.play(table.state.choosers[0], "choose_turn_order", place=place)
    assert (table.state.round, table.state.stage) == (2, "turn")
    return table, next(one.number for one in table.journal if one.kind == "choose_turn_order")


@pytest.mark.rule("vr:order.1", "vr:round.1")
def test_a_place_taken_back_after_the_upkeep_is_chosen_anew(begun: tuple[Table, int]) -> None:
    """Nothing has been played in round 2: the upkeep falls, the player is asked again. The redo restores all."""
    table, chosen = begun
    seat, after = table.journal[chosen - 1].seat, table.state.holdings.as_dict()
    found = table.what_if({"op": "drop", "action": chosen})
    assert [one.action.kind for one in found.event.insertions] == ["let_first"]
    table.banker("correct", edits=[{"op": "drop", "action": chosen}], cascade="restate", reason="too early")
    assert (table.state.round, table.state.stage, table.state.choosers[0]) == (1, "order", seat)
    table.banker("correct", edits=[{"op": "drop", "action": table.number}], cascade="restate", reason="no")
    assert (table.state.round, table.state.holdings.as_dict()) == (2, after)


@pytest.mark.rule("vr:order.1", "vr:banker.1")
def test_the_preview_names_who_is_answered_for(begun: tuple[Table, int]) -> None:
    """A Director of round 2 stands, so the first free place is chosen for the player."""
    table, chosen = begun
    assert table.state.turn is not None
    table.play(table.state.turn.seat, "place_director", place=5)
    found = table.what_if({"op": "drop", "action": chosen})
    name = table.state.seats[str(table.journal[chosen - 1].seat)].name
    for language, acts in (
        ("en", f"The game acts for {name}: {name} chooses"),
        ("fr", f"Le jeu agit pour {name}\u00a0: {name} choisit"),
    ):
        preview = preview_of(table.rulebook, found, BANKER, language)
        assert [one.sentence.startswith(acts) for one in preview.inserted if one.kind == "choose_turn_order"] == [
            True
        ]
