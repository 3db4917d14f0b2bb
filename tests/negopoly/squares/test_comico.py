"""VI.E. Comico: the police buy goods, and the K9 trainer takes bribes."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.events import kind_of
from ledger.rulebooks.negopoly.estate.quarters import QUARTERS
from tests.tables.negopoly import COMICO, Table, in_a_tank, kinds, stop_on


def at_comico(*, stopped: bool = True, doses: int = 0, **settings: int) -> Table:
    """Ana has just stopped on Comico with some doses, or crossed it to stop on 31."""
    table = Table("ana", "bob", settings=settings)
    if doses:
        table.give("ana", "dose", doses)
    table.place("ana", 27 if stopped else 28)
    table.play("ana", "roll_dice", dice=[1, 2])
    return table


@pytest.mark.rule("VI.E.1")
@pytest.mark.parametrize(
    ("item", "price"),
    [("rpg7", 75), ("c4", 20), ("satan2", 2500), ("trottinette", 75), ("tank", 225), ("ordonnance", 70)],
)
def test_the_police_pay_half_the_base_price_in_passing(item: str, price: int) -> None:
    """Ana crosses Comico with two of an object and sells one to the police account; the sale is seen by all."""
    table = at_comico(stopped=False)
    table.give("ana", item, 2)
    table.play("ana", "sell_item_to_police", commodity=item)
    assert (table.holds("ana"), table.holds("ana", item), table.holds("police", item)) == (1650 + price, 1, 1)
    assert [kind_of(event) for event in table.seen_by("bob")] == ["item_sold_to_police"]


@pytest.mark.rule("VI.E.1")
def test_the_share_is_the_tables_and_each_object_is_rounded_down() -> None:
    """At 33 %, an RPG-7 of 150 ₦ brings 49 ₦ (of 49.5), and three bring 147 ₦; at 0 % they bring nothing."""
    table = at_comico(comico_resale_percent=33)
    table.give("ana", "rpg7", 3)
    table.play("ana", "sell_item_to_police", commodity="rpg7", amount=3)
    assert (table.holds("ana"), table.holds("police", "rpg7")) == (1650 + 147, 3)
    table = at_comico(comico_resale_percent=0)
    table.give("ana", "rpg7")
    table.play("ana", "sell_item_to_police", commodity="rpg7")
    assert (table.holds("ana"), table.holds("police", "rpg7")) == (1650, 1)


@pytest.mark.rule("VI.E.1")
def test_the_police_do_not_buy_everything_nor_everywhere() -> None:
    """No doses, licences, titles or nonsense; not more than is held; not once the crossing is over."""
    table = at_comico(stopped=False)
    for commodity in ("dose", "licence", "rpg7"):
        table.give("ana", commodity)
    table.own("ana", "negotown")
    for item in ("dose", "licence", "title:negotown", "NGD", "moon"):
        table.refused("ana", "sell_item_to_police", "VI.E.1", commodity=item)
    table.refused("ana", "sell_item_to_police", "VI.E.1", commodity="rpg7", amount=2)
    table.refused("ana", "sell_item_to_police", "VI.E.1", commodity="tank")
    table.play("ana", "resolve_square")
    table.refused("ana", "sell_item_to_police", "VI.E.1", commodity="rpg7")


@pytest.mark.rule("VI.E.1")
def test_selling_at_comico_is_no_check() -> None:
    """Ana sells an unlicensed RPG-7 with another one and a dose in her inventory: nothing happens to them."""
    table = at_comico(doses=1)
    table.give("ana", "rpg7", 2)
    events = table.play("ana", "sell_item_to_police", commodity="rpg7")
    assert [kind_of(event) for event in events] == ["item_sold_to_police"]
    table.play("ana", "sell_doses", dice=[3])
    assert table.holds("ana") == 1650 + 75 + 250
    assert (table.state.positions["ana"], table.holds("ana", "rpg7")) == (COMICO, 1)


@pytest.mark.rule("VI.E.2")
def test_the_k9_trainer_takes_170_on_a_stop() -> None:
    """Ana stops on Comico and bribes the trainer for 170 ₦, which the bank gets."""
    table = at_comico()
    bank = table.holds("bank")
    table.play("ana", "bribe_k9")
    assert (table.holds("ana"), table.holds("bank")) == (1650 - 170, bank + 170)
    assert table.state.k9_rounds == {2}


@pytest.mark.rule("VI.E.2")
def test_the_k9_trainer_is_not_bribed_in_passing_nor_without_money() -> None:
    """Crossing Comico is not enough, nor are 169 ₦."""
    table = at_comico(stopped=False)
    table.refused("ana", "bribe_k9", "VI.E.2")
    table = at_comico()
    table.take("ana", "NGD", 1650 - 169)
    table.refused("ana", "bribe_k9", "VI.E.2")


@pytest.mark.rule("VI.E.3", "VI.F.2")
def test_during_the_next_round_crossing_a_checkpoint_is_enough_for_everybody() -> None:
    """Ana bribes in round 1: Bob crosses freely in round 1, both are checked in round 2, and nobody in round 3."""
    table = at_comico()
    table.play("ana", "bribe_k9")
    table.play("ana", "end_turn")
    for current, checked in ((1, False), (2, True), (3, False)):
        for seat in ("bob",) if current == 1 else ("ana", "bob"):
            assert table.state.round == current
            table.place(seat, 11)
            events = table.play(seat, "roll_dice", dice=[1, 1])
            kinds = [kind_of(event) for event in events]
            assert ("police_checked" in kinds) is checked
            assert table.state.positions[seat] == 13
            table.play(seat, "end_turn")


@pytest.mark.rule("VI.E.3")
def test_two_bribes_in_a_round_do_not_add_up() -> None:
    """Ana and Bob both bribe in round 1: K9 is active in round 2 only, and each crossing is checked once."""
    table = at_comico()
    table.play("ana", "bribe_k9")
    table.play("ana", "end_turn")
    table.place("bob", 27)
    table.turn("bob", 1, 2, then=(("bribe_k9", {}),))
    assert (table.holds("bob"), table.state.k9_rounds) == (1650 - 170, {2})
    table.place("ana", 11)
    events = table.play("ana", "roll_dice", dice=[1, 1])
    assert [kind_of(event) for event in events].count("police_checked") == 1


@pytest.mark.rule("VII.B.8", "V.E.14", "VI.E.1")
def test_a_sale_that_fails_on_comico_is_no_arrest_for_a_hack_to_divert() -> None:
    """Ana, wanted, sells on Comico with a hack of Bob: a 6 loses her dose to Dan, who holds Orange, and no more.

    Nobody checks or arrests her there: the hack waits on, and her RPG-7 sells for 75 ₦, licence or not.
    """
    table = Table("ana", "bob", "dan")
    table.own("dan", *QUARTERS["orange"])
    table.hack("ana", "bob")
    table.give("ana", "dose", 2)
    table.give("ana", "rpg7")
    with table.arranged() as state:
        state.wanted.add("ana")
    stop_on(table, "ana", 30)
    table.play("ana", "sell_doses", corner="comico", dice=[6])
    table.play("ana", "sell_doses", corner="comico", dice=[3])
    table.play("ana", "sell_item_to_police", commodity="rpg7")
    table.play("ana", "end_turn")
    assert table.holds("ana") == 1650 + 250 + 75
    assert (table.holds("dan", "dose"), table.holds("police", "rpg7")) == (1, 1)
    assert (table.state.hacks, table.state.positions["bob"], table.state.wanted) == ([("ana", "bob")], 0, {"ana"})


@pytest.mark.rule("VI.E.1", "VI.F.3")
def test_a_tank_is_worth_half_its_base_price_to_the_police_and_is_no_weapon_to_them() -> None:
    """Ana stops on a checkpoint with a tank and no licence: nothing is found. On Comico it sells for 225 ₦.

    That is half of 450 ₦, also for the copy that was the last of the dealer.
    """
    table = in_a_tank(onto=28)
    assert kinds(table.play("ana", "resolve_square")) == ["police_checked", "nothing_found", "square_resolved"]
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "sell_item_to_police", commodity="tank")
    assert (table.holds("ana"), table.holds("police", "tank")) == (1650 + 225, 1)
