"""The Bazaar, chapter by chapter: a card game with hidden hands, sealed bids and offers face down."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.kernel.facts.audience import BANKER, SPECTATOR, Viewer
from ledger.kernel.facts.refusals import Malformed, NeedsDraw
from ledger.kernel.facts.state import Seat
from ledger.kernel.journal.sight import redact_for_dry_run, visible_holdings
from ledger.kernel.rules.opening import Opening
from ledger.rulebooks.parts import decks
from replays.simulation import outcome_of, play
from tests.example import bazaar
from tests.example.bazaar import RULEBOOK, trades
from tests.example.bazaar.cards import CARDS
from tests.tables.bazaar import HANDS, SEATS, Table, moved

FOLDER = Path(bazaar.__file__).parent


# Set-up and hands -----------------------------------------------------------------------------------


@pytest.mark.rule("bazaar:setup.2", "bazaar:setup.3", "bazaar:setup.4", "bazaar:setup.5", "bazaar:hand.3")
def test_the_table_is_laid_out() -> None:
    table = Table("hands")
    assert len(CARDS) == decks.left_in(table.state, "bazaar") == 40
    assert table.coins() == (20, 20, 20)
    assert Table("hands", coins=7).coins() == (7, 7, 7)
    assert table.state.order == SEATS
    assert set(table.state.prices.values()) == {3}
    assert {seat: one["coins"] for seat, one in table.view(None)["seats"].items()} == dict.fromkeys(SEATS, 20)


@pytest.mark.rule("bazaar:setup.1")
def test_two_players_are_too_few_and_a_banker_plays_a_seat_that_exists() -> None:
    seats = tuple(Seat(name, name) for name in ("ana", "bob"))
    with pytest.raises(Malformed, match=r"3 to 5 players, not 2 \(bazaar:setup.1\)"):
        RULEBOOK.play.opening_action(Opening(players=seats, settings=RULEBOOK.settings(), dice="table"))
    with pytest.raises(Malformed, match="no seat 'eve'"):
        Table("hands", banker_plays="eve")
    table = Table(banker_plays="cid")
    covered = Viewer("banker", "cid", covered=True)
    assert visible_holdings(RULEBOOK.secrets, table.state, "hand:ana", covered) == {"card": 5}


@pytest.mark.rule("bazaar:deal.1", "bazaar:deal.2", "bazaar:deal.3", "bazaar:deal.4", "bazaar:pile.2")
@pytest.mark.rule("bazaar:hand.1", "bazaar:hand.2")
def test_players_draw_their_hands_in_any_order() -> None:
    """Bob draws first. Ana and the spectator see only how many cards."""
    table = Table("hands")
    with pytest.raises(NeedsDraw):
        table.play("bob", "draw_hand")
    table.play("bob", "draw_hand", drawn=HANDS["bob"])
    assert table.shown("bob") == ["Bob pioche Ambre 8, Ambre 1, Poivre 5, Laine 4 et Sel 6."]
    assert table.shown("ana") == table.shown(None) == ["Bob pioche des cartes."]
    assert visible_holdings(RULEBOOK.secrets, table.state, "hand:bob", SPECTATOR) == {"card": 5}
    assert (table.view("bob")["you"]["cards"][0], "you" in table.view(None)) == ("amber_1", False)
    table.refused("bob", "draw_hand", "bazaar:deal.2", drawn=HANDS["bob"])
    table.refused("ana", "draw_card", "bazaar:turn.1")
    table.play("cid", "draw_hand", drawn=HANDS["cid"])
    assert table.told("ana", "draw_hand", drawn=HANDS["ana"])[1].startswith("Round 1 begins; prices: Silk 3,")
    table.refused("ana", "draw_hand", "bazaar:deal.3", drawn=HANDS["ana"])


@pytest.mark.rule("bazaar:deal.5")
def test_a_card_that_the_journal_has_in_another_hand_is_recorded_with_a_warning() -> None:
    """Bob records the Silk 8 that Ana has recorded: a refusal would tell him of her hand."""
    table = Table("hands")
    table.play("ana", "draw_hand", drawn=HANDS["ana"])
    table.play("bob", "draw_hand", drawn=["silk_8", *HANDS["bob"][1:]])
    assert table.last is not None
    (warning,) = table.last.warnings
    assert (warning.en, warning.told) == (
        "the journal has Silk 8 elsewhere (Ana (hand)): one of the two records is wrong",
        (),
    )
    assert table.state.holdings.of("deck:bazaar", "card:silk_8") == -1


# The auction ----------------------------------------------------------------------------------------


@pytest.mark.rule("bazaar:lot.1", "bazaar:lot.2", "bazaar:bid.1", "bazaar:bid.2", "bazaar:bid.4", "bazaar:bid.5")
def test_sealed_bids_are_revealed_at_once() -> None:
    """Bob pays 6 for the lot; what he bid is his secret until Cid has bid, too."""
    table = Table("lot")
    table.refused("ana", "seal_bid", "bazaar:lot.2", amount=1)
    assert [one.seat for one in RULEBOOK.screen.waiting(table.state, BANKER, "en")] == ["banker"]
    table.banker("turn_up_lot", drawn=["silk_2", "wool_1"])
    assert table.shown(None) == ["Le lot est retourné\N{NO-BREAK SPACE}: Soie 2 et Laine 1."]
    table.refused("ana", "seal_bid", "bazaar:bid.1", amount=21)
    table.refused("ana", "offer_trade", "bazaar:trade.1", to="bob", card="silk_8")
    table.play("bob", "seal_bid", amount=6)
    assert (table.shown("bob"), table.shown("ana")) == (
        ["Bob scelle une mise de 6 pièces."],
        ["Bob scelle une mise."],
    )
    assert (table.view("bob")["you"]["bid"], table.view("ana")["sealed"]) == (6, ["bob"])
    table.play("ana", "seal_bid", amount=4)
    assert table.told("cid", "seal_bid", amount=0) == [
        "Cid seals a bid of 0 coins.",
        "The bids are revealed: Ana 4, Bob 6, Cid 0.",
        "The lot goes to Bob for 6 coins: Silk 2 and Wool 1.",
        "It is Ana's turn.",
    ]
    assert table.coins() == (20, 14, 20)
    assert {"silk_2", "wool_1"} <= set(table.cards("bob"))


@pytest.mark.rule("bazaar:bid.2")
def test_asking_what_the_last_bid_would_bring_reveals_nothing() -> None:
    table = Table("bidding")
    table.play("ana", "seal_bid", amount=3)
    table.play("bob", "seal_bid", amount=2)
    events = table.foretold("cid", "seal_bid", amount=1)
    revealed = redact_for_dry_run(events[1], Viewer("player", "cid"))
    assert (events[1].bids, revealed.bids) == ({"ana": 3, "bob": 2, "cid": 1}, None)


@pytest.mark.rule("bazaar:bid.3", "bazaar:bid.6", "bazaar:lot.4", "bazaar:pile.3")
def test_a_tie_goes_to_the_earlier_seat_and_nobodys_lot_to_the_discards() -> None:
    table = Table("bidding")
    table.play("bob", "seal_bid", amount=5)
    table.refused("bob", "seal_bid", "bazaar:bid.3", amount=7)
    table.play("cid", "seal_bid", amount=5)
    assert table.told("ana", "seal_bid", amount=0)[2] == "The lot goes to Bob for 5 coins: Silk 2 and Wool 1."
    unsold = Table("bidding")
    assert unsold.bids()[2] == "The lot goes to the discards for 0 coins: Silk 2 and Wool 1."
    assert unsold.view(None)["discards"] == ["silk_2", "wool_1"]


@pytest.mark.rule("bazaar:bid.7")
def test_a_silent_player_bids_nothing_when_the_time_is_over() -> None:
    table = Table("bidding", bid_seconds=30)
    table.play("ana", "seal_bid", amount=1)
    progress = RULEBOOK.progress
    assert progress.due(table.state, table.now) is None
    (waiting, _) = RULEBOOK.screen.waiting(table.state, BANKER, "fr")
    assert (waiting.seat, waiting.default) == ("bob", "ne rien miser")
    table.wait(20)
    assert progress.resume_action(table.state) is not None
    table.system("resume_bidding")
    table.wait(29)
    assert progress.due(table.state, table.now) is None
    table.wait(1)
    for seat in ("bob", "cid"):
        due = progress.due(table.state, table.now)
        assert due is not None
        assert (due[0].kind, due[1]) == ("seal_bid", seat)
        table.system("seal_bid", seat=seat, amount=0)
    assert (table.state.turn, table.coins("ana")) == ("ana", (19,))
    Table("bidding").refused(None, "resume_bidding", "bazaar:bid.7")


@pytest.mark.rule("bazaar:bid.8", "bazaar:banker.3")
def test_a_bid_counts_for_no_more_than_the_purse() -> None:
    """Ana bids 15 and is fined 12: her bid counts for 8, and Bob's 9 wins."""
    table = Table("bidding")
    table.play("ana", "seal_bid", amount=15)
    table.banker("rule", finding="late", remedies=[{"op": "fine", "seat": "ana", "amount": 12}])
    table.play("bob", "seal_bid", amount=9)
    assert table.told("cid", "seal_bid", amount=0)[1] == "The bids are revealed: Ana 8, Bob 9, Cid 0."


