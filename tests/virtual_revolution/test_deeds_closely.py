"""The five Actions where they refuse, and where bonuses come late (vr:action.*, vr:verse.*, vr:donation.*)."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.rulebooks.virtual_revolution.table.terms import IMMUNITY, VP2, Changed
from ledger.rulebooks.virtual_revolution.turn.performing import FigureChanged
from tests.virtual_revolution.table import DISPLAYED, Table

NEW = ["the_curse", "the_rift", "elassar", "exoplanet", "jurassic_land"]
"""The cards below mythologia, which shows on top: four come on display, and the fifth is the next top."""


def on_turn(**given: Any) -> Table:
    """Ana has placed a Director in arrondissement 5, and has this."""
    table = Table()
    table.give("ana", **given)
    table.turn_of("ana", director=5)
    return table


def changed(table: Table, action: Any, rule: str, **figures: int) -> None:
    """A Necro card has changed figures of an Action of ana for this round."""
    with table.arranged() as state:
        state.changed = (*state.changed, Changed(seat="ana", action=action, round=1, rule=rule, **figures))


def emptied(table: Table, what: str, *, left: int = 0) -> None:
    """The supply has no more than this left; bob has the rest."""
    with table.arranged() as state:
        state.holdings.post(Posting(what, state.holdings.of(BANK, what) - left, BANK, "player:bob"))


@pytest.mark.rule("vr:action.1", "vr:turn.3")
def test_another_action_of_the_turn_is_refused() -> None:
    table = on_turn(eurocredit=30)
    table.put("ana", influence={5: 1})
    table.play("ana", "work")
    table.refused("ana", "build_server", "vr:action.1", drawn=["revenue_1"])
    assert not table.offers("ana", "build_server")


@pytest.mark.rule("vr:action.4")
def test_money_of_a_boost_declared_for_afterwards_does_not_pay() -> None:
    table = on_turn(eurocredit=2, boosts=["lance"])
    table.offer("zero", 4)
    late = [{"source": "lance", "when": "after"}]
    table.refused("ana", "recruit_agent", "vr:action.7", agent="zero", bonuses=late)
    table.play("ana", "recruit_agent", agent="zero")
    assert table.cash("ana") == 0


@pytest.mark.rule("vr:action.4", "vr:recruit.2")
def test_range_acts_during_the_action_though_the_money_comes_after() -> None:
    table = on_turn(boosts=["lance"])
    table.offer("zero", 15)
    table.refused("ana", "recruit_agent", "vr:recruit.1", agent="zero", bonuses=[])
    table.play("ana", "recruit_agent", agent="zero", bonuses=[{"source": "lance", "when": "after"}])
    assert table.cash("ana") == 10 - 4 + 2


@pytest.mark.rule("vr:action.5")
def test_a_declined_boost_may_be_applied_afterwards_once() -> None:
    table = on_turn(boosts=["boost_work"])
    table.play("ana", "work", bonuses=[])
    assert table.cash("ana") == 15
    assert table.offers("ana", "apply_bonus") == [{"bonus": {"source": "boost_work"}}]
    table.play("ana", "apply_bonus", bonus={"source": "boost_work"})
    assert table.cash("ana") == 18
    table.refused("ana", "apply_bonus", "vr:action.5", bonus={"source": "boost_work"})
    twice = [{"source": "boost_work"}, {"source": "card:boost_work"}]
    on_turn(boosts=["boost_work"]).refused("ana", "work", "vr:action.5", bonuses=twice)


@pytest.mark.rule("vr:action.5", "vr:action.2")
def test_a_boost_applies_to_a_bonus_action_too() -> None:
    table = on_turn(boosts=["boost_work"], service=["trunk"])
    table.play("ana", "work")
    work = {"action": {"action": "work"}}
    table.play("ana", "promote_agent", agent="trunk", effect=True, to="retire", picks=[work])
    assert table.cash("ana") == 10 + 8 + 8


@pytest.mark.rule("vr:action.6")
def test_a_recruited_agent_does_not_improve_its_own_recruitment() -> None:
    table = on_turn()
    table.offer("lance", 4)
    bonus = [{"source": "lance", "to": "retire", "when": "after"}]
    table.refused("ana", "recruit_agent", "vr:action.6", agent="lance", bonuses=bonus, drawn=["revenue_1"])
    table.play("ana", "recruit_agent", agent="lance")
    late: dict[str, Any] = {"agent": "lance", "effect": True, "to": "retire", "drawn": ["revenue_1"]}
    table.refused("ana", "promote_agent", "vr:action.6", **late)
    table.refused("ana", "apply_bonus", "vr:action.6", bonus=bonus[0], drawn=["revenue_1"])


@pytest.mark.rule("vr:promotion.7")
def test_an_agent_promoted_with_an_action_is_no_boost_of_it() -> None:
    table = on_turn(eurocredit=30, service=["sx_1248"])
    table.put("ana", influence={5: 1})
    bonus = [{"source": "sx_1248", "to": "boost"}]
    table.play("ana", "build_server", bonuses=bonus, drawn=["revenue_1", "revenue_2"])
    assert table.cash("ana") == 30 + 3 - 10
    table.refused("ana", "apply_bonus", "vr:promotion.7", bonus={"source": "sx_1248"})


@pytest.mark.rule("vr:promotion.8")
def test_a_promotion_goes_with_its_action_alone() -> None:
    table = on_turn(service=["lance"])
    bonus = [{"source": "lance", "to": "boost"}]
    table.refused("ana", "work", "vr:promotion.8", bonuses=bonus, drawn=["revenue_1"])
    late: dict[str, Any] = {"agent": "lance", "effect": True, "to": "boost", "drawn": ["revenue_1"]}
    table.refused("ana", "promote_agent", "vr:promotion.8", **late)
    table.offer("zero", 4)
    table.play("ana", "recruit_agent", agent="zero")
    table.play("ana", "promote_agent", **late)
    assert table.cash("ana") == 10 - 4 + 4


@pytest.mark.rule("vr:action.3")
def test_what_a_bonus_does_not_ask_for_is_refused() -> None:
    table = on_turn(boosts=["boost_work"], hand=["revenue_1"])
    for more in ({"to": "retire"}, {"card": "revenue_1"}, {"verses": ["westland"]}, {"copies": "lance"}):
        table.refused("ana", "work", "vr:boost.4", bonuses=[{"source": "boost_work", **more}])
    table.refused("ana", "work", "vr:action.3", bonuses=[{"source": "boost_verse_money"}])


@pytest.mark.rule("vr:necro.11", "vr:necro_card.3", "vr:work.1")
def test_a_changed_gain_names_the_card_that_changes_it() -> None:
    table = on_turn()
    changed(table, "work", "vr:necro_card.3", gain=3)
    events = table.play("ana", "work")
    assert table.cash("ana") == 13
    told = [(one.rule, one.usual, one.amount) for one in events if isinstance(one, FigureChanged)]
    assert told == [("vr:necro_card.3", 5, 3)]


@pytest.mark.rule("vr:recruit.4", "vr:server.6", "vr:verse.2")
def test_changed_prices_are_asked_in_full() -> None:
    table = on_turn(eurocredit=7)
    changed(table, "recruit_agent", "vr:necro_card.1", price=8)
    changed(table, "build_server", "vr:necro_card.2", price=20)
    changed(table, "create_verse", "vr:necro_card.3", price=14)
    table.offer("zero", 4)
    table.put("ana", influence={5: 1})
    table.refused("ana", "recruit_agent", "vr:recruit.4", agent="zero")
    table.give("ana", eurocredit=13)
    table.refused("ana", "create_verse", "vr:verse.2", verse="westland", drawn=["revenue_1", *NEW])
    table.give("ana", eurocredit=19)
    table.refused("ana", "build_server", "vr:server.6", drawn=["revenue_1"])


@pytest.mark.rule("vr:recruit.3", "vr:recruit.5", "vr:recruit.6")
def test_the_slot_of_a_recruited_agent_stays_empty() -> None:
    table = on_turn(service=["jade", "muriel"])
    table.offer("zero", 5)
    table.offer("lance", 4)
    table.play("ana", "recruit_agent", agent="zero")
    assert list(table.state.offers) == ["lance"]
    table.turn_of("ana", director=4)
    table.refused("ana", "recruit_agent", "vr:recruit.3", agent="lance")


@pytest.mark.rule("vr:server.2", "vr:server.3", "vr:server.4")
def test_where_no_server_is_built() -> None:
    table = on_turn(eurocredit=30)
    table.refused("ana", "build_server", "vr:server.3", drawn=["revenue_1"])
    table.put("ana", influence={5: 1}, servers=[6])
    table.refused("ana", "build_server", "vr:server.4", drawn=["revenue_1"])
    table = on_turn(eurocredit=30)
    table.put("ana", influence={5: 1})
    table.put("bob", servers=[5])
    table.refused("ana", "build_server", "vr:server.2", drawn=["revenue_1"])


@pytest.mark.rule("vr:server.3", "vr:title.14")
def test_a_title_builds_without_influence_but_not_beside_a_server() -> None:
    table = on_turn(eurocredit=30, titles=["NA"])
    table.refused("ana", "build_server", "vr:server.3", drawn=["revenue_1"])
    table.play("ana", "build_server", bonuses=[{"source": "NA"}], drawn=["revenue_1"])
    table.turn_of("ana", director=6, cycle=2)
    table.put("ana", influence={6: 1})
    table.refused("ana", "build_server", "vr:title.7", bonuses=[{"source": "NA"}], drawn=["revenue_2"])
    table.refused("ana", "build_server", "vr:server.4", drawn=["revenue_2"])


@pytest.mark.rule("vr:setup.29", "vr:server.8")
def test_of_a_gain_only_what_the_supply_has_is_received() -> None:
    table = on_turn(eurocredit=10)
    table.put("ana", influence={5: 1})
    emptied(table, VP2)
    table.play("ana", "build_server", drawn=["revenue_1"])
    assert table.state.holdings.of("player:ana", VP2) == 0
    assert table.revenue("ana") == 7


@pytest.mark.rule("vr:setup.29", "vr:donation.2")
def test_immunity_that_the_supply_lacks_is_not_sold() -> None:
    table = on_turn()
    emptied(table, IMMUNITY)
    table.refused("ana", "make_donation", "vr:setup.29", immunity=True)


@pytest.mark.rule("vr:donation.1", "vr:donation.2")
def test_a_donation_has_a_part_and_cards_of_the_own_hand() -> None:
    table = on_turn(hand=["revenue_1"])
    table.refused("ana", "make_donation", "vr:donation.1")
    table.refused("ana", "make_donation", "vr:donation.1", discard=["revenue_1", "revenue_2"])
    table.refused("ana", "make_donation", "vr:donation.1", discard=["revenue_1", "revenue_1"])
    table.play("ana", "make_donation", discard=["revenue_1"], immunity=True)
    assert (table.cash("ana"), table.immunity("ana"), table.hand("ana")) == (6, 2, [])


@pytest.mark.rule("vr:boost.5")
def test_the_extra_discard_is_a_donation_by_itself_and_stays_hidden() -> None:
    table = on_turn(boosts=["boost_donation"], hand=["revenue_1", "revenue_2"])
    changed(table, "make_donation", "vr:necro_card.2", price_1=2, price_2=4, price_immunity=4)
    bonus = {"source": "boost_donation", "card": "revenue_1"}
    table.play("ana", "make_donation", bonuses=[bonus])
    assert (table.cash("ana"), table.hand("ana")) == (9, ["revenue_2"])
    assert "revenue_1" not in repr(table.seen_by("bob"))
    action = table.rulebook.codec.action(
        "make_donation", b'{"bonuses":[{"source":"boost_donation","card":"revenue_1"}]}'
    )
    assert "revenue_1" not in repr(action.redacted())


@pytest.mark.rule("vr:verse.1", "vr:verse.5")
def test_a_creation_that_has_begun_is_renewed_and_completed() -> None:
    table = on_turn(eurocredit=11)
    table.play("ana", "create_verse")
    table.refused("ana", "work", "vr:verse.5")
    table.refused("ana", "end_turn", "vr:verse.5")
    table.play("ana", "renew_verses", drawn=NEW)
    assert set(table.state.display) == {"mythologia", *NEW[:4]}
    assert table.state.under == DISPLAYED
    further = ["conquistadores", "space_conquest", "dark_kingdom", "paris_1920", "elven_lands"]
    table.play("ana", "renew_verses", drawn=further)
    table.refused("ana", "renew_verses", "vr:verse.1")
    table.play("ana", "create_verse", verse=table.state.display[0], drawn=["revenue_1", "london_1884"])
    assert table.cash("ana") == 0
    table.refused("ana", "work", "vr:action.1")


@pytest.mark.rule("vr:verse.6", "vr:verse.7", "vr:verse.12")
def test_a_verse_taken_is_in_loading_unless_it_has_no_mission() -> None:
    table = on_turn(eurocredit=20)
    table.play("ana", "create_verse", verse="westland", drawn=["revenue_1", "the_rift"])
    assert table.state.display == ("mythologia", "the_codex", "venizia", "multiverse", "outpost_53")
    assert not table.state.online
    table.turn_of("ana", director=6, cycle=2)
    table.play("ana", "create_verse", verse="the_codex", drawn=["revenue_2", "elassar"])
    assert table.state.online == {"the_codex"}


@pytest.mark.rule("vr:boost.7", "vr:boost.8")
def test_verses_are_swapped_before_one_is_taken() -> None:
    table = on_turn(boosts=["boost_verse_swap"])
    one = [{"source": "boost_verse_swap", "verses": ["westland"]}]
    table.refused("ana", "create_verse", "vr:boost.8", bonuses=one, drawn=NEW)
    table.play("ana", "create_verse")
    two = {"source": "boost_verse_swap", "verses": ["westland", "venizia"]}
    table.play("ana", "apply_bonus", bonus=two, drawn=["the_curse", "the_rift"])
    assert table.state.display == ("mythologia", "the_curse", "the_codex", "multiverse", "outpost_53")
    table.play("ana", "create_verse", verse="the_curse", drawn=["revenue_1", "elassar"])
    assert table.cash("ana") == 3


@pytest.mark.rule("vr:action.2", "vr:action.7")
def test_a_bonus_action_that_cannot_be_paid_refuses_the_whole() -> None:
    table = on_turn(eurocredit=0, service=["tanaka"])
    immunity = {"action": {"action": "make_donation", "immunity": True}}
    table.refused(
        "ana", "promote_agent", "vr:action.7", agent="tanaka", effect=True, to="retire", picks=[immunity]
    )
    table.play("ana", "promote_agent", agent="tanaka", effect=False, to="retire")


@pytest.mark.rule("vr:action.5")
def test_a_bonus_declared_for_afterwards_and_applied_early_applies_once() -> None:
    table = on_turn(boosts=["boost_verse_money"])
    table.play("ana", "create_verse", bonuses=[{"source": "boost_verse_money", "when": "after"}])
    table.play("ana", "apply_bonus", bonus={"source": "boost_verse_money"})
    table.play("ana", "create_verse", verse="westland", drawn=["revenue_1", "elassar"])
    assert table.cash("ana") == 10 + 2 - 7


@pytest.mark.rule("vr:promotion.8")
def test_an_agent_promoted_meanwhile_does_not_hold_up_the_creation() -> None:
    table = on_turn(service=["megabyte"])
    late = [{"source": "megabyte", "to": "retire", "when": "after"}]
    table.play("ana", "create_verse", bonuses=late)
    table.play("ana", "promote_agent", agent="megabyte", effect=True, to="retire", drawn=["revenue_1"])
    table.play("ana", "create_verse", verse="westland", drawn=["revenue_2", "elassar"])
    assert table.cash("ana") == 10 + 3 - 7


@pytest.mark.rule("vr:action.5")
def test_a_boost_that_is_gone_improves_nothing() -> None:
    table = on_turn(boosts=["boost_work"])
    table.play("ana", "work", bonuses=[])
    with table.arranged() as state:
        state.holdings.post(Posting("card:boost_work", 1, "boosts:ana", "boosts"))
    assert not table.offers("ana", "apply_bonus")
    table.refused("ana", "apply_bonus", "vr:action.5", bonus={"source": "boost_work"})
