"""VI.A. Spawn: the pay, its fee, passages, and the weapons licence."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import kind_of
from ledger.kernel.journal.sight import visible_holdings
from ledger.kernel.rules.draft import Draft, Request
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.board import movement
from ledger.rulebooks.negopoly.squares import prison
from ledger.rulebooks.negopoly.squares.spawn import SalaryPaid
from ledger.rulebooks.negopoly.table.pieces import DELIVERABLE, TITLES
from ledger.rulebooks.negopoly.table.state import Negopoly
from tests.tables.negopoly import CHECKPOINT, PRISON, SPAWN, Table, kinds

CHANCE_BEFORE_SPAWN = 36
LAST_TITLE = 39


def draft_of(table: Table) -> Draft[Negopoly]:
    """A draft of the table, for functions that later chapters use (a teleport, an arrest by a card)."""
    return Draft(RULEBOOK, table.state, Request(action=None, seat="ana", by="ana", at=table.now), None)


@pytest.mark.rule("VI.A.1")
def test_crossing_or_reaching_spawn_pays_250() -> None:
    """Ana, who owns nothing, crosses Spawn and is paid 250 ₦; Bob stops on it and is paid as much."""
    table = Table("ana", "bob")
    table.place("ana", LAST_TITLE)
    table.place("bob", CHANCE_BEFORE_SPAWN)
    table.turn("ana", 1, 2)
    assert table.holds("ana") == 1650 + 250
    events = table.play("bob", "roll_dice", dice=[2, 2])
    assert table.state.positions["bob"] == SPAWN
    assert table.holds("bob") == 1650 + 250
    assert [event.rule for event in events if isinstance(event, SalaryPaid)] == ["VI.A.1"]


@pytest.mark.rule("VI.A.1")
def test_the_first_departure_from_spawn_pays_nothing() -> None:
    """The tokens start on Spawn: leaving it is no passage."""
    table = Table("ana", "bob")
    table.turn("ana", 1, 1)
    assert table.holds("ana") == 1650


@pytest.mark.rule("VI.A.1", "VI.A.2")
@pytest.mark.parametrize(("titles", "net", "allowance"), [(1, 240, 0), (5, 200, 150), (22, 30, 150)])
def test_the_bank_keeps_ten_for_each_title(titles: int, net: int, allowance: int) -> None:
    """With 1, 5 or all 22 titles Ana's net pay is 240, 200 or 30 ₦; what Marron brings bears no fee."""
    table = Table("ana", "bob")
    table.own("ana", *list(TITLES)[:titles])
    table.place("ana", CHANCE_BEFORE_SPAWN)
    events = table.play("ana", "roll_dice", dice=[2, 2])
    assert table.holds("ana") == 1650 + net + allowance
    (paid,) = [event for event in events if isinstance(event, SalaryPaid)]
    assert (paid.gross, paid.fee, paid.titles, paid.rule) == (250, 10 * titles, titles, "VI.A.2")


@pytest.mark.rule("VI.A.2")
def test_mortgaged_titles_count_and_titles_of_others_do_not() -> None:
    """Ana owns one free and one mortgaged title; Bob's three are not hers: 230 ₦."""
    table = Table("ana", "bob")
    table.own("ana", "negotown")
    table.own("ana", "nuketown", mortgaged=True)
    table.own("bob", "elysee", "hijacked", "bassland")
    table.place("ana", CHANCE_BEFORE_SPAWN)
    table.play("ana", "roll_dice", dice=[2, 2])
    assert table.holds("ana") == 1650 + 230


@pytest.mark.rule("VI.A.3")
def test_reaching_spawn_backwards_is_no_passage() -> None:
    """A dose takes Ana from Spawn to square 3 and back: no pay, and nothing is for sale to her there."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    table.play("ana", "consume_dose", dice=[3])
    events = table.play("ana", "roll_dice", dice=[1, 2])
    assert table.state.positions["ana"] == SPAWN
    assert "spawn_passed" not in [kind_of(event) for event in events]
    assert table.holds("ana") == 1500
    table.refused("ana", "buy_licence", "VI.A.4")
    table.refused("ana", "buy_doses", "VII.A.1", amount=1)


@pytest.mark.rule("VI.A.3")
def test_crossing_spawn_forward_then_backward_is_one_passage() -> None:
    """A dose takes Ana from 39 over Spawn to 2 and back: she is paid once, and the passage lets her buy."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    table.place("ana", LAST_TITLE)
    table.play("ana", "consume_dose", dice=[2])
    events = table.play("ana", "roll_dice", dice=[1, 2])
    assert table.state.positions["ana"] == LAST_TITLE
    assert [kind_of(event) for event in events].count("spawn_passed") == 1
    assert table.holds("ana") == 1500 + 250
    table.play("ana", "buy_licence")
    assert table.holds("ana", "licence") == 1


