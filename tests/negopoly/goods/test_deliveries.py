"""VIII.D. Deliveries: a round in transit, or at once for 50 ₦; and purchases for another player."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.facts.events import kind_of
from ledger.rulebooks.negopoly.goods.deliveries import DeliverySent, ExpressDelivered
from ledger.rulebooks.negopoly.table.terms import Delivery
from tests.tables.negopoly import Table, dropping, eliminated, idle, quiet_turns


def send(table: Table, seat: str, to: str, commodity: str, amount: int = 1, **more: Any) -> str:
    """The seat sends goods; return the id of the delivery."""
    event = table.play(seat, "send_delivery", to=to, commodity=commodity, amount=amount, **more)[0]
    assert isinstance(event, DeliverySent | ExpressDelivered)
    return event.delivery.id


def deal_of(table: Table, seat: str, other: str, leg: dict[str, Any]) -> str:
    """The two seats conclude a deal of one leg; return its id."""
    deal: str = table.play(seat, "propose_deal", legs=[leg])[0].deal.id  # type: ignore[attr-defined]
    table.play(other, "agree_deal", deal=deal)
    return deal


@pytest.mark.rule("VIII.D.1")
def test_every_kind_of_object_travels_and_nothing_else_does() -> None:
    table = Table("ana", "bob")
    goods = ("dose", "c4", "rpg7", "satan2", "trottinette", "tank", "ordonnance")
    for one in goods:
        table.give("ana", one)
        send(table, "ana", "bob", one)
    table.own("ana", "negotown")
    table.give("ana", "licence")
    for other in ("NGD", "title:negotown", "licence", "hack", "squat", "house", "moon"):
        table.refused("ana", "send_delivery", "VIII.D.1", to="bob", commodity=other, amount=1)
    table.refused("ana", "send_delivery", "VIII.D.1", to="ana", commodity="dose", amount=1)
    table.refused("ana", "send_delivery", "VIII.D.1", to="bank", commodity="dose", amount=1)
    idle(table, "ana")
    idle(table, "bob")
    assert [table.holds("bob", one) for one in goods] == [1] * len(goods)
    assert table.holds("ana", "licence") == 1


@pytest.mark.rule("VIII.D.1")
def test_two_players_on_the_same_square_still_need_a_delivery() -> None:
    table = Table("ana", "bob")
    table.give("ana", "dose")
    assert table.state.positions["ana"] == table.state.positions["bob"]
    send(table, "ana", "bob", "dose")
    assert table.holds("bob", "dose") == 0


@pytest.mark.rule("VIII.D.2")
def test_goods_leave_in_the_senders_own_turn_before_or_after_the_roll() -> None:
    table = Table("ana", "bob")
    table.give("ana", "dose", 2)
    table.give("bob", "dose", 2)
    table.refused("bob", "send_delivery", "VIII.D.2", to="ana", commodity="dose", amount=1)
    table.refused("bob", "send_delivery", "VIII.D.2", to="ana", commodity="dose", amount=1, express=True)
    send(table, "ana", "bob", "dose")
    table.place("ana", 10)
    table.play("ana", "roll_dice", dice=[5, 5])
    send(table, "ana", "bob", "dose")
    table.play("ana", "end_turn")
    table.refused("ana", "send_delivery", "VIII.D.2", to="bob", commodity="dose", amount=1)
    send(table, "bob", "ana", "dose")
    assert table.holds("bob", "dose") == 1


@pytest.mark.rule("VIII.D.3", "VII.1")
def test_goods_are_on_the_road_until_the_senders_next_turn() -> None:
    """Ana's two doses leave her in round 1, are nobody's during Bob's turn, and reach Bob as round 2 opens."""
    table = Table("ana", "bob")
    table.give("ana", "dose", 5)
    delivery = send(table, "ana", "bob", "dose", 2)
    account = f"transit:{delivery}"
    assert (table.holds("ana", "dose"), table.holds(account, "dose"), table.holds("bob", "dose")) == (3, 2, 0)
    idle(table, "ana")
    assert table.holds(account, "dose") == 2
    idle(table, "bob")
    assert (table.holds("ana", "dose"), table.holds(account, "dose"), table.holds("bob", "dose")) == (3, 0, 2)
    assert delivery not in table.state.open
    found = table.state.past.get(delivery)
    assert found is not None
    assert found.status == "arrived"


