"""Games on a board that the table brings: refused with place and reason; played, exported, imported, forked."""

from __future__ import annotations

import codecs
import copy
import csv
import json
import tracemalloc
from collections.abc import Iterator
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import msgspec
import pytest
from flask.testing import FlaskClient

from api.rest.application import Config, create_app
from ledger import rulebooks
from ledger.kernel.facts.audience import BANKER
from ledger.kernel.journal.entry import canonical
from ledger.moving.importing import BadJournal
from ledger.rulebooks.parts import reading
from ledger.rulebooks.parts.fitting import MOST_BYTES
from ledger.service import Ledger
from ledger.store.database.connection import connect
from ledger.store.store import Store
from replays.journal_file import JournalFile
from tests.command.service import here
from tests.replays.test_books import assert_accepted
from tests.tables.keys import key_of
from tests.tables.over_http import BASE, Caller, HttpTable, problem

TOWN = {
    **reading.data(files("ledger.rulebooks.monopoly") / "editions" / "own", "pieces.toml"),
    "title": "A town of our own",
    "options": {"starting_cash": 900, "throw_for_order": False, "tokens_chosen": False},
}
PLAYERS = [{"seat": "ana", "name": "Ana"}, {"seat": "bob", "name": "Bob"}]


@pytest.fixture(scope="module")
def ledger(store: Store) -> Ledger:
    """A ledger of all games."""
    return Ledger(store, rulebooks.rulebooks_by_id())


@pytest.fixture(scope="module")
def _app(ledger: Ledger) -> Any:
    return create_app(ledger, Config())


@pytest.fixture
def client(_app: Any) -> Iterator[FlaskClient]:
    with _app.test_client() as calling:
        yield calling


@pytest.fixture
def town() -> dict[str, Any]:
    return copy.deepcopy(TOWN)


def asked_for(edition: Any, **changes: Any) -> dict[str, Any]:
    return {"rulebook": "monopoly", "players": PLAYERS, "dice": "table", "edition": edition, **changes}


def created(client: FlaskClient, edition: dict[str, Any], **changes: Any) -> HttpTable:
    answer = client.post(f"{BASE}/games", json=asked_for(edition, **changes))
    assert answer.status_code == 201, answer.text
    return HttpTable(client, answer.json["game"], answer.json["tokens"])


def refused(client: FlaskClient, edition: Any, **changes: Any) -> dict[str, Any]:
    """The problem of a request that is refused, after checking that nothing is stored."""
    before = client.get(f"{BASE}/games").json["games"]
    found = problem(client.post(f"{BASE}/games", json=asked_for(edition, **changes)), 422, "invalid-request")
    assert client.get(f"{BASE}/games").json["games"] == before
    return found


def started(table: HttpTable) -> HttpTable:
    for deck in ("letters", "tides"):
        table.banker.play("shuffle_deck", deck=deck)
    table.banker.play("start_game")
    return table


# ----------------------------------------------------------------------------------------------
# The board of the table
# ----------------------------------------------------------------------------------------------


def test_a_table_plays_on_its_own_board(client: FlaskClient, town: dict[str, Any]) -> None:
    town["squares"][1]["name"] = "Rue des Trois-Chats"
    table = started(created(client, town))
    assert table.banker.get().json["title"] == "A town of our own"
    board = table.spectator.get("board").json
    assert [place["name"] for place in board["places"]] == [one["name"] for one in town["squares"]]
    assert [group["id"] for group in board["groups"]] == [one["id"] for one in town["groups"]]
    assert board["pieces"]["cards"][0]["effects"] == town["cards"][0]["effects"]
    assert board["pieces"]["squares"][1]["rents"] == town["squares"][1]["rents"]
    state = table.ana.get("state").json
    assert state["accounts"]["player:ana"] == {"COIN": 900}
    rolled = table.ana.play("roll_and_move", dice=[1, 2])
    assert town["squares"][3]["name"] in rolled["sentence"]
    bought = table.ana.play("buy_property")
    assert "Thimble Row" in bought["sentence"]
    names = table.ana.get("names").json
    assert "Rue des Trois-Chats" in json.dumps(names, ensure_ascii=False)


