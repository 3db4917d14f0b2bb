"""The score, line by line."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.audience import BANKER
from ledger.reading.money.standings import standings
from ledger.rulebooks.virtual_revolution.scores.scores import objective_line, score, score_so_far, total
from ledger.rulebooks.virtual_revolution.table.terms import Chosen, Line, ScoreChange
from tests.virtual_revolution.ending import LAST, attack
from tests.virtual_revolution.table import Table


def line(table: Table, what: str, *, of: str = "", seat: str = "ana") -> Line:
    """One line of a seat's score."""
    (found,) = [one for one in score(table.state, seat, None) if one.what == what and one.of == of]
    return found


def verse(table: Table, of: str) -> tuple[int, str]:
    """The points of ana's Verse, and the rule."""
    found = line(table, "verse", of=of)
    return found.points, found.rule


def objective(table: Table, of: str, verse_type: str | None = None) -> tuple[int, str]:
    """The points that ana's Objective would bring, and the rule."""
    found = objective_line(table.state, "ana", Chosen(objective=of, verse_type=verse_type))  # type: ignore[arg-type]
    return found.points, found.rule


def changed(table: Table, line: str, amount: int, *, is_cap: bool = False) -> None:
    """A Necro card has changed ana's score."""
    with table.arranged() as state:
        change = ScoreChange(seat="ana", line=line, amount=amount, rule="vr:necro_card.12", is_cap=is_cap)  # type: ignore[arg-type]
        state.changes = (*state.changes, change)


@pytest.mark.rule("vr:scoring.1")
@pytest.mark.rule("vr:scoring.2")
@pytest.mark.rule("vr:scoring.3")
def test_tokens_money_and_revenue() -> None:
    """2 per token, 1 per full 5 eurocredits, 1 per point of Revenue."""
    table = Table()
    table.give("ana", eurocredit=14, revenue=7, vp2_token=3)
    assert [
        (line(table, what).count, line(table, what).points) for what in ("vp2_token", "eurocredit", "revenue")
    ] == [
        (3, 6),
        (14, 2),
        (7, 7),
    ]


@pytest.mark.rule("vr:scoring.4")
@pytest.mark.rule("vr:title.1")
@pytest.mark.rule("vr:title.2")
@pytest.mark.rule("vr:server.11")
def test_controlled_arrondissements() -> None:
    """2 each, by tokens or a Server; one controlled by two players counts for both."""
    table = Table()
    table.put("ana", influence={5: 2, 6: 1}, servers=[9])
    table.put("bob", influence={9: 1})
    assert line(table, "arrondissement").points == 6
    assert line(table, "arrondissement", seat="bob").points == 2


@pytest.mark.rule("vr:scoring.5")
def test_titles() -> None:
    """10 each."""
    table = Table()
    table.give("ana", titles=["ND", "MA"])
    assert line(table, "title").points == 20


@pytest.mark.rule("vr:scoring.6")
@pytest.mark.rule("vr:scoring.7")
def test_agents_and_trios() -> None:
    """Eight Agents with two trios score 8 + 5 + 5: in service, in Boost and retired."""
    table = Table()
    table.give("ana", service=["leslie", "pixel", "clarisse"], boosts=["camille", "megabyte"])
    table.give("ana", retired=["princess", "lance", "zero"])
    agents = table.state.edition.pieces.agents
    kinds = sorted(agents[one].type for one in ("leslie", "pixel", "clarisse", "camille", "megabyte", "princess"))
    assert kinds == sorted(["combatant", "technician", "diplomat"] * 2)
    assert (line(table, "agent").points, line(table, "agent_trio").points) == (8, 10)


@pytest.mark.rule("vr:scoring.8")
@pytest.mark.parametrize(
    ("servers", "points"), [(0, 0), (1, 1), (2, 3), (3, 6), (4, 10), (5, 15), (6, 21), (7, 28)]
)
def test_servers_by_their_number(servers: int, points: int) -> None:
    """Those in play."""
    table = Table()
    table.put("ana", servers=range(1, servers + 1))
    assert line(table, "server").points == points