# Turns and the pile ---------------------------------------------------------------------------------


@pytest.mark.rule("bazaar:turn.1", "bazaar:turn.2", "bazaar:pile.1", "bazaar:turn.4")
def test_each_player_has_a_turn_and_the_next_seat_starts_the_next_round() -> None:
    table = Table()
    table.refused("bob", "draw_card", "bazaar:turn.2", drawn=["wool_2"])
    table.play("ana", "draw_card", drawn=["wool_2"])
    assert table.shown("bob") == ["Ana pioche des cartes."]
    table.refused("ana", "draw_card", "bazaar:pile.1", drawn=["wool_3"])
    table.ends("ana", "bob", "cid")
    assert (table.state.round, table.state.phase) == (2, "lot")
    table.banker("turn_up_lot", drawn=["salt_1", "salt_3"])
    table.bids(cid=1)
    assert table.state.turn == "bob"
    table.ends("bob", "cid", "ana")
    assert table.state.round == 3


@pytest.mark.rule("bazaar:turn.3", "bazaar:hand.4")
def test_cards_above_seven_are_discarded_for_all_to_see() -> None:
    table = Table("bidding")
    table.bids(ana=1)
    table.play("ana", "draw_card", drawn=["salt_4"])
    refusal = table.refused("ana", "end_turn", "bazaar:turn.3")
    assert refusal.en == "Ana discards 1 cards, not 0"
    table.refused("ana", "end_turn", "bazaar:turn.3", discard=["wool_8"])
    assert table.offers("ana", "end_turn") == [{"discard": ["silk_1"]}]
    table.play("ana", "end_turn", discard=["salt_4"])
    assert table.shown(None)[0] == "Ana termine son tour\N{NO-BREAK SPACE}; défausse\N{NO-BREAK SPACE}: Sel 4."
    assert len(table.cards("ana")) == 7


