"""IX.C.18 to IX.C.21. The Glock 26 and its duel, and the AR15."""

from __future__ import annotations

import pytest

from ledger.kernel.deciding.moves import moves
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import kind_of
from ledger.kernel.journal.sight import redact_for_dry_run
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.table.terms import player
from tests.tables.negopoly import CHECKPOINT, HOPITAL, Table, asked, guarded, rolls, say, stop_on


def face_to_face(*, gap: int = 0, target_armed: bool = False, seats: tuple[str, ...] = ("ana", "bob")) -> Table:
    """Ana has rolled to Black Arretxea (3) with a Glock; Bob is `gap` squares further, armed or not."""
    table = Table(*seats)
    table.give("ana", "glock26")
    if target_armed:
        table.give("bob", "glock26")
    table.play("ana", "roll_dice", dice=[1, 2])
    table.place("bob", 3 + gap)
    return table


@pytest.mark.rule("IX.C.18")
@pytest.mark.parametrize("gap", [-1, 0, 1])
def test_the_racket_takes_300_from_a_player_close_by(gap: int) -> None:
    """Bob, on Ana's square or beside it, has no Glock: he pays her 300 ₦ and stays where he is; hers is spent."""
    table = face_to_face(gap=gap)
    assert table.offers("ana", "use_glock") == [{"target": "bob"}]
    events = table.play("ana", "use_glock", target="bob", dice=[1])
    assert [kind_of(event) for event in events] == ["glock_drawn", "glock_decided"]
    assert (table.holds("ana"), table.holds("bob")) == (1950, 1350)
    assert table.state.positions["bob"] == 3 + gap
    assert table.holds("ana", "glock26") == 0
    assert table.holds("used", "glock26") == 1


@pytest.mark.rule("IX.C.18")
def test_two_squares_away_is_out_of_reach() -> None:
    """Two squares away Bob is refused, and so is Ana herself."""
    table = face_to_face(gap=2)
    refusal = table.refused("ana", "use_glock", "IX.C.18", target="bob", dice=[6])
    assert "Black Arretxea" in refusal.en
    table.refused("ana", "use_glock", "IX.C.18", target="ana", dice=[6])
    assert not table.offers("ana", "use_glock")
    assert table.holds("ana", "glock26") == 1


@pytest.mark.rule("IX.C.18", "I.B.3")
def test_the_racket_is_paid_into_debt() -> None:
    """Bob has 100 ₦ left: he owes 200 ₦ afterwards, and Ana has her 300."""
    table = face_to_face()
    table.take("bob", "NGD", 1550)
    table.play("ana", "use_glock", target="bob", dice=[6])
    assert (table.holds("ana"), table.holds("bob")) == (1950, -200)


@pytest.mark.rule("IX.C.19", "IX.C.20", "VI.C.1")
@pytest.mark.parametrize("die", [4, 5, 6])
def test_the_attacker_wins_the_duel_on_four_or_more(die: int) -> None:
    """Both armed, 4 to 6: Bob pays Ana 300 ₦ and goes to the Hôpital; he keeps his Glock, hers is spent."""
    table = face_to_face(target_armed=True)
    events = table.play("ana", "use_glock", target="bob", dice=[die])
    assert [kind_of(event) for event in events] == ["glock_drawn", "glock_decided", "token_sent"]
    assert (table.holds("ana"), table.holds("bob")) == (1950, 1350)
    assert (table.state.positions["ana"], table.state.positions["bob"]) == (3, HOPITAL)
    assert (table.holds("ana", "glock26"), table.holds("bob", "glock26")) == (0, 1)


@pytest.mark.rule("IX.C.19", "IX.C.20")
@pytest.mark.parametrize("die", [1, 2, 3])
def test_the_attacker_loses_the_duel_on_three_or_less(die: int) -> None:
    """Both armed, 1 to 3: Ana pays Bob and goes to the Hôpital, her move over; Bob stays."""
    table = face_to_face(target_armed=True)
    table.play("ana", "use_glock", target="bob", dice=[die])
    assert (table.holds("ana"), table.holds("bob")) == (1350, 1950)
    assert (table.state.positions["ana"], table.state.positions["bob"]) == (HOPITAL, 3)
    assert (table.holds("ana", "glock26"), table.holds("bob", "glock26")) == (0, 1)
    assert table.state.turn is not None
    assert table.state.turn.stop is None
    refusal = table.refused("ana", "buy_prescription", "III.C.2")
    assert (refusal.rule, refusal.also_cited) == ("III.C.2", ("VI.C.3",))
    assert refusal.en.startswith("Ana was sent to Hôpital and has not stopped there")


@pytest.mark.rule("IX.C.19", "VI.C.1")
def test_a_duel_of_two_players_at_the_hospital_with_a_bill_and_a_stay() -> None:
    """Both already at the Hôpital of a table that bills 40 ₦ and keeps patients a turn: the loser pays both."""
    table = Table("ana", "bob", settings={"hospital_bill": 40, "hospital_missed_turns": 1})
    table.give("ana", "glock26")
    table.give("bob", "glock26")
    table.place("ana", 18)
    table.place("bob", HOPITAL)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "use_glock", target="bob", dice=[2])
    assert (table.holds("ana"), table.holds("bob")) == (1650 - 300 - 40, 1950)
    assert table.state.missed == {"ana": 1}
    assert (table.state.positions["ana"], table.state.positions["bob"]) == (HOPITAL, HOPITAL)


