"""The demo: example games with seats for everybody. Every request gets 404 if the service has no demo."""

from __future__ import annotations

from functools import cache

import msgspec
from flask import Response
from flask_smorest import Blueprint

from api.rest.admission.auth import require_service_key
from api.rest.admission.bounds import count_rows
from api.rest.description.access_schemas import DemoGame, DemoStep, DemoView, JoinedGame
from api.rest.description.documentation import operation
from api.rest.description.requests import DemoName, Laying, TakingSeat
from api.rest.exchange import answers, bodies
from api.rest.games.invitations import joined_game
from api.rest.problems.problems import not_found
from api.rest.running.context import Language, language, service, the_ledger
from api.rest.running.exchanges import exchange
from ledger.service import Ledger
from replays.demo import NAMES, Demo, Step, steps

blueprint = Blueprint("demo", __name__, description="The demo")

_laying = msgspec.json.Decoder(Laying)
_taking = msgspec.json.Decoder(TakingSeat)


@blueprint.route("/demo")
@blueprint.doc(
    **operation(
        "readDemo",
        {200: (DemoView, "The games of the demo.")},
        headers=("Accept-Language",),
        public=True,
    )
)
def read_demo() -> Response:
    """Read which games the demo has

    One is an evening under way, one is finished. `steps` are what somebody may try, in order, on each screen. A
    service without a demo has none.
    """
    return _view()


@blueprint.route("/demo", methods=["POST"])
@blueprint.doc(
    **operation(
        "layDemo",
        {200: (DemoView, "The games of the demo.")},
        errors=(400, 401, 404, 413, 415, 422),
        headers=("Accept-Language",),
        body=Laying,
        needs_key=False,
    )
)
def lay_demo() -> Response:
    """Lay the games of the demo, or begin the evening again

    What is there stays. With `again` another evening takes the place of this one, which stays as it is for those
    who play it; when it is not the newest any more, nothing changes. Needs the service's own key when one is
    configured.
    """
    request = bodies.body(_laying)
    require_service_key()
    demo = _demo()
    if request.again is None:
        for name in NAMES:
            demo.lay(name)
    else:
        demo.begin_again("evening", request.again)
        count_rows(the_ledger().store.journal.head(demo.game("evening") or ""))
    return _view()


@blueprint.route("/demo/seats", methods=["POST"])
@blueprint.doc(
    **operation(
        "takeDemoSeat",
        {201: (JoinedGame, "A token of this role or seat.")},
        errors=(400, 404, 413, 415, 422),
        headers=("Accept-Language",),
        body=TakingSeat,
        public=True,
        located=False,
    )
)
def take_seat() -> Response:
    """Take a seat of the demo, as often as one likes

    Everybody may be its banker, each of its players, and its spectator, on several devices at once. No other game
    gives its seats so.
    """
    request = bodies.body(_taking)
    game_id = _demo().game(request.name)
    if game_id is None:
        raise not_found("the demo is not laid yet", "la démonstration n'est pas encore installée")
    seats = [player.seat for player in the_ledger().games.open(game_id).setup.players]
    if (request.role == "player") != (request.seat is not None) or request.seat not in (*seats, None):
        bodies.reject(
            "/seat",
            request.seat,
            f"a player's seat is one of {', '.join(seats)}; a banker or a spectator has none",
            f"le siège d'un joueur est l'un de {', '.join(seats)} ; un banquier ou un spectateur n'en a pas",
        )
    exchange().game, exchange().role = game_id, request.role
    token = the_ledger().tokens.grant(game_id, request.role, request.seat)
    return answers.secret(joined_game(game_id, request.role, request.seat, token), status=201)


def _view() -> Response:
    """Answer with the games of the demo, and the steps to try, in the caller's language."""
    has_demo, spoken = service().config.demo, language()
    laid = [(name, _demo_of(the_ledger()).game(name)) for name in NAMES if has_demo]
    games = tuple(_described(name, game_id) for name, game_id in laid if game_id is not None)
    view = DemoView(
        games=games,
        steps=tuple(_step_view(step, spoken) for step in steps() if games),
        again=bool(games) and service().config.creation_key is None,
    )
    return answers.secret(view, headers=[("Content-Language", spoken)])


def _described(name: DemoName, game_id: str) -> DemoGame:
    game = the_ledger().games.open(game_id)
    return DemoGame(
        name=name,
        game=game_id,
        rulebook=game.record.rulebook,
        title=game.record.title,
        seats=game.setup.players,
    )


def _step_view(step: Step, spoken: Language) -> DemoStep:
    return DemoStep(
        screen=step.screen,
        ask=step.ask.in_language(spoken),
        done=None if step.done is None else step.done.in_language(spoken),
        type=None if step.type is None else step.type.in_language(spoken),
        kinds=step.kinds,
        seats=step.seats,
        page=step.page,
        past=step.past,
    )


def is_of_demo(game_id: str) -> bool:
    """Return True for a game of the service's demo."""
    return service().config.demo and any(_demo_of(the_ledger()).game(name) == game_id for name in NAMES)


def _demo() -> Demo:
    """Return the demo of the service. Raises Problem (404) without a demo."""
    if not service().config.demo:
        raise not_found("this service has no demo", "ce service n'a pas de démonstration")
    return _demo_of(the_ledger())


@cache
def _demo_of(ledger: Ledger) -> Demo:
    return Demo(ledger)
