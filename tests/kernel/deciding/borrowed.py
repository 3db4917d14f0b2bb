"""The game of most tests of corrections (Negopoly, ana and bob).

1 to 6 lay it out and start it; 7 Ana borrows 100; 8 she gives Bob 40; 9 she throws 1 and 2; 10 she pays 50 of her
loan back.
"""

from __future__ import annotations

from tests.tables.chronicle import Chronicle, frozen

LOAN, GIFT, ROLL, PAID_BACK = 7, 8, 9, 10
HEAD = PAID_BACK


def played() -> Chronicle:
    """The game up to action 10."""
    game = Chronicle("ana", "bob")
    assert game.play("ana", "take_loan", amount=100) == LOAN
    assert game.play("ana", "transfer_money", to="bob", amount=40) == GIFT
    assert game.play("ana", "roll_dice", dice=[1, 2]) == ROLL
    assert game.play("ana", "repay_loan", loan=str(LOAN), amount=50) == PAID_BACK
    return game


def statuses(game: Chronicle) -> dict[str, str]:
    """The actions that a correction changed, by name."""
    return {one.name: one.status for one in game.timeline().entries() if one.status != "effective"}


def sound(game: Chronicle) -> None:
    """Check that the current state is the fold of the stored journal."""
    assert frozen(game.at(game.head)) == frozen(game.state)
