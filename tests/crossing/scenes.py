"""The scene at the end of an evening: what all checks look at, and the viewers and moments that they choose."""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.crossing.house import House
from tests.crossing.plans import Plan
from tests.crossing.tables import BANKER, SPECTATOR, Table

FEW = 3
"""How many of something are looked at."""


class Scene:
    """A house and a table when the last step is taken. Files of the checks go into a folder of their own."""

    def __init__(self, house: House, table: Table, plan: Plan) -> None:
        self.house = house
        self.table = table
        self.plan = plan
        self.chance = Random(f"{plan.seed} end")
        self.folder: Path = house.folder / table.game
        self.head = table.head

    def some_viewers(self) -> list[str]:
        """Choose the banker and somebody who sees less."""
        return [BANKER, self.chance.choice([*self.table.seats, SPECTATOR])]

    def some_numbers(self) -> list[int]:
        """Choose a few actions, in order."""
        return sorted(self.chance.sample(range(1, self.head + 1), min(FEW, self.head)))
