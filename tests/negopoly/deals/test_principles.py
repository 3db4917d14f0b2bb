"""I. Fundamental principles: money, debt, free actions of players, and what the bank does not do."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.deals.deals import DealProposed
from ledger.rulebooks.negopoly.table.terms import attached
from tests.tables.negopoly import Table, idle, kinds


def leg(giver: str, taker: str, commodity: str, amount: int = 1, **more: Any) -> dict[str, Any]:
    """One leg of a deal, as a client sends it."""
    return {"giver": giver, "taker": taker, "commodity": commodity, "amount": amount, **more}


def propose(table: Table, seat: str, *legs: dict[str, Any], **more: Any) -> str:
    """The seat proposes a deal; return its id."""
    proposed = table.play(seat, "propose_deal", legs=list(legs), **more)[0]
    assert isinstance(proposed, DealProposed)
    return proposed.deal.id


# ----------------------------------------------------------------------------------------------
# Money
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("I.B.6", "I.B.7", "I.B.1")
def test_ana_gives_bob_money_and_he_gets_every_negodollar_of_it() -> None:
    table = Table("ana", "bob")
    bank = table.holds("bank")
    (event,) = table.play("ana", "transfer_money", to="bob", amount=333)
    assert event.rule == "I.B.6"
    assert [(one.amount, one.source, one.target) for one in event.postings] == [(333, "player:ana", "player:bob")]
    assert table.holds("ana") == 1650 - 333
    assert table.holds("bob") == 1650 + 333
    assert table.holds("bank") == bank


@pytest.mark.rule("I.B.6", "II.D.5")
def test_bob_gives_money_in_anas_turn_but_only_what_he_holds_and_to_somebody_else() -> None:
    table = Table("ana", "bob")
    table.play("bob", "transfer_money", to="ana", amount=1650)
    assert table.holds("bob") == 0
    assert table.state.turn is not None
    assert table.state.turn.seat == "ana"
    short = table.refused("bob", "transfer_money", "I.B.6", to="ana", amount=1)
    assert short.en == "Bob has ₦0 and cannot spend ₦1 without ₦1 more"
    table.refused("ana", "transfer_money", "I.B.6", to="ana", amount=1)
    table.refused("ana", "transfer_money", "I.B.6", to="bank", amount=1)
    table.refused("ana", "transfer_money", "I.B.6", to="zoe", amount=1)


@pytest.mark.rule("I.B.1")
def test_amounts_are_whole_negodollars() -> None:
    table = Table("ana", "bob")
    for amount in (0.5, 0, -3, 2**63, "12"):
        table.malformed("ana", "transfer_money", to="bob", amount=amount)
    assert table.holds("ana") + table.holds("bob") == 3300


@pytest.mark.rule("I.B.2")
def test_no_fortune_is_too_large_to_grow() -> None:
    table = Table("ana", "bob")
    table.give("bob", "NGD", 10**15)
    table.play("ana", "transfer_money", to="bob", amount=1650)
    assert table.holds("bob") == 10**15 + 1650 + 1650


@pytest.mark.rule("I.B.3")
def test_only_what_one_must_pay_makes_debt() -> None:
    """Ana has 40 ₦: she cannot give 41, but a sanction of 500 takes her to -460."""
    table = Table("ana", "bob")
    table.take("ana", "NGD", 1580)
    events = table.play("ana", "register_contract", clauses=["I keep quiet"], rounds=1)
    contract = events[-1].contract.id  # type: ignore[attr-defined]
    assert table.holds("ana") == 40
    table.refused("ana", "transfer_money", "I.B.6", to="bob", amount=41)
    deal = propose(table, "ana", leg("ana", "bob", "NGD", 41))
    table.refused("bob", "agree_deal", "I.B.3", deal=deal)
    bob = table.holds("bob")
    table.banker("sanction_breach", contract=contract, party="ana", amount=500, to="bob", reason="she shouted")
    assert table.holds("ana") == -460
    assert table.holds("bob") == bob + 500


@pytest.mark.rule("I.B.6")
def test_a_table_may_allow_voluntary_debt() -> None:
    table = Table("ana", "bob", settings={"voluntary_overdraft": True})
    table.play("ana", "transfer_money", to="bob", amount=2000)
    assert table.holds("ana") == -350
    assert table.holds("bob") == 3650


@pytest.mark.rule("I.B.4")
def test_a_player_in_debt_takes_their_turn() -> None:
    table = Table("ana", "bob")
    table.take("ana", "NGD", 2000)
    assert table.holds("ana") == -350
    table.place("ana", 10)
    table.play("ana", "roll_dice", dice=[5, 5])
    assert table.state.positions["ana"] == 20
    table.play("ana", "end_turn")
    idle(table, "bob")
    assert table.state.turn is not None
    assert table.state.turn.seat == "ana"
    assert table.state.round == 2
    assert "ana" in table.state.order


# ----------------------------------------------------------------------------------------------
# Free actions and secrets
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("P.5", "VI.C.1", "VI.D.1")
def test_misfortune_brings_nothing_from_the_bank() -> None:
    """Ana overdoses, goes to the Hôpital with the money she had, and learns that Bob has broken a deal.

    Bob is arrested, and has in Prison what he had before.
    """
    table = Table("ana", "bob")
    deal = propose(table, "ana", clauses=["Bob looks after me"], parties=["bob"])
    table.play("bob", "agree_deal", deal=deal)
    table.give("ana", "dose", 1)
    events = table.play("ana", "consume_dose", dice=[1])
    events += table.play("bob", "break_deal", deal=deal)
    table.give("bob", "dose", 1)
    events += table.play("bob", "roll_dice", dice=[1, 3])
    events += table.play("bob", "resolve_square")
    assert table.state.positions == {"ana": 20, "bob": 10}
    assert not [one for event in events for one in event.postings if one.commodity == "NGD"]
    assert (table.holds("ana"), table.holds("bob")) == (1650, 1650)


@pytest.mark.rule("P.3", "I.B.6", "X.C.1", "I.A.1.3")
def test_harm_is_billed_and_not_prevented() -> None:
    """Ana gives away everything she has and everything she can borrow; nobody stops her."""
    table = Table("ana", "bob")
    table.own("ana", "negoplaza", houses=5)
    table.play("ana", "take_loan", amount=500)
    table.play("ana", "transfer_money", to="bob", amount=2150)
    ruin = propose(table, "ana", leg("ana", "bob", "title:negoplaza"), clauses=["Bob may insult me, too"])
    table.play("bob", "agree_deal", deal=ruin)
    assert table.holds("ana") == 0
    assert table.owner("negoplaza") == "bob"


@pytest.mark.rule("P.3")
def test_every_refusal_names_a_numbered_rule() -> None:
    table = Table("ana", "bob")
    for seat, kind, rule, params in (
        ("ana", "transfer_money", "I.B.6", {"to": "bob", "amount": 9999}),
        ("ana", "propose_deal", "I.A.1.1", {"parties": ["bob"]}),
        ("ana", "agree_deal", "I.A.1.2", {"deal": "1"}),
        ("ana", "break_deal", "I.C.3", {"deal": "1"}),
        ("ana", "take_loan", "X.C.2", {"amount": 501}),
        ("ana", "repay_loan", "X.C.4", {"loan": "1"}),
        ("ana", "post_bounty", "X.B.2", {"amount": 9999, "conditions": "…"}),
        ("ana", "claim_bounty", "X.B.4", {"bounty": "1", "statement": "…"}),
        ("ana", "register_contract", "X.A.3", {"clauses": ["…"], "rounds": 2, "payers": {"ana": 59}}),
        ("ana", "send_delivery", "VIII.D.4", {"to": "bob", "commodity": "dose", "amount": 1}),
        ("bob", "send_delivery", "VIII.D.2", {"to": "ana", "commodity": "dose", "amount": 1}),
    ):
        refusal = table.refused(seat, kind, rule, **params)
        found = RULEBOOK.register.get(refusal.rule)
        assert found is not None
        assert found.requires
    table.play("ana", "transfer_money", to="bob", amount=1650)


@pytest.mark.rule("I.C.1", "IV.1", "IV.A.1", "II.C.1", "II.D.1")
def test_lies_threats_and_betrayal_are_free_at_any_moment() -> None:
    """In Ana's turn Bob and Cid plot with offensive words; it stays Ana's turn, and she rolls."""
    table = Table("ana", "bob", "cid")
    assert table.state.turn is not None
    turn = table.state.turn
    deal = propose(table, "bob", clauses=["I own the bank", "Ana is a rat and we shall ruin her"], parties=["cid"])
    table.play("cid", "agree_deal", deal=deal)
    table.play("cid", "break_deal", deal=deal, statement="I never agreed to this")
    assert table.state.turn == turn
    assert table.holds("bob") == table.holds("cid") == 1650
    table.place("ana", 10)
    table.play("ana", "roll_dice", dice=[5, 5])
    table.play("bob", "withdraw_deal", deal=propose(table, "bob", clauses=["peace"], parties=["ana"]))


@pytest.mark.rule("I.C.6")
def test_private_dealings_are_seen_by_their_parties_alone_and_titles_by_all() -> None:
    table = Table("ana", "bob", "cid")
    table.own("bob", "negotown")
    table.play("ana", "transfer_money", to="bob", amount=70)
    assert kinds(table.seen_by("bob")) == ["money_transferred"]
    assert table.seen_by("cid") == table.seen_by(None) == []
    deal = propose(table, "ana", leg("ana", "bob", "NGD", 200), leg("bob", "ana", "title:negotown"))
    assert kinds(table.seen_by("bob")) == ["deal_proposed"]
    assert table.seen_by("cid") == []
    table.play("bob", "agree_deal", deal=deal)
    assert len(table.seen_by("ana")) == 4
    for outsider in ("cid", None):
        assert kinds(table.seen_by(outsider)) == ["title_transferred"]
    assert "200" not in repr(table.seen_by("cid"))
    unknown = table.refused("cid", "break_deal", "I.C.3", deal="999").en
    assert table.refused("cid", "break_deal", "I.C.3", deal=deal).en == unknown.replace("999", deal)
    audience = RULEBOOK.secrets.holding_audience(table.state, "player:ana", "NGD")
    assert audience.admits(Viewer("player", "ana"))
    assert not audience.admits(Viewer("player", "bob"))


@pytest.mark.rule("I.C.6")
def test_the_table_is_everybodys_to_see_and_a_purse_its_owners() -> None:
    """Ana's street has houses, squatters, a charge and a defence; she holds doses, a card and a hack on Bob."""
    table = Table("ana", "bob", decks=True, perks={"ana": "doses"})
    table.own("ana", "negotown", houses=2)
    table.hand("ana", "kamtar_01")
    table.weather("meteo_01")
    table.give("ana", "hack")
    with table.arranged() as state:
        for attachment in ("squat", "defence", "charge:bob:1"):
            state.holdings.post(Posting(attachment, 1, "bank", attached("negotown")))
        state.hacks.append(("ana", "bob"))
    table.play("ana", "take_loan", amount=100)
    ana, bob, anybody = Viewer("player", "ana"), Viewer("player", "bob"), Viewer("spectator")
    for viewer in (ana, bob, anybody):
        view = RULEBOOK.screen.view(table.state, viewer)
        street = view["titles"]["negotown"]
        assert (street["owner"], street["houses"], street["mortgaged"], street["squatted"]) == (
            "ana",
            2,
            False,
            True,
        )
        assert [charge["seat"] for charge in street["charges"]] == ["bob"]
        assert view["positions"] == {"ana": 0, "bob": 0}
        assert [card["card"] for card in view["weather"]] == ["meteo_01"]
        assert view["shops"]
    assert (
        RULEBOOK.screen.view(table.state, ana)["you"]["hacks"],
        RULEBOOK.screen.view(table.state, bob)["you"]["hacks"],
    ) == (
        ["bob"],
        [],
    )
    secrets = [("player:ana", what) for what in ("NGD", "dose", "card:kamtar_01", "hack", "licence")]
    for account, commodity in [*secrets, (attached("negotown"), "defence")]:
        audience = RULEBOOK.secrets.holding_audience(table.state, account, commodity)
        assert [audience.admits(viewer) for viewer in (ana, BANKER, bob, anybody)] == [True, True, False, False]
    for account, commodity in (
        ("player:ana", "title:negotown"),
        (attached("negotown"), "house"),
        ("police", "dose"),
    ):
        assert RULEBOOK.secrets.holding_audience(table.state, account, commodity).admits(anybody)


