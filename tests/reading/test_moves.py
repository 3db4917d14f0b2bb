"""Moves: the legal actions of a seat, and why others are refused."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.refusals import RuleBroken
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.moves.moves import moves_of_all, obstacles, open_moves, shown_moves
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger
from ledger.store.store import Store
from replays.keeping import keep
from tests.tables.evenings import evening
from tests.tables.ledgers import ANA, BOB, Clock, do, started


def test_moves_offers_what_is_legal_and_explains_what_is_not(ledger: Ledger) -> None:
    game = started(ledger, "ana", "bob")
    kinds = {move.kind for move in open_moves(ledger.moment(game, ANA), None, ledger.clock.current_time())}
    assert {"roll_dice", "take_loan", "transfer_money"} <= kinds
    assert not {"end_turn", "start_game", "buy_property"} & kinds
    assert "roll_dice" not in {
        move.kind for move in open_moves(ledger.moment(game, BOB), None, ledger.clock.current_time())
    }
    assert "end_game" in {move.kind for move in open_moves(ledger.moment(game), None, ledger.clock.current_time())}
    (obstacle,) = obstacles(ledger.moment(game, ANA), None, "end_turn", ledger.clock.current_time())
    assert obstacle.refusal.rule == "II.B.12"


def test_what_is_not_tried_off_turn_is_explained_as_it_is_refused(ledger: Ledger) -> None:
    """Given Ana's turn, when Bob asks why he may not roll, then he reads what rolling would tell him."""
    game = started(ledger, "ana", "bob")
    for kind in ("roll_dice", "end_turn"):
        assert kind not in kinds_of(ledger, game, BOB)
        (obstacle,) = obstacles(ledger.moment(game, BOB), None, kind, ledger.clock.current_time())
        with pytest.raises(RuleBroken) as refused:
            do(ledger, game, BOB, kind)
        assert (obstacle.refusal.rule, obstacle.refusal.en) == (refused.value.rule, refused.value.en)
        assert "it is Ana's turn, not Bob's" in refused.value.en


def kinds_of(ledger: Ledger, game: str, viewer: Viewer, later: float = 0) -> set[str]:
    at = ledger.clock.current_time() + timedelta(minutes=later)
    return {move.kind for move in open_moves(ledger.moment(game, viewer), None, at)}


def test_moves_asked_for_again_are_not_sought_again(ledger: Ledger) -> None:
    """Given nobody has acted, when Ana asks for her moves twice, then it is one answer, and nobody else's."""
    game = started(ledger, "ana", "bob")

    def ask(viewer: Viewer, language: str = "en") -> object:
        return shown_moves(ledger.moment(game, viewer), None, ledger.clock.current_time(), language)

    assert ask(ANA) is ask(ANA)
    assert ask(ANA) is not ask(BOB)
    assert ask(ANA) is not ask(ANA, "fr")


def test_moves_change_with_every_action_and_when_the_time_of_a_turn_is_over(ledger: Ledger) -> None:
    """Given Ana's turn, when she rolls, or her 5 minutes are over, then another answer is given than before."""
    game = started(ledger, "ana", "bob")
    assert "roll_dice" in kinds_of(ledger, game, ANA)
    assert "roll_dice" in kinds_of(ledger, game, ANA, later=4)
    assert "roll_dice" not in kinds_of(ledger, game, BOB, later=4)
    assert "roll_dice" not in kinds_of(ledger, game, ANA, later=6)
    assert "roll_dice" in kinds_of(ledger, game, BOB, later=6)
    assert "roll_dice" in kinds_of(ledger, game, ANA)
    do(ledger, game, ANA, "roll_dice", dice=[1, 2])
    assert "roll_dice" not in kinds_of(ledger, game, ANA)


@pytest.mark.parametrize("rulebook", rulebooks_by_id().values(), ids=lambda rulebook: rulebook.id)
def test_what_the_banker_may_do_without_a_seat_is_offered_once(rulebook: Rulebook[Any], store: Store) -> None:
    """Given an evening, when the banker reads everybody's moves, then a correction stands among the banker's own.

    Only a statement in a dispute is offered to both: the banker speaks without a seat, or for a seat.
    """
    played = evening(rulebook)
    ledger = Ledger(store, rulebooks_by_id(), clock=Clock(played.game.state.last_at))
    keep(ledger, played)
    moment = ledger.moment(played.game.name)
    *seats, banker = moves_of_all(moment, ledger.clock.current_time(), "en")
    own = {move.kind for move in banker.moves}
    assert {"correct", "rule"} <= own
    assert [one.seat for one in seats if own & {move.kind for move in one.moves} - {"add_statement"}] == []
