"""II.D.2, IX.B.14 and IX.B.15. Questions during an action: security teams, default answers, visibility."""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import kind_of
from ledger.kernel.rules.draft import Draft, Request
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.mercenaries import reactions
from ledger.rulebooks.negopoly.table.state import houses_on
from ledger.rulebooks.negopoly.table.terms import Strike
from ledger.rulebooks.negopoly.turns.turns import ExpireTurn
from ledger.rulebooks.parts.questions import QuestionAnswered, QuestionLapsed
from tests.harness.rules import witness
from tests.tables.negopoly import Table, answer, asked, at_the_bar, question_to

NUKETOWN = "nuketown"


def served(*seats: str, **services: str) -> Table:
    """A table whose seats have each taken a service ("bob=security_team") in earlier turns; Bob owns Nuketown."""
    table = Table(*seats)
    table.own("bob", NUKETOWN, houses=2)
    for seat, service in services.items():
        table.serve(seat, service)
    return table


def attack(table: Table, title: str = NUKETOWN) -> list[str]:
    """Ana, whose turn it is, attacks the title; return the kinds of the events."""
    at_the_bar(table, "ana")
    return [kind_of(event) for event in table.play("ana", "attack_property", title=title)]


# ----------------------------------------------------------------------------------------------
# Security teams
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("IX.B.14", "IX.A.1")
def test_a_security_team_is_bought_for_200() -> None:
    """Ana pays 200 ₦ for a team, twice in two visits: several may be held."""
    table = Table("ana", "bob")
    for spent in (200, 400):
        at_the_bar(table, "ana")
        table.play("ana", "take_service", service="security_team")
        assert (table.holds("ana"), table.holds("ana", "security_team")) == (1650 - spent, spent // 200)
        table.play("ana", "end_turn")
        table.turn("bob", 5, 5)


@pytest.mark.rule("IX.B.14", "IX.B.15", "IX.B.1")
def test_a_security_team_stops_an_attack_and_is_used_up() -> None:
    """Ana pays 210 ₦ for an attack; Bob's team stops it: his two houses stand, the team and the fee are gone."""
    table = served("ana", "bob", bob="security_team")
    assert attack(table) == ["attack_ordered", "defences_tried", "strike_launched", "question_asked"]
    assert houses_on(table.state, NUKETOWN) == 2
    events = answer(table, "bob", "use")
    assert [kind_of(event) for event in events] == ["question_answered", "team_used", "strike_closed"]
    assert table.seen_by(None) == events
    assert houses_on(table.state, NUKETOWN) == 2
    assert (table.holds("bob", "security_team"), table.holds("used", "security_team")) == (0, 1)
    assert table.holds("ana") == 1650 - 210
    assert (table.state.strikes, table.state.questions, table.state.services) == ([], [], {})


@pytest.mark.rule("IX.B.15")
def test_its_owner_may_keep_the_team_for_a_worse_day() -> None:
    """Bob lets the first attack happen and keeps his team; at the second he uses it."""
    table = served("ana", "bob", bob="security_team")
    attack(table)
    answer(table, "bob", "no")
    assert (houses_on(table.state, NUKETOWN), table.holds("bob", "security_team")) == (1, 1)
    table.play("ana", "end_turn")
    table.turn("bob", 5, 5)
    attack(table)
    answer(table, "bob", "use")
    assert (houses_on(table.state, NUKETOWN), table.holds("bob", "security_team")) == (1, 0)
    table.play("ana", "end_turn")
    table.turn("bob", 5, 5)
    assert attack(table) == ["attack_ordered", "defences_tried", "house_destroyed"]


@pytest.mark.rule("IX.B.5")
def test_a_defence_is_spent_before_a_team_is_asked_for() -> None:
    """Nuketown has a defence and Bob a team: the attack meets the defence, nobody is asked, the team stays."""
    table = served("ana", "bob", bob="security_team")
    table.attach(NUKETOWN, "defence")
    assert attack(table) == ["attack_ordered", "defences_tried"]
    assert (asked(table), table.holds("bob", "security_team")) == ([], 1)


@pytest.mark.rule("IX.B.2")
def test_nobody_is_asked_about_a_strike_of_their_own() -> None:
    """Ana attacks a title of her own: her team is not asked for."""
    table = served("ana", "bob", ana="security_team")
    table.own("ana", "hijacked")
    assert attack(table, "hijacked") == ["attack_ordered", "defences_tried", "title_mortgaged"]


# ----------------------------------------------------------------------------------------------
# Visibility
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("IX.B.15")
@pytest.mark.parametrize("viewer", ["ana", "zoe", None])
def test_the_pause_does_not_tell_whether_there_is_a_team(viewer: str | None) -> None:
    """Bob took a service in secret: whether a team or a kidnapping, the others see the same until he uses it."""
    seen = []
    for service in ("security_team", "kidnapping"):
        table = served("ana", "bob", "zoe", bob=service)
        attack(table)
        events = table.seen_by(viewer)
        answer(table, "bob", "no")
        events += table.seen_by(viewer)
        view = RULEBOOK.screen.view(table.state, Viewer("player" if viewer else "spectator", viewer))
        seen.append((events, msgspec.json.encode(view, order="sorted")))
    assert seen[0] == seen[1]


@pytest.mark.rule("IX.B.2")
def test_whoever_is_known_to_have_no_secret_service_is_not_asked() -> None:
    """Bob has taken nothing at a bar: the attack is carried out at once."""
    table = served("ana", "bob")
    assert attack(table) == ["attack_ordered", "defences_tried", "house_destroyed"]


@pytest.mark.rule("IX.B.15")
def test_only_the_asked_player_sees_the_answers_that_are_open() -> None:
    """Bob reads "no" and "use", Zoe that he is asked, and about what; his moves offer both, hers none."""
    table = served("ana", "bob", "zoe", bob="security_team")
    attack(table)
    (mine,) = RULEBOOK.screen.view(table.state, Viewer("player", "bob"))["questions"]
    assert mine["answers"] == ["no", "use"]
    (theirs,) = RULEBOOK.screen.view(table.state, Viewer("player", "zoe"))["questions"]
    assert theirs == {name: value for name, value in mine.items() if name != "answers"}
    (strike,) = RULEBOOK.screen.view(table.state, Viewer("spectator"))["strikes"]
    assert (strike["id"], strike["kind"], strike["by"]) == (mine["about"]["strike"], "attack", "ana")
    assert (strike["titles"], strike["victims"]) == ([NUKETOWN], [])
    assert [move["answer"] for move in table.offers("bob", "answer")] == ["no", "use"]
    assert table.offers("zoe", "answer") == table.offers("ana", "answer") == []
    assert RULEBOOK.screen.awaited(table.state)[0] == "bob"


@pytest.mark.rule("IX.B.15", "IX.B.14")
def test_a_team_that_a_ruling_has_given_may_be_used_too() -> None:
    """The banker hands Bob a team by ruling: he is asked, and uses it."""
    table = served("ana", "bob")
    given = {"from": "bank", "to": "player:bob", "commodity": "security_team", "amount": 1}
    table.banker(
        "rule", finding="He had paid.", remedies=[{"op": "adjust", "postings": [given], "reason": "paid"}]
    )
    attack(table)
    answer(table, "bob", "use")
    assert houses_on(table.state, NUKETOWN) == 2


# ----------------------------------------------------------------------------------------------
# Waiting
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("IX.B.15", "II.B.12")
def test_the_turn_waits_for_the_answer() -> None:
    """While Bob is asked, Ana can neither end her turn nor do anything in it, and Bob answers off his turn."""
    table = served("ana", "bob", bob="security_team")
    table.own("ana", "hijacked")
    attack(table)
    refusal = table.refused("ana", "end_turn", "IX.B.15")
    assert "Bob" in refusal.en
    table.refused("ana", "mortgage_property", "IX.B.15", title="hijacked")
    table.refused("ana", "build_house", "IX.B.15", title="hijacked")
    answer(table, "bob", "no")
    table.play("ana", "mortgage_property", title="hijacked")
    table.play("ana", "end_turn")


@pytest.mark.rule("IX.B.15")
def test_a_title_under_attack_does_not_change_hands() -> None:
    """Bob cannot rid himself of Nuketown while he is asked; a deal about it is refused until he has answered."""
    table = served("ana", "bob", "zoe", bob="security_team")
    attack(table)
    table.play("bob", "sell_property", title=NUKETOWN, to="zoe", price=10)
    (deal,) = table.state.open
    table.refused("zoe", "agree_deal", "IX.B.15", deal=deal)
    answer(table, "bob", "no")
    table.play("zoe", "agree_deal", deal=deal)
    assert (table.owner(NUKETOWN), houses_on(table.state, NUKETOWN)) == ("zoe", 1)


@pytest.mark.rule("II.D.2", "IX.B.15")
def test_only_the_asked_player_answers_once_and_what_is_open() -> None:
    """Zoe cannot answer for Bob, nor Bob with a team he has not, nor twice; the banker can, on his behalf."""
    table = served("ana", "bob", "zoe", bob="hack")
    attack(table)
    asked_of_bob = question_to(table, "bob").id
    table.refused("zoe", "answer", "II.D.2", question=asked_of_bob, answer="no")
    table.refused("bob", "answer", "II.D.2", question="1", answer="no")
    refusal = table.refused("bob", "answer", "IX.B.15", question=asked_of_bob, answer="use")
    assert refusal.en.endswith("the answers are: no")
    table.banker("answer", seat="bob", question=asked_of_bob, answer="no")
    assert houses_on(table.state, NUKETOWN) == 1
    table.refused("bob", "answer", "II.D.2", question=asked_of_bob, answer="no")


@pytest.mark.rule("IX.B.15")
def test_a_strike_waits_for_whatever_else_is_being_asked() -> None:
    """Bob is being asked about a card when a strike is launched at him: it begins once he has answered that."""
    table = served("ana", "bob", bob="security_team")
    draft = Draft(RULEBOOK, table.state, Request(action=None, seat="ana", by="ana", at=table.now), None)
    reactions.ask(draft, "bob", "on_arrest", rule="II.D.2", by="ana", about={"cause": "card", "rule": "II.D.2"})
    reactions.strike(draft, Strike(kind="attack", by="ana", rule="IX.B.2", titles=(NUKETOWN,)))
    witness(*(event.rule for event in draft.events))
    assert [kind_of(event) for event in draft.events] == ["question_asked", "strike_launched"]
    reactions.settle(draft)
    assert [question.kind for question in draft.state.questions] == ["on_arrest"]
    reactions.lapse(draft)
    kinds = [kind_of(event) for event in draft.events[2:]]
    assert kinds.index("arrested") < kinds.index("defences_tried") < kinds.index("house_destroyed")
    assert kinds.count("question_lapsed") == 2


# ----------------------------------------------------------------------------------------------
# Default answers
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("IX.B.15", "II.B.13")
def test_silence_to_the_end_of_the_turn_lets_it_happen() -> None:
    """Bob says nothing for five minutes: the attack is carried out, and then Ana's turn is closed."""
    table = served("ana", "bob", bob="security_team")
    attack(table)
    turn = table.state.turn
    assert turn is not None
    assert RULEBOOK.progress.due(table.state, turn.ends_at) is None
    assert RULEBOOK.progress.due(table.state, turn.ends_at + timedelta(seconds=1)) == (ExpireTurn(), "ana")
    table.wait(301)
    events = [kind_of(event) for event in table.banker("expire_turn")]
    assert events[:3] == ["question_lapsed", "strike_closed", "house_destroyed"]
    assert "turn_ended" in events
    assert (houses_on(table.state, NUKETOWN), table.holds("bob", "security_team")) == (1, 1)
    assert table.state.turn is not None
    assert table.state.turn.seat == "bob"


@pytest.mark.rule("IX.B.15")
def test_the_banker_may_close_a_turn_that_waits() -> None:
    """Bob is away: the banker waives the wait and ends Ana's turn, once the attack is carried out."""
    table = served("ana", "bob", bob="security_team")
    attack(table)
    events = [kind_of(event) for event in table.play("ana", "end_turn", override="he has left the room")]
    assert events.index("house_destroyed") < events.index("turn_ended")
    assert table.last is not None
    assert {warning.rule for warning in table.last.warnings} == {"IX.B.15"}


@pytest.mark.rule("IX.B.15", "IV.A.3")
def test_a_stopped_clock_stops_the_time_to_answer() -> None:
    """A ruling stops the clock: half an hour later the question still waits."""
    table = served("ana", "bob", bob="security_team")
    attack(table)
    table.banker("rule", finding="The pizza is here.", remedies=[{"op": "pause_turn"}])
    table.wait(1800)
    assert RULEBOOK.progress.due(table.state, table.now) is None
    table.banker("rule", finding="It was good.", remedies=[{"op": "resume_turn"}])
    answer(table, "bob", "use")
    assert houses_on(table.state, NUKETOWN) == 2


# ----------------------------------------------------------------------------------------------
# Players who leave
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("I.B.5", "IX.B.15")
def test_a_victim_who_leaves_the_game_while_asked_is_waited_for_no_more() -> None:
    """Bob is eliminated while he is asked: his title is the bank's, the attack reaches nothing, Ana plays on."""
    table = served("ana", "bob", "zoe", bob="security_team")
    attack(table)
    out = {"op": "eliminate", "seat": "bob", "reason": "he has gone home"}
    events = table.banker("rule", finding="He has gone home.", remedies=[out])
    kinds = [kind_of(event) for event in events]
    assert kinds.index("player_eliminated") < kinds.index("question_lapsed") < kinds.index("strike_closed")
    assert "house_destroyed" not in kinds
    assert (table.owner(NUKETOWN), table.holds("used", "security_team")) == (None, 1)
    assert (table.state.strikes, table.state.questions, table.state.services) == ([], [], {})
    table.play("ana", "end_turn")


@pytest.mark.rule("I.B.5", "IX.B.15")
def test_a_strike_is_called_off_when_whoever_struck_leaves_the_game() -> None:
    """Ana is eliminated while Bob is asked: nothing happens to him, and nothing is asked any more."""
    table = served("ana", "bob", "zoe", bob="security_team")
    attack(table)
    out = {"op": "eliminate", "seat": "ana", "reason": "she has gone home"}
    table.banker("rule", finding="She has gone home.", remedies=[out])
    assert (houses_on(table.state, NUKETOWN), table.holds("bob", "security_team")) == (2, 1)
    assert (table.state.strikes, table.state.questions) == ([], [])
    assert table.state.turn is not None
    assert table.state.turn.seat == "bob"


@pytest.mark.rule("II.E.3")
def test_nothing_waits_in_a_game_that_has_ended() -> None:
    """Bob, the only other player, is eliminated while he is asked: Ana has won, and no question is left."""
    table = served("ana", "bob", bob="security_team")
    attack(table)
    out = {"op": "eliminate", "seat": "bob", "reason": "he has gone home"}
    table.banker("rule", finding="He has gone home.", remedies=[out])
    assert (table.state.ended, table.state.winners) == (True, ("ana",))
    assert (table.state.strikes, table.state.questions) == ([], [])


# ----------------------------------------------------------------------------------------------
# Corrections
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("P.4", "IX.B.15")
def test_without_the_purchase_the_attack_is_carried_out_and_the_answer_falls() -> None:
    """Bob never paid for his team: the banker drops the purchase, and the attack has taken a house."""
    table = Table("bob", "ana")
    table.own("bob", NUKETOWN, houses=2)
    at_the_bar(table, "bob")
    table.play("bob", "take_service", service="security_team")
    bought = table.number
    table.play("bob", "end_turn")
    table.play("ana", "roll_dice", dice=[2, 3])
    table.play("ana", "attack_property", title=NUKETOWN)
    answer(table, "bob", "use")
    answered = table.number
    table.play("ana", "end_turn")
    edit = {"op": "drop", "action": bought}
    table.banker("correct", edits=[edit], cascade="restate", reason="he never paid")
    assert table.standing(answered).status == "voided"
    assert houses_on(table.state, NUKETOWN) == 1
    assert table.holds("bob") == 1650


@pytest.mark.rule("P.4", "II.D.2")
def test_an_answer_is_taken_for_no_other_question_when_an_earlier_one_comes_in_between() -> None:
    """Ana's "no" was for the Kamtar. The banker adds the dose she took before: its die she has not answered."""
    table = Table("ana", "bob", decks=True, perks={"ana": "doses"})
    table.hand("bob", "kamtar_05")
    table.place("ana", 32)
    table.play("ana", "transfer_money", to="bob", amount=1)
    before = table.number
    table.play("ana", "roll_dice", dice=[1, 3])
    answer(table, "ana", "no")
    answered = table.number
    dose = {"kind": "consume_dose", "seat": "ana", "params": {"dice": [5]}}
    edit = {"op": "insert", "after": before, "action": dose}
    table.banker("correct", edits=[edit], cascade="restate", reason="she took it first")
    corrected = table.number
    (step,) = [one for one in table.timeline().entries() if one.is_default_step]
    assert (step.label, step.entry.kind, step.position[0]) == ((corrected, 2), "lapse_question", before)
    assert [one.question.kind for one in step.events if isinstance(one, QuestionLapsed)] == ["on_drug_die"]
    answers = [one for one in table.standing(answered).events if isinstance(one, QuestionAnswered)]
    assert [one.question.kind for one in answers] == ["kamtar"]
    assert table.state.positions["ana"] == (32 + 1 + 3 + 5) % 40
    assert table.state.questions == []
