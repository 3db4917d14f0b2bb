"""Rulebooks with some parts in the place of their own."""

from __future__ import annotations

from inspect import signature
from typing import Any, TypeVar

from ledger.kernel.facts.state import State
from ledger.kernel.rules.rulebook import Rulebook

S = TypeVar("S", bound=State)


def changed(rulebook: Rulebook[S], **parts: Any) -> Rulebook[S]:
    """The rulebook with these parts (faces, chapters, id …); every other part stays."""
    return Rulebook(**{name: getattr(rulebook, name) for name in signature(Rulebook).parameters} | parts)
