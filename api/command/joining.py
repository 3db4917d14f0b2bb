"""Opening the console from the terminal: its address, links for desk, seats and wall, codes for a camera."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Any

import click
import httpx
import segno

from replays.recorded import API


def show_console(base: str, public: str | None) -> None:
    """Print the console's address and its QR code: that for others, where there is one."""
    address = public or base
    click.echo(f"\nThe console: {address}/\n{drawn(f'{address}/')}")
    if public is None:
        click.echo("Only this machine reaches it; `--host 0.0.0.0` lets phones in.")


def show_invitations(client: httpx.Client, game: str, banker: str, seats: Iterable[str], *, codes: bool) -> None:
    """Invite to a game, and print the links for the banker's desk, each seat and the wall.

    Raises httpx.HTTPError. Takes a client of the service and the banker's token. `codes` draws a QR code for each
    seat.
    """
    click.echo("\nOpen it in the console. Each link is valid once, for an hour:")
    invited: list[tuple[str, dict[str, Any]]] = [
        ("banker", {"role": "banker"}),
        *((seat, {"seat": seat}) for seat in seats),
        ("wall", {"role": "spectator"}),
    ]
    for who, wanted in invited:
        answer = client.post(
            f"{API}/games/{game}/invitations", json=wanted, headers={"Authorization": f"Bearer {banker}"}
        )
        link = answer.raise_for_status().json()["link"]
        click.echo(f"  {who:<10} {link}" + (f"\n{drawn(link)}" if codes and "seat" in wanted else ""))


def drawn(link: str) -> str:
    """A link as a QR code of half blocks (ISO/IEC 18004), for a dark or a light terminal."""
    out = io.StringIO()
    segno.make_qr(link, error="l").terminal(out, compact=True, border=2)
    return out.getvalue()
