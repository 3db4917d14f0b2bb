"""Two times to read at: the moment in the game, and how much of its journal is known."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

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
