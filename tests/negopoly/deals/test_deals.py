"""I.A.1 and II.D.1. Deals: proposed, agreed and settled, and the delivery of their goods."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rulebooks.negopoly.deals.deals import DealProposed
from ledger.rulebooks.negopoly.table.state import houses_on, is_mortgaged
from ledger.rulebooks.negopoly.table.terms import Deal
from tests.tables.negopoly import Table, idle, kinds


def leg(giver: str, taker: str, commodity: str, amount: int = 1, **more: Any) -> dict[str, Any]:
    """One leg of a deal, as a client sends it."""
    return {"giver": giver, "taker": taker, "commodity": commodity, "amount": amount, **more}


def propose(table: Table, seat: str, *legs: dict[str, Any], **more: Any) -> str:
    """The seat proposes a deal; return its id."""
    proposed = table.play(seat, "propose_deal", legs=list(legs), **more)[0]
    assert isinstance(proposed, DealProposed)
    return proposed.deal.id


@pytest.mark.rule("I.A.1.1", "I.A.1.2", "V.D.3")
def test_a_deal_of_money_and_a_title_takes_effect_with_the_last_consent() -> None:
    """Ana buys Négotown with two houses and its mortgage from Bob for 200 ₦; Cid, a witness, must agree too."""
    table = Table("ana", "bob", "cid")
    table.own("bob", "negotown", houses=2, mortgaged=True)
    deal = propose(
        table,
        "ana",
        leg("ana", "bob", "NGD", 200),
        leg("bob", "ana", "title:negotown"),
        clauses=["Cid swears that he saw it"],
        parties=["bob", "cid"],
        form="handshake",
    )
    assert kinds(table.play("bob", "agree_deal", deal=deal, form="nod")) == ["deal_agreed"]
    assert table.owner("negotown") == "bob"
    assert table.holds("ana") == 1650
    concluded = table.play("cid", "agree_deal", deal=deal)
    assert kinds(concluded) == ["deal_agreed", "deal_concluded", "deal_paid", "title_transferred"]
    assert table.owner("negotown") == "ana"
    assert houses_on(table.state, "negotown") == 2
    assert is_mortgaged(table.state, "negotown")
    assert (table.holds("ana"), table.holds("bob"), table.holds("cid")) == (1450, 1850, 1650)


@pytest.mark.rule("I.A.1.2")
def test_consent_is_given_once_by_a_party_and_not_after_the_fact() -> None:
    table = Table("ana", "bob", "cid")
    deal = propose(table, "ana", leg("ana", "bob", "NGD", 10))
    table.refused("ana", "agree_deal", "I.A.1.2", deal=deal)
    assert "no deal" in table.refused("cid", "agree_deal", "I.A.1.2", deal=deal).en
    table.play("bob", "agree_deal", deal=deal)
    table.refused("bob", "agree_deal", "I.A.1.2", deal=deal)
    table.refused("bob", "withdraw_deal", "I.A.1.2", deal=deal)
    table.refused("ana", "propose_deal", "I.A.1.2", clauses=["I promise myself to win"])


@pytest.mark.rule("I.A.1.2")
def test_a_proposal_is_withdrawn_by_its_proposer_or_refused_by_a_party() -> None:
    table = Table("ana", "bob")
    for seat in ("ana", "bob"):
        deal = propose(table, "ana", leg("ana", "bob", "NGD", 10))
        table.play(seat, "withdraw_deal", deal=deal)
        ended = table.refused("bob", "agree_deal", "I.A.1.2", deal=deal)
        assert ended.en == f"the deal {deal} has ended (withdrawn)"
        assert ended.fr == f"l'accord {deal} a pris fin (retrait)"
        table.refused("bob", "break_deal", "I.A.1.2", deal=deal)
    assert table.holds("bob") == 1650


@pytest.mark.rule("I.A.1.2", "I.B.3")
def test_one_leg_that_cannot_be_undoes_the_whole_deal() -> None:
    """Bob's title would move first, but Ana cannot pay 2000 ₦: neither happens, and Bob learns no balance."""
    table = Table("ana", "bob")
    table.own("bob", "negotown")
    deal = propose(table, "ana", leg("bob", "ana", "title:negotown"), leg("ana", "bob", "NGD", 2000))
    short = table.refused("bob", "agree_deal", "I.B.3", deal=deal)
    assert "1650" not in short.en
    assert table.owner("negotown") == "bob"
    assert table.state.open[deal].status == "proposed"


@pytest.mark.rule("I.A.1.1")
def test_legs_settle_in_the_order_in_which_they_are_written() -> None:
    """Ana has 1650 ₦: she can pay 1700 out of what Bob pays her first, not before."""
    table = Table("ana", "bob")
    there, back = leg("bob", "ana", "NGD", 100), leg("ana", "bob", "NGD", 1700)
    early = propose(table, "ana", back, there)
    table.refused("bob", "agree_deal", "I.B.3", deal=early)
    table.play("bob", "agree_deal", deal=propose(table, "ana", there, back))
    assert table.holds("ana") == 50


