"""Stored events of an older shape are read in the current shape, alone and among others."""

from typing import Any

import msgspec
import pytest

from ledger.kernel.facts.events import kind_of, tag_of, version_of
from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.journal.entry import body
from ledger.kernel.rules.chapter import Chapter, in_remedies, renamed
from tests.kernel.toy import RULES, BeansBought, BuyBeans, Game, Throw, fold, rules

POSTINGS = '[["coin",4,"player:ana","bank"],["bean",2,"bank","player:ana"]]'
FIRST = f'{{"kind":"beans_bought","rule":"2.1","postings":{POSTINGS},"seat":"ana","beans":2}}'.encode()
SECOND = f'{{"kind":"beans_bought@2","rule":"2.1","postings":{POSTINGS},"seat":"ana","quantity":2}}'.encode()


def today() -> BeansBought:
    game = Game()
    (event,) = game.play("ana", BuyBeans(amount=2)).events
    assert isinstance(event, BeansBought)
    return event


def test_an_event_knows_its_kind_and_the_version_of_its_shape() -> None:
    event = today()
    assert (kind_of(event), tag_of(event), version_of(tag_of(event))) == ("beans_bought", "beans_bought@3", 3)
    assert version_of("thrown") == 1


def test_a_body_of_today_is_read_as_it_was_written() -> None:
    assert RULES.codec.event(body(today())) == today()
    assert RULES.codec.event(msgspec.Raw(body(today()))) == today()


def test_a_body_one_shape_old_is_mended_once() -> None:
    assert RULES.codec.event(SECOND) == today()


def test_a_body_two_shapes_old_is_mended_twice() -> None:
    assert RULES.codec.event(FIRST) == today()


def test_a_body_of_no_known_shape_is_not_read() -> None:
    with pytest.raises(msgspec.ValidationError, match="beans_sold"):
        RULES.codec.event(b'{"kind":"beans_sold","rule":"2.1"}')
    with pytest.raises(msgspec.ValidationError):
        RULES.codec.event(b'{"kind":"beans_bought","rule":"2.1","seat":"ana","beans":"two"}')


def test_old_and_new_bodies_fold_to_the_state_that_new_ones_alone_give() -> None:
    game = Game()
    for _ in range(2):
        game.play("ana", BuyBeans(amount=2))
    game.play("ana", Throw(face=1))
    opened, *_, thrown = game.bodies()
    mixed = RULES.blank()
    fold(mixed, opened, FIRST, SECOND, thrown)
    fresh = RULES.blank()
    fold(fresh, *game.bodies())
    assert RULES.codec.to_snapshot(mixed) == RULES.codec.to_snapshot(fresh)
    assert mixed.holdings == game.state.holdings
    assert mixed.seq == 4


def test_an_entry_without_events_folds_to_nothing() -> None:
    state = RULES.blank()
    fold(state)
    assert state == RULES.blank()


def test_an_entry_with_an_event_of_no_known_shape_is_not_folded() -> None:
    state = RULES.blank()
    with pytest.raises(msgspec.ValidationError, match="unheard_of"):
        fold(state, b'{"kind":"unheard_of"}')


OLDER, NEWER = b'{"of":"bank","quantity":2}', b'{"amount":2,"of":"bank"}'


def test_parameters_of_an_older_shape_are_read_and_shown_under_the_names_of_today() -> None:
    assert RULES.codec.action("buy_beans", OLDER) == RULES.codec.action("buy_beans", NEWER) == BuyBeans(amount=2)
    assert (
        RULES.codec.params("buy_beans", OLDER)
        == RULES.codec.params("buy_beans", NEWER)
        == {"of": "bank", "amount": 2}
    )
    assert RULES.codec.params("throw", b'{"face":4}') == {"face": 4}


@pytest.mark.parametrize(
    "mixed", [b'{"quantity":2,"amount":2}', b'{"quantity":2,"colour":"red"}', b'{"of":"bob"}']
)
def test_parameters_that_mix_names_are_refused_and_shown_as_they_are(mixed: bytes) -> None:
    with pytest.raises(Malformed):
        RULES.codec.action("buy_beans", mixed)
    assert RULES.codec.params("buy_beans", b'{"quantity":2,"amount":2}') == {"quantity": 2, "amount": 2}


def test_the_fault_of_older_parameters_is_told_under_the_names_of_today() -> None:
    with pytest.raises(Malformed, match=r"Expected `int`, got `str` - at `\$.amount`"):
        RULES.codec.action("buy_beans", b'{"quantity":"two"}')


def test_parameters_of_several_shapes_are_mended_one_after_the_other() -> None:
    """A single die became a list of dice, and then the list got another name; nothing given stays nothing."""
    single, named = renamed(die="thrown", into_lists={"thrown"}), renamed(thrown="dice")
    assert named(single({"die": 4, "seat": "ana"})) == {"dice": [4], "seat": "ana"}
    assert named(single({"die": None})) == {"dice": None}
    assert single({"die": 4, "thrown": [4]}) == {"die": 4, "thrown": [4]}


def test_a_remedy_of_an_older_shape_is_mended_inside_of_its_ruling() -> None:
    mend = in_remedies("set_beans", renamed(count="amount"))
    fine = {"op": "fine", "seat": "ana", "count": 1}
    assert mend({"remedies": [fine, {"op": "set_beans", "count": 2}]}) == {
        "remedies": [fine, {"op": "set_beans", "amount": 2}]
    }
    assert mend({"finding": "no"}) == {"finding": "no"}


def test_an_upcast_belongs_to_an_action_that_there_is() -> None:
    chapter = Chapter("One more")
    chapter.upcast_action("sell_beans", renamed(quantity="amount"))
    with pytest.raises(ValueError, match="upcasts of actions that there are not: sell_beans"):
        rules(chapter)


def test_an_upcast_starts_from_an_older_shape_only() -> None:
    chapter = Chapter("One more")

    @chapter.upcast("thrown")
    def mend(stored: dict[str, Any]) -> dict[str, Any]:
        return stored

    with pytest.raises(ValueError, match="shape of today: thrown"):
        rules(chapter)


def test_one_older_shape_has_one_upcast() -> None:
    chapter = Chapter("One more")

    @chapter.upcast("beans_bought")
    def mend(stored: dict[str, Any]) -> dict[str, Any]:
        return stored

    with pytest.raises(ValueError, match="two upcasts start from beans_bought"):
        rules(chapter)