@pytest.mark.rule("IX.C.19", "I.C.6")
def test_whether_the_target_is_armed_is_not_told_before_the_shot() -> None:
    """Ana's moves, questions and dry runs are the same whether Bob is armed or not."""
    seen = []
    ana = Viewer("player", "ana")
    for armed in (False, True):
        table = face_to_face(target_armed=armed)
        found = moves(RULEBOOK, table.state, "ana", player("ana"), ana, table.now)
        (move,) = [move for move in found if move.kind == "use_glock"]
        asked = table.malformed("ana", "use_glock", target="bob").en
        drawn, decided, *_ = table.play("ana", "use_glock", target="bob", dice=[4])
        shown = redact_for_dry_run(decided, ana)
        assert shown is not None
        assert shown.postings == ()
        seen.append((move, asked, drawn, shown, say(shown, "en", RULEBOOK.language.speakers(table.state))))
    assert seen[0] == seen[1]


@pytest.mark.rule("IX.C.19", "IX.B.14", "IX.B.15")
def test_a_security_team_replaces_the_duel() -> None:
    """Bob is asked after the die; his team spares him the duel, and Ana's Glock is spent for nothing."""
    table = face_to_face(target_armed=True)
    table.give("bob", "security_team")
    table.play("ana", "use_glock", target="bob", dice=[6])
    (question,) = table.state.questions
    table.play("bob", "answer", question=question.id, answer="use")
    assert (table.holds("ana"), table.holds("bob")) == (1650, 1650)
    assert table.state.positions["bob"] == 3
    assert (table.holds("ana", "glock26"), table.holds("bob", "security_team")) == (0, 0)


@pytest.mark.rule("IX.C.19", "IX.B.15")
def test_without_the_team_the_duel_is_fought_with_the_die_already_thrown() -> None:
    """Bob lets it happen: the 2 that Ana has thrown makes her lose."""
    table = face_to_face(target_armed=True)
    table.give("bob", "security_team")
    table.play("ana", "use_glock", target="bob", dice=[2])
    (question,) = table.state.questions
    table.play("bob", "answer", question=question.id, answer="no")
    assert (table.holds("ana"), table.holds("bob")) == (1350, 1950)
    assert table.state.positions["ana"] == HOPITAL


@pytest.mark.rule("IX.C.2", "II.B.10")
def test_defending_with_a_glock_is_no_weapon_use_and_a_second_attack_is() -> None:
    """Bob defends himself in Ana's turn and still uses his own Glock in his; Ana may not draw twice in a turn."""
    table = face_to_face(target_armed=True)
    table.give("ana", "glock26")
    table.play("ana", "use_glock", target="bob", dice=[1])
    table.place("bob", HOPITAL)
    table.refused("ana", "use_glock", "IX.C.2", target="bob", dice=[1])
    table.play("ana", "end_turn")
    table.place("bob", 18)
    table.play("bob", "roll_dice", dice=[1, 1])
    table.play("bob", "use_glock", target="ana", dice=[6])
    assert table.holds("bob", "glock26") == 0


# AR15 -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("IX.C.21", "II.B.7")
def test_an_ar15_cancels_the_rent_of_a_stop() -> None:
    """Ana stops on Bob's tower with its five houses and pays nothing: nothing is left to resolve."""
    table = Table("ana", "bob")
    table.own("bob", "lbtrd_tower", houses=5)
    table.give("ana", "ar15")
    table.place("ana", 36)
    table.play("ana", "roll_dice", dice=[1, 2])
    assert table.offers("ana", "use_ar15") == [{}]
    table.play("ana", "use_ar15")
    table.refused("ana", "resolve_square", "II.B.6")
    table.play("ana", "end_turn")
    assert (table.holds("ana"), table.holds("bob")) == (1650, 1650)
    assert (table.holds("ana", "ar15"), table.holds("used", "ar15")) == (0, 1)


@pytest.mark.rule("IX.C.21")
def test_it_cancels_a_check_and_closes_the_services_but_not_what_was_met_on_the_way() -> None:
    """Ana, wanted and carrying doses, crosses Spawn for her pay and stops on a checkpoint: no check.

    On the bar it cancels the bar: she buys nothing there.
    """
    table = Table("ana", "bob")
    table.give("ana", "ar15", 2)
    table.give("ana", "dose", 2)
    table.place("ana", 38)
    table.play("ana", "roll_dice", dice=[3, 3])
    table.play("ana", "use_ar15")
    table.play("ana", "end_turn")
    assert table.holds("ana") == 1650 + 250
    assert (table.state.positions["ana"], table.holds("ana", "dose")) == (4, 2)
    table.turn("bob", 1, 2)
    table.place("ana", 3)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "use_ar15")
    table.refused("ana", "buy_weapon", "IX.A.2", commodity="rpg7")


