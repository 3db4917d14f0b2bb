"""VII. Doses: bought at Spawn, sold at the three other corners."""

from __future__ import annotations

from typing import get_args

import pytest

from ledger.kernel.deciding.moves import moves
from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.events import kind_of
from ledger.kernel.facts.refusals import RuleBroken
from ledger.kernel.journal.sight import redact_for_dry_run, visible_holdings
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.goods.doses import SALES, Corner, DosesBought, price
from ledger.rulebooks.negopoly.table.terms import player
from tests.tables.negopoly import CYAN, Table, kinds

CORNERS = {"prison": 10, "hopital": 20, "comico": 30}


def at_spawn(**perks: str) -> Table:
    """Ana has just stopped on Spawn, paid 250 ₦."""
    table = Table("ana", "bob", perks=perks)
    table.place("ana", 37)
    table.play("ana", "roll_dice", dice=[1, 2])
    return table


def at_corner(corner: str, doses: int = 0, *, crossed: bool = False) -> Table:
    """Ana has just stopped on the corner (or crossed it by one square) with some doses."""
    table = Table("ana", "bob")
    if doses:
        table.give("ana", "dose", doses)
    table.place("ana", CORNERS[corner] - (2 if crossed else 3))
    table.play("ana", "roll_dice", dice=[1, 2])
    return table


def over_spawn(table: Table, seat: str, onto: int = 1) -> None:
    """The seat, whose turn it is, rolls a five over Spawn onto the square."""
    table.place(seat, (onto - 5) % 40)
    table.play(seat, "roll_dice", dice=[2, 3])


@pytest.mark.rule("VII.1")
def test_a_dose_only_moves_between_accounts() -> None:
    """Bought from the bank, consumed to the used account, seized by the police, sold: none is made or lost."""
    table = at_spawn()
    bank = table.holds("bank", "dose")
    table.play("ana", "buy_doses", amount=4)
    assert (table.holds("bank", "dose"), table.holds("ana", "dose")) == (bank - 4, 4)
    table.play("ana", "end_turn")
    table.turn("bob", 1, 1)
    table.place("ana", 26)
    table.play("ana", "consume_dose", dice=[5])
    assert (table.holds("used", "dose"), table.holds("ana", "dose")) == (1, 3)
    table.play("ana", "roll_dice", dice=[1, 1])  # 26 + 2 + 5 = 33, over Comico
    table.play("ana", "sell_doses", dice=[6])
    table.play("ana", "sell_doses", dice=[1])
    holders = ("ana", "used", "police", "bank")
    assert [table.holds(holder, "dose") for holder in holders] == [1, 1, 1, bank - 3]


@pytest.mark.rule("VII.2", "VII.B.9")
def test_doses_are_whole_never_negative_and_without_ceiling() -> None:
    """Ana buys a thousand doses and another one; half a dose or none is no quantity; nobody sells below zero."""
    table = at_spawn()
    table.give("ana", "NGD", 100_000)
    table.play("ana", "buy_doses", amount=1000)
    table.play("ana", "buy_doses", amount=1)
    assert table.holds("ana", "dose") == 1001
    for quantity in (0, -1, 1.5, "two", 10**30):
        table.malformed("ana", "buy_doses", amount=quantity)
    table = at_corner("prison")
    table.refused("ana", "sell_doses", "VII.B.9", dice=[1])
    assert table.holds("ana", "dose") == 0


@pytest.mark.rule("VII.A.1", "II.B.3")
def test_doses_are_bought_at_spawn_only() -> None:
    """Not before the roll, not at another corner, not elsewhere, not out of turn; but in crossing Spawn."""
    table = Table("ana", "bob")
    table.refused("ana", "buy_doses", "II.B.3", amount=1)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.refused("ana", "buy_doses", "VII.A.1", amount=1)
    table.refused("bob", "buy_doses", "II.2", amount=1)
    for corner in CORNERS:
        at_corner(corner).refused("ana", "buy_doses", "VII.A.1", amount=1)
    table = Table("ana", "bob")
    table.place("ana", 39)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "buy_doses", amount=1)
    table.play("ana", "buy_doses", amount=2)
    assert table.holds("ana", "dose") == 3


