"""Tables: rows that agree with the ledger after any correction, and with what the viewer may see."""

from __future__ import annotations

import fcntl
import json
import resource
import tempfile
from collections import Counter
from datetime import UTC, datetime
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import pytest

from ledger.games.setups import Setup
from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.state import Seat
from ledger.kernel.journal.entry import Entry, body, canonical, read
from ledger.kernel.journal.sight import visible_holdings
from ledger.kernel.journal.stored import leaf
from ledger.kernel.rules.opening import Opening
from ledger.kernel.rules.register import Register, Rule
from ledger.moving.exporting import Export
from ledger.moving.importing import ExportedGame
from ledger.reading.entries.journal import page_of_journal
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger
from ledger.store.records import Selection
from ledger.store.store import Store
from replays import exports
from tests.kernel.toy import NOON, Settings
from tests.kernel.toy import rules as toy_rules
from tests.properties.commands import SOAK
from tests.replays import shelf
from tests.tables.ledgers import ANA, BOB, SPECTATOR

pytestmark = pytest.mark.xdist_group("tables")

FORMS = ("csv", "parquet")
Row = dict[str, Any]


def text(value: Any) -> str | None:
    """A value of a Parquet file in the form of CSV."""
    match value:
        case bool():
            return str(value).lower()
        case datetime():
            return value.replace(tzinfo=UTC).isoformat()
        case None:
            return None
        case _:
            return str(value)


