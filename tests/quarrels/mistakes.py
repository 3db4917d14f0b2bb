"""Random mistakes of a banker, each as the one edit that corrects it.

A mistake is one that the banker could have made: the edited action is legal at its place. What becomes of the
actions after it is not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import dropwhile
from random import Random
from typing import Any

import msgspec
from msgspec.structs import fields

from ledger.kernel.deciding.decision import Decision, decide
from ledger.kernel.facts.edits import Drop, Edit, Insert, NewAction, Replace
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.journal.entry import Entry, body
from ledger.kernel.journal.timeline import TimelineEntry
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.bots import BANKER
from ledger.kernel.rules.draft import Request
from tests.quarrels.tables import Table

_TRIES = 40
"""How many places of the game are tried for one mistake."""
_CHOICES = 8
"""How many choices of one kind are tried at one place."""
_KINDS = 6
"""How many kinds of action are tried at one place."""


class Mistake(msgspec.Struct, frozen=True, kw_only=True):
    """A mistake: which kind of correction mends it, its edit, and where in the history that edit is."""

    kind: str
    edit: Edit
    number: int
    """The action that is edited, or after which another one is inserted."""
    text: str
    """The correction in words, for people."""


def mistakes(table: Table, count: int, chance: Random) -> list[Mistake]:
    """So many random mistakes, of each kind in turn. A kind that the game does not have is left out."""
    places = _Places(table, chance)
    makers: Mapping[str, Callable[[], Mistake | None]] = {
        "roll": places.another_roll,
        "drop": places.dropped,
        "insert": places.inserted,
        "choice": places.another_choice,
    }
    found: list[Mistake] = []
    left = [*makers]
    while left and len(found) < count:
        for kind in [*left]:
            mistake = makers[kind]()
            if mistake is None:
                left.remove(kind)
            elif len(found) < count:
                found.append(mistake)
    return found


KINDS = {
    "roll": "a roll replaced by another",
    "drop": "an action dropped",
    "insert": "an action inserted",
    "choice": "a seat's choice replaced",
}
"""The kinds of correction, with what they are."""


class _Places:
    """Where in a game mistakes may have been made: in play, by a seat or the banker, with something after it."""

    def __init__(self, table: Table, chance: Random) -> None:
        self.table = table
        self.rulebook = table.game.rulebook
        self.past = table.past
        self.chance = chance
        self.last = len(table.past.played)
        self.timeline = table.past.timeline()
        played = (one for one in self.timeline.effective() if self._is_play(one))
        self.played = [*dropwhile(lambda one: self.rulebook.screen.in_setup(self._before(one)), played)]
        self.thrown = [one for one in self.played if _dice_of(one.entry)]

    def another_roll(self) -> Mistake | None:
        """Replace the dice of an action by other dice, given as the action takes them."""
        for standing in self._some(self.thrown):
            entry = standing.entry
            name = self.chance.choice(sorted(_dice_of(entry)))
            thrown = entry.draws[name]
            faces = range(1, self._most(name) + 1)
            values = [self.chance.choice(faces) for _ in thrown]
            params = None if sorted(values) == sorted(thrown) else self._with_dice(standing, name, values)
            if params is not None:
                return Mistake(
                    kind="roll",
                    edit=Replace(entry.number, params),
                    number=entry.number,
                    text=f"{_named(entry)}: {name} {thrown} replaced by {values}",
                )
        return None

    def dropped(self) -> Mistake | None:
        """Drop an action."""
        for standing in self._some(self.played):
            entry = standing.entry
            return Mistake(
                kind="drop", edit=Drop(entry.number), number=entry.number, text=f"{_named(entry)} dropped"
            )
        return None

    def inserted(self) -> Mistake | None:
        """Insert an action that some bot would have wanted right after another."""
        for standing in self._some(self.played):
            number = standing.entry.number
            state = self.past.state_after(number)
            awaited = [one for one in self.rulebook.screen.awaited(state) if one in state.seats]
            seats = awaited if awaited and self.chance.random() < 0.7 else sorted(state.seats)
            seat = self.chance.choice(seats)
            for action in self._wanted(state, seat):
                request = Request(
                    action=action, seat=seat, by=BANKER, at=state.last_at, opens_as=f"{self.last + 1}-1"
                )
                if self._decided(state, request) is not None:
                    params = msgspec.json.decode(body(action))
                    return Mistake(
                        kind="insert",
                        edit=Insert(number, NewAction(kind=action.kind, params=params, seat=seat)),
                        number=number,
                        text=f"{action.kind} of {seat} {params} inserted after {_named(standing.entry)}",
                    )
        return None

    def another_choice(self) -> Mistake | None:
        """Replace what a seat chose by something else that it could have chosen."""
        for standing in self._some([one for one in self.played if one.entry.seat is not None]):
            entry, state = standing.entry, self._before(standing)
            seat = str(entry.seat)
            for action in self._chosen(state, seat, entry.kind):
                if body(action) == bytes(entry.params):
                    continue
                if self._decided(state, self._again(standing, action)) is not None:
                    params = msgspec.json.decode(body(action))
                    return Mistake(
                        kind="choice",
                        edit=Replace(entry.number, params),
                        number=entry.number,
                        text=f"{_named(entry)} {bytes(entry.params).decode()} replaced by {params}",
                    )
        return None

    def _is_play(self, standing: TimelineEntry) -> bool:
        entry = standing.entry
        return (
            1 < entry.number < self.last
            and not standing.insert
            and entry.by != "system"
            and not self.rulebook.actions[entry.kind].docket
        )

    def _some(self, standings: list[TimelineEntry]) -> list[TimelineEntry]:
        return self.chance.sample(standings, min(_TRIES, len(standings)))

    def _before(self, standing: TimelineEntry) -> Any:
        return self.past.state_after(standing.entry.number - 1)

    def _most(self, name: str) -> int:
        """The highest value thrown in this game under this name, for no rulebook says how many sides a die has."""
        return max(int(value) for one in self.thrown for value in one.entry.draws.get(name, ()))

    def _with_dice(self, standing: TimelineEntry, name: str, values: list[int]) -> dict[str, Any] | None:
        """The parameters with these dice, in the field that takes them; None when no field does."""
        entry = standing.entry
        given: dict[str, Any] = msgspec.json.decode(entry.params)
        state = self._before(standing)
        for field in fields(self.rulebook.actions[entry.kind]):
            for shape in (values, values[0]):
                params = {**given, field.encode_name: shape}
                try:
                    action = self.rulebook.codec.action(entry.kind, msgspec.json.encode(params))
                except Refusal:
                    continue
                decision = self._decided(state, self._again(standing, action))
                if decision is not None and decision.draws.get(name) == values:
                    return params
        return None

    def _again(self, standing: TimelineEntry, action: Action) -> Request:
        """The request of an action that was recorded, with other parameters."""
        entry = standing.entry
        return Request(
            action=action,
            seat=entry.seat,
            by=entry.by,
            at=entry.recorded_at,
            override=entry.override,
            draws=entry.draws,
            waives=frozenset(warned.rule for warned in entry.warnings),
            opens_as=standing.name,
            cited=self.timeline.cited(self.rulebook.secrets, action.cites()),
        )

    def _wanted(self, state: Any, seat: str) -> list[Action]:
        """Some actions that the bot of a seat wants, of different kinds in random order."""
        kinds = [
            kind for kind, action in self.rulebook.actions.items() if "player" in action.by and not action.docket
        ]
        wanted = [*self.table.bots[seat].kinds(state, seat, seat, kinds, self.chance)]
        self.chance.shuffle(wanted)
        found: list[Action] = []
        for kind in wanted:
            if len(found) == _KINDS:
                break
            found += self._chosen(state, seat, kind)[:1]
        return found

    def _chosen(self, state: Any, seat: str, kind: str) -> list[Action]:
        """Some actions of one kind that the bot of a seat may choose."""
        offered = list(self.rulebook.actions[kind].choices(state, seat))
        choices = self.table.bots[seat].choices(state, seat, kind, offered, self.chance)[:_CHOICES]
        found: list[Action] = []
        for choice in choices:
            try:
                found.append(self.rulebook.codec.action(kind, msgspec.json.encode(choice.params)))
            except Refusal:
                continue
        return found

    def _decided(self, state: Any, request: Request) -> Decision | None:
        try:
            return decide(self.rulebook, state, request, chance=None)
        except Refusal:
            return None


def _dice_of(entry: Entry) -> list[str]:
    """The names under which an action threw dice."""
    return [name for name, values in entry.draws.items() if values and all(type(one) is int for one in values)]


def _named(entry: Entry) -> str:
    return f"action {entry.number} ({entry.kind} of {entry.seat})"
