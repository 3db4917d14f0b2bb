"""`mabligop replay`: lines of text, and the screen in a terminal."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pyte
import pytest
from rich.console import Console

from api.command.replay.cached_frames import CachedFrames
from api.command.replay.screen import Screen
from api.command.replay.wording import Wording
from replays.frames import Frame
from tests.command.service import MABLIGOP, Service, create_game, environment, here, sender
from tests.harness.figures import figures
from tests.replays import shelf

pytestmark = pytest.mark.xdist_group("command")

_PATIENCE_SECONDS = 300
_MARK = "the end of what the command wrote"
_KEYS = {"right": "\x1b[C", "left": "\x1b[D", "down": "\x1b[B", "home": "\x1b[H", "end": "\x1b[F", "enter": "\r"}


@pytest.fixture(scope="module")
def database_url(served: str) -> str:
    """The database of the service."""
    return served


@pytest.fixture(scope="module")
def mended(database_url: str) -> str:
    """The game with every kind of correction, which has 16 actions."""
    with shelf.ledger_on(database_url) as ledger:
        return shelf.mended(ledger)


# In lines -------------------------------------------------------------------------------------------


def test_into_a_file_go_lines(mended: str, database_url: str) -> None:
    """Corrected actions are written like a diff."""
    told = here("replay", mended, "--from", "7", "--to", "11", DATABASE_URL=database_url)
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.splitlines() == [
        "7         Ana gives ₦100 to Bob.",
        "12.1    + The banker, for Bob: Bob gives ₦5 to Ana.  [inserted by 12 after 7]",
        "8       - Ana gives ₦40 to Bob.  [undone by 11]",
        "9       - Ana gives ₦30 to Bob.  [played again by 11]",
        "        + Ana gives ₦35 to Bob.",
        (
            "10      - Bob gives ₦1800 to Ana.  [made impossible by 11: "
            "Bob has ₦1785 and cannot spend ₦1800 without ₦15 more (I.B.6)]"
        ),
        "11        The banker corrects the history: it was misheard",
    ]


def test_the_whole_of_it_and_whom_to_follow(mended: str, database_url: str) -> None:
    whole = here("replay", mended, DATABASE_URL=database_url).stdout.splitlines()
    assert [line.split()[0] for line in whole if line[0] != " "] == [
        *map(str, range(1, 8)),
        "12.1",
        *map(str, range(8, 17)),
    ]
    followed = here(
        "replay", mended, "--follow", "bob", "--from", "2", DATABASE_URL=database_url
    ).stdout.splitlines()
    assert [line for line in whole if line in followed] == followed
    assert followed[0].split()[0] == "4"


def test_details_in_french(mended: str, database_url: str) -> None:
    """The recorded side, then the corrected side, with everything that moved."""
    options = ("--from", "9", "--to", "9", "--details", "--language", "fr")
    told = here("replay", mended, *options, DATABASE_URL=database_url)
    assert told.stdout.splitlines() == [
        "9       - Ana donne 30 ₦ à Bob.  [rejouée par 11]",
        "            30 ₦  Ana → Bob",
        "            Ana : 1510 → 1480 ₦",
        "            Bob : 1790 → 1820 ₦",
        "            sur les cases : Ana 0, Bob 0",
        "            règles : I.B.6",
        "        + Ana donne 35 ₦ à Bob.",
        "            35 ₦  Ana → Bob",
        "            Ana : 1555 → 1520 ₦",
        "            Bob : 1745 → 1780 ₦",
        "            sur les cases : Ana 0, Bob 0",
        "            règles : I.B.6",
        "            classement : Bob 1780 +35 (1820), Ana 1520 -35 (1480)",
    ]


def test_from_a_service_as_a_token_sees_it(service: Service, database_url: str) -> None:
    """The banker's token shows the same as the database; a spectator's shows that something happened."""
    with service.client() as client:
        game, tokens = create_game(client)
        three, hers = create_game(client, "ana", "bob", "cid")
        sender(client, three)(hers["ana"], "transfer_money", {"to": "bob", "amount": 77})
    banker = here("replay", game, "--url", service.url, "--token", tokens["banker"])
    assert (banker.returncode, banker.stderr) == (0, "")
    assert banker.stdout == here("replay", game, DATABASE_URL=database_url).stdout
    last = ("--from", "9", "--url", service.url)
    assert here("replay", three, *last, MABLIGOP_TOKEN=hers["bob"]).stdout == ("9         Ana gives ₦77 to Bob.\n")
    outside = here("replay", three, *last, "--language", "fr", "--details", MABLIGOP_TOKEN=hers["spectator"])
    assert outside.stdout.splitlines()[0] == "9         Il s'est passé quelque chose de privé."
    assert 77 not in figures(outside.stdout)


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--from", "99"), 2, "There is no action 99: the game has 16"),
        (("--from", "9", "--to", "8"), 2, "--to 8 is before --from 9"),
        (("--follow", "zoe"), 2, "There is no seat 'zoe' in this game; its seats are: ana, bob"),
        (("--run", "0"), 2, "0.1<=x<=100"),
        (("--token", "no.such"), 6, "No good answer from http://127.0.0.1:8000"),
    ],
)
def test_what_cannot_be_shown(
    mended: str, database_url: str, options: tuple[str, ...], code: int, said: str
) -> None:
    refused = here("replay", mended, *options, DATABASE_URL=database_url)
    assert (refused.returncode, refused.stdout) == (code, "")
    assert said in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_game_that_is_not_there(service: Service, database_url: str) -> None:
    assert here("replay", "nowhere", DATABASE_URL=database_url).returncode == 8
    answered = here("replay", "nowhere", "--url", service.url, "--token", "no.such")
    assert (answered.returncode, answered.stdout) == (8, "")
    assert here("replay", "no/game", "--url", service.url, "--token", "no.such").returncode == 2


# In a terminal --------------------------------------------------------------------------------------


class Terminal:
    """A terminal of 100 columns and 24 lines in which the command runs, and its reader's fingers."""

    def __init__(self, *arguments: str, **variables: str) -> None:
        self._master, inside = pty.openpty()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
        self.before = termios.tcgetattr(inside)
        self._inside = inside
        self._process = subprocess.Popen(
            [MABLIGOP, "replay", *arguments],
            env=environment(**variables) | {"TERM": "xterm", "LANG": "C.UTF-8"},
            stdin=inside,
            stdout=inside,
            stderr=inside,
            start_new_session=True,
            # Whoever runs the tests may have told them to ignore these, and it is inherited.
            preexec_fn=lambda: [signal.signal(one, signal.SIG_DFL) for one in (signal.SIGINT, signal.SIGHUP)],
        )
        self.output = ""
        self._drawn = pyte.Screen(100, 24)
        self._drawing = pyte.ByteStream(self._drawn)

    def press(self, *keys: str) -> None:
        """Type these keys."""
        os.write(self._master, "".join(_KEYS.get(key, key) for key in keys).encode())

    def sees(self, *patterns: str) -> str:
        """Wait until all of these stand on one screen; gives the screen."""
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while time.monotonic() < deadline:
            screen = self._screen()
            if all(re.search(pattern, screen) for pattern in patterns):
                return screen
            self._read(0.1)
        raise AssertionError(f"{patterns} never stood on a screen; the last one was:\n{self._screen()}")

    def ends(self, shown: int = 1) -> int:
        """Wait for the end; gives the exit code. The terminal has to be as it was, each time it was taken."""
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while self._process.poll() is None and time.monotonic() < deadline:
            self._read(0.1)
        code = self._process.wait(1)
        self._read_the_rest()
        assert termios.tcgetattr(self._inside) == self.before
        assert self.output.count("\x1b[?1049h") == self.output.count("\x1b[?1049l") == shown
        assert self.output.rindex("\x1b[?25h") > self.output.rindex("\x1b[?25l")
        return code

    def stops(self) -> None:
        """Wait until the process has been stopped. The terminal has to be as it was."""
        deadline = time.monotonic() + _PATIENCE_SECONDS
        state = Path(f"/proc/{self._process.pid}/stat")
        while state.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "T":
            assert time.monotonic() < deadline
            self._read(0.1)
        self._read_the_rest()
        assert termios.tcgetattr(self._inside) == self.before
        assert self.output.count("\x1b[?1049h") == self.output.count("\x1b[?1049l") == 1
        # What is seen next is drawn after the terminal is taken again. Keys that are pressed before that are lost.
        self._drawn.reset()

    def signal(self, number: int) -> None:
        self._process.send_signal(number)

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        os.close(self._master)
        os.close(self._inside)

    def _screen(self) -> str:
        """What a reader sees now."""
        return "\n".join(self._drawn.display)

    def _read_the_rest(self) -> None:
        """Read all that the process wrote: up to a mark that follows it."""
        os.write(self._inside, _MARK.encode())
        while not self.output.endswith(_MARK):
            self._read(_PATIENCE_SECONDS)
        self.output = self.output.removesuffix(_MARK)

    def _read(self, seconds: float) -> None:
        ready, _, _ = select.select([self._master], [], [], seconds)
        if ready:
            came = os.read(self._master, 65_536)
            self.output += came.decode(errors="replace")
            self._drawing.feed(came)


