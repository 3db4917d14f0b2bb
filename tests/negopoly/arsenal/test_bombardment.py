"""IX.C.28 and IX.C.29. The Pièce d'artillerie and the Rods From Gods."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.events import kind_of
from ledger.rulebooks.negopoly.table.terms import attached
from tests.tables.negopoly import ROUGE, Table


def armed(weapon: str, *seats: str) -> Table:
    """Ana has rolled to Black Arretxea (3) with this weapon in hand."""
    table = Table(*(seats or ("ana", "bob")))
    table.give("ana", weapon)
    table.play("ana", "roll_dice", dice=[1, 2])
    return table


def answer_all(table: Table, **answers: str) -> None:
    """Each seat asked says this, "no" unless named."""
    while table.state.questions:
        question = table.state.questions[0]
        table.play(question.seat, "answer", question=question.id, answer=answers.get(question.seat, "no"))


# Artillery ------------------------------------------------------------------------------------------------


@pytest.mark.rule("IX.C.28", "V.C.5", "V.C.6", "V.C.7")
def test_artillery_removes_all_the_houses_of_one_title_from_anywhere() -> None:
    """Bob's tower at the other end of the board loses its five houses, without refund; no mortgage follows."""
    table = armed("artillerie")
    table.own("bob", "lbtrd_tower", houses=5)
    assert table.offers("ana", "fire_artillery") == [{"title": "lbtrd_tower"}]
    events = table.play("ana", "fire_artillery", title="lbtrd_tower")
    assert [kind_of(event) for event in events] == ["artillery_fired", "house_destroyed"]
    assert table.holds(attached("lbtrd_tower"), "house") == 0
    assert table.holds(attached("lbtrd_tower"), "mortgage") == 0
    assert (table.owner("lbtrd_tower"), table.holds("bob")) == ("bob", 1650)
    assert (table.holds("ana", "artillerie"), table.holds("used", "artillerie")) == (0, 1)


@pytest.mark.rule("IX.C.28")
def test_artillery_has_no_business_with_an_empty_title() -> None:
    """Without a house, or with no owner, the shot is refused and the piece kept."""
    table = armed("artillerie")
    table.own("bob", "lbtrd_tower")
    refusal = table.refused("ana", "fire_artillery", "IX.C.28", title="lbtrd_tower")
    assert "LBTRD Tower" in refusal.en
    table.refused("ana", "fire_artillery", "IX.C.28", title="negotown")
    assert not table.offers("ana", "fire_artillery")
    assert table.holds("ana", "artillerie") == 1


@pytest.mark.rule("IX.C.28", "V.C.7")
def test_artillery_on_a_mortgaged_title_only_removes_its_houses() -> None:
    """The mortgage stays, and the title stays with Bob."""
    table = armed("artillerie")
    table.own("bob", "lbtrd_tower", houses=2, mortgaged=True)
    table.play("ana", "fire_artillery", title="lbtrd_tower")
    assert table.holds(attached("lbtrd_tower"), "house") == 0
    assert table.holds(attached("lbtrd_tower"), "mortgage") == 1


@pytest.mark.rule("IX.C.28", "IX.B.14")
def test_a_security_team_stops_artillery() -> None:
    """Bob's team saves all five houses."""
    table = armed("artillerie")
    table.own("bob", "lbtrd_tower", houses=5)
    table.give("bob", "security_team")
    table.play("ana", "fire_artillery", title="lbtrd_tower")
    answer_all(table, bob="use")
    assert table.holds(attached("lbtrd_tower"), "house") == 5
    assert (table.holds("bob", "security_team"), table.holds("ana", "artillerie")) == (0, 0)


# Rods From Gods -------------------------------------------------------------------------------------------


