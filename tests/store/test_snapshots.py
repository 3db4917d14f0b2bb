"""Snapshots: a cache next to the journal."""

from ledger.store.store import Store
from tests.harness.storing import drop_snapshots
from tests.store.journals import action, event, event_rows, new_game


class TestSnapshots:
    def test_the_latest_is_found_by_format_and_bound(self, store: Store, table: str):
        for number in (10, 20, 30):
            store.snapshots.save(table, number, "state-1", b"\0 at %d" % number)
        store.snapshots.save(table, 40, "state-2", b"newer format")

        assert store.snapshots.latest(table, "state-1") == (30, b"\0 at 30")
        assert store.snapshots.latest(table, "state-1", upto=30) == (30, b"\0 at 30")
        assert store.snapshots.latest(table, "state-1", upto=29) == (20, b"\0 at 20")
        assert store.snapshots.latest(table, "state-1", upto=9) is None
        assert store.snapshots.latest(table, "state-3") is None

    def test_saving_again_replaces(self, store: Store, table: str):
        store.snapshots.save(table, 10, "state-1", b"old")
        store.snapshots.save(table, 10, "state-1", b"new")
        assert store.snapshots.latest(table, "state-1") == (10, b"new")

    def test_a_replaced_one_takes_earlier_ones_of_its_family_with_it(self, store: Store, table: str):
        """Later ones stay, and those of other families and games."""
        other = new_game(store)
        for game_id in (table, other):
            for number in (10, 20, 30):
                store.snapshots.save(game_id, number, "state-1", b"old")
        store.snapshots.save(table, 10, "totals-1", b"another")
        store.snapshots.replace(table, 20, "state-2", b"new", family="state-")

        assert store.snapshots.latest(table, "state-2") == (20, b"new")
        assert store.snapshots.latest(table, "state-1", upto=29) is None
        assert store.snapshots.latest(table, "state-1") == (30, b"old")
        assert store.snapshots.latest(table, "totals-1") == (10, b"another")
        assert store.snapshots.latest(other, "state-1", upto=29) == (20, b"old")

    def test_dropping_them_leaves_the_journal_whole(self, store: Store, table: str):
        other = new_game(store)
        store.journal.append(table, action(1, event(1)))
        for game_id in (table, other):
            store.snapshots.save(game_id, 1, "state-1", b"body")

        drop_snapshots(store, table)
        assert store.snapshots.latest(table, "state-1") is None
        assert store.snapshots.latest(other, "state-1") is not None
        drop_snapshots(store)
        assert store.snapshots.latest(other, "state-1") is None
        assert store.journal.entry(table, 1) == b"entry 1"
        assert [row.body for row in event_rows(store, table)] == ['{"seq":1}']
