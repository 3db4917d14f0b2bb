"""Acting: deciding an action and appending it, and only then answering.

A game's state is kept in memory and brought up to the journal's head before it is relied on. Deciding is
optimistic: an action is decided on the state at hand and appended under the next number. If the number is taken
the state was stale: it is brought up to date and the action decided again (or refused, when the caller insisted on
a version). A refusal counts only if the state it was based on is still the head.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import msgspec

from ledger.games.states import SNAPSHOT_EVERY, Game, UnknownGame
from ledger.kernel.actions import Action, Mending
from ledger.kernel.audience import Viewer
from ledger.kernel.decision import Decision, decide
from ledger.kernel.draft import Request
from ledger.kernel.draws import Chance
from ledger.kernel.events import Event, kind_of, tag_of, version_of
from ledger.kernel.history.corrections import Drop, Plan, WouldSpread, may_undo
from ledger.kernel.history.replanning import plan
from ledger.kernel.history.timeline import Standing, Timeline
from ledger.kernel.journal import Entry, body, canonical, leaf
from ledger.kernel.refusals import GameOver, Malformed, NotYours, Refusal
from ledger.kernel.rulebook import Rulebook
from ledger.kernel.seeing import looking
from ledger.kernel.state import State
from ledger.reading.entries import EntryView, view_entry, view_foreseen
from ledger.reading.journal import Reading
from ledger.reading.previews import Preview, preview_of
from ledger.store.records import ActionRecord, Appended, EventRecord, KeyReused, Replayed
from ledger.store.store import Store


class StaleVersion(Exception):  # noqa: N818 - an answer, not a fault
    """The caller insisted on a version that is not the head any more."""

    def __init__(self, expected: int, head: int) -> None:
        super().__init__(f"the game is at version {head}, not {expected}")
        self.expected = expected
        self.head = head


class KeyUsed(Exception):  # noqa: N818
    """The idempotency key was used before for another request."""


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """An action as a caller asks for it. `override` is the banker's reason for waiving rules."""

    kind: str
    params: dict[str, Any] = {}
    seat: str | None = None
    override: str | None = None


class Performed(msgspec.Struct, frozen=True):
    """An accepted action: its entry as the caller sees it, and whether it had been accepted before.

    When it was only previewed and mends the past, `preview` is what that would come to.
    """

    entry: EntryView
    version: int
    replayed: bool = False
    preview: Preview | None = None


