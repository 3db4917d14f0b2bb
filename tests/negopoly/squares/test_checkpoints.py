"""VI.F. Checkpoints: police checks, confiscation and arrest warrants."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.events import kind_of
from ledger.rulebooks.negopoly.squares.checkpoints import Confiscated
from ledger.rulebooks.negopoly.table.pieces import WEAPONS
from tests.tables.negopoly import CHECKPOINT, PRISON, SECOND_CHECKPOINT, Table, kinds


def stop_on_checkpoint(table: Table, seat: str = "ana") -> list[str]:
    """The seat stops on the checkpoint of square 12 and is checked; the kinds of what followed."""
    table.place(seat, SECOND_CHECKPOINT - 3)
    table.play(seat, "roll_dice", dice=[1, 2])
    return [kind_of(event) for event in table.play(seat, "resolve_square")]


@pytest.mark.rule("VI.F.1", "VI.F.3", "II.B.7")
def test_stopping_on_a_checkpoint_is_checked_and_a_clean_player_goes_on() -> None:
    """Ana carries nothing: she cannot end her turn before the check, which finds nothing and leaves her there."""
    table = Table("ana", "bob")
    table.place("ana", SECOND_CHECKPOINT - 3)
    events = table.play("ana", "roll_dice", dice=[1, 2])
    assert "police_checked" not in [kind_of(event) for event in events]
    table.refused("ana", "end_turn", "II.B.7")
    events = table.play("ana", "resolve_square")
    assert [kind_of(event) for event in events] == ["police_checked", "nothing_found", "square_resolved"]
    assert [event.rule for event in events[:2]] == ["VI.F.1", "VI.F.3"]
    assert len(table.seen_by("bob")) == 3
    assert table.state.positions["ana"] == SECOND_CHECKPOINT


@pytest.mark.rule("VI.F.1", "VI.F.5", "II.B.13")
def test_nobody_escapes_a_check_by_letting_time_run_out() -> None:
    """Ana, with a dose, waits five minutes on the checkpoint: the check is posted before her turn is closed."""
    table = Table("ana", "bob")
    table.give("ana", "dose")
    table.place("ana", SECOND_CHECKPOINT - 3)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.wait(301)
    table.banker("expire_turn")
    assert (table.state.positions["ana"], table.holds("police", "dose")) == (PRISON, 1)
    assert table.state.turn is not None
    assert table.state.turn.seat == "bob"


@pytest.mark.rule("VI.F.1")
def test_crossing_a_checkpoint_without_k9_is_not_checked() -> None:
    """Ana crosses square 12 with doses and weapons, and nobody asks."""
    table = Table("ana", "bob")
    table.give("ana", "dose", 2)
    table.give("ana", "rpg7")
    table.place("ana", SECOND_CHECKPOINT - 1)
    table.turn("ana", 1, 1)
    assert (table.state.positions["ana"], table.holds("ana", "dose")) == (SECOND_CHECKPOINT + 1, 2)
    table.turn("bob", 1, 3)  # Bob stops on square 4, with empty pockets
    assert "police_checked" not in [kind_of(event) for event in table.seen_by("ana")]


@pytest.mark.rule("II.B.7")
def test_in_the_fog_a_checkpoint_holds_nobody_back() -> None:
    """No check is due on square 12 in this weather: Ana, with a dose, may end her turn there and then."""
    table = Table("ana", "bob")
    table.weather("meteo_03")
    table.give("ana", "dose")
    table.place("ana", SECOND_CHECKPOINT - 3)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "end_turn")
    assert (table.state.positions["ana"], table.holds("ana", "dose")) == (SECOND_CHECKPOINT, 1)


@pytest.mark.rule("VI.F.2", "VI.F.5", "II.B.6")
def test_with_k9_an_offender_is_taken_in_crossing_and_moves_no_further() -> None:
    """K9 is active: Ana, with a dose, would go from 37 over a checkpoint and Spawn; she ends on Prison, unpaid."""
    table = Table("ana", "bob")
    table.give("ana", "dose")
    table.place("ana", 37)
    with table.arranged() as state:
        state.k9_rounds = {1}
    events = table.play("ana", "roll_dice", dice=[3, 3])
    kinds = [kind_of(event) for event in events]
    assert kinds == [
        "dice_thrown",
        "token_moved",
        "police_checked",
        "confiscated",
        "arrested",
        "token_sent",
    ]
    assert events[2].rule == "VI.F.2"
    assert (table.state.positions["ana"], table.holds("ana")) == (PRISON, 1650)
    table.play("ana", "end_turn")


@pytest.mark.rule("VI.F.2")
def test_with_k9_a_clean_player_continues_and_is_checked_once_on_a_stop() -> None:
    """Ana is checked in crossing 12 and goes on to 14; Bob stops on 12 and is checked when he resolves it."""
    table = Table("ana", "bob")
    with table.arranged() as state:
        state.k9_rounds = {1}
    table.place("ana", 11)
    events = table.play("ana", "roll_dice", dice=[1, 2])
    assert [kind_of(event) for event in events].count("nothing_found") == 1
    assert table.state.positions["ana"] == 14
    table.play("ana", "end_turn")
    table.place("bob", SECOND_CHECKPOINT - 3)
    events = table.play("bob", "roll_dice", dice=[1, 2])
    assert "police_checked" not in [kind_of(event) for event in events]
    events = table.play("bob", "resolve_square")
    assert [kind_of(event) for event in events].count("police_checked") == 1


@pytest.mark.rule("VI.F.2", "III.B.4")
def test_an_arrest_on_the_way_out_cancels_the_way_back() -> None:
    """On a dose of 3 Ana would return to 11: with another dose in her inventory K9 stops her on the way out."""
    table = Table("ana", "bob")
    table.give("ana", "dose", 2)
    table.place("ana", 11)
    with table.arranged() as state:
        state.k9_rounds = {1}
    table.play("ana", "consume_dose", dice=[3])
    events = table.play("ana", "roll_dice", dice=[2, 2])
    assert [kind_of(event) for event in events].count("token_moved") == 1
    assert table.state.positions["ana"] == PRISON


@pytest.mark.rule("VI.F.3", "VI.F.4", "VI.F.5")
def test_every_weapon_without_a_licence_is_an_offence() -> None:
    """Each weapon of the shop, charges and Game Enders included, leads Ana to Prison and goes to the police."""
    for weapon in sorted(WEAPONS):
        table = Table("ana", "bob")
        table.give("ana", weapon)
        assert "arrested" in stop_on_checkpoint(table), weapon
        assert (table.holds("ana", weapon), table.holds("police", weapon)) == (0, 1)
        assert table.state.positions["ana"] == PRISON


@pytest.mark.rule("VI.F.3")
def test_vehicles_money_and_what_others_hold_are_no_offence() -> None:
    """Ana carries a tank and a prescription and is in debt; the doses are Bob's: nothing is found."""
    table = Table("ana", "bob", perks={"bob": "doses"})
    table.give("ana", "tank")
    table.give("ana", "ordonnance")
    table.take("ana", "NGD", 2000)
    assert stop_on_checkpoint(table) == ["police_checked", "nothing_found", "square_resolved"]
    assert (table.holds("ana", "tank"), table.holds("bob", "dose")) == (1, 3)


