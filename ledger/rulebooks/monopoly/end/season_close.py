"""The close of a season: the ranking, and the profits paid into the treasuries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.events import Event
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.end import closing, worth
from ledger.rulebooks.monopoly.table.pieces import Division
from ledger.rulebooks.monopoly.table.settings import fraction
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cash, cite, currency, in_play, pieces
from ledger.rulebooks.monopoly.table.terms import POT, treasury

chapter = Chapter("Seasons")

Cause = Literal["last", "closed"]
"""The cause of the close: a sole survivor ("last"), or an early close by the others ("closed")."""


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class TieThrown(Event, frozen=True, kw_only=True):
    """A merchant throws for the place among those with equal worth and money."""

    en: ClassVar[str] = "{seat:seat} throws {dice:list} for the better place: {total}."
    fr: ClassVar[str] = "{seat:seat} lance {dice:list} pour la meilleure place : {total}."

    seat: str
    dice: tuple[int, ...]

    @property
    def total(self) -> int:
        """The total for the rank."""
        return sum(self.dice)


@chapter.event
class ProfitPocketed(Event, frozen=True, kw_only=True):
    """A merchant's profits go to the treasury, which no later season touches."""

    en: ClassVar[str] = "{seat:seat} pockets {amount:money} of profit."
    fr: ClassVar[str] = "{seat:seat} empoche {amount:money} de bénéfice."

    seat: str
    amount: int


@chapter.event
class ProfitTaxed(Event, frozen=True, kw_only=True):
    """The bank taxes a merchant's profits."""

    en: ClassVar[str] = "{seat:seat} pays {amount:money} of tax on the profit ({division:division})."
    fr: ClassVar[str] = "{seat:seat} paie {amount:money} de taxe sur le bénéfice ({division:division})."

    seat: str
    amount: int
    division: str


@chapter.event
class PotEmptied(Event, frozen=True, kw_only=True):
    """What lies in the pot goes to the bank."""

    en: ClassVar[str] = "The pot of {amount:money} goes to the bank."
    fr: ClassVar[str] = "La cagnotte de {amount:money} va à la banque."

    amount: int


@chapter.event
class SeasonClosed(Event, frozen=True, kw_only=True):
    """A season is over; its ranking says who is best and who is worst."""

    en: ClassVar[str] = "Season {season} is over. From the best to the worst: {ranking:each|seat}."
    fr: ClassVar[str] = "La saison {season} est terminée. Du meilleur au moins bon : {ranking:each|seat}."

    season: int
    cause: Cause
    ranking: tuple[str, ...]

    def apply(self, state: Monopoly) -> None:
        """Store the ranking, and wait for the next season."""
        state.stage, state.turn = "between", None
        state.ranking, state.consents = self.ranking, frozenset()


# ----------------------------------------------------------------------------------------------
# Closing
# ----------------------------------------------------------------------------------------------


def division_of(state: Monopoly) -> Division | None:
    """Return the division of the table's seasons, if any."""
    return next((division for division in pieces(state).divisions if division.id == state.settings.division), None)


def close(draft: Draft, *, cause: Cause, dice: Sequence[int] | None = None) -> None:
    """Close the season: play stops, the merchants left are valued and ranked, and pocket the profits.

    `dice` are the throws of tied merchants, two for each. Raises NeedsDraw for missing throws.
    """
    state = draft.state
    closing.stop(draft, rule=cite(state, "victory" if cause == "last" else "season_close"))
    amounts = {seat: worth.count(draft, seat) for seat in in_play(state)}
    draft.draws.offer(dice)
    ranking = (*_ranked(draft, amounts), *reversed(state.out))
    for seat in ranking[: len(amounts)]:
        _pocket(draft, seat, amounts[seat])
    remaining = state.holdings.of(POT, currency(state))
    if remaining:
        back = draft.move(currency(state), remaining, POT, BANK)
        draft.record(PotEmptied(rule=cite(state, "season_open"), amount=remaining, postings=back))
    rule = cite(state, "victory" if cause == "last" else "season_close")
    draft.record(SeasonClosed(rule=rule, season=state.season, cause=cause, ranking=ranking))


def _ranked(draft: Draft, amounts: dict[str, int]) -> list[str]:
    """Rank the merchants left, the best first: by worth, then by money, then by a throw."""
    state = draft.state
    groups: dict[tuple[int, int], list[str]] = {}
    for seat, amount in amounts.items():
        groups.setdefault((amount, cash(state, seat)), []).append(seat)
    return [seat for key in sorted(groups, reverse=True) for seat in _by_throw(draft, groups[key])]


def _by_throw(draft: Draft, tied: list[str]) -> list[str]:
    """Rank tied merchants by throws; a new tie is thrown for again."""
    if len(tied) < 2 or not draft.state.settings.tie_by_throw:
        return tied
    groups: dict[int, list[str]] = {}
    for seat in tied:
        dice = draft.draws.dice("tie", None, count=2, sides=6)
        draft.record(TieThrown(rule=cite(draft.state, "promotion"), seat=seat, dice=dice))
        groups.setdefault(sum(dice), []).append(seat)
    return [seat for total in sorted(groups, reverse=True) for seat in _by_throw(draft, groups[total])]


def _pocket(draft: Draft, seat: str, amount: int) -> None:
    """Pay a merchant's profits into the treasury, and the tax on the profits to the bank."""
    state = draft.state
    money, division = currency(state), division_of(state)
    basis = cash(state, seat) if state.settings.profit_basis == "cash" else amount
    profit = max(0, basis - state.settings.starting_cash)
    paid = draft.move(money, profit, BANK, treasury(seat))
    draft.record(ProfitPocketed(rule=cite(state, "season_profit"), seat=seat, amount=profit, postings=paid))
    if division is None or not division.tax[0]:
        return
    tax = fraction(profit, division.tax)
    if not tax:
        return
    rule = state.edition.rules.at.get(division.id, {}).get("season_tax") or cite(state, "season_tax")
    levied = draft.move(money, tax, treasury(seat), BANK)
    draft.record(ProfitTaxed(rule=rule, seat=seat, amount=tax, division=division.id, postings=levied))
