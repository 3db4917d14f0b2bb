"""Carrying out effects: one interpreter for Agents, Verses, Boosts, Titles and cards.

Each chapter registers a function for its operations:
    @effects.carries_out(Gain)
    def _gain(draft: Draft, effect: Gain, doing: Doing) -> None: ...

An operation with a choice is registered with `asks=True` and takes a pick by `doing.pick()`: the player's next
choice, or None for a choice left to the game. The picks of an action belong, in order, to the asking effects of
the card.
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
    """The context of a card's effects: the acting seat, the rule, the source and the arrondissement.

    `source` is the id of the card or Title. `area` is the arrondissement of the Director of this turn, or None.
    With `may_skip`, parts may be left out (vr:agents.12). `picks` are the remaining choices.
    """

    seat: str
    rule: str
    source: str
    area: int | None = None
    may_skip: bool = False
    performing: Deed | None = None
    """The Action to which the effect is tied, if any."""
    picks: list[Pick | None] = field(default_factory=list)

    def pick(self) -> Pick | None:
        """Take the player's choice for the next effect; None for none."""
        return self.picks.pop(0) if self.picks else None

    def require_none_left(self) -> None:
        """Raise Impossible for a superfluous choice."""
        if any(pick is not None for pick in self.picks):
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
    """Register a function for operations. With `asks`, all of them or the selected effects ask for a choice."""

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
    """Return True if an effect asks for a choice."""
    asks = _ASKING.get(type(effect))
    return asks is not None and asks(effect)


def carry_out(draft: Draft, effects: Iterable[Effect], doing: Doing) -> None:
    """Carry out effects in order."""
    for effect in effects:
        _CARRYING[type(effect)](draft, effect, doing)


def asking(effects: Iterable[Effect]) -> list[Effect]:
    """Return the effects that ask for a choice, in the order of the picks."""
    return [effect for effect in effects if is_asking(effect)]


def is_left_out(doing: Doing, pick: Pick | None) -> bool:
    """Return True if the player leaves a part out, by `skip` or by no pick. Raises Impossible for a mandatory
    part.
    """
    if pick is None or not pick.skip:
        return pick is None and doing.may_skip
    if not doing.may_skip:
        raise Impossible(doing.rule, "this part is not left out", "cette partie ne se laisse pas de côté")
    return True


def chosen(doing: Doing, options: Sequence[E], choice: E | None, *, must: bool = False) -> E | None:
    """Return the option chosen by the player; None without an option, or for a part left out.

    A single option needs no choice, unless the part may be left out; with `must`, the part may not. Raises
    Impossible by the rule of the card for an impossible choice, and for a missing choice.
    """
    if choice is not None:
        if choice in options:
            return choice
        raise Impossible(
            doing.rule,
            "{wanted:thing} is not possible here; possible: {found:each|thing}",
            "{wanted:thing} n'est pas possible ici ; possible : {found:each|thing}",
            wanted=choice,
            found=tuple(options),
        )
    if not options or (doing.may_skip and not must):
        return None
    if len(options) == 1:
        return options[0]
    raise Impossible(
        doing.rule,
        "choose one of: {found:each|thing}",
        "choisissez parmi : {found:each|thing}",
        found=tuple(options),
    )
