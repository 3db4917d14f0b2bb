"""The command that plays: a recorded game, or another game from one of its moments on."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click
import httpx

from api.command.asking import refused, segment
from api.command.terminal import BadInput, CameOutDifferently, Command, NoAnswer, progress, show_tokens
from replays import recorded
from replays.recorded import API


@click.command(cls=Command)
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False), required=False)
@click.option("--from", "origin", metavar="GAME", help="Instead of a FILE: the game to go on from.")
@click.option("--upto", type=click.IntRange(1), help="Only up to this action.  [default: all there are]")
@click.option(
    "--token",
    envvar="MABLIGOP_TOKEN",
    show_envvar=True,
    help="With --from: a token of that game, the banker's, or any once it has ended.",
)
@click.option(
    "--url",
    envvar="MABLIGOP_URL",
    default="http://127.0.0.1:8000",
    show_default=True,
    show_envvar=True,
    help="The service to play on, without a path.",
)
@click.option("--key", help="Play it once under this name: asked again, the same game is found, or continued.")
@click.option(
    "--creation-key",
    envvar="MABLIGOP_CREATION_KEY",
    show_envvar=True,
    help="The service's own key, when it asks for one to create games.",
)
def play(
    file: Path | None,
    origin: str | None,
    upto: int | None,
    token: str | None,
    url: str,
    key: str | None,
    creation_key: str | None,
) -> None:
    """Play a recorded game, or go on from another one, through the API of a running service.

    FILE is a JSON Lines file. The game is created and played action by action; what must be refused has to be
    refused, and what is checked has to be so. The first line that comes out otherwise ends it with exit code 7,
    telling what was expected and what came. With --upto it is played so far, and is yours from there.

    With --from GAME a new game is started whose journal is that game's up to the action of --upto: what if we had
    gone on from here. The other game stays as it is.
    """
    if (file is None) == (origin is None):
        raise BadInput("Name either a FILE to play, or with --from the game to go on from")
    headers = {"Authorization": f"Bearer {creation_key}"} if creation_key else {}
    try:
        with httpx.Client(base_url=url, headers=headers, timeout=httpx.Timeout(30, read=600)) as client:
            if file is not None:
                _play_recorded(client, file, url, key, upto)
            elif origin is not None:
                _go_on(client, segment(origin), url, key, upto, token)
    except (httpx.HTTPError, httpx.InvalidURL) as fault:
        raise NoAnswer(f"No good answer from {url}: {fault}") from fault
    except (ValueError, LookupError, TypeError) as fault:
        raise NoAnswer(f"What answers at {url} is not this service") from fault


def _play_recorded(client: httpx.Client, file: Path, url: str, key: str | None, upto: int | None) -> None:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as fault:
        raise BadInput(f"{file} cannot be read: {fault}") from fault
    try:
        recording = recorded.read(lines)
    except recorded.Unreadable as fault:
        raise BadInput(f"{file}, {fault}") from fault
    try:
        opened = recorded.open_game(recording, client, key=key)
        show_game(url.rstrip("/"), opened.game, opened.tokens)
        with progress("Playing") as tell:
            played = recorded.play_on(recording, opened, client, key=key, progress=tell, upto=upto)
    except recorded.Difference as fault:
        raise CameOutDifferently(f"{file}, {fault}") from fault
    click.echo(f"\nPlayed as recorded: {played.actions} actions, {played.refusals} refusals.")


def _go_on(
    client: httpx.Client, origin: str, url: str, key: str | None, upto: int | None, token: str | None
) -> None:
    """Start a game that goes on from another one."""
    if token is None:
        raise BadInput(f"To go on from {origin}, name a --token of it")
    if upto is None:
        answer = client.get(f"{API}/games/{origin}", headers={"Authorization": f"Bearer {token}"})
        if not answer.is_success:
            raise refused(answer)
        upto = answer.json()["version"]
    answer = client.post(
        f"{API}/games",
        json={"from": {"game": origin, "action": upto, "token": token}},
        headers={} if key is None else {"Idempotency-Key": key},
    )
    if not answer.is_success:
        raise refused(answer)
    created = answer.json()
    show_game(url.rstrip("/"), created["game"], created["tokens"])
    click.echo(f"\nIt goes on from action {upto} of {origin}.")


def show_game(base: str, game: str, tokens: dict[str, Any]) -> None:
    """Show a game of the service at `base`, its tokens, and a line to paste that asks for its state."""
    show_tokens(game, tokens)
    authorization = shlex.quote(f"Authorization: Bearer {tokens['banker']}")
    address = shlex.quote(f"{base}{API}/games/{game}/state")
    click.echo(f"\n  curl -H {authorization} {address}")
