"""IX.C.25 to IX.C.27. Strikes during a Bombe IEM: cards, weapons, mercenaries and tanks."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.events import kind_of
from tests.tables.negopoly import Table, answer, asked, rolls, under_bomb


@pytest.mark.rule("IX.C.25", "II.B.9", "II.D.2", "III.C.1")
def test_a_card_reaches_a_player_on_the_same_square_and_nobody_beyond() -> None:
    """During the bomb Bob blackmails Cleo on his square, not Ana; Cleo's Raccourci still takes her home."""
    table = under_bomb()
    table.hand("bob", "kamtar_03", "kamtar_10")
    table.hand("cleo", "kamtar_12")
    table.own("cleo", "nuketown")
    table.place("cleo", 3)
    table.place("ana", 4)
    rolls(table, "bob", 3)
    table.refused("bob", "play_card", "IX.C.25", card="kamtar_03", target="ana")
    assert {one["target"] for one in table.offers("bob", "play_card") if "target" in one} == {"cleo"}
    table.play("bob", "play_card", card="kamtar_03", target="cleo")
    assert (table.holds("bob"), table.holds("cleo")) == (1750, 1550)
    table.play("bob", "end_turn")
    table.play("cleo", "play_card", card="kamtar_12", title="nuketown")
    assert (table.state.positions["cleo"], table.state.blackouts) == (11, {"ana"})


@pytest.mark.rule("IX.C.25", "IX.C.24", "II.D.2", "VI.F.6", "IV.C.2")
def test_cards_for_any_time_reach_ones_own_affairs_and_nobody_afar() -> None:
    """During the bomb wanted Bob lifts his own warrant and plays "Silence radio"; Cleo is on another square.

    He can neither see her inventory, nor intercept her delivery, nor reduce her roll: Ana's bomb forbids it.
    """
    table = Table("cleo", "ana", "bob")
    table.give("cleo", "dose")
    table.play("cleo", "send_delivery", to="ana", commodity="dose")
    table.turn("cleo", 1, 2)
    table.give("ana", "bombe_iem")
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "use_emp")
    table.play("ana", "end_turn")
    table.hand("bob", "chance_06", "kamtar_01", "kamtar_06", "kamtar_08", "kamtar_11")
    with table.arranged() as state:
        state.wanted.add("bob")
    rolls(table, "bob", 13)
    for card in ("kamtar_01", "kamtar_06", "kamtar_08"):
        table.refused("bob", "play_card", "IX.C.25", card=card, target="cleo")
    assert {one["card"] for one in table.offers("bob", "play_card")} == {"chance_06", "kamtar_11"}
    table.play("bob", "play_card", card="chance_06")
    table.play("bob", "play_card", card="kamtar_11")
    assert (table.state.wanted, len(table.state.disruptions)) == (set(), 1)
    table.play("bob", "end_turn")
    assert (table.holds("ana", "dose"), table.holds("bob", "dose")) == (1, 0)


@pytest.mark.rule("IX.C.25", "IX.C.24", "IX.C.19", "IX.C.20")
def test_a_duel_on_one_square_is_fought_in_the_dark_and_its_loser_is_not_billed() -> None:
    """Bob uses a Glock against Ana on their square, throws a 3 against her Glock, and pays her 300 ₦.

    He is sent to a Hôpital that normally bills 40 ₦, and nothing during the bomb.
    """
    table = under_bomb("ana", "bob", settings={"hospital_bill": 40})
    for seat in ("ana", "bob"):
        table.give(seat, "glock26")
    rolls(table, "bob", 3)
    table.play("bob", "use_glock", target="ana", dice=[3])
    assert (table.holds("bob"), table.holds("ana"), table.state.positions["bob"]) == (1350, 1950, 20)


@pytest.mark.rule("IX.C.25", "IX.C.28")
def test_artillery_in_the_dark_reaches_the_street_under_ones_feet_and_no_further() -> None:
    """Bob, on Cleo's street of three houses, destroys them; her other street is out of reach."""
    table = under_bomb()
    table.own("cleo", "17_rue_des_patates", "69_rue_des_patates", houses=3)
    table.give("bob", "artillerie")
    rolls(table, "bob", 6)
    table.refused("bob", "fire_artillery", "IX.C.25", title="69_rue_des_patates")
    table.play("bob", "fire_artillery", title="17_rue_des_patates")
    streets = ("17_rue_des_patates", "69_rue_des_patates")
    assert [table.holds(f"property:{title}", "house") for title in streets] == [0, 3]


@pytest.mark.rule("IX.C.25", "IX.B.5", "IX.C.8")
def test_a_defence_stands_in_the_dark_where_defences_stop_weapons() -> None:
    """By the setting, Cleo's defence stops Bob's first RPG-7 during the bomb; his second destroys her house."""
    table = under_bomb(settings={"defence_scope": "all_attacks"})
    table.own("cleo", "17_rue_des_patates", houses=1)
    table.attach("17_rue_des_patates", "defence")
    table.give("bob", "rpg7", 2)
    rolls(table, "bob", 6)
    for houses in (1, 0):
        table.play("bob", "fire_rpg", title="17_rue_des_patates", dice=[4])
        assert table.holds("property:17_rue_des_patates", "house") == houses


