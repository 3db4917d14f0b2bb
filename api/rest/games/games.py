"""Games: creating a game, and the public summary."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

import msgspec
from flask import Response
from flask_smorest import Blueprint
from marshmallow import RAISE
from msgspec import UNSET

from api.rest.admission.auth import bearer, not_yours, require_service_key, viewer_with
from api.rest.admission.bounds import count_rows
from api.rest.description.access_schemas import Tokens
from api.rest.description.documentation import operation
from api.rest.description.requests import NewAgain, NewExchange, NewFork, NewGame
from api.rest.description.schemas import GameCreated, GamePage, GameSummary
from api.rest.exchange import answers, bodies
from api.rest.exchange.conditions import unguessable_key
from api.rest.exchange.moments import moment_of, overdue_now
from api.rest.exchange.paging import PageQuery, links, read_cursor, write_cursor
from api.rest.games.demo import is_of_demo
from api.rest.log.proofs import log_of
from api.rest.problems.problems import Problem
from api.rest.rulebooks import editions
from api.rest.running.context import language, service, the_ledger
from ledger.acting.creating import Continued, NotOver
from ledger.games.setups import seating_of
from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.facts.state import Seat
from ledger.reading.entries.overdue import Overdue
from ledger.reading.table.glances import GameOverview, glance_of, glances
from ledger.reading.words.seating import seat_views
from ledger.service import Created, NoSuchAction
from ledger.store.records import GameRecord

blueprint = Blueprint("games", __name__, description="Creating and listing games")

_RESERVED = frozenset({"banker", "system", "spectator", "bank"})
_SEAT = re.compile(r"[a-z][a-z0-9_-]{0,19}")
_new_game = msgspec.json.Decoder(NewGame)
_new_fork = msgspec.json.Decoder(NewFork)
_new_again = msgspec.json.Decoder(NewAgain)
_new_exchange = msgspec.json.Decoder(NewExchange)


@blueprint.route("/games", methods=["POST"])
@blueprint.doc(
    **operation(
        "createGame",
        {
            201: (GameCreated, "The new game and its tokens. The tokens are shown only once."),
            200: (GameCreated, "The answer to the first request with this idempotency key, for a day."),
        },
        errors=(400, 401, 403, 404, 409, 413, 415, 422),
        headers=("Accept-Language", "Idempotency-Key"),
        secret=True,
        body=(NewGame, NewFork, NewExchange, NewAgain),
        needs_key=False,
    )
)
def create_game() -> Response:
    """Create a game

    Needs the service's own key when one is configured.

    With `from` instead of players, the new game continues from a moment of another game. `from` holds a token of
    that game: its banker's, or any of its tokens after an end that has revealed everything. The new journal begins
    with the other game's entries up to that number, corrections included, as the journal was known then. The new
    game has tokens and receipts of its own, and its `origin` names the other game. A running clock is stopped: the
    current turn has its full time again when the banker starts the clock.

    With `exchange` in `from`, the new game is the next season of a division in which a merchant of another one has
    a place in exchange (`monopolys`). `from` and `exchange` each hold the banker's token of their game. The new
    game has a journal of its own: its first action names the game, the seat and the last action that each merchant
    comes from, and moves along the profits of earlier seasons.

    With `again`, the table of an ended game plays once more. The banker of that game asks, with its token in the
    header or, beside a service's own key, as `token`. A table plays again once. The state and the stream of
    the ended game then say that it is `continued`, and each of its seats takes its place by `POST …/again`.
    """
    readers: dict[str, msgspec.json.Decoder[Any]] = {
        "from": _new_fork,
        "from.exchange": _new_exchange,
        "again": _new_again,
    }
    request: NewGame | NewFork | NewExchange | NewAgain = bodies.body(_new_game, having=readers)
    key = unguessable_key()
    if isinstance(request, NewGame):
        _check(request)
    require_service_key()
    match request:
        case NewExchange():
            created = _exchange(request, key)
        case NewFork():
            created = _fork(request, key)
        case NewAgain():
            created = _again(request, key)
        case NewGame():
            created = _create(request, key)
    if not created.replayed:
        count_rows(the_ledger().store.journal.head(created.game))
    tokens = Tokens(created.tokens.banker, created.tokens.players, created.tokens.spectator)
    return answers.secret(
        GameCreated(created.game, tokens, log_of(created.game), editions.warnings(request)),
        status=200 if created.replayed else 201,
        headers=[
            ("Location", f"{service().config.base_path}/games/{created.game}"),
            *([("Idempotent-Replayed", "true")] if created.replayed else []),
        ],
    )


def _create(request: NewGame, key: str | None) -> Created:
    title, settings = editions.opened(request)
    try:
        return the_ledger().creating.create(
            request.rulebook,
            title=title,
            players=[Seat(player.seat, player.name) for player in request.players],
            settings=settings,
            dice=request.dice,
            key=key,
        )
    except Malformed as refusal:
        if "fault" in refusal.values:
            raise bodies.misshapen_parameters(refusal, "settings", request.settings) from None
        if "place" in refusal.values:
            if request.edition is not UNSET:
                raise editions.misplaced(refusal, request) from None
            raise bodies.misplaced(refusal, "settings") from None
        raise


def _fork(request: NewFork, key: str | None) -> Created:
    """Create a game that continues from another game. Raises Problem unless the caller sees the whole original
    game.
    """
    origin, ledger = request.origin, the_ledger()
    if not ledger.moment(origin.game, viewer_with(origin.token, origin.game)).viewer.sees_all:
        raise not_yours(
            "a game that hides anything is gone on from by its banker only: send the banker's token of it",
            "seul son banquier repart d'une partie qui cache quelque chose : envoyez le jeton du banquier",
        )
    try:
        return ledger.forking.fork(origin.game, origin.action, title=request.title, key=key)
    except NoSuchAction as missing:
        bodies.reject(
            "/from/action",
            missing.name,
            f"there is no action {missing.name} to go on from: the last one is {missing.last}",
            f"il n'y a pas d'action {missing.name} d'où repartir : la dernière est la {missing.last}",
        )


def _exchange(request: NewExchange, key: str | None) -> Created:
    """Create a game by an exchange. Raises Problem unless the caller is the banker of both games."""
    near_end, far_end = request.origin, request.origin.exchange
    for end in (far_end, near_end):
        viewer = the_ledger().moment(end.game, viewer_with(end.token, end.game)).viewer
        if viewer.role != "banker" or not viewer.sees_all:
            raise not_yours(
                "seats change places between two games by the banker of both: send both tokens",
                "c'est le banquier des deux parties qui échange des places : envoyez ses deux jetons",
            )
    return the_ledger().creating.exchange(near_end.game, far_end.game, title=request.title, key=key)


def _again(request: NewAgain, key: str | None) -> Created:
    """Create the next game of a table. Raises Problem unless the caller is the banker of the ended game, and for a
    game of the demo, whose banker is everybody.
    """
    viewer = viewer_with(bearer() if request.token is None else request.token, request.again)
    if viewer.role != "banker":
        raise not_yours(
            "the table plays again when its banker asks: send the banker's token",
            "c'est le banquier qui relance une partie pour la table : envoyez son jeton",
        )
    if is_of_demo(request.again):
        raise not_yours(
            "a game of the demo belongs to everybody: its table does not play again",
            "une partie de la démonstration est à tout le monde : sa table ne rejoue pas",
        )
    try:
        return the_ledger().creating.again(request.again, key=key)
    except NotOver:
        raise Problem(
            "game-not-over",
            "the game is not over yet: the table plays again after its end",
            "la partie n'est pas terminée : la table rejoue après la fin",
        ) from None
    except Continued as continued:
        raise Problem(
            "game-continued",
            f"the table plays again already, in game {continued.following}",
            f"la table rejoue déjà, dans la partie {continued.following}",
        ) from None


@blueprint.route("/games")
@blueprint.doc(
    **operation(
        "listGames",
        {200: (GamePage, "A page of games, newest first.")},
        errors=(401, 422),
        headers=("Accept-Language",),
        needs_key=False,
    )
)
@blueprint.arguments(PageQuery(), location="query", unknown=RAISE)
def list_games(query: dict[str, Any]) -> Response:
    """List all games, newest first

    Needs the service's own key when one is configured. The answer has only what everybody may see.
    """
    position = read_cursor(query["cursor"], _Position)
    require_service_key()
    start = None if position is None else (position.created_at, position.game)
    records = the_ledger().games.list_records(start, query["limit"] + 1)
    page = records[: query["limit"]]
    following = None
    if len(records) > len(page):
        following = write_cursor(_Position(page[-1].created_at, page[-1].game_id))
    # A database may hold games with rulebooks unknown to this service.
    readable = [record for record in page if record.rulebook in the_ledger().rulebooks]
    response = answers.secret(
        {
            "games": [
                _summary(record, glance, None if due is None else due.view(language()))
                for record, glance, due in glances(the_ledger().games, the_ledger().clock, readable)
            ],
            "next": following,
        },
        headers=links([("first", None), *([("next", following)] if following else [])]),
    )
    response.headers["Content-Language"] = language()
    return response


@blueprint.route("/games/<game>")
@blueprint.doc(
    **operation(
        "readGame",
        {200: (GameSummary, "A summary of the game: its status, its version, whose turn it is.")},
        errors=(401, 403, 404),
        headers=("Accept-Language", "If-None-Match"),
    )
)
def read_game(game: str) -> Response:
    """Read the summary of a game

    It is the same for every viewer: seats, round, whose turn it is, and how the game stands.
    """
    moment = moment_of(game)
    due = overdue_now(moment)
    count = 0 if due is None else len(due.actions)
    summary = _summary(moment.game.record, glance_of(moment.rulebook, moment.newest), due)
    return answers.of_game(summary, moment.head, language(), due=count)


class _Position(msgspec.Struct, frozen=True, array_like=True, tag="games"):
    """The end of a page of the list of games."""

    created_at: datetime
    game: str


def _summary(record: GameRecord, glance: GameOverview, due: Overdue | None) -> dict[str, Any]:
    setup = seating_of(record)
    summary = GameSummary(
        game=record.game_id,
        rulebook=record.rulebook,
        title=record.title,
        created_at=record.created_at,
        origin=setup.origin,
        dice=glance.dice,
        seats=seat_views(setup.players, glance.order),
        status=glance.status,
        version=glance.version,
        round=glance.summary.get("round"),
        turn=glance.summary.get("turn"),
        due=due,
    )
    members = {
        name: value for name, value in msgspec.structs.asdict(summary).items() if value is not msgspec.UNSET
    }
    return {**glance.summary, **members}


def _check(request: NewGame) -> None:
    """Check a new game beyond the constraints of its type. Raises Problem (422)."""
    if request.rulebook not in the_ledger().rulebooks:
        rulebooks = ", ".join(the_ledger().rulebooks)
        bodies.reject(
            "/rulebook",
            request.rulebook,
            f"there is no rulebook {request.rulebook!r}; there are: {rulebooks}",
            f"il n'y a pas de jeu {request.rulebook!r} ; il y a : {rulebooks}",
        )
    for index, player in enumerate(request.players):
        if player.seat in _RESERVED or _SEAT.fullmatch(player.seat) is None:
            bodies.reject(
                f"/players/{index}/seat",
                player.seat,
                f"a seat cannot be called {player.seat!r}",
                f"un siège ne peut pas s'appeler {player.seat!r}",
            )
        if not player.name.strip():
            bodies.reject(
                f"/players/{index}/name",
                player.name,
                f"the player of seat {player.seat} needs a name, not {player.name!r}",
                f"il faut un nom au joueur du siège {player.seat}, pas {player.name!r}",
            )
