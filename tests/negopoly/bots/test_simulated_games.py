"""Simulated games with every number of players: they end, keep all components, and produce valid sentences.

With MABLIGOP_SOAK set (`make simulate`) there are a thousand more; together they contain every kind of event that
bots bring about.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest

from ledger.kernel.deciding.in_memory import GameInMemory
from ledger.kernel.facts.accounts import BOX
from ledger.kernel.facts.audience import SPECTATOR
from ledger.kernel.facts.events import kind_of
from ledger.kernel.facts.state import State
from ledger.kernel.journal.entry import canonical, read
from ledger.kernel.journal.timeline import Timeline
from ledger.kernel.language.sentences import speak
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.cards.vocabulary import is_card
from ledger.rulebooks.negopoly.goods.shops import STOCKED
from ledger.rulebooks.negopoly.table.pieces import TITLES
from ledger.rulebooks.negopoly.table.state import Negopoly
from replays.simulation import Series, game_of, outcomes, report_of, unbalanced

PLAYERS = range(2, 9)
SOAK = bool(os.environ.get("MABLIGOP_SOAK"))
GAMES = 6 if SOAK else 2
"""The number of games for each number of players."""
MANY = 143 if SOAK else 2
"""The number of games of which only the events are counted; 1,001 games in a soak."""
EVERYDAY = frozenset(Path(__file__).with_name("everyday.txt").read_text().split())
"""The kinds of action and event that occur in at least six games of ten, so a dozen games contain each of them."""
ABSENT = {
    *("charges_set", "k9_set", "mortgage_lifted", "rackets_set", "round_set", "weather_set"),
    *("service_granted", "service_withdrawn"),
    *("forgo_roll", "lapse_question", "roll_forgone", "turns_exchanged", "yield_turn"),
    *("pause_clock", "resume_clock"),
}
"""What does not occur by play: rulings that set what the banker recorded wrongly, what only a corrected history
needs, and the clock stopped without a ruling. The scenarios of their chapters play each of them."""


def series(players: int, games: int) -> Series:
    """Games of this many players, with both strategies at one table."""
    return Series(
        rulebook="negopoly",
        games=games,
        players=players,
        seed=1001 * players,
        strategies=tuple(name for name in RULEBOOK.simulation.strategies if name != "banker"),
        tables="varied",
        actions=20_000,
    )


def folded_from(stored: Iterable[bytes]) -> Negopoly:
    """The state of a game, computed from the bytes of its journal alone."""
    entries = [read(one) for one in stored]
    state = RULEBOOK.blank()
    for standing in Timeline(entries, RULEBOOK.codec.event).effective(len(entries)):
        state.fold(standing.events)
    last = entries[-1]
    state.version, state.last_at, state.seq = last.number, last.recorded_at, last.first_seq + len(last.events) - 1
    return state


def holders(state: State, commodity: str) -> list[tuple[str, int]]:
    """The holders of a commodity with their amounts, without its issuer."""
    found = ((account, held.get(commodity, 0)) for account, held in state.holdings.items())
    return [(account, amount) for account, amount in found if amount > 0]


def check_components(game: GameInMemory[Negopoly]) -> None:
    """Check that the end of the game has every component: 22 titles, every card, every copy in stock."""
    opened, ended = game.past.state_after(1), game.state
    assert len(TITLES) == 22
    for title in TITLES:
        (holder, amount) = holders(ended, f"title:{title}")[0]
        assert (len(holders(ended, f"title:{title}")), amount) == (1, 1)
        assert holder == "bank" or holder.removeprefix("player:") in ended.seats
    cards = {one for _, held in opened.holdings.items() for one in held if is_card(one)}
    assert cards
    for card in cards:
        assert [amount for _, amount in holders(ended, card)] == [1]
    for item in STOCKED:
        there = sum(amount for _, amount in holders(ended, item))
        assert there == -opened.holdings.of(BOX, item) == -ended.holdings.of(BOX, item)
    for account, held in ended.holdings.items():
        for commodity, amount in held.items():
            owing = commodity == "NGD" and account.startswith("player:")
            assert amount > 0 or owing or account in {"bank", BOX}, f"{account} holds {amount} {commodity}"


def check_sentences(game: GameInMemory[Negopoly]) -> None:
    """Check that every event has sentences in both languages, for viewers who know all of it or not."""
    speakers = RULEBOOK.language.speakers(game.state)
    for entry in game.journal:
        for raw in entry.events:
            event = RULEBOOK.codec.event(raw)
            for told in (event, event.redacted(SPECTATOR)):
                if told is not None:
                    for language in ("en", "fr"):
                        said = speak(getattr(told, language), told, language, speakers)
                        assert said
                        assert not set("{}") & set(said), f"{type(event).__name__}: {said}"
                        assert "None" not in said, f"{type(event).__name__}: {said}"


@pytest.mark.parametrize("players", PLAYERS)
def test_games_end_keep_everything_and_tell_it(players: int, record_property: pytest.RecordProperty) -> None:
    """Each game has an end, every component at it, the same state again from its bytes, and its story."""
    lengths = []
    for k in range(GAMES):
        played = game_of(series(players, GAMES), k)
        game: GameInMemory[Negopoly] = played.game
        assert played.ended, f"seed {played.seed} has no end"
        assert unbalanced(game.state) == {}
        check_components(game)
        again = folded_from(canonical(entry) for entry in game.journal)
        again.corrections = game.state.corrections
        assert RULEBOOK.codec.to_snapshot(again) == RULEBOOK.codec.to_snapshot(game.state)
        check_sentences(game)
        lengths.append(game.state.version)
    record_property("actions", lengths)


def test_over_many_games_everything_happens(record_property: pytest.RecordProperty) -> None:
    """Every kind of action and of event that is not rare, and nothing made, lost or left without an end.

    Over a thousand games everything happens that bots do, and what is held to be common does in most of them.
    """
    happened = Counter[str]()
    for players in PLAYERS:
        many = msgspec.structs.replace(series(players, MANY), seed=1001 * players + 500)
        games = list(outcomes(many, processes=2 if SOAK else 1))
        report = report_of(many, games)
        assert (report.ended, report.unbalanced) == (MANY, ()), f"{players} players"
        record_property(f"{players} players", msgspec.to_builtins(report))
        for game in games:
            happened.update({*game.action_kinds, *game.event_kinds})
    assert happened.keys() >= EVERYDAY, sorted(EVERYDAY - happened.keys())
    if SOAK:
        kinds = {*RULEBOOK.actions, *(kind_of(event) for event in RULEBOOK.events.values())} - ABSENT
        assert kinds <= happened.keys(), sorted(kinds - happened.keys())
        seldom = {kind: happened[kind] for kind in EVERYDAY if 2 * happened[kind] < MANY * len(PLAYERS)}
        assert not seldom, f"no longer common: {seldom}"
