"""V.E.1 to V.E.7: complete quarters, and the automatic abilities of Marron, Cyan and Rose."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.audience import SPECTATOR
from ledger.kernel.facts.events import kind_of
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.estate import quarters
from tests.tables.negopoly import CYAN, MARRON, Table, kinds

BEFORE_SPAWN = 38


# Gaining and losing ---------------------------------------------------------------------------------


@pytest.mark.rule("V.E.1")
def test_the_title_that_completes_a_quarter_brings_its_ability() -> None:
    """Ana has Négotown and buys Black Arretxea: Marron is hers with that very purchase, publicly."""
    table = Table("ana", "bob")
    table.own("ana", "negotown")
    table.play("ana", "roll_dice", dice=[1, 2])
    assert quarters.holder_of(table.state, "marron") is None
    bought, gained = table.play("ana", "buy_property")
    assert kind_of(bought) == "title_bought"
    assert (gained.rule, gained.seat, gained.quarter) == ("V.E.1", "ana", "marron")
    assert quarters.has_ability(table.state, "ana", "marron")
    assert not quarters.has_ability(table.state, "bob", "marron")
    assert RULEBOOK.screen.view(table.state, SPECTATOR)["quarters"]["marron"] == "ana"
    assert kinds(table.seen_by(None)) == ["title_bought", "quarter_gained"]


@pytest.mark.rule("V.E.1")
@pytest.mark.parametrize(
    ("quarter", "size"),
    [
        ("marron", 2),
        ("cyan", 3),
        ("rose", 3),
        ("vert", 3),
        ("rouge", 3),
        ("jaune", 3),
        ("orange", 3),
        ("bleu_fonce", 2),
    ],
)
def test_it_takes_every_title_of_the_colour(quarter: str, size: int) -> None:
    """All but one of a colour give nothing, nor does the last one in Bob's hand; bought from him, it completes."""
    *most, last = quarters.QUARTERS[quarter]
    assert len(most) + 1 == size
    table = Table("ana", "bob")
    table.own("ana", *most)
    table.own("bob", last)
    assert quarters.holder_of(table.state, quarter) is None
    table.play("bob", "sell_property", title=last, to="ana", price=100)
    events = table.play("ana", "agree_deal", deal=str(table.number))
    assert [event.quarter for event in events if kind_of(event) == "quarter_gained"] == [quarter]
    assert quarters.holder_of(table.state, quarter) == "ana"


@pytest.mark.rule("V.E.2")
def test_a_title_sold_ends_the_ability_at_once() -> None:
    """Ana sells Négotown to the bank: the ability of Marron ends with it."""
    table = Table("ana", "bob")
    table.own("ana", *MARRON)
    with table.arranged() as state:
        state.quarters["marron"] = "ana"
    events = table.play("ana", "sell_property", title="negotown")
    assert kinds(events) == ["title_sold", "title_reset", "quarter_lost"]
    assert (events[-1].rule, events[-1].seat, events[-1].title) == ("V.E.2", "ana", "negotown")
    assert quarters.holder_of(table.state, "marron") is None


@pytest.mark.rule("V.E.2", "V.B.1")
def test_a_mortgage_ends_the_ability_and_lifting_it_brings_it_back() -> None:
    """Ana mortgages one of her two Marron titles, and frees it in passing: lost, then gained again."""
    table = Table("ana", "bob")
    table.own("ana", *MARRON)
    with table.arranged() as state:
        state.quarters["marron"] = "ana"
    assert kinds(table.play("ana", "mortgage_property", title="black_arretxea")) == [
        "title_mortgaged",
        "quarter_lost",
    ]
    assert not quarters.has_ability(table.state, "ana", "marron")
    table.play("ana", "roll_dice", dice=[1, 2])
    assert kinds(table.play("ana", "unmortgage_property", title="black_arretxea")) == [
        "title_unmortgaged",
        "quarter_gained",
    ]


@pytest.mark.rule("V.E.1", "V.E.2", "V.B.7")
def test_a_buy_back_takes_a_quarter_from_one_and_may_complete_anothers() -> None:
    """Bob, with Négotown, takes Ana's mortgaged Black Arretxea for 120 ₦: Marron is his."""
    table = Table("ana", "bob")
    table.own("bob", "negotown")
    table.own("ana", "black_arretxea", mortgaged=True)
    table.turn("ana", 1, 1)
    table.play("bob", "roll_dice", dice=[1, 2])
    events = table.play("bob", "force_buyback", title="black_arretxea")
    assert kinds(events) == ["title_bought_back", "quarter_gained"]
    assert quarters.holder_of(table.state, "marron") == "bob"


