"""Exports over HTTP: every format, with what each viewer may see."""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from api.rest.application import Config, create_app
from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.service import Ledger
from ledger.store.database.errors import StoreUnavailable
from ledger.store.store import Store
from replays import exports
from tests.replays import shelf
from tests.tables.over_http import BASE, HttpTable, problem, version_of

MEDIA = {
    "jsonl": "application/jsonl",
    "log": "application/zip",
    "csv": "application/zip",
    "parquet": "application/zip",
    "statements": "application/zip",
    "beancount": "text/plain; charset=utf-8",
    "hledger": "text/plain; charset=utf-8",
    "html": "text/html; charset=utf-8",
}


def end(table: HttpTable) -> None:
    """The banker ends the game in its first round."""
    table.banker.play("end_game", reason="It is late.")
    for seat, dice in ((table.ana, [1, 2]), (table.bob, [2, 2])):
        seat.play("roll_dice", dice=dice)
        seat.play("resolve_square")
        seat.play("end_turn")
    assert table.banker.get().json["status"] == "ended"


@pytest.mark.parametrize("form", exports.FORMATS)
def test_the_banker_takes_the_whole_of_a_game(ledger: Ledger, gifts: HttpTable, form: str) -> None:
    answer = gifts.banker.get(f"export?format={form}")
    assert answer.status_code == 200
    assert answer.content_type == MEDIA[form]
    assert answer.data == shelf.exported(ledger, gifts.game, form, BANKER)
    assert version_of(answer) == 9
    assert answer.headers["Cache-Control"] == "private, no-cache"
    named = re.fullmatch(r'attachment; filename="([\w.-]+)"', answer.headers["Content-Disposition"])
    assert named is not None
    ends = {
        "log": "log.zip",
        "csv": "csv.zip",
        "parquet": "parquet.zip",
        "statements": "statements.zip",
        "hledger": "journal",
    }
    assert named[1] == f"{gifts.game}.{ends.get(form, form)}"


def test_a_table_for_a_spreadsheet_begins_with_a_mark(gifts: HttpTable) -> None:
    statement = "accounts/player:ana/statement?format=csv"
    for path in ("export?format=csv&table=actions", "audit?format=csv", statement):
        plain, marked = gifts.banker.get(path), gifts.banker.get(f"{path}&bom=true")
        assert marked.data == b"\xef\xbb\xbf" + plain.data
    for path in ("export?format=jsonl", "export?format=csv", "export?format=csv&table=about"):
        refused = problem(gifts.banker.get(f"{path}&bom=true"), 422, "invalid-request")
        assert refused["errors"][0]["parameter"] == "bom"


def test_tables_that_cannot_be_made_are_refused_with_the_reason(
    gifts: HttpTable, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The folder for what is temporary is not there: the reason is told, and no path of the machine."""
    monkeypatch.setattr("replays.exports.tables.gettempdir", lambda: str(tmp_path / "absent"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "absent"))
    refused = problem(gifts.banker.get("export?format=parquet"), 503, "unavailable")
    assert "the tables could not be made: No such file or directory" in refused["detail"]
    assert str(tmp_path) not in refused["detail"]


@pytest.mark.parametrize("form", exports.FORMATS)
def test_while_the_game_lasts_others_take_their_view(ledger: Ledger, gifts: HttpTable, form: str) -> None:
    """The name of the file names the viewer."""
    for caller, viewer in ((gifts.ana, Viewer("player", "ana")), (gifts.spectator, Viewer("spectator"))):
        answer = caller.get(f"export?format={form}")
        assert answer.status_code == 200
        assert answer.data == shelf.exported(ledger, gifts.game, form, viewer)
        assert answer.data != gifts.banker.get(f"export?format={form}").data
        assert f'"{gifts.game}-view-{viewer.seat or viewer.role}.' in answer.headers["Content-Disposition"]


@pytest.mark.parametrize("form", exports.FORMATS)
def test_after_the_end_everybody_takes_everything(started: HttpTable, form: str) -> None:
    end(started)
    whole = started.banker.get(f"export?format={form}")
    for caller in (started.ana, started.bob, started.spectator):
        answer = caller.get(f"export?format={form}")
        assert answer.data == whole.data
        assert answer.headers["Content-Disposition"] == whole.headers["Content-Disposition"]


def test_what_the_banker_takes_can_be_imported_elsewhere(
    gifts: HttpTable, new_database: Any, tmp_path: Path
) -> None:
    """There the banker's new token gets the same answers as here, but for what the time there has made due."""
    file = tmp_path / "game.jsonl"
    file.write_bytes(gifts.banker.get("export?format=jsonl").data)
    with shelf.ledger_on(new_database()) as elsewhere:
        imported = shelf.put_in(elsewhere, file)
        client = create_app(elsewhere, Config()).test_client()
        headers = {"Authorization": f"Bearer {imported.tokens.banker}"}
        for path in ("state", "actions", "accounts", "audit?format=json"):
            there = client.get(f"{BASE}/games/{gifts.game}/{path}", headers=headers)
            assert there.status_code == 200
            here = gifts.banker.get(path).json
            late = {"due": None, "awaited": None} if path == "state" else {}
            assert there.json | late == here | late


@pytest.mark.parametrize("name", exports.TABLES)
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_one_table(ledger: Ledger, gifts: HttpTable, form: str, name: str) -> None:
    answer = gifts.banker.get(f"export?format={form}&table={name}")
    kinds = {"csv": "text/csv; charset=utf-8; header=present", "parquet": "application/vnd.apache.parquet"}
    assert answer.content_type == kinds[form]
    assert answer.data == shelf.exported(ledger, gifts.game, form, table=name)
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{gifts.game}-{name}.{form}"'


def test_the_language_is_the_callers(gifts: HttpTable) -> None:
    answer = gifts.banker.get("export?format=beancount", Accept_Language="fr")
    assert answer.headers["Content-Language"] == "fr"
    assert "Ana donne 1650 ₦ à Bob." in answer.text
    assert "Ana gives ₦1650 to Bob." in gifts.banker.get("export?format=beancount").text


def test_whoever_has_it_already_does_not_get_it_again(gifts: HttpTable) -> None:
    tag = gifts.banker.get("export?format=jsonl").headers["ETag"]
    assert gifts.banker.get("export?format=jsonl", If_None_Match=tag).status_code == 304
    gifts.ana.play("transfer_money", to="bob", amount=1)
    again = gifts.banker.get("export?format=jsonl", If_None_Match=tag)
    assert (again.status_code, version_of(again)) == (200, 10)


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        pytest.param("", "format", id="no format"),
        pytest.param("?format=xlsx", "format", id="an unknown format"),
        pytest.param("?format=csv&table=chairs", "table", id="an unknown table"),
        pytest.param("?format=jsonl&table=actions", "table", id="a table of what has none"),
        pytest.param("?format=csv&at=3", "at", id="an unknown parameter"),
    ],
)
def test_what_cannot_be_asked_for(gifts: HttpTable, query: str, parameter: str) -> None:
    answer = problem(gifts.banker.get(f"export{query}"), 422, "invalid-request")
    assert [row["parameter"] for row in answer["errors"]] == [parameter]


