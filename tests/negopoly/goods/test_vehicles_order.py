"""II.B.5 and VIII.C.3. The order in which a teleport, cards and weather, a dose and a vehicle change a move."""

from __future__ import annotations

import pytest

from tests.tables.negopoly import HOPITAL, NC_CUSTOM, PAY, PRISON, SPAWN, garage, kinds, turn, walked

# The order of effects -------------------------------------------------------------------------------


@pytest.mark.rule("II.B.5", "VIII.C.3", "III.B.5")
def test_a_vehicle_comes_after_the_dose_that_lengthens_the_move() -> None:
    """Dice 3 and a drug die of 6: nine squares, then the one of the automobile, declared before or after."""
    for before in (True, False):
        table = garage("automobile", perks={"ana": "doses"})
        if before:
            table.play("ana", "use_vehicle", commodity="automobile")
        table.play("ana", "consume_dose", dice=[6])
        events = table.play("ana", "roll_dice", dice=[1, 2])
        if not before:
            events += table.play("ana", "use_vehicle", commodity="automobile")
        assert [(len(path), rule) for path, _, rule in walked(events)] == [(9, "III.B.5"), (1, "VIII.B.3")]
        assert table.state.positions["ana"] == PRISON + 10


@pytest.mark.rule("II.B.5", "VIII.C.3", "III.B.4")
def test_a_vehicle_comes_after_the_dose_that_takes_back_the_move() -> None:
    """Dice 5 and a drug die of 3: five squares forward, five back, and only then the aeroplane's four."""
    table = garage("avion_de_chasse", perks={"ana": "doses"})
    table.play("ana", "consume_dose", dice=[3])
    table.play("ana", "use_vehicle", commodity="avion_de_chasse", steps=4)
    events = table.play("ana", "roll_dice", dice=[1, 4])
    assert walked(events) == [
        ((11, 12, 13, 14, 15), False, "III.B.4"),
        ((14, 13, 12, 11, 10), False, "III.B.4"),
        ((11, 12, 13, 14), True, "VIII.B.8"),
    ]
    after = garage("avion_de_chasse", perks={"ana": "doses"})
    after.play("ana", "consume_dose", dice=[3])
    after.play("ana", "roll_dice", dice=[1, 4])
    assert turn(after).stop == PRISON
    after.play("ana", "use_vehicle", commodity="avion_de_chasse", steps=4)
    assert turn(after).stop == turn(table).stop == 14


@pytest.mark.parametrize(
    ("die", "end"),
    [
        pytest.param(6, PRISON + (3 + 3 - 1) + 6 + 1, id="longer"),
        pytest.param(3, PRISON + (3 + 3 - 1) - 3 + 1, id="there and back"),
    ],
)
@pytest.mark.rule("II.B.5", "VIII.C.3")
def test_cards_and_weather_come_first_then_the_dose_then_the_vehicle(die: int, end: int) -> None:
    """Dice 3, three more by a card, one less by the heat; the dose counts the original dice; one by vehicle.

    Whatever is played first: the automobile, declared before everything else, comes last.
    """
    table = garage("automobile", perks={"ana": "doses"}, decks=True)
    table.weather("meteo_01")
    table.give("ana", "card:kamtar_07", source="deck:kamtar")
    table.play("ana", "use_vehicle", commodity="automobile")
    table.play("ana", "consume_dose", dice=[die])
    (antidote,) = table.state.questions
    table.play("ana", "answer", question=antidote.id, answer="no")
    table.play("ana", "play_card", card="kamtar_07")
    events = table.play("ana", "roll_dice", dice=[1, 2])
    assert walked(events)[-1][2] == "VIII.B.3"
    assert turn(table).stop == end


