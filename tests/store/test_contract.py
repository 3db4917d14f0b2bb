"""What the store promises."""

import json
import multiprocessing
import secrets
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import psycopg
import pytest

from ledger.store.connection import connect
from ledger.store.errors import RecordRefused, StoreUnavailable
from ledger.store.records import Appended, GameRecord, KeyReused, LostRace, Notice, Replayed, Selection
from ledger.store.store import Store
from tests.store.journals import NOON, action, credential, event, game, new_game


@pytest.fixture
def table(store: Store) -> str:
    """The id of a new game with an empty journal."""
    return new_game(store)


@pytest.fixture
def owner(database_url: str) -> Iterator[psycopg.Connection]:
    """A connection of the user who owns the tables."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        yield connection


class TestAppend:
    def test_an_action_and_its_events_come_back_byte_for_byte(self, store: Store, table: str):
        canonical = bytes(range(256))
        bodies = [
            b'{"b": 1,  "a": [1.0, 1e400, -0], "a": "twice"}',
            '{"text":"₦120 à \\"Ana\\" \\\\ {x,y} \\u0000 \\ud83d\\ude00 😀"}'.encode(),
            b'["\\n", null, {}, []]',
        ]
        events = [event(seq, body=body) for seq, body in enumerate(bodies, start=1)]

        assert store.append(table, action(1, *events, canonical=canonical)) == Appended(1)

        assert store.entry(table, 1) == canonical
        [batch] = store.facts(table)
        assert batch.body == b"[" + b",".join(bodies) + b"]"

    def test_names_may_hold_what_arrays_and_quotes_are_made_of(self, store: Store, table: str):
        odd = "player:\"an{a}, \\ o'brien"
        store.append(table, action(1, event(1, accounts=(odd, ""), commodities=())))

        assert store.entries(table, Selection(account=odd)) == [(1, b"entry 1")]
        assert store.entries(table, Selection(account="")) == [(1, b"entry 1")]
        assert store.entries(table, Selection(commodity="")) == []

    def test_an_action_may_have_no_event_or_very_many(self, store: Store, table: str):
        store.append(table, action(1))
        store.append(table, action(2, *[event(seq) for seq in range(1, 5001)]))
        store.append(table, action(3))
        store.append(table, action(4, event(5001)))

        [batch] = store.facts(table)
        assert (batch.numbers, batch.counts) == ([1, 2, 3, 4], [0, 5000, 0, 1])
        assert [fact["seq"] for fact in json.loads(batch.body)] == list(range(1, 5002))

    def test_an_empty_journal_has_head_0_and_no_entries(self, store: Store, table: str):
        assert store.head(table) == 0
        assert store.entry(table, 1) is None
        assert store.entries(table, Selection()) == []
        assert list(store.facts(table)) == []

    def test_only_the_number_after_the_head_is_taken(self, store: Store, table: str):
        assert store.append(table, action(2, event(1))) == LostRace(0)
        for number in (1, 2, 3):
            assert store.append(table, action(number, event(number))) == Appended(number)

        assert store.append(table, action(5, event(4))) == LostRace(3)
        assert store.append(table, action(3, event(3))) == LostRace(3)
        assert store.append(table, action(0, event(1))) == LostRace(3)
        assert store.append(table, action(-1, event(1))) == LostRace(3)
        assert store.head(table) == 3
        assert [number for number, _ in store.entries(table, Selection())] == [1, 2, 3]

    def test_every_game_counts_for_itself(self, store: Store, table: str):
        other = new_game(store)
        assert store.append(table, action(1, event(1), canonical=b"here")) == Appended(1)
        assert store.append(other, action(1, event(1), canonical=b"there")) == Appended(1)
        assert (store.entry(table, 1), store.entry(other, 1)) == (b"here", b"there")

    def test_a_journal_belongs_to_a_game(self, store: Store):
        with pytest.raises(RecordRefused, match="there is no game 'nowhere'"):
            store.append("nowhere", action(1, event(1)))
        assert store.head("nowhere") == 0

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
        store.append(table, action(1, event(1)))
        with pytest.raises(RecordRefused, match=reason):
            store.append(table, wrong)
        assert store.head(table) == 1
        assert store.append(table, action(2, event(2))) == Appended(2)


class TestIdempotency:
    def test_the_same_request_again_writes_nothing(self, store: Store, table: str):
        assert store.append(table, action(1, event(1), key="k", request=b"a")) == Appended(1)
        assert store.append(table, action(1, event(1), key="k", request=b"a")) == Replayed(1)
        assert store.append(table, action(2, event(2), key="k", request=b"a")) == Replayed(1)
        assert store.append(table, action(9, event(2), key="k", request=b"a")) == Replayed(1)
        assert store.head(table) == 1

    def test_another_request_under_the_same_key_is_told_so(self, store: Store, table: str):
        store.append(table, action(1, event(1), key="k", request=b"a"))
        assert store.append(table, action(2, event(2), key="k", request=b"b")) == KeyReused(1)
        assert store.append(table, action(2, event(2), key="k", request=None)) == KeyReused(1)
        assert store.head(table) == 1

    def test_keys_belong_to_their_game(self, store: Store, table: str):
        other = new_game(store)
        assert store.append(table, action(1, event(1), key="k", request=b"a")) == Appended(1)
        assert store.append(other, action(1, event(1), key="k", request=b"b")) == Appended(1)

    def test_actions_without_a_key_never_clash(self, store: Store, table: str):
        assert store.append(table, action(1, event(1))) == Appended(1)
        assert store.append(table, action(2, event(2))) == Appended(2)

    def test_of_eight_identical_requests_at_once_one_is_written(self, store: Store, table: str):
        start = threading.Barrier(8)

        def ask(_: int):
            start.wait()
            return store.append(table, action(1, event(1), key="k", request=b"a"))

        with ThreadPoolExecutor(8) as threads:
            outcomes = list(threads.map(ask, range(8)))
        assert outcomes.count(Appended(1)) == 1
        assert outcomes.count(Replayed(1)) == 7


def write_until_done(store: Store, game_id: str, writer: int, actions: int) -> list[int]:
    """Append this writer's actions, each after whatever the head is by then; the numbers they got."""
    won: list[int] = []
    head = store.head(game_id)
    while len(won) < actions:
        mine = b"writer %d, action %d" % (writer, len(won))
        match store.append(game_id, action(head + 1, event(head + 1), canonical=mine)):
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
    WRITERS, EACH = 8, 40

    def assert_nothing_is_lost(self, store: Store, game_id: str, won: list[list[int]]) -> None:
        total = self.WRITERS * self.EACH
        assert sorted(number for numbers in won for number in numbers) == list(range(1, total + 1))
        entries = store.entries(game_id, Selection(limit=total + 1))
        assert [number for number, _ in entries] == list(range(1, total + 1))
        assert {canonical for _, canonical in entries} == {
            b"writer %d, action %d" % (writer, place)
            for writer in range(self.WRITERS)
            for place in range(self.EACH)
        }
        facts = [fact for batch in store.facts(game_id) for fact in json.loads(batch.body)]
        assert [fact["seq"] for fact in facts] == list(range(1, total + 1))

    def test_eight_threads_on_one_game_use_every_number_once(self, store: Store, table: str):
        with ThreadPoolExecutor(self.WRITERS) as threads:
            won = list(
                threads.map(lambda writer: write_until_done(store, table, writer, self.EACH), range(self.WRITERS))
            )
        self.assert_nothing_is_lost(store, table, won)

    def test_eight_processes_on_one_game_use_every_number_once(self, store: Store, table: str, database_url: str):
        with multiprocessing.get_context("spawn").Pool(self.WRITERS) as processes:
            tasks = [(database_url, table, writer, self.EACH) for writer in range(self.WRITERS)]
            won = processes.starmap(write_from_a_process, tasks, chunksize=1)
        self.assert_nothing_is_lost(store, table, won)


