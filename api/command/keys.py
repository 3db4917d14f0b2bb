"""The commands `keys new`, `keys list` and `keys rotate`: the keys that sign logs, and the creation key."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from api.command.terminal.failures import EXIT_CODES, BadInput, Command, NoDatabase
from api.command.terminal.options import home_option

if TYPE_CHECKING:
    from ledger.trust.keys import Keys

_TIME = "%Y-%m-%d %H:%M UTC"


@click.group(epilog=EXIT_CODES)
def keys() -> None:
    """Make, list and rotate the keys of the service.

    The file signing-keys of the data folder, or the file of MABLIGOP_SIGNING_KEYS, has the keys that sign the logs
    of the games. No command prints a private key of this file.
    """


@keys.command(cls=Command)
@click.option("--creation", is_flag=True, help="Print a random key for MABLIGOP_CREATION_KEY instead.")
@home_option
def new(creation: bool, home: Path) -> None:
    """Make the first key that signs logs, before the service starts.

    The service makes one by itself when it starts without a key. With --creation a random key is printed that
    callers need to create games, and nothing is written.
    """
    if creation:
        import secrets

        click.echo(secrets.token_urlsafe(32))
        click.echo(
            "Set it as MABLIGOP_CREATION_KEY, and start the service again. Whoever creates games sends it as"
            " bearer token. To replace an old key, set NEW,OLD for a while: the service takes both.",
            err=True,
        )
        return
    from api.command.running.database import keys_file
    from ledger.trust.keys import BadKeys, Keys

    path = keys_file(home)
    if path.exists():
        raise BadInput(f"{path} has keys already: mabligop keys rotate puts a new one in use")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        ring = Keys.ensure(path)
    except (BadKeys, OSError) as fault:
        raise BadInput(str(fault)) from fault
    click.echo(f"Wrote {path}. The service signs with the key {ring.signing[0]}")


@keys.command("list", cls=Command)
@home_option
def list_keys(home: Path) -> None:
    """List the public parts of the keys that sign logs, and since when each one signs.

    Other names under which the games of the database were signed are listed, too: a service without its earlier
    keys has a new name.
    """
    from api.command.running.database import database_in_use, keys_file
    from api.command.running.ledgers import ledger_on
    from api.command.terminal.counts import count

    path = keys_file(home)
    ring = _read(path)
    try:
        with database_in_use(home) as url, ledger_on(url, home) as ledger:
            services = ledger.store.logs.services()
    except NoDatabase:
        services = []
    began = {service.name: service.since.strftime(_TIME) for service in services}
    click.echo(f"Keys of {ring.service} in {path}:")
    for key in ring.public:
        use = ("signs now" if key == ring.signing[0] else "signs too") if key in ring.signing else "signed before"
        since = next((pair.at.strftime(_TIME) for pair in ring.successions if pair.new == key), None)
        click.echo(f"  {use:<13}  since {since or began.get(ring.service, 'the beginning')}  {key}")
    for service in services:
        if service.name != ring.service:
            click.echo(
                f"Without a key here: {service.name}, which signed {count(service.games, 'game')}"
                f" from {service.since.strftime(_TIME)} to {service.upto.strftime(_TIME)}"
            )


@keys.command(cls=Command)
@home_option
def rotate(home: Path) -> None:
    """Put a new key in use, endorsed by the key in use until now.

    A running service, with all its workers and machines that share the file, signs with the new key at once. The
    key in use until now signs, too, until the next rotation: nobody who holds it notices a change. After that, its
    endorsement leads its holders to the new key. Old checkpoints and receipts stay valid.

    A stolen key endorses nothing: move the file away instead, and let the service start with a new name. Whoever
    holds the old key is warned then.
    """
    from datetime import UTC, datetime

    from api.command.running.database import keys_file
    from ledger.trust.keys import BadKeys, Keys

    path = keys_file(home)
    _read(path)
    try:
        ring = Keys.rotate(path, datetime.now(UTC))
    except BadKeys as fault:
        raise BadInput(str(fault)) from fault
    click.echo(f"{ring.signing[0]} signs from now on, endorsed by {ring.signing[1]}, which signs, too.")
    click.echo("Earlier backups do not have the new key: make a backup.", err=True)


def _read(path: Path) -> Keys:
    """Read the keys in a file. Raises BadInput."""
    from ledger.trust.keys import BadKeys, Keys

    if not path.exists():
        raise BadInput(f"There are no keys in {path}: mabligop keys new makes one, and so does mabligop serve")
    try:
        return Keys.read(path)
    except BadKeys as fault:
        raise BadInput(str(fault)) from fault
