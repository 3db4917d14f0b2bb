"""The store: everything kept in Postgres."""

from ledger.store.connection import reading
from ledger.store.copies import Copies
from ledger.store.games import Games
from ledger.store.journal import Journal
from ledger.store.migration import require_migrated
from ledger.store.notices import Listener
from ledger.store.precedents import Rulings
from ledger.store.snapshots import Snapshots


class Store(Games, Journal, Rulings, Snapshots, Copies):
    """Games with their credentials, their journals and their snapshots, on one `sqlalchemy.Engine`.

    The engine comes from `ledger.store.connection.connect`. A store holds no state of its own: any number of
    threads may use one, and any number of processes the same database.

    Every method raises `StoreUnavailable` when the database does not answer (its subclass `NotMigrated` when
    its tables are not those of this version) and works again as soon as the database does; every method that
    writes raises `RecordRefused` for values the tables cannot hold.
    """

    def listen(self) -> Listener:
        """Hear of every append from now on; close the listener, or use it as a context manager."""
        return Listener(self.engine)

    def ready(self) -> None:
        """Raise `StoreUnavailable` or `NotMigrated`, saying why, unless the store can serve."""
        with reading(self.engine) as connection:
            require_migrated(connection)
