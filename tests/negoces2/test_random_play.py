"""Sixty games of merchants who only use their moves; five hundred in a soak.

In one game of a hundred they have no preference and do anything, which takes ten times as long. Every game ends.
At every step each card and each coin has a place, each awaited seat has a move, and every action that is not
offered is refused. The same seed plays the same game again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache
from itertools import product
from random import Random
from statistics import median
from typing import Any

import msgspec
import pytest

from ledger.kernel.deciding.decision import decide
from ledger.kernel.deciding.in_memory import GameInMemory
from ledger.kernel.deciding.moves import Move, moves
from ledger.kernel.facts.accounts import BOX
from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.facts.state import Seat
from ledger.kernel.journal.entry import canonical
from ledger.kernel.rules.draft import Request
from ledger.kernel.rules.opening import Opening
from ledger.rulebooks.negoces2 import RULEBOOK
from ledger.rulebooks.negoces2.bots import STRATEGIES
from ledger.rulebooks.negoces2.cards import CARDS, COIN
from ledger.rulebooks.negoces2.table import Negoces2, cards_of
from tests.harness.playing import NOON
from tests.properties.commands import SOAK
from tests.tables.negoces2 import SEATS

CHUNKS = [range(first, first + 100) for first in range(0, 500, 100)] if SOAK else [range(60)]
LONGEST = {"merchant": 600, "random": 6000}
"""More actions than any game should need."""
ANYTIME = {"hide_coins", "show_coins"}
"""Actions that are always possible and do not advance the game."""
PLAYED = tuple(kind for kind, action in RULEBOOK.actions.items() if not action.docket)
SAMPLED = 40
"""One position of this many is tested with every possible action."""


class Game:
    """A game, played from moves only."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.at: datetime = NOON
        opening = Opening(
            players=tuple(Seat(seat, seat.capitalize()) for seat in SEATS),
            settings=RULEBOOK.settings(offers_may_be_turned=seed % 2 == 0),
            dice="service",
        )
        self.game = GameInMemory(RULEBOOK, opening, name=f"random-{seed}", at=NOON, chance=self.chance)
        self.strategy = "random" if seed % 100 == 50 else "merchant"
        self.bot = STRATEGIES[self.strategy]
        for kind in ("draw_starter", "deal_goods"):
            offered = [move for move in self.offered(None) if move.kind == kind]
            self.perform(None, kind, self.chance.choice(offered).params)

    @property
    def state(self) -> Negoces2:
        return self.game.state

    def offered(self, seat: str | None) -> list[Move]:
        """The moves of a seat, or the banker's own."""
        viewer = BANKER if seat is None else Viewer("player", seat)
        return moves(RULEBOOK, self.state, seat or "", RULEBOOK.accounts.purse(seat or ""), viewer, self.at)

    def perform(self, seat: str | None, kind: str, params: dict[str, Any]) -> None:
        self.at += timedelta(seconds=self.chance.randint(1, 60))
        action = RULEBOOK.codec.action(kind, msgspec.json.encode(params))
        self.game.perform(action, seat, seat or "banker", self.at)

    def step(self) -> None:
        """One seat acts; check that each awaited seat can advance the game."""
        for seat in RULEBOOK.screen.awaited(self.state):
            assert self.could_act(seat), f"{seat} is awaited and has no move"
        if self.chance.randrange(SAMPLED) == 0:
            assert_moves_are_all_there_is(self)
        while True:
            awaited = RULEBOOK.screen.awaited(self.state)
            buyers = SEATS if self.state.phase == "negotiation" and self.chance.random() < 0.4 else awaited
            if self.acts(self.chance.choice(buyers)):
                return

    def could_act(self, seat: str) -> bool:
        """Whether a move of the seat advances the game."""
        return any(
            self.is_legal(seat, kind, choice.params)
            for kind, action in RULEBOOK.actions.items()
            if kind not in ANYTIME and "player" in action.by and not action.docket
            for choice in action.choices(self.state, seat)
        )

    def is_legal(self, seat: str, kind: str, params: dict[str, Any]) -> bool:
        action = RULEBOOK.codec.action(kind, msgspec.json.encode(params))
        try:
            decide(RULEBOOK, self.state, Request(action=action, seat=seat, by=seat, at=self.at), chance=None)
        except Refusal:
            return False
        return True

    def acts(self, seat: str) -> bool:
        """The seat performs the legal move that its bot likes best."""
        for kind in self.bot.kinds(self.state, seat, seat, PLAYED, self.chance):
            offered = list(RULEBOOK.actions[kind].choices(self.state, seat))
            for liked in self.bot.choices(self.state, seat, kind, offered, self.chance):
                try:
                    self.perform(seat, kind, liked.params)
                except Refusal:
                    continue
                return True
        return False

    def check(self) -> None:
        """Check that there are 33 cards and 60 coins, and after the auction one player with nine cards."""
        where: Counter[str] = Counter()
        for account, held in self.state.holdings.items():
            assert account == BOX or min(held.values()) > 0
            if account != BOX:
                where.update(held)
        in_the_box = self.state.bid if self.state.phase != "auction" else 0
        assert where == {**{card: one.copies for card, one in CARDS.items()}, COIN: 60 - in_the_box}
        assert self.state.holdings.of(BOX, COIN) == in_the_box - 60
        counts = sorted(cards_of(self.state, seat) for seat in SEATS)
        assert counts == ([8, 8, 8, 8] if self.state.phase == "auction" else [8, 8, 8, 9])


