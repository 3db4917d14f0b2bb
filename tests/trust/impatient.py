"""An evening with an impatient banker, who types what is next and lets the service settle what is open.

evening = Evening(Ledger(store, known(), clock=clock), clock, "monopolys", dice="service", seed=3)
evening.play(40)            # forty actions of the banker, a slip corrected and a dispute among them
evening.end()               # the game plays on until its end

Which seat acts, and what it does, is drawn from the seed. The banker does it for the seat with `settle`, whether
it is the turn of that seat or not. Now and then a clock runs out, and somebody contests an action.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import Any

from ledger.kernel.deciding.due import due
from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.facts.state import Seat, State
from ledger.kernel.journal.entry import Entry, read
from ledger.service import Command, Ledger, Performed
from tests.tables.ledgers import Clock

_LONG = 3600
"""So many seconds are more than any clock of the games has."""


class Evening:
    """A game of two to four seats in a ledger, with these settings, under way or just laid out."""

    def __init__(
        self,
        ledger: Ledger,
        clock: Clock,
        rulebook: str,
        *,
        seats: tuple[str, ...] = ("ana", "bob", "cid"),
        dice: str = "service",
        settings: dict[str, Any] | None = None,
        seed: int = 1,
    ) -> None:
        self.ledger = ledger
        self.clock = clock
        self.chance = Random(seed)
        players = [Seat(seat, seat.capitalize()) for seat in seats]
        self.game = ledger.create(
            rulebook, title="An evening", players=players, settings=settings or {}, dice=dice
        ).game
        self.rulebook = ledger.games.rulebook(rulebook)
        self._set_up()

    @property
    def state(self) -> State:
        """The state at the head."""
        return self.ledger.moment(self.game).newest

    @property
    def entries(self) -> list[Entry]:
        """The journal so far."""
        return [read(stored) for run in self.ledger.games.store.journal.runs(self.game) for _, stored, _ in run]

    def steps(self) -> list[Entry]:
        """What the service did by itself, and its kind of action does not say so."""
        actions = self.rulebook.actions
        return [one for one in self.entries if one.by == "system" and "system" not in actions[one.kind].by]

    def play(self, count: int) -> None:
        """Let the banker do so many things, unless the game ends before."""
        for _ in range(count):
            if self.state.ended:
                return
            mishap = self.chance.random()
            if mishap < 0.07:
                self._slip()
            elif mishap < 0.12:
                self._dispute()
            self.next()

    def end(self) -> None:
        """Play on until the game has ended, or has gone on for very long."""
        self.try_it("end_game", {"reason": "it is late"})
        self.try_it("close_season", {})
        self.try_it("end_game", {})
        for seat in [*self.state.seats][1:]:
            self._ruin(seat)
        for _ in range(400):
            if self.state.ended or self.try_it("end_game", {}):
                return
            bankrupt = any(self.try_it("declare_bankruptcy", {}, seat=seat) for seat in self.state.seats)
            if not bankrupt and not self.next():
                self.clock.pass_by(_LONG)

    def try_it(
        self,
        kind: str,
        params: dict[str, Any],
        *,
        seat: str | None = None,
        settle: bool = False,
        by: Viewer = BANKER,
    ) -> Performed | None:
        """Perform an action, by the banker unless somebody else is named; None when it is refused."""
        try:
            command = Command(kind=kind, params=params, seat=seat if by == BANKER else None)
            return self.ledger.perform(self.game, by, command, settle=settle)
        except Refusal:
            return None

    def _ruin(self, seat: str) -> None:
        """Let a seat owe more than it can pay, in a game that ends when the others are bankrupt."""
        debt = {"op": "award_debt", "seat": seat, "to": "bank", "amount": 90_000}
        self.try_it("rule", {"finding": "it was lent", "remedies": [debt]})

    def _set_up(self) -> None:
        for _ in range(300):
            if not self.rulebook.screen.in_setup(self.state):
                return
            assert self.next(), "the set-up does not end"

    def next(self) -> bool:
        """Do something for a seat, or for the table, that the game lives on; False when nobody can do anything."""
        if self.rulebook.progress.deadlines(self.state) and self.chance.random() < 0.2:
            self.clock.pass_by(_LONG)
        return any(
            self.try_it(kind, params, seat=seat, settle=True)
            for most in (2, 1000)
            for kind, seat, params in self._ideas(most)
        )

    def _ideas(self, most: int) -> Iterator[tuple[str, str | None, dict[str, Any]]]:
        """What the banker could do, what the game waits for first, with so many choices of each kind."""
        state = self.state
        for _, decision in due(self.rulebook, state, self.clock.now + timedelta(seconds=1), self.chance):
            state = decision.state
        seats = [*state.seats]
        self.chance.shuffle(seats)
        if self.chance.random() < 0.4:  # The banker does not wait for those whose move it is.
            seats.sort(key=lambda seat: seat in self.rulebook.screen.awaited(state))
        for rank in ("due", "usual", "rare"):
            kinds = [
                kind
                for kind, action in self.rulebook.actions.items()
                if not action.docket and action.by != ("system",) and self.rulebook.words_of(kind).rank == rank
            ]
            self.chance.shuffle(kinds)
            for seat in (*seats, None):
                for kind in kinds:
                    action = self.rulebook.actions[kind]
                    if (seat is None) == ("player" in action.by):
                        continue
                    choices = [*action.choices(state, seat or "")]
                    for choice in self.chance.sample(choices, min(most, len(choices))):
                        yield kind, seat, choice.params

    def _slip(self) -> None:
        """The banker takes back one of the last actions: everything after it is decided again."""
        number = self.chance.randint(max(2, self.state.version - 8), self.state.version)
        edits = [{"op": "drop", "action": number}]
        self.try_it("correct", {"edits": edits, "cascade": "restate", "reason": "a slip"})

    def _dispute(self) -> None:
        """Somebody contests one of the last actions, and the banker corrects it, or does not."""
        number = self.chance.randint(max(2, self.state.version - 8), self.state.version)
        seat = self.chance.choice([*self.state.seats])
        claim = {"claim": "that was not so", "actions": [number]}
        opened = self.try_it("open_dispute", claim, by=Viewer("player", seat))
        if opened is None:
            return
        edits = [{"op": "drop", "action": number}]
        correct = {"op": "correct", "edits": edits, "cascade": "restate", "reason": "it was not so"}
        remedies = [correct] if self.chance.random() < 0.5 else [{"op": "dismiss"}]
        dispute = str(opened.entry.number)
        for one in (remedies, [{"op": "dismiss"}]):
            if self.try_it("rule", {"dispute": dispute, "finding": "heard", "remedies": one}):
                return
