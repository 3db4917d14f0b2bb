"""The docket of a game: disputes, statements, and the banker's rulings on disputes."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response
from flask_smorest import Blueprint
from marshmallow import RAISE, Schema, fields, validate

from api.rest.actions.actions import answer_with, misshapen, perform
from api.rest.admission.auth import viewer_of
from api.rest.description.documentation import operation
from api.rest.description.requests import NewAcceptance, NewDispute, NewRuling, NewStatement, NewWithdrawal
from api.rest.description.schemas import DisputeAnswer, DisputeList, PreparedCorrection, RulingPreview
from api.rest.exchange import answers, bodies
from api.rest.exchange.conditions import heads_expected, idempotency_key
from api.rest.exchange.moments import changed_moment, moment_of, require_new
from api.rest.history.corrections import edit_of
from api.rest.problems.problems import Problem, not_found, of_refusal
from api.rest.running.context import language, the_ledger
from ledger.acting.correcting import correction, kind_declared
from ledger.games.moments import Moment
from ledger.kernel.arbitration import docket, rulings
from ledger.kernel.facts.dispute import Dispute
from ledger.kernel.facts.refusals import Impossible, Malformed, Refusal
from ledger.kernel.rules.actions import Action
from ledger.reading.entries.views import EntryView
from ledger.reading.history.disputes import dispute_views
from ledger.service import Command, Performed

blueprint = Blueprint("disputes", __name__, description="Disputes, and the banker's rulings on them")

_new_dispute = msgspec.json.Decoder(NewDispute)
_new_statement = msgspec.json.Decoder(NewStatement)
_new_withdrawal = msgspec.json.Decoder(NewWithdrawal)
_new_acceptance = msgspec.json.Decoder(NewAcceptance)
_new_ruling = msgspec.json.Decoder(NewRuling)

ERRORS = (400, 401, 403, 404, 409, 412, 413, 415, 422)
HEADERS = ("Accept-Language", "Idempotency-Key", "If-Match")
_LONGEST_REASON = 2000
"""Longest reason of a correction, in characters. A claim may be longer."""
_AGAIN = "The entry of a dry run, or the entry that the first request with this key made."


class DisputesQuery(Schema):
    """The status of the disputes to list."""

    status = fields.String(
        load_default="all",
        validate=validate.OneOf(("open", "withdrawn", "ruled", "all")),
        metadata={
            "description": "Only disputes with this status (`open` ones wait for a ruling), or all of them."
        },
    )


@blueprint.route("/games/<game>/disputes")
@blueprint.doc(
    **operation(
        "listDisputes",
        {200: (DisputeList, "The disputes that the caller may know of, in the order of their opening.")},
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
@blueprint.arguments(DisputesQuery(), location="query", unknown=RAISE)
def list_disputes(query: dict[str, Any], game: str) -> Response:
    """List the disputes of a game

    With `status=open` the list is the banker's queue.
    """
    moment = changed_moment(game)
    visible = docket.disputes(moment.newest, moment.viewer)
    selected = [dispute for dispute in visible if query["status"] in {"all", dispute.status}]
    views = tuple(dispute_views(moment, selected, language()))
    return answers.of_game(DisputeList(views, moment.version), moment.head, language())


@blueprint.route("/games/<game>/disputes/<dispute>")
@blueprint.doc(
    **operation(
        "readDispute",
        {200: (DisputeAnswer, "The dispute.")},
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
def read_dispute(game: str, dispute: str) -> Response:
    """Read one dispute with its statements

    While a dispute that asks for a correction is open, the banker also reads what the correction would change.
    """
    moment = moment_of(game)
    result = docket.dispute(moment.newest, dispute, moment.viewer)
    if result is None:
        raise _no_dispute(dispute)
    require_new(moment)
    (view,) = dispute_views(moment, [result], language())
    answer = DisputeAnswer(view, _prepared(game, moment, result), moment.version)
    return answers.of_game(answer, moment.head, language())


def _prepared(game: str, moment: Moment, dispute: Dispute) -> PreparedCorrection | None:
    """Preview, for the banker, the correction requested by an open dispute."""
    if moment.viewer.role != "banker" or dispute.status != "open" or not dispute.edits:
        return None
    command = correction(moment.rulebook, dispute.edits, dispute.claim, "restate")
    try:
        dry = the_ledger().preview(game, moment.viewer, command, language=language())
    except Refusal as refused:
        return PreparedCorrection(None, refused.sentence(language()))
    return PreparedCorrection(dry.preview, None)


@blueprint.route("/games/<game>/disputes", methods=["POST"])
@blueprint.doc(
    **operation(
        "openDispute",
        {
            201: (EntryView, "The dispute is open: its entry in the journal, whose number is its id."),
            200: (EntryView, _AGAIN),
        },
        errors=ERRORS,
        headers=HEADERS,
        body=NewDispute,
    )
)
def open_dispute(game: str) -> Response:
    """Open a dispute about actions

    The game goes on during a dispute. The actions that a dispute cites decide who may know of it. With `edits` it
    carries the correction that it asks for.
    """
    request = bodies.body(_new_dispute)
    params: dict[str, Any] = {"claim": request.claim, "actions": request.actions, "rules": request.rules}
    if request.edits:
        params["edits"] = [msgspec.to_builtins(edit_of(edit)) for edit in request.edits]
    return answer_with(
        game,
        on_docket(game, docket.OpenDispute, params, seat=request.seat, dry_run=request.dry_run),
        previewed=request.dry_run,
        located="disputes/{number}",
    )


@blueprint.route("/games/<game>/disputes/<dispute>/statements", methods=["POST"])
@blueprint.doc(
    **operation(
        "addStatement",
        {201: (EntryView, "The statement is recorded: its entry in the journal."), 200: (EntryView, _AGAIN)},
        errors=ERRORS,
        headers=HEADERS,
        body=NewStatement,
    )
)
def add_statement(game: str, dispute: str) -> Response:
    """Add a statement to an open dispute

    Every seat that may know of the dispute may speak in it, and so may the banker.
    """
    request = bodies.body(_new_statement)
    params = {"dispute": dispute, "text": request.text}
    return answer_with(
        game,
        on_docket(game, docket.AddStatement, params, seat=request.seat, dry_run=request.dry_run, dispute=dispute),
        previewed=request.dry_run,
    )


@blueprint.route("/games/<game>/disputes/<dispute>/withdrawal", methods=["POST"])
@blueprint.doc(
    **operation(
        "withdrawDispute",
        {
            201: (EntryView, "The dispute is withdrawn: the withdrawal's entry in the journal."),
            200: (EntryView, _AGAIN),
        },
        errors=ERRORS,
        headers=HEADERS,
        body=NewWithdrawal,
    )
)
def withdraw_dispute(game: str, dispute: str) -> Response:
    """Withdraw a dispute that the caller opened

    The dispute ends without a ruling, and the game stays as it is.
    """
    request = bodies.body(_new_withdrawal)
    params = {"dispute": dispute}
    return answer_with(
        game,
        on_docket(
            game, docket.WithdrawDispute, params, seat=request.seat, dry_run=request.dry_run, dispute=dispute
        ),
        previewed=request.dry_run,
    )


@blueprint.route("/games/<game>/disputes/<dispute>/acceptance", methods=["POST"])
@blueprint.doc(
    **operation(
        "acceptDispute",
        {
            201: (EntryView, "The correction is made: the ruling's entry in the journal."),
            200: (
                (RulingPreview, EntryView),
                "The preview of a dry run, or the entry that the first request with this key made.",
            ),
        },
        errors=ERRORS,
        headers=HEADERS,
        body=NewAcceptance,
    )
)
def accept_dispute(game: str, dispute: str) -> Response:
    """Accept the correction that a dispute asks for (banker only)

    It is a ruling on the dispute whose remedy is this correction. Later actions are decided again (`restate`), as
    in the preview that the dispute is read with, unless another `cascade` is given.
    """
    request = bodies.body(_new_acceptance)
    moment = moment_of(game)
    result = docket.dispute(moment.newest, dispute, moment.viewer)
    if result is None:
        raise _no_dispute(dispute)
    if not result.edits:
        raise of_refusal(
            Impossible(
                moment.rulebook.governance.dispute_rule,
                "dispute {id} asks for no correction: rule on it",
                "le litige {id} ne demande aucune correction : tranchez-le",
                id=dispute,
            )
        )
    remedy: dict[str, Any] = {
        "op": "correct",
        "edits": msgspec.to_builtins(result.edits),
        "cascade": request.cascade,
    }
    if result.parties is None:  # The whole table reads why the history is corrected.
        remedy["reason"] = result.claim[:_LONGEST_REASON]
    ruling = NewRuling(
        finding=request.finding or result.claim, rules=request.rules, remedies=(remedy,), dry_run=request.dry_run
    )
    return give_ruling(game, ruling, dispute)


@blueprint.route("/games/<game>/disputes/<dispute>/rulings", methods=["POST"])
@blueprint.doc(
    **operation(
        "ruleOnDispute",
        {
            201: (EntryView, "The ruling is given: its entry in the journal."),
            200: (
                (RulingPreview, EntryView),
                "The preview of a dry run, or the entry that the first request with this key made.",
            ),
        },
        errors=ERRORS,
        headers=HEADERS,
        body=NewRuling,
    )
)
def rule_on_dispute(game: str, dispute: str) -> Response:
    """Rule on a dispute (banker only)

    The remedies take effect in order, all of them or none. A remedy `correct` that would change later actions is
    refused like a correction: 409 with a `preview`.
    """
    return give_ruling(game, bodies.body(_new_ruling), dispute)


def give_ruling(game: str, request: NewRuling, dispute: str | None) -> Response:
    """Give a ruling on a dispute or, without a dispute, on the banker's own motion."""
    params = {
        "finding": request.finding,
        "actions": request.actions,
        "rules": request.rules,
        "waives": request.waives,
        "remedies": request.remedies,
        **({} if dispute is None else {"dispute": dispute}),
    }
    done = on_docket(game, rulings.GiveRuling, params, seat=None, dry_run=request.dry_run, dispute=dispute)
    if request.dry_run:
        return answers.of_game(
            RulingPreview(done.entry, done.preview), the_ledger().games.head(game, done.version), language()
        )
    return answer_with(game, done)


