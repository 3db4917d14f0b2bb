"""The logs of a service: checkpoints, receipts, what witnesses signed, and whether a journal is as it was signed.

A head is signed when somebody asks for it, and about once a second while a game is played (`sign_played`). What
was signed is stored, so that a journal that is rewritten or cut afterwards can be told from the one that was.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable

from ledger.games.game import Game
from ledger.games.games import Games
from ledger.games.moments import NoSuchAction
from ledger.store.database.errors import NotAsSigned, StoreError
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
"""The most witnesses of one game."""
_LOOKED_AT = 1000
"""So many checkpoints are compared to find out where a journal was rewritten."""


class NoSuchSize(LookupError):  # noqa: N818 - an answer, not a fault
    """The log never had this size, or not yet: the size, and how many actions there are."""

    def __init__(self, size: int, head: int) -> None:
        super().__init__(f"the log has {head} actions, and no checkpoint over {size}")
        self.size = size
        self.head = head


class NoWitness(ValueError):  # noqa: N818
    """What was sent is not the signature of a witness under a checkpoint of this game."""


class Logs:
    """The logs of a service. Takes the store, and a function that gives the keys."""

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
        """The log of a game, as far as it has been read."""
        with self._lock:
            found = self._logs.get(game_id)
            if found is None:
                found = self._logs[game_id] = Log(self._store, game_id)
            self._logs.move_to_end(game_id)
            while len(self._logs) > _LOGS_KEPT:
                self._logs.popitem(last=False)
        return found

    def reached(self, game_id: str, size: int) -> Log:
        """The log of a game, read up to a size of at least one.

        Raises NoSuchSize, and NotAsSigned: nothing is signed over a journal that was rewritten.
        """
        if game_id not in self._logs:
            fault = self.fault(game_id)
            if fault is not None:
                raise NotAsSigned(game_id, fault)
        found = self.log(game_id)
        found.reach(size)
        if not 1 <= size <= found.size:
            raise NoSuchSize(size, found.size)
        return found

    # Checkpoints and proofs ---------------------------------------------------------------------

    def checkpoint(self, game_id: str, size: int) -> Note:
        """The checkpoint over the first `size` actions, signed, with what witnesses signed.

        Raises as `reached` does.
        """
        keys = self.keys
        origin = keys.origin(game_id)
        head = Checkpoint(origin, size, self.reached(game_id, size).root(size))
        note = keys.sign(head, game_id)
        self._store.keep_checkpoint(game_id, origin, size, str(note))
        for _, line in self._store.cosignatures(game_id, origin, size):
            note = note.with_signature(signature_of(line))
        return note

    def receipt(self, game_id: str, number: int, size: int, extra: bytes | None = None) -> Receipt:
        """That action `number` is in the log of `size` actions. Raises NoSuchAction, NoSuchSize."""
        found = self.reached(game_id, size)
        if not 1 <= number <= size:
            raise NoSuchAction(number, size)
        path = tuple(found.inclusion(number - 1, size))
        return Receipt(number - 1, path, self.checkpoint(game_id, size), extra)

    def consistency(self, game_id: str, old: int, size: int) -> list[bytes]:
        """That the log of `size` actions begins with that of `old`. Raises NoSuchSize."""
        found = self.reached(game_id, size)
        if not 1 <= old <= size:
            raise NoSuchSize(old, size)
        return found.consistency(old, size)

    # Witnesses ----------------------------------------------------------------------------------

    def cosign(self, game_id: str, key: str, written: str, head: int) -> Note:
        """Attach the signature of a witness to a checkpoint, which is given with it. Returns the checkpoint.

        Raises NoWitness when the note is no checkpoint of this game, or not signed by this key, or when the game
        has enough witnesses.
        """
        try:
            witness = Verifier.parse(key)
            note = Note.parse(written)
            if witness.kind != WITNESS:
                raise NoWitness("the key is not that of a witness (C2SP tlog-cosignature)")
            (made,) = note.signed_by([witness])
            said = Checkpoint.parse(note.text)
        except (BadNote, ValueError) as fault:
            raise NoWitness(str(fault)) from fault
        if not 1 <= said.size <= head:
            raise NoWitness(f"the game has no checkpoint over {said.size} actions: it has {head}")
        own = self.checkpoint(game_id, said.size)
        if own.text != note.text:
            raise NoWitness("that is another checkpoint than the one of this game")
        witnesses = self._store.witnesses(game_id) - {str(witness)}
        if len(witnesses) >= MOST_WITNESSES:
            raise NoWitness(f"the game has {MOST_WITNESSES} witnesses already")
        self._store.keep_cosignature(game_id, said.origin, said.size, str(witness), made.line.rstrip("\n"))
        return self.checkpoint(game_id, said.size)

    # Looking after them -------------------------------------------------------------------------

    def sign_played(self, games: Games) -> None:
        """Sign the heads of the games that have been played on since the last time."""
        for game_id in games.take_played():
            try:
                self.checkpoint(game_id, self._store.head(game_id))
            except (StoreError, NoSuchSize) as fault:
                log.warning("no checkpoint of game %s: %s", game_id, fault)

    def fault_in(self, game: Game) -> str | None:
        """What of a stored journal is not what was signed last; None when it is, or nothing was signed."""
        return self.fault(game.id)

    def fault(self, game_id: str) -> str | None:
        """The same by the id of the game."""
        signed = self._signed(game_id, LARGEST, 1)
        if not signed:
            return None
        newest = signed[0]
        found = Log(self._store, game_id)
        found.reach(newest.size)
        if found.size < newest.size:
            return (
                f"a checkpoint over {newest.size} actions was signed, and the journal has {found.size}:"
                f" actions {found.size + 1} to {newest.size} are missing"
            )
        if found.root(newest.size) == newest.root:
            with self._lock:
                self._logs.setdefault(game_id, found)
            return None
        return self._where(game_id, found, newest.size)

    def _where(self, game_id: str, found: Log, size: int) -> str:
        """Between which signed checkpoints the first action is that is not the one that was signed."""
        before, after = 0, size
        for one in self._signed(game_id, size, _LOOKED_AT):
            if found.root(one.size) == one.root:
                before = one.size
                break
            after = one.size
        which = f"action {after} is" if after == before + 1 else f"one of the actions {before + 1} to {after} is"
        return f"{which} not the one over which a checkpoint was signed"

    def _signed(self, game_id: str, upto: int, limit: int) -> list[Checkpoint]:
        """The newest checkpoints that were signed with a key in use, the newest first."""
        keys = self.keys
        found: list[Checkpoint] = []
        for _, text in self._store.checkpoints(game_id, keys.origin(game_id), upto, limit):
            for key in keys.verifiers(game_id):
                try:
                    found.append(verified(text, key))
                    break
                except BadNote:
                    continue
        return found
