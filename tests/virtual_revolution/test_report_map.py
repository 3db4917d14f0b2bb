"""The map of the report: places, their sides and districts, and what lies on each of them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from ledger.kernel.audience import SPECTATOR
from ledger.rulebooks.virtual_revolution.rulebook import RULEBOOK
from replays.report.charted import map_of
from replays.report.shapes import Person
from tests.virtual_revolution.table import Table

PEOPLE = {
    seat: Person(seat, name, name, 1 + number, name[0])
    for number, (seat, name) in enumerate((("ana", "Ana"), ("bob", "Bob"), ("cid", "Cid")))
}


def test_the_map_shows_who_controls_what_and_where_directors_stand() -> None:
    """A spectator sees control, influence, Servers and Directors; two places that share a side have a line."""
    table = Table()
    table.put("ana", influence={5: 2}, servers=[13])
    table.put("bob", influence={13: 1})
    table.turn_of("ana", director=5)
    export: Any = SimpleNamespace(rulebook=RULEBOOK, state=table.state, viewer=SPECTATOR, language="en")
    drawn = map_of(export, PEOPLE)
    assert drawn is not None
    places = {place.name: place for place in drawn.places}
    assert len(places) == len(RULEBOOK.pieces_in_play(table.state).places)
    fifth, shared = places["5th"], places["13th"]
    assert fifth.owner is PEOPLE["ana"]
    assert fifth.many == 2
    assert fifth.tokens == (PEOPLE["ana"],)
    assert fifth.group
    assert fifth.colour
    assert shared.owner is None
    assert "two control it" in shared.pieces
    at = {(place.x, place.y) for place in drawn.places}
    assert drawn.edges
    assert all({(x1, y1), (x2, y2)} <= at for x1, y1, x2, y2 in drawn.edges)
    assert all(len(colour) == 7 for _, colour, _ in drawn.groups)
    assert drawn.tokens.split() == ["Ana:", "5th"]
