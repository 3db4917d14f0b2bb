"""Remedies over HTTP: a dry run that writes nothing, the ruling in both languages, its line of the audit."""

from __future__ import annotations

from typing import Any

from tests.tables.over_http import HttpTable

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
        "Le tour d'Ana se termine : par une décision.",
        "Par une décision, c'est le round 3 au lieu du round 1.",
        "Le tour de Bob au round 3 commence.",
        "Par une décision, 2 rackets d'Ana attendent le prochain prisonnier.",
        "Le banquier tranche : So it stands.",
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
