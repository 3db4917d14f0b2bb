"""Forms: the schema of every parameter says what it is, in both languages, and takes what the game takes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from ledger import rulebooks
from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.words.forms import form_of
from tests.example import RULEBOOKS as EXAMPLES
from tests.golden import entries_of, rulebook_of

RULEBOOKS = (*rulebooks.rulebooks_by_id().values(), *EXAMPLES)

every_rulebook = pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda one: one.id)

KINDS = {
    *("seat", "place", "title", "commodity", "card", "die", "draw", "account", "agreement", "disruption"),
    *("amount", "quantity", "text", "flag", "enum", "action", "rule", "dispute", "question", "answer", "good"),
    "choice",
    *(
        "list",
        "map",
        "legs",
        "edits",
        "remedies",
        "postings",
        "kind",
        "params",
        "new_action",
        "players",
        "settings",
    ),
    *("pick", "picks", "bonus", "bonuses", "performed", "groups"),
}


def parameters(rulebook: Rulebook[Any], language: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every parameter of every kind of action, and every member of the objects inside, with its schema."""
    for kind in rulebook.actions:
        form = form_of(rulebook, kind, language)
        for name, found in form["properties"].items():
            yield f"{kind}.{name}", found
        for holder, one in form.get("$defs", {}).items():
            for name, found in one.get("properties", {}).items():
                yield f"{kind}.{holder}.{name}", found


def parts(found: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The schema of a value and those of its parts."""
    yield found
    inside = [*found.get("anyOf", ()), *found.get("prefixItems", ())]
    inside += [found[name] for name in ("items", "additionalProperties") if isinstance(found.get(name), dict)]
    for one in inside:
        yield from parts(one)


@every_rulebook
def test_every_parameter_says_what_it_is(rulebook: Rulebook[Any]) -> None:
    for name, found in parameters(rulebook, "en"):
        assert found.get("x-kind") in KINDS, name
        if found["x-kind"] == "list":
            assert all(one.get("x-kind") in KINDS for one in parts(found) if one.get("type") != "null"), name
        if found["x-kind"] == "agreement":
            assert found["x-collection"] in rulebook.agreements.agreement_types, name


@every_rulebook
def test_every_parameter_has_a_title_and_a_description_in_both_languages(rulebook: Rulebook[Any]) -> None:
    french = dict(parameters(rulebook, "fr"))
    for name, found in parameters(rulebook, "en"):
        for one in (found, french[name]):
            assert one.get("title"), name
            assert one.get("description", "").endswith("."), name
        assert found["description"] != french[name]["description"], name


@every_rulebook
def test_no_object_in_a_parameter_has_the_name_of_a_type_as_its_title(rulebook: Rulebook[Any]) -> None:
    for kind in rulebook.actions:
        for holder, one in form_of(rulebook, kind, "fr").get("$defs", {}).items():
            assert one.get("title") is None or "op" in one["properties"], f"{kind}: {holder}"


@every_rulebook
def test_every_value_of_an_enumeration_has_a_label(rulebook: Rulebook[Any]) -> None:
    for name, found in parameters(rulebook, "en"):
        for one in parts(found):
            if "enum" in one and found["x-kind"] in {"enum", "seat"}:
                assert one.get("x-labels", {}).keys() == set(one["enum"]), name
                assert all(label["en"] and label["fr"] for label in one["x-labels"].values()), name


@every_rulebook
def test_every_order_of_a_ruling_is_a_sentence_with_blanks(rulebook: Rulebook[Any]) -> None:
    for language in ("en", "fr"):
        form = form_of(rulebook, "rule", language)
        orders = form["properties"]["remedies"]["items"]["discriminator"]["mapping"].values()
        for name in [*orders, "#/$defs/Transfer"]:
            order = form["$defs"][name.rpartition("/")[2]]
            blanks = re.findall(r"\{(\w+)\}", order["x-sentence"])
            assert sorted(blanks) == sorted(set(order["properties"]) - {"op", "reason"}), name
            if name in orders:
                assert order["x-purpose"]["label"], name


def test_a_form_in_french() -> None:
    """What the page of a French banker shows for a favour with the police."""
    form = form_of(rulebooks.rulebooks_by_id()["negopoly"], "waive_police", "fr")
    assert form["title"] == "demander à la police de ne pas contrôler ou de ne pas arrêter un joueur"
    assert form["required"] == ["target", "measure"]
    assert form["properties"] == {
        "target": {
            "type": "string",
            "minLength": 1,
            "maxLength": 40,
            "x-kind": "seat",
            "title": "Qui",
            "description": "Le siège visé ou concerné.",
        },
        "measure": {
            "enum": ["arrest", "check"],
            "x-kind": "enum",
            "x-labels": {
                "arrest": {"en": "the arrest", "fr": "l'arrestation"},
                "check": {"en": "the check", "fr": "le contrôle"},
            },
            "title": "Mesure",
            "description": "Ce que la police ne fait plus, ou peut faire à nouveau.",
        },
    }


def altered(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Parameters that a careless client sends in their place."""
    yield {**params, "colour": "red"}
    for name, value in params.items():
        yield {one: other for one, other in params.items() if one != name}
        for other in (None, True, -1, 10**19, "", "x" * 5000, 1.5, [], {}, [value], [value] * 3, {"a": value}):
            yield {**params, name: other}


@pytest.mark.parametrize("name", ["negopoly_v7", "negopoly_v13", "negoces2_v3"])
def test_a_form_takes_what_the_game_takes(name: str) -> None:
    """All that was done in these games fits its form; what is altered fits where it can be decoded."""
    rulebook = rulebook_of(name)
    once = {
        (entry.kind, *rulebook.codec.params(entry.kind, bytes(entry.params))): entry for entry in entries_of(name)
    }
    for entry in once.values():
        form = jsonschema_rs.validator_for(form_of(rulebook, entry.kind, "en"))
        params = rulebook.codec.params(entry.kind, bytes(entry.params))
        assert form.is_valid(params), entry.kind
        for wrong in altered(params):
            try:
                rulebook.codec.action(entry.kind, msgspec.json.encode(wrong))
            except Malformed:
                assert not form.is_valid(wrong), (entry.kind, wrong)
            else:
                assert form.is_valid(wrong), (entry.kind, wrong)
