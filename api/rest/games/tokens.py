"""The tokens of a game, for the banker to list, replace and revoke."""

from __future__ import annotations

from flask import Response
from flask_smorest import Blueprint

from api.rest.admission.auth import banker_of, bearer
from api.rest.description.access_schemas import IssuedToken, NewToken, TokenList
from api.rest.description.documentation import operation
from api.rest.description.requests import Role
from api.rest.exchange import answers
from api.rest.exchange.conditions import unguessable_key
from api.rest.problems.problems import Problem, not_found
from api.rest.running.context import the_ledger
from ledger.access.credentials import digest
from ledger.store.records import Credential

blueprint = Blueprint("tokens", __name__, description="The tokens of a game")


@blueprint.route("/games/<game>/tokens")
@blueprint.doc(
    **operation(
        "listTokens",
        {200: (TokenList, "Every token of the game, without its secret.")},
        errors=(401, 403, 404),
        headers=("Accept-Language",),
    )
)
def list_tokens(game: str) -> Response:
    """List the tokens of a game (banker only)

    Revoked ones are included. The tokens themselves are not: each is shown only once.
    """
    banker_of(game)
    own_hash = digest(bearer())
    return answers.secret(
        TokenList(tuple(_view(credential, own_hash) for credential in the_ledger().tokens.issued(game)))
    )


@blueprint.route("/games/<game>/tokens/<token>/replacement", methods=["POST"])
@blueprint.doc(
    **operation(
        "replaceToken",
        {
            201: (NewToken, "The new token, shown only once. The old token is revoked."),
            200: (NewToken, "The answer to the first request with this idempotency key, for a day."),
        },
        errors=(400, 401, 403, 404, 409, 422),
        headers=("Accept-Language", "Idempotency-Key"),
        secret=True,
        located=False,
    )
)
def replace_token(game: str, token: str) -> Response:
    """Replace a token by a new one for the same role and seat (banker only)

    A token can be replaced once, so without an idempotency key a repeated request fails (404). With a key, a
    banker who replaces the token in use and loses the answer can repeat the request with the old token, for a day.
    """
    key = unguessable_key()
    _require_banker(game, token, key)
    new = the_ledger().tokens.replace(game, token, key)
    if new is None:
        raise _no_token(token)
    return answers.secret(
        NewToken(new.token, new.viewer.role, new.viewer.seat),
        status=200 if new.replayed else 201,
        headers=[("Idempotent-Replayed", "true")] if new.replayed else [],
    )


def _require_banker(game: str, token: str, key: str | None) -> None:
    """Require the banker, or a repetition of the request by which the banker replaced the token sent now."""
    try:
        banker_of(game)
    except Problem as problem:
        repeats = (
            problem.kind == "token-unknown"
            and key is not None
            and the_ledger().tokens.repeats_own_replacement(game, bearer(), token, key)
        )
        if not repeats:
            raise


@blueprint.route("/games/<game>/tokens/<token>", methods=["DELETE"])
@blueprint.doc(
    **operation(
        "revokeToken",
        {204: (None, "The token is revoked.")},
        errors=(401, 403, 404, 409),
        headers=("Accept-Language",),
    )
)
def revoke_token(game: str, token: str) -> Response:
    """Revoke a token (banker only)

    The token in use cannot be revoked, only replaced: otherwise the game could lose its banker.
    """
    banker_of(game)
    if _in_force(game, token).token_hash == digest(bearer()):
        raise Problem(
            "own-token",
            f"the token {token} is the one you are using: replace it instead",
            f"le jeton {token} est celui que vous utilisez : remplacez-le plutôt",
        )
    if not the_ledger().tokens.revoke(game, token):
        raise _no_token(token)
    return Response(status=204, headers={"Cache-Control": "no-store"})


def _in_force(game: str, token: str) -> Credential:
    for credential in the_ledger().tokens.issued(game):
        if credential.credential_id == token and credential.revoked_at is None:
            return credential
    raise _no_token(token)


def _no_token(token: str) -> Problem:
    return not_found(f"no token {token!r} is in force", f"aucun jeton {token!r} n'est en vigueur")


def _view(credential: Credential, own_hash: bytes) -> IssuedToken:
    return IssuedToken(
        id=credential.credential_id,
        role=_role(credential),
        seat=credential.seat,
        created_at=credential.created_at,
        revoked_at=credential.revoked_at,
        yours=credential.token_hash == own_hash,
    )


def _role(credential: Credential) -> Role:
    match credential.role:
        case "banker":
            return "banker"
        case "player":
            return "player"
        case _:
            return "spectator"
