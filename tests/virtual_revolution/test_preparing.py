"""Set-up: colours, Objectives, Locations, decks, the first Verses and Agents (vr:setup.*)."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.refusals import Malformed, NeedsDraw
from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.rulebook import RULEBOOK
from ledger.rulebooks.virtual_revolution.table import pieces as named
from ledger.rulebooks.virtual_revolution.table.state import directors_of, holder_of, influencer, servers_of
from ledger.rulebooks.virtual_revolution.table.terms import (
    AGENTS,
    AGENTS_1,
    AGENTS_2,
    ASIDE,
    BOOSTS,
    CORRUPTION,
    GONE,
    LOCATIONS,
    NECRO,
    NECRO_END,
    OBJECTIVES,
    UNUSED,
    VERSES,
)
from tests.virtual_revolution.table import Table

LOCATION_CARDS = RULEBOOK.shared["edition"].pieces.locations
ASIDE_9 = ["leslie", "camille", "zero", "nash", "benedict", "doc_slice", "tanaka", "trunk", "hassan"]
FOUR = ("ana", "bob", "cid", "dora")


def dealt(seats: tuple[str, ...], cards: list[str] | None = None) -> dict[str, list[str]]:
    """The Location cards in their order, as many for each seat."""
    found = [*LOCATION_CARDS] if cards is None else cards
    each = len(found) // len(seats)
    return {seat: found[place * each : (place + 1) * each] for place, seat in enumerate(seats)}


def audience(table: Table, account: str, seat: str | None) -> bool:
    """Whether a seat may see the cards in an account."""
    viewer = Viewer("player", seat) if seat else Viewer("spectator")
    return table.rulebook.secrets.holding_audience(table.state, account, "card:leslie").admits(viewer)


@pytest.fixture
def table() -> Table:
    """Three players at a table that deals and draws itself; nothing is prepared."""
    return Table(until="setup")


def prepare(table: Table, *, agents: list[str] | None = None) -> None:
    """Prepare a physical table, up to the first Agents."""
    for seat, colour in zip(table.seats, table.state.edition.pieces.colours, strict=False):
        table.play(seat, "choose_colour", colour=colour)
    table.banker("deal_objectives", objectives=dealt(table.seats, [*table.state.edition.pieces.objectives][:6]))
    table.banker("deal_locations", locations=dealt(table.seats))
    table.banker("prepare_location_deck")
    table.banker("prepare_agent_deck", aside=ASIDE_9)
    table.banker("prepare_corruption_deck")
    table.banker(
        "prepare_verse_deck", drawn=["westland", "venizia", "the_codex", "multiverse", "paris_1920", "elassar"]
    )
    table.banker("prepare_necro_deck")
    if agents is not None:
        table.banker("reveal_agents", drawn=agents)


@pytest.mark.rule("vr:setup.1")
@pytest.mark.parametrize("seats", [("ana",), ("ana", "bob", "cid", "dora", "eve")])
def test_two_to_four_play(seats: tuple[str, ...]) -> None:
    with pytest.raises(Malformed, match="2 to 4"):
        Table(seats=seats, until="setup")


@pytest.mark.rule("vr:setup.2")
def test_each_player_chooses_another_colour(table: Table) -> None:
    table.play("ana", "choose_colour", colour="red")
    table.refused("bob", "choose_colour", "vr:setup.2", colour="red")
    table.refused("bob", "choose_colour", "vr:setup.2", colour="mauve")
    table.play("bob", "choose_colour", colour="green")
    table.play("ana", "choose_colour", colour="blue")
    assert table.state.colours == {"ana": "blue", "bob": "green"}
    assert [one["colour"] for one in table.offers("cid", "choose_colour")] == ["orange", "red"]


@pytest.mark.rule("vr:setup.3", "vr:setup.4")
@pytest.mark.parametrize(("count", "tokens"), [(2, 20), (3, 18), (4, 15)])
def test_the_influence_stock_depends_on_the_number_of_players(count: int, tokens: int) -> None:
    table = Table(seats=FOUR[:count], until="setup")
    assert {table.reserve(seat) for seat in table.seats} == {tokens}


@pytest.mark.rule("vr:setup.5", "vr:setup.6", "vr:setup.7", "vr:setup.9", "vr:setup.28")
def test_what_each_player_starts_with(table: Table) -> None:
    """Directors are alike: three of one thing."""
    board = table.state.holdings.account("player:ana")
    assert (board["director:ana"], board["server:ana"]) == (3, 7)
    assert (table.cash("ana"), table.immunity("ana"), table.revenue("ana")) == (10, 1, 5)
    assert (directors_of(table.state, "ana"), servers_of(table.state, "ana")) == ([], [])
    assert table.state.holdings.of("bank", "immunity") == 17
    assert table.state.holdings.of("bank", "vp2_token") == 24


@pytest.mark.rule("vr:setup.27")
def test_the_seven_boost_cards_are_public(table: Table) -> None:
    assert len(table.available()) == 7
    assert audience(table, BOOSTS, None)


@pytest.mark.rule("vr:setup.30", "vr:setup.31")
def test_the_map_has_seven_districts_and_symmetric_sides() -> None:
    found = RULEBOOK.shared["edition"].pieces
    assert (len(found.districts), len(found.places)) == (7, 23)
    assert {len(members) for members in found.members.values()} == {3, 4}
    assert sorted(place for members in found.members.values() for place in members) == sorted(found.places)
    assert all(one in found.places[near].adjacent for one in found.places for near in found.places[one].adjacent)
    assert 14 in found.places[13].adjacent


@pytest.mark.rule("vr:setup.8", "vr:secrecy.1")
def test_two_objectives_each_are_seen_by_their_player_alone(table: Table) -> None:
    hands = {"ana": ["servers", "verses"], "bob": ["titles", "revenue"], "cid": ["agents_1", "agents_2"]}
    table.refused(None, "deal_objectives", "vr:setup.8", objectives={"ana": ["servers", "verses"]})
    table.refused(None, "deal_objectives", "vr:setup.8", objectives={**hands, "cid": ["agents_1"]})
    table.banker("deal_objectives", objectives=hands)
    assert decks.held_in(table.state, "objectives:ana") == ["servers", "verses"]
    assert decks.left_in(table.state, OBJECTIVES) == 6
    for own, other in (("ana", "titles"), ("bob", "verses")):
        assert other not in str(table.seen_by(own))
    assert "titles" not in str(table.seen_by(None))
    assert audience(table, "objectives:ana", "ana")
    assert not audience(table, "objectives:ana", "bob")
    assert not audience(table, "deck:objectives", "ana")
    table.refused(None, "deal_objectives", "vr:setup.8", objectives=hands)


@pytest.mark.rule("vr:setup.8", "vr:secrecy.6")
def test_at_a_table_that_deals_everybody_may_record_their_own(table: Table) -> None:
    """Bob names a card that Ana has recorded: his word is taken, and the banker is warned."""
    assert table.offers("ana", "record_objectives")
    table.play("ana", "record_objectives", objectives=["servers", "verses"])
    assert not table.offers("ana", "record_objectives")
    assert "servers" not in str(table.seen_by("bob"))
    table.refused("ana", "record_objectives", "vr:setup.8", objectives=["titles", "revenue"])
    table.play("bob", "record_objectives", objectives=["servers", "titles"])
    assert table.last is not None
    assert [one.rule for one in table.last.warnings] == ["vr:secrecy.6"]
    assert "objectives" not in table.state.done
    table.play("cid", "record_objectives", objectives=["agents_1", "agents_2"])
    assert "objectives" in table.state.done


@pytest.mark.rule("vr:setup.8")
def test_where_the_service_deals_nobody_records() -> None:
    table = Table(until="setup", dice="service")
    table.refused("ana", "record_objectives", "vr:setup.8", objectives=["servers", "verses"])
    table.banker("deal_objectives")
    assert {len(decks.held_in(table.state, f"objectives:{seat}")) for seat in table.seats} == {2}


@pytest.mark.rule("vr:setup.10", "vr:setup.11")
@pytest.mark.parametrize(("count", "each"), [(2, 12), (3, 8), (4, 6)])
def test_the_locations_are_dealt_equally_and_bring_the_first_influence(count: int, each: int) -> None:
    """Each arrondissement starts with one token; no Corruption is drawn for it."""
    table = Table(seats=FOUR[:count], until="setup")
    stock = table.reserve("ana")
    table.banker("deal_locations", locations=dealt(table.seats))
    places = table.state.edition.pieces.places
    assert all(sum(table.tokens(seat, place) for seat in table.seats) == 1 for place in places)
    assert table.reserve("ana") == stock - each
    assert table.reserve(table.seats[-1]) == stock - each + 1
    assert influencer(table.state, 1) == "ana"
    assert not any(table.hand(seat) for seat in table.seats)


@pytest.mark.rule("vr:setup.10")
def test_any_other_split_is_refused(table: Table) -> None:
    even = dealt(table.seats)
    more: dict[str, Any] = {**even, "ana": [*even["ana"], even["bob"][0]], "bob": even["bob"][1:]}
    twice = {**even, "ana": [even["bob"][0], *even["ana"][1:]]}
    for wrong in (more, twice, {"ana": even["ana"]}):
        table.refused(None, "deal_locations", "vr:setup.10", locations=wrong)


@pytest.mark.rule("vr:setup.12", "vr:setup.13")
def test_who_has_the_first_player_s_card_begins_and_the_others_follow_clockwise(table: Table) -> None:
    cards = [one for one in LOCATION_CARDS if one != named.FIRST]
    cards.insert(10, named.FIRST)
    table.banker("deal_locations", locations=dealt(table.seats, cards))
    assert (table.state.first, table.state.order) == ("bob", ("bob", "cid", "ana"))
    assert table.reserve("bob") == 18 - 7


@pytest.mark.rule("vr:setup.15", "vr:title.3")
def test_a_district_controlled_from_the_start_gives_its_title(table: Table) -> None:
    """Ana has 1 to 8: Marais is 1 to 4, Quartier Latin 5 to 7."""
    table.banker("deal_locations", locations=dealt(table.seats))
    assert (holder_of(table.state, "MA"), holder_of(table.state, "QL")) == ("ana", "ana")


@pytest.mark.rule("vr:setup.14")
def test_all_locations_are_taken_back_and_form_a_deck(table: Table) -> None:
    table.refused(None, "prepare_location_deck", "vr:setup.14")
    table.banker("deal_locations", locations=dealt(table.seats))
    assert decks.left_in(table.state, LOCATIONS) == 0
    table.banker("prepare_location_deck")
    assert decks.left_in(table.state, LOCATIONS) == 24
    table.refused(None, "prepare_location_deck", "vr:setup.14")
    assert not audience(table, "deck:locations", "ana")


@pytest.mark.rule("vr:setup.16", "vr:setup.17", "vr:setup.18")
def test_nine_agents_are_set_aside_and_players_may_look_at_them(table: Table) -> None:
    """Spectators may not."""
    table.refused(None, "prepare_agent_deck", "vr:setup.16", aside=[*ASIDE_9[1:], "jade"][1:])
    table.refused(None, "prepare_agent_deck", "vr:setup.17", aside=["the_mole", *ASIDE_9[1:]])
    with pytest.raises(NeedsDraw):
        table.banker("prepare_agent_deck")
    table.banker("prepare_agent_deck", aside=ASIDE_9)
    assert (decks.left_in(table.state, AGENTS_1), decks.left_in(table.state, AGENTS_2)) == (15, 9)
    assert len(decks.held_in(table.state, ASIDE)) == 9
    assert table.state.holdings.account(decks.discards(AGENTS)) == {}
    assert "leslie" in str(table.seen_by("bob"))
    assert "leslie" not in str(table.seen_by(None))
    assert audience(table, ASIDE, "bob")
    assert not audience(table, ASIDE, None)


@pytest.mark.rule("vr:setup.17", "vr:secrecy.3")
def test_all_agents_of_level_1_come_before_any_of_level_2() -> None:
    """Five of level 1 in each of three rounds, then level 2; the deck is hidden."""
    table = Table(until="setup", dice="service", seed=3)
    table.banker("prepare_table")
    assert {one.removeprefix("card:") for one in table.state.offers} <= {
        one.id for one in table.state.edition.pieces.agent if one.level == 1
    }
    assert decks.left_in(table.state, AGENTS_1) == 10
    assert not audience(table, "deck:agents_1", "ana")


@pytest.mark.rule("vr:setup.23", "vr:secrecy.3")
def test_the_corruption_deck_is_face_down(table: Table) -> None:
    table.banker("prepare_corruption_deck")
    table.refused(None, "prepare_corruption_deck", "vr:setup.23")
    assert decks.left_in(table.state, CORRUPTION) == 36
    assert not audience(table, "deck:corruption", "ana")


@pytest.mark.rule("vr:setup.24", "vr:secrecy.3")
def test_the_first_five_verses_lie_from_left_to_right_and_the_next_one_shows(table: Table) -> None:
    six = ["westland", "venizia", "the_codex", "multiverse", "paris_1920", "elassar"]
    with pytest.raises(NeedsDraw):
        table.banker("prepare_verse_deck")
    table.banker("prepare_verse_deck", drawn=six)
    assert (table.state.display, table.state.verse_top) == (tuple(six[:5]), "elassar")
    assert decks.left_in(table.state, VERSES) == 19
    assert "elassar" in str(table.seen_by(None))
    assert not audience(table, "deck:verses", "ana")


@pytest.mark.rule("vr:setup.25", "vr:secrecy.2")
def test_the_necro_deck_is_seen_by_nobody(table: Table) -> None:
    table.banker("prepare_necro_deck")
    table.refused(None, "prepare_necro_deck", "vr:setup.25")
    for viewer in ("ana", None):
        assert not audience(table, "deck:necro", viewer)
        assert not audience(table, "deck:necro_end", viewer)


@pytest.mark.rule("vr:setup.25", "vr:secrecy.2")
def test_the_service_puts_nine_necro_cards_aside_unseen() -> None:
    """Four standard cards on one for the end of the game: five rounds."""
    table = Table(until="setup", dice="service", seed=8)
    table.banker("prepare_necro_deck")
    assert [decks.left_in(table.state, one) for one in (NECRO, NECRO_END, UNUSED)] == [4, 1, 9]
    unused = decks.held_in(table.state, decks.pile(UNUSED))
    for viewer in ("ana", None):
        assert not audience(table, decks.pile(UNUSED), viewer)
        assert not [card for card in unused if card in str(table.seen_by(viewer))]


FIRST_AGENTS = ["pixel", "loc_05", "jade", "loc_22", "muriel", "loc_first", "delta", "loc_13", "lance", "loc_14"]


@pytest.mark.rule("vr:setup.19", "vr:setup.20", "vr:setup.21", "vr:setup.22")
def test_the_first_agents_get_places_and_one_is_intercepted(table: Table) -> None:
    """The first player's card comes for the third slot: Muriel is discarded, and no other Agent drawn."""
    prepare(table, agents=FIRST_AGENTS)
    offers = {one.agent: (one.slot, one.place) for one in table.state.offers.values()}
    assert offers == {"pixel": (1, 5), "jade": (2, 22), "delta": (4, 13), "lance": (5, 14)}
    assert decks.held_in(table.state, decks.discards(AGENTS)) == ["muriel"]
    assert len(decks.held_in(table.state, GONE)) == 5
    assert decks.left_in(table.state, LOCATIONS) == 19
    assert (table.state.round, table.state.turn and table.state.turn.seat) == (1, "cid")


