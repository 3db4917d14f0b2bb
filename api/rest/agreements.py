"""Agreements: the contracts, loans, bounties, deals, deliveries… of rulebooks that have them."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response
from flask_smorest import Blueprint
from marshmallow import RAISE, Schema, fields, validate

from api.rest import answers
from api.rest.auth import reader_of
from api.rest.conditions import etag_of, require_change
from api.rest.context import language, the_ledger
from api.rest.documentation import operation
from api.rest.problems import not_found
from api.rest.schemas import Agreements
from ledger.kernel.audience import Viewer
from ledger.kernel.rulebook import Rulebook
from ledger.kernel.state import State

blueprint = Blueprint("agreements", __name__, description="Contracts, loans, bounties, deals, deliveries")


class AgreementsQuery(Schema):
    """Which agreements to give."""

    status = fields.String(
        load_default="all",
        validate=validate.OneOf(("open", "all")),
        metadata={"description": "Those that have not ended, or all of them."},
    )


@blueprint.route("/games/<game>/<collection>")
@blueprint.doc(
    **operation(
        "listAgreements",
        {200: (Agreements, "The agreements the caller may see, in the order of their opening.")},
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
@blueprint.arguments(AgreementsQuery, location="query", unknown=RAISE)
def list_agreements(query: dict[str, Any], game: str, collection: str) -> Response:
    """The agreements of a collection: contracts, loans, bounties, deals, deliveries

    The rulebook says which collections there are.
    """
    viewer = reader_of(game)
    ledger = the_ledger()
    rulebook = ledger.rulebook_of(game)
    if collection not in rulebook.agreement_types:
        known = ", ".join(rulebook.agreement_types)
        raise not_found(
            f"{rulebook.id} has no {collection}; it has: {known}",
            f"{rulebook.id} n'a pas de collection {collection} ; il a : {known}",
        )
    state = ledger.state(game)
    require_change(etag_of(state.version))
    shown = collection_of(rulebook, state, collection, viewer, only_open=query["status"] == "open")
    return answers.of_game(Agreements(collection, tuple(shown), state.version), state.version, language())


def collection_of(
    rulebook: Rulebook[Any], state: State, collection: str, viewer: Viewer, *, only_open: bool
) -> list[dict[str, Any]]:
    """The agreements of a collection that the viewer (see `Ledger.reader`) may see, as plain data."""
    return [
        msgspec.to_builtins(agreement)
        for agreement in rulebook.agreements(state, collection)
        if rulebook.agreement_audience(agreement).admits(viewer)
        and not (only_open and rulebook.has_ended(state, agreement))
    ]
