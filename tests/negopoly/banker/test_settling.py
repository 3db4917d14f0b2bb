"""P.1. Remedies that set how the table stands: mortgages, turns, rackets, the K9 trainer, charges, weather."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.facts.events import Event
from ledger.rulebooks.negopoly.cards import weather
from ledger.rulebooks.negopoly.table.state import is_mortgaged
from ledger.rulebooks.negopoly.table.terms import attached
from tests.tables.negopoly import (
    PRISON,
    STREET,
    Table,
    kinds,
    quiet_turns,
    ruled,
    ruling_refused,
    say,
    turn,
)


def says(table: Table, event: Event) -> tuple[str, str]:
    """The sentence of an event in English and in French."""
    speakers = table.rulebook.language.speakers(table.state)
    return say(event, "en", speakers), say(event, "fr", speakers)


def caught(table: Table, seat: str) -> None:
    """The seat, whose turn it is, holds a dose and stops at a checkpoint."""
    table.give(seat, "dose")
    table.place(seat, 1)
    table.play(seat, "roll_dice", dice=[1, 2])
    table.play(seat, "resolve_square")


# Titles -------------------------------------------------------------------------------------------------


@pytest.mark.rule("V.B.3", "V.B.4")
def test_a_title_is_mortgaged_and_unmortgaged_by_ruling() -> None:
    """Ana had mortgaged her street and been paid for it; later she gives the money back, with the mortgage."""
    table = Table("ana", "bob")
    table.own("ana", STREET)
    mortgaged, _ = ruled(table, {"op": "mortgage", "title": STREET, "paid": True})
    assert (mortgaged.rule, is_mortgaged(table.state, STREET), table.holds("ana")) == ("V.B.3", True, 1700)
    assert says(table, mortgaged) == (
        "17 rue des patates of Ana is mortgaged by a ruling; ₦50 paid.",
        "Le titre 17 rue des patates d'Ana est hypothéqué par une décision\u00a0; 50 ₦ versés.",
    )
    table.refused("ana", "build_house", "V.B.2", title=STREET)
    assert "already" in ruling_refused(table, "V.B.3", {"op": "mortgage", "title": STREET})
    lifted, _ = ruled(table, {"op": "unmortgage", "title": STREET, "paid": True})
    assert (lifted.rule, is_mortgaged(table.state, STREET), table.holds("ana")) == ("V.B.4", False, 1650)
    assert says(table, lifted)[1] == (
        "Par une décision, l'hypothèque de 17 rue des patates est levée\u00a0; Ana paie 50 ₦."
    )
    assert "not mortgaged" in ruling_refused(table, "V.B.4", {"op": "unmortgage", "title": STREET})
    ruling_refused(table, "V.B.3", {"op": "mortgage", "title": "bassland"})
    ruled(table, {"op": "mortgage", "title": STREET}, {"op": "unmortgage", "title": STREET})
    assert table.holds("ana") == 1650


@pytest.mark.rule("IX.C.12", "IX.C.14")
def test_charges_are_set_with_their_date_and_fired_two_rounds_later() -> None:
    """In round 3 the banker notes the charge that Ana had placed in round 1: she may fire it now."""
    table = Table("ana", "bob")
    table.own("bob", STREET, houses=2)
    quiet_turns(table, "ana", "bob", "ana", "bob")
    charge = {"op": "set_charges", "title": STREET, "seat": "ana", "round": 1, "amount": 1}
    noted, *_ = ruled(table, charge, {**charge, "round": 3, "amount": 2})
    assert says(table, noted)[0] == "By a ruling, 1 C4 charge of Ana, placed in round 1, is on 17 rue des patates."
    assert table.holds(attached(STREET), "charge:ana:3") == 2
    table.place("ana", 0)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "detonate_c4", title=STREET)
    assert table.holds(attached(STREET), "house") == 1
    ruled(table, {**charge, "round": 3, "amount": 0})
    assert table.holds(attached(STREET), "charge:ana:3") == 0


@pytest.mark.rule("IX.C.12", "IX.C.14")
def test_charges_are_refused_for_rounds_to_come_and_titles_without_a_house() -> None:
    table = Table("ana", "bob")
    charge = {"op": "set_charges", "title": STREET, "seat": "ana", "round": 1, "amount": 1}
    assert "round 4" in ruling_refused(table, "IX.C.14", {**charge, "round": 4})
    assert "belongs to the bank" in ruling_refused(table, "IX.C.12", charge)
    table.own("bob", STREET)
    assert "no house" in ruling_refused(table, "IX.C.12", charge)
    ruling_refused(table, "IX.C.12", {**charge, "amount": 0})
    ruled(table, charge, waives=["IX.C.12"])
    assert table.holds(attached(STREET), "charge:ana:1") == 1


# Turns --------------------------------------------------------------------------------------------------


@pytest.mark.rule("II.1", "II.2")
def test_the_banker_says_whose_turn_it_is_and_of_which_round() -> None:
    """The banker had lost count: it is Cid's turn of round 4, with his full time; Ana's ends where it stands."""
    table = Table("ana", "bob", "cid")
    table.play("ana", "roll_dice", dice=[1, 2])
    table.wait(200)
    events = ruled(table, {"op": "set_turn", "seat": "cid", "round": 4})
    assert kinds(events) == ["turn_ended", "round_set", "turn_started", "ruling_given"]
    assert [says(table, event)[0] for event in events[:3]] == [
        "Ana's turn ends: by a ruling.",
        "By a ruling, it is round 4 instead of round 1.",
        "Cid's turn of round 4 starts.",
    ]
    assert (turn(table).seat, turn(table).roll, table.state.round) == ("cid", "due", 4)
    assert (turn(table).ends_at - table.now).total_seconds() == 300
    quiet_turns(table, "cid", "ana")
    assert table.state.round == 5


@pytest.mark.rule("II.2", "II.E.4", "I.B.5")
def test_a_turn_that_makes_no_sense_is_refused_with_its_values() -> None:
    table = Table("ana", "bob", "cid", settings={"max_rounds": 6})
    assert "Ana's turn of round 1" in ruling_refused(table, "II.2", {"op": "set_turn", "seat": "ana"})
    assert "round 6" in ruling_refused(table, "II.E.4", {"op": "set_turn", "seat": "bob", "round": 7})
    ruling_refused(table, "P.1", {"op": "set_turn", "seat": "zoe"})
    with table.arranged() as state:
        state.missed["bob"] = 2
    assert "2 turns to miss" in ruling_refused(table, "II.2", {"op": "set_turn", "seat": "bob"})
    ruled(table, {"op": "eliminate", "seat": "cid"})
    ruling_refused(table, "I.B.5", {"op": "set_turn", "seat": "cid"})
    ruled(table, {"op": "set_turn", "seat": "bob"}, waives=["II.2"])
    assert turn(table).seat == "bob"


@pytest.mark.rule("II.2", "VIII.D.3")
def test_a_turn_by_ruling_starts_as_every_turn_does() -> None:
    """Ana's parcel to Bob arrives as her next turn starts; a turn of hers that has begun may begin again."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    table.play("ana", "send_delivery", to="bob", commodity="dose", amount=1)
    table.play("ana", "roll_dice", dice=[1, 2])
    events = ruled(table, {"op": "set_turn", "seat": "ana"})
    assert kinds(events) == ["turn_ended", "delivery_arrived", "turn_started", "ruling_given"]
    assert table.holds("bob", "dose") == 1
    table.play("ana", "roll_dice", dice=[2, 2])


