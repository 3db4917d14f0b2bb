"""The command `import`: import a game into the database from a journal file."""

from __future__ import annotations

from pathlib import Path

import click

from api.command.running.ledgers import ledger_in
from api.command.running.signals import interruptible
from api.command.terminal.counts import count
from api.command.terminal.failures import BadInput, Command, FindingsThere, GameThere, capital
from api.command.terminal.options import home_option
from api.command.terminal.progress import patience
from api.command.terminal.tokens import show_tokens
from ledger.games.games import GameExists, UnknownRulebook
from ledger.moving.importing import BadJournal, DecidedOtherwise
from ledger.trust.findings import older_rules
from replays.journal_file import BadJournalFile, JournalFile


@click.command("import", cls=Command)
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--as-recorded",
    is_flag=True,
    help="Import it even if actions come out otherwise when they are decided again, and list them.",
)
@home_option
def import_(file: Path, as_recorded: bool, home: Path) -> None:
    """Import a game from the FILE of its journal.

    `mabligop export --format jsonl` writes such files. The game keeps its id and its journal byte for byte, and so
    its states and receipts. It gets new tokens, which are printed. The whole file is checked first, and every
    action is decided again from what was recorded with it. Then all of it is imported, or nothing, into the
    database of DATABASE_URL or the one in the data folder. A game whose id is in the database already is refused.

    An action decided under older rules, which were mended for it since, is imported as recorded, and counted. Any
    other that comes out otherwise was forged, or decided by a version from before rules had revisions: the journal
    does not tell which. Such a file is refused, except with --as-recorded. Even so
    the opening must be one that the rules allow (an own board is fit to play), and the game one that can be read.
    """
    with interruptible():
        try:
            journal = JournalFile(file)
            with (
                ledger_in(home, migrated=True) as ledger,
                patience("Importing …"),
            ):
                imported = ledger.importing.import_game(
                    journal.header.exported_game, journal.entries, as_recorded=as_recorded
                )
        except GameExists as fault:
            raise GameThere(f"{capital(str(fault))}; nothing was imported") from fault
        except UnknownRulebook as fault:
            raise BadInput(f"{file}: {fault}; nothing was imported") from fault
        except DecidedOtherwise as fault:
            raise FindingsThere(
                f"{file}, {fault}.\nActions that come out otherwise: {len(fault.differences)}. They were forged,"
                " or decided by an earlier version whose rules have changed since; nothing was imported."
                " To import the game as it was recorded, add --as-recorded"
            ) from fault
        except (BadJournalFile, BadJournal) as fault:
            raise BadInput(f"{file}, {fault}; nothing was imported") from fault
        except OSError as fault:
            raise BadInput(f"{file} cannot be read: {fault.strerror}") from fault
    for difference in imported.differences:
        click.echo(f"action {difference.number}: {difference.what}", err=True)
    if imported.differences:
        click.echo(
            f"Imported as recorded, though decided again they differ: {len(imported.differences)}", err=True
        )
    exempt = older_rules(imported.exempt)
    sizes = f"{count(imported.actions, 'action')}, {count(imported.events, 'event')}"
    click.echo(f"Imported {journal.header.title}: {sizes}{exempt}.")
    tokens = imported.tokens
    show_tokens(imported.game, {"banker": tokens.banker, "players": tokens.players, "spectator": tokens.spectator})
