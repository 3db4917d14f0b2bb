"""The edits of a correction: the requested changes to the past."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from ledger.kernel.facts.labels import ActionName, Number
from ledger.kernel.facts.values import of_kind

Params = Annotated[dict[str, Any], of_kind("params")]


class NewAction(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action to be inserted, as a caller would have asked for it."""

    kind: Annotated[str, of_kind("kind")]
    params: Params = {}
    seat: Annotated[str, of_kind("seat")] | None = None
    override: Annotated[str, of_kind("text")] | None = None


class Drop(msgspec.Struct, frozen=True, tag_field="op", tag="drop", forbid_unknown_fields=True):
    """Drop action `action`: it did not happen. Dropping a correction undoes the correction, which is a redo."""

    action: ActionName


class Replace(msgspec.Struct, frozen=True, tag_field="op", tag="replace", forbid_unknown_fields=True):
    """Replace the parameters of action `action`, the dice included."""

    action: ActionName
    params: Params


class Insert(msgspec.Struct, frozen=True, tag_field="op", tag="insert", forbid_unknown_fields=True):
    """This action happened as well, right after action `after`."""

    after: ActionName
    action: Annotated[NewAction, of_kind("new_action")]


class Rewind(msgspec.Struct, frozen=True, tag_field="op", tag="rewind", forbid_unknown_fields=True):
    """Drop everything from action `to` on."""

    to: ActionName


class Amend(msgspec.Struct, frozen=True, tag_field="op", tag="amend", forbid_unknown_fields=True):
    """The other edits take the place of correction `action`, and of every correction that it amended itself."""

    action: Number


Edit = Drop | Replace | Insert | Rewind | Amend


Cascade = Literal["restate", "keep", "refuse"]
"""The fate of later actions: decided again, left unchanged, or the correction is refused if any would change."""
