"""A banker who also plays has a banker's powers, and learns what their own seat may know (Ana's, here).

Two games differ in the card that Bob drew. Everything that the banker reads of them is the same.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from api.rest.application import Config, create_app
from ledger.service import Ledger
from ledger.store.store import Store
from tests.harness.attempts import GAME
from tests.harness.overhearing import OverhearingClient
from tests.harness.secrecy import Asked, Chair, differences, differing
from tests.kernel.patience import RULES
from tests.tables.ledgers import Clock, chance_of_a_test
from tests.tables.over_http import HttpTable, problem

EACH = None if os.environ.get("MABLIGOP_SOAK") else 2
"""How many requests are made of every reading."""
BOBS_DRAW, UNDONE_DRAW, ANAS_DRAW = 2, 4, 3
ACTIONS = f"/api/v1/games/{GAME}/actions"


class Overhearing(OverhearingClient):
    """Listens to the streams of the bankers, too."""

    bankers_listen = True


@pytest.fixture
def ledger(store: Store) -> Ledger:
    return Ledger(store, {RULES.id: RULES}, clock=Clock(step=1), chance=chance_of_a_test())


@pytest.fixture
def client(ledger: Ledger) -> Iterator[FlaskClient]:
    app = create_app(ledger, Config(requests_per_minute=None))
    app.test_client_class = Overhearing
    with app.test_client() as calling:
        yield calling


def played(client: FlaskClient, first: str, second: str, banker_plays: str = "ana", **settings: Any) -> HttpTable:
    """Bob draws a card, and another one, which the banker undoes; Ana draws one between. The banker is Ana."""
    table = HttpTable.created(
        client, rulebook=RULES.id, settings={"banker_plays": banker_plays, **settings}, dice="table"
    )
    table.bob.play("draw_card", draws=[first])
    table.ana.play("draw_card", draws=["nine"])
    table.bob.play("draw_card", draws=[second])
    undone = table.banker.post("undo", {"action": UNDONE_DRAW, "reason": "It was not his turn."})
    assert undone.status_code == 201, undone.text
    table.bob.play("open_dispute", claim="It was my turn.", actions=[UNDONE_DRAW])
    return table


def chair(table: HttpTable) -> Chair:
    """The banker; what is hidden from them is looked up as Bob."""
    return Chair(table.client, table.game, table.tokens["banker"], table.tokens["players"]["bob"])


def corrections() -> Iterator[Asked]:
    """Dry runs of corrections, of rulings, and of what the banker may do as Ana."""
    for edit in (
        {"op": "drop", "action": BOBS_DRAW},
        {"op": "drop", "action": ANAS_DRAW},
        {"op": "drop", "action": 5},
        {"op": "rewind", "to": BOBS_DRAW},
        {"op": "replace", "action": BOBS_DRAW, "params": {"draws": ["queen"]}},
        {"op": "insert", "after": ANAS_DRAW, "action": {"kind": "pass", "seat": "bob"}},
    ):
        for cascade in ("restate", "keep", "refuse"):
            content = {"edits": [edit], "cascade": cascade, "reason": "?", "dry_run": True}
            yield Asked("POST", f"/api/v1/games/{GAME}/corrections", content=content)
        remedy = {"op": "correct", "edits": [edit], "reason": "?"}
        ruling = {"finding": "?", "remedies": [remedy], "dry_run": True}
        yield Asked("POST", f"/api/v1/games/{GAME}/rulings", content=ruling)
    for sent in (
        {"kind": "pass"},
        {"kind": "draw_card", "params": {"draws": ["queen"]}},
        {"kind": "end_patience"},
    ):
        yield Asked("POST", ACTIONS, content={**sent, "seat": "ana", "dry_run": True})
    for way in ("undo", "redo"):
        yield Asked("POST", f"/api/v1/games/{GAME}/{way}", content={"reason": "?", "dry_run": True})


def test_two_games_that_differ_in_a_hidden_card_are_the_same_to_a_banker_who_plays(client: FlaskClient) -> None:
    games = [chair(played(client, *cards)) for cards in (("ace", "king"), ("king", "ace"))]
    found = differences(*games, more=list(corrections()), each=EACH, attempting=False)
    assert not [str(one) for one in found if not one.asked.path.endswith("/tokens")]  # which have ids of their own


def test_to_a_banker_who_only_banks_they_differ(client: FlaskClient) -> None:
    games = [chair(played(client, *cards, banker_plays="")) for cards in (("ace", "king"), ("king", "ace"))]
    assert next(differing(*games, each=1, attempting=False))


def test_the_banker_sees_what_the_seat_sees(client: FlaskClient) -> None:
    table = played(client, "ace", "king")
    held = table.banker.get("state").json["accounts"]
    assert held == table.ana.get("state").json["accounts"]
    assert held["hand:ana"] == {"card:nine": 1}
    assert held["hand:bob"] == {"card": 1}
    me = table.banker.get("/api/v1/me").json
    assert (me["role"], me["seat"], "read_everything" in me["may"]) == ("banker", "ana", False)
    assert "act_for_others" in me["may"]
    (dispute,) = table.banker.get("disputes").json["disputes"]
    assert dispute["claim"] == "It was my turn."


def test_the_banker_keeps_the_powers_of_a_banker(client: FlaskClient) -> None:
    table = played(client, "ace", "king")
    entry = table.banker.play("draw_card", seat="bob", draws=["ten"])
    assert (entry["by"], entry["seat"]) == ("banker", "bob")
    ruling = {"finding": "It was not.", "remedies": [{"op": "dismiss"}]}
    assert table.banker.post("disputes/6/rulings", ruling).status_code == 201
    table.banker.play("end_patience")


def test_the_banker_tries_nothing_out_for_another_seat(client: FlaskClient) -> None:
    table = played(client, "ace", "king")
    for card in ("ace", "queen"):
        tried = table.banker.act("draw_card", seat="bob", params={"draws": [card]}, dry_run=True)
        assert "cannot be previewed by you" in problem(tried, 403, "not-yours")["detail"]
    problem(table.banker.get("moves?seat=bob"), 403, "not-yours")
    assert [one.get("seat") for one in table.banker.get("moves?seat=all").json["seats"]] == ["ana", None]


def test_why_an_action_of_another_seat_is_refused_is_not_told(client: FlaskClient) -> None:
    table = played(client, "ace", "king")
    table.bob.play("pass")
    refused = problem(table.banker.act("draw_card", seat="bob", params={"draws": ["ace"]}), 409, "rule-broken")
    assert refused["detail"] == "this is refused; why is for the players concerned to know"
    own = problem(table.banker.act("draw_card", seat="ana", params={"draws": ["nine"]}), 422, "invalid-parameters")
    assert "takes 1 of the cards" in own["detail"]


def test_what_may_lie_hidden_is_not_named_for_another_seat(client: FlaskClient) -> None:
    """Bob holds the ace or the king: neither is put into his history, taken out of it, or moved from his hand."""
    for cards in (("ace", "king"), ("king", "ace")):
        table = played(client, *cards)
        drawn = {"kind": "draw_card", "seat": "bob", "params": {"draws": ["ace"]}}
        inserted = {"op": "insert", "after": ANAS_DRAW, "action": drawn}
        replaced = {"op": "replace", "action": BOBS_DRAW, "params": {"draws": ["ace"]}}
        move = {"from": "hand:bob", "to": "hand:ana", "commodity": "card:ace", "amount": 1}
        moved = {"op": "adjust", "postings": [move], "reason": "?"}
        for dry_run in (True, False):
            for edit in (inserted, replaced):
                asked = {"edits": [edit], "cascade": "restate", "reason": "?", "dry_run": dry_run}
                problem(table.banker.post("corrections", asked), 403, "not-yours")
            ruling = {"finding": "?", "remedies": [moved], "dry_run": dry_run}
            problem(table.banker.post("rulings", ruling), 403, "not-yours")


def test_the_other_seat_asks_for_the_correction_in_a_dispute(client: FlaskClient) -> None:
    table = played(client, "ace", "king")
    edit = {"op": "replace", "action": BOBS_DRAW, "params": {"draws": ["ten"]}}
    asked = table.bob.act("open_dispute", params={"claim": "?", "actions": [BOBS_DRAW], "edits": [edit]})
    dispute = asked.json["entry"]["number"] if "entry" in asked.json else asked.json["number"]
    assert table.banker.post(f"disputes/{dispute}/acceptance", {}).status_code == 201
    assert table.bob.get("state").json["accounts"]["hand:bob"] == {"card:ten": 1}


def test_a_card_recorded_for_another_seat_is_a_claim(client: FlaskClient) -> None:
    """It may lie in that seat's hand, or in the deck: it is recorded alike, and the hand grows by one card."""
    for cards in (("ace", "king"), ("king", "ace")):
        table = played(client, *cards)
        table.banker.play("draw_card", seat="bob", draws=["ace"])
        assert table.banker.get("state").json["accounts"]["hand:bob"] == {"card": 2}


