"""The index of a replay: all lines of a game at once, with round, turn, status and correction, for a slider."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from ledger.games.history import History
from ledger.reading.entries.lines import Lines, lines_of
from ledger.service import Ledger
from tests.api.mending import MISTAKE, drop
from tests.tables.over_http import Caller, HttpTable, problem


def index(caller: Caller, query: str = "") -> dict[str, Any]:
    answer = caller.get(f"replay/index{query}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json
    return found


def rows(caller: Caller, query: str = "") -> list[tuple[Any, ...]]:
    """The lines as rows: name, round, whose turn, status, and the correction that gave it."""
    found = index(caller, query)
    seats = [*(seat["seat"] for seat in found["seats"]), None]
    columns = zip(*(found[name] for name in ("lines", "rounds", "turns", "statuses", "corrected_by")), strict=True)
    return [(line, round_, seats[turn], found["status_names"][how], by) for line, round_, turn, how, by in columns]


@pytest.fixture
def round_trip(started: HttpTable) -> HttpTable:
    """Ana (7, 8) and Bob (9, 10) play round 1 without a purchase, then Ana's round 2 begins."""
    started.ana.play("roll_dice", dice=[1, 2])
    started.ana.play("end_turn")
    started.bob.play("roll_dice", dice=[1, 2])
    started.bob.play("end_turn")
    return started


def test_each_line_has_its_round_and_turn(round_trip: HttpTable) -> None:
    assert rows(round_trip.spectator)[4:] == [
        (5, 0, None, "effective", 0),
        (6, 1, "ana", "effective", 0),
        (7, 1, "ana", "effective", 0),
        (8, 1, "bob", "effective", 0),
        (9, 1, "bob", "effective", 0),
        (10, 2, "ana", "effective", 0),
    ]
    assert index(round_trip.ana)["version"] == 10


def test_corrections_are_marked_and_inserted_lines_stand_at_their_places(gifts: HttpTable) -> None:
    forgotten = {"kind": "transfer_money", "params": {"to": "ana", "amount": 40}, "seat": "bob"}
    before = rows(gifts.ana)
    edits = [*drop(9), {"op": "insert", "after": 8, "action": forgotten}]
    assert gifts.banker.post("corrections", {"edits": edits, "reason": MISTAKE}).status_code == 201
    after = rows(gifts.ana)
    assert after[:8] == before[:8]
    assert [(line, how, by) for line, _, _, how, by in after[8:]] == [
        ("10.1", "effective", 10),
        (9, "undone", 10),
        (10, "effective", 0),
    ]
    assert index(gifts.ana)["corrections"] == [10]
    hidden = rows(gifts.spectator)
    assert [line for line, *_ in hidden] == list(range(1, 11)), "a private line that was inserted is not there"
    assert {how for _, _, _, how, _ in hidden} == {"effective"}


def test_a_correction_of_a_turn_changes_the_turns_after_it(round_trip: HttpTable) -> None:
    """Had Ana not ended her turn, Bob's throw would not have been his."""
    round_trip.banker.post("corrections", {"edits": [{"op": "rewind", "to": 8}], "reason": "start over"})
    assert rows(round_trip.ana)[6:] == [
        (7, 1, "ana", "effective", 0),
        (8, 1, "ana", "undone", 11),
        (9, 1, "ana", "undone", 11),
        (10, 1, "ana", "undone", 11),
        (11, 1, "ana", "effective", 0),
    ]


def test_the_index_comes_in_pages_too(gifts: HttpTable) -> None:
    first = index(gifts.ana, "?limit=6")
    second = index(gifts.ana, f"?limit=6&cursor={first['next']}")
    assert (first["lines"], second["lines"], second["next"]) == ([1, 2, 3, 4, 5, 6], [7, 8, 9], None)
    problem(gifts.ana.get("replay/index?limit=10001"), 422, "invalid-request")


def test_what_is_kept_is_what_would_be_read_anew(gifts: HttpTable, ledger: Ledger) -> None:
    """Loans, a correction, an undo of it, and a turn; the index is asked for after each."""

    def require_alike() -> None:
        moment = ledger.moment(gifts.game)
        kept, anew = lines_of(moment.game), Lines(moment.game)
        assert kept.upto(moment.newest) == anew.upto(moment.newest)
        assert kept.changes_of(moment.newest, ["10"]) == anew.changes_of(moment.newest, ["10"])
        assert kept.outcomes(moment) == anew.outcomes(moment)

    require_alike()
    gifts.ana.play("take_loan", amount=200)
    require_alike()
    gifts.ana.play("repay_loan", loan="10")
    require_alike()
    gifts.banker.post("corrections", {"edits": drop(10), "reason": MISTAKE, "cascade": "restate"})
    require_alike()
    assert gifts.banker.post("redo", {"reason": "it was right", "cascade": "restate"}).status_code == 201
    require_alike()
    gifts.ana.play("roll_dice", dice=[1, 2])
    require_alike()
    older = replace(ledger.moment(gifts.game).newest, version=9, corrections=())
    assert lines_of(ledger.games.open(gifts.game)).upto(older).names == list(range(1, 10))


def test_only_new_lines_are_read_again(gifts: HttpTable, monkeypatch: pytest.MonkeyPatch) -> None:
    index(gifts.ana)
    read: list[tuple[int, int]] = []
    between = History.timeline_between
    monkeypatch.setattr(
        History, "timeline_between", lambda own, *which: read.append(which[:2]) or between(own, *which)
    )
    index(gifts.spectator)
    assert read == [], "an index is read once for all viewers"
    gifts.ana.play("transfer_money", to="bob", amount=1)
    assert index(gifts.bob)["lines"][-1] == 10
    assert read == [(10, 10)]
