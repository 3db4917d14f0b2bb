"""Results over many games: intervals, strategies, places and settings, the same however they are asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager

import msgspec
import pytest
from sqlalchemy import Connection, text

from ledger.games.setups import Simulated
from ledger.moving.exporting import Export
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Command, Ledger
from ledger.store.store import Store
from replays.keeping import keep
from replays.results import Share, changed, label_of, median_interval, share, spread
from replays.simulation import Series, game_of, opening_of, outcome_of, report_of
from replays.statistics import Statistics, statistics_of
from replays.statistics.kept import kept_figures
from replays.statistics.several import SeveralGames, Totals, figures_of
from tests.harness.storing import drop_snapshots
from tests.replays import shelf
from tests.replays.test_statistics import told
from tests.tables.ledgers import ANA, chance_of_a_test

pytestmark = pytest.mark.xdist_group("results")

SERIES = Series(
    rulebook="negopoly",
    games=4,
    players=3,
    seed=9,
    strategies=("plain", "random"),
    settings={"max_rounds": 6},
    actions=5000,
)


# Intervals ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("won", "of", "found"),
    [
        (5, 10, Share(50.0, 23.7, 76.3)),
        (0, 10, Share(0.0, 0.0, 27.8)),
        (10, 10, Share(100.0, 72.2, 100.0)),
        (300, 1000, Share(30.0, 27.2, 32.9)),
    ],
)
def test_a_share_with_its_interval(won: int, of: int, found: Share) -> None:
    """The numbers of the table in Newcombe (1998) for Wilson's interval; more games give a narrower one."""
    assert share(won, of) == found


def test_a_median_with_its_interval() -> None:
    """Of few values all; of a hundred those with the ranks 41 and 60."""
    assert median_interval([5, 1, 3]) == (1, 5)
    assert median_interval([9]) == (9, 9)
    assert median_interval(list(range(1, 101))) == (41, 60)
    assert spread([4, 1, 9, 2]) == (1, 2, 9)  # the lower one of two medians: a value that there was


def test_nothing_has_no_share() -> None:
    with pytest.raises(ValueError, match="share of nothing"):
        share(0, 0)
    with pytest.raises(ValueError, match="median of nothing"):
        median_interval([])


# Tables ---------------------------------------------------------------------------------------------


def test_games_have_the_default_settings_unless_asked_otherwise() -> None:
    plain = Series(rulebook="negopoly", games=1, players=3, seed=1, strategies=("plain",))
    varied = Series(rulebook="negopoly", games=1, players=3, seed=1, strategies=("plain",), tables="varied")
    rulebook = rulebooks_by_id()["negopoly"]
    for seed in range(8):
        assert opening_of(plain, seed).settings == rulebook.settings()
        assert opening_of(varied, seed).settings != rulebook.settings()
        assert opening_of(plain, seed).dice == "service"
    assert plain.name_of(1) != varied.name_of(1)


def test_what_is_said_of_settings() -> None:
    rulebook = rulebooks_by_id()["negopoly"]
    assert changed(rulebook, {"max_rounds": 6, "starting_balance": rulebook.settings().starting_balance}) == {
        "max_rounds": 6
    }
    assert label_of({}) == "default settings"
    assert label_of({"max_rounds": 6, "board": [{"kind": "spawn"}] * 30}) == "board=…, max_rounds=6"


# Simulated and stored -------------------------------------------------------------------------------


def test_stored_games_give_the_same_results_as_the_series(ledger: Ledger) -> None:
    """Lengths, wealth, strategies, places and settings of the stored games are those of the report.

    The bots undo some of their actions, so that not all actions of a journal count.
    """
    several = SeveralGames()
    outcomes = []
    undone = 0
    for k in range(SERIES.games):
        played = game_of(SERIES, k)
        outcomes.append(outcome_of(played))
        keep(ledger, played)
        stored = told(ledger, played.game.name)
        undone += stored.dropped
        several.take(stored)
    report, totals = report_of(SERIES, outcomes), several.totals()
    assert undone
    assert report.ended == totals.ended == 4
    assert report.actions == totals.actions
    assert report.strategies == totals.strategies
    assert report.places == totals.places
    assert report.settings == totals.settings
    assert report.tables == "default"
    assert [dict(one.settings) for one in totals.settings] == [{"max_rounds": 6}]
    assert {one.name: one.seats for one in totals.strategies} == {"plain": 6, "random": 6}
    assert [(one.name, one.seats) for one in totals.places] == [("1", 4), ("2", 4), ("3", 4)]
    assert sum(one.won for one in totals.strategies) == sum(len(one.winners) for one in outcomes)


