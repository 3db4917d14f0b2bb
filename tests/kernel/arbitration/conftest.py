"""A game with disputes."""

from __future__ import annotations

import pytest

from tests.kernel.arbitration.contested import Docket


@pytest.fixture
def game() -> Docket:
    return Docket()