@pytest.mark.rule("VI.A.3")
def test_an_arrest_crosses_nothing_and_a_chosen_teleport_onto_spawn_is_a_passage() -> None:
    """Ana on 38 is taken to Prison without pay; teleporting onto Spawn by her own choice pays 250 ₦."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    table.place("ana", 33)
    table.play("ana", "roll_dice", dice=[2, 3])
    table.play("ana", "resolve_square")
    assert table.state.positions["ana"] == 10
    assert table.holds("ana") == 1500
    draft = draft_of(table)
    prison.arrest(draft, "bob", cause="card", rule="VI.D.1")
    assert [kind_of(event) for event in draft.events] == ["arrested", "token_sent"]
    draft = draft_of(table)
    movement.teleport(draft, "ana", SPAWN, rule="III.C.1")
    assert [kind_of(event) for event in draft.events] == ["token_teleported", "spawn_passed", "salary_paid"]
    draft = draft_of(table)
    movement.teleport(draft, "bob", SPAWN, rule="III.C.1")
    assert [kind_of(event) for event in draft.events] == ["token_teleported"]


@pytest.mark.rule("VI.A.3", "VI.A.5", "VI.F.8")
def test_a_passage_takes_effect_in_one_order() -> None:
    """At Ana's second passage: pay first, then the loan is collected, the licence expires, the warrant goes."""
    table = Table("ana", "bob")
    table.play("ana", "take_loan", amount=100)
    table.place("ana", CHANCE_BEFORE_SPAWN)
    table.play("ana", "roll_dice", dice=[2, 2])
    table.play("ana", "buy_licence")
    table.play("ana", "end_turn")
    table.turn("bob", 1, 1)
    table.banker("issue_warrant", seat="ana", reason="card")
    table.place("ana", CHANCE_BEFORE_SPAWN)
    events = table.play("ana", "roll_dice", dice=[2, 2])
    assert [kind_of(event) for event in events] == [
        "dice_thrown",
        "token_moved",
        "spawn_passed",
        "salary_paid",
        "loan_collected",
        "licence_expired",
        "warrant_lifted",
    ]
    assert table.holds("ana") == 1650 + 100 + 250 - 70 + 250 - 100


@pytest.mark.rule("VI.A.4")
def test_a_licence_costs_70_in_a_passage_once() -> None:
    """Ana crosses Spawn and buys a licence for 70 ₦; a second one in the same passage is refused."""
    table = Table("ana", "bob")
    table.place("ana", LAST_TITLE)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "buy_licence")
    assert table.holds("ana") == 1650 + 250 - 70
    assert table.holds("ana", "licence") == 1
    assert [kind_of(event) for event in table.seen_by("ana")] == ["licence_bought"]
    assert table.seen_by("bob") == []
    assert table.seen_by(None) == []
    table.refused("ana", "buy_licence", "VI.A.4")


@pytest.mark.rule("VI.A.4")
def test_one_licence_at_a_time_and_one_purchase_a_passage() -> None:
    """A licence come by otherwise refuses the purchase; one bought and lost again is not replaced there."""
    table = Table("ana", "bob")
    table.place("ana", LAST_TITLE)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.give("ana", "licence")
    table.refused("ana", "buy_licence", "VI.A.4")
    table.take("ana", "licence", 1)
    table.play("ana", "buy_licence")
    table.take("ana", "licence", 1)
    table.refused("ana", "buy_licence", "VI.A.4")


@pytest.mark.rule("VI.A.4", "II.B.3")
def test_a_licence_is_for_those_who_pass_by_spawn() -> None:
    """Not before the roll though the token waits on Spawn, not elsewhere, not once the stop square is resolved."""
    table = Table("ana", "bob")
    table.refused("ana", "buy_licence", "II.B.3")
    table.play("ana", "roll_dice", dice=[1, 1])
    table.refused("ana", "buy_licence", "VI.A.4")
    table.play("ana", "end_turn")
    table.refused("ana", "buy_licence", "II.2")
    table.place("bob", LAST_TITLE)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.play("bob", "resolve_square")
    table.refused("bob", "buy_licence", "VI.A.4")


