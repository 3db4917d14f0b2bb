"""The log of a game: its signed head, proofs of its contents, and the signatures of witnesses."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

import msgspec
from flask import Response, request
from flask_smorest import Blueprint
from marshmallow import RAISE, Schema, validate

from api.rest.admission.auth import bearer, viewer_of
from api.rest.description.documentation import operation
from api.rest.description.log_schemas import Consistency, Cosigned, EarlierLog, GameLog
from api.rest.description.requests import NewCosignature
from api.rest.exchange import answers, bodies
from api.rest.exchange.conditions import VARY, require_change
from api.rest.exchange.moments import moment_of
from api.rest.exchange.queries import WholeNumber
from api.rest.problems.problems import not_found
from api.rest.running.context import the_ledger
from ledger.games.moments import Moment
from ledger.reading.entries.attested import attested
from ledger.store.selecting import LARGEST
from ledger.trust.logs import CosignatureRefused
from ledger.trust.receipts import Receipt

blueprint = Blueprint("proofs", __name__, description="The log of a game, and proofs of what is in it")

_new_cosignature = msgspec.json.Decoder(NewCosignature)
_SIZE = validate.Range(1, LARGEST)


def log_of(game: str) -> GameLog:
    """Return the name of a game's log, the key that signs it, and earlier keys, as given out with every token."""
    logs = the_ledger().logs
    keys = logs.keys
    earlier = tuple(EarlierLog(*each) for each in logs.earlier(game))
    successions = tuple(map(str, keys.successions))
    return GameLog(keys.origin(game), str(keys.verifiers(game)[0]), successions, earlier)


def receipt_of(moment: Moment, number: int) -> Receipt:
    """Return the receipt of an action for a viewer, with the visible part of the action."""
    stored = moment.store.journal.entry(moment.game.id, number)
    if stored is None:
        raise _no_action(number, moment.version)
    visible = attested(moment, number, stored)
    return the_ledger().logs.receipt(moment.game.id, number, moment.version, visible)


def _plain(text: str, tag: str | None = None) -> Response:
    response = Response(text, content_type="text/plain; charset=utf-8")
    if tag is not None:
        response.headers["ETag"] = tag
    response.headers["Vary"] = VARY
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def _described(name: str, says: str, errors: tuple[int, ...], headers: tuple[str, ...] = ()) -> dict[str, Any]:
    """Describe an operation that answers with text."""
    described = operation(name, {200: (None, says)}, errors=errors, headers=headers)
    described["responses"]["200"]["content"] = {"text/plain": {"schema": {"type": "string"}}}
    return described


@blueprint.route("/games/<game>/checkpoint")
@blueprint.doc(
    **_described(
        "readCheckpoint",
        "The checkpoint (C2SP tlog-checkpoint): a signed note.",
        (401, 403, 404, 409),
        ("If-None-Match",),
    )
)
def read_checkpoint(game: str) -> Response:
    """Read the signed head of the game's log

    Each game is a log (RFC 9162) of its journal. A checkpoint has the log's name, the number of its actions, and
    the hash over all of them, signed by the service (Ed25519) and by the witnesses that have signed it. Whoever
    keeps one can tell later whether anything before it was changed: see `proofs/consistency`.
    """
    moment = moment_of(game)
    note = str(the_ledger().logs.checkpoint(game, moment.version))
    # Not the version, because a rewritten journal could have an equal version.
    tag = f'W/"checkpoint-{hashlib.sha256(note.encode()).hexdigest()[:16]}"'
    require_change(tag)
    return _plain(note, tag)


@blueprint.route("/games/<game>/proofs/<int:number>")
@blueprint.doc(
    **_described(
        "readProof",
        "The receipt (C2SP tlog-proof).",
        (401, 403, 404, 409),
    )
)
def read_proof(game: str, number: int) -> Response:
    """Read the receipt of an action

    It has the place of the action in the log (from 0), the hashes that lead from it to the newest checkpoint, and
    that checkpoint. Its `extra` is what the caller may see of the action, as it is hashed: a line of JSON in
    base64. `mabligop verify` checks it without the service.
    """
    moment = moment_of(game)
    if not 1 <= number <= moment.version:
        raise _no_action(number, moment.version)
    return _plain(str(receipt_of(moment, number)))


class ConsistencyQuery(Schema):
    """The two sizes of the log to compare."""

    class Meta:
        """`from` is a word of Python."""

        include = {
            "from": WholeNumber(
                required=True,
                validate=_SIZE,
                metadata={"description": "How many actions the log had: the size of an older checkpoint."},
            )
        }

    to = WholeNumber(
        load_default=None,
        validate=_SIZE,
        metadata={"description": "The size of the newer checkpoint; by default the newest."},
    )


@blueprint.route("/games/<game>/proofs/consistency")
@blueprint.doc(
    **operation(
        "readConsistency",
        {200: (Consistency, "The proof, with the newer checkpoint.")},
        errors=(401, 403, 404, 409, 422),
    )
)
@blueprint.arguments(ConsistencyQuery(), location="query", unknown=RAISE)
def read_consistency(query: dict[str, Any], game: str) -> Response:
    """Read the proof that the log only grew

    The hashes show that the log of the newer checkpoint begins with all that the older one was signed over (RFC
    9162, 2.1.4).
    """
    moment = moment_of(game)
    old, size = query["from"], moment.version if query["to"] is None else query["to"]
    if not old <= size <= moment.version:
        raise not_found(
            f"the log has {moment.version} actions: there is no proof from {old} to {size}",
            f"le registre a {moment.version} actions : il n'y a pas de preuve de {old} à {size}",
        )
    logs = the_ledger().logs
    hashes = tuple(base64.b64encode(digest).decode() for digest in logs.consistency(game, old, size))
    response = answers.secret(
        {"from": old, "to": size, "hashes": hashes, "checkpoint": str(logs.checkpoint(game, size))}
    )
    response.headers["Vary"] = VARY
    return response


@blueprint.route("/games/<game>/checkpoint/cosignatures", methods=["POST"])
@blueprint.doc(
    **operation(
        "cosignCheckpoint",
        {201: (Cosigned, "The checkpoint, with the signature.")},
        errors=(400, 401, 403, 404, 409, 413, 415, 422),
        headers=("Accept-Language",),
        body=NewCosignature,
    )
)
def cosign(game: str) -> Response:
    """Attach the signature of a witness to a checkpoint

    A witness (C2SP tlog-cosignature) signs a checkpoint that is consistent with all that it signed before. `note`
    is a checkpoint of this game under which its signature stands, `key` its verifier key. The line is served with
    the checkpoint of this size from now on. A game has at most 8 witnesses; a player's token brings at most 2 of
    them, a spectator's 1, all spectators 4 (409 beyond). Whether to trust the witness is up to whoever reads it.
    """
    cosignature = bodies.body(_new_cosignature)
    viewer_of(game)
    head = moment_of(game).version
    try:
        holder = the_ledger().tokens.holder(bearer())
        note = the_ledger().logs.cosign(game, cosignature.key, cosignature.note, head, holder)
    except CosignatureRefused as refused:
        bodies.reject("/note", cosignature.note[:200], str(refused), f"la signature est refusée : {refused}")
    return answers.secret(
        Cosigned(str(note)), status=201, headers=[("Location", request.path.removesuffix("/cosignatures"))]
    )


def _no_action(number: int, last: int) -> Exception:
    return not_found(
        f"the journal has no action {number}; the last one is {last}",
        f"le journal n'a pas d'action {number} ; la dernière est la {last}",
    )
