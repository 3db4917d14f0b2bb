"""Statistics over HTTP, with what each viewer may see."""

from __future__ import annotations

import msgspec

from ledger.kernel.facts.audience import BANKER, SPECTATOR, Viewer
from ledger.moving.exporting import Export
from ledger.service import Ledger
from replays.report.story import with_story
from replays.statistics import Statistics, statistics_of
from tests.tables.over_http import HttpTable, problem, version_of


def test_each_is_told_what_they_may_see(ledger: Ledger, gifts: HttpTable) -> None:
    for caller, viewer in (
        (gifts.banker, BANKER),
        (gifts.ana, Viewer("player", "ana")),
        (gifts.spectator, SPECTATOR),
    ):
        answer = caller.get("statistics")
        assert answer.status_code == 200
        assert answer.content_type == "application/json"
        found = msgspec.json.decode(answer.data, type=Statistics)
        export = Export(ledger.moment(gifts.game, viewer))
        assert found == with_story(export, statistics_of(export))
        assert found.whole == (viewer is BANKER)
    told = {caller.get("statistics").data for caller in (gifts.banker, gifts.ana, gifts.bob, gifts.spectator)}
    assert len(told) == 4


def test_it_is_told_in_two_languages(gifts: HttpTable) -> None:
    english, french = (gifts.banker.get("statistics", Accept_Language=one) for one in ("en", "fr"))
    assert english.headers["Content-Language"] == "en"
    assert french.headers["Content-Language"] == "fr"
    names = [[purpose["name"] for purpose in one.json["flows"]["purposes"]] for one in (english, french)]
    assert names == [["starting money", "gifts"], ["argent de départ", "dons"]]


def test_who_has_this_version_is_told_so(gifts: HttpTable) -> None:
    answer = gifts.ana.get("statistics")
    assert version_of(answer) == gifts.version
    again = gifts.ana.get("statistics", If_None_Match=answer.headers["ETag"])
    assert (again.status_code, again.data) == (304, b"")
    gifts.ana.play("transfer_money", to="bob", amount=1)
    assert gifts.ana.get("statistics", If_None_Match=answer.headers["ETag"]).status_code == 200


def test_who_may_not_ask(gifts: HttpTable) -> None:
    problem(gifts.stranger.get("statistics"), 401, "token-missing")
    problem(gifts.ana.get("/api/v1/games/elsewhere/statistics"), 404, "unknown-game")
    problem(gifts.ana.get("statistics?at=3"), 422, "invalid-request")
