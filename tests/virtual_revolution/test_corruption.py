"""Corruption cards: hidden hands, piles, discards and answers (vr:corruption.*, vr:secrecy.4, vr:secrecy.6)."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Refusal
from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.decks.corruption import CorruptionDrawn, CorruptionReshuffled
from ledger.rulebooks.virtual_revolution.table.state import hand_size
from ledger.rulebooks.virtual_revolution.table.terms import CORRUPTION, Demand
from tests.virtual_revolution.table import Table, say

SEVEN = ["influence_1", "influence_2", "server_1", "server_2", "verse_1", "agent_1", "boost_1"]


def shown(table: Table, seat: str | None) -> str:
    """All that a seat sees of the last action, with its sentences."""
    speakers = table.rulebook.language.speakers(table.state)
    return " ".join(f"{event} {say(event, 'en', speakers)}" for event in table.seen_by(seat))


def holdings_seen(table: Table, seat: str | None, account: str) -> bool:
    """Whether a seat may see the cards in an account."""
    viewer = Viewer("player", seat) if seat else Viewer("spectator")
    return table.rulebook.secrets.holding_audience(table.state, account, "card:server_1").admits(viewer)


def emptied(*, left: list[str], discarded: list[str]) -> Table:
    """Ana's influence phase, with these cards left in the deck and in the discards; bob has the others."""
    table = Table()
    table.turn_of("ana", director=5)
    others = [one for one in table.state.edition.pieces.corruptions if one not in (*left, *discarded)]
    table.give("bob", hand=others)
    with table.arranged() as state:
        table.move(state, discarded, decks.discards(CORRUPTION))
    return table


@pytest.mark.rule("vr:corruption.1", "vr:secrecy.5")
def test_a_hand_is_its_player_s_and_its_size_is_public() -> None:
    table = Table()
    table.give("ana", hand=["server_1", "server_2"])
    assert holdings_seen(table, "ana", "hand:ana")
    assert not holdings_seen(table, "bob", "hand:ana")
    assert not holdings_seen(table, None, "hand:ana")
    assert hand_size(table.state, "ana") == 2


@pytest.mark.rule("vr:corruption.2")
def test_a_hand_has_no_limit() -> None:
    """Seven cards, and an eighth one: nothing happens before the end of the round."""
    table = Table()
    table.give("ana", hand=SEVEN)
    table.turn_of("ana", director=5)
    table.play("ana", "influence_add", drawn=["eurocredit_1"])
    assert hand_size(table.state, "ana") == 8
    assert table.state.raid is None


@pytest.mark.rule("vr:corruption.3", "vr:secrecy.3")
def test_the_discards_become_the_deck_when_a_card_must_be_drawn_from_an_empty_one() -> None:
    """Three cards lie in the discards; nobody but the banker sees which."""
    table = emptied(left=[], discarded=["server_1", "server_2", "verse_1"])
    events = table.play("ana", "influence_add", drawn=["verse_1"])
    assert [type(one) for one in events[1:3]] == [CorruptionReshuffled, CorruptionDrawn]
    assert decks.left_in(table.state, CORRUPTION) == 2
    assert table.hand("ana") == ["verse_1"]
    for other in ("ana", "bob", None):
        assert "server_1" not in shown(table, other)
    assert "3" in say(events[1], "en", table.rulebook.language.speakers(table.state))


@pytest.mark.rule("vr:corruption.3")
def test_the_last_card_of_the_deck_is_drawn_without_a_reshuffle() -> None:
    table = emptied(left=["agent_1"], discarded=["server_1"])
    events = table.play("ana", "influence_add", drawn=["agent_1"])
    assert not [one for one in events if isinstance(one, CorruptionReshuffled)]
    assert decks.left_in(table.state, CORRUPTION) == 0


