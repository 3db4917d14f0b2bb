"""Carrying out effects: one interpreter for Agents, Verses, Boosts, Titles and cards.

Each chapter registers what its operations do:

    @effects.carries_out(Gain)
    def _gain(draft: Draft, effect: Gain, doing: Doing) -> None: ...

An operation that asks for something is registered with `asks=True`; it takes its pick by `doing.pick()`, which
gives the player's next choice, or None where the player left it to the game. So the picks of an action belong, in
their order, to those effects of the card that ask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ledger.kernel.facts.refusals import Impossible
from ledger.rulebooks.virtual_revolution.table.operations import Deed, Effect
from ledger.rulebooks.virtual_revolution.table.state import Draft
from ledger.rulebooks.virtual_revolution.table.terms import Pick

E = TypeVar("E")
Carrying = Callable[[Draft, Any, "Doing"], None]


@dataclass(slots=True)
class Doing:
    """Who does what, where and by which rule, while the effects of one card are carried out.

    `source` is the id of the card or Title. `here` is the arrondissement of the Director of this turn, None where
    there is none. `may_skip` is whether its parts may be left out (vr:agents.12). `picks` are the choices that are
    left.
    """

    seat: str
    rule: str
    source: str
    here: int | None = None
    may_skip: bool = False
    performing: Deed | None = None
    """The Action to which the effect is tied, where it is."""
    picks: list[Pick | None] = field(default_factory=list)

    def pick(self) -> Pick | None:
        """The player's choice for the effect at hand; None for none."""
        return self.picks.pop(0) if self.picks else None

    def require_none_left(self) -> None:
        """Refuse choices that no effect has asked for. Raises Impossible."""
        if any(one is not None for one in self.picks):
            raise Impossible(
                self.rule,
                "there is one choice more than the card asks for",
                "il y a un choix de plus que la carte n'en demande",
            )


_CARRYING: dict[type[Any], Carrying] = {}
_ASKING: dict[type[Any], Callable[[Any], bool]] = {}


def carries_out(
    *operations: type[Any], asks: bool | Callable[[Any], bool] = False
) -> Callable[[Carrying], Carrying]:
    """Register what these operations do, and whether they ask for a choice: always, or some of them."""

    def register(carrying: Carrying) -> Carrying:
        for operation in operations:
            if operation in _CARRYING:
                raise ValueError(f"two functions carry out {operation.__name__}")
            _CARRYING[operation] = carrying
            if asks:
                _ASKING[operation] = asks if callable(asks) else lambda _: True
        return carrying

    return register


def is_asking(effect: Effect) -> bool:
    """Whether an effect asks for a choice."""
    asks = _ASKING.get(type(effect))
    return asks is not None and asks(effect)


def carry_out(draft: Draft, effects: Iterable[Effect], doing: Doing) -> None:
    """Carry out effects in their order."""
    for effect in effects:
        _CARRYING[type(effect)](draft, effect, doing)


def asking(effects: Iterable[Effect]) -> list[Effect]:
    """The effects that ask for a choice, in their order: what the picks of an action belong to."""
    return [effect for effect in effects if is_asking(effect)]


def is_left_out(doing: Doing, pick: Pick | None) -> bool:
    """Whether the player leaves a part out, by saying so or nothing. Raises Impossible where it must be done."""
    if pick is None or not pick.skip:
        return pick is None and doing.may_skip
    if not doing.may_skip:
        raise Impossible(doing.rule, "this part is not left out", "cette partie ne se laisse pas de côté")
    return True


def chosen(doing: Doing, found: Sequence[E], wanted: E | None, *, must: bool = False) -> E | None:
    """The one of several possibilities that the player has chosen; None where there is none, or it is left out.

    With one possibility alone nothing need be said, unless it may be left out; with `must` it is not left out.
    Raises Impossible by the rule of the card for another one, or where one has to be named.
    """
    if wanted is not None:
        if wanted in found:
            return wanted
        raise Impossible(
            doing.rule,
            "{wanted:thing} is not possible here; possible: {found:each|thing}",
            "{wanted:thing} n'est pas possible ici ; possible : {found:each|thing}",
            wanted=wanted,
            found=tuple(found),
        )
    if not found or (doing.may_skip and not must):
        return None
    if len(found) == 1:
        return found[0]
    raise Impossible(
        doing.rule,
        "choose one of: {found:each|thing}",
        "choisissez parmi : {found:each|thing}",
        found=tuple(found),
    )
