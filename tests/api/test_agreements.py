"""Agreements of all kinds in one list: what they are about, when they are due, and what may be done about them."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.tables.over_http import Caller, HttpTable, problem


@pytest.fixture
def bound(client, clock) -> HttpTable:
    """Ana borrows 200 ₦ (action 9), offers Bob a deal (10) and a bounty of 100 ₦ (11). Cid only looks on."""
    table = HttpTable.created(client, "ana", "bob", "cid").start()
    table.ana.play("take_loan", amount=200)
    leg = {"giver": "bob", "taker": "ana", "commodity": "NGD", "amount": 30}
    table.ana.play("propose_deal", legs=[leg], clauses=["no rent on Nuketown"])
    table.ana.play("post_bounty", amount=100, conditions="whoever buys Nuketown")
    return table


def listed(caller: Caller, query: str = "", **headers: str) -> list[dict[str, Any]]:
    answer = caller.get(f"agreements{query}", **headers)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json["agreements"]
    return found


def test_a_proposal_says_what_is_proposed(client: FlaskClient) -> None:
    """Those who see the deal read what each of them gives, and the names of what passes on."""
    table = HttpTable.created(client, "ana", "bob", "cid").start()
    leg = {"giver": "bob", "taker": "ana", "commodity": "NGD", "amount": 30}
    made = table.ana.play("propose_deal", legs=[leg], clauses=["no rent on Nuketown"])
    number = made["number"]
    told = f"Ana proposes deal {number} between Ana and Bob: Bob gives ₦30; no rent on Nuketown."
    assert made["sentence"] == told
    assert made["names"]["seats"] == {"ana": "Ana", "bob": "Bob"}
    assert made["names"]["commodities"] == {"NGD": "₦"}
    french = table.bob.get(f"actions/{number}", **{"Accept-Language": "fr"}).json["sentence"]
    assert french.endswith("entre Ana et Bob\u00a0: Bob donne 30 ₦\u00a0; no rent on Nuketown.")
    assert table.cid.get(f"actions/{number}").json["sentence"] == "Something private happened."


def test_every_kind_of_agreement_is_in_one_list(bound: HttpTable) -> None:
    loan, deal, bounty = listed(bound.ana)
    assert [one["collection"] for one in (loan, deal, bounty)] == ["loans", "deals", "bounties"]
    assert loan["title"] == "The bank lends Ana ₦200"
    assert (loan["amount"], loan["status_text"], loan["open"]) == (200, "to be paid back", True)
    assert loan["due"] == {"text": "in 2 passages by Spawn"}
    assert loan["opened_at_number"] == 9
    assert loan["detail"]["outstanding"] == 200
    assert deal["title"] == "Deal of Ana and Bob: Bob gives ₦30; no rent on Nuketown"
    assert [(party["name"], party["letter"]) for party in deal["parties"]] == [("Ana", "A"), ("Bob", "B")]
    assert "due" not in deal
    assert (bounty["amount"], bounty["status_text"]) == (100, "waits for the bank")


def test_a_deal_says_who_gives_what_and_who_has_agreed(bound: HttpTable) -> None:
    """Bob, who is asked, reads both sides, the clause, and that Ana has agreed and he has not."""
    (deal,) = listed(bound.bob, "?collection=deals")
    assert deal["gives"] == [{"from": "bob", "to": "ana", "commodity": "NGD", "amount": 30, "name": "₦"}]
    assert deal["terms"] == ["no rent on Nuketown"]
    assert [(party["seat"], party["agreed"]) for party in deal["parties"]] == [("ana", True), ("bob", False)]
    loan, _, bounty = listed(bound.ana)
    assert (loan["gives"], loan["terms"], bounty["terms"]) == ([], [], ["whoever buys Nuketown"])
    assert "agreed" not in loan["parties"][0]


def test_titles_are_told_in_french(bound: HttpTable) -> None:
    loan, deal, bounty = listed(bound.ana, Accept_Language="fr")
    assert loan["title"] == "La banque prête 200 ₦ à Ana"
    assert loan["due"] == {"text": "dans 2 passages par Spawn"}
    assert [one["kind"] for one in (loan, deal, bounty)] == ["loan", "deal", "bounty"]
    assert (deal["label"], deal["title"]) == (
        "accord",
        "Accord entre Ana et Bob\u00a0: Bob donne 30 ₦\u00a0; no rent on Nuketown",
    )
    assert bounty["status_text"] == "attend la banque"


def test_a_proposed_contract_says_for_how_many_rounds(bound: HttpTable) -> None:
    """Its rounds are no money. From its registration on, the round in which it lapses stands there."""
    shares = {"ana": 90}
    terms = {"clauses": ["no rent"], "rounds": 3, "parties": ["bob"], "payers": shares}
    contract = str(bound.ana.play("register_contract", **terms)["number"])
    (proposed,) = listed(bound.bob, "?collection=contracts&status=open")
    assert (proposed["due"], "amount" in proposed) == ({"text": "for 3 rounds"}, False)
    bound.bob.play("agree_contract", contract=contract)
    (registered,) = listed(bound.bob, "?collection=contracts&status=open")
    assert registered["due"]["round"] > 3


def test_each_agreement_says_what_may_be_done_about_it(bound: HttpTable) -> None:
    deal = listed(bound.bob, "?collection=deals")[0]
    assert [(move["kind"], move["seat"], move["answer"]) for move in deal["next"]] == [
        ("agree_deal", "bob", "accept"),
        ("withdraw_deal", "bob", "refuse"),
    ]
    assert deal["next"][0]["params"] == {"deal": "10"}
    offered = {move["id"]: move["label"] for move in bound.bob.get("moves").json["moves"]}
    assert all(offered[move["move"]] == move["label"] for move in deal["next"])
    assert bound.bob.act(deal["next"][0]["kind"], params=deal["next"][0]["params"]).status_code == 201
    loan = listed(bound.ana, "?collection=loans")[0]
    assert [(move["kind"], "answer" in move) for move in loan["next"]] == [("repay_loan", False)]
    (bounty,) = listed(bound.banker, "?collection=bounties")
    assert {move["kind"]: move.get("seat") for move in bounty["next"]} == {
        "approve_bounty": None,
        "close_bounty": None,
    }
    assert all(one["next"] == [] for one in listed(bound.spectator))


def test_what_a_seat_may_not_know_is_not_listed(bound: HttpTable) -> None:
    """A loan is between Ana and the bank, a deal between its parties; a bounty is for everybody."""
    assert [one["collection"] for one in listed(bound.bob)] == ["deals", "bounties"]
    for outsider in (bound.cid, bound.spectator):
        assert [one["collection"] for one in listed(outsider)] == ["bounties"]
        assert listed(outsider, "?seat=bob") == []


def test_the_list_is_filtered_and_paged(bound: HttpTable) -> None:
    bound.ana.play("repay_loan", loan="9")
    assert [one["id"] for one in listed(bound.banker, "?status=open")] == ["10", "11"]
    (repaid,) = listed(bound.banker, "?status=ended")
    assert (repaid["status"], repaid["status_text"], repaid["open"]) == ("repaid", "paid back", False)
    assert (repaid["opened_at_number"], repaid["ended_at"]) == (9, 12)
    assert [one["id"] for one in listed(bound.banker, "?seat=bob")] == ["10"]
    pages = []
    target = "agreements?limit=1"
    while target:
        answer = bound.banker.get(target).json
        pages.append([one["id"] for one in answer["agreements"]])
        target = answer["next"] and f"agreements?limit=1&cursor={answer['next']}"
    assert pages == [["10"], ["11"], ["9"]]
    problem(bound.ana.get("agreements?collection=wars"), 422, "invalid-request")
    problem(bound.ana.get("agreements?seat=zoe"), 422, "invalid-request")


def test_a_collection_is_paged_too(bound: HttpTable) -> None:
    bound.ana.play("take_loan", amount=100)
    first = bound.ana.get("loans?limit=1").json
    assert [one["id"] for one in first["agreements"]] == ["9"]
    second = bound.ana.get(f"loans?limit=1&cursor={first['next']}").json
    assert ([one["id"] for one in second["agreements"]], second["next"]) == (["12"], None)


def test_what_falls_due_first_stands_first(bound: HttpTable) -> None:
    """A contract for two rounds comes before the loan, which has no date."""
    terms = {"parties": ["ana", "bob"], "clauses": ["peace"], "rounds": 2, "payers": {"ana": 60}}
    entry = bound.ana.act("register_contract", params=terms)
    assert entry.status_code == 201, entry.text
    bound.bob.play("agree_contract", contract="12")
    found = listed(bound.ana)
    assert [one["collection"] for one in found] == ["contracts", "loans", "deals", "bounties"]
    assert found[0]["due"]["text"] == "lapses at Ana's turn of round 3"
    assert (found[0]["due"]["round"], found[0]["due"]["seat"]) == (3, "ana")
