"""Moves as the API offers them, as actions that can be sent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any


def actions_of(moves: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Each action that the moves offer, option by option: {"kind", "params"}."""
    for move in moves:
        params = move["params"]
        if "choice" not in move:
            yield {"kind": move["kind"], "params": params}
            continue
        name = move["choice"]["parameter"]
        for option in move["choice"]["options"]:
            chosen = {name: option["value"], **option.get("params", {})}
            yield {"kind": move["kind"], "params": {**params, **chosen}}
