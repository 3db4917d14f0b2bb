"""A table brings its own districts, adjacency, Verse types, Corruption cards: an edition, checked part by part."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import pytest

from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.facts.state import Seat
from ledger.kernel.rules.opening import Opening
from ledger.rulebooks.parts.fitting import MOST_BYTES, MOST_FAULTS
from ledger.rulebooks.virtual_revolution.own_pieces import check, check_settings, settings_of, whole
from ledger.rulebooks.virtual_revolution.own_pieces.shape import TABLES
from ledger.rulebooks.virtual_revolution.rulebook import RULEBOOK
from ledger.rulebooks.virtual_revolution.table.edition import EDITION
from ledger.rulebooks.virtual_revolution.table.settings import Settings
from tests.virtual_revolution.table import Table

PLAIN: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(EDITION.pieces))


def brought(*tables: str, **more: Any) -> dict[str, Any]:
    """An edition with copies of these tables, to be changed."""
    found = {name: copy.deepcopy(PLAIN[TABLES[name].encode_name]) for name in tables}
    return {"title": "Our town", **found, **more}


def only(edition: dict[str, Any]) -> tuple[str, str]:
    """The place and the English reason of the one fault."""
    found = check(edition)
    assert len(found) == 1, found
    assert found[0].fr
    assert found[0].fr != found[0].en
    return found[0].place, found[0].en


def place(edition: dict[str, Any], number: int) -> dict[str, Any]:
    """The row of an arrondissement."""
    row: dict[str, Any] = next(one for one in edition["arrondissement"] if one["number"] == number)
    return row


# Bringing pieces ------------------------------------------------------------------------------------


@pytest.mark.rule("vr:banker.2")
def test_a_table_leaves_out_what_it_does_not_change() -> None:
    """Every table of the rulebook may be brought, and none need be; of the numbers, any."""
    assert check(brought()) == []
    assert check(brought(*TABLES.keys() - {"face"})) == []
    own = brought(amounts={"work_gain": 6}, options={"answer_seconds": 30})
    assert check(own) == []
    settings = settings_of(own, {"answer_seconds": 40})
    assert settings["answer_seconds"] == 40
    table = Table(settings=settings)
    assert table.state.edition.pieces.amounts.work_gain == 6
    assert table.state.edition.pieces.amounts.work_gain != EDITION.pieces.amounts.work_gain
    assert table.state.edition.pieces.agent == EDITION.pieces.agent


@pytest.mark.rule("vr:banker.2", "vr:setup.31")
def test_a_game_on_another_map() -> None:
    """Four districts, and the arrondissements in a ring; the cards that named the others name these."""
    names = {"ND": "ND", "MA": "MA", "PI": "PI", "DR": "DR", "QL": "ND", "NA": "MA", "CE": "PI"}

    def renamed(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: renamed(one) for key, one in value.items()}
        if isinstance(value, list | tuple):
            return list(dict.fromkeys(map(renamed, value))) if all(isinstance(one, str) for one in value) else [
                renamed(one) for one in value
            ]  # fmt: skip
        return names.get(value, value) if isinstance(value, str) else value

    tables = ("agent", "verse", "corruption", "objective", "titles")
    own = {name: renamed(one) if name != "title" else one for name, one in brought(*tables).items()}
    four = ("ND", "MA", "PI", "DR")
    own["titles"] = [{**one, "district": name} for one, name in zip(own["titles"], four, strict=False)]
    own["district"] = [{"id": one, "name": one} for one in four]
    own["arrondissement"] = [
        {"number": one, "district": four[one % 4], "adjacent": [one % 23 + 1, (one - 2) % 23 + 1]}
        for one in range(1, 24)
    ]
    assert check(own) == []
    table = Table(settings=settings_of(own, {}))
    assert set(table.state.edition.pieces.members) == {"ND", "MA", "PI", "DR"}
    table.play("ana", "place_director", place=23)
    table.refused("ana", "place_director", "vr:director.2", place=24)


@pytest.mark.rule("vr:banker.2")
def test_the_pieces_are_stored_with_the_game() -> None:
    """So its journal, and a snapshot, stand by themselves."""
    table = Table(settings=settings_of(brought(amounts={"rounds": 4, "necro_standard": 3}), {}))
    (laid_out,) = table.journal[0].events
    assert b'"work_gain"' in bytes(laid_out)
    again = RULEBOOK.codec.from_snapshot(RULEBOOK.codec.to_snapshot(table.state))
    assert again.edition.has_own_pieces
    assert again.edition.pieces == table.state.edition.pieces
    assert RULEBOOK.screen.pieces_in_play(again).amounts.rounds == 4


def test_the_rulebook_takes_editions() -> None:
    """As the service asks for it."""
    takes = RULEBOOK.editions
    assert takes is not None
    assert takes.title_of(brought()) == "Our town"
    assert takes.faults_of(brought()) == []


# What has the wrong shape ---------------------------------------------------------------------------


def test_faults_of_shape_are_all_told_with_their_places() -> None:
    own = brought("verse", "district", titel=1, amounts={"work_gain": -1, "salary": 3}, options={"clock": 1})
    own["verse"][2]["type"] = "romance"
    own["verse"][3]["mission"] = {"op": "win"}
    own["verse"][4]["end"]["vp"] = 2_000
    own["district"][0]["id"] = "Néo"
    del own["district"][1]["name"]
    found = {one.place: one.en for one in check(own)}
    assert found["/verse/2/type"].startswith('"romance" is none of: science_fiction')
    assert found["/verse/3/mission/op"].startswith('"win" is none of: none, agents_in_service')
    assert found["/verse/4/end/vp"] == "at most 1000 (got 2000)"
    assert found["/district/0/id"] == 'an id has 1 to 40 letters, digits and _ (got "Néo")'
    assert found["/district/1/name"] == "`name` is missing"
    assert found["/amounts/work_gain"] == "at least 0 (got -1)"
    assert found["/amounts/salary"].startswith('there is no "salary" here')
    assert found["/options/clock"].startswith('there is no option "clock"')
    assert found["/titel"].startswith('there is no "titel" here')
    assert len(found) == 9


@pytest.mark.parametrize(
    ("document", "where"),
    [
        ([], ""),
        ({}, "/title"),
        ({"title": " "}, "/title"),
        ({"title": "\u200b"}, "/title"),
        ({"title": "Our\u202etown"}, "/title"),
        ({"title": "Our town", "options": []}, "/options"),
        ({"title": "Our town", "district": [{"id": "A", "name": "x" * 300_000}]}, ""),
        ({"title": "Our town", "amounts": 3}, "/amounts"),
        ({"title": "Our town", "amounts": {"rounds": 1.5}}, "/amounts/rounds"),
        ({"title": "Our town", "agent": [{}] * 300}, "/agent"),
    ],
)
def test_what_is_no_edition(document: Any, where: str) -> None:
    assert [one.place for one in check(document)][:1] == [where]


def test_no_more_than_a_hundred_faults_are_told() -> None:
    assert len(check(brought(agent=[{}] * 150))) == MOST_FAULTS
    assert len(msgspec.json.encode(PLAIN)) < MOST_BYTES


# What does not fit together -------------------------------------------------------------------------


@pytest.mark.rule("vr:setup.31")
def test_adjacency_goes_both_ways_and_reaches_everywhere() -> None:
    own = brought("arrondissement")
    place(own, 13)["adjacent"].remove(14)
    assert only(own)[1] == "13 is not adjacent to 14: adjacency goes both ways"
    own = brought("arrondissement")
    place(own, 5)["adjacent"].append(5)
    assert "not to itself" in only(own)[1]
    own = brought("arrondissement")
    place(own, 5)["adjacent"].append(99)
    assert only(own)[1].startswith("there is no arrondissement 99")
    own = brought("arrondissement")
    for near in place(own, 23)["adjacent"]:
        place(own, near)["adjacent"].remove(23)
    place(own, 23)["adjacent"] = []
    where, said = only(own)
    assert said == "no way of adjacent arrondissements leads from 1 to 23"
    assert where == "/arrondissement/22/adjacent"


@pytest.mark.rule("vr:setup.30", "vr:setup.26")
def test_districts_have_arrondissements_and_one_title_each() -> None:
    own = brought("arrondissement")
    place(own, 5)["district"] = "XX"
    assert only(own)[1].startswith('there is no district "XX"; there are: ND, MA')
    own = brought("district", "titles")
    own["district"].append({"id": "XX", "name": "Ixe"})
    places = {one.place for one in check(own)}
    assert places == {"/district/7/id", "/titles", "/amounts/servers"}


@pytest.mark.rule("vr:banker.2")
def test_ids_are_unique_over_all_cards() -> None:
    """A Corruption card may not be called as an Agent is, whichever table is brought."""
    own = brought("corruption")
    own["corruption"][0]["id"] = "leslie"
    assert only(own) == ("/corruption/0/id", '"leslie" is named twice: /agent has this id, too')
    own = brought("verse")
    own["verse"][1]["id"] = own["verse"][0]["id"]
    assert "is named twice: /verse/0/id" in only(own)[1]


@pytest.mark.rule("vr:banker.2")
def test_cards_name_districts_kinds_and_rules_that_there_are() -> None:
    own = brought("corruption", "agent")
    own["corruption"][3]["kind"] = "karma"
    own["corruption"][4]["effects"][0]["districts"] = ["ND", "XX"]
    own["agent"][0]["promotion"][1]["districts"] = ["YY"]
    own["agent"][0]["rules"]["use"] = "vr:agents.99"
    found = {one.place: one.en for one in check(own)}
    assert found["/corruption/3/kind"].startswith('there is no kind "karma"')
    assert found["/corruption/4/effects/0/districts/1"].startswith('there is no district "XX"')
    assert found["/agent/0/promotion/1/districts/0"].startswith('there is no district "YY"')
    assert found["/agent/0/rules/use"] == 'the rulebook has no rule "vr:agents.99"'
    assert len(found) == 4


def test_kept_cards_that_name_another_map_are_told_at_their_table() -> None:
    """The edition does not bring them, and would have to."""
    own = brought("district", "arrondissement", "titles")
    for table in own.values():
        for row in table if isinstance(table, list | tuple) else ():
            row.update({key: "XX" for key in ("id", "district") if row.get(key) == "ND"})
    found = check(own)
    assert {one.place for one in found} == {"/agent", "/verse", "/corruption"}
    assert all('there is no district "ND"' in one.en for one in found)


def test_an_operation_stands_where_the_rulebook_has_it() -> None:
    """What it means elsewhere has not been decided."""
    own = brought("corruption", "boost")
    own["corruption"][0]["effects"] = [{"op": "peek_necro", "which": "next"}]
    own["boost"][0]["effects"][0]["when_action"] = "work"
    found = {one.place: one.en for one in check(own)}
    assert found["/corruption/0/effects/0/op"].startswith('corruption.effects has no operation "peek_necro"')
    assert found["/boost/0/effects/0/when_action"] == "the effects of this Boost belong to make_donation"


@pytest.mark.rule("vr:setup.10", "vr:setup.3")
def test_numbers_fit_those_who_play() -> None:
    """Location cards deal equally: 24 of them to two, three or four; 23 to none; 26 to two alone."""

    def ring(size: int) -> dict[str, Any]:
        own = brought("arrondissement")
        rows = [place(own, min(one, 23)) for one in range(1, size + 1)]
        own["arrondissement"] = [
            {**row, "number": one, "adjacent": sorted({one % size + 1, (one - 2) % size + 1})}
            for one, row in enumerate(rows, start=1)
        ]
        return own

    assert check(ring(23)) == []
    assert check(ring(25)) == []
    assert [one.place for one in check(ring(24))] == ["/arrondissement"]
    for players, fits in ((2, True), (3, False), (4, False)):
        settings = msgspec.convert(settings_of(ring(25), {}), Settings)
        seats = tuple(Seat(one, one.capitalize()) for one in ["ana", "bob", "cid", "dan"][:players])
        opening = Opening(players=seats, settings=settings, dice="table")
        if fits:
            RULEBOOK.play.opening_action(opening)
        else:
            with pytest.raises(Malformed) as refusal:
                RULEBOOK.play.opening_action(opening)
            assert refusal.value.values["place"] == "/pieces/arrondissement"


@pytest.mark.parametrize(
    ("numbers", "where"),
    [
        ({"agent_slots": 6}, "/agent"),
        ({"verse_slots": 25}, "/verse"),
        ({"necro_standard": 5}, "/amounts/necro_standard"),
        ({"servers": 6}, "/amounts/servers"),
        ({"servers": 8}, "/scoring/servers"),
        ({"objectives_dealt": 7}, "/objective"),
        ({"rounds": 6, "necro_standard": 5}, "/agent"),
        ({"immunity_tokens": 1}, "/amounts/immunity_tokens"),
        ({"influence_on_board": {"2": 21, "3": 21}}, "/amounts/influence_on_board/2"),
    ],
)
def test_there_are_enough_of_all_pieces(numbers: dict[str, Any], where: str) -> None:
    assert [one.place for one in check(brought(amounts=numbers))] == [where]


def test_settings_are_checked_without_an_edition_too() -> None:
    """A journal that is imported may hold any pieces."""
    pieces = whole(brought(amounts={"servers": 6}))
    with pytest.raises(Malformed) as refusal:
        check_settings(msgspec.convert({"pieces": pieces}, Settings), 3)
    assert refusal.value.values["place"] == "/pieces/amounts/servers"


# During a game -------------------------------------------------------------------------------------


def ruled(table: Table, **tables: Any) -> None:
    table.banker("rule", finding="so it is", remedies=[{"op": "replace_pieces", "pieces": tables}])


@pytest.mark.rule("vr:banker.2", "vr:title.6")
def test_a_ruling_replaces_pieces_during_a_game() -> None:
    """The map of the table has 6 in Marais and not in its district: ana then controls that whole district."""
    table = Table()
    places = [one for one in table.state.edition.pieces.members["QL"] if one != 6]
    table.put("ana", influence=dict.fromkeys(places, 1))
    own = brought("arrondissement")["arrondissement"]
    next(one for one in own if one["number"] == 6)["district"] = "MA"
    ruled(table, arrondissement=own, amounts={"work_gain": 6})
    replaced = table.number
    assert table.state.edition.pieces.districts.keys() == EDITION.pieces.districts.keys()
    assert table.state.edition.pieces.amounts.work_gain == 6
    assert table.state.holdings.of("player:ana", "title:QL") == 1
    again = RULEBOOK.codec.from_snapshot(RULEBOOK.codec.to_snapshot(table.state))
    assert again.edition.pieces == table.state.edition.pieces
    table.banker("correct", edits=[{"op": "drop", "action": replaced}], cascade="restate", reason="a mistake")
    assert table.state.edition.pieces == EDITION.pieces
    assert table.state.holdings.of("player:ana", "title:QL") == 0


@pytest.mark.rule("vr:banker.2")
def test_a_ruling_leaves_the_pieces_on_the_table() -> None:
    """They stay the same, and as many; and what does not fit together is refused with its place."""
    table = Table()

    def refused(**tables: Any) -> str:
        remedies = [{"op": "replace_pieces", "pieces": tables}]
        return table.refused(None, "rule", "vr:banker.2", finding="so it is", remedies=remedies).en

    assert refused(verse=brought("verse")["verse"][:-1]).startswith("verse: a ruling does not change which pieces")
    assert refused(amounts={"directors": 4}).startswith("amounts: ")
    assert refused(amounts={"work_gain": -1}) == "/amounts/work_gain: at least 0 (got -1)"
    assert refused(title="Ours").startswith("a ruling replaces tables")
