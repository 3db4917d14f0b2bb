"""Checks of the running service: its address, its readiness, and a stream."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from api.command.doctor.findings import Finding, fault, note, warning, well
from api.command.doctor.installation import Installation, reason_of
from api.command.terminal.client import SHORT_WAIT, client_of, game_id
from api.command.terminal.failures import Failure, NoAnswer
from api.supervisor import AddressRefused, free_address
from ledger.access.credentials import game_of
from ledger.games.snapshots import code_hash
from replays.recorded import API


def examine_address(installation: Installation) -> Iterator[Finding]:
    """Look at the address: free, or answered by this service."""
    url = installation.url
    try:
        answer = installation.answer
    except NoAnswer as silence:
        yield fault(
            reason_of(silence),
            "Compare --url with the address of the service: http or https; SSL_CERT_FILE names the service's own"
            " authority",
        )
        return
    if answer is not None:
        if answer.is_mabligop:
            yield well(f"the service answers at {url}")
        else:
            yield fault(
                f"another program answers at {url}",
                "Stop the program, or choose another port with --port and --url",
            )
        return
    if installation.named:
        yield fault(f"nothing answers at {url}", "Start the service, or name its address with --url")
    elif installation.served:
        yield warning(
            f"a service uses the data folder, but nothing answers at {url}", "Name its address with --url"
        )
    else:
        parts = urlsplit(url)
        try:
            free_address(parts.hostname or "", parts.port or 80)
        except AddressRefused as refusal:
            yield fault(str(refusal), "Choose another port with --port")
        else:
            yield well(f"no service runs, and {url} is free")


def examine_readiness(installation: Installation) -> Iterator[Finding]:
    """Ask the running service whether the service can write."""
    answer = installation.answer
    assert answer is not None  # noqa: S101 - see `needs`
    try:
        content = answer.ready.json()
    except ValueError:
        content = {}
    if answer.ready.is_success:
        warnings = content.get("warnings", []) if isinstance(content, dict) else []
        for sentence in warnings:
            yield warning(f"the service warns: {sentence}", "See the log of the service")
        if not warnings:
            yield well("the running service is ready: the service writes")
    else:
        reason = (content.get("reason") or content.get("detail")) if isinstance(content, dict) else None
        yield fault(
            f"the running service is not ready ({answer.ready.status_code}: {reason or 'no reason'})",
            "Mend the database, and see the log of the service",
        )


def examine_stream(installation: Installation) -> Iterator[Finding]:
    """Open the stream of a game with a token of the operator, through everything in front of the service."""
    token = installation.token
    if token is None:
        yield note("not tried: name a --token of a game (a new token of the demo would stay in force)")
        return
    path = f"{API}/games/{game_id(game_of(token))}"
    with client_of(installation.url, token, wait=SHORT_WAIT) as client:
        game = client.get(path)
        if not game.is_success:
            yield fault(
                f"the token opens no game at {installation.url} ({game.status_code})", "Name a token in force"
            )
            return
        program = code_hash("ledger", "replays", "api.rest")[:8]
        if program not in game.headers.get("ETag", "").strip('W/"').split("-"):
            yield warning("the running service is another version of the program", "Start the service again")
        try:
            with client.stream("GET", f"{path}/stream") as stream:
                first = next(stream.iter_bytes(), b"") if stream.is_success else b""
        except Failure:
            first = b""
    if first:
        yield well("a stream opens, and its first message comes at once")
    else:
        yield fault(
            f"a stream opens, but no message comes in {SHORT_WAIT:.0f} seconds",
            "Let the proxy in front pass streams on without buffering",
        )
