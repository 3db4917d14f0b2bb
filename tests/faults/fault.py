"""What a fault is."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.faults.site import Site

Doing = Callable[["Site", Random], AbstractContextManager[None]]


class Wrong(Exception):  # noqa: N818 - a finding, not a failure of the harness
    """What a fault itself has found wrong: one sentence a line."""


def nothing_missing() -> str | None:
    """Everything needed is there."""
    return None


@dataclass(frozen=True)
class Fault:
    """A kind of fault: it begins and ends with its context, which may raise `Wrong`.

    `lasts` are the least and the most seconds. With `health`, `/healthz` must answer all the time. With `goes_on`,
    players must be served all the time. With `freezes`, a request may come late although its client is quick.
    With `kills`, the fault is one kill, and counts as such. `missing` says why the fault cannot be made here.
    A fault with `shared` is made where two services share servers of Postgres.
    """

    name: str
    doing: Doing
    lasts: tuple[float, float] = (0.5, 1.5)
    health: bool = True
    goes_on: bool = False
    freezes: bool = False
    kills: bool = False
    shared: bool = False
    missing: Callable[[], str | None] = nothing_missing


@dataclass(frozen=True)
class Planned:
    """A fault in the plan: how long it lasts, and the seed of what it chooses."""

    fault: Fault
    seconds: float
    seed: int
