"""The steps of one action, and a whole game in memory."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random

import pytest

from ledger.kernel.arbitration.remedies import CorrectHistory, Fine
from ledger.kernel.deciding.due import due
from ledger.kernel.deciding.in_memory import GameInMemory, JournalInMemory
from ledger.kernel.deciding.plan import CorrectionSpreads
from ledger.kernel.deciding.steps import require_may_mend
from ledger.kernel.facts.edits import Drop
from ledger.kernel.facts.refusals import NotYours, RuleBroken
from ledger.kernel.facts.state import Seat
from ledger.kernel.journal.entry import canonical, read
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.faces.progress import Progress
from ledger.kernel.rules.opening import Opening
from tests.harness.playing import start_from
from tests.kernel import toy, undoing
from tests.kernel.arbitration.contested import Docket, Rule
from tests.kernel.toy import NOON, BuyBeans, Game, Settings, Throw, Toy
from tests.kernel.undoing import TakeBack

SEATS = (Seat("ana", "Ana"), Seat("bob", "Bob"))


class Hurrying(Progress[Toy]):
    """The clock throws for Ana, every ten minutes, three times in all."""

    def due(self, state: Toy, at: datetime) -> tuple[Action, str | None] | None:
        return (Throw(), "ana") if any(at >= one for one in self.deadlines(state)) else None

    def deadlines(self, state: Toy) -> Sequence[datetime]:
        thrown = len(state.thrown)
        return (NOON + timedelta(minutes=10 * (thrown + 1)),) if thrown < 3 else ()

    def resume_action(self, state: Toy) -> tuple[Action, str | None] | None:
        return Throw(), "bob"


HURRYING = toy.rules(id="hurrying", progress=Hurrying())


def opened(*, dice: str = "service", seed: int = 3) -> GameInMemory[Toy]:
    opening = Opening(players=SEATS, settings=Settings(), dice="table" if dice == "table" else "service")
    return GameInMemory(HURRYING, opening, name="an evening", at=NOON, chance=Random(seed))


def test_a_game_in_memory_keeps_the_entries_that_a_ledger_would_store() -> None:
    game = opened()
    game.perform(BuyBeans(amount=1), "ana", "ana", NOON)
    game.perform(Throw(), "bob", "bob", NOON + timedelta(minutes=1))
    assert [(one.game, one.number, one.kind, one.seat, one.by) for one in game.journal] == [
        ("an evening", 1, "open", None, "system"),
        ("an evening", 2, "buy_beans", "ana", "ana"),
        ("an evening", 3, "throw", "bob", "bob"),
    ]
    assert [one.first_seq for one in game.journal] == [1, 2, 3]
    assert [read(canonical(one)) for one in game.journal] == game.journal
    assert len({one.salt for one in game.journal}) == 3
    assert game.past.state_after(3) == game.state
    assert game.past.state_after(0) == HURRYING.blank()


def test_a_refusal_keeps_nothing() -> None:
    game = opened()
    with pytest.raises(RuleBroken):
        game.perform(BuyBeans(amount=4), "ana", "ana", NOON)
    assert (len(game.journal), game.state.version) == (1, 1)


def test_what_time_makes_due_is_performed_one_after_the_other() -> None:
    game = opened()
    game.catch_up(NOON + timedelta(minutes=25))
    assert [(one.kind, one.seat, one.by) for one in game.journal[1:]] == [("throw", "ana", "system")] * 2
    game.catch_up(NOON + timedelta(minutes=25))
    assert len(game.journal) == 3
    assert game.past.state_after(3) == game.state


def test_what_is_due_is_decided_only_when_it_is_asked_for() -> None:
    state, chance = opened(dice="table").state, Random(1)
    before = chance.getstate()
    found = due(HURRYING, state, NOON + timedelta(hours=1), chance)
    assert chance.getstate() == before
    assert [decision.state.version for _, decision in found] == [2, 3, 4]


def test_a_game_that_goes_on_after_a_pause_does_first_what_its_rulebook_says() -> None:
    game = opened()
    game.take_up(NOON + timedelta(days=1))
    assert (game.journal[-1].kind, game.journal[-1].seat, game.journal[-1].by) == ("throw", "bob", "system")


def test_the_same_seed_gives_the_same_bytes() -> None:
    def journal(seed: int) -> list[bytes]:
        game = opened(seed=seed)
        game.catch_up(NOON + timedelta(hours=1))
        return [canonical(one) for one in game.journal]

    assert journal(7) == journal(7)
    assert journal(7) != journal(8)


def test_no_moment_before_the_start_of_a_journal_is_known() -> None:
    game = Game()
    game.play("ana", BuyBeans(amount=1))
    later = JournalInMemory(game.rulebook)
    for entry in game.journal:
        later.append(entry)
    start_from(later, game.state)
    assert later.state_after(2) == game.state
    with pytest.raises(LookupError, match="before 2"):
        later.state_after(1)


def test_only_entries_that_there_are_are_looked_up_in_their_order() -> None:
    past = opened().past
    past.append(past.entries[0])
    assert list(past.recorded((2, 0, 1, 3, 2))) == past.entries


def test_a_player_mends_the_past_only_by_undoing_an_action_of_their_own() -> None:
    game = Game(rulebook=undoing.RULES)
    game.play("ana", BuyBeans(amount=1))
    game.play("bob", BuyBeans(amount=1))

    def ask(by: str, *numbers: int) -> None:
        action = TakeBack(edits=tuple(Drop(number) for number in numbers), cascade="restate", reason="a slip")
        require_may_mend(game.rulebook, game.state, game.asked(None, action, by, None), game.past)

    ask("bob", 3)
    ask("banker", 2, 3)
    with pytest.raises(NotYours, match="came after it"):
        ask("ana", 2)
    with pytest.raises(NotYours, match="one action of their own"):
        ask("bob", 2, 3)


def test_the_plan_that_a_refusal_carries_tells_what_else_the_action_would_do() -> None:
    """Bob has bought Ana's bean: without it his purchase is voided, and the ruling fines him, too."""
    game = Docket()
    game.play("bob", BuyBeans(amount=1, of="ana"))
    remedies = (CorrectHistory(edits=(Drop(2),), cascade="refuse"), Fine(seat="bob", amount=4))
    with pytest.raises(CorrectionSpreads) as refusal:
        game.decide(None, Rule(finding="So be it.", remedies=remedies))
    assert [one.timeline_entry.entry.number for one in refusal.value.plan.voided] == [6]
    assert refusal.value.plan.new_state.holdings.of("player:bob", "coin") == 10 - 4