@pytest.mark.rule("vr:corruption.3", "vr:title.10")
def test_two_cards_are_drawn_across_a_reshuffle() -> None:
    """One card is left in the deck: it is drawn first, then one of the discards."""
    table = emptied(left=["agent_1"], discarded=["server_1", "server_2"])
    table.give("ana", titles=["MA"])
    table.play("ana", "activate_title", title="MA", drawn=["agent_1", "server_2"])
    # Two cards in hand, two to discard: there is nothing to choose.
    assert table.hand("ana") == []
    assert decks.left_in(table.state, CORRUPTION) == 1


@pytest.mark.rule("vr:secrecy.6")
def test_a_player_s_word_is_taken_for_a_card_that_another_one_holds_unseen() -> None:
    """Bob holds server_1 in the journal, and Ana has drawn it: a refusal would tell her of his hand."""
    table = Table()
    table.give("bob", hand=["server_1"])
    table.turn_of("ana", director=5)
    table.play("ana", "influence_add", drawn=["server_1"])
    assert table.hand("ana") == ["server_1"]
    assert decks.left_in(table.state, CORRUPTION) == 34
    assert table.last is not None
    assert [(one.rule, one.told) for one in table.last.warnings] == [("vr:secrecy.6", ())]
    # A card of her own hand she has not drawn.
    table.turn_of("ana", director=6)
    assert "server_1" in table.malformed("ana", "influence_add", drawn=["server_1"]).en


@pytest.mark.rule("vr:secrecy.4", "vr:title.10")
def test_cards_discarded_of_choice_lie_face_down() -> None:
    """Ana draws two, and discards one of them and one that she had."""
    table = Table()
    table.give("ana", hand=["server_1"], titles=["MA"])
    table.turn_of("ana", director=5)
    table.play("ana", "activate_title", title="MA", drawn=["influence_1", "influence_2"])
    table.refused("ana", "end_turn", "vr:title.10")
    assert len(table.offers("ana", "discard_corruption")) == 3
    assert not table.offers("bob", "discard_corruption")
    table.refused("bob", "discard_corruption", "vr:secrecy.4", cards=["server_1", "influence_1"])
    for wrong in (["server_1"], ["server_1", "server_1"], ["server_1", "server_2"]):
        table.refused("ana", "discard_corruption", "vr:title.10", cards=wrong)
    table.play("ana", "discard_corruption", cards=["server_1", "influence_1"])
    assert table.hand("ana") == ["influence_2"]
    assert table.state.demands == ()
    assert "server_1" in shown(table, "ana")
    for other in ("bob", None):
        assert "server_1" not in shown(table, other)
        assert "discards Corruption: 2 cards" in shown(table, other)
        assert not holdings_seen(table, other, "discard:corruption")
    action = table.rulebook.codec.action("discard_corruption", b'{"cards": ["server_1"]}')
    assert action.redacted() == {}


@pytest.fixture
def exchanging() -> Table:
    """Ana has looked at bob's two cards, and owes him one of her own for one of them."""
    table = Table()
    table.give("ana", hand=["server_1", "verse_1"])
    table.give("bob", hand=["influence_1", "agent_1"])
    table.turn_of("ana", director=5)
    with table.arranged() as state:
        state.demands = (Demand(kind="exchange", seat="ana", by="ana", rule="vr:promotion.27", of="bob"),)
    return table


@pytest.mark.rule("vr:promotion.27", "vr:secrecy.4")
def test_exchanged_cards_are_known_to_the_two_players_alone(exchanging: Table) -> None:
    table = exchanging
    assert len(table.offers("ana", "exchange_corruption")) == 4
    assert not table.offers("bob", "exchange_corruption")
    table.play("ana", "exchange_corruption", take="agent_1", give="verse_1")
    assert table.hand("ana") == ["agent_1", "server_1"]
    assert table.hand("bob") == ["influence_1", "verse_1"]
    for known in ("ana", "bob"):
        assert "agent_1" in shown(table, known)
    for other in ("cid", None):
        assert "agent_1" not in shown(table, other)
        assert "verse_1" not in shown(table, other)
        assert "takes a card from Bob" in shown(table, other)


