"""The commands of random histories, and how many histories are played: many more in `make soak`."""

from __future__ import annotations

import os
from typing import Any

import msgspec
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from ledger.kernel.journal.entry import Entry

SOAK = bool(os.environ.get("MABLIGOP_SOAK"))
SEATS = ("ana", "bob", "cleo")


def profile(examples: int, steps: int) -> settings:
    """The number of games and of steps; in a soak fifty times as many, and three times as long."""
    return settings(
        max_examples=examples * 50 if SOAK else examples,
        stateful_step_count=steps * 3 if SOAK else steps,
        deadline=None,
        print_blob=True,
        suppress_health_check=list(HealthCheck),
    )


seats = st.sampled_from(SEATS)
small = st.integers(1, 120)
faces = st.lists(st.integers(1, 6), min_size=2, max_size=2)
choices = st.integers(0, 2**16)
"""One of what is possible, whatever there is."""
places = st.integers(0, 2**16)
"""One of the actions of the journal, however many there are."""

commands = st.one_of(
    st.tuples(st.just("take_loan"), st.fixed_dictionaries({"amount": small})),
    st.tuples(st.just("transfer_money"), st.fixed_dictionaries({"to": seats, "amount": small})),
    st.tuples(st.just("roll_dice"), st.fixed_dictionaries({"dice": faces})),
    st.tuples(st.just("resolve_square"), st.just({})),
    st.tuples(st.just("buy_property"), st.just({})),
    st.tuples(st.just("end_turn"), st.just({})),
)
waivers = st.sampled_from([None, None, None, "the table agrees"])
insertions = st.tuples(places, seats, commands, waivers)


def other_parameters(entry: Entry, amount: int, dice: list[int]) -> dict[str, Any]:
    """Changed parameters of a recorded action."""
    params: dict[str, Any] = msgspec.json.decode(entry.params)
    if entry.kind == "roll_dice":
        return {**params, "dice": dice}
    if "amount" in params:
        return {**params, "amount": amount}
    return params
