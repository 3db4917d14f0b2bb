"""VI.A.7–8: the weather. A Météo card for each passage by Spawn, six at most, and their effects."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.refusals import NeedsDraw
from ledger.rulebooks.negopoly.cards import weather
from ledger.rulebooks.negopoly.squares.spawn import SalaryPaid
from ledger.rulebooks.negopoly.table.pieces import CARDS
from tests.tables.negopoly import NO_DECKS, Table

STREET = "69_rue_des_patates"  # square 8, rent 6, with one house 30
METEO = [card.id for card in CARDS if card.deck == "meteo"]


def fine_weather(*cards: str, **options: Any) -> Table:
    """Ana and Bob, with these Météo cards active."""
    table = Table("ana", "bob", decks=True, **options)
    table.weather(*cards)
    return table


def amount(what: weather.Standing, base: int, *cards: str, collects: str = "bank") -> int:
    """The amount after the weather."""
    table = Table("ana", "bob")
    table.weather(*cards)
    return weather.modified(table.state, what, base, collects=collects)  # type: ignore[arg-type]


# The passage ----------------------------------------------------------------------------------------


@pytest.mark.rule("VI.A.3", "VI.A.7")
def test_each_passage_by_spawn_draws_a_card_that_holds_for_everybody() -> None:
    """Ana passes by Spawn and draws Orage, Bob draws Verglas behind her: both are active for both."""
    table = Table("ana", "bob", decks=True)
    table.place("ana", 39)
    table.place("bob", 39)
    events = table.play("ana", "roll_dice", dice=[1, 3], draws=["meteo_07"])
    assert [event.rule for event in events][-2:] == ["VI.A.7", "III.1"]
    table.play("ana", "buy_property")
    table.play("ana", "resolve_square")
    table.play("ana", "end_turn")
    table.play("bob", "roll_dice", dice=[1, 2], draws=["meteo_10"])
    assert table.state.weather == ("meteo_07", "meteo_10")
    assert table.holds("weather", "card:meteo_07") == table.holds("weather", "card:meteo_10") == 1
    assert table.holds("deck:meteo", "card:meteo_07") == 0


@pytest.mark.rule("VI.A.7", "VI.A.1", "VII.A.2")
def test_the_new_card_counts_for_purchases_of_the_passage_but_not_for_its_pay() -> None:
    """Prime d'intempéries is drawn after the pay of 250 ₦; with Sécheresse a first dose costs 70 ₦ at once."""
    table = Table("ana", "bob", decks=True)
    table.place("ana", 39)
    events = table.play("ana", "roll_dice", dice=[1, 3], draws=["meteo_09"])
    (paid,) = [event for event in events if isinstance(event, SalaryPaid)]
    assert paid.net == 250
    table.play("ana", "resolve_square")
    table.play("ana", "end_turn")
    table.place("bob", 39)
    table.play("bob", "roll_dice", dice=[1, 3], draws=["meteo_11"])
    assert table.holds("bob") == 1650 + 300
    table.play("bob", "buy_doses")
    assert table.holds("bob") == 1650 + 300 - 70


@pytest.mark.rule("VI.A.8", "VI.A.7")
def test_a_seventh_card_discards_the_one_active_for_longest() -> None:
    """Six are active; the seventh pushes the first one out before it applies itself."""
    table = fine_weather(*METEO[:6])
    table.place("ana", 39)
    events = table.play("ana", "roll_dice", dice=[1, 3], draws=["meteo_12"])
    assert [type(event).__name__ for event in events if "Weather" in type(event).__name__] == [
        "WeatherDiscarded",
        "WeatherDrawn",
    ]
    assert table.state.weather == (*METEO[1:6], "meteo_12")
    assert table.holds("discard:meteo", "card:meteo_01") == 1


@pytest.mark.rule("VI.A.8")
def test_an_empty_deck_is_rebuilt_from_its_discards() -> None:
    """All twelve cards are out, six of them discarded: the six become the deck again."""
    table = fine_weather(*METEO[6:])
    with table.arranged() as state:
        for card in METEO[:6]:
            state.holdings.post(Posting(f"card:{card}", 1, "deck:meteo", "discard:meteo"))
    table.place("ana", 39)
    events = table.play("ana", "roll_dice", dice=[1, 3], draws=["meteo_03"])
    assert "VI.A.8" in [event.rule for event in events]
    assert table.holds("discard:meteo", "card:meteo_07") == 1
    left = sorted(table.state.holdings.account("deck:meteo"))
    assert left == ["card:meteo_01", "card:meteo_02", "card:meteo_04", "card:meteo_05", "card:meteo_06"]