def test_settings_beside_the_edition_come_before_its_options(client: FlaskClient, town: dict[str, Any]) -> None:
    table = started(created(client, town, settings={"starting_cash": 1234}, title="Friday"))
    assert table.banker.get().json["title"] == "Friday"
    assert table.ana.get("state").json["accounts"]["player:bob"] == {"COIN": 1234}


def test_the_rule_that_is_cited_says_what_holds(client: FlaskClient, town: dict[str, Any]) -> None:
    """A refusal, an explained obstacle, the audit and the rules of the game have the table's 20 percent."""
    settings = {"mortgage_interest": [20, 100], "mortgage_needs_debt": True}
    table = started(created(client, town, settings=settings))
    table.ana.play("roll_and_move", dice=[1, 2])
    table.ana.play("buy_property")
    asked = {"kind": "mortgage", "params": {"title": "thimble_row"}}
    found = problem(table.ana.post("actions", asked), 409, "rule-broken")
    assert found["rule_text"].startswith("Only a player who cannot pay a debt")
    explained = table.ana.get("moves?explain=mortgage").json["obstacles"]
    assert found["rule_text"] in {one["rule_text"] for one in explained}
    rule = table.spectator.get("rules/own:mortgage.4").json
    assert "20% more" in rule["requires"]
    assert rule in table.spectator.get("rules?words=20%25").json["rules"]
    assert "10% more" in client.get(f"{BASE}/rulebooks/monopoly/rules/own:mortgage.4").json["requires"]
    french = table.spectator.get("rules/own:mortgage.4", **{"Accept-Language": "fr"}).json
    assert "20\N{NO-BREAK SPACE}% de plus" in french["requires"]
    problem(table.spectator.get("rules/own:mortgage.99"), 404, "not-found")
    (line,) = table.ana.get("audit?kind=buy_property").json["lines"]
    href = line["rules"][0]["href"]
    assert href.startswith(f"{BASE}/games/{table.game}/rules/own%3Abuy.")
    assert table.ana.get(href.removeprefix(f"{BASE}/games/{table.game}/")).status_code == 200


def test_a_game_without_an_edition_is_on_the_projects_small_town(client: FlaskClient) -> None:
    content = {name: value for name, value in asked_for(None).items() if name != "edition"}
    answer = client.post(f"{BASE}/games", json=content)
    table = HttpTable(client, answer.json["game"], answer.json["tokens"])
    assert table.ana.get("board").json["pieces"]["squares"][1]["id"] == TOWN["squares"][1]["id"]


def test_the_journal_stands_by_itself(
    client: FlaskClient, ledger: Ledger, town: dict[str, Any], tmp_path: Path, new_database: Any
) -> None:
    """Another service imports it and plays on; a fork and a restarted service do, too."""
    town["squares"][3]["name"] = "Rue des Trois-Chats"
    town["decks"].append({"id": "lottery", "name": "Lottery", "faces": 6, "dice": 2})
    won = {"op": "receive", "amount": 10, "times": "thrown"}
    gust = {"op": "swap_tokens", "partner": "next"}
    town["cards"].append({"id": "ticket", "deck": "lottery", "title": "A ticket", "effects": [won, gust]})
    town["squares"][2]["deck"] = "lottery"
    town["squares"][1] |= {"rents": [4, 20, 60, 160, 280, 400, 600], "hotel_price": 90}
    town["named"]["tower"] = {"en": "belfry", "fr": "beffroi"}
    town["options"] |= {"turn_income": 5, "rounds": 9, "play_minutes": 90}
    table = started(created(client, town))
    table.ana.play("roll_and_move", dice=[1, 1])
    table.ana.play("roll_chance_die", dice=[3, 4])
    table.ana.play("roll_and_move", dice=[1, 2])
    before, version = table.banker.get("state").json, table.version
    file = tmp_path / "town.jsonl"
    file.write_bytes(table.banker.get("export?format=jsonl").data)
    journal = JournalFile(file)
    there = Ledger(Store(connect(new_database())), rulebooks.rulebooks_by_id())
    tokens = there.importing.import_game(journal.header.exported_game, journal.entries).tokens
    banker = Caller(create_app(there, Config()).test_client(), table.game, tokens.banker)
    assert banker.get("state").json["accounts"] == before["accounts"]
    assert banker.get("board").json == table.banker.get("board").json
    assert "Rue des Trois-Chats" in banker.play("buy_property", seat="ana")["sentence"]
    answer = client.post(
        f"{BASE}/games", json={"from": {"game": table.game, "action": version, "token": table.tokens["banker"]}}
    )
    fork = HttpTable(client, answer.json["game"], answer.json["tokens"])
    assert fork.banker.get("state").json["accounts"] == before["accounts"]
    fork.ana.play("buy_property")
    state = ledger.moment(table.game, BANKER).newest
    book = rulebooks.rulebooks_by_id()["monopoly"]
    assert book.codec.from_snapshot(book.codec.to_snapshot(state)) == state
    restarted = create_app(Ledger(ledger.games.store, rulebooks.rulebooks_by_id()), Config()).test_client()
    banker = Caller(restarted, table.game, table.tokens["banker"])
    assert banker.get("state").json["accounts"] == before["accounts"]
    assert "Rue des Trois-Chats" in banker.play("buy_property", seat="ana")["sentence"]


