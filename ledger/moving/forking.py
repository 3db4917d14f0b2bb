"""Going on from a moment of another game: a new journal that begins as the other one does, and knows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import replace

from ledger.games.states import Game
from ledger.kernel.decision import decide
from ledger.kernel.draft import Request
from ledger.kernel.journal import canonical, read
from ledger.kernel.state import State
from ledger.moving.importing import Importing, Origin, record_of
from ledger.store.records import ActionRecord, GameRecord, Selection

_PAGE = 1000


class NoSuchAction(LookupError):  # noqa: N818 - an answer, not a fault
    """The journal to go on from does not reach that number: the number, and that of its last action."""

    def __init__(self, number: int, last: int) -> None:
        super().__init__(f"there is no action {number}: the game has {last}")
        self.number = number
        self.last = last


class _Setup(msgspec.Struct, frozen=True):
    """Of what a game was created with, where it comes from."""

    origin: Origin | None = None


_setup = msgspec.json.Decoder(_Setup)


def origin_of(record: GameRecord) -> Origin | None:
    """What a game goes on from, None for one that began with its own first action."""
    return _setup.decode(record.setup).origin


class Forking(Importing):
    """Starting games from the journals of others."""

    def stored_until(self, game: Game, number: int) -> list[bytes]:
        """The canonical bytes of the entries up to a number.

        They are had at once, because what writes them may hold the only connection there is.
        """
        found: list[bytes] = []
        while len(found) < number:
            selection = Selection(after=len(found), before=number + 1, limit=_PAGE)
            found += (stored for _, stored in self.store.entries(game.record.game_id, selection))
        return found

    def taken_over(self, record: GameRecord, state: State, journal: Iterable[bytes]) -> Iterator[ActionRecord]:
        """The entries of another game's journal as a new game has them, and what is done first to go on from them.

        Takes the new game's record, the state after the last entry as it was known then, and the canonical bytes.
        Every entry is the same but for its game and its salt: what corrections made of them is as it was known.
        """
        rulebook = self.rulebook(record.rulebook)
        for stored in journal:
            entry = replace(read(stored), game=record.game_id, salt=self._chance.randbytes(16).hex())
            yield record_of(canonical(entry), entry, map(rulebook.event, entry.events))
        first = rulebook.taking_up(state)
        if first is not None:
            request = Request(action=first[0], seat=first[1], by="system", at=record.created_at)
            decision = decide(rulebook, state, request, chance=self._drawing(state))
            entry = self._entry(Game(record, rulebook, state), request, decision, state)
            yield record_of(canonical(entry), entry, decision.events)
