"""What an action makes due at once, on real Postgres: it is appended together with the action, or nothing is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from api.rest.application import Config, create_app
from ledger.kernel.deciding.due import MOST_AT_ONCE
from ledger.kernel.facts.audience import BANKER
from ledger.kernel.facts.state import Seat
from ledger.service import Command, Ledger, Performed, StaleVersion, Undo
from ledger.store.database.connection import connect
from ledger.store.records import ActionRecord, Outcome
from ledger.store.store import Store
from replays.journal_file import JournalFile
from tests.kernel.patience import RULES
from tests.tables.ledgers import ANA, BOB, Clock, chance_of_a_test
from tests.tables.over_http import Caller, HttpTable, version_of

PASS = Command(kind="pass")


def a_ledger(store: Store, clock: Clock) -> Ledger:
    return Ledger(store, {RULES.id: RULES}, clock=clock, chance=chance_of_a_test())


@pytest.fixture
def ledger(store: Store) -> Ledger:
    return a_ledger(store, Clock(step=1))


def created(ledger: Ledger, **settings: Any) -> str:
    players = [Seat("ana", "Ana"), Seat("bob", "Bob")]
    return ledger.create(RULES.id, title=None, players=players, settings=settings, dice="service").game


@pytest.fixture
def game(ledger: Ledger) -> str:
    """Ana has passed, and Bob has not, at version 2."""
    game = created(ledger)
    ledger.perform(game, ANA, PASS)
    return game


def kinds(ledger: Ledger, game: str) -> list[str]:
    head = ledger.moment(game)
    return [one.kind for one in head.game.history.entries_between(1, head.version)][2:]


ROUND = ["pass", "turn_up", "begin_round"]


def test_the_answer_is_the_requested_action_and_the_version_that_of_the_last(ledger: Ledger, game: str) -> None:
    done = ledger.perform(game, BOB, PASS, expected=2)
    assert (done.entry.kind, done.entry.number, done.version) == ("pass", 3, 5)
    assert kinds(ledger, game) == ROUND
    with pytest.raises(StaleVersion):
        ledger.perform(game, ANA, PASS, expected=3)
    assert ledger.perform(game, ANA, PASS, expected=5).version == 6


def test_a_repeated_request_has_the_first_answer(ledger: Ledger, game: str) -> None:
    first = ledger.perform(game, BOB, PASS, key="k")
    ledger.perform(game, ANA, PASS)
    again = ledger.perform(game, BOB, PASS, key="k")
    assert again.replayed
    assert (again.entry, again.version) == (first.entry, first.version)
    assert len(kinds(ledger, game)) == 4


def test_a_lost_race_writes_nothing_and_all_is_decided_again(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ana passes in another process while Bob's pass is appended, so Bob's is the last one now."""
    ledger, other = a_ledger(store, clock), a_ledger(store, clock)
    game = created(ledger)
    append = store.journal.append

    def late(game_id: str, action: ActionRecord) -> Outcome:
        monkeypatch.undo()
        other.perform(game, ANA, PASS)
        return append(game_id, action)

    monkeypatch.setattr(store.journal, "append", late)
    done = ledger.perform(game, BOB, PASS)
    assert (done.entry.number, done.version) == (3, 5)
    assert kinds(ledger, game) == kinds(other, game) == ROUND


def test_a_dry_run_shows_the_requested_action_alone(ledger: Ledger, game: str, store: Store) -> None:
    shown = ledger.preview(game, BOB, PASS)
    assert (shown.entry.kind, shown.version) == ("pass", 2)
    assert store.journal.head(game) == 2


def test_an_undo_without_a_name_means_what_was_asked_for(ledger: Ledger, game: str) -> None:
    """The correction needs no cascade, and the redo brings back the card that was turned up."""
    ledger.perform(game, BOB, PASS)
    before = ledger.moment(game).newest
    undone: Performed = ledger.correcting.take_back(game, BANKER, Undo(way="undo", reason="a slip"))
    assert undone.version == 6
    now = ledger.moment(game).newest
    assert (now.round, now.passed) == (1, {"ana"})
    ledger.correcting.take_back(game, BANKER, Undo(way="redo", reason="it was right"))
    now = ledger.moment(game).newest
    assert (now.round, now.holdings) == (2, before.holdings)
    assert ledger.perform(game, ANA, PASS).version == 8


def test_a_game_that_begins_with_something_due_begins_with_it(ledger: Ledger) -> None:
    assert ledger.moment(created(ledger, bells=True)).version == 1 + MOST_AT_ONCE


def test_a_fork_between_an_action_and_what_it_made_due_goes_on(ledger: Ledger, game: str) -> None:
    ledger.perform(game, BOB, PASS)
    forked = ledger.forking.fork(game, 3).game
    assert kinds(ledger, forked) == ROUND
    assert ledger.moment(forked).newest.round == 2
    assert kinds(ledger, ledger.forking.fork(game, 5).game) == ROUND


def test_an_imported_journal_is_decided_again_with_the_cards_that_were_put_back(
    ledger: Ledger, game: str, new_database: Callable[..., str], tmp_path: Path
) -> None:
    """Bob draws two cards; the banker makes it one, and then none. He passes, and the first card is turned up."""
    drawn = ledger.perform(game, BOB, Command(kind="draw_card", params={"count": 2})).entry
    for edit in ({"op": "replace", "action": 3, "params": {"count": 1}}, {"op": "drop", "action": 3}):
        params = {"edits": [edit], "cascade": "refuse", "reason": "a slip"}
        ledger.perform(game, BANKER, Command(kind="correct", params=params))
    ledger.perform(game, BOB, PASS)
    assert ledger.moment(game).newest.holdings.holder(f"card:{drawn.draws['card'][0]}") == "table"
    assert kinds(ledger, game)[-3:] == ROUND
    with create_app(ledger, Config()).test_client() as client:
        (banker,) = (one.credential_id for one in ledger.tokens.issued(game) if one.role == "banker")
        replaced = ledger.tokens.replace(game, banker)
        assert replaced is not None
        exported = Caller(client, game, replaced.token).get("export?format=jsonl")
    (tmp_path / "game.jsonl").write_bytes(exported.data)
    file = JournalFile(tmp_path / "game.jsonl")
    there = a_ledger(Store(connect(new_database())), Clock())
    imported = there.importing.import_game(file.header.exported_game, file.entries)
    assert (imported.actions, imported.differences) == (ledger.moment(game).version, ())


def test_over_http_everybody_reads_all_entries(ledger: Ledger) -> None:
    with create_app(ledger, Config()).test_client() as client:
        table = HttpTable.created(client, rulebook=RULES.id, settings={}, dice="service")
        table.ana.play("pass")
        answer = table.bob.act("pass")
        assert (answer.status_code, answer.json["number"], version_of(answer)) == (201, 3, 5)
        told = table.spectator.get("actions?order=oldest").json["actions"]
        assert [(one["kind"], one["by"]) for one in told][3:] == [("turn_up", "system"), ("begin_round", "system")]