@pytest.mark.rule("I.A.1.1", "VIII.D.1")
def test_a_deal_moves_only_what_a_party_holds_and_can_give() -> None:
    table = Table("ana", "bob")
    nothing = table.refused("ana", "propose_deal", "I.A.1.1", parties=["bob"])
    assert nothing.en == "a deal without a leg or a clause is about nothing"
    for rule, bad in (
        ("I.A.1.1", leg("ana", "ana", "NGD", 10)),
        ("I.A.1.1", leg("ana", "bob", "moon")),
        ("I.A.1.1", leg("ana", "bob", "title:negotown", 2)),
        ("I.A.1.1", leg("ana", "bob", "dose", 0)),
        ("V.A.1", leg("ana", "bob", "title:atlantis")),
        ("VIII.D.1", leg("ana", "bob", "licence")),
        ("VIII.D.1", leg("ana", "bob", "hack")),
        ("VIII.D.1", leg("ana", "bob", "house")),
        ("VIII.D.5", leg("ana", "bob", "NGD", 10, express="giver")),
    ):
        table.refused("ana", "propose_deal", rule, parties=["bob"], legs=[bad])
    deal = propose(table, "ana", leg("bob", "ana", "title:negotown"))
    not_his = table.refused("bob", "agree_deal", "I.A.1.1", deal=deal)
    assert not_his.en == "Négotown is not Bob's to give"


@pytest.mark.rule("I.A.1.3")
def test_any_price_is_fair_between_players() -> None:
    """Négoplaza, worth 350 ₦, goes for 0 ₦; Négotown, worth 60 ₦, for 1650 ₦."""
    table = Table("ana", "bob")
    table.own("ana", "negoplaza")
    table.own("bob", "negotown")
    gift = propose(table, "ana", leg("ana", "bob", "title:negoplaza"), leg("bob", "ana", "NGD", 0))
    assert "deal_paid" not in kinds(table.play("bob", "agree_deal", deal=gift))
    swindle = propose(table, "bob", leg("ana", "bob", "NGD", 1650), leg("bob", "ana", "title:negotown"))
    table.play("ana", "agree_deal", deal=swindle)
    assert (table.owner("negoplaza"), table.owner("negotown")) == ("bob", "ana")
    assert (table.holds("ana"), table.holds("bob")) == (0, 3300)


@pytest.mark.rule("I.A.1.2", "I.B.5")
def test_a_deal_with_somebody_who_is_out_of_the_game_cannot_be_concluded() -> None:
    table = Table("ana", "bob", "cid")
    deal = propose(table, "ana", clauses=["three against the bank"], parties=["bob", "cid"])
    with table.arranged() as state:
        state.eliminated["cid"] = "bankruptcy"
    table.refused("bob", "agree_deal", "I.B.5", deal=deal)
    table.refused("ana", "propose_deal", "I.B.5", clauses=["too late"], parties=["cid"])
    table.refused("ana", "transfer_money", "I.B.5", to="cid", amount=1)
    table.refused("cid", "transfer_money", "I.B.5", to="ana", amount=1)


@pytest.mark.rule("V.D.3")
def test_delegations_of_the_seller_end_with_the_sale() -> None:
    table = Table("ana", "bob", "cid")
    table.own("ana", "negotown", "black_arretxea", mortgaged=True)
    with table.arranged() as state:
        state.delegations = {("negotown", "cid", "ana"), ("black_arretxea", "cid", "ana")}
    table.play("bob", "agree_deal", deal=propose(table, "ana", leg("ana", "bob", "title:negotown")))
    assert table.state.delegations == {("black_arretxea", "cid", "ana")}


# Broken deals -------------------------------------------------------------------------------------------


@pytest.mark.rule("I.C.2")
def test_nobody_is_bound_by_a_deal_of_others() -> None:
    table = Table("ana", "bob", "cid")
    for stranger in ("cid", "bank", "police"):
        table.refused("ana", "propose_deal", "I.C.2", parties=["bob"], legs=[leg(stranger, "ana", "NGD", 100)])
    table.refused("ana", "propose_deal", "I.C.2", parties=["bank"], clauses=["the bank pays us double"])
    deal = propose(table, "ana", leg("ana", "bob", "NGD", 100), clauses=["Cid owes us 50 ₦"])
    table.play("bob", "agree_deal", deal=deal)
    assert table.holds("cid") == 1650
    table.refused("cid", "break_deal", "I.C.3", deal=deal)


