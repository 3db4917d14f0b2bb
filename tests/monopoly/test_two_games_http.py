"""The attacker's test over HTTP: what chance holds ready shows nowhere, and nothing else is hidden.

Two games are played alike, each with a seed of its own; who looks must not tell them apart.
"""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest

from ledger.kernel.facts.events import Event
from ledger.kernel.rules.faces.secrets import Open
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks.monopoly import RULEBOOKS
from tests.harness.secrecy import assert_alike
from tests.harness.twins import Serve, Twins, chairs, serving, told_draws

__all__ = ["serving", "told_draws"]

SOAK = bool(os.environ.get("MABLIGOP_SOAK"))
EACH = 12 if SOAK else 1
"""How many requests are made of every operation."""
VIEWERS = (None, "ana", "cid") if SOAK else ("ana",)


@pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda book: book.id)
def test_every_event_and_every_holding_is_everybody_s(rulebook: Rulebook[Any]) -> None:
    assert type(rulebook.secrets) is Open
    events = [event for chapter in rulebook.chapters[:-1] for event in chapter.events]
    assert len(events) > 20
    assert [event for event in events if event.audience is not Event.audience or event.at_end] == []


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("rulebook", RULEBOOKS if SOAK else RULEBOOKS[:1], ids=lambda book: book.id)
def test_every_endpoint_tells_them_the_same(serving: Serve, rulebook: Rulebook[Any], viewer: str | None) -> None:
    twins = Twins(rulebook, ("ana", "bob", "cid"), viewer, 3)
    twins.play(150 if SOAK else 60)
    assert_alike(*chairs(*serving(rulebook), twins), each=EACH, chance=Random(f"{viewer} {rulebook.id}"))
