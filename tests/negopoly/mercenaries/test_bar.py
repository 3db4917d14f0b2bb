"""IX.A. The bar à mercenaires: access, prices, and one mercenary action for each visit."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import kind_of
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.mercenaries.bar import access
from ledger.rulebooks.negopoly.table.state import Square
from tests.tables.negopoly import STREET, Table, at_the_bar

TEAM = {"service": "security_team"}


@pytest.mark.rule("IX.A.1", "IX.B.1")
def test_what_the_bar_sells_is_paid_to_the_bank() -> None:
    """Ana stops on the bar and takes a security team: her 200 ₦ go to the bank, the team to her inventory."""
    table = Table("ana", "bob")
    at_the_bar(table, "ana")
    bank = table.holds("bank")
    table.play("ana", "take_service", **TEAM)
    assert (table.holds("ana"), table.holds("bank")) == (1450, bank + 200)
    assert table.holds("ana", "security_team") == 1


@pytest.mark.rule("IX.A.2")
@pytest.mark.parametrize(("start", "dice"), [(3, [1, 1]), (23, [1, 1]), (4, [1, 1]), (22, [1, 1]), (24, [1, 1])])
def test_the_bar_is_open_on_its_squares_and_one_step_away(start: int, dice: list[int]) -> None:
    """A stop on either bar, or on the square before or behind one, lets Ana hire a security team."""
    table = Table("ana", "bob")
    table.place("ana", start)
    table.play("ana", "roll_dice", dice=dice)
    table.play("ana", "take_service", **TEAM)
    assert table.holds("ana", "security_team") == 1


@pytest.mark.rule("IX.A.2")
@pytest.mark.parametrize("start", [1, 5, 21, 25])
def test_two_steps_away_the_bar_is_closed(start: int) -> None:
    """A stop two squares before or behind a bar opens nothing: each mercenary action is refused by IX.A.2."""
    table = Table("ana", "bob")
    table.own("bob", "nuketown")
    table.place("ana", start)
    table.play("ana", "roll_dice", dice=[1, 1])
    refusal = table.refused("ana", "take_service", "IX.A.2", **TEAM)
    assert table.state.board[start + 2].name in refusal.en
    table.refused("ana", "attack_property", "IX.A.2", title="nuketown")
    table.refused("ana", "squat_property", "IX.A.2", title="nuketown")
    assert not table.offers("ana", "take_service")


@pytest.mark.rule("IX.A.2")
def test_crossing_the_bar_opens_nothing() -> None:
    """Ana crosses the western bar and its neighbours and stops far behind: refused."""
    table = Table("ana", "bob")
    table.place("ana", 2)
    table.play("ana", "roll_dice", dice=[6, 4])
    table.refused("ana", "take_service", "IX.A.2", **TEAM)


@pytest.mark.rule("II.B.3")
def test_a_stop_of_an_earlier_turn_opens_nothing() -> None:
    """Ana starts her next turn on the bar: before the roll nothing is open, and after it she has left."""
    table = Table("ana", "bob")
    at_the_bar(table, "ana")
    table.play("ana", "end_turn")
    table.turn("bob", 5, 5)
    table.refused("ana", "take_service", "II.B.3", **TEAM)


@pytest.mark.rule("II.2")
def test_the_bar_serves_only_the_player_whose_turn_it_is() -> None:
    """Bob stands on the bar since his last turn: in Ana's turn he is served nothing."""
    table = Table("bob", "ana")
    at_the_bar(table, "bob")
    table.play("bob", "end_turn")
    table.refused("bob", "take_service", "II.2", **TEAM)


@pytest.mark.rule("IX.A.2", "II.B.7")
def test_the_effects_of_an_adjacent_square_come_first() -> None:
    """Ana stops on the checkpoint beside the bar with a dose: she is checked first, and arrested."""
    table = Table("ana", "bob")
    table.give("ana", "dose")
    table.place("ana", 2)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.refused("ana", "take_service", "II.B.7", **TEAM)
    table.play("ana", "resolve_square")
    table.refused("ana", "take_service", "IX.A.2", **TEAM)


@pytest.mark.rule("IX.A.2", "II.B.7")
def test_after_the_check_of_an_adjacent_square_the_bar_is_open() -> None:
    """Ana has nothing to hide: once she is checked beside the bar, she is served."""
    table = Table("ana", "bob")
    table.place("ana", 2)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "resolve_square")
    table.play("ana", "take_service", **TEAM)
    assert table.holds("ana", "security_team") == 1


@pytest.mark.rule("IX.A.2")
def test_a_bar_at_the_edge_of_the_board_has_its_neighbours_across_spawn() -> None:
    """Where the last square of the board is a bar, Spawn gives access to it, and so does the square before it."""
    table = Table("ana", "bob")
    assert [square.index for square in access(table.state)] == [4, 5, 6, 24, 25, 26]
    with table.arranged() as state:
        last = len(state.board) - 1
        state.board = (*state.board[:last], Square(last, "bar", "Bar du bout"))
    assert [square.index for square in access(table.state)] == [0, 4, 5, 6, 24, 25, 26, 38, 39]
    table.place("ana", 36)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "take_service", **TEAM)
    assert table.holds("ana", "security_team") == 1