@pytest.mark.rule("VI.A.7", "VI.A.3")
def test_going_back_over_spawn_or_being_sent_there_draws_nothing() -> None:
    """The way back of a drug die of 2 crosses Spawn backwards: no passage, so no weather."""
    table = Table("ana", "bob", decks=True, perks={"ana": "doses"})
    table.place("ana", 37)
    table.play("ana", "consume_dose", dice=[2])
    table.play("ana", "roll_dice", dice=[2, 2], draws=["meteo_06"])
    assert table.state.weather == ("meteo_06",)


@pytest.mark.rule("VI.A.7")
def test_where_the_table_draws_the_card_is_told_with_the_move() -> None:
    """Nobody said which card came: the roll is not accepted; nor is a card that nothing asked for."""
    table = Table("ana", "bob", decks=True)
    table.place("ana", 39)
    needed = table.malformed("ana", "roll_dice", dice=[1, 3])
    assert isinstance(needed, NeedsDraw)
    assert "a Météo card" in needed.en
    assert "chance_01" in table.malformed("ana", "roll_dice", dice=[1, 3], draws=["chance_01"]).en
    assert "meteo_04" in table.malformed("ana", "roll_dice", dice=[1, 3], draws=["meteo_03", "meteo_04"]).en
    table.play("ana", "roll_dice", dice=[1, 3], draws=["meteo_03"])


@pytest.mark.rule("VI.A.7")
def test_the_service_draws_where_it_throws() -> None:
    """The service throws in this game: the weather is drawn with the roll, and a player brings no card."""
    table = Table("ana", "bob", decks=True, dice="service")
    table.place("ana", 39)
    table.malformed("ana", "roll_dice", draws=["meteo_03"])
    table.play("ana", "roll_dice")
    assert len(table.state.weather) == 1
    assert table.last is not None
    assert table.last.draws["meteo card"] == list(table.state.weather)


# Amounts --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "collects", "expected"),
    [
        ((), "player", 30),
        (("meteo_04",), "player", 24),
        (("meteo_05",), "player", 37),  # 37.5
        (("meteo_05",), "bank", 38),
        (("meteo_04", "meteo_05"), "player", 30),  # 0.80 × 1.25, rounded once
    ],
)
def test_percents_are_multiplied_and_rounded_once(cards: tuple[str, ...], collects: str, expected: int) -> None:
    """Down when a player collects, up when the bank does."""
    assert amount("rent", 30, *cards, collects=collects) == expected


def test_what_is_set_replaces_and_what_is_added_comes_after_the_percents() -> None:
    assert amount("meeting_rate", 20, "meteo_07") == 40
    assert amount("dose_price", 50, "meteo_11") == 70
    assert amount("roll_total", 7, "meteo_01", "meteo_02") == 7
    assert amount("roll_total", 0, "meteo_01") == 0


# Each card ------------------------------------------------------------------------------------------


@pytest.mark.rule("V.A.7")
@pytest.mark.parametrize(
    ("card", "houses", "rent"),
    [("meteo_04", 0, 4), ("meteo_05", 0, 7), ("meteo_04", 5, 440), ("meteo_05", 5, 687)],
)
def test_rain_and_tourists_change_rents(card: str, houses: int, rent: int) -> None:
    """Pluie battante: 20 % less of 6 ₦, rounded down to 4; Saison touristique: 25 % more, rounded down to 7.

    With five houses 550 ₦ become 440, or 687.5 and so 687.
    """
    table = fine_weather(card)
    table.own("bob", STREET, houses=houses)
    table.place("ana", 5)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "resolve_square")
    assert table.holds("ana") == 1650 - rent


