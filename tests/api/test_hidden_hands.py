"""Hidden hands over HTTP: veils, filters, and what only performing an action reveals.

The toy of `tests/kernel/hands.py`: Ana holds the ace and the king, Bob the queen and the jack, Cid the ten and the
nine. Version 2.
"""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from api.rest.application import Config, create_app
from ledger.service import Ledger
from ledger.store.store import Store
from tests.kernel import hands
from tests.tables.ledgers import Clock, chance_of_a_test
from tests.tables.over_http import Caller, HttpTable, problem

SLIP = {"reason": "a slip"}
DEALT_AND_TAKEN = [(2, "card", 1, 1), (2, "card", 1, 2), (4, "card", 1, 3)]
"""The lines of Bob's hand to others: number, commodity, amount, balance."""


@pytest.fixture
def client(store: Store, clock: Clock) -> FlaskClient:
    ledger = Ledger(store, {hands.RULES.id: hands.RULES}, clock=clock, chance=chance_of_a_test())
    return create_app(ledger, Config()).test_client()


@pytest.fixture
def table(client: FlaskClient) -> HttpTable:
    seats = [seat.seat for seat in hands.SEATS]
    table = HttpTable.created(client, *seats, rulebook="hands", settings={})
    table.banker.play("deal", cards=list(hands.DECK))
    return table


@pytest.fixture
def laid(table: HttpTable) -> HttpTable:
    """Ana has laid the ace, face down (action 3)."""
    table.ana.play("lay", card="ace")
    return table


@pytest.fixture
def sold(laid: HttpTable) -> HttpTable:
    """Bob has taken it for 4 coins (action 4)."""
    laid.bob.play("take", price=4)
    return laid


def holdings(caller: Caller, account: str, query: str = "") -> Any:
    return caller.get(f"accounts/{account}{query}").json["holdings"]


def lines(caller: Caller, account: str, query: str = "") -> list[tuple[Any, ...]]:
    found = caller.get(f"accounts/{account}/statement{query}").json["lines"]
    return [(line["number"], line["commodity"], line["amount"], line["balance"]) for line in found]


# Under a veil ---------------------------------------------------------------------------------------


def test_a_hand_is_so_many_cards_to_others(table: HttpTable) -> None:
    assert holdings(table.ana, "hand:ana") == {"card:ace": 1, "card:king": 1}
    assert holdings(table.bob, "hand:ana") == {"card": 2}
    assert table.spectator.get("state").json["accounts"]["hand:ana"] == {"card": 2}


def test_an_entry_tells_outsiders_that_a_card_was_laid_and_how(laid: HttpTable) -> None:
    entry = laid.bob.get("actions/3").json
    assert (entry["kind"], entry["seat"], entry["by"], entry["params"]) == ("lay", "ana", "ana", {"face": "down"})
    (event,) = entry["events"]
    assert (event["data"]["card"], event["text"]) == (None, "Ana lays 1 a card (hand:ana → market).")
    assert event["postings"] == [{"commodity": "card", "amount": 1, "from": "hand:ana", "to": "market"}]
    assert entry["balances"] == {"hand:ana": {"card": 1}, "market": {"card": 1}}
    assert laid.ana.get("actions/3").json["params"] == {"card": "ace", "face": "down"}


def test_whoever_asked_reads_what_they_asked_for(sold: HttpTable) -> None:
    """Cid sees all of his own purchase; the others see a part of it, and everybody sees the price."""
    assert sold.bob.get("actions/4").json["params"] == {"price": 4}
    assert sold.cid.get("actions/4").json["params"] == {"price": 4}
    assert sold.cid.get("actions/2").json["params"] == {}


def test_a_statement_has_veiled_lines_with_their_balance(sold: HttpTable) -> None:
    assert lines(sold.cid, "hand:bob") == DEALT_AND_TAKEN
    assert lines(sold.bob, "hand:bob") == [
        (2, "card:queen", 1, 1),
        (2, "card:jack", 1, 1),
        (4, "card:ace", 1, 1),
    ]
    assert lines(sold.cid, "hand:bob", "?commodity=card") == DEALT_AND_TAKEN
    assert lines(sold.cid, "hand:bob", "?commodity=card:ace") == []