@pytest.mark.rule("VIII.D.3")
def test_goods_of_a_sender_who_has_left_arrive_when_he_would_have_played() -> None:
    table = Table("ana", "bob", "cid")
    table.give("ana", "rpg7", 2)
    send(table, "ana", "bob", "rpg7", 2)
    idle(table, "ana")
    with table.arranged() as state:
        state.eliminated["ana"] = "bankruptcy"
    idle(table, "bob")
    assert table.holds("bob", "rpg7") == 0
    idle(table, "cid")
    assert table.holds("bob", "rpg7") == 2


@pytest.mark.rule("VIII.D.3", "VI.D.1")
def test_goods_of_a_sender_who_misses_a_turn_arrive_when_she_would_have_played() -> None:
    """Ana, held in Prison, misses her turn of round 2: her two RPG-7s reach Bob as it is skipped."""
    table = Table("ana", "bob", settings={"prison_missed_turns": 1})
    table.give("ana", "rpg7", 2)
    send(table, "ana", "bob", "rpg7", 2)
    idle(table, "ana")
    with table.arranged() as state:
        state.missed["ana"] = 1
    table.place("bob", 10)
    table.play("bob", "roll_dice", dice=[5, 5])
    assert table.holds("bob", "rpg7") == 0
    kinds = [kind_of(event) for event in table.play("bob", "end_turn")]
    assert kinds.index("delivery_arrived") < kinds.index("turn_skipped")
    assert table.holds("bob", "rpg7") == 2


@pytest.mark.rule("VIII.D.3")
def test_goods_for_somebody_who_has_left_go_back_to_the_sender_or_to_the_bank() -> None:
    table = Table("ana", "bob", "cid", "dan")
    table.give("ana", "tank")
    table.give("bob", "rpg7", 2)
    send(table, "ana", "dan", "tank")
    idle(table, "ana")
    send(table, "bob", "dan", "rpg7", 2)
    idle(table, "bob")
    bank = table.holds("bank", "rpg7")
    with table.arranged() as state:
        state.eliminated |= {"dan": "bankruptcy", "bob": "bankruptcy"}
    idle(table, "cid")
    assert table.holds("ana", "tank") == 1
    idle(table, "ana")
    assert table.holds("bank", "rpg7") == bank + 2
    returned = [one.status for one in table.state.past]
    assert returned == ["returned", "returned"]


@pytest.mark.rule("VIII.D.4")
def test_one_kind_of_object_in_any_quantity_held_and_several_deliveries_in_a_turn() -> None:
    table = Table("ana", "bob")
    table.give("ana", "dose", 40)
    table.give("ana", "c4", 2)
    short = table.refused("ana", "send_delivery", "VIII.D.4", to="bob", commodity="dose", amount=41)
    assert short.en == "Ana has 40 × Dose, not 41"
    table.malformed("ana", "send_delivery", to="bob", commodity=["dose", "c4"], amount=2)
    table.malformed("ana", "send_delivery", to="bob", commodity="dose", amount=0)
    table.malformed("ana", "send_delivery", to="bob", amount=1)
    table.malformed("ana", "send_delivery", to="bob", commodity="dose", amount=1, deal="1")
    send(table, "ana", "bob", "dose", 40)
    send(table, "ana", "bob", "c4", 2)
    idle(table, "ana")
    idle(table, "bob")
    assert (table.holds("bob", "dose"), table.holds("bob", "c4")) == (40, 2)


