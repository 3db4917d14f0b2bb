"""The seeds from which the service throws: derived from the installation's secret, committed to in the journal.

The seed of a game is never stored, and leaves the service only once it is opened (`kernel.dice.seeds`). Where the
seats throw together with the service, its values come from the seed, too (`kernel.dice.shared`).
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from ledger.games.game import Game
from ledger.kernel.dice.chains import Committed, in_force
from ledger.kernel.dice.chance import Chance
from ledger.kernel.dice.deriving import SERVICE, Throws, key_of
from ledger.kernel.dice.seeds import InForce, commitment
from ledger.kernel.dice.shared import Gathered, SharedThrows, ValuesWanted, service_value
from ledger.kernel.facts.state import State
from ledger.kernel.journal.entry import ChainEnd, Chances, Throw, Unthrown, read
from ledger.store.store import Store

_PURPOSE = "the seeds of dice"


class SeedStatus(msgspec.Struct, frozen=True):
    """What a journal tells of its chance, up to an action.

    `made` is how many seeds the service has committed to, and `force` the one in force. Of shared throws: how many
    there were, the action that made the last one, the chains of each seat (the newest last), who did not reveal a
    value for the last one, and the last one that the table made instead.
    """

    upto: int = 0
    made: int = 0
    force: InForce | None = None
    throws: int = 0
    thrown: int = 0
    chains: dict[str, tuple[Committed, ...]] = {}
    absent: frozenset[str] = frozenset()
    unthrown: int = 0


class Seeds:
    """The seeds of the games in which the service throws, alone or together with the seats.

    Takes the store, what throws before a commitment, and whether to commit at all.
    """

    def __init__(self, store: Store, otherwise: Chance, *, committing: bool = True) -> None:
        self._committing = committing
        self._store = store
        self._otherwise = otherwise
        self._secret: bytes | None = None

    def throws(self, game: Game, gathered: Gathered | None = None) -> Throws | SharedThrows:
        """The sources of chance of a game's next actions.

        Takes what was gathered for its next throw, if it was.
        """
        status = self.status(game)
        if game.state.shared and status.force is not None:
            return self._shared(game.id, status, gathered, game.state)
        return self._throws(game.id, status.force)

    def first_throws(self, game: Game, state: State) -> Throws | SharedThrows:
        """The sources of chance of a game whose first action, which commits to a seed, is not appended yet.

        Takes the state after that action.
        """
        if state.shared and self._committing:
            return self._shared(game.id, SeedStatus(force=InForce(0, 1)), None, state)
        return self._throws(game.id, InForce(0, 1))

    def _shared(self, game_id: str, status: SeedStatus, gathered: Gathered | None, state: State) -> SharedThrows:
        throw, after = status.throws + 1, state.version

        def gather() -> Gathered:
            if gathered is not None and gathered.throw == throw:
                return gathered
            if not status.chains:
                return Gathered(throw, after, {}, ())
            raise ValuesWanted(throw, after, status.chains, status.absent)

        generation = 0 if status.force is None else status.force.generation
        value = service_value(self._seed(game_id, generation), throw)
        return SharedThrows(game_id, gather, value, strict=state.shared == "shared_or_table")

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

    def told(
        self,
        game: Game,
        status: SeedStatus,
        after: State,
        throws: Throws | SharedThrows | None,
        *,
        openly: bool,
        first: bool,
        last: bool,
    ) -> tuple[Chances | UnsetType, SeedStatus]:
        """What the next entry tells of the chance of the game, and the status with it.

        Takes the state after its action, the sources from which it drew, whether everything that was drawn is
        public, and whether it is the first and the last of those that are appended at once.

        It opens the seed when the game has ended, and commits to one as long as none is in force: with the last of
        those that are appended at once, because the others did not draw from it, or with the first of the game. An
        end that does not reveal everything does not open it: the seed tells which cards were drawn.
        """
        number = after.version
        told: dict[str, Any] = {}
        if self._committing and after.dice == "service":
            if after.ended and after.reveals_at_end and status.force is not None:
                told["opens"] = self._seed(game.id, status.force.generation).hex()
            elif not after.ended and status.force is None and (last or number == 1):
                told["commits"] = commitment(game.id, self._seed(game.id, status.made))
            if after.shared:
                told |= self._told_of_throws(game, status, number, throws, openly=openly, first=first)
                generation = self._generation(status, told)
                made = status.throws + (("throw" in told) and told["throw"].place == 0)
                if generation is not None and ("commits" in told or made > status.throws):
                    value = service_value(self._seed(game.id, generation), made + 1)
                    told["next"] = commitment(game.id, value)
        if not told:
            return UNSET, msgspec.structs.replace(status, upto=number)
        chance = Chances(**told)
        return chance, self._after(game.id, status, number, chance)

    def _told_of_throws(
        self,
        game: Game,
        status: SeedStatus,
        number: int,
        throws: Throws | SharedThrows | None,
        *,
        openly: bool,
        first: bool,
    ) -> dict[str, Any]:
        """The throw that an action drew from, and what the seats have committed to since the last entry."""
        told: dict[str, Any] = {}
        drawn = throws.drawn(number) if isinstance(throws, SharedThrows) else None
        if drawn is not None and drawn.place:
            told["throw"] = Throw(number=drawn.gathered.throw, after=drawn.gathered.after, place=drawn.place)
        elif drawn is not None and status.force is not None:
            found = drawn.gathered
            value = service_value(self._seed(game.id, status.force.generation), found.throw)
            told["throw"] = Throw(
                number=found.throw,
                after=found.after,
                values={seat: value.hex() for seat, value in found.values.items()},
                missing=found.missing,
                service=value.hex() if openly else None,
            )
        if first:
            chains = {
                chain.seat: ChainEnd(chain.end.hex(), chain.length)
                for chain in self._store.chains(game.id)
                if all(chain.end != one.end for one in status.chains.get(chain.seat, ()))
            }
            if chains:
                told["chains"] = chains
            throw = status.throws + 1
            asked = None if status.unthrown == throw else self._store.asked_throw(game.id, throw)
            if asked is not None and asked.missing and "throw" not in told:
                told["unthrown"] = Unthrown(throw, asked.missing)
        return told

    def _generation(self, status: SeedStatus, told: Mapping[str, Any]) -> int | None:
        """The generation of the seed in force after an entry that tells this; None without one."""
        if "commits" in told:
            return status.made
        return None if "opens" in told or status.force is None else status.force.generation

    def _after(self, game_id: str, status: SeedStatus, number: int, chance: Chances) -> SeedStatus:
        """The status after an entry that tells this. What another service committed to is not known here."""
        made, force = status.made, status.force
        if chance.opens is not None:
            force = None
        if chance.commits is not None:
            own = commitment(game_id, self._seed(game_id, made)) == chance.commits
            made, force = made + own, InForce(made, number) if own else None
        throws, thrown, chains, absent = status.throws, status.thrown, dict(status.chains), status.absent
        throw = chance.throw
        if throw is not None and throw.place == 0:
            throws, thrown, absent = throw.number, number, frozenset(throw.missing)
            for seat, value in throw.values.items():
                chains[seat] = _revealed(chains.get(seat, ()), throw.number, throw.after, bytes.fromhex(value))
        for seat, chain in chance.chains.items():
            new = Committed(bytes.fromhex(chain.end), chain.length, number, throws)
            chains[seat] = (*chains.get(seat, ()), new)
        unthrown = status.unthrown
        if chance.unthrown is not None:
            unthrown, absent = chance.unthrown.number, frozenset(chance.unthrown.missing)
        return SeedStatus(number, made, force, throws, thrown, chains, absent, unthrown)

    def _seed(self, game_id: str, generation: int) -> bytes:
        if self._secret is None:
            self._secret = self._store.secret(_PURPOSE)
        return hmac.digest(self._secret, f"{game_id}\n{generation}".encode(), "sha256")


def _revealed(chains: tuple[Committed, ...], throw: int, after: int, value: bytes) -> tuple[Committed, ...]:
    """The chains of a seat once a value of the one that counts for a throw is in the journal."""
    used = in_force(chains, after)
    return tuple(one.revealed(throw, value) if one is used else one for one in chains)
