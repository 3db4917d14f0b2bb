"""Rulings over many games: the selection, the order, and the use of their index."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from sqlalchemy import event as listening
from sqlalchemy import text

from ledger.store.connection import reading
from ledger.store.records import RulingRecord, RulingSelection
from ledger.store.store import Store
from tests.store.journals import NOON, action, event, new_game


def ruling(finding: str = "It stands", rules: tuple[str, ...] = ("P.1",), waives: tuple[str, ...] = ()) -> bytes:
    return msgspec.json.encode({"finding": finding, "rules": rules, "waives": waives})


def ruled(store: Store, *bodies: bytes, minutes: int = 0) -> str:
    """A game with only these rulings, a minute apart."""
    game_id = new_game(store)
    for number, body in enumerate(bodies, start=1):
        given = event(number, kind="ruling_given", rule="P.1", accounts=(), commodities=(), body=body)
        store.append(game_id, action(number, given, kind="rule", by="banker", seat=None, minutes=minutes + number))
    return game_id


def found(store: Store, **selection: Any) -> list[tuple[str, int]]:
    return [(one.game_id, one.number) for one in store.rulings(RulingSelection(**selection))]


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
    (record,) = store.rulings(RulingSelection(games=(game_id,)))
    assert record == RulingRecord(NOON.replace(minute=1), game_id, 1)


def test_nothing_but_rulings(store: Store) -> None:
    game_id = new_game(store)
    store.append(game_id, action(1, event(1, body=ruling()), event(2, kind="fined", body=ruling())))
    assert found(store, games=(game_id,)) == []


def test_other_games_when_published_or_all(store: Store) -> None:
    silent, open_table = ruled(store, ruling()), ruled(store, ruling())
    published = event(2, kind="rulings_published", accounts=(), commodities=(), body=b'{"published":true}')
    store.append(open_table, action(2, published))
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
    page = store.rulings(RulingSelection(games=(game_id,), limit=2))
    last = page[-1]
    after = (last.recorded_at, last.game_id, last.number)
    rest = found(store, games=(game_id,), after=after)
    assert [one.number for one in page] + [number for _, number in rest] == [5, 4, 3, 2, 1]


@pytest.mark.parametrize("selection", [{"words": ("\0",)}, {"rule": "\0"}, {"rulebook": "\0"}])
def test_what_cannot_be_stored_is_found_nowhere(store: Store, selection: dict[str, Any]) -> None:
    assert found(store, **{"others": "all", **selection}) == []


def test_the_actions_of_one_game_that_gave_a_ruling(store: Store) -> None:
    game_id = ruled(store, ruling(), ruling())
    ruled(store, ruling())
    both = [event(3 + place, kind="ruling_given", accounts=(), commodities=(), body=ruling()) for place in (0, 1)]
    store.append(game_id, action(3, *both, by="banker", seat=None))
    store.append(game_id, action(4, event(5)))
    assert store.ruling_numbers(game_id, 4) == [1, 2, 3]
    assert store.ruling_numbers(game_id, 1) == [1]
    assert store.ruling_numbers("nowhere", 9) == []


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
