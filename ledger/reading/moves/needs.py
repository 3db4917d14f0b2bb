"""What is still missing: dice and cards that nobody threw or drew, as data from which a form can be drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from ledger.kernel.deciding.plan import Need
from ledger.kernel.facts.edits import Insert, Replace
from ledger.kernel.facts.labels import name_in, name_of
from ledger.kernel.facts.refusals import NeedsDraw
from ledger.kernel.language.sentences import Speaker
from ledger.kernel.rules.actions import Action

Draw = Literal["dice", "cards"]
_FIELDS: Mapping[Draw, tuple[str, ...]] = {"dice": ("dice",), "cards": ("cards", "card", "order")}
"""The parameters that take a draw of their own, in the actions without one of `_ALL`."""
_ALL = ("draws", "drawn")
"""The parameters that take all draws of an action, in their order."""
_SINGLE = {"card"}
"""Those that take one value."""


class NeedView(msgspec.Struct, frozen=True, kw_only=True):
    """A draw that is missing.

    `after` is the action after which it is missing: its number, or the name of an inserted action. `name` is the
    name of the draw, `deck` the deck of the cards where it has one, `count` how many. `why` says what asks for it.
    `voids` is whether an action is void without it; otherwise the game goes on without the draw.

    `edit` is the edit (of a correction) or the action (in play) that takes the values. It is complete but for
    them: each missing value is null. `values_at` is the place of the first one (a JSON Pointer, RFC 6901), the
    others follow it. In a correction it goes in the place of an edit of the same action.
    """

    after: int | str | None
    kind: str = "draw"
    draw: str
    name: str
    deck: str | None
    count: int
    seat: str | None
    why: str
    voids: bool = False
    edit: dict[str, Any]
    values_at: str


def _template_of(action: Action) -> dict[str, Any]:
    """The parameters of an action as plain data, without those that it does not name."""
    params: dict[str, Any] = msgspec.to_builtins(action)
    return {name: value for name, value in params.items() if value is not None}


def _field_for(action: Action, draw: NeedsDraw) -> str | None:
    """The parameter of an action that takes a draw; None when it has none."""
    return taken_by(action.__struct_fields__, draw.draw)


def taken_by(names: Sequence[str], draw: Draw) -> str | None:
    """Which of these parameters takes a draw of dice or cards; None for none of them."""
    return next((name for name in (*_ALL, *_FIELDS[draw]) if name in names), None)


def _params_awaiting(action: Action, draw: NeedsDraw) -> tuple[dict[str, Any], str]:
    """The parameters of an action with null for each missing value, and the place of the first one of a draw."""
    params, field = _template_of(action), _field_for(action, draw)
    if field is None:
        return params, ""
    if field in _ALL:
        params[field] = [value for values in draw.among for value in values]
        return params, f"/{field}/{sum(len(values) for values in draw.among[: draw.place])}"
    if field in _SINGLE:
        return params | {field: None}, f"/{field}"
    given = params.get(field) or []
    return params | {field: [*given, *[None] * draw.count]}, f"/{field}/{len(given)}"


def need_view(need: Need, speakers: Mapping[str, Speaker], language: str) -> NeedView:
    """A draw that a corrected history misses, with the edit that takes it."""
    params, field = _params_awaiting(need.action, need.draw)
    if need.standing is None:
        new = {"kind": need.action.kind, "seat": need.seat, "params": params}
        edit: dict[str, Any] = {"op": "insert", "after": name_in(need.after), "action": new}
        place = f"/action/params{field}"
    else:
        edit = {"op": "replace", "action": name_of(need.standing.label), "params": params}
        place = f"/params{field}"
    return NeedView(
        after=name_in(need.after),
        draw=need.draw.draw,
        name=need.draw.what,
        deck=need.draw.deck,
        count=need.draw.count,
        seat=need.seat,
        why=_why(need.draw, need.action.summary, need.seat, speakers, language),
        voids=need.voids,
        edit=edit,
        values_at=place,
    )


def asked_of(draw: NeedsDraw, speakers: Mapping[str, Speaker], language: str) -> NeedView | None:
    """A draw that a refused action misses, with the action or the edit that takes it; None for no known action."""
    if draw.action is None:
        return None
    params, field = _params_awaiting(draw.action, draw)
    new = {"kind": draw.action.kind, "seat": draw.seat, "params": params}
    after: int | str | None = None
    match draw.edit:
        case Insert(after=after):
            edit: dict[str, Any] = {"op": "insert", "after": after, "action": new}
            place = f"/action/params{field}"
        case Replace(action=name):
            edit, place = {"op": "replace", "action": name, "params": params}, f"/params{field}"
        case _:
            edit, place = new, f"/params{field}"
    return NeedView(
        after=after,
        draw=draw.draw,
        name=draw.what,
        deck=draw.deck,
        count=draw.count,
        seat=draw.seat,
        why=_why(draw, draw.action.summary, draw.seat, speakers, language),
        voids=True,
        edit=edit,
        values_at=place,
    )


def _why(
    draw: NeedsDraw, summary: tuple[str, str], seat: str | None, speakers: Mapping[str, Speaker], language: str
) -> str:
    """What asks for a draw, and for whom."""
    french = language == "fr"
    who = speakers["seat"](seat or "banker", language)
    what = draw.sentence(language)
    done = summary[1] if french else summary[0]
    return f"{who}{' :' if french else ':'} {done}{' :' if french else ':'} {what}"