# What waits for players ---------------------------------------------------------------------------------


@pytest.mark.rule("VI.D.3", "VI.D.4")
def test_rackets_by_ruling_wait_for_the_next_prisoner() -> None:
    table = Table("ana", "bob", "cid")
    (noted, _) = ruled(table, {"op": "set_rackets", "seat": "bob", "amount": 2})
    assert says(table, noted)[0] == "By a ruling, 2 rackets of Bob wait for the next prisoner."
    ruled(table, {"op": "set_rackets", "seat": "cid", "amount": 1})
    ruled(table, {"op": "set_rackets", "seat": "bob", "amount": 1})
    assert table.state.rackets == ["bob", "cid"]
    assert "number 1 already" in ruling_refused(table, "VI.D.3", {"op": "set_rackets", "seat": "bob", "amount": 1})
    caught(table, "ana")
    assert table.state.positions["ana"] == PRISON
    assert [table.holds(seat) for seat in ("ana", "bob", "cid")] == [1350, 1800, 1800]
    assert table.state.rackets == []


@pytest.mark.rule("VI.E.3")
def test_the_k9_trainer_checks_the_rounds_that_a_ruling_says() -> None:
    """Crossings are checked in round 1 by ruling: Ana, who holds a dose, does not get past the checkpoint."""
    table = Table("ana", "bob")
    for number in (3, 7):
        assert f"round {number}" in ruling_refused(table, "VI.E.3", {"op": "set_k9", "round": number})
    ruling_refused(table, "VI.E.3", {"op": "set_k9", "round": 1, "active": False})
    ruled(table, {"op": "set_k9", "round": 2})
    (noted, _) = ruled(table, {"op": "set_k9", "round": 1})
    assert (noted.rule, table.state.k9_rounds) == ("VI.E.3", {1, 2})
    assert says(table, noted)[1] == "Par une décision, le dresseur K9 contrôle le round 1."
    ruling_refused(table, "VI.E.3", {"op": "set_k9", "round": 1})
    ruled(table, {"op": "set_k9", "round": 2, "active": False})
    table.give("ana", "dose")
    table.place("ana", 3)
    table.play("ana", "roll_dice", dice=[1, 2])
    assert (table.state.positions["ana"], table.state.k9_rounds) == (PRISON, {1})


