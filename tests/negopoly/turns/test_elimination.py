"""I.B.5. Leaving the game: the turn, the accounts and the agreements of an eliminated player."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import SPECTATOR
from ledger.kernel.journal.sight import visible_holdings
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.estate.quarters import QUARTERS
from ledger.rulebooks.negopoly.estate.real_estate import TitleReset
from ledger.rulebooks.negopoly.goods.deliveries import DeliveryReturned
from ledger.rulebooks.negopoly.table.terms import Bounty, Contract, Deal, Delivery, Leg, Loan, attached, player
from ledger.rulebooks.negopoly.turns.victory import EstateClosed, EstateSettled, PlayerEliminated
from tests.tables.negopoly import BAR, PRISON, STREET, Table, dropping, eliminated, kinds, ruin, touched


@pytest.mark.rule("I.B.5", "I.B.3")
def test_debt_and_misfortune_alone_exclude_nobody() -> None:
    """Bob owes 1 million, owns nothing and sits in Prison: he still has his turn and his roll."""
    table = Table("ana", "bob", "zoe")
    table.own("ana", STREET)
    ruin(table, "bob", 1_000_000)
    table.turn("ana", 1, 2)
    table.turn("bob", 3, 3)
    assert table.holds("bob") == -1_000_006
    assert table.state.eliminated == {}
    table.turn("zoe", 1, 2)
    table.turn("ana", 1, 1)
    assert table.state.turn is not None
    assert table.state.turn.seat == "bob"
    table.play("bob", "declare_bankruptcy")
    assert table.state.eliminated == {"bob": "bankruptcy"}


@pytest.mark.rule("I.B.5")
def test_an_eliminated_player_acts_no_more_and_nobody_deals_with_them() -> None:
    """Bob is out: whatever he asks is refused, and nobody can pay him or sell him a title."""
    table = Table("ana", "bob", "zoe")
    table.own("ana", STREET)
    ruin(table, "bob")
    table.play("bob", "declare_bankruptcy")
    asked: tuple[tuple[str, dict[str, Any]], ...] = (
        ("roll_dice", {"dice": [1, 2]}),
        ("transfer_money", {"to": "ana", "amount": 1}),
        ("declare_bankruptcy", {}),
        ("buy_property", {}),
    )
    for kind, params in asked:
        assert "bankruptcy" in table.refused("bob", kind, "I.B.5", **params).en
    table.refused("ana", "transfer_money", "I.B.5", to="bob", amount=1)
    table.refused("ana", "sell_property", "I.B.5", title=STREET, to="bob", price=1)


@pytest.mark.rule("I.B.5", "II.1", "II.2")
def test_the_turn_of_a_player_who_leaves_passes_on() -> None:
    """Bob leaves in his own turn: it is Zoe's. She is the last of the round; leaving too would end it for Ana."""
    table = Table("ana", "bob", "zoe", "tom")
    ruin(table, "bob")
    ruin(table, "tom")
    table.turn("ana", 1, 2)
    table.play("bob", "declare_bankruptcy")
    assert table.state.turn is not None
    assert table.state.turn.seat == "zoe"
    table.turn("zoe", 1, 2)
    table.play("tom", "declare_bankruptcy")
    assert table.state.turn is not None
    assert (table.state.turn.seat, table.state.round) == ("ana", 2)
    table.turn("ana", 1, 2)
    assert table.state.turn.seat == "zoe"


@pytest.mark.rule("I.B.5")
def test_leaving_in_anothers_turn_does_not_disturb_it() -> None:
    """Zoe leaves while Ana is rolling: it is still Ana's turn, and her roll is still due."""
    table = Table("ana", "bob", "zoe")
    ruin(table, "zoe")
    table.play("zoe", "declare_bankruptcy")
    assert table.state.turn is not None
    assert (table.state.turn.seat, table.state.turn.roll) == ("ana", "due")
    table.turn("ana", 1, 2)
    table.turn("bob", 1, 2)
    assert table.state.round == 2