@pytest.mark.rule("VI.F.4")
def test_all_that_is_illicit_is_taken_at_once_and_seen_by_all() -> None:
    """Unlicensed, Ana loses four doses, two RPG-7 and a charge, and keeps her vehicle; the shop gets nothing."""
    table = Table("ana", "bob")
    for commodity, amount in (("dose", 4), ("rpg7", 2), ("c4", 1), ("tank", 1)):
        table.give("ana", commodity, amount)
    stop_on_checkpoint(table)
    (taken,) = [event for event in table.seen_by("bob") if isinstance(event, Confiscated)]
    assert taken.taken == (("c4", 1), ("dose", 4), ("rpg7", 2))
    assert [table.holds("police", item) for item in ("c4", "dose", "rpg7", "tank")] == [1, 4, 2, 0]
    assert [table.holds("ana", item) for item in ("c4", "dose", "rpg7", "tank")] == [0, 0, 0, 1]


@pytest.mark.rule("VI.F.4", "VI.A.6")
def test_licensed_weapons_are_kept_even_when_doses_are_found() -> None:
    """With a licence Ana loses her dose and her freedom, not her RPG-7 nor the licence."""
    table = Table("ana", "bob")
    for commodity in ("dose", "rpg7", "licence"):
        table.give("ana", commodity)
    assert "arrested" in stop_on_checkpoint(table)
    assert [table.holds("ana", item) for item in ("dose", "rpg7", "licence")] == [0, 1, 1]
    assert table.holds("police", "dose") == 1


