"""The description of the API is complete and correct, and its page needs no other host."""

import json
import re
import shlex
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest
import schemathesis
from flask.testing import FlaskClient

from api.console.describe import description
from api.rest.description.components import name_of
from api.rest.description.schemas import DOCUMENTED
from ledger.rulebooks import rulebooks_by_id
from ledger.rulebooks.negopoly import RULEBOOK
from tests.tables.over_http import BASE, HttpTable, problem


@pytest.fixture
def document(client: FlaskClient) -> dict[str, Any]:
    answer = client.get("/openapi.json")
    assert answer.content_type == "application/json"
    found: dict[str, Any] = answer.json
    return found


NOT_HERE = ("/stream", "/ca.crt", "/dice")
"""A table without HTTPS and shared throws has none of these."""


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in document["paths"].items():
        for method in ("get", "post", "put", "patch", "delete"):
            if method in item:
                yield path, method, item[method]


def operations_of(document: dict[str, Any]) -> Iterator[str]:
    yield from (described["operationId"] for _, _, described in operations(document))


def references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for inner in part.values():
            yield from references(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from references(inner)


def test_it_is_openapi_3_1_and_can_be_loaded(client: FlaskClient, document: dict[str, Any]) -> None:
    assert document["openapi"] == "3.1.0"
    schema = schemathesis.openapi.from_dict(document)
    schema.validate()
    assert all(result.ok() for result in schema.get_all_operations())


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    for reference in references(document):
        place: Any = document
        for step in reference.removeprefix("#/").split("/"):
            assert step in place, reference
            place = place[step]


def test_every_schema_has_a_name_of_its_own(document: dict[str, Any]) -> None:
    """Generated clients name their classes after the schemas. Two types of one name would get longer names."""
    names = list(document["components"]["schemas"])
    assert {name_of(kind) for kind in DOCUMENTED} <= set(names)
    assert [name for name in names if re.fullmatch(r"([A-Z][a-z0-9]+)+", name) is None] == []
    assert len({name.casefold() for name in names}) == len(names)


def test_every_operation_is_described(document: dict[str, Any]) -> None:
    names = set()
    for path, method, described in operations(document):
        where = f"{method} {path}"
        assert described["summary"], where
        assert described["operationId"] not in names, where
        names.add(described["operationId"])
        assert described["responses"], where
        in_path = set(re.findall(r"{(\w+)}", path))
        given = [*document["paths"][path].get("parameters", []), *described["parameters"]]
        assert in_path == {row["name"] for row in given if row["in"] == "path"}, where
        secured = path.startswith((f"{BASE}/games", f"{BASE}/rulings", f"{BASE}/me", "/metrics"))
        # A service with a key of its own asks for it there, any other one for nothing.
        optional = (path, method) in {
            *((f"{BASE}/games", method) for method in ("get", "post")),
            (f"{BASE}/demo", "post"),
            ("/metrics", "get"),
        }
        secured |= optional
        assert described["security"] == ([{}] if optional else []) + ([{"token": []}] if secured else []), where
        for status, answer in described["responses"].items():
            if status >= "400":
                found = document["components"]["responses"][answer["$ref"].rpartition("/")[2]]
                assert list(found["content"]) == ["application/problem+json"], where


@pytest.mark.parametrize(
    "resource",
    [
        "get /rulebooks",
        "get /rulebooks/{rulebook}",
        "get /rulebooks/{rulebook}/actions",
        "get /rulebooks/{rulebook}/actions/{kind}",
        "get /rulebooks/{rulebook}/rules",
        "get /rulebooks/{rulebook}/settings",
        "get /games/{game}/rules",
        "get /games/{game}/rules/{rule}",
        "get /rulebooks/{rulebook}/rules/{rule}",
        "post /games",
        "get /games",
        "get /games/{game}",
        "post /games/{game}/actions",
        "get /games/{game}/actions",
        "get /games/{game}/actions/{action}",
        "get /games/{game}/moves",
        "get /games/{game}/state",
        "get /games/{game}/accounts",
        "get /games/{game}/accounts/{account}",
        "get /games/{game}/accounts/{account}/statement",
        "get /games/{game}/obligations",
        "get /games/{game}/{collection}",
        "post /games/{game}/corrections",
        "post /games/{game}/undo",
        "post /games/{game}/redo",
        "get /games/{game}/disputes",
        "post /games/{game}/disputes",
        "get /games/{game}/disputes/{dispute}",
        "post /games/{game}/disputes/{dispute}/statements",
        "post /games/{game}/disputes/{dispute}/withdrawal",
        "post /games/{game}/disputes/{dispute}/acceptance",
        "post /games/{game}/disputes/{dispute}/rulings",
        "get /games/{game}/rulings",
        "post /games/{game}/rulings",
        "get /rulings",
        "get /games/{game}/export",
        "get /games/{game}/statistics",
        "get /games/{game}/tokens",
        "post /games/{game}/tokens/{token}/replacement",
        "delete /games/{game}/tokens/{token}",
    ],
)
def test_the_resource_is_there(document: dict[str, Any], resource: str) -> None:
    method, _, path = resource.partition(" ")
    assert method in document["paths"][BASE + path]


def test_the_filters_of_the_journal_are_described(document: dict[str, Any]) -> None:
    rows = document["paths"][f"{BASE}/games/{{game}}/actions"]["get"]["parameters"]
    in_query = {row["name"] for row in rows if row["in"] == "query"}
    assert in_query == {
        *("seat", "kind", "account", "commodity", "rule", "status", "since", "until"),
        *("order", "limit", "cursor", "at", "known_at", "around", "numbers", "totals", "q"),
    }


def test_the_page_needs_no_other_host(client: FlaskClient) -> None:
    page = client.get("/docs")
    assert page.content_type == "text/html; charset=utf-8"
    assert "<script>" not in page.text
    linked = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert len(linked) >= 3
    for target in linked:
        assert not re.match(r"(?:[a-z]+:)?//", target), target
        assert client.get(f"/{target}").status_code == 200
    for file in ("start.js", "page.css"):
        assert "http:" not in client.get(f"/docs/{file}").text
    assert "cdn.redoc.ly" not in client.get("/docs/redoc.js").text
    shown = re.findall(r'data-document="([^"]+)"', page.text)
    assert shown == ["openapi.json?rulebook=negopoly"]
    assert client.get(f"/{shown[0]}").status_code == 200
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "connect-src 'self'" in policy
    assert "http" not in policy


@pytest.mark.parametrize("path", ["/openapi.json", "/docs"])
@pytest.mark.parametrize("query", ["rulebook=chess", "rulebook=", "rulebook=negopoly&rulebook=negoces2", "page=1"])
def test_another_rulebook_is_refused_with_those_that_there_are(client: FlaskClient, path: str, query: str) -> None:
    refused = problem(client.get(f"{path}?{query}"), 422, "invalid-request")
    assert query.startswith(refused["errors"][0]["parameter"])
    assert "chess" not in query or "negopoly" in refused["detail"]


def test_the_description_of_one_rulebook_has_no_other() -> None:
    """It has the same operations, and of the kinds those of one game: each says its rules."""
    document, found = (json.loads(description(rulebooks_by_id(), shown)) for shown in ("", "negopoly"))
    assert list(operations_of(found)) == list(operations_of(document))
    schemas = found["components"]["schemas"]
    assert "Negoces2Action" not in schemas
    assert "Negoces2Action" in document["components"]["schemas"]
    bought = schemas["NegopolyBuyPrescriptionAction"]["properties"]["kind"]
    assert bought["const"] == "buy_prescription"
    assert "VI.C.3" in bought["description"]
    for reference in references(found):
        assert reference.rpartition("/")[2] in schemas or "/responses/" in reference or "/parameters/" in reference
    assert schemathesis.openapi.from_dict(found).validate() is None


def test_what_is_said_of_a_parameter_is_accepted(document: dict[str, Any]) -> None:
    """Nobody can send a null in a query, and any list of languages is taken."""
    for path, method, described in operations(document):
        for row in described["parameters"]:
            schema = row["schema"]
            assert isinstance(schema.get("type", "string"), str), (path, method, row)
            assert None not in schema.get("enum", ()), (path, method, row)
            assert row["name"] != "Accept-Language" or schema == {"type": "string"}


def test_every_operation_has_a_command(client: FlaskClient, started: HttpTable, document: dict[str, Any]) -> None:
    """The command asks for the operation, with a token where it may need one; those that only read are tried."""
    tried = 0
    for path, method, described in operations(document):
        (sample,) = described["x-codeSamples"]
        words = shlex.split(sample["source"].replace("\\\n", " "))
        assert words[0] == "curl"
        assert (words[2] if words[1] == "-X" else "GET") == method.upper()
        assert ("Authorization: Bearer $TOKEN" in words) == ({"token": []} in described["security"])
        (address,) = [one.removeprefix("$URL") for one in words if one.startswith("$URL")]
        assert address.partition("?")[0] == re.sub(r"{(\w+)}", lambda found: f"${found[1].upper()}", path)
        if "-d" in words:
            json.loads(words[words.index("-d") + 1])
        address = address.replace("$GAME", started.game).replace("$RULEBOOK", "negopoly")
        if method == "get" and "$" not in address and not address.endswith(NOT_HERE):
            token = {"Authorization": f"Bearer {started.banker.token}"}
            assert client.get(address, headers=token).status_code == 200, address
            tried += 1
    assert tried > 25


def test_secure_headers_are_everywhere(client: FlaskClient, table: HttpTable) -> None:
    for path in ("/healthz", "/openapi.json", "/docs", "/nothing", f"{BASE}/games/{table.game}"):
        answer = client.get(path)
        assert answer.headers["X-Content-Type-Options"] == "nosniff", path
        assert answer.headers["Referrer-Policy"] == "no-referrer", path
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"], path


def test_only_configured_origins_may_call(new_app, client: FlaskClient) -> None:
    ours, other = {"Origin": "https://table.example"}, {"Origin": "https://evil.example"}
    preflight = {"Access-Control-Request-Method": "POST"}
    assert "Access-Control-Allow-Origin" not in client.get("/healthz", headers=ours).headers
    with new_app(cors_origins=("https://table.example",)).test_client() as calling:
        allowed = calling.get("/healthz", headers=ours)
        assert allowed.headers["Access-Control-Allow-Origin"] == "https://table.example"
        assert "ETag" in allowed.headers["Access-Control-Expose-Headers"]
        assert "Origin" in allowed.headers.getlist("Vary")
        refused = calling.get("/healthz", headers=other)
        assert "Access-Control-Allow-Origin" not in refused.headers
        assert "Origin" in refused.headers.getlist("Vary")
        answer = calling.options(f"{BASE}/games", headers=ours | preflight)
        assert answer.status_code == 204
        for name in ("Authorization", "If-Match", "Idempotency-Key"):
            assert name in answer.headers["Access-Control-Allow-Headers"]
        assert "POST" in answer.headers["Access-Control-Allow-Methods"]
        assert (
            "Access-Control-Allow-Origin"
            not in calling.options(f"{BASE}/games", headers=other | preflight).headers
        )
        problem = calling.get("/nothing", headers=ours)
        assert problem.headers["Access-Control-Allow-Origin"] == "https://table.example"


def test_the_rulebook(client: FlaskClient) -> None:
    answer = client.get(f"{BASE}/rulebooks/negopoly")
    rulebook = answer.json
    face = rulebook["board"]["face"]
    assert client.get(f"{BASE}/rulebooks").json == {
        "rulebooks": [{"id": "negopoly", "title": "Negopoly", "players": {"fewest": 2, "most": 8}, "face": face}]
    }
    assert rulebook["settings"]["properties"]["starting_balance"]["default"] == 1500
    assert len(rulebook["squares"]) == len(rulebook["board"]["places"]) == 40
    assert len(rulebook["components"]["titles"]) == 22
    assert "bounties" in rulebook["agreements"]
    same = client.get(f"{BASE}/rulebooks/negopoly", headers={"If-None-Match": answer.headers["ETag"]})
    assert same.status_code == 304


def test_the_catalogue_of_actions(client: FlaskClient) -> None:
    actions = client.get(f"{BASE}/rulebooks/negopoly/actions").json["actions"]
    assert [action["kind"] for action in actions] == list(RULEBOOK.actions)
    for action in actions:
        assert action == client.get(f"{BASE}/rulebooks/negopoly/actions/{action['kind']}").json
        assert action["rules"]
        assert action["parameters"]["type"] == "object"
        jsonschema_rs.validator_for(action["parameters"])
    giving = next(action for action in actions if action["kind"] == "transfer_money")
    parameters = jsonschema_rs.validator_for(giving["parameters"])
    assert parameters.is_valid({"to": "bob", "amount": 5})
    assert not parameters.is_valid({"to": "bob", "amount": 0})
    assert not parameters.is_valid({"to": "bob", "amount": 5, "tip": 1})
    assert not parameters.is_valid({"amount": 5})


def test_the_settings_of_a_rulebook(client: FlaskClient) -> None:
    answer = client.get(f"{BASE}/rulebooks/negopoly/settings").json
    assert answer["rulebook"] == "negopoly"
    assert answer["settings"] == client.get(f"{BASE}/rulebooks/negopoly").json["settings"]


def test_the_register_of_rules(client: FlaskClient) -> None:
    rules = client.get(f"{BASE}/rulebooks/negopoly/rules").json["rules"]
    assert len(rules) == len(RULEBOOK.register)
    category = rules[0]["category"]
    chosen = client.get(f"{BASE}/rulebooks/negopoly/rules?category={category}").json["rules"]
    assert 0 < len(chosen) < len(rules)
    assert {rule["category"] for rule in chosen} == {category}
    found = client.get(f"{BASE}/rulebooks/negopoly/rules?words=LOAN+spawn").json["rules"]
    assert "X.C.3" in {rule["id"] for rule in found}
    assert all("loan" in str(rule).casefold() and "spawn" in str(rule).casefold() for rule in found)
    rule = client.get(f"{BASE}/rulebooks/negopoly/rules/X.C.2").json
    assert ("total outstanding principal" in rule["decision"], rule["settings"]) == (True, ["loan_cap_total"])
    rule = client.get(f"{BASE}/rulebooks/negopoly/rules/VI.F.2").json
    assert (rule["id"], rule["article"]) == ("VI.F.2", "VI.F")
    assert rule in rules
