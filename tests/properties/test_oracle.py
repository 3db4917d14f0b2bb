"""The checks of conservation can fail: money from nowhere, money that vanished, and what no account may owe."""

from __future__ import annotations

from copy import deepcopy

import pytest

from ledger.kernel.facts.accounts import BANK, Holdings, Posting
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.table.state import Negopoly
from replays.simulation import unbalanced
from tests.properties.oracle import assert_conserved
from tests.tables.negopoly import Table


def with_change(amount: int) -> Negopoly:
    """A state of Ana and Bob in which Ana has so much more money, and nobody has less."""
    state = Table("ana", "bob").state.copy()
    held = deepcopy(state.holdings.as_dict())
    held["player:ana"]["NGD"] += amount
    state.holdings = Holdings(RULEBOOK.accounts.may_owe, held)
    return state


def test_nothing_is_found_at_a_table_that_keeps_everything() -> None:
    state = with_change(0)
    assert unbalanced(state) == {}
    assert_conserved(state)


@pytest.mark.parametrize("amount", [1, -1])
def test_one_made_or_lost_coin_is_found(amount: int) -> None:
    state = with_change(amount)
    assert unbalanced(state) == {"NGD": amount}
    with pytest.raises(AssertionError, match="NGD"):
        assert_conserved(state)


def test_goods_that_nobody_has_are_found() -> None:
    """The sums are right, and Bob owes a title."""
    state = with_change(0)
    held = deepcopy(state.holdings.as_dict())
    held["player:bob"]["title:negotown"] = -1
    held["player:ana"]["title:negotown"] = 1
    state.holdings = Holdings(lambda _account, _commodity: True, held)
    assert unbalanced(state) == {}
    with pytest.raises(AssertionError, match="title:negotown"):
        assert_conserved(state)


def test_a_posting_keeps_the_sums() -> None:
    state = with_change(0)
    state.holdings.post_all((Posting("NGD", 5, BANK, "player:ana"),))
    assert unbalanced(state) == {}
