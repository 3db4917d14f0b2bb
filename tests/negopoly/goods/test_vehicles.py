"""VIII.A.1 and VIII.B. Vehicles: where they are sold, and the moves of all seven."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.goods.vehicles import VehicleUsed
from ledger.rulebooks.negopoly.table.pieces import ITEMS, VEHICLES
from tests.tables.negopoly import COMICO, HOPITAL, NC_CUSTOM, PRISON, SPAWN, VERT, Table, kinds, say, turn


def driver(vehicle: str, *, start: int = PRISON, dice: tuple[int, int] = (5, 5)) -> Table:
    """Ana, with a vehicle in hand, has rolled from Prison to the Hôpital, where nothing is due."""
    table = Table("ana", "bob")
    table.give("ana", vehicle)
    table.place("ana", start)
    table.play("ana", "roll_dice", dice=list(dice))
    return table


# The dealer -----------------------------------------------------------------------------------------


@pytest.mark.rule("VIII.A.1")
def test_a_vehicle_is_sold_to_who_stops_on_nc_custom() -> None:
    """Ana pays the bank 250 ₦ for an automobile, and drives off in the very turn in which she bought it."""
    table = Table("ana", "bob")
    table.place("ana", NC_CUSTOM - 7)
    table.refused("ana", "buy_vehicle", "II.B.3", commodity="automobile")
    table.play("ana", "roll_dice", dice=[3, 4])
    bank = table.holds("bank")
    (bought,) = table.play("ana", "buy_vehicle", commodity="automobile")
    assert (table.holds("ana"), table.holds("bank")) == (1650 - 250, bank + 250)
    assert (bought.rule, table.seen_by("bob"), table.seen_by(None)) == ("VIII.A.1", [], [])
    assert len(table.seen_by("ana")) == 1
    table.play("ana", "use_vehicle", commodity="automobile")
    assert table.state.positions["ana"] == NC_CUSTOM + 1
    table.refused("ana", "buy_vehicle", "VIII.A.1", commodity="automobile")


@pytest.mark.rule("VIII.A.1")
def test_nobody_buys_a_vehicle_in_crossing_or_from_elsewhere() -> None:
    """Ana crosses NC Custom and stops next to it; Bob stands on it since an earlier turn, which is no stop."""
    table = Table("ana", "bob")
    table.place("ana", NC_CUSTOM - 3)
    table.place("bob", NC_CUSTOM)
    table.play("ana", "roll_dice", dice=[2, 2])
    assert NC_CUSTOM in [passage.square for passage in turn(table).passages]
    table.refused("ana", "buy_vehicle", "VIII.A.1", commodity="trottinette")
    table.refused("bob", "buy_vehicle", "II.2", commodity="trottinette")
    table.play("ana", "end_turn")
    table.refused("bob", "buy_vehicle", "II.B.3", commodity="trottinette")


@pytest.mark.rule("VIII.A.1", "VIII.B.9")
def test_any_way_of_stopping_there_by_oneself_will_do() -> None:
    """A teleporter to NC Custom makes a stop there; being put there by force would not."""
    table = Table("ana", "bob")
    table.give("ana", "teleporteur")
    table.play("ana", "use_vehicle", commodity="teleporteur", square=NC_CUSTOM)
    table.play("ana", "buy_vehicle", commodity="exosquelette")
    assert table.holds("ana", "exosquelette") == 1
    forced = Table("ana", "bob")
    move = {"op": "move_seat", "seat": "ana", "square": NC_CUSTOM}
    forced.banker("rule", finding="misplaced", remedies=[move])
    assert forced.state.positions["ana"] == NC_CUSTOM
    forced.refused("ana", "buy_vehicle", "II.B.3", commodity="exosquelette")


@pytest.mark.rule("V.E.8", "VIII.A.1")
def test_the_owner_of_vert_buys_vehicles_from_anywhere_in_their_own_turn() -> None:
    """Before the roll, far from any dealer, out of the same stock: 450 ₦, 563 for the last tank, then none."""
    table = Table("ana", "bob")
    table.own("ana", *VERT)
    table.give("ana", "NGD", 5000)
    before = table.holds("ana")
    (bought,) = table.play("ana", "buy_vehicle", commodity="tank")
    assert (bought.rule, table.holds("ana"), table.holds("ana", "tank")) == ("V.E.8", before - 450, 1)
    table.play("ana", "buy_vehicle", commodity="tank")
    assert table.holds("ana") == before - 450 - 563
    table.refused("ana", "buy_vehicle", "VIII.A.2", commodity="tank")
    table.refused("bob", "buy_vehicle", "II.2", commodity="automobile")
    with table.arranged() as state:
        state.blackouts.add("bob")
    table.refused("ana", "buy_vehicle", "IX.C.25", commodity="automobile")


@pytest.mark.rule("II.B.3")
def test_a_mortgaged_title_of_vert_closes_the_remote_dealer() -> None:
    table = Table("ana", "bob")
    table.own("ana", *VERT[:2])
    table.own("ana", VERT[2], mortgaged=True)
    table.refused("ana", "buy_vehicle", "II.B.3", commodity="automobile")
    assert not table.offers("ana", "buy_vehicle")


# The vehicles ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("die", "end"), [(1, HOPITAL), (2, HOPITAL), (3, 21), (4, 21), (5, 21), (6, 18)])
@pytest.mark.rule("VIII.B.1")
def test_the_trottinette(die: int, end: int) -> None:
    """1 or 2 nothing, 3 to 5 one square forward, 6 two squares back; used up whatever the die shows (VIII.2)."""
    table = driver("trottinette")
    used = table.play("ana", "use_vehicle", commodity="trottinette", dice=[die])[0]
    assert isinstance(used, VehicleUsed)
    assert (used.rule, used.die) == ("VIII.B.1", die)
    assert (table.state.positions["ana"], turn(table).stop) == (end, end)
    assert (table.holds("ana", "trottinette"), table.holds("used", "trottinette")) == (0, 1)


@pytest.mark.parametrize(("die", "end"), [(1, HOPITAL), (2, HOPITAL), (3, 19), (4, 19), (5, 19), (6, 22)])
@pytest.mark.rule("VIII.B.2")
def test_the_exosquelette(die: int, end: int) -> None:
    """1 or 2 nothing, 3 to 5 one square back, 6 two squares forward; its explosion hurts nobody."""
    table = driver("exosquelette")
    used = table.play("ana", "use_vehicle", commodity="exosquelette", dice=[die])[0]
    assert used.rule == "VIII.B.2"
    assert (table.state.positions["ana"], turn(table).stop) == (end, end)
    assert table.holds("used", "exosquelette") == 1


@pytest.mark.rule("VIII.B.1", "VIII.B.2")
def test_a_die_that_nobody_threw_is_asked_for_and_one_that_nobody_asked_for_is_refused() -> None:
    table = driver("trottinette")
    table.give("ana", "automobile")
    table.malformed("ana", "use_vehicle", commodity="trottinette")
    table.malformed("ana", "use_vehicle", commodity="trottinette", dice=[3], steps=1)
    table.malformed("ana", "use_vehicle", commodity="automobile", dice=[3])
    table.malformed("ana", "use_vehicle", commodity="automobile", square=3)
    table.malformed("ana", "use_vehicle", commodity="trottinette", square=3)
    table.play("ana", "use_vehicle", commodity="trottinette", dice=[2])
    exosquelette = driver("exosquelette")
    exosquelette.malformed("ana", "use_vehicle", commodity="exosquelette", steps=-1)
    exosquelette.play("ana", "use_vehicle", commodity="exosquelette", dice=[1])


@pytest.mark.rule("VIII.B.3")
def test_the_automobile_goes_exactly_one_square_further() -> None:
    table = driver("automobile")
    for steps in (-1, 0, 2):
        table.refused("ana", "use_vehicle", "VIII.B.3", commodity="automobile", steps=steps)
    table.play("ana", "use_vehicle", commodity="automobile", steps=1)
    assert table.state.positions["ana"] == HOPITAL + 1
    plain = driver("automobile")
    plain.play("ana", "use_vehicle", commodity="automobile")
    assert plain.state.positions["ana"] == HOPITAL + 1


@pytest.mark.parametrize("steps", [-3, -2, -1, 1, 2, 3])
@pytest.mark.rule("VIII.B.4")
def test_the_helicoptere_goes_up_to_three_squares_either_way(steps: int) -> None:
    table = driver("helicoptere")
    for wrong in (-4, 0, 4):
        refused = table.refused("ana", "use_vehicle", "VIII.B.4", commodity="helicoptere", steps=wrong)
    assert refused.en == "Hélicoptère moves -3 / -2 / -1 / +1 / +2 / +3 squares, not +4"
    table.refused("ana", "use_vehicle", "VIII.B.4", commodity="helicoptere")
    assert table.holds("ana", "helicoptere") == 1
    table.play("ana", "use_vehicle", commodity="helicoptere", steps=steps)
    assert table.state.positions["ana"] == HOPITAL + steps


@pytest.mark.parametrize("steps", [2, 3])
@pytest.mark.rule("VIII.B.5")
def test_the_tank_goes_two_or_three_squares_forward(steps: int) -> None:
    table = driver("tank")
    for wrong in (-2, 0, 1, 4):
        table.refused("ana", "use_vehicle", "VIII.B.5", commodity="tank", steps=wrong)
    table.play("ana", "use_vehicle", commodity="tank", steps=steps)
    assert table.state.positions["ana"] == HOPITAL + steps


@pytest.mark.parametrize("steps", [1, 2, 3, 4, 5, 6])
@pytest.mark.rule("VIII.B.8")
def test_the_avion_de_chasse_goes_one_to_six_squares_forward(steps: int) -> None:
    table = driver("avion_de_chasse")
    for wrong in (-1, 0, 7):
        table.refused("ana", "use_vehicle", "VIII.B.8", commodity="avion_de_chasse", steps=wrong)
    table.play("ana", "use_vehicle", commodity="avion_de_chasse", steps=steps)
    assert table.state.positions["ana"] == HOPITAL + steps


@pytest.mark.rule("VIII.B.9", "III.C.1")
def test_the_teleporter_before_the_roll_replaces_it() -> None:
    """Ana goes straight to NC Custom, crosses nothing, and has no roll left."""
    table = Table("ana", "bob")
    table.give("ana", "teleporteur")
    table.place("ana", COMICO)
    events = table.play("ana", "use_vehicle", commodity="teleporteur", square=NC_CUSTOM)
    assert kinds(events) == ["vehicle_used", "token_teleported"]
    assert (turn(table).stop, turn(table).roll, len(turn(table).passages)) == (NC_CUSTOM, "gone", 1)
    table.refused("ana", "roll_dice", "II.B.4", dice=[1, 2])
    table.play("ana", "end_turn")


@pytest.mark.rule("VIII.B.9", "VIII.C.1", "III.C.1", "III.A.3")
def test_the_teleporter_after_the_roll_leaves_the_dice_and_their_square_behind() -> None:
    """Ana has rolled onto Bob's LBTRD Tower; she goes to the Spawn instead, which pays, and owes Bob nothing."""
    table = Table("ana", "bob")
    table.own("bob", "lbtrd_tower")
    table.give("ana", "teleporteur")
    table.place("ana", 36)
    table.play("ana", "roll_dice", dice=[1, 2])
    bob = table.holds("bob")
    events = table.play("ana", "use_vehicle", commodity="teleporteur", square=SPAWN)
    assert kinds(events)[:4] == ["vehicle_used", "token_teleported", "spawn_passed", "salary_paid"]
    assert (table.holds("ana"), table.holds("bob")) == (1650 + 250, bob)
    assert (turn(table).stop, turn(table).roll) == (SPAWN, "thrown")