def test_a_choice_that_waits_goes_with_the_journal(
    client: FlaskClient, town: dict[str, Any], tmp_path: Path, new_database: Any
) -> None:
    """Ana is to choose a title of Bob's: an export has the choice, and the game goes on where it is imported."""
    effects = [{"op": "buy_title", "share": [1, 2]}, {"op": "receive", "amount": 30}]
    town["cards"].append({"id": "bargain", "deck": "letters", "title": "A bargain", "effects": effects})
    table = started(created(client, town))
    table.ana.play("roll_and_move", dice=[1, 1])
    table.ana.play("draw_card", card="bargain")
    assert table.bob.get("state").json["awaited"] == [
        {"seat": "ana", "label": "a title to buy, or none", "moves": ["choose"]}
    ]
    moves = [move for move in table.ana.get("moves").json["moves"] if move["rank"] == "due"]
    assert [move["label"]["fr"] for move in moves[:2]] == ["Choisir : rien", "Choisir : Tansy Row (30 Sh)"]
    file = tmp_path / "bargain.jsonl"
    file.write_bytes(table.banker.get("export?format=jsonl").data)
    journal = JournalFile(file)
    there = Ledger(Store(connect(new_database())), rulebooks.rulebooks_by_id())
    tokens = there.importing.import_game(journal.header.exported_game, journal.entries).tokens
    banker = Caller(create_app(there, Config()).test_client(), table.game, tokens.banker)
    sentence = banker.play("choose", seat="ana", title="thimble_row")["sentence"]
    assert "Ana chooses: Thimble Row" in sentence
    assert banker.get("state").json["accounts"]["player:ana"]["COIN"] == 900 - 35 + 30


@pytest.mark.parametrize("change", [{"rents": []}, {"name": "a\x9bb"}, {"id": "thimble_row"}, {"kind": "rest"}])
def test_a_journal_whose_board_was_changed_is_not_imported(
    client: FlaskClient, town: dict[str, Any], tmp_path: Path, new_database: Any, change: dict[str, Any]
) -> None:
    file = tmp_path / "town.jsonl"
    file.write_bytes(started(created(client, town)).banker.get("export?format=jsonl").data)
    journal = JournalFile(file)

    def changed() -> Iterator[bytes]:
        for stored in journal.entries():
            entry = json.loads(stored)
            if entry["number"] == 1:
                for said in (entry["params"], entry["events"][0]):
                    said["settings"]["board"]["squares"][1] |= change
            yield canonical(entry)

    there = Ledger(Store(connect(new_database())), rulebooks.rulebooks_by_id())
    with pytest.raises(BadJournal, match="action 1"):
        there.importing.import_game(journal.header.exported_game, changed)


