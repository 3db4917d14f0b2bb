"""The tables after all migrations.

Every key of a game's data starts with `game_id`, every unique key includes `game_id`, and no transaction spans
two games. So the tables can be distributed over a cluster by `game_id` without changes. Therefore, and because
their checks would slow every append, the tables have no foreign keys. The append itself checks the predecessor
of an action, and the game of a first action.
"""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    DateTime,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSON

metadata = MetaData(
    naming_convention={
        "pk": "%(table_name)s_pkey",
        "uq": "%(table_name)s_%(column_0_N_name)s_key",
        "ck": "%(table_name)s_%(constraint_name)s_check",
    }
)


def _moment(name: str, *, nullable: bool = False) -> Column[object]:
    return Column(name, DateTime(timezone=True), nullable=nullable)


games = Table(
    "games",
    metadata,
    Column("game_id", Text),
    Column("rulebook", Text, nullable=False),
    Column("title", Text, nullable=False),
    _moment("created_at"),
    Column("setup", LargeBinary, nullable=False),
    Column("request_hash", LargeBinary),
    Column("sealed_answer", LargeBinary),
    PrimaryKeyConstraint("game_id"),
)

# Games are listed newest first, over all rulebooks. This index crosses games, as the list does.
Index("games_by_age", games.c.created_at, games.c.game_id)

actions = Table(
    "actions",
    metadata,
    Column("game_id", Text),
    Column("number", BigInteger),
    Column("kind", Text, nullable=False),
    Column("seat", Text),
    Column("by", Text, nullable=False),
    _moment("recorded_at"),
    # The action has `event_count` events, numbered from `first_seq` on.
    Column("first_seq", BigInteger, nullable=False),
    Column("event_count", Integer, nullable=False),
    Column("idempotency_key", Text),
    Column("request_hash", LargeBinary),
    Column("canonical", LargeBinary, nullable=False),
    Column("leaf", LargeBinary, nullable=False),
    PrimaryKeyConstraint("game_id", "number"),
    CheckConstraint("by IN ('banker', 'player', 'spectator', 'system')", name="by"),
    CheckConstraint("octet_length(leaf) = 32", name="leaf"),
)
Index(
    "actions_idempotency_key",
    actions.c.game_id,
    actions.c.idempotency_key,
    unique=True,
    postgresql_where=text("idempotency_key IS NOT NULL"),
)

