"""The map of the report: places, their sides and districts, and what lies on each of them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from ledger.kernel.facts.audience import SPECTATOR
from ledger.kernel.rules.display import BoardGroup, BoardPlace, BoardView, PieceView, PlaceView
from ledger.rulebooks.parts.face.faces import board_face
from ledger.rulebooks.virtual_revolution.rulebook import RULEBOOK
from replays.report import charted
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
    assert len(places) == len(RULEBOOK.screen.pieces_in_play(table.state).places)
    fifth, shared = places["5th"], places["13th"]
    assert fifth.owner is PEOPLE["ana"]
    assert fifth.many == 2
    assert fifth.tokens == (PEOPLE["ana"],)
    assert (fifth.short, fifth.group, fifth.mark, fifth.colour) == ("5", "Quartier Latin", "QL", "#A16207")
    assert fifth.pieces == "2\u00a0× influence token of Ana"
    assert shared.owner is None
    assert "two control it" in shared.pieces
    at = {(place.x, place.y) for place in drawn.places}
    assert drawn.edges
    assert all({(x1, y1), (x2, y2)} <= at for x1, y1, x2, y2 in drawn.edges)
    assert all(len(colour) == 7 for _, colour, _ in drawn.groups)
    assert drawn.tokens.split() == ["Ana:", "5th"]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_each_place_has_what_the_board_says_of_it(language: str) -> None:
    table = Table()
    export: Any = SimpleNamespace(rulebook=RULEBOOK, state=table.state, viewer=SPECTATOR, language=language)
    drawn, board = map_of(export, PEOPLE), RULEBOOK.screen.board_drawn(table.state, language)
    assert drawn is not None
    assert board is not None
    district = {group.id: (group.name, group.mark, group.colour) for group in board.groups}
    assert [(one.id, (one.x, one.y), one.short, one.group, one.mark, one.colour) for one in drawn.places] == [
        (one.id, one.at, one.short, *district[str(one.group)]) for one in board.places
    ]


def test_places_of_any_shape_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """A square with two cards face down, a point beside it, and a place that is nowhere on the map."""
    square = BoardPlace(id="square", number=1, name="Square", shape=((0, 0), (40, 0), (40, 20), (0, 20)))
    point = BoardPlace(id="point", number=2, name="Point", at=(90, 50), group="south")
    nowhere = BoardPlace(id="nowhere", number=3, name="Nowhere")
    board = BoardView(
        form="map",
        face=board_face("en"),
        box=(100, 100),
        adjacent=(("square", "point"), ("point", "nowhere"), ("nowhere", "square")),
        places=(square, point, nowhere),
        groups=(BoardGroup(id="south", name="South", colour="red", mark="S"),),
    )
    cards = PlaceView(pieces=(PieceView(veil="card", face="down", amount=2),))
    monkeypatch.setattr(charted, "drawn", lambda *_: board)
    monkeypatch.setattr(charted, "shown_on", lambda *_: SimpleNamespace(places={"square": cards}, tokens=()))
    export: Any = SimpleNamespace(rulebook=RULEBOOK, state=Table().state, viewer=SPECTATOR, language="en")
    found = map_of(export, PEOPLE)
    assert found is not None
    first, second = found.places
    assert (first.x, first.y, first.points) == (20, 10, "0,0 40,0 40,20 0,20")
    assert (first.short, first.group, first.mark, first.colour) == ("Square", "", "", None)
    assert (first.pieces, first.many) == ("2\u00a0× card", 2)
    assert (second.group, second.mark, second.colour) == ("South", "S", None)
    assert found.groups == (("South", "transparent", "S"),)
    assert found.edges == ((20, 10, 90, 50),)
    for none in (None, replace(board, form="ring"), replace(board, box=UNSET)):
        monkeypatch.setattr(charted, "drawn", lambda *_, none=none: none)
        assert map_of(export, PEOPLE) is None