@pytest.mark.rule("vr:scoring.9")
@pytest.mark.rule("vr:verse.13")
@pytest.mark.rule("vr:verse_card.32")
@pytest.mark.rule("vr:verse_card.33")
def test_a_verse_scores_online_and_at_most_ten() -> None:
    """In Loading it scores nothing by itself, but counts where Verses owned are counted."""
    table = Table()
    table.give(
        "ana", boosts=["boost_work", "boost_recruit", "boost_donation", "boost_server_money", "boost_verse_money"]
    )
    table.give("ana", verses=["castle_in_the_air"])
    assert [one for one in score(table.state, "ana", None) if one.what == "verse"] == []
    assert objective(table, "verses") == (5, "vr:objective.3")
    table.give("ana", online=["castle_in_the_air"])
    assert verse(table, "castle_in_the_air") == (10, "vr:verse_card.33")


@pytest.mark.rule("vr:verse_card.2")
def test_verses_that_count_agents_of_a_type() -> None:
    """Westland counts Combatants wherever they are."""
    table = Table()
    table.give("ana", online=["westland"], service=["leslie"], boosts=["camille"], retired=["zero"])
    assert verse(table, "westland") == (9, "vr:verse_card.2")


@pytest.mark.rule("vr:verse_card.4")
def test_verses_that_count_verses_of_a_type() -> None:
    """Conquistadores counts Adventure, itself too, online or not."""
    table = Table()
    table.give("ana", online=["conquistadores"], verses=["jurassic_land", "elassar"])
    types = table.state.edition.pieces.verses
    mine = sum(types[one].type == "adventure" for one in ("conquistadores", "jurassic_land", "elassar"))
    assert verse(table, "conquistadores") == (3 * mine, "vr:verse_card.4")


@pytest.mark.rule("vr:verse_card.6")
@pytest.mark.rule("vr:verse_card.14")
def test_verses_that_count_controlled_arrondissements() -> None:
    """Venizia: 2 for each of Marais and Pigalle; Paris 1920: 3 for each of Néo District."""
    table = Table()
    members = table.state.edition.pieces.members
    table.put(
        "ana", influence={members["MA"][0]: 1, members["ND"][0]: 1}, servers=[members["PI"][0], members["ND"][1]]
    )
    table.give("ana", online=["venizia", "paris_1920"])
    assert verse(table, "venizia") == (4, "vr:verse_card.6")
    assert verse(table, "paris_1920") == (6, "vr:verse_card.14")


@pytest.mark.rule("vr:verse_card.8")
def test_dark_kingdom_counts_trios() -> None:
    """5 for each, on top of the general ones."""
    table = Table()
    table.give("ana", online=["dark_kingdom"], retired=["leslie", "pixel", "clarisse"])
    assert verse(table, "dark_kingdom") == (5, "vr:verse_card.8")
    assert line(table, "agent_trio").points == 5


@pytest.mark.rule("vr:verse_card.10")
def test_mythologia_counts_horror_verses() -> None:
    """Online or not."""
    table = Table()
    table.give("ana", online=["mythologia"], verses=["the_howling", "westland"])
    types = table.state.edition.pieces.verses
    mine = sum(types[one].type == "horror" for one in ("mythologia", "the_howling", "westland"))
    assert verse(table, "mythologia") == (3 * mine, "vr:verse_card.10")


@pytest.mark.rule("vr:verse_card.12")
def test_the_curse_counts_the_cards_of_the_final_raid() -> None:
    """As they were before any effect of the raid; until then the cards in hand."""
    table = Table()
    table.give("ana", online=["the_curse"], hand=["server_1", "server_2", "server_3"], immunity=0)
    assert verse(table, "the_curse") == (6, "vr:verse_card.12")
    table.give("bob", immunity=0)
    table.give("cid", immunity=0)
    attack(table, "sabotage", number=LAST)
    assert table.hand("ana") == []
    assert verse(table, "the_curse") == (6, "vr:verse_card.12")


