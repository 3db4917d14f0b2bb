"""Decks as piles of holdings: cards that were put under a deck come when the others are drawn."""

from random import Random

import pytest

from ledger.kernel.deciding.decision import Request
from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.refusals import NeedsDraw
from ledger.kernel.facts.state import State
from ledger.kernel.rules.draft import Draft
from ledger.rulebooks.parts import decks
from tests.example.town import RULEBOOKS, Roll
from tests.harness.playing import NOON

CARDS = ("ace", "king", "queen", "jack")


def draft(*drawn: str, seed: int | None = None) -> Draft[State]:
    """A draft of a game with a deck of four cards; whoever acts has drawn these."""
    state = RULEBOOKS[0].blank()
    for posting in decks.laid_out((card, "court") for card in CARDS):
        state.holdings.post(posting)
    request = Request(action=Roll(), seat="ana", by="banker", at=NOON)
    found = Draft(RULEBOOKS[0], state, request, None if seed is None else Random(seed))
    found.draws.offer(drawn)
    return found


def test_every_card_lies_in_its_deck() -> None:
    assert decks.held_in(draft().state, decks.pile("court")) == sorted(CARDS)
    assert [decks.card_of(decks.commodity(card)) for card in CARDS] == list(CARDS)
    assert decks.is_drawable(draft().state, "court")
    assert not decks.is_drawable(draft().state, "country")


def test_the_table_says_which_card_comes() -> None:
    assert decks.draw(draft("queen"), "court card", "court") == ["queen"]
    with pytest.raises(NeedsDraw):
        decks.draw(draft(), "court card", "court")


def test_cards_under_the_deck_come_last_and_in_their_order() -> None:
    """Two cards lie under the deck: of three that are drawn two are chance, and the third is known to all."""
    under = ("queen", "ace")
    drawn = decks.draw(draft(seed=1), "court card", "court", 3, under=under)
    assert set(drawn[:2]) == {"king", "jack"}
    assert drawn[2] == "queen"
    assert decks.draw(draft("king", "jack"), "court card", "court", 5, under=under) == [
        "king",
        "jack",
        "queen",
        "ace",
    ]


def test_a_card_in_a_hand_is_not_under_the_deck() -> None:
    found = draft()
    found.state.holdings.post(Posting(decks.commodity("queen"), 1, decks.pile("court"), "player:ana"))
    for card in ("king", "jack", "ace"):
        found.state.holdings.post(Posting(decks.commodity(card), 1, decks.pile("court"), decks.discards("court")))
    assert decks.draw(found, "court card", "court", under=("queen",)) == []
    back = decks.discards_back(found.state, "court")
    assert [posting.commodity for posting in back] == ["card:ace", "card:jack", "card:king"]
