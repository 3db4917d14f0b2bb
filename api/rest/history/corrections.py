"""Corrections of the history: correct, undo and redo, each with a dry run to preview the consequences."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response
from flask_smorest import Blueprint

from api.rest.actions.actions import answer_with, perform
from api.rest.admission.auth import viewer_of
from api.rest.description.documentation import operation
from api.rest.description.requests import InsertAction, NewCorrection, NewRedo, NewUndo
from api.rest.exchange import answers, bodies
from api.rest.exchange.conditions import heads_expected, idempotency_key
from api.rest.problems.problems import Problem, of_refusal
from api.rest.running.context import language, the_ledger
from ledger.acting.correcting import correction, correction_kind, kind_declared
from ledger.kernel.arbitration.docket import OpenDispute
from ledger.kernel.facts.edits import Amend, Drop, Edit, Insert, NewAction, Replace, Rewind
from ledger.kernel.facts.refusals import Malformed, NotYours
from ledger.reading.entries.views import EntryView
from ledger.reading.history.preview_views import Preview
from ledger.service import Performed, Undo

blueprint = Blueprint("corrections", __name__, description="Correcting the history")

_new_correction = msgspec.json.Decoder(NewCorrection)
_new_undo = msgspec.json.Decoder(NewUndo)
_new_redo = msgspec.json.Decoder(NewRedo)

_ERRORS = (400, 401, 403, 404, 409, 412, 413, 415, 422)
_HEADERS = ("Accept-Language", "Idempotency-Key", "If-Match")
_DONE = "The history is corrected: the correction's entry in the journal."
_PREVIEWED = "The preview of a dry run, or the entry that the first request with this key made."


@blueprint.route("/games/<game>/corrections", methods=["POST"])
@blueprint.doc(
    **operation(
        "correctHistory",
        {201: (EntryView, _DONE), 200: ((Preview, EntryView), _PREVIEWED)},
        errors=_ERRORS,
        headers=_HEADERS,
        body=NewCorrection,
    )
)
def correct_history(game: str) -> Response:
    """Correct the history

    All edits take effect together or not at all. Later actions are decided again from what was recorded with them.
    With an edit `amend` they take the place of an earlier correction; what changes is told beside the state as it
    is now known. With the cascade `refuse` no later action may change; otherwise the answer is the problem
    `would-spread`. Its `preview` is the same as that of a dry run with the cascade `restate`.
    """
    request = bodies.body(_new_correction)
    key = idempotency_key()
    expected = heads_expected()
    viewer = viewer_of(game)
    edits = [edit_of(edit) for edit in request.edits]
    ledger, spoken = the_ledger(), language()

    def act(version: int | None) -> Performed:
        command = correction(ledger.games.open(game).rulebook, edits, request.reason, request.cascade)
        if request.dry_run:
            return ledger.preview(game, viewer, command, language=spoken, expected=version)
        return ledger.perform(game, viewer, command, language=spoken, expected=version, key=key)

    try:
        done = perform(game, viewer, _kind(game), act, expected)
    except Malformed as refused:
        raise _misshapen(game, refused, edits) from None
    return answer_correction(game, done, previewed=request.dry_run)


@blueprint.route("/games/<game>/undo", methods=["POST"])
@blueprint.doc(
    **operation(
        "undo",
        {
            201: (EntryView, _DONE),
            200: ((Preview, EntryView), _PREVIEWED),
            202: (EntryView, "The banker is asked to undo the action: the dispute's entry in the journal."),
        },
        errors=_ERRORS,
        headers=_HEADERS,
        body=NewUndo,
    )
)
def undo(game: str) -> Response:
    """Undo an action, by default the last one

    It is a correction that drops the action, and takes the place of the correction that it `amends`. Where only
    the banker may correct the history, a player's request opens a dispute that carries this correction (202). The
    banker reads its preview with the dispute, and accepts it with one call.
    """
    request = bodies.body(_new_undo)
    take_back = Undo(
        way="undo", action=request.action, amends=request.amends, reason=request.reason, cascade=request.cascade
    )
    key = idempotency_key()
    expected = heads_expected()
    viewer = viewer_of(game)
    rulebook = the_ledger().games.open(game).rulebook
    dispute = kind_declared(rulebook, OpenDispute)
    if viewer.role != "player" or rulebook.governance.player_undo or dispute is None:
        return _take_back(game, take_back, dry_run=request.dry_run)
    ledger, spoken = the_ledger(), language()

    def act(version: int | None) -> Performed:
        return ledger.correcting.ask_for_undo(
            game, viewer, take_back, language=spoken, expected=version, key=key, dry_run=request.dry_run
        )

    done = perform(game, viewer, dispute, act, expected)
    return answer_with(game, done, previewed=request.dry_run, status=202, located="disputes/{number}")


@blueprint.route("/games/<game>/redo", methods=["POST"])
@blueprint.doc(
    **operation(
        "redo",
        {201: (EntryView, _DONE), 200: ((Preview, EntryView), _PREVIEWED)},
        errors=_ERRORS,
        headers=_HEADERS,
        body=NewRedo,
    )
)
def redo(game: str) -> Response:
    """Undo a correction, by default the latest one in force

    It is a correction that drops the correction. `action` names the correction, or an action that it undid. The
    default skips corrections that only redo something.
    """
    request = bodies.body(_new_redo)
    take_back = Undo(way="redo", action=request.action, reason=request.reason, cascade=request.cascade)
    return _take_back(game, take_back, dry_run=request.dry_run)


def _take_back(game: str, take_back: Undo, *, dry_run: bool) -> Response:
    key = idempotency_key()
    expected = heads_expected()
    viewer = viewer_of(game)
    ledger, spoken = the_ledger(), language()

    def act(version: int | None) -> Performed:
        return ledger.correcting.take_back(
            game, viewer, take_back, language=spoken, expected=version, key=key, dry_run=dry_run
        )

    done = perform(game, viewer, _kind(game), act, expected)
    return answer_correction(game, done, previewed=dry_run)


def answer_correction(game: str, done: Performed, *, previewed: bool) -> Response:
    """Answer with the entry or the preview of a correction."""
    if previewed and done.preview is not None:
        return answers.of_game(done.preview, the_ledger().games.head(game, done.version), language())
    return answer_with(game, done, previewed=previewed)


def _kind(game: str) -> str:
    """Return the kind of action that corrects this game. Raises Problem (403) if the rulebook has none."""
    try:
        return correction_kind(the_ledger().games.open(game).rulebook)
    except NotYours as refused:
        raise Problem("not-yours", refused.en, refused.fr) from None


def edit_of(edit: Drop | Replace | InsertAction | Rewind | Amend) -> Edit:
    """Convert the edit of a request to an edit of the history."""
    if not isinstance(edit, InsertAction):
        return edit
    new = edit.action
    override = None if new.override is None else new.override.reason
    return Insert(edit.after, NewAction(kind=new.kind, params=new.params, seat=new.seat, override=override))


def _misshapen(game: str, refused: Malformed, edits: list[Edit]) -> Problem:
    """Build the problem for an edit with parameters of the wrong shape, with the position of the edit."""
    rulebook = the_ledger().games.open(game).rulebook
    for index, edit in enumerate(edits):
        candidate: tuple[str, dict[str, Any], str] | None = None
        match edit:
            case Insert():
                candidate = (edit.action.kind, edit.action.params, f"edits/{index}/action/params")
            case Replace():
                timeline_entry = the_ledger().moment(game).timeline_entry(edit.action)
                kind = "" if timeline_entry is None else timeline_entry.entry.kind
                candidate = (kind, edit.params, f"edits/{index}/params")
        if candidate is None:
            continue
        try:
            rulebook.codec.action(candidate[0], msgspec.json.encode(candidate[1]))
        except Malformed as same:
            if same.en == refused.en:
                return bodies.misshapen_parameters(refused, candidate[2], candidate[1])
    return of_refusal(refused)
