"""Who plays first: throws of two dice, and again among those who tie."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.table.dice import Thrown
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cite, require_stage
from ledger.rulebooks.parts.seats import seat_named

chapter = Chapter("Set-up")


@chapter.event
class OrderThrown(Event, frozen=True, kw_only=True):
    """A player throws for the order of play."""

    en: ClassVar[str] = "{seat:seat} throws {dice:list} for the order of play: {total}."
    fr: ClassVar[str] = "{seat:seat} lance {dice:list} pour l'ordre du jeu : {total}."

    seat: str
    dice: tuple[int, ...]

    @property
    def total(self) -> int:
        """What decides."""
        return sum(self.dice)

    def apply(self, state: Monopoly) -> None:
        """The total comes after those of earlier throws, which have tied."""
        state.thrown[self.seat] = (*state.thrown.get(self.seat, ()), self.total)


# ----------------------------------------------------------------------------------------------
# Totals
# ----------------------------------------------------------------------------------------------


def awaited(state: Monopoly) -> list[str]:
    """The seats that have yet to throw, or to throw again, in the order of the table."""
    return _awaited(state, state.order, 0) if state.settings.throw_for_order else []


def _awaited(state: Monopoly, players: Sequence[str], throw: int) -> list[str]:
    """Those of these players, who have tied so far, that have not made this throw; then those who tie by it."""
    missing = [one for one in players if len(state.thrown.get(one, ())) <= throw]
    if missing or len(players) < 2:
        return missing
    groups = _by_total(state, players, throw)
    contested = groups if state.settings.order_by_totals else groups[:1]
    return [one for tied in contested if len(tied) > 1 for one in _awaited(state, tied, throw + 1)]


def _by_total(state: Monopoly, players: Sequence[str], throw: int) -> list[list[str]]:
    """The players with the same total in this throw, the highest total first."""
    groups: dict[int, list[str]] = {}
    for one in players:
        groups.setdefault(state.thrown[one][throw], []).append(one)
    return [groups[total] for total in sorted(groups, reverse=True)]


def decided(state: Monopoly) -> tuple[str, ...]:
    """The order of play: by the totals, or from the highest one on as the players sit.

    Who has not thrown comes after those who have.
    """
    if not state.settings.throw_for_order:
        return state.order
    ranked = sorted(state.order, key=lambda one: state.thrown.get(one, ()), reverse=True)
    if state.settings.order_by_totals:
        return tuple(ranked)
    first = state.order.index(ranked[0])
    return (*state.order[first:], *state.order[:first])


# ----------------------------------------------------------------------------------------------
# Throwing
# ----------------------------------------------------------------------------------------------


@chapter.action(
    summary=("throw for the order of play", "lancer les dés pour l'ordre du jeu"),
    when=(
        "while the table is prepared, once, and again after a tie",
        "pendant la mise en place, une fois, puis de nouveau en cas d'égalité",
    ),
)
class RollForOrder(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Throw two dice: the highest total plays first."""

    dice: Thrown = None

    def decide(self, draft: Draft) -> None:
        """Refuse a second throw of a player who has not tied."""
        state, rule = draft.state, cite(draft.state, "order")
        require_stage(draft, "setup", rule)
        seat = seat_named(state, draft.seat, rule)
        if not state.settings.throw_for_order:
            raise Impossible(rule, "the order of play is that of the seats", "l'ordre du jeu est celui des sièges")
        waiting = awaited(state)
        if seat not in waiting:
            raise Impossible(
                rule,
                "{seat:seat} has thrown already; still to throw: {waiting:seats}"
                if waiting
                else "{seat:seat} has thrown already, and the order is decided",
                "{seat:seat} a déjà lancé ; restent à lancer : {waiting:seats}"
                if waiting
                else "{seat:seat} a déjà lancé, et l'ordre est décidé",
                seat=seat,
                waiting=waiting,
            )
        dice = draft.draws.dice("dice", self.dice, count=2, sides=6)
        draft.record(OrderThrown(rule=rule, seat=seat, dice=dice))

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Each player who has yet to throw."""
        throws = state.stage == "setup" and seat in awaited(state)
        return (Choice({}),) if throws else ()
