"""Whole journals: read in stretches, written in one transaction."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator

import pytest

from ledger.kernel.journal.stored import leaf
from ledger.store.database.errors import JournalDamaged, RecordRefused
from ledger.store.records import ActionRecord, GameRecord, Selection
from ledger.store.store import Store
from tests.store.journals import action, credential, event, event_rows, game

ODD = '{"text":"₦120 à \\"Ana\\" \\\\ \\t \\u0000 😀"}'.encode()


@pytest.fixture
def new() -> GameRecord:
    """A game that does not exist yet."""
    return game(f"game-{secrets.token_hex(6)}")


def actions(count: int) -> Iterator[ActionRecord]:
    """This number of actions, with two events each."""
    for number in range(1, count + 1):
        first = 2 * number - 1
        canonical = b'{"number":%d,"odd":%s}' % (number, ODD)
        yield action(number, event(first, body=ODD), event(first + 1, kind="dose_sold"), canonical=canonical)


def test_what_is_written_at_once_is_as_if_it_had_been_appended(store: Store, new: GameRecord) -> None:
    holder = credential(new.game_id, "one", secrets.token_bytes(32))
    assert store.copies.write(new, [holder], actions(5))
    one_by_one = game(f"{new.game_id}-again")
    store.games.create(one_by_one, [])
    for record in actions(5):
        store.journal.append(one_by_one.game_id, record)
    everything = Selection(limit=100)
    assert store.games.get(new.game_id) == new
    assert store.games.credentials(new.game_id) == [holder]
    assert store.journal.entries(new.game_id, everything) == store.journal.entries(one_by_one.game_id, everything)
    assert list(store.rows.actions(new.game_id)) == list(store.rows.actions(one_by_one.game_id))
    assert event_rows(store, new.game_id) == event_rows(store, one_by_one.game_id)
    assert list(store.rows.touches(new.game_id)) == list(store.rows.touches(one_by_one.game_id))
    for asked in (Selection(account="bank"), Selection(commodity="dose"), Selection(rule="VII.A.3")):
        assert len(store.journal.entries(new.game_id, asked)) == 5
    # And the game goes on from there.
    store.journal.append(new.game_id, action(6, event(11)))
    assert store.journal.head(new.game_id) == 6


def test_many_actions_go_through_in_several_batches(store: Store, new: GameRecord) -> None:
    assert store.copies.write(new, [], actions(4_500))
    assert store.journal.head(new.game_id) == 4_500
    assert len(event_rows(store, new.game_id)) == 9_000


def test_a_game_that_is_there_is_left_alone(store: Store, new: GameRecord) -> None:
    assert store.copies.write(new, [], actions(2))
    other = credential(new.game_id, "other", secrets.token_bytes(32))
    assert not store.copies.write(new, [other], actions(3))
    assert store.journal.head(new.game_id) == 2
    assert store.games.credentials(new.game_id) == []


def test_whatever_goes_wrong_on_the_way_undoes_everything(store: Store, new: GameRecord) -> None:
    def broken_off() -> Iterator[ActionRecord]:
        yield from actions(2_100)
        raise InterruptedError

    holder = credential(new.game_id, "one", secrets.token_bytes(32))
    with pytest.raises(InterruptedError):
        store.copies.write(new, [holder], broken_off())
    assert store.games.get(new.game_id) is None
    assert store.games.credentials(new.game_id) == []
    assert store.journal.head(new.game_id) == 0
    assert event_rows(store, new.game_id) == []
    # The connection can be used again.
    assert store.copies.write(new, [holder], actions(1))


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param([action(1, event(2))], id="a gap before the first event"),
        pytest.param([action(1, event(1)), action(2, event(3))], id="a gap between two actions"),
        pytest.param([action(1, event(1)), action(1, event(2))], id="the same number twice"),
        pytest.param([action(1, event(1, body=b"no JSON"))], id="a body that is not JSON"),
        pytest.param([action(1, event(1, kind="a\0b"))], id="a text that Postgres does not take"),
    ],
)
def test_what_the_tables_cannot_hold_is_refused_whole(
    store: Store, new: GameRecord, wrong: list[ActionRecord]
) -> None:
    with pytest.raises(RecordRefused):
        store.copies.write(new, [], wrong)
    assert store.games.get(new.game_id) is None
    assert store.journal.head(new.game_id) == 0


def test_stretches_are_the_entries_with_their_leaves(store: Store, new: GameRecord) -> None:
    store.copies.write(new, [], actions(7))
    found = list(store.copies.stretches(new.game_id, start=1, upto=6, batch=2))
    assert [(one.start, one.last, one.entries, one.events) for one in found] == [
        (1, 3, 2, 4),
        (3, 5, 2, 4),
        (5, 6, 1, 2),
    ]
    assert {one.longest for one in found} == {len(action.canonical) for action in actions(1)}
    lines = b"".join(one.lines for one in found).splitlines()
    for number, line in enumerate(lines, start=2):
        stored = store.journal.entry(new.game_id, number)
        assert stored is not None
        assert line.startswith(b'{"entry":' + stored + b',"leaf":"')
        assert bytes.fromhex(json.loads(line)["leaf"]) == leaf(stored)
    with pytest.raises(JournalDamaged, match="action 8: it is missing"):
        list(store.copies.stretches(new.game_id, start=7, upto=9, batch=2))


def test_whether_there_are_events_of_a_kind_and_version(store: Store, new: GameRecord) -> None:
    old = action(1, event(1, kind="dose_sold", version=2), event(2, kind="doses_bought", version=1))
    store.copies.write(new, [], [old])
    assert store.copies.has_events_of(new.game_id, [("nothing", 1), ("dose_sold", 2)])
    assert not store.copies.has_events_of(new.game_id, [("dose_sold", 1), ("doses_bought", 2)])
    assert not store.copies.has_events_of(new.game_id, [])
    assert not store.copies.has_events_of("nowhere", [("dose_sold", 2)])
