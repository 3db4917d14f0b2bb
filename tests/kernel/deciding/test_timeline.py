"""The effective history of a journal, at a moment of the game and by what was known.

The journal of most tests: 1 open, 2 Ana throws a 2, 3 Bob throws a 3, and then corrections of them.
"""

import msgspec
import pytest

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.events import Amendment
from ledger.kernel.journal.entry import body
from ledger.kernel.journal.timeline import Timeline
from tests.kernel.toy import RULES, Correct, Game, Throw, Thrown


def played() -> Game:
    game = Game()
    game.play("ana", Throw(face=2))
    game.play("bob", Throw(face=3))
    return game


def correct(game: Game, *amendments: Amendment) -> None:
    game.play(None, Correct(amendments=amendments))


def restated(number: int, face: int) -> Amendment:
    """A correction of the throw of this action."""
    paid = (Posting("coin", face, BANK, "player:ana"),)
    event = Thrown(seat="ana", faces=(face,), postings=paid)
    return Amendment(number, "restated", (msgspec.Raw(body(event)),))


def timeline(game: Game, known_at: int | None = None) -> Timeline:
    return Timeline(game.journal, RULES.codec.event, known_at)


def thrown(game: Game, *, at: int | None = None, known_at: int | None = None) -> list[int]:
    """The faces that count: the fold of the effective history."""
    state = RULES.blank()
    for standing in timeline(game, known_at).effective(at):
        state.fold(standing.events)
    return state.thrown


def statuses(game: Game, known_at: int | None = None) -> list[str]:
    return [standing.status for standing in timeline(game, known_at).entries()]


def test_without_corrections_everything_counts_as_it_is() -> None:
    game = played()
    assert statuses(game) == ["effective"] * 3
    assert thrown(game) == [2, 3]
    standing = timeline(game).entry(2)
    assert standing is not None
    assert standing.entry == game.journal[1]
    assert standing.by is None


def test_an_undone_action_stays_visible_and_counts_no_more() -> None:
    game = played()
    correct(game, Amendment(2, "undone"))
    assert statuses(game) == ["effective", "undone", "effective", "effective"]
    assert thrown(game) == [3]
    standing = timeline(game).entry(2)
    assert standing is not None
    assert (standing.by, standing.events) == (4, ())
    assert standing.entry == game.journal[1]


def test_a_voided_action_counts_no_more() -> None:
    game = played()
    correct(game, Amendment(2, "undone"), Amendment(3, "voided"))
    assert statuses(game) == ["effective", "undone", "voided", "effective"]
    assert thrown(game) == []


def test_a_restated_action_counts_with_other_events() -> None:
    game = played()
    correct(game, restated(2, 5))
    assert statuses(game)[1] == "restated"
    assert thrown(game) == [5, 3]


def test_a_redone_action_counts_again_with_its_own_events() -> None:
    game = played()
    correct(game, Amendment(2, "undone"))
    correct(game, Amendment(2, "effective"), Amendment(4, "undone"))
    assert statuses(game) == ["effective", "effective", "effective", "undone", "effective"]
    assert thrown(game) == [2, 3]
    standing = timeline(game).entry(2)
    assert standing is not None
    assert standing.by == 5


def test_the_latest_correction_of_an_action_is_the_one_that_holds() -> None:
    game = played()
    correct(game, restated(2, 5))
    correct(game, restated(2, 6))
    assert thrown(game) == [6, 3]
    correct(game, Amendment(2, "undone"))
    assert thrown(game) == [3]


@pytest.mark.parametrize(
    ("at", "known_at", "faces"),
    [
        (None, None, [5, 3, 4]),  # The whole game, by today's knowledge.
        (2, None, [5]),  # At action 2, by today's knowledge.
        (None, 3, [2, 3]),  # At action 3, as believed then.
        (2, 3, [2]),  # At action 2, as believed at action 3.
        (2, 4, [5]),  # At action 2, as believed at action 4, after the correction.
        (4, 4, [5, 3]),
    ],
)
def test_reading_is_bitemporal(at: int | None, known_at: int | None, faces: list[int]) -> None:
    """4 corrects the throw of action 2 to a 5; 5 is a throw of 4 by Bob."""
    game = played()
    correct(game, restated(2, 5))
    game.play("bob", Throw(face=4))
    assert thrown(game, at=at, known_at=known_at) == faces


def test_what_is_not_known_yet_has_no_standing() -> None:
    game = played()
    assert timeline(game, known_at=2).entry(3) is None
    assert statuses(game, known_at=2) == ["effective", "effective"]
    assert timeline(game).entry(99) is None
