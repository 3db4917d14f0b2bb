"""The command `verify`: go through the journals of the database, and print what is not as the service wrote it."""

from __future__ import annotations

from pathlib import Path

import click

from api.command.database import all_games, database_in_use, ledger_on
from api.command.failures import Command, FindingsThere, NoGame
from api.command.options import home_option
from api.command.progress import progress
from api.command.signals import interruptible
from ledger.games.games import UnknownGame
from ledger.trust.verifying import verify as findings_of


@click.command(cls=Command)
@click.argument("games", metavar="[GAME]...", nargs=-1)
@click.option(
    "--decide",
    is_flag=True,
    help="Decide every action again, too, from what was recorded with it: its parameters, dice, cards, time.",
)
@home_option
def verify(games: tuple[str, ...], decide: bool, home: Path) -> None:
    """Verify the journals of all games, or of each GAME.

    Checked are the hash, the number and the order of every action; its events, accounts and everything else that
    is searched by; that its postings move what was there, corrections included; and that snapshots are what a
    fresh fold gives. With --decide also entries are found that were written anew with their hashes, unless the
    rules would have allowed them; and entries of an earlier version whose rules have changed since.

    The database is that of DATABASE_URL, or the one in the data folder. The service may go on, and nothing is
    written. Each finding is a line: the game, the action, what is wrong. The last line counts them.
    """
    found = actions = 0
    with interruptible(), database_in_use(home) as url, ledger_on(url) as ledger:
        wanted = games or all_games(ledger)
        with progress("Verifying games") as tell:
            for done, game in enumerate(wanted, start=1):
                try:
                    actions += ledger.store.head(game)
                    for finding in findings_of(ledger.games, game, decide=decide):
                        found += 1
                        click.echo(f"{finding}")
                except UnknownGame as fault:
                    raise NoGame(f"There is no game {fault} in the database") from fault
                tell(done, len(wanted))
    verified = f"{_count(len(wanted), 'game')} and {_count(actions, 'action')}"
    if found:
        raise FindingsThere(f"Verified {verified}: {_count(found, 'finding')}")
    click.echo(f"Verified {verified}: no findings.")


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
