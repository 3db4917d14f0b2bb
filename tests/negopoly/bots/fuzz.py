"""Random parameters for actions: drawn from an action's schema over the values of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from math import prod
from random import Random
from typing import Any

import msgspec

from ledger.kernel.rules.actions import Action
from ledger.rulebooks.negopoly.cards.vocabulary import is_card
from ledger.rulebooks.negopoly.table.pieces import ITEMS, TITLES
from ledger.rulebooks.negopoly.table.state import Negopoly

DRAWN = frozenset({"dice", "draws"})
"""Values that only a table's own dice or draws give; moves never contain them."""
_SEATS = (
    "to",
    "target",
    "party",
    "winner",
    "claimant",
    "placer",
    "depositor",
    "giver",
    "taker",
    "buyer",
)
_IDS = ("contract", "deal", "bounty", "loan", "meeting", "question", "disruption", "dispute", "delivery", "card")
_WORDS = ("clauses", "claim", "text", "finding", "reason", "statement", "conditions", "persona", "form")
_EXHAUSTED = 60
"""An action with at most this many possible parameters is tried with all of them."""


class Fuzz:
    """Parameters that a client might send at this table, sensible or not."""

    def __init__(self, state: Negopoly, chance: Random) -> None:
        self.chance = chance
        ended = [one.id for one in state.past]
        seats = sorted(state.seats)
        hands = {one for seat in seats for one in state.holdings.account(f"player:{seat}") if is_card(one)}
        questions = [one.id for one in state.questions]
        answers = [one for question in state.questions for one in ("no", "yes", "use", *question.about.values())]
        agreements = sorted(state.open, key=lambda one: state.open[one].opened)
        disruptions = [one.id for one in state.disruptions]
        ids = [*agreements[-8:], *ended[-3:], *questions, *disruptions, *sorted(state.disputes)[:3]]
        ids += [one.id for one in state.unread]
        goods = sorted({one for seat in seats for one in state.holdings.account(f"player:{seat}")} | set(ITEMS))
        self.strings: dict[str, Sequence[str]] = {
            **dict.fromkeys(_SEATS, seats),
            **dict.fromkeys(_IDS, ids or ["1"]),
            **{name: ["so it is"] for name in _WORDS},
            "card": sorted(one.removeprefix("card:") for one in hands) + (ids or ["1"]),
            "title": list(TITLES),
            "commodity": goods,
            "answer": [one for one in answers if isinstance(one, str)] or ["no"],
            "participants": seats,
            "parties": seats,
            "order": seats,
            "survivors": seats,
            "seats": seats,
        }
        self.squares = range(len(state.board))

    def of(self, action: type[Action], most: int) -> Iterator[dict[str, Any]]:
        """Parameters for a kind of action: all of them when they are few, otherwise this many at random."""
        found, definitions = _schema(action)
        fields = {name: one for name, one in found["properties"].items() if name not in DRAWN}
        plain = {
            name: self._all(name, one, optional=name not in found["required"]) for name, one in fields.items()
        }
        if all(values is not None for values in plain.values()):
            every = {name: values for name, values in plain.items() if values is not None}
            if prod(map(len, every.values())) <= _EXHAUSTED:
                yield from (
                    self._given(dict(zip(every, picked, strict=True))) for picked in product(*every.values())
                )
                return
        for _ in range(most):
            yield self._struct(found, definitions)

    def near(self, action: type[Action], params: Mapping[str, Any], most: int) -> Iterator[dict[str, Any]]:
        """This many variants of these parameters, each with one value changed."""
        found, definitions = _schema(action)
        names = [name for name in found["properties"] if name not in DRAWN]
        for _ in range(most if names else 0):
            name = self.chance.choice(names)
            yield {**params, name: self._value(name, found["properties"][name], definitions)}

    @staticmethod
    def _given(params: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in params.items() if value is not _LEFT_OUT}

    def _all(self, name: str, schema: Mapping[str, Any], *, optional: bool) -> list[Any] | None:
        """Every value of a simple parameter at this table; None when there are too many."""
        left_out = [_LEFT_OUT] if optional else []
        branches = [one for one in schema.get("anyOf", [schema]) if one.get("type") != "null"]
        if len(branches) != 1:
            return None
        (one,) = branches
        if "enum" in one:
            return [*left_out, *one["enum"]]
        match one.get("type"):
            case "boolean":
                return [*left_out, False, True]
            case "string" if name in self.strings:
                return [*left_out, *self.strings[name]]
            case "integer" if name == "square":
                return [*left_out, *self.squares]
            case "integer":
                low = max(one.get("minimum", 0), -3)
                return [*left_out, *range(low, min(one.get("maximum", 10**9), low + 4) + 1)]
        return None

    def _struct(self, schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
        required = schema.get("required", [])
        return {
            name: self._value(name, one, definitions)
            for name, one in schema["properties"].items()
            if name not in DRAWN and (name in required or self.chance.random() < 0.5)
        }

    def _value(self, name: str, schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Any:
        chance = self.chance
        if "$ref" in schema:
            return self._value(name, definitions[schema["$ref"].rpartition("/")[2]], definitions)
        if "anyOf" in schema:
            return self._value(name, chance.choice(schema["anyOf"]), definitions)
        if "enum" in schema:
            return chance.choice(schema["enum"])
        if "const" in schema:
            return schema["const"]
        match schema.get("type"):
            case "boolean":
                return chance.random() < 0.5
            case "integer":
                low, high = max(schema.get("minimum", 0), -6), schema.get("maximum", 10**9)
                wide = chance.choice((low + 1, low + 5, low + 40, 700))
                return chance.randint(low, max(low, min(high, wide)))
            case "string":
                likely = self.strings.get(name)
                if likely is None or chance.random() < 0.05:
                    likely = chance.choice(list(self.strings.values()))
                return chance.choice(likely)
            case "array":
                fewest = schema.get("minItems", 0)
                count = chance.randint(fewest, max(fewest, min(schema.get("maxItems", 3), 3)))
                inside = schema["items"] if isinstance(schema["items"], dict) else {}
                return [self._value(name, inside, definitions) for _ in range(count)]
            case "object" if "properties" in schema:
                return self._struct(schema, definitions)
            case "object":
                keys = chance.sample(self.strings["to"], chance.randint(0, 2))
                return {
                    key: self._value(name, schema.get("additionalProperties", {}), definitions) for key in keys
                }
        return None


@cache
def _schema(action: type[Action]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The JSON schema of an action, with its definitions."""
    definitions = msgspec.json.schema(action)["$defs"]
    return definitions[action.__name__], definitions


_LEFT_OUT = object()
