"""V.E.8, V.E.11, V.E.12, V.E.18 and V.E.19: actions from anywhere by Vert, Jaune and Bleu foncé."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.events import kind_of
from ledger.rulebooks.negopoly.estate.quarters import QUARTERS
from ledger.rulebooks.negopoly.table.pieces import TITLES
from tests.tables.negopoly import BAR, BLEU_FONCE, JAUNE, VERT, Table, kinds

"""On 37 and 39."""


def holding(titles: tuple[str, ...]) -> Table:
    """Ana, whose turn it is, holds the quarter of these titles; she has 21,650 ₦, Bob 1,650 ₦."""
    table = Table("ana", "bob")
    table.own("ana", *titles)
    table.give("ana", "NGD", 20_000)
    with table.arranged() as state:
        state.quarters[TITLES[titles[0]].quarter] = "ana"
    return table


def bomb(table: Table) -> None:
    """A Bombe IEM of Bob's is active."""
    with table.arranged() as state:
        state.blackouts.add("bob")


# Vert -----------------------------------------------------------------------------------------------


@pytest.mark.rule("V.E.8", "VIII.A.3")
def test_the_holder_of_vert_buys_vehicles_from_anywhere() -> None:
    """From Spawn, before her roll, Ana buys both Tanks of the stock, at 450 ₦ and, the last one, 563 ₦."""
    table = holding(VERT)
    assert {"commodity": "tank"} in table.offers("ana", "buy_vehicle")
    (bought,) = table.play("ana", "buy_vehicle", commodity="tank")
    assert (bought.rule, bought.price, table.holds("ana", "tank")) == ("V.E.8", 450, 1)
    (last,) = table.play("ana", "buy_vehicle", commodity="tank")
    assert (last.price, table.holds("shop:nc_custom", "tank")) == (563, 0)
    table.refused("ana", "buy_vehicle", "VIII.A.2", commodity="tank")


@pytest.mark.rule("V.E.8", "VIII.A.1")
def test_vehicles_come_to_nobody_else_and_in_ones_own_turn_only() -> None:
    """Bob has no Vert; Ana has to wait for her turn; with a title of it mortgaged she has to stop on NC Custom."""
    table = holding(VERT)
    table.turn("ana", 1, 1)
    table.refused("ana", "buy_vehicle", "V.E.8", commodity="automobile")
    table.play("bob", "roll_dice", dice=[1, 1])
    table.refused("bob", "buy_vehicle", "VIII.A.1", commodity="automobile")
    table.play("bob", "end_turn")
    table.play("ana", "mortgage_property", title=VERT[0])
    table.play("ana", "roll_dice", dice=[1, 1])
    table.refused("ana", "buy_vehicle", "VIII.A.1", commodity="automobile")


@pytest.mark.rule("V.E.8", "VIII.D.6")
def test_the_holder_of_vert_buys_for_others_from_anywhere() -> None:
    """Ana buys Bob an Automobile from a distance: he has it at once, without a delivery."""
    table = holding(VERT)
    table.play("ana", "buy_for_player", to="bob", commodity="automobile", amount=1)
    assert (table.holds("bob", "automobile"), table.state.open) == (1, {})


@pytest.mark.rule("IX.C.25")
def test_no_vehicle_from_afar_under_an_emp() -> None:
    """While the bomb is active nothing reaches NC Custom."""
    table = holding(VERT)
    bomb(table)
    table.refused("ana", "buy_vehicle", "IX.C.25", commodity="automobile")


# Jaune ----------------------------------------------------------------------------------------------


