"""The board of the report, square by square."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ledger.kernel.rules.faces.board import Place
from ledger.kernel.rules.faces.tallies import Tallies
from ledger.moving.exporting import Export
from ledger.rulebooks.parts.boards import places_of, positions_of
from replays.report.shapes import Board, Person, Square
from replays.report.words import Speech

_LEAST_EDGE = 3
"""The smallest ring has three places on each edge, and room for words in the middle."""


def board_of(export: Export, people: Mapping[str, Person]) -> Board | None:
    """Lay out the public board as a ring; None for a game without a board.

    If the places do not fill the four edges, the gaps are spread over the ring.
    """
    places = places_of(export.rulebook, export.state)
    if not places:
        return None
    say = Speech(export.language, None)
    tallies = export.rulebook.tallies
    positions = positions_of(export.rulebook, export.state)
    edge = max(_LEAST_EDGE, -(-len(places) // 4) + 1)
    room = 4 * (edge - 1)
    squares = []
    for index, spot in enumerate(places):
        row, column, side = _around(index * room // len(places), edge)
        squares.append(
            Square(
                row=row,
                column=column,
                side=side,
                name=spot.name,
                kind=spot.kind,
                colour=spot.colour,
                owner=None if spot.owner is None else people[spot.owner],
                state=state_text(spot, tallies, say),
                built=spot.built,
                marked=bool(spot.marks),
                tokens=tuple(people[seat] for seat, at in sorted(positions.items()) if at == index),
            )
        )
    texts = [say("of", name=people[seat].name, value=places[at].name) for seat, at in sorted(positions.items())]
    return Board(
        edge,
        tuple(squares),
        ", ".join(texts) or say("none"),
        tuple((people[seat], _owned(people[seat], squares, tallies, say)) for seat in export.state.seats),
        _legend(tallies, say),
    )


def _owned(owner: Person, squares: Sequence[Square], tallies: Tallies, say: Speech) -> str:
    """Describe the places and buildings of a player, in words."""
    places = [square for square in squares if square.owner == owner]
    built = sum(square.built for square in places)
    words = [(tallies.estates, len(places)), (tallies.built, built)]
    return ", ".join(
        say("of", name=phrase.in_language(say.language), value=many)
        for phrase, many in words
        if phrase is not None and many
    )


def _legend(tallies: Tallies, say: Speech) -> str:
    """Return the legend of the board's marks."""
    marks = " / ".join(mark.in_language(say.language) for mark in tallies.marks.values())
    texts = [say("board_owner"), say("board_marked", marks=marks) if marks else ""]
    texts += ["" if tallies.built is None else say("board_built", built=tallies.built.in_language(say.language))]
    return " ".join(text for text in [*texts, say("board_tokens")] if text)


def _around(index: int, edge: int) -> tuple[int, int, str]:
    """Return the row and column (from 1) and the side of a place, clockwise from the lower right corner."""
    side, along = divmod(index, edge - 1)
    match side:
        case 0:
            return edge, edge - along, "bottom"
        case 1:
            return edge - along, 1, "left"
        case 2:
            return 1, 1 + along, "top"
        case _:
            return 1 + along, edge, "right"


def state_text(spot: Place, tallies: Tallies, say: Speech) -> str:
    """Describe the buildings and marks of a place, in words."""
    texts = []
    if spot.built and tallies.built is not None:
        texts.append(say("of", name=tallies.built.in_language(say.language), value=spot.built))
    texts += [tallies.marks[mark].in_language(say.language) for mark in spot.marks if mark in tallies.marks]
    return ", ".join(texts)
