"""Two games at once that differ only in facts that are hidden from one viewer.

Bots play the first game. In the other one everything is the same, except that cards may differ which the viewer
does not see: Corruption that others draw, give or discard, their Objectives, the Agents set aside (for a
spectator), the Necro card that another player looks at. This module states again what a viewer may know, by the
register's table of visibility. An action counts only if the viewer may know the same about it in both games. Where
the table reveals what differs (a raid, the next Necro card), the other game is begun anew with the first one's
cards, and comes to differ again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import timedelta
from random import Random
from typing import Any

import msgspec

from ledger.kernel.arbitration.remedies import HoldingsAdjusted
from ledger.kernel.deciding.in_memory import GameInMemory
from ledger.kernel.facts.events import Amendment, Event
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.facts.state import Seat
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.entry import Entry
from ledger.kernel.journal.timeline import Timeline
from ledger.kernel.rules.actions import Choice
from ledger.kernel.rules.bots import BANKER, WHIM, Bot
from ledger.kernel.rules.opening import Opening
from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.bots import STRATEGIES
from ledger.rulebooks.virtual_revolution.rulebook import RULEBOOK
from ledger.rulebooks.virtual_revolution.table.state import VirtualRevolution
from ledger.rulebooks.virtual_revolution.table.terms import OBJECTIVES, hand
from tests.harness.playing import NOON
from tests.harness.twins import Draw, Teller

SEATS = ("ana", "bob", "cid")
STYLES = ("schemer", "recruiter", "creator")
"""The strategies of the seats."""
TRIES = 8
"""How many choices of one kind a bot tries."""
VARIANTS = 5
"""How often the other game tries to differ in one action."""

Pair = tuple[dict[str, Any], dict[str, Any]]
History = Callable[[], Timeline]
"""The effective history before an action, for those few that have to be compared with it."""


class Done(msgspec.Struct, frozen=True):
    """An action in both games: the actor, the seat, the parameters and the draws of each game.

    The draws are of the action and of each one that it has made due at once.
    """

    by: str
    seat: str | None
    kind: str
    params: Pair
    draws: tuple[list[Draw], list[Draw]]


# ----------------------------------------------------------------------------------------------
# The knowledge of a viewer
# ----------------------------------------------------------------------------------------------

_HIDDEN: Mapping[str, Callable[[Any], tuple[str, ...]]] = {
    "CorruptionDrawn": lambda event: (event.seat,),
    "CorruptionDiscarded": lambda event: (event.seat,),
    "CorruptionLost": lambda event: (event.seat,),
    "CorruptionGiven": lambda event: (event.seat, event.to),
    "CorruptionExchanged": lambda event: (event.seat, event.of),
    "CorruptionReshuffled": lambda _: (),
    "HandShown": lambda event: (event.seat, event.of),
    "NecroPeeked": lambda event: (event.seat,),
    "NecroDeckPrepared": lambda _: (),
    "AgentsSetAside": lambda _: SEATS,
    "ObjectivesDealt": lambda event: (event.seat,),
    "ObjectiveChosen": lambda event: (event.seat,),
    "DrawsPutBack": lambda _: (),
}
"""The events with secrets, and the seats that know them."""
_UNTOLD = frozenset({"PlacesFollowed", "DrawsPutBack"})
"""The events of which nobody else knows."""
_SECRET_FIELDS = frozenset({"card", "taken", "given", "choice", "tops"})


def known(event: Event, viewer: str | None, history: History) -> Any:
    """Everything that a viewer (None: a spectator) may know of an event after this history; None for nothing."""
    if isinstance(event, HistoryCorrected):
        amended = [
            (one.number, one.insert, now)
            for one in event.amendments
            for before, now in [_of_an_amendment(one, viewer, history)]
            if before != now
        ]
        inserted = [
            (one.after, one.action.kind, _known(map(RULEBOOK.codec.event, one.action.events), viewer, history))
            for one in event.insertions
        ]
        return event.reason, amended, inserted
    kind = type(event).__name__
    if isinstance(event, HoldingsAdjusted):
        return [kind, *(_move_known(one, viewer) for one in event.postings)]
    owners = _HIDDEN.get(kind)
    if owners is not None and viewer not in owners(event):
        if kind in _UNTOLD:
            return None
        plain = {
            name: len(value) if name == "cards" else value
            for name, value in _fields(event)
            if name not in _SECRET_FIELDS
        }
        return [kind, plain]
    return None if kind in _UNTOLD else [kind, dict(_fields(event))]


def _fields(event: Event) -> Iterator[tuple[str, Any]]:
    """What an event tells. Its postings follow from it."""
    for name in event.__struct_fields__:
        if name != "postings":
            yield name, msgspec.to_builtins(getattr(event, name))


def _move_known(one: Any, viewer: str | None) -> list[Any]:
    """A move of a ruling: a card between two hidden places is a card."""
    hidden = ("hand:", "objectives:", "deck:", "discard:corruption")
    ends = (one.source, one.target)
    mine = any(account in {f"hand:{viewer}", f"objectives:{viewer}"} for account in ends)
    what = "card" if not mine and all(account.startswith(hidden) for account in ends) else one.commodity
    return [what, one.amount, *ends]


def _known(events: Iterable[Event], viewer: str | None, history: History) -> list[Any]:
    return [told for event in events if (told := known(event, viewer, history)) is not None]


def _of_an_amendment(one: Amendment, viewer: str | None, history: History) -> tuple[list[Any], list[Any]]:
    """Everything that a viewer may know of an action's events before and after a correction."""
    standing = history().entry(one.number, one.insert)
    assert standing is not None
    before = standing.events if standing.counts else ()
    now = {"restated": tuple(map(RULEBOOK.codec.event, one.events)), "effective": standing.recorded}
    return _known(before, viewer, history), _known(now.get(one.status, ()), viewer, history)


