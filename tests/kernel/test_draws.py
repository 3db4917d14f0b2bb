from random import Random

import pytest

from ledger.kernel.facts.refusals import Malformed, NeedsDraw
from ledger.kernel.rules.draws import Draws
from tests.kernel.toy import Game, Throw

CARDS = ("ace", "king", "queen")


def test_dice_given_are_taken_and_kept() -> None:
    draws = Draws()
    assert draws.dice("dice", (3, 4), count=2, sides=6) == (3, 4)
    assert draws.drawn == {"dice": [3, 4]}


def test_dice_recorded_are_taken_in_their_order() -> None:
    draws = Draws({"dice": [1, 2, 3]})
    assert draws.dice("dice", None, count=2, sides=6) == (1, 2)
    assert draws.dice("dice", None, count=1, sides=6) == (3,)
    assert draws.drawn == {"dice": [1, 2, 3]}


def test_dice_are_thrown_by_chance_when_nobody_gives_them() -> None:
    thrown = Draws(chance=Random(7)).dice("dice", None, count=50, sides=4)
    assert set(thrown) == {1, 2, 3, 4}
    assert thrown == Draws(chance=Random(7)).dice("dice", None, count=50, sides=4)


def test_without_any_source_the_draw_is_asked_for() -> None:
    with pytest.raises(NeedsDraw, match=r"needs dice \(2\)"):
        Draws().dice("dice", None, count=2, sides=6)
    with pytest.raises(NeedsDraw, match=r"needs deck \(3\)"):
        Draws().shuffled("deck", None, CARDS)


def test_a_draw_that_is_asked_for_tells_how_many_values_came() -> None:
    """Two of four dice and a card came; the next two dice, and then two cards, are missing."""
    draws = Draws()
    draws.offer((3, 4, "toll"))
    assert draws.dice("dice", None, count=2, sides=6) == (3, 4)
    with pytest.raises(NeedsDraw, match=r"needs dice \(2\) beside the values given \(2\)") as missed:
        draws.dice("dice", None, count=2, sides=6)
    assert "en plus des valeurs indiquées (2)" in missed.value.fr
    assert draws.cards("card", ("toll", "pass")) == ("toll",)
    with pytest.raises(NeedsDraw, match=r"needs card \(2\) beside the values given \(3\)"):
        draws.cards("card", ("pass", "fine"), 2)


def test_too_few_values_are_told_beside_those_that_were_taken_before() -> None:
    draws = Draws()
    draws.offer((3, 4, 5))
    draws.dice("dice", None, count=2, sides=6)
    with pytest.raises(Malformed, match=r"takes 2 values from 1 to 6 after the first 2 given, not \[?5\]?"):
        draws.dice("dice", None, count=2, sides=6)


def test_nothing_to_draw_needs_no_source() -> None:
    assert Draws().dice("dice", None, count=0, sides=6) == ()
    assert Draws().shuffled("deck", None, ()) == ()


@pytest.mark.parametrize("given", [(1,), (1, 2, 3), (0, 1), (7, 1), (-1, 1)])
def test_dice_given_must_be_so_many_faces(given: tuple[int, ...]) -> None:
    with pytest.raises(Malformed, match="dice takes 2 values from 1 to 6"):
        Draws().dice("dice", given, count=2, sides=6)


def test_a_given_throw_uses_up_its_place_in_the_record() -> None:
    """A die from the table, then one by chance, under one name: deciding again gives the same two."""
    first = Draws(chance=Random(1))
    given = first.dice("die", (6,), count=1, sides=6)
    thrown = first.dice("die", None, count=1, sides=6)
    again = Draws(first.drawn)
    assert again.dice("die", (6,), count=1, sides=6) == given
    assert again.dice("die", None, count=1, sides=6) == thrown
    assert again.drawn == first.drawn


def test_a_record_that_no_longer_fits_is_thrown_anew_or_asked_for() -> None:
    assert Draws({"die": [6]}, Random(1)).dice("die", None, count=1, sides=2) in {(1,), (2,)}
    with pytest.raises(NeedsDraw):
        Draws({"die": [6]}).dice("die", None, count=1, sides=2)
    with pytest.raises(NeedsDraw):
        Draws({"die": [6]}).dice("die", None, count=2, sides=6)
    with pytest.raises(NeedsDraw):
        Draws({"deck": ["ace", "jack"]}).shuffled("deck", None, ("ace", "king"))


def test_a_shuffle_is_given_recorded_or_made() -> None:
    given = Draws()
    assert given.shuffled("deck", ("king", "queen", "ace"), CARDS) == ("king", "queen", "ace")
    assert Draws(given.drawn).shuffled("deck", None, CARDS) == ("king", "queen", "ace")
    made = Draws(chance=Random(3))
    order = made.shuffled("deck", None, CARDS)
    assert sorted(order) == sorted(CARDS)
    assert made.drawn == {"deck": list(order)}


