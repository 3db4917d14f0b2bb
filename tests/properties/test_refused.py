"""The registers know what refuses what: the rule of a refusal names the refused kind of action."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from ledger.kernel.deciding.moves import open_to
from ledger.kernel.facts.accounts import CONSERVATION
from ledger.kernel.facts.refusals import GameOver, Refusal, RuleBroken
from ledger.kernel.facts.state import State
from ledger.kernel.rules.actions import Choice
from ledger.kernel.rules.rulebook import Rulebook
from tests.properties.test_moves import price, viewers
from tests.properties.watching import KNOWN, watch

COMPLETE = [rulebook for rulebook in KNOWN if rulebook.id != "negopoly"]
"""The rulebooks whose rules name all their actions. A rule of Negopoly on a moment names the main ones."""


@pytest.mark.parametrize("rulebook", COMPLETE, ids=lambda rulebook: rulebook.id)
def test_the_rule_of_a_refusal_names_the_refused_action(rulebook: Rulebook[Any]) -> None:
    """Given games that bots play, when a seat or the banker asks for what was offered at another moment or to
    another seat, then the register knows each pair of the kind and the refusing rule.
    """
    chance = Random(7)
    known: dict[str, dict[str, Any]] = {}
    refused: set[tuple[str, str]] = set()

    def look(state: State) -> None:
        assert state.last_at is not None
        for seat, viewer in viewers(state, chance):
            for kind, action in rulebook.actions.items():
                if not open_to(action, viewer):
                    continue
                for choice in action.choices(state, seat):
                    known[kind] = choice.params
                try:
                    price(rulebook, state, seat, viewer, state.last_at, kind, Choice(known.get(kind, {})))
                except GameOver:
                    continue
                except RuleBroken as refusal:
                    refused.update((kind, rule) for rule in (refusal.rule, *refusal.also_cited))
                except Refusal:
                    continue

    watch(rulebook, look)
    assert len(refused) >= 30
    unknown = {(kind, rule) for kind, rule in refused if rule not in rulebook.register.rules_of(kind)}
    assert [pair for pair in sorted(unknown) if pair[1] != CONSERVATION] == []
