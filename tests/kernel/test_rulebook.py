"""Rulebooks: their composition, openings of games, and sentences of events."""

from typing import Any

import msgspec
import pytest

from ledger.kernel.facts.accounts import BOX, Posting
from ledger.kernel.facts.events import Event, snake_case
from ledger.kernel.facts.refusals import Malformed, UnknownKind
from ledger.kernel.facts.state import Seat
from ledger.kernel.language.sentences import speak
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.chapter import Chapter
from ledger.kernel.rules.opening import Opening
from ledger.reading.money.accounts import remedy_names
from tests.kernel.toy import ANA, BANKER, BOB, RULES, BeansBought, BuyBeans, Game, Settings, rules


def opening(*seats: str) -> Opening:
    return Opening(players=tuple(Seat(seat, seat.title()) for seat in seats), settings=Settings(), dice="table")


def test_kinds_are_class_names_in_snake_case() -> None:
    assert snake_case("BuyBeans") == BuyBeans.kind == "buy_beans"
    assert list(RULES.actions)[:3] == ["open", "buy_beans", "throw"]


def test_two_actions_of_one_kind_are_refused() -> None:
    chapter = Chapter("One more")

    @chapter.action(summary=("throw", "lancer"), when=("never", "jamais"))
    class Throw(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
        pass

    with pytest.raises(ValueError, match="two actions are called throw"):
        rules(chapter)


def test_two_events_of_one_kind_are_refused() -> None:
    chapter = Chapter("One more")

    @chapter.event
    class Thrown(Event, frozen=True, kw_only=True):
        pass

    with pytest.raises(ValueError, match="two events are called thrown"):
        rules(chapter)


def test_an_action_is_read_from_its_kind_and_parameters() -> None:
    assert RULES.codec.action("buy_beans", b'{"amount":2}') == BuyBeans(amount=2)


@pytest.mark.parametrize(
    "params",
    [
        b"",
        b"[]",
        b"{}",
        b'{"amount":"2"}',
        b'{"amount":2.5}',
        b'{"amount":2,"colour":"red"}',
        b"{amount:2}",
    ],
)
def test_parameters_of_another_shape_are_malformed(params: bytes) -> None:
    with pytest.raises(Malformed, match="the parameters of buy_beans are not right"):
        RULES.codec.action("buy_beans", params)


def test_an_unknown_kind_is_named() -> None:
    with pytest.raises(UnknownKind, match="toy has no action 'fly'"):
        RULES.codec.action("fly", b"{}")


def test_an_action_that_decides_nothing_says_so() -> None:
    with pytest.raises(TypeError, match="Action decides nothing"):
        Action().decide(Any)  # type: ignore[arg-type]


@pytest.mark.parametrize("seat", ["banker", "system", "spectator", "", "a b", "ana:1", "a" * 41, "é"])
def test_a_seat_that_could_be_taken_for_another_role_or_account_is_malformed(seat: str) -> None:
    with pytest.raises(Malformed, match="cannot be a seat"):
        opening("ana", seat)


def test_a_seat_is_taken_once() -> None:
    with pytest.raises(Malformed, match="'ana' cannot be a seat"):
        opening("ana", "bob", "ana")
    assert len(opening("ana", "Bob-2", "a" * 40).players) == 3


def test_a_fact_is_told_in_both_languages() -> None:
    game = Game()
    speakers = RULES.language.speakers(game.state)
    one, two = (BeansBought(seat="ana", quantity=number, price=2 * number) for number in (1, 2))
    template = "{seat:seat}: {quantity} {quantity:plural|haricot|haricots}"
    assert speak(template, two, "fr", speakers) == "Ana: 2 haricots"
    assert speak(template, one, "fr", speakers) == "Ana: 1 haricot"
    none = msgspec.structs.replace(one, quantity=0)
    assert speak(template, none, "fr", speakers) == "Ana: 0 haricot"
    assert speak(BeansBought.en, none, "en", speakers) == "Ana buys 0 beans."
    with pytest.raises(AttributeError):
        speak("{colour}", one, "en", speakers)


def test_what_a_ruling_may_move_is_listed_as_far_as_the_viewer_knows_of_it() -> None:
    """Bob holds the ace: he and the banker may name his hand, and Ana may not know of it."""
    game = Game()
    game.state.holdings.post(Posting("card:ace", 1, BOX, "hand:bob"))
    listed = {
        viewer: {one.commodity: one.accounts for one in remedy_names(RULES, game.state, viewer)[1]}
        for viewer in (ANA, BOB, BANKER)
    }
    assert ["hand:bob" in movable["coin"] for movable in listed.values()] == [False, True, True]
    assert {"bank", "player:ana", "player:bob"} <= {*listed[ANA]["coin"]}