@pytest.mark.rule("bazaar:pile.4", "bazaar:pile.5", "bazaar:lot.3")
def test_a_short_pile_takes_the_discards_and_an_empty_one_gives_nothing() -> None:
    table = Table("lot")
    with table.arranged() as state:
        rest = decks.held_in(state, "deck:bazaar")
        moved(state, rest[1:], "deck:bazaar", "hand:cid")
        moved(state, HANDS["bob"][:1], "hand:bob", "discard:bazaar")
        moved(state, HANDS["bob"][1:], "hand:bob", "hand:cid")
    lot = table.banker("turn_up_lot", drawn=[rest[0], "amber_8"])
    assert [type(event).__name__ for event in lot] == ["PileReshuffled", "LotTurnedUp"]
    table.bids(ana=2)
    table.refused("ana", "draw_card", "bazaar:pile.5")
    table.ends("ana", "bob")
    excess = RULEBOOK.actions["end_turn"].choices(table.state, "cid")
    table.play("cid", "end_turn", discard=next(iter(excess)).params["discard"])
    with table.arranged() as state:
        moved(state, decks.held_in(state, "discard:bazaar"), "discard:bazaar", "hand:cid")
    (lot_event, turn) = table.banker("turn_up_lot")
    assert (lot_event.rule, turn.seat) == ("bazaar:lot.3", "bob")  # type: ignore[attr-defined]


