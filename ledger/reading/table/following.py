"""Following a game: what its viewers are told when the journal goes on, when time acts, and when they begin.

A `Following` is asked again and again, by one thread at a time. It remembers what it told last, and renders once
what several followers read alike.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from ledger.games.clock import Clock
from ledger.games.games import Games
from ledger.games.moments import Moment
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.labels import name_of
from ledger.kernel.journal.stored import leaf
from ledger.reading.entries.consequences import corrections_of, seen_corrections
from ledger.reading.entries.overdue import overdue
from ledger.reading.entries.shared import SharedEntry, shared_entries
from ledger.reading.entries.views import EntryView
from ledger.reading.moves.moves import moves_of_all, shown_moves
from ledger.reading.moves.offered import ShownMoves
from ledger.reading.table.merging import patch_between
from ledger.reading.table.states import GameState, shown_state

MOST_MISSED = 200
"""How many missed entries a follower who comes back gets. Who has missed more reads the journal by pages."""

_PAGE = 100
_CLEARLY_SHORTER = 2
"""A patch that is this many times shorter than the state was last time is sent without a look at how long the
state is now: no action makes a state so much shorter."""
_UNSURE = timedelta(seconds=5)
"""When to look again at a game whose rulebook cannot tell when something falls due."""

# Sorted, so that the order of an object's members reveals nothing hidden.
_encode = msgspec.json.Encoder(order="deterministic").encode


class Listening(msgspec.Struct, frozen=True):
    """Who follows, in which language ("en" or "fr"), and whether they are told the state and the moves as well."""

    viewer: Viewer
    language: str
    state: bool = False
    moves: bool = False


class Joining(msgspec.Struct, frozen=True):
    """A follower who begins. `after` is the last action that they know; None for one who starts at the head.

    `leaf` is the beginning of the hash of its entry, in hex, if they say it: then another journal is noticed.
    """

    listening: Listening
    after: int | None = None
    leaf: str = ""


class Message(NamedTuple):
    """One message: its kind, the version of the game that it belongs to, and its content as JSON."""

    kind: str
    version: int
    content: bytes


class News(NamedTuple):
    """What there is to tell: to those who listen already, and to each who joins, in their order.

    `version` is the version up to which everybody has been told then. `seats` are those of the game, `out` those
    that are out of it. `wake` is in how long time will act next; None for never.
    """

    version: int
    told: dict[Listening, tuple[Message, ...]]
    joined: list[tuple[Message, ...]]
    seats: tuple[str, ...]
    out: frozenset[str]
    wake: timedelta | None


class _Known:
    """What a viewer has been told in a language: the state, the moves, and what was due when."""

    __slots__ = ("due", "moves", "size", "state")

    def __init__(self) -> None:
        self.state: GameState | None = None
        self.size = 0
        """The length of the whole state as JSON, when it was last written."""
        self.moves: tuple[ShownMoves, ...] | None = None
        self.due: tuple[int, int] | None = None


class Following:
    """Follows one game. Takes the games, a clock, and the game's id."""

    def __init__(self, games: Games, clock: Clock, game_id: str) -> None:
        self._games = games
        self._clock = clock
        self._game_id = game_id
        self._version: int | None = None
        self._had_ended = False
        self._known: dict[tuple[Viewer, str], _Known] = {}

    def look(self, listening: Collection[Listening], joining: Sequence[Joining]) -> News:
        """What is new since the last look, for those who listen, and the beginning for those who join.

        Raises what opening and reading a game raises; then nothing counts as told.
        """
        head = self._games.moment(self._game_id)
        version, state = head.version, head.now
        since = version if self._version is None else self._version
        at = self._clock.after(state)
        moments: dict[Viewer, Moment] = {}
        entries: dict[tuple[Viewer, str, int], tuple[Message, ...]] = {}
        known: dict[tuple[Viewer, str], _Known] = {}

        def moment_of(viewer: Viewer) -> Moment:
            if viewer not in moments:
                moments[viewer] = head.seen_by(viewer)
            return moments[viewer]

        def entries_after(one: Listening, after: int) -> tuple[Message, ...]:
            key = (one.viewer, one.language, after)
            if key not in entries:
                entries[key] = tuple(written.after(moment_of(one.viewer), one.language, after))
            return entries[key]

        written = _Entries(head)
        told: dict[Listening, tuple[Message, ...]] = {}
        looks = _Looks(at, self._clock.ahead(state), self._known, known)
        for one in listening:
            messages = [*entries_after(one, since), *looks.changes(moment_of(one.viewer), one)]
            if state.ended and not self._had_ended:
                messages.append(_ended(version))
            told[one] = tuple(messages)
        joined: list[tuple[Message, ...]] = []
        beginnings: dict[Joining, tuple[Message, ...]] = {}
        for joiner in joining:
            if joiner not in beginnings:
                one, after = joiner.listening, joiner.after
                moment = moment_of(one.viewer)
                first: list[Message] = []
                if after is not None and not (0 <= version - after <= MOST_MISSED and _is_known(moment, joiner)):
                    first.append(_message("gap", version, {"after": after, "version": version}))
                elif after is not None:
                    # They may have left between an entry and what it rewrote, which has the same number.
                    first += _rewritten(moment, after)
                    first += entries_after(one, after)
                first += looks.beginning(moment, one)
                if state.ended:
                    first.append(_ended(version))
                beginnings[joiner] = tuple(first)
            joined.append(beginnings[joiner])
        # Only now does it count as told.
        self._version, self._had_ended = version, state.ended
        self._known = known
        out = head.game.rulebook.out(state)
        return News(version, told, joined, tuple(state.seats), out, _wake(head, at))


