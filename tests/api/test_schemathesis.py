"""Requests generated from the API's description: every answer matches the description."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from ledger.rulebooks.negopoly import RULEBOOK
from tests.harness.attempts import GAME
from tests.properties.commands import SOAK
from tests.tables.over_http import BASE, HttpTable

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
ACTIONS = BASE + "/games/{game}/actions"
ROLES = ("banker", "ana", "spectator", "stranger")


def bounded(examples: int) -> settings:
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )


def nothing_to_get_wrong(operation: dict[str, Any]) -> bool:
    """Whether a request has no body, and no parameter but headers that may be any text."""
    given = [(one["in"], one["schema"]) for one in operation["parameters"]]
    return "requestBody" not in operation and all(one == ("header", {"type": "string"}) for one in given)


def described(app: Flask, document: dict[str, Any]) -> Any:
    schema = schemathesis.openapi.from_dict(document)
    schema.app = app
    return schema


def sent(table: HttpTable, case: Case, role: str) -> Any:
    """Send a generated request with a token of the table, mostly to its game, and check the answer."""
    token = getattr(table, role).token
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    # Schemathesis would ask for gzip, but does not decompress the answer.
    headers["Accept-Encoding"] = "identity"
    # Streams are answered by the front of a worker, which is not here: without it they are refused (503).
    checks = [check for check in CHECKS if check is not not_a_server_error or not case.path.endswith("/stream")]
    return case.call_and_validate(headers=headers, checks=checks)


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_every_operation(new_app: Callable[..., Flask], mode: GenerationMode) -> None:
    """Each made-up request is sent by everybody there is, each to a game of their own."""
    app = new_app()
    tables = {role: HttpTable.created(app.test_client()).start() for role in ROLES}
    opened = {
        table.ana.post("disputes", {"claim": "That was too soon", "actions": [6]}).json["number"]
        for table in tables.values()
    }
    schema = described(app, app.test_client().get("/openapi.json").json)
    known = {
        "dispute": [str(number) for number in opened],
        "game": [GAME],
        "rulebook": ["negopoly"],
        "account": ["player:ana", "bank", "nobody"],
        "collection": ["deals", "bounties", "meetings"],
        "action": ["1", "3.1", "99"],
        "kind": ["roll_dice", "fly"],
        "rule": ["I.B.6", "Z.9"],
    }
    answered: dict[str, set[str]] = {role: set() for role in ROLES}
    asked: set[str] = set()
    examples = 8 if SOAK else 2 if mode is GenerationMode.POSITIVE else 1
    for result in schema.get_all_operations():
        operation = result.ok()

        @bounded(examples)
        @given(case=operation.as_strategy(generation_mode=mode), data=st.data())
        def made_up(case: Case, data: st.DataObject) -> None:
            # The first request asks for what there is.
            exists = case.operation.label not in asked
            asked.add(case.operation.label)
            for name in case.path_parameters or {}:
                if name in known and (name == "game" or exists or data.draw(st.booleans())):
                    case.path_parameters[name] = data.draw(st.sampled_from(known[name]))
            for role, table in tables.items():
                if "game" in (case.path_parameters or {}):
                    case.path_parameters["game"] = table.game
                if sent(table, case, role).status_code < 300:
                    answered[role].add(case.operation.label)

        try:
            made_up()
        except Unsatisfiable:
            assert mode is GenerationMode.NEGATIVE
            assert nothing_to_get_wrong(operation.definition.raw), operation.label
    if mode is GenerationMode.POSITIVE:
        # The requests must get past the check of the token.
        looks = ("", "/state", "/accounts", "/moves", "/disputes", "/disputes/{dispute}", "/rulings")
        for role in ("banker", "ana", "spectator"):
            assert {f"GET {BASE}/games/{{game}}{what}" for what in looks} <= answered[role]


def test_every_kind_of_action(new_app: Callable[..., Flask]) -> None:
    """The banker requests every kind of action for Ana, with generated parameters of the right shape."""
    app = new_app()
    table = HttpTable.created(app.test_client()).start()
    document = app.test_client().get("/openapi.json").json
    template = "#/components/schemas/{name}"
    shapes, components = msgspec.json.schema_components(list(RULEBOOK.actions.values()), ref_template=template)
    document["components"]["schemas"].update(components)
    posting = document["paths"][ACTIONS.format(game="{game}")]["post"]
    seat = {"type": "string", "enum": ["ana", "bob"]}
    document["paths"] = {
        ACTIONS.format(game=f"{{{kind}}}"): {
            "parameters": [{"name": kind, "in": "path", "required": True, "schema": {"const": table.game}}],
            "post": posting
            | {
                "operationId": kind,
                "parameters": [],
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {
                            "schema": {
                                "type": "object",
                                "properties": {"kind": {"const": kind}, "params": shape, "seat": seat},
                                "required": ["kind", "params", "seat"],
                                "additionalProperties": False,
                            }
                        }
                    },
                },
            },
        }
        for kind, shape in zip(RULEBOOK.actions, shapes, strict=True)
    }
    schema = described(app, document)
    outcomes = set()
    for kind in RULEBOOK.actions:
        operation = schema[ACTIONS.format(game=f"{{{kind}}}")]["POST"]

        @bounded(3 if SOAK else 1)
        @given(case=operation.as_strategy(generation_mode=GenerationMode.POSITIVE))
        def made_up(case: Case) -> None:
            outcomes.add(sent(table, case, "banker").status_code)

        made_up()
    assert {201, 409} <= outcomes
    assert 500 not in outcomes