@pytest.mark.rule("VI.F.5", "VI.D.1")
def test_an_offender_ends_the_movement_on_prison() -> None:
    """Ana is arrested for a dose by VI.F.5: on Prison, with nothing left to resolve, and may end her turn."""
    table = Table("ana", "bob")
    table.give("ana", "dose")
    assert stop_on_checkpoint(table) == ["police_checked", "confiscated", "arrested", "token_sent"]
    assert table.last is not None
    assert [event.rule for event in table.last.events] == ["VI.F.1", "VI.F.4", "VI.F.5", "VI.D.1"]
    assert table.state.positions["ana"] == PRISON
    table.refused("ana", "resolve_square", "II.B.6")
    table.play("ana", "end_turn")


@pytest.mark.rule("VI.F.6")
def test_the_bank_issues_a_warrant_once_and_lifts_it() -> None:
    """The banker puts Bob under a warrant, publicly; a second one is refused, and so is lifting none."""
    table = Table("ana", "bob")
    table.refused("bob", "lift_warrant", "VI.F.6", reason="nothing to lift")
    table.banker("issue_warrant", seat="bob", reason="card: wanted poster")
    assert table.state.wanted == {"bob"}
    assert [kind_of(event) for event in table.seen_by("ana")] == ["warrant_issued"]
    table.refused("bob", "issue_warrant", "VI.F.6", reason="again")
    table.banker("lift_warrant", seat="bob", reason="ruling")
    assert table.state.wanted == set()
    with table.arranged() as state:
        state.eliminated["bob"] = "bankruptcy"
    table.refused("bob", "issue_warrant", "I.B.5", reason="too late")


@pytest.mark.rule("VI.F.7")
def test_a_wanted_player_is_arrested_with_empty_pockets_and_stays_wanted() -> None:
    """Ana is wanted and carries nothing: the check arrests her by VI.F.7; so does the next one."""
    table = Table("ana", "bob")
    table.banker("issue_warrant", seat="ana", reason="card")
    assert stop_on_checkpoint(table) == ["police_checked", "arrested", "token_sent"]
    assert table.last is not None
    assert table.last.events[1].rule == "VI.F.7"
    assert (table.state.positions["ana"], table.state.wanted) == (PRISON, {"ana"})
    table.play("ana", "end_turn")
    table.turn("bob", 1, 1)
    assert "arrested" in stop_on_checkpoint(table)


@pytest.mark.rule("VI.F.7", "VI.F.4")
def test_a_wanted_player_loses_what_is_illicit_as_well() -> None:
    """Ana is wanted and carries a dose: it goes to the police, she to Prison, once."""
    table = Table("ana", "bob")
    table.give("ana", "dose")
    table.banker("issue_warrant", seat="ana", reason="card")
    assert stop_on_checkpoint(table).count("arrested") == 1
    assert (table.holds("police", "dose"), table.state.wanted) == (1, {"ana"})


@pytest.mark.rule("VI.F.8", "VI.F.7")
def test_passing_by_spawn_lifts_the_warrant() -> None:
    """Wanted Ana and Bob: Ana passes by Spawn and is checked freely on 4, Bob has not passed and is arrested."""
    table = Table("ana", "bob")
    for seat in ("ana", "bob"):
        table.banker("issue_warrant", seat=seat, reason="card")
    table.place("ana", 39)
    table.turn("ana", 2, 3)
    assert (table.state.positions["ana"], table.state.wanted) == (4, {"bob"})
    stop_on_checkpoint(table, "bob")
    assert (table.state.positions["bob"], table.state.wanted) == (PRISON, {"bob"})


