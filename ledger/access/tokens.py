"""The tokens of games: issued with a game, checked at every request, replaced and revoked by the banker."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime

import msgspec

from ledger.access import credentials
from ledger.access.first_answers import FirstAnswers, KeyExpired, KeyUsed, Sealed, SealedReplacement
from ledger.kernel.facts.audience import Role, Viewer
from ledger.kernel.facts.state import Seat
from ledger.store.records import Credential
from ledger.store.store import Store

_TRUSTED_SECONDS = 1.0
"""How long a process trusts a checked token. A revocation by another process takes effect after this time."""

_MOST_TRUSTED = 10_000


class Replaced(msgspec.Struct, frozen=True):
    """A new token that replaces another one, shown only once, and its viewer."""

    token: str
    viewer: Viewer
    replayed: bool = False


def digest(token: str) -> bytes:
    """What stands for a token where it is remembered: a hash that tells nothing of it."""
    return credentials.digest(token)


class Tokens:
    """The tokens of all games. Takes the store, a clock, and a source of randomness."""

    def __init__(self, store: Store, clock: Callable[[], datetime], chance: random.Random) -> None:
        self._store = store
        self._clock = clock
        self._chance = chance
        self.first_answers = FirstAnswers(store, clock)
        self._trusted: dict[bytes, tuple[float, Viewer | None, str]] = {}

    def issue(self, game_id: str, players: Iterable[Seat]) -> tuple[Sealed, list[Credential]]:
        """Make the tokens of a new game and their credentials. Nothing is written."""
        at = self._clock()
        banker, first = credentials.issue(self._chance, game_id, "banker", None, at)
        spectator, second = credentials.issue(self._chance, game_id, "spectator", None, at)
        rows = [first, second]
        seats: dict[str, str] = {}
        for player in players:
            seats[player.seat], row = credentials.issue(self._chance, game_id, "player", player.seat, at)
            rows.append(row)
        return Sealed(banker=banker, players=seats, spectator=spectator), rows

    def grant(self, game_id: str, role: Role, seat: str | None) -> str:
        """Issue another token of a role, or of a seat, beside those in force, and return it."""
        token, row = credentials.issue(self._chance, game_id, role, seat, self._clock())
        self._store.add_credential(row)
        return token

    def holder(self, token: str) -> Credential | None:
        """The credential of a token in force; None for any other token. The database is asked."""
        return self._store.credential(credentials.game_of(token), credentials.digest(token))

    def forget(self, game_id: str) -> None:
        """Ask the database again about every token of a game: some of them have changed."""
        for hashed in [hashed for hashed, known in list(self._trusted.items()) if known[2] == game_id]:
            self._trusted.pop(hashed, None)

    def authenticate(self, token: str) -> tuple[str, Viewer] | None:
        """The game and the viewer of a token; None for an unknown or revoked token."""
        hashed = credentials.digest(token)
        game_id = credentials.game_of(token)
        known = self._trusted.get(hashed)
        moment = time.monotonic()
        if known is None or known[0] < moment:
            if len(self._trusted) > _MOST_TRUSTED:
                self._trusted.clear()
            found = self._store.credential(game_id, hashed)
            viewer = None if found is None or found.revoked_at is not None else _viewer(found)
            known = (moment + _TRUSTED_SECONDS, viewer, game_id)
            self._trusted[hashed] = known
        return None if known[1] is None else (game_id, known[1])

    def remembers(self, token: str) -> bool:
        """Whether this process found the token in force within the last second. The database is not asked."""
        known = self._trusted.get(credentials.digest(token))
        return known is not None and known[1] is not None and known[0] >= time.monotonic()

    def issued(self, game_id: str) -> list[Credential]:
        """All credentials ever issued for a game. They hold no secrets."""
        return self._store.credentials(game_id)

    def in_force(self, game_id: str) -> frozenset[bytes]:
        """The digests of all tokens of a game that are in force now (see `digest`). The database is asked."""
        return frozenset(one.token_hash for one in self._store.credentials(game_id) if one.revoked_at is None)

    def replace(self, game_id: str, credential_id: str, key: str | None = None) -> Replaced | None:
        """Revoke a token and issue a new one for the same role and seat; None when the token is not in force.

        With an idempotency key a repeated request gets the same new token again, for a day. Raises KeyUsed,
        KeyExpired.
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
            self._clock(),
            credential_id=None if key is None else self.first_answers.replacement_id(game_id, key),
        )
        if key is not None:
            answer = SealedReplacement(token, credential_id)
            row = replace(row, sealed=self.first_answers.seal(answer, game_id, key))
        written = self._store.replace_credential(credential_id, row)
        self._trusted.pop(old.token_hash, None)
        if written:
            return Replaced(token, _viewer(old))
        # Another request was faster: perhaps this request, sent twice.
        return None if key is None else self._replaced(game_id, credential_id, key)

    def repeats_own_replacement(self, game_id: str, token: str, credential_id: str, key: str) -> bool:
        """Whether a revoked token is the banker's token of this id, and a request with this key replaced it.

        So a banker who replaced the token in use, and lost the answer, can ask for the answer again, for a day.
        """
        hashed = credentials.digest(token)
        if not any(
            found.credential_id == credential_id and found.token_hash == hashed and found.role == "banker"
            for found in self._store.credentials(game_id)
        ):
            return False
        try:
            return self._replaced(game_id, credential_id, key) is not None
        except KeyExpired:
            return False

    def revoke(self, game_id: str, credential_id: str) -> bool:
        """Revoke a token. Returns False when the token is not in force."""
        old = self._in_force(game_id, credential_id)
        if old is None:
            return False
        revoked = self._store.revoke_credential(game_id, credential_id, self._clock())
        self._trusted.pop(old.token_hash, None)
        return revoked

    def _replaced(self, game_id: str, credential_id: str, key: str) -> Replaced | None:
        """The first answer to a replacement with this key; None when there was no such request.

        Raises KeyUsed when the key was used to replace another token, KeyExpired when that was over a day ago.
        """
        new = self.first_answers.replacement_id(game_id, key)
        for found in self._store.credentials(game_id):
            if found.credential_id == new and found.sealed is not None:
                answer = self.first_answers.unseal(found.sealed, game_id, key, SealedReplacement)
                if answer is None or answer.replaces != credential_id:
                    raise KeyUsed("the idempotency key was used before to replace another token")
                self.first_answers.require_recent(found.sealed, game_id, key)
                return Replaced(answer.token, _viewer(found), replayed=True)
        return None

    def _in_force(self, game_id: str, credential_id: str) -> Credential | None:
        for found in self._store.credentials(game_id):
            if found.credential_id == credential_id and found.revoked_at is None:
                return found
        return None


def _viewer(found: Credential) -> Viewer:
    return credentials.viewer_of(found.role, found.seat)
