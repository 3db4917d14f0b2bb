"""Simulated games: the same seed gives the same journal; games end, conserve everything and fold again."""

import hashlib
import subprocess
import sys
from datetime import timedelta

import msgspec
import pytest

from ledger.kernel.deciding.in_memory import GameInMemory
from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.journal.entry import canonical
from ledger.rulebooks import rulebooks_by_id
from replays.simulation import Series, game_of, outcome_of, outcomes, report_of, unbalanced
from tests.properties.commands import SOAK

SHORT = Series(
    rulebook="negopoly", games=6, players=3, seed=11, strategies=("plain", "random"), settings={"max_rounds": 4}
)


def digest(game: GameInMemory) -> str:
    """The hash of all bytes of a journal."""
    return hashlib.sha256(b"".join(canonical(entry) for entry in game.journal)).hexdigest()


def test_the_same_seed_gives_the_same_journal_in_another_process_with_other_hashes() -> None:
    here = digest(game_of(SHORT, 2).game)
    program = (
        "from tests.replays.test_simulation import SHORT, digest\n"
        "from replays.simulation import game_of\n"
        "print(digest(game_of(SHORT, 2).game))"
    )
    for hash_seed in ("1", "2"):
        there = subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert there.stdout.strip() == here


def test_another_seed_gives_another_game() -> None:
    assert digest(game_of(SHORT, 1).game) != digest(game_of(SHORT, 2).game)


def test_a_simulated_game_folds_again_from_its_journal() -> None:
    rulebook = rulebooks_by_id()["negopoly"]
    for k in range(SHORT.games):
        game = game_of(SHORT, k).game
        again = game.past.state_after(game.state.version)
        again.corrections = game.state.corrections
        assert rulebook.codec.to_snapshot(again) == rulebook.codec.to_snapshot(game.state)
        assert unbalanced(game.state) == {}


def test_a_series_is_counted_the_same_by_one_process_and_by_two() -> None:
    alone = list(outcomes(SHORT))
    assert alone == list(outcomes(SHORT, processes=2))
    report = report_of(SHORT, alone)
    assert report.games == report.ended == SHORT.games
    assert report.unbalanced == ()
    assert report.action_kinds["create_game"] == SHORT.games
    assert report.actions[0] <= report.actions[1] <= report.actions[2]
    assert sum(report.wins.values()) >= SHORT.games
    assert set(report.never).isdisjoint(report.action_kinds)
    assert sum(report.rules.values()) == sum(game.events for game in alone)


def test_a_table_may_throw_its_own_dice() -> None:
    """Without the service's dice bots send the dice with their actions; a turn that runs out needs none."""
    own = msgspec.structs.replace(SHORT, settings={"max_rounds": 6, "dice": "table", "turn_seconds": 40})
    game = game_of(own, 0).game
    assert game.state.dice == "table"
    thrown = [entry for entry in game.journal if entry.draws]
    assert {"roll_dice"} <= {entry.kind for entry in thrown}
    assert "expire_turn" in {entry.kind for entry in game.journal}
    assert "system" not in {entry.by for entry in thrown}
    again = game.past.state_after(game.state.version)
    again.corrections = game.state.corrections
    assert rulebooks_by_id()["negopoly"].codec.to_snapshot(again) == rulebooks_by_id()[
        "negopoly"
    ].codec.to_snapshot(game.state)


def test_a_game_goes_on_the_day_after() -> None:
    """The next day the current turn has its full time again, as in a fork; without a clock nothing changes."""
    for rulebook, first in (("negopoly", "take_up_turn"), ("negoces2", None)):
        random = Series(rulebook=rulebook, games=1, players=4, seed=1, strategies=("random",), actions=30)
        game = game_of(random, 0).game
        before = len(game.journal)
        later = game.state.last_at + timedelta(days=1)
        game.take_up(later)
        assert [entry.kind for entry in game.journal[before:]] == ([first] if first else [])
        if first:
            assert game.journal[-1].by == "system"
            assert game.state.turn.paused_at == later
            assert game.state.turn.ends_at == later + timedelta(seconds=game.state.settings.turn_seconds)


def test_wealth_at_the_end_is_what_the_statements_of_the_game_say() -> None:
    played = game_of(SHORT, 0)
    statements = {one.seat: one.total for one in played.game.state.statements}
    wealth = outcome_of(played).wealth
    assert statements
    assert {seat: wealth[seat] for seat in statements} == statements


def test_bots_of_one_strategy_play_to_the_end() -> None:
    """Merchants among themselves may all want nothing; one of them then does anything that is legal.

    Who does just anything hardly ever ruins anybody, so such games of a Monopoly need not end. In a soak they play
    by every rulebook, otherwise by one of each engine.
    """
    one_of_each = {rulebook.engine: rulebook for rulebook in rulebooks_by_id().values()}
    for rulebook in (rulebooks_by_id() if SOAK else one_of_each).values():
        endless = {"random"} if rulebook.engine == "monopoly" else set()
        for strategy in rulebook.simulation.strategies.keys() - {"banker"} - endless:
            players = min(4, rulebook.players[1])
            series = Series(rulebook=rulebook.id, games=1, players=players, seed=1, strategies=(strategy,))
            assert game_of(series, 0).ended, (rulebook.id, strategy)


def test_a_series_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(Malformed, match="2 to 8"):
        game_of(msgspec.structs.replace(SHORT, players=1), 0)
    with pytest.raises(msgspec.ValidationError, match="no_such_setting"):
        game_of(msgspec.structs.replace(SHORT, settings={"no_such_setting": 1}), 0)
    with pytest.raises(msgspec.ValidationError, match="loaded"):
        game_of(msgspec.structs.replace(SHORT, settings={"dice": "loaded"}), 0)