# The weather --------------------------------------------------------------------------------------------


@pytest.mark.rule("VI.A.8")
def test_the_banker_sets_the_weather_and_its_order() -> None:
    """Two cards were noted in the wrong order, and a third one was forgotten: the oldest goes first."""
    table = Table("ana", "bob", decks=True)
    table.weather("meteo_01", "meteo_02")
    (noted, _) = ruled(table, {"op": "set_weather", "cards": ["meteo_02", "meteo_01", "meteo_03"]})
    assert [card.id for card in weather.active(table.state)] == ["meteo_02", "meteo_01", "meteo_03"]
    assert says(table, noted)[0].startswith("By a ruling, the weather is, oldest first: ")
    (noted, _) = ruled(table, {"op": "set_weather", "cards": []})
    assert says(table, noted)[1].endswith(": aucune carte.")
    assert table.holds("discard:meteo", "card:meteo_03") == 1
    six = [f"meteo_0{number}" for number in range(1, 7)]
    ruled(table, {"op": "set_weather", "cards": six})
    table.place("ana", 38)
    table.play("ana", "roll_dice", dice=[3, 4], draws=["meteo_07"])
    assert weather.active(table.state)[0].id == "meteo_02"


@pytest.mark.rule("VI.A.8", "VI.A.7", "II.B.9")
def test_a_weather_that_makes_no_sense_is_refused() -> None:
    table = Table("ana", "bob", decks=True)

    def set_to(*cards: str) -> dict[str, Any]:
        return {"op": "set_weather", "cards": list(cards)}

    seven = [f"meteo_0{number}" for number in range(1, 8)]
    assert "7 Météo cards" in ruling_refused(table, "VI.A.8", set_to(*seven))
    assert "twice" in ruling_refused(table, "VI.A.8", set_to("meteo_01", "meteo_01"))
    assert "already" in ruling_refused(table, "VI.A.8", set_to())
    assert "Kamtar" in ruling_refused(table, "VI.A.7", set_to("kamtar_02"))
    ruling_refused(table, "II.B.9", set_to("meteo_99"))
    table.hand("bob", "meteo_04")
    assert "neither in its deck" in ruling_refused(table, "VI.A.8", set_to("meteo_04"))


@pytest.mark.rule("II.1")
def test_nothing_of_the_table_is_set_before_the_game_starts() -> None:
    table = Table("ana", "bob", started=False)
    for remedy in (
        {"op": "mortgage", "title": STREET},
        {"op": "set_turn", "seat": "ana"},
        {"op": "set_k9", "round": 1},
        {"op": "set_rackets", "seat": "ana", "amount": 1},
        {"op": "set_weather", "cards": []},
        {"op": "grant_service", "seat": "ana", "service": "kidnapping"},
    ):
        ruling_refused(table, "II.1", remedy)


@pytest.mark.rule("P.4", "VI.D.3")
def test_a_ruling_stands_when_a_correction_makes_so_what_it_had_ordered() -> None:
    """A mortgage and a racket noted by ruling turn out to have been there before: the fine is kept."""
    table = Table("ana", "bob")
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "buy_property")
    bought = table.number
    rackets = {"op": "set_rackets", "seat": "bob", "amount": 1}
    fine = {"op": "fine", "seat": "ana", "amount": 10}
    ruled(table, {"op": "mortgage", "title": "black_arretxea"}, rackets, fine)
    ruling = table.number
    forgotten = {"kind": "mortgage_property", "seat": "ana", "params": {"title": "black_arretxea"}}
    noted = {"kind": "rule", "params": {"finding": "So.", "remedies": [rackets]}}
    edits = [{"op": "insert", "after": bought, "action": action} for action in (forgotten, noted)]
    table.banker("correct", edits=edits, cascade="restate", reason="forgotten")
    assert table.standing(ruling).status == "restated"
    assert (is_mortgaged(table.state, "black_arretxea"), table.state.rackets) == (True, ["bob"])
    assert table.holds("ana") == 1650 - 60 + 30 - 10
