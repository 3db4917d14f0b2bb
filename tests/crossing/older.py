"""Databases of older schemas: the games of today's database in the tables of an earlier revision."""

from __future__ import annotations

from pathlib import Path

import psycopg
import sqlalchemy
from alembic import command
from alembic.config import Config
from psycopg import sql

import migrations

OLDER = ("0003", "0004", "0005")
"""Revisions with the secret of the installation, by which the seeds of throws are kept."""
OLDEST = ("0001", "0002")
"""Revisions before that secret, for games whose table throws."""
_COLUMNS = """
SELECT table_name::text, array_agg(column_name::text ORDER BY ordinal_position) FROM information_schema.columns
 WHERE table_schema = 'public' AND table_name <> 'alembic_version' AND is_generated = 'NEVER' GROUP BY table_name
"""


def lay_out(source: str, target: str, revision: str) -> None:
    """Bring an empty database to a revision, and copy everything into it that this revision has a place for."""
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    engine = sqlalchemy.create_engine(target.replace("postgresql://", "postgresql+psycopg://", 1))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()
    with psycopg.connect(source) as read, psycopg.connect(target) as write:
        there: dict[str, list[str]] = dict(write.execute(_COLUMNS).fetchall())
        here: dict[str, list[str]] = dict(read.execute(_COLUMNS).fetchall())
        write.execute("SET session_replication_role = replica")
        for table in sorted(there.keys() & here.keys()):
            columns = sql.SQL(", ").join(
                map(sql.Identifier, (name for name in there[table] if name in here[table]))
            )
            name = sql.Identifier(table)
            write.execute(sql.SQL("DELETE FROM {}").format(name) if table == "installation" else "SELECT")
            out = sql.SQL("COPY {} ({}) TO STDOUT").format(name, columns)
            into = sql.SQL("COPY {} ({}) FROM STDIN").format(name, columns)
            with read.cursor().copy(out) as rows, write.cursor().copy(into) as taken:
                for row in rows:
                    taken.write(row)
