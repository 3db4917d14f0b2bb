"""Keys that somebody could guess are found, and random keys are not among them."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Callable
from random import Random
from uuid import NAMESPACE_DNS, UUID, uuid3, uuid5

import pytest

from ledger.access.keys import is_guessable

CHANCE = Random(7)
RANDOM: dict[str, Callable[[], str]] = {
    "hexadecimal": lambda: CHANCE.randbytes(16).hex(),
    "hexadecimal in capitals": lambda: CHANCE.randbytes(16).hex().upper(),
    "UUID of version 4": lambda: str(UUID(bytes=CHANCE.randbytes(16), version=4)),
    "base64url": lambda: urlsafe_b64encode(CHANCE.randbytes(16)).decode().rstrip("="),
    "base64url with its padding": lambda: urlsafe_b64encode(CHANCE.randbytes(16)).decode(),
    "a UUID behind a word": lambda: f"game:{UUID(bytes=CHANCE.randbytes(16), version=4)}",
}


@pytest.mark.parametrize("form", RANDOM)
def test_random_keys_are_not_guessable(form: str) -> None:
    assert not [key for key in (RANDOM[form]() for _ in range(2000)) if is_guessable(key)]


@pytest.mark.parametrize(
    "key",
    [
        "",
        "once",
        "3f9c1b7a5e2d8064",
        "9b1deb4d3b7d4bad9bdd2b0d7b3dcb6",
        "Q9vXr2LkT0bZsWm4HcYe7",
        "an evening at Ana's house in town",
        "friday-evening-2026-11-20",
        "anas-table-on-friday-night-7",
        "my-friday-evening-game-room-12",
        "create-friday-8f14e45f-again",
        "negopoly-evening-table-of-ana",
        "create-game-1732612345678-000001",
        "00000000000000001732612345678000",
        "0123456789abcdef0123456789abcdef",
        "abcdefghijklmnopqrstuvwxyz",
        "9876543210zyxwvutsrqponm",
        "1a2b3c4d5e6f7g8h9i0j1k2l",
        "01101110010111010001101011100100",
        "15937193573159713951739157395137",
        "deadbeefdeadbeefdeadbeefdeadbeef",
        "Zk3pW9qXZk3pW9qXZk3pW9qXZk3",
        "qwertyuiopasdfghjklzxcvbnm",
        "9b1deb4d000000000000000000003bad",
        "11111111-2222-3333-4444-555555555555",
        "00000000-0000-4000-8000-000000000001",
        str(UUID(int=0)),
        "20745ece-eb14-11f1-88a1-02fc3c4d5e61",
        str(uuid3(NAMESPACE_DNS, "table.example")),
        str(uuid5(NAMESPACE_DNS, "table.example")).upper(),
        "game:0192f0c1-7b5e-7c3a-9d41-6f2e8a5b0c7d",
    ],
)
def test_short_and_patterned_keys_are_guessable(key: str) -> None:
    """Words, dates, counters, runs, repetitions, and UUIDs made of clocks and names."""
    assert is_guessable(key)
