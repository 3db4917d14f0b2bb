"""Invitations: short codes, each exchanged once for a token of a game.

A code such as `KF7M-2QMX` is read from a screen and typed by hand, so the code is short: eight times one of 23
letters and digits, no two alike, for 78 thousand million codes. Several measures prevent guessing:

- a code is valid once, and for an hour;
- an address that sends wrong codes waits longer after each (`api.rest.admission.guesses`). A wrong code never
  ends an invitation: a stranger cannot keep a table from filling;
- an unknown, used or expired code always gets an equal answer.

Codes of earlier versions have six characters, and stay valid for their hour.

Codes are stored as hashes with a secret of the installation, so a copy of the table alone, without the secret,
reveals no code.
"""

from __future__ import annotations

import hmac
import random
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cached_property

import msgspec

from ledger.access import credentials
from ledger.access.first_answers import FirstAnswers, KeyUsed, SealedCode, SealedToken
from ledger.access.tokens import Tokens
from ledger.kernel.facts.audience import Role, Viewer
from ledger.store.records import Invitation
from ledger.store.store import Store

VALID = timedelta(hours=1)
"""Lifetime of a code."""

LETTERS = "234679CDFGHJKMNPQRTVWXY"
"""The characters of codes. Without vowels, so no code is a word; without look-alikes."""
_HALF = 4
_IGNORED = re.compile(r"[\s\-\u2010-\u2015]+")


class Invited(msgspec.Struct, frozen=True):
    """A new invitation, and its code, shown only once."""

    invitation: Invitation
    code: str
    replayed: bool = False


class Joined(msgspec.Struct, frozen=True):
    """The token from a code, shown only once, and its game and viewer."""

    game_id: str
    viewer: Viewer
    token: str
    replayed: bool = False


class NoSuchToken(Exception):  # noqa: N818 - an answer, not a fault
    """The token to replace is not in force, or does not match the role and seat of the invitation."""


