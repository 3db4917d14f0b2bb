"""The smallest game: two editions of one engine, corrected and simulated."""

from pathlib import Path

import pytest
from msgspec import ValidationError

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.facts.state import Seat
from ledger.kernel.rules.opening import Opening
from ledger.kernel.rules.rulebook import Rulebook
from replays.simulation import outcome_of, play
from tests.example import town
from tests.example.town import RULEBOOKS
from tests.harness.playing import Playing, say

QUIET, HARBOUR = RULEBOOKS
FOLDER = Path(town.__file__).parent


def holds(table: Playing, account: str, commodity: str) -> int:
    return table.state.holdings.of(account, commodity)


def told(table: Playing, events: list[Event]) -> list[str]:
    """The English sentences of the events."""
    return [say(event, "en", table.rulebook.language.speakers(table.state)) for event in events]


# The game ------------------------------------------------------------------------------------------


def test_roll_buy_and_pay_rent(quiet: Playing) -> None:
    """Ana buys Mill Lane; Bob gets there and pays; with the whole group she collects twice as much."""
    assert told(quiet, quiet.play("ana", "roll", dice=[1])) == ["Ana rolls 1 and reaches Mill Lane."]
    quiet.play("ana", "buy_street")
    quiet.play("ana", "end_turn")
    assert told(quiet, quiet.play("bob", "roll", dice=[1]))[1] == "Bob pays Ana 4 SHELL for Mill Lane."
    quiet.refused("bob", "buy_street", "q.3")
    assert told(quiet, quiet.play("bob", "end_turn")) == ["It is Ana's turn in round 2."]
    quiet.play("ana", "roll", dice=[1])
    quiet.play("ana", "buy_street")
    quiet.play("ana", "end_turn")
    assert told(quiet, quiet.play("bob", "roll", dice=[1]))[1] == "Bob pays Ana 8 SHELL for Church Street."
    assert (holds(quiet, "player:ana", "SHELL"), holds(quiet, "player:bob", "SHELL")) == (72, 88)


def test_turns_are_kept(quiet: Playing) -> None:
    quiet.refused("bob", "roll", "q.2", dice=[1])
    quiet.refused("ana", "end_turn", "q.2")
    quiet.play("ana", "roll", dice=[3])
    quiet.refused("ana", "roll", "q.2", dice=[3])
    quiet.refused("ana", "buy_street", "q.3")
    assert [move.kind for move in quiet.moves("ana")] == ["end_turn", "open_dispute"]


def test_the_richest_wins_after_the_last_round() -> None:
    table = Playing(QUIET, ("ana", "bob"), settings={"rounds": 1})
    table.play("ana", "roll", dice=[1])
    table.play("ana", "buy_street")
    table.play("ana", "end_turn")
    table.play("bob", "roll", dice=[3])
    assert told(table, table.play("bob", "end_turn")) == ["The game is over, won by Bob."]
    assert QUIET.score.winners(table.state) == ("bob",)


def test_three_players_are_refused_no_seat_and_five_are() -> None:
    assert Playing(HARBOUR, ("ana", "bob", "cid")).state.order == ("ana", "bob", "cid")
    seats = tuple(Seat(name, name) for name in "abcde")
    with pytest.raises(Refusal, match=r"2 to 4 players, not 5 \(harbour:start\)"):
        HARBOUR.play.opening_action(Opening(players=seats, settings=HARBOUR.settings(), dice="table"))


# Editions -------------------------------------------------------------------------------------------


def test_two_editions_are_played_side_by_side(quiet: Playing, harbour: Playing) -> None:
    """Each edition has its own board, prices, money, dice and rules, and both share actions and events."""
    assert QUIET.actions == HARBOUR.actions
    assert QUIET.events == HARBOUR.events
    quiet.play("ana", "roll", dice=[1])
    harbour.play("ana", "roll", dice=[3, 2])
    first, second = quiet.play("ana", "buy_street"), harbour.play("ana", "buy_street")
    assert told(quiet, first) == ["Mill Lane is now Ana's, for 20 SHELL."]
    assert told(harbour, second) == ["Fish Hall is now Ana's, for 300 DUCAT."]
    assert (first[0].rule, second[0].rule) == ("q.3", "harbour:deed")
    for table, rule in ((quiet, "q.2"), (harbour, "harbour:watch")):
        table.refused("bob", "roll", rule)
        table.play("ana", "end_turn")
    assert (holds(quiet, "player:ana", "SHELL"), holds(harbour, "player:ana", "DUCAT")) == (80, 1200)
    assert (QUIET.settings().rounds, HARBOUR.settings().rounds) == (5, 8)
    assert [rulebook.register.rules_of("buy_street") for rulebook in RULEBOOKS] == [("q.3",), ("harbour:deed",)]