@pytest.mark.rule("II.B.5", "VIII.C.3")
def test_a_vehicle_extends_a_move_of_no_square_at_all() -> None:
    """Bob's Croche-pied makes nothing of Ana's 2: she stays where she is, and drives one square on."""
    for before in (True, False):
        table = garage("automobile", decks=True)
        table.give("bob", "card:kamtar_08", source="deck:kamtar")
        table.play("bob", "play_card", card="kamtar_08", target="ana")
        if before:
            table.play("ana", "use_vehicle", commodity="automobile")
        events = table.play("ana", "roll_dice", dice=[1, 1])
        if not before:
            assert (walked(events), turn(table).stop) == ([], None)
            events = table.play("ana", "use_vehicle", commodity="automobile")
        assert walked(events) == [((11,), True, "VIII.B.3")]


@pytest.mark.rule("II.B.5", "III.C.1", "VIII.C.3")
def test_a_teleport_comes_before_everything_and_leaves_nothing_to_extend() -> None:
    """Ana's Raccourci takes her to Hijacked, no roll: an automobile of before is lost, one of after refused."""
    table = garage("automobile", decks=True)
    table.own("ana", "hijacked")
    table.give("ana", "card:kamtar_12", source="deck:kamtar")
    table.play("ana", "use_vehicle", commodity="automobile")
    table.play("ana", "play_card", card="kamtar_12", title="hijacked")
    table.refused("ana", "roll_dice", "II.B.4", dice=[1, 2])
    assert (turn(table).stop, table.holds("used", "automobile")) == (13, 1)
    other = garage("automobile", decks=True)
    other.own("ana", "hijacked")
    other.give("ana", "card:kamtar_12", source="deck:kamtar")
    other.play("ana", "play_card", card="kamtar_12", title="hijacked")
    other.refused("ana", "use_vehicle", "VIII.C.3", commodity="automobile")


@pytest.mark.rule("VI.B.1", "VIII.C.3")
def test_a_token_that_waits_at_the_kamtar_keeps_what_its_vehicle_adds() -> None:
    """Ana is asked at the Kamtar on her way, with two squares of dice and one of her automobile still to go."""
    table = garage("automobile", start=32, decks=True)
    table.play("ana", "use_vehicle", commodity="automobile")
    events = table.play("ana", "roll_dice", dice=[1, 4])
    assert walked(events) == [((33, 34, 35), False, "III.1")]
    assert kinds(events)[-1] == "movement_held"
    assert [stretch.steps for stretch in turn(table).ahead] == [2, 1]
    table.refused("ana", "end_turn", "VI.B.1")
    (question,) = table.state.questions
    events = table.play("ana", "answer", question=question.id, answer="no")
    assert walked(events) == [((36, 37), False, "III.1"), ((38,), True, "VIII.B.3")]
    assert (turn(table).stop, turn(table).ahead) == (38, ())


@pytest.mark.rule("VI.B.2", "VIII.C.3")
def test_who_buys_at_the_kamtar_goes_no_further_by_any_vehicle() -> None:
    """Ana buys a card on her way: the squares of her automobile are lost, and another one is refused."""
    for before in (True, False):
        table = garage("automobile", "teleporteur", start=32, decks=True)
        if before:
            table.play("ana", "use_vehicle", commodity="automobile")
        table.play("ana", "roll_dice", dice=[1, 4])
        (question,) = table.state.questions
        table.play("ana", "answer", question=question.id, answer="buy", draws=["kamtar_03"])
        assert (turn(table).stop, turn(table).ahead) == (35, ())
        if not before:
            table.refused("ana", "use_vehicle", "VIII.C.3", commodity="automobile")
            table.play("ana", "use_vehicle", commodity="teleporteur", square=NC_CUSTOM)
        table.play("ana", "end_turn")


@pytest.mark.rule("VIII.C.1", "VI.B.1")
def test_driving_on_from_the_kamtar_does_not_ask_again() -> None:
    """Ana has stopped on the Kamtar, may buy there, and drives on instead; crossing it by vehicle does ask."""
    table = garage("automobile", start=32, decks=True)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "use_vehicle", commodity="automobile")
    assert (turn(table).stop, table.state.questions) == (36, [])
    over = garage("avion_de_chasse", start=32, decks=True)
    over.play("ana", "roll_dice", dice=[1, 1])
    over.play("ana", "use_vehicle", commodity="avion_de_chasse", steps=3)
    (question,) = over.state.questions
    over.play("ana", "answer", question=question.id, answer="no")
    assert turn(over).stop == 37


