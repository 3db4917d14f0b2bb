"""The game of the tests of corrections."""

from __future__ import annotations

import pytest

from tests.kernel.deciding.borrowed import played
from tests.tables.chronicle import Chronicle


@pytest.fixture
def game() -> Chronicle:
    return played()
