"""II.B.13 and IV.A.3. The clock of a turn: five minutes. The banker may stop, restart or extend the clock."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import ClassVar

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, change_turn
from ledger.rulebooks.negopoly.table.terms import Turn

chapter = Chapter("II.B.13. The clock of a turn")


@chapter.event
class TurnExtended(Event, frozen=True, kw_only=True):
    """A ruling extends the turn under way, or restarts its clock (II.B.13)."""

    en: ClassVar[str] = "{seat:seat}'s turn now lasts until {until}."
    fr: ClassVar[str] = "Le tour {seat:de|seat} dure désormais jusqu'à {until}."

    rule: str = "II.B.13"
    seat: str
    ends_at: datetime

    @property
    def until(self) -> str:
        """The end of the turn (UTC)."""
        return f"{self.ends_at:%H:%M:%S}"

    def apply(self, state: Negopoly) -> None:
        """Set the new end of the turn."""
        change_turn(state, ends_at=self.ends_at)


@chapter.event
class ClockPaused(Event, frozen=True, kw_only=True):
    """The banker stops the clock of the turn under way (IV.A.3)."""

    en: ClassVar[str] = "The clock of {seat:seat}'s turn is stopped."
    fr: ClassVar[str] = "L'horloge du tour {seat:de|seat} est arrêtée."

    rule: str = "IV.A.3"
    seat: str
    paused_at: datetime

    def apply(self, state: Negopoly) -> None:
        """Store the time of the pause."""
        change_turn(state, paused_at=self.paused_at)


@chapter.event
class ClockResumed(Event, frozen=True, kw_only=True):
    """The banker restarts a stopped clock with the time that was left (IV.A.3)."""

    en: ClassVar[str] = "The clock of {seat:seat}'s turn runs again, until {until}."
    fr: ClassVar[str] = "L'horloge du tour {seat:de|seat} repart, jusqu'à {until}."

    rule: str = "IV.A.3"
    seat: str
    ends_at: datetime

    @property
    def until(self) -> str:
        """The end of the turn (UTC)."""
        return f"{self.ends_at:%H:%M:%S}"

    def apply(self, state: Negopoly) -> None:
        """Start the clock again; the new end includes the pause."""
        change_turn(state, paused_at=None, ends_at=self.ends_at)


@chapter.action(
    by=("system",),
    summary=("let a turn wait for its players", "laisser un tour attendre ses joueurs"),
    when=(
        "when a new game goes on from this moment of another one",
        "quand une nouvelle partie repart de ce moment d'une autre",
    ),
)
class TakeUpTurn(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The service gives a turn its full time again and stops its clock until the banker restarts it (II.B.13)."""

    docket: ClassVar[bool] = True

    def decide(self, draft: Draft) -> None:
        """Restart the clock, long out of time. Then stop the clock until the new players are ready."""
        restart_clock(draft)
        pause_clock(draft)


@chapter.action(
    by=("banker",),
    summary=("pause the clock of the turn", "arrêter l'horloge du tour"),
    when=("while the clock of a turn runs", "tant que l'horloge d'un tour court"),
)
class PauseClock(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The banker stops the clock of the turn under way, also while a question waits for its answer (IV.A.3)."""

    def decide(self, draft: Draft) -> None:
        """Stop the clock; the turn goes on, and nothing ends by itself."""
        pause_clock(draft)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer the pause while the clock runs."""
        return (Choice({}),) if state.turn is not None and state.turn.paused_at is None else ()


@chapter.action(
    by=("banker",),
    summary=("let the clock of the turn run again", "faire repartir l'horloge du tour"),
    when=("while the clock of a turn is stopped", "tant que l'horloge d'un tour est arrêtée"),
)
class ResumeClock(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The banker lets a stopped clock run again with the time that was left (IV.A.3)."""

    def decide(self, draft: Draft) -> None:
        """Restart the clock; the end of the turn moves by the length of the pause."""
        resume_clock(draft)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer the action while the clock is stopped."""
        return (Choice({}),) if state.turn is not None and state.turn.paused_at is not None else ()


def extend(draft: Draft, seconds: int) -> None:
    """Add the seconds to the turn under way (II.B.13)."""
    turn = _under_way(draft)
    draft.record(TurnExtended(seat=turn.seat, ends_at=turn.ends_at + timedelta(seconds=seconds)))


def restart_clock(draft: Draft) -> None:
    """Give the turn under way its full time again, from the present moment (II.B.13)."""
    turn = _under_way(draft)
    if turn.paused_at is not None:
        resume_clock(draft)
    ends_at = draft.at + timedelta(seconds=draft.state.settings.turn_seconds)
    draft.record(TurnExtended(seat=turn.seat, ends_at=ends_at))


def pause_clock(draft: Draft) -> None:
    """Stop the clock of the turn under way. Only the banker stops a clock (IV.A.3)."""
    turn = _under_way(draft)
    if turn.paused_at is not None:
        raise Impossible("IV.A.3", "the clock is stopped already", "l'horloge est déjà arrêtée")
    draft.record(ClockPaused(seat=turn.seat, paused_at=draft.at))


def resume_clock(draft: Draft) -> None:
    """Restart a stopped clock with the remaining time (IV.A.3)."""
    turn = _under_way(draft)
    if turn.paused_at is None:
        raise Impossible("IV.A.3", "the clock is not stopped", "l'horloge n'est pas arrêtée")
    draft.record(ClockResumed(seat=turn.seat, ends_at=turn.ends_at + (draft.at - turn.paused_at)))


def _under_way(draft: Draft) -> Turn:
    """Return the turn under way. Raises Impossible between turns."""
    turn = draft.state.turn
    if turn is None:
        raise Impossible("II.B.13", "no turn is under way", "aucun tour n'est en cours")
    return turn
