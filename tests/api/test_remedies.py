"""Remedies over HTTP: a dry run that writes nothing, the ruling in both languages, its line of the audit."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient

from api.rest.application import Config, create_app
from api.rest.description.unions import remedies_of
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger
from ledger.store.store import Store
from tests.tables.ledgers import Clock, chance_of_a_test
from tests.tables.over_http import HttpTable, problem

TURN = {"op": "set_turn", "seat": "bob", "round": 3}
RACKETS = {"op": "set_rackets", "seat": "ana", "amount": 2}


def ordered(*remedies: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A ruling on the banker's own motion."""
    return {"finding": "So it stands.", "rules": ["P.1"], "remedies": list(remedies), **more}


def test_a_ruling_that_sets_the_table_is_shown_before_it_is_given(started: HttpTable) -> None:
    """The banker had lost count of the rounds; the dry run says what would happen, and nothing does."""
    before = started.banker.get("state").json
    asked = started.banker.post("rulings", ordered(TURN, RACKETS, dry_run=True), **{"Accept-Language": "fr"})
    assert asked.status_code == 200
    assert [event["text"] for event in asked.json["entry"]["events"]] == [
        "Le tour d'Ana se termine\u00a0: par une décision.",
        "Par une décision, c'est le round 3 au lieu du round 1.",
        "Le tour de Bob au round 3 commence.",
        "Par une décision, 2 rackets d'Ana attendent le prochain prisonnier.",
        "Le banquier tranche\u00a0: So it stands.",
    ]
    assert started.banker.get("state").json == before
    given = started.banker.post("rulings", ordered(TURN, RACKETS))
    assert given.status_code == 201
    assert [event["rule"] for event in given.json["events"]] == ["II.2", "II.1", "II.B.1", "VI.D.3", "P.1"]
    table = started.bob.get("state").json["table"]
    assert (table["round"], table["turn"]["seat"], table["rackets"]) == (3, "bob", ["ana", "ana"])


def test_the_audit_tells_what_a_ruling_has_set(started: HttpTable) -> None:
    started.banker.post("rulings", ordered(RACKETS))
    (line,) = started.bob.get("audit?kind=rule").json["lines"]
    assert "By a ruling, 2 rackets of Ana wait for the next prisoner." in str(line)
    assert "VI.D.3" in str(line["rules"])


def test_a_remedy_that_makes_no_sense_is_refused_with_its_values_and_its_rule(started: HttpTable) -> None:
    refused = started.banker.post("rulings", ordered(RACKETS, {**TURN, "seat": "ana", "round": 1}))
    assert refused.status_code == 409
    assert "Ana's turn of round 1" in refused.json["detail"]
    assert refused.json["rules"][0] == "II.2"
    assert started.bob.get("state").json["table"]["rackets"] == []


def test_a_correction_that_keeps_warns_in_its_preview_and_in_its_entry(started: HttpTable) -> None:
    """The purchase is dropped, the house is kept: the banker reads it before and after, and Bob does not."""
    started.ana.play("roll_dice", dice=[1, 2])
    bought = started.ana.play("buy_property")["number"]
    started.ana.play("build_house", title="black_arretxea")
    mending = {"edits": [{"op": "drop", "action": bought}], "cascade": "keep", "reason": "it was never paid"}
    said = [{"rule": "V.B.10", "text": "Black Arretxea belongs to the bank, and 1 house stands on it"}]
    previewed = started.banker.post("corrections", {**mending, "dry_run": True}).json
    assert previewed["warnings"] == said
    through_a_ruling = ordered({"op": "correct", **mending}, dry_run=True)
    assert started.banker.post("rulings", through_a_ruling).json["correction"]["warnings"] == said
    made = started.banker.post("corrections", mending).json
    assert made["warnings"] == said
    assert started.banker.get(f"actions/{made['number']}").json["warnings"] == said
    assert started.bob.get(f"actions/{made['number']}").json["warnings"] == []
    assert "1 house" not in started.bob.get(f"actions/{made['number']}").text


MOVED = {"from": "bank", "to": "player:bob", "commodity": "NGD", "amount": 5}


def test_every_remedy_may_have_a_reason_and_none_needs_it(started: HttpTable) -> None:
    """Money moves without one, and a token with one: it is read in the journal."""
    told = "Bob had counted it twice"
    moved = {"op": "move_seat", "seat": "bob", "square": 8, "reason": told}
    given = started.banker.post("rulings", ordered({"op": "adjust", "postings": [MOVED]}, moved))
    assert given.status_code == 201, given.text
    assert given.json["events"][0]["text"] == "By ruling 7, ₦5 (the bank → Bob)."
    assert given.json["params"]["remedies"][1]["reason"] == told
    for rulebook in rulebooks_by_id().values():
        for remedy in remedies_of(rulebook):
            (reason,) = (one for one in msgspec.structs.fields(remedy) if one.name == "reason")
            assert not reason.required, remedy


