"""In played games every rent is the toll that the board showed before the visitor came."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec import UNSET

from ledger.kernel.facts.audience import BANKER, SPECTATOR, Viewer
from ledger.kernel.facts.events import kind_of
from ledger.kernel.rules.display import Toll
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks import rulebooks_by_id
from ledger.rulebooks.parts.boards import drawn, shown_on
from replays.simulation import play
from tests.properties.watching import ACTIONS, Watching, opening

ARRIVALS = {"resolve_square", "roll_and_move"}
"""The actions that let a visitor stop."""
CHANGES = {"card_drawn", "chance_die_thrown"}
"""Events after which a rent may be a card's."""


class _Always(Random):
    def random(self) -> float:
        return 0.0


def tolls(rulebook: Rulebook[Any], state: Any, viewer: Viewer, language: str = "en") -> dict[str, Toll]:
    """The tolls on the board, by title."""
    board, places = drawn(rulebook, state, language), shown_on(rulebook, state, viewer, language).places
    assert board is not None
    return {
        place.commodity.removeprefix("title:"): view.toll
        for place in board.places
        if place.commodity is not UNSET and (view := places.get(place.id)) and view.toll is not UNSET
    }


def charged(event: Any) -> tuple[str, int, int] | None:
    """The title, and the rent that an event asks of a visitor: an amount, and for each pip of a throw."""
    match kind_of(event):
        case "rent_paid":
            return event.title, event.amount, 0
        case "rent_arose":
            return event.rent.title, event.rent.amount, event.rent.multiplier
        case "debt_incurred" if event.debt.cause == "rent":
            return event.debt.title, event.debt.amount, 0
    return None


@pytest.mark.parametrize("name", ["negopoly", "monopoly_naruto", "monopolys", "monopoly"])
def test_a_visitor_is_charged_the_toll_on_the_board(name: str) -> None:
    """Whoever stops by a throw owes what the place said before the throw, and nothing where it said nothing."""
    rulebook = rulebooks_by_id()[name]
    compared: list[int] = []
    for seed in (1, 2):
        board: dict[int, dict[str, Toll]] = {}

        def look(state: Any, board: dict[int, dict[str, Toll]] = board) -> None:
            board[state.version] = tolls(rulebook, state, SPECTATOR)

        bots = {mind: Watching(bot, look, _Always()) for mind, bot in rulebook.simulation.strategies.items()}
        minds = [mind for mind in bots if mind != "banker"]
        seated = dict(zip(("ana", "bob", "cleo", "dan"), minds * 4, strict=False))
        game = play(
            rulebook,
            opening(rulebook, seed),
            seed=seed,
            bots=lambda by, bots=bots, seated=seated: bots[seated.get(by, "banker")],  # type: ignore[misc]
            actions=2 * ACTIONS,
        ).game
        assert tolls(rulebook, game.state, BANKER) == tolls(rulebook, game.state, SPECTATOR)
        for entry in game.journal:
            events = [rulebook.codec.event(stored) for stored in entry.events]
            kinds = {kind_of(event) for event in events}
            if entry.kind not in ARRIVALS or kinds & CHANGES or entry.number - 1 not in board:
                continue
            for title, amount, multiplier in filter(None, map(charged, events)):
                toll = board[entry.number - 1][title]
                if toll.text is UNSET:
                    assert (toll.amount, multiplier) == (amount, 0), entry
                elif multiplier:
                    assert toll.text == f"{multiplier} times the throw", entry
                else:
                    thrown = sum(next(event.dice for event in events if hasattr(event, "dice")))
                    assert toll.text == f"{amount // thrown} times the throw", entry
                compared.append(amount)
    assert len(compared) >= 2
