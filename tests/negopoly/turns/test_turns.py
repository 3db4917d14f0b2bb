"""II.1, II.2 and II.B.1 to II.B.12. Rounds and turns, from start to end."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import kind_of
from ledger.kernel.facts.refusals import RuleBroken
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.turns import turns
from tests.tables.negopoly import CHECKPOINT, HOPITAL, PRISON, Table, kinds, say, turn


def at_checkpoint() -> Table:
    """Ana has just stopped on the checkpoint behind Spawn."""
    table = Table("ana", "bob")
    table.play("ana", "roll_dice", dice=[1, 3])
    assert table.state.positions["ana"] == CHECKPOINT
    return table


def on_bobs_title() -> Table:
    """Ana has just stopped on Bob's Négotown with two houses: 30 ₦."""
    table = Table("ana", "bob")
    table.own("bob", "negotown", houses=2)
    table.place("ana", 38)
    table.play("ana", "roll_dice", dice=[1, 2])
    return table


# Rounds and order -----------------------------------------------------------------------------------


@pytest.mark.rule("II.1", "II.2")
def test_a_round_ends_when_everybody_has_had_one_turn() -> None:
    """Three players, two rounds: each plays once a round, in the order of the table."""
    table = Table("ana", "bob", "eve")
    played = []
    for number in range(6):
        played.append((table.state.round, turn(table).seat))
        table.turn(turn(table).seat, *((1, 2) if number < 3 else (2, 2)))
    assert played == [(1, "ana"), (1, "bob"), (1, "eve"), (2, "ana"), (2, "bob"), (2, "eve")]
    assert table.state.round == 3


@pytest.mark.rule("II.1")
def test_the_next_round_does_not_start_before_the_last_player_is_done() -> None:
    table = Table("ana", "bob")
    table.turn("ana", 1, 2)
    assert table.state.round == 1
    table.play("bob", "roll_dice", dice=[1, 2])
    assert table.state.round == 1
    assert kinds(table.play("bob", "end_turn")) == ["turn_ended", "round_started", "turn_started"]
    assert table.state.round == 2


@pytest.mark.rule("II.2")
def test_what_belongs_to_a_turn_is_refused_from_anybody_else() -> None:
    """It is Ana's turn: Bob cannot end it, resolve a square, or take a dose."""
    table = Table("ana", "bob", perks={"bob": "doses"})
    table.refused("bob", "end_turn", "II.2")
    table.refused("bob", "resolve_square", "II.2")
    assert table.refused("bob", "roll_dice", "II.D.4", dice=[1, 2]).en == "it is Ana's turn, not Bob's"
    table.refused("bob", "consume_dose", "III.B.1", dice=[5])


@pytest.mark.rule("II.2")
def test_a_player_has_no_second_turn_in_a_round() -> None:
    table = Table("ana", "bob")
    table.turn("ana", 1, 2)
    table.refused("ana", "roll_dice", "II.D.4", dice=[1, 2])
    table.refused("ana", "end_turn", "II.2")


@pytest.mark.rule("II.2", "III.B.3")
def test_a_cancelled_turn_was_the_turn_of_the_round() -> None:
    """Ana overdoses in round 1; she plays again in round 2, after Bob."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    table.play("ana", "consume_dose", dice=[1])
    assert (table.state.round, turn(table).seat) == (1, "bob")
    table.turn("bob", 1, 2)
    assert (table.state.round, turn(table).seat) == (2, "ana")


@pytest.mark.rule("II.2", "II.B.13")
def test_an_expired_turn_was_the_turn_of_the_round() -> None:
    table = Table("ana", "bob")
    table.wait(301)
    table.banker("expire_turn")
    assert (table.state.round, turn(table).seat) == (1, "bob")
    table.refused("ana", "end_turn", "II.2")


@pytest.mark.rule("II.2")
def test_an_eliminated_player_has_no_turn_any_more() -> None:
    """Bob is out: after Ana it is Eve's turn, and the round goes on without him."""
    table = Table("ana", "bob", "eve")
    with table.arranged() as state:
        state.eliminated["bob"] = "bankruptcy"
    table.turn("ana", 1, 2)
    assert turn(table).seat == "eve"
    table.turn("eve", 1, 2)
    assert (table.state.round, turn(table).seat) == (2, "ana")


