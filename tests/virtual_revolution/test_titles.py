"""Titles: control of a district, won and lost at once, used once per round (vr:title.*)."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.accounts import Posting
from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.decks.corruption import CorruptionDrawn
from ledger.rulebooks.virtual_revolution.decks.decking import NecroPeeked
from ledger.rulebooks.virtual_revolution.map.titles import TitleAwarded, TitleReturned
from ledger.rulebooks.virtual_revolution.table.state import controls, holder_of
from ledger.rulebooks.virtual_revolution.table.terms import NECRO, TITLES, title
from tests.virtual_revolution.table import Table


def at(place: int, **titles: list[str]) -> Table:
    """Ana's turn, with her Director in an arrondissement; Titles by seat."""
    table = Table()
    for seat, districts in titles.items():
        table.give(seat, titles=districts)
    table.turn_of("ana", director=place)
    return table


@pytest.mark.rule("vr:setup.26")
def test_the_seven_titles_start_beside_the_board() -> None:
    table = Table(until="setup")
    assert set(table.state.holdings.account(TITLES)) == {
        title(one) for one in ("ND", "MA", "PI", "DR", "QL", "NA", "CE")
    }
    assert {holder_of(table.state, one) for one in table.state.edition.pieces.titles} == {None}


@pytest.mark.rule("vr:title.1", "vr:title.2", "vr:server.11")
def test_a_token_or_a_server_controls_and_two_players_may() -> None:
    table = Table()
    table.put("ana", influence={5: 1})
    table.put("bob", servers=[5])
    assert controls(table.state, "ana", 5)
    assert controls(table.state, "bob", 5)
    assert not controls(table.state, "cid", 5)


@pytest.mark.rule("vr:title.3", "vr:title.6")
def test_who_controls_a_whole_district_takes_its_title_at_once() -> None:
    """Néo District is 21, 22 and 23: a token, a Server, and the token that Ana adds."""
    table = at(23)
    table.put("ana", influence={21: 1}, servers=[22])
    events = table.play("ana", "influence_add", drawn=["influence_1"])
    assert holder_of(table.state, "ND") == "ana"
    kinds = [type(one) for one in events]
    assert kinds.index(TitleAwarded) < kinds.index(CorruptionDrawn)


@pytest.mark.rule("vr:title.3")
def test_a_title_is_won_out_of_one_s_turn() -> None:
    """Bob holds the Title and has lost one place. Ana eliminates his second: it goes to cid, who has Servers."""
    table = at(22, bob=["ND"])
    table.put("bob", influence={22: 1, 23: 1})
    table.put("cid", influence={21: 1}, servers=[22, 23])
    events = table.play("ana", "influence_eliminate", drawn=["influence_1"])
    assert [type(one) for one in events[1:3]] == [TitleReturned, TitleAwarded]
    assert holder_of(table.state, "ND") == "cid"


@pytest.mark.rule("vr:title.3")
def test_a_title_stays_with_its_holder_until_it_is_lost() -> None:
    """Ana controls all three places; Bob has lost one only."""
    table = at(21, bob=["ND"])
    table.put("bob", influence={22: 1}, servers=[23])
    table.put("ana", servers=[22], influence={23: 1})
    table.play("ana", "influence_add", drawn=["influence_1"])
    assert holder_of(table.state, "ND") == "bob"


@pytest.mark.rule("vr:title.4", "vr:title.5")
def test_a_title_is_lost_with_the_second_place_and_can_be_won_again() -> None:
    table = at(21, bob=["ND"])
    table.put("bob", influence={21: 1, 22: 1, 23: 1})
    table.play("ana", "influence_eliminate", drawn=["influence_1"])
    assert holder_of(table.state, "ND") == "bob"
    table.turn_of("ana", director=22)
    table.play("ana", "influence_eliminate", drawn=["influence_2"])
    assert holder_of(table.state, "ND") is None
    table.put("bob", influence={22: 1})
    table.turn_of("bob", director=21)
    table.play("bob", "influence_add", drawn=["influence_3"])
    assert holder_of(table.state, "ND") == "bob"