@pytest.mark.rule("bazaar:turn.5", "bazaar:banker.1")
def test_an_omitted_end_of_a_turn_is_made_up_for() -> None:
    """The banker drops the end of Ana's turn; as Bob drew afterwards, her turn ends by itself."""
    table = Table("bidding")
    table.bids(ana=1)
    table.play("ana", "draw_card", drawn=["salt_4"])
    table.play("ana", "end_turn", discard=["silk_8"])
    ended = table.number
    table.play("bob", "draw_card", drawn=["wool_2"])
    table.banker("correct", edits=[{"op": "drop", "action": ended}], cascade="restate", reason="not his turn yet")
    assert "silk_8" in table.cards("ana")
    assert table.view(None)["discards"] == ["silk_1"]
    assert (table.state.turn, table.state.drew) == ("bob", True)


@pytest.mark.rule("bazaar:bid.7", "bazaar:turn.5")
def test_forgotten_bids_and_turns_are_made_up_for() -> None:
    """The banker drops the bids of Bob and Cid, and the end of Cid's turn: each is silent, and the rest stands."""
    table = Table("bidding")
    table.bids(ana=1, bob=2)
    bids = [table.number - 1, table.number]
    table.ends("ana", "bob", "cid")
    edits = [{"op": "drop", "action": number} for number in (*bids, table.number)]
    table.banker("correct", edits=edits, cascade="restate", reason="misheard")
    assert (table.state.phase, table.state.turn) == ("turns", "cid")
    assert table.coins() == (19, 20, 20)
    steps = table.what_if({"op": "drop", "action": bids[0] - 1})
    assert steps.voided == ()


@pytest.mark.rule("bazaar:pile.6")
def test_a_card_of_an_undone_draw_comes_again() -> None:
    table = Table(dice="service")
    table.play("ana", "draw_card")
    drawn = table.last.draws["card"] if table.last else []
    undo = {"edits": [{"op": "drop", "action": table.number}], "cascade": "restate", "reason": "not yet"}
    table.banker("correct", **undo)
    assert table.state.on_top == tuple(drawn)
    assert len(table.cards("ana")) == 5
    table.ends("ana")
    table.play("bob", "draw_card")
    assert drawn[0] in table.cards("bob")


# Sales ----------------------------------------------------------------------------------------------