class Acting(Reading):
    """What changes a game. Takes, besides, a source of randomness."""

    def __init__(
        self,
        store: Store,
        rulebooks: Mapping[str, Rulebook[Any]],
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        chance: random.Random | None = None,
    ) -> None:
        super().__init__(store, rulebooks, clock)
        self._chance = chance or random.SystemRandom()

    def perform(
        self,
        game_id: str,
        viewer: Viewer,
        command: Command,
        *,
        language: str = "en",
        expected: int | None = None,
        key: str | None = None,
        asked: object = None,
    ) -> Performed:
        """Perform one action and give its entry as the viewer sees it.

        `expected` is the version the caller insists on; `key` makes the request safe to repeat; `asked` is what
        the caller asked for when the command was made from something shorter. Raises a Refusal (nothing is
        written), UnknownGame, StaleVersion, KeyUsed, or StoreError when the database fails.
        """
        game = self.opened_game(game_id)
        action = self._action(game, viewer, command)
        request = None if key is None else request_digest(viewer, command if asked is None else asked)
        with game.lock:
            try:
                entry, stored = self._append(game, viewer, command, action, expected, key, request)
            except _AlreadyDone as done:
                return self._replay(game, done.number, viewer, language)
            except (Refusal, StaleVersion):
                # A repetition of an accepted request would now be refused, or come too late: answer as then.
                earlier = None if key is None else self._earlier(game, key, request)
                if earlier is None:
                    raise
                return self._replay(game, earlier, viewer, language)
            return Performed(self._fresh(game, entry, leaf(stored), viewer, language), game.state.version)

    def preview(
        self,
        game_id: str,
        viewer: Viewer,
        command: Command,
        *,
        language: str = "en",
        expected: int | None = None,
    ) -> Performed:
        """What `perform` would answer, writing nothing. No die is thrown: the draws needed must be given."""
        game = self.opened_game(game_id)
        action = self._action(game, viewer, command)
        with game.lock:
            self.catch_up(game)
            if expected is not None and expected != game.state.version:
                raise StaleVersion(expected, game.state.version)
            at = self._now(game.state)
            timely = [] if action.docket else self._due(game, game.state, at)
            state = timely[-1][1].state if timely else game.state
            request = self._request(game, viewer, command, action, at)
            decision, found = self._decided(game, state, request, chance=None)
            entry = self._entry(game, request, decision, state)
            # What is due by time alone is no less unknown than what is asked for.
            view = view_foreseen(
                game.rulebook, entry, decision.events, game.state, decision.state, viewer, language
            )
            shown = None if found is None else preview_of(game.rulebook, found, viewer, language)
            return Performed(view, game.state.version, preview=shown)

    def _request(self, game: Game, viewer: Viewer, command: Command, action: Action, at: datetime) -> Request:
        """What is asked for, with what the journal knows of the actions that it cites."""
        numbers = [number for number in action.cites() if number <= game.state.version]
        entries = (entry for number in sorted(numbers) for entry in self.entries_between(game, number, number))
        return Request(
            action=action,
            seat=viewer.seat if viewer.role == "player" else command.seat,
            by=viewer.seat if viewer.role == "player" and viewer.seat is not None else "banker",
            at=at,
            override=command.override,
            cited=Timeline(entries, game.rulebook.event).cited(game.rulebook, numbers) if numbers else {},
        )

    def _fresh(self, game: Game, entry: Entry, hashed: bytes, viewer: Viewer, language: str) -> EntryView:
        """An entry as it is seen right after it was written."""
        now = game.state
        events = tuple(game.rulebook.event(raw) for raw in entry.events)
        standing = Standing(entry, "effective", events, events, place=(entry.number, 0, 0))
        told = self.told_by_corrections(game, (entry.number,), looking(now, viewer), None)
        return view_entry(game.rulebook, standing, hashed, now, now, viewer, language, told)

    def _decided(
        self, game: Game, state: State, request: Request, chance: Chance | None
    ) -> tuple[Decision, Plan | None]:
        """Decide an action; one that mends the past is decided on the state that the mending gives.

        Gives the decision, and for one that mends the past all that it comes to, other orders included. So does
        the plan that a WouldSpread carries.
        """
        mending = request.action.mends()
        if mending is None:
            return decide(game.rulebook, state, request, chance=chance), None

        def whole(found: Plan) -> tuple[Decision, Plan]:
            decision = decide(game.rulebook, found.after, request, chance=chance, correction=found.event)
            return decision, msgspec.structs.replace(found, after=decision.state)

        try:
            return whole(self.plan(game, state, mending, request.by))
        except WouldSpread as refusal:
            with suppress(Refusal):  # what else is wrong with the action can wait
                refusal.plan = whole(refusal.plan)[1]
            raise

    def plan(self, game: Game, head: State, mending: Mending, by: str) -> Plan:
        """What a correction would come to, given the state at the head and who asks for it.

        Raises as `corrections.plan` does, and NotYours for a player who may not undo this.
        """
        timeline = self.timeline(game, 1, head.version)

        def state_before(number: int) -> State:
            return self.state_after(game, number - 1)

        if by not in {"banker", "system"}:
            match mending.edits:
                case (Drop(action=number),):
                    may_undo(game.rulebook, timeline, state_before, by, number)
                case _:
                    raise NotYours(
                        "a player may only undo one action of their own",
                        "un joueur ne peut qu'annuler une action à lui",
                    )
        return plan(game.rulebook, timeline, head, state_before, mending)

    def _action(self, game: Game, viewer: Viewer, command: Command) -> Action:
        """The action asked for, checked in the fixed order: its shape, then who asks, then whether it is over."""
        action = game.rulebook.action(command.kind, msgspec.json.encode(command.params))
        if viewer.role == "spectator":
            raise NotYours("a spectator only looks on", "un spectateur ne fait que regarder")
        if viewer.role == "player":
            if "player" not in action.by:
                raise NotYours(
                    "{kind} is for the {by} only",
                    "{kind} est réservé : {by}",
                    kind=command.kind,
                    by=" or ".join(action.by),
                )
            if command.seat is not None and command.seat != viewer.seat:
                raise NotYours(
                    "{seat} cannot act for {other}",
                    "{seat} ne peut pas agir pour {other}",
                    seat=viewer.seat,
                    other=command.seat,
                )
            if command.override is not None:
                raise NotYours("only the banker waives a rule", "seul le banquier peut lever une règle")
        elif "system" in action.by and "banker" not in action.by:
            raise NotYours("{kind} happens by itself", "{kind} se produit de lui-même", kind=command.kind)
        elif command.seat is not None and command.seat not in game.state.seats:
            raise Malformed(
                "there is no seat {seat!r} in this game; its seats are: {seats}",
                "il n'y a pas de siège {seat!r} dans cette partie ; ses sièges sont : {seats}",
                seat=command.seat,
                seats=", ".join(game.state.seats),
            )
        return action

    def _append(
        self,
        game: Game,
        viewer: Viewer,
        command: Command,
        action: Action,
        expected: int | None,
        key: str | None,
        request_hash: bytes | None,
    ) -> tuple[Entry, bytes]:
        """Decide and append until the state decided on was the head."""
        while True:
            state = game.state
            try:
                if state.ended and not action.docket:
                    raise GameOver("the game is over", "la partie est terminée")
                if expected is not None and expected != state.version:
                    raise StaleVersion(expected, state.version)
                at = self._now(state)
                timely = [] if action.docket else self._due(game, state, at)
                base = timely[-1][1].state if timely else state
                request = self._request(game, viewer, command, action, at)
                decision, _ = self._decided(game, base, request, self._drawing(base))
            except (Refusal, StaleVersion):
                # It counts only if it was said of the head.
                if self.catch_up(game):
                    continue
                raise
            # What time has made due is written only with an action that follows it: a refusal writes nothing.
            if timely and key is not None and (earlier := self._earlier(game, key, request_hash)) is not None:
                raise _AlreadyDone(earlier)
            if not self._write_all(game, timely):
                continue
            written = self._write(game, request, decision, key, request_hash)
            if written is not None:
                return written
            if expected is not None:
                expected += len(timely)

    def _write_all(self, game: Game, decided: list[tuple[Request, Decision]]) -> bool:
        """Append decisions that follow one another; False as soon as a race is lost."""
        return all(self._write(game, request, decision, None, None) is not None for request, decision in decided)

    def _due(self, game: Game, state: State, at: datetime) -> list[tuple[Request, Decision]]:
        """What time alone has made due at a moment, decided one after the other."""
        timely: list[tuple[Request, Decision]] = []
        while not state.ended and (due := game.rulebook.due(state, at)) is not None:
            request = Request(action=due[0], seat=due[1], by="system", at=at)
            decision = decide(game.rulebook, state, request, chance=self._drawing(state))
            timely.append((request, decision))
            state = decision.state
        return timely

    def _write(
        self,
        game: Game,
        request: Request,
        decision: Decision,
        key: str | None,
        request_hash: bytes | None,
    ) -> tuple[Entry, bytes] | None:
        """Append a decision. Gives the entry and its bytes; None when the race was lost."""
        entry = self._entry(game, request, decision, game.state)
        stored = canonical(entry)
        record = ActionRecord(
            number=entry.number,
            kind=entry.kind,
            seat=entry.seat,
            by=entry.by if entry.by in {"banker", "system"} else "player",
            recorded_at=entry.recorded_at,
            canonical=stored,
            leaf=leaf(stored),
            events=[
                event_record(event, entry.first_seq + offset, bytes(raw))
                for offset, (event, raw) in enumerate(zip(decision.events, entry.events, strict=True))
            ],
            idempotency_key=key,
            request_hash=request_hash,
        )
        outcome = self.store.append(game.record.game_id, record)
        if isinstance(outcome, Appended):
            game.state = decision.state
            # Right after a correction too: whoever rebuilds the game later has nothing to go back for.
            mended = request.action.mends() is not None
            if game.state.version % SNAPSHOT_EVERY == 0 or mended:
                self.keep_snapshot(game)
            if mended:
                self.keep_corrected_snapshots(game)
            return entry, stored
        if isinstance(outcome, Replayed):
            raise _AlreadyDone(outcome.number)
        if isinstance(outcome, KeyReused):
            raise KeyUsed(f"the idempotency key was used before for another request (action {outcome.number})")
        self.catch_up(game)
        return None

    def _entry(self, game: Game, request: Request, decision: Decision, before: State) -> Entry:
        return Entry(
            game=game.record.game_id,
            number=before.version + 1,
            kind=request.action.kind,
            seat=request.seat,
            by=request.by,
            params=msgspec.Raw(body(request.action)),
            draws=decision.draws,
            recorded_at=request.at,
            override=request.override,
            warnings=decision.warnings,
            events=tuple(msgspec.Raw(body(event)) for event in decision.events),
            first_seq=before.seq + 1,
            salt=self._chance.randbytes(16).hex(),
        )

    def _earlier(self, game: Game, key: str, request_hash: bytes | None) -> int | None:
        """The number under which a request with this key was accepted, None if it never was."""
        outcome = self.store.request(game.record.game_id, key, request_hash)
        if isinstance(outcome, KeyReused):
            raise KeyUsed(f"the idempotency key was used before for another request (action {outcome.number})")
        return None if outcome is None else outcome.number

    def _replay(self, game: Game, number: int, viewer: Viewer, language: str) -> Performed:
        entry = self.entry(game.record.game_id, number, viewer, language)
        if entry is None:
            raise UnknownGame(game.record.game_id)
        return Performed(entry, number, replayed=True)

    def _drawing(self, state: State) -> Chance | None:
        return self._chance if state.dice == "service" else None


def request_digest(viewer: Viewer, asked: object) -> bytes:
    """What tells whether two requests under one idempotency key are the same request."""
    return hashlib.sha256(body([{"role": viewer.role, "seat": viewer.seat}, asked])).digest()


class _AlreadyDone(Exception):  # noqa: N818
    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def event_record(event: Event, seq: int, stored: bytes) -> EventRecord:
    """What the store keeps of an event, whose stored body is given with its sequence number."""
    accounts: dict[str, None] = {}
    commodities: dict[str, None] = {}
    for posting in event.postings:
        accounts[posting.source] = accounts[posting.target] = None
        commodities[posting.commodity] = None
    return EventRecord(
        seq=seq,
        kind=kind_of(event),
        version=version_of(tag_of(event)),
        rule=event.rule,
        accounts=tuple(accounts),
        commodities=tuple(commodities),
        body=stored,
    )
