"""Forking a game: a new game whose journal begins with a copy of another game's entries."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from ledger.access import credentials
from ledger.access.tokens import Tokens
from ledger.acting.creating import Created, first_answer
from ledger.games.clock import Clock
from ledger.games.games import Games
from ledger.games.moments import NoSuchAction
from ledger.games.setups import Origin
from ledger.kernel.deciding.decision import Decision, decide
from ledger.kernel.deciding.due import due_immediately
from ledger.kernel.deciding.steps import entry_of, salt_of
from ledger.kernel.facts import texts
from ledger.kernel.facts.state import State
from ledger.kernel.journal.entry import body, read
from ledger.kernel.journal.sealing import seal
from ledger.kernel.journal.stored import copied
from ledger.kernel.rules.draft import Request
from ledger.kernel.rules.rulebook import Rulebook
from ledger.moving.importing import record_of
from ledger.store.records import ActionRecord, GameRecord


class Forking:
    """A creator of games that continue other games.

    Takes the games, the tokens, the clock and a source of randomness.
    """

    def __init__(self, games: Games, tokens: Tokens, clock: Clock, chance: random.Random) -> None:
        self._games = games
        self._tokens = tokens
        self._clock = clock
        self._chance = chance

    def fork(self, game_id: str, number: int, *, title: str | None = None, key: str | None = None) -> Created:
        """Create a game that continues another game from action `number`, with new tokens.

        The journal begins with the original entries up to the action, as known then, corrections included. A
        running clock is stopped, so the time does not run out (`Progress.resume_action`). With an idempotency
        key a repeated request gets the game and the tokens again, for a day. Raises UnknownGame, NoSuchAction,
        GameExists, KeyUsed, KeyExpired, Malformed (title).
        """
        texts.encoded({"title": title})
        texts.require_visible({"title": title})
        head = self._games.moment(game_id)
        if not 1 <= number <= head.version:
            raise NoSuchAction(number, head.version)
        origin = head.seen_at(number, number)
        state = origin.state
        answers = self._tokens.first_answers
        game = credentials.game_id(self._chance) if key is None else answers.game_id(key)
        request = hashlib.sha256(body(["fork", game_id, number, title])).digest()
        setup = replace(origin.game.setup, origin=Origin(game_id, number), simulated=None)
        tokens, rows = self._tokens.issue(game, setup.players)
        record = GameRecord(
            game_id=game,
            rulebook=origin.game.record.rulebook,
            title=title or origin.game.record.title,
            created_at=self._clock.game_time(state),
            setup=msgspec.json.encode(setup),
            request_hash=request if key is not None else None,
            sealed_answer=answers.seal(tokens, game, key) if key is not None else None,
        )
        # All is read before anything is written, because the writing may need the only connection.
        runs = self._games.store.journal.runs(game_id, upto=number)
        journal = [stored for run in runs for _, stored, _ in run]
        if self._games.store.copies.write(record, rows, self._copied_actions(record, state, journal)):
            forked = self._games.open(game)
            forked.history.save(forked.state)
            return Created(game, tokens)
        created = first_answer(self._games.store, answers, game, request, key)
        self._games.open(game)
        return created

    def _copied_actions(
        self, record: GameRecord, state: State, journal: Iterable[bytes]
    ) -> Iterator[ActionRecord]:
        """Yield the records of the copied entries, and of the first actions of the new game, if any.

        The first actions resume the game (`Progress.resume_action`), or are due at once then. Takes the new game's
        record, the state after the last copied entry as known then, and the stored original entries. A copied
        entry has the new game's id and a new salt, and no `chance`.
        """
        rulebook = self._games.rulebook(record.rulebook)
        for original in journal:
            stored = copied(original, record.game_id, salt_of(self._chance))
            entry = read(stored)
            yield record_of(stored, entry, map(rulebook.codec.event, entry.events))
        for request, decision in self._going_on(rulebook, state, record.created_at):
            entry = entry_of(record.game_id, request, decision, salt_of(self._chance))
            yield record_of(
                seal(rulebook.codec, decision.state, entry, decision.events, list), entry, decision.events
            )

    def _going_on(self, rulebook: Rulebook[Any], state: State, at: datetime) -> Iterator[tuple[Request, Decision]]:
        """Yield the action that resumes the game after the last copied entry, and the actions due at once then."""
        chance = self._chance if state.dice == "service" else None
        first = rulebook.progress.resume_action(state)
        if first is not None:
            request = Request(action=first[0], seat=first[1], by="system", at=at)
            decision = decide(rulebook, state, request, chance=chance)
            yield request, decision
            state = decision.state
        yield from due_immediately(rulebook, state, at, chance)
