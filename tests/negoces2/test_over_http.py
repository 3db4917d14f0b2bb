"""Négoces 2 over HTTP: the rulebook's description, refusals, undo, audit and statements."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from api.rest.application import Config, create_app
from ledger.rulebooks.negoces2 import RULEBOOK
from ledger.service import Ledger
from ledger.store.store import Store
from tests.harness.playing import NOON
from tests.tables.ledgers import chance_of_a_test
from tests.tables.negoces2 import SEATS, SERIES
from tests.tables.over_http import BASE, Caller, HttpTable, problem

PLAYERS = [{"seat": seat, "name": seat.capitalize()} for seat in SEATS]


@pytest.fixture
def client(store: Store) -> FlaskClient:
    ledger = Ledger(store, {RULEBOOK.id: RULEBOOK}, clock=lambda: NOON, chance=chance_of_a_test())
    return create_app(ledger, Config()).test_client()


@pytest.fixture
def callers(client: FlaskClient) -> dict[str, Caller]:
    """A game in which Ana has won the auction for 1 coin, with a client for each seat and a spectator."""
    table = HttpTable.created(client, *SEATS, rulebook="negoces2", settings={})
    found = {**table.players, "banker": table.banker, "spectator": table.spectator}
    found["banker"].play("draw_starter", method="roll", dice=[1])
    found["banker"].play("deal_goods", series=SERIES)
    found["ana"].play("bid", amount=1)
    for seat in ("bob", "cid", "dan"):
        found[seat].play("withdraw")
    return found


def test_the_rulebook_describes_itself(client: FlaskClient) -> None:
    described = client.get(f"{BASE}/rulebooks/negoces2").json
    assert described["players"] == {"fewest": 4, "most": 4}
    assert described["currency"] == "coin"
    assert set(described["settings"]["properties"]) == {
        "labels",
        "last_winners",
        "offers_may_be_turned",
        "reveal_at_end",
    }
    assert len(described["components"]["cards"]) == 9
    kinds = {action["kind"]: action for action in client.get(f"{BASE}/rulebooks/negoces2/actions").json["actions"]}
    assert kinds["offer_for_sale"]["chapter"] == "Sales"
    assert set(kinds["make_offer"]["parameters"]["properties"]) == {"card", "face", "coins", "hidden"}
    rule = client.get(f"{BASE}/rulebooks/negoces2/rules/negoces2:sale.4", headers={"Accept-Language": "fr"}).json
    assert rule["title"] == "La carte ne se reprend pas"


def test_a_game_needs_four_players(client: FlaskClient) -> None:
    asked = {"rulebook": "negoces2", "players": PLAYERS[:3], "dice": "table"}
    answer = client.post(f"{BASE}/games", json=asked)
    assert answer.status_code == 422
    assert "exactly 4 players" in answer.json["detail"]


def test_a_refusal_names_its_rule_in_both_languages(callers: dict[str, Caller]) -> None:
    asked = {"card": "good:3", "face": "up"}
    refused = problem(callers["bob"].act("offer_for_sale", params=asked), 409, "rule-broken")
    assert refused["rule"] == "negoces2:seller.3"
    assert refused["detail"] == "Bob is a buyer: the seller is Ana"
    french = callers["bob"].act("offer_for_sale", params=asked, headers={"Accept_Language": "fr"})
    assert french.json["detail"] == "Bob est acheteur\u00a0: le vendeur est Ana"


def test_a_card_without_a_face_is_offered_face_up_by_one_move(callers: dict[str, Caller]) -> None:
    """ "Offer silk and 3": one due move has a card and coins; that of a face-down card is rare."""
    callers["ana"].play("offer_for_sale", card="good:1")
    moves = callers["bob"].get("moves").json["moves"]
    ranks = {move["id"]: move["rank"] for move in moves if move["kind"] == "make_offer"}
    assert ranks == {
        "make_offer:coins": "due",
        "make_offer:up": "due",
        "make_offer:up:coins": "due",
        "make_offer:down": "rare",
        "make_offer:down:coins": "rare",
    }
    callers["bob"].play("make_offer", card="good:3", coins=3)
    (offer,) = callers["dan"].get("state").json["table"]["offers"]
    assert (offer["card"], offer["face"], offer["coins"]) == ("good:3", "up", 3)


def test_players_may_undo_without_asking_the_banker(callers: dict[str, Caller]) -> None:
    may = callers["ana"].get(f"{BASE}/me").json["may"]
    assert "undo" in may
    assert "ask_for_undo" not in may


def test_a_final_action_is_not_undone_and_another_is(callers: dict[str, Caller]) -> None:
    """Ana cannot take back the card she laid; Bob takes back a face-down offer, and has it back."""
    callers["ana"].play("offer_for_sale", card="good:1", face="down")
    refused = problem(callers["ana"].post("undo", {"reason": "the wrong one"}), 409, "rule-broken")
    assert refused["rule"] == "negoces2:sale.4"
    callers["bob"].play("make_offer", card="good:3", face="down")
    assert callers["bob"].post("undo", {"reason": "a slip"}).status_code == 201
    assert callers["dan"].get("state").json["table"]["offers"] == []
    assert callers["bob"].post("redo", {"reason": "no slip"}).status_code == 201
    (offer,) = callers["dan"].get("state").json["table"]["offers"]
    assert (offer["seat"], offer["face"], "card" in offer) == ("bob", "down", False)


def test_a_players_own_undo_is_told_as_theirs(callers: dict[str, Caller]) -> None:
    """Bob takes back his offer; in the journal and in the audit it is he who does, and not the banker."""
    callers["ana"].play("offer_for_sale", card="good:1", face="down")
    callers["bob"].play("make_offer", card="good:3", face="down")
    undo = callers["bob"].post("undo", {"reason": "a slip"}).json["number"]
    for seat in ("banker", "bob", "dan"):
        (event,) = callers[seat].get(f"actions/{undo}").json["events"]
        assert event["text"] == "Bob takes back an action of their own: a slip"
        line = callers[seat].get("audit").json["lines"][-1]
        assert line["sentence"].startswith("Bob takes back an action of their own: a slip.")
        assert (line["by_name"], line["seat_name"]) == ("Bob", "Bob")
    french = callers["dan"].get(f"actions/{undo}", Accept_Language="fr").json["events"][0]["text"]
    assert french == "Bob reprend une de ses actions\u00a0: a slip"
    banker = callers["banker"].post("undo", {"reason": "misread"}).json["events"][0]["text"]
    assert banker == "The banker corrects the history: misread"


def test_a_purse_of_hidden_coins_answers_alike_whether_it_was_ever_used_or_not(callers: dict[str, Caller]) -> None:
    """Nobody but Bob reads in his purse whether he has ever hidden anything in it (coins.1, secrecy.1)."""

    def seen_by(seat: str, account: str) -> tuple[int, object]:
        answer = callers[seat].get(f"accounts/{account}")
        return answer.status_code, answer.json.get("holdings")

    for seat in ("cid", "spectator"):
        assert seen_by(seat, "coins_hidden:bob") == (200, {})
        assert callers[seat].get("why?account=coins_hidden:bob&commodity=coin").json["amount"] is None
    callers["bob"].play("hide_coins", coins=2)
    for seat in ("cid", "spectator"):
        assert seen_by(seat, "coins_hidden:bob") == seen_by(seat, "coins_hidden:dan") == (200, {})
    assert seen_by("bob", "coins_hidden:bob") == (200, {"coin": 2})
    problem(callers["cid"].get("accounts/coins_hidden:zoe"), 404, "not-found")


def test_a_statement_counts_cards_for_those_who_may_not_see_which(callers: dict[str, Caller]) -> None:
    """Dan reads Bob's hand: eight cards dealt open, one laid face down and back, one received face down."""
    callers["ana"].play("offer_for_sale", card="good:1", face="down")
    revision = str(callers["bob"].play("make_offer", card="good:3", face="down")["number"])
    callers["ana"].play("accept_offer", buyer="bob", revision=revision)
    lines = callers["dan"].get("accounts/hand:bob/statement").json["lines"]
    assert [(line["commodity"], line["amount"], line["balance"]) for line in lines] == [
        ("good:3", 4, 4),
        ("good:4", 4, 4),
        ("card", -1, 7),
        ("card", 1, 8),
    ]
    own = callers["bob"].get("accounts/hand:bob/statement").json["lines"]
    assert [(line["commodity"], line["amount"]) for line in own[2:]] == [("good:3", -1), ("good:1", 1)]
    for name, seen in (("dan", {"card": 8}), ("bob", {"good:1": 1, "good:3": 3, "good:4": 4})):
        assert callers[name].get("accounts/hand:bob").json["holdings"] == seen
    assert callers["dan"].get("accounts/hand:bob/statement?commodity=good:1").json["lines"] == []


def test_the_audit_tells_a_hidden_sale_to_each_as_they_saw_it(callers: dict[str, Caller]) -> None:
    callers["ana"].play("offer_for_sale", card="contraband", face="down")
    revision = str(callers["bob"].play("make_offer", coins=2)["number"])
    sale = callers["ana"].play("accept_offer", buyer="bob", revision=revision)["number"]
    told = {}
    for name in ("bob", "spectator"):
        lines = callers[name].get("audit?limit=200").json["lines"]
        (told[name],) = [line["sentence"] for line in lines if line["action"] == sale]
        assert callers[name].get(f"actions/{sale}").json["params"] == {"buyer": "bob", "revision": revision}
    assert told["bob"].startswith("Ana gives a card (Contraband) face down to Bob for 2 coins.")
    assert told["spectator"].startswith("Ana gives a card face down to Bob for 2 coins.")
