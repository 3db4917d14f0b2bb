"""The command `upgrade`: move the data of the data folder to a later version of Postgres."""

from __future__ import annotations

import os
from importlib.metadata import version
from pathlib import Path

import click

from api.command.backup import contents
from api.command.restore import blaming, findings_in, listed
from api.command.running.database import require_data
from api.command.running.ledgers import END_THE_SERVICE
from api.command.running.signals import interruptible
from api.command.terminal.failures import BadInput, Command, HomeInUse, capital
from api.command.terminal.options import home_option
from api.command.terminal.progress import progress
from ledger.store.backups import upgrading
from ledger.store.postgres.embedded import HomeBusy, version_of_data


@click.command(cls=Command)
@click.option("--despite-findings", is_flag=True, help="Move the data even if journals are damaged.")
@home_option
def upgrade(despite_findings: bool, home: Path) -> None:
    """Move the data folder to the latest Postgres that is installed.

    Until then its own version is used, as long as that is installed too. The tables are copied into new data, and
    their journals are verified. Then the new data takes the place of the old, which is kept beside it. After a
    failure or a kill everything is as before. No service may run meanwhile.
    """
    if os.environ.get("DATABASE_URL"):
        raise BadInput(
            "DATABASE_URL names a database of yours, which only your server's own tools upgrade. "
            "Or back it up, and restore the backup into an empty database of the later server"
        )
    require_data(home)
    try:
        with interruptible(), blaming("nothing was changed"), progress("Moving (bytes)") as tell:
            done = upgrading.upgrade(
                home, findings_in, made_by=version("mabligop"), despite_findings=despite_findings, progress=tell
            )
    except HomeBusy as fault:
        raise HomeInUse(f"{capital(str(fault))}.\n{END_THE_SERVICE}") from fault
    if done is None:
        click.echo(f"The data is of Postgres {version_of_data(home)}. No later version is installed.")
        return
    if done.findings:
        click.echo(listed(done.findings), err=True)
    click.echo(
        f"Moved {contents(done.contents)} from Postgres {done.old} to {done.new}. "
        f"Findings in the journals: {len(done.findings)}.\n"
        f"The old data is kept in {done.old_data}: remove it when everything is well."
    )
