"""IX.B.10 and IX.B.11. Hacks: at the buyer's next arrest another player is arrested."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import Event
from ledger.rulebooks.negopoly import RULEBOOK
from tests.tables.negopoly import CHECKPOINT, ORANGE, PRISON, Table, answer, asked, at_the_bar, kinds


def hacking(*seats: str, hacks: tuple[tuple[str, str], ...] = (("ana", "bob"),)) -> Table:
    """A table where these hacks (buyer, target) were bought in earlier turns, in this order."""
    table = Table(*seats)
    for buyer, target in hacks:
        table.hack(buyer, target)
    return table


def caught(table: Table, seat: str = "ana") -> list[Event]:
    """The seat, whose turn it is, is checked on the first checkpoint with a dose; the events that follow."""
    table.give(seat, "dose")
    table.place(seat, CHECKPOINT - 3)
    table.play(seat, "roll_dice", dice=[1, 2])
    return table.play(seat, "resolve_square")


@pytest.mark.rule("IX.B.11", "IX.B.1")
def test_a_hack_costs_150_and_its_target_is_the_buyers_secret() -> None:
    """Ana hacks Bob for 150 ₦: she sees it in her state, Bob does not; hacking each other player is offered."""
    table = Table("ana", "bob", "zoe")
    at_the_bar(table, "ana")
    hacks = [choice for choice in table.offers("ana", "take_service") if choice["service"] == "hack"]
    assert [choice["target"] for choice in hacks] == ["bob", "zoe"]
    table.play("ana", "take_service", service="hack", target="bob")
    assert (table.holds("ana"), table.holds("ana", "hack"), table.state.hacks) == (1500, 1, [("ana", "bob")])
    assert RULEBOOK.screen.view(table.state, Viewer("player", "ana"))["you"]["hacks"] == ["bob"]
    assert RULEBOOK.screen.view(table.state, Viewer("player", "bob"))["you"]["hacks"] == []
    assert not RULEBOOK.secrets.holding_audience(table.state, "player:ana", "hack").admits(Viewer("player", "bob"))


@pytest.mark.rule("IX.B.10", "VI.F.4")
def test_the_target_is_arrested_in_the_buyers_place() -> None:
    """Ana is caught with a dose: she loses it and stays where she is; Bob goes to Prison. The hack is spent."""
    table = hacking("ana", "bob", "zoe")
    table.place("bob", 30)
    events = caught(table)
    assert kinds(events) == [
        "police_checked",
        "confiscated",
        "hack_fired",
        "arrested",
        "token_sent",
        "square_resolved",
    ]
    assert (events[3].rule, getattr(events[3], "seat", None)) == ("IX.B.10", "bob")
    assert (table.state.positions["ana"], table.state.positions["bob"]) == (CHECKPOINT, PRISON)
    assert (table.holds("ana", "dose"), table.holds("police", "dose")) == (0, 1)
    assert (table.holds("ana", "hack"), table.holds("used", "hack")) == (0, 1)
    assert (table.state.hacks, table.state.services) == ([], {})
    assert table.seen_by("zoe") == events
    table.play("ana", "end_turn")


@pytest.mark.rule("IX.B.11", "VI.F.5")
def test_a_hack_works_once() -> None:
    """Ana buys a hack of Bob: her first arrest is his and spends it, at her second she goes to Prison herself."""
    table = Table("ana", "bob")
    at_the_bar(table, "ana")
    table.play("ana", "take_service", service="hack", target="bob")
    table.play("ana", "end_turn")
    table.turn("bob", 5, 5)
    caught(table)
    assert (table.state.positions["bob"], table.holds("ana", "hack")) == (PRISON, 0)
    table.play("ana", "end_turn")
    table.place("bob", 20)
    table.turn("bob", 4, 6)
    caught(table)
    assert table.state.positions["ana"] == PRISON


@pytest.mark.rule("IX.B.10", "VI.F.7")
def test_warrants_stay_with_those_they_are_on() -> None:
    """Ana and Bob are wanted; Ana is checked with nothing on her: Bob is arrested, and both are still wanted."""
    table = hacking("ana", "bob")
    with table.arranged() as state:
        state.wanted = {"ana", "bob"}
    table.place("ana", CHECKPOINT - 3)
    table.play("ana", "roll_dice", dice=[1, 2])
    assert "hack_fired" in kinds(table.play("ana", "resolve_square"))
    assert (table.state.positions["bob"], table.state.wanted) == (PRISON, {"ana", "bob"})


@pytest.mark.rule("IX.B.10", "VI.D.4", "VI.D.1")
def test_whoever_is_arrested_pays_the_rackets_and_misses_the_turns() -> None:
    """Zoe has paid a prisoner and the table keeps prisoners for a turn: both fall on Bob."""
    table = hacking("ana", "bob", "zoe")
    with table.arranged() as state:
        state.rackets.append("zoe")
        state.settings = type(state.settings)(prison_missed_turns=1)
    caught(table)
    assert (table.holds("ana"), table.holds("bob"), table.holds("zoe")) == (1650, 1500, 1800)
    assert table.state.missed == {"bob": 1}


@pytest.mark.rule("IX.B.10", "IX.B.11")
def test_two_hacks_fire_one_per_arrest_the_oldest_first() -> None:
    """Ana hacks Bob, then Zoe, for 150 ₦ each: Bob pays for her first arrest, Zoe for her second."""
    table = Table("ana", "bob", "zoe")
    for target in ("bob", "zoe"):
        at_the_bar(table, "ana")
        table.play("ana", "take_service", service="hack", target=target)
        table.play("ana", "end_turn")
        table.turn("bob", 5, 5)
        table.turn("zoe", 5, 5)
    assert table.holds("ana") == 1650 - 300
    caught(table)
    assert (table.state.positions["bob"], table.state.hacks) == (PRISON, [("ana", "zoe")])
    table.play("ana", "end_turn")
    table.place("bob", 20)
    table.turn("bob", 4, 6)
    table.place("zoe", 20)
    table.turn("zoe", 4, 6)
    caught(table)
    assert (table.state.positions["zoe"], table.state.positions["bob"]) == (PRISON, 30)


@pytest.mark.rule("IX.B.10")
def test_the_targets_own_hack_passes_the_arrest_on() -> None:
    """Ana has hacked Bob and Bob Zoe: Zoe goes to Prison, and both hacks are spent."""
    table = hacking("ana", "bob", "zoe", hacks=(("bob", "zoe"), ("ana", "bob")))
    events = caught(table)
    assert kinds(events).count("hack_fired") == 2
    assert (table.state.positions["zoe"], table.state.hacks) == (PRISON, [])
    assert table.state.positions["bob"] == 0


@pytest.mark.rule("IX.B.10")
def test_two_who_have_hacked_each_other_end_where_the_hacks_do() -> None:
    """Ana and Bob have hacked each other: her arrest comes back; another hack of hers sends it to Zoe."""
    table = hacking("ana", "bob", "zoe", hacks=(("ana", "bob"), ("bob", "ana")))
    caught(table)
    assert (table.state.positions["ana"], table.state.positions["bob"]) == (PRISON, 0)
    table = hacking("ana", "bob", "zoe", hacks=(("ana", "bob"), ("bob", "ana"), ("ana", "zoe")))
    caught(table)
    assert (table.state.positions["ana"], table.state.positions["zoe"]) == (CHECKPOINT, PRISON)
    assert table.state.hacks == []


@pytest.mark.rule("IX.B.10", "V.E.13")
def test_with_an_immune_target_nobody_is_arrested_unless_a_second_hack_is_used_later() -> None:
    """Wanted Ana has hacked Bob, who holds Orange, then Zoe: her first arrest hits nobody, the second Zoe."""
    table = hacking("ana", "bob", "zoe", hacks=(("ana", "bob"), ("ana", "zoe")))
    table.own("bob", *ORANGE)
    with table.arranged() as state:
        state.wanted.add("ana")
    events = caught(table)
    assert kinds(events)[-3:] == ["hack_fired", "arrest_withheld", "square_resolved"]
    assert (table.state.positions["ana"], table.state.hacks) == (CHECKPOINT, [("ana", "zoe")])
    assert table.holds("bob", "dose") == 1, "what is confiscated goes to the holder of Orange"
    table.play("ana", "end_turn")
    table.place("bob", 20)
    table.turn("bob", 4, 6)
    table.place("zoe", 20)
    table.turn("zoe", 4, 6)
    caught(table)
    assert (table.state.positions["ana"], table.state.positions["zoe"]) == (CHECKPOINT, PRISON)
    assert table.state.wanted == {"ana"}


@pytest.mark.rule("IX.B.10", "V.E.17")
def test_with_an_exempted_target_nobody_is_arrested() -> None:
    """Zoe, who holds Orange, has the police leave Bob free: Ana's hack of Bob is spent, and nobody arrested."""
    table = hacking("ana", "bob", "zoe")
    table.own("zoe", *ORANGE)
    table.play("zoe", "waive_police", target="bob", measure="arrest")
    caught(table)
    assert (table.state.positions["ana"], table.state.positions["bob"]) == (CHECKPOINT, 0)
    assert table.state.hacks == []


