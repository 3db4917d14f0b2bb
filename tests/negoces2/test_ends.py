"""The end: claims between two sales, one chance each, and the most coins win."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.refusals import GameOver, Refusal
from ledger.rulebooks.negoces2 import RULEBOOK
from tests.tables.negoces2 import SEATS, Table, say

EIGHT: list[int | str] = [1, 2, 3, 4, 5, 6, 7, 8]


def window(hands: dict[str, list[int | str]] | None = None, **coins: int) -> Table:
    """A sale has just ended and all players have been the seller; with these hands and coins (59 in all)."""
    table = Table()
    table.everybody_was_seller()
    if hands is not None:
        table.deal_hands(hands)
    if coins:
        table.purses(**coins)
    return table


def eight_each() -> dict[str, list[int | str]]:
    """Everybody has one card of each good; ana has Contraband besides."""
    return {"ana": [*EIGHT, "contraband"], "bob": EIGHT, "cid": EIGHT, "dan": EIGHT}


def decline(table: Table, *seats: str) -> None:
    for seat in seats:
        table.play(seat, "decline_victory")


def tried(table: Table) -> dict[str, list[str]]:
    """List, by seat, the claims and answers that are tried: the banker's moves are asked for without a seat."""
    found = {
        seat: [
            choice.params.get("way", "nothing")
            for kind in ("declare_victory", "decline_victory")
            for choice in RULEBOOK.actions[kind].choices(table.state, seat)
        ]
        for seat in (*SEATS, "")
    }
    return {seat: ways for seat, ways in found.items() if ways}


# The time of a claim ------------------------------------------------------------------------------


@pytest.mark.rule("negoces2:end.1")
def test_victory_is_claimed_at_the_end_of_a_sale_only() -> None:
    """Not in the auction, not before a first sale, not while a card is negotiated or a sale is forced."""
    table = Table("auction")
    table.refused("ana", "declare_victory", "negoces2:end.1", way="coins")
    table = Table()
    table.refused("ana", "declare_victory", "negoces2:end.1", way="coins")
    table = window(ana=31, bob=10, cid=9, dan=9)
    table.sells("ana", "good:1")
    table.refused("ana", "declare_victory", "negoces2:end.1", way="coins")
    table.play("ana", "force_sale", card="good:2")
    table.refused("ana", "declare_victory", "negoces2:end.1", way="coins")
    table.play("ana", "announce_good", good=8)
    table.refused("ana", "declare_victory", "negoces2:end.1", way="coins")
    table.play("ana", "choose_card", owner="dan")
    table.play("ana", "declare_victory", way="coins")


@pytest.mark.rule("negoces2:end.1")
def test_the_next_card_laid_closes_the_moment() -> None:
    table = window(ana=10, bob=31, cid=9, dan=9)
    assert table.view(None)["claims"]["open"]
    assert table.offers("bob", "declare_victory") == [{"way": "coins"}]
    table.sells("ana", "good:1")
    assert not table.view(None)["claims"]["open"]
    assert table.offers("bob", "declare_victory") == []
    table.refused("bob", "declare_victory", "negoces2:end.1", way="coins")


@pytest.mark.rule("negoces2:end.1", "negoces2:end.8")
def test_claims_and_answers_are_tried_in_their_time_only() -> None:
    """Trying says whether a claim succeeds; the first sale and the answers so far say when there is one."""
    claims, answers = ["coins", "cards"], ["coins", "cards", "nothing"]
    table = Table()
    assert tried(table) == {}
    table.passes("ana", "bob", "good:1")
    assert tried(table) == dict.fromkeys(SEATS, claims)
    table.sells("bob", "good:1")
    assert tried(table) == {}
    table = window(ana=10, bob=31, cid=9, dan=9)
    table.play("bob", "declare_victory", way="coins")
    assert tried(table) == dict.fromkeys(("ana", "cid", "dan"), answers)
    decline(table, "ana", "cid")
    assert tried(table) == {"dan": answers}
    decline(table, "dan")
    assert tried(table) == {}


@pytest.mark.rule("negoces2:end.2")
def test_nobody_wins_before_everybody_has_been_seller() -> None:
    """Ana, Bob and Cid have been; Dan is, from the moment a sale leaves him with nine cards."""
    table = Table()
    table.purses(ana=40, bob=7, cid=6, dan=6)
    for seller, buyer, card in (("ana", "bob", "good:1"), ("bob", "cid", "good:3")):
        table.passes(seller, buyer, card)
        refusal = table.refused("ana", "declare_victory", "negoces2:end.2", way="coins")
    assert refusal.en.startswith("Dan has not been seller")
    assert not table.view(None)["claims"]["open"]
    table.passes("cid", "dan", "good:5")
    table.play("ana", "declare_victory", way="coins")


@pytest.mark.rule("negoces2:end.2")
def test_the_banker_may_let_a_claim_stand_earlier() -> None:
    table = Table()
    table.purses(ana=40, bob=7, cid=6, dan=6)
    table.passes("ana", "bob", "good:1")
    table.play("ana", "declare_victory", way="coins", override="the last train leaves")
    decline(table, "bob", "cid", "dan")
    assert table.state.winners == ("ana",)


