"""Create the tables of the logs: tiles of the trees, signed checkpoints, and the signatures of witnesses."""

from alembic import op

revision = "0005"
down_revision = "0004"

_TABLES = """
CREATE TABLE tiles (
    game_id text     NOT NULL,
    level   smallint NOT NULL,
    place   bigint   NOT NULL,
    hashes  bytea    NOT NULL,
    root    bytea    NOT NULL,
    CONSTRAINT tiles_pkey PRIMARY KEY (game_id, level, place),
    CONSTRAINT tiles_hashes_check CHECK (octet_length(hashes) = 8192),
    CONSTRAINT tiles_root_check CHECK (octet_length(root) = 32)
);

CREATE TABLE checkpoints (
    game_id text   NOT NULL,
    origin  text   NOT NULL,
    size    bigint NOT NULL,
    note    text   NOT NULL,
    CONSTRAINT checkpoints_pkey PRIMARY KEY (game_id, origin, size)
);

CREATE TABLE cosignatures (
    game_id text   NOT NULL,
    origin  text   NOT NULL,
    size    bigint NOT NULL,
    key     text   NOT NULL,
    line    text   NOT NULL,
    CONSTRAINT cosignatures_pkey PRIMARY KEY (game_id, origin, size, key)
);
"""


def upgrade() -> None:
    """Create the tables, and protect what was signed from changes, as the journal is."""
    op.execute(_TABLES)
    for table in ("checkpoints", "cosignatures"):
        op.execute(
            f"CREATE TRIGGER never_rewritten BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting()"
        )
        op.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER never_rewritten")


def downgrade() -> None:
    """Refuse: a migration is never undone."""
    raise RuntimeError("migrations are not undone: restore a backup instead")
