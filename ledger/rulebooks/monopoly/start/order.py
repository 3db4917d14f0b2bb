"""The order of play: throws of two dice, repeated after a tie."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.table.dice import Thrown
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cite, pieces, require_stage
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
        """The total for the order."""
        return sum(self.dice)

    def apply(self, state: Monopoly) -> None:
        """Store the total after the totals of earlier, tied throws."""
        state.thrown[self.seat] = (*state.thrown.get(self.seat, ()), self.total)


# ----------------------------------------------------------------------------------------------
# Totals
# ----------------------------------------------------------------------------------------------


def awaited(state: Monopoly) -> list[str]:
    """Return the seats yet to throw, or to throw again, in the order of the table."""
    return _awaited(state, state.order, 0) if state.settings.throw_for_order else []


def _awaited(state: Monopoly, players: Sequence[str], throw: int) -> list[str]:
    """Return the tied players yet to make the throw of this number; once all have thrown, the players tied
    again.
    """
    missing = [player for player in players if len(state.thrown.get(player, ())) <= throw]
    if missing or len(players) < 2:
        return missing
    groups = _by_total(state, players, throw)
    contested = groups if state.settings.order_by_totals else groups[:1]
    return [player for tied in contested if len(tied) > 1 for player in _awaited(state, tied, throw + 1)]


def _by_total(state: Monopoly, players: Sequence[str], throw: int) -> list[list[str]]:
    """Group the players by the total of a throw, the highest total first."""
    groups: dict[int, list[str]] = {}
    for player in players:
        groups.setdefault(state.thrown[player][throw], []).append(player)
    return [groups[total] for total in sorted(groups, reverse=True)]


def decided(state: Monopoly) -> tuple[str, ...]:
    """Return the order of play: by the totals, or around the table from the highest.

    Players without a throw come last.
    """
    if not state.settings.throw_for_order:
        return state.order
    ranked = sorted(state.order, key=lambda seat: state.thrown.get(seat, ()), reverse=True)
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
        """Refuse a second throw without a tie."""
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
        dice = draft.draws.dice("dice", self.dice, count=pieces(state).thrown, sides=6)
        draft.record(OrderThrown(rule=rule, seat=seat, dice=dice))

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer the throw to each player yet to throw."""
        throws = state.stage == "setup" and seat in awaited(state)
        return (Choice({}),) if throws else ()
