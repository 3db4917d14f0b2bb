"""The audit: every action explained, as JSON or CSV, and the origin of an amount."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Annotated, Any, Literal

import msgspec
from flask import Response
from flask_smorest import Blueprint
from marshmallow import RAISE, fields, validate

from api.rest.actions.actions import JournalQuery
from api.rest.description.documentation import operation
from api.rest.description.schemas import AuditPage, WhyPage
from api.rest.exchange import answers
from api.rest.exchange.conditions import VARY_FORM
from api.rest.exchange.csv_answers import FormQuery, as_csv, described, wants_csv
from api.rest.exchange.moments import MomentQuery, changed_moment, register_of
from api.rest.exchange.paging import PageQuery, bad_cursor, links, read_cursor, write_cursor
from api.rest.history.audit_csv import table
from api.rest.problems.problems import Problem, not_found
from api.rest.running.context import language
from ledger.kernel.facts.labels import Place
from ledger.reading.entries.journal import Filter, words_of
from ledger.reading.history.audit import audit
from ledger.reading.history.audit_lines import AuditLine
from ledger.reading.money.why import Mark, why

blueprint = Blueprint(
    "audit", __name__, description="Every action explained by its rules, and where an amount comes from"
)

_STREAMED = 200

_Read = Callable[..., tuple[list[AuditLine], Place | None]]
"""A function that reads a page of one audit. Takes `after` (the position before the page), `newest_first`,
`limit`.
"""


class AuditQuery(JournalQuery, FormQuery):
    """Filters of the audit. An action must meet all filters, judged by the visible part of the action."""

    class Meta:
        """Excludes the parameters of the journal without a meaning for the audit."""

        exclude = ("around", "numbers", "totals")


class _Position(msgspec.Struct, frozen=True, array_like=True, tag="audit"):
    """The end of a page of the audit, and whether the next page goes backwards in the list."""

    order: Literal["oldest", "newest"]
    place: Annotated[Place, msgspec.Meta(min_length=3, max_length=300)]
    backwards: bool = False


@blueprint.route("/games/<game>/audit")
@blueprint.doc(
    **described(
        operation(
            "readAudit",
            {200: (AuditPage, "A page of the audit, or all of it as CSV, as far as the caller may see it.")},
            errors=(401, 403, 404),
            headers=("Accept-Language", "If-None-Match"),
        )
    )
)
@blueprint.arguments(AuditQuery(), location="query", unknown=RAISE)
def read_audit(query: dict[str, Any], game: str) -> Response:
    """Read the audit: every action explained

    A line says what happened, who asked and for whom, by which rules, what moved, the balances after it, and what
    later corrections, disputes and rulings say of the action. Actions that a correction inserted stand at their
    place in the history.

    With `format=csv`, or when the Accept header prefers `text/csv`, the answer is one table of all the actions
    that the filters select. It has one row for each posting; an action without postings has one row. `limit` and
    `cursor` do not apply to the table.
    """
    order: Literal["oldest", "newest"] = query["order"]
    position = read_cursor(query["cursor"], _Position)
    if position is not None and position.order != order:
        raise bad_cursor(query["cursor"])
    csv = wants_csv(query["format"])
    moment = changed_moment(game, query, csv=csv)
    read: _Read = partial(
        audit,
        moment,
        language=language(),
        register_at=register_of(moment),
        only=Filter(
            **{name: query[name] for name in ("seat", "kind", "account", "commodity", "rule", "status")},
            since=query["since"],
            until=query["until"],
            words=words_of(query["q"] or ""),
        ),
    )
    if csv:
        rows = table(_pages(read, newest_first=order == "newest"))
        return as_csv(rows, moment.head, "audit.csv", bom=query["bom"])
    backwards = position is not None and position.backwards
    lines, next_place = read(
        cursor=None if position is None else position.place,
        newest_first=(order == "newest") != backwards,
        limit=query["limit"],
    )
    following = previous = None
    if backwards:
        lines.reverse()
        previous = _cursor(order, next_place, backwards=True) if next_place is not None else None
        following = _cursor(order, lines[-1].place) if lines else None
    else:
        following = _cursor(order, next_place) if next_place is not None else None
        previous = _cursor(order, lines[0].place, backwards=True) if position is not None and lines else None
    around = [("first", None), ("next", following), ("prev", previous)]
    response = answers.of_game(
        AuditPage(tuple(lines), following, previous, moment.version),
        moment.head,
        language(),
        headers=links((name, cursor) for name, cursor in around if name == "first" or cursor is not None),
    )
    response.headers["Vary"] = VARY_FORM
    return response


def _pages(read: _Read, *, newest_first: bool) -> Iterator[list[AuditLine]]:
    """Read all pages of the audit."""
    position: Place | None = None
    while True:
        lines, position = read(cursor=position, newest_first=newest_first, limit=_STREAMED)
        yield lines
        if position is None:
            return


def _cursor(order: Literal["oldest", "newest"], position: Place, *, backwards: bool = False) -> str:
    return write_cursor(_Position(order, position, backwards))


class WhyQuery(PageQuery, MomentQuery):
    """The amount to explain."""

    account = fields.String(
        required=True,
        validate=validate.Length(1, 200),
        metadata={"description": "The account that holds the amount."},
    )
    commodity = fields.String(
        required=True, validate=validate.Length(1, 200), metadata={"description": "The commodity of the amount."}
    )


class _Posting(msgspec.Struct, frozen=True, array_like=True, tag="why"):
    """The end of a page of the postings of an amount."""

    account: str
    commodity: str
    mark: Mark


@blueprint.route("/games/<game>/why")
@blueprint.doc(
    **operation(
        "readWhy",
        {200: (WhyPage, "The amount, its totals and corrections, and a page of its postings, newest first.")},
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
@blueprint.arguments(WhyQuery(), location="query", unknown=RAISE)
def read_why(query: dict[str, Any], game: str) -> Response:
    """Explain where an amount comes from

    The answer has the postings that add up to the amount, each with its action; their totals by kind of event and
    counterparty; the corrections that changed the amount; and, for a unique piece such as a title, everyone who
    has held the piece.
    """
    account, commodity = query["account"], query["commodity"]
    position = read_cursor(query["cursor"], _Posting)
    if position is not None and (position.account, position.commodity) != (account, commodity):
        raise Problem(
            "bad-cursor",
            f"the cursor belongs to {position.commodity!r} of {position.account!r}",
            f"le curseur appartient à {position.commodity!r} de {position.account!r}",
        )
    moment = changed_moment(game, query)
    explanation = why(
        moment,
        account,
        commodity,
        register_at=register_of(moment),
        language=language(),
        cursor=None if position is None else position.mark,
        limit=query["limit"],
    )
    if explanation is None:
        raise not_found(f"there is no account {account!r}", f"il n'y a pas de compte {account!r}")
    origin, next_mark = explanation
    following = None if next_mark is None else write_cursor(_Posting(account, commodity, next_mark))
    return answers.of_game(
        WhyPage(**msgspec.structs.asdict(origin), next=following, version=moment.version),
        moment.head,
        language(),
        headers=links([("first", None), *([("next", following)] if following else [])]),
    )
