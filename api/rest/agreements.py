"""Agreements between seats: contracts, loans, bounties, deals, deliveries, as the rulebook has them."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask_smorest import Blueprint
from marshmallow import RAISE, Schema, fields, validate

from api.rest import answers
from api.rest.context import language
from api.rest.documentation import operation
from api.rest.moments import moment_of, require_new
from api.rest.problems import not_found
from api.rest.schemas import Agreements
from ledger.reading.accounts import agreements

blueprint = Blueprint("agreements", __name__, description="Contracts, loans, bounties, deals, deliveries")


class AgreementsQuery(Schema):
    """Which agreements to list."""

    status = fields.String(
        load_default="all",
        validate=validate.OneOf(("open", "all")),
        metadata={"description": "Only agreements that have not ended (`open`), or all of them."},
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
@blueprint.arguments(AgreementsQuery(), location="query", unknown=RAISE)
def list_agreements(query: dict[str, Any], game: str, collection: str) -> Response:
    """List the agreements of a collection: contracts, loans, bounties, deals, deliveries

    The rulebook's `agreements` name its collections.
    """
    moment = moment_of(game)
    rulebook = moment.rulebook
    if collection not in rulebook.agreement_types:
        known = ", ".join(rulebook.agreement_types)
        raise not_found(
            f"{rulebook.id} has no {collection}; it has: {known}",
            f"{rulebook.id} n'a pas de collection {collection} ; il a : {known}",
        )
    require_new(moment)
    shown = tuple(agreements(moment, collection, only_open=query["status"] == "open"))
    return answers.of_game(Agreements(collection, shown, moment.version), moment.version, language())
