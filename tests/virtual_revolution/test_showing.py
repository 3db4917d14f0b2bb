"""What screens show: the map, what lies on it, whom the game waits for, and who sees which cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from ledger.kernel.deciding.moves import moves
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.journal.sight import view_event, visible_holdings
from ledger.reading.moves.offered import combine_moves
from ledger.rulebooks.virtual_revolution.rulebook import RULEBOOK
from ledger.rulebooks.virtual_revolution.showing import drawing
from ledger.rulebooks.virtual_revolution.table.edition import EDITION
from ledger.rulebooks.virtual_revolution.table.pieces import District
from ledger.rulebooks.virtual_revolution.table.terms import Demand, Raid
from tests.virtual_revolution.table import Table

ANA, BOB = Viewer("player", "ana"), Viewer("player", "bob")
SPECTATOR, BANKER = Viewer("spectator"), Viewer("banker")


def nulls(value: Any) -> Iterator[Any]:
    """The members of plain data that are null."""
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        if one is None:
            yield value
        yield from nulls(one)


def views(table: Table, viewer: Viewer) -> str:
    """All that a viewer is shown of the table, as text; there is no null in it."""
    state = table.state
    shown = [
        RULEBOOK.screen.view(state, viewer),
        msgspec.to_builtins(RULEBOOK.screen.display(state, viewer, "en")),
        msgspec.to_builtins(RULEBOOK.screen.waiting(state, viewer, "en")),
    ]
    assert not [*nulls(shown)]
    return msgspec.json.encode(shown).decode()


def waited_for(table: Table, viewer: Viewer = BANKER) -> dict[str, tuple[str, ...]]:
    """The moves that the game waits for, by seat. Each of them is offered to that seat, as one that is due."""
    found: dict[str, tuple[str, ...]] = {}
    for one in RULEBOOK.screen.waiting(table.state, viewer, "en"):
        found[one.seat] = (*found.get(one.seat, ()), *one.moves)
    for seat, named in found.items():
        own = "" if seat == "banker" else seat
        legal = (
            table.moves(seat)
            if own
            else moves(RULEBOOK, table.state, "", RULEBOOK.accounts.purse(""), BANKER, table.now)
        )
        offered = combine_moves(RULEBOOK, table.state, own, legal, "en")
        assert {*named} <= {move.id for move in offered if move.rank == "due"}, (seat, named)
    return found


@pytest.mark.rule("vr:setup.31")
def test_the_map_shows_each_pair_of_arrondissements_that_share_a_side_once() -> None:
    drawn = RULEBOOK.screen.board_drawn(None, "fr")
    assert drawn.form == "map"
    assert [place.number for place in drawn.places] == [*range(1, 24)]
    pairs = drawn.adjacent
    assert ("arrondissement:13", "arrondissement:14") in pairs
    assert len(pairs) == len({frozenset(pair) for pair in pairs})
    assert len(pairs) * 2 == sum(len(one.adjacent) for one in EDITION.pieces.arrondissement)
    assert len({place.at for place in drawn.places}) == 23
    assert len({group.mark for group in drawn.groups}) == len({group.colour for group in drawn.groups}) == 7


def test_a_map_without_coordinates_is_laid_out_the_same_each_time() -> None:
    places = tuple(msgspec.structs.replace(one, at=None) for one in EDITION.pieces.arrondissement)
    districts = (*EDITION.pieces.district, District(id="NDX", name="Another one"))
    bare = msgspec.structs.replace(EDITION.pieces, arrondissement=places, district=districts)
    where = drawing.positions(bare)
    assert where == drawing.positions(bare)
    assert len({*where.values()}) == 23
    assert all(0 <= x <= drawing.BOX[0] and 0 <= y <= drawing.BOX[1] for x, y in where.values())
    assert len({group.mark for group in drawing.drawn(bare, "en").groups}) == 8


@pytest.mark.rule("vr:secrecy.5")
def test_influence_servers_and_directors_lie_on_the_map_for_everybody() -> None:
    table = Table()
    table.put("ana", influence={5: 2}, servers=[13])
    table.put("bob", influence={13: 1})
    table.turn_of("ana", director=5)
    shown = RULEBOOK.screen.display(table.state, SPECTATOR, "en")
    assert [(one.seat, one.place) for one in shown.tokens] == [("ana", "arrondissement:5")]
    assert shown.places["arrondissement:5"].owner == "ana"
    shared = shown.places["arrondissement:13"]
    assert shared.marks == ("shared",)
    assert [one.commodity for one in shared.pieces or ()] == ["server:ana", "influence:bob"]


@pytest.mark.rule("vr:secrecy.1", "vr:corruption.1", "vr:secrecy.6")
def test_hands_and_objectives_are_shown_to_their_player_and_the_banker_alone() -> None:
    table = Table()
    table.give("ana", hand=["influence_1"])
    objective = "money_revenue"
    table.give("ana", objectives=[objective])
    for viewer, seen in ((ANA, True), (BANKER, True), (BOB, False), (SPECTATOR, False)):
        text = views(table, viewer)
        assert ("influence_1" in text) is seen
        assert (f'"{objective}"' in text) is seen
    seats = RULEBOOK.screen.view(table.state, BOB)["seats"]
    assert (seats["ana"]["corruption"], seats["ana"]["objectives"]) == (1, 1)


@pytest.mark.rule("vr:promotion.4", "vr:secrecy.5")
def test_a_retired_agent_lies_face_down_and_is_counted() -> None:
    """Bob has seen that Slade retires; on the table he sees one card, and only Ana may look at it."""
    table = Table()
    table.give("ana", service=["slade"])
    table.turn_of("ana", director=5)
    events = table.play("ana", "promote_agent", agent="slade", effect=False)
    assert all(view_event(table.state, event, BOB) == event for event in events)
    for viewer, card in ((ANA, "card:slade"), (BANKER, "card:slade"), (BOB, "card"), (SPECTATOR, "card")):
        assert visible_holdings(RULEBOOK.secrets, table.state, "retired:ana", viewer) == {card: 1}
        assert ("slade" in views(table, viewer)) is (card == "card:slade")
        assert RULEBOOK.screen.view(table.state, viewer)["seats"]["ana"]["retired"] == 1


@pytest.mark.rule("vr:secrecy.2")
def test_a_necro_card_seen_is_known_to_who_looked() -> None:
    table = Table()
    card = "fusillade"
    with table.arranged() as state:
        state.necro_top, state.seen_necro = card, {"ana": card}
    assert f'"{card}"' in views(table, ANA)
    assert f'"{card}"' not in views(table, BOB)


@pytest.mark.rule("vr:setup.19")
def test_the_set_up_waits_for_colours_and_for_the_banker() -> None:
    table = Table(until="setup")
    found = waited_for(table)
    assert found["ana"] == ("choose_colour", "record_objectives")
    assert "deal_objectives" in found["banker"]
    assert waited_for(Table(until="setup", dice="service"))["banker"] == ("prepare_table",)


@pytest.mark.rule("vr:turn.6")
def test_a_turn_waits_for_a_director_then_for_its_end() -> None:
    table = Table()
    assert waited_for(table) == {"ana": ("place_director",)}
    table.turn_of("ana", director=5)
    assert waited_for(table) == {"ana": ("end_turn",)}
    assert RULEBOOK.screen.phase(table.state, "fr").id == "turn_2"


@pytest.mark.rule("vr:raid.4")
def test_a_raid_waits_for_each_card_and_offers_immunity() -> None:
    table = Table()
    table.put("ana", influence={5: 1, 21: 1, 1: 1}, servers=[13, 5])
    table.give("ana", immunity=1, raided=["influence_1"])
    with table.arranged() as state:
        state.stage, state.turn, state.raid = "raid", None, Raid(seat="ana", cards=1)
    assert waited_for(table)["ana"][-1] == "avoid_corruption"


@pytest.mark.rule("vr:secrecy.4")
def test_an_exchange_names_the_cards_for_the_one_who_looks_alone() -> None:
    table = Table()
    table.turn_of("ana", director=5)
    table.give("ana", hand=["influence_1"])
    table.give("bob", hand=["influence_2"])
    with table.arranged() as state:
        state.demands = (Demand(kind="exchange", seat="ana", by="clarisse", rule="vr:agent.1", of="bob"),)
    assert waited_for(table, ANA)["ana"] == ("exchange_corruption:influence_2",)
    assert waited_for(table, SPECTATOR)["ana"] == ()
    assert "influence_2" in views(table, ANA)
    assert "influence_2" not in views(table, SPECTATOR)