@pytest.mark.rule("II.2")
def test_no_waiver_plays_another_s_turn() -> None:
    """The banker waives rules for Bob, yet the roll, the dose and the end of Ana's turn stay Ana's."""
    table = Table("ana", "bob", perks={"ana": "doses", "bob": "doses"})
    for kind, params in (("roll_dice", {"dice": [1, 2]}), ("consume_dose", {"dice": [5]}), ("end_turn", {})):
        with pytest.raises(RuleBroken, match="it is Ana's turn, not Bob's"):
            table.banker(kind, seat="bob", override="he is in a hurry", **params)
    assert (table.state.positions, table.holds("ana", "dose")) == ({"ana": 0, "bob": 0}, 3)
    table.refused("bob", "end_turn", "II.2")


# The start of a turn --------------------------------------------------------------------------------


@pytest.mark.rule("II.B.1")
def test_the_start_of_a_turn_lists_what_is_in_force() -> None:
    """Bob is wanted, and a K9 trainer was bribed for round 1: his turn says both, in public."""
    table = Table("ana", "bob")
    with table.arranged() as state:
        state.wanted.add("bob")
        state.k9_rounds.add(1)
    table.play("ana", "roll_dice", dice=[1, 2])
    started = table.play("ana", "end_turn")[-1]
    assert isinstance(started, turns.TurnStarted)
    assert (started.seat, started.round, started.effects) == ("bob", 1, ("warrant", "k9"))
    assert started in table.seen_by(None)


@pytest.mark.rule("II.B.1")
def test_a_turn_without_effects_lists_none() -> None:
    table = Table("ana", "bob")
    table.play("ana", "roll_dice", dice=[1, 2])
    started = table.play("ana", "end_turn")[-1]
    assert isinstance(started, turns.TurnStarted)
    assert started.effects == ()


@pytest.mark.rule("II.B.1", "X.C.1")
def test_what_is_secret_among_the_effects_is_listed_for_the_player_alone() -> None:
    """Ana's licence and loan are in her own view, not in Bob's, and not in the public list."""
    table = Table("ana", "bob")
    table.give("ana", "licence")
    table.play("ana", "take_loan", amount=200)
    loan = str(table.state.version)
    assert RULEBOOK.screen.view(table.state, Viewer("player", "ana"))["you"]["effects"] == [
        "licence",
        f"loan:{loan}",
    ]
    assert RULEBOOK.screen.view(table.state, Viewer("player", "bob"))["you"]["effects"] == []
    table.turn("ana", 1, 2)
    table.play("bob", "roll_dice", dice=[1, 2])
    started = table.play("bob", "end_turn")[-1]
    assert isinstance(started, turns.TurnStarted)
    assert (started.seat, started.effects) == ("ana", ())


@pytest.mark.rule("II.B.1")
def test_the_contracts_and_deals_that_bind_a_player_are_among_the_effects() -> None:
    """Ana is bound by a contract and owed a dose by Bob; a mere proposal binds nobody, and nothing binds Eve."""
    table = Table("ana", "bob", "eve", perks={"bob": "doses"})
    table.play("ana", "register_contract", clauses=["I am quiet."], rounds=2)
    contract = table.number
    table.play("bob", "propose_deal", legs=[{"giver": "bob", "taker": "ana", "commodity": "dose"}])
    deal = table.number
    assert RULEBOOK.screen.view(table.state, Viewer("player", "ana"))["you"]["effects"] == [f"contract:{contract}"]
    table.play("ana", "agree_deal", deal=str(deal))
    bound = {
        seat: RULEBOOK.screen.view(table.state, Viewer("player", seat))["you"]["effects"]
        for seat in table.state.order
    }
    assert bound == {"ana": [f"contract:{contract}", f"deal:{deal}"], "bob": [f"deal:{deal}"], "eve": []}


