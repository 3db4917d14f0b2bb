"""Every column of the journal is changed once, and `verify` finds it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, LiteralString

import pytest
from psycopg import sql
from sqlalchemy import Column, Table

from ledger.kernel.facts.audience import BANKER
from ledger.service import Command, Ledger
from ledger.store.database import schema
from tests.harness.storing import whole_of
from tests.tables.ledgers import a_ledger
from tests.trust.tampering import Owner
from tests.trust.test_verifying import found

OTHERWISE: dict[str, LiteralString] = {
    "Text": "{} || 'x'",
    "BigInteger": "{} + 1000",
    "Integer": "{} + 1",
    "SmallInteger": "{} + 1",
    "LargeBinary": "sha256({})",
    "ARRAY": "{} || 'x'::text",
    "JSON": "'{{}}'::json",
    "DateTime": "{} + interval '1 second'",
}
"""Another value of each type of column."""
OWN: dict[str, LiteralString] = {"actions.by": "'system'", "actions.seat": "'bob'"}
"""Another value of a column that does not take any."""
NOT_OF_THE_JOURNAL = {"actions.idempotency_key", "actions.request_hash"}
"""What lets a request be repeated is no fact of the game. It may be removed."""


def columns() -> Iterator[tuple[Table, Column[object]]]:
    """The columns of the tables that hold the journal."""
    for table in (schema.actions, schema.events, schema.touches):
        for column in table.columns:
            if f"{table.name}.{column.name}" not in NOT_OF_THE_JOURNAL:
                yield table, column


@pytest.mark.parametrize("number", [7, 9], ids=["within", "last"])
@pytest.mark.parametrize(("table", "column"), list(columns()), ids=lambda one: one.name)
def test_a_changed_column_is_found(
    ledger: Ledger, game: str, owner: Owner, table: Table, column: Column[object], number: int
) -> None:
    """Of a payment within the journal, and of the last one."""
    other = OWN.get(f"{table.name}.{column.name}", OTHERWISE[type(column.type).__name__])
    place = sql.Identifier(column.name)
    owner.run(
        sql.SQL("UPDATE {} SET {} = {} WHERE game_id = %s AND number = %s").format(
            sql.Identifier(table.name), place, sql.SQL(other).format(place)
        ),
        game,
        number,
    )
    assert found(ledger, game)


def changed(value: Any) -> Any:
    """Another value of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str() if value.startswith("2026-"):
            return value.replace("2026-", "2027-")
        case str():
            return f"{value}x"
        case list():
            return [*value, *value[-1:]] if value else ["x"]
        case dict():
            return {name: changed(one) for name, one in value.items()} if value else {"x": 1}
    return "x"


def test_a_changed_member_of_an_entry_is_found(ledger: Ledger, game: str, owner: Owner) -> None:
    """Of a sealed payment that broke a rule, with the hash put right as well. It is decided again.

    Only a signed checkpoint tells another salt, which is chance, and another wording of the banker's reason.
    Without a reason the payment is refused.
    """
    waived = Command(
        kind="transfer_money", seat="ana", params={"to": "bob", "amount": 9000}, override="they trust her"
    )
    number = ledger.perform(game, BANKER, waived).version
    stored = owner.canonical(game, number)
    members = json.loads(whole_of(stored))
    salt = members.pop("salt")
    assert {"params", "override", "warnings", "events", "seat", "by"} <= members.keys()
    for name, value in members.items():
        other = None if name == "override" else changed(value)
        entry = json.dumps(
            {**members, "salt": salt, name: other}, separators=(",", ":"), ensure_ascii=False
        ).encode()
        owner.rewrite(game, number, entry)
        assert found(a_ledger(ledger.store), game, decide=True), name
    owner.rewrite(game, number, whole_of(stored))
    assert found(a_ledger(ledger.store), game, decide=True) == []
