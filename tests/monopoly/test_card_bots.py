"""Games on a town whose cards use every effect on titles, every choice, and every use of a kept card."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from ledger.kernel.facts.events import kind_of, tag_of
from ledger.kernel.facts.state import Seat
from ledger.kernel.rules.bots import BANKER, RANDOM
from ledger.kernel.rules.opening import Opening
from ledger.rulebooks import rulebooks_by_id
from ledger.rulebooks.monopoly.cards import choices, estate, kept
from ledger.rulebooks.monopoly.own_edition import settings_of
from replays import simulation
from tests.monopoly.boards import all_effects

SEATS = ("ana", "bob", "cid", "dee")
EVENTS = {tag_of(event) for chapter in (choices, estate, kept) for event in chapter.chapter.events}


def played(seed: int, actions: int, strategy: str, **chosen: Any) -> Counter[str]:
    """The kinds of event of a game of bots, in which nobody was ever stuck."""
    rulebook = rulebooks_by_id()["monopoly"]
    settings = msgspec.convert(settings_of(all_effects(), {"starting_cash": 4000, **chosen}), rulebook.settings)
    players = tuple(Seat(seat, seat.title()) for seat in SEATS)
    bots = rulebook.simulation.strategies
    game = simulation.play(
        rulebook,
        Opening(players=players, settings=settings, dice="service"),
        seed=seed,
        bots=lambda by: bots[BANKER] if by == BANKER else bots[strategy],
        actions=actions,
    ).game
    assert simulation.unbalanced(game.state) == {}
    assert list(rulebook.play.inconsistencies(game.state)) == []
    assert rulebook.codec.from_snapshot(rulebook.codec.to_snapshot(game.state)) == game.state
    return Counter(kind_of(rulebook.codec.event(event)) for entry in game.journal for event in entry.events)


def test_thousands_of_actions_are_never_stuck_and_use_everything() -> None:
    """Random moves, and both strategies; choices on squares and choices dropped are scenarios elsewhere."""
    happened = played(1, 1500, RANDOM) + played(2, 500, RANDOM, rents_are_claimed=False)
    for strategy, seed in (("bold", 1), ("bold", 3), ("careful", 3), ("careful", 5)):
        happened += played(seed, 1500, strategy, rents_are_claimed=bool(seed % 2))
    assert EVENTS - {"card_resumed", "cards_waiting"} <= happened.keys()
