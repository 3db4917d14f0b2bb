"""A service for the recorded games, and the journal of the game that is played on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.command.service import Service
from tests.scenarios.evening import Evening


@pytest.fixture(scope="module")
def service(database_url: str) -> Iterator[Service]:
    running = Service("--no-demo", DATABASE_URL=database_url)
    yield running
    assert running.stop() == 0


@pytest.fixture(scope="module")
def journal(evening: Evening) -> list[dict[str, Any]]:
    """The whole journal of the game, as the banker reads it."""
    return evening.journal()
