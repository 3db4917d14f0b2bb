"""The lines of a game in the order of its history, with round, turn and status.

Lines are read once for each version and cached with the game. As the game goes on, only new lines are read.
After a correction, the lines possibly changed are read again. The outcomes of corrections differ from viewer to
viewer and are cached for each viewer.
"""

from __future__ import annotations

import threading
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Literal, NamedTuple

import msgspec

from ledger.games.game import Game
from ledger.games.moments import Moment
from ledger.games.past import Corrections
from ledger.kernel.facts.agreements import Agreement
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.labels import Name, Place, name_of
from ledger.kernel.facts.state import State, collector_paused
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.sight import visible_entry
from ledger.kernel.journal.timeline import TimelineEntry
from ledger.reading.words.seating import SeatView, seated

STATUSES = ("effective", "undone", "restated", "voided")
"""The statuses of a line. An index refers to a status by its position here."""

NOBODY = -1
"""Index of the seat for a line outside of any turn."""

_READ = 1000
"""Number of lines read at a time."""

_VIEWERS = 64
"""Number of viewers with cached outcomes of corrections, for each game."""

Change = Literal["opened", "changed", "ended"]


class Columns(NamedTuple):
    """Lines in the order of the history, by column: places, names, and the round and the turn after each line."""

    places: list[Place]
    names: list[Name]
    rounds: list[int]
    turns: list[str | None]


class AgreementChange(msgspec.Struct, frozen=True):
    """The change of an agreement, named by its id, by a line."""

    place: Place
    line: Name
    agreement: str
    change: Change


class _Outcome(msgspec.Struct, frozen=True):
    """The status of a line for a viewer, the correction that set it (0: none), and a flag for corrections."""

    status: str
    by: int
    corrects: bool
    is_known: bool
    """True if the viewer may know of the line. An inserted line may be secret."""


class Lines:
    """The lines of a game up to a version. Takes the game."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._lock = threading.Lock()
        self._version = 0
        self._corrections: Corrections = ()
        self._state: State | None = None
        self._open: dict[str, Agreement] = {}
        self._places: list[Place] = []
        self._names: list[Name] = []
        self._rounds: list[int] = []
        self._turns: list[str | None] = []
        self._changes: list[AgreementChange] = []
        self._outcomes: OrderedDict[tuple[Viewer, int], Mapping[Name, _Outcome]] = OrderedDict()

    def upto(self, current: State) -> Columns:
        """Return the lines up to a state at the head. Missing lines are read, by one caller at a time."""
        with self._lock:
            # If a correction came after this moment, its changes are read again now, and once more later.
            if self._version < current.version or self._corrections != tuple(current.corrections):
                try:
                    self._read(current)
                except BaseException:
                    self._state = None  # the state may be half folded
                    raise
            end = bisect_left(self._places, (current.version + 1,))
            return Columns(self._places[:end], self._names[:end], self._rounds[:end], self._turns[:end])

    def changes_of(self, current: State, agreements: Collection[str]) -> list[AgreementChange]:
        """Return the changes of these agreements by the lines up to a state at the head, in order."""
        self.upto(current)
        with self._lock:
            beyond = (current.version + 1,)
            return [change for change in self._changes if change.agreement in agreements and change.place < beyond]

    def changes_by(self, current: State, line: Name) -> list[AgreementChange]:
        """Return the changes of agreements by a line."""
        self.upto(current)
        with self._lock:
            return [change for change in self._changes if change.line == line]

    def _read(self, current: State) -> None:
        corrections = tuple(current.corrections)
        added = [
            item
            for item in (*corrections, *self._corrections)
            if item not in corrections or item not in self._corrections
        ]
        first = min([self._version + 1, current.version + 1, *(touched for _, touched in added)])
        unchanged = bisect_left(self._places, (first,))
        del self._places[unchanged:], self._names[unchanged:], self._rounds[unchanged:], self._turns[unchanged:]
        self._changes = [item for item in self._changes if item.place < (first,)]
        history, rulebook = self._game.history, self._game.rulebook
        if self._state is None or first <= self._version:
            state = history.state_after(first - 1, corrections).copy()
            self._open = (
                {item.id: item for item in rulebook.agreements.open_agreements(state)} if state.seats else {}
            )
        else:
            state = self._state
        for start in range(first, current.version + 1, _READ):
            end = min(start + _READ - 1, current.version)
            timeline = history.timeline_between(start, end, corrections)
            with collector_paused():
                for timeline_entry in timeline.entries():
                    if start <= timeline_entry.position[0] <= end:
                        self._add(timeline_entry, state)
        self._state, self._version, self._corrections = state, current.version, corrections

    def _add(self, timeline_entry: TimelineEntry, state: State) -> None:
        self._places.append(timeline_entry.position)
        self._names.append(name_of(timeline_entry.label))
        if timeline_entry.counts and timeline_entry.events:
            state.fold(timeline_entry.events)
            self._note_agreements(timeline_entry, state)
            summary = self._game.rulebook.screen.summary(state)
            self._rounds.append(summary.get("round") or 0)
            self._turns.append(summary.get("turn"))
        else:
            self._rounds.append(self._rounds[-1] if self._rounds else 0)
            self._turns.append(self._turns[-1] if self._turns else None)

    def _note_agreements(self, timeline_entry: TimelineEntry, state: State) -> None:
        rulebook = self._game.rulebook
        if not rulebook.agreements.agreement_types:
            return
        now_open = {agreement.id: agreement for agreement in rulebook.agreements.open_agreements(state)}
        kinds = tuple(rulebook.agreements.agreement_types.values())
        mentioned = {
            value.id: value
            for event in timeline_entry.events
            for name in type(event).__struct_fields__
            if isinstance(value := getattr(event, name), kinds)
        }
        label = timeline_entry.name.replace(".", "-")
        for agreement in dict.fromkeys((*mentioned, *(now_open.keys() ^ self._open.keys()))):
            if agreement in now_open:
                change: Change = "changed" if agreement in self._open else "opened"
            else:
                change = (
                    "ended" if agreement in self._open or f"{agreement}-".startswith(f"{label}-") else "changed"
                )
            self._changes.append(
                AgreementChange(timeline_entry.position, name_of(timeline_entry.label), agreement, change)
            )
        self._open = now_open

    def outcomes(self, moment: Moment) -> Mapping[Name, _Outcome]:
        """Return the outcomes of the lines changed, inserted or made by corrections, for the moment's viewer."""
        key = moment.viewer, moment.newest.corrections[-1][0] if moment.newest.corrections else 0
        with self._lock:
            cached = self._outcomes.get(key)
        if cached is None:
            cached = dict(_outcomes(moment))
            with self._lock:
                self._outcomes[key] = cached
                while len(self._outcomes) > _VIEWERS:
                    self._outcomes.popitem(last=False)
        return cached


