"""Statistics of any rulebook, totals over many games, and the parts of statistics."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction
from itertools import pairwise

import msgspec
import pytest

from ledger.games.setups import Setup
from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.events import kind_of
from ledger.kernel.facts.state import Seat
from ledger.kernel.journal.entry import canonical
from ledger.kernel.rules.register import Register, Rule
from ledger.moving.importing import ExportedGame
from ledger.rulebooks import rulebooks_by_id
from ledger.rulebooks.parts.boards import places_of
from ledger.rulebooks.parts.questions import Question, QuestionAnswered
from ledger.service import Ledger
from ledger.store.store import Store
from replays.statistics.curves import Curve, gini, rounded
from replays.statistics.flows import HELD, Matrix
from replays.statistics.several import SeveralGames
from replays.statistics.tallying import Throws
from tests.kernel import toy
from tests.replays import shelf
from tests.replays.test_statistics import GAMES, told

pytestmark = pytest.mark.xdist_group("statistics of all")


@pytest.fixture(scope="module")
def simulated(ledger: Ledger) -> dict[str, str]:
    """A game of each rulebook, played by bots."""
    return {name: shelf.simulate(ledger, name, seed=GAMES.get(name, 1), actions=500) for name in rulebooks_by_id()}


# Any rulebook ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(rulebooks_by_id()))
def test_what_a_rulebook_counts_is_there(name: str) -> None:
    """Every event and field in the tallies exists, and no event has two purposes."""
    rulebook = rulebooks_by_id()[name]
    kinds = {kind_of(event): event for event in rulebook.events.values()}
    for kind, paths in rulebook.tallies.events().items():
        assert kind in kinds, kind
        for path in paths:
            field = path.partition(".")[0]
            assert field in kinds[kind].__struct_fields__ or isinstance(
                getattr(kinds[kind], field, None), property
            )
    paid = [kind for purpose in rulebook.tallies.purposes.values() for kind in purpose.events]
    assert len(paid) == len(set(paid))
    parts = [kind for part in rulebook.tallies.parts.values() for kind in part.kinds]
    assert len(parts) == len(set(parts))


@pytest.mark.parametrize("name", sorted(rulebooks_by_id()))
def test_what_a_rulebook_has_words_for_is_what_happens(
    ledger: Ledger, simulated: dict[str, str], name: str
) -> None:
    """In a simulated game every payment has a purpose, and every part of wealth has a name."""
    tallies = rulebooks_by_id()[name].tallies
    found = told(ledger, simulated[name])
    if tallies.purposes:
        generic = {"fined", "holdings_adjusted"}
        assert {purpose.id for purpose in found.flows.purposes} <= tallies.purposes.keys() | generic
    if tallies.parts:
        assert {part.id for part in found.wealth.parts} <= tallies.parts.keys() | {"debts"}


@pytest.mark.parametrize(("answer", "counted"), [("no", None), ("second_chance", [0, 0, 0, 0, 0, 1])])
def test_a_die_that_a_card_answered_counts_too(answer: str, counted: list[int] | None) -> None:
    """A sale of doses failed with a 6. Without a card the sale_failed that follows shows this die; with a card it
    shows the second throw."""
    about = {"corner": "prison", "die": 6, "passage": None}
    question = Question(id="9-ana", kind="on_failed_sale", seat="ana", by="ana", rule="VII.B.10", about=about)
    throws = Throws(rulebooks_by_id()["negopoly"].tallies)
    throws.take(QuestionAnswered(rule="VII.B.10", question=question, answer=answer))
    assert throws.faces.get(("sale die", "ana")) == counted


def test_every_quarter_of_negopoly_has_a_colour() -> None:
    rulebook = rulebooks_by_id()["negopoly"]
    places = places_of(rulebook, rulebook.blank())
    assert len(places) == 40
    assert [place.colour is not None for place in places] == [place.asset is not None for place in places]
    assert len({place.colour for place in places if place.colour}) == 8


def test_a_rulebook_that_says_nothing_of_its_own(store: Store) -> None:
    """The toy: wealth is coins, purposes have the names of events, and the game waits for all seats."""
    game = toy.Game()
    game.play("ana", toy.BuyBeans(amount=3))
    game.play("bob", toy.Throw(face=5))
    game.play("bob", toy.BuyBeans(amount=2, of="ana"))
    game.play(None, toy.End())
    rules = {number: Rule(number, number, "", "play") for number in ("1.1", "2.1", "2.2", "3.1")}
    rulebook = toy.rules(register=Register({"en": rules, "fr": rules}))
    ledger = Ledger(store, {rulebook.id: rulebook})
    setup = Setup(players=(Seat("ana", "Ana"), Seat("bob", "Bob")), settings={"coins": 10}, dice="table")
    exported = ExportedGame(
        game="toy",
        rulebook=rulebook.id,
        title="Toy",
        created_at=toy.NOON,
        setup=msgspec.Raw(msgspec.json.encode(setup)),
        actions=len(game.journal),
        events=game.state.seq,
    )
    ledger.importing.import_game(exported, lambda: map(canonical, game.journal))
    found = told(ledger, "toy")
    # Ana: 10 - 6 + 4; Bob: 10 + 5 - 4.
    assert [(one.seat, one.worth, one.received, one.paid) for one in found.seats] == [
        ("ana", 8, 14, 6),
        ("bob", 11, 15, 4),
    ]
    assert [part.id for part in found.wealth.parts] == ["balance"]
    assert {(flow.source, flow.target, flow.purpose): flow.amount for flow in found.flows.money} == {
        ("bank", "ana", "opened"): 10,
        ("bank", "bob", "opened"): 10,
        ("ana", "bank", "beans_bought"): 6,
        ("bank", "bob", "thrown"): 5,
        ("bob", "ana", "beans_bought"): 4,
    }
    assert [(one.source, one.target, one.commodity, one.quantity) for one in found.flows.goods] == [
        ("ana", "bob", "bean", 2)
    ]
    assert [purpose.name for purpose in found.flows.purposes] == ["beans bought", "opened", "thrown"]
    assert (found.counts, found.estates, found.dice) == ((), (), ())
    minutes = int(timedelta(minutes=4).total_seconds())
    assert [(one.seat, one.waited) for one in found.time] == [("ana", minutes), ("bob", minutes)]
    # Ana pays 6, then Bob gets 5 and gives 4 back: 0 → 6 for Bob → 11 → 3. Level with Ana before, he leads after.
    assert [(one.action, one.swing) for one in found.turning_points] == [(4, -8), (2, -6), (3, 5)]
    assert found.ending == ("It is over.",)


# Parts ----------------------------------------------------------------------------------------------


def test_money_in_trust_comes_from_whoever_paid_it_in_first() -> None:
    """Ana pays 5 into an escrow and Bob 7; Cid is paid 6 of it, Ana gets 2 back, and 4 stay."""
    owner = {"player:ana": "ana", "player:bob": "bob", "player:cid": "cid"}
    matrix = Matrix(owner.get, lambda commodity: commodity)
    for amount, source, target, purpose in (
        (5, "player:ana", "escrow", "bounty"),
        (7, "player:bob", "escrow", "bounty"),
        (6, "escrow", "player:cid", "award"),
        (2, "escrow", "player:ana", "refund"),
    ):
        matrix.take([Posting("coin", amount, source, target)], purpose)
    sums = {key: (found.amount, found.times) for key, found in matrix.sums.items() if found.amount}
    assert sums == {
        ("ana", "cid", "coin", "award"): (5, 1),
        ("bob", "cid", "coin", "award"): (1, 1),
        ("bob", "ana", "coin", "refund"): (2, 1),
        ("bob", HELD, "coin", "bounty"): (4, 1),
    }
    assert matrix.balance == {("ana", "coin"): -3, ("bob", "coin"): -7, ("cid", "coin"): 6}


def test_what_is_handed_back_was_never_paid() -> None:
    matrix = Matrix({"player:ana": "ana"}.get, lambda commodity: commodity)
    matrix.take([Posting("coin", 9, "player:ana", "escrow")], "bounty")
    matrix.take([Posting("coin", 9, "escrow", "player:ana")], "refund")
    assert [found.amount for found in matrix.sums.values()] == [0]


def test_who_did_not_see_it_come_learns_that_it_was_held() -> None:
    matrix = Matrix({"player:ana": "ana"}.get, lambda commodity: commodity)
    matrix.take([Posting("coin", 9, "escrow", "player:ana")], "award")
    assert {key: found.amount for key, found in matrix.sums.items()} == {(HELD, "ana", "coin", "award"): 9}


@pytest.mark.parametrize(
    ("worths", "coefficient"),
    [
        ([7, 7, 7], Fraction(0)),
        ([0, 0, 12], Fraction(2, 3)),
        ([1, 3], Fraction(1, 4)),
        ([-50, 0, 12], Fraction(2, 3)),
        ([1, 2, 3, 4], Fraction(1, 4)),
        ([0, -3], None),
    ],
)
def test_the_gini_coefficient(worths: list[int], coefficient: Fraction | None) -> None:
    """Half the mean difference of any two, relative to the mean; debts count as 0."""
    assert gini(worths) == coefficient
    owned = [max(0, one) for one in worths]
    if coefficient is not None:
        differences = sum(abs(one - other) for one in owned for other in owned)
        assert coefficient == Fraction(differences, 2 * len(owned) * sum(owned))


@pytest.mark.parametrize(("value", "nearest"), [(Fraction(1, 2), 1), (Fraction(5, 2), 3), (Fraction(7, 3), 2)])
def test_a_half_is_rounded_up(value: Fraction, nearest: int) -> None:
    assert rounded(value) == nearest


@pytest.mark.parametrize("moments", [1, 4, 5, 9, 10, 1000])
def test_a_curve_takes_no_more_room_in_a_longer_game(moments: int) -> None:
    """The points are moments at even distances from the first one on, and the last moment."""
    curve = Curve(limit=4)
    asked = 0

    def worth() -> dict[str, dict[str, int]]:
        nonlocal asked
        asked += 1
        return {}

    for moment in range(1, moments + 1):
        curve.pass_by(moment, toy.NOON, worth)
    points = [point.moment for point in curve.up_to(moments, toy.NOON, worth)]
    assert len(points) <= 5
    assert points[-1] == moments
    steps = {after - before for before, after in pairwise(points[:-1])}
    assert points[0] == 1
    assert len(steps) <= 1
    assert asked <= 4 + 4 * moments.bit_length()


# Many games -----------------------------------------------------------------------------------------


def test_many_games_are_the_sum_of_each(ledger: Ledger, mended: str) -> None:
    games = [told(ledger, game) for game in (shelf.play(ledger, shelf.RECORDED[-1]), mended)]
    several = SeveralGames()
    for one in games:
        several.take(one)
    totals = several.totals()
    assert (totals.games, totals.ended) == (2, 1)
    assert totals.actions == (14, 14, games[0].actions)
    assert totals.corrections == sum(len(one.corrections) for one in games)
    for row in totals.money:
        flows = [flow for one in games for flow in one.flows.money if flow.purpose == row.id]
        assert (row.amount, row.times) == (sum(one.amount for one in flows), sum(one.times for one in flows))
    for count in totals.counts:
        seats = [seat for one in games for tally in one.counts if tally.id == count.id for seat in tally.seats]
        assert count.quantity == sum(seat.quantity for seat in seats)
    (ana,) = [one for one in totals.players if one.name == "Ana"]
    assert (ana.games, ana.ended) == (2, 1)
    assert ana.worth is not None
    assert ana.worth[0] == next(seat.worth for seat in games[0].seats if seat.seat == "ana")
    assert sum(one.won for one in totals.players) == len(games[0].winners)
    (dice,) = [one for one in totals.dice if one.id == "movement dice"]
    assert dice.total == sum(
        thrown.total for one in games for tally in one.dice if tally.id == dice.id for thrown in tally.seats
    )