@pytest.mark.rule("VI.A.4")
def test_a_licence_is_personal() -> None:
    """A licence is not among the goods that travel between players; each buys their own."""
    assert "licence" not in DELIVERABLE
    table = Table("ana", "bob")
    for seat in ("ana", "bob"):
        table.place(seat, LAST_TITLE)
        table.play(seat, "roll_dice", dice=[1, 2])
        table.play(seat, "buy_licence")
        table.play(seat, "end_turn")
    assert (table.holds("ana", "licence"), table.holds("bob", "licence")) == (1, 1)


@pytest.mark.rule("VI.A.4")
def test_a_licence_needs_the_money() -> None:
    """Ana owes the bank 200 ₦: her pay leaves her 50, too little for a licence."""
    table = Table("ana", "bob")
    table.take("ana", "NGD", 1850)
    table.place("ana", LAST_TITLE)
    table.play("ana", "roll_dice", dice=[1, 2])
    assert table.holds("ana") == 50
    table.refused("ana", "buy_licence", "VI.A.4")


@pytest.mark.rule("VI.A.4")
def test_a_licence_waived_to_another_seat_does_not_use_up_the_passage() -> None:
    """The banker lets Bob buy one in Ana's turn: Bob pays and holds it, and Ana may still buy hers."""
    table = Table("ana", "bob")
    table.place("ana", LAST_TITLE)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("bob", "buy_licence", override="forgotten in his own turn")
    assert (table.holds("bob"), table.holds("bob", "licence")) == (1650 - 70, 1)
    table.play("ana", "buy_licence")
    assert table.holds("ana", "licence") == 1


@pytest.mark.rule("VI.A.5", "VI.A.4")
def test_a_licence_lasts_until_the_next_passage_and_can_be_renewed_there() -> None:
    """Ana's licence outlives a round, expires at her next passage, unseen by others, and is renewed for 70 ₦."""
    table = Table("ana", "bob")
    table.give("ana", "licence")
    table.turn("ana", 1, 1)
    table.turn("bob", 1, 1)
    assert table.holds("ana", "licence") == 1
    table.place("ana", LAST_TITLE)
    table.play("ana", "roll_dice", dice=[1, 2])
    assert table.holds("ana", "licence") == 0
    assert table.holds("used", "licence") == 1
    assert visible_holdings(RULEBOOK.secrets, table.state, "used", Viewer("player", "bob")) == {}
    assert "licence_expired" in [kind_of(event) for event in table.seen_by("ana")]
    assert "licence_expired" not in [kind_of(event) for event in table.seen_by("bob")]
    table.play("ana", "buy_licence")
    assert table.holds("ana", "licence") == 1
    assert table.holds("ana") == 1650 + 250 - 70


@pytest.mark.rule("VI.A.6")
def test_a_licence_covers_every_weapon_and_no_dose() -> None:
    """Checked with a licence, Ana keeps an RPG-7, two charges and La Peste; a dose besides is taken alone."""
    table = Table("ana", "bob")
    for commodity, amount in (("licence", 1), ("rpg7", 1), ("c4", 2), ("la_peste", 1)):
        table.give("ana", commodity, amount)
    table.place("ana", 10)
    table.turn("ana", 1, 1)
    assert table.state.positions["ana"] == 12
    assert [table.holds("ana", weapon) for weapon in ("rpg7", "c4", "la_peste")] == [1, 2, 1]
    table.turn("bob", 1, 1)
    table.give("ana", "dose")
    table.place("ana", 10)
    table.turn("ana", 1, 1)
    assert table.state.positions["ana"] == 10
    assert [table.holds("ana", weapon) for weapon in ("rpg7", "c4", "la_peste", "licence")] == [1, 2, 1, 1]
    assert table.holds("police", "dose") == 1


@pytest.mark.rule("VI.A.5", "VI.A.4", "VI.F.3", "II.B.6")
def test_a_licence_that_ends_on_the_way_is_renewed_there_or_missed_at_the_checkpoint_behind() -> None:
    """From 38 to 4 Ana passes Spawn: her licence ends there. Renewed for 70 ₦, it keeps her RPG-7 at the check."""
    for renewed in (True, False):
        table = Table("ana", "bob")
        table.give("ana", "rpg7")
        table.give("ana", "licence")
        table.place("ana", 38)
        assert "licence_expired" in kinds(table.play("ana", "roll_dice", dice=[3, 3]))
        if renewed:
            table.play("ana", "buy_licence")
        table.play("ana", "resolve_square")
        found = (table.holds("ana"), table.holds("ana", "rpg7"), table.state.positions["ana"])
        assert found == ((1650 + 250 - 70, 1, CHECKPOINT) if renewed else (1650 + 250, 0, PRISON))