@pytest.mark.rule("VII.A.2")
def test_the_first_dose_costs_50() -> None:
    """Ana, without a dose, pays 50 ₦ for one; with 49 ₦ she is refused."""
    table = at_spawn()
    (bought,) = table.play("ana", "buy_doses", amount=1)
    assert isinstance(bought, DosesBought)
    assert (bought.unit_prices, bought.rule) == ((50,), "VII.A.2")
    assert table.holds("ana") == 1650 + 250 - 50
    table = at_spawn()
    table.take("ana", "NGD", 1900 - 49)
    table.refused("ana", "buy_doses", "VII.A.2", amount=1)


@pytest.mark.rule("VII.A.3")
def test_further_doses_cost_70() -> None:
    """Three for a player without any cost 190 ₦; the next one 70 ₦; one for a player who has three costs 70 ₦."""
    table = at_spawn()
    table.play("ana", "buy_doses", amount=3)
    assert table.holds("ana") == 1900 - 190
    (bought,) = table.play("ana", "buy_doses", amount=1)
    assert isinstance(bought, DosesBought)
    assert (bought.unit_prices, bought.rule) == ((70,), "VII.A.3")
    assert table.holds("ana") == 1900 - 260
    table = at_spawn(ana="doses")
    table.play("ana", "buy_doses", amount=1)
    assert table.holds("ana") == 1750 - 70
    table.take("ana", "NGD", 1680 - 139)
    table.refused("ana", "buy_doses", "VII.A.3", amount=2)


@pytest.mark.rule("VII.A.3")
def test_doses_in_transit_are_not_held() -> None:
    """Ana's only dose is on its way to Bob: her next one is a first one again, at 50 ₦."""
    table = at_spawn()
    table.give("ana", "dose")
    assert price(table.state, "ana", 2) == [70, 70]
    with table.arranged() as state:
        state.holdings.post(Posting("dose", 1, player("ana"), "transit:99"))
    assert price(table.state, "ana", 2) == [50, 70]
    table.play("ana", "buy_doses", amount=1)
    assert table.holds("ana") == 1900 - 50


@pytest.mark.rule("VII.A.4")
def test_bought_doses_are_there_at_once_and_privately() -> None:
    """No die is thrown, the doses are in Ana's inventory, and only she and the bank know."""
    table = at_spawn()
    table.play("ana", "buy_doses", amount=2)
    assert table.last is not None
    assert table.last.draws == {}
    assert table.holds("ana", "dose") == 2
    assert [kind_of(event) for event in table.seen_by("ana")] == ["doses_bought"]
    assert table.seen_by("bob") == []
    assert table.seen_by(None) == []


@pytest.mark.rule("VII.B.1")
def test_doses_are_sold_at_three_corners_in_passing() -> None:
    """Stopping on or crossing Prison, Hôpital and Comico; not at Spawn, nor once the stop square is resolved."""
    assert tuple(SALES) == get_args(Corner) == ("prison", "hopital", "comico")
    for corner, reward in zip(CORNERS, (100, 150, 250), strict=True):
        for crossed in (False, True):
            table = at_corner(corner, doses=1, crossed=crossed)
            table.play("ana", "sell_doses", corner=corner, dice=[1])
            assert (table.holds("ana"), table.holds("ana", "dose")) == (1650 + reward, 0)
    table = at_spawn(ana="doses")
    table.refused("ana", "sell_doses", "VII.B.1", dice=[1])
    for corner in CORNERS:
        table.refused("ana", "sell_doses", "VII.B.1", corner=corner, dice=[1])
    table = at_corner("hopital", doses=1, crossed=True)
    table.play("ana", "resolve_square")
    table.refused("ana", "sell_doses", "VII.B.1", dice=[1])


