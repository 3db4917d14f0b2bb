"""Simulated games whose states are looked at on the way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from ledger import rulebooks
from ledger.kernel.facts.state import Seat
from ledger.kernel.rules.actions import Choice
from ledger.kernel.rules.bots import Bot
from ledger.kernel.rules.opening import Opening
from ledger.kernel.rules.rulebook import Rulebook
from replays.simulation import Series, opening_of, play
from tests.example import RULEBOOKS as EXAMPLES
from tests.properties.commands import SOAK

KNOWN = [*rulebooks.rulebooks_by_id().values()]
RULEBOOKS: list[Rulebook[Any]] = [*KNOWN, *EXAMPLES[1:]]
GAMES = 40 if SOAK else 2
ACTIONS = 1_500 if SOAK else 260
"""The most actions of a simulated game."""
LOOKS = 400 if SOAK else 30
"""About how many moments of each game are looked at."""


class Watching:
    """A bot that plays like another one, and has some of the states that it sees looked at."""

    def __init__(self, bot: Bot, look: Callable[[Any], None], chance: Random) -> None:
        self._bot, self._look, self._chance = bot, look, chance
        self._seen = 0

    def kinds(self, state: Any, seat: str, by: str, open_kinds: Sequence[str], chance: Random) -> Sequence[str]:
        if state.version != self._seen and self._chance.random() < LOOKS / ACTIONS:
            self._seen = state.version
            self._look(state)
        return self._bot.kinds(state, seat, by, open_kinds, chance)

    def choices(
        self, state: Any, seat: str, kind: str, offered: Sequence[Choice], chance: Random
    ) -> Sequence[Choice]:
        return self._bot.choices(state, seat, kind, offered, chance)


def watch(rulebook: Rulebook[Any], look: Callable[[Any], None]) -> None:
    """Let bots play games of a rulebook, at its simulated tables, and look at states on the way."""
    for seed in range(1, GAMES + 1):
        chance = Random(seed)
        bots = {name: Watching(bot, look, chance) for name, bot in rulebook.simulation.strategies.items()}
        names = [name for name in rulebook.simulation.strategies if name != "banker"]
        minds = {seat: names[place % len(names)] for place, seat in enumerate(("ana", "bob", "cleo", "dan"))}
        play(
            rulebook,
            opening(rulebook, seed),
            seed=seed,
            bots=lambda by, bots=bots, minds=minds: bots[minds.get(by, "banker")],  # type: ignore[misc]
            actions=ACTIONS,
        )


def opening(rulebook: Rulebook[Any], seed: int) -> Opening:
    """A table of four; of the simulated tables of a rulebook, those that suit the seed."""
    if rulebook in KNOWN:
        series = Series(
            rulebook=rulebook.id, games=1, players=4, seed=seed, strategies=("random",), tables="varied"
        )
        return opening_of(series, seed)
    seats = tuple(Seat(name, name.capitalize()) for name in ("ana", "bob", "cleo", "dan"))
    return Opening(players=seats, settings=rulebook.settings(), dice="service")
