"""The version as entity tag: 304 for a caller who has it, 412 for a write that expects an older one."""

import pytest
from flask.testing import FlaskClient

from api.rest.exchange.conditions import VARY, VARY_FORM
from tests.tables.over_http import HttpTable, problem, version_of

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
    assert version_of(answer) == 6
    tag = answer.headers["ETag"]
    has_forms = resource.endswith("statement")
    vary = VARY_FORM if has_forms else VARY
    assert answer.headers["Vary"] == vary
    assert answer.headers["Cache-Control"] == "private, no-cache"
    for known in (tag, tag.removeprefix("W/"), f'"5", {tag}', "*"):
        same = started.ana.get(resource, If_None_Match=known)
        assert same.status_code == 304, known
        assert same.data == b""
        assert same.headers["ETag"] == tag
        assert same.headers["Vary"] == vary
    for other in ('W/"5"', 'W/"6"', tag.replace("6-", "7-", 1)):
        assert started.ana.get(resource, If_None_Match=other).status_code == 200
    started.ana.play("transfer_money", **GIFT)
    moved_on = started.ana.get(resource, If_None_Match=tag)
    assert moved_on.status_code == 200
    assert version_of(moved_on) == 7


TEXTS = (
    *RESOURCES,
    "audit",
    "audit?format=csv",
    "why?account=bank&commodity=NGD",
    "moves",
    "replay",
    "statistics",
    "export?format=html",
)


@pytest.mark.parametrize("resource", TEXTS)
def test_who_changes_the_language_gets_the_other_text(started: HttpTable, resource: str) -> None:
    """Ana reads in English and then in French. Each language has a tag of its own, and 304 only for that tag."""
    english = started.ana.get(resource, Accept_Language="en")
    known = english.headers["ETag"]
    french = started.ana.get(resource, Accept_Language="fr", If_None_Match=known)
    assert (french.status_code, french.headers["Content-Language"]) == (200, "fr")
    assert french.headers["ETag"] != known
    for spoken, tag in (("en", known), ("fr", french.headers["ETag"])):
        same = started.ana.get(resource, Accept_Language=spoken, If_None_Match=tag)
        if resource != "moves":  # What may be done depends on the time, so it is always read again.
            assert (same.status_code, same.headers["ETag"]) == (304, tag)
    both = f"{known}, {french.headers['ETag']}"
    assert "fr" not in started.ana.get(resource, Accept_Language="en", If_None_Match=both).headers["ETag"]


def test_who_changes_the_form_gets_the_other_form(started: HttpTable) -> None:
    known = started.ana.get("audit", Accept="application/json").headers["ETag"]
    table = started.ana.get("audit", Accept="text/csv", If_None_Match=known)
    assert (table.status_code, version_of(table)) == (200, 6)
    assert table.headers["ETag"].endswith('-csv"')
    same = started.ana.get("audit", Accept="text/csv", If_None_Match=table.headers["ETag"])
    assert (same.status_code, same.headers["Vary"]) == (304, VARY_FORM)


@pytest.mark.parametrize("asked", ["en", "fr"])
@pytest.mark.parametrize("read", ["en", "fr"])
def test_acting_on_the_version_read_in_any_language(started: HttpTable, read: str, asked: str) -> None:
    tag = started.ana.get("state", Accept_Language=read).headers["ETag"]
    accepted = {"If_Match": tag, "Accept_Language": asked}
    assert started.ana.act("transfer_money", params=GIFT, headers=accepted).status_code == 201
    problem(started.ana.act("transfer_money", params=GIFT, headers=accepted), 412, "stale-version")


@pytest.mark.parametrize("expected", ['"6"', 'W/"6"', 'W/"6-fr"', '"5", "6"', '"x", "6"', "*"])
def test_acting_on_the_newest_version(started: HttpTable, expected: str) -> None:
    answer = started.ana.act("transfer_money", params=GIFT, headers={"If_Match": expected})
    assert answer.status_code == 201
    assert version_of(answer) == 7


@pytest.mark.parametrize(
    "expected", ['"5"', 'W/"5"', '"7"', '"4", "5"', '"x"', '"6x"', '"fr-6"', '"-1"', '"' + "9" * 40 + '"']
)
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
    told = problem(refused, 409, "game-over")
    assert (told["rule"], told["rules"]) == ("II.E.1", ["II.E.1"])
    problem(started.ana.act("transfer_money", params=GIFT, dry_run=True), 409, "game-over")
    problem(started.spectator.act("transfer_money", params=GIFT), 403, "not-yours")
    assert started.version == over


def test_the_same_number_of_another_journal_is_another_version(client: FlaskClient) -> None:
    """Two games at version 6, as before and after an older backup is played on, are not taken for each other."""
    one, other = (HttpTable.created(client).start() for _ in range(2))
    tag = one.ana.get("state").headers["ETag"]
    assert one.ana.get("state", If_None_Match=tag).status_code == 304
    assert other.ana.get("state", If_None_Match=tag).status_code == 200
    for expected in (tag, f'"5", {tag}'):
        stale = other.ana.act("transfer_money", params=GIFT, headers={"If_Match": expected})
        problem(stale, 412, "stale-version")
    assert one.ana.act("transfer_money", params=GIFT, headers={"If_Match": f'"5", {tag}'}).status_code == 201


def test_another_program_gives_other_tags_and_writes_go_on(
    started: HttpTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a later program with another sentence, then no answer of the earlier one is taken for its own."""
    tag = started.ana.get("state").headers["ETag"]
    monkeypatch.setattr("api.rest.exchange.conditions.code_hash", lambda *_: "0123456789abcdef")
    assert started.ana.get("state", If_None_Match=tag).status_code == 200
    assert started.ana.act("transfer_money", params=GIFT, headers={"If_Match": tag}).status_code == 201
