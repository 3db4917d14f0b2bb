"""Running the service: its database, its workers, and what it prints when it is ready."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

import click
import httpx

from api import server
from api.command import addresses, certificates, demo
from api.command.database import KEYS, database, migrate_database, service_side
from api.command.failures import BadInput
from api.command.joining import show_console, show_invitations
from api.command.progress import progress
from api.command.signals import leave
from api.command.tokens import show_game
from api.rest import logs, metrics
from ledger.store.limits import Limits
from ledger.store.postgres.embedded import version_of_data, version_to_upgrade_to
from ledger.store.service_role import OWNER_VARIABLE
from ledger.trust.keys import BadKeys, Keys
from replays import recorded

_READY_SECONDS = 60.0
_EMBEDDED_CONNECTIONS = 90
"""How many connections the embedded server gives to all workers together, of the 100 that it accepts."""


class Asked(NamedTuple):
    """What the command line asks for. `certificate` and `key` are files; `https` asks for a certificate made here.

    `demonstrated` says whether the demo game is played.
    """

    host: str
    port: int
    home: Path
    workers: int
    demonstrated: bool
    certificate: Path | None = None
    key: Path | None = None
    https: bool = False


def serve_home(asked: Asked) -> None:
    """Serve until a signal: on DATABASE_URL, or with the Postgres of a data folder.

    Raises BadInput for a wrong setting, AddressRefused, and what `database` raises.
    """
    try:
        server.connections()
        Limits.configured()
        logs.configuration()
        names = server.settings().hosts
        server.trusted_proxies()
        public = addresses.configured_url()
    except ValueError as fault:
        raise BadInput(str(fault)) from fault
    signal.signal(signal.SIGTERM, leave)
    # Before anything is made: a port that is in use ends the command.
    address, _ = server.free_address(asked.host, asked.port)
    tls = _certificate(asked, address, public)
    with database(asked.home) as (url, embedded):
        if embedded and (newer := version_to_upgrade_to(asked.home)) is not None:
            click.echo(
                f"The data is of Postgres {version_of_data(asked.home)}: `mabligop upgrade` moves it to {newer}",
                err=True,
            )
        migrate_database(url)
        address, chosen = server.free_address(asked.host, asked.port)
        _make_keys(asked.home)
        os.environ["DATABASE_URL"] = service_side(url)
        os.environ.pop(OWNER_VARIABLE, None)  # The workers need not know it.
        if embedded:
            os.environ.setdefault(
                "MABLIGOP_CONNECTIONS",
                str(max(1, min(server.CONNECTIONS, _EMBEDDED_CONNECTIONS // asked.workers))),
            )
        scheme = "http" if tls is None else "https"
        reachable = addresses.reachable_at(address)
        if public is None and reachable is not None:
            public = os.environ[addresses.NETWORK_URL] = addresses.url_of(scheme, reachable, chosen)
        if tls is not None and tls.authority is not None:
            os.environ["MABLIGOP_AUTHORITY"] = str(tls.authority)
        names = server.names_at(address, names, () if public is None else (addresses.host_of(public),))
        os.environ["MABLIGOP_HOSTS"] = ",".join(names)
        if not names:
            click.echo(f"On {address} the service answers under every name; see MABLIGOP_HOSTS", err=True)
        base = addresses.url_of(scheme, _LOOPBACK.get(address, address), chosen)
        game = demo.packaged() if asked.demonstrated else None
        welcoming = threading.Thread(target=welcome, args=(base, game, public, tls), name="welcome", daemon=True)
        with metrics.shared():
            server.serve(address, chosen, asked.workers, welcoming.start, tls)
        click.echo("Stopping …", err=True)


def _make_keys(home: Path) -> None:
    """Make the keys that sign the games' logs at the first start. Raises BadInput for a file that is no such."""
    named = os.environ.setdefault(server.KEYS_VARIABLE, str(home / KEYS))
    try:
        home.mkdir(parents=True, exist_ok=True)
        Keys.kept(Path(named))
    except (BadKeys, OSError) as fault:
        raise BadInput(str(fault)) from fault


_LOOPBACK = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - what to call, not to bind


def _certificate(asked: Asked, address: str, public: str | None) -> certificates.Served | None:
    """The certificate to serve with; None for plain HTTP. Raises BadInput."""
    if asked.certificate is not None and asked.key is not None:
        return certificates.given(asked.certificate, asked.key)
    if not asked.https:
        return None
    host = socket.gethostname().lower()
    names = [
        *filter(None, [addresses.reachable_at(address), public and addresses.host_of(public).strip("[]")]),
        *([] if "." in host else [f"{host}.local"]),
        host,
        "localhost",
        "127.0.0.1",
        "::1",
    ]
    return certificates.at_home(asked.home / certificates.FOLDER, list(dict.fromkeys(names)))


def welcome(
    base: str,
    game: Traversable | None,
    public: str | None = None,
    tls: certificates.Served | None = None,
) -> None:
    """Wait until the service at `base` answers, print its address, play the demo game, and print its tokens.

    `public` is the address by which other machines reach the service: where there is one, the seats of the demo
    game are invited. `tls` is what it serves HTTPS with. A failure of the demo is only reported: the service goes
    on.
    """
    verify = True if tls is None else certificates.trusting(tls)
    with httpx.Client(base_url=base, timeout=30, trust_env=False, verify=verify) as client:
        if not _answers(client):
            click.echo(f"{base} does not answer; the log above may say why", err=True)
            return
        click.echo(f"Mabligop serves at {base} (documentation: {base}/docs). Ctrl-C ends it.")
        if public is not None:
            click.echo(f"Others reach it at {public}")
        if tls is not None and tls.authority is not None:
            _explain_trust(public or base, tls, tls.authority)
        show_console(base, public)
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
        tokens = opened.tokens
        try:
            show_invitations(client, opened.game, tokens["banker"], tokens["players"], codes=public is not None)
        except httpx.HTTPError as fault:
            click.echo(f"Nobody was invited to the demo game: {fault}", err=True)
        click.echo("\nIts tokens, for other programs:")
        show_game(base, opened.game, tokens, authority=None if tls is None else tls.authority)


def _explain_trust(url: str, tls: certificates.Served, authority: Path) -> None:
    """Print how a device comes to trust the service's own authority."""
    click.echo(f"""
Its certificate is vouched for by an authority of this machine's own ({authority}).
Trust it once on each phone: open {url}/ca.crt there, let the browser go on, install the certificate, and
compare its fingerprint (SHA-256):
  {certificates.fingerprint(authority)}
iPhone: Settings, General, About, Certificate Trust Settings. Android: Settings, Install a CA certificate.""")
    for name in tls.left_out:
        click.echo(
            f"The authority may not vouch for {name}: remove {authority.parent} to make another one", err=True
        )


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
