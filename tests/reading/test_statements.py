"""Statements: the postings of an account with running balances."""

from __future__ import annotations

from ledger.reading.money.statements import statement
from ledger.service import Ledger
from tests.tables.ledgers import ANA, BOB, SPECTATOR, do, started


def test_a_statement_runs_like_a_bank_s(ledger: Ledger) -> None:
    game = started(ledger, "ana", "bob")
    do(ledger, game, ANA, "transfer_money", to="bob", amount=40)
    do(ledger, game, BOB, "transfer_money", to="ana", amount=15)
    lines, rest = statement(ledger.moment(game, ANA), "player:ana")
    assert rest is None
    assert [(line.amount, line.balance) for line in lines] == [(1500, 1500), (150, 1650), (-40, 1610), (15, 1625)]
    first, more = statement(ledger.moment(game, ANA), "player:ana", limit=2)
    second, end = statement(ledger.moment(game, ANA), "player:ana", cursor=more, limit=2)
    assert first + second == lines
    assert end is None
    unseen, _ = statement(ledger.moment(game, SPECTATOR), "player:ana")
    assert all(line.balance is None for line in unseen)
    assert 40 not in {abs(line.amount) for line in unseen}
