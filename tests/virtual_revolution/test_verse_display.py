"""The Verses on display: taking one, refilling, replacing, and what lies under the deck."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.refusals import NeedsDraw, RuleBroken
from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.decks import decking
from ledger.rulebooks.virtual_revolution.decks.verse_display import DisplayFilled
from ledger.rulebooks.virtual_revolution.table.operations import ReplaceVerses, TakeVerse
from ledger.rulebooks.virtual_revolution.table.terms import VERSES, Pick, verses
from tests.virtual_revolution.deciding import carried_out, decided, refused
from tests.virtual_revolution.table import DISPLAYED, Table

NEXT = ["elassar", "space_conquest", "paris_1920", "the_curse", "the_rift"]


@pytest.fixture
def table() -> Table:
    """On display: the_codex, westland, venizia, multiverse, outpost_53; on the deck: mythologia."""
    return Table()


@pytest.mark.rule("vr:verse.6", "vr:setup.24")
def test_a_taken_verse_is_replaced_at_the_left_by_the_card_that_lay_open(table: Table) -> None:
    """The table turns up the next one, elassar, which everybody sees on the deck."""
    draft = decided(
        table, "ana", lambda one: decking.take_verse(one, "ana", "venizia", rule="vr:verse.5"), drawn=["elassar"]
    )
    assert draft.state.display == ("mythologia", "the_codex", "westland", "multiverse", "outpost_53")
    assert draft.state.verse_top == "elassar"
    assert decks.held_in(draft.state, verses("ana")) == ["venizia"]
    with pytest.raises(NeedsDraw):
        decided(table, "ana", lambda one: decking.take_verse(one, "ana", "venizia", rule="vr:verse.5"))
    with pytest.raises(RuleBroken):
        decided(table, "ana", lambda one: decking.take_verse(one, "ana", "elassar", rule="vr:verse.5"))


@pytest.mark.rule("vr:verse.6")
def test_with_an_empty_deck_the_slot_stays_empty(table: Table) -> None:
    with table.arranged() as state:
        table.move(state, decks.held_in(state, decks.pile(VERSES)), verses("bob"))
    draft = decided(table, "ana", lambda one: decking.take_verse(one, "ana", "venizia", rule="vr:verse.5"))
    assert draft.state.display == ("", "the_codex", "westland", "multiverse", "outpost_53")
    assert draft.state.verse_top == ""


@pytest.mark.rule("vr:verse.1")
def test_all_five_go_under_the_deck_in_slot_order_and_the_next_five_follow(table: Table) -> None:
    draft = decided(
        table, "ana", lambda one: decking.replace_verses(one, "ana", DISPLAYED, rule="vr:verse.1"), drawn=NEXT
    )
    assert draft.state.display == ("mythologia", "elassar", "space_conquest", "paris_1920", "the_curse")
    assert draft.state.verse_top == "the_rift"
    assert draft.state.under == DISPLAYED


@pytest.mark.rule("vr:verse.1")
def test_what_lies_under_the_deck_comes_back_in_its_order(table: Table) -> None:
    """The deck has mythologia alone, and takes the five Verses replaced: they come again, after it."""
    with table.arranged() as state:
        rest = [one for one in decks.held_in(state, decks.pile(VERSES)) if one != "mythologia"]
        table.move(state, rest, verses("bob"))
    draft = decided(table, "ana", lambda one: decking.replace_verses(one, "ana", DISPLAYED, rule="vr:verse.1"))
    assert draft.state.display == ("mythologia", "the_codex", "westland", "venizia", "multiverse")
    assert (draft.state.verse_top, draft.state.under) == ("outpost_53", ())


@pytest.mark.rule("vr:upkeep.1")
def test_from_an_empty_deck_a_verse_put_under_it_comes_straight_back(table: Table) -> None:
    with table.arranged() as state:
        table.move(state, decks.held_in(state, decks.pile(VERSES)), verses("bob"))
    draft = decided(
        table, "ana", lambda one: decking.replace_verses(one, None, ["outpost_53"], rule="vr:upkeep.1")
    )
    assert draft.state.display == ("outpost_53", "the_codex", "westland", "venizia", "multiverse")
    assert (draft.state.verse_top, draft.state.under) == ("", ())


@pytest.mark.rule("vr:verse.15")
def test_a_discarded_verse_goes_under_the_deck_with_its_loading_face_up(table: Table) -> None:
    table.give("ana", online=["elassar"])
    draft = decided(table, "ana", lambda one: decking.discard_verse(one, "ana", "elassar", rule="vr:verse.14"))
    assert draft.state.under == ("elassar",)
    assert draft.state.online == frozenset()
    with pytest.raises(RuleBroken):
        decided(table, "ana", lambda one: decking.discard_verse(one, "ana", "westland", rule="vr:verse.14"))


@pytest.mark.rule("vr:setup.32", "vr:secrecy.3")
def test_a_dry_run_does_not_show_the_verses_that_would_come(table: Table) -> None:
    """How many there would be is shown; everybody sees them only when they are turned up."""
    draft = decided(
        table, "ana", lambda one: decking.replace_verses(one, "ana", DISPLAYED, rule="vr:verse.1"), seed=3
    )
    (filled,) = [one for one in draft.events if isinstance(one, DisplayFilled)]
    assert filled.reveals().admits(Viewer("spectator"))
    hidden = filled.redacted(Viewer("player", "ana"))
    assert isinstance(hidden, DisplayFilled)
    assert (hidden.verses, hidden.top) == ((None,) * 5, None)
    assert not [one for one in filled.verses if one and one in str(hidden)]


@pytest.mark.rule("vr:boost.7", "vr:boost.8")
def test_boosts_replace_one_or_two_verses_or_exactly_two(table: Table) -> None:
    """They go under the deck in slot order, whatever the order in which they are named."""
    up_to = ReplaceVerses(amount=2, mode="up_to", minimum=1)
    exactly = ReplaceVerses(amount=2, mode="exactly", optional=True)
    two = Pick(verses=("multiverse", "westland"))
    for effect in (up_to, exactly):
        draft = carried_out(table, "ana", effect, two, rule="vr:boost.7", drawn=["elassar", "the_rift"])
        assert draft.state.display == ("mythologia", "elassar", "the_codex", "venizia", "outpost_53")
        assert (draft.state.under, draft.state.verse_top) == (("westland", "multiverse"), "the_rift")
        assert carried_out(table, "ana", effect, None).events == []
    carried_out(table, "ana", up_to, Pick(verses=("westland",)), drawn=["elassar"])
    refused(table, "ana", exactly, Pick(verses=("westland",)), by="vr:boost.8", rule="vr:boost.8")
    refused(table, "ana", up_to, Pick(verses=DISPLAYED[:3]), by="vr:boost.7", rule="vr:boost.7")
    refused(table, "ana", up_to, Pick(verses=("mythologia",)), by="vr:boost.7", rule="vr:boost.7")


@pytest.mark.rule("vr:agents.20")
def test_corto_s_replacement_is_made_only_if_wished(table: Table) -> None:
    effect = ReplaceVerses(amount=5, mode="all", optional=True)
    assert carried_out(table, "ana", effect, None, rule="vr:agents.20").events == []
    assert carried_out(table, "ana", effect, Pick(skip=True), rule="vr:agents.20", may_skip=True).events == []
    draft = carried_out(table, "ana", effect, Pick(), rule="vr:agents.20", drawn=NEXT)
    assert draft.state.verse_top == "the_rift"


@pytest.mark.rule("vr:agents.17")
def test_vicomte_takes_a_verse_that_the_player_names(table: Table) -> None:
    refused(table, "ana", TakeVerse(), None, by="vr:agents.17", rule="vr:agents.17")
    refused(table, "ana", TakeVerse(), Pick(verse="elassar"), by="vr:agents.17", rule="vr:agents.17")
    draft = carried_out(table, "ana", TakeVerse(), Pick(verse="westland"), rule="vr:agents.17", drawn=["elassar"])
    assert decks.held_in(draft.state, verses("ana")) == ["westland"]
