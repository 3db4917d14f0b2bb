"""IX.B.1 to IX.B.9. Attacks, defences and squats: their prices and their effects on a title."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import kind_of
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.estate.houses import HouseDestroyed
from ledger.rulebooks.negopoly.estate.mortgages import TitleMortgaged
from ledger.rulebooks.negopoly.estate.quarters import QUARTERS
from ledger.rulebooks.negopoly.mercenaries.services import attack_price, defence_price, squat_price
from ledger.rulebooks.negopoly.table.pieces import TITLES
from ledger.rulebooks.negopoly.table.state import houses_on, is_mortgaged, is_squatted
from ledger.rulebooks.negopoly.table.terms import Asset, attached
from ledger.rulebooks.negopoly.turns import victory
from tests.tables.negopoly import STREET, Table, answer, at_the_bar, kinds, stop_on

NUKETOWN = "nuketown"
PLAZA = "negoplaza"


# ----------------------------------------------------------------------------------------------
# Attacks
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("IX.B.2", "IX.B.3", "IX.B.1", "V.C.5")
def test_an_attack_removes_one_house_from_anywhere() -> None:
    """Ana pays 3 × 70 ₦ at the bar; Bob's Nuketown, six squares on, loses one of its three houses to the bank."""
    table = Table("ana", "bob")
    table.own("bob", NUKETOWN, houses=3)
    at_the_bar(table, "ana")
    bank, left = table.holds("bank"), table.holds("bank", "house")
    events = table.play("ana", "attack_property", title=NUKETOWN)
    assert [kind_of(event) for event in events] == ["attack_ordered", "defences_tried", "house_destroyed"]
    assert isinstance(events[2], HouseDestroyed)
    assert (events[2].rule, events[2].cause, events[2].houses) == ("IX.B.2", "attack", 2)
    assert (table.holds("ana"), table.holds("bank")) == (1650 - 210, bank + 210)
    assert (table.holds(attached(NUKETOWN), "house"), table.holds("bank", "house")) == (2, left + 1)
    assert table.holds("bob") == 1650
    assert table.seen_by(None) == events


@pytest.mark.rule("IX.B.2", "V.B.3", "V.C.7")
def test_an_attack_mortgages_a_title_without_houses_and_pays_nobody() -> None:
    """Without a house Nuketown is mortgaged; Bob gets nothing, and the event says that it was an attack."""
    table = Table("ana", "bob")
    table.own("bob", NUKETOWN)
    at_the_bar(table, "ana")
    *_, mortgaged = table.play("ana", "attack_property", title=NUKETOWN)
    assert isinstance(mortgaged, TitleMortgaged)
    assert (mortgaged.rule, mortgaged.cause, mortgaged.paid) == ("IX.B.2", "attack", 0)
    assert is_mortgaged(table.state, NUKETOWN)
    assert (table.holds("bob"), table.holds("ana")) == (1650, 1440)


@pytest.mark.rule("IX.B.3", "IX.B.6", "IX.B.9")
@pytest.mark.parametrize(
    ("title", "attack", "defence", "squat"),
    [
        ("negotown", 90, 30, 15),
        ("17_rue_des_patates", 150, 50, 25),
        (PLAZA, 525, 175, 88),
        ("lbtrd_tower", 600, 200, 100),
    ],
)
def test_prices_follow_the_mortgage_value(title: str, attack: int, defence: int, squat: int) -> None:
    """Three times, once, and half the mortgage value, rounded up: 175 gives 525, 175 and 88 ₦."""
    prices = attack_price(TITLES[title]), defence_price(TITLES[title]), squat_price(TITLES[title])
    assert prices == (attack, defence, squat)
    for kind, params, price in (
        ("attack_property", {"title": title}, attack),
        ("take_service", {"service": "defence", "title": title}, defence),
        ("squat_property", {"title": title}, squat),
    ):
        table = Table("ana", "bob")
        table.own("bob", title)
        at_the_bar(table, "ana")
        table.play("ana", kind, **params)
        assert table.holds("ana") == 1650 - price


