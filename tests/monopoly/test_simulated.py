"""Simulated games of each edition: they end, keep all components, and produce valid sentences.

With MABLIGOP_SOAK set (`make simulate`) there are a thousand of each; together they contain every possible event.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

from ledger.kernel.deciding.in_memory import GameInMemory
from ledger.kernel.facts.accounts import BANK, BOX
from ledger.kernel.facts.audience import SPECTATOR
from ledger.kernel.facts.events import kind_of
from ledger.kernel.language.sentences import speak
from ledger.rulebooks.monopoly import RULEBOOKS
from ledger.rulebooks.monopoly.table.state import Monopoly, level, owner_of
from ledger.rulebooks.monopoly.table.terms import HOTEL, HOUSE, MORTGAGE, PASS
from ledger.rulebooks.parts import decks, titles
from replays.simulation import Series, game_of, outcomes, report_of, unbalanced

SOAK = bool(os.environ.get("MABLIGOP_SOAK"))
GAMES = 250 if SOAK else 1
"""The games of an edition for each number of players."""
SEED = 62
PLAYERS = (2, 3, 4, 6) if SOAK else (2,)
MOST = 20_000
"""By so many actions every game is over."""
EDITIONS = {one.id: one for one in RULEBOOKS}
_RARE = {"forgo", "forgone", "no_card_left", "tie_thrown", "take_up_auction", "auction_taken_up"}
"""What needs more than play: a corrected history without a throw, a deck of few cards, equal worth at the end, a
night in the middle of an auction."""
_BY_CARDS = {
    "choose", "play_card", "choice_asked", "choice_made", "card_resumed", "kept_card_played", "rent_waived",
    "rent_doubled", "price_halved", "title_handed", "title_paid_out", "title_put_up", "building_lost",
    "nothing_to_choose", "cards_waiting",
}  # fmt: skip
"""What only cards of other boards do (test_card_bots)."""
_OF_BOARDS = {
    "roll_to_go", "move_thrown", "square_paid", "square_paid_out", "pot_drawn", "turns_forfeited", "turn_missed",
    "throw_granted",
}  # fmt: skip
"""What the small town lacks, and other boards may have: `test_square_effects` has them played by bots."""
ABSENT: dict[str, set[str]] = {
    "monopoly": {*_RARE, *_BY_CARDS, *_OF_BOARDS, "lot_unsold", "bid_returned", "sales_lapsed"},
    "monopolys": {*_RARE, "merchant_arrived"},
    "monopoly_naruto": {*_RARE, "no_pass_left", "pot_collected"},
}
"""What does not occur by play: in Naruto also what a pot and a chance die do, which its board lacks; in Monopolys
an arrival, which begins another game; in the small town an auction without a bid, as everything is bought, and a
bid of somebody who is bankrupt before the auction ends."""


def series(rulebook: str, players: int, games: int, seed: int) -> Series:
    """Games of this many players, with both strategies at one table."""
    return Series(
        rulebook=rulebook,
        games=games,
        players=players,
        seed=seed,
        strategies=("bold", "careful"),
        tables="varied",
        actions=MOST,
    )


def check_components(game: GameInMemory[Monopoly]) -> None:
    """Check that the end has every deed, building, card and pass, and no account less than nothing."""
    state, settings = game.state, game.state.settings
    pieces, money = state.edition.pieces, state.edition.currency
    for title in pieces.titles:
        held = [account for account, there in state.holdings.items() if there.get(titles.deed(title), 0) > 0]
        assert held == [BANK] or held == [f"player:{owner_of(state, title)}"], (title, held)
        assert 0 <= level(state, title) <= settings.houses_per_hotel + 1
        assert titles.lies_on(state, title, MORTGAGE) in (0, 1)
    for piece, stock in ((HOUSE, settings.houses_stock), (HOTEL, settings.hotels_stock)):
        there = [held[piece] for account, held in state.holdings.items() if held.get(piece, 0) > 0]
        assert sum(there) == stock == -state.holdings.of(BOX, piece)
    cards = [one.id for one in pieces.cards if not pieces.deck[one.deck].faces]
    for card in cards:
        there = [held.get(decks.commodity(card), 0) for _, held in state.holdings.items()]
        assert sum(one for one in there if one > 0) == 1, card
    passes = [held[PASS] for _, held in state.holdings.items() if held.get(PASS, 0) > 0]
    assert sum(passes) == pieces.passes
    for account, held in state.holdings.items():
        for thing, amount in held.items():
            issued = thing in {money, MORTGAGE} or thing.startswith(("note:", "stay:"))
            owes = account == BOX or (account == BANK and issued)
            assert amount > 0 or owes, f"{account} holds {amount} {thing}"


def check_sentences(game: GameInMemory[Monopoly]) -> None:
    """Check that every event has sentences in both languages."""
    rulebook = game.rulebook
    speakers = rulebook.language.speakers(game.state)
    for entry in game.journal:
        for raw in entry.events:
            event = rulebook.codec.event(raw)
            for told in (event, event.redacted(SPECTATOR)):
                for language in ("en", "fr") if told is not None else ():
                    said = speak(getattr(told, language), told, language, speakers)
                    assert said
                    assert not set("{}") & set(said), f"{type(event).__name__}: {said}"
                    assert "None" not in said, f"{type(event).__name__}: {said}"


@pytest.mark.parametrize("rulebook", EDITIONS)
def test_a_game_ends_keeps_everything_and_tells_it(rulebook: str, record_property: pytest.RecordProperty) -> None:
    """It has an end, every component at it, the same state again from its bytes, and its story."""
    played = game_of(series(rulebook, 3, 1, seed=SEED), 0)
    game: GameInMemory[Monopoly] = played.game
    assert played.ended
    assert unbalanced(game.state) == {}
    check_components(game)
    again = game.past.state_after(game.state.version)
    assert game.rulebook.codec.to_snapshot(again) == game.rulebook.codec.to_snapshot(game.state)
    check_sentences(game)
    record_property("actions", game.state.version)


@pytest.mark.parametrize("rulebook", EDITIONS)
def test_many_games_end_and_keep_everything(rulebook: str, record_property: pytest.RecordProperty) -> None:
    """Nothing is made, lost or left without an end. Over a thousand games everything happens that can."""
    happened = Counter[str]()
    for players in PLAYERS:
        many = series(rulebook, players, GAMES, seed=1000 * players)
        games = list(outcomes(many, processes=2 if SOAK else 1))
        report = report_of(many, games)
        assert (report.ended, report.unbalanced) == (GAMES, ()), f"{players} players"
        record_property(f"{players} players", report.actions)
        for game in games:
            happened.update({*game.action_kinds, *game.event_kinds})
    if SOAK:
        found = EDITIONS[rulebook]
        kinds = {*found.actions, *(kind_of(event) for event in found.events.values())} - ABSENT[rulebook]
        assert kinds <= happened.keys(), sorted(kinds - happened.keys())
