"""Everything that a seat reads hides what the seat may not see: journal, filters, statements, moves, errors."""

from typing import Any

import pytest

from tests.harness.figures import figures
from tests.tables.over_http import Caller, HttpTable, problem

SECRET = 1234


@pytest.fixture
def whispered(client, clock) -> HttpTable:
    """Ana has given Bob 1234 ₦, which is private; Cid sits at the same table. Version 9."""
    table = HttpTable.created(client, "ana", "bob", "cid").start()
    table.ana.play("transfer_money", to="bob", amount=SECRET)
    return table


@pytest.fixture(params=["cid", "spectator"])
def outsider(whispered: HttpTable, request: pytest.FixtureRequest) -> Caller:
    found: Caller = getattr(whispered, request.param)
    return found


def everything(caller: Caller, game: str) -> dict[str, Any]:
    """The addresses of all readings of a game."""
    addresses = [
        "",
        "state",
        "state?at=9",
        "actions",
        "actions?order=newest",
        "actions/9",
        "accounts",
        "accounts/player:ana",
        "accounts/player:bob/statement",
        "moves",
        "deals",
        "contracts",
        "loans",
        "deliveries",
    ]
    return {address: caller.get(address) for address in addresses}


def test_those_concerned_see_it(whispered: HttpTable) -> None:
    for caller in (whispered.ana, whispered.bob, whispered.banker):
        entry = caller.get("actions/9").json
        assert entry["kind"] == "transfer_money"
        assert entry["params"]["amount"] == SECRET
        assert entry["events"][0]["postings"][0]["amount"] == SECRET


def test_to_others_the_entry_says_only_that_something_happened(whispered: HttpTable, outsider: Caller) -> None:
    entry = outsider.get("actions/9").json
    assert entry["kind"] == "private"
    assert (entry["seat"], entry["by"]) == (None, None)
    assert entry["params"] == {}
    assert entry["events"] == []
    assert entry["balances"] == {}
    mine = whispered.ana.get("actions/9").json
    assert entry["receipt"] == mine["receipt"]
    assert entry["recorded_at"] == mine["recorded_at"]


def test_no_reading_gives_it_away(whispered: HttpTable, outsider: Caller) -> None:
    balance_of_ana, balance_of_bob = 1650 - SECRET, 1650 + SECRET
    for address, answer in everything(outsider, whispered.game).items():
        assert answer.status_code == 200, address
        assert figures(answer.text).isdisjoint({SECRET, balance_of_ana, balance_of_bob}), address


@pytest.mark.parametrize(
    "query",
    [
        "account=player:ana&kind=transfer_money",
        "kind=transfer_money",
        "rule=I.B.6",
        "seat=ana&since=2026-11-20T19:00:00Z&kind=transfer_money",
        "account=player:bob&commodity=NGD&rule=I.B.6",
    ],
)
def test_asking_for_it_finds_nothing(whispered: HttpTable, outsider: Caller, query: str) -> None:
    assert outsider.get(f"actions?{query}").json["actions"] == []
    (found,) = whispered.ana.get(f"actions?{query}").json["actions"]
    assert found["number"] == 9


def test_private_entries_are_found_as_such_only(whispered: HttpTable, outsider: Caller) -> None:
    hidden = [entry["number"] for entry in outsider.get("actions?kind=private").json["actions"]]
    assert 9 in hidden
    assert outsider.get("actions?kind=private&seat=ana").json["actions"] == []


def test_a_statement_shows_public_postings_without_the_balance(whispered: HttpTable, outsider: Caller) -> None:
    lines = outsider.get("accounts/player:ana/statement").json["lines"]
    assert [(line["kind"], line["amount"], line["balance"]) for line in lines] == [("seat_joined", 1500, None)]


def test_holdings_of_others_are_absent(whispered: HttpTable, outsider: Caller) -> None:
    assert outsider.get("accounts/player:ana").json["holdings"] == {}
    accounts = {row["account"]: row["holdings"] for row in outsider.get("accounts").json["accounts"]}
    assert "player:ana" not in accounts
    assert "player:bob" not in accounts
    state = outsider.get("state").json
    assert "player:ana" not in state["accounts"]


def test_an_account_nothing_is_seen_of_is_like_one_that_is_not_there(client, clock) -> None:
    """Cid and the spectators know nothing of the account with the doses in transit from Ana to Bob."""
    table = HttpTable.created(client, "ana", "bob", "cid").start(ana="doses", bob="doses", cid="doses")
    sent = table.ana.play("send_delivery", to="bob", commodity="dose", amount=2)
    transit = f"transit:{sent['number']}"
    assert table.bob.get(f"accounts/{transit}").json["holdings"] == {"dose": 2}
    for outsider in (table.cid, table.spectator):
        for what in ("", "/statement"):
            hidden = problem(outsider.get(f"accounts/{transit}{what}"), 404, "not-found")
            missing = problem(outsider.get(f"accounts/transit:99{what}"), 404, "not-found")
            assert hidden["detail"].replace(transit, "transit:99") == missing["detail"]
    problem(table.bob.get("accounts/player:zoe"), 404, "not-found")


def test_a_deal_is_its_parties_affair(whispered: HttpTable, outsider: Caller) -> None:
    whispered.ana.play("propose_deal", parties=["bob"], clauses=["Silence about the cellar"])
    assert "cellar" in whispered.bob.get("deals").text
    assert "cellar" in whispered.banker.get("state").text
    for address, answer in everything(outsider, whispered.game).items():
        assert "cellar" not in answer.text, address
    assert outsider.get("deals").json["agreements"] == []
    assert outsider.get("actions/10").json["kind"] == "private"


def test_a_refusal_does_not_tell_what_another_holds(whispered: HttpTable) -> None:
    refused = problem(
        whispered.ana.act("transfer_money", params={"to": "bob", "amount": 9000}), 409, "rule-broken"
    )
    assert 1650 - SECRET in figures(refused["detail"])
    explained = whispered.cid.get("moves?explain=transfer_money")
    assert explained.status_code == 200
    assert 1650 - SECRET not in figures(explained.text)


def test_a_spectator_is_not_told_why_a_seat_may_not_act(whispered: HttpTable) -> None:
    problem(whispered.spectator.get("moves?explain=transfer_money"), 403, "not-yours")
    problem(whispered.spectator.get("moves?seat=ana&explain=transfer_money"), 403, "not-yours")
    problem(whispered.cid.get("moves?explain=set_turn_order"), 403, "not-yours")
    problem(whispered.cid.get("moves?seat=ana"), 403, "not-yours")


def test_the_perk_is_its_owners_secret(whispered: HttpTable, outsider: Caller) -> None:
    entry = outsider.get("actions/3").json
    assert "money" not in str(entry)
    assert whispered.ana.get("state").json["table"]["you"]["perk"] == "money"
    assert "perk" not in outsider.get("state").json["table"]


def test_after_the_end_all_is_revealed(whispered: HttpTable, outsider: Caller) -> None:
    for seat in ("bob", "cid"):
        answer = whispered.banker.act("declare_bankruptcy", seat=seat, override={"reason": "left the table"})
        assert answer.status_code == 201, answer.text
    assert outsider.get().json["status"] == "ended"
    assert outsider.get("actions/9").json["params"]["amount"] == SECRET
