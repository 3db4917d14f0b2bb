"""Cards and the chance die: what is drawn, what it does, and where it goes."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.facts.accounts import Posting
from ledger.rulebooks.monopoly.table.terms import PASS, POT, Landing
from tests.monopoly.table import Table, monopolys, naruto


def on_mission(square: str = "mission_1", **settings: Any) -> Table:
    """Ana stands on a Mission square, and has to draw."""
    table = naruto(**settings)
    table.arrive("ana", square)
    return table


def on_ocean(square: str = "ocean_2") -> Table:
    """Ana stands on a skull square, and has to throw the chance die."""
    table = monopolys()
    table.arrive("ana", square)
    return table


# ----------------------------------------------------------------------------------------------
# Drawing
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("naruto:card.1")
def test_the_top_card_of_the_right_deck_is_drawn_before_anything_else() -> None:
    table = naruto()
    table.refused("ana", "draw_card", "naruto:card.1", card="mission_08")
    table.arrive("ana", "mission_1")
    table.refused("ana", "end_turn", "naruto:card.1")
    table.refused("bob", "draw_card", "naruto:turn.1", card="mission_08")
    table.refused("ana", "draw_card", "naruto:card.1", card="entrainement_02")
    table.refused("ana", "draw_card", "naruto:card.1", card="mission_99")
    table.give("bob", "card:mission_09")
    table.refused("ana", "draw_card", "naruto:card.1", card="mission_09")
    table.play("ana", "draw_card", card="mission_08")
    table.refused("ana", "draw_card", "naruto:card.1", card="mission_16")
    table.play("ana", "end_turn")


@pytest.mark.rule("naruto:card.3")
def test_sixteen_cards_come_back_in_the_order_in_which_they_were_drawn() -> None:
    table = naruto()
    order = [f"entrainement_{number:02}" for number in range(16, 0, -1)]
    for card in order:
        with table.arranged() as state:
            state.jailed = {}
        table.arrive("ana", "entrainement_2")
        table.play("ana", "draw_card", card=card)
        if card == order[3]:
            assert table.state.under["entrainement"] == tuple(order[:4])
    kept = [card for card in order if card != "entrainement_05"]
    assert table.state.under["entrainement"] == tuple(kept)
    table.arrive("ana", "entrainement_2")
    table.refused("ana", "draw_card", "naruto:card.1", card=kept[1])
    drawn, *_ = table.play("ana", "draw_card")
    assert getattr(drawn, "card", None) == kept[0]
    assert table.state.under["entrainement"] == (*kept[1:], kept[0])


@pytest.mark.rule("naruto:card.3")
def test_a_card_under_the_deck_is_not_on_top_while_others_are_left() -> None:
    table = on_mission()
    table.play("ana", "draw_card", card="mission_08")
    table.arrive("bob", "mission_1")
    table.refused("bob", "draw_card", "naruto:card.1", card="mission_08")


@pytest.mark.rule("naruto:card.4")
def test_a_kept_card_leaves_the_deck_until_it_is_used_or_sold() -> None:
    table = on_mission()
    told = table.told(table.play("ana", "draw_card", card="mission_09"))
    assert told[-1] == "Ana keeps jail-free card (Mission)."
    assert table.held("player:ana", "card:mission_09") == 1
    assert table.held("deck:mission", "card:mission_09") == 0
    table.play(
        "ana",
        "propose_trade",
        to="bob",
        give=[{"commodity": "card:mission_09"}],
        ask=[{"commodity": "M", "amount": 30}],
    )
    table.play("bob", "accept_trade", trade=str(table.number))
    table.jail("bob")
    table.turn("bob")
    table.play("bob", "use_jail_card")
    assert table.state.under["mission"] == ("mission_09",)


@pytest.mark.rule("naruto:card.1")
def test_the_service_draws_where_it_throws_the_dice() -> None:
    table = naruto(dice="service")
    with table.arranged() as state:
        state.positions["ana"] = 7
        state.landing = Landing(seat="ana", square=7, todo="card")
    table.play("ana", "draw_card")
    assert table.state.under["mission"] or table.held("player:ana", "card:mission_09")


@pytest.mark.rule("naruto:card.1")
def test_a_deck_whose_cards_are_all_held_gives_nothing() -> None:
    table = on_mission()
    with table.arranged() as state:
        for card in [*state.holdings.account("deck:mission")]:
            state.holdings.post(Posting(card, 1, "deck:mission", "player:bob"))
    (nothing,) = table.play("ana", "draw_card")
    assert table.told([nothing]) == ["There is no card left for Ana to draw."]
    table.play("ana", "end_turn")


@pytest.mark.rule("naruto:card.1")
def test_a_mended_roll_asks_for_the_card_of_the_other_deck() -> None:
    table = naruto()
    with table.arranged() as state:
        state.positions["ana"] = 14
    rolled = table.number + 1
    table.roll("ana", 1, 2)
    table.play("ana", "draw_card", card="entrainement_02")
    table.play("ana", "end_turn")
    table.banker(
        "correct",
        edits=[
            {"op": "replace", "action": rolled, "params": {"dice": [3, 5]}},
            {"op": "replace", "action": rolled + 1, "params": {"card": "mission_16"}},
        ],
        cascade="restate",
        reason="misread dice",
    )
    assert (table.state.positions["ana"], table.cash("ana"), table.state.turn) == (22, 1650, "bob")


@pytest.mark.rule("naruto:card.3")
def test_a_later_draw_stands_where_a_mended_one_has_put_its_card_under_the_deck() -> None:
    table = naruto()
    with table.arranged() as state:
        state.positions |= {"ana": 14, "bob": 14}
    table.roll("ana", 1, 2)
    table.play("ana", "draw_card", card="entrainement_02")
    mistyped = table.number
    table.play("ana", "end_turn")
    table.roll("bob", 1, 2)
    table.play("bob", "draw_card", card="entrainement_08")
    edit = {"op": "replace", "action": mistyped, "params": {"card": "entrainement_08"}}
    table.banker("correct", edits=[edit], cascade="restate", reason="the wrong card")
    assert (table.cash("ana"), table.cash("bob")) == (1520, 1520)


# ----------------------------------------------------------------------------------------------
# Following
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("naruto:card.2", "naruto:bank.2")
def test_the_bank_pays_what_a_card_gives() -> None:
    table = on_mission()
    before = table.bank()
    events = table.play("ana", "draw_card", card="mission_16")
    assert (table.cash("ana"), table.bank()) == (1650, before - 150)
    assert "Ana receives 150 M from the bank, as the card says." in table.told(events)


@pytest.mark.rule("naruto:card.2", "naruto:bank.3")
def test_a_fine_goes_to_the_bank_and_is_a_debt_without_the_money() -> None:
    table = on_mission()
    before = table.bank()
    table.play("ana", "draw_card", card="mission_13")
    assert (table.cash("ana"), table.bank()) == (1485, before + 15)
    table.purse("bob", 99)
    table.arrive("bob", "entrainement_2")
    table.play("bob", "draw_card", card="entrainement_11")
    assert table.cash("bob") == 99
    table.refused("bob", "end_turn", "naruto:debt.1")
    table.purse("bob", 100)
    table.play("bob", "pay_debt")
    table.play("bob", "end_turn")


@pytest.mark.rule("naruto:card.2")
def test_each_other_player_pays_or_is_paid() -> None:
    table = on_mission()
    table.play("ana", "draw_card", card="mission_15")
    assert [table.cash(seat) for seat in ("ana", "bob", "cid")] == [1400, 1550, 1550]
    table.purse("cid", 5)
    table.arrive("bob", "entrainement_2")
    table.play("bob", "draw_card", card="entrainement_09")
    assert [table.cash(seat) for seat in ("ana", "bob", "cid")] == [1390, 1560, 5]
    table.play("bob", "end_turn", override="Cid looks for money")
    table.refused("cid", "roll_and_move", "naruto:debt.1", dice=[1, 2])


@pytest.mark.rule("naruto:card.2")
def test_several_creditors_are_served_in_the_order_of_play() -> None:
    table = naruto()
    table.purse("bob", 60)
    table.arrive("bob", "mission_1")
    table.play("bob", "draw_card", card="mission_15")
    assert [table.cash(seat) for seat in ("ana", "bob", "cid")] == [1500, 10, 1550]
    (debt,) = table.state.debts
    assert (debt.creditor, debt.amount) == ("player:ana", 50)


@pytest.mark.rule("naruto:card.2")
def test_repairs_are_paid_per_onigiri_and_bowl() -> None:
    table = naruto()
    table.give("ana", "orange")
    table.build(orange_1=4, orange_2=4, orange_3=5)
    table.arrive("ana", "mission_1")
    table.play("ana", "draw_card", card="mission_12")
    assert table.cash("ana") == 1500 - 8 * 25 - 100
    table.arrive("bob", "entrainement_2")
    table.play("bob", "draw_card", card="entrainement_14")
    assert table.cash("bob") == 1500


@pytest.mark.rule("naruto:card.2", "naruto:salary.1")
def test_a_card_moves_forward_with_the_salary_and_opens_the_square() -> None:
    table = on_mission("mission_3")
    table.play("ana", "draw_card", card="mission_04")
    assert (table.state.positions["ana"], table.cash("ana")) == (11, 1700)
    table.play("ana", "buy_property")
    assert table.owner("rose_1") == "ana"
    table.arrive("bob", "entrainement_2")
    table.play("bob", "draw_card", card="entrainement_01")
    assert (table.state.positions["bob"], table.cash("bob")) == (0, 1700)


@pytest.mark.rule("naruto:card.2")
def test_a_card_moves_back_without_a_salary() -> None:
    table = on_mission("mission_3")
    table.play("ana", "draw_card", card="mission_10")
    assert table.state.positions["ana"] == 33
    table.play("ana", "draw_card", card="entrainement_08")
    assert table.cash("ana") == 1520


@pytest.mark.rule("naruto:card.2")
def test_the_nearest_akatsuki_member_takes_double_rent() -> None:
    table = naruto()
    table.give("bob", "itachi", "pain")
    table.arrive("ana", "mission_2")
    table.play("ana", "draw_card", card="mission_05")
    assert table.state.positions["ana"] == 25
    table.play("bob", "claim_rent")
    table.play("ana", "pay_debt")
    assert table.cash("ana") == 1500 - 2 * 50


@pytest.mark.rule("naruto:card.2")
def test_obito_and_kabuto_take_ten_times_a_new_throw() -> None:
    table = naruto()
    table.give("bob", "kabuto")
    table.arrive("ana", "mission_2")
    table.play("ana", "draw_card", card="mission_07")
    assert table.state.positions["ana"] == 28
    table.play("bob", "claim_rent")
    table.play("ana", "roll_for_rent", dice=[3, 4])
    table.play("ana", "pay_debt")
    assert table.cash("ana") == 1500 - 70


@pytest.mark.rule("naruto:card.2", "naruto:card.3")
def test_every_card_can_be_drawn_and_told() -> None:
    pieces = naruto().state.edition.pieces
    for card in pieces.cards:
        table = on_mission() if card.deck == "mission" else naruto()
        if card.deck != "mission":
            table.arrive("ana", "entrainement_2")
        events = table.play("ana", "draw_card", card=card.id)
        assert card.words.fr in table.told(events, "fr")[0]
        assert card.words.en in table.told(events)[0]


# ----------------------------------------------------------------------------------------------
# The chance die of Monopolys
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("monopolys:ocean.1")
def test_a_skull_asks_for_the_chance_die() -> None:
    table = on_ocean()
    table.refused("ana", "end_turn", "monopolys:ocean.1")
    table.refused("bob", "roll_chance_die", "monopolys:turn.1", dice=[5])
    table.malformed("ana", "roll_chance_die", dice=[7])
    before = table.bank()
    table.play("ana", "roll_chance_die", dice=[5])
    assert (table.cash("ana"), table.bank()) == (160_000, before - 10_000)
    table.refused("ana", "roll_chance_die", "monopolys:ocean.1", dice=[5])
    table.play("ana", "end_turn")


@pytest.mark.rule("monopolys:ystarys.2", "monopolys:ystarys.1")
def test_payments_of_the_chance_die_feed_the_pot_of_ystarys() -> None:
    table = on_ocean()
    table.play("ana", "roll_chance_die", dice=[4])
    assert (table.cash("ana"), table.held(POT, "YRIS")) == (140_000, 10_000)
    table.give("bob", "orange")
    table.build(odyssa=4, ysbastopol=4, phenys=5)
    table.arrive("bob", "ocean_1")
    table.play("bob", "roll_chance_die", dice=[6])
    assert table.held(POT, "YRIS") == 10_000 + 8 * 2_500 + 10_000
    events = table.arrive("cid", "ystarys")
    assert (table.cash("cid"), table.held(POT, "YRIS")) == (190_000, 0)
    assert "Cid receives the pot: 40\N{NARROW NO-BREAK SPACE}000 Y$." in table.told(events)
    table.arrive("ana", "ystarys")
    assert table.cash("ana") == 140_000


@pytest.mark.rule("monopolys:ystarys.2")
def test_customs_fines_and_prices_do_not_feed_the_pot() -> None:
    table = monopolys()
    table.arrive("ana", "douane_2")
    table.play("ana", "pay_tax")
    table.arrive("ana", "phenys")
    table.play("ana", "buy_property")
    table.jail("ana")
    table.turn("ana")
    table.play("ana", "pay_jail_fine")
    assert table.held(POT, "YRIS") == 0


@pytest.mark.rule("monopolys:ystarys.2")
def test_a_payment_into_the_pot_may_be_a_debt() -> None:
    table = on_ocean()
    table.purse("ana", 9_999)
    table.play("ana", "roll_chance_die", dice=[4])
    table.refused("ana", "end_turn", "monopolys:turn.4")
    table.purse("ana", 10_000)
    table.play("ana", "pay_debt")
    assert table.held(POT, "YRIS") == 10_000


@pytest.mark.rule("monopolys:jail.4")
def test_an_immunity_comes_from_the_bank_while_it_has_one() -> None:
    table = monopolys()
    for seat, held in (("ana", 1), ("bob", 1), ("cid", 0)):
        table.arrive(seat, "ocean_2")
        table.play(seat, "roll_chance_die", dice=[3])
        assert table.held(f"player:{seat}", PASS) == held
    assert table.held("bank", PASS) == 0


@pytest.mark.rule("monopolys:guetapens.4")
def test_the_chance_die_leads_to_the_next_ambush_and_a_new_throw() -> None:
    table = on_ocean()
    table.give("bob", "charybde")
    table.play("ana", "roll_chance_die", dice=[2])
    assert table.state.positions["ana"] == 12
    table.play("ana", "roll_for_rent", dice=[2, 3])
    assert (table.cash("ana"), table.cash("bob")) == (150_000 - 2_000, 150_000 + 2_000)
    assert table.held(POT, "YRIS") == 0
    table.play("ana", "end_turn")


@pytest.mark.rule("monopolys:guetapens.4", "monopolys:venys.1")
def test_an_ambush_without_an_owner_may_be_bought() -> None:
    table = on_ocean("ocean_6")
    table.play("ana", "roll_chance_die", dice=[2])
    assert (table.state.positions["ana"], table.cash("ana")) == (12, 170_000)
    table.play("ana", "buy_property")
    assert table.owner("charybde") == "ana"


@pytest.mark.rule("monopolys:turn.6")
def test_ystarys_is_a_rest() -> None:
    table = monopolys()
    events = table.arrive("ana", "ystarys")
    assert not [event for event in events if event.postings]
    table.play("ana", "end_turn")
