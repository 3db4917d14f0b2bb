"""Moves: the legal actions of a seat, and why others are refused."""

from __future__ import annotations

from ledger.reading.moves import obstacles, open_moves
from ledger.service import Ledger
from tests.tables.ledgers import ANA, BOB, started


def test_moves_offers_what_is_legal_and_explains_what_is_not(ledger: Ledger) -> None:
    game = started(ledger, "ana", "bob")
    kinds = {move.kind for move in open_moves(ledger.moment(game, ANA), None, ledger.clock.now())}
    assert {"roll_dice", "take_loan", "transfer_money"} <= kinds
    assert not {"end_turn", "start_game", "buy_property"} & kinds
    assert "roll_dice" not in {
        move.kind for move in open_moves(ledger.moment(game, BOB), None, ledger.clock.now())
    }
    assert "end_game" in {move.kind for move in open_moves(ledger.moment(game), None, ledger.clock.now())}
    (obstacle,) = obstacles(ledger.moment(game, ANA), None, "end_turn", ledger.clock.now())
    assert obstacle.refusal.rule == "II.B.12"
