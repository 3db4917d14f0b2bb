"""Limits of rounds and of time, after which the richest wins, and an income for each turn."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.events import Event
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cite, currency
from ledger.rulebooks.parts.seats import player as purse

chapter = Chapter("Limits")


@chapter.event
class IncomePaid(Event, frozen=True, kw_only=True):
    """The bank pays a player whose turn begins."""

    en: ClassVar[str] = "{seat:seat} receives an income of {amount:money}."
    fr: ClassVar[str] = "{seat:seat} touche un revenu de {amount:money}."

    seat: str
    amount: int


@chapter.event
class TimeLimited(Event, frozen=True, kw_only=True):
    """The time of the game is limited: the round under way at its end is the last."""

    en: ClassVar[str] = "The time of the game is limited: the round under way when it is over is the last."
    fr: ClassVar[str] = "Le temps de la partie est limité : le tour de table en cours à sa fin est le dernier."

    ends_at: datetime

    def apply(self, state: Monopoly) -> None:
        """Store the time."""
        state.ends_at = self.ends_at


def pay_income(draft: Draft, seat: str) -> None:
    """Pay the income of the table to a player whose turn begins."""
    state = draft.state
    income = state.settings.turn_income
    if income:
        paid = draft.move(currency(state), income, BANK, purse(seat))
        draft.record(IncomePaid(rule=cite(state, "income"), seat=seat, amount=income, postings=paid))


def limit_time(draft: Draft) -> None:
    """Start the time of the game, if the table limits it."""
    minutes = draft.state.settings.play_minutes
    if minutes:
        ends_at = draft.at + timedelta(minutes=minutes)
        draft.record(TimeLimited(rule=cite(draft.state, "limit"), ends_at=ends_at))


def is_last_round(draft: Draft) -> bool:
    """Return True if the table's rounds are played, or its time is over."""
    state = draft.state
    played = 0 < state.settings.rounds <= state.round
    return played or (state.ends_at is not None and draft.at >= state.ends_at)


def is_played_out(state: Monopoly) -> bool:
    """Return True after the last turn of the last round: nobody is on turn any more."""
    limited = state.settings.rounds > 0 or state.ends_at is not None
    return limited and state.stage == "play" and state.turn is None
