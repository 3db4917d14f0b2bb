"""Ids from names, for rows without an id, and ids in the place of names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any, get_args

from anyascii import anyascii

from ledger.rulebooks.monopoly.table.pieces import Kind

_SPACES = ("groups", "decks", "squares", "divisions")
"""The parts with distinct ids, in the order of naming: an effect or a setting names a group or a square alike."""
_SINGLE = {"groups": "group", "decks": "deck", "squares": "square", "divisions": "division", "cards": "card"}
_LONGEST = 40
_RESERVED = frozenset(get_args(Kind))
"""No id is made like a kind of squares: an effect names a kind or a group."""

_REFERENCES = {"square": "squares", "deck": "decks", "group": "groups", "title": "squares"}
_OF = ("groups", "squares")
"""The parts named by the members `of`, `nearest`, and `to` of a move."""
_DEEPEST = 8


def with_ids(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return an edition with an id in every row, and with ids instead of the names of squares, groups and decks.

    An id is made from the name, or from the text of a card, in Latin letters ("Alte Straße": alte_strasse); a
    second equal id gets a number (`_2`). Ids in the document stay. A name counts without an equal id, and if a
    single row has the name.
    """
    result = dict(document)
    ids = {part: {row["id"] for _, row in _rows(document, part) if _is_text(row.get("id"))} for part in _SINGLE}
    shared = set[str]().union(_RESERVED, *(ids[part] for part in _SPACES))
    for part in (*_SPACES, "cards"):
        if isinstance(document.get(part), list | tuple):
            used = shared if part in _SPACES else ids["cards"]
            result[part] = [_identified(row, part, used) for row in document[part]]
    names = {part: _ids_by_name(result, part) for part in ("squares", "groups", "decks")}
    for part in ("squares", "cards"):
        if isinstance(result.get(part), list):
            result[part] = [_referring(row, names) for row in result[part]]
    return result


def id_from(name: str) -> str:
    """Return an id in Latin letters for a name; empty for a name without letters and digits."""
    latin = re.sub(r"['\N{RIGHT SINGLE QUOTATION MARK}]", "", anyascii(name[:300])).lower()
    words = re.sub(r"[^a-z0-9]+", "_", latin).strip("_")
    if len(words) <= _LONGEST - 4:
        return words
    whole = words[: _LONGEST - 4]
    return whole.rpartition("_")[0] or whole


def _rows(document: Mapping[str, Any], part: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    rows = document.get(part)
    for number, row in enumerate(rows if isinstance(rows, list | tuple) else ()):
        if isinstance(row, Mapping):
            yield number, row


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _identified(row: Any, part: str, used: set[str]) -> Any:
    if not isinstance(row, Mapping) or "id" in row:
        return row
    stem = id_from(_name_of(row)) or _SINGLE[part]
    row_id = _numbered(stem, used) if stem in used else stem
    used.add(row_id)
    return {"id": row_id, **row}


def _numbered(stem: str, used: set[str]) -> str:
    return next(each for number in count(2) if (each := f"{stem}_{number}") not in used)


def _name_of(row: Mapping[str, Any]) -> str:
    name = row.get("name", row.get("title"))
    if isinstance(name, Mapping):
        name = name.get("en")
    return name if isinstance(name, str) else ""


def _ids_by_name(document: Mapping[str, Any], part: str) -> Mapping[str, str]:
    """Return the id for each name, empty for a name of several rows, and each id by itself."""
    ids: dict[str, set[str]] = {}
    for _, row in _rows(document, part):
        if _is_text(row.get("id")) and _is_text(row.get("name")):
            ids.setdefault(_folded(row["name"]), set()).add(row["id"])
    single = {name: next(iter(several)) if len(several) == 1 else "" for name, several in ids.items()}
    return {**single, **{row["id"]: row["id"] for _, row in _rows(document, part) if _is_text(row.get("id"))}}


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())


def _referring(row: Any, names: Mapping[str, Mapping[str, str]], depth: int = 0) -> Any:
    """Return a square, a card or an effect with ids instead of names."""
    if not isinstance(row, Mapping) or depth > _DEEPEST:
        return row
    changed = dict(row)
    for member, value in row.items():
        if isinstance(value, list | tuple):
            changed[member] = [_referring(each, names, depth + 1) for each in value]
        elif isinstance(value, str):
            changed[member] = _id_for(member, value, row, names)
    return changed


def _id_for(member: str, value: str, row: Mapping[str, Any], names: Mapping[str, Mapping[str, str]]) -> str:
    parts: tuple[str, ...] = ()
    if member in _REFERENCES and (member != "title" or "op" in row):
        parts = (_REFERENCES[member],)
    elif "op" in row and (member in {"of", "nearest"} or (member == "to" and row["op"] == "move")):
        parts = _OF
    if (parts == _OF and value in _RESERVED) or any(value in names[part].values() for part in parts):
        return value
    for part in parts:
        if _folded(value) in names[part]:
            return names[part][_folded(value)] or value
    return id_from(value) or value if parts and re.fullmatch(r"[a-z0-9_]+", value) is None else value
