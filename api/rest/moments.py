"""The moment that a request reads: a game at one version, seen by the caller, now or at an earlier time."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from marshmallow import Schema, fields, validate

from api.rest.auth import viewer_of
from api.rest.conditions import VARY, VARY_FORM, etag_of, require_change
from api.rest.context import language, the_ledger
from ledger.games.moments import Moment

_LARGEST = 2**63 - 1


class MomentQuery(Schema):
    """Which moment of the game to read, and how much of the journal to take as known."""

    at = fields.Integer(
        load_default=None,
        validate=validate.Range(1, _LARGEST),
        metadata={
            "description": "The moment right after this action. By default, and beyond the last, the newest."
        },
    )
    known_at = fields.Integer(
        load_default=None,
        validate=validate.Range(1, _LARGEST),
        metadata={"description": "Take the journal as known up to this action only: what was believed then."},
    )


def moment_of(game: str, query: Mapping[str, Any] = MappingProxyType({})) -> Moment:
    """Open the game for the caller, at the moment that the query names (see `MomentQuery`).

    Raises a Problem as `viewer_of` does.
    """
    return the_ledger().moment(game, viewer_of(game), query.get("at"), query.get("known_at"))


def changed_moment(
    game: str, query: Mapping[str, Any] = MappingProxyType({}), *, csv: bool | None = None
) -> Moment:
    """Open the game as `moment_of` does. Raises Unchanged when the caller already has this answer.

    `csv` says whether the answer is CSV; None when the resource has no such form.
    """
    moment = moment_of(game, query)
    require_new(moment, csv=csv)
    return moment


def require_new(moment: Moment, *, csv: bool | None = None) -> None:
    """Raise Unchanged when the caller already has an answer of this version, language and form."""
    require_change(etag_of(moment.version, language(), csv=bool(csv)), VARY if csv is None else VARY_FORM)
