"""Following a game: the messages to viewers when the journal grows, when time acts, and at the beginning.

A `GameFeed` is polled repeatedly, by a single thread at a time. It remembers the last messages, and renders
shared content of several followers once.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from ledger.games.clock import Clock
from ledger.games.games import Games
from ledger.games.moments import Moment
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.labels import Name, name_of
from ledger.kernel.journal.sight import visible_entry
from ledger.kernel.journal.stored import leaf
from ledger.kernel.journal.timeline import Timeline
from ledger.reading.entries.consequences import corrections_of, seen_corrections
from ledger.reading.entries.overdue import overdue
from ledger.reading.entries.shared import SharedEntry, shared_entries
from ledger.reading.entries.views import EntryView
from ledger.reading.moves.moves import moves_of_all, shown_moves
from ledger.reading.moves.shown import ShownMoves
from ledger.reading.table.merging import patch_between
from ledger.reading.table.states import GameState, shown_state

MOST_MISSED = 200
"""Maximum number of missed entries sent to a returning follower.

Beyond, the follower reads the journal by pages.
"""

_PAGE = 100
_CLEARLY_SHORTER = 2
"""A patch shorter by this factor than the last state is sent without measuring the new state.

No action shortens a state so much.
"""
_UNSURE = timedelta(seconds=5)
"""Delay before the next look at a game whose rulebook cannot tell its deadlines."""

# Sorted: the order of an object's members reveals nothing hidden.
_encode = msgspec.json.Encoder(order="deterministic").encode


class Listening(msgspec.Struct, frozen=True):
    """A subscription: the viewer, the language ("en" or "fr"), and the options for the state and the moves."""

    viewer: Viewer
    language: str
    state: bool = False
    moves: bool = False


class Joining(msgspec.Struct, frozen=True):
    """A new follower. `last_known` is the last action known to the follower; None starts at the head.

    `leaf` is the beginning of the hash of the action's entry, in hex, if given: a different journal is then
    detected.
    """

    listening: Listening
    last_known: int | None = None
    leaf: str = ""


class Message(NamedTuple):
    """A message: its kind, the version of the game, and its content as JSON."""

    kind: str
    version: int
    content: bytes


class News(NamedTuple):
    """The messages for the current followers, and for each new follower in order.

    `version` is the version of the messages. `seats` are the seats of the game, `out` the eliminated seats.
    `wake` is the delay until time acts next, or None for never.
    """

    version: int
    changes: dict[Listening, tuple[Message, ...]]
    joined: list[tuple[Message, ...]]
    seats: tuple[str, ...]
    out: frozenset[str]
    wake: timedelta | None


class _Sent:
    """The last messages to a viewer in a language: the state, the moves, and the due actions."""

    __slots__ = ("due", "moves", "size", "state")

    def __init__(self) -> None:
        self.state: GameState | None = None
        self.size = 0
        """The length of the whole state as JSON, at its last encoding."""
        self.moves: tuple[ShownMoves, ...] | None = None
        self.due: tuple[int, int] | None = None


class GameFeed:
    """A follower of a game. Takes the games, a clock, and the game's id."""

    def __init__(self, games: Games, clock: Clock, game_id: str) -> None:
        self._games = games
        self._clock = clock
        self._game_id = game_id
        self._version: int | None = None
        self._had_ended = False
        self._was_continued = False
        self._sent: dict[tuple[Viewer, str], _Sent] = {}

    def poll(self, listening: Collection[Listening], joining: Sequence[Joining]) -> News:
        """Return the news since the last look for listening followers, and the beginning for joining followers.

        Raises the errors of opening and reading a game; then nothing counts as sent.
        """
        head = self._games.moment(self._game_id)
        version, state = head.version, head.newest
        since = version if self._version is None else self._version
        at = self._clock.game_time(state)
        moments: dict[Viewer, Moment] = {}
        entries: dict[tuple[Viewer, str, int], tuple[Message, ...]] = {}
        sent: dict[tuple[Viewer, str], _Sent] = {}

        def moment_of(viewer: Viewer) -> Moment:
            if viewer not in moments:
                moments[viewer] = head.seen_by(viewer)
            return moments[viewer]

        def entries_after(follower: Listening, number: int) -> tuple[Message, ...]:
            key = (follower.viewer, follower.language, number)
            if key not in entries:
                entries[key] = tuple(written.messages_after(moment_of(follower.viewer), follower.language, number))
            return entries[key]

        written = _Entries(head)
        changes: dict[Listening, tuple[Message, ...]] = {}
        looks = _Looks(at, self._clock.ahead(state), self._sent, sent)
        for follower in listening:
            messages = [*entries_after(follower, since), *looks.changes(moment_of(follower.viewer), follower)]
            if state.ended and not self._had_ended:
                messages.append(_ended(version))
            if head.continued is not None and not self._was_continued:
                messages.append(_continued(version, head.continued))
            changes[follower] = tuple(messages)
        joined: list[tuple[Message, ...]] = []
        beginnings: dict[Joining, tuple[Message, ...]] = {}
        for joiner in joining:
            if joiner not in beginnings:
                follower, number = joiner.listening, joiner.last_known
                moment = moment_of(follower.viewer)
                first: list[Message] = []
                if number is not None and not (0 <= version - number <= MOST_MISSED and _is_known(moment, joiner)):
                    first.append(_message("gap", version, {"after": number, "version": version}))
                elif number is not None:
                    # The follower may have left between an entry and its corrections, with the number of the
                    # entry.
                    first += written.rewritten(moment, number, number - 1)
                    first += entries_after(follower, number)
                first += looks.beginning(moment, follower)
                if state.ended:
                    first.append(_ended(version))
                if head.continued is not None:
                    first.append(_continued(version, head.continued))
                beginnings[joiner] = tuple(first)
            joined.append(beginnings[joiner])
        # Only now the news counts as sent.
        self._version, self._had_ended = version, state.ended
        self._was_continued = head.continued is not None
        self._sent = sent
        out = head.game.rulebook.screen.out(state)
        return News(version, changes, joined, tuple(state.seats), out, _time_to_wake(head, at))


