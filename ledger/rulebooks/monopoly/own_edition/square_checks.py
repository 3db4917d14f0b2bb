"""Contradictions in the effects of squares: where effects stand, what is paid in passing, and circles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import UNSET

from ledger.kernel.rules.faces.editions import Fault, pointer_at
from ledger.rulebooks.monopoly.own_edition.placed import Placed, Read
from ledger.rulebooks.monopoly.table import effects
from ledger.rulebooks.monopoly.table.goals import goal_of
from ledger.rulebooks.monopoly.table.pieces import Kind, Square

WITH_EFFECTS: tuple[Kind, ...] = ("start", "rest", "pot", "jail")
"""The kinds of squares with effects: all that demand nothing."""


def faults(read: Read) -> Iterator[Fault]:
    """Report the contradictions of squares with effects."""
    for placed in read.squares:
        yield from _square(placed)
    if len(read.squares) == len(read.rows("squares")):
        yield from _circles([placed.part for placed in read.squares])


def _square(placed: Placed[Square]) -> Iterator[Fault]:
    pointer, square = placed
    if square.effects is not UNSET and square.kind not in WITH_EFFECTS:
        yield Fault(
            pointer_at(pointer, "effects"),
            f"a square of kind {square.kind} asks for something else: effects are for {', '.join(WITH_EFFECTS)}, "
            "or on a card of a deck",
            f"une case de type {square.kind} demande déjà quelque chose : les effets sont pour "
            f"{', '.join(WITH_EFFECTS)}, ou sur une carte d'une pioche",
        )
    for step, effect in enumerate(() if square.effects is UNSET else square.effects):
        if isinstance(effect, effects.Keep):
            yield Fault(
                pointer_at(pointer, "effects", step),
                "a square is not kept: only a card is",
                "une case ne se garde pas : seulement une carte",
            )
    for step, effect in enumerate(() if square.passing is UNSET else square.passing):
        if not isinstance(effect, effects.Pay | effects.Receive):
            yield Fault(
                pointer_at(pointer, "passing", step, "op"),
                "in passing a square only pays or costs: pay or receive",
                "au passage, une case ne fait que payer ou coûter : pay ou receive",
            )
    for name in ("share", "of"):
        if getattr(square, name) is not UNSET and square.kind != "tax":
            yield Fault(
                pointer_at(pointer, name),
                f"a square of kind {square.kind} has no {name}; only tax has",
                f"une case de type {square.kind} n'a pas de {name} ; seulement tax",
            )
    if square.share is not UNSET and square.share[0] > square.share[1]:
        yield Fault(
            pointer_at(pointer, "share"),
            "a share is at most the whole: [1, 10] is a tenth",
            "une part est au plus le tout : [1, 10] est un dixième",
        )
    if square.share is not UNSET and square.amount:
        yield Fault(
            pointer_at(pointer, "amount"),
            "a tax is an amount or a share, not both",
            "une taxe est un montant ou une part, pas les deux",
        )
    if square.of is not UNSET and square.share is UNSET and square.kind == "tax":
        yield Fault(
            pointer_at(pointer, "of"),
            "`of` says of what a `share` is, and there is no share",
            "`of` dit de quoi est une part (`share`), et il n'y a pas de part",
        )


def _circles(squares: Sequence[Square]) -> Iterator[Fault]:
    """Report squares that send a token round in a circle without end."""
    checked: set[int] = set()
    for first in range(len(squares)):
        way: list[int] = []
        number: int | None = first
        while number is not None and number not in way and number not in checked:
            way.append(number)
            number = goal_of(squares, number)
        if number is not None and number in way:
            circle = way[way.index(number) :]
            names = " → ".join(squares[item].id for item in [*circle, number])
            yield Fault(
                pointer_at("", "squares", number, "effects"),
                f"the squares send on in a circle, without end: {names}",
                f"les cases renvoient en rond, sans fin : {names}",
            )
        checked.update(way)
