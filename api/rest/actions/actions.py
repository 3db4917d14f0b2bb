"""Actions: performing an action, and reading the journal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal

import msgspec
from flask import Response
from flask_smorest import Blueprint
from marshmallow import RAISE, Schema, fields, validate

from api.rest.admission.auth import viewer_of
from api.rest.description.documentation import operation
from api.rest.description.requests import NewAction
from api.rest.description.schemas import JournalPage, LineTouchesAnswer
from api.rest.exchange import answers, bodies
from api.rest.exchange.conditions import NO_VERSION, Expected, heads_expected, idempotency_key
from api.rest.exchange.moments import ActionField, MomentQuery, changed_moment, named, no_such_action
from api.rest.exchange.paging import LARGEST_PAGE, PageQuery, bad_cursor, links, read_cursor, write_cursor
from api.rest.exchange.queries import WholeNumber
from api.rest.log.proofs import receipt_of
from api.rest.problems.problems import Problem, not_found, of_refused_action, would_spread
from api.rest.running.context import language, service, the_ledger
from ledger.games.moments import Moment, NoSuchAction
from ledger.kernel.deciding.plan import CorrectionSpreads
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.labels import Name
from ledger.kernel.facts.refusals import Malformed, NeedsDraw, Refusal
from ledger.kernel.language.phrase import Phrase
from ledger.reading.entries.journal import (
    Filter,
    entries_named,
    number_of,
    page_around,
    page_of_journal,
    read_entry,
    totals_of,
    words_of,
)
from ledger.reading.entries.views import EntryView
from ledger.reading.history.previews import preview_of
from ledger.reading.history.touches import touches
from ledger.reading.moves.moves import draws_ahead
from ledger.reading.moves.needs import NeedView, view_of_refused
from ledger.service import Command, Performed

blueprint = Blueprint("actions", __name__, description="Performing actions and reading the journal")

_new_action = msgspec.json.Decoder(NewAction)
_NAMES = r"^[1-9][0-9]{0,14}(\.[1-9][0-9]{0,5})?(,[1-9][0-9]{0,14}(\.[1-9][0-9]{0,5})?)*$"
_MOST_NAMED = 200
_STATUSES = ("effective", "undone", "restated", "voided")


@blueprint.route("/games/<game>/actions", methods=["POST"])
@blueprint.doc(
    **operation(
        "performAction",
        {
            201: (EntryView, "The action was performed: its entry in the journal."),
            200: (EntryView, "The entry of a dry run, or the entry that the first request with this key made."),
        },
        errors=(400, 401, 403, 404, 409, 412, 413, 415, 422),
        headers=("Accept-Language", "Idempotency-Key", "If-Match"),
        body=NewAction,
    )
)
def perform_action(game: str) -> Response:
    """Perform an action

    The answer is its entry in the journal. A dry run writes nothing, and shows the entry that the action
    would have.
    """
    request = bodies.body(_new_action)
    key = idempotency_key()
    expected = heads_expected()
    viewer = viewer_of(game)
    command = Command(
        kind=request.kind,
        params=request.params,
        seat=request.seat,
        override=None if request.override is None else request.override.reason,
    )
    ledger, spoken = the_ledger(), language()

    def act(version: int | None) -> Performed:
        if request.dry_run:
            try:
                return ledger.preview(
                    game, viewer, command, language=spoken, expected=version, settle=request.settle
                )
            except NeedsDraw as needed:
                if needed.edit is None and ledger.games.open(game).state.dice == "service":
                    raise _chance_ahead(game, viewer, command) from None
                raise
        return ledger.perform(
            game, viewer, command, language=spoken, expected=version, key=key, settle=request.settle
        )

    try:
        done = perform(game, viewer, request.kind, act, expected, params=request.params, seat=request.seat)
    except Malformed as refused:
        raise misshapen(game, refused, request.kind, "params", request.params) from None
    if request.proof and not request.dry_run:
        done = _with_proof(game, viewer, done)
    return answer_with(game, done, previewed=request.dry_run)


def _with_proof(game: str, viewer: Viewer, done: Performed) -> Performed:
    """Add a receipt that proves the entry to third parties."""
    receipt = done.entry.receipt
    proof = str(receipt_of(the_ledger().moment(game, viewer), receipt.number))
    entry = msgspec.structs.replace(done.entry, receipt=msgspec.structs.replace(receipt, proof=proof))
    return msgspec.structs.replace(done, entry=entry)


def _chance_ahead(game: str, viewer: Viewer, command: Command) -> Problem:
    moment = the_ledger().moment(game, viewer)
    at = the_ledger().clock.game_time(moment.newest)
    return Problem(
        "chance-ahead",
        "the service throws and draws when the action is performed: a dry run does not tell what comes",
        "le service lance et tire quand l'action est faite : un essai ne dit pas ce qui viendra",
        kind=command.kind,
        draws=draws_ahead(moment, command.seat, command.kind, command.params, at),
    )


@blueprint.route("/games/<game>/actions/<action:action>")
@blueprint.doc(
    **operation(
        "readAction",
        {200: (EntryView, "The part of the action that the caller may see.")},
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
def read_action(game: str, action: Name) -> Response:
    """Read one action

    It is an entry of the journal (`30`), or an action that a correction inserted (`30.1`).
    """
    moment = changed_moment(game)
    entry = read_entry(moment, action, language())
    if entry is None:
        raise _no_action(action, moment.version)
    return answers.of_game(entry, moment.head, language())


def _no_action(action: Name, last: int) -> Problem:
    return not_found(
        f"the journal has no action {action}; the last one is {last}",
        f"le journal n'a pas d'action {action} ; la dernière est la {last}",
    )


class TouchesQuery(Schema):
    """The largest number of lines to return."""

    limit = WholeNumber(
        load_default=50,
        validate=validate.Range(1, LARGEST_PAGE),
        metadata={"description": f"The largest number of later lines to return, 1 to {LARGEST_PAGE}."},
    )


@blueprint.route("/games/<game>/actions/<action:action>/touches")
@blueprint.doc(
    **operation(
        "readTouches",
        {200: (LineTouchesAnswer, "What touches the action, as the caller may see it.")},
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
@blueprint.arguments(TouchesQuery(), location="query", unknown=RAISE)
def read_touches(query: dict[str, Any], game: str, action: Name) -> Response:
    """Read what touches an action

    The disputes that cite it, the rulings about it, the corrections that changed it, the agreements that it
    opened, changed or ended, and the later actions that rest on it: those of the turn that its dice began, those
    about its agreements, those that passed on or built on what it brought, and what could not have been paid
    without it.
    """
    moment = changed_moment(game)
    result = touches(moment, action, language=language(), limit=query["limit"])
    if result is None:
        raise _no_action(action, moment.version)
    answer = LineTouchesAnswer(**msgspec.structs.asdict(result), version=moment.version)
    return answers.of_game(answer, moment.head, language())


class JournalQuery(PageQuery, MomentQuery):
    """Filters of the journal. An entry must meet all filters, judged by the visible part of the entry."""

    order = fields.String(
        load_default="oldest",
        validate=validate.OneOf(("oldest", "newest")),
        metadata={"description": "Whether the oldest or the newest entries come first."},
    )
    seat = fields.String(load_default=None, metadata={"description": "Only actions performed for this seat."})
    kind = fields.String(load_default=None, metadata={"description": "Only actions of this kind."})
    account = fields.String(
        load_default=None, metadata={"description": "Only actions with a posting from or to this account."}
    )
    commodity = fields.String(
        load_default=None, metadata={"description": "Only actions with a posting of this commodity."}
    )
    rule = fields.String(
        load_default=None, metadata={"description": "Only actions with an event that applies this rule."}
    )
    status = fields.String(
        load_default=None,
        validate=validate.OneOf(_STATUSES),
        metadata={"description": "Only actions that later corrections left with this status."},
    )
    since = fields.AwareDateTime(
        format="iso",
        load_default=None,
        metadata={"description": "Only actions recorded at this time or later (RFC 3339)."},
    )
    until = fields.AwareDateTime(
        format="iso",
        load_default=None,
        metadata={"description": "Only actions recorded before this time (RFC 3339)."},
    )

    q = fields.String(
        load_default=None,
        validate=validate.Length(1, 100),
        metadata={
            "description": "Only actions whose sentence, as the caller reads it in the answer's language, has"
            " each of these words or parts of words; case and accents do not matter. A page may have fewer entries"
            " than the limit, or none, although more follow: go on while there is a next one."
        },
    )
    around = ActionField(
        load_default=None,
        description="The page with this action in its middle, instead of the first page. Its cursors go on.",
    )
    numbers = fields.String(
        load_default=None,
        validate=(
            validate.Regexp(_NAMES, error="not actions with commas between them: 57,58,60.1"),
            validate.Length(max=_MOST_NAMED * 24),
        ),
        metadata={
            "description": f"Only these actions, in this order, on one page: 57,58,60.1 (at most {_MOST_NAMED})."
            " Those that there are not are left out."
        },
    )
    totals = fields.Boolean(
        load_default=False,
        metadata={"description": "Whether to count the entries of all pages, and to sum up their postings."},
    )


@blueprint.route("/games/<game>/actions")
@blueprint.doc(
    **operation(
        "readJournal",
        {200: (JournalPage, "A page of the journal, with what the caller may see of each entry.")},
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
@blueprint.arguments(JournalQuery(), location="query", unknown=RAISE)
def read_journal(query: dict[str, Any], game: str) -> Response:
    """Read the journal

    Without a filter these are the journal's own entries, one for each number. A filter also finds the actions that
    corrections inserted, at their place in the history; a page ends after all that was inserted after an entry.
    The pages of a filter may begin in the middle: `around` gives the page around an action, with both cursors.
    `numbers` gives certain actions at once, and `totals` what all pages come to.
    """
    order: Literal["oldest", "newest"] = query["order"]
    position = read_cursor(query["cursor"], _Position)
    if position is not None and position.order != order:
        raise bad_cursor(query["cursor"])
    named_ones = _named_ones(query["numbers"])
    moment = changed_moment(game, query)
    only = Filter(
        **{name: query[name] for name in ("seat", "kind", "account", "commodity", "rule", "status")},
        since=query["since"],
        until=query["until"],
        words=words_of(query["q"] or ""),
    )
    totals = totals_of(moment, only, language()) if query["totals"] else msgspec.UNSET
    if named_ones:
        candidates = entries_named(moment, named_ones, language())
        admitted = tuple(entry for entry in candidates if only.admits(entry))
        return answers.of_game(JournalPage(admitted, None, None, moment.version, totals), moment.head, language())
    entries, following, previous = _page(moment, query, only, order, position)
    around = [("first", None), ("next", following), ("prev", previous)]
    return answers.of_game(
        JournalPage(tuple(entries), following, previous, moment.version, totals),
        moment.head,
        language(),
        headers=links((name, cursor) for name, cursor in around if name == "first" or cursor is not None),
    )


def _named_ones(text: str | None) -> list[Name]:
    """Parse the actions named by the parameter `numbers`. Raises Problem (422) for too many."""
    names = [] if text is None else text.split(",")
    if len(names) > _MOST_NAMED:
        en = f"at most {_MOST_NAMED} actions are read at once, not {len(names)}"
        fr = f"{_MOST_NAMED} actions au plus se lisent à la fois, pas {len(names)}"
        row = {"parameter": "numbers", "value": text, "detail": Phrase(en, fr)}
        raise Problem("invalid-request", f"numbers: {en}", f"numbers : {fr}", errors=[row])
    return [name if "." in name else int(name) for name in names]


def _page(
    moment: Moment,
    query: Mapping[str, Any],
    only: Filter,
    order: Literal["oldest", "newest"],
    position: _Position | None,
) -> tuple[list[EntryView], str | None, str | None]:
    """Return a page of the journal in the requested order, with the cursors of the next and the previous page."""
    if query["around"] is not None and position is None:
        return _page_around(moment, query, only, order)
    backwards = position is not None and position.backwards
    entries, last = page_of_journal(
        moment,
        language=language(),
        only=only,
        cursor=None if position is None else position.number,
        newest_first=(order == "newest") != backwards,
        limit=query["limit"],
    )
    following = previous = None
    if backwards:
        entries.reverse()
        previous = _cursor(order, last, backwards=True) if last is not None else None
        following = _cursor(order, number_of(moment, entries[-1])) if entries else None
    else:
        following = _cursor(order, last) if last is not None else None
        to_previous = position is not None and bool(entries)
        previous = _cursor(order, number_of(moment, entries[0]), backwards=True) if to_previous else None
    return entries, following, previous


def _page_around(
    moment: Moment, query: Mapping[str, Any], only: Filter, order: Literal["oldest", "newest"]
) -> tuple[list[EntryView], str | None, str | None]:
    """Return the page with an action in its middle. Raises Problem (422) for a missing action."""
    try:
        centre = moment.position_of(named(query, "around") or 0)[0]
    except NoSuchAction as missing:
        raise no_such_action("around", missing) from None
    entries, older, newer = page_around(
        moment, min(centre, moment.at), language=language(), only=only, limit=query["limit"]
    )
    if order == "newest":
        entries.reverse()
        older, newer = newer, older
    first, last = (number_of(moment, entries[at]) if entries else 0 for at in (0, -1))
    previous = _cursor(order, first, backwards=True) if older and entries else None
    following = _cursor(order, last) if newer and entries else None
    return entries, following, previous


class _Position(msgspec.Struct, frozen=True, array_like=True, tag="journal"):
    """The end of a page of the journal, and whether the next page goes backwards in the list."""

    order: Literal["oldest", "newest"]
    number: int
    backwards: bool = False


def _cursor(order: Literal["oldest", "newest"], number: int, *, backwards: bool = False) -> str:
    return write_cursor(_Position(order, number, backwards))


def perform(
    game: str,
    viewer: Viewer,
    kind: str,
    act: Callable[[int | None], Performed],
    expected: frozenset[Expected] | None,
    *,
    params: Mapping[str, Any] = MappingProxyType({}),
    seat: str | None = None,
) -> Performed:
    """Perform or preview an action of this kind, and turn a refusal into a problem.

    `act` performs the action and takes the version required of the game, or None. `expected` are the versions
    listed by If-Match. `params` and `seat` are the members of the body. Raises Problem; and Malformed for
    parameters of the wrong shape, because only the caller knows their position in the body.
    """
    playing = the_ledger().games.open(game)
    rulebook = playing.rulebook
    try:
        return act(None if expected is None else _only(game, expected))
    except Refusal as refused:
        if isinstance(refused, CorrectionSpreads):
            preview = preview_of(rulebook, refused.plan, viewer, language(), playing.setup.players)
            raise would_spread(refused, preview) from None
        if isinstance(refused, Malformed) and "fault" in refused.values:
            raise
        state = the_ledger().moment(game, viewer).newest
        needs = _needs(game, viewer, refused)
        raise of_refused_action(
            refused, rulebook, kind, needs=needs, params=params, seat=seat, state=state
        ) from None


def _needs(game: str, viewer: Viewer, refused: Refusal) -> list[NeedView]:
    """Return the missing draw of a refused action, with the action that supplies the draw."""
    if not isinstance(refused, NeedsDraw):
        return []
    moment = the_ledger().moment(game, viewer)
    need = view_of_refused(refused, moment.viewer, moment.rulebook.language.speakers(moment.newest), language())
    return [] if need is None else [need]


def misshapen(game: str, refused: Malformed, kind: str, inside: str, params: Any) -> Problem:
    """Build the problem for parameters of the wrong shape.

    The parameters belong to the requested action (field `inside` of the body), or to an action to be inserted
    into the history.
    """
    if refused.values.get("kind") == kind:
        return bodies.misshapen_parameters(refused, inside, params)
    return of_refused_action(refused, the_ledger().games.open(game).rulebook, kind)


def _only(game: str, expected: frozenset[Expected]) -> int:
    """Choose the version required of the game among the heads listed by If-Match."""
    if len(expected) == 1 and (only := next(iter(expected))).leaf is None:
        return only.version
    head = the_ledger().moment(game).head
    return head.version if any(head_expected.fits(head) for head_expected in expected) else NO_VERSION


def answer_with(
    game: str,
    done: Performed,
    *,
    previewed: bool = False,
    status: int = 201,
    located: str = "actions/{number}",
) -> Response:
    """Answer with the entry of an action: performed (201 or the given status), previewed or repeated (200).

    `located` is the path, below the game's, where the result can be read from now on.
    """
    base = f"{service().config.base_path}/games/{game}"
    headers = [] if previewed else [("Location", f"{base}/{located.format(number=done.entry.number)}")]
    if done.replayed:
        headers.append(("Idempotent-Replayed", "true"))
    return answers.of_game(
        done.entry,
        the_ledger().games.head(game, done.version),
        language(),
        status=200 if previewed or done.replayed else status,
        headers=headers,
    )
