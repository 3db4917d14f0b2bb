"""Refusals name people and things: in random games no sentence has an id where people read a name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import msgspec
import pytest

from ledger.kernel.deciding.decision import decide
from ledger.kernel.deciding.in_memory import GameInMemory
from ledger.kernel.deciding.moves import obstacles, open_to
from ledger.kernel.deciding.replanning import plan
from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.edits import Drop
from ledger.kernel.facts.refusals import Malformed, Refusal
from ledger.kernel.facts.state import Seat
from ledger.kernel.rules.actions import Correct
from ledger.kernel.rules.draft import Request
from ledger.kernel.rules.opening import Opening
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks import rulebooks_by_id
from replays import simulation
from tests.example import bazaar

NOON = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)
PLAYERS = {"p1x": "Ana", "p2x": "Malo", "p3x": "Hector", "p4x": "Zoé"}
"""Seats whose ids nobody could take for names."""
EVENINGS = {
    "monopolys": ((2, 60), (3, 120)),
    "negopoly": ((3, 100),),
    "bazaar": tuple((seed, 10 * seed) for seed in range(1, 10)),
}
"""The seeds and the numbers of actions of the games that are played, where fewer tell enough."""
IDS = re.compile(
    r"\bp\dx\b|[a-z0-9]_[a-z0-9]|\b(player|title|card|property|escrow|good|hand):\w"
    r"|\b(nuketown|negotown|hijacked|bassland|elysee|negoplaza|NGD)\b"
)
"""What is an id and no name: of a seat, a title, an item, an account or a kind of action."""


def unnamed(en: str, fr: str) -> list[str]:
    """The ids in a sentence, apart from parameters (in backticks) and what the caller typed (in quotes)."""
    return [found[0] for text in (en, fr) for found in IDS.finditer(re.sub(r"`[^`]*`|(?<!\w)'\w+'", "", text))]


def evening(rulebook: Rulebook[Any], seed: int, actions: int) -> GameInMemory[Any]:
    """A game played by bots, up to a number of actions, by players with other names than their seats have."""
    seats = [Seat(*one) for one in list(PLAYERS.items())[: max(3, rulebook.players[0])]]
    opening = Opening(players=tuple(seats), settings=rulebook.settings(), dice="service")
    played: GameInMemory[Any] = simulation.play(rulebook, opening, seed=seed, actions=actions).game
    return played


def refused(game: GameInMemory[Any], at: datetime) -> Iterator[tuple[str, str, str]]:
    """Every kind of action of every seat that is refused now, and the rules that the banker would waive for it."""
    rulebook, state = game.rulebook, game.state
    for seat in state.seats:
        for viewer in (Viewer("player", seat), BANKER):
            for kind in [kind for kind, one in rulebook.actions.items() if open_to(one, viewer)]:
                for one in obstacles(rulebook, state, seat, rulebook.accounts.purse(seat), viewer, at, kind)[:3]:
                    if isinstance(one.refusal, Malformed) and "fault" in one.refusal.values:
                        continue  # of the shape of the parameters, and so of their names
                    yield kind, one.refusal.en, one.refusal.fr
                    yield from waived(game, seat, rulebook.codec.action(kind, msgspec.json.encode(one.params)), at)


def waived(game: GameInMemory[Any], seat: str, action: Any, at: datetime) -> Iterator[tuple[str, str, str]]:
    """What the journal keeps of the rules that the banker waives for an action."""
    request = Request(action=action, seat=seat, by="banker", at=at, override="by leave of the bank")
    try:
        found = (
            ()
            if action.correction_request() is not None
            else decide(game.rulebook, game.state, request, chance=Random(1)).warnings
        )
    except Refusal as refusal:
        yield action.kind, refusal.en, refusal.fr
    else:
        yield from ((action.kind, one.en, one.fr) for one in found)


def fallen(game: GameInMemory[Any], chance: Random) -> Iterator[tuple[str, str, str]]:
    """Why later actions are voided when an earlier one is dropped."""
    for number in chance.sample(range(5, game.state.version), 3):
        mending = Correct(edits=(Drop(number),), cascade="restate", reason="a mistake")
        try:
            found = plan(
                game.rulebook,
                game.past.timeline(),
                game.state,
                lambda one: game.past.state_after(one - 1),
                mending,
            )
        except Refusal as refusal:
            yield "correct", refusal.en, refusal.fr
        else:
            yield from ((one.timeline_entry.entry.kind, one.why.en, one.why.fr) for one in found.voided)


@pytest.mark.parametrize("name", ["negopoly", "negoces2", "monopolys", "bazaar"])
def test_no_refusal_of_a_random_evening_has_an_id_for_a_name(name: str) -> None:
    """Refusals, waived rules and the reasons of voided actions, in English and French."""
    rulebook = {**rulebooks_by_id(), "bazaar": bazaar.RULEBOOK}[name]
    told: set[tuple[str, str, str]] = set()
    for seed, actions in EVENINGS.get(name, ((1, 12), (2, 60), (3, 150), (4, 260))):
        game = evening(rulebook, seed, actions)
        at = (game.state.last_at or NOON) + timedelta(seconds=1)
        told |= {*refused(game, at), *fallen(game, Random(seed))}
    assert len(told) > 60
    assert [(kind, en, fr) for kind, en, fr in sorted(told) if unnamed(en, fr)] == []
