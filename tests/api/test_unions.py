"""What depends on the game is described by a union for each rulebook, made from the types that it declares."""

from typing import Any

import jsonschema_rs
import pytest

from api.rest.description.documentation import component_schemas_of
from api.rest.description.unions import camel_case, remedies_of
from ledger.kernel.facts.events import kind_of
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks import rulebooks_by_id
from tests.tables.over_http import HttpTable

Schemas = dict[str, Any]


@pytest.fixture(scope="module")
def schemas() -> Schemas:
    """The component schemas of a service that knows every rulebook."""
    return component_schemas_of(rulebooks_by_id().values())


def checker(schemas: Schemas, name: str) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(
        {"$ref": f"#/components/schemas/{name}", "components": {"schemas": schemas}}
    )


@pytest.mark.parametrize("rulebook", rulebooks_by_id().values(), ids=lambda one: one.id)
def test_a_rulebook_is_described_by_being_there(schemas: Schemas, rulebook: Rulebook[Any]) -> None:
    """Every kind of action, event, remedy and agreement that a rulebook declares is in the union of its engine.

    Nothing else is there: what an edition has not is declared by another one.
    """
    prefix, editions = camel_case(rulebook.engine), editions_of(rulebook)
    kinds = {
        "Action": {kind for one in editions for kind in one.actions},
        "Event": {kind_of(event) for one in editions for event in one.events.values()},
        "Remedy": {remedy.__struct_config__.tag for one in editions for remedy in remedies_of(one)},
    }
    for union, declared in kinds.items():
        assert set(mapping(schemas[f"{prefix}{union}"])) == declared
        for name in mapping(schemas[f"{prefix}{union}"]).values():
            assert name.rpartition("/")[2] in schemas
    assert set(schemas[f"{prefix}Agreements"]["properties"]) == set(rulebook.agreements.agreement_types)


def editions_of(rulebook: Rulebook[Any]) -> list[Rulebook[Any]]:
    """The rulebooks of the same engine, itself among them."""
    return [one for one in rulebooks_by_id().values() if one.engine == rulebook.engine]


def mapping(schema: Any) -> dict[str, str]:
    """The mapping of the discriminator in a union, however deep it stands."""
    if isinstance(schema, list):
        return next((found for one in schema if (found := mapping(one))), {})
    if not isinstance(schema, dict):
        return {}
    if "discriminator" in schema:
        found: dict[str, str] = schema["discriminator"]["mapping"]
        return found
    return next((found for one in schema.values() if (found := mapping(one))), {})


def test_the_parameters_of_an_action_are_those_of_its_kind(schemas: Schemas) -> None:
    action = checker(schemas, "NegopolyAction")
    assert action.is_valid({"kind": "transfer_money", "params": {"to": "bob", "amount": 5}})
    assert action.is_valid({"kind": "roll_dice", "params": {"dice": [1, 2]}, "seat": "ana", "dry_run": True})
    assert action.is_valid({"kind": "buy_property"})
    assert not action.is_valid({"kind": "transfer_money"})
    assert not action.is_valid({"kind": "transfer_money", "params": {"to": "bob", "amount": 0}})
    assert not action.is_valid({"kind": "transfer_money", "params": {"dice": [1, 2]}})
    assert not action.is_valid({"kind": "fly"})
    assert not action.is_valid({"kind": "buy_property", "tip": 5})
    assert not checker(schemas, "Negoces2Action").is_valid({"kind": "buy_property"})
    assert checker(schemas, "NewAction").is_valid({"kind": "buy_property"})


def test_a_ruling_orders_remedies_of_the_game(schemas: Schemas) -> None:
    ruling = checker(schemas, "NewRuling")
    fine = {"op": "fine", "seat": "ana", "amount": 50}
    assert ruling.is_valid({"finding": "She was late.", "remedies": [fine]})
    assert not ruling.is_valid({"finding": "She was late.", "remedies": [fine | {"amount": "much"}]})
    assert not ruling.is_valid({"finding": "She was late.", "remedies": [{"op": "frown"}]})


def test_an_inserted_action_has_the_parameters_of_its_kind(schemas: Schemas) -> None:
    correction = checker(schemas, "NewCorrection")
    gift = {"kind": "transfer_money", "seat": "ana", "params": {"to": "bob", "amount": 5}}

    def inserting(action: dict[str, Any]) -> dict[str, Any]:
        return {"edits": [{"op": "insert", "after": 7, "action": action}], "reason": "forgotten"}

    assert correction.is_valid(inserting(gift))
    assert not correction.is_valid(inserting(gift | {"params": {"to": "bob"}}))
    assert not correction.is_valid(inserting(gift | {"dry_run": True}))


def test_every_viewers_journal_matches_the_union_of_the_game(schemas: Schemas, gifts: HttpTable) -> None:
    """Also that of viewers who see some actions only in part."""
    gifts.ana.play("propose_deal", parties=["bob"], clauses=["Silence about the cellar"])
    entry, of_another_game = checker(schemas, "NegopolyEntry"), checker(schemas, "Negoces2Entry")
    for viewer in (gifts.banker, gifts.ana, gifts.bob, gifts.spectator):
        for shown in viewer.get("actions").json["actions"]:
            assert entry.is_valid(shown), shown
            assert of_another_game.is_valid(shown) == (shown["kind"] == "private")
            if shown["kind"] == "transfer_money":
                assert not entry.is_valid(shown | {"params": {"amount": "much"}})
                event = shown["events"][0] | {"data": {}}
                assert not entry.is_valid(shown | {"events": [event]})


def test_no_schema_holds_anything_where_the_rulebooks_know_better(schemas: Schemas) -> None:
    for name in ("EntryView", "EventView", "NewAction", "ActionToInsert", "ShownMove", "AgreementView"):
        assert "properties" not in schemas[name], name
    assert schemas["NewRuling"]["properties"]["remedies"]["items"] == {
        "anyOf": [
            {"$ref": f"#/components/schemas/{camel_case(engine)}Remedy"}
            for engine in dict.fromkeys(rulebook.engine for rulebook in rulebooks_by_id().values())
        ]
    }


def test_what_an_answer_always_has_is_required_in_it(schemas: Schemas) -> None:
    """A member with a default may be left out of requests; of answers it is left out only where they omit it."""
    assert "restated" in schemas["EntryFacts"]["required"]
    assert "settled" not in schemas["EntryFacts"]["required"]
    assert schemas["NewUndo"]["required"] == ["reason"]