@pytest.mark.rule("IX.C.21", "V.E.6", "II.B.7")
def test_it_cancels_a_card_and_a_free_dose_as_well() -> None:
    """On Chance no card is drawn, and on Bob's complete rue des patates there is neither rent nor a dose."""
    table = Table("ana", "bob", decks=True)
    table.give("ana", "ar15")
    table.place("ana", 4)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "use_ar15")
    table.play("ana", "end_turn")
    assert len(table.state.holdings.account("deck:chance")) == 16
    street = ("17_rue_des_patates", "69_rue_des_patates", "420_rue_des_patates")
    for spared in (False, True):
        table = Table("ana", "bob")
        table.own("bob", *street)
        table.give("ana", "ar15")
        table.place("ana", 3)
        table.play("ana", "roll_dice", dice=[1, 2])
        table.play("ana", "use_ar15" if spared else "resolve_square")
        table.play("ana", "end_turn")
        assert (table.holds("ana", "dose"), table.holds("ana")) == ((0, 1650) if spared else (1, 1644))


@pytest.mark.rule("IX.C.21")
def test_it_is_for_a_stop_that_is_not_resolved_yet() -> None:
    """After the rent is paid, and where a forced arrival has opened nothing, it is refused and kept."""
    table = Table("ana", "bob")
    table.own("bob", "black_arretxea")
    table.give("ana", "ar15")
    table.refused("ana", "use_ar15", "II.B.10")
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "resolve_square")
    refusal = table.refused("ana", "use_ar15", "IX.C.21")
    assert "Black Arretxea" in refusal.en
    assert not table.offers("ana", "use_ar15")
    assert table.holds("ana", "ar15") == 1


@pytest.mark.rule("IX.C.21", "IX.A.2", "VI.F.3", "II.B.7")
def test_an_ar15_on_the_checkpoint_beside_the_bar_closes_the_bar_as_well() -> None:
    """Ana stops on square 4 with an AR15 and no licence. If she uses it there is no check, and no bar either.

    Bob, with an empty inventory, is checked first, buys an RPG-7 next door for 150 ₦, and is not checked again.
    """
    table = Table("ana", "bob")
    table.give("ana", "ar15")
    stop_on(table, "ana", CHECKPOINT)
    table.play("ana", "use_ar15")
    table.refused("ana", "buy_weapon", "IX.A.2", commodity="rpg7")
    table.play("ana", "end_turn")
    stop_on(table, "bob", CHECKPOINT)
    table.refused("bob", "buy_weapon", "II.B.7", commodity="rpg7")
    table.play("bob", "resolve_square")
    table.play("bob", "buy_weapon", commodity="rpg7")
    table.play("bob", "end_turn")
    assert (table.holds("bob"), table.holds("bob", "rpg7"), table.state.positions["bob"]) == (1500, 1, CHECKPOINT)


@pytest.mark.rule("IX.C.18", "IX.C.19", "VIII.D.3")
def test_a_glock_on_the_road_defends_nobody() -> None:
    """Bob has sent his only Glock to Cleo: at Ana's 1 there is no duel to win, and he pays her 300 ₦.

    Cleo, whom it has reached by then, would have fought; in the next round she does, and wins.
    """
    table = Table("bob", "ana", "cleo")
    table.give("bob", "glock26")
    table.give("ana", "glock26", 2)
    table.play("bob", "send_delivery", to="cleo", commodity="glock26")
    table.place("bob", 3)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.play("bob", "end_turn")
    table.place("cleo", 8)
    rolls(table, "ana", 7)
    table.play("ana", "use_glock", target="bob", dice=[1])
    assert (table.holds("ana"), table.holds("bob"), table.state.positions["bob"]) == (1950, 1350, 6)
    table.play("ana", "end_turn")
    table.turn("cleo", 1, 2)
    table.turn("bob", 1, 1)
    table.place("cleo", 8)
    rolls(table, "ana", 7)
    table.play("ana", "use_glock", target="cleo", dice=[1])
    assert (table.holds("ana"), table.holds("cleo"), table.state.positions["ana"]) == (1650, 1950, HOPITAL)


@pytest.mark.rule("IX.C.18", "IX.B.15", "I.B.5")
def test_a_racket_finds_nobody_when_the_asked_player_is_out() -> None:
    """Bob is asked about Ana's Glock and leaves the game: no 300 ₦, her Glock is spent, and her turn goes on."""
    table = guarded("ana", "bob", "cleo", bob=1)
    table.give("ana", "glock26")
    table.place("bob", 5)
    rolls(table, "ana", 5)
    table.play("ana", "use_glock", target="bob", dice=[6])
    table.refused("ana", "buy_weapon", "IX.B.15", commodity="glock26")
    table.banker("rule", finding="He has gone home.", remedies=[{"op": "eliminate", "seat": "bob"}])
    assert (asked(table), table.state.strikes, table.holds("ana")) == ([], [], 1650)
    table.play("ana", "buy_weapon", commodity="glock26")
    assert (table.holds("ana"), table.holds("ana", "glock26")) == (1450, 1)
