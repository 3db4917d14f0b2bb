"""Two games at once, of any rulebook, that differ only in facts hidden from one viewer.

Bots play the first game. In the other one everything is the same, except that a seat may do something else where
the viewer is shown the same events of it. So the two differ in what events hide; the attacker of `secrecy` looks
whether anything else (counts, orders, gaps, amounts, moves) tells them apart.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest
from flask.testing import FlaskClient

from api.rest.application import Config, create_app
from ledger.kernel.deciding.in_memory import GameInMemory
from ledger.kernel.dice.chance import Chance
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.facts.state import Seat
from ledger.kernel.journal.entry import Entry
from ledger.kernel.journal.sight import admits, current_viewer, view_event
from ledger.kernel.rules import draft as drafts
from ledger.kernel.rules.bots import BANKER, WHIM, Bot
from ledger.kernel.rules.draws import Draws
from ledger.kernel.rules.opening import Opening
from ledger.kernel.rules.rulebook import Rulebook
from ledger.service import Ledger
from ledger.store.store import Store
from tests.harness.overhearing import OverhearingClient
from tests.harness.playing import NOON
from tests.harness.secrecy import Chair
from tests.tables.ledgers import Clock
from tests.tables.over_http import Caller, HttpTable

TRIES = 6
"""How many choices of one kind a bot tries, and how many the other game tries."""

Draw = dict[str, list[int | str]]
"""What an action has drawn, by the name of the draw."""
World = GameInMemory[Any]


class Teller(Random):
    """A chance that has been told what is drawn: by each action in turn."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.told: deque[Draw] = deque()


class ToldDraws(Draws):
    """The draws of an action, which come as they were told."""

    def __init__(
        self,
        recorded: Mapping[str, Sequence[int | str]] | None = None,
        chance: Chance | None = None,
        **options: Any,
    ) -> None:
        if isinstance(chance, Teller) and chance.told:
            recorded = {**chance.told.popleft(), **(recorded or {})}
        super().__init__(recorded, chance, **options)


class Done(NamedTuple):
    """An action in both games: the actor, the seat, and the kind, parameters and draws of each game."""

    by: str
    seat: str | None
    kinds: tuple[str, str]
    params: tuple[dict[str, Any], dict[str, Any]]
    draws: tuple[list[Draw], list[Draw]]


class Twins:
    """Two games for one viewer (None: a spectator); `script` holds the actions in both."""

    def __init__(
        self,
        rulebook: Rulebook[Any],
        seats: Sequence[str],
        viewer: str | None,
        seed: int,
        settings: Mapping[str, Any] | None = None,
        *,
        rare: frozenset[str] = frozenset(),
        lies_open: Callable[[Any, str | None], Any] = lambda *_: None,
    ) -> None:
        self.rulebook = rulebook
        self.rare = rare
        """The kinds of action that leave the others time: one in ten is tried."""
        self.lies_open = lies_open
        """What the viewer (None: a spectator) knows of a state, whatever is hidden of the events before it."""
        self.seats = seats
        self.viewer = Viewer("spectator") if viewer is None else Viewer("player", viewer)
        self.settings = dict(settings or {})
        self.chance = Random(seed)
        self.script: list[Done] = []
        opening = Opening(
            players=tuple(Seat(seat, seat.capitalize()) for seat in seats),
            settings=msgspec.convert(self.settings, rulebook.settings),
            dice="service",
        )
        self.worlds: tuple[World, World] = tuple(  # type: ignore[assignment]
            GameInMemory(rulebook, opening, name=name, at=NOON, chance=Teller(seed)) for name in ("one", "other")
        )
        bots = dict(rulebook.simulation.strategies)
        banker = bots.pop(BANKER, WHIM)
        self.minds: dict[str, Bot] = {seat: self.chance.choice(list(bots.values())) for seat in seats}
        self.minds[BANKER] = banker
        self._unseen: set[str] = set()
        """The kinds of actions of which the viewer saw nothing."""

    def differ(self) -> bool:
        """Whether something hidden differs."""
        return any(done.kinds[0] != done.kinds[1] or done.params[0] != done.params[1] for done in self.script)

    def play(self, actions: int) -> None:
        """Perform this many actions; fewer when the game ends."""
        for _ in range(actions):
            if self.worlds[0].state.ended or not self._act():
                return

    def _act(self) -> bool:
        state = self.worlds[0].state
        awaited = [seat for seat in self.rulebook.screen.awaited(state) if seat in self.minds]
        others = [by for by in self.minds if by not in awaited]
        self.chance.shuffle(awaited)
        self.chance.shuffle(others)
        order = [*awaited, *others] if self.chance.random() < 0.6 else [*others, *awaited]
        return any(self._of(mind(by), by) for mind in (self.minds.__getitem__, lambda _: WHIM) for by in order)

    def _of(self, mind: Bot, by: str) -> bool:
        """Let one act. Whoever acts knows the first game only."""
        state = self.worlds[0].state
        seat = self.chance.choice(self.seats) if by == BANKER else by
        role = BANKER if by == BANKER else "player"
        kinds = [
            kind
            for kind, action in self.rulebook.actions.items()
            if role in action.by and not action.docket and (kind not in self.rare or self.chance.random() < 0.1)
        ]
        for kind in mind.kinds(state, seat, by, kinds, self.chance):
            if kind == "publish_rulings":  # the games would see each other's
                continue
            offered = list(self.rulebook.actions[kind].choices(state, seat))
            for choice in mind.choices(state, seat, kind, offered, self.chance)[:TRIES]:
                if self._attempt(by, seat, kind, choice.params):
                    return True
        return False

    def _attempt(self, by: str, seat: str, kind: str, params: dict[str, Any]) -> bool:
        """Perform an action in both games, unless one refuses it or the viewer may see a difference."""
        one, other = self.worlds
        start, before = len(one.journal), one.state
        shown = self._performed(one, by, seat, kind, params, [])
        if shown is None:
            return False
        drawn = [dict(entry.draws) for entry in one.journal[start:]]
        unseen = not any(shown[:-1])
        self._unseen |= {kind} if unseen else set()
        for meant in (*self._others(by, seat, kind, params, unseen=unseen), (kind, params)):
            if self._performed(other, by, seat, *meant, drawn, wanted=shown) is not None:
                made = [dict(entry.draws) for entry in other.journal[start:]]
                self.script.append(Done(by, seat, (kind, meant[0]), (params, meant[1]), (drawn, made)))
                return True
        one.state = before
        del one.journal[start:]
        return False

    def _others(
        self, by: str, seat: str, kind: str, params: dict[str, Any], *, unseen: bool
    ) -> Sequence[tuple[str, dict[str, Any]]]:
        """What the seat may do in the other game instead, in random order."""
        if seat == self.viewer.seat:
            return ()
        role = BANKER if by == BANKER else "player"
        found = [
            (each, choice.params)
            for each in {kind, *(self._unseen if unseen else ())}
            if role in self.rulebook.actions[each].by
            for choice in self.rulebook.actions[each].choices(self.worlds[1].state, seat)
            if (each, choice.params) != (kind, params)
        ]
        found.sort(key=str)
        return self.chance.sample(found, min(TRIES, len(found)))

    def _performed(
        self,
        world: World,
        by: str,
        seat: str,
        kind: str,
        params: dict[str, Any],
        draws: list[Draw],
        wanted: list[Any] | None = None,
    ) -> list[Any] | None:
        """Perform an action in one game, and return what the viewer is shown of it. None if it is refused, or not
        as wanted.
        """
        start, before = len(world.journal), world.state
        assert isinstance(world.chance, Teller)
        world.chance.told = deque(draws)
        try:
            world.perform(self.rulebook.codec.action(kind, msgspec.json.encode(params)), seat, by, NOON)
        except Refusal:
            shown = None
        else:
            shown = [self._shown(world, entry) for entry in world.journal[start:]]
            shown.append(self.lies_open(world.state, self.viewer.seat))
        if shown is None or (wanted is not None and shown != wanted):
            world.state = before
            del world.journal[start:]
            return None
        return shown

    def _shown(self, world: World, entry: Entry) -> Any:
        """What the viewer is shown of an entry; None for nothing."""
        events = [self.rulebook.codec.event(event) for event in entry.events]
        viewer = current_viewer(world.state, self.viewer)
        seen = [one for event in events if (one := view_event(world.state, event, viewer)) is not None]
        if not seen:
            return None
        whole = all(admits(event, viewer) for event in events)
        params = entry.params if whole else self.rulebook.codec.public_params(entry.kind, bytes(entry.params))
        return [entry.kind, entry.by, entry.seat, whole, bytes(params or b""), msgspec.to_builtins(seen)]


