"""The operations of the cards, one scenario each, with cards of the rulebook where they use the operation."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.facts.events import Event
from tests.tables.negopoly import NO_DECKS, Table

STREET = "69_rue_des_patates"  # square 8


def drawing(card: str, *, seats: tuple[str, ...] = ("ana", "bob", "cleo"), **options: Any) -> Table:
    """Ana is about to draw this card on Chance 7: `table.play("ana", "resolve_square", draws=[card])`."""
    table = Table(*seats, decks=True, **options)
    table.place("ana", 4)
    table.play("ana", "roll_dice", dice=[1, 2])
    assert table.holds("deck:chance", f"card:{card}") == 1
    return table


def draw(table: Table, card: str, *more: int | str) -> list[Event]:
    """Ana draws the card, with the other dice and draws that the table gives."""
    return table.play("ana", "resolve_square", draws=[card, *more])


def own_chance(*effects: dict[str, Any], **card: Any) -> Table:
    """Ana stops on Chance 7 at a table whose one card, "own", has these effects."""
    own = {"id": "own", "title": "Own", "effects": list(effects), **card}
    table = Table("ana", "bob", "cleo", settings={"decks": {**NO_DECKS, "chance": [own]}})
    table.place("ana", 4)
    table.play("ana", "roll_dice", dice=[1, 2])
    return table


def in_hand(card: str, **options: Any) -> Table:
    """Ana has rolled in her turn and holds this card."""
    table = Table("ana", "bob", "cleo", decks=True, **options)
    table.hand("ana", card)
    table.place("ana", 5)
    table.play("ana", "roll_dice", dice=[4, 5])
    return table


def balances(table: Table) -> list[int]:
    return [table.holds(seat) for seat in table.state.seats]


# pay, pay_per ---------------------------------------------------------------------------------------


@pytest.mark.rule("I.B.3")
@pytest.mark.parametrize(
    ("card", "after"),
    [("chance_01", [1750, 1650, 1650]), ("chance_03", [1710, 1620, 1620]), ("chance_04", [1570, 1650, 1650])],
)
def test_pay(card: str, after: list[int]) -> None:
    """The bank pays 100 ₦, every other player pays 30 ₦, Ana pays the bank 80 ₦."""
    table = drawing(card)
    draw(table, card)
    assert balances(table) == after


@pytest.mark.rule("I.B.3")
def test_pay_is_mandatory_even_into_debt() -> None:
    """Bob has 10 ₦ left and owes 20 ₦ after paying 30 ₦."""
    table = drawing("chance_03")
    table.take("bob", "NGD", 1640)
    draw(table, "chance_03")
    assert table.holds("bob") == -20


@pytest.mark.rule("I.B.3")
def test_pay_to_a_chosen_player() -> None:
    """Chantage makes Bob pay Ana 100 ₦."""
    table = in_hand("kamtar_03")
    table.play("ana", "play_card", card="kamtar_03", target="bob")
    assert balances(table) == [1750, 1550, 1650]


@pytest.mark.rule("I.B.3")
def test_pay_per_house_and_title() -> None:
    """Two titles and three houses: 2 × 10 + 3 × 25 = 95 ₦ to the bank."""
    table = drawing("chance_02")
    table.own("ana", STREET, houses=3)
    table.own("ana", "nuketown")
    draw(table, "chance_02")
    assert table.holds("ana") == 1650 - 95


@pytest.mark.rule("I.B.3")
def test_pay_per_what_an_inventory_holds_stays_private() -> None:
    """3 doses at 5 ₦ and a weapon at 20 ₦: Bob sees that Ana pays, and not how much."""
    table = own_chance(
        {"op": "pay_per", "per": "dose", "amount": 5}, {"op": "pay_per", "per": "weapon", "amount": 20}
    )
    table.give("ana", "dose", 3)
    table.give("ana", "c4")
    draw(table, "own")
    assert table.holds("ana") == 1650 - 35
    seen = [event for event in table.seen_by("bob") if type(event).__name__ == "CardPaid"]
    assert [(one.amount, one.postings) for one in seen] == [(None, ())] * 2  # type: ignore[attr-defined]


# move, teleport, reverse_order, roll_modifier -----------------------------------------------------------


@pytest.mark.rule("II.B.6", "V.A.2")
def test_move() -> None:
    """Three squares back from Chance 7 is checkpoint 4, which checks Ana; her own move has stopped there."""
    table = drawing("chance_09", perks={"ana": "doses"})
    draw(table, "chance_09")
    table.refused("ana", "end_turn", "II.B.7")
    table.play("ana", "resolve_square")
    assert table.state.positions["ana"] == 10
    forward = own_chance({"op": "move", "steps": 1})
    draw(forward, "own")
    forward.play("ana", "buy_property")
    assert forward.owner(STREET) == "ana"


@pytest.mark.rule("VI.A.3", "III.C.2", "VI.A.1")
def test_teleport_to_spawn_is_a_passage() -> None:
    """Convocation au Spawn: 250 ₦ and the weather, and nothing of the squares between."""
    table = drawing("chance_08")
    draw(table, "chance_08", "meteo_05")
    assert table.state.positions["ana"] == 0
    assert table.holds("ana") == 1650 + 250
    assert table.state.weather == ("meteo_05",)


@pytest.mark.rule("III.C.1")
def test_teleport_instead_of_the_roll() -> None:
    """Raccourci takes Ana to one of her titles; her roll is gone, and nobody else's title will do."""
    table = Table("ana", "bob", decks=True)
    table.hand("ana", "kamtar_12")
    table.own("ana", STREET)
    table.own("bob", "nuketown")
    table.refused("ana", "play_card", "II.B.11", card="kamtar_12", title="nuketown")
    table.play("ana", "play_card", card="kamtar_12", title=STREET)
    assert table.state.positions["ana"] == 8
    table.refused("ana", "roll_dice", "II.B.4", dice=[1, 2])
    table.play("ana", "end_turn")