@pytest.mark.rule("IX.B.12", "IX.B.13", "IX.B.15", "IX.C.25")
@pytest.mark.parametrize(("said", "square"), [("no", 25), ("use", 11)])
def test_kidnappers_on_their_way_when_it_goes_dark_arrive(said: str, square: int) -> None:
    """In Ana's turn Cleo kidnaps Bob, who is asked about a team. Ana uses her bomb before he answers.

    The kidnapping was used before the bomb: it takes place, or his team stops it. Cleo's second one is refused.
    """
    table = Table("ana", "bob", "cleo")
    table.give("ana", "bombe_iem")
    table.give("bob", "security_team")
    table.give("cleo", "kidnapping", 2)
    table.place("bob", 11)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("cleo", "use_kidnapping", target="bob", towards="next")
    table.play("ana", "use_emp")
    answer(table, "bob", said)
    assert table.state.positions["bob"] == square
    table.refused("cleo", "use_kidnapping", "IX.C.25", target="bob", towards="last")
    assert table.holds("cleo", "kidnapping") == 1


@pytest.mark.rule("IX.B.10", "VI.D.1", "VI.D.4", "IX.C.25")
def test_an_arrest_in_the_dark_is_diverted_by_a_hack_and_leaves_the_racket_for_the_next_one() -> None:
    """The table has a card of its own, "Citizen's arrest". During the bomb Bob has Cleo arrested on his square.

    Cleo has hacked Ana, who is far away: a hack is not an action, so it sends Ana to Prison. Dan's racket collects
    nothing from her. After the bomb Cleo is arrested, without a hack, and pays him 150 ₦. From another square Bob
    could not have her arrested.
    """
    arrest = {"op": "arrest", "target": "chosen"}
    card = {"title": "Citizen's arrest", "keep": True, "timing": "own_turn", "effects": [arrest]}
    cards = [{"id": f"citizen_{one}", **card} for one in (1, 2)]
    table = under_bomb(
        "ana", "bob", "cleo", "dan", settings={"decks": {"chance": cards, "kamtar": [], "meteo": []}}
    )
    table.give("cleo", "hack")
    with table.arranged() as state:
        state.hacks, state.rackets = [("cleo", "ana")], ["dan"]
        for one in cards:
            state.holdings.post(Posting(f"card:{one['id']}", 1, "deck:chance", "player:bob"))
    table.place("cleo", 13)
    rolls(table, "bob", 13)
    table.refused("bob", "play_card", "IX.C.25", card="citizen_1", target="dan")
    table.play("bob", "play_card", card="citizen_1", target="cleo")
    assert (table.state.positions["ana"], table.state.positions["cleo"], table.state.hacks) == (10, 13, [])
    assert (table.holds("ana"), table.holds("dan"), table.state.rackets) == (1650, 1650, ["dan"])
    table.play("bob", "end_turn")
    for seat in ("cleo", "dan", "ana"):
        table.place(seat, 0)
        table.turn(seat, 1, 2)
    rolls(table, "bob", 13)
    table.play("bob", "play_card", card="citizen_2", target="cleo")
    assert (table.state.positions["cleo"], table.holds("cleo"), table.holds("dan")) == (10, 1500, 1800)


@pytest.mark.rule("IX.C.25", "VIII.B.7", "IX.B.14")
def test_a_tank_rolls_and_crushes_in_the_dark_and_a_team_still_steps_in() -> None:
    """During the bomb Bob's tank ends on Cleo and Ana: Cleo's team saves her; Ana goes to Hôpital, unbilled."""
    table = under_bomb("ana", "bob", "cleo", settings={"hospital_bill": 40})
    table.give("bob", "tank")
    table.give("cleo", "security_team")
    table.place("ana", 9)
    table.place("cleo", 9)
    rolls(table, "bob", 7)
    table.play("bob", "use_vehicle", commodity="tank", steps=2)
    assert asked(table) == ["cleo"]
    answer(table, "cleo", "use")
    assert (table.state.positions["ana"], table.state.positions["cleo"]) == (20, 9)
    assert table.holds("ana") == 1650


@pytest.mark.rule("IX.C.27", "V.B.8", "V.B.10")
def test_a_charge_frozen_on_a_title_shares_its_fate_in_the_dark() -> None:
    """During the bomb Bob cannot remove Ana's charges; a ruling that resets the title still destroys them."""
    table = under_bomb("ana", "bob")
    table.own("bob", "17_rue_des_patates", houses=1)
    table.attach("17_rue_des_patates", "charge:ana:1", 2)
    rolls(table, "bob", 6)
    table.refused("bob", "remove_c4", "IX.C.27", title="17_rue_des_patates")
    table.banker("reset_property", title="17_rue_des_patates", reason="expropriated")
    assert table.holds("property:17_rue_des_patates", "charge:ana:1") == 0
    assert table.holds("used", "charge:ana:1") == 2
    assert table.holds("ana", "c4") == 0


@pytest.mark.rule("IX.C.26", "IV.C.2", "VIII.B.7")
def test_a_meeting_on_one_square_is_over_when_one_of_them_is_taken_away() -> None:
    """During the bomb Bob and Cleo meet for Bob's 20 ₦ on the square where Ana's tank ends.

    Cleo's team keeps her there, Bob is sent to Hôpital: their meeting ends, and neither can start another one.
    """
    table = Table("ana", "bob", "cleo")
    for commodity in ("bombe_iem", "tank"):
        table.give("ana", commodity)
    table.give("cleo", "security_team")
    for seat in ("bob", "cleo"):
        table.place(seat, 6)
    rolls(table, "ana", 4)
    table.play("ana", "use_emp")
    table.play("bob", "start_meeting", participants=["cleo"], minutes=1)
    table.play("cleo", "join_meeting", meeting=str(table.number))
    table.play("ana", "use_vehicle", commodity="tank", steps=2)
    events = answer(table, "cleo", "use")
    assert [(kind_of(one), one.rule) for one in events][-1] == ("meeting_ended", "IX.C.26")
    table.refused("bob", "start_meeting", "IX.C.26", participants=["cleo"], minutes=1)
    assert table.holds("bob") == 1650 - 20
