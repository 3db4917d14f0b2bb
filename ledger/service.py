"""The ledger: the one door for every change and every reading of a game.

A game's state is kept in memory and brought up to the journal's head before it is relied on. Deciding is
optimistic: an action is decided on the state at hand and appended under the next number. If the number is taken
the state was stale: it is brought up to date and the action decided again (or refused, when the caller insisted on
a version). A refusal counts only if the state it was based on is still the head.
"""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from ledger import credentials
from ledger.entries import EntryView, view_entry
from ledger.kernel.actions import Action
from ledger.kernel.audience import Role, Viewer
from ledger.kernel.decision import Decision, Request, decide
from ledger.kernel.draws import Chance
from ledger.kernel.events import Event, kind_of, tag_of, version_of
from ledger.kernel.journal import Entry, body, canonical, leaf, read
from ledger.kernel.refusals import GameOver, Malformed, NotYours, Refusal
from ledger.kernel.rulebook import Opening, Rulebook
from ledger.kernel.state import Seat, State
from ledger.reading import Reading
from ledger.states import SNAPSHOT_EVERY, Game, UnknownGame
from ledger.store.records import (
    ActionRecord,
    Appended,
    Credential,
    EventRecord,
    GameRecord,
    KeyReused,
    Replayed,
)
from ledger.store.store import Store

_TOKEN_SECONDS = 1.0
"""How long a process trusts a token it has checked: a revocation elsewhere takes effect within it."""


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
    """An accepted action: its entry as the caller sees it, and whether it had been accepted before."""

    entry: EntryView
    version: int
    replayed: bool = False


class Created(msgspec.Struct, frozen=True):
    """A new game and its tokens, shown this once."""

    game: str
    tokens: credentials.Sealed
    replayed: bool = False


class GameSetup(msgspec.Struct, frozen=True, kw_only=True):
    """What a game was created with, as it is stored beside it."""

    players: tuple[Seat, ...]
    settings: dict[str, Any]
    dice: str