# The conditions -----------------------------------------------------------------------------------


@pytest.mark.rule("negoces2:end.3")
@pytest.mark.parametrize(("coins", "wins"), [(30, False), (31, True), (32, True)])
def test_31_coins_win(coins: int, wins: bool) -> None:
    table = window(ana=59 - coins - 2, bob=1, cid=coins, dan=1)
    if not wins:
        refusal = table.refused("cid", "declare_victory", "negoces2:end.3", way="coins")
        assert "Cid has 30 coins; victory takes 31" in refusal.en
        return
    (claimed,) = table.play("cid", "declare_victory", way="coins")
    assert (claimed.rule, claimed.coins) == ("negoces2:end.3", coins)
    decline(table, "ana", "bob", "dan")
    assert table.state.winners == ("cid",)


@pytest.mark.rule("negoces2:end.4", "negoces2:setup.11")
def test_one_card_of_each_good_wins_and_contraband_replaces_none() -> None:
    """Ana holds seven goods and Contraband, Bob all eight."""
    hands = eight_each()
    hands["ana"] = [1, 2, 3, 4, 5, 6, 7, 7, "contraband"]
    hands["dan"] = [1, 2, 3, 4, 5, 6, 8, 8]
    table = window(hands)
    refusal = table.refused("ana", "declare_victory", "negoces2:end.4", way="cards")
    assert "Ana has no Jade" in refusal.en
    assert "n'a pas : Jade" in refusal.fr
    (claimed,) = table.play("bob", "declare_victory", way="cards")
    assert (claimed.rule, claimed.coins, claimed.postings) == ("negoces2:end.4", None, ())
    decline(table, "ana", "cid", "dan")
    assert table.state.winners == ("bob",)


@pytest.mark.rule("negoces2:end.5")
def test_neither_way_asks_for_anything_of_the_other() -> None:
    """Bob wins by cards without a coin; Cid wins by coins with goods of two kinds."""
    table = window(eight_each(), ana=20, bob=0, cid=20, dan=19)
    table.play("bob", "declare_victory", way="cards")
    decline(table, "ana", "cid", "dan")
    assert table.state.winners == ("bob",)
    table = window(ana=10, bob=9, cid=31, dan=9)
    assert set(table.hand("cid")) == {"good:5", "good:6"}
    table.play("cid", "declare_victory", way="coins")
    decline(table, "ana", "bob", "dan")
    assert table.state.winners == ("cid",)


@pytest.mark.rule("negoces2:end.6")
def test_meeting_a_condition_ends_nothing_until_it_is_claimed() -> None:
    """Ana has 40 coins and claims only after two more sales."""
    table = window(ana=40, bob=7, cid=6, dan=6)
    table.swaps("ana", "bob", "good:1", "good:3")
    table.swaps("ana", "bob", "good:1", "good:3")
    assert (table.state.ended, table.state.phase) == (False, "between")
    table.play("ana", "declare_victory", way="coins")
    decline(table, "bob", "cid", "dan")
    assert table.state.ended


@pytest.mark.rule("negoces2:end.7")
def test_the_proof_is_shown_to_all() -> None:
    """Hidden coins are shown, and only eight cards of the hand; a failed claim shows nothing."""
    table = window(eight_each(), ana=11, bob=8, cid=32, dan=8)
    table.play("cid", "hide_coins", coins=30)
    refusal = table.refused("dan", "declare_victory", "negoces2:end.3", way="coins")
    assert "Dan has 8 coins" in refusal.en
    table.play("cid", "declare_victory", way="coins")
    assert table.account("coins_visible:cid", None) == {"coin": 32}
    assert table.view(None)["claims"]["made"] == {"cid": {"way": "coins", "coins": 32}}
    table.play("ana", "declare_victory", way="cards")
    assert table.view(None)["claims"]["made"]["ana"] == {"way": "cards"}
    assert table.account("hand:ana", None) == {"card": 9}
    speakers = RULEBOOK.language.speakers(table.state)
    assert say(table.last.events[0], "en", speakers) == "Ana claims victory with one card of each good."


# Several claims -----------------------------------------------------------------------------------


@pytest.mark.rule("negoces2:end.8")
def test_of_several_claimants_the_one_with_the_most_coins_wins() -> None:
    """Cid claims by 31 coins, Ana and Bob by cards; Ana has hidden 12. Cid wins, whoever claimed first."""
    table = window(eight_each(), ana=20, bob=5, cid=31, dan=3)
    table.play("ana", "hide_coins", coins=12)
    table.play("ana", "declare_victory", way="cards")
    table.play("cid", "declare_victory", way="coins")
    table.play("bob", "declare_victory", way="cards")
    declined, compared, ended = table.play("dan", "decline_victory")
    assert (declined.rule, compared.rule, ended.rule) == ("negoces2:end.8", "negoces2:end.8", "negoces2:end.10")
    assert compared.coins == {"ana": 20, "bob": 5, "cid": 31}
    assert ended.winners == ("cid",)