@pytest.mark.rule("vr:title.6")
def test_a_moved_token_counts_where_it_comes_from_as_well() -> None:
    """Ana holds ND and has lost 21 already: with her last token of 22 the Title goes."""
    table = at(5, ana=["ND"])
    table.put("ana", influence={22: 1, 23: 1})
    table.play("ana", "influence_move", source=22)
    assert holder_of(table.state, "ND") is None


@pytest.mark.rule("vr:title.7")
def test_a_title_is_used_once_per_round_in_one_s_own_turn() -> None:
    table = at(5, ana=["MA"], bob=["ND"])
    table.play("ana", "activate_title", title="MA", drawn=["server_1", "server_2"])
    table.refused("ana", "activate_title", "vr:title.7", title="MA", drawn=["server_3", "server_4"])
    table.refused("ana", "activate_title", "vr:title.7", title="ND")
    table.refused("ana", "activate_title", "vr:title.7", title="nowhere")
    table.refused("bob", "activate_title", "vr:turn.5", title="ND")


@pytest.mark.rule("vr:turn.4", "vr:turn.6")
def test_a_title_needs_no_director() -> None:
    table = Table()
    table.give("ana", titles=["ND"])
    table.play("ana", "activate_title", title="ND")


@pytest.mark.rule("vr:title.8")
def test_a_used_title_stays_tilted_unless_it_is_lost() -> None:
    """Ana uses ND, loses it to nobody, and Bob wins it upright in the same round."""
    table = at(21, ana=["ND"])
    table.put("ana", influence={21: 1, 22: 1})
    table.put("bob", influence={23: 1}, servers=[22])
    table.play("ana", "activate_title", title="ND")
    assert table.state.tilted == {title("ND")}
    table.play("ana", "influence_eliminate", drawn=["influence_1"])
    assert table.state.tilted == frozenset()
    table.turn_of("bob", director=21)
    table.play("bob", "influence_add", drawn=["influence_2"])
    table.play("bob", "activate_title", title="ND")


@pytest.mark.rule("vr:title.9", "vr:secrecy.2")
def test_neo_district_shows_the_necro_card_to_its_holder_alone() -> None:
    """The card stays on the deck; that Ana looks is public."""
    table = at(5, ana=["ND"])
    table.play("ana", "activate_title", title="ND", drawn=["chantage"])
    assert table.state.seen_necro == {"ana": "chantage"}
    assert table.state.holdings.of(decks.pile(NECRO), "card:chantage") == 1
    assert "chantage" in str(table.seen_by("ana"))
    for other in ("bob", None):
        assert [type(one) for one in table.seen_by(other)][-1] is NecroPeeked
        assert "chantage" not in str(table.seen_by(other))


@pytest.mark.rule("vr:secrecy.2", "vr:secrecy.6")
def test_a_physical_table_may_keep_a_peeked_card_to_itself() -> None:
    table = at(5, ana=["ND"])
    events = table.play("ana", "activate_title", title="ND")
    assert [one.card for one in events if isinstance(one, NecroPeeked)] == [None]
    assert table.state.seen_necro == {"ana": ""}


@pytest.mark.rule("vr:title.9")
def test_two_who_look_see_the_same_card_where_the_service_draws() -> None:
    table = Table(dice="service", seed=4)
    table.give("ana", titles=["ND"])
    table.play("ana", "activate_title", title="ND")
    card = table.state.necro_top
    table.give("bob", titles=["MA"])
    with table.arranged() as state:
        state.holdings.post(Posting(title("ND"), 1, "player:ana", "player:bob"))
        state.tilted = frozenset()
    table.turn_of("bob")
    table.play("bob", "activate_title", title="ND")
    assert table.state.seen_necro == {"ana": card, "bob": card}


