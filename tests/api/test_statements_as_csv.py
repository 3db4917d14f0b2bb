"""Statements as CSV: the same lines as in JSON, with names, for everybody as they may see them."""

from __future__ import annotations

import csv
import io

import pytest

from ledger.reading.money.statements import COLUMNS
from ledger.service import Ledger
from tests.replays import shelf
from tests.tables.over_http import Caller, HttpTable, problem


@pytest.fixture
def mended(started: HttpTable) -> HttpTable:
    """Ana gives Bob ₦100 (7), 40 (8), 30 (9) and 7 (12).

    The banker drops 8 and makes 35 of the 30 (10), and inserts a gift of ₦5 by Bob after 7 (11).
    """
    for amount in (100, 40, 30):
        started.ana.play("transfer_money", to="bob", amount=amount)
    misheard = {"op": "replace", "action": 9, "params": {"to": "bob", "amount": 35}}
    five = {"kind": "transfer_money", "seat": "bob", "params": {"to": "ana", "amount": 5}}
    for edits in ([{"op": "drop", "action": 8}, misheard], [{"op": "insert", "after": 7, "action": five}]):
        asked = {"edits": edits, "cascade": "restate", "reason": "it was misheard"}
        assert started.banker.post("corrections", asked).status_code == 201
    started.ana.play("transfer_money", to="bob", amount=7)
    return started


def rows_of(caller: Caller, query: str = "accounts/player:ana/statement?format=csv", **headers: str) -> list[dict]:
    answer = caller.get(query, **headers)
    assert answer.status_code == 200, answer.text
    assert answer.content_type == "text/csv; charset=utf-8; header=present"
    return list(csv.DictReader(io.StringIO(answer.text, newline="")))


def test_a_statement_as_csv(mended: HttpTable) -> None:
    """Ana's account as it counts now, with the names of things: 1650 - 100 + 5 - 35 - 7 = 1513."""
    found = rows_of(mended.ana)
    assert tuple(found[0]) == COLUMNS
    assert [(row["action"], row["amount"], row["balance"]) for row in found[-4:]] == [
        ("7", "-100", "1550"),
        ("11.1", "5", "1555"),
        ("9", "-35", "1520"),
        ("12", "-7", "1513"),
    ]
    inserted = found[-3]
    assert (inserted["account"], inserted["account_name"]) == ("player:ana", "Ana")
    assert (inserted["counterparty"], inserted["counterparty_name"]) == ("player:bob", "Bob")
    assert (inserted["commodity"], inserted["commodity_name"]) == ("NGD", "₦")
    assert inserted["text"] == "Bob gives ₦5 to Ana."
    assert inserted["recorded_at"].endswith("Z")
    french = rows_of(mended.ana, Accept_Language="fr")
    assert french[-3]["text"] == "Bob donne 5 ₦ à Ana."
    assert french[0]["counterparty_name"] == "la banque"


@pytest.mark.parametrize("query", ["", "commodity=NGD", "at=9", "known_at=9", "at=8&known_at=11"])
def test_the_lines_are_those_of_json_for_every_viewer(mended: HttpTable, query: str) -> None:
    """Every caller gets the same lines in both forms, at any moment; however many, the table has all of them."""
    for caller in (mended.banker, mended.ana, mended.bob, mended.spectator):
        told = caller.get(f"accounts/player:ana/statement?limit=200&{query}").json["lines"]
        found = rows_of(caller, f"accounts/player:ana/statement?format=csv&limit=1&{query}")
        assert len(found) == len(told)
        for row, line in zip(found, told, strict=True):
            for name in (
                "action",
                "number",
                "kind",
                "rule",
                "text",
                "counterparty",
                "commodity",
                "amount",
                "balance",
            ):
                assert row[name] == ("" if line[name] is None else str(line[name]))


def test_a_client_that_accepts_csv_gets_csv(mended: HttpTable) -> None:
    path = "accounts/player:ana/statement"
    assert rows_of(mended.ana, path, Accept="text/csv") == rows_of(mended.ana)
    answer = mended.ana.get(f"{path}?format=csv")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="statement-player-ana.csv"'
    assert mended.ana.get(path, Accept="text/csv", If_None_Match=answer.headers["ETag"]).status_code == 304
    assert mended.ana.get(path, If_None_Match=answer.headers["ETag"]).content_type == "application/json"
    problem(mended.ana.get(f"{path}?format=xlsx"), 422, "invalid-request")
    problem(mended.ana.get("accounts/no:such/statement?format=csv"), 404, "not-found")


def test_the_export_has_the_statement_of_every_account(ledger: Ledger, mended: HttpTable) -> None:
    """The files are those that the accounts give one by one, for the banker and for a player."""
    for caller, sees_all in ((mended.banker, True), (mended.ana, False)):
        files = shelf.unpacked(caller.get("export?format=statements").data)
        assert {"statement-player-ana.csv", "statement-player-bob.csv", "statement-bank.csv"} <= set(files)
        for account in ("player:ana", "player:bob", "bank"):
            one = caller.get(f"accounts/{account}/statement?format=csv").data
            assert files[f"statement-{account.replace(':', '-')}.csv"] == one
        if sees_all:
            held = ledger.moment(mended.game).newest.holdings
            assert set(files) >= {f"statement-{one.replace(':', '-')}.csv" for one, kept in held.items() if kept}