class TestNothingIsRewritten:
    REWRITINGS = [
        statement.format(table=table)
        for table in ("games", "actions", "events", "touches")
        for statement in (
            "UPDATE {table} SET game_id = 'other'",
            "UPDATE {table} SET game_id = 'other' WHERE false",
            "DELETE FROM {table}",
            "TRUNCATE {table}",
        )
    ]

    @pytest.mark.parametrize("statement", REWRITINGS)
    def test_the_tables_refuse_even_their_owner(
        self, store: Store, table: str, owner: psycopg.Connection, statement: str
    ):
        store.append(table, action(1, event(1)))
        with pytest.raises(psycopg.errors.RestrictViolation, match="what is written stays"):
            owner.execute(statement)
        assert store.entry(table, 1) == b"entry 1"

    def test_the_guard_stands_where_other_triggers_rest(self, owner: psycopg.Connection):
        guarded = owner.execute(
            "SELECT tgrelid::regclass::text, tgenabled FROM pg_trigger WHERE tgname = 'never_rewritten'"
        ).fetchall()
        assert sorted(guarded) == [(table, "A") for table in ("actions", "events", "games", "touches")]

    @pytest.mark.parametrize("statement", [*REWRITINGS, "ALTER TABLE actions DISABLE TRIGGER ALL"])
    def test_the_service_has_not_even_the_right_to_try(self, store: Store, statement: str):
        with store.engine.connect() as connection:
            cursor = connection.connection.cursor()
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                cursor.execute(statement)

    def test_the_service_has_these_rights_and_no_other(self, owner: psycopg.Connection):
        granted = owner.execute(
            "SELECT table_name, array_agg(privilege_type::text ORDER BY privilege_type)"
            " FROM information_schema.table_privileges WHERE grantee = 'mabligop_service' GROUP BY 1"
        ).fetchall()
        assert dict(granted) == {
            "games": ["INSERT", "SELECT"],
            "actions": ["INSERT", "SELECT"],
            "events": ["INSERT", "SELECT"],
            "touches": ["INSERT", "SELECT"],
            "credentials": ["INSERT", "SELECT", "UPDATE"],
            "snapshots": ["DELETE", "INSERT", "SELECT", "UPDATE"],
            "alembic_version": ["SELECT"],
        }


