"""Cards that are kept for other uses than leaving prison."""

from __future__ import annotations

from typing import Any

import pytest

from tests.monopoly.boards import CARD, drawn, kept, town_with
from tests.monopoly.table import Table

RENT = 16
"""The rent of Copper Wharf, without a house and without its group."""


def holding(seat: str, use: str, *effects: dict[str, Any], settings: Any = None, **members: Any) -> Table:
    """The town, where a seat holds the card "shield" of this use."""
    table = town_with(*effects, settings=settings, shield=[kept(use, **members)])
    table.give(seat, "card:shield")
    return table


def is_back(table: Table) -> bool:
    """Whether the card "shield" lies under its deck."""
    return table.held("deck:letters", "card:shield") == 1 and table.state.under["letters"][-1] == "shield"


@pytest.mark.rule("own:card.10")
def test_no_rent_played_when_a_rent_is_due() -> None:
    table = holding("ana", "no_rent")
    table.give("bob", "copper_wharf")
    table.refused("ana", "play_card", "own:card.10", card="shield")
    table.arrive("ana", "copper_wharf")
    table.play("bob", "claim_rent")
    assert [debt.amount for debt in table.state.debts] == [RENT]
    told = table.told(table.play("ana", "play_card", card="shield"))
    assert told == ["Ana plays a kept card: The card shield.", "Ana pays Bob no rent for Copper Wharf."]
    assert (table.state.debts, table.cash("ana"), is_back(table)) == ([], 1200, True)
    table.play("ana", "end_turn")


@pytest.mark.rule("own:card.10")
def test_a_rent_is_waived_before_anybody_claims_it() -> None:
    table = holding("ana", "no_rent")
    table.give("bob", "copper_wharf")
    table.arrive("ana", "copper_wharf")
    table.play("ana", "play_card")
    table.refused("bob", "claim_rent", "own:rent.3")


@pytest.mark.rule("own:rent.2")
def test_who_keeps_the_card_pays_the_rent_as_a_debt() -> None:
    table = holding("ana", "no_rent")
    table.give("bob", "copper_wharf")
    table.arrive("ana", "copper_wharf")
    table.play("bob", "claim_rent")
    table.play("ana", "pay_debt")
    assert (table.cash("bob"), table.held("player:ana", "card:shield")) == (1200 + RENT, 1)


@pytest.mark.rule("own:card.10")
@pytest.mark.parametrize("is_claimed", [True, False])
def test_double_rent(is_claimed: bool) -> None:
    table = holding("bob", "double_rent")
    table.give("bob", "copper_wharf")
    table.arrive("ana", "copper_wharf")
    if is_claimed:
        table.play("bob", "claim_rent")
    table.play("bob", "play_card", card="shield")
    if not is_claimed:
        table.play("bob", "claim_rent")
    else:
        table.play("ana", "pay_debt")
    assert (table.cash("bob"), is_back(table)) == (1200 + 2 * RENT, True)


@pytest.mark.rule("own:card.10")
def test_rents_taken_at_once_wait_for_the_card() -> None:
    table = holding("bob", "double_rent", settings={"rents_are_claimed": False})
    table.give("bob", "copper_wharf")
    table.arrive("ana", "copper_wharf")
    table.play("bob", "play_card")
    table.play("ana", "pay_debt")
    assert table.cash("ana") == 1200 - 2 * RENT


@pytest.mark.rule("own:card.10")
def test_a_title_at_half_its_price() -> None:
    table = holding("ana", "half_price")
    table.arrive("ana", "copper_wharf")
    table.refused("bob", "play_card", "own:card.10", card="shield")
    table.play("ana", "play_card", card="shield")
    table.play("ana", "buy_property")
    assert (table.owner("copper_wharf"), table.cash("ana"), is_back(table)) == ("ana", 1105, True)


@pytest.mark.rule("own:card.11")
def test_say_no_to_a_card_aimed_at_oneself() -> None:
    """Everybody pays Ana 20; Bob says no, Cid, who keeps no card, pays."""
    table = holding("bob", "say_no", {"op": "receive_from_each", "amount": 20})
    drawn(table)
    table.refused("ana", "end_turn", "own:card.13")
    table.play("bob", "choose", option="yes")
    assert [table.cash(seat) for seat in ("ana", "bob", "cid")] == [1220, 1200, 1180]
    assert is_back(table)
    table.refused("bob", "choose", "own:card.13", option="yes")


@pytest.mark.rule("own:card.11")
def test_who_does_not_say_no_keeps_the_card_for_later() -> None:
    table = holding("bob", "say_no", {"op": "pay", "amount": 30, "who": "others"})
    drawn(table)
    table.play("bob", "choose", option="no")
    assert [table.cash(seat) for seat in ("ana", "bob", "cid")] == [1200, 1170, 1170]
    assert table.held("player:bob", "card:shield") == 1


@pytest.mark.rule("own:card.11")
def test_refuse_a_card_that_one_has_drawn() -> None:
    table = holding("ana", "refuse_card", {"op": "pay", "amount": 90})
    drawn(table)
    table.play("ana", "choose", option="yes")
    assert (table.cash("ana"), is_back(table)) == (1200, True)
    table.play("ana", "end_turn")
    table = holding("ana", "refuse_card", {"op": "pay", "amount": 90})
    drawn(table)
    table.play("ana", "choose", option="no")
    assert (table.cash("ana"), table.held("player:ana", "card:shield")) == (1110, 1)


@pytest.mark.rule("own:card.10")
def test_a_card_with_effects_of_its_own_is_played_on_ones_turn_or_at_any_time() -> None:
    gift = [{"op": "receive", "amount": 80}]
    table = holding("bob", "effects", effects=gift)
    table.refused("bob", "play_card", "own:card.10", card="shield")
    table.turn("bob")
    table.play("bob", "play_card", card="shield")
    assert (table.cash("bob"), is_back(table)) == (1280, True)
    table = holding("bob", "effects", effects=gift, playable="any")
    table.play("bob", "play_card", card="shield")
    assert table.cash("bob") == 1280


@pytest.mark.rule("own:card.4", "own:jail.5", "own:trade.2")
def test_a_kept_card_opens_no_prison_and_can_be_traded() -> None:
    table = holding("ana", "no_rent")
    table.jail("ana")
    table.refused("ana", "use_jail_card", "own:jail.5", card="shield")
    table.play(
        "ana",
        "propose_trade",
        to="bob",
        give=[{"commodity": "card:shield"}],
        ask=[{"commodity": "COIN", "amount": 60}],
    )
    table.play("bob", "accept_trade", trade=next(iter(table.state.open)))
    assert table.held("player:bob", "card:shield") == 1


@pytest.mark.rule("own:bankrupt.3")
def test_a_bankrupts_kept_cards_go_to_the_creditor() -> None:
    table = holding("ana", "no_rent", {"op": "pay_to_each", "amount": 900})
    drawn(table)
    table.play("ana", "declare_bankruptcy")
    assert table.held("player:bob", "card:shield") + table.held("player:cid", "card:shield") == 1


@pytest.mark.rule("own:card.4")
def test_the_card_is_kept_when_it_is_drawn_and_everybody_sees_it() -> None:
    table = town_with(kept("say_no"))
    drawn(table)
    view = table.rulebook.screen.public_view(table.state)
    assert view["kept_cards"]["ana"] == [CARD]
    assert view["seats"]["ana"]["jail_passes"] == []