@pytest.mark.rule("V.E.11")
@pytest.mark.parametrize(
    ("weapon", "price", "last"),
    [
        ("rpg7", 113, None),
        ("c4", 30, None),
        ("glock26", 150, 188),
        ("ar15", 300, 375),
        ("mortier", 300, 375),
        ("bombe_iem", 300, 375),
        ("artillerie", 450, 563),
        ("rods_from_gods", 1125, 1407),
    ],
)
def test_the_holder_of_jaune_pays_a_quarter_less_for_weapons(weapon: str, price: int, last: int | None) -> None:
    """At the bar: 75 % of the price, and of the raised price of a last copy, rounded up once."""
    table = holding(JAUNE)
    table.play("ana", "roll_dice", dice=[2, 3])
    (bought,) = table.play("ana", "buy_weapon", commodity=weapon)
    assert (bought.rule, bought.price) == ("V.E.11", price)
    if last is not None:
        (bought,) = table.play("ana", "buy_weapon", commodity=weapon)
        assert bought.price == last


@pytest.mark.rule("V.E.11", "IX.D.1")
def test_game_enders_and_services_cost_the_holder_of_jaune_what_they_cost_others() -> None:
    """Satan2 costs 5000 ₦, a hack 150 ₦; and with a title mortgaged a Glock costs 200 ₦."""
    table = holding(JAUNE)
    table.play("ana", "roll_dice", dice=[2, 3])
    (ender,) = table.play("ana", "buy_weapon", commodity="satan2")
    assert ender.price == 5000
    before = table.holds("ana")
    table.play("ana", "take_service", service="hack", target="bob")
    assert before - table.holds("ana") == 150
    table.play("ana", "mortgage_property", title=JAUNE[0])
    (glock,) = table.play("ana", "buy_weapon", commodity="glock26")
    assert (glock.price, glock.rule) == (200, "IX.A.1")


@pytest.mark.rule("V.E.12")
def test_the_holder_of_jaune_buys_weapons_in_crossing_a_bar() -> None:
    """Ana crosses the bar on 5 and stops on 7: an RPG-7 for 113 ₦, and Satan2 at its full price."""
    table = holding(JAUNE)
    table.play("ana", "roll_dice", dice=[3, 4])
    assert {"commodity": "rpg7", "amount": 1} in table.offers("ana", "buy_weapon")
    (bought,) = table.play("ana", "buy_weapon", commodity="rpg7")
    assert (bought.rule, bought.price) == ("V.E.11", 113)
    (ender,) = table.play("ana", "buy_weapon", commodity="satan2")
    assert (ender.price, ender.rule) == (5000, "V.E.12")


@pytest.mark.rule("V.E.12", "IX.A.2")
def test_crossing_opens_weapons_alone_to_the_holder_of_jaune_alone() -> None:
    """No hack in passing; crossing the square next to a bar is not enough; Bob buys nothing in crossing one."""
    table = holding(JAUNE)
    table.play("ana", "roll_dice", dice=[3, 4])
    table.refused("ana", "take_service", "IX.A.2", service="hack", target="bob")
    table.play("ana", "end_turn")
    table.play("bob", "roll_dice", dice=[3, 4])
    table.refused("bob", "buy_weapon", "IX.A.2", commodity="rpg7")
    table = holding(JAUNE)
    table.place("ana", 5)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.refused("ana", "buy_weapon", "V.E.12", commodity="rpg7")


@pytest.mark.rule("V.E.2", "IX.A.2")
def test_with_a_title_mortgaged_the_bar_has_to_be_stopped_at() -> None:
    """Ana has crossed a bar and mortgages Bar Freak Show: the bar is closed to her again."""
    table = holding(JAUNE)
    table.play("ana", "roll_dice", dice=[3, 4])
    table.play("ana", "mortgage_property", title=JAUNE[1])
    table.refused("ana", "buy_weapon", "IX.A.2", commodity="rpg7")


# Bleu foncé: titles from anywhere -------------------------------------------------------------------


