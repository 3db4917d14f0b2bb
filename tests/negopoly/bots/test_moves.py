"""`moves` is complete: every listed move is accepted, and every accepted action is listed.

At moments of simulated games, each seat's moves are compared with the result of performing them, and with the
result of other parameters: all that an action's schema allows over the values of the table, or many at random.
Moments chosen at random test every kind of action. Two kinds of moments test one kind: right before an action of
that kind, and after a seat has been given what the kind needs and players seldom have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from ledger.kernel.deciding.decision import Decision, decide
from ledger.kernel.deciding.in_memory import GameInMemory
from ledger.kernel.deciding.moves import Move, moves, open_to
from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.draft import Request
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.arsenal.bombardment import RODS
from ledger.rulebooks.negopoly.cards import decks
from ledger.rulebooks.negopoly.cards.vocabulary import commodity
from ledger.rulebooks.negopoly.estate.quarters import QUARTERS
from ledger.rulebooks.negopoly.mercenaries.kidnapping import KIDNAPPING
from ledger.rulebooks.negopoly.table.state import Negopoly, in_play, index_of, square_of
from ledger.rulebooks.negopoly.table.terms import Turn, attached, deed, player
from replays.simulation import Series, game_of
from tests.negopoly.bots.fuzz import DRAWN, Fuzz
from tests.properties.commands import SOAK

MOMENTS = 4
"""The number of moments of a game that test everything."""
ATTEMPTS = 20
"""The number of random parameters for an action with too many to try them all."""
MANY = 60
"""The same for moments that test one kind of action."""
GAMES = [(players, seed) for seed, players in enumerate((2, 3, 4, 5, 6, 7, 8, 4, 6), start=21)]
PLAYED = GAMES if SOAK else GAMES[::3]
"""The games of which many moments are looked at: every third, and all in a soak."""
SELDOM = (
    "fire_rods",
    "pay_bail",
    "play_card",
    "quarter_teleport",
    "revoke_waiver",
    "use_kidnapping",
    "waive_police",
)
"""Actions that are seldom possible: they need a hand of cards, a whole quarter, a service of the bar, a costly
weapon, or a table with a bail."""


@cache
def played(players: int, seed: int) -> GameInMemory[Negopoly]:
    """A simulated game, played to its end."""
    series = Series(
        rulebook="negopoly", games=1, players=players, seed=seed, strategies=("plain", "random"), tables="varied"
    )
    game: GameInMemory[Negopoly] = game_of(series, 0).game
    return game


class Moment:
    """A game right after an action, as known then, with the possible actions."""

    def __init__(self, game: GameInMemory[Negopoly], number: int, chance: Random) -> None:
        self.state = game.past.state_then(number)
        self.at = game.journal[number - 1].recorded_at
        self.number = number
        self.chance = chance

    def viewers(self) -> Iterator[tuple[str | None, Viewer]]:
        """The banker, for themselves and for a player; an awaited seat, and another seat."""
        seats = sorted(self.state.seats)
        yield None, Viewer("banker")
        yield self.chance.choice(seats), Viewer("banker")
        for seat in dict.fromkeys((*RULEBOOK.screen.awaited(self.state), self.chance.choice(seats))):
            yield seat, Viewer("player", seat)

    def moves(self, seat: str | None, viewer: Viewer) -> dict[str, list[Move]]:
        """The listed moves, by kind."""
        found: dict[str, list[Move]] = {}
        for move in moves(RULEBOOK, self.state, seat or "", RULEBOOK.accounts.purse(seat or ""), viewer, self.at):
            found.setdefault(move.kind, []).append(move)
        return found

    def asked(self, seat: str | None, viewer: Viewer, action: Action) -> Decision | None:
        """The result of an action; None when it is refused."""
        request = Request(action=action, seat=seat, by=viewer.seat or "banker", at=self.at)
        try:
            return decide(RULEBOOK, self.state, request, chance=Random(1))
        except Refusal:
            return None


def action_of(kind: str, params: dict[str, Any]) -> Action | None:
    """The action with these parameters; None when they are malformed or correct the past."""
    try:
        action = RULEBOOK.codec.action(kind, msgspec.json.encode(params))
        return action if action.correction_request() is None else None
    except Refusal:
        return None


def chosen(action: Action, free: tuple[str, ...]) -> dict[str, Any]:
    """The fixed parameters of a move: all except free ones and draws."""
    plain = msgspec.to_builtins(action)
    return {name: value for name, value in plain.items() if name not in free and name not in DRAWN}


def is_covered(
    moment: Moment, seat: str | None, viewer: Viewer, action: Action, offered: list[tuple[Move, Action]]
) -> bool:
    """Whether one of the moves is this action, apart from free parameters, or has exactly the same result."""
    if any(chosen(action, move.free) == chosen(ready, move.free) for move, ready in offered):
        return True
    came = moment.asked(seat, viewer, action)
    others = (moment.asked(seat, viewer, ready) for _, ready in offered)
    return came is not None and any(other is not None and other.events == came.events for other in others)


def check(
    moment: Moment,
    seat: str | None,
    viewer: Viewer,
    kind: str,
    listed: list[Move],
    attempts: int,
    done: Sequence[dict[str, Any]] = (),
) -> tuple[int, int]:
    """Check that every move of this kind is accepted, and that no other action of this kind is.

    The other actions are: `done`, parameters that were accepted at this moment; this many at random, or all; and
    variants of a move, or of `done`, with one value changed. Returns the numbers of tried and of accepted actions.
    """
    who = f"after {moment.number}, {seat} ({viewer.role})"
    offered = [(move, RULEBOOK.codec.action(kind, msgspec.json.encode(move.params))) for move in listed]
    for move, ready in offered:
        legal = ready.correction_request() is not None or moment.asked(seat, viewer, ready) is not None
        assert legal, f"{who} is offered {move}, which is refused"
    if kind == "correct":
        return 0, 0  # corrections are tried on their journal, below
    fuzz, action = Fuzz(moment.state, moment.chance), RULEBOOK.actions[kind]
    asked = [*done, *fuzz.of(action, attempts)]
    if bases := [*done, *(move.params for move in listed)]:
        each = -(-attempts // len(bases))
        asked += (params for base in bases for params in fuzz.near(action, base, each))
    tried = accepted = 0
    for params in asked:
        wanted = action_of(kind, params)
        if wanted is None:
            continue
        tried += 1
        if moment.asked(seat, viewer, wanted) is None:
            continue
        accepted += 1
        assert is_covered(moment, seat, viewer, wanted, offered), (
            f"{who} may {kind} {params}, and is offered only {[move.params for move in listed]}"
        )
    return tried, accepted


@pytest.mark.parametrize(("players", "seed"), PLAYED)
def test_moves_are_all_there_is(players: int, seed: int, record_property: pytest.RecordProperty) -> None:
    """For the banker and several seats at many moments: no move is refused, and nothing else is accepted.

    And once it has started, whoever the game waits for may do something in it.
    """
    game = played(players, seed)
    chance = Random(seed)
    tried, accepted = Counter[str](), Counter[str]()
    for number in sorted(chance.sample(range(2, game.state.version), min(MOMENTS, game.state.version - 2))):
        moment = Moment(game, number, chance)
        for seat, viewer in moment.viewers():
            listed = moment.moves(seat, viewer)
            for kind, action in RULEBOOK.actions.items():
                if open_to(action, viewer):
                    asked, given = check(moment, seat, viewer, kind, listed.get(kind, []), ATTEMPTS)
                    tried[kind] += asked
                    accepted[kind] += given
            if moment.state.phase == "play" and viewer.seat in RULEBOOK.screen.awaited(moment.state):
                assert any(not RULEBOOK.actions[kind].docket for kind in listed), f"{seat} is stuck after {number}"
    assert len(+tried) > 70, "almost every kind of action can be asked for"
    assert len(+accepted) > 15, "many of them are possible at some moment"
    record_property("accepted", dict(accepted))


@pytest.mark.parametrize(("players", "seed"), PLAYED)
def test_what_somebody_did_was_listed_with_all_its_like(
    players: int, seed: int, record_property: pytest.RecordProperty
) -> None:
    """Right before one action of every kind in a journal: it was offered, and whatever there was like it."""
    game = played(players, seed)
    chance = Random(seed)
    done: dict[str, list[int]] = {}
    for entry in game.journal[1:]:
        if entry.by != "system" or "banker" in RULEBOOK.actions[entry.kind].by:
            done.setdefault(entry.kind, []).append(entry.number)
    accepted = Counter[str]()
    for kind, numbers in done.items():
        entry = game.journal[chance.choice(numbers) - 1]
        moment = Moment(game, entry.number - 1, chance)
        moment.at = entry.recorded_at
        viewer = Viewer("player", entry.seat) if entry.by == entry.seat else Viewer("banker")
        listed = moment.moves(entry.seat, viewer).get(kind, [])
        assert listed, f"{entry.seat} did {kind} as {entry.number}, and was not offered any"
        given = msgspec.json.decode(entry.params)
        _, accepted[kind] = check(moment, entry.seat, viewer, kind, listed, MANY, [given])
        assert accepted[kind] or kind == "correct", f"{entry.seat} did {kind} {given} as {entry.number}"
    record_property("accepted", dict(accepted))


def favoured(state: Negopoly, seat: str, chance: Random) -> Negopoly:
    """The state after giving the seat what players seldom have.

    Four cards, a kidnapping and a weapon; Orange, with an instruction to the police; Bleu foncé, with the start of
    the turn at home; and in another player's turn a stay in prison, with a bail.
    """
    given = state.copy()

    def hand_over(thing: str) -> None:
        holder = given.holdings.holder(thing) or BANK
        if holder != player(seat):
            given.holdings.post(Posting(thing, 1, holder, player(seat)))

    cards = [commodity(card.id) for card in decks.cards_of(given) if card.keep]
    for card in chance.sample(cards, min(4, len(cards))):
        hand_over(card)
    hand_over(RODS)
    hand_over(KIDNAPPING)
    given.services[seat] = given.services.get(seat, 0) + 1
    for quarter in ("orange", "bleu_fonce"):
        given.quarters[quarter] = seat
        for title in QUARTERS[quarter]:
            hand_over(deed(title))
            if given.holdings.of(attached(title), "mortgage"):
                given.holdings.post(Posting("mortgage", 1, attached(title), BANK))
    given.police_orders = {(other, chance.choice(("check", "arrest"))) for other in sorted(given.seats)}
    turn = given.turn
    assert turn is not None
    if turn.seat == seat:
        home = chance.choice(QUARTERS["bleu_fonce"])
        if given.holdings.of(attached(home), "squat"):
            given.holdings.post(Posting("squat", 1, attached(home), BANK))
        fresh = Turn(seat=seat, started_at=turn.started_at, ends_at=turn.ends_at, paused_at=turn.paused_at)
        standing = chance.choice((turn, fresh))
        given.turn = replace(standing, started_on=square_of(given, home).index)
    else:
        given.settings = replace(given.settings, prison_bail=30)
        given.positions[seat] = index_of(given, "prison")
        given.missed[seat] = 1
    return given


@pytest.mark.soak
def test_what_is_seldom_possible_is_listed_with_all_its_like(record_property: pytest.RecordProperty) -> None:
    """In the middle of games a seat is given what it takes: all it may do with that is listed, and no more."""
    chance = Random(7)
    accepted = Counter[str]()
    for players, seed in GAMES:
        game = played(players, seed)
        under_way = range(3 * players, game.state.version)
        for number in sorted(chance.sample(under_way, min(4, len(under_way)))):
            moment = Moment(game, number, chance)
            if moment.state.turn is None:
                continue
            others = [one for one in in_play(moment.state) if one != moment.state.turn.seat]
            seat = moment.state.turn.seat if chance.random() < 0.5 or not others else chance.choice(others)
            moment.state = favoured(moment.state, seat, chance)
            for viewer in (Viewer("player", seat), Viewer("banker")):
                listed = moment.moves(seat, viewer)
                for kind in SELDOM:
                    accepted[kind] += check(moment, seat, viewer, kind, listed.get(kind, []), MANY)[1]
    record_property("accepted", dict(accepted))
    assert all(accepted[kind] >= 5 for kind in SELDOM), accepted


def test_the_correction_that_is_offered_is_accepted() -> None:
    """The banker may always take back the last action: also a correction, a ruling, and the end of the game."""
    series = Series(
        rulebook="negopoly", games=1, players=3, seed=40, strategies=("plain", "random"), tables="varied"
    )
    game = game_of(series, 0).game
    banker = Viewer("banker")
    for taken_back in range(6):
        before = len(game.state.corrections)
        offered = [
            move
            for move in moves(RULEBOOK, game.state, "", "", banker, game.state.last_at)
            if move.kind == "correct"
        ]
        assert len(offered) == 1, f"after {taken_back} corrections"
        action = RULEBOOK.codec.action("correct", msgspec.json.encode(offered[0].params))
        game.perform(action, None, "banker", game.state.last_at)
        assert len(game.state.corrections) == before + 1
