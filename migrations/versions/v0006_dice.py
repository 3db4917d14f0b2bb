"""Create the tables of shared throws: the chains of the seats, the throws that were asked for, revealed values."""

from alembic import op

revision = "0006"
down_revision = "0005"

_TABLES = """
CREATE TABLE dice_chains (
    game_id text    NOT NULL,
    seat    text    NOT NULL,
    "end"   bytea   NOT NULL,
    length  integer NOT NULL,
    CONSTRAINT dice_chains_pkey PRIMARY KEY (game_id, seat)
);

CREATE TABLE dice_throws (
    game_id text   NOT NULL,
    throw   bigint NOT NULL,
    after   bigint NOT NULL,
    missing text[],
    CONSTRAINT dice_throws_pkey PRIMARY KEY (game_id, throw)
);

CREATE TABLE dice_values (
    game_id text   NOT NULL,
    throw   bigint NOT NULL,
    seat    text   NOT NULL,
    value   bytea  NOT NULL,
    CONSTRAINT dice_values_pkey PRIMARY KEY (game_id, throw, seat)
);
"""


def upgrade() -> None:
    """Create the tables. A value that was revealed stays as it is."""
    op.execute(_TABLES)
    op.execute(
        "CREATE TRIGGER never_rewritten BEFORE UPDATE OR DELETE OR TRUNCATE ON dice_values "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting()"
    )
    op.execute("ALTER TABLE dice_values ENABLE ALWAYS TRIGGER never_rewritten")


def downgrade() -> None:
    """Refuse: a migration is never undone."""
    raise RuntimeError("migrations are not undone: restore a backup instead")
