"""The program `mabligop`, with commands imported on demand."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

import click

from api.command.terminal.failures import EXIT_CODES


class Described(NamedTuple):
    """The location of a command ("module:name"), and its sentence in the list of commands."""

    target: str
    sentence: str


COMMANDS = {
    "backup": Described(
        "api.command.backup:backup", "Write a backup of the database to a FILE, or to standard output (-)."
    ),
    "demo": Described(
        "api.command.demo:demo", "Print the games of the demo, which a running service lays when it starts."
    ),
    "dice": Described("api.command.dice:dice", "Take part in the shared throws of a GAME, until it ends."),
    "doctor": Described(
        "api.command.doctor.command:doctor", "Examine an installation: is all well, and if not, what to do?"
    ),
    "edition": Described("api.command.edition.command:edition", "Write, check and send a board of your own."),
    "export": Described("api.command.export:export", "Write a GAME, or --all games, to a file."),
    "games": Described(
        "api.command.games:games", "List the games of a database; end or archive a game, and close tokens."
    ),
    "import": Described("api.command.import_:import_", "Import a game from the FILE of its journal."),
    "keys": Described("api.command.keys:keys", "Make, list and rotate the keys of the service."),
    "migrate": Described(
        "api.command.migrate:migrate", "Bring the tables of the database to this version's shape."
    ),
    "play": Described(
        "api.command.play:play", "Play a recorded game, or continue another game from one of its actions."
    ),
    "prove": Described(
        "api.command.prove:prove",
        "Write the receipt of action NUMBER of a GAME, or a proof that a journal only grew.",
    ),
    "replay": Described("api.command.replay.command:replay", "Replay a GAME, action by action."),
    "restore": Described("api.command.restore:restore", "Restore a backup from a FILE into an empty database."),
    "rules": Described("api.command.rules:rules", "List the rules of a RULEBOOK, or the rulebooks."),
    "serve": Described("api.command.serve:serve", "Serve games over HTTP until a signal (Ctrl-C) ends it."),
    "simulate": Described("api.command.simulate:simulate", "Let bots play games of a RULEBOOK."),
    "statistics": Described("api.command.statistics:statistics", "Print totals over many games."),
    "upgrade": Described(
        "api.command.upgrade:upgrade", "Move the data folder to the latest Postgres that is installed."
    ),
    "verify": Described(
        "api.command.verify:verify", "Verify files without any service, or the journals of a database."
    ),
}
"""Every command by name."""


class Commands(click.Group):
    """The group of all commands. The sentences are stored here, so `--help` imports no command.

    Importing the commands' modules (the database, the HTTP server, the screens) takes two seconds of a
    processor.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted({*COMMANDS, *self.commands})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command by name; None for an unknown name."""
        if cmd_name in self.commands or cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        module, _, name = COMMANDS[cmd_name].target.partition(":")
        command = getattr(import_module(module), name)
        if not isinstance(command, click.Command):
            raise TypeError(f"{COMMANDS[cmd_name].target} is not a command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands into the help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name].sentence) for name in sorted(COMMANDS)])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EXIT_CODES)
@click.version_option(package_name="mabligop", message="%(prog)s %(version)s")
def main() -> None:
    """The bank's ledger for board games of money and negotiation."""
