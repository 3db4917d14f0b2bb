"""Statistics: numbers worked out by hand, and sums that agree with the ledger after any correction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from importlib.resources import files
from typing import Any

import pytest

from ledger.kernel.facts.audience import BANKER, SPECTATOR, Viewer
from ledger.kernel.facts.events import kind_of
from ledger.kernel.facts.labels import Name, name_of
from ledger.kernel.facts.state import State
from ledger.kernel.journal.timeline import TimelineEntry
from ledger.kernel.rules.faces.tallies import value_at
from ledger.moving.exporting import Export
from ledger.service import Command, Ledger
from replays.statistics import statistics_of
from replays.statistics.curves import gini, rounded
from replays.statistics.flows import HELD
from replays.statistics.shapes import Statistics
from tests.replays import shelf
from tests.tables.ledgers import ANA, BOB

pytestmark = pytest.mark.xdist_group("statistics")

GAMES = {"negopoly": 21, "negoces2": 5, "monopolys": 7}
"""The seed of the game that is simulated of a rulebook."""


def told(ledger: Ledger, game: str, viewer: Viewer = BANKER, language: str = "en") -> Statistics:
    return statistics_of(Export(ledger.moment(game, viewer), language))


def history(ledger: Ledger, game: str) -> Iterator[tuple[TimelineEntry, State, State]]:
    """Every effective action, with the states right before and after it."""
    timeline = shelf.timeline_of(ledger, game)
    state = ledger.games.open(game).rulebook.blank()
    for standing in timeline.effective():
        before = state.copy()
        state.fold(standing.events)
        yield standing, before, state


@pytest.fixture(scope="module")
def simulated(ledger: Ledger) -> dict[str, str]:
    """A game of each rulebook, played by bots."""
    return {name: shelf.simulate(ledger, name, seed=seed, actions=500) for name, seed in GAMES.items()}


@pytest.fixture(scope="module", params=[*GAMES, "corrected 4", "corrected 5", "mended"])
def game(request: pytest.FixtureRequest, ledger: Ledger, simulated: dict[str, str], mended: str) -> str:
    """Games of every kind, some with random corrections."""
    if request.param == "mended":
        return mended
    if request.param in simulated:
        return simulated[request.param]
    return shelf.corrected_at_random(ledger, int(request.param.split()[1]))


# By hand --------------------------------------------------------------------------------------------


def test_a_mended_game_by_hand(ledger: Ledger, mended: str) -> None:
    """In `shelf.mended` undone and voided actions do not count, and restated ones count with their new events.

    Ana gives Bob 100, 35 and 7 and gets 5: 1650 - 142 + 5 = 1513; Bob has 1650 + 142 - 5 = 1787.
    """
    found = told(ledger, mended)
    assert (found.actions, found.dropped, found.ended, found.winners) == (14, 3, False, ())
    assert [(one.seat, one.worth, one.received, one.paid) for one in found.seats] == [
        ("ana", 1513, 1655, 142),
        ("bob", 1787, 1792, 5),
    ]
    money = {(flow.source, flow.target, flow.purpose): (flow.amount, flow.times) for flow in found.flows.money}
    assert money == {
        ("ana", "bob", "gifts"): (142, 3),
        ("bob", "ana", "gifts"): (5, 1),
        ("bank", "ana", "start"): (1650, 2),
        ("bank", "bob", "start"): (1650, 2),
    }
    assert found.wealth.moments == tuple(range(1, 17))
    ana, bob = found.wealth.seats
    assert ana.total == (0, 1500, 1650, 1650, 1650, 1650, 1555, 1555, *[1520] * 4, *[1513] * 4)
    assert ana.parts == {"cash": ana.total}
    assert bob.total == (0, 0, 0, 1500, 1650, 1650, 1745, 1745, *[1780] * 4, *[1787] * 4)
    # One of two has everything: a half. Then (1650 - 1500) / 2 / 3150 = 0.0238, and at the end 274 / 2 / 3300.
    assert found.wealth.gini[:5] == (None, 5000, 5000, 238, 0)
    assert found.wealth.gini[-1] == rounded(Fraction(10_000 * 274, 2 * 3300)) == 415
    assert [(dice.id, dice.seats[0].faces, dice.seats[0].total) for dice in found.dice] == [
        ("movement dice", (1, 1, 0, 0, 0, 0), 3)
    ]
    assert found.dice[0].seats[0].expected == 7.0


@pytest.mark.parametrize(
    ("viewer", "actions"), [(BANKER, (6, 3)), (ANA, (6, 2)), (BOB, (5, 3)), (SPECTATOR, (2, 1))]
)
def test_the_actions_of_a_seat_are_those_that_the_viewer_sees(
    ledger: Ledger, mended: str, viewer: Viewer, actions: tuple[int, int]
) -> None:
    """Ana joins, chooses a perk, gives 100, 35 and 7, and throws; Bob joins, chooses a perk, and gives 5.

    A perk is its player's secret, and a gift that of two.
    """
    found = told(ledger, mended, viewer)
    assert tuple(one.actions for one in found.seats) == actions


def test_corrections_with_their_effect(ledger: Ledger, mended: str) -> None:
    """11 undoes 40 and 1800 and adds 5 to 30; 12 adds 5; 14 undoes 7, and 15 undoes 14."""
    found = {one.action: one for one in told(ledger, mended).corrections}
    assert {name: dict(one.made) for name, one in found.items()} == {
        11: {"restated": 1, "undone": 1, "voided": 1},
        12: {"inserted": 1},
        14: {"undone": 1},
        15: {"effective": 1, "undone": 1},
    }
    change = {name: {one.party: one.change for one in mending.effects} for name, mending in found.items()}
    assert change == {
        11: {"ana": 40 - 5 - 1800, "bob": -40 + 5 + 1800},
        12: {"ana": 5, "bob": -5},
        14: {"ana": 7, "bob": -7},
        15: {"ana": -7, "bob": 7},
    }


def test_turning_points_by_hand(ledger: Ledger, mended: str) -> None:
    """The seats are level at first; 100 from Ana make Bob lead by 200, 6 % of the 3300 that both are worth.

    The gifts of 35, 7 and 5 that follow change the lead by 70, 14 and 10. That is less than a twentieth.
    """
    found = told(ledger, mended).turning_points
    assert [
        (one.action, one.swing, one.leader_before, one.lead_before, one.leader_after, one.lead_after)
        for one in found
    ] == [(7, -200, "ana", 0, "bob", -200)]
    assert found[0].round == 1
    assert found[0].sentences == ("Ana gives ₦100 to Bob.",)
    assert {one.party: one.change for one in found[0].effects} == {"ana": -100, "bob": 100}


def test_an_evening_by_hand(ledger: Ledger) -> None:
    """The recorded game of the disputed rent, whose file works out every balance.

    Bruno pays Ana 450 for 420 rue des patates with four houses, Chloé 22 for l'Elysée. Passing by Spawn Ana is
    paid 250 less 10 for each of four titles, Bruno of two. Ana ends with 372, titles of 120 + 160 + 220 + 260
    and four houses of 50.
    """
    game = shelf.play(ledger, files("replays") / "games" / "disputed_rent.jsonl")
    found = told(ledger, game)
    counts = {tally.id: {one.seat: (one.quantity, one.money) for one in tally.seats} for tally in found.counts}
    assert counts["rents_taken"] == {"ana": (2, 472)}
    assert counts["rents_paid"] == {"bruno": (1, 450), "chloe": (1, 22)}
    assert counts["salaries"] == {"ana": (1, 210), "bruno": (1, 230)}
    assert counts["loans_taken"] == {"bruno": (1, 200)}
    estates = {estate.id: estate for estate in found.estates}
    rent = estates["420_rue_des_patates"]
    assert (rent.owner, rent.cost, rent.income, rent.rent, rent.rents) == ("ana", 320, 450, 450, 1)
    assert rent.percent == 141  # 140.625
    assert [(one.seat, one.cost, one.income) for one in rent.holders] == [("ana", 320, 450)]
    assert (estates["elysee"].percent, estates["bassland"].percent) == (8, 0)  # 22 of 260 is 8.46
    ana = found.wealth.seats[0]
    assert found.seats[0].worth == 372 + 120 + 160 + 220 + 260 + 4 * 50
    assert {part: values[-1] for part, values in ana.parts.items()} == {"cash": 372, "titles": 760, "houses": 200}
    turns = {one.seat: one.turns for one in found.time}
    assert turns == {"ana": 7, "bruno": 6, "chloe": 6}  # Ana's seventh is under way


def test_the_auction_and_the_sales_of_a_market(ledger: Ledger, simulated: dict[str, str]) -> None:
    """Coins that are laid and taken back were never paid; coins that are taken were paid by who laid them."""
    game = simulated["negoces2"]
    found = told(ledger, game)
    paid: Counter[tuple[str, str, str]] = Counter()
    passed: Counter[tuple[str, str]] = Counter()
    for standing, _, _ in history(ledger, game):
        for event in standing.events:
            match kind_of(event):
                case "bid_paid":
                    paid[event.seat, "box", "auction"] += event.amount  # type: ignore[attr-defined]
                case "offer_accepted":
                    paid[event.buyer, event.seller, "sales"] += event.offer_coins  # type: ignore[attr-defined]
                    paid[event.seller, event.buyer, "sales"] += event.coins  # type: ignore[attr-defined]
                    passed[event.seller, event.buyer] += 1  # type: ignore[attr-defined]
                    passed[event.buyer, event.seller] += event.offer_card is not None  # type: ignore[attr-defined]
                case "card_chosen":
                    passed[event.seller, event.owner] += 2  # type: ignore[attr-defined]
                    passed[event.owner, event.seller] += 1  # type: ignore[attr-defined]
    wanted = {("box", seat.seat, "start"): 15 for seat in found.seats} | {
        key: one for key, one in paid.items() if one
    }
    assert {(one.source, one.target, one.purpose): one.amount for one in found.flows.money} == wanted
    cards: Counter[tuple[str, str]] = Counter()
    for one in found.flows.goods:
        cards[one.source, one.target] += one.quantity
    assert cards == +passed


def test_a_ruling_and_what_it_moved(ledger: Ledger) -> None:
    """The banker fines Bob 30 and hands Ana 20 from the bank."""
    game = shelf.mended(ledger)
    remedies = [
        {"op": "fine", "seat": "bob", "amount": 30},
        {
            "op": "adjust",
            "postings": [{"from": "bank", "to": "player:ana", "commodity": "NGD", "amount": 20}],
            "reason": "hers",
        },
    ]
    ledger.perform(game, BANKER, Command(kind="rule", params={"finding": "So be it", "remedies": remedies}))
    (ruling,) = told(ledger, game).rulings
    assert (ruling.action, ruling.finding, ruling.dispute) == (17, "So be it", None)
    assert {one.party: one.change for one in ruling.effects} == {"bob": -30, "ana": 20, "bank": 10}
    purposes = {flow.purpose: (flow.source, flow.target, flow.amount) for flow in told(ledger, game).flows.money}
    assert purposes["fined"] == ("bob", "bank", 30)
    assert purposes["holdings_adjusted"] == ("bank", "ana", 20)


# Sums that agree ------------------------------------------------------------------------------------


def test_what_flows_is_what_balances_change_by(ledger: Ledger, game: str) -> None:
    """For every party, received minus paid is exactly the change of its holdings."""
    found, state, rulebook = told(ledger, game), ledger.moment(game).newest, ledger.games.open(game).rulebook
    balances: Counter[str] = Counter()
    for account, held in state.holdings.items():
        seat = next((one for one in state.seats if account in rulebook.accounts.accounts_of(one)), None)
        party = seat or (account if account in {"bank", "box"} else HELD)
        balances[party] += held.get(rulebook.accounts.currency, 0)
    for flow in found.flows.money:
        assert flow.amount > 0
        assert flow.source != flow.target
        balances[flow.source] += flow.amount
        balances[flow.target] -= flow.amount
    assert not any(balances.values())
    for seat in found.seats:
        held = sum(
            state.holdings.of(account, rulebook.accounts.currency)
            for account in rulebook.accounts.accounts_of(seat.seat)
        )
        assert seat.received - seat.paid == held


def test_the_curve_is_what_the_rulebook_says_of_each_moment(ledger: Ledger, game: str) -> None:
    found, rulebook = told(ledger, game), ledger.games.open(game).rulebook
    at = dict(zip(found.wealth.moments, range(len(found.wealth.moments)), strict=True))
    worth: dict[int, dict[str, int]] = {}
    for standing, _, after in history(ledger, game):
        assets = {seat: rulebook.score.wealth(after, seat) for seat in after.seats}
        worth[standing.position[0]] = {seat: sum(one.value for one in of) for seat, of in assets.items()}
    for moment, place in at.items():
        known = worth[max(passed for passed in worth if passed <= moment)]
        for curve in found.wealth.seats:
            assert curve.total is not None
            assert curve.total[place] == known[curve.seat], (moment, curve.seat)
            assert sum(values[place] for values in curve.parts.values()) == known[curve.seat]
        share = gini(list(known.values()))
        assert found.wealth.gini[place] == (None if share is None else rounded(10_000 * share))
    assert found.wealth.moments[-1] == ledger.moment(game).version
    assert [seat.worth for seat in found.seats] == [curve.total[-1] for curve in found.wealth.seats if curve.total]


def test_the_rounds_and_who_is_out_are_those_of_the_public_summary(ledger: Ledger, game: str) -> None:
    found, rulebook = told(ledger, game), ledger.games.open(game).rulebook
    rounds = {
        standing.position[0]: rulebook.screen.summary(after)["round"]
        for standing, _, after in history(ledger, game)
    }
    for moment, number in zip(found.wealth.moments, found.wealth.rounds, strict=True):
        assert (number or 0) == (rounds[max(passed for passed in rounds if passed <= moment)] or 0)
    for point in found.turning_points:
        assert found.wealth.rounds[0] is None
        assert point.round == rounds[point.moment]
    summary = rulebook.screen.summary(ledger.moment(game).newest)
    assert found.rounds == summary["round"]
    assert {one.seat for one in found.seats if not one.out} == set(
        summary.get("in_play", ledger.moment(game).newest.seats)
    )


def test_every_count_is_what_a_reading_of_the_history_gives(ledger: Ledger, game: str) -> None:
    """Every tally is counted again from the effective events. What seats share counts once in the total."""
    found, rulebook = told(ledger, game), ledger.games.open(game).rulebook
    counts: Counter[tuple[str, str]] = Counter()
    totals: Counter[str] = Counter()
    for standing, _, _ in history(ledger, game):
        for event in standing.events:
            for name, count in rulebook.tallies.counts.items():
                for one in count.of:
                    if one.event == kind_of(event) and one.applies(event):
                        seats = value_at(event, one.seat)
                        quantity = one.quantity
                        many = quantity if isinstance(quantity, int) else value_at(event, quantity)
                        for seat in [seats] if isinstance(seats, str) else seats or ():
                            counts[name, seat] += many
                        totals[name] += many if seats else 0
    assert {(tally.id, one.seat): one.quantity for tally in found.counts for one in tally.seats} == +counts
    assert {tally.id: tally.quantity for tally in found.counts} == +totals


def test_the_dice_are_those_that_were_drawn_for_the_actions(ledger: Ledger, game: str) -> None:
    """No throw of these games is corrected to another, so the faces are those kept with the effective actions."""
    found, rulebook = told(ledger, game), ledger.games.open(game).rulebook
    drawn: Counter[tuple[str, str, int]] = Counter()
    for standing, _, _ in history(ledger, game):
        for name, values in standing.entry.draws.items():
            if name in rulebook.tallies.dice and standing.entry.seat is not None:
                drawn.update((name, standing.entry.seat, int(value)) for value in values)
    thrown = Counter(
        {
            (tally.id, one.seat, face): times
            for tally in found.dice
            for one in tally.seats
            for face, times in enumerate(one.faces, start=1)
        }
    )
    assert +thrown == drawn


def test_turning_points_are_the_greatest_swings_there_are(ledger: Ledger, game: str) -> None:
    found, rulebook = told(ledger, game), ledger.games.open(game).rulebook
    swings: list[tuple[int, Name]] = []

    def worth(state: State) -> dict[str, int]:
        return {seat: sum(one.value for one in rulebook.score.wealth(state, seat)) for seat in state.seats}

    def lead(of: dict[str, int], seat: str) -> int:
        return of[seat] - max(value for other, value in of.items() if other != seat)

    for standing, before, after in history(ledger, game):
        if not before.seats or rulebook.screen.in_setup(after):
            continue
        then, now = worth(before), worth(after)
        leader = next(seat for seat in then if then[seat] == max(then.values()))
        swing = lead(now, leader) - lead(then, leader)
        whole = max(sum(max(0, value) for value in of.values()) for of in (then, now))
        if swing and 20 * abs(swing) >= whole:
            swings.append((swing, name_of(standing.label)))
    ranked = sorted(swings, key=lambda one: -abs(one[0]))[:10]
    assert [(one.swing, one.action) for one in found.turning_points] == ranked
    for one in found.turning_points:
        assert one.lead_after - one.lead_before == one.swing
        assert one.sentences


def test_the_effects_of_all_corrections_are_what_they_made_of_the_balances(ledger: Ledger, game: str) -> None:
    """The effects are the effective postings minus the postings as they were first recorded."""
    found, rulebook = told(ledger, game), ledger.games.open(game).rulebook
    as_recorded: Counter[str] = Counter()
    timeline = shelf.timeline_of(ledger, game)
    owners = {
        account: seat
        for seat in ledger.moment(game).newest.seats
        for account in rulebook.accounts.accounts_of(seat)
    }
    for standing in timeline.entries():
        for sign, events in ((-1, () if standing.insert else standing.recorded), (1, _counting(standing))):
            for posting in (one for event in events for one in event.postings):
                if posting.commodity == rulebook.accounts.currency:
                    as_recorded[owners.get(posting.source, "")] -= sign * posting.amount
                    as_recorded[owners.get(posting.target, "")] += sign * posting.amount
    effects: Counter[str] = Counter()
    for correction in found.corrections:
        for one in correction.effects:
            effects[one.party if one.party in owners.values() else ""] += one.change
    assert {key: value for key, value in effects.items() if value} == {
        key: value for key, value in as_recorded.items() if value
    }


def _counting(standing: TimelineEntry) -> Iterable[Any]:
    return standing.events if standing.counts else ()


def test_it_is_the_same_however_the_journal_is_cut(
    ledger: Ledger, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = told(ledger, game)
    monkeypatch.setattr("replays.statistics._AT_ONCE", 7)
    assert told(ledger, game) == whole


# What viewers may see -------------------------------------------------------------------------------


def test_while_the_game_lasts_a_player_is_told_their_own(ledger: Ledger, mended: str) -> None:
    """Bob's perk and balance are private; payments between Ana and Bob are known to both."""
    found = told(ledger, mended, ANA)
    assert not found.whole
    assert [(one.seat, one.worth, one.received, one.paid) for one in found.seats] == [
        ("ana", 1513, 1655, 142),
        ("bob", None, 1642, 5),
    ]
    ana, bob = found.wealth.seats
    assert ana.total is not None
    assert (bob.total, bob.parts) == (None, {})
    assert found.turning_points == ()
    assert set(found.wealth.gini) == {None}
    assert {one.waited for one in found.time} == {None}
    spectator = told(ledger, mended, SPECTATOR)
    assert [(one.worth, one.received, one.paid) for one in spectator.seats] == [(None, 1500, 0), (None, 1500, 0)]
    assert all(curve.total is None for curve in spectator.wealth.seats)
    assert not any(correction.effects for correction in spectator.corrections)


def test_what_is_public_of_others_is_told(ledger: Ledger) -> None:
    """A running game of Negopoly shows titles and houses, and nothing of an inventory (I.C.6)."""
    game = shelf.simulate(ledger, "negopoly", seed=33, actions=160)
    assert not ledger.moment(game).newest.ended
    whole, seen = told(ledger, game), told(ledger, game, BOB)
    for all_of_it, part in zip(whole.wealth.seats, seen.wealth.seats, strict=True):
        if part.seat == "bob":
            assert part == all_of_it
            continue
        assert part.total is None
        assert part.parts.keys() <= {"titles", "houses"}
        assert all(part.parts[name] == all_of_it.parts[name] for name in part.parts)
    assert any(curve.parts.get("titles") for curve in seen.wealth.seats if curve.seat != "bob")


def test_after_the_end_everybody_is_told_everything(ledger: Ledger) -> None:
    game = shelf.play(ledger, shelf.RECORDED[-1])
    whole = told(ledger, game)
    assert whole.whole
    assert whole.ended
    assert all(told(ledger, game, viewer) == whole for viewer in (ANA, SPECTATOR))
    assert len(whole.ending) == 1
    assert told(ledger, game, language="fr").ending != whole.ending
