"""Create the table of the invitations to games."""

from alembic import op

revision = "0004"
down_revision = "0003"

_TABLE = """
CREATE TABLE invitations (
    game_id       text        NOT NULL,
    invitation_id text        NOT NULL,
    half_hash     bytea       NOT NULL,
    code_hash     bytea       NOT NULL,
    role          text        NOT NULL,
    seat          text,
    replaces      text,
    created_at    timestamptz NOT NULL,
    expires_at    timestamptz NOT NULL,
    ended_at      timestamptz,
    wrong_codes   smallint    NOT NULL,
    sealed_code   bytea,
    sealed_token  bytea,
    CONSTRAINT invitations_pkey PRIMARY KEY (game_id, invitation_id)
);

-- Who joins may know no game, only a code. This index crosses games.
CREATE INDEX invitations_by_half ON invitations (half_hash);
"""


def upgrade() -> None:
    """Create the table, and the index by which a code is looked up."""
    op.execute(_TABLE)


def downgrade() -> None:
    """Refuse: a migration is never undone."""
    raise RuntimeError("migrations are not undone: restore a backup instead")
