"""The vocabulary of cards is documented: every operation with its members and values, and cards use no others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from types import UnionType
from typing import Any, Literal, get_args, get_origin

import msgspec
import pytest
from msgspec.structs import fields

from ledger.rulebooks.parts import reading
from ledger.rulebooks.virtual_revolution.rulebook import RULEBOOK
from ledger.rulebooks.virtual_revolution.table import edition, mission_terms, operations, score_terms
from ledger.rulebooks.virtual_revolution.table.settings import Settings

README = Path(__file__).parents[2] / "ledger" / "rulebooks" / "README.md"
SECTION = README.read_text(encoding="utf-8").split("## The cards of Virtual Revolution\n")[1].split("\n## ")[0]
ROW = re.compile(r"^\| `(?P<op>\w+)` \| (?P<members>[^|]*) ?\| (?P<meaning>[^|]+) \|$", re.MULTILINE)
TIES = {"when_action", "if_action"}
KINDS: dict[str, UnionType] = {
    "effect": operations.Effect,
    "mission": mission_terms.Mission,
    "score": score_terms.Score,
}

FOLDER = files("ledger.rulebooks.virtual_revolution")


def documented(kind: str) -> dict[str, list[str]]:
    """The operations of a kind in the README, and the members of each."""
    table = SECTION.split(f"| {kind} | members |")[1].split("\n\n")[0]
    return {row["op"]: re.findall(r"`(\w+)`", row["members"]) for row in ROW.finditer(table)}


def op_of(one: type[msgspec.Struct]) -> str:
    return str(one.__struct_config__.tag)


@pytest.mark.parametrize("kind", KINDS)
def test_every_operation_is_documented_with_its_members(kind: str) -> None:
    members = {
        op_of(one): [field.encode_name for field in fields(one) if field.encode_name not in TIES]
        for one in get_args(KINDS[kind])
    }
    assert documented(kind) == members


def test_every_value_that_a_member_takes_is_documented() -> None:
    for union in KINDS.values():
        for one in get_args(union):
            for field in fields(one):
                for value in literals(field.type):
                    assert f"`{value}`" in SECTION, f"{op_of(one)}.{field.encode_name}: {value}"


def literals(shape: Any) -> Iterator[str]:
    """The words that a member takes."""
    if get_origin(shape) is Literal:
        yield from (value for value in get_args(shape) if isinstance(value, str))
    else:
        for inner in get_args(shape):
            yield from literals(inner)


def test_every_card_uses_documented_operations_only() -> None:
    known = {op: {*members, *TIES, "op"} for kind in KINDS for op, members in documented(kind).items()}
    used = [
        one for name in edition.FILES for one in operations_in(reading.data(FOLDER / "pieces", f"{name}.toml"))
    ]
    for one in used:
        assert one.keys() <= known[one["op"]], one
    assert len(used) > 200


def operations_in(data: Any) -> Iterator[dict[str, Any]]:
    """Every operation in plain data, at any depth."""
    if isinstance(data, dict):
        if "op" in data:
            yield data
        for inner in data.values():
            yield from operations_in(inner)
    elif isinstance(data, list):
        for inner in data:
            yield from operations_in(inner)


def test_every_text_of_a_card_is_in_two_languages() -> None:
    for name in edition.FILES:
        for en, fr in phrases_in(reading.data(FOLDER / "pieces", f"{name}.toml")):
            assert en != fr or " " not in en, f"{name}: {en}"


def phrases_in(data: Any) -> Iterator[tuple[str, str]]:
    """Every text in both languages in plain data, at any depth."""
    if isinstance(data, dict):
        if data.keys() == {"en", "fr"}:
            yield data["en"], data["fr"]
        for inner in data.values():
            yield from phrases_in(inner)
    elif isinstance(data, list):
        for inner in data:
            yield from phrases_in(inner)


def test_every_gap_of_the_document_is_settled_by_a_setting_by_pieces_or_by_a_rule() -> None:
    gaps = reading.data(FOLDER, "rules.toml")["gap"]
    for gap in gaps:
        for place in gap["settled_by"]:
            way, _, name = place.partition(" ")
            match way.partition("/")[0]:
                case "setting":
                    assert name in Settings.__struct_fields__, gap["id"]
                case "pieces":
                    assert (FOLDER / way).is_file(), gap["id"]
                case _:
                    rule = RULEBOOK.register.get(place)
                    assert rule is not None, gap["id"]
                    assert rule.decision, gap["id"]
    assert len({gap["id"] for gap in gaps}) == len(gaps)
