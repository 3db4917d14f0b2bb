"""Draws that a correction undoes: their cards lie on top of their decks again (vr:setup.32)."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.refusals import NeedsDraw
from ledger.kernel.language.phrase import Phrase
from ledger.reading.moves.needs import need_view, view_of_refused
from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.table.terms import CORRUPTION, LOCATIONS, NECRO, VERSES, verses
from tests.virtual_revolution.table import Table


def undo(table: Table, number: int) -> None:
    """The banker takes an action out of the history."""
    table.banker("correct", edits=[{"op": "drop", "action": number}], cascade="restate", reason="a wrong entry")


@pytest.mark.rule("vr:setup.32", "vr:setup.24")
def test_verses_come_again_in_the_order_in_which_they_were_drawn() -> None:
    table = Table(until="setup", dice="service", seed=6)
    table.banker("prepare_verse_deck")
    display, top = table.state.display, table.state.verse_top
    undo(table, table.number)
    assert table.state.display == ()
    assert table.state.on_top[VERSES] == (*display, top)
    table.banker("prepare_verse_deck")
    assert (table.state.display, table.state.verse_top) == (display, top)
    assert VERSES not in table.state.on_top


@pytest.mark.rule("vr:setup.32", "vr:setup.20")
def test_agents_and_their_places_come_again() -> None:
    table = Table(until="setup", dice="service", seed=9)
    table.banker("deal_locations")
    table.banker("prepare_location_deck")
    for seat, colour in zip(table.seats, ("red", "blue", "green"), strict=True):
        table.play(seat, "choose_colour", colour=colour)
    for kind in ("deal_objectives", "prepare_agent_deck", "prepare_corruption_deck", "prepare_verse_deck"):
        table.banker(kind)
    table.banker("prepare_necro_deck")
    table.banker("reveal_agents")
    offers = table.state.offers
    undo(table, table.number)
    assert len(table.state.on_top[LOCATIONS]) == 5
    assert table.state.offers == {}
    table.banker("reveal_agents")
    assert table.state.offers == offers
    assert table.state.on_top == {}


@pytest.mark.rule("vr:setup.32")
def test_decks_put_back_lie_in_one_order_now_and_after_a_restart() -> None:
    """The preparation is undone: each deck has cards on top, in the order in which the journal keeps them."""
    table = Table(until="setup", dice="service", seed=3)
    table.banker("prepare_table")
    undo(table, table.requested)
    back = table.rulebook.codec.from_snapshot(table.rulebook.codec.to_snapshot(table.state))
    assert len(table.state.on_top) > 1
    assert [*table.state.on_top] == [*back.on_top] == sorted(table.state.on_top)


@pytest.mark.rule("vr:setup.32", "vr:secrecy.2")
def test_a_necro_card_looked_at_stays_on_top_when_the_look_is_undone() -> None:
    table = Table(dice="service", seed=2)
    table.put("ana", influence={21: 1, 22: 1, 23: 1})
    table.give("ana", titles=["ND"])
    table.play("ana", "activate_title", title="ND")
    card = table.state.necro_top
    undo(table, table.number)
    assert (table.state.necro_top, table.state.seen_necro) == ("", {})
    assert table.state.on_top == {NECRO: (card,)}
    table.play("ana", "activate_title", title="ND")
    assert table.state.necro_top == card


@pytest.mark.rule("vr:setup.32")
def test_a_draw_recorded_later_keeps_its_card() -> None:
    """Ana's draw is undone, bob's later one stays; the card undone is the next one."""
    table = Table(dice="service", seed=3)
    table.play("ana", "place_director", place=5)
    table.play("ana", "influence_add")
    first, (undone,) = table.number, table.hand("ana")
    table.play("ana", "end_turn")
    table.play("bob", "place_director", place=6)
    table.play("bob", "influence_add")
    (kept,) = table.hand("bob")
    undo(table, first)
    assert (table.hand("ana"), table.hand("bob")) == ([], [kept])
    assert table.state.on_top == {CORRUPTION: (undone,)}
    table.play("bob", "end_turn")
    table.play("cid", "place_director", place=7)
    table.play("cid", "influence_add")
    assert table.hand("cid") == [undone]


@pytest.mark.rule("vr:banker.1")
def test_a_player_takes_back_no_action_that_drew_a_card() -> None:
    """Ana's draw showed her something hidden; a token moved showed nothing."""
    table = Table(dice="service")
    table.play("ana", "place_director", place=5)
    table.play("ana", "influence_add")
    assert table.last is not None
    assert any(event.reveals().seats for event in table.last.events)


