"""The logs of a service: checkpoints, receipts, cosignatures of witnesses, and checks of journals.

A head is signed on request, and about once a second while a game is played (`sign_played`). Signed checkpoints
are stored, so a later change or cut of the journal can be detected.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

from ledger.games.game import Game
from ledger.games.games import Games
from ledger.games.moments import NoSuchAction
from ledger.store.database.errors import JournalNotAsSigned, StoreError
from ledger.store.logs import EarlierLog, StoredWitness
from ledger.store.records import Credential
from ledger.store.selecting import LARGEST
from ledger.store.store import Store
from ledger.trust.checkpoints import Checkpoint, verified
from ledger.trust.keys import Keys
from ledger.trust.log import Log
from ledger.trust.notes import WITNESS, BadNote, Note, Verifier, signature_of
from ledger.trust.receipts import Receipt

log = logging.getLogger("mabligop")

_LOGS_KEPT = 512
MOST_WITNESSES = 8
"""Maximum number of witnesses of a game."""
PLACES = {"banker": MOST_WITNESSES, "player": 2, "spectator": 1}
"""Maximum number of witnesses brought by a token, by its role."""
PLACES_OF_SPECTATORS = MOST_WITNESSES // 2
"""Maximum number of witnesses brought by spectators alone."""
_LOOKED_AT = 1000
"""Number of checkpoints to compare in search of the changed action."""


class NoSuchSize(LookupError):  # noqa: N818 - an answer, not a fault
    """The log never had this size, or not yet: the size, and the number of actions."""

    def __init__(self, size: int, head: int) -> None:
        super().__init__(f"the log has {head} actions, and no checkpoint over {size}")
        self.size = size
        self.head = head


class CosignatureRefused(ValueError):  # noqa: N818 - it names a condition
    """The note is not the signature of a witness under a checkpoint of this game."""


class NoPlace(Exception):  # noqa: N818 - an answer, not a fault
    """No further witness has a place: the game, the token or all spectators have brought `limit` witnesses."""

    def __init__(self, limit: int, whose: Literal["game", "token", "spectators"]) -> None:
        super().__init__(f"{limit} witnesses already, the bound of the {whose}")
        self.limit = limit
        self.whose: Literal["game", "token", "spectators"] = whose


class Logs:
    """The logs of a service. Takes the store, and a function that returns the keys."""

    def __init__(self, store: Store, keys: Callable[[], Keys]) -> None:
        self._store = store
        self._keys = keys
        self._logs: OrderedDict[str, Log] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def keys(self) -> Keys:
        """The keys of the service."""
        return self._keys()

    def log(self, game_id: str) -> Log:
        """Return the log of a game, as far as read."""
        with self._lock:
            game_log = self._logs.get(game_id)
            if game_log is None:
                game_log = self._logs[game_id] = Log(self._store.logs, game_id)
            self._logs.move_to_end(game_id)
            while len(self._logs) > _LOGS_KEPT:
                self._logs.popitem(last=False)
        return game_log

    def log_up_to(self, game_id: str, size: int) -> Log:
        """Return the log of a game, read up to a size of at least one.

        Raises NoSuchSize, and JournalNotAsSigned: a changed journal is never signed.
        """
        if game_id not in self._logs:
            fault = self.fault(game_id)
            if fault is not None:
                raise JournalNotAsSigned(game_id, fault)
        game_log = self.log(game_id)
        game_log.reach(size)
        if not 1 <= size <= game_log.size:
            raise NoSuchSize(size, game_log.size)
        return game_log

    # Checkpoints and proofs -------------------------------------------------------------------

    def checkpoint(self, game_id: str, size: int) -> Note:
        """Return the signed checkpoint over the first `size` actions, with the cosignatures of witnesses.

        Raises the errors of `log_up_to`.
        """
        keys = self.keys
        origin = keys.origin(game_id)
        head = Checkpoint(origin, size, self.log_up_to(game_id, size).root(size))
        note = keys.sign(head, game_id)
        self._store.logs.keep_checkpoint(game_id, origin, size, str(note))
        for _, line in self._store.logs.cosignatures(game_id, origin, size):
            note = note.with_signature(signature_of(line))
        return note

    def receipt(self, game_id: str, number: int, size: int, extra: bytes | None = None) -> Receipt:
        """Return the proof of action `number` in the log of `size` actions. Raises NoSuchAction, NoSuchSize."""
        game_log = self.log_up_to(game_id, size)
        if not 1 <= number <= size:
            raise NoSuchAction(number, size)
        path = tuple(game_log.inclusion(number - 1, size))
        return Receipt(number - 1, path, self.checkpoint(game_id, size), extra)

    def consistency(self, game_id: str, old: int, size: int) -> list[bytes]:
        """Return the proof that the log of `size` actions begins with the log of `old` actions.

        Raises NoSuchSize.
        """
        game_log = self.log_up_to(game_id, size)
        if not 1 <= old <= size:
            raise NoSuchSize(old, size)
        return game_log.consistency(old, size)

    def earlier(self, game_id: str) -> list[EarlierLog]:
        """Return the logs of a game signed under other names, oldest first: by a service without these keys."""
        return self._store.logs.earlier(game_id, self.keys.origin(game_id))

    # Witnesses --------------------------------------------------------------------------------

    def cosign(self, game_id: str, key: str, written: str, head: int, holder: Credential | None = None) -> Note:
        """Attach the signature of a witness to the checkpoint in the note. Returns the checkpoint.

        `holder` is the token of the caller; without a token only the bound of the game holds. Raises
        CosignatureRefused if the note is no checkpoint of this game, or not signed by this key, and NoPlace for a
        new witness without a place.
        """
        try:
            witness = Verifier.parse(key)
            note = Note.parse(written)
            if witness.kind != WITNESS:
                raise CosignatureRefused("the key is not that of a witness (C2SP tlog-cosignature)")
            (cosignature,) = note.signed_by([witness])
            claimed = Checkpoint.parse(note.text)
        except (BadNote, ValueError) as fault:
            raise CosignatureRefused(str(fault)) from fault
        if not 1 <= claimed.size <= head:
            raise CosignatureRefused(f"the game has no checkpoint over {claimed.size} actions: it has {head}")
        expected = self.checkpoint(game_id, claimed.size)
        if expected.text != note.text:
            raise CosignatureRefused("that is another checkpoint than the one of this game")
        self._store.logs.keep_cosignature(
            game_id,
            claimed.origin,
            claimed.size,
            str(witness),
            cosignature.line.rstrip("\n"),
            credential_id=None if holder is None else holder.credential_id,
            check=partial(_require_place, str(witness), None if holder is None else holder.role),
        )
        return self.checkpoint(game_id, claimed.size)

    # Supervision ------------------------------------------------------------------------------

    def sign_played(self, games: Games) -> None:
        """Sign the heads of the games played since the last call."""
        for game_id in games.take_played():
            try:
                self.checkpoint(game_id, self._store.journal.head(game_id))
            except (StoreError, NoSuchSize) as fault:
                log.warning("no checkpoint of game %s: %s", game_id, fault)

    def fault_in(self, game: Game) -> str | None:
        """Return the difference of a stored journal from its last signed checkpoint, or None."""
        return self.fault(game.id)

    def fault(self, game_id: str) -> str | None:
        """Return the difference from the last signed checkpoint by the id of the game, or None."""
        signed = self._signed(game_id, LARGEST, 1)
        if not signed:
            return None
        newest = signed[0]
        game_log = Log(self._store.logs, game_id)
        game_log.reach(newest.size)
        if game_log.size < newest.size:
            first, last = game_log.size + 1, newest.size
            return (
                f"a checkpoint over {last} actions was signed, and the journal has {game_log.size}:"
                f" {f'action {last} is' if first == last else f'actions {first} to {last} are'} missing"
            )
        if game_log.root(newest.size) == newest.root:
            with self._lock:
                self._logs.setdefault(game_id, game_log)
            return None
        return self._where(game_id, game_log, newest.size)

    def _where(self, game_id: str, game_log: Log, size: int) -> str:
        """Describe the range between signed checkpoints with the first changed action."""
        unchanged, first_changed = 0, size
        for checkpoint in self._signed(game_id, size, _LOOKED_AT):
            if game_log.root(checkpoint.size) == checkpoint.root:
                unchanged = checkpoint.size
                break
            first_changed = checkpoint.size
        which = (
            f"action {first_changed} is"
            if first_changed == unchanged + 1
            else f"one of the actions {unchanged + 1} to {first_changed} is"
        )
        return f"{which} not the one over which a checkpoint was signed"

    def _signed(self, game_id: str, upto: int, limit: int) -> list[Checkpoint]:
        """Return the newest checkpoints signed with a key in use, newest first."""
        keys = self.keys
        checkpoints: list[Checkpoint] = []
        for _, text in self._store.logs.checkpoints(game_id, keys.origin(game_id), upto, limit):
            for key in keys.verifiers(game_id):
                try:
                    checkpoints.append(verified(text, key))
                    break
                except BadNote:
                    continue
        return checkpoints


def _require_place(key: str, role: str | None, witnesses: Sequence[StoredWitness]) -> None:
    """Raise NoPlace if a new witness has no place. A known witness signs further checkpoints."""
    if any(witness.key == key for witness in witnesses):
        return
    if len(witnesses) >= MOST_WITNESSES:
        raise NoPlace(MOST_WITNESSES, "game")
    if role is not None and sum(witness.by_token for witness in witnesses) >= PLACES[role]:
        raise NoPlace(PLACES[role], "token")
    if role == "spectator" and sum(witness.of_spectators for witness in witnesses) >= PLACES_OF_SPECTATORS:
        raise NoPlace(PLACES_OF_SPECTATORS, "spectators")
