"""The store: all data in Postgres."""

from collections.abc import Sequence

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
from ledger.store.notices import Listener, say
from ledger.store.precedents import Rulings
from ledger.store.records import ActionRecord, Appended, LostRace, Outcome
from ledger.store.rows import Rows
from ledger.store.snapshots import Snapshots
from ledger.store.turns import Turns


class Store(Games, Invitations, Journal, Logs, Dice, Rulings, Snapshots, Copies, Rows, Installation, Turns):
    """Games with their credentials, journals and snapshots, on a `sqlalchemy.Engine`.

    The engine comes from `ledger.store.database.connection.connect`. A store has no state of its own: any
    number of threads may use a store, and any number of processes a database. `tally` counts the store's work.

    Every method raises `StoreUnavailable` if the database does not answer (its subclass `NotMigrated` if the
    tables do not match this version), and works again as soon as the database does. Every writing method raises
    `RecordRefused` for values that the tables cannot hold.
    """

    def __init__(self, engine: sqlalchemy.Engine, tally: Tally | None = None) -> None:
        super().__init__(engine)
        self.tally = tally or Tally()

    def append(self, game_id: str, action: ActionRecord) -> Outcome:
        """Append an action as `Journal.append` does, and count the action."""
        return self._counted(super().append(game_id, action), 1)

    def append_all(self, game_id: str, actions: Sequence[ActionRecord]) -> Outcome:
        """Append several actions as `Journal.append_all` does, and count them."""
        return self._counted(super().append_all(game_id, actions), len(actions))

    def _counted(self, outcome: Outcome, actions: int) -> Outcome:
        match outcome:
            case Appended():
                self.tally.count("actions_appended", actions)
            case LostRace():
                self.tally.count("races_lost")
        return outcome

    def latest_snapshot(
        self,
        game_id: str,
        format: str,  # noqa: A002
        upto: int | None = None,
    ) -> tuple[int, bytes] | None:
        """Return the latest snapshot as `Snapshots.latest_snapshot` does, and count the hit or the miss."""
        snapshot = super().latest_snapshot(game_id, format, upto)
        self.tally.count("snapshots_missed" if snapshot is None else "snapshots_found")
        return snapshot

    def connections(self) -> tuple[int, int, int]:
        """Return the numbers of lent, of idle and of allowed connections of the pool."""
        pool = self.engine.pool
        if not isinstance(pool, QueuePool):
            return (0, 0, 0)
        return (pool.checkedout(), pool.checkedin(), pool.size() + pool._max_overflow)

    def listen(self) -> Listener:
        """Listen to every future notice. Close the listener, or use it as a context manager."""
        return Listener(self.engine)

    def say(self, words: str) -> None:
        """Send a message to every listening process: fewer than 8,000 bytes of text. The message is not stored."""
        say(self.engine, words)

    def ready(self) -> None:
        """Raise `StoreUnavailable` or `NotMigrated`, with the reason, unless the store is ready."""
        with reading(self.engine) as connection:
            require_migrated(connection)
