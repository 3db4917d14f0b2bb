"""The command `dice`: take part in the shared throws of a game, for a seat whose phone does not."""

from __future__ import annotations

import time
from pathlib import Path

import click
import httpx
import msgspec

from api.command.running.signals import interruptible
from api.command.terminal.client import client_of, failure_of, game_id
from api.command.terminal.failures import BadInput, Command, NoAnswer
from api.command.terminal.options import token_option, url_option
from api.command.throwing import Seat
from replays.recorded import API

_AGAIN_SECONDS = 2


class _Me(msgspec.Struct, frozen=True):
    game: str
    seat: str | None = None


@click.command(cls=Command)
@click.argument("game")
@click.option(
    "--chains",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file in which the seat's chains are kept.  [default: GAME-SEAT.chains]",
)
@token_option
@url_option
def dice(game: str, chains: Path | None, token: str | None, url: str) -> None:
    """Take part in the shared throws of a GAME, until it ends.

    For games whose dice the seats throw together (`dice: "shared"`). The command commits the seat of the token to
    a hash chain, and reveals its next value whenever an action needs one. The console does the same: one of the
    two is enough, and the one that was started last counts. The chains are secret: nobody else may read the file.
    """
    if token is None:
        raise BadInput("Name the --token of a seat")
    game_id(game)
    with interruptible(), client_of(url, token) as client:
        answer = client.get(f"{API}/me")
        if not answer.is_success:
            raise failure_of(answer)
        me = msgspec.json.decode(answer.content, type=_Me)
        if me.game != game or me.seat is None:
            raise BadInput(f"The token is of no seat in the game {game}")
        seat = Seat(client, game, me.seat, chains or Path(f"{game}-{me.seat}.chains"))
        while True:
            try:
                for said in seat.follow():
                    click.echo(said)
                return
            except (httpx.HTTPError, NoAnswer) as fault:
                click.echo(f"The service does not answer, and is tried again: {fault}", err=True)
                time.sleep(_AGAIN_SECONDS)
