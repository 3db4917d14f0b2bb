"""What a correction's consequences come from: the edit, and the action in between that brought each of them about.

Two histories are followed side by side. A fact is a place of the state: a holding, a position, a part of the turn.
Where an action comes out differently, some fact differs before it. The action that made the nearest such fact
differ is why. Which fact is nearest is judged by the names that the fact and the action share.
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
"""A place of the state: its field, and what leads on from there."""


_BOOKKEEPING = {"version", "seq", "last_at", "corrections", "disputes", "settled", "seats"}
"""The fields of a state in which no consequence lies."""


_EVERYWHERE = {"player", "bank", "box", "title", "property"}
"""The words in the names of accounts and commodities that tell nothing apart."""


class Turns:
    """The turns that are played in two histories that are followed side by side."""

    def __init__(self, rulebook: Rulebook[Any]) -> None:
        self._rulebook = rulebook
        self._was: dict[tuple[int, str], None] = {}
        self._now: dict[tuple[int, str], None] = {}

    def follow(self, was: State, now: State) -> None:
        """Take note of whose turn it is at the same place of both histories."""
        for state, turns in ((was, self._was), (now, self._now)):
            turn = self._rulebook.whose_turn(state)
            if turn is not None:
                turns[turn] = None

    def gained(self) -> tuple[tuple[int, str], ...]:
        """The turns that only the corrected history has, in order."""
        return tuple(turn for turn in self._now if turn not in self._was)

    def lost(self) -> tuple[tuple[int, str], ...]:
        """The turns that only the history as it was has, in order."""
        return tuple(turn for turn in self._was if turn not in self._now)


class Causes:
    """Finds where each consequence of a correction comes from, while its actions are decided again in order."""

    def __init__(self, history: EditedHistory) -> None:
        self._history = history
        self._currency = history.rulebook.currency
        self._edit_of = dict(_edits_by_label(history))
        self._origins: dict[Fact, Link] = {}
        self._values: dict[Fact, Any] = {}
        self._last = Link(0, "")
        self.links: dict[Label, Link] = {}
        self.causes: dict[int, Cause] = {}

    def of(
        self,
        label: Label,
        seat: str | None,
        events: Iterable[Event],
        values: Mapping[str, Any],
        was: State,
        now: State,
    ) -> Link:
        """Why an action comes out differently. Takes both states right before it, its events before and after the
        correction, and the values of the refusal."""
        self._attribute(was, now)
        edit = self._edit_of.get(label)
        if edit is not None:
            link = Link(edit, "")
        else:
            words = set(_words(events, values))
            near = max(self._origins, key=lambda fact: self._nearness(fact, seat, words), default=None)
            link = self._last if near is None else self._origins[near]
        self.links[label] = link
        return link

    def changed(self, name: str, link: Link, was: State, now: State) -> None:
        """Take note that the histories differ after an action. Takes both states right after it."""
        if link.edit not in self.causes:
            self.causes[link.edit] = Cause(link.edit, name, was.copy(), now.copy())
        self._last = Link(link.edit, name)

    def _nearness(self, fact: Fact, seat: str | None, words: set[str]) -> int:
        """How near a fact is to an action of a seat that is about these words.

        What the action names comes first, then where its seat stands and whose turn it is, then money, which
        differs soon everywhere.
        """
        nearness = 0
        for word in (one for part in fact[1:] for one in part.split(":")):
            if word == seat:
                nearness += 1 if fact[0] == "holdings" else 4
            elif word == self._currency:
                nearness += 2 if word in words else 0
            elif word in words and word not in self._history.seats and word not in _EVERYWHERE:
                nearness += 4
        return nearness + (2 if fact[0] == "turn" else 0)

    def _attribute(self, was: State, now: State) -> None:
        """Attribute each fact that differs, or differs otherwise than before, to the last action that did so."""
        facts = dict(_differing(was, now))
        self._origins = {
            fact: self._origins[fact] if self._values.get(fact) == value and fact in self._origins else self._last
            for fact, value in facts.items()
        }
        self._values = facts


def _edits_by_label(history: EditedHistory) -> Iterator[tuple[Label, int]]:
    """The actions that the edits name, each with the index of its edit; the first edit wins."""
    found: dict[Label, int] = {}
    inserted = 0
    for index, edit in enumerate(history.edits):
        if isinstance(edit, Insert):
            inserted += 1
            found.setdefault((history.number, inserted), index)
        else:
            for label in history.named_by(edit):
                found.setdefault(label, index)
    yield from found.items()


def _differing(was: State, now: State) -> Iterator[tuple[Fact, Any]]:
    """The facts in which two states differ, and how: for a holding by how much, else what is now."""
    for name in was.__struct_fields__:
        if name in _BOOKKEEPING:
            continue
        before, after = getattr(was, name), getattr(now, name)
        if isinstance(before, Holdings):
            yield from (((name, *fact), change) for fact, change in _holdings(before, after))
        elif before != after:
            yield from (((name, *fact), value) for fact, value in _parts(before, after))


def _holdings(before: Holdings, after: Holdings) -> Iterator[tuple[Fact, int]]:
    had, has = dict(before.items()), dict(after.items())
    for account in had.keys() | has.keys():
        one, other = had.get(account, {}), has.get(account, {})
        if one != other:
            for commodity in one.keys() | other.keys():
                if change := other.get(commodity, 0) - one.get(commodity, 0):
                    yield (account, commodity), change


def _parts(before: Any, after: Any) -> Iterator[tuple[Fact, Any]]:
    """What leads to the differences of two values, one step further, and what is there now."""
    match before, after:
        case dict(), dict():
            names = before.keys() | after.keys()
            yield from (((str(one),), after.get(one)) for one in names if before.get(one) != after.get(one))
        case set(), set():
            yield from (((str(one),), one in after) for one in before ^ after)
        case msgspec.Struct(), msgspec.Struct():
            had, has = asdict(before), asdict(after)
            names = had.keys() | has.keys()
            yield from (((one,), has.get(one)) for one in names if had.get(one) != has.get(one))
        case _:
            yield (), after


def _words(events: Iterable[Event], values: Mapping[str, Any]) -> Iterator[str]:
    """The names in events and in the values of a refusal: accounts, commodities, seats, titles, word by word."""
    for event in events:
        for posting in event.postings:
            yield from (*posting.source.split(":"), *posting.target.split(":"), *posting.commodity.split(":"))
        for value in asdict(event).values():
            if isinstance(value, str):
                yield from value.split(":")
    for value in values.values():
        yield from str(value).split(":")