@pytest.mark.rule("VI.F.8", "VI.F.2")
def test_a_warrant_is_lifted_in_the_order_of_travel() -> None:
    """With K9, wanted Ana is arrested on 38 before Spawn; wanted Bob, from 39, passes Spawn and then 4 freely."""
    table = Table("ana", "bob")
    for seat, square in (("ana", 37), ("bob", 39)):
        table.banker("issue_warrant", seat=seat, reason="card")
        table.place(seat, square)
    with table.arranged() as state:
        state.k9_rounds = {1}
    table.turn("ana", 3, 5)
    assert (table.state.positions["ana"], table.state.wanted) == (PRISON, {"ana", "bob"})
    table.play("bob", "roll_dice", dice=[3, 3])
    assert (table.state.positions["bob"], table.state.wanted) == (5, {"ana"})


@pytest.mark.rule("I.B.5", "II.D.2")
@pytest.mark.parametrize("asked", ["on_police_check", "on_arrest"])
def test_the_police_let_go_of_who_leaves_the_game_meanwhile(asked: str) -> None:
    """Asked about a card before the check, or before the arrest, Ana leaves the game: neither happens any more."""
    table = Table("ana", "bob", "cleo", decks=True, perks={"ana": "doses"})
    table.hand("cleo", "kamtar_02", "kamtar_09")
    stop_on_checkpoint(table)
    while table.state.questions[0].kind != asked:
        table.play("ana", "answer", question=table.state.questions[0].id, answer="no")
    events = table.play("ana", "declare_bankruptcy", override="has a train to catch")
    assert not {"police_checked", "arrested"} & {kind_of(event) for event in events}
    assert (table.state.questions, table.state.positions["ana"]) == ([], SECOND_CHECKPOINT)
    assert table.state.turn is not None
    assert table.state.turn.seat == "bob"


@pytest.mark.rule("VI.F.7", "VI.F.8", "VI.C.4", "VIII.B.9", "IX.B.12", "VI.A.3")
def test_a_warrant_follows_whoever_teleports_until_spawn_or_a_check() -> None:
    """Wanted, Ana escapes to the Hôpital, is kidnapped to a bar, and teleports onto a checkpoint: she is arrested.

    Her second teleporter takes her to Spawn, which is a passage: the warrant is gone.
    """
    table = Table("ana", "bob")
    table.give("ana", "ordonnance")
    table.give("ana", "teleporteur", 2)
    table.give("bob", "kidnapping")
    with table.arranged() as state:
        state.wanted.add("ana")
    table.play("ana", "use_prescription")
    table.play("bob", "use_kidnapping", target="ana", towards="next")
    assert (table.state.positions["ana"], table.state.wanted) == (25, {"ana"})
    table.play("ana", "use_vehicle", commodity="teleporteur", square=28)
    events = table.play("ana", "resolve_square")
    assert (events[1].rule, table.state.positions["ana"], table.state.wanted) == ("VI.F.7", PRISON, {"ana"})
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    events = table.play("ana", "use_vehicle", commodity="teleporteur", square=0)
    assert kinds(events) == ["vehicle_used", "token_teleported", "spawn_passed", "salary_paid", "warrant_lifted"]
    assert (table.holds("ana"), table.state.wanted) == (1900, set())


@pytest.mark.rule("VI.F.3", "VI.F.4", "II.A.3", "VI.A.4")
@pytest.mark.parametrize(
    ("perk", "taken", "money"),
    [
        ("rpg7", ("rpg7", 1), 1500),
        ("doses", ("dose", 3), 1500),
        ("trottinette", None, 1500),
        ("money", None, 1650),
    ],
)
def test_the_gift_of_the_bank_is_illicit_on_the_first_checkpoint(
    perk: str, taken: tuple[str, int] | None, money: int
) -> None:
    """In round 1 nobody has passed Spawn, so nobody has a licence: the RPG-7 and the doses of the start are taken.

    The scooter and the 150 ₦ offend nobody.
    """
    table = Table("ana", "bob", perks={"ana": perk})
    table.play("ana", "roll_dice", dice=[1, 3])
    table.refused("ana", "buy_licence", "VI.A.4")
    table.play("ana", "resolve_square")
    assert table.state.positions["ana"] == (PRISON if taken else CHECKPOINT)
    assert table.holds("ana") == money
    if taken is not None:
        commodity, amount = taken
        assert (table.holds("police", commodity), table.holds("ana", commodity)) == (amount, 0)
