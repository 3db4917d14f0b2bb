"""IX.B.12 and IX.B.13. Kidnapping: a player moves another player to a bar, at any moment."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.events import kind_of
from ledger.rulebooks.negopoly.mercenaries.kidnapping import bar_from
from tests.tables.negopoly import BAR, EASTERN_BAR, PRISON, Table, answer, asked, at_the_bar, kinds


def ready(*seats: str, **kidnappings: int) -> Table:
    """A table whose seats hold so many kidnappings ("ana=1"), taken in earlier turns."""
    table = Table(*seats)
    for seat, count in kidnappings.items():
        table.serve(seat, "kidnapping", count)
    return table


@pytest.mark.rule("IX.B.13", "IX.B.1", "II.E.5")
def test_a_kidnapping_is_bought_for_70_kept_and_used_once() -> None:
    """Ana buys one for 70 ₦, keeps it, uses it in her next turn, and has none left."""
    table = Table("ana", "bob")
    at_the_bar(table, "ana")
    table.play("ana", "take_service", service="kidnapping")
    assert (table.holds("ana"), table.holds("ana", "kidnapping")) == (1580, 1)
    table.play("ana", "end_turn")
    table.turn("bob", 5, 5)
    events = table.play("ana", "use_kidnapping", target="bob", towards="next")
    assert [kind_of(event) for event in events] == ["kidnapping_used", "token_sent"]
    assert table.seen_by(None) == events
    assert (table.holds("ana", "kidnapping"), table.holds("used", "kidnapping")) == (0, 1)
    assert table.state.services == {}
    table.refused("ana", "use_kidnapping", "IX.B.13", target="bob", towards="last")
    assert table.offers("ana", "use_kidnapping") == []
    table.banker("end_game", reason="late")


@pytest.mark.rule("IX.B.12", "III.C.2")
@pytest.mark.parametrize(
    ("square", "towards", "arrival"),
    [
        (10, "next", EASTERN_BAR),
        (10, "last", BAR),
        (30, "next", BAR),
        (30, "last", EASTERN_BAR),
        (2, "last", EASTERN_BAR),
        (BAR, "next", EASTERN_BAR),
        (BAR, "last", EASTERN_BAR),
        (EASTERN_BAR, "next", BAR),
    ],
)
def test_the_next_bar_ahead_or_the_last_one_behind(square: int, towards: str, arrival: int) -> None:
    """From each square Bob is taken to the nearest bar that way, never his own; Spawn pays him nothing."""
    table = ready("ana", "bob", ana=1)
    table.place("bob", square)
    table.play("ana", "use_kidnapping", target="bob", towards=towards)
    assert table.state.positions["bob"] == arrival
    assert table.holds("bob") == 1650


@pytest.mark.rule("IX.B.13", "II.D.2")
def test_a_kidnapping_is_used_in_anybodys_turn() -> None:
    """In Bob's turn Ana kidnaps Zoe, and Zoe Bob, before he has rolled."""
    table = ready("bob", "ana", "zoe", ana=1, zoe=1)
    table.play("ana", "use_kidnapping", target="zoe", towards="next")
    answer(table, "zoe", "no")
    table.play("zoe", "use_kidnapping", target="bob", towards="next")
    assert (table.state.positions["zoe"], table.state.positions["bob"]) == (BAR, BAR)


@pytest.mark.rule("IX.B.12", "III.C.1", "II.D.4")
def test_a_victim_keeps_the_roll_and_gets_nothing_of_the_bar() -> None:
    """Ana kidnaps Bob at the start of his turn: the bar serves him nothing, and he rolls from there."""
    table = ready("bob", "ana", ana=1)
    table.play("ana", "use_kidnapping", target="bob", towards="next")
    table.refused("bob", "take_service", "II.B.3", service="security_team")
    table.play("bob", "roll_dice", dice=[2, 3])
    assert table.state.positions["bob"] == BAR + 5


@pytest.mark.rule("IX.B.12", "IX.A.2")
def test_a_victim_who_has_moved_loses_the_services_of_the_stop() -> None:
    """Bob has stopped on Black Arretxea and not bought it: kidnapped to the bar, he can buy nothing any more."""
    table = ready("bob", "ana", ana=1)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.play("ana", "use_kidnapping", target="bob", towards="next")
    table.refused("bob", "buy_property", "V.A.2")
    table.refused("bob", "take_service", "IX.A.2", service="security_team")
    table.play("bob", "end_turn")


@pytest.mark.rule("IX.B.13", "II.B.7")
def test_a_kidnapping_saves_nobody_from_what_is_due() -> None:
    """Bob has stopped on Ana's title: nobody kidnaps him out of the rent of 4 ₦; once it is paid, they may."""
    table = ready("bob", "ana", "zoe", zoe=1)
    table.own("ana", "black_arretxea")
    table.play("bob", "roll_dice", dice=[1, 2])
    refusal = table.refused("zoe", "use_kidnapping", "IX.B.13", target="bob", towards="next")
    assert "Black Arretxea" in refusal.en
    table.play("bob", "resolve_square")
    assert table.holds("bob") == 1646
    table.play("zoe", "use_kidnapping", target="bob", towards="next")
    assert table.state.positions["bob"] == BAR


