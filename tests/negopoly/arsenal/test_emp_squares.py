"""IX.C.24. The Bombe IEM: squares that no longer serve the holder of a quarter, and what still counts."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ledger.rulebooks.negopoly.estate.quarters import QUARTERS
from ledger.rulebooks.negopoly.table.terms import Contract, Loan
from tests.tables.negopoly import Table, answer, kinds, rolls, under_bomb

# Quarters -----------------------------------------------------------------------------------------------


@pytest.mark.rule("IX.C.24", "V.E.4", "VI.A.1")
def test_the_allowance_of_marron_is_lost_with_the_pay_of_a_disabled_spawn() -> None:
    """Bob, who holds Marron, gets nothing on his lap during the bomb, and 230 + 150 ₦ on the next lap."""
    table = under_bomb("ana", "bob")
    table.own("bob", *QUARTERS["marron"])
    assert "allowance_paid" not in rolls(table, "bob", 1)
    assert table.holds("bob") == 1650
    table.play("bob", "end_turn")
    table.turn("ana", 2, 3)
    assert "allowance_paid" in rolls(table, "bob", 1)
    assert table.holds("bob") == 1650 + 230 + 150


@pytest.mark.rule("IX.C.24", "V.E.6", "V.E.15", "V.A.6")
def test_neither_the_dose_of_cyan_nor_the_police_of_orange_wait_on_a_disabled_street() -> None:
    """During the bomb Bob stops on Cyan, Cleo with a dose on Orange: no dose, no check, no rent; later both."""
    table = under_bomb()
    table.own("ana", *QUARTERS["cyan"], *QUARTERS["orange"])
    table.give("cleo", "dose")
    rolls(table, "bob", 6)
    assert kinds(table.play("bob", "resolve_square")) == ["square_resolved"]
    table.play("bob", "end_turn")
    rolls(table, "cleo", 32)
    assert not [one for one in table.moves("cleo") if one.kind == "bribe_k9"]
    table.play("cleo", "end_turn")
    assert (table.holds("bob", "dose"), table.holds("cleo", "dose"), table.holds("ana")) == (0, 1, 1650)
    table.turn("ana", 1, 1)
    rolls(table, "bob", 6)
    assert kinds(table.play("bob", "resolve_square")) == ["rent_paid", "free_dose_received", "square_resolved"]
    table.play("bob", "end_turn")
    rolls(table, "cleo", 32)
    table.play("cleo", "resolve_square")
    assert (table.holds("bob", "dose"), table.holds("cleo", "dose"), table.holds("ana", "dose")) == (1, 0, 1)
    assert table.holds("ana") == 1650 + 6 + 26


@pytest.mark.rule("IX.C.24", "V.E.12", "V.E.11")
def test_the_holder_of_jaune_buys_nothing_in_crossing_a_disabled_bar() -> None:
    """Bob crosses the bar with Jaune: refused during the bomb; a lap later his RPG-7 costs 113 ₦."""
    table = under_bomb("ana", "bob")
    table.own("bob", *QUARTERS["jaune"])
    rolls(table, "bob", 7, come_from=3)
    table.refused("bob", "buy_weapon", "IX.C.24", commodity="rpg7")
    assert table.offers("bob", "buy_weapon") == []
    table.play("bob", "end_turn")
    table.turn("ana", 1, 4)
    rolls(table, "bob", 7, come_from=3)
    table.play("bob", "buy_weapon", commodity="rpg7")
    assert table.holds("bob") == 1650 - 113


@pytest.mark.rule("IX.C.24", "VI.B.1", "V.E.7")
def test_rose_earns_nothing_at_a_kamtar_that_sells_nothing() -> None:
    """During the bomb Bob stops on the Kamtar: no card, nothing for Cleo, who holds Rose; later she gets 35 ₦."""
    table = Table("ana", "bob", "cleo", decks=True)
    table.own("cleo", *QUARTERS["rose"])
    table.give("ana", "bombe_iem")
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "use_emp")
    table.play("ana", "end_turn")
    rolls(table, "bob", 35)
    table.refused("bob", "buy_kamtar_card", "IX.C.24")
    table.play("bob", "end_turn")
    assert (table.holds("bob"), table.holds("cleo")) == (1650, 1650)
    table.place("cleo", 10)
    table.play("cleo", "roll_dice", dice=[1, 2])
    table.play("cleo", "end_turn")
    rolls(table, "ana", 35)
    table.play("ana", "buy_kamtar_card", draws=["kamtar_01"])
    assert (table.holds("ana"), table.holds("cleo")) == (1650 - 70, 1650 + 35)


@pytest.mark.rule("IX.C.24", "II.B.7", "V.E.9")
def test_the_holder_of_rouge_draws_nothing_on_a_disabled_chance_square() -> None:
    """During the bomb Bob stops on Chance and draws no card; a lap later he chooses one of three."""
    table = Table("ana", "bob", decks=True)
    table.own("bob", *QUARTERS["rouge"])
    table.give("ana", "bombe_iem")
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "use_emp")
    table.play("ana", "end_turn")
    rolls(table, "bob", 7)
    assert kinds(table.play("bob", "resolve_square")) == ["square_resolved"]
    table.play("bob", "end_turn")
    table.turn("ana", 1, 1)
    rolls(table, "bob", 7)
    table.play("bob", "resolve_square", draws=["chance_01", "chance_04", "chance_05"])
    answer(table, "bob", "chance_01")
    assert table.holds("bob") == 1650 + 100


@pytest.mark.rule("IX.C.24", "V.E.16", "V.E.17", "VI.E.3")
def test_at_home_in_orange_the_police_hear_a_word_in_the_dark_and_take_no_bribe() -> None:
    """Bob stops on his Villa during the bomb: he cannot bribe the trainer, but his instruction for Cleo counts.

    The instruction is still in force after the bomb: the police do not check Cleo, and Bob bribes the trainer for
    170 ₦.
    """
    table = under_bomb()
    table.own("bob", *QUARTERS["orange"])
    rolls(table, "bob", 34)
    table.refused("bob", "bribe_k9", "IX.C.24")
    table.play("bob", "waive_police", target="cleo", measure="check")
    table.play("bob", "end_turn")
    table.place("cleo", 1)
    table.turn("cleo", 1, 1)
    table.turn("ana", 1, 1)
    rolls(table, "bob", 34)
    table.play("bob", "bribe_k9")
    table.play("bob", "end_turn")
    table.give("cleo", "dose")
    rolls(table, "cleo", 4)
    assert kinds(table.play("cleo", "resolve_square")) == ["check_withheld", "square_resolved"]
    assert (table.holds("bob"), table.holds("cleo", "dose"), table.state.k9_rounds) == (1650 - 170, 1, {3})


@pytest.mark.rule("IX.C.25", "VIII.B.9")
def test_neither_bleu_fonce_nor_vert_reach_out_and_a_teleporter_of_ones_own_does() -> None:
    """Bob starts on his Négoplaza: no free teleport, no vehicle from afar; the teleporter in hand works."""
    table = Table("ana", "bob")
    table.own("bob", *QUARTERS["bleu_fonce"], *QUARTERS["vert"])
    table.give("bob", "teleporteur")
    table.place("bob", 37)
    table.give("ana", "bombe_iem")
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "use_emp")
    table.play("ana", "end_turn")
    table.refused("bob", "quarter_teleport", "IX.C.25", square=11)
    table.refused("bob", "buy_vehicle", "IX.C.25", commodity="automobile")
    table.play("bob", "use_vehicle", commodity="teleporteur", square=11)
    assert (table.state.positions["bob"], table.holds("bob")) == (11, 1650)


# Counters, debts and agreements -------------------------------------------------------------------------


@pytest.mark.rule("IX.C.24", "VI.A.3", "VI.A.5", "VI.F.8", "VI.F.5", "VIII.B.9")
def test_a_passage_in_the_dark_takes_the_licence_and_the_warrant_and_gives_nothing() -> None:
    """Bob, wanted, with a licence and an RPG-7, teleports onto a disabled Spawn: no warrant, no pay, no licence.

    No licence is sold there. After the bomb, in his next turn, his RPG-7 takes him to Prison.
    """
    table = under_bomb("ana", "bob")
    table.give("bob", "teleporteur")
    table.give("bob", "licence")
    table.give("bob", "rpg7")
    with table.arranged() as state:
        state.wanted.add("bob")
    events = kinds(table.play("bob", "use_vehicle", commodity="teleporteur", square=0))
    assert events == ["vehicle_used", "token_teleported", "spawn_passed", "licence_expired", "warrant_lifted"]
    table.refused("bob", "buy_licence", "IX.C.24")
    table.refused("bob", "buy_doses", "IX.C.24")
    table.play("bob", "end_turn")
    table.turn("ana", 1, 1)
    rolls(table, "bob", 4)
    table.play("bob", "resolve_square")
    assert (table.holds("bob"), table.holds("police", "rpg7"), table.state.positions["bob"]) == (1650, 1, 10)


@pytest.mark.rule("IX.C.24", "VI.E.3", "VI.F.2")
def test_a_trainer_bribed_for_a_dark_round_has_barked_for_nothing() -> None:
    """Ana bribes the trainer for round 2, and Cleo uses a bomb as the last player of round 1.

    Bob crosses a checkpoint with a dose in round 2, and again in round 3: he is not checked either time.
    """
    table = Table("ana", "bob", "cleo")
    table.place("ana", 28)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "bribe_k9")
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    table.give("cleo", "bombe_iem")
    table.play("cleo", "roll_dice", dice=[1, 2])
    table.play("cleo", "use_emp")
    table.play("cleo", "end_turn")
    table.give("bob", "dose")
    for round_ in (2, 3):
        assert (table.state.round, table.state.k9_rounds) == (round_, {2} if round_ == 2 else set())
        table.turn("ana", 1, 2)
        table.place("bob", 2)
        table.turn("bob", 1, 2)
        table.place("cleo", 0)
        table.turn("cleo", 1, 2)
    assert (table.holds("ana"), table.holds("bob", "dose")) == (1650 - 170, 1)


@pytest.mark.rule("IX.C.24", "V.B.4", "V.B.5")
def test_leave_to_unmortgage_is_given_in_the_dark_and_used_in_the_light() -> None:
    """Cleo's street is mortgaged.

    From another square she delegates to Bob at her cost; he stops there during the bomb.

    The square is disabled, but the delegation lasts: on his next stop he lifts the mortgage for 50 ₦ of hers.
    """
    table = under_bomb()
    table.own("cleo", "17_rue_des_patates", mortgaged=True)
    table.play("cleo", "delegate_unmortgage", title="17_rue_des_patates", to="bob", owner_pays=True)
    rolls(table, "bob", 6)
    table.refused("bob", "unmortgage_property", "IX.C.24", title="17_rue_des_patates")
    table.play("bob", "end_turn")
    table.turn("cleo", 1, 2)
    table.turn("ana", 1, 1)
    rolls(table, "bob", 6)
    table.play("bob", "unmortgage_property", title="17_rue_des_patates")
    table.play("bob", "resolve_square")
    assert (table.holds("bob"), table.holds("cleo")) == (1650, 1650 - 50)


@pytest.mark.rule("IX.C.24", "X.C.3", "X.C.4")
def test_a_loan_that_falls_due_in_the_dark_is_collected_and_the_pay_that_should_meet_it_is_not_paid() -> None:
    """Bob's second passage since he borrowed 500 ₦ crosses a disabled Spawn: he repays all of it, into debt."""
    table = under_bomb("ana", "bob")
    table.play("bob", "take_loan", amount=500)
    number = str(table.number)
    table.take("bob", "NGD", 2100)
    with table.arranged() as state:
        loan = state.open[number]
        assert isinstance(loan, Loan)
        state.open[number] = replace(loan, passages=1)
    assert rolls(table, "bob", 1) == [
        "dice_thrown",
        "token_moved",
        "spawn_passed",
        "loan_collected",
        "token_moved",
    ]
    assert table.holds("bob") == 50 - 500
    assert number not in table.state.open


