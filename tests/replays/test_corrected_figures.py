"""Statements and tables of corrected games of every rulebook: they add up, and name inserted actions alike."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.refusals import Refusal
from ledger.reading.money.statements import StatementLine, statement
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Command, Ledger
from ledger.store.records import Selection
from tests.replays import shelf

pytestmark = pytest.mark.xdist_group("tables")

Row = dict[str, Any]


@pytest.fixture(scope="module", params=sorted(rulebooks_by_id()))
def corrected(request: pytest.FixtureRequest, ledger: Ledger) -> str:
    """A game of bots with actions that were dropped, inserted, and inserted after an inserted one.

    What is inserted is a repetition of an action that moved something, or else a gift of the bank.
    """
    game = shelf.simulate(ledger, request.param, seed=61, actions=120)
    chance = random.Random(61)
    numbers = list(range(20, ledger.moment(game).version))
    chance.shuffle(numbers)
    done: Counter[str] = Counter()
    for number in numbers:
        if min(done["insert"], done["drop"], done["again"]) >= 2:
            break
        entry = ledger.moment(game).game.history.entry(number)
        if not any(json.loads(bytes(event)).get("postings") for event in entry.events):
            continue
        params = json.loads(bytes(entry.params))
        again = {"kind": entry.kind, "seat": entry.seat, "params": params}
        for action in (again, _gift(ledger, game)):
            edit = {"op": "insert", "after": number, "action": action}
            if done["insert"] < 2 and _correct(ledger, game, edit):
                done["insert"] += 1
                inserted = f"{ledger.moment(game).version}.1"
                if done["again"] < 2:
                    done["again"] += _correct(ledger, game, {**edit, "after": inserted})
                break
        if done["drop"] < 2 and _correct(ledger, game, {"op": "drop", "action": number}):
            done["drop"] += 1
    assert min(done["insert"], done["drop"], done["again"]) >= 1, done
    return game


def _gift(ledger: Ledger, game: str) -> Row:
    """A ruling by which the bank gives the first seat some money."""
    moment = ledger.moment(game)
    rulebook, seat = moment.game.rulebook, next(iter(moment.newest.seats))
    posting = {
        "from": "bank",
        "to": rulebook.accounts.purse(seat),
        "commodity": rulebook.accounts.currency,
        "amount": 1,
    }
    remedy = {"op": "adjust", "postings": [posting], "reason": "an oversight"}
    return {"kind": "rule", "seat": None, "params": {"finding": "So it is.", "remedies": [remedy]}}


def _correct(ledger: Ledger, game: str, edit: Row) -> bool:
    with suppress(Refusal):
        params = {"edits": [edit], "cascade": "restate", "reason": "it was misheard"}
        ledger.perform(game, BANKER, Command(kind="correct", params=params))
        return True
    return False


def lines_of(ledger: Ledger, game: str, account: str, viewer: Viewer = BANKER) -> list[StatementLine]:
    """The whole statement, read in small pages."""
    moment = ledger.moment(game, viewer)
    lines: list[StatementLine] = []
    after: int | None = 0
    while after is not None:
        more, after = statement(moment, account, cursor=after, limit=7)
        lines += more
    return lines


def table(ledger: Ledger, game: str, name: str, folder: Path) -> list[Row]:
    return shelf.rows(shelf.exported(ledger, game, "parquet", table=name), "parquet", folder)


def test_the_actions_have_the_names_of_the_history(ledger: Ledger, corrected: str, tmp_path: Path) -> None:
    """Recorded actions are there once, by their number; inserted ones by a name such as 130.1, at their place."""
    actions = table(ledger, corrected, "actions", tmp_path)
    standings = list(shelf.timeline_of(ledger, corrected).entries())
    assert [(row["action"], row["status"]) for row in actions] == [(one.name, one.status) for one in standings]
    names = [row["action"] for row in actions]
    recorded = [number for number, _ in ledger.store.journal.entries(corrected, Selection(limit=10_000))]
    assert [int(name) for name in names if "." not in name] == recorded
    assert any("." in name for name in names)
    # An action that comes right after an inserted one names it, and every inserted one stands after what it names.
    assert any("." in row["after"] for row in actions if row["after"] is not None)
    assert all(names.index(row["after"]) < row["position"] - 1 for row in actions if row["after"] is not None)
    assert all(row["sentence"] for row in actions if row["status"] == "effective" and row["kind"] != "correct")


def test_a_statement_has_the_postings_of_the_table(ledger: Ledger, corrected: str, tmp_path: Path) -> None:
    """For every account: the same actions and amounts in the same order, up to the holdings of the game."""
    postings = [row for row in table(ledger, corrected, "postings", tmp_path) if row["counts"]]
    balances = table(ledger, corrected, "balances", tmp_path)
    held = shelf.holdings_of(ledger.moment(corrected).newest)
    accounts = {row[end] for row in postings for end in ("source", "target")}
    assert {account for account, _ in held} <= accounts
    inserted = 0
    for account in sorted(accounts):
        lines = lines_of(ledger, corrected, account)
        assert [(str(line.action), line.commodity, line.amount, line.counterparty) for line in lines] == [
            (row["action"], row["commodity"], sign * row["amount"], row[other])
            for row in postings
            for end, other, sign in (("source", "target", -1), ("target", "source", 1))
            if row[end] == account
        ]
        last = {line.commodity: line.balance for line in lines}
        assert {commodity: amount for commodity, amount in last.items() if amount} == {
            commodity: amount for (holder, commodity), amount in held.items() if holder == account
        }
        ran = {(row["action"], row["commodity"]): row["balance"] for row in balances if row["account"] == account}
        assert {(str(line.action), line.commodity): line.balance for line in lines} == ran
        inserted += sum("." in str(line.action) for line in lines)
    assert inserted


def test_a_view_has_no_line_that_the_banker_does_not_have(ledger: Ledger, corrected: str) -> None:
    """What a player reads of anybody's statement is in the banker's; of what is veiled, how many there are."""
    moment = ledger.moment(corrected)
    lines = 0
    for owner, reader in product(moment.newest.seats, repeat=2):
        for account in moment.rulebook.accounts.accounts_of(owner):
            whole = lines_of(ledger, corrected, account)
            veils = {moment.rulebook.secrets.veil(line.commodity) for line in whole}
            moved = {(line.action, line.counterparty, line.commodity, line.amount, line.balance) for line in whole}
            under = Counter[tuple[str, str, bool]]()
            for line in whole:
                under[str(line.action), line.counterparty, line.amount > 0] += abs(line.amount)
            for line in lines_of(ledger, corrected, account, Viewer("player", reader)):
                lines += 1
                if line.commodity in veils:
                    assert under[str(line.action), line.counterparty, line.amount > 0] >= abs(line.amount)
                elif line.balance is None:
                    assert owner != reader
                    assert (line.action, line.counterparty, line.commodity, line.amount) in {
                        one[:4] for one in moved
                    }
                else:
                    assert (line.action, line.counterparty, line.commodity, line.amount, line.balance) in moved
    assert lines


def test_the_books_of_a_corrected_game_are_right(ledger: Ledger, corrected: str, tmp_path: Path) -> None:
    """Beancount verifies the balances, also with actions that were inserted after inserted ones."""
    book = tmp_path / "game.beancount"
    book.write_bytes(shelf.exported(ledger, corrected, "beancount"))
    assert shelf.bean_check(book) == ""
    assert re.search(r'^  after: "\d+\.1"$', book.read_text(encoding="utf-8"), re.MULTILINE)
