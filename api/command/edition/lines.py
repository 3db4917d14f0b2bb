"""Find the line of each value in a TOML file."""

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
    """Return the line of each value of a TOML text, from 1, by JSON Pointer. The text must be valid TOML."""
    return _Lines(Parser(_TOML).parse(text.encode()).root_node).numbers


class _Lines:
    def __init__(self, root: Node) -> None:
        self.numbers: dict[str, int] = {}
        self._rows: dict[str, int] = {}
        """The number of tables so far in each array of tables."""
        for node in root.children:
            if node.type == "pair":
                self._pair(node, "")
            elif node.type in {"table", "table_array_element"}:
                self._table(node)

    def _table(self, node: Node) -> None:
        """Add a table with a header, or the next table of an array of tables."""
        *above, name = _keys(_first(node, _KEYS))
        pointer = ""
        for step in above:
            pointer = self._latest(_inside(pointer, step))
        pointer = _inside(pointer, name)
        self._at(pointer, node)
        if node.type == "table_array_element":
            number = self._rows.get(pointer, 0)
            self._rows[pointer] = number + 1
            pointer = f"{pointer}/{number}"
            self._at(pointer, node)
        for pair in node.children:
            if pair.type == "pair":
                self._pair(pair, pointer)

    def _latest(self, pointer: str) -> str:
        """Return the pointer itself, or the pointer of the last table so far in an array of tables."""
        return f"{pointer}/{self._rows[pointer] - 1}" if pointer in self._rows else pointer

    def _pair(self, node: Node, pointer: str) -> None:
        key = _first(node, _KEYS)
        for step in _keys(key):
            pointer = _inside(pointer, step)
            self._at(pointer, key)
        for value in _values(node):
            self._value(value, pointer)

    def _value(self, node: Node, pointer: str) -> None:
        if node.type == "inline_table":
            for pair in _values(node):
                self._pair(pair, pointer)
        elif node.type == "array":
            for number, element in enumerate(_values(node)):
                self._at(f"{pointer}/{number}", element)
                self._value(element, f"{pointer}/{number}")

    def _at(self, pointer: str, node: Node) -> None:
        self.numbers.setdefault(pointer, node.start_point.row + 1)


def _inside(pointer: str, name: str) -> str:
    return f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}"


def _first(node: Node, kinds: frozenset[str]) -> Node:
    return next(child for child in node.children if child.type in kinds)


def _values(node: Node) -> Iterator[Node]:
    """Return the children of a node that are values or pairs."""
    return (child for child in node.children if child.type not in _ASIDE and child.type not in _KEYS)


def _keys(node: Node) -> Iterator[str]:
    """Yield the parts of a key, quoted or with dots."""
    nested: Any = tomllib.loads(f"{(node.text or b'').decode()} = 0")
    while isinstance(nested, dict):
        (name,) = nested
        yield name
        nested = nested[name]