@pytest.mark.rule("vr:verse_card.16")
def test_the_howling_counts_districts_without_influence() -> None:
    """Servers do not matter."""
    table = Table()
    members = table.state.edition.pieces.members
    table.put("ana", influence={members[one][0]: 1 for one in ("ND", "MA", "PI")}, servers=[members["QL"][0]])
    table.give("ana", online=["the_howling"])
    assert verse(table, "the_howling") == (8, "vr:verse_card.16")


@pytest.mark.rule("vr:verse_card.18")
def test_the_archipelago_counts_arrondissements_with_two_tokens() -> None:
    """At least two."""
    table = Table()
    table.put("ana", influence={1: 2, 2: 3, 3: 1})
    table.give("ana", online=["the_archipelago"])
    assert verse(table, "the_archipelago") == (6, "vr:verse_card.18")


@pytest.mark.rule("vr:verse_card.20")
def test_london_counts_tokens_in_the_recycling_zone() -> None:
    """3 for each, at most 10."""
    table = Table()
    table.put("ana", recycled=2)
    table.give("ana", online=["london_1884"])
    assert verse(table, "london_1884") == (6, "vr:verse_card.20")


@pytest.mark.rule("vr:verse_card.22")
@pytest.mark.rule("vr:verse_card.23")
def test_fewest_and_most_eurocredits() -> None:
    """7 points, alone or tied."""
    table = Table()
    table.give("ana", online=["the_codex", "multiverse"])
    assert verse(table, "the_codex") == (7, "vr:verse_card.22")
    assert verse(table, "multiverse") == (7, "vr:verse_card.23")
    table.give("bob", eurocredit=11)
    assert verse(table, "multiverse") == (0, "vr:verse_card.23")
    table.give("cid", eurocredit=1)
    assert verse(table, "the_codex") == (0, "vr:verse_card.22")


@pytest.mark.rule("vr:verse_card.24")
@pytest.mark.rule("vr:verse_card.25")
def test_most_and_fewest_influence_in_neo_paris() -> None:
    """7 points, alone or tied; tokens on boards and in recycling do not count."""
    table = Table()
    table.put("ana", influence={1: 2}, recycled=3)
    table.put("bob", influence={2: 2})
    table.put("cid", influence={3: 1})
    table.give("ana", online=["steampunk_worlds"])
    table.give("cid", online=["the_cyclades"])
    assert verse(table, "steampunk_worlds") == (7, "vr:verse_card.24")
    found = line(table, "verse", of="the_cyclades", seat="cid")
    assert (found.points, found.rule) == (7, "vr:verse_card.25")


@pytest.mark.rule("vr:verse_card.27")
@pytest.mark.rule("vr:verse_card.29")
@pytest.mark.rule("vr:verse_card.31")
def test_verses_that_count_boosts_servers_and_immunity() -> None:
    """2 for each."""
    table = Table()
    table.give("ana", online=["from_ashes_to_ashes", "outpost_53", "jurassic_land"], immunity=4)
    table.give("ana", boosts=["boost_work", "leslie"])
    table.put("ana", servers=[1, 5, 9])
    assert verse(table, "from_ashes_to_ashes") == (4, "vr:verse_card.27")
    assert verse(table, "outpost_53") == (6, "vr:verse_card.29")
    assert verse(table, "jurassic_land") == (8, "vr:verse_card.31")


@pytest.mark.rule("vr:scoring.11")
@pytest.mark.rule("vr:objective.3")
def test_no_objective_scores_more_than_thirty() -> None:
    """7 Verses at 5 give 30."""
    table = Table()
    names = [one.id for one in table.state.edition.pieces.verse if one.id not in table.state.display]
    table.give("ana", verses=names[:7])
    assert objective(table, "verses") == (30, "vr:objective.3")