@pytest.mark.rule("bazaar:sale.1", "bazaar:sale.2", "bazaar:sale.3", "bazaar:sale.4", "bazaar:sale.5")
def test_sold_goods_fall_and_unsold_goods_rise() -> None:
    """Ana sells three Silks for 9; the price falls to 2, and next round the other prices are 4."""
    table = Table()
    assert table.offers("ana", "sell_goods") == [{"good": "silk"}]
    for wrong in ({"good": "amber"}, {"good": "silk", "cards": ["silk_8", "amber_3"]}):
        table.refused("ana", "sell_goods", "bazaar:sale.2", **wrong)
    table.refused("ana", "sell_goods", "bazaar:sale.2", good="silk", cards=["silk_8", "silk_2"])
    assert table.told("ana", "sell_goods", good="silk") == [
        "Ana sells Silk 1, Silk 7 and Silk 8 for 9 coins; Silk falls to 2 coins."
    ]
    table.refused("ana", "sell_goods", "bazaar:sale.1", good="silk")
    assert table.coins("ana") == (29,)
    table.ends("ana", "bob", "cid")
    assert table.state.prices == {"silk": 2, "amber": 4, "salt": 4, "pepper": 4, "wool": 4}
    with table.arranged() as state:
        state.prices = {"silk": 1, "amber": 6, "salt": 6, "pepper": 1, "wool": 6}
    table.banker("turn_up_lot", drawn=["salt_1", "salt_3"])
    table.bids()
    table.ends("bob")
    table.play("cid", "sell_goods", good="pepper", cards=["pepper_1", "pepper_7"])
    table.ends("cid", "ana")
    assert table.state.prices == {"silk": 2, "amber": 6, "salt": 6, "pepper": 1, "wool": 6}


# Trades ---------------------------------------------------------------------------------------------


@pytest.mark.rule("bazaar:trade.1", "bazaar:trade.2", "bazaar:trade.3", "bazaar:trade.4", "bazaar:trade.5")
@pytest.mark.rule("bazaar:trade.6")
def test_a_card_face_down_for_coins_and_a_card() -> None:
    """Ana offers Bob her Silk 1 for 4 coins and a Wool. Bob sees no card, Cid no terms."""
    table = Table()
    for to, card in (("ana", "silk_1"), ("bob", "wool_8"), ("eve", "silk_1")):
        table.refused("ana", "offer_trade", "bazaar:trade.1", to=to, card=card)
    table.play("ana", "offer_trade", to="bob", card="silk_1", price=4, wants="wool")
    trade = str(table.number)
    assert table.shown("ana") == [
        f"Ana propose à Bob Soie 1 face cachée contre 4 pièces et Laine (échange {trade})."
    ]
    assert table.shown("bob") == [
        f"Ana propose à Bob une carte face cachée contre 4 pièces et Laine (échange {trade})."
    ]
    assert table.shown("cid") == [f"Ana propose à Bob une carte face cachée (échange {trade})."]
    table.refused("ana", "offer_trade", "bazaar:trade.2", to="cid", card="silk_7")
    agreement = table.state.open[trade]
    assert RULEBOOK.secrets.agreement_audience(agreement).seats == {"ana", "bob"}
    terms = RULEBOOK.agreements.terms(table.state, agreement, "fr")
    assert (terms.status, terms.amount, terms.terms) == ("ouvert", 4, ("Laine",))
    assert table.offers("bob", "accept_trade") == [{"trade": trade, "gives": "wool_4"}]
    for seat, gives in (("cid", "wool_8"), ("bob", "salt_6"), ("bob", None), ("bob", "wool_8")):
        table.refused(seat, "accept_trade", "bazaar:trade.5", trade=trade, gives=gives)
    table.play("bob", "accept_trade", trade=trade, gives="wool_4")
    assert table.shown("bob") == [
        f"Bob accepte l'échange {trade} d'Ana\N{NO-BREAK SPACE}: Soie 1 contre 4 pièces et Laine 4."
    ]
    assert table.shown("cid") == [
        f"Bob accepte l'échange {trade} d'Ana\N{NO-BREAK SPACE}: une carte contre 4 pièces et une carte."
    ]
    assert ("silk_1" in table.cards("bob"), "wool_4" in table.cards("ana")) == (True, True)
    assert table.coins() == (24, 16, 20)
    table.refused("bob", "accept_trade", "bazaar:trade.5", trade=trade)
    assert RULEBOOK.actions["accept_trade"].final == "bazaar:trade.6"
    assert [one.status for one in RULEBOOK.agreements.of(table.state, "trades")] == ["accepted"]


