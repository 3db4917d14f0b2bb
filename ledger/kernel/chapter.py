"""Chapters: the actions and events that a part of a game's rules declares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ledger.kernel.actions import Action, Actor
from ledger.kernel.events import Event, snake_case

A = TypeVar("A", bound=type[Action])
E = TypeVar("E", bound=type[Event])

Upcast = Callable[[dict[str, Any]], dict[str, Any]]
"""Turns a stored event body of an older shape, as plain data, into one of a newer shape."""


class Chapter:
    """The actions and events of one chapter of a game's rules, declared in one file."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.actions: dict[str, type[Action]] = {}
        self.events: list[type[Event]] = []
        self.upcasts: dict[str, Upcast] = {}

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
