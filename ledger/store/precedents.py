"""The places of rulings over many games, for the search for precedents."""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import LiteralString

import msgspec
import sqlalchemy
from sqlalchemy import ColumnElement, Text, and_, exists, false, literal_column, or_, select, true, tuple_

from ledger.store.database import schema
from ledger.store.database.connection import driver_cursor, reading
from ledger.store.database.storable import storable
from ledger.store.records import RulingRecord, RulingSelection

log = logging.getLogger("mabligop")

_GROWS = 4
_LARGEST_BATCH = 10_000

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

    def numbers(self, game_id: str, upto: int) -> list[int]:
        """Return the numbers of a game's actions with a ruling, up to a number, in order."""
        with driver_cursor(self.engine) as cursor:
            rows = cursor.execute(_NUMBERS, (game_id, upto), binary=True).fetchall()
        return [number for (number,) in rows]

    def selected(self, selection: RulingSelection) -> list[RulingRecord]:
        """Return the places of the selected rulings, newest first, at most `selection.limit`.

        The store does not know the status or the audience of a ruling. An unreadable ruling is left out and
        logged.
        """
        if not storable(selection.rulebook, selection.rule, *selection.words, *selection.games):
            return []
        records: list[RulingRecord] = []
        matches = _matching(selection)
        cursor, size = selection.cursor, selection.limit
        while True:
            rows = self._stored_rulings(selection, cursor, size)
            for recorded_at, game_id, number, body in rows:
                if matches(game_id, number, body):
                    records.append(RulingRecord(recorded_at, game_id, number))
                    if len(records) == selection.limit:
                        return records
            if len(rows) < size:
                return records
            # Rulings were left out. Each batch is larger than the previous batches together, so few batches are
            # needed.
            cursor, size = rows[-1][:3], min(size * _GROWS, _LARGEST_BATCH)

    def _stored_rulings(
        self, selection: RulingSelection, cursor: tuple[datetime, str, int] | None, limit: int
    ) -> Sequence[tuple[datetime, str, int, str]]:
        """Return the places and bodies of the rulings in the selected games after a place, newest first.

        The result contains at least the rulings with the rule and the words. The query treats the body as a
        text only: a cast to JSONB would fail the whole query for a body with a character that JSONB does not
        take.
        """
        event, action, game = schema.events.c, schema.actions.c, schema.games.c
        position = tuple_(action.recorded_at, event.game_id, event.number)
        conditions = [
            event.kind == _GIVEN,
            action.game_id == event.game_id,
            action.number == event.number,
            game.game_id == event.game_id,
            or_(event.game_id.in_(selection.games), _others(selection)),
        ]
        if selection.rulebook is not None:
            conditions.append(game.rulebook == selection.rulebook)
        if cursor is not None:
            conditions.append(position < tuple_(*cursor))
        body = event.body.cast(Text)
        conditions.append(
            or_(_may_spell(body, selection), *(body.contains(escape, autoescape=True) for escape in _ESCAPES))
        )
        statement = (
            select(action.recorded_at, event.game_id, event.number, body)
            .where(and_(*conditions))
            .order_by(action.recorded_at.desc(), event.game_id.desc(), event.number.desc())
            .limit(limit)
        )
        with reading(self.engine) as connection:
            return [(at, game_id, number, body) for at, game_id, number, body in connection.execute(statement)]


_ESCAPES = ("\\u", "\\/")
"""The escapes of JSON for a letter of a rule or a word in the store (RFC 8259, 7)."""


def _may_spell(body: ColumnElement[str], selection: RulingSelection) -> ColumnElement[bool]:
    """Build a condition: the body contains the rule and the words, in the spelling of our encoder."""
    spelt = [msgspec.json.encode(word).decode()[1:-1] for word in selection.words]
    named = [] if selection.rule is None else [msgspec.json.encode(selection.rule).decode()]
    return and_(
        true(),
        *(body.contains(rule, autoescape=True) for rule in named),
        *(body.icontains(word, autoescape=True) for word in spelt),
    )


class _Ruling(msgspec.Struct, frozen=True):
    """The searched fields of a ruling."""

    finding: str
    rules: tuple[str, ...] = ()
    waives: tuple[str, ...] = ()


_ruling = msgspec.json.Decoder(_Ruling)


def _matching(selection: RulingSelection) -> Callable[[str, int, str], bool]:
    """Return a function that checks a ruling, given by game, number and body, for the rule and the words."""
    words = [word.casefold() for word in selection.words]

    def matches(game_id: str, number: int, body: str) -> bool:
        try:
            ruling = _ruling.decode(body)
        except (msgspec.DecodeError, UnicodeError):
            log.warning("the ruling of game %s at action %d cannot be read and is left out", game_id, number)
            return False
        if selection.rule is not None and selection.rule not in (*ruling.rules, *ruling.waives):
            return False
        finding = ruling.finding.casefold() if words else ""
        return all(word in finding for word in words)

    return matches


def _others(selection: RulingSelection) -> ColumnElement[bool]:
    match selection.others:
        case "all":
            return true()
        case "published":
            published = schema.events.alias("published")
            return exists().where(published.c.kind == _PUBLISHED, published.c.game_id == schema.events.c.game_id)
        case "none":
            return false()