@pytest.fixture(scope="module")
def uneven(store: Store) -> str:
    """Ten actions: action n has n % 3 events."""
    game_id, seq = new_game(store), 0
    for number in range(1, 11):
        count = number % 3
        kinds = ["rent_paid", "doses_bought"]
        events = [
            event(seq + place, kind=kinds[place - 1], version=1 + number // 6) for place in range(1, count + 1)
        ]
        assert store.append(game_id, action(number, *events)) == Appended(number)
        seq += count
    return game_id


class TestFacts:
    def test_all_in_one_batch(self, store: Store, uneven: str):
        [batch] = store.facts(uneven)
        assert batch.numbers == list(range(1, 11))
        assert batch.counts == [1, 2, 0, 1, 2, 0, 1, 2, 0, 1]
        assert batch.first_seq == 1
        assert json.loads(batch.body) == [{"seq": seq} for seq in range(1, 11)]
        assert batch.kinds_versions == {
            ("rent_paid", 1), ("doses_bought", 1), ("rent_paid", 2), ("doses_bought", 2),
        }  # fmt: skip

    @pytest.mark.parametrize("size", [1, 2, 3, 5, 9, 10, 11])
    def test_batches_of_any_size_say_the_same(self, store: Store, uneven: str, size: int):
        batches = list(store.facts(uneven, batch=size))
        assert all(len(batch.numbers) <= size for batch in batches)
        assert [number for batch in batches for number in batch.numbers] == list(range(1, 11))
        for batch in batches:
            seqs = [fact["seq"] for fact in json.loads(batch.body)]
            assert seqs == list(range(batch.first_seq, batch.first_seq + sum(batch.counts)))
        facts = [fact for batch in batches for fact in json.loads(batch.body)]
        assert facts == [{"seq": seq} for seq in range(1, 11)]

    def test_after_and_upto_bound_the_actions(self, store: Store, uneven: str):
        [batch] = store.facts(uneven, after=4, upto=7)
        assert (batch.numbers, batch.counts, batch.first_seq) == ([5, 6, 7], [2, 0, 1], 5)
        assert json.loads(batch.body) == [{"seq": 5}, {"seq": 6}, {"seq": 7}]
        assert batch.kinds_versions == {("rent_paid", 1), ("doses_bought", 1), ("rent_paid", 2)}

    def test_an_action_without_events_is_told_too(self, store: Store, uneven: str):
        [batch] = store.facts(uneven, after=5, upto=6)
        assert (batch.numbers, batch.counts, batch.body) == ([6], [0], b"[]")
        assert batch.kinds_versions == frozenset()

    def test_at_the_head_there_is_nothing_to_read(self, store: Store, uneven: str):
        assert list(store.facts(uneven, after=10)) == []
        assert list(store.facts(uneven, after=10, upto=10)) == []


@pytest.fixture(scope="module")
def varied(store: Store) -> str:
    """Four actions of two seats, a minute apart; another game beside them that must never show."""
    game_id = new_game(store)
    rent = event(2, rule="V.A.2", accounts=("player:ben", "player:ana"), commodities=("NGD",))
    fee = event(3, rule="X.A.1", accounts=("player:ben", "escrow:1"), commodities=("NGD",))
    actions = [
        action(1, event(1), kind="buy_doses", seat="ana", minutes=1),
        action(2, rent, fee, kind="pay_rent", seat="ben", minutes=2),
        action(3, kind="end_turn", seat="ben", minutes=3),
        action(4, event(4), kind="buy_doses", seat="ben", minutes=4),
    ]
    for one in actions:
        assert store.append(game_id, one) == Appended(one.number)
    other = new_game(store)
    assert store.append(other, action(1, event(1), minutes=2)) == Appended(1)
    return game_id


class TestEntries:
    @pytest.mark.parametrize(
        ("selection", "numbers"),
        [
            (Selection(), [1, 2, 3, 4]),
            (Selection(newest_first=True), [4, 3, 2, 1]),
            (Selection(limit=2), [1, 2]),
            (Selection(limit=2, after=2), [3, 4]),
            (Selection(limit=2, before=4, newest_first=True), [3, 2]),
            (Selection(after=1, before=4), [2, 3]),
            (Selection(after=4), []),
            (Selection(after=10**30), []),
            (Selection(before=10**30), [1, 2, 3, 4]),
            (Selection(after=-(10**30), limit=10**30), [1, 2, 3, 4]),
            (Selection(limit=0), []),
            (Selection(seat="ben"), [2, 3, 4]),
            (Selection(kind="buy_doses"), [1, 4]),
            (Selection(seat="ben", kind="buy_doses"), [4]),
            (Selection(account="bank"), [1, 4]),
            (Selection(account="player:ana"), [1, 2, 4]),
            (Selection(account="escrow:1"), [2]),
            (Selection(account="player"), []),
            (Selection(commodity="dose"), [1, 4]),
            (Selection(commodity="NGD"), [1, 2, 4]),
            (Selection(rule="V.A.2"), [2]),
            (Selection(rule="V.A"), []),
            (Selection(rule="V.A.2", account="escrow:1"), [2]),
            (Selection(account="bank", seat="ben"), [4]),
            (Selection(account="player:ana", commodity="dose"), [1, 4]),
            (Selection(account="player:ana", rule="X.A.1"), [2]),
            (Selection(account="player:ana", kind="buy_doses", newest_first=True), [4, 1]),
            (Selection(account="player:ana", newest_first=True, limit=2), [4, 2]),
            (Selection(account="player:ana", after=1, before=4), [2]),
            (Selection(account="player:ana", since=NOON + timedelta(minutes=2), limit=1), [2]),
            (Selection(account="player:ana", limit=0), []),
            (Selection(since=NOON + timedelta(minutes=2)), [2, 3, 4]),
            (Selection(until=NOON + timedelta(minutes=2)), [1]),
            (Selection(since=NOON + timedelta(minutes=2), until=NOON + timedelta(minutes=4)), [2, 3]),
            (Selection(seat="nul \0"), []),
            (Selection(account="lone \ud800"), []),
        ],
    )
    def test_every_condition_must_hold(self, store: Store, varied: str, selection: Selection, numbers: list[int]):
        assert store.entries(varied, selection) == [(number, b"entry %d" % number) for number in numbers]

    def test_page_after_page_shows_each_entry_once(self, store: Store, varied: str):
        seen: list[int] = []
        while page := store.entries(varied, Selection(after=seen[-1] if seen else None, limit=1)):
            seen += [number for number, _ in page]
        assert seen == [1, 2, 3, 4]

    def test_several_entries_are_read_at_once(self, store: Store, varied: str):
        asked = [4, 0, 1, 5, -1, 4, 2**63]
        assert store.entries_of(varied, asked) == [(1, b"entry 1"), (4, b"entry 4")]
        assert store.entries_of(varied, []) == []
        assert store.entries_of("nowhere", [1]) == []

    @pytest.mark.parametrize("number", [0, -1, 5, 2**63, 10**30])
    def test_there_is_no_entry_under_another_number(self, store: Store, varied: str, number: int):
        assert store.entry(varied, number) is None


class TestNotices:
    def test_every_append_is_told_once_and_in_order(self, store: Store, table: str):
        with store.listen() as listener:
            store.append(table, action(1, event(1), key="k"))
            store.append(table, action(1, event(1), key="k"))
            store.append(table, action(3, event(3)))
            store.append(table, action(2))
            heard: list[Notice] = []
            while len(heard) < 2:
                heard += listener.wait(5)
            assert heard == [Notice(table, 1), Notice(table, 2)]
            assert listener.wait(0.05) == []

    def test_a_game_id_may_hold_a_colon(self, store: Store):
        odd = f"game:{secrets.token_hex(6)}"
        store.create_game(game(odd), [])
        with store.listen() as listener:
            store.append(odd, action(1))
            assert listener.wait(5) == [Notice(odd, 1)]

    def test_a_listener_that_lost_its_connection_says_so(
        self, store: Store, table: str, owner: psycopg.Connection
    ):
        with store.listen() as listener:
            hang_up(owner)
            with pytest.raises(StoreUnavailable):
                listener.wait(5)
        with store.listen() as listener:
            store.append(table, action(1))
            assert listener.wait(5) == [Notice(table, 1)]


def hang_up(owner: psycopg.Connection) -> None:
    """End every other connection to the database, as a restart of the server does."""
    owner.execute(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )


def break_off_when_it_waits(owner: psycopg.Connection) -> None:
    """End the one connection that waits for a lock, as soon as there is one."""
    for _ in range(1000):
        ended = owner.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        ).fetchall()
        if ended:
            assert ended == [(True,)]
            return
        owner.execute("SELECT pg_sleep(0.01)")
    raise AssertionError("nothing ever waited")


