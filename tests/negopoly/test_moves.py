"""`moves` is complete: what it lists is accepted, and whatever is accepted is listed.

At moments of simulated games, everybody's moves are compared with what happens when they are asked for, and when
other parameters are: all that an action's schema allows over the values of the table, or as many at random.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from ledger.kernel.actions import Action
from ledger.kernel.audience import Viewer
from ledger.kernel.decision import Decision, Request, decide
from ledger.kernel.moves import Move, moves, open_to
from ledger.kernel.refusals import Refusal
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.table import Negopoly
from replays.rehearsal import Rehearsal
from replays.simulation import Series, game_of
from tests.negopoly.fuzz import DRAWN, Fuzz

MOMENTS = 7
"""At how many moments of a game one looks."""
ATTEMPTS = 20
"""How many parameters are made up for an action that has too many to try them all."""
GAMES = [(players, seed) for seed, players in enumerate((2, 3, 4, 5, 6, 7, 8, 4, 6), start=21)]


class Moment:
    """A game as it stands right after an action, and what one may ask for then."""

    def __init__(self, game: Rehearsal[Negopoly], number: int, chance: Random) -> None:
        self.state = game.state_after(number)
        self.at = game.journal[number - 1].recorded_at
        self.chance = chance

    def viewers(self) -> Iterator[tuple[str | None, Viewer]]:
        """The banker, for themselves and for a player; who is waited for, and somebody else."""
        seats = sorted(self.state.seats)
        yield None, Viewer("banker")
        yield self.chance.choice(seats), Viewer("banker")
        for seat in dict.fromkeys((*RULEBOOK.awaited(self.state), self.chance.choice(seats))):
            yield seat, Viewer("player", seat)

    def moves(self, seat: str | None, viewer: Viewer) -> dict[str, list[Move]]:
        """What is listed, by kind."""
        found: dict[str, list[Move]] = {}
        for move in moves(RULEBOOK, self.state, seat or "", RULEBOOK.purse(seat or ""), viewer, self.at):
            found.setdefault(move.kind, []).append(move)
        return found

    def asked(self, seat: str | None, viewer: Viewer, action: Action) -> Decision | None:
        """What comes of asking for an action; None when it is refused."""
        request = Request(action=action, seat=seat, by=viewer.seat or "banker", at=self.at)
        try:
            return decide(RULEBOOK, self.state, request, chance=Random(1))
        except Refusal:
            return None


def action_of(kind: str, params: dict[str, Any]) -> Action | None:
    """The action with these parameters, None when they are not well formed, or correct the past."""
    try:
        action = RULEBOOK.action(kind, msgspec.json.encode(params))
        return action if action.mends() is None else None
    except Refusal:
        return None


def chosen(action: Action, free: tuple[str, ...]) -> dict[str, Any]:
    """What a move fixes: all parameters but those that are free, or thrown."""
    plain = msgspec.to_builtins(action)
    return {name: value for name, value in plain.items() if name not in free and name not in DRAWN}


def is_covered(moment: Moment, seat: str | None, viewer: Viewer, action: Action, listed: list[Move]) -> bool:
    """Whether one of the moves is this action, but for what it leaves free, or comes to exactly the same."""
    offered = [(move, RULEBOOK.action(move.kind, msgspec.json.encode(move.params))) for move in listed]
    if any(chosen(action, move.free) == chosen(ready, move.free) for move, ready in offered):
        return True
    came = moment.asked(seat, viewer, action)
    others = (moment.asked(seat, viewer, ready) for _, ready in offered)
    return came is not None and any(other is not None and other.events == came.events for other in others)


@pytest.mark.parametrize(("players", "seed"), GAMES)
def test_moves_are_all_there_is(players: int, seed: int, record_property: pytest.RecordProperty) -> None:
    """For the banker and several seats at many moments: no move is refused, and nothing else is accepted."""
    series = Series(rulebook="negopoly", games=1, players=players, seed=seed, strategies=("plain", "random"))
    game = game_of(series, 0).rehearsal
    chance = Random(seed)
    tried, accepted = Counter[str](), Counter[str]()
    for number in sorted(chance.sample(range(2, game.state.version), min(MOMENTS, game.state.version - 2))):
        moment = Moment(game, number, chance)
        fuzz = Fuzz(moment.state, chance)
        for seat, viewer in moment.viewers():
            listed = moment.moves(seat, viewer)
            for move in (move for found in listed.values() for move in found):
                ready = RULEBOOK.action(move.kind, msgspec.json.encode(move.params))
                legal = ready.mends() is not None or moment.asked(seat, viewer, ready) is not None
                assert legal, f"after {number}, {seat} ({viewer.role}) is offered {move}, which is refused"
            for kind, action in RULEBOOK.actions.items():
                if kind == "correct" or not open_to(action, viewer):
                    continue  # corrections are tried on their journal, below
                for params in fuzz.of(action, ATTEMPTS):
                    wanted = action_of(kind, params)
                    if wanted is None:
                        continue
                    tried[kind] += 1
                    if moment.asked(seat, viewer, wanted) is None:
                        continue
                    accepted[kind] += 1
                    assert kind in listed, f"after {number}, {seat} ({viewer.role}) may {kind} {params}"
                    assert is_covered(moment, seat, viewer, wanted, listed[kind]), (
                        f"after {number}, {seat} ({viewer.role}) may {kind} {params}, "
                        f"and is offered only {[move.params for move in listed[kind]]}"
                    )
    assert len(tried) > 70, "almost every kind of action can be asked for"
    assert len(accepted) > 15, "many of them are possible at some moment"
    record_property("accepted", dict(accepted))


def test_the_correction_that_is_offered_is_accepted() -> None:
    """The banker may always take back the last action: also a correction, a ruling, and the end of the game."""
    series = Series(rulebook="negopoly", games=1, players=3, seed=40, strategies=("plain", "random"))
    game = game_of(series, 0).rehearsal
    banker = Viewer("banker")
    for taken_back in range(6):
        before = len(game.state.corrections)
        offered = [
            move
            for move in moves(RULEBOOK, game.state, "", "", banker, game.state.last_at)
            if move.kind == "correct"
        ]
        assert len(offered) == 1, f"after {taken_back} corrections"
        action = RULEBOOK.action("correct", msgspec.json.encode(offered[0].params))
        game.perform(action, None, "banker", game.state.last_at)
        assert len(game.state.corrections) == before + 1