@contextmanager
def terminal(*arguments: str, **variables: str) -> Iterator[Terminal]:
    opened = Terminal(*arguments, **variables)
    try:
        yield opened
    finally:
        opened.close()


def test_step_by_step(mended: str, database_url: str) -> None:
    with terminal(mended, "--from", "7", DATABASE_URL=database_url) as seen:
        seen.sees(r"Mended  7 / 16", r"stopped \(1/s\)", r"Ana gives ₦100 to Bob\.", r"Bob: 1650 → 1750 ₦")
        seen.sees(r"standings", r"Bob +1750 +\+100", r"Ana +1550 +-100")
        seen.press("right")
        seen.sees(r"12\.1 / 16", r"inserted by 12 after 7", r"It was not recorded\.", r"Bob gives ₦5 to")
        seen.press("right", "right")
        seen.sees(r"9 / 16", r"as recorded", r"as corrected", r"played again by 11")
        # Both columns may be drawn a moment later.
        seen.sees(r"Ana gives ₦30 to Bob\. +││? Ana gives ₦35 to Bob\.", r"Bob +1780 +\+35 +\(1820\)")
        seen.press("right")
        seen.sees(r"10 / 16", r"cannot spend ₦1800 without\s+₦15 more\s+\(I\.B\.6\)", r"It does not count\.")
        seen.press("left")
        seen.sees(r"9 / 16")
        seen.press("home")
        seen.sees(r"Mended  7 / 16")
        seen.press("left")
        seen.press("end")
        seen.sees(r"16 / 16", r"Ana rolls 1, 2\.", r"on squares: Ana 3, Bob 0")
        seen.press("q")
        assert seen.ends() == 0