@pytest.mark.rule("vr:objective.1")
@pytest.mark.rule("vr:objective.10")
def test_objectives_of_money_and_revenue() -> None:
    """3 per full 2 points of Revenue; 1 per full 2 eurocredits and 1 per point of Revenue."""
    table = Table()
    table.give("ana", revenue=15, eurocredit=9)
    assert objective(table, "revenue") == (21, "vr:objective.1")
    assert objective(table, "money_revenue") == (19, "vr:objective.10")


@pytest.mark.rule("vr:objective.2")
def test_the_objective_of_servers() -> None:
    """5 each, on top of the table of Servers."""
    table = Table()
    table.put("ana", servers=[1, 5])
    assert objective(table, "servers") == (10, "vr:objective.2")
    assert line(table, "server").points == 3


@pytest.mark.rule("vr:objective.4")
@pytest.mark.rule("vr:objective.5")
def test_objectives_of_types_of_verses() -> None:
    """7 per different type; 7 per Verse of the type chosen; online or not."""
    table = Table()
    verses = table.state.edition.pieces.verse
    horror = [one.id for one in verses if one.type == "horror" and one.id not in table.state.display][:2]
    fantasy = [one.id for one in verses if one.type == "fantasy" and one.id not in table.state.display][:1]
    table.give("ana", verses=horror, online=fantasy)
    assert objective(table, "verse_types") == (14, "vr:objective.4")
    assert objective(table, "verse_same_type", "horror") == (14, "vr:objective.5")
    assert objective(table, "verse_same_type", "fantasy") == (7, "vr:objective.5")


@pytest.mark.rule("vr:objective.6")
@pytest.mark.rule("vr:objective.7")
@pytest.mark.rule("vr:objective.8")
@pytest.mark.parametrize(("players", "places", "empty", "titles"), [(2, 2, 7, 8), (3, 3, 6, 10), (4, 4, 5, 12)])
def test_objectives_by_the_number_of_players(players: int, places: int, empty: int, titles: int) -> None:
    """Controlled arrondissements, districts without influence, Titles."""
    table = Table(seats=("ana", "bob", "cid", "dan")[:players])
    members = table.state.edition.pieces.members
    table.put("ana", influence={members[one][0]: 1 for one in ("ND", "MA", "PI", "DR", "QL")})
    table.give("ana", titles=["ND"])
    assert objective(table, "arrondissements") == (5 * places, "vr:objective.6")
    assert objective(table, "empty_districts") == (2 * empty, "vr:objective.7")
    assert objective(table, "titles") == (titles, "vr:objective.8")


@pytest.mark.rule("vr:objective.9")
def test_the_objective_of_agents_by_type_and_level() -> None:
    """Both lines are added; an Agent with a chosen type counts as that type."""
    table = Table()
    table.give("ana", service=["leslie", "nash"], boosts=["pixel"], retired=["mme_tropovicz"])
    agents = table.state.edition.pieces.agents
    assert [(agents[one].type, agents[one].level) for one in ("leslie", "nash", "pixel", "mme_tropovicz")] == [
        ("combatant", 1),
        ("combatant", 2),
        ("technician", 1),
        ("diplomat", 2),
    ]
    assert objective(table, "agents_1") == (5 + 7 + 2, "vr:objective.9")
    with table.arranged() as state:
        state.types["mme_tropovicz"] = "technician"
    assert objective(table, "agents_1") == (5 + 7 + 2 + 3, "vr:objective.9")