class _Looks:
    """The states and the moves of a single look, each rendered once for a viewer and a language.

    `at` is the time of the game, `ahead` its lead over the clock. `previous` are the messages sent before.
    `current` is filled with the messages sent now.
    """

    def __init__(
        self,
        at: datetime,
        ahead: timedelta,
        previous: dict[tuple[Viewer, str], _Sent],
        current: dict[tuple[Viewer, str], _Sent],
    ) -> None:
        self._at = at
        self._ahead = ahead
        self._previous = previous
        self._current = current
        self._patches: dict[tuple[Viewer, str], Message | None] = {}
        self._differences: dict[tuple[int, int], Any] = {}
        """The patch of each member of a state, by the ids of its values: viewers share many values."""

    def changes(self, moment: Moment, listening: Listening) -> Iterator[Message]:
        """Yield the changes for a listening follower: the due actions, the state, the moves."""
        previous = self._previous.get((listening.viewer, listening.language)) or _Sent()
        current = self._sending(listening)
        due = self._due(moment, listening, current)
        if due is not None and current.due != previous.due:
            yield due
        if listening.state:
            yield from self._patch(moment, listening, previous, current)
        if listening.moves:
            self._see_moves(moment, listening, current)
            if current.moves != previous.moves:
                yield from _moves_message(moment, current)

    def beginning(self, moment: Moment, listening: Listening) -> Iterator[Message]:
        """Yield the first messages for a joining follower: the due actions, the state, the moves."""
        current = self._sending(listening)
        due = self._due(moment, listening, current)
        if due is not None:
            yield due
        if listening.state:
            state = self._see_state(moment, listening, current)
            whole = _encode({"version": moment.version, "state": state})
            current.size = len(whole)
            yield Message("state", moment.version, whole)
        if listening.moves:
            self._see_moves(moment, listening, current)
            yield from _moves_message(moment, current)

    def _sending(self, listening: Listening) -> _Sent:
        return self._current.setdefault((listening.viewer, listening.language), _Sent())

    def _due(self, moment: Moment, listening: Listening, current: _Sent) -> Message | None:
        late_actions = overdue(moment, self._at, listening.language)
        if late_actions is None:
            return None
        current.due = (moment.version, len(late_actions.actions))
        return _message("due", moment.version, {"version": moment.version, "due": late_actions})

    def _patch(self, moment: Moment, listening: Listening, previous: _Sent, current: _Sent) -> Iterator[Message]:
        key = (listening.viewer, listening.language)
        if key not in self._patches:
            self._see_state(moment, listening, current)
            self._patches[key] = self._change_of_state(previous, current)
        message = self._patches[key]
        if message is not None:
            yield message

    def _see_state(self, moment: Moment, listening: Listening, current: _Sent) -> GameState:
        if current.state is None:
            current.state = shown_state(moment, self._at, listening.language, self._ahead)
        return current.state

    def _change_of_state(self, previous: _Sent, current: _Sent) -> Message | None:
        """Return the change of the state as a patch, or the whole state if that is shorter. None without a
        change.
        """
        old, new = previous.state, current.state
        if new is None or old is new:
            current.size = previous.size
            return None
        version = new.version
        patch = None if old is None else self._patch_between(old, new)
        if old is not None and not patch:
            current.size = previous.size
            return None
        change = b"" if old is None else _encode({"version": version, "since": old.version, "patch": patch})
        if change and len(change) < previous.size // _CLEARLY_SHORTER:
            current.size = previous.size
            return Message("state", version, change)
        whole = _encode({"version": version, "state": new})
        current.size = len(whole)
        return Message("state", version, change if change and len(change) <= len(whole) else whole)

    def _patch_between(self, old: GameState, new: GameState) -> dict[str, Any]:
        """Return the merge patch between two states, member by member.

        Only changed members are converted to plain data.
        """
        patch: dict[str, Any] = {}
        for name in GameState.__struct_fields__:
            was, is_now = getattr(old, name), getattr(new, name)
            if was is is_now or was == is_now:
                continue
            key = (id(was), id(is_now))
            if key not in self._differences:
                self._differences[key] = _difference(was, is_now)
            patch[name] = self._differences[key]
        return patch

    def _see_moves(self, moment: Moment, listening: Listening, current: _Sent) -> None:
        """Remember the moves of the seat: for the banker the moves of all seats, for a spectator none."""
        if current.moves is not None:
            return
        match listening.viewer.role:
            case "banker":
                current.moves = moves_of_all(moment, self._at, listening.language)
            case "player":
                current.moves = (shown_moves(moment, listening.viewer.seat, self._at, listening.language),)
            case "spectator":
                current.moves = ()


