"""Hidden hands: veils, what only performing an action reveals, and what viewers see of corrections."""

from __future__ import annotations

import pytest

from ledger.kernel.arbitration.remedies import Adjust, HoldingsAdjusted, Transfer
from ledger.kernel.arbitration.rulings import RulingGiven
from ledger.kernel.deciding.decision import Decision
from ledger.kernel.deciding.moves import moves
from ledger.kernel.deciding.undo import require_may_undo
from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import BANKER_ONLY, Viewer, only
from ledger.kernel.facts.edits import Drop, Insert, NewAction, Replace
from ledger.kernel.facts.refusals import NotYours, RuleBroken
from ledger.kernel.journal.sight import (
    VisibleEntry,
    current_viewer,
    redact_for_dry_run,
    view_event,
    visible_entry,
    visible_holdings,
)
from ledger.kernel.journal.timeline import Timeline
from tests.kernel.hands import CID, RULES, Ask, CardTaken, HandGame, Lay, Take, Vow
from tests.kernel.toy import ANA, BANKER, BOB, SPECTATOR, BuyBeans, Thrown

OUTSIDERS = (CID, SPECTATOR)


@pytest.fixture
def game() -> HandGame:
    """Ana holds the ace and the king, Bob queen and jack, Cid ten and nine."""
    return HandGame()


@pytest.fixture
def sold(game: HandGame) -> HandGame:
    """Ana lays the ace face down (action 3), Bob takes it for 4 coins (action 4)."""
    game.play("ana", Lay(card="ace"))
    game.play("bob", Take(price=4))
    return game


def rule(game: HandGame, *remedies: object) -> Decision:
    """The banker rules without a dispute."""
    plain = b'{"finding":"So be it."}'
    action = RULES.codec.action("rule", plain)
    return game.play(None, type(action)(finding="So be it.", remedies=remedies))


def corrects(game: HandGame, *edits: object, cascade: str = "restate", by: str | None = None) -> Decision:
    correct = RULES.actions["correct"]
    return game.play(None, correct(edits=edits, cascade=cascade, reason="a slip"), by=by)


def sight_of(game: HandGame, viewer: Viewer, number: int, insert: int = 0) -> VisibleEntry:
    standing = Timeline(game.journal, RULES.codec.event).entry(number, insert)
    assert standing is not None
    return visible_entry(standing, viewer)


# Holdings -------------------------------------------------------------------------------------------


def test_others_see_how_many_cards_there_are(game: HandGame) -> None:
    assert visible_holdings(RULES.secrets, game.state, "hand:ana", ANA) == {"card:ace": 1, "card:king": 1}
    assert visible_holdings(RULES.secrets, game.state, "hand:ana", BANKER) == {"card:ace": 1, "card:king": 1}
    for viewer in (BOB, *OUTSIDERS):
        assert visible_holdings(RULES.secrets, game.state, "hand:ana", viewer) == {"card": 2}


def test_what_is_seen_comes_in_the_order_of_its_names() -> None:
    """The veiled amounts are the same in any order of cards."""
    found = [
        list(
            visible_holdings(RULES.secrets, HandGame(*dealt, "ten", "nine", "ten", "nine").state, "hand:ana", ANA)
        )
        for dealt in (("queen", "jack"), ("jack", "queen"))
    ]
    assert found == [["card:jack", "card:queen"]] * 2


def test_a_card_that_lies_face_down_is_its_sellers_until_it_is_taken(game: HandGame) -> None:
    game.play("ana", Lay(card="ace"))
    assert visible_holdings(RULES.secrets, game.state, "market", ANA) == {"card:ace": 1}
    for viewer in (BOB, *OUTSIDERS):
        assert visible_holdings(RULES.secrets, game.state, "market", viewer) == {"card": 1}


def test_whose_it_is_and_what_it_is_stays_hidden_at_earlier_moments_until_the_game_has_ended(
    sold: HandGame,
) -> None:
    """The state now decides what is revealed, not the moment that is read."""
    earlier = sold.refolded(3)
    assert visible_holdings(RULES.secrets, earlier, "market", current_viewer(sold.state, CID)) == {"card": 1}
    sold.play(None, RULES.codec.action("end", b"{}"))
    assert visible_holdings(RULES.secrets, earlier, "market", current_viewer(sold.state, CID)) == {"card:ace": 1}
    ended = sold.state
    corrects(sold, Drop(5))
    assert ended.ended
    assert visible_holdings(RULES.secrets, ended, "hand:bob", current_viewer(sold.state, CID)) == {"card": 3}


# Events ---------------------------------------------------------------------------------------------


def test_a_redacted_event_moves_a_card_that_nobody_names(sold: HandGame) -> None:
    taken = RULES.codec.event(sold.journal[-1].events[0])
    for viewer in OUTSIDERS:
        shown = view_event(sold.state, taken, viewer)
        assert isinstance(shown, CardTaken)
        assert (shown.card, shown.postings) == (
            None,
            (Posting("coin", 4, "player:bob", "player:ana"), Posting("card", 1, "market", "hand:bob")),
        )
    for viewer in (ANA, BOB, BANKER):
        assert view_event(sold.state, taken, viewer) == taken


def test_only_doing_it_tells_what_the_card_is(game: HandGame) -> None:
    """In a dry run Bob sees only a card; Ana knows it already."""
    game.play("ana", Lay(card="ace"))
    (taken,) = game.decide("bob", Take(price=4)).events
    assert taken.reveals() == only("bob")
    assert redact_for_dry_run(taken, BOB) == taken.redacted(BOB)
    assert redact_for_dry_run(taken, ANA) == redact_for_dry_run(taken, BANKER) == taken
    assert redact_for_dry_run(taken, CID) == taken.redacted(CID)


