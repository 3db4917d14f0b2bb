"""The registers know what refuses what: the rule of a refusal names the refused kind of action, and the command
`rules --refusals` shows the refusal at the rule.
"""

from __future__ import annotations

from collections import defaultdict
from random import Random
from typing import Any

import pytest

from api.command.terminal.code_refusals import refusals_of
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


@pytest.mark.parametrize("rulebook", KNOWN, ids=lambda rulebook: rulebook.id)
def test_the_rule_of_a_refusal_names_the_refused_action(rulebook: Rulebook[Any]) -> None:
    """Given games that bots play, when a seat or the banker asks for what was offered at another moment or to
    another seat, then the register knows each pair of the kind and the refusing rule, and the refusals read from
    the code have the sentence at this rule, each at a few rules.
    """
    chance = Random(7)
    written: dict[str, set[str]] = defaultdict(set)
    for refusal in refusals_of(rulebook):
        assert len(refusal.rules) <= len(rulebook.register) // 4
        written[refusal.text.en].update(refusal.rules)
    cited: dict[str, set[str]] = defaultdict(set)
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
                    cited[refusal.args[0]].add(refusal.rule)
                    refused.update((kind, rule) for rule in (refusal.rule, *refusal.also_cited))
                except Refusal:
                    continue

    watch(rulebook, look)
    assert len(refused) >= 30
    assert all(rule in rulebook.register or rule == CONSERVATION for rule in set().union(*cited.values()))
    read = {text: rules for text, rules in cited.items() if written.get(text)}
    assert len(read) >= 10
    assert {text: rules - written[text] for text, rules in read.items() if not rules <= written[text]} == {}
    if rulebook not in COMPLETE:
        return
    unknown = {(kind, rule) for kind, rule in refused if rule not in rulebook.register.rules_of(kind)}
    assert [pair for pair in sorted(unknown) if pair[1] != CONSERVATION] == []
