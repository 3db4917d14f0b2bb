"""The end: the last player in the game wins; in the quick game, the richest at the first bankruptcy."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.faces.score import Score
from ledger.kernel.rules.wealth import Asset
from ledger.rulebooks.monopoly.debts import debts
from ledger.rulebooks.monopoly.end import closing, season_close
from ledger.rulebooks.monopoly.end import worth as valuation
from ledger.rulebooks.monopoly.end.closing import GameWon
from ledger.rulebooks.monopoly.end.worth import worth as worth
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cash, cite, has_role, in_play, laid
from ledger.rulebooks.monopoly.turns import limits
from ledger.rulebooks.parts.seats import player as purse

chapter = closing.chapter


def settle(draft: Draft) -> None:
    """End a game or a season decided by eliminations."""
    state = draft.state
    if state.stage != "play" or state.ended:
        return
    remaining = in_play(state)
    if state.settings.quick and state.out:
        _end_quick_game(draft)
    elif limits.is_played_out(state):
        _end_last_round(draft)
    elif reached := _at_goal(state):
        _end_at_goal(draft, reached)
    elif len(remaining) == 1:
        if has_role(state, "season_open"):
            season_close.close(draft, cause="last")
        else:
            rule = cite(state, "victory")
            closing.stop(draft, rule=rule)
            draft.record(GameWon(rule=rule, winners=tuple(remaining)))


def _end_quick_game(draft: Draft) -> None:
    """End the game at the first bankruptcy."""
    state = draft.state
    closing.stop(draft, rule=cite(state, "quick_end"))
    _richest_wins(draft, rule=cite(state, "quick_win"))


def _end_last_round(draft: Draft) -> None:
    """End the game after its last round; rents that could still be claimed are paid."""
    state = draft.state
    rule = cite(state, "limit")
    for rent in state.rents:
        debts.charge(
            draft, rent.lander, purse(rent.owner), rent.amount, rule=rent.rule, cause="rent", title=rent.title
        )
    closing.stop(draft, rule=rule)
    _richest_wins(draft, rule=rule)


def _at_goal(state: Monopoly) -> list[str]:
    """Return the players with the sum that wins, debts taken off; none without such a sum."""
    goal = state.settings.goal
    if not goal or state.turn is None:
        return []
    return [seat for seat in in_play(state) if _counted(state, seat) >= goal]


def _counted(state: Monopoly, seat: str) -> int:
    """Return what counts for the sum that wins."""
    money = cash(state, seat) + laid(state, seat)
    amount = money if state.settings.goal_of == "cash" else sum(asset.value for asset in worth(state, seat))
    return amount - debts.owed_by(state, seat)


def _end_at_goal(draft: Draft, reached: Sequence[str]) -> None:
    """End the game when somebody has the sum that wins."""
    rule = cite(draft.state, "goal")
    closing.stop(draft, rule=rule)
    _richest_wins(draft, rule=rule, among=reached)


def _richest_wins(draft: Draft, *, rule: str, among: Sequence[str] = ()) -> None:
    """Value the players still in the game: the highest worth wins (`among` some players), and equal worth shares
    the win.
    """
    state = draft.state
    amounts = {seat: valuation.count(draft, seat) for seat in in_play(state)}
    best = max(amounts[seat] for seat in among or amounts)
    winners = tuple(seat for seat in among or amounts if amounts[seat] == best)
    draft.record(GameWon(rule=rule, winners=winners))


class MonopolyScore(Score[Monopoly]):
    """The winners, and the worth of the seats."""

    shown_label = Phrase("in all", "en tout")

    def wealth(self, state: Monopoly, seat: str) -> Sequence[Asset]:
        """Return the wealth of a seat: money, titles, buildings."""
        return worth(state, seat)

    def shown_wealth(self, state: Monopoly, seat: str) -> Sequence[Asset]:
        """Return all wealth, because nothing is hidden."""
        return worth(state, seat)