@pytest.mark.rule("IX.B.12")
def test_one_kidnaps_another_player_who_is_in_the_game() -> None:
    """Neither oneself, nor a stranger; each other player is offered, both ways."""
    table = ready("ana", "bob", ana=1)
    table.refused("ana", "use_kidnapping", "IX.B.12", target="ana", towards="next")
    table.refused("ana", "use_kidnapping", "IX.B.12", target="zoe", towards="next")
    assert table.offers("ana", "use_kidnapping") == [
        {"target": "bob", "towards": "next"},
        {"target": "bob", "towards": "last"},
    ]
    table.play("ana", "use_kidnapping", target="bob", towards="last")


@pytest.mark.rule("IX.B.12")
def test_without_another_bar_there_is_nowhere_to_go() -> None:
    """On a board with one bar, Bob standing on it is not kidnapped; from elsewhere he is."""
    table = ready("ana", "bob", ana=1)
    with table.arranged() as state:
        state.board = tuple(
            square if square.index != EASTERN_BAR else type(square)(EASTERN_BAR, "comico", "Comico de l'est")
            for square in state.board
        )
    table.place("bob", BAR)
    assert bar_from(table.state, BAR, "next") is None
    table.refused("ana", "use_kidnapping", "IX.B.12", target="bob", towards="next")
    table.place("bob", BAR + 1)
    table.play("ana", "use_kidnapping", target="bob", towards="next")
    assert table.state.positions["bob"] == BAR


@pytest.mark.rule("IX.B.13", "IX.C.25")
def test_no_kidnapping_while_a_bomb_is_active() -> None:
    """A Bombe IEM is active: Ana's kidnapping is refused, and kept."""
    table = ready("ana", "bob", ana=1)
    with table.arranged() as state:
        state.blackouts.add("bob")
    table.refused("ana", "use_kidnapping", "IX.C.25", target="bob", towards="next")
    with table.arranged() as state:
        state.blackouts.clear()
    table.play("ana", "use_kidnapping", target="bob", towards="next")


@pytest.mark.rule("IX.B.14", "IX.B.13")
def test_a_security_team_stops_a_kidnapping() -> None:
    """Bob's team keeps him where he is; Ana's kidnapping is spent anyway."""
    table = ready("ana", "bob", ana=1)
    table.serve("bob", "security_team")
    table.place("bob", 20)
    table.play("ana", "use_kidnapping", target="bob", towards="next")
    answer(table, "bob", "use")
    assert (table.state.positions["bob"], table.holds("ana", "kidnapping")) == (20, 0)


@pytest.mark.rule("IX.B.15", "II.D.2")
def test_a_third_players_turn_goes_on_while_the_victim_is_asked() -> None:
    """In Zoe's turn Ana kidnaps Bob: Zoe plays on, but ends no turn before Bob has answered; he acts after it."""
    table = ready("zoe", "ana", "bob", ana=2, bob=1)
    table.play("ana", "use_kidnapping", target="bob", towards="next")
    assert asked(table) == ["bob"]
    table.play("zoe", "roll_dice", dice=[1, 2])
    table.play("zoe", "buy_property")
    table.refused("zoe", "end_turn", "IX.B.15")
    table.refused("ana", "use_kidnapping", "IX.B.15", target="bob", towards="next")
    answer(table, "bob", "no")
    assert table.state.positions["bob"] == BAR
    table.play("zoe", "end_turn")


@pytest.mark.rule("IX.B.15")
def test_a_victim_answers_before_playing_on() -> None:
    """In his own turn Bob is asked about Ana's kidnapping: he rolls once he has answered, from the bar."""
    table = ready("bob", "ana", ana=1, bob=1)
    table.give("bob", "ordonnance")
    table.play("ana", "use_kidnapping", target="bob", towards="next")
    table.refused("bob", "roll_dice", "IX.B.15", dice=[1, 1])
    table.refused("bob", "use_prescription", "IX.B.15")
    answer(table, "bob", "no")
    table.play("bob", "roll_dice", dice=[1, 1])
    assert table.state.positions["bob"] == BAR + 2


@pytest.mark.rule("IX.B.12", "VI.D.1", "II.2")
def test_a_kidnapped_prisoner_is_out_of_prison_and_still_sits_out_their_turns() -> None:
    """Bob, in Prison with a turn to miss, is taken to the bar: no bail of 80 ₦ buys that turn any more.

    He misses it standing at the bar, and rolls from there in the round after.
    """
    table = Table("ana", "bob", settings={"prison_missed_turns": 1, "prison_bail": 80})
    table.give("ana", "kidnapping")
    table.place("bob", PRISON)
    with table.arranged() as state:
        state.missed = {"bob": 1}
    table.play("ana", "use_kidnapping", target="bob", towards="last")
    table.refused("bob", "pay_bail", "VI.D.1")
    events = kinds(table.play("ana", "roll_dice", dice=[1, 2]) + table.play("ana", "end_turn"))
    assert events[-4:] == ["turn_ended", "turn_skipped", "round_started", "turn_started"]
    table.turn("ana", 2, 3)
    table.turn("bob", 1, 2)
    assert (table.state.positions["bob"], table.holds("bob")) == (BAR + 3, 1650)