def test_jumping_to_an_action_and_following_a_player(mended: str, database_url: str) -> None:
    with terminal(mended, "--language", "fr", DATABASE_URL=database_url) as seen:
        seen.sees(r"1 / 16", r"à l'arrêt")
        seen.press("g", "1", "4")
        seen.sees(r"aller à : 14_")
        seen.press("enter")
        seen.sees(r"14 / 16", r"annulée par 15")
        seen.press("1", "2", ".", "1", "enter")
        seen.sees(r"12\.1 / 16", r"insérée par 12")
        seen.press("9", "enter")
        seen.sees(r"9 / 16", r"comme enregistré", r"Ana donne 35 ₦ à Bob\.")
        seen.press("f", "f")
        seen.sees(r"on suit Bob", r"9 / 16")
        seen.press("right", "right")
        seen.sees(r"13 / 16", r"Ana donne 7 ₦ à Bob\.")
        seen.press("right")
        seen.press("left", "left", "left", "left", "left", "left")
        seen.sees(r"5 / 16")
        seen.press("f")
        seen.press("left")
        seen.sees(r"4 / 16", r"à l'arrêt \(1/s\)\s*\n")
        seen.press("\x1b")
        assert seen.ends() == 0


def test_it_runs_by_itself_to_the_end(mended: str, database_url: str) -> None:
    """Faster when asked; a key stops it."""
    with terminal(mended, "--run", "0.5", "--follow", "ana", DATABASE_URL=database_url) as seen:
        seen.sees(r"▶ 0\.5/s · following Ana")
        seen.press(" ")
        seen.sees(r"stopped \(0\.5/s\)")
        seen.press("+", "+", "+", "+", "+")
        seen.sees(r"stopped \(16/s\)")
        seen.press(" ")
        seen.sees(r"16 / 16", r"stopped \(16/s\)")
        seen.press("q")
        assert seen.ends() == 0