@pytest.mark.rule("VIII.D.5")
def test_express_costs_its_sender_50_a_delivery_and_is_there_at_once() -> None:
    table = Table("ana", "bob")
    table.give("ana", "dose", 12)
    bank = table.holds("bank")
    send(table, "ana", "bob", "dose", 10, express=True)
    assert table.holds("bob", "dose") == 10
    assert (table.holds("ana"), table.holds("bob"), table.holds("bank")) == (1600, 1650, bank + 50)
    send(table, "ana", "bob", "dose", 1, express=True)
    assert table.holds("ana") == 1550
    table.take("ana", "NGD", 1501)
    table.refused("ana", "send_delivery", "VIII.D.5", to="bob", commodity="dose", amount=1, express=True)
    send(table, "ana", "bob", "dose", 1)
    assert (table.holds("ana"), table.holds("bob", "dose")) == (49, 11)


@pytest.mark.rule("VIII.D.5")
def test_the_recipient_pays_only_for_an_express_delivery_that_they_agreed_to_pay() -> None:
    """Bob wants Ana's RPG-7 at once and agrees to pay for the way; for a gift nobody asked him."""
    table = Table("ana", "bob")
    table.give("ana", "rpg7", 3)
    ask = {"to": "bob", "commodity": "rpg7", "amount": 1, "express": True, "recipient_pays": True}
    table.refused("ana", "send_delivery", "VIII.D.5", **ask)
    table.malformed("ana", "send_delivery", **(ask | {"express": False}))
    leg = {"giver": "ana", "taker": "bob", "commodity": "rpg7", "express": "taker"}
    deal_of(table, "ana", "bob", leg)
    (sent,) = [event for event in table.last.events if isinstance(event, ExpressDelivered)]  # type: ignore[union-attr]
    assert (sent.payer, sent.fee) == ("bob", 50)
    assert table.holds("bob", "rpg7") == 1
    assert (table.holds("ana"), table.holds("bob")) == (1650, 1600)
    deal_of(table, "ana", "bob", leg | {"express": "giver"})
    assert table.holds("bob", "rpg7") == 2
    assert (table.holds("ana"), table.holds("bob")) == (1600, 1600)


@pytest.mark.rule("VIII.D.5", "II.D.1")
def test_a_leg_that_is_due_is_sent_as_the_deal_allows() -> None:
    """Bob's two legs come due in Ana's turn: one at her cost, one plain; he may not make her pay the plain one."""
    table = Table("ana", "bob")
    table.give("bob", "rpg7")
    table.give("bob", "tank")
    plain = {"giver": "bob", "taker": "ana", "commodity": "rpg7"}
    paid = {"giver": "bob", "taker": "ana", "commodity": "tank", "express": "taker"}
    deal: str = table.play("ana", "propose_deal", legs=[plain, paid])[0].deal.id  # type: ignore[attr-defined]
    table.play("bob", "agree_deal", deal=deal)
    idle(table, "ana")
    table.refused("bob", "send_delivery", "VIII.D.5", deal=deal, leg=0, express=True, recipient_pays=True)
    table.play("bob", "send_delivery", deal=deal, leg=0, express=True)
    assert (table.holds("ana"), table.holds("bob")) == (1650, 1600)
    table.play("bob", "send_delivery", deal=deal, leg=1, express=True, recipient_pays=True)
    assert (table.holds("ana"), table.holds("bob")) == (1600, 1600)
    assert (table.holds("ana", "rpg7"), table.holds("ana", "tank")) == (1, 1)


