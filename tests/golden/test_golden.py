"""A stored game must fold to the same state for ever."""

from __future__ import annotations

import hashlib
from itertools import takewhile
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from ledger.kernel.journal.entry import Entry
from ledger.kernel.journal.timeline import Timeline
from ledger.kernel.rules.rulebook import Rulebook
from ledger.trust.deciding import compare_decision
from ledger.trust.refolding import Refold
from tests.golden import (
    DECIDED_OTHERWISE,
    FOLDER,
    GAMES,
    PINS,
    RULEBOOKS,
    entries_of,
    fold,
    journal_of,
    plain,
    rulebook_of,
    state_of,
)
from tests.golden.__main__ import main

PINNED = {name: digest for digest, name in (line.split() for line in PINS.read_text().splitlines())}
"""The SHA-256 of the two files of each golden game, so that nobody mends the past instead of the code."""

UNREACHABLE = {"no_card_left"}
"""No board is taken whose players can empty a deck."""
NOT_KEPT = {
    *("answers_waived", "corruption_missed", "pieces_replaced", "played_first", "server_moved", "turn_forgone"),
    *("card_resumed", "cards_waiting"),
}
"""Kinds that no golden journal has yet. Of Virtual Revolution: rare cards, rulings and corrected histories. Of the
Monopolys: house rules of a table's own board."""

_RECORDS = {
    "auction",
    "debts",
    "held",
    "landing",
    "lots",
    "received",
    "rents",
    "turn",
    "open",
    "past",
    "statements",
    "seats",
    "sale",
    "offers",
    "claims",
    "unread",
    "disruptions",
    "strikes",
    "questions",
    "raid",
    "attack",
    "changed",
    "changes",
    "chosen",
    "scores",
    "demands",
}
"""What holds whole structs: they may gain fields later, but keep what they had."""
_KEYED = {"open", "past", "seats", "offers", "claims"}
"""And of these, what holds so many of them as there were."""


def contains(now: Any, then: Any) -> bool:
    """Whether the state still has every old field. Structs may have gained fields since."""
    if isinstance(then, dict) and isinstance(now, dict):
        return then.keys() <= now.keys() and all(contains(now[name], then[name]) for name in then)
    if isinstance(then, list) and isinstance(now, list):
        return len(now) == len(then) and all(map(contains, now, then))
    return bool(now == then)


def as_stored(state: dict[str, Any]) -> dict[str, Any]:
    """Plain data after a round trip through JSON."""
    decoded: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(state))
    return decoded