@pytest.mark.rule("negoces2:end.8")
def test_everybody_else_has_one_chance_to_claim() -> None:
    """Players who could not have claimed answer too; meanwhile no card is laid, and no answer can be undone."""
    table = window(ana=10, bob=31, cid=9, dan=9)
    table.refused("cid", "decline_victory", "negoces2:end.8")
    table.play("bob", "declare_victory", way="coins")
    table.refused("bob", "declare_victory", "negoces2:end.8", way="cards")
    table.refused("bob", "decline_victory", "negoces2:end.8")
    refusal = table.refused("ana", "offer_for_sale", "negoces2:end.8", card="good:1", face="up")
    assert "Bob claims victory" in refusal.en
    assert table.view(None)["awaited"] == ["ana", "cid", "dan"]
    assert "turn" not in table.view(None)
    for seat in ("ana", "cid", "dan"):
        assert table.offers(seat, "decline_victory") == [{}]
    decline(table, "ana")
    table.refused("ana", "decline_victory", "negoces2:end.8")
    table.refused("ana", "declare_victory", "negoces2:end.8", way="cards")
    with pytest.raises(Refusal, match="for good"):
        table.undo("ana")
    table.refused("cid", "declare_victory", "negoces2:end.3", way="coins")
    decline(table, "cid")
    assert not table.state.ended
    decline(table, "dan")
    assert table.state.ended


@pytest.mark.rule("negoces2:end.8")
def test_the_last_chance_may_be_a_claim() -> None:
    """The third answer is a claim by cards with more coins, and settles it."""
    table = window(eight_each(), ana=3, bob=5, cid=20, dan=31)
    table.play("bob", "declare_victory", way="cards")
    decline(table, "ana", "dan")
    *_, ended = table.play("cid", "declare_victory", way="cards")
    assert ended.winners == ("cid",)


@pytest.mark.rule("negoces2:end.9")
def test_a_tie_on_coins_is_shared() -> None:
    """Ana and Bob, 20 each: they share the victory, and the banker may still rule otherwise."""
    table = window(eight_each(), ana=20, bob=20, cid=10, dan=9)
    table.play("bob", "declare_victory", way="cards")
    table.play("ana", "declare_victory", way="cards")
    decline(table, "cid")
    *_, compared, ended = table.play("dan", "decline_victory")
    assert (compared.rule, compared.coins) == ("negoces2:end.9", {"ana": 20, "bob": 20})
    assert ended.winners == ("ana", "bob")
    speakers = RULEBOOK.language.speakers(table.state)
    assert say(ended, "en", speakers) == "Ana and Bob share the title of Grand négociateur."
    assert say(ended, "fr", speakers) == "Ana et Bob partagent le titre de Grand négociateur."
    order = [{"op": "declare_victory", "winners": ["bob"]}]
    table.banker("rule", finding="Bob spoke first, as agreed", remedies=order, rules=["negoces2:end.9"])
    assert table.state.winners == ("bob",)


@pytest.mark.rule("negoces2:end.10")
def test_the_winner_is_proclaimed_and_the_game_is_closed() -> None:
    """No play is possible; rulings of the banker still are."""
    table = window(ana=31, bob=10, cid=9, dan=9)
    table.play("ana", "declare_victory", way="coins")
    decline(table, "bob", "cid")
    *_, ended = table.play("dan", "decline_victory")
    speakers = RULEBOOK.language.speakers(table.state)
    assert say(ended, "en", speakers) == "Ana is proclaimed Grand négociateur."
    assert say(ended, "fr", speakers) == "Ana est proclamé Grand négociateur."
    view = table.view(None)
    assert (view["phase"], view["winners"], view["title"]) == ("ended", ["ana"], "Grand négociateur")
    asked = {
        "bid": {"amount": 2}, "withdraw": {}, "offer_for_sale": {"card": "good:1", "face": "up"},
        "add_coins_to_sale": {"coins": 1}, "remove_coins_from_sale": {"coins": 1}, "make_offer": {"coins": 1},
        "change_offer": {"coins": 1}, "withdraw_offer": {}, "accept_offer": {"buyer": "bob", "revision": "1"},
        "force_sale": {"card": "good:1"}, "announce_good": {"good": 3}, "choose_card": {"owner": "bob"},
        "hide_coins": {"coins": 1}, "show_coins": {"coins": 1}, "declare_victory": {"way": "coins"},
        "decline_victory": {},
    }  # fmt: skip
    open_to_players = {kind for kind, one in RULEBOOK.actions.items() if "player" in one.by and not one.docket}
    assert set(asked) == open_to_players
    for kind, params in asked.items():
        with pytest.raises(GameOver):
            table.play("ana", kind, **params)
    table.banker("rule", finding="well played", rules=["negoces2:end.10"])
    assert all(table.offers(seat, kind) == [] for seat in SEATS for kind in ("hide_coins", "declare_victory"))
