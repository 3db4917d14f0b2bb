"""The short form of `crowds`: who is closed, and who stays."""

from __future__ import annotations

import time
from urllib.parse import urlsplit

import pytest

from tests.command.service import Service
from tests.operations.crowds import CROWD, Crowd, Sizes, Table

pytestmark = pytest.mark.xdist_group("command")

IDLE = 8


def test_a_crowd_that_sends_nothing_is_closed_and_a_table_plays_on(database_url: str) -> None:
    """Given a service that leaves eight idle connections to an address, and three addresses with twenty each.

    Then each address keeps eight, and clients that send something stay. Eight phones at one address lose nothing.
    """
    service = Service("--no-demo", DATABASE_URL=database_url, MABLIGOP_IDLE_CONNECTIONS=str(IDLE))
    address = urlsplit(service.url)
    crowd = Crowd((str(address.hostname), int(address.port or 0)), Sizes(idle=60, deaf=0, slow=3, returns=0))
    table = Table(service)
    try:
        while crowd.ended.total() < 60 - IDLE * len(CROWD):
            crowd.stay(time.monotonic() + 0.1)
        assert table.play(1.0)
        crowd.stay(time.monotonic() + 0.1)
        assert crowd.present() == {"idle": IDLE * len(CROWD), "slow": 3}
        assert table.lost == 0
        assert any("to keep places free" in line for line in service.said)
    finally:
        crowd.close()
        assert service.stop() == 0
