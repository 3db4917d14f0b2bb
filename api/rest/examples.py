"""The examples in the API's description: requests of one evening, and the answers that they got.

`examples.json` has them by operation. They were recorded, not written: `make examples` plays the evening again and
records it. Long lists are cut.
"""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path
from typing import Any

import msgspec

from api.rest.problem_kinds import KINDS

FILE = Path(__file__).with_name("examples.json")


class Example(msgspec.Struct, frozen=True, omit_defaults=True):
    """A request of an operation, and its answers by status."""

    answers: dict[str, Any]
    request: Any = msgspec.UNSET


def recorded() -> dict[str, Example]:
    """The recorded examples by the ids of their operations."""
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, Example])


def illustrate(document: dict[str, Any]) -> None:
    """Put the examples into a description."""
    examples = recorded()
    for path in document["paths"].values():
        for described in path.values():
            example = examples.get(described["operationId"]) if "operationId" in described else None
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
