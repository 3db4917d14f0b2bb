"""Tokens: authenticated, revoked and replaced."""

from __future__ import annotations

from ledger.kernel.facts.state import Seat
from ledger.service import Ledger
from tests.tables.ledgers import ANA


def test_tokens_are_revoked_and_replaced(ledger: Ledger) -> None:
    players = [Seat("ana", "Ana"), Seat("bob", "Bob")]
    created = ledger.create("negopoly", title=None, players=players, settings={}, dice="table")
    token = created.tokens.players["ana"]
    assert ledger.tokens.authenticate(token) == (created.game, ANA)
    row = next(row for row in ledger.tokens.issued(created.game) if row.seat == "ana")
    fresh = ledger.tokens.replace(created.game, row.credential_id)
    assert fresh is not None
    assert ledger.tokens.authenticate(token) is None
    assert ledger.tokens.authenticate(fresh.token) == (created.game, ANA)
    assert ledger.tokens.authenticate("nonsense") is None
    assert ledger.tokens.authenticate(f"{created.game}.{'x' * 32}") is None
