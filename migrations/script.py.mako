"""${message}."""

from alembic import op
${imports if imports else ""}

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    """Change the tables."""
    ${upgrades if upgrades else "pass"}


def downgrade() -> None:
    """Refuse: a migration is never undone."""
    raise RuntimeError("migrations are not undone: restore a backup instead")