@pytest.mark.rule("I.B.5", "P.5")
def test_the_estate_goes_to_the_bank_and_to_nobody_else() -> None:
    """Bob, let go with a title, two houses and goods, leaves all of it; his creditors and friends get nothing."""
    table = Table("ana", "bob", "zoe")
    ruin(table, "bob", 40)
    table.own("bob", STREET, houses=2, mortgaged=True)
    table.give("bob", "dose", 3)
    table.give("bob", "licence")
    with table.arranged() as state:
        state.wanted.add("bob")
        state.rackets.extend(["bob", "ana"])
        state.delegations.add(("nuketown", "bob", "bob"))
    bank = table.holds("bank")
    events = table.play("bob", "declare_bankruptcy", override="agreed by the table")
    assert [type(event) for event in events] == [PlayerEliminated, TitleReset, EstateClosed]
    assert dict(table.state.holdings.account(player("bob"))) == {}
    assert table.holds("bank") == bank - 40
    assert (table.holds("used", "dose"), table.holds("used", "licence")) == (3, 1)
    assert visible_holdings(RULEBOOK.secrets, table.state, "used", SPECTATOR) == {}
    assert table.owner(STREET) is None
    assert dict(table.state.holdings.account(attached(STREET))) == {}
    assert (table.holds("ana"), table.holds("zoe")) == (1650, 1650)
    assert table.state.wanted == set()
    assert table.state.rackets == ["ana"]
    assert table.state.delegations == set()


@pytest.mark.rule("I.B.5")
def test_everybody_sees_the_elimination_and_only_its_parties_the_rest() -> None:
    """The account that is closed and the loan forgiven are Bob's secret; the fact itself and titles are public."""
    table = Table("ana", "bob", "zoe")
    ruin(table, "bob", 40)
    table.own("bob", STREET)
    with table.arranged() as state:
        state.open["900"] = Loan(id="900", borrower="bob", principal=300, outstanding=250)
    table.play("bob", "declare_bankruptcy", override="agreed")
    kinds = [type(event) for event in table.seen_by("ana")]
    assert kinds == [PlayerEliminated, TitleReset]
    assert len(table.seen_by("bob")) == 4


@pytest.mark.rule("I.B.5")
def test_agreements_of_a_player_who_leaves_are_settled() -> None:
    """Bob's loan is written off, his contract ends, his proposal is withdrawn; only others' goods stay due.

    His bounty stays in escrow until the banker resolves it; the loan and the contract of others go on.
    """
    table = Table("ana", "bob", "zoe")
    ruin(table, "bob", 40)
    bobs = Leg("bob", "ana", "dose", 2)
    others = Leg("zoe", "ana", "dose", 1)
    with table.arranged() as state:
        state.holdings.post(Posting("NGD", 60, "bank", "escrow:bounty:904"))
        for agreement in (
            Loan(id="900", borrower="bob", principal=300, outstanding=250),
            Contract(id="901", parties=("bob", "ana"), clauses=("peace",), rounds=3, payers={"bob": 90}),
            Contract(
                id="902", status="proposed", parties=("zoe", "bob"), clauses=("war",), rounds=1, payers={"zoe": 30}
            ),
            Deal(id="903", status="proposed", parties=("ana", "bob"), clauses=("a kiss",)),
            Bounty(id="904", poster="bob", amount=60, conditions="sink the tank"),
            Deal(id="905", status="concluded", parties=("ana", "bob", "zoe"), legs=(bobs, others), due=(0, 1)),
            Deal(id="906", status="concluded", parties=("ana", "bob"), legs=(bobs,), due=(0,)),
            Loan(id="907", borrower="zoe", principal=100, outstanding=100),
            Contract(id="908", parties=("zoe", "ana"), clauses=("love",), rounds=3, payers={"zoe": 90}),
        ):
            state.open[agreement.id] = agreement
    events = table.play("bob", "declare_bankruptcy")
    settled = [event for event in events if isinstance(event, EstateSettled)]
    assert [(one.agreement.id, one.agreement.status) for one in settled] == [
        ("900", "forgiven"),
        ("901", "ended"),
        ("902", "withdrawn"),
        ("903", "withdrawn"),
        ("905", "concluded"),
        ("906", "concluded"),
    ]
    assert settled[0].written_off == 250
    assert set(table.state.open) == {"904", "905", "907", "908"}
    assert table.state.open["905"] == Deal(
        id="905", status="concluded", parties=("ana", "bob", "zoe"), legs=(bobs, others), due=(1,)
    )
    assert table.holds("escrow:bounty:904") == 60