@pytest.mark.parametrize("parts", [("params", "events"), ("events",)])
@pytest.mark.parametrize("change", [{"rents": []}, {"id": "thimble_row"}, {"kind": "rest"}, {"group": "nowhere"}])
def test_a_board_that_is_not_fit_is_not_imported_as_recorded_either(
    client: FlaskClient,
    town: dict[str, Any],
    tmp_path: Path,
    new_database: Any,
    change: dict[str, Any],
    parts: tuple[str, ...],
) -> None:
    """The reason names the square; the journal is written in no part."""
    file = tmp_path / "town.jsonl"
    file.write_bytes(started(created(client, town)).banker.get("export?format=jsonl").data)
    journal = JournalFile(file)

    def changed() -> Iterator[bytes]:
        for stored in journal.entries():
            entry = json.loads(stored)
            if entry["number"] == 1:
                for part in parts:
                    told = entry[part][0] if part == "events" else entry[part]
                    told["settings"]["board"]["squares"][1] |= change
            yield canonical(entry)

    there = Ledger(Store(connect(new_database())), rulebooks.rulebooks_by_id())
    with pytest.raises(
        BadJournal, match=r"action 1: it lays out no game that can be played: .*/board/squares/[13]/"
    ):
        there.importing.import_game(journal.header.exported_game, changed, as_recorded=True)
    assert there.games.store.games.get(journal.header.game) is None


def test_it_is_created_once_with_an_idempotency_key(client: FlaskClient, town: dict[str, Any]) -> None:
    first, second = (
        client.post(f"{BASE}/games", json=asked_for(town), headers={"Idempotency-Key": key_of("own board")})
        for _ in range(2)
    )
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json == second.json


# ----------------------------------------------------------------------------------------------
# Refused
# ----------------------------------------------------------------------------------------------


def test_every_fault_is_told_with_its_place(client: FlaskClient, town: dict[str, Any]) -> None:
    town["squares"][1]["price"] = -60
    town["squares"][3]["id"] = "tansy_row"
    town["cards"][0]["effects"][0]["op"] = "steal"
    town["options"]["auctionss"] = True
    found = refused(client, town)
    assert (
        found["detail"]
        == "the edition is not fit to play: squares/1/price: at least 0 (got -60) (and 3 more: see errors)"
    )
    assert [one["pointer"] for one in found["errors"]] == [
        "/edition/squares/1/price",
        "/edition/cards/0/effects/0/op",
        "/edition/options/auctionss",
        "/edition/squares/3/id",
    ]
    french = client.post(f"{BASE}/games", json=asked_for(town), headers={"Accept-Language": "fr"}).json
    assert french["detail"].startswith("l'édition n'est pas jouable\u00a0: squares/1/price\u00a0: au moins 0")
    assert "n'est aucun de" in french["errors"][1]["detail"]


@pytest.mark.parametrize("rulebook", ["negopoly", "negoces2", "monopoly_naruto", "monopolys"])
def test_other_rulebooks_take_no_edition(client: FlaskClient, town: dict[str, Any], rulebook: str) -> None:
    found = refused(client, town, rulebook=rulebook)
    assert found["errors"][0]["pointer"] == "/edition"
    assert (
        found["detail"]
        == f"{rulebook} takes no edition of a table; these rulebooks do: monopoly, virtual_revolution"
    )
    assert client.get(f"{BASE}/rulebooks/{rulebook}").json["takes_editions"] is False
    assert client.get(f"{BASE}/rulebooks/monopoly").json["takes_editions"] is True


@pytest.mark.parametrize("rulebook", ["monopoly_naruto", "monopolys"])
def test_other_editions_take_the_board_of_their_own_box_alone(
    client: FlaskClient, town: dict[str, Any], rulebook: str
) -> None:
    board = {name: value for name, value in town.items() if name not in {"title", "options"}}
    content = {"rulebook": rulebook, "players": PLAYERS, "dice": "table", "settings": {"board": board}}
    found = problem(client.post(f"{BASE}/games", json=content), 422, "invalid-request")
    assert found["errors"][0]["pointer"] == "/settings/board"