def _outcomes(moment: Moment) -> Iterator[tuple[Name, _Outcome]]:
    corrections = moment.newest.corrections
    if not corrections:
        return
    history = moment.game.history
    numbers = {number for number, _ in corrections}
    touched = sorted({changed for number in numbers for changed in history.changed_by(number)})
    for timeline_entry in history.timeline(history.changed_entries(touched), corrections).entries():
        visible = visible_entry(timeline_entry, moment.viewer)
        corrects = any(isinstance(event, HistoryCorrected) for _, event in visible.recorded)
        is_known = not timeline_entry.insert or visible.is_visible
        yield name_of(timeline_entry.label), _Outcome(visible.status, visible.by or 0, corrects, is_known)


def lines_of(game: Game) -> Lines:
    """Return the lines of a game, cached with the game."""
    if game.lines is None:
        game.lines = Lines(game)
    lines: Lines = game.lines
    return lines


class IndexOfLines(msgspec.Struct, frozen=True, kw_only=True):
    """The lines of a game in the order of its history, as columns: row n of each column describes line n.

    `lines` are the names of the actions: numbers, or "60.1" for an action inserted by correction 60. `rounds`
    are the rounds after each line (0: before the first round). `turns` are the seats in turn after each line,
    as indexes into `seats` (-1: nobody). `statuses` are indexes into `status_names`. `corrected_by` are the
    corrections that set the statuses or inserted the lines (0: none). `corrections` are the lines that
    corrected the history.
    """

    seats: tuple[SeatView, ...]
    status_names: tuple[str, ...]
    lines: tuple[Name, ...]
    rounds: tuple[int, ...]
    turns: tuple[int, ...]
    statuses: tuple[int, ...]
    corrected_by: tuple[int, ...]
    corrections: tuple[Name, ...]


def index_of_lines(
    moment: Moment, *, cursor: Place | None = None, limit: int
) -> tuple[IndexOfLines, Place | None]:
    """Return the index of a game's lines as visible to the viewer, and the next `cursor`, or None."""
    cached = lines_of(moment.game)
    lines = cached.upto(moment.newest)
    outcomes = cached.outcomes(moment)
    seats = seated(moment.game, moment.newest)
    place_of: dict[Any, int] = {item.seat: place for place, item in enumerate(seats)}
    rows: list[int] = []
    next_place: Place | None = None
    for row in range(0 if cursor is None else bisect_right(lines.places, cursor), len(lines.places)):
        outcome = outcomes.get(lines.names[row])
        if outcome is not None and not outcome.is_known:
            continue
        if len(rows) == limit:
            next_place = lines.places[rows[-1]]
            break
        rows.append(row)
    row_outcomes = [outcomes.get(lines.names[row]) for row in rows]
    return IndexOfLines(
        seats=seats,
        status_names=STATUSES,
        lines=tuple(lines.names[row] for row in rows),
        rounds=tuple(lines.rounds[row] for row in rows),
        turns=tuple(place_of.get(lines.turns[row], NOBODY) for row in rows),
        statuses=tuple(0 if item is None else STATUSES.index(item.status) for item in row_outcomes),
        corrected_by=tuple(0 if item is None else item.by for item in row_outcomes),
        corrections=tuple(
            lines.names[row]
            for row, item in zip(rows, row_outcomes, strict=True)
            if item is not None and item.corrects
        ),
    ), next_place


def changes_of(moment: Moment, agreements: Collection[str]) -> list[AgreementChange]:
    """Return the changes of these agreements by the lines of a game, in the order of the history."""
    return lines_of(moment.game).changes_of(moment.newest, agreements)


def changes_by(moment: Moment, line: Name) -> list[AgreementChange]:
    """Return the changes of agreements by a line of a game."""
    return lines_of(moment.game).changes_by(moment.newest, line)


def may_know(moment: Moment, line: Name) -> bool:
    """Return True if the viewer may know of a line: of every line except invisible inserted lines."""
    outcome = lines_of(moment.game).outcomes(moment).get(line)
    return outcome is None or outcome.is_known
