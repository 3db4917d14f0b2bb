"""Welcoming the banker: create the demo, and print the instructions."""

from __future__ import annotations

import io
import os
import ssl
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click
import httpx
import segno

from replays.recorded import API

if TYPE_CHECKING:
    from api.command.running import certificates

_READY_SECONDS = 60.0


def welcome(
    base: str,
    demonstrated: bool,
    public: str | None = None,
    tls: certificates.Served | None = None,
) -> None:
    """Wait for the service at `base`, create its demo, and print how to open the service, admit phones and stop
    it.

    `public` is the address for further machines, if any, printed for cameras too. `tls` has the certificate of
    HTTPS. A failure of the demo is only reported: the service goes on.
    """
    with httpx.Client(base_url=base, timeout=30, trust_env=False, verify=_trusted(tls)) as client:
        if not _answers(client):
            click.echo(f"{base} does not answer; the log above may say why", err=True)
            return
        laid = demonstrated and _lay(client)
        click.echo(f"Mabligop serves at {base} (documentation: {base}/docs). Ctrl-C ends it.")
        if tls is not None and tls.authority is not None:
            _explain_trust(public or base, tls, tls.authority)
        click.echo(
            f"\nOpen {public or base}/ in a browser"
            + (" to be the banker of an evening under way." if laid else ".")
        )
        if public is None:
            click.echo("Phones: start it with --host 0.0.0.0, and they come in as well.")
        else:
            click.echo(f"Phones of this network open the same address:\n{_drawn(f'{public}/')}")
        if laid:
            click.echo("Programs: `mabligop demo --tokens` prints tokens of that evening.")


def _drawn(link: str) -> str:
    """Draw a link as a QR code of half blocks (ISO/IEC 18004), for a dark or a light terminal."""
    out = io.StringIO()
    segno.make_qr(link, error="l").terminal(out, compact=True, border=2)
    return out.getvalue()


def _lay(client: httpx.Client) -> bool:
    """Create the missing games of the demo. Returns True on success."""
    if key := os.environ.get("MABLIGOP_CREATION_KEY"):
        client.headers["Authorization"] = f"Bearer {key.partition(',')[0].strip()}"
    try:
        client.post(f"{API}/demo", json={}).raise_for_status()
    except httpx.HTTPError as fault:
        click.echo(f"The demo was not laid: {fault}", err=True)
        return False
    return True


def _trusted(tls: certificates.Served | None) -> ssl.SSLContext | bool:
    """Return the trust settings for a client of the service. Without HTTPS, nothing is imported."""
    if tls is None:
        return True
    from api.command.running import certificates

    return certificates.trusting(tls)


def _explain_trust(url: str, tls: certificates.Served, authority: Path) -> None:
    """Print how a device comes to trust the service's own authority."""
    from api.command.running import certificates

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
    """Return True if the service answers within a minute."""
    deadline = time.monotonic() + _READY_SECONDS
    while time.monotonic() < deadline:
        try:
            if client.get("/readyz").is_success:
                return True
        except httpx.TransportError:
            pass  # The service is not listening yet.
        time.sleep(0.05)
    return False