def test_a_table_leads_to_its_description(gifts: HttpTable) -> None:
    """`about.json` is in the ZIP file, and has an address of its own."""
    for form in ("csv", "parquet"):
        table = gifts.ana.get(f"export?format={form}&table=titles")
        where, named = re.fullmatch(r'<(.+)>; rel="(\w+)"', table.headers["Link"]).groups()  # type: ignore[union-attr]
        assert named == "describedby"
        about = gifts.ana.get(where)
        assert (about.status_code, about.content_type) == (200, "application/json")
        assert about.headers["Content-Disposition"].endswith('-about.json"')
        assert about.data == shelf.unpacked(gifts.ana.get(f"export?format={form}").data)["about.json"]
        assert about.json["view"] == {"role": "player", "seat": "ana"}
        assert "Link" not in about.headers


def test_an_unknown_format_is_told_which_there_are(gifts: HttpTable) -> None:
    answer = gifts.banker.get("export?format=xlsx", Accept_Language="fr")
    assert all(form in json.dumps(answer.json) for form in exports.FORMATS)
    assert "xlsx" in answer.text


def test_who_may_not_ask(client: FlaskClient, gifts: HttpTable) -> None:
    other = HttpTable.created(client)
    problem(gifts.stranger.get("export?format=jsonl"), 401, "token-missing")
    problem(gifts.stranger.get("export?format=jsonl", Authorization="Bearer no.such"), 401, "token-unknown")
    foreign = {"Authorization": f"Bearer {other.tokens['banker']}"}
    problem(gifts.stranger.get("export?format=jsonl", **foreign), 403, "foreign-token")
    problem(gifts.banker.get(f"{BASE}/games/nowhere/export?format=jsonl"), 404, "unknown-game")


@pytest.mark.parametrize("form", exports.FORMATS)
def test_a_database_that_fails_at_once_is_a_problem(
    gifts: HttpTable, store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, form: str
) -> None:
    """There is no file, and nothing is left in the temporary folder."""

    def fail(*asked: Any, **named: Any) -> None:
        raise StoreUnavailable("the database did not answer")

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(store.copies, "stretches", fail)
    monkeypatch.setattr(store.journal, "entries", fail)
    monkeypatch.setattr(store.journal, "runs", fail)
    answer = gifts.banker.get(f"export?format={form}")
    problem(answer, 503, "unavailable")
    assert "Content-Disposition" not in answer.headers
    assert list(tmp_path.iterdir()) == []


def test_the_forms_and_their_columns_are_described(client: FlaskClient) -> None:
    described = client.get("/openapi.json").json["paths"][f"{BASE}/games/{{game}}/export"]["get"]
    parameters = {row["name"]: row for row in described["parameters"] if row["in"] == "query"}
    assert parameters["format"]["required"]
    assert parameters["format"]["schema"]["enum"] == list(exports.FORMATS)
    assert parameters["table"]["schema"]["enum"] == [*exports.TABLES, exports.ABOUT]
    for name, (_, columns) in exports.TABLES.items():
        assert f"| `{name}` | {', '.join(f'`{column.name}`' for column in columns)} |" in described["description"]
    assert {kind.partition(";")[0] for kind in MEDIA.values()} < set(described["responses"]["200"]["content"])
