"""Agreements between seats, as defined by the rulebook, and all that is owed by a rule."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from flask import Response
from flask_smorest import Blueprint
from marshmallow import RAISE, fields, validate

from api.rest.description.documentation import operation
from api.rest.description.schemas import AgreementPage, Agreements, Obligations
from api.rest.exchange import answers
from api.rest.exchange.moments import (
    MomentQuery,
    changed_moment,
    moment_of,
    overdue_now,
    require_new,
)
from api.rest.exchange.paging import PageQuery, links, read_cursor, write_cursor
from api.rest.problems.problems import NO_SEAT, Problem, not_found
from api.rest.running.context import language, the_ledger
from ledger.games.moments import Moment
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.money.accounts import agreements
from ledger.reading.money.agreements import page_of_agreements
from ledger.reading.money.obligations import obligation_views

blueprint = Blueprint("agreements", __name__, description="Contracts, loans, bounties, deals, deliveries")

_Part = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]
_Opened = Annotated[tuple[_Part, ...], msgspec.Meta(min_length=1, max_length=10)]


class AgreementsQuery(PageQuery):
    """Filters for the agreements of a collection."""

    status = fields.String(
        load_default="all",
        validate=validate.OneOf(("open", "all")),
        metadata={"description": "Only agreements that have not ended (`open`), or all of them."},
    )


class AllAgreementsQuery(PageQuery):
    """Filters for the agreements of all collections."""

    status = fields.String(
        load_default="all",
        validate=validate.OneOf(("open", "ended", "all")),
        metadata={
            "description": "Only agreements that have not ended (`open`), only `ended` ones, or all of them."
        },
    )
    collection = fields.String(
        load_default=None, metadata={"description": "Only agreements of this collection of the rulebook."}
    )
    seat = fields.String(
        load_default=None, metadata={"description": "Only agreements of which this seat is a party."}
    )


class _AfterRank(msgspec.Struct, frozen=True, array_like=True, tag="agreements"):
    """The end of a page of all agreements."""

    rank: tuple[int, int, float, _Opened]


class _AfterOpening(msgspec.Struct, frozen=True, array_like=True, tag="collection"):
    """The end of a page of a collection."""

    opened: _Opened


@blueprint.route("/games/<game>/agreements")
@blueprint.doc(
    **operation(
        "listAllAgreements",
        {
            200: (
                AgreementPage,
                "A page of the agreements that the caller may see, those that fall due first ahead.",
            )
        },
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
@blueprint.arguments(AllAgreementsQuery(), location="query", unknown=RAISE)
def list_all_agreements(query: dict[str, Any], game: str) -> Response:
    """List the agreements of all collections in one shape

    Open agreements come first, by the date on which they fall due: first those that fall due at a time, then in a
    round, then those with another deadline, and then those without one. Ended ones follow, the newest first.
    `next` has the moves about an agreement that the caller may perform now; for the banker those of all seats.
    """
    cursor = read_cursor(query["cursor"], _AfterRank)
    moment = moment_of(game)
    if query["collection"] is not None:
        _require_collection(moment.rulebook, query["collection"], parameter="collection")
    _require_seat(moment, query["seat"], "seat")
    late = overdue_now(moment)
    views, next_rank = page_of_agreements(
        moment,
        language=language(),
        at=the_ledger().clock.game_time(moment.newest),
        status=query["status"],
        collection=query["collection"],
        seat=query["seat"],
        cursor=None if cursor is None else cursor.rank,
        limit=query["limit"],
    )
    following = None if next_rank is None else write_cursor(_AfterRank(next_rank))
    return answers.of_game(
        AgreementPage(tuple(views), following, moment.version),
        moment.head,
        language(),
        headers=_links(following),
        due=0 if late is None else len(late.actions),
    )


class ObligationsQuery(MomentQuery):
    """The moment to read, and filters for the obligations."""

    debtor = fields.String(load_default=None, metadata={"description": "Only what this seat owes."})
    creditor = fields.String(
        load_default=None, metadata={"description": "Only what is owed to this account, or to this seat."}
    )
    commodity = fields.String(load_default=None, metadata={"description": "Only amounts of this commodity."})
    kind = fields.String(
        load_default=None, metadata={"description": "Only obligations of this kind of the rulebook."}
    )
    status = fields.String(
        load_default=None,
        validate=validate.OneOf(("open", "due", "laid")),
        metadata={
            "description": "Only obligations due now (`due`), later (`open`), or out of the purse (`laid`)."
        },
    )


@blueprint.route("/games/<game>/obligations")
@blueprint.doc(
    **operation(
        "listObligations",
        {200: (Obligations, "The obligations that the caller may know of, in the order of the rulebook.")},
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
@blueprint.arguments(ObligationsQuery(), location="query", unknown=RAISE)
def list_obligations(query: dict[str, Any], game: str) -> Response:
    """List who owes whom, now or at an earlier moment

    Debts, rents, loans, deposits, answers: each with the rule by which it is owed, and with what follows until it
    is met. A hidden commodity stands under its veil, like a holding.
    """
    moment = changed_moment(game, query)
    _require_seat(moment, query["debtor"], "debtor")
    filters = {name: query[name] for name in ("debtor", "creditor", "commodity", "kind", "status")}
    views = obligation_views(moment, language=language(), **filters)
    return answers.of_game(Obligations(views, moment.state.version), moment.head, language())


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
    _require_collection(moment.rulebook, collection)
    cursor = read_cursor(query["cursor"], _AfterOpening)
    require_new(moment)
    views, next_opened = agreements(
        moment,
        collection,
        only_open=query["status"] == "open",
        cursor=() if cursor is None else cursor.opened,
        limit=query["limit"],
    )
    following = None if next_opened is None else write_cursor(_AfterOpening(next_opened))
    return answers.of_game(
        Agreements(collection, tuple(views), following, moment.version),
        moment.head,
        language(),
        headers=_links(following),
    )


def _links(following: str | None) -> list[tuple[str, str]]:
    return links([("first", None), *([] if following is None else [("next", following)])])


def _require_seat(moment: Moment, seat: str | None, parameter: str) -> None:
    """Require a seat of the game, if the query names one. Raises Problem (422)."""
    if seat is not None and seat not in moment.newest.seats:
        raise Problem(
            "invalid-request",
            f"there is no seat {seat!r} in this game",
            f"il n'y a pas de siège {seat!r} dans cette partie",
            errors=[{"parameter": parameter, "value": seat, "detail": NO_SEAT}],
        )


def _require_collection(rulebook: Rulebook[Any], collection: str, parameter: str | None = None) -> None:
    """Require a collection of the rulebook. Raises Problem: 404, or 422 if `parameter` names the collection."""
    if collection in rulebook.agreements.agreement_types:
        return
    collections = ", ".join(rulebook.agreements.agreement_types)
    en = f"{rulebook.id} has no {collection}; it has: {collections or 'none'}"
    fr = f"{rulebook.id} n'a pas de collection {collection} ; il a : {collections or 'aucune'}"
    if parameter is None:
        raise not_found(en, fr)
    row = {"parameter": parameter, "value": collection, "detail": Phrase(en, fr)}
    raise Problem("invalid-request", en, fr, errors=[row])
