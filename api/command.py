"""The command `mabligop`: serve games, migrate a database, play a recorded game, look into the rules."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NoReturn

import click
import httpx

from api import demo, rule_mentions, server
from ledger import rulebooks
from ledger.kernel.register import Register, Rule
from ledger.store.connection import driver_parameters
from ledger.store.embedded import EmbeddedPostgres, HomeBusy, PostgresUnavailable
from ledger.store.errors import StoreError
from ledger.store.migration import migrate as apply_migrations
from replays import recorded

_SLOW_SECONDS = 1.0
"""What takes longer says so."""
_READY_SECONDS = 60.0
_EMBEDDED_CONNECTIONS = 90
"""What the embedded server lends to all workers together; it accepts a hundred, and some stay for other uses."""


class Failure(click.ClickException):
    """An expected failure: a sentence on standard error, and an exit code of its own."""

    exit_code = 1


class BadInput(Failure):
    """A file or an argument that makes no sense."""

    exit_code = 2


class HomeInUse(Failure):
    """The home is served by another process."""

    exit_code = 3


class AddressInUse(Failure):
    """The address cannot be listened on."""

    exit_code = 4


class NoDatabase(Failure):
    """There is no database to work with."""

    exit_code = 5


class NoAnswer(Failure):
    """The service does not answer."""

    exit_code = 6


class CameOutDifferently(Failure):
    """A recorded game did not come out as its file says."""

    exit_code = 7


EXIT_CODES = """\b
Exit codes:
  0  done (serve: stopped by a signal)
  1  an unexpected failure
  2  wrong usage, or a file that makes no sense
  3  the home is already served by another process
  4  the address or port cannot be listened on
  5  the database cannot be started, reached or migrated
  6  the service does not answer, or not as it should
  7  a recorded game came out differently
"""


class _Command(click.Command):
    """A command whose help ends with the exit codes, and which turns expected failures into them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"epilog": EXIT_CODES} | kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except HomeBusy as fault:
            raise HomeInUse(_sentence(fault)) from fault
        except server.AddressRefused as fault:
            raise AddressInUse(_sentence(fault)) from fault
        except (PostgresUnavailable, StoreError) as fault:
            raise NoDatabase(_sentence(fault)) from fault
        except (recorded.Unreadable, rule_mentions.NoTests) as fault:
            raise BadInput(_sentence(fault)) from fault
        except recorded.Difference as fault:
            raise CameOutDifferently(str(fault)) from fault


class _Group(click.Group):
    command_class = _Command


def _sentence(fault: Exception) -> str:
    said = str(fault)
    return said[:1].upper() + said[1:]


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EXIT_CODES)
@click.version_option(package_name="mabligop", message="%(prog)s %(version)s")
def main() -> None:
    """The bank's ledger for board games of money and negotiation."""


def _default_home() -> Path:
    """A folder of the user's own, the same wherever the command is called from."""
    if sys.platform == "darwin":
        return Path("~/Library/Application Support/mabligop").expanduser()
    return Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser() / "mabligop"


_home_option = click.option(
    "--home",
    type=click.Path(path_type=Path, file_okay=False),
    envvar="MABLIGOP_HOME",
    default=_default_home,
    show_default="the user's data folder",
    show_envvar=True,
    help="The data folder, with a Postgres of its own. Not used when DATABASE_URL names a database.",
)


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
@_home_option
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
    with _database(home) as (url, own):
        _migrate(url)
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


@contextmanager
def _database(home: Path) -> Iterator[tuple[str, bool]]:
    """The URL of the database to use, and whether it is the embedded one, which lives as long as the block."""
    configured = os.environ.get("DATABASE_URL")
    if configured:
        try:
            driver_parameters(configured)
        except ValueError as fault:
            raise BadInput(f"DATABASE_URL: {fault}") from fault
        yield configured, False
        return
    embedded = EmbeddedPostgres(home)
    with _patience(f"Starting Postgres in {home} (the first time this takes a few seconds) …"):
        url = embedded.start()
    try:
        yield url, True
    finally:
        embedded.stop()


def _migrate(url: str) -> list[str]:
    return apply_migrations(url, progress=lambda step: click.echo(_capital(step), err=True))


def _capital(step: str) -> str:
    return step[:1].upper() + step[1:]


