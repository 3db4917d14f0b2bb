"""Who is bound towards others takes nothing back alone, and gives nothing away that is needed for a debt."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ledger.kernel.deciding.undo import require_may_undo
from ledger.kernel.facts.refusals import NotYours, RuleBroken
from ledger.rulebooks.monopoly.table.settings import Settings
from ledger.rulebooks.monopoly.table.state import cite, pieces
from ledger.rulebooks.monopoly.table.terms import Debt
from ledger.rulebooks.parts.opening import stored_settings
from tests.monopoly.table import Table, monopolys, naruto, town
from tests.monopoly.test_display import waits
from tests.monopoly.test_trades import things, trade


def bound(table: Table, seat: str) -> str | None:
    """The rule by which the seat may not take the last action back alone; None where no rule says it."""
    past = table.past
    with pytest.raises((RuleBroken, NotYours)) as refused:
        require_may_undo(
            table.rulebook, table.timeline(), lambda one: past.state_after(one - 1), seat, table.number
        )
    return refused.value.rule if isinstance(refused.value, RuleBroken) else None


@pytest.mark.rule("naruto:auction.5")
def test_a_bid_and_a_withdrawal_hold() -> None:
    table = naruto()
    table.arrive("ana", "orange_1")
    table.play("ana", "decline_property")
    table.play("bob", "bid", amount=70)
    assert bound(table, "bob") == "naruto:auction.5"
    table.play("cid", "pass_bid")
    assert bound(table, "cid") == "naruto:auction.5"


def test_a_trade_holds_both_who_refuses_one_and_not_who_has_proposed_it() -> None:
    table = naruto()
    table.give("bob", "orange_1")
    deal = trade(table, "ana", "bob", things(100), things("orange_1"))
    table.play("bob", "reject_trade", trade=deal)
    assert bound(table, "bob") == "naruto:trade.4"
    deal = trade(table, "ana", "bob", things(100), things("orange_1"))
    table.play("ana", "reject_trade", trade=deal)
    require_may_undo(
        table.rulebook, table.timeline(), lambda one: table.past.state_after(one - 1), "ana", table.number
    )
    deal = trade(table, "ana", "bob", things(100), things("orange_1"))
    table.play("bob", "accept_trade", trade=deal)
    assert bound(table, "bob") == "naruto:trade.4"


def debt(table: Table, creditor: str, amount: int) -> Debt:
    """A rent that Ana owes."""
    rule = cite(table.state, "rent")
    return Debt(id=creditor, debtor="ana", creditor=f"player:{creditor}", amount=amount, rule=rule, cause="rent")


def owing(table: Table) -> str:
    """Ana has 5, and a title whose mortgage would just pay the rest of what she owes Bob; gives the title."""
    title, square = next(iter(pieces(table.state).titles.items()))
    table.give("ana", title)
    table.purse("ana", 5)
    with table.arranged() as state:
        state.debts.append(debt(table, "bob", 5 + square.mortgage))
    return title


@pytest.mark.parametrize(
    ("play", "rule"), [(naruto, "naruto:debt.1"), (monopolys, "monopolys:bankruptcy.1"), (town, "own:debt.1")]
)
def test_who_owes_gives_nothing_away_that_they_need_to_pay(play: Callable[[], Table], rule: str) -> None:
    table = play()
    title = owing(table)
    money = table.rulebook.accounts.currency
    refused = table.refused("ana", "propose_trade", rule, to="cid", give=things(5, title, money=money))
    assert "Ana could then not pay" in refused.en
    assert "owed to Bob" in refused.en
    table.refused("cid", "propose_trade", rule, to="ana", ask=things(title, money=money))
    table.refused("ana", "declare_bankruptcy", cite(table.state, "bankrupt"))
    fair = trade(table, "ana", "cid", things(title), things(table.cash("cid"), money=money))
    table.play("cid", "accept_trade", trade=fair)
    table.play("ana", "pay_debt")
    assert table.state.debts == []


def test_an_offer_from_before_the_debt_is_not_accepted_and_not_awaited() -> None:
    table = town()
    money = table.rulebook.accounts.currency
    title = next(iter(pieces(table.state).titles))
    table.give("ana", title)
    gift = trade(table, "ana", "cid", things(title), [])
    assert waits(table)["cid"] == (f"accept_trade:{gift}", f"reject_trade:{gift}")
    owing(table)
    table.refused("cid", "accept_trade", "own:debt.1", trade=gift)
    assert waits(table)["cid"] == (f"reject_trade:{gift}",)
    assert money


def test_a_trade_that_is_not_the_debtors_loss_is_made() -> None:
    """Ana cannot pay anyway: whoever gives her more than a mortgage brings may have the title."""
    table = town()
    title = owing(table)
    table.purse("ana", 0)
    value, money = pieces(table.state).titles[title].mortgage, table.rulebook.accounts.currency
    table.refused(
        "ana", "propose_trade", "own:debt.1", to="cid", give=things(title), ask=things(value - 1, money=money)
    )
    deal = trade(table, "ana", "cid", things(title), things(value, money=money))
    table.play("cid", "accept_trade", trade=deal)
    assert table.cash("ana") == value


@pytest.mark.rule("own:debt.1")
def test_a_debtor_builds_bids_and_lifts_with_what_is_not_owed() -> None:
    table = town()
    first = next(iter(pieces(table.state).titles))
    group = pieces(table.state).members[pieces(table.state).titles[first].group]
    table.arrive("bob", next(one for one in pieces(table.state).titles if one not in group))
    table.play("bob", "decline_property")
    title = owing(table)
    table.give("ana", *group)
    table.mortgaged(group[-1])
    owed = table.state.debts[0].amount
    price, lifted = pieces(table.state).titles[title].building_price, group[-1]
    table.purse("ana", owed)
    table.refused("ana", "bid", "own:debt.1", amount=1)
    table.purse("ana", owed + 5)
    table.refused("ana", "unmortgage", "own:debt.1", title=lifted)
    table.purse("ana", owed)
    assert not table.offers("ana", "bid")
    assert "ana" not in waits(table) or "bid" not in waits(table)["ana"]
    table.purse("ana", owed + 1)
    table.play("ana", "bid", amount=1)
    table.purse("ana", owed + 1000)
    table.play("ana", "unmortgage", title=lifted)
    table.purse("ana", owed + price - 1)
    table.refused("ana", "build", "own:debt.1", title=title)
    assert not table.offers("ana", "build")
    table.purse("ana", owed + price)
    table.play("ana", "build", title=title)


@pytest.mark.parametrize(
    ("play", "rule", "fine"),
    [
        (naruto, "naruto:debt.1", 50),
        (monopolys, "monopolys:bankruptcy.1", 5000),
        (town, "own:debt.1", 40),
    ],
)
def test_a_prisoner_pays_the_fine_with_what_is_not_owed(play: Callable[..., Table], rule: str, fine: int) -> None:
    """Ana could pay the fine and then not her debt: the fine waits until her money covers both."""
    table = play()
    owing(table)
    owed = table.state.debts[0].amount
    table.jail("ana")
    table.turn("ana")
    table.purse("ana", owed + fine - 1)
    assert "debts come first" in table.refused("ana", "pay_jail_fine", rule).en
    assert not table.offers("ana", "pay_jail_fine")
    table.purse("ana", owed + fine)
    assert table.offers("ana", "pay_jail_fine")
    table.play("ana", "pay_jail_fine")
    assert table.cash("ana") == owed


@pytest.mark.parametrize("settings", [{"debts_before_fine": False}, {"debts_first": False}])
def test_a_table_may_let_a_debtor_pay_the_fine_and_older_games_do(settings: dict[str, bool]) -> None:
    table = town(**settings)
    owing(table)
    table.jail("ana")
    table.turn("ana")
    table.purse("ana", 40)
    table.play("ana", "pay_jail_fine")
    assert (table.cash("ana"), stored_settings(Settings, {}).debts_before_fine) == (0, False)


def test_a_table_may_let_debtors_do_as_they_like_and_older_games_do() -> None:
    table = town(debts_first=False)
    title = owing(table)
    deal = trade(table, "ana", "cid", things(title), [])
    table.play("cid", "accept_trade", trade=deal)
    table.play("ana", "declare_bankruptcy")
    assert stored_settings(Settings, {}).debts_first is False
    assert Settings().debts_first is True


@pytest.mark.parametrize(("play", "heir"), [(town, "bob"), (naruto, "cid")])
def test_titles_go_where_the_edition_says(play: Callable[[], Table], heir: str) -> None:
    """Ana has 450 and owes Bob 500 and Cid 100: Bob is owed most, and Cid is left with most unpaid."""
    table = play()
    title = next(iter(pieces(table.state).titles))
    table.give("ana", title)
    table.mortgaged(title)
    table.purse("ana", 450)
    with table.arranged() as state:
        for creditor, amount in (("bob", 500), ("cid", 100)):
            state.debts.append(debt(table, creditor, amount))
    table.play("ana", "declare_bankruptcy")
    assert table.owner(title) == heir


@pytest.mark.parametrize("play", [naruto, monopolys, town])
def test_a_debtor_is_offered_the_titles_that_leave_enough(play: Callable[[], Table]) -> None:
    """Ana owes nearly all that she has: she may still offer to buy Bob's cheapest title, and not the dearest."""
    table = play()
    titles = sorted(pieces(table.state).titles.items(), key=lambda item: item[1].price)
    (cheap, cost), (dear, _) = titles[0], titles[-1]
    table.give("bob", cheap)
    table.give("bob", dear)
    table.purse("ana", 10_000)
    with table.arranged() as state:
        state.debts.append(debt(table, "cid", 10_000 - (cost.price - cost.mortgage)))
    asked = {offer["ask"][0]["commodity"] for offer in table.offers("ana", "propose_trade") if offer["ask"]}
    assert asked == {f"title:{cheap}"}
