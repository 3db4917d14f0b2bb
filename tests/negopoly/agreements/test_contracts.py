"""X.A. Contracts: registered with all parties' consent for 30 ₦ a round; the banker decides about breaches."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.facts.events import kind_of
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.agreements.contract_facts import BreachSanctioned, ContractProposed
from ledger.rulebooks.negopoly.agreements.contracts import RegisterContract
from ledger.rulebooks.negopoly.table.terms import Breach, Contract
from tests.tables.negopoly import Table, agreement, idle


def propose(table: Table, seat: str, *parties: str, rounds: int = 1, **more: Any) -> str:
    """The seat proposes a contract to the others; return its id."""
    more.setdefault("clauses", ["we do not build on the cyan street"])
    event = table.play(seat, "register_contract", parties=list(parties), rounds=rounds, **more)[0]
    assert isinstance(event, ContractProposed)
    return event.contract.id


def registered(table: Table, *parties: str, rounds: int = 1) -> str:
    """A contract of these parties in force; the first one has paid for it."""
    contract = propose(table, *parties, rounds=rounds)
    for other in parties[1:]:
        table.play(other, "agree_contract", contract=contract)
    return contract


def test_a_contract_is_suggested_with_each_of_the_others_and_never_alone() -> None:
    state = Table("ana", "bob", "cid").state
    suggested = [choice.params["parties"] for choice in RegisterContract.choices(state, "ana")]
    assert suggested == [["ana", "bob"], ["ana", "cid"]]


@pytest.mark.rule("X.A.1", "X.A.2", "X.A.3")
def test_a_contract_exists_once_all_have_consented_and_the_bank_has_its_price() -> None:
    """Two rounds between three: 60 ₦ from Ana, taken when Cid, the last one, consents."""
    table = Table("ana", "bob", "cid")
    bank = table.holds("bank")
    contract = propose(table, "ana", "bob", "cid", rounds=2)
    assert table.holds("ana") == 1650
    table.play("bob", "agree_contract", contract=contract)
    assert agreement(table, contract, Contract).status == "proposed"
    table.refused("cid", "report_breach", "X.A.2", contract=contract, statement="they build")
    assert table.holds("ana") == 1650
    table.play("cid", "agree_contract", contract=contract)
    kept = agreement(table, contract, Contract)
    assert (kept.status, kept.parties, kept.rounds) == ("open", ("ana", "bob", "cid"), 2)
    assert (table.holds("ana"), table.holds("bob"), table.holds("bank")) == (1590, 1650, bank + 60)


@pytest.mark.rule("X.A.1")
def test_one_player_may_bind_themselves_alone() -> None:
    table = Table("ana", "bob")
    contract = propose(table, "ana", rounds=3)
    assert agreement(table, contract, Contract).status == "open"
    assert table.holds("ana") == 1560


@pytest.mark.rule("X.A.1", "I.B.5")
def test_the_parties_are_players_of_this_game_who_are_still_in_it() -> None:
    """Neither the bank nor a stranger signs, nor Cid, who is out."""
    table = Table("ana", "bob", "cid")
    with table.arranged() as state:
        state.eliminated["cid"] = "bankruptcy"
    how: dict[str, Any] = {"clauses": ["peace"], "rounds": 1}
    for stranger in ("bank", "zoe"):
        refusal = table.refused("ana", "register_contract", "X.A.1", parties=[stranger], **how)
        assert refusal.en == f"there is no seat '{stranger}' in this game; its seats are: Ana, Bob and Cid"
    table.refused("ana", "register_contract", "I.B.5", parties=["cid"], **how)
    assert table.state.open == {}


@pytest.mark.rule("X.A.2", "X.1")
def test_consent_is_each_partys_own_and_given_once() -> None:
    table = Table("ana", "bob", "cid")
    contract = propose(table, "ana", "bob")
    table.refused("ana", "agree_contract", "X.A.2", contract=contract)
    assert "no contract" in table.refused("cid", "agree_contract", "X.A.2", contract=contract).en
    table.play("bob", "withdraw_contract", contract=contract)
    table.refused("bob", "agree_contract", "X.A.2", contract=contract)
    table.refused("ana", "register_contract", "X.A.1", parties=["bank"], clauses=["free money"], rounds=1)
    again = registered(table, "ana", "bob")
    table.refused("bob", "agree_contract", "X.A.2", contract=again)
    table.refused("bob", "withdraw_contract", "X.A.2", contract=again)


@pytest.mark.rule("X.A.3")
def test_without_the_payment_there_is_no_contract() -> None:
    """Ana can pay 1650 ₦, which is 55 rounds; 56 cost 1680, and Bob, who consents, is not told what she has."""
    table = Table("ana", "bob")
    contract = propose(table, "ana", "bob", rounds=56)
    short = table.refused("bob", "agree_contract", "X.A.3", contract=contract)
    assert short.en == "Ana cannot spend ₦1680"
    assert agreement(table, contract, Contract).status == "proposed"
    for payers in ({"ana": 59}, {"ana": 61}, {"ana": 30, "bob": 31}, {}):
        table.refused("ana", "register_contract", "X.A.3", parties=["bob"], clauses=["…"], rounds=2, payers=payers)


@pytest.mark.rule("X.A.4")
def test_the_parties_share_the_price_as_they_like_but_nobody_else_pays() -> None:
    table = Table("ana", "bob", "cid")
    contract = propose(table, "ana", "bob", "cid", rounds=3, payers={"bob": 89, "cid": 1})
    table.play("bob", "agree_contract", contract=contract)
    table.play("cid", "agree_contract", contract=contract)
    assert (table.holds("ana"), table.holds("bob"), table.holds("cid")) == (1650, 1561, 1649)
    for stranger in ("cid", "bank"):
        table.refused(
            "ana",
            "register_contract",
            "X.A.4",
            parties=["bob"],
            clauses=["…"],
            rounds=1,
            payers={stranger: 30},
        )


@pytest.mark.rule("X.A.3", "X.A.6")
def test_a_correction_elsewhere_leaves_a_contract_of_several_payers_as_it_was() -> None:
    """Whatever the order in which the payers and the depositors were named."""
    table = Table("ana", "bob", "cid")
    table.play("ana", "transfer_money", to="bob", amount=1)
    earlier = table.number
    contract = propose(
        table, "ana", "bob", "cid", rounds=3, payers={"cid": 1, "bob": 89}, escrow={"cid": 20, "ana": 10}
    )
    table.play("bob", "agree_contract", contract=contract)
    table.play("cid", "agree_contract", contract=contract)
    registered = table.number
    table.banker("correct", edits=[{"op": "drop", "action": earlier}], cascade="restate", reason="It was a joke")
    assert table.standing(earlier).status == "undone"
    assert table.standing(registered).status == "effective"


@pytest.mark.rule("X.A.5")
def test_a_contract_of_two_rounds_lapses_at_the_same_seats_turn_two_rounds_later() -> None:
    """Made in Bob's turn of round 1, it holds through Ana's turn of round 3 and ends as Bob's opens."""
    table = Table("ana", "bob")
    idle(table, "ana")
    contract = registered(table, "ana", "bob", rounds=2)
    kept = agreement(table, contract, Contract)
    assert (kept.ends_round, kept.ends_seat) == (3, "bob")
    for seat in ("bob", "ana", "bob"):
        idle(table, seat)
    assert table.state.round == 3
    assert agreement(table, contract, Contract).status == "open"
    idle(table, "ana")
    assert "contract_lapsed" in [kind_of(event) for event in table.last.events]  # type: ignore[union-attr]
    assert agreement(table, contract, Contract).status == "lapsed"
    table.malformed("ana", "register_contract", clauses=["…"], rounds=0)


