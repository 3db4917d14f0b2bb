"""The end of a player (I.B.5, II.E.3) with all open that can be: agreements, claims, disputes, questions."""

from __future__ import annotations

import pytest

from ledger.rulebooks.negopoly.estate.quarters import QUARTERS
from ledger.rulebooks.negopoly.table.terms import Bounty, Contract, Deal, Meeting
from tests.tables.negopoly import BAR, PRISON, Table, answer, asked, dropping, eliminated, kinds, touched

# What becomes of it --------------------------------------------------------------------------------------


def entangled() -> tuple[Table, dict[str, str]]:
    """It is Ana's turn; Bob, in debt and with nothing left, is in everything a player can be in.

    His bounty of 200 ₦ is open, and he was the first to claim Ana's of 300 ₦, before Cleo. His contract with Ana
    holds 100 ₦ of his and 50 ₦ of hers. He has proposed a deal to Cleo, contests his fine, and sits in a meeting
    with Dan.
    """
    table = Table("ana", "bob", "cleo", "dan")
    numbers = {}
    table.play("bob", "post_bounty", amount=200, conditions="land on Comico")
    numbers["his"] = str(table.number)
    table.play("ana", "post_bounty", amount=300, conditions="see Bob ruined")
    numbers["hers"] = str(table.number)
    for bounty in (numbers["his"], numbers["hers"]):
        table.banker("approve_bounty", bounty=bounty, accept=True)
    table.play("bob", "claim_bounty", bounty=numbers["hers"], account="nobody is as ruined as I")
    table.play("cleo", "claim_bounty", bounty=numbers["hers"], account="I did it")
    table.play(
        "ana", "register_contract", clauses=["peace"], rounds=2, parties=["bob"], escrow={"bob": 100, "ana": 50}
    )
    numbers["contract"] = str(table.number)
    table.play("bob", "agree_contract", contract=numbers["contract"])
    table.play("bob", "propose_deal", legs=[{"giver": "cleo", "taker": "bob", "commodity": "NGD", "amount": 5}])
    numbers["deal"] = str(table.number)
    table.play("bob", "start_meeting", participants=["dan"], minutes=1)
    numbers["meeting"] = str(table.number)
    table.play("dan", "join_meeting", meeting=numbers["meeting"])
    table.banker("rule", finding="a scandal", remedies=[{"op": "fine", "seat": "bob", "amount": 2000}])
    table.play("bob", "open_dispute", claim="no scandal", actions=[table.number], rules=["P.1"])
    numbers["dispute"] = str(table.number)
    assert table.holds("bob") == 1650 - 200 - 100 - 2000 - 20
    assert table.holds("ana") == 1650 - 300 - 60 - 50
    return table, numbers


@pytest.mark.rule("II.E.3", "I.B.5", "X.B.5", "X.B.4", "X.A.6", "P.2", "IV.B.5", "P.5")
def test_a_bankruptcy_settles_all_that_is_open_in_favour_of_nobody() -> None:
    """Bob goes: Ana has her 50 ₦ back, the bank his 100 ₦ and his debt; the deal is off, and he leaves the room.

    Of Ana's bounty on his ruin Cleo is the first claimant still in play, and takes it; his own stays with the bank
    until Dan earns it. What he contests the banker may still decide, but neither fine him more nor sanction him.
    """
    table, numbers = entangled()
    bank = table.holds("bank")
    table.play("bob", "declare_bankruptcy")
    assert table.state.eliminated == {"bob": "bankruptcy"}
    assert (table.holds("ana"), table.holds("bob")) == (1650 - 300 - 60, 0)
    assert table.holds("bank") - bank == 100 + 1650 - 200 - 100 - 2000 - 20
    contract, deal = (table.state.past.get(numbers[one]) for one in ("contract", "deal"))
    assert contract is not None
    assert deal is not None
    assert (contract.status, deal.status) == ("ended", "withdrawn")
    meeting = table.state.open[numbers["meeting"]]
    assert isinstance(meeting, Meeting)
    assert meeting.present == ("dan",)
    table.banker("award_bounty", bounty=numbers["hers"], winner="cleo")
    assert table.holds("cleo") == 1650 + 300
    assert table.holds(f"escrow:bounty:{numbers['his']}") == 200
    table.banker("award_bounty", bounty=numbers["his"], winner="dan")
    assert table.holds("dan") == 1650 + 200
    table.play("ana", "report_breach", contract=numbers["contract"], account="he promised peace")
    sanction = {
        "op": "enforce_contract",
        "contract": numbers["contract"],
        "party": "bob",
        "amount": 10,
        "to": "ana",
    }
    for remedy in (sanction, {"op": "fine", "seat": "bob", "amount": 1}):
        table.refused(None, "rule", "I.B.5", dispute=numbers["dispute"], finding="he broke it", remedies=[remedy])
    table.banker("rule", dispute=numbers["dispute"], finding="let him rest", remedies=[])


