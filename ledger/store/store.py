"""The store: all data in Postgres."""

from ledger.store.connection import reading
from ledger.store.copies import Copies
from ledger.store.games import Games
from ledger.store.installation import Installation
from ledger.store.journal import Journal
from ledger.store.migration import require_migrated
from ledger.store.notices import Listener
from ledger.store.precedents import Rulings
from ledger.store.snapshots import Snapshots


class Store(Games, Journal, Rulings, Snapshots, Copies, Installation):
    """Games with their credentials, journals and snapshots, on one `sqlalchemy.Engine`.

    The engine comes from `ledger.store.connection.connect`. A store has no state of its own: any number of threads
    may use one store, and any number of processes one database.

    Every method raises `StoreUnavailable` when the database does not answer (its subclass `NotMigrated` when the
    tables are not those of this version), and works again as soon as the database does. Every method that writes
    raises `RecordRefused` for values that the tables cannot hold.
    """

    def listen(self) -> Listener:
        """Listen to every append from now on. Close the listener, or use it as a context manager."""
        return Listener(self.engine)

    def ready(self) -> None:
        """Raise `StoreUnavailable` or `NotMigrated`, with the reason, unless the store is ready."""
        with reading(self.engine) as connection:
            require_migrated(connection)
