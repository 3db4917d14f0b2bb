"""Inviting phones from the terminal: a link for each seat, and a code that a phone's camera reads."""

from __future__ import annotations

import io
from collections.abc import Mapping

import click
import httpx
import segno

from replays.recorded import API


def show_invitations(client: httpx.Client, game: str, banker: str, players: Mapping[str, str]) -> None:
    """Invite every seat of a game, and print each link with its QR code. Raises httpx.HTTPError.

    Takes a client of the service, the banker's token, and the seats.
    """
    click.echo("\nJoin from a phone in the same network. Each code is valid once, for an hour:")
    for seat in players:
        answer = client.post(
            f"{API}/games/{game}/invitations", json={"seat": seat}, headers={"Authorization": f"Bearer {banker}"}
        )
        answer.raise_for_status()
        link = answer.json()["link"]
        click.echo(f"\n  {seat:<10} {link}\n{drawn(link)}")


def drawn(link: str) -> str:
    """A link as a QR code of half blocks (ISO/IEC 18004), for a dark or a light terminal."""
    out = io.StringIO()
    segno.make_qr(link, error="l").terminal(out, compact=True, border=2)
    return out.getvalue()
