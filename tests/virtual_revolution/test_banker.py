"""The banker: a ruling moves any piece, and each stays in one place; a player takes back their own last action."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.deciding.undo import require_may_undo
from ledger.kernel.facts.refusals import NotYours
from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.rulebook import RULEBOOK
from ledger.rulebooks.virtual_revolution.table import state as questions
from ledger.rulebooks.virtual_revolution.table.terms import DISPLAY, hand, service, slot, verses
from tests.virtual_revolution.table import Table


def adjust(*moves: tuple[str, str, str], amount: int = 1) -> dict[str, Any]:
    """A remedy that moves (commodity, from, to)."""
    moved = [{"commodity": one, "from": source, "to": target, "amount": amount} for one, source, target in moves]
    return {"op": "adjust", "reason": "a mistake at the table", "postings": moved}


def rule(table: Table, *remedies: dict[str, Any], **more: Any) -> None:
    table.banker("rule", finding="so it is", remedies=list(remedies), **more)


def refused(table: Table, by: str, *remedies: dict[str, Any]) -> str:
    """The refusal of a ruling by a rule."""
    return table.refused(None, "rule", by, finding="so it is", remedies=list(remedies)).en


# Moving pieces --------------------------------------------------------------------------------------


@pytest.mark.rule("vr:banker.1")
def test_a_ruling_moves_any_piece_between_the_places_where_it_lies() -> None:
    """Influence, a Server, money, Revenue, tokens and cards; each is in one place before and after."""
    table = Table()
    table.give("bob", hand=["influence_1"], verses=["exoplanet"], service=["leslie"])
    rule(
        table,
        adjust(
            ("influence:ana", "player:ana", "arrondissement:5"),
            ("influence:bob", "player:bob", "recycling"),
            ("server:ana", "player:ana", "arrondissement:5"),
            ("eurocredit", "bank", "player:ana"),
            ("revenue", "player:bob", "bank"),
            ("immunity", "bank", "player:cid"),
            ("vp2_token", "bank", "player:cid"),
            ("card:influence_1", "hand:bob", "hand:ana"),
            ("card:leslie", "service:bob", "boosts:ana"),
            ("card:boost_work", "boost_cards", "boosts:cid"),
        ),
    )
    assert (table.tokens("ana", 5), questions.builder(table.state, 5)) == (1, "ana")
    assert (table.cash("ana"), table.revenue("bob"), table.immunity("cid")) == (11, 4, 2)
    assert (table.hand("ana"), table.hand("bob")) == (["influence_1"], [])
    assert questions.boosts_of(table.state, "ana") == ["leslie"]
    assert questions.recycled(table.state, "bob") == 1
    event = table.standing(table.number).events[-1]
    assert event.rule == "vr:banker.1"


@pytest.mark.rule("vr:banker.1")
def test_a_ruling_puts_nothing_where_it_has_no_place() -> None:
    """And it says so by name; a typing mistake opens no account."""
    table = Table()
    assert "no place" in refused(table, "vr:banker.1", adjust(("title:MA", "titles", "recycling")))
    assert "no place" in refused(table, "vr:banker.1", adjust(("card:leslie", "deck:agents_1", "slot:1")))
    assert "no account" in refused(table, "vr:banker.1", adjust(("eurocredit", "bank", "player:eve")))
    assert "no 'karma'" in refused(table, "vr:banker.1", adjust(("karma", "bank", "player:ana")))


@pytest.mark.rule("vr:banker.1", "vr:influence.9", "vr:server.2", "vr:agents.2")
def test_what_does_not_fit_together_needs_a_waiver() -> None:
    """Two players' influence or two Servers in one place, a fourth Agent: refused, or allowed with the reason."""
    table = Table()
    table.put("ana", influence={5: 1}, servers=[5])
    table.give("ana", service=["leslie", "camille", "zero"])
    mixed = adjust(("influence:bob", "player:bob", "arrondissement:5"))
    assert "of several players" in refused(table, "vr:influence.9", mixed)
    refused(table, "vr:server.2", adjust(("server:bob", "player:bob", "arrondissement:5")))
    refused(table, "vr:agents.2", adjust(("card:jade", "deck:agents_1", "service:ana")))
    rule(table, mixed, override="agreed at the table")
    assert table.tokens("bob", 5) == 1