@pytest.mark.rule("IX.B.4")
def test_a_mortgaged_title_is_not_attacked_and_the_refusal_costs_nothing() -> None:
    """Nuketown is mortgaged, houses or not: the attack is refused and nothing paid; the visit has its action."""
    table = Table("ana", "bob")
    table.own("bob", NUKETOWN, houses=1, mortgaged=True)
    table.own("bob", PLAZA)
    at_the_bar(table, "ana")
    refusal = table.refused("ana", "attack_property", "IX.B.4", title=NUKETOWN)
    assert "Nuketown" in refusal.en
    assert table.offers("ana", "attack_property") == [{"title": PLAZA}]
    assert table.holds("ana") == 1650
    table.play("ana", "attack_property", title=PLAZA)


@pytest.mark.rule("IX.B.2")
def test_the_banks_titles_are_not_attacked_and_ones_own_may_be() -> None:
    """A title of the bank is refused; Ana may attack a squatted title of her own, and loses a house of it."""
    table = Table("ana", "bob")
    table.own("ana", NUKETOWN, houses=1)
    table.attach(NUKETOWN, "squat")
    at_the_bar(table, "ana")
    table.refused("ana", "attack_property", "IX.B.2", title=PLAZA)
    table.refused("ana", "attack_property", "V.A.1", title="atlantis")
    table.play("ana", "attack_property", title=NUKETOWN)
    assert houses_on(table.state, NUKETOWN) == 0
    assert is_squatted(table.state, NUKETOWN)


@pytest.mark.rule("IX.B.3")
def test_an_attack_needs_its_price() -> None:
    """With 209 ₦ an attack of 210 ₦ is refused, and Nuketown keeps its house."""
    table = Table("ana", "bob")
    table.own("bob", NUKETOWN, houses=1)
    table.take("ana", "NGD", 1650 - 209)
    at_the_bar(table, "ana")
    table.refused("ana", "attack_property", "IX.B.3", title=NUKETOWN)
    assert houses_on(table.state, NUKETOWN) == 1


# ----------------------------------------------------------------------------------------------
# Defences
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("IX.B.5", "IX.B.6", "IX.B.1")
def test_a_defence_stops_one_attack_and_is_spent() -> None:
    """Bob defends Nuketown for 70 ₦; Ana's first attack of 210 ₦ is lost on it, her second takes the house.

    Nobody is asked about the first. At the second Bob is asked whether a security team steps in, since all that
    the table knows of his service is that he took one; he holds none.
    """
    table = Table("bob", "ana")
    table.own("bob", NUKETOWN, houses=1)
    at_the_bar(table, "bob")
    table.play("bob", "take_service", service="defence", title=NUKETOWN)
    assert (table.holds("bob"), table.holds(attached(NUKETOWN), "defence")) == (1580, 1)
    table.play("bob", "end_turn")
    at_the_bar(table, "ana")
    events = table.play("ana", "attack_property", title=NUKETOWN)
    assert [kind_of(event) for event in events] == ["attack_ordered", "defences_tried"]
    assert table.seen_by(None) == events
    assert (houses_on(table.state, NUKETOWN), table.holds(attached(NUKETOWN), "defence")) == (1, 0)
    table.play("ana", "end_turn")
    table.place("bob", 10)
    table.turn("bob", 4, 6)
    at_the_bar(table, "ana")
    table.play("ana", "attack_property", title=NUKETOWN)
    assert [move["answer"] for move in table.offers("bob", "answer")] == ["no"]
    answer(table, "bob", "no")
    assert houses_on(table.state, NUKETOWN) == 0
    assert table.holds("ana") == 1650 - 2 * 210