@pytest.fixture(params=GAMES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_every_golden_journal_is_pinned() -> None:
    assert {path.name for path in FOLDER.glob("*.json*")} == set(PINNED)


@pytest.mark.parametrize("rulebook", RULEBOOKS.values(), ids=RULEBOOKS)
def test_every_revision_has_a_golden_journal(rulebook: Rulebook[Any]) -> None:
    """The editions of one engine share the revisions."""
    journals = (entries_of(name) for name in GAMES if rulebook_of(name).engine == rulebook.engine)
    stored = {entry.decided_under[0] for entries in journals for entry in entries}
    assert stored == {*range(1, rulebook.revision[0] + 1)}, "store a journal of the new revision: tests.golden"


@pytest.mark.parametrize("rulebook", RULEBOOKS.values(), ids=RULEBOOKS)
def test_every_kind_of_event_is_kept(rulebook: Rulebook[Any]) -> None:
    """Every kind of event in its current shape is in a golden journal, so that it can always be read.

    The editions of one engine have the same events.
    """
    recorded = [
        msgspec.json.decode(event)
        for name in GAMES
        if rulebook_of(name).engine == rulebook.engine
        for entry in entries_of(name)
        for event in entry.events
    ]
    inserted = [one["action"] for event in recorded for one in event.get("insertions", ())]
    restated = [one for event in recorded for one in event.get("amendments", ())]
    corrected = (one for action in (*inserted, *restated) for one in action.get("events", ()))
    kept = {event["kind"] for event in (*recorded, *corrected)}
    assert set(rulebook.events) - kept - UNREACHABLE - NOT_KEPT == set()


def test_the_stored_bytes_are_untouched(name: str) -> None:
    for path in journal_of(name), state_of(name):
        assert hashlib.sha256(path.read_bytes()).hexdigest() == PINNED[path.name]


def test_the_end_reveals_what_it_did_then(name: str) -> None:
    """Games of before there was a choice were played by an end that reveals everything: they keep it."""
    entries = entries_of(name)
    laid_out = msgspec.json.decode(entries[0].events[0])
    chosen = laid_out["settings"].get("reveal_at_end", True)
    state = fold(rulebook_of(name), entries)
    assert (state.reveals_at_end, state.settings.reveal_at_end) == (chosen, chosen)


def test_it_folds_to_the_state_of_its_day(name: str) -> None:
    now = as_stored(plain(fold(rulebook_of(name), entries_of(name))))
    then = msgspec.json.decode(state_of(name).read_bytes())
    assert then.keys() <= now.keys()
    for part, kept in then.items():
        if part in _RECORDS:
            assert contains(now[part], kept), part
            assert part not in _KEYED or len(now[part]) == len(kept)
        else:
            assert now[part] == kept, part


def test_folding_it_in_one_batch_comes_to_the_same(name: str) -> None:
    """Up to the first correction: after it, not all stored events count."""
    rulebook = rulebook_of(name)
    entries = list(takewhile(lambda entry: not _corrects(rulebook, entry), entries_of(name)))
    state = rulebook.blank()
    for facts in rulebook.codec.read_events(journal_of(name).read_bytes().splitlines()[: len(entries)]):
        state.fold(facts.events)
    state.version = entries[-1].number
    assert rulebook.codec.to_snapshot(state) == rulebook.codec.to_snapshot(fold(rulebook, entries))


def test_it_is_decided_as_it_was(name: str) -> None:
    """Every decision comes out the same today, apart from a few that are known, and from rules mended since."""
    entries, rulebook = entries_of(name), rulebook_of(name)
    refold = Refold(rulebook, lambda first, last: entries[first - 1 : last])
    otherwise: dict[int, str] = {}
    known = DECIDED_OTHERWISE.get(name, {})
    for entry in entries:
        events = tuple(map(rulebook.codec.event, entry.events))
        found = compare_decision(rulebook, refold.state, entry, events, refold, entries[entry.number :])
        if found is not None and not (found.exempt and entry.number not in known):
            otherwise[entry.number] = found.description
        refold.take(entry.number, entry.recorded_at, entry.first_seq + len(events) - 1, events)
    kinds = ", ".join(sorted({entries[number - 1].kind for number in otherwise.keys() - known.keys()}))
    assert otherwise.keys() == known.keys(), f"add a row to revisions.toml; kinds: {kinds}\n{otherwise}"
    assert all(known[number] in found for number, found in otherwise.items())
    assert rulebook.codec.to_snapshot(refold.state) == rulebook.codec.to_snapshot(
        replace(fold(rulebook, entries), last_at=refold.state.last_at, corrections=refold.state.corrections)
    )


def test_every_entry_stands_in_its_timeline(name: str) -> None:
    """The numbers have no gap; and all actions count, unless a correction is among them."""
    entries, rulebook = entries_of(name), rulebook_of(name)
    standings = list(Timeline(entries, rulebook.codec.event).entries())
    written = [standing.entry.number for standing in standings if not standing.insert]
    assert sorted(written) == [entry.number for entry in entries] == list(range(1, len(entries) + 1))
    corrected = any(_corrects(rulebook, entry) for entry in entries)
    assert corrected or all(standing.counts for standing in standings)


def _corrects(rulebook: Rulebook[Any], entry: Entry) -> bool:
    events = [rulebook.codec.event(stored) for stored in entry.events]
    return any(event.amends() or event.inserts() for event in events)


def test_one_event_left_out_is_noticed(name: str) -> None:
    """The comparison finds a difference: without the last posting the state is another one."""
    entries, rulebook = entries_of(name), rulebook_of(name)
    events = [
        event
        for standing in Timeline(entries, rulebook.codec.event).effective(len(entries))
        for event in standing.events
    ]
    del events[max(place for place, event in enumerate(events) if event.postings)]
    state = rulebook.blank()
    state.fold(events)
    then = msgspec.json.decode(state_of(name).read_bytes())
    assert as_stored(plain(state))["holdings"] != then["holdings"]


def test_an_existing_version_is_never_overwritten(name: str) -> None:
    before = journal_of(name).read_bytes(), state_of(name).read_bytes()
    with pytest.raises(FileExistsError, match="for ever"):
        main(name)
    assert (journal_of(name).read_bytes(), state_of(name).read_bytes()) == before
