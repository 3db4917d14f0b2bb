"""The store: all data in Postgres."""

import sqlalchemy
from sqlalchemy import QueuePool

from ledger.store.copies import Copies
from ledger.store.database.connection import reading
from ledger.store.database.installation import Installation
from ledger.store.database.revisions import require_migrated
from ledger.store.database.tally import Tally
from ledger.store.dice import Dice
from ledger.store.games import Games
from ledger.store.invitations import Invitations
from ledger.store.journal import Journal
from ledger.store.logs import Logs
from ledger.store.notices import Notices
from ledger.store.precedents import Rulings
from ledger.store.rows import Rows
from ledger.store.snapshots import Snapshots
from ledger.store.turns import Turns


class Store:
    """Games with their credentials, journals and snapshots, on a `sqlalchemy.Engine`: a part for each matter.

    The engine comes from `ledger.store.database.connection.connect`. A store has no state of its own: any
    number of threads may use a store, and any number of processes a database. `tally` counts the store's work.

    Every method of a part raises `StoreUnavailable` if the database does not answer (its subclass `NotMigrated`
    if the tables do not match this version), and works again as soon as the database does. Every writing method
    raises `RecordRefused` for values that the tables cannot hold.
    """

    def __init__(self, engine: sqlalchemy.Engine, tally: Tally | None = None) -> None:
        self.engine = engine
        self.tally = tally or Tally()
        self.games = Games(engine)
        self.invitations = Invitations(engine)
        self.journal = Journal(engine, self.tally)
        self.snapshots = Snapshots(engine, self.tally)
        self.copies = Copies(engine)
        self.rows = Rows(engine)
        self.rulings = Rulings(engine)
        self.logs = Logs(engine)
        self.dice = Dice(engine)
        self.turns = Turns(engine)
        self.notices = Notices(engine)
        self.installation = Installation(engine)

    def connections(self) -> tuple[int, int, int]:
        """Return the numbers of lent, of idle and of allowed connections of the pool."""
        pool = self.engine.pool
        if not isinstance(pool, QueuePool):
            return (0, 0, 0)
        return (pool.checkedout(), pool.checkedin(), pool.size() + pool._max_overflow)

    def ready(self) -> None:
        """Raise `StoreUnavailable` or `NotMigrated`, with the reason, unless the store is ready."""
        with reading(self.engine) as connection:
            require_migrated(connection)
