"""A replay on the screen of a terminal: step by step, running by itself, jumping, following a player."""

from __future__ import annotations

import os
import signal
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from rich import box
from rich.columns import Columns
from rich.console import Console, ConsoleOptions, RenderResult
from rich.live import Live
from rich.panel import Panel
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from api.command.keys import Keys
from api.command.replay_lines import PACES, Teller, printable
from ledger.kernel.history.timeline import Place
from replays.frames import Frame, Side

_STRETCH = 100
_KEPT = 10
_IDLE_SECONDS = 0.5
_STYLES = {
    "sentence": "bold",
    "posting": "",
    "holding": "cyan",
    "tokens": "dim",
    "change": "dim",
    "rules": "yellow",
}


class Source(Protocol):
    """Where the frames of a game come from; `version` is the number of its last action."""

    title: str
    version: int
    seats: Mapping[str, str]
    """The names of the players by their seats."""

    def frames(self, first: int, last: int, follow: str | None) -> Iterator[Frame]:
        """The frames from one action to another, of those that concern a seat when there is one to follow."""
        ...


class Reel:
    """The frames of a game, had a stretch at a time and in any order. Takes the first and last action wanted."""

    def __init__(self, source: Source, first: int, last: int) -> None:
        self._source = source
        self.first = first
        self.last = last
        self._had: OrderedDict[tuple[int, str | None], list[Frame]] = OrderedDict()

    def after(self, place: Place, follow: str | None = None) -> Frame | None:
        """The first frame that stands after a place."""
        for stretch in range(self._stretch_of(place), self._stretch_of((self.last, 0, 0)) + 1):
            for frame in self._frames(stretch, follow):
                if frame.place > place:
                    return frame
        return None

    def before(self, place: Place, follow: str | None = None) -> Frame | None:
        """The last frame that stands before a place."""
        for stretch in range(self._stretch_of(place), -1, -1):
            for frame in reversed(self._frames(stretch, follow)):
                if frame.place < place:
                    return frame
        return None

    def at(self, number: int, follow: str | None = None) -> Frame | None:
        """The frame of an action, or else the next one, or else the last one."""
        return self.after((number, 0, -1), follow) or self.before((number, 0, 0), follow)

    def _stretch_of(self, place: Place) -> int:
        return (min(max(place[0], self.first), self.last) - self.first) // _STRETCH

    def _frames(self, stretch: int, follow: str | None) -> Sequence[Frame]:
        had = self._had.pop((stretch, follow), None)
        if had is None:
            start = self.first + stretch * _STRETCH
            had = list(self._source.frames(start, min(start + _STRETCH - 1, self.last), follow))
            while len(self._had) >= _KEPT:
                self._had.popitem(last=False)
        self._had[stretch, follow] = had
        return had


