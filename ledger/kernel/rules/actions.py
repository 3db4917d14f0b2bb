"""Actions: the requests of seats. One small class per kind; `decide` reads like the rule in the document."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ledger.kernel.facts.edits import Cascade, Edit
from ledger.kernel.facts.labels import Name
from ledger.kernel.facts.values import Text, of_kind
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.draft import Draft

Actor = Literal["player", "banker", "system"]
"""The roles that may request an action: a player for their own seat (the banker may act for a player), the
banker, or the service itself.
"""


class Bounds(msgspec.Struct, frozen=True):
    """The smallest and the greatest value of a parameter in a state, both included, as far as the state sets
    bounds.
    """

    minimum: int | UnsetType = UNSET
    maximum: int | UnsetType = UNSET


Free = tuple[str, ...] | Mapping[str, Bounds]
"""The names of the parameters open to change, or a mapping from each name to the bounds."""


class Choice(msgspec.Struct, frozen=True):
    """Parameters ready to be sent. The parameters named in `free` may be changed before sending.

    Choices of an action with equal `alike` are either all legal in the state, with equal cost and draws, or all
    refused. So only the first is tried. A choice with `alike` None is always tried.
    """

    params: dict[str, Any]
    free: Free = ()
    alike: Hashable = None
    cost: int | None = None
    """The cost of the choice if legal, for choices with equal `alike` and different prices; None for an equal
    price.
    """


class Action(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of action. The fields are the parameters; the kind is the class name in snake case."""

    kind: ClassVar[str]
    by: ClassVar[tuple[Actor, ...]]
    summary: ClassVar[Phrase]
    """The effect of the action."""
    when: ClassVar[Phrase]
    """The times at which the action is open."""
    docket: ClassVar[bool] = False
    """True for an action about the game and not of play (a dispute, a ruling): open after the end unless the
    class refuses, and never rewound.
    """
    final: ClassVar[str | None] = None
    """The rule that makes every action of the kind binding for the player (`binding`)."""

    def decide(self, draft: Draft[Any]) -> None:
        """Record the resulting events on the draft, or raise a refusal; not called for `Correct`."""
        raise TypeError(f"{type(self).__name__} decides nothing")

    def redacted(self) -> Mapping[str, Any] | None:
        """Return the parameters for a viewer of some but not all of the events; None for no parameters."""
        return None

    def binding(self, state: Any, seat: str) -> str | None:
        """Return the rule that makes the action binding towards other players, in the state before the action;
        usually None.

        If players may undo actions, the player alone cannot undo a binding action.
        """
        return self.final

    def correction_request(self) -> Correct | None:
        """Return the correction of the history requested by the action, planned before the decision; usually
        None.
        """
        return None

    def cites(self) -> tuple[Name, ...]:
        """Return the names of the cited actions, to be looked up in the journal before the decision."""
        return ()

    @classmethod
    def choices(cls, state: Any, seat: str) -> Iterable[Choice]:
        """Return parameters worth trying for the seat in the state. The caller leaves out refused choices."""
        return (Choice({}),)


class Correct(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Correct the history. The room `deciding` plans the correction and records its event."""

    docket: ClassVar[bool] = True

    edits: Annotated[tuple[Edit, ...], Meta(min_length=1, max_length=1000), of_kind("edits")]
    cascade: Cascade = "refuse"
    reason: Text

    def correction_request(self) -> Correct:
        """Return the action itself."""
        return self

    @classmethod
    def choices(cls, state: Any, seat: str) -> Iterable[Choice]:
        """Offer to drop the last action, with every parameter open to change.

        The cascade is "restate", because dropping a correction restores the actions changed by the correction.
        """
        if state.version > 1:
            edits = [{"op": "drop", "action": state.version}]
            params = {"edits": edits, "cascade": "restate", "reason": "…"}
            yield Choice(params, free=("edits", "cascade", "reason"))


class StepGoal(msgspec.Struct, frozen=True):
    """The action that default steps lead to, and its seat.

    `was` is the state in which the action was taken before a correction of the history; it shows the turn of
    the action. In play, `was` is None.
    """

    action: Action
    seat: str | None
    was: Any = None


class DefaultStep(msgspec.Struct, frozen=True):
    """A step of the game itself: an action of the system, and the seat concerned.

    `by_hand` is the equivalent action of the seat, if different.
    """

    action: Action
    seat: str | None
    by_hand: Action | None = None
