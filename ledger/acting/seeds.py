"""The seeds for throws by the service: derived from the installation's secret, committed to in the journal.

The seed of a game is never stored, and leaves the service only when opened (`kernel.dice.seeds`). In a game
with shared throws, the values of the service come from the seed, too (`kernel.dice.shared`).
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from ledger.games.game import Game
from ledger.kernel.dice.chains import CommittedChain, in_force
from ledger.kernel.dice.chance import Chance
from ledger.kernel.dice.deriving import SERVICE, Throws, key_of
from ledger.kernel.dice.seeds import InForce, commitment
from ledger.kernel.dice.shared import CollectedValues, SharedThrows, ValuesNeeded, service_value
from ledger.kernel.facts.state import State
from ledger.kernel.journal.entry import ChainEnd, Chances, Throw, Unthrown, read
from ledger.store.store import Store

_PURPOSE = "the seeds of dice"


class SeedStatus(msgspec.Struct, frozen=True):
    """The chance data of a journal, up to an action.

    `seed_count` is the number of seeds committed to by the service, and `force` the commitment in force. For
    shared throws: the number of throws, the action that made the last throw, the chains of each seat (the
    newest last), the seats without a revealed value for the last throw, and the last throw made by the table
    instead.
    """

    upto: int = 0
    seed_count: int = 0
    force: InForce | None = None
    throws: int = 0
    thrown: int = 0
    chains: dict[str, tuple[CommittedChain, ...]] = {}
    absent: frozenset[str] = frozenset()
    unthrown: int = 0


class Seeds:
    """The seeds of the games with throws by the service, alone or together with the seats.

    Takes the store, the source of throws before a commitment, and the switch for commitments.
    """

    def __init__(self, store: Store, otherwise: Chance, *, committing: bool = True) -> None:
        self._committing = committing
        self._store = store
        self._otherwise = otherwise
        self._secret: bytes | None = None

    def throws(self, game: Game, gathered: CollectedValues | None = None) -> Throws | SharedThrows:
        """Return the sources of chance of the next actions of a game.

        Takes the values collected for the next throw, if any.
        """
        status = self.status(game)
        if game.state.shared and status.force is not None:
            return self._shared(game.id, status, gathered, game.state)
        return self._throws(game.id, status.force)

    def first_throws(self, game: Game, state: State) -> Throws | SharedThrows:
        """Return the sources of chance of a game with a first action, committing to a seed, that is not
        appended yet.

        Takes the state after the first action.
        """
        if state.shared and self._committing:
            return self._shared(game.id, SeedStatus(force=InForce(0, 1)), None, state)
        return self._throws(game.id, InForce(0, 1))

    def _shared(
        self, game_id: str, status: SeedStatus, gathered: CollectedValues | None, state: State
    ) -> SharedThrows:
        throw, action = status.throws + 1, state.version

        def gather() -> CollectedValues:
            if gathered is not None and gathered.throw == throw:
                return gathered
            if not status.chains:
                return CollectedValues(throw, action, {}, ())
            raise ValuesNeeded(throw, action, status.chains, status.absent)

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
        """Return the seed data of the journal, up to the state of the game."""
        status: SeedStatus = game.seeds or SeedStatus()
        if self._committing and status.upto < game.state.version:
            for number, stored in self._store.journal.entries_with_chance(game.id, status.upto):
                if number <= game.state.version:
                    chance = read(stored).chance
                    status = status if chance is UNSET else self._advance(game.id, status, number, chance)
            game.seeds = status = msgspec.structs.replace(status, upto=game.state.version)
        return status

    def next_chances(
        self,
        game: Game,
        status: SeedStatus,
        state: State,
        throws: Throws | SharedThrows | None,
        *,
        openly: bool,
        first: bool,
        last: bool,
    ) -> tuple[Chances | UnsetType, SeedStatus]:
        """Return the chance data for the next entry, and the status after the entry.

        Takes the state after the action, the sources of the draws, `openly` if everything drawn is public, and
        the position of the action among the actions appended at once.

        The entry opens the seed after the end of the game, and commits to a seed while none is in force: with
        the last action appended at once, because the earlier actions did not draw from the seed, or with the
        first action of the game. An end that does not reveal everything does not open the seed, which would
        reveal the drawn cards.
        """
        number = state.version
        fields: dict[str, Any] = {}
        if self._committing and state.dice == "service":
            if state.ended and state.reveals_at_end and status.force is not None:
                fields["opens"] = self._seed(game.id, status.force.generation).hex()
            elif not state.ended and status.force is None and (last or number == 1):
                fields["commits"] = commitment(game.id, self._seed(game.id, status.seed_count))
            if state.shared:
                fields |= self._throw_chances(game, status, number, throws, openly=openly, first=first)
                generation = self._generation(status, fields)
                throw_count = status.throws + (("throw" in fields) and fields["throw"].place == 0)
                if generation is not None and ("commits" in fields or throw_count > status.throws):
                    value = service_value(self._seed(game.id, generation), throw_count + 1)
                    fields["next"] = commitment(game.id, value)
        if not fields:
            return UNSET, msgspec.structs.replace(status, upto=number)
        chance = Chances(**fields)
        return chance, self._advance(game.id, status, number, chance)

    def _throw_chances(
        self,
        game: Game,
        status: SeedStatus,
        number: int,
        throws: Throws | SharedThrows | None,
        *,
        openly: bool,
        first: bool,
    ) -> dict[str, Any]:
        """Return the throw that an action drew from, and the new chains of the seats since the last entry."""
        fields: dict[str, Any] = {}
        drawn = throws.drawn(number) if isinstance(throws, SharedThrows) else None
        if drawn is not None and drawn.position:
            fields["throw"] = Throw(number=drawn.gathered.throw, after=drawn.gathered.action, place=drawn.position)
        elif drawn is not None and status.force is not None:
            gathered = drawn.gathered
            value = service_value(self._seed(game.id, status.force.generation), gathered.throw)
            fields["throw"] = Throw(
                number=gathered.throw,
                after=gathered.action,
                values={seat: value.hex() for seat, value in gathered.values.items()},
                missing=gathered.missing,
                service=value.hex() if openly else None,
            )
        if first:
            chains = {
                chain.seat: ChainEnd(chain.end.hex(), chain.length)
                for chain in self._store.dice.chains(game.id)
                if all(chain.end != known_chain.end for known_chain in status.chains.get(chain.seat, ()))
            }
            if chains:
                fields["chains"] = chains
            throw = status.throws + 1
            asked_throw = None if status.unthrown == throw else self._store.dice.asked_throw(game.id, throw)
            if asked_throw is not None and asked_throw.missing and "throw" not in fields:
                fields["unthrown"] = Unthrown(throw, asked_throw.missing)
        return fields

    def _generation(self, status: SeedStatus, fields: Mapping[str, Any]) -> int | None:
        """Return the generation of the seed in force after an entry with the given chance data; None without a
        seed.
        """
        if "commits" in fields:
            return status.seed_count
        return None if "opens" in fields or status.force is None else status.force.generation

    def _advance(self, game_id: str, status: SeedStatus, number: int, chance: Chances) -> SeedStatus:
        """Return the status after an entry with the given chance data. Seeds committed to by another service
        are unknown here.
        """
        seed_count, force = status.seed_count, status.force
        if chance.opens is not None:
            force = None
        if chance.commits is not None:
            is_own = commitment(game_id, self._seed(game_id, seed_count)) == chance.commits
            seed_count, force = seed_count + is_own, InForce(seed_count, number) if is_own else None
        throws, thrown, chains, absent = status.throws, status.thrown, dict(status.chains), status.absent
        throw = chance.throw
        if throw is not None and throw.place == 0:
            throws, thrown, absent = throw.number, number, frozenset(throw.missing)
            for seat, value in throw.values.items():
                chains[seat] = _revealed(chains.get(seat, ()), throw.number, throw.after, bytes.fromhex(value))
        for seat, chain in chance.chains.items():
            new = CommittedChain(bytes.fromhex(chain.end), chain.length, number, throws)
            chains[seat] = (*chains.get(seat, ()), new)
        unthrown = status.unthrown
        if chance.unthrown is not None:
            unthrown, absent = chance.unthrown.number, frozenset(chance.unthrown.missing)
        return SeedStatus(number, seed_count, force, throws, thrown, chains, absent, unthrown)

    def _seed(self, game_id: str, generation: int) -> bytes:
        if self._secret is None:
            self._secret = self._store.installation.secret(_PURPOSE)
        return hmac.digest(self._secret, f"{game_id}\n{generation}".encode(), "sha256")


def _revealed(
    chains: tuple[CommittedChain, ...], throw: int, action: int, value: bytes
) -> tuple[CommittedChain, ...]:
    """Return the chains of a seat after the value for a throw is in the journal."""
    used = in_force(chains, action)
    return tuple(chain.revealed(throw, value) if chain is used else chain for chain in chains)
