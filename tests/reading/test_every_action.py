"""A corrected game is read at every action, with the first corrected action before, at and after a snapshot.

Every state and every statement is compared with a fold of the corrected journal from its first action. Each is
read by a service that has nothing in memory, as after a restart, by one that reads them all, and by the one that
played.
"""

from __future__ import annotations

from typing import Any

import pytest

from ledger.games.history import History
from ledger.games.past import PastStates
from ledger.games.snapshots import Snapshots, fingerprint
from ledger.kernel.facts.audience import BANKER
from ledger.kernel.journal.entry import read
from ledger.kernel.journal.timeline import Timeline
from ledger.reading.money.statements import StatementLine, statement
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.table.state import Negopoly
from ledger.service import Ledger
from ledger.store.database.errors import StoreUnavailable
from ledger.store.records import Selection
from ledger.store.store import Store
from tests.harness.storing import drop_snapshots
from tests.tables.ledgers import ANA, BOB, Clock, a_ledger, do, started

SEATS = ("ana", "bob", "cid")
SNAPSHOT, PAYMENTS = 12, 18
"""The only snapshot is at action 12; the payments go on up to action 18, where it is corrected."""


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Snapshots and states in memory every few actions, so that a short game has what a long one would."""
    for module in ("history", "past"):
        monkeypatch.setattr(f"ledger.games.{module}.EVERY", 4)
    for module in ("history", "games"):
        monkeypatch.setattr(f"ledger.games.{module}.SNAPSHOT_EVERY", SNAPSHOT)
    monkeypatch.setattr("ledger.games.history.CORRECTED_EVERY", 4)


def paid(ledger: Ledger) -> str:
    """A game in which Ana and Bob pay each other in turn, each time another amount. Cid is there, and watches."""
    game = started(ledger, *SEATS)
    pay(ledger, game, PAYMENTS)
    return game


def pay(ledger: Ledger, game: str, last: int) -> None:
    """Let Ana and Bob pay each other up to an action."""
    for number in range(ledger.moment(game).at + 1, last + 1):
        payer, payee = (ANA, "bob") if number % 2 else (BOB, "ana")
        do(ledger, game, payer, "transfer_money", to=payee, amount=number)


def folded(store: Store, game: str, known_at: int | None) -> dict[int, Negopoly]:
    """The state after each action, from the journal alone."""
    entries = [read(stored) for _, stored in store.journal.entries(game, Selection(limit=10_000))]
    last = known_at or len(entries)
    timeline = Timeline(entries, RULEBOOK.codec.event, last)
    states = {}
    for number in range(1, last + 1):
        states[number] = RULEBOOK.blank()
        for standing in timeline.effective(number):
            states[number].fold(standing.events)
    return states


def ends(lines: list[StatementLine]) -> dict[str, int | None]:
    """What is held of each commodity after the last of these lines."""
    held = {line.commodity: line.balance for line in lines}
    return {commodity: amount for commodity, amount in held.items() if amount}


def paying(by: int, payee: str) -> dict[str, Any]:
    """The edit by which the payment so many actions after the snapshot becomes one of ₦77 to this seat."""
    return {"op": "replace", "action": SNAPSHOT + by, "params": {"to": payee, "amount": 77}}


FORGOTTEN = {"kind": "transfer_money", "seat": "ana", "params": {"to": "bob", "amount": 77}}
EDITS = {
    "replaced before": paying(-1, "bob"),
    "replaced at": paying(0, "ana"),
    "replaced after": paying(1, "bob"),
    "another payee before": paying(-1, "cid"),
    "another payee at": paying(0, "cid"),
    "dropped at": {"op": "drop", "action": SNAPSHOT},
    "dropped after": {"op": "drop", "action": SNAPSHOT + 1},
    "inserted behind": {"op": "insert", "after": SNAPSHOT, "action": FORGOTTEN},
}
"""Corrections by where the first corrected action is from the snapshot."""


@pytest.mark.parametrize("kept", [True, False], ids=["all snapshots", "the old snapshot"])
@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_every_state_and_statement_of_a_corrected_game(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch, edit: dict[str, Any], kept: bool
) -> None:
    """Snapshots that are saved with and after a correction spare the fold; without them it is the same."""
    playing = a_ledger(store, clock)
    game = paid(playing)
    found = store.snapshots.latest(game, fingerprint(RULEBOOK))
    assert found is not None
    assert found[0] == SNAPSHOT
    if not kept:
        monkeypatch.setattr(Snapshots, "save", lambda *_: None)
    do(playing, game, BANKER, "correct", edits=[edit], cascade="restate", reason="misheard")
    do(playing, game, ANA, "transfer_money", to="bob", amount=5)
    reading = a_ledger(store, clock)
    for known_at in (None, PAYMENTS):
        for number, state in folded(store, game, known_at).items():
            if number < SNAPSHOT - 2:
                continue  # Nothing was corrected there.
            for ledger in (a_ledger(store, clock), reading, playing):
                moment = ledger.moment(game, at=number, known_at=known_at)
                assert moment.state.holdings.as_dict() == state.holdings.as_dict(), number
            for seat in SEATS:
                whole, _ = statement(moment, f"player:{seat}", limit=1000)
                assert ends(whole) == state.holdings.account(f"player:{seat}"), (number, seat)
    whole, _ = statement(reading.moment(game), "player:ana", limit=1000)
    for number in range(SNAPSHOT - 2, reading.moment(game).at + 1):
        rest, _ = statement(a_ledger(store, clock).moment(game), "player:ana", cursor=number, limit=1000)
        assert rest == [line for line in whole if _place(line) > number], number


def _place(line: StatementLine) -> int:
    """The action of the journal at which the line stands. The inserted payment stands behind the snapshot."""
    return line.number if line.action == line.number else SNAPSHOT


def test_a_correction_saves_the_corrected_past(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Of the actions that a correction touches, the last fourth one before it is saved, if there is one."""
    ledger = a_ledger(store, clock)
    game = started(ledger, *SEATS)
    for corrected, correction, saved in ((16, 17, 16), (13, 20, 16), (22, 25, 24), (26, 28, None)):
        pay(ledger, game, correction - 1)
        edit = {"op": "replace", "action": corrected, "params": {"to": "cid", "amount": 77}}
        do(ledger, game, BANKER, "correct", edits=[edit], reason="misheard")
        assert ledger.moment(game).newest.corrections[-1] == (correction, corrected)
        found = store.snapshots.latest(game, f"{fingerprint(RULEBOOK)}+{correction}")
        assert (found and found[0]) == saved

    drop_snapshots(store, game)
    record = store.games.get(game)
    assert record is not None

    def fail(*_: object, **__: object) -> None:
        raise StoreUnavailable("the database did not answer")

    monkeypatch.setattr(store.journal, "runs", fail)
    History(store, record, RULEBOOK, PastStates()).refold_snapshots(ledger.moment(game).newest.corrections)
    assert caplog.messages == []
    History(store, record, RULEBOOK, PastStates()).refold_snapshots(((25, 22),))
    assert caplog.messages == [f"no snapshots of the corrected past of game {game}"]
