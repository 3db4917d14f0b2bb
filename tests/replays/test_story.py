"""The story and the awards of a game, and the band of fair dice: each figure follows from the statistics."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from msgspec.structs import replace

from ledger.kernel.facts.audience import BANKER, SPECTATOR
from ledger.moving.exporting import Export
from ledger.service import Ledger
from replays.report.story import with_story
from replays.statistics import statistics_of
from replays.statistics.fair import fair_band
from tests.replays import shelf


@pytest.mark.parametrize(("dice", "sides"), [(0, 6), (1, 6), (10, 6), (72, 6), (33, 4), (50, 2)])
def test_a_band_leaves_a_fortieth_of_the_evenings_on_each_side(dice: int, sides: int) -> None:
    def evenings(*counts: int) -> Fraction:
        return sum((Fraction(comb(dice, k) * (sides - 1) ** (dice - k), sides**dice) for k in counts), Fraction())

    low, high = fair_band(dice, sides)
    assert evenings(*range(low)) <= Fraction(1, 40) < evenings(*range(low + 1)) or low == dice
    assert evenings(*range(high + 1, dice + 1)) <= Fraction(1, 40) < evenings(*range(high, dice + 1)) or not high


def test_awards_come_with_the_end_and_follow_from_the_figures(ledger: Ledger) -> None:
    game = shelf.simulate(ledger, "negopoly", seed=5, actions=150)
    export = Export(ledger.moment(game, BANKER))
    statistics = statistics_of(export)
    assert with_story(export, statistics).awards == ()
    ended = replace(statistics, ended=True, winners=(statistics.seats[0].seat,))
    told = with_story(export, ended)
    assert told.story[0] == f"{statistics.seats[0].name} wins."
    awards = {award.id: award for award in told.awards}
    paid: dict[str, int] = {standing.seat: 0 for standing in statistics.seats}
    for flow in statistics.flows.money:
        if flow.source in paid and flow.target in paid:
            paid[flow.source] += flow.amount
    generous = awards["generous"]
    assert paid[generous.seat] == max(paid.values())
    assert generous.figure.replace(",", "") == f"₦{max(paid.values())}"
    luck = {throws.seat: throws.total - throws.expected for tally in statistics.dice[:1] for throws in tally.seats}
    if len(statistics.dice) == 1 and max(luck.values()) >= 1:
        assert luck[awards["lucky"].seat] == max(luck.values())
    longest = max(statistics.time, key=lambda time: time.longest)
    assert awards["thinker"].seat == longest.seat
    french = Export(ledger.moment(game, BANKER), "fr")
    translated = with_story(french, replace(statistics_of(french), ended=True))
    assert [award.id for award in translated.awards] == [award.id for award in told.awards]
    assert all(ours.title != theirs.title for ours, theirs in zip(told.awards, translated.awards, strict=True))


def test_who_sees_a_part_gets_no_award_for_payments(ledger: Ledger) -> None:
    game = shelf.simulate(ledger, "negopoly", seed=6, actions=150)
    export = Export(ledger.moment(game, SPECTATOR))
    told = with_story(export, replace(statistics_of(export), ended=True))
    assert {award.id for award in told.awards} <= {"lucky", "unlucky", "thinker"}
    assert "thinker" in {award.id for award in told.awards}
