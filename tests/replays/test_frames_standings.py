"""The standings beside each action of a replay: as they count now, as believed then, and who sees them."""

from __future__ import annotations

import io
from collections.abc import Sequence

import msgspec
import pytest
from rich.console import Console

from api.command.replay.cached_frames import CachedFrames
from api.command.replay.screen import Screen
from api.command.replay.sources import FromDatabase
from api.command.replay.wording import Wording
from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.labels import Name
from ledger.reading.words.seating import seated
from ledger.service import Ledger
from replays.frames import Frame, FrameStanding, frames
from tests.replays import shelf
from tests.tables.ledgers import ANA, BOB, SPECTATOR

pytestmark = pytest.mark.xdist_group("tables")

Standing = tuple[int | None, int | None, int | None]


def standings(ledger: Ledger, game: str, viewer: Viewer = BANKER) -> dict[Name, dict[str, Standing]]:
    """Of each action: what each seat is worth, the change, and what was believed when it was recorded."""
    return {
        frame.action: {one.seat: (one.worth, one.change, one.recorded) for one in frame.standings}
        for frame in frames(ledger.moment(game, viewer))
    }


def test_the_standings_after_each_action_of_a_mended_game(ledger: Ledger, mended: str) -> None:
    found = standings(ledger, mended)
    assert found[1] == {"ana": (0, 0, 0), "bob": (0, 0, 0)}
    assert found[7] == {"ana": (1550, -100, 1550), "bob": (1750, 100, 1750)}
    assert found["12.1"] == {"ana": (1555, 5, None), "bob": (1745, -5, None)}
    assert found[8] == {"ana": (1555, 0, 1510), "bob": (1745, 0, 1790)}  # It is undone: it changes nothing now.
    assert found[9] == {"ana": (1520, -35, 1480), "bob": (1780, 35, 1820)}
    assert found[10] == {"ana": (1520, 0, 3280), "bob": (1780, 0, 20)}
    assert found[13] == {"ana": (1513, -7, 1513), "bob": (1787, 7, 1787)}


def test_a_player_sees_their_own_standing_alone(ledger: Ledger, mended: str) -> None:
    """A sum would tell what its parts do not. A spectator sees no sum at all."""
    whole = standings(ledger, mended)
    for viewer, others in ((ANA, {"bob"}), (BOB, {"ana"}), (SPECTATOR, {"ana", "bob"})):
        for action, found in standings(ledger, mended, viewer).items():
            for seat, standing in found.items():
                assert standing == ((None, None, None) if seat in others else whole[action][seat])


def test_the_last_standings_are_those_of_the_table_of_seats(
    ledger: Ledger, tmp_path_factory: pytest.TempPathFactory
) -> None:
    game = shelf.simulate(ledger, "negopoly", seed=33, actions=900)
    *_, last = frames(ledger.moment(game), first=ledger.moment(game).version)
    content = shelf.exported(ledger, game, "parquet", table="seats")
    rows = shelf.rows(content, "parquet", tmp_path_factory.mktemp("seats"))
    assert {(one.seat, one.worth, one.playing) for one in last.standings} == {
        (row["seat"], row["worth"], row["playing"]) for row in rows
    }
    now = ledger.moment(game)
    assert [(one.seat, one.letter, one.colour) for one in last.standings] == [
        (one.seat, one.letter, one.colour) for one in seated(now.game, now.newest)
    ]


# On the screen --------------------------------------------------------------------------------------


class Shown:
    """A source with one frame."""

    title = "An evening"
    version = 1

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self.seats = {one.seat: one.name for one in frame.standings}

    def frames(self, first: int, last: int, follow: str | None) -> Sequence[Frame]:
        return [self._frame]


def drawn(frame: Frame, *, width: int = 100, language: str = "en") -> list[str]:
    source = Shown(frame)
    screen = Screen(source, CachedFrames(source, 1, 1), Wording(language, source.seats))  # type: ignore[arg-type]
    console = Console(width=width, height=24, file=io.StringIO(), color_system=None)
    with console.capture() as shown:
        console.print(screen)
    return shown.get().splitlines()


def first_frame(ledger: Ledger, game: str, *seats: FrameStanding) -> Frame:
    frame = next(FromDatabase(ledger, game, "en").frames(7, 7, None))
    return msgspec.structs.replace(frame, standings=seats or frame.standings)


def test_on_a_wide_screen_they_stand_beside_the_action(ledger: Ledger, mended: str) -> None:
    """The best stands first. On a narrow screen they stand below the action."""
    frame = first_frame(ledger, mended)
    wide = drawn(frame)
    beside = next(line for line in wide if "Ana gives ₦100 to Bob." in line)
    assert "Bob 1750 +100" in beside
    assert "Ana 1550 -100" in wide[wide.index(beside) + 1]
    narrow = drawn(frame, width=60)
    where = {said: next(n for n, line in enumerate(narrow) if said in line) for said in ("Ana gives", "Bob 1750")}
    assert where["Bob 1750"] > where["Ana gives"]


def test_who_is_out_is_said_and_who_sees_nothing_has_no_standings(ledger: Ledger, mended: str) -> None:
    out = FrameStanding(
        seat="ana", name="Ana", letter="A", colour=0, playing=False, worth=0, change=-60, recorded=0
    )
    hidden = FrameStanding(
        seat="bob", name="Bob", letter="B", colour=1, playing=True, worth=None, change=None, recorded=None
    )
    assert any(
        "Ana éliminé -60" in line for line in drawn(first_frame(ledger, mended, out, hidden), language="fr")
    )
    assert not any("standings" in line for line in drawn(first_frame(ledger, mended, hidden)))
