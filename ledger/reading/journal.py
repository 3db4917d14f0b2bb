"""Reading a game: journal, accounts, statements, moves, each as one viewer may see it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec

from ledger.games.states import Game, Moments
from ledger.kernel.audience import Viewer
from ledger.kernel.decision import decide
from ledger.kernel.draft import Request
from ledger.kernel.events import Amendment, kind_of
from ledger.kernel.history.timeline import Standing, Timeline
from ledger.kernel.journal import Entry, leaf, read
from ledger.kernel.moves import Move, Obstacle, moves, obstacles
from ledger.kernel.refusals import Malformed
from ledger.kernel.rulebook import Rulebook
from ledger.kernel.seeing import looking, seen_account
from ledger.kernel.sentences import speak
from ledger.kernel.state import State
from ledger.reading.consequences import Consequences
from ledger.reading.entries import EntryView, view_entry
from ledger.reading.movements import Movement, movements, searched_for
from ledger.store.records import Selection
from ledger.store.store import Store


class Line(msgspec.Struct, frozen=True):
    """A line of a statement: a posting seen from its account, signed, with the running balance."""

    action: str
    """What names the action: its number, or "60.1" for the first one that correction 60 inserted."""
    number: int
    seq: int | None
    """The number of its event among all of the game; None for whoever may not see all of them."""
    recorded_at: datetime
    kind: str
    rule: str
    text: str
    counterparty: str
    commodity: str
    amount: int
    balance: int | None
    """None when the viewer may see the posting but not what the account holds."""


_TOLD = 64
"""How many times what somebody can tell of the corrections of a game is kept in memory."""

_MOST_ROWS = 1000
"""How many entries are read at a time, when those read before had not enough in them that is shown."""


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """What to leave of a journal; every condition given must hold for what the viewer may see."""

    seat: str | None = None
    kind: str | None = None
    account: str | None = None
    commodity: str | None = None
    rule: str | None = None
    status: str | None = None
    since: datetime | None = None
    until: datetime | None = None

    def content(self) -> dict[str, str | None]:
        """What it asks of an action's content, by the names that a selection of the store has for it."""
        return {name: getattr(self, name) for name in ("seat", "kind", "account", "commodity", "rule")}

    def narrows_content(self) -> bool:
        """Whether it asks for more than times and statuses, which everybody may see."""
        return any(self.content().values())

    def admits(self, entry: EntryView) -> bool:
        """Whether the entry, as it is shown, meets every condition."""
        if self.seat is not None and entry.seat != self.seat:
            return False
        if self.kind is not None and entry.kind != self.kind:
            return False
        if self.status is not None and entry.status != self.status:
            return False
        events = (*entry.events, *entry.restated)
        if self.rule is not None and all(event.rule != self.rule for event in events):
            return False
        postings = [posting for event in events for posting in event.postings]
        if self.account is not None and all(
            self.account not in {posting.source, posting.target} for posting in postings
        ):
            return False
        return self.commodity is None or any(posting.commodity == self.commodity for posting in postings)


