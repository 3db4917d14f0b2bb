"""The places of rulings over many games, for the search for precedents."""

from typing import LiteralString

import sqlalchemy
from sqlalchemy import ColumnElement, and_, exists, false, literal_column, or_, select, true, tuple_
from sqlalchemy.dialects.postgresql import JSONB

from ledger.store import schema
from ledger.store.connection import driver_cursor, reading
from ledger.store.errors import RecordRefused
from ledger.store.records import RulingRecord, RulingSelection

# Written as literals: the index over these kinds is partial, and a parameter could be any kind.
_GIVEN: ColumnElement[str] = literal_column("'ruling_given'")
_PUBLISHED: ColumnElement[str] = literal_column("'rulings_published'")


_NUMBERS: LiteralString = """
SELECT DISTINCT number FROM events
 WHERE kind = 'ruling_given' AND game_id = $1::text AND number <= $2::bigint
 ORDER BY number
"""


class Rulings:
    """The rulings in the table `events`."""

    def __init__(self, engine: sqlalchemy.Engine) -> None:
        self.engine = engine

    def ruling_numbers(self, game_id: str, upto: int) -> list[int]:
        """The numbers of a game's actions with a ruling, up to a number, in order."""
        with driver_cursor(self.engine) as cursor:
            rows = cursor.execute(_NUMBERS, (game_id, upto), binary=True).fetchall()
        return [number for (number,) in rows]

    def rulings(self, selection: RulingSelection) -> list[RulingRecord]:
        """The places of the selected rulings, newest first, at most `selection.limit` of them.

        The store does not know whether a ruling still stands or who may read it.
        """
        event, action, game = schema.events.c, schema.actions.c, schema.games.c
        body = event.body.cast(JSONB)
        place = tuple_(action.recorded_at, event.game_id, event.number)
        conditions = [
            event.kind == _GIVEN,
            action.game_id == event.game_id,
            action.number == event.number,
            game.game_id == event.game_id,
            or_(event.game_id.in_(selection.games), _others(selection)),
            *(body["finding"].astext.icontains(word, autoescape=True) for word in selection.words),
        ]
        if selection.rulebook is not None:
            conditions.append(game.rulebook == selection.rulebook)
        if selection.rule is not None:
            named = [body[name].has_key(selection.rule) for name in ("rules", "waives")]
            conditions.append(or_(*named))
        if selection.after is not None:
            conditions.append(place < tuple_(*selection.after))
        statement = (
            select(action.recorded_at, event.game_id, event.number)
            .where(and_(*conditions))
            .order_by(action.recorded_at.desc(), event.game_id.desc(), event.number.desc())
            .limit(selection.limit)
        )
        try:
            with reading(self.engine) as connection:
                return [RulingRecord(*row) for row in connection.execute(statement)]
        except RecordRefused:  # No ruling has a value that cannot be stored.
            return []


def _others(selection: RulingSelection) -> ColumnElement[bool]:
    match selection.others:
        case "all":
            return true()
        case "published":
            published = schema.events.alias("published")
            return exists().where(published.c.kind == _PUBLISHED, published.c.game_id == schema.events.c.game_id)
        case "none":
            return false()
