"""Appending: every action once, in order."""

import multiprocessing
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from ledger.store.database.connection import connect
from ledger.store.database.errors import RecordRefused
from ledger.store.records import Appended, KeyReused, LostRace, Replayed, Selection
from ledger.store.store import Store
from tests.store.journals import action, event, event_rows, new_game


class TestAppend:
    def test_an_action_and_its_events_come_back_byte_for_byte(self, store: Store, table: str):
        canonical = bytes(range(256))
        bodies = [
            b'{"b": 1,  "a": [1.0, 1e400, -0], "a": "twice"}',
            '{"text":"₦120 à \\"Ana\\" \\\\ {x,y} \\u0000 \\ud83d\\ude00 😀"}'.encode(),
            b'["\\n", null, {}, []]',
        ]
        events = [event(seq, body=body) for seq, body in enumerate(bodies, start=1)]

        assert store.journal.append(table, action(1, *events, canonical=canonical)) == Appended(1)

        assert store.journal.entry(table, 1) == canonical
        assert [row.body.encode() for row in event_rows(store, table)] == bodies

    def test_names_may_hold_what_arrays_and_quotes_are_made_of(self, store: Store, table: str):
        odd = "player:\"an{a}, \\ o'brien"
        store.journal.append(table, action(1, event(1, accounts=(odd, ""), commodities=())))

        assert store.journal.entries(table, Selection(account=odd)) == [(1, b"entry 1")]
        assert store.journal.entries(table, Selection(account="")) == [(1, b"entry 1")]
        assert store.journal.entries(table, Selection(commodity="")) == []

    def test_an_action_may_have_no_event_or_very_many(self, store: Store, table: str):
        store.journal.append(table, action(1))
        store.journal.append(table, action(2, *[event(seq) for seq in range(1, 5001)]))
        store.journal.append(table, action(3))
        store.journal.append(table, action(4, event(5001)))

        rows = event_rows(store, table)
        assert [(row.seq, row.number) for row in rows] == [*((seq, 2) for seq in range(1, 5001)), (5001, 4)]
        [actions] = store.rows.actions(table)
        assert [(row.first_seq, row.event_count) for row in actions] == [(1, 0), (1, 5000), (5001, 0), (5001, 1)]

    def test_an_empty_journal_has_head_0_and_no_entries(self, store: Store, table: str):
        assert store.journal.head(table) == 0
        assert store.journal.entry(table, 1) is None
        assert store.journal.entries(table, Selection()) == []
        assert event_rows(store, table) == []

    def test_only_the_number_after_the_head_is_taken(self, store: Store, table: str):
        assert store.journal.append(table, action(2, event(1))) == LostRace(0)
        for number in (1, 2, 3):
            assert store.journal.append(table, action(number, event(number))) == Appended(number)

        assert store.journal.append(table, action(5, event(4))) == LostRace(3)
        assert store.journal.append(table, action(3, event(3))) == LostRace(3)
        assert store.journal.append(table, action(0, event(1))) == LostRace(3)
        assert store.journal.append(table, action(-1, event(1))) == LostRace(3)
        assert store.journal.head(table) == 3
        assert [number for number, _ in store.journal.entries(table, Selection())] == [1, 2, 3]

    def test_every_game_counts_for_itself(self, store: Store, table: str):
        other = new_game(store)
        assert store.journal.append(table, action(1, event(1), canonical=b"here")) == Appended(1)
        assert store.journal.append(other, action(1, event(1), canonical=b"there")) == Appended(1)
        assert (store.journal.entry(table, 1), store.journal.entry(other, 1)) == (b"here", b"there")

    def test_a_journal_belongs_to_a_game(self, store: Store):
        with pytest.raises(RecordRefused, match="there is no game 'nowhere'"):
            store.journal.append("nowhere", action(1, event(1)))
        assert store.journal.head("nowhere") == 0

    @pytest.mark.parametrize(
        ("wrong", "reason"),
        [
            (action(2, event(3)), "first event of action 2 is 2, not 3"),
            (action(2, event(1)), "first event of action 2 is 2, not 1"),
            (action(2, event(2), event(4)), "event 4 of action 2 leaves a gap"),
            (action(2, event(2, body=b"{not json")), "json"),
            (action(2, event(2, body=b'{"x":"\xff"}')), "UTF-8"),
            (action(2, event(2), kind="nul \0"), "NUL"),
            (action(2, event(2), seat="lone \ud800"), "surrogates"),
            (action(2, event(2, version=40_000)), "smallint"),
            (action(2, event(2), by="nobody"), "actions_by_check"),
        ],
    )
    def test_what_cannot_be_kept_is_refused_whole(self, store: Store, table: str, wrong, reason: str):
        store.journal.append(table, action(1, event(1)))
        with pytest.raises(RecordRefused, match=reason):
            store.journal.append(table, wrong)
        assert store.journal.head(table) == 1
        assert store.journal.append(table, action(2, event(2))) == Appended(2)


