"""Showing a game's tokens, which nobody is shown a second time."""

from __future__ import annotations

import shlex
from typing import Any

import click

from replays.recorded import API


def show_tokens(game: str, tokens: dict[str, Any]) -> None:
    """Show a game with its tokens."""
    click.echo(f"  game       {game}")
    named = {"banker": tokens["banker"], **tokens["players"], "spectator": tokens["spectator"]}
    for who, token in named.items():
        click.echo(f"  {who:<10} {token}")


def show_game(base: str, game: str, tokens: dict[str, Any]) -> None:
    """Show a game of the service at `base`, its tokens, and a line to paste that asks for its state."""
    show_tokens(game, tokens)
    authorization = shlex.quote(f"Authorization: Bearer {tokens['banker']}")
    address = shlex.quote(f"{base}{API}/games/{game}/state")
    click.echo(f"\n  curl -H {authorization} {address}")