@contextmanager
def _patience(text: str) -> Iterator[None]:
    """Say what is going on when the block takes longer than a second."""
    timer = threading.Timer(_SLOW_SECONDS, click.echo, [text], {"err": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


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
            with _progress("Playing the demo game") as progress:
                opened = demo.play_once(game, client, progress)
        except (recorded.Unreadable, recorded.Difference, httpx.HTTPError) as fault:
            click.echo(f"The demo game was not played: {fault}", err=True)
            return
        click.echo("\nThe demo game, already played:")
        _show_game(base, opened.game, opened.tokens)


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


def _show_game(base: str, game: str, tokens: dict[str, Any]) -> None:
    click.echo(f"  game       {game}")
    named = {"banker": tokens["banker"], **tokens["players"], "spectator": tokens["spectator"]}
    for who, token in named.items():
        click.echo(f"  {who:<10} {token}")
    authorization = shlex.quote(f"Authorization: Bearer {tokens['banker']}")
    address = shlex.quote(f"{base}{recorded.API}/games/{game}/state")
    click.echo(f"\n  curl -H {authorization} {address}")


# migrate


@main.command()
@_home_option
def migrate(home: Path) -> None:
    """Bring the tables of the database to this version's shape.

    The database is that of DATABASE_URL, or the one in the data folder. `mabligop serve` does this by itself when
    it starts; use this command when the service's database user may not change tables.
    """
    try:
        with _database(home) as (url, _), _patience("Migrating …"):
            applied = _migrate(url)
    except HomeBusy as fault:
        raise HomeInUse(
            f"{_sentence(fault)}.\nThere is nothing to do: `mabligop serve` migrates when it starts."
        ) from fault
    if not applied:
        click.echo("The database is up to date.")
    for revision in applied:
        click.echo(f"Applied {revision}")


# play


@main.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--url", default="http://127.0.0.1:8000", show_default=True, help="The service to play on, without a path."
)
@click.option(
    "--key", help="Play this file once under this name: asked again, the same game is found, or continued."
)
@click.option(
    "--creation-key",
    envvar="MABLIGOP_CREATION_KEY",
    show_envvar=True,
    help="The service's own key, when it asks for one to create games.",
)
def play(file: Path, url: str, key: str | None, creation_key: str | None) -> None:
    """Play a recorded game through the API of a running service.

    FILE is a JSON Lines file. The game is created and played action by action; what must be refused has to be
    refused, and what is checked has to be so. The first line that comes out otherwise ends it with exit code 7,
    telling what was expected and what came.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as fault:
        raise BadInput(f"{file} cannot be read: {fault}") from fault
    try:
        recording = recorded.read(lines)
    except recorded.Unreadable as fault:
        raise BadInput(f"{file}, {fault}") from fault
    headers = {"Authorization": f"Bearer {creation_key}"} if creation_key else {}
    try:
        with httpx.Client(base_url=url, headers=headers, timeout=30) as client:
            opened = recorded.open_game(recording, client, key=key)
            _show_game(url.rstrip("/"), opened.game, opened.tokens)
            with _progress("Playing") as progress:
                played = recorded.play_on(recording, opened, client, key=key, progress=progress)
    except recorded.Difference as fault:
        raise CameOutDifferently(f"{file}, {fault}") from fault
    except (httpx.HTTPError, httpx.InvalidURL) as fault:
        raise NoAnswer(f"No good answer from {url}: {fault}") from fault
    except (ValueError, LookupError, TypeError) as fault:
        raise NoAnswer(f"What answers at {url} is not this service") from fault
    click.echo(f"\nPlayed as recorded: {played.actions} actions, {played.refusals} refusals.")


@contextmanager
def _progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """Show how far something is once it takes longer than a second: a bar in a terminal, else a line at times."""
    begun = time.monotonic()
    shown = begun
    bar: Any = None

    def tell(done: int, total: int) -> None:
        nonlocal bar, shown
        now = time.monotonic()
        if now - begun < _SLOW_SECONDS:
            return
        if sys.stderr.isatty():
            if bar is None:
                bar = click.progressbar(length=total, label=label, file=sys.stderr).__enter__()
            bar.update(done - bar.pos)
        elif done == total or now - shown >= _SLOW_SECONDS:
            shown = now
            click.echo(f"{label}: {done} of {total}", err=True)

    try:
        yield tell
    finally:
        if bar is not None:
            bar.__exit__(None, None, None)


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
    for stranger in sorted(named - {rule.id for rule in register.rules()}):
        click.echo(f"The tests name a rule that {rulebook} does not have: {stranger}", err=True)
    return [rule for rule in register.rules() if rule.id not in named]