@pytest.mark.rule("I.B.5", "VIII.D.3")
def test_goods_on_their_way_to_a_player_who_leaves_go_back_to_who_sent_them() -> None:
    """Ana's dose for Bob returns to her at once; Zoe, who left before, gets nothing back; Bob's still arrives."""
    table = Table("ana", "bob", "zoe", "tom")
    ruin(table, "bob")
    ruin(table, "zoe")
    with table.arranged() as state:
        for number, sender, recipient in (("900", "ana", "bob"), ("901", "zoe", "bob"), ("902", "bob", "tom")):
            state.holdings.post(Posting("dose", 2, "bank", f"transit:{number}"))
            state.open[number] = Delivery(
                id=number, sender=sender, recipient=recipient, commodity="dose", amount=2, sent_round=1
            )
    table.play("zoe", "declare_bankruptcy")
    bank = table.holds("bank", "dose")
    events = table.play("bob", "declare_bankruptcy", override="the goods will not save him")
    returned = [event for event in events if isinstance(event, DeliveryReturned)]
    assert [one.delivery.status for one in returned] == ["returned", "returned"]
    assert table.holds("ana", "dose") == 2
    assert table.holds("bank", "dose") == bank + 2
    assert table.holds("transit:902", "dose") == 2
    table.turn("ana", 1, 2)
    assert table.holds("tom", "dose") == 2
    assert table.state.open == {}


# Later actions of others --------------------------------------------------------------------------------


@pytest.mark.rule("P.4", "I.B.5", "II.2", "X.C.3")
def test_an_undone_elimination_keeps_the_turns_that_others_have_played_since() -> None:
    """Bob is eliminated in his own turn, owing 300 ₦; Cleo and Ana play on, and Ana buys a title.

    Without the ruling, Bob's turn is ended before Cleo's roll, and everything that the others have played stands.
    In the next round Bob has a turn again: that one is still to be played. His loan and his title are his again.
    """
    table = Table("ana", "bob", "cleo")
    table.turn("ana", 1, 2)
    table.play("bob", "take_loan", amount=300)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.play("bob", "buy_property")
    eliminated(table, "bob")
    ruled = table.number
    table.play("cleo", "roll_dice", dice=[2, 2])
    legs = [{"giver": "ana", "taker": "cleo", "commodity": "NGD", "amount": 25}]
    table.play("ana", "propose_deal", legs=legs)
    table.play("cleo", "agree_deal", deal=str(table.number))
    table.play("cleo", "resolve_square")
    table.play("cleo", "end_turn")
    table.play("ana", "roll_dice", dice=[4, 4])
    table.play("ana", "buy_property")
    assert (table.owner("nuketown"), table.owner("black_arretxea")) == ("ana", None)
    plan = table.what_if(dropping(ruled))
    assert plan.voided == ()
    table.banker("correct", edits=[dropping(ruled)], cascade="restate", reason="he had not")
    assert (table.owner("nuketown"), table.owner("black_arretxea")) == ("ana", "bob")
    assert table.state.turn is not None
    assert (table.state.turn.seat, len(table.state.open)) == ("ana", 1)


@pytest.mark.rule("I.B.5", "VI.D.3", "V.E.17", "V.B.5", "IX.C.17")
def test_what_was_planned_for_or_said_of_a_ruined_player_is_over() -> None:
    """Bob has paid a prisoner, is a delegate of Ana's, and is protected by her instruction; then he is eliminated.

    His racket, his delegation and her instruction end: Cleo, arrested beside an explosion, pays nobody in Prison.
    """
    table = Table("ana", "bob", "cleo")
    table.own("ana", *QUARTERS["orange"])
    table.own("ana", "negotown", mortgaged=True)
    table.own("ana", "17_rue_des_patates")
    table.attach("17_rue_des_patates", "charge:ana:-1")
    table.place("bob", PRISON - 3)
    table.place("cleo", BAR)
    table.play("ana", "delegate_unmortgage", title="negotown", to="bob")
    table.play("ana", "waive_police", target="bob", measure="check")
    table.turn("ana", 1, 2)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.play("bob", "buy_prison_racket")
    table.play("bob", "end_turn")
    assert (table.state.rackets, table.state.police_orders) == (["bob"], {("bob", "check")})
    eliminated(table, "bob")
    assert (table.state.rackets, table.state.police_orders, table.state.delegations) == ([], set(), set())
    table.place("cleo", 2)
    table.play("cleo", "roll_dice", dice=[1, 2])
    table.play("cleo", "end_turn")
    table.play("ana", "roll_dice", dice=[2, 3])
    table.play("ana", "detonate_c4", title="17_rue_des_patates")
    assert (table.state.positions["cleo"], table.holds("cleo"), table.holds("bob")) == (PRISON, 1650, 0)


