"""Simulated games: bots play from a seed, and the outcomes are counted.

A seed gives an identical journal on any machine, so a failing game can be played again.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import repeat
from random import Random
from typing import Any, Literal

import msgspec

from ledger import rulebooks
from ledger.kernel.deciding.in_memory import GameInMemory
from ledger.kernel.facts.events import kind_of
from ledger.kernel.facts.refusals import Refusal, RuleBroken
from ledger.kernel.facts.state import Seat, State
from ledger.kernel.journal.entry import canonical
from ledger.kernel.journal.timeline import Timeline
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.bots import BANKER, WHIM, Bot
from ledger.kernel.rules.opening import Dice, Opening
from ledger.kernel.rules.rulebook import Rulebook
from replays.board_use import CardUse, TitleUse, Use, Watching, cards_of, titles_of
from replays.results import BySettings, Result, Results, SettingsResult, Spread, changed, spread
from replays.statistics.tallying import FirstTurns

Tables = Literal["default", "varied"]
"""The kind of settings in the games of a series."""

EVENING = datetime(2026, 1, 1, 19, 0, tzinfo=UTC)
"""The time at which simulated games begin."""
_NAMES = ("ana", "bob", "cleo", "dan", "eve", "fay", "gus", "hal")
_TRIES = 12
"""The number of choices of a kind tried by a bot before the next kind."""
_MOST_REFUSALS = 3
"""The number of refusals by a rule after which a bot tries the next kind."""
_QUARRELSOME = 0.03
"""The probability with which a bot considers disputes, which are always legal."""
_LATE = 1 / 2000
"""The probability, at each action, that the players stop for the night and continue the next day."""


class NoLegalMove(Exception):  # noqa: N818 - a finding, not a fault
    """Nobody at the table has a legal move, and the game has not ended."""


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """A simulated game: the seed, the game in memory with its journal, and whether the game ended.

    `strategies` has the name of each seat's strategy, in the order of the seats; it is empty for bots without
    names.
    """

    seed: int
    game: Any
    ended: bool
    strategies: dict[str, str] = {}


def play(
    rulebook: Rulebook[Any],
    opening: Opening,
    *,
    seed: int,
    bots: Callable[[str], Bot] = lambda _: WHIM,
    actions: int = 5000,
    name: str | None = None,
    strategies: dict[str, str] | None = None,
    at: datetime = EVENING,
) -> Played:
    """Play a game to its end, or up to a number of actions.

    `bots` returns the bot of a seat or of the banker. `name` is the name of the game, `strategies` are the
    names of the seats' strategies, stored in the result, and `at` is the beginning of the game. Raises
    Malformed for a number of players forbidden by the rulebook, and NoLegalMove.
    """
    chance = Random(seed)  # noqa: S311 - it must be reproducible
    game = GameInMemory(rulebook, opening, name=name or f"simulated-{seed}", at=at, chance=chance)
    minds = {by: bots(by) for by in (*(seat.seat for seat in opening.players), BANKER)}
    while not game.state.ended and game.state.version < actions:
        at += timedelta(seconds=chance.randint(1, 40))
        if chance.random() < _LATE:
            at += timedelta(days=1)
            game.take_up(at)
        game.catch_up(at)
        if not game.state.ended:
            _let_one_act(game, minds, at)
    return Played(seed=seed, game=game, ended=game.state.ended, strategies=strategies or {})


def _let_one_act(game: GameInMemory[Any], minds: dict[str, Bot], at: datetime) -> None:
    """Let one seat, or the banker, act. Usually the awaited seats come first.

    If no bot wants any legal action, a random legal action is taken. Raises NoLegalMove.
    """
    chance = game.chance
    awaited = [seat for seat in game.rulebook.screen.awaited(game.state) if seat in minds]
    others = [by for by in minds if by not in awaited]
    chance.shuffle(awaited)
    chance.shuffle(others)
    order = [*awaited, *others] if chance.random() < 0.85 else [*others, *awaited]
    for mind_of in (minds.__getitem__, lambda _: WHIM):
        for by in order:
            if _act(game, mind_of(by), by, at):
                return
    raise NoLegalMove(f"nobody can do anything after action {game.state.version} of {game.name}")


def _act(game: GameInMemory[Any], mind: Bot, by: str, at: datetime) -> bool:
    """Let a seat, or the banker, perform a legal action. Returns False if the bot found no action."""
    rulebook, chance = game.rulebook, game.chance
    role = BANKER if by == BANKER else "player"
    seat = chance.choice(sorted(game.state.seats)) if by == BANKER else by
    open_kinds = [
        kind
        for kind, action in rulebook.actions.items()
        if role in action.by and not (action.docket and chance.random() > _QUARRELSOME)
    ]
    for kind in mind.kinds(game.state, seat, by, open_kinds, chance):
        offered = list(rulebook.actions[kind].choices(game.state, seat))
        refused = Counter[str]()
        for choice in mind.choices(game.state, seat, kind, offered, chance)[:_TRIES]:
            action = _action(rulebook, kind, choice)
            try:
                game.perform(action, seat, by, at)
            except RuleBroken as refusal:
                refused[refusal.rule] += 1
                if refused[refusal.rule] == _MOST_REFUSALS:
                    break
            except Refusal:
                continue
            else:
                return True
    return False


def _action(rulebook: Rulebook[Any], kind: str, choice: Choice) -> Action:
    return rulebook.codec.action(kind, msgspec.json.encode(choice.params))


# ----------------------------------------------------------------------------------------------
# Outcomes
# ----------------------------------------------------------------------------------------------


class SeatOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of a seat: the strategy, the position in the order of play, and the wealth at the end."""

    seat: str
    strategy: str
    place: int | None
    won: bool
    worth: int


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of a simulated game as plain counts, for sending between processes."""

    seed: int
    journal: str
    """The SHA-256 of all bytes of the journal, in hexadecimal. A seed always gives an equal hash."""
    ended: bool
    actions: int
    """The number of actions that count at the end."""
    events: int
    winners: tuple[str, ...]
    wealth: dict[str, int]
    """The wealth of each seat at the end, in the game's money."""
    seats: tuple[SeatOutcome, ...]
    settings: dict[str, Any]
    """The settings of the game unlike the defaults."""
    action_kinds: dict[str, int]
    event_kinds: dict[str, int]
    rules: dict[str, int]
    """The number of events that cite each rule."""
    unbalanced: dict[str, int]
    """The commodities created or lost by mistake, with the amounts. Must be empty."""
    rounds: int | None = None
    """The rounds played; None for a rulebook without rounds."""
    use: Use = Use()


