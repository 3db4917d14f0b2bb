"""A player's undo of their own last action, while nobody has acted after it or learnt anything from it."""

from __future__ import annotations

import pytest

from ledger.kernel.deciding.undo import is_move, redos_among, require_may_undo
from ledger.kernel.facts.edits import Drop, Replace
from ledger.kernel.facts.refusals import NotYours
from ledger.kernel.journal.timeline import Timeline
from ledger.kernel.rules.rulebook import Rulebook
from tests.kernel.toy import BuyBeans, End, Game, Hide, Throw, Toy
from tests.kernel.undoing import RULES, STRICT, TakeBack


class Table(Game):
    """The toy with corrections."""

    def __init__(self) -> None:
        super().__init__(rulebook=RULES)

    def corrects(self, by: str, *numbers: int) -> None:
        edits = tuple(Drop(number) for number in numbers)
        self.play(None, TakeBack(edits=edits, cascade="restate", reason="a slip"), by=by)

    def timeline(self) -> Timeline:
        return Timeline(self.journal, RULES.codec.event)

    def before(self, number: int) -> Toy:
        """The state right before an action."""
        return self.refolded(number - 1)

    def may(self, seat: str, number: int, rules: Rulebook[Toy] = RULES) -> bool:
        try:
            require_may_undo(rules, self.timeline(), self.before, seat, number)
        except NotYours:
            return False
        return True


@pytest.fixture
def table() -> Table:
    """Ana has bought two beans (action 2)."""
    table = Table()
    table.play("ana", BuyBeans(amount=2))
    return table


def test_the_last_action_is_taken_back_by_who_asked_for_it(table: Table) -> None:
    assert table.may("ana", 2)
    assert not table.may("bob", 2)
    assert not table.may("ana", 1)
    assert not table.may("ana", 3)


def test_only_where_the_rulebook_lets_players_undo(table: Table) -> None:
    with pytest.raises(NotYours, match="only the banker"):
        require_may_undo(STRICT, table.timeline(), table.before, "ana", 2)


def test_what_the_banker_did_for_a_seat_is_the_bankers(table: Table) -> None:
    table.play("ana", BuyBeans(amount=1), by="banker")
    assert not table.may("ana", 3)


def test_it_never_reaches_past_another_action(table: Table) -> None:
    table.play("bob", BuyBeans(amount=1))
    with pytest.raises(NotYours, match="action 3 came after it"):
        require_may_undo(RULES, table.timeline(), table.before, "ana", 2)
    assert table.may("bob", 3)


def test_it_reaches_no_further_than_the_last_of_ones_own(table: Table) -> None:
    table.play("ana", BuyBeans(amount=1))
    assert not table.may("ana", 2)
    assert table.may("ana", 3)


def test_when_what_came_after_is_undone_it_is_the_last_again(table: Table) -> None:
    table.play("ana", BuyBeans(amount=1))
    table.corrects("ana", 3)
    assert table.may("ana", 2)
    assert not table.may("ana", 3)


def test_when_bob_has_taken_back_what_came_after_it_is_the_last_again(table: Table) -> None:
    """Once Ana has taken back her action, too, Bob no longer redoes his; she may still redo hers."""
    table.play("bob", BuyBeans(amount=1))
    table.corrects("bob", 3)
    assert table.may("ana", 2)
    table.corrects("ana", 2)
    assert not table.may("bob", 4)
    assert table.may("ana", 5)


def test_a_correction_of_the_bankers_came_after_it(table: Table) -> None:
    table.play("bob", BuyBeans(amount=1))
    table.corrects("banker", 3)
    assert not table.may("ana", 2)


def test_ones_own_undo_is_taken_back_as_long_as_nobody_acted(table: Table) -> None:
    table.corrects("ana", 2)
    assert table.may("ana", 3)
    assert not table.may("bob", 3)
    table.play("bob", BuyBeans(amount=1))
    assert not table.may("ana", 3)


def test_a_throw_stands_whoever_threw(table: Table) -> None:
    table.play("ana", Throw(face=2))
    with pytest.raises(NotYours, match="threw a die"):
        require_may_undo(RULES, table.timeline(), table.before, "ana", 3)


def test_a_card_drawn_from_where_nobody_looks_has_been_seen(table: Table) -> None:
    table.play("ana", Hide(card="ace"))
    with pytest.raises(NotYours, match="revealed"):
        require_may_undo(RULES, table.timeline(), table.before, "ana", 3)


def test_that_somebody_holds_something_has_been_revealed(table: Table) -> None:
    """Ana's beans are hidden until Bob buys some; the price does not reveal Bob's coins."""
    table.play("bob", BuyBeans(amount=1, of="ana"))
    assert not table.may("bob", 3)


def test_the_end_is_the_bankers(table: Table) -> None:
    table.play(None, End())
    assert not table.may("ana", 3)
    assert not table.may("ana", 2)


def test_what_the_last_action_means(table: Table) -> None:
    """A move that counts: not the first action, not an undone one, not a correction."""
    table.play("bob", BuyBeans(amount=1))
    table.corrects("banker", 3)
    moves = {one.name: is_move(RULES, one) for one in table.timeline().entries()}
    assert moves == {"1": False, "2": True, "3": False, "4": False}


def test_a_redo_takes_back_undos_only(table: Table) -> None:
    """3 undoes the purchase, 4 redoes it, 5 undoes it again by dropping the redo, and 6 redoes it once more."""
    table.corrects("banker", 2)
    table.corrects("banker", 3)
    table.corrects("banker", 4)
    table.corrects("banker", 5)
    table.corrects("banker", 2, 6)
    assert redos_among(one for one in table.timeline().entries() if one.entry.number > 2) == {4, 6}


def test_to_take_back_a_replacement_is_an_undo(table: Table) -> None:
    """3 makes two beans one, 4 takes this back, and 5 is the redo of the mistaken undo."""
    edit = Replace(2, {"amount": 1})
    table.play(None, TakeBack(edits=(edit,), cascade="restate", reason="a slip"), by="banker")
    table.corrects("banker", 3)
    table.corrects("banker", 4)
    assert redos_among(one for one in table.timeline().entries() if one.entry.number > 2) == {5}