def everything(state: Negoces2) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every action of the game with all kinds of parameters, without coins."""
    faces, cards = ("up", "down"), tuple(CARDS)
    revisions = sorted({offer.revision for offer in state.offers.values()} | {"1"})
    yield from (("bid", {"amount": amount}) for amount in range(1, 18))
    yield "withdraw", {}
    yield from (("offer_for_sale", {"card": card, "face": face}) for card, face in product(cards, faces))
    for kind in ("make_offer", "change_offer"):
        for card, face in product(cards, faces):
            yield kind, {"card": card, "face": face}
            yield kind, {"card": card, "face": face, "coins": 1}
        yield from ((kind, {"coins": coins}) for coins in (1, 2))
        yield kind, {}
    yield "withdraw_offer", {}
    yield from (("accept_offer", {"buyer": one, "revision": two}) for one, two in product(SEATS, revisions))
    yield from (("force_sale", {"card": card}) for card in cards)
    yield from (("announce_good", {"good": good}) for good in range(10))
    yield from (("choose_card", {"owner": owner}) for owner in SEATS)
    yield from ((kind, {"coins": 1}) for kind in ("add_coins_to_sale", "remove_coins_from_sale"))
    yield from (("declare_victory", {"way": way}) for way in ("coins", "cards"))
    yield "decline_victory", {}


def covered(move: Move, kind: str, params: dict[str, Any]) -> bool:
    """Whether a move offers this action, apart from its free parameters."""
    if move.kind != kind or move.params.keys() != params.keys():
        return False
    return all(params[name] == value for name, value in move.params.items() if name not in move.free)


def assert_moves_are_all_there_is(game: Game) -> None:
    """Check for every seat that its moves are accepted and all other actions are refused."""
    for seat in SEATS:
        offered = game.offered(seat)
        for kind, params in everything(game.state):
            offering = [move.params for move in offered if covered(move, kind, params)]
            if game.is_legal(seat, kind, params):
                assert offering, f"{kind} {params} is possible for {seat} and not offered"
            else:
                assert params not in offering, f"{kind} {params} is offered to {seat} and refused"


@cache
def played(seed: int) -> Game:
    """A whole game, played once for all tests; check that it ends early enough."""
    game = Game(seed)
    while not game.state.ended:
        game.step()
        game.check()
        assert game.state.version < LONGEST[game.strategy], f"game {seed} does not end"
    return game


@pytest.mark.parametrize("chunk", CHUNKS)
def test_games_end_and_everything_stays_where_it_can_be(
    chunk: range, record_property: pytest.RecordProperty
) -> None:
    """Each game has a winner who met a condition, and folds again from its journal to the same."""
    lengths, ways = [], Counter[str]()
    for seed in chunk:
        game = played(seed)
        assert game.state.winners
        assert set(game.state.winners) <= set(game.state.claims)
        assert game.state.sellers == set(SEATS)
        again = game.game.past.state_after(game.state.version)
        assert RULEBOOK.codec.to_snapshot(again) == RULEBOOK.codec.to_snapshot(game.state)
        lengths.append(game.state.version)
        ways.update(game.state.claims[winner].way for winner in game.state.winners)
    assert 40 < median(lengths) < 150
    assert ways["cards"] > ways["coins"]
    record_property("actions", (min(lengths), median(lengths), max(lengths)))
    record_property("victories", dict(ways))


def test_the_same_seed_plays_the_same_game() -> None:
    first, other = (played(seed).game.journal for seed in (7, 8))
    second = played.__wrapped__(7).game.journal
    assert [canonical(entry) for entry in first] == [canonical(entry) for entry in second]
    assert [entry.params for entry in first] != [entry.params for entry in other]


def test_every_kind_of_action_and_of_event_comes_up() -> None:
    """In fifty games everything happens that belongs to the play; what the banker rules does not."""
    kinds, events = Counter[str](), Counter[str]()
    for seed in range(50):
        for entry in played(seed).game.journal:
            kinds[entry.kind] += 1
            events.update(type(RULEBOOK.codec.event(stored)).__name__ for stored in entry.events)
    banker = {
        "set_starter",
        "correct",
        "open_dispute",
        "add_statement",
        "withdraw_dispute",
        "rule",
        "publish_rulings",
    }
    assert set(RULEBOOK.actions) - set(kinds) == banker
    own = {event.__name__ for event in RULEBOOK.events.values() if event.__module__.startswith("ledger.rulebooks")}
    assert own - set(events) == {"StarterSet", "BidderSet", "SaleBrokenOff"}