@pytest.mark.rule("III.C.2")
def test_teleport_to_the_next_square_of_a_kind() -> None:
    """From Chance 7 the next bar ahead is the one on 25."""
    table = own_chance({"op": "teleport", "to": "bar"})
    draw(table, "own")
    assert table.state.positions["ana"] == 25


@pytest.mark.rule("II.3")
def test_reverse_order() -> None:
    """From the next round on it goes cleo, bob, ana."""
    table = drawing("chance_16")
    draw(table, "chance_16")
    assert table.state.order == ("ana", "bob", "cleo")
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    table.turn("cleo", 1, 2)
    assert table.state.order == ("cleo", "bob", "ana")
    assert table.state.turn is not None
    assert table.state.turn.seat == "cleo"


@pytest.mark.rule("II.B.5")
def test_roll_modifier_for_oneself_is_for_this_turn() -> None:
    """Pas léger makes 3 + 4 count for 10; a roll that is not made takes it along."""
    table = Table("ana", "bob", decks=True)
    table.hand("ana", "kamtar_07")
    table.play("ana", "play_card", card="kamtar_07")
    table.play("ana", "roll_dice", dice=[3, 4])
    assert table.state.positions["ana"] == 10
    lost = Table("ana", "bob", decks=True)
    lost.hand("ana", "kamtar_07")
    lost.give("ana", "ordonnance")
    lost.play("ana", "play_card", card="kamtar_07")
    lost.play("ana", "use_prescription")
    lost.play("ana", "end_turn")
    lost.turn("bob", 1, 2)
    lost.place("ana", 5)
    lost.play("ana", "roll_dice", dice=[4, 5])
    assert lost.state.positions["ana"] == 14


@pytest.mark.rule("II.B.5")
def test_roll_modifier_never_makes_a_total_negative() -> None:
    """Twice 3 off a roll of 4 leaves Ana where she is, and opens nothing there (II.B.3)."""
    table = Table("ana", "bob", "cleo", decks=True)
    with table.arranged() as state:
        state.roll_changes["ana"] = -3
    table.hand("bob", "kamtar_08")
    table.play("bob", "play_card", card="kamtar_08", target="ana")
    table.place("ana", 8)
    table.play("ana", "roll_dice", dice=[2, 2])
    assert table.state.positions["ana"] == 8
    table.refused("ana", "buy_property", "V.D.1", title=STREET)
    assert table.state.roll_changes == {}