@pytest.mark.rule("II.B.5", "III.1")
@pytest.mark.parametrize(
    ("cards", "square"), [(["meteo_01"], 13), (["meteo_02"], 15), (["meteo_01", "meteo_02"], 14)]
)
def test_heat_and_wind_change_dice_totals(cards: list[str], square: int) -> None:
    """From square 5 a roll of 9 ends on 13 in the heat, on 15 with the wind, on 14 with both."""
    table = fine_weather(*cards)
    table.place("ana", 5)
    table.play("ana", "roll_dice", dice=[4, 5])
    assert table.state.positions["ana"] == square


@pytest.mark.rule("II.B.5", "III.B.4", "III.B.5")
def test_the_drug_die_works_on_the_dice_as_they_fell() -> None:
    """In the heat, on a 3: 8 - 1 forward and 8 back, one behind the start; on a 6: 8 - 1 + 6 forward."""
    table = fine_weather("meteo_01", perks={"ana": "doses", "bob": "doses"})
    table.place("ana", 20)
    table.place("bob", 18)
    table.play("ana", "consume_dose", dice=[3])
    table.play("ana", "roll_dice", dice=[4, 4])
    assert table.state.positions["ana"] == 19
    table.play("ana", "resolve_square")
    table.play("ana", "end_turn")
    table.play("bob", "consume_dose", dice=[6])
    table.play("bob", "roll_dice", dice=[4, 4])
    assert table.state.positions["bob"] == 18 + 7 + 6


@pytest.mark.rule("VI.F.1", "VI.F.2")
def test_in_the_fog_checkpoints_check_nobody() -> None:
    """Ana carries doses: neither a stop on a checkpoint nor crossing one under K9 gets her checked."""
    table = fine_weather("meteo_03", perks={"ana": "doses"})
    with table.arranged() as state:
        state.k9_rounds.add(1)
    table.place("ana", 10)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "resolve_square")
    table.play("ana", "end_turn")
    table.place("bob", 3)
    table.give("bob", "dose")
    table.play("bob", "roll_dice", dice=[1, 1])
    assert (table.holds("ana", "dose"), table.holds("bob", "dose")) == (3, 1)
    clear = Table("ana", "bob", perks={"ana": "doses"})
    clear.place("ana", 10)
    clear.play("ana", "roll_dice", dice=[1, 1])
    clear.play("ana", "resolve_square")
    assert clear.holds("ana", "dose") == 0


@pytest.mark.rule("V.E.15")
def test_in_the_fog_orange_titles_still_check() -> None:
    """Bob holds Orange: Ana, who stops there with doses, is checked and goes to Prison."""
    table = fine_weather("meteo_03", perks={"ana": "doses"})
    table.own("bob", "rue_vendredi_des_noirs", "domaine_de_m_p", "villa_du_rj")
    table.place("ana", 28)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "resolve_square")
    assert table.state.positions["ana"] == 10
    assert table.holds("ana", "dose") == 0


@pytest.mark.rule("VIII.D.3", "VIII.D.5")
def test_snow_makes_ordinary_deliveries_take_a_round_more() -> None:
    """Sent in round 1 under Neige, doses arrive at the start of Ana's turn of round 3; express ones at once."""
    table = fine_weather("meteo_06", perks={"ana": "doses"})
    table.play("ana", "send_delivery", to="bob", commodity="dose", amount=2)
    table.play("ana", "send_delivery", to="bob", commodity="dose", amount=1, express=True)
    assert table.holds("bob", "dose") == 1
    table.turn("ana", 1, 2)
    table.turn("bob", 1, 2)
    assert table.state.round == 2
    assert table.holds("bob", "dose") == 1
    table.turn("ana", 2, 3)
    table.turn("bob", 2, 3)
    assert table.holds("bob", "dose") == 3