def same_moment(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and datetime.fromisoformat(one) == datetime.fromisoformat(other)


def assert_tables(ledger: Ledger, game: str, folder: Path) -> dict[str, list[Row]]:
    """Check that the banker's tables agree with the ledger and in both formats, and return them."""
    found = shelf.tables(shelf.exported(ledger, game, "parquet"), "parquet", folder)
    as_text = shelf.tables(shelf.exported(ledger, game, "csv"), "csv", folder)
    assert list(found) == list(as_text) == list(exports.TABLES)
    for name, rows in found.items():
        assert len(rows) == len(as_text[name])
        for row, told in zip(rows, as_text[name], strict=True):
            assert list(row) == list(told) == [column.name for column in exports.TABLES[name][1]]
            for column, value in row.items():
                if column.endswith("_at"):
                    assert same_moment(text(value), told[column])
                elif column not in {"reason", "override", "sentence"}:
                    assert text(value) == told[column], (name, column)
    assert_agrees(ledger, game, found)
    return found


def assert_agrees(ledger: Ledger, game: str, found: dict[str, list[Row]]) -> None:
    """Compare the rows with the timeline, and the balances with the state after every action."""
    timeline = shelf.timeline_of(ledger, game)
    standings = list(timeline.entries())
    actions = found["actions"]
    leaves = {
        number: leaf(stored).hex()
        for number, stored in ledger.store.journal.entries(game, Selection(limit=10_000))
    }
    assert [row["action"] for row in actions] == [one.name for one in standings]
    assert [row["position"] for row in actions] == list(range(1, len(standings) + 1))
    for row, one in zip(actions, standings, strict=True):
        entry = one.entry
        assert (row["status"], row["corrected_by"]) == (one.status, one.by)
        assert (row["kind"], row["seat"], row["by"]) == (entry.kind, entry.seat, entry.by)
        assert (row["number"], row["after"]) == (entry.number, str(one.inserted_after) if one.insert else None)
        assert row["recorded_at"].replace(tzinfo=UTC) == entry.recorded_at
        assert row["reason_rule"] == (one.why and one.why.rule)
        assert json.loads(row["params"]) == json.loads(bytes(entry.params))
        assert json.loads(row["draws"]) == entry.draws
        assert row["override"] == entry.override
        assert row["leaf"] == leaves[entry.number]
    wanted = []
    for position, one in enumerate(standings, start=1):
        wanted += [(position, True, one.status == "effective", event) for event in one.recorded]
        wanted += [(position, False, True, event) for event in one.events if one.status == "restated"]
    assert len(found["events"]) == len(wanted)
    moved: list[tuple[Any, ...]] = []
    for row, (position, recorded, counts, event) in zip(found["events"], wanted, strict=True):
        assert (row["position"], row["recorded"], row["counts"]) == (position, recorded, counts)
        assert row["rule"] == event.rule
        assert ledger.games.open(game).rulebook.codec.event(row["data"].encode()) == event
        assert row["kind"] == json.loads(row["data"])["kind"].partition("@")[0]
        moved += [(position, counts, *msgspec.structs.astuple(posting)) for posting in event.postings]
    numbered = [row["seq"] for row in found["events"] if row["seq"] is not None]
    assert sorted(numbered) == list(range(1, ledger.moment(game).newest.seq + 1))
    columns = ("position", "counts", "commodity", "amount", "source", "target")
    assert [tuple(row[name] for name in columns) for row in found["postings"]] == moved
    assert_balances(ledger, game, found, moved)


def assert_balances(ledger: Ledger, game: str, found: dict[str, list[Row]], moved: list[tuple[Any, ...]]) -> None:
    """The last balances are the ledger's holdings, and each balance is the previous one plus the change."""
    held: dict[tuple[str, str], int] = {}
    changes: Counter[tuple[int, str, str]] = Counter()
    for position, counts, commodity, amount, source, target in moved:
        if counts:
            changes[position, source, commodity] -= amount
            changes[position, target, commodity] += amount
    seen: list[tuple[int, str, str]] = []
    for row in found["balances"]:
        key = row["account"], row["commodity"]
        assert row["change"] == changes[row["position"], *key]
        assert row["balance"] == held.get(key, 0) + row["change"]
        held[key] = row["balance"]
        seen.append((row["position"], *key))
    assert seen == sorted(changes)
    ours = shelf.holdings_of(ledger.moment(game).newest)
    assert {key: amount for key, amount in held.items() if amount} == ours


@pytest.mark.parametrize("recording", shelf.RECORDED if SOAK else shelf.RECORDED[0::3], ids=lambda one: one.name)
def test_a_recorded_game(ledger: Ledger, recording: Traversable, tmp_path: Path) -> None:
    assert_tables(ledger, shelf.play(ledger, recording), tmp_path)


@pytest.mark.parametrize("rulebook", sorted(rulebooks_by_id()) if SOAK else sorted(rulebooks_by_id())[::2])
def test_a_simulated_game(ledger: Ledger, rulebook: str, tmp_path: Path) -> None:
    assert_tables(ledger, shelf.simulate(ledger, rulebook, seed=7, actions=600 if SOAK else 300), tmp_path)


@pytest.mark.parametrize("seed", [11, 12, 13] if SOAK else [12])
def test_a_game_corrected_at_random_in_stretches_of_any_length(
    ledger: Ledger, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tables are the same for any size of stretches, with and without corrections."""
    game = shelf.corrected_at_random(ledger, seed)
    found = assert_tables(ledger, game, tmp_path)
    statuses = Counter(row["status"] for row in found["actions"])
    assert statuses["undone"]
    whole = shelf.unpacked(shelf.exported(ledger, game, "csv"))
    for length in (7, 100) if SOAK else (23,):
        monkeypatch.setattr("replays.exports.tables._BATCH", length)
        assert shelf.unpacked(shelf.exported(ledger, game, "csv")) == whole
        again = shelf.tables(shelf.exported(ledger, game, "parquet"), "parquet", tmp_path)
        assert again == found


def test_a_mended_game(ledger: Ledger, mended: str, tmp_path: Path) -> None:
    """Ana: 1650 - 100 + 5 - 35 - 7 = 1513; Bob: 1650 + 100 - 5 + 35 + 7 = 1787. Action 10 moves nothing."""
    found = assert_tables(ledger, mended, tmp_path)
    assert {row["action"]: row["status"] for row in found["actions"]} == shelf.MENDED
    inserted = next(row for row in found["actions"] if row["action"] == "12.1")
    assert (inserted["after"], inserted["position"], inserted["number"]) == ("7", 8, 12)
    voided = next(row for row in found["actions"] if row["action"] == "10")
    assert "1800" in voided["reason"]
    last = {
        row["account"]: (row["action"], row["change"], row["balance"])
        for row in found["balances"]
        if row["commodity"] == "NGD" and row["account"].startswith("player:")
    }
    assert last == {"player:ana": ("13", -7, 1513), "player:bob": ("13", 7, 1787)}
    transfers = [
        (row["action"], row["amount"], row["counts"])
        for row in found["postings"]
        if row["kind"] == "money_transferred"
    ]
    assert transfers == [
        ("7", 100, True),
        ("12.1", 5, True),
        ("8", 40, False),
        ("9", 30, False),
        ("9", 35, True),
        ("10", 1800, False),
        ("13", 7, True),
    ]


def test_a_spreadsheet_takes_no_text_for_a_formula(ledger: Ledger, mended: str, tmp_path: Path) -> None:
    """The banker's reason begins with an equals sign: CSV puts an apostrophe before it, Parquet does not."""
    reason = "=the dice fell off the table"
    for form, told in (("csv", f"'{reason}"), ("parquet", reason)):
        found = shelf.rows(shelf.exported(ledger, mended, form, table="actions"), form, tmp_path)
        assert [row["override"] for row in found if row["override"] is not None] == [told]


@pytest.fixture(scope="module", params=FORMS)
def together(request: pytest.FixtureRequest, ledger: Ledger, mended: str) -> tuple[str, dict[str, bytes]]:
    """A form, and the files of the mended game in it."""
    return request.param, shelf.unpacked(shelf.exported(ledger, mended, request.param))


@pytest.mark.parametrize("table", exports.TABLES)
def test_a_table_by_itself_is_the_one_among_all(
    ledger: Ledger, mended: str, together: tuple[str, dict[str, bytes]], table: str
) -> None:
    form, files = together
    assert shelf.exported(ledger, mended, form, table=table) == files[f"{table}.{form}"]


def test_the_tables_say_what_they_are(ledger: Ledger, mended: str) -> None:
    for viewer, view in ((BANKER, None), (ANA, {"role": "player", "seat": "ana"})):
        about = json.loads(shelf.unpacked(shelf.exported(ledger, mended, "csv", viewer))["about.json"])
        assert (about["game"], about["rulebook"], about["actions"]) == (mended, "negopoly", 16)
        assert about["view"] == view
        for name, (_, columns) in exports.TABLES.items():
            assert [row["column"] for row in about["tables"][name]] == [column.name for column in columns]
            assert all(row["about"] and row["type"] for row in about["tables"][name])


def test_the_types_of_parquet_are_those_told(ledger: Ledger, mended: str, tmp_path: Path) -> None:
    files = shelf.unpacked(shelf.exported(ledger, mended, "parquet"))
    for name, (_, columns) in exports.TABLES.items():
        file = tmp_path / "table.parquet"
        file.write_bytes(files[f"{name}.parquet"])
        described = duckdb.execute(f"DESCRIBE FROM read_parquet('{file}')").fetchall()
        kinds = {"TIMESTAMPTZ": "TIMESTAMP WITH TIME ZONE"}
        assert [(row[0], row[1]) for row in described] == [
            (column.name, kinds.get(column.kind, column.kind)) for column in columns
        ]


# Views ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("viewer", [ANA, BOB, SPECTATOR], ids=lambda viewer: viewer.seat or viewer.role)
def test_a_view_holds_what_the_journal_shows(
    ledger: Ledger, mended: str, tmp_path: Path, form: str, viewer: Viewer
) -> None:
    """The view of a running game has no event, posting or balance that the viewer may not see."""
    found = shelf.tables(shelf.exported(ledger, mended, form, viewer), form, tmp_path)
    views = {str(view.number): view for view in page_of_journal(ledger.moment(mended, viewer), limit=200)[0]}
    state = ledger.moment(mended).newest
    rulebook = ledger.games.open(mended).rulebook
    shown = {row["action"]: row for row in found["actions"]}
    assert views.keys() <= shown.keys()
    for name, view in views.items():
        assert (shown[name]["kind"], shown[name]["status"]) == (view.kind, view.status)
        assert json.loads(shown[name]["params"]) == json.loads(msgspec.json.encode(view.params))
        events = [row for row in found["events"] if row["action"] == name]
        told = [*view.events, *view.restated]
        assert [row["kind"] for row in events] == [event.kind for event in told]
        for row, event in zip(events, told, strict=True):
            data = json.loads(row["data"])
            assert {key: data[key] for key in event.data} == json.loads(msgspec.json.encode(event.data))
            assert len(data["postings"]) == len(event.postings)
        assert not any(
            row["seq"] for row in events
        )  # The sequence number would reveal how many private events there are.
    last = {(row["account"], row["commodity"]): int(row["balance"]) for row in found["balances"]}
    for (account, commodity), balance in last.items():
        assert balance == visible_holdings(rulebook.secrets, state, account, viewer).get(commodity, 0)
    if viewer.seat is not None:
        assert last[f"player:{viewer.seat}", "NGD"] == state.holdings.of(f"player:{viewer.seat}", "NGD")
    others = {account for account, commodity in last if commodity == "NGD"} - {f"player:{viewer.seat}"}
    assert not any(account.startswith("player:") for account in others)


def test_after_the_end_everybody_takes_everything(ledger: Ledger) -> None:
    game = shelf.play(ledger, shelf.RECORDED[-1])
    assert ledger.moment(game).newest.ended
    for form in (*FORMS, "jsonl", "beancount", "hledger"):
        whole = shelf.exported(ledger, game, form)
        assert all(shelf.exported(ledger, game, form, viewer) == whole for viewer in (ANA, SPECTATOR))


# Older shapes ---------------------------------------------------------------------------------------


def test_events_of_older_shapes_come_in_todays(store: Store, tmp_path: Path) -> None:
    """An event stored in its first shape, without a price, is in the table in its current shape."""
    rules = {number: Rule(number, number, "", "play") for number in ("1.1", "2.1")}
    toy = toy_rules(register=Register({"en": rules, "fr": rules}))
    ledger = Ledger(store, {toy.id: toy})
    players = (Seat("ana", "Ana"),)
    opening = toy.play.opening_action(Opening(players=players, settings=Settings(), dice="table"))
    first = b'{"dice":"table","kind":"opened","players":[{"seat":"ana","name":"Ana"}],"rule":"1.1","postings":[]}'
    old = (
        b'{"kind":"beans_bought","seat":"ana","beans":3,"rule":"2.1","postings":[["bean",3,"bank","player:ana"]]}'
    )
    entries = [
        entry_of(1, opening.kind, None, "system", first, body(opening)),
        entry_of(2, "buy_beans", "ana", "ana", old, b"{}"),
    ]
    setup = Setup(players=players, settings={"coins": 10}, dice="table")
    exported = ExportedGame(
        game="beans",
        rulebook=toy.id,
        title="Beans",
        created_at=NOON,
        setup=msgspec.Raw(msgspec.json.encode(setup)),
        actions=2,
        events=2,
    )
    ledger.importing.import_game(exported, lambda: map(canonical, entries), as_recorded=True)
    found = shelf.tables(shelf.exported(ledger, "beans", "parquet"), "parquet", tmp_path)
    assert [row["kind"] for row in found["events"]] == ["opened", "beans_bought"]
    bought = json.loads(found["events"][1]["data"])
    assert (bought["quantity"], bought["price"]) == (3, 6)
    assert [(row["commodity"], row["amount"]) for row in found["postings"]] == [("bean", 3)]
    assert shelf.lines(shelf.exported(ledger, "beans", "jsonl"))[2]["entry"]["events"] == [json.loads(old)]


def entry_of(number: int, kind: str, seat: str | None, by: str, event: bytes, params: bytes) -> Entry:
    return Entry(
        game="beans",
        number=number,
        kind=kind,
        seat=seat,
        by=by,
        params=msgspec.Raw(params),
        draws={},
        recorded_at=NOON,
        override=None,
        warnings=(),
        events=(msgspec.Raw(body(msgspec.json.decode(event))),),
        first_seq=number,
        salt="00",
    )


# Leftovers ------------------------------------------------------------------------------------------


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files."""
    folder = tmp_path / "it's scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.mark.parametrize("form", FORMS)
def test_nothing_is_left_behind(ledger: Ledger, mended: str, scratch: Path, form: str) -> None:
    """Nothing is left by a complete export, by one that the reader stops, or by one that fails."""
    found = exports.pieces(exports.FORMATS[form], Export(ledger.moment(mended), logs=ledger.logs))
    assert next(found)
    assert list(scratch.iterdir())
    found.close()
    assert not list(scratch.iterdir())
    assert shelf.exported(ledger, mended, form)
    assert not list(scratch.iterdir())

    def interrupt(done: int, total: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        next(
            exports.pieces(
                exports.FORMATS[form], Export(ledger.moment(mended), logs=ledger.logs), progress=interrupt
            )
        )
    assert not list(scratch.iterdir())


def test_a_failure_of_the_tables_says_why(
    ledger: Ledger, mended: str, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("replays.exports.rows._MEMORY", 1)
    with pytest.raises(exports.TablesFailed, match=r"(?i)memory"):
        shelf.exported(ledger, mended, "csv")
    assert not list(scratch.iterdir())


def test_a_full_disk_is_said(ledger: Ledger, mended: str, scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk of the temporary folder is full, which may be another disk than the target's."""
    room = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, room[1]))
    try:
        with pytest.raises(exports.TablesFailed, match=r"mabligop-export-\w+ cannot be written: File too large"):
            shelf.exported(ledger, mended, "csv")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, room)
    monkeypatch.setattr(tempfile, "tempdir", f"{scratch}/absent")
    with pytest.raises(exports.TablesFailed, match="absent cannot be written: No such file or directory"):
        shelf.exported(ledger, mended, "csv")
    assert not list(scratch.iterdir())