# hospital, arrest, police_check, warrant ----------------------------------------------------------------


@pytest.mark.rule("VI.C.1")
def test_hospital() -> None:
    table = drawing("chance_11")
    draw(table, "chance_11")
    assert table.state.positions["ana"] == 20
    table.refused("ana", "buy_prescription", "VI.C.3")


@pytest.mark.rule("VI.D.1", "VI.D.4")
def test_arrest() -> None:
    """Bob's racket in Prison takes 150 ₦ of Ana; nothing is confiscated."""
    table = drawing("chance_12", perks={"ana": "doses"})
    with table.arranged() as state:
        state.rackets.append("bob")
    draw(table, "chance_12")
    assert table.state.positions["ana"] == 10
    assert balances(table) == [1350, 1800, 1650]
    assert table.holds("ana", "dose") == 3


@pytest.mark.rule("V.E.13")
def test_arrest_of_the_orange_holder_does_nothing() -> None:
    table = drawing("chance_12")
    table.own("ana", "rue_vendredi_des_noirs", "domaine_de_m_p", "villa_du_rj")
    draw(table, "chance_12")
    assert table.state.positions["ana"] == 7


@pytest.mark.rule("VI.F.3", "VI.F.4", "VI.F.5")
def test_police_check_of_everybody_where_they_stand() -> None:
    """Rafle générale: Bob's doses are taken and he goes to Prison; Ana and Cleo have nothing on them."""
    table = drawing("chance_07", perks={"bob": "doses"})
    table.place("bob", 26)
    draw(table, "chance_07")
    assert table.state.positions == {"ana": 7, "bob": 10, "cleo": 0}
    assert table.holds("police", "dose") == 3


@pytest.mark.rule("VI.F.6", "VI.F.7")
def test_warrant_issued_and_lifted() -> None:
    """Avis de recherche makes Ana wanted, "Dénonciation" Bob; a second warrant adds nothing."""
    table = drawing("chance_05")
    draw(table, "chance_05")
    assert table.state.wanted == {"ana"}
    told = in_hand("kamtar_10")
    told.play("ana", "play_card", card="kamtar_10", target="bob")
    assert told.state.wanted == {"bob"}
    again = in_hand("kamtar_10")
    with again.arranged() as state:
        state.wanted.add("bob")
    again.refused("ana", "play_card", "II.B.11", card="kamtar_10", target="bob")
    told.place("bob", 9)
    told.play("ana", "resolve_square")
    told.play("ana", "end_turn")
    told.play("bob", "roll_dice", dice=[1, 2])
    told.play("bob", "resolve_square")
    assert told.state.positions["bob"] == 10


# gain, mortgage, destroy_house, build -------------------------------------------------------------------


@pytest.mark.rule("VII.1")
def test_gain() -> None:
    """Colis perdu: 2 doses from the bank."""
    table = drawing("chance_10")
    bank = table.holds("bank", "dose")
    draw(table, "chance_10")
    assert table.holds("ana", "dose") == 2
    assert table.holds("bank", "dose") == bank - 2


@pytest.mark.rule("V.B.3")
def test_mortgage() -> None:
    """A mortgage imposed by a card pays nobody."""
    table = drawing("chance_13")
    table.own("ana", STREET)
    draw(table, "chance_13")
    assert table.holds(f"property:{STREET}", "mortgage") == 1
    assert table.holds("ana") == 1650


@pytest.mark.rule("V.B.3")
def test_mortgage_of_another_players_title() -> None:
    """Only titles of others that are free can be named."""
    table = own_chance({"op": "mortgage", "target": "other_choice"})
    table.own("ana", STREET)
    table.own("bob", "nuketown", mortgaged=True)
    table.own("bob", "hijacked")
    table.own("cleo", "bassland")
    draw(table, "own")
    assert table.state.questions[0].about["candidates"] == ["hijacked", "bassland"]
    table.play("ana", "answer", question=table.state.questions[0].id, answer="bassland")
    assert table.holds("property:bassland", "mortgage") == 1


