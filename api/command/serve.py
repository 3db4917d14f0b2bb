"""The command `serve`: run the service over HTTP, with a Postgres of its own when no database is given."""

from __future__ import annotations

import os
import signal
import threading
import time
from importlib.resources.abc import Traversable
from pathlib import Path

import click
import httpx

from api import server
from api.command import demo
from api.command.database import database, migrate_database
from api.command.failures import BadInput, Command
from api.command.options import home_option
from api.command.progress import progress
from api.command.signals import leave
from api.command.tokens import show_game
from replays import recorded

_READY_SECONDS = 60.0
_EMBEDDED_CONNECTIONS = 90
"""How many connections the embedded server gives to all workers together, of the 100 that it accepts."""


@click.command(cls=Command)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="The port to listen on; 0 chooses a free one.",
)
@home_option
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="How many processes answer requests.",
)
@click.option("--no-demo", is_flag=True, help="Do not play the recorded game that comes with the service.")
def serve(host: str, port: int, home: Path, workers: int, no_demo: bool) -> None:
    """Serve games over HTTP until a signal (Ctrl-C) ends it.

    Without DATABASE_URL, an embedded Postgres is started in the data folder and stopped at the end. The database
    is migrated. A recorded game is played once as a demo; its address and tokens are printed.

    \b
    Environment:
      DATABASE_URL            a Postgres database of yours, postgresql://…
      MABLIGOP_HOME           the data folder
      MABLIGOP_CREATION_KEY   the key needed to create a game (default: anybody may)
      MABLIGOP_CORS_ORIGINS   origins whose pages may call, separated by commas
      MABLIGOP_CONNECTIONS    database connections per worker (default: 20)
      MABLIGOP_REQUESTS_PER_MINUTE
                              requests of one token to one worker (default: 60000)
      MABLIGOP_POSTGRES_BIN   the folder of the Postgres programs to use
    """
    try:
        server.connections()
        server.requests_per_minute()
    except ValueError as fault:
        raise BadInput(str(fault)) from fault
    signal.signal(signal.SIGTERM, leave)
    # Before anything is made: a port that is in use ends the command.
    server.free_address(host, port)
    with database(home) as (url, embedded):
        migrate_database(url)
        address, chosen = server.free_address(host, port)
        os.environ["DATABASE_URL"] = url
        if embedded:
            os.environ.setdefault(
                "MABLIGOP_CONNECTIONS", str(max(1, min(server.CONNECTIONS, _EMBEDDED_CONNECTIONS // workers)))
            )
        base = _base_url(address, chosen)
        game = None if no_demo else demo.packaged()
        welcoming = threading.Thread(target=welcome, args=(base, game), name="welcome", daemon=True)
        server.serve(address, chosen, workers, welcoming.start)
        click.echo("Stopping …", err=True)


def _base_url(address: str, port: int) -> str:
    reached = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address, address)  # noqa: S104 - what to call, not to bind
    return f"http://[{reached}]:{port}" if ":" in reached else f"http://{reached}:{port}"


def welcome(base: str, game: Traversable | None) -> None:
    """Wait until the service at `base` answers, print its address, play the demo game, and print its tokens.

    A failure of the demo is only reported: the service goes on.
    """
    with httpx.Client(base_url=base, timeout=30, trust_env=False) as client:
        if not _answers(client):
            click.echo(f"{base} does not answer; the log above may say why", err=True)
            return
        click.echo(f"Mabligop serves at {base} (documentation: {base}/docs). Ctrl-C ends it.")
        if game is None:
            return
        if key := os.environ.get("MABLIGOP_CREATION_KEY"):
            client.headers["Authorization"] = f"Bearer {key}"
        try:
            with progress("Playing the demo game") as tell:
                opened = demo.play_once(game, client, tell)
        except (recorded.Unreadable, recorded.Difference, httpx.HTTPError) as fault:
            click.echo(f"The demo game was not played: {fault}", err=True)
            return
        click.echo("\nThe demo game, already played:")
        show_game(base, opened.game, opened.tokens)


def _answers(client: httpx.Client) -> bool:
    """Whether the service answers within a minute."""
    deadline = time.monotonic() + _READY_SECONDS
    while time.monotonic() < deadline:
        try:
            if client.get("/readyz").is_success:
                return True
        except httpx.TransportError:
            pass  # It is not listening yet.
        time.sleep(0.05)
    return False
