"""Simulated games of Virtual Revolution: five rounds, every component of the box kept, every event told.

With MABLIGOP_SOAK set (`make simulate`) there are a thousand. Together they contain every card, every kind of
action and of event, and every operation of the vocabulary.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from ledger.kernel.deciding.in_memory import GameInMemory
from ledger.kernel.facts.accounts import BANK, BOX
from ledger.kernel.facts.audience import SPECTATOR
from ledger.kernel.facts.events import kind_of
from ledger.kernel.language.sentences import speak
from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution import RULEBOOK
from ledger.rulebooks.virtual_revolution.table import effects
from ledger.rulebooks.virtual_revolution.table.operations import (
    Cap,
    DiscardAgentInService,
    DiscardBoost,
    Effect,
    InfluenceClear,
    KeepFromDiscard,
    PayToGain,
    TakeAgent,
)
from ledger.rulebooks.virtual_revolution.table.pieces import Pieces
from ledger.rulebooks.virtual_revolution.table.state import Draft, VirtualRevolution
from ledger.rulebooks.virtual_revolution.table.terms import (
    EUROCREDIT,
    IMMUNITY,
    REVENUE,
    VP2,
    director,
    influence,
    server,
    title,
)
from replays.simulation import Series, game_of, outcomes, report_of, unbalanced

SOAK = bool(os.environ.get("MABLIGOP_SOAK"))
SEED = 15
GAMES = 336 if SOAK else 1
"""The games for each number of players."""
PLAYERS = (2, 3, 4) if SOAK else (2,)
MOST = 4000
"""By so many actions every game is over."""
STYLES = ("builder", "recruiter", "creator", "schemer")
ABSENT = {
    *("answers_waived", "corruption_missed", "pieces_replaced", "played_first", "turn_forgone"),
    *("forgo_turn", "let_first", "record_objectives"),
}
"""What does not occur by play: other pieces by a ruling, Objectives that players record where the banker has not
dealt them, and what only a corrected history needs."""
CITED_ELSEWHERE = {
    *("vr:agents.13", "vr:agents.16", "vr:agents.20", "vr:promotion.24", "vr:promotion.25", "vr:verse_card.21"),
}
"""Cards whose effects are told by the rules of what they let one do: an Action, another card's gain."""
CARRIED_ELSEWHERE = {Cap, DiscardAgentInService, DiscardBoost, InfluenceClear, PayToGain, TakeAgent}
"""Losses of raids and attacks, which losses.py takes, and two operations that only a table's own cards have."""
Game = GameInMemory[VirtualRevolution]


def series(players: int, games: int, seed: int) -> Series:
    """Games of this many players, of all styles, at tables of all kinds."""
    return Series(
        rulebook=RULEBOOK.id,
        games=games,
        players=players,
        seed=seed,
        strategies=STYLES,
        tables="varied",
        actions=MOST,
    )


# ----------------------------------------------------------------------------------------------
# What is checked of a game that is over
# ----------------------------------------------------------------------------------------------


def supply(state: VirtualRevolution) -> dict[str, int]:
    """How many of each component there are: what has come out of the box, by its commodity."""
    found = state.edition.pieces
    many, players = found.amounts, len(state.seats)
    there = {IMMUNITY: many.immunity_tokens, VP2: many.vp2_tokens}
    for seat in state.seats:
        there |= {influence(seat): many.influence_on_board[str(players)]}
        there |= {director(seat): many.directors, server(seat): many.servers}
    there |= {title(district): 1 for district in found.titles}
    return there | {decks.commodity(card): 1 for card in cards(found)}


def cards(found: Pieces) -> list[str]:
    """The ids of all cards: Agents, Boosts, Verses, Objectives, Corruption, Necro and Location cards."""
    named = (found.agent, found.boost, found.verse, found.objective, found.corruption, found.necro)
    return [*(card.id for some in named for card in some), *found.locations]


