"""Add the token that brought a witness's signature, so that no token takes the places of all witnesses."""

from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the column. Signatures stored before have no token."""
    op.execute("ALTER TABLE cosignatures ADD COLUMN credential_id text")


def downgrade() -> None:
    """Refuse: a migration is never undone."""
    raise RuntimeError("migrations are not undone: restore a backup instead")
