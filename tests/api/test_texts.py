"""Texts with characters that nobody may write, and objects that name a member twice."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from ledger.kernel.facts.audience import BANKER
from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.facts.state import Seat
from ledger.service import Command, Ledger
from tests.tables.ledgers import ANA
from tests.tables.over_http import ANA_AND_BOB, BASE, HttpTable, problem

OVERRIDE = "\N{RIGHT-TO-LEFT OVERRIDE}"


def send(table: HttpTable, path: str, raw: str) -> Any:
    return table.client.post(
        f"{BASE}/games/{table.game}/{path}",
        data=raw.encode(),
        content_type="application/json",
        headers={"Authorization": f"Bearer {table.banker.token}"},
    )


@pytest.mark.parametrize(
    ("path", "body", "pointer"),
    [
        ("rulings", {"finding": "@"}, "/finding"),
        ("disputes", {"claim": "@", "seat": "ana"}, "/claim"),
        ("undo", {"reason": "@"}, "/reason"),
        ("corrections", {"reason": "because", "edits": [{"op": "drop", "action": "@"}]}, "/edits/0/action"),
        ("actions", {"kind": "transfer_money", "params": {"to": "@", "amount": 1}}, "/params/to"),
        ("actions", {"kind": "transfer_money", "params": {"@": "bob", "amount": 1}}, "/params"),
        ("actions", {"kind": "end_turn", "override": {"reason": "@"}}, "/override/reason"),
        ("actions", {"kind": "end_turn", "seat": "@"}, "/seat"),
    ],
)
@pytest.mark.parametrize("character", ["\0", "\r", "\x9b", OVERRIDE, "\ud800"], ids=ascii)
def test_no_text_of_a_body_may_hold_it(
    started: HttpTable, path: str, body: dict[str, Any], pointer: str, character: str
) -> None:
    raw = json.dumps(body).replace("@", f"a{json.dumps(character)[1:-1]}b")
    refused = problem(send(started, path, raw), 422, "invalid-request")
    (fault,) = refused["errors"]
    assert (fault["pointer"], fault["value"]) == (pointer, f"U+{ord(character):04X}")
    assert fault["detail"].endswith(refused["detail"])
    assert started.version == 6


def test_the_refusal_speaks_french_too(started: HttpTable) -> None:
    answer = started.banker.post("rulings", {"finding": f"abc{OVERRIDE}"}, Accept_Language="fr")
    assert problem(answer, 422, "invalid-request")["detail"] == (
        "finding\u00a0: U+202E est refusé\u00a0:"
        " un texte ne contient pas de caractères qui changent l'ordre de lecture des autres"
    )


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"title": f"Friday{OVERRIDE}"}, "/title"),
        ({"players": [{"seat": "ana", "name": "Ana\x1b[2J"}, {"seat": "bob", "name": "Bob"}]}, "/players/0/name"),
        ({"settings": {"colour": "\0"}}, "/settings/colour"),
    ],
)
def test_no_title_name_or_setting_may_hold_it(client: FlaskClient, changes: dict[str, Any], pointer: str) -> None:
    refused = problem(client.post(f"{BASE}/games", json=ANA_AND_BOB | changes), 422, "invalid-request")
    assert refused["errors"][0]["pointer"] == pointer


INVISIBLE = ("\u200b", "\u200d\u2060 \u3164", "\u2800", "  ")


@pytest.mark.parametrize("text", INVISIBLE, ids=ascii)
def test_a_game_has_a_title_that_can_be_read(client: FlaskClient, text: str) -> None:
    answer = client.post(f"{BASE}/games", json=ANA_AND_BOB | {"title": text})
    assert problem(answer, 422, "invalid-request")["detail"] == "/title: nothing of this text can be read"


@pytest.mark.parametrize("text", INVISIBLE, ids=ascii)
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("disputes", {"claim": "@", "seat": "ana"}),
        ("rulings", {"finding": "@"}),
        ("undo", {"reason": "@"}),
        ("corrections", {"reason": "@", "edits": [{"op": "drop", "action": 6}]}),
        ("actions", {"kind": "end_turn", "seat": "ana", "override": {"reason": "@"}}),
        ("actions", {"kind": "transfer_money", "seat": "ana", "params": {"to": "bob", "amount": 1, "tip": "@"}}),
    ],
)
def test_nobody_claims_finds_or_waives_with_an_invisible_text(
    started: HttpTable, path: str, body: dict[str, Any], text: str
) -> None:
    raw = json.dumps(body).replace("@", text)
    assert send(started, path, raw).status_code == 422
    assert started.version == 6


def test_a_text_of_which_nothing_is_seen_is_refused_in_french_too(started: HttpTable) -> None:
    refused = started.banker.post("disputes", {"claim": "\u200b", "seat": "ana"}, Accept_Language="fr")
    assert refused.json["detail"] == "/claim\u00a0: on ne peut rien lire de ce texte"


def test_names_of_every_script_are_welcome(client: FlaskClient) -> None:
    names = ["עֲנָת (\u200fבנק\u200e)", "می\u200cخواهم"]
    players = [{"seat": seat, "name": name} for seat, name in zip(("ana", "bob"), names, strict=True)]
    table = HttpTable.created(client, players=players, title="Deux\nlignes 😀")
    assert [seat["name"] for seat in table.banker.get().json["seats"]] == names


@pytest.mark.parametrize(
    ("query", "named"),
    [("?kind=%00", "kind"), ("?account=a%E2%80%AE", "account"), ("?%00a=1", "\ufffda"), ("?cursor=%0D", "cursor")],
)
def test_no_parameter_of_a_query_may_hold_it(started: HttpTable, query: str, named: str) -> None:
    refused = problem(started.banker.get(f"actions{query}"), 422, "invalid-request")
    assert refused["errors"][0]["parameter"] == named


def test_a_caller_in_python_is_refused_as_well(ledger: Ledger, started: HttpTable) -> None:
    """The ledger itself refuses the texts, whoever calls it."""
    for command in (
        Command(kind="open_dispute", params={"claim": "It\0"}),
        Command(kind="open_dispute", params={"claim": "It\ud800"}),
    ):
        with pytest.raises(Malformed, match="/claim: U"):
            ledger.perform(started.game, ANA, command)
    with pytest.raises(Malformed, match=r"/override: U\+202E"):
        ledger.perform(started.game, BANKER, Command(kind="end_turn", seat="ana", override=OVERRIDE))
    with pytest.raises(Malformed, match=r"/players/0/name: U\+000D"):
        ledger.create(
            "negopoly",
            title="Friday",
            players=[Seat("ana", "Ana\r"), Seat("bob", "Bob")],
            settings={},
            dice="table",
        )
    with pytest.raises(Malformed, match=r"/title: U\+0000"):
        ledger.forking.fork(started.game, 6, title="\0")
    assert started.version == 6


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ('{"kind": "end_turn", "kind": "roll_dice"}', "kind"),
        ('{"kind": "transfer_money", "params": {"to": "bob", "amount": 1, "amount": 900}}', "amount"),
        ('{"kind": "end_turn", "\\u006bind": "roll_dice"}', "kind"),
        ('{"kind": 5, "params": [{"a": 1, "a": 1}]}', "a"),
        ('{"kind": "end_turn", "params": {"": 1, "": 2}}', ""),
    ],
)
def test_a_member_named_twice(started: HttpTable, raw: str, name: str) -> None:
    """One reader takes the first of two amounts, another the last: such a body is refused."""
    refused = problem(send(started, "actions", raw), 400, "malformed-json")
    assert refused["detail"] == f'an object in the body names the member "{name}" twice'
    assert started.version == 6


def test_the_same_name_in_different_objects_is_fine(started: HttpTable) -> None:
    edits = [{"op": "drop", "action": 3}, {"op": "drop", "action": 5}]
    body = {"reason": "a slip", "edits": edits, "cascade": "restate", "dry_run": True}
    assert started.banker.post("corrections", body).status_code == 200