@pytest.mark.rule("II.B.3")
def test_a_corner_reached_in_an_earlier_turn_is_closed() -> None:
    """Ana has waited on Prison since an earlier turn: nothing is sold there before her roll."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    table.place("ana", CORNERS["prison"])
    table.refused("ana", "sell_doses", "II.B.3", corner="prison", dice=[1])
    table.refused("ana", "sell_doses", "II.B.3", dice=[1])
    table.refused("bob", "sell_doses", "II.2", dice=[1])


@pytest.mark.rule("VII.B.2")
def test_a_sale_names_its_corner_and_rolls_one_die_kept_with_it() -> None:
    """Ana crosses Hôpital and Comico in one move: she says where she sells, and the die is in the record."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    table.place("ana", 18)
    table.play("ana", "consume_dose", dice=[6])
    table.play("ana", "roll_dice", dice=[4, 4])  # 18 + 8 + 6 = 32
    table.refused("ana", "sell_doses", "VII.B.2", dice=[3])
    events = table.play("ana", "sell_doses", corner="hopital", dice=[3])
    assert table.last is not None
    assert table.last.draws == {"sale die": [3]}
    assert [(kind_of(event), event.die, event.square) for event in events] == [  # type: ignore[attr-defined]
        ("dose_sold", 3, 20)
    ]
    table.malformed("ana", "sell_doses", corner="comico", dice=[7])
    table.malformed("ana", "sell_doses", corner="comico")
    table.malformed("ana", "sell_doses", corner="spawn", dice=[1])


@pytest.mark.rule("VII.B.2")
def test_the_service_throws_the_sale_die_where_the_table_does_not() -> None:
    """Without a die of the table, one from 1 to 6 is drawn and kept."""
    table = Table("ana", "bob", dice="service")
    table.give("ana", "dose")
    table.give("ana", "ordonnance")
    table.play("ana", "use_prescription")
    table.play("ana", "sell_doses")
    assert table.last is not None
    (die,) = table.last.draws["sale die"]
    assert die in range(1, 7)


def _sale(corner: str, die: int) -> tuple[int, int, int]:
    """The result of one attempt with one dose: Ana's gain, her doses, the police's doses."""
    table = at_corner(corner, doses=1)
    table.play("ana", "sell_doses", corner=corner, dice=[die])
    return table.holds("ana") - 1650, table.holds("ana", "dose"), table.holds("police", "dose")


@pytest.mark.rule("VII.B.3", "VII.B.7")
def test_prison_takes_1_to_4_for_100() -> None:
    """1 to 4 sells the dose for 100 ₦; 5 and 6 leave it with Ana."""
    assert [_sale("prison", die) for die in range(1, 7)] == [(100, 0, 0)] * 4 + [(0, 1, 0)] * 2


@pytest.mark.rule("VII.B.4", "VII.B.7")
def test_hopital_takes_1_to_3_for_150() -> None:
    """1 to 3 sells the dose for 150 ₦; 4 to 6 leave it with Ana."""
    assert [_sale("hopital", die) for die in range(1, 7)] == [(150, 0, 0)] * 3 + [(0, 1, 0)] * 3


@pytest.mark.rule("VII.B.5", "VII.B.8")
def test_comico_takes_1_to_3_for_250_and_keeps_what_fails() -> None:
    """1 to 3 sells the dose for 250 ₦; 4 to 6 lose it to the police."""
    assert [_sale("comico", die) for die in range(1, 7)] == [(250, 0, 0)] * 3 + [(0, 0, 1)] * 3


@pytest.mark.rule("VII.B.6")
def test_each_dose_is_offered_once_a_passage() -> None:
    """Ana reaches Prison with two doses: one fails, one sells, and the failed one is not offered again."""
    table = at_corner("prison", doses=2)
    table.play("ana", "sell_doses", dice=[5])
    table.play("ana", "sell_doses", dice=[4])
    assert (table.holds("ana"), table.holds("ana", "dose")) == (1750, 1)
    table.refused("ana", "sell_doses", "VII.B.6", dice=[1])