@pytest.mark.rule("II.B.1")
def test_the_start_of_a_turn_says_when_charges_of_the_player_can_be_fired() -> None:
    """Ana's charge of round 1 is not ready in round 2, and is from round 3 on; Bob has none."""
    table = Table("ana", "bob")
    table.own("bob", "nuketown", houses=1)
    table.attach("nuketown", "charge:ana:1")
    effects = []
    for _ in range(5):
        seat = turn(table).seat
        table.place(seat, PRISON)
        table.play(seat, "roll_dice", dice=[5, 5])
        started = table.play(seat, "end_turn")[-1]
        assert isinstance(started, turns.TurnStarted)
        effects.append((started.round, started.seat, started.effects))
    assert effects == [
        (1, "bob", ()),
        (2, "ana", ()),
        (2, "bob", ()),
        (3, "ana", ("charges",)),
        (3, "bob", ()),
    ]


@pytest.mark.rule("II.B.1")
def test_at_the_start_of_a_turn_contracts_lapse_before_deliveries_arrive() -> None:
    """Ana's contract with Bob ends with her turn of round 2, when her dose reaches Eve too: first the contract."""
    table = Table("ana", "bob", "eve", perks={"ana": "doses"})
    table.play(
        "ana", "register_contract", clauses=["Peace."], rounds=1, parties=["ana", "bob"], payers={"ana": 30}
    )
    table.play("bob", "agree_contract", contract=str(table.state.version))
    table.play("ana", "send_delivery", to="eve", commodity="dose", amount=1)
    for seat in ("ana", "bob"):
        table.turn(seat, 1, 2)
    table.play("eve", "roll_dice", dice=[1, 2])
    assert kinds(table.play("eve", "end_turn")) == [
        "turn_ended",
        "round_started",
        "contract_lapsed",
        "delivery_arrived",
        "turn_started",
    ]


# Before the roll ------------------------------------------------------------------------------------


