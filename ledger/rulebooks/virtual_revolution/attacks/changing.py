"""Later changes by Necro cards: Actions of the next round (vr:necro.11), and scores (vr:endgame.4)."""

from __future__ import annotations

from typing import ClassVar

from ledger.kernel.facts.events import Event
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.virtual_revolution.table import effects
from ledger.rulebooks.virtual_revolution.table.effects import Doing
from ledger.rulebooks.virtual_revolution.table.operations import NextRoundAction, ScoringCap, ScoringChange
from ledger.rulebooks.virtual_revolution.table.state import Draft, VirtualRevolution
from ledger.rulebooks.virtual_revolution.table.terms import Changed, ScoreChange

chapter = Chapter("Changed Actions and scores")


@chapter.event
class ActionChanged(Event, frozen=True, kw_only=True):
    """A marker on a player's board: an Action has other figures in the next round (vr:necro.11)."""

    en: ClassVar[str] = "In round {change.round}, {change.action:deed} has other figures for {change.seat:seat}."
    fr: ClassVar[str] = (
        "À la manche {change.round}, {change.action:deed} a d'autres valeurs pour {change.seat:seat}."
    )

    change: Changed

    def apply(self, state: VirtualRevolution) -> None:
        """Note the change for every performance of the Action in the round."""
        state.changed = (*state.changed, self.change)


@chapter.event
class ScoreChanged(Event, frozen=True, kw_only=True):
    """A card changes what a player will score (vr:endgame.4)."""

    en: ClassVar[str] = "The score of {change.seat:seat} will change by this card."
    fr: ClassVar[str] = "Cette carte changera le score {change.seat:de|seat}."

    change: ScoreChange

    def apply(self, state: VirtualRevolution) -> None:
        """Note the change for scoring."""
        state.changes = (*state.changes, self.change)


@effects.carries_out(NextRoundAction)
def _next_round(draft: Draft, effect: NextRoundAction, doing: Doing) -> None:
    """Change an Action of the player for the next round."""
    change = Changed(
        seat=doing.seat,
        action=effect.action,
        round=draft.state.round + 1,
        rule=doing.rule,
        price=effect.price,
        gain=effect.gain,
        price_1=effect.price_1,
        price_2=effect.price_2,
        price_immunity=effect.price_immunity,
    )
    draft.record(ActionChanged(rule=doing.rule, change=change))


@effects.carries_out(ScoringCap)
def _cap(draft: Draft, effect: ScoringCap, doing: Doing) -> None:
    """Cap the score of each Verse, or of the Objective."""
    change_score(
        draft, ScoreChange(seat=doing.seat, line=effect.what, amount=effect.amount, rule=doing.rule, is_cap=True)
    )


@effects.carries_out(ScoringChange)
def _change(draft: Draft, effect: ScoringChange, doing: Doing) -> None:
    """Let each unit of a line score more or less."""
    change_score(draft, ScoreChange(seat=doing.seat, line=effect.what, amount=effect.amount, rule=doing.rule))


def change_score(draft: Draft, change: ScoreChange) -> None:
    """Record a change of a seat's score."""
    draft.record(ScoreChanged(rule=change.rule, change=change))