@pytest.mark.rule("I.B.5", "I.C.6", "II.E.3")
def test_who_looks_on_a_bankruptcy_sees_that_somebody_has_gone_and_no_more() -> None:
    """Dan sees Bob leave the game and the room; Ana the contract end, Cleo the proposal fall; Bob all of it."""
    table, _ = entangled()
    table.play("bob", "declare_bankruptcy")
    told = {seat: kinds(table.seen_by(seat)) for seat in ("ana", "bob", "cleo", "dan", None)}
    public = ["player_eliminated", "meeting_left"]
    assert told["dan"] == told[None] == public
    assert told["ana"] == told["cleo"] == ["player_eliminated", "estate_settled", "meeting_left"]
    assert told["bob"] == [
        "player_eliminated",
        "estate_settled",
        "estate_settled",
        "estate_closed",
        "meeting_left",
    ]
    settled = [table.seen_by(seat)[1].agreement for seat in ("ana", "cleo")]  # type: ignore[attr-defined]
    assert [type(one) for one in settled] == [Contract, Deal]


@pytest.mark.rule("P.4", "I.B.5", "X.B.4", "X.A.6", "X.B.1")
def test_a_bankruptcy_taken_back_brings_everything_back_but_what_only_the_ruined_left_to_others() -> None:
    """After Bob's bankruptcy Cleo is awarded the bounty on his ruin, and Ana proposes Cleo a new contract.

    The dry run without it: only the award falls, for Bob claimed before her. Contract, deposits, debt, claim,
    proposal and his place in the room are what they were.
    """
    table, numbers = entangled()
    before = table.rulebook.freeze(table.state)
    table.play("bob", "declare_bankruptcy")
    ruin = table.number
    table.banker("award_bounty", bounty=numbers["hers"], winner="cleo")
    award = str(table.number)
    table.play("ana", "register_contract", clauses=["war"], rounds=1, parties=["cleo"])
    proposed = str(table.number)
    plan = table.what_if(dropping(ruin))
    assert (touched(plan.voided), plan.restated) == ([award], ())
    table.banker("correct", edits=[dropping(ruin)], cascade="restate", reason="he had found a dose")
    then = table.rulebook.thaw(before)
    assert table.state.holdings == then.holdings
    assert {one: kept for one, kept in table.state.open.items() if one != proposed} == then.open
    bounty, contract = table.state.open[numbers["hers"]], table.state.open[numbers["contract"]]
    assert isinstance(bounty, Bounty)
    assert isinstance(contract, Contract)
    assert (bounty.claims, contract.escrow) == (("bob", "cleo"), {"bob": 100, "ana": 50})