def on_docket(
    game: str,
    action: type[Action],
    params: dict[str, Any],
    *,
    seat: str | None,
    dry_run: bool,
    dispute: str | None = None,
) -> Performed:
    """Perform an action of the docket with parameters from the request's body.

    Raises Problem: 404 for a dispute that does not exist or is hidden from the caller.
    """
    key = idempotency_key()
    expected = heads_expected()
    viewer = viewer_of(game)
    ledger, spoken = the_ledger(), language()
    if dispute is not None and docket.dispute(ledger.moment(game).newest, dispute, viewer) is None:
        raise _no_dispute(dispute)
    kind = kind_declared(ledger.games.open(game).rulebook, action)
    if kind is None:
        raise not_found("this game has no docket", "cette partie n'a pas de registre des litiges")
    command = Command(kind=kind, params=params, seat=seat)

    def act(version: int | None) -> Performed:
        if dry_run:
            return ledger.preview(game, viewer, command, language=spoken, expected=version)
        return ledger.perform(game, viewer, command, language=spoken, expected=version, key=key)

    try:
        return perform(game, viewer, kind, act, expected)
    except Malformed as refused:
        raise misshapen(game, refused, kind, "", params) from None


def _no_dispute(dispute: str) -> Problem:
    return not_found(f"there is no dispute {dispute!r}", f"il n'y a pas de litige {dispute!r}")