class Reading(Consequences):
    """What can be asked of a game. Takes, besides, a clock giving the time in UTC."""

    def __init__(
        self,
        store: Store,
        rulebooks: Mapping[str, Rulebook[Any]],
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        super().__init__(store, rulebooks)
        self._clock = clock

    def entry(
        self,
        game_id: str,
        number: int,
        viewer: Viewer,
        language: str = "en",
        known_at: int | None = None,
    ) -> EntryView | None:
        """One entry of the journal as the viewer sees it; None when there is no such number."""
        found = self._views(game_id, viewer, language, Selection(after=number - 1, before=number + 1), known_at)
        return found[0] if found else None

    def journal(
        self,
        game_id: str,
        viewer: Viewer,
        *,
        language: str = "en",
        only: Filter = Filter(),  # noqa: B008 - frozen
        after: int | None = None,
        newest_first: bool = False,
        limit: int = 50,
        at: int | None = None,
        known_at: int | None = None,
    ) -> tuple[list[EntryView], int | None]:
        """A page of the journal and the number to go on `after`, None at its end.

        It goes up to action `at`; entries stand as they did when the journal was known up to `known_at`.
        The filter is applied to what the viewer may see, so that asking does not tell what looking would hide.
        """
        page: list[EntryView] = []
        # What a correction restated or inserted is not what the store's rows say.
        plain = viewer.role == "banker" and not self.state(game_id).corrections
        sharp = plain or not only.narrows_content()
        end = min((one + 1 for one in (at, known_at) if one is not None), default=None)
        while True:
            before = min((one for one in (end, after if newest_first else None) if one is not None), default=None)
            selection = Selection(
                after=None if newest_first else after,
                before=before,
                newest_first=newest_first,
                limit=limit + 1 if sharp else max(limit + 1, 200),
                since=only.since,
                until=only.until,
                **(only.content() if sharp else {}),
            )
            found = self._views(game_id, viewer, language, selection, known_at)
            for view in found:
                if only.admits(view):
                    if len(page) == limit:
                        return page, page[-1].number
                    page.append(view)
            if len(found) < selection.limit:
                return page, None
            after = found[-1].number

    def reader(self, game_id: str, viewer: Viewer) -> Viewer:
        """The viewer as they look at the game now: once it has ended, all is revealed to everybody."""
        return looking(self.state(game_id), viewer)

    def accounts(self, state: State, rulebook: Rulebook[Any], viewer: Viewer) -> dict[str, dict[str, int]]:
        """Every account with what the viewer (see `reader`) may see of its holdings, unless that is nothing."""
        shown: dict[str, dict[str, int]] = {}
        for account in sorted(account for account, _ in state.holdings.items()):
            visible = seen_account(rulebook, state, account, viewer)
            if visible:
                shown[account] = dict(visible)
        return shown

    def statement(
        self,
        game_id: str,
        account: str,
        viewer: Viewer,
        *,
        language: str = "en",
        commodity: str | None = None,
        after: int | None = None,
        limit: int = 50,
        at: int | None = None,
        known_at: int | None = None,
    ) -> tuple[list[Line], int | None]:
        """A page of an account's statement, oldest first, and the action number to go on `after`.

        It holds what counts up to action `at`, as far as the journal is known at `known_at`.
        A page holds whole actions, so it may have a few lines more than `limit`.
        """
        game = self.opened_game(game_id)
        now = self.state(game_id)
        viewer = looking(now, viewer)
        found = self._movements(
            game, account, viewer, now, commodity=commodity, after=after, at=at, known_at=known_at, limit=limit
        )
        page: list[Movement] = []
        more: int | None = None
        for movement in found:
            # Whole actions, and only what is shown says whether there is more, and behind what.
            if len(page) >= limit and movement.standing.place[0] != page[-1].standing.place[0]:
                more = page[-1].standing.place[0]
                break
            page.append(movement)
        moments = self.moments(game, known_at)
        speakers = game.rulebook.speakers(now)
        return [
            Line(
                action=one.standing.name,
                number=one.standing.entry.number,
                seq=one.standing.entry.first_seq + one.offset if viewer.sees_all else None,
                recorded_at=one.standing.entry.recorded_at,
                kind=kind_of(one.event),
                rule=one.event.rule,
                text=speak(getattr(one.event, language), one.event, language, speakers),
                counterparty=one.counterparty,
                commodity=one.posting.commodity,
                amount=one.amount,
                balance=self.balance_after(game, one, account, viewer, now, moments),
            )
            for one in page
        ], more

    def moves_anything(self, game_id: str, account: str, viewer: Viewer, known_at: int | None = None) -> bool:
        """Whether the account's statement, as far as the journal is known, has a line that the viewer may see."""
        game = self.opened_game(game_id)
        now = self.state(game_id)
        found = self._movements(game, account, looking(now, viewer), now, known_at=known_at, limit=1)
        return next(found, None) is not None

    def balance_after(
        self, game: Game, movement: Movement, account: str, viewer: Viewer, now: State, moments: Moments
    ) -> int | None:
        """What the account holds after a movement, as far as the viewer may see it: by who could see it then."""
        lasts = viewer.sees_all or game.rulebook.audience_lasts(account)
        state = now if lasts else moments.after(movement.standing.place[0])
        return movement.balance(game.rulebook, state, account, viewer)

    def _movements(
        self,
        game: Game,
        account: str,
        viewer: Viewer,
        now: State,
        *,
        limit: int,
        commodity: str | None = None,
        after: int | None = None,
        at: int | None = None,
        known_at: int | None = None,
    ) -> Iterator[Movement]:
        """What moves in an account behind an action number, as far as the viewer may see it, oldest first."""
        start = after or 0
        end = min(one for one in (now.version, at, known_at) if one is not None)
        running = dict(self.state_after(game, start, known_at).holdings.account(account)) if start < end else {}
        sought = searched_for(game.rulebook, commodity, viewer)
        wanted = limit + 1
        while start < end:
            # As many more rows as corrections have changed, so that one fetch still fills a page.
            rows = wanted + min(limit, len(self._corrected_numbers(game, start, end, known_at, account)))
            found = self.store.entries(
                game.record.game_id,
                Selection(after=start, before=end + 1, account=account, commodity=sought, limit=rows),
            )
            last = found[-1][0] if len(found) == rows else end
            entries = [read(stored) for _, stored in found]
            for standing in self._touching(game, entries, start, last, known_at, account):
                for movement in movements(standing, account, running, now, viewer):
                    if commodity in {None, movement.posting.commodity}:
                        yield movement
            start = last
            wanted = min(2 * wanted, _MOST_ROWS)  # little of it is shown

    def _touching(
        self,
        game: Game,
        entries: list[Entry],
        start: int,
        last: int,
        known_at: int | None,
        account: str | None = None,
    ) -> list[Standing]:
        """What counts among these entries and among what corrections changed between two action numbers.

        With an account, only changes that touch it.
        """
        changed = self._corrected_numbers(game, start, last, known_at, account)
        missing = sorted(changed - {entry.number for entry in entries})
        timeline = self.timeline_of(game, [*entries, *self.changed_entries(game, missing)], known_at)
        return [one for one in timeline.effective() if start < one.place[0] <= last]

    def _corrected_numbers(
        self, game: Game, start: int, last: int, known_at: int | None, account: str | None
    ) -> set[int]:
        """The action numbers behind `start` up to `last` where corrections changed something of an account."""
        return {
            one
            for number, first in self.known_corrections(game, known_at)
            if first <= last
            for one, accounts in self.changed_by(game, number).items()
            if start < one <= last and (account is None or account in accounts)
        }

    def moves(self, game_id: str, viewer: Viewer, seat: str | None) -> list[Move]:
        """What the seat may do now (the banker: for a seat, or what is the banker's own)."""
        state, rulebook, at = self._present(game_id)
        seat = viewer.seat if viewer.role == "player" else seat
        return moves(rulebook, state, seat or "", rulebook.purse(seat or ""), viewer, at)

    def obstacles(self, game_id: str, viewer: Viewer, seat: str | None, kind: str) -> list[Obstacle]:
        """Why the seat may not do an action of this kind now, choice by choice. Raises Malformed."""
        state, rulebook, at = self._present(game_id)
        seat = viewer.seat if viewer.role == "player" else seat
        if kind not in rulebook.actions:
            raise Malformed(
                "{rulebook} has no action {kind!r}",
                "{rulebook} n'a pas d'action {kind!r}",
                rulebook=rulebook.id,
                kind=kind,
            )
        return obstacles(rulebook, state, seat or "", rulebook.purse(seat or ""), viewer, at, kind)

    def _present(self, game_id: str) -> tuple[State, Rulebook[Any], datetime]:
        """The state as the next action would meet it: with what time alone has made due."""
        state = self.state(game_id)
        rulebook = self.opened_game(game_id).rulebook
        at = self._now(state)
        while not state.ended and (due := rulebook.due(state, at)) is not None:
            timely = Request(action=due[0], seat=due[1], by="system", at=at)
            state = decide(rulebook, state, timely, chance=None).state
        return state, rulebook, at

    def _views(
        self, game_id: str, viewer: Viewer, language: str, selection: Selection, known_at: int | None = None
    ) -> list[EntryView]:
        """The selected entries as the viewer sees them, standing as they do when the journal is known so far."""
        game = self.opened_game(game_id)
        now = self.state(game_id)
        found = [
            (number, stored)
            for number, stored in sorted(self.store.entries(game_id, selection))
            if known_at is None or number <= known_at
        ]
        viewer = looking(now, viewer)
        timeline = self.timeline_of(game, [read(stored) for _, stored in found], known_at)
        told = self.told_by_corrections(game, [number for number, _ in found], viewer, known_at)
        views = [
            view_entry(game.rulebook, standing, leaf(stored), after, now, viewer, language, told)
            for (_, stored), (standing, after) in zip(
                found, self._followed(game, timeline, [number for number, _ in found], known_at), strict=True
            )
        ]
        if selection.newest_first:
            views.reverse()
        return views

    def told_by_corrections(
        self, game: Game, numbers: Collection[int], viewer: Viewer, known_at: int | None
    ) -> dict[int, tuple[Amendment, ...]]:
        """For the corrections among these numbers, what a viewer who does not see all can tell that they made."""
        known = [number for number, _ in self.known_corrections(game, known_at)]
        if viewer.sees_all or not any(number in numbers for number in known):
            return {}
        told = game.told.get((viewer, known[-1]))
        if told is None:
            if len(game.told) >= _TOLD:
                game.told.clear()
            told = {one.number: one.amendments() for one in self.consequences(game, viewer, known[-1])}
            game.told[viewer, known[-1]] = told
        return told

    def _followed(
        self, game: Game, timeline: Timeline, numbers: list[int], known_at: int | None
    ) -> Iterator[tuple[Standing, State]]:
        """How each of the entries stands, with the state right after it; neighbours are folded in one go."""
        counting: dict[int, list[Standing]] = {}
        for standing in timeline.effective():
            counting.setdefault(standing.place[0], []).append(standing)
        after: State | None = None
        for number in numbers:
            own = timeline.standing(number)
            if own is None:
                raise LookupError(f"action {number} is in the selection and not in the timeline")
            if after is not None and after.version == number - 1:
                after = after.copy()
                for standing in counting.get(number, ()):
                    after.fold(standing.events)
                after.version = number
            else:
                after = self.state_after(game, number, known_at)
            yield own, after

    def _now(self, state: State | None = None) -> datetime:
        """The time, to the millisecond, never before the last action: a clock set back reorders nothing."""
        at = self._clock()
        at = at.replace(microsecond=at.microsecond // 1000 * 1000)
        return at if state is None or state.last_at is None else max(at, state.last_at)
