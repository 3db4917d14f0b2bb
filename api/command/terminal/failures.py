"""The failures of commands: a sentence on standard error, and an exit code for each kind of failure."""

from __future__ import annotations

from typing import Any

import click


class Failure(click.ClickException):
    """An expected failure: a sentence on standard error, and a distinct exit code."""

    exit_code = 1

    def format_message(self) -> str:
        """Return the sentence without control characters: a sentence may quote a file of anybody."""
        # Imported late, because the help of a command needs no such module.
        from ledger.kernel.facts.texts import legible

        return legible(self.message)


class BadInput(Failure):
    """A wrong file or argument."""

    exit_code = 2


class HomeInUse(Failure):
    """Another process serves the data folder."""

    exit_code = 3


class AddressInUse(Failure):
    """The service cannot listen on the address."""

    exit_code = 4


class NoDatabase(Failure):
    """No usable database."""

    exit_code = 5


class NoAnswer(Failure):
    """The service does not answer."""

    exit_code = 6


class CameOutDifferently(Failure):
    """A recorded game came out differently from its file."""

    exit_code = 7


class NoGame(Failure):
    """The game does not exist, or the token does not open the game."""

    exit_code = 8


class GameThere(Failure):
    """A game with this id exists already, or a backup is restored into a database with games."""

    exit_code = 9


class FindingsThere(Failure):
    """Journals differ from the journals written by the service."""

    exit_code = 10


EXIT_CODES = """\b
Exit codes:
  0  done (serve: stopped by a signal)
  1  an unexpected failure (edition: the edition is not fit to play)
  2  wrong usage, or a file that makes no sense
  3  another process serves the data folder
  4  the service cannot listen on the address or port
  5  the database cannot be started, reached or migrated
  6  the service does not answer, or not as it should
  7  a recorded game came out differently
  8  there is no such game, or the token does not open it
  9  there is a game of this id already, or any game where a backup is restored
  10 journals are not as the service wrote them
  11 doctor: something is to be mended soon
  12 doctor: something is to be mended at once
"""


class Command(click.Command):
    """A command that lists the exit codes in its help and turns expected exceptions into failures."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"epilog": EXIT_CODES} | kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. Raises a Failure for every expected exception."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as fault:
            failure = _failure_of(fault)
            if failure is None:
                raise
            raise failure from fault


def _failure_of(fault: Exception) -> Failure | None:
    """Return the failure for an expected exception, or None."""
    # Imported late, because the help of a command needs none of these modules.
    from api.command.terminal.tested_rules import TestsUnreadable
    from api.supervisor import AddressRefused
    from ledger.store.database.errors import JournalDamaged, JournalNotAsSigned, StoreError
    from ledger.store.postgres.embedded import HomeBusy, PostgresUnavailable
    from replays.recorded import UnexpectedResult
    from replays.recordings import BadRecording

    match fault:
        case HomeBusy():
            return HomeInUse(capital(str(fault)))
        case AddressRefused():
            return AddressInUse(capital(str(fault)))
        case JournalDamaged() | JournalNotAsSigned():
            return FindingsThere(capital(str(fault)))
        case PostgresUnavailable() | StoreError():
            return NoDatabase(capital(str(fault)))
        case BadRecording() | TestsUnreadable():
            return BadInput(capital(str(fault)))
        case UnexpectedResult():
            return CameOutDifferently(str(fault))
        case _:
            return None


def capital(text: str) -> str:
    """Return the text with a capital letter at the beginning."""
    return text[:1].upper() + text[1:]
