"""The screen of a replay: contents, and the effect of each key."""

from __future__ import annotations

from collections.abc import Iterable

from rich import box
from rich.columns import Columns
from rich.console import Console, ConsoleOptions, RenderResult
from rich.panel import Panel
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from api.command.replay.cached_frames import CachedFrames
from api.command.replay.sources import Source
from api.command.replay.wording import PACES, Wording, printable
from ledger.kernel.language.phrase import Phrase
from replays.frames import Frame, FrameSide

_STYLES = {
    "sentence": "bold",
    "posting": "",
    "holding": "cyan",
    "tokens": "dim",
    "change": "dim",
    "rules": "yellow",
}


_WIDE = 80
"""The width in characters from which the standings are beside the action."""
_LONGEST_NAME = 14
"""The number of characters of a player's name in the standings."""


class Screen:
    """The state of the screen: the current frame, the speed of a running replay, and the followed seat.

    `source` has the frames and `cached` caches them. `speed` is in actions per second. With `running` the
    replay runs from the start. `follow` is the seat to follow.
    """

    def __init__(
        self,
        source: Source,
        cached: CachedFrames,
        wording: Wording,
        *,
        speed: float = 1.0,
        running: bool = False,
        follow: str | None = None,
    ) -> None:
        self._source = source
        self._cached = cached
        self._wording = wording
        self._typed: str | None = None
        self._scrolled = 0
        self.speed = speed
        self.running = running
        self.follow = follow
        self.frame = cached.at(cached.first, follow)

    # Keys -------------------------------------------------------------------------------------

    def press(self, key: str) -> bool:
        """Handle a key. Returns False if the key ends the replay."""
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
                self._show(self._cached.at(self._cached.first, self.follow))
            case "end":
                self._show(self._cached.last_before((self._cached.last + 1, 0, 0), self.follow))
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
        """Show the next frame. Returns False at the end."""
        return self.frame is not None and self._show(self._cached.first_after(self.frame.place, self.follow))

    def back(self) -> bool:
        """Show the previous frame. Returns False at the beginning."""
        return self.frame is not None and self._show(self._cached.last_before(self.frame.place, self.follow))

    def jump(self, name: str) -> None:
        """Show an action, or the nearest action with a frame: 57, or 60.1 for an inserted action."""
        number, dot, insert = name.partition(".")
        nearest = min(max(int(number), self._cached.first), self._cached.last)
        inserted = self._cached.inserted(name, self.follow) if dot and insert else None
        self._show(inserted or self._cached.at(nearest, self.follow))

    def _show(self, frame: Frame | None) -> bool:
        if frame is None:
            return False
        self.frame = frame
        self._scrolled = 0
        return True

    def _type(self, key: str) -> None:
        """Handle a character of the action to jump to, or a key that edits or ends the input."""
        typed = self._typed or ""
        if key == "enter":
            self._typed = None
            if typed:
                self.running = False
                self.jump(typed)
        elif key == "escape":
            self._typed = None
        elif key == "backspace":
            self._typed = typed[:-1]
        elif len(key) == 1 and len(typed) < 9 and (key.isdecimal() or (key == "." and typed and "." not in typed)):
            self._typed = typed + key

    def _follow_next(self) -> None:
        """Follow the next player; after the last player, nobody."""
        seats = [None, *self._source.seats]
        self.follow = seats[(seats.index(self.follow) + 1) % len(seats)]
        if self.frame is not None:
            self._show(self._cached.at(self.frame.place[0], self.follow))

    # Drawing ----------------------------------------------------------------------------------

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw the whole screen. A frame too long for the screen is scrolled."""
        height = options.height or console.size.height
        head, foot = (
            list(_lines(console, options, part)) for part in (self._head(options.max_width), self._foot())
        )
        body = list(_lines(console, options, self._body(options.max_width)))
        room = max(1, height - len(head) - len(foot))
        self._scrolled = max(0, min(self._scrolled, len(body) - room))
        visible = body[self._scrolled : self._scrolled + room]
        blank = [[Segment(" " * options.max_width)]] * (room - len(visible))
        for index, line in enumerate([*head, *visible, *blank, *foot]):
            if index:
                yield Segment.line()
            yield from line

    def _head(self, width: int) -> Table:
        say = self._wording.say
        number = "-" if self.frame is None else self.frame.action
        pace = f"{self.speed:g}/s"
        parts = [f"▶ {pace}" if self.running else say(Phrase("stopped ({pace})", "à l'arrêt ({pace})"), pace=pace)]
        if self.follow is not None:
            parts.append(say(Phrase("following {name}", "on suit {name}"), name=self._wording.player(self.follow)))
        if self._typed is not None:
            parts.append(say(Phrase("go to: {typed}_", "aller à : {typed}_"), typed=self._typed))
        how = Text(" · ".join(parts))
        where = Text(f"  {number} / {self._cached.last}", style="bold")
        title = Text(printable(self._source.title), style="bold")
        # Without room for everything, cut the title, known to the reader already.
        title.truncate(max(1, width - where.cell_len - how.cell_len - 1), overflow="ellipsis")
        head = Table.grid(expand=True)
        head.add_column(ratio=1, no_wrap=True)
        head.add_column(justify="right", no_wrap=True)
        head.add_row(title + where, how)
        return head

    def _body(self, width: int) -> Table | Text:
        """Draw the action with the standings: beside it, or below on a narrow screen."""
        frame, wording = self.frame, self._wording
        if frame is None:
            return Text(wording.say(Phrase("There is nothing to see.", "Il n'y a rien à voir.")))
        actor = printable(frame.by_name or "…")
        heading = Text(f"{frame.action}  {actor}  {frame.recorded_at:%Y-%m-%d %H:%M:%S}", style="dim")
        body = Table.grid(expand=True)
        body.add_column(ratio=1)
        body.add_row(heading.append(f"  {wording.status(frame)}", style="red"))
        sides, standings = self._sides(frame), self._standings(frame)
        if standings is None:
            body.add_row(sides)
        elif width < _WIDE:
            body.add_row(sides)
            body.add_row(standings)
        else:
            beside = Table.grid(expand=True)
            beside.add_column(ratio=1)
            beside.add_column()
            beside.add_row(sides, standings)
            body.add_row(beside)
        return body

    def _standings(self, frame: Frame) -> Panel | None:
        """Draw the standings after the action; None if all are hidden from the viewer."""
        rows = list(self._wording.standings(frame))
        if not rows:
            return None
        table = Table.grid(padding=(0, 1))
        table.add_column(no_wrap=True, max_width=_LONGEST_NAME)
        for style in ("bold", "cyan", "yellow"):
            table.add_column(justify="right", no_wrap=True, style=style)
        for row in rows:
            table.add_row(*map(Text, row))
        title = self._wording.say(Phrase("standings", "classement"))
        return Panel(table, title=title, title_align="left", border_style="dim", box=box.ROUNDED)

    def _sides(self, frame: Frame) -> Table | Panel:
        """Draw the action, or two sides, as recorded and as corrected, if they differ."""
        wording = self._wording
        if frame.same:
            return self._side(frame, frame.corrected, "", "green")
        both = Table.grid(expand=True)
        both.add_column(ratio=1)
        both.add_column(ratio=1)
        unwritten = wording.say(Phrase("It was not recorded.", "Cela n'a pas été enregistré."))
        fallen = wording.say(Phrase("It does not count.", "Cela ne compte pas."))
        both.add_row(
            self._side(
                frame, frame.recorded, wording.say(Phrase("as recorded", "comme enregistré")), "yellow", unwritten
            ),
            self._side(
                frame, frame.corrected, wording.say(Phrase("as corrected", "comme corrigé")), "green", fallen
            ),
        )
        return both

    def _side(self, frame: Frame, side: FrameSide | None, title: str, style: str, without: str = "") -> Panel:
        text = Text()
        if side is None:
            text.append(without, style="dim")
        else:
            for line in self._wording.lines(frame, side):
                text.append(f"{line.text}\n", style=_STYLES[line.about])
            text.rstrip()
        return Panel(text, title=title or None, title_align="left", border_style=style, box=box.ROUNDED)

    def _foot(self) -> Columns:
        say = self._wording.say
        keys = (
            ("← →", say(Phrase("step", "pas"))),
            (say(Phrase("space", "espace")), say(Phrase("run", "défiler"))),
            ("+ -", say(Phrase("speed", "vitesse"))),
            ("g 57 ⏎", say(Phrase("jump", "aller à"))),
            ("f", say(Phrase("follow", "suivre"))),
            ("↑ ↓", say(Phrase("scroll", "monter, descendre"))),
            ("q", say(Phrase("quit", "quitter"))),
        )
        return Columns([Text(key, style="reverse").append(f" {what}", style="not reverse") for key, what in keys])


def _lines(console: Console, options: ConsoleOptions, part: Table | Text | Columns) -> Iterable[list[Segment]]:
    return console.render_lines(part, options.update(height=None), pad=True)
