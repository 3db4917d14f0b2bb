"""What holds at the end of an evening."""

from __future__ import annotations

import shutil
from collections.abc import Callable

from tests.crossing.elsewhere import Elsewhere
from tests.crossing.findings import EveningBroken
from tests.crossing.holding import Holding
from tests.crossing.house import House
from tests.crossing.moments import Moments
from tests.crossing.plans import Plan
from tests.crossing.scenes import Scene
from tests.crossing.sums import Sums
from tests.crossing.tables import Table
from tests.crossing.telling import Telling


class Ending:
    """The invariants that are looked at when an evening is over. A `short` ending starts no further service."""

    def __init__(self, house: House, table: Table, plan: Plan, holding: Holding, *, short: bool) -> None:
        self._scene = scene = Scene(house, table, plan)
        telling, sums, moments = Telling(scene, holding, short=short), Sums(scene), Moments(scene)
        elsewhere = Elsewhere(scene)
        self._checks: list[Callable[[], None]] = [
            *(telling.journals, telling.sweep, telling.exports, telling.channels),
            *(sums.statements, sums.books, sums.statistics),
            *(moments.moments, moments.frames, moments.known_then, moments.fork),
            *(elsewhere.receipts, elsewhere.logs, elsewhere.verified, elsewhere.imported),
        ]
        further = {
            "second service": elsewhere.second_service,
            "backup": elsewhere.restored,
            "older schema": elsewhere.upgraded,
        }
        if not short:
            self._checks += [check for name, check in further.items() if name in plan.extras]

    def look(self, until: str | None = None) -> None:
        """Look at everything, or until this kind is found; a fault of one check does not hide those after it."""
        self._scene.folder.mkdir()
        for check in self._checks:
            try:
                check()
            except EveningBroken as broken:
                self._scene.table.found(*broken.finding)
            if self._scene.table.has_found(until):
                break
        shutil.rmtree(self._scene.folder)