def test_what_is_added_up_over_games_is_the_sum_of_each_of_them(store: Store) -> None:
    """Payments, counts, faces, and of each title what it cost and brought, and how many rents."""
    ledger = Ledger(store, rulebooks_by_id(), chance=chance_of_a_test())
    games = [shelf.simulate(ledger, "monopoly_naruto", seed=seed, actions=500) for seed in (1, 3)]
    alone = [totals_of(ledger, game) for game in games]
    together = totals_of(ledger, *games)
    for part in ("money", "counts", "dice", "estates"):
        of_each: dict[str, Counter[str]] = {}
        for row in (row for totals in alone for row in figures_in(totals, part)):
            of_each.setdefault(row[0], Counter()).update(row[1])
        assert dict(figures_in(together, part)) == of_each, part
        assert of_each
    both = [{one.id for one in totals.estates if one.rents} for totals in alone]
    assert both[0] & both[1]


def totals_of(ledger: Ledger, *games: str) -> Totals:
    several = SeveralGames()
    for game in games:
        several.take(told(ledger, game))
    return several.totals()


def figures_in(totals: Totals, part: str) -> Iterator[tuple[str, Counter[str]]]:
    """The rows of a part with what is added up in them."""
    for row in getattr(totals, part):
        told = msgspec.structs.asdict(row)
        faces = {f"face {face}": times for face, times in enumerate(told.get("faces", ()), start=1)}
        whole = {name: value for name, value in told.items() if isinstance(value, int) and name != "percent"}
        yield row.id, Counter(whole | faces)


def test_strategies_are_kept_with_a_stored_game_and_not_with_its_fork(ledger: Ledger) -> None:
    """People go on with a fork, so that its seats are no longer played by strategies."""
    series = Series(rulebook="negoces2", games=1, players=4, seed=3, strategies=("merchant", "random"), actions=60)
    played = game_of(series, 0)
    keep(ledger, played)
    moment = ledger.moment(played.game.name)
    strategies = {"ana": "random", "bob": "merchant", "cleo": "random", "dan": "merchant"}
    assert moment.game.setup.simulated == Simulated(seed=3, strategies=strategies)
    assert {one.seat: one.strategy for one in told(ledger, played.game.name).seats} == strategies
    assert [one.place for one in told(ledger, played.game.name).seats] == [1, 2, 3, 4]
    fork = ledger.forking.fork(played.game.name, 30).game
    assert {one.strategy for one in told(ledger, fork).seats} == {None}


# Kept figures ---------------------------------------------------------------------------------------


def test_the_figures_of_a_game_are_computed_once_for_each_version(
    ledger: Ledger, mended: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are computed again when the game goes on, and when the kept ones are dropped: they are only a cache."""
    computed: list[int] = []

    def counted(export: Export) -> Statistics:
        computed.append(export.version)
        return statistics_of(export)

    monkeypatch.setattr("replays.statistics.kept.statistics_of", counted)
    first = kept_figures(ledger, mended, "en")
    assert first == figures_of(told(ledger, mended))
    assert kept_figures(ledger, mended, "en") == first
    assert computed == [16]
    assert kept_figures(ledger, mended, "fr") == figures_of(told(ledger, mended, language="fr"))
    ledger.perform(mended, ANA, Command(kind="transfer_money", params={"to": "bob", "amount": 1}))
    later = kept_figures(ledger, mended, "en")
    assert (later.actions, first.actions) == (15, 14)
    assert kept_figures(ledger, mended, "en") == later
    drop_snapshots(ledger.store, mended)
    assert kept_figures(ledger, mended, "en") == later
    assert computed == [16, 16, 17, 17]


def test_figures_that_cannot_be_read_are_computed_again(ledger: Ledger) -> None:
    game = shelf.mended(ledger)
    first = kept_figures(ledger, game, "en")
    with connection_of(ledger) as connection:
        connection.execute(text("UPDATE snapshots SET body = 'rubbish' WHERE format LIKE 'figures:%'"))
    assert kept_figures(ledger, game, "en") == first


def connection_of(ledger: Ledger) -> AbstractContextManager[Connection]:
    """A transaction on the ledger's database."""
    return ledger.store.engine.begin()