@pytest.mark.rule("V.E.17")
def test_an_arrest_that_is_prevented_spends_no_hack() -> None:
    """The holder of Orange has Ana left free: she is not arrested, and keeps her hack."""
    table = hacking("ana", "bob", "zoe")
    table.own("zoe", *ORANGE)
    table.play("zoe", "waive_police", target="ana", measure="arrest")
    caught(table)
    assert (table.state.positions["ana"], table.state.hacks) == (CHECKPOINT, [("ana", "bob")])
    assert table.holds("ana", "hack") == 1


@pytest.mark.rule("IX.B.10", "VI.F.5", "I.B.5")
def test_a_target_out_of_the_game_leaves_the_arrest_on_the_buyer() -> None:
    """Bob is out: Ana's arrest is her own, and her hack of him is not spent; with one of Zoe too it is Zoe's."""
    for more, prisoner in (((), "ana"), ((("ana", "zoe"),), "zoe")):
        table = hacking("ana", "bob", "zoe", hacks=(("ana", "bob"), *more))
        out = {"op": "eliminate", "seat": "bob", "reason": "he has gone home"}
        table.banker("rule", finding="He has gone home.", remedies=[out])
        caught(table)
        assert [seat for seat in ("ana", "zoe") if table.state.positions[seat] == PRISON] == [prisoner]
        assert (table.state.hacks, table.holds("ana", "hack")) == ([("ana", "bob")], 1)


