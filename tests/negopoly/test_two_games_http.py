"""The attacker's test over HTTP: two games of Negopoly that differ only in what is hidden are told alike.

The pairs are those of `tests.harness.twins`: licences, perks, purchases, deliveries, deals, contracts, loans and
rulings that the viewer is shown nothing of, or less than the rest.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from ledger.kernel.facts.agreements import Agreement
from ledger.kernel.facts.audience import EVERYONE, Audience
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks.negopoly.deals import deals
from ledger.rulebooks.negopoly.rulebook import RULEBOOK
from ledger.rulebooks.negopoly.table import views
from ledger.rulebooks.negopoly.table.state import Negopoly
from ledger.rulebooks.negopoly.table.terms import MONEY, USED, Contract, Deal, player
from tests.harness.leaking import leaking, widened
from tests.harness.secrecy import assert_alike, differing
from tests.harness.twins import Serve, Twins, chairs, serving, told_draws

SOAK = bool(os.environ.get("MABLIGOP_SOAK"))
EACH = 12 if SOAK else 1
"""How many requests are made of every operation."""
ACTIONS = (40, 160, 300) if SOAK else (60,)
SEATS = ("ana", "bob", "cid")
PAIRS = (
    [(viewer, seed) for viewer in (None, "ana", "cid") for seed in range(2)] if SOAK else [(None, 1), ("ana", 2)]
)

PAPERS = frozenset(kind for kind in RULEBOOK.actions if kind.endswith(("_deal", "_contract", "_breach")))
"""What bots would do most of the time."""

KNOWN = r'"first_seq":\d+,'
"""The exception: a stored entry that everybody reads whole has the number of its first event, which counts hidden
events, too. It stands in the bytes that a receipt, a proof and an export have, under the entry's hash.
"""

__all__ = ["serving", "told_draws"]


def lies_open(state: Negopoly, seat: str | None) -> Any:
    """What is left in each shop: it lies there, and each sale raises the price. And what a party to a proposal may
    know of it: whether those who give have the money and the goods, because otherwise the last consent is refused,
    and not listed (I.A.1.2, X.A.2).
    """
    goods = {name: dict(held) for name, held in state.holdings.items() if name.startswith("shop:")}
    proposals = [
        one for one in state.open.values() if isinstance(one, Deal | Contract) and one.status == "proposed"
    ]
    return goods, {one.id: _is_covered(state, one) for one in proposals if seat in one.parties}


def _is_covered(state: Negopoly, proposal: Deal | Contract) -> bool:
    sums = Counter[tuple[str, str]]()
    for leg in proposal.legs if isinstance(proposal, Deal) else ():
        sums[leg.giver, leg.commodity] += leg.amount
    for paid in (proposal.payers, proposal.escrow) if isinstance(proposal, Contract) else ():
        sums.update({(payer, MONEY): amount for payer, amount in paid.items()})
    return all(state.holdings.of(player(giver), thing) >= amount for (giver, thing), amount in sums.items())


def played(viewer: str | None, seed: int, actions: int = 60) -> Twins:
    """Two games that differ."""
    twins = Twins(RULEBOOK, SEATS, viewer, seed, rare=PAPERS, lies_open=lies_open)
    twins.play(actions)
    assert twins.differ()
    return twins


@pytest.mark.parametrize(("viewer", "seed"), PAIRS)
def test_every_endpoint_tells_them_the_same(
    serving: Serve, viewer: str | None, seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing of what is hidden goes into the log either."""
    caplog.set_level("INFO")
    for actions in ACTIONS:
        pair = chairs(*serving(RULEBOOK), played(viewer, seed, actions))
        assert_alike(*pair, each=EACH, known=KNOWN, chance=Random(f"{viewer} {seed}"))
    assert not [record for record in caplog.records if record.name != "mabligop.requests"]


# Leaks ------------------------------------------------------------------------------------------------


class OpenPurses(views.NegopolySecrets):
    """Everybody reads what everybody has."""

    def holding_audience(self, state: Negopoly, account: str, commodity: str) -> Audience:
        return EVERYONE


class CountedGoods(views.NegopolySecrets):
    """The amounts of used goods are everybody's: they tell a licence."""

    def holding_audience(self, state: Negopoly, account: str, commodity: str) -> Audience:
        return EVERYONE if account == USED else super().holding_audience(state, account, commodity)


class OpenDeals(views.NegopolySecrets):
    """Everybody reads all deals."""

    def agreement_audience(self, agreement: Agreement) -> Audience:
        return EVERYONE


class Telling(type(RULEBOOK.screen)):  # type: ignore[misc]
    """A view with one more fact."""

    def __init__(self, fact: Callable[[Negopoly], Any]) -> None:
        self._fact = fact

    def public_view(self, state: Negopoly) -> dict[str, Any]:
        return {**super().public_view(state), "fact": self._fact(state)}


def _by_money(state: Negopoly) -> list[str]:
    """The seats, in the order of their money."""
    return sorted(SEATS, key=lambda seat: state.holdings.of(player(seat), MONEY))


LEAKS: dict[str, Callable[[], Rulebook[Any]]] = {
    "an event": lambda: leaking(RULEBOOK, widened(deals.DealProposed)),
    "a holding": lambda: leaking(RULEBOOK, secrets=OpenPurses()),
    "an agreement": lambda: leaking(RULEBOOK, secrets=OpenDeals()),
    "a count of holdings": lambda: leaking(RULEBOOK, secrets=CountedGoods()),
    "a count": lambda: leaking(RULEBOOK, screen=Telling(lambda state: len(state.open))),
    "a number": lambda: leaking(RULEBOOK, screen=Telling(lambda state: state.seq)),
    "a gap": lambda: leaking(RULEBOOK, screen=Telling(lambda state: max(map(str, state.open), default=""))),
    "an order": lambda: leaking(RULEBOOK, screen=Telling(_by_money)),
}


@pytest.mark.parametrize("leak", LEAKS if SOAK else ["a count"])
def test_a_leak_is_found_out(serving: Serve, leak: str) -> None:
    twins = played(None, 7, 200 if SOAK else 40)
    assert (
        next(differing(*chairs(*serving(LEAKS[leak]()), twins), each=10, attempting=False, known=KNOWN), None)
        is not None
    )