def test_what_a_killed_process_left_is_cleared_away(ledger: Ledger, mended: str, scratch: Path) -> None:
    """The next export removes leftovers; folders that are in use, or not ours, stay."""
    for name in ("mabligop-export-dead", "mabligop-export-living", "others"):
        (scratch / name).mkdir()
        (scratch / name / "lock").write_bytes(b"")
        (scratch / name / "lines").write_bytes(b"half of a game")
    with (scratch / "mabligop-export-living" / "lock").open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert shelf.exported(ledger, mended, "parquet")
    assert {path.name for path in scratch.iterdir()} == {"mabligop-export-living", "others"}


def test_progress_is_told_up_to_the_end(ledger: Ledger, mended: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.exports.tables._BATCH", 5)
    monkeypatch.setattr("replays.exports.journal._BATCH", 5)
    for form, steps in (("csv", [5, 10, 15, 16]), ("jsonl", [5, 10, 15, 16]), ("beancount", [16])):
        assert progress_of(ledger, mended, form) == [(step, 16) for step in steps]


def progress_of(ledger: Ledger, game: str, form: str) -> list[tuple[int, int]]:
    told: list[tuple[int, int]] = []
    export = Export(ledger.moment(game), logs=ledger.logs)
    for _ in exports.pieces(exports.FORMATS[form], export, progress=lambda *far: told.append(far)):
        pass
    return told


def test_what_is_appended_meanwhile_is_not_in_it(ledger: Ledger, tmp_path: Path) -> None:
    """A file is of one version: the version at the request."""
    game = shelf.mended(ledger)
    before = {form: shelf.exported(ledger, game, form) for form in exports.FORMATS}
    asked = {form: Export(ledger.moment(game), logs=ledger.logs) for form in exports.FORMATS}
    correction = {"edits": [{"op": "drop", "action": 7}], "cascade": "restate", "reason": "later"}
    ledger.perform(game, BANKER, shelf.Command(kind="correct", params=correction))
    for form, export in asked.items():
        assert b"".join(exports.pieces(exports.FORMATS[form], export)) == before[form], form
        assert shelf.exported(ledger, game, form) != before[form]
    stored = ledger.store.journal.entries(game, Selection(limit=100))
    assert [read(one).number for _, one in stored] == list(range(1, 18))