@pytest.mark.rule("bazaar:trade.7", "bazaar:trade.5")
def test_a_trade_is_withdrawn_refused_or_lapses_with_the_round() -> None:
    table = Table()
    for closer, status in (("ana", "withdrawn"), ("bob", "refused")):
        table.play("ana", "offer_trade", to="bob", card="silk_1", price=99)
        trade = str(table.number)
        table.refused("bob", "accept_trade", "bazaar:trade.5", trade=trade)
        table.refused("cid", "close_trade", "bazaar:trade.7", trade=trade)
        assert table.told(closer, "close_trade", trade=trade) == [
            f"Ana takes back Silk 1: trade {trade} is {status}."
        ]
        assert f"reprend une carte\N{NO-BREAK SPACE}: l'échange {trade}" in table.shown("bob")[0]
    table.play("cid", "offer_trade", to="ana", card="salt_8")
    table.ends("ana", "bob", "cid")
    assert "salt_8" in table.cards("cid")
    statuses = [one.status for one in RULEBOOK.agreements.of(table.state, "trades")]
    assert statuses == ["withdrawn", "refused", "lapsed"]


@pytest.mark.rule("bazaar:trade.3", "bazaar:trade.7")
def test_a_card_that_is_gone_is_no_longer_exchanged() -> None:
    """A ruling took the card away. The offer is a fault of the state, until a party closes it."""
    table = Table()
    table.play("ana", "offer_trade", to="bob", card="silk_1")
    trade = str(table.number)
    with table.arranged() as state:
        moved(state, ["silk_1"], "offer:ana", "hand:cid")
    assert [one.rule for one in RULEBOOK.play.inconsistencies(table.state)] == ["bazaar:trade.3"]
    table.refused("bob", "accept_trade", "bazaar:trade.3", trade=trade)
    table.play("bob", "close_trade", trade=trade)
    assert trades.offer_of(table.state, "ana") is None


# The end --------------------------------------------------------------------------------------------


@pytest.mark.rule("bazaar:score.1", "bazaar:score.2", "bazaar:score.3", "bazaar:score.4", "bazaar:score.5")
@pytest.mark.rule("bazaar:setup.6", "bazaar:hand.5")
@pytest.mark.parametrize("reveal_at_end", [True, False])
def test_the_most_points_win(reveal_at_end: bool) -> None:
    """Ana has the most Silk, Bob the most Amber, Cid the most Pepper, Wool and Salt.

    With a Pepper and a Wool Ana would have a set. With as much Silk as she has, Bob would share her prize.
    """
    table = Table(rounds=1, reveal_at_end=reveal_at_end)
    table.ends("ana", "bob")
    assert table.view("ana")["scores"] == {}
    assert table.told("cid", "end_turn")[1:] == [
        "The hands are counted: Ana 51, Bob 54, Cid 82.",
        "The Bazaar closes; it is won by Cid.",
    ]
    assert (table.state.ended, RULEBOOK.score.winners(table.state)) == (True, ("cid",))
    seen = visible_holdings(RULEBOOK.secrets, table.state, "hand:ana", Viewer("spectator", revealed=reveal_at_end))
    assert (seen == {"card": 5}) is not reveal_at_end
    with table.arranged() as state:
        moved(state, ["pepper_2", "wool_2"], "deck:bazaar", "hand:ana")
    assert bazaar.scoring.points(table.state) == {"ana": 51 + 4 + 5, "bob": 54, "cid": 82}
    with table.arranged() as state:
        moved(state, ["silk_6", "silk_5", "silk_4"], "deck:bazaar", "hand:bob")
        moved(state, ["silk_1"], "hand:ana", "hand:cid")
    assert bazaar.scoring.points(table.state) == {"ana": 60 - 1 - 5, "bob": 54 + 15 + 5 + 5, "cid": 83}


# The banker -----------------------------------------------------------------------------------------


