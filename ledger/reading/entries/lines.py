"""The lines of a game in the order of its history: in which round and whose turn each stands, and how it stands.

They are read once for each version and kept with the game. When the game goes on, only the new lines are read; a
correction has those read again that it may have changed. What differs from viewer to viewer, the outcome of
corrections, is kept for each viewer.
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
from ledger.kernel.journal.sight import sight
from ledger.kernel.journal.timeline import Standing
from ledger.reading.words.seating import SeatView, seated

STATUSES = ("effective", "undone", "restated", "voided")
"""How a line may stand. An index names a status by its place here."""

NOBODY = -1
"""Stands for the seat of a line outside of any turn."""

_READ = 1000
"""How many lines are read at a time."""

_VIEWERS = 64
"""For how many viewers the outcome of corrections is kept in memory, for each game."""

Change = Literal["opened", "changed", "ended"]


class Columns(NamedTuple):
    """Lines in the order of the history: places, names, the rounds and whose turns they leave behind."""

    places: list[Place]
    names: list[Name]
    rounds: list[int]
    turns: list[str | None]


class AgreementChange(msgspec.Struct, frozen=True):
    """What a line did to an agreement, named by its id."""

    place: Place
    line: Name
    agreement: str
    change: Change


class _Outcome(msgspec.Struct, frozen=True):
    """How a line stands for a viewer: its status, who gave it (a correction; 0: nobody), whether it corrects."""

    status: str
    by: int
    corrects: bool
    known: bool
    """Whether the viewer may know of the line at all: of an inserted one they may not."""


class Lines:
    """The lines of a game up to a version. Takes the game."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._lock = threading.Lock()
        self._version = 0
        self._known: Corrections = ()
        self._state: State | None = None
        self._open: dict[str, Agreement] = {}
        self._places: list[Place] = []
        self._names: list[Name] = []
        self._rounds: list[int] = []
        self._turns: list[str | None] = []
        self._changes: list[AgreementChange] = []
        self._outcomes: OrderedDict[tuple[Viewer, int], Mapping[Name, _Outcome]] = OrderedDict()

    def upto(self, now: State) -> Columns:
        """The lines up to a state at the head. What is not read yet is read, by one caller at a time."""
        with self._lock:
            # Where a correction came after this moment, what it changed is read again, and once more later.
            if self._version < now.version or self._known != tuple(now.corrections):
                try:
                    self._read(now)
                except BaseException:
                    self._state = None  # it may be folded halfway
                    raise
            end = bisect_left(self._places, (now.version + 1,))
            return Columns(self._places[:end], self._names[:end], self._rounds[:end], self._turns[:end])

    def changes_of(self, now: State, agreements: Collection[str]) -> list[AgreementChange]:
        """What the lines up to a state at the head did to these agreements, in the order of the history."""
        self.upto(now)
        with self._lock:
            beyond = (now.version + 1,)
            return [one for one in self._changes if one.agreement in agreements and one.place < beyond]

    def changes_by(self, now: State, line: Name) -> list[AgreementChange]:
        """What a line did to agreements."""
        self.upto(now)
        with self._lock:
            return [one for one in self._changes if one.line == line]

    def _read(self, now: State) -> None:
        known = tuple(now.corrections)
        added = [one for one in (*known, *self._known) if one not in known or one not in self._known]
        first = min([self._version + 1, now.version + 1, *(touched for _, touched in added)])
        kept = bisect_left(self._places, (first,))
        del self._places[kept:], self._names[kept:], self._rounds[kept:], self._turns[kept:]
        self._changes = [one for one in self._changes if one.place < (first,)]
        history, rulebook = self._game.history, self._game.rulebook
        if self._state is None or first <= self._version:
            state = history.state_after(first - 1, known).copy()
            self._open = {one.id: one for one in rulebook.open_agreements(state)} if state.seats else {}
        else:
            state = self._state
        for start in range(first, now.version + 1, _READ):
            end = min(start + _READ - 1, now.version)
            timeline = history.timeline_between(start, end, known)
            with collector_paused():
                for standing in timeline.standings():
                    if start <= standing.place[0] <= end:
                        self._add(standing, state)
        self._state, self._version, self._known = state, now.version, known

    def _add(self, standing: Standing, state: State) -> None:
        self._places.append(standing.place)
        self._names.append(name_of(standing.label))
        if standing.counts and standing.events:
            state.fold(standing.events)
            self._note_agreements(standing, state)
            told = self._game.rulebook.summary(state)
            self._rounds.append(told.get("round") or 0)
            self._turns.append(told.get("turn"))
        else:
            self._rounds.append(self._rounds[-1] if self._rounds else 0)
            self._turns.append(self._turns[-1] if self._turns else None)

    def _note_agreements(self, standing: Standing, state: State) -> None:
        rulebook = self._game.rulebook
        if not rulebook.agreement_types:
            return
        now_open = {one.id: one for one in rulebook.open_agreements(state)}
        kinds = tuple(rulebook.agreement_types.values())
        told = {
            value.id: value
            for event in standing.events
            for name in type(event).__struct_fields__
            if isinstance(value := getattr(event, name), kinds)
        }
        label = standing.name.replace(".", "-")
        for one in dict.fromkeys((*told, *(now_open.keys() ^ self._open.keys()))):
            if one in now_open:
                change: Change = "changed" if one in self._open else "opened"
            else:
                change = "ended" if one in self._open or f"{one}-".startswith(f"{label}-") else "changed"
            self._changes.append(AgreementChange(standing.place, name_of(standing.label), one, change))
        self._open = now_open

    def outcomes(self, moment: Moment) -> Mapping[Name, _Outcome]:
        """How the lines stand that corrections changed, inserted or made, for the moment's viewer."""
        key = moment.viewer, moment.now.corrections[-1][0] if moment.now.corrections else 0
        with self._lock:
            found = self._outcomes.get(key)
        if found is None:
            found = dict(_outcomes(moment))
            with self._lock:
                self._outcomes[key] = found
                while len(self._outcomes) > _VIEWERS:
                    self._outcomes.popitem(last=False)
        return found