def test_a_board_in_the_settings_is_checked_as_well(client: FlaskClient, town: dict[str, Any]) -> None:
    board = {name: value for name, value in town.items() if name not in {"title", "options"}}
    board["squares"][3]["id"] = "tansy_row"
    content = {"rulebook": "monopoly", "players": PLAYERS, "dice": "table", "settings": {"board": board}}
    found = problem(client.post(f"{BASE}/games", json=content), 422, "invalid-request")
    assert found["errors"][0]["pointer"] == "/settings/board/squares/3/id"
    beside = refused(client, town, settings={"board": board})
    assert beside["errors"][0]["pointer"] == "/settings/board"


def test_an_edition_is_stored_with_ids_from_names_and_long_colours(
    client: FlaskClient, town: dict[str, Any]
) -> None:
    """A body may begin with a byte order mark; what is written shortly is in the game in full."""
    del town["squares"][1]["id"]
    town["groups"][0]["colour"] = "#0A5"
    town["named"]["money"] = "Taler"
    raw = codecs.BOM_UTF8 + json.dumps(asked_for(town)).encode()
    answer = client.post(f"{BASE}/games", data=raw, content_type="application/json")
    assert answer.status_code == 201, answer.text
    table = HttpTable(client, answer.json["game"], answer.json["tokens"])
    pieces = table.spectator.get("board").json["pieces"]
    assert pieces["squares"][1]["id"] == "tansy_row"
    assert pieces["groups"][0]["colour"] == "#00aa55"
    assert pieces["named"]["money"] == {"en": "Taler", "fr": "Taler"}
    board = {name: value for name, value in town.items() if name not in {"title", "options"}}
    asked = {"rulebook": "monopoly", "players": PLAYERS, "dice": "table", "settings": {"board": board}}
    game = client.post(f"{BASE}/games", json=asked).json
    headers = {"Authorization": f"Bearer {game['tokens']['spectator']}"}
    assert client.get(f"{BASE}/games/{game['game']}/board", headers=headers).json["pieces"] == pieces


def test_what_an_edition_forgets_is_told_with_the_new_game(client: FlaskClient, town: dict[str, Any]) -> None:
    asked = asked_for(town)
    assert client.post(f"{BASE}/games", json=asked).json["warnings"] == []
    del town["squares"][1]["mortgage"]
    french = client.post(f"{BASE}/games", json=asked, headers={"Accept-Language": "fr"})
    assert french.status_code == 201
    assert french.json["warnings"] == [
        {
            "pointer": "/edition/squares/1/mortgage",
            "detail": "il manque `mortgage`\u00a0: une hypothèque ne rapporte rien. "
            "La moitié du prix est mortgage = 30",
        }
    ]
    del asked["edition"]
    assert "warnings" not in client.post(f"{BASE}/games", json=asked).json


def test_settings_that_do_not_go_with_the_edition(client: FlaskClient, town: dict[str, Any]) -> None:
    town["options"] = {"houses_per_hotel": 3}
    town["squares"][1] |= {"rents": [1, 2, 3, 4, 5, 6], "towers": 1}
    created(client, town)
    found = refused(client, town, settings={"houses_per_hotel": 4})
    assert found["errors"][0]["pointer"] == "/edition/squares/1/towers"
    town["named"]["tokens"] = ["Owl", "Cat"]
    town["options"]["tokens_chosen"] = True
    created(client, town)
    found = refused(client, town, players=[*PLAYERS, {"seat": "cid", "name": "Cid"}])
    assert "2 players" in found["detail"]


