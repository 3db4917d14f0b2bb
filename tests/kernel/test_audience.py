"""Who may see what."""

from collections.abc import Sequence

import pytest

from ledger.kernel.facts.audience import BANKER_ONLY, EVERYONE, HOST, Viewer, only
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.state import State
from ledger.kernel.journal.sight import admits, current_viewer, sees_holding, view_event, visible_holdings
from ledger.kernel.rules.draft import Draft, Request
from tests.kernel.toy import (
    ANA,
    BANKER,
    BOB,
    NOON,
    RULES,
    SPECTATOR,
    CardHidden,
    End,
    Game,
    Hide,
    Throw,
    Whispered,
)

ALL = (BANKER, ANA, BOB, SPECTATOR)


def sees_whole(newest: State, events: Sequence[Event], viewer: Viewer) -> bool:
    """Whether the viewer may see all events whole."""
    viewer = current_viewer(newest, viewer)
    return all(admits(event, viewer) for event in events)


@pytest.mark.parametrize(
    ("audience", "admitted"),
    [(EVERYONE, ALL), (BANKER_ONLY, (BANKER,)), (only("ana"), (BANKER, ANA)), (only("ana", "bob", None), ALL[:3])],
)
def test_an_audience_admits_its_seats_and_always_the_banker(
    audience: object, admitted: tuple[Viewer, ...]
) -> None:
    assert tuple(viewer for viewer in ALL if audience.admits(viewer)) == admitted  # type: ignore[attr-defined]


def test_nobody_means_nobody() -> None:
    assert only(None) == BANKER_ONLY


def test_a_public_event_is_seen_by_all() -> None:
    game = Game()
    (thrown,) = game.play("ana", Throw(face=2)).events
    assert all(view_event(game.state, thrown, viewer) == thrown for viewer in ALL)
    assert all(sees_whole(game.state, [thrown], viewer) for viewer in ALL)


def test_a_hidden_card_is_seen_by_its_owner_and_redacted_for_others() -> None:
    game = Game()
    whispered, hidden = game.play("ana", Hide(card="ace")).events
    for viewer in (ANA, BANKER):
        assert view_event(game.state, hidden, viewer) == hidden
        assert view_event(game.state, whispered, viewer) == whispered
    for viewer in (BOB, SPECTATOR):
        assert view_event(game.state, hidden, viewer) == CardHidden(seat="ana", card="a card")
        assert view_event(game.state, whispered, viewer) is None
        assert not sees_whole(game.state, [hidden], viewer)


def test_after_the_end_all_is_revealed() -> None:
    game = Game()
    whispered, hidden = game.play("ana", Hide(card="ace")).events
    game.play(None, End())
    for viewer in ALL:
        assert view_event(game.state, hidden, viewer) == hidden
        assert view_event(game.state, whispered, viewer) == whispered
        assert sees_whole(game.state, [whispered, hidden], viewer)
        assert visible_holdings(RULES.secrets, game.state, "hand:ana", current_viewer(game.state, viewer)) == {
            "card:ace": 1
        }


def test_an_end_that_does_not_reveal_everything_changes_no_audience() -> None:
    game = Game()
    whispered, hidden = game.play("ana", Hide(card="ace")).events
    game.play(None, End())
    game.state.reveals_at_end = False
    for viewer in (BOB, SPECTATOR):
        assert view_event(game.state, whispered, viewer) is None
        assert not sees_whole(game.state, [hidden], viewer)
        assert visible_holdings(RULES.secrets, game.state, "hand:ana", current_viewer(game.state, viewer)) == {}
        assert current_viewer(game.state, viewer).knows_the_end


def test_holdings_are_shown_to_their_audience() -> None:
    game = Game()
    game.play("ana", Hide(card="ace"))
    assert visible_holdings(RULES.secrets, game.state, "hand:ana", ANA) == {"card:ace": 1}
    assert visible_holdings(RULES.secrets, game.state, "hand:ana", BANKER) == {"card:ace": 1}
    assert visible_holdings(RULES.secrets, game.state, "hand:ana", BOB) == {}
    assert visible_holdings(RULES.secrets, game.state, "hand:ana", SPECTATOR) == {}
    assert visible_holdings(RULES.secrets, game.state, "deck", ANA) == {}
    assert visible_holdings(RULES.secrets, game.state, "bank", SPECTATOR) == {"coin": -20}
    assert not sees_holding(RULES.secrets, game.state, "player:ana", "coin", BOB)


def test_an_event_whispered_is_for_its_seat() -> None:
    assert Whispered(seat="bob").audience() == only("bob")


def test_a_banker_who_plays_sees_what_their_seat_sees() -> None:
    game = Game()
    whispered, hidden = game.play("bob", Hide(card="ace")).events
    game.state.banker_plays = "ana"
    covered = current_viewer(game.state, BANKER)
    assert (covered.role, covered.seat, covered.sees_all) == ("banker", "ana", False)
    assert view_event(game.state, whispered, covered) is None
    assert view_event(game.state, hidden, covered) == CardHidden(seat="bob", card="a card")
    assert not sees_holding(RULES.secrets, game.state, "player:bob", "coin", covered)
    assert sees_holding(RULES.secrets, game.state, "player:ana", "coin", covered)
    assert view_event(game.state, hidden, HOST) == hidden
    game.play(None, End())
    assert current_viewer(game.state, BANKER).sees_all


@pytest.mark.parametrize(
    ("plays", "told"),
    [(None, "has 10 coins and cannot spend 99 coins without 89 coins more"), ("ana", "cannot spend 99 coins")],
)
def test_what_a_banker_who_plays_waives_tells_nothing_of_other_seats(plays: str | None, told: str) -> None:
    state = Game().state
    state.banker_plays = plays
    request = Request(action=Throw(), seat="bob", by="banker", at=NOON, override="agreed")
    draft = Draft(RULES, state, request, None)
    draft.require_funds("player:bob", "coin", 99, "2.1")
    (warned,) = draft.warnings
    assert warned.en == f"Bob {told}"


@pytest.mark.parametrize(("waived", "noted"), [(None, "2.1"), ({"2.1"}, "2.1"), ({"2.2"}, "2.2")])
def test_an_action_decided_again_keeps_the_rule_that_was_waived(waived: set[str] | None, noted: str) -> None:
    """The refusal cites another rule today, and the rule of the time beside it."""
    waives = None if waived is None else frozenset(waived)
    request = Request(action=Throw(), seat="bob", by="banker", at=NOON, override="agreed", waives=waives)
    draft = Draft(RULES, Game().state, request, None)
    draft.require(False, "2.1", "it is late", "il est tard", beside=("2.2",))
    assert [warned.rule for warned in draft.warnings] == [noted]