@pytest.mark.rule("VIII.D.6", "VII.1")
def test_doses_bought_for_bob_are_priced_by_what_bob_holds() -> None:
    """Ana, who holds two doses, passes by Spawn: Bob's first costs her 50 ₦ and his next two 140 ₦."""
    table = Table("ana", "bob")
    table.give("ana", "dose", 2)
    table.refused("ana", "buy_for_player", "II.B.3", to="bob", commodity="dose")
    table.place("ana", 38)
    table.play("ana", "roll_dice", dice=[1, 2])
    before = table.holds("ana")
    table.play("ana", "buy_for_player", to="bob", commodity="dose")
    assert (table.holds("ana"), table.holds("bob", "dose")) == (before - 50, 1)
    table.play("ana", "buy_for_player", to="bob", commodity="dose", amount=2)
    assert (table.holds("ana"), table.holds("bob", "dose")) == (before - 190, 3)
    assert table.holds("ana", "dose") == 2
    assert table.holds("bob") == 1650
    assert [kind_of(event) for event in table.seen_by("bob")] == ["bought_for_player"]
    assert table.seen_by(None) == []
    table.refused("ana", "buy_for_player", "VIII.D.6", to="ana", commodity="dose")
    table.malformed("ana", "buy_for_player", to="bob", commodity="licence")
    table.play("ana", "transfer_money", to="bob", amount=table.holds("ana"))
    table.refused("ana", "buy_for_player", "VIII.D.6", to="bob", commodity="dose")


@pytest.mark.rule("VIII.D.6", "VII.A.1", "VI.C.3")
def test_the_buyer_must_stand_where_it_is_sold() -> None:
    """A prescription takes a stop on the Hôpital, not a passage; doses take Spawn."""
    table = Table("ana", "bob")
    table.place("ana", 18)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.refused("ana", "buy_for_player", "VI.C.3", to="bob", commodity="ordonnance")
    table.refused("ana", "buy_for_player", "VII.A.1", to="bob", commodity="dose")
    table.play("ana", "resolve_square")
    table.play("ana", "end_turn")
    table.place("bob", 10)
    table.play("bob", "roll_dice", dice=[5, 5])
    table.play("bob", "buy_for_player", to="ana", commodity="ordonnance", amount=2)
    assert (table.holds("bob"), table.holds("ana", "ordonnance")) == (1650 - 280, 2)


@pytest.mark.rule("VIII.D.7", "I.C.3")
def test_nobody_stops_goods_that_are_on_the_road() -> None:
    """Bob is wanted, and Ana records their deal as broken: her RPG-7 still reaches him, without a check."""
    table = Table("ana", "bob")
    table.give("ana", "rpg7", 2)
    deal = deal_of(table, "bob", "ana", {"giver": "ana", "taker": "bob", "commodity": "rpg7"})
    send(table, "ana", "bob", "rpg7")
    with table.arranged() as state:
        state.wanted.add("bob")
    table.play("ana", "break_deal", deal=deal)
    table.refused("ana", "withdraw_deal", "I.A.1.2", deal=deal)
    idle(table, "ana")
    table.place("bob", 10)
    table.play("bob", "roll_dice", dice=[5, 5])
    arrived = table.play("bob", "end_turn")
    assert [kind_of(event) for event in arrived] == [
        "turn_ended",
        "round_started",
        "delivery_arrived",
        "delivery_arrived",
        "turn_started",
    ]
    assert table.holds("bob", "rpg7") == 2
    assert table.state.positions["bob"] == 20


@pytest.mark.rule("VIII.D.3", "I.C.6")
def test_a_delivery_is_known_to_its_two_ends_alone() -> None:
    table = Table("ana", "bob", "cid")
    table.give("ana", "dose", 2)
    send(table, "ana", "bob", "dose")
    assert len(table.seen_by("ana")) == len(table.seen_by("bob")) == 1
    assert table.seen_by("cid") == table.seen_by(None) == []
    send(table, "ana", "bob", "dose", express=True)
    assert len(table.seen_by("bob")) == 1
    assert table.seen_by("cid") == []