def test_what_is_too_large_or_no_proper_json(client: FlaskClient, town: dict[str, Any]) -> None:
    def send(raw: str) -> Any:
        return client.post(f"{BASE}/games", data=raw.encode(), content_type="application/json")

    raw = json.dumps(asked_for(town))
    assert problem(send(raw.replace('"title"', '"title": "x", "title"', 1)), 400, "malformed-json")
    assert problem(send(raw.replace('"price": 60', '"price": NaN', 1)), 400, "malformed-json")
    assert problem(send(raw[:-1] + " " * 10_000_000 + "}"), 413, "too-large")
    assert problem(
        send(raw.replace('"options"', f'"x": {"[" * 5000}{"]" * 5000}, "options"', 1)), 400, "malformed-json"
    )
    for wrong, reason in (
        ('"price": 60.5', "a whole number is needed"),
        ('"price": 1e3', "a whole number is needed"),
        (f'"price": {"9" * 40}', "number"),
        (f'"price": {"[" * 40}{"]" * 40}', "nested in more than"),
    ):
        found = problem(send(raw.replace('"price": 60', wrong, 1)), 422, "invalid-request")
        assert reason in found["detail"]
        assert found["errors"][0]["pointer"].startswith("/edition/squares/1/price")
    found = problem(send(raw.replace("Tansy Row", "Tansy\\u202eRow")), 422, "invalid-request")
    assert found["errors"][0]["pointer"] == "/edition/squares/1/name"
    town["x"] = "x" * (MOST_BYTES + 1 - len(msgspec.json.encode(town)))
    sent = msgspec.json.encode(asked_for(town)).decode()
    assert "at most 256000 bytes" in problem(send(sent), 422, "invalid-request")["detail"]


# ----------------------------------------------------------------------------------------------
# Reading, and texts as data
# ----------------------------------------------------------------------------------------------


def large(town: dict[str, Any]) -> dict[str, Any]:
    """An edition of almost the largest size."""
    letters = [one for one in town["cards"] if one["deck"] == "letters"]
    size = len(json.dumps(town))
    for number in range(490 - len(town["cards"])):
        card = {**letters[0], "id": f"more_{number}", "title": {"en": "t" * 250, "fr": "u" * 250}}
        size += len(json.dumps(card))
        if size > MOST_BYTES - 5_000:
            break
        town["cards"].append(card)
    return town


def test_reading_a_game_with_a_large_edition_copies_none_of_it(client: FlaskClient, town: dict[str, Any]) -> None:
    table = started(created(client, large(town)))
    assert len(table.banker.get("board").data) > 200_000
    paths = ("", "moves", "state", "accounts", "actions?limit=1&order=desc")
    for path in paths:
        assert table.banker.get(path).status_code in {200, 422}
    tracemalloc.start()
    try:
        for path in ("", "moves", "accounts"):
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            table.banker.get(path)
            assert tracemalloc.get_traced_memory()[1] - before < MOST_BYTES, path
    finally:
        tracemalloc.stop()


NASTY = [
    "<script>alert(1)</script>",
    "=1+1",
    "{seat:seat} {0} %s",
    "\"quoted\" 'both' \\ ; | `x`",
    "[bold red]loud[/bold red]",
    "@SUM(A1)",
]


