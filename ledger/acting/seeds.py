"""The seeds from which the service throws: derived from the installation's secret, committed to in the journal.

The seed of a game is never stored, and leaves the service only once it is opened. See `kernel.dice.seeds`.
"""

from __future__ import annotations

import hmac

import msgspec
from msgspec import UNSET, UnsetType

from ledger.games.game import Game
from ledger.kernel.dice.deriving import SERVICE, Throws, key_of
from ledger.kernel.dice.seeds import InForce, commitment
from ledger.kernel.draws import Chance
from ledger.kernel.journal import Chances, read
from ledger.kernel.state import State
from ledger.store.store import Store

_PURPOSE = "the seeds of dice"


class SeedStatus(msgspec.Struct, frozen=True):
    """What a journal tells of the service's seeds, up to an action: how many were made, and the one in force."""

    upto: int = 0
    made: int = 0
    force: InForce | None = None


class Seeds:
    """The seeds of the games in which the service throws.

    Takes the store, what throws before a commitment, and whether to commit at all.
    """

    def __init__(self, store: Store, otherwise: Chance, *, committing: bool = True) -> None:
        self._committing = committing
        self._store = store
        self._otherwise = otherwise
        self._secret: bytes | None = None

    def throws(self, game: Game) -> Throws:
        """The sources of chance of a game's next actions."""
        return self._throws(game.id, self.status(game).force)

    def first_throws(self, game: Game) -> Throws:
        """The sources of chance of a game whose first action, which commits to a seed, is not appended yet."""
        return self._throws(game.id, InForce(0, 1))

    def _throws(self, game_id: str, force: InForce | None) -> Throws:
        keys = (
            {}
            if force is None or not self._committing
            else {force.since: key_of({SERVICE: self._seed(game_id, force.generation)})}
        )
        return Throws(keys, game_id, self._otherwise)

    def status(self, game: Game) -> SeedStatus:
        """What the journal tells of the seeds, up to the game's state."""
        status: SeedStatus = game.seeds or SeedStatus()
        if self._committing and status.upto < game.state.version:
            for number, stored in self._store.entries_with_chance(game.id, status.upto):
                if number <= game.state.version:
                    chance = read(stored).chance
                    status = status if chance is UNSET else self._after(game.id, status, number, chance)
            game.seeds = status = msgspec.structs.replace(status, upto=game.state.version)
        return status

    def told(self, game: Game, status: SeedStatus, after: State) -> tuple[Chances | UnsetType, SeedStatus]:
        """What the next entry tells of the seeds, and the status with it. Takes the state after its action.

        It opens the seed when the game has ended, and commits to one as long as none is in force. An end that does
        not reveal everything does not open it: the seed tells which cards were drawn.
        """
        number = after.version
        chance: Chances | UnsetType = UNSET
        if self._committing and after.dice == "service":
            if after.ended and after.reveals_at_end and status.force is not None:
                chance = Chances(opens=self._seed(game.id, status.force.generation).hex())
            elif not after.ended and status.force is None:
                chance = Chances(commits=commitment(game.id, self._seed(game.id, status.made)))
        if chance is UNSET:
            return chance, msgspec.structs.replace(status, upto=number)
        return chance, self._after(game.id, status, number, chance)

    def _after(self, game_id: str, status: SeedStatus, number: int, chance: Chances) -> SeedStatus:
        """The status after an entry that tells this. What another service committed to is not known here."""
        if chance.opens is not None:
            return SeedStatus(number, status.made, None)
        own = commitment(game_id, self._seed(game_id, status.made)) == chance.commits
        return SeedStatus(number, status.made + own, InForce(status.made, number) if own else None)

    def _seed(self, game_id: str, generation: int) -> bytes:
        if self._secret is None:
            self._secret = self._store.secret(_PURPOSE)
        return hmac.digest(self._secret, f"{game_id}\n{generation}".encode(), "sha256")
