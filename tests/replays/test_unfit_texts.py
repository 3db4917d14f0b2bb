"""Exports of a game from before there was a rule for texts: whatever it holds, the files are clean."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from api.rest.application import Config, create_app
from ledger.kernel.arbitration.docket import dispute
from ledger.kernel.facts import texts
from ledger.kernel.facts.audience import BANKER
from ledger.kernel.facts.state import Seat
from ledger.reading.money.spreadsheets import FORMULA
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Command, Ledger
from tests.replays import shelf
from tests.tables.ledgers import ANA, BOB, SPECTATOR, start, started

pytestmark = pytest.mark.xdist_group("books")

CONTROLS = "".join(map(chr, (*range(0x20), *range(0x7F, 0xA0))))
BACKWARDS = "\N{RIGHT-TO-LEFT OVERRIDE}sdrawkcab\N{FIRST STRONG ISOLATE}\ufeff"
A_DIRECTIVE = '\r\n2026-01-01 open Assets:Evil\n; comment:\n2026-01-01 * "x" | y ; z\x85and \u2028 on'
A_DATE = "date:2026-99-99, [99/99] {1} #tag ^link \\ \\\" '"
A_SCRIPT = "</script><script>alert(1)</script><!-- --> &lt;"
TITLE = f"=1+1 {BACKWARDS} {A_DIRECTIVE} \x1b[2J {A_SCRIPT}"


@pytest.fixture(scope="module")
def old(ledger: Ledger) -> tuple[str, str]:
    """The game, and its banker's token: names, a claim, a finding, reasons and a waiver with everything."""
    with pytest.MonkeyPatch.context() as earlier:
        earlier.setattr(texts, "encoded", msgspec.json.encode)
        earlier.setattr("ledger.acting.creating.require_names", lambda _: None)
        names = [f"\N{FULLWIDTH EQUALS SIGN}A{CONTROLS}", f"@{BACKWARDS}{A_SCRIPT}"]
        created = ledger.create(
            "negopoly",
            title=TITLE,
            players=[Seat(seat, name) for seat, name in zip(("ana", "bob"), names, strict=True)],
            settings={},
            dice="table",
        )
        game = start(ledger, created.game, "ana", "bob")

        def act(viewer: Any, kind: str, *, override: str | None = None, **params: Any) -> None:
            ledger.perform(game, viewer, Command(kind=kind, params=params, override=override))

        act(ANA, "transfer_money", to="bob", amount=100)
        act(ANA, "transfer_money", to="bob", amount=40)
        act(BOB, "transfer_money", to="ana", amount=1800 - 50)
        act(BOB, "open_dispute", claim=f"-1{CONTROLS}{BACKWARDS}", actions=[7])
        act(BOB, "add_statement", dispute="10", text=f"+2{A_DIRECTIVE}{A_DATE}")
        act(BANKER, "rule", dispute="10", finding=f"\t=3{CONTROLS}{BACKWARDS}{A_DIRECTIVE}{A_DATE}{A_SCRIPT}")
        drop = [{"op": "drop", "action": 8}]
        act(BANKER, "correct", edits=drop, cascade="restate", reason=f"={A_DATE}{CONTROLS}{A_DIRECTIVE}")
        override = f"\N{FULLWIDTH PLUS SIGN}{A_DATE}{CONTROLS}{BACKWARDS}{A_DIRECTIVE}"
        ledger.perform(
            game, BANKER, Command(kind="roll_dice", params={"dice": [1, 2]}, seat="ana", override=override)
        )
    return game, created.tokens.banker


def assert_clean(content: bytes) -> None:
    text = content.decode()
    assert texts.unfit(text.replace("\r\n", "\n")) is None
    assert "\N{REPLACEMENT CHARACTER}" in text


def assert_safe_table(content: bytes) -> None:
    """Every row has all columns, and no cell is taken for a formula. Negative numbers are numbers."""
    header, *rows = csv.reader(io.StringIO(content.decode(), newline=""), strict=True)
    for row in rows:
        assert len(row) == len(header)
        for cell in row:
            assert not cell.startswith(FORMULA) or cell[1:].isdecimal(), cell
            assert texts.unfit(cell.replace("\r\n", "\n")) is None