def test_a_balance_is_told_to_whom_it_could_be_told_then(sold: HttpTable) -> None:
    """Everybody sees the empty market; while the card was there only Ana knew it."""
    assert lines(sold.cid, "market") == [(3, "card", 1, 1), (4, "card", -1, 0)]
    assert lines(sold.ana, "market") == [(3, "card:ace", 1, 1), (4, "card:ace", -1, 0)]
    assert holdings(sold.cid, "market") == {}
    assert holdings(sold.cid, "market", "?at=3") == {"card": 1}
    assert holdings(sold.ana, "market", "?at=3") == {"card:ace": 1}


def test_the_filters_find_what_is_shown_and_nothing_else(sold: HttpTable) -> None:
    def found(caller: Caller, query: str) -> list[int]:
        return [entry["number"] for entry in caller.get(f"actions?{query}").json["actions"]]

    assert found(sold.cid, "commodity=card&account=market") == [3, 4]
    assert found(sold.cid, "commodity=card:ace") == [1]
    assert found(sold.bob, "commodity=card:ace") == [1, 4]
    assert found(sold.ana, "commodity=card:ace") == [1, 2, 3, 4]
    audited = sold.cid.get("audit?commodity=card&account=hand:bob").json["lines"]
    assert [
        (line["number"], [one["amount"] for one in line["balances"] if one["account"] == "hand:bob"])
        for line in audited
    ] == [
        (2, [2]),
        (4, [3]),
    ]


def test_a_page_ends_with_what_is_shown(table: HttpTable) -> None:
    """The end of a page, and whether another follows, reveals nothing of hidden moves (actions 3 and 5)."""
    table.ana.play("hide", card="ace")
    table.ana.play("lay", card="king")
    table.ana.play("hide", card="king")
    path = "accounts/hand:ana/statement?limit=1"
    first = table.cid.get(path).json
    assert [line["number"] for line in first["lines"]] == [2, 2]
    second = table.cid.get(f"{path}&cursor={first['next']}").json
    assert ([line["number"] for line in second["lines"]], second["next"]) == ([4], None)
    assert table.ana.get(f"{path}&cursor={first['next']}").json["lines"][0]["number"] == 3


def test_why_there_are_so_many_cards(sold: HttpTable) -> None:
    why = sold.cid.get("why?account=hand:bob&commodity=card").json
    assert (why["amount"], why["unseen"], why["count"]) == (3, 0, 3)
    assert [(one["number"], one["amount"], one["balance"]) for one in why["postings"]] == [
        (4, 1, 3),
        (2, 1, 2),
        (2, 1, 1),
    ]
    hidden = sold.cid.get("why?account=hand:bob&commodity=card:ace").json
    assert (hidden["amount"], hidden["unseen"], hidden["count"], hidden["postings"]) == (None, None, 0, [])
    mine = sold.bob.get("why?account=hand:bob&commodity=card:ace").json
    assert (mine["amount"], mine["count"]) == (1, 1)


# What only performing an action reveals ---------------------------------------------------------------


def test_a_dry_run_does_not_turn_the_card(laid: HttpTable) -> None:
    asked = laid.bob.act("take", params={"price": 4}, dry_run=True).json
    (event,) = asked["events"]
    assert event["data"]["card"] is None
    assert event["postings"][1] == {"commodity": "card", "amount": 1, "from": "market", "to": "hand:bob"}
    assert asked["balances"] == {"hand:bob": {"card": 1}, "player:bob": {"coin": 6}}
    assert asked["effects"] == [
        {"account": "player:bob", "commodity": "coin", "before": 10, "after": 6},
        {"account": "market", "commodity": "card", "before": 1, "after": 0},
        {"account": "hand:bob", "commodity": "card", "before": 0, "after": 1},
    ]
    done = laid.bob.act("take", params={"price": 4}).json
    assert done["events"][0]["data"]["card"] == "ace"
    assert done["balances"]["hand:bob"] == {"card:ace": 1}


