"""A service for the recorded games, and the journal of the game that is played on it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.scenarios.evening import Evening


@pytest.fixture(scope="module")
def journal(evening: Evening) -> list[dict[str, Any]]:
    """The whole journal of the game, as the banker reads it."""
    return evening.journal()


@pytest.fixture(scope="module")
def database_url(served: str) -> str:
    """The database that the service serves."""
    return served
