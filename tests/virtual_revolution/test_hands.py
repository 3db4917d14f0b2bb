"""What cards do with Corruption hands and the Necro deck, and who sees what of it (vr:secrecy.4)."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.journal.sight import view_event
from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.table.operations import (
    DiscardCorruption,
    DrawCorruption,
    ExchangeCorruption,
    GiveCorruption,
    PeekNecro,
)
from ledger.rulebooks.virtual_revolution.table.state import Draft
from ledger.rulebooks.virtual_revolution.table.terms import Demand, Pick, hand
from tests.virtual_revolution.deciding import carried_out, refused
from tests.virtual_revolution.table import Table

GIVE = GiveCorruption(amount=1, to="other_player", mode="choice")
EXCHANGE = ExchangeCorruption(opponent="opponent", look=True)


@pytest.fixture
def table() -> Table:
    """Ana and Bob hold two cards each, Cid none."""
    table = Table()
    table.give("ana", hand=["server_1", "verse_1"])
    table.give("bob", hand=["influence_1", "agent_1"])
    return table


def told(draft: Draft, seat: str | None) -> str:
    """All that a seat sees of what was decided."""
    viewer = Viewer("player", seat) if seat else Viewer("spectator")
    return str([view_event(draft.state, event, viewer) for event in draft.events])


def held(draft: Draft, seat: str) -> list[str]:
    """A player's Corruption cards."""
    return decks.held_in(draft.state, hand(seat))


@pytest.mark.rule("vr:corruption.1")
def test_drawn_cards_are_seen_by_who_draws_them(table: Table) -> None:
    draft = carried_out(
        table, "ana", DrawCorruption(amount=2), rule="vr:necro_card.7", drawn=["boost_1", "boost_2"]
    )
    assert held(draft, "ana") == ["boost_1", "boost_2", "server_1", "verse_1"]
    assert "boost_1" in told(draft, "ana")
    for other in ("bob", None):
        assert "boost_" not in told(draft, other)
        assert "(None, None)" in told(draft, other)


@pytest.mark.rule("vr:agents.24", "vr:promotion.30", "vr:secrecy.4")
def test_a_card_given_is_known_to_the_two_players_alone(table: Table) -> None:
    draft = carried_out(table, "ana", GIVE, Pick(to="cid", cards=("verse_1",)), rule="vr:promotion.30")
    assert (held(draft, "ana"), held(draft, "cid")) == (["server_1"], ["verse_1"])
    for known in ("ana", "cid"):
        assert "verse_1" in told(draft, known)
    for other in ("bob", None):
        assert "verse_1" not in told(draft, other)
        assert "Posting(commodity='card', amount=1, source='hand:ana', target='hand:cid')" in told(draft, other)


@pytest.mark.rule("vr:agents.24")
def test_giving_may_be_left_out_where_the_card_says_so(table: Table) -> None:
    more = {"rule": "vr:agents.24", "may_skip": True}
    assert carried_out(table, "ana", GIVE, None, **more).events == []
    assert carried_out(table, "ana", GIVE, Pick(skip=True), **more).events == []
    assert carried_out(table, "cid", GIVE, None, rule="vr:agents.24").events == []


@pytest.mark.rule("vr:promotion.30")
def test_only_a_card_of_one_s_own_is_given_to_another_player(table: Table) -> None:
    for wrong in (
        None,
        Pick(to="bob"),
        Pick(to="ana", cards=("verse_1",)),
        Pick(to="bob", cards=("influence_1",)),
        Pick(to="bob", cards=("verse_1", "server_1")),
    ):
        refused(table, "ana", GIVE, wrong, by="vr:promotion.30", rule="vr:promotion.30")


@pytest.mark.rule("vr:promotion.27", "vr:secrecy.4")
def test_clarisse_shows_the_whole_hand_to_her_owner_alone(table: Table) -> None:
    """An opponent without cards cannot be chosen; with one who has some nothing need be said."""
    refused(table, "ana", EXCHANGE, Pick(to="cid"), by="vr:promotion.27", rule="vr:promotion.27")
    draft = carried_out(table, "ana", EXCHANGE, rule="vr:promotion.27")
    assert draft.state.demands == (
        Demand(kind="exchange", seat="ana", by="ana", rule="vr:promotion.27", of="bob"),
    )
    assert "influence_1" in told(draft, "ana")
    for other in ("cid", None):
        assert "influence_1" not in told(draft, other)
        assert "agent_1" not in told(draft, other)


@pytest.mark.rule("vr:promotion.31")
def test_fewer_cards_than_are_to_be_discarded_go_all_at_once(table: Table) -> None:
    effect = DiscardCorruption(amount=2, mode="choice")
    draft = carried_out(table, "ana", effect, rule="vr:promotion.31")
    assert (held(draft, "ana"), draft.state.demands) == ([], ())
    assert "verse_1" not in told(draft, "bob")
    assert carried_out(table, "cid", effect, rule="vr:promotion.31").events == []
    table.give("ana", hand=["boost_1"])
    draft = carried_out(table, "ana", effect, rule="vr:promotion.31")
    assert [one.amount for one in draft.state.demands] == [2]


@pytest.mark.rule("vr:corruption.4")
def test_a_random_discard_takes_a_card_of_the_own_hand(table: Table) -> None:
    effect = DiscardCorruption(amount=1, mode="random")
    draft = carried_out(table, "ana", effect, rule="vr:recycling.3", drawn=["server_1"])
    assert held(draft, "ana") == ["verse_1"]
    assert "server_1" not in told(draft, "bob")
    assert carried_out(table, "cid", effect, rule="vr:recycling.3").events == []


@pytest.mark.rule("vr:secrecy.2")
def test_a_peek_is_public_and_its_card_is_not(table: Table) -> None:
    peek = PeekNecro(which="next")
    draft = carried_out(table, "ana", peek, rule="vr:recycling.3", drawn=["detournement"])
    assert "detournement" in told(draft, "ana")
    for other in ("bob", None):
        assert "NecroPeeked" in told(draft, other)
        assert "detournement" not in told(draft, other)
