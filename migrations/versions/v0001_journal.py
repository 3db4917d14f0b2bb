"""Create games, journals, credentials and snapshots."""

from alembic import op

revision = "0001"
down_revision = None

_TABLES = """
CREATE TABLE games (
    game_id       text        NOT NULL,
    rulebook      text        NOT NULL,
    title         text        NOT NULL,
    created_at    timestamptz NOT NULL,
    setup         bytea       NOT NULL,
    request_hash  bytea,
    sealed_answer bytea,
    CONSTRAINT games_pkey PRIMARY KEY (game_id)
);

CREATE TABLE actions (
    game_id         text        NOT NULL,
    number          bigint      NOT NULL,
    kind            text        NOT NULL,
    seat            text,
    by              text        NOT NULL,
    recorded_at     timestamptz NOT NULL,
    first_seq       bigint      NOT NULL,
    event_count     integer     NOT NULL,
    idempotency_key text,
    request_hash    bytea,
    canonical       bytea       NOT NULL,
    leaf            bytea       NOT NULL,
    CONSTRAINT actions_pkey PRIMARY KEY (game_id, number),
    CONSTRAINT actions_by_check CHECK (by IN ('banker', 'player', 'spectator', 'system')),
    CONSTRAINT actions_leaf_check CHECK (octet_length(leaf) = 32)
);

-- Partial, so that an action without a key costs nothing here.
CREATE UNIQUE INDEX actions_idempotency_key ON actions (game_id, idempotency_key)
    WHERE idempotency_key IS NOT NULL;

CREATE TABLE events (
    game_id     text     NOT NULL,
    seq         bigint   NOT NULL,
    number      bigint   NOT NULL,
    kind        text     NOT NULL,
    version     smallint NOT NULL,
    rule        text     NOT NULL,
    accounts    text[]   NOT NULL,
    commodities text[]   NOT NULL,
    body        json     NOT NULL,
    CONSTRAINT events_pkey PRIMARY KEY (game_id, seq)
);

-- Precedents are looked for over many games: partial, so that no other event costs anything here.
CREATE INDEX events_rulings ON events (kind, game_id, number)
    WHERE kind IN ('ruling_given', 'rulings_published');

CREATE TABLE credentials (
    game_id       text        NOT NULL,
    credential_id text        NOT NULL,
    token_hash    bytea       NOT NULL,
    role          text        NOT NULL,
    seat          text,
    created_at    timestamptz NOT NULL,
    revoked_at    timestamptz,
    sealed        bytea,
    CONSTRAINT credentials_pkey PRIMARY KEY (game_id, credential_id),
    CONSTRAINT credentials_game_id_token_hash_key UNIQUE (game_id, token_hash)
);

CREATE TABLE snapshots (
    game_id    text        NOT NULL,
    number     bigint      NOT NULL,
    format     text        NOT NULL,
    body       bytea       NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT snapshots_pkey PRIMARY KEY (game_id, number, format)
);
"""

# The trigger fires per statement, so that even a change of no row is refused. It is enabled as ALWAYS, so that it
# also fires under the settings that switch other triggers off.
_GUARD = """
CREATE FUNCTION refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'what is written stays: % on table % is refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', HINT = 'A mistake is mended by appending a correction.';
END
$$;
"""


def upgrade() -> None:
    """Create the tables, and protect the journal from changes."""
    op.execute(_TABLES)
    op.execute(_GUARD)
    for table in ("games", "actions", "events"):
        op.execute(
            f"CREATE TRIGGER never_rewritten BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting()"
        )
        op.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER never_rewritten")


def downgrade() -> None:
    """Refuse: a migration is never undone."""
    raise RuntimeError("migrations are not undone: restore a backup instead")