def _is_known(moment: Moment, joiner: Joining) -> bool:
    """Return True unless the follower's last known action contradicts this journal."""
    stored = (
        moment.store.journal.entry(moment.game.id, joiner.last_known)
        if joiner.last_known and joiner.leaf
        else None
    )
    return stored is None or leaf(stored).hex().startswith(joiner.leaf)


def _moves_message(moment: Moment, current: _Sent) -> Iterator[Message]:
    """Yield the moves, in the form of the resource. Yields nothing for a spectator."""
    moves, version = current.moves, moment.version
    if not moves:
        return
    if moment.viewer.role == "banker":
        yield _message("moves", version, {"seats": moves, "version": version})
    else:
        yield _message("moves", version, {"seat": moves[0].seat, "moves": moves[0].moves, "version": version})


def _difference(was: Any, is_now: Any) -> Any:
    """Return the value of a changed member in a merge patch."""
    if is_now is UNSET:
        return None
    current = msgspec.to_builtins(is_now, str_keys=True)
    previous = None if was is UNSET else msgspec.to_builtins(was, str_keys=True)
    return (
        patch_between(previous, current) if isinstance(previous, dict) and isinstance(current, dict) else current
    )


class _Entries:
    """The entries sent at a single look.

    Each entry is read once, and encoded once for all viewers with an equal view.
    """

    def __init__(self, head: Moment) -> None:
        self._head = head
        self._corrections = {number for number, _ in head.corrections}
        self._turns: dict[int, int | None] = {}
        self._timeline: Timeline | None = None
        self._read: dict[int, SharedEntry] = {}
        self._encoded: dict[int, tuple[EntryView, bytes]] = {}

    def messages_after(self, moment: Moment, language: str, number_before: int) -> Iterator[Message]:
        """Yield the visible entries after an action, each with its corrections of earlier entries."""
        numbers = range(number_before + 1, moment.version + 1)
        unread = [number for number in numbers if number not in self._read]
        for start in range(0, len(unread), _PAGE):
            self._read |= shared_entries(self._head, unread[start : start + _PAGE])
        corrections = seen_corrections(moment, numbers)
        for number in numbers:
            view = self._read[number].seen_by(moment.viewer, language, corrections)
            yield Message("entry", number, self._encode(view))
            yield from self.rewritten(moment, number, number_before)

    def rewritten(self, moment: Moment, number: int, since: int) -> Iterator[Message]:
        """Yield a message about the earlier actions that read differently from action `number` on, if any.

        A correction changes or inserts actions. An end of the game reveals some, and the undo of an end hides
        them, as far as the follower knew the game at the action `since`. `from` is the first of these actions, or
        1 for an end: `effects` and `balances` of later entries may differ.
        """
        changed: dict[Name, int] = {}
        if number in self._corrections:
            changed = {
                name_of(consequence.label): consequence.place[0]
                for correction in corrections_of(moment, {number})
                for consequence in correction.consequences
            }
        if number == self._turn_of_the_end(since):
            changed |= dict.fromkeys(self._revealed(moment, number), 1)
        if changed:
            content = {"version": number, "numbers": list(changed), "from": min(changed.values())}
            yield _message("rewritten", number, content)

    def _turn_of_the_end(self, since: int) -> int | None:
        """Return an action after `since` that ended or reopened the game, if the game has done either since."""
        if since not in self._turns:
            self._turns[since] = None
            newest = self._head.newest
            may_differ = newest.ended or any(number > since for number in self._corrections)
            if since < newest.version and may_differ and self._ended_after(since) != newest.ended:
                numbers = range(since + 1, newest.version + 1)
                turn = bisect_left(numbers, True, key=lambda number: self._ended_after(number) == newest.ended)
                self._turns[since] = numbers[turn]
        return self._turns[since]

    def _ended_after(self, number: int) -> bool:
        """Return True if the game had ended right after an action, as known at the time."""
        newest, history = self._head.newest, self._head.game.history
        corrections = [correction for correction in newest.corrections if correction[0] <= number]
        return newest.ended if number == newest.version else history.state_after(number, corrections).ended

    def _revealed(self, moment: Moment, number: int) -> Iterator[Name]:
        """Yield the names of the earlier lines that the viewer reads otherwise before or after the end."""
        viewer, ended = moment.viewer, not moment.viewer.ended
        alternative = replace(viewer, ended=ended, revealed=ended and moment.newest.reveals_at_end)
        if viewer.sees_all and alternative.sees_all:
            return
        if self._timeline is None:
            self._timeline = moment.game.history.timeline_between(1, moment.version, moment.corrections)
        for line in self._timeline.entries():
            if line.entry.number < number and visible_entry(line, viewer) != visible_entry(line, alternative):
                yield name_of(line.label)

    def _encode(self, view: EntryView) -> bytes:
        cached = self._encoded.get(id(view))
        if cached is None:
            # The cache keeps the view, too: no later view can get its id.
            cached = self._encoded[id(view)] = view, _encode(view)
        return cached[1]


def _ended(version: int) -> Message:
    return _message("ended", version, {"version": version})


def _continued(version: int, following: str) -> Message:
    return _message("continued", version, {"version": version, "game": following})


def _message(kind: str, version: int, content: Any) -> Message:
    return Message(kind, version, _encode(content))


def _time_to_wake(moment: Moment, at: datetime) -> timedelta | None:
    """Return the delay until time acts next in the game at the time `at`, or None for never."""
    deadlines = moment.rulebook.progress.deadlines(moment.newest)
    if deadlines is None:
        return _UNSURE
    return min((deadline - at for deadline in deadlines if deadline > at), default=None)