class TestRecovery:
    def test_the_call_after_a_restart_works(self, store: Store, table: str, owner: psycopg.Connection):
        with ThreadPoolExecutor(4) as threads:  # several connections lie in the pool
            list(threads.map(lambda _: store.head(table), range(16)))
        hang_up(owner)
        assert store.append(table, action(1, event(1))) == Appended(1)
        hang_up(owner)
        assert store.game(table) == game(table)
        hang_up(owner)
        assert store.create_game(game(f"{table}-2"), []) is True

    def test_an_append_broken_off_is_unavailable_and_can_be_asked_again(
        self, store: Store, table: str, owner: psycopg.Connection, database_url: str
    ):
        request = action(1, event(1), key="k", request=b"a")
        with psycopg.connect(database_url) as blocker, ThreadPoolExecutor(1) as threads:
            blocker.execute("LOCK TABLE actions IN EXCLUSIVE MODE")
            pending = threads.submit(store.append, table, request)
            break_off_when_it_waits(owner)
            with pytest.raises(StoreUnavailable, match="terminating connection"):
                pending.result(timeout=10)
        assert store.append(table, request) == Appended(1)
        assert store.append(table, request) == Replayed(1)

    def test_a_server_that_is_not_there_is_unavailable(self, tmp_path):
        nowhere = Store(connect(f"postgresql:///ledger?host={tmp_path}"))
        asking: list[Callable[[], object]] = [
            nowhere.ready,
            nowhere.listen,
            lambda: nowhere.head("g"),
            lambda: nowhere.append("g", action(1)),
            lambda: nowhere.game("g"),
            lambda: nowhere.create_game(game("g"), []),
        ]
        for ask in asking:
            with pytest.raises(StoreUnavailable, match="did not answer"):
                ask()

    def test_a_pool_with_nothing_free_is_unavailable(self, database_url: str):
        engine = connect(database_url, pool_size=1, overflow=0, patience=0.05)
        with engine.connect(), pytest.raises(StoreUnavailable, match="did not answer"):
            Store(engine).head("g")
        engine.dispose()


