"""Reading a journal: its entries, one by one and in runs."""

from datetime import timedelta

import pytest

from ledger.kernel.journal.stored import leaf
from ledger.store.database.errors import JournalDamaged
from ledger.store.records import Appended, Selection
from ledger.store.store import Store
from tests.store.journals import NOON, action, event, new_game


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
        assert store.journal.append(game_id, action(number, *events)) == Appended(number)
        seq += count
    return game_id


class TestRuns:
    @pytest.mark.parametrize("size", [1, 2, 3, 5, 9, 10, 11])
    def test_runs_of_any_size_say_the_same(self, store: Store, uneven: str, size: int):
        runs = list(store.journal.runs(uneven, batch=size))
        assert all(len(run) <= size for run in runs)
        assert [entry.number for run in runs for entry in run] == list(range(1, 11))
        assert [entry.canonical for run in runs for entry in run] == [b"entry %d" % n for n in range(1, 11)]

    def test_after_and_upto_bound_the_actions(self, store: Store, uneven: str):
        [run] = store.journal.runs(uneven, start=4, upto=7)
        assert [entry.number for entry in run] == [5, 6, 7]

    @pytest.mark.parametrize("size", [1, 2, 3, 10])
    def test_the_entry_before_is_compared_and_not_given(self, store: Store, uneven: str, size: int):
        runs = store.journal.runs(uneven, start=4, leaf=leaf(b"entry 4"), batch=size)
        assert [entry.number for run in runs for entry in run] == [5, 6, 7, 8, 9, 10]
        with pytest.raises(JournalDamaged, match="action 4"):
            list(store.journal.runs(uneven, start=4, leaf=leaf(b"another"), batch=size))

    def test_at_the_head_there_is_nothing_to_read(self, store: Store, uneven: str):
        assert list(store.journal.runs(uneven, start=10)) == []
        assert list(store.journal.runs(uneven, start=10, upto=10)) == []
        assert list(store.journal.runs(uneven, start=10, leaf=leaf(b"entry 10"))) == []

    def test_more_than_there_is_cannot_be_read(self, store: Store, uneven: str):
        with pytest.raises(JournalDamaged, match="action 11: it is missing"):
            list(store.journal.runs(uneven, start=8, upto=12))


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
        assert store.journal.append(game_id, one) == Appended(one.number)
    other = new_game(store)
    assert store.journal.append(other, action(1, event(1), minutes=2)) == Appended(1)
    return game_id


class TestEntries:
    @pytest.mark.parametrize(
        ("selection", "numbers"),
        [
            (Selection(), [1, 2, 3, 4]),
            (Selection(newest_first=True), [4, 3, 2, 1]),
            (Selection(limit=2), [1, 2]),
            (Selection(limit=2, above=2), [3, 4]),
            (Selection(limit=2, below=4, newest_first=True), [3, 2]),
            (Selection(above=1, below=4), [2, 3]),
            (Selection(above=4), []),
            (Selection(above=10**30), []),
            (Selection(below=10**30), [1, 2, 3, 4]),
            (Selection(above=-(10**30), limit=10**30), [1, 2, 3, 4]),
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
            (Selection(account="player:ana", above=1, below=4), [2]),
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
        assert store.journal.entries(varied, selection) == [(number, b"entry %d" % number) for number in numbers]

    def test_page_after_page_shows_each_entry_once(self, store: Store, varied: str):
        seen: list[int] = []
        while page := store.journal.entries(varied, Selection(above=seen[-1] if seen else None, limit=1)):
            seen += [number for number, _ in page]
        assert seen == [1, 2, 3, 4]

    def test_several_entries_are_read_at_once(self, store: Store, varied: str):
        asked = [4, 0, 1, 5, -1, 4, 2**63]
        assert store.journal.entries_of(varied, asked) == [(1, b"entry 1"), (4, b"entry 4")]
        assert store.journal.entries_of(varied, []) == []
        assert store.journal.entries_of("nowhere", [1]) == []

    @pytest.mark.parametrize("number", [0, -1, 5, 2**63, 10**30])
    def test_there_is_no_entry_under_another_number(self, store: Store, varied: str, number: int):
        assert store.journal.entry(varied, number) is None
