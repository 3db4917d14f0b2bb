"""Seats: the players at the table, the order of play, the account of each seat, and payments from the account."""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.state import State
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.draft import Draft

S = TypeVar("S", bound=State)


@lru_cache(maxsize=1024)
def player(seat: str) -> str:
    """Return the account of a player."""
    return f"player:{seat}"


def seat_named(state: State, seat: str, rule: str) -> str:
    """Return the seat of a player of the game. Raises Impossible by the rule for an unknown seat."""
    if seat not in state.seats:
        raise Impossible(
            rule,
            "there is no seat {seat!r} in this game; its seats are: {seats:seats}",
            "il n'y a pas de siège {seat!r} dans cette partie ; ses sièges sont : {seats:seats}",
            seat=seat,
            seats=tuple(state.seats),
        )
    return seat


def require_turn(
    draft: Draft[Any], current: str, rule: str, *, beside: tuple[str, ...] = (), waivable: bool = False
) -> None:
    """Refuse an action out of turn, by the rule and those beside. Raises Impossible if it is not waivable."""
    seat = draft.seat
    not_yours = Phrase(
        "it is {current:seat}'s turn, not {seat:seat}'s",
        "c'est le tour {current:de|seat}, pas celui {seat:de|seat}",
    )
    if seat != current and not waivable:
        raise Impossible(rule, not_yours.en, not_yours.fr, current=current, seat=seat).citing(*beside)
    draft.require(seat == current, rule, not_yours.en, not_yours.fr, beside=beside, current=current, seat=seat)


def payment(
    draft: Draft[Any],
    seat: str,
    amount: int,
    rule: str,
    target: str = BANK,
    *,
    owing: bool = False,
    solvency: str | None = None,
) -> tuple[Posting, ...]:
    """Build the posting of a seat's payment into an account, as a tuple for an event; empty for 0.

    Refuse a payment beyond the seat's funds, unless `owing` allows a debt. The refusal cites the rule
    `solvency` with the payment's own `rule` beside, or only the latter in a game without a rule of solvency.
    """
    purse, money = draft.rulebook.accounts.purse(seat), draft.rulebook.accounts.currency
    if not owing:
        draft.require_funds(purse, money, amount, solvency or rule, beside=(rule,))
    return draft.move(money, amount, purse, target)


def in_play(order: Sequence[str], out: Container[str]) -> list[str]:
    """Return the seats still in the game, in order."""
    return [seat for seat in order if seat not in out]


def next_seat(order: Sequence[str], seat: str, out: Container[str] = ()) -> str:
    """Return the next seat in the order that is still in the game; the first seat follows the last."""
    index = order.index(seat)
    around = (*order[index + 1 :], *order[:index])
    return next((candidate for candidate in around if candidate not in out), seat)


def comes_before(order: Sequence[str], turn: tuple[int, str] | None, later: tuple[int, str] | None) -> bool:
    """Return True if a turn, as round and seat, precedes the turn `later`. False if either is None."""
    if turn is None or later is None:
        return False
    places = [(round_, order.index(seat) if seat in order else len(order)) for round_, seat in (turn, later)]
    return places[0] < places[1]
