"""Running the service: its database, its workers, and what it prints when it is ready."""

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
from api.command.database import database, migrate_database, service_side
from api.command.failures import BadInput
from api.command.progress import progress
from api.command.signals import leave
from api.command.tokens import show_game
from api.rest import logs, metrics
from ledger.store.limits import Limits
from ledger.store.postgres.embedded import version_of_data, version_to_upgrade_to
from ledger.store.service_role import OWNER_VARIABLE
from replays import recorded

_READY_SECONDS = 60.0
_EMBEDDED_CONNECTIONS = 90
"""How many connections the embedded server gives to all workers together, of the 100 that it accepts."""


def serve_home(host: str, port: int, home: Path, workers: int, *, demonstrated: bool) -> None:
    """Serve until a signal: on DATABASE_URL, or with the Postgres of a data folder.

    `demonstrated` says whether the demo game is played. Raises BadInput for a wrong setting, AddressRefused, and
    what `database` raises.
    """
    try:
        server.connections()
        Limits.configured()
        logs.configuration()
        names = server.settings().hosts
        server.trusted_proxies()
    except ValueError as fault:
        raise BadInput(str(fault)) from fault
    signal.signal(signal.SIGTERM, leave)
    # Before anything is made: a port that is in use ends the command.
    server.free_address(host, port)
    with database(home) as (url, embedded):
        if embedded and (newer := version_to_upgrade_to(home)) is not None:
            click.echo(
                f"The data is of Postgres {version_of_data(home)}: `mabligop upgrade` moves it to {newer}",
                err=True,
            )
        migrate_database(url)
        address, chosen = server.free_address(host, port)
        os.environ["DATABASE_URL"] = service_side(url)
        os.environ.pop(OWNER_VARIABLE, None)  # The workers need not know it.
        if embedded:
            os.environ.setdefault(
                "MABLIGOP_CONNECTIONS", str(max(1, min(server.CONNECTIONS, _EMBEDDED_CONNECTIONS // workers)))
            )
        names = server.names_at(address, names)
        os.environ["MABLIGOP_HOSTS"] = ",".join(names)
        if not names:
            click.echo(f"On {address} the service answers under every name; see MABLIGOP_HOSTS", err=True)
        base = _base_url(address, chosen)
        game = demo.packaged() if demonstrated else None
        welcoming = threading.Thread(target=welcome, args=(base, game), name="welcome", daemon=True)
        with metrics.shared():
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