@pytest.mark.rule("VIII.B.9")
def test_the_teleporter_goes_to_any_square_of_the_board_and_to_no_other() -> None:
    table = Table("ana", "bob")
    table.give("ana", "teleporteur")
    table.malformed("ana", "use_vehicle", commodity="teleporteur")
    table.malformed("ana", "use_vehicle", commodity="teleporteur", square=3, steps=1)
    beyond = table.refused("ana", "use_vehicle", "VIII.B.9", commodity="teleporteur", square=40)
    assert beyond.en == "there is no square 40; the last one is 39"
    squares = [move["square"] for move in table.offers("ana", "use_vehicle")]
    assert squares == list(range(40))
    table.play("ana", "use_vehicle", commodity="teleporteur", square=39)
    assert (table.state.positions["ana"], table.holds("ana", "teleporteur")) == (39, 0)


# Data and words -------------------------------------------------------------------------------------


@pytest.mark.rule("VIII.B.1", "VIII.B.2", "VIII.B.3", "VIII.B.4", "VIII.B.5", "VIII.B.8", "VIII.B.9")
def test_the_seven_vehicles_are_those_of_the_price_list() -> None:
    """Seven models of tier 0 to 5, and the dealer offers each of them to who stops there."""
    sold = [item.id for item in ITEMS.values() if item.category == "vehicle"]
    assert list(VEHICLES) == sold
    assert [VEHICLES[one].tier for one in sold] == [0, 0, 1, 2, 3, 4, 5]
    table = Table("ana", "bob")
    table.give("ana", "NGD", 9000)
    table.place("ana", NC_CUSTOM - 5)
    table.play("ana", "roll_dice", dice=[2, 3])
    offered = table.offers("ana", "buy_vehicle")
    assert offered == [{"commodity": one} for one in sold]
    for params in offered:
        table.play("ana", "buy_vehicle", **params)
    assert {one: table.holds("ana", one) for one in sold} == dict.fromkeys(sold, 1)


