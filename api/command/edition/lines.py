"""In which line of a TOML file each value stands."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import tree_sitter_toml
from tree_sitter import Language, Node, Parser

_TOML = Language(tree_sitter_toml.language())
_KEYS = frozenset({"bare_key", "quoted_key", "dotted_key"})
_ASIDE = frozenset({"comment", "[", "]", "[[", "]]", "{", "}", ",", "="})


def lines_of(text: str) -> dict[str, int]:
    """The line of each value of a TOML text, from 1, by its JSON Pointer. The text must be valid TOML."""
    return _Lines(Parser(_TOML).parse(text.encode()).root_node).found


class _Lines:
    def __init__(self, root: Node) -> None:
        self.found: dict[str, int] = {}
        self._rows: dict[str, int] = {}
        """How many tables each array of tables has so far."""
        for node in root.children:
            if node.type == "pair":
                self._pair(node, "")
            elif node.type in {"table", "table_array_element"}:
                self._table(node)

    def _table(self, node: Node) -> None:
        """A table with a header, or one more of an array of tables."""
        *above, name = _keys(_first(node, _KEYS))
        place = ""
        for step in above:
            place = self._latest(_inside(place, step))
        place = _inside(place, name)
        self._at(place, node)
        if node.type == "table_array_element":
            number = self._rows.get(place, 0)
            self._rows[place] = number + 1
            place = f"{place}/{number}"
            self._at(place, node)
        for pair in node.children:
            if pair.type == "pair":
                self._pair(pair, place)

    def _latest(self, place: str) -> str:
        """The place itself, or that of the last table of an array of tables so far."""
        return f"{place}/{self._rows[place] - 1}" if place in self._rows else place

    def _pair(self, node: Node, place: str) -> None:
        key = _first(node, _KEYS)
        for step in _keys(key):
            place = _inside(place, step)
            self._at(place, key)
        for value in _values(node):
            self._value(value, place)

    def _value(self, node: Node, place: str) -> None:
        if node.type == "inline_table":
            for pair in _values(node):
                self._pair(pair, place)
        elif node.type == "array":
            for number, one in enumerate(_values(node)):
                self._at(f"{place}/{number}", one)
                self._value(one, f"{place}/{number}")

    def _at(self, place: str, node: Node) -> None:
        self.found.setdefault(place, node.start_point.row + 1)


def _inside(place: str, name: str) -> str:
    return f"{place}/{name.replace('~', '~0').replace('/', '~1')}"


def _first(node: Node, kinds: frozenset[str]) -> Node:
    return next(one for one in node.children if one.type in kinds)


def _values(node: Node) -> Iterator[Node]:
    """The children of a node that are values, or pairs of them."""
    return (one for one in node.children if one.type not in _ASIDE and one.type not in _KEYS)


def _keys(node: Node) -> Iterator[str]:
    """The parts of a key, quoted or with dots."""
    held: Any = tomllib.loads(f"{(node.text or b'').decode()} = 0")
    while isinstance(held, dict):
        (name,) = held
        yield name
        held = held[name]