@pytest.mark.rule("P.4", "I.B.5", "V.B.11", "V.A.2", "V.A.6")
def test_a_title_bought_from_an_estate_goes_back_with_its_owner_who_is_owed_the_rent() -> None:
    """Bob, eliminated, leaves a title with a house to the bank; Cleo stops there for free and buys it for 60 ₦.

    A dry run without the ruling voids her purchase, and her stop costs 20 ₦ of rent. After the correction the
    house is there again.
    """
    table = Table("ana", "bob", "cleo")
    table.turn("ana", 3, 4)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.play("bob", "buy_property")
    table.play("bob", "build_house", title="black_arretxea")
    table.play("bob", "end_turn")
    eliminated(table, "bob")
    ruled = table.number
    table.play("cleo", "roll_dice", dice=[1, 2])
    table.play("cleo", "resolve_square")
    stop = str(table.number)
    table.play("cleo", "buy_property")
    bought = str(table.number)
    assert (table.owner("black_arretxea"), table.holds("cleo")) == ("cleo", 1650 - 60)
    plan = table.what_if(dropping(ruled))
    assert (touched(plan.voided), touched(plan.restated)) == ([bought], [stop])
    table.banker("correct", edits=[dropping(ruled)], cascade="restate", reason="he had not")
    assert [table.holds(seat) for seat in ("bob", "cleo")] == [1650 - 60 - 50 + 20, 1650 - 20]
    assert (table.owner("black_arretxea"), table.holds("property:black_arretxea", "house")) == ("bob", 1)


@pytest.mark.rule("I.B.5", "II.D.1", "P.5", "VII.C.2", "P.4")
def test_doses_paid_for_and_not_yet_sent_are_lost_with_their_seller() -> None:
    """Ana has paid Bob 90 ₦ for two doses, due in his turn; he is ruled out first. The bank makes nothing good.

    She calls the deal broken, which changes nothing. Taking the ruling back makes the doses due again; that she
    called it broken stands.
    """
    table = Table("ana", "bob", "cleo", perks={"bob": "doses"})
    legs = [
        {"giver": "ana", "taker": "bob", "commodity": "NGD", "amount": 90},
        {"giver": "bob", "taker": "ana", "commodity": "dose", "amount": 2},
    ]
    table.play("ana", "propose_deal", legs=legs)
    deal = str(table.number)
    table.play("bob", "agree_deal", deal=deal)
    assert (table.holds("ana"), table.holds("bob")) == (1560, 1590)
    eliminated(table, "bob")
    ruled = table.number
    assert [kinds(table.seen_by(seat)) for seat in ("ana", "cleo")] == [
        ["player_eliminated", "estate_settled", "ruling_given"],
        ["player_eliminated", "ruling_given"],
    ]
    assert deal not in table.state.open
    table.play("ana", "break_deal", deal=deal, statement="he never sent them")
    assert (table.holds("ana"), table.holds("ana", "dose"), table.holds("used", "dose")) == (1560, 0, 3)
    plan = table.what_if(dropping(ruled))
    assert plan.voided == ()
    table.banker("correct", edits=[dropping(ruled)], cascade="restate", reason="he had not")
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "end_turn")
    table.play("bob", "send_delivery", deal=deal, leg=1)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.play("bob", "end_turn")
    table.turn("cleo", 1, 2)
    table.turn("ana", 2, 4)
    assert (table.holds("ana", "dose"), table.holds("bob", "dose")) == (2, 1)
