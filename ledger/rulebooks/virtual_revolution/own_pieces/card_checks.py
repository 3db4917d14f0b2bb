"""What does not fit together in cards: ids, kinds, the rules they cite, what their effects do and name.

Cards are made of the operations with which the rulebook makes cards of the same sort: what an operation means
there has been decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ledger.rulebooks.parts.brought import Fault
from ledger.rulebooks.parts.reasons import listed, shown
from ledger.rulebooks.virtual_revolution.own_pieces.map_checks import twice, unknown_district
from ledger.rulebooks.virtual_revolution.own_pieces.shape import Places
from ledger.rulebooks.virtual_revolution.table.edition import EDITION
from ledger.rulebooks.virtual_revolution.table.pieces import Pieces

LONGEST_TEXT = 600
CARDS = ("agent", "verse", "objective", "necro", "corruption", "boost")
"""The tables of cards."""
_TABLES = ("district", "corruption_kind", *CARDS, "title", "recycling")
_NAMING = frozenset({"districts", "if_director_in"})
"""The members that name districts."""
_CITING = frozenset({"rule", "rules"})
_TEXTS = frozenset({"name", "text", "mission_text", "end_text", "colour"})


class Found(NamedTuple):
    """A value in a row of a table: its steps from the row, the last of them its name."""

    steps: tuple[str | int, ...]
    value: Any

    @property
    def name(self) -> str:
        """The name of the nearest member."""
        return str(next(one for one in reversed(self.steps) if isinstance(one, str)))


def _values(row: Any, steps: tuple[str | int, ...] = ()) -> Iterator[Found]:
    """Every value in a row, each before what is in it."""
    inside = row.items() if isinstance(row, Mapping) else enumerate(row) if isinstance(row, list | tuple) else ()
    for step, value in inside:
        yield Found((*steps, step), value)
        yield from _values(value, (*steps, step))


def _sort(table: str, found: Found) -> str:
    """The sort of cards' parts that an operation stands in: "agent.promotion"; those of a Necro card alike."""
    if table in {"necro", "boost"}:
        return table
    return "boost" if (table, found.steps[0]) == ("agent", "boost") else f"{table}.{found.steps[0]}"


def _operation(value: Any) -> tuple[str, str] | None:
    """An operation, and how it is tied to an Action; None for any other value."""
    if not isinstance(value, Mapping) or "op" not in value:
        return None
    tied = next((name for name in ("when_action", "if_action") if value.get(name)), "")
    return str(value["op"]), tied


def _vocabulary() -> Mapping[str, frozenset[tuple[str, str]]]:
    """The operations with which the rulebook makes each sort of part."""
    used: dict[str, set[tuple[str, str]]] = {}
    for table in _TABLES:
        for row in EDITION.pieces.plain[table]:
            for found in _values(row):
                operation = _operation(found.value)
                if operation is not None:
                    used.setdefault(_sort(table, found), set()).add(operation)
    return {sort: frozenset(operations) for sort, operations in used.items()}


VOCABULARY = _vocabulary()


def faults(pieces: Pieces, places: Places) -> Iterator[Fault]:
    """Every fault of the cards, in the order of the tables."""
    yield from _ids(pieces, places)
    for table in _TABLES:
        for number, row in enumerate(pieces.plain[table]):
            for found in _values(row):
                yield from _value(table, number, found, pieces, places)
    for number, card in enumerate(pieces.corruption):
        if card.kind not in pieces.kinds:
            known = listed(pieces.kinds)
            yield Fault(
                places.of("corruption", number, "kind"),
                f"there is no kind {shown(card.kind)} of Corruption card; there are: {known}",
                f"il n'y a pas de sorte {shown(card.kind)} de carte Corruption ; il y a : {known}",
            )
    yield from _boosts(pieces, places)


def _ids(pieces: Pieces, places: Places) -> Iterator[Fault]:
    """Ids are unique over all cards, because each card is a piece; and over districts, which name Titles."""
    yield from twice(
        [
            *((places.of("district", row, "id"), one.id) for row, one in enumerate(pieces.district)),
            *((places.of("arrondissement"), one) for one in pieces.locations),
            *(
                (places.of(table, row, "id"), card["id"])
                for table in CARDS
                for row, card in enumerate(pieces.plain[table])
            ),
        ]
    )
    kinds = enumerate(pieces.corruption_kind)
    yield from twice((places.of("corruption_kind", row, "id"), one.id) for row, one in kinds)


def _value(table: str, number: int, found: Found, pieces: Pieces, places: Places) -> Iterator[Fault]:
    """The faults of one value of a row."""
    place, value = places.of(table, number, *found.steps), found.value
    operation = _operation(value)
    if operation is not None:
        sort = _sort(table, found)
        known = VOCABULARY.get(sort, frozenset())
        if operation not in known:
            name, tied = operation
            told = listed(sorted(f"{op} ({tie})" if tie else op for op, tie in known))
            wanted = shown(f"{name} ({tied})" if tied else name)
            yield Fault(
                places.of(table, number, *found.steps, "op"),
                f"{sort} has no operation {wanted}; there are: {told}",
                f"{sort} n'a pas d'opération {wanted} ; il y a : {told}",
            )
    if not isinstance(value, str):
        if found.name == "vp_by_players" and isinstance(value, Mapping) and not value.keys() <= {"2", "3", "4"}:
            yield Fault(
                place, 'points are by "2", "3" or "4" players', 'les points vont par "2", "3" ou "4" joueurs'
            )
        return
    if found.name in _NAMING and value not in pieces.districts:
        yield unknown_district(place, value, pieces)
    elif found.steps[0] in _CITING or found.name in _CITING:
        if value and value not in EDITION.register:
            yield Fault(
                place,
                f"the rulebook has no rule {shown(value)}",
                f"le livre de règles n'a pas de règle {shown(value)}",
            )
    elif found.steps[0] in _TEXTS:
        yield from _text(place, value, is_colour=found.name == "colour")


def _text(place: str, text: str, *, is_colour: bool) -> Iterator[Fault]:
    """A text stands on one line, and is not blank."""
    if not text.strip() and not is_colour:
        yield Fault(place, "there is no text", "il n'y a pas de texte")
    elif len(text) > LONGEST_TEXT:
        yield Fault(
            place,
            f"at most {LONGEST_TEXT} characters, not {len(text)}",
            f"{LONGEST_TEXT} caractères au plus, pas {len(text)}",
        )
    elif any(one in text for one in "\n\t\u2028\u2029"):
        yield Fault(
            place,
            "a text of an edition stands on one line, without tabs",
            "un texte d'une édition tient sur une ligne, sans tabulation",
        )


def _boosts(pieces: Pieces, places: Places) -> Iterator[Fault]:
    """A Boost says under which Action it lies, and all of its effects belong to that Action."""
    rows = [
        *(("agent", row, "boost", one.boost_action, one.boost) for row, one in enumerate(pieces.agent)),
        *(("boost", row, "effects", one.action, one.effects) for row, one in enumerate(pieces.boost)),
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
