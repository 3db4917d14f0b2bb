"""The steps of the game itself: the lot (lot.1), a silent bidder (bid.7), an omitted end of a turn (turn.5)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ledger.kernel.facts.refusals import Impossible, Refusal
from ledger.kernel.rules.actions import Action, DefaultStep, StepGoal
from ledger.kernel.rules.faces.progress import Progress
from tests.example.bazaar.auction import ResumeBidding, SealBid, TurnUpLot, silent
from tests.example.bazaar.table import PHASES, Bazaar, TurnAction, round_order
from tests.example.bazaar.trades import AcceptTrade, CloseTrade, OfferTrade
from tests.example.bazaar.turns import EndTurn

Moment = tuple[int, int, int]
"""The round, the number of the phase, and the place of the turn in the round."""

_PLACES = {phase: place for place, phase in enumerate(PHASES)}


def moment_of(state: Bazaar) -> Moment:
    """Return the moment of a state; moments are in the order of the game."""
    place = 0 if state.turn is None else round_order(state).index(state.turn)
    return state.round, _PLACES[state.phase], place


def goal_moment(state: Bazaar, goal: StepGoal) -> Moment:
    """Return the moment of an action: in a correction the original one, in play the seat's turn of the round."""
    if goal.was is not None:
        return moment_of(goal.was)
    if isinstance(goal.action, TurnAction) and goal.seat in state.seats:
        return state.round, _PLACES["turns"], round_order(state).index(goal.seat)
    is_trade = isinstance(goal.action, OfferTrade | AcceptTrade | CloseTrade)
    return (state.round, _PLACES["turns"], 0) if is_trade else moment_of(state)


class BazaarProgress(Progress[Bazaar]):
    """The effects of passing time, and the steps of the game itself."""

    def due(self, state: Bazaar, at: datetime) -> tuple[Action, str | None] | None:
        """Return the lot where the service draws (lot.1), or the empty bid of a silent player (bid.7)."""
        if state.phase == "lot" and state.dice == "service":
            return TurnUpLot(), None
        late = silent(state) if any(at >= deadline for deadline in self.deadlines(state)) else []
        return (SealBid(amount=0), late[0]) if late else None

    def deadlines(self, state: Bazaar) -> Sequence[datetime]:
        """Return the end of the time for bids."""
        return () if state.bids_until is None or state.ended else (state.bids_until,)

    def default_step(self, state: Bazaar, goal: StepGoal) -> DefaultStep | None:
        """Return the empty bid of a silent player, or the end of the turn, before a later action."""
        if moment_of(state) >= goal_moment(state, goal):
            return None
        if quiet := silent(state):
            return DefaultStep(SealBid(amount=0), quiet[0])
        return DefaultStep(EndTurn(), state.turn) if state.phase == "turns" else None

    def wrong_turn(self, state: Bazaar, goal: StepGoal) -> Refusal | None:
        """Refuse an action of another turn (turn.2): a draw does not move into a later turn."""
        is_wrong = isinstance(goal.action, TurnAction) and self.whose_turn(state) != self.whose_turn(goal.was)
        words = "{seat:seat}'s turn is not under way", "ce n'est pas le tour {seat:de|seat}"
        return Impossible("bazaar:turn.2", *words, seat=goal.seat) if is_wrong else None

    def is_done(self, state: Bazaar, goal: StepGoal) -> bool:
        """Return True if the turn to be ended is over."""
        return isinstance(goal.action, EndTurn) and moment_of(state) > moment_of(goal.was)

    def resume_action(self, state: Bazaar) -> tuple[Action, str | None] | None:
        """Give the bids the full time again (bid.7)."""
        return None if state.bids_until is None else (ResumeBidding(), None)