def outcome_of(played: Played) -> Outcome:
    """Count the outcome of a game."""
    game: GameInMemory[Any] = played.game
    rulebook, state = game.rulebook, game.state
    actions: Counter[str] = Counter(entry.kind for entry in game.journal)
    events: Counter[str] = Counter()
    rules: Counter[str] = Counter()
    journal = hashlib.sha256()
    for entry in game.journal:
        journal.update(canonical(entry))
    first_turns = FirstTurns(rulebook.tallies)
    watching = Watching(rulebook, state.seats)
    counting = 0
    for timeline_entry in Timeline(game.journal, rulebook.codec.event).entries():
        for event in () if timeline_entry.insert else timeline_entry.recorded:
            events[kind_of(event)] += 1
            rules[event.rule] += 1
        if timeline_entry.counts:
            counting += 1
            watching.take(timeline_entry.events)
            for event in timeline_entry.events:
                first_turns.take(event)
    winners = tuple(rulebook.score.winners(state))
    wealth = {
        seat: sum(asset.value for asset in rulebook.score.wealth(state, seat)) for seat in sorted(state.seats)
    }
    places = first_turns.places(state.seats)
    return Outcome(
        seed=played.seed,
        journal=journal.hexdigest(),
        ended=played.ended,
        actions=counting,
        events=events.total(),
        winners=winners,
        wealth=wealth,
        seats=tuple(
            SeatOutcome(
                seat=seat, strategy=strategy, place=places.get(seat), won=seat in winners, worth=wealth[seat]
            )
            for seat, strategy in played.strategies.items()
        ),
        settings=changed(rulebook, msgspec.to_builtins(game.opening.settings)),
        action_kinds=dict(actions),
        event_kinds=dict(events),
        rules=dict(rules),
        unbalanced=unbalanced(state),
        rounds=rulebook.screen.round_of(state),
        use=watching.use,
    )


