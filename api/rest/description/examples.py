"""The examples in the API description: requests of one evening, with their answers.

`examples.json` has the examples by operation. They are recorded, not written by hand: `make examples` plays the
evening again and records everything. Long lists are cut.
"""

from __future__ import annotations

import json
import re
import shlex
from http import HTTPStatus
from pathlib import Path
from typing import Any

import msgspec

from api.rest.problems.kinds import KINDS

FILE = Path(__file__).with_name("examples.json")


class Example(msgspec.Struct, frozen=True, omit_defaults=True):
    """A request of an operation, and its answers by status."""

    answers: dict[str, Any]
    request: Any = msgspec.UNSET


def recorded() -> dict[str, Example]:
    """Return the recorded examples by operation id."""
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, Example])


def illustrate(document: dict[str, Any]) -> None:
    """Add the examples to a description, and a command for each operation."""
    examples = recorded()
    for address, path in document["paths"].items():
        for method, described in path.items():
            if "operationId" not in described:
                continue
            example = examples.get(described["operationId"])
            request = msgspec.UNSET if example is None else example.request
            command = _command(method, address, described, request)
            described["x-codeSamples"] = [{"lang": "Shell", "label": "curl", "source": command}]
            if example is None:
                continue
            if example.request is not msgspec.UNSET and "requestBody" in described:
                described["requestBody"]["content"]["application/json"]["example"] = example.request
            for status, content in example.answers.items():
                if status in described["responses"]:
                    described["responses"][status]["content"]["application/json"]["example"] = content
    for name, response in document["components"].get("responses", {}).items():
        for content in response["content"].values():
            content["example"] = _problem(name)


def _command(method: str, address: str, described: dict[str, Any], request: Any) -> str:
    """Write the operation as a curl command. `$URL`, `$TOKEN`, `$GAME`, … stand for values of the reader."""
    needed = [
        parameter
        for parameter in described["parameters"]
        if parameter["in"] == "query" and parameter.get("required")
    ]
    query = "&".join(f"{parameter['name']}={_sample(parameter)}" for parameter in needed)
    path = re.sub(r"{(\w+)}", lambda matched: f"${matched[1].upper()}", address) + (query and f"?{query}")
    parts = ["curl"] if method == "get" else [f"curl -X {method.upper()}"]
    parts += ["-N"] if "text/event-stream" in described["responses"].get("200", {}).get("content", ()) else []
    lines = [" ".join((*parts, f'"$URL{path}"'))]
    if {"token": []} in described["security"]:
        lines.append('-H "Authorization: Bearer $TOKEN"')
    if "requestBody" in described:
        body = {} if request is msgspec.UNSET else request
        lines += ["-H 'Content-Type: application/json'", f"-d {shlex.quote(json.dumps(body, ensure_ascii=False))}"]
    return " \\\n  ".join(lines)


def _sample(parameter: dict[str, Any]) -> str:
    """Return a value for a required parameter: the first allowed value, or a variable."""
    allowed = parameter["schema"].get("enum")
    return str(allowed[0]) if allowed else f"${parameter['name'].upper()}"


def _problem(status: str) -> dict[str, Any]:
    """Build an example problem of this status."""
    number = HTTPStatus[status].value
    kind, documented = next((kind, entry) for kind, entry in KINDS.items() if entry.status == number)
    return {
        "type": f"/problems/{kind}",
        "title": documented.title.en,
        "status": number,
        "detail": documented.meaning.en,
    }
