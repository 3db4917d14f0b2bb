"""Limits of rounds and of time, after which the richest wins; an income for each turn, sums for ones, laps."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import ClassVar

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.events import Event
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cite, currency, pieces
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


@chapter.event
class OnesPaid(Event, frozen=True, kw_only=True):
    """The bank pays for a throw of ones alone."""

    en: ClassVar[str] = "Nothing but ones: {seat:seat} receives {amount:money}."
    fr: ClassVar[str] = "Rien que des un : {seat:seat} touche {amount:money}."

    seat: str
    amount: int


@chapter.event
class LapDone(Event, frozen=True, kw_only=True):
    """A player passes the start for the first time, and may buy from now on."""

    en: ClassVar[str] = "{seat:seat} has been round the board and may buy titles from now on."
    fr: ClassVar[str] = "{seat:seat} a fait un tour du plateau et peut désormais acheter des titres."

    seat: str

    def apply(self, state: Monopoly) -> None:
        """Keep the seat among those past the start."""
        state.lapped = state.lapped | {self.seat}


def pay_ones(draft: Draft, seat: str, dice: Sequence[int]) -> None:
    """Pay the sum of the table for a throw of several dice with ones alone."""
    state = draft.state
    amount = state.settings.double_one
    if amount and len(dice) > 1 and set(dice) == {1}:
        paid = draft.move(currency(state), amount, BANK, purse(seat))
        draft.record(OnesPaid(rule=cite(state, "double_one"), seat=seat, amount=amount, postings=paid))


def count_lap(draft: Draft, seat: str, way: Sequence[int], *, forward: bool) -> None:
    """Record the first passing of the start, if nobody buys before."""
    state = draft.state
    if state.settings.buy_after_lap and forward and seat not in state.lapped and pieces(state).start in way:
        draft.record(LapDone(rule=cite(state, "first_lap"), seat=seat))


def may_buy(state: Monopoly, seat: str) -> bool:
    """Return True if a player may buy titles of the bank: at some tables only after a lap of the board."""
    return not state.settings.buy_after_lap or seat in state.lapped


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
