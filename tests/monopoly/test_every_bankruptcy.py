"""Bankruptcies at each place of the order, with several creditors, with debts and trades in both directions."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from ledger.rulebooks.monopoly.table.terms import Debt
from ledger.rulebooks.parts.seats import player as purse
from tests.monopoly.table import Table, monopolys, naruto

SEATS = ("ana", "bob", "cid", "dan")
PURSE = 100
"""What the debtor has. It covers no two of the debts."""


def owing(table: Table, *owed: tuple[str, str, int]) -> None:
    """These debts are open: who owes, to which account, how much."""
    with table.arranged() as state:
        for number, (debtor, creditor, amount) in enumerate(owed, 1):
            rule = f"{table.rulebook.id.removeprefix('monopoly_')}:debt.1"
            state.debts.append(
                Debt(id=f"d{number}", debtor=debtor, creditor=creditor, amount=amount, rule=rule, cause="card")
            )


def shares(place: int, owed: Mapping[str, int]) -> tuple[dict[str, int], str]:
    """Who gets what of the purse, and who takes the rest: players after the debtor first, then the bank."""
    around = [purse(seat) for seat in (*SEATS[place + 1 :], *SEATS[:place])]
    left, paid, unpaid = PURSE, {}, {}
    for account in [*(one for one in around if one in owed), *(one for one in owed if one not in around)]:
        paid[account] = min(left, owed[account])
        left -= paid[account]
        unpaid[account] = owed[account] - paid[account]
    heir = max(unpaid, key=lambda account: unpaid[account])
    paid[heir] += left
    return paid, heir


AMOUNTS = [
    dict(zip(("next", "opposite", "before", "bank"), one, strict=True))
    for one in ((60, 90, 70, 0), (0, 60, 90, 70), (70, 0, 60, 90), (90, 70, 0, 60), (60, 80, 80, 80))
]
"""What is owed to the player after the debtor, to the one opposite, to the one before, and to the bank."""


def creditors(place: int, amounts: Mapping[str, int]) -> dict[str, int]:
    """What is owed to which account by the seat at a place, in another order than that of play."""
    after = {name: purse(SEATS[(place + by) % 4]) for by, name in enumerate(("next", "opposite", "before"), 1)}
    owed = {after.get(name, name): amount for name, amount in amounts.items() if amount}
    return dict(reversed(owed.items()))


@pytest.mark.rule("naruto:bankruptcy.1", "naruto:bankruptcy.2")
@pytest.mark.parametrize("place", range(4), ids=SEATS)
def test_the_creditors_are_paid_in_order_and_the_one_left_with_most_is_the_heir(place: int) -> None:
    debtor = SEATS[place]
    for amounts in AMOUNTS:
        table = naruto(seats=SEATS, bankruptcy_interest=False)
        table.turn(debtor)
        table.give(debtor, "orange_1")
        table.mortgaged("orange_1")
        table.purse(debtor, PURSE)
        owed = creditors(place, amounts)
        owing(table, *((debtor, account, amount) for account, amount in owed.items()))
        before = {seat: table.cash(seat) for seat in SEATS}
        paid, heir = shares(place, owed)
        table.play(debtor, "declare_bankruptcy")
        got = {seat: table.cash(seat) - before[seat] for seat in SEATS if seat != debtor}
        assert got == {seat: paid.get(purse(seat), 0) for seat in got}, (debtor, owed)
        assert table.owner("orange_1") == (None if heir == "bank" else heir.removeprefix("player:")), (
            debtor,
            owed,
        )
        assert table.state.debts == []


@pytest.mark.rule("monopolys:bankruptcy.1")
@pytest.mark.parametrize("place", range(4), ids=SEATS)
def test_what_others_owed_the_bankrupt_is_owed_to_the_heir_who_owes_themselves_nothing(place: int) -> None:
    """The heir and another player owe the bankrupt money; what they owe each other stays."""
    debtor, heir, other = (SEATS[(place + by) % 4] for by in range(3))
    table = monopolys(seats=SEATS)
    table.turn(debtor)
    table.purse(debtor, 10)
    owing(
        table,
        (debtor, purse(heir), 500),
        (heir, purse(debtor), 40),
        (other, purse(debtor), 30),
        (heir, purse(other), 20),
    )
    table.play(debtor, "declare_bankruptcy")
    found = [(one.debtor, one.creditor, one.amount) for one in table.state.debts]
    assert sorted(found) == sorted([(other, purse(heir), 30), (heir, purse(other), 20)])


@pytest.mark.rule("naruto:bankruptcy.9")
@pytest.mark.parametrize("place", range(4), ids=SEATS)
def test_the_trades_and_rents_of_a_bankrupt_are_over_in_both_directions_and_no_others(place: int) -> None:
    debtor, heir, other, last = (SEATS[(place + by) % 4] for by in range(4))
    table = naruto(seats=SEATS)
    table.turn(debtor)
    offers = [(debtor, heir), (heir, debtor), (debtor, last), (other, debtor), (other, last), (heir, other)]
    for one, two in offers:
        table.play(
            one,
            "propose_trade",
            to=two,
            give=[{"commodity": table.rulebook.accounts.currency, "amount": 1}],
            ask=[],
        )
    table.purse(debtor, 10)
    owing(table, (debtor, purse(heir), 500))
    table.play(debtor, "declare_bankruptcy")
    assert [(one.by, one.to) for one in table.state.open.values()] == [(other, last), (heir, other)]


@pytest.mark.rule("naruto:rent.2")
@pytest.mark.parametrize("title", ["orange_1", "orange_3"])
def test_of_two_rents_a_claim_takes_one(title: str) -> None:
    """Ana owes Bob two rents, of one title or of two. He claims one, and then the other."""
    table = naruto()
    table.give("bob", "orange_1", "orange_3")
    table.arrive("ana", "orange_1")
    with table.arranged() as state:
        state.rents.append(replace(state.rents[0], title=title, amount=99))
    table.play("bob", "claim_rent", title="orange_1")
    assert [(one.title, one.amount) for one in table.state.rents] == [(title, 99)]
    table.play("bob", "claim_rent")
    assert table.state.rents == []
    assert [one.amount for one in table.state.debts][1:] == [99]
