"""The options shared by several commands."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click
from click.core import ParameterSource

from api.command.terminal.checkout import checkout_around

IN_CHECKOUT = ".mabligop"
"""The data folder in a checkout, also used by `make run`."""


def default_home() -> Path:
    """Return the data folder of the checkout around the current folder, or else the user's data folder."""
    checkout = checkout_around(Path.cwd())
    return user_home() if checkout is None else checkout / IN_CHECKOUT


def user_home() -> Path:
    """Return the data folder of the user, independent of the current folder."""
    if sys.platform == "darwin":
        return Path("~/Library/Application Support/mabligop").expanduser()
    return Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser() / "mabligop"


def _home(context: click.Context, _: click.Parameter, home: Path) -> Path:
    """Let the option --home win over DATABASE_URL, and tell which database is used.

    A service never starts on a new, empty database by such a mistake. Raises UsageError.
    """
    explicit = context.get_parameter_source("home") is ParameterSource.COMMANDLINE
    if explicit and os.environ.get("DATABASE_URL"):
        if context.command.name == "serve" and not (home / "postgres").exists():
            raise click.UsageError(
                f"--home names the database in {home}, where there is none, and DATABASE_URL names another one."
                " Leave out one of the two; MABLIGOP_HOME names a folder for the keys beside DATABASE_URL"
            )
        for name in ("DATABASE_URL", "MABLIGOP_OWNER_URL"):
            os.environ.pop(name, None)
        click.echo(f"Using the database in {home} (--home), and not the one of DATABASE_URL", err=True)
    return home


home_option = click.option(
    "--home",
    type=click.Path(path_type=Path, file_okay=False),
    envvar="MABLIGOP_HOME",
    default=default_home,
    show_default="in the checkout .mabligop, elsewhere the user's data folder",
    show_envvar=True,
    callback=_home,
    help="The data folder, with a Postgres of its own. This option wins over DATABASE_URL, which wins over"
    " MABLIGOP_HOME: then the folder only has the keys.",
)

token_option = click.option(
    "--token",
    envvar="MABLIGOP_TOKEN",
    show_envvar=True,
    help="Ask a running service, as this token's holder.",
)

url_option = click.option(
    "--url",
    envvar="MABLIGOP_URL",
    default="http://127.0.0.1:8000",
    show_default=True,
    show_envvar=True,
    help="The service to ask, without a path.",
)

language_option = click.option(
    "--language",
    type=click.Choice(["en", "fr"]),
    default="en",
    show_default=True,
    help="The language of the output.",
)

all_rows_option = click.option("--all", "everything", is_flag=True, help="Show every row of the tables.")

MOST_ROWS = 12
"""The number of rows of a long table shown without --all."""