@pytest.mark.rule("V.E.18", "V.A.2")
def test_the_holder_of_bleu_fonce_buys_titles_from_anywhere() -> None:
    """Before her roll Ana buys Négotown for its 60 ₦, after it Nuketown for 140 ₦, and where she stands."""
    table = holding(BLEU_FONCE)
    (bought,) = table.play("ana", "buy_property", title="negotown")
    assert (bought.rule, bought.price, table.holds("ana")) == ("V.E.18", 60, 21_590)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "buy_property", title="nuketown")
    bought, completed = table.play("ana", "buy_property")
    assert (bought.rule, bought.title, table.holds("ana")) == ("V.A.2", "black_arretxea", 21_390)
    assert completed.quarter == "marron"
    table.refused("ana", "buy_property", "V.A.2", title="nuketown")
    table.refused("ana", "decline_property", "V.A.3", title="hijacked")


@pytest.mark.rule("V.E.18")
def test_the_holder_of_bleu_fonce_frees_and_takes_titles_from_anywhere() -> None:
    """Ana lifts the mortgage of her Nuketown for 70 ₦ and takes Bob's Elysée for twice 260 ₦, from Spawn."""
    table = holding(BLEU_FONCE)
    table.own("ana", "nuketown", mortgaged=True)
    table.own("bob", "elysee", mortgaged=True, houses=2)
    (freed,) = table.play("ana", "unmortgage_property", title="nuketown")
    assert (freed.rule, freed.cost) == ("V.E.18", 70)
    (taken,) = table.play("ana", "force_buyback", title="elysee")
    assert (taken.rule, taken.price, table.owner("elysee")) == ("V.E.18", 520, "ana")
    assert table.holds("ana") == 21_650 - 70 - 520


@pytest.mark.rule("V.E.18", "V.B.5")
def test_a_delegate_who_holds_bleu_fonce_frees_titles_from_anywhere() -> None:
    """Bob lets Ana unmortgage his Nuketown at her expense: she does it from Spawn."""
    table = holding(BLEU_FONCE)
    table.own("bob", "nuketown", mortgaged=True)
    table.refused("ana", "unmortgage_property", "V.B.5", title="nuketown")
    table.play("bob", "delegate_unmortgage", title="nuketown", to="ana")
    table.play("ana", "unmortgage_property", title="nuketown")
    assert (table.owner("nuketown"), table.holds("ana")) == ("bob", 21_650 - 70)


@pytest.mark.rule("V.E.18", "IX.B.8")
def test_the_holder_of_bleu_fonce_chases_squatters_from_anywhere() -> None:
    """Squatters on Bob's Nuketown: Ana, far away, has them gone; Bob could not, had he not passed by."""
    table = holding(BLEU_FONCE)
    table.own("bob", "nuketown")
    table.attach("nuketown", "squat")
    table.play("ana", "roll_dice", dice=[1, 1])
    assert table.offers("ana", "evict_squatters") == [{"title": "nuketown"}]
    (gone,) = table.play("ana", "evict_squatters", title="nuketown")
    assert gone.rule == "V.E.18"
    table.attach("nuketown", "squat")
    table.play("ana", "end_turn")
    table.play("bob", "roll_dice", dice=[1, 1])
    table.refused("bob", "evict_squatters", "IX.B.8", title="nuketown")


@pytest.mark.rule("V.D.1", "II.D.4")
def test_remote_dealings_are_for_the_holder_in_their_own_turn() -> None:
    """Not for Bob; not in Bob's turn; not while one of the two towers is mortgaged."""
    table = holding(BLEU_FONCE)
    table.turn("ana", 1, 1)
    table.refused("ana", "buy_property", "II.D.4", title="negotown")
    table.play("bob", "roll_dice", dice=[1, 1])
    table.refused("bob", "buy_property", "V.D.1", title="negotown")
    table.play("bob", "end_turn")
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "mortgage_property", title=BLEU_FONCE[0])
    table.refused("ana", "buy_property", "V.D.1", title="negotown")
    table.refused("ana", "unmortgage_property", "V.D.1", title=BLEU_FONCE[0])


