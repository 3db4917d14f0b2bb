"""The audit: the history for somebody who must decide, as JSON or CSV, and where an amount comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import Any, Literal

import msgspec
from flask import Response, request
from flask_smorest import Blueprint
from marshmallow import RAISE, fields, validate

from api.rest import answers
from api.rest.actions import JournalQuery
from api.rest.audit_csv import table
from api.rest.conditions import etag_of
from api.rest.context import language, service
from api.rest.documentation import operation
from api.rest.moments import MomentQuery, changed_moment
from api.rest.paging import PageQuery, bad_cursor, links, read_cursor, write_cursor
from api.rest.problems import Problem, not_found
from api.rest.schemas import AuditPage, WhyPage
from ledger.games.moments import Moment
from ledger.kernel.history.timeline import Place
from ledger.reading.audit import audit
from ledger.reading.audit_lines import AuditLine
from ledger.reading.journal import Filter
from ledger.reading.why import Mark, why

blueprint = Blueprint(
    "audit", __name__, description="What was done and by which rules, and where an amount comes from"
)

_STREAMED = 200
_VARY = "Authorization, Accept, Accept-Language"

_Read = Callable[..., tuple[list[AuditLine], Place | None]]
"""Reads a page of one audit: takes where to go on `after`, `newest_first` and `limit`."""


class AuditQuery(JournalQuery):
    """Which lines of the audit to give; every condition must hold for what the caller may see."""

    format = fields.String(
        load_default=None,
        validate=validate.OneOf(("json", "csv")),
        metadata={"description": "JSON or CSV; without it, what the Accept header prefers."},
    )


class _Place(msgspec.Struct, frozen=True, array_like=True, tag="audit"):
    """Where a page of the audit ended, and whether to go on against the order of the list."""

    order: Literal["oldest", "newest"]
    place: Place
    backwards: bool = False


_read_audit = operation(
    "readAudit",
    {200: (AuditPage, "A page of the audit, or the whole of it as CSV, as far as the caller may see it.")},
    errors=(401, 403, 404),
    headers=("Accept-Language", "If-None-Match"),
)
_read_audit["responses"]["200"]["content"]["text/csv"] = {"schema": {"type": "string"}}


@blueprint.route("/games/<game>/audit")
@blueprint.doc(**_read_audit)
@blueprint.arguments(AuditQuery(unknown=RAISE), location="query")
def read_audit(query: dict[str, Any], game: str) -> Response:
    """The audit: every action explained

    What happened, who asked and for whom, by which rules, what moved, what the accounts came to hold, and what
    became of it. Actions that a correction inserted stand at their place in the history.

    With `format=csv`, or when the Accept header prefers `text/csv`, the answer is a table of everything that the
    filters select: one row for each posting, or one for an action without any. It has no pages: `limit` and
    `cursor` do not apply to it.
    """
    order: Literal["oldest", "newest"] = query["order"]
    place = read_cursor(query["cursor"], _Place)
    if place is not None and place.order != order:
        raise bad_cursor(query["cursor"])
    moment = changed_moment(game, query)
    read: _Read = partial(
        audit,
        moment,
        language=language(),
        register_at=_register_of(moment),
        only=Filter(
            **{name: query[name] for name in ("seat", "kind", "account", "commodity", "rule", "status")},
            since=query["since"],
            until=query["until"],
        ),
    )
    if _wants_table(query["format"]):
        return _as_table(read, moment.version, newest_first=order == "newest")
    backwards = place is not None and place.backwards
    lines, more = read(
        after=None if place is None else place.place,
        newest_first=(order == "newest") != backwards,
        limit=query["limit"],
    )
    following = previous = None
    if backwards:
        lines.reverse()
        previous = _cursor(order, more, backwards=True) if more is not None else None
        following = _cursor(order, lines[-1].place) if lines else None
    else:
        following = _cursor(order, more) if more is not None else None
        previous = _cursor(order, lines[0].place, backwards=True) if place is not None and lines else None
    around = [("first", None), ("next", following), ("prev", previous)]
    response = answers.of_game(
        AuditPage(tuple(lines), following, previous, moment.version),
        moment.version,
        language(),
        headers=links((name, cursor) for name, cursor in around if name == "first" or cursor is not None),
    )
    response.headers["Vary"] = _VARY
    return response


def _pages(read: _Read, *, newest_first: bool) -> Iterator[list[AuditLine]]:
    """Every page."""
    after: Place | None = None
    while True:
        lines, after = read(after=after, newest_first=newest_first, limit=_STREAMED)
        yield lines
        if after is None:
            return


def _as_table(read: _Read, version: int, *, newest_first: bool) -> Response:
    pages = _pages(read, newest_first=newest_first)
    # What can go wrong should do so while the answer can still be a problem.
    first = next(pages)
    rows = table(line for lines in chain([first], pages) for line in lines)
    response = Response(rows, content_type="text/csv; charset=utf-8; header=present")
    response.headers.extend(
        (
            ("ETag", etag_of(version)),
            ("Content-Language", language()),
            ("Content-Disposition", 'attachment; filename="audit.csv"'),
            ("Vary", _VARY),
            ("Cache-Control", "private, no-cache"),
        )
    )
    return response


def _wants_table(asked: str | None) -> bool:
    if asked is not None:
        return asked == "csv"
    return request.accept_mimetypes.best_match(["application/json", "text/csv"]) == "text/csv"


def _cursor(order: Literal["oldest", "newest"], place: Place, *, backwards: bool = False) -> str:
    return write_cursor(_Place(order, place, backwards))


def _register_of(moment: Moment) -> str:
    """Where the rules of the game's rulebook are read."""
    return f"{service().config.base_path}/rulebooks/{moment.rulebook.id}/rules"