@pytest.mark.rule("IX.B.5")
def test_defences_add_up_and_stay_with_a_title_that_is_sold() -> None:
    """Two defences on Nuketown pass to Zoe with it, and stop two attacks."""
    table = Table("bob", "zoe", "ana")
    table.own("bob", NUKETOWN)
    table.attach(NUKETOWN, "defence", 2)
    table.play("bob", "sell_property", title=NUKETOWN, to="zoe", price=10)
    (deal,) = table.state.open
    table.play("zoe", "agree_deal", deal=deal)
    table.turn("bob", 5, 5)
    table.turn("zoe", 5, 5)
    at_the_bar(table, "ana")
    table.play("ana", "attack_property", title=NUKETOWN)
    assert not is_mortgaged(table.state, NUKETOWN)
    assert table.holds(attached(NUKETOWN), "defence") == 1


@pytest.mark.rule("IX.B.7")
def test_a_defence_is_not_against_squatters() -> None:
    """Ana squats a defended title of Bob's, who has a team: nobody is asked, the defence stays."""
    table = Table("ana", "bob")
    table.own("bob", NUKETOWN)
    table.attach(NUKETOWN, "defence")
    table.serve("bob", "security_team")
    at_the_bar(table, "ana")
    table.play("ana", "squat_property", title=NUKETOWN)
    assert table.state.questions == []
    assert is_squatted(table.state, NUKETOWN)
    assert table.holds(attached(NUKETOWN), "defence") == 1


@pytest.mark.rule("IX.B.6")
def test_a_defence_may_be_bought_for_anybodys_title_but_the_banks() -> None:
    """Ana defends Bob's Nuketown: Bob and the banker learn it, Zoe only that Ana took a service."""
    table = Table("ana", "bob", "zoe")
    table.own("bob", NUKETOWN)
    at_the_bar(table, "ana")
    table.refused("ana", "take_service", "IX.B.6", service="defence", title=PLAZA)
    (taken,) = table.play("ana", "take_service", service="defence", title=NUKETOWN)
    assert table.seen_by("ana") == table.seen_by("bob") == [taken]
    assert table.seen_by("zoe") != [taken]
    assert table.holds(attached(NUKETOWN), "defence") == 1
    for seat, sees in (("bob", True), ("ana", False), ("zoe", False)):
        audience = RULEBOOK.secrets.holding_audience(table.state, attached(NUKETOWN), "defence")
        assert audience.admits(Viewer("player", seat)) is sees
        assert RULEBOOK.secrets.holding_audience(table.state, attached(NUKETOWN), "house").admits(
            Viewer("player", seat)
        )


@pytest.mark.rule("IX.B.5", "V.B.10")
def test_a_reset_takes_the_defences_with_it() -> None:
    """A ruling resets Nuketown: its two defences are gone."""
    table = Table("ana", "bob")
    table.own("bob", NUKETOWN)
    table.attach(NUKETOWN, "defence", 2)
    at_the_bar(table, "ana")
    table.play("ana", "take_service", service="defence", title=NUKETOWN)
    table.banker("reset_property", title=NUKETOWN, reason="so be it")
    assert table.holds(attached(NUKETOWN), "defence") == 0


@pytest.mark.rule("II.E.5", "II.E.4")
def test_unused_services_count_at_their_list_price() -> None:
    """Bob holds a hack, a kidnapping and a team, and Nuketown with two defences: 150 + 70 + 200 + 2 × 70 ₦."""
    table = Table("ana", "bob")
    table.own("bob", NUKETOWN)
    table.attach(NUKETOWN, "defence", 2)
    for service in ("hack", "kidnapping", "security_team"):
        table.give("bob", service)
    table.banker("end_game", reason="late")
    table.turn("ana", 5, 5)
    table.turn("bob", 5, 5)
    worth = next(one for one in table.state.statements if one.seat == "bob")
    assert Asset("defences", NUKETOWN, 2, 140) in worth.assets
    for service, price in (("hack", 150), ("kidnapping", 70), ("security_team", 200)):
        assert Asset("goods", service, 1, price) in worth.assets
    assert worth.total == 1650 + 140 + 140 + 420
    assert worth.assets == victory.net_worth(table.state, "bob")