@pytest.mark.rule("V.E.18")
def test_squatters_on_the_towers_leave_the_reach_alone() -> None:
    """Both towers are squatted: Ana buys Négotown from a distance anyway."""
    table = holding(BLEU_FONCE)
    for tower in BLEU_FONCE:
        table.attach(tower, "squat")
    table.play("ana", "buy_property", title="negotown")
    assert table.owner("negotown") == "ana"


@pytest.mark.rule("IX.C.25", "IX.C.24")
def test_no_remote_dealings_under_an_emp() -> None:
    """The bomb is active: nothing from a distance, neither bought nor freed nor taken, nor on one's own square."""
    table = holding(BLEU_FONCE)
    table.own("ana", "nuketown", mortgaged=True)
    table.own("bob", "elysee", mortgaged=True)
    bomb(table)
    table.refused("ana", "buy_property", "IX.C.25", title="negotown")
    table.refused("ana", "unmortgage_property", "IX.C.25", title="nuketown")
    table.refused("ana", "force_buyback", "IX.C.25", title="elysee")
    assert table.offers("ana", "buy_property") == []
    table.play("ana", "roll_dice", dice=[1, 2])
    table.refused("ana", "buy_property", "IX.C.24")


def test_moves_offer_every_title_within_reach() -> None:
    """With Bleu foncé Ana is offered each of the bank's 20 titles, before and after the roll; Bob his stop."""
    table = holding(BLEU_FONCE)
    bank = [{"title": title} for title in TITLES if title not in BLEU_FONCE]
    assert table.offers("ana", "buy_property") == bank
    table.play("ana", "roll_dice", dice=[1, 2])
    assert table.offers("ana", "buy_property") == bank
    table.play("ana", "end_turn")
    table.play("bob", "roll_dice", dice=[1, 2])
    assert table.offers("bob", "buy_property") == [{"title": "black_arretxea"}]


# Bleu foncé: the teleport ---------------------------------------------------------------------------


def at_home(*, seats: tuple[str, ...] = ("ana", "bob")) -> Table:
    """Ana, who holds Bleu foncé, starts her second turn on Négoplaza."""
    table = Table(*seats)
    table.own("ana", *BLEU_FONCE)
    table.place("ana", 35)
    table.turn("ana", 1, 1)
    for other in seats[1:]:
        table.turn(other, 1, 1)
    assert table.state.turn is not None
    assert table.state.turn.started_on == 37
    return table


@pytest.mark.rule("V.E.19", "III.C.1", "III.C.2")
def test_from_home_the_holder_teleports_instead_of_rolling() -> None:
    """From Négoplaza Ana goes to the Comico, crossing nothing: an ordinary stop, and no roll is left."""
    table = at_home()
    assert len(table.offers("ana", "quarter_teleport")) == 40
    (moved,) = table.play("ana", "quarter_teleport", square=30)
    assert (kind_of(moved), moved.rule, table.holds("ana")) == ("token_teleported", "V.E.19", 1650)
    table.refused("ana", "roll_dice", "II.B.4", dice=[1, 1])
    table.play("ana", "bribe_k9")
    table.play("ana", "resolve_square")
    table.play("ana", "end_turn")


@pytest.mark.rule("V.E.19", "VI.A.3")
def test_teleporting_onto_spawn_is_a_passage() -> None:
    """Ana lands on Spawn: 250 ₦ less 20 ₦ for her towers."""
    table = at_home()
    assert "spawn_passed" in kinds(table.play("ana", "quarter_teleport", square=0))
    assert table.holds("ana") == 1650 + 230


@pytest.mark.rule("V.E.19", "V.A.6")
def test_where_the_teleport_ends_rent_is_due() -> None:
    """Ana lands on Bob's Nuketown with three houses: 450 ₦."""
    table = at_home()
    table.own("bob", "nuketown", houses=3)
    table.play("ana", "quarter_teleport", square=11)
    table.refused("ana", "end_turn", "II.B.7")
    table.play("ana", "resolve_square")
    assert table.holds("ana") == 1650 - 450