def test_a_snapshot_names_its_edition(quiet: Playing, harbour: Playing) -> None:
    """A snapshot has a table's own board, but of an edition's board only the name."""
    squares = [{"id": name, "name": name.upper()} for name in ("n", "e", "s", "w")]
    own = Playing(QUIET, ("ana", "bob"), settings={"own": {"squares": squares}})
    for table in (quiet, harbour, own):
        thawed = table.rulebook.codec.from_snapshot(table.rulebook.codec.to_snapshot(table.state))
        assert thawed == table.state
        assert thawed.edition.pieces == table.state.edition.pieces
    assert b"Mill Lane" not in QUIET.codec.to_snapshot(quiet.state)
    with pytest.raises(ValidationError, match="town_quiet"):
        HARBOUR.codec.from_snapshot(QUIET.codec.to_snapshot(quiet.state))


# Corrections ----------------------------------------------------------------------------------------


def test_a_forgotten_end_of_turn_is_made_up_for(quiet: Playing) -> None:
    """The town says in a few lines what it does by itself: nobody's turn falls for another's open one."""
    quiet.play("ana", "roll", dice=[1])
    quiet.play("ana", "end_turn")
    ended = quiet.number
    quiet.play("bob", "roll", dice=[2])
    plan = quiet.what_if({"op": "drop", "action": ended})
    assert (plan.voided, [one.next_action for one in plan.steps]) == ((), [str(ended + 1)])


def test_a_mistyped_roll_is_corrected(quiet: Playing) -> None:
    """Ana rolled 4, not 1: she buys School Road, not Mill Lane, and Bob owes her no rent there."""
    quiet.play("ana", "roll", dice=[1])
    mistyped = quiet.number
    quiet.play("ana", "buy_street")
    quiet.play("ana", "end_turn")
    quiet.play("bob", "roll", dice=[1])
    edits = [{"op": "replace", "action": mistyped, "params": {"dice": [4]}}]
    quiet.banker("correct", edits=edits, cascade="restate", reason="a die misread")
    assert [quiet.standing(mistyped + later).status for later in range(4)] == [
        "restated",
        "restated",
        "effective",
        "restated",
    ]
    assert holds(quiet, "player:ana", "title:school_road") == 1
    assert (holds(quiet, "player:ana", "SHELL"), holds(quiet, "player:bob", "SHELL")) == (70, 100)


# Simulation -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.id)
def test_twenty_games_of_bots_end_and_lose_nothing(rulebook: Rulebook) -> None:
    """Whatever can happen in the town happens in them, and the same seed plays the same game."""
    kinds: set[str] = set()
    for seed in range(20):
        players = tuple(Seat(name, name.capitalize()) for name in ("ana", "bob", "cid")[: 2 + seed % 2])
        opening = Opening(players=players, settings=rulebook.settings(), dice="service")
        outcome = outcome_of(play(rulebook, opening, seed=seed))
        assert outcome.ended
        assert outcome.winners
        assert not outcome.unbalanced
        kinds |= outcome.event_kinds.keys()
        if not seed:
            assert outcome_of(play(rulebook, opening, seed=seed)).journal == outcome.journal
    own = {event.__struct_config__.tag for event in town.chapter.events}
    assert own <= kinds


# Its size -------------------------------------------------------------------------------------------


def test_it_takes_at_most_360_lines_of_python() -> None:
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in FOLDER.rglob("*.py")) <= 360


def test_no_line_of_it_is_copied() -> None:
    """The town shares no statement with other games: only imports, signatures and other short lines."""
    here = _statements(FOLDER)
    games = Path(town.__file__).parents[3] / "ledger" / "rulebooks"
    there = _statements(games / "negopoly") | _statements(games / "negoces2")
    assert not here & there


def _statements(folder: Path) -> set[str]:
    """The statements in the Python files of a folder that are longer than 60 characters."""
    texts = (path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
    lines = {line.strip() for text in texts for line in text.splitlines()}
    return {one for one in lines if len(one) > 60 and not one.startswith(("from ", "import ", "class ", "def "))}