def check_components(game: Game) -> None:
    """Check that every component is somewhere, and that no account holds less than nothing."""
    state = game.state
    held: Counter[str] = Counter()
    for account, there in state.holdings.items():
        for thing, amount in there.items():
            issues = account == BOX or (account == BANK and thing in {EUROCREDIT, REVENUE})
            assert amount > 0 or issues, f"{account} holds {amount} {thing}"
            held[thing] += max(0, amount)
    for thing, amount in supply(state).items():
        assert held[thing] == amount == -state.holdings.of(BOX, thing), thing


def check_sentences(game: Game) -> None:
    """Check that every event has sentences in both languages, for its player and for spectators."""
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


def rules_of_pieces(found: Pieces) -> Iterator[str]:
    """The rules of all that cards do in play; what they score stands in the scores."""
    for agent in found.agent:
        yield from (agent.rules.use, agent.rules.promotion)
        yield from (rule for rule in (agent.rules.extra, agent.rules.boost) if rule)
    for verse in found.verse:
        yield verse.rules.mission
    for card in (*found.necro, *found.boost, *found.title, *found.recycling, *found.corruption_kind):
        yield card.rule


@pytest.mark.rule("vr:endgame.1", "vr:round.1")
def test_a_game_ends_after_five_rounds_and_keeps_everything(record_property: pytest.RecordProperty) -> None:
    """It has an end, every component at it, the same state again from its bytes, and its story."""
    played = game_of(series(2, 1, seed=SEED), 0)
    game: Game = played.game
    assert played.ended
    assert game.state.round == game.state.edition.pieces.amounts.rounds
    assert unbalanced(game.state) == {}
    check_components(game)
    again = game.past.state_after(game.state.version)
    assert game.rulebook.codec.to_snapshot(again) == game.rulebook.codec.to_snapshot(game.state)
    check_sentences(game)
    record_property("actions", game.state.version)


# ----------------------------------------------------------------------------------------------
# A thousand games
# ----------------------------------------------------------------------------------------------


def test_many_games_end_and_keep_everything(record_property: pytest.RecordProperty) -> None:
    """Nothing is made, lost or left without an end. Over a thousand games every card does what it does."""
    happened, cited = Counter[str](), Counter[str]()
    for players in PLAYERS:
        many = series(players, GAMES, seed=1000 * players)
        games = list(outcomes(many, processes=2 if SOAK else 1))
        report = report_of(many, games)
        assert (report.ended, report.unbalanced) == (GAMES, ()), f"{players} players"
        record_property(f"{players} players", report.actions)
        for game in games:
            happened.update({*game.action_kinds, *game.event_kinds})
            cited.update(game.rules)
    if SOAK:
        kinds = {*RULEBOOK.actions, *(kind_of(event) for event in RULEBOOK.events.values())} - ABSENT
        assert kinds <= happened.keys(), sorted(kinds - happened.keys())
        rules = {*rules_of_pieces(RULEBOOK.screen.pieces_in_play(RULEBOOK.blank()))} - CITED_ELSEWHERE
        assert rules <= cited.keys(), sorted(rules - cited.keys())


def test_every_operation_is_carried_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each effect has a function that carries it out; in the many games each of them is called."""
    carrying = effects._CARRYING
    assert carrying.keys() == {*get_args(Effect)} - {KeepFromDiscard}, "a kept thing answers a loss: protection.py"
    called: set[type[Any]] = set()

    def noting(operation: type[Any], carry: effects.Carrying) -> effects.Carrying:
        def noted(draft: Draft, effect: Any, doing: effects.Doing) -> None:
            carry(draft, effect, doing)
            called.add(operation)

        return noted

    for operation, carry in list(carrying.items()):
        monkeypatch.setitem(carrying, operation, noting(operation, carry))
    for k in range(GAMES if SOAK else 0):
        game_of(series(3, GAMES, seed=SEED), k)
        if called >= carrying.keys() - CARRIED_ELSEWHERE:
            break
    missing = carrying.keys() - called - CARRIED_ELSEWHERE
    assert not SOAK or not missing, sorted(one.__name__ for one in missing)