def test_a_dry_run_does_not_ask_what_others_hold(table: HttpTable) -> None:
    asked = table.bob.act("ask", params={"card": "ace"}, dry_run=True).json
    assert [event["data"]["copies"] for event in asked["events"]] == [None]
    assert [event["data"]["copies"] for event in table.bob.act("ask", params={"card": "ace"}).json["events"]] == [
        1,
        0,
    ]


def test_a_dry_run_of_the_end_reveals_nothing(laid: HttpTable) -> None:
    """A dry run of the end reveals nothing to players; the banker sees everything anyway."""
    assert laid.banker.act("end", dry_run=True).status_code == 200
    assert holdings(laid.cid, "hand:ana") == {"card": 1}


# Undoing ----------------------------------------------------------------------------------------------


def test_a_player_takes_back_what_told_nobody_anything(laid: HttpTable) -> None:
    preview = laid.ana.post("undo", {**SLIP, "dry_run": True}).json
    assert preview["holdings"]["hand:ana"] == {"card:ace": {"before": 0, "after": 1}}
    undone = laid.ana.post("undo", SLIP).json
    assert [(one["number"], one["status"]) for one in undone["events"][0]["data"]["amendments"]] == [(3, "undone")]
    assert undone == laid.ana.get("actions/4").json
    assert holdings(laid.ana, "hand:ana") == {"card:ace": 1, "card:king": 1}
    assert laid.cid.get("actions/3").json["status"] == "undone"
    redone = laid.ana.post("redo", SLIP)
    assert redone.status_code == 201
    assert laid.cid.get("actions/3").json["status"] == "effective"


@pytest.mark.parametrize(
    ("seat", "kind", "params"),
    [
        ("bob", "take", {"price": 1}),
        ("bob", "ask", {"card": "king"}),
        ("ana", "lay", {"card": "king", "face": "up"}),
    ],
)
def test_nobody_takes_back_what_was_learnt(
    request: pytest.FixtureRequest, seat: str, kind: str, params: dict[str, Any]
) -> None:
    table = request.getfixturevalue("laid" if kind == "take" else "table")
    getattr(table, seat).play(kind, **params)
    for dry_run in (True, False):
        refused = problem(getattr(table, seat).post("undo", {**SLIP, "dry_run": dry_run}), 403, "not-yours")
        assert "revealed something" in refused["detail"]


def test_nobody_takes_back_a_vow(table: HttpTable) -> None:
    table.ana.play("vow")
    refused = problem(table.ana.post("undo", SLIP), 409, "rule-broken")
    assert (refused["rule"], "for good" in refused["detail"]) == ("5.5", True)
    assert table.banker.post("undo", {**SLIP, "action": 3}).status_code == 201


def test_a_redo_finds_ones_own_and_says_nothing_of_others(laid: HttpTable) -> None:
    """Bob does not learn whether the banker has undone a whisper of Ana's."""
    laid.ana.play("hide", card="king")
    before = problem(laid.bob.post("redo", {**SLIP, "action": 4}), 409, "rule-broken")["detail"]
    laid.banker.post("corrections", {"edits": [{"op": "drop", "action": 4}], **SLIP})
    assert problem(laid.bob.post("redo", {**SLIP, "action": 4}), 409, "rule-broken")["detail"] == before
    assert "nothing to redo" in problem(laid.bob.post("redo", SLIP), 409, "rule-broken")["detail"]


# The end ----------------------------------------------------------------------------------------------


