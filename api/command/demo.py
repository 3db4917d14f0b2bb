"""The command `demo`: print the games of a service's demo, and tokens for programs."""

from __future__ import annotations

from typing import Any

import click

from api.command.terminal.client import client_of, failure_of
from api.command.terminal.failures import Command, NoAnswer
from api.command.terminal.options import url_option
from api.command.terminal.tokens import show_game
from replays.recorded import API


@click.command(cls=Command)
@click.option("--tokens", is_flag=True, help="Take new tokens of the evening under way, and print them.")
@url_option
def demo(tokens: bool, url: str) -> None:
    """Print the games of the demo, which a running service lays when it starts.

    With --tokens it prints tokens of the banker, each player and the spectator of the evening under way, for
    programs. Earlier tokens stay in force.
    """
    try:
        with client_of(url) as client:
            answer = client.get(f"{API}/demo")
            if not answer.is_success:
                raise failure_of(answer)
            games: list[dict[str, Any]] = answer.json()["games"]
            if not games:
                raise NoAnswer(f"The service at {url} has no demo")
            for game in games:
                click.echo(f"{game['name']:<10} {game['game']}  {game['title']}")
            if not tokens:
                return

            def take(role: str, **seat: str) -> str:
                """Take a seat of the evening, and return the token."""
                answer = client.post(f"{API}/demo/seats", json={"name": "evening", "role": role, **seat})
                if not answer.is_success:
                    raise failure_of(answer)
                return str(answer.json()["token"])

            players = {seat["seat"]: take("player", seat=seat["seat"]) for seat in games[0]["seats"]}
            issued = {"banker": take("banker"), "players": players, "spectator": take("spectator")}
            click.echo()
            show_game(url.rstrip("/"), games[0]["game"], issued)
    except (ValueError, LookupError, TypeError) as fault:
        raise NoAnswer(f"What answers at {url} is not this service") from fault