@pytest.mark.rule("VIII.C.1")
def test_a_held_vehicle_is_among_the_moves_with_every_move_it_makes() -> None:
    """Fifty-seven moves before the roll: 1 + 1 + 1 + 6 + 2 + 6, and the 40 squares of the teleporter.

    After a roll that an arrest has cut short only the teleporter is left, and in another's turn nothing.
    """
    table = Table("ana", "bob", dice="service")
    for vehicle in VEHICLES:
        table.give("ana", vehicle)
        table.give("bob", vehicle)
    moves = table.offers("ana", "use_vehicle")
    assert len(moves) == 1 + 1 + 1 + 6 + 2 + 6 + 40
    assert {"commodity": "helicoptere", "steps": -2} in moves
    assert not table.offers("bob", "use_vehicle")
    with table.arranged() as state:
        state.turn = replace(turn(table), roll="thrown", halted=True)
    assert {move["commodity"] for move in table.offers("ana", "use_vehicle")} == {"teleporteur"}
    table.play("ana", "use_vehicle", **moves[-1])
    assert not table.offers("ana", "use_vehicle")


@pytest.mark.rule("VIII.A.1", "VIII.D.6")
def test_what_the_dealer_sells_is_among_the_moves_for_oneself_and_for_others() -> None:
    """Stopped on NC Custom with 1650 ₦ Ana may buy each of the seven, for herself and for Bob; elsewhere none."""
    table = Table("ana", "bob")
    table.place("ana", NC_CUSTOM - 5)
    assert not table.offers("ana", "buy_vehicle")
    table.play("ana", "roll_dice", dice=[2, 3])
    assert [move["commodity"] for move in table.offers("ana", "buy_vehicle")] == list(VEHICLES)
    gifts = table.offers("ana", "buy_for_player")
    assert gifts == [{"to": "bob", "commodity": vehicle, "amount": 1} for vehicle in VEHICLES]
    table.play("ana", "buy_for_player", **gifts[0])
    table.play("ana", "buy_vehicle", commodity="teleporteur")
    assert [move["commodity"] for move in table.offers("ana", "buy_vehicle")] == [
        "trottinette", "exosquelette", "automobile", "helicoptere", "tank", "avion_de_chasse",
    ]  # fmt: skip