@pytest.mark.rule("vr:setup.32")
def test_a_card_that_a_corrected_history_lacks_is_asked_for_in_its_place() -> None:
    """The banker adds a manoeuvre that was forgotten; the card drawn with it is still to be said."""
    table = Table()
    table.play("ana", "place_director", place=5)
    forgotten = {"kind": "influence_add", "seat": "ana", "params": {}}
    with pytest.raises(NeedsDraw) as lacking:
        table.what_if({"op": "insert", "after": table.number, "action": forgotten})
    speakers = table.rulebook.language.speakers(table.state)
    view = view_of_refused(lacking.value, BANKER, speakers, "en")
    assert view is not None
    assert (view.deck, view.count, view.values_at) == (CORRUPTION, 1, "/action/params/drawn/0")
    assert view.edit["action"]["params"] == {"drawn": [None]}
    assert view.label == Phrase("a draw of Corruption", "une pioche de Corruption")
    assert view.sides is UNSET
    assert {*view.cards} >= {*decks.held_in(table.state, CORRUPTION)}
    for seat in ("ana", "bob"):
        seen = view_of_refused(lacking.value, Viewer("player", seat), speakers, "en")
        assert seen is not None
        assert seen.cards is UNSET


def created(*turns: tuple[str, str, list[str]]) -> tuple[Table, list[int]]:
    """Seats place a Director each and create a Verse, if any, with these cards; cid follows. The creations."""
    table = Table()
    for seat, _, _ in turns:
        table.give(seat, eurocredit=30)
    for seat, verse, drawn in turns:
        table.play(seat, "place_director", place=5)
        if verse:
            table.play(seat, "create_verse", verse=verse, drawn=drawn)
        table.play(seat, "end_turn")
    table.play("cid", "place_director", place=7)
    return table, [one.number for one in table.journal if one.kind == "create_verse"]


@pytest.mark.rule("vr:setup.32", "vr:verse.6")
def test_an_action_stands_without_a_card_that_nobody_drew() -> None:
    """Ana's Action was forgotten, and the Verse noted for bob was hers. His Action stands without one."""
    table, (second,) = created(("ana", "", []), ("bob", "westland", ["revenue_2", "paris_1920"]))
    params = {"verse": "venizia", "drawn": ["revenue_1", "paris_1920"]}
    forgotten = {
        "op": "insert",
        "after": table.journal[1].number,
        "action": {"kind": "create_verse", "seat": "ana", "params": params},
    }
    found = table.what_if(forgotten)
    assert (found.voided, found.new_state.verse_top) == ((), "")
    (need,) = found.needs
    view = need_view(need, BANKER, table.rulebook.language.speakers(table.state), "en")
    assert (view.deck, view.count, view.voids, view.values_at) == (VERSES, 1, False, "/params/drawn/1")
    lacking = {"verse": "westland", "drawn": ["revenue_2", None]}
    assert view.edit == {"op": "replace", "action": second, "params": lacking}
    found = table.what_if(forgotten, view.edit | {"params": lacking | {"drawn": ["revenue_2", "elassar"]}})
    assert (found.needs, found.voided, found.new_state.verse_top) == ((), (), "elassar")


@pytest.mark.rule("vr:setup.32", "vr:verse.6")
def test_two_verses_mixed_up_change_places() -> None:
    """Ana drew the Verse noted for bob: hers goes back on top, where he draws."""
    table, (first, second) = created(
        ("ana", "venizia", ["revenue_1", "elassar"]), ("bob", "westland", ["revenue_2", "paris_1920"])
    )
    params = {"verse": "venizia", "drawn": ["revenue_1", "paris_1920"]}
    found = table.what_if({"op": "replace", "action": first, "params": params})
    assert [one.timeline_entry.entry.number for one in found.restated] == [first, second]
    assert (found.needs, found.voided, found.new_state.verse_top) == ((), (), "elassar")


@pytest.mark.rule("vr:setup.32")
def test_the_last_card_of_a_deck_is_the_only_one_possible() -> None:
    """With one Verse left, a correction asks nobody for its name."""
    table = Table()
    table.give("ana", eurocredit=30)
    with table.arranged() as state:
        rest = [one for one in decks.held_in(state, decks.pile(VERSES)) if one not in {"mythologia", "elassar"}]
        table.move(state, rest, verses("bob"))
    table.play("ana", "place_director", place=5)
    params = {"verse": "venizia", "drawn": ["revenue_1"]}
    forgotten = {"kind": "create_verse", "seat": "ana", "params": params}
    found = table.what_if({"op": "insert", "after": table.number, "action": forgotten})
    assert found.new_state.verse_top == "elassar"
