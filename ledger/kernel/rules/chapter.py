"""Chapters: the actions and events declared by a part of the rules of a game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeVar

from ledger.kernel.facts.events import Event, snake_case
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.actions import Action, Actor

A = TypeVar("A", bound=type[Action])


E = TypeVar("E", bound=type[Event])


Upcast = Callable[[dict[str, Any]], dict[str, Any]]
"""Turns a stored event body of an older shape, as plain data, into a body of a newer shape.

The upcast of an action does so with parameters, and leaves parameters of a different shape unchanged.
"""


def renamed(*, into_lists: Collection[str] = (), **names: str) -> Upcast:
    """Return the upcast of renamed parameters: `names` maps each older name to the current name.

    A value with a (current) name in `into_lists` was a single value and becomes a list of one value. Parameters
    mixing older and current names have neither shape and stay unchanged.
    """

    def rename(params: dict[str, Any]) -> dict[str, Any]:
        if params.keys().isdisjoint(names) or not params.keys().isdisjoint(names.values()):
            return params
        return {
            names.get(name, name): [value] if names.get(name) in into_lists and value is not None else value
            for name, value in params.items()
        }

    return rename


def in_remedies(op: str, upcast: Upcast) -> Upcast:
    """Return the upcast of the parameters of a ruling in which the remedies called `op` have an older shape."""

    def mend(params: dict[str, Any]) -> dict[str, Any]:
        remedies = params.get("remedies")
        if not isinstance(remedies, list):
            return params
        mended = [
            upcast(remedy) if isinstance(remedy, dict) and remedy.get("op") == op else remedy
            for remedy in remedies
        ]
        return {**params, "remedies": mended}

    return mend


class Chapter:
    """The actions and events of a chapter of the rules, declared in one file."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.actions: dict[str, type[Action]] = {}
        self.events: list[type[Event]] = []
        self.upcasts: dict[str, Upcast] = {}
        self.action_upcasts: dict[str, list[Upcast]] = {}

    def action(
        self,
        *,
        by: Sequence[Actor] = ("player",),
        summary: tuple[str, str],
        when: tuple[str, str],
    ) -> Callable[[A], A]:
        """Declare an action: the actors, the effect, and the times at which the action is open.

        Effect and times are given in English and in French.
        """

        def declare(action: A) -> A:
            action.kind = snake_case(action.__name__)
            action.by = tuple(by)
            action.summary = Phrase(*summary)
            action.when = Phrase(*when)
            self.actions[action.kind] = action
            return action

        return declare

    def event(self, event: E) -> E:
        """Declare an event."""
        self.events.append(event)
        return event

    def upcast(self, tag: str) -> Callable[[Upcast], Upcast]:
        """Declare the upcast of a body stored under an older tag into a current body ("kind" included)."""

        def declare(upcast: Upcast) -> Upcast:
            self.upcasts[tag] = upcast
            return upcast

        return declare

    def upcast_action(self, kind: str, upcast: Upcast) -> None:
        """Declare an upcast from older parameters of a kind of action to current ones; declare the oldest shape
        first.

        Older parameters are understood wherever actions are read: in journals, in the edits of corrections, and
        in requests of older clients.
        """
        self.action_upcasts.setdefault(kind, []).append(upcast)