class TestGames:
    def test_a_game_comes_back_as_it_was_created(self, store: Store):
        game_id = secrets.token_hex(6)
        sealed = GameRecord(game_id, "negopoly", "Ünïcode ₦", NOON, bytes(range(256)), b"hash", b"\0sealed\xff")
        assert store.create_game(sealed, []) is True
        assert store.game(game_id) == sealed

    def test_a_game_that_exists_is_left_alone(self, store: Store, table: str):
        other = [credential(table, "c", b"hash")]
        assert store.create_game(game(table, minutes=9), other) is False
        assert store.game(table) == game(table)
        assert store.credentials(table) == []

    def test_a_game_and_its_credentials_are_written_together_or_not_at_all(self, store: Store):
        game_id = secrets.token_hex(6)
        twice = [credential(game_id, "c1", b"hash"), credential(game_id, "c2", b"hash")]
        with pytest.raises(RecordRefused):
            store.create_game(game(game_id), twice)
        assert store.game(game_id) is None
        assert store.credentials(game_id) == []

    def test_of_eight_creations_at_once_one_is_made(self, store: Store):
        game_id = secrets.token_hex(6)
        with ThreadPoolExecutor(8) as threads:
            made = list(
                threads.map(
                    lambda n: store.create_game(game(game_id), [credential(game_id, f"c{n}", b"%d" % n)]),
                    range(8),
                )
            )
        assert made.count(True) == 1
        assert [one.credential_id for one in store.credentials(game_id)] == [f"c{made.index(True)}"]

    @pytest.mark.parametrize("game_id", ["nobody knows", "", "nul \0", "lone \ud800"])
    def test_there_is_no_other_game(self, store: Store, game_id: str):
        assert store.game(game_id) is None
        assert store.credential(game_id, b"hash") is None

    def test_games_are_listed_newest_first_a_page_at_a_time(self, new_database: Callable[..., str]):
        engine = connect(new_database())
        store = Store(engine)
        minutes = {"a": 1, "b": 3, "c": 2, "d": 2, "e": 0}
        for game_id, minute in minutes.items():
            store.create_game(game(game_id, minutes=minute), [])
        listed = []
        after = None
        while page := store.games(after=after, limit=2):
            listed += page
            after = (page[-1].created_at, page[-1].game_id)
        engine.dispose()
        assert [one.game_id for one in listed] == ["b", "d", "c", "a", "e"]
        assert listed[0] == game("b", minutes=3)


