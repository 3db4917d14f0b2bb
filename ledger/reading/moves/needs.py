"""Missing dice and cards, as data for a form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from ledger.kernel.deciding.plan import MissingDraw
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.edits import Insert, Replace
from ledger.kernel.facts.labels import name_in, name_of
from ledger.kernel.facts.refusals import NeedsDraw
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import Speaker, as_it_is, spoken
from ledger.kernel.rules.actions import Action

Draw = Literal["dice", "cards"]
_FIELDS: Mapping[Draw, tuple[str, ...]] = {"dice": ("dice",), "cards": ("cards", "card", "order")}
"""The parameters for a single draw, in the actions without a parameter of `_ALL`."""
_ALL = ("draws", "drawn")
"""The parameters for all draws of an action, in their order."""
_SINGLE = {"card"}
"""The parameters with a single value."""


class NeedView(msgspec.Struct, frozen=True, kw_only=True):
    """A missing draw.

    `after` is the action before the draw: a number, or the name of an inserted action. `name` is the name of the
    draw, `label` the words for people, `deck` the deck of the cards, if any, `cards` the possible cards of the
    deck as far as the viewer may know, `sides` the sides of the dice, `count` the number of dice or cards. `why`
    is the cause. With `voids`, an action is void without the draw; otherwise the game goes on.

    `edit` is the edit (of a correction) or the action (in play) with null for each missing value. `values_at` is
    the place of the first value (a JSON Pointer, RFC 6901); the further values follow. In a correction the edit
    takes the place of an edit of the same action.
    """

    after: int | str | None
    kind: str = "draw"
    draw: str
    name: str
    label: Phrase
    deck: str | None
    cards: tuple[str, ...] | UnsetType = UNSET
    sides: int | UnsetType = UNSET
    count: int
    seat: str | None
    why: str
    voids: bool = False
    edit: dict[str, Any]
    values_at: str


def _template_of(action: Action) -> dict[str, Any]:
    """Return the parameters of an action as plain data, without null parameters."""
    params: dict[str, Any] = msgspec.to_builtins(action)
    return {name: value for name, value in params.items() if value is not None}


def _field_for(action: Action, draw: NeedsDraw) -> str | None:
    """Return the parameter of an action for a draw, or None."""
    return field_taking(action.__struct_fields__, draw.draw)


def field_taking(names: Sequence[str], draw: Draw) -> str | None:
    """Return the first of these parameters for a draw of dice or cards, or None."""
    return next((name for name in (*_ALL, *_FIELDS[draw]) if name in names), None)


def _params_awaiting(action: Action, draw: NeedsDraw) -> tuple[dict[str, Any], str]:
    """Return the parameters with null for each missing value, and the place of the first value of the draw."""
    params, field = _template_of(action), _field_for(action, draw)
    if field is None:
        return params, ""
    if field in _ALL:
        params[field] = [value for values in draw.among for value in values]
        return params, f"/{field}/{sum(len(values) for values in draw.among[: draw.index])}"
    if field in _SINGLE:
        return params | {field: None}, f"/{field}"
    filled = params.get(field) or []
    return params | {field: [*filled, *[None] * draw.count]}, f"/{field}/{len(filled)}"


def takes_draws(name: str, kind: str | None) -> bool:
    """Return True if a parameter takes dice or cards that the table throws or draws."""
    return name in _ALL or name == "dice" or kind in {"die", "draw"}


def need_view(need: MissingDraw, viewer: Viewer, speakers: Mapping[str, Speaker], language: str) -> NeedView:
    """Build the view of a draw missing in a corrected history, with the edit for its values."""
    params, field = _params_awaiting(need.action, need.draw)
    if need.timeline_entry is None:
        new = {"kind": need.action.kind, "seat": need.seat, "params": params}
        edit: dict[str, Any] = {"op": "insert", "after": name_in(need.previous), "action": new}
        pointer = f"/action/params{field}"
    else:
        edit = {"op": "replace", "action": name_of(need.timeline_entry.label), "params": params}
        pointer = f"/params{field}"
    return NeedView(
        after=name_in(need.previous),
        draw=need.draw.draw,
        name=need.draw.draw_name,
        label=_label(need.draw, speakers),
        deck=need.draw.deck,
        cards=_cards(need.draw, viewer.sees_all),
        sides=_sides(need.draw),
        count=need.draw.count,
        seat=need.seat,
        why=_why(need.draw, need.action.summary, need.seat, speakers, language),
        voids=need.voids,
        edit=edit,
        values_at=pointer,
    )


def view_of_refused(
    draw: NeedsDraw, viewer: Viewer, speakers: Mapping[str, Speaker], language: str
) -> NeedView | None:
    """Build the view of a draw missing in a refused action, with the action or the edit for its values.

    A seat learns the possible cards of its own draws alone: those of another seat depend on that seat's hand.
    Returns None if the action is unknown.
    """
    if draw.action is None:
        return None
    params, field = _params_awaiting(draw.action, draw)
    new = {"kind": draw.action.kind, "seat": draw.seat, "params": params}
    previous_action: int | str | None = None
    match draw.edit:
        case Insert(after=previous_action):
            edit: dict[str, Any] = {"op": "insert", "after": previous_action, "action": new}
            pointer = f"/action/params{field}"
        case Replace(action=name):
            edit, pointer = {"op": "replace", "action": name, "params": params}, f"/params{field}"
        case _:
            edit, pointer = new, f"/params{field}"
    return NeedView(
        after=previous_action,
        draw=draw.draw,
        name=draw.draw_name,
        label=_label(draw, speakers),
        deck=draw.deck,
        cards=_cards(draw, viewer.sees_all or (draw.edit is None and draw.seat == viewer.seat is not None)),
        sides=_sides(draw),
        count=draw.count,
        seat=draw.seat,
        why=_why(draw, draw.action.summary, draw.seat, speakers, language),
        voids=True,
        edit=edit,
        values_at=pointer,
    )


def _label(draw: NeedsDraw, speakers: Mapping[str, Speaker]) -> Phrase:
    return spoken(speakers.get("draw", as_it_is), draw.draw_name)


def _cards(draw: NeedsDraw, is_known: bool) -> tuple[str, ...] | UnsetType:
    return draw.cards if is_known and draw.cards else UNSET


def _sides(draw: NeedsDraw) -> int | UnsetType:
    return UNSET if draw.sides is None else draw.sides


def _why(
    draw: NeedsDraw, summary: Phrase, seat: str | None, speakers: Mapping[str, Speaker], language: str
) -> str:
    """Return the actor, the action and the draw in words."""
    player = speakers["seat"](seat or "banker", language)
    sentence = draw.sentence(language)
    colon = Phrase(":", " :").in_language(language)
    return f"{player}{colon} {summary.in_language(language)}{colon} {sentence}"
