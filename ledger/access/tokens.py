"""The tokens of games: issued with a game, checked at every request, replaced and revoked by the banker."""

from __future__ import annotations

import random
import time
from collections import Counter
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
"""Time during which a process trusts a checked token. A revocation by another process takes effect afterwards."""

_MOST_TRUSTED = 10_000


class Replaced(msgspec.Struct, frozen=True):
    """A new token instead of a revoked token, shown only once, and its viewer."""

    token: str
    viewer: Viewer
    replayed: bool = False


def digest(token: str) -> bytes:
    """Return the hash that stands for a token in memory. The hash reveals nothing."""
    return credentials.digest(token)


class Tokens:
    """The tokens of all games. Takes the store, a clock, and a source of randomness."""

    def __init__(self, store: Store, clock: Callable[[], datetime], chance: random.Random) -> None:
        self._games = store.games
        self._clock = clock
        self._chance = chance
        self.first_answers = FirstAnswers(store.installation, clock)
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
        """Issue an additional token for a role or a seat, and return the token."""
        token, row = credentials.issue(self._chance, game_id, role, seat, self._clock())
        self._games.add_credential(row)
        return token

    def holder(self, token: str) -> Credential | None:
        """Return the credential of a token in force, or None. Queries the database."""
        return self._games.credential(credentials.game_of(token), credentials.digest(token))

    def forget(self, game_id: str) -> None:
        """Forget the trusted tokens of a game after a change of its tokens."""
        for hashed in [hashed for hashed, cached in list(self._trusted.items()) if cached[2] == game_id]:
            self._trusted.pop(hashed, None)

    def authenticate(self, token: str) -> tuple[str, Viewer] | None:
        """Return the game and the viewer of a token, or None for an unknown or revoked token."""
        hashed = credentials.digest(token)
        game_id = credentials.game_of(token)
        cached = self._trusted.get(hashed)
        moment = time.monotonic()
        if cached is None or cached[0] < moment:
            if len(self._trusted) > _MOST_TRUSTED:
                self._trusted.clear()
            credential = self._games.credential(game_id, hashed)
            viewer = None if credential is None or credential.revoked_at is not None else _viewer(credential)
            cached = (moment + _TRUSTED_SECONDS, viewer, game_id)
            self._trusted[hashed] = cached
        return None if cached[1] is None else (game_id, cached[1])

    def remembers(self, token: str) -> bool:
        """Return True if this process found the token in force within the last second.

        Does not query the database.
        """
        cached = self._trusted.get(credentials.digest(token))
        return cached is not None and cached[1] is not None and cached[0] >= time.monotonic()

    def issued(self, game_id: str) -> list[Credential]:
        """Return all credentials ever issued for a game. The result contains no secrets."""
        return self._games.credentials(game_id)

    def held_seats(self, game_id: str) -> frozenset[str]:
        """Return the seats that a device has joined for and still holds.

        Every seat has one token from the creation of the game. The use of an invitation revokes that token and
        issues another.
        """
        issued = [credential for credential in self._games.credentials(game_id) if credential.seat is not None]
        joined = Counter(credential.seat for credential in issued)
        return frozenset(
            credential.seat
            for credential in issued
            if credential.seat is not None and credential.revoked_at is None and joined[credential.seat] > 1
        )

    def in_force(self, game_id: str) -> frozenset[bytes]:
        """Return the digests of all tokens of a game in force now (see `digest`). Queries the database."""
        return frozenset(
            credential.token_hash
            for credential in self._games.credentials(game_id)
            if credential.revoked_at is None
        )

    def replace(self, game_id: str, credential_id: str, key: str | None = None) -> Replaced | None:
        """Revoke a token and issue a new token for its role and seat. None if the token is not in force.

        With an idempotency key a repeated request gets the new token again, for a day. Raises KeyUsed,
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
        written = self._games.replace_credential(credential_id, row)
        self._trusted.pop(old.token_hash, None)
        if written:
            return Replaced(token, _viewer(old))
        # Another request was faster, possibly a repetition of this request.
        return None if key is None else self._replaced(game_id, credential_id, key)

    def repeats_own_replacement(self, game_id: str, token: str, credential_id: str, key: str) -> bool:
        """Return True for the banker's revoked token with this id, replaced by a request with this key.

        After replacing the token in use, and losing the answer, a banker can repeat the request for a day.
        """
        hashed = credentials.digest(token)
        if not any(
            credential.credential_id == credential_id
            and credential.token_hash == hashed
            and credential.role == "banker"
            for credential in self._games.credentials(game_id)
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
        revoked = self._games.revoke_credential(game_id, credential_id, self._clock())
        self._trusted.pop(old.token_hash, None)
        return revoked

    def _replaced(self, game_id: str, credential_id: str, key: str) -> Replaced | None:
        """Return the first answer to a replacement with this key, or None without such a request.

        Raises KeyUsed if the key was used to replace another token, KeyExpired if the first request is over a
        day old.
        """
        new = self.first_answers.replacement_id(game_id, key)
        for credential in self._games.credentials(game_id):
            if credential.credential_id == new and credential.sealed is not None:
                answer = self.first_answers.unseal(credential.sealed, game_id, key, SealedReplacement)
                if answer is None or answer.replaces != credential_id:
                    raise KeyUsed("the idempotency key was used before to replace another token")
                self.first_answers.require_recent(credential.sealed, game_id, key)
                return Replaced(answer.token, _viewer(credential), replayed=True)
        return None

    def _in_force(self, game_id: str, credential_id: str) -> Credential | None:
        for credential in self._games.credentials(game_id):
            if credential.credential_id == credential_id and credential.revoked_at is None:
                return credential
        return None


def _viewer(credential: Credential) -> Viewer:
    return credentials.viewer_of(credential.role, credential.seat)