class TestCredentials:
    @pytest.fixture
    def seats(self, store: Store) -> str:
        """A game with a credential for ana and one for ben."""
        game_id = secrets.token_hex(6)
        first = [
            credential(game_id, "c1", b"ana's", seat="ana"),
            credential(game_id, "c2", b"ben's", seat="ben"),
        ]
        assert store.create_game(game(game_id), first)
        return game_id

    def test_a_token_is_known_in_its_own_game_only(self, store: Store, seats: str, table: str):
        assert store.credential(seats, b"ana's") == credential(seats, "c1", b"ana's", seat="ana")
        assert store.credential(seats, b"cleo's") is None
        assert store.credential(table, b"ana's") is None

    def test_a_revoked_credential_opens_nothing_and_stays_on_record(self, store: Store, seats: str):
        later = NOON + timedelta(hours=1)
        assert store.revoke_credential(seats, "c1", later) is True
        assert store.revoke_credential(seats, "c1", later + timedelta(hours=1)) is False
        assert store.revoke_credential(seats, "c9", later) is False

        assert store.credential(seats, b"ana's") is None
        assert store.credential(seats, b"ben's") is not None
        assert [(one.credential_id, one.revoked_at) for one in store.credentials(seats)] == [
            ("c1", later),
            ("c2", None),
        ]

    def test_replacing_revokes_the_old_and_writes_the_new(self, store: Store, seats: str):
        assert store.replace_credential("c1", credential(seats, "c3", b"ana's new")) is True
        assert store.credential(seats, b"ana's") is None
        assert store.credential(seats, b"ana's new") == credential(seats, "c3", b"ana's new")
        assert [one.revoked_at for one in store.credentials(seats)] == [NOON, None, None]

    def test_only_a_valid_credential_is_replaced(self, store: Store, seats: str):
        store.revoke_credential(seats, "c1", NOON)
        for old in ("c1", "c9"):
            assert store.replace_credential(old, credential(seats, "c3", b"new")) is False
        assert store.credential(seats, b"new") is None

    def test_a_replacement_that_cannot_be_written_revokes_nothing(self, store: Store, seats: str):
        with pytest.raises(RecordRefused):
            store.replace_credential("c1", credential(seats, "c3", b"ben's"))
        assert store.credential(seats, b"ana's") is not None


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

    def test_dropping_them_leaves_the_journal_whole(self, store: Store, table: str):
        other = new_game(store)
        store.append(table, action(1, event(1)))
        for game_id in (table, other):
            store.save_snapshot(game_id, 1, "state-1", b"body")

        store.drop_snapshots(table)
        assert store.latest_snapshot(table, "state-1") is None
        assert store.latest_snapshot(other, "state-1") is not None
        store.drop_snapshots()
        assert store.latest_snapshot(other, "state-1") is None
        assert store.entry(table, 1) == b"entry 1"
        assert [batch.body for batch in store.facts(table)] == [b'[{"seq":1}]']