class _Looks:
    """The states and the moves of one look, each shown once to a viewer in a language.

    `at` is the time of the game, `ahead` by how much that is ahead of the clock. `before` is what each was told
    up to now; `after` is filled with what each is told now.
    """

    def __init__(
        self,
        at: datetime,
        ahead: timedelta,
        before: dict[tuple[Viewer, str], _Known],
        after: dict[tuple[Viewer, str], _Known],
    ) -> None:
        self._at = at
        self._ahead = ahead
        self._before = before
        self._after = after
        self._patches: dict[tuple[Viewer, str], Message | None] = {}
        self._differences: dict[tuple[int, int], Any] = {}
        """The patch of each member of a state, by the ids of its values: viewers share many of them."""

    def changes(self, moment: Moment, one: Listening) -> Iterator[Message]:
        """What has changed for one who listens: the state, the moves, and what time has made due."""
        before = self._before.get((one.viewer, one.language)) or _Known()
        now = self._now(one)
        due = self._due(moment, one, now)
        if due is not None and now.due != before.due:
            yield due
        if one.state:
            yield from self._patch(moment, one, before, now)
        if one.moves:
            self._see_moves(moment, one, now)
            if now.moves != before.moves:
                yield from _moves_message(moment, now)

    def beginning(self, moment: Moment, one: Listening) -> Iterator[Message]:
        """What one who joins is told: all of it."""
        now = self._now(one)
        due = self._due(moment, one, now)
        if due is not None:
            yield due
        if one.state:
            state = self._see_state(moment, one, now)
            whole = _encode({"version": moment.version, "state": state})
            now.size = len(whole)
            yield Message("state", moment.version, whole)
        if one.moves:
            self._see_moves(moment, one, now)
            yield from _moves_message(moment, now)

    def _now(self, one: Listening) -> _Known:
        return self._after.setdefault((one.viewer, one.language), _Known())

    def _due(self, moment: Moment, one: Listening, now: _Known) -> Message | None:
        found = overdue(moment, self._at, one.language)
        if found is None:
            return None
        now.due = (moment.version, len(found.actions))
        return _message("due", moment.version, {"version": moment.version, "due": found})

    def _patch(self, moment: Moment, one: Listening, before: _Known, now: _Known) -> Iterator[Message]:
        key = (one.viewer, one.language)
        if key not in self._patches:
            self._see_state(moment, one, now)
            self._patches[key] = self._change_of_state(before, now)
        message = self._patches[key]
        if message is not None:
            yield message

    def _see_state(self, moment: Moment, one: Listening, now: _Known) -> GameState:
        if now.state is None:
            now.state = shown_state(moment, self._at, one.language, self._ahead)
        return now.state

    def _change_of_state(self, before: _Known, now: _Known) -> Message | None:
        """How the state has changed: a patch, or the state itself when that is shorter. None for no change."""
        old, new = before.state, now.state
        if new is None or old is new:
            now.size = before.size
            return None
        version = new.version
        patch = None if old is None else self._patch_between(old, new)
        if old is not None and not patch:
            now.size = before.size
            return None
        change = b"" if old is None else _encode({"version": version, "since": old.version, "patch": patch})
        if change and len(change) < before.size // _CLEARLY_SHORTER:
            now.size = before.size
            return Message("state", version, change)
        whole = _encode({"version": version, "state": new})
        now.size = len(whole)
        return Message("state", version, change if change and len(change) <= len(whole) else whole)

    def _patch_between(self, old: GameState, new: GameState) -> dict[str, Any]:
        """The merge patch between two states, member by member. Only what has changed is made plain."""
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

    def _see_moves(self, moment: Moment, one: Listening, now: _Known) -> None:
        """Remember the moves of the seat; for the banker those of all seats, for a spectator none."""
        if now.moves is not None:
            return
        match one.viewer.role:
            case "banker":
                now.moves = moves_of_all(moment, self._at, one.language)
            case "player":
                now.moves = (shown_moves(moment, one.viewer.seat, self._at, one.language),)
            case "spectator":
                now.moves = ()


