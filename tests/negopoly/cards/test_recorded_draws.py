"""Cards of the table's own decks, which players record: a refusal tells nobody what is in another hand (I.C.6)."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.refusals import Malformed
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.table.pieces import CARDS
from tests.tables.negopoly import KAMTAR, Table, idle, ruled

DRAWN, OTHER, THIRD = "kamtar_03", "kamtar_04", "kamtar_11"
KAMTAR_CARDS = 12
TWICE = "the journal has Blackmail elsewhere (Bob): one of the two records is wrong"


def at_the_kamtar(in_bobs_hand: str) -> Table:
    """Ana has stopped on the Kamtar; Bob has drawn one of its cards before, which she does not know."""
    table = Table("ana", "bob", decks=True)
    table.hand("bob", in_bobs_hand)
    table.place("ana", KAMTAR - 3)
    table.play("ana", "roll_dice", dice=[1, 2])
    return table


def drawn_twice() -> Table:
    """Ana has drawn the card that the journal has in Bob's hand."""
    table = at_the_kamtar(DRAWN)
    table.play("ana", "buy_kamtar_card", draws=[DRAWN])
    return table


def left(table: Table) -> int:
    """How many Kamtar cards everybody sees in their deck."""
    found: int = RULEBOOK.screen.view(table.state, Viewer("spectator"))["decks"]["kamtar"]["left"]
    return found


def warned(table: Table) -> list[tuple[str, str, Any]]:
    """The warnings kept with the last action: the rule, the sentence, and who may read it besides the banker."""
    return [(one.rule, one.en, one.told) for one in table.journal[-1].warnings]


@pytest.mark.rule("I.C.6", "VI.B.1")
def test_the_table_s_word_is_taken_for_a_card_that_the_player_cannot_know() -> None:
    """Ana draws a card, and learns nothing of Bob's hand by it; only the banker is warned that it is there."""
    told = []
    for in_bobs_hand, warnings in ((DRAWN, [("I.C.6", TWICE, ())]), (OTHER, [])):
        table = at_the_kamtar(in_bobs_hand)
        table.play("ana", "buy_kamtar_card", draws=[DRAWN])
        assert warned(table) == warnings
        assert table.holds("ana", f"card:{DRAWN}") == 1
        told.append((table.seen_by("ana"), table.seen_by(None), left(table)))
    assert told[0] == told[1]
    assert told[0][2] == KAMTAR_CARDS - 2


def test_a_card_that_the_player_can_see_elsewhere_is_refused_as_ever() -> None:
    """It is in Ana's own hand, or among the discards."""
    table = at_the_kamtar(OTHER)
    table.hand("ana", DRAWN)
    table.post(f"card:{THIRD}", 1, "deck:kamtar", "discard:kamtar")
    for card in (DRAWN, THIRD, "chance_01", "joker"):
        assert "cards left to draw" in table.malformed("ana", "buy_kamtar_card", draws=[card]).en


def test_the_banker_who_sees_the_hands_records_no_card_twice() -> None:
    """For the banker a card in Bob's hand is not left to draw."""
    table = at_the_kamtar(DRAWN)
    with pytest.raises(Malformed, match="cards left to draw"):
        table.banker("buy_kamtar_card", seat="ana", draws=[DRAWN])


@pytest.mark.rule("VI.B.3")
def test_the_deck_is_whole_again_once_the_card_has_come_back_twice() -> None:
    """Bob's card and Ana's are played and discarded; the deck that is formed anew has each card once."""
    table = drawn_twice()
    for seat in ("ana", "bob"):
        table.post(f"card:{DRAWN}", 1, f"player:{seat}", "discard:kamtar")
    for card in CARDS:
        if card.deck == "kamtar" and card.id not in {DRAWN, THIRD}:
            table.post(card.commodity, 1, "deck:kamtar", "discard:kamtar")
    assert left(table) == 0
    table.play("ana", "end_turn")
    idle(table, "bob")
    table.place("ana", KAMTAR - 3)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "buy_kamtar_card", draws=[DRAWN])
    assert table.holds("deck:kamtar", f"card:{DRAWN}") == 0
    assert left(table) == KAMTAR_CARDS - 1


@pytest.mark.rule("P.1", "I.C.6")
def test_the_banker_settles_which_record_is_wrong() -> None:
    """Bob had drawn another card: his goes back to the deck. No ruling takes from a deck what it does not have."""
    table = drawn_twice()
    assert [(one.rule, one.readers) for one in RULEBOOK.play.inconsistencies(table.state)] == [("I.C.6", ())]
    back = {"commodity": f"card:{DRAWN}", "amount": 1, "from": "player:bob", "to": "deck:kamtar"}
    ruled(table, {"op": "adjust", "postings": [back], "reason": "Bob had another one"})
    assert list(RULEBOOK.play.inconsistencies(table.state)) == []
    again = {**back, "from": "deck:kamtar", "to": "player:bob"}
    order = {"op": "adjust", "postings": [again], "reason": "or had he?"}
    table.refused(None, "rule", "I.C.6", finding="So be it.", remedies=[order])


@pytest.mark.rule("P.4")
def test_a_correction_elsewhere_leaves_the_drawn_card_as_it_was() -> None:
    """Ana's roll is typed again: her draw still counts."""
    table = drawn_twice()
    planned = table.what_if({"op": "replace", "action": table.number - 1, "params": {"dice": [2, 1]}})
    assert (planned.voided, planned.new_state.holdings.of("player:ana", f"card:{DRAWN}")) == ((), 1)