@pytest.mark.rule("VII.B.6")
def test_crossing_a_corner_out_and_back_is_two_passages() -> None:
    """A dose of 2 takes Ana over Hôpital and back with one dose left: it is offered once each way, no more."""
    table = Table("ana", "bob")
    table.give("ana", "dose", 2)
    table.place("ana", 19)
    table.play("ana", "consume_dose", dice=[2])
    table.play("ana", "roll_dice", dice=[1, 1])
    assert table.state.positions["ana"] == 19
    table.play("ana", "sell_doses", dice=[6])
    table.play("ana", "sell_doses", dice=[6])
    table.refused("ana", "sell_doses", "VII.B.6", dice=[1])
    assert table.holds("ana", "dose") == 1


@pytest.mark.rule("VII.B.6", "VII.A.4")
def test_doses_bought_at_spawn_reach_the_corner_passed_after_it() -> None:
    """On a dose of 6 Ana goes from 36 over Spawn to 12: what she buys at Spawn she may offer at Prison."""
    table = Table("ana", "bob")
    table.give("ana", "dose")
    table.place("ana", 36)
    table.play("ana", "consume_dose", dice=[6])
    table.play("ana", "roll_dice", dice=[5, 5])  # 36 + 10 + 6 = 52, square 12
    table.refused("ana", "sell_doses", "VII.B.9", dice=[1])
    table.play("ana", "buy_doses", amount=2)
    table.play("ana", "sell_doses", dice=[6])
    table.play("ana", "sell_doses", dice=[1])
    table.refused("ana", "sell_doses", "VII.B.6", dice=[1])
    assert (table.holds("ana"), table.holds("ana", "dose")) == (1650 + 250 - 120 + 100, 1)


@pytest.mark.rule("VII.B.6")
def test_a_dose_sold_at_one_corner_does_not_reach_the_next() -> None:
    """Ana crosses Hôpital and Comico with two doses: one is sold at Hôpital, so one attempt is left at Comico."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    table.place("ana", 18)
    table.play("ana", "consume_dose", dice=[6])
    table.play("ana", "roll_dice", dice=[4, 4])
    table.play("ana", "sell_doses", corner="hopital", dice=[1])
    table.play("ana", "sell_doses", corner="hopital", dice=[6])
    table.give("ana", "dose")  # come by otherwise since then: not held on arrival
    table.play("ana", "sell_doses", corner="comico", dice=[6])
    table.refused("ana", "sell_doses", "VII.B.6", corner="comico", dice=[1])
    assert (table.holds("ana"), table.holds("police", "dose")) == (1500 + 150, 1)


@pytest.mark.rule("VII.B.7")
@pytest.mark.parametrize("corner", ["prison", "hopital"])
def test_a_failure_at_prison_or_hopital_has_no_other_effect(corner: str) -> None:
    """The dose and the money stay, the token stays, and everybody saw it."""
    table = at_corner(corner, doses=1)
    events = table.play("ana", "sell_doses", dice=[6])
    assert [(kind_of(event), event.postings) for event in events] == [("sale_failed", ())]
    assert (table.holds("ana"), table.holds("ana", "dose")) == (1650, 1)
    assert table.state.positions["ana"] == CORNERS[corner]
    assert len(table.seen_by("bob")) == 1


@pytest.mark.rule("VII.B.8")
def test_a_failure_at_comico_costs_the_dose_and_nothing_else() -> None:
    """Wanted and armed, Ana fails at Comico: one of her two doses goes to the police; no check, no arrest."""
    table = at_corner("comico", doses=2)
    table.give("ana", "rpg7")
    table.banker("issue_warrant", seat="ana", reason="card")
    events = table.play("ana", "sell_doses", dice=[4])
    assert [kind_of(event) for event in events] == ["dose_seized"]
    assert [table.holds("ana", item) for item in ("dose", "rpg7")] == [1, 1]
    assert (table.holds("police", "dose"), table.state.positions["ana"]) == (1, CORNERS["comico"])


@pytest.mark.rule("VII.B.9")
def test_without_a_dose_there_is_no_sale() -> None:
    """Ana sells her only dose; a further attempt is refused."""
    table = at_corner("comico", doses=1)
    table.play("ana", "sell_doses", dice=[1])
    table.refused("ana", "sell_doses", "VII.B.9", dice=[1])


@pytest.mark.rule("VII.B.1", "VII.B.6")
def test_a_waiver_sells_elsewhere_for_the_seat_named() -> None:
    """The banker lets Bob sell one of his doses at Prison in Ana's turn: his dose, his 100 ₦."""
    table = Table("ana", "bob", perks={"ana": "doses", "bob": "doses"})
    table.play("bob", "sell_doses", corner="prison", dice=[2], override="promised before the break")
    assert (table.holds("bob"), table.holds("bob", "dose"), table.holds("ana", "dose")) == (1600, 2, 3)
    assert table.last is not None
    assert [warning.rule for warning in table.last.warnings] == ["II.D.4", "II.B.3", "VII.B.1", "VII.B.6"]