class Ledger(Reading):
    """All games of one database.

    Takes the store, the rulebooks by id, a clock giving the time in UTC, and a source of randomness.
    """

    def __init__(
        self,
        store: Store,
        rulebooks: Mapping[str, Rulebook[Any]],
        *,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        chance: random.Random | None = None,
    ) -> None:
        super().__init__(store, rulebooks, clock)
        self._chance = chance or random.SystemRandom()
        self._tokens: dict[bytes, tuple[float, Viewer | None]] = {}

    # Games --------------------------------------------------------------------------------------

    def create(
        self,
        rulebook_id: str,
        *,
        title: str | None,
        players: Sequence[Seat],
        settings: Mapping[str, Any],
        dice: str,
        key: str | None = None,
    ) -> Created:
        """Create a game with its tokens; its first action lays out the table.

        With an idempotency key the same request gives the same game and tokens again. Raises UnknownRulebook,
        Malformed (settings, players), KeyUsed.
        """
        rulebook = self.rulebook(rulebook_id)
        setup = self._setup(rulebook, players, settings, dice)
        at = self._now()
        game = credentials.game_id(self._chance, key)
        request = hashlib.sha256(body([rulebook_id, title, setup])).digest()
        banker, banker_row = credentials.issue(self._chance, game, "banker", None, at)
        spectator, spectator_row = credentials.issue(self._chance, game, "spectator", None, at)
        rows = [banker_row, spectator_row]
        seats: dict[str, str] = {}
        for seat in players:
            seats[seat.seat], row = credentials.issue(self._chance, game, "player", seat.seat, at)
            rows.append(row)
        tokens = credentials.Sealed(banker=banker, players=seats, spectator=spectator)
        record = GameRecord(
            game_id=game,
            rulebook=rulebook_id,
            title=title or rulebook.title,
            created_at=at,
            setup=msgspec.json.encode(setup),
            request_hash=request if key is not None else None,
            sealed_answer=credentials.seal(tokens, game, key) if key is not None else None,
        )
        if self.store.create_game(record, rows):
            self.opened_game(game)
            return Created(game, tokens)
        stored = self.store.game(game)
        if key is None or stored is None or stored.request_hash != request or stored.sealed_answer is None:
            raise KeyUsed("the idempotency key was used before to create another game")
        first = credentials.unseal(stored.sealed_answer, game, key)
        if first is None:
            raise KeyUsed("the idempotency key was used before to create another game")
        self.opened_game(game)
        return Created(game, first, replayed=True)

    # Tokens -------------------------------------------------------------------------------------

    def authenticate(self, token: str) -> tuple[str, Viewer] | None:
        """The game and the viewer that a token stands for; None for an unknown or revoked one."""
        hashed = credentials.digest(token)
        game = credentials.game_of(token)
        known = self._tokens.get(hashed)
        moment = time.monotonic()
        if known is None or known[0] < moment:
            if len(self._tokens) > 10_000:
                self._tokens.clear()
            found = self.store.credential(game, hashed)
            viewer = None if found is None or found.revoked_at is not None else _viewer(found)
            known = (moment + _TOKEN_SECONDS, viewer)
            self._tokens[hashed] = known
        return None if known[1] is None else (game, known[1])

    def tokens(self, game_id: str) -> list[Credential]:
        """Every token ever issued for a game, without its secret."""
        return self.store.credentials(game_id)

    def replace_token(self, game_id: str, credential_id: str) -> str | None:
        """Revoke a token and issue a new one for the same role and seat; None when it is not in force."""
        old = self._in_force(game_id, credential_id)
        if old is None:
            return None
        token, row = credentials.issue(self._chance, game_id, _viewer(old).role, old.seat, self._now())
        replaced = self.store.replace_credential(credential_id, row)
        self._tokens.pop(old.token_hash, None)
        return token if replaced else None

    def revoke_token(self, game_id: str, credential_id: str) -> bool:
        """Revoke a token; False when it is not in force."""
        old = self._in_force(game_id, credential_id)
        if old is None:
            return False
        revoked = self.store.revoke_credential(game_id, credential_id, self._now())
        self._tokens.pop(old.token_hash, None)
        return revoked

    def _in_force(self, game_id: str, credential_id: str) -> Credential | None:
        for found in self.store.credentials(game_id):
            if found.credential_id == credential_id and found.revoked_at is None:
                return found
        return None

    # Acting -------------------------------------------------------------------------------------

    def perform(
        self,
        game_id: str,
        viewer: Viewer,
        command: Command,
        *,
        language: str = "en",
        expected: int | None = None,
        key: str | None = None,
    ) -> Performed:
        """Perform one action and give its entry as the viewer sees it.

        `expected` is the version the caller insists on; `key` makes the request safe to repeat. Raises a
        Refusal (nothing is written), UnknownGame, StaleVersion, KeyUsed, or StoreError when the database fails.
        """
        game = self.opened_game(game_id)
        action = self._action(game, viewer, command)
        request = hashlib.sha256(body([viewer, command])).digest() if key is not None else None
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
            events = [game.rulebook.event(raw) for raw in entry.events]
            view = view_entry(game.rulebook, entry, events, leaf(stored), game.state, game.state, viewer, language)
            return Performed(view, game.state.version)

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
            state = game.state
            while (due := game.rulebook.due(state, at)) is not None:
                timely = Request(action=due[0], seat=due[1], by="system", at=at)
                state = decide(game.rulebook, state, timely, chance=None).state
            request = _request(viewer, command, action, at)
            decision = decide(game.rulebook, state, request, chance=None)
            entry = self._entry(game, request, decision, state)
            view = view_entry(
                game.rulebook,
                entry,
                decision.events,
                b"",
                decision.state,
                decision.state,
                viewer,
                language,
            )
            return Performed(view, game.state.version)

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
                if state.ended:
                    raise GameOver("the game is over", "la partie est terminée")
                if expected is not None and expected != state.version:
                    raise StaleVersion(expected, state.version)
                at = self._now(state)
                if (due := game.rulebook.due(state, at)) is not None:
                    timely = Request(action=due[0], seat=due[1], by="system", at=at)
                    decision = decide(game.rulebook, state, timely, chance=self._drawing(state))
                    self._write(game, timely, decision, None, None)
                    expected = None if expected is None else game.state.version
                    continue
                request = _request(viewer, command, action, at)
                decision = decide(game.rulebook, state, request, chance=self._drawing(state))
            except (Refusal, StaleVersion):
                # It counts only if it was said of the head.
                if self.catch_up(game):
                    continue
                raise
            written = self._write(game, request, decision, key, request_hash)
            if written is not None:
                return written

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
                _event_record(event, entry.first_seq + offset, bytes(raw))
                for offset, (event, raw) in enumerate(zip(decision.events, entry.events, strict=True))
            ],
            idempotency_key=key,
            request_hash=request_hash,
        )
        outcome = self.store.append(game.record.game_id, record)
        if isinstance(outcome, Appended):
            game.state = decision.state
            if game.state.version % SNAPSHOT_EVERY == 0:
                self.keep_snapshot(game)
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
        self.catch_up(game)
        stored = self.store.entry(game.record.game_id, number)
        if stored is None:
            raise UnknownGame(game.record.game_id)
        entry = read(stored)
        events = [game.rulebook.event(raw) for raw in entry.events]
        after = self.state_after(game, number)
        view = view_entry(game.rulebook, entry, events, leaf(stored), after, game.state, viewer, language)
        return Performed(view, number, replayed=True)

    def _drawing(self, state: State) -> Chance | None:
        return self._chance if state.dice == "service" else None

    def opened(self, game: Game) -> None:
        """Perform the first action, also when the service was killed between creating the game and this."""
        while game.state.version == 0:
            setup = msgspec.json.decode(game.record.setup, type=GameSetup)
            opening = Opening(
                players=setup.players,
                settings=msgspec.convert(setup.settings, game.rulebook.settings),
                dice="table" if setup.dice == "table" else "service",
            )
            request = Request(
                action=game.rulebook.opening_action(opening), seat=None, by="system", at=game.record.created_at
            )
            decision = decide(game.rulebook, game.state, request, chance=self._chance)
            self._write(game, request, decision, None, None)

    def _setup(
        self, rulebook: Rulebook[Any], players: Sequence[Seat], settings: Mapping[str, Any], dice: str
    ) -> GameSetup:
        """Check what a game is to be created with, down to its first action. Raises a Refusal."""
        try:
            chosen = msgspec.convert(dict(settings), rulebook.settings)
        except msgspec.ValidationError as fault:
            raise Malformed(
                "the settings are not right: {fault}",
                "les réglages ne conviennent pas : {fault}",
                fault=str(fault),
            ) from fault
        opening = Opening(players=tuple(players), settings=chosen, dice="table" if dice == "table" else "service")
        rulebook.opening_action(opening)
        return GameSetup(players=tuple(players), settings=msgspec.to_builtins(chosen), dice=opening.dice)


class _AlreadyDone(Exception):  # noqa: N818
    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def _viewer(found: Credential) -> Viewer:
    roles: dict[str, Role] = {"banker": "banker", "player": "player"}
    return Viewer(roles.get(found.role, "spectator"), found.seat)


def _request(viewer: Viewer, command: Command, action: Action, at: datetime) -> Request:
    by = viewer.seat if viewer.role == "player" and viewer.seat is not None else "banker"
    seat = viewer.seat if viewer.role == "player" else command.seat
    return Request(action=action, seat=seat, by=by, at=at, override=command.override)


def _event_record(event: Event, seq: int, stored: bytes) -> EventRecord:
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
