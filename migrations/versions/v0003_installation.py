"""Create the table with the secret of this installation, and the order in which games are listed."""

import secrets

import sqlalchemy
from alembic import op

revision = "0003"
down_revision = "0002"

_SECRET_BYTES = 32


def upgrade() -> None:
    """Create the table with a random secret, and the index of the games by their age."""
    op.execute(
        "CREATE TABLE installation (name text NOT NULL, value bytea NOT NULL,"
        " CONSTRAINT installation_pkey PRIMARY KEY (name))"
    )
    op.get_bind().execute(
        sqlalchemy.text("INSERT INTO installation (name, value) VALUES ('secret', :secret)"),
        {"secret": secrets.token_bytes(_SECRET_BYTES)},
    )
    op.execute("CREATE INDEX games_by_age ON games (created_at, game_id)")


def downgrade() -> None:
    """Refuse: a migration is never undone."""
    raise RuntimeError("migrations are not undone: restore a backup instead")