@pytest.mark.rule("vr:setup.19")
def test_the_first_agents_come_last_of_all(table: Table) -> None:
    table.refused(None, "reveal_agents", "vr:setup.19", drawn=FIRST_AGENTS)
    prepare(table)
    with pytest.raises(NeedsDraw):
        table.banker("reveal_agents")
    table.banker("reveal_agents", drawn=FIRST_AGENTS)
    table.refused(None, "reveal_agents", "vr:setup.19", drawn=FIRST_AGENTS)
    table.refused("ana", "choose_colour", "vr:setup.2", colour="blue")


@pytest.mark.rule("vr:setup.32")
def test_the_service_prepares_all_that_is_left_at_once() -> None:
    table = Table(until="setup", dice="service", seed=2)
    table.play("bob", "choose_colour", colour="orange")
    table.banker("prepare_verse_deck")
    display = table.state.display
    table.banker("prepare_table")
    assert table.state.colours == {"bob": "orange", "ana": "red", "cid": "green"}
    assert (table.state.display, table.state.round) == (display, 1)
    assert table.state.order[0] == table.state.first
    table.refused(None, "prepare_table", "vr:setup.32")


@pytest.mark.rule("vr:setup.32")
def test_a_table_that_draws_prepares_itself_step_by_step(table: Table) -> None:
    table.refused(None, "prepare_table", "vr:setup.32")
