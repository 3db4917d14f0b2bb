"""What the service does by itself is found honest where the game asks for it, and forged where it does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from msgspec.json import decode
from msgspec.structs import replace

from api.command.verifying import verify_file
from ledger.access import credentials
from ledger.kernel.facts.audience import BANKER, SPECTATOR, Viewer
from ledger.kernel.journal.entry import Entry, read
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Command, Ledger, Undo
from ledger.store.store import Store
from ledger.trust.deciding import compare_decision
from ledger.trust.dice import check_dice
from ledger.trust.findings import Finding
from ledger.trust.refolding import Refold
from ledger.trust.verifying import verify
from tests.monopoly.own import TOWN
from tests.replays import shelf
from tests.tables.ledgers import ANA, Clock, do, started
from tests.trust.impatient import Evening
from tests.trust.tampering import Owner

THREE, FOUR = ("ana", "bob", "cid"), ("ana", "bob", "cid", "dan")


class Table(NamedTuple):
    """A rulebook with seats and settings; whether it surely ends, and the service takes steps in it."""

    rulebook: str
    seats: tuple[str, ...]
    settings: dict[str, Any]
    ends: bool = True
    takes_steps: bool = True
    plays: int = 50


def _own_board() -> dict[str, Any]:
    takes = rulebooks_by_id()["monopoly"].editions
    assert takes is not None
    return takes.settings_of(TOWN, {"quick": True, "starting_cash": 900, "auction_seconds": 60})


TABLES = {
    "negopoly": Table("negopoly", THREE, {"turn_seconds": 60}, ends=False),
    "negoces2": Table("negoces2", FOUR, {"reveal_at_end": True}, ends=False, takes_steps=False),
    "monopoly_naruto": Table(
        "monopoly_naruto", THREE, {"quick": True, "starting_cash": 200, "auction_seconds": 60}
    ),
    "monopolys": Table("monopolys", THREE, {"starting_cash": 200, "auction_seconds": 60}),
    "own board": Table("monopoly", THREE, _own_board(), takes_steps=False, plays=70),
    "virtual_revolution": Table(
        "virtual_revolution", FOUR, {"answer_seconds": 60, "reveal_at_end": True}, ends=False
    ),
}


class Played(NamedTuple):
    """An evening that is over, the table at which it was played, and what was found half-way."""

    evening: Evening
    table: Table
    halfway: list[Finding]


@pytest.fixture(scope="module", params=[(name, dice) for name in TABLES for dice in ("service", "shared")])
def played(request: pytest.FixtureRequest, store: Store) -> Played:
    """Steps, clocks that run out, corrections and disputes: the same evening in every run."""
    name, dice = request.param
    table, clock = TABLES[name], Clock(step=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store.installation, "secret", lambda _purpose: bytes(32))
        patch.setattr(credentials, "game_id", lambda _chance: f"{name.replace(' ', '-')}-{dice}")
        ledger = Ledger(store, rulebooks_by_id(), clock=clock)
        evening = Evening(ledger, clock, table.rulebook, seats=table.seats, dice=dice, settings=table.settings)
        evening.play(table.plays)
        halfway = [*verify(ledger.games, evening.game, decide=True)]
        evening.end()
    return Played(evening, table, halfway)


def test_an_honest_evening_is_found_honest(
    played: Played, new_database: Callable[..., str], tmp_path: Path
) -> None:
    """By whoever looks after the service, by whoever imports the game, and by whoever has a log of it."""
    evening, table = played.evening, played.table
    ledger, game = evening.ledger, evening.game
    assert evening.steps() or not table.takes_steps
    assert played.halfway == []
    assert [*verify(ledger.games, game, decide=True)] == []
    (tmp_path / "game.jsonl").write_bytes(shelf.exported(ledger, game, "jsonl"))
    with shelf.ledger_on(new_database()) as there:
        assert shelf.put_in(there, tmp_path / "game.jsonl").differences == ()
    checked = check_dice(evening.rulebook, evening.entries)
    assert checked.wrong == ()
    assert evening.state.ended or not table.ends
    assert checked.checked or not evening.state.ended
    keys = ledger.logs.keys.verifiers(game)
    for viewer in (BANKER, SPECTATOR, Viewer("player", table.seats[0])):
        log = tmp_path / f"{viewer.seat or viewer.role}.log.zip"
        log.write_bytes(shelf.exported(ledger, game, "log", viewer))
        for decide in (False, True):
            assert verify_file(log, keys, (), decide=decide).faults == ()


def forged(
    rulebook: Rulebook[Any], entries: list[Entry], change: Callable[[Entry], Entry | None]
) -> Iterator[tuple[Entry, str | None]]:
    """Change one action after the other, and decide each again at its place: what comes out otherwise."""
    fold = Refold(rulebook, lambda first, last: entries[first - 1 : last])
    for entry in entries:
        events = tuple(map(rulebook.codec.event, entry.events))
        other = change(entry)
        if other is not None:
            found = compare_decision(rulebook, fold.state, other, events, fold, entries[entry.number :])
            yield other, None if found is None else found.description
        fold.take(entry.number, entry.recorded_at, entry.first_seq + len(events) - 1, events)


def test_what_the_banker_did_is_found_when_it_is_told_as_a_step_of_the_service(played: Played) -> None:
    """Nobody can say "that was the clock", or "that was the rules", of what somebody chose to do."""
    evening = played.evening

    def by_itself(one: Entry) -> Entry | None:
        return replace(one, by="system") if one.by == "banker" else None

    found = [*forged(evening.rulebook, evening.entries, by_itself)]
    assert len(found) > 25
    assert [entry.number for entry, what in found if what is None] == []


def test_a_step_is_found_where_no_time_has_made_it_due_and_nobody_has_asked_for_what_it_stands_before(
    played: Played,
) -> None:
    """The service takes the same steps in the first second of the evening: no clock has run out by then."""
    evening = played.evening
    entries, steps = evening.entries, {one.number for one in evening.steps()}

    def early(one: Entry) -> Entry | None:
        return replace(one, recorded_at=entries[0].recorded_at) if one.number in steps else None

    found = [*forged(evening.rulebook, entries, early)]
    assert len(found) == len(steps)
    assert [entry.number for entry, what in found if what is None] == []


# One turn of Negopoly -------------------------------------------------------------------------------


@pytest.fixture
def turn(store: Store) -> tuple[Ledger, str]:
    """The banker throws for Bob, and the service ends Ana's turn; then for Ana, and Bob's turn is settled.

    7 Ana throws   8 she buys   9 the service ends her turn   10 Bob throws
    11 the service resolves Bob's stop   12 it ends his turn   13 Ana throws
    """
    ledger = Ledger(store, rulebooks_by_id(), clock=Clock(step=1))
    game = started(ledger, "ana", "bob")
    do(ledger, game, ANA, "roll_dice", dice=[1, 2])
    do(ledger, game, ANA, "buy_property")
    for seat, dice in (("bob", [1, 2]), ("ana", [1, 4])):
        throw = Command(kind="roll_dice", params={"dice": dice}, seat=seat)
        ledger.perform(game, BANKER, throw, settle=True)
    return ledger, game


def journal(ledger: Ledger, game: str) -> list[Entry]:
    return [read(stored) for run in ledger.games.store.journal.runs(game) for _, stored, _ in run]


def findings(ledger: Ledger, game: str) -> dict[int, str]:
    """What is found by a service that has nothing in memory, by the action."""
    afresh = Ledger(ledger.games.store, rulebooks_by_id())
    return {one.number: one.what for one in reversed([*verify(afresh.games, game, decide=True)])}


def test_the_steps_before_a_throw(turn: tuple[Ledger, str]) -> None:
    ledger, game = turn
    assert [(one.number, one.kind, one.seat, one.by) for one in journal(ledger, game)[8:]] == [
        (9, "end_turn", "ana", "system"),
        (10, "roll_dice", "bob", "banker"),
        (11, "resolve_square", "bob", "system"),
        (12, "end_turn", "bob", "system"),
        (13, "roll_dice", "ana", "banker"),
    ]
    assert findings(ledger, game) == {}


def test_an_undo_drops_the_steps_of_a_throw_and_a_redo_gives_them_back(
    turn: tuple[Ledger, str], new_database: Callable[..., str], tmp_path: Path
) -> None:
    """The service drops 11 to 13 together; what is verified and imported is honest all the same."""
    ledger, game = turn
    before = ledger.moment(game).newest
    for way in ("undo", "redo"):
        ledger.correcting.take_back(game, BANKER, Undo(way=way, reason="a slip"))
        assert findings(ledger, game) == {}
    done = journal(ledger, game)[13]
    assert [edit["action"] for edit in decode(done.params)["edits"]] == [11, 12, 13]
    assert ledger.moment(game).newest.holdings == before.holdings
    (tmp_path / "game.jsonl").write_bytes(shelf.exported(ledger, game, "jsonl"))
    with shelf.ledger_on(new_database()) as there:
        assert shelf.put_in(there, tmp_path / "game.jsonl").differences == ()


@pytest.mark.parametrize(("late", "drops"), [(0, [8, 9]), (3600, [9])])
def test_an_undo_leaves_the_steps_that_a_clock_took(store: Store, late: int, drops: list[int]) -> None:
    """The steps before Bob's throw end Ana's turn: the banker asked for them, or the time of the turn was over."""
    clock = Clock(step=1)
    ledger = Ledger(store, rulebooks_by_id(), clock=clock)
    game = started(ledger, "ana", "bob", settings={"turn_seconds": 60})
    do(ledger, game, ANA, "roll_dice", dice=[1, 2])
    clock.pass_by(late)
    ledger.perform(game, BANKER, Command(kind="roll_dice", params={"dice": [1, 2]}, seat="bob"), settle=True)
    ledger.correcting.take_back(game, BANKER, Undo(way="undo", reason="a slip"))
    done = journal(ledger, game)[-1]
    assert [edit["action"] for edit in decode(done.params)["edits"]] == drops
    assert findings(ledger, game) == {}


def test_a_turn_that_the_service_ended_for_no_reason_is_found(turn: tuple[Ledger, str], owner: Owner) -> None:
    """Ana throws by herself: so the banker let the service settle nothing before."""
    ledger, game = turn
    owner.rewrite_entry(game, 13, b'"by":"banker"', b'"by":"ana"', hashed=True)
    found, nothing = findings(ledger, game), "by itself here: nothing was due, and nothing waited for it"
    assert found[11] == f"the service never does resolve_square {nothing}"
    assert found[12] == f"the service never does end_turn {nothing}"


def test_another_default_is_found(turn: tuple[Ledger, str], owner: Owner) -> None:
    """The service mortgages Ana's title where it ends her turn by default."""
    ledger, game = turn
    owner.rewrite_entry(game, 9, b'"kind":"end_turn"', b'"kind":"mortgage_property"', hashed=True)
    owner.rewrite_entry(game, 9, b'"params":{}', b'"params":{"title":"black_arretxea"}', hashed=True)
    wrong = [one.what for one in verify(Ledger(ledger.games.store, rulebooks_by_id()).games, game, decide=True)]
    assert "before roll_dice (action 10) the service does end_turn for ana by itself, and not this" in wrong


