"""A game whose journal was rewritten after it was signed: every request reads it, or says what is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from api.rest.application import Config, create_app
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger
from ledger.store.database.connection import connect
from ledger.store.store import Store
from ledger.trust.keys import Keys
from replays import exports
from tests.command.service import here
from tests.tables.over_http import HttpTable, problem
from tests.trust.tampering import Owner


class Rewritten(NamedTuple):
    """A service on a game in which Ana has paid Bob 15, since somebody rewrote the 150 that was signed.

    `number` is the rewritten action. `there` is what a command needs to find the database and the keys.
    """

    table: HttpTable
    number: int
    there: dict[str, str]


@pytest.fixture
def rewritten(new_database: Callable[..., str], tmp_path: Path) -> Iterator[Rewritten]:
    database, keys = new_database(), Keys.ensure(tmp_path / "signing-keys")
    engine = connect(database)
    store = Store(engine)
    with create_app(Ledger(store, rulebooks_by_id(), keys=lambda: keys), Config()).test_client() as client:
        first = HttpTable.created(client, "ana", "bob", "cid").start()
        paid = first.ana.play("transfer_money", to="bob", amount=150)["number"]
        first.bob.play("transfer_money", to="ana", amount=20)
        assert first.ana.get("checkpoint").status_code == 200
    owner = Owner(database)
    owner.rewrite_entry(first.game, paid, b"150", b"15", hashed=True)
    owner.rewrite_events(first.game, paid, "150", "15")
    owner.close()
    with create_app(Ledger(store, rulebooks_by_id(), keys=lambda: keys), Config()).test_client() as client:
        table = HttpTable(client, first.game, first.tokens)
        there = {"DATABASE_URL": database, "MABLIGOP_SIGNING_KEYS": str(tmp_path / "signing-keys")}
        yield Rewritten(table, paid, there)
    engine.dispose()


def test_its_log_is_refused_with_the_reason(rewritten: Rewritten) -> None:
    """Before the first byte is sent. So is whatever would be signed over it."""
    for caller in (rewritten.table.banker, rewritten.table.ana, rewritten.table.spectator):
        for path in ("export?format=log", "checkpoint", f"proofs/{rewritten.number}"):
            told = problem(caller.get(path), 409, "journal-not-as-signed")
            assert "not the one over which a checkpoint was signed" in told["detail"]
    problem(rewritten.table.banker.get("export?format=jsonl"), 409, "journal-not-as-signed")


def test_it_is_read(rewritten: Rewritten) -> None:
    """By every resource that needs nothing signed, and in every format that proves nothing."""
    banker = rewritten.table.banker
    for path in (
        "",
        "state",
        "actions",
        "moves?seat=all",
        "audit",
        "names",
        "agreements",
        "why?account=bank&commodity=NGD",
    ):
        assert banker.get(path).status_code == 200, path
    for form in exports.FORMATS.keys() - {"log", "jsonl"}:
        assert banker.get(f"export?format={form}").status_code == 200, form


def test_no_resource_fails(rewritten: Rewritten) -> None:
    """Whoever asks for whatever gets an answer that is no failure of the service."""
    table = rewritten.table
    values = {"number": str(rewritten.number), "account": "bank", "kind": "roll_dice", "credential": "none"}
    rules = [one for one in table.client.application.url_map.iter_rules() if "<game>" in one.rule]
    assert len(rules) > 30
    for rule in rules:
        path = re.sub(r"<(?:\w+:)?(\w+)>", lambda name: values.get(name[1], "1"), rule.rule.split("<game>")[1])
        for caller in (table.banker, table.ana):
            if "GET" in (rule.methods or ()) and not path.endswith("stream"):
                assert caller.get(path.lstrip("/")).status_code < 500, rule
            if "POST" in (rule.methods or ()):
                assert caller.post(path.lstrip("/"), {}).status_code < 500, rule


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("actions", {"kind": "transfer_money", "params": {"to": "ana", "amount": 1}}),
        ("undo", {"reason": "a slip"}),
        ("disputes", {"claim": "It was 150"}),
    ],
)
def test_nothing_is_written_to_it(rewritten: Rewritten, path: str, asked: dict[str, Any]) -> None:
    version = rewritten.table.version
    problem(rewritten.table.bob.post(path, asked), 409, "journal-not-as-signed")
    assert rewritten.table.version == version


def test_the_commands_say_plainly_what_is_wrong(rewritten: Rewritten, tmp_path: Path) -> None:
    """A book of it is written, a log or a journal with a signature is not; a backup keeps what is there."""
    game, there = rewritten.table.game, rewritten.there
    wrong = "not the one over which a checkpoint was signed"
    for form in ("log", "jsonl"):
        ran = here("export", game, "--format", form, "-o", tmp_path / form, **there)
        assert (ran.returncode, wrong in ran.stderr) == (10, True), ran.stderr
        assert not (tmp_path / form).exists()
    proved = here("prove", game, str(rewritten.number), "-o", tmp_path / "receipt", **there)
    assert (proved.returncode, wrong in proved.stderr) == (10, True), proved.stderr
    assert here("export", game, "--format", "csv", "-o", tmp_path / "tables", **there).returncode == 0
    verified = here("verify", game, **there)
    assert (verified.returncode, wrong in verified.stdout) == (10, True), verified.stdout
    assert here("backup", tmp_path / "backup.zip", "--without-keys", **there).returncode == 0