def _outcomes(moment: Moment) -> Iterator[tuple[Name, _Outcome]]:
    known = moment.now.corrections
    if not known:
        return
    history = moment.game.history
    numbers = {number for number, _ in known}
    touched = sorted({one for number in numbers for one in history.changed_by(number)})
    for standing in history.timeline(history.changed_entries(touched), known).standings():
        shown = sight(standing, moment.viewer)
        corrects = any(isinstance(event, HistoryCorrected) for _, event in shown.recorded)
        known_of = not standing.insert or shown.anything
        yield name_of(standing.label), _Outcome(shown.status, shown.by or 0, corrects, known_of)


def lines_of(game: Game) -> Lines:
    """The lines of a game, which are kept with it."""
    if game.lines is None:
        game.lines = Lines(game)
    lines: Lines = game.lines
    return lines


class IndexOfLines(msgspec.Struct, frozen=True, kw_only=True):
    """The lines of a game in the order of its history, as columns: row n of each column is about line n.

    `lines` are the names of the actions: numbers, or "60.1" for one that a correction inserted. `rounds` is the
    round that each leaves behind (0: before the first), `turns` the place in `seats` of whose turn it is then (-1:
    nobody's), `statuses` the place in `status_names` of how the line stands, `corrected_by` the correction that
    gave it this status or inserted it (0: none). `corrections` are the lines that corrected the history.
    """

    seats: tuple[SeatView, ...]
    status_names: tuple[str, ...]
    lines: tuple[Name, ...]
    rounds: tuple[int, ...]
    turns: tuple[int, ...]
    statuses: tuple[int, ...]
    corrected_by: tuple[int, ...]
    corrections: tuple[Name, ...]


def index_of_lines(moment: Moment, *, after: Place | None = None, limit: int) -> tuple[IndexOfLines, Place | None]:
    """The index of a game's lines as its viewer may see them, and the place to go on `after`; None at the end."""
    kept = lines_of(moment.game)
    lines = kept.upto(moment.now)
    outcomes = kept.outcomes(moment)
    seats = seated(moment.game, moment.now)
    place_of: dict[Any, int] = {one.seat: place for place, one in enumerate(seats)}
    rows: list[int] = []
    more: Place | None = None
    for row in range(0 if after is None else bisect_right(lines.places, after), len(lines.places)):
        outcome = outcomes.get(lines.names[row])
        if outcome is not None and not outcome.known:
            continue
        if len(rows) == limit:
            more = lines.places[rows[-1]]
            break
        rows.append(row)
    told = [outcomes.get(lines.names[row]) for row in rows]
    return IndexOfLines(
        seats=seats,
        status_names=STATUSES,
        lines=tuple(lines.names[row] for row in rows),
        rounds=tuple(lines.rounds[row] for row in rows),
        turns=tuple(place_of.get(lines.turns[row], NOBODY) for row in rows),
        statuses=tuple(0 if one is None else STATUSES.index(one.status) for one in told),
        corrected_by=tuple(0 if one is None else one.by for one in told),
        corrections=tuple(
            lines.names[row] for row, one in zip(rows, told, strict=True) if one is not None and one.corrects
        ),
    ), more


def changes_of(moment: Moment, agreements: Collection[str]) -> list[AgreementChange]:
    """What the lines of a game did to these agreements, in the order of the history."""
    return lines_of(moment.game).changes_of(moment.now, agreements)


def changes_by(moment: Moment, line: Name) -> list[AgreementChange]:
    """What one line of a game did to agreements."""
    return lines_of(moment.game).changes_by(moment.now, line)


def may_know(moment: Moment, line: Name) -> bool:
    """Whether the viewer may know of a line: of all but inserted ones of which they see nothing."""
    outcome = lines_of(moment.game).outcomes(moment).get(line)
    return outcome is None or outcome.known