# ----------------------------------------------------------------------------------------------
# Playing both
# ----------------------------------------------------------------------------------------------

World = GameInMemory[VirtualRevolution]


class Twins:
    """Two games for one viewer (None: a spectator); `script` holds the actions in both.

    A `covered` viewer is the banker, who plays that seat. With `mending`, the banker rules and corrects, too.
    """

    def __init__(
        self,
        viewer: str | None,
        seed: int,
        *,
        covered: bool = False,
        mending: bool = True,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self.viewer = viewer
        self.seed = seed
        self.chance = Random(seed)
        self.mending = mending
        self.covered = covered
        self.settings = {**(settings or {}), **({"banker_plays": viewer} if covered else {})}
        self.script: list[Done] = []
        self.at = NOON
        self.turned_back = 0
        """The number of restarts of the second game."""
        self.worlds: tuple[World, World] = (self._opened("one"), self._opened("other"))
        self.minds: dict[str, Bot] = {
            seat: STRATEGIES[STYLES[(place + seed) % len(STYLES)]] for place, seat in enumerate(SEATS)
        }
        self.minds[BANKER] = STRATEGIES[BANKER]

    def _opened(self, name: str) -> World:
        opening = Opening(
            players=tuple(Seat(seat, seat.capitalize()) for seat in SEATS),
            settings=msgspec.convert(self.settings, RULEBOOK.settings),
            dice="service",
        )
        return GameInMemory(RULEBOOK, opening, name=name, at=NOON, chance=Teller(self.seed))

    @property
    def states(self) -> tuple[VirtualRevolution, VirtualRevolution]:
        """Both states."""
        one, other = self.worlds
        return one.state, other.state

    @property
    def state(self) -> VirtualRevolution:
        """The state of the first game, for facts that are the same in both."""
        return self.worlds[0].state

    @property
    def ended(self) -> bool:
        """Whether the games have ended."""
        return self.state.ended

    def differ(self) -> bool:
        """Whether the hidden facts differ."""
        one, other = self.states
        return one.holdings != other.holdings or one.seen_necro != other.seen_necro

    def both(self, by: str, seat: str | None, kind: str, params: dict[str, Any]) -> bool:
        """Perform an action with the same parameters in both games."""
        return self.attempt(by, seat, kind, params, lambda: [params])

    def play(self, actions: int) -> None:
        """Perform this many actions; fewer when the game ends."""
        for _ in range(actions):
            if self.ended:
                return
            self.at += timedelta(seconds=self.chance.randint(1, 40))
            if self._act(STRATEGY) or self._turn_back() or self._act(ANY):
                continue
            return

    # One action ---------------------------------------------------------------------------------

    def attempt(
        self,
        by: str,
        seat: str | None,
        kind: str,
        params: dict[str, Any],
        others: Callable[[], Iterable[dict[str, Any]]],
    ) -> bool:
        """Perform an action in both games, unless one refuses it or the viewer may see a difference.

        `others` are parameters for the other game that the viewer cannot tell from these.
        """
        one, other = self.worlds
        before = one.state, len(one.journal)
        try:
            self._perform(one, by, seat, kind, params, [])
        except Refusal:
            _undo(one, *before)
            return False
        drawn = [dict(entry.draws) for entry in one.journal[before[1] :]]
        told = self._told(one, before[1])
        start = other.state, len(other.journal)
        for meant, draws in self._ways(params, drawn, others):
            try:
                self._perform(other, by, seat, kind, meant, draws)
            except Refusal:
                _undo(other, *start)
                continue
            if self._told(other, start[1]) == told:
                made = [dict(entry.draws) for entry in other.journal[start[1] :]]
                self.script.append(Done(by, seat, kind, (params, meant), (drawn, made)))
                return True
            _undo(other, *start)
        _undo(one, *before)
        return False

    def _ways(
        self, params: dict[str, Any], drawn: list[Draw], others: Callable[[], Iterable[dict[str, Any]]]
    ) -> Iterator[tuple[dict[str, Any], list[Draw]]]:
        """Parameters and draws for the other game: different ones first."""
        meant = list(others())
        for _ in range(VARIANTS if any(drawn) else 0):
            yield self.chance.choice(meant or [params]), [self._varied(draw) for draw in drawn]
        for one in meant:
            yield one, drawn
        yield params, drawn

    def _varied(self, drawn: Draw) -> Draw:
        """The draws of an action with some other cards."""
        found: Draw = {}
        for name, cards in drawn.items():
            left = decks.held_in(self.worlds[1].state, decks.pile(name.partition(":")[0]))
            kept: list[int | str] = []
            for place, card in enumerate(cards):
                others = [one for one in left if one not in kept and one not in cards]
                # Everybody keeps an Objective that both games have: one is chosen and shown in the end.
                stays = name == OBJECTIVES and place % 2
                varies = others and not stays and self.chance.random() < 0.4
                kept.append(self.chance.choice(others) if varies else card)
            found[name] = kept
        return found

    def _perform(
        self, world: World, by: str, seat: str | None, kind: str, params: dict[str, Any], draws: Iterable[Draw]
    ) -> None:
        assert isinstance(world.chance, Teller)
        world.chance.told = deque(draws)
        world.perform(RULEBOOK.codec.action(kind, msgspec.json.encode(params)), seat, by, self.at)

    def _told(self, world: World, after: int) -> list[Any]:
        """What the viewer may know of the actions after this number."""
        earlier = world.journal[:after]

        def history() -> Timeline:
            return Timeline(earlier, RULEBOOK.codec.event)

        return [_of_an_entry(entry, self.viewer, history) for entry in world.journal[after:]]

    # What is done -------------------------------------------------------------------------------

    def _act(self, minds: Callable[[Twins, str], Bot]) -> bool:
        """Let a seat, or the banker, act. False when nothing is left that looks the same to the viewer."""
        awaited = [seat for seat in RULEBOOK.screen.awaited(self.state) if seat in self.minds]
        others = [by for by in self.minds if by not in awaited]
        self.chance.shuffle(awaited)
        self.chance.shuffle(others)
        if self.mending and self.state.stage != "setup" and self.chance.random() < 0.04 and self._swap():
            return True
        return any(self._of(minds(self, by), by) for by in (*awaited, *others))

    def _of(self, mind: Bot, by: str) -> bool:
        """Let one act. Whoever acts knows the first game only."""
        state = self.state
        role = BANKER if by == BANKER else "player"
        seat = self.chance.choice(SEATS) if by == BANKER else by
        open_kinds = [
            kind
            for kind, action in RULEBOOK.actions.items()
            if role in action.by and not (action.docket and not (self.mending and self.chance.random() < 0.05))
        ]
        for kind in mind.kinds(state, seat, by, open_kinds, self.chance):
            offered = list(RULEBOOK.actions[kind].choices(state, seat))
            for choice in mind.choices(state, seat, kind, offered, self.chance)[:TRIES]:
                if self.attempt(
                    by, seat, kind, choice.params, lambda kind=kind, one=choice: self._alike(seat, kind, one)
                ):
                    return True
        return False

    def _alike(self, seat: str, kind: str, choice: Choice) -> list[dict[str, Any]]:
        """What the seat may do in the other game that differs in hidden cards only; in random order."""
        if seat == self.viewer or _masked(choice.params) == choice.params:
            return [choice.params]
        if kind == "choose_objective" and self.chance.random() < 0.8:
            return [choice.params]  # else the games part when all Objectives chosen are revealed
        wanted = _masked(choice.params)
        offered = RULEBOOK.actions[kind].choices(self.worlds[1].state, seat)
        found = [one.params for one in offered if _masked(one.params) == wanted]
        self.chance.shuffle(found)
        return found[:VARIANTS]

    def _swap(self) -> bool:
        """A ruling that swaps a card of one hand for a card of another; other cards in each game.

        A banker who plays names no such card.
        """
        if self.covered:
            return False
        able = [
            seat
            for seat in SEATS
            if seat != self.viewer and all(decks.held_in(state, hand(seat)) for state in self.states)
        ]
        if len(able) < 2:
            return False
        pair = self.chance.sample(able, 2)
        one, other = (self._swapping(state, *pair) for state in self.states)
        return self.attempt(BANKER, None, "rule", one, lambda: [other])

    def _swapping(self, state: VirtualRevolution, giver: str, taker: str) -> dict[str, Any]:
        given, taken = (self.chance.choice(decks.held_in(state, hand(seat))) for seat in (giver, taker))
        postings = [
            {"commodity": decks.commodity(given), "amount": 1, "from": hand(giver), "to": hand(taker)},
            {"commodity": decks.commodity(taken), "amount": 1, "from": hand(taker), "to": hand(giver)},
        ]
        remedies = [{"op": "adjust", "postings": postings, "reason": "dealt wrongly"}]
        return {"finding": "they swap a card", "remedies": remedies}

    # Beginning anew -----------------------------------------------------------------------------

    def _turn_back(self) -> bool:
        """Begin the other game anew with the first one's cards, but with its own Objectives if that goes."""
        if not self.differ():
            return False
        for keeps in (True, False):
            world = self._opened("other")
            script = [self._with_the_first(done, keeps) for done in self.script]
            if self._replayed(world, script) and world.journal != self.worlds[1].journal:
                one, other = self.worlds[0], world
                self.worlds, self.script = (one, other), script
                self.turned_back += 1
                if self._act(STRATEGY):
                    return True
        return False

    def _with_the_first(self, done: Done, keeps: bool) -> Done:
        """The action with the first game's cards, with its own Objectives where it keeps them."""
        if keeps and done.kind == "deal_objectives":
            return done
        return msgspec.structs.replace(done, params=(done.params[0],) * 2, draws=(done.draws[0],) * 2)

    def _replayed(self, world: World, script: Iterable[Done]) -> bool:
        """Play a script in the other game. False where it does not go."""
        try:
            for done, entry in zip(script, self.requested(), strict=True):
                self._replay(world, done, entry)
        except Refusal:
            return False
        return all(
            _of_an_entry(one, self.viewer, lambda: Timeline(world.journal, RULEBOOK.codec.event))
            == _of_an_entry(other, self.viewer, lambda: Timeline(world.journal, RULEBOOK.codec.event))
            for one, other in zip(self.worlds[0].journal, world.journal, strict=True)
            if one.kind not in {"correct", "rule"}
        )

    def requested(self) -> list[Entry]:
        """The entries of the first game that were asked for, without what they made due."""
        found, at = [], 1
        for done in self.script:
            found.append(self.worlds[0].journal[at])
            at += len(done.draws[0])
        return found

    @staticmethod
    def _replay(world: World, done: Done, entry: Entry) -> None:
        assert isinstance(world.chance, Teller)
        world.chance.told = deque(done.draws[1])
        action = RULEBOOK.codec.action(done.kind, msgspec.json.encode(done.params[1]))
        world.perform(action, done.seat, done.by, entry.recorded_at)


def differing(viewer: str | None, actions: int, **how: Any) -> Twins:
    """Two games that differ after so many actions: those of the first seed with which they do."""
    for seed in range(40):
        twins = Twins(viewer, seed, **how)
        twins.play(actions - twins.state.version)
        if twins.differ():
            return twins
    raise AssertionError("no two games differ")


def STRATEGY(twins: Twins, by: str) -> Bot:  # noqa: N802 - a constant choice
    """Everybody plays in their own style."""
    return twins.minds[by]


def ANY(twins: Twins, by: str) -> Bot:  # noqa: N802 - a constant choice
    """Everybody does anything."""
    return WHIM


def _undo(world: World, state: VirtualRevolution, entries: int) -> None:
    world.state = state
    del world.journal[entries:]


def _of_an_entry(entry: Entry, viewer: str | None, history: History) -> list[Any]:
    events = map(RULEBOOK.codec.event, entry.events)
    return [entry.kind, entry.by, entry.seat, _known(events, viewer, history)]


def _masked(params: Any) -> Any:
    """Parameters without the Corruption cards and Objectives that they name."""
    found = RULEBOOK.blank().edition.pieces
    if isinstance(params, dict):
        return {name: _masked(value) for name, value in params.items()}
    if isinstance(params, list | tuple):
        return [_masked(value) for value in params]
    if isinstance(params, str):
        card = params.removeprefix("card:")
        return "?" if card in found.corruptions or card in found.objectives else params
    return params
