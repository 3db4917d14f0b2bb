"""Moments: what a request reads is a game at one version, looked at by the caller, now or at an earlier time."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from marshmallow import Schema, fields, validate

from api.rest.auth import viewer_of
from api.rest.conditions import etag_of, require_change
from api.rest.context import the_ledger
from ledger.games.moments import Moment

_LARGEST = 2**63 - 1


class MomentQuery(Schema):
    """Which moment to look at, and knowing what."""

    at = fields.Integer(
        load_default=None,
        validate=validate.Range(1, _LARGEST),
        metadata={"description": "After this action; the newest one by default, and beyond it."},
    )
    known_at = fields.Integer(
        load_default=None,
        validate=validate.Range(1, _LARGEST),
        metadata={"description": "Knowing the journal up to this action only: what was believed then."},
    )


def moment_of(game: str, query: Mapping[str, Any] = MappingProxyType({})) -> Moment:
    """The game as the caller looks at it, at the times that the query asks for (see `MomentQuery`).

    Raises a Problem as `viewer_of` does.
    """
    return the_ledger().moment(game, viewer_of(game), query.get("at"), query.get("known_at"))


def changed_moment(game: str, query: Mapping[str, Any] = MappingProxyType({})) -> Moment:
    """The same, unless the caller has this version already. Raises Unchanged."""
    moment = moment_of(game, query)
    require_change(etag_of(moment.version))
    return moment
