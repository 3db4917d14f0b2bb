"""Actions: performing one, and the journal of those performed."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from flask import Response
from flask_smorest import Blueprint
from marshmallow import RAISE, fields, validate

from api import answers, bodies
from api.auth import viewer_of
from api.conditions import NO_VERSION, etag_of, idempotency_key, require_change, versions_expected
from api.context import language, service, the_ledger
from api.documentation import operation
from api.paging import PageQuery, bad_cursor, links, read_cursor, write_cursor
from api.problems import not_found, of_refusal
from api.schemas import JournalPage, NewAction
from ledger.entries import EntryView
from ledger.kernel.refusals import (
    GameOver,
    Malformed,
    NotYours,
    Refusal,
    RuleBroken,
    UnknownKind,
)
from ledger.reading import Filter
from ledger.service import Command, KeyUsed, Performed, StaleVersion

blueprint = Blueprint("actions", __name__, description="Acting, and the journal of what was done")

_new_action = msgspec.json.Decoder(NewAction)
_STATUSES = ("effective", "undone", "restated", "voided")


@blueprint.route("/games/<game>/actions", methods=["POST"])
@blueprint.doc(
    **operation(
        "performAction",
        {
            201: (EntryView, "The action was performed: its entry in the journal."),
            200: (EntryView, "The entry it would give (dry_run), or gave to the first request with this key."),
        },
        errors=(400, 401, 403, 404, 409, 412, 413, 415, 422),
        headers=("Accept-Language", "Idempotency-Key", "If-Match"),
        body=NewAction,
    )
)
def perform_action(game: str) -> Response:
    """Perform an action"""
    wanted = bodies.body(_new_action)
    key = idempotency_key()
    expected = versions_expected()
    viewer = viewer_of(game)
    command = Command(
        kind=wanted.kind,
        params=wanted.params,
        seat=wanted.seat,
        override=None if wanted.override is None else wanted.override.reason,
    )
    ledger = the_ledger()
    spoken = language()
    try:
        version = None if expected is None else _only(game, expected)
        if wanted.dry_run:
            performed = ledger.preview(game, viewer, command, language=spoken, expected=version)
        else:
            performed = ledger.perform(game, viewer, command, language=spoken, expected=version, key=key)
    except (Refusal, StaleVersion, KeyUsed) as refused:
        rulebook = ledger.rulebook_of(game)
        action = rulebook.actions.get(wanted.kind)
        _count(rulebook.id, wanted.kind if action is not None else "unknown", _OUTCOMES, refused)
        if isinstance(refused, Malformed) and "fault" in refused.values:
            raise bodies.misshapen_parameters(refused, "params", wanted.params) from None
        if isinstance(refused, Refusal):
            raise of_refusal(refused, action) from None
        raise
    outcome = "previewed" if wanted.dry_run else "replayed" if performed.replayed else "accepted"
    service().metrics.action(ledger.rulebook_of(game).id, wanted.kind, outcome)
    return _performed(game, performed, wanted.dry_run)


@blueprint.route("/games/<game>/actions/<number:number>")
@blueprint.doc(
    **operation(
        "readAction",
        {200: (EntryView, "The entry, as far as the caller may see it.")},
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
def read_action(game: str, number: int) -> Response:
    """One entry of the journal"""
    viewer = viewer_of(game)
    version = the_ledger().version(game)
    require_change(etag_of(version))
    entry = the_ledger().entry(game, number, viewer, language())
    if entry is None:
        raise not_found(
            f"the journal has no action {number}; the last one is {version}",
            f"le journal n'a pas d'action {number} ; la dernière est la {version}",
        )
    return answers.of_game(entry, version, language())


class JournalQuery(PageQuery):
    """Which entries of the journal to give; every condition must hold for what the caller may see."""

    order = fields.String(
        load_default="oldest",
        validate=validate.OneOf(("oldest", "newest")),
        metadata={"description": "Which entries come first."},
    )
    seat = fields.String(load_default=None, metadata={"description": "Performed on behalf of this seat."})
    kind = fields.String(load_default=None, metadata={"description": "Of this kind."})
    account = fields.String(
        load_default=None, metadata={"description": "With a posting that touches this account."}
    )
    commodity = fields.String(load_default=None, metadata={"description": "With a posting of this commodity."})
    rule = fields.String(load_default=None, metadata={"description": "With an event that applies this rule."})
    status = fields.String(
        load_default=None,
        validate=validate.OneOf(_STATUSES),
        metadata={"description": "What later corrections made of it."},
    )
    since = fields.AwareDateTime(
        format="iso", load_default=None, metadata={"description": "Recorded then or later (RFC 3339)."}
    )
    until = fields.AwareDateTime(
        format="iso", load_default=None, metadata={"description": "Recorded before (RFC 3339)."}
    )


@blueprint.route("/games/<game>/actions")
@blueprint.doc(
    **operation(
        "readJournal",
        {200: (JournalPage, "A page of the journal, as far as the caller may see it.")},
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
@blueprint.arguments(JournalQuery, location="query", unknown=RAISE)
def read_journal(query: dict[str, Any], game: str) -> Response:
    """The journal"""
    order: Literal["oldest", "newest"] = query["order"]
    place = read_cursor(query["cursor"], _Place)
    if place is not None and place.order != order:
        raise bad_cursor(query["cursor"])
    viewer = viewer_of(game)
    version = the_ledger().version(game)
    require_change(etag_of(version))
    backwards = place is not None and place.backwards
    entries, more = the_ledger().journal(
        game,
        viewer,
        language=language(),
        only=Filter(
            **{name: query[name] for name in ("seat", "kind", "account", "commodity", "rule", "status")},
            since=query["since"],
            until=query["until"],
        ),
        after=None if place is None else place.number,
        newest_first=(order == "newest") != backwards,
        limit=query["limit"],
    )
    following = previous = None
    if backwards:
        entries.reverse()
        previous = _cursor(order, entries[0].number, backwards=True) if more is not None else None
        following = _cursor(order, entries[-1].number) if entries else None
    else:
        following = _cursor(order, more) if more is not None else None
        previous = _cursor(order, entries[0].number, backwards=True) if place is not None and entries else None
    around = [("first", None), ("next", following), ("prev", previous)]
    return answers.of_game(
        JournalPage(tuple(entries), following, previous, version),
        version,
        language(),
        headers=links((name, cursor) for name, cursor in around if name == "first" or cursor is not None),
    )


class _Place(msgspec.Struct, frozen=True, array_like=True, tag="journal"):
    """Where a page of the journal ended, and whether to go on against the order of the list."""

    order: Literal["oldest", "newest"]
    number: int
    backwards: bool = False


def _cursor(order: Literal["oldest", "newest"], number: int, *, backwards: bool = False) -> str:
    return write_cursor(_Place(order, number, backwards))


def _only(game: str, expected: frozenset[int]) -> int:
    """The one version to insist on, of those that If-Match lists."""
    if len(expected) == 1:
        return next(iter(expected))
    head = the_ledger().version(game)
    return head if head in expected else NO_VERSION


def _performed(game: str, performed: Performed, previewed: bool) -> Response:
    base = service().config.base_path
    headers = [] if previewed else [("Location", f"{base}/games/{game}/actions/{performed.entry.number}")]
    if performed.replayed:
        headers.append(("Idempotent-Replayed", "true"))
    return answers.of_game(
        performed.entry,
        performed.version,
        language(),
        status=200 if previewed or performed.replayed else 201,
        headers=headers,
    )


_OUTCOMES: dict[type[Exception], str] = {
    RuleBroken: "refused",
    Malformed: "malformed",
    UnknownKind: "malformed",
    NotYours: "forbidden",
    GameOver: "over",
    StaleVersion: "stale",
    KeyUsed: "key_reused",
    Refusal: "malformed",
}


def _count(rulebook: str, kind: str, outcomes: dict[type[Exception], str], refused: Exception) -> None:
    outcome = next(name for raised, name in outcomes.items() if isinstance(refused, raised))
    service().metrics.action(rulebook, kind, outcome)
