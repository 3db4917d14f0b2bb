"""The ledger: the one door for every change and every reading of a game.

`Acting` performs, `Correcting` mends, `Reading` and `Auditing` answer; here games and their tokens are made.
"""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import msgspec

from ledger.access import credentials
from ledger.acting.correcting import Correcting, TakeBack
from ledger.acting.performing import Command, KeyUsed, Performed, StaleVersion
from ledger.games.states import Game
from ledger.kernel.audience import Role, Viewer
from ledger.kernel.decision import decide
from ledger.kernel.draft import Request
from ledger.kernel.journal import body
from ledger.kernel.opening import Opening
from ledger.kernel.refusals import Malformed
from ledger.kernel.rulebook import Rulebook
from ledger.kernel.state import Seat
from ledger.moving.exporting import Exporting
from ledger.moving.forking import Forking, NoSuchAction
from ledger.moving.importing import Origin
from ledger.reading.audit import Auditing
from ledger.reading.precedents import Precedents
from ledger.reading.replay import Replaying
from ledger.store.records import (
    Credential,
    GameRecord,
)
from ledger.store.store import Store

_TOKEN_SECONDS = 1.0
"""How long a process trusts a token it has checked: a revocation elsewhere takes effect within it."""


class Created(msgspec.Struct, frozen=True):
    """A new game and its tokens, shown this once."""

    game: str
    tokens: credentials.Sealed
    replayed: bool = False


class Replaced(msgspec.Struct, frozen=True):
    """A token that took another's place, shown this once, and whom it stands for."""

    token: str
    viewer: Viewer
    replayed: bool = False


class GameSetup(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a game was created with, as it is stored beside it."""

    players: tuple[Seat, ...]
    settings: dict[str, Any]
    dice: str
    origin: Origin | None = None
    """What it goes on from, if it did not begin with its own first action."""


class Ledger(Correcting, Auditing, Precedents, Exporting, Forking, Replaying):
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
        super().__init__(store, rulebooks, clock, chance)
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
        tokens, rows = self.new_tokens(game, players)
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
        return self._created_before(game, request, key)

    def fork(self, game_id: str, number: int, *, title: str | None = None, key: str | None = None) -> Created:
        """Start a new game that goes on from another one's action of this number, with tokens of its own.

        Its journal begins with the other's up to there, as it was known then, corrections among it. A clock that
        ran there does not run out meanwhile (`Rulebook.taking_up`). With an idempotency key the same request gives
        the same game and tokens again. Raises UnknownGame, NoSuchAction, KeyUsed.
        """
        origin = self.opened_game(game_id)
        head = self.state(game_id).version
        if not 1 <= number <= head:
            raise NoSuchAction(number, head)
        state = self.state(game_id, number, number)
        game = credentials.game_id(self._chance, key)
        request = hashlib.sha256(body(["fork", game_id, number, title])).digest()
        setup = msgspec.structs.replace(
            msgspec.json.decode(origin.record.setup, type=GameSetup), origin=Origin(game_id, number)
        )
        tokens, rows = self.new_tokens(game, setup.players)
        record = GameRecord(
            game_id=game,
            rulebook=origin.record.rulebook,
            title=title or origin.record.title,
            created_at=self._now(state),
            setup=msgspec.json.encode(setup),
            request_hash=request if key is not None else None,
            sealed_answer=credentials.seal(tokens, game, key) if key is not None else None,
        )
        journal = self.stored_until(origin, number)
        if self.store.write_game(record, rows, self.taken_over(record, state, journal)):
            self.keep_snapshot(self.opened_game(game))
            return Created(game, tokens)
        return self._created_before(game, request, key)

    def _created_before(self, game: str, request: bytes, key: str | None) -> Created:
        """What creating the game answered the first time. Raises KeyUsed when that was another request."""
        stored = self.store.game(game)
        if key is None or stored is None or stored.request_hash != request or stored.sealed_answer is None:
            raise KeyUsed("the idempotency key was used before to create another game")
        first = credentials.unseal(stored.sealed_answer, game, key, credentials.Sealed)
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

    def replace_token(self, game_id: str, credential_id: str, key: str | None = None) -> Replaced | None:
        """Revoke a token and issue a new one for the same role and seat; None when it is not in force.

        With an idempotency key the same request gives the same new token again. Raises KeyUsed.
        """
        earlier = None if key is None else self._replaced(game_id, credential_id, key)
        if earlier is not None:
            return earlier
        old = self._in_force(game_id, credential_id)
        if old is None:
            return None
        token, row = credentials.issue(
            self._chance,
            game_id,
            _viewer(old).role,
            old.seat,
            self._now(),
            credential_id=None if key is None else credentials.replacement_id(game_id, key),
        )
        if key is not None:
            answer = credentials.SealedReplacement(token, credential_id)
            row = replace(row, sealed=credentials.seal(answer, game_id, key))
        written = self.store.replace_credential(credential_id, row)
        self._tokens.pop(old.token_hash, None)
        if written:
            return Replaced(token, _viewer(old))
        # Somebody was faster: perhaps this very request, sent twice.
        return None if key is None else self._replaced(game_id, credential_id, key)

    def repeats_own_replacement(self, game_id: str, token: str, credential_id: str, key: str) -> bool:
        """Whether a token out of force is the one of this id, a banker's, replaced by a request with this key.

        Whoever replaced the token they were using and lost the answer can so ask for it again.
        """
        hashed = credentials.digest(token)
        return any(
            found.credential_id == credential_id and found.token_hash == hashed and found.role == "banker"
            for found in self.store.credentials(game_id)
        ) and (self._replaced(game_id, credential_id, key) is not None)

    def _replaced(self, game_id: str, credential_id: str, key: str) -> Replaced | None:
        """What replacing a token with this key gave the first time; None when that was never asked.

        Raises KeyUsed when the key was used to replace another token.
        """
        new = credentials.replacement_id(game_id, key)
        for found in self.store.credentials(game_id):
            if found.credential_id == new and found.sealed is not None:
                answer = credentials.unseal(found.sealed, game_id, key, credentials.SealedReplacement)
                if answer is None or answer.replaces != credential_id:
                    raise KeyUsed("the idempotency key was used before to replace another token")
                return Replaced(answer.token, _viewer(found), replayed=True)
        return None

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


def _viewer(found: Credential) -> Viewer:
    roles: dict[str, Role] = {"banker": "banker", "player": "player"}
    return Viewer(roles.get(found.role, "spectator"), found.seat)


__all__ = [
    "Command",
    "Created",
    "KeyUsed",
    "Ledger",
    "NoSuchAction",
    "Origin",
    "Performed",
    "StaleVersion",
    "TakeBack",
]
