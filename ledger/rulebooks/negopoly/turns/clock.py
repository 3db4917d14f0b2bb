"""II.B.13 and IV.A.3. The clock of a turn: five minutes, which a ruling may stop, restart or make longer."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar

from ledger.kernel.actions import Action
from ledger.kernel.chapter import Chapter
from ledger.kernel.events import Event
from ledger.kernel.refusals import Impossible
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, change_turn
from ledger.rulebooks.negopoly.table.terms import Turn

chapter = Chapter("II.B.13. The clock of a turn")


@chapter.event
class TurnExtended(Event, frozen=True, kw_only=True):
    """A ruling gives the turn under way more time, or starts its clock again (II.B.13)."""

    en: ClassVar[str] = "{seat:seat}'s turn now lasts until {until}."
    fr: ClassVar[str] = "Le tour {seat:de|seat} dure désormais jusqu'à {until}."

    rule: str = "II.B.13"
    seat: str
    ends_at: datetime

    @property
    def until(self) -> str:
        """The end, as a time of the day (UTC)."""
        return f"{self.ends_at:%H:%M:%S}"

    def apply(self, state: Negopoly) -> None:
        """The turn goes on until then."""
        change_turn(state, ends_at=self.ends_at)


@chapter.event
class ClockPaused(Event, frozen=True, kw_only=True):
    """A ruling stops the clock of the turn under way (IV.A.3)."""

    en: ClassVar[str] = "The clock of {seat:seat}'s turn is stopped."
    fr: ClassVar[str] = "L'horloge du tour {seat:de|seat} est arrêtée."

    rule: str = "IV.A.3"
    seat: str
    paused_at: datetime

    def apply(self, state: Negopoly) -> None:
        """No time passes until it is started again."""
        change_turn(state, paused_at=self.paused_at)


@chapter.event
class ClockResumed(Event, frozen=True, kw_only=True):
    """A ruling lets the clock run again, with as much time as was left (IV.A.3)."""

    en: ClassVar[str] = "The clock of {seat:seat}'s turn runs again, until {until}."
    fr: ClassVar[str] = "L'horloge du tour {seat:de|seat} repart, jusqu'à {until}."

    rule: str = "IV.A.3"
    seat: str
    ends_at: datetime

    @property
    def until(self) -> str:
        """The end, as a time of the day (UTC)."""
        return f"{self.ends_at:%H:%M:%S}"

    def apply(self, state: Negopoly) -> None:
        """The pause is added to the turn."""
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
    """Give the turn under way its whole time again, and stop its clock until the banker lets it run (II.B.13)."""

    docket: ClassVar[bool] = True

    def decide(self, draft: Draft) -> None:
        """The five minutes of the other table are long over when this one sits down."""
        restart_clock(draft)
        pause_clock(draft)


def extend(draft: Draft, seconds: int) -> None:
    """Give the turn under way so many seconds more (II.B.13)."""
    turn = _under_way(draft)
    draft.record(TurnExtended(seat=turn.seat, ends_at=turn.ends_at + timedelta(seconds=seconds)))


def restart_clock(draft: Draft) -> None:
    """Give the turn under way its whole time again, from now on (II.B.13)."""
    turn = _under_way(draft)
    if turn.paused_at is not None:
        resume_clock(draft)
    ends_at = draft.now + timedelta(seconds=draft.state.settings.turn_seconds)
    draft.record(TurnExtended(seat=turn.seat, ends_at=ends_at))


def pause_clock(draft: Draft) -> None:
    """Stop the clock of the turn under way, which only a ruling does (IV.A.3)."""
    turn = _under_way(draft)
    if turn.paused_at is not None:
        raise Impossible("IV.A.3", "the clock is stopped already", "l'horloge est déjà arrêtée")
    draft.record(ClockPaused(seat=turn.seat, paused_at=draft.now))


def resume_clock(draft: Draft) -> None:
    """Let a stopped clock run again: what was left of the turn is left still (IV.A.3)."""
    turn = _under_way(draft)
    if turn.paused_at is None:
        raise Impossible("IV.A.3", "the clock is not stopped", "l'horloge n'est pas arrêtée")
    draft.record(ClockResumed(seat=turn.seat, ends_at=turn.ends_at + (draft.now - turn.paused_at)))


def _under_way(draft: Draft) -> Turn:
    """The turn under way. Raises Impossible when there is none."""
    turn = draft.state.turn
    if turn is None:
        raise Impossible("II.B.13", "no turn is under way", "aucun tour n'est en cours")
    return turn