@pytest.mark.rule("II.B.13", "VI.B.1", "VIII.C.3")
def test_a_token_that_waits_when_time_is_over_goes_to_the_end_of_its_move() -> None:
    """Silence at the Kamtar is a no: at five minutes the token walks on, and Ana pays Bob's rent of 50 ₦."""
    table = garage("automobile", start=34, decks=True)
    table.own("bob", "lbtrd_tower")
    table.play("ana", "use_vehicle", commodity="automobile")
    table.play("ana", "roll_dice", dice=[1, 3])
    table.wait(301)
    table.banker("expire_turn")
    assert (table.state.positions["ana"], turn(table).seat) == (39, "bob")
    assert (table.holds("ana"), table.holds("bob")) == (1600, 1700)


@pytest.mark.rule("III.B.3", "VIII.2")
def test_an_overdose_leaves_no_turn_to_drive_in() -> None:
    """The vehicle used before the dose is lost with the turn."""
    table = garage("automobile", perks={"ana": "doses"})
    table.play("ana", "use_vehicle", commodity="automobile")
    table.play("ana", "consume_dose", dice=[1])
    assert (table.state.positions["ana"], table.holds("used", "automobile")) == (HOPITAL, 1)
    assert turn(table).seat == "bob"
    assert turn(table).extension == ()


@pytest.mark.rule("VIII.B.1", "VI.A.3", "VI.A.1")
def test_a_trottinette_that_explodes_back_over_spawn_pays_once_and_takes_nothing_back() -> None:
    """Ana crosses Spawn to Négotown and is paid; the explosion takes her back over it to LBTRD Tower, unpaid."""
    table = garage("trottinette", start=36)
    table.play("ana", "roll_dice", dice=[1, 4])
    assert table.holds("ana") == 1650 + PAY
    events = table.play("ana", "use_vehicle", commodity="trottinette", dice=[6])
    assert walked(events) == [((0, 39), True, "VIII.B.1")]
    assert table.holds("ana") == 1650 + PAY
    assert "spawn_passed" not in kinds(events)
    table.play("ana", "resolve_square")
    table.play("ana", "buy_property", title="lbtrd_tower")
    assert table.owner("lbtrd_tower") == "ana"


@pytest.mark.rule("VI.A.3", "VIII.C.3")
def test_an_automobile_onto_spawn_is_a_passage_and_a_helicopter_back_onto_it_is_none() -> None:
    table = garage("automobile", start=36)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "use_vehicle", commodity="automobile")
    assert table.holds("ana") == 1650 + PAY
    back = garage("helicoptere", start=38)
    back.play("ana", "roll_dice", dice=[1, 3])
    paid = back.holds("ana")
    back.play("ana", "use_vehicle", commodity="helicoptere", steps=-2)
    assert (back.state.positions["ana"], back.holds("ana")) == (SPAWN, paid)


@pytest.mark.rule("VIII.C.3")
def test_a_vehicle_that_leaves_spawn_does_not_pass_it_a_second_time() -> None:
    """Ana's dice end on Spawn, which pays; her automobile takes her on from there for no more pay."""
    table = garage("automobile", start=36)
    table.play("ana", "roll_dice", dice=[2, 2])
    assert table.holds("ana") == 1650 + PAY
    table.play("ana", "use_vehicle", commodity="automobile")
    assert (table.state.positions["ana"], table.holds("ana")) == (1, 1650 + PAY)


@pytest.mark.rule("II.B.13")
def test_after_five_minutes_no_vehicle_is_used() -> None:
    table = garage("automobile")
    table.play("ana", "roll_dice", dice=[5, 5])
    table.wait(301)
    table.refused("ana", "use_vehicle", "II.B.13", commodity="automobile")
    assert table.holds("ana", "automobile") == 1
    table.banker("expire_turn")
    assert turn(table).seat == "bob"
