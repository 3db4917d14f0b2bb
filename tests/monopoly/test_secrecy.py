"""What chance has not decided is nowhere: two games that will go on differently are the same game until then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import pytest

from ledger.kernel.facts.audience import Viewer
from ledger.rulebooks.monopoly.table.terms import Landing
from tests.monopoly.table import SEATS, Table, monopolys, naruto, town


def at_a_deck(played: Callable[..., Table], square: str, chance: int) -> Table:
    """Ana has to draw a card, or to throw the chance die; the service draws, by this chance."""
    table = played(dice="service")
    assert table.chance is not None
    table.chance.seed(chance)
    table.turn("ana", thrown=True)
    table.stand("ana", square)
    with table.arranged() as state:
        todo: Literal["die", "card"] = "die" if table.rulebook.id == "monopolys" else "card"
        state.landing = Landing(seat="ana", square=state.positions["ana"], todo=todo)
    return table


@pytest.mark.parametrize(
    ("played", "square", "kind"),
    [
        (naruto, "mission_1", "draw_card"),
        (monopolys, "ocean_3", "roll_chance_die"),
        (town, "letter_box_1", "draw_card"),
    ],
)
def test_nothing_of_a_game_hangs_on_the_card_that_comes_next(
    played: Callable[..., Table], square: str, kind: str
) -> None:
    """State, views and moves are the same whatever chance holds ready; after the draw they differ."""
    one, other = (at_a_deck(played, square, chance) for chance in (1, 2))
    rulebook = one.rulebook
    assert one.state.landing is not None
    assert rulebook.codec.to_snapshot(one.state) == rulebook.codec.to_snapshot(other.state)
    for viewer in (Viewer("spectator"), Viewer("banker"), *(Viewer("player", seat) for seat in SEATS)):
        assert rulebook.screen.view(one.state, viewer) == rulebook.screen.view(other.state, viewer)
    for seat in SEATS:
        assert one.moves(seat) == other.moves(seat)
    drawn = set()
    for chance in range(12):
        table = at_a_deck(played, square, chance)
        table.play("ana", kind)
        drawn.add(str(table.journal[-1].draws))
    assert len(drawn) > 1