def _is_known(moment: Moment, joiner: Joining) -> bool:
    """Whether the last action that a follower knows is of this journal, as far as they say which one it was."""
    stored = moment.store.entry(moment.game.id, joiner.after) if joiner.after and joiner.leaf else None
    return stored is None or leaf(stored).hex().startswith(joiner.leaf)


def _moves_message(moment: Moment, now: _Known) -> Iterator[Message]:
    """The moves, in the form in which the resource has them; nothing for a spectator."""
    moves, version = now.moves, moment.version
    if not moves:
        return
    if moment.viewer.role == "banker":
        yield _message("moves", version, {"seats": moves, "version": version})
    else:
        yield _message("moves", version, {"seat": moves[0].seat, "moves": moves[0].moves, "version": version})


def _difference(was: Any, is_now: Any) -> Any:
    """What a merge patch has for a member that changed."""
    if is_now is UNSET:
        return None
    after = msgspec.to_builtins(is_now, str_keys=True)
    before = None if was is UNSET else msgspec.to_builtins(was, str_keys=True)
    return patch_between(before, after) if isinstance(before, dict) and isinstance(after, dict) else after


class _Entries:
    """The entries that are told at one look. Each is read once, and encoded once for all who see the same."""

    def __init__(self, head: Moment) -> None:
        self._head = head
        self._corrections = {number for number, _ in head.corrections}
        self._read: dict[int, SharedEntry] = {}
        self._encoded: dict[int, tuple[EntryView, bytes]] = {}

    def after(self, moment: Moment, language: str, after: int) -> Iterator[Message]:
        """The entries after an action as a viewer sees them, each with what it rewrote."""
        numbers = range(after + 1, moment.version + 1)
        unread = [number for number in numbers if number not in self._read]
        for start in range(0, len(unread), _PAGE):
            self._read |= shared_entries(self._head, unread[start : start + _PAGE])
        corrections = seen_corrections(moment, numbers)
        for number in numbers:
            view = self._read[number].seen_by(moment.viewer, language, corrections)
            yield Message("entry", number, self._encode(view))
            if number in self._corrections:
                yield from _rewritten(moment, number)

    def _encode(self, view: EntryView) -> bytes:
        found = self._encoded.get(id(view))
        if found is None:
            # The view is kept as well, so that no other one gets its id.
            found = self._encoded[id(view)] = view, _encode(view)
        return found[1]


def _rewritten(moment: Moment, number: int) -> Iterable[Message]:
    """The earlier actions that a correction changed for the viewer, and those that it inserted.

    `from` is the first of them: holdings differ from there on, so `effects` and `balances` of later entries may.
    """
    changed = [one for made in corrections_of(moment, {number}) for one in made.consequences]
    if not changed:
        return []
    content = {
        "version": number,
        "numbers": [name_of(one.label) for one in changed],
        "from": min(one.place for one in changed)[0],
    }
    return [_message("rewritten", number, content)]


def _ended(version: int) -> Message:
    return _message("ended", version, {"version": version})


def _message(kind: str, version: int, content: Any) -> Message:
    return Message(kind, version, _encode(content))


def _wake(moment: Moment, at: datetime) -> timedelta | None:
    """In how long time acts next in a game where it is this late; None for never."""
    deadlines = moment.rulebook.deadlines(moment.now)
    if deadlines is None:
        return _UNSURE
    return min((one - at for one in deadlines if one > at), default=None)
