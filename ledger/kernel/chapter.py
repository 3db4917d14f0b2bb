"""Chapters: the actions and events that a part of a game's rules declares."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeVar

from ledger.kernel.actions import Action, Actor
from ledger.kernel.events import Event, snake_case

A = TypeVar("A", bound=type[Action])
E = TypeVar("E", bound=type[Event])

Upcast = Callable[[dict[str, Any]], dict[str, Any]]
"""Turns a stored event body of an older shape, as plain data, into one of a newer shape.

That of an action does so with its parameters, and leaves alone what does not have the older shape.
"""


def renamed(*, into_lists: Collection[str] = (), **names: str) -> Upcast:
    """The upcast of parameters that had other names: today's name by the older one.

    A value whose name is in `into_lists` was a single one, and is a list of one today. Parameters that mix older
    names with the names of today that took their place are of neither shape, and stay as they are.
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
    """The upcast of the parameters of a ruling, in which the remedies called `op` had an older shape."""

    def mend(params: dict[str, Any]) -> dict[str, Any]:
        remedies = params.get("remedies")
        if not isinstance(remedies, list):
            return params
        mended = [upcast(one) if isinstance(one, dict) and one.get("op") == op else one for one in remedies]
        return {**params, "remedies": mended}

    return mend


class Chapter:
    """The actions and events of one chapter of a game's rules, declared in one file."""

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
        """Declare an action: who may ask, what it does and when it is open (en, fr)."""

        def declare(action: A) -> A:
            action.kind = snake_case(action.__name__)
            action.by = tuple(by)
            action.summary = summary
            action.when = when
            self.actions[action.kind] = action
            return action

        return declare

    def event(self, event: E) -> E:
        """Declare an event."""
        self.events.append(event)
        return event

    def upcast(self, tag: str) -> Callable[[Upcast], Upcast]:
        """Declare how a body stored under an older tag becomes one of today's (its "kind" included)."""

        def declare(upcast: Upcast) -> Upcast:
            self.upcasts[tag] = upcast
            return upcast

        return declare

    def upcast_action(self, kind: str, upcast: Upcast) -> None:
        """Declare how older parameters of a kind of action become today's; the oldest shape is declared first.

        Older parameters are understood wherever actions are read: in journals, in the edits of corrections, and in
        requests of older clients.
        """
        self.action_upcasts.setdefault(kind, []).append(upcast)