def test_texts_of_an_edition_are_data_everywhere(
    client: FlaskClient, ledger: Ledger, town: dict[str, Any], tmp_path: Path, database_url: str
) -> None:
    """Names and cards are shown as they are written, and never run, expanded or taken for a formula."""
    for number, (square, text) in enumerate(zip(town["squares"], NASTY * 5, strict=False)):
        square["name"] = f"{text} {number}"
    for group, text in zip(town["groups"], NASTY, strict=False):
        group["name"] = text
    for name in ("money", "house", "houses", "hotel", "hotels", "jail_pass", "pot"):
        town["named"][name] = {"en": f"{NASTY[0]} {name}", "fr": f"{NASTY[2]} {name}"}
    town["named"]["symbol"] = "<b>{0}"
    for number, card in enumerate(town["cards"]):
        card["title"] = {"en": f"{NASTY[0]} {NASTY[2]} {number}", "fr": f"{NASTY[1]} {number}"}
    for number, deck in enumerate(town["decks"]):
        deck["name"] = f"{NASTY[4]} {number}"
    town["title"] = NASTY[0]
    table = started(created(client, town))
    rolled = table.ana.play("roll_and_move", dice=[1, 2])
    assert NASTY[3] in rolled["sentence"]
    table.ana.play("buy_property")
    table.ana.play("end_turn")
    table.bob.play("roll_and_move", dice=[1, 1])
    drawn = table.bob.play("draw_card", card="letter_aunt")
    assert f"{NASTY[0]} {NASTY[2]}" in drawn["sentence"]
    report = table.banker.get("export?format=html").text
    assert "<script>alert" not in report
    assert "<b>{0}" not in report
    assert "&lt;script&gt;alert(1)" in report
    assert table.banker.get("export?format=parquet").status_code == 200
    tables = ZipFile(BytesIO(table.banker.get("export?format=csv").data))
    files = [tables.read(name).decode() for name in tables.namelist() if name.endswith(".csv")]
    for text in (*files, table.banker.get("audit", Accept="text/csv").text):
        for row in csv.reader(text.splitlines()):
            assert not [cell for cell in row if cell.startswith(("=", "@"))], row
    assert_accepted(ledger, table.game, tmp_path)
    lines = here("replay", table.game, DATABASE_URL=database_url).stdout
    for text in (NASTY[0], NASTY[2], NASTY[3], "<b>{0}"):
        assert text in lines
    names = table.ana.get("names").json
    assert [names["groups"][deck] for deck in ("letters", "tides")] == [f"{NASTY[4]} 0", f"{NASTY[4]} 1"]
    assert [one["name"] for one in table.ana.get("board").json["groups"]] == NASTY


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("/squares/3/name", "T\u0430nsy Row"),
        ("/squares/3/name", "Tansy\u200b Row"),
        ("/squares/3/name", "\uff34ansy Row"),
        ("/squares/3/name", "TANSY ROW"),
        ("/squares/3/name", "Tansy Row"),
        ("/squares/22/name", "Tansy Row"),
        ("/squares/14/name", "Letter B\u043ex"),
        ("/groups/1/name", "Th\u0435 M\u0435ad\u043ew"),
        ("/decks/1/name", "Letter\u0455"),
        ("/named/tokens/1", "Kit\u0435"),
        ("/named/hotel/en", "c\u043ettage"),
        ("/cards/1/title/en", "{first}\u200b"),
        ("/cards/1/title/en", "{first}"),
    ],
)
def test_what_looks_the_same_is_refused_with_its_place(
    client: FlaskClient, town: dict[str, Any], place: str, name: str
) -> None:
    """Two titles, squares, groups, decks, tokens, buildings or cards are told apart by eye, as players are."""
    *steps, last = place.split("/")[1:]
    part: Any = town
    for step in steps:
        part = part[int(step) if step.isdigit() else step]
    part[int(last) if last.isdigit() else last] = name.format(first=town["cards"][0]["title"]["en"])
    (fault,) = refused(client, town)["errors"]
    assert fault["pointer"] == f"/edition{place}"
    assert "cannot be told from" in fault["detail"]
    french = client.post(f"{BASE}/games", json=asked_for(town), headers={"Accept-Language": "fr"})
    assert "ne se distingue pas de" in french.json["errors"][0]["detail"]


def test_squares_and_cards_that_are_the_same_may_be_called_the_same(
    client: FlaskClient, town: dict[str, Any]
) -> None:
    """Both letter boxes are called so already; a deck may have a card twice."""
    assert [one["name"] for one in town["squares"]].count("Letter Box") == 2
    town["cards"].append({**town["cards"][0], "id": "letter_again"})
    created(client, town)


@pytest.mark.parametrize("rulebook", ["monopolys", "monopoly_naruto"])
def test_names_beside_the_box_are_told_apart(client: FlaskClient, rulebook: str) -> None:
    """A name that a table gives to a square may not look like that of another one."""
    board = rulebooks.rulebooks_by_id()[rulebook].screen.components()["squares"]
    first, second, *_ = (one for one in board if one["kind"] == "street")
    alike = first["name"].replace("a", "\u0430").replace("u", "u\u200b")
    asked = {
        "rulebook": rulebook,
        "dice": "table",
        "players": PLAYERS,
        "settings": {"names": {second["id"]: alike}},
    }
    answer = problem(client.post(f"{BASE}/games", json=asked), 422, "invalid-request")
    assert "two things would be called" in answer["detail"]
    changed = {**rulebooks.rulebooks_by_id()[rulebook].screen.components()}
    changed["squares"] = [{**one, "name": alike} if one["id"] == second["id"] else one for one in board]
    asked["settings"] = {"board": changed}
    answer = problem(client.post(f"{BASE}/games", json=asked), 422, "invalid-request")
    assert "cannot be told from" in answer["detail"]


