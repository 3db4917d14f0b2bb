"""The command `play`: play a recorded game, or start a new game from a moment of an existing game."""

from __future__ import annotations

from pathlib import Path

import click
import httpx

from api.command.terminal.client import client_of, failure_of, game_id
from api.command.terminal.failures import BadInput, CameOutDifferently, Command, NoAnswer
from api.command.terminal.options import url_option
from api.command.terminal.progress import progress
from api.command.terminal.tokens import show_game
from ledger.access.keys import is_guessable
from replays import recorded, recordings
from replays.recorded import API


@click.command(cls=Command)
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False), required=False)
@click.option("--from", "origin", metavar="GAME", help="Instead of a FILE: the game to continue from.")
@click.option("--upto", type=click.IntRange(1), help="Stop after this action.  [default: the last one]")
@click.option(
    "--token",
    envvar="MABLIGOP_TOKEN",
    show_envvar=True,
    help="With --from: a token of that game, the banker's, or any after an end that reveals everything.",
)
@url_option
@click.option(
    "--key",
    help="Play the game only once under this key: next time it is found or continued. The key shows the tokens"
    " again: make a random one (openssl rand -hex 16).",
)
@click.option(
    "--creation-key",
    envvar="MABLIGOP_CREATION_KEY",
    show_envvar=True,
    help="The service's own key, when it needs one to create games.",
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
    """Play a recorded game, or continue another game from one of its actions.

    FILE is a recorded game in JSON Lines. The game is created and played action by action through the API of a
    running service. The file's refusals and checks must come out as written. At the first difference the command
    ends with exit code 7, and says what was expected and what came. With --upto the game stops after that action,
    and you can continue it yourself.

    With --from GAME a new game is started. Its journal begins with the entries of that game, up to the action of
    --upto. So you can try how the game would have gone on from there. The other game does not change.
    """
    if (file is None) == (origin is None):
        raise BadInput("Name either a FILE to play, or with --from the game to go on from")
    if key is not None and is_guessable(key):
        raise BadInput("The --key is too easy to guess, and shows the tokens of the game: openssl rand -hex 16")
    try:
        with client_of(url, (creation_key or "").partition(",")[0].strip() or None) as client:
            if file is not None:
                _play_recorded(client, file, url, key, upto)
            elif origin is not None:
                _go_on(client, game_id(origin), url, key, upto, token)
    except (ValueError, LookupError, TypeError) as fault:
        raise NoAnswer(f"What answers at {url} is not this service") from fault


def _play_recorded(client: httpx.Client, file: Path, url: str, key: str | None, upto: int | None) -> None:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as fault:
        raise BadInput(f"{file} cannot be read: {fault}") from fault
    try:
        recording = recordings.read(lines)
    except recordings.BadRecording as fault:
        raise BadInput(f"{file}, {fault}") from fault
    try:
        opened = recorded.open_game(recording, client, key=key)
        show_game(url.rstrip("/"), opened.game, opened.tokens)
        with progress("Playing") as tell:
            played = recorded.play_on(recording, opened, client, progress=tell, upto=upto)
    except recorded.UnexpectedResult as fault:
        raise CameOutDifferently(f"{file}, {fault}") from fault
    click.echo(f"\nPlayed as recorded: {played.actions} actions, {played.refusals} refusals.")


def _go_on(
    client: httpx.Client, origin: str, url: str, key: str | None, upto: int | None, token: str | None
) -> None:
    """Start a new game with the beginning of an existing game's journal."""
    if token is None:
        raise BadInput(f"To go on from {origin}, name a --token of it")
    if upto is None:
        answer = client.get(f"{API}/games/{origin}", headers={"Authorization": f"Bearer {token}"})
        if not answer.is_success:
            raise failure_of(answer)
        upto = answer.json()["version"]
    answer = client.post(
        f"{API}/games",
        json={"from": {"game": origin, "action": upto, "token": token}},
        headers={} if key is None else {"Idempotency-Key": key},
    )
    if not answer.is_success:
        raise failure_of(answer)
    created = answer.json()
    show_game(url.rstrip("/"), created["game"], created["tokens"])
    click.echo(f"\nIt goes on from action {upto} of {origin}.")