@pytest.mark.rule("vr:necro_card.12")
@pytest.mark.rule("vr:necro_card.13")
@pytest.mark.rule("vr:necro_card.14")
def test_what_necro_cards_change_in_a_score() -> None:
    """Caps on Verses and Objectives; less for each trio and Title; points lost outright."""
    table = Table()
    table.give("ana", online=["from_ashes_to_ashes"], titles=["ND", "MA"], revenue=20)
    table.give("ana", boosts=["boost_work", "leslie", "pixel", "princess", "clarisse"])
    assert verse(table, "from_ashes_to_ashes")[0] == 10
    assert objective(table, "revenue")[0] == 30
    changed(table, "verse", 8, is_cap=True)
    changed(table, "objective", 25, is_cap=True)
    changed(table, "agent_trio", -2)
    changed(table, "title", -3)
    changed(table, "points", -5)
    assert verse(table, "from_ashes_to_ashes")[0] == 8
    assert objective(table, "revenue")[0] == 25
    found = {
        one.what: (one.count, one.points, one.rule) for one in score(table.state, "ana", None) if one.of == "necro"
    }
    assert found == {
        "agent_trio": (1, -2, "vr:necro_card.12"),
        "title": (2, -6, "vr:necro_card.12"),
        "points": (1, -5, "vr:necro_card.12"),
    }


@pytest.mark.rule("vr:scoring.12")
def test_the_most_points_win() -> None:
    """The lines of everybody are in the state, each with its rule; their sum is the total."""
    table = final(ana={"revenue": 9}, bob={"revenue": 5}, cid={"revenue": 5})
    assert table.state.winners == ("ana",)
    assert total(table.state.scores["ana"]) > total(table.state.scores["bob"])
    assert all(one.rule in table.rulebook.register for lines in table.state.scores.values() for one in lines)


def places(table: Table) -> dict[str, object]:
    """The places at the end, as the banker reads them."""
    return {one.seat: one.place for one in standings(table.rulebook, table.state, BANKER)}


def test_worth_is_counted_in_victory_points() -> None:
    """A seat begins with 10 eurocredits, and is worth 7 victory points."""
    table = Table()
    assert table.rulebook.score.unit in table.rulebook.accounts.commodities(table.state)
    assert {(one.cash, one.worth) for one in standings(table.rulebook, table.state, BANKER)} == {(10, 7)}


@pytest.mark.rule("vr:scoring.13")
def test_among_equals_the_most_eurocredits_win() -> None:
    """9 and 8 eurocredits score the same."""
    table = final(ana={"eurocredit": 8}, bob={"eurocredit": 9}, cid={"eurocredit": 4})
    assert total(table.state.scores["ana"]) == total(table.state.scores["bob"])
    assert table.state.winners == ("bob",)
    assert places(table) == {"ana": 2, "bob": 1, "cid": 3}


@pytest.mark.rule("vr:scoring.14")
def test_a_victory_may_be_shared() -> None:
    """Equal in points and eurocredits."""
    table = final(ana={}, bob={}, cid={"revenue": 4})
    assert table.state.winners == ("ana", "bob")
    assert places(table) == {"ana": 1, "bob": 1, "cid": 3}


@pytest.mark.rule("vr:scoring.10")
def test_the_objective_chosen_is_scored_and_the_other_is_not() -> None:
    """The score so far has the best of the own Objectives for their player alone."""
    table = Table()
    for seat in table.seats:
        table.give(seat, immunity=0)
    table.give("ana", objectives=["servers", "revenue"])
    public = score_so_far(table.state, "ana", objectives=False)
    own = score_so_far(table.state, "ana", objectives=True)
    assert [one for one in public if one.what == "objective"] == []
    assert [one.of for one in own if one.what == "objective"] == ["revenue"]
    attack(table, "virus", number=LAST)
    table.play("ana", "choose_objective", objective="servers")
    lines = table.state.scores["ana"]
    assert [(one.of, one.points) for one in lines if one.what == "objective"] == [("servers", 0)]


def final(**seats: dict[str, int]) -> Table:
    """A game that ends with these things, and nothing else."""
    table = Table()
    for seat, things in seats.items():
        table.give(seat, **{"immunity": 0, **things})
    attack(table, "sabotage", number=LAST)
    return table