@pytest.mark.rule("vr:title.10")
def test_marais_draws_two_and_discards_two_drawn_ones_allowed() -> None:
    table = at(5, ana=["MA"])
    table.give("ana", hand=["verse_1"])
    table.play("ana", "activate_title", title="MA", drawn=["server_1", "server_2"])
    table.play("ana", "discard_corruption", cards=["server_1", "server_2"])
    assert table.hand("ana") == ["verse_1"]


@pytest.mark.rule("vr:title.11")
def test_pigalle_sets_a_used_agent_upright() -> None:
    table = at(5, ana=["PI"])
    table.give("ana", service=["leslie", "pixel"])
    table.refused("ana", "activate_title", "vr:title.11", title="PI")
    with table.arranged() as state:
        state.tilted = frozenset({"card:leslie"})
    table.refused("ana", "activate_title", "vr:title.11", title="PI", picks=[{"agent": "pixel"}])
    table.play("ana", "activate_title", title="PI", picks=[{"agent": "leslie"}])
    assert table.state.tilted == {title("PI")}


@pytest.mark.rule("vr:title.11")
def test_pigalle_s_holder_chooses_among_several_used_agents() -> None:
    table = at(5, ana=["PI"])
    table.give("ana", service=["leslie", "pixel"])
    with table.arranged() as state:
        state.tilted = frozenset({"card:leslie", "card:pixel"})
    table.refused("ana", "activate_title", "vr:title.11", title="PI")
    table.play("ana", "activate_title", title="PI", picks=[{"agent": "pixel"}])
    assert table.state.tilted == {"card:leslie", title("PI")}


@pytest.mark.rule("vr:title.15", "vr:server.12")
def test_champs_elysees_sells_a_server_or_a_verse_for_ten() -> None:
    """The Server goes back to the reserve, the Verse, online or not, under its deck."""
    table = at(5, ana=["CE"])
    for option in (0, 1):
        table.refused("ana", "activate_title", "vr:title.15", title="CE", picks=[{"option": option}])
    assert not table.offers("ana", "activate_title")
    table.put("ana", servers=[22])
    table.give("ana", online=["exoplanet"])
    offered = [one["picks"] for one in table.offers("ana", "activate_title")]
    assert offered == [[{"option": 0, "place": 22}], [{"option": 1, "verse": "exoplanet"}]]
    table.play("ana", "activate_title", title="CE", picks=offered[0])
    assert table.cash("ana") == 20
    assert table.state.holdings.of("player:ana", "server:ana") == 7
    with table.arranged() as state:
        state.tilted = frozenset()
    table.play("ana", "activate_title", title="CE", picks=offered[1])
    assert (table.cash("ana"), table.state.under) == (30, ("exoplanet",))


@pytest.mark.parametrize(
    ("district", "rule"),
    [
        pytest.param("DR", "vr:title.12", marks=pytest.mark.rule("vr:title.12")),
        pytest.param("QL", "vr:title.13", marks=pytest.mark.rule("vr:title.13")),
        pytest.param("NA", "vr:title.14", marks=pytest.mark.rule("vr:title.14")),
    ],
)
def test_titles_for_an_action_or_a_raid_are_declared_with_it(district: str, rule: str) -> None:
    table = at(5, ana=[district])
    table.refused("ana", "activate_title", rule, title=district)
    assert not table.offers("ana", "activate_title")


@pytest.mark.rule("vr:title.6", "vr:banker.1")
def test_a_ruling_that_moves_influence_moves_titles_too() -> None:
    table = Table()
    table.put("ana", influence={21: 1, 22: 1})
    moved = {"commodity": "influence:ana", "from": "player:ana", "to": "arrondissement:23", "amount": 1}
    forgotten = {"op": "adjust", "reason": "a token was forgotten", "postings": [moved]}
    table.banker("rule", finding="it belongs there", remedies=[forgotten])
    assert holder_of(table.state, "ND") == "ana"
