"""Settings that choose otherwise where the document leaves a gap."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.table.state import holder_of, servers_of
from ledger.rulebooks.virtual_revolution.table.terms import VP2
from tests.virtual_revolution.ending import end_round
from tests.virtual_revolution.table import Table


def district_won(**settings: Any) -> Table:
    """Bob holds the Title of Néo District and has lost one arrondissement; Ana comes to control all three."""
    table = Table(settings=settings)
    table.put("bob", influence={22: 1}, servers=[21])
    table.put("ana", influence={21: 1}, servers=[22])
    table.give("bob", titles=["ND"])
    table.turn_of("ana", director=23)
    table.play("ana", "influence_add", drawn=["influence_1"])
    return table


@pytest.mark.rule("vr:title.3")
def test_a_title_stays_with_its_holder_or_goes_at_once() -> None:
    assert holder_of(district_won().state, "ND") == "bob"
    assert holder_of(district_won(title_stays=False).state, "ND") == "ana"


def server_lost(**settings: Any) -> Table:
    """Ana has Revenue 7 and a 2 VP token; a raid takes the Server that brought them."""
    table = Table(settings=settings)
    table.put("ana", servers=[13])
    table.give(
        "ana", hand=("server_3", "verse_1", "verse_2", "verse_3", "verse_4"), revenue=7, vp2_token=1, immunity=0
    )
    end_round(table)
    assert not servers_of(table.state, "ana")
    return table


@pytest.mark.rule("vr:server.12")
def test_what_a_lost_server_has_brought_is_kept_or_lost() -> None:
    kept, lost = server_lost(), server_lost(server_keeps_revenue=False, server_keeps_tokens=False)
    assert (kept.revenue("ana"), kept.state.holdings.of(player("ana"), VP2)) == (7, 1)
    assert (lost.revenue("ana"), lost.state.holdings.of(player("ana"), VP2)) == (5, 0)
