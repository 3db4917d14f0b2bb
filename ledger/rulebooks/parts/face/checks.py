"""Checks of a face brought by a table: contrasts, colours that are hard to tell apart, money, unknown names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

import msgspec
from msgspec import UNSET

from ledger.kernel.rules.faces.editions import Fault, pointer_at
from ledger.kernel.rules.icons import ICONS
from ledger.rulebooks.parts.face.colours import BRASS, CREAM, INK, PAPER, contrast, difference
from ledger.rulebooks.parts.face.faces import MOST_DENOMINATIONS, SPARE_ICON, WEAVES, Face
from ledger.rulebooks.parts.forms import FACE_COLOUR_FORM
from ledger.rulebooks.parts.reasons import excerpt

LEAST_TEXT = 4.5
"""The lowest contrast of text, on cloth and counter in one of two colours, and of the accent on paper."""
LEAST_BRASS = 3.0
"""The lowest contrast of a brass button on the cloth."""
LEAST_CARDS = 12.0
"""The lowest difference of two cards with equal icons."""
LEAST_GROUPS = 8.0
"""The lowest difference of two groups with equal marks."""


def faults(document: Any, groups: Mapping[str, str], pointer: str = "/face") -> Iterator[Fault]:
    """Report the faults of a face, given as plain data; none for a face of the wrong shape, or without a face.

    `groups` are the colours of the groups by id.
    """
    face = _face(document)
    if face is None:
        return
    yield from _contrasts(face, pointer)
    yield from _money(face, pointer)
    yield from _cards(face, pointer)
    yield from _groups(face, groups, pointer)


def warnings(document: Any, pointer: str = "/face") -> Iterator[Fault]:
    """Report the weaves and icons of a face that a screen does not draw: the house's stand in their place."""
    face = _face(document)
    if face is None:
        return
    if face.weave is not UNSET and face.weave not in WEAVES:
        yield _unknown(pointer_at(pointer, "weave"), face.weave, sorted(WEAVES))
    for member in ("pieces", "squares", "decks", "cards"):
        named: Mapping[str, Any] | Any = getattr(face, member)
        for key, value in {} if named is UNSET else named.items():
            icon = value if isinstance(value, str) else value.icon
            if icon is not UNSET and icon not in ICONS:
                steps = () if isinstance(value, str) else ("icon",)
                yield _unknown(pointer_at(pointer, member, key, *steps), icon, sorted(ICONS))


def _face(document: Any) -> Face | None:
    if document is None or document is UNSET:
        return None
    try:
        return msgspec.convert(msgspec.to_builtins(document), Face)
    except msgspec.ValidationError:
        return None  # the faults of shape are reported elsewhere


def _unknown(pointer: str, name: str, names: list[str]) -> Fault:
    listed = ", ".join(names)
    return Fault(
        pointer,
        f"{excerpt(name)} is not drawn, the house's is; there are: {listed}",
        f"{excerpt(name)} n'est pas dessiné, celui de la maison l'est ; il y a : {listed}",
    )


def _contrasts(face: Face, pointer: str) -> Iterator[Fault]:
    for name in ("cloth", "counter"):
        ground = getattr(face, name)
        if ground is UNSET:
            continue
        cream, ink = contrast(CREAM, ground), contrast(INK, ground)
        if max(cream, ink) < LEAST_TEXT:
            yield Fault(
                pointer_at(pointer, name),
                f"no text is readable on {ground}: the contrast is {cream:.2f} in cream and {ink:.2f} in ink, and "
                f"{LEAST_TEXT} is needed",
                f"aucun texte n'est lisible sur {ground} : le contraste est {cream:.2f} en crème et {ink:.2f} en "
                f"encre, et il faut {LEAST_TEXT}",
            )
    if face.cloth is not UNSET:
        yield from _below(pointer_at(pointer, "cloth"), BRASS, face.cloth, LEAST_BRASS)
    if face.accent is not UNSET:
        yield from _below(pointer_at(pointer, "accent"), face.accent, PAPER, LEAST_TEXT)


def _below(pointer: str, drawn: str, ground: str, least: float) -> Iterator[Fault]:
    measured = contrast(drawn, ground)
    if measured < least:
        yield Fault(
            pointer,
            f"the contrast of {drawn} on {ground} is {measured:.2f}, and {least} is needed",
            f"le contraste de {drawn} sur {ground} est {measured:.2f}, et il faut {least}",
        )


def _money(face: Face, pointer: str) -> Iterator[Fault]:
    if face.money is UNSET or face.money.denominations is UNSET:
        return
    amounts, where = face.money.denominations, pointer_at(pointer, "money", "denominations")
    if len(amounts) > MOST_DENOMINATIONS:
        yield Fault(
            where,
            f"at most {MOST_DENOMINATIONS} denominations, not {len(amounts)}",
            f"{MOST_DENOMINATIONS} valeurs au plus, pas {len(amounts)}",
        )
    for number, amount in enumerate(amounts):
        if amount in amounts[:number]:
            yield Fault(pointer_at(where, number), f"{amount} is there twice", f"{amount} y est deux fois")


def _cards(face: Face, pointer: str) -> Iterator[Fault]:
    for (first, card), (second, twin) in combinations({} if face.cards is UNSET else face.cards.items(), 2):
        if _icon(card.icon) != _icon(twin.icon):
            continue
        yield from _too_near(
            pointer_at(pointer, "cards", second, "colour"),
            (first, card.colour),
            (second, twin.colour),
            LEAST_CARDS,
        )


def _icon(icon: Any) -> str:
    return icon if icon in ICONS else SPARE_ICON


def _groups(face: Face, groups: Mapping[str, str], pointer: str) -> Iterator[Fault]:
    marks = {} if face.groups is UNSET else face.groups
    for (first, mark), (second, twin) in combinations(marks.items(), 2):
        colours = groups.get(first, ""), groups.get(second, "")
        if mark == twin and all(re.match(FACE_COLOUR_FORM, colour) for colour in colours):
            yield from _too_near(
                pointer_at(pointer, "groups", second), (first, colours[0]), (second, colours[1]), LEAST_GROUPS
            )


def _too_near(pointer: str, first: tuple[str, str], second: tuple[str, str], least: float) -> Iterator[Fault]:
    """Report two things with equal signs and colours that are hard to tell apart."""
    measured = difference(first[1], second[1])
    if measured < least:
        names = f"{excerpt(first[0])} ({first[1]})", f"{excerpt(second[0])} ({second[1]})"
        yield Fault(
            pointer,
            f"{names[1]} cannot be told from {names[0]}: the difference of the colours is {measured:.2f}, and "
            f"{least:.0f} is needed beside an equal sign",
            f"{names[1]} ne se distingue pas de {names[0]} : l'écart des couleurs est {measured:.2f}, et il faut "
            f"{least:.0f} avec un même signe",
        )
