"""The command `mabligop`: serving, migrating, the rules; more commands are put in."""

from __future__ import annotations

import os
import signal
import threading
import time
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NoReturn

import click
import httpx

from api import server
from api.command import demo, game_files, rule_mentions
from api.command import play as playing
from api.command import replay as replaying
from api.command import simulate as simulating
from api.command import statistics as many_games
from api.command.terminal import (
    EXIT_CODES,
    BadInput,
    Group,
    HomeInUse,
    database,
    home_option,
    migrate_database,
    patience,
    progress,
    sentence,
)
from ledger import rulebooks
from ledger.kernel.register import Register, Rule
from ledger.store.postgres.embedded import HomeBusy
from replays import recorded

_READY_SECONDS = 60.0
_EMBEDDED_CONNECTIONS = 90
"""What the embedded server lends to all workers together; it accepts a hundred, and some stay for other uses."""


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EXIT_CODES)
@click.version_option(package_name="mabligop", message="%(prog)s %(version)s")
def main() -> None:
    """The bank's ledger for board games of money and negotiation."""


main.add_command(game_files.export)
main.add_command(game_files.import_file)
main.add_command(playing.play)
main.add_command(replaying.replay)
main.add_command(simulating.simulate)
main.add_command(many_games.statistics)


# serve