def test_a_correction_that_keeps_what_follows_tells_what_does_not_fit() -> None:
    """The Director was put on another place; the turn that stands says where he acts."""
    table = Table()
    table.play("ana", "place_director", place=5)
    table.play("ana", "skip_influence")
    with table.arranged() as state:
        state.order = ("ana", "bob")
    (found,) = RULEBOOK.play.inconsistencies(table.state)
    assert (found.rule, found.en) == ("vr:order.4", "the turn order does not have every player once")


@pytest.mark.rule("vr:secrecy.4", "vr:banker.1")
def test_a_card_moved_between_hands_is_known_to_the_two_of_them() -> None:
    """Others learn that a card moves."""
    table = Table()
    table.give("bob", hand=["influence_1"])
    rule(table, adjust(("card:influence_1", "hand:bob", "hand:ana")))
    for seat in ("ana", "bob"):
        assert any("card:influence_1" in str(one.postings) for one in table.seen_by(seat))
    for viewer in ("cid", None):
        told = str([(one, one.postings) for one in table.seen_by(viewer)])
        assert "influence_1" not in told
        assert "card" in told


@pytest.mark.rule("vr:banker.1")
def test_the_display_and_the_slots_follow_the_cards() -> None:
    """A Verse taken away leaves its slot; one put back fills it, and is Loading; an Agent leaves the offer."""
    table = Table()
    table.offer("leslie", 5)
    table.give("ana", online=["exoplanet"])
    own = questions.verses_of(table.state, "ana")[0]
    first, *_ = table.state.display
    rule(table, adjust((decks.commodity(first), DISPLAY, verses("bob")), ("card:leslie", slot(1), service("bob"))))
    assert table.state.display[0] == ""
    assert table.state.offers == {}
    rule(table, adjust((decks.commodity(own), verses("ana"), DISPLAY)))
    assert table.state.display[0] == own
    assert table.state.online == frozenset()
    again = adjust((decks.commodity(first), verses("bob"), DISPLAY))
    assert "not those on the slots" in refused(table, "vr:setup.24", again)


@pytest.mark.rule("vr:banker.1", "vr:title.3", "vr:title.4")
def test_titles_are_checked_again_after_a_ruling() -> None:
    """The last place of a district brings its Title; one given to who does not control the district goes back."""
    table = Table()
    places = table.state.edition.pieces.members["QL"]
    table.put("ana", influence=dict.fromkeys(places[1:], 1))
    rule(table, adjust(("influence:ana", "player:ana", f"arrondissement:{places[0]}")))
    assert questions.titles_of(table.state, "ana") == ["QL"]
    rule(table, adjust(("title:QL", "player:ana", "player:bob")))
    assert questions.titles_of(table.state, "ana") == ["QL"]


@pytest.mark.rule("vr:banker.1", "vr:director.4")
def test_the_director_of_the_turn_is_moved_with_the_turn() -> None:
    """Everything that the turn does next happens where he stands then."""
    table = Table()
    table.turn_of("ana", director=5)
    rule(table, adjust(("director:ana", "arrondissement:5", "arrondissement:9")))
    assert table.state.turn is not None
    assert table.state.turn.director == 9
    refused(table, "vr:director.4", adjust(("director:ana", "arrondissement:9", "player:ana")))


# Other remedies -------------------------------------------------------------------------------------


@pytest.mark.rule("vr:banker.1", "vr:agents.1")
def test_a_ruling_puts_an_agent_on_offer() -> None:
    """On the first free slot; one on offer moves to another arrondissement."""
    table = Table()
    rule(table, {"op": "offer_agent", "agent": "leslie", "place": 5})
    rule(table, {"op": "offer_agent", "agent": "leslie", "place": 6})
    assert [(one.slot, one.place) for one in table.state.offers.values()] == [(1, 6)]
    for agent in ("camille", "zero", "jade", "muriel"):
        rule(table, {"op": "offer_agent", "agent": agent, "place": 7})
    refused(table, "vr:agents.1", {"op": "offer_agent", "agent": "pixel", "place": 7})