class TestIdempotency:
    def test_the_same_request_again_writes_nothing(self, store: Store, table: str):
        assert store.journal.append(table, action(1, event(1), key="k", request=b"a")) == Appended(1)
        assert store.journal.append(table, action(1, event(1), key="k", request=b"a")) == Replayed(1)
        assert store.journal.append(table, action(2, event(2), key="k", request=b"a")) == Replayed(1)
        assert store.journal.append(table, action(9, event(2), key="k", request=b"a")) == Replayed(1)
        assert store.journal.head(table) == 1

    def test_another_request_under_the_same_key_is_told_so(self, store: Store, table: str):
        store.journal.append(table, action(1, event(1), key="k", request=b"a"))
        assert store.journal.append(table, action(2, event(2), key="k", request=b"b")) == KeyReused(1)
        assert store.journal.append(table, action(2, event(2), key="k", request=None)) == KeyReused(1)
        assert store.journal.head(table) == 1

    def test_keys_belong_to_their_game(self, store: Store, table: str):
        other = new_game(store)
        assert store.journal.append(table, action(1, event(1), key="k", request=b"a")) == Appended(1)
        assert store.journal.append(other, action(1, event(1), key="k", request=b"b")) == Appended(1)

    def test_actions_without_a_key_never_clash(self, store: Store, table: str):
        assert store.journal.append(table, action(1, event(1))) == Appended(1)
        assert store.journal.append(table, action(2, event(2))) == Appended(2)

    def test_of_eight_identical_requests_at_once_one_is_written(self, store: Store, table: str):
        start = threading.Barrier(8)

        def ask(_: int):
            start.wait()
            return store.journal.append(table, action(1, event(1), key="k", request=b"a"))

        with ThreadPoolExecutor(8) as threads:
            outcomes = list(threads.map(ask, range(8)))
        assert outcomes.count(Appended(1)) == 1
        assert outcomes.count(Replayed(1)) == 7


def write_until_done(store: Store, game_id: str, writer: int, actions: int) -> list[int]:
    """Append this writer's actions, each after the current head. Returns their numbers."""
    won: list[int] = []
    head = store.journal.head(game_id)
    while len(won) < actions:
        mine = b"writer %d, action %d" % (writer, len(won))
        match store.journal.append(game_id, action(head + 1, event(head + 1), canonical=mine)):
            case Appended(number):
                won.append(number)
                head = number
            case LostRace(newer):
                assert newer > head
                head = newer
            case unexpected:
                raise AssertionError(unexpected)
    return won


def write_from_a_process(url: str, game_id: str, writer: int, actions: int) -> list[int]:
    engine = connect(url)
    try:
        return write_until_done(Store(engine), game_id, writer, actions)
    finally:
        engine.dispose()


class TestRaces:
    EACH = 40

    def assert_nothing_is_lost(self, store: Store, game_id: str, won: list[list[int]]) -> None:
        total = len(won) * self.EACH
        assert sorted(number for numbers in won for number in numbers) == list(range(1, total + 1))
        entries = store.journal.entries(game_id, Selection(limit=total + 1))
        assert [number for number, _ in entries] == list(range(1, total + 1))
        assert {canonical for _, canonical in entries} == {
            b"writer %d, action %d" % (writer, place) for writer in range(len(won)) for place in range(self.EACH)
        }
        assert [row.seq for row in event_rows(store, game_id)] == list(range(1, total + 1))

    def test_eight_threads_on_one_game_use_every_number_once(self, store: Store, table: str):
        with ThreadPoolExecutor(8) as threads:
            won = list(threads.map(lambda writer: write_until_done(store, table, writer, self.EACH), range(8)))
        self.assert_nothing_is_lost(store, table, won)

    def test_processes_on_one_game_use_every_number_once(self, store: Store, table: str, database_url: str):
        with multiprocessing.get_context("spawn").Pool(3) as processes:
            tasks = [(database_url, table, writer, self.EACH) for writer in range(3)]
            won = processes.starmap(write_from_a_process, tasks, chunksize=1)
        self.assert_nothing_is_lost(store, table, won)


class TestAppendAll:
    def test_several_actions_are_written_together(self, store: Store, table: str):
        assert store.journal.append_all(table, [action(1, event(1)), action(2, event(2), key="k")]) == Appended(2)
        assert store.journal.head(table) == 2

    def test_a_lost_race_takes_those_before_it_back(self, store: Store, table: str):
        store.journal.append(table, action(1, event(1)))
        assert store.journal.append_all(table, [action(2, event(2)), action(4, event(3))]) == LostRace(1)
        assert store.journal.append_all(table, [action(1, event(1)), action(2, event(2))]) == LostRace(1)
        assert store.journal.head(table) == 1
        assert store.journal.append(table, action(2, event(2))) == Appended(2)

    def test_a_used_key_of_the_last_one_takes_those_before_it_back(self, store: Store, table: str):
        store.journal.append(table, action(1, event(1), key="k"))
        assert store.journal.append_all(table, [action(2, event(2)), action(3, event(3), key="k")]) == Replayed(1)
        assert store.journal.head(table) == 1

    def test_a_record_that_is_refused_takes_those_before_it_back(self, store: Store, table: str):
        with pytest.raises(RecordRefused):
            store.journal.append_all(table, [action(1, event(1)), action(2, event(7))])
        assert store.journal.head(table) == 0
