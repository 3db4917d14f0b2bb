"""The scoring: all lines of everybody's score, and the winners (vr:scoring.12 to vr:scoring.14)."""

from __future__ import annotations

from typing import ClassVar

from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts.readers import Revealing
from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.scores import scores
from ledger.rulebooks.virtual_revolution.table.state import Draft, VirtualRevolution
from ledger.rulebooks.virtual_revolution.table.terms import Line

chapter = Chapter("Scoring")


@chapter.event
class GameScored(Revealing, frozen=True, kw_only=True):
    """The game ends: what each seat scores, line by line, and who has won (vr:scoring.12)."""

    at_end: ClassVar[bool] = True
    en: ClassVar[str] = "The game is over. Victory points: {told}. Victory: {winners:seats}."
    fr: ClassVar[str] = "La partie est terminée. Points de victoire : {told}. Victoire : {winners:seats}."

    scores: dict[str, tuple[Line, ...]]
    """The lines of each seat; their points add up to the total."""
    totals: dict[str, int]
    winners: tuple[str, ...]
    """Several seats for a shared victory."""

    @property
    def told(self) -> str:
        """The totals, the highest first."""
        return ", ".join(str(total) for total in sorted(self.totals.values(), reverse=True))

    def apply(self, state: VirtualRevolution) -> None:
        """End the game, with the scores and the winners."""
        state.scores, state.winners = dict(self.scores), self.winners
        state.stage, state.ended = "ended", True


def score_game(draft: Draft) -> None:
    """Score everybody and find the winners: the most points, then the most eurocredits, then together."""
    state = draft.state
    lines = {seat: scores.score(state, seat, state.chosen.get(seat)) for seat in state.seating}
    totals = {seat: scores.total(seat_lines) for seat, seat_lines in lines.items()}
    thing = state.settings.victory_tie
    best = [seat for seat, points in totals.items() if points == max(totals.values())]
    tie_amounts = {seat: state.holdings.of(player(seat), thing) for seat in best}
    winners = tuple(seat for seat in best if tie_amounts[seat] == max(tie_amounts.values()))
    rule = "vr:scoring.12" if len(best) == 1 else "vr:scoring.13" if len(winners) == 1 else "vr:scoring.14"
    draft.record(GameScored(rule=rule, scores=lines, totals=totals, winners=winners))
