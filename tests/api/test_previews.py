"""Previews of corrections: what changes for each seat, and what every cascade would come to, in one request."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.service import Ledger
from tests.api.mending import MISTAKE, drop
from tests.tables.over_http import Caller, HttpTable, problem


@pytest.fixture
def housed(started: HttpTable) -> HttpTable:
    """Ana throws 1 and 2 (action 7), buys Black Arretxea on square 3 for 60 ₦ (8) and ends her turn (9)."""
    started.ana.play("roll_dice", dice=[1, 2])
    started.ana.play("buy_property", title="black_arretxea")
    started.ana.play("end_turn")
    return started


def previewed(caller: Caller, edits: list[dict[str, Any]], cascade: str = "restate") -> dict[str, Any]:
    asked = {"edits": edits, "reason": MISTAKE, "cascade": cascade, "dry_run": True}
    answer = caller.post("corrections", asked)
    assert answer.status_code == 200, answer.text
    preview: dict[str, Any] = answer.json
    return preview


# Seat by seat -----------------------------------------------------------------------------------------


def test_a_preview_tells_each_seat_before_and_after(housed: HttpTable) -> None:
    """Had Ana thrown 2 and 4, she could not have bought what lies on square 3."""
    preview = previewed(housed.banker, [{"op": "replace", "action": 7, "params": {"dice": [2, 4]}}])
    ana, bob = preview["seats"]
    assert ana["seat"] == {"seat": "ana", "name": "Ana", "letter": "A", "colour": 0}
    assert ana["money"] == {"before": 1590, "after": 1650}
    assert ana["worth"] == {"before": 1650, "after": 1650}
    assert ana["lost"] == [{"commodity": "title:black_arretxea", "name": "Black Arretxea"}]
    assert (ana["gained"], ana["holdings"]) == ([], [])
    assert (bob["money"], bob["gained"], bob["lost"]) == ({"before": 1650, "after": 1650}, [], [])


def test_what_is_no_unique_piece_is_told_by_amount(started: HttpTable) -> None:
    doses = {"commodity": "dose", "amount": 2, "from": "bank", "to": "player:bob"}
    remedy = {"op": "adjust", "postings": [doses], "reason": "they were forgotten"}
    ruled = started.banker.post("rulings", {"finding": "Bob had them.", "remedies": [remedy]})
    assert ruled.status_code == 201, ruled.text
    ana, bob = previewed(started.banker, drop(7))["seats"]
    assert [(one["commodity"], one["before"], one["after"]) for one in bob["holdings"]] == [("dose", 2, 0)]
    assert ana["holdings"] == []


# All cascades at once ---------------------------------------------------------------------------------


@pytest.fixture
def overdrawn(gifts: HttpTable) -> HttpTable:
    """Bob gives Ana 2500 ₦ (action 10), which he has only because she gave him 1650 (7)."""
    gifts.bob.play("transfer_money", to="ana", amount=2500)
    return gifts


def test_one_request_tells_what_every_cascade_comes_to(overdrawn: HttpTable) -> None:
    """Without her gift Bob's is voided: both stay as they are but for the 60 ₦ and the 100 ₦."""
    asked = previewed(overdrawn.banker, drop(7))["cascades"]
    restate, keep = asked["restate"], asked["keep"]
    assert (restate["outcome"], restate["voided"], restate["restated"], restate["unchanged"]) == (
        "possible",
        1,
        0,
        2,
    )
    assert restate["moved"] == 850
    assert (keep["voided"], keep["restated"], keep["unchanged"], keep["moved"]) == (0, 0, 3, 1650)
    assert restate["outcome"] == keep["outcome"] == "possible"
    assert asked["refuse"] == {"would_refuse": True}
    assert previewed(overdrawn.banker, drop(7), "keep")["cascades"] == asked
    spread = overdrawn.banker.post("corrections", {"edits": drop(7), "reason": MISTAKE})
    assert problem(spread, 409, "would-spread")["preview"]["cascades"] == asked


def test_what_each_cascade_comes_to_is_what_it_does(overdrawn: HttpTable) -> None:
    keep = previewed(overdrawn.banker, drop(7))["cascades"]["keep"]
    done = overdrawn.banker.post("corrections", {"edits": drop(7), "reason": MISTAKE, "cascade": "keep"})
    assert done.status_code == 201
    assert done.json["changes"]["player:ana"]["NGD"] == keep["moved"]


def test_a_cascade_that_is_refused_says_why(started: HttpTable) -> None:
    """The purchase that is dropped brought the title that Ana has sold since: the sale cannot be kept."""
    started.ana.play("roll_dice", dice=[1, 2])
    started.ana.play("buy_property", title="black_arretxea")
    started.ana.play("sell_property", title="black_arretxea")
    cascades = previewed(started.banker, drop(8))["cascades"]
    assert cascades["keep"]["outcome"] == "refused"
    assert "cannot be kept" in cascades["keep"]["refused"]
    assert cascades["restate"]["voided"] == 1


def test_where_nothing_spreads_all_cascades_come_to_the_same(gifts: HttpTable) -> None:
    cascades = previewed(gifts.banker, drop(9), "refuse")["cascades"]
    assert cascades["refuse"] == {"would_refuse": False}
    assert cascades["keep"] == cascades["restate"]
    assert cascades["restate"]["moved"] == 60


def test_undo_redo_and_rulings_tell_it_too(overdrawn: HttpTable) -> None:
    asked = {"action": 7, "reason": MISTAKE, "cascade": "restate", "dry_run": True}
    undo = overdrawn.banker.post("undo", asked).json
    assert (undo["cascades"]["restate"]["voided"], undo["cascades"]["refuse"]["would_refuse"]) == (1, True)
    remedy = {"op": "correct", "edits": drop(7), "cascade": "restate", "reason": MISTAKE}
    ruling = overdrawn.banker.post("rulings", {"finding": "So be it.", "remedies": [remedy], "dry_run": True}).json
    assert ruling["correction"]["cascades"] == undo["cascades"]
    assert overdrawn.banker.post("undo", {**asked, "dry_run": False}).status_code == 201
    redo = overdrawn.banker.post("redo", {"reason": "it was right", "cascade": "restate", "dry_run": True}).json
    assert redo["seats"][0]["money"] == {"before": 1690, "after": 2540}


# Staleness --------------------------------------------------------------------------------------------


def test_a_preview_says_when_the_journal_went_on_meanwhile(
    gifts: HttpTable, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process writes action 10 while the preview of version 9 is worked out."""
    assert previewed(gifts.banker, drop(9))["stale"] is False
    head = type(ledger.games.store.journal).head
    monkeypatch.setattr(type(ledger.games.store.journal), "head", lambda journal, game: head(journal, game) + 1)
    preview = previewed(gifts.banker, drop(9))
    assert (preview["version"], preview["stale"]) == (9, True)