@pytest.mark.rule("VIII.B.1", "VIII.C.3")
def test_what_a_vehicle_does_is_said_in_words() -> None:
    """A breakdown, squares back at once, squares to come after the roll, and a square to go to."""
    told = {
        "": VehicleUsed(rule="VIII.B.1", seat="ana", vehicle="trottinette", die=2),
        "back": VehicleUsed(rule="VIII.B.1", seat="ana", vehicle="trottinette", die=6, steps=-2),
        "later": VehicleUsed(rule="VIII.B.3", seat="ana", vehicle="automobile", steps=1, waits=True),
        "there": VehicleUsed(rule="VIII.B.9", seat="ana", vehicle="teleporteur", square=3),
    }
    table = Table("ana", "bob", perks={"ana": "trottinette"})
    speakers = RULEBOOK.language.speakers(table.state)
    assert [say(event, "en", speakers) for event in told.values()] == [
        "Ana uses a vehicle, Trottinette au sans-plomb 75 (die 2): it breaks down.",
        "Ana uses a vehicle, Trottinette au sans-plomb 75 (die 6): 2 squares back.",
        "Ana uses a vehicle, Automobile: 1 square forward after the roll.",
        "Ana uses a vehicle, Téléporteur de poche.",
    ]
    assert [say(event, "fr", speakers) for event in told.values()] == [
        "Ana utilise un véhicule, Trottinette au sans-plomb 75 (dé 2)\u00a0: il tombe en panne.",
        "Ana utilise un véhicule, Trottinette au sans-plomb 75 (dé 6)\u00a0: 2 cases en arrière.",
        "Ana utilise un véhicule, Automobile\u00a0: 1 case en avant après le lancer.",
        "Ana utilise un véhicule, Téléporteur de poche.",
    ]
    table.play("ana", "use_vehicle", commodity="trottinette", dice=[2])
