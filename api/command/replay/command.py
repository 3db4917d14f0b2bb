"""The command `replay`: show a game again, action by action."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import click

from api.command.replay.sources import Source, source_of
from api.command.replay.wording import PACES, Wording
from api.command.running.signals import interruptible
from api.command.terminal.failures import BadInput, Command
from api.command.terminal.options import home_option, language_option, token_option, url_option


@click.command(cls=Command)
@click.argument("game")
@click.option("--from", "first", type=click.IntRange(1), default=1, show_default=True, help="The first action.")
@click.option("--to", "last", type=click.IntRange(1), help="The last action.  [default: the newest]")
@click.option("--follow", metavar="SEAT", help="Show only actions about this seat.")
@click.option(
    "--run",
    "speed",
    type=click.FloatRange(*PACES),
    help="Run automatically, at this many actions per second.",
)
@click.option("--details", is_flag=True, help="With lines: also postings, holdings and changes.")
@click.option("--lines", is_flag=True, help="Write lines of text in a terminal, too.")
@language_option
@token_option
@url_option
@home_option
def replay(
    game: str,
    first: int,
    last: int | None,
    follow: str | None,
    speed: float | None,
    details: bool,
    lines: bool,
    language: str,
    token: str | None,
    url: str,
    home: Path,
) -> None:
    """Replay a GAME, action by action.

    Each action is shown as it was recorded and as corrections left it. In a terminal the screen shows one action
    at a time. Where a correction made a difference, the two versions stand side by side.

    \b
    Keys:
      → ←       the next action, the one before
      space     run automatically, stop
      + -       faster, slower
      57 Enter  go to action 57 (or to 60.1)
      f         follow one player after the other, then nobody
      ↑ ↓       scroll
      q         quit

    A file or another program gets lines of text. An action that was recorded but no longer counts is marked -, and
    what counts instead is marked +.

    With a token, a running service gives what the token's holder may see. Without a token, the whole game is read
    from the database of DATABASE_URL, or from the one in the data folder.
    """
    with interruptible(), source_of(game, language, token, url, home) as source:
        last = source.version if last is None else min(last, source.version)
        if first > source.version:
            raise BadInput(f"There is no action {first}: the game has {source.version}")
        if first > last:
            raise BadInput(f"--to {last} is before --from {first}")
        if follow is not None and follow not in source.seats:
            raise BadInput(f"There is no seat {follow!r} in this game; its seats are: {', '.join(source.seats)}")
        wording = Wording(language, source.seats)
        if not lines and sys.stdin.isatty() and sys.stdout.isatty():
            _look(source, first, last, wording, speed, follow)
            return
        for frame in source.frames(first, last, follow):
            for line in wording.plain(frame, details=details):
                click.echo(line)
            if speed is not None:
                time.sleep(1 / speed)


def _look(
    source: Source, first: int, last: int, wording: Wording, speed: float | None, follow: str | None
) -> None:
    """Show the replay on the terminal's screen."""
    # Imported late, for a faster start of further commands, and because they need no terminal screen.
    from api.command.replay.cached_frames import CachedFrames
    from api.command.replay.screen import Screen
    from api.command.replay.show import show

    cached = CachedFrames(source, first, last)
    screen = Screen(source, cached, wording, speed=speed or 1.0, running=speed is not None, follow=follow)
    try:
        show(screen)
    except KeyboardInterrupt:
        return
