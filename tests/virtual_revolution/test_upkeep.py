"""The upkeep, and the steps at the end of a round."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.accounts import Posting
from ledger.rulebooks.virtual_revolution.table.state import directors_of
from ledger.rulebooks.virtual_revolution.table.terms import Changed
from ledger.rulebooks.virtual_revolution.turn.turns import RoundEnded
from tests.virtual_revolution.ending import LAST, attack, end_round, events_of, stage
from tests.virtual_revolution.table import Table

AGENTS = ("pixel", "loc_01", "delta", "loc_02", "lance", "loc_03", "jade", "loc_04", "leslie", "loc_05")
"""Five Agents with their places, as the table draws them."""


def kept(*, number: int = 1) -> Table:
    """A table whose turn order has been chosen, before the upkeep of this round."""
    table = Table()
    for seat in table.seats:
        table.give(seat, immunity=0)
    attack(table, "insurrections", number=number)
    for place, seat in enumerate(table.state.choosers[:2], 1):
        table.play(seat, "choose_turn_order", place=place)
    return table


@pytest.mark.rule("vr:round.1")
def test_a_round_ends_when_all_directors_are_played() -> None:
    """Raids, attack, turn order, income and upkeep follow in this order."""
    table = Table()
    for seat in table.seats:
        table.give(seat, immunity=0)
    for cycle in (1, 2, 3):
        for place, seat in enumerate(table.seats, 1):
            table.play(seat, "place_director", place=place)
            assert stage(table) == "turn", cycle
            table.play(seat, "end_turn")
    assert len(events_of(table, RoundEnded)) == 1
    assert stage(table) == "attack"
    table.refused(None, "upkeep", "vr:round.1")
    table.refused("ana", "place_director", "vr:turn.5", place=5)
    table.banker("necro_attack", drawn=["insurrections"])
    assert stage(table) == "order"
    table.play("ana", "choose_turn_order", place=1)
    table.play("bob", "choose_turn_order", place=2)
    assert (stage(table), table.cash("ana")) == ("upkeep", 15)


@pytest.mark.rule("vr:upkeep.1")
def test_the_rightmost_verse_leaves_the_display() -> None:
    """It goes under the deck, the others move right, and the top card comes to the leftmost slot."""
    table = kept()
    table.banker("upkeep", drawn=["space_conquest", *AGENTS])
    assert table.state.display == ("mythologia", "the_codex", "westland", "venizia", "multiverse")
    assert table.state.under == ("outpost_53",)
    assert table.state.verse_top == "space_conquest"


@pytest.mark.rule("vr:upkeep.2")
def test_agents_not_recruited_give_way_to_others() -> None:
    """They are discarded; the new ones come with new places, and one may be intercepted."""
    table = kept()
    table.offer("camille", 7)
    drawn = [*AGENTS]
    drawn[3] = "loc_first"
    table.banker("upkeep", drawn=["space_conquest", *drawn])
    assert table.state.holdings.of("discard:agents", "card:camille") == 1
    assert table.state.holdings.of("discard:agents", "card:delta") == 1
    places = {one.agent: (one.slot, one.place) for one in table.state.offers.values()}
    assert places == {"pixel": (1, 1), "lance": (3, 3), "jade": (4, 4), "leslie": (5, 5)}


@pytest.mark.rule("vr:upkeep.3")
def test_only_four_agents_come_before_the_last_round() -> None:
    """The decks are then empty, and the fifth slot stays without a card."""
    table = kept(number=4)
    agents = {one.id for one in table.state.edition.pieces.agent} - {"pixel", "delta", "lance", "jade"}
    with table.arranged() as state:
        for card in sorted(agents):
            pile = "agents_1" if state.edition.pieces.agents[card].level == 1 else "agents_2"
            state.holdings.post(_moved(card, f"deck:{pile}", "discard:agents"))
        for card in state.edition.pieces.locations:
            if card not in {"loc_01", "loc_02", "loc_03", "loc_04"}:
                state.holdings.post(_moved(card, "deck:locations", "gone"))
    table.banker("upkeep", drawn=["space_conquest", *AGENTS[:8]])
    assert sorted(one.slot for one in table.state.offers.values()) == [1, 2, 3, 4]
    assert table.state.round == LAST


@pytest.mark.rule("vr:upkeep.4")
@pytest.mark.rule("vr:upkeep.5")
def test_directors_come_back_and_used_cards_are_set_upright() -> None:
    """All of them, of everybody."""
    table = kept()
    table.give("ana", service=["camille"], titles=["ND"])
    with table.arranged() as state:
        state.tilted = frozenset({"card:camille", "title:ND"})
    assert directors_of(table.state, "bob") == [1, 1, 1]
    table.banker("upkeep", drawn=["space_conquest", *AGENTS])
    assert table.state.tilted == frozenset()
    for seat in table.seats:
        assert directors_of(table.state, seat) == []
        assert table.state.holdings.of(f"player:{seat}", f"director:{seat}") == 3


@pytest.mark.rule("vr:upkeep.6")
def test_markers_of_the_round_just_ended_come_off() -> None:
    """Those placed by this end of round stay for the next one."""
    table = kept(number=2)
    with table.arranged() as state:
        old = Changed(seat="ana", action="work", round=2, rule="vr:necro_card.3", gain=3)
        state.changed = (old, *state.changed)
    table.banker("upkeep", drawn=["space_conquest", *AGENTS])
    assert {one.round for one in table.state.changed} == {3}
    assert old not in table.state.changed


@pytest.mark.rule("vr:upkeep.7")
def test_a_new_round_begins_with_the_first_of_the_new_order() -> None:
    """Round 2, first turn; the upkeep is not done twice."""
    table = kept()
    table.banker("upkeep", drawn=["space_conquest", *AGENTS])
    assert (table.state.round, stage(table)) == (2, "turn")
    assert table.state.turn is not None
    assert (table.state.turn.seat, table.state.turn.cycle) == (table.state.order[0], 1)
    table.refused(None, "upkeep", "vr:round.1")


@pytest.mark.rule("vr:turn.1")
@pytest.mark.rule("vr:endgame.1")
def test_the_fifth_round_is_the_last_one() -> None:
    """After it the game ends: no turn order, no income, no upkeep."""
    table = Table()
    table.give("ana", immunity=0, hand=["revenue_1"], objectives=["servers", "verses"])
    table.give("bob", immunity=0)
    table.give("cid", immunity=0)
    attack(table, "sabotage", number=LAST)
    assert stage(table) == "choices"
    assert (table.cash("ana"), table.revenue("ana")) == (10, 4)
    table.refused(None, "upkeep", "vr:round.1")
    table.refused("ana", "choose_turn_order", "vr:order.1", place=1)
    table.play("ana", "choose_objective", objective="servers")
    assert table.state.ended
    assert stage(table) == "ended"


def test_where_the_service_draws_a_round_follows_by_itself() -> None:
    """Nobody turns up the card or does the upkeep; only the choices of players are waited for."""
    table = Table(dice="service", seed=3)
    for seat in table.seats:
        table.give(seat, immunity=0)
    end_round(table)
    while stage(table) == "order":
        table.play(table.state.choosers[0], "choose_turn_order", place=len(table.state.choosers))
    assert (table.state.round, stage(table)) == (2, "turn")
    assert len(table.state.offers) in {4, 5}


def _moved(card: str, source: str, target: str) -> Posting:
    return Posting(f"card:{card}", 1, source, target)
