"""Evenings: a plan is played step by step, and looked at after every step and at the end."""

from __future__ import annotations

import signal
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.crossing.acts import Acts
from tests.crossing.endings import Ending
from tests.crossing.findings import EveningBroken, Finding
from tests.crossing.hands import Hand
from tests.crossing.holding import SETTLE_SECONDS, Holding
from tests.crossing.house import API, House
from tests.crossing.laying import lay
from tests.crossing.plans import Plan
from tests.crossing.tables import BANKER, Table

_THOROUGH_EVERY = 12


@dataclass
class Played:
    """What came of an evening: what was found and counted."""

    plan: Plan
    findings: list[Finding] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    game: str = ""


def play(
    house: House,
    plan: Plan,
    *,
    short: bool = False,
    patience: float = SETTLE_SECONDS,
    until: str | None = None,
) -> Played:
    """Play an evening in a house. A `short` one leaves out what starts further services.

    `patience` is how many seconds a stream may take to tell the state that is read. The evening is over once
    something of the kind `until` is found.
    """
    played = Played(plan)
    table: Table | None = None
    try:
        table = lay(house, plan)
        played.game = table.game
        holding = Holding(table, patience)
        if not _play_steps(house, table, holding, plan, played, until):
            Ending(house, table, plan, holding, short=short).look(until)
    except EveningBroken as broken:
        played.findings.append(broken.finding)
    finally:
        if table is not None:
            table.leave()
            played.findings += table.findings
            played.counts += table.counts
    return played


def _play_steps(
    house: House, table: Table, holding: Holding, plan: Plan, played: Played, until: str | None
) -> bool:
    """Play the steps. Returns whether what ends the evening was found."""
    with house.client() as client:
        catalogue = client.get(f"{API}/rulebooks/{plan.rulebook}/actions").json()["actions"]
    actions: Mapping[str, Any] = {action["kind"]: action for action in catalogue}
    names = table.get(BANKER, "names")
    cards: dict[str, list[str]] = defaultdict(list)
    for commodity, words in sorted(names["commodities"].items()):
        if commodity.startswith("card:"):
            cards[words.get("group", "")].append(commodity.removeprefix("card:"))
    acts = Acts(Hand(table, actions, cards))
    pauses = _pauses(plan)
    for place, number in enumerate(plan.numbers):
        act = acts.step(plan.chance(number))
        played.counts[f"act {act}"] += 1
        holding.look(thorough=place % _THOROUGH_EVERY == _THOROUGH_EVERY - 1)
        if number in pauses:
            house.restart(pauses[number])
            played.counts["restarts"] += 1
            holding.look(thorough=True)
        if table.has_found(until):
            return True
    played.counts["actions"] += table.head
    return False


def _pauses(plan: Plan) -> dict[int, int]:
    """After which steps the service is ended, and by which signal."""
    chance = Random(f"{plan.seed} pauses")
    pauses: dict[int, int] = {}
    if "restart" in plan.extras:
        pauses[chance.randrange(plan.steps)] = signal.SIGTERM
    if "kill" in plan.extras:
        pauses[chance.randrange(plan.steps)] = signal.SIGKILL
    return pauses