@pytest.mark.rule("VIII.D.1")
def test_mercenary_services_cannot_be_delivered_or_sold() -> None:
    """Ana can neither send Bob her team nor put it into a deal."""
    table = Table("ana", "bob")
    table.give("ana", "security_team")
    leg = {"giver": "ana", "taker": "bob", "commodity": "security_team", "amount": 1}
    table.refused("ana", "propose_deal", "VIII.D.1", legs=[leg])
    table.refused("ana", "send_delivery", "VIII.D.1", to="bob", commodity="security_team")


# ----------------------------------------------------------------------------------------------
# Squats
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("IX.B.7", "IX.B.9", "V.A.8")
def test_a_squatted_title_earns_nothing_and_takes_no_house() -> None:
    """Ana has Bob's Négoplaza squatted for 88 ₦: her stop there is free, and Bob cannot build on it."""
    table = Table("ana", "bob")
    table.own("bob", PLAZA, houses=2)
    at_the_bar(table, "ana")
    (squatted,) = table.play("ana", "squat_property", title=PLAZA)
    assert table.seen_by(None) == [squatted]
    assert table.holds("ana") == 1650 - 88
    table.play("ana", "end_turn")
    table.refused("bob", "build_house", "V.C.1", title=PLAZA)
    table.turn("bob", 5, 5)
    table.place("ana", 35)
    table.turn("ana", 1, 1)
    assert (table.holds("ana"), table.holds("bob")) == (1650 - 88, 1650)


@pytest.mark.rule("IX.B.7")
def test_only_an_owned_and_free_title_is_squatted_mortgaged_or_not() -> None:
    """The bank's title and a squatted one are refused; a mortgaged one is squatted."""
    table = Table("ana", "bob")
    table.own("bob", NUKETOWN, mortgaged=True)
    at_the_bar(table, "ana")
    table.refused("ana", "squat_property", "IX.B.7", title=PLAZA)
    assert table.offers("ana", "squat_property") == [{"title": NUKETOWN}]
    table.play("ana", "squat_property", title=NUKETOWN)
    table.play("ana", "end_turn")
    table.turn("bob", 5, 5)
    at_the_bar(table, "ana")
    table.refused("ana", "squat_property", "IX.B.7", title=NUKETOWN)
    assert {"title": NUKETOWN} not in table.offers("ana", "squat_property")


@pytest.mark.rule("IX.B.8", "V.A.8")
def test_anybody_passing_by_chases_the_squatters_away_for_nothing() -> None:
    """Zoe stops on Bob's squatted Nuketown: no rent. She evicts the squatters, and still owes none."""
    table = Table("ana", "zoe", "bob")
    table.own("bob", NUKETOWN, houses=1)
    at_the_bar(table, "ana")
    table.play("ana", "squat_property", title=NUKETOWN)
    table.play("ana", "end_turn")
    table.place("zoe", 7)
    table.play("zoe", "roll_dice", dice=[2, 2])
    (evicted,) = table.play("zoe", "evict_squatters", title=NUKETOWN)
    assert evicted.rule == "IX.B.8"
    assert not is_squatted(table.state, NUKETOWN)
    table.play("zoe", "end_turn")
    assert (table.holds("zoe"), table.holds("bob")) == (1650, 1650)
    table.place("bob", 20)
    table.turn("bob", 1, 2)
    table.place("ana", 7)
    table.turn("ana", 2, 2)
    assert table.holds("bob") == 1650 + 50, "for everybody after her the rent is due again"


@pytest.mark.rule("IX.B.8", "II.2")
def test_squatters_are_chased_away_in_ones_own_turn_in_passing_only() -> None:
    """Bob cannot from a distance, nor in Ana's turn; crossing his title he can."""
    table = Table("ana", "bob")
    table.own("bob", NUKETOWN)
    at_the_bar(table, "ana")
    table.refused("ana", "evict_squatters", "IX.B.8", title=NUKETOWN)
    table.play("ana", "squat_property", title=NUKETOWN)
    table.refused("bob", "evict_squatters", "IX.B.8", title=NUKETOWN)
    table.play("ana", "end_turn")
    table.refused("bob", "evict_squatters", "II.B.3", title=NUKETOWN)
    table.place("bob", 10)
    table.play("bob", "roll_dice", dice=[6, 4])
    assert table.offers("bob", "evict_squatters") == [{"title": NUKETOWN}]
    table.play("bob", "evict_squatters", title=NUKETOWN)
    assert table.holds("bob") == 1650
    table.refused("bob", "evict_squatters", "IX.B.8", title=NUKETOWN)