def test_a_table_brings_pieces_of_virtual_revolution(client: FlaskClient) -> None:
    """Tables that are left out stay as they are; what cannot be played is refused with its place."""
    seats = {"rulebook": "virtual_revolution", "players": PLAYERS}
    own = {"title": "Lyon", "amounts": {"work_gain": 6}, "options": {"answer_seconds": 30}}
    table = created(client, own, **seats)
    pieces = table.spectator.get("board").json["pieces"]
    assert pieces["amounts"]["work_gain"] == 6
    assert len(pieces["agent"]) == 33
    faults = refused(client, {**own, "amounts": {"servers": 6}, "titles": []}, **seats)["errors"]
    assert [one["pointer"] for one in faults] == [*["/edition/titles"] * 7, "/edition/amounts/servers"]
    district = [
        {**one, "name": "P\u0430ris" if row else "Paris"} for row, one in enumerate(pieces["district"][:2])
    ]
    (alike,) = refused(client, {**own, "district": [*district, *pieces["district"][2:]]}, **seats)["errors"]
    assert alike["pointer"] == "/edition/district/1/name"
    few = {**own, "amounts": {"influence_on_board": {"3": 18}}}
    (fault,) = refused(client, few, **seats)["errors"]
    assert fault["pointer"] == "/edition/amounts/influence_on_board/2"
    beside = refused(client, own, **seats, settings={"pieces": None})
    assert beside["errors"][0]["pointer"] == "/settings/pieces"


def test_the_options_of_a_part_are_named_as_in_moves(client: FlaskClient) -> None:
    table = created(client, {"title": "Lyon"}, rulebook="virtual_revolution", players=PLAYERS)
    moves = table.ana.get("moves?kind=choose_colour").json
    labels = [option["label"] for option in moves["parts"]["options"]]
    assert labels == [option["label"] for option in moves["moves"][0]["choice"]["options"]]
    assert {"en": "red", "fr": "rouge"} in labels


def test_a_face_of_its_own_is_on_the_board_and_an_unreadable_one_is_refused(client: FlaskClient) -> None:
    """Two colours are enough: the rest is the house's. A game without a face has the house's."""
    for face, cloth, counter in (({"cloth": "#7A3A1D"}, "#7A3A1D", "#26323C"), (None, "#3B4A58", "#26323C")):
        edition = {**TOWN, **({} if face is None else {"face": face})}
        asked = {"rulebook": "monopoly", "players": PLAYERS, "dice": "service", "edition": edition}
        game = client.post(f"{BASE}/games", json=asked).get_json()
        headers = {"Authorization": f"Bearer {game['tokens']['spectator']}"}
        board = client.get(f"{BASE}/games/{game['game']}/board", headers=headers).get_json()
        assert [board["face"][name] for name in ("cloth", "counter", "weave")] == [cloth, counter, "tiles"]
    asked["edition"] = {**TOWN, "face": {"cloth": "#D8C9A8"}}
    refused = client.post(f"{BASE}/games", json=asked)
    assert refused.status_code == 422
    assert refused.get_json()["errors"] == [
        {
            "pointer": "/edition/face/cloth",
            "detail": "the contrast of #F0C15C on #D8C9A8 is 1.03, and 3.0 is needed",
        }
    ]
    pieces = {name: part for name, part in asked.pop("edition").items() if name not in {"title", "options"}}
    asked["settings"] = {"board": pieces}
    refused = client.post(f"{BASE}/games", json=asked)
    assert refused.status_code == 422
    assert "is 1.03, and 3.0 is needed" in refused.get_json()["detail"]