def unbalanced(state: State) -> dict[str, int]:
    """Return the commodities with holdings that do not sum to zero, with their sums. Must be empty."""
    commodities = {commodity for _, held in state.holdings.items() for commodity in held}
    return {
        commodity: total for commodity in sorted(commodities) if (total := state.holdings.total(commodity)) != 0
    }


# ----------------------------------------------------------------------------------------------
# Many games
# ----------------------------------------------------------------------------------------------


class Series(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of a series of games. Game k of a series (from 0) has the seed `seed + k`."""

    rulebook: str
    games: int
    players: int
    seed: int
    strategies: tuple[str, ...]
    """Names of the rulebook's strategies. The seats take them in turn, shifted by one seat from game to game."""
    tables: Tables = "default"
    """"default": every game is played by the default settings. "varied": the games are played at the rulebook's
    simulated tables in turn, which are made to test every rule."""
    settings: dict[str, Any] = {}
    """Settings that override the table's settings. `dice` is "service" or "table"."""
    actions: int = 5000
    """The number of actions after which a game is stopped."""

    def strategy_of(self, position: int, seed: int) -> str:
        """Return the strategy of the seat at `position` (from 0) in the game with seed `seed`."""
        return self.strategies[(position + seed) % len(self.strategies)]

    def strategies_of(self, seed: int) -> dict[str, str]:
        """Return the strategy of each seat in the game with seed `seed`, in the order of the seats."""
        return {seat: self.strategy_of(position, seed) for position, seat in enumerate(_NAMES[: self.players])}

    def name_of(self, seed: int) -> str:
        """Return the name of the game with seed `seed`. Equal seeds and parameters give equal names."""
        parameters = (self.rulebook, self.players, self.strategies, self.tables, sorted(self.settings.items()))
        digest = hashlib.sha256(msgspec.json.encode(parameters)).hexdigest()
        return f"simulated-{seed}-{digest[:8]}"


def opening_of(series: Series, seed: int) -> Opening:
    """Build the opening of the game with seed `seed`.

    Raises msgspec.ValidationError for settings unknown to the rulebook, and Malformed for a number of players
    forbidden by the rulebook.
    """
    rulebook = rulebooks.rulebooks_by_id()[series.rulebook]
    tables = rulebook.simulation.simulated_tables if series.tables == "varied" else ({},)
    table = {**tables[seed % len(tables)], **series.settings}
    dice = msgspec.convert(table.pop("dice", "service"), Dice)
    opening = Opening(
        players=tuple(Seat(name, name.capitalize()) for name in _NAMES[: series.players]),
        settings=msgspec.convert(table, rulebook.settings),
        dice=dice,
    )
    rulebook.play.opening_action(opening)
    return opening


def game_of(series: Series, k: int, at: datetime = EVENING) -> Played:
    """Play game k of a series, beginning at `at`. Raises like `opening_of` and `play`."""
    rulebook, seed = rulebooks.rulebooks_by_id()[series.rulebook], series.seed + k
    strategies = series.strategies_of(seed)
    bots = {seat: rulebook.simulation.strategies[name] for seat, name in strategies.items()}
    bots[BANKER] = rulebook.simulation.strategies[BANKER]
    return play(
        rulebook,
        opening_of(series, seed),
        seed=seed,
        bots=bots.__getitem__,
        actions=series.actions,
        name=series.name_of(seed),
        strategies=strategies,
        at=at,
    )


def outcomes(series: Series, processes: int = 1) -> Iterator[Outcome]:
    """Play a series and yield the outcome of each game, in order, in one or several processes."""
    if processes == 1:
        for k in range(series.games):
            yield _outcome(series, k)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(_outcome, repeat(series), range(series.games), chunksize=4)


def _outcome(series: Series, k: int) -> Outcome:
    return outcome_of(game_of(series, k))


# ----------------------------------------------------------------------------------------------
# The report
# ----------------------------------------------------------------------------------------------


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of a series. All wealth is from ended games."""

    games: int
    tables: Tables
    journals: str
    """The SHA-256 of the hashes of all journals, in order, in hexadecimal."""
    ended: int
    actions: Spread
    """The number of a game's actions that count at the end."""
    wins: dict[str, int]
    """The number of games won, by strategy. A shared victory counts for each winner."""
    wealth: dict[str, Spread]
    """The wealth of a seat at the end, by strategy."""
    strategies: tuple[Result, ...]
    places: tuple[Result, ...]
    """The results by position in the order of play."""
    settings: tuple[SettingsResult, ...]
    action_kinds: dict[str, int]
    event_kinds: dict[str, int]
    rules: dict[str, int]
    never: tuple[str, ...]
    """The kinds of actions and events that never occurred."""
    unbalanced: tuple[int, ...]
    """The seeds of games with commodities created or lost by mistake. Must be empty."""
    rounds: Spread | None
    """The rounds of ended games; None for a rulebook without rounds."""
    titles: tuple[TitleUse, ...]
    cards: tuple[CardUse, ...]


def report_of(
    series: Series, played: Iterable[Outcome], *, titles: Iterable[str] = (), cards: Iterable[str] = ()
) -> Report:
    """Build the report of a series. `titles` and `cards` are the ids of all titles and cards of the board."""
    rulebook = rulebooks.rulebooks_by_id()[series.rulebook]
    games = list(played)
    strategies, places, tables = Results(), Results(), BySettings()
    totals: dict[str, Counter[str]] = {"action_kinds": Counter(), "event_kinds": Counter(), "rules": Counter()}
    for game in games:
        tables.take(game.settings, ended=game.ended, actions=game.actions)
        for seat in game.seats if game.ended else ():
            strategies.take(seat.strategy, won=seat.won, worth=seat.worth)
            if seat.place is not None:
                places.take(str(seat.place), won=seat.won, worth=seat.worth)
        for name, counted in totals.items():
            counted.update(getattr(game, name))
    kinds = {*rulebook.actions, *(kind_of(event) for event in rulebook.events.values())}
    results = strategies.rows()
    rounds = [game.rounds for game in games if game.ended and game.rounds is not None]
    return Report(
        games=len(games),
        tables=series.tables,
        journals=hashlib.sha256("".join(game.journal for game in games).encode()).hexdigest(),
        ended=sum(game.ended for game in games),
        actions=spread([game.actions for game in games]),
        wins={result.name: result.won for result in sorted(results, key=lambda result: -result.won) if result.won},
        wealth={result.name: result.worth for result in results},
        strategies=results,
        places=places.rows(),
        settings=tables.rows(),
        action_kinds=dict(totals["action_kinds"].most_common()),
        event_kinds=dict(totals["event_kinds"].most_common()),
        rules=dict(totals["rules"].most_common()),
        never=tuple(sorted(kinds - totals["action_kinds"].keys() - totals["event_kinds"].keys())),
        unbalanced=tuple(game.seed for game in games if game.unbalanced),
        rounds=spread(rounds) if rounds else None,
        titles=titles_of(((game.use, game.winners) for game in games if game.ended), titles),
        cards=cards_of((game.use for game in games), cards),
    )