@pytest.mark.rule("P.4", "I.B.5", "II.2", "X.C.3")
def test_an_undone_elimination_gives_the_turns_back_that_others_have_played_since() -> None:
    """Bob is ruled out in his own turn, owing 300 ₦; Cleo and Ana play on, and Ana buys a title.

    The dry run without the ruling: it is still Bob's turn, so all that was done in theirs falls; a gift of Ana's
    to Cleo, which needs no turn, stands. His loan and his title are his again.
    """
    table = Table("ana", "bob", "cleo")
    table.turn("ana", 1, 2)
    table.play("bob", "take_loan", amount=300)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.play("bob", "buy_property")
    eliminated(table, "bob")
    ruled = table.number
    table.play("cleo", "roll_dice", dice=[2, 2])
    fallen = [table.number]
    legs = [{"giver": "ana", "taker": "cleo", "commodity": "NGD", "amount": 25}]
    table.play("ana", "propose_deal", legs=legs)
    table.play("cleo", "agree_deal", deal=str(table.number))
    table.play("cleo", "resolve_square")
    fallen.append(table.number)
    table.play("cleo", "end_turn")
    fallen.append(table.number)
    table.play("ana", "roll_dice", dice=[4, 4])
    fallen.append(table.number)
    table.play("ana", "buy_property")
    fallen.append(table.number)
    assert (table.owner("nuketown"), table.owner("black_arretxea")) == ("ana", None)
    plan = table.what_if(dropping(ruled))
    assert touched(plan.voided) == [str(number) for number in fallen]
    assert plan.restated == ()
    table.banker("correct", edits=[dropping(ruled)], cascade="restate", reason="he had not")
    assert [table.holds(seat) for seat in ("ana", "bob", "cleo")] == [1625, 1650 + 300 - 60, 1675]
    assert (table.owner("nuketown"), table.owner("black_arretxea")) == (None, "bob")
    assert table.state.turn is not None
    assert (table.state.turn.seat, len(table.state.open)) == ("bob", 1)


@pytest.mark.rule("I.B.5", "VI.D.3", "V.E.17", "V.B.5", "IX.C.17")
def test_what_was_planned_for_or_said_of_a_ruined_player_is_over() -> None:
    """Bob has paid a prisoner, may free a title of Ana's, who has the police let him pass; then he is put out.

    His racket, his leave and her word go with him: Cleo, caught beside an explosion, pays nobody in Prison.
    """
    table = Table("ana", "bob", "cleo")
    table.own("ana", *QUARTERS["orange"])
    table.own("ana", "negotown", mortgaged=True)
    table.own("ana", "17_rue_des_patates")
    table.attach("17_rue_des_patates", "charge:ana:-1")
    table.place("bob", PRISON - 3)
    table.place("cleo", BAR)
    table.play("ana", "delegate_unmortgage", title="negotown", to="bob")
    table.play("ana", "waive_police", player="bob", order="check")
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
    """Bob, ruled out, leaves a title with a house to the bank; Cleo stops there for nothing and buys it for 60 ₦.

    The dry run without the ruling: her purchase falls, and her stop costs 20 ₦ of rent. So it is then: the house
    stands again.
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


@pytest.mark.rule("II.E.3", "IX.B.15", "IX.C.18", "I.B.3")
def test_nobody_goes_bankrupt_between_a_shot_and_its_effect() -> None:
    """Ana draws a Glock at Bob, who owes 10 ₦, owns nothing but a team, and is asked about it: he answers first.

    He keeps the team to himself, so he owes 310 ₦ and Ana has 300 ₦ more; then he may go, and she keeps them.
    """
    table = Table("ana", "bob", "cleo")
    table.give("ana", "glock26")
    table.serve("bob", "security_team")
    table.take("bob", "NGD", 1660)
    table.place("bob", BAR)
    table.play("ana", "roll_dice", dice=[2, 3])
    table.play("ana", "use_glock", target="bob", die=1)
    assert asked(table) == ["bob"]
    table.refused("bob", "declare_bankruptcy", "IX.B.15")
    answer(table, "bob", "no")
    assert (table.holds("ana"), table.holds("bob")) == (1950, -310)
    table.play("bob", "declare_bankruptcy")
    assert (table.holds("ana"), table.holds("bob"), table.state.order) == (1950, 0, ("ana", "bob", "cleo"))
