"""The version as entity tag: 304 for a caller who has it, 412 for a write that expects an older one."""

import pytest

from tests.tables.over_http import HttpTable, problem

GIFT = {"to": "bob", "amount": 1}
RESOURCES = (
    "",
    "state",
    "state?at=3",
    "actions",
    "actions/2",
    "accounts",
    "accounts/player:ana",
    "accounts/player:ana/statement",
    "deals",
    "disputes",
    "rulings",
)


@pytest.mark.parametrize("resource", RESOURCES)
def test_who_has_the_version_is_told_so(started: HttpTable, resource: str) -> None:
    answer = started.ana.get(resource)
    assert answer.headers["ETag"] == 'W/"6"'
    assert answer.headers["Vary"] == "Authorization, Accept-Language"
    assert answer.headers["Cache-Control"] == "private, no-cache"
    for known in ('W/"6"', '"6"', '"5", W/"6"', "*"):
        same = started.ana.get(resource, If_None_Match=known)
        assert same.status_code == 304, known
        assert same.data == b""
        assert same.headers["ETag"] == 'W/"6"'
        assert same.headers["Vary"] == "Authorization, Accept-Language"
    assert started.ana.get(resource, If_None_Match='W/"5"').status_code == 200
    started.ana.play("transfer_money", **GIFT)
    moved_on = started.ana.get(resource, If_None_Match='W/"6"')
    assert moved_on.status_code == 200
    assert moved_on.headers["ETag"] == 'W/"7"'


@pytest.mark.parametrize("expected", ['"6"', 'W/"6"', '"5", "6"', '"x", "6"', "*"])
def test_acting_on_the_newest_version(started: HttpTable, expected: str) -> None:
    answer = started.ana.act("transfer_money", params=GIFT, headers={"If_Match": expected})
    assert answer.status_code == 201
    assert answer.headers["ETag"] == 'W/"7"'


@pytest.mark.parametrize("expected", ['"5"', 'W/"5"', '"7"', '"4", "5"', '"x"', '"-1"', '"' + "9" * 40 + '"'])
def test_acting_on_another_version(started: HttpTable, expected: str) -> None:
    answer = started.ana.act("transfer_money", params=GIFT, headers={"If_Match": expected})
    assert expected in problem(answer, 412, "stale-version")["detail"]
    dry = started.ana.act("transfer_money", params=GIFT, headers={"If_Match": expected}, dry_run=True)
    problem(dry, 412, "stale-version")
    assert started.version == 6


def test_the_tag_that_was_read_is_the_tag_to_act_with(started: HttpTable) -> None:
    tag = started.ana.get("state").headers["ETag"]
    assert started.bob.act("transfer_money", params={"to": "ana", "amount": 1}).status_code == 201
    answer = started.ana.act("transfer_money", params=GIFT, headers={"If_Match": tag})
    problem(answer, 412, "stale-version")
    tag = started.ana.get("state").headers["ETag"]
    assert started.ana.act("transfer_money", params=GIFT, headers={"If_Match": tag}).status_code == 201


def test_a_game_that_is_over_can_only_be_read(started: HttpTable) -> None:
    started.banker.act("declare_bankruptcy", seat="bob", override={"reason": "Bob has left the table"})
    assert started.ana.get().json["status"] == "ended"
    over = started.version
    refused = started.ana.act("transfer_money", params=GIFT, headers={"If_Match": '"1"'})
    problem(refused, 409, "game-over")
    problem(started.ana.act("transfer_money", params=GIFT, dry_run=True), 409, "game-over")
    problem(started.spectator.act("transfer_money", params=GIFT), 403, "not-yours")
    assert started.version == over