@pytest.mark.rule("V.E.19", "III.A.3")
def test_no_teleport_after_the_roll_nor_twice_nor_beyond_the_board() -> None:
    """The roll can be replaced once, before it is made, by a square that exists."""
    table = at_home()
    assert table.refused("ana", "quarter_teleport", "V.E.19", square=40).values["last"] == 39
    table.play("ana", "quarter_teleport", square=37)
    table.refused("ana", "quarter_teleport", "III.A.3", square=30)
    table = at_home()
    table.play("ana", "roll_dice", dice=[1, 1])
    table.refused("ana", "quarter_teleport", "III.A.3", square=30)


@pytest.mark.rule("III.B.6")
def test_no_teleport_after_a_dose() -> None:
    """The drug die shows 5: Ana has to roll, and cannot escape by her tower."""
    table = at_home()
    table.give("ana", "dose")
    table.play("ana", "consume_dose", dice=[5])
    table.refused("ana", "quarter_teleport", "III.B.6", square=30)
    assert table.offers("ana", "quarter_teleport") == []


@pytest.mark.rule("V.E.19", "II.D.4")
def test_the_teleport_starts_from_a_tower_of_ones_own_quarter_in_ones_own_turn() -> None:
    """Not from elsewhere, not from a squatted tower, not with the other one mortgaged, not in Bob's turn."""
    table = Table("ana", "bob")
    table.own("ana", *BLEU_FONCE)
    table.refused("ana", "quarter_teleport", "V.E.19", square=30)
    table = at_home()
    table.attach(BLEU_FONCE[0], "squat")
    table.refused("ana", "quarter_teleport", "V.E.19", square=30)
    table = at_home()
    table.attach(BLEU_FONCE[1], "squat")
    table.play("ana", "mortgage_property", title=BLEU_FONCE[1])
    table.refused("ana", "quarter_teleport", "V.E.19", square=30)
    table = at_home()
    table.play("ana", "roll_dice", dice=[5, 5])
    table.play("ana", "end_turn")
    table.refused("ana", "quarter_teleport", "II.D.4", square=30)
    table.refused("bob", "quarter_teleport", "V.E.19", square=30)


@pytest.mark.rule("V.E.19", "IX.B.13")
def test_a_kidnapping_before_the_roll_does_not_change_where_the_turn_started() -> None:
    """Bob has Ana taken to the bar in her own turn, before her roll: she started at home, and teleports on."""
    table = at_home()
    table.give("bob", "kidnapping")
    table.play("bob", "use_kidnapping", target="ana", towards="last")
    assert table.state.positions["ana"] == 25
    table.play("ana", "quarter_teleport", square=30)
    assert table.state.positions["ana"] == 30


@pytest.mark.rule("IX.C.25")
def test_no_teleport_under_an_emp() -> None:
    """The abilities of Bleu foncé are off while the bomb is active."""
    table = at_home()
    bomb(table)
    table.refused("ana", "quarter_teleport", "IX.C.25", square=30)


@pytest.mark.rule("V.E.19", "IX.B.12", "III.C.1")
def test_who_is_kidnapped_at_home_in_bleu_fonce_teleports_all_the_same() -> None:
    """Ana's turn starts on her LBTRD Tower. Bob has her taken to the bar before she rolls.

    What counts is where her turn started: from the bar she still goes where she likes, here to Spawn and its pay.
    """
    table = Table("bob", "ana")
    table.own("ana", *QUARTERS["bleu_fonce"])
    table.give("bob", "kidnapping")
    table.place("ana", 39)
    table.turn("bob", 1, 2)
    table.play("bob", "use_kidnapping", target="ana", towards="next")
    assert table.state.positions["ana"] == BAR
    table.play("ana", "quarter_teleport", square=0)
    assert table.holds("ana") == 1650 + 250 - 20
    table.refused("ana", "roll_dice", "II.B.4", dice=[1, 2])