@pytest.mark.rule("V.E.2")
def test_a_reset_or_the_end_of_a_player_ends_the_ability() -> None:
    """A ruling resets one of Ana's streets; Bob's Marron goes with him when he is out."""
    table = Table("ana", "bob", "cleo")
    table.own("ana", *CYAN)
    table.own("bob", *MARRON)
    with table.arranged() as state:
        state.quarters.update(cyan="ana", marron="bob")
    events = table.banker("reset_property", title=CYAN[2], reason="a mistake")
    assert kinds(events) == ["title_reset", "quarter_lost"]
    events = table.banker("rule", finding="cheating", remedies=[{"op": "eliminate", "seat": "bob"}])
    assert [event.quarter for event in events if kind_of(event) == "quarter_lost"] == ["marron"]


@pytest.mark.rule("V.E.1", "V.E.2")
def test_a_quarter_completed_and_lost_within_one_turn() -> None:
    """Ana completes Marron, draws its allowance on no lap, mortgages a title, and passes Spawn later without it.

    In between she has had it: both facts stand in the journal of one and the same turn.
    """
    table = Table("ana", "bob")
    table.own("ana", "negotown")
    table.play("ana", "roll_dice", dice=[1, 2])
    assert kinds(table.play("ana", "buy_property"))[-1] == "quarter_gained"
    assert kinds(table.play("ana", "mortgage_property", title="negotown"))[-1] == "quarter_lost"
    table.play("ana", "end_turn")
    table.turn("bob", 1, 1)
    table.place("ana", BEFORE_SPAWN)
    assert "allowance_paid" not in kinds(table.play("ana", "roll_dice", dice=[2, 2]))


@pytest.mark.rule("V.E.2", "P.4")
def test_taking_back_the_sale_of_a_title_brings_the_quarter_back() -> None:
    """The sale that ended Marron is dropped from the history: the ability is Ana's, and said to be."""
    table = Table("ana", "bob")
    table.own("ana", *MARRON)
    with table.arranged() as state:
        state.quarters["marron"] = "ana"
    table.play("ana", "sell_property", title="negotown")
    table.banker("correct", edits=[{"op": "drop", "action": table.number}], cascade="restate", reason="not sold")
    assert quarters.holder_of(table.state, "marron") == "ana"
    assert table.state.quarters == {"marron": "ana"}


@pytest.mark.rule("V.E.2", "P.4")
def test_what_a_correction_leaves_of_a_quarter_is_said() -> None:
    """Ana completes Marron in two purchases; the first is dropped and the second kept: the ability has ended."""
    table = Table("ana", "bob")
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "buy_property")
    first = table.number
    table.play("ana", "end_turn")
    table.turn("bob", 2, 2)
    table.banker(
        "rule",
        finding="a present",
        remedies=[{"op": "forced_sale", "title": "negotown", "buyer": "ana", "price": 60}],
    )
    assert table.state.quarters == {"marron": "ana"}
    table.banker("correct", edits=[{"op": "drop", "action": first}], cascade="keep", reason="not bought")
    assert table.state.quarters == {}


@pytest.mark.rule("V.E.3")
def test_abilities_apply_without_being_asked_for() -> None:
    """Marron pays Ana in her move itself: no action of hers stands between the passage and the allowance."""
    table = Table("ana", "bob")
    table.own("ana", *MARRON)
    table.place("ana", BEFORE_SPAWN)
    paid = [event for event in table.play("ana", "roll_dice", dice=[2, 2]) if kind_of(event) == "allowance_paid"]
    assert [event.rule for event in paid] == ["V.E.4"]


# Marron ---------------------------------------------------------------------------------------------


@pytest.mark.rule("V.E.4", "VI.A.3")
def test_marron_brings_150_on_each_lap_on_top_of_the_pay() -> None:
    """With two titles Ana is paid 230 ₦, and 150 ₦ more, after the pay and before anything else."""
    table = Table("ana", "bob")
    table.own("ana", *MARRON)
    table.place("ana", BEFORE_SPAWN)
    with table.arranged() as state:
        state.wanted.add("ana")
    events = kinds(table.play("ana", "roll_dice", dice=[2, 2]))
    assert table.holds("ana") == 1650 + 230 + 150
    assert events.index("salary_paid") < events.index("allowance_paid") < events.index("warrant_lifted")


@pytest.mark.rule("V.E.4")
def test_no_allowance_without_the_whole_of_marron() -> None:
    """With one of the two mortgaged Ana gets her pay alone; so does Bob, who owns none."""
    table = Table("ana", "bob")
    table.own("ana", "negotown")
    table.own("ana", "black_arretxea", mortgaged=True)
    for seat, pay in (("ana", 230), ("bob", 250)):
        table.place(seat, BEFORE_SPAWN)
        table.turn(seat, 2, 5)
        assert table.holds(seat) == 1650 + pay


