"""Printing the tokens of a new game, shown only once."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from replays.recorded import API


def show_tokens(game: str, tokens: dict[str, Any]) -> None:
    """Print a game's id and tokens."""
    click.echo(f"  game       {game}")
    named = {"banker": tokens["banker"], **tokens["players"], "spectator": tokens["spectator"]}
    for who, token in named.items():
        click.echo(f"  {who:<10} {token}")


def show_game(base: str, game: str, tokens: dict[str, Any], *, authority: Path | None = None) -> None:
    """Print a game's id and tokens, and a curl command for reading the state from the service at `base`.

    `authority` is the file of the service's own authority, if any.
    """
    show_tokens(game, tokens)
    authorization = shlex.quote(f"Authorization: Bearer {tokens['banker']}")
    address = shlex.quote(f"{base}{API}/games/{game}/state")
    trusted = "" if authority is None else f"--cacert {shlex.quote(str(authority))} "
    click.echo(f"\n  curl {trusted}-H {authorization} {address}")