@pytest.mark.rule("VIII.D.3")
def test_goods_sent_before_the_snow_are_not_held_up() -> None:
    """Sent in fair weather in round 1, they arrive in round 2 although it snows by then."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    table.play("ana", "send_delivery", to="bob", commodity="dose", amount=2)
    table.turn("ana", 1, 2)
    table.weather("meteo_06")
    table.turn("bob", 1, 2)
    assert table.holds("bob", "dose") == 2


@pytest.mark.rule("VI.A.7")
def test_in_a_flood_no_house_is_built() -> None:
    """The refusal names the card that forbids it, and no other one."""
    table = fine_weather("meteo_01", "meteo_08")
    table.own("ana", STREET)
    refusal = table.refused("ana", "build_house", "VI.A.7", title=STREET)
    assert refusal.en == "no house is built in this weather: Flood"
    assert refusal.fr == "aucune maison ne se construit par cette météo : Inondation"
    assert table.holds("ana") == 1650


@pytest.mark.rule("VII.B.3", "VII.B.4", "VII.B.5")
@pytest.mark.parametrize(
    ("corner", "square", "paid"), [("prison", 10, 120), ("hopital", 20, 180), ("comico", 30, 300)]
)
def test_in_grand_beau_the_corners_pay_a_fifth_more(corner: str, square: int, paid: int) -> None:
    """100, 150 and 250 ₦ become 120, 180 and 300 ₦."""
    table = fine_weather("meteo_12", perks={"ana": "doses"})
    table.place("ana", square - 3)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "sell_doses", corner=corner, dice=[1])
    assert table.holds("ana") == 1500 + paid


@pytest.mark.rule("VI.A.1", "VI.A.2", "VI.A.7")
def test_in_bad_weather_the_pay_is_50_higher_and_the_fee_the_same() -> None:
    """300 ₦ less 10 ₦ for the one title."""
    table = fine_weather("meteo_09")
    table.own("ana", STREET)
    table.place("ana", 39)
    table.play("ana", "roll_dice", dice=[1, 3], draws=["meteo_01"])
    assert table.holds("ana") == 1650 + 300 - 10


@pytest.mark.rule("VI.A.7", "P.1")
def test_a_weather_that_no_modifier_says_is_the_bankers_to_read() -> None:
    """A table's own Météo card of a passage by Spawn waits for the banker, who has Ana pay 30 ₦; it stays."""
    own = {"id": "fallout", "title": "Retombées", "effects": [
        {"op": "banker"}, {"op": "modifier", "what": "spawn_pay", "add": 50},
    ]}  # fmt: skip
    table = Table("ana", "bob", settings={"decks": {**NO_DECKS, "meteo": [own]}})
    table.place("ana", 39)
    table.play("ana", "roll_dice", dice=[1, 3], draws=["fallout"])
    (waiting,) = table.state.unread
    assert (waiting.seat, waiting.card, table.state.positions["ana"]) == ("ana", "fallout", 3)
    fine = {"from": "player:ana", "to": "bank", "commodity": "NGD", "amount": 30}
    remedy = {"op": "adjust", "postings": [fine], "reason": "a gas mask"}
    table.banker("resolve_card", card=waiting.id, reason="a gas mask", remedies=[remedy])
    assert (table.holds("ana"), table.state.unread) == (1650 + 250 - 30, ())
    assert weather.modified(table.state, "spawn_pay", 250) == 300


@pytest.mark.rule("P.1")
def test_a_ruling_may_take_a_card_out_of_the_weather() -> None:
    """The banker moves Canicule to the discards: the next roll counts for what it shows."""
    table = fine_weather("meteo_01")
    transfer = {"from": "weather", "to": "discard:meteo", "commodity": "card:meteo_01", "amount": 1}
    table.banker(
        "rule", finding="drawn by mistake", rules=["VI.A.7"],
        remedies=[{"op": "adjust", "postings": [transfer], "reason": "drawn by mistake"}],
    )  # fmt: skip
    table.place("ana", 5)
    table.play("ana", "roll_dice", dice=[4, 5])
    assert table.state.positions["ana"] == 14


def test_everybody_sees_the_weather() -> None:
    """The view lists the active cards with their texts, oldest first, and how the decks stand."""
    from ledger.kernel.facts.audience import SPECTATOR
    from ledger.rulebooks.negopoly import RULEBOOK

    table = fine_weather("meteo_10", "meteo_01")
    view = RULEBOOK.screen.view(table.state, SPECTATOR)
    assert [one["card"] for one in view["weather"]] == ["meteo_10", "meteo_01"]
    assert view["weather"][0]["title"] == {"en": "Black ice", "fr": "Verglas"}
    assert view["decks"]["meteo"] == {"left": 10, "discarded": []}
