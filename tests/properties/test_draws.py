"""What is refused is refused whatever would be thrown: nobody tries a throw out and takes another one."""

from __future__ import annotations

import json
from datetime import timedelta
from random import Random
from typing import Any

import msgspec
import pytest

from ledger.kernel.deciding.decision import decide
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.facts.state import State
from ledger.kernel.rules.draft import Request
from ledger.kernel.rules.rulebook import Rulebook
from tests.properties.watching import RULEBOOKS, watch

THROWS = (1, 2, 3)
"""The seeds of what would be thrown."""


class Throwing:
    """Chance that knows whether it was asked."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)
        self.asked = False

    def randint(self, a: int, b: int, /) -> int:
        self.asked = True
        return self._chance.randint(a, b)

    def shuffle(self, x: list[str], /) -> None:
        self.asked = True
        self._chance.shuffle(x)


def bent(params: dict[str, Any], chance: Random) -> dict[str, Any]:
    """Parameters of a choice, some of them changed: too much, too many, not there."""
    found: dict[str, Any] = json.loads(json.dumps(params))
    for name, value in found.items():
        if isinstance(value, bool) or chance.random() < 0.5:
            continue
        if isinstance(value, int):
            found[name] = chance.choice((0, 1, 100, 10**6, 2**53 - 1))
        elif isinstance(value, list) and value:
            found[name] = chance.choice((value[:-1], [*value, value[0]]))
        elif isinstance(value, str):
            found[name] = chance.choice(("ana", "bob", f"{value}z"))
    return found


def attempts(rulebook: Rulebook[Any], state: State, seat: str, chance: Random) -> list[Request]:
    """Requests of a seat: of each kind a choice, and two that are bent."""
    assert state.last_at is not None
    at, found = state.last_at + timedelta(seconds=1), []
    for kind, action in rulebook.actions.items():
        choices = [] if action.docket else list(action.choices(state, seat))
        for bends in (False, True, True) if choices else ():
            params = chance.choice(choices).params
            try:
                asked = rulebook.codec.action(kind, msgspec.json.encode(bent(params, chance) if bends else params))
            except Refusal:
                continue
            found.append(Request(action=asked, seat=seat or None, by=seat or "banker", at=at))
    return found


@pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.id)
def test_no_throw_decides_whether_an_action_is_refused(rulebook: Rulebook[Any]) -> None:
    """Given games that bots play, when any seat asks for anything, then every throw accepts it, or none does."""
    chance, drew, refused = Random(7), 0, 0

    def look(state: State) -> None:
        nonlocal drew, refused
        for request in attempts(rulebook, state, chance.choice([*state.seats, ""]), chance):
            accepted = set()
            for seed in THROWS:
                throws = Throwing(seed)
                try:
                    decide(rulebook, state, request, chance=throws)
                    accepted.add(True)
                except Refusal:
                    accepted.add(False)
                    refused += 1
                drew += throws.asked
            assert len(accepted) == 1, request

    watch(rulebook, look)
    assert min(drew, refused) > 0
