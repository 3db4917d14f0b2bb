"""The ledger: the parts of the service, composed over one database.

`ledger.acting` changes games, `ledger.reading` reads games at a moment, and `ledger.moving` exports, imports
and forks games. `Ledger` holds the parts.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any

from ledger.access.first_answers import KeyExpired, KeyUsed
from ledger.access.invitations import Invitations
from ledger.access.tokens import Tokens
from ledger.acting.allowing import Command
from ledger.acting.appending import Appending
from ledger.acting.correcting import Correcting, Undo
from ledger.acting.creating import Created, Creating, begin
from ledger.acting.outcomes import Performed, StaleVersion, TooBusy
from ledger.acting.performing import Performing
from ledger.acting.seeds import Seeds
from ledger.acting.sharing import Sharing
from ledger.games.clock import Clock
from ledger.games.games import Games, UnknownGame, UnknownRulebook
from ledger.games.moments import Moment, NoSuchAction
from ledger.kernel.facts.audience import HOST, Viewer
from ledger.kernel.facts.labels import Name
from ledger.kernel.rules.rulebook import Rulebook
from ledger.moving.forking import Forking
from ledger.moving.importing import Importing
from ledger.store.store import Store
from ledger.trust.keys import Keys
from ledger.trust.logs import Logs


class Ledger:
    """All games of one database.

    Takes the store, the rulebooks by id, a clock that gives the time in UTC, a source of randomness, and the
    keys for signing logs (by default, a key derived from the secret of the installation). A given source of
    randomness throws the dice as well; without a given source, the service throws from seeds with commitments.
    `sleep` waits for the values of shared throws.

    - `games` keeps games in memory and opens moments;
    - `performing` and `correcting` change a game, `creating` creates a game;
    - `appending` writes decisions into journals;
    - `sharing` takes the values of seats for shared throws;
    - `importing` and `forking` create games from the journals of existing games;
    - `logs` signs the heads of games, and proves the contents of journals;
    - `tokens` authenticates callers, `invitations` gives tokens to new players.
    """

    def __init__(
        self,
        store: Store,
        rulebooks: Mapping[str, Rulebook[Any]],
        *,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        chance: random.Random | None = None,
        keys: Callable[[], Keys] | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        committing = chance is None
        chance = chance or random.SystemRandom()
        self.store = store
        self.rulebooks = rulebooks
        self.clock = Clock(clock)
        self.logs = Logs(
            store, keys or cache(lambda: Keys.of_secret(store.installation.secret("the key of the logs")))
        )
        self.games = Games(
            store,
            rulebooks,
            lambda game: begin(game, self.games, appending, chance, seeds),
            fault_in=self.logs.fault_in,
        )
        seeds = Seeds(store, chance, committing=committing)
        appending = self.appending = Appending(self.games, chance, seeds)
        self.tokens = Tokens(store, self.clock.current_time, chance)
        self.invitations = Invitations(store, self.clock.current_time, chance, self.tokens)
        self.sharing = Sharing(self.games, store, seeds, sleep=sleep)
        self.performing = Performing(self.games, self.clock, chance, appending, seeds, self.sharing)
        self.correcting = Correcting(self.games, self.performing)
        self.creating = Creating(self.games, self.tokens, self.clock, chance)
        self.importing = Importing(self.games, self.tokens)
        self.forking = Forking(self.games, self.tokens, self.clock, chance)
        self.create = self.creating.create
        self.perform = self.performing.perform
        self.preview = self.performing.preview

    def moment(
        self, game_id: str, viewer: Viewer = HOST, at: Name | None = None, known_at: Name | None = None
    ) -> Moment:
        """Open a game at the head of the journal for a viewer. Takes the arguments and raises the exceptions of
        `Games.moment`.
        """
        return self.games.moment(game_id, viewer, at, known_at)


__all__ = [
    "Command",
    "Created",
    "KeyExpired",
    "KeyUsed",
    "Ledger",
    "Moment",
    "NoSuchAction",
    "Performed",
    "StaleVersion",
    "TooBusy",
    "Undo",
    "UnknownGame",
    "UnknownRulebook",
]
