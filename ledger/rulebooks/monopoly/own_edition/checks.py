"""Contradictions in an edition with parts of the right shape.

A misshapen part is left out of these checks, but the id counts: a reference to the part is no fault.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from msgspec import UNSET

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.faces.editions import Fault, pointer_at
from ledger.rulebooks.monopoly.own_edition import card_checks, name_checks
from ledger.rulebooks.monopoly.own_edition.placed import Placed, Read
from ledger.rulebooks.monopoly.table.pieces import TITLES, Group, Square
from ledger.rulebooks.parts.face import checks as face_checks
from ledger.rulebooks.parts.looks import repeated
from ledger.rulebooks.parts.reasons import excerpt, listed

STREET_RENTS = 12
"""Maximum number of rents of a street: without houses, and for each level of building."""


def clashes(document: Mapping[str, Any], houses_per_hotel: int, misshapen: Collection[Fault]) -> Iterator[Fault]:
    """Report contradictions. `misshapen` are the faults of shape: their pointers are not checked again."""
    read = Read(document)
    for part, ids in read.ids.items():
        yield from repeated(((pointer_at("", part, number), name) for number, name in ids), "id")
    yield from name_checks.faults(document, {item.place for item in misshapen})
    if "/squares" not in {item.place for item in misshapen}:
        yield from _corners(read)
        yield from _to_prison(read, document)
    for item in read.squares:
        yield from _square(item, read, houses_per_hotel)
    yield from _groups(read)
    yield from card_checks.faults(read)
    yield from face_checks.faults(document.get("face"), group_colours(document))


def group_colours(document: Mapping[str, Any]) -> dict[str, str]:
    """Return the colours of an edition's groups, by id."""
    usual = Group(id="usual", name="usual").colour
    return {str(row.get("id")): str(row.get("colour", usual)) for row in Read(document).rows("groups")}


class _Corner(NamedTuple):
    kind: str
    need: Phrase


_CORNERS = (
    _Corner("start", Phrase("a board has a square of kind start, and", "un plateau a une case de type start, et")),
)


def _corners(read: Read) -> Iterator[Fault]:
    """Check for one start, a prison for all that leads there, and something to buy."""
    for kind, need in _CORNERS:
        pointers = read.of_kind(kind)
        if not pointers:
            yield Fault("/squares", f"{need.en} this one has none", f"{need.fr} celui-ci n'en a pas")
        for extra in pointers[1:]:
            yield Fault(
                pointer_at(extra, "kind"),
                f"{need.en} this one has {len(pointers)}",
                f"{need.fr} celui-ci en a {len(pointers)}",
            )
    if not any(read.of_kind(kind) for kind in TITLES):
        yield Fault(
            "/squares",
            f"a board has something to buy: a square of kind {', '.join(TITLES)}",
            f"un plateau a quelque chose à acheter : une case de type {', '.join(TITLES)}",
        )


def _to_prison(read: Read, document: Mapping[str, Any]) -> Iterator[Fault]:
    """Report the ways to prison on a board without one: squares, and effects of cards and squares."""
    if read.of_kind("jail"):
        return
    squares = (pointer_at(pointer, "kind") for pointer in read.of_kind("go_to_jail"))
    effects = (pointer for part in ("squares", "cards") for pointer in _prisons(document.get(part), f"/{part}"))
    for pointer in (*squares, *effects):
        yield Fault(
            pointer,
            "the board has no prison to go to: no square is of kind jail",
            "le plateau n'a pas de prison où aller : aucune case n'est de type jail",
        )


def _prisons(part: Any, pointer: str) -> Iterator[str]:
    """Yield the pointers to the effects that lead to prison."""
    if isinstance(part, Mapping):
        if part.get("op") == "prison":
            yield pointer
        for name in ("effects", "passing", "options"):
            yield from _prisons(part.get(name), pointer_at(pointer, name))
    elif isinstance(part, list | tuple):
        for number, row in enumerate(part):
            yield from _prisons(row, pointer_at(pointer, number))


_ONLY = {
    "group": TITLES,
    "price": TITLES,
    "rents": TITLES,
    "mortgage": TITLES,
    "building_price": ("street",),
    "hotel_price": ("street",),
    "building_prices": ("street",),
    "towers": ("street",),
    "deck": ("card",),
    "amount": ("start", "tax"),
}
"""The kinds of squares for each optional member."""


def _square(placed: Placed[Square], read: Read, houses_per_hotel: int) -> Iterator[Fault]:
    pointer, square = placed
    for name, kinds in _ONLY.items():
        if getattr(square, name) and square.kind not in kinds:
            yield Fault(
                pointer_at(pointer, name),
                f"a square of kind {square.kind} has no {name}; only {', '.join(kinds)} has",
                f"une case de type {square.kind} n'a pas de {name} ; seulement {', '.join(kinds)}",
            )
    if square.kind in TITLES:
        yield from _title(placed, read, houses_per_hotel)
        yield from _rents(placed, read, houses_per_hotel)
    elif square.kind == "card":
        yield from _draws(placed, read)
    elif square.kind == "tax" and not square.amount and square.share is UNSET:
        yield _missing(pointer, "amount", "tax")