@pytest.mark.rule("V.E.4")
def test_squatters_do_not_stop_the_allowance() -> None:
    """A squat is no cause to lose a quarter: Marron pays on, though Négotown is squatted."""
    table = Table("ana", "bob")
    table.own("ana", *MARRON)
    table.attach("negotown", "squat")
    table.place("ana", BEFORE_SPAWN)
    table.play("ana", "roll_dice", dice=[2, 2])
    assert table.holds("ana") == 1650 + 230 + 150


# Cyan -----------------------------------------------------------------------------------------------


def at_spawn(*, held: int = 0, seats: tuple[str, ...] = ("ana", "bob")) -> Table:
    """Ana, who holds Cyan and so many doses, has crossed Spawn: she has been paid 220 ₦."""
    table = Table(*seats)
    table.own("ana", *CYAN)
    if held:
        table.give("ana", "dose", held)
    table.place("ana", BEFORE_SPAWN)
    table.play("ana", "roll_dice", dice=[2, 2])
    return table


@pytest.mark.rule("V.E.5")
@pytest.mark.parametrize("held", [0, 1, 7])
def test_the_holder_of_cyan_pays_40_for_every_dose(held: int) -> None:
    """Three doses cost Ana 120 ₦, whatever she holds already."""
    table = at_spawn(held=held)
    (bought,) = table.play("ana", "buy_doses", amount=3)
    assert (bought.rule, bought.unit_prices) == ("V.E.5", (40, 40, 40))
    assert (table.holds("ana"), table.holds("ana", "dose")) == (1650 + 220 - 120, held + 3)


@pytest.mark.rule("V.E.5", "VI.A.7")
def test_no_weather_changes_the_price_of_cyan() -> None:
    """Ana's passage brings a drought: doses cost 20 ₦ more at Spawn, but 40 ₦ to the holder of Cyan."""
    table = Table("ana", "bob", decks=True)
    table.own("ana", *CYAN)
    for seat, paid in (("ana", 40 + 40), ("bob", 70 + 90)):
        table.place(seat, BEFORE_SPAWN)
        table.play(seat, "roll_dice", dice=[2, 3], draws=["meteo_11" if seat == "ana" else "meteo_03"])
        held = table.holds(seat)
        table.play(seat, "buy_doses", amount=2)
        assert held - table.holds(seat) == paid
        table.play(seat, "end_turn")


@pytest.mark.rule("V.E.5", "VIII.D.6")
def test_the_holder_of_cyan_pays_40_for_others_too_and_others_do_not() -> None:
    """Ana buys Bob, who holds a dose, two more at 40 ₦; Bob, buying for Ana at Spawn, pays 50 ₦ and 70 ₦."""
    table = at_spawn()
    table.give("bob", "dose")
    table.play("ana", "buy_for_player", to="bob", commodity="dose", amount=2)
    assert (table.holds("ana"), table.holds("bob", "dose")) == (1650 + 220 - 80, 3)
    table.play("ana", "end_turn")
    table.place("bob", BEFORE_SPAWN)
    table.play("bob", "roll_dice", dice=[2, 2])
    table.play("bob", "buy_for_player", to="ana", commodity="dose", amount=2)
    assert table.holds("bob") == 1650 + 250 - 50 - 70


@pytest.mark.rule("VII.C.1", "VIII.D.3")
def test_what_players_ask_of_each_other_for_doses_is_their_affair() -> None:
    """Bob sells Ana, who holds Cyan, a dose for 90 ₦: she pays that, and it travels like any delivery."""
    table = Table("ana", "bob")
    table.own("ana", *CYAN)
    table.give("bob", "dose")
    legs = [
        {"giver": "bob", "taker": "ana", "commodity": "dose"},
        {"giver": "ana", "taker": "bob", "commodity": "NGD", "amount": 90},
    ]
    table.play("ana", "propose_deal", parties=["ana", "bob"], legs=legs)
    deal = str(table.number)
    table.play("bob", "agree_deal", deal=deal)
    table.turn("ana", 1, 1)
    table.play("bob", "send_delivery", deal=deal, leg=0)
    assert (table.holds("ana"), table.holds("ana", "dose")) == (1560, 0)
    table.turn("bob", 1, 1)
    table.turn("ana", 1, 1)
    assert table.holds("ana", "dose") == 1


@pytest.mark.rule("V.E.5", "V.E.2")
def test_with_a_street_mortgaged_doses_cost_what_they_cost_others() -> None:
    """Ana has crossed Spawn and mortgages a street before she buys: 50 ₦ and 70 ₦."""
    table = at_spawn()
    table.play("ana", "mortgage_property", title=CYAN[0])
    (bought,) = table.play("ana", "buy_doses", amount=2)
    assert (bought.rule, bought.unit_prices) == ("VII.A.3", (50, 70))


