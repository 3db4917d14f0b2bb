"""Authentication by bearer tokens, and the roles required by requests."""

from __future__ import annotations

import hmac

from flask import request

from api.rest.admission import limits
from api.rest.problems.problems import Problem, unknown_game
from api.rest.running.context import service, the_ledger
from api.rest.running.exchanges import exchange
from ledger.kernel.facts.audience import Viewer

_CHALLENGE = 'Bearer realm="mabligop"'
_SPECTATOR = Viewer("spectator")


def viewer_of(game: str) -> Viewer:
    """Return the caller as a viewer of the game.

    Raises Problem, in this order: 401 without a valid token, 404 for an unknown game, 403 for a token of
    another game.
    """
    return viewer_with(bearer(), game)


def viewer_with(token: str, game: str) -> Viewer:
    """Return the viewer with this token in the game. Raises Problem like `viewer_of`."""
    owner = _holder_of(token)
    if owner[0] != game:
        # A token of some game may learn whether another game exists, and nothing more.
        if the_ledger().store.games.get(game) is None:
            raise unknown_game(game)
        raise Problem(
            "foreign-token",
            f"the token belongs to another game than {game!r}",
            f"le jeton appartient à une autre partie que {game!r}",
        )
    exchange().game = game
    return owner[1]


def holder() -> tuple[str, Viewer]:
    """Return the game and the viewer of the caller's token.

    Raises Problem: 401, 400 for an unfit View-As header, or 429 if the caller's address has sent too many unknown
    tokens.
    """
    return _holder_of(bearer())


def _holder_of(token: str) -> tuple[str, Viewer]:
    address = request.remote_addr or ""
    limits.of_application().check(token, address)
    owner = the_ledger().tokens.authenticate(token)
    if owner is None:
        limits.of_application().count_unknown(token, address)
        raise Problem(
            "token-unknown",
            "the token is not in force: unknown, revoked or replaced",
            "le jeton n'est pas en vigueur : inconnu, révoqué ou remplacé",
            headers=[("WWW-Authenticate", f'{_CHALLENGE}, error="invalid_token"')],
        )
    exchange().role = owner[1].role
    limits.of_application().recognise(token, owner[1].role)
    return owner[0], _narrowed(owner[1])


def _narrowed(viewer: Viewer) -> Viewer:
    """Return the viewer, or a spectator if the header View-As asks for the rights of a spectator.

    Raises Problem (400) for a header with another value.
    """
    header = request.environ.get("HTTP_VIEW_AS")
    if header is None:
        return viewer
    if header.strip() != _SPECTATOR.role:
        raise Problem(
            "bad-request",
            f"View-As takes the role spectator, not {header[:100]!r}",
            f"View-As demande le rôle spectator, pas {header[:100]!r}",
        )
    return _SPECTATOR


def banker_of(game: str) -> Viewer:
    """Return the caller as the banker of the game. Raises Problem like `viewer_of`, and 403 for other roles."""
    viewer = viewer_of(game)
    if viewer.role != "banker":
        raise not_yours("only the banker may do this", "seul le banquier peut faire cela")
    return viewer


def require_service_key() -> None:
    """Require the service's own key, if configured.

    Raises Problem: 401, or 429 if the caller's address has sent too many unknown tokens.
    """
    if service().config.creation_key is None:
        return
    address = request.remote_addr or ""
    token = bearer()
    limits.of_application().check(token, address)
    if holds_service_key():
        limits.of_application().recognise(token)
        return
    limits.of_application().count_unknown(token, address)
    raise Problem(
        "token-unknown",
        "this needs the service's own key",
        "il faut pour cela la clé du service",
        headers=[("WWW-Authenticate", f'{_CHALLENGE}, error="invalid_token"')],
    )


def holds_service_key() -> bool:
    """Return True if the caller sent the service's own key. Raises Problem (401) if a key is configured and no
    token was sent.
    """
    key = service().config.creation_key
    return key is not None and any(
        hmac.compare_digest(bearer().encode(), each.strip().encode()) for each in key.split(",")
    )


def bearer() -> str:
    """Return the bearer token of the request (RFC 6750, 2.1). Raises Problem (401) without a token."""
    header: str = request.environ.get("HTTP_AUTHORIZATION", "")
    scheme, _, token = header.partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token:
        raise Problem(
            "token-missing",
            "send a token: Authorization: Bearer <token>",
            "envoyez un jeton : Authorization: Bearer <jeton>",
            headers=[("WWW-Authenticate", _CHALLENGE)],
        )
    return token


def not_yours(en: str, fr: str) -> Problem:
    """Build the problem for a request forbidden to the caller's role or seat."""
    return Problem("not-yours", en, fr)
