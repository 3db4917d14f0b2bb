"""Where tokens stop: a long walk through the engine agrees with the chain of squares and cards (chain.py).

The players of a walk own nothing that costs: all titles are mortgaged, and money never lacks. They throw for a
double in prison, and keep the cards that open it. With MABLIGOP_SOAK set there are many more walks, longer ones.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from operator import attrgetter
from random import Random

import pytest

from ledger.kernel.deciding.decision import decide
from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.state import Seat
from ledger.kernel.rules.draft import Request
from ledger.kernel.rules.opening import Opening
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks.monopoly import RULEBOOKS
from ledger.rulebooks.monopoly.table.state import Monopoly
from ledger.rulebooks.monopoly.table.terms import MORTGAGE
from ledger.rulebooks.monopoly.turns.movement import TokenMoved
from ledger.rulebooks.monopoly.turns.prison import SentToJail
from ledger.rulebooks.parts import decks, titles
from ledger.rulebooks.parts.seats import player as purse
from tests.monopoly.chain import Chain, is_kept

SOAK = bool(os.environ.get("MABLIGOP_SOAK"))
GAMES, TURNS = (2000, 120) if SOAK else (80, 20)
"""The number of walks, and the number of turns of each walk, all players together."""
SEATS = ("ana", "bob", "cleo", "dan")
ENOUGH = 10_000_000
NOON = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)
TO_DO = {"card": "draw_card", "die": "roll_chance_die", "tax": "pay_tax"}
MOST_ERRORS = 4


def laid_out(rulebook: Rulebook[Monopoly], chain: Chain, chance: Random) -> Monopoly:
    """A game in which nobody can gain or lose much, with each player where a turn of the long run may begin."""
    players = tuple(Seat(seat, seat.capitalize()) for seat in SEATS)
    opening = Opening(players=players, settings=rulebook.settings(), dice="service")
    request = Request(action=rulebook.play.opening_action(opening), seat=None, by="system", at=NOON)
    state: Monopoly = decide(rulebook, rulebook.blank(), request, chance=chance).state
    pieces = rulebook.blank().edition.pieces
    for title in pieces.titles:
        state.holdings.post(titles.title_posting(title, BANK, purse("ana")))
        state.holdings.post(Posting(MORTGAGE, 1, BANK, titles.attached(title)))
    for card in pieces.cards:
        if is_kept(card) and not pieces.deck[card.deck].faces:
            state.holdings.post(Posting(decks.commodity(card.id), 1, decks.pile(card.deck), purse("ana")))
    likely = chain.beginnings()
    for seat in SEATS:
        state.holdings.post(Posting(rulebook.accounts.currency, ENOUGH, BANK, purse(seat)))
        (what, square, count) = chance.choices([*likely], [*likely.values()])[0]
        state.positions[seat] = square
        if what == "jail":
            state.jailed[seat] = count
    state.stage, state.order = "play", SEATS
    state.turn, state.round, state.must_throw = SEATS[0], 1, True
    return state


def stops(rulebook: Rulebook[Monopoly], state: Monopoly, chance: Random) -> Iterator[int]:
    """The squares at which tokens stop in a number of turns."""
    turns = 0
    while turns < TURNS:
        seat = str(state.turn)
        if state.landing is not None:
            kind = TO_DO[state.landing.todo]
        elif not state.must_throw:
            kind = "end_turn"
        else:
            kind = "roll_for_jail" if seat in state.jailed else "roll_and_move"
        request = Request(action=rulebook.actions[kind](), seat=seat, by=seat, at=NOON)
        decision = decide(rulebook, state, request, chance=chance)
        state = decision.state
        turns += state.turn != seat
        for event in decision.events:
            if isinstance(event, TokenMoved | SentToJail):
                yield event.square


@pytest.mark.parametrize("rulebook", RULEBOOKS, ids=attrgetter("id"))
def test_tokens_stop_where_the_chain_says(
    rulebook: Rulebook[Monopoly], record_property: pytest.RecordProperty
) -> None:
    """Each square's share of the stops is within four standard errors, from the spread between games."""
    chain = Chain(rulebook.blank().edition.pieces, rulebook.settings())
    games = []
    for number in range(GAMES):
        chance = Random(number)
        games.append(Counter(stops(rulebook, laid_out(rulebook, chain, chance), chance)))
    total = sum(game.total() for game in games)
    worst = 0.0
    for square, expected in enumerate(chain.shares()):
        found = sum(game[square] for game in games) / total
        # A share is a ratio of two sums over games: its error by the linear approximation of ratios.
        off = sum((game[square] - found * game.total()) ** 2 for game in games)
        error = (off * GAMES / (GAMES - 1)) ** 0.5 / total
        worst = max(worst, abs(found - expected) / error)
        assert abs(found - expected) <= MOST_ERRORS * error, rulebook.blank().edition.pieces.squares[square].id
    record_property("stops", total)
    record_property("furthest off, in standard errors", round(worst, 2))
