"""Snapshots: a cache next to the journal."""

from ledger.store.store import Store
from tests.harness.storing import drop_snapshots
from tests.store.journals import action, event, event_rows, new_game


class TestSnapshots:
    def test_the_latest_is_found_by_format_and_bound(self, store: Store, table: str):
        for number in (10, 20, 30):
            store.save_snapshot(table, number, "state-1", b"\0 at %d" % number)
        store.save_snapshot(table, 40, "state-2", b"newer format")

        assert store.latest_snapshot(table, "state-1") == (30, b"\0 at 30")
        assert store.latest_snapshot(table, "state-1", upto=30) == (30, b"\0 at 30")
        assert store.latest_snapshot(table, "state-1", upto=29) == (20, b"\0 at 20")
        assert store.latest_snapshot(table, "state-1", upto=9) is None
        assert store.latest_snapshot(table, "state-3") is None

    def test_saving_again_replaces(self, store: Store, table: str):
        store.save_snapshot(table, 10, "state-1", b"old")
        store.save_snapshot(table, 10, "state-1", b"new")
        assert store.latest_snapshot(table, "state-1") == (10, b"new")

    def test_a_replaced_one_takes_earlier_ones_of_its_family_with_it(self, store: Store, table: str):
        """Later ones stay, and those of other families and games."""
        other = new_game(store)
        for game_id in (table, other):
            for number in (10, 20, 30):
                store.save_snapshot(game_id, number, "state-1", b"old")
        store.save_snapshot(table, 10, "totals-1", b"another")
        store.replace_snapshot(table, 20, "state-2", b"new", family="state-")

        assert store.latest_snapshot(table, "state-2") == (20, b"new")
        assert store.latest_snapshot(table, "state-1", upto=29) is None
        assert store.latest_snapshot(table, "state-1") == (30, b"old")
        assert store.latest_snapshot(table, "totals-1") == (10, b"another")
        assert store.latest_snapshot(other, "state-1", upto=29) == (20, b"old")

    def test_dropping_them_leaves_the_journal_whole(self, store: Store, table: str):
        other = new_game(store)
        store.append(table, action(1, event(1)))
        for game_id in (table, other):
            store.save_snapshot(game_id, 1, "state-1", b"body")

        drop_snapshots(store, table)
        assert store.latest_snapshot(table, "state-1") is None
        assert store.latest_snapshot(other, "state-1") is not None
        drop_snapshots(store)
        assert store.latest_snapshot(other, "state-1") is None
        assert store.entry(table, 1) == b"entry 1"
        assert [row.body for row in event_rows(store, table)] == ['{"seq":1}']