def test_a_long_frame_is_scrolled(mended: str, database_url: str) -> None:
    with terminal(mended, DATABASE_URL=database_url) as seen:
        first = seen.sees(r"1 / 16", r"q quit")
        assert "on squares" not in first
        seen.press(*["\x1b[6~"] * 30)
        seen.sees(r"rules: .*I\.", r"q quit", r"╰─+╯")
        seen.press("q")
        assert seen.ends() == 0


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 0), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_however_it_is_ended_the_terminal_is_as_it_was(
    mended: str, database_url: str, number: int, code: int
) -> None:
    with terminal(mended, DATABASE_URL=database_url) as seen:
        seen.sees(r"1 / 16")
        seen.signal(number)
        assert seen.ends() == code


class Long:
    """A game with a long title, of which there is nothing to see."""

    title = "Friday evening at Crédit Mabligop"
    version = 316
    seats: Mapping[str, str] = {}

    def frames(self, first: int, last: int, follow: str | None) -> Iterator[Frame]:
        return iter(())


@pytest.mark.parametrize(
    ("columns", "head"),
    [
        (60, "Friday evening at Crédit Mabligop  - / 316    stopped (1/s)"),
        (40, "Friday evening a…  - / 316 stopped (1/s)"),
    ],
)
def test_in_a_narrow_terminal_the_title_gives_way_to_the_place(columns: int, head: str) -> None:
    screen = Screen(Long(), CachedFrames(Long(), 1, 316), Wording("en", {}))
    console = Console(width=columns, height=8, file=io.StringIO(), color_system=None)
    with console.capture() as shown:
        console.print(screen)
    assert shown.get().splitlines()[0].split() == head.split()


def test_ctrl_z_gives_the_terminal_back_until_it_goes_on(mended: str, database_url: str) -> None:
    """It goes on where it was."""
    with terminal(mended, "--from", "7", "--follow", "bob", DATABASE_URL=database_url) as seen:
        seen.sees(r"7 / 16")
        seen.press("\x1a")
        seen.stops()
        seen.signal(signal.SIGCONT)
        seen.sees(r"7 / 16", r"Ana gives ₦100 to Bob\.")
        seen.press("right")
        seen.sees(r"12\.1 / 16")
        seen.press("q")
        assert seen.ends(shown=2) == 0


def test_a_service_that_goes_away_is_said(database_url: str) -> None:
    """And the terminal is given back first."""
    going = Service("--no-demo", DATABASE_URL=database_url)
    with going.client() as client:
        game, tokens = create_game(client)
    with terminal(game, "--url", going.url, "--token", tokens["banker"]) as seen:
        seen.sees(r"1 / 6")
        assert going.stop() == 0
        seen.press("f")
        assert seen.ends() == 6
        assert f"No good answer from {going.url}" in seen.output


def test_in_a_terminal_there_may_be_lines_too(mended: str, database_url: str) -> None:
    with terminal(mended, "--lines", "--to", "2", "--run", "100", DATABASE_URL=database_url) as seen:
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while "2         Ana joins as Don Ana." not in seen.output and time.monotonic() < deadline:
            seen._read(0.1)
        assert "\x1b[" not in seen.output
        assert "2         Ana joins as Don Ana." in seen.output
