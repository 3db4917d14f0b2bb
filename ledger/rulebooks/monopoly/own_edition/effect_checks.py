"""Contradictions within one effect: the sum, the goal of a move, the players, the condition."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from ledger.kernel.rules.faces.editions import Fault, pointer_at
from ledger.rulebooks.monopoly.table import effects

_SUMS = ("amount", "each", "share")
_GOALS = ("by", "to", "nearest", "thrown")
_FOR_ONE = (effects.Keep, effects.ThrowAgain)
"""The effects on the drawer alone."""


def faults(effect: effects.BaseEffect, pointer: str) -> Iterator[Fault]:
    """Report the contradictions of an effect of the right shape."""
    when = effect.when
    if when is not UNSET and when.below is UNSET and when.above is UNSET:
        yield Fault(
            pointer_at(pointer, "when"),
            'a condition says `below` or `above`: when = { of = "cash", below = 100 }',
            'une condition dit `below` (moins de) ou `above` (plus de) : when = { of = "cash", below = 100 }',
        )
    if effect.who is not UNSET and _is_for_one(effect):
        yield Fault(
            pointer_at(pointer, "who"),
            "this effect is only for the player who meets it",
            "cet effet n'est que pour le joueur qui le rencontre",
        )
    if isinstance(effect, effects.Sum):
        yield from _sum(effect, pointer)
    if isinstance(effect, effects.Pay):
        yield from _drawer(effect, "to", effect.to, pointer)
    if isinstance(effect, effects.Receive):
        yield from _drawer(effect, "source", effect.source, pointer)
    if isinstance(effect, effects.Move):
        yield from _goal(effect, pointer)


def _is_for_one(effect: effects.BaseEffect) -> bool:
    return isinstance(effect, _FOR_ONE) or (isinstance(effect, effects.Move) and effect.thrown)


def _sum(effect: effects.Sum, pointer: str) -> Iterator[Fault]:
    chosen = [name for name in _SUMS if getattr(effect, name) is not UNSET]
    if not chosen:
        yield Fault(
            pointer_at(pointer, "amount"),
            "`amount` is missing; or each = { house = 25 }, or share = [1, 10]",
            "`amount` manque ; ou each = { house = 25 }, ou share = [1, 10]",
        )
    for name in chosen[1:]:
        yield Fault(
            pointer_at(pointer, name),
            f"a sum is one of amount, each and share, and `{chosen[0]}` is there already",
            f"une somme est amount, each ou share, et `{chosen[0]}` y est déjà",
        )
    if effect.each == effects.Each():
        yield Fault(
            pointer_at(pointer, "each"),
            "each = { … } says what is counted: house, hotel, title, street, station, utility or player",
            "each = { … } dit ce qui se compte : house, hotel, title, street, station, utility ou player",
        )
    if effect.share is not UNSET and effect.share[0] > effect.share[1]:
        yield Fault(
            pointer_at(pointer, "share"),
            "a share is at most the whole: [1, 10] is a tenth",
            "une part est au plus le tout : [1, 10] est un dixième",
        )
    if effect.of is not UNSET and effect.share is UNSET:
        yield Fault(
            pointer_at(pointer, "of"),
            "`of` says of what a `share` is, and there is no share",
            "`of` dit de quoi est une part (`share`), et il n'y a pas de part",
        )
    for bound in ("at_least", "at_most"):
        if getattr(effect, bound) is not UNSET and "amount" in chosen:
            yield Fault(
                pointer_at(pointer, bound),
                f"`{bound}` is a bound for each or share, and this is a fixed amount",
                f"`{bound}` est une borne pour each ou share, et ceci est un montant fixe",
            )
    if UNSET not in (effect.at_least, effect.at_most) and effect.at_least > effect.at_most:  # type: ignore[operator]
        yield Fault(
            pointer_at(pointer, "at_most"),
            f"the highest sum, {effect.at_most}, is below the lowest, {effect.at_least}",
            f"la plus haute somme, {effect.at_most}, est au-dessous de la plus basse, {effect.at_least}",
        )


def _drawer(effect: effects.BaseEffect, member: str, value: object, pointer: str) -> Iterator[Fault]:
    if value == "drawer" and effect.who is UNSET:
        yield Fault(
            pointer_at(pointer, member),
            "nobody pays themselves: with `drawer`, `who` names the players on the other side",
            "personne ne se paie soi-même : avec `drawer`, `who` nomme les joueurs de l'autre côté",
        )


def _goal(effect: effects.Move, pointer: str) -> Iterator[Fault]:
    chosen = [name for name in _GOALS if getattr(effect, name) not in (UNSET, False)]
    if not chosen:
        yield Fault(
            pointer,
            'a move says how far: by = 3, to = "a_square", nearest = "station" or thrown = true',
            'un déplacement dit jusqu\'où : by = 3, to = "une_case", nearest = "station" ou thrown = true',
        )
    for name in chosen[1:]:
        yield Fault(
            pointer_at(pointer, name),
            f"a move has one goal, and `{chosen[0]}` is there already",
            f"un déplacement a un seul but, et `{chosen[0]}` y est déjà",
        )
    if effect.rent != "usual" and (effect.nearest is UNSET or not effect.stops):
        yield Fault(
            pointer_at(pointer, "rent"),
            "another rent is for a move to the `nearest` square that stops there",
            "un autre loyer est pour un déplacement vers la case la plus proche (`nearest`) qui s'y arrête",
        )
