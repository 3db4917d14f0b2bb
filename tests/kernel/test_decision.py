import pytest

from ledger.kernel.facts.accounts import BANK, CONSERVATION, Posting
from ledger.kernel.facts.refusals import Impossible, Malformed, NeedsDraw, RuleBroken, RuleNote
from ledger.kernel.journal.entry import body
from ledger.kernel.rules.draft import Draft, Request
from tests.kernel.toy import NOON, RULES, BuyBeans, Game, Hide, Idle, Throw, Thrown


def draft(game: Game) -> Draft:  # type: ignore[type-arg]
    return Draft(RULES, game.state, Request(action=Idle(), seat="ana", by="ana", at=NOON), None)


def test_a_decision_gives_events_and_the_state_after_them() -> None:
    game = Game()
    decision = game.decide("ana", BuyBeans(amount=2))
    assert [type(event).__name__ for event in decision.events] == ["BeansBought"]
    assert decision.state.holdings.of("player:ana", "bean") == 2
    assert decision.state.holdings.of("player:ana", "coin") == 6
    assert (decision.state.version, decision.state.seq) == (2, 2)
    assert decision.state.last_at is not None
    assert decision.warnings == ()


def test_the_state_decided_on_stays_as_it_is() -> None:
    game = Game()
    before = RULES.codec.to_snapshot(game.state)
    assert game.decide("ana", Throw(face=3)).state.thrown == [3]
    assert RULES.codec.to_snapshot(game.state) == before


def test_a_refusal_names_the_rule_and_the_values_in_both_languages() -> None:
    refusal = Game().refused("ana", BuyBeans(amount=4))
    assert refusal.rule == "2.1"
    assert refusal.values == {"n": 4}
    assert refusal.sentence("en") == "4 beans are too many"
    assert refusal.sentence("fr") == "4 haricots, c'est trop"


def test_a_refusal_after_something_was_recorded_leaves_nothing() -> None:
    """Ana hides the ace; when Bob's action is refused, his whisper is not recorded either."""
    game = Game()
    game.play("ana", Hide(card="ace"))
    refusal = game.refused("bob", Hide(card="ace"))
    assert isinstance(refusal, Impossible)
    assert refusal.rule == CONSERVATION


def test_a_draw_that_is_missing_leaves_nothing() -> None:
    game = Game()
    before = RULES.codec.to_snapshot(game.state)
    with pytest.raises(NeedsDraw):
        game.decide("ana", Throw(face=6))
    assert RULES.codec.to_snapshot(game.state) == before


def test_the_banker_waives_a_rule_and_it_becomes_a_warning() -> None:
    decision = Game().play("ana", BuyBeans(amount=4), by="banker", override="her birthday")
    assert decision.warnings == (RuleNote("2.1", "4 beans are too many", "4 haricots, c'est trop"),)
    assert decision.state.holdings.of("player:ana", "bean") == 4


def test_a_waiver_lets_every_rule_pass_and_notes_each() -> None:
    decision = Game().play("ana", BuyBeans(amount=9), by="banker", override="a feast")
    assert [warning.rule for warning in decision.warnings] == ["2.1", "2.1"]
    assert decision.state.holdings.of("player:ana", "coin") == -8


def test_no_waiver_creates_what_is_not_there() -> None:
    """Bob has no bean that Ana could buy."""
    game = Game()
    refusal = game.refused("ana", BuyBeans(amount=1, of="bob"), by="banker", override="please")
    assert isinstance(refusal, Impossible)


def test_the_one_who_asks_is_told_their_own_funds() -> None:
    game = Game()
    game.play("ana", BuyBeans(amount=3))
    refusal = game.refused("ana", BuyBeans(amount=3))
    assert refusal.en == "Ana has 4 coins and cannot spend 6 coins without 2 coins more"
    assert refusal.fr == "Ana a 4 coins et ne peut pas dépenser 6 coins sans 2 coins de plus"


def test_nobody_is_told_what_another_holds() -> None:
    game = Game()
    game.play("bob", BuyBeans(amount=1))
    refusal = game.refused("ana", BuyBeans(amount=2, of="bob"))
    assert refusal.en == "Bob does not have 2 × bean"
    assert refusal.values == {"account": "player:bob", "commodity": "bean", "amount": 2}


def test_the_banker_is_told_what_anybody_holds() -> None:
    game = Game()
    game.play("bob", BuyBeans(amount=1))
    refusal = game.refused("ana", BuyBeans(amount=2, of="bob"), by="banker")
    assert refusal.en == "Bob has 1 × bean, not 2"


def test_a_warning_of_somebody_s_funds_is_for_them_and_the_banker() -> None:
    game = Game()
    game.play("ana", BuyBeans(amount=3))
    decision = game.play("ana", BuyBeans(amount=3), by="banker", override="on credit")
    (warning,) = decision.warnings
    assert (warning.en, warning.told) == (
        "Ana has 4 coins and cannot spend 6 coins without 2 coins more",
        ("ana",),
    )


def test_a_warning_of_what_is_no_secret_is_for_all() -> None:
    """A public warning is stored in the old shape, without readers."""
    (warning,) = Game().play("ana", BuyBeans(amount=4), by="banker", override="a feast").warnings
    assert body(warning) == b'{"en":"4 beans are too many","fr":"4 haricots, c\'est trop","rule":"2.1"}'


def test_an_action_that_changes_nothing_is_refused() -> None:
    assert Game().refused("ana", Idle()).en == '"do nothing" changes nothing'


def test_an_action_for_a_seat_names_it() -> None:
    with pytest.raises(Malformed, match="name it"):
        Game().decide(None, BuyBeans(amount=1))


def test_record_applies_an_event_and_keeps_it() -> None:
    game = Game()
    table = draft(game)
    table.record(Thrown(seat="ana", faces=(2,), postings=table.move("coin", 2, BANK, "player:ana")))
    assert [event.rule for event in table.events] == ["2.2"]
    assert table.state.thrown == [2]
    assert table.state.holdings.of("player:ana", "coin") == 12
    assert game.state.thrown == []


def test_an_event_that_cannot_be_recorded_leaves_the_draft_as_it_was() -> None:
    """The coins could be paid, the bean could not be given: nothing is recorded, and the draft stays usable."""
    table = draft(Game())
    before = RULES.codec.to_snapshot(table.state)
    exchange = (Posting("coin", 3, "player:ana", "player:bob"), Posting("bean", 1, "player:bob", "player:ana"))
    with pytest.raises(Impossible):
        table.record(Thrown(seat="ana", faces=(2,), postings=exchange))
    assert RULES.codec.to_snapshot(table.state) == before
    assert table.events == []


def test_an_amount_of_nothing_needs_no_posting() -> None:
    table = draft(Game())
    assert table.move("coin", 0, BANK, "player:ana") == ()
    assert table.move("coin", 2, BANK, "player:ana") == (Posting("coin", 2, BANK, "player:ana"),)


def test_agreements_are_named_after_the_action_that_opens_them() -> None:
    game = Game()
    table = draft(game)
    assert [table.new_id() for _ in range(3)] == ["2", "2-2", "2-3"]


def test_require_refuses_by_its_rule_only_when_it_does_not_hold() -> None:
    table = draft(Game())
    table.require(True, "2.1", "no", "non")
    with pytest.raises(RuleBroken, match="no, because of 3"):
        table.require(False, "2.1", "no, because of {rule}", "non, à cause de {rule}", rule=3)