@pytest.mark.parametrize("viewer", [BANKER, SPECTATOR], ids=["whole", "view"])
def test_bookkeeping_programs_accept_the_books(
    ledger: Ledger, old: tuple[str, str], tmp_path: Path, viewer: Any
) -> None:
    bean, journal = tmp_path / "book.beancount", tmp_path / "book.journal"
    bean.write_bytes(shelf.exported(ledger, old[0], "beancount", viewer))
    journal.write_bytes(shelf.exported(ledger, old[0], "hledger", viewer))
    assert_clean(bean.read_bytes())
    assert_clean(journal.read_bytes())
    assert shelf.bean_check(bean) == ""
    shelf.hledger(journal, "check", "--strict", "ordereddates")
    assert b"\n2026-01-01 open Assets:Evil" not in bean.read_bytes()
    if viewer is BANKER:
        ours = shelf.holdings_of(ledger.moment(old[0]).newest)
        assert shelf.bean_holdings(bean) == ours
        assert shelf.hledger_holdings(journal) == ours


@pytest.mark.parametrize("viewer", [BANKER, SPECTATOR], ids=["whole", "view"])
@pytest.mark.parametrize("form", ["csv", "statements"])
def test_tables_are_read_row_by_row(ledger: Ledger, old: tuple[str, str], form: str, viewer: Any) -> None:
    files = shelf.unpacked(shelf.exported(ledger, old[0], form, viewer))
    for name, content in files.items():
        if name.endswith(".csv"):
            assert_safe_table(content)
    assert_clean(b"".join(files[name] for name in files if name.endswith(".csv")))
    if form == "csv" and viewer is BANKER:
        rows = csv.DictReader(io.StringIO(files["actions.csv"].decode(), newline=""))
        params = next(json.loads(row["params"]) for row in rows if row["kind"] == "rule" and row["params"])
        assert params["finding"].startswith("\t=3\0"), "in JSON an escape is no control character"


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_audit_is_read_row_by_row(ledger: Ledger, old: tuple[str, str], language: str) -> None:
    client = create_app(ledger, Config()).test_client()
    headers = {"Authorization": f"Bearer {old[1]}", "Accept-Language": language}
    content = client.get(f"/api/v1/games/{old[0]}/audit?format=csv", headers=headers).data
    assert_safe_table(content)
    assert_clean(content)


@pytest.mark.parametrize("viewer", [BANKER, SPECTATOR], ids=["whole", "view"])
def test_the_report_is_one_page_without_foreign_scripts(ledger: Ledger, old: tuple[str, str], viewer: Any) -> None:
    content = shelf.exported(ledger, old[0], "html", viewer)
    assert_clean(content)
    assert b"<script>alert" not in content
    assert b"\\u0000" not in content
    assert b"\\u001b" not in content


def test_what_was_written_in_a_game_can_be_imported(
    ledger: Ledger, elsewhere: Ledger, monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    """Only the title and the names of an imported game follow the rule: the actions are what they are."""
    game = started(ledger, "ana", "bob", title="Friday")
    claim = f"it\0{CONTROLS}{BACKWARDS}"
    with monkeypatch.context() as earlier:
        earlier.setattr(texts, "encoded", msgspec.json.encode)
        ledger.perform(game, ANA, Command(kind="open_dispute", params={"claim": claim}))
    content = shelf.exported(ledger, game, "jsonl")
    file.write_bytes(content)
    shelf.put_in(elsewhere, file)
    found = dispute(elsewhere.moment(game).newest, "7", BANKER)
    assert found is not None
    assert found.claim == claim
    assert shelf.exported(elsewhere, game, "jsonl") == content


def test_the_game_still_loads_byte_for_byte(ledger: Ledger, old: tuple[str, str]) -> None:
    """A service that starts now reads it, and the journal is exported as it was stored."""
    again = Ledger(ledger.store, rulebooks_by_id())
    moment = again.moment(old[0])
    assert moment.newest.seats["ana"].name.endswith(CONTROLS)
    assert moment.newest == ledger.moment(old[0]).newest
    exported = shelf.lines(shelf.exported(again, old[0], "jsonl"))
    assert exported[0]["journal"]["title"] == TITLE
    assert exported[0]["journal"]["entries"] == moment.version == len(exported) - 2