def _title(placed: Placed[Square], read: Read, houses_per_hotel: int) -> Iterator[Fault]:
    pointer, square = placed
    if not square.group and square.kind == "street":
        pass  # a street without a group is a set of its own
    elif not square.group:
        yield Fault(
            pointer_at(pointer, "group"),
            "a title belongs to a group, and this one names none",
            "un titre appartient à un groupe, et celui-ci n'en nomme pas",
        )
    elif square.group not in read.named("groups"):
        yield unknown(pointer_at(pointer, "group"), square.group, "group", "groupe", read.named("groups"))
    if not square.price:
        yield _missing(pointer, "price", square.kind)
    elif square.mortgage > square.price:
        yield Fault(
            pointer_at(pointer, "mortgage"),
            f"a mortgage brings at most the price, {square.price}, and not {square.mortgage}",
            f"une hypothèque rapporte au plus le prix, {square.price}, et non {square.mortgage}",
        )
    levels = square.levels(houses_per_hotel)
    if levels and not (square.building_price or square.building_prices):
        yield _missing(pointer, "building_price", "street")
    if square.building_prices and len(square.building_prices) != len(square.rents) - 1:
        count, needed = len(square.building_prices), max(len(square.rents) - 1, 0)
        yield Fault(
            pointer_at(pointer, "building_prices"),
            f"a price for each rent after the first is needed: {needed}, not {count}",
            f"il faut un prix par loyer après le premier : {needed}, et non {count}",
        )
    if square.building_prices and square.hotel_price:
        yield Fault(
            pointer_at(pointer, "hotel_price"),
            "building_prices has the price of a hotel, too: leave out one of the two",
            "building_prices donne aussi le prix d'un hôtel : omettez l'un des deux",
        )


def _rents(placed: Placed[Square], read: Read, houses_per_hotel: int) -> Iterator[Fault]:
    pointer, square = placed
    where, count = pointer_at(pointer, "rents"), len(square.rents)
    if square.kind == "street":
        fewest = houses_per_hotel + 2 + square.most_towers
        if not 1 <= count <= STREET_RENTS:
            yield Fault(
                where,
                f"a street has 1-{STREET_RENTS} rents (without a building, then one for each level), not {count}",
                f"une rue a 1-{STREET_RENTS} loyers (sans bâtiment, puis un par niveau), pas {count}",
            )
        elif square.most_towers and count < fewest:
            yield Fault(
                pointer_at(pointer, "towers"),
                f"levels above a hotel come after its rent: {fewest} rents at least, not {count}",
                f"les niveaux au-dessus d'un hôtel suivent son loyer : au moins {fewest} loyers, pas {count}",
            )
    else:
        owned = sum(1 for sibling in read.squares if sibling.part.group == square.group and square.group)
        expected = str(max(owned, 1))
        if count < max(owned, 1):
            yield Fault(
                where,
                f"a {square.kind} has a rent for each number owned in its group: {expected}, not {count}",
                f"un titre {square.kind} a un loyer par nombre possédé dans son groupe : {expected}, pas {count}",
            )
    for number in range(1, count):
        previous, current = square.rents[number - 1 : number + 1]
        if current < previous:
            yield Fault(
                pointer_at(where, number),
                f"rents do not descend: {current} comes after {previous}",
                f"les loyers ne descendent pas : {current} vient après {previous}",
            )


def _draws(placed: Placed[Square], read: Read) -> Iterator[Fault]:
    pointer, square = placed
    decks = read.named("decks")
    if not square.deck:
        yield Fault(
            pointer_at(pointer, "deck"),
            "a square of kind card names the deck to draw from",
            "une case de type card nomme la pioche où l'on tire",
        )
    elif square.deck not in decks:
        yield unknown(pointer_at(pointer, "deck"), square.deck, "deck", "pioche", decks)


def _groups(read: Read) -> Iterator[Fault]:
    """Check the groups: each has titles, all of one kind."""
    kinds: dict[str, dict[str, None]] = {}
    for square in read.rows("squares"):
        if isinstance(square.get("group"), str):
            kinds.setdefault(square["group"], {})[str(square.get("kind"))] = None
    for number, group in read.ids["groups"]:
        pointer = pointer_at("", "groups", number, "id")
        if group in card_checks.KINDS and kinds.get(group, {group: None}) != {group: None}:
            yield Fault(
                pointer,
                f"{excerpt(group)} is a kind of squares: cards that go to the nearest one would name both",
                f"{excerpt(group)} est un type de cases : une carte qui mène à la plus proche nommerait les deux",
            )
        if group not in kinds:
            yield Fault(
                pointer,
                f"no square is in the group {excerpt(group)}",
                f"aucune case n'est dans le groupe {excerpt(group)}",
            )
        elif len(kinds[group]) > 1:
            listing = listed(kinds[group])
            yield Fault(
                pointer,
                f"the titles of the group {excerpt(group)} are of several kinds: {listing}",
                f"les titres du groupe {excerpt(group)} sont de plusieurs types : {listing}",
            )


def _missing(pointer: str, name: str, kind: str) -> Fault:
    return Fault(
        pointer_at(pointer, name),
        f"a square of kind {kind} needs {'an' if name[0] in 'aeiou' else 'a'} {name} above 0",
        f"il faut à une case de type {kind} un {name} supérieur à 0",
    )


def unknown(pointer: str, name: str, en: str, fr: str, names: Iterable[str]) -> Fault:
    """Report a name unknown to the edition."""
    return Fault(
        pointer,
        f"there is no {en} {excerpt(name)}; there are: {listed(names)}",
        f"{excerpt(name)} n'existe pas ({fr}) ; il y a : {listed(names)}",
    )
