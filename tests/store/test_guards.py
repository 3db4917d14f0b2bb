"""The guards of the tables: what their owner and the service may do."""

import psycopg
import pytest

from ledger.store.store import Store
from tests.store.journals import action, event


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
            "installation": ["SELECT"],
            "alembic_version": ["SELECT"],
        }