@pytest.mark.rule("VII.1")
def test_doses_are_given_and_bought_for_others_each_by_its_own_event() -> None:
    """Every dose that moves names where it comes from and where it goes."""
    table = Table("ana", "bob")
    table.give("ana", "dose", 3)
    (sent,) = table.play("ana", "send_delivery", to="bob", commodity="dose", amount=2)
    moves = [(one.amount, one.source, one.target) for one in sent.postings]
    assert moves == [(2, "player:ana", f"transit:{sent.delivery.id}")]  # type: ignore[attr-defined]
    (express,) = table.play("ana", "send_delivery", to="bob", commodity="dose", amount=1, express=True)
    moves = [(one.amount, one.source, one.target) for one in express.postings if one.commodity == "dose"]
    assert moves == [(1, "player:ana", "player:bob")]


@pytest.mark.rule("I.B.5", "VIII.D.3", "VII.A.3", "VII.A.2", "P.4")
def test_doses_that_come_home_from_a_player_who_is_out_make_their_senders_next_one_dearer() -> None:
    """Ana's three doses are in transit when Bob is eliminated: they are hers again, and one more costs her 70 ₦.

    In a dry run without the ruling the doses reach Bob at her next turn, her purchase was a first one at 50 ₦, and
    nothing is voided.
    """
    table = Table("ana", "bob", "cleo", perks={"ana": "doses"})
    table.place("ana", 32)
    table.play("ana", "send_delivery", to="bob", commodity="dose", amount=3)
    sent = str(table.number)
    table.play("ana", "roll_dice", dice=[1, 3])
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    eliminated(table, "bob")
    ruled = table.number
    assert (table.holds("ana", "dose"), table.holds("bob", "dose")) == (3, 0)
    table.play("cleo", "roll_dice", dice=[1, 2])
    table.play("cleo", "end_turn")
    opened = str(table.number)
    table.play("ana", "roll_dice", dice=[2, 3])
    table.play("ana", "buy_doses")
    bought = str(table.number)
    assert (table.holds("ana"), table.holds("ana", "dose")) == (1500 + 250 - 70, 4)
    plan = table.what_if(dropping(ruled))
    assert plan.voided == ()
    assert [one.timeline_entry.name for one in plan.restated] == [opened, bought]
    table.banker("correct", edits=[dropping(ruled)], cascade="restate", reason="he had not")
    assert (table.holds("ana"), table.holds("ana", "dose")) == (1500 + 250 - 50, 1)
    assert table.holds("bob", "dose") == 3
    arrived = table.state.past.get(sent)
    assert isinstance(arrived, Delivery)
    assert arrived.status == "arrived"


@pytest.mark.rule("I.B.5", "VIII.D.3", "VI.A.7", "VIII.D.7")
def test_in_snow_goods_outlive_their_sender_and_go_to_the_bank_with_their_recipient() -> None:
    """In the snow Bob sends Cleo two doses and Dan one, and is eliminated: nothing arrives at his next turn.

    Cleo is eliminated before the turn after that: her doses go to the bank, as their sender is out. Dan gets his
    when Bob's turn of round 3 would start.
    """
    table = Table("ana", "bob", "cleo", "dan")
    table.give("bob", "dose", 3)
    table.weather("meteo_06")
    quiet_turns(table, "ana")
    table.place("bob", 0)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.play("bob", "send_delivery", to="cleo", commodity="dose", amount=2)
    first = table.number
    table.play("bob", "send_delivery", to="dan", commodity="dose", amount=1)
    table.play("bob", "end_turn")
    eliminated(table, "bob")
    quiet_turns(table, "cleo", "dan", "ana")
    assert (table.state.round, table.state.turn.seat if table.state.turn else None) == (2, "cleo")
    assert (table.holds("cleo", "dose"), table.holds("dan", "dose")) == (0, 0)
    bank = table.holds("bank", "dose")
    eliminated(table, "cleo")
    assert (table.holds("bank", "dose") - bank, table.holds(f"transit:{first}", "dose")) == (2, 0)
    quiet_turns(table, "dan", "ana")
    assert (table.state.round, table.holds("dan", "dose")) == (3, 1)
    assert not [one for one in table.state.open.values() if isinstance(one, Delivery)]
