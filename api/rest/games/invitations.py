"""Invitations: codes for seats and screens, given by the banker and exchanged for tokens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

import msgspec
from flask import Response, request
from flask_smorest import Blueprint
from msgspec import UNSET

from api.rest.admission import hostnames, hosts, limits
from api.rest.admission.auth import banker_of, bearer
from api.rest.admission.auth import viewer_of as caller_of
from api.rest.description.access_schemas import (
    InvitationCreated,
    InvitationList,
    InvitationView,
    InvitedSeat,
    InvitedTable,
    JoinedGame,
)
from api.rest.description.documentation import operation
from api.rest.description.requests import Joining, Role, RoleInvitation, SeatInvitation
from api.rest.exchange import answers, bodies
from api.rest.exchange.conditions import unguessable_key
from api.rest.log.proofs import log_of
from api.rest.problems.problems import Problem, not_found
from api.rest.running.context import service, the_ledger
from api.rest.running.exchanges import exchange
from ledger.access.credentials import viewer_of
from ledger.access.invitations import NoSuchToken
from ledger.games.game import Game
from ledger.reading.words.seating import seat_views
from ledger.store.records import Invitation

Opened = TypeVar("Opened")

blueprint = Blueprint("invitations", __name__, description="Joining a game by a code")

_for_seat = msgspec.json.Decoder(SeatInvitation)
_for_role = msgspec.json.Decoder(RoleInvitation)
_joining = msgspec.json.Decoder(Joining)


@blueprint.route("/games/<game>/invitations", methods=["POST"])
@blueprint.doc(
    **operation(
        "invite",
        {
            201: (InvitationCreated, "The code and its link, shown only once."),
            200: (InvitationCreated, "The answer to the first request with this idempotency key, for a day."),
        },
        errors=(400, 401, 403, 404, 409, 413, 415, 422),
        headers=("Accept-Language", "Idempotency-Key"),
        secret=True,
        body=(SeatInvitation, RoleInvitation),
        located=False,
    )
)
def invite(game: str) -> Response:
    """Invite somebody to a seat, or a screen (banker only)

    The code is valid once, for an hour. When the code of a seat is used, the earlier tokens of the seat are
    revoked: so a lost phone is invited again. The link holds the code in its fragment, which browsers do not send.
    """
    banker_of(game)
    invitee: SeatInvitation | RoleInvitation = bodies.body(_for_seat, having={"role": _for_role})
    key = unguessable_key()
    ledger = the_ledger()
    playing = ledger.games.open(game)
    role: Role
    if isinstance(invitee, SeatInvitation):
        role, seat = "player", invitee.seat
        if seat not in {player.seat for player in playing.setup.players}:
            bodies.reject("/seat", seat, f"the game has no seat {seat!r}", f"la partie n'a pas de siège {seat!r}")
    else:
        role, seat = invitee.role, None
    try:
        created = ledger.invitations.invite(game, role, seat, replaces=invitee.replaces, key=key)
    except NoSuchToken:
        _no_token(invitee.replaces)
    return answers.secret(
        InvitationCreated(
            **_members(created.invitation, playing),
            code=created.code,
            link=f"{_address()}/join#{created.code}",
        ),
        status=200 if created.replayed else 201,
        headers=[("Idempotent-Replayed", "true")] if created.replayed else [],
    )


@blueprint.route("/games/<game>/invitations")
@blueprint.doc(
    **operation(
        "listInvitations",
        {200: (InvitationList, "The open invitations, without their codes.")},
        errors=(401, 403, 404),
        headers=("Accept-Language",),
    )
)
def list_invitations(game: str) -> Response:
    """List the open invitations of a game (banker only)

    The codes are not in the list: each is shown only once.
    """
    banker_of(game)
    playing = the_ledger().games.open(game)
    invitations = the_ledger().invitations.open(game)
    return answers.secret(
        InvitationList(tuple(InvitationView(**_members(invitation, playing)) for invitation in invitations))
    )


@blueprint.route("/games/<game>/invitations/<invitation>", methods=["DELETE"])
@blueprint.doc(
    **operation(
        "withdrawInvitation",
        {204: (None, "The code opens nothing any more.")},
        errors=(401, 403, 404),
        headers=("Accept-Language",),
    )
)
def withdraw_invitation(game: str, invitation: str) -> Response:
    """Take an invitation back (banker only)

    Its code no longer opens anything. Tokens that were issued for it stay in force.
    """
    banker_of(game)
    if not the_ledger().invitations.withdraw(game, invitation):
        raise not_found(f"no invitation {invitation!r} is open", f"aucune invitation {invitation!r} n'est ouverte")
    return Response(status=204, headers={"Cache-Control": "no-store"})


@blueprint.route("/join", methods=["POST"])
@blueprint.doc(
    **operation(
        "join",
        {
            201: (JoinedGame, "The token, shown only once."),
            200: (JoinedGame, "The answer to the first request with this idempotency key, for a day."),
        },
        errors=(400, 409, 410, 413, 415, 422),
        headers=("Accept-Language", "Idempotency-Key"),
        secret=True,
        body=Joining,
        public=True,
        located=False,
    )
)
def join() -> Response:
    """Change the code of an invitation for a token

    Small letters, spaces and hyphens in the code make no difference. A code that was never given, was used or has
    expired is refused with one and the same answer (410). An address that has sent many wrong codes waits longer
    after each (429). With an idempotency key a request whose answer was lost can be repeated for a day.
    """
    joining = bodies.body(_joining)
    key = unguessable_key()
    joined = _opened(lambda: the_ledger().invitations.join(joining.code, joining.game, key=key))
    exchange().game, exchange().role = joined.game_id, joined.viewer.role
    return answers.secret(
        joined_game(joined.game_id, joined.viewer.role, joined.viewer.seat, joined.token),
        status=200 if joined.replayed else 201,
        headers=[("Idempotent-Replayed", "true")] if joined.replayed else [],
    )


@blueprint.route("/games/<game>/again", methods=["POST"])
@blueprint.doc(
    **operation(
        "joinAgain",
        {
            201: (JoinedGame, "The token of the next game, shown only once."),
            200: (JoinedGame, "The answer to the first request with this idempotency key, for a day."),
        },
        errors=(400, 401, 403, 404, 409, 422),
        headers=("Accept-Language", "Idempotency-Key"),
        secret=True,
        located=False,
    )
)
def join_again(game: str) -> Response:
    """Take the same place in the game that the table plays next

    For everybody at the table of an ended game that is `continued`: the caller's role and seat, without a code. A
    seat is given once, to the first device that asks, and only as long as nobody has joined for the seat by a
    code; afterwards the banker invites. Earlier tokens of the seat in the next game are revoked. Every token
    of another role gives one token of that role.
    """
    viewer = caller_of(game)
    key = unguessable_key()
    following = the_ledger().moment(game).continued
    if following is None:
        raise not_found(
            "the table of this game does not play again yet", "la table de cette partie ne rejoue pas encore"
        )
    holder = the_ledger().tokens.holder(bearer())
    seat = viewer.seat if viewer.role == "player" else None
    joined = (
        None
        if holder is None
        else the_ledger().invitations.follow(following, viewer.role, seat, holder.credential_id, key=key)
    )
    if joined is None:
        raise Problem(
            "place-taken",
            "this place in the next game is given: ask the banker for an invitation",
            "cette place dans la partie suivante est donnée : demandez une invitation au banquier",
        )
    return answers.secret(
        joined_game(joined.game_id, joined.viewer.role, joined.viewer.seat, joined.token),
        status=200 if joined.replayed else 201,
        headers=[("Idempotent-Replayed", "true")] if joined.replayed else [],
    )


@blueprint.route("/join/table", methods=["POST"])
@blueprint.doc(
    **operation(
        "readInvitedTable",
        {200: (InvitedTable, "The table behind the code.")},
        errors=(400, 410, 413, 415, 422),
        headers=("Accept-Language",),
        body=Joining,
        public=True,
        located=False,
    )
)
def read_invited_table() -> Response:
    """Read which table a code opens

    For the holder of a code, before joining: the game, who sits where, and which seats are taken. The code stays
    open. A code that opens nothing is refused like by `join`, and counts like a wrong code of `join`.
    """
    joining = bodies.body(_joining)
    invitation = _opened(lambda: the_ledger().invitations.read(joining.code, joining.game))
    exchange().game = invitation.game_id
    game = the_ledger().games.open(invitation.game_id)
    players = game.setup.players
    badges = {badge.seat: badge for badge in seat_views(players, (player.seat for player in players))}
    occupied = the_ledger().tokens.held_seats(invitation.game_id)
    return answers.secret(
        InvitedTable(
            title=game.record.title,
            rulebook=game.record.rulebook,
            rulebook_title=game.rulebook.title,
            role=viewer_of(invitation.role, invitation.seat).role,
            letter=UNSET if invitation.seat is None else badges[invitation.seat].letter,
            seats=tuple(
                InvitedSeat(badge.name, badge.letter, badge.colour, badge.seat in occupied)
                for badge in badges.values()
            ),
        ),
    )


def _opened(attempt: Callable[[], Opened | None]) -> Opened:
    """Return what a code opens for the caller's address. Raises Problem: 410 for a wrong code, 429 for an address
    that must wait.
    """
    opened = limits.of_application().try_code(request.remote_addr or "", attempt)
    if opened is None:
        raise Problem(
            "code-refused",
            "the code opens nothing: it was never given, was used, or has expired",
            "le code n'ouvre rien : il n'a jamais été donné, il a servi ou il a expiré",
        )
    return opened


def joined_game(game_id: str, role: Role, seat: str | None, token: str) -> JoinedGame:
    """Describe a game to a viewer who has just joined it, with the viewer's role, seat and token."""
    game = the_ledger().games.open(game_id)
    return JoinedGame(
        game=game_id,
        rulebook=game.record.rulebook,
        title=game.record.title,
        token=token,
        log=log_of(game_id),
        **_seated(role, seat, game),
    )


def _address() -> str:
    """Return the address of the service for others: as configured, or as called by the banker.

    A banker on the machine of the service may call it "localhost", an address useless to all others.
    """
    config, host = service().config, request.host_url.rstrip("/")
    if config.public_url is not None:
        return config.public_url
    if config.network_url is not None and hosts.accepted(request.host, hostnames.LOOPBACK):
        return config.network_url
    return host


def _members(invitation: Invitation, game: Game) -> dict[str, Any]:
    return {
        "id": invitation.invitation_id,
        **_seated(invitation.role, invitation.seat, game),
        **({} if invitation.replaces is None else {"replaces": invitation.replaces}),
        "created_at": invitation.created_at,
        "expires_at": invitation.expires_at,
    }


def _seated(role: str, seat: str | None, game: Game) -> dict[str, Any]:
    """Return the role, and for a player the seat and the name."""
    names = {player.seat: player.name for player in game.setup.players}
    return {"role": role} if seat is None else {"role": role, "seat": seat, "name": names[seat]}


def _no_token(token: str | None) -> NoReturn:
    bodies.reject(
        "/replaces",
        token,
        f"no token {token!r} of this role and seat is in force",
        f"aucun jeton {token!r} de ce rôle et de ce siège n'est en vigueur",
    )