@pytest.mark.rule("IX.A.3")
def test_a_visit_allows_one_mercenary_action_of_any_kind() -> None:
    """After one team Ana is refused an attack, a squat and another service; the second visit is another one."""
    table = Table("ana", "bob")
    table.own("bob", "nuketown")
    at_the_bar(table, "ana")
    table.play("ana", "take_service", **TEAM)
    table.refused("ana", "take_service", "IX.A.3", service="kidnapping")
    table.refused("ana", "attack_property", "IX.A.3", title="nuketown")
    table.refused("ana", "squat_property", "IX.A.3", title="nuketown")
    assert not table.offers("ana", "attack_property")
    table.play("ana", "end_turn")
    table.turn("bob", 5, 5)
    at_the_bar(table, "ana")
    table.play("ana", "squat_property", title="nuketown")
    table.refused("ana", "attack_property", "IX.A.3", title="nuketown")


@pytest.mark.rule("IX.A.3")
def test_a_second_stop_in_the_same_turn_is_a_second_visit() -> None:
    """A ruling puts Ana on the other bar after her first action: it is another stop, and another visit."""
    table = Table("ana", "bob")
    at_the_bar(table, "ana")
    table.play("ana", "take_service", **TEAM)
    remedy = {"op": "move_seat", "seat": "ana", "square": 25, "stop": True}
    table.banker("rule", finding="She belongs on the other bar.", remedies=[remedy])
    table.play("ana", "take_service", **TEAM)
    assert table.holds("ana", "security_team") == 2


@pytest.mark.rule("IX.A.3", "IX.A.2")
def test_the_banker_may_waive_the_rules_of_access() -> None:
    """Far from any bar, with the banker's waiver, Ana is served, and the warning names the rule."""
    table = Table("ana", "bob")
    table.place("ana", 10)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "take_service", override="a private party", **TEAM)
    assert table.last is not None
    assert [warning.rule for warning in table.last.warnings] == ["IX.A.2"]


@pytest.mark.rule("IX.B.1", "IX.B.14")
def test_without_the_price_nothing_happens() -> None:
    """With 199 ₦ Ana gets no team of 200 ₦, and has had no action in this visit: a hack of 150 ₦ is still open."""
    table = Table("ana", "bob")
    table.take("ana", "NGD", 1451)
    at_the_bar(table, "ana")
    table.refused("ana", "take_service", "IX.B.14", **TEAM)
    assert table.offers("ana", "take_service") == [
        {"service": "kidnapping"},
        {"service": "hack", "target": "bob"},
    ]
    table.play("ana", "take_service", service="hack", target="bob")
    assert table.holds("ana") == 49


@pytest.mark.rule("IX.B.1")
def test_everybody_sees_that_a_service_was_taken_and_nobody_else_which() -> None:
    """Ana takes a hack of Bob: Bob and the table see one more secret service of hers, neither price nor target."""
    table = Table("ana", "bob")
    at_the_bar(table, "ana")
    (taken,) = table.play("ana", "take_service", service="hack", target="bob")
    assert table.seen_by("ana") == [taken]
    for other in ("bob", None):
        (seen,) = table.seen_by(other)
        assert kind_of(seen) == "service_taken"
        assert (seen.rule, seen.postings) == ("IX.B.1", ())
        hidden = [getattr(seen, name) for name in ("service", "price", "target", "title", "owner")]
        assert hidden == [None] * 5
        assert RULEBOOK.screen.view(table.state, Viewer("player", other))["services"] == {"ana": 1}
    assert RULEBOOK.screen.view(table.state, Viewer("player", "ana"))["you"]["hacks"] == ["bob"]
    assert RULEBOOK.screen.view(table.state, Viewer("player", "bob"))["you"]["hacks"] == []


@pytest.mark.rule("IX.B.1")
def test_a_service_is_one_of_four_and_names_what_it_needs() -> None:
    """A hack without a target, a team with one, and a defence without a title are malformed."""
    table = Table("ana", "bob")
    at_the_bar(table, "ana")
    table.malformed("ana", "take_service", service="hack")
    table.malformed("ana", "take_service", service="security_team", target="bob")
    table.malformed("ana", "take_service", service="defence")
    table.malformed("ana", "take_service", service="kidnapping", title=STREET)
    table.refused("ana", "take_service", "IX.B.10", service="hack", target="ana")
    table.refused("ana", "take_service", "IX.B.10", service="hack", target="zoe")
    table.play("ana", "take_service", service="kidnapping")


@pytest.mark.rule("II.B.13")
def test_the_bar_closes_with_the_time_of_the_turn() -> None:
    """Five minutes after her turn started Ana is served nothing."""
    table = Table("ana", "bob")
    at_the_bar(table, "ana")
    table.wait(301)
    table.refused("ana", "take_service", "II.B.13", **TEAM)