@pytest.mark.rule("V.C.5")
def test_destroy_house() -> None:
    """Incendie opportun: one house of Bob's falls, without refund; a title without houses cannot be named."""
    table = drawing("chance_14")
    table.own("bob", STREET, houses=2)
    table.own("bob", "nuketown")
    draw(table, "chance_14")
    assert table.holds(f"property:{STREET}", "house") == 1
    assert table.holds("bob") == 1650


@pytest.mark.rule("II.B.11")
def test_destroy_house_where_there_is_none() -> None:
    """Without a house anywhere the card has no effect: it neither mortgages nor resets."""
    table = drawing("chance_14")
    table.own("bob", STREET)
    draw(table, "chance_14")
    assert table.owner(STREET) == "bob"
    assert table.holds(f"property:{STREET}", "mortgage") == 0


@pytest.mark.rule("V.C.3", "V.C.2")
def test_build() -> None:
    """Chantier offert: one house for nothing on a title that takes one; five is the limit."""
    for standing in (0, 4):
        table = drawing("chance_15")
        table.own("ana", STREET, houses=standing)
        table.own("ana", "nuketown", mortgaged=True)
        draw(table, "chance_15")
        assert table.holds(f"property:{STREET}", "house") == standing + 1
        assert table.holds("ana") == 1650
    full = own_chance({"op": "build", "target": "own_choice", "qty": 3})
    full.own("ana", STREET, houses=4)
    full.play("ana", "resolve_square", draws=["own"])
    assert full.holds(f"property:{STREET}", "house") == 5
    full.refused("ana", "build_house", "V.C.2", title=STREET)


@pytest.mark.rule("II.B.11")
def test_build_in_a_flood_does_nothing() -> None:
    table = drawing("chance_15")
    table.own("ana", STREET)
    table.weather("meteo_08")
    draw(table, "chance_15")
    assert table.holds(f"property:{STREET}", "house") == 0


# intercept, reveal, block_meetings -----------------------------------------------------------------------


@pytest.mark.rule("VIII.D.7")
def test_intercept() -> None:
    """Bob's doses for Cleo are on their way: Ana takes them, and they arrive nowhere else."""
    table = Table("bob", "ana", "cleo", decks=True, perks={"bob": "doses"})
    table.hand("ana", "kamtar_06")
    table.play("bob", "send_delivery", to="cleo", commodity="dose", amount=2)
    table.play("ana", "play_card", card="kamtar_06", target="bob")
    assert table.holds("ana", "dose") == 2
    (seen,) = [event for event in table.seen_by("cleo") if type(event).__name__ == "DeliveryIntercepted"]
    assert seen.delivery.status == "intercepted"  # type: ignore[attr-defined]
    for seat in ("bob", "ana", "cleo"):
        table.turn(seat, 1, 2)
    assert table.holds("cleo", "dose") == 0


@pytest.mark.rule("VIII.D.7")
def test_intercept_tells_strangers_nothing() -> None:
    """With goods in transit or without, a fourth player sees the same: Ana intercepts Bob's deliveries."""
    seen = []
    for sends in (True, False):
        table = Table("bob", "ana", "cleo", "dan", decks=True, perks={"bob": "doses"})
        table.hand("ana", "kamtar_06")
        if sends:
            table.play("bob", "send_delivery", to="cleo", commodity="dose", amount=2)
        table.play("ana", "play_card", card="kamtar_06", target="bob")
        seen.append(table.seen_by("dan"))
    assert seen[0] == seen[1]


@pytest.mark.rule("I.C.6")
def test_reveal() -> None:
    """Confidence: Ana sees Bob's doses and card; Cleo sees that she looks."""
    table = Table("ana", "bob", "cleo", decks=True, perks={"bob": "doses"})
    table.hand("ana", "kamtar_01")
    table.hand("bob", "kamtar_03")
    table.play("ana", "play_card", card="kamtar_01", target="bob")
    (looked,) = [event for event in table.seen_by("ana") if type(event).__name__ == "InventoryShown"]
    assert looked.inventory == {"card:kamtar_03": 1, "dose": 3}  # type: ignore[attr-defined]
    (watched,) = [event for event in table.seen_by("cleo") if type(event).__name__ == "InventoryShown"]
    assert watched.inventory is None  # type: ignore[attr-defined]