@pytest.mark.rule("X.A.5")
def test_a_contract_lapses_when_the_seat_of_its_birth_would_have_played() -> None:
    table = Table("ana", "bob", "cid")
    idle(table, "ana")
    contract = registered(table, "ana", "cid")
    idle(table, "bob")
    with table.arranged() as state:
        state.eliminated["bob"] = "bankruptcy"
    idle(table, "cid")
    assert agreement(table, contract, Contract).status == "open"
    idle(table, "ana")
    assert agreement(table, contract, Contract).status == "lapsed"


@pytest.mark.rule("X.A.5", "II.2")
def test_a_contract_lapses_at_a_turn_that_is_missed_like_at_any_other() -> None:
    """Bob, in whose turn it was made, misses his turn of round 2: the contract of one round ends there."""
    table = Table("ana", "bob")
    idle(table, "ana")
    contract = registered(table, "ana", "bob")
    idle(table, "bob")
    with table.arranged() as state:
        state.missed["bob"] = 1
    idle(table, "ana")
    kinds = [kind_of(event) for event in table.last.events]  # type: ignore[union-attr]
    assert "turn_skipped" in kinds
    assert agreement(table, contract, Contract).status == "lapsed"


@pytest.mark.rule("X.A.6")
def test_any_clause_is_accepted_and_none_is_enforced() -> None:
    """Bob signs that he will pay 500 ₦ and send nothing to anybody: he pays nothing and sends what he likes."""
    table = Table("ana", "bob")
    table.give("bob", "dose")
    contract = propose(
        table,
        "ana",
        "bob",
        clauses=["Bob pays 500 ₦ next round if it rains", "Bob sends no dose to anybody", "Ana is protected"],
    )
    table.play("bob", "agree_contract", contract=contract)
    idle(table, "ana")
    table.play("bob", "send_delivery", to="ana", commodity="dose", amount=1)
    assert table.holds("bob") == 1650
    assert agreement(table, contract, Contract).breaches == ()
    table.malformed("ana", "register_contract", clauses=[], rounds=1)


