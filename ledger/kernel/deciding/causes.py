"""The causes of the consequences of a correction: the edit, and the action in between that led to each
consequence.

Two histories are followed side by side. A fact is a part of the state: a holding, a position, a part of the
turn. An action with a different outcome follows on a state with different facts. The cause is the action that
made the nearest such fact differ. Nearness is judged by the names common to the fact and the action.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import asdict

from ledger.kernel.deciding.edited import EditedHistory
from ledger.kernel.deciding.plan import Cause, Link
from ledger.kernel.facts.accounts import Holdings
from ledger.kernel.facts.edits import Insert
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.labels import Label
from ledger.kernel.facts.state import State
from ledger.kernel.rules.rulebook import Rulebook

Fact = tuple[str, ...]
"""A path into the state: the field, and the steps from there."""


_BOOKKEEPING = {"version", "seq", "last_at", "corrections", "disputes", "settled", "seats"}
"""The fields of a state without consequences."""


_EVERYWHERE = {"player", "bank", "box", "title", "property"}
"""Words in the names of accounts and commodities that distinguish nothing."""


class Turns:
    """The turns played in two histories followed side by side."""

    def __init__(self, rulebook: Rulebook[Any]) -> None:
        self._rulebook = rulebook
        self._was: dict[tuple[int, str], None] = {}
        self._corrected: dict[tuple[int, str], None] = {}

    def follow(self, was: State, corrected: State) -> None:
        """Record the turn under way at a place of both histories."""
        for state, turns in ((was, self._was), (corrected, self._corrected)):
            turn = self._rulebook.progress.whose_turn(state)
            if turn is not None:
                turns[turn] = None

    def gained(self) -> tuple[tuple[int, str], ...]:
        """Return the turns of the corrected history alone, in order."""
        return tuple(turn for turn in self._corrected if turn not in self._was)

    def lost(self) -> tuple[tuple[int, str], ...]:
        """Return the turns of the uncorrected history alone, in order."""
        return tuple(turn for turn in self._was if turn not in self._corrected)


class Causes:
    """Finds the cause of each consequence of a correction, while the actions are decided again in order."""

    def __init__(self, history: EditedHistory) -> None:
        self._history = history
        self._currency = history.rulebook.accounts.currency
        self._edit_of = dict(_edits_by_label(history))
        self._origins: dict[Fact, Link] = {}
        self._values: dict[Fact, Any] = {}
        self._last = Link(0, "")
        self._earlier: dict[int, tuple[State, State]] = {}
        self.links: dict[Label, Link] = {}
        self.causes: dict[int, Cause] = {}

    def of(
        self,
        label: Label,
        seat: str | None,
        events: Iterable[Event],
        values: Mapping[str, Any],
        was: State,
        corrected: State,
    ) -> Link:
        """Return the cause of an action's different outcome.

        Takes both states right before the action, the events before and after the correction, and the values of
        the refusal.
        """
        self._attribute(was, corrected)
        edit = self._edit_of.get(label)
        if edit is not None:
            link = Link(edit, "")
        else:
            words = set(_words(events, values))
            near = max(self._origins, key=lambda fact: self._nearness(fact, seat, words), default=None)
            link = self._last if near is None else self._origins[near]
        self.links[label] = link
        if link.edit not in self._earlier:
            self._earlier[link.edit] = was.copy(), corrected.copy()
        return link

    def changed(self, name: str, link: Link, was: State, corrected: State) -> None:
        """Record a difference of the histories after an action. Takes both states right after the action."""
        if link.edit not in self.causes:
            self.causes[link.edit] = Cause(link.edit, name, self._earlier[link.edit], was.copy(), corrected.copy())
        self._last = Link(link.edit, name)

    def _nearness(self, fact: Fact, seat: str | None, words: set[str]) -> int:
        """Return the nearness of a fact to an action of a seat with the given words.

        Names in the action count most, then the position of the seat and the turn under way, then money, which
        soon differs everywhere.
        """
        nearness = 0
        for word in (piece for part in fact[1:] for piece in part.split(":")):
            if word == seat:
                nearness += 1 if fact[0] == "holdings" else 4
            elif word == self._currency:
                nearness += 2 if word in words else 0
            elif word in words and word not in self._history.seats and word not in _EVERYWHERE:
                nearness += 4
        return nearness + (2 if fact[0] == "turn" else 0)

    def _attribute(self, was: State, corrected: State) -> None:
        """Attribute each new or changed difference to the last action that made the histories differ."""
        facts = dict(_differing(was, corrected))
        self._origins = {
            fact: self._origins[fact] if self._values.get(fact) == value and fact in self._origins else self._last
            for fact, value in facts.items()
        }
        self._values = facts


def _edits_by_label(history: EditedHistory) -> Iterator[tuple[Label, int]]:
    """Yield the actions named by the edits, each with the index of the edit; the first edit wins."""
    indexes: dict[Label, int] = {}
    inserted = 0
    for index, edit in enumerate(history.edits):
        if isinstance(edit, Insert):
            inserted += 1
            indexes.setdefault((history.number, inserted), index)
        else:
            for label in history.named_by(edit):
                indexes.setdefault(label, index)
    yield from indexes.items()


def _differing(was: State, corrected: State) -> Iterator[tuple[Fact, Any]]:
    """Yield the facts that differ between two states: the change of a holding, or else the corrected value.

    The facts are in the same order in every process, so that all name the same cause where several are as near.
    """
    for name in was.__struct_fields__:
        if name in _BOOKKEEPING:
            continue
        old, new = getattr(was, name), getattr(corrected, name)
        if isinstance(old, Holdings):
            yield from (((name, *fact), change) for fact, change in _holdings(old, new))
        elif old != new:
            yield from (((name, *fact), value) for fact, value in _parts(old, new))


def _holdings(old: Holdings, new: Holdings) -> Iterator[tuple[Fact, int]]:
    had, has = dict(old.items()), dict(new.items())
    for account in sorted(had.keys() | has.keys()):
        old_amounts, new_amounts = had.get(account, {}), has.get(account, {})
        if old_amounts != new_amounts:
            for commodity in sorted(old_amounts.keys() | new_amounts.keys()):
                if change := new_amounts.get(commodity, 0) - old_amounts.get(commodity, 0):
                    yield (account, commodity), change


def _parts(old: Any, new: Any) -> Iterator[tuple[Fact, Any]]:
    """Yield the differences of two values one step deeper: the path, and the new value."""
    match old, new:
        case dict(), dict():
            names = sorted(old.keys() | new.keys(), key=str)
            yield from (((str(name),), new.get(name)) for name in names if old.get(name) != new.get(name))
        case set(), set():
            yield from (((str(name),), name in new) for name in sorted(old ^ new, key=str))
        case msgspec.Struct(), msgspec.Struct():
            had, has = asdict(old), asdict(new)
            names = sorted(had.keys() | has.keys())
            yield from (((name,), has.get(name)) for name in names if had.get(name) != has.get(name))
        case _:
            yield (), new


def _words(events: Iterable[Event], values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the words in events and in the values of a refusal: accounts, commodities, seats, titles."""
    for event in events:
        for posting in event.postings:
            yield from (*posting.source.split(":"), *posting.target.split(":"), *posting.commodity.split(":"))
        for value in asdict(event).values():
            if isinstance(value, str):
                yield from value.split(":")
    for value in values.values():
        yield from str(value).split(":")