def test_after_the_end_every_moment_is_open_and_hidden_again_when_the_end_is_undone(sold: HttpTable) -> None:
    sold.banker.play("end")
    assert holdings(sold.cid, "hand:bob") == {"card:ace": 1, "card:jack": 1, "card:queen": 1}
    assert holdings(sold.cid, "market", "?at=3") == {"card:ace": 1}
    assert sold.cid.get("state?at=3&known_at=3").json["accounts"]["hand:ana"] == {"card:king": 1}
    assert sold.cid.get("actions/3").json["params"] == {"card": "ace", "face": "down"}
    assert lines(sold.cid, "market")[0] == (3, "card:ace", 1, 1)
    sold.banker.post("undo", {**SLIP, "action": 5})
    for query in ("", "?known_at=5", "?known_at=5&at=5", "?at=3"):
        assert all(name == "card" for name in holdings(sold.cid, "hand:bob", query)), query
    assert sold.cid.get("actions/3?").json["params"] == {"face": "down"}
    assert lines(sold.cid, "hand:bob", "?known_at=5") == DEALT_AND_TAKEN


# Rulings ----------------------------------------------------------------------------------------------


def test_a_waived_rule_of_somebody_s_funds_is_for_them(table: HttpTable) -> None:
    """Everybody sees that the banker waived a rule, and why, but not what Bob holds."""
    for reason in ("on credit", "and again"):
        answer = table.banker.act("buy_beans", seat="bob", params={"amount": 3}, override={"reason": reason})
        assert answer.status_code == 201
    for caller, told in (
        (table.bob, ["Bob has 4 coins and cannot spend 6 coins without 2 coins more"]),
        (table.cid, []),
    ):
        entry = caller.get("actions/4").json
        assert (entry["override"], [one["text"] for one in entry["warnings"]]) == ("and again", told)
        line = next(one for one in caller.get("audit").json["lines"] if one["number"] == 4)
        assert [one["text"] for one in line["waived"]] == told


def test_a_ruling_moves_a_hidden_card_and_names_it_to_the_two(table: HttpTable) -> None:
    move = {"from": "hand:ana", "to": "hand:bob", "commodity": "card:king", "amount": 1}
    remedies = [{"op": "adjust", "postings": [move], "reason": "the king was Bob's"}]
    table.banker.post("rulings", {"finding": "So be it", "remedies": remedies})
    outside = table.cid.get("actions/3").json
    assert outside["events"][0]["text"] == "By ruling 3, 1 a card (hand:ana → hand:bob)."
    assert "card:king" not in str(outside)
    assert "the king" not in str(outside)
    assert outside["balances"] == {"hand:ana": {"card": 1}, "hand:bob": {"card": 3}}
    inside = table.bob.get("actions/3").json
    assert inside["events"][0]["text"] == "By ruling 3, 1 card:king (hand:ana → hand:bob): the king was Bob's"


# With the rights of a spectator -----------------------------------------------------------------------

READS = (
    "",
    "state",
    "state?at=3",
    "actions",
    "actions/3",
    "accounts",
    "accounts/hand:ana",
    "accounts/hand:ana/statement",
    "audit",
    "replay",
    "disputes",
)


@pytest.mark.parametrize("who", ["banker", "ana", "bob"])
def test_a_covered_page_is_told_what_a_spectator_is_told(sold: HttpTable, who: str) -> None:
    caller = getattr(sold, who)
    own, covered, public = (
        [asked.get(path, **headers).data for path in READS]
        for asked, headers in ((caller, {}), (caller, {"View_As": "spectator"}), (sold.spectator, {}))
    )
    assert covered == public
    assert own != public
    # A browser's cache takes answers with equal tags for equal, whatever they vary with.
    tag = caller.get("state").headers["ETag"]
    assert caller.get("state", View_As="spectator", If_None_Match=tag).status_code == 200


def test_a_covered_page_acts_for_nobody(sold: HttpTable) -> None:
    asked = {"kind": "lay", "params": {"card": "king"}}
    problem(sold.ana.post("actions", asked, View_As="spectator"), 403, "not-yours")
    assert "banker" in problem(sold.ana.get("state", View_As="banker"), 400, "bad-request")["detail"]
