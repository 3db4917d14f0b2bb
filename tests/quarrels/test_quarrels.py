"""Random corrections of simulated games keep their promises, and the checks notice when one does not."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from typing import Any

import pytest
from msgspec.structs import replace

from ledger.kernel.deciding import replanning
from ledger.kernel.deciding.in_memory import JournalInMemory
from ledger.kernel.deciding.plan import Plan
from ledger.kernel.facts.accounts import BANK, Holdings, Posting
from ledger.kernel.facts.edits import Drop
from ledger.rulebooks import rulebooks_by_id
from tests.properties.commands import SOAK
from tests.quarrels.__main__ import main
from tests.quarrels.mistakes import KINDS
from tests.quarrels.report import failures, ninetieth, report
from tests.quarrels.tables import table_of
from tests.quarrels.trials import AGREE, BROKE, END_TURN, REASON, REDO, SUMS, Lost, Trial, Tried, tried

SHORT = {"actions": 150, "short": 0}
"""Games that are played and corrected in a second."""
SEED = 3
CORRECTED = range(27, 60)
"""In a game of one of these seeds the banker corrects something."""

Tamper = Callable[[Plan], Plan]


@pytest.mark.parametrize("rulebook", sorted(rulebooks_by_id()))
def test_a_random_correction_does_what_its_preview_says_and_a_redo_takes_it_back(rulebook: str) -> None:
    for seed in (SEED, SEED + 1) if SOAK else (SEED,):
        game = tried(rulebook, seed, 8, **SHORT)
        assert len(game.trials) == 8
        assert [one.failures for one in game.trials] == [()] * 8
        assert any(one.refused is None and one.later for one in game.trials)


def test_a_correction_leaves_most_later_actions_and_the_ends_of_turns_as_they_are() -> None:
    """After a replaced roll more than 95 % of the later actions count, in the median."""
    trials = [one for seed in (SEED, SEED + 1) for one in tried("negopoly", seed, 20, 200, 200).trials]
    rolls = [one.share for one in trials if one.kind == "roll"]
    assert len(rolls) == 10
    assert median(rolls) < 0.05
    ended = [lost for one in trials if one.order_kept for lost in one.lost if lost.kind == END_TURN]
    assert ended == []


def test_every_kind_of_correction_is_made_where_dice_are_thrown() -> None:
    game = tried("negopoly", SEED, 8, **SHORT)
    assert [one.kind for one in game.trials] == [*KINDS, *KINDS]
    assert all(one.refused is None for one in game.trials)


def test_the_same_seed_gives_the_same_games_and_corrections() -> None:
    assert tried("negopoly", SEED, 4, **SHORT) == tried("negopoly", SEED, 4, **SHORT)
    assert tried("negopoly", SEED, 4, **SHORT).digest != tried("negopoly", SEED + 1, 4, **SHORT).digest


@pytest.mark.parametrize("rulebook", sorted(rulebooks_by_id()))
def test_a_long_journal_gives_the_states_that_a_fold_from_the_start_gives(rulebook: str) -> None:
    tables = (table_of(rulebooks_by_id()[rulebook], seed, **SHORT) for seed in CORRECTED)
    table = next(one for one in tables if any(entry.kind == "correct" for entry in one.past.played))
    plain = JournalInMemory(table.game.rulebook)
    plain.entries = list(table.past.played)
    to_snapshot = table.game.rulebook.codec.to_snapshot
    for number in (0, 1, 19, 20, 21, 50, 102, 103, 110, len(plain.entries)):
        assert to_snapshot(table.past.state_after(number)) == to_snapshot(plain.state_after(number))
        assert to_snapshot(table.past.state_then(number)) == to_snapshot(plain.state_then(number))


# The checks can fail ----------------------------------------------------------------------------


@pytest.fixture
def tamper(monkeypatch: pytest.MonkeyPatch) -> Callable[[Tamper], None]:
    """Let every plan of a correction that is tried be tampered with before it is written."""

    def plan_tampered_by(tampering: Tamper) -> None:
        def plan(*given: Any, **named: Any) -> Plan:
            found = replanning.plan(*given, **named)
            return tampering(found) if found.event.reason == REASON else found

        monkeypatch.setattr("ledger.kernel.deciding.steps.plan", plan)

    return plan_tampered_by


@pytest.fixture
def tampered(tamper: Callable[[Tamper], None]) -> Callable[[Tamper], Tried]:
    """What is found in a game of Negopoly when every plan is tampered with."""

    def trials(tampering: Tamper) -> Tried:
        tamper(tampering)
        return tried("negopoly", SEED, 4, **SHORT)

    return trials


def breaks(plan: Plan) -> Plan:
    """A tampering that ends in an error."""
    raise KeyError("negotown")


def is_redo(plan: Plan) -> bool:
    """Whether a plan takes back a correction: it drops the last action."""
    (edit,) = plan.event.edits
    return isinstance(edit, Drop) and edit.action == plan.old_state.version


def test_a_preview_that_differs_from_the_journal_is_noticed(tampered: Callable[[Tamper], Tried]) -> None:
    """The written correction forgets what it changes; its preview does not."""
    found = tampered(lambda plan: replace(plan, event=replace(plan.event, amendments=())))
    assert failures([found])[AGREE] >= 3


def test_a_plan_that_differs_from_the_one_before_it_is_noticed(tampered: Callable[[Tamper], Tried]) -> None:
    """Each plan gives another reason."""
    given: list[Plan] = []

    def another_each_time(plan: Plan) -> Plan:
        given.append(plan)
        return replace(plan, event=replace(plan.event, reason=f"reason {len(given)}"))

    assert failures([tampered(another_each_time)])[AGREE] == 4


def test_money_from_nowhere_is_noticed(tampered: Callable[[Tamper], Tried]) -> None:
    def with_a_gift(plan: Plan) -> Plan:
        held = {account: {**commodities} for account, commodities in plan.new_state.holdings.items()}
        held["player:ana"]["NGD"] += 5
        state = plan.new_state.copy()
        state.holdings = Holdings(rulebooks_by_id()["negopoly"].accounts.may_owe, held)
        return replace(plan, new_state=state)

    found = failures([tampered(with_a_gift)])
    assert found[SUMS] == 4


def test_a_redo_that_leaves_something_behind_is_noticed(tampered: Callable[[Tamper], Tried]) -> None:
    """Only taking back is tampered with: a payment stays behind."""

    def with_a_payment(plan: Plan) -> Plan:
        if not is_redo(plan):
            return plan
        state = plan.new_state.copy()
        state.holdings.post_all((Posting("NGD", 5, BANK, "player:ana"),))
        return replace(plan, new_state=state)

    assert failures([tampered(with_a_payment)]) == {REDO: 4}


def test_a_redo_after_which_an_action_counts_otherwise_is_noticed(tampered: Callable[[Tamper], Tried]) -> None:
    found = tampered(
        lambda plan: replace(plan, event=replace(plan.event, amendments=())) if is_redo(plan) else plan
    )
    assert failures([found])[REDO] >= 3
    assert AGREE not in failures([found])


def test_an_error_that_is_no_refusal_is_noticed(tampered: Callable[[Tamper], Tried]) -> None:
    found = tampered(breaks)
    assert failures([found]) == {BROKE: 4}
    assert all("negotown" in what for one in found.trials for _, what in one.failures)


# The report -------------------------------------------------------------------------------------


def made(kind: str, lost: int, later: int, **more: Any) -> Trial:
    """A correction after which so many of the later actions are voided, each an end of a turn."""
    return Trial(
        kind=kind,
        text="",
        later=later,
        lost=tuple(Lost("9", "end_turn", "ana", "II.2", "") for _ in range(lost)),
        **more,
    )


def test_the_report_counts_shares_needs_and_ends_of_turns() -> None:
    trials = (
        made("roll", 10, 100),
        made("roll", 30, 100, order_kept=False, needs=True),
        made("roll", 0, 100, emptied=6, steps=3),
        Trial(kind="roll", text="", refused="no", needs=True),
    )
    game = Tried(rulebook="town", seed=1, actions=200, digest="", trials=trials)
    lines = list(report([game]))
    (row,) = [line for line in lines if "a roll replaced" in line]
    assert row.split()[-10:] == ["4", "1", "10.0%", "26.0%", "13.3%", "2.0%", "1.0", "2", "40", "10"]
    assert lines[-1].startswith("failed checks: 0 (dry run")


def test_the_report_names_each_failure_with_the_seed_of_its_game() -> None:
    trial = made("drop", 0, 5, failures=((REDO, "the state is another"), (REDO, "and more")))
    game = Tried(rulebook="town", seed=12, actions=200, digest="", trials=(trial,))
    assert failures([game]) == {REDO: 1}
    assert any("redo: town, seed 12: the state is another" in line for line in report([game]))


def test_the_ninetieth_percentile_of_one_share_is_that_share() -> None:
    assert ninetieth([0.25]) == 0.25


def test_the_command_prints_its_seed_and_says_by_its_exit_code_whether_a_check_failed(
    capsys: pytest.CaptureFixture[str], tamper: Callable[[Tamper], None]
) -> None:
    asked = ["--games", "1", "--corrections", "2", "--actions", "60", "--jobs", "1", "--rulebook", "negopoly"]
    assert main([*asked, "--seed", "5"]) == 0
    first = capsys.readouterr().out
    assert first.startswith("seed 5: 1 games")
    assert main([*asked, "--seed", "5"]) == 0
    assert capsys.readouterr().out == first
    tamper(breaks)
    assert main([*asked, "--seed", "5"]) == 1
    assert "2 (an error that is no refusal)" in capsys.readouterr().out
