"""A stored game must fold to the same state for ever."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
import pytest

from ledger.kernel.timeline import Timeline
from tests.golden import FOLDER, entries_of, fold, journal_of, plain, rulebook_of, state_of
from tests.golden.__main__ import main

PINNED: dict[str, tuple[str, str]] = {
    "negoces2_v1": (
        "82070b65fe3fdd9fce454caa5810537da7fb1883e753710667fc604c8690c568",
        "3033d8deae985758c75a5aee434ee154b04c8c7660de2d21422023642739618b",
    ),
    "negopoly_v1": (
        "7f4497eb2e1993ac51ff025d155155c4fe32db7099c4b1773d22ae1e6d00ec11",
        "50d1fff9df0932910183e95a8a21161d12d0e600815851d075edaa67f3986c14",
    ),
}
"""Each golden game with the SHA-256 of its two files, so that nobody mends the past instead of the code."""

_RECORDS = {"turn", "open", "past", "statements", "seats", "sale", "offers", "claims"}
"""What holds whole structs: they may gain fields later, but keep what they had."""


def contains(now: Any, then: Any) -> bool:
    """Whether everything that was is still there, field by field; structs may have gained fields since."""
    if isinstance(then, dict) and isinstance(now, dict):
        return then.keys() <= now.keys() and all(contains(now[name], then[name]) for name in then)
    if isinstance(then, list) and isinstance(now, list):
        return len(now) == len(then) and all(map(contains, now, then))
    return bool(now == then)


def as_stored(state: dict[str, Any]) -> dict[str, Any]:
    """Plain data as JSON gives it back."""
    decoded: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(state))
    return decoded


@pytest.fixture(params=sorted(PINNED))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_every_golden_journal_is_pinned() -> None:
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(PINNED)


def test_the_stored_bytes_are_untouched(name: str) -> None:
    kept = tuple(hashlib.sha256(path.read_bytes()).hexdigest() for path in (journal_of(name), state_of(name)))
    assert kept == PINNED[name]


def test_it_folds_to_the_state_of_its_day(name: str) -> None:
    now = as_stored(plain(fold(rulebook_of(name), entries_of(name))))
    then = msgspec.json.decode(state_of(name).read_bytes())
    assert now.keys() == then.keys()
    for part, kept in then.items():
        if part in _RECORDS:
            assert contains(now[part], kept), part
            if part in {"open", "past", "seats", "offers", "claims"}:
                assert len(now[part]) == len(kept)
        else:
            assert now[part] == kept, part


def test_folding_it_in_one_batch_comes_to_the_same(name: str) -> None:
    entries = entries_of(name)
    bodies = [bytes(stored) for entry in entries for stored in entry.events]
    tags = {msgspec.json.decode(body)["kind"] for body in bodies}
    rulebook = rulebook_of(name)
    state = rulebook.blank()
    rulebook.fold(state, b"[" + b",".join(bodies) + b"]", tags)
    state.version = entries[-1].number
    assert rulebook.freeze(state) == rulebook.freeze(fold(rulebook, entries))


def test_every_entry_counts_in_its_timeline(name: str) -> None:
    entries, rulebook = entries_of(name), rulebook_of(name)
    state = rulebook.blank()
    for standing in Timeline(entries, rulebook.event).effective():
        state.fold(standing.events)
        state.version = standing.entry.number
    assert [entry.number for entry in entries] == list(range(1, state.version + 1))
    assert rulebook.freeze(state) == rulebook.freeze(fold(rulebook, entries))


LAST: dict[str, bytes] = {"negopoly": b'"kind":"rent_paid"', "negoces2": b'"kind":"offer_accepted"'}
"""What is left out of a game's stored events to see whether that is noticed."""


def test_one_event_left_out_is_noticed(name: str) -> None:
    """The comparison would tell: without its last rent, or its last card offered, the game ends otherwise."""
    entries, rulebook = entries_of(name), rulebook_of(name)
    state = rulebook.blank()
    bodies = [stored for entry in entries for stored in entry.events]
    left_out = [place for place, stored in enumerate(bodies) if LAST[rulebook.id] in bytes(stored)]
    del bodies[left_out[-1]]
    state.fold(rulebook.event(stored) for stored in bodies)
    then = msgspec.json.decode(state_of(name).read_bytes())
    assert as_stored(plain(state))["holdings"] != then["holdings"]


def test_an_existing_version_is_never_overwritten(name: str) -> None:
    before = journal_of(name).read_bytes(), state_of(name).read_bytes()
    with pytest.raises(FileExistsError, match="for ever"):
        main(name)
    assert (journal_of(name).read_bytes(), state_of(name).read_bytes()) == before
