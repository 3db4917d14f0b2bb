"""A request reads one version of a game: it asks the journal's head once."""

from __future__ import annotations

import pytest

from ledger.store.store import Store
from tests.tables.over_http import HttpTable

READS = (
    "",
    "state",
    "state?at=8",
    "state?known_at=8",
    "accounts",
    "accounts/player:ana",
    "accounts/player:ana/statement",
    "accounts/player:ana/statement?at=9&known_at=9",
    "actions",
    "actions?order=newest&limit=3",
    "actions/8",
    "audit",
    "why?account=player:ana&commodity=NGD",
    "moves?explain=roll_dice",
    "loans",
    "disputes",
    "replay",
    "statistics",
    "export?format=beancount",
)


@pytest.mark.parametrize("corrected", [False, True], ids=["as played", "corrected"])
def test_a_read_asks_for_the_head_once(
    gifts: HttpTable, store: Store, monkeypatch: pytest.MonkeyPatch, *, corrected: bool
) -> None:
    """Ana and the banker read everything there is to read."""
    if corrected:
        edits = [{"op": "drop", "action": 9}]
        given = gifts.banker.post("corrections", {"edits": edits, "cascade": "restate", "reason": "a slip"})
        assert given.status_code == 201, given.text
    asked = 0
    head = store.journal.head_and_leaf

    def counted(game_id: str) -> tuple[int, bytes]:
        nonlocal asked
        asked += 1
        return head(game_id)

    monkeypatch.setattr(store.journal, "head_and_leaf", counted)
    for caller in (gifts.ana, gifts.banker):
        for path in READS:
            asked = 0
            answer = caller.get(path)
            assert answer.status_code == 200, (path, answer.text)
            assert answer.data
            assert asked == 1, path