@pytest.mark.rule("IX.B.10", "I.B.5")
def test_a_hack_is_against_another_player_who_is_in_the_game() -> None:
    """Ana can neither steal her own identity, nor a stranger's, nor Bob's, who is out: nothing is paid."""
    table = Table("ana", "bob", "zoe")
    with table.arranged() as state:
        state.eliminated["bob"] = "bankruptcy"
    at_the_bar(table, "ana")
    table.refused("ana", "take_service", "IX.B.10", service="hack", target="ana")
    table.refused("ana", "take_service", "IX.B.10", service="hack", target="dan")
    table.refused("ana", "take_service", "I.B.5", service="hack", target="bob")
    assert (table.holds("ana"), table.holds("ana", "hack")) == (1650, 0)
    table.play("ana", "take_service", service="hack", target="zoe")


@pytest.mark.rule("I.B.5")
def test_the_hacks_of_a_player_who_leaves_the_game_are_gone() -> None:
    """Ana is out: her hack of Bob waits for nothing any more."""
    table = hacking("ana", "bob", "zoe", hacks=(("ana", "bob"), ("zoe", "bob")))
    out = {"op": "eliminate", "seat": "ana", "reason": "she has gone home"}
    table.banker("rule", finding="She has gone home.", remedies=[out])
    assert table.state.hacks == [("zoe", "bob")]
    assert table.holds("used", "hack") == 1


@pytest.mark.rule("VI.F.5")
def test_a_hack_that_a_ruling_has_taken_away_does_not_fire() -> None:
    """The banker takes Ana's hack back: at her next arrest she goes to Prison."""
    table = hacking("ana", "bob")
    remedy = {"op": "withdraw_service", "seat": "ana", "service": "hack", "target": "bob"}
    table.banker("rule", finding="She never paid.", remedies=[remedy])
    caught(table)
    assert table.state.positions["ana"] == PRISON


@pytest.mark.rule("IX.B.10", "II.D.2")
def test_an_alibi_saves_the_hack_and_without_it_the_target_may_have_one() -> None:
    """Ana has an Alibi and a hack of Bob: with the card nobody is arrested, and the hack is kept.

    At her next arrest she has no card left: the hack fires, and Bob may play one in his turn to be arrested.
    """
    table = hacking("ana", "bob")
    table.hand("ana", "kamtar_02")
    caught(table)
    assert asked(table) == ["ana"]
    answer(table, "ana", "kamtar_02")
    assert (table.state.positions["ana"], table.state.hacks) == (CHECKPOINT, [("ana", "bob")])
    table.play("ana", "end_turn")
    table.place("bob", 20)
    table.turn("bob", 4, 6)
    table.hand("bob", "kamtar_02")
    caught(table)
    answer(table, "ana", "no")
    assert asked(table) == ["bob"]
    answer(table, "bob", "kamtar_02")
    assert (table.state.positions["ana"], table.state.positions["bob"]) == (CHECKPOINT, 30)
    assert table.state.hacks == []


@pytest.mark.rule("VI.F.2", "IX.B.10")
def test_whoever_is_not_arrested_in_crossing_moves_on() -> None:
    """K9 is active: Ana crosses the checkpoint with a dose; Bob is arrested, and she goes on to the bar."""
    table = hacking("ana", "bob")
    table.give("ana", "dose")
    with table.arranged() as state:
        state.k9_rounds.add(state.round)
    table.place("ana", CHECKPOINT - 1)
    table.play("ana", "roll_dice", dice=[1, 1])
    assert (table.state.positions["ana"], table.state.positions["bob"]) == (CHECKPOINT + 1, PRISON)