@pytest.mark.rule("bazaar:banker.1")
def test_a_bid_misheard_is_corrected_in_the_middle_of_a_round() -> None:
    """Bob bid 1, not 7: the lot was Ana's, and all that came later stands."""
    table = Table("bidding")
    table.bids(ana=4, bob=7)
    misheard = table.number - 1
    table.play("ana", "sell_goods", good="silk")
    table.ends("ana")
    table.play("bob", "draw_card", drawn=["wool_2"])
    before = RULEBOOK.screen.view(table.state, BANKER)
    edits = [{"op": "replace", "action": misheard, "params": {"amount": 1}}]
    table.banker("correct", edits=edits, cascade="restate", reason="misheard")
    assert table.coins() == (20 - 4 + 3 * 4, 20, 20)
    after = RULEBOOK.screen.view(table.state, BANKER)
    told = {
        language: list(RULEBOOK.language.describe_changes(table.state, before, after, language))
        for language in ("en", "fr")
    }
    assert told["en"] == [
        "Ana has 3 cards and 28 coins.",
        "Bob has 6 cards and 20 coins.",
        "Also different: the discards.",
    ]
    assert told["fr"][0] == "Ana a 3 cartes et 28 pièces."


@pytest.mark.rule("bazaar:banker.2", "bazaar:banker.3", "bazaar:banker.4")
def test_only_parties_bring_a_trade_before_the_banker() -> None:
    table = Table()
    table.play("ana", "offer_trade", to="bob", card="silk_1", price=4)
    offered = table.number
    table.refused("cid", "open_dispute", "bazaar:banker.4", claim="unfair", actions=[offered])
    table.play("bob", "open_dispute", claim="she said 3", actions=[offered])
    move = {"commodity": "coin", "amount": 1, "from": "player:ana", "to": "player:bob"}
    remedies = [{"op": "adjust", "postings": [move], "reason": "for the trouble"}]
    table.banker("rule", dispute=str(table.number), finding="true", remedies=remedies)
    assert table.coins() == (19, 21, 20)


def test_every_part_of_a_view_has_words_for_its_differences() -> None:
    table = Table()
    before = RULEBOOK.screen.view(table.state, Viewer("player", "ana"))
    assert set(before) <= {*bazaar.language.TELLINGS, *bazaar.language.UNEXPLAINED}
    other = Table("lot", rounds=2)
    after = RULEBOOK.screen.view(other.state, Viewer("player", "ana"))
    for language, words in (("en", "The game is at the lot to be turned up"), ("fr", "La partie en est à")):
        told = list(RULEBOOK.language.describe_changes(table.state, before, after, language))
        assert told[0].startswith(words)
        assert all(one.endswith(".") for one in told)


# Simulation and size --------------------------------------------------------------------------------


def test_twenty_games_of_bots_end_and_lose_nothing() -> None:
    kinds: set[str] = set()
    for seed in range(20):
        players = tuple(
            Seat(name, name.capitalize()) for name in ("ana", "bob", "cid", "dan", "eve")[: 3 + seed % 3]
        )
        settings = RULEBOOK.settings(bid_seconds=20 * (seed % 2), rounds=3 + seed % 4)
        outcome = outcome_of(
            play(RULEBOOK, Opening(players=players, settings=settings, dice="service"), seed=seed)
        )
        assert outcome.ended
        assert outcome.winners
        assert not outcome.unbalanced
        kinds |= outcome.event_kinds.keys()
    own = {event for event in RULEBOOK.events if RULEBOOK.events[event].__module__.startswith("tests.")}
    assert own - kinds <= {"bidding_resumed"}


def test_every_rule_has_a_scenario() -> None:
    marks = [mark for one in globals().values() for mark in getattr(one, "pytestmark", ())]
    named = {rule for mark in marks if mark.name == "rule" for rule in mark.args}
    rules = [rule.id for rule in RULEBOOK.register.rules()]
    assert (sorted(named), len(rules)) == (sorted(rules), 60)


def test_it_takes_at_most_2500_lines_of_python() -> None:
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in FOLDER.rglob("*.py")) <= 2500
