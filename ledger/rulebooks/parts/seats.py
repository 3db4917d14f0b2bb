"""Seats and their order: who sits at the table, who comes next, and the account of each."""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.state import State
from ledger.kernel.rules.actions import Toward
from ledger.kernel.rules.draft import Draft
from ledger.kernel.rules.rulebook import Rulebook

S = TypeVar("S", bound=State)


@lru_cache(maxsize=1024)
def player(seat: str) -> str:
    """The account of a player."""
    return f"player:{seat}"


def seat_named(state: State, seat: str, rule: str) -> str:
    """Return the seat after checking that it is a player of this game. Raises Impossible by the rule."""
    if seat not in state.seats:
        raise Impossible(
            rule,
            "there is no seat {seat!r} in this game; its seats are: {seats:seats}",
            "il n'y a pas de siège {seat!r} dans cette partie ; ses sièges sont : {seats:seats}",
            seat=seat,
            seats=tuple(state.seats),
        )
    return seat


def require_turn(draft: Draft[Any], current: str, rule: str, *, waivable: bool = False) -> None:
    """Refuse by the rule unless it is the acting seat's turn. Raises Impossible when that is not waivable."""
    seat = draft.seat
    not_yours = (
        "it is {current:seat}'s turn, not {seat:seat}'s",
        "c'est le tour {current:de|seat}, pas celui {seat:de|seat}",
    )
    if seat != current and not waivable:
        raise Impossible(rule, *not_yours, current=current, seat=seat)
    draft.require(seat == current, rule, *not_yours, current=current, seat=seat)


def in_play(order: Sequence[str], out: Container[str]) -> list[str]:
    """The seats still in the game, in their order."""
    return [seat for seat in order if seat not in out]


def after(order: Sequence[str], seat: str, out: Container[str] = ()) -> str:
    """The next seat in the order that is still in the game; after the last seat comes the first."""
    place = order.index(seat)
    around = (*order[place + 1 :], *order[:place])
    return next((other for other in around if other not in out), seat)


def comes_before(order: Sequence[str], turn: tuple[int, str] | None, other: tuple[int, str] | None) -> bool:
    """Whether a turn, as its round and seat, comes before another one; never when there is no turn."""
    if turn is None or other is None:
        return False
    places = [(round_, order.index(seat) if seat in order else len(order)) for round_, seat in (turn, other)]
    return places[0] < places[1]


def is_behind(rulebook: Rulebook[S], state: S, order: Sequence[str], toward: Toward) -> bool:
    """Whether the turn under way comes before the one in which an action was, or is to be, taken.

    In play it is to be taken in this round.
    """
    here = rulebook.whose_turn(state)
    if toward.was is not None:
        return comes_before(order, here, rulebook.whose_turn(toward.was))
    return here is not None and toward.seat is not None and comes_before(order, here, (here[0], toward.seat))