events = Table(
    "events",
    metadata,
    Column("game_id", Text),
    Column("seq", BigInteger),
    Column("number", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("version", SmallInteger, nullable=False),
    Column("rule", Text, nullable=False),
    Column("accounts", ARRAY(Text), nullable=False),
    Column("commodities", ARRAY(Text), nullable=False),
    # json, not jsonb: json is checked at writing, and then stored byte for byte.
    Column("body", JSON, nullable=False),
    PrimaryKeyConstraint("game_id", "seq"),
)
# For the search for precedents over many games. Partial, so other events cost nothing here.
Index(
    "events_rulings",
    events.c.kind,
    events.c.game_id,
    events.c.number,
    postgresql_where=text("kind IN ('ruling_given', 'rulings_published')"),
)

# The actions with a posting from or to an account. Statements are read by this table.
touches = Table(
    "touches",
    metadata,
    Column("game_id", Text),
    Column("account", Text),
    Column("number", BigInteger),
    PrimaryKeyConstraint("game_id", "account", "number"),
)

credentials = Table(
    "credentials",
    metadata,
    Column("game_id", Text),
    Column("credential_id", Text),
    Column("token_hash", LargeBinary, nullable=False),
    Column("role", Text, nullable=False),
    Column("seat", Text),
    _moment("created_at"),
    _moment("revoked_at", nullable=True),
    # The encrypted token, readable only with the idempotency key of the request for the token.
    Column("sealed", LargeBinary),
    PrimaryKeyConstraint("game_id", "credential_id"),
    UniqueConstraint("game_id", "token_hash"),
)

# Invitations to games. An invitation is found by the hash of the first half of its code
# (`ledger.access.invitations`).
invitations = Table(
    "invitations",
    metadata,
    Column("game_id", Text),
    Column("invitation_id", Text),
    Column("half_hash", LargeBinary, nullable=False),
    Column("code_hash", LargeBinary, nullable=False),
    Column("role", Text, nullable=False),
    Column("seat", Text),
    # The credential revoked by the use of the code.
    Column("replaces", Text),
    _moment("created_at"),
    _moment("expires_at"),
    _moment("ended_at", nullable=True),
    # Always 0: earlier versions counted the wrong codes for the game.
    Column("wrong_codes", SmallInteger, nullable=False, default=0),
    # The encrypted code and the encrypted token, each readable only with the idempotency key of its request.
    Column("sealed_code", LargeBinary),
    Column("sealed_token", LargeBinary),
    PrimaryKeyConstraint("game_id", "invitation_id"),
)
# A joining person may know no game, only a code. This index crosses games.
Index("invitations_by_half", invitations.c.half_hash)

snapshots = Table(
    "snapshots",
    metadata,
    Column("game_id", Text),
    Column("number", BigInteger),
    Column("format", Text),
    Column("body", LargeBinary, nullable=False),
    _moment("created_at"),
    PrimaryKeyConstraint("game_id", "number", "format"),
)

# The full tiles of the tree over a game's journal: 256 hashes each, and the root over the hashes
# (`ledger.trust.tiles`).
tiles = Table(
    "tiles",
    metadata,
    Column("game_id", Text),
    Column("level", SmallInteger),
    Column("place", BigInteger),
    Column("hashes", LargeBinary, nullable=False),
    Column("root", LargeBinary, nullable=False),
    PrimaryKeyConstraint("game_id", "level", "place"),
    CheckConstraint("octet_length(hashes) = 8192", name="hashes"),
    CheckConstraint("octet_length(root) = 32", name="root"),
)

# The signed checkpoints, by the size of the journal, and the signatures of witnesses.
checkpoints = Table(
    "checkpoints",
    metadata,
    Column("game_id", Text),
    Column("origin", Text),
    Column("size", BigInteger),
    Column("note", Text, nullable=False),
    PrimaryKeyConstraint("game_id", "origin", "size"),
)
cosignatures = Table(
    "cosignatures",
    metadata,
    Column("game_id", Text),
    Column("origin", Text),
    Column("size", BigInteger),
    Column("key", Text),
    Column("line", Text, nullable=False),
    # The token that brought the signature. Signatures of earlier versions have none.
    Column("credential_id", Text),
    PrimaryKeyConstraint("game_id", "origin", "size", "key"),
)

# The contributions of a game's seats to shared throws before they enter the journal: the committed chains, the
# requested throws, and the revealed values (`ledger.kernel.dice.shared`).
dice_chains = Table(
    "dice_chains",
    metadata,
    Column("game_id", Text),
    Column("seat", Text),
    Column("end", LargeBinary, nullable=False),
    Column("length", Integer, nullable=False),
    PrimaryKeyConstraint("game_id", "seat"),
)
dice_throws = Table(
    "dice_throws",
    metadata,
    Column("game_id", Text),
    Column("throw", BigInteger),
    Column("after", BigInteger, nullable=False),
    # The seats without a value in time, if the table threw instead.
    Column("missing", ARRAY(Text)),
    PrimaryKeyConstraint("game_id", "throw"),
)
dice_values = Table(
    "dice_values",
    metadata,
    Column("game_id", Text),
    Column("throw", BigInteger),
    Column("seat", Text),
    Column("value", LargeBinary, nullable=False),
    PrimaryKeyConstraint("game_id", "throw", "seat"),
)

# The data of this installation, independent of games: its secret, from which others are derived.
installation = Table(
    "installation",
    metadata,
    Column("name", Text),
    Column("value", LargeBinary, nullable=False),
    PrimaryKeyConstraint("name"),
)
