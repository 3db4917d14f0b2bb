"""Guesses: parameters of the right shape, as somebody sends who does not know the rules."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from tests.crossing.sentences import WORDS_OF_PEOPLE

_AMOUNTS = (0, 1, 1, 2, 5, 10, 60, 200, 1000, 10**6)
_SHARE_OF_OPTIONAL = 0.5
_LONGEST = 3


class Guesser:
    """Guess values by their JSON Schema and `x-kind`. `known` has the ids of the game by kind."""

    def __init__(
        self, chance: Random, known: Mapping[str, list[Any]], actions: Mapping[str, Mapping[str, Any]]
    ) -> None:
        self._chance = chance
        self._known = known
        self._actions = actions

    def params(self, kind: str) -> dict[str, Any]:
        """Guess the parameters of an action of this kind."""
        schema = self._actions[kind]["parameters"]
        guessed: dict[str, Any] = self._object(schema, schema.get("$defs", {}))
        return guessed

    def remedy(self, *, among: tuple[str, ...] = ()) -> dict[str, Any]:
        """Guess a remedy of a ruling, of any of these kinds."""
        schema = self._actions["rule"]["parameters"]
        shapes = schema["properties"]["remedies"]["items"]["discriminator"]["mapping"]
        names = [name for name in shapes if not among or name in among]
        remedy: dict[str, Any] = self._value({"$ref": shapes[self._chance.choice(names)]}, schema["$defs"])
        return remedy

    def _object(self, shape: Mapping[str, Any], defs: Mapping[str, Any]) -> dict[str, Any]:
        required = shape.get("required", ())
        return {
            name: self._value(part, defs)
            for name, part in shape.get("properties", {}).items()
            if name in required or self._chance.random() < _SHARE_OF_OPTIONAL
        }

    def _value(self, shape: Mapping[str, Any] | bool, defs: Mapping[str, Any]) -> Any:
        chance = self._chance
        if isinstance(shape, bool):
            return None
        if "$ref" in shape:
            return self._value(defs[shape["$ref"].rsplit("/", 1)[-1]], defs)
        if "anyOf" in shape:
            return self._value(chance.choice(shape["anyOf"]), defs)
        if "enum" in shape:
            return chance.choice(shape["enum"])
        kind = shape.get("x-kind", "")
        if kind == "kind":
            return chance.choice([*self._actions])
        if kind == "params":
            return self.params(chance.choice([*self._actions])) if chance.random() < 0.5 else {}
        if kind in self._known and self._known[kind] and shape.get("type") not in {"array", "object"}:
            guess = chance.choice(self._known[kind])
            return guess if isinstance(guess, int) == (shape.get("type") == "integer") else str(guess)
        match shape.get("type"):
            case "null":
                return None
            case "boolean":
                return chance.random() < 0.5
            case "integer":
                least, most = shape.get("minimum", 0), shape.get("maximum", 10**6)
                return max(least, min(most, chance.choice(_AMOUNTS)))
            case "array":
                fewest, most = shape.get("minItems", 0), min(shape.get("maxItems", _LONGEST), _LONGEST)
                count = chance.randint(fewest, max(fewest, most))
                return [self._value(shape["items"], defs) for _ in range(count)]
            case "object":
                if "properties" in shape:
                    return self._object(shape, defs)
                if isinstance(shape.get("additionalProperties"), Mapping):
                    keys = {
                        str(self._value(shape.get("propertyNames", {"type": "string"}), defs)) for _ in range(2)
                    }
                    return {key: self._value(shape["additionalProperties"], defs) for key in sorted(keys)}
                return {}
            case _:
                return chance.choice(WORDS_OF_PEOPLE[:3])