@pytest.mark.rule("I.C.3", "P.5", "VII.C.2")
def test_the_bank_neither_enforces_nor_compensates_a_broken_deal() -> None:
    """Ana pays 300 ₦ for two doses that Bob never sends; both say that the other broke it."""
    table = Table("ana", "bob")
    table.give("bob", "dose", 2)
    bank = table.holds("bank")
    deal = propose(table, "ana", leg("ana", "bob", "NGD", 300), leg("bob", "ana", "dose", 2))
    table.play("bob", "agree_deal", deal=deal)
    (broken,) = table.play("ana", "break_deal", deal=deal, statement="Bob is a thief")
    assert broken.rule == "I.C.3"
    assert broken.postings == ()
    table.play("bob", "break_deal", deal=deal)
    table.refused("ana", "break_deal", "I.C.3", deal=deal)
    assert (table.holds("ana"), table.holds("bob"), table.holds("bank")) == (1350, 1950, bank)
    assert (table.holds("ana", "dose"), table.holds("bob", "dose")) == (0, 2)
    found = table.state.open[deal]
    assert isinstance(found, Deal)
    assert (found.status, found.broken_by, found.due) == ("broken", ("ana", "bob"), (1,))


@pytest.mark.rule("I.C.3")
def test_a_deal_that_is_settled_can_still_be_recorded_as_broken_and_goods_still_sent() -> None:
    table = Table("ana", "bob")
    table.give("bob", "dose", 1)
    words = propose(table, "ana", clauses=["no houses on the cyan street"], parties=["bob"])
    table.play("bob", "agree_deal", deal=words)
    assert words not in table.state.open
    table.play("bob", "break_deal", deal=words, statement="houses everywhere")
    kept = table.state.past.get(words)
    assert kept is not None
    assert kept.status == "broken"
    goods = propose(table, "ana", leg("bob", "ana", "dose"))
    table.play("bob", "agree_deal", deal=goods)
    table.play("ana", "break_deal", deal=goods)
    idle(table, "ana")
    table.play("bob", "send_delivery", deal=goods, leg=0)
    assert goods not in table.state.open


# Goods --------------------------------------------------------------------------------------------------


@pytest.mark.rule("II.D.1", "VII.C.1")
def test_doses_of_a_player_off_turn_stay_due_until_their_own_turn() -> None:
    """In her turn Ana buys three doses from Bob for 5 ₦; he sends them in his, and they travel a round."""
    table = Table("ana", "bob")
    table.give("bob", "dose", 3)
    deal = propose(table, "ana", leg("ana", "bob", "NGD", 5), leg("bob", "ana", "dose", 3))
    table.play("bob", "agree_deal", deal=deal)
    assert (table.holds("ana"), table.holds("bob")) == (1645, 1655)
    assert table.holds("bob", "dose") == 3
    table.refused("bob", "send_delivery", "VIII.D.2", deal=deal, leg=1)
    idle(table, "ana")
    table.refused("bob", "send_delivery", "II.D.1", deal=deal, leg=0)
    table.refused("bob", "send_delivery", "II.D.1", deal=deal, leg=1, amount=2)
    table.play("bob", "send_delivery", deal=deal, leg=1)
    assert (table.holds("bob", "dose"), table.holds("ana", "dose")) == (0, 0)
    table.refused("bob", "send_delivery", "II.D.1", deal=deal, leg=1)
    idle(table, "bob")
    idle(table, "ana")
    assert table.holds("ana", "dose") == 3


@pytest.mark.rule("II.D.1", "VIII.D.3", "VII.C.1")
def test_doses_of_the_player_whose_turn_it_is_leave_with_the_last_consent() -> None:
    table = Table("ana", "bob")
    table.give("ana", "dose", 3)
    table.give("ana", "rpg7", 1)
    deal = propose(table, "bob", leg("ana", "bob", "dose", 2), leg("ana", "bob", "rpg7"))
    events = table.play("ana", "agree_deal", deal=deal)
    assert kinds(events) == ["deal_agreed", "deal_concluded", "delivery_sent", "delivery_sent"]
    assert (table.holds("ana", "dose"), table.holds("ana", "rpg7")) == (1, 0)
    assert deal not in table.state.open
    idle(table, "ana")
    idle(table, "bob")
    assert (table.holds("bob", "dose"), table.holds("bob", "rpg7")) == (2, 1)


@pytest.mark.rule("VIII.D.4")
def test_the_player_whose_turn_it_is_cannot_conclude_on_goods_they_do_not_hold() -> None:
    table = Table("ana", "bob")
    deal = propose(table, "bob", leg("bob", "ana", "NGD", 100), leg("ana", "bob", "dose", 2))
    table.refused("ana", "agree_deal", "VIII.D.4", deal=deal)
    assert table.holds("bob") == 1650


@pytest.mark.rule("VII.C.2")
def test_payment_and_doses_go_their_separate_ways() -> None:
    """Bob has no doses left when his turn comes; he still keeps Ana's money."""
    table = Table("ana", "bob")
    deal = propose(table, "ana", leg("ana", "bob", "NGD", 90), leg("bob", "ana", "dose"))
    table.play("bob", "agree_deal", deal=deal)
    idle(table, "ana")
    table.refused("bob", "send_delivery", "VIII.D.4", deal=deal, leg=1)
    idle(table, "bob")
    table.play("ana", "break_deal", deal=deal, statement="no dose")
    assert (table.holds("ana"), table.holds("bob")) == (1560, 1740)