@pytest.mark.rule("VII.B.2")
def test_the_corner_that_another_player_passes_is_not_ones_own() -> None:
    """Ana is on Prison: even with a waiver Bob has to name the corner where he sells."""
    table = at_corner("prison", doses=1)
    table.give("bob", "dose")
    with pytest.raises(RuleBroken, match="name the corner"):
        table.play("bob", "sell_doses", dice=[1], override="promised")
    table.play("ana", "sell_doses", dice=[1])
    assert (table.holds("ana"), table.holds("bob", "dose")) == (1750, 1)


@pytest.mark.rule("VII.B.2", "VI.E.1")
def test_what_a_corner_allows_is_among_the_moves() -> None:
    """Crossing Hôpital and stopping on Comico, Ana is offered sales at both, and the trainer."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    table.give("ana", "rpg7")
    table.place("ana", 16)
    table.play("ana", "consume_dose", dice=[6])
    table.play("ana", "roll_dice", dice=[4, 4])
    legal = moves(RULEBOOK, table.state, "ana", player("ana"), BANKER, table.now)
    offered = [(move.kind, move.params, move.cost) for move in legal]
    assert ("sell_doses", {"corner": "hopital"}, None) in offered
    assert ("sell_doses", {"corner": "comico"}, None) in offered
    assert ("sell_item_to_police", {"commodity": "rpg7", "amount": 1}, 0) in offered
    assert ("bribe_k9", {}, 170) in offered
    assert ("issue_warrant", {"reason": "ruling"}, 0) in offered
    kinds = {kind for kind, _, _ in offered}
    assert not kinds & {"buy_doses", "buy_licence", "buy_prescription", "use_prescription", "pay_bail"}
    table.play("ana", "sell_doses", corner="comico", dice=[1])
    table.play("ana", "sell_item_to_police", commodity="rpg7")
    assert table.holds("ana") == 1500 + 250 + 75


@pytest.mark.rule("VII.A.1", "VI.A.4")
def test_what_spawn_allows_is_among_the_moves() -> None:
    """Stopped on Spawn with a prescription, Ana is offered doses at 50 ₦, a licence at 70 ₦, and her teleport."""
    table = at_spawn()
    table.give("ana", "ordonnance")
    legal = moves(RULEBOOK, table.state, "ana", player("ana"), Viewer("player", "ana"), table.now)
    offered = {move.kind: (move.cost, move.free) for move in legal}
    assert offered["buy_doses"] == (50, ("amount",))
    assert offered["buy_licence"] == (70, ())
    assert offered["use_prescription"] == (0, ())
    assert not offered.keys() & {"issue_warrant", "sell_doses", "buy_prison_racket", "bribe_k9"}
    table.play("ana", "buy_doses", amount=1)
    table.play("ana", "buy_licence")
    assert table.holds("ana") == 1900 - 120


@pytest.mark.rule("VII.A.2", "VII.A.3", "V.E.6", "V.E.5", "II.B.6", "VII.A.1", "V.A.7")
def test_what_is_bought_at_spawn_comes_before_the_dose_of_the_street_beyond() -> None:
    """Bob, without a dose, passes Spawn and stops on Ana's complete Cyan: his first still costs 50 ₦, not 70.

    The rent of 6 ₦ and the free dose follow, and then Spawn is closed. Ana pays 40 ₦ for each of two on the same
    way, and gets hers at home.
    """
    table = Table("ana", "bob")
    table.own("ana", *CYAN)
    table.place("ana", 36)
    table.play("ana", "roll_dice", dice=[6, 4])
    table.play("ana", "buy_doses", amount=2)
    table.play("ana", "resolve_square")
    assert (table.holds("ana"), table.holds("ana", "dose")) == (1650 + 220 - 80, 3)
    table.play("ana", "end_turn")
    table.place("bob", 36)
    table.play("bob", "roll_dice", dice=[6, 4])
    table.play("bob", "buy_doses")
    table.play("bob", "resolve_square")
    assert (table.holds("bob"), table.holds("bob", "dose")) == (1650 + 250 - 50 - 6, 2)
    table.refused("bob", "buy_doses", "VII.A.1")


@pytest.mark.rule("VII.A.2", "VII.A.3", "VIII.D.3", "VIII.D.5")
def test_a_dose_that_comes_express_makes_the_next_one_dearer_and_one_on_the_road_does_not() -> None:
    """Ana, who holds Cyan, sends Bob a dose; he passes Spawn in the same round and buys one.

    In transit it is nobody's, so his costs 50 ₦; express, for 50 ₦ of Ana's, it is his first, and he pays 70 ₦.
    Cyan is Ana's: it makes no dose cheaper that he buys.
    """
    for express, bobs in ((False, 50), (True, 70)):
        table = Table("ana", "bob")
        table.own("ana", *CYAN)
        table.give("ana", "dose")
        table.place("ana", 10)
        table.play("ana", "roll_dice", dice=[1, 2])
        table.play("ana", "send_delivery", to="bob", commodity="dose", amount=1, express=express)
        table.play("ana", "end_turn")
        over_spawn(table, "bob")
        table.play("bob", "buy_doses")
        assert (table.holds("bob"), table.holds("ana")) == (1650 + 250 - bobs, 1650 - (50 if express else 0))
        table.play("bob", "end_turn")
        assert table.holds("bob", "dose") == 2


@pytest.mark.rule("V.E.5", "V.E.2", "VIII.D.6", "VII.A.3", "I.C.6")
def test_a_gift_of_doses_is_cheap_as_long_as_its_buyer_holds_cyan_and_its_price_is_told_by_paying() -> None:
    """At Spawn Ana buys Bob, who holds one, a dose for 40 ₦; she mortgages a street, and the next costs 70 ₦.

    Her moves name no price before she pays, and a hundred are refused without one. Cleo learns of the mortgage
    and of nothing else.
    """
    table = Table("ana", "bob", "cleo")
    table.own("ana", *CYAN)
    table.give("bob", "dose")
    over_spawn(table, "ana")
    (gift,) = table.play("ana", "buy_for_player", to="bob", commodity="dose")
    assert table.holds("ana") == 1650 + 220 - 40
    assert table.seen_by("cleo") == []
    table.play("ana", "mortgage_property", title=CYAN[0])
    assert kinds(table.seen_by("cleo"))[0] == "title_mortgaged"
    costs = [
        one.cost
        for one in table.moves("ana")
        if one.kind == "buy_for_player" and one.params["commodity"] == "dose"
    ]
    assert costs == [None, None]
    refusal = table.refused("ana", "buy_for_player", "VIII.D.6", to="bob", commodity="dose", amount=100)
    assert refusal.en == "Ana has not got what 100 × Dose for Bob would cost"
    (dearer,) = table.play("ana", "buy_for_player", to="bob", commodity="dose")
    assert table.holds("ana") == 1650 + 220 - 40 + 50 - 70
    asked = [redact_for_dry_run(one, Viewer("player", "ana")) for one in (gift, dearer)]
    assert asked[0] == asked[1]
    assert visible_holdings(RULEBOOK.secrets, table.state, player("bob"), Viewer("player", "ana")) == {}
    assert table.holds("bob", "dose") == 3
