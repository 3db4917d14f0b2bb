"""JSON Merge Patch: the examples of RFC 7396, appendix A, and patches that are made."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.reading.table.merging import patch_between
from tests.harness.patches import apply_patch
from tests.harness.unhurried import UNHURRIED

EXAMPLES: list[tuple[Any, Any, Any]] = [
    ({"a": "b"}, {"a": "c"}, {"a": "c"}),
    ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
    ({"a": "b"}, {"a": None}, {}),
    ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
    ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
    ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
    ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
    ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
    (["a", "b"], ["c", "d"], ["c", "d"]),
    ({"a": "b"}, ["c"], ["c"]),
    ({"a": "foo"}, None, None),
    ({"a": "foo"}, "bar", "bar"),
    ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
    ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
    ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
]

values = st.recursive(
    st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(st.text(max_size=2), values, max_size=4)


@pytest.mark.parametrize(("before", "patch", "after"), EXAMPLES)
def test_a_patch_is_applied_as_the_rfc_says(before: Any, patch: Any, after: Any) -> None:
    assert apply_patch(before, patch) == after


@UNHURRIED
@given(objects, objects)
def test_a_patch_between_two_objects_turns_one_into_the_other(
    before: dict[str, Any], after: dict[str, Any]
) -> None:
    assert apply_patch(before, patch_between(before, after)) == after


def test_a_patch_has_only_what_changed() -> None:
    before = {"version": 6, "accounts": {"ana": {"NGD": 100}, "bob": {"NGD": 5}}, "order": ["ana", "bob"]}
    after = {"version": 7, "accounts": {"ana": {"NGD": 90}, "bob": {"NGD": 5}}, "order": ["ana", "bob"]}
    assert patch_between(before, after) == {"version": 7, "accounts": {"ana": {"NGD": 90}}}