@pytest.mark.rule("I.1")
def test_the_principles_hold_in_every_phase_of_every_turn() -> None:
    """Bob gives money before the roll, on the square, and once it is resolved; before the start he cannot."""
    early = Table("ana", "bob", started=False)
    early.play("ana", "join_game", persona="Ana")
    early.refused("ana", "transfer_money", "II.1", to="bob", amount=1)
    table = Table("ana", "bob")
    table.play("bob", "transfer_money", to="ana", amount=1)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("bob", "transfer_money", to="ana", amount=2)
    table.play("ana", "resolve_square")
    table.play("bob", "transfer_money", to="ana", amount=4)
    table.play("ana", "end_turn")
    table.play("bob", "transfer_money", to="ana", amount=8)
    assert (table.holds("ana"), table.holds("bob")) == (1665, 1635)


@pytest.mark.rule("I.A.2.1")
def test_a_character_is_kept_and_nothing_is_blocked_for_leaving_the_role() -> None:
    table = Table("ana", "bob")
    assert table.state.personas == {"ana": "Don Ana", "bob": "Don Bob"}
    assert RULEBOOK.screen.view(table.state, Viewer("spectator"))["personas"]["ana"] == "Don Ana"
    deal = propose(table, "ana", clauses=["as myself: I am tired"], parties=["bob"])
    table.play("bob", "agree_deal", deal=deal)
    table.play("ana", "roll_dice", dice=[1, 2])


@pytest.mark.rule("II.D.5", "X.C.1", "X.A.1", "X.B.1", "VIII.D.2", "II.D.4")
def test_off_turn_money_loans_contracts_and_bounties_are_open_and_the_rest_is_not() -> None:
    """It is Ana's turn: what chapters I and X open, Bob may do; what belongs to a turn is refused."""
    table = Table("ana", "bob")
    table.own("bob", "negotown", "black_arretxea")
    table.give("bob", "dose", 1)
    table.play("bob", "transfer_money", to="ana", amount=1)
    table.play("bob", "take_loan", amount=100)
    table.play("bob", "register_contract", clauses=["I shall be good"], rounds=1)
    table.play("bob", "post_bounty", amount=50, conditions="the first to pass by Spawn")
    assert table.holds("bob") == 1650 - 1 + 100 - 30 - 50
    table.refused("bob", "send_delivery", "VIII.D.2", to="ana", commodity="dose", amount=1)
    table.refused("bob", "buy_for_player", "II.2", to="ana", commodity="dose")
    table.refused("bob", "roll_dice", "II.D.4", dice=[1, 2])
    table.refused("bob", "build_house", "V.C.4", title="negotown")
    table.refused("bob", "mortgage_property", "V.D.2", title="negotown")