@pytest.mark.rule("X.1", "X.A.7")
def test_a_report_is_kept_and_changes_nothing_until_the_banker_decides() -> None:
    table = Table("ana", "bob", "cid")
    contract = registered(table, "ana", "bob")
    money = [table.holds(seat) for seat in ("ana", "bob", "cid", "bank")]
    table.play("ana", "report_breach", contract=contract, statement="Bob built a house")
    table.play("bob", "report_breach", contract=contract, statement="I did not")
    assert agreement(table, contract, Contract).breaches == (
        Breach("ana", "Bob built a house"),
        Breach("bob", "I did not"),
    )
    assert [table.holds(seat) for seat in ("ana", "bob", "cid", "bank")] == money
    table.refused("cid", "report_breach", "X.1", contract=contract, statement="I saw it")
    assert RULEBOOK.actions["sanction_breach"].by == ("banker",)
    assert not table.offers("ana", "sanction_breach")


@pytest.mark.rule("X.A.7", "X.A.8", "I.B.3", "X.1")
def test_the_banker_sanctions_a_breach_into_debt_if_need_be() -> None:
    """Without a report: Bob owes Ana 2000 ₦, then the bank 10. After the lapse the banker may still do so."""
    table = Table("ana", "bob", "cid")
    contract = registered(table, "ana", "bob")
    (event,) = table.banker(
        "sanction_breach", contract=contract, party="bob", amount=2000, to="ana", reason="he built"
    )
    assert isinstance(event, BreachSanctioned)
    assert event.rule == "X.A.8"
    assert (table.holds("ana"), table.holds("bob")) == (1620 + 2000, -350)
    bank = table.holds("bank")
    for seat in ("ana", "bob", "cid"):
        idle(table, seat)
    assert agreement(table, contract, Contract).status == "lapsed"
    table.banker("sanction_breach", contract=contract, party="bob", amount=10, reason="and built again")
    assert (table.holds("bob"), table.holds("bank")) == (-360, bank + 10)
    sanction = {"contract": contract, "amount": 5, "reason": "because"}
    table.refused(None, "sanction_breach", "X.1", party="cid", **sanction)
    table.refused(None, "sanction_breach", "X.A.8", party="bob", to="bob", **sanction)
    table.refused(None, "sanction_breach", "X.A.8", party="bob", to="zoe", **sanction)
    table.refused(None, "sanction_breach", "X.A.1", party="bob", **(sanction | {"contract": "999"}))
    proposed = propose(table, "ana", "bob")
    table.refused(None, "sanction_breach", "X.A.2", party="ana", **(sanction | {"contract": proposed}))