@pytest.mark.rule("IX.C.29", "V.B.8", "V.B.9", "V.B.10", "V.B.11")
def test_the_rods_raze_a_colour_ones_own_titles_included() -> None:
    """Rouge belongs to Bob, to Ana and to the bank: all of it is the bank's afterwards, bare and on sale."""
    table = armed("rods_from_gods")
    table.own("bob", "pink_hoodie_studio", houses=4)
    table.own("ana", "mp7_studio", houses=1, mortgaged=True)
    assert table.offers("ana", "fire_rods") == [{"quarter": "rouge"}]
    events = table.play("ana", "fire_rods", quarter="rouge")
    assert [kind_of(event) for event in events] == ["rods_fired", "title_reset", "title_reset"]
    for title in ROUGE:
        assert table.owner(title) is None
        assert table.state.holdings.account(attached(title)) == {}
    assert (table.holds("ana"), table.holds("bob")) == (1650, 1650)
    assert table.holds("used", "rods_from_gods") == 1
    table.play("ana", "end_turn")
    table.place("bob", 19)
    table.play("bob", "roll_dice", dice=[1, 1])
    table.play("bob", "buy_property")
    assert (table.owner("pink_hoodie_studio"), table.holds("bob")) == ("bob", 1650 - 220)


@pytest.mark.rule("IX.C.29")
def test_the_rods_need_a_colour_of_which_a_title_is_owned() -> None:
    """All of Orange is the bank's: refused, and the Rods are kept."""
    table = armed("rods_from_gods")
    refusal = table.refused("ana", "fire_rods", "IX.C.29", quarter="orange")
    assert "Orange" in refusal.en
    assert table.holds("ana", "rods_from_gods") == 1


@pytest.mark.rule("IX.C.29", "IX.B.14", "IX.B.15")
def test_one_security_team_saves_all_titles_of_its_owner() -> None:
    """Bob has two Rouge titles and one team, Cleo the third and none: Bob keeps both, Cleo loses hers."""
    table = armed("rods_from_gods", "ana", "bob", "cleo")
    table.own("bob", "pink_hoodie_studio", "mp7_studio", houses=2)
    table.own("cleo", "pct_studio", houses=3)
    table.give("bob", "security_team")
    table.play("ana", "fire_rods", quarter="rouge")
    assert table.owner("pct_studio") == "cleo"
    answer_all(table, bob="use")
    assert [table.owner(title) for title in ROUGE] == ["bob", "bob", None]
    assert table.holds(attached("pink_hoodie_studio"), "house") == 2
    assert table.holds(attached("mp7_studio"), "house") == 2
    assert table.holds("bob", "security_team") == 0


@pytest.mark.rule("IX.C.29", "V.B.10")
def test_the_rods_take_charges_and_squatters_with_them() -> None:
    """Squatters and charges on a razed title are gone; the charges are used up, not given back."""
    table = armed("rods_from_gods")
    table.own("bob", "pink_hoodie_studio", houses=1)
    with table.arranged() as state:
        state.holdings.post(Posting("squat", 1, BANK, attached("pink_hoodie_studio")))
        state.holdings.post(Posting("charge:ana:1", 2, BANK, attached("pink_hoodie_studio")))
        state.holdings.post(Posting("defence", 1, BANK, attached("pink_hoodie_studio")))
    table.play("ana", "fire_rods", quarter="rouge")
    assert table.state.holdings.account(attached("pink_hoodie_studio")) == {}
    assert table.holds("used", "charge:ana:1") == 2


@pytest.mark.rule("IX.C.2")
def test_only_one_such_weapon_a_turn() -> None:
    """After the Rods Ana keeps her artillery, and her second Rods, for another turn."""
    table = armed("rods_from_gods")
    table.give("ana", "artillerie")
    table.give("ana", "rods_from_gods")
    table.own("bob", "pink_hoodie_studio", houses=1)
    table.own("bob", "lbtrd_tower", houses=1)
    table.play("ana", "fire_rods", quarter="rouge")
    refusal = table.refused("ana", "fire_artillery", "IX.C.2", title="lbtrd_tower")
    assert "Rods From Gods" in refusal.en
    table.own("bob", "elysee")
    table.refused("ana", "fire_rods", "IX.C.2", quarter="jaune")
    assert (table.owner("elysee"), table.holds("ana", "rods_from_gods")) == ("bob", 1)
