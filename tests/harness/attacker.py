"""Everything that a viewer can see of a game in memory, as one text.

It uses the same code as the service: the kernel's filter, the rulebook's views, moves and refusals.
`tests.harness.secrecy` does the same over HTTP with every endpoint.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import msgspec

from ledger.kernel.deciding.decision import decide
from ledger.kernel.deciding.in_memory import GameInMemory
from ledger.kernel.deciding.moves import moves, obstacles
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.refusals import Refusal, RuleBroken
from ledger.kernel.facts.state import State
from ledger.kernel.journal.entry import Entry, body
from ledger.kernel.journal.sight import (
    current_viewer,
    foreseeable,
    redact_for_dry_run,
    visible_entry,
    visible_holdings,
)
from ledger.kernel.journal.timeline import Timeline
from ledger.kernel.language.sentences import speak
from ledger.kernel.rules.draft import Request
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.money.standings import standings

S = TypeVar("S", bound=State)


class Attacker(Generic[S]):
    """A viewer (None: a spectator) of a game by this rulebook, at each moment of the game.

    A covered viewer is the banker who plays this seat. `moments` is how many earlier moments are looked at, spread
    evenly; None for all.
    """

    def __init__(
        self, rulebook: Rulebook[S], seat: str | None, *, covered: bool = False, moments: int | None = None
    ) -> None:
        self.rulebook = rulebook
        self.seat = seat
        self.covered = covered
        self.moments = moments

    def told(self, game: GameInMemory[S]) -> str:
        """Everything that the viewer can see, now and at every earlier moment."""
        now = game.state
        viewer = current_viewer(now, self._viewer())
        earlier = self._earlier(now.version)
        shown = {
            "journal": self._journal(game, viewer),
            "moments": [self._moment(game.past.state_after(number), viewer) for number in earlier],
            "now": self._moment(now, viewer),
            "drawn": self._drawn(now, viewer),
            "may": self._may(game, viewer),
        }
        return msgspec.json.encode(shown).decode()

    def _viewer(self) -> Viewer:
        if self.covered:
            return Viewer("banker")
        return Viewer("player", self.seat) if self.seat else Viewer("spectator")

    def _earlier(self, version: int) -> range:
        """The numbers of the earlier moments that are looked at."""
        every = 1 if self.moments is None else max(1, version // max(1, self.moments))
        return range(1 if self.moments is None else every, version, every)

    def _moment(self, state: S, viewer: Viewer) -> Any:
        """The view, the summary and every account."""
        accounts = sorted(account for account, _ in state.holdings.items())
        held = {account: visible_holdings(self.rulebook.secrets, state, account, viewer) for account in accounts}
        shown = {account: dict(amounts) for account, amounts in held.items() if amounts}
        return [self.rulebook.screen.view(state, viewer), self.rulebook.screen.summary(state), shown]

    def _drawn(self, state: S, viewer: Viewer) -> list[Any]:
        """What screens draw."""
        return [
            self.rulebook.screen.display(state, viewer, "en"),
            self.rulebook.screen.phase(state, "en"),
            self.rulebook.screen.waiting(state, viewer, "en"),
            standings(self.rulebook, state, viewer),
        ]

    def _journal(self, game: GameInMemory[S], viewer: Viewer) -> list[Any]:
        """The timeline entry of every action, with its events and sentences, and its public parameters."""
        speakers = self.rulebook.language.speakers(game.state)
        told = []
        for standing in Timeline(game.journal, self.rulebook.codec.event).entries():
            look = visible_entry(standing, viewer)
            events = [
                [
                    place,
                    event,
                    *(speak(getattr(event, language), event, language, speakers) for language in ("en", "fr")),
                ]
                for place, event in (*look.recorded, *look.effective_events)
            ]
            touches = [[touch.by, touch.status, touch.old_events, touch.new_events] for touch in look.steps]
            told.append(
                [
                    standing.name,
                    look.status,
                    look.by,
                    look.why,
                    events,
                    touches,
                    self._params(standing.entry, look),
                ]
            )
        return told

    def _params(self, entry: Entry, look: Any) -> Any:
        if look.whole or entry.by == self.seat:
            return msgspec.json.decode(entry.params)
        return self.rulebook.codec.action(entry.kind, bytes(entry.params)).redacted()

    def _may(self, game: GameInMemory[S], viewer: Viewer) -> list[Any]:
        """The seat's moves, the reasons against other actions, and a dry run of each move."""
        if self.seat is None:
            return []
        # A banker who plays may not ask what other seats may do.
        return self._of_seat(game, viewer, self.seat)

    def _of_seat(self, game: GameInMemory[S], viewer: Viewer, seat: str) -> list[Any]:
        """The same of one seat."""
        purse, at = self.rulebook.accounts.purse(seat), game.state.last_at
        assert at is not None
        found: list[Any] = [
            [move, self._foreseen(game, viewer, seat, move.kind, move.params)]
            for move in moves(self.rulebook, game.state, seat, purse, viewer, at)
        ]
        for kind in self.rulebook.actions:
            refused = obstacles(self.rulebook, game.state, seat, purse, viewer, at, kind)
            found += [[kind, one.params, self._refusal(one.refusal)] for one in refused]
        return found

    def _foreseen(
        self, game: GameInMemory[S], viewer: Viewer, seat: str, kind: str, params: dict[str, Any]
    ) -> Any:
        """The result of a dry run."""
        action = self.rulebook.codec.action(kind, msgspec.json.encode(params))
        by = "banker" if self.covered else seat
        request = Request(action=action, seat=seat, by=by, at=game.state.last_at)  # type: ignore[arg-type]
        try:
            decision = decide(self.rulebook, game.state, request, chance=None)
        except Refusal as refusal:
            return self._refusal(refusal)
        stored = [self.rulebook.codec.event(body(event)) for event in decision.events]
        return [redact_for_dry_run(event, viewer) for event in foreseeable(stored, viewer)]

    @staticmethod
    def _refusal(refusal: Refusal) -> list[str]:
        return [refusal.rule if isinstance(refusal, RuleBroken) else "", refusal.en, refusal.fr]
