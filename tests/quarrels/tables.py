"""Long simulated games, whose journals give the state after any action without folding from the start."""

from __future__ import annotations

from typing import Any

import msgspec

from ledger.kernel.deciding.in_memory import GameInMemory, JournalInMemory
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.state import Seat, State
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.entry import Entry
from ledger.kernel.journal.timeline import Timeline
from ledger.kernel.rules.bots import BANKER, Bot
from ledger.kernel.rules.opening import Opening
from ledger.kernel.rules.rulebook import Rulebook
from replays.simulation import NoLegalMove, play
from tests.harness.playing import start_from

ACTIONS = 500
"""A game is stopped after this many actions."""
SHORT = 400
"""A game of fewer actions is played again with another seed."""
SEEDS = 6
"""How many seeds are tried for a long game; the longest game found is taken."""
_NEXT_SEED = 1_000_000
_APART = 20
"""A state is kept after every so many actions."""
_NAMES = ("ana", "bob", "cleo", "dan", "eve", "fay", "gus", "hal")


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A game to be corrected, and the bots that played it, by seat (or "banker")."""

    seed: int
    game: GameInMemory[Any]
    past: LongJournal
    bots: dict[str, Bot]

    def restore(self, state: State) -> None:
        """Forget the corrections since the game was played. Takes the state that it ended with."""
        self.past.forget()
        self.game.state = state


def table_of(rulebook: Rulebook[Any], seed: int, *, actions: int = ACTIONS, short: int = SHORT) -> Table:
    """Play a game by the default settings, with every strategy at the table, which throws its own dice.

    The same seed gives the same game. Raises NoLegalMove when no game could be played at all.
    """
    longest: Table | None = None
    for one in range(seed, seed + SEEDS * _NEXT_SEED, _NEXT_SEED):
        try:
            table = _played(rulebook, seed, one, actions)
        except NoLegalMove:
            continue
        if longest is None or len(table.past.played) > len(longest.past.played):
            longest = table
        if len(longest.past.played) >= short:
            break
    if longest is None:
        raise NoLegalMove(f"no game of {rulebook.id} could be played from seed {seed}")
    return longest


def _played(rulebook: Rulebook[Any], name: int, seed: int, actions: int) -> Table:
    least, most = rulebook.players
    seats = _NAMES[: min(max(4, least), most)]
    opening = Opening(
        players=tuple(Seat(seat, seat.capitalize()) for seat in seats), settings=rulebook.settings(), dice="table"
    )
    strategies = [strategy for strategy in rulebook.simulation.strategies if strategy != BANKER]
    bots = {
        seat: rulebook.simulation.strategies[strategies[(place + seed) % len(strategies)]]
        for place, seat in enumerate(seats)
    }
    bots[BANKER] = rulebook.simulation.strategies[BANKER]
    game: GameInMemory[Any] = play(rulebook, opening, seed=seed, bots=bots.__getitem__, actions=actions).game
    past = LongJournal(rulebook, game.journal)
    game.past = past
    return Table(seed=name, game=game, past=past, bots=bots)


class LongJournal(JournalInMemory[Any]):
    """The journal of a game that is corrected again and again, each time from how it was played.

    It keeps states along the way. Those before the first action that a correction touches stay right.
    """

    def __init__(self, rulebook: Rulebook[Any], played: list[Entry]) -> None:
        super().__init__(rulebook)
        self.played = tuple(played)
        self.entries = list(played)
        self._decoded: dict[bytes, Event] = {}
        self._timeline = Timeline(self.played, self._event)
        self._kept: list[Any] = [rulebook.blank()]
        for number in range(_APART, len(played) + 1, _APART):
            self._kept.append(self.state_after(number))

    def forget(self) -> None:
        """Go back to how the game was played."""
        self.entries = list(self.played)

    def timeline(self) -> Timeline:
        """The effective history."""
        if len(self.entries) == len(self.played):
            return self._timeline
        return Timeline(self.entries, self._event)

    def state_after(self, number: int) -> Any:
        """The state right after an action of the effective history."""
        upto = min(number, self._first_touched() - 1, (len(self._kept) - 1) * _APART)
        start_from(self, self._kept[upto // _APART])
        return super().state_after(number)

    def state_then(self, number: int) -> Any:
        """The state right after an action as it was known right then."""
        start_from(self, self.rulebook.blank())
        return self._state(number, Timeline(self.entries[:number], self._event))

    def _first_touched(self) -> int:
        """The first action that the corrections since the game was played touch."""
        added = self.entries[len(self.played) :]
        events = [self._event(raw) for entry in added for raw in entry.events]
        touched = [event.earliest for event in events if isinstance(event, HistoryCorrected)]
        return min(touched, default=len(self.entries) + 1)

    def _event(self, stored: msgspec.Raw) -> Event:
        found = self._decoded.get(body := bytes(stored))
        if found is None:
            found = self._decoded[body] = self.rulebook.codec.event(stored)
        return found
