"""Every operation is described and shown by examples: requests of an evening, and their answers."""

from typing import Any

import pytest
from flask import Flask

from api.rest.application import Config, create_app
from api.rest.description.unions import camel_case
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger
from ledger.store.store import Store
from tests.api.evening import JSON, checker, operations

HOW = "add what it takes to `evening` in tests/api/evening.py, and run `make examples`"


@pytest.fixture(scope="module")
def document(store: Store) -> dict[str, Any]:
    """The description by a service that knows every rulebook."""
    app: Flask = create_app(Ledger(store, rulebooks_by_id()), Config())
    found: dict[str, Any] = app.test_client().get("/openapi.json").json
    return found


def good(described: dict[str, Any]) -> list[dict[str, Any]]:
    """The answers of an operation that are no problems."""
    return [answer for status, answer in described["responses"].items() if status < "300"]


def test_every_operation_says_what_it_does(document: dict[str, Any]) -> None:
    for _, _, described in operations(document):
        assert described["summary"], described["operationId"]
        assert len(described.get("description", "")) > 20, f"the docstring of {described['operationId']}"


def test_every_operation_has_an_example(document: dict[str, Any]) -> None:
    lacking = set()
    for _, _, described in operations(document):
        answers = [answer["content"][JSON] for answer in good(described) if JSON in answer.get("content", {})]
        if answers and not any("example" in one for one in answers):
            lacking.add(described["operationId"])
        asked = described.get("requestBody", {}).get("content", {}).get(JSON)
        if asked is not None and "example" not in asked:
            lacking.add(described["operationId"])
    assert lacking == set(), HOW


def test_every_example_matches_its_schema(document: dict[str, Any]) -> None:
    """Examples are recorded. When a shape changes, `make examples` records them again."""
    shown = 0
    for _, _, described in operations(document):
        for one in (*good(described), described.get("requestBody", {})):
            for content in one.get("content", {}).values():
                if "example" in content:
                    checker(document, content["schema"]).validate(content["example"])
                    shown += 1
    for problem in document["components"]["responses"].values():
        for content in problem["content"].values():
            checker(document, content["schema"]).validate(content["example"])
    assert shown > 60


def test_no_schema_is_left_without_a_shape(document: dict[str, Any]) -> None:
    """An object says what it holds, and be it anything: else a client in TypeScript takes it for an empty one."""
    for name, schema in document["components"]["schemas"].items():
        for part in parts(schema):
            if part.get("type") == "object":
                assert "properties" in part or "additionalProperties" in part, f"{name}: {part}"


def test_every_time_says_that_it_is_one(document: dict[str, Any]) -> None:
    for name, schema in document["components"]["schemas"].items():
        for part in parts(schema):
            for member, shape in part.get("properties", {}).items():
                if member.endswith("_at") and shape.get("type") == "string":
                    assert shape.get("format") == "date-time" or member in NO_TIMES, f"{name}.{member}"


def test_fixed_sets_of_words_are_told(document: dict[str, Any]) -> None:
    """How an agreement stands is the rulebook's own word."""
    for name, schema in document["components"]["schemas"].items():
        if name.startswith(ENGINES) or "Agreement" in name:
            continue
        for member in ("status", "role", "cascade", "op", "dice"):
            shape = schema.get("properties", {}).get(member, {"enum": ()})
            known = shape.get("type") != "string" or "enum" in shape or "const" in shape
            assert known, f"{name}.{member}"


ENGINES = tuple({camel_case(rulebook.engine) for rulebook in rulebooks_by_id().values()})
"""What the names of the schemas of games begin with."""
NO_TIMES = {"values_at", "ended_at"}
"""Members whose names end like those of times: a place in a text, an action."""


def parts(schema: Any) -> list[dict[str, Any]]:
    """A schema and all schemas in it."""
    if isinstance(schema, list):
        return [part for one in schema for part in parts(one)]
    if not isinstance(schema, dict):
        return []
    inner = [schema.get(name) for name in ("items", "additionalProperties", "anyOf", "oneOf", "allOf")]
    inner += [*schema.get("properties", {}).values(), schema.get("prefixItems")]
    return [schema, *(part for one in inner for part in parts(one))]
