"""An action chosen in parts goes beyond the choices of the moves."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.deciding.moves import Tries
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.refusals import Malformed
from ledger.reading.moves.parts import Choosing, ChosenPart, Step
from ledger.reading.moves.steps import Labels
from tests.virtual_revolution.table import Table

HAND = ("influence_1", "immunity_1", "revenue_1", "verse_1", "server_1")


def next_step(table: Table, kind: str, *chosen: tuple[str, Any]) -> Step:
    """The next step of ana's action. Parts are written like paths: "picks/0/place"."""
    viewer = Viewer("player", "ana")
    tries = Tries(
        table.rulebook, table.state, "ana", table.rulebook.accounts.purse("ana"), viewer, table.now, beyond=True
    )
    parts = [ChosenPart(tuple(path.split("/")), value) for path, value in chosen]
    return Choosing(table.rulebook, table.state, "ana", tries, kind).step(parts)


def values(step: Step, path: str) -> list[Any]:
    """The values that a step offers at a place."""
    return [value for leaf, value in step.values if "/".join(map(str, leaf.path)) == path]


@pytest.fixture
def table() -> Table:
    """Ana's Tanaka gives a Donation, and she has five Corruption cards."""
    table = Table()
    table.give("ana", service=["tanaka"], hand=HAND, eurocredit=30)
    table.play("ana", "place_director", place=5)
    return table


def test_two_cards_that_no_move_names_together_are_reached(table: Table) -> None:
    """Moves name the first three cards, one by one; the parts name each card, and a second one beside it."""
    assert not any("server_1" in str(params) for params in table.offers("ana", "promote_agent"))
    agent = ("agent", "tanaka"), ("effect", True), ("to", "retire")
    assert values(next_step(table, "promote_agent"), "agent") == ["tanaka"]
    deed = *agent, ("picks/0/action/action", "make_donation")
    assert set(values(next_step(table, "promote_agent", *deed), "picks/0/action/discard/0")) == {*HAND}
    card = *deed, ("picks/0/action/discard/0", "server_1")
    step = next_step(table, "promote_agent", *card)
    assert set(values(step, "picks/0/action/discard/1")) == {*HAND} - {"server_1"}
    assert step.end == ("picks", 0, "action", "discard")
    step = next_step(table, "promote_agent", *card, ("picks/0/action/discard/1", "verse_1"))
    assert step.act is not None
    table.play("ana", "promote_agent", **step.params)
    assert table.hand("ana") == ["immunity_1", "influence_1", "revenue_1"]


def test_cards_of_another_hand_are_no_values(table: Table) -> None:
    table.give("bob", hand=["agent_1"])
    table.give("ana", boosts=["leslie"])
    assert "agent_1" not in str(next_step(table, "make_donation").values)


def test_a_choice_that_only_a_draw_hides_is_no_value(table: Table) -> None:
    """The Title of Marais discards at random and asks for nothing: a place would be refused after the draw."""
    table.give("ana", titles=["MA"])
    step = next_step(table, "activate_title", ("title", "MA"))
    assert step.act is not None
    assert values(step, "picks/0/place") == values(step, "picks/0/whose") == []


def test_a_member_of_an_object_has_the_words_of_the_object(table: Table) -> None:
    """The tokens of a group of influence are not those paid against an attack."""
    table.put("ana", recycled=4)
    leaves = {leaf.holder for leaf, _ in next_step(table, "recover_influence").values}
    assert leaves == {"Group"}


def test_a_number_in_an_object_says_what_it_brings(table: Table) -> None:
    """Two tokens have one of two benefits: 0 and 1 are no words for them."""
    table.put("ana", recycled=4)
    step = next_step(table, "recover_influence", ("groups/0/tokens", 2))
    labels = Labels(table.rulebook, table.state, "recover_influence")
    said = [labels.of(leaf, value, step.params).en for leaf, value in step.values if leaf.path[-1] == "option"]
    assert said == ["2 (a discard at random)", "2 (a look at the next Necro card)"]


@pytest.mark.parametrize("path", ["house", "picks/place", "picks/1/place", "agent/0"])
def test_a_part_that_the_action_does_not_have_is_refused(table: Table, path: str) -> None:
    with pytest.raises(Malformed, match="part"):
        next_step(table, "promote_agent", (path, 5))