@main.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="The port to listen on; 0 chooses a free one.",
)
@home_option
@click.option(
    "--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="How many processes serve."
)
@click.option("--no-demo", is_flag=True, help="Do not play the recorded game that comes with the service.")
def serve(host: str, port: int, home: Path, workers: int, no_demo: bool) -> None:
    """Serve games over HTTP until a signal (Ctrl-C) ends it.

    Without DATABASE_URL a Postgres of its own is started in the data folder and stopped at the end. The database
    is migrated. A recorded game is played once, as a demo to look at; its address and tokens are printed.

    \b
    Environment:
      DATABASE_URL            a Postgres database of yours, postgresql://…
      MABLIGOP_HOME           the data folder
      MABLIGOP_CREATION_KEY   asked of whoever creates a game (default: anybody may)
      MABLIGOP_CORS_ORIGINS   origins whose pages may call, separated by commas
      MABLIGOP_CONNECTIONS    database connections per worker (default: 20)
      MABLIGOP_POSTGRES_BIN   the folder of the Postgres programs to use
    """
    try:
        server.connections()
        server.requests_per_minute()
    except ValueError as fault:
        raise BadInput(str(fault)) from fault
    signal.signal(signal.SIGTERM, _leave)
    with database(home) as (url, own):
        migrate_database(url)
        address, chosen = server.free_address(host, port)
        os.environ["DATABASE_URL"] = url
        if own:
            os.environ.setdefault(
                "MABLIGOP_CONNECTIONS", str(max(1, min(server.CONNECTIONS, _EMBEDDED_CONNECTIONS // workers)))
            )
        base = _base_url(address, chosen)
        game = None if no_demo else demo.packaged()
        welcoming = threading.Thread(target=welcome, args=(base, game), name="welcome", daemon=True)
        server.serve(address, chosen, workers, welcoming.start)
        click.echo("Stopping …", err=True)


def _leave(number: int, frame: object) -> NoReturn:
    raise SystemExit(128 + number)


def _base_url(address: str, port: int) -> str:
    reached = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address, address)  # noqa: S104 - what to call, not to bind
    return f"http://[{reached}]:{port}" if ":" in reached else f"http://{reached}:{port}"


def welcome(base: str, game: Traversable | None) -> None:
    """Once the service at `base` answers, say where it is, and play or find the demo game, and its tokens.

    What goes wrong with the demo is said and no more: the service serves all the same.
    """
    with httpx.Client(base_url=base, timeout=30, trust_env=False) as client:
        if not _answers(client):
            click.echo(f"{base} does not answer; the log above may say why", err=True)
            return
        click.echo(f"Mabligop serves at {base} (documentation: {base}/docs). Ctrl-C ends it.")
        if game is None:
            return
        if key := os.environ.get("MABLIGOP_CREATION_KEY"):
            client.headers["Authorization"] = f"Bearer {key}"
        try:
            with progress("Playing the demo game") as tell:
                opened = demo.play_once(game, client, tell)
        except (recorded.Unreadable, recorded.Difference, httpx.HTTPError) as fault:
            click.echo(f"The demo game was not played: {fault}", err=True)
            return
        click.echo("\nThe demo game, already played:")
        playing.show_game(base, opened.game, opened.tokens)


def _answers(client: httpx.Client) -> bool:
    deadline = time.monotonic() + _READY_SECONDS
    while time.monotonic() < deadline:
        try:
            if client.get("/readyz").is_success:
                return True
        except httpx.TransportError:
            pass  # not listening yet
        time.sleep(0.05)
    return False


# migrate


@main.command()
@home_option
def migrate(home: Path) -> None:
    """Bring the tables of the database to this version's shape.

    The database is that of DATABASE_URL, or the one in the data folder. `mabligop serve` does this by itself when
    it starts; use this command when the service's database user may not change tables.
    """
    try:
        with database(home) as (url, _), patience("Migrating …"):
            applied = migrate_database(url)
    except HomeBusy as fault:
        raise HomeInUse(
            f"{sentence(fault)}.\nThere is nothing to do: `mabligop serve` migrates when it starts."
        ) from fault
    if not applied:
        click.echo("The database is up to date.")
    for revision in applied:
        click.echo(f"Applied {revision}")


# rules


@main.command()
@click.argument("rulebook", required=False)
@click.option("--uncovered", is_flag=True, help="Only the rules that no test names with @pytest.mark.rule(…).")
@click.option(
    "--language",
    type=click.Choice(["en", "fr"]),
    default="en",
    show_default=True,
    help="The language of the titles.",
)
@click.option(
    "--tests",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    show_default="those of the checkout",
    help="The folder of tests to read for --uncovered.",
)
def rules(rulebook: str | None, uncovered: bool, language: str, tests: Path | None) -> None:
    """List the numbered rules of a RULEBOOK, or the rulebooks there are.

    With --uncovered the files of the checkout's tests are read, not run, for the rules that their markers name.
    """
    known = rulebooks.known()
    if uncovered:
        folder = tests or rule_mentions.tests_folder()
    if rulebook is None:
        for name, book in known.items():
            line = f"{name:<20} {book.title:<20} {len(book.register):>4} rules"
            if uncovered:
                line += f", {len(_uncovered(book.register, folder, name, known)):>4} uncovered"
            click.echo(line)
        return
    if rulebook not in known:
        raise click.BadParameter(
            f"there is no rulebook {rulebook!r}; there are: {', '.join(known)}", param_hint="RULEBOOK"
        )
    register = known[rulebook].register
    chosen = _uncovered(register, folder, rulebook, known) if uncovered else list(register.rules())
    width = max((len(rule.id) for rule in chosen), default=0)
    for rule in chosen:
        translated = register.get(rule.id, language)
        click.echo(f"{rule.id:<{width}}  {(translated or rule).title}")
    click.echo(
        f"{len(chosen)} of {len(register)} rules are named by no test" if uncovered else f"{len(register)} rules",
        err=True,
    )


def _uncovered(register: Register, tests: Path, rulebook: str, known: dict[str, Any]) -> list[Rule]:
    named = rule_mentions.named_rules(tests, rulebook, known)
    # Tests outside the games' own folders may name the rules of any game.
    numbered = {rule.id for book in known.values() for rule in book.register.rules()}
    for stranger in sorted(named - numbered):
        click.echo(f"The tests name a rule that {rulebook} does not have: {stranger}", err=True)
    return [rule for rule in register.rules() if rule.id not in named]