# Over HTTP ----------------------------------------------------------------------------------------------


class _Overhearing(OverhearingClient):
    """Listens to the streams of the bankers, too."""

    bankers_listen = True


Serve = Callable[[Rulebook[Any]], tuple[FlaskClient, Teller]]


@pytest.fixture(autouse=True)
def told_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw the values that the test has prepared."""
    monkeypatch.setattr(drafts, "Draws", ToldDraws)


@pytest.fixture(scope="module")
def serving(store: Store) -> Serve:
    """A function that serves a rulebook on this module's database, with its chance. The clock stands still."""

    @cache
    def serve(rulebook: Rulebook[Any]) -> tuple[FlaskClient, Teller]:
        chance = Teller(1)
        chance.seed()  # games of several tests have ids of their own
        ledger = Ledger(store, {rulebook.id: rulebook}, clock=Clock(), chance=chance)
        app = create_app(ledger, Config(requests_per_minute=None))
        app.test_client_class = _Overhearing
        return app.test_client(), chance

    return serve


def chairs(client: FlaskClient, chance: Teller, twins: Twins) -> tuple[Chair, Chair]:
    """The viewer at both games, played again through the API as they were played in memory."""
    assert isinstance(client, OverhearingClient)
    client.only = twins.viewer.seat or "spectator"
    one, other = (_chair(client, chance, twins, place) for place in (0, 1))
    return one, other


def _chair(client: FlaskClient, chance: Teller, twins: Twins, place: int) -> Chair:
    table = HttpTable.created(
        client, *twins.seats, rulebook=twins.rulebook.id, settings=twins.settings, dice="service"
    )
    for done in twins.script:
        chance.told = deque(done.draws[place])
        token = table.tokens["players"].get(done.by, table.tokens["banker"])
        seat = {"seat": done.seat} if done.by == BANKER else {}
        answer = Caller(client, table.game, token).act(done.kinds[place], params=done.params[place], **seat)
        assert answer.status_code == 201, answer.text
    chance.told.clear()
    state = twins.worlds[place].state
    assert table.version == state.version
    held = table.banker.get("state").json["accounts"]
    assert all(held.get(account, {}) == dict(balances) for account, balances in state.holdings.items() if balances)
    return Chair(
        client,
        table.game,
        table.tokens["players"].get(twins.viewer.seat, table.tokens["spectator"]),
        table.tokens["banker"],
    )
