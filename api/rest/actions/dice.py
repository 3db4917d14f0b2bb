"""Shared throws: the commitments of the seats and the revealed values (`ledger.kernel.dice.shared`)."""

from __future__ import annotations

import msgspec
from flask import Response, request
from flask_smorest import Blueprint

from api.rest.admission.auth import not_yours, viewer_of
from api.rest.description.documentation import operation
from api.rest.description.requests import NewChain, NewValue
from api.rest.exchange import answers, bodies
from api.rest.exchange.conditions import VARY
from api.rest.exchange.moments import moment_of
from api.rest.running.context import the_ledger
from ledger.acting.sharing import SharedDice

blueprint = Blueprint("dice", __name__, description="Throws that all seats make together")

_new_chain = msgspec.json.Decoder(NewChain)
_new_value = msgspec.json.Decoder(NewValue)


@blueprint.route("/games/<game>/dice")
@blueprint.doc(
    **operation(
        "readDice",
        {200: (SharedDice, "How many throws there were, the chains of the seats, and what is wanted.")},
        errors=(401, 403, 404, 409),
    )
)
def read_dice(game: str) -> Response:
    """Read where the shared throws of a game stand

    For games with `dice: "shared"` or `"shared_or_table"`. Each seat commits to the end of a hash chain. When an
    action needs dice or cards, `wanted` says for which throw, and which value of its chain each seat reveals; the
    stream has the same as a message `throw`. What comes out depends on all the values, and on one of the service
    to which it committed one throw ahead. So nobody alone can know or choose it. Every value is in the journal,
    and `mabligop verify` throws again.
    """
    viewer_of(game)
    return _answer(the_ledger().sharing.shared_dice(game))


@blueprint.route("/games/<game>/dice/commitments", methods=["POST"])
@blueprint.doc(
    **operation(
        "commitToDice",
        {201: (SharedDice, "The chain is kept, and counts once the next action has brought it into the journal.")},
        errors=(400, 401, 403, 404, 409, 413, 415, 422),
        headers=("Accept-Language",),
        body=NewChain,
    )
)
def commit(game: str) -> Response:
    """Commit to a hash chain for the caller's seat

    A value is 32 random bytes. Its hash is SHA-256 over the text `mabligop chain`, a line feed, and the value. The
    `end` is a secret value hashed `length` times. The newest chain of a seat counts, also when another device sent
    it.
    """
    seat = _seat(game)
    chain = bodies.body(_new_chain)
    shared = the_ledger().sharing.commit(game, seat, bytes.fromhex(chain.end), chain.length)
    response = _answer(shared, status=201)
    response.headers["Location"] = request.path.removesuffix("/commitments")
    return response


@blueprint.route("/games/<game>/dice/values", methods=["POST"])
@blueprint.doc(
    **operation(
        "revealValue",
        {204: (None, "The value is kept. The action that waits for it will name it.")},
        errors=(400, 401, 403, 404, 409, 413, 415, 422),
        headers=("Accept-Language",),
        body=NewValue,
    )
)
def reveal(game: str) -> Response:
    """Reveal the value of the caller's seat for a throw

    Only for the throw that is wanted. Who does not reveal a value in time is named in the journal.
    """
    seat = _seat(game)
    revealed = bodies.body(_new_value)
    the_ledger().sharing.reveal(game, seat, revealed.throw, bytes.fromhex(revealed.value))
    return Response(status=204)


def _seat(game: str) -> str:
    """Return the seat of the caller, including a banker with a seat. Raises Problem (403) for callers without a
    seat.
    """
    viewer_of(game)
    seat = moment_of(game).viewer.seat
    if seat is None:
        raise not_yours("only a seat takes part in throws", "seul un siège participe aux lancers")
    return seat


def _answer(shared: SharedDice, status: int = 200) -> Response:
    response = answers.secret(shared, status=status)
    response.headers["Vary"] = VARY
    return response