def test_a_member_that_there_is_not_is_refused_with_those_that_there_are(started: HttpTable) -> None:
    """Of the posting of the remedy that was meant, and in both languages."""
    wrong = ordered({"op": "adjust", "postings": [MOVED | {"source": "bank"}]})
    refused = problem(started.banker.post("rulings", wrong), 422, "invalid-parameters")
    said = 'there is no `source` here (got "bank"); there are: from, to, commodity, amount'
    assert refused["detail"].endswith(said)
    french = problem(started.banker.post("rulings", wrong, Accept_Language="fr"), 422, "invalid-parameters")
    assert french["detail"].endswith("\u00a0; il y a\u00a0: from, to, commodity, amount")
    dismissed = started.banker.post("rulings", ordered({"op": "dismiss", "seat": "bob"}))
    of_another = problem(dismissed, 422, "invalid-parameters")
    assert of_another["detail"].endswith("there are: op, reason")
    whole = problem(started.banker.post("rulings", ordered() | {"why": "so"}), 422, "invalid-request")
    assert "there are: " in whole["detail"]


@pytest.fixture(scope="module")
def every_game(store: Store, _time: Clock) -> FlaskClient:
    """A client of a service of all games."""
    ledger = Ledger(store, rulebooks_by_id(), clock=_time, chance=chance_of_a_test())
    return create_app(ledger, Config(requests_per_minute=None)).test_client()


def table_of(client: FlaskClient, rulebook: Rulebook[Any]) -> HttpTable:
    seats = ("ana", "bob", "cid", "dan")[: rulebook.players[0]]
    return HttpTable.created(client, *seats, rulebook=rulebook.id, settings={})


def refused(table: HttpTable, remedy: dict[str, Any], language: str = "en") -> dict[str, Any]:
    """How a ruling with this remedy is refused for its shape."""
    answer = table.banker.post("rulings", ordered(remedy), **{"Accept-Language": language})
    return problem(answer, 422, "invalid-parameters")


def op_of(remedy: Any) -> str:
    return str(remedy.__struct_config__.tag)


GAMES = pytest.mark.parametrize("rulebook", rulebooks_by_id().values(), ids=rulebooks_by_id())


@GAMES
def test_every_remedy_of_every_game_names_its_members(every_game: FlaskClient, rulebook: Rulebook[Any]) -> None:
    table = table_of(every_game, rulebook)
    for remedy in remedies_of(rulebook):
        names = ", ".join(["op", *(one.encode_name for one in msgspec.structs.fields(remedy))])
        wrong = {"op": op_of(remedy), "nonsense": 1}
        assert refused(table, wrong)["errors"][0]["pointer"] == "/remedies/0/nonsense"
        assert refused(table, wrong)["detail"].endswith(f"there are: {names}")
        assert refused(table, wrong, "fr")["detail"].endswith(f"il y a\u00a0: {names}")


@GAMES
def test_a_remedy_that_there_is_not_is_refused_with_those_that_there_are(
    every_game: FlaskClient, rulebook: Rulebook[Any]
) -> None:
    """Of a name that no remedy has, and without one; so are the edits of a correction."""
    table = table_of(every_game, rulebook)
    ops = ", ".join(map(op_of, remedies_of(rulebook)))
    for wrong in ({"op": "nonsense"}, {"seat": "ana"}):
        assert refused(table, wrong)["detail"].endswith(f"there are: {ops}")
        assert refused(table, wrong, "fr")["detail"].endswith(f"il y a\u00a0: {ops}")
    assert "'nonsense' n'est pas une des valeurs possibles" in refused(table, {"op": "nonsense"}, "fr")["detail"]
    edits = {"op": "correct", "edits": [{"op": "nonsense"}]}
    assert refused(table, edits)["detail"].endswith("there are: drop, replace, insert, rewind, amend")
    edits = {"op": "correct", "edits": [{"op": "drop", "number": 3}]}
    assert refused(table, edits)["detail"].endswith("there are: op, action")


@GAMES
def test_every_remedy_takes_the_same_reasons(every_game: FlaskClient, rulebook: Rulebook[Any]) -> None:
    """A reason has 1 to 4000 characters, or there is none."""
    table = table_of(every_game, rulebook)
    wrong = ((5, "a text or null is needed"), ("", "at least 1 character"), ("x" * 4001, "at most 4000"))
    for op in map(op_of, remedies_of(rulebook)):
        for reason, said in wrong:
            found = refused(table, {"op": op, "reason": reason})
            assert (found["errors"][0]["pointer"], said in found["detail"]) == ("/remedies/0/reason", True), op
        for fit in (None, "x" * 4000):
            answer = table.banker.post("rulings", ordered({"op": op, "reason": fit}))
            assert "/remedies/0/reason" not in answer.text, op
