"""What everybody is told: every reading in both languages, every export, and each channel the same."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

from replays.exports import FORMATS
from tests.crossing import counting
from tests.crossing.holding import Holding, table_lines
from tests.crossing.readings import PATHS
from tests.crossing.scenes import Scene
from tests.crossing.tables import SPECTATOR


class Telling:
    """The invariants (a) and (h) at the end of an evening. A `short` one has one language and one export."""

    def __init__(self, scene: Scene, holding: Holding, *, short: bool) -> None:
        self.scene = scene
        self._table = scene.table
        self._house = scene.house
        self._holding = holding
        self._short = short

    def journals(self) -> None:
        """Every viewer's stream, journal and audit agree once more."""
        self._holding.look(thorough=True)
        for viewer, follower in self._table.followers.items():
            ended = self._table.get(viewer, "state")["status"] == "ended"
            self._table.holds(
                "a", "the end is told", true=bool(follower.ended) or not ended, text=f"{viewer}: {follower.ended}"
            )
            lines = (line for line in table_lines(self._table, viewer) if line["number"] > follower.since)
            journal = {line["number"]: line for line in lines if "." not in str(line["action"])}
            for number, told in follower.entries.items():
                line = journal.get(number)
                same = line is not None and line["receipt"]["leaf"] == told["receipt"]["leaf"]
                self._table.holds("a", "the stream told another entry", true=same, text=f"{viewer}: {number}")
            self._table.holds(
                "a",
                "the stream left entries out",
                true=set(journal) == set(follower.entries),
                text=f"{viewer}: {set(journal) ^ set(follower.entries)}",
            )

    def sweep(self) -> None:
        """Every viewer reads everything, in both languages or the own; wrong answers are found on the way."""
        for viewer in self._table.viewers:
            for path in PATHS:
                place, _, query = path.partition("?")
                for language in (self._table.languages[viewer],) if self._short else ("en", "fr"):
                    read = self._table.ask(viewer, "GET", place, query=dict(parse_qsl(query)), language=language)
                    self._table.holds(
                        "h",
                        f"{path} is refused",
                        true=read.good,
                        text=f"{viewer}: {read.status} {read.text[:300]}",
                    )

    def exports(self) -> None:
        """Every format of an export is written, for several viewers or for one."""
        viewers = self.scene.some_viewers()
        for viewer in [self.scene.chance.choice(viewers)] if self._short else viewers:
            for form in FORMATS:
                answer = self._table.ask(viewer, "GET", "export", query={"format": form})
                self._table.holds(
                    "h",
                    f"no export as {form}",
                    true=answer.good,
                    text=f"{viewer}: {answer.status} {answer.text[:300]}",
                )

    def channels(self) -> None:
        """No channel tells a viewer of a posting that the journal hides: audit, frames and tables say the same.

        Lines that a correction has touched are left out: each channel shows another of their sides.
        """
        for viewer in (self.scene.chance.choice(self._table.seats), SPECTATOR):
            journal = {
                str(line["action"]): sorted(
                    _moved(posting) for event in line["events"] for posting in event["postings"]
                )
                for line in table_lines(self._table, viewer)
                if line["status"] == "effective"
            }
            audit = {
                str(line["action"]): sorted(map(_moved, line["postings"]))
                for line in table_lines(self._table, viewer, "audit", "lines")
            }
            frames = {
                str(frame["action"]): sorted(map(_moved, frame["recorded"]["postings"]))
                for frame in table_lines(self._table, viewer, "replay", "frames")
                if frame["recorded"] is not None
            }
            rows = self._table.ask(viewer, "GET", "export", query={"format": "csv", "table": "postings"}).text
            table: dict[str, list[tuple[str, int, str, str]]] = {action: [] for action in journal}
            for row in counting.rows_of(rows):
                moved = (row["commodity"], int(row["amount"]), row["source"], row["target"])
                table.setdefault(row["action"], []).append(moved)
            for channel, told in (("the audit", audit), ("a frame", frames), ("an exported table", table)):
                unlike = [
                    f"{action}: {sorted(told[action])} / {moved}"
                    for action, moved in journal.items()
                    if action in told and sorted(told[action]) != moved
                ]
                self._table.holds(
                    "h",
                    f"{channel} tells other postings than the journal",
                    true=not unlike,
                    text=f"{viewer} {unlike[:2]}",
                )


def _moved(posting: Any) -> tuple[str, int, str, str]:
    """What a posting moves: the commodity, the amount, and the two accounts."""
    return posting["commodity"], posting["amount"], posting["from"], posting["to"]