@pytest.mark.rule("IX.C.25", "X.A.5", "X.A.6", "X.B.2", "P.2")
def test_contracts_bounties_and_disputes_have_their_time_in_the_dark() -> None:
    """Bob and Cleo sign for one round, with 100 ₦ of Cleo's in escrow; it lapses while the bomb is active.

    The deposit goes back to her; a bounty is posted and a dispute opened meanwhile.
    """
    table = Table("ana", "bob", "cleo")
    table.turn("ana", 1, 2)
    table.play("bob", "register_contract", clauses=["peace"], rounds=1, parties=["cleo"], escrow={"cleo": 100})
    contract = str(table.number)
    table.play("cleo", "agree_contract", contract=contract)
    assert (table.holds("bob"), table.holds("cleo")) == (1650 - 30, 1650 - 100)
    table.turn("bob", 1, 2)
    table.turn("cleo", 1, 2)
    table.give("ana", "bombe_iem")
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "use_emp")
    events = kinds(table.play("ana", "end_turn"))
    assert events[1:3] == ["contract_lapsed", "turn_started"]
    assert table.holds("cleo") == 1650
    assert table.state.blackouts == {"ana"}
    lapsed = table.state.past.get(contract)
    assert isinstance(lapsed, Contract)
    assert (lapsed.status, lapsed.escrow) == ("lapsed", {})
    table.play("cleo", "post_bounty", amount=40, conditions="the light comes back")
    assert table.holds(f"escrow:bounty:{table.number}") == 40
    table.play(
        "bob", "open_dispute", claim="it went dark too early", actions=[table.number - 2], rules=["IX.C.24"]
    )
    assert table.state.blackouts == {"ana"}