def test_nothing_leaves_with_an_export_or_a_fork_until_the_end_reveals_it(client: FlaskClient) -> None:
    table = played(client, "ace", "king", reveal_at_end=True)
    exported, (_, *of_ana) = (
        one.get("export?format=jsonl").text.splitlines() for one in (table.banker, table.ana)
    )
    assert exported[1:] == of_ana
    fork = {"from": {"game": table.game, "action": 2, "token": table.tokens["banker"]}}
    assert table.stranger.post("/api/v1/games", fork).status_code == 403
    table.banker.play("end_patience")
    assert table.banker.get("export?format=jsonl").text.splitlines()[1:] != of_ana
    assert table.banker.get("state").json["accounts"]["hand:bob"] == {"card:ace": 1}


def test_the_host_of_the_database_sees_everything(client: FlaskClient, ledger: Ledger) -> None:
    table = played(client, "ace", "king")
    assert ledger.moment(table.game).viewer.sees_all


def test_the_setting_names_a_seat_of_the_table(client: FlaskClient) -> None:
    wanted = {
        "rulebook": RULES.id,
        "settings": {"banker_plays": "zoe"},
        "players": [{"seat": "ana", "name": "Ana"}],
    }
    wanted["players"].append({"seat": "bob", "name": "Bob"})  # type: ignore[attr-defined]
    assert client.post("/api/v1/games", json=wanted).status_code == 422
