"""The command `prove`: get a receipt of an action, or a proof that a journal only grew."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from api.command.running.ledgers import ledger_in
from api.command.running.signals import interruptible
from api.command.terminal.client import client_of, failure_of, game_id
from api.command.terminal.failures import BadInput, Command, FindingsThere, NoGame
from api.command.terminal.options import home_option, token_option, url_option
from api.command.terminal.output_file import output_file
from api.command.verifying import (
    Consistent,
    UnverifiableFileError,
    checkpoint_in,
    require_consistent,
    trusted_keys,
)
from ledger.games.games import UnknownGame
from ledger.games.moments import NoSuchAction
from ledger.reading.entries.attested import attested
from ledger.trust.logs import NoSuchSize
from ledger.trust.notes import BadNote, Note
from ledger.trust.receipts import FIRST, Receipt
from replays.recorded import API


@click.command(cls=Command)
@click.argument("game", required=False)
@click.argument("number", type=click.IntRange(min=1), required=False)
@click.option(
    "--consistent",
    nargs=2,
    type=click.Path(path_type=Path, exists=True),
    metavar="OLD NEW",
    help="Instead of a GAME and a NUMBER: prove that the log of receipt NEW begins with that of OLD.",
)
@click.option("--key", "keys", multiple=True, help="The key of the log or its service, or a file with it.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, allow_dash=True), help="The file to write.")
@click.option("-f", "--force", is_flag=True, help="Replace a file that is there already.")
@token_option
@url_option
@home_option
def prove(
    game: str | None,
    number: int | None,
    consistent: tuple[Path, Path] | None,
    keys: Sequence[str],
    output: str | None,
    force: bool,
    token: str | None,
    url: str,
    home: Path,
) -> None:
    """Write the receipt of action NUMBER of a GAME, or a proof that a journal only grew.

    The receipt has the action as you may see it, its place in the game's log, and the signed head of the log.
    `mabligop verify` checks it, anywhere, without the service and without you. With a token, a running service
    gives it; without one it is read from the database, as the banker sees it.

    With --consistent, two receipts or checkpoints of one game are compared: nothing that the older one was signed
    over was changed since, removed, or put in another order.
    """
    with interruptible():
        if consistent is not None:
            if game is not None:
                raise click.UsageError("--consistent takes two files, and no GAME")
            _prove_growth(*consistent, keys, output, force=force, token=token, url=url, home=home)
            return
        if game is None or number is None:
            raise click.UsageError("name a GAME and the NUMBER of an action, or two files with --consistent")
        game_id(game)
        receipt = (
            _fetch_text(url, token, game, f"proofs/{number}") if token else _stored_receipt(home, game, number)
        )
        target = output or f"{game}-{number}.receipt"
        with output_file(target, replace=force) as file:
            file.write(receipt.encode())
        click.echo(f"Wrote {target}", err=True)


def _fetch_text(url: str, token: str, game: str, path: str, **query: int) -> str:
    """Return the text answered by a running service."""
    with client_of(url, token) as client:
        answer = client.get(f"{API}/games/{game}/{path}", params=query)
        if not answer.is_success:
            raise failure_of(answer)
        return answer.text


def _stored_receipt(home: Path, game: str, number: int) -> str:
    """Return the receipt from the database."""
    with ledger_in(home, migrated=False) as ledger:
        try:
            moment = ledger.moment(game)
            stored = ledger.store.journal.entry(game, number)
            if stored is None:
                raise NoSuchAction(number, moment.version)
            return str(ledger.logs.receipt(game, number, moment.version, attested(moment, number, stored)))
        except UnknownGame as fault:
            raise NoGame(f"There is no game {fault} in the database") from fault
        except NoSuchAction as fault:
            raise BadInput(f"There is no action {fault.name}; the last one is {fault.last}") from fault


def _prove_growth(
    old: Path,
    new: Path,
    keys: Sequence[str],
    output: str | None,
    *,
    force: bool,
    token: str | None,
    url: str,
    home: Path,
) -> None:
    """Get the proof that one file's log begins with another file's log, verify it, and write it."""
    if not keys:
        raise click.UsageError("--consistent needs the --key that came with your token")
    try:
        trusted = trusted_keys(keys)
        older, newer = (checkpoint_in(path, trusted) for path in (old, new))
        game = older.origin.rpartition("/")[2]
        if token is not None:
            query = {"from": older.size, "to": newer.size}
            answer = _fetch_text(url, token, game, "proofs/consistency", **query)
            hashes = msgspec.json.decode(answer, type=_Growth).hashes
        else:
            with ledger_in(home, migrated=False) as ledger:
                digests = ledger.logs.consistency(game, older.size, newer.size)
                hashes = tuple(base64.b64encode(digest).decode() for digest in digests)
        proof = Consistent(older=_note_in(old), newer=_note_in(new), hashes=hashes)
        claim, faults = require_consistent(proof, trusted)
    except (BadNote, UnverifiableFileError, ValueError) as fault:
        raise BadInput(str(fault)) from fault
    except NoSuchSize as fault:
        raise FindingsThere(f"The log is not the one of these checkpoints: {fault}") from fault
    if faults:
        raise FindingsThere(f"It is not so {claim}: {'; '.join(faults)}")
    target = output or f"{game}-{older.size}-{newer.size}.consistency"
    with output_file(target, replace=force) as file:
        file.write(msgspec.json.encode(proof) + b"\n")
    click.echo(f"Proved {claim}.")
    click.echo(f"Wrote {target}", err=True)


class _Growth(msgspec.Struct, frozen=True):
    hashes: tuple[str, ...]


def _note_in(path: Path) -> str:
    """Return the signed checkpoint in a file."""
    text = path.read_text()
    return str(Receipt.parse(text).checkpoint if text.startswith(FIRST) else Note.parse(text))
