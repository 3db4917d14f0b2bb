"""What one version's readers share: each gets what they would get alone, and nothing of another's."""

from __future__ import annotations

import msgspec

from ledger.kernel.facts.audience import BANKER, SPECTATOR, Viewer
from ledger.reading.table.states import shown_state
from ledger.service import Ledger
from tests.tables.ledgers import ANA, BOB, do


def state_of(ledger: Ledger, game: str, viewer: Viewer, language: str = "en", at: int | None = None) -> bytes:
    moment = ledger.moment(game, viewer, at)
    return msgspec.json.encode(shown_state(moment, ledger.clock.game_time(moment.newest), language))


def alone(ledger: Ledger, game: str, viewer: Viewer, language: str) -> bytes:
    """The state as if nobody else had asked."""
    ledger.moment(game).game.kept.forget()
    return state_of(ledger, game, viewer, language)


def test_everybody_gets_the_state_that_they_would_get_alone(ledger: Ledger, game: str) -> None:
    """Given a purchase and a private gift, when all ask in any order, then nobody sees what another one may."""
    everybody = [(viewer, language) for viewer in (ANA, BOB, BANKER, SPECTATOR) for language in ("en", "fr")]
    expected = [alone(ledger, game, *one) for one in everybody]
    assert len({*expected}) == len(everybody)
    assert [state_of(ledger, game, *one) for one in everybody] == expected
    assert [state_of(ledger, game, *one) for one in reversed(everybody)] == expected[::-1]


def test_a_state_of_an_earlier_moment_is_not_that_of_the_newest_one(ledger: Ledger, game: str) -> None:
    """Given the newest state was asked for, when an earlier one is, or an action follows, then all differ."""
    newest = state_of(ledger, game, ANA)
    assert state_of(ledger, game, ANA, at=9) != newest
    assert state_of(ledger, game, ANA) == newest
    do(ledger, game, ANA, "transfer_money", to="bob", amount=1)
    assert state_of(ledger, game, ANA) != newest
