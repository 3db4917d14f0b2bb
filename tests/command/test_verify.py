"""`mabligop verify`: a line for each finding, and an exit code that scripts can ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from api.command.verifying import verify_file
from ledger.kernel.rules.revisions import Revision
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.service import Ledger
from ledger.store.database.connection import connect
from ledger.store.store import Store
from replays.journal_file import JournalFile
from tests.command.service import here
from tests.harness.storing import whole_of
from tests.replays.shelf import write_file
from tests.tables.ledgers import ANA, a_ledger, do, started
from tests.trust.tampering import Owner

pytestmark = pytest.mark.xdist_group("command")


@pytest.fixture
def database_url(new_database: Callable[..., str]) -> str:
    """A database of its own for each test, because all its games are verified."""
    return new_database()


@pytest.fixture
def ledger(database_url: str) -> Iterator[Ledger]:
    engine = connect(database_url)
    yield a_ledger(Store(engine))
    engine.dispose()


@pytest.fixture
def game(ledger: Ledger) -> str:
    """Ana pays 150 with action 7."""
    game = started(ledger, "ana", "bob")
    do(ledger, game, ANA, "transfer_money", to="bob", amount=150)
    return game


def test_whole_journals_have_no_findings(ledger: Ledger, game: str, database_url: str) -> None:
    started(ledger, "ana", "bob")
    for asked, said in (((), "2 games and 13 actions"), ((game, "--decide"), "1 game and 7 actions")):
        verified = here("verify", *asked, DATABASE_URL=database_url)
        assert (verified.returncode, verified.stdout) == (0, f"Verified {said}: no findings.\n"), verified.stderr


def test_findings_name_the_game_and_the_action(ledger: Ledger, game: str, database_url: str) -> None:
    whole = started(ledger, "ana", "bob")
    owner = Owner(database_url)
    owner.rewrite_entry(game, 7, b"150", b"999")
    owner.close()
    verified = here("verify", DATABASE_URL=database_url)
    assert verified.returncode == 10
    assert verified.stdout.splitlines()[0] == (
        f"game {game}, action 7: its bytes do not have the hash that was stored with them"
    )
    assert whole not in verified.stdout
    assert "Verified 2 games and 13 actions: " in verified.stderr
    assert here("verify", whole, DATABASE_URL=database_url).returncode == 0


@pytest.mark.soak
def test_two_processes_find_what_one_finds(ledger: Ledger, game: str, database_url: str) -> None:
    """They share the games. Of a single one, one compares the rows, and the other folds."""
    other = started(ledger, "ana", "bob")
    owner = Owner(database_url)
    owner.rewrite_entry(game, 7, b"150", b"0", hashed=True)
    owner.rewrite_events(other, 5, "kind", "sort")
    owner.close()
    for games in ((), (game,)):
        one, two = (here("verify", *games, "--processes", n, DATABASE_URL=database_url) for n in ("1", "2"))
        assert (one.returncode, two.returncode) == (10, 10)
        assert sorted(one.stdout.splitlines()) == sorted(two.stdout.splitlines())
        assert "action 7: it cannot have happened" in two.stdout


def test_what_only_deciding_again_can_find_is_found(game: str, database_url: str) -> None:
    owner = Owner(database_url)
    for old, new in ((b'["NGD",150,', b'["NGD",999,'), (b'"amount":150,"kind"', b'"amount":999,"kind"')):
        owner.rewrite_entry(game, 7, old, new, hashed=True)
    owner.rewrite_events(game, 7, "150", "999")
    owner.close()
    assert here("verify", DATABASE_URL=database_url).returncode == 0
    verified = here("verify", "--decide", DATABASE_URL=database_url)
    assert verified.returncode == 10
    assert f"game {game}, action 7: decided again, event 10 comes out otherwise" in verified.stdout


def test_an_unknown_game_and_a_missing_database_are_named(database_url: str, tmp_path: Path) -> None:
    unknown = here("verify", "nowhere", DATABASE_URL=database_url)
    assert (unknown.returncode, unknown.stdout) == (8, "")
    assert "There is no game nowhere in the database" in unknown.stderr
    assert here("verify", "--home", tmp_path / "mistyped").returncode == 5


def test_an_import_refuses_what_the_rules_do_not_give_unless_told_to_take_it(
    ledger: Ledger, game: str, new_database: Callable[..., str], database_url: str, tmp_path: Path
) -> None:
    file, elsewhere = tmp_path / "forged.jsonl", new_database()
    assert here("export", game, "-o", file, DATABASE_URL=database_url).returncode == 0
    journal = JournalFile(file)
    changes = ((b'["NGD",150,', b'["NGD",160,'), (b'"amount":150,"kind"', b'"amount":160,"kind"'))
    entries = [whole_of(one) for one in journal.entries()]
    for old, new in changes:
        entries[6] = entries[6].replace(old, new)
    write_file(file, journal.header, entries)
    refused = here("import", file, DATABASE_URL=elsewhere)
    assert (refused.returncode, refused.stdout) == (10, "")
    assert "action 7: decided again, event 10 comes out otherwise: money_transferred: " in refused.stderr
    assert "earlier version whose rules have changed since; nothing was imported" in refused.stderr
    taken = here("import", file, "--as-recorded", DATABASE_URL=elsewhere)
    assert taken.returncode == 0, taken.stderr
    assert "action 7: decided again, event 10 comes out otherwise" in taken.stderr
    assert here("verify", DATABASE_URL=elsewhere).returncode == 0


def test_entries_decided_under_older_rules_are_counted(
    ledger: Ledger,
    game: str,
    new_database: Callable[..., str],
    database_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of any gift, only 100 move by the rules of today."""
    rows = (*RULEBOOK.revisions, Revision(len(RULEBOOK.revisions) + 1, "…", ("transfer_money",)))
    monkeypatch.setattr(RULEBOOK, "revisions", rows)
    decided = RULEBOOK.actions["transfer_money"].decide

    def of_today(gift: Any, draft: Any) -> None:
        decided(replace(gift, amount=100), draft)

    monkeypatch.setattr(RULEBOOK.actions["transfer_money"], "decide", of_today)
    counted = "; 1 entry decided under older rules"
    verified = here("verify", "--decide", DATABASE_URL=database_url)
    assert (verified.returncode, verified.stdout) == (0, f"Verified 1 game and 7 actions{counted}: no findings.\n")
    file, elsewhere = tmp_path / "older.jsonl", new_database()
    assert here("export", game, "-o", file, DATABASE_URL=database_url).returncode == 0
    journal = JournalFile(file)
    unsigned = replace(journal.header, checkpoint=UNSET)
    write_file(file, unsigned, [whole_of(one) for one in journal.entries()])
    checked = verify_file(file, (), (), decide=True)
    assert f"7 actions{counted}" in checked.subject
    assert checked.faults == ("it has no checkpoint: only its own hashes were verified",)
    imported = here("import", file, DATABASE_URL=elsewhere)
    assert imported.returncode == 0, imported.stderr
    assert imported.stdout.splitlines()[0].endswith(f" events{counted}.")