@pytest.mark.rule("V.E.18", "IX.B.8")
def test_the_holder_of_bleu_fonce_chases_squatters_away_from_anywhere() -> None:
    """Ana holds Négoplaza and LBTRD Tower: before her roll she frees Bob's Nuketown; he cannot do as much."""
    table = Table("ana", "bob")
    table.own("ana", PLAZA, "lbtrd_tower")
    table.own("bob", NUKETOWN, "hijacked")
    table.attach(NUKETOWN, "squat")
    table.attach("hijacked", "squat")
    (evicted,) = table.play("ana", "evict_squatters", title=NUKETOWN)
    assert evicted.rule == "V.E.18"
    table.turn("ana", 5, 5)
    table.refused("bob", "evict_squatters", "II.B.3", title="hijacked")


@pytest.mark.rule("IX.B.7", "V.B.6", "IX.B.8")
def test_a_squatted_charged_defended_title_taken_by_force_keeps_all_of_it() -> None:
    """Bob's mortgaged Nuketown carries a house, squatters, a charge and a defence: Ana takes it with all four.

    The forced buy-back costs twice 140 ₦; the defence, Bob's secret until then, is hers.
    """
    table = Table("ana", "bob")
    table.own("bob", NUKETOWN, houses=1, mortgaged=True)
    table.attach(NUKETOWN, "defence")
    table.attach(NUKETOWN, "c4")
    at_the_bar(table, "ana")
    table.play("ana", "squat_property", title=NUKETOWN)
    table.play("ana", "end_turn")
    table.turn("bob", 5, 5)
    table.place("ana", 8)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "force_buyback", title=NUKETOWN)
    assert table.holds("ana") == 1650 - 35 - 280
    held = dict(table.state.holdings.account(attached(NUKETOWN)))
    assert held == {"house": 1, "squat": 1, "c4": 1, "defence": 1}
    for seat, defences in (("ana", {NUKETOWN: 1}), ("bob", {})):
        assert RULEBOOK.screen.view(table.state, Viewer("player", seat))["you"]["defences"] == defences
        audience = RULEBOOK.secrets.holding_audience(table.state, attached(NUKETOWN), "defence")
        assert audience.admits(Viewer("player", seat)) is bool(defences)
    table.play("ana", "evict_squatters", title=NUKETOWN)
    assert not is_squatted(table.state, NUKETOWN)


@pytest.mark.rule("IX.B.8", "V.E.15", "V.E.6", "V.A.8")
def test_chasing_squatters_away_under_ones_feet_brings_neither_check_nor_dose_nor_rent() -> None:
    """Bob holds Orange and Cyan; Ana, with a dose, frees a squatted title of each under her: nothing is due."""
    table = Table("ana", "bob")
    table.own("bob", *QUARTERS["orange"], *QUARTERS["cyan"])
    table.attach("domaine_de_m_p", "squat")
    table.attach(STREET, "squat")
    table.give("ana", "dose")
    for square, title in ((32, "domaine_de_m_p"), (6, STREET)):
        stop_on(table, "ana", square)
        table.play("ana", "evict_squatters", title=title)
        assert kinds(table.play("ana", "resolve_square")) == ["square_resolved"]
        table.play("ana", "end_turn")
        table.turn("bob", 1, 2)
    assert (table.holds("ana"), table.holds("ana", "dose")) == (1650, 1)
    stop_on(table, "ana", 6)
    assert kinds(table.play("ana", "resolve_square")) == ["rent_paid", "free_dose_received", "square_resolved"]
