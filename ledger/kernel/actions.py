"""Actions: what a seat asks for. One small class per kind, whose `decide` reads like the rule it implements."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, ClassVar, Literal

import msgspec
from msgspec import UNSET, UnsetType

from ledger.kernel.draft import Draft
from ledger.kernel.labels import Name

Actor = Literal["player", "banker", "system"]
"""Who may ask: a player for their own seat (the banker may act for them), the banker, or the service itself."""


class Bounds(msgspec.Struct, frozen=True):
    """The least and the greatest value of a parameter in a state, both included, where the state gives them."""

    minimum: int | UnsetType = UNSET
    maximum: int | UnsetType = UNSET


Free = tuple[str, ...] | Mapping[str, Bounds]
"""The names of the parameters that may be changed; or each of them with its bounds."""


class Choice(msgspec.Struct, frozen=True):
    """Parameters ready to be sent; those named in `free` may be changed by whoever chooses.

    Choices of one action with the same `alike` are all legal in this state, at the same cost and with the same
    draws, or all refused: one of them is tried for all. None is like no other.
    """

    params: dict[str, Any]
    free: Free = ()
    alike: Hashable = None
    cost: int | None = None
    """What the choice costs if it is legal, where those alike differ in the price; None for the same price."""


Cascade = Literal["restate", "keep", "refuse"]
"""What becomes of later actions: decided again, left as they are, or nothing may change at all."""


class Mending(msgspec.Struct, frozen=True):
    """A correction that an action asks for: edits of the effective history, what becomes of later actions, why."""

    edits: tuple[Any, ...]
    cascade: Cascade
    reason: str


class Action(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of action; its fields are its parameters. Its kind is its class name in snake case."""

    kind: ClassVar[str]
    by: ClassVar[tuple[Actor, ...]]
    summary: ClassVar[tuple[str, str]]
    """What it does, in English and French."""
    when: ClassVar[tuple[str, str]]
    """When it is open, in English and French."""
    docket: ClassVar[bool] = False
    """Whether it is about the game, not part of play (a dispute, a ruling): open after the end unless it says
    otherwise, never rewound."""
    final: ClassVar[str | None] = None
    """The rule by which every such action binds its player (`binding`)."""

    undrawn: ClassVar[bool] = False
    """Whether a correction lets it go on without a card that nobody drew: it is about more than the card."""

    def decide(self, draft: Draft[Any]) -> None:
        """Record the events that follow on the draft, or raise a refusal."""
        raise TypeError(f"{type(self).__name__} decides nothing")

    def redacted(self) -> Mapping[str, Any] | None:
        """The parameters for a viewer who sees some of its events, but not all; None for no parameters."""
        return None

    def binding(self, state: Any, seat: str) -> str | None:
        """The rule by which the action binds its player towards others, in the state before it; None for most.

        Where players may undo, its player alone cannot undo such an action.
        """
        return self.final

    def mends(self) -> Mending | None:
        """The correction of the history that the action asks for, planned before it is decided; None for most."""
        return None

    def cites(self) -> tuple[Name, ...]:
        """The names of the actions that it cites, looked up in the journal before it is decided."""
        return ()

    @classmethod
    def choices(cls, state: Any, seat: str) -> Iterable[Choice]:
        """Parameters worth trying for this seat in this state. The caller leaves out those that are refused."""
        return (Choice({}),)


class Toward(msgspec.Struct, frozen=True):
    """The action that the steps lead to, and its seat.

    `was` is the state in which the action was taken before the history was corrected: it tells in whose turn. In
    play it is None.
    """

    action: Action
    seat: str | None
    was: Any = None


class DefaultStep(msgspec.Struct, frozen=True):
    """What a game does by itself: an action of the system, and the seat that it concerns.

    `by_hand` is the action by which the seat does the same, where that is another one.
    """

    action: Action
    seat: str | None
    by_hand: Action | None = None