@pytest.mark.rule("IV.C.1", "IV.C.2")
def test_block_meetings() -> None:
    """Silence radio: no private meeting until Ana's next turn starts."""
    table = in_hand("kamtar_11")
    table.play("ana", "play_card", card="kamtar_11")
    table.refused("bob", "start_meeting", "IV.C.2", participants=["cleo"], minutes=1)
    table.play("ana", "resolve_square")
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    table.turn("cleo", 1, 2)
    assert table.state.disruptions == ()
    table.play("bob", "start_meeting", participants=["cleo"], minutes=1)


# banker ---------------------------------------------------------------------------------------------


@pytest.mark.rule("P.1")
def test_banker_says_what_no_operation_can() -> None:
    """The card waits for the banker, who lets Cleo give Ana 40 ₦ and sends Bob to Prison; play goes on."""
    table = own_chance({"op": "banker"}, text="Ask the banker.")
    draw(table, "own")
    (waiting,) = table.state.unread
    table.play("ana", "end_turn")
    transfer = {"from": "player:cleo", "to": "player:ana", "commodity": "NGD", "amount": 40}
    table.banker(
        "resolve_card", card=waiting.id, reason="a round of drinks",
        remedies=[
            {"op": "adjust", "postings": [transfer], "reason": "a round of drinks"},
            {"op": "move_seat", "seat": "bob", "square": 10},
        ],
    )  # fmt: skip
    assert (table.holds("ana"), table.holds("cleo")) == (1690, 1610)
    assert table.state.positions["bob"] == 10
    assert table.state.unread == ()
    table.refused(None, "resolve_card", "P.1", card=waiting.id, reason="twice")


@pytest.mark.rule("P.1")
def test_banker_may_close_a_card_as_having_no_effect() -> None:
    """A card without effects is one for the banker; a remedy that is refused leaves it waiting."""
    table = own_chance(text="Make a face.")
    draw(table, "own")
    (waiting,) = table.state.unread
    title = {"op": "reset_property", "title": STREET}
    table.refused(None, "resolve_card", "V.B.8", card=waiting.id, reason="no", remedies=[title])
    events = table.banker("resolve_card", card=waiting.id, reason="no effect")
    assert len(events) == 1
    assert table.state.unread == ()


# several, and in whose turn -------------------------------------------------------------------------------


@pytest.mark.rule("V.E.10", "II.D.4")
def test_a_card_given_in_anothers_turn_moves_its_player_without_opening_the_square() -> None:
    """Ana holds Rouge and gives Bob "Marche arrière": his token is put three squares back, and no more."""
    table = Table("ana", "bob", decks=True)
    table.own("ana", "pink_hoodie_studio", "mp7_studio", "pct_studio")
    table.own("ana", STREET)
    table.place("ana", 4)
    table.place("bob", 11)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "resolve_square", draws=["chance_09", "chance_01", "chance_04"])
    table.play("ana", "answer", question=table.state.questions[0].id, answer="chance_09:bob")
    assert table.state.positions["bob"] == 8
    assert table.holds("bob") == 1650
    assert sorted(table.state.holdings.account("discard:chance")) == [
        "card:chance_01", "card:chance_04", "card:chance_09",
    ]  # fmt: skip


@pytest.mark.rule("I.B.3", "VI.C.1")
def test_several_effects_happen_in_their_order() -> None:
    """Pay the bank 10 ₦, then Hôpital, then 2 doses."""
    table = own_chance(
        {"op": "pay", "from": "drawer", "to": "bank", "amount": 10},
        {"op": "hospital", "target": "drawer"},
        {"op": "gain", "item": "dose", "qty": 2},
    )
    events = draw(table, "own")
    assert [type(event).__name__ for event in events] == ["CardDrawn", "CardPaid", "TokenSent", "CardGave"]
    assert (table.holds("ana"), table.state.positions["ana"], table.holds("ana", "dose")) == (1640, 20, 2)