@pytest.mark.parametrize("order", [("ace", "king"), ("ace", "ace", "king"), ("ace", "king", "jack")])
def test_a_given_order_names_each_card_once(order: tuple[str, ...]) -> None:
    with pytest.raises(Malformed, match="deck takes each of"):
        Draws().shuffled("deck", order, CARDS)


def test_draws_of_different_names_do_not_mix() -> None:
    draws = Draws({"die": [1], "other die": [2]})
    assert draws.dice("other die", None, count=1, sides=6) == (2,)
    assert draws.dice("die", None, count=1, sides=6) == (1,)


def test_where_the_service_throws_a_player_brings_no_throw_of_their_own() -> None:
    game = Game(dice="service", chance=Random(1))
    with pytest.raises(Malformed, match="the service draws in this game"):
        game.decide("ana", Throw(face=6))
    assert game.decide("ana", Throw(face=5), by="banker").draws == {"die": [5]}


def test_what_was_thrown_is_stored_with_the_action_and_decides_it_again() -> None:
    game = Game(dice="service", chance=Random(4))
    first = game.decide("ana", Throw())
    game.chance = None
    again = game.decide("ana", Throw(), draws=dict(first.draws))
    assert again.events == first.events
    assert again.draws == first.draws


def test_cards_are_drawn_by_chance_without_a_repetition() -> None:
    drawn = Draws(chance=Random(3)).cards("card", CARDS, 3)
    assert sorted(drawn) == sorted(CARDS)
    assert drawn == Draws(chance=Random(3)).cards("card", CARDS[::-1], 3)


def test_cards_recorded_are_drawn_again_while_they_are_in_the_deck() -> None:
    """When another action has drawn the card meanwhile, another card must be named."""
    draws = Draws({"card": ["king"]})
    assert draws.cards("card", CARDS) == ("king",)
    assert draws.drawn == {"card": ["king"]}
    with pytest.raises(NeedsDraw, match=r"needs card \(1\)"):
        Draws({"card": ["king"]}).cards("card", ("ace", "queen"))


def test_a_correction_takes_the_only_cards_possible() -> None:
    """Cards put back lie on top, in their order; a last card is the next. Not of a secret deck."""
    back = {"card": ["queen", "ace"], "verse": ["joker"]}
    assert Draws(put_back=back).cards("card", CARDS) == ("queen",)
    assert Draws({"card": ["king"]}, put_back=back).cards("card", CARDS) == ("king",)
    assert Draws(put_back={}).cards("card", ("king",)) == ("king",)
    for draws, deck, secret in (
        (Draws(), ("king",), False),
        (Draws(put_back={}), CARDS, False),
        (Draws(put_back=back), ("king", "jack"), False),
        (Draws(put_back=back), CARDS, True),
    ):
        with pytest.raises(NeedsDraw):
            draws.cards("card", deck, secret=secret)


def test_cards_given_earlier_are_asked_for_where_they_no_longer_fit() -> None:
    again = Draws({"card": ["joker"]}, gives_again=True)
    again.offer(["joker"])
    with pytest.raises(NeedsDraw):
        again.cards("card", CARDS)
    fits = Draws(gives_again=True)
    fits.offer(["king"])
    assert fits.cards("card", CARDS) == ("king",)


def test_what_came_with_the_action_is_taken_by_whatever_asks_first() -> None:
    """Cards and dice in one list: each draw takes the next of its kind."""
    draws = Draws()
    draws.offer(["queen", 5, "ace", 2])
    assert draws.dice("die", None, count=1, sides=6) == (5,)
    assert draws.cards("card", CARDS, 2) == ("queen", "ace")
    assert draws.unused == (2,)
    assert draws.drawn == {"die": [5], "card": ["queen", "ace"]}


@pytest.mark.parametrize("offered", [["joker"], ["ace", "ace"], ["ace"]])
def test_cards_offered_must_be_so_many_of_the_deck(offered: list[str]) -> None:
    draws = Draws()
    draws.offer(offered)
    with pytest.raises(Malformed, match="card takes 2 of the cards left to draw"):
        draws.cards("card", CARDS, 2)


def test_a_card_that_may_be_in_the_deck_is_drawn_when_it_is_offered_and_only_then() -> None:
    """Whoever offers it cannot know better; chance and the record draw from the deck alone."""
    offered = Draws()
    offered.offer(["joker"])
    assert offered.cards("card", CARDS, hidden=("joker",)) == ("joker",)
    assert Draws(chance=Random(1)).cards("card", ("ace",), hidden=("joker",)) == ("ace",)
    with pytest.raises(NeedsDraw):
        Draws({"card": ["joker"]}).cards("card", CARDS, hidden=("joker",))


def test_where_the_service_draws_nobody_else_does() -> None:
    """Values are refused at once, before anything is drawn."""
    draws = Draws(chance=Random(1), may_give=False)
    with pytest.raises(Malformed, match="the service draws"):
        draws.offer(["ace"])
    with pytest.raises(Malformed, match="the service draws"):
        draws.dice("roll", [1], count=1, sides=6)
    with pytest.raises(Malformed, match="the service draws"):
        draws.shuffled("deck", CARDS, CARDS)
    assert draws.drawn == {}