@pytest.mark.rule("vr:banker.1")
def test_a_ruling_turns_cards() -> None:
    """An Agent upright or used, a Verse online or Loading, and nothing that lies before nobody."""
    table = Table()
    table.give("ana", service=["leslie"], verses=["exoplanet"], titles=["MA"])
    turned = [("leslie", "used"), ("MA", "used"), ("exoplanet", "online")]
    rule(table, *({"op": "turn_card", "card": card, "side": side} for card, side in turned))
    assert table.state.tilted == {"card:leslie", "title:MA"}
    assert table.state.online == {"exoplanet"}
    back = [("leslie", "upright"), ("exoplanet", "loading")]
    rule(table, *({"op": "turn_card", "card": card, "side": side} for card, side in back))
    assert (table.state.tilted, table.state.online) == ({"title:MA"}, frozenset())
    refused(table, "vr:banker.1", {"op": "turn_card", "card": "zero", "side": "used"})


@pytest.mark.rule("vr:corruption.3", "vr:banker.1")
def test_a_ruling_shuffles_a_deck() -> None:
    """The cards of undone draws do not lie on top any more, and a look at the Necro card is worth nothing."""
    table = Table()
    with table.arranged() as state:
        state.on_top = {"corruption": ("influence_1",)}
        state.necro_top, state.seen_necro = "chantage", {"ana": "chantage"}
    rule(table, {"op": "shuffle_deck", "deck": "corruption"}, {"op": "shuffle_deck", "deck": "necro"})
    assert table.state.on_top == {}
    assert (table.state.necro_top, table.state.seen_necro) == ("", {})


@pytest.mark.rule("vr:banker.1", "vr:order.4", "vr:director.3")
def test_a_ruling_says_whose_turn_it_is_and_in_what_order() -> None:
    """A turn begins anew for whoever has a Director left."""
    table = Table()
    rule(table, {"op": "set_order", "order": ["cid", "bob", "ana"]}, {"op": "set_turn", "seat": "cid"})
    assert table.state.turn is not None
    assert (table.state.turn.seat, table.state.turn.cycle) == ("cid", 1)
    table.play("cid", "place_director", place=1)
    table.play("cid", "end_turn")
    assert table.state.turn.seat == "bob"
    refused(table, "vr:order.4", {"op": "set_order", "order": ["cid", "bob"]})
    for place in (1, 2):
        rule(table, adjust(("director:cid", "player:cid", f"arrondissement:{place}")))
    refused(table, "vr:director.3", {"op": "set_turn", "seat": "cid"})


# Taking back ----------------------------------------------------------------------------------------


def undo(table: Table, seat: str, number: int) -> None:
    """The seat takes back an action; raises NotYours when it may not."""
    past = table.past
    require_may_undo(table.rulebook, table.timeline(), lambda one: past.state_after(one - 1), seat, number)
    edits = [{"op": "drop", "action": number}]
    table.play(seat, "correct", edits=edits, cascade="refuse", reason="by mistake")


@pytest.mark.rule("vr:banker.1")
def test_a_player_takes_back_the_own_last_action() -> None:
    """As long as nobody has acted after it; the journal keeps what was taken back."""
    table = Table()
    table.play("ana", "place_director", place=5)
    placed = table.requested
    undo(table, "ana", placed)
    assert table.standing(placed).status == "undone"
    assert table.state.turn is not None
    assert table.state.turn.director is None
    table.play("ana", "place_director", place=6)
    table.play("ana", "end_turn")
    ended = table.requested
    table.play("bob", "place_director", place=6)
    with pytest.raises(NotYours):
        undo(table, "ana", ended)


def test_every_place_of_a_ruling_is_known() -> None:
    """Also an empty one; and everybody may know what is in the box."""
    table = Table()
    found = RULEBOOK.accounts.movable(table.state)
    assert hand("ana") in found["card:influence_1"]
    assert all(RULEBOOK.accounts.knows_account(table.state, one) for places in found.values() for one in places)
    assert all(RULEBOOK.accounts.knows_commodity(table.state, one) for one in found)