@pytest.mark.rule("X.A.2", "I.C.6")
def test_a_contract_is_its_parties_affair() -> None:
    """Cid learns nothing about it, except the sanction that the banker pays to him."""
    table = Table("ana", "bob", "cid")
    contract = propose(table, "ana", "bob", clauses=["the secret of Négoplaza"])
    assert len(table.seen_by("bob")) == 1
    assert table.seen_by("cid") == table.seen_by(None) == []
    table.play("bob", "agree_contract", contract=contract)
    assert len(table.seen_by("ana")) == 2
    assert table.seen_by("cid") == []
    hidden = table.refused("cid", "report_breach", "X.1", contract=contract, statement="…").en
    unknown = table.refused("cid", "report_breach", "X.1", contract="999", statement="…").en
    assert hidden == unknown.replace("999", contract)
    table.banker("sanction_breach", contract=contract, party="bob", amount=5, to="cid", reason="a fine")
    assert len(table.seen_by("cid")) == 1
    assert "secret" not in repr(table.seen_by("cid"))
    assert table.seen_by(None) == []


@pytest.mark.rule("X.A.2", "I.B.5")
def test_nobody_can_consent_beside_somebody_who_is_out_of_the_game() -> None:
    table = Table("ana", "bob", "cid")
    contract = propose(table, "ana", "bob", "cid")
    with table.arranged() as state:
        state.eliminated["cid"] = "bankruptcy"
    table.refused("bob", "agree_contract", "I.B.5", contract=contract)
    table.play("bob", "withdraw_contract", contract=contract)


def with_escrow(table: Table) -> str:
    """Ana promises Bob 200 ₦ if he spares her a round, and the bank holds them; Bob deposits 50 ₦ as well."""
    table.play(
        "ana",
        "register_contract",
        parties=["bob"],
        clauses=["Bob spares Ana; then the 200 are his."],
        rounds=1,
        escrow={"ana": 200, "bob": 50},
    )
    contract = str(table.state.version)
    assert table.holds("ana") == 1650  # nothing moves before Bob consents
    table.play("bob", "agree_contract", contract=contract)
    assert (table.holds("ana"), table.holds("bob")) == (1650 - 30 - 200, 1650 - 50)
    assert table.holds(f"escrow:contract:{contract}") == 250
    return contract


@pytest.mark.rule("X.A.6", "X.A.7")
def test_the_bank_holds_what_a_contract_asks_it_to_and_the_banker_pays_it_out() -> None:
    table = Table("ana", "bob", "cid")
    contract = with_escrow(table)
    how = {"contract": contract, "depositor": "ana", "reason": "She was spared."}
    refusal = table.refused(None, "release_escrow", "X.A.6", to="bob", amount=201, **how)
    assert "200" in refusal.en
    table.refused(None, "release_escrow", "X.1", to="cid", amount=1, **how)
    table.banker("release_escrow", to="bob", amount=150, **how)
    assert (table.holds("bob"), table.holds(f"escrow:contract:{contract}")) == (1750, 100)
    assert table.seen_by("cid") == []
    for seat in ("ana", "bob", "cid"):
        idle(table, seat)
    # A round later it lapses: Ana's last 50 ₦ and Bob's 50 ₦ go back to them.
    assert agreement(table, contract, Contract).status == "lapsed"
    assert (table.holds("ana"), table.holds("bob")) == (1470, 1800)
    assert table.holds(f"escrow:contract:{contract}") == 0
    table.refused(None, "release_escrow", "X.A.6", to="bob", amount=1, **how)


@pytest.mark.rule("X.A.4", "X.A.6")
def test_a_deposit_needs_the_funds_and_a_depositor_is_a_party() -> None:
    table = Table("ana", "bob", "cid")
    how: dict[str, Any] = {"parties": ["bob"], "clauses": ["…"], "rounds": 1}
    table.refused("ana", "register_contract", "X.A.4", escrow={"cid": 10}, **how)
    table.play("ana", "register_contract", escrow={"ana": 1621}, **how)
    proposal = str(table.state.version)
    table.refused("bob", "agree_contract", "X.A.6", contract=proposal)
    assert agreement(table, proposal, Contract).status == "proposed"


@pytest.mark.rule("X.A.6", "II.E.4")
def test_what_is_held_goes_back_before_worth_is_counted() -> None:
    table = Table("ana", "bob")
    contract = with_escrow(table)
    table.banker("end_game", reason="late")
    idle(table, "ana")
    idle(table, "bob")
    assert table.state.ended
    assert (table.holds("ana"), table.holds("bob")) == (1620, 1650)
    assert table.holds(f"escrow:contract:{contract}") == 0
    assert table.state.winners == ("bob",)
