"""Inconsistencies in cards: ids, kinds, cited rules, and the operations and names in effects.

Each sort of card may use only the operations of the rulebook's cards of the sort, because only their meaning is
defined.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ledger.kernel.facts.names import look
from ledger.kernel.rules.faces.editions import Fault
from ledger.rulebooks.parts.looks import repeated, unfit_text
from ledger.rulebooks.parts.reasons import excerpt, listed
from ledger.rulebooks.virtual_revolution.own_pieces.map_checks import unknown_district
from ledger.rulebooks.virtual_revolution.own_pieces.shape import Places
from ledger.rulebooks.virtual_revolution.table.edition import EDITION
from ledger.rulebooks.virtual_revolution.table.pieces import Pieces

LONGEST_TEXT = 600
CARDS = ("agent", "verse", "objective", "necro", "corruption", "boost")
"""The tables of cards."""
_TABLES = ("district", "corruption_kind", *CARDS, "title", "recycling")
_NAMING = frozenset({"districts", "if_director_in"})
"""The members with the names of districts."""
_CITING = frozenset({"rule", "rules"})
_TEXTS = frozenset({"name", "text", "mission_text", "end_text", "colour"})


class RowValue(NamedTuple):
    """A value in a row of a table, with the steps from the row to the value."""

    steps: tuple[str | int, ...]
    value: Any

    @property
    def name(self) -> str:
        """The name of the nearest member."""
        return str(next(step for step in reversed(self.steps) if isinstance(step, str)))


def _values(row: Any, steps: tuple[str | int, ...] = ()) -> Iterator[RowValue]:
    """Yield every value in a row, each before its contents."""
    inside = row.items() if isinstance(row, Mapping) else enumerate(row) if isinstance(row, list | tuple) else ()
    for step, value in inside:
        yield RowValue((*steps, step), value)
        yield from _values(value, (*steps, step))


def _sort(table: str, row_value: RowValue) -> str:
    """Return the sort of part with the value, such as "agent.promotion"; one sort for all parts of a Necro
    card.
    """
    if table in {"necro", "boost"}:
        return table
    return "boost" if (table, row_value.steps[0]) == ("agent", "boost") else f"{table}.{row_value.steps[0]}"


def _operation(value: Any) -> tuple[str, str] | None:
    """Return an operation, and the kind of tie to an Action; None for any other value."""
    if not isinstance(value, Mapping) or "op" not in value:
        return None
    tied = next((name for name in ("when_action", "if_action") if value.get(name)), "")
    return str(value["op"]), tied


def _vocabulary() -> Mapping[str, frozenset[tuple[str, str]]]:
    """Return the rulebook's operations for each sort of part."""
    used: dict[str, set[tuple[str, str]]] = {}
    for table in _TABLES:
        for row in EDITION.pieces.plain[table]:
            for row_value in _values(row):
                operation = _operation(row_value.value)
                if operation is not None:
                    used.setdefault(_sort(table, row_value), set()).add(operation)
    return {sort: frozenset(operations) for sort, operations in used.items()}


VOCABULARY = _vocabulary()


def faults(pieces: Pieces, places: Places) -> Iterator[Fault]:
    """Yield every fault of the cards, in the order of the tables."""
    yield from _ids(pieces, places)
    for table in _TABLES:
        for number, row in enumerate(pieces.plain[table]):
            for row_value in _values(row):
                yield from _value(table, number, row_value, pieces, places)
    for number, card in enumerate(pieces.corruption):
        if card.kind not in pieces.kinds:
            kinds = listed(pieces.kinds)
            yield Fault(
                places.of("corruption", number, "kind"),
                f"there is no kind {excerpt(card.kind)} of Corruption card; there are: {kinds}",
                f"il n'y a pas de sorte {excerpt(card.kind)} de carte Corruption ; il y a : {kinds}",
            )
    yield from _boosts(pieces, places)


def _ids(pieces: Pieces, places: Places) -> Iterator[Fault]:
    """Yield repeated ids. Ids are unique over all cards, because each card is a piece, and over districts,
    because districts name Titles.
    """
    yield from repeated(
        [
            *((places.of("district", row, "id"), item.id) for row, item in enumerate(pieces.district)),
            *((places.of("arrondissement"), item) for item in pieces.locations),
            *(
                (places.of(table, row, "id"), card["id"])
                for table in CARDS
                for row, card in enumerate(pieces.plain[table])
            ),
        ]
    )
    kinds = enumerate(pieces.corruption_kind)
    yield from repeated((places.of("corruption_kind", row, "id"), item.id) for row, item in kinds)


def _value(table: str, number: int, row_value: RowValue, pieces: Pieces, places: Places) -> Iterator[Fault]:
    """Yield the faults of a value in a row."""
    pointer, value = places.of(table, number, *row_value.steps), row_value.value
    operation = _operation(value)
    if operation is not None:
        sort = _sort(table, row_value)
        allowed = VOCABULARY.get(sort, frozenset())
        if operation not in allowed:
            name, tied = operation
            listing = listed(sorted(f"{op} ({tie})" if tie else op for op, tie in allowed))
            named = excerpt(f"{name} ({tied})" if tied else name)
            yield Fault(
                places.of(table, number, *row_value.steps, "op"),
                f"{sort} has no operation {named}; there are: {listing}",
                f"{sort} n'a pas d'opération {named} ; il y a : {listing}",
            )
    if not isinstance(value, str):
        if (
            row_value.name == "vp_by_players"
            and isinstance(value, Mapping)
            and not value.keys() <= {"2", "3", "4"}
        ):
            yield Fault(
                pointer, 'points are by "2", "3" or "4" players', 'les points vont par "2", "3" ou "4" joueurs'
            )
        return
    if row_value.name in _NAMING and value not in pieces.districts:
        yield unknown_district(pointer, value, pieces)
    elif row_value.steps[0] in _CITING or row_value.name in _CITING:
        if value and value not in EDITION.register:
            yield Fault(
                pointer,
                f"the rulebook has no rule {excerpt(value)}",
                f"le livre de règles n'a pas de règle {excerpt(value)}",
            )
    elif row_value.steps[0] in _TEXTS:
        blank = not look(value) and row_value.name != "colour"
        yield from unfit_text(pointer, value, LONGEST_TEXT, blank=blank)


def _boosts(pieces: Pieces, places: Places) -> Iterator[Fault]:
    """Check each Boost: an Action is named, and all effects of the Boost belong to the Action."""
    rows = [
        *(("agent", row, "boost", card.boost_action, card.boost) for row, card in enumerate(pieces.agent)),
        *(("boost", row, "effects", card.action, card.effects) for row, card in enumerate(pieces.boost)),
    ]
    for table, row, part, action, effects in rows:
        if effects and action is None:
            yield Fault(
                places.of(table, row, "boost_action"),
                "a Boost lies under an Action: `boost_action` is missing",
                "un Boost se place sous une Action : il manque `boost_action`",
            )
        for step, effect in enumerate(effects):
            if action is not None and effect.when_action != action:
                yield Fault(
                    places.of(table, row, part, step, "when_action"),
                    f"the effects of this Boost belong to {action}",
                    f"les effets de ce Boost vont avec {action}",
                )