@pytest.mark.rule("vr:promotion.27")
def test_the_card_just_taken_is_not_given_back_while_there_is_another(exchanging: Table) -> None:
    table = exchanging
    table.refused("ana", "exchange_corruption", "vr:promotion.27", take="agent_1", give="agent_1")
    table.refused("ana", "exchange_corruption", "vr:promotion.27", take="boost_1", give="server_1")
    table.refused("ana", "exchange_corruption", "vr:promotion.27", take="agent_1", give="boost_1")
    with table.arranged() as state:
        table.move(state, ["server_1", "verse_1"], decks.pile(CORRUPTION))
    table.play("ana", "exchange_corruption", take="agent_1", give="agent_1")
    assert table.hand("bob") == ["agent_1", "influence_1"]


@pytest.mark.rule("vr:secrecy.6")
def test_a_banker_who_plays_names_no_card_of_another_s_hand() -> None:
    """Accepted or refused, the answer would tell what Bob holds."""
    table = Table(settings={"banker_plays": "ana"})
    assert table.state.banker_plays == "ana"
    table.give("bob", hand=["server_1", "verse_1"])
    table.turn_of("bob", director=5)
    with table.arranged() as state:
        state.demands = (Demand(kind="discard", seat="bob", by="bob", rule="vr:title.10", amount=1),)
    for card in ("server_1", "boost_1"):
        with pytest.raises(Refusal, match="only Bob may name these cards"):
            table.banker("discard_corruption", seat="bob", cards=[card])
    table.play("bob", "discard_corruption", cards=["server_1"])


@pytest.mark.rule("vr:secrecy.6")
def test_a_banker_who_plays_names_no_card_lost_at_random() -> None:
    """Bob enters the card that he loses."""
    table = Table(settings={"banker_plays": "ana"})
    table.turn_of("bob")
    table.put("bob", recycled=2)
    table.give("bob", hand=["server_1", "verse_1"])
    for card in ("server_1", "boost_1"):
        with pytest.raises(Refusal, match="only Bob may name these cards"):
            table.banker("recover_influence", seat="bob", groups=[{"tokens": 2, "option": 0}], drawn=[card])
    table.play("bob", "recover_influence", groups=[{"tokens": 2, "option": 0}], drawn=["server_1"])


def only_of(events: list[Event], kind: type[Event]) -> list[Event]:
    """The events of a kind."""
    return [one for one in events if isinstance(one, kind)]


@pytest.mark.rule("vr:setup.32", "vr:corruption.1")
def test_a_dry_run_does_not_show_the_card_to_who_would_draw_it() -> None:
    table = Table(dice="service")
    table.turn_of("ana", director=5)
    (drawn,) = only_of(table.play("ana", "influence_add"), CorruptionDrawn)
    assert drawn.reveals().admits(Viewer("player", "ana"))
    assert drawn.redacted(Viewer("player", "ana")).cards == (None,)


@pytest.mark.rule("vr:setup.32")
def test_a_card_whose_draw_is_undone_lies_on_top_of_the_deck() -> None:
    """The banker undoes Ana's draw; the next card drawn is the same."""
    table = Table(dice="service", seed=5)
    table.turn_of("ana", director=5)
    table.play("ana", "influence_add")
    (card,) = table.hand("ana")
    table.banker(
        "correct", edits=[{"op": "drop", "action": table.number}], cascade="restate", reason="a wrong entry"
    )
    assert table.hand("ana") == []
    assert table.state.on_top == {CORRUPTION: (card,)}
    for seat in ("ana", "bob", None):
        assert "tops" not in str(table.seen_by(seat))
    table.play("ana", "influence_add")
    assert table.hand("ana") == [card]
    assert table.state.on_top == {}
