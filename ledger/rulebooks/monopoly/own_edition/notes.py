"""Warnings about an edition that is fit to play: parts forgotten, and parts without effect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ledger.kernel.rules.faces.editions import Fault, pointer_at
from ledger.rulebooks.monopoly.own_edition.placed import Read
from ledger.rulebooks.monopoly.table.pieces import TITLES, Group
from ledger.rulebooks.monopoly.table.settings import Settings
from ledger.rulebooks.parts.reasons import excerpt

LETTERS_OF_A_SIDE = 143
"""The letters in a line along one side of the board, on all squares together: 13 on each of 11 squares."""
LINES = 3
"""The lines of a name on a square."""


def notes(document: Mapping[str, Any]) -> Iterator[Fault]:
    """Report the parts forgotten in a faultless edition of the stored form, and the parts without effect."""
    read = Read(document)
    yield from _forgotten(read)
    yield from _idle_decks(read)
    yield from _hungry_pots(read, document)
    yield from _equal_colours(read)
    yield from _closed_prison(read, document)
    yield from _long_names(read)


def _forgotten(read: Read) -> Iterator[Fault]:
    """Report members left out: a missing amount is 0, and a street without a group is a set of its own."""
    has_sets = any(square.get("group") for square in read.rows("squares") if square.get("kind") == "street")
    for number, square in read.numbered("squares"):
        pointer, kind = pointer_at("", "squares", number), square.get("kind")
        if kind in TITLES and "mortgage" not in square:
            half = int(square.get("price", 0)) // 2
            yield Fault(
                pointer_at(pointer, "mortgage"),
                f"`mortgage` is missing: a mortgage brings nothing. Half the price is mortgage = {half}",
                f"il manque `mortgage` : une hypothèque ne rapporte rien. La moitié du prix est mortgage = {half}",
            )
        if kind == "street" and "group" not in square and has_sets:
            yield Fault(
                pointer_at(pointer, "group"),
                '`group` is missing: the street is a set of its own. Write group = "…", or group = ""',
                'il manque `group` : la rue est un groupe à elle seule. Écrivez group = "…", ou group = ""',
            )
        if kind == "start" and "amount" not in square:
            yield Fault(
                pointer_at(pointer, "amount"),
                "`amount` is missing: the start pays no salary. Write amount = 200, or amount = 0",
                "il manque `amount` : le départ ne paie pas de salaire. Écrivez amount = 200, ou amount = 0",
            )


def _idle_decks(read: Read) -> Iterator[Fault]:
    drawn = {
        effect["deck"]
        for effect in [*read.rows("squares"), *_effects(read)]
        if isinstance(effect.get("deck"), str)
    }
    for number, deck in read.ids["decks"]:
        if deck not in drawn:
            yield Fault(
                pointer_at("", "decks", number),
                f"no square draws from the deck {excerpt(deck)}",
                f"aucune case ne fait tirer dans la pioche {excerpt(deck)}",
            )


def _hungry_pots(read: Read, document: Mapping[str, Any]) -> Iterator[Fault]:
    options = document.get("options") or {}
    is_fed = any(effect.get("to") == "pot" for effect in _effects(read)) or any(
        value for name, value in options.items() if "pot" in name.split("_")
    )
    for pointer in () if is_fed else read.of_kind("pot"):
        yield Fault(
            pointer,
            'nothing goes into the pot: write to = "pot" in a card, or the option fees_to_pot = true',
            'rien ne va à la cagnotte : écrivez to = "pot" dans une carte, ou l\'option fees_to_pot = true',
        )


def _equal_colours(read: Read) -> Iterator[Fault]:
    usual = Group(id="usual", name="usual").colour
    groups: dict[str, list[tuple[int, str]]] = {}
    for number, group in read.numbered("groups"):
        groups.setdefault(str(group.get("colour", usual)), []).append((number, str(group.get("name"))))
    for colour, equal in groups.items():
        if len(equal) > 1:
            names = ", ".join(excerpt(name) for _, name in equal)
            yield Fault(
                pointer_at("", "groups", equal[1][0], "colour"),
                f"these groups have one colour, {colour}: {names}",
                f"ces groupes ont une seule couleur, {colour} : {names}",
            )


def _closed_prison(read: Read, document: Mapping[str, Any]) -> Iterator[Fault]:
    if not read.of_kind("jail") or read.of_kind("go_to_jail"):
        return
    if any(effect.get("op") == "prison" for effect in _effects(read)):
        return
    usual = Settings().doubles_to_jail
    doubles = document.get("dice") != 1 and (document.get("options") or {}).get("doubles_to_jail", usual)
    en, fr = (" but doubles in a row", " sauf des doubles de suite") if doubles else ("", "")
    yield Fault(
        read.of_kind("jail")[0],
        f"nothing sends to prison{en}: no square of kind go_to_jail, and no card with the effect prison",
        f"rien n'envoie en prison{fr} : aucune case de type go_to_jail, et aucune carte avec l'effet prison",
    )


def _long_names(read: Read) -> Iterator[Fault]:
    """Report the names without enough room on the squares of the ring, by the number of letters."""
    squares = read.numbered("squares")
    side = -(-len(squares) // 4) + 1
    letters = max(1, LETTERS_OF_A_SIDE // side)
    long = [
        (number, str(square.get("name")))
        for number, square in squares
        if len(str(square.get("name"))) > LINES * letters
    ]
    if long:
        names = ", ".join(excerpt(name) for _, name in long[:3]) + (", …" if len(long) > 3 else "")
        yield Fault(
            pointer_at("", "squares", long[0][0], "name"),
            f"a square has room for about {LINES} lines of {letters} letters; longer is cut on the board: {names}",
            f"une case a la place d'environ {LINES} lignes de {letters} lettres ; plus long est coupé : {names}",
        )


def _effects(read: Read) -> Iterator[Mapping[str, Any]]:
    """Yield the effects of cards and squares, and the effects inside of effects."""
    waiting: list[Any] = [
        row.get(member) for part in ("cards", "squares") for row in read.rows(part) for member in row
    ]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list | tuple):
            waiting += value
        elif isinstance(value, Mapping):
            if "op" in value:
                yield value
            waiting += value.values()
