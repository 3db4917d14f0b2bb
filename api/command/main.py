"""The program `mabligop`: its commands, put together."""

from __future__ import annotations

import click

from api.command.export import export
from api.command.failures import EXIT_CODES
from api.command.import_ import import_
from api.command.migrate import migrate
from api.command.play import play
from api.command.replay.command import replay
from api.command.rules import rules
from api.command.serve import serve
from api.command.simulate import simulate
from api.command.statistics import statistics


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, epilog=EXIT_CODES)
@click.version_option(package_name="mabligop", message="%(prog)s %(version)s")
def main() -> None:
    """The bank's ledger for board games of money and negotiation."""


for command in (serve, migrate, play, replay, simulate, export, import_, statistics, rules):
    main.add_command(command)
