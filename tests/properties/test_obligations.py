"""Obligations in simulated games: known seats, accounts and rules, positive amounts, and nothing after the end."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.facts.audience import BANKER
from ledger.kernel.facts.obligations import Obligation
from ledger.kernel.facts.state import State
from ledger.kernel.language.sentences import speak
from ledger.kernel.rules.rulebook import Rulebook
from tests.properties.watching import KNOWN, watch


def check(rulebook: Rulebook[Any], state: State, owed: Obligation) -> None:
    """Check that an obligation names things of the game, and an amount or an act."""
    assert owed.debtor in state.seats or (owed.debtor is None and owed.kind == "racket")
    assert owed.creditor is None or rulebook.accounts.knows_account(state, owed.creditor)
    assert owed.rule in rulebook.register
    words, speakers = rulebook.agreements.matters[owed.kind], rulebook.language.speakers(state)
    assert speak(words.en, owed, "en", speakers) != speak(words.fr, owed, "fr", speakers)
    assert owed.follows.en != owed.follows.fr
    assert owed.since is None or 0 < owed.since <= state.version
    assert owed.due is None or owed.due in (rulebook.progress.deadlines(state) or ())
    assert not owed.laid or owed.amount
    if owed.commodity is None:
        assert owed.amount is None
    else:
        assert owed.amount is not None
        assert owed.amount > 0
        assert rulebook.accounts.knows_commodity(
            state, owed.commodity
        ) or owed.commodity in rulebook.accounts.commodities(state)


def check_payments(rulebook: Rulebook[Any], state: State, owed: list[Obligation]) -> None:
    """Check that each amount that a player of a Monopoly is asked to pay is the sum of obligations."""
    for row in rulebook.screen.waiting(state, BANKER, "en"):
        sums = [
            sum(one.amount or 0 for one in owed if one.debtor == row.seat and one.kind == kind)
            for kind in ("debt", "tax")
        ]
        if row.label == "pay the tax":
            assert sums[1] > 0
        elif row.label.startswith("pay "):
            assert row.label == f"pay {rulebook.language.speakers(state)['money'](sums[0], 'en')}"


@pytest.mark.parametrize("rulebook", KNOWN, ids=lambda rulebook: rulebook.id)
def test_each_obligation_of_a_simulated_game_is_owed_by_a_rule(rulebook: Rulebook[Any]) -> None:
    kinds: set[str] = set()

    def look(state: State) -> None:
        owed = [*rulebook.agreements.obligations(state)]
        assert not (owed and state.ended)
        kinds.update(one.kind for one in owed)
        for one in owed:
            check(rulebook, state, one)
        if rulebook.engine == "monopoly":
            check_payments(rulebook, state, owed)

    watch(rulebook, look)
    assert kinds