@pytest.mark.rule("II.B.2")
def test_before_the_roll_a_player_may_act_in_particular_take_a_dose() -> None:
    """Ana sends Bob money, then takes a dose, and has not rolled yet."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    table.play("ana", "transfer_money", to="bob", amount=10)
    table.play("ana", "consume_dose", dice=[5])
    assert (turn(table).roll, turn(table).drug_die) == ("due", 5)
    assert table.holds("ana", "dose") == 2


@pytest.mark.rule("II.B.3")
def test_before_the_roll_nothing_that_needs_a_move_is_open() -> None:
    """Ana stopped on Négotown last round and bought nothing: the square is not reopened to her."""
    table = Table("ana", "bob")
    table.place("ana", 1)
    table.refused("ana", "buy_property", "II.B.3", title="negotown")
    table.refused("ana", "resolve_square", "II.B.3")
    for square, kind, params in (
        (0, "buy_doses", {"amount": 1}),
        (0, "buy_licence", {}),
        (PRISON, "sell_doses", {"dice": [1]}),
        (HOPITAL, "buy_prescription", {}),
        (30, "bribe_k9", {}),
    ):
        table.place("ana", square)
        table.refused("ana", kind, "II.B.3", **params)


# The roll -------------------------------------------------------------------------------------------


@pytest.mark.rule("II.B.4")
def test_the_dice_are_thrown_once_and_stored() -> None:
    """Ana throws 2 and 4; a second throw is refused, and the values are in the journal."""
    table = Table("ana", "bob")
    (thrown, *_) = table.play("ana", "roll_dice", dice=[2, 4])
    assert (kind_of(thrown), thrown.dice) == ("dice_thrown", (2, 4))  # type: ignore[attr-defined]
    assert table.last is not None
    assert table.last.draws == {"movement dice": [2, 4]}
    assert turn(table).dice == (2, 4)
    table.refused("ana", "roll_dice", "II.B.4", dice=[1, 2])
    assert table.state.positions["ana"] == 6


@pytest.mark.rule("II.B.4")
def test_the_service_throws_where_the_table_does_not() -> None:
    """The dice are drawn and stored; a player who brings their own is told to leave them out."""
    table = Table("ana", "bob", dice="service")
    assert "leave out" in table.malformed("ana", "roll_dice", dice=[6, 6]).en
    table.play("ana", "roll_dice")
    assert table.last is not None
    thrown = table.last.draws["movement dice"]
    assert len(thrown) == 2
    assert table.state.positions["ana"] == sum(int(value) for value in thrown)


@pytest.mark.rule("II.B.4")
def test_a_double_gives_nothing() -> None:
    table = Table("ana", "bob")
    table.play("ana", "roll_dice", dice=[3, 3])
    table.refused("ana", "roll_dice", "II.B.4", dice=[3, 3])
    table.play("ana", "end_turn")
    assert turn(table).seat == "bob"


@pytest.mark.parametrize("dice", [[], [3], [1, 2, 3], [0, 3], [7, 1], [-1, 4]])
def test_two_dice_of_six_sides_are_thrown_and_nothing_else(dice: list[int]) -> None:
    Table("ana", "bob").malformed("ana", "roll_dice", dice=dice)


def test_a_throw_that_nobody_made_is_asked_for() -> None:
    assert "dice of the move (2)" in Table("ana", "bob").malformed("ana", "roll_dice").en


@pytest.mark.rule("II.B.4")
@pytest.mark.parametrize(("number", "dice"), [(1, [5]), (3, [1, 2, 6]), (10, [1] * 10)])
def test_a_table_may_play_with_another_number_of_dice(number: int, dice: list[int]) -> None:
    table = Table("ana", "bob", settings={"movement_dice": number})
    table.malformed("ana", "roll_dice", dice=[1] * (number + 1))
    table.play("ana", "roll_dice", dice=dice)
    assert table.state.positions["ana"] == sum(dice)


@pytest.mark.rule("II.B.4", "III.B.2")
def test_a_table_may_play_with_other_dice_and_then_every_die_is_such_a_one() -> None:
    """With four-sided dice a 5 is no throw: neither of the movement dice nor of the drug die."""
    table = Table("ana", "bob", perks={"ana": "doses"}, settings={"die_sides": 4})
    assert "from 1 to 4" in table.malformed("ana", "consume_dose", dice=[5]).en
    table.play("ana", "consume_dose", dice=[4])
    assert "from 1 to 4" in table.malformed("ana", "roll_dice", dice=[5, 1]).en
    table.play("ana", "roll_dice", dice=[4, 4])
    thrown = Table("ana", "bob", dice="service", settings={"die_sides": 2, "movement_dice": 10})
    thrown.play("ana", "roll_dice")
    assert thrown.last is not None
    assert set(thrown.last.draws["movement dice"]) == {1, 2}


# Squares --------------------------------------------------------------------------------------------


@pytest.mark.rule("II.B.7", "VI.F.1")
def test_a_check_is_made_before_the_turn_can_end() -> None:
    """Ana stands on a checkpoint: she cannot walk away from the check, and can once it was made."""
    table = at_checkpoint()
    refusal = table.refused("ana", "end_turn", "II.B.7")
    assert refusal.en == "the effect of Point de contrôle is still to be applied: resolve the square first"
    table.play("ana", "resolve_square")
    table.play("ana", "end_turn")
    assert turn(table).seat == "bob"


@pytest.mark.rule("II.B.7", "V.A.6")
def test_a_rent_is_paid_before_the_turn_can_end() -> None:
    """Ana stops on Bob's Négotown with two houses and pays him 30 ₦ before she can end her turn."""
    table = on_bobs_title()
    before = (table.holds("ana"), table.holds("bob"))
    table.refused("ana", "end_turn", "II.B.7")
    table.play("ana", "resolve_square")
    assert (table.holds("ana"), table.holds("bob")) == (before[0] - 30, before[1] + 30)
    table.play("ana", "end_turn")
    assert turn(table).seat == "bob"


