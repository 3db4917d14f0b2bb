"""Welcoming the banker: what a service prints when it answers, and the demo game."""

from __future__ import annotations

import os
import ssl
import time
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING

import click
import httpx

from api.command import demo
from api.command.joining import show_console, show_invitations
from api.command.progress import progress
from api.command.tokens import show_game
from replays import recorded

if TYPE_CHECKING:
    from api.command import certificates

_READY_SECONDS = 60.0


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
    with httpx.Client(base_url=base, timeout=30, trust_env=False, verify=_trusted(tls)) as client:
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


def _trusted(tls: certificates.Served | None) -> ssl.SSLContext | bool:
    """What a client of the service trusts. Most services are asked without HTTPS, and import none of it."""
    if tls is None:
        return True
    from api.command import certificates

    return certificates.trusting(tls)


def _explain_trust(url: str, tls: certificates.Served, authority: Path) -> None:
    """Print how a device comes to trust the service's own authority."""
    from api.command import certificates

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