class Screen:
    """A replay that somebody looks at: which frame, whether it runs and how fast, whom it follows.

    Takes the source and the actions wanted, the language's teller, how many actions a second it runs at, whether
    it runs from the start, and the seat to follow.
    """

    def __init__(
        self,
        source: Source,
        reel: Reel,
        teller: Teller,
        *,
        speed: float = 1.0,
        running: bool = False,
        follow: str | None = None,
    ) -> None:
        self._source = source
        self._reel = reel
        self._teller = teller
        self._typed: str | None = None
        self._scrolled = 0
        self.speed = speed
        self.running = running
        self.follow = follow
        self.frame = reel.at(reel.first, follow)

    # What is done ---------------------------------------------------------------------------------

    def press(self, key: str) -> bool:
        """Do what a key stands for; False for the one that ends it all."""
        if self._typed is not None:
            self._type(key)
            return True
        match key:
            case "q" | "escape":
                return False
            case "right" | "enter" | "n":
                self.running = False
                self.step()
            case "left" | "backspace" | "p":
                self.running = False
                self.back()
            case " ":
                self.running = not self.running
            case "+" | "=":
                self.speed = min(PACES[1], self.speed * 2)
            case "-":
                self.speed = max(PACES[0], self.speed / 2)
            case "home":
                self._show(self._reel.at(self._reel.first, self.follow))
            case "end":
                self._show(self._reel.before((self._reel.last + 1, 0, 0), self.follow))
            case "f":
                self._follow_next()
            case "down" | "pagedown":
                self._scrolled += 1 if key == "down" else 10
            case "up" | "pageup":
                self._scrolled = max(0, self._scrolled - (1 if key == "up" else 10))
            case "g":
                self._typed = ""
            case digit if len(digit) == 1 and digit.isdecimal():
                self._typed = digit
        return True

    def step(self) -> bool:
        """Go on to the next frame; False when there is none."""
        return self.frame is not None and self._show(self._reel.after(self.frame.place, self.follow))

    def back(self) -> bool:
        """Go back to the frame before; False when there is none."""
        return self.frame is not None and self._show(self._reel.before(self.frame.place, self.follow))

    def jump(self, number: int) -> None:
        """Go to an action, or to the nearest one that there is to see."""
        self._show(self._reel.at(min(max(number, self._reel.first), self._reel.last), self.follow))

    def _show(self, frame: Frame | None) -> bool:
        if frame is None:
            return False
        self.frame = frame
        self._scrolled = 0
        return True

    def _type(self, key: str) -> None:
        """The number of the action to jump to, digit by digit."""
        typed = self._typed or ""
        if key == "enter":
            self._typed = None
            if typed:
                self.running = False
                self.jump(int(typed))
        elif key == "escape":
            self._typed = None
        elif key == "backspace":
            self._typed = typed[:-1]
        elif len(key) == 1 and key.isdecimal() and len(typed) < 9:
            self._typed = typed + key

    def _follow_next(self) -> None:
        """Follow the next player; after the last one, nobody."""
        seats = [None, *self._source.seats]
        self.follow = seats[(seats.index(self.follow) + 1) % len(seats)]
        if self.frame is not None:
            self._show(self._reel.at(self.frame.place[0], self.follow))

    # What is seen ---------------------------------------------------------------------------------

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The whole screen; of a frame that is too long for it, the part scrolled to."""
        height = options.height or console.size.height
        head, foot = (
            list(_lines(console, options, part)) for part in (self._head(options.max_width), self._foot())
        )
        body = list(_lines(console, options, self._body()))
        room = max(1, height - len(head) - len(foot))
        self._scrolled = max(0, min(self._scrolled, len(body) - room))
        shown = body[self._scrolled : self._scrolled + room]
        blank = [[Segment(" " * options.max_width)]] * (room - len(shown))
        for place, line in enumerate([*head, *shown, *blank, *foot]):
            if place:
                yield Segment.line()
            yield from line

    def _head(self, width: int) -> Table:
        say = self._teller.say
        number = "-" if self.frame is None else self.frame.action
        pace = f"{self.speed:g}/s"
        told = [f"▶ {pace}" if self.running else say("stopped ({pace})", "à l'arrêt ({pace})", pace=pace)]
        if self.follow is not None:
            told.append(say("following {name}", "on suit {name}", name=self._teller.player(self.follow)))
        if self._typed is not None:
            told.append(say("go to: {typed}_", "aller à : {typed}_", typed=self._typed))
        how = Text(" · ".join(told))
        where = Text(f"  {number} / {self._reel.last}", style="bold")
        title = Text(printable(self._source.title), style="bold")
        # Where there is not room for all, the title is what its reader knows already.
        title.truncate(max(1, width - where.cell_len - how.cell_len - 1), overflow="ellipsis")
        head = Table.grid(expand=True)
        head.add_column(ratio=1, no_wrap=True)
        head.add_column(justify="right", no_wrap=True)
        head.add_row(title + where, how)
        return head

    def _body(self) -> Table | Text:
        frame, teller = self.frame, self._teller
        if frame is None:
            return Text(teller.say("There is nothing to see.", "Il n'y a rien à voir."))
        body = Table.grid(expand=True)
        body.add_column(ratio=1)
        asked = printable(frame.by_name or "…")
        status = teller.status(frame)
        body.add_row(
            Text(f"{frame.action}  {asked}  {frame.recorded_at:%Y-%m-%d %H:%M:%S}", style="dim").append(
                f"  {status}", style="red"
            )
        )
        if frame.same:
            body.add_row(self._side(frame, frame.corrected, "", "green"))
            return body
        both = Table.grid(expand=True)
        both.add_column(ratio=1)
        both.add_column(ratio=1)
        unwritten = teller.say("It was not recorded.", "Cela n'a pas été enregistré.")
        fallen = teller.say("It does not count.", "Cela ne compte pas.")
        both.add_row(
            self._side(frame, frame.recorded, teller.say("as recorded", "comme enregistré"), "yellow", unwritten),
            self._side(frame, frame.corrected, teller.say("as corrected", "comme corrigé"), "green", fallen),
        )
        body.add_row(both)
        return body

    def _side(self, frame: Frame, side: Side | None, title: str, style: str, without: str = "") -> Panel:
        text = Text()
        if side is None:
            text.append(without, style="dim")
        else:
            for line in self._teller.lines(frame, side):
                text.append(f"{line.text}\n", style=_STYLES[line.about])
            text.rstrip()
        return Panel(text, title=title or None, title_align="left", border_style=style, box=box.ROUNDED)

    def _foot(self) -> Columns:
        say = self._teller.say
        keys = (
            ("← →", say("step", "pas")),
            (say("space", "espace"), say("run", "défiler")),
            ("+ -", say("speed", "vitesse")),
            ("g 57 ⏎", say("jump", "aller à")),
            ("f", say("follow", "suivre")),
            ("↑ ↓", say("scroll", "monter, descendre")),
            ("q", say("quit", "quitter")),
        )
        return Columns([Text(key, style="reverse").append(f" {what}", style="not reverse") for key, what in keys])


def _lines(console: Console, options: ConsoleOptions, part: Table | Text | Columns) -> Iterable[list[Segment]]:
    return console.render_lines(part, options.update(height=None), pad=True)


def show(screen: Screen, console: Console, terminal: int) -> None:
    """Show a replay in a terminal until its reader has seen enough. Takes the descriptor to read keys from."""
    live = Live(screen, console=console, screen=True, auto_refresh=False)
    with Keys(terminal) as keys:
        # A signal may come while the first screen is drawn: that, too, is cleared away.
        try:
            live.start()
            _turn_pages(screen, live, console, keys)
        finally:
            live.stop()


def _turn_pages(screen: Screen, live: Live, console: Console, keys: Keys) -> None:
    """Do what the keys say, or what time does, until the reader leaves."""
    moved = time.monotonic()
    size = console.size
    live.refresh()
    while True:
        pause = moved + 1 / screen.speed - time.monotonic() if screen.running else _IDLE_SECONDS
        key = keys.wait(max(0.0, pause))
        if key is not None:
            if key == "suspend":
                _pause(live, keys)
            elif not screen.press(key):
                return
            moved = time.monotonic()
        elif screen.running:
            moved = time.monotonic()
            screen.running = screen.step()
        elif console.size == size:
            continue
        size = console.size
        live.refresh()


def _pause(live: Live, keys: Keys) -> None:
    """Give the terminal back as it was, until whoever stopped this lets it go on."""
    live.stop()
    with keys.released():
        os.kill(0, signal.SIGTSTP)
    live.start()