def test_a_rule_that_the_service_waives_by_itself_is_found(turn: tuple[Ledger, str], owner: Owner) -> None:
    ledger, game = turn
    owner.rewrite_entry(game, 12, b'"override":null', b'"override":"late"', hashed=True)
    assert findings(ledger, game)[12] == "the service never does end_turn by itself"


@pytest.mark.parametrize("number", range(8, 14))
def test_a_fork_may_begin_between_a_step_and_what_it_was_taken_for(turn: tuple[Ledger, str], number: int) -> None:
    """What the service ended the turn for stands in the other game alone; the fork is honest all the same."""
    ledger, game = turn
    forked = ledger.forking.fork(game, number).game
    assert findings(ledger, forked) == {}


def test_a_step_in_a_fork_that_nothing_could_wait_for_is_found(turn: tuple[Ledger, str], owner: Owner) -> None:
    """The service mortgages Ana's title right before the game goes its own way."""
    ledger, game = turn
    forked = ledger.forking.fork(game, 9).game
    owner.rewrite_entry(forked, 9, b'"kind":"end_turn"', b'"kind":"mortgage_property"', hashed=True)
    owner.rewrite_entry(forked, 9, b'"params":{}', b'"params":{"title":"black_arretxea"}', hashed=True)
    wrong = [
        one.number for one in verify(Ledger(ledger.games.store, rulebooks_by_id()).games, forked, decide=True)
    ]
    assert 9 in wrong