@pytest.mark.rule("V.E.5", "VII.A.3")
def test_squatters_leave_the_price_of_cyan_alone() -> None:
    """A street of Ana's is squatted: doses cost her 40 ₦ anyway."""
    table = at_spawn()
    table.attach(CYAN[0], "squat")
    table.play("ana", "buy_doses", amount=1)
    assert table.holds("ana") == 1650 + 220 - 40


@pytest.mark.rule("V.E.6")
@pytest.mark.parametrize(("seat", "rent"), [("bob", 6), ("ana", 0)])
def test_whoever_lands_on_the_street_gets_a_dose(seat: str, rent: int) -> None:
    """Bob stops on 17 rue des patates: 6 ₦ of rent, and a dose from the bank; Ana, at home, gets hers too."""
    table = Table("ana", "bob")
    table.own("ana", *CYAN)
    if seat == "bob":
        table.turn("ana", 1, 1)
    bank = table.holds("bank", "dose")
    table.play(seat, "roll_dice", dice=[2, 4])
    table.refused(seat, "end_turn", "II.B.7")
    events = table.play(seat, "resolve_square")
    (free,) = [event for event in events if kind_of(event) == "free_dose_received"]
    assert (free.rule, free.seat) == ("V.E.6", seat)
    assert (table.holds(seat, "dose"), table.holds("bank", "dose")) == (1, bank - 1)
    assert table.holds(seat) == 1650 - rent


@pytest.mark.rule("V.E.6")
def test_time_running_out_does_not_spare_the_dose() -> None:
    """Bob does not resolve the square, and gets the dose when his turn is closed: nobody can refuse it."""
    table = Table("ana", "bob")
    table.own("ana", *CYAN)
    table.turn("ana", 1, 1)
    table.play("bob", "roll_dice", dice=[2, 4])
    table.wait(301)
    table.banker("expire_turn")
    assert table.holds("bob", "dose") == 1


@pytest.mark.rule("V.E.6")
def test_the_table_may_give_the_dose_to_the_owner() -> None:
    """With the setting "owner", Bob's stop brings Ana the dose; her own stop too."""
    table = Table("ana", "bob", settings={"cyan_free_dose_to": "owner"})
    table.own("ana", *CYAN)
    table.turn("ana", 2, 4)
    table.turn("bob", 2, 4)
    assert (table.holds("ana", "dose"), table.holds("bob", "dose")) == (2, 0)


@pytest.mark.rule("V.E.6", "V.E.2")
def test_no_dose_where_squatters_sit_but_on_the_other_streets() -> None:
    """17 is squatted: Bob gets nothing there, and a dose on 69, although the quarter is squatted in part."""
    table = Table("ana", "bob")
    table.own("ana", *CYAN)
    table.attach(CYAN[0], "squat")
    table.turn("ana", 1, 1)
    table.turn("bob", 2, 4)
    assert table.holds("bob", "dose") == 0
    table.turn("ana", 1, 1)
    table.turn("bob", 1, 1)
    assert table.holds("bob", "dose") == 1


@pytest.mark.rule("V.E.6", "V.E.2")
def test_no_dose_while_a_street_is_mortgaged() -> None:
    """420 is mortgaged: neither there nor on 17 does anybody get a dose."""
    table = Table("ana", "bob")
    table.own("ana", *CYAN[:2])
    table.own("ana", CYAN[2], mortgaged=True)
    table.turn("ana", 2, 4)
    table.place("bob", 3)
    table.turn("bob", 2, 4)
    assert (table.holds("ana", "dose"), table.holds("bob", "dose")) == (0, 0)


@pytest.mark.rule("V.E.6")
def test_a_dose_got_on_landing_was_not_held_at_the_corner_passed_before() -> None:
    """Bob crosses nothing to sell at with it: the dose is there only after the stop, and his Prison is ahead."""
    table = Table("ana", "bob")
    table.own("ana", *CYAN)
    table.turn("ana", 1, 1)
    table.turn("bob", 2, 4)
    table.turn("ana", 1, 1)
    table.play("bob", "roll_dice", dice=[2, 2])
    table.play("bob", "sell_doses", dice=[1])
    assert (table.holds("bob", "dose"), table.holds("bob")) == (0, 1650 - 6 + 100)


@pytest.mark.rule("V.E.6", "III.C.2")
def test_being_sent_to_the_street_is_no_landing() -> None:
    """A ruling puts Bob's token on 17 rue des patates: that is no stop of his, and no dose."""
    table = Table("ana", "bob")
    table.own("ana", *CYAN)
    table.banker("rule", finding="misplaced", remedies=[{"op": "move_seat", "seat": "bob", "square": 6}])
    table.turn("ana", 1, 1)
    assert table.holds("bob", "dose") == 0