class WhyQuery(PageQuery, MomentQuery):
    """Which amount to explain."""

    account = fields.String(
        required=True, validate=validate.Length(1, 200), metadata={"description": "The account that holds it."}
    )
    commodity = fields.String(
        required=True, validate=validate.Length(1, 200), metadata={"description": "What it is an amount of."}
    )


class _Posting(msgspec.Struct, frozen=True, array_like=True, tag="why"):
    """Where a page of the postings behind an amount ended."""

    account: str
    commodity: str
    mark: Mark


@blueprint.route("/games/<game>/why")
@blueprint.doc(
    **operation(
        "readWhy",
        {200: (WhyPage, "The amount, what it is made of, and a page of its postings, newest first.")},
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
@blueprint.arguments(WhyQuery(unknown=RAISE), location="query")
def read_why(query: dict[str, Any], game: str) -> Response:
    """Where an amount comes from

    The postings that make it up, back to their actions; what they come to by kind and counterparty; the
    corrections that changed it; and for a piece that there is but one of (a title), all the hands it went through.
    """
    account, commodity = query["account"], query["commodity"]
    place = read_cursor(query["cursor"], _Posting)
    if place is not None and (place.account, place.commodity) != (account, commodity):
        raise Problem(
            "bad-cursor",
            f"the cursor belongs to {place.commodity!r} of {place.account!r}",
            f"le curseur appartient à {place.commodity!r} de {place.account!r}",
        )
    moment = changed_moment(game, query)
    found = why(
        moment,
        account,
        commodity,
        register_at=_register_of(moment),
        language=language(),
        before=None if place is None else place.mark,
        limit=query["limit"],
    )
    if found is None:
        raise not_found(f"there is no account {account!r}", f"il n'y a pas de compte {account!r}")
    origin, more = found
    following = None if more is None else write_cursor(_Posting(account, commodity, more))
    return answers.of_game(
        WhyPage(**msgspec.structs.asdict(origin), next=following, version=moment.version),
        moment.version,
        language(),
        headers=links([("first", None), *([("next", following)] if following else [])]),
    )
