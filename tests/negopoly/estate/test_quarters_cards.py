"""V.E.7, V.E.9, V.E.10 and VI.B.4: Rose and the Kamtar, Rouge and the Chance cards."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import kind_of
from ledger.rulebooks.negopoly import RULEBOOK
from tests.tables.negopoly import (
    CHANCE,
    HOPITAL,
    KAMTAR,
    PRISON,
    ROSE,
    ROUGE,
    Table,
    answer,
    asked,
    kinds,
    question_to,
)

# Rose -----------------------------------------------------------------------------------------------


def at_the_kamtar(seat: str, *, mortgaged: bool = False) -> Table:
    """Ana owns the Rose titles, one of them mortgaged perhaps; this seat has just stopped on the Kamtar."""
    table = Table("ana", "bob", decks=True)
    table.own("ana", *ROSE[:2])
    table.own("ana", ROSE[2], mortgaged=mortgaged)
    if seat == "bob":
        table.place("ana", 3)
        table.turn("ana", 1, 1)
    table.place(seat, KAMTAR - 2)
    table.play(seat, "roll_dice", dice=[1, 1])
    return table


@pytest.mark.rule("V.E.7", "VI.B.4")
def test_half_of_what_is_paid_at_the_kamtar_goes_to_the_holder_of_rose() -> None:
    """Bob pays 70 ₦ for a card: 35 ₦ for Ana, 35 ₦ for the bank, and everybody sees it."""
    table = at_the_kamtar("bob")
    bank = table.holds("bank")
    events = table.play("bob", "buy_kamtar_card", draws=["kamtar_03"])
    (shared,) = [event for event in events if kind_of(event) == "kamtar_revenue_shared"]
    assert (shared.rule, shared.seat, shared.paid, shared.amount) == ("V.E.7", "ana", 70, 35)
    assert (table.holds("bob"), table.holds("ana"), table.holds("bank")) == (1580, 1685, bank + 35)
    assert "kamtar_revenue_shared" in kinds(table.seen_by(None))


@pytest.mark.rule("V.E.7")
def test_a_card_costs_the_holder_of_rose_35() -> None:
    """Ana pays 70 ₦ and gets 35 ₦ back; she needs the 70 ₦ for that."""
    table = at_the_kamtar("ana")
    table.take("ana", "NGD", 1650 - 69)
    table.refused("ana", "buy_kamtar_card", "VI.B.1", draws=["kamtar_03"])
    table.give("ana", "NGD", 1)
    table.play("ana", "buy_kamtar_card", draws=["kamtar_03"])
    assert (table.holds("ana"), table.holds("ana", "card:kamtar_03")) == (35, 1)


@pytest.mark.rule("V.E.7", "VI.B.1")
def test_a_card_bought_in_passing_is_shared_too() -> None:
    """Bob passes over the Kamtar and buys when asked: 35 ₦ for Ana."""
    table = Table("ana", "bob", decks=True)
    table.own("ana", *ROSE)
    table.place("ana", 3)
    table.turn("ana", 1, 1)
    table.place("bob", KAMTAR - 1)
    table.play("bob", "roll_dice", dice=[2, 2])
    table.play("bob", "answer", question=question_to(table, "bob").id, answer="buy", draws=["kamtar_03"])
    assert (table.holds("bob"), table.holds("ana")) == (1580, 1685)


@pytest.mark.rule("VI.B.4")
def test_without_the_whole_of_rose_the_bank_keeps_all() -> None:
    """Bassland is mortgaged: Bob's 70 ₦ are the bank's."""
    table = at_the_kamtar("bob", mortgaged=True)
    bank = table.holds("bank")
    table.play("bob", "buy_kamtar_card", draws=["kamtar_03"])
    assert (table.holds("ana"), table.holds("bank")) == (1650, bank + 70)


# Rouge ----------------------------------------------------------------------------------------------


def on_chance(*draws: str, seats: tuple[str, ...] = ("ana", "bob", "cleo")) -> Table:
    """Ana, who holds Rouge, has stopped on Chance and drawn these cards."""
    table = Table(*seats, decks=True)
    table.own("ana", *ROUGE)
    table.place("ana", CHANCE - 2)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "resolve_square", draws=list(draws))
    return table


@pytest.mark.rule("V.E.9")
def test_the_holder_of_rouge_draws_three_and_applies_one() -> None:
    """Ana draws a fee of 80 ₦, a gift of 100 ₦ and an arrest: she takes the gift, the others are discarded."""
    table = on_chance("chance_04", "chance_01", "chance_12")
    assert asked(table) == ["ana"]
    table.refused("ana", "end_turn", "V.E.9")
    events = answer(table, "ana", "chance_01")
    assert {event.rule for event in events if kind_of(event) in {"card_chosen", "cards_rejected"}} == {"V.E.9"}
    assert table.holds("ana") == 1750
    assert sorted(table.state.holdings.account("discard:chance")) == [
        "card:chance_01",
        "card:chance_04",
        "card:chance_12",
    ]
    table.play("ana", "end_turn")


@pytest.mark.rule("V.E.10")
def test_the_holder_of_rouge_may_have_another_player_undergo_the_card() -> None:
    """Ana chooses the arrest for Bob, who is not asked: he is in Prison, she stays where she is."""
    table = on_chance("chance_04", "chance_01", "chance_12")
    events = answer(table, "ana", "chance_12:bob")
    chosen = next(event for event in events if kind_of(event) == "card_chosen")
    assert (chosen.rule, chosen.seat, chosen.to) == ("V.E.10", "ana", "bob")
    assert (table.state.positions["bob"], table.state.positions["ana"]) == (PRISON, CHANCE)
    table.play("ana", "end_turn")


@pytest.mark.rule("V.E.10")
def test_a_card_to_keep_goes_straight_to_the_hand_of_whom_it_is_given_to() -> None:
    """Ana gives Cleo the amnesty: it is in her hand at once, without a delivery, and Bob does not learn which."""
    table = on_chance("chance_04", "chance_06", "chance_12")
    answer(table, "ana", "chance_06:cleo")
    assert (table.holds("cleo", "card:chance_06"), table.state.open) == (1, {})
    for seat, known in (("cleo", "chance_06"), ("ana", "chance_06"), ("bob", None)):
        (chosen,) = [event for event in table.seen_by(seat) if kind_of(event) == "card_chosen"]
        assert (chosen.card, chosen.to) == (known, "cleo")


@pytest.mark.rule("V.E.9")
def test_a_card_to_keep_may_be_kept() -> None:
    """Ana keeps the amnesty herself."""
    table = on_chance("chance_04", "chance_06", "chance_12")
    answer(table, "ana", "chance_06")
    assert table.holds("ana", "card:chance_06") == 1


@pytest.mark.rule("V.E.9")
def test_only_she_sees_the_three_cards_before_she_chooses() -> None:
    """Bob sees that three were drawn and that Ana is to choose; her answers are hers alone."""
    table = on_chance("chance_04", "chance_01", "chance_12")
    (shown,) = [event for event in table.seen_by("bob") if kind_of(event) == "cards_shown"]
    assert (shown.count, shown.cards) == (3, ())
    assert table.offers("bob", "answer") == []
    question = question_to(table, "ana").id
    said = [move["answer"] for move in table.offers("ana", "answer")]
    cards = ["chance_01", "chance_04", "chance_12"]
    assert said == cards + [f"{card}:{other}" for card in cards for other in ("bob", "cleo")]
    table.refused("bob", "answer", "II.D.2", question=question, answer="chance_01")
    table.refused("ana", "answer", "V.E.9", question=question, answer="chance_02")
    table.refused("ana", "answer", "V.E.9", question=question, answer="chance_01:dan")


@pytest.mark.rule("V.E.9", "II.B.13")
def test_whoever_does_not_choose_in_time_undergoes_the_first_card() -> None:
    """Time is over: the first of the three by its id, a fee of 80 ₦, is applied to Ana."""
    table = on_chance("chance_12", "chance_04", "chance_11")
    table.wait(301)
    table.banker("expire_turn")
    assert table.holds("ana") == 1570
    assert table.state.turn is not None
    assert table.state.turn.seat == "bob"


@pytest.mark.rule("V.E.9", "VI.B.3")
def test_with_fewer_than_three_left_the_discards_are_shuffled_in() -> None:
    """Two cards are left in the deck and fourteen discarded: Ana draws two of the old ones besides."""
    table = Table("ana", "bob", decks=True)
    table.own("ana", *ROUGE)
    with table.arranged() as state:
        for card in sorted(state.holdings.account("deck:chance"))[2:]:
            state.holdings.post(Posting(card, 1, "deck:chance", "discard:chance"))
    table.place("ana", CHANCE - 2)
    table.play("ana", "roll_dice", dice=[1, 1])
    events = table.play("ana", "resolve_square", draws=["chance_01", "chance_15", "chance_16"])
    assert kinds(events)[:2] == ["deck_rebuilt", "cards_shown"]


@pytest.mark.rule("V.E.2")
def test_with_a_studio_mortgaged_one_card_is_drawn() -> None:
    """PCT Studio is mortgaged: Ana draws the fee and pays it, without a choice. So does Bob, who has no Rouge."""
    table = Table("ana", "bob", decks=True)
    table.own("ana", *ROUGE[:2])
    table.own("ana", ROUGE[2], mortgaged=True)
    for seat, card, balance in (("ana", "chance_04", 1570), ("bob", "chance_01", 1750)):
        table.place(seat, CHANCE - 2)
        table.play(seat, "roll_dice", dice=[1, 1])
        table.play(seat, "resolve_square", draws=[card])
        assert (table.holds(seat), asked(table)) == (balance, [])
        table.play(seat, "end_turn")


@pytest.mark.rule("V.E.9", "III.C.2")
def test_a_card_that_moves_its_drawer_on_takes_effect_after_the_choice() -> None:
    """Ana chooses to go to the Hôpital: the square was resolved when she drew, and her movement is over."""
    table = on_chance("chance_11", "chance_01", "chance_12")
    answer(table, "ana", "chance_11")
    assert table.state.positions["ana"] == HOPITAL
    table.play("ana", "end_turn")


@pytest.mark.rule("V.E.10", "V.E.13")
def test_a_card_given_to_the_holder_of_orange_arrests_nobody() -> None:
    """Ana wants Bob, who holds Orange, arrested by a card: the police leave him alone."""
    table = Table("ana", "bob", decks=True)
    table.own("ana", *ROUGE)
    table.own("bob", "rue_vendredi_des_noirs", "domaine_de_m_p", "villa_du_rj")
    table.place("ana", CHANCE - 2)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "resolve_square", draws=["chance_04", "chance_01", "chance_12"])
    events = answer(table, "ana", "chance_12:bob")
    assert "arrest_withheld" in kinds(events)
    assert table.state.positions["bob"] == 0


@pytest.mark.rule("I.B.5")
def test_the_cards_of_a_player_who_is_out_before_choosing_are_discarded() -> None:
    """The banker takes Ana out while she hesitates: none of the three applies to anybody."""
    table = on_chance("chance_04", "chance_06", "chance_12")
    table.banker("rule", finding="cheating", remedies=[{"op": "eliminate", "seat": "ana"}])
    assert sorted(table.state.holdings.account("discard:chance")) == [
        "card:chance_04",
        "card:chance_06",
        "card:chance_12",
    ]
    assert (table.holds("bob"), table.holds("cleo"), table.state.questions) == (1650, 1650, [])


@pytest.mark.rule("IX.C.24")
def test_under_an_emp_nobody_draws() -> None:
    """While the bomb is active Chance is a square like any other, with Rouge or without."""
    table = Table("ana", "bob", decks=True)
    table.own("ana", *ROUGE)
    with table.arranged() as state:
        state.blackouts.add("bob")
    table.place("ana", CHANCE - 2)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "end_turn")
    assert table.state.holdings.account("discard:chance") == {}


def test_the_view_shows_the_choice_to_whoever_makes_it() -> None:
    """Ana sees the answers open to her in her view of the table, Bob that she is asked."""
    table = on_chance("chance_04", "chance_01", "chance_12")
    (mine,) = RULEBOOK.screen.view(table.state, Viewer("player", "ana"))["questions"]
    (theirs,) = RULEBOOK.screen.view(table.state, Viewer("player", "bob"))["questions"]
    assert mine["answers"][:3] == ["chance_01", "chance_04", "chance_12"]
    assert (theirs["kind"], theirs["seat"], "answers" in theirs) == ("chance_choice", "ana", False)
