"""The examples in the API's description: requests of one evening, and the answers that they got.

`examples.json` has them by operation. They were recorded, not written: `make examples` plays the evening again and
records it. Long lists are cut.
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
    """The recorded examples by the ids of their operations."""
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, Example])


def illustrate(document: dict[str, Any]) -> None:
    """Put the examples into a description, and for each operation a command that asks for it."""
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
    """The operation as a command for curl. `$URL`, `$TOKEN`, `$GAME`, … stand for what the reader has."""
    needed = [one for one in described["parameters"] if one["in"] == "query" and one.get("required")]
    query = "&".join(f"{one['name']}={_sample(one)}" for one in needed)
    place = re.sub(r"{(\w+)}", lambda found: f"${found[1].upper()}", address) + (query and f"?{query}")
    parts = ["curl"] if method == "get" else [f"curl -X {method.upper()}"]
    parts += ["-N"] if "text/event-stream" in described["responses"].get("200", {}).get("content", ()) else []
    lines = [" ".join((*parts, f'"$URL{place}"'))]
    if {"token": []} in described["security"]:
        lines.append('-H "Authorization: Bearer $TOKEN"')
    if "requestBody" in described:
        body = {} if request is msgspec.UNSET else request
        lines += ["-H 'Content-Type: application/json'", f"-d {shlex.quote(json.dumps(body, ensure_ascii=False))}"]
    return " \\\n  ".join(lines)


def _sample(parameter: dict[str, Any]) -> str:
    """A value for a parameter that is needed: the first that is allowed, or one of the reader's."""
    allowed = parameter["schema"].get("enum")
    return str(allowed[0]) if allowed else f"${parameter['name'].upper()}"


def _problem(status: str) -> dict[str, Any]:
    """A problem of this status, in words."""
    number = HTTPStatus[status].value
    kind, known = next((kind, one) for kind, one in KINDS.items() if one.status == number)
    return {
        "type": f"/problems/{kind}",
        "title": known.title["en"],
        "status": number,
        "detail": known.meaning["en"],
    }
