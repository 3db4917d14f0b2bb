"""Rulings over many games: the selection, the order, and the use of their index."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from sqlalchemy import event as listening
from sqlalchemy import text

from ledger.store.database.connection import connect, reading
from ledger.store.database.errors import StoreError
from ledger.store.records import RulingRecord, RulingSelection, Selection
from ledger.store.store import Store
from tests.store.journals import NOON, action, event, new_game


def ruling(finding: str = "It stands", rules: tuple[str, ...] = ("P.1",), waives: tuple[str, ...] = ()) -> bytes:
    return msgspec.json.encode({"finding": finding, "rules": rules, "waives": waives})


def ruled(store: Store, *bodies: bytes, minutes: int = 0) -> str:
    """A game with only these rulings, a minute apart."""
    game_id = new_game(store)
    for number, body in enumerate(bodies, start=1):
        given = event(number, kind="ruling_given", rule="P.1", accounts=(), commodities=(), body=body)
        store.journal.append(
            game_id, action(number, given, kind="rule", by="banker", seat=None, minutes=minutes + number)
        )
    return game_id


def found(store: Store, **selection: Any) -> list[tuple[str, int]]:
    return [(one.game_id, one.number) for one in store.rulings.selected(RulingSelection(**selection))]


def test_the_rulings_of_the_games_named_newest_first(store: Store) -> None:
    first = ruled(store, ruling(), ruling())
    second = ruled(store, ruling(), minutes=1)
    assert found(store, games=(first,)) == [(first, 2), (first, 1)]
    expected = sorted([(first, 2), (second, 1)], reverse=True)
    assert found(store, games=(first, second)) == [*expected, (first, 1)]
    assert found(store) == []
    assert found(store, games=("nowhere",)) == []


def test_a_record_says_where_the_ruling_was_given(store: Store) -> None:
    game_id = ruled(store, ruling())
    (record,) = store.rulings.selected(RulingSelection(games=(game_id,)))
    assert record == RulingRecord(NOON.replace(minute=1), game_id, 1)


def test_nothing_but_rulings(store: Store) -> None:
    game_id = new_game(store)
    store.journal.append(game_id, action(1, event(1, body=ruling()), event(2, kind="fined", body=ruling())))
    assert found(store, games=(game_id,)) == []


def test_other_games_when_published_or_all(store: Store) -> None:
    silent, open_table = ruled(store, ruling()), ruled(store, ruling())
    published = event(2, kind="rulings_published", accounts=(), commodities=(), body=b'{"published":true}')
    store.journal.append(open_table, action(2, published))
    assert (open_table, 1) in found(store, others="published")
    assert (silent, 1) not in found(store, others="published")
    assert (silent, 1) in found(store, games=(silent,), others="published")
    assert {(silent, 1), (open_table, 1)} <= set(found(store, others="all", limit=1000))


def test_by_rule_and_by_words(store: Store) -> None:
    bodies = [
        ruling("Doses in the HAT count", rules=("VI.F.2", "P.1")),
        ruling("100% of the rent_due, and no hat", waives=("V.A.6",)),
        ruling("Çà et là"),
    ]
    game_id = ruled(store, *bodies)

    def numbers(**selection: Any) -> list[int]:
        return [number for _, number in found(store, games=(game_id,), **selection)]

    assert numbers(rule="VI.F.2") == [1]
    assert numbers(rule="V.A.6") == [2]
    assert numbers(rule="VI.F") == []
    assert numbers(words=("hat",)) == [2, 1]
    assert numbers(words=("hat", "dose")) == [1]
    assert numbers(words=("0%",)) == [2]
    assert numbers(words=("%of",)) == []
    assert numbers(words=("t_d",)) == [2]
    assert numbers(words=("e_r",)) == []
    assert numbers(words=("çà",)) == [3]
    assert numbers(rulebook="negopoly", rule="P.1", words=("there is none",)) == []
    assert numbers(rulebook="chess") == []


def test_a_page_goes_on_where_the_last_one_ended(store: Store) -> None:
    game_id = ruled(store, *[ruling()] * 5)
    page = store.rulings.selected(RulingSelection(games=(game_id,), limit=2))
    last = page[-1]
    after = (last.recorded_at, last.game_id, last.number)
    rest = found(store, games=(game_id,), cursor=after)
    assert [one.number for one in page] + [number for _, number in rest] == [5, 4, 3, 2, 1]


@pytest.mark.parametrize("selection", [{"words": ("\0",)}, {"rule": "\0"}, {"rulebook": "\0"}])
def test_what_cannot_be_stored_is_found_nowhere(store: Store, selection: dict[str, Any]) -> None:
    assert found(store, **{"others": "all", **selection}) == []


def test_the_actions_of_one_game_that_gave_a_ruling(store: Store) -> None:
    game_id = ruled(store, ruling(), ruling())
    ruled(store, ruling())
    both = [event(3 + place, kind="ruling_given", accounts=(), commodities=(), body=ruling()) for place in (0, 1)]
    store.journal.append(game_id, action(3, *both, by="banker", seat=None))
    store.journal.append(game_id, action(4, event(5)))
    assert store.rulings.numbers(game_id, 4) == [1, 2, 3]
    assert store.rulings.numbers(game_id, 1) == [1]
    assert store.rulings.numbers("nowhere", 9) == []


def test_the_index_is_used(store: Store) -> None:
    """The query never reads events that are no rulings."""
    statements: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        statements.append((statement, parameters))

    listening.listen(store.engine, "before_cursor_execute", note)
    try:
        for others in ("none", "published", "all"):
            found(store, games=("somewhere",), others=others, rule="P.1", words=("rent",), rulebook="negopoly")
    finally:
        listening.remove(store.engine, "before_cursor_execute", note)
    assert len(statements) == 3
    with reading(store.engine) as connection:
        for statement, parameters in statements:
            plan = "\n".join(
                row[0] for row in connection.exec_driver_sql(f"EXPLAIN {statement}", parameters).all()
            )
            assert "events_rulings" in plan
            assert "events_pkey" not in plan
        assert connection.scalar(text("SELECT count(*) FROM pg_indexes WHERE indexname = 'events_rulings'")) == 1


def test_a_ruling_that_cannot_be_read_hides_no_other(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    """A finding with NUL, written by an earlier version, is no JSONB. A list is no ruling at all."""
    old = ruled(store, ruling("Before"), ruling("An old one\0", rules=("II.1",)), ruling("After"))
    broken = ruled(store, b"[1]", ruling("Whole"), b'{"finding":"\\ud800","rules":[]}', minutes=10)

    def numbers(game_id: str, **selection: Any) -> list[int]:
        return [number for game, number in found(store, others="all", limit=1000, **selection) if game == game_id]

    assert numbers(old, rule="P.1") == [3, 1]
    assert numbers(old, rule="II.1") == [2]
    assert numbers(old, words=("old",)) == [2]
    assert numbers(broken) == [2]
    left_out = [record for record in caplog.records if record.args and record.args[0] == broken]
    assert {record.args for record in left_out} == {(broken, 1), (broken, 3)}
    assert all(record.levelname == "WARNING" for record in left_out)


@pytest.mark.parametrize("limit", [1, 2, 3, 1000])
def test_pages_of_rare_rulings_have_each_of_them_once(store: Store, limit: int) -> None:
    """Two of three rulings are of another rule, and one of eight cannot be read."""
    bodies = [
        b'{"rules":["X.1"]}'
        if number % 8 == 0
        else ruling(f"{number}\0", rules=("X.1",) if number % 3 == 0 else ())
        for number in range(1, 60)
    ]
    game_id = ruled(store, *bodies)
    after, numbers = None, []
    while page := store.rulings.selected(RulingSelection(games=(game_id,), rule="X.1", cursor=after, limit=limit)):
        numbers += [record.number for record in page]
        after = (page[-1].recorded_at, page[-1].game_id, page[-1].number)
    assert numbers == [number for number in range(59, 0, -1) if number % 3 == 0 and number % 8]


def test_a_failing_database_is_no_empty_answer(store: Store, new_database: Any) -> None:
    """What fails is said to fail: here the tables are missing."""
    empty = Store(connect(new_database(migrated=False)))
    try:
        for read in (
            lambda: empty.rulings.selected(RulingSelection(others="all")),
            lambda: empty.journal.entries("somewhere", Selection(kind="rule")),
            lambda: empty.games.get("somewhere"),
            lambda: empty.games.credential("somewhere", b"hash"),
        ):
            with pytest.raises(StoreError):
                read()
    finally:
        empty.engine.dispose()


def test_a_rule_and_a_word_are_found_however_they_are_spelt(store: Store) -> None:
    """JSON may write any character as an escape, as an imported journal can; "rules" is no rule of the ruling."""
    game_id = ruled(
        store,
        b'{"finding":"The \\u0068at","rules":["V\\u002eB.1"],"waives":[]}',
        b'{"finding":"and\\/or \\"so\\"","rules":["a\\/b"],"waives":[]}',
        ruling('a back\\slash and a "Quote"', rules=('the "rule"',)),
    )

    def numbers(**selection: Any) -> list[int]:
        return [number for _, number in found(store, games=(game_id,), **selection)]

    assert numbers(rule="V.B.1") == numbers(words=("hat",)) == [1]
    assert numbers(rule="a/b") == numbers(words=("and/or", '"so"')) == [2]
    assert numbers(rule='the "rule"') == numbers(words=("back\\", '"quote"')) == [3]
    assert numbers(rule="rules") == numbers(words=("rules",)) == []