@pytest.mark.rule("II.B.6", "II.B.7")
def test_a_square_is_resolved_once_a_stop() -> None:
    """A second time Ana would pay the rent twice."""
    table = on_bobs_title()
    table.play("ana", "resolve_square")
    money = table.holds("ana")
    table.refused("ana", "resolve_square", "II.B.6")
    assert table.holds("ana") == money


@pytest.mark.rule("II.B.7", "II.B.12")
def test_a_square_without_a_mandatory_effect_holds_nobody_back() -> None:
    """Ana stops on a title of the bank and may leave it at that."""
    table = Table("ana", "bob")
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "end_turn")
    assert turn(table).seat == "bob"


@pytest.mark.rule("II.B.8", "V.D.1")
def test_the_stop_square_serves_until_the_end_of_the_turn_and_no_other_does() -> None:
    """Ana crosses Négotown and stops on Black Arretxea: she may buy the latter, also once it is resolved."""
    table = Table("ana", "bob")
    table.play("ana", "roll_dice", dice=[1, 2])
    table.refused("ana", "buy_property", "V.D.1", title="negotown")
    table.play("ana", "resolve_square")
    table.play("ana", "buy_property", title="black_arretxea")
    assert (table.owner("black_arretxea"), table.owner("negotown")) == ("ana", None)
    table.play("ana", "end_turn")
    table.turn("bob", 1, 1)
    table.refused("ana", "buy_property", "II.B.3", title="17_rue_des_patates")


@pytest.mark.rule("VI.C.3")
def test_the_services_of_a_stop_are_not_open_to_who_only_crosses() -> None:
    """Ana crosses Hôpital without stopping and cannot buy a prescription; stopping there she can buy two."""
    crossing = Table("ana", "bob")
    crossing.place("ana", 18)
    crossing.play("ana", "roll_dice", dice=[1, 2])
    crossing.refused("ana", "buy_prescription", "VI.C.3")
    stopping = Table("ana", "bob")
    stopping.place("ana", 17)
    stopping.play("ana", "roll_dice", dice=[1, 2])
    stopping.play("ana", "buy_prescription")
    stopping.play("ana", "resolve_square")
    stopping.play("ana", "buy_prescription")
    assert stopping.holds("ana", "ordonnance") == 2
    stopping.play("ana", "end_turn")
    stopping.refused("ana", "buy_prescription", "II.2")


# The end of a turn ----------------------------------------------------------------------------------


@pytest.mark.rule("II.B.12")
def test_a_turn_is_ended_by_choice_but_not_before_the_roll() -> None:
    table = Table("ana", "bob")
    assert table.refused("ana", "end_turn", "II.B.12").en == "Ana has not rolled yet"
    table.play("ana", "roll_dice", dice=[1, 2])
    ended, started = table.play("ana", "end_turn")
    assert (kind_of(ended), ended.reason) == ("turn_ended", "done")  # type: ignore[attr-defined]
    assert (kind_of(started), started.seat) == ("turn_started", "bob")  # type: ignore[attr-defined]
    speakers = RULEBOOK.language.speakers(table.state)
    assert say(ended, "en", speakers) == "Ana's turn ends."
    assert say(ended, "fr", speakers) == "Le tour d'Ana se termine."


@pytest.mark.rule("II.B.12", "III.C.1")
def test_a_turn_may_end_without_a_roll_that_was_cancelled() -> None:
    """Ana's prescription takes her to Hôpital instead of the roll: she may end her turn there."""
    table = Table("ana", "bob")
    table.give("ana", "ordonnance")
    table.refused("ana", "end_turn", "II.B.12")
    table.play("ana", "use_prescription")
    table.play("ana", "end_turn")
    assert turn(table).seat == "bob"