class Invitations:
    """The invitations of all games. Takes the store, a clock, a source of randomness, and the tokens."""

    def __init__(self, store: Store, clock: Callable[[], datetime], chance: random.Random, tokens: Tokens) -> None:
        self._store = store
        self._clock = clock
        self._chance = chance
        self._tokens = tokens
        self._first_answers: FirstAnswers = tokens.first_answers

    def invite(
        self,
        game_id: str,
        role: Role,
        seat: str | None = None,
        *,
        replaces: str | None = None,
        key: str | None = None,
    ) -> Invited:
        """Invite to a game as this role, or to this seat.

        The use of the code revokes the earlier tokens of the seat, and the token with the id `replaces`. With
        an idempotency key a repeated request gets the code again, for a day. Raises NoSuchToken, KeyUsed,
        KeyExpired.
        """
        earlier = None if key is None else self._invited(game_id, role, seat, replaces, key)
        if earlier is not None:
            return earlier
        if replaces is not None and not any(
            (credential.credential_id, credential.role, credential.seat, credential.revoked_at)
            == (replaces, role, seat, None)
            for credential in self._store.games.credentials(game_id)
        ):
            raise NoSuchToken(replaces)
        at = self._clock()
        code = self._new_code(at)
        half, whole = self._hashes(code)
        invitation = Invitation(
            game_id=game_id,
            invitation_id=self._chance.randbytes(6).hex() if key is None else self._id(game_id, key),
            half_hash=half,
            code_hash=whole,
            role=role,
            seat=seat,
            replaces=replaces,
            created_at=at,
            expires_at=at + VALID,
            sealed_code=None if key is None else self._first_answers.seal(SealedCode(code), game_id, key),
        )
        if self._store.invitations.add(invitation):
            return Invited(invitation, _format_code(code))
        if key is None:  # The random id or code was drawn before.
            return self.invite(game_id, role, seat, replaces=replaces)
        # A parallel repetition of this request was faster.
        first = self._invited(game_id, role, seat, replaces, key)
        if first is None:
            raise KeyUsed("the idempotency key was used before for another invitation")
        return first

    def open(self, game_id: str) -> list[Invitation]:
        """Return the open invitations of a game, oldest first. The result contains no codes."""
        return self._store.invitations.open_at(game_id, self._clock())

    def withdraw(self, game_id: str, invitation_id: str) -> bool:
        """Withdraw an invitation. Returns False if the invitation is not open."""
        return self._store.invitations.withdraw(game_id, invitation_id, self._clock())

    def join(self, code: str, game_id: str | None = None, *, key: str | None = None) -> Joined | None:
        """Exchange a code for a token. None if the code opens nothing (in the given game, if any).

        With an idempotency key a repeated request gets the token again, for a day. Raises KeyUsed, KeyExpired.
        """
        at = self._clock()
        named = self._named(code, game_id)
        for invitation in named:
            if invitation.is_open(at) and (joined := self._redeemed(invitation, key)) is not None:
                return joined
        if key is not None:
            # Read again: a parallel repetition of this request may have been answered.
            for invitation in named:
                if (
                    joined := self._joined(
                        self._store.invitations.get(invitation.game_id, invitation.invitation_id), key
                    )
                ) is not None:
                    return joined
        return None

    def follow(
        self, game_id: str, role: Role, seat: str | None, credential_id: str, *, key: str | None = None
    ) -> Joined | None:
        """Exchange a place in a table's last game for the same place in its next game, once.

        Takes the next game, the role and seat, and the id of the credential of the last game. A seat is given
        once, whichever of its credentials asks; any other role once for a credential. As with a code, earlier
        tokens of the seat are revoked. None if the place was given, or a device holds the seat. With an
        idempotency key a repeated request gets the token again, for a day. Raises KeyUsed, KeyExpired.
        """
        try:
            # No header holds such a key.
            invited = self.invite(game_id, role, seat, key=f"\0again\0{credential_id if seat is None else seat}")
        except KeyUsed:
            return None
        is_open = invited.invitation.is_open(self._clock())
        if is_open and seat is not None and seat in self._tokens.held_seats(game_id):
            self.withdraw(game_id, invited.invitation.invitation_id)
            return None
        return self.join(invited.code, game_id, key=key)

    def read(self, code: str, game_id: str | None = None) -> Invitation | None:
        """Return the open invitation of a code, and leave it open. None if the code opens nothing (in the given
        game, if any).
        """
        at = self._clock()
        return next((invitation for invitation in self._named(code, game_id) if invitation.is_open(at)), None)

    def _named(self, code: str, game_id: str | None) -> list[Invitation]:
        """Return the invitations of a code (in the given game, if any), open or not."""
        half, whole = self._hashes(code)
        return [
            invitation
            for invitation in self._store.invitations.of_half(half)
            if hmac.compare_digest(invitation.code_hash, whole) and game_id in {None, invitation.game_id}
        ]

    def _redeemed(self, invitation: Invitation, key: str | None) -> Joined | None:
        """Use an invitation, or return None if another request was faster. Raises KeyUsed."""
        game_id = invitation.game_id
        viewer = credentials.viewer_of(invitation.role, invitation.seat)
        token, credential = credentials.issue(
            self._chance,
            game_id,
            viewer.role,
            viewer.seat,
            self._clock(),
            credential_id=None if key is None else self._first_answers.derived_id("join", game_id, key),
        )
        sealed = None if key is None else self._first_answers.seal(SealedToken(token), game_id, key)
        used = self._store.invitations.redeem(invitation, credential, sealed)
        if used is False and key is None:  # The random id of the credential was drawn before.
            return self._redeemed(invitation, None)
        if used is False:
            raise KeyUsed("the idempotency key was used before to join with another code")
        self._tokens.forget(game_id)
        return Joined(game_id, viewer, token) if used else None

    def _joined(self, invitation: Invitation | None, key: str) -> Joined | None:
        """Return the first answer to the request that used the invitation with this key. Raises KeyExpired."""
        if invitation is None or invitation.sealed_token is None:
            return None
        game_id, sealed = invitation.game_id, invitation.sealed_token
        answer = self._first_answers.unseal(sealed, game_id, key, SealedToken)
        if answer is None:
            return None
        self._first_answers.require_recent(sealed, game_id, key)
        return Joined(
            game_id, credentials.viewer_of(invitation.role, invitation.seat), answer.token, replayed=True
        )

    def _invited(
        self, game_id: str, role: Role, seat: str | None, replaces: str | None, key: str
    ) -> Invited | None:
        """Return the first answer to an invitation with this key. Raises KeyUsed, KeyExpired."""
        invitation = self._store.invitations.get(game_id, self._id(game_id, key))
        if invitation is None or invitation.sealed_code is None:
            return None
        answer = self._first_answers.unseal(invitation.sealed_code, game_id, key, SealedCode)
        if answer is None or (invitation.role, invitation.seat, invitation.replaces) != (role, seat, replaces):
            raise KeyUsed("the idempotency key was used before for another invitation")
        self._first_answers.require_recent(invitation.sealed_code, game_id, key)
        return Invited(invitation, _format_code(answer.code), replayed=True)

    def _id(self, game_id: str, key: str) -> str:
        return self._first_answers.derived_id("invitation", game_id, key)

    def _new_code(self, at: datetime) -> str:
        """Return an unused code."""
        while True:
            code = "".join(self._chance.choice(LETTERS) for _ in range(2 * _HALF))
            half, whole = self._hashes(code)
            if not any(
                invitation.code_hash == whole and invitation.is_open(at)
                for invitation in self._store.invitations.of_half(half)
            ):
                return code

    def _hashes(self, code: str) -> tuple[bytes, bytes]:
        """Return the stored hashes of a code: of its first half and of the whole code (RFC 2104, HMAC-SHA-256).

        Small letters equal capitals; spaces and hyphens do not count.
        """
        plain = _IGNORED.sub("", code).upper()
        first = hmac.digest(self._secret, f"half\0{plain[: len(plain) // 2]}".encode(), "sha256")
        return first, hmac.digest(self._secret, f"code\0{plain}".encode(), "sha256")

    @cached_property
    def _secret(self) -> bytes:
        return self._store.installation.secret("invitations")


def _format_code(code: str) -> str:
    return f"{code[:_HALF]}-{code[_HALF:]}"
