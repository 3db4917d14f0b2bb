"""Create the table of the actions that touch an account."""

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the table, fill it from the existing events, and protect it from changes."""
    # Appends wait meanwhile, so that none of them is missed.
    op.execute("LOCK TABLE events IN SHARE MODE")
    op.execute("CREATE TABLE touches (game_id text NOT NULL, account text NOT NULL, number bigint NOT NULL)")
    op.execute(
        "INSERT INTO touches (game_id, account, number)"
        " SELECT DISTINCT game_id, account, number FROM events, unnest(accounts) AS account ORDER BY 1, 2, 3"
    )
    op.execute("ALTER TABLE touches ADD CONSTRAINT touches_pkey PRIMARY KEY (game_id, account, number)")
    op.execute(
        "CREATE TRIGGER never_rewritten BEFORE UPDATE OR DELETE OR TRUNCATE ON touches "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting()"
    )
    op.execute("ALTER TABLE touches ENABLE ALWAYS TRIGGER never_rewritten")


def downgrade() -> None:
    """Refuse: a migration is never undone."""
    raise RuntimeError("migrations are not undone: restore a backup instead")