def test_an_event_reveals_nothing_unless_it_says_so() -> None:
    assert Thrown(seat="ana", faces=(2,)).reveals() == BANKER_ONLY


def test_the_moves_cost_what_can_be_known_before(game: HandGame) -> None:
    game.play("ana", Lay(card="ace"))
    legal = moves(RULES, game.state, "bob", "player:bob", BOB, game.now)
    assert [(one.params, one.cost) for one in legal if one.kind == "take"] == [({"price": 1}, 1)]


# Corrections ----------------------------------------------------------------------------------------


def test_a_correction_of_what_one_cannot_see_has_touched_nothing(sold: HandGame) -> None:
    """Ana had laid the king: Ana and Bob, who took it, see the change; the others see only a card."""
    corrects(sold, Replace(3, {"card": "king"}))
    for viewer in (ANA, BANKER):
        for number in (3, 4):
            found = sight_of(sold, viewer, number)
            assert (found.status, found.by) == ("restated", 5)
    assert sight_of(sold, BOB, 3).status == "effective"
    assert sight_of(sold, BOB, 4).status == "restated"
    for viewer in OUTSIDERS:
        for number in (3, 4):
            found = sight_of(sold, viewer, number)
            assert (found.status, found.by, found.steps) == ("effective", None, ())


def test_what_looks_as_it_was_recorded_is_as_it_was_recorded(sold: HandGame) -> None:
    """Bob pays 5, then 4 again for another card: for Cid the price is as it was."""
    corrects(sold, Replace(4, {"price": 5}))
    assert sight_of(sold, CID, 4).status == "restated"
    corrects(sold, Replace(4, {"price": 4}), Replace(3, {"card": "king"}))
    found = sight_of(sold, CID, 4)
    assert (found.status, found.by, [one.status for one in found.steps]) == (
        "effective",
        6,
        ["restated", "effective"],
    )
    assert sight_of(sold, BOB, 4).status == "restated"


def test_an_undone_action_is_undone_to_all_who_see_anything_of_it(sold: HandGame) -> None:
    corrects(sold, Drop(4))
    for viewer in (ANA, BOB, CID, SPECTATOR, BANKER):
        found = sight_of(sold, viewer, 4)
        assert (found.status, found.by, found.effective_events) == ("undone", 5, ())


def test_why_an_action_fell_is_told_to_who_asked_for_it(game: HandGame) -> None:
    """Bob can no longer pay for the beans; the reason does not reveal his coins to others."""
    game.play("bob", BuyBeans(amount=3))
    corrects(game, Insert(2, NewAction(kind="buy_beans", params={"amount": 3}, seat="bob")))
    for viewer in (BOB, BANKER):
        why = sight_of(game, viewer, 3).why
        assert why is not None
        assert why.en == "Bob has 4 coins and cannot spend 6 coins without 2 coins more"
    for viewer in (ANA, *OUTSIDERS):
        found = sight_of(game, viewer, 3)
        assert (found.status, found.whole, found.why) == ("voided", True, None)


def test_the_correction_itself_tells_the_table_that_it_was_made_and_why(sold: HandGame) -> None:
    (corrected,) = corrects(sold, Replace(3, {"card": "king"})).events
    shown = view_event(sold.state, corrected, CID)
    assert shown is not None
    assert (shown.reason, shown.edits, shown.amendments, shown.insertions, shown.earliest) == (
        *("a slip", (), (), ()),
        0,
    )


# Rulings --------------------------------------------------------------------------------------------


def test_a_ruling_that_moves_a_hidden_card_names_it_to_the_two_only(game: HandGame) -> None:
    move = Transfer(source="hand:ana", target="hand:bob", commodity="card:ace", amount=1)
    adjusted, given = rule(game, Adjust(postings=(move,), reason="the ace is Bob's")).events
    assert isinstance(adjusted, HoldingsAdjusted)
    assert isinstance(given, RulingGiven)
    assert adjusted.audience() == only("ana", "bob")
    for viewer in OUTSIDERS:
        shown = view_event(game.state, adjusted, viewer)
        assert isinstance(shown, HoldingsAdjusted)
        assert shown.postings == (Posting("card", 1, "hand:ana", "hand:bob"),)
        assert (shown.reason, shown.because.en) == ("", ".")
        assert "ace" not in repr(shown)


# Undoing --------------------------------------------------------------------------------------------


def may(game: HandGame, seat: str, number: int) -> None:
    require_may_undo(RULES, Timeline(game.journal, RULES.codec.event), game.before, seat, number)


def test_what_lies_face_down_may_be_taken_back(game: HandGame) -> None:
    game.play("ana", Lay(card="ace"))
    may(game, "ana", 3)


@pytest.mark.parametrize(
    ("seat", "action"),
    [("ana", Lay(card="ace", face="up")), ("cid", Take(price=1)), ("cid", Ask(card="queen"))],
)
def test_what_has_been_learnt_cannot_be_unlearnt(seat: str, action: object) -> None:
    """A player may not undo an action that revealed something, to the table or to the player."""
    game = HandGame()
    if isinstance(action, Take):
        game.play("ana", Lay(card="ace"))
    game.play(seat, action)  # type: ignore[arg-type]
    with pytest.raises(NotYours, match="revealed"):
        may(game, seat, game.state.version)


def test_what_a_rule_makes_final_is_refused_by_that_rule(game: HandGame) -> None:
    game.play("ana", Vow())
    with pytest.raises(RuleBroken, match=r"action 3 \(vow\) is for good") as refusal:
        may(game, "ana", 3)
    assert refusal.value.rule == "5.5"
    corrects(game, Drop(3))
    assert sight_of(game, ANA, 3).status == "undone"
